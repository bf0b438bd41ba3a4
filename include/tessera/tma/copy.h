/** make_tma_copy takes a tensor in global memory, a layout of shared memory, the tile of a CTA and the size of a
 *  cluster. It makes the tensor map of the hardware and the coordinates that its instructions take.
 *
 *  Law     the tensor get_tma_tensor has the shape of the tensor in global memory; its element at c is the coordinate
 *          of that element in the map. Partitioned like the data, it says where each instruction begins. Where TMA
 *          moves several elements as one of a wider type, dimension 0 of it counts the tensor's elements, and
 *          tma_coordinate counts the map's. (CuTe's tensor has strides _1/_4@0 there.)
 *  Source  CuTe, include/cute/atom/copy_traits_sm90_tma.hpp, make_tma_copy_desc, make_tma_copy_tiled; the TMA tensors
 *          of media/docs/cpp/cute/0z_tma_tensors.md.
 */
#ifndef TSR_TMA_COPY_H
#define TSR_TMA_COPY_H

#include "tessera/tensor/smem_layout.h"
#include "tessera/tma/basis.h"
#include "tessera/tma/lint.h"

TSR_HEADER_BEGIN

/** The element types of a copy: the tensor's, and the one that the hardware moves. */
typedef struct tsr_tma_types {
    tsr_dtype value, internal;
} tsr_tma_types;

/** A plan. desc.why says whether it is valid. */
typedef struct tsr_tma_copy {
    tsr_tma_desc desc;
    tsr_tma_op op;
    tsr_tma_types types;
    tsr_layout tensor; /* coordinate of global memory -> coordinate of the map; im2col: from that of the matrix */
    tsr_tuple origin;  /* im2col: the coordinate of the first pixel and tap */
    tsr_tuple matrix;  /* im2col: the shape of the matrix, its pixels in one mode */
    tsr_layout tv;     /* (CTA, element) -> index in the tile */
    tsr_tuple tiler;   /* the extents of the tile */
    int64_t elements;  /* of one instruction, all CTAs of the multicast together */
    int64_t multicast; /* CTAs that share one box */
    int64_t word;      /* elements of the tensor that are moved as one: 1, or more of a wider type */
} tsr_tma_copy;

/** An invalid copy, with its reason. */
TSR_OP tsr_tma_copy tsr_bad_tma_copy(tsr_reason why);

/** Why a plan is invalid, or no reason. */
TSR_FN tsr_reason tsr_tma_copy_why(tsr_tma_copy const *c) { return c->desc.why; }

/** The plan for a tensor, a tile of it in shared memory, the tile of a CTA and the CTAs of a cluster that share it.
 *  Gather and scatter take four rows of the tile at a time; which rows of the tensor these are is told to the
 *  instruction, so of its coordinate only dimension 0 counts.
 *  A tile that takes several modes of the tensor as one may need their extents; dynamic ones are then read as numbers.
 *  Errors  TMA_OP, TMA_GATHER, TMA_TYPE, TMA_WORD, TMA_SIZE, TMA_VECTOR, TMA_MAJOR, TMA_SWIZZLE, TMA_MULTICAST, the
 *          first rule of the hardware that the map breaks (tma/lint.h), TMA_PITCH where the rows of a box would not
 *          have the pitch of the layout. */
TSR_OP tsr_tma_copy tsr_make_tma_copy(tsr_tma_op op, tsr_tma_types types, tsr_layout gmem, tsr_smem_layout smem,
                                      tsr_tiler tiler, tsr_tuple cluster);

/** The same plan for such a layout. */
TSR_OP tsr_tma_copy tsr_make_tma_copy_plain(tsr_tma_op op, tsr_tma_types types, tsr_layout gmem, tsr_layout smem,
                                            tsr_tiler tiler, tsr_tuple cluster);

/** The tensor of the map's coordinates, in the shape of the tensor in global memory; im2col: the matrix, its elements
 *  their own coordinates (tma/im2col.h). */
TSR_OP tsr_tensor tsr_get_tma_tensor(tsr_tma_copy c);

TSR_FN tsr_tma_desc tsr_tma_desc_of(tsr_tma_copy c) { return c.desc; }

TSR_OP tsr_layout tsr_tma_tiled_layout_tv(tsr_tma_copy c);

TSR_FN tsr_tuple tsr_tma_tiler_mn(tsr_tma_copy c)
{
    return c.desc.why.status ? tsr_reason_tuple(c.desc.why) : c.tiler;
}

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tma/body/copy.h"
#endif

#endif
