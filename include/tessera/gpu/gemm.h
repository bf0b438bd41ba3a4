/** Products of tensors in the memory of a GPU, planned once, run as often as wanted.
 *
 *      tsr_tensor const a = tsr_gpu_tensor(&memory, TSR_F16, layout);                    likewise b and c
 *      tsr_gpu_planned_gemm *product;
 *      tsr_gpu_result r = tsr_gpu_gemm_plan(&cache, &device, a, b, c, NULL, &log, &product);
 *      if (tsr_gpu_ok(r))
 *          r = tsr_gpu_gemm_run(product, &stream);
 *      tsr_gpu_gemm_free(&product);
 *
 *  The tensors are those of exec/gemm.h, (M,K), (N,K) and (M,N), or (V,M,K), (V,N,K) and (V,M,N) for batches, of any
 *  layouts, with the same epilogue. The plan takes the first of these ways that serves, and its text says why:
 *
 *      sums            where M or N is 1 and nothing is done to the sums, "bij,bij->b" or "ij,j->i": both are read
 *                      once, as by a reduction (gpu/reduce.h). A matrix by a vector goes the next way if that serves.
 *      TMA and wgmma   on Hopper, for f16, bf16, tf32, f8_e4m3fn, f8_e5m2 and i8 (cuda/hopper_gemm.cuh). The copy
 *                      engine must be able to address the operands: one loop a mode, or two of M, N and K where tiles
 *                      divide the first, or two of the batches and of M or N; one of them through neighbours, all
 *                      others in steps of 16 bytes. A model of the time chooses tile, cluster and parts of K.
 *      tcgen05.mma     on sm_100, sm_103 and sm_110, where tsr_gpu_gemm_plan_with allows what no GPU has run
 *      .. of an image  the same where an operand is an im2col view without padding: ((q,p,n),(c,s,r)) of an image
 *                      (c,w,h,n) with any strides and dilations: one to three modes of pixels and of taps, the channels
 *                      neighbours. The copy engine reads the image in im2col mode. Strides are at most 8. A tap is
 *                      at most 32768, 128 or 16 pixels away: that of one, two or three modes.
 *      copies first    other layouts of these are copied to plain matrices, and the result back (gpu/copy.h)
 *      plain loops     small products, other types and other GPUs (src/gpu/kernels/gemm_any.cuh; of f32 and f64
 *                      gemm_async.cuh). They use tensor cores for f64 on Hopper, and for two operands of f16 or of bf16
 *                      from compute capability 8.0 on.
 *
 *      tsr_gpu_gemm_plan_scaled(.., a, b, scale_a, scale_b, c, ..)   8-bit numbers with a scale for each block
 *      tsr_gpu_gemm_plan_groups(.., count, a, b, .., c, ..)       many products in one launch, each of its own sizes
 *      tsr_gpu_gemm_plan_rows(.., a, b, .., c, ends, ..)          rows of A by one of many B, how many the device knows
 *
 *  These three use TMA or are refused. The plan keeps the addresses of the tensors and the numbers of the epilogue;
 *  tsr_gpu_gemm_run_at takes other addresses, tsr_gpu_gemm_run_with other numbers, too. A plan of groups, or of a
 *  divided K, owns memory, so all its launches must be in one stream.
 *
 *  Law     the product of exec/gemm.h, with sums in f32, of i8 in i32, by plain loops of f64 in f64.
 *  Errors  PRODUCT, the log saying which law of exec/gemm.h the tensors break, or why the copy engine cannot take
 *          them; PRODUCT_LOOPS, PRODUCT_TYPES; those of tsr_gpu_specialise and tsr_gpu_run.
 */
#ifndef TSR_GPU_GEMM_H
#define TSR_GPU_GEMM_H

#include "tessera/exec/gemm.h"
#include "tessera/gpu/copy.h"

TSR_HEADER_BEGIN

/** A plan, which owns memory of the host and of the device. NULL means no plan.
 *  If tsr_gpu_gemm_plan.. fails, *plan is NULL; or, where it could not give back memory of the device, a plan for
 *  tsr_gpu_gemm_free to take later. OUT_OF_MEMORY: the host has no memory left. */
typedef struct tsr_gpu_planned_gemm tsr_gpu_planned_gemm;

/** A tensor in memory of a device, from its first byte on. */
TSR_API tsr_tensor tsr_gpu_tensor(tsr_gpu_memory const *memory, tsr_dtype type, tsr_layout layout);

/** The plan of C = epilogue(A * B); NULL is C += A * B. `log` may be NULL. */
TSR_API tsr_gpu_result tsr_gpu_gemm_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a,
                                         tsr_tensor b, tsr_tensor c, tsr_epilogue const *epilogue,
                                         tsr_gpu_log const *log, tsr_gpu_planned_gemm **plan);

/** The plan of einsum: the modes of A, B, C and the bias, which has C's, are named by letters (exec/einsum.h). One that
 *  sums nothing is a combination (gpu/combine.h), whose products of 0 keep their signs, unless there is more to the
 *  epilogue.
 *  Errors  those of tsr_einsum, in the log, and of tsr_gpu_gemm_plan. */
TSR_API tsr_gpu_result tsr_gpu_einsum_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, char const *text,
                                           tsr_tensor a, tsr_tensor b, tsr_tensor c, tsr_epilogue const *epilogue,
                                           tsr_gpu_log const *log, tsr_gpu_planned_gemm **plan);

/** What a plan may use besides what was measured. All of it 0 is tsr_gpu_gemm_plan. */
typedef struct tsr_gpu_gemm_options {
    bool not_run_on_silicon; /* kernels that the emulator ran and no GPU: tcgen05.mma of sm_100, sm_103 and sm_110 */
    double slower;           /* than the best tile, as a kernel of the cache may be; 0: 1.05 */
} tsr_gpu_gemm_options;

/** The plan of gemm, or where `text` is not NULL of einsum, with options; NULL are none. With `not_run_on_silicon`
 *  products of f16, bf16, tf32, f8_e4m3fn and f8_e5m2 go by cuda/umma_gemm.cuh on devices of compute capability 10 and
 *  11, where the copy engine can address A and B as they are: one loop a mode, neighbours of 8 and 32 bits along K.
 *  Other products and other devices have the plan that they have without it.
 *
 *  The kernel of another tile takes the place of the best one's if the cache has it and the model says that it takes
 *  at most `slower` times as long. 1: none does. INFINITY: any, for a size that may not come again, since compiling
 *  takes as long as thousands of runs. K is in as many parts, so the bits of the result are the same. */
TSR_API tsr_gpu_result tsr_gpu_gemm_plan_with(tsr_gpu_cache *cache, tsr_gpu_device const *device, char const *text,
                                              tsr_tensor a, tsr_tensor b, tsr_tensor c, tsr_epilogue const *epilogue,
                                              tsr_gpu_gemm_options const *options, tsr_gpu_log const *log,
                                              tsr_gpu_planned_gemm **plan);

/** The fastest of `tries` plans, which the model of time names, of gemm or of the einsum of a text: each is compiled
 *  and runs a few times on the stream, which is waited for. C has the result then. With an epilogue that reads C, and
 *  of a product by plain loops, the plan of tsr_gpu_gemm_plan: nothing is measured where a run would change the next
 *  one. */
TSR_API tsr_gpu_result tsr_gpu_gemm_tune(tsr_gpu_cache *cache, tsr_gpu_device const *device, char const *text,
                                         tsr_tensor a, tsr_tensor b, tsr_tensor c, tsr_epilogue const *epilogue,
                                         int tries, tsr_gpu_stream const *stream, tsr_gpu_log const *log,
                                         tsr_gpu_planned_gemm **plan);

/** The plan of C = epilogue(A * B) of numbers of 8 bits with scales in f32. scale_a has A's modes, one number for 128
 *  elements of K, as (M,(128,K/128)):(s,(0,t)). scale_b has B's, one number for 128 by 128, as
 *  ((128,N/128),(128,K/128)):((0,s),(0,t)). They may be longer than their operands.
 *  Law     C(m,n) = epilogue(sum over k of scale_a(m,k) * A(m,k) * scale_b(n,k) * B(n,k)): the products of 128 elements
 *          as the tensor cores sum them, by 32 with 13 bits behind the largest, those of blocks in f32. With s the sum
 *          of the magnitudes of all terms the result, before it is rounded to C's type, is off by at most s * 2^-5. */
TSR_API tsr_gpu_result tsr_gpu_gemm_plan_scaled(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a,
                                                tsr_tensor b, tsr_tensor scale_a, tsr_tensor scale_b, tsr_tensor c,
                                                tsr_epilogue const *epilogue, tsr_gpu_log const *log,
                                                tsr_gpu_planned_gemm **plan);

/** The plan of C[i] = epilogue[i](A[i] * B[i]) for all i < count in one launch. Sizes, strides and addresses may
 *  differ; types, the modes of neighbours and the parts of the epilogues are the same, and no C[i] shares bytes with a
 *  tensor of another product, which is not checked. `epilogue` NULL is C += A * B. `scale_a` and `scale_b` are those of
 *  tsr_gpu_gemm_plan_scaled; without them NULL.
 *  Errors  PRODUCT, also of a product alone: its number is the first of the result's. */
TSR_API tsr_gpu_result tsr_gpu_gemm_plan_groups(tsr_gpu_cache *cache, tsr_gpu_device const *device, int count,
                                                tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *scale_a,
                                                tsr_tensor const *scale_b, tsr_tensor const *c,
                                                tsr_epilogue const *epilogue, tsr_gpu_log const *log,
                                                tsr_gpu_planned_gemm **plan);

/** The plan of products of rows: A (M,K), B (V,N,K), C (M,N), `ends` V numbers of 32 bits in memory of the device, read
 *  by each launch. Rows ends[v-1] (of v = 0: 0) to ends[v] - 1 of C are those of A times B(v); other rows are not
 *  touched. `scale_a`, with A's modes, and `scale_b`, with B's, are those of tsr_gpu_gemm_plan_scaled; without them
 *  NULL.
 *  Law     C(m,n) = epilogue(sum over k of A(m,k) * B(v,n,k)), v the number of ends that are not beyond m. */
TSR_API tsr_gpu_result tsr_gpu_gemm_plan_rows(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a,
                                              tsr_tensor b, tsr_tensor const *scale_a, tsr_tensor const *scale_b,
                                              tsr_tensor c, uint64_t ends, tsr_epilogue const *epilogue,
                                              tsr_gpu_log const *log, tsr_gpu_planned_gemm **plan);

/** Launches it and does not wait. */
TSR_API tsr_gpu_result tsr_gpu_gemm_run(tsr_gpu_planned_gemm const *plan, tsr_gpu_stream const *stream);

/** The same for tensors of the same layouts and types at other addresses. Each is a multiple of 256 bytes away from
 *  that of the plan, or 0 for a tensor that stays. That C is apart from the others is the caller's word. Plans of
 *  groups and of rows stay where they are.
 *  Errors  MOVED; NO_FUNCTION where the driver is older than CUDA 12.0. */
TSR_API tsr_gpu_result tsr_gpu_gemm_run_at(tsr_gpu_planned_gemm const *plan, uint64_t a, uint64_t b, uint64_t c,
                                           uint64_t bias, tsr_gpu_stream const *stream);

/** The same with another alpha and beta, which are arguments of the plan's kernel. Where alpha of the plan was 1, the
 *  new one is; beta is 0 if and only if that of the plan was. If C is i32, by TMA, both are integers of at most
 *  10^6.
 *  Errors  NUMBERS: all others; make a plan for them. */
TSR_API tsr_gpu_result tsr_gpu_gemm_run_with(tsr_gpu_planned_gemm const *plan, double alpha, double beta, uint64_t a,
                                             uint64_t b, uint64_t c, uint64_t bias, tsr_gpu_stream const *stream);

/** Gives the plan back and sets *plan to NULL; its kernel stays in the cache. What could not be given back stays with
 *  *plan: call again. */
TSR_API tsr_gpu_result tsr_gpu_gemm_free(tsr_gpu_planned_gemm **plan);

/** Whether the product uses TMA and wgmma, perhaps behind copies. */
TSR_API bool tsr_gpu_gemm_by_tma(tsr_gpu_planned_gemm const *plan);

/** Why the product does not use TMA, or not without copies; OK where it does. */
TSR_API tsr_reason tsr_gpu_gemm_why(tsr_gpu_planned_gemm const *plan);

/** Whether a kernel that was compiled takes the place of that of the best tile. */
TSR_API bool tsr_gpu_gemm_stands_in(tsr_gpu_planned_gemm const *plan);

/** How many tiles the result has, parts of K counted, of rows at most; `rows` and `columns` of one, or NULL. */
TSR_API int64_t tsr_gpu_gemm_tiles(tsr_gpu_planned_gemm const *plan, int *rows, int *columns);

/** The copies that run before the product and behind it. */
TSR_API int tsr_gpu_gemm_copies(tsr_gpu_planned_gemm const *plan);

/** The bytes of the device that a plan keeps: for parts of K, for copies, for groups. */
TSR_API size_t tsr_gpu_gemm_memory(tsr_gpu_planned_gemm const *plan);

/** The kernel of the product, which lives as long as what the cache holds, and its launch; NULL of no plan. */
TSR_API tsr_gpu_kernel const *tsr_gpu_gemm_kernel(tsr_gpu_planned_gemm const *plan);
TSR_API tsr_gpu_launch const *tsr_gpu_gemm_launch(tsr_gpu_planned_gemm const *plan);

/** The plan in a line, as snprintf writes it: "128x192 tiles in turns, pairs, 4 stages; 2752 tiles on 132 blocks". */
TSR_API size_t tsr_format_gpu_gemm(char *out, size_t size, tsr_gpu_planned_gemm const *plan);

TSR_HEADER_END

#endif
