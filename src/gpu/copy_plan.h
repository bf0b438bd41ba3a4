/** How a copy is planned; benchmarks and tests try other tiles. */
#ifndef TSR_SRC_GPU_COPY_PLAN_H
#define TSR_SRC_GPU_COPY_PLAN_H

#include "tessera/gpu/copy.h"
#include "gpu/kernels/relayout_form.h"

/** What moves, in which form, by which kernel. */
struct tsr_gpu_planned_copy {
    int64_t elements;
    tsr_slow slow; /* why it goes element by element */
    tsr_tensor from, to;
    tsr_relayout_form form;
    tsr_relayout numbers;
    int64_t blocks, shared;       /* of the launch */
    int64_t from_grain, to_grain; /* other addresses differ by multiples of these */
    tsr_gpu_kernel kernel;
};

/** Bytes of a tile along the columns and along the rows, at most; accesses under way; which tiles are neighbours. 0: as
 *  the planner thinks best. */
typedef struct gpu_copy_wishes {
    int column_bytes, row_bytes, batch, order; /* order: 1 along the columns, 2 along the rows */
    bool direct;                               /* no tiles, and no copy of the driver's */
} gpu_copy_wishes;

tsr_gpu_result tsr_gpu_plan_copy_(tsr_number const *alpha, tsr_tensor from, tsr_number const *beta, tsr_tensor to,
                                  gpu_copy_wishes const *wishes, tsr_gpu_log const *log, tsr_gpu_planned_copy *plan);

/** The same with the kernel, into a plan of the caller's. */
tsr_gpu_result tsr_gpu_copy_make_(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_number const *alpha,
                                  tsr_tensor from, tsr_number const *beta, tsr_tensor to,
                                  gpu_copy_wishes const *wishes, tsr_gpu_log const *log, tsr_gpu_planned_copy *plan);

/** What the kernel of a plan is told of other numbers: alpha and beta of *to, nothing else. NUMBERS: it is not for
 *  them. */
tsr_gpu_result tsr_gpu_renumber_copy_(tsr_gpu_planned_copy const *plan, tsr_number alpha, tsr_number beta,
                                      tsr_relayout *to);

/** Bytes of a number, of the parts of a complex one: at multiples of it numbers are read. */
int64_t tsr_gpu_part_of_(tsr_dtype type);

/** Of elements of 4 bits whose pairs are whole bytes, element i and element i + n: n, or 0 where some are not. */
int64_t tsr_gpu_pairs_of_(tsr_tensor const *t);

/** The source of the kernel of a form, as snprintf writes. */
size_t tsr_gpu_format_relayout_(char *out, size_t size, tsr_relayout_form form);

/** Forgets the kernels of products of a cache. */
void tsr_gpu_multipliers_free_(tsr_gpu_cache *cache);

#endif
