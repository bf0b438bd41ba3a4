/** The algebra where a swizzle takes part: composition, products, inverses, and what vectors two layouts share.
 *
 *  Law     a swizzle in front of a layout stays in front; one that ends up behind a layout moves to the front when
 *          the layout maps its bits onto equal runs of bits.
 *  Source  CuTe, include/cute/swizzle_layout.hpp and layout_composed.hpp.
 */
#ifndef TSR_CORE_COMPOSED_H
#define TSR_CORE_COMPOSED_H

#include "tessera/core/injective.h"
#include "tessera/core/product.h"
#include "tessera/core/slice.h"

/** r where it agrees with first(second(x)) for every x < size; the first x where it does not, otherwise. */
TSR_FN tsr_layout tsr_agreeing_(tsr_layout r, tsr_layout const *first, tsr_layout const *second, int64_t size)
{
    int64_t at = 0;
    tsr_chain_ const got = {&r, 0, 0, 0}, wanted = {first, second, 0, 0};
    if (r.shape.status || tsr_chains_agree_(got, wanted, size, &at))
        return r;
    return tsr_bad_layout(TSR_SWIZZLE_LAW, 0, at, tsr_chain_at_(got, at), tsr_chain_at_(wanted, at));
}

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
    if (!tsr_leaf_is_static(ly) || !tsr_leaf_is_static(lz))
        return tsr_bad_layout(TSR_STATIC_ONLY, 0, tsr_leaf_is_static(ly) ? lz.value : ly.value, 0, 0);
    return tsr_swizzled(tsr_make_swizzle_masks(ly.value, lz.value), l);
}

/** L o Sw: R(x) = L(Sw(x)) for x < size(L), the swizzle moved to the front.
 *  Errors  SWIZZLE_MASKS, SWIZZLE_LAW where L does not carry the bits of the swizzle over. */
TSR_FN tsr_layout tsr_composition_swizzle(tsr_layout l, tsr_swizzle sw)
{
    tsr_layout const r = tsr_move_swizzle_(l, sw), alone = tsr_swizzle_alone_(sw);
    return r.shape.status ? r : tsr_agreeing_(r, &l, &alone, tsr_layout_size(l));
}

/** A o B: A a layout, swizzled or not; B a layout, swizzled or not, an integer, `_`, or a tuple of these.
 *  Errors  COMPOSE_STRIDE, COMPOSE_SHAPE, COMPOSE_CARRY with the mode of B, the numbers, and a counterexample;
 *          TILER_RANK; OVERFLOW; CAPACITY. */
TSR_FN tsr_layout tsr_composition_by(tsr_layout a, tsr_tiler b)
{
    if (a.shape.status || b.by.shape.status || !b.by.composed)
        return tsr_compose_tiler_(&a, &b);
    if (!tsr_leaf_is(b.by.offset, 0) || a.twice || b.by.twice)
        return tsr_bad_layout(a.twice || b.by.twice ? TSR_SWIZZLE_TWICE : TSR_SWIZZLE_OFFSET, 0,
                              tsr_leaf_value(b.by.offset), 0, 0);
    tsr_layout const plain = tsr_inner_(a);
    tsr_layout r = tsr_move_swizzle_(plain, b.by.swizzle);
    r = tsr_compose_by_(r, tsr_tiler_of_layout(tsr_inner_(b.by)));
    r = r.shape.status ? r : tsr_agreeing_(r, &plain, &b.by, tsr_layout_size(b.by));
    if (r.shape.status || !r.composed)
        return tsr_rewrap_(a, r);
    r.twice = a.composed; /* the swizzle of B comes to stand behind that of A */
    r.outer_swizzle = a.swizzle;
    r.outer_offset = a.offset;
    return r;
}

/** logical_product with a swizzled tiler: the swizzle is traced to the bits that the repetitions take. */
TSR_FN tsr_layout tsr_product_swizzled_(tsr_layout block, tsr_layout tiler)
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

/* Inverses */

/** Does each stride reach beyond the span of the smaller ones, and has every mode more than one element? Then CuTe's
 *  left inverse is one. */
TSR_FN bool tsr_spans_nest_(tsr_layout const *l)
{
    for (int i = 0; i < l->shape.leaves; ++i) {
        int64_t const s = l->shape.leaf[i].value, d = l->stride.leaf[i].value;
        if (s == 1 && !tsr_leaf_is(l->shape.leaf[i], 1))
            return false;
        for (int k = 0; k < l->shape.leaves; ++k) {
            int64_t const larger = l->stride.leaf[k].value;
            bool const counts = k != i && s > 1 && l->shape.leaf[k].value > 1;
            if (counts && larger >= d && larger / s < d)
                return false;
        }
    }
    return true;
}

TSR_FN tsr_layout tsr_inverse_(tsr_layout l, bool right)
{
    if (l.shape.status)
        return l;
    if (l.twice)
        return tsr_bad_layout(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
    if (l.composed && !tsr_leaf_is(l.offset, 0))
        return tsr_bad_layout(TSR_SWIZZLE_OFFSET, 0, tsr_leaf_value(l.offset), 0, 0);
    tsr_layout const inner = right ? tsr_plain_right_inverse_(&l) : tsr_plain_left_inverse_(&l);
    tsr_layout const r = l.composed ? tsr_move_swizzle_(inner, l.swizzle) : inner;
    if (r.shape.status || (!l.composed && (right || tsr_spans_nest_(&l))))
        return r;
    tsr_layout const *const domain = right ? &r : &l;
    int64_t const size = tsr_layout_size(*domain);
    bool const several = !right && tsr_is_injective(l).answer == TSR_NO;
    for (int64_t x = 0; x < size; ++x) {
        int64_t const there = tsr_offset_at_(domain, x), back = tsr_offset_at_(right ? &l : &r, there);
        bool const quasi = several && tsr_offset_at_(&l, back) == there;
        if (x >= TSR_LAW_BUDGET || (back != x && !quasi))
            return tsr_bad_layout(TSR_INVERSE_LAW, 0, x, there, back);
    }
    return r;
}

/** R with L(R(i)) = i for i < size(R), as large as the static modes of L allow. Modes of dynamic stride are skipped. */
TSR_FN tsr_layout tsr_right_inverse(tsr_layout l) { return tsr_inverse_(l, true); }

/** R with R(L(i)) = i, or L(R(L(i))) = L(i) where several coordinates have one offset. Errors: INVERSE_DYNAMIC,
 *  INVERSE_DIVIDES, INVERSE_LAW. */
TSR_FN tsr_layout tsr_left_inverse(tsr_layout l) { return tsr_inverse_(l, false); }

/** The inverse of an offset is its negative; `_` stays. */
TSR_FN tsr_tuple tsr_offset_inverse(tsr_tuple t)
{
    if (!t.status && tsr_is_leaf(&t) && t.leaf[0].kind == TSR_WILD)
        return t;
    return t.status ? t : tsr_from_leaf(tsr_leaf_neg(tsr_as_leaf_(t)));
}

/** The modes of static stride 0, as strides into the domain: L(R(i)) = 0. A swizzled layout gives _1:_0. */
TSR_FN tsr_layout tsr_nullspace(tsr_layout l)
{
    return l.composed && !l.shape.status ? tsr_pad_() : tsr_plain_nullspace_(l);
}

/* Common vectors */

TSR_FN tsr_layout tsr_common_(tsr_layout a, tsr_layout inverse)
{
    return tsr_layout_coalesce(tsr_composition_layout_(a, inverse));
}

/** Does a flat layout begin with a static run of stride _1? */
TSR_FN bool tsr_begins_contiguous_(tsr_layout const *l)
{
    return tsr_leaf_is_static(l->shape.leaf[0]) && tsr_leaf_is(l->stride.leaf[0], 1);
}

/** R with a(R(i)) = i and b(R(i)) = i: the contiguous elements that the two layouts have in common. */
TSR_FN tsr_layout tsr_max_common_layout(tsr_layout a, tsr_layout b)
{
    if (a.shape.status || b.shape.status)
        return a.shape.status ? a : b;
    if (a.twice || b.twice)
        return tsr_bad_layout(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
    if (a.composed && b.composed)
        return tsr_bad_layout(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
    if (a.composed || b.composed) {
        tsr_swizzle const sw = a.composed ? a.swizzle : b.swizzle;
        tsr_layout const r = tsr_max_common_layout(tsr_inner_(a.composed ? a : b), a.composed ? b : a);
        int64_t const limit = (int64_t)1 << sw.base;
        return r.shape.status || tsr_layout_size(r) <= limit ? r : tsr_compose_by_(r, tsr_tiler_of_tuple(tsr_s(limit)));
    }
    tsr_layout const inverse = tsr_right_inverse(b), common = tsr_common_(a, inverse);
    if (common.shape.status)
        return common;
    return tsr_begins_contiguous_(&common) ? tsr_composition_layout_(inverse, tsr_mode(common, 0)) : tsr_pad_();
}

/** The number of such elements, static. A swizzle limits it to 2^M, except between equal swizzles. */
TSR_FN tsr_tuple tsr_max_common_vector(tsr_layout a, tsr_layout b)
{
    if (a.shape.status || b.shape.status)
        return a.shape.status ? a.shape : b.shape;
    if (a.twice || b.twice)
        return tsr_bad_tuple(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
    tsr_layout const common = b.composed && !a.composed
                                ? tsr_common_(tsr_inner_(b), tsr_right_inverse(a))
                                : tsr_common_(tsr_inner_(a), tsr_right_inverse(tsr_inner_(b)));
    if (common.shape.status)
        return common.shape;
    tsr_tuple r = tsr_begins_contiguous_(&common) ? tsr_from_leaf(common.shape.leaf[0]) : tsr_s(1);
    if (a.composed && b.composed && tsr_swizzle_equal(a.swizzle, b.swizzle).leaf[0].value)
        return r;
    if (a.composed)
        r = tsr_lift2_(tsr_leaf_min, r, tsr_swizzle_max_alignment(a.swizzle));
    if (b.composed)
        r = tsr_lift2_(tsr_leaf_min, r, tsr_swizzle_max_alignment(b.swizzle));
    return r;
}

#endif
