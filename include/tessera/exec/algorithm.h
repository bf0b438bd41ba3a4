/** Algorithms over all elements of a tensor: fill, clear, reduce, axpby, apply; transform has a header of its own.
 *
 *  They compute in the widest number of the kind (64-bit integers, double, two doubles) and round once, to the
 *  element type, when they write. fill, axpby and apply make a plan and run it.
 *
 *  Errors  DIFFER_SIZE, OVERLAP, CONSTANT, NULL_DATA, NOT_NUMBERS, NOT_INJECTIVE, BOUNDS.
 *  Source  CuTe, include/cute/algorithm/fill.hpp, clear.hpp, axpby.hpp, tensor_algorithms.hpp, tensor_reduce.hpp.
 */
#ifndef TSR_EXEC_ALGORITHM_H
#define TSR_EXEC_ALGORITHM_H

#include "tessera/exec/copy.h"
#include "tessera/exec/functions.h"
#include "tessera/exec/reduce.h"
#include "tessera/tensor/pointer.h"
#include "tessera/tensor/ref.h"

TSR_HEADER_BEGIN

/** fill(t, x): every element becomes x, a number of C or a tsr_number. */
TSR_TRY tsr_reason tsr_fill(tsr_tensor const *t, tsr_number x);

/** clear(t): every element becomes 0. */
TSR_TRY tsr_reason tsr_clear(tsr_tensor const *t);

/** Two numbers to one: tsr_number_add, _mul, _min, _max, or your own. */
typedef tsr_number (*tsr_operator)(tsr_number a, tsr_number b);

/** *x = op(.. op(op(*x, t(0)), t(1)) ..). */
TSR_TRY tsr_reason tsr_reduce(tsr_operator op, tsr_tensor const *t, tsr_number *x);

/** The plan of y(i) = alpha * f(x(i)) + beta * y(i), exec/functions.h; f is TSR_OF_IDENTITY, .. x and y may be the same
 *  tensor. */
TSR_TRY tsr_planned_copy tsr_apply_plan(tsr_function_id function, tsr_number alpha, tsr_tensor const *x,
                                        tsr_number beta, tsr_tensor const *y);

/** y(i) = alpha * x(i) + beta * y(i), of numbers of C or tsr_numbers. Where beta is 0, y is not read. */
TSR_TRY tsr_reason tsr_axpby(tsr_number alpha, tsr_tensor const *x, tsr_number beta, tsr_tensor const *y);

/** y(i) = f(x(i)) for an f of exec/functions.h. Source and destination may be the same tensor. */
TSR_TRY tsr_reason tsr_apply(tsr_function_id function, tsr_tensor const *x, tsr_tensor const *y);

/* A call names tensors; where they are is what it passes (tensor/tensor.h). */
#ifdef __cplusplus
template <class Number> TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_fill(tsr_tensor const &t, Number x)
{
    return tsr_fill(&t, tsr_number_lift(x));
}
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_clear(tsr_tensor const &t) { return tsr_clear(&t); }
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_reduce(tsr_operator op, tsr_tensor const &t, tsr_number *x)
{
    return tsr_reduce(op, &t, x);
}
TSR_HOST_REF TSR_NODISCARD tsr_planned_copy tsr_apply_plan(tsr_function_id function, tsr_number alpha,
                                                           tsr_tensor const &x, tsr_number beta, tsr_tensor const &y)
{
    return tsr_apply_plan(function, alpha, &x, beta, &y);
}
template <class Alpha, class Beta>
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_axpby(Alpha alpha, tsr_tensor const &x, Beta beta, tsr_tensor const &y)
{
    return tsr_axpby(tsr_number_lift(alpha), &x, tsr_number_lift(beta), &y);
}
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_apply(tsr_function_id function, tsr_tensor const &x, tsr_tensor const &y)
{
    return tsr_apply(function, &x, &y);
}
#else
#  define tsr_fill(t, x) tsr_fill(TSR_AT(t), TSR_NUMBER_OF(x))
#  define tsr_clear(t) tsr_clear(TSR_AT(t))
#  define tsr_reduce(op, t, x) tsr_reduce(op, TSR_AT(t), x)
#  define tsr_apply_plan(function, alpha, x, beta, y) tsr_apply_plan(function, alpha, TSR_AT(x), beta, TSR_AT(y))
#  define tsr_axpby(alpha, x, beta, y) tsr_axpby(TSR_NUMBER_OF(alpha), TSR_AT(x), TSR_NUMBER_OF(beta), TSR_AT(y))
#  define tsr_apply(function, x, y) tsr_apply(function, TSR_AT(x), TSR_AT(y))
#endif

TSR_HEADER_END

#endif
