/** How a reduction is planned; tests run its stages on the CPU. */
#ifndef TSR_SRC_GPU_REDUCE_H
#define TSR_SRC_GPU_REDUCE_H

#include "exec/gemm/problem.h"
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
    uint64_t from, to, by;           /* the addresses it was made for, */
    bool from_absolute, to_absolute; /* and whether they are parts of what a swizzle moves */
    int stages;                      /* the second one joins the parts */
    gpu_reduce_stage stage[2];
    size_t bytes; /* of the parts */
    gpu_scratch scratch;
};

/** The stages of a plan, for a device of so many multiprocessors. */
tsr_reason tsr_gpu_plan_reduce_(tsr_reducer op, tsr_tensor from, tsr_tensor to, int processors,
                                tsr_gpu_planned_reduce *plan);

/** The threads of a plan whose first stage has its loops, and its second stage, where parts help. */
void tsr_gpu_plan_stages_(tsr_gpu_planned_reduce *plan, int processors);

tsr_gpu_launch tsr_gpu_reduce_launch_(gpu_reduce_stage const *s, tsr_gpu_stream const *stream);

/* Sums of products: a product of which M or N is 1, as a reduction of A times B, or of B times A */

/** Whether it is one, with nothing done to the sums, in loops and types that a reduction has, and better so. */
bool tsr_gpu_is_dots_(tsr_gpu_device const *device, tsr_gemm_problem const *p);

/** Which operand is read as the numbers; the other one has the factors. */
int tsr_gpu_dots_numbers_(tsr_gemm_problem const *p);

void tsr_gpu_plan_dots_(tsr_gemm_problem const *p, int processors, tsr_gpu_planned_reduce *plan);

tsr_gpu_result tsr_gpu_dots_plan_(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_gemm_problem const *p,
                                  tsr_gpu_log const *log, tsr_gpu_planned_reduce **plan);

tsr_gpu_result tsr_gpu_dots_run_(tsr_gpu_planned_reduce const *plan, uint64_t from, uint64_t by, uint64_t to,
                                 tsr_gpu_stream const *stream);

#endif
