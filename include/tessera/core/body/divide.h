/** The bodies of core/divide.h. */
#ifndef TSR_CORE_BODY_DIVIDE_H
#define TSR_CORE_BODY_DIVIDE_H

#include "tessera/core/divide.h"
#include "tessera/core/body/complement.h"
#include "tessera/core/body/composition.h"
#include "tessera/core/body/locate.h"

TSR_HEADER_BEGIN

typedef tsr_layout (*tsr_layout_op2_)(tsr_layout const *, tsr_layout const *);

/** op(layout, tiler): on the whole for a layout or an integer, mode by mode for a tuple. */
TSR_LOCAL tsr_layout tsr_by_tiler_(tsr_layout const *l, tsr_tiler const *t, tsr_layout_op2_ op);

TSR_LOCAL tsr_layout tsr_by_modes_(tsr_layout const *l, tsr_tiler const *t, tsr_layout_op2_ op)
{
    tsr_layout r = TSR_ZERO;
    int const rank = tsr_mode_count(&l->shape), modes = tsr_tiler_rank_(t);
    if (modes > rank)
        return tsr_bad_layout(TSR_TILER_RANK, 0, modes, rank, 0);
    for (int i = 0; i < rank; ++i) {
        tsr_layout mode = TSR_ZERO;
        tsr_put_mode_(&mode, l, i);
        if (i >= modes) {
            tsr_tuple_push(&r.shape, &mode.shape);
            tsr_tuple_push(&r.stride, &mode.stride);
            continue;
        }
        tsr_tiler const by = tsr_tiler_get_(t, i);
        tsr_layout const x = tsr_by_tiler_(&mode, &by, op);
        if (x.shape.status)
            return x;
        tsr_tuple_push(&r.shape, &x.shape);
        tsr_tuple_push(&r.stride, &x.stride);
    }
    tsr_enclose_all_(&r.shape);
    tsr_enclose_all_(&r.stride);
    return r;
}

TSR_LOCAL tsr_layout tsr_by_tiler_(tsr_layout const *l, tsr_tiler const *t, tsr_layout_op2_ op)
{
    if (l->shape.status || t->by.shape.status)
        return l->shape.status ? *l : t->by;
    if (tsr_tiler_is_wild(t))
        return *l;
    if (tsr_tiler_is_tuple(t))
        return tsr_by_modes_(l, t, op);
    if (!tsr_tiler_is_int(t))
        return op(l, &t->by);
    tsr_layout run = TSR_ZERO;
    tsr_tuple_push_leaf(&run.shape, t->by.shape.leaf[0]);
    tsr_tuple_push_leaf(&run.stride, tsr_leaf_static(tsr_leaf_is(t->by.shape.leaf[0], 1) ? 0 : 1));
    tsr_check_(&run);
    return op(l, &run);
}

/** op under the swizzle and the offset of l. */
TSR_LOCAL tsr_layout tsr_by_tiler_inside_(tsr_layout const *l, tsr_tiler const *t, tsr_layout_op2_ op)
{
    if (tsr_is_plain_(l))
        return tsr_by_tiler_(l, t, op);
    tsr_layout const inner = tsr_layout_inner(*l);
    return tsr_rewrap_(*l, tsr_by_tiler_(&inner, t, op));
}

/** The first offset below `size` that a plain layout does not reach, or `size`: in ascending order no stride may exceed
 *  one more than the reach of the smaller ones. */
TSR_LOCAL int64_t tsr_first_missed_(tsr_layout const *l, int64_t size)
{
    int64_t reach = 0;
    bool used[TSR_MAX_LEAVES] = {false};
    while (reach < size - 1) {
        int least = -1;
        for (int i = 0; i < l->shape.leaves; ++i) {
            bool const counts = !used[i] && l->stride.leaf[i].value > 0 && l->shape.leaf[i].value > 1;
            if (counts && (least < 0 || l->stride.leaf[i].value < l->stride.leaf[least].value))
                least = i;
        }
        if (least < 0 || l->stride.leaf[least].value > reach + 1)
            return reach + 1;
        used[least] = true;
        reach += (l->shape.leaf[least].value - 1) * l->stride.leaf[least].value;
    }
    return size;
}

/** The modes of l flattened, without those of extent 1 at the end; one is left. */
TSR_LOCAL tsr_layout tsr_without_last_ones_(tsr_layout const *l)
{
    tsr_row_ row TSR_SCRATCH;
    tsr_row_of_(&row, l);
    while (row.n > 1 && row.shape[row.n - 1].value == 1)
        --row.n;
    return tsr_row_layout_(&row);
}

/** L o (T, complement(T, cotarget)). What lies outside of the layout is left to predicates, so that the law is asked of
 *  the elements only, and extents 1 at the end of L may be left out. */
TSR_LOCAL tsr_layout tsr_divide_upto_(tsr_layout const *l, tsr_layout const *tiler, tsr_tuple const *cotarget)
{
    tsr_layout const rest = tsr_complement_upto_(tiler, cotarget, 1);
    if (rest.shape.status)
        return rest;
    tsr_layout const both = tsr_make_pair(tiler, &rest);
    int64_t const size = tsr_tuple_number(tsr_from_leaf(tsr_product_leaf_(&l->shape)));
    tsr_layout r = tsr_compose_within_(l, &both, size);
    if (r.shape.status) {
        tsr_layout const longest = tsr_without_last_ones_(l);
        tsr_layout const again = longest.shape.leaves < l->shape.leaves ? tsr_compose_within_(&longest, &both, size) : r;
        r = again.shape.status && again.shape.status != TSR_CAPACITY ? r : again;
    }
    int64_t const missed = r.shape.status ? size : tsr_first_missed_(&both, size);
    if (missed < size)
        r = tsr_bad_layout(TSR_DIVIDE_SIZE, 0, missed, size, 0);
    return r;
}

TSR_OP bool tsr_divide_run_(tsr_layout const *l, tsr_layout const *tiler, tsr_layout *r)
{
    tsr_leaf const s = l->shape.leaf[0], d = l->stride.leaf[0], n = tiler->shape.leaf[0], by = tiler->stride.leaf[0];
    if (!tsr_is_leaf(&l->shape) || !tsr_is_leaf(&tiler->shape) || !tsr_leaf_is_int(d) || d.value == 0
        || !tsr_leaf_is_static(by) || !tsr_leaf_is(by, 1) || n.value < 2 || n.value >= s.value || s.value % n.value != 0)
        return false;
    tsr_tuple_push_leaf(&r->shape, n);
    tsr_tuple_push_leaf(&r->shape, tsr_leaf_ceil_div(s, n));
    tsr_tuple_push_leaf(&r->stride, d);
    tsr_tuple_push_leaf(&r->stride, tsr_leaf_mul(n, d));
    tsr_enclose_all_(&r->shape);
    tsr_enclose_all_(&r->stride);
    return true;
}

/** A layout by a tiler that is one: mode 0 the tile, mode 1 the tiles. */
TSR_LOCAL tsr_layout tsr_divide_whole_(tsr_layout const *l, tsr_layout const *tiler)
{
    tsr_layout r = TSR_ZERO;
    if (l->shape.status || tiler->shape.status)
        return l->shape.status ? *l : *tiler;
    if (tsr_divide_run_(l, tiler, &r))
        return r;
    if (tsr_is_leaf(&l->shape))
        return tsr_divide_upto_(l, tiler, &l->shape);
    tsr_layout const flat = tsr_coalesce_(l, false);
    return flat.shape.status ? flat : tsr_divide_upto_(l, tiler, &flat.shape);
}

/** The first halves of the pairs at the leaves of the tiler, then the second halves. A mode under `_` is no pair: its
 *  tile is _1:_0, and the whole mode is what is left. */
TSR_LOCAL void tsr_unzip_(tsr_layout *l, tsr_tiler const *t)
{
    tsr_tuple const ones = tsr_tiler_profile_(t, 1), zeros = tsr_tiler_profile_(t, 0);
    tsr_tuple const shape = tsr_zip2_(&l->shape, &ones);
    if (!l->shape.status && !shape.status)
        l->stride = tsr_zip2_(&l->stride, &zeros);
    l->shape = shape;
}

TSR_OP tsr_layout tsr_tile_unzip_by(tsr_layout l, tsr_tiler t)
{
    tsr_unzip_(&l, &t);
    return l;
}

/** Mode 1, and mode 0 when `both`, opened into their own modes. */
TSR_LOCAL tsr_tuple tsr_open_(tsr_tuple t, bool both)
{
    tsr_tuple r = TSR_ZERO;
    if (t.status)
        return t;
    for (int i = 0; i < 2; ++i) {
        tsr_tuple const mode = tsr_tuple_get(t, i);
        int const rank = tsr_mode_count(&mode);
        if (mode.status || rank == 1 || (i == 0 && !both)) {
            tsr_tuple_push(&r, &mode);
            continue;
        }
        for (int k = 0; k < rank; ++k) {
            tsr_tuple const x = tsr_tuple_get(mode, k);
            tsr_tuple_push(&r, &x);
        }
    }
    return tsr_tuple_close(r);
}

TSR_LOCAL tsr_layout tsr_opened_(tsr_layout l, bool both)
{
    return tsr_with_(l, tsr_open_(l.shape, both), tsr_open_(l.stride, both));
}

/** The first element of a swizzled tiler that is no element of the tiler without its swizzle, or -1. */
TSR_LOCAL int64_t tsr_first_moved_out_(tsr_layout const *tiler, int64_t size)
{
    bool const bits = tsr_is_pow2(size) && tsr_moves_bits_(tiler);
    for (int64_t t = 0; t < size; t = bits && t > 0 ? 2 * t : t + 1) {
        tsr_search_ s = TSR_ZERO;
        int64_t c[TSR_MAX_LEAVES] = {0};
        if ((!bits && t >= TSR_LAW_BUDGET)
            || tsr_locate_(&tiler->shape, &tiler->stride, tsr_layout_offset(tiler, t), c, &s) != TSR_OK)
            return t;
    }
    return -1;
}

/** L o (T, complement(T)) for a swizzled T: one that is a layout all the same is taken as that, and any other must
 *  stay among the offsets that it has without the swizzle, so that these are what the complement completes. */
TSR_LOCAL tsr_layout tsr_divide_swizzled_(tsr_layout const *l, tsr_layout const *tiler)
{
    tsr_demand_ const alone = {0, {tiler, 0}, {0, 0}, 0};
    tsr_layout const plain = tsr_fit_demand_(&alone, &tiler->shape, tsr_kind_of_two_(tiler, tiler), true);
    tsr_layout const inner = tsr_layout_inner(*tiler), bare = tsr_layout_inner(*l), flat = tsr_coalesce_(&bare, false);
    if (plain.shape.status == TSR_OK)
        return tsr_rewrap_(*l, tsr_divide_whole_(&bare, &plain));
    tsr_layout const rest = tsr_complement_upto_(&inner, &flat.shape, 1);
    if (flat.shape.status || rest.shape.status)
        return flat.shape.status ? flat : rest;
    tsr_layout const both = tsr_make_pair(&inner, &rest);
    int64_t const size = tsr_layout_size(*l), missed = tsr_first_missed_(&both, size);
    int64_t const out = tsr_first_moved_out_(tiler, tsr_layout_size(*tiler));
    if (missed < size || out >= 0)
        return missed < size ? tsr_bad_layout(TSR_DIVIDE_SIZE, 0, missed, size, 0)
                             : tsr_bad_layout(TSR_DIVIDE_SWIZZLE, 0, out, tsr_layout_offset(tiler, out), 0);
    tsr_layout const tile = tsr_beside_(tiler, &rest, true), tiles = tsr_beside_(&rest, tiler, false);
    tsr_demand_ const f = {l, {&tile, &tiles}, {0, 0}, 0};
    return tsr_fit_demand_(&f, &both.shape, tsr_kind_of_two_(l, tiler), false);
}

TSR_LOCAL tsr_layout tsr_divide_(tsr_layout const *l, tsr_tiler const *t)
{
    return t->by.composed && !t->by.shape.status && !l->shape.status ? tsr_divide_swizzled_(l, &t->by)
                                                                     : tsr_by_tiler_inside_(l, t, tsr_divide_whole_);
}

TSR_OP tsr_layout tsr_logical_divide_by(tsr_layout l, tsr_tiler t) { return tsr_divide_(&l, &t); }

/** Is it (a,b,..), two leaves or more without further brackets? */
TSR_LOCAL bool tsr_is_row_(tsr_tuple const *t)
{
    bool flat = t->status == TSR_OK && t->leaves > 1;
    for (int i = 0; flat && i < t->leaves; ++i)
        flat = t->leaf[i].open == (i == 0) && t->leaf[i].close == (i == t->leaves - 1);
    return flat;
}

/** (s,..):(d,..) by (n,..), integers that divide the extents, as most divides are: ((n,..),(s/n,..)):((d,..),(n*d,..)).
 *  False, and r is not to be used: it is another case. */
TSR_LOCAL bool tsr_zipped_runs_(tsr_layout const *l, tsr_tiler const *t, tsr_layout *r)
{
    int const rank = l->shape.leaves;
    if (!tsr_is_plain_(l) || !tsr_is_row_(&l->shape) || !tsr_is_row_(&t->by.shape) || t->by.shape.leaves != rank
        || 2 * rank > TSR_MAX_LEAVES)
        return false;
    r->shape.leaves = r->stride.leaves = (uint8_t)(2 * rank);
    for (int i = 0; i < rank; ++i) {
        tsr_leaf const s = l->shape.leaf[i], d = l->stride.leaf[i], n = t->by.shape.leaf[i];
        tsr_leaf const q = tsr_leaf_ceil_div(s, n), remote = tsr_leaf_mul(n, d);
        if (n.tile != 1 || !tsr_leaf_is_int(n) || t->by.stride.leaf[i].kind != TSR_ABSENT || !tsr_leaf_is_int(s)
            || !tsr_leaf_is_int(d) || d.value == 0 || n.value < 2 || n.value >= s.value || s.value % n.value != 0
            || !tsr_leaf_is_int(remote))
            return false;
        r->shape.leaf[i] = tsr_leaf_make((tsr_kind)n.kind, n.value);
        r->shape.leaf[rank + i] = q;
        r->stride.leaf[i] = d;
        r->stride.leaf[rank + i] = remote;
        r->stride.leaf[i].open = r->stride.leaf[i].close = r->shape.leaf[rank + i].open = r->shape.leaf[rank + i].close = 0;
        r->stride.leaf[rank + i].open = r->stride.leaf[rank + i].close = 0;
    }
    for (int k = 0; k < 2; ++k) {
        tsr_tuple *const x = k == 0 ? &r->shape : &r->stride;
        x->leaf[0].open = 2;
        x->leaf[rank - 1].close = x->leaf[rank].open = 1;
        x->leaf[2 * rank - 1].close = 2;
    }
    return true;
}

TSR_OP tsr_layout tsr_zipped_divide_by(tsr_layout l, tsr_tiler t)
{
    tsr_layout runs = TSR_ZERO;
    if (tsr_zipped_runs_(&l, &t, &runs))
        return runs;
    tsr_layout r = tsr_divide_(&l, &t);
    tsr_unzip_(&r, &t);
    return r;
}

TSR_OP tsr_layout tsr_tiled_divide_by(tsr_layout l, tsr_tiler t)
{
    return tsr_opened_(tsr_zipped_divide_by(l, t), false);
}

TSR_OP tsr_layout tsr_flat_divide_by(tsr_layout l, tsr_tiler t)
{
    return tsr_opened_(tsr_zipped_divide_by(l, t), true);
}

TSR_OP tsr_tuple tsr_ceil_div_by(tsr_tuple target, tsr_tiler t)
{
    tsr_tuple r = TSR_ZERO;
    if (target.status || t.by.shape.status)
        return target.status ? target : t.by.shape;
    if (tsr_tiler_is_wild(&t))
        return tsr_bad_tuple(TSR_WILDCARD, 0, 0, 0, 0);
    if (tsr_tiler_is_int(&t))
        return tsr_tuple_ceil_div(target, t.by.shape);
    if (!tsr_tiler_is_tuple(&t))
        return tsr_complement_in(t.by, target).shape;
    if (tsr_is_leaf(&target) || tsr_tiler_rank_(&t) > tsr_mode_count(&target))
        return tsr_bad_tuple(TSR_TILER_RANK, 0, tsr_tiler_rank_(&t), tsr_mode_count(&target), 0);
    int const rank = tsr_mode_count(&target), modes = tsr_tiler_rank_(&t);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple x = tsr_tuple_get(target, i);
        x = i < modes ? tsr_ceil_div_by(x, tsr_tiler_get(t, i)) : tsr_tuple_ceil_div(x, tsr_s(1));
        tsr_tuple_push(&r, &x);
    }
    return tsr_tuple_close(r);
}

TSR_OP tsr_tuple tsr_evenly_divides_by(tsr_tuple shape, tsr_tiler t)
{
    tsr_tuple r = tsr_s(1);
    if (shape.status || t.by.shape.status)
        return shape.status ? shape : t.by.shape;
    if (tsr_tiler_is_wild(&t))
        return tsr_bad_tuple(TSR_WILDCARD, 0, 0, 0, 0);
    if (!tsr_tiler_is_tuple(&t)) {
        tsr_tuple const tiles = tsr_product(tsr_ceil_div_by(shape, t));
        return tsr_lift2_(tsr_leaf_eq, tsr_product(shape), tsr_lift2_(tsr_leaf_mul, tsr_product(t.by.shape), tiles));
    }
    int const modes = tsr_tiler_rank_(&t);
    if (modes > tsr_mode_count(&shape))
        return tsr_s(0);
    for (int i = 0; i < modes; ++i)
        r = tsr_and_(r, tsr_evenly_divides_by(tsr_tuple_get(shape, i), tsr_tiler_get(t, i)));
    return r;
}

TSR_HEADER_END

#endif
