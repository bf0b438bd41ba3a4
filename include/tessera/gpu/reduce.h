/** Sums, least and greatest elements in the memory of a GPU.
 *
 *      tsr_gpu_reduce_plan(&cache, &device, TSR_REDUCE_SUM, from, to, &log, &plan)
 *      tsr_gpu_reduce_run(plan, from, to, stream)        to(c) = op of all from(d) with to's offset of d that of c
 *
 *  The tensors are those of exec/reduce.h: of one size, with stride 0 in `to` where elements are reduced. Any layouts
 *  that have loops, any types whose elements are whole bytes.
 *
 *  Law     integers are reduced in 64 bits, and f64, and sums of floats to f64, in f64; other floats in f32. Each
 *          result is rounded once. Its bits are the same in every run of a plan.
 *  Errors  TENSORS: what tsr_reduce_to refuses, the log has its sentence; BITS; MOVED: an address that the plan was not
 *          made for; those of compiling and launching.
 *  Cost    one launch, or two through memory of the plan where there are few results. The launches of a plan are in one
 *          stream.
 *  Source  exec/reduce.h. */
#ifndef TSR_GPU_REDUCE_H
#define TSR_GPU_REDUCE_H

#include "tessera/exec/reduce.h"
#include "tessera/gpu/compile.h"

TSR_HEADER_BEGIN

/** A plan: loops, kernels, and memory for parts. It owns memory of the host; NULL means no plan. */
typedef struct tsr_gpu_planned_reduce tsr_gpu_planned_reduce;

/** The plan of a reduction. Where it fails, *plan is NULL. The kernels live as long as what the cache holds. */
TSR_API tsr_gpu_result tsr_gpu_reduce_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_reducer op,
                                           tsr_tensor from, tsr_tensor to, tsr_gpu_log const *log,
                                           tsr_gpu_planned_reduce **plan);

/** Reduces, and does not wait. The addresses are those of the tensors, or others of the same layouts that differ by
 *  multiples of 16 bytes; then the caller must keep the bounds. */
TSR_API tsr_gpu_result tsr_gpu_reduce_run(tsr_gpu_planned_reduce const *plan, uint64_t from, uint64_t to,
                                          tsr_gpu_stream const *stream);

/** Gives the plan and its memory back and sets *plan to NULL; what cannot be given back is kept, with the plan. */
TSR_API tsr_gpu_result tsr_gpu_reduce_free(tsr_gpu_planned_reduce **plan);

/** The bytes of the device that a plan keeps for parts. */
TSR_API size_t tsr_gpu_reduce_memory(tsr_gpu_planned_reduce const *plan);

TSR_HEADER_END

#endif
