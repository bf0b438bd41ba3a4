/** The bodies of core/tiler.h. */
#ifndef TSR_CORE_BODY_TILER_H
#define TSR_CORE_BODY_TILER_H

#include "tessera/core/tiler.h"
#include "tessera/core/body/layout.h"

TSR_HEADER_BEGIN

/** The tiler of a tuple into `by`, which has no modes. */
TSR_LOCAL void tsr_tile_tuple_(tsr_layout *by, tsr_tuple const *t)
{
    int depth = 0;
    if (t->status)
        by->shape = by->stride = *t;
    for (int i = 0; !t->status && i < t->leaves; ++i) {
        tsr_leaf a = t->leaf[i];
        depth += a.open;
        a.tile = (uint8_t)(depth + (a.kind == TSR_UNIT)); /* () is a tuple of no tilers */
        depth -= a.close;
        if (a.kind != TSR_WILD && a.kind != TSR_UNIT && (!tsr_leaf_is_int(a) || a.value <= 0)) {
            by->shape = a.aux != 0 ? tsr_bad_tuple(TSR_BASIS, i, (int64_t)(a.aux & 31u) - 1, 0, 0)
                                   : tsr_bad_tuple(TSR_EXTENT, i, a.value, 0, 0);
            by->stride = by->shape;
            return;
        }
        by->shape.leaf[i] = by->stride.leaf[i] = a;
        by->stride.leaf[i].kind = TSR_ABSENT;
        by->shape.leaves = by->stride.leaves = (uint8_t)(i + 1);
    }
}

TSR_OP tsr_tiler tsr_tiler_of_tuple(tsr_tuple t)
{
    tsr_tiler r TSR_SCRATCH;
    tsr_begin_(&r.by);
    tsr_tile_tuple_(&r.by, &t);
    return r;
}

TSR_OP tsr_tiler tsr_tiler_of_int(int64_t n)
{
    tsr_tiler r TSR_SCRATCH;
    tsr_tuple const t = tsr_int(n);
    tsr_begin_(&r.by);
    tsr_tile_tuple_(&r.by, &t);
    return r;
}

TSR_OP void tsr_tiler_push(tsr_tiler *list, tsr_tiler const *t)
{
    if (t->by.composed && !list->by.shape.status)
        list->by.shape = tsr_bad_tuple(TSR_NOT_TILER, 0, 0, 0, 0);
    tsr_push_layout_(&list->by, &t->by);
}

/** tsr_tiler_close in place. */
TSR_LOCAL void tsr_enclose_tiler_(tsr_tiler *list)
{
    tsr_enclose_layout_(&list->by);
    for (int i = 0; !list->by.shape.status && i < list->by.shape.leaves; ++i)
        ++list->by.shape.leaf[i].tile;
}

TSR_OP tsr_tiler tsr_tiler_close(tsr_tiler list)
{
    tsr_enclose_tiler_(&list);
    return list;
}

#ifndef __cplusplus

TSR_OP tsr_tiler *tsr_tile_put_tiler_(tsr_tiler *list, tsr_tiler t)
{
    tsr_tiler_push(list, &t);
    return list;
}

TSR_OP tsr_tiler *tsr_tile_put_layout_(tsr_tiler *list, tsr_layout l)
{
    return tsr_tile_put_tiler_(list, tsr_tiler_of_layout(l));
}

/** Pushes the tiler of a tuple. */
TSR_LOCAL tsr_tiler *tsr_tile_push_(tsr_tiler *list, tsr_tuple const *t)
{
    tsr_tiler x TSR_SCRATCH;
    tsr_begin_(&x.by);
    tsr_tile_tuple_(&x.by, t);
    tsr_tiler_push(list, &x);
    return list;
}

TSR_OP tsr_tiler *tsr_tile_put_tuple_(tsr_tiler *list, tsr_tuple t) { return tsr_tile_push_(list, &t); }

TSR_OP tsr_tiler *tsr_tile_put_int_(tsr_tiler *list, int64_t n)
{
    tsr_tuple one TSR_SCRATCH;
    tsr_begin_tuple_(&one);
    tsr_tuple_push_leaf(&one, tsr_leaf_dynamic(n));
    return tsr_tile_push_(list, &one);
}

TSR_OP tsr_tiler *tsr_tile_closed_(tsr_tiler *list)
{
    tsr_enclose_tiler_(list);
    return list;
}

#endif

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

TSR_LOCAL int tsr_by_rank_(tsr_layout const *by) { return tsr_by_is_tuple_(by) ? tsr_mode_count(&by->shape) : 1; }

TSR_INTERNAL int tsr_tiler_rank_(tsr_tiler const *t) { return tsr_by_rank_(&t->by); }

/** Element i of a tiler into r, which has no modes. */
TSR_LOCAL void tsr_put_tiler_(tsr_layout *r, tsr_layout const *by, int64_t i)
{
    tsr_put_mode_(r, by, i);
    for (int k = 0; !r->shape.status && k < r->shape.leaves; ++k)
        --r->shape.leaf[k].tile;
}

TSR_INTERNAL tsr_tiler tsr_tiler_get_(tsr_tiler const *t, int64_t i)
{
    tsr_tiler r = TSR_ZERO;
    tsr_put_tiler_(&r.by, &t->by, i);
    return r;
}

TSR_OP tsr_tiler tsr_tiler_get(tsr_tiler t, int64_t i) { return tsr_tiler_get_(&t, i); }

/** The brackets alone, as a guide for tsr_put_zip2_: the mode under `_` has no tile. */
TSR_LOCAL tsr_tuple tsr_tiler_profile_(tsr_layout const *by)
{
    tsr_tuple r = TSR_ZERO;
    tsr_tuple const *const shape = &by->shape;
    if (shape->status)
        return *shape;
    if (!tsr_by_is_tuple_(by))
        return tsr_from_leaf(tsr_leaf_make(tsr_by_is_wild_(by) ? TSR_ABSENT : TSR_STATIC, 0));
    if (tsr_is_unit(shape))
        return tsr_unit();
    for (int i = 0, mode = 0; i < shape->leaves; i = tsr_mode_end_(shape, i), ++mode) {
        if (shape->leaf[i].tile > 1) {
            tsr_layout part TSR_SCRATCH;
            tsr_begin_(&part);
            tsr_put_tiler_(&part, by, mode);
            tsr_tuple const x = tsr_tiler_profile_(&part);
            tsr_tuple_push(&r, &x);
        } else {
            tsr_tuple_push_leaf(&r, tsr_leaf_make(shape->leaf[i].kind == TSR_WILD ? TSR_ABSENT : TSR_STATIC, 0));
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
