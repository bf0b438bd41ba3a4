/** What becomes of two items of tsr_gpu_combine (combine_form.h): alpha * x op beta * y, or alpha * x where y is not
 *  read, as an item of the destination.
 *
 *  Floats compute where that rounds once. A sum, a product or a quotient of two floats is rounded to a float once. Of
 *  numbers that the type of the destination holds, of at most 11 bits, a float holds the product, and a sum or a
 *  quotient that is rounded twice is as one that is rounded once (exec/compute/update_direct.h): a quotient that is no
 *  number of 12 bits is at least 2^-23 of itself away from one. A float does not hold a product or a quotient below
 *  2^-126 of two bf16: it is computed in double.
 *
 *  Law     the bits of a computation in double that is rounded once; of integers modulo 2^64. NaN is one pattern.
 */
#ifndef TSR_SRC_GPU_KERNELS_COMBINE_VALUE_H
#define TSR_SRC_GPU_KERNELS_COMBINE_VALUE_H

#include "gpu/kernels/combine_form.h"
#include "gpu/kernels/relayout_value.h"

TSR_HEADER_BEGIN

/** a op b. */
TSR_LOCAL_REF float tsr_combine_floats_(int op, float a, float b)
{
    switch (op) {
#define TSR_X_(id, name, real, number) \
case TSR_COMBINE_##id:                 \
  return real;
        TSR_COMBINER_LIST(TSR_X_)
#undef TSR_X_
    default:
        return 0;
    }
}

TSR_LOCAL_REF tsr_number tsr_combine_numbers_(int op, tsr_number a, tsr_number b)
{
    switch (op) {
#define TSR_X_(id, name, real, number) \
case TSR_COMBINE_##id:                 \
  return number;
        TSR_COMBINER_LIST(TSR_X_)
#undef TSR_X_
    default:
        return a;
    }
}

/** The float of an item of a type that passes through float, times 1 or -1; or a number that is a float. */
TSR_LOCAL_REF float tsr_combine_float_(TSR_FORM_(tsr_combine_form), tsr_combination const *r,
                                       tsr_relayout_value const *item, int source)
{
    tsr_form_ const form = tsr_form_of_(f.type[source]);
    float const number = (float)(source == 0 ? r->alpha.re : r->beta.re);
    if (f.way[source] == TSR_COMBINE_NUMBER)
        return number;
    float const x =
        form.type == TSR_F32 ? tsr_bits_float_(item->word[0]) : tsr_relayout_to_float_(&form, f.fp8, item->word[0]);
    return (source == 0 ? f.alpha : f.beta) != 0 ? number * x : x;
}

/** In floats. */
TSR_LOCAL_REF uint32_t tsr_combine_single_(TSR_FORM_(tsr_combine_form), tsr_combination const *r,
                                           tsr_relayout_value const *x, tsr_relayout_value const *y)
{
    tsr_form_ const to = tsr_form_of_(f.type[2]);
    bool const both = f.way[1] != TSR_COMBINE_NOTHING;
    float const a = tsr_combine_float_(f, r, x, 0), b = both ? tsr_combine_float_(f, r, y, 1) : 0;
    float z = both ? tsr_combine_floats_(f.op, a, b) : a;
    if (to.type == TSR_F32)
        return tsr_one_nan_(z);
    bool const scales = f.op == TSR_COMBINE_PRODUCT || f.op == TSR_COMBINE_QUOTIENT;
    if (scales && tsr_float_format_of(f.type[2]).exponent == 8) {
        uint32_t const least = 0x00800000, size = tsr_float_bits_(z) & 0x7fffffff;
        if (size < least)
            z = tsr_float_odd_(f.op == TSR_COMBINE_PRODUCT ? (double)a * (double)b : (double)a / (double)b);
    }
    return tsr_relayout_from_float_(&to, f.fp8, z);
}

/** The number of an item, in what is computed in. */
TSR_LOCAL_REF tsr_number tsr_combine_number_(TSR_FORM_(tsr_combine_form), tsr_relayout_value const *x, int source)
{
    tsr_form_ const form = tsr_form_of_(f.type[source]);
    uint64_t parts[2] = {tsr_relayout_bits_(x, f.item[source]), 0};
    if (f.item[source] == 16)
        parts[0] |= (uint64_t)x->word[1] << 32, parts[1] = x->word[2] | (uint64_t)x->word[3] << 32;
    tsr_number r =
        form.kind == TSR_COMPLEX ? tsr_load(form.type, parts, 0) : tsr_relayout_number_(&form, f.fp8, parts[0]);
    if (f.in == TSR_COMBINE_IN_DOUBLES)
        r = tsr_number_real(tsr_number_to_double(r));
    return r;
}

/** alpha * x op beta * y, where the kinds of the factors are constants. x or y may be a number instead. */
TSR_LOCAL_REF tsr_number tsr_combine_scaled_(TSR_FORM_(tsr_combine_form), tsr_combination const *r, tsr_number x,
                                             tsr_number y)
{
    tsr_number alpha = r->alpha, beta = r->beta;
    alpha.kind = f.alpha;
    beta.kind = f.beta;
    bool const parts = f.in == TSR_COMBINE_IN_COMPLEX;
    bool const whole[2] = {parts && tsr_number_is_int_(x) && tsr_number_is_int_(alpha),
                           parts && tsr_number_is_int_(y) && tsr_number_is_int_(beta)};
    if (parts && tsr_number_is_int_(x)) /* no product of integers, which wraps */
        x = tsr_number_real(tsr_number_to_double(x));
    if (parts && tsr_number_is_int_(y))
        y = tsr_number_real(tsr_number_to_double(y));
    if (f.alpha != 0)
        x = f.way[0] == TSR_COMBINE_NUMBER ? alpha : tsr_number_scale_(alpha, x);
    if (f.beta != 0)
        y = f.way[1] == TSR_COMBINE_NUMBER ? beta : tsr_number_scale_(beta, y);
    x.re += whole[0] ? 0.0 : -0.0; /* and is no -0 */
    y.re += whole[1] ? 0.0 : -0.0;
    tsr_number z = f.way[1] == TSR_COMBINE_NOTHING ? x : tsr_combine_numbers_(f.op, x, y);
    z.re = z.re != z.re ? tsr_nan_() : z.re;
    z.im = z.im != z.im ? tsr_nan_() : z.im;
    return z;
}

/** The item of the destination that two items become. */
TSR_LOCAL_REF tsr_relayout_value tsr_combine_make_(TSR_FORM_(tsr_combine_form), tsr_combination const *r,
                                                   tsr_relayout_value const *x, tsr_relayout_value const *y)
{
    tsr_relayout_value w = tsr_relayout_nothing_();
    tsr_form_ const to = tsr_form_of_(f.type[2]);
    uint64_t parts[2] = {0, 0};
    if (f.in == TSR_COMBINE_IN_FLOATS) {
        parts[0] = tsr_combine_single_(f, r, x, y);
    } else {
        tsr_number const a = f.way[0] == TSR_COMBINE_NUMBER ? r->alpha : tsr_combine_number_(f, x, 0);
        bool const second = f.way[1] != TSR_COMBINE_NOTHING && f.way[1] != TSR_COMBINE_NUMBER;
        tsr_number const b = second ? tsr_combine_number_(f, y, 1) : a;
        tsr_number const z = tsr_combine_scaled_(f, r, a, b);
        if (to.kind == TSR_COMPLEX)
            tsr_store(to.type, parts, 0, z);
        else
            parts[0] = z.kind == TSR_REAL ? tsr_relayout_real_(&to, f.fp8, z.re) : tsr_encode(to.type, z);
    }
    w.word[0] = (uint32_t)parts[0] & (f.item[2] < 4 ? (1u << 8 * f.item[2]) - 1 : ~0u);
    w.word[1] = (uint32_t)(parts[0] >> 32);
    w.word[2] = (uint32_t)parts[1];
    w.word[3] = (uint32_t)(parts[1] >> 32);
    return w;
}

TSR_HEADER_END

#endif
