/** What the engines share of exec/loops.h. */
#ifndef TSR_SRC_EXEC_MOVE_LOOPS_H
#define TSR_SRC_EXEC_MOVE_LOOPS_H

#include "tessera/exec/loops.h"

TSR_INTERNAL tsr_loop tsr_plan_take_(tsr_planned_copy *p, int i);

/** Begins where digit n of a loop stands. */
TSR_INTERNAL void tsr_plan_begin_at_(tsr_planned_copy *p, tsr_loop const *l, int64_t n);

/** The leaves of a layout one by one, as they are used up. */
typedef struct tsr_leaves_ {
    tsr_layout const *layout;
    int64_t bits, count, step;
    int what, unit, next;
} tsr_leaves_;

TSR_INTERNAL tsr_leaves_ tsr_leaves_of_(tsr_layout const *l, int64_t bits, int what);

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
