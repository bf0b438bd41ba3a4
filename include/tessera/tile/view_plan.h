/** The plan of a view: the elements of a descriptor over memory to a tensor, or back, by the loops of exec/plan.h.
 *
 *  The descriptor is folded; its guards are the edges of the plan, so that padding is neither read nor written.
 *
 *  Law     dimension i of the descriptor is mode i of the tensor; the element at x moves where x is no padding, and
 *          nothing else is touched.
 *  Errors  PLAN_GRAPH where the descriptor does not fold, or to more than a plan holds; those of a plan (exec/plan.h).
 */
#ifndef TSR_TILE_VIEW_PLAN_H
#define TSR_TILE_VIEW_PLAN_H

#include "tessera/exec/plan.h"
#include "tessera/tile/fold.h"

TSR_HEADER_BEGIN

/** Loads the elements of a descriptor from `memory` into a tensor, or stores them from it: a plan for tsr_copy_run_at,
 *  from and to what the two pointers point to. */
TSR_TRY tsr_planned_copy tsr_view_plan(tsr_descriptor const *d, tsr_engine memory, tsr_tensor t, bool store);

TSR_HEADER_END

#endif
