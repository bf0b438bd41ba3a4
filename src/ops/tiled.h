/** Rows of tiled MMA and tiled copy. The kinds are explained in ops.h. */
#ifndef TSR_SRC_OPS_TILED_H
#define TSR_SRC_OPS_TILED_H

#include "tessera/atom/fragment.h"
#include "tessera/atom/tiled_copy.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_EXAMPLE_MMA "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (_2,_2,_1), <_32,_32,_16>)"
#define TSR_EXAMPLE_COPY \
    "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>,float>, (_32,_8):(_1,_32), (_4,_1):(_1,_0))"

#define TSR_OPS_TILED(X, Y) \
    X(make_tiled_mma, make_tiled_mma, H, (A), "one atom as a tiled MMA", \
      "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN)", \
      "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (_1,_1,_1):(_0,_0,_0), <_,_,_>)", "atom:") \
    X(make_tiled_mma, make_tiled_mma_over, H, (A, L), "the atom repeated over a layout of threads (M,N,K)", \
      "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (_2,_2):(_2,_1))", \
      "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (_2,_2,_1):(_2,_1,_0), <_,_,_>)", "atom: threads:") \
    X(make_tiled_mma, make_tiled_mma_shape, H, (A, T), "the atom repeated over the compact layout of a shape (M,N,K)", \
      "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (_2,_2))", \
      "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (_2,_2,_1):(_1,_2,_0), <_,_,_>)", "atom: shape:") \
    X(make_tiled_mma, make_tiled_mma_by, H, (A, L, R), \
      "the atom repeated over threads (M,N,K), with M, N and K permuted by a tiler", \
      "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (_2,_2):(_2,_1), <_32,_,_16>)", \
      "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (_2,_2,_1):(_2,_1,_0), <_32,_,_16>)", "atom: threads:") \
    X(make_tiled_mma, make_tiled_mma_shape_by, H, (A, T, R), \
      "the atom repeated over a shape (M,N,K), with M, N and K permuted by a tiler", \
      TSR_EXAMPLE_MMA, "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (_2,_2,_1):(_1,_2,_0), <_32,_32,_16>)", \
      "atom: shape:") \
    X(tile_shape, tile_shape, T, (H), "(M,N,K) of a tiled MMA", \
      "tile_shape(" TSR_EXAMPLE_MMA ")", "(_32,_32,_16)") \
    X(thr_size, thr_size_int, T, (H), "how many threads", \
      "thr_size(" TSR_EXAMPLE_MMA ")", "_128") \
    X(get_thr_layout_vmnk, get_thr_layout_vmnk, L, (H), "(thread of the atom,M,N,K) to the thread", \
      "get_thr_layout_vmnk(" TSR_EXAMPLE_MMA ")", "(_32,_2,_2,_1):(_1,_32,_64,_0)") \
    X(permutation_mnk, permutation_mnk, R, (H, N), "the tile that M, N or K is cut into", \
      "permutation_mnk<1>(" TSR_EXAMPLE_MMA ")", "_32", "- mode:") \
    X(thr_vmnk, thr_vmnk, T, (H, T), "the place of a thread: (thread of its atom,M,N,K)", \
      "thr_vmnk(" TSR_EXAMPLE_MMA ", 33)", "(1,1,0,_0)", "- thread:") \
    X(thrfrg_A, thrfrg_a, L, (H, L), "a layout (M,K) cut for A: ((thread,tiles),(value,rest))", \
      "thrfrg_A(" TSR_EXAMPLE_MMA ", make_layout((_64,_32)))", \
      "(((_4,_8),(_2,_1)),((_2,_2,_2),(_2,_2))):(((_128,_1),(_16,_0)),((_64,_8,_512),(_32,_1024)))") \
    X(thrfrg_B, thrfrg_b, L, (H, L), "a layout (N,K) cut for B", \
      "thrfrg_B(" TSR_EXAMPLE_MMA ", make_layout((_64,_32)))", \
      "(((_4,_8),(_2,_1)),((_2,_2),(_4,_2))):(((_128,_1),(_8,_0)),((_64,_512),(_16,_1024)))") \
    X(thrfrg_C, thrfrg_c, L, (H, L), "a layout (M,N) cut for C", \
      "thrfrg_C(" TSR_EXAMPLE_MMA ", make_layout((_64,_64)))", \
      "(((_4,_8),(_2,_2)),((_2,_2),(_2,_4))):(((_128,_1),(_16,_512)),((_64,_8),(_32,_1024)))") \
    X(thread_values_a, thread_values_a, L, (H, L), "the fragments of a tile (M,K) of A: (thread,(value,(rest)))", \
      "thread_values_a(" TSR_EXAMPLE_MMA ", make_layout((_64,_32)))", \
      "((_4,_8,_2,_2),((_2,_2,_2),(_2,_2))):((_128,_1,_16,_0),((_64,_8,_512),(_32,_1024)))") \
    X(thread_values_b, thread_values_b, L, (H, L), "the fragments of a tile (N,K) of B: (thread,(value,(rest)))", \
      "thread_values_b(" TSR_EXAMPLE_MMA ", make_layout((_64,_32)))", \
      "((_4,_8,_2,_2),((_2,_2),(_4,_2))):((_128,_1,_0,_8),((_64,_512),(_16,_1024)))") \
    X(thread_values_c, thread_values_c, L, (H, L), "the fragments of a tile (M,N) of C: (thread,(value,(rest)))", \
      "thread_values_c(" TSR_EXAMPLE_MMA ", make_layout((_64,_64)))", \
      "((_4,_8,_2,_2),((_2,_2),(_2,_4))):((_128,_1,_16,_512),((_64,_8),(_32,_1024)))") \
    X(get_layoutA_TV, get_layout_a_tv, L, (H), "(thread,value) to an index of the tile of A", \
      "get_layoutA_TV(" TSR_EXAMPLE_MMA ")", \
      "((_4,_8,_2,_2),((_2,_2,_2),(_1,_1))):((_64,_1,_16,_0),((_32,_8,_256),(_0,_0)))") \
    X(get_layoutB_TV, get_layout_b_tv, L, (H), "(thread,value) to an index of the tile of B", \
      "get_layoutB_TV(" TSR_EXAMPLE_MMA ")", \
      "((_4,_8,_2,_2),((_2,_2),(_2,_1))):((_64,_1,_0,_8),((_32,_256),(_16,_0)))") \
    X(get_layoutC_TV, get_layout_c_tv, L, (H), "(thread,value) to an index of the tile of C", \
      "get_layoutC_TV(" TSR_EXAMPLE_MMA ")", \
      "((_4,_8,_2,_2),((_2,_2),(_1,_2))):((_64,_1,_16,_256),((_32,_8),(_0,_512)))") \
    X(partition_A, partition_a, G, (H, T, G), "a thread's part of A: (value,rest..)", \
      "partition_A(" TSR_EXAMPLE_MMA ", 33, make_identity_tensor((_64,_32)))", \
      "ArithTuple(16,2) o ((_2,_2,_2),_2,_2):((_1@1,_8@0,_8@1),_32@0,_16@1)", "- thread:") \
    X(partition_B, partition_b, G, (H, T, G), "a thread's part of B: (value,rest..)", \
      "partition_B(" TSR_EXAMPLE_MMA ", 33, make_identity_tensor((_64,_32)))", \
      "ArithTuple(0,2) o ((_2,_2),_4,_2):((_1@1,_8@1),_16@0,_16@1)", "- thread:") \
    X(partition_C, partition_c, G, (H, T, G), "a thread's part of C: (value,rest..)", \
      "partition_C(" TSR_EXAMPLE_MMA ", 33, make_identity_tensor((_64,_64)))", \
      "ArithTuple(16,2) o ((_2,_2),_2,_4):((_1@1,_8@0),_32@0,_16@1)", "- thread:") \
    X(partition_shape_A, partition_shape_a, T, (H, T), "the shape of a thread's part of A (M,K)", \
      "partition_shape_A(" TSR_EXAMPLE_MMA ", (_128,_64))", "((_2,_2,_2),_4,_4)", "- shape:") \
    X(partition_shape_B, partition_shape_b, T, (H, T), "the shape of a thread's part of B (N,K)", \
      "partition_shape_B(" TSR_EXAMPLE_MMA ", (_128,_64))", "((_2,_2),_8,_4)", "- shape:") \
    X(partition_shape_C, partition_shape_c, T, (H, T), "the shape of a thread's part of C (M,N)", \
      "partition_shape_C(" TSR_EXAMPLE_MMA ", (_128,_64))", "((_2,_2),_4,_4)", "- shape:") \
    X(partition_fragment_A, partition_fragment_a, L, (H, T, G), \
      "the registers, or the descriptors, of a thread's part of A", \
      "partition_fragment_A(" TSR_EXAMPLE_MMA ", 0, make_counting_tensor(make_layout((_64,_32))))", \
      "((_2,_2,_2),_2,_2):((_1,_2,_4),_8,_16)") \
    X(partition_fragment_B, partition_fragment_b, L, (H, T, G), \
      "the registers, or the descriptors, of a thread's part of B", \
      "partition_fragment_B(" TSR_EXAMPLE_MMA ", 0, make_counting_tensor(make_layout((_64,_32))))", \
      "((_2,_2),_4,_2):((_1,_2),_4,_16)") \
    X(partition_fragment_C, partition_fragment_c, L, (H, T), "the accumulators for a C of a shape", \
      "partition_fragment_C(" TSR_EXAMPLE_MMA ", (_64,_64))", "((_2,_2),_2,_4):((_1,_2),_4,_8)", "- shape:") \
    X(make_tiled_copy, make_tiled_copy, K, (C, L, L), "the atom repeated over thread and value layouts", \
      TSR_EXAMPLE_COPY, \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<uint128_t>,float>, (_256,_4):(_4,_1), <_128,_8>)", \
      "atom: threads: values:") \
    X(make_tiled_copy, make_tiled_copy_threads, K, (C, L), "one value a thread", \
      "make_tiled_copy(Copy_Atom<UniversalCopy<float>,float>, (_32,_8):(_8,_1))", \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<float>,float>, ((_8,_32),_1):((_32,_1),_0), <_32,_8>)", \
      "atom: threads:") \
    X(make_tiled_copy, make_tiled_copy_lt, K, (C, L, T), "with a shape for its compact layout", \
      "make_tiled_copy(Copy_Atom<UniversalCopy<uint64_t>,float>, (_32,_8):(_8,_1), (_1,_2))", \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<uint64_t>,float>, ((_8,_32),_2):((_64,_1),_32), <_32,_16>)", \
      "atom: threads: values:") \
    X(make_tiled_copy, make_tiled_copy_tl, K, (C, T, L), "with a shape for its compact layout", \
      "make_tiled_copy(Copy_Atom<UniversalCopy<float>,float>, (_32,_8), (_1,_2):(_0,_1))", \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<float>,float>, ((_32,_8),_2):((_1,_64),_32), <_32,_16>)", \
      "atom: threads: values:") \
    X(make_tiled_copy, make_tiled_copy_tt, K, (C, T, T), "with shapes for their compact layouts", \
      "make_tiled_copy(Copy_Atom<UniversalCopy<float>,float>, (_32,_8), (_1,_2))", \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<float>,float>, ((_32,_8),_2):((_1,_64),_32), <_32,_16>)", \
      "atom: threads: values:") \
    X(make_tiled_copy, make_tiled_copy_t, K, (C, T), "with a shape for its compact layout", \
      "make_tiled_copy(Copy_Atom<UniversalCopy<float>,float>, (_32,_8))", \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<float>,float>, (_256,_1):(_1,_0), <_32,_8>)", "atom: threads:") \
    X(make_tiled_copy_impl, make_tiled_copy_impl, K, (C, L, R), "the atom, a (thread,value) layout, and the tile", \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<float>,float>, (_32,_2):(_2,_1), <_64>)", \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<float>,float>, (_32,_2):(_2,_1), <_64>)", "atom: tv: tiler:") \
    X(make_tiled_copy_A, make_tiled_copy_a, K, (C, H), "the copy of A as a tiled MMA holds it", \
      "make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N,half_t>, " TSR_EXAMPLE_MMA ")", \
      "make_tiled_copy_impl(Copy_Atom<SM75_U32x4_LDSM_N,half_t>, " \
      "((_4,_8,_2,_2),((_2,_2,_2),(_1,_1))):((_64,_1,_16,_0),((_32,_8,_256),(_0,_0))), <_32,_16>)", "atom: mma:") \
    X(make_tiled_copy_B, make_tiled_copy_b, K, (C, H), "the copy of B as a tiled MMA holds it", \
      "make_tiled_copy_B(Copy_Atom<SM75_U32x4_LDSM_N,half_t>, " TSR_EXAMPLE_MMA ")", \
      "make_tiled_copy_impl(Copy_Atom<SM75_U32x4_LDSM_N,half_t>, " \
      "((_4,_8,_2,_2),((_2,_2),(_2,_1))):((_64,_1,_0,_8),((_32,_256),(_16,_0))), <_32,_16>)", "atom: mma:") \
    X(make_tiled_copy_C, make_tiled_copy_c, K, (C, H), "the copy of C as a tiled MMA holds it", \
      "make_tiled_copy_C(Copy_Atom<UniversalCopy<uint64_t>,float>, " TSR_EXAMPLE_MMA ")", \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<uint64_t>,float>, " \
      "((_4,_8,_2,_2),((_2,_2),(_1,_2))):((_64,_1,_16,_256),((_32,_8),(_0,_512))), <_32,_32>)", "atom: mma:") \
    X(make_tiled_copy_C_atom, make_tiled_copy_c_atom, K, (C, H), "the smallest copy of C in whole atoms", \
      "make_tiled_copy_C_atom(Copy_Atom<UniversalCopy<uint64_t>,float>, " TSR_EXAMPLE_MMA ")", \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<uint64_t>,float>, " \
      "((_4,_8,_2,_2),_2):((_16,_1,_8,_64),_128), <(_8,_2):(_1,_16),(_8,_2):(_2,_1)>)", "atom: mma:") \
    X(make_tiled_copy_S, make_tiled_copy_s, K, (C, K), "another atom over the elements that a copy reads", \
      "make_tiled_copy_S(Copy_Atom<UniversalCopy<float>,float>, " TSR_EXAMPLE_COPY ")", \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<float>,float>, (_256,(_4,_1)):(_4,(_1,_0)), <_128,_8>)", "atom:") \
    X(make_tiled_copy_D, make_tiled_copy_d, K, (C, K), "another atom over the elements that a copy writes", \
      "make_tiled_copy_D(Copy_Atom<UniversalCopy<float>,float>, " TSR_EXAMPLE_COPY ")", \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<float>,float>, (_256,(_4,_1)):(_4,(_1,_0)), <_128,_8>)", "atom:") \
    X(make_cotiled_copy, make_cotiled_copy, K, (C, L, L), "threads and values name memory of a data layout", \
      "make_cotiled_copy(Copy_Atom<UniversalCopy<uint64_t>,half_t>, (_8,_4):(_4,_1), (_16,_8):(_1,_16))", \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<uint64_t>,half_t>, ((_4,_2),_4):((_1,_16),_4), " \
      "<(_4,_4):(_4,_1),_2:_1>)", "atom: tv: data:") \
    X(tiled_layout_tv, tiled_layout_tv, L, (K), "(thread,value) to an index of the tile", \
      "tiled_layout_tv(" TSR_EXAMPLE_COPY ")", "(_256,_4):(_4,_1)") \
    X(tiler_mn, tiler_mn, R, (K), "the tile of a copy", \
      "tiler_mn(" TSR_EXAMPLE_COPY ")", "(_128,_8)") \
    X(tidfrg_S, tidfrg_s, L, (K, L), "a layout cut for the source: (thread,(value,atoms),(rest))", \
      "tidfrg_S(" TSR_EXAMPLE_COPY ", make_layout((_128,_32)))", "(_256,(_4,_1),(_1,_4)):(_4,(_1,_0),(_0,_1024))") \
    X(tidfrg_D, tidfrg_d, L, (K, L), "a layout cut for the destination: (thread,(value,atoms),(rest))", \
      "tidfrg_D(" TSR_EXAMPLE_COPY ", make_layout((_128,_32)))", "(_256,(_4,_1),(_1,_4)):(_4,(_1,_0),(_0,_1024))") \
    X(get_layoutS_TV, get_layout_s_tv, L, (K), "(thread,value) of the source to an index of the tile", \
      "get_layoutS_TV(" TSR_EXAMPLE_COPY ")", "(_256,(_4,_1)):(_4,(_1,_0))") \
    X(get_layoutD_TV, get_layout_d_tv, L, (K), "(thread,value) of the destination to an index of the tile", \
      "get_layoutD_TV(" TSR_EXAMPLE_COPY ")", "(_256,(_4,_1)):(_4,(_1,_0))") \
    X(partition_S, partition_s, G, (K, T, G), "a thread's part of the source: ((value,atoms),rest..)", \
      "partition_S(" TSR_EXAMPLE_COPY ", 33, make_identity_tensor((_128,_32)))", \
      "ArithTuple(4,1) o ((_4,_1),_1,_4):((_1@0,_0),_0,_8@1)", "- thread:") \
    X(partition_D, partition_d, G, (K, T, G), "a thread's part of the destination: ((value,atoms),rest..)", \
      "partition_D(" TSR_EXAMPLE_COPY ", 33, make_identity_tensor((_128,_32)))", \
      "ArithTuple(4,1) o ((_4,_1),_1,_4):((_1@0,_0),_0,_8@1)", "- thread:") \
    X(retile, retile, L, (K, L), "registers of an MMA as the values of a copy", \
      "retile(make_tiled_copy_C(Copy_Atom<UniversalCopy<uint64_t>,float>, " TSR_EXAMPLE_MMA "), " \
      "partition_fragment_C(" TSR_EXAMPLE_MMA ", (_64,_64)))", \
      "((_2,(_2,_2)),_2,_2):((_1,(_2,_8)),_4,_16)", "- fragment:") \
    X(make_layout_tv, make_layout_tv, J, (L, L), \
      "thread and value layouts as (tile, (thread,value) to an index of it)", \
      "make_layout_tv((_2,_3):(_3,_1), (_2,_2):(_2,_1))", "((_4,_6),((_3,_2),(_2,_2)):((_8,_2),(_4,_1)))", \
      "threads: values:") \
    X(same_partition, same_partition, D, (L, L), "every thread has the same elements in the same order", \
      "same_partition((_4,_2):(_2@1,_1@1), (_4,_2):(_1@1,_4@1))", \
      "no: value 1 of thread 0 is at (0,1) in the first partition, at (0,4) in the second") \
    X(reduced_fragment, reduced_fragment, L, (L, N), "what threads hold when mode d of the coordinate is summed up", \
      "reduced_fragment<1>(((_4,_8),(_2,_2)):((_2@1,_1@0),(_1@1,_8@0)))", "((_4,_8),_2):((_0,_1@0),_8@0)", \
      "fragment: mode:") \
    X(reduced_value, reduced_value, L, (L, N), "the value of the reduced fragment that a value goes into", \
      "reduced_value<1>(((_4,_8),(_2,_2)):((_2@1,_1@0),(_1@1,_8@0)))", "(_2,_2):(_0,_1)", "fragment: mode:") \
    X(widened_fragment, widened_fragment, L, (L, N), \
      "a fragment after quads of threads have exchanged blocks of n neighbours", \
      "widened_fragment<2>(((_4,_8),(_2,_2,_8)):((_2@1,_1@0),(_1@1,_8@0,_8@1)))", \
      "((_4,_8),(_2,_4,_2,_2)):((_8@1,_1@0),(_1@1,_2@1,_8@0,_32@1))") \
    Y(make_tiled_copy_tv, make_tiled_copy, K, (C, L, L), "the atom repeated over thread and value layouts", \
      "make_tiled_copy_tv(Copy_Atom<UniversalCopy<uint128_t>,float>, (_32,_8):(_1,_32), (_4,_1):(_1,_0))", \
      "make_tiled_copy_impl(Copy_Atom<UniversalCopy<uint128_t>,float>, (_256,_4):(_4,_1), <_128,_8>)")
/* clang-format on */

TSR_HEADER_END

#endif
