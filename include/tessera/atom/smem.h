/** Shared memory for warpgroup MMA and tcgen05.mma: the swizzled blocks that the hardware reads, and the descriptor of
 *  a tile.
 *
 *  A block has 8 rows of 16, 32, 64 or 128 contiguous bytes; sixteen bytes are xored by the number of their row.
 *  Blackwell has one more, 4 rows of 128 bytes along M or N; 32 bytes are xored by the number of their row.
 *  Layouts count elements, so that swizzles are those of CuTe's as_position_independent_swizzle_layout.
 *
 *      Layout_K_SW128_Atom<half_t>             =  Sw<3,3,3> o _0 o (_8,_64):(_64,_1)
 *      Layout_MN_SW128_32B_Atom<tfloat32_t>    =  Sw<2,3,2> o _0 o (_32,_4):(_1,_32)
 *
 *  The bits of a descriptor (version 0 is Hopper's, 1 Blackwell's):
 *
 *      bits     0-13        16-29       32-45      46-47     49-51         52                61-63
 *      field    start/16    leading/16  stride/16  version   base offset   leading mode      layout type
 *
 *  Source  PTX ISA 9.0, "Shared memory matrix layout" of wgmma and its matrix descriptor, "Shared memory descriptor" of
 *          tcgen05; CuTe, include/cute/atom/mma_traits_sm90_gmma.hpp, include/cute/arch/mma_sm100_desc.hpp.
 */
#ifndef TSR_ATOM_SMEM_H
#define TSR_ATOM_SMEM_H

#include "tessera/atom/tv.h"
#include "tessera/base/dtype.h"

TSR_HEADER_BEGIN

typedef enum tsr_major { TSR_MAJOR_K, TSR_MAJOR_MN } tsr_major;

enum { TSR_SMEM_SW128_32B = 4 }; /* the swizzle of 32 bytes, beside the four of 16 */

/** Returns the block whose rows have 16 << swizzle bytes (INTER, SW32, SW64, SW128: 0 to 3), or 128 bytes along M or N
 *  with TSR_SMEM_SW128_32B. Errors: TYPE, SMEM_SWIZZLE. */
TSR_OP tsr_layout tsr_smem_atom(tsr_major major, int swizzle, tsr_dtype type);

/** The fields of a matrix descriptor without the address; offsets in units of 16 bytes. */
typedef struct tsr_gmma_fields {
    tsr_reason why; /* why there is none, or no reason */
    int32_t layout_type, leading, stride;
    int32_t version; /* 0: of 90, the type has 2 bits; 1: of 100, 3 bits */
} tsr_gmma_fields;

/** The descriptor of a tile of an MMA, in elements, `vector` of them 16 bytes, in the swizzle 16 << swizzle.
 *  Errors  GMMA_EXTENT when K is not that of an instruction, or 16 bytes of M or N are not whole; GMMA_CANONICAL,
 *          GMMA_STRIDE. */
TSR_OP tsr_gmma_fields tsr_make_gmma_desc(tsr_layout tile, tsr_major major, int swizzle, int64_t vector);

/** The same of version 1, with the swizzle TSR_SMEM_SW128_32B as well. The layout type is 0 without swizzle, 6, 4 and 2
 *  for rows of 32, 64 and 128 bytes, and 1 for TSR_SMEM_SW128_32B. */
TSR_OP tsr_gmma_fields tsr_make_umma_desc(tsr_layout tile, tsr_major major, int swizzle, int64_t vector);

/** The 64 bits of a descriptor at a byte address of shared memory. */
TSR_FN uint64_t tsr_gmma_bits(tsr_gmma_fields f, uint32_t address)
{
    return (uint64_t)(address >> 4 & 0x3fffu) | (uint64_t)((uint32_t)f.leading & 0x3fffu) << 16
           | (uint64_t)((uint32_t)f.stride & 0x3fffu) << 32 | (uint64_t)((uint32_t)f.version & 3u) << 46
           | (uint64_t)((uint32_t)f.layout_type & 7u) << (f.version ? 61 : 62);
}

/** Returns the descriptor of the first tile of a block of tsr_smem_atom repeated up to `shape`: (layout type, leading
 *  and stride byte offset / 16, base offset).
 *  Errors   SMEM_ATOM when it is not one of the blocks; those of tile_to_shape and tsr_make_gmma_desc.
 *  Example  gmma_desc(Layout_K_SW128_Atom<half_t>, (_256,_64), (_64,_16))  =  (1,1,64,0)
 *  Example  gmma_desc(Layout_K_SW32_Atom<half_t>, (_64,_64), (_64,_32))  =  (3,128,16,0) */
TSR_OP tsr_tuple tsr_gmma_desc(tsr_layout atom, tsr_tuple shape, tsr_tiler tile);

/** Returns (tile of M or N, tile of K) to the step from the descriptor of the first tile, in 16 bytes.
 *  Errors   those of tsr_gmma_desc; GMMA_START where a tile begins inside of 16 bytes or of a swizzled row. */
TSR_OP tsr_layout tsr_smem_desc_steps(tsr_layout block, tsr_tuple shape, tsr_tiler tile);

/** A descriptor of version 1, or the reason of a refusal. */
typedef struct tsr_smem_word {
    tsr_reason why;
    uint64_t bits;
} tsr_smem_word;

/** Returns the descriptor of the tile at a coordinate of a block repeated up to a shape, at a byte address.
 *  Errors   those of tsr_smem_desc_steps; SMEM_ADDRESS where the address is not one of whole swizzle patterns. */
TSR_OP tsr_smem_word tsr_make_smem_desc(tsr_layout block, tsr_tuple shape, tsr_tiler tile, int64_t address,
                                        tsr_tuple coord);

/** Returns the fields of a descriptor of either version: (start/16, leading/16, stride/16, version, base offset,
 *  leading mode, layout type).
 *  Errors   SMEM_WORD: a field has a value that no descriptor has, or a bit of no field is 1.
 *  Example  smem_desc_fields(0x4000404000200080)  =  (128,32,64,1,0,0,2) */
TSR_OP tsr_tuple tsr_smem_desc_fields(uint64_t bits);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/smem.h"
#endif

#endif
