/** Patterns: the bits of floats of at most 32 bits, from and to those of float, without branches.
 *
 *  Law     tsr_pattern_to_float_ gives the float of a pattern, NaN as one; tsr_float_to_pattern_ the nearest
 *          pattern, ties to even. Behind tsr_float_odd_ it rounds a double once.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_PATTERNS_H
#define TSR_SRC_EXEC_COMPUTE_PATTERNS_H

#include "tessera/base/memory.h"

TSR_HEADER_BEGIN

TSR_LOCAL_MEMORY float tsr_bits_float_(uint32_t bits)
{
    float r = 0;
    TSR_COPY(&r, &bits, sizeof r);
    return r;
}

TSR_LOCAL_MEMORY uint32_t tsr_float_bits_(float x)
{
    uint32_t r = 0;
    TSR_COPY(&r, &x, sizeof r);
    return r;
}

/** What a format's patterns mean: those above `nan` are NaN, `infinity` is; what lies beyond `largest` becomes
 *  `beyond`. Patterns stand `low` bits high in their element, `shift` bits lower than those of float. */
typedef struct tsr_patterns_ {
    uint32_t magnitude, infinity, nan, minus_zero, largest, beyond, made_nan, least, low, shift, half, one, rebias,
        sign;
    float up, down; /* 2^(127 - bias); what makes an integer of a number that is below the normal ones */
} tsr_patterns_;

TSR_LOCAL_REF tsr_patterns_ tsr_patterns_of_(tsr_float_format f, int bits)
{
    tsr_patterns_ r = TSR_ZERO;
    uint32_t const none = 0xffffffff, top = (1u << (f.exponent + f.mantissa)) - (1u << f.mantissa);
    bool const ieee = f.special == TSR_IEEE, shorter = f.mantissa < 23, normal = f.bias == 127;
    r.magnitude = (1u << (f.exponent + f.mantissa)) - 1;
    r.largest = (uint32_t)tsr_largest_(f);
    r.beyond = r.largest + ieee;
    r.infinity = ieee ? top : none;
    r.nan = ieee ? top : f.special == TSR_ONE_NAN ? r.magnitude - 1 : r.magnitude;
    r.minus_zero = f.special == TSR_ZERO_NAN ? r.magnitude + 1 : none;
    r.made_nan = ieee                        ? top + (1u << (f.mantissa - 1))
                 : f.special == TSR_ZERO_NAN ? r.minus_zero
                 : f.special == TSR_FINITE   ? r.largest
                                             : r.magnitude;
    r.low = (uint32_t)(bits - f.exponent - f.mantissa - 1);
    r.sign = (uint32_t)(31 - f.exponent - f.mantissa);
    r.shift = (uint32_t)(23 - f.mantissa);
    r.half = shorter ? (1u << (r.shift - 1)) - 1 : 0;
    r.one = shorter;
    r.rebias = (uint32_t)(127 - f.bias) << f.mantissa;
    r.least = normal ? 0 : (uint32_t)(128 - f.bias) << 23;
    r.up = (float)tsr_exp2_(127 - f.bias);
    r.down = normal ? 0 : (float)tsr_exp2_(f.bias - 1 + f.mantissa);
    return r;
}

/** a where the condition holds, else b: without a branch, so that loops become vector loops. Compilers make one of a
 *  choice behind a comparison only where that may not trap, which TSR_NO_TRAPS says. */
TSR_LOCAL_REF uint32_t tsr_bits_if_(bool condition, uint32_t a, uint32_t b)
{
#if defined(TSR_NO_TRAPS)
    return condition ? a : b;
#else
    return b ^ ((a ^ b) & (0u - (uint32_t)condition));
#endif
}

TSR_LOCAL_REF uint32_t tsr_pattern_to_float_(tsr_patterns_ const *f, uint32_t bits)
{
    uint32_t const pattern = bits >> f->low, magnitude = pattern & f->magnitude;
    uint32_t r = tsr_float_bits_(tsr_bits_float_(magnitude << f->shift) * f->up);
    r = tsr_bits_if_(magnitude == f->infinity, 0x7f800000, r) | (pattern ^ magnitude) << f->sign;
    return tsr_bits_if_((magnitude > f->nan) | (pattern == f->minus_zero), 0x7fc00000, r);
}

/** The nearest pattern, ties to even: by carries where the result is a normal number, else by an addition. */
TSR_LOCAL_REF uint32_t tsr_float_to_pattern_(tsr_patterns_ const *f, uint32_t bits)
{
    uint32_t const a = bits & 0x7fffffff;
    uint32_t const little = tsr_float_bits_(tsr_bits_float_(a) * f->down + 8388608.0f) - 0x4b000000;
    uint32_t const large = ((a + f->half + (a >> f->shift & f->one)) >> f->shift) - f->rebias;
    bool const carries = f->least == 0 && f->infinity == f->beyond; /* the largest float becomes infinity by itself */
    uint32_t r = tsr_bits_if_(a < f->least, little, large);
    r = (!carries && r > f->largest ? f->beyond : r) | (bits ^ a) >> f->sign;
    r = f->minus_zero <= f->made_nan && r == f->minus_zero ? 0 : r;
    return tsr_bits_if_(a > 0x7f800000, f->made_nan, r) << f->low;
}

/** A float that, rounded once more to any shorter format, is as the double rounded once: the double without its last
 *  40 bits, the last one that is left set where these were not all 0. Of what is left, 12 bits behind the first,
 *  shorter formats have 10 at most, so that halves of their last ones are told from what is near. A float has room for
 *  it. Below its normal numbers, 2^-126, it has not from 2^-137 down, but there the nearest number of every shorter
 *  format is 0. */
TSR_LOCAL_REF float tsr_float_odd_(double x)
{
    uint64_t const rest = ((uint64_t)1 << 40) - 1, bits = tsr_double_bits_(x);
    return (float)tsr_bits_double_((bits | ((bits & rest) + rest)) & ~rest);
}

/** NaN as one pattern. */
TSR_LOCAL_REF uint32_t tsr_one_nan_(float x) { return tsr_bits_if_(x != x, 0x7fc00000, tsr_float_bits_(x)); }

/** The same in steps that no compiler makes a branch of, where the float is converted next. */
TSR_LOCAL_REF uint32_t tsr_one_nan_bits_(uint32_t x)
{
    return x ^ ((x ^ 0x7fc00000) & (0u - (uint32_t)((x & 0x7fffffff) > 0x7f800000)));
}

TSR_LOCAL_REF double tsr_one_nan_double_(double x) { return x != x ? tsr_nan_() : x; }

/** The same of a bf16: sixteen bits are all that a loop has to look at. */
TSR_LOCAL_REF uint16_t tsr_one_nan_bf16_(uint16_t x)
{
    uint16_t const is_nan = (uint16_t)(0 - ((x & 0x7fff) > 0x7f80));
    return (uint16_t)(x ^ ((x ^ 0x7fc0) & is_nan));
}

/** The bits of a float to those of the nearest bf16, ties to even, and back. */
TSR_LOCAL_REF uint32_t tsr_bf16_of_(uint32_t x)
{
    return tsr_bits_if_((x & 0x7fffffff) > 0x7f800000, 0x7fc0, (x + 0x7fff + (x >> 16 & 1)) >> 16);
}

TSR_LOCAL_REF float tsr_of_bf16_(uint16_t x) { return tsr_bits_float_((uint32_t)x << 16); }

/** A number kept in [least, most], 0 for NaN: in steps that are one instruction each. */
TSR_LOCAL_REF float tsr_within_(float x, float least, float most)
{
    x = x == x ? x : 0;
    x = x < least ? least : x;
    return x > most ? most : x;
}

TSR_LOCAL_REF double tsr_double_within_(double x, double least, double most)
{
    x = x == x ? x : 0;
    x = x < least ? least : x;
    return x > most ? most : x;
}

/** Cut to an integer of 32 bits, the greatest of which is no float. */
TSR_LOCAL_REF uint32_t tsr_int_of_(float x)
{
    float const beyond = 2147483648.0f, below = 2147483520.0f;
    return tsr_bits_if_(x >= beyond, 0x7fffffff, (uint32_t)(int32_t)tsr_within_(x, -beyond, below));
}

/** An integer of 64 bits as an integer that a double holds: beyond 2^53 its last bits are cut, and an odd one set,
 *  so that a float is rounded once. */
TSR_LOCAL_REF uint64_t tsr_int_odd_(uint64_t x, bool is_signed)
{
    uint64_t const most = (uint64_t)1 << 53, low = x & 2047;
    bool const outside = is_signed ? x + most > 2 * most : x > most;
    return outside ? (x - low) | (uint64_t)(low != 0) << 11 : x;
}

TSR_HEADER_END

#endif
