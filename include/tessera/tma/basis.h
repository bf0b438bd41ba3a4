/** Which modes of a tensor a TMA box spans: the contiguous run of shared memory, traced to modes of global memory.
 *
 *  Law     the box's element i in shared memory order lies at coordinate G(i) of the tensor, G the basis: a layout
 *          from the box (at most five modes of at most 256) to the modes of the tensor. Modes that the box does not
 *          reach are appended with extent 1; the fifth and all further modes share one dimension of the hardware.
 *  Source  CuTe, include/cute/atom/copy_traits_sm90_tma.hpp, construct_tma_gbasis.
 */
#ifndef TSR_TMA_BASIS_H
#define TSR_TMA_BASIS_H

#include "tessera/core/recast.h"

TSR_HEADER_BEGIN

/** The most elements of one dimension of a box. */
#define TSR_TMA_BOX_MOST 256

/** The layout with neighbours merged that static integers prove contiguous, up to 256 elements a mode. */
TSR_OP tsr_layout tsr_coalesce_256(tsr_layout const *l);

/** The basis: box extents, in elements of type `to`, with the modes of the tensor that each spans as strides.
 *      gmem   the tensor, elements of type `from`
 *      smem   the tile in shared memory, without its swizzle
 *      tile   index of the CTA's tile -> coordinate of the tensor
 *  Errors  TMA_SIZE, TMA_VECTOR, those of composition and recast. */
TSR_OP tsr_layout tsr_construct_tma_gbasis(tsr_layout gmem, tsr_layout smem, tsr_layout tile, tsr_dtype from,
                                           tsr_dtype to);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tma/body/basis.h"
#endif

#endif
