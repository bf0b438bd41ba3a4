/** Edges: a shape in tiles that do not divide it. Mode by mode of the shape, in elements of that mode.
 *
 *  Law     number of tiles = full tiles, and one more where the edge is not 0; the valid boxes of all tiles are
 *          disjoint and hold every element once.
 *  Errors  RANK, OUTSIDE; those of a layout's shape, of each mode; WILDCARD and NOT_INTEGER where a coordinate is not
 *          one integer a mode.
 */
#ifndef TSR_TENSOR_EDGE_H
#define TSR_TENSOR_EDGE_H

#include "tessera/tensor/access.h"

TSR_HEADER_BEGIN

/** How many tiles each mode has, the edge included.
 *  Example  tile_count((100,64), (32,32))  =  (4,2) */
TSR_API tsr_tuple tsr_tile_counts(tsr_tuple shape, tsr_tuple tile);

/** How many tiles a shape has, the edge included; TSR_BAD_OFFSET where there are none.
 *  Example  tsr_tile_count(tsr_t(100, 64), tsr_t(32, 32))  is  8 */
TSR_API int64_t tsr_tile_count(tsr_tuple shape, tsr_tuple tile);

/** How many of them are full.
 *  Example  full_tiles((100,64), (32,32))  =  (3,2) */
TSR_API tsr_tuple tsr_full_tiles(tsr_tuple shape, tsr_tuple tile);

/** How far the edge tile reaches; 0 where the tiles divide the mode.
 *  Example  edge_tile((100,64), (32,32))  =  (4,0) */
TSR_API tsr_tuple tsr_edge_tile(tsr_tuple shape, tsr_tuple tile);

/** The extents of tile `coord` that lie inside the shape.
 *  Example  valid_box((100,64), (32,32), (3,1))  =  (4,32) */
TSR_API tsr_tuple tsr_valid_box(tsr_tuple shape, tsr_tuple tile, tsr_tuple coord);

TSR_HEADER_END

#endif
