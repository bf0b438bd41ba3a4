/** Arithmetic on IntTuples: products, divisions, comparisons of profile and of order.
 *
 *  Source  CuTe, include/cute/int_tuple.hpp. Whether a result is static follows leaf by leaf from core/leaf.h.
 */
#ifndef TSR_CORE_SHAPE_H
#define TSR_CORE_SHAPE_H

#include "tessera/core/modes.h"

TSR_HEADER_BEGIN

/** The leaf of an integer tuple, or the reason why there is none. */
TSR_FN tsr_leaf tsr_as_leaf_(tsr_tuple t)
{
    if (t.status)
        return tsr_leaf_bad((tsr_status)t.status, t.leaf[0].value);
    return tsr_is_leaf(&t) ? t.leaf[0] : tsr_leaf_bad(TSR_NOT_INTEGER, tsr_mode_count(&t));
}

typedef tsr_leaf (*tsr_leaf_op2_)(tsr_leaf, tsr_leaf);

TSR_INTERNAL tsr_tuple tsr_lift2_(tsr_leaf_op2_ op, tsr_tuple a, tsr_tuple b);

TSR_FN tsr_tuple tsr_ranks_differ_(tsr_tuple const *a, tsr_tuple const *b)
{
    return tsr_bad_tuple(TSR_RANK, 0, tsr_mode_count(a), tsr_mode_count(b), 0);
}

/* Reductions */

TSR_FN tsr_leaf tsr_product_leaf_(tsr_tuple const *t)
{
    tsr_leaf r = tsr_leaf_static(1);
    for (int i = 0; i < t->leaves; ++i)
        if (t->leaf[i].kind != TSR_UNIT)
            r = i == 0 ? t->leaf[0] : tsr_leaf_mul(r, t->leaf[i]);
    return r;
}

/** The product of all leaves, which is the size of a shape; 1 for (). */
TSR_FN tsr_tuple tsr_product(tsr_tuple t) { return t.status ? t : tsr_from_leaf(tsr_product_leaf_(&t)); }

/** The product of each mode, always as a tuple. */
TSR_OP tsr_tuple tsr_product_each(tsr_tuple t);

/** The products of t at the leaves of `guide`. */
TSR_OP tsr_tuple tsr_product_like(tsr_tuple t, tsr_tuple guide);

TSR_OP tsr_tuple tsr_sum(tsr_tuple t);

/** The least, the greatest and the greatest common divisor of all leaves. */
TSR_OP tsr_tuple tsr_min(tsr_tuple t);

TSR_OP tsr_tuple tsr_max(tsr_tuple t);

TSR_OP tsr_tuple tsr_gcd(tsr_tuple t);

/* Element by element */

/** ceil_div per mode; modes that b lacks count as 1. Of a tuple by an integer, the divisor is used up from the
 *  left: (2,4) by 4 is (1,2). Of an integer by a tuple, by its product. */
TSR_OP tsr_tuple tsr_tuple_ceil_div(tsr_tuple a, tsr_tuple b);

/** The least multiple of b that is not below a, per mode. */
TSR_OP tsr_tuple tsr_round_up(tsr_tuple a, tsr_tuple b);

/** Division of shapes: ceil_div under the condition that one number divides the other. It is checked where both are
 *  static; where one is dynamic CuTe defines the rounded quotient. */
TSR_OP tsr_tuple tsr_shape_div(tsr_tuple a, tsr_tuple b);

/** Each leaf of a times the product of b at that place. */
TSR_OP tsr_tuple tsr_elem_scale(tsr_tuple a, tsr_tuple b);

/** b with every leaf under a static 0 of a replaced by _1. */
TSR_OP tsr_tuple tsr_filter_zeros_by(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_tuple_filter_zeros(tsr_tuple t);

/* Coordinates that add: integers, basis elements, and tuples of them */

/** The tuple that a basis element stands for: 3@1 is (_0,3). */
TSR_OP tsr_tuple tsr_as_arithmetic_tuple(tsr_tuple t);

/** The sum of two integers or coordinates; the shorter coordinate is padded with _0, and _0 adds to anything. */
TSR_OP tsr_tuple tsr_add(tsr_tuple a, tsr_tuple b);

/** The sum of a_i * b_i over congruent tuples. */
TSR_OP tsr_tuple tsr_inner_product(tsr_tuple a, tsr_tuple b);

/** The same value at every leaf of the same profile. */
TSR_OP tsr_tuple tsr_tuple_equal(tsr_tuple a, tsr_tuple b);

/** The same profile. */
TSR_OP tsr_tuple tsr_congruent(tsr_tuple a, tsr_tuple b);

/** The profile of b refines the profile of a. */
TSR_FN tsr_tuple tsr_weakly_congruent(tsr_tuple a, tsr_tuple b)
{
    if (a.status || b.status)
        return a.status ? a : b;
    if (tsr_is_leaf(&a))
        return tsr_s(1);
    int const rank = tsr_mode_count(&a);
    if (tsr_is_leaf(&b) || tsr_mode_count(&b) != rank)
        return tsr_s(0);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const same = tsr_weakly_congruent(tsr_tuple_get(a, i), tsr_tuple_get(b, i));
        if (same.leaf[0].value == 0)
            return same;
    }
    return tsr_s(1);
}

/** Every coordinate into a is a coordinate into b: at each leaf of a, b has that size. */
TSR_OP tsr_tuple tsr_compatible(tsr_tuple a, tsr_tuple b);

/** As compatible, but each leaf of a need only divide the size of b there. */
TSR_OP tsr_tuple tsr_weakly_compatible(tsr_tuple a, tsr_tuple b);

/** The tiler b cuts the shape a without a remainder. */
TSR_OP tsr_tuple tsr_evenly_divides(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_lex_less(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_lex_leq(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_lex_gtr(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_lex_geq(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_colex_less(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_colex_leq(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_colex_gtr(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_colex_geq(tsr_tuple a, tsr_tuple b);

/** Every mode of a is below its mode of b: the test that a coordinate lies inside a shape. */
TSR_OP tsr_tuple tsr_elem_less(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_elem_leq(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_elem_gtr(tsr_tuple a, tsr_tuple b);

TSR_OP tsr_tuple tsr_elem_geq(tsr_tuple a, tsr_tuple b);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/shape.h"
#endif

#endif
