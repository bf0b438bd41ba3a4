# What a layout cannot do is refused when the kernel is compiled: each case is the body of a kernel and words of the error.
# The compiler itself says nothing behind them: every error is a sentence of ours.
# Many kernels are compiled at once; what the compiler says names the case by `#line'. Of a cause that two cases share it speaks
# once, and not always with the line: a case of which nothing was said is compiled alone.

cmake_minimum_required(VERSION 3.25)
set(ENV{LC_ALL} C) # what compilers say is compared

set(cases
    "tsr_copy<16>(tsr_part<odd>(smem, threadIdx.x), r)|values are not adjacent"
    "tsr_copy<16>(tsr_part<column>(tsr_global<float, 2, 0>{global, {64, 64}, {1, 64}}, threadIdx.x), r)|the values are not adjacent"
    "tsr_copy_matrix<4>(tsr_part<rows>(tsr_smem(smem), threadIdx.x), u)|elements of 16 bits"
    "tsr_part<broken>(smem, threadIdx.x)|with Status=.*, Mode=0, Number0=3L, Number1=4L"
    "tsr_mma<none>(r, u, u)|Status="
    "tsr_mma<group>(r, u, u)|tsr_wgmma takes those of a warpgroup"
    "tsr_mma<scaled>(r, u, u)|tsr_mma_scaled takes block scales"
    "tsr_mma_sparse<scaled>(r, u, u, 0)|tsr_mma_scaled takes block scales"
    "tsr_mma<narrow_floats>(r, u, u)|mma.sync.kind::f8f6f4 of 4 and 6 bits: not on this target, but on sm_120a, sm_120f, sm_121a: compile with -gencode=arch=compute_120a,code=sm_120a or its like"
    "tsr_mma_scaled<scaled, 0, 2>(r, u, u, 0, 0)|the threads with the scales of A are 0 or 1"
    "tsr_mma_scaled<scaled_4, 1>(r, u, u, 0, 0)|of two 0 or 2"
    "tsr_tma_load_tile<tile, 2>(map, (tsr_barrier *)smem, tsr_smem((tsr_f16 *)smem), 0, 0)|cp.async.bulk.tensor.cta_group: not on this target, but on sm_100a, sm_100f, sm_103a, sm_110a: compile with -gencode=arch=compute_100a,code=sm_100a or"
    "tsr_gemm<warp>(u, u, r)|the fragments are"
    "tsr_gemm_wgmma<group, tile, plain>(tsr_smem((tsr_f16 *)smem), tsr_smem((tsr_f16 *)smem), c)|not a multiple of the {1} of an instruction.*Mode=1, Number0=24L, Number1=16L"
    "tsr_gemm_wgmma<group, tile, major>(tsr_smem((tsr_f16 *)smem), tsr_smem((tsr_f16 *)smem), c)|along mode {0}, but the instruction reads along mode {1}.*Number0=0L, Number1=1L"
    "tsr_gemm_wgmma<group, tile, narrow>(tsr_smem((tsr_f16 *)smem), tsr_smem((tsr_f16 *)smem), c)|not one of the blocks"
    "tsr_gemm_wgmma<group, tile, tile>(tsr_smem(smem), tsr_smem(smem), c)|elements of the atom's type"
    "(void)tsr_frag<rows, float>()|with Status=.*, Mode=0, Number0=32L, Number1=8L"
    "(void)tsr_frag<frag_odd, tsr_f16>()|values fill whole registers"
    "tsr_frag_retile<frag_a>(tsr_frag<frag_8, tsr_e4m3>())|value {1} of thread {0} is at.*Mode=0, Number0=0L, Number1=2L, Number2=0L, Number3=2L, Number4=8L, Number5=0L"
    "tsr_frag_retile<frag_a>(tsr_frag<frag_wide, tsr_f16>())|threads of {1} values.*Number0=128L, Number1=64L, Number2=128L, Number3=32L"
    "tsr_frag_zip(tsr_frag<frag_a, float>(), tsr_frag<frag_wide, float>(), tsr_plus())|the same partition, or one without a mode"
    "tsr_frag_slice<frag_a, 2>(tsr_frag<frag_a, tsr_f16>())|modes {0} to {1} are not a range"
    "tsr_frag_slice<frag_8, 32>(tsr_frag<frag_wide, tsr_f16>())|value {1} of thread {0} is at"
    "tsr_frag_fold<1>(tsr_frag<frag_a, tsr_f16>(), tsr_plus())|numbers of 32 bits or more"
    "tsr_frag_reduce<0>(tsr_frag<frag_a, float>(), tsr_plus())|threads of several warps need shared memory"
    "tsr_frag_reduce<7>(tsr_frag<frag_a, float>(), tsr_plus())|does not exist"
    "tsr_frag_widen(tsr_frag<frag_a, float>())|quads of threads do not hold"
    "tsr_frag_store<16>(tsr_frag_widen(tsr_frag<frag_a, float>()), tsr_global<float, 2, 1>{global, {64, 64}, {64, 1}}, threadIdx.x)|quads of threads do not hold"
    "tsr_gemm_wgmma<group_rs, plain>(tsr_frag<frag_a, tsr_f16>(), tsr_smem((tsr_f16 *)smem), sums)|not a multiple of the {1} of an instruction"
    "tsr_gemm_wgmma<group_rs, tile>(tsr_frag<frag_a, tsr_f16>(), tsr_smem((tsr_f16 *)smem), wide)|threads of {1} values"
    "tsr_gemm_wgmma<group_rs, tile>(tsr_frag<frag_8, tsr_f16>(), tsr_smem((tsr_f16 *)smem), sums)|value {1} of thread {0} is at"
    "static_assert(TSR_FINE(tsr_same_partition(frag_a, frag_8).why))|value {1} of thread {0} is at"
    "tsr_part<identity>(smem, threadIdx.x)|this leaf counts coordinates"
    "tsr_part<rows>(tsr_global<float, 2, 1>{global, {64, 64}, {64, 1}}, threadIdx.x)|this leaf counts offsets"
    "tsr_part<identity>(tsr_global<float, 1, 0>{global, {64}, {1}}, threadIdx.x)|along a mode that the coordinate has not"
    "smem[tsr_at<identity>(1)] = 0|a layout of coordinates gives no offsets"
    "tsr_copy<4>(tsr_part<rows>(smem, threadIdx.x), c)|as many elements as the part has values"
    "tsr_copy_if<4>(tsr_part<identity>(tsr_global<float, 2, 1>{global, {64, 64}, {64, 1}}, threadIdx.x), r)|as many elements as"
    "tsr_copy<4>(tsr_part<rows>((int *)smem, threadIdx.x), eight)|registers of the elements' type, or of bits"
    "tsr_copy<2>(tsr_part<rows>((tsr_f16 *)smem, threadIdx.x), r)|registers of the elements' type, or of bits"
    "tsr_copy<4>(eight, tsr_part<rows>((float const *)smem, threadIdx.x))|what is written to is const"
    "tsr_copy<12>(tsr_part<rows>(smem, threadIdx.x), eight)|an access has 1, 2, 4, 8 or 16 bytes"
    "tsr_copy<16>(tsr_part<moved>(smem, threadIdx.x), eight)|values are not adjacent"
    "tsr_copy_async<16>(tsr_part<identity>(tsr_global<float, 2, 1>{global, {64, 64}, {64, 1}}, threadIdx.x), tsr_part<rows>(tsr_smem((int *)smem), threadIdx.x))|elements of one type"
    "tsr_copy_matrix<4>(tsr_part<rows>(tsr_smem((tsr_f16 *)smem), threadIdx.x), eight_words)|8 values of the part for each access"
    "tsr_copy_matrix<4>(tsr_part<rows>(tsr_smem((tsr_f16 *)smem), threadIdx.x), six)|registers of whole accesses"
    "tsr_copy_matrix<2>(tsr_part<quads>(tsr_smem((tsr_f16 *)smem), threadIdx.x), u)|another number of matrices"
    "tsr_copy_matrix<4>(u, tsr_part<pairs>(tsr_smem((tsr_f16 *)smem), threadIdx.x))|another number of matrices"
    "tsr_gemm<warp>(r, two, r)|registers of the atom's types"
    "tsr_gemm<warp>(u, two, ints)|accumulators of the atom's type"
    "tsr_gemm_wgmma<group, tile, tile>(tsr_smem((tsr_bf16 *)smem), tsr_smem((tsr_bf16 *)smem), c)|elements of the atom's type"
    "tsr_gemm_wgmma<group, tile, tile>(tsr_smem((tsr_f16 *)smem), tsr_smem((tsr_f16 *)smem), words)|accumulators are floats for F32"
    "tsr_gemm_wgmma<group_rs, tile>(tsr_frag<frag_a, tsr_bf16>(), tsr_smem((tsr_f16 *)smem), sums)|elements of the atom's type"
    "tsr_frag_store<4>(sums, tsr_global<tsr_f16, 2, 1>{(tsr_f16 *)global, {64, 64}, {64, 1}}, 0)|elements of one type"
    "tsr_frag_store<4>(tsr_frag_reduce<0>(sums, tsr_plus(), tsr_smem(smem), 0), tsr_global<float, 1, 0>{global, {64}, {1}}, 0)|along a mode that the coordinate has not"
    "tsr_frag_map_at<1>(sums, 0, keep())|along a mode that the coordinate has not"
    "view<TSR_GMEM, matrix>((float const *)global).set(1.f, 0, 0)|the elements of the view are const"
    "view<TSR_GMEM, matrix>((uint8_t *)global).update<TSR_UPDATE_ATOMIC_ADD>((uint8_t)1, 0, 0)|elements of 16, 32 or 64 bits"
    "tsr_load_tile(window<warp_rows>(view<TSR_GMEM, matrix>(global), 0), eight_doubles)|a buffer of the elements' type"
    "tsr_store_tile(window<warp_rows>(view<TSR_GMEM, matrix>((int *)global), 0), eight)|a buffer of the elements' type"
    "tsr_store_tile(window<warp_rows>(view<TSR_GMEM, matrix>((float const *)global), 0), eight)|elements of the view are const"
    "tsr_tma_load_tile<narrow>(map, (tsr_barrier *)smem, tsr_smem((tsr_f16 *)smem), 0, 0)|not one of the blocks"
    "tsr_tma_store_tile<tile>(map, tsr_smem(smem), 0, 0)|not one of the blocks"
    "tsr_tma_load_tile_shared<small, 2>(map, (tsr_barrier *)smem, tsr_smem((tsr_f16 *)smem), 0, 0)|not at a multiple of.*Number0=64L, Number1=128L"
    "smem[sizeof(plan<TSR_F16, TSR_F16, 128, 256, TSR_HOPPER_TURNS>::memory)] = 0|registers hold 192.*Number0=128L, Number1=256L, Number2=256L"
    "smem[sizeof(plan<TSR_F8_E4M3FN, TSR_BF16, 128, 192, TSR_HOPPER_SCALES>::memory)] = 0|registers hold 192.*Number0=128L, Number1=192L, Number2=288L"
    "smem[sizeof(plan<TSR_F16, TSR_F16, 128, 128, TSR_HOPPER_SCALES>::memory)] = 0|no products of {0} by {1} bits.*Number0=16L, Number1=16L"
    "plan_of(tsr_hopper_gemm<plan<TSR_F8_E4M3FN, TSR_BF16, 128, 128, scaled_pairs>, tsr_gemm_scaled<epilogue<TSR_BF16>>>)|registers hold 192.*Number0=128L, Number1=128L, Number2=384L"
    "plan_of(tsr_hopper_gemm<plan<TSR_I8, TSR_I32, 96, 128, TSR_HOPPER_D_ANY>, epilogue<TSR_I32>>)|no tile of {0} by {1}.*Number0=96L, Number1=128L"
    "smem[sizeof(plan<TSR_I8, TSR_I32, 128, 128, TSR_HOPPER_B_MN>::memory)] = 0|contiguous along K.*Mode=1, Number0=8L"
    "tsr_cp_async<6>(smem, global)|4, 8 or 16 bytes"
    "view<TSR_GMEM, matrix>(global).get(0)|an index for each dimension"
    "view<TSR_TMEM, matrix>(global).get(0, 0)|tensor memory has no addresses of elements"
    "view<TSR_SMEM, matrix>(smem).update<TSR_UPDATE_ATOMIC_ADD>(1.f, 0, 0)|atomic operations are for global memory"
    "view<TSR_GMEM, gap>(global).get(0, 0)|with Status=.*, Mode=1, Number0=9L, Number1=8L"
    "view<TSR_GMEM, large>(global).get(0, 0)|beyond 32 bits need uint64_t"
    "tsr_load_tile(window<warp_rows>(view<TSR_GMEM, matrix>(global), 0, 0, 0), r)|as many elements as Y"
    "tsr_load_tile(window<warp_line>(view<TSR_GMEM, matrix>(global), 0, 0), r)|with Status="
    "tsr_update_tile<TSR_UPDATE_ATOMIC_MAX>(window<warp_rows>(view<TSR_SMEM, matrix>(smem), 0), eight)|are for global memory"
    "tsr_async_load_tile(window<warp_rows>(view<TSR_GMEM, matrix>(global), 0), window<warp_rows>(view<TSR_GMEM, matrix>(global), 0))|from global into shared memory"
    "tsr_async_load_tile(window<warp_rows>(view<TSR_GMEM, odd_matrix>((char const *)global), 0, 0, 0), window<warp_rows>(view<TSR_SMEM, matrix>((char *)smem), 0))|neighbours in both windows"
    "tsr_copy<4>(tsr_part<rows>(smem, threadIdx.x), tsr_part<rows>(smem, threadIdx.x))|not two of a kind"
    "tsr_copy_if<4>(tsr_part<rows>(smem, threadIdx.x), r)|a part of a tsr_global, whose extents are known"
    "tsr_copy_async<16>(tsr_part<rows>(tsr_smem(smem), threadIdx.x), square(global))|from a part of a tsr_global to a part of shared"
    "tsr_copy_async_if<16>(square(global), r)|from a part of a tsr_global to a part of shared"
    "tsr_copy_matrix<4>(tsr_part<quads>(tsr_smem((tsr_f16 *)smem), threadIdx.x), r)|an array of uint32_t"
    "tsr_copy_matrix<stsm, tile>(tsr_smem((tsr_f16 *)smem), halves, 0)|a tiled copy by ldmatrix"
    "tsr_copy_matrix<stsm, tile>(halves, tsr_smem((tsr_bf16 *)smem), 0)|tsr_copy_matrix: elements of one type"
    "tsr_copy_matrix<stsm, tile>(tsr_frag<frag_wide, tsr_f16>(), tsr_smem((tsr_f16 *)smem), 0)|the extents of the fragment's"
    "tsr_copy_matrix<stsm, tile>(tsr_frag<warps_a, tsr_f16>(), tsr_smem((tsr_f16 *)smem), 0)|threads of {1} values"
    "tsr_copy_matrix<stsm_t, tile>(halves, tsr_smem((tsr_f16 *)smem), 0)|a thread points at 8 neighbours"
    "tsr_copy_matrix<stsm, tile>(u, tsr_smem((tsr_f16 *)smem), 0)|tsr_smem.pointer., a fragment"
    "tsr_axpby(1.f, r, 1.f, tsr_part<rows>(smem, threadIdx.x))|a factor, an array of registers, a factor, and a part of a tsr_global"
    "tsr_part(smem, threadIdx.x)|tsr_part<layout>"
    "tsr_gemm<warp>(sums, sums, sums)|three arrays of registers by an atom"
    "tsr_gemm<warps>(u, two, r)|three fragments by a tiled MMA"
    "tsr_gemm<warps>(tsr_frag<warps_b, tsr_f16>(), tsr_frag<warps_b, tsr_f16>(), warps_sums)|value {1} of thread {0} is at"
    "tsr_gemm<warps>(tsr_frag<warps_a, tsr_bf16>(), tsr_frag<warps_b, tsr_f16>(), warps_sums)|tsr_gemm: elements of the atom's types"
    "tsr_gemm<warps>(tsr_frag<warps_a, tsr_f16>(), tsr_frag<warps_b, tsr_f16>(), sums)|value {1} of thread {0} is at"
    "tsr_gemm_wgmma<group, tile, tile>(tsr_smem((tsr_f16 *)smem), tsr_smem((tsr_f16 *)smem), &c[0])|an array or a fragment of sums"
    "tsr_gemm_wgmma<sparse, tile, tile>(tsr_smem((tsr_f16 *)smem), tsr_smem((tsr_f16 *)smem), c)|A is dense"
    "tsr_wgmma_fence(eight_doubles)|tsr_wgmma_hold: registers of 32 bits"
    "tsr_frag_load<4>(tsr_global<float, 2, 1>{global, {64, 64}, {64, 1}}, 0)|tsr_frag_load<Bytes, layout>"
    "tsr_frag_store<4>(sums, smem, 0)|a fragment, a tsr_global, and the number of a thread"
    "tsr_frag_map(c, tsr_plus())|a fragment and a function of a number"
    "tsr_frag_zip(sums, 2.f, tsr_times())|two fragments and a function of two numbers"
    "tsr_frag_map_at(sums, keep())|a fragment, the number of a thread, a function"
    "tsr_frag_mask(sums, 0.f, keep())|a fragment, the number of a thread, a number, a function"
    "tsr_frag_mask(tsr_frag<frag_c, int>(), 0, 0.5f, keep())|a number of the fragment's type, or an int"
    "tsr_load_tile(window<warp_rows>(view<TSR_GMEM, matrix>(global), 0), eight, 0.5)|a number of the buffer's type, or an int"
    "tsr_frag_fold<1>(sums)|tsr_frag_fold<mode>"
    "tsr_frag_reduce(sums, tsr_plus())|tsr_frag_reduce<mode>"
    "tsr_frag_reduce<0>(sums, tsr_plus(), tsr_smem(eight_doubles), 0)|for several warps tsr_smem.pointer. of its type"
    "tsr_tma_load_tile<tile>(map, tsr_smem((tsr_f16 *)smem), (tsr_barrier *)smem, 0, 0)|a map, a barrier, tsr_smem.pointer., and the row"
    "tsr_tma_store_tile<tile>(map, tsr_smem((tsr_f16 *)smem), 0)|tsr_tma_store_tile<layout>: a map, tsr_smem.pointer., and the row"
    "tsr_tma_reduce_tile<tile>(map, tsr_smem((tsr_f16 *)smem), 0, 0)|tsr_tma_reduce_tile<layout, operation>"
    "window<warp_rows>(global, 0)|a view, the number of a thread"
    "tsr_move_tile_window(window<warp_rows>(view<TSR_GMEM, matrix>(global), 0, 0, 0), 0, 1)|a pointer to a window"
    "tsr_load_tile(view<TSR_GMEM, matrix>(global), eight)|tsr_load_tile: a window and a buffer"
    "tsr_store_tile(eight, window<warp_rows>(view<TSR_GMEM, matrix>(global), 0))|tsr_store_tile: a window and a buffer"
    # A verb of shared memory, and memory that nothing says is shared: by other template arguments, so that each is said.
    "tsr_copy_async<4>(square(global), tsr_part<rows>(c, threadIdx.x))|tsr_copy_async: from a part of a tsr_global to a part of shared memory, of tsr_smem"
    "tsr_copy_async_if<4>(square(global), tsr_part<rows>(c, threadIdx.x))|tsr_copy_async_if: from a part of a tsr_global to a part of shared memory, of tsr_smem"
    "tsr_copy_matrix<1>(tsr_part<quads>((tsr_f16 *)smem, threadIdx.x), u)|a part of shared memory, of tsr_smem"
    "tsr_copy_matrix<1, true>(u, tsr_part<quads>((tsr_f16 *)smem, threadIdx.x))|a part of shared memory, of tsr_smem"
    "tsr_copy_matrix<stsm, plain>((tsr_f16 *)smem, halves, 0)|tsr_smem.pointer., a fragment"
    "tsr_copy_matrix<stsm_t, plain>(halves, (tsr_f16 *)smem, 0)|tsr_smem.pointer., a fragment"
    "tsr_gemm_wgmma<group, plain, tile>((tsr_f16 *)smem, tsr_smem((tsr_f16 *)smem), c)|tsr_smem.pointer. of tiles in shared memory"
    "tsr_gemm_wgmma<group, tile, plain>(tsr_smem((tsr_f16 *)smem), (tsr_f16 *)smem, sums)|tsr_smem.pointer. of tiles in shared memory"
    "tsr_gemm_wgmma<group_rs, plain>(tsr_frag<frag_a, tsr_f16>(), (tsr_f16 *)smem, sums)|tsr_smem.pointer. of tiles in shared memory"
    "tsr_tma_load_tile<plain>(map, (tsr_barrier *)smem, (tsr_f16 *)smem, 0, 0)|tsr_tma_load_tile<layout>: a map, a barrier, tsr_smem.pointer., and the row"
    "tsr_tma_load_tile_shared<plain, 2>(map, (tsr_barrier *)smem, (tsr_f16 *)smem, 0, 0)|CTAs>: a map, a barrier, tsr_smem.pointer., and the row"
    "tsr_tma_store_tile<plain>(map, (tsr_f16 *)smem, 0, 0)|tsr_tma_store_tile<layout>: a map, tsr_smem.pointer., and the row"
    "tsr_tma_reduce_tile<plain, TSR_TMA_ADD>(map, (tsr_f16 *)smem, 0, 0)|operation>: a map, tsr_smem.pointer., and the row"
    "tsr_frag_reduce<1>(sums, tsr_plus(), c, 0)|for several warps tsr_smem.pointer. of its type"
    "tsr_copy_async<8>(square(global), tsr_part<rows>(tsr_gmem(out), threadIdx.x))|tsr_copy_async: from a part of a tsr_global to a part of shared memory, of tsr_smem"
    "tsr_copy_async_if<8>(square(global), tsr_part<rows>(tsr_gmem(out), threadIdx.x))|tsr_copy_async_if: from a part of a tsr_global to a part of shared memory, of tsr_smem"
    "tsr_copy_matrix<2>(tsr_part<quads>(tsr_gmem((tsr_f16 *)global), threadIdx.x), u)|a part of shared memory, of tsr_smem"
    "tsr_copy_matrix<2, true>(u, tsr_part<quads>(tsr_gmem((tsr_f16 *)global), threadIdx.x))|a part of shared memory, of tsr_smem"
    "tsr_copy_matrix<stsm, major>(tsr_gmem((tsr_f16 *)global), halves, 0)|tsr_smem.pointer., a fragment"
    "tsr_copy_matrix<stsm_t, major>(halves, tsr_gmem((tsr_f16 *)global), 0)|tsr_smem.pointer., a fragment"
    "tsr_gemm_wgmma<group, major, tile>(tsr_gmem((tsr_f16 *)global), tsr_smem((tsr_f16 *)smem), c)|tsr_smem.pointer. of tiles in shared memory"
    "tsr_gemm_wgmma<group, tile, major>(tsr_smem((tsr_f16 *)smem), tsr_gmem((tsr_f16 *)global), sums)|tsr_smem.pointer. of tiles in shared memory"
    "tsr_gemm_wgmma<group_rs, major>(tsr_frag<frag_a, tsr_f16>(), tsr_gmem((tsr_f16 *)global), sums)|tsr_smem.pointer. of tiles in shared memory"
    "tsr_tma_load_tile<major>(map, (tsr_barrier *)smem, tsr_gmem((tsr_f16 *)global), 0, 0)|tsr_tma_load_tile<layout>: a map, a barrier, tsr_smem.pointer., and the row"
    "tsr_tma_load_tile_shared<major, 2>(map, (tsr_barrier *)smem, tsr_gmem((tsr_f16 *)global), 0, 0)|CTAs>: a map, a barrier, tsr_smem.pointer., and the row"
    "tsr_tma_store_tile<major>(map, tsr_gmem((tsr_f16 *)global), 0, 0)|tsr_tma_store_tile<layout>: a map, tsr_smem.pointer., and the row"
    "tsr_tma_reduce_tile<major, TSR_TMA_ADD>(map, tsr_gmem((tsr_f16 *)global), 0, 0)|operation>: a map, tsr_smem.pointer., and the row"
    "tsr_frag_reduce<2>(sums, tsr_plus(), tsr_gmem(out), 0)|for several warps tsr_smem.pointer. of its type"
    "tsr_copy_async<2>(square(global), tsr_part<rows>(tsr_rmem(c), threadIdx.x))|tsr_copy_async: from a part of a tsr_global to a part of shared memory, of tsr_smem"
    "tsr_copy_async_if<2>(square(global), tsr_part<rows>(tsr_rmem(c), threadIdx.x))|tsr_copy_async_if: from a part of a tsr_global to a part of shared memory, of tsr_smem"
    "tsr_copy_matrix<8>(tsr_part<quads>(tsr_rmem((tsr_f16 *)r), threadIdx.x), u)|a part of shared memory, of tsr_smem"
    "tsr_copy_matrix<8, true>(u, tsr_part<quads>(tsr_rmem((tsr_f16 *)r), threadIdx.x))|a part of shared memory, of tsr_smem"
    "tsr_copy_matrix<stsm, small>(tsr_rmem((tsr_f16 *)r), halves, 0)|tsr_smem.pointer., a fragment"
    "tsr_copy_matrix<stsm_t, small>(halves, tsr_rmem((tsr_f16 *)r), 0)|tsr_smem.pointer., a fragment"
    "tsr_gemm_wgmma<group, small, tile>(tsr_rmem((tsr_f16 *)r), tsr_smem((tsr_f16 *)smem), c)|tsr_smem.pointer. of tiles in shared memory"
    "tsr_gemm_wgmma<group, tile, small>(tsr_smem((tsr_f16 *)smem), tsr_rmem((tsr_f16 *)r), sums)|tsr_smem.pointer. of tiles in shared memory"
    "tsr_gemm_wgmma<group_rs, small>(tsr_frag<frag_a, tsr_f16>(), tsr_rmem((tsr_f16 *)r), sums)|tsr_smem.pointer. of tiles in shared memory"
    "tsr_tma_load_tile<small>(map, (tsr_barrier *)smem, tsr_rmem((tsr_f16 *)r), 0, 0)|tsr_tma_load_tile<layout>: a map, a barrier, tsr_smem.pointer., and the row"
    "tsr_tma_load_tile_shared<small, 2>(map, (tsr_barrier *)smem, tsr_rmem((tsr_f16 *)r), 0, 0)|CTAs>: a map, a barrier, tsr_smem.pointer., and the row"
    "tsr_tma_store_tile<small>(map, tsr_rmem((tsr_f16 *)r), 0, 0)|tsr_tma_store_tile<layout>: a map, tsr_smem.pointer., and the row"
    "tsr_tma_reduce_tile<small, TSR_TMA_ADD>(map, tsr_rmem((tsr_f16 *)r), 0, 0)|operation>: a map, tsr_smem.pointer., and the row"
    "tsr_frag_reduce<3>(sums, tsr_plus(), tsr_rmem(c), 0)|for several warps tsr_smem.pointer. of its type"
    "tsr_registers<40, 232, 240>::set<0>()|more than the registers that the block begins with"
    "tsr_registers<40, 228, 232>::set<0>()|tsr_registers: multiples of 8 from 24 to 256"
    "tsr_registers<40, 224, 224>::set<3>()|a number for each warpgroup"
    "tsr_unpack_f16<float>(0, u)|words of tsr_u4, tsr_i4 or tsr_e2m1"
    "tsr_copy<4>(tsr_part<rows>((tsr_i4 *)smem, threadIdx.x), u)|tsr_copy: elements of whole bytes"
    "tsr_tma_load_tile_im2col<major>(map, (tsr_barrier *)smem, tsr_smem((tsr_f16 *)smem), taps, 0, 0, 0, 0)|neighbours in shared memory are {0} elements apart"
    "tsr_tma_load_tile_im2col<tile>(map, (tsr_barrier *)smem, tsr_smem((tsr_f16 *)smem), taps, 0, 0)|a pixel .w,n. to .w,h,d,n."
    "tsr_tma_load_tile_im2col<tile>(map, (tsr_barrier *)smem, (tsr_f16 *)smem, taps, 0, 0)|tsr_smem.pointer., the tap, the channel"
    "tsr_copy<4>(bounded(global), eight)|tsr_copy: .*of a part with a lower bound, or of rows by an index, tsr_copy_if"
    "tsr_copy<4>(eight, bounded(global))|tsr_copy: .*of a part with a lower bound, or of rows by an index, tsr_copy_if"
    "tsr_copy_async<16>(bounded(global), tsr_part<rows>(tsr_smem(smem), threadIdx.x))|tsr_copy_async: .*of a part with a lower bound, or of rows by an index, tsr_copy_async_if"
    "tsr_copy_async_if<2>(bounded(global), tsr_part<rows>(tsr_smem(smem), threadIdx.x))|tsr_copy_async: 4, 8 or 16 bytes at a time"
    "tsr_copy_async_if<4>(bounded(global), tsr_part<rows>(tsr_smem((int *)smem), threadIdx.x))|tsr_copy_async: elements of one type"
    "tsr_copy_async_if<4>(bounded(global), tsr_part<rows>(tsr_gmem(out), threadIdx.x))|tsr_copy_async_if: from a part of a tsr_global to a part of shared memory, of tsr_smem"
    "tsr_copy_if<4>(bounded(global), r)|as many elements as"
    "tsr_copy_if<16>(bounded(global), eight)|values are not adjacent"
    "tsr_frag_store<4>(halves, tsr_lower_bound(tsr_global<float, 2, 1>{global, {64, 64}, {64, 1}}, {{1, 1}}), 0)|tsr_frag_store: elements of one type"
    "tsr_frag_load<4, frag_c>(global, 0)|tsr_frag_load<Bytes, layout>: from a tsr_global"
    "tsr_produce<56, 224, 64>([] {})|one thread produces, or all 128 of warpgroup 0"
    "tsr_read_once<2>(global, u)|tsr_read_once: 4, 8 or 16 bytes"
    "tsr_frag_each<1>(sums, 0, keep())|along a mode that the coordinate has not"
    "tsr_frag_each(sums, 0, 0, 0)|a fragment, the number of a thread, a function of a number and a coordinate")

# What is no error: numbers of another type where a float is wanted, arrays where fragments may stand.
set(legal "tsr_frag_mask(sums, 0, 0, keep())" "tsr_axpby(1.f, c, 0, tsr_part<frag_c>(tsr_global<float, 2, 1>{global, {64, 64}, {64, 1}}, 0))"
    "tsr_load_tile(window<warp_rows>(view<TSR_GMEM, matrix>(global), 0), eight, 0)" "tsr_wgmma_fence(c, sums)" "tsr_wgmma_wait<0>(c, words)"
    "sums = tsr_frag_fill<frag_c>(1.f)" "tsr_copy_matrix<stsm, tile>(halves, tsr_smem((tsr_f16 *)smem), 0)"
    "tsr_registers<24, 240, 240>::set<1>()" "tsr_tma_load(map, (tsr_barrier *)smem, smem, 0, 0)" "tsr_frag_each(sums, 0, keep())")

set(before [[
#include <tessera/cuda.cuh>
#include <tessera/cuda/bulk.cuh>
#include <tessera/cuda/hopper_gemm.cuh>
#include <tessera/cuda/lower_bound.cuh>
#include <tessera/cuda/tile_async.cuh>
#include <tessera/cuda/tile_im2col.cuh>
#define map (tsr_tma_map const *)global
template <int A, int D, int M, int N, int Flags> using plan = tsr_hopper_plan<A, A, D, M, N, Flags>;
template <int D> using epilogue = tsr_gemm_epilogue<D, D, 0>;
enum { scaled_pairs = TSR_HOPPER_SCALES | TSR_HOPPER_TURNS | TSR_HOPPER_PAIRS };
template <class F> __device__ void plan_of(F *) {}
#define view tsr_make_tensor_view
#define window tsr_make_tile_window
static constexpr int64_t lengths[2] = {64, 8}, odd_lengths[2] = {64, 7}, large_lengths[2] = {1 << 20, 1 << 20};
static constexpr tsr_descriptor matrix = tsr_make_naive_tensor_descriptor_packed(2, lengths, 0);
static constexpr tsr_descriptor odd_matrix = tsr_make_naive_tensor_descriptor_packed(2, odd_lengths, 0);
static constexpr tsr_descriptor large = tsr_make_naive_tensor_descriptor_packed(2, large_lengths, 0);
static constexpr int64_t begin[2] = {0, 9}, end[2] = {4, 8};
static constexpr tsr_descriptor gap = tsr_slice_tensor_descriptor(matrix, begin, end);
static constexpr tsr_encoding_lists row_lists = {
    2, 1, {0, {}}, {{1, {32}}, {1, {8}}}, {{1, {{1, 0}}}}, {1, {{2, 0}}}};
static constexpr tsr_encoding_lists line_lists = {1, 1, {0, {}}, {{2, {32, 4}}}, {{1, {{1, 0}}}}, {1, {{1, 1}}}};
static constexpr tsr_encoding warp_rows = tsr_make_tile_distribution_encoding(&row_lists);
static constexpr tsr_encoding warp_line = tsr_make_tile_distribution_encoding(&line_lists);
static constexpr tsr_layout odd = tsr_make_layout(tsr_t(tsr_s(32), tsr_s(4)), tsr_t(tsr_s(5), tsr_s(1)));
static constexpr tsr_layout rows = tsr_make_layout(tsr_t(tsr_s(32), tsr_s(8)), tsr_t(tsr_s(8), tsr_s(1)));
static constexpr tsr_layout identity = tsr_composition(tsr_make_identity_layout(tsr_t(tsr_s(8), tsr_s(32))),
                                                       tsr_make_layout(tsr_t(tsr_s(32), tsr_s(8)), tsr_t(tsr_s(8), tsr_s(1))));
struct keep {
    template <class C> __device__ float operator()(float x, C) const { return x; }
    template <class C> __device__ bool operator()(C) const { return true; }
};
TSR_DEVICE auto square(float *at) { return tsr_part<identity>(tsr_global<float, 2, 1>{at, {64, 64}, {64, 1}}, threadIdx.x); }
TSR_DEVICE auto bounded(float *at)
{
    return tsr_part<identity>(tsr_lower_bound(tsr_global<float, 2, 1>{at, {64, 64}, {64, 1}}, {{1, 1}}), threadIdx.x);
}
static constexpr tsr_layout moved = tsr_composition_offset(tsr_make_swizzle(2, 2, 3), tsr_s(2), rows);
static constexpr tsr_layout column = tsr_composition(tsr_make_identity_layout(tsr_t(tsr_s(32), tsr_s(4))),
                                                     tsr_make_layout(tsr_t(tsr_s(32), tsr_s(4))));
static constexpr tsr_layout broken = tsr_composition(
    tsr_make_layout(tsr_t(tsr_s(4), tsr_s(6)), tsr_t(tsr_s(2), tsr_s(3))), tsr_make_layout(tsr_s(6), tsr_s(3)));
static constexpr tsr_mma_atom none = tsr_warp_mma(80, 16, 8, 17, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom warp = tsr_warp_mma(80, 16, 8, 16, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom scaled = tsr_warp_mma(120, 16, 8, 32, TSR_F32, TSR_F8_E4M3FN, TSR_F8_E4M3FN, TSR_MMA_SCALE_32);
static constexpr tsr_mma_atom scaled_4 = tsr_warp_mma(120, 16, 8, 64, TSR_F32, TSR_F4_E2M1, TSR_F4_E2M1, TSR_MMA_SCALE_32);
static constexpr tsr_mma_atom narrow_floats = tsr_warp_mma(120, 16, 8, 32, TSR_F32, TSR_F4_E2M1, TSR_F8_E4M3FN, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom group = tsr_wgmma(64, TSR_F32, TSR_F16, TSR_F16, 0, TSR_MMA_PLAIN);
static constexpr tsr_layout block = tsr_smem_atom(TSR_MAJOR_K, 3, TSR_F16);
static constexpr tsr_layout tile = tsr_tile_to_shape(block, tsr_t(tsr_s(64), tsr_s(64)));
static constexpr tsr_layout small = tsr_make_layout(tsr_t(tsr_s(8), tsr_s(8)), tsr_right());
static constexpr tsr_layout plain = tsr_tile_to_shape(tsr_smem_atom(TSR_MAJOR_K, 0, TSR_F16), tsr_t(tsr_s(64), tsr_s(24)));
static constexpr tsr_layout major = tsr_tile_to_shape(tsr_smem_atom(TSR_MAJOR_MN, 3, TSR_F16), tsr_t(tsr_s(64), tsr_s(64)));
static constexpr tsr_layout narrow = tsr_swizzled(tsr_make_swizzle(3, 4, 3), tsr_make_layout(tsr_t(tsr_s(64), tsr_s(64)), tsr_right()));
static constexpr tsr_mma_atom group_rs = tsr_wgmma(64, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_A_REGISTERS, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom group_8 = tsr_wgmma(64, TSR_F32, TSR_F8_E4M3FN, TSR_F8_E4M3FN, TSR_MMA_A_REGISTERS, TSR_MMA_PLAIN);
static constexpr tsr_layout frag_a = tsr_thread_values_a(tsr_make_tiled_mma(group_rs), tsr_make_identity_layout(tsr_t(tsr_s(64), tsr_s(64))));
static constexpr tsr_layout frag_8 = tsr_thread_values_a(tsr_make_tiled_mma(group_8), tsr_make_identity_layout(tsr_t(tsr_s(64), tsr_s(64))));
static constexpr tsr_layout frag_c = tsr_thread_values_c(tsr_make_tiled_mma(group_rs), tsr_make_identity_layout(tsr_t(tsr_s(64), tsr_s(64))));
template <int Matrices> static constexpr tsr_layout pointers = tsr_tidfrg_d(tsr_make_tiled_copy_c(
    tsr_copy_values(tsr_make_copy(TSR_COPY_SM90_STSM_N, Matrices), TSR_F16), tsr_make_tiled_mma(group)), tile);
static constexpr tsr_mma_atom sparse = tsr_wgmma(64, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_SPARSE, TSR_MMA_PLAIN);
static constexpr tsr_tiled_mma warps = tsr_make_tiled_mma_shape(warp, tsr_t(tsr_s(2), tsr_s(2)));
static constexpr tsr_layout warps_a = tsr_thread_values_a(warps, tsr_make_identity_layout(tsr_t(tsr_s(64), tsr_s(64))));
static constexpr tsr_layout warps_b = tsr_thread_values_b(warps, tsr_make_identity_layout(tsr_t(tsr_s(64), tsr_s(64))));
static constexpr tsr_layout warps_c = tsr_thread_values_c(warps, tsr_make_identity_layout(tsr_t(tsr_s(64), tsr_s(64))));
static constexpr tsr_tiled_copy stsm = tsr_make_tiled_copy_c(tsr_copy_values(tsr_make_copy(TSR_COPY_SM90_STSM_N, 4), TSR_F16), tsr_make_tiled_mma(group));
static constexpr tsr_tiled_copy stsm_t = tsr_make_tiled_copy_c(tsr_copy_values(tsr_make_copy(TSR_COPY_SM90_STSM_T, 8), TSR_F16), tsr_make_tiled_mma(group));
#define pairs pointers<2>
#define quads pointers<4>
static constexpr tsr_layout frag_odd = tsr_composition(
    tsr_make_identity_layout(tsr_t(tsr_s(32), tsr_s(3))), tsr_make_layout(tsr_t(tsr_s(32), tsr_s(3))));
static constexpr tsr_layout frag_wide = tsr_thread_values_c(tsr_make_tiled_mma(group_rs), tsr_make_identity_layout(tsr_t(tsr_s(64), tsr_s(128))));
]])
set(variables [[
{
    __shared__ alignas(1024) float smem[4096];
    float r[4] = {}, c[32] = {}, eight[8] = {};
    double eight_doubles[8] = {};
    int ints[4] = {};
    uint16_t taps[3] = {};
    uint32_t u[4] = {}, two[2] = {}, six[6] = {}, eight_words[8] = {}, words[32] = {};
    tsr_frag<frag_c, float> sums;
    tsr_frag<frag_wide, float> wide;
    tsr_frag<warps_c, float> warps_sums;
    tsr_frag<frag_c, tsr_f16> halves;
    (void)taps, (void)halves, (void)warps_sums, (void)sums, (void)wide, (void)c, (void)u, (void)ints, (void)two, (void)six, (void)eight_words, (void)words, (void)eight_doubles, (void)smem, (void)eight;
]])

set(target 90a)
if(CASES) # others
    include(${CASES})
endif()

# Compiles cases, and takes those that are refused in their words off `left`.
function(compile)
    set(source "${before}")
    foreach(i IN LISTS ARGN)
        list(GET cases ${i} case)
        string(REGEX REPLACE "[|].*" "" body "${case}")
        string(APPEND source "#line 1 \"case_${i}_\"\n__global__ void kernel_${i}(float *global, float *out)\n${variables}"
            "    ${body};\n    out[threadIdx.x] = r[0];\n}\n")
    endforeach()
    file(WRITE ${WORK_DIR}/refused.cu "${source}")
    execute_process(COMMAND ${COMPILER} -std=c++17 -gencode=arch=compute_${target},code=sm_${target} -w -I${INCLUDE_DIR} -ptx
            -o ${WORK_DIR}/refused.ptx ${WORK_DIR}/refused.cu
        OUTPUT_VARIABLE said ERROR_VARIABLE said)
    string(REGEX REPLACE "[][;]" "" errors "${said}")
    string(REPLACE "\n\n" ";" errors "${errors}") # a paragraph each
    foreach(error IN LISTS errors)
        string(LENGTH "${error}" length)
        if(length GREATER 6000)
            string(SUBSTRING "${error}" 0 300 error)
            message(SEND_ERROR "an error of ${length} characters fills more than a screen: ${error}")
        endif()
        if(error MATCHES "\\): error: (.*)" AND NOT CMAKE_MATCH_1 MATCHES "^static assertion failed")
            message(SEND_ERROR "behind a sentence the compiler says: ${error}")
        endif()
        if(error MATCHES "case_([0-9]+)_")
            set(i ${CMAKE_MATCH_1})
        elseif(ARGC EQUAL 1)
            set(i ${ARGN})
        else()
            continue()
        endif()
        list(GET cases ${i} case)
        string(REGEX REPLACE "^[^|]*[|]" "" words "${case}")
        if(error MATCHES "\\): error: .*(${words})")
            list(REMOVE_ITEM left ${i})
        endif()
    endforeach()
    set(left "${left}" PARENT_SCOPE)
    set(said "${said}" PARENT_SCOPE)
endfunction()

list(LENGTH cases count)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
    list(APPEND left ${i})
endforeach()
set(rest ${left})
while(rest)
    list(SUBLIST rest 0 60 some) # the compiler ends at 100 errors
    list(REMOVE_ITEM rest ${some})
    compile(${some})
endwhile()
set(alone ${left})
foreach(i IN LISTS alone)
    compile(${i})
    if(i IN_LIST left)
        list(GET cases ${i} case)
        message(SEND_ERROR "compiles, or is refused in other words: ${case}\n${said}")
    endif()
endforeach()

if(CASES)
    return()
endif()

# What needs sm_90 says so in a sentence of its own, and ptxas is not asked.
foreach(call IN ITEMS "tsr_elect()" "tsr_cluster_rank()" "tsr_fence_async()" "tsr_cluster_sync()"
        "tsr_barrier_init_fence()" "tsr_smem_of(global, 0)" "tsr_tma_commit()" "tsr_tma_wait<0>()" "tsr_tma_wait_read<0>()"
        "tsr_cluster_now()" "tsr_grid_wait()" "tsr_grid_release()" "tsr_barrier_expect(bar, 16)"
        "tsr_barrier_wait_cluster(bar, 0)" "tsr_barrier_arrive_at(bar, 0)" "tsr_barrier_release_at(bar, 0)"
        "tsr_bulk_load(bar, global, 16, bar)" "tsr_bulk_store(global, bar, 16)")
    string(REGEX MATCH "^[a-z_]+" name "${call}")
    file(WRITE ${WORK_DIR}/needs_90.cu "#include <tessera/cuda.cuh>
#include <tessera/cuda/bulk.cuh>
#include <tessera/cuda/launch.cuh>
__global__ void k(float *global) { __shared__ tsr_barrier bar[1]; (void)bar, (void)global, (void)${call}; }\n")
    execute_process(COMMAND ${COMPILER} -std=c++17 -arch=compute_80 -w -I${INCLUDE_DIR} -ptx -o ${WORK_DIR}/needs_90.ptx ${WORK_DIR}/needs_90.cu
        OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(NOT said MATCHES "${name}.*: code for sm_90 or later")
        message(SEND_ERROR "${call} is not refused for sm_80 in a sentence: ${said}")
    endif()
endforeach()

# What sm_80 has: barriers that threads and copies in the background arrive at. Its ptxas takes them.
file(WRITE ${WORK_DIR}/has_80.cu "#include <tessera/cuda.cuh>
__global__ void k(float const *from, float *to)
{
    __shared__ alignas(16) float memory[128];
    __shared__ tsr_barrier full, threads;
    if (threadIdx.x == 0)
        tsr_barrier_init(&full, 32), tsr_barrier_init(&threads, 32);
    __syncthreads();
    tsr_cp_async<16>(memory + 4 * threadIdx.x, from + 4 * threadIdx.x);
    tsr_cp_async_arrive(&full);
    tsr_barrier_wait(&full, 0);
    tsr_barrier_arrive(&threads);
    tsr_barrier_wait(&threads, 0);
    to[threadIdx.x] = memory[127 - threadIdx.x];
}
")
execute_process(COMMAND ${COMPILER} -std=c++17 -arch=sm_80 -I${INCLUDE_DIR} -cubin -o ${WORK_DIR}/has_80.cubin ${WORK_DIR}/has_80.cu
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE status)
if(status)
    message(SEND_ERROR "barriers of sm_80: ${said}")
endif()

# And what is legal, in one kernel; for a GPU without wgmma, or TMA, it is refused in a sentence.
list(APPEND legal "tsr_gemm_wgmma<group, tile, tile>(tsr_smem((tsr_f16 *)smem), tsr_smem((tsr_f16 *)smem), sums)")
list(JOIN legal ";\n    " body)
file(WRITE ${WORK_DIR}/legal.cu "${before}__global__ void legal(float *global, float *out)\n${variables}    ${body};\n}\n")
foreach(arch_words IN ITEMS "compute_90a|" "compute_90|code for sm_90a alone" "compute_80|cp.async.bulk.tensor: not on this target")
    string(REPLACE "|" ";" arch_words "${arch_words}")
    list(GET arch_words 0 arch)
    list(GET arch_words 1 words)
    execute_process(COMMAND ${COMPILER} -std=c++17 -arch=${arch} -w -I${INCLUDE_DIR} -ptx -o ${WORK_DIR}/legal.ptx ${WORK_DIR}/legal.cu
        OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(NOT said MATCHES "${words}" OR (words STREQUAL "" AND NOT said STREQUAL ""))
        message(SEND_ERROR "legal for ${arch}, or refused in other words than '${words}': ${said}")
    endif()
endforeach()
