/** MMA atoms: the matrix instructions of the hardware, each a small description from which its layouts follow.
 *
 *  An atom multiplies A (M,K) by B (N,K) into C (M,N). It is named by what the instruction is: architecture, shape,
 *  element types, where A comes from, majors and ending. TSR_MMA_LIST lists the instructions. Any other description is
 *  an invalid atom that names the legal ones. atom/mma_layout.h derives the layouts.
 *
 *      tsr_sm70_mma    8x8x4 on a quad pair              tsr_warp_mma   sm_75 to sm_120, a warp
 *      tsr_wgmma       64xNxK on a warpgroup (sm_90)     tsr_umma       MxNxK of one or two CTAs (sm_100)
 *      tsr_fma         1x1x1 on a thread                 tsr_vendor_mma matrix instructions of AMD, Intel and Arm
 *
 *  Source  PTX ISA 9.0, "Matrix multiply-accumulate operation", "Asynchronous warpgroup level matrix instructions" and
 *          tcgen05.mma; CuTe's names, include/cute/arch/mma_sm*.hpp. AMD: the CDNA 1 to 4 and RDNA 3 and 4 instruction
 *          set manuals, V_MFMA and V_WMMA. Intel: the oneAPI sub-group matrix multiply (DPAS) of Xe-HPC; the
 *          Architecture Instruction Set Extensions reference, TDP*, VPDPBUSD, VDPBF16PS. Arm: the A-profile manual,
 *          MMLA and MOPA.
 */
#ifndef TSR_ATOM_MMA_H
#define TSR_ATOM_MMA_H

#include "tessera/base/dtype.h"
#include "tessera/generic.h"

TSR_HEADER_BEGIN

/** Who executes the instruction. */
typedef enum tsr_mma_kind {
    TSR_MMA_THREAD,    /* a thread: A and B are vectors of length K */
    TSR_MMA_QUADPAIR,  /* threads 0-3 and 16-19 of a warp, and the like */
    TSR_MMA_WARP,      /* 32 threads */
    TSR_MMA_WARPGROUP, /* 128 threads, B and perhaps A in shared memory */
    TSR_MMA_CTA,       /* a thread for its CTA: A in shared or tensor memory, B in shared, C in tensor memory */
    TSR_MMA_CTA_PAIR,  /* the same for two CTAs, each with one half of A, B and C */
    TSR_MMA_WAVE64,    /* AMD, MFMA */
    TSR_MMA_WAVE32,    /* AMD, WMMA: on GFX11 both halves of a wave hold A and B */
    TSR_MMA_SUBGROUP,  /* Intel, DPAS: 16 work items */
    TSR_MMA_TILE       /* a thread with matrices in its registers: AMX, AVX-512, NEON, SME of 512 bits */
} tsr_mma_kind;

/* clang-format off */
/** X(id, number, prefix of the names): the architectures beside sm_61 to sm_120. */
#define TSR_MMA_ARCH_LIST(X)                                                                                       \
    X(GFX908, 201, "GFX908_") X(GFX90A, 202, "GFX90A_") X(GFX942, 203, "GFX942_") X(GFX950, 204, "GFX950_")          \
    X(GFX11, 205, "GFX11_") X(GFX12, 206, "GFX12_") X(XE, 207, "XE_") X(AMX, 208, "AMX_") X(AVX512, 209, "AVX512_") \
    X(NEON, 210, "NEON_") X(SME, 211, "SME_")
/* clang-format on */

enum {
#define TSR_X_(id, number, prefix) TSR_ARCH_##id = number,
    TSR_MMA_ARCH_LIST(TSR_X_)
#undef TSR_X_
};

/** The ending of the name. For block-scaled instructions: the elements along K that share a scale (twice that where A
 *  is sparse), and the type of the scale. For AMD's: the matrices that one instruction multiplies, where more than one.
 *   */
typedef enum tsr_mma_form {
    TSR_MMA_PLAIN,
    TSR_MMA_SATURATE,
    TSR_MMA_XORPOPC,
    TSR_MMA_ANDPOPC,
    TSR_MMA_GAUSS,
    TSR_MMA_SCALE_32,   /* ue8m0 */
    TSR_MMA_SCALE_16,   /* ue8m0 */
    TSR_MMA_SCALE_16_4, /* ue4m3 */
    TSR_MMA_BLOCKS_2,
    TSR_MMA_BLOCKS_4,
    TSR_MMA_BLOCKS_16,
    TSR_MMA_SCALED_D, /* _SCALED: what is added is C * 2^-scale_d */
    TSR_MMA_FORMS
} tsr_mma_form;

enum {
    TSR_MMA_A_MN = 1,        /* A is M-major: its extent M is contiguous (CuTe's N of "NT", Major::MN) */
    TSR_MMA_B_MN = 2,        /* B is N-major (the T of "NT") */
    TSR_MMA_A_REGISTERS = 4, /* A in registers (RS), of a CTA in tensor memory (TS), not in shared memory (SS) */
    TSR_MMA_SPARSE = 8       /* half of the elements of A are stored, K is twice as large */
};

typedef struct tsr_mma_atom {
    uint16_t status; /* why it is no atom, with its numbers in note */
    uint8_t arch;    /* 61 to 120, or one of TSR_MMA_ARCH_LIST; 0: every one */
    uint8_t kind, form, flags;
    tsr_dtype d, a, b, c;
    int32_t m, n, k;
    int32_t note[6];
    int32_t scale_d; /* of TSR_MMA_SCALED_D: 0 to 15 */
} tsr_mma_atom;

/* clang-format off */
/** X(name in CuTe, element type). A name comes before the names that are prefixes of it. */
#define TSR_MMA_TYPE_LIST(X)                                                                                       \
    X(F64, F64) X(F32, F32) X(TF32, TF32) X(F16, F16) X(BF16, BF16) X(E4M3FNUZ, F8_E4M3FNUZ) X(E4M3, F8_E4M3FN)      \
    X(E5M2FNUZ, F8_E5M2FNUZ) X(E5M2, F8_E5M2) X(E2M1, F4_E2M1) X(E2M3, F6_E2M3) X(E3M2, F6_E3M2) X(C64, C128)        \
    X(S32, I32) X(S16, I16) X(S8, I8) X(U8, U8) X(S4, I4) X(U4, U4) X(U1, U1)
/* clang-format on */

/* A set of types: one bit each, in the order of the list. */
enum {
#define TSR_X_(name, id) TSR_MMA_NR_##name,
    TSR_MMA_TYPE_LIST(TSR_X_)
#undef TSR_X_
#define TSR_X_(name, id) TSR_MMA_##name = 1 << TSR_MMA_NR_##name,
        TSR_MMA_TYPE_LIST(TSR_X_)
#undef TSR_X_
            TSR_MMA_F8 = TSR_MMA_E4M3 | TSR_MMA_E5M2,
    TSR_MMA_F8Z = TSR_MMA_E4M3FNUZ | TSR_MMA_E5M2FNUZ,
    TSR_MMA_F8F6F4 = TSR_MMA_F8 | TSR_MMA_E2M1 | TSR_MMA_E2M3 | TSR_MMA_E3M2,
    TSR_MMA_I8 = TSR_MMA_S8 | TSR_MMA_U8,
    TSR_MMA_I4 = TSR_MMA_S4 | TSR_MMA_U4,
    TSR_MMA_F = TSR_MMA_F32 | TSR_MMA_F16
};

/** The instructions: any accumulator of the set (D = C), any A and B of theirs, one of the forms, A and B in one of
 *  the `majors` (a set of 1 << flags). For n = 0 every legal N, see tsr_mma_is_width. */
typedef struct tsr_mma_row {
    uint8_t arch, kind;
    int32_t m, n, k;
    int32_t accumulators, inputs, forms, majors;
} tsr_mma_row;

/* clang-format off */
/** X(arch, kind, m, n, k, accumulators, inputs, forms, majors). */
#define TSR_MMA_LIST(X) \
    X(61, THREAD,     1, 1,   2, S32, S16,  PLAIN,  TN) \
    X(61, THREAD,     1, 1,   4, S32, S8,   PLAIN,  TN) \
    X(70, QUADPAIR,   8, 8,   4, F,   F16,  PLAIN,  ANY) \
    X(75, WARP,      16, 8,   8, F,   F16,  PLAIN,  TN) \
    X(75, WARP,       8, 8,  16, S32, S8,   PLAIN,  TN) \
    X(80, WARP,      16, 8,   8, F,   F16,  PLAIN,  TN) \
    X(80, WARP,      16, 8,  16, F,   F16,  PLAIN,  TN) \
    X(80, WARP,      16, 8,   8, F32, BF16, PLAIN,  TN) \
    X(80, WARP,      16, 8,  16, F32, BF16, PLAIN,  TN) \
    X(80, WARP,      16, 8,   4, F32, TF32, PLAIN,  TN) \
    X(80, WARP,      16, 8,   8, F32, TF32, PLAIN,  TN) \
    X(80, WARP,       8, 8,   4, F64, F64,  PLAIN,  TN) \
    X(80, WARP,       8, 8,   4, C64, C64,  GAUSS,  TN) \
    X(80, WARP,       8, 8,  16, S32, I8,   SATURATE, TN) \
    X(80, WARP,      16, 8,  16, S32, I8,   SATURATE, TN) \
    X(80, WARP,      16, 8,  32, S32, I8,   SATURATE, TN) \
    X(80, WARP,       8, 8,  32, S32, I4,   SATURATE, TN) \
    X(80, WARP,      16, 8,  32, S32, I4,   SATURATE, TN) \
    X(80, WARP,      16, 8,  64, S32, I4,   SATURATE, TN) \
    X(80, WARP,       8, 8, 128, S32, U1,   POPC,   TN) \
    X(80, WARP,      16, 8, 128, S32, U1,   POPC,   TN) \
    X(80, WARP,      16, 8, 256, S32, U1,   POPC,   TN) \
    X(89, WARP,      16, 8,  32, F,   F8,   PLAIN,  TN) \
    X(90, WARP,      16, 8,   4, F64, F64,  PLAIN,  TN) \
    X(90, WARP,      16, 8,   8, F64, F64,  PLAIN,  TN) \
    X(90, WARP,      16, 8,  16, F64, F64,  PLAIN,  TN) \
    X(90, WARP,      16, 8,   4, C64, C64,  PLAIN,  TN) \
    X(90, WARP,      16, 8,   8, C64, C64,  PLAIN,  TN) \
    X(90, WARP,      16, 8,  16, C64, C64,  PLAIN,  TN) \
    X(90, WARPGROUP, 64, 0,  16, F,   F16,  PLAIN,  ANY) \
    X(90, WARPGROUP, 64, 0,  16, F32, BF16, PLAIN,  ANY) \
    X(90, WARPGROUP, 64, 0,   8, F32, TF32, PLAIN,  TN) \
    X(90, WARPGROUP, 64, 0,  32, F,   F8,   PLAIN,  TN) \
    X(90, WARPGROUP, 64, 0,  32, S32, I8,   SATURATE, TN) \
    X(100, CTA,      64, 0,   8, F32, TF32,   SCALED_D, ANY) \
    X(100, CTA,     128, 0,   8, F32, TF32,   SCALED_D, ANY) \
    X(100, CTA,      64, 0,  16, F,   F16,    SCALED_D, ANY) \
    X(100, CTA,     128, 0,  16, F,   F16,    SCALED_D, ANY) \
    X(100, CTA,      64, 0,  16, F32, BF16,   SCALED_D, ANY) \
    X(100, CTA,     128, 0,  16, F32, BF16,   SCALED_D, ANY) \
    X(100, CTA,      64, 0,  32, S32, I8,     PLAIN,   ANY) \
    X(100, CTA,     128, 0,  32, S32, I8,     PLAIN,   ANY) \
    X(100, CTA,      64, 0,  32, F,   F8F6F4, PLAIN,   ANY) \
    X(100, CTA,     128, 0,  32, F,   F8F6F4, PLAIN,   ANY) \
    X(100, CTA,     128, 0,  32, F32, F8F6F4, SCALE_8, ANY) \
    X(100, CTA,     128, 0,  64, F32, E2M1,   SCALE_4, TN) \
    X(100, CTA_PAIR, 128, 0,  8, F32, TF32,   SCALED_D, ANY) \
    X(100, CTA_PAIR, 256, 0,  8, F32, TF32,   SCALED_D, ANY) \
    X(100, CTA_PAIR, 128, 0, 16, F,   F16,    SCALED_D, ANY) \
    X(100, CTA_PAIR, 256, 0, 16, F,   F16,    SCALED_D, ANY) \
    X(100, CTA_PAIR, 128, 0, 16, F32, BF16,   SCALED_D, ANY) \
    X(100, CTA_PAIR, 256, 0, 16, F32, BF16,   SCALED_D, ANY) \
    X(100, CTA_PAIR, 128, 0, 32, S32, I8,     PLAIN,   ANY) \
    X(100, CTA_PAIR, 256, 0, 32, S32, I8,     PLAIN,   ANY) \
    X(100, CTA_PAIR, 128, 0, 32, F,   F8F6F4, PLAIN,   ANY) \
    X(100, CTA_PAIR, 256, 0, 32, F,   F8F6F4, PLAIN,   ANY) \
    X(100, CTA_PAIR, 256, 0, 32, F32, F8F6F4, SCALE_8, ANY) \
    X(100, CTA_PAIR, 128, 0, 64, F32, E2M1,   SCALE_4, TN) \
    X(100, CTA_PAIR, 256, 0, 64, F32, E2M1,   SCALE_4, TN) \
    X(103, CTA,     128, 0,  96, F32, E2M1,   SCALE_4, TN) \
    X(103, CTA_PAIR, 128, 0, 96, F32, E2M1,   SCALE_4, TN) \
    X(103, CTA_PAIR, 256, 0, 96, F32, E2M1,   SCALE_4, TN) \
    X(120, WARP,     16, 8,  32, F,   F8F6F4, PLAIN,   TN) \
    X(120, WARP,     16, 8,  32, F32, F8F6F4, SCALE_8, TN) \
    X(120, WARP,     16, 8,  64, F32, E2M1,   SCALE_F4, TN) \
    X(201, WAVE64,   32, 32,  2, F32, F32,  PLAIN, TN) \
    X(201, WAVE64,   16, 16,  4, F32, F32,  PLAIN, TN) \
    X(201, WAVE64,   32, 32,  8, F32, F16,  PLAIN, TN) \
    X(201, WAVE64,   16, 16, 16, F32, F16,  PLAIN, TN) \
    X(201, WAVE64,   32, 32,  4, F32, BF16, PLAIN, TN) \
    X(201, WAVE64,   16, 16,  8, F32, BF16, PLAIN, TN) \
    X(201, WAVE64,   32, 32,  8, S32, S8,   PLAIN, TN) \
    X(201, WAVE64,   16, 16, 16, S32, S8,   PLAIN, TN) \
    X(201, WAVE64,   32, 32,  1, F32, F32,  BLOCKS_2,  TN) \
    X(201, WAVE64,   16, 16,  1, F32, F32,  BLOCKS_4,  TN) \
    X(201, WAVE64,    4,  4,  1, F32, F32,  BLOCKS_16, TN) \
    X(201, WAVE64,   32, 32,  4, F32, F16,  BLOCKS_2,  TN) \
    X(201, WAVE64,   16, 16,  4, F32, F16,  BLOCKS_4,  TN) \
    X(201, WAVE64,    4,  4,  4, F32, F16,  BLOCKS_16, TN) \
    X(201, WAVE64,   32, 32,  2, F32, BF16, BLOCKS_2,  TN) \
    X(201, WAVE64,   16, 16,  2, F32, BF16, BLOCKS_4,  TN) \
    X(201, WAVE64,    4,  4,  2, F32, BF16, BLOCKS_16, TN) \
    X(201, WAVE64,   32, 32,  4, S32, S8,   BLOCKS_2,  TN) \
    X(201, WAVE64,   16, 16,  4, S32, S8,   BLOCKS_4,  TN) \
    X(201, WAVE64,    4,  4,  4, S32, S8,   BLOCKS_16, TN) \
    X(202, WAVE64,   32, 32,  4, F32, BF16, BLOCKS_2,  TN) \
    X(202, WAVE64,   16, 16,  4, F32, BF16, BLOCKS_4,  TN) \
    X(202, WAVE64,    4,  4,  4, F32, BF16, BLOCKS_16, TN) \
    X(202, WAVE64,   32, 32,  8, F32, BF16, PLAIN, TN) \
    X(202, WAVE64,   16, 16, 16, F32, BF16, PLAIN, TN) \
    X(202, WAVE64,   16, 16,  4, F64, F64,  PLAIN, TN) \
    X(203, WAVE64,   32, 32,  4, F32, TF32, PLAIN, TN) \
    X(203, WAVE64,   16, 16,  8, F32, TF32, PLAIN, TN) \
    X(203, WAVE64,   32, 32, 16, S32, S8,   PLAIN, TN) \
    X(203, WAVE64,   16, 16, 32, S32, S8,   PLAIN, TN) \
    X(203, WAVE64,   32, 32, 16, F32, F8Z,  PLAIN, TN) \
    X(203, WAVE64,   16, 16, 32, F32, F8Z,  PLAIN, TN) \
    X(204, WAVE64,   32, 32, 16, F32, F16,  PLAIN, TN) \
    X(204, WAVE64,   16, 16, 32, F32, F16,  PLAIN, TN) \
    X(204, WAVE64,   32, 32, 16, F32, BF16, PLAIN, TN) \
    X(204, WAVE64,   16, 16, 32, F32, BF16, PLAIN, TN) \
    X(204, WAVE64,   32, 32, 32, S32, S8,   PLAIN, TN) \
    X(204, WAVE64,   16, 16, 64, S32, S8,   PLAIN, TN) \
    X(205, WAVE32,   16, 16, 16, F32, F16,  PLAIN, TN) \
    X(205, WAVE32,   16, 16, 16, F32, BF16, PLAIN, TN) \
    X(205, WAVE32,   16, 16, 16, S32, I8,   PLAIN, TN) \
    X(205, WAVE32,   16, 16, 16, S32, I4,   PLAIN, TN) \
    X(206, WAVE32,   16, 16, 16, F32, F16,  PLAIN, TN) \
    X(206, WAVE32,   16, 16, 16, F32, BF16, PLAIN, TN) \
    X(206, WAVE32,   16, 16, 16, F32, F8,   PLAIN, TN) \
    X(206, WAVE32,   16, 16, 16, S32, I8,   PLAIN, TN) \
    X(206, WAVE32,   16, 16, 16, S32, I4,   PLAIN, TN) \
    X(206, WAVE32,   16, 16, 32, S32, I4,   PLAIN, TN) \
    X(207, SUBGROUP,  8, 16, 16, F32, F16,  PLAIN, TT) \
    X(207, SUBGROUP,  8, 16, 16, F32, BF16, PLAIN, TT) \
    X(208, TILE,     16, 16, 32, F32, F16,  PLAIN, TT) \
    X(208, TILE,     16, 16, 32, F32, BF16, PLAIN, TT) \
    X(208, TILE,     16, 16, 64, S32, I8,   PLAIN, TT) \
    X(209, TILE,      1, 16,  2, F32, BF16, PLAIN, TT) \
    X(210, TILE,      2,  2,  4, F32, BF16, PLAIN, TN) \
    X(210, TILE,      2,  2,  8, S32, S8,   PLAIN, TN) \
    X(210, TILE,      2,  2,  8, S32, U8,   PLAIN, TN) \
    X(211, TILE,     16, 16,  1, F32, F32,  PLAIN, TN) \
    X(211, TILE,     16, 16,  2, F32, F16,  PLAIN, TN) \
    X(211, TILE,     16, 16,  2, F32, BF16, PLAIN, TN) \
    X(211, TILE,     16, 16,  4, S32, I8,   PLAIN, TN)

/* clang-format on */

/* The sets of forms and of majors in the list; SATURATE and GAUSS may be left out, one of the POPC may not. */
enum {
    TSR_MMA_FORMS_PLAIN = 1 << TSR_MMA_PLAIN,
    TSR_MMA_FORMS_SATURATE = 1 << TSR_MMA_PLAIN | 1 << TSR_MMA_SATURATE,
    TSR_MMA_FORMS_GAUSS = 1 << TSR_MMA_PLAIN | 1 << TSR_MMA_GAUSS,
    TSR_MMA_FORMS_POPC = 1 << TSR_MMA_XORPOPC | 1 << TSR_MMA_ANDPOPC,
    TSR_MMA_FORMS_BLOCKS_2 = 1 << TSR_MMA_BLOCKS_2,
    TSR_MMA_FORMS_BLOCKS_4 = 1 << TSR_MMA_BLOCKS_4,
    TSR_MMA_FORMS_BLOCKS_16 = 1 << TSR_MMA_BLOCKS_16,
    TSR_MMA_FORMS_SCALED_D = 1 << TSR_MMA_PLAIN | 1 << TSR_MMA_SCALED_D,
    TSR_MMA_FORMS_SCALE_8 = 1 << TSR_MMA_SCALE_32,
    TSR_MMA_FORMS_SCALE_4 = 1 << TSR_MMA_SCALE_32 | 1 << TSR_MMA_SCALE_16 | 1 << TSR_MMA_SCALE_16_4,
    TSR_MMA_FORMS_SCALE_F4 = 1 << TSR_MMA_SCALE_32 | 1 << TSR_MMA_SCALE_16_4, /* mma.sync has no ue8m0 of 16 */
    TSR_MMA_MAJORS_TN = 1,
    TSR_MMA_MAJORS_TT = 1 << TSR_MMA_B_MN,
    TSR_MMA_MAJORS_ANY = 15
};

enum {
    TSR_MMA_ROWS = 0
#define TSR_X_(...) +1
    TSR_MMA_LIST(TSR_X_)
#undef TSR_X_
};

/** Not from a table in the function: gcc writes that to the stack at each call. */
TSR_OP tsr_mma_row tsr_mma_row_at(int i);

/** How many products the instruction makes: of A (M,K,blocks) and B (N,K,blocks), block by block. */
TSR_FN int64_t tsr_mma_blocks(tsr_mma_atom x)
{
    return x.form == TSR_MMA_BLOCKS_2 ? 2 : x.form == TSR_MMA_BLOCKS_4 ? 4 : x.form == TSR_MMA_BLOCKS_16 ? 16 : 1;
}

/** Is N a legal width? Integers of one CTA or a warpgroup have 8 as well, of a warpgroup 24. */
TSR_OP bool tsr_mma_is_width(tsr_mma_atom x);

TSR_OP tsr_mma_atom tsr_mma_refuse(tsr_mma_atom x, tsr_status status, int32_t a, int32_t b);

/** Returns x itself if it is an instruction, else an invalid atom that says why not.
 *  Errors  MMA_TYPES, MMA_SHAPE with the nearest shape, MMA_WIDTH, MMA_INTEGER_WIDTH, MMA_FORM, MMA_SCALE_D. */
TSR_OP tsr_mma_atom tsr_mma_checked(tsr_mma_atom x);

TSR_OP tsr_mma_atom tsr_mma_of(int arch, tsr_mma_kind kind, int32_t m, int32_t n, int32_t k);

/* Makers */

/** D = A*B + C on one thread, of any types: CuTe's UniversalFMA<D,A,B,C>. */
TSR_OP tsr_mma_atom tsr_fma(tsr_dtype d, tsr_dtype a, tsr_dtype b, tsr_dtype c);

/** The products of vectors of sm_61: DP4A (k = 4, bytes) and DP2A (k = 2, a vector of 16-bit numbers). */
TSR_OP tsr_mma_atom tsr_sm61_dot(int32_t k);

/** 8x8x4 of half on a quad pair of sm_70, into half or float. Flags: TSR_MMA_A_MN, TSR_MMA_B_MN. */
TSR_OP tsr_mma_atom tsr_sm70_mma(tsr_dtype c, int flags);

/** mma.sync of a warp, from sm_75 on: `arch` is the one in the name of CuTe's atom. */
TSR_OP tsr_mma_atom tsr_warp_mma(int arch, int32_t m, int32_t n, int32_t k, tsr_dtype c, tsr_dtype a, tsr_dtype b,
                                 tsr_mma_form form);

/** The same with half of A stored (sm_120); k counts all elements. */
TSR_OP tsr_mma_atom tsr_warp_mma_sparse(int arch, int32_t m, int32_t n, int32_t k, tsr_dtype c, tsr_dtype a,
                                        tsr_dtype b, tsr_mma_form form);

/** wgmma.mma_async: 64xN, with the K that the types and sparsity have. */
TSR_OP tsr_mma_atom tsr_wgmma(int32_t n, tsr_dtype c, tsr_dtype a, tsr_dtype b, int flags, tsr_mma_form form);

/** tcgen05.mma of sm_100, of one CTA or of two: M is 64 or 128, for two CTAs 128 or 256, with the K that the types and
 *  sparsity have. */
TSR_OP tsr_mma_atom tsr_umma(int ctas, int32_t m, int32_t n, tsr_dtype c, tsr_dtype a, tsr_dtype b, int flags,
                             tsr_mma_form form);

/** tcgen05.mma of sm_103 with K = 96, of 4-bit types with block scales: M is 128, for two CTAs 128 or 256. */
TSR_OP tsr_mma_atom tsr_umma_ultra(int ctas, int32_t m, int32_t n, tsr_mma_form form);

/** The same instruction of 16-bit types or TF32, which adds C * 2^-scale. */
TSR_OP tsr_mma_atom tsr_umma_scaled_d(tsr_mma_atom x, int32_t scale);

/** Are M and N rows and columns of tensor memory? */
TSR_FN bool tsr_mma_is_umma(tsr_mma_atom x) { return x.kind == TSR_MMA_CTA || x.kind == TSR_MMA_CTA_PAIR; }

/** Do blocks of K have scales? */
TSR_FN bool tsr_mma_is_scaled(tsr_mma_atom x) { return x.form >= TSR_MMA_SCALE_32 && x.form <= TSR_MMA_SCALE_16_4; }

/** How many elements along K share a scale; 0 where none do. */
TSR_FN int32_t tsr_mma_scale_vector(tsr_mma_atom x)
{
    int32_t const dense = x.form == TSR_MMA_SCALE_32 ? 32 : tsr_mma_is_scaled(x) ? 16 : 0;
    return x.flags & TSR_MMA_SPARSE ? 2 * dense : dense;
}

/** An instruction of TSR_MMA_ARCH_LIST, whose kind and majors follow from the architecture, and whose blocks from the
 *  shape. */
TSR_OP tsr_mma_atom tsr_vendor_mma(int arch, int32_t m, int32_t n, int32_t k, tsr_dtype c, tsr_dtype a, tsr_dtype b);

/** Why an atom is invalid. */
TSR_OP tsr_reason tsr_mma_why(tsr_mma_atom x);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/mma.h"
#endif

#endif
