/** Products of tensors in the memory of a GPU, planned once, run as often as wanted.
 *
 *      tsr_tensor const a = tsr_gpu_tensor(&memory, TSR_F16, layout);                    likewise b and c
 *      tsr_gpu_gemm product;
 *      tsr_gpu_result r = tsr_gpu_gemm_plan(&cache, &device, a, b, c, NULL, &log, &product);
 *      if (tsr_gpu_ok(r))
 *          r = tsr_gpu_gemm_run(&product, &stream);
 *      tsr_gpu_gemm_free(&product);
 *
 *  The tensors are those of exec/gemm.h, (M,K), (N,K) and (M,N), or (V,M,K), (V,N,K) and (V,M,N) for batches, of any
 *  layouts, with the same epilogue. On Hopper a product of f16, bf16, tf32, f8_e4m3fn, f8_e5m2 or i8 whose operands
 *  the copy engine can address (one loop a mode, or two of M, N and K where tiles divide the first, one of them through
 *  neighbours, all others in steps of 16 bytes) goes by TMA and wgmma (cuda/hopper_gemm.cuh): tile, cluster and parts of
 *  K are those that a model of the time finds best. What lies otherwise is copied to plain matrices first
 *  (gpu/copy.h), the result afterwards; small ones, other types and other GPUs go by plain loops (cuda/gemm_any.cuh; of
 *  f32 and f64 cuda/gemm_async.cuh), which have tensor cores for f64 on Hopper and for two operands of f16 or of bf16
 *  from compute capability 8.0 on; the plan's text says why.
 *
 *      tsr_gpu_gemm_plan_scaled(.., a, b, scale_a, scale_b, c, ..)   8-bit numbers with a scale for each block
 *      tsr_gpu_gemm_plan_groups(.., count, a, b, .., c, ..)       many products in one launch, each of its own sizes
 *      tsr_gpu_gemm_plan_rows(.., a, b, .., c, ends, ..)          rows of A by one of many B, how many the device knows
 *
 *  These three go by TMA or are refused. The plan keeps the addresses of the tensors. Where K is divided, and for
 *  groups, it has memory of its own, so that the launches of one plan have to be in one stream.
 *
 *  Law     the product of exec/gemm.h, with sums in f32, of i8 in i32, by plain loops of f64 in f64.
 *  Errors  PRODUCT, the log saying which law of exec/gemm.h the tensors break, or why the copy engine cannot take
 *          them; PRODUCT_LOOPS, PRODUCT_TYPES; those of tsr_gpu_specialise and tsr_gpu_run.
 */
#ifndef TSR_GPU_GEMM_H
#define TSR_GPU_GEMM_H

#include "tessera/atom/hopper_tile.h"
#include "tessera/exec/gemm_any.h"
#include "tessera/gpu/copy.h"
#include "tessera/tma/tile.h"

TSR_HEADER_BEGIN

/** A matrix of a batch for the epilogue of a kernel: tsr_batched of cuda/gemm_epilogue.cuh. */
typedef struct tsr_gpu_matrix {
    uint64_t address;
    int32_t extent[2];
    int64_t stride[2], batch; /* elements */
} tsr_gpu_matrix;

/** The arguments of cuda/hopper_gemm.cuh: tsr_gemm_shape, tsr_gemm_epilogue and tsr_gemm_scales. */
typedef struct tsr_gpu_gemm_shape {
    int32_t m, n, k, batches, splits, first[3];
    uint64_t partial, arrived;
} tsr_gpu_gemm_shape;

typedef struct tsr_gpu_gemm_scales {
    uint64_t a, b;
    int32_t rows, columns;
    int64_t stride_a[3], stride_b[3];
} tsr_gpu_gemm_scales;

typedef struct tsr_gpu_gemm_epilogue {
    float alpha, beta;
    tsr_gpu_matrix d, c, bias;
    tsr_gpu_gemm_scales scales; /* with TSR_HOPPER_SCALES */
} tsr_gpu_gemm_epilogue;

/** Those of cuda/hopper_groups.cuh: tsr_gemm_list and tsr_gemm_rows. */
typedef struct tsr_gpu_gemm_list {
    uint64_t groups, tiles, count;
} tsr_gpu_gemm_list;

typedef struct tsr_gpu_gemm_rows {
    uint64_t models, groups, tiles, count, ends;
    int32_t mode, others, steps, most;
    uint64_t address;
    int64_t pitch, pitch_d;
} tsr_gpu_gemm_rows;

/** A plan. {0} is none. */
typedef struct tsr_gpu_gemm {
    tsr_gpu_device const *device;
    tsr_gpu_kernel kernel;
    tsr_gpu_launch launch;
    tsr_reason why;       /* why not by TMA, or not without copies */
    bool by_tma, swapped; /* A and B have changed places, and M and N */
    int32_t parts;        /* of the epilogue */
    int32_t groups;       /* products in one launch; 0: one that is no group */
    tsr_hopper_tile tile; /* by TMA */
    int64_t tiles;        /* how many there are of them, all parts of K counted; of rows, at most */
    uint64_t map[3][16];  /* of A, B and C */
    tsr_gpu_gemm_shape shape;
    tsr_gpu_gemm_epilogue epilogue;
    tsr_gpu_gemm_list list; /* of groups */
    tsr_gpu_gemm_rows rows; /* of groups whose sizes the device knows: what makes the list */
    tsr_gpu_kernel lister;
    tsr_gemm_any loops;  /* by plain loops */
    int32_t access;      /* how they read A and B: TSR_ANY_A_ROWS, ... of exec/gemm_any.h */
    tsr_gpu_memory room; /* for parts of K; for groups */
    /* Plain matrices for what the copy engine cannot take: copies before the product, the result's behind it */
    int32_t copies_before, copies_behind;
    tsr_gpu_copy_plan copy[TSR_OPERANDS + 1];
    tsr_gpu_memory packed;
} tsr_gpu_gemm;

/** A tensor in memory of a device, from its first byte on. */
TSR_API tsr_tensor tsr_gpu_tensor(tsr_gpu_memory const *memory, tsr_dtype type, tsr_layout layout);

/** The plan of C = epilogue(A * B); NULL is C += A * B. `log` may be NULL. */
TSR_API tsr_gpu_result tsr_gpu_gemm_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a,
                                         tsr_tensor b, tsr_tensor c, tsr_epilogue const *epilogue,
                                         tsr_gpu_log const *log, tsr_gpu_gemm *plan);

/** The plan of C = epilogue(A * B) of numbers of 8 bits with scales in f32: scale_a has A's modes, the same number for
 *  128 elements of K, as (M,(128,K/128)):(s,(0,t)); scale_b has B's, the same for 128 by 128, as
 *  ((128,N/128),(128,K/128)):((0,s),(0,t)). They may be longer than their operands.
 *  Law     C(m,n) = epilogue(sum over k of scale_a(m,k) * A(m,k) * scale_b(n,k) * B(n,k)): the products of 128 elements
 *          as the tensor cores sum them, by 32 with 13 bits behind the largest, those of blocks in f32. With s the sum
 *          of the magnitudes of all terms the result, before it is rounded to C's type, is off by at most s * 2^-5. */
TSR_API tsr_gpu_result tsr_gpu_gemm_plan_scaled(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a,
                                                tsr_tensor b, tsr_tensor scale_a, tsr_tensor scale_b, tsr_tensor c,
                                                tsr_epilogue const *epilogue, tsr_gpu_log const *log,
                                                tsr_gpu_gemm *plan);

/** The plan of C[i] = epilogue[i](A[i] * B[i]) for all i < count in one launch. Sizes, strides and addresses may
 *  differ; types, the modes of neighbours and the parts of the epilogues are the same, and no C[i] shares bytes with a
 *  tensor of another product, which is not checked. `epilogue` NULL is C += A * B. `scale_a` and `scale_b` are those of
 *  tsr_gpu_gemm_plan_scaled; without them NULL.
 *  Errors  PRODUCT, also of a product alone: its number is the first of the result's. */
TSR_API tsr_gpu_result tsr_gpu_gemm_plan_groups(tsr_gpu_cache *cache, tsr_gpu_device const *device, int count,
                                                tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *scale_a,
                                                tsr_tensor const *scale_b, tsr_tensor const *c,
                                                tsr_epilogue const *epilogue, tsr_gpu_log const *log,
                                                tsr_gpu_gemm *plan);

/** The plan of products of rows: A (M,K), B (V,N,K), C (M,N), `ends` V numbers of 32 bits in memory of the device, read
 *  by each launch. Rows ends[v-1] (of v = 0: 0) to ends[v] - 1 of C are those of A times B(v); other rows are not
 *  touched. `scale_a`, with A's modes, and `scale_b`, with B's, are those of tsr_gpu_gemm_plan_scaled; without them
 *  NULL.
 *  Law     C(m,n) = epilogue(sum over k of A(m,k) * B(v,n,k)), v the number of ends that are not beyond m. */
TSR_API tsr_gpu_result tsr_gpu_gemm_plan_rows(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a,
                                              tsr_tensor b, tsr_tensor const *scale_a, tsr_tensor const *scale_b,
                                              tsr_tensor c, uint64_t ends, tsr_epilogue const *epilogue,
                                              tsr_gpu_log const *log, tsr_gpu_gemm *plan);

/** Launches it and does not wait. */
TSR_API tsr_gpu_result tsr_gpu_gemm_run(tsr_gpu_gemm const *plan, tsr_gpu_stream const *stream);

/** Gives the plan's memory back; its kernel stays in the cache. */
TSR_API tsr_gpu_result tsr_gpu_gemm_free(tsr_gpu_gemm *plan);

/** The plan in a line, as snprintf writes it: "128x192 tiles in turns, pairs, 4 stages; 2752 tiles on 132 blocks". */
TSR_API size_t tsr_format_gpu_gemm(char *out, size_t size, tsr_gpu_gemm const *plan);

TSR_HEADER_END

#endif
