/** What copies that compute make of an element y of the destination and the element x of the source that goes there:
 *
 *      y = alpha * f(x) + beta * y          where beta is 0, y is not read
 *
 *  Where alpha, beta and both types are integers, it is computed modulo 2^64; else in double (complex numbers, to which
 *  no f but x itself is applied, in two), every product and sum rounded by itself, and once more to the type of y. A
 *  factor that is not complex multiplies the two parts of a complex number. An f(x) of x and y that float holds is a
 *  float: of floats other than f64 and of integers of at most 16 bits to floats other than f64. NaN is one pattern, for
 *  no type says which one an operation gives. f is one of
 *
 *      x        abs(x)  relu(x) = max(x, 0)  x*x
 *      exp(x)  log(x)  sqrt(x)  rsqrt(x) = 1/sqrt(x)  rcp(x) = 1/x  tanh(x)
 *      sigmoid(x) = 1/(1 + e^-x)        silu(x) = x sigmoid(x)
 *      gelu(x) = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
 *
 *  Of doubles and of floats (src/exec/compute/functions_float.h says how near they are): the same
 *  bits wherever they are computed, which the functions of a C library do not promise. Integers have abs, relu and
 *  square; of them, too, the others are computed as of real numbers.
 *  The library computes them: -ffast-math of a program changes nothing.
 *
 *  What becomes of two numbers a and b is a row of TSR_COMBINER_LIST, in the same numbers; a quotient of integers is of
 *  reals, and complex numbers have a sum and a product.
 *
 *  Source  torch.nn.functional for silu and gelu (approximate="tanh").
 */
#ifndef TSR_EXEC_FUNCTIONS_H
#define TSR_EXEC_FUNCTIONS_H

#include "tessera/base/config.h"

TSR_HEADER_BEGIN

/* clang-format off */
/** X(id, name, of a double x, of a float x, of a signed integer x): from EXP on, integers are computed as reals. */
#define TSR_FUNCTION_LIST(X)                                                                             \
    X(IDENTITY, "x", x, x, x)                                                                            \
    X(ABS, "abs(x)", tsr_abs_(x), tsr_abs_float_(x), x < 0 ? (int64_t)(0 - (uint64_t)x) : x)             \
    X(RELU, "relu(x)", x < 0 ? 0 : x, x < 0 ? 0 : x, x < 0 ? 0 : x)                                      \
    X(SQUARE, "x*x", x * x, x * x, (int64_t)((uint64_t)x * (uint64_t)x))                                 \
    X(EXP, "exp(x)", tsr_exp_(x), tsr_exp_float_(x), x)                                                  \
    X(LOG, "log(x)", tsr_log_(x), tsr_log_float_(x), x)                                                  \
    X(SQRT, "sqrt(x)", tsr_sqrt_(x), tsr_sqrt_float_(x), x)                                              \
    X(RSQRT, "rsqrt(x)", 1.0 / tsr_sqrt_(x), 1.0f / tsr_sqrt_float_(x), x)                               \
    X(RCP, "1/x", 1.0 / x, 1.0f / x, x)                                                                  \
    X(TANH, "tanh(x)", tsr_tanh_(x), tsr_tanh_float_(x), x)                                              \
    X(SIGMOID, "sigmoid(x)", tsr_gated_(1.0, x), tsr_gated_float_(1.0f, x), x)                           \
    X(SILU, "silu(x)", tsr_gated_(x, x), tsr_gated_float_(x, x), x)                                      \
    X(GELU, "gelu(x)", tsr_gelu_(x), tsr_gelu_float_(x), x)
/* clang-format on */

typedef enum tsr_function_id {
#define TSR_X_(id, name, real, single, integer) TSR_OF_##id,
    TSR_FUNCTION_LIST(TSR_X_)
#undef TSR_X_
        TSR_FUNCTIONS
} tsr_function_id;

/* clang-format off */
/** X(id, name, of reals a and b, of numbers a and b): NaN is the least and the greatest one. */
#define TSR_COMBINER_LIST(X)                                                                                \
    X(SUM, "a + b", a + b, tsr_number_add(a, b))                                                            \
    X(PRODUCT, "a * b", a * b, tsr_number_mul(a, b))                                                        \
    X(QUOTIENT, "a / b", a / b, tsr_number_real(tsr_number_to_double(a) / tsr_number_to_double(b)))         \
    X(LEAST, "min(a, b)", b < a || b != b ? b : a, tsr_number_less(b, a) || b.re != b.re ? b : a)           \
    X(GREATEST, "max(a, b)", a < b || b != b ? b : a, tsr_number_less(a, b) || b.re != b.re ? b : a)
/* clang-format on */

/** What tsr_gpu_combine makes of two numbers (gpu/combine.h). */
typedef enum tsr_combiner {
#define TSR_X_(id, name, real, number) TSR_COMBINE_##id,
    TSR_COMBINER_LIST(TSR_X_)
#undef TSR_X_
        TSR_COMBINERS
} tsr_combiner;

TSR_HEADER_END

#endif
