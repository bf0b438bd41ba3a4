/** Functions of one double: the bits of exec/functions.h in products, sums and divisions alone, each rounded by itself.
 *
 *  Law     exp, log, sqrt, rcp are within 1.5 units in the last place, rsqrt, tanh, sigmoid and silu within 4, gelu
 *          within 2^-41 of itself; a result below 2^-1000 may be 0. What has no real value is NaN.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_FUNCTIONS_DOUBLE_H
#define TSR_SRC_EXEC_COMPUTE_FUNCTIONS_DOUBLE_H

#include "exec/compute/patterns.h"

TSR_HEADER_BEGIN

/** t - magic, a whole number, by bits: a compiler that may reorder sums (-ffast-math, -fassociative-math) would cancel
 *  magic where t was made. */
TSR_LOCAL_REF double tsr_rounded_(double t, double magic)
{
    return (double)(int32_t)(uint32_t)(tsr_double_bits_(t) - tsr_double_bits_(magic));
}

/** The sum of c[i] x^i for twelve c, by pairs, fours and eights: what waits for each other is short. */
TSR_LOCAL_REF double tsr_polynomial_(double x, double const c[12])
{
    double const x2 = x * x, x4 = x2 * x2;
    double const low = (c[0] + c[1] * x) + (c[2] + c[3] * x) * x2, mid = (c[4] + c[5] * x) + (c[6] + c[7] * x) * x2;
    double const high = (c[8] + c[9] * x) + (c[10] + c[11] * x) * x2;
    return (low + mid * x4) + high * (x4 * x4);
}

/** |x| < 1024 as k ln 2 + r, |r| < 0.35: e^r - 1 by its Taylor polynomial. *power is (k + more) 2^52, modulo 2^64: 2^k
 *  in the bits of a double where more is 1023. */
TSR_LOCAL_REF double tsr_exp_terms_(double x, uint64_t more, uint64_t *power)
{
    double const c[12] = {
        0.5,           1.0 / 6.0,      1.0 / 24.0,      1.0 / 120.0,      1.0 / 720.0,       1.0 / 5040.0,
        1.0 / 40320.0, 1.0 / 362880.0, 1.0 / 3628800.0, 1.0 / 39916800.0, 1.0 / 479001600.0, 1.0 / 6227020800.0};
    double const magic =
        tsr_bits_double_(0x4338000000000000 + more); /* 1.5 * 2^52 + more: its last bits count ones */
    double const t = x * 1.4426950408889634 + magic, k = tsr_rounded_(t, magic);
    double const r = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
    *power = tsr_double_bits_(t) << 52;
    return tsr_polynomial_(r, c) * (r * r) + r;
}

/** x clamped to a bound from above or below. NaN becomes one of the bounds. Works on bits, so that compilers emit no
 *  branches. */
TSR_LOCAL_REF double tsr_between_(double x, double least, double most)
{
    uint64_t const below = 0 - (uint64_t)(x > least), above = 0 - (uint64_t)(x < most);
    uint64_t const low = tsr_double_bits_(least), high = tsr_double_bits_(most);
    uint64_t const bits = low ^ ((low ^ tsr_double_bits_(x)) & below);
    return tsr_bits_double_(high ^ ((high ^ bits) & above));
}

/** e^x = p 2^(k - 512) 2^512, or p 2^(k + 512) 2^-512 for x < 0. */
TSR_LOCAL_REF double tsr_exp_(double x)
{
    uint64_t power = 0;
    double const p = tsr_exp_terms_(tsr_between_(x, -1000.0, 1000.0), 2046, &power) + 1.0; /* 0, and infinity */
    uint64_t const below = 0 - (tsr_double_bits_(x) >> 63), most = (uint64_t)(1023 + 512) << 52;
    uint64_t const rest = most - (below & (uint64_t)1024 << 52);
    double const r = p * tsr_bits_double_(power - rest) * tsr_bits_double_(rest);
    return x != x ? x : r;
}

/** (e^2x - 1) / (e^2x + 1), of which nothing cancels near 0. */
TSR_LOCAL_REF double tsr_tanh_(double x)
{
    uint64_t bits = 0;
    double const b = tsr_between_(x, -22.0, 22.0); /* -1 and 1 */
    double const p = tsr_exp_terms_(b + b, 1023, &bits), power = tsr_bits_double_(bits);
    double const less = p * power + (power - 1.0), r = less / (less + 2.0);
    return x != x ? x : r;
}

/** x / (1 + e^-y). */
TSR_LOCAL_REF double tsr_gated_(double x, double y)
{
    double const r = x / (1.0 + tsr_exp_(-y)), low = y < -800.0 ? 0.0 : r; /* -infinity has one, too */
    return x != x ? x : low;
}

TSR_LOCAL_REF double tsr_gelu_(double x) { return tsr_gated_(x, 1.5957691216057308 * (x + 0.044715 * (x * x * x))); }

/** x = 2^k m, m from sqrt(1/2) on: k ln 2 + log m by the series of 2 artanh((m - 1) / (m + 1)). */
TSR_LOCAL_REF double tsr_log_(double x)
{
    double const c[12] = {2.0 / 3.0,  2.0 / 5.0,  2.0 / 7.0,  2.0 / 9.0,  2.0 / 11.0, 2.0 / 13.0,
                          2.0 / 15.0, 2.0 / 17.0, 2.0 / 19.0, 2.0 / 21.0, 2.0 / 23.0, 2.0 / 25.0};
    double const magic = 6755399441055744.0, infinity = tsr_bits_double_((uint64_t)0x7ff << 52);
    bool const tiny = x < 2.2250738585072014e-308;
    uint64_t const bits = tsr_double_bits_(tiny ? x * 18014398509481984.0 : x);     /* 2^54 */
    uint64_t const up = (bits - 0x3fe6a09e667f3bcd + ((uint64_t)2048 << 52)) >> 52; /* k + 2048 */
    double const f = tsr_bits_double_(bits - ((up - 2048) << 52)) - 1.0;
    double const k = tsr_rounded_(tsr_bits_double_(tsr_double_bits_(magic) + up - 2048 - (tiny ? 54 : 0)), magic);
    double const s = f / (f + 2.0), z = s * s, half = 0.5 * f * f;
    double const tail = s * (half + tsr_polynomial_(z, c) * z) + k * 1.90821492927058770002e-10;
    double const r = k * 0.693147180369123816490 - ((half - tail) - f);
    double const bounded = x < infinity ? r : x;
    return x > 0 ? bounded : x == 0 ? -infinity : x != x ? x : tsr_nan_();
}

/** 1/sqrt(x) of a normal number by Newton's steps, and sqrt(x) by one more, its square cut in two. */
TSR_LOCAL_REF double tsr_sqrt_(double x)
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

TSR_LOCAL_REF double tsr_abs_(double x) { return tsr_bits_double_(tsr_double_bits_(x) & ~((uint64_t)1 << 63)); }

TSR_HEADER_END

#endif
