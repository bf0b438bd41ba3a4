/** The bodies of core/product.h. */
#ifndef TSR_CORE_BODY_PRODUCT_H
#define TSR_CORE_BODY_PRODUCT_H

#include "tessera/core/product.h"
#include "tessera/core/body/divide.h"
#include "tessera/core/body/join.h"
#include "tessera/core/body/slice.h"

TSR_HEADER_BEGIN

/** The offsets that a layout misses, in as many copies as one of `reach` offsets names, into r, which has no
 *  modes. */
TSR_LOCAL void tsr_put_repetition_(tsr_layout *r, tsr_layout const *block, tsr_leaf reach)
{
    tsr_leaf const bound = tsr_leaf_mul(tsr_product_leaf_(&block->shape), reach);
    tsr_tuple const cotarget = tsr_from_leaf(bound);
    tsr_put_complement_(r, block, &cotarget, reach.value);
}

/** The first mode that goes below 0, or -1. */
TSR_LOCAL int tsr_negative_mode_(tsr_layout const *l)
{
    for (int i = 0; i < l->shape.leaves; ++i)
        if (l->shape.leaf[i].kind != TSR_UNIT && l->shape.leaf[i].value > 1 && l->stride.leaf[i].value < 0)
            return i;
    return -1;
}

/** (block, complement(block) o tiler) for a tiler without a swizzle, into r, which has no modes. */
TSR_LOCAL void tsr_product_whole_(tsr_layout *r, tsr_layout const *block, tsr_layout const *tiler)
{
    tsr_layout rest TSR_SCRATCH, repeated TSR_SCRATCH;
    if (block->shape.status || tiler->shape.status) {
        *r = block->shape.status ? *block : *tiler;
        return;
    }
    int const basis = tsr_first_basis_(&tiler->stride);
    if (basis >= 0) {
        *r = tsr_bad_layout(TSR_BASIS_VALUES, basis, 0, 0, 0);
        return;
    }
    tsr_begin_(&rest);
    tsr_begin_(&repeated);
    tsr_put_repetition_(&rest, block, tsr_cosize_leaf_(tiler));
    int const below = rest.shape.status || rest.shape.leaves == 1 ? -1 : tsr_negative_mode_(tiler);
    if (below >= 0) {
        *r = tsr_bad_layout(TSR_PRODUCT_SIGN, below, tiler->stride.leaf[below].value, rest.shape.leaves, 0);
        return;
    }
    tsr_compose_within_(&repeated, &rest, tiler, TSR_INT_MAX);
    tsr_compose_told_(&repeated, TSR_PRODUCT_ZERO);
    if (repeated.shape.status)
        *r = tsr_invalid_layout(repeated.shape);
    else
        tsr_put_pair_(r, block, &repeated);
}

/** logical_product with a swizzled tiler, as CuTe has it: the swizzle is traced to the bits that the repetitions
 *  take. */
TSR_LOCAL tsr_layout tsr_product_traced_(tsr_layout block, tsr_layout tiler)
{
    if (tiler.twice)
        return tsr_bad_layout(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
    tsr_layout const inner = tsr_layout_inner(tiler);
    tsr_layout r = TSR_ZERO;
    tsr_by_tiler_inside_(&r, &block, &inner, tsr_product_whole_);
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
        return tsr_invalid_layout(tsr_from_leaf(tsr_leaf_refuse_(new_y, new_z)));
    return tsr_swizzled(tsr_make_swizzle_masks(new_y.value, new_z.value), r);
}

/** How many offsets a layout spans from the least, or from 0, to the greatest; of a large one, as many as its bits. */
TSR_LOCAL int64_t tsr_reach_(tsr_layout const *l)
{
    int64_t most = 0, least = 0;
    int64_t const size = tsr_layout_size(*l), cosize = tsr_cosize(tsr_layout_inner(*l));
    int const top = l->swizzle.bits + l->swizzle.base + (l->swizzle.shift < 0 ? -l->swizzle.shift : l->swizzle.shift);
    int const width = tsr_bit_width((uint64_t)tsr_max64(0, cosize - 1 + tsr_leaf_value(l->offset)));
    if (size > TSR_LAW_BUDGET)
        return (int64_t)1 << (width < top ? top : width);
    for (int64_t i = 0; i < size; ++i) {
        most = tsr_max64(most, tsr_layout_offset(l, i));
        least = tsr_min64(least, tsr_layout_offset(l, i));
    }
    return most - least + 1;
}

/** (block, complement(block) o tiler) for a swizzled tiler. */
TSR_LOCAL tsr_layout tsr_product_swizzled_(tsr_layout block, tsr_layout tiler)
{
    tsr_layout const inner = tsr_layout_inner(block), front = tsr_front_(block), bare = tsr_layout_inner(tiler);
    tsr_layout rest = TSR_ZERO;
    tsr_put_repetition_(&rest, &inner, tsr_leaf_static(tsr_reach_(&tiler)));
    int const below = rest.shape.status || rest.shape.leaves == 1 ? -1 : tsr_negative_mode_(&bare);
    if (rest.shape.status || below >= 0)
        return rest.shape.status
                   ? rest
                   : tsr_bad_layout(TSR_PRODUCT_SIGN, below, bare.stride.leaf[below].value, rest.shape.leaves, 0);
    tsr_layout const one = tsr_beside_(&inner, &bare, true), many = tsr_beside_(&tiler, &inner, false);
    tsr_demand_ const f = {block.composed ? &front : 0, {&one, &many}, {0, &rest}, 0};
    tsr_layout const traced = tsr_product_traced_(block, tiler);
    if (!traced.shape.status && tsr_demand_fails_(&f, &traced, tsr_layout_size(one)) < 0)
        return traced;
    return tsr_fit_demand_(&f, &one.shape, tsr_kind_of_two_(&block, &tiler), false);
}

TSR_LOCAL void tsr_logical_product_into_(tsr_layout *r, tsr_layout const *block, tsr_layout const *by)
{
    if (by->composed && !by->shape.status && !block->shape.status)
        *r = tsr_product_swizzled_(*block, *by);
    else
        tsr_by_tiler_inside_(r, block, by, tsr_product_whole_);
}

TSR_LOCAL void tsr_zipped_product_into_(tsr_layout *r, tsr_layout const *block, tsr_layout const *by)
{
    tsr_logical_product_into_(r, block, by);
    tsr_unzip_(r, by);
}

TSR_LOCAL void tsr_tiled_product_into_(tsr_layout *r, tsr_layout const *block, tsr_layout const *by)
{
    tsr_zipped_product_into_(r, block, by);
    tsr_open_(r, false);
}

TSR_LOCAL void tsr_flat_product_into_(tsr_layout *r, tsr_layout const *block, tsr_layout const *by)
{
    tsr_zipped_product_into_(r, block, by);
    tsr_open_(r, true);
}

TSR_OP tsr_layout tsr_logical_product_by(tsr_layout block, tsr_tiler t)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_logical_product_into_(&r, &block, &t.by);
    return r;
}

TSR_OP tsr_layout tsr_zipped_product_by(tsr_layout block, tsr_tiler t)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_zipped_product_into_(&r, &block, &t.by);
    return r;
}

TSR_OP tsr_layout tsr_tiled_product_by(tsr_layout block, tsr_tiler t)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_tiled_product_into_(&r, &block, &t.by);
    return r;
}

TSR_OP tsr_layout tsr_flat_product_by(tsr_layout block, tsr_tiler t)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_flat_product_into_(&r, &block, &t.by);
    return r;
}

/** One past the last leaf of the mode that begins at leaf `begin` of a list without parentheses around it. */
TSR_LOCAL int tsr_item_end_(tsr_tuple const *list, int begin)
{
    int depth = 0;
    for (int i = begin; i < list->leaves; ++i) {
        depth += list->leaf[i].open - list->leaf[i].close;
        if (depth <= 0)
            return i + 1;
    }
    return list->leaves;
}

/** How many modes of such a list begin at leaf b or later, and before leaf e. */
TSR_LOCAL int tsr_items_(tsr_tuple const *list, int b, int e)
{
    int n = 0;
    for (int i = b; i < e; i = tsr_item_end_(list, i))
        ++n;
    return n;
}

/** Mode `raked` of a pair beside the other one, mode by mode, into r, which has no modes; of an integer block (`one`)
 *  there is one. The parentheses of the pair are used up. */
TSR_LOCAL void tsr_put_interleaved_(tsr_tuple *r, tsr_tuple *t, bool one, bool raked)
{
    int const half = tsr_mode_end_(t, 0), own = !one, end[2] = {half, t->leaves};
    int at[2] = {0, half};
    if (t->leaf[0].kind == TSR_UNIT && t->leaf[0].open == 1 && half == 1) { /* () beside (): ranks are equal */
        tsr_enclose_all_(r);
        return;
    }
    t->leaf[0].open = (uint8_t)(t->leaf[0].open - 1 - own);
    t->leaf[half - 1].close = (uint8_t)(t->leaf[half - 1].close - own);
    t->leaf[half].open = (uint8_t)(t->leaf[half].open - own);
    t->leaf[t->leaves - 1].close = (uint8_t)(t->leaf[t->leaves - 1].close - 1 - own);
    int const rank = one ? 1 : tsr_items_(t, 0, half), beside = one ? 1 : tsr_items_(t, half, t->leaves);
    if (rank != beside) {
        *r = tsr_bad_tuple(TSR_ZIP_RANK, 1, rank, beside, 0);
        return;
    }
    for (int i = 0; i < rank; ++i) {
        int const first = r->leaves;
        for (int k = 0; k < 2; ++k) {
            int const from = k ^ (int)raked, to = one ? end[from] : tsr_item_end_(t, at[from]);
            while (at[from] < to)
                r->leaf[r->leaves++] = t->leaf[at[from]++];
        }
        ++r->leaf[first].open;
        ++r->leaf[r->leaves - 1].close;
        if (r->leaf[first].open > TSR_MAX_OPEN) {
            *r = tsr_bad_tuple(TSR_DEPTH, 0, 0, 0, 0);
            return;
        }
    }
    tsr_enclose_all_(r);
}

TSR_LOCAL tsr_layout tsr_interleave_(tsr_layout *block, tsr_layout *tiler, bool raked)
{
    tsr_layout p = TSR_ZERO;
    tsr_layout both TSR_SCRATCH;
    if (block->shape.status || tiler->shape.status)
        return block->shape.status ? *block : *tiler;
    int const rb = tsr_mode_count(&block->shape), rt = tsr_mode_count(&tiler->shape);
    if (rb < rt)
        *block = tsr_layout_pad(*block, rt);
    if (rt < rb)
        *tiler = tsr_layout_pad(*tiler, rb);
    bool const one = tsr_is_leaf(&block->shape);
    if (!one && tsr_is_leaf(&tiler->shape)) /* an integer beside a tuple of one mode is one, too */
        tsr_enclose_layout_(tiler);
    tsr_logical_product_into_(&p, block, tiler);
    if (p.shape.status)
        return p;
    tsr_begin_(&both);
    tsr_put_interleaved_(&both.shape, &p.shape, one, raked);
    tsr_put_interleaved_(&both.stride, &p.stride, one, raked);
    p.shape.leaves = p.stride.leaves = 0;
    tsr_push_layout_(&p, &both);
    if (!p.shape.status && p.stride.status)
        p.shape = p.stride;
    return p;
}

TSR_OP tsr_layout tsr_blocked_product(tsr_layout block, tsr_layout tiler)
{
    return tsr_interleave_(&block, &tiler, false);
}

TSR_OP tsr_layout tsr_raked_product(tsr_layout block, tsr_layout tiler)
{
    return tsr_interleave_(&block, &tiler, true);
}

TSR_OP tsr_layout tsr_tile_to_shape_ordered(tsr_layout block, tsr_tuple target, tsr_tuple order)
{
    if (block.shape.status || target.status || order.status)
        return block.shape.status ? block : tsr_invalid_layout(target.status ? target : order);
    int const rank = tsr_mode_count(&target);
    if (tsr_mode_count(&block.shape) > rank)
        return tsr_bad_layout(TSR_TILE_RANK, 0, tsr_mode_count(&block.shape), rank, 0);
    tsr_layout const padded = tsr_layout_pad(tsr_layout_inner(block), rank);
    tsr_tuple const have = tsr_product_each(padded.shape), want = tsr_product_each(target);
    if (have.status || want.status)
        return tsr_invalid_layout(have.status ? have : want);
    bool const is_static = tsr_none_dynamic_(&want);
    for (int i = 0; i < want.leaves; ++i) {
        int64_t const n = (int64_t)tsr_leaf_extent(have.leaf[i]);
        if (is_static && (int64_t)tsr_leaf_extent(want.leaf[i]) % n != 0)
            return tsr_bad_layout(TSR_TILE_SHAPE, i, want.leaf[i].value, n, 0);
    }
    tsr_layout const repeat = tsr_make_ordered_layout(tsr_tuple_ceil_div(want, have), order);
    return tsr_rewrap_(block, tsr_blocked_product(padded, repeat));
}

TSR_OP tsr_layout tsr_tile_to_shape(tsr_layout block, tsr_tuple target)
{
    return tsr_tile_to_shape_ordered(block, target, tsr_left());
}

TSR_OP tsr_layout tsr_make_fragment_like(tsr_layout l)
{
    if (l.shape.status)
        return l;
    int const rank = tsr_mode_count(&l.shape);
    bool const is_static = tsr_none_dynamic_(&l.shape);
    l = tsr_layout_inner(l);
    if (rank <= 1 || !is_static)
        return tsr_make_layout_compact(l.shape);
    tsr_tuple const s0 = tsr_tuple_get(l.shape, 0), d0 = tsr_tuple_get(l.stride, 0);
    tsr_layout const first = tsr_layout_unchecked(s0, tsr_compact_col_major(tsr_filter_zeros_by(d0, s0)));
    tsr_layout const rest =
        tsr_make_ordered_layout(tsr_tuple_take(l.shape, 1, rank), tsr_tuple_take(l.stride, 1, rank));
    tsr_layout r = TSR_ZERO;
    tsr_product_whole_(&r, &first, &rest);
    tsr_open_(&r, false);
    return r;
}

TSR_HEADER_END

#endif
