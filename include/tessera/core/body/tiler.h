/** The bodies of core/tiler.h. */
#ifndef TSR_CORE_BODY_TILER_H
#define TSR_CORE_BODY_TILER_H

#include "tessera/core/tiler.h"
#include "tessera/core/body/layout.h"

TSR_HEADER_BEGIN

TSR_OP void tsr_tiler_push(tsr_tiler *list, tsr_tiler const *t)
{
    if (t->by.composed && !list->by.shape.status)
        list->by.shape = tsr_bad_tuple(TSR_NOT_TILER, 0, 0, 0, 0);
    tsr_tuple_push(&list->by.shape, &t->by.shape);
    tsr_tuple_push(&list->by.stride, &t->by.stride);
}

TSR_OP tsr_tiler tsr_tiler_close(tsr_tiler list)
{
    list.by.shape = tsr_tuple_close(list.by.shape);
    list.by.stride = tsr_tuple_close(list.by.stride);
    for (int i = 0; !list.by.shape.status && i < list.by.shape.leaves; ++i)
        ++list.by.shape.leaf[i].tile;
    return list;
}

TSR_OP tsr_tiler tsr_tiler_pushed_(tsr_tiler list, tsr_tiler t)
{
    tsr_tiler_push(&list, &t);
    return list;
}

TSR_OP tsr_tiler tsr_tiler_none_(void)
{
    tsr_tiler const none = TSR_ZERO;
    return none;
}

TSR_OP tsr_tiler tsr_tile_1(tsr_tiler a) { return tsr_tiler_close(tsr_tiler_pushed_(tsr_tiler_none_(), a)); }

TSR_OP tsr_tiler tsr_tile_2(tsr_tiler a, tsr_tiler b)
{
    return tsr_tiler_close(tsr_tiler_pushed_(tsr_tiler_pushed_(tsr_tiler_none_(), a), b));
}

TSR_INTERNAL int tsr_tiler_rank_(tsr_tiler const *t) { return tsr_tiler_is_tuple(t) ? tsr_mode_count(&t->by.shape) : 1; }

TSR_INTERNAL tsr_tiler tsr_tiler_get_(tsr_tiler const *t, int64_t i)
{
    tsr_tiler r = TSR_ZERO;
    tsr_put_mode_(&r.by, &t->by, i);
    for (int k = 0; !r.by.shape.status && k < r.by.shape.leaves; ++k)
        --r.by.shape.leaf[k].tile;
    return r;
}

TSR_OP tsr_tiler tsr_tiler_get(tsr_tiler t, int64_t i) { return tsr_tiler_get_(&t, i); }

/** The brackets alone, as a guide for tsr_zip2_: the mode under `_` has no tile, and `none` stands in its place. */
TSR_LOCAL tsr_tuple tsr_tiler_profile_(tsr_tiler const *t, int64_t none)
{
    tsr_tuple r = TSR_ZERO;
    if (t->by.shape.status)
        return t->by.shape;
    if (!tsr_tiler_is_tuple(t))
        return tsr_from_leaf(tsr_leaf_make(tsr_tiler_is_wild(t) ? TSR_ABSENT : TSR_STATIC, none));
    if (tsr_is_unit(&t->by.shape))
        return tsr_unit();
    for (int i = 0, mode = 0; i < t->by.shape.leaves; i = tsr_mode_end_(&t->by.shape, i), ++mode) {
        if (t->by.shape.leaf[i].tile > 1) {
            tsr_tiler const by = tsr_tiler_get_(t, mode);
            tsr_tuple const x = tsr_tiler_profile_(&by, none);
            tsr_tuple_push(&r, &x);
        } else {
            tsr_tuple_push_leaf(
                &r, tsr_leaf_make(t->by.shape.leaf[i].kind == TSR_WILD ? TSR_ABSENT : TSR_STATIC, none));
        }
    }
    return tsr_tuple_close(r);
}

TSR_OP tsr_layout tsr_make_layout_of(tsr_tiler t)
{
    for (int i = 0; !t.by.shape.status && i < t.by.shape.leaves; ++i) {
        if (t.by.shape.leaf[i].tile != 1 || t.by.stride.leaf[i].kind == TSR_ABSENT)
            return tsr_bad_layout(TSR_STRIDE, i, 0, 0, 0);
        t.by.shape.leaf[i].tile = 0;
    }
    return t.by;
}

TSR_HEADER_END

#endif
