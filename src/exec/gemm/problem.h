/** A product before an engine plans it: what may be multiplied, and the loops that go through all of its tensors.
 *
 *  The engine of the CPU refines a problem by kernels and blocks (plan.c), that of a GPU by tiles (src/gpu). */
#ifndef TSR_SRC_EXEC_GEMM_PROBLEM_H
#define TSR_SRC_EXEC_GEMM_PROBLEM_H

#include "exec/gemm/gemm.h"
#include "tessera/exec/gemm_plan.h"

/** Checks a product and finds its loops, into a problem that is 0; `e` NULL is C += A * B. */
TSR_INTERNAL void tsr_gemm_problem_make(tsr_gemm_problem *p, tsr_tensor const *a, tsr_tensor const *b,
                                        tsr_tensor const *c, tsr_epilogue const *e);

/** Finds the loops of a checked, uncut product. If there are none, `slow` says why. */
TSR_INTERNAL void tsr_gemm_problem_cut(tsr_gemm_problem *p);

/** A and B are again where the caller gave them, and the loops mean nothing. */
TSR_INTERNAL void tsr_gemm_problem_uncut(tsr_gemm_problem *p);

/** Puts an operand of an uncut problem elsewhere: a layout of the same modes, one leaf each. */
TSR_INTERNAL void tsr_gemm_problem_move(tsr_gemm_problem *p, int operand, tsr_tensor const *to);

/** How many neighbours in one tensor an engine takes, at most, before it goes on to the neighbours in the other one. */
typedef struct tsr_gemm_near {
    int64_t rows, columns, depth; /* in C before A, in C before B, in one operand before the other */
} tsr_gemm_near;

/** Sorts and joins the loops: rows and columns in the order of C, K in the order of the operand that is contiguous
 *  along K. A and B change places if the columns of C are denser than its rows. */
TSR_INTERNAL void tsr_gemm_problem_order(tsr_gemm_problem *p, tsr_gemm_near const *near);

/** A and B change places, and the loops are ordered again. */
TSR_INTERNAL void tsr_gemm_problem_turn(tsr_gemm_problem *p, tsr_gemm_near const *near);

/** The step of the fastest loop in a tensor; UINT64_MAX of a mode that does not move. */
TSR_INTERNAL uint64_t tsr_gemm_first_step(tsr_gemm_loops const *x, int operand);

#endif
