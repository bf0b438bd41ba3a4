/** Products: a layout repeated by another.
 *
 *  Law        logical_product(L, T) = (L, complement(L) o T), the complement as long as T reaches: mode 0 is L, mode 1
 *             repeats it, disjointly and in the order of T. By mode for a tuple. blocked_product interleaves the modes
 *             block first, raked_product tiler first; both pad ranks with _1:_0.
 *  Condition  those of complement and composition; a T with negative strides needs a complement of one mode.
 *  Example    logical_product((_2,_2):(_1,_3), _3:_1)  =  ((_2,_2),_3):((_1,_3),_6)
 *  Source     CuTe, include/cute/layout.hpp.
 */
#ifndef TSR_CORE_PRODUCT_H
#define TSR_CORE_PRODUCT_H

#include "tessera/core/divide.h"

/** What a layout misses, in as many copies as one of `reach` offsets names. */
TSR_FN tsr_layout tsr_repetition_(tsr_layout const *block, tsr_leaf reach)
{
    tsr_leaf const bound = tsr_leaf_mul(tsr_product_leaf_(&block->shape), reach);
    tsr_tuple const cotarget = tsr_from_leaf(bound);
    return tsr_complement_upto_(block, &cotarget, reach.value);
}

/** The first mode that goes below 0, or -1. */
TSR_FN int tsr_negative_mode_(tsr_layout const *l)
{
    for (int i = 0; i < l->shape.leaves; ++i)
        if (l->shape.leaf[i].kind != TSR_UNIT && l->shape.leaf[i].value > 1 && l->stride.leaf[i].value < 0)
            return i;
    return -1;
}

TSR_FN tsr_layout tsr_product_whole_(tsr_layout const *block, tsr_layout const *tiler)
{
    if (block->shape.status || tiler->shape.status)
        return block->shape.status ? *block : *tiler;
    tsr_leaf const reach = tsr_has_basis_(&tiler->stride) ? tsr_as_leaf_(tsr_cosize_of(*tiler, tsr_unit()))
                                                          : tsr_cosize_leaf_(tiler);
    tsr_layout const rest = tsr_repetition_(block, reach), repeated = tsr_compose_layouts_(&rest, tiler);
    int const below = rest.shape.status || rest.shape.leaves == 1 ? -1 : tsr_negative_mode_(tiler);
    if (below >= 0)
        return tsr_bad_layout(TSR_PRODUCT_SIGN, below, tiler->stride.leaf[below].value, rest.shape.leaves, 0);
    return repeated.shape.status ? repeated : tsr_pair_(block, &repeated);
}

/** The product of plain layouts; core/composed.h adds swizzled tilers. */
TSR_FN tsr_layout tsr_plain_product_by_(tsr_layout block, tsr_tiler t)
{
    return tsr_by_tiler_inside_(&block, &t, tsr_product_whole_);
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
