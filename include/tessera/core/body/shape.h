/** The bodies of core/shape.h. */
#ifndef TSR_CORE_BODY_SHAPE_H
#define TSR_CORE_BODY_SHAPE_H

#include "tessera/core/shape.h"
#include "tessera/core/body/modes.h"

TSR_HEADER_BEGIN

typedef tsr_tuple (*tsr_tuple_op2_)(tsr_tuple, tsr_tuple);

TSR_INTERNAL tsr_tuple tsr_lift2_(tsr_leaf_op2_ op, tsr_tuple a, tsr_tuple b)
{
    if (a.status || b.status)
        return a.status ? a : b;
    return tsr_from_leaf(op(tsr_as_leaf_(a), tsr_as_leaf_(b)));
}

/** (op(a0,b0), op(a1,b1), ...) over the modes of a; b may have more. */
TSR_LOCAL tsr_tuple tsr_each_(tsr_tuple_op2_ op, tsr_tuple a, tsr_tuple b)
{
    tsr_tuple r = TSR_ZERO;
    if (a.status || b.status)
        return a.status ? a : b;
    int const rank = tsr_mode_count(&a);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const x = op(tsr_tuple_get(a, i), tsr_tuple_get(b, i));
        tsr_tuple_push(&r, &x);
    }
    return tsr_tuple_close(r);
}

/** (op(a0,b), op(a1,b1), ...). The part of b that mode 0 leaves, b1 = op(b,a0), goes to mode 1, and so on. */
TSR_LOCAL tsr_tuple tsr_each_by_rest_(tsr_tuple_op2_ op, tsr_tuple a, tsr_tuple b)
{
    tsr_tuple r = TSR_ZERO;
    int const rank = tsr_mode_count(&a);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const mode = tsr_tuple_get(a, i), x = op(mode, b);
        tsr_tuple_push(&r, &x);
        b = op(b, mode);
    }
    return tsr_tuple_close(r);
}

/** tsr_product of a mode. */
TSR_LOCAL tsr_leaf tsr_sub_product_(tsr_sub_ m)
{
    tsr_leaf r = tsr_leaf_static(1);
    for (int i = m.b; i < m.e; ++i)
        if (m.t->leaf[i].kind != TSR_UNIT)
            r = i == m.b ? m.t->leaf[i] : tsr_leaf_mul(r, m.t->leaf[i]);
    return r;
}

TSR_OP tsr_tuple tsr_product_each(tsr_tuple t)
{
    tsr_tuple r = TSR_ZERO;
    t = tsr_wrap(t);
    if (t.status)
        return t;
    int const modes = tsr_mode_count(&t) > 0 ? t.leaves : 0; /* () has none */
    tsr_sub_ mode = tsr_sub_whole_(&t);
    for (int b = 0; b < modes; b = mode.e) {
        mode = tsr_sub_mode_(tsr_sub_whole_(&t), b);
        tsr_leaf const x = tsr_sub_product_(mode);
        if (x.kind == TSR_BAD)
            return tsr_from_leaf(x);
        tsr_tuple_push_leaf(&r, x);
    }
    tsr_enclose_all_(&r);
    return r;
}

TSR_OP tsr_tuple tsr_product_like(tsr_tuple t, tsr_tuple guide)
{
    tsr_tuple r = TSR_ZERO;
    if (t.status || guide.status)
        return t.status ? t : guide;
    if (tsr_is_leaf(&guide))
        return tsr_product(t);
    int const rank = tsr_mode_count(&guide);
    if (tsr_is_leaf(&t) || tsr_mode_count(&t) != rank)
        return tsr_ranks_differ_(&t, &guide);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const x = tsr_product_like(tsr_tuple_get(t, i), tsr_tuple_get(guide, i));
        tsr_tuple_push(&r, &x);
    }
    return tsr_tuple_close(r);
}

TSR_OP tsr_tuple tsr_sum(tsr_tuple t)
{
    tsr_leaf r = tsr_leaf_static(0);
    if (t.status || tsr_is_leaf(&t))
        return t;
    for (int i = 0; i < t.leaves; ++i)
        if (t.leaf[i].kind != TSR_UNIT)
            r = tsr_leaf_add(r, t.leaf[i]);
    return tsr_from_leaf(r);
}

TSR_LOCAL tsr_tuple tsr_reduce_(tsr_leaf_op2_ op, tsr_tuple t)
{
    if (t.status)
        return t;
    if (t.leaf[0].kind == TSR_UNIT)
        return tsr_bad_tuple(TSR_EMPTY, 0, 0, 0, 0);
    tsr_leaf r = t.leaf[0];
    for (int i = 1; i < t.leaves; ++i)
        r = op(r, t.leaf[i]);
    return tsr_from_leaf(r);
}

TSR_OP tsr_tuple tsr_min(tsr_tuple t) { return tsr_reduce_(tsr_leaf_min, t); }

TSR_OP tsr_tuple tsr_max(tsr_tuple t) { return tsr_reduce_(tsr_leaf_max, t); }

TSR_OP tsr_tuple tsr_gcd(tsr_tuple t) { return tsr_reduce_(tsr_leaf_gcd, t); }

TSR_OP tsr_tuple tsr_tuple_ceil_div(tsr_tuple a, tsr_tuple b)
{
    if (a.status || b.status)
        return a.status ? a : b;
    if (tsr_is_leaf(&a))
        return tsr_lift2_(tsr_leaf_ceil_div, a, tsr_product(b));
    if (!tsr_is_leaf(&b)) {
        if (tsr_mode_count(&a) < tsr_mode_count(&b))
            return tsr_ranks_differ_(&a, &b);
        return tsr_each_(tsr_tuple_ceil_div, a, tsr_tuple_append_to(b, tsr_s(1), tsr_mode_count(&a)));
    }
    return tsr_each_by_rest_(tsr_tuple_ceil_div, a, b);
}

TSR_OP tsr_tuple tsr_round_up(tsr_tuple a, tsr_tuple b)
{
    if (a.status || b.status)
        return a.status ? a : b;
    if (tsr_is_leaf(&a) || tsr_is_leaf(&b))
        return tsr_lift2_(tsr_leaf_round_up, a, b);
    if (tsr_mode_count(&a) < tsr_mode_count(&b))
        return tsr_ranks_differ_(&a, &b);
    return tsr_each_(tsr_round_up, a, tsr_tuple_append_to(b, tsr_s(1), tsr_mode_count(&a)));
}

TSR_OP tsr_tuple tsr_shape_div(tsr_tuple a, tsr_tuple b)
{
    if (a.status || b.status)
        return a.status ? a : b;
    if (tsr_is_leaf(&a)) {
        tsr_tuple const divisor = tsr_product(b);
        tsr_leaf const x = a.leaf[0], y = tsr_as_leaf_(divisor);
        bool const known = tsr_leaf_is_static(x) && tsr_leaf_is_static(y) && x.value != 0 && y.value != 0;
        if (known && x.value % y.value != 0 && y.value % x.value != 0)
            return tsr_bad_tuple(TSR_SHAPE_DIV, 0, x.value, y.value, 0);
        return tsr_lift2_(tsr_leaf_ceil_div, a, divisor);
    }
    if (!tsr_is_leaf(&b)) {
        if (tsr_mode_count(&a) != tsr_mode_count(&b))
            return tsr_ranks_differ_(&a, &b);
        return tsr_each_(tsr_shape_div, a, b);
    }
    return tsr_each_by_rest_(tsr_shape_div, a, b);
}

TSR_OP tsr_tuple tsr_elem_scale(tsr_tuple a, tsr_tuple b)
{
    if (a.status || b.status)
        return a.status ? a : b;
    if (tsr_is_leaf(&a))
        return tsr_lift2_(tsr_leaf_mul, a, tsr_product(b));
    if (tsr_mode_count(&a) != tsr_mode_count(&b) || tsr_is_leaf(&b))
        return tsr_ranks_differ_(&a, &b);
    return tsr_each_(tsr_elem_scale, a, b);
}

TSR_OP tsr_tuple tsr_filter_zeros_by(tsr_tuple a, tsr_tuple b)
{
    if (a.status || b.status)
        return a.status ? a : b;
    if (tsr_is_leaf(&a))
        return tsr_leaf_is(a.leaf[0], 0) ? tsr_repeat_like(b, tsr_s(1)) : b;
    if (tsr_is_leaf(&b) || tsr_mode_count(&a) != tsr_mode_count(&b))
        return tsr_ranks_differ_(&a, &b);
    return tsr_each_(tsr_filter_zeros_by, a, b);
}

TSR_OP tsr_tuple tsr_tuple_filter_zeros(tsr_tuple t) { return tsr_filter_zeros_by(t, t); }

TSR_OP tsr_tuple tsr_as_arithmetic_tuple(tsr_tuple t)
{
    tsr_tuple r = TSR_ZERO;
    if (t.status)
        return t;
    if (!tsr_is_leaf(&t)) {
        int const rank = tsr_mode_count(&t);
        for (int i = 0; i < rank; ++i) {
            tsr_tuple const x = tsr_as_arithmetic_tuple(tsr_tuple_get(t, i));
            tsr_tuple_push(&r, &x);
        }
        return tsr_tuple_close(r);
    }
    if (!tsr_leaf_is_basis(t.leaf[0]))
        return t;
    int const mode = (int)(t.leaf[0].aux & 31u) - 1;
    t.leaf[0].aux >>= 5;
    tsr_tuple const inner = tsr_as_arithmetic_tuple(t);
    for (int i = 0; i < mode; ++i)
        tsr_tuple_push_leaf(&r, tsr_leaf_static(0));
    tsr_tuple_push(&r, &inner);
    return tsr_tuple_close(r);
}

TSR_OP tsr_tuple tsr_add(tsr_tuple a, tsr_tuple b)
{
    if (a.status || b.status)
        return a.status ? a : b;
    bool const ia = tsr_is_leaf(&a) && !tsr_leaf_is_basis(a.leaf[0]);
    bool const ib = tsr_is_leaf(&b) && !tsr_leaf_is_basis(b.leaf[0]);
    if (ia && ib)
        return tsr_lift2_(tsr_leaf_add, a, b);
    if (ia || ib) {
        if (tsr_leaf_is(ia ? a.leaf[0] : b.leaf[0], 0))
            return ia ? b : a;
        return tsr_bad_tuple(TSR_BASIS, 0, 0, 0, 0);
    }
    a = tsr_as_arithmetic_tuple(a);
    b = tsr_as_arithmetic_tuple(b);
    int const ra = tsr_mode_count(&a), rb = tsr_mode_count(&b), rank = ra < rb ? rb : ra;
    return tsr_each_(tsr_add, tsr_tuple_append_to(a, tsr_s(0), rank), tsr_tuple_append_to(b, tsr_s(0), rank));
}

TSR_OP tsr_tuple tsr_inner_product(tsr_tuple a, tsr_tuple b)
{
    tsr_tuple r = tsr_s(0);
    if (a.status || b.status)
        return a.status ? a : b;
    if (tsr_is_leaf(&a) && tsr_is_leaf(&b))
        return tsr_lift2_(tsr_leaf_mul, a, b);
    int const rank = tsr_mode_count(&a);
    if (tsr_is_leaf(&a) || tsr_is_leaf(&b) || rank != tsr_mode_count(&b))
        return tsr_ranks_differ_(&a, &b);
    for (int i = 0; i < rank; ++i)
        r = tsr_add(r, tsr_inner_product(tsr_tuple_get(a, i), tsr_tuple_get(b, i)));
    return r;
}

/* Predicates of profile: 1 or 0, static where CuTe decides them at compile time */

TSR_LOCAL tsr_tuple tsr_not_(tsr_tuple t) { return t.status ? t : tsr_from_leaf(tsr_leaf_not(tsr_as_leaf_(t))); }

TSR_LOCAL tsr_tuple tsr_and_(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_land, a, b); }

TSR_LOCAL tsr_tuple tsr_or_(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_lor, a, b); }

TSR_OP tsr_tuple tsr_tuple_equal(tsr_tuple a, tsr_tuple b)
{
    tsr_leaf r = tsr_leaf_static(1);
    if (a.status || b.status)
        return a.status ? a : b;
    if (!tsr_same_profile(&a, &b))
        return tsr_s(0);
    for (int i = 0; i < a.leaves; ++i)
        r = tsr_leaf_land(r, tsr_leaf_eq(a.leaf[i], b.leaf[i]));
    return tsr_from_leaf(r);
}

TSR_OP tsr_tuple tsr_congruent(tsr_tuple a, tsr_tuple b)
{
    if (a.status || b.status)
        return a.status ? a : b;
    return tsr_s(tsr_same_profile(&a, &b));
}

TSR_OP tsr_tuple tsr_compatible(tsr_tuple a, tsr_tuple b)
{
    tsr_tuple r = tsr_s(1);
    if (a.status || b.status)
        return a.status ? a : b;
    if (tsr_is_leaf(&a))
        return tsr_lift2_(tsr_leaf_eq, a, tsr_product(b));
    int const rank = tsr_mode_count(&a);
    if (tsr_is_leaf(&b) || tsr_mode_count(&b) != rank)
        return tsr_s(0);
    for (int i = 0; i < rank; ++i)
        r = tsr_and_(r, tsr_compatible(tsr_tuple_get(a, i), tsr_tuple_get(b, i)));
    return r;
}

TSR_OP tsr_tuple tsr_weakly_compatible(tsr_tuple a, tsr_tuple b)
{
    tsr_tuple r = tsr_s(1);
    if (a.status || b.status)
        return a.status ? a : b;
    if (tsr_is_leaf(&a))
        return tsr_not_(tsr_lift2_(tsr_leaf_mod, tsr_product(b), a));
    int const rank = tsr_mode_count(&a);
    if (tsr_is_leaf(&b) || tsr_mode_count(&b) != rank)
        return tsr_s(0);
    for (int i = 0; i < rank; ++i)
        r = tsr_and_(r, tsr_weakly_compatible(tsr_tuple_get(a, i), tsr_tuple_get(b, i)));
    return r;
}

TSR_OP tsr_tuple tsr_evenly_divides(tsr_tuple a, tsr_tuple b)
{
    tsr_tuple r = tsr_s(1);
    if (a.status || b.status)
        return a.status ? a : b;
    if (tsr_is_leaf(&b)) {
        tsr_tuple const whole = tsr_lift2_(tsr_leaf_mul, b, tsr_product(tsr_tuple_ceil_div(a, b)));
        return tsr_lift2_(tsr_leaf_eq, tsr_product(a), whole);
    }
    int const rank = tsr_mode_count(&b);
    if (rank > tsr_mode_count(&a))
        return tsr_s(0);
    for (int i = 0; i < rank; ++i)
        r = tsr_and_(r, tsr_evenly_divides(tsr_tuple_get(a, i), tsr_tuple_get(b, i)));
    return r;
}

/* Orders. A shorter tuple comes first; x_leq(a,b) is not x_less(b,a), also for the element-wise one. */

/** op(b, a), where of two invalid arguments a is the first. */
TSR_LOCAL tsr_tuple tsr_swapped_(tsr_tuple_op2_ op, tsr_tuple a, tsr_tuple b)
{
    return a.status || b.status ? (a.status ? a : b) : op(b, a);
}

/** a < b, comparing modes from the first (lexicographic) or from the last (colexicographic). */
TSR_LOCAL tsr_tuple tsr_dictionary_less_(tsr_tuple a, tsr_tuple b, bool colex)
{
    tsr_tuple r = tsr_s(0);
    if (a.status || b.status)
        return a.status ? a : b;
    if (tsr_is_leaf(&a) || tsr_is_leaf(&b))
        return tsr_lift2_(tsr_leaf_lt, a, b);
    int const ra = tsr_mode_count(&a), rb = tsr_mode_count(&b);
    if (ra < rb)
        r = tsr_s(1);
    for (int i = (ra < rb ? ra : rb) - 1; i >= 0; --i) {
        tsr_tuple const x = tsr_tuple_get(a, colex ? ra - 1 - i : i), y = tsr_tuple_get(b, colex ? rb - 1 - i : i);
        r = tsr_or_(tsr_dictionary_less_(x, y, colex), tsr_and_(tsr_tuple_equal(x, y), r));
    }
    return r;
}

TSR_OP tsr_tuple tsr_lex_less(tsr_tuple a, tsr_tuple b) { return tsr_dictionary_less_(a, b, false); }

TSR_OP tsr_tuple tsr_lex_leq(tsr_tuple a, tsr_tuple b) { return tsr_not_(tsr_swapped_(tsr_lex_less, a, b)); }

TSR_OP tsr_tuple tsr_lex_gtr(tsr_tuple a, tsr_tuple b) { return tsr_swapped_(tsr_lex_less, a, b); }

TSR_OP tsr_tuple tsr_lex_geq(tsr_tuple a, tsr_tuple b) { return tsr_not_(tsr_lex_less(a, b)); }

TSR_OP tsr_tuple tsr_colex_less(tsr_tuple a, tsr_tuple b) { return tsr_dictionary_less_(a, b, true); }

TSR_OP tsr_tuple tsr_colex_leq(tsr_tuple a, tsr_tuple b) { return tsr_not_(tsr_swapped_(tsr_colex_less, a, b)); }

TSR_OP tsr_tuple tsr_colex_gtr(tsr_tuple a, tsr_tuple b) { return tsr_swapped_(tsr_colex_less, a, b); }

TSR_OP tsr_tuple tsr_colex_geq(tsr_tuple a, tsr_tuple b) { return tsr_not_(tsr_colex_less(a, b)); }

TSR_OP tsr_tuple tsr_elem_less(tsr_tuple a, tsr_tuple b)
{
    tsr_tuple r = tsr_s(1);
    if (a.status || b.status)
        return a.status ? a : b;
    if (tsr_is_leaf(&a) || tsr_is_leaf(&b))
        return tsr_lift2_(tsr_leaf_lt, a, b);
    int const ra = tsr_mode_count(&a), rb = tsr_mode_count(&b);
    if (ra > rb)
        r = tsr_s(0);
    for (int i = (ra < rb ? ra : rb) - 1; i >= 0; --i)
        r = tsr_and_(tsr_elem_less(tsr_tuple_get(a, i), tsr_tuple_get(b, i)), r);
    return r;
}

TSR_OP tsr_tuple tsr_elem_leq(tsr_tuple a, tsr_tuple b) { return tsr_not_(tsr_swapped_(tsr_elem_less, a, b)); }

TSR_OP tsr_tuple tsr_elem_gtr(tsr_tuple a, tsr_tuple b) { return tsr_swapped_(tsr_elem_less, a, b); }

TSR_OP tsr_tuple tsr_elem_geq(tsr_tuple a, tsr_tuple b) { return tsr_not_(tsr_elem_less(a, b)); }

TSR_HEADER_END

#endif
