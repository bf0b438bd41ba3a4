/** Operands that are read line by line where they lie, and rows of sums: of lines.c and of points.c. */
#ifndef TSR_SRC_EXEC_GEMM_SIDES_H
#define TSR_SRC_EXEC_GEMM_SIDES_H

#include "exec/gemm/blocks.h"

/** An operand: its place, type and bytes of an element, and its steps, in elements, along rows (0: a vector) and K. */
typedef struct gemm_side {
    unsigned char const *at;
    tsr_dtype type;
    int64_t size, down, along;
} gemm_side;

static inline int64_t gemm_step(tsr_gemm_loops const *x, int operand)
{
    return x->loops > 0 ? x->step[operand][0] : 0;
}

/** Half of the memory in which tsr_gemm_line moves and converts, and the most bytes that it takes then, before and
 *  after. */
enum { GEMM_ROOM_BYTES = 16384 };

/** Elements k to k + n - 1 along K, side by side and as kernels take them, in a buffer of twice GEMM_ROOM_BYTES where
 *  they do not lie so. */
unsigned char const *tsr_gemm_line(gemm_choice const *c, gemm_side const *x, int64_t k, int64_t n,
                                   unsigned char *buffer);

/** The epilogue of sums of m elements of C from `top` on, of those that loops go through from element v of V on. */
void tsr_gemm_finish_rows(tsr_planned_gemm const *p, gemm_choice const *choice, tsr_gemm_loops const *rows, int64_t v,
                          int64_t top, int64_t m, unsigned char const *sums);

#endif
