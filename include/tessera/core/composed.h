/** The algebra where a swizzle takes part: composition, divides and products.
 *
 *  Law     a swizzle in front of the left side stays in front. One that stands in front of the right side is part of the
 *          function: R(c) = A(Sw(off + B(c))), and the same where divides and products compose. It comes to the front as
 *          CuTe moves it, where that obeys the law; else the result is the layout of our form that has these values
 *          (core/fit.h), or there is none and FIT says where. Divides by a swizzled tiler ask more: its swizzle permutes
 *          it, and it divides without a remainder.
 *  Source  CuTe, include/cute/swizzle_layout.hpp and layout_composed.hpp.
 */
#ifndef TSR_CORE_COMPOSED_H
#define TSR_CORE_COMPOSED_H

#include "tessera/core/injective.h"
#include "tessera/core/join.h"
#include "tessera/core/locate.h"
#include "tessera/core/product.h"
#include "tessera/core/slice.h"

/* Composition */

/** The swizzle as a layout of as many bits as an offset may have. */
TSR_FN tsr_layout tsr_swizzle_alone_(tsr_swizzle sw)
{
    return tsr_make_composed_layout(sw, tsr_s(0), tsr_plain_(tsr_s((int64_t)1 << 40), tsr_s(1)));
}

/** The swizzle that l o sw is, moved to the front of l; not yet tried. */
TSR_FN tsr_layout tsr_move_swizzle_(tsr_layout l, tsr_swizzle sw)
{
    if (l.shape.status || sw.status)
        return l.shape.status ? l : tsr_invalid_(tsr_swizzle_reason_(sw));
    tsr_tuple const y = tsr_layout_at(l, tsr_s(tsr_swizzle_y_(sw))), z = tsr_layout_at(l, tsr_s(tsr_swizzle_z_(sw)));
    tsr_leaf const ly = tsr_as_leaf_(y), lz = tsr_as_leaf_(z);
    if (!tsr_leaf_is_int(ly) || !tsr_leaf_is_int(lz))
        return tsr_invalid_(tsr_from_leaf(tsr_leaf_refuse_(ly, lz)));
    return tsr_swizzled(tsr_make_swizzle_masks(ly.value, lz.value), l);
}

/** L o Sw: R(x) = L(Sw(x)) for x < size(L), the swizzle moved to the front, or fitted where L carries its bits over but
 *  not all of its numbers.
 *  Errors  SWIZZLE_MASKS where L does not carry the bits over; FIT. */
TSR_FN tsr_layout tsr_composition_swizzle(tsr_layout l, tsr_swizzle sw)
{
    tsr_layout const inner = tsr_inner_(l), r = tsr_move_swizzle_(inner, sw), alone = tsr_swizzle_alone_(sw);
    tsr_demand_ const f = {&l, {&alone, 0}, {0, 0}, 0};
    if (r.shape.status || tsr_demand_fails_(&f, &r, tsr_layout_size(l)) < 0)
        return r;
    tsr_layout const same = tsr_fit_demand_(&f, &l.shape, tsr_kind_of_two_(&l, &l), false);
    tsr_tuple const size = tsr_product(l.shape); /* the function may have other modes than L */
    return same.shape.status == TSR_FIT ? tsr_fit_demand_(&f, &size, tsr_kind_of_two_(&l, &l), false) : same;
}

/** A o B with the swizzle of B moved to the front, as CuTe moves it; not yet tried. */
TSR_FN tsr_layout tsr_compose_moved_(tsr_layout a, tsr_tiler b)
{
    if (!tsr_leaf_is(b.by.offset, 0) || a.twice || b.by.twice)
        return tsr_bad_layout(a.twice || b.by.twice ? TSR_SWIZZLE_TWICE : TSR_SWIZZLE_OFFSET, 0,
                              tsr_leaf_value(b.by.offset), 0, 0);
    tsr_layout const plain = tsr_inner_(a);
    tsr_layout r = tsr_move_swizzle_(plain, b.by.swizzle);
    r = tsr_compose_by_(r, tsr_tiler_of_layout(tsr_inner_(b.by)));
    if (r.shape.status || !r.composed)
        return tsr_rewrap_(a, r);
    r.twice = a.composed; /* the swizzle of B comes to stand behind that of A */
    r.outer_swizzle = a.swizzle;
    r.outer_offset = a.offset;
    return r;
}

/** A o B: A a layout, swizzled or not; B a layout, swizzled or not, an integer, `_`, or a tuple of these.
 *  Errors  COMPOSE_STRIDE, COMPOSE_SHAPE, COMPOSE_CARRY with the mode of B, the numbers, and a counterexample;
 *          TILER_RANK; OVERFLOW; CAPACITY; FIT.
 *  Example  composition((_4,_2):(_2,_1), Sw<1,0,1> o _0 o _4:_1)  =  Sw<1,1,1> o _0 o _4:_2 */
TSR_FN tsr_layout tsr_composition_by(tsr_layout a, tsr_tiler b)
{
    if (a.shape.status || b.by.shape.status || !b.by.composed)
        return tsr_compose_tiler_(&a, &b);
    tsr_layout const moved = tsr_compose_moved_(a, b);
    tsr_demand_ const f = {&a, {&b.by, 0}, {0, 0}, 0};
    if (!moved.shape.status && tsr_demand_fails_(&f, &moved, tsr_layout_size(b.by)) < 0)
        return moved;
    return tsr_fit_demand_(&f, &b.by.shape, tsr_kind_of_two_(&a, &b.by), false);
}

/** The layout with the values A(B(c)), where there is one, whether the condition of composition holds or not: what a
 *  refused composition would be.
 *  Example  composition_fit((_3,_4):(_9,_1), _3:_4)  =  _3:_10 */
TSR_FN tsr_layout tsr_composition_fit(tsr_layout a, tsr_layout b)
{
    tsr_demand_ const f = {&a, {&b, 0}, {0, 0}, 0};
    if (a.shape.status || b.shape.status)
        return a.shape.status ? a : b;
    return tsr_fit_demand_(&f, &b.shape, tsr_kind_of_two_(&a, &b), false);
}

/** A right side whose offsets count in mode `mine` of (right, rest) only; the other mode has strides 0. */
TSR_FN tsr_layout tsr_beside_(tsr_layout const *mine, tsr_layout const *other, bool first)
{
    tsr_layout rest = *other;
    rest.stride = tsr_zeros_(&other->stride);
    tsr_layout const both = first ? tsr_pair_(mine, &rest) : tsr_pair_(&rest, mine);
    return tsr_with_(*mine, both.shape, both.stride);
}

/** A by mode: mode 0 composed with B, which may be swizzled, mode 1 as it is. */
TSR_FN tsr_layout tsr_compose_first_(tsr_layout a, tsr_layout b)
{
    if (a.shape.status || b.shape.status || !b.composed)
        return tsr_composition_by(a, tsr_tile_2(tsr_tiler_of_layout(b), tsr_tiler_of_tuple(tsr_wild())));
    tsr_layout const rest = tsr_plain_(tsr_tuple_get(a.shape, 1), tsr_compact_col_major_from(
        tsr_tuple_get(a.shape, 1), tsr_product(tsr_tuple_get(a.shape, 0))));
    tsr_layout const one = tsr_beside_(&b, &rest, true), many = tsr_beside_(&rest, &b, false);
    tsr_demand_ const f = {&a, {&one, &many}, {0, 0}, 0};
    return rest.shape.status ? rest : tsr_fit_demand_(&f, &one.shape, tsr_kind_of_two_(&a, &b), false);
}

/* Divides */

/** The first element of a swizzled tiler that is no element of the tiler without its swizzle, or -1. */
TSR_FN int64_t tsr_first_moved_out_(tsr_layout const *tiler, int64_t size)
{
    bool const bits = tsr_is_pow2(size) && tsr_moves_bits_(tiler);
    for (int64_t t = 0; t < size; t = bits && t > 0 ? 2 * t : t + 1) {
        tsr_search_ s = TSR_ZERO;
        int64_t c[TSR_MAX_LEAVES] = {0};
        if ((!bits && t >= TSR_LAW_BUDGET)
            || tsr_locate_(&tiler->shape, &tiler->stride, tsr_offset_at_(tiler, t), c, &s) != TSR_OK)
            return t;
    }
    return -1;
}

/** L o (T, complement(T)) for a swizzled T: one that is a layout all the same is taken as that, and any other must
 *  stay among the offsets that it has without the swizzle, so that these are what the complement completes. */
TSR_FN tsr_layout tsr_divide_swizzled_(tsr_layout const *l, tsr_layout const *tiler)
{
    tsr_demand_ const alone = {0, {tiler, 0}, {0, 0}, 0};
    tsr_layout const plain = tsr_fit_demand_(&alone, &tiler->shape, tsr_kind_of_two_(tiler, tiler), true);
    tsr_layout const inner = tsr_inner_(*tiler), bare = tsr_inner_(*l), flat = tsr_coalesce_(&bare, false);
    if (plain.shape.status == TSR_OK)
        return tsr_rewrap_(*l, tsr_divide_whole_(&bare, &plain));
    tsr_layout const rest = tsr_complement_upto_(&inner, &flat.shape, 1);
    if (flat.shape.status || rest.shape.status)
        return flat.shape.status ? flat : rest;
    tsr_layout const both = tsr_pair_(&inner, &rest);
    int64_t const size = tsr_layout_size(*l), missed = tsr_first_missed_(&both, size);
    int64_t const out = tsr_first_moved_out_(tiler, tsr_layout_size(*tiler));
    if (missed < size || out >= 0)
        return missed < size ? tsr_bad_layout(TSR_DIVIDE_SIZE, 0, missed, size, 0)
                             : tsr_bad_layout(TSR_DIVIDE_SWIZZLE, 0, out, tsr_offset_at_(tiler, out), 0);
    tsr_layout const tile = tsr_beside_(tiler, &rest, true), tiles = tsr_beside_(&rest, tiler, false);
    tsr_demand_ const f = {l, {&tile, &tiles}, {0, 0}, 0};
    return tsr_fit_demand_(&f, &both.shape, tsr_kind_of_two_(l, tiler), false);
}

TSR_FN tsr_layout tsr_logical_divide_by(tsr_layout l, tsr_tiler t)
{
    return t.by.composed && !t.by.shape.status && !l.shape.status ? tsr_divide_swizzled_(&l, &t.by)
                                                                  : tsr_by_tiler_inside_(&l, &t, tsr_divide_whole_);
}

TSR_FN tsr_layout tsr_zipped_divide_by(tsr_layout l, tsr_tiler t)
{
    return tsr_tile_unzip_by(tsr_logical_divide_by(l, t), t);
}

TSR_FN tsr_layout tsr_tiled_divide_by(tsr_layout l, tsr_tiler t)
{
    return tsr_opened_(tsr_zipped_divide_by(l, t), false);
}

TSR_FN tsr_layout tsr_flat_divide_by(tsr_layout l, tsr_tiler t)
{
    return tsr_opened_(tsr_zipped_divide_by(l, t), true);
}

/* Products */

/** logical_product with a swizzled tiler, as CuTe has it: the swizzle is traced to the bits that the repetitions take. */
TSR_FN tsr_layout tsr_product_traced_(tsr_layout block, tsr_layout tiler)
{
    if (tiler.twice)
        return tsr_bad_layout(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
    tsr_layout const inner = tsr_inner_(tiler), r = tsr_plain_product_by_(block, tsr_tiler_of_layout(inner));
    tsr_layout const works = tsr_composition_layout_(tsr_projection_(tiler.swizzle, true), inner);
    if (r.shape.status || works.shape.status)
        return r.shape.status ? r : works;
    if (!tsr_leaf_is(tiler.offset, 0))
        return tsr_bad_layout(TSR_SWIZZLE_OFFSET, 0, tsr_leaf_value(tiler.offset), 0, 0);
    tsr_tuple const last = tsr_lift2_(tsr_leaf_sub, tsr_product(works.shape), tsr_s(1));
    tsr_leaf const active = tsr_as_leaf_(tsr_layout_at(works, last));
    tsr_tuple const z = tsr_from_leaf(tsr_leaf_and(active, tsr_leaf_static(tsr_swizzle_z_(tiler.swizzle))));
    tsr_tuple const y = tsr_from_leaf(tsr_leaf_and(active, tsr_leaf_static(tsr_swizzle_y_(tiler.swizzle))));
    tsr_leaf const new_z = tsr_as_leaf_(tsr_layout_at(r, tsr_tuple_2(tsr_s(0), tsr_layout_at(inner, z))));
    tsr_leaf const new_y = tsr_as_leaf_(tsr_layout_at(r, tsr_tuple_2(tsr_s(0), tsr_layout_at(inner, y))));
    if (!tsr_leaf_is_int(new_y) || !tsr_leaf_is_int(new_z))
        return tsr_invalid_(tsr_from_leaf(tsr_leaf_refuse_(new_y, new_z)));
    return tsr_swizzled(tsr_make_swizzle_masks(new_y.value, new_z.value), r);
}

/** How many offsets a layout spans from the least, or from 0, to the greatest; of a large one, as many as its bits. */
TSR_FN int64_t tsr_reach_(tsr_layout const *l)
{
    int64_t most = 0, least = 0;
    int64_t const size = tsr_layout_size(*l), cosize = tsr_cosize(tsr_inner_(*l));
    int const top = l->swizzle.bits + l->swizzle.base + (l->swizzle.shift < 0 ? -l->swizzle.shift : l->swizzle.shift);
    int const width = tsr_bit_width((uint64_t)tsr_max64(0, cosize - 1 + tsr_leaf_value(l->offset)));
    if (size > TSR_LAW_BUDGET)
        return (int64_t)1 << (width < top ? top : width);
    for (int64_t i = 0; i < size; ++i) {
        most = tsr_max64(most, tsr_offset_at_(l, i));
        least = tsr_min64(least, tsr_offset_at_(l, i));
    }
    return most - least + 1;
}

/** (block, complement(block) o tiler) for a swizzled tiler. */
TSR_FN tsr_layout tsr_product_swizzled_(tsr_layout block, tsr_layout tiler)
{
    tsr_layout const inner = tsr_inner_(block), front = tsr_front_(block), bare = tsr_inner_(tiler);
    tsr_layout const rest = tsr_repetition_(&inner, tsr_leaf_static(tsr_reach_(&tiler)));
    int const below = rest.shape.status || rest.shape.leaves == 1 ? -1 : tsr_negative_mode_(&bare);
    if (rest.shape.status || below >= 0)
        return rest.shape.status ? rest
                                 : tsr_bad_layout(TSR_PRODUCT_SIGN, below, bare.stride.leaf[below].value, rest.shape.leaves, 0);
    tsr_layout const one = tsr_beside_(&inner, &bare, true), many = tsr_beside_(&tiler, &inner, false);
    tsr_demand_ const f = {block.composed ? &front : 0, {&one, &many}, {0, &rest}, 0};
    tsr_layout const traced = tsr_product_traced_(block, tiler);
    if (!traced.shape.status && tsr_demand_fails_(&f, &traced, tsr_layout_size(one)) < 0)
        return traced;
    return tsr_fit_demand_(&f, &one.shape, tsr_kind_of_two_(&block, &tiler), false);
}

/** (L, complement(L) o T).
 *  Example  logical_product(_2:_1, Sw<1,0,1> o _0 o _4:_1)  =  Sw<1,1,1> o _0 o (_2,_4):(_1,_2) */
TSR_FN tsr_layout tsr_logical_product_by(tsr_layout block, tsr_tiler t)
{
    return t.by.composed && !t.by.shape.status && !block.shape.status ? tsr_product_swizzled_(block, t.by)
                                                                     : tsr_plain_product_by_(block, t);
}

TSR_FN tsr_layout tsr_zipped_product_by(tsr_layout block, tsr_tiler t)
{
    return tsr_tile_unzip_by(tsr_logical_product_by(block, t), t);
}

TSR_FN tsr_layout tsr_tiled_product_by(tsr_layout block, tsr_tiler t)
{
    return tsr_opened_(tsr_zipped_product_by(block, t), false);
}

TSR_FN tsr_layout tsr_flat_product_by(tsr_layout block, tsr_tiler t)
{
    return tsr_opened_(tsr_zipped_product_by(block, t), true);
}

/** Mode `raked` of a product beside the other one, mode by mode; of an integer block there is one. */
TSR_FN tsr_tuple tsr_interleave_modes_(tsr_tuple const *t, bool one, bool raked)
{
    tsr_tuple const both = tsr_tuple_2(tsr_get_(t, raked), tsr_get_(t, !raked));
    return one ? tsr_tuple_1(both) : tsr_tuple_zip(both);
}

TSR_FN tsr_layout tsr_interleave_(tsr_layout block, tsr_layout tiler, bool raked)
{
    if (block.shape.status || tiler.shape.status)
        return block.shape.status ? block : tiler;
    int const rb = tsr_rank_of_(&block.shape), rt = tsr_rank_of_(&tiler.shape), rank = rb < rt ? rt : rb;
    tsr_layout const padded = tsr_layout_pad(block, rank);
    tsr_layout repeat = tsr_layout_pad(tiler, rank);
    if (!tsr_is_leaf(&padded.shape)) /* an integer beside a tuple of one mode is one, too */
        repeat = tsr_with_(repeat, tsr_wrap(repeat.shape), tsr_wrap(repeat.stride));
    bool const one = tsr_is_leaf(&padded.shape);
    tsr_layout const p = tsr_logical_product_by(padded, tsr_tiler_of_layout(repeat));
    return p.shape.status ? p
                          : tsr_with_(p, tsr_interleave_modes_(&p.shape, one, raked),
                                      tsr_interleave_modes_(&p.stride, one, raked));
}

/** The block's elements next to each other, blocks in the order of the tiler. */
TSR_FN tsr_layout tsr_blocked_product(tsr_layout block, tsr_layout tiler)
{
    return tsr_interleave_(block, tiler, false);
}

/** Blocks interleaved like the prongs of a rake. */
TSR_FN tsr_layout tsr_raked_product(tsr_layout block, tsr_layout tiler) { return tsr_interleave_(block, tiler, true); }

/** The block repeated until it fills `target`, the repetitions in `order` (a tuple of orders, or tsr_left()).
 *  Errors  TILE_RANK; for a static target TILE_SHAPE (the block must divide it). */
TSR_FN tsr_layout tsr_tile_to_shape_in(tsr_layout block, tsr_tuple target, tsr_tuple order)
{
    if (block.shape.status || target.status || order.status)
        return block.shape.status ? block : tsr_invalid_(target.status ? target : order);
    int const rank = tsr_rank_of_(&target);
    if (tsr_rank_of_(&block.shape) > rank)
        return tsr_bad_layout(TSR_TILE_RANK, 0, tsr_rank_of_(&block.shape), rank, 0);
    tsr_layout const padded = tsr_layout_pad(tsr_inner_(block), rank);
    tsr_tuple const have = tsr_product_each(padded.shape), want = tsr_product_each(target);
    bool is_static = true;
    if (have.status || want.status)
        return tsr_invalid_(have.status ? have : want);
    for (int i = 0; i < want.leaves; ++i)
        is_static = is_static && tsr_leaf_is_static(want.leaf[i]);
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

#endif
