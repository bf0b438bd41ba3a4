/** Clipped tiles: a tile at the edge of a tensor that no tile divides.
 *
 *  local_tile gives every tile the whole shape of the tile, as CuTe does. At an edge some of its elements do not exist,
 *  and their offsets lie behind the tensor, or on other elements of it. A clip says which elements exist, in three
 *  ways: as a box, as the tensor of these elements, and as a predicate of all elements of the tile, for tsr_copy_if.
 *
 *  Law     part(c) = tile(c) for every c in the box, and the predicate of c is 1 just there; over all coordinates the
 *          parts hold every element of the tensor once.
 *  Errors  those of local_tile and valid_box; CLIP_TILER where a mode of the tiler takes elements that are not
 *          neighbours: there is a predicate then, but no box and no part.
 */
#ifndef TSR_TENSOR_CLIP_H
#define TSR_TENSOR_CLIP_H

#include "tessera/tensor/edge.h"
#include "tessera/tensor/map.h"
#include "tessera/tensor/partition.h"

TSR_HEADER_BEGIN

typedef struct tsr_clip {
    tsr_tensor tile;        /* local_tile: the shape of the tile, elements that do not exist included */
    tsr_tensor part;        /* those that exist: the tile in the shape of the box */
    tsr_tensor coordinates; /* of every element of the tile, in the shape of the tensor */
    tsr_tuple box;          /* the extents of the part, mode by mode of the tile */
    tsr_tuple shape;        /* of the tensor */
} tsr_clip;

/** The tile at a coordinate, and what of it exists. The coordinate has one integer for each mode of the tensor. */
TSR_API tsr_clip tsr_clipped_tile(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord);

/** The part of a tile that exists.
 *  Example  clipped_tile(counting_iter(0) o (10,10):(1,10), (8,8), (1,1))  =  counting_iter(88) o (2,2):(1,10) */
TSR_API tsr_tensor tsr_clipped_part(tsr_tensor t, tsr_tiler tiler, tsr_tuple coord);

/** The predicate of the elements of a tile: 1 where one exists. *clip must outlive it. */
TSR_API tsr_tensor tsr_clip_predicate(tsr_clip const *clip);

TSR_HEADER_END

#endif
