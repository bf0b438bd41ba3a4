/* alpha * x + beta * y of bf16 by AVX2, 32 at a time.
 *
 *  Law     that of exec/compute/update.h: every product and sum is one of doubles, and the sum is rounded once.
 *
 *  A conversion between float and double is two instructions of the slow kind, so that there is none. The bits of a
 *  bf16 are moved to where a double has its own, three places lower because its exponent has three bits more:
 *
 *      bf16      s eeeeeeee mmmmmmm
 *      double    s 000eeeeeeee mmmmmmm 0 ..      x * 2^-896, 0 too
 *
 *  Products with alpha and beta and their sum are 2^-896 of what they would be, rounded alike, and the sum has the
 *  exponent of its bf16, below the normal numbers too: sums there are exact. It becomes 20 bits of its mantissa, the
 *  last one set where any of the others is, and is rounded once. This holds if no product is below the normal doubles
 *  and no sum beyond the largest float: numbers for which it may not, and infinities and NaN, are left to others.
 *
 *  The file that includes this has included exec/compute/eight.h.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_UPDATE_BRAINS_H
#define TSR_SRC_EXEC_COMPUTE_UPDATE_BRAINS_H

#include "exec/compute/update.h"

enum { BRAINS = 32 };

/** The factors, and the magnitudes of bf16 that the loop takes beside 0. */
typedef struct brains {
    __m256d alpha, beta;
    __m256i below, most; /* patterns: those up to `below` are not taken, and none above `most` */
    bool take;           /* some are taken */
} brains;

/** e, where a power of two not above |x| is 2^e, as a double holds it: -1023 for 0 and the numbers below the normal
 *  ones, 1024 for infinity and NaN. */
static inline int64_t exponent_of(double x) { return (int64_t)(tsr_double_bits_(x) >> 52 & 2047) - 1023; }

static inline brains brains_of(tsr_update const *u)
{
    brains r;
    double const alpha = tsr_number_to_double(u->alpha), beta = tsr_number_to_double(u->beta);
    int64_t const a = exponent_of(alpha), b = tsr_update_reads_(u) ? exponent_of(beta) : a;
    int64_t const least = tsr_max64(1 - tsr_min64(a, b), 1);    /* of exponents: products are at least 2^-126 */
    int64_t const most = tsr_min64(252 - tsr_max64(a, b), 254); /* both are below 2^127 */
    r.take = least <= most;
    r.alpha = _mm256_set1_pd(alpha);
    r.beta = _mm256_set1_pd(beta);
    r.below = _mm256_set1_epi16((short)(r.take ? (least << 7) - 1 : 0));
    r.most = _mm256_set1_epi16((short)(r.take ? most << 7 | 0x7f : 0));
    return r;
}

/** Whether all of n vectors hold what the loop takes. */
INLINED bool takes_brains(brains const *k, __m256i const *v, int const n)
{
    __m256i most = _mm256_setzero_si256(), least = _mm256_set1_epi16(-1);
    TSR_UNROLL
    for (int i = 0; i < n; ++i) {
        __m256i const size = _mm256_and_si256(v[i], _mm256_set1_epi16(0x7fff));
        most = _mm256_max_epi16(most, size);
        least = _mm256_min_epu16(least, _mm256_add_epi16(size, _mm256_set1_epi16(-1))); /* of 0 the greatest */
    }
    __m256i const beyond = _mm256_or_si256(_mm256_subs_epu16(k->below, least), _mm256_subs_epu16(most, k->most));
    return _mm256_testz_si256(beyond, beyond) != 0;
}

/** Sixteen bf16 as doubles: of lane by lane 0 and 2, 1 and 3, 4 and 6, 5 and 7. */
INLINED void load_brains(__m256d *r, __m256i x)
{
    __m256i const none = _mm256_setzero_si256(), low = _mm256_slli_epi16(x, 13);
    __m256i const high = _mm256_and_si256(_mm256_srai_epi16(x, 3), _mm256_set1_epi16((short)0x8fff));
    __m256i const first = _mm256_unpacklo_epi16(low, high), last = _mm256_unpackhi_epi16(low, high);
    r[0] = _mm256_castsi256_pd(_mm256_slli_epi64(first, 32));
    r[1] = _mm256_castsi256_pd(_mm256_blend_epi32(first, none, 0x55));
    r[2] = _mm256_castsi256_pd(_mm256_slli_epi64(last, 32));
    r[3] = _mm256_castsi256_pd(_mm256_blend_epi32(last, none, 0x55));
}

/** The upper halves of eight doubles, the last bit set where any of the lower half is: of lane by lane those of a, then
 *  those of b. */
INLINED __m256i upper_halves(__m256d a, __m256d b)
{
    __m256 const x = _mm256_castpd_ps(a), y = _mm256_castpd_ps(b);
    __m256i const low = _mm256_castps_si256(_mm256_shuffle_ps(x, y, 0x88));
    return _mm256_or_si256(_mm256_castps_si256(_mm256_shuffle_ps(x, y, 0xdd)), _mm256_min_epu32(low, ints(1)));
}

/** To the nearest bf16 without its sign, ties to even. */
INLINED __m256i nearest_brain(__m256i upper)
{
    __m256i const size = _mm256_and_si256(upper, ints(0x7fffffff));
    __m256i const odd = _mm256_and_si256(_mm256_srli_epi32(size, 13), ints(1));
    return _mm256_srli_epi32(_mm256_add_epi32(_mm256_add_epi32(size, ints(0xfff)), odd), 13);
}

/** Sixteen sums, from doubles as load_brains gives them. */
INLINED __m256i store_brains(__m256d const *sum)
{
    __m256i const first = upper_halves(sum[0], sum[1]), last = upper_halves(sum[2], sum[3]);
    __m256i const size = _mm256_packus_epi32(nearest_brain(first), nearest_brain(last));
    __m256i const sign = _mm256_and_si256(_mm256_packs_epi32(first, last), _mm256_set1_epi16((short)0x8000));
    __m256i const in_order = _mm256_setr_epi8(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15, 0, 1, 4, 5, 2, 3,
                                              6, 7, 8, 9, 12, 13, 10, 11, 14, 15);
    return _mm256_shuffle_epi8(_mm256_or_si256(size, sign), in_order);
}

INLINED __m256i sum_of_brains(brains const *k, __m256i x, __m256i y, bool const reads)
{
    __m256d sum[4], old[4];
    load_brains(sum, x);
    load_brains(old, y);
    TSR_UNROLL
    for (int i = 0; i < 4; ++i) {
        sum[i] = k->alpha * sum[i];
        if (reads)
            sum[i] = sum[i] + k->beta * old[i];
    }
    return store_brains(sum);
}

/** BRAINS elements, or false: some are not taken, and nothing is done. */
INLINED bool add_brains(brains const *k, unsigned char *to, unsigned char const *from, bool const reads)
{
    __m256i v[4];
    TSR_UNROLL
    for (int i = 0; i < 2; ++i) {
        v[i] = _mm256_loadu_si256((__m256i const *)(void const *)(from + 32 * i));
        v[2 + i] = reads ? _mm256_loadu_si256((__m256i const *)(void const *)(to + 32 * i)) : _mm256_setzero_si256();
    }
    if (!takes_brains(k, v, reads ? 4 : 2))
        return false;
    TSR_UNROLL
    for (int i = 0; i < 2; ++i)
        _mm256_storeu_si256((__m256i *)(void *)(to + 32 * i), sum_of_brains(k, v[i], v[2 + i], reads));
    return true;
}

#endif
