/** Tiles of shared memory as operands of warpgroup MMA and of tcgen05.mma: the descriptor of an instruction's part, and
 *  where the parts are.
 *
 *      tsr_gmma_tile const a = tsr_make_gmma_tile_a(atom, smem);
 *      ... a.why is the reason of a refusal; tsr_gmma_bits(a.fields, address) + tsr_gmma_step(&a, m, k)
 *
 *  Law     the descriptor of part (m,k) is the first descriptor with its step added to the address. The hardware finds
 *          there the elements that the layout puts there. Only the tile's strides decide; the blocks that it was made
 *          of, and their order, do not matter.
 *  Errors  MMA_* of the atom; RANK; SMEM_ATOM for a swizzle that the hardware does not have; GMMA_PARTS where parts do
 *          not divide the tile; GMMA_MAJOR where it is contiguous along another mode than the atom reads; GMMA_START;
 *          GMMA_EXTENT, GMMA_CANONICAL, GMMA_STRIDE.
 *  Source  PTX ISA 9.0, "Strides" and "Matrix descriptor" of wgmma.
 */
#ifndef TSR_ATOM_GMMA_TILE_H
#define TSR_ATOM_GMMA_TILE_H

#include "tessera/atom/mma.h"
#include "tessera/atom/smem.h"

TSR_HEADER_BEGIN

typedef struct tsr_gmma_tile {
    tsr_reason why; /* what the tile cannot do, or no reason */
    tsr_gmma_fields fields;
    int32_t rows, depth; /* how many parts along both */
    int32_t vector;      /* elements in 16 bytes */
    tsr_layout start;    /* (rows, depth) to an element, before the swizzle */
} tsr_gmma_tile;

/** Returns the mode along which a tile is contiguous. */
TSR_OP tsr_major tsr_tile_major(tsr_layout tile);

/** A tile (rows, k) cut into parts of `part` elements of a type, for an instruction that reads along `major`. */
TSR_OP tsr_gmma_tile tsr_make_gmma_tile(tsr_layout tile, tsr_tuple part, tsr_major major, tsr_dtype type);

/** Returns the distance of the descriptor of part (m,k) from the first one, in its units of 16 bytes. */
TSR_FN int64_t tsr_gmma_step(tsr_gmma_tile const *t, int64_t m, int64_t k)
{
    return tsr_layout_offset(&t->start, m + k * t->rows) / t->vector;
}

/** A tile (M,K) as the A of an atom, and a tile (N,K) as its B; of two CTAs, the tile of one. */
TSR_OP tsr_gmma_tile tsr_make_gmma_tile_a(tsr_mma_atom x, tsr_layout tile);

/** The tile of B, (N,K), as tsr_make_gmma_tile_a takes A. */
TSR_OP tsr_gmma_tile tsr_make_gmma_tile_b(tsr_mma_atom x, tsr_layout tile);

/** Returns the fields of the descriptors of a tile, as the A and as the B of an atom: (layout type, leading and stride
 *  byte offset / 16, base offset). The layout type is that of tsr_make_gmma_desc or tsr_make_umma_desc. */
TSR_OP tsr_tuple tsr_gmma_desc_a(tsr_mma_atom x, tsr_layout tile);

TSR_OP tsr_tuple tsr_gmma_desc_b(tsr_mma_atom x, tsr_layout tile);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/gmma_tile.h"
#endif

#endif
