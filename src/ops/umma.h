/** Rows of the words of Blackwell: instruction descriptors and descriptors of shared memory. The kinds are explained in
 *  ops.h. */
#ifndef TSR_SRC_OPS_UMMA_H
#define TSR_SRC_OPS_UMMA_H

#include "tessera/atom/scales.h"
#include "tessera/atom/smem.h"
#include "tessera/atom/umma.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_EXAMPLE_SCALED \
    "SM100_MMA_MXF4_SS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,128,64,32,UMMA::Major::K,UMMA::Major::K>"

/** Their functions are in src/calc/words.c: words are texts, in hexadecimal. */
#define TSR_OPS_WORDS(X, Y) \
    X(umma_idesc, word_umma, a, (A, o), "the instruction descriptor of an atom of tcgen05.mma", \
      "umma_idesc(SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,UMMA::Major::K,UMMA::Major::MN>)", "0x8210010") \
    X(umma_idesc, word_umma_flags, a, (A, T, o), \
      "with flags: negate A 0x2000, negate B 0x4000, saturate 8, sparse id 0 to 3", \
      "umma_idesc(" TSR_EXAMPLE_SCALED ", 0x2000)", "0x8902480", "- flags:") \
    X(umma_idesc, word_umma_at, a, (A, T, T, o), "with the addresses of both scales in tensor memory", \
      "umma_idesc(" TSR_EXAMPLE_SCALED ", 0, (0x80000010,0x24))", "0x48900480", "- flags: scales:") \
    X(umma_decode, word_umma_decode, a, (T, o), "the kinds of tcgen05.mma that have an instruction descriptor, and its fields", \
      "umma_decode(0x8210010)", \
      "kind::f16: D float, A half_t K, B half_t MN, M 128, N 128; " \
      "kind::f8f6f4: D float, A float_e4m3_t K, B float_e4m3_t MN, M 128, N 128", "word:") \
    X(umma_fields, word_umma_fields, T, (T, N), \
      "the fields of an instruction descriptor of a kind: tf32 0, f16 1, f8f6f4 2, i8 3, mxf8f6f4 4, mxf4 5", \
      "umma_fields<1>(0x8210010)", "(0,0,0,1,0,0,0,0,0,1,16,8,0)", "word: kind:") \
    X(umma_word, word_umma_of, a, (T, N, o), "the instruction descriptor with these fields", \
      "umma_word<1>((0,0,0,1,0,0,0,0,0,1,16,8,0))", "0x8210010", "fields: kind:") \
    X(smem_desc, word_smem, a, (L, T, R, T, o), \
      "the descriptor of a tile in shared memory for tcgen05.mma", \
      "smem_desc(Layout_K_SW128_Atom<half_t>, (_128,_64), (_128,_16), 0x2000)", "0x4000404000010200", \
      "block: shape: tile: address:") \
    X(smem_desc, word_smem_at, a, (L, T, R, T, T, o), "of a further tile (of M or N, of K)", \
      "smem_desc(Layout_K_SW128_Atom<half_t>, (_128,_64), (_128,_16), 0x2000, (0,3))", "0x4000404000010206", \
      "block: shape: tile: address: at:") \
    X(smem_desc_fields, word_smem_fields, T, (T), \
      "(start, leading, stride, version, base offset, leading mode, layout type) of a descriptor; the first three / 16", \
      "smem_desc_fields(0x4000404000010200)", "(512,1,64,1,0,0,2)", "word:")

#define TSR_OPS_UMMA(X, Y) \
    X(smem_desc_steps, smem_desc_steps, L, (L, T, R), \
      "(tile of M or N, tile of K) to the step from the first descriptor, in 16 bytes", \
      "smem_desc_steps(Layout_K_SW128_Atom<half_t>, (_128,_64), (_64,_16))", "(_2,_4):(_512,_2)", "block: shape: tile:") \
    X(scales_block, scales_block_k, L, (T, P), \
      "a tile of scales (rows,K), 128x4 or <8> 8x4; <128,1> is (K,rows)", \
      "scales_block(16)", "((_32,_4),(_16,_4)):((_16,_4),(_0,_1))", "vector: form:") \
    X(scales_layout, scales_layout_k, L, (T, T, P), \
      "the scales of a matrix (rows,K[,batch]) in whole tiles of 128x4, <8> 8x4; <128,1> is (K,rows)", \
      "scales_layout(16, (256,128))", "(((_32,_4),2),((_16,_4),2)):(((_16,_4),1024),((_0,_1),_512))", \
      "vector: shape: form:") \
    X(scales_smem, scales_smem_of, L, (A, T, N), \
      "the scales of A (0) or B (1) of a tile (M,N,K) in shared memory", \
      "scales_smem<0>(" TSR_EXAMPLE_SCALED ", (_128,_64,_256))", \
      "((((_32,_4),_1),(_32,_2)),_1,(_2,_2)):((((_16,_4),_512),(_0,_1)),_0,(_2,_512))", "- tile: operand:") \
    X(sparse_e_block, sparse_e_block, L, (B), "the block of the metadata of a sparse A of a type", \
      "sparse_e_block<half_t>()", "((_8,_2,_8),(_16,_2,_4)):((_128,_16,_2048),(_1,_1024,_32))", "type:") \
    X(sparse_e_layout, sparse_e_layout, L, (T, B), "the metadata of a sparse matrix (M,K[,batch]) in whole blocks", \
      "sparse_e_layout<int8_t>((200,256))", "((_128,2),(_128,2)):((_128,_16384),(_1,32768))", "shape: type:") \
    X(sparse_a_layout, sparse_a_layout_of, L, (T, N), \
      "the stored half of a sparse matrix (M,K[,batch]): 0 K-major, 1 M-major", \
      "sparse_a_layout<0>((128,64))", "(128,(_2,32)):(64,(_1,_2))", "shape: major:")
/* clang-format on */

TSR_HEADER_END

#endif
