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

/* Blocks of one float. Bits and selections of them make no branches. */

TSR_LOCAL_REF float tsr_float_all_f32_(float x) { return x; }

TSR_LOCAL_REF uint32_t tsr_float_bits_of_(float x) { return tsr_float_bits_(x); }

TSR_LOCAL_REF float tsr_float_floats_of_(uint32_t bits) { return tsr_bits_float_(bits); }

TSR_LOCAL_REF float tsr_float_integer_f32_(uint32_t bits) { return (float)(int32_t)bits; }

TSR_LOCAL_REF bool tsr_float_less_(float x, float y) { return x < y; }

TSR_LOCAL_REF bool tsr_float_equal_(float x, float y) { return x == y; }

TSR_LOCAL_REF float tsr_float_select_f32_(bool condition, float x, float y) { return condition ? x : y; }

TSR_LOCAL_REF float tsr_float_at_most_(float x, float most)
{
    int32_t const bits = (int32_t)tsr_float_bits_(x), bound = (int32_t)tsr_float_bits_(most);
    return tsr_bits_float_((uint32_t)(bits < bound ? bits : bound));
}

TSR_LOCAL_REF float tsr_float_at_least_(float x, float least)
{
    uint32_t const bits = tsr_float_bits_(x), bound = tsr_float_bits_(least);
    return tsr_bits_float_(bits < bound ? bits : bound);
}

/** By bits, as tsr_rounded_ has it. */
TSR_LOCAL_REF float tsr_float_split_(float t, float magic, uint32_t *power)
{
    *power = tsr_float_bits_(t) << 23;
    return (float)(int32_t)(tsr_float_bits_(t) - tsr_float_bits_(magic));
}

/** p 2^(k - 64) 2^64, or p 2^(k + 64) 2^-64 for x < 0. */
TSR_LOCAL_REF float tsr_float_scaled_(float p, uint32_t power, float x)
{
    uint32_t const below = 0 - (tsr_float_bits_(x) >> 31), rest = ((127u + 64) << 23) - (below & 128u << 23);
    return p * tsr_bits_float_(power - rest) * tsr_bits_float_(rest);
}

TSR_LOCAL_REF float tsr_float_raised_(float p, uint32_t power, int more)
{
    (void)more;
    return p * tsr_bits_float_(power);
}

#define TSR_P_(name) tsr_float_##name##_
#define TSR_P_FN_ TSR_LOCAL_REF
#define TSR_P_BLOCK_ 1
#define TSR_P_EACH_ for (int i = 0; i < 1; ++i)
#define TSR_P_F32_ float
#define TSR_P_U32_ uint32_t
#define TSR_P_MASK_ bool
#define TSR_P_POWER_ uint32_t
#include "exec/compute/functions_list.h"
#undef TSR_P_
#undef TSR_P_FN_
#undef TSR_P_BLOCK_
#undef TSR_P_EACH_
#undef TSR_P_F32_
#undef TSR_P_U32_
#undef TSR_P_MASK_
#undef TSR_P_POWER_

/* The functions of exec/functions.h. */

TSR_LOCAL_REF float tsr_abs_float_(float x) { return tsr_bits_float_(tsr_float_bits_(x) & 0x7fffffff); }

TSR_LOCAL_REF float tsr_exp_float_(float x) { return tsr_float_exp_f32_(&x), x; }

TSR_LOCAL_REF float tsr_tanh_float_(float x) { return tsr_float_tanh_f32_(&x), x; }

TSR_LOCAL_REF float tsr_gated_float_(float x, float y) { return tsr_float_gated_f32_(&x, &y), x; }

TSR_LOCAL_REF float tsr_gelu_float_(float x) { return tsr_float_gelu_f32_(&x), x; }

TSR_LOCAL_REF float tsr_log_float_(float x) { return tsr_float_log_f32_(x); }

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
