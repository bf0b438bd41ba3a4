/** The pictures of the gallery beyond those of the operations. */
#ifndef TSR_CLI_GALLERY_H
#define TSR_CLI_GALLERY_H

/* clang-format off */
/** X(section, file, caption, expression, option): pictures beyond those of the operations. The option is a thread to
 *  isolate as a number, the label of the cells, or the layout to compare with. */
#define GALLERY_LIST(X) \
    X("Layouts", "row_major", "row-major", "(8,8):(8,1)", "") \
    X("Layouts", "nested", "nested modes: borders and coordinates by level", "((2,4),(2,2)):((1,4),(2,16))", "") \
    X("Layouts", "nested_coordinates", "its coordinates", "((2,4),(2,2)):((1,4),(2,16))", "coord") \
    X("Layouts", "rank_4", "four modes: a panel for each coordinate of the last two", "(3,4,2,3):(1,3,12,24)", "") \
    X("Layouts", "large", "128 by 128: labels give way to colour", "((16,8),(16,8)):((1,2048),(16,256))", "") \
    X("Layouts", "coordinates", "a layout of coordinates", "(4,5):(_1@0,_1@1)", "") \
    X("Layouts", "diff", "two layouts, and where they differ", "(4,8):(8,1)", "Sw<2,1,3> o _0 o (4,8):(8,1)") \
    X("Slices", "slice_1", "one row", "call(((3,2),((2,3),2)):((4,1),((2,15),100)), 2, _)", "") \
    X("Slices", "slice_2", "one column", "call(((3,2),((2,3),2)):((4,1),((2,15),100)), _, 5)", "") \
    X("Slices", "slice_3", "modes of modes", "call(((3,2),((2,3),2)):((4,1),((2,15),100)), 2, ((0,_),_))", "") \
    X("Slices", "slice_4", "modes of both", "call(((3,2),((2,3),2)):((4,1),((2,15),100)), (_,1), (_,0))", "") \
    X("Slices", "slice_5", "single elements of every block", "call(((3,2),((2,3),2)):((4,1),((2,15),100)), (_,0), ((0,_),1))", "") \
    X("Tilings and partitions", "tiles", "the tile of a block", "local_tile(counting_iter(0) o (_8,_12):(_12,_1), (_4,_4), (1,2))", "") \
    X("Tilings and partitions", "threads", "the elements of thread 5 of 4x4", "local_partition(counting_iter(0) o (_8,_8):(_1,_8), (_4,_4):(_4,_1), 5)", "") \
    X("Tilings and partitions", "by_column", "the elements of one place of every tile", "outer_partition(counting_iter(0) o (_8,_8):(_8,_1), (_2,_4), (1,2))", "") \
    X("MMA atoms", "sm61", "a dot product of one thread", "SM61_DP4A", "") \
    X("MMA atoms", "sm70_tn", "a quad pair", "SM70_8x8x4_F32F16F16F32_TN", "") \
    X("MMA atoms", "sm70_nt", "the same, A and B the other way", "SM70_8x8x4_F32F16F16F32_NT", "") \
    X("MMA atoms", "sm75", "a warp, integers", "SM75_8x8x16_S32S8S8S32_TN", "") \
    X("MMA atoms", "sm80_half", "a warp, half", "SM80_16x8x8_F32F16F16F32_TN", "") \
    X("MMA atoms", "sm80_thread", "thread 9 isolated", "SM80_16x8x8_F32F16F16F32_TN", "9") \
    X("MMA atoms", "sm80_tf32", "a warp, tf32", "SM80_16x8x4_F32TF32TF32F32_TN", "") \
    X("MMA atoms", "sm80_double", "a warp, double", "SM80_8x8x4_F64F64F64F64_TN", "") \
    X("MMA atoms", "sm90_wgmma", "a warpgroup; A and B in shared memory", "SM90_64x16x16_F32F16F16_SS", "") \
    X("MMA atoms", "gfx90a", "an AMD wave of 64", "GFX90A_16x16x4_F64F64F64F64_TN", "") \
    X("MMA atoms", "neon", "Arm, one thread", "NEON_2x2x8_S32S8S8S32_TN", "") \
    X("Tiled MMA", "tiled_mma", "four warps over M and N, thread 37 isolated", "make_tiled_mma(SM80_8x8x4_F64F64F64F64_TN, (_2,_2,_1))", "37") \
    X("Copy atoms", "copy_128", "16 bytes of a thread", "UniversalCopy<uint128_t>", "") \
    X("Copy atoms", "ldmatrix_1", "one matrix from shared memory", "Copy_Atom<SM75_U32x1_LDSM_N,half_t>", "") \
    X("Copy atoms", "ldmatrix_1t", "transposed", "Copy_Atom<SM75_U16x2_LDSM_T,half_t>", "") \
    X("Copy atoms", "ldmatrix_4", "four matrices", "SM75_U32x4_LDSM_N", "") \
    X("Copy atoms", "stmatrix_2", "two matrices to shared memory", "SM90_U32x2_STSM_N", "") \
    X("Tiled copies", "tiled_copy", "vectors of 4 by 4x8 threads", "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>,float>, (_4,_8), (_4,_1))", "") \
    X("Swizzles and banks", "sw_2_0_2", "units before and after", "Sw<2,0,2>", "") \
    X("Swizzles and banks", "sw_3_4_3", "the swizzle of rows of 128 bytes", "Sw<3,4,3>", "") \
    X("Swizzles and banks", "sw_1_0_3", "one bit", "Sw<1,0,3>", "") \
    X("Swizzles and banks", "banks", "banks of a row-major tile, without the swizzle and with it", "Sw<3,2,3> o _0 o (_8,_32):(_32,_1)", "bank") \
    X("Tensor maps", "tma_boxes", "boxes over a tensor of 12 rows of 20, the edges out of bounds", "tma_tiled<float>((20,12), (80), (8,8), (1,1))", "") \
    X("Tensor maps", "tma_swizzle", "rows of 128 bytes, swizzled in shared memory", "tma_tiled<half_t,3>((100,20), (200), (64,8), (1,1))", "") \
    X("Tensor maps", "tma_copy", "a copy of tiles", "make_tma_copy(SM90_TMA_LOAD, half_t, (48,160):(160,_1), Sw<2,4,3> o smem_ptr[16b](unset) o (_16,_32):(_32,_1), (_16,_32), 1)", "") \
    X("Tensor maps", "tma_pixels", "base pixels of a 3x3 filter", "tma_im2col<half_t>((64,9,7,2), (128,1152,8064), ((-1,-1),(-1,-1)), (64,32))", "") \
    X("CK Tile", "ck_packed", "a packed descriptor", "packed((4,6))", "") \
    X("CK Tile", "ck_padded", "padded on both sides", "packed((4,6)) | pass(4):0>0 + pad(6,1,2):1>1", "") \
    X("CK Tile", "ck_xor", "behind a xor", "packed((8,8)) | xor(8,8):0,1>0,1", "") \
    X("CK Tile", "ck_distribution", "a distribution over 8 threads", "dist{R=();H=((2,2,2),(4,2));P=((1.1,2.0));Y=(1.0,1.2,2.1)}", "") \
    X("CK Tile", "ck_window", "a window that reaches into padding", "load naive((5,6),(8,1)) | rpad(5,1):0>0 + pad(6,1,1):1>1 @@ dist{R=();H=((2,2),(2,4));P=((1.0,2.0));Y=(1.1,2.1)} origin=(2,0) p=(0)", "") \
    X("Distributed layouts", "dist_uneven", "torch's chunks of 9 rows for 4 ranks", "dtensor((9,8),(4),[S(0)])", "") \
    X("Distributed layouts", "dist_cyclic", "ScaLAPACK: blocks of 2 by 2 on 2 by 3 ranks", "scalapack(10,12,2,2,2,3)", "") \
    X("Distributed layouts", "dist_exchange", "a mesh transposed", "redistribute(dtensor((8,8),(2,2),[S(0),S(1)]), dtensor((8,8),(2,2),[S(1),S(0)]))", "")
/* clang-format on */

#endif
