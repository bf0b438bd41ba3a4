/** Memory beside A and B of block-scaled and sparse instructions: scales in tiles, metadata in tiles, and A without the
 *  elements that sparsity leaves out.
 *
 *  A tile of scales has 128 rows of 4 scales, 512 bytes: 16 bytes for the rows r, r + 32, r + 64 and r + 96. Each scale
 *  is that of `vector` elements of K, whose stride is 0. Kernels for few rows have tiles of 8x4, row by row.
 *
 *      scales_layout(16, (256,128))    =  (((_32,_4),2),((_16,_4),2)):(((_16,_4),1024),((_0,_1),_512))
 *      scales_layout<8>(16, (16,64))   =  ((_8,2),((_16,_4),1)):((_4,32),((_0,_1),_32))
 *
 *  Law     layouts cover whole tiles: rows and scales that the problem does not have are there, and are 0 after
 *          tsr_scales_pack; tsr_scales_unpack gives the linear scales back.
 *  Source  PTX ISA 9.0, "Scale factor layout" of tcgen05.mma; CUTLASS, Sm1xxBlockScaledConfig and
 *          Sm1xxGemmSparseConfig. cuBLAS calls the tiles of 128x4 "1D block scaling factors layout".
 */
#ifndef TSR_ATOM_SCALES_H
#define TSR_ATOM_SCALES_H

#include "tessera/atom/mma.h"
#include "tessera/atom/smem.h"

TSR_HEADER_BEGIN

/** Returns the tile of 128x4 or 8x4 scales, (rows,(vector,4)), or for scales along M or N ((vector,4),rows).
 *  Errors  SCALES_BLOCK for another number of rows, or of elements with a scale. */
TSR_OP tsr_layout tsr_scales_block(int64_t vector, int64_t rows, tsr_major major);

/** Returns the tiles of a matrix of scales, (MN,K) or (MN,K,batch), rounded up to whole tiles; those along K (or MN)
 *  are neighbours.
 *  Errors  SCALES_BLOCK; those of tile_to_shape. */
TSR_OP tsr_layout tsr_scales_layout(int64_t vector, tsr_tuple shape, int64_t rows, tsr_major major);

/** Returns the scales of A or B of a tile (M,N,K) in shared memory, for one instruction along M and N: those of a CTA
 *  as ((rows,scales of an instruction),1,(instructions,tiles)).
 *  Errors  those of the atom; UMMA_ATOM without scales; GMMA_PARTS. */
TSR_OP tsr_layout tsr_scales_smem(tsr_mma_atom x, tsr_tuple tile, bool b);

/** Returns how many bytes the tiles of a matrix of rows x columns scales have, each below 2^31; 0 for no such tiles. */
TSR_FN int64_t tsr_scales_bytes(int64_t rows, int64_t columns, int64_t tile)
{
    int64_t const most = (int64_t)1 << 31;
    bool const known = (tile == 128 || tile == 8) && rows > 0 && columns > 0 && rows < most && columns < most;
    return known ? (rows + tile - 1) / tile * tile * ((columns + 3) / 4 * 4) : 0;
}

/** Returns the byte of scale (row, column) in the tiles of a matrix of `columns` scales a row. */
TSR_FN int64_t tsr_scales_at(int64_t row, int64_t column, int64_t columns, int64_t tile)
{
    int64_t const in = row % tile, place = tile == 128 ? in % 32 * 16 + in / 32 * 4 : in * 4;
    return (row / tile * ((columns + 3) / 4) + column / 4) * 4 * tile + place + column % 4;
}

/** Moves scales of one byte from rows `stride` bytes apart into tiles; the padding becomes 0. `tiled` has
 *  tsr_scales_bytes(rows, columns, tile) bytes. False: there are no such tiles, nothing is moved. */
TSR_FN bool tsr_scales_pack(uint8_t *tiled, uint8_t const *linear, int64_t rows, int64_t columns, int64_t stride,
                            int64_t tile)
{
    int64_t const bytes = tsr_scales_bytes(rows, columns, tile);
    for (int64_t i = 0; i < bytes; ++i)
        tiled[i] = 0;
    for (int64_t r = 0; r < rows && bytes > 0; ++r)
        for (int64_t c = 0; c < columns; ++c)
            tiled[tsr_scales_at(r, c, columns, tile)] = linear[r * stride + c];
    return bytes > 0;
}

/** Moves them back, without the padding. */
TSR_FN bool tsr_scales_unpack(uint8_t *linear, uint8_t const *tiled, int64_t rows, int64_t columns, int64_t stride,
                              int64_t tile)
{
    int64_t const bytes = tsr_scales_bytes(rows, columns, tile);
    for (int64_t r = 0; r < rows && bytes > 0; ++r)
        for (int64_t c = 0; c < columns; ++c)
            linear[r * stride + c] = tiled[tsr_scales_at(r, c, columns, tile)];
    return bytes > 0;
}

/** Returns the block of metadata of a sparse A of a type: 128 rows of 128 elements of K (of 4-bit types 256, of 32-bit
 *  types 64), each element of A with an entry. Errors: TYPE. */
TSR_OP tsr_layout tsr_sparse_e_block(tsr_dtype type);

/** Returns the metadata of a sparse matrix (M,K) or (M,K,batch) in memory, rounded up to whole blocks, those along M
 *  neighbours. */
TSR_OP tsr_layout tsr_sparse_e_layout(tsr_tuple shape, tsr_dtype type);

/** Returns the stored half of a sparse matrix (M,K) or (M,K,batch), as (M,(2,K/2)[,batch]): the elements of a pair are
 *  beside each other. Errors: RANK; GMMA_PARTS for an odd K. */
TSR_OP tsr_layout tsr_sparse_a_layout(tsr_tuple shape, tsr_major major);

/* The same for the calculator: `form` is (), (rows) or (rows,major). */

TSR_OP tsr_layout tsr_scales_block_k(tsr_tuple vector, tsr_tuple form);
TSR_OP tsr_layout tsr_scales_layout_k(tsr_tuple vector, tsr_tuple shape, tsr_tuple form);
TSR_FN tsr_layout tsr_scales_smem_of(tsr_mma_atom x, tsr_tuple tile, int64_t b)
{
    return tsr_scales_smem(x, tile, b != 0);
}
TSR_FN tsr_layout tsr_sparse_a_layout_of(tsr_tuple shape, int64_t major)
{
    return tsr_sparse_a_layout(shape, major ? TSR_MAJOR_MN : TSR_MAJOR_K);
}

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/scales.h"
#endif

#endif
