/** Plan: how the elements of one tensor move to another, decided and proved once.
 *
 *      tsr_planned_copy const p = tsr_copy_plan(from, to);
 *      ... p.why says whether it may be done; tsr_format_copy(text, size, &p) what will be done
 *      tsr_copy_run(&p, NULL, &from, &to, 0, p.units / 2);         exec/run.h; in parts, in any order
 *      tsr_copy_run(&p, NULL, &from, &to, p.units / 2, p.units);
 *
 *  A plan is a plain value: loops and edges (exec/loops.h), of which some are a block (src/exec/move/blocks.h). What
 *  the loops prove, that elements land once, stay in bounds, and apart from the source, is not asked again; what they
 *  do not prove is asked of the layouts.
 *
 *  Law     all units of a plan together move element i of the source to element i of the destination, for every i (for
 *          which the predicate is not 0), converted to its type, and touch nothing else.
 *  Errors  DIFFER_SIZE, OVERLAP, CONSTANT, NULL_DATA, NOT_NUMBERS, NOT_INJECTIVE where two elements would land in one,
 *          BOUNDS where one would be touched outside of the memory that a tensor is a part of.
 *  Limits  TSR_PLAN_LOOPS, TSR_PLAN_EDGES; what needs more goes element by element, and says so.
 */
#ifndef TSR_EXEC_PLAN_H
#define TSR_EXEC_PLAN_H

#include "tessera/exec/loops.h"
#include "tessera/tensor/accesses.h"

TSR_HEADER_BEGIN

/** What forbids a copy of all elements. */
TSR_TRY tsr_reason tsr_copyable(tsr_tensor const *s, tsr_tensor const *d);

/** The plan of tsr_copy(s, d). It holds for the same layouts at other addresses too, but for swizzled pointers, which
 *  may move by multiples of what their swizzle permutes; then the checks of memory are the caller's. */
TSR_TRY tsr_planned_copy tsr_copy_plan(tsr_tensor s, tsr_tensor d);

TSR_HEADER_END

#endif
