/** Coordinates: index from coordinate, coordinate from index, with static and dynamic propagated.
 *
 *  Law  a 1-D coordinate c into (s0,s1,..) is (c mod s0, (c / s0) mod s1, ...); the last mode takes the rest
 *       without reduction, so a layout goes on beyond its size.
 *  Source  CuTe, include/cute/stride.hpp.
 */
#ifndef TSR_CORE_COORD_H
#define TSR_CORE_COORD_H

#include "tessera/core/shape.h"

TSR_HEADER_BEGIN

/** The index of a coordinate: the sum of coordinate times stride. Integer strides give an integer, basis strides
 *  a coordinate.
 *  Example  crd2idx((1,2), (3,4), (4,1))  =  6 */
TSR_OP tsr_tuple tsr_crd2idx(tsr_tuple coord, tsr_tuple shape, tsr_tuple stride);

/** The 1-D coordinate of a coordinate into `shape`, colexicographically. */
TSR_OP tsr_tuple tsr_crd2idx_compact(tsr_tuple coord, tsr_tuple shape);

/** The natural coordinate of a 1-D coordinate (or of each mode of a coordinate) into `shape`. */
TSR_OP tsr_tuple tsr_idx2crd(tsr_tuple index, tsr_tuple shape);

/** A coordinate into one shape as the coordinate into another of the same 1-D order. */
TSR_OP tsr_tuple tsr_crd2crd(tsr_tuple coord, tsr_tuple from, tsr_tuple to);

/** The next coordinate in colexicographic order: the first leaf counts fastest. After the last coordinate the last
 *  leaf equals its extent, the others are 0. */
TSR_OP tsr_tuple tsr_increment(tsr_tuple coord, tsr_tuple shape);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/coord.h"
#endif

#endif
