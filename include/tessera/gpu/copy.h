/** Copies between any two layouts in the memory of a GPU.
 *
 *      tsr_gpu_copy(&cache, &device, from, to, stream, log)                    to(i) = from(i), converted
 *      tsr_gpu_axpby(&cache, &device, alpha, from, beta, to, stream, log)      to(i) = alpha * from(i) + beta * to(i)
 *      tsr_gpu_copy_make(.., &plan); tsr_gpu_copy_run(&plan, from, to, stream) the same in two steps
 *
 *  The tensors are those of exec/copy.h, over addresses of the device: tsr_gpu_tensor_at. The loops, and what they prove,
 *  are those of the CPU's plan (exec/plan.h); what kernel moves them is chosen here (gpu/relayout.h). A kernel is compiled
 *  for a form of items and accesses, and takes shapes and strides as arguments: what was compiled for one pair of layouts
 *  serves most others.
 *
 *  Law     after tsr_gpu_copy every byte of the destination is what tsr_copy makes it, after tsr_gpu_axpby what
 *          tsr_axpby does (exec/functions.h).
 *  Errors  TENSORS: what tsr_copy refuses, the log has its sentence; BITS: elements of the destination begin inside of
 *          bytes; COMPUTED: the source is no memory; ALIGNED: numbers that begin anywhere are only moved, not converted;
 *          MOVED: an address that the plan was not made for; those of compiling and launching.
 *  Cost    of the host, in a plan 0.6 us, in a launch 3 us, once a form has been compiled (0.3 s, or from the folder of
 *          the cache).
 */
#ifndef TSR_GPU_COPY_H
#define TSR_GPU_COPY_H

#include "tessera/gpu/compile.h"
#include "tessera/gpu/relayout.h"

TSR_HEADER_BEGIN

/** A plain value: what moves, in which form, by which kernel. */
typedef struct tsr_gpu_copy_plan {
    tsr_reason why; /* why none may be moved */
    int64_t elements;
    tsr_slow slow; /* why it goes element by element */
    tsr_tensor from, to;
    tsr_relayout_form form;
    tsr_relayout numbers;
    int64_t blocks, shared;       /* of the launch */
    int64_t from_grain, to_grain; /* other addresses differ by multiples of these */
    tsr_gpu_kernel kernel;
} tsr_gpu_copy_plan;

/** A tensor of elements of a type, from byte `at` of the memory on; what lies outside is refused when it is copied. */
TSR_API tsr_tensor tsr_gpu_tensor_at(tsr_gpu_memory const *memory, size_t at, tsr_dtype type, tsr_layout layout);

/** The plan of to = from, or, with numbers, of to = alpha * from + beta * to; `beta` may be NULL alone. No GPU is
 *  needed. */
TSR_API tsr_gpu_result tsr_gpu_plan_copy(tsr_number const *alpha, tsr_tensor from, tsr_number const *beta,
                                         tsr_tensor to, tsr_gpu_log const *log, tsr_gpu_copy_plan *plan);

/** The same with the kernel. It lives as long as what the cache holds. */
TSR_API tsr_gpu_result tsr_gpu_copy_make(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_number const *alpha,
                                         tsr_tensor from, tsr_number const *beta, tsr_tensor to,
                                         tsr_gpu_log const *log, tsr_gpu_copy_plan *plan);

/** Moves the elements, and does not wait. The addresses are those of the tensors, or others of the same layouts, whose
 *  bounds are the caller's. */
TSR_API tsr_gpu_result tsr_gpu_copy_run(tsr_gpu_copy_plan const *plan, uint64_t from, uint64_t to,
                                        tsr_gpu_stream const *stream);

TSR_API tsr_gpu_result tsr_gpu_copy(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor from,
                                    tsr_tensor to, tsr_gpu_stream const *stream, tsr_gpu_log const *log);
TSR_API tsr_gpu_result tsr_gpu_axpby(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_number alpha,
                                     tsr_tensor from, tsr_number beta, tsr_tensor to, tsr_gpu_stream const *stream,
                                     tsr_gpu_log const *log);

/** The source of the kernel of a form, as snprintf writes. */
TSR_API size_t tsr_format_relayout_source(char *out, size_t size, tsr_relayout_form form);

/** The plan as text: bytes, kind, tile, accesses, blocks, as snprintf writes. */
TSR_API size_t tsr_format_gpu_copy(char *out, size_t size, tsr_gpu_copy_plan const *plan);

TSR_HEADER_END

#endif
