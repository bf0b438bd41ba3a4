/** Plan: how the elements of one tensor move to another, decided and proved once.
 *
 *      tsr_planned_copy const p = tsr_copy_plan(from, to);
 *      ... p.why says whether the copy is allowed; tsr_format_copy(text, size, &p) how it runs
 *      tsr_copy_run(&p, NULL, &from, &to, 0, p.units / 2);         exec/run.h; in parts, in any order
 *      tsr_copy_run(&p, NULL, &from, &to, p.units / 2, p.units);
 *
 *  A plan is a plain value: loops and edges (exec/loops.h); the inner loops form a block (src/exec/move/blocks.h). A
 *  plan checks that elements land once, stay in bounds and stay apart from the source: from its loops where these prove
 *  it, else from the layouts.
 *
 *  Law     all units of a plan together move element i of the source to element i of the destination, for every i (for
 *          which the predicate is not 0), converted to its type, and touch nothing else.
 *  Errors  DIFFER_SIZE, OVERLAP, CONSTANT, NULL_DATA, NOT_NUMBERS, NOT_INJECTIVE where two elements would land in one,
 *          BOUNDS where one would be touched outside of the memory that a tensor is a part of.
 *  Limits  TSR_PLAN_LOOPS, TSR_PLAN_EDGES; a copy that needs more runs element by element, and the plan says so.
 */
#ifndef TSR_EXEC_PLAN_H
#define TSR_EXEC_PLAN_H

#include "tessera/exec/loops.h"
#include "tessera/tensor/accesses.h"

TSR_HEADER_BEGIN

/** The reason that forbids a copy of all elements. */
TSR_TRY tsr_reason tsr_copyable(tsr_tensor const *s, tsr_tensor const *d);

/** The plan of tsr_copy(s, d). It also serves the same layouts at other addresses; then the caller checks the memory.
 *  A swizzled pointer may move only by multiples of the bytes that its swizzle permutes. */
TSR_TRY tsr_planned_copy tsr_copy_plan(tsr_tensor const *s, tsr_tensor const *d);

/* A call names tensors; where they are is what it passes (tensor/tensor.h). */
#ifdef __cplusplus
TSR_HOST_REF TSR_NODISCARD tsr_planned_copy tsr_copy_plan(tsr_tensor const &s, tsr_tensor const &d)
{
    return tsr_copy_plan(&s, &d);
}
#else
#  define tsr_copy_plan(s, d) tsr_copy_plan(TSR_AT(s), TSR_AT(d))
#endif

/** Lets whole lines of rows pass the caches, as those of a large copy do: the destination is a piece of something
 *  large. A plan knows its own size only. */
TSR_API void tsr_copy_past_(tsr_planned_copy *p);

TSR_HEADER_END

#endif
