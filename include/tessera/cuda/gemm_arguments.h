/** The arguments of kernels of products: one text for the host, which writes them, and for the kernels, which read
 *  them.
 *
 *  Law     sizes and offsets are the same on both sides: each compiler asserts them.
 */
#ifndef TSR_CUDA_GEMM_ARGUMENTS_H
#define TSR_CUDA_GEMM_ARGUMENTS_H

#include "tessera/cuda/both_sides.h"

TSR_HEADER_BEGIN

/** The parts of an epilogue: activation(alpha * sum + beta * C + bias). */
enum { TSR_EPILOGUE_SCALES = 1, TSR_EPILOGUE_ADDS = 2, TSR_EPILOGUE_BIASED = 4, TSR_EPILOGUE_RELU = 8 };

/** The shape of a product. With TSR_HOPPER_MODES and _BATCHES `first` has the extents of the first modes of M, N, K
 *  and the batches. With TSR_HOPPER_SPLITS there are `splits` parts of K. `partial` is room for their sums, 32 bits
 *  for each element of each tile and part. `arrived` has a number for each consumer of a tile, 0 before and after the
 *  kernel. */
typedef struct tsr_gemm_shape {
    int32_t m, n, k, batches, splits, first[4];
    TSR_ON_DEVICE_(void) partial;
    TSR_ON_DEVICE_(int32_t) arrived;
} tsr_gemm_shape;

TSR_SAME_(sizeof(tsr_gemm_shape) == 56 && TSR_BEGINS_(tsr_gemm_shape, partial, 40));

/** The scales of A, (row, block of K, batch), and of B, (block of columns, block of K, batch); strides in elements. */
typedef struct tsr_gemm_scales {
    TSR_ON_DEVICE_(float const) a;
    TSR_ON_DEVICE_(float const) b;
    int32_t rows, columns; /* of the product */
    int64_t stride_a[3], stride_b[3];
} tsr_gemm_scales;

TSR_SAME_(sizeof(tsr_gemm_scales) == 72 && TSR_BEGINS_(tsr_gemm_scales, stride_b, 48));

/** The members of matrices (m,n) with strides of run time, one behind the other: tsr_batched<T> of
 *  cuda/gemm_epilogue.cuh. */
#define TSR_BATCHED_MEMBERS_(pointer) \
  pointer at;                         \
  int32_t extent[2];                  \
  int64_t stride[2], batch;

/** The members of the numbers of an epilogue: tsr_gemm_epilogue<..> of cuda/gemm_epilogue.cuh. */
#define TSR_EPILOGUE_MEMBERS_(result, addend, last) \
  float alpha, beta;                                \
  result d;                                         \
  addend c;                                         \
  last bias;

/** The same on the host, with addresses. */
typedef struct tsr_gemm_matrix {
    TSR_BATCHED_MEMBERS_(uint64_t)
} tsr_gemm_matrix;

typedef struct tsr_gemm_numbers {
    TSR_EPILOGUE_MEMBERS_(tsr_gemm_matrix, tsr_gemm_matrix, tsr_gemm_matrix)
    tsr_gemm_scales scales; /* behind the epilogue of a tile with TSR_HOPPER_SCALES */
} tsr_gemm_numbers;

TSR_SAME_(sizeof(tsr_gemm_matrix) == 40 && TSR_BEGINS_(tsr_gemm_matrix, stride, 16));
TSR_SAME_(sizeof(tsr_gemm_numbers) == 200 && TSR_BEGINS_(tsr_gemm_numbers, scales, 128));

TSR_HEADER_END

#endif
