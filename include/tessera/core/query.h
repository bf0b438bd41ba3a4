/** Questions about layouts through their shapes and strides: of one profile, of one size, static, which mode is major.
 *
 *  Law     a predicate of layouts is the predicate of their shapes (core/shape.h); a static layout has only static
 *          leaves, the offset in front of its swizzle included.
 *  Source  CuTe, include/cute/int_tuple.hpp, layout.hpp; CuTe DSL, is_major, leading_dim, assume.
 */
#ifndef TSR_CORE_QUERY_H
#define TSR_CORE_QUERY_H

#include "tessera/core/divide.h"

TSR_HEADER_BEGIN

/* Predicates of two shapes, either of which may be that of a layout: 1 or 0 */

#define TSR_SHAPE_PREDICATES(X) X(congruent) X(weakly_congruent) X(compatible) X(weakly_compatible)

#define TSR_X_(name)                                                                                                 \
    TSR_FN tsr_tuple tsr_layout_##name(tsr_layout a, tsr_layout b) { return tsr_##name(a.shape, b.shape); }          \
    TSR_FN tsr_tuple tsr_layout_##name##_shape(tsr_layout a, tsr_tuple b) { return tsr_##name(a.shape, b); }         \
    TSR_FN tsr_tuple tsr_shape_##name##_layout(tsr_tuple a, tsr_layout b) { return tsr_##name(a, b.shape); }
TSR_SHAPE_PREDICATES(TSR_X_)
#undef TSR_X_

/** The tiler cuts the layout without a remainder.
 *  Law      where it does, and the division is defined, the divided layout has the size of the layout.
 *  Example  evenly_divides((_8,_12):(_12,_1), <_4:_2,_3>)  =  _1 */
TSR_FN tsr_tuple tsr_layout_evenly_divides(tsr_layout l, tsr_tiler t) { return tsr_evenly_divides_by(l.shape, t); }

/* Static */

/** Is every leaf known when code is generated? `_`, () and the order tags are; partly static bits are not.
 *  Example  is_static((_4,(_2,3)))  =  _0 */
TSR_FN tsr_tuple tsr_tuple_is_static(tsr_tuple t)
{
    bool all = true;
    for (int i = 0; !t.status && i < t.leaves; ++i)
        all = all && t.leaf[i].kind != TSR_DYNAMIC && t.leaf[i].kind != TSR_MIXED;
    return t.status ? t : tsr_s(all);
}

TSR_FN tsr_tuple tsr_layout_is_static(tsr_layout l)
{
    if (l.shape.status)
        return l.shape;
    bool const fronts = (!l.composed || tsr_leaf_is_static(l.offset))
                     && (!l.twice || tsr_leaf_is_static(l.outer_offset));
    return tsr_and_(tsr_s(fronts), tsr_and_(tsr_tuple_is_static(l.shape), tsr_tuple_is_static(l.stride)));
}

/** The integer x, of which it is known that n divides it. Law: the identity. Errors: FACTOR, ASSUME.
 *  Example  assume(96, 8)  =  96 */
TSR_FN tsr_tuple tsr_assume(tsr_tuple x, tsr_tuple n)
{
    if (x.status || n.status)
        return x.status ? x : n;
    tsr_leaf const a = tsr_as_leaf_(x), b = tsr_as_leaf_(n);
    if (!tsr_leaf_ints_(a, b))
        return tsr_from_leaf(tsr_leaf_refuse_(a, b));
    if (b.value <= 0)
        return tsr_bad_tuple(TSR_FACTOR, 0, b.value, 0, 0);
    return a.value % b.value == 0 ? x : tsr_bad_tuple(TSR_ASSUME, 0, a.value, b.value, a.value % b.value);
}

/* Major modes. Where the stride that decides is static, so is the answer. */

/** Does the mode begin with stride 1?
 *  Example  is_major<1>((8,(1,4)))  =  1 */
TSR_FN tsr_tuple tsr_is_major(tsr_tuple stride, int64_t mode)
{
    tsr_tuple const first = tsr_front(tsr_tuple_get(stride, mode));
    return first.status ? first : tsr_from_leaf(tsr_leaf_eq(first.leaf[0], tsr_leaf_static(1)));
}

TSR_FN tsr_tuple tsr_layout_is_major(tsr_layout l, int64_t mode)
{
    return tsr_is_major(tsr_stride_of(l, tsr_unit()), mode);
}

/** The path to the first leaf of stride 1 whose extent is not 1: an integer for a mode that is a leaf, () for none.
 *  Errors  CONGRUENT.
 *  Example  leading_dim((_4,(_1,_8)), (_8,(_1,_1)))  =  (_1,_1) */
TSR_FN tsr_tuple tsr_leading_dim(tsr_tuple shape, tsr_tuple stride)
{
    int path[TSR_MAX_DEPTH + 1] = {0};
    int depth = 0;
    tsr_tuple r = TSR_ZERO;
    if (shape.status || stride.status)
        return shape.status ? shape : stride;
    if (!tsr_same_profile(&shape, &stride)) {
        int i = 0;
        while (i < shape.leaves && i < stride.leaves && shape.leaf[i].open == stride.leaf[i].open
               && shape.leaf[i].close == stride.leaf[i].close)
            ++i;
        return tsr_bad_tuple(TSR_CONGRUENT, i, shape.leaves, stride.leaves, 0);
    }
    for (int i = 0; i < stride.leaves; ++i) {
        tsr_leaf const s = shape.leaf[i], d = stride.leaf[i];
        for (int k = 0; k < d.open; ++k)
            path[depth++] = 0;
        if (tsr_leaf_is_int(d) && d.value == 1 && !(tsr_leaf_is_int(s) && s.value == 1)) {
            for (int k = 0; k < depth; ++k)
                tsr_tuple_push_leaf(&r, tsr_leaf_make((tsr_kind)d.kind, path[k]));
            return depth == 0 ? tsr_from_leaf(tsr_leaf_make((tsr_kind)d.kind, 0)) : depth == 1 ? r : tsr_tuple_close(r);
        }
        depth -= d.close;
        if (depth > 0)
            ++path[depth - 1];
    }
    return tsr_unit();
}

TSR_FN tsr_tuple tsr_layout_leading_dim(tsr_layout l)
{
    return tsr_leading_dim(l.shape, tsr_stride_of(l, tsr_unit()));
}

/** The modes of several layouts of one rank, each with its place in all: ((a0,b0,c0),(a1,b1,c1),..).
 *  Law     mode (i,k) of zip(A,B,..) is mode i of layout k.
 *  Errors  ZIP_RANK; NOT_TILER for a swizzled one.
 *  Example  zip((_3,_4):(_4,_1), (_2,_5):(_1,_2), (7,8):(8,1))  =  ((_3,_2,7),(_4,_5,8)):((_4,_1,8),(_1,_2,1)) */
TSR_FN tsr_layout tsr_zip_of(tsr_tiler layouts) { return tsr_layout_zip(tsr_make_layout_of(layouts)); }

TSR_HEADER_END

#endif
