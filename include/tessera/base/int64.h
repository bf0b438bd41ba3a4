/** Checked 64-bit arithmetic: functions that return a bool return false, and leave *r alone, when the exact result
 *  does not fit in an int64_t or does not exist. INT64_MIN is outside the range, so negation never fails. */
#ifndef TSR_BASE_INT64_H
#define TSR_BASE_INT64_H

#include "tessera/base/config.h"

TSR_HEADER_BEGIN

#define TSR_INT_MAX 9223372036854775807ll

/** The absolute value, also of the least number. */
TSR_FN uint64_t tsr_abs64(int64_t a) { return a < 0 ? 0u - (uint64_t)a : (uint64_t)a; }

/** The sum. */
TSR_FN bool tsr_add64(int64_t a, int64_t b, int64_t *r)
{
#if TSR_HAS_OVERFLOW
    int64_t v = 0;
    if (__builtin_add_overflow(a, b, &v) || v < -TSR_INT_MAX)
        return false;
    *r = v;
#else
    if (b >= 0 ? a > TSR_INT_MAX - b : a < -TSR_INT_MAX - b)
        return false;
    *r = a + b;
#endif
    return true;
}

/** The product. */
TSR_FN bool tsr_mul64(int64_t a, int64_t b, int64_t *r)
{
#if TSR_HAS_OVERFLOW
    int64_t v = 0;
    if (__builtin_mul_overflow(a, b, &v) || v < -TSR_INT_MAX)
        return false;
    *r = v;
#else
    uint64_t const ua = tsr_abs64(a), ub = tsr_abs64(b);
    if ((ua | ub) >> 31 != 0 && ua != 0 && ub > (uint64_t)TSR_INT_MAX / ua)
        return false;
    *r = a * b;
#endif
    return true;
}

/** The quotient rounded toward zero. */
TSR_FN bool tsr_div64(int64_t a, int64_t b, int64_t *r)
{
    if (b == 0)
        return false;
    *r = a / b;
    return true;
}

/** The least n with n * b >= a, for a positive b. */
TSR_FN int64_t tsr_ceil_div64(int64_t a, int64_t b) { return b == 1 ? a : a / b + (a % b > 0); }

/** The next multiple of b, for a and b that are not negative; the last one where that does not fit. */
TSR_FN int64_t tsr_round_up64(int64_t a, int64_t b)
{
    int64_t const last = a / b * b;
    return last + (last != a && last <= TSR_INT_MAX - b ? b : 0);
}

/** The product, or the greatest number where that is too small. */
TSR_FN int64_t tsr_mul64_most(int64_t a, int64_t b)
{
    int64_t n = TSR_INT_MAX;
    return tsr_mul64(a, b, &n) ? n : TSR_INT_MAX;
}

/** The greatest common divisor. */
TSR_FN int64_t tsr_gcd64(int64_t a, int64_t b)
{
    while (a != 0) {
        int64_t const t = b % a;
        b = a;
        a = t;
    }
    return b;
}

/** The smaller one. */
TSR_FN int64_t tsr_min64(int64_t a, int64_t b) { return a < b ? a : b; }

/** The larger one. */
TSR_FN int64_t tsr_max64(int64_t a, int64_t b) { return a < b ? b : a; }

/** Is a one of 1, 2, 4, ..? */
TSR_FN bool tsr_is_pow2(int64_t a) { return a > 0 && (a & (a - 1)) == 0; }

/** The number of bits needed to write a: 0 for 0, 4 for 8. */
TSR_FN int tsr_bit_width(uint64_t a)
{
    int n = 0;
    for (; a != 0; a >>= 1)
        ++n;
    return n;
}

/** The number of bits that are 1. */
TSR_FN int tsr_popcount(uint64_t a)
{
    int n = 0;
    for (; a != 0; a &= a - 1)
        ++n;
    return n;
}

TSR_HEADER_END

#endif
