/** What one CTA's instructions move: partitions of tensors by a TMA copy, and the mask of a multicast.
 *
 *  Law     partition_S is ((element,instruction),rest..): of the TMA tensor, at element 0, the coordinate to issue.
 *          The mask has one bit for each CTA that a slice of the cluster keeps.
 *  Source  CuTe, include/cute/atom/copy_traits_sm90_tma.hpp, copy_atom.hpp (TiledCopy::tile2thrfrg).
 */
#ifndef TSR_TMA_PARTITION_H
#define TSR_TMA_PARTITION_H

#include "tessera/tma/im2col.h"

TSR_HEADER_BEGIN

/** The tensor's part of CTA `cta` of the multicast: ((element,instruction),rest..). A CTA's part of a shared box
 *  begins inside the tile; as in CuTe the layout keeps the size of the whole box, and only its first element is
 *  meant. */
TSR_API tsr_tensor tsr_tma_partition_s(tsr_tma_copy c, tsr_tuple cta, tsr_tensor t);

/** Partitions a tile in shared memory (index 1) or its source in global memory (index 0):
 *  ((element,instruction),rest..), seen from the part of the CTA at `coord` among the `ctas` that share a box. Mode 0
 *  of both tensors is the tile.
 *  Errors  TMA_SIZE where these modes differ in size, or are not a number of whole instructions. */
TSR_API tsr_tensor tsr_tma_partition(tsr_tma_copy c, tsr_tuple coord, tsr_layout ctas, tsr_tensor smem,
                                     tsr_tensor gmem, int64_t index);

/** The bits of the CTAs of a cluster that a coordinate with `_` names; `path` lists further modes to take whole.
 *  Errors  TMA_MASK for a CTA beyond the 16 that a mask can name; OUTSIDE for a coordinate that is not in the
 *          cluster. */
TSR_API tsr_tuple tsr_create_tma_multicast_mask(tsr_layout ctas, tsr_tuple coord, tsr_tuple path);

TSR_HEADER_END

#endif
