/** The offset of a coordinate as a value of the algebra: L(c), static where it is known.
 *
 *  Law     layout_at(L, c) is L(c), the number that tsr_at() of core/eval.h gives; a coordinate where strides are basis
 *          elements. domain_offset(c, L) = (R, o) with R(x) + o = L(c + x).
 *  Source  CuTe, include/cute/layout.hpp, operator(), domain_offset; swizzle.hpp, to_mixed_bits.
 */
#ifndef TSR_CORE_OFFSET_H
#define TSR_CORE_OFFSET_H

#include "tessera/core/coalesce.h"
#include "tessera/core/swizzle.h"

TSR_HEADER_BEGIN

/** L(c), static where it is known: an integer, or a coordinate for basis strides. */
TSR_FN tsr_tuple tsr_layout_at(tsr_layout l, tsr_tuple coord)
{
    if (l.shape.status || coord.status)
        return l.shape.status ? l.shape : coord;
    tsr_tuple const at = tsr_crd2idx(coord, l.shape, l.stride);
    if (at.status || !l.composed)
        return at;
    tsr_leaf const base = l.offset.kind == TSR_MIXED ? tsr_leaf_dynamic(tsr_leaf_value(l.offset)) : l.offset;
    tsr_leaf const x = tsr_swizzle_leaf_(l.swizzle, tsr_leaf_add(base, tsr_as_leaf_(at)));
    return tsr_from_leaf(l.twice ? tsr_swizzle_leaf_(l.outer_swizzle, tsr_leaf_add(l.outer_offset, x)) : x);
}

/** The layout seen from a coordinate on: the layout and the offset to add. A swizzle keeps the offset inside. */
TSR_FN tsr_offset_layout tsr_domain_offset(tsr_tuple coord, tsr_layout l)
{
    tsr_offset_layout r = TSR_ZERO;
    r.layout = l;
    r.offset = coord.status ? coord : l.shape.status ? l.shape : tsr_crd2idx(coord, l.shape, l.stride);
    if (r.offset.status) {
        r.layout = tsr_invalid_layout(r.offset);
        return r;
    }
    if (l.composed) {
        tsr_leaf const base = l.offset.kind == TSR_MIXED ? tsr_leaf_dynamic(tsr_leaf_value(l.offset)) : l.offset;
        r.layout = tsr_make_composed_layout(l.swizzle, tsr_from_leaf(tsr_leaf_add(base, tsr_as_leaf_(r.offset))),
                                            tsr_layout_inner(l));
        r.layout = l.twice ? tsr_bad_layout(TSR_SWIZZLE_TWICE, 0, 0, 0, 0) : r.layout;
        r.offset = tsr_s(0);
    }
    return r;
}

/** The bits that a coordinate of a layout contributes to its offset. */
TSR_FN tsr_tuple tsr_layout_to_mixed_bits(tsr_layout l, tsr_tuple coord)
{
    return l.shape.status ? l.shape : tsr_to_mixed_bits(l.shape, l.stride, tsr_idx2crd(coord, l.shape));
}

TSR_HEADER_END

#endif
