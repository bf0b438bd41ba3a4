/** Rows of atoms. The kinds are explained in ops.h. */
#ifndef TSR_SRC_OPS_ATOM_H
#define TSR_SRC_OPS_ATOM_H

#include "tessera/atom/banks.h"
#include "tessera/atom/copy_layout.h"
#include "tessera/atom/mma_layout.h"
#include "tessera/atom/sectors.h"
#include "tessera/atom/gmma_tile.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_OPS_ATOM(X, Y) \
    X(mma_shape, mma_shape, T, (A), "(M,N,K) of an MMA atom", \
      "mma_shape(SM90_64x96x32_S32S8S8_SS_TN)", "(_64,_96,_32)") \
    X(mma_thr_id, mma_thr_id, L, (A), "thread of the atom to thread of the warp or warpgroup", \
      "mma_thr_id(SM70_8x8x4_F32F16F16F32_NT)", "(_4,_2):(_1,_16)") \
    X(mma_layout_a, mma_layout_a, L, (A), "(thread,value) to the index of an element of A (M,K)", \
      "mma_layout_a(SM100_MMA_TF32_2x1SM_SS<tfloat32_t,tfloat32_t,float,256,32,UMMA::Major::K,UMMA::Major::K>)", \
      "(_2,(_128,_8)):(_128,(_1,_256))") \
    X(mma_layout_b, mma_layout_b, L, (A), "(thread,value) to the index of an element of B (N,K)", \
      "mma_layout_b(SM90_64x8x16_F16F16F16_RS)", "(_128,(_8,_16)):(_0,(_1,_8))") \
    X(mma_layout_c, mma_layout_c, L, (A), "(thread,value) to the index of an element of C (M,N)", \
      "mma_layout_c(GFX90A_16x16x16_F32BF16BF16F32_TN)", "((_16,_4),_4):((_16,_4),_1)") \
    X(mma_layout_sfa, mma_layout_sfa, L, (A), "(thread,k) to the index (M,K) whose scale a thread of sm_120 holds", \
      "mma_layout_sfa(SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,32>)", \
      "((_2,_2,_8),_64):((_8,_0,_1),_16)") \
    X(mma_layout_sfb, mma_layout_sfb, L, (A), "(thread,k) to the index (N,K) whose scale a thread of sm_120 holds", \
      "mma_layout_sfb(SM120::BLOCKSCALED::SM120_16x8x32_TN_VS<float_e4m3_t,float_e5m2_t,float,float_ue8m0_t,32>)", \
      "((_4,_8),_32):((_0,_1),_8)") \
    X(mma_layout_e, mma_layout_e, L, (A), "(thread,value) to the index (M,K) of the metadata of a sparse A", \
      "mma_layout_e(SM120::SPARSE::SM120_SPARSE_16x8x64_TN<float_e4m3_t,float_e5m2_t,float>)", \
      "((_2,_2,_8),_32):((_8,_512,_1),_16)") \
    X(copy_thr_id, copy_thr_id, L, (C), "thread of the atom to thread of the warp", \
      "copy_thr_id(SM75_U32x4_LDSM_N)", "_32:_1") \
    X(copy_layout_src, copy_layout_src, L, (C), \
      "(thread,value) of the source of a copy atom to an index: in bits for OP, in values for Copy_Atom<OP,TYPE>", \
      "copy_layout_src(SM75_U16x4_LDSM_T)", "((_16,_2),_128):((_128,_0),_1)") \
    X(copy_layout_dst, copy_layout_dst, L, (C), \
      "(thread,value) of the destination of a copy atom to an index: in bits for OP, in values for Copy_Atom<OP,TYPE>", \
      "copy_layout_dst(Copy_Atom<SM90_U32x2_STSM_N,half_t>)", "((_16,_2),_8):((_8,_0),_1)") \
    X(copy_layout_ref, copy_layout_ref, L, (C), \
      "(thread,value) to an index, of the side that a tiled copy distributes", \
      "copy_layout_ref(SM100_TMEM_LOAD_16dp64b2x)", "(_32,_2048):(_0,_1)") \
    X(gmma_desc, gmma_desc, T, (L, T, R), "descriptor of a tile of a block repeated up to a shape", \
      "gmma_desc(Layout_MN_SW64_Atom<half_t>, (_64,_64), (_64,_16))", "(2,32,64,0)", "block: shape: tile:") \
    X(gmma_desc_a, gmma_desc_a, T, (A, L), "descriptor of a tile (M,K) of shared memory as the A of an atom", \
      "gmma_desc_a(SM90_64x64x16_F32F16F16_SS<K,K>, tile_to_shape(Layout_K_SW128_Atom<half_t>, (_128,_64)))", "(1,1,64,0)", \
      "- tile:") \
    X(gmma_desc_b, gmma_desc_b, T, (A, L), "descriptor of a tile (N,K) of shared memory as the B of an atom", \
      "gmma_desc_b(SM90_64x64x16_F32F16F16_SS<K,MN>, tile_to_shape(Layout_MN_SW64_Atom<half_t>, (_64,_64)))", "(2,32,64,0)", \
      "- tile:") \
    X(bank_conflicts, bank_conflicts_int, T, (L, B), "rounds of a shared memory access (thread,value)", \
      "bank_conflicts<float>((_32,_1):(_32,_0))", "32", "access: type:") \
    X(bank_conflicts, bank_conflicts_on, T, (L, b, B), "the same of the banks of an architecture", \
      "bank_conflicts<half_t>((_64,_8):(_64,_1), banks=gfx950)", "8", "access: banks type:") \
    X(global_sectors, global_sectors, T, (L, B), \
      "requests, sectors, lines and ideal sectors of a global access (thread,value)", \
      "global_sectors<float>((_32,_1):(_2,_0))", "(1,8,2,4)", "access: type:") \
    X(global_sectors, global_sectors_of, T, (L, T, B), \
      "requests, sectors, lines and ideal sectors of the access of one value of (thread,value)", \
      "global_sectors<float>((_32,_2):(_1,_33), 1)", "(1,5,2,4)", "access: - type:") \
    X(find_swizzle, find_swizzle, W, (M, B), "the least swizzle under which accesses go in one round", \
      "find_swizzle<float>((_32,_1):(_1,_0), (_32,_1):(_32,_0))", "Sw<5,0,5>", "accesses: type:") \
    X(find_swizzle, find_swizzle_on, W, (b, M, B), "the same on the banks of an architecture", \
      "find_swizzle<half_t>(((_16,_4),_8):((_64,_8),_1), banks=gfx942)", "Sw<2,4,2>", "banks accesses: type:") \
    X(find_padding, find_padding, T, (M, B), \
      "(every, pad, rounds, added elements) of the padding with the fewest rounds, then the least memory", \
      "find_padding<half_t>((_8,_8):(_64,_1))", "(64,8,1,56)", "accesses: type:") \
    X(find_padding, find_padding_on, T, (b, M, B), "the same on the banks of an architecture", \
      "find_padding<half_t>(((_16,_4),_8):((_64,_8),_1), banks=gfx942)", "(64,16,1,240)", "banks accesses: type:")
/* clang-format on */

TSR_HEADER_END

#endif
