/** Functions of one double: the bits of exec/functions.h in products, sums and divisions alone, each rounded by itself.
 *
 *  Law     exp, log, sqrt, rcp are within 1.5 units in the last place, rsqrt, tanh, sigmoid and silu within 4, gelu
 *          within 2^-41 of itself; a result below 2^-1000 may be 0. What has no real value is NaN.
 */
#ifndef TSR_EXEC_FUNCTIONS_DOUBLE_H
#define TSR_EXEC_FUNCTIONS_DOUBLE_H

#include "tessera/exec/patterns.h"

/** t - magic, a whole number, by bits: a compiler that may reorder sums (-ffast-math, -fassociative-math) would cancel
 *  magic where t was made. */
TSR_REF double tsr_rounded_(double t, double magic)
{
    return (double)(int32_t)(uint32_t)(tsr_double_bits_(t) - tsr_double_bits_(magic));
}

/** x = k ln 2 + r, |r| < 0.35: e^r - 1 by its Taylor polynomial, and 2^k in two factors. */
TSR_REF double tsr_exp_terms_(double x, double scale[2])
{
    double const magic = 6755399441055744.0; /* 1.5 * 2^52: its last bits count ones */
    double const a = x < 1000.0 ? x : 1000.0, b = a > -1000.0 ? a : -1000.0; /* infinity, and 0 */
    double const t = b * 1.4426950408889634 + magic, k = tsr_rounded_(t, magic);
    double const r = (b - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    uint64_t const up = tsr_double_bits_(t) - tsr_double_bits_(magic) + 4096, half = up >> 1; /* k + 4096 */
    scale[0] = tsr_bits_double_((half + 1023 - 2048) << 52);
    scale[1] = tsr_bits_double_((up - half + 1023 - 2048) << 52);
    return p * r * r + r;
}

TSR_REF double tsr_exp_(double x)
{
    double scale[2];
    double const p = (tsr_exp_terms_(x, scale) + 1.0) * scale[0] * scale[1];
    return x != x ? x : p;
}

/** (e^2x - 1) / (e^2x + 1), of which nothing cancels near 0. */
TSR_REF double tsr_tanh_(double x)
{
    double scale[2];
    double const a = x < 22.0 ? x : 22.0, b = a > -22.0 ? a : -22.0; /* 1 and -1 */
    double const p = tsr_exp_terms_(b + b, scale), power = scale[0] * scale[1], less = p * power + (power - 1.0);
    double const r = less / (less + 2.0);
    return x != x ? x : r;
}

/** x / (1 + e^-y). */
TSR_REF double tsr_gated_(double x, double y)
{
    double const r = x / (1.0 + tsr_exp_(-y)), low = y < -800.0 ? 0.0 : r; /* -infinity has one, too */
    return x != x ? x : low;
}

TSR_REF double tsr_gelu_(double x) { return tsr_gated_(x, 1.5957691216057308 * (x + 0.044715 * (x * x * x))); }

/** x = 2^k m, m from sqrt(1/2) on: k ln 2 + log m by the series of 2 artanh((m - 1) / (m + 1)). */
TSR_REF double tsr_log_(double x)
{
    double const magic = 6755399441055744.0, infinity = tsr_bits_double_((uint64_t)0x7ff << 52);
    bool const tiny = x < 2.2250738585072014e-308;
    uint64_t const bits = tsr_double_bits_(tiny ? x * 18014398509481984.0 : x); /* 2^54 */
    uint64_t const up = (bits - 0x3fe6a09e667f3bcd + ((uint64_t)2048 << 52)) >> 52; /* k + 2048 */
    double const f = tsr_bits_double_(bits - ((up - 2048) << 52)) - 1.0;
    double const k = tsr_rounded_(tsr_bits_double_(tsr_double_bits_(magic) + up - 2048 - (tiny ? 54 : 0)), magic);
    double const s = f / (f + 2.0), z = s * s, half = 0.5 * f * f;
    double p = 2.0 / 23.0;
    p = p * z + 2.0 / 21.0;
    p = p * z + 2.0 / 19.0;
    p = p * z + 2.0 / 17.0;
    p = p * z + 2.0 / 15.0;
    p = p * z + 2.0 / 13.0;
    p = p * z + 2.0 / 11.0;
    p = p * z + 2.0 / 9.0;
    p = p * z + 2.0 / 7.0;
    p = p * z + 2.0 / 5.0;
    p = p * z + 2.0 / 3.0;
    double const tail = s * (half + p * z) + k * 1.90821492927058770002e-10;
    double const r = k * 0.693147180369123816490 - ((half - tail) - f);
    double const bounded = x < infinity ? r : x;
    return x > 0 ? bounded : x == 0 ? -infinity : x != x ? x : tsr_nan_();
}

/** 1/sqrt(x) of a normal number by Newton's steps, and sqrt(x) by one more, its square cut in two. */
TSR_REF double tsr_sqrt_(double x)
{
    bool const tiny = x < 2.2250738585072014e-308;
    double const n = tiny ? x * 18014398509481984.0 : x, h = 0.5 * n;
    double y = tsr_bits_double_(0x5fe6eb50c7b537a9 - (tsr_double_bits_(n) >> 1));
    y = y * (1.5 - h * y * y);
    y = y * (1.5 - h * y * y);
    y = y * (1.5 - h * y * y);
    y = y * (1.5 - h * y * y);
    double const s = n * y, cut = s * 134217729.0, high = cut - (cut - s), low = s - high; /* 2^27 + 1 */
    double const rest = ((n - high * high) - 2.0 * high * low) - low * low;
    double const r = s + 0.5 * y * rest, whole = tiny ? r * 7.450580596923828e-9 : r; /* 2^-27 */
    double const bounded = x < tsr_bits_double_((uint64_t)0x7ff << 52) ? whole : x;
    return x > 0 ? bounded : x == 0 || x != x ? x : tsr_nan_();
}

TSR_REF double tsr_abs_(double x) { return tsr_bits_double_(tsr_double_bits_(x) & ~((uint64_t)1 << 63)); }

#endif
