/** Copies between any two layouts in the memory of a GPU.
 *
 *      tsr_gpu_copy(&cache, &device, from, to, stream, log)                    to(i) = from(i), converted
 *      tsr_gpu_axpby(&cache, &device, alpha, from, beta, to, stream, log)      to(i) = alpha * from(i) + beta * to(i)
 *      tsr_gpu_copy_plan(.., &plan); tsr_gpu_copy_run(plan, from, to, stream)  the same in two steps
 *      tsr_gpu_copy_run_with(plan, alpha, from, beta, to, stream)              with other numbers
 *
 *  The tensors are those of exec/copy.h, over addresses of the device (tsr_gpu_tensor_at). A plan begins with the loops
 *  of the CPU's plan and their proofs (exec/plan.h), and then chooses a kernel. A kernel is compiled for a form of
 *  items and accesses and takes shapes and strides as arguments, so one kernel serves most pairs of layouts.
 *
 *  Law     after tsr_gpu_copy every byte of the destination is what tsr_copy makes it, after tsr_gpu_axpby what
 *          tsr_axpby does (exec/functions.h).
 *  Errors  TENSORS: what tsr_copy refuses, the log has its sentence; BITS: elements of the destination begin inside of
 *          bytes; COMPUTED: the source is no memory; ALIGNED: numbers that begin anywhere are only moved, not
 *          converted; MOVED: an address that the plan was not made for; NUMBERS: numbers that take other code than
 *          those of the plan; those of compiling and launching.
 *  Cost    of the host, in a plan 0.6 us, in a launch 3 us, once a form has been compiled (0.3 s, or from the folder of
 *          the cache).
 */
#ifndef TSR_GPU_COPY_H
#define TSR_GPU_COPY_H

#include "tessera/gpu/compile.h"

TSR_HEADER_BEGIN

/** A plan: the elements, the form of their accesses, and the kernel. It owns memory of the host; NULL means no plan. */
typedef struct tsr_gpu_planned_copy tsr_gpu_planned_copy;

/** A tensor of elements of a type, from byte `at` of the memory on; what lies outside is refused when it is copied. */
TSR_API tsr_tensor tsr_gpu_tensor_at(tsr_gpu_memory const *memory, size_t at, tsr_dtype type, tsr_layout layout);

/** The plan of to = from, or, with numbers, of to = alpha * from + beta * to; `beta` may be NULL alone. Where it fails,
 *  *plan is NULL. The kernel lives as long as what the cache holds. With a `cache` and a `device` of NULL, which need
 *  no GPU, the plan has no kernel: it can be written as text. */
TSR_API tsr_gpu_result tsr_gpu_copy_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_number const *alpha,
                                         tsr_tensor from, tsr_number const *beta, tsr_tensor to,
                                         tsr_gpu_log const *log, tsr_gpu_planned_copy **plan);

/** Moves the elements, and does not wait. The addresses are those of the tensors, or others of the same layouts; then
 *  the caller must keep the bounds. */
TSR_API tsr_gpu_result tsr_gpu_copy_run(tsr_gpu_planned_copy const *plan, uint64_t from, uint64_t to,
                                        tsr_gpu_stream const *stream);

/** The same of a plan of alpha * from + beta * to with other numbers, which are arguments of the plan's kernel. Beta is
 *  0 if and only if that of the plan was. Where integers or complex numbers are computed, both keep their kind.
 *  Errors  NUMBERS: all others; make a plan for them. */
TSR_API tsr_gpu_result tsr_gpu_copy_run_with(tsr_gpu_planned_copy const *plan, tsr_number alpha, uint64_t from,
                                             tsr_number beta, uint64_t to, tsr_gpu_stream const *stream);

/** Gives the plan back and sets *plan to NULL. */
TSR_API void tsr_gpu_copy_free(tsr_gpu_planned_copy **plan);

/** The kernel of the copy; NULL where the driver copies one run of bytes, and of a plan without a device. */
TSR_API tsr_gpu_kernel const *tsr_gpu_copy_kernel(tsr_gpu_planned_copy const *plan);

/** A plan and its run. */
TSR_API tsr_gpu_result tsr_gpu_copy(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor from,
                                    tsr_tensor to, tsr_gpu_stream const *stream, tsr_gpu_log const *log);
TSR_API tsr_gpu_result tsr_gpu_axpby(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_number alpha,
                                     tsr_tensor from, tsr_number beta, tsr_tensor to, tsr_gpu_stream const *stream,
                                     tsr_gpu_log const *log);

/** The plan as text: bytes, kind, tile, accesses, blocks, as snprintf writes. */
TSR_API size_t tsr_format_gpu_copy(char *out, size_t size, tsr_gpu_planned_copy const *plan);

TSR_HEADER_END

#endif
