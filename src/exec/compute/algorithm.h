/** What the engines share of exec/algorithm.h. */
#ifndef TSR_SRC_EXEC_COMPUTE_ALGORITHM_H
#define TSR_SRC_EXEC_COMPUTE_ALGORITHM_H

#include "exec/move/run.h"
#include "exec/compute/reduce.h"
#include "tessera/exec/algorithm.h"

/** Whether two tensors are one: element i of both in one place. */
TSR_INTERNAL bool tsr_is_in_place_(tsr_tensor const *s, tsr_tensor const *d);

#endif
