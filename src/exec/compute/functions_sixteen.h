/* functions_float.h of four times sixteen floats by AVX-512: the same products and sums, but that a power of two is
 * multiplied by with one instruction, which rounds once. Each step is one of all four, for what waits for each other
 * is long: one alone fills half of the machine. */

enum { FOUR = 4, MANY = 16 * FOUR };
#define EACH TSR_UNROLL for (int i = 0; i < FOUR; ++i)

SIXTEEN __m512 all(float x) { return _mm512_set1_ps(x); }

/** tsr_at_most_, tsr_at_least_. */
SIXTEEN __m512 at_most(__m512 x, float most) { return floats_of(_mm512_min_epi32(bits_of(x), bits_of(all(most)))); }

SIXTEEN __m512 at_least(__m512 x, float least)
{
    return floats_of(_mm512_min_epu32(bits_of(x), bits_of(all(least))));
}

SIXTEEN __m512 magnitude(__m512 x) { return floats_of(_mm512_and_si512(bits_of(x), ints(0x7fffffff))); }

/** tsr_exp_float_terms_: e^x = (p + 1) 2^k. */
SIXTEEN void powers(__m512 const *x, uint32_t const more, __m512 *p, __m512 *k)
{
    __m512 const magic = floats_of(ints(0x4b400000 + more));
    __m512 r[FOUR], r2[FOUR];
    EACH k[i] = x[i] * all(1.44269504f) + magic;
    EACH k[i] = k[i] - magic;
    EACH r[i] = x[i] - k[i] * all(0.693359375f);
    EACH r[i] = r[i] + k[i] * all(2.12194440e-4f);
    EACH r2[i] = r[i] * r[i];
    EACH p[i] = all(0.0416683957916f) + all(0.00836879668139f) * r[i];
    EACH p[i] = p[i] + all(0.00138144333616f) * r2[i];
    EACH p[i] = (all(0.499999934034f) + all(0.166665199735f) * r[i]) + p[i] * r2[i];
    EACH p[i] = p[i] * r2[i] + r[i];
}

/** tsr_exp_float_. */
SIXTEEN void exp_of(__m512 *x)
{
    __m512 p[FOUR], k[FOUR];
    EACH x[i] = at_least(at_most(x[i], 110.0f), -110.0f);
    powers(x, 254, p, k);
    EACH x[i] = _mm512_scalef_ps(p[i] + all(1), k[i]);
}

SIXTEEN void tanh_of(__m512 *x)
{
    __m512 p[FOUR], k[FOUR], y[FOUR];
    EACH y[i] = at_most(magnitude(x[i]), 10.0f);
    EACH y[i] = y[i] + y[i];
    powers(y, 127, p, k);
    EACH k[i] = _mm512_scalef_ps(all(1), k[i]);
    EACH p[i] = p[i] * k[i] + (k[i] - all(1));
    EACH p[i] = p[i] / (p[i] + all(2));
    EACH x[i] = floats_of(_mm512_or_si512(bits_of(p[i]), _mm512_andnot_si512(ints(0x7fffffff), bits_of(x[i]))));
}

/** tsr_gated_float_: e^-|y| 2^64, and e^-|y|. */
SIXTEEN void gated(__m512 *x, __m512 *y)
{
    __m512 const down = all(5.42101086242752217e-20f);
    __m512 p[FOUR], k[FOUR];
    __mmask16 below[FOUR];
    EACH below[i] = _mm512_cmp_ps_mask(y[i], all(0), _CMP_LT_OQ);
    EACH y[i] = at_least(floats_of(_mm512_or_si512(bits_of(y[i]), ints(0x80000000))), -110.0f);
    powers(y, 127 + 64, p, k);
    EACH p[i] = _mm512_scalef_ps(p[i] + all(1), k[i] + all(64));
    EACH x[i] = _mm512_mask_mov_ps(x[i], below[i], at_least(x[i], -110.0f) * p[i] * down);
    EACH x[i] = x[i] / (all(1) + p[i] * down);
}

SIXTEEN void sigmoid_of(__m512 *x)
{
    __m512 one[FOUR];
    EACH one[i] = all(1);
    gated(one, x);
    EACH x[i] = one[i];
}

SIXTEEN void silu_of(__m512 *x)
{
    __m512 y[FOUR];
    EACH y[i] = x[i];
    gated(x, y);
}

SIXTEEN void gelu_of(__m512 *x)
{
    __m512 y[FOUR];
    EACH y[i] = all(1.5957691216f) + all(0.0713548162726f) * (x[i] * x[i]);
    EACH y[i] = x[i] * y[i];
    gated(x, y);
}

SIXTEEN __m512 log_sixteen(__m512 x)
{
    __mmask16 const tiny = _mm512_cmp_ps_mask(x, all(1.17549435e-38f), _CMP_LT_OQ);
    __m512i const bits = bits_of(_mm512_mask_mul_ps(x, tiny, x, all(8388608.0f)));
    __m512i const raised = _mm512_add_epi32(_mm512_sub_epi32(bits, ints(0x3f3504f3)), ints((uint32_t)128 << 23));
    __m512i const power = _mm512_sub_epi32(_mm512_srli_epi32(raised, 23), ints(128));
    __m512 const f = floats_of(_mm512_sub_epi32(bits, _mm512_slli_epi32(power, 23))) - all(1), z = f * f;
    __m512 const k = _mm512_cvtepi32_ps(_mm512_mask_sub_epi32(power, tiny, power, ints(23)));
    __m512 const a = all(3.3333331174e-1f) - all(2.4999993993e-1f) * f;
    __m512 const b = all(2.0000714765e-1f) - all(1.6668057665e-1f) * f;
    __m512 const c = all(1.4249322787e-1f) - all(1.2420140846e-1f) * f;
    __m512 const d = all(1.1676998740e-1f) - all(1.1514610310e-1f) * f;
    __m512 const p = (a + b * z) + ((c + d * z) + all(7.0376836292e-2f) * (z * z)) * (z * z);
    __m512 const tail = p * f * z - k * all(2.12194440e-4f);
    __m512 const r = k * all(0.693359375f) + (f + (tail - all(0.5f) * z)), infinity = floats_of(ints(0x7f800000));
    __m512 const bounded = _mm512_mask_mov_ps(x, _mm512_cmp_ps_mask(x, infinity, _CMP_LT_OQ), r);
    __m512 const of_less = _mm512_mask_mov_ps(floats_of(ints(0x7fc00000)), _mm512_cmp_ps_mask(x, all(0), _CMP_EQ_OQ),
                                              floats_of(ints(0xff800000)));
    return _mm512_mask_mov_ps(of_less, _mm512_cmp_ps_mask(x, all(0), _CMP_GT_OQ), bounded);
}

/* clang-format off */
/** X(id, what makes f(x) of the floats x): TSR_FUNCTION_LIST but for what exec/compute/update_own.h makes. NaN may
 *  become any number. */
#define MANY_LIST(X)                                        \
    X(SQUARE, EACH x[i] = x[i] * x[i])                      \
    X(EXP, exp_of(x))                                       \
    X(LOG, EACH x[i] = log_sixteen(x[i]))                   \
    X(SQRT, EACH x[i] = _mm512_sqrt_ps(x[i]))               \
    X(RSQRT, EACH x[i] = all(1) / _mm512_sqrt_ps(x[i]))     \
    X(RCP, EACH x[i] = all(1) / x[i])                       \
    X(TANH, tanh_of(x))                                     \
    X(SIGMOID, sigmoid_of(x))                               \
    X(SILU, silu_of(x))                                     \
    X(GELU, gelu_of(x))
/* clang-format on */
