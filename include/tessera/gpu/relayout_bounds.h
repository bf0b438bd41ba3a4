/** alpha * x + beta * y in a short type, from two bounds in float (gpu/relayout.h): a GPU converts 16 numbers a clock and
 *  multiprocessor to double or back, four times as many from float to short types.
 *
 *  The update (exec/update.h) rounds both products to double, their sum to double, and that to the type. Every rounding
 *  is monotone and leaves floats as they are: what is below the exact products and their sum stays below what becomes
 *  of them, and what is above stays above. Where both bounds are the same item, it is the update's; where they are not,
 *  once in some ten thousand sums, and where the sum is near the end of a type, the update itself is made.
 *
 *  Law     an item that is certain is that of the update, bit by bit. Both bounds are NaN where the sum is, and only
 *          there: factors are finite, and 0 only together with their bounds, so without such an x or y a bound is NaN
 *          only where products overflow, which they do in one of the two.
 *  Zero    of two signs is +0 in the upper bound as in the update; in the lower one it is -0, to which 0 is added.
 */
#ifndef TSR_GPU_RELAYOUT_BOUNDS_H
#define TSR_GPU_RELAYOUT_BOUNDS_H

#include "tessera/gpu/relayout_form.h"

/** The nearest float that is not above a number, or not below it. */
TSR_REF float tsr_relayout_bound_(double v, bool above)
{
    float const r = (float)v;
    uint32_t const bits = tsr_float_bits_(r), away = bits + 1, back = bits - 1;
    bool const negative = bits >> 31;
    if (above ? !((double)r < v) : !((double)r > v))
        return r;
    return tsr_bits_float_(negative == above ? back : away);
}

/** The floats beside a factor. False where they are no bounds that serve. */
TSR_INLINE bool tsr_relayout_factor_(tsr_number factor, float *between)
{
    double const v = tsr_number_to_double(factor), size = v < 0 ? -v : v;
    between[0] = tsr_relayout_bound_(v, false);
    between[1] = tsr_relayout_bound_(v, true);
    return v == 0 || (size >= tsr_exp2_(-100) && size <= tsr_exp2_(100));
}

/** A bound of factor * x + t; -0 is no part of a sum. On a CPU, which only tests this, double is the next step. */
TSR_REF float tsr_relayout_bounded_sum_(float factor, float x, float t, bool above)
{
#if TSR_ON_GPU
    return above ? __fmaf_ru(factor, x, t) : __fmaf_rd(factor, x, t);
#else
    return tsr_relayout_bound_((double)factor * x + t, above);
#endif
}

TSR_REF float tsr_relayout_bounded_product_(float factor, float x, bool above)
{
#if TSR_ON_GPU
    return above ? __fmul_ru(factor, x) : __fmul_rd(factor, x);
#else
    return tsr_relayout_bound_((double)factor * x, above);
#endif
}

/** That of the floats beside a factor whose product with x is further out. Both are read: an
 *  index of run time into arguments costs a GPU more than the sum. */
TSR_REF float tsr_relayout_outer_(float const *between, float x, bool above)
{
    float const low = between[0], high = between[1];
    return (x < 0) != above ? high : low;
}

/** A bound of alpha * x + beta * y. */
TSR_REF float tsr_relayout_bound_of_(tsr_relayout_form f, tsr_relayout const *r, float x, float y, bool above)
{
    float const t = tsr_relayout_bounded_product_(tsr_relayout_outer_(r->alphas, x, above), x, above);
    return f.beta == 0 ? t : tsr_relayout_bounded_sum_(tsr_relayout_outer_(r->betas, y, above), y, t, above);
}

#endif
