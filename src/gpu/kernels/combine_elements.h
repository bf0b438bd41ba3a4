/** Combinations of any layouts: each is asked for the place of element i. Elements of 4 bits are written by the two of
 *  a byte, as relayout_elements.h does.
 *
 *  Law     that of combine.h.
 */
#ifndef TSR_SRC_GPU_KERNELS_COMBINE_ELEMENTS_H
#define TSR_SRC_GPU_KERNELS_COMBINE_ELEMENTS_H

#include "gpu/kernels/combine_value.h"
#include "tessera/exec/elements.h"

TSR_HEADER_BEGIN

/** Element i of a source as a number, in what is computed in. */
TSR_LOCAL_MEMORY tsr_number tsr_combine_element_of_(TSR_FORM_(tsr_combine_form), tsr_tensor const *t, int64_t i)
{
    int bit = 0;
    unsigned char const *const p = tsr_element_place(&t->engine, tsr_layout_offset(&t->layout, i), &bit);
    tsr_number const x = tsr_load(t->engine.type, p, bit);
    bool const whole = f.in == TSR_COMBINE_IN_INTEGERS || f.in == TSR_COMBINE_IN_COMPLEX;
    return whole ? x : tsr_number_real(tsr_number_to_double(x));
}

TSR_LOCAL_MEMORY tsr_number tsr_combine_both_(TSR_FORM_(tsr_combine_form), tsr_combination const *r,
                                              tsr_tensor const *x, tsr_tensor const *y, int64_t i)
{
    tsr_number const a = f.way[0] == TSR_COMBINE_NUMBER ? r->alpha : tsr_combine_element_of_(f, x, i);
    bool const second = f.way[1] != TSR_COMBINE_NOTHING && f.way[1] != TSR_COMBINE_NUMBER;
    return tsr_combine_scaled_(f, r, a, second ? tsr_combine_element_of_(f, y, i) : a);
}

TSR_LOCAL_MEMORY void tsr_combine_element_(TSR_FORM_(tsr_combine_form), tsr_combination const *r, tsr_tensor const *x,
                                           tsr_tensor const *y, tsr_tensor const *z, int64_t i)
{
    int bit = 0;
    tsr_dtype const type = z->engine.type;
    if (i >= r->items)
        return;
    int64_t const n = r->run, first = n > 0 ? i % n + i / n * 2 * n : i;
    unsigned char *const q = tsr_element_place(&z->engine, tsr_layout_offset(&z->layout, first), &bit);
    tsr_number const low = tsr_combine_both_(f, r, x, y, first);
    if (n == 0) {
        tsr_store(type, q, 0, low);
        return;
    }
    tsr_number const high = tsr_combine_both_(f, r, x, y, first + n);
    *q = (unsigned char)((tsr_encode(type, low) & 15) | (tsr_encode(type, high) & 15) << 4);
}

TSR_HEADER_END

#endif
