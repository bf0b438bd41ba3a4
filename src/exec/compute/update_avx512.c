/* Updates of floats by AVX-512, sixteen at a time: what is loaded becomes f of it, or a sum, and is stored, without a
 * loop of its own for each.
 *
 *  Law     that of exec/compute/update.h: every product and sum is that of functions_float.h, rounded alike.
 */
#include "exec/engine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#  include <immintrin.h>
#  include "exec/target_avx512.h"
#  include "exec/compute/ahead.h"
#  include "exec/compute/sixteen.h"
#  include "exec/compute/functions_sixteen.h"

/** f where both sides are of a type, which the loops know. */
#  define X(id, ...)                                                                  \
  case TSR_OF_##id:                                                                   \
    for (int64_t at = 0; at < n; at += MANY) {                                        \
      __m512 before[FOUR], x[FOUR];                                                   \
      EACH before[i] = x[i] = load_sixteen(type, from + (at + 16 * i) * bytes);       \
      __VA_ARGS__;                                                                    \
      EACH store_sixteen(type, to + (at + 16 * i) * bytes, one_nan(before[i], x[i])); \
    }                                                                                 \
    break;
SIXTEEN void apply(tsr_dtype const type, int function, unsigned char *to, unsigned char const *from, int64_t n)
{
    int64_t const bytes = tsr_dtype_bits(type) / 8;
    switch (function) {
        MANY_LIST(X)
    default:
        break;
    }
}
#  undef X

SIXTEEN __m512 joined(__m256 low, __m256 high) { return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1); }

/** The floats toward zero of two times eight doubles, the last bit of each set where a double has one of its last 40:
 *  rounded once more, to any shorter format, they are as if they were rounded once. For a double has 41 bits below the
 *  half of the last one of f16, and 44 of bf16; below the normal numbers, which for bf16 are those of float, float
 *  drops more of them, but none above these 40 before what bf16 makes of the number is 0. */
SIXTEEN __m512 odd_sixteen(__m512d a, __m512d b)
{
    __m512i const rest = _mm512_set1_epi64(((int64_t)1 << 40) - 1);
    __m256 const low = _mm512_cvt_roundpd_ps(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    __m256 const high = _mm512_cvt_roundpd_ps(b, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    __mmask8 const cut_low = _mm512_test_epi64_mask(_mm512_castpd_si512(a), rest);
    __mmask8 const cut_high = _mm512_test_epi64_mask(_mm512_castpd_si512(b), rest);
    __m512i const r = bits_of(joined(low, high));
    return floats_of(_mm512_mask_or_epi32(r, (__mmask16)(cut_low | cut_high << 8), r, ints(1)));
}

SIXTEEN __m512d low_eight(__m512 x) { return _mm512_cvtps_pd(_mm512_castps512_ps256(x)); }

SIXTEEN __m512d high_eight(__m512 x) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1)); }

SIXTEEN __m512 rounded(tsr_dtype const to_type, __m512d low, __m512d high)
{
    return to_type == TSR_F32 ? joined(_mm512_cvtpd_ps(low), _mm512_cvtpd_ps(high)) : odd_sixteen(low, high);
}

/** alpha * x + beta * y in floats (tsr_update_is_single_). */
SIXTEEN void singles_of_line(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type,
                             unsigned char const *from, tsr_update const *u, int64_t n, tsr_next_ next)
{
    __m512 const a = all((float)tsr_number_to_double(u->alpha)), b = all((float)tsr_number_to_double(u->beta));
    bool const reads = tsr_update_reads_(u);
    int64_t const t = tsr_dtype_bits(to_type) / 8, f = tsr_dtype_bits(from_type) / 8;
    int64_t at = 0;
    for (; at + MANY <= n; at += MANY) {
        __m512 x[FOUR];
        tsr_ask_(next, at * t, MANY * t, at * f, MANY * f);
        EACH x[i] = a * load_sixteen(from_type, from + (at + 16 * i) * f);
        if (reads)
            EACH x[i] = x[i] + b * load_sixteen(to_type, to + (at + 16 * i) * t);
        EACH store_sixteen(to_type, to + (at + 16 * i) * t, one_nan(x[i], x[i]));
    }
    for (; at < n; at += 16) {
        __mmask16 const some = first_of(n - at);
        __m512 x = a * load_some(from_type, from + at * f, some);
        if (reads)
            x = x + b * load_some(to_type, to + at * t, some);
        store_some(to_type, to + at * t, some, one_nan(x, x));
    }
}

/** alpha * x + beta * y in double, of up to sixteen. */
SIXTEEN void sums_of_some(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type,
                          unsigned char const *from, __m512d a, __m512d b, bool reads, __mmask16 some)
{
    __m512 const x = load_some(from_type, from, some);
    __m512d low = a * low_eight(x), high = a * high_eight(x);
    if (reads) {
        __m512 const y = load_some(to_type, to, some);
        low = low + b * low_eight(y);
        high = high + b * high_eight(y);
    }
    __m512 const sum = rounded(to_type, low, high);
    store_some(to_type, to, some, one_nan(sum, sum));
}

/** The same of a line. */
SIXTEEN void sums_of_line(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type,
                          unsigned char const *from, tsr_update const *u, int64_t n, tsr_next_ next)
{
    __m512d const a = _mm512_set1_pd(tsr_number_to_double(u->alpha)),
                  b = _mm512_set1_pd(tsr_number_to_double(u->beta));
    bool const reads = tsr_update_reads_(u);
    int64_t const t = tsr_dtype_bits(to_type) / 8, f = tsr_dtype_bits(from_type) / 8;
    int64_t at = 0;
    for (; at + MANY <= n; at += MANY) {
        __m512 x[FOUR];
        __m512d low[FOUR], high[FOUR];
        tsr_ask_(next, at * t, MANY * t, at * f, MANY * f);
        EACH x[i] = load_sixteen(from_type, from + (at + 16 * i) * f);
        EACH low[i] = a * low_eight(x[i]);
        EACH high[i] = a * high_eight(x[i]);
        if (reads) {
            EACH x[i] = load_sixteen(to_type, to + (at + 16 * i) * t);
            EACH low[i] = low[i] + b * low_eight(x[i]);
            EACH high[i] = high[i] + b * high_eight(x[i]);
        }
        EACH x[i] = rounded(to_type, low[i], high[i]);
        EACH store_sixteen(to_type, to + (at + 16 * i) * t, one_nan(x[i], x[i]));
    }
    for (; at + 16 <= n; at += 16)
        sums_of_some(to_type, to + at * t, from_type, from + at * f, a, b, reads, (__mmask16)-1);
    if (at < n)
        sums_of_some(to_type, to + at * t, from_type, from + at * f, a, b, reads, first_of(n - at));
}

SIXTEEN void sums(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type, unsigned char const *from,
                  tsr_update const *u, tsr_lines_ b)
{
    bool const single = tsr_update_is_single_(u, to_type, from_type);
    for (int64_t i = 0; i < b.lines; ++i, to += b.to, from += b.from)
        if (single)
            singles_of_line(to_type, to, from_type, from, u, b.n, tsr_next_of_(&b, i));
        else
            sums_of_line(to_type, to, from_type, from, u, b.n, tsr_next_of_(&b, i));
}

#  define INLINED SIXTEEN
#  define WHOLE 1 /* the last elements go by masks */
#  include "exec/compute/update_floats.h"

/** f of a line of one type. */
SIXTEEN void apply_to_line(tsr_dtype type, int function, unsigned char *to, unsigned char const *from, int64_t n)
{
    switch ((int)type) {
#  define X(id)                               \
  case TSR_##id:                              \
    if (TSR_##id % 256 > 8)                   \
      apply(TSR_##id, function, to, from, n); \
    break;
        FLOAT_TYPES(X)
#  undef X
    default:
        break;
    }
}

static void apply_to_floats(tsr_update const *u, tsr_dtype to_type, unsigned char *to, tsr_dtype from_type,
                            unsigned char const *from, tsr_lines_ b)
{
    (void)to_type;
    for (; b.lines > 0; --b.lines, to += b.to, from += b.from)
        apply_to_line(from_type, u->function, to, from, b.n);
}

bool tsr_engine_update_lines_avx512_(tsr_update const *u, tsr_dtype to_type, void *to, tsr_dtype from_type,
                                     void const *from, tsr_lines_ b)
{
    bool const alone = tsr_update_in_(u, to_type, from_type, TSR_REAL) == TSR_IN_FLOATS_ && !tsr_update_reads_(u)
                       && tsr_number_to_double(u->alpha) == 1 && tsr_own_of_(u, to_type, from_type) == TSR_OWN_NONE_
                       && tsr_dtype_bits(to_type) > 8; /* bytes are looked up (exec/engine_convert.c) */
    if (!alone || to_type != from_type || !in_floats(to_type))
        return add_lines(u, to_type, to, from_type, from, b);
    in_many(apply_to_floats, MANY, u, to_type, (unsigned char *)to, from_type, (unsigned char const *)from, b);
    return true;
}

__attribute__((target("avx512vbmi"))) static int64_t look_up(unsigned char *to, unsigned char const *from,
                                                             unsigned char const *table, int64_t n)
{
    __m512i part[4];
    int64_t i = 0;
    for (int k = 0; k < 4; ++k)
        part[k] = _mm512_loadu_si512(table + 64 * k);
    for (; i + 64 <= n; i += 64) {
        __m512i const x = _mm512_loadu_si512(from + i), low = _mm512_permutex2var_epi8(part[0], x, part[1]);
        __m512i const high = _mm512_permutex2var_epi8(part[2], x, part[3]);
        _mm512_storeu_si512(to + i, _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(x), high));
    }
    return i;
}

int64_t tsr_engine_look_up_vbmi_(unsigned char *to, unsigned char const *from, unsigned char const *table, int64_t n)
{
    return __builtin_cpu_supports("avx512vbmi") ? look_up(to, from, table, n) : 0;
}

#  define ROW(name) tsr_##name##_avx512_
#  include "exec/compute/compute_row.h"
#  include "exec/target_end.h"
#else
int64_t tsr_engine_look_up_vbmi_(unsigned char *to, unsigned char const *from, unsigned char const *table, int64_t n)
{
    (void)to, (void)from, (void)table, (void)n;
    return 0;
}
#endif
