/** Two tensors of a GPU to one, element by element: sums, products, quotients, the least and the greatest.
 *
 *      tsr_gpu_combine(&cache, &device, TSR_COMBINE_SUM, alpha, x, beta, y, z, stream, log)
 *                                                          z(i) = alpha * x(i) + beta * y(i)
 *      TSR_COMBINE_PRODUCT, _QUOTIENT, _LEAST, _GREATEST   the same of alpha * x(i) and beta * y(i)
 *      tsr_gpu_combine_plan(.., &plan); tsr_gpu_combine_run(plan, x, y, z, stream)     the same in two steps
 *      tsr_gpu_combine_run_with(plan, alpha, x, beta, y, z, stream)                    with other numbers
 *
 *  tsr_combine (exec/transform.h) does it on the CPU. The tensors have one size, in any layouts. Stride 0 repeats an
 *  element of x or y. z may be x or y, in its layout. The y of a sum is not read where beta is 0. x or y may be the
 *  number 1, counting_iter(1) with strides of 0: then it is alpha, or beta, itself, and added where it is 0.
 *
 *  Law     Where the types and the factors are integers, numbers are computed modulo 2^64. All others, and quotients,
 *          are computed in double (complex ones in two), every step rounded by itself, and once more to the type of z.
 *          A factor of 1 is none. NaN is one pattern. Where x or y is NaN, so is the least and the greatest.
 *  Errors  TENSORS: what tsr_transform_2 refuses, and complex numbers but of sums and products; the log has the
 *          sentence; BITS: elements of z begin inside of bytes; COMPUTED: x or y is no memory; ALIGNED: numbers begin
 *          at no multiples of their bytes; MOVED: an address that the plan was not made for; NUMBERS: numbers that
 *          take other code than those of the plan; those of compiling and launching.
 *  Cost    one launch, which reads x and y and writes z.
 *  Source  NumPy, broadcasting. */
#ifndef TSR_GPU_COMBINE_H
#define TSR_GPU_COMBINE_H

#include "tessera/exec/functions.h"
#include "tessera/gpu/compile.h"

TSR_HEADER_BEGIN

/** A plan: the form of the accesses, and the kernel. It owns memory of the host; NULL means no plan. */
typedef struct tsr_gpu_planned_combine tsr_gpu_planned_combine;

/** The plan of z = alpha * x op beta * y. Where it fails, *plan is NULL. The kernel lives as long as what the cache
 *  holds. With a `cache` and a `device` of NULL, which need no GPU, the plan has no kernel: it can be written as
 *  text. */
TSR_API tsr_gpu_result tsr_gpu_combine_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_combiner op,
                                            tsr_number alpha, tsr_tensor x, tsr_number beta, tsr_tensor y,
                                            tsr_tensor z, tsr_gpu_log const *log, tsr_gpu_planned_combine **plan);

/** Combines, and does not wait. The addresses are those of the tensors, or others of the same layouts; then the caller
 *  must keep the bounds, and what was in place must be. */
TSR_API tsr_gpu_result tsr_gpu_combine_run(tsr_gpu_planned_combine const *plan, uint64_t x, uint64_t y, uint64_t z,
                                           tsr_gpu_stream const *stream);

/** The same with other numbers, which are arguments of the plan's kernel. Where a factor of the plan was 1, or the beta
 *  of a sum 0, the new one is; elsewhere real numbers take any real ones. Integers among integers and complex numbers
 *  keep their kind, and a number in place of x or y, if floats are computed, is one that the type of z has.
 *  Errors  NUMBERS: all others; make a plan for them. */
TSR_API tsr_gpu_result tsr_gpu_combine_run_with(tsr_gpu_planned_combine const *plan, tsr_number alpha, uint64_t x,
                                                tsr_number beta, uint64_t y, uint64_t z,
                                                tsr_gpu_stream const *stream);

/** Gives the plan back and sets *plan to NULL. */
TSR_API void tsr_gpu_combine_free(tsr_gpu_planned_combine **plan);

/** A plan and its run. */
TSR_API tsr_gpu_result tsr_gpu_combine(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_combiner op,
                                       tsr_number alpha, tsr_tensor x, tsr_number beta, tsr_tensor y, tsr_tensor z,
                                       tsr_gpu_stream const *stream, tsr_gpu_log const *log);

/** The plan as text: kind, accesses, blocks, loops, as snprintf writes. */
TSR_API size_t tsr_format_gpu_combine(char *out, size_t size, tsr_gpu_planned_combine const *plan);

TSR_HEADER_END

#endif
