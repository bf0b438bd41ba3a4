/** Layout: a function from coordinates to offsets, given by a Shape and a congruent Stride.
 *
 *  Law  L(c) = offset of c = sum over the leaves of coordinate times stride; with a swizzle and an offset in front,
 *       Sw o off o L, it is Sw(off + L(c)).
 *  An invalid layout is one whose shape is an invalid tuple.
 *  Example  tsr_make_layout(tsr_t(tsr_t(2, 2), 2), tsr_t(tsr_t(4, 2), 1))  is  ((2,2),2):((4,2),1)
 *  Source   CuTe, include/cute/layout.hpp.
 */
#ifndef TSR_CORE_LAYOUT_H
#define TSR_CORE_LAYOUT_H

#include "tessera/core/stride.h"

TSR_HEADER_BEGIN

/** Sw<bits,base,shift>: see core/swizzle.h for what it does. An invalid one has a status and its numbers. */
typedef struct tsr_swizzle {
    uint8_t status;
    int8_t bits, base, shift;
    int32_t number[3];
} tsr_swizzle;

typedef struct tsr_layout {
    tsr_tuple shape, stride;
    tsr_leaf offset;     /* composed: added before the swizzle */
    tsr_swizzle swizzle; /* composed: applied last */
    bool composed;
    bool twice; /* a second swizzle stands in front: outer_swizzle o outer_offset o swizzle o offset o S:D */
    tsr_leaf outer_offset;
    tsr_swizzle outer_swizzle;
} tsr_layout;

/** A layout and what a slice adds to the pointer (or to the coordinate) in front of it. */
typedef struct tsr_offset_layout {
    tsr_layout layout;
    tsr_tuple offset;
} tsr_offset_layout;

/** The offset that evaluating an invalid layout gives. */
#define TSR_BAD_OFFSET (-TSR_INT_MAX - 1)

/** The first leaf that is a basis element, or -1; an invalid tuple has none. */
TSR_FN int tsr_first_basis_(tsr_tuple const *t)
{
    for (int i = 0; !t->status && i < t->leaves; ++i)
        if (tsr_leaf_is_basis(t->leaf[i]))
            return i;
    return -1;
}

TSR_FN bool tsr_has_basis(tsr_tuple const *t) { return tsr_first_basis_(t) >= 0; }

/* Makers */

TSR_FN tsr_layout tsr_bad_layout(tsr_status status, int mode, int64_t a, int64_t b, int64_t c)
{
    tsr_layout r = TSR_ZERO;
    r.shape = tsr_bad_tuple(status, mode, a, b, c);
    return r;
}

TSR_FN tsr_layout tsr_invalid_layout(tsr_tuple why)
{
    tsr_layout r = TSR_ZERO;
    r.shape = why;
    return r;
}

TSR_FN tsr_layout tsr_refused_(tsr_reason why) { return tsr_invalid_layout(tsr_reason_tuple(why)); }

/** The layout with these modes, in the same swizzle and offset as l. */
TSR_EVAL tsr_layout tsr_with_(tsr_layout l, tsr_tuple shape, tsr_tuple stride)
{
    if (l.shape.status)
        return l;
    l.shape = shape.status ? shape : stride.status ? stride : shape;
    l.stride = stride;
    return l;
}

/** shape:stride, no checks. */
TSR_EVAL tsr_layout tsr_layout_unchecked(tsr_tuple shape, tsr_tuple stride)
{
    tsr_layout r = TSR_ZERO;
    r.shape = shape;
    if (!shape.status && stride.status)
        r.shape = stride;
    r.stride = stride;
    return r;
}

/** The first reason why shape:stride is no layout: profiles differ, an extent is not positive, a stride is not an
 *  integer or a basis element, or the size or the offsets leave 64 bits. */
TSR_FN tsr_status tsr_fault_(tsr_layout const *l, int i, int64_t *size, int64_t *end)
{
    tsr_leaf const s = l->shape.leaf[i], d = l->stride.leaf[i];
    int64_t term = 0;
    if (i >= l->shape.leaves || i >= l->stride.leaves || s.open != d.open || s.close != d.close
        || (s.kind == TSR_UNIT) != (d.kind == TSR_UNIT))
        return TSR_CONGRUENT;
    if (s.kind == TSR_UNIT)
        return TSR_OK;
    if (!tsr_leaf_is_int(s))
        return s.aux != 0 ? TSR_BASIS : TSR_WILDCARD;
    if (s.value <= 0)
        return TSR_EXTENT;
    if (!tsr_leaf_is_number(d))
        return TSR_STRIDE;
    if (s.value == 1) /* whatever its stride, one element is at 0 */
        return TSR_OK;
    if (!tsr_mul64(*size, s.value, size) || !tsr_mul64(s.value, d.value, &term)
        || !tsr_add64(*end, term < 0 ? -term : term, end))
        return TSR_OVERFLOW;
    return TSR_OK;
}

TSR_FN void tsr_check_(tsr_layout *l)
{
    int64_t size = 1, end = 0;
    if (l->shape.status)
        return;
    for (int i = 0; i < l->shape.leaves || i < l->stride.leaves; ++i) {
        tsr_status const fault = tsr_fault_(l, i, &size, &end);
        int64_t const number = fault == TSR_CONGRUENT  ? l->shape.leaves
                             : fault == TSR_EXTENT || fault == TSR_OVERFLOW ? l->shape.leaf[i].value
                                                                            : 0;
        if (fault != TSR_OK) {
            *l = tsr_bad_layout(fault, i, number, fault == TSR_CONGRUENT ? l->stride.leaves : 0, 0);
            return;
        }
    }
}

TSR_FN tsr_layout tsr_layout_checked(tsr_layout l)
{
    tsr_check_(&l);
    return l;
}

/** shape:stride with the checks of tsr_layout_checked on the leaves themselves. The reason is gathered number by number and
 *  never as a whole layout, for a layout that is one of two is kept in memory, and it is read from the arguments, for
 *  one whose numbers are read and then written is kept in memory by gcc 13: either way a literal would not fold. */
TSR_EVAL tsr_layout tsr_literal_(tsr_tuple shape, tsr_tuple stride)
{
    int const given = shape.status ? shape.status : stride.status;
    int status = given, mode = 0;
    int64_t number = 0;
    TSR_UNROLL for (int i = 0; i < TSR_MAX_LEAVES; ++i)
    {
        tsr_leaf const s = shape.leaf[i], d = stride.leaf[i];
        bool const in_s = i < shape.leaves, in_d = i < stride.leaves, unit = s.kind == TSR_UNIT;
        int const differ = (in_s ^ in_d) | (s.open ^ d.open) | (s.close ^ d.close) | (unit ^ (d.kind == TSR_UNIT));
        int const found = differ                 ? TSR_CONGRUENT
                        : unit                   ? TSR_OK
                        : s.aux != 0             ? TSR_BASIS
                        : s.kind > TSR_STATIC    ? TSR_WILDCARD
                        : s.value <= 0           ? TSR_EXTENT
                        : d.kind > TSR_STATIC    ? TSR_STRIDE
                                                 : TSR_OK;
        if ((in_s | in_d) && status == TSR_OK && found != TSR_OK) {
            status = found;
            mode = i;
            number = found == TSR_EXTENT ? s.value : 0;
        }
    }
    tsr_layout l = TSR_ZERO;
    l.shape = shape;
    if (!shape.status && stride.status)
        l.shape = stride;
    l.stride = stride;
    if (given == TSR_OK && status != TSR_OK) {
        l.shape.mode = (uint8_t)mode;
        l.shape.leaf[0].value = status == TSR_CONGRUENT ? shape.leaves : number;
        l.shape.leaf[1].value = status == TSR_CONGRUENT ? stride.leaves : 0;
        l.shape.leaf[2].value = 0;
        l.shape.status = (uint8_t)status;
    }
    return l;
}

TSR_FN tsr_layout tsr_make_layout_major_(tsr_tuple shape, bool right)
{
    return tsr_layout_checked(tsr_layout_unchecked(shape, right ? tsr_compact_row_major(shape) : tsr_compact_col_major(shape)));
}

/** The compact layout of a shape such that a literal folds: the strides of tsr_compact_, the checks of tsr_layout_checked. */
TSR_EVAL tsr_layout tsr_literal_major_(tsr_tuple shape, bool right)
{
    tsr_tuple strides = shape;
    int64_t stride = 1, end = 0, number = 0;
    int kind = TSR_STATIC, over = 0, mode = 0;
    TSR_UNROLL for (int k = 0; k < TSR_MAX_LEAVES; ++k)
    {
        int const i = right ? TSR_MAX_LEAVES - 1 - k : k;
        tsr_leaf const s = shape.leaf[i];
        if (i < shape.leaves && s.kind <= TSR_STATIC && over == 0) {
            bool const one = s.kind == TSR_STATIC && s.value == 1;
            int64_t next = 0;
            strides.leaf[i].value = one ? 0 : stride;
            strides.leaf[i].kind = (uint8_t)(one ? TSR_STATIC : kind);
            over = !tsr_mul64(stride, s.value, &next) || !tsr_add64(end, one ? 0 : next, &end);
            mode = i;
            number = s.value;
            stride = next;
            kind = s.kind == TSR_STATIC ? kind : TSR_DYNAMIC;
        }
    }
    tsr_layout l = tsr_literal_(shape, strides);
    if (l.shape.status == TSR_OK && over) {
        l.shape.mode = (uint8_t)mode;
        l.shape.leaf[0].value = number;
        l.shape.leaf[1].value = 0;
        l.shape.leaf[2].value = 0;
        l.shape.status = TSR_OVERFLOW;
    }
    return l;
}

/** shape:stride. The stride may be tsr_left() or tsr_right(), for the compact strides of that order.
 *  Errors  EXTENT, STRIDE, CONGRUENT at the leaf at fault. That sizes and offsets fit in 64 bits is not checked here,
 *          for a literal must fold, but by every operation on the layout (OVERFLOW), and by the parser. */
TSR_EVAL tsr_layout tsr_make_layout_from(tsr_tuple shape, tsr_tuple stride)
{
    bool const major = stride.status == TSR_OK && tsr_is_major_(&stride), right = stride.leaf[0].value != 0;
    tsr_layout l = tsr_literal_(shape, stride);
    if (major && right)
        l = tsr_literal_major_(shape, true);
    if (major && !right)
        l = tsr_literal_major_(shape, false);
    return l;
}

/** The compact column-major layout of a shape.
 *  Example  make_layout((2,3))  =  (2,3):(_1,2) */
TSR_FN tsr_layout tsr_make_layout_compact(tsr_tuple shape) { return tsr_make_layout_major_(shape, false); }

/** Strides in the order of the numbers in `order` (core/stride.h, tsr_compact_order). */
TSR_FN tsr_layout tsr_make_ordered_layout(tsr_tuple shape, tsr_tuple order)
{
    return tsr_layout_checked(tsr_layout_unchecked(shape, tsr_compact_order(shape, order)));
}

/** The layout from a coordinate into `shape` to that same coordinate: basis strides. */
TSR_FN tsr_layout tsr_make_identity_layout(tsr_tuple shape)
{
    return tsr_layout_checked(tsr_layout_unchecked(shape, tsr_make_basis_like(shape)));
}

/** A compact layout of the same shape whose strides are in the order of l's; static-0 strides stay. */
TSR_FN tsr_layout tsr_make_layout_like(tsr_layout l)
{
    if (l.shape.status)
        return l;
    return tsr_layout_checked(tsr_layout_unchecked(
        l.shape, tsr_compact_order(tsr_filter_zeros_by(l.stride, l.shape), l.stride)));
}

/* Accessors. Each `_of` function takes a path of modes, () for the whole. */

TSR_FN bool tsr_layout_ok(tsr_layout l) { return l.shape.status == TSR_OK; }

TSR_FN tsr_tuple tsr_shape_of(tsr_layout l, tsr_tuple path) { return tsr_tuple_get_path(l.shape, path); }

TSR_FN tsr_tuple tsr_stride_of(tsr_layout l, tsr_tuple path)
{
    if (l.shape.status || path.status)
        return l.shape.status ? l.shape : path;
    return l.composed ? tsr_bad_tuple(TSR_SWIZZLE_STRIDE, 0, 0, 0, 0) : tsr_tuple_get_path(l.stride, path);
}

TSR_FN tsr_layout tsr_layout_of(tsr_layout l, tsr_tuple path)
{
    return tsr_with_(l, tsr_tuple_get_path(l.shape, path), tsr_tuple_get_path(l.stride, path));
}

TSR_FN tsr_tuple tsr_size_of(tsr_layout l, tsr_tuple path) { return tsr_product(tsr_shape_of(l, path)); }

TSR_FN tsr_tuple tsr_rank_of(tsr_layout l, tsr_tuple path) { return tsr_tuple_rank(tsr_shape_of(l, path)); }

TSR_FN tsr_tuple tsr_depth_of(tsr_layout l, tsr_tuple path) { return tsr_tuple_depth(tsr_shape_of(l, path)); }

/** Zeros in the profile of the codomain: 0 for offsets, (0,0) for 2-D coordinates. */
TSR_FN tsr_tuple tsr_coprofile_of(tsr_layout l, tsr_tuple path)
{
    tsr_tuple const d = l.shape.status ? l.shape : tsr_tuple_get_path(l.stride, path);
    tsr_tuple r = tsr_s(0);
    bool basis = false;
    for (int i = 0; i < d.leaves; ++i)
        basis = basis || d.leaf[i].aux != 0;
    if (d.status || !basis)
        return d.status ? d : r;
    for (int i = 0; i < d.leaves; ++i)
        if (d.leaf[i].kind != TSR_UNIT)
            r = tsr_add(r, tsr_from_leaf(d.leaf[i]));
    return tsr_repeat_like(tsr_as_arithmetic_tuple(r), tsr_s(0));
}

/** The smallest exclusive bound of the codomain, strides counted by their absolute values. */
TSR_FN tsr_tuple tsr_coshape_of(tsr_layout l, tsr_tuple path)
{
    tsr_tuple s = tsr_tuple_get_path(l.shape, path), d = tsr_tuple_get_path(l.stride, path);
    tsr_tuple r = tsr_s(0);
    if (l.shape.status || s.status || d.status)
        return l.shape.status ? l.shape : s.status ? s : d;
    for (int i = 0; i < s.leaves; ++i) {
        if (s.leaf[i].kind == TSR_UNIT)
            continue;
        tsr_leaf const extent = tsr_leaf_sub(s.leaf[i], tsr_leaf_static(1));
        r = tsr_add(r, tsr_from_leaf(tsr_leaf_mul(extent, tsr_leaf_abs(d.leaf[i]))));
    }
    r = tsr_as_arithmetic_tuple(r);
    for (int i = 0; !r.status && i < r.leaves; ++i) {
        tsr_leaf const bound = tsr_leaf_add(r.leaf[i], tsr_leaf_static(1));
        if (bound.kind == TSR_BAD)
            return tsr_from_leaf(bound);
        r.leaf[i].value = bound.value;
        r.leaf[i].kind = bound.kind;
    }
    return r;
}

/** The size of the codomain; the swizzle of a composed layout is not counted. */
TSR_FN tsr_tuple tsr_cosize_of(tsr_layout l, tsr_tuple path) { return tsr_product(tsr_coshape_of(l, path)); }

/** The number of elements, of offsets, and of modes; TSR_BAD_OFFSET for an invalid layout. */
TSR_FN int64_t tsr_tuple_number(tsr_tuple t) { return t.status || !tsr_is_leaf(&t) ? TSR_BAD_OFFSET : t.leaf[0].value; }

TSR_FN int64_t tsr_layout_size(tsr_layout l) { return tsr_tuple_number(tsr_product(l.shape)); }

/** Example  tsr_cosize(tsr_make_layout(tsr_t(4, 2), tsr_t(1, 16)))  is  20 */
TSR_FN int64_t tsr_cosize(tsr_layout l) { return tsr_tuple_number(tsr_cosize_of(l, tsr_unit())); }

TSR_FN int64_t tsr_layout_rank(tsr_layout l) { return l.shape.status ? TSR_BAD_OFFSET : tsr_mode_count(&l.shape); }

TSR_FN bool tsr_swizzle_same_(tsr_swizzle a, tsr_swizzle b)
{
    return a.bits == b.bits && a.base == b.base && a.shift == b.shift;
}

/** Equal shape, stride, swizzle and offset, leaf by leaf. As functions: core/verdict.h, tsr_same_function. */
TSR_FN tsr_tuple tsr_layout_equal(tsr_layout a, tsr_layout b)
{
    if (a.shape.status || b.shape.status)
        return a.shape.status ? a.shape : b.shape;
    if (a.composed != b.composed || a.twice != b.twice)
        return tsr_s(0);
    tsr_tuple const r = tsr_and_(tsr_tuple_equal(a.shape, b.shape), tsr_tuple_equal(a.stride, b.stride));
    if (!a.composed)
        return r;
    tsr_leaf const same = tsr_leaf_static(tsr_swizzle_same_(a.swizzle, b.swizzle)
                                          && (!a.twice || tsr_swizzle_same_(a.outer_swizzle, b.outer_swizzle)));
    tsr_leaf const outer = a.twice ? tsr_leaf_eq(a.outer_offset, b.outer_offset) : tsr_leaf_static(1);
    tsr_leaf const fronts = tsr_leaf_land(same, tsr_leaf_land(outer, tsr_leaf_eq(a.offset, b.offset)));
    return tsr_and_(tsr_from_leaf(fronts), r);
}

/* Modes: the same operation on shape and stride */

/** Mode i of a layout, without its swizzle, into *r, which is all 0. */
TSR_FN void tsr_put_mode_(tsr_layout *r, tsr_layout const *l, int64_t i)
{
    int end = 0;
    int const begin = tsr_mode_begin_(&l->shape, i, &end);
    if (begin >= 0) { /* the parentheses of the strides are those of the shape */
        tsr_push_sub_(&r->shape, &l->shape, begin, end);
        tsr_push_sub_(&r->stride, &l->stride, begin, end);
    } else {
        r->shape = tsr_get_(&l->shape, i);
        r->stride = tsr_get_(&l->stride, i);
    }
}

TSR_FN tsr_layout tsr_mode_(tsr_layout const *l, int64_t i)
{
    tsr_layout r = TSR_ZERO;
    tsr_put_mode_(&r, l, i);
    return r;
}

/** Mode i as a layout.
 *  Example  tsr_mode(tsr_make_layout(tsr_t(4, tsr_t(3, 6)), tsr_t(1, tsr_t(4, 12))), 1)  is  (3,6):(4,12) */
TSR_FN tsr_layout tsr_mode(tsr_layout l, int64_t i)
{
    return tsr_with_(l, tsr_tuple_get(l.shape, i), tsr_tuple_get(l.stride, i));
}

TSR_FN tsr_layout tsr_layout_take(tsr_layout l, int64_t b, int64_t e)
{
    if (!l.shape.status && b == e)
        return tsr_bad_layout(TSR_RANGE, 0, b, e, tsr_mode_count(&l.shape));
    return tsr_with_(l, tsr_tuple_take(l.shape, b, e), tsr_tuple_take(l.stride, b, e));
}

TSR_FN tsr_layout tsr_layout_select(tsr_layout l, tsr_tuple path)
{
    return tsr_with_(l, tsr_tuple_select(l.shape, path), tsr_tuple_select(l.stride, path));
}

TSR_FN tsr_layout tsr_layout_flatten(tsr_layout l)
{
    return tsr_with_(l, tsr_tuple_flatten(l.shape), tsr_tuple_flatten(l.stride));
}

TSR_FN tsr_layout tsr_layout_unflatten(tsr_layout l, tsr_tuple profile)
{
    return tsr_with_(l, tsr_tuple_unflatten(l.shape, profile), tsr_tuple_unflatten(l.stride, profile));
}

TSR_FN tsr_layout tsr_layout_group(tsr_layout l, int64_t b, int64_t e)
{
    return tsr_with_(l, tsr_tuple_group(l.shape, b, e), tsr_tuple_group(l.stride, b, e));
}

/** The modes of each mode, transposed: ((a,b),(x,y)) is ((a,x),(b,y)). */
TSR_FN tsr_layout tsr_layout_zip(tsr_layout l)
{
    return tsr_with_(l, tsr_tuple_zip(l.shape), tsr_tuple_zip(l.stride));
}

/** The modes in the opposite order, the top level only. */
TSR_FN tsr_layout tsr_transpose(tsr_layout l) { return tsr_with_(l, tsr_reverse(l.shape), tsr_reverse(l.stride)); }

/** The layout that pads a rank: _1:_0. */
TSR_FN tsr_layout tsr_pad_(void) { return tsr_layout_unchecked(tsr_s(1), tsr_s(0)); }

/** Are all numbers of a layout known when code is generated? */
TSR_FN bool tsr_none_dynamic_(tsr_tuple const *t)
{
    bool known = true;
    for (int i = 0; i < t->leaves; ++i)
        known = known && t->leaf[i].kind != TSR_DYNAMIC;
    return known;
}

TSR_FN bool tsr_all_static_(tsr_layout const *l)
{
    bool const known = !l->composed || l->offset.kind == TSR_STATIC;
    return known && tsr_none_dynamic_(&l->shape) && tsr_none_dynamic_(&l->stride);
}

/** Every leaf static: for those who know all numbers.
 *  Example  tsr_static_all(tsr_make_layout(tsr_t(4, 2), tsr_t(1, 4)))  is  (_4,_2):(_1,_4) */
TSR_FN tsr_layout tsr_static_all(tsr_layout l)
{
    l = tsr_with_(l, tsr_static_tuple(l.shape), tsr_static_tuple(l.stride));
    if (l.composed && l.offset.kind != TSR_STATIC)
        l.offset = tsr_leaf_static(tsr_leaf_value(l.offset));
    return l;
}

TSR_HEADER_END

#endif
