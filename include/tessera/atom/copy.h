/** Copy atoms: the instructions that move data, each an operation of the list, a number, and the element type of its
 *  values; without a type values are bits. atom/copy_layout.h derives the layouts.
 *
 *      tsr_make_copy(TSR_COPY_SM75_LDSM_N, 4)         four 8x8 matrices: SM75_U32x4_LDSM_N
 *      tsr_make_copy(TSR_COPY_UNIVERSAL, 128)         128 bits of one thread: UniversalCopy<uint128_t>
 *      tsr_copy_values(atom, TSR_F16)                 the same with values of half: Copy_Atom<..,half_t>
 *
 *  Source  PTX ISA 9.0: cp.async, ldmatrix, stmatrix, movmatrix, cp.async.bulk(.tensor), tcgen05.ld/st/cp; CuTe's
 *          names, include/cute/arch/copy_sm*.hpp.
 */
#ifndef TSR_ATOM_COPY_H
#define TSR_ATOM_COPY_H

#include "tessera/base/dtype.h"
#include "tessera/generic.h"

TSR_HEADER_BEGIN

/** What the layouts of an operation follow from. */
typedef enum tsr_copy_kind {
    TSR_COPY_THREAD,    /* a thread moves `number` bits */
    TSR_COPY_AUTO,      /* a thread moves what the tensors allow */
    TSR_COPY_SHUFFLE,   /* threads whose numbers differ in bit `a` exchange halves of 64 bits */
    TSR_COPY_MATRIX,    /* `number` 8x8 matrices of 16 bits: rows of 128 bits in memory, registers by row */
    TSR_COPY_MATRIX_T,  /* pairs of them, registers by column: `number` counts 16-bit pieces, 2 a matrix */
    TSR_COPY_MATRIX_T8, /* 16x8 matrices of bytes, registers by column: `number` counts bytes, 4 a matrix */
    TSR_COPY_REGISTERS, /* 32 bits of each thread of a warp */
    TSR_COPY_TMEM,      /* tensor memory: `a` lanes of `b` bits, `number` times */
    TSR_COPY_TMEM_FILL, /* shared to tensor memory by `number` blocks of threads: `b` bits a lane */
    TSR_COPY_TMEM_4DP,  /* the same to the last 4 lanes of each part */
    TSR_COPY_TMEM_CAST, /* the same, `a` lanes repeated over the 128 */
    TSR_COPY_BULK       /* `number` bits by each of `a` threads */
} tsr_copy_kind;

/* clang-format off */
#define TSR_COPY_TMEM_LIST(X, id, name, lanes, bits, most) \
    X(LOAD_##id,       "SM100_TMEM_LOAD_" name "#x",      TMEM, 0, lanes, bits, 1, most) \
    X(LOAD_##id##_16,  "SM100_TMEM_LOAD_" name "#x_16b",  TMEM, 0, lanes, bits, 1, most) \
    X(STORE_##id,      "SM100_TMEM_STORE_" name "#x",     TMEM, 1, lanes, bits, 1, most) \
    X(STORE_##id##_16, "SM100_TMEM_STORE_" name "#x_16b", TMEM, 1, lanes, bits, 1, most)

/** X(id, name in CuTe, kind, from registers, a, b, least, most): `#` in the name is the number, a power of two from
 *  least to most (of any size for most 0); `@` is an element type, or two, of that many bits. */
#define TSR_COPY_LIST(X) \
    X(UNIVERSAL,      "UniversalCopy<@>",                   THREAD,    0, 0, 0, 1, 0) \
    X(AUTO_ALIGNED,   "AutoVectorizingCopyWithAssumedAlignment<#>", AUTO, 0, 0, 0, 8, 128) \
    X(SM50_XOR1,      "SM50_Shuffle_U32_2x2Trans_XOR#",     SHUFFLE,   0, 1, 0, 1, 1) \
    X(SM50_XOR4,      "SM50_Shuffle_U32_2x2Trans_XOR#",     SHUFFLE,   0, 4, 0, 4, 4) \
    X(SM75_LDSM_N,    "SM75_U32x#_LDSM_N",                  MATRIX,    0, 0, 0, 1, 4) \
    X(SM75_LDSM_T,    "SM75_U16x#_LDSM_T",                  MATRIX_T,  0, 0, 0, 2, 8) \
    X(SM75_MOVM_T,    "SM75_U32x#_MOVM_T",                  REGISTERS, 0, 0, 0, 1, 1) \
    X(SM80_ALWAYS,    "SM80_CP_ASYNC_CACHEALWAYS<@>",       THREAD,    0, 0, 0, 32, 128) \
    X(SM80_ALWAYS_Z,  "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<@>", THREAD,    0, 0, 0, 32, 128) \
    X(SM80_GLOBAL,    "SM80_CP_ASYNC_CACHEGLOBAL<@>",       THREAD,    0, 0, 0, 128, 128) \
    X(SM80_GLOBAL_Z,  "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<@>", THREAD,    0, 0, 0, 128, 128) \
    X(SM90_STSM_N,    "SM90_U32x#_STSM_N",                  MATRIX,    1, 0, 0, 1, 4) \
    X(SM90_STSM_T,    "SM90_U16x#_STSM_T",                  MATRIX_T,  1, 0, 0, 2, 8) \
    X(SM90_TMA_LOAD,       "SM90_TMA_LOAD,NumBitsPerTMA=_#",           BULK, 0, 1, 0, 1, 0) \
    X(SM90_TMA_MULTICAST,  "SM90_TMA_LOAD_MULTICAST,NumBitsPerTMA=_#", BULK, 0, 1, 0, 1, 0) \
    X(SM90_TMA_STORE,      "SM90_TMA_STORE,NumBitsPerTMA=_#",          BULK, 0, 1, 0, 1, 0) \
    X(SM90_TMA_REDUCE,     "SM90_TMA_REDUCE_ADD,NumBitsPerTMA=_#",     BULK, 0, 1, 0, 1, 0) \
    X(SM90_IM2COL,         "SM90_TMA_LOAD_IM2COL,NumBitsPerTMA=_#",    BULK, 0, 1, 0, 1, 0) \
    X(SM90_IM2COL_MULTICAST, "SM90_TMA_LOAD_IM2COL_MULTICAST,NumBitsPerTMA=_#", BULK, 0, 1, 0, 1, 0) \
    X(SM90_IM2COL_STORE,   "SM90_TMA_STORE_IM2COL,NumBitsPerTMA=_#",   BULK, 0, 1, 0, 1, 0) \
    X(SM90_BULK_LOAD,      "SM90_BULK_COPY_G2S,NumBitsPerTMA=_#",      BULK, 0, 1, 0, 1, 0) \
    X(SM90_BULK_STORE,     "SM90_BULK_COPY_S2G,NumBitsPerTMA=_#",      BULK, 0, 1, 0, 1, 0) \
    X(SM90_BULK_AUTO,      "SM90_BULK_COPY_AUTO",                      AUTO, 0, 0, 0, 0, 0) \
    X(SM100_TMA_LOAD,      "SM100_TMA_2SM_LOAD,NumBitsPerTMA=_#",      BULK, 0, 2, 0, 1, 0) \
    X(SM100_TMA_MULTICAST, "SM100_TMA_2SM_LOAD_MULTICAST,NumBitsPerTMA=_#", BULK, 0, 2, 0, 1, 0) \
    X(SM100_IM2COL,        "SM100_TMA_2SM_LOAD_IM2COL,NumBitsPerTMA=_#", BULK, 0, 2, 0, 1, 0) \
    X(SM100_IM2COL_MULTICAST, "SM100_TMA_2SM_LOAD_IM2COL_MULTICAST,NumBitsPerTMA=_#", BULK, 0, 2, 0, 1, 0) \
    X(SM100_GATHER,        "SM100_TMA_LOAD_2D_GATHER4,NumBitsPerTMA=_#",   BULK, 0, 1, 0, 1, 0) \
    X(SM100_GATHER_MULTICAST, "SM100_TMA_LOAD_MULTICAST_2D_GATHER4,NumBitsPerTMA=_#", BULK, 0, 1, 0, 1, 0) \
    X(SM100_SCATTER,       "SM100_TMA_STORE_2D_SCATTER4,NumBitsPerTMA=_#", BULK, 0, 1, 0, 1, 0) \
    X(SM100_LOAD_256,  "SM100_LOAD_#bit_CACHE_NOALLOCATION",  THREAD,    0, 0, 0, 256, 256) \
    X(SM100_STORE_256, "SM100_STORE_#bit_CACHE_NOALLOCATION", THREAD,    0, 0, 0, 256, 256) \
    X(SM100_LDSM_T,   "SM100_U8x#_LDSM_T",                  MATRIX_T8, 0, 0, 0, 8, 16) \
    X(SM100_STSM_T,   "SM100_U8x#_STSM_T",                  MATRIX_T8, 1, 0, 0, 4, 16) \
    X(SM100_LDSM_S4,  "SM100_SU4_DU8x16_x#_LDSM_N",         MATRIX,    0, 0, 0, 1, 4) \
    X(SM100_LDSM_S6,  "SM100_SU6_DU8x16_x#_LDSM_N",         MATRIX,    0, 0, 0, 1, 4) \
    TSR_COPY_TMEM_LIST(X, 16DP256B, "16dp256b", 16, 256, 32) \
    TSR_COPY_TMEM_LIST(X, 16DP128B, "16dp128b", 16, 128, 64) \
    TSR_COPY_TMEM_LIST(X, 16DP64B,  "16dp64b",  16,  64, 128) \
    TSR_COPY_TMEM_LIST(X, 16DP32B,  "16dp32b",  16,  32, 128) \
    TSR_COPY_TMEM_LIST(X, 32DP32B,  "32dp32b",  32,  32, 128) \
    X(LOAD_STAT_32,   "SM100_TMEM_LOAD_STAT_32dp32b#x",     TMEM,      0, 32, 32, 32, 32) \
    X(LOAD_STAT_128,  "SM100_TMEM_LOAD_STAT_32dp32b#x",     TMEM,      0, 32, 32, 128, 128) \
    X(UTCCP_128X256,  "SM100_UTCCP_128dp256bit_#cta",       TMEM_FILL, 1, 128, 256, 1, 2) \
    X(UTCCP_128X128,  "SM100_UTCCP_128dp128bit_#cta",       TMEM_FILL, 1, 128, 128, 1, 2) \
    X(UTCCP_4X256,    "SM100_UTCCP_4dp256bit_#cta",         TMEM_4DP,  1, 4, 256, 1, 2) \
    X(UTCCP_4X32,     "SM100_UTCCP_4x32dp128bit_#cta",      TMEM_CAST, 1, 32, 1, 1, 2) \
    X(UTCCP_2X64,     "SM100_UTCCP_2x64dp128bitlw0213_#cta", TMEM_CAST, 1, 64, 1, 1, 2) \
    X(UTCCP_2X64_LW,  "SM100_UTCCP_2x64dp128bitlw0123_#cta", TMEM_CAST, 1, 32, 2, 1, 2)

/** X(name in CuTe, operation, number): other names, which are read only. */
#define TSR_COPY_ALIAS_LIST(X) \
    X("DefaultCopy",                               AUTO_ALIGNED, 8) \
    X("AutoVectorizingCopy",                       AUTO_ALIGNED, 128) \
    X("AutoVectorizingCopyWithAssumedAlignment<>", AUTO_ALIGNED, 128)

/* clang-format on */

typedef enum tsr_copy_op {
#define TSR_X_(id, ...) TSR_COPY_##id,
    TSR_COPY_LIST(TSR_X_)
#undef TSR_X_
        TSR_COPY_OPS
} tsr_copy_op;

typedef struct tsr_copy_atom {
    uint16_t status; /* why it is no atom, with its numbers in note */
    uint8_t op;
    tsr_dtype type;     /* of a value; 0: a bit */
    tsr_dtype from, to; /* UniversalCopy<from,to> and the like */
    int32_t number;
    int32_t note[3];
} tsr_copy_atom;

typedef struct tsr_copy_row {
    uint8_t kind, store;
    int32_t a, b, least, most;
} tsr_copy_row;

/** The row of an operation. */
TSR_OP tsr_copy_row tsr_copy_row_at(int op);

/** An invalid copy atom: the reason and three numbers. */
TSR_OP tsr_copy_atom tsr_copy_refuse(tsr_copy_atom x, tsr_status status, int32_t a, int32_t b, int32_t c);

/** The operation with its number: of bits, matrices, repetitions or blocks of threads (see tsr_copy_kind).
 *  Errors  COPY_NUMBER with the legal ones. */
TSR_OP tsr_copy_atom tsr_make_copy(tsr_copy_op op, int32_t number);

/** A copy of one element by a thread: UniversalCopy<from,to>, cp.async. Errors: COPY_NUMBER, COPY_SIZES. */
TSR_OP tsr_copy_atom tsr_make_copy_types(tsr_copy_op op, tsr_dtype from, tsr_dtype to);

/** The same operation counted in values of a type: CuTe's Copy_Atom<OP,TYPE>. */
TSR_FN tsr_copy_atom tsr_copy_values(tsr_copy_atom x, tsr_dtype type)
{
    x.type = type;
    return x;
}

/** Why an atom is invalid. */
TSR_FN tsr_reason tsr_copy_why(tsr_copy_atom x)
{
    return tsr_because((tsr_status)x.status, 0, x.note[0], x.note[1], x.note[2]);
}

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/copy.h"
#endif

#endif
