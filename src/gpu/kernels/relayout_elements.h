/** Copies of any two layouts: each is asked for the place of element i. Elements of 4 bits go by the two of a byte.
 *  relayout.h does without the headers of layouts, which take most of the time of a small compilation.
 *
 *  Law     that of relayout.h.
 */
#ifndef TSR_SRC_GPU_KERNELS_RELAYOUT_ELEMENTS_H
#define TSR_SRC_GPU_KERNELS_RELAYOUT_ELEMENTS_H

#include "gpu/kernels/relayout_item.h"
#include "tessera/exec/elements.h"

TSR_HEADER_BEGIN

/** The bits that become element i of the destination; before it was the element at q, from bit y on. */
TSR_LOCAL_MEMORY uint64_t tsr_relayout_code_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                             tsr_tensor const *from, tsr_dtype type, int64_t i,
                                             unsigned char const *q, int y)
{
    int x = 0;
    unsigned char const *const p = tsr_element_place(&from->engine, tsr_layout_offset(&from->layout, i), &x);
    if (f.from_type == 0)
        return tsr_load_bits_(p, x, tsr_dtype_bits(type));
    tsr_number v = tsr_load(from->engine.type, p, x);
    if (f.alpha != 0)
        v = tsr_relayout_update_(f, r, v, f.beta != 0 ? tsr_load(type, q, y) : v);
    return tsr_encode(type, v);
}

/** Elements i and i + n of 4 bits, which are one byte. */
TSR_LOCAL_MEMORY void tsr_relayout_pair_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, tsr_tensor const *from,
                                         tsr_tensor const *to, int64_t pair)
{
    int64_t const n = r->run, i = pair % n + pair / n * 2 * n;
    tsr_dtype const type = to->engine.type;
    int y = 0;
    unsigned char *const q = tsr_element_place(&to->engine, tsr_layout_offset(&to->layout, i), &y);
    uint64_t const low = tsr_relayout_code_(f, r, from, type, i, q, 0);
    uint64_t const high = tsr_relayout_code_(f, r, from, type, i + n, q, 4);
    *q = (unsigned char)((low & 15) | (high & 15) << 4);
}

TSR_LOCAL_MEMORY void tsr_relayout_element_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                            tsr_tensor const *from, tsr_tensor const *to, int64_t i)
{
    int x = 0, y = 0;
    tsr_dtype const type = to->engine.type;
    if (i >= r->items)
        return;
    if (r->run > 0) {
        tsr_relayout_pair_(f, r, from, to, i);
        return;
    }
    unsigned char const *const p = tsr_element_place(&from->engine, tsr_layout_offset(&from->layout, i), &x);
    unsigned char *const q = tsr_element_place(&to->engine, tsr_layout_offset(&to->layout, i), &y);
    if (f.from_type == 0) {
        TSR_COPY(q, p, (size_t)tsr_dtype_bits(type) / 8);
        return;
    }
    tsr_number v = tsr_load(from->engine.type, p, x);
    if (f.alpha != 0)
        v = tsr_relayout_update_(f, r, v, f.beta != 0 ? tsr_load(type, q, 0) : v);
    tsr_store(type, q, 0, v);
}

TSR_HEADER_END

#endif
