/** Tile distributions as linear maps over F2 (core/linear.h).
 *
 *  The inputs are register, the bits of Y, the last Y lowest; and of P the lane, where it is one, warp and lane, where
 *  these are two, else p0, p1, ..; the outputs dim0, dim1, .. are the dimensions X of the tile.
 *
 *  Law      the map at (p, y) is tsr_distribution_x(e, p, y); replications are bases of 0.
 *  Errors   LINEAR_EXTENT at an X, P or Y whose length is not a power of two.
 *  Example  linear(dist{R=();H=((2),(4));P=((1.0));Y=(2.0)})  =  linear{register=((0,1),(0,2));lane=((1,0)) -> dim0=2;dim1=4}
 */
#ifndef TSR_TILE_LINEAR_H
#define TSR_TILE_LINEAR_H

#include "tessera/core/linear.h"
#include "tessera/tile/distribution.h"

TSR_HEADER_BEGIN

/** The map of a distribution. */
TSR_API tsr_linear tsr_tile_linear(tsr_encoding e);

TSR_HEADER_END

#endif
