/** The loops of a copy, in bytes, while a kernel is chosen for them. */
#ifndef TSR_SRC_GPU_COPY_DRAFT_H
#define TSR_SRC_GPU_COPY_DRAFT_H

#include "gpu/copy_plan.h"

enum { ACCESS = TSR_RELAYOUT_ACCESS };

/** What 31 bits count. */
#define GPU_INDICES ((int64_t)1 << 31)

typedef struct gpu_draft {
    tsr_relayout_loop loop[TSR_RELAYOUT_LOOPS]; /* the smallest step of the destination first */
    int loops;
    int64_t from, to; /* bytes at which they begin, behind the addresses or counted from 0 */
    uint64_t from_address, to_address;
    int from_kept, to_kept; /* bytes that a swizzle keeps together, log2 */
} gpu_draft;

static inline int64_t gpu_ceil(int64_t n, int64_t part) { return (n - 1) / part + 1; }

static inline int64_t gpu_loop_step(tsr_relayout_loop const *l, bool from) { return from ? l->from : l->to; }

tsr_relayout_count tsr_gpu_count_of_(int64_t n);

/** The loops in bytes, of items of at most ACCESS bytes, a power of two. False where items are no whole bytes. */
bool tsr_gpu_draft_of_(gpu_draft *x, tsr_gpu_planned_copy *g, tsr_planned_copy const *p);

/** An item that is two of the present ones, as long as they lie side by side on both sides. */
void tsr_gpu_widen_items_(gpu_draft *x, tsr_relayout_form *f);

void tsr_gpu_put_loop_(gpu_draft *x, int at, int64_t count, int64_t from, int64_t to);
void tsr_gpu_take_loop_(gpu_draft *x, int at);
void tsr_gpu_move_loop_(gpu_draft *x, int from, int to);
void tsr_gpu_put_loops_(tsr_gpu_planned_copy *g, gpu_draft const *x);

/** The loop from `first` on that is closest in the source; -1 if all stand still. */
int tsr_gpu_nearest_(gpu_draft const *x, int first);

/** Some loops, the first one innermost. */
typedef struct gpu_chain {
    int at[TSR_RELAYOUT_LOOPS];
    int loops;
} gpu_chain;

gpu_chain tsr_gpu_chain_of_(int first, int last);

/** The same with `at` before it. */
gpu_chain tsr_gpu_chain_after_(int at, gpu_chain rest);

/** Whether all do. */
bool tsr_gpu_is_run_(gpu_draft const *x, gpu_chain const *c, bool from, int item);

/** The items of an access along a chain, at most `most`: side by side, and at multiples of the access wherever it
 *  begins. */
int tsr_gpu_items_along_(gpu_draft const *x, gpu_chain const *c, bool from, int item, int most);

/** Whether a chain is one run that may begin anywhere: accesses of 16 bytes are then cut from it where they can be. */
bool tsr_gpu_goes_on_(gpu_draft const *x, tsr_relayout_form const *f, gpu_chain const *c, bool from);

/** Tiles of the loops that are close on either side. False where these are the same. */
bool tsr_gpu_plan_tiles_(tsr_gpu_planned_copy *g, gpu_draft const *given, gpu_copy_wishes const *wishes);

/** Short units of several planes that are side by side on one of the two sides. */
bool tsr_gpu_plan_zip_(tsr_gpu_planned_copy *g, gpu_draft const *x, gpu_copy_wishes const *wishes);

#endif
