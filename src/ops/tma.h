/** Rows of tensor maps and TMA copies. The kinds are explained in ops.h. */
#ifndef TSR_SRC_OPS_TMA_H
#define TSR_SRC_OPS_TMA_H

#include "tessera/tma/partition.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_OPS_TMA(X, A) \
    X(make_tensor, make_tensor_smem, G, (E, S), "a pointer to shared memory in front of a layout that waits for one", \
      "make_tensor(smem<half_t>(1024), Sw<2,4,3> o smem_ptr[16b](unset) o (_8,_32):(_32,_1))", \
      "Sw<2,4,3>_smem_ptr[16b](0x400) o (_8,_32):(_32,_1)", "pointer:") \
    X(as_position_independent_swizzle_layout, as_position_independent_swizzle_layout, L, (S), \
      "the same layout, its swizzle of elements instead of bytes", \
      "as_position_independent_swizzle_layout(Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1))", \
      "Sw<3,3,3> o _0 o (_8,_64):(_64,_1)") \
    X(make_tma_copy, make_tma_copy, I, (O, Y, L, S, R, T), \
      "a TMA copy: operation, type[/type moved], tensor, tile in shared memory, tile, cluster", \
      "make_tma_copy(SM90_TMA_LOAD, half_t, (512,768):(768,_1), " \
      "Sw<3,4,3> o smem_ptr[16b](unset) o (_128,_64):(_64,_1), (_128,_64), 1)", \
      "SM90_TMA_LOAD of FLOAT16 ; 2 ; (768,512) ; (1536) ; (64,128) ; (1,1) ; 128B ; 0 ; 2 ; 0", "operation: type: layout: smem: tiler: cluster:") \
    X(make_tma_copy, make_tma_copy_plain, I, (O, Y, L, L, R, T), \
      "the same, a swizzle of the layout taken as one of bytes", \
      "make_tma_copy(SM90_TMA_LOAD, float, (1024,256):(256,_1), (_64,_32):(_32,_1), (_64,_32), 1)", \
      "SM90_TMA_LOAD of FLOAT32 ; 2 ; (256,1024) ; (1024) ; (32,64) ; (1,1) ; NONE ; 0 ; 2 ; 0", "operation: type: layout: smem: tiler: cluster:") \
    X(make_im2col_tma_copy, make_im2col_tma_copy, I, (O, Y, L, S, R, T, T, T), \
      "the same for the columns of a convolution: image ((w,h,n),c), .., pixels (lower,upper,stride), " \
      "taps (filter,first,dilation)", \
      "make_im2col_tma_copy(SM90_TMA_LOAD_IM2COL, half_t, ((56,56,8),64):((64,3584,200704),_1), " \
      "Sw<3,4,3> o smem_ptr[16b](unset) o (_128,_64):(_64,_1), (_128,_64), 1, ((-1,-1),(-1,-1),(1,1)), " \
      "((3,3),(0,0),(1,1)))", \
      "SM90_TMA_LOAD_IM2COL of FLOAT16 ; 4 ; (64,56,56,8) ; (128,7168,401408) ; (-1,-1) ; (-1,-1) ; 64 ; 128 ; " \
      "(1,1,1,1) ; 128B ; 0 ; 2 ; 0", "operation: type: image: smem: tiler: cluster: pixels: taps:") \
    X(make_im2col_tma_copy, make_im2col_tma_copy_plain, I, (O, Y, L, L, R, T, T, T), \
      "the same, a swizzle of the layout taken as one of bytes", \
      "make_im2col_tma_copy(SM90_TMA_LOAD_IM2COL, float, ((10,2),16):((16,160),_1), (_8,_16):(_16,_1), (_8,_16), 1, " \
      "fprop_pixels((3), (1), (1), (2), (1)), fprop_taps((3), (1), (1), (2), (1)))", \
      "SM90_TMA_LOAD_IM2COL of FLOAT32 ; 3 ; (16,10,2) ; (64,640) ; (-1) ; (-1) ; 16 ; 8 ; (1,2,1) ; NONE ; 0 ; 2 ; " \
      "0", "operation: type: image: smem: tiler: cluster: pixels: taps:") \
    X(fprop_pixels, fprop_pixels, T, (U), \
      "(lower,upper,stride) of a convolution: filter, lower and upper padding, stride, dilation", \
      "fprop_pixels((3,5), (1,2), (1,2), (1,2), (1,1))", "((-1,-2),(-1,-2),(1,2))", "conv:") \
    X(fprop_taps, fprop_taps, T, (U), \
      "(filter,first,dilation) of a convolution: filter, lower and upper padding, stride, dilation", \
      "fprop_taps((3,5), (1,2), (1,2), (1,2), (1,1))", "((3,5),(_0,_0),(1,1))", "conv:") \
    X(dgrad_pixels, dgrad_pixels, T, (U), "(lower,upper,stride) of the gradient of its input, for stride 1", \
      "dgrad_pixels((3,5), (1,0), (1,2), (1,1), (1,1))", "((-1,-4),(-1,-2),(1,1))", "conv:") \
    X(dgrad_taps, dgrad_taps, T, (U), "(filter,first,dilation) of the gradient of its input", \
      "dgrad_taps((3,5), (1,0), (1,2), (1,1), (1,1))", "((3,5),(2,4),(-1,-1))", "conv:") \
    X(tma_coordinate, tma_coordinate, T, (I, T), \
      "what an instruction is told that begins at a coordinate of the TMA tensor; im2col: (c,(w,h,d),n,(offsets))", \
      "tma_coordinate(make_im2col_tma_copy(SM90_TMA_LOAD_IM2COL, float, ((10,2),16):((16,160),_1), " \
      "(_8,_16):(_16,_1), (_8,_16), 1, fprop_pixels((3), (1), (1), (2), (1)), fprop_taps((3), (1), (1), (2), (1))), " \
      "(7,(0,2)))", "(0,(3),1,(2))", "- coord:") \
    X(tma_desc, tma_desc_of, F, (I), "the tensor map: type, rank, extents, strides, box, steps, swizzle and modes", \
      "tma_desc(make_tma_copy(SM90_TMA_LOAD, float, (4096):(_1), (_256):(_1), (_256), 1))", \
      "FLOAT32 ; 1 ; (4096) ; () ; (256) ; (1) ; NONE ; 0 ; 2 ; 0") \
    X(get_tma_tensor, get_tma_tensor, G, (I), "the coordinates that the instructions take, as a tensor", \
      "get_tma_tensor(make_tma_copy(SM90_TMA_LOAD, float, (1024,256):(256,_1), (_64,_32):(_32,_1), (_64,_32), 1))", \
      "ArithTuple(_0,_0) o (1024,256):(_1@1,_1@0)") \
    X(tiled_layout_tv, tma_tiled_layout_tv, L, (I), "(CTA, element) to index in the tile", \
      "tiled_layout_tv(make_tma_copy(SM90_TMA_LOAD, float, (4096):(_1), (_256):(_1), (_256), 1))", \
      "(_1,((_256,_1))):(_0,((_1,_0)))") \
    X(tiler_mn, tma_tiler_mn, T, (I), "the extents of the tile", \
      "tiler_mn(make_tma_copy(SM90_TMA_LOAD, float, (4096):(_1), (_256):(_1), (_256), 1))", "(_256)") \
    X(partition_S, tma_partition_s, G, (I, T, G), "((element,instruction),rest..) of a CTA of the multicast", \
      "partition_S(make_tma_copy(SM90_TMA_LOAD, half_t, (64,64):(_1,64), (_32,_16):(_1,_32), (_32,_16), 1), 0, " \
      "ArithTuple(0,0) o (_32,_16):(_1@0,_1@1))", "ArithTuple(0,0) o (((_32,_16),_1),_1,_1):(((_1@0,_1@1),_0),_0,_0)", \
      "- cta:") \
    X(tma_partition, tma_partition, G, (I, T, L, G, G, N), \
      "the source (0) or the tile in shared memory (1) by instructions: copy, CTA, CTAs, shared, global", \
      "tma_partition<1>(make_tma_copy(SM90_TMA_LOAD, half_t, (64,64):(_1,64), (_32,_16):(_1,_32), (_32,_16), 1), " \
      "_0, _1:_0, smem<half_t>(1024) o (_512,_3):(_1,_512), ArithTuple(_0,_0) o ((_32,_16),4):((_1@0,_1@1),_16@1))", \
      "smem_ptr[16b](0x400) o ((_512,_1),_3):((_1,_0),_512)", "- cta: ctas: shared: global: side:") \
    X(create_tma_multicast_mask, create_tma_multicast_mask, T, (L, T, P), \
      "the bits of the CTAs under `_`; in brackets further modes to take whole", \
      "create_tma_multicast_mask((_1,_2,_4,_1):(_0,_1,_2,_0), (0,_,1,0))", "12", "- coord: path:") \
    X(tma_tiled, tma_tiled, F, (B, T, T, T, T, P), \
      "a tensor map: <type[,swizzle,interleave,l2Promotion,oobFill,address]>(extents, strides, box, steps)", \
      "tma_tiled<half_t,3>((768,512), (1536), (64,128), (1,1))", \
      "FLOAT16 ; 2 ; (768,512) ; (1536) ; (64,128) ; (1,1) ; 128B ; 0 ; 2 ; 0", "type: extents: strides: box: steps: modes:") \
    X(tma_im2col, tma_im2col, F, (B, T, T, T, T, P), \
      "an im2col map: <as above>(extents, strides, (lower,upper[,steps]), (channels,pixels))", \
      "tma_im2col<half_t,3>((64,56,56,8), (128,7168,401408), ((-1,-1),(-1,-1)), (64,128))", \
      "FLOAT16 ; 4 ; (64,56,56,8) ; (128,7168,401408) ; (-1,-1) ; (-1,-1) ; 64 ; 128 ; (1,1,1,1) ; 128B ; 0 ; 2 ; 0", \
      "type: extents: strides: corners: box: modes:") \
    X(tma_lint, tma_lint, D, (F), "does the map keep the rules of the hardware: the first it breaks, and a repair", \
      "tma_lint(tma_tiled<half_t>((64,8), (88), (64,8), (1,1)))", \
      "no: stride 88 of dimension 1 is not a multiple of 16 bytes: pad it to 96 bytes, from 44 to 48 elements") \
    X(tma_lint_smem, tma_lint_smem, D, (F, T, T), "whether a box may be at an address of shared memory of n bytes", \
      "tma_lint_smem(tma_tiled<half_t,3>((64,8), (128), (64,8), (1,1)), 1024, 4096)", "yes", "- address: bytes:")
/* clang-format on */

TSR_HEADER_END

#endif
