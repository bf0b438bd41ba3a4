/** How a reduction is planned; tests run its stages on the CPU. */
#ifndef TSR_SRC_GPU_REDUCE_H
#define TSR_SRC_GPU_REDUCE_H

#include "gpu/kernels/reduce_form.h"
#include "gpu/scratch.h"
#include "tessera/gpu/reduce.h"

/** A launch: all results, or all results of parts. */
typedef struct gpu_reduce_stage {
    tsr_reduction_form form;
    tsr_reduction numbers;
    int64_t blocks, parts;
    unsigned shared;
    tsr_gpu_kernel kernel;
} gpu_reduce_stage;

struct tsr_gpu_planned_reduce {
    tsr_gpu_device const *device;
    uint64_t from, to;               /* the addresses it was made for, */
    bool from_absolute, to_absolute; /* and whether they are parts of what a swizzle moves */
    int stages;                      /* the second one joins the parts */
    gpu_reduce_stage stage[2];
    size_t bytes; /* of the parts */
    gpu_scratch scratch;
};

/** The stages of a plan, for a device of so many multiprocessors. */
tsr_reason tsr_gpu_plan_reduce_(tsr_reducer op, tsr_tensor from, tsr_tensor to, int processors,
                                tsr_gpu_planned_reduce *plan);

#endif
