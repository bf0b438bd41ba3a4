/** What runs on this machine: by the rows of engine.c, or by the portable loops alone (alone.c). */
#ifndef TSR_SRC_EXEC_ROWS_H
#define TSR_SRC_EXEC_ROWS_H

#include "exec/compute/algorithm.h"
#include "exec/gemm/gemm.h"

/** Runs units first to last - 1 of a plan that has loops, as tsr_copy_loops_at does. */
TSR_INTERNAL int64_t tsr_engine_run(tsr_planned_copy const *p, void const *from, void *to, int64_t first,
                                    int64_t last);

/** tsr_convert. */
TSR_INTERNAL void tsr_engine_convert(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from, int64_t n);

/** Runs a plan between two pointers. */
TSR_INTERNAL void tsr_engine_reduce(tsr_planned_reduce const *p, void const *from, void *to);

/** n elements of one type that lie side by side, each x op y; `to` may be x or y. False: nothing is done. */
TSR_INTERNAL bool tsr_engine_combine_run(int op, tsr_dtype type, void *to, void const *x, void const *y, int64_t n);

/** The same in threads, where there are many. An operand that repeats is one element. */
TSR_INTERNAL bool tsr_engine_combine_all(int op, tsr_dtype type, void *to, void const *x, bool x_repeats,
                                         void const *y, bool y_repeats, int64_t n);

/** Combines the elements of tensors that have not begun. */
TSR_INTERNAL void tsr_engine_combine(tsr_combination_ const *c, tsr_transform_ *t);

/** Whether it has made the product; if not, nothing was touched. */
TSR_INTERNAL bool tsr_product_by_engine(tsr_product_ const *g);

#endif
