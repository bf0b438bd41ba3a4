/** Algorithms over all elements of a tensor: fill, clear, transform, reduce, axpby.
 *
 *  They compute in the widest number of the kind (64-bit integers, double, two doubles) and round once, to the
 *  element type, when they write.
 *
 *  Errors  DIFFER_SIZE, OVERLAP, CONSTANT, NULL_DATA, NOT_NUMBERS, NOT_INJECTIVE, BOUNDS.
 *  Source  CuTe, include/cute/algorithm/fill.hpp, clear.hpp, axpby.hpp, tensor_algorithms.hpp, tensor_reduce.hpp.
 */
#ifndef TSR_EXEC_ALGORITHM_H
#define TSR_EXEC_ALGORITHM_H

#include "tessera/exec/copy.h"
#include "tessera/tensor/pointer.h"

/** fill(t, x): every element becomes x. */
TSR_INLINE tsr_reason tsr_fill(tsr_tensor t, tsr_number x)
{
    unsigned char element[16] = {0};
    tsr_plan p = TSR_ZERO;
    tsr_tensor one = t;
    p.why = tsr_all_writable_(t);
    if (!p.why.status && (!tsr_has_numbers_(&t) || x.kind == TSR_NO_NUMBER))
        p.why = tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    if (p.why.status)
        return p.why;
    tsr_store(t.engine.type, element, 0, x);
    one.engine = tsr_engine_at(TSR_RMEM, element, true, t.engine.type);
    one.layout = tsr_layout_unchecked(t.layout.shape, t.layout.stride);
    for (int i = 0; i < one.layout.stride.leaves; ++i) {
        if (t.layout.stride.leaf[i].value == 0 && t.layout.shape.leaf[i].kind != TSR_UNIT)
            t.layout.shape.leaf[i].value = one.layout.shape.leaf[i].value = 1; /* a place is filled once */
        one.layout.stride.leaf[i].value = 0;
    }
    tsr_plan_make_(&p, NULL, &one, &t);
    tsr_plan_run(&p, NULL, &one, &t, 0, p.units);
    return p.why;
}

/** clear(t): every element becomes 0. */
TSR_INLINE tsr_reason tsr_clear(tsr_tensor t) { return tsr_fill(t, tsr_number_int(0)); }

/** d(i) = function(s(i), context). Source and destination may be the same tensor. */
TSR_INLINE tsr_reason tsr_transform(tsr_tensor s, tsr_tensor d, tsr_function function, void const *context)
{
    bool const in_place = s.engine.address == d.engine.address && s.engine.bit == d.engine.bit
                          && s.engine.type == d.engine.type
                          && tsr_layout_equal(s.layout, d.layout).leaf[0].value != 0;
    tsr_reason const why = in_place ? tsr_all_writable_(d) : tsr_copyable(s, d);
    int64_t const n = tsr_layout_size(d.layout);
    if (why.status)
        return why;
    if (!tsr_has_numbers_(&s) || !tsr_has_numbers_(&d))
        return tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    tsr_cursor from = tsr_cursor_at(&s, 0), c = tsr_cursor_at(&d, 0);
    for (int64_t i = 0; i < n; ++i, tsr_cursor_next(&from), tsr_cursor_next(&c))
        tsr_cursor_put(&c, function(tsr_cursor_get(&from), context));
    return why;
}

/** Two numbers to one: tsr_number_add, _mul, _min, _max, or your own. */
typedef tsr_number (*tsr_operator)(tsr_number a, tsr_number b);

/** *x = op(.. op(op(*x, t(0)), t(1)) ..). */
TSR_INLINE tsr_reason tsr_reduce(tsr_tensor t, tsr_operator op, tsr_number *x)
{
    tsr_reason const why = tsr_all_readable_(t);
    if (why.status)
        return why;
    if (!tsr_has_numbers_(&t))
        return tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    int64_t const n = tsr_layout_size(t.layout);
    tsr_cursor c = tsr_cursor_at(&t, 0);
    for (int64_t i = 0; i < n; ++i, tsr_cursor_next(&c))
        *x = op(*x, tsr_cursor_get(&c));
    return why;
}

/** y(i) = alpha * x(i) + beta * y(i). Where beta is 0, y is not read. */
TSR_INLINE tsr_reason tsr_axpby(tsr_number alpha, tsr_tensor x, tsr_number beta, tsr_tensor y)
{
    tsr_reason const why = tsr_copyable(x, y);
    int64_t const n = tsr_layout_size(y.layout);
    if (why.status)
        return why;
    if (!tsr_has_numbers_(&x) || !tsr_has_numbers_(&y))
        return tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    tsr_cursor from = tsr_cursor_at(&x, 0), to = tsr_cursor_at(&y, 0);
    for (int64_t i = 0; i < n; ++i, tsr_cursor_next(&from), tsr_cursor_next(&to)) {
        tsr_number r = tsr_number_mul(alpha, tsr_cursor_get(&from));
        if (!tsr_number_is_zero(beta))
            r = tsr_number_add(r, tsr_number_mul(beta, tsr_cursor_get(&to)));
        tsr_cursor_put(&to, r);
    }
    return why;
}

#endif
