/** What the engines share of exec/algorithm.h. */
#ifndef TSR_SRC_EXEC_COMPUTE_ALGORITHM_H
#define TSR_SRC_EXEC_COMPUTE_ALGORITHM_H

#include "exec/nest.h"
#include "exec/move/run.h"
#include "exec/compute/reduce.h"
#include "tessera/exec/algorithm.h"
#include "tessera/exec/transform.h"

/** Whether two tensors are one: element i of both in one place. */
TSR_INTERNAL bool tsr_is_in_place_(tsr_tensor const *s, tsr_tensor const *d);

/** What forbids a transform of one source: of all numbers, or of real ones. */
TSR_INTERNAL tsr_reason tsr_transformable_(tsr_tensor const *s, tsr_tensor const *d, bool reals);

/** The sides of tensors x[0], x[1] and x[2], the destination, and the loops that all three share: operands 0 to 2 of
 *  an empty nest. Says why there are none, or 0. */
TSR_INTERNAL tsr_slow tsr_transform_plan_(tsr_nest_ *n, tsr_side *side, tsr_tensor const *const x[3]);

/** tsr_transform_begin_ of tensors that are checked. */
TSR_INTERNAL void tsr_transform_open_(tsr_transform_ *t, tsr_tensor const *x, tsr_tensor const *y,
                                      tsr_tensor const *z, bool reals);

/** The loops of tensors on their way. */
TSR_INTERNAL tsr_nest_ tsr_transform_nest_(tsr_transform_ *t);

/** Goes on by n elements, which the innermost loop has. */
TSR_INTERNAL void tsr_transform_step_(tsr_transform_ *t, int64_t n);

/** a - b, beside the combiners. */
enum { TSR_DIFFERENCE_ = TSR_COMBINERS };

/** tsr_engine_combine_run by portable loops. */
TSR_INTERNAL bool tsr_combine_by_loops_(int op, tsr_dtype type, void *to, void const *x, void const *y, int64_t n);

/** What tsr_combine makes of two elements, by which factors. */
typedef struct tsr_combination_ {
    int op;           /* a combiner, or the difference (combine.c) */
    bool ints, parts; /* what is computed in, else doubles */
    bool orders_wide; /* integers of 64 bits without a sign are compared */
    tsr_number alpha, beta;
} tsr_combination_;

/** tsr_combine of memory without factors, but -1 of y: nothing is checked. */
TSR_INTERNAL void tsr_combine_checked_(tsr_combiner op, tsr_tensor const *x, bool negative, tsr_tensor const *y,
                                       tsr_tensor const *z);

/** Combines the elements that are left of tensors on their way. */
TSR_INTERNAL void tsr_combine_run_(tsr_combination_ const *c, tsr_transform_ *t);

/** Combines elements first to last - 1 of the loops of tensors that have not begun. */
TSR_INTERNAL void tsr_combine_part_(tsr_combination_ const *c, tsr_transform_ const *whole, int64_t first,
                                    int64_t last);

#endif
