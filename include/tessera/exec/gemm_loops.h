/** The loops of a product: what a plan of the CPU (exec/gemm_plan.h) and a kernel of a GPU go through. */
#ifndef TSR_EXEC_GEMM_LOOPS_H
#define TSR_EXEC_GEMM_LOOPS_H

#include "tessera/core/tuple.h"

TSR_HEADER_BEGIN

/** The tensors that loops go through. */
enum { TSR_IN_A, TSR_IN_B, TSR_IN_C, TSR_IN_BIAS, TSR_OPERANDS };

/** The loops of V, M, N or K, the fastest first: steps in elements, 0 in a tensor that lacks the mode. */
typedef struct tsr_gemm_loops {
    int loops;
    int64_t size, count[TSR_MAX_LEAVES], step[TSR_OPERANDS][TSR_MAX_LEAVES];
} tsr_gemm_loops;

TSR_HEADER_END

#endif
