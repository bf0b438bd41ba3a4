/** What becomes of an item on its way (relayout_form.h): its bytes, its number in another type, alpha * x + beta * y.
 *
 *  Law     the bits of tsr_convert, of tsr_update_number for alpha and beta.
 */
#ifndef TSR_SRC_GPU_KERNELS_RELAYOUT_ITEM_H
#define TSR_SRC_GPU_KERNELS_RELAYOUT_ITEM_H

#include "gpu/kernels/relayout_value.h"

TSR_HEADER_BEGIN

/** alpha * x + beta * y, as exec/functions.h says; the kinds of the factors are constants. */
TSR_LOCAL_REF tsr_number tsr_relayout_update_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, tsr_number x,
                                              tsr_number y)
{
    tsr_update u = tsr_make_update(TSR_OF_IDENTITY, r->alpha, f.beta != 0 ? r->beta : tsr_number_int(0));
    u.alpha.kind = f.alpha;
    if (f.beta != 0)
        u.beta.kind = f.beta;
    return tsr_update_number(&u, f.to_type, f.from_type, x, y);
}

/** What becomes of an item on its way: its bytes, its number in another type, or alpha * x + beta * y, `old` that y. */
TSR_LOCAL_REF tsr_relayout_value tsr_relayout_make_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                                    tsr_relayout_value x, tsr_relayout_value const *old)
{
    tsr_relayout_value y = {{0, 0, 0, 0}};
    uint64_t bits = 0, parts[2] = {0, 0};
    tsr_form_ const to = tsr_form_of_(f.to_type), from = tsr_form_of_(f.from_type);
    bool const plain = tsr_dtype_code(f.from_type) != 5 && tsr_dtype_code(f.to_type) != 5;
    if (f.from_type == 0)
        return x;
    if (f.alpha == 0 && plain) {
        bits = tsr_relayout_convert_(f.to_type, f.from_type, f.fp8, tsr_relayout_bits_(&x, f.from_item));
    } else {
        parts[0] = tsr_relayout_bits_(&x, f.from_item);
        tsr_number sum = plain ? tsr_relayout_number_(&from, f.fp8, parts[0]) : tsr_load(f.from_type, parts, 0);
        tsr_number before = sum;
        if (f.beta != 0) {
            parts[0] = tsr_relayout_bits_(old, f.to_item);
            before = plain ? tsr_relayout_number_(&to, f.fp8, parts[0]) : tsr_load(f.to_type, parts, 0);
        }
        if (f.alpha != 0)
            sum = tsr_relayout_update_(f, r, sum, before);
        parts[0] = 0;
        if (plain && sum.kind == TSR_REAL)
            parts[0] = tsr_relayout_real_(&to, f.fp8, sum.re);
        else
            tsr_store(f.to_type, parts, 0, sum);
        bits = parts[0];
    }
    y.word[0] = (uint32_t)bits & (f.to_item < 4 ? (1u << 8 * f.to_item) - 1 : ~0u);
    y.word[1] = (uint32_t)(bits >> 32);
    return y;
}

/** What items first to last - 1 of an access to p are before, where that matters. */
TSR_LOCAL_REF tsr_relayout_value tsr_relayout_old_(TSR_FORM_(tsr_relayout_form), unsigned char const *p, bool parts,
                                                   int first, int last)
{
    tsr_relayout_value old = tsr_relayout_nothing_();
    if (f.beta != 0 && (!parts || (first <= 0 && last >= f.to_items))) {
        tsr_relayout_read_back_(&old, p, f.to_item * f.to_items);
    } else if (f.beta != 0) {
        TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.to_items && first <= i && i < last)
        {
            tsr_relayout_value x = tsr_relayout_nothing_();
            tsr_relayout_read_back_(&x, p + i * f.to_item, f.to_item);
            tsr_relayout_put_(&old, i, f.to_item, &x);
        }
    }
    return old;
}

/** What becomes of items first to last - 1 of an access; of the others nothing. */
TSR_LOCAL_REF tsr_relayout_value tsr_relayout_make_each_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                                         tsr_relayout_value const *x, tsr_relayout_value const *old,
                                                         bool parts, int first, int last)
{
    tsr_relayout_value w = tsr_relayout_nothing_();
    TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.to_items && (!parts || (first <= i && i < last)))
    {
        tsr_relayout_value const before = tsr_relayout_item_(old, i, f.to_item);
        tsr_relayout_value const y = tsr_relayout_make_(f, r, x[i], &before);
        tsr_relayout_put_(&w, i, f.to_item, &y);
    }
    return w;
}

/** The same of items that are side by side. */
TSR_LOCAL_REF tsr_relayout_value tsr_relayout_make_items_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                                          tsr_relayout_value const *v, tsr_relayout_value const *old,
                                                          bool parts, int first, int last)
{
    tsr_relayout_value x[16];
    if (f.from_type == 0)
        return *v;
    TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.to_items) x[i] = tsr_relayout_item_(v, i, f.from_item);
    return tsr_relayout_make_each_(f, r, x, old, parts, first, last);
}

TSR_HEADER_END

#endif
