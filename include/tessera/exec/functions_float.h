/** Functions of one float, as exec/functions.h has them of one double.
 *
 *  In products, sums, divisions and square roots of float alone, each rounded by itself, and without branches: loops of
 *  them become vector loops, whose bits are the same whatever the vectors.
 *
 *  Law     sqrt and rcp are the nearest float; exp, log and rsqrt within 1.5 units in the last place, which below the
 *          normal numbers is 2^-149, tanh and sigmoid within 3, silu within 3.5; gelu within 2^-16 of itself or
 *          2^-141, for y in e^-y is rounded, too. What has no real value is NaN.
 *  Source  S. L. Moshier, Cephes, logf.c, for the polynomial of log.
 */
#ifndef TSR_EXEC_FUNCTIONS_FLOAT_H
#define TSR_EXEC_FUNCTIONS_FLOAT_H

#include "tessera/exec/functions_double.h"

/** x, but at most, or at least, a bound; NaN stays. By bits, of which compilers make no branches. */
TSR_REF float tsr_at_most_(float x, float most)
{
    return tsr_bits_float_(tsr_bits_if_(x > most, tsr_float_bits_(most), tsr_float_bits_(x)));
}

TSR_REF float tsr_at_least_(float x, float least)
{
    return tsr_bits_float_(tsr_bits_if_(x < least, tsr_float_bits_(least), tsr_float_bits_(x)));
}

/** The same by one instruction, of what is not NaN. */
TSR_REF float tsr_not_below_110_(float x)
{
    uint32_t const bits = tsr_float_bits_(x), least = 0xc2dc0000;
    return tsr_bits_float_(bits < least ? bits : least); /* of negative floats the least has the greatest bits */
}

/** t - magic, as tsr_rounded_ has it. */
TSR_REF float tsr_rounded_float_(float t, float magic)
{
    return (float)(int32_t)(tsr_float_bits_(t) - tsr_float_bits_(magic));
}

/** |x| < 160 as k ln 2 + r, |r| < 0.35: e^r - 1, off by 2^-28, and 2^k in two factors. */
TSR_REF float tsr_exp_float_terms_(float x, float scale[2])
{
    float const magic = 12582912.0f; /* 1.5 * 2^23: its last bits count ones, and the nine of its half begin at 0 */
    float const t = x * 1.44269504f + magic, k = tsr_rounded_float_(t, magic);
    float const r = (x - k * 0.693359375f) + k * 2.12194440e-4f;
    float p = 0.00138144333616f;
    p = p * r + 0.00836879668139f;
    p = p * r + 0.0416683957916f;
    p = p * r + 0.166665199735f;
    p = p * r + 0.499999934034f;
    uint32_t const up = tsr_float_bits_(t), half = up >> 1;
    scale[0] = tsr_bits_float_((half + 127) << 23);
    scale[1] = tsr_bits_float_((up - half + 127) << 23);
    return p * r * r + r;
}

TSR_REF float tsr_exp_float_(float x)
{
    float scale[2];
    float const b = tsr_at_least_(tsr_at_most_(x, 110.0f), -110.0f); /* infinity, and 0 */
    float const p = tsr_exp_float_terms_(b, scale) + 1.0f;
    return p * scale[0] * scale[1];
}

TSR_REF float tsr_abs_float_(float x) { return tsr_bits_float_(tsr_float_bits_(x) & 0x7fffffff); }

/** Of |x|: (e^2x - 1) / (e^2x + 1), of which nothing cancels near 0. */
TSR_REF float tsr_tanh_float_(float x)
{
    float scale[2];
    float const a = tsr_abs_float_(x), b = tsr_at_most_(a, 10.0f), p = tsr_exp_float_terms_(b + b, scale);
    float const power = scale[0] * scale[1], less = p * power + (power - 1.0f), r = less / (less + 2.0f);
    return tsr_bits_float_(tsr_float_bits_(r) | (tsr_float_bits_(x) ^ tsr_float_bits_(a)));
}

/** x / (1 + e^-y), for y < 0 as x e^y / (1 + e^y), so that no power is infinite. */
TSR_REF float tsr_gated_float_(float x, float y)
{
    float scale[2];
    float const part = (tsr_exp_float_terms_(tsr_at_least_(-tsr_abs_float_(y), -110.0f), scale) + 1.0f) * scale[0];
    float const low = tsr_not_below_110_(x) * part * scale[1], top = y < 0 ? low : x;
    return top / (1.0f + part * scale[1]);
}

TSR_REF float tsr_gelu_float_(float x)
{
    return tsr_gated_float_(x, x * (1.5957691216f + 0.0713548162726f * (x * x)));
}

/** x = 2^k m, m from sqrt(1/2) on: k ln 2 + log m. */
TSR_REF float tsr_log_float_(float x)
{
    float const magic = 12582912.0f, infinity = tsr_bits_float_(0x7f800000);
    bool const tiny = x < 1.17549435e-38f;
    uint32_t const bits = tsr_float_bits_(tiny ? x * 8388608.0f : x);        /* 2^23 */
    uint32_t const up = (bits - 0x3f3504f3 + ((uint32_t)128 << 23)) >> 23; /* k + 128 */
    float const f = tsr_bits_float_(bits - ((up - 128) << 23)) - 1.0f, z = f * f;
    float const k = tsr_rounded_float_(tsr_bits_float_(tsr_float_bits_(magic) + up - 128 - (tiny ? 23 : 0)), magic);
    float p = 7.0376836292e-2f;
    p = p * f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    float const tail = p * f * z - k * 2.12194440e-4f, r = k * 0.693359375f + (f + (tail - 0.5f * z));
    float const bounded = x < infinity ? r : x;
    return x > 0 ? bounded : x == 0 ? -infinity : x != x ? x : tsr_bits_float_(0x7fc00000);
}

/** The double is near enough to round to the nearest: no root of a float is within 2^-50 of the middle of two floats,
 *  for its square would be within 2^-48 of one of 50 bits. */
TSR_REF float tsr_sqrt_float_(float x)
{
#if defined(__NO_MATH_ERRNO__) && (defined(__SSE2__) || defined(__aarch64__)) && !TSR_ON_GPU
    return __builtin_sqrtf(x); /* an instruction */
#else
    return (float)tsr_sqrt_((double)x);
#endif
}

#endif
