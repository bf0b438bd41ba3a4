/** Transform: a function of yours for each element.
 *
 *      tsr_transform(x, y, f, context)                y(i) = f(x(i), context)     of numbers: integers stay integers
 *      tsr_transform_2(x, y, z, f, context)           z(i) = f(x(i), y(i), context)
 *      tsr_transform_reals(x, y, f, context)          the same of doubles, which are rounded once to the type of y
 *      tsr_transform_reals_2(x, y, z, f, context)
 *      tsr_combine(op, alpha, x, beta, y, z)          z(i) = alpha * x(i) op beta * y(i) of a row of TSR_COMBINER_LIST
 *
 *  Elements are read 128 at a time, along the loops that the layouts share. One loop calls the function for them, and
 *  the compiler can inline a function that it sees. Then they are written. The destination may be a source.
 *
 *  Law     the result is that of a loop over tsr_tensor_read and tsr_tensor_write. f is called once for each element,
 *          in an order that follows from the layouts.
 *  Errors  DIFFER_SIZE, OVERLAP, CONSTANT, NULL_DATA, NOT_NUMBERS (of doubles also complex ones), NOT_INJECTIVE,
 *          BOUNDS.
 *  Source  CuTe, include/cute/algorithm/tensor_algorithms.hpp (transform).
 */
#ifndef TSR_EXEC_TRANSFORM_H
#define TSR_EXEC_TRANSFORM_H

#include "tessera/exec/algorithm.h"
#include "tessera/exec/elements.h"

TSR_HEADER_BEGIN

/** Elements that are computed at a time. */
enum { TSR_TRANSFORMED = 256 };

typedef tsr_number (*tsr_binary_function)(tsr_number x, tsr_number y, void const *context);

typedef double (*tsr_real_function)(double x, void const *context);

typedef double (*tsr_real_function_2)(double x, double y, void const *context);

/** Tensors on their way: sources 0 and 1, and 2, the destination. */
typedef struct tsr_transform_ {
    tsr_reason why;
    bool binary, reals, by_element;
    tsr_cursor cursor[3]; /* by element */
    tsr_side side[3];
    uint64_t base[3];
    int loops;
    int64_t count[TSR_MAX_LEAVES + 1], step[3][TSR_MAX_LEAVES + 1], digit[TSR_MAX_LEAVES + 1], at[3];
    int64_t left, n;                       /* elements to come, elements of the group */
    tsr_number number[3][TSR_TRANSFORMED]; /* or */
    double real[3][TSR_TRANSFORMED];
} tsr_transform_;

TSR_API void tsr_transform_begin_(tsr_transform_ *t, tsr_tensor const *x, tsr_tensor const *y, tsr_tensor const *z,
                                  bool reals);

/** Reads the next elements of the sources. Returns how many: 0 at the end. */
TSR_API int64_t tsr_transform_next_(tsr_transform_ *t);

/** Writes the results. */
TSR_API void tsr_transform_put_(tsr_transform_ *t);

/* What all four are. */
#define TSR_TRANSFORM_(y, z, reals, element, value)           \
  tsr_transform_ t TSR_SCRATCH;                               \
  tsr_transform_begin_(&t, &x, y, &z, reals);                 \
  for (; tsr_transform_next_(&t) > 0; tsr_transform_put_(&t)) \
    for (int64_t i = 0; i < t.n; ++i)                         \
      t.element[2][i] = value;                                \
  return t.why

/** y(i) = f(x(i)). */
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_transform(tsr_tensor x, tsr_tensor y, tsr_function f, void const *context)
{
    TSR_TRANSFORM_(NULL, y, false, number, (*f)(t.number[0][i], context));
}

/** z(i) = f(x(i), y(i)). */
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_transform_2(tsr_tensor x, tsr_tensor y, tsr_tensor z, tsr_binary_function f,
                                                      void const *context)
{
    TSR_TRANSFORM_(&y, z, false, number, (*f)(t.number[0][i], t.number[1][i], context));
}

/** y(i) = f(x(i)) in double. */
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_transform_reals(tsr_tensor x, tsr_tensor y, tsr_real_function f,
                                                          void const *context)
{
    TSR_TRANSFORM_(NULL, y, true, real, (*f)(t.real[0][i], context));
}

/** z(i) = f(x(i), y(i)) in double. */
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_transform_reals_2(tsr_tensor x, tsr_tensor y, tsr_tensor z,
                                                            tsr_real_function_2 f, void const *context)
{
    TSR_TRANSFORM_(&y, z, true, real, (*f)(t.real[0][i], t.real[1][i], context));
}

#undef TSR_TRANSFORM_

/** z(i) = alpha * x(i) op beta * y(i): a sum, a product, a quotient, the least or the greatest (exec/functions.h).
 *  Stride 0 repeats an element of x or y. z may be x or y, in its layout. Memory y of a sum is not read where beta is
 *  0. A number is counting_iter(1) with strides of 0 and alpha, or beta, as its value.
 *
 *  Law     Where the types and the factors are integers, numbers are computed modulo 2^64. All others, and quotients,
 *          are computed in double (complex ones in two), every step rounded by itself, and once more to the type of z.
 *          NaN is one pattern. Where x or y is NaN, so is the least and the greatest. tsr_gpu_combine gives the same
 *          bits.
 *  Errors  those of tsr_transform_2; NOT_NUMBERS of complex numbers but in sums and products. */
TSR_TRY tsr_reason tsr_combine(tsr_combiner op, tsr_number alpha, tsr_tensor const *x, tsr_number beta,
                               tsr_tensor const *y, tsr_tensor const *z);

/* A call names tensors; where they are is what it passes (tensor/tensor.h). */
#ifdef __cplusplus
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_combine(tsr_combiner op, tsr_number alpha, tsr_tensor const &x,
                                                  tsr_number beta, tsr_tensor const &y, tsr_tensor const &z)
{
    return tsr_combine(op, alpha, &x, beta, &y, &z);
}
#else
#  define tsr_combine(op, alpha, x, beta, y, z) tsr_combine(op, alpha, TSR_AT(x), beta, TSR_AT(y), TSR_AT(z))
#endif

TSR_HEADER_END

#endif
