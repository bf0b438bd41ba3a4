/** A tile of shared memory as boxes of a tensor map: the numbers that both sides of a copy by tile share.
 *
 *      tsr_tma_tile const t = tsr_make_tma_tile(smem, TSR_F16, 2);       the tile's boxes, each shared by 2 CTAs
 *      tsr_tma_desc const d = tsr_tma_tile_desc(&t, TSR_F16, tensor);    the map of a tensor of such tiles
 *      tsr_gpu_tma_encode(&device, &d, address, &map);
 *
 *  The map's dimensions are the contiguous mode of the tile, its other mode, and the further modes of the tensor in
 *  their order. A tile of 128 rows of 64 half numbers in the 128-byte swizzle is one box. By columns it is two.
 *
 *  Law     box i begins in shared memory at element i*elements. Its first element has index start(i) of the tile, as
 *          the layout of shared memory says.
 *  Errors  RANK of a tile that has not two modes; TYPE; SMEM_ATOM for a swizzle that TMA does not have; those of
 *          tsr_make_tma_copy for one box, TMA_SIZE for boxes that do not make the tile, TMA_SMEM_ALIGN for small ones;
 *          of the map RANK, TMA_MAJOR and the rules of tma/lint.h.
 *  Source  CuTe, include/cute/atom/copy_traits_sm90_tma.hpp, make_tma_copy, tma_partition.
 */
#ifndef TSR_TMA_TILE_H
#define TSR_TMA_TILE_H

#include "tessera/generic.h"
#include "tessera/tma/copy.h"

TSR_HEADER_BEGIN

typedef struct tsr_tma_tile {
    tsr_reason why;       /* what the tile cannot do, or no reason */
    tsr_swizzle swizzle;  /* of bytes */
    int32_t along;        /* the contiguous mode */
    int32_t rows;         /* extent of mode 0 */
    int32_t box[2];       /* one CTA's box: along that mode, along the other one */
    int32_t boxes, parts; /* boxes of all CTAs; CTAs that share the tile */
    int32_t elements;     /* of one box */
    tsr_layout start;     /* element of shared memory -> index of the tile */
} tsr_tma_tile;

/** The tile of shared memory `smem`, of two modes, as boxes. `parts` CTAs of a cluster share the boxes: each CTA moves
 *  its part of every instruction. */
TSR_OP tsr_tma_tile tsr_make_tma_tile(tsr_layout smem, tsr_dtype type, int parts);

/** Where box i begins in the tile: (row, column). */
TSR_FN int64_t tsr_tma_tile_row(tsr_tma_tile const *t, int i)
{
    return tsr_layout_offset(&t->start, (int64_t)i * t->elements) % t->rows;
}

/** The column at which box i begins. */
TSR_FN int64_t tsr_tma_tile_column(tsr_tma_tile const *t, int i)
{
    return tsr_layout_offset(&t->start, (int64_t)i * t->elements) / t->rows;
}

/** The bytes of the whole tile: what its barrier expects. */
TSR_FN int tsr_tma_tile_bytes(tsr_tma_tile const *t, int bits) { return t->boxes * t->elements * bits / 8; }

/** The map of a tensor of `rank` modes (rows, columns, more...), one extent and one stride in elements each, as it is
 *  before the rules of tma/lint.h are asked. Errors: those of the tile, RANK, TMA_TYPE, TMA_MAJOR, OVERFLOW. */
TSR_OP tsr_tma_desc tsr_tma_tile_map(tsr_tma_tile const *t, tsr_dtype type, int rank, int64_t const *extent,
                                     int64_t const *stride);

/** The map of a tensor, modes (rows, columns, more...) of elements of a type: the tile covers the first two. */
TSR_OP tsr_tma_desc tsr_tma_tile_desc(tsr_tma_tile const *t, tsr_dtype type, tsr_layout tensor);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tma/body/tile.h"
#endif

#endif
