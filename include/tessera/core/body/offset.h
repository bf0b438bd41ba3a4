/** The bodies of core/offset.h. */
#ifndef TSR_CORE_BODY_OFFSET_H
#define TSR_CORE_BODY_OFFSET_H

#include "tessera/core/offset.h"
#include "tessera/core/body/coalesce.h"
#include "tessera/core/body/swizzle.h"

TSR_HEADER_BEGIN

TSR_OP tsr_tuple tsr_layout_at(tsr_layout l, tsr_tuple coord)
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

/** A layout with a swizzle in front, moved: its offset takes what is added. */
TSR_LOCAL tsr_layout tsr_swizzled_from_(tsr_layout l, tsr_tuple offset)
{
    tsr_leaf const base = l.offset.kind == TSR_MIXED ? tsr_leaf_dynamic(tsr_leaf_value(l.offset)) : l.offset;
    tsr_tuple const at = tsr_from_leaf(tsr_leaf_add(base, tsr_as_leaf_(offset)));
    return l.twice ? tsr_bad_layout(TSR_SWIZZLE_TWICE, 0, 0, 0, 0)
                   : tsr_make_composed_layout(l.swizzle, at, tsr_layout_inner(l));
}

TSR_INTERNAL void tsr_put_domain_offset_(tsr_layout *r, tsr_tuple *offset, tsr_tuple const *coord,
                                         tsr_layout const *l)
{
    tsr_leaf at = TSR_ZERO;
    if (tsr_is_plain_(l) && tsr_plain_index_(&at, coord, &l->shape, &l->stride)) {
        tsr_tuple_push_leaf(offset, at);
        tsr_push_layout_(r, l);
        return;
    }
    *offset = coord->status ? *coord : l->shape.status ? l->shape : tsr_crd2idx(*coord, l->shape, l->stride);
    if (offset->status) {
        *r = tsr_invalid_layout(*offset);
    } else if (l->composed) {
        *r = tsr_swizzled_from_(*l, *offset);
        *offset = tsr_s(0);
    } else {
        *r = *l;
    }
}

TSR_OP tsr_offset_layout tsr_domain_offset(tsr_tuple coord, tsr_layout l)
{
    tsr_offset_layout r TSR_SCRATCH;
    tsr_begin_(&r.layout);
    tsr_begin_tuple_(&r.offset);
    tsr_put_domain_offset_(&r.layout, &r.offset, &coord, &l);
    return r;
}

TSR_OP tsr_tuple tsr_layout_to_mixed_bits(tsr_layout l, tsr_tuple coord)
{
    return l.shape.status ? l.shape : tsr_to_mixed_bits(l.shape, l.stride, tsr_idx2crd(coord, l.shape));
}

TSR_HEADER_END

#endif
