/** gemm: C += A * B, by the ranks of the tensors.
 *
 *      (V)     x (V)     -> (V)       element by element
 *      (M)     x (N)     -> (M,N)     outer product
 *      (M,K)   x (N,K)   -> (M,N)     matrix product
 *      (V,M)   x (V,N)   -> (V,M,N)   outer products, element by element of V
 *      (V,M,K) x (V,N,K) -> (V,M,N)   matrix products
 *
 *  What becomes of the sums is an epilogue: C = f(alpha * A*B + beta * C + bias).
 *
 *  Law     C(v,m,n) = C(v,m,n) + sum over k of A(v,m,k) * B(v,n,k), rounded once to C's type.
 *
 *          *By element* (tsr_gemm_by_element) in 64-bit integers or double.
 *
 *          *By the engine* (exec/gemm_plan.h) in the type of the sums: float for floats of up to 32 bits, double where
 *          one has 64, both for the parts of complex numbers. Their order depends on the sizes, the layouts, the
 *          engine's row and the number of threads. A result is off by at most (K + 4) * 2^-23 (2^-52) times
 *          |alpha| * sum |a||b| + |beta c| + |bias|, before it is rounded to C's type. A product of bf16 by bf16 by the
 *          instructions for it (rows "amx", "avx512" of exec/engine.h, "vector" on AArch64 with bf16) takes numbers
 *          below 2^-126 as 0, and sums below it; the row "avx2" does not. Sums of integers of up to 32 bits are the
 *          same ones.
 *
 *          *Integers.* Where A, B, C and the bias have integers, and alpha and beta are whole numbers from -2^63 to
 *          below 2^63, the result is exact modulo 2^64, and C keeps its low bits. With another alpha or beta, or a
 *          real C or bias, the epilogue is computed in double: sums beyond 2^53 are rounded.
 *
 *  Errors  GEMM_RANK, GEMM_SIZE; OVERLAP of C with A, B or the bias; CONSTANT, NULL_DATA, NOT_NUMBERS, NOT_INJECTIVE,
 *          BOUNDS.
 *  Source  CuTe, include/cute/algorithm/gemm.hpp; CUTLASS, epilogue/thread/linear_combination_bias_relu.h.
 */
#ifndef TSR_EXEC_GEMM_H
#define TSR_EXEC_GEMM_H

#include "tessera/exec/algorithm.h"

TSR_HEADER_BEGIN

/** X(id, name): the last function of an epilogue. */
#define TSR_ACTIVATION_LIST(X) \
  X(NO_ACTIVATION, "none")     \
  X(RELU, "relu")

typedef enum tsr_activation {
#define TSR_X_(id, name) TSR_##id,
    TSR_ACTIVATION_LIST(TSR_X_)
#undef TSR_X_
        TSR_ACTIVATION_COUNT
} tsr_activation;

/** C = activation(alpha * A*B + beta * C + bias). Where beta is 0, C is not read. */
typedef struct tsr_epilogue {
    double alpha, beta;
    tsr_tensor const *bias; /* of C's modes, with strides 0 where it repeats, (M,N):(1,0) a number a row; or NULL */
    tsr_activation activation;
} tsr_epilogue;

/** The modes of a tensor in the order (V,M,K), (V,N,K) or (V,M,N): which one of its layout, -1 for an extent of 1;
 *  from which leaf on, up to which; of how many elements. */
typedef struct tsr_gemm_modes {
    int8_t mode[3];
    uint8_t first[3], end[3];
    int64_t size[3];
} tsr_gemm_modes;

typedef struct tsr_product_ {
    tsr_reason why; /* why there is no product */
    tsr_tensor a, b, c, bias;
    tsr_gemm_modes modes[4]; /* of A, B, C and the bias */
    bool biased;
    double alpha, beta;
    tsr_activation activation;
} tsr_product_;

/** The epilogue of C += A * B. */
TSR_FN tsr_epilogue tsr_make_epilogue(double alpha, double beta)
{
    tsr_epilogue r = TSR_ZERO;
    r.alpha = alpha;
    r.beta = beta;
    return r;
}

/** gemm(A, B, C) with an epilogue. */
TSR_TRY tsr_reason tsr_gemm_with(tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c,
                                 tsr_epilogue const *e);

/** gemm(A, B, C). */
TSR_TRY tsr_reason tsr_gemm(tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c);

/** tsr_gemm_with, each element summed in 64-bit integers or double, without the engine of the library. */
TSR_TRY tsr_reason tsr_gemm_by_element(tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c,
                                       tsr_epilogue const *e);

/** D = A * B + C, element i of C to element i of D. */
TSR_TRY tsr_reason tsr_gemm_into(tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c, tsr_tensor const *d);

/* A call names tensors; where they are is what it passes (tensor/tensor.h). */
#ifdef __cplusplus
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_gemm_with(tsr_tensor const &a, tsr_tensor const &b, tsr_tensor const &c,
                                                    tsr_epilogue const *e)
{
    return tsr_gemm_with(&a, &b, &c, e);
}
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_gemm(tsr_tensor const &a, tsr_tensor const &b, tsr_tensor const &c)
{
    return tsr_gemm(&a, &b, &c);
}
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_gemm_by_element(tsr_tensor const &a, tsr_tensor const &b,
                                                          tsr_tensor const &c, tsr_epilogue const *e)
{
    return tsr_gemm_by_element(&a, &b, &c, e);
}
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_gemm_into(tsr_tensor const &a, tsr_tensor const &b, tsr_tensor const &c,
                                                    tsr_tensor const &d)
{
    return tsr_gemm_into(&a, &b, &c, &d);
}
#else
#  define tsr_gemm_with(a, b, c, e) tsr_gemm_with(TSR_AT(a), TSR_AT(b), TSR_AT(c), e)
#  define tsr_gemm(a, b, c) tsr_gemm(TSR_AT(a), TSR_AT(b), TSR_AT(c))
#  define tsr_gemm_by_element(a, b, c, e) tsr_gemm_by_element(TSR_AT(a), TSR_AT(b), TSR_AT(c), e)
#  define tsr_gemm_into(a, b, c, d) tsr_gemm_into(TSR_AT(a), TSR_AT(b), TSR_AT(c), TSR_AT(d))
#endif

TSR_HEADER_END

#endif
