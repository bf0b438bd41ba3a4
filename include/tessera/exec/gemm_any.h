/** A product of any loops, as the argument of a kernel (cuda/gemm_any.cuh): what a plan of exec/gemm_plan.h knows. */
#ifndef TSR_EXEC_GEMM_ANY_H
#define TSR_EXEC_GEMM_ANY_H

#include "tessera/exec/gemm_plan.h"

/** How its kernel reads A and B: which have their neighbours along M or N, not K; of which 16 bytes of factors are read
 *  at a time; whether offsets go through swizzles; whether K is divided among blocks, of which the last
 *  adds up; whether f64 goes by tensor cores, which compute capability 9.0 has. */
enum {
    TSR_ANY_A_ROWS = 1,
    TSR_ANY_A_WIDE = 2,
    TSR_ANY_B_ROWS = 4,
    TSR_ANY_B_WIDE = 8,
    TSR_ANY_SWIZZLED = 16,
    TSR_ANY_SPLITS = 32,
    TSR_ANY_TENSOR = 64
};

/** Steps of K whose offsets a block finds at a time. */
enum { TSR_ANY_KNOWN = 256 };

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
    int64_t splits, part;      /* of K: how many, and the steps of one, a multiple of TSR_ANY_KNOWN */
    uint64_t partial, arrived; /* their sums, and a number for each tile, 0 before and behind the kernel */
} tsr_gemm_any;

#endif
