/** Partitions: the tile at a coordinate, or the elements at a coordinate of every tile.
 *
 *  Law     zipped_divide(T, tiler) is ((tile),(rest)). inner_partition fixes the rest and keeps the tile (a block's
 *          tile: local_tile); outer_partition fixes a place in the tile and keeps the rest (a thread's elements:
 *          local_partition). Over all coordinates either is a disjoint cover of the divided tensor.
 *  Source  CuTe, include/cute/tensor_impl.hpp.
 */
#ifndef TSR_TENSOR_PARTITION_H
#define TSR_TENSOR_PARTITION_H

#include "tessera/tensor/tensor.h"

TSR_HEADER_BEGIN

/** The tile at `coord` among the tiles. */
TSR_OP tsr_tensor tsr_tensor_inner_partition(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord);

/** The elements at `coord` of every tile. */
TSR_OP tsr_tensor tsr_tensor_outer_partition(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord);

/** The elements of a tiler whose place in `proj` is not `_`. */
TSR_OP tsr_tiler tsr_tiler_dice(tsr_tuple proj, tsr_tiler tiler);

/** The tile of a block: inner_partition, with the modes of tiler and coordinate that `proj` keeps. */
TSR_OP tsr_tensor tsr_tensor_local_tile(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord);

TSR_OP tsr_tensor tsr_tensor_local_tile_by(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord, tsr_tuple proj);

/** The elements of thread `index` of a layout of threads: those at its coordinate in every tile of their shape. */
TSR_OP tsr_tensor tsr_tensor_local_partition(tsr_tensor t, tsr_layout threads, tsr_tuple index);

/** The same with the modes of the layout that `proj` keeps: threads that differ in the others have the same
 *  elements. */
TSR_OP tsr_tensor tsr_tensor_local_partition_by(tsr_tensor t, tsr_layout threads, tsr_tuple index, tsr_tuple proj);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tensor/body/partition.h"
#endif

#endif
