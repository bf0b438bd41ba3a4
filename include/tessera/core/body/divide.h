/** The bodies of core/divide.h. */
#ifndef TSR_CORE_BODY_DIVIDE_H
#define TSR_CORE_BODY_DIVIDE_H

#include "tessera/core/divide.h"
#include "tessera/core/body/complement.h"
#include "tessera/core/body/composition.h"
#include "tessera/core/body/locate.h"

TSR_HEADER_BEGIN

/** Writes op(layout, tiler) to a layout that has no modes. */
typedef void (*tsr_layout_op2_)(tsr_layout *, tsr_layout const *, tsr_layout const *);

/** op(layout, tiler): on the whole for a layout or an integer, mode by mode for a tuple. */
TSR_LOCAL void tsr_by_tiler_(tsr_layout *r, tsr_layout const *l, tsr_layout const *by, tsr_layout_op2_ op);

TSR_LOCAL void tsr_by_modes_(tsr_layout *r, tsr_layout const *l, tsr_layout const *by, tsr_layout_op2_ op)
{
    int const rank = tsr_mode_count(&l->shape), modes = tsr_by_rank_(by);
    if (modes > rank) {
        *r = tsr_bad_layout(TSR_TILER_RANK, 0, modes, rank, 0);
        return;
    }
    for (int i = 0; i < rank; ++i) {
        tsr_layout mode TSR_SCRATCH, part TSR_SCRATCH, x TSR_SCRATCH;
        tsr_begin_(&mode);
        tsr_put_mode_(&mode, l, i);
        if (i >= modes) {
            tsr_push_layout_(r, &mode);
            continue;
        }
        tsr_begin_(&part);
        tsr_begin_(&x);
        tsr_put_tiler_(&part, by, i);
        tsr_by_tiler_(&x, &mode, &part, op);
        if (x.shape.status) {
            tsr_refuse_in_tuple_(r, &x, by, i);
            return;
        }
        tsr_push_layout_(r, &x);
    }
    tsr_enclose_layout_(r);
}

TSR_LOCAL void tsr_by_tiler_(tsr_layout *r, tsr_layout const *l, tsr_layout const *by, tsr_layout_op2_ op)
{
    tsr_layout run TSR_SCRATCH;
    if (l->shape.status || by->shape.status) {
        *r = l->shape.status ? *l : *by;
    } else if (tsr_by_is_wild_(by)) {
        tsr_assign_(r, l);
    } else if (tsr_by_is_tuple_(by)) {
        tsr_by_modes_(r, l, by, op);
    } else if (!tsr_by_is_int_(by)) {
        op(r, l, by);
    } else {
        tsr_begin_(&run);
        tsr_push_mode_(&run, by->shape.leaf[0], tsr_leaf_static(tsr_leaf_is(by->shape.leaf[0], 1) ? 0 : 1));
        tsr_check_(&run);
        op(r, l, &run);
    }
}

/** op under the swizzle and the offset of l. */
TSR_LOCAL void tsr_by_tiler_inside_(tsr_layout *r, tsr_layout const *l, tsr_layout const *by, tsr_layout_op2_ op)
{
    if (tsr_is_plain_(l)) {
        tsr_by_tiler_(r, l, by, op);
        return;
    }
    tsr_layout const inner = tsr_layout_inner(*l);
    tsr_layout x = TSR_ZERO;
    tsr_by_tiler_(&x, &inner, by, op);
    *r = tsr_rewrap_(*l, x);
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

/** The refused l o both once more, without the extents 1 at the end of l. */
TSR_LOCAL void tsr_divide_shorter_(tsr_layout *r, tsr_layout const *l, tsr_layout const *both, int64_t size)
{
    tsr_layout const shorter = tsr_without_last_ones_(l);
    tsr_layout again = TSR_ZERO;
    if (shorter.shape.leaves < l->shape.leaves) {
        tsr_compose_within_(&again, &shorter, both, size);
        if (again.shape.status == TSR_OK || again.shape.status == TSR_CAPACITY)
            *r = again;
    }
}

/** The product of the numbers of a shape; TSR_BAD_OFFSET where it does not exist. */
TSR_LOCAL int64_t tsr_divide_size_(tsr_tuple const *shape)
{
    int64_t n = 1;
    for (int i = 0; i < shape->leaves; ++i)
        if (shape->leaf[i].kind != TSR_UNIT && !tsr_mul64(n, shape->leaf[i].value, &n))
            return TSR_BAD_OFFSET;
    return n;
}

/** Tells the refusal of l o (tiler, rest) of the tiler, or of the tiles, which the modes of the rest count. Modes that
 *  carry into each other are told by the first of them, which is one of the tiler. */
TSR_LOCAL void tsr_divide_told_(tsr_layout *r, tsr_layout const *tiler)
{
    int const status = r->shape.status;
    if (r->shape.mode < tiler->shape.leaves || (status != TSR_COMPOSE_STRIDE && status != TSR_COMPOSE_SHAPE)) {
        tsr_compose_told_(r, TSR_DIVIDE_ZERO);
        return;
    }
    r->shape.status = status == TSR_COMPOSE_STRIDE ? TSR_TILES_STRIDE : TSR_TILES_SHAPE;
    r->shape.mode = (uint8_t)(r->shape.mode - tiler->shape.leaves);
}

/** L o (T, complement(T, cotarget)). Predicates guard coordinates outside of the layout. So only the elements must
 *  obey the law, and extents 1 at the end of L may be left out. */
TSR_LOCAL void tsr_divide_upto_(tsr_layout *r, tsr_layout const *l, tsr_layout const *tiler,
                                tsr_tuple const *cotarget)
{
    tsr_layout rest TSR_SCRATCH, both TSR_SCRATCH;
    tsr_begin_(&rest);
    tsr_begin_(&both);
    tsr_put_complement_(&rest, tiler, cotarget, 1);
    if (rest.shape.status) {
        *r = tsr_invalid_layout(rest.shape);
        return;
    }
    tsr_put_pair_(&both, tiler, &rest);
    int64_t const size = tsr_divide_size_(&l->shape);
    tsr_compose_within_(r, l, &both, size);
    if (r->shape.status)
        tsr_divide_shorter_(r, l, &both, size);
    tsr_divide_told_(r, tiler);
    int64_t const missed = r->shape.status ? size : tsr_first_missed_(&both, size);
    if (missed < size)
        *r = tsr_bad_layout(TSR_DIVIDE_SIZE, 0, missed, size, 0);
}

/** s:d by n:1 where n divides s, as most divides are: (n,s/n):(d,n*d). False: it is another case. */
TSR_LOCAL bool tsr_divide_run_(tsr_layout *r, tsr_layout const *l, tsr_layout const *tiler)
{
    tsr_leaf const s = l->shape.leaf[0], d = l->stride.leaf[0], n = tiler->shape.leaf[0], by = tiler->stride.leaf[0];
    if (!tsr_is_leaf(&l->shape) || !tsr_is_leaf(&tiler->shape) || !tsr_leaf_is_int(d) || d.value == 0
        || !tsr_leaf_is(by, 1) || n.value < 2 || n.value >= s.value || s.value % n.value != 0)
        return false;
    tsr_push_mode_(r, n, d);
    tsr_push_mode_(r, tsr_leaf_ceil_div(s, n), tsr_leaf_mul(n, d));
    tsr_enclose_layout_(r);
    return true;
}

/** A layout by a tiler that is one, into r, which has no modes: mode 0 the tile, mode 1 the tiles. */
TSR_LOCAL void tsr_divide_whole_(tsr_layout *r, tsr_layout const *l, tsr_layout const *tiler)
{
    if (l->shape.status || tiler->shape.status) {
        *r = l->shape.status ? *l : *tiler;
        return;
    }
    if (tsr_divide_run_(r, l, tiler))
        return;
    if (tsr_is_leaf(&l->shape) || (tsr_is_coalesced_(l) && tsr_is_flat_(&l->shape))) {
        tsr_divide_upto_(r, l, tiler, &l->shape);
        return;
    }
    tsr_layout flat TSR_SCRATCH;
    tsr_begin_(&flat);
    tsr_put_coalesced_(&flat, l, false);
    if (flat.shape.status)
        *r = tsr_invalid_layout(flat.shape);
    else
        tsr_divide_upto_(r, l, tiler, &flat.shape);
}

/** The first halves of the pairs at the leaves of the tiler, then the second halves. A mode under `_` is no pair: its
 *  tile is _1:_0, and its rest is the whole mode. */
TSR_LOCAL void tsr_unzip_(tsr_layout *l, tsr_layout const *by)
{
    if (!tsr_by_is_tuple_(by) && !tsr_by_is_wild_(by) && !by->shape.status && tsr_mode_count(&l->shape) == 2)
        return; /* one pair */
    tsr_tuple const guide = tsr_tiler_profile_(by);
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    tsr_put_zip2_(&shape, &l->shape, &guide, 1);
    if (!l->shape.status && !shape.status) {
        tsr_put_zip2_(&stride, &l->stride, &guide, 0);
        l->stride = stride;
    }
    l->shape = shape;
}

TSR_OP tsr_layout tsr_tile_unzip_by(tsr_layout l, tsr_tiler t)
{
    tsr_unzip_(&l, &t.by);
    return l;
}

/** Mode 1, and mode 0 when `both`, opened into their own modes. */
TSR_LOCAL void tsr_open_(tsr_layout *l, bool both)
{
    for (int i = 1; i >= !both && !l->shape.status; --i) {
        tsr_open_mode_(&l->shape, i);
        tsr_open_mode_(&l->stride, i);
        if (!l->shape.status && l->stride.status)
            l->shape = l->stride;
    }
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

/** L o (T, complement(T)) for a swizzled T. A T that is a plain layout all the same is taken as that layout. Any
 *  other T must stay among its offsets without the swizzle, which the complement completes. */
TSR_LOCAL tsr_layout tsr_divide_swizzled_(tsr_layout const *l, tsr_layout const *tiler)
{
    tsr_demand_ const alone = {0, {tiler, 0}, {0, 0}, 0};
    tsr_layout const plain = tsr_fit_demand_(&alone, &tiler->shape, tsr_kind_of_two_(tiler, tiler), true);
    tsr_layout const inner = tsr_layout_inner(*tiler), bare = tsr_layout_inner(*l),
                     flat = tsr_coalesce_(&bare, false);
    if (plain.shape.status == TSR_OK) {
        tsr_layout whole = TSR_ZERO;
        tsr_divide_whole_(&whole, &bare, &plain);
        return tsr_rewrap_(*l, whole);
    }
    tsr_layout const rest = tsr_complement_in(inner, flat.shape);
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

TSR_INTERNAL void tsr_logical_divide_into_(tsr_layout *r, tsr_layout const *l, tsr_layout const *by)
{
    if (by->composed && !by->shape.status && !l->shape.status)
        *r = tsr_divide_swizzled_(l, by);
    else
        tsr_by_tiler_inside_(r, l, by, tsr_divide_whole_);
}

TSR_OP tsr_layout tsr_logical_divide_by(tsr_layout l, tsr_tiler t)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_logical_divide_into_(&r, &l, &t.by);
    return r;
}

/** Is it (s,..):(d,..) by (n,..), integers that divide the extents, as most divides are? */
TSR_LOCAL bool tsr_is_zipped_runs_(tsr_layout const *l, tsr_layout const *by)
{
    int const rank = l->shape.leaves;
    bool runs = tsr_is_plain_(l) && tsr_is_row_(&l->shape) && tsr_is_row_(&by->shape) && by->shape.leaves == rank
                && 2 * rank <= TSR_MAX_LEAVES;
    for (int i = 0; runs && i < rank; ++i) {
        tsr_leaf const s = l->shape.leaf[i], d = l->stride.leaf[i], n = by->shape.leaf[i];
        runs = n.tile == 1 && tsr_leaf_is_int(n) && by->stride.leaf[i].kind == TSR_ABSENT && tsr_leaf_is_int(s)
               && tsr_leaf_is_int(d) && d.value != 0 && n.value >= 2 && n.value < s.value && s.value % n.value == 0
               && tsr_leaf_is_int(tsr_leaf_mul(n, d));
    }
    return runs;
}

/** Of such a divide ((n,..),(s/n,..)):((d,..),(n*d,..)). */
TSR_LOCAL void tsr_zip_runs_(tsr_layout *r, tsr_layout const *l, tsr_layout const *by)
{
    int const rank = l->shape.leaves;
    for (int half = 0; half < 2; ++half) {
        int const first = r->shape.leaves, last = first + rank - 1;
        for (int i = 0; i < rank; ++i) {
            tsr_leaf const s = l->shape.leaf[i], d = l->stride.leaf[i];
            tsr_leaf const n = tsr_leaf_make((tsr_kind)by->shape.leaf[i].kind, by->shape.leaf[i].value);
            tsr_push_mode_(r, half == 0 ? n : tsr_leaf_ceil_div(s, n), half == 0 ? d : tsr_leaf_mul(n, d));
        }
        r->shape.leaf[first].open = r->stride.leaf[first].open = 1;
        r->shape.leaf[last].close = r->stride.leaf[last].close = 1;
    }
    tsr_enclose_layout_(r);
}

TSR_INTERNAL void tsr_zipped_divide_into_(tsr_layout *r, tsr_layout const *l, tsr_layout const *by)
{
    if (tsr_is_zipped_runs_(l, by)) {
        tsr_zip_runs_(r, l, by);
        return;
    }
    tsr_logical_divide_into_(r, l, by);
    tsr_unzip_(r, by);
}

TSR_OP tsr_layout tsr_zipped_divide_by(tsr_layout l, tsr_tiler t)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_zipped_divide_into_(&r, &l, &t.by);
    return r;
}

TSR_INTERNAL void tsr_tiled_divide_into_(tsr_layout *r, tsr_layout const *l, tsr_layout const *by)
{
    tsr_zipped_divide_into_(r, l, by);
    tsr_open_(r, false);
}

TSR_OP tsr_layout tsr_tiled_divide_by(tsr_layout l, tsr_tiler t)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_tiled_divide_into_(&r, &l, &t.by);
    return r;
}

TSR_INTERNAL void tsr_flat_divide_into_(tsr_layout *r, tsr_layout const *l, tsr_layout const *by)
{
    tsr_zipped_divide_into_(r, l, by);
    tsr_open_(r, true);
}

TSR_OP tsr_layout tsr_flat_divide_by(tsr_layout l, tsr_tiler t)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_flat_divide_into_(&r, &l, &t.by);
    return r;
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
