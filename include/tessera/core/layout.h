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
    uint8_t status; /* tsr_swizzle_why has all of it: kernels have the size of this struct */
    int8_t bits, base, shift;
    int32_t number[3];
} tsr_swizzle;

typedef struct tsr_layout {
    tsr_tuple shape, stride;
    tsr_leaf offset;     /* composed: added before the swizzle */
    tsr_swizzle swizzle; /* composed: applied last */
    bool composed;
    bool twice; /* a second swizzle is in front: outer_swizzle o outer_offset o swizzle o offset o S:D */
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

/** A plain layout without modes, to be pushed to. */
TSR_FN void tsr_begin_(tsr_layout *l)
{
    tsr_leaf const none = TSR_ZERO;
    tsr_swizzle const still = TSR_ZERO;
    tsr_begin_tuple_(&l->shape);
    tsr_begin_tuple_(&l->stride);
    l->composed = l->twice = false;
    l->offset = l->outer_offset = none;
    l->swizzle = l->outer_swizzle = still;
}

/** The first leaf that is a basis element, or -1; an invalid tuple has none. */
TSR_FN int tsr_first_basis_(tsr_tuple const *t)
{
    for (int i = 0; !t->status && i < t->leaves; ++i)
        if (tsr_leaf_is_basis(t->leaf[i]))
            return i;
    return -1;
}

/** Does a stride have a basis element, so that the layout gives coordinates? */
TSR_FN bool tsr_has_basis(tsr_tuple const *t) { return tsr_first_basis_(t) >= 0; }

/* Makers */

/** An invalid layout: the reason, the mode at fault and three numbers. */
TSR_FN tsr_layout tsr_bad_layout(tsr_status status, int mode, int64_t a, int64_t b, int64_t c)
{
    tsr_layout r = TSR_ZERO;
    r.shape = tsr_bad_tuple(status, mode, a, b, c);
    return r;
}

/** An invalid layout with the reason of an invalid tuple. */
TSR_OP tsr_layout tsr_invalid_layout(tsr_tuple why);

TSR_INTERNAL tsr_layout tsr_refused_(tsr_reason why);

/** The layout with these modes, in the same swizzle and offset as l. */
TSR_OP tsr_layout tsr_with_(tsr_layout l, tsr_tuple shape, tsr_tuple stride);

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
        return TSR_LAYOUT_RANGE;
    return TSR_OK;
}

/** The first leaf at which a valid shape and its stride are no layout, or -1. */
TSR_FN int tsr_first_fault_(tsr_layout const *l, tsr_status *fault)
{
    int64_t size = 1, end = 0;
    for (int i = 0; i < l->shape.leaves || i < l->stride.leaves; ++i) {
        *fault = tsr_fault_(l, i, &size, &end);
        if (*fault != TSR_OK)
            return i;
    }
    return -1;
}

TSR_FN void tsr_check_(tsr_layout *l)
{
    tsr_status fault = TSR_OK;
    int const i = l->shape.status ? -1 : tsr_first_fault_(l, &fault);
    if (i < 0)
        return;
    bool const range = fault == TSR_LAYOUT_RANGE;
    int64_t const number = fault == TSR_CONGRUENT         ? l->shape.leaves
                           : fault == TSR_EXTENT || range ? l->shape.leaf[i].value
                                                          : 0;
    int64_t const other = fault == TSR_CONGRUENT ? l->stride.leaves : range ? l->stride.leaf[i].value : 0;
    *l = tsr_bad_layout(fault, i, number, other, 0);
}

/** The layout itself, or an invalid one if its shape and stride break a rule of layouts. */
TSR_FN tsr_layout tsr_layout_checked(tsr_layout l)
{
    tsr_check_(&l);
    return l;
}

/** Writes shape:stride, with the checks of tsr_layout_checked on the leaves themselves. The reason is gathered number
 *  by number and never as a whole layout, for a layout that is one of two is kept in memory, and it is read from the
 *  arguments, for one whose numbers are read and then written is kept in memory by gcc 13: either way a literal would
 *  not fold. */
TSR_LITERAL void tsr_literal_(tsr_layout *l, tsr_tuple const *shape, tsr_tuple const *stride)
{
    int const given = shape->status ? shape->status : stride->status;
    int status = given, mode = 0;
    int64_t number = 0;
    TSR_UNROLL for (int i = 0; i < TSR_MAX_LEAVES; ++i)
    {
        tsr_leaf const s = shape->leaf[i], d = stride->leaf[i];
        bool const in_s = i < shape->leaves, in_d = i < stride->leaves, unit = s.kind == TSR_UNIT;
        int const differ = (in_s ^ in_d) | (s.open ^ d.open) | (s.close ^ d.close) | (unit ^ (d.kind == TSR_UNIT));
        int const found = differ                ? TSR_CONGRUENT
                          : unit                ? TSR_OK
                          : s.aux != 0          ? TSR_BASIS
                          : s.kind > TSR_STATIC ? TSR_WILDCARD
                          : s.value <= 0        ? TSR_EXTENT
                          : d.kind > TSR_STATIC ? TSR_STRIDE
                                                : TSR_OK;
        if ((in_s | in_d) && status == TSR_OK && found != TSR_OK) {
            status = found;
            mode = i;
            number = found == TSR_EXTENT ? s.value : 0;
        }
    }
    l->shape = *shape;
    if (!shape->status && stride->status)
        l->shape = *stride;
    l->stride = *stride;
    if (given == TSR_OK && status != TSR_OK) {
        l->shape.mode = (uint8_t)mode;
        l->shape.leaf[0].value = status == TSR_CONGRUENT ? shape->leaves : number;
        l->shape.leaf[1].value = status == TSR_CONGRUENT ? stride->leaves : 0;
        l->shape.leaf[2].value = 0;
        l->shape.status = (uint16_t)status;
    }
}

TSR_FN tsr_layout tsr_make_layout_major_(tsr_tuple shape, bool right)
{
    return tsr_layout_checked(
        tsr_layout_unchecked(shape, right ? tsr_compact_row_major(shape) : tsr_compact_col_major(shape)));
}

/** The product and the sum of numbers of literals: gcc takes a pass for each builtin that tells of an overflow, and
 *  it has few, so numbers far from the limits do without. */
TSR_LITERAL bool tsr_literal_mul_(int64_t a, int64_t b, int64_t *r)
{
    bool const near_zero = ((uint64_t)a | (uint64_t)b) >> 31 == 0;
    if (near_zero)
        *r = (int64_t)((uint64_t)a * (uint64_t)b);
    return near_zero || tsr_mul64(a, b, r);
}

TSR_LITERAL bool tsr_literal_add_(int64_t a, int64_t b, int64_t *r)
{
    bool const near_zero = ((uint64_t)a | (uint64_t)b) >> 62 == 0;
    if (near_zero)
        *r = (int64_t)((uint64_t)a + (uint64_t)b);
    return near_zero || tsr_add64(a, b, r);
}

/** Writes the compact layout of a shape such that a literal folds: the strides of tsr_compact_, the checks of
 *  tsr_layout_checked. */
TSR_LITERAL void tsr_literal_major_(tsr_layout *l, tsr_tuple const *shape, bool right)
{
    tsr_tuple strides = *shape;
    int64_t stride = 1, end = 0, number = 0, step = 0;
    int kind = TSR_STATIC, over = 0, mode = 0;
    TSR_UNROLL for (int k = 0; k < TSR_MAX_LEAVES; ++k)
    {
        int const i = right ? TSR_MAX_LEAVES - 1 - k : k;
        tsr_leaf const s = shape->leaf[i];
        if (i < shape->leaves && s.kind <= TSR_STATIC && over == 0) {
            bool const one = s.kind == TSR_STATIC && s.value == 1;
            int64_t next = 0;
            strides.leaf[i].value = one ? 0 : stride;
            strides.leaf[i].kind = (uint8_t)(one ? TSR_STATIC : kind);
            over = !tsr_literal_mul_(stride, s.value, &next) || !tsr_literal_add_(end, one ? 0 : next, &end);
            mode = i;
            number = s.value;
            step = stride;
            stride = next;
            kind = s.kind == TSR_STATIC ? kind : TSR_DYNAMIC;
        }
    }
    tsr_literal_(l, shape, &strides);
    if (l->shape.status == TSR_OK && over) {
        l->shape.mode = (uint8_t)mode;
        l->shape.leaf[0].value = number;
        l->shape.leaf[1].value = step;
        l->shape.leaf[2].value = 0;
        l->shape.status = TSR_LAYOUT_RANGE;
    }
}

TSR_LITERAL void tsr_literal_from_(tsr_layout *l, tsr_tuple const *shape, tsr_tuple const *stride)
{
    bool const major = stride->status == TSR_OK && tsr_is_major_(stride);
    if (major && stride->leaf[0].value != 0)
        tsr_literal_major_(l, shape, true);
    if (major && stride->leaf[0].value == 0)
        tsr_literal_major_(l, shape, false);
    if (!major)
        tsr_literal_(l, shape, stride);
}

/* Where the arguments of tsr_make_layout are read and its result is written: no copies. */
#ifdef __cplusplus
TSR_EVAL tsr_layout const &tsr_layout_at_(tsr_layout &&l, tsr_tuple const &shape, tsr_tuple const &stride)
{
    tsr_literal_from_(&l, &shape, &stride);
    return l;
}
TSR_EVAL tsr_layout const &tsr_compact_at_(tsr_layout &&l, tsr_tuple const &shape)
{
    tsr_literal_major_(&l, &shape, false);
    return l;
}
#else
TSR_EVAL tsr_layout *tsr_layout_at_(tsr_layout *l, tsr_tuple const *shape, tsr_tuple const *stride)
{
    tsr_literal_from_(l, shape, stride);
    return l;
}
TSR_EVAL tsr_layout *tsr_compact_at_(tsr_layout *l, tsr_tuple const *shape)
{
    tsr_literal_major_(l, shape, false);
    return l;
}
#endif

/** shape:stride. The stride may be tsr_left() or tsr_right(), for the compact strides of that order.
 *  Errors  EXTENT, STRIDE, CONGRUENT at the leaf at fault. That sizes and offsets fit in 64 bits is not checked here,
 *          for a literal must fold, but by every operation on the layout and by the parser (OVERFLOW, LAYOUT_RANGE). */
TSR_LITERAL tsr_layout tsr_make_layout_from(tsr_tuple shape, tsr_tuple stride)
{
    tsr_layout l = TSR_ZERO;
    tsr_literal_from_(&l, &shape, &stride);
    return l;
}

/** The compact column-major layout of a shape.
 *  Example  make_layout((2,3))  =  (2,3):(_1,2) */
TSR_FN tsr_layout tsr_make_layout_compact(tsr_tuple shape) { return tsr_make_layout_major_(shape, false); }

/** Strides in the order of the numbers in `order` (core/stride.h, tsr_compact_order). */
TSR_OP tsr_layout tsr_make_ordered_layout(tsr_tuple shape, tsr_tuple order);

/** The layout from a coordinate into `shape` to that same coordinate: basis strides. */
TSR_OP tsr_layout tsr_make_identity_layout(tsr_tuple shape);

/** A compact layout of the same shape whose strides are in the order of l's; static-0 strides stay. */
TSR_OP tsr_layout tsr_make_layout_like(tsr_layout l);

/* Accessors. Each `_of` function takes a path of modes, () for the whole. */

/** Is the layout valid? */
TSR_FN bool tsr_layout_ok(tsr_layout l) { return l.shape.status == TSR_OK; }

TSR_OP tsr_tuple tsr_shape_of(tsr_layout l, tsr_tuple path);

TSR_OP tsr_tuple tsr_stride_of(tsr_layout l, tsr_tuple path);

TSR_OP tsr_layout tsr_layout_of(tsr_layout l, tsr_tuple path);

/** The mode at the end of a path under the swizzle of l into r, which has no modes. */
TSR_INTERNAL void tsr_put_layout_of_(tsr_layout *r, tsr_layout const *l, tsr_tuple const *path);

TSR_OP tsr_tuple tsr_size_of(tsr_layout l, tsr_tuple path);

TSR_OP tsr_tuple tsr_rank_of(tsr_layout l, tsr_tuple path);

TSR_OP tsr_tuple tsr_depth_of(tsr_layout l, tsr_tuple path);

/** Zeros in the profile of the codomain: 0 for offsets, (0,0) for 2-D coordinates. */
TSR_OP tsr_tuple tsr_coprofile_of(tsr_layout l, tsr_tuple path);

/** The smallest exclusive bound of the codomain, strides counted by their absolute values. */
TSR_OP tsr_tuple tsr_coshape_of(tsr_layout l, tsr_tuple path);

/** The size of the codomain; the swizzle of a composed layout is not counted. */
TSR_OP tsr_tuple tsr_cosize_of(tsr_layout l, tsr_tuple path);

/** The number of elements, of offsets, and of modes; TSR_BAD_OFFSET for an invalid layout. */
TSR_FN int64_t tsr_tuple_number(tsr_tuple t)
{
    return t.status || !tsr_is_leaf(&t) ? TSR_BAD_OFFSET : t.leaf[0].value;
}

/** The number of elements; TSR_BAD_OFFSET for an invalid layout. */
TSR_FN int64_t tsr_layout_size(tsr_layout l) { return tsr_tuple_number(tsr_product(l.shape)); }

/** One more than the greatest offset, strides counted by their absolute values.
 *  Example  tsr_cosize(tsr_make_layout(tsr_t(4, 2), tsr_t(1, 16)))  is  20 */
TSR_OP int64_t tsr_cosize(tsr_layout l);

/** The number of modes; TSR_BAD_OFFSET for an invalid layout. */
TSR_FN int64_t tsr_layout_rank(tsr_layout l) { return l.shape.status ? TSR_BAD_OFFSET : tsr_mode_count(&l.shape); }

TSR_OP bool tsr_swizzle_same_(tsr_swizzle a, tsr_swizzle b);

/** Equal shape, stride, swizzle and offset, leaf by leaf. As functions: core/verdict.h, tsr_same_function. */
TSR_OP tsr_tuple tsr_layout_equal(tsr_layout a, tsr_layout b);

TSR_INTERNAL tsr_layout tsr_mode_(tsr_layout const *l, int64_t i);

/** Mode i as a layout.
 *  Example  tsr_mode(tsr_make_layout(tsr_t(4, tsr_t(3, 6)), tsr_t(1, tsr_t(4, 12))), 1)  is  (3,6):(4,12) */
TSR_OP tsr_layout tsr_mode(tsr_layout l, int64_t i);

TSR_OP tsr_layout tsr_layout_take(tsr_layout l, int64_t b, int64_t e);

TSR_OP tsr_layout tsr_layout_select(tsr_layout l, tsr_tuple path);

TSR_OP tsr_layout tsr_layout_flatten(tsr_layout l);

TSR_OP tsr_layout tsr_layout_unflatten(tsr_layout l, tsr_tuple profile);

TSR_OP tsr_layout tsr_layout_group(tsr_layout l, int64_t b, int64_t e);

/** The modes of each mode, transposed: ((a,b),(x,y)) is ((a,x),(b,y)). */
TSR_OP tsr_layout tsr_layout_zip(tsr_layout l);

/** The modes in the opposite order, the top level only. */
TSR_OP tsr_layout tsr_transpose(tsr_layout l);

/** The layout that pads a rank: _1:_0. */
TSR_OP tsr_layout tsr_pad_(void);

/** Every leaf static: for those who know all numbers.
 *  Example  tsr_static_all(tsr_make_layout(tsr_t(4, 2), tsr_t(1, 4)))  is  (_4,_2):(_1,_4) */
TSR_OP tsr_layout tsr_static_all(tsr_layout l);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/layout.h"
#endif

#endif
