/** The bodies of core/slice.h. */
#ifndef TSR_CORE_BODY_SLICE_H
#define TSR_CORE_BODY_SLICE_H

#include "tessera/core/slice.h"
#include "tessera/core/body/compose.h"
#include "tessera/core/body/law.h"
#include "tessera/core/body/swizzle.h"

TSR_HEADER_BEGIN

/** Pushes the modes of t under `_` (keep) or under an integer (!keep). Returns false on a misfit. */
TSR_LOCAL bool tsr_pick_(tsr_tuple *list, tsr_sub_ coord, tsr_sub_ t, bool keep)
{
    if (tsr_sub_is_leaf_(coord)) {
        if ((coord.t->leaf[coord.b].kind == TSR_WILD) == keep)
            tsr_put_sub_(list, t);
        return true;
    }
    int const rank = tsr_sub_count_(coord), modes = tsr_sub_count_(t);
    if (tsr_sub_is_leaf_(t) || modes != rank) {
        *list = tsr_bad_tuple(tsr_sub_is_leaf_(t) ? TSR_COORD_LEAF : TSR_COORD, 0, rank, modes, 0);
        return false;
    }
    for (int i = 0, c = coord.b, b = t.b; i < rank; ++i) {
        tsr_sub_ const at = tsr_sub_mode_(coord, c), mode = tsr_sub_mode_(t, b);
        if (!tsr_pick_(list, at, mode, keep))
            return false;
        c = at.e;
        b = mode.e;
    }
    return true;
}

/** The modes of t under `_` or under integers into r, which has no modes. */
TSR_LOCAL void tsr_put_picked_(tsr_tuple *r, tsr_tuple const *coord, tsr_tuple const *t, bool keep)
{
    if (coord->status || t->status)
        *r = coord->status ? *coord : *t;
    else if (tsr_is_leaf(coord) && (coord->leaf[0].kind == TSR_WILD) == keep)
        tsr_tuple_push(r, t);
    else if (tsr_pick_(r, tsr_sub_whole_(coord), tsr_sub_whole_(t), keep))
        tsr_enclose_all_(r);
}

TSR_OP tsr_tuple tsr_tuple_slice(tsr_tuple coord, tsr_tuple t)
{
    tsr_tuple r = TSR_ZERO;
    tsr_put_picked_(&r, &coord, &t, true);
    return r;
}

TSR_OP tsr_tuple tsr_tuple_dice(tsr_tuple coord, tsr_tuple t)
{
    tsr_tuple r = TSR_ZERO;
    tsr_put_picked_(&r, &coord, &t, false);
    return r;
}

TSR_OP bool tsr_has_wildcard(tsr_tuple const *t)
{
    for (int i = 0; i < t->leaves; ++i)
        if (t->leaf[i].kind == TSR_WILD)
            return true;
    return false;
}

TSR_LOCAL bool tsr_all_wild_(tsr_tuple const *t)
{
    for (int i = 0; i < t->leaves; ++i)
        if (t->leaf[i].kind != TSR_WILD)
            return false;
    return true;
}

/** The modes of l under `_` or under integers into r, which has no modes, without the swizzle of l. */
TSR_LOCAL void tsr_put_picked_layout_(tsr_layout *r, tsr_tuple const *coord, tsr_layout const *l, bool keep)
{
    tsr_put_picked_(&r->shape, coord, &l->shape, keep);
    tsr_put_picked_(&r->stride, coord, &l->stride, keep);
    if (!r->shape.status && r->stride.status)
        r->shape = r->stride;
}

TSR_LOCAL tsr_layout tsr_slice_inner_(tsr_tuple coord, tsr_layout l)
{
    return tsr_layout_unchecked(tsr_tuple_slice(coord, l.shape), tsr_tuple_slice(coord, l.stride));
}

TSR_LOCAL tsr_layout tsr_dice_inner_(tsr_tuple coord, tsr_layout l)
{
    return tsr_layout_unchecked(tsr_tuple_dice(coord, l.shape), tsr_tuple_dice(coord, l.stride));
}

/** The offset of a coordinate in which `_` counts as _0. */
TSR_LOCAL tsr_tuple tsr_offset_of_(tsr_tuple coord, tsr_layout const *l)
{
    for (int i = 0; i < coord.leaves; ++i) {
        if (coord.leaf[i].kind == TSR_WILD) {
            coord.leaf[i].kind = TSR_STATIC;
            coord.leaf[i].value = 0;
        }
    }
    return tsr_crd2idx(coord, l->shape, l->stride);
}

/* Slices of a swizzle */

/** The parts of an offset that a swizzle leaves alone, or those it works on, as a layout on the 1-D offset. */
TSR_LOCAL tsr_layout tsr_projection_(tsr_swizzle sw, bool works)
{
    int const distance = sw.shift < 0 ? -sw.shift : sw.shift;
    tsr_row_ row = TSR_ZERO;
    tsr_row_push_(&row, tsr_leaf_static((int64_t)1 << sw.base), tsr_leaf_static(works ? 0 : 1));
    tsr_row_push_(&row, tsr_leaf_static((int64_t)1 << sw.bits), tsr_leaf_static(works ? (int64_t)1 << sw.base : 0));
    tsr_row_push_(&row, tsr_leaf_static((int64_t)1 << (distance - sw.bits)),
                  tsr_leaf_static(works || distance == sw.bits ? 0 : (int64_t)1 << (sw.base + sw.bits)));
    tsr_row_push_(&row, tsr_leaf_static((int64_t)1 << sw.bits),
                  tsr_leaf_static(works ? (int64_t)1 << (sw.base + distance) : 0));
    tsr_row_push_(&row, tsr_leaf_static(1),
                  tsr_leaf_static(works ? 0 : (int64_t)1 << (sw.base + distance + sw.bits)));
    return tsr_row_layout_(&row);
}

/** The swizzled bits Z (Y fixed by `offset`), or the swizzled bits Y (Z fixed): one mode of extent 2 for each bit. */
TSR_LOCAL void tsr_push_swizzled_bits_(tsr_row_ *row, tsr_swizzle sw, bool low, tsr_leaf offset)
{
    int64_t const y = tsr_swizzle_y_(sw) & -tsr_swizzle_y_(sw), z = tsr_swizzle_z_(sw) & -tsr_swizzle_z_(sw);
    bool const is_z = low ? z < y : z > y;
    for (int i = 0; i < sw.bits; ++i) {
        int64_t const two = (int64_t)1 << i, fixed = two * (is_z ? y : z);
        int64_t const plus = two * (is_z ? z : y + z), minus = two * (is_z ? -z : y - z);
        tsr_leaf const bit = tsr_leaf_and(offset, tsr_leaf_static(fixed));
        tsr_leaf const stride = tsr_leaf_make(tsr_leaf_is_static(bit) ? TSR_STATIC : TSR_DYNAMIC,
                                              tsr_leaf_value(bit) == 0 ? plus : minus);
        tsr_row_push_(row, tsr_leaf_static(2), stride);
    }
}

/** The kept modes behind the swizzle, with the fixed coordinates in its offset. */
TSR_LOCAL tsr_offset_layout tsr_slice_moved_(tsr_layout l, tsr_layout kept, tsr_tuple fixed)
{
    tsr_offset_layout r = TSR_ZERO;
    tsr_leaf const was = tsr_leaf_dynamic(tsr_leaf_value(l.offset)), plus = tsr_as_leaf_(fixed);
    tsr_leaf const at = tsr_leaf_add(was, plus);
    r.offset = tsr_s(0);
    r.layout = kept.shape.status || fixed.status ? tsr_invalid_layout(fixed.status ? fixed : kept.shape)
                                                 : tsr_make_composed_layout(l.swizzle, tsr_from_leaf(at), kept);
    if (!r.layout.shape.status && tsr_is_unit(&kept.shape)) { /* nothing is left for a swizzle to stand in front of */
        r.offset = tsr_from_leaf(tsr_swizzle_leaf_(l.swizzle, at));
        r.layout = kept;
    }
    return r;
}

/** The slice, if it obeys its law; otherwise the general form of this slice. */
TSR_LOCAL tsr_offset_layout tsr_slice_obeys_(tsr_offset_layout r, tsr_layout l, tsr_layout kept, tsr_tuple fixed)
{
    int64_t at = 0;
    if (r.layout.shape.status || r.offset.status || fixed.status || kept.shape.status) {
        r.layout = r.layout.shape.status || !fixed.status ? r.layout : tsr_invalid_layout(fixed);
        return r;
    }
    tsr_offset_layout const moved = tsr_slice_moved_(l, kept, fixed);
    if (moved.layout.shape.status)
        return moved;
    tsr_chain_ const wanted = {&moved.layout, 0, 0, tsr_leaf_value(tsr_as_leaf_(moved.offset))};
    tsr_chain_ const got = {&r.layout, 0, 0, tsr_leaf_value(tsr_as_leaf_(r.offset))};
    return tsr_chains_agree_(wanted, got, tsr_layout_size(kept), &at) ? r : moved;
}

/** A slice of Sw o off o L, as CuTe has it. Where the kept modes reach Y or Z bits but not both of a pair, the
 *  swizzle of the rest is linear. The slice is then a plain layout, with dynamic strides where they depend on dynamic
 *  bits. Otherwise, and where an extent does not split into bits, the swizzle stays and the fixed bits go into its
 *  offset. */
TSR_LOCAL tsr_offset_layout tsr_slice_bits_(tsr_tuple coord, tsr_layout l)
{
    tsr_offset_layout r = TSR_ZERO;
    tsr_layout const inner = tsr_layout_inner(l), kept = tsr_slice_inner_(coord, inner),
                     fixed = tsr_dice_inner_(coord, inner);
    tsr_tuple const fixed_coord = tsr_tuple_dice(coord, coord);
    r.offset = tsr_s(0);
    if (tsr_all_wild_(&coord)) {
        r.layout = tsr_rewrap_(l, kept);
        return r;
    }
    if (l.twice) {
        r.layout = tsr_bad_layout(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
        return r;
    }
    tsr_layout const alone = tsr_composition_layout_(tsr_projection_(l.swizzle, false), fixed);
    tsr_layout const works = tsr_composition_layout_(tsr_projection_(l.swizzle, true), fixed);
    tsr_layout const kept_works = tsr_composition_layout_(tsr_projection_(l.swizzle, true), kept);
    tsr_tuple const bits = tsr_to_mixed_bits(works.shape, works.stride, tsr_idx2crd(fixed_coord, works.shape));
    tsr_tuple const passed = tsr_crd2idx(fixed_coord, alone.shape, alone.stride);
    tsr_tuple const reach = tsr_crd2idx(tsr_lift2_(tsr_leaf_sub, tsr_product(kept_works.shape), tsr_s(1)),
                                        kept_works.shape, kept_works.stride);
    tsr_tuple const why = bits.status ? bits : passed.status ? passed : reach;
    if (why.status) {
        r.layout = tsr_invalid_layout(why);
        return r;
    }
    tsr_leaf const offset = tsr_leaf_xor(l.offset, bits.leaf[0]), active = tsr_as_leaf_(reach);
    int64_t const swizzled = tsr_leaf_value(tsr_swizzle_leaf_(l.swizzle, tsr_leaf_static(active.value)));
    if (tsr_leaf_is_static(active) && (active.value & ~swizzled) != 0) {
        r.layout = tsr_composition_offset(l.swizzle, tsr_from_leaf(offset), kept);
        r.offset = passed;
        return tsr_slice_obeys_(r, l, kept, tsr_offset_of_(coord, &inner));
    }
    int const distance = l.swizzle.shift < 0 ? -l.swizzle.shift : l.swizzle.shift;
    tsr_row_ row = TSR_ZERO;
    tsr_row_push_(&row, tsr_leaf_static((int64_t)1 << l.swizzle.base), tsr_leaf_static(1));
    tsr_push_swizzled_bits_(&row, l.swizzle, true, offset);
    tsr_row_push_(&row, tsr_leaf_static((int64_t)1 << (distance - l.swizzle.bits)),
                  tsr_leaf_static((int64_t)1 << (l.swizzle.base + l.swizzle.bits)));
    tsr_push_swizzled_bits_(&row, l.swizzle, false, offset);
    tsr_row_push_(&row, tsr_leaf_static(1),
                  tsr_leaf_static((int64_t)1 << (l.swizzle.base + l.swizzle.bits + distance)));
    tsr_row_coalesce_(&row, true);
    tsr_leaf const start = tsr_swizzle_leaf_(l.swizzle, offset);
    tsr_layout const linear = tsr_row_layout_(&row);
    tsr_compose_(&r.layout, &linear, &kept.shape, &kept.stride, TSR_INT_MAX);
    if (r.layout.shape.status == TSR_COMPOSE_SHAPE) /* three stages over bits of two */
        return tsr_slice_moved_(l, kept, tsr_offset_of_(coord, &inner));
    r.offset = tsr_from_leaf(tsr_leaf_add(start.kind == TSR_MIXED ? tsr_leaf_dynamic(tsr_leaf_value(start)) : start,
                                          tsr_as_leaf_(passed)));
    return tsr_slice_obeys_(r, l, kept, tsr_offset_of_(coord, &inner));
}

/** A slice of Sw o off o L. The bits of dynamic modes are not known when code is generated: then the swizzle stays. */
TSR_LOCAL tsr_offset_layout tsr_slice_swizzled_(tsr_tuple coord, tsr_layout l)
{
    tsr_offset_layout const r = tsr_slice_bits_(coord, l);
    if (!r.layout.shape.status || l.twice || tsr_all_static_(&l))
        return r;
    tsr_layout const inner = tsr_layout_inner(l);
    tsr_offset_layout const moved =
        tsr_slice_moved_(l, tsr_slice_inner_(coord, inner), tsr_offset_of_(coord, &inner));
    return moved.layout.shape.status ? r : moved;
}

/** Pushes the mode under a leaf of a coordinate. */
TSR_LOCAL void tsr_keep_under_(tsr_layout *r, tsr_under_ const *u, tsr_layout const *l)
{
    int const k = r->shape.leaves, n = u->e - u->b;
    for (int i = 0; i < n; ++i) {
        r->shape.leaf[k + i] = l->shape.leaf[u->b + i];
        r->stride.leaf[k + i] = l->stride.leaf[u->b + i];
    }
    r->shape.leaf[k].open = r->stride.leaf[k].open = (uint8_t)u->open;
    r->shape.leaf[k + n - 1].close = r->stride.leaf[k + n - 1].close = (uint8_t)u->close;
    r->shape.leaves = r->stride.leaves = (uint8_t)(k + n);
}

/** The slice of a layout of integers in one walk: what is kept into r, which has no modes, and the offset. False: it is
 *  another case. */
TSR_LOCAL bool tsr_slice_ints_(tsr_layout *r, tsr_leaf *sum, tsr_tuple const *coord, tsr_layout const *l)
{
    tsr_under_ u = TSR_ZERO;
    *sum = tsr_leaf_static(0);
    if (!tsr_are_ints_(&l->shape, &l->stride))
        return false;
    for (int j = 0; j < coord->leaves; ++j) {
        bool const keep = coord->leaf[j].kind == TSR_WILD;
        if (!tsr_next_under_(&u, coord->leaf[j], &l->shape))
            return false;
        if (keep)
            tsr_keep_under_(r, &u, l);
        else if (!tsr_add_term_(sum, coord->leaf[j], &u, &l->shape, &l->stride))
            return false;
    }
    if (!tsr_is_leaf(coord) || coord->leaf[0].kind != TSR_WILD)
        tsr_enclose_layout_(r);
    return u.e == l->shape.leaves;
}

/** The slice of a valid layout without a swizzle into r, which has no modes, and its offset. */
TSR_LOCAL void tsr_put_plain_slice_(tsr_layout *r, tsr_tuple *offset, tsr_tuple const *coord, tsr_layout const *l)
{
    tsr_leaf at = TSR_ZERO;
    if (tsr_slice_ints_(r, &at, coord, l)) {
        tsr_tuple_push_leaf(offset, at);
        return;
    }
    tsr_begin_(r);
    tsr_put_picked_layout_(r, coord, l, true);
    *offset = tsr_offset_of_(*coord, l);
    if (offset->status)
        *r = tsr_invalid_layout(*offset);
}

TSR_INTERNAL void tsr_put_slice_(tsr_layout *r, tsr_tuple *offset, tsr_tuple const *coord, tsr_layout const *l)
{
    if (coord->status || l->shape.status) {
        *r = coord->status ? tsr_invalid_layout(*coord) : *l;
    } else if (l->composed) {
        tsr_offset_layout const x = tsr_slice_swizzled_(*coord, *l);
        *r = x.layout;
        *offset = x.offset;
    } else {
        tsr_put_plain_slice_(r, offset, coord, l);
    }
}

TSR_OP tsr_offset_layout tsr_slice_and_offset(tsr_tuple coord, tsr_layout l)
{
    tsr_offset_layout r TSR_SCRATCH;
    tsr_begin_(&r.layout);
    tsr_begin_tuple_(&r.offset);
    tsr_put_slice_(&r.layout, &r.offset, &coord, &l);
    return r;
}

TSR_OP tsr_layout tsr_layout_slice(tsr_tuple coord, tsr_layout l)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    if (coord.status || l.shape.status)
        r = coord.status ? tsr_invalid_layout(coord) : l;
    else if (l.composed)
        r = tsr_slice_swizzled_(coord, l).layout;
    else
        tsr_put_picked_layout_(&r, &coord, &l, true);
    return r;
}

TSR_OP tsr_layout tsr_layout_dice(tsr_tuple coord, tsr_layout l)
{
    if (coord.status || l.shape.status)
        return coord.status ? tsr_invalid_layout(coord) : l;
    return tsr_with_(l, tsr_tuple_dice(coord, l.shape), tsr_tuple_dice(coord, l.stride));
}

TSR_HEADER_END

#endif
