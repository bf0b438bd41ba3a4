/** What the engines share of exec/algorithm.h. */
#ifndef TSR_SRC_EXEC_COMPUTE_ALGORITHM_H
#define TSR_SRC_EXEC_COMPUTE_ALGORITHM_H

#include "exec/move/run.h"
#include "exec/compute/reduce.h"
#include "tessera/exec/algorithm.h"

/** Whether two tensors are one: element i of both in one place. */
TSR_INTERNAL bool tsr_is_in_place_(tsr_tensor const *s, tsr_tensor const *d);

/** What forbids a transform of one source: of all numbers, or of real ones. */
TSR_INTERNAL tsr_reason tsr_transformable_(tsr_tensor const *s, tsr_tensor const *d, bool reals);

/** The sides of tensors x[0], x[1] and x[2], the destination, and the loops that all three share, into a plan that is
 *  0: edge 0 of a loop is its step in x[1], whose side is `second`. Without loops `slow` says why. */
TSR_INTERNAL void tsr_transform_plan_(tsr_planned_copy *p, tsr_side *second, tsr_tensor const *const x[3]);

#endif
