/** How a combination is planned; tests run it on the CPU. */
#ifndef TSR_SRC_GPU_COMBINE_H
#define TSR_SRC_GPU_COMBINE_H

#include "gpu/kernels/combine_form.h"
#include "tessera/gpu/combine.h"

struct tsr_gpu_planned_combine {
    int64_t elements;
    tsr_slow slow;      /* why it goes element by element */
    tsr_tensor side[3]; /* x, y, z */
    tsr_combine_form form;
    tsr_combination numbers;
    int64_t blocks, bytes; /* of the launch; of shared memory */
    int64_t grain[3];      /* other addresses differ by multiples of these */
    tsr_gpu_kernel kernel;
};

tsr_gpu_result tsr_gpu_plan_combine_(tsr_combiner op, tsr_number const factor[2], tsr_tensor const side[3],
                                     tsr_gpu_log const *log, tsr_gpu_planned_combine *plan);

/** What the kernel of a plan is told of other numbers: alpha and beta of *to, nothing else. NUMBERS: it is not for
 *  them. */
tsr_gpu_result tsr_gpu_renumber_combine_(tsr_gpu_planned_combine const *plan, tsr_number const factor[2],
                                         tsr_combination *to);

tsr_gpu_launch tsr_gpu_combine_launch_(tsr_gpu_planned_combine const *plan, tsr_gpu_stream const *stream);

/** The source of the kernel of a form, as snprintf writes. */
size_t tsr_gpu_format_combine_(char *out, size_t size, tsr_combine_form form);

#endif
