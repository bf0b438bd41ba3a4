/** The bodies of core/locate.h. */
#ifndef TSR_CORE_BODY_LOCATE_H
#define TSR_CORE_BODY_LOCATE_H

#include "tessera/core/locate.h"
#include "tessera/core/body/layout.h"
#include "tessera/core/body/search.h"

TSR_HEADER_BEGIN

/** Searches the coordinate c, leaf by leaf, with sum c_k * stride_k = index. Errors: NO_COORD, NOT_DECIDED,
 *  OVERFLOW. */
TSR_LOCAL tsr_status tsr_locate_(tsr_tuple const *shape, tsr_tuple const *stride, int64_t index, int64_t *c,
                                 tsr_search_ *s)
{
    int order[TSR_MAX_LEAVES] = {0}, n = 0;
    for (int i = 0; i < shape->leaves; ++i) {
        uint64_t const d = tsr_abs64(stride->leaf[i].value);
        c[i] = 0;
        if (shape->leaf[i].kind == TSR_UNIT || shape->leaf[i].value <= 1 || d == 0)
            continue;
        int at = n++;
        for (; at > 0 && tsr_abs64(stride->leaf[order[at - 1]].value) < d; --at)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int k = 0; k < n; ++k)
        tsr_search_push_(s, stride->leaf[order[k]].value, 0, shape->leaf[order[k]].value - 1);
    if (!tsr_search_open_(s))
        return TSR_OVERFLOW;
    if (!tsr_search_finds_(s, 0, index))
        return s->budget < 0 ? TSR_NOT_DECIDED : TSR_NO_COORD;
    for (int k = 0; k < n; ++k)
        c[order[k]] = stride->leaf[order[k]].value < 0 ? -s->z[k] : s->z[k];
    return TSR_OK;
}

TSR_INTERNAL tsr_tuple tsr_coordinate_mod_(tsr_leaf index, tsr_tuple const *shape, tsr_tuple const *stride)
{
    tsr_tuple r = *shape;
    for (int i = 0; i < shape->leaves; ++i) {
        tsr_leaf x = tsr_leaf_static(0);
        if (shape->leaf[i].kind == TSR_UNIT)
            continue;
        if (!tsr_leaf_is(shape->leaf[i], 1) && !tsr_leaf_is(stride->leaf[i], 0))
            x = tsr_leaf_mod(tsr_leaf_div(index, stride->leaf[i]), shape->leaf[i]);
        if (x.kind == TSR_BAD)
            return tsr_from_leaf(x);
        r.leaf[i].value = x.value;
        r.leaf[i].kind = x.kind;
    }
    return r;
}

/** Does a coordinate without negative parts have this index? */
TSR_LOCAL bool tsr_has_index_(tsr_tuple const *c, tsr_tuple const *stride, int64_t index)
{
    int64_t sum = 0, term = 0;
    for (int i = 0; i < c->leaves; ++i)
        if (c->leaf[i].kind != TSR_UNIT
            && (c->leaf[i].value < 0 || !tsr_mul64(c->leaf[i].value, stride->leaf[i].value, &term)
                || !tsr_add64(sum, term, &sum)))
            return false;
    return sum == index;
}

/** The coordinate r that divisions give, with the numbers that a search finds in their place. */
TSR_LOCAL tsr_tuple tsr_coordinate_found_(tsr_tuple r, tsr_leaf index, tsr_tuple const *shape,
                                          tsr_tuple const *stride)
{
    tsr_search_ s = TSR_ZERO;
    int64_t c[TSR_MAX_LEAVES] = {0};
    bool is_static = tsr_leaf_is_static(index);
    tsr_status const why = tsr_locate_(shape, stride, index.value, c, &s);
    if (why != TSR_OK)
        return why == TSR_NO_COORD      ? tsr_bad_tuple(why, 0, index.value, s.low[0], s.high[0])
               : why == TSR_NOT_DECIDED ? tsr_bad_tuple(why, 0, TSR_LAW_BUDGET, 0, 0)
                                        : tsr_bad_tuple(why, 0, index.value, 0, 0);
    for (int i = 0; i < shape->leaves; ++i)
        is_static = is_static && shape->leaf[i].kind != TSR_DYNAMIC && stride->leaf[i].kind != TSR_DYNAMIC;
    for (int i = 0; i < shape->leaves; ++i) {
        if (shape->leaf[i].kind == TSR_UNIT || tsr_leaf_is(shape->leaf[i], 1) || tsr_leaf_is(stride->leaf[i], 0))
            continue;
        r.leaf[i].value = c[i];
        r.leaf[i].kind = is_static ? TSR_STATIC : TSR_DYNAMIC;
    }
    return r;
}

/** The coordinate at each leaf of a shape; `index` is an integer. */
TSR_LOCAL tsr_tuple tsr_coordinate_of_(tsr_leaf index, tsr_tuple const *shape, tsr_tuple const *stride)
{
    tsr_tuple r = tsr_coordinate_mod_(index, shape, stride);
    if (!r.status && !tsr_has_index_(&r, stride, index.value))
        r = tsr_coordinate_found_(r, index, shape, stride);
    return r;
}

TSR_OP tsr_tuple tsr_idx2crd_stride(tsr_tuple index, tsr_tuple shape, tsr_tuple stride)
{
    tsr_tuple r = TSR_ZERO;
    if (index.status || shape.status || stride.status)
        return index.status ? index : shape.status ? shape : stride;
    bool const is_index = tsr_is_leaf(&index);
    if (tsr_is_leaf(&shape) && (!is_index || !tsr_is_leaf(&stride)))
        return tsr_coord_misfit_(is_index ? &stride : &index, &shape);
    if (tsr_is_leaf(&stride) && !tsr_is_leaf(&shape) && is_index)
        stride = tsr_compact_col_major_after(shape, stride);
    if (stride.status)
        return stride;
    if (is_index)
        return tsr_same_profile(&shape, &stride) ? tsr_coordinate_of_(index.leaf[0], &shape, &stride)
                                                 : tsr_ranks_differ_(&shape, &stride);
    int const rank = tsr_mode_count(&shape);
    if (tsr_is_leaf(&stride) || tsr_mode_count(&stride) != rank)
        return tsr_ranks_differ_(&shape, &stride);
    if (tsr_mode_count(&index) != rank)
        return tsr_coord_misfit_(&index, &shape);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const x =
            tsr_idx2crd_stride(tsr_tuple_get(index, i), tsr_tuple_get(shape, i), tsr_tuple_get(stride, i));
        tsr_tuple_push(&r, &x);
    }
    return tsr_tuple_close(r);
}

/** The value that the layout behind the swizzles must give for this index: a swizzle is its own inverse. */
TSR_LOCAL tsr_tuple tsr_behind_swizzle_(tsr_layout const *l, tsr_tuple index)
{
    tsr_leaf x = index.leaf[0];
    if (!l->composed || index.status)
        return index;
    if (!tsr_is_leaf(&index) || !tsr_leaf_is_int(x))
        return tsr_bad_tuple(TSR_COORD, 0, tsr_mode_count(&index), 1, 0);
    if (l->twice)
        x = tsr_leaf_make((tsr_kind)x.kind, (int64_t)tsr_swizzle_apply(l->outer_swizzle, (uint64_t)x.value)
                                                - tsr_leaf_value(l->outer_offset));
    tsr_kind const kind = x.kind == TSR_STATIC && l->offset.kind == TSR_STATIC ? TSR_STATIC : TSR_DYNAMIC;
    return tsr_from_leaf(
        tsr_leaf_make(kind, (int64_t)tsr_swizzle_apply(l->swizzle, (uint64_t)x.value) - tsr_leaf_value(l->offset)));
}

TSR_OP tsr_tuple tsr_get_hier_coord(tsr_layout l, tsr_tuple index)
{
    return l.shape.status ? l.shape : tsr_idx2crd_stride(tsr_behind_swizzle_(&l, index), l.shape, l.stride);
}

TSR_OP tsr_tuple tsr_get_flat_coord(tsr_layout l, tsr_tuple index)
{
    if (!l.composed && tsr_is_row_(&l.shape) && tsr_is_leaf(&index) && tsr_same_profile(&l.shape, &l.stride))
        return tsr_coordinate_of_(index.leaf[0], &l.shape, &l.stride); /* one integer a mode already */
    return tsr_crd2crd(tsr_get_hier_coord(l, index), l.shape, tsr_repeat(tsr_s(1), tsr_mode_count(&l.shape)));
}

TSR_OP tsr_tuple tsr_get_1d_coord(tsr_layout l, tsr_tuple index)
{
    return tsr_crd2idx_compact(tsr_get_hier_coord(l, index), l.shape);
}

TSR_HEADER_END

#endif
