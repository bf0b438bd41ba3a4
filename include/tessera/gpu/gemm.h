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
 *  the copy engine can address (one loop a mode, one of them through neighbours, all others in steps of 16 bytes)
 *  goes by TMA and wgmma (cuda/hopper_gemm.cuh): tile, cluster and parts of K are those that a model of the time
 *  finds best. All else goes by plain loops (cuda/gemm_any.cuh), slowly; the plan's text says why.
 *
 *  The plan keeps the addresses of the tensors. Where K is divided it has memory of its own, so that the launches of
 *  one plan have to be in one stream.
 *
 *  Law     the product of exec/gemm.h, with sums in f32, of i8 in i32, by plain loops of f64 in f64.
 *  Errors  PRODUCT, the log saying which law of exec/gemm.h the tensors break; PRODUCT_LOOPS, PRODUCT_TYPES; those of
 *          tsr_gpu_specialise and tsr_gpu_run.
 */
#ifndef TSR_GPU_GEMM_H
#define TSR_GPU_GEMM_H

#include "tessera/atom/hopper_tile.h"
#include "tessera/exec/gemm_any.h"
#include "tessera/gpu/compile.h"
#include "tessera/tma/tile.h"

/** A matrix of a batch for the epilogue of a kernel: tsr_batched of cuda/gemm_epilogue.cuh. */
typedef struct tsr_gpu_matrix {
    uint64_t address;
    int32_t extent[2];
    int64_t stride[2], batch; /* elements */
} tsr_gpu_matrix;

/** The arguments of cuda/hopper_gemm.cuh: tsr_gemm_shape and tsr_gemm_epilogue. */
typedef struct tsr_gpu_gemm_shape {
    int32_t m, n, k, batches, splits;
    uint64_t partial, arrived;
} tsr_gpu_gemm_shape;

typedef struct tsr_gpu_gemm_epilogue {
    float alpha, beta;
    tsr_gpu_matrix d, c, bias;
} tsr_gpu_gemm_epilogue;

/** A plan. {0} is none. */
typedef struct tsr_gpu_gemm {
    tsr_gpu_device const *device;
    tsr_gpu_kernel kernel;
    tsr_gpu_launch launch;
    tsr_reason why;       /* by plain loops: why not by TMA */
    bool by_tma, swapped; /* A and B have changed places, and M and N */
    int32_t parts;        /* of the epilogue */
    tsr_hopper_tile tile; /* by TMA */
    int64_t tiles;        /* how many there are of them, all parts of K counted */
    uint64_t map[3][16];  /* of A, B and C */
    tsr_gpu_gemm_shape shape;
    tsr_gpu_gemm_epilogue epilogue;
    tsr_gemm_any loops;  /* by plain loops */
    tsr_gpu_memory room; /* for parts of K */
} tsr_gpu_gemm;

/** A tensor in memory of a device, from its first byte on. */
TSR_API tsr_tensor tsr_gpu_tensor(tsr_gpu_memory const *memory, tsr_dtype type, tsr_layout layout);

/** The plan of C = epilogue(A * B); NULL is C += A * B. `log` may be NULL. */
TSR_API tsr_gpu_result tsr_gpu_gemm_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a,
                                         tsr_tensor b, tsr_tensor c, tsr_epilogue const *epilogue,
                                         tsr_gpu_log const *log, tsr_gpu_gemm *plan);

/** Launches it and does not wait. */
TSR_API tsr_gpu_result tsr_gpu_gemm_run(tsr_gpu_gemm const *plan, tsr_gpu_stream const *stream);

/** Gives the plan's memory back; its kernel stays in the cache. */
TSR_API tsr_gpu_result tsr_gpu_gemm_free(tsr_gpu_gemm *plan);

/** The plan in a line, as snprintf writes it: "128x192 tiles in turns, pairs, 4 stages; 2752 tiles on 132 blocks". */
TSR_API size_t tsr_format_gpu_gemm(char *out, size_t size, tsr_gpu_gemm const *plan);

#endif
