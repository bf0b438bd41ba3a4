/** What the engines share of exec/loops.h. */
#ifndef TSR_SRC_EXEC_MOVE_LOOPS_H
#define TSR_SRC_EXEC_MOVE_LOOPS_H

#include "exec/nest.h"

/** Puts loop `from` at the place of loop `to`; takes loop i out. */
TSR_INTERNAL void tsr_plan_move_(tsr_planned_copy *p, int from, int to);
TSR_INTERNAL void tsr_plan_take_(tsr_planned_copy *p, int i);

/** One more edge, toward which no loop steps. Returns its number. */
TSR_INTERNAL int tsr_plan_add_edge_(tsr_planned_copy *p, int64_t first, int64_t last);

/** Begins where digit n of a loop stands. */
TSR_INTERNAL void tsr_plan_begin_at_(tsr_planned_copy *p, tsr_loop const *l, int64_t n);

/** The loops of layouts: each leaf is cut where a leaf of another one ends. */
TSR_INTERNAL void tsr_plan_cut_modes_(tsr_planned_copy *p, tsr_leaves_ *x, int layouts);

/** Whether the loops prove that no two of their elements land in one place: each steps over what the smaller ones
 *  reach. */
TSR_INTERNAL bool tsr_plan_lands_once_(tsr_planned_copy const *p);

/* Edges */

/** The digits n of a loop, from *begin to *end - 1, at which an edge holds that has come to `value` at digit 0. */
TSR_INTERNAL void tsr_clip_loop_(tsr_edge const *e, int64_t value, int64_t step, int64_t *begin, int64_t *end);

/** Cuts off what a loop alone has beyond an edge, and drops that edge. */
TSR_INTERNAL void tsr_plan_clip_(tsr_planned_copy *p);

/** The range of bits that the loops of a side reach. A loop whose step is a multiple of an edge's step reaches as far
 *  as the edge allows. */
TSR_INTERNAL void tsr_side_reach_(tsr_planned_copy const *p, tsr_side *x, bool from);

#endif
