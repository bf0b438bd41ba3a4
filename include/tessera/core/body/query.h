/** The bodies of core/query.h. */
#ifndef TSR_CORE_BODY_QUERY_H
#define TSR_CORE_BODY_QUERY_H

#include "tessera/core/query.h"
#include "tessera/core/body/divide.h"

TSR_HEADER_BEGIN

TSR_OP tsr_tuple tsr_layout_evenly_divides(tsr_layout l, tsr_tiler t) { return tsr_evenly_divides_by(l.shape, t); }

TSR_OP tsr_tuple tsr_tuple_static_int(tsr_tuple t)
{
    bool all = true;
    for (int i = 0; !t.status && i < t.leaves; ++i)
        all = all && t.leaf[i].kind != TSR_DYNAMIC && t.leaf[i].kind != TSR_MIXED;
    return t.status ? t : tsr_s(all);
}

TSR_OP tsr_tuple tsr_layout_static_int(tsr_layout l)
{
    if (l.shape.status)
        return l.shape;
    bool const fronts =
        (!l.composed || tsr_leaf_is_static(l.offset)) && (!l.twice || tsr_leaf_is_static(l.outer_offset));
    return tsr_and_(tsr_s(fronts), tsr_and_(tsr_tuple_static_int(l.shape), tsr_tuple_static_int(l.stride)));
}

TSR_OP tsr_tuple tsr_assume(tsr_tuple x, tsr_tuple n)
{
    if (x.status || n.status)
        return x.status ? x : n;
    tsr_leaf const a = tsr_as_leaf_(x), b = tsr_as_leaf_(n);
    if (!tsr_leaf_ints_(a, b))
        return tsr_from_leaf(tsr_leaf_refuse_(a, b));
    if (b.value <= 0)
        return tsr_bad_tuple(TSR_FACTOR, 0, b.value, 0, 0);
    return a.value % b.value == 0 ? x : tsr_bad_tuple(TSR_ASSUME, 0, a.value, b.value, a.value % b.value);
}

TSR_OP tsr_tuple tsr_major_int(tsr_tuple stride, int64_t mode)
{
    tsr_tuple const first = tsr_front(tsr_tuple_get(stride, mode));
    return first.status ? first : tsr_from_leaf(tsr_leaf_eq(first.leaf[0], tsr_leaf_static(1)));
}

TSR_OP tsr_tuple tsr_layout_major_int(tsr_layout l, int64_t mode)
{
    return tsr_major_int(tsr_stride_of(l, tsr_unit()), mode);
}

TSR_OP tsr_tuple tsr_leading_dim(tsr_tuple shape, tsr_tuple stride)
{
    int path[TSR_MAX_DEPTH + 1] = {0};
    int depth = 0;
    tsr_tuple r = TSR_ZERO;
    if (shape.status || stride.status)
        return shape.status ? shape : stride;
    if (!tsr_same_profile(&shape, &stride)) {
        int i = 0;
        while (i < shape.leaves && i < stride.leaves && shape.leaf[i].open == stride.leaf[i].open
               && shape.leaf[i].close == stride.leaf[i].close)
            ++i;
        return tsr_bad_tuple(TSR_CONGRUENT, i, shape.leaves, stride.leaves, 0);
    }
    for (int i = 0; i < stride.leaves; ++i) {
        tsr_leaf const s = shape.leaf[i], d = stride.leaf[i];
        for (int k = 0; k < d.open; ++k)
            path[depth++] = 0;
        if (tsr_leaf_is_int(d) && d.value == 1 && !(tsr_leaf_is_int(s) && s.value == 1)) {
            for (int k = 0; k < depth; ++k)
                tsr_tuple_push_leaf(&r, tsr_leaf_make((tsr_kind)d.kind, path[k]));
            return depth == 0   ? tsr_from_leaf(tsr_leaf_make((tsr_kind)d.kind, 0))
                   : depth == 1 ? r
                                : tsr_tuple_close(r);
        }
        depth -= d.close;
        if (depth > 0)
            ++path[depth - 1];
    }
    return tsr_unit();
}

TSR_OP tsr_tuple tsr_layout_leading_dim(tsr_layout l)
{
    return tsr_leading_dim(l.shape, tsr_stride_of(l, tsr_unit()));
}

TSR_OP tsr_layout tsr_zip_of(tsr_tiler layouts) { return tsr_layout_zip(tsr_make_layout_of(layouts)); }

TSR_HEADER_END

#endif
