/* alpha * x + beta * y of floats by AVX2, eight at a time, and of doubles.
 *
 *  Law     that of exec/compute/update.h: every product and sum is one of doubles, rounded alike.
 */
#include "exec/engine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#  include <immintrin.h>
#  include "exec/target_avx2.h"
#  include "exec/compute/ahead.h"
#  include "exec/compute/eight.h"
#  include "exec/compute/update_brains.h"

enum { MANY = FLOATS, WHOLE = MANY };

INLINED __m256 joined(__m128 low, __m128 high) { return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1); }

INLINED __m256d low_four(__m256 x) { return _mm256_cvtps_pd(_mm256_castps256_ps128(x)); }

INLINED __m256d high_four(__m256 x) { return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)); }

/** Doubles without their last 40 bits, the last bit that is left set where these were not all 0: rounded once more, to
 *  any shorter format, they are as if they were rounded once. For a double has 41 bits below the half of the last one
 *  of f16, and 44 of bf16. A float has room for what is left; below its normal numbers it has not, but where it drops
 *  any, what bf16 makes of the number is 0. */
INLINED __m256d odd_four(__m256d x)
{
    __m256i const rest = _mm256_set1_epi64x(((int64_t)1 << 40) - 1), bits = _mm256_castpd_si256(x);
    __m256i const carried = _mm256_add_epi64(_mm256_and_si256(bits, rest), rest);
    return _mm256_castsi256_pd(_mm256_andnot_si256(rest, _mm256_or_si256(bits, carried)));
}

/** alpha * x + beta * y in floats (tsr_update_is_single_), eight at a time. */
INLINED void singles_of_eight(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type,
                              unsigned char const *from, tsr_update const *u, int64_t n, tsr_next_ next)
{
    __m256 const a = _mm256_set1_ps((float)tsr_number_to_double(u->alpha)),
                 b = _mm256_set1_ps((float)tsr_number_to_double(u->beta));
    bool const reads = tsr_update_reads_(u);
    int64_t const t = tsr_dtype_bits(to_type) / 8, f = tsr_dtype_bits(from_type) / 8;
    for (int64_t at = 0; at < n; at += MANY) {
        tsr_ask_(next, at * t, MANY * t, at * f, MANY * f);
        __m256 sum = a * load_floats(from_type, from + at * f);
        if (reads)
            sum = sum + b * load_floats(to_type, to + at * t);
        store_floats(to_type, to + at * t, one_nan(sum, sum));
    }
}

/** alpha * x + beta * y in double, eight at a time. */
INLINED void sums_of_eight(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type,
                           unsigned char const *from, tsr_update const *u, int64_t n, tsr_next_ next)
{
    __m256d const a = _mm256_set1_pd(tsr_number_to_double(u->alpha)),
                  b = _mm256_set1_pd(tsr_number_to_double(u->beta));
    bool const reads = tsr_update_reads_(u);
    int64_t const t = tsr_dtype_bits(to_type) / 8, f = tsr_dtype_bits(from_type) / 8;
    for (int64_t at = 0; at < n; at += MANY) {
        tsr_ask_(next, at * t, MANY * t, at * f, MANY * f);
        __m256 const x = load_floats(from_type, from + at * f);
        __m256d low = a * low_four(x), high = a * high_four(x);
        if (reads) {
            __m256 const y = load_floats(to_type, to + at * t);
            low = low + b * low_four(y);
            high = high + b * high_four(y);
        }
        if (to_type != TSR_F32) {
            low = odd_four(low);
            high = odd_four(high);
        }
        __m256 const sum = joined(_mm256_cvtpd_ps(low), _mm256_cvtpd_ps(high));
        store_floats(to_type, to + at * t, one_nan(sum, sum));
    }
}

/** n of bf16, or the same by floats where their own loop does not take them. */
INLINED void sums_of_some(brains const *k, unsigned char *to, unsigned char const *from, tsr_update const *u,
                          int const n, bool const reads)
{
    tsr_next_ const none = {NULL, NULL};
    if (!k->take || !add_brains(k, to, from, n, reads))
        sums_of_eight(TSR_BF16, to, TSR_BF16, from, u, n, none);
}

INLINED void sums_of_brains(brains const *k, unsigned char *to, unsigned char const *from, tsr_update const *u,
                            int64_t n, bool const reads, tsr_next_ next)
{
    int64_t at = 0;
    for (; at + BRAINS <= n; at += BRAINS) {
        tsr_ask_(next, 2 * at, 2 * BRAINS, 2 * at, 2 * BRAINS);
        sums_of_some(k, to + 2 * at, from + 2 * at, u, BRAINS, reads);
    }
    for (; at + BRAINS / 2 <= n; at += BRAINS / 2)
        sums_of_some(k, to + 2 * at, from + 2 * at, u, BRAINS / 2, reads);
    if (at < n)
        sums_of_some(k, to + 2 * at, from + 2 * at, u, WHOLE, reads);
}

INLINED void sums(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type, unsigned char const *from,
                  tsr_update const *u, tsr_lines_ b)
{
    bool const single = tsr_update_is_single_(u, to_type, from_type);
    bool const both = !single && to_type == TSR_BF16 && from_type == TSR_BF16;
    brains const k = both ? brains_of(u) : (brains){0};
    for (int64_t i = 0; i < b.lines; ++i, to += b.to, from += b.from) {
        tsr_next_ const next = tsr_next_of_(&b, i);
        if (single)
            singles_of_eight(to_type, to, from_type, from, u, b.n, next);
        else if (!both)
            sums_of_eight(to_type, to, from_type, from, u, b.n, next);
        else if (tsr_update_reads_(u))
            sums_of_brains(&k, to, from, u, b.n, true, next);
        else
            sums_of_brains(&k, to, from, u, b.n, false, next);
    }
}
#  include "exec/compute/update_floats.h"

bool tsr_engine_update_lines_avx2_(tsr_update const *u, tsr_dtype to_type, void *to, tsr_dtype from_type,
                                   void const *from, tsr_lines_ b)
{
    return add_lines(u, to_type, to, from_type, from, b);
}

#  define ROW(name) tsr_##name##_avx2_
#  include "exec/compute/compute_row.h"
#  include "exec/target_end.h"
#endif
