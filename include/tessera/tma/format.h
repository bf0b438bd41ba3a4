/** Element formats, swizzles and operations of the tensor memory accelerator (TMA). Only these lists hold the numbers
 *  of the hardware's descriptor.
 *
 *  Source  CUDA driver API, CUtensorMapDataType, CUtensorMapSwizzle; CuTe, include/cute/arch/copy_sm90_desc.hpp.
 */
#ifndef TSR_TMA_FORMAT_H
#define TSR_TMA_FORMAT_H

#include "tessera/base/dtype.h"
#include "tessera/core/swizzle.h"

TSR_HEADER_BEGIN

/* clang-format off */
/** X(id, bits in global memory, is a floating-point format): CUtensorMapDataType, counted from 0.
 *  U4_ALIGN8 is packed everywhere; U4_ALIGN16 and U6_ALIGN16 are packed in global memory, and 16 values take 16 bytes
 *  of shared memory. */
#define TSR_TMA_FORMAT_LIST(X) \
    X(UINT8, 8, 0) X(UINT16, 16, 0) X(UINT32, 32, 0) X(INT32, 32, 0) X(UINT64, 64, 0) X(INT64, 64, 0) \
    X(FLOAT16, 16, 1) X(FLOAT32, 32, 1) X(FLOAT64, 64, 1) X(BFLOAT16, 16, 1) X(FLOAT32_FTZ, 32, 1) \
    X(TFLOAT32, 32, 1) X(TFLOAT32_FTZ, 32, 1) X(16U4_ALIGN8B, 4, 0) X(16U4_ALIGN16B, 4, 0) X(16U6_ALIGN16B, 6, 0)

/** X(name, span in bytes, B, M, S): CUtensorMapSwizzle, counted from 0. Bytes go to Sw<B,M,S> of their address; with
 *  FLIP_8B the halves of 16 bytes also change places in every other row of 128 bytes. */
#define TSR_TMA_SWIZZLE_LIST(X) \
    X(NONE, 0, 0, 4, 3) X(32B, 32, 1, 4, 3) X(64B, 64, 2, 4, 3) X(128B, 128, 3, 4, 3) \
    X(128B_ATOM_32B, 128, 2, 5, 2) X(128B_ATOM_32B_FLIP_8B, 128, 2, 5, 2) X(128B_ATOM_64B, 128, 1, 6, 1)

/** X(dtype, format): the format of an element type. TMA does not move other types. */
#define TSR_TMA_TYPE_LIST(X) \
    X(I8, UINT8) X(U8, UINT8) X(F8_E4M3FN, UINT8) X(F8_E5M2, UINT8) X(F8_E8M0, UINT8) X(U16, UINT16) X(U32, UINT32) \
    X(U64, UINT64) X(I32, INT32) X(I64, INT64) X(F16, FLOAT16) X(F32, FLOAT32) X(F64, FLOAT64) X(BF16, BFLOAT16) \
    X(TF32, TFLOAT32) X(F4_E2M1, 16U4_ALIGN8B) X(F6_E2M3, 16U6_ALIGN16B) X(F6_E3M2, 16U6_ALIGN16B)

/** X(name, CTAs that take part in one instruction, mode): the copies a plan can be made for. */
#define TSR_TMA_OP_LIST(X) \
    X(SM90_TMA_LOAD, 1, TILED) X(SM90_TMA_LOAD_MULTICAST, 1, TILED) X(SM90_TMA_STORE, 1, TILED) \
    X(SM90_TMA_REDUCE_ADD, 1, TILED) X(SM100_TMA_2SM_LOAD, 2, TILED) X(SM100_TMA_2SM_LOAD_MULTICAST, 2, TILED) \
    X(SM90_TMA_LOAD_IM2COL, 1, IM2COL) X(SM90_TMA_LOAD_IM2COL_MULTICAST, 1, IM2COL) \
    X(SM90_TMA_STORE_IM2COL, 1, IM2COL) X(SM100_TMA_2SM_LOAD_IM2COL, 2, IM2COL) \
    X(SM100_TMA_2SM_LOAD_IM2COL_MULTICAST, 2, IM2COL) X(SM100_TMA_LOAD_2D_GATHER4, 1, GATHER) \
    X(SM100_TMA_LOAD_MULTICAST_2D_GATHER4, 1, GATHER) X(SM100_TMA_STORE_2D_SCATTER4, 1, GATHER)

/* clang-format on */

typedef enum tsr_tma_format {
#define TSR_X_(id, bits, is_float) TSR_TMA_##id,
    TSR_TMA_FORMAT_LIST(TSR_X_)
#undef TSR_X_
        TSR_TMA_FORMATS
} tsr_tma_format;

typedef enum tsr_tma_swizzle {
#define TSR_X_(name, span, b, m, s) TSR_TMA_SWIZZLE_##name,
    TSR_TMA_SWIZZLE_LIST(TSR_X_)
#undef TSR_X_
        TSR_TMA_SWIZZLES
} tsr_tma_swizzle;

/** A CUtensorMap, which the driver writes and the copy engine reads: a pointer to one is a pointer to the other. */
typedef struct tsr_tma_map {
    TSR_ALIGN(64) uint64_t word[16];
} tsr_tma_map;

/** Boxes of a tensor, the columns of the matrix of a convolution, or any four rows of a tensor of two dimensions. */
typedef enum tsr_tma_op_mode { TSR_TMA_OP_TILED, TSR_TMA_OP_IM2COL, TSR_TMA_OP_GATHER } tsr_tma_op_mode;

typedef enum tsr_tma_op {
#define TSR_X_(name, peers, mode) TSR_##name,
    TSR_TMA_OP_LIST(TSR_X_)
#undef TSR_X_
        TSR_TMA_OPS
} tsr_tma_op;

typedef enum tsr_tma_interleave {
    TSR_TMA_INTERLEAVE_NONE,
    TSR_TMA_INTERLEAVE_16B,
    TSR_TMA_INTERLEAVE_32B
} tsr_tma_interleave;

typedef enum tsr_tma_l2 { TSR_TMA_L2_NONE, TSR_TMA_L2_64B, TSR_TMA_L2_128B, TSR_TMA_L2_256B } tsr_tma_l2;

typedef enum tsr_tma_fill { TSR_TMA_FILL_ZERO, TSR_TMA_FILL_NAN } tsr_tma_fill;

/** The bits of one element in global memory; 0 for no format. */
TSR_OP int tsr_tma_format_bits(int format);

/** And in shared memory, where some formats are padded. */
TSR_OP int tsr_tma_smem_bits(int format);

/** Is the format one of floating-point numbers? */
TSR_OP bool tsr_tma_is_float(int format);

/** The format of an element type, or TSR_TMA_FORMATS. */
TSR_OP int tsr_tma_format_of(tsr_dtype type);

/** The bytes within which a swizzle moves chunks; 0 without one. */
TSR_OP int tsr_tma_swizzle_span(int swizzle);

/** Returns the swizzle of byte addresses. */
TSR_OP tsr_swizzle tsr_tma_swizzle_bits(int swizzle);

/** Returns the mode of a swizzle of byte addresses, or TSR_TMA_SWIZZLES. A swizzle without bits has the mode without a
 *  swizzle, whatever M and S are. */
TSR_OP int tsr_tma_swizzle_of(tsr_swizzle sw);

/** The CTAs of one instruction. */
TSR_OP int tsr_tma_op_peers(tsr_tma_op op);

/** X(id, name): the reductions of a store. */
#define TSR_TMA_REDUCE_LIST(X) \
  X(ADD, add) X(MIN, min) X(MAX, max) X(INC, inc) X(DEC, dec) X(AND, and) X(OR, or) X(XOR, xor)

typedef enum tsr_tma_reduction {
#define TSR_X_(id, name) TSR_TMA_##id,
    TSR_TMA_REDUCE_LIST(TSR_X_)
#undef TSR_X_
        TSR_TMA_REDUCTIONS
} tsr_tma_reduction;

/** The mode of a TMA operation. */
TSR_OP tsr_tma_op_mode tsr_tma_mode_of(tsr_tma_op op);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tma/body/format.h"
#endif

#endif
