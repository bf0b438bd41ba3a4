/** Run: a plan at work, by portable loops.
 *
 *  Law     units first to last - 1 of a plan move their elements and touch no others. In any order and number of parts
 *          all units move all elements, where the elements of the destination are whole bytes; the smaller ones of two
 *          units may share a byte, so that these run one after the other.
 */
#ifndef TSR_EXEC_RUN_H
#define TSR_EXEC_RUN_H

#include "tessera/exec/plan.h"

TSR_HEADER_BEGIN

/** Units `first` to `last` - 1 of a plan that has loops, between two pointers, by the portable loops. Returns the
 *  number of elements. */
TSR_API int64_t tsr_copy_loops_at(tsr_planned_copy const *p, void const *from, void *to, int64_t first, int64_t last);

/** The same by the fastest way there is: the engine of the compiled library (exec/engine.h), or the loops. */
TSR_API int64_t tsr_copy_run_at(tsr_planned_copy const *p, void const *from, void *to, int64_t first, int64_t last);

/** Updates elements first to last - 1. */
TSR_API int64_t tsr_update_elements(tsr_update const *u, tsr_tensor const *s, tsr_tensor const *d, int64_t first,
                                    int64_t last);

/** Units `first` to `last` - 1 of the plan of two tensors, with a predicate if it was made with one (else NULL). */
TSR_API int64_t tsr_copy_run(tsr_planned_copy const *p, tsr_tensor const *where, tsr_tensor const *s,
                             tsr_tensor const *d, int64_t first, int64_t last);

/** Called between the parts of a long work: `elements` were moved since the last call, and `done` of `all` units are
 *  done. False ends the work. */
typedef bool (*tsr_progress)(void *context, int64_t elements, int64_t done, int64_t all);

/** Runs all units of a plan in parts of about 16 MB, and calls `told(context, elements, done, all)` after each part: of
 *  the elements that it moved, and of how many of all units are done. Returns the number of elements
 *  that were moved. A work that `told` has ended goes on with tsr_copy_run from unit `done`. */
TSR_API int64_t tsr_copy_run_told(tsr_planned_copy const *p, tsr_tensor const *where, tsr_tensor const *s,
                                  tsr_tensor const *d, tsr_progress told, void *context);

TSR_HEADER_END

#endif
