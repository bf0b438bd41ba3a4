/** Products: a layout repeated by another.
 *
 *  Law        logical_product(L, T) = (L, complement(L, size(L) * cosize(T)) o T): mode 0 is L, mode 1 repeats it in
 *             the order of T. By mode for a tuple. blocked_product interleaves the modes block first, raked_product
 *             tiler first; both pad ranks with _1:_0.
 *  Condition  those of complement and composition; the complement holds as many blocks as the tiler reaches.
 *  Source     CuTe, include/cute/layout.hpp.
 */
#ifndef TSR_CORE_PRODUCT_H
#define TSR_CORE_PRODUCT_H

#include "tessera/core/divide.h"

TSR_FN tsr_layout tsr_product_whole_(tsr_layout const *block, tsr_layout const *tiler)
{
    if (block->shape.status || tiler->shape.status)
        return block->shape.status ? *block : *tiler;
    tsr_leaf const cosize = tsr_has_basis_(&tiler->stride) ? tsr_as_leaf_(tsr_cosize_of(*tiler, tsr_unit()))
                                                           : tsr_cosize_leaf_(tiler);
    tsr_leaf const bound = tsr_leaf_mul(tsr_product_leaf_(&block->shape), cosize);
    tsr_tuple const cotarget = tsr_from_leaf(bound);
    tsr_layout const rest = tsr_complement_upto_(block, &cotarget), repeated = tsr_compose_layouts_(&rest, tiler);
    tsr_leaf const room = tsr_product_leaf_(&rest.shape);
    if (!rest.shape.status && room.value < cosize.value)
        return tsr_bad_layout(TSR_PRODUCT_SIZE, 0, room.value, cosize.value, 0);
    return repeated.shape.status ? repeated : tsr_pair_(block, &repeated);
}

/** The product of plain layouts; core/composed.h adds swizzled tilers. */
TSR_FN tsr_layout tsr_plain_product_by_(tsr_layout block, tsr_tiler t)
{
    return tsr_by_tiler_inside_(&block, &t, tsr_product_whole_);
}

TSR_FN tsr_layout tsr_interleave_(tsr_layout block, tsr_layout tiler, bool raked)
{
    if (block.shape.status || tiler.shape.status)
        return block.shape.status ? block : tiler;
    int const rb = tsr_rank_of_(&block.shape), rt = tsr_rank_of_(&tiler.shape), rank = rb < rt ? rt : rb;
    tsr_layout const padded = tsr_layout_append_to(tsr_inner_(block), tsr_pad_(), rank);
    tsr_layout const repeat = tsr_layout_append_to(tiler, tsr_pad_(), rank);
    tsr_layout const p = tsr_product_whole_(&padded, &repeat);
    return tsr_rewrap_(block, tsr_zip_layouts(tsr_mode(p, raked), tsr_mode(p, !raked)));
}

/** The block's elements next to each other, blocks in the order of the tiler. */
TSR_FN tsr_layout tsr_blocked_product(tsr_layout block, tsr_layout tiler)
{
    return tsr_interleave_(block, tiler, false);
}

/** Blocks interleaved like the prongs of a rake. */
TSR_FN tsr_layout tsr_raked_product(tsr_layout block, tsr_layout tiler) { return tsr_interleave_(block, tiler, true); }

/** The block repeated until it fills `target`, the repetitions in `order` (a tuple of orders, or tsr_left()).
 *  Errors  TILE_RANK; for a static target TILE_STATIC (the block must be static) and TILE_SHAPE (and divide it). */
TSR_FN tsr_layout tsr_tile_to_shape_in(tsr_layout block, tsr_tuple target, tsr_tuple order)
{
    if (block.shape.status || target.status || order.status)
        return block.shape.status ? block : tsr_invalid_(target.status ? target : order);
    int const rank = tsr_rank_of_(&target);
    if (tsr_rank_of_(&block.shape) > rank)
        return tsr_bad_layout(TSR_TILE_RANK, 0, tsr_rank_of_(&block.shape), rank, 0);
    tsr_layout const padded = tsr_layout_append_to(tsr_inner_(block), tsr_pad_(), rank);
    tsr_tuple const have = tsr_product_each(padded.shape), want = tsr_product_each(target);
    bool is_static = true;
    if (have.status || want.status)
        return tsr_invalid_(have.status ? have : want);
    for (int i = 0; i < want.leaves; ++i)
        is_static = is_static && tsr_leaf_is_static(want.leaf[i]);
    for (int i = 0; i < padded.shape.leaves; ++i)
        if (is_static && !tsr_leaf_is_static(padded.shape.leaf[i]))
            return tsr_bad_layout(TSR_TILE_STATIC, i, padded.shape.leaf[i].value, 0, 0);
    for (int i = 0; i < want.leaves; ++i)
        if (is_static && want.leaf[i].value % have.leaf[i].value != 0)
            return tsr_bad_layout(TSR_TILE_SHAPE, i, want.leaf[i].value, have.leaf[i].value, 0);
    tsr_layout const repeat = tsr_make_ordered_layout(tsr_tuple_ceil_div(want, have), order);
    return tsr_rewrap_(block, tsr_blocked_product(padded, repeat));
}

TSR_FN tsr_layout tsr_tile_to_shape(tsr_layout block, tsr_tuple target)
{
    return tsr_tile_to_shape_in(block, target, tsr_left());
}

/** A compact layout for registers: mode 0 first, the other modes in the order of l's strides (static shapes of rank 2
 *  or more); otherwise column-major. */
TSR_FN tsr_layout tsr_make_fragment_like(tsr_layout l)
{
    if (l.shape.status)
        return l;
    int const rank = tsr_rank_of_(&l.shape);
    bool is_static = true;
    for (int i = 0; i < l.shape.leaves; ++i)
        is_static = is_static && tsr_leaf_is_static(l.shape.leaf[i]);
    l = tsr_inner_(l);
    if (rank <= 1 || !is_static)
        return tsr_make_layout_compact(l.shape);
    tsr_tuple const s0 = tsr_tuple_get(l.shape, 0), d0 = tsr_tuple_get(l.stride, 0);
    tsr_layout const first = tsr_plain_(s0, tsr_compact_col_major(tsr_filter_zeros_by(d0, s0)));
    tsr_layout const rest = tsr_make_ordered_layout(tsr_tuple_take(l.shape, 1, rank), tsr_tuple_take(l.stride, 1, rank));
    return tsr_opened_(tsr_product_whole_(&first, &rest), false);
}

TSR_FN tsr_layout tsr_make_fragment_like_shape(tsr_tuple shape) { return tsr_make_layout_compact(shape); }

#endif
