/** Rows of tensor memory. The kinds are explained in ops.h. */
#ifndef TSR_SRC_OPS_TMEM_H
#define TSR_SRC_OPS_TMEM_H

#include "tessera/atom/tmem.h"
#include "tessera/atom/tmem_copy.h"

TSR_HEADER_BEGIN

#define TSR_EXAMPLE_UMMA \
  "SM100_MMA_MXF4_SS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,128,128,16,UMMA::Major::K,UMMA::Major::K>"

/* clang-format off */
#define TSR_OPS_TMEM(X, Y) \
    X(tmem_c, tmem_c, L, (A), "the sums of an instruction to (lane,element) of tensor memory", \
      "tmem_c(SM100_MMA_F16BF16_SS<half_t,half_t,float,64,16,UMMA::Major::K,UMMA::Major::K>)", \
      "(((_16,_4),_16),_1,_1):(((_1@0,_32@0),_1@1),_0,_0)") \
    X(tmem_c, tmem_c_tiles, L, (A, T), "of tiles along M and N, and of stages", \
      "tmem_c(SM100_MMA_F16BF16_SS<half_t,half_t,float,64,16,UMMA::Major::K,UMMA::Major::K>, (_2,_1,_2))", \
      "(((_16,_4),_16),_2,_1,_2):(((_1@0,_32@0),_1@1),_16@0,_0,_16@1)", "- tiles:") \
    X(tmem_a, tmem_a, L, (A), "A of a TS instruction in tensor memory", \
      "tmem_a(SM100_MMA_F16BF16_TS<half_t,half_t,float,128,64,UMMA::Major::K,UMMA::Major::K>)", \
      "((_128,_16),_1,_1):((_1@0,_1@1),_0,_0)") \
    X(tmem_a, tmem_a_tiles, L, (A, T), "of tiles along M and K", \
      "tmem_a(SM100_MMA_F16BF16_TS<half_t,half_t,float,128,64,UMMA::Major::K,UMMA::Major::K>, (_1,_4))", \
      "((_128,_16),_1,_4):((_1@0,_1@1),_0,_16@1)", "- tiles:") \
    X(tmem_e, tmem_e, L, (A), "the metadata of a sparse A in tensor memory, of elements of A", \
      "tmem_e(SM100_MMA_F8F6F4_SS_SPARSE<float_e4m3_t,float_e4m3_t,float,128,64,UMMA::Major::K,UMMA::Major::K>)", \
      "((_128,_64),_1,_1):((_1@0,_1@1),_0,_0)") \
    X(tmem_e, tmem_e_tiles, L, (A, T), "of tiles along M and K", \
      "tmem_e(SM100_MMA_TF32_SS_SPARSE<tfloat32_t,tfloat32_t,float,128,64,UMMA::Major::K,UMMA::Major::K>, (_1,_4))", \
      "(((_8,_2,_8),(_8,_2)),_1,_4):(((_1@0,_8@1,_16@0),(_1@1,_8@0)),_0,_16@1)", "- tiles:") \
    X(tmem_sfa, tmem_sfa, L, (A), "the scales of A in tensor memory: (M,(elements of a scale,scales)) to (lane,byte)", \
      "tmem_sfa(" TSR_EXAMPLE_UMMA ")", \
      "((((_32,_4),_4),(_16,_4)),_1,_1):((((_1@0,_4@1),_32@0),(_0,_1@1)),_0,_0)") \
    X(tmem_sfa, tmem_sfa_tiles, L, (A, T), "of tiles along M and K", \
      "tmem_sfa(" TSR_EXAMPLE_UMMA ", (_1,_4))", \
      "((((_32,_4),_4),(_16,_4)),_1,_4):((((_1@0,_4@1),_32@0),(_0,_1@1)),_0,_16@1)", "- tiles:") \
    X(tmem_sfb, tmem_sfb, L, (A), "the scales of B in tensor memory, N rounded up to 128", \
      "tmem_sfb(" TSR_EXAMPLE_UMMA ")", \
      "((((_32,_4),_4),(_16,_4)),_1,_1):((((_1@0,_4@1),_32@0),(_0,_1@1)),_0,_0)") \
    X(tmem_sfb, tmem_sfb_tiles, L, (A, T), "of tiles along N and K", \
      "tmem_sfb(SM100_MMA_MXF8F6F4_SS<float_e4m3_t,float_e4m3_t,float,float_ue8m0_t,128,192,UMMA::Major::K,UMMA::Major::K>, (_1,_4))", \
      "((((_32,_8),_4),(_32,_1)),_1,_4):((((_1@0,_4@1),_32@0),(_0,_1@1)),_0,_1@1)", "- tiles:") \
    X(tmem_frg, tmem_frg, L, (T, N, B, N), "C of a CTA in tensor memory: shape, CTAs of the instruction, type, bits of a place", \
      "tmem_frg<2,half_t,32>(((_64,_64),_1,_1))", \
      "((_64,(_32,_2)),_1,_1):((_1@0,(_2@1,_64@0)),_0,_0)", "shape: ctas: type: bits:") \
    X(tmem_frg_ts, tmem_frg_ts, L, (T, N, B, N), "C or A of a TS instruction in tensor memory", \
      "tmem_frg_ts<2,half_t,16>(((_64,_16),_1,_4))", "((_128,_16),_1,_4):((_1@0,_1@1),_0,_16@1)", \
      "shape: ctas: type: bits:") \
    X(tmem_frg_ws, tmem_frg_ws, L, (T, B, N), "C of the .ws form in tensor memory", \
      "tmem_frg_ws<float,32>(((_32,_64),_1,_2))", "((_32,(_16,_4)),_1,_2):((_1@0,(_1@1,_32@0)),_0,_16@1)", \
      "shape: type: bits:") \
    X(tmem_e_frg, tmem_e_frg, L, (T, B), "metadata of a sparse A of a type in tensor memory", \
      "tmem_e_frg<half_t>(((_128,_32),_1,_4))", \
      "(((_8,_2,_8),(_16,_2)),_1,_4):(((_1@0,_16@1,_16@0),(_1@1,_8@0)),_0,_32@1)", "shape: type:") \
    X(tmem_e_frg_ws, tmem_e_frg_ws, L, (T, B), "the same of the .ws form", \
      "tmem_e_frg_ws<uint8_t>(((_32,_64),_1,_4))", "((_32,(_64,_4)),_1,_4):((_1@0,(_1@1,_32@0)),_0,_64@1)", \
      "shape: type:") \
    X(tmem_sf_frg, tmem_sf_frg, L, (T), "scales of a shape ((M,(V,n)),tiles..) in tensor memory", \
      "tmem_sf_frg(((_64,(_32,_1)),_1,_4))", \
      "((((_32,_2),_4),(_32,_1)),_1,_4):((((_1@0,_4@1),_32@0),(_0,_1@1)),_0,_1@1)", "shape:") \
    X(tmem_sf_frg_2x2, tmem_sf_frg_2x2, L, (T), "scales of B of a pair with M=128 in tensor memory", \
      "tmem_sf_frg_2x2(((_128,(_16,_4)),_1,_1))", \
      "((((_32,_2),_2,_2),(_16,_4)),_1,_1):((((_1@0,_4@1),_64@0,_32@0),(_0,_1@1)),_0,_0)", "shape:") \
    X(tmem_address, tmem_address, L, (L, N), "a layout into tensor memory to CuTe's offsets, for n elements a column", \
      "tmem_address<2>((_128,_64):(_1@0,_2@1))", "(_128,_64):(_131072,_2)", "layout: elements:") \
    X(tmem_extent, tmem_extent, T, (L, N), "(lanes,columns) of a layout into tensor memory, for n elements a column", \
      "tmem_extent<2>((_128,_64):(_1@0,_2@1))", "(_128,_64)", "layout: elements:") \
    X(tmem_plan, tmem_plan_tuple, T, (A, T, T), \
      "first columns and columns of C, A, metadata, scales of A and B, and the allocation, for tiles (M,N,stages) and K", \
      "tmem_plan(" TSR_EXAMPLE_UMMA ", (1,1,2), 4)", "((0,256),(256,16),(272,16),512)", "- tiles: depth:") \
    X(copy_val_id, copy_val_id, L, (C), "value of tcgen05.ld, st or cp, in bits, to (lane,bit) of tensor memory", \
      "copy_val_id(SM100_TMEM_LOAD_16dp128b1x_16b)", "((_16,_8),_16):((_1@1,_32@1),_1@0)") \
    X(make_tmem_copy, make_tmem_copy, K, (C, L), "tcgen05.ld or st of a tensor in tensor memory by four warps", \
      "make_tmem_copy(Copy_Atom<SM100_TMEM_LOAD_32dp32b32x,float>, (_128,_64):(_1@0,_1@1))", \
      "make_tiled_copy_impl(Copy_Atom<SM100_TMEM_LOAD_32dp32b32x,float>, ((_32,_4),(_32,_32)):((_0,_1),(_128,_4)), " \
      "<(_4,_32):(_32,_1),_32:_1>)", "atom: tensor:") \
    X(make_utccp_copy, make_utccp_copy, K, (C, L), "tcgen05.cp from shared memory into a tensor in tensor memory", \
      "make_utccp_copy(Copy_Atom<SM100_UTCCP_4x32dp128bit_1cta,float_ue4m3_t>, ((_32,_16),_4):((_1@0,_1@1),_32@0))", \
      "make_tiled_copy_impl(Copy_Atom<SM100_UTCCP_4x32dp128bit_1cta,float_ue4m3_t>, " \
      "(_1,(_32,_16,_4)):(_0,(_1,_32,_512)), <_512:_1,_4:_1>)", "atom: tensor:")
/* clang-format on */

TSR_HEADER_END

#endif
