/** Functions of one float, as exec/functions.h has them of one double.
 *
 *  In products, sums, divisions and square roots of float alone, each rounded by itself, and without branches: loops of
 *  them become vector loops, whose bits are the same whatever the vectors.
 *
 *  Law     sqrt and rcp are the nearest float; exp, log and rsqrt within 1.5 units in the last place, which below the
 *          normal numbers is 2^-149, tanh and sigmoid within 3, silu within 3.5; gelu within 2^-16 of itself or
 *          2^-141, for y in e^-y is rounded, too. What has no real value is NaN, one pattern;
 *          of NaN they are any number (exec/compute/update.h makes it NaN again).
 *  Source  S. L. Moshier, Cephes, logf.c, for the polynomial of log.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_FUNCTIONS_FLOAT_H
#define TSR_SRC_EXEC_COMPUTE_FUNCTIONS_FLOAT_H

#include "exec/compute/functions_double.h"

TSR_HEADER_BEGIN

/** x clamped to a non-negative upper bound, or to a lower bound of at most 0. NaN becomes either. Works on bits, so
 *  that compilers emit no branches: floats compare like integers, the negative ones in reverse order. */
TSR_LOCAL_REF float tsr_at_most_(float x, float most)
{
    int32_t const bits = (int32_t)tsr_float_bits_(x), bound = (int32_t)tsr_float_bits_(most);
    return tsr_bits_float_((uint32_t)(bits < bound ? bits : bound));
}

TSR_LOCAL_REF float tsr_at_least_(float x, float least)
{
    uint32_t const bits = tsr_float_bits_(x), bound = tsr_float_bits_(least);
    return tsr_bits_float_(bits < bound ? bits : bound);
}

/** t - magic, as tsr_rounded_ has it. */
TSR_LOCAL_REF float tsr_rounded_float_(float t, float magic)
{
    return (float)(int32_t)(tsr_float_bits_(t) - tsr_float_bits_(magic));
}

/** |x| < 160 as k ln 2 + r, |r| < 0.35: e^r - 1, off by 2^-28. *power is (k + more) 2^23: 2^k in the bits of a float
 *  where more is 127. */
TSR_LOCAL_REF float tsr_exp_float_terms_(float x, uint32_t more, uint32_t *power)
{
    float const magic = tsr_bits_float_(0x4b400000 + more); /* 1.5 * 2^23 + more: its last nine bits count ones */
    float const t = x * 1.44269504f + magic, k = tsr_rounded_float_(t, magic);
    float const r = (x - k * 0.693359375f) + k * 2.12194440e-4f;
    float const r2 = r * r, low = 0.499999934034f + 0.166665199735f * r,
                mid = 0.0416683957916f + 0.00836879668139f * r;
    float const p = low + (mid + 0.00138144333616f * r2) * r2; /* what waits for each other is short */
    *power = tsr_float_bits_(t) << 23;
    return p * r2 + r;
}

/** e^x = p 2^(k - 64) 2^64, or p 2^(k + 64) 2^-64 for x < 0, which is rounded but once. */
TSR_LOCAL_REF float tsr_exp_float_(float x)
{
    uint32_t power = 0;
    float const b = tsr_at_least_(tsr_at_most_(x, 110.0f), -110.0f); /* infinity, and 0 */
    float const p = tsr_exp_float_terms_(b, 254, &power) + 1.0f;
    uint32_t const below = 0 - (tsr_float_bits_(x) >> 31), rest = ((127u + 64) << 23) - (below & 128u << 23);
    return p * tsr_bits_float_(power - rest) * tsr_bits_float_(rest);
}

/** e^x 2^64 of an x that is at most 40. */
TSR_LOCAL_REF float tsr_exp_float_raised_(float x)
{
    uint32_t power = 0;
    float const p = tsr_exp_float_terms_(tsr_at_least_(x, -110.0f), 127 + 64, &power) + 1.0f;
    return p * tsr_bits_float_(power);
}

TSR_LOCAL_REF float tsr_abs_float_(float x) { return tsr_bits_float_(tsr_float_bits_(x) & 0x7fffffff); }

/** Of |x|: (e^2x - 1) / (e^2x + 1), of which nothing cancels near 0. */
TSR_LOCAL_REF float tsr_tanh_float_(float x)
{
    uint32_t bits = 0;
    float const a = tsr_abs_float_(x), b = tsr_at_most_(a, 10.0f), p = tsr_exp_float_terms_(b + b, 127, &bits);
    float const power = tsr_bits_float_(bits), less = p * power + (power - 1.0f), r = less / (less + 2.0f);
    return tsr_bits_float_(tsr_float_bits_(r) | (tsr_float_bits_(x) ^ tsr_float_bits_(a)));
}

/** x / (1 + e^-y), for y < 0 as x e^y / (1 + e^y), so that no power is infinite. */
TSR_LOCAL_REF float tsr_gated_float_(float x, float y)
{
    float const down = 5.42101086242752217e-20f /* 2^-64 */, part = tsr_exp_float_raised_(-tsr_abs_float_(y));
    float const low = tsr_at_least_(x, -110.0f) * part * down, top = y < 0 ? low : x;
    return top / (1.0f + part * down);
}

TSR_LOCAL_REF float tsr_gelu_float_(float x)
{
    return tsr_gated_float_(x, x * (1.5957691216f + 0.0713548162726f * (x * x)));
}

/** x = 2^k m, m from sqrt(1/2) on: k ln 2 + log m. */
TSR_LOCAL_REF float tsr_log_float_(float x)
{
    float const magic = 12582912.0f, infinity = tsr_bits_float_(0x7f800000);
    bool const tiny = x < 1.17549435e-38f;
    uint32_t const bits = tsr_float_bits_(tiny ? x * 8388608.0f : x);      /* 2^23 */
    uint32_t const up = (bits - 0x3f3504f3 + ((uint32_t)128 << 23)) >> 23; /* k + 128 */
    float const f = tsr_bits_float_(bits - ((up - 128) << 23)) - 1.0f, z = f * f;
    float const k = tsr_rounded_float_(tsr_bits_float_(tsr_float_bits_(magic) + up - 128 - (tiny ? 23 : 0)), magic);
    float const a = 3.3333331174e-1f - 2.4999993993e-1f * f, b = 2.0000714765e-1f - 1.6668057665e-1f * f;
    float const c = 1.4249322787e-1f - 1.2420140846e-1f * f, d = 1.1676998740e-1f - 1.1514610310e-1f * f;
    float const p = (a + b * z) + ((c + d * z) + 7.0376836292e-2f * (z * z)) * (z * z);
    float const tail = p * f * z - k * 2.12194440e-4f, r = k * 0.693359375f + (f + (tail - 0.5f * z));
    float const bounded = x < infinity ? r : x;
    return x > 0 ? bounded : x == 0 ? -infinity : x != x ? x : tsr_bits_float_(0x7fc00000);
}

/** The double is near enough to round to the nearest: no root of a float is within 2^-50 of the middle of two floats,
 *  for its square would be within 2^-48 of one of 50 bits. */
TSR_LOCAL_REF float tsr_sqrt_float_(float x)
{
#if defined(__NO_MATH_ERRNO__) && (defined(__SSE2__) || defined(__aarch64__)) && !TSR_ON_GPU
    return tsr_bits_float_(tsr_one_nan_(__builtin_sqrtf(x))); /* an instruction */
#else
    return (float)tsr_sqrt_((double)x);
#endif
}

TSR_HEADER_END

#endif
