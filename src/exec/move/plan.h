/** What the engines share of exec/plan.h. */
#ifndef TSR_SRC_EXEC_MOVE_PLAN_H
#define TSR_SRC_EXEC_MOVE_PLAN_H

#include "exec/move/blocks.h"
#include "tessera/exec/plan.h"

/* Checks */

TSR_INTERNAL bool tsr_has_numbers_(tsr_tensor const *t);

/** What forbids a copy wherever the elements of d lie: memory, sizes, types. */
TSR_INTERNAL tsr_reason tsr_matching_(tsr_tensor const *s, tsr_tensor const *d);

/** Why elements of d that a predicate chooses would land in one place, as those of a tile that is wider than the rows
 *  of its matrix do. Edges along one mode are known; with any other predicate all elements of d must lie apart. */
TSR_INTERNAL tsr_reason tsr_chosen_once_(tsr_tensor const *where, tsr_tensor const *d);

/** What forbids a copy of all elements. */
TSR_INTERNAL tsr_reason tsr_copyable_(tsr_tensor const *s, tsr_tensor const *d);

/** Memory that can be read, as it is. */
TSR_INTERNAL bool tsr_is_memory_(tsr_tensor const *t);

/* Makers */

/** A side of a plan: a pointer, behind at most one swizzle. Says why it is none, or 0. */
TSR_INTERNAL tsr_slow tsr_plan_side_(tsr_side *x, tsr_tensor const *t);

/** Both sides of a plan. */
TSR_INTERNAL void tsr_plan_sides_(tsr_planned_copy *p, tsr_tensor const *s, tsr_tensor const *d);

/** The plan of the loops and edges that there are, between sides that are set; of `n` elements if there are no
 *  loops. */
TSR_INTERNAL void tsr_plan_close_(tsr_planned_copy *p, int64_t n);

/** The plan of two tensors that may be copied, of the elements of a predicate, which may be NULL. */
TSR_INTERNAL void tsr_plan_make_(tsr_planned_copy *p, tsr_tensor const *where, tsr_tensor const *s,
                                 tsr_tensor const *d);

/** Proves that a side of a plan lies in the bounds of its tensor. No means unproved: because of a swizzle or edges, for
 *  example. */
TSR_INTERNAL bool tsr_side_in_bounds_(tsr_planned_copy const *p, tsr_side const *x, tsr_tensor const *t);

/** Makes the plan of tensors that are plain memory, and says whether it proves all that is to be checked. */
TSR_INTERNAL bool tsr_plan_make_checked_(tsr_planned_copy *p, tsr_tensor const *where, tsr_tensor const *s,
                                         tsr_tensor const *d);

/** The problem of tsr_copy, into a plan that is 0: checks, sides, and loops before they are cut into blocks. The plan
 *  of the CPU refines it (tsr_plan_copy_), that of a GPU begins with it (src/gpu/copy_plan.c). */
TSR_INTERNAL void tsr_plan_problem_(tsr_planned_copy *p, tsr_tensor const *s, tsr_tensor const *d);

/** Plans tsr_copy into `p`, which must be zero except `loop[]`. The function fills the loops that exist: clearing all
 *  of them would take longer. */
TSR_INTERNAL void tsr_plan_copy_(tsr_planned_copy *p, tsr_tensor const *s, tsr_tensor const *d);

#endif
