/** Making the plan of a tile window (tile/tile_plan.h): digits become terms, factors of the distribution become loops,
 *  and the rest of them boxes.
 */
#ifndef TSR_TILE_PLAN_MAKE_H
#define TSR_TILE_PLAN_MAKE_H

#include "tessera/tile/fold.h"
#include "tessera/tile/tile_plan.h"

TSR_HEADER_BEGIN

/** The plan of the tiles of a distribution in memory of `size` elements of `bytes` each, for all origins.
 *  Errors  those of the descriptor and of the encoding; WINDOW_RANK; PLAN_GRAPH, PLAN_FACTOR, PLAN_CAPACITY,
 * OVERFLOW. */
TSR_API tsr_planned_tile tsr_tile_plan(tsr_descriptor const *d, tsr_encoding const *e, int64_t size, int bytes);

TSR_HEADER_END

#endif
