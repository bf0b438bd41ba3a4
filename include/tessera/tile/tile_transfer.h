/** A planned tile on its way: loads, stores and updates by the plan of tile/tile_plan.h, of one thread or of all.
 *
 *  Law     an element that is there is moved, one that is not reads as the invalid value and is not written. Where
 *          memory has an element several times (replication, strides of 0), a store leaves one of them.
 */
#ifndef TSR_TILE_TILE_TRANSFER_H
#define TSR_TILE_TILE_TRANSFER_H

#include "tessera/tile/box_copy.h"
#include "tessera/tile/tile_plan.h"

TSR_HEADER_BEGIN

/* Edges */

/** The limits that an edge tile breaks, their values, and the loops that they depend on. */
typedef struct tsr_tile_edge {
    int limits, loops;
    uint8_t limit[TSR_MAX_XS + TSR_MAX_LIMITS], loop[TSR_MAX_LOOPS];
    int64_t value[TSR_MAX_XS + TSR_MAX_LIMITS], walks;
    tsr_box inner; /* the other loops, without a run */
} tsr_tile_edge;

/** Moves what the loops from `begin` on name, at the index x of the tensor: all of them for the buffers of all
 *  threads, one behind the other; those of Y for one thread. The tile stands at `place`, not BY_GRAPH. */
TSR_OP_MEMORY void tsr_plan_transfer(tsr_tile_plan const *p, tsr_buffer_view const *v, tsr_access access,
                                     tsr_memory_operation op, tsr_tile_place place, int64_t const *x, int begin,
                                     unsigned char *out, unsigned char const *in);

/* By the plan alone, without a window: what a kernel needs */

/** How far an element is from the origin: in memory (k = -1), or in limit k. Elements are numbered with the threads
 *  fastest, which count P, the last one fastest. */
TSR_OP int64_t tsr_plan_step(tsr_tile_plan const *p, int k, int64_t element);

/** load, store and update of one thread, from nothing but the plan: it may be an argument of a kernel, or a constant.
 *  Memory of another number of elements, or of others, than the plan was made for is not touched.
 *  Returns where the tile stands; TSR_TILE_BY_GRAPH: nothing is done, for the plan does not hold there. */
TSR_OP_MEMORY tsr_tile_place tsr_plan_load(tsr_tile_plan const *p, tsr_buffer_view const *v, int64_t const *origin,
                                           int64_t thread, void *buffer);

TSR_OP_MEMORY tsr_tile_place tsr_plan_store(tsr_tile_plan const *p, tsr_buffer_view const *v, int64_t const *origin,
                                            int64_t thread, void const *buffer);

TSR_OP_MEMORY tsr_tile_place tsr_plan_update(tsr_tile_plan const *p, tsr_buffer_view const *v,
                                             tsr_memory_operation op, int64_t const *origin, int64_t thread,
                                             void const *buffer);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/tile_transfer.h"
#endif

#endif
