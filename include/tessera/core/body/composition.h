/** The bodies of core/composition.h. */
#ifndef TSR_CORE_BODY_COMPOSITION_H
#define TSR_CORE_BODY_COMPOSITION_H

#include "tessera/core/composition.h"
#include "tessera/core/body/fit.h"
#include "tessera/core/body/offset.h"

TSR_HEADER_BEGIN

/** The swizzle as a layout of as many bits as an offset may have. */
TSR_LOCAL tsr_layout tsr_swizzle_alone_(tsr_swizzle sw)
{
    return tsr_make_composed_layout(sw, tsr_s(0), tsr_layout_unchecked(tsr_s((int64_t)1 << 40), tsr_s(1)));
}

/** The swizzle that l o sw is, moved to the front of l; not yet tried. */
TSR_LOCAL tsr_layout tsr_move_swizzle_(tsr_layout l, tsr_swizzle sw)
{
    if (l.shape.status || sw.status)
        return l.shape.status ? l : tsr_invalid_layout(tsr_swizzle_reason_(sw));
    tsr_tuple const y = tsr_layout_at(l, tsr_s(tsr_swizzle_y_(sw))), z = tsr_layout_at(l, tsr_s(tsr_swizzle_z_(sw)));
    tsr_leaf const ly = tsr_as_leaf_(y), lz = tsr_as_leaf_(z);
    if (!tsr_leaf_is_int(ly) || !tsr_leaf_is_int(lz))
        return tsr_invalid_layout(tsr_from_leaf(tsr_leaf_refuse_(ly, lz)));
    return tsr_swizzled(tsr_make_swizzle_masks(ly.value, lz.value), l);
}

TSR_OP tsr_layout tsr_composition_swizzle(tsr_layout l, tsr_swizzle sw)
{
    tsr_layout const inner = tsr_layout_inner(l), r = tsr_move_swizzle_(inner, sw), alone = tsr_swizzle_alone_(sw);
    tsr_demand_ const f = {&l, {&alone, 0}, {0, 0}, 0};
    bool const coordinates = tsr_has_basis(&l.stride); /* in front of which no swizzle stands */
    if (l.shape.status || sw.status || (r.shape.status && !coordinates))
        return r;
    if (!r.shape.status && tsr_demand_fails_(&f, &r, tsr_layout_size(l)) < 0)
        return r;
    tsr_layout const same = tsr_fit_demand_(&f, &l.shape, tsr_kind_of_two_(&l, &l), false);
    tsr_tuple const size = tsr_product(l.shape); /* the function may have other modes than L */
    return same.shape.status == TSR_FIT ? tsr_fit_demand_(&f, &size, tsr_kind_of_two_(&l, &l), false) : same;
}

/** A o B with the swizzle of B moved to the front, as CuTe moves it; not yet tried. */
TSR_LOCAL tsr_layout tsr_compose_moved_(tsr_layout a, tsr_layout b)
{
    if (!tsr_leaf_is(b.offset, 0) || a.twice || b.twice)
        return tsr_bad_layout(a.twice || b.twice ? TSR_SWIZZLE_TWICE : TSR_SWIZZLE_OFFSET, 0,
                              tsr_leaf_value(b.offset), 0, 0);
    tsr_layout const plain = tsr_layout_inner(a);
    tsr_layout r = tsr_move_swizzle_(plain, b.swizzle);
    r = tsr_compose_by_(r, tsr_tiler_of_layout(tsr_layout_inner(b)));
    if (r.shape.status || !r.composed)
        return tsr_rewrap_(a, r);
    r.twice = a.composed; /* the swizzle of B comes to stand behind that of A */
    r.outer_swizzle = a.swizzle;
    r.outer_offset = a.offset;
    return r;
}

/** A o B for a swizzled B. */
TSR_LOCAL tsr_layout tsr_compose_swizzled_(tsr_layout const *a, tsr_layout const *b)
{
    tsr_layout const moved = tsr_compose_moved_(*a, *b);
    tsr_demand_ const f = {a, {b, 0}, {0, 0}, 0};
    if (!moved.shape.status && tsr_demand_fails_(&f, &moved, tsr_layout_size(*b)) < 0)
        return moved;
    return tsr_fit_demand_(&f, &b->shape, tsr_kind_of_two_(a, b), false);
}

TSR_INTERNAL void tsr_composition_into_(tsr_layout *r, tsr_layout const *a, tsr_layout const *by)
{
    if (a->shape.status || by->shape.status || !by->composed)
        tsr_compose_tiler_(r, a, by);
    else
        *r = tsr_compose_swizzled_(a, by);
}

TSR_OP tsr_layout tsr_composition_by(tsr_layout a, tsr_tiler b)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_composition_into_(&r, &a, &b.by);
    return r;
}

TSR_OP tsr_layout tsr_composition_fit(tsr_layout a, tsr_layout b)
{
    tsr_demand_ const f = {&a, {&b, 0}, {0, 0}, 0};
    if (a.shape.status || b.shape.status)
        return a.shape.status ? a : b;
    tsr_tuple const why = tsr_meeting_why_(&a, &b);
    if (why.status)
        return tsr_invalid_layout(why);
    return tsr_fit_demand_(&f, &b.shape, tsr_kind_of_two_(&a, &b), false);
}

/** (a, b) into r, which has no modes. */
TSR_LOCAL void tsr_put_pair_(tsr_layout *r, tsr_layout const *a, tsr_layout const *b)
{
    tsr_push_layout_(r, a);
    tsr_push_layout_(r, b);
    tsr_enclose_layout_(r);
}

TSR_OP tsr_layout tsr_make_pair(tsr_layout const *a, tsr_layout const *b)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_put_pair_(&r, a, b);
    return r;
}

/** A right side whose offsets count in mode `mine` of (right, rest) only; the other mode has strides 0. */
TSR_LOCAL tsr_layout tsr_beside_(tsr_layout const *mine, tsr_layout const *other, bool first)
{
    tsr_layout rest = *other;
    rest.stride = tsr_zeros_(&other->stride);
    tsr_layout const both = first ? tsr_make_pair(mine, &rest) : tsr_make_pair(&rest, mine);
    return tsr_with_(*mine, both.shape, both.stride);
}

TSR_INTERNAL tsr_layout tsr_compose_first_(tsr_layout a, tsr_layout b)
{
    if (a.shape.status || b.shape.status || !b.composed)
        return tsr_composition_by(a, tsr_tile_2(tsr_tiler_of_layout(b), tsr_tiler_of_tuple(tsr_wild())));
    tsr_layout const rest = tsr_layout_unchecked(
        tsr_tuple_get(a.shape, 1),
        tsr_compact_col_major_after(tsr_tuple_get(a.shape, 1), tsr_product(tsr_tuple_get(a.shape, 0))));
    tsr_layout const one = tsr_beside_(&b, &rest, true), many = tsr_beside_(&rest, &b, false);
    tsr_demand_ const f = {&a, {&one, &many}, {0, 0}, 0};
    return rest.shape.status ? rest : tsr_fit_demand_(&f, &one.shape, tsr_kind_of_two_(&a, &b), false);
}

TSR_HEADER_END

#endif
