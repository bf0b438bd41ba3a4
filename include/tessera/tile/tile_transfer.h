/** Moving a planned tile: loads, stores and updates by the plan of tile/tile_plan.h, for one thread or for all.
 *
 *  Law     an element inside is moved. An element outside reads as the invalid value, and it is not written. Where
 *          several elements of the tile are one element of memory (replication, strides of 0), a store leaves one of
 *          them.
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

/** Moves the elements of the loops from `begin` on, at the index x of the tensor. All loops move the buffers of all
 *  threads, one after the other. The loops of Y move the buffer of one thread. `place` is not BY_GRAPH. */
TSR_OP_MEMORY void tsr_planned_tile_transfer(tsr_planned_tile const *p, tsr_buffer_view const *v, tsr_access access,
                                             tsr_memory_operation op, tsr_tile_place place, int64_t const *x,
                                             int begin, unsigned char *out, unsigned char const *in);

/* By the plan alone, without a window: what a kernel needs */

/** Returns the distance of an element from the origin, in memory (k = -1) or in limit k. Elements are numbered with the
 *  threads fastest. Threads count P, the last P fastest. */
TSR_OP int64_t tsr_planned_tile_step(tsr_planned_tile const *p, int k, int64_t element);

/** Load, store or update one thread's part by the plan alone, which may be an argument of a kernel, or a constant.
 *  Memory of another size or another element type than the plan's is not touched.
 *  Returns the place of the tile. TSR_TILE_BY_GRAPH: nothing is moved, because the plan does not hold there. */
TSR_OP_MEMORY tsr_tile_place tsr_planned_tile_load(tsr_planned_tile const *p, tsr_buffer_view const *v,
                                                   int64_t const *origin, int64_t thread, void *buffer);

TSR_OP_MEMORY tsr_tile_place tsr_planned_tile_store(tsr_planned_tile const *p, tsr_buffer_view const *v,
                                                    int64_t const *origin, int64_t thread, void const *buffer);

TSR_OP_MEMORY tsr_tile_place tsr_planned_tile_update(tsr_planned_tile const *p, tsr_buffer_view const *v,
                                                     tsr_memory_operation op, int64_t const *origin, int64_t thread,
                                                     void const *buffer);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/tile_transfer.h"
#endif

#endif
