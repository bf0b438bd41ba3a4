/** Shared memory for warpgroup MMA: the swizzled blocks that the hardware reads, and the descriptor of a tile.
 *
 *  A block has 8 rows of 16, 32, 64 or 128 contiguous bytes; sixteen bytes are xored by the number of their row.
 *  Layouts count elements, so that swizzles are those of CuTe's as_position_independent_swizzle_layout.
 *
 *      Layout_K_SW128_Atom<half_t>   =  Sw<3,3,3> o _0 o (_8,_64):(_64,_1)
 *
 *  Source  PTX ISA 9.0, "Shared memory matrix layout" of wgmma and its matrix descriptor; CuTe,
 *          include/cute/atom/mma_traits_sm90_gmma.hpp.
 */
#ifndef TSR_ATOM_SMEM_H
#define TSR_ATOM_SMEM_H

#include "tessera/atom/tv.h"
#include "tessera/base/dtype.h"

TSR_HEADER_BEGIN

typedef enum tsr_major { TSR_MAJOR_K, TSR_MAJOR_MN } tsr_major;

/** Returns the block whose rows have 16 << swizzle bytes (INTER, SW32, SW64, SW128: 0 to 3). Errors: TYPE,
 *  SMEM_SWIZZLE. */
TSR_OP tsr_layout tsr_smem_atom(tsr_major major, int swizzle, tsr_dtype type);

/** The fields of a matrix descriptor without the address; offsets in units of 16 bytes. */
typedef struct tsr_gmma_fields {
    tsr_reason why; /* why there is none, or no reason */
    int32_t layout_type, leading, stride;
} tsr_gmma_fields;

/** The descriptor of a tile of an MMA, in elements, `vector` of them 16 bytes, in the swizzle 16 << swizzle.
 *  Errors  GMMA_EXTENT when K is not that of an instruction, or 16 bytes of M or N are not whole; GMMA_CANONICAL,
 *          GMMA_STRIDE. */
TSR_OP tsr_gmma_fields tsr_make_gmma_desc(tsr_layout tile, tsr_major major, int swizzle, int64_t vector);

/** The 64 bits of a descriptor at a byte address of shared memory. */
TSR_FN uint64_t tsr_gmma_bits(tsr_gmma_fields f, uint32_t address)
{
    return (uint64_t)(address >> 4 & 0x3fffu) | (uint64_t)((uint32_t)f.leading & 0x3fffu) << 16
           | (uint64_t)((uint32_t)f.stride & 0x3fffu) << 32 | (uint64_t)((uint32_t)f.layout_type & 3u) << 62;
}

/** Returns the descriptor of the first tile of a block of tsr_smem_atom repeated up to `shape`: (layout type, leading
 *  and stride byte offset / 16, base offset).
 *  Errors   SMEM_ATOM when it is not one of the blocks; those of tile_to_shape and tsr_make_gmma_desc.
 *  Example  gmma_desc(Layout_K_SW128_Atom<half_t>, (_256,_64), (_64,_16))  =  (1,1,64,0)
 *  Example  gmma_desc(Layout_K_SW32_Atom<half_t>, (_64,_64), (_64,_32))  =  (3,128,16,0) */
TSR_OP tsr_tuple tsr_gmma_desc(tsr_layout atom, tsr_tuple shape, tsr_tiler tile);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/smem.h"
#endif

#endif
