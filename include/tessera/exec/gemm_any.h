/** A product of any loops, as the argument of a kernel (cuda/gemm_any.cuh): what a plan of exec/gemm_plan.h knows. */
#ifndef TSR_EXEC_GEMM_ANY_H
#define TSR_EXEC_GEMM_ANY_H

#include "tessera/exec/gemm_plan.h"

/** Where the first element of a tensor is; offsets go through the swizzle last. */
typedef struct tsr_gemm_base {
    uint64_t address;
    int64_t begin; /* elements */
    tsr_swizzle swizzle;
} tsr_gemm_base;

typedef struct tsr_gemm_any {
    tsr_gemm_loops v, m, n, k;
    tsr_gemm_base base[TSR_OPERANDS];
    double alpha, beta;
} tsr_gemm_any;

#endif
