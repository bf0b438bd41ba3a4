/** The constants of a product on Hopper (cuda/hopper_gemm.cuh): what of atom/hopper_tile.h a kernel needs as types,
 *  and the partitions by which sums leave.
 *
 *  Law     `shared` is what tsr_make_hopper_tile says of the same arguments, so that the host's launch fits.
 */
#ifndef TSR_CUDA_HOPPER_PLAN_CUH
#define TSR_CUDA_HOPPER_PLAN_CUH

#include "tessera/atom/hopper_tile.h"
#include "tessera/cuda/barrier.cuh"
#include "tessera/cuda/gemm.cuh"
#include "tessera/cuda/gemm_epilogue.cuh"
#include "tessera/cuda/schedule.cuh"

template <bool One, class A, class B> struct tsr_hopper_either_ {
    typedef A type;
};
template <class A, class B> struct tsr_hopper_either_<false, A, B> {
    typedef B type;
};

/** The kernel's constants; see atom/hopper_tile.h for the arguments. */
template <int A, int B, int D, int TileM, int TileN, int Flags> struct tsr_hopper_plan {
    static constexpr tsr_hopper_tile tile =
        tsr_make_hopper_tile(tsr_later_<tsr_hopper_plan>(A), B, D, TileM, TileN, Flags);
    static constexpr bool good = TSR_FINE(tile.why);
    static constexpr int M = TileM, N = TileN, K = tile.k, type_d = D, threads = TSR_HOPPER_THREADS;
    static constexpr int consumers = TSR_HOPPER_CONSUMERS, ctas = tile.ctas, stages = tile.stages, bytes = tile.bytes;
    static constexpr int rows = tile.rows, columns = tile.columns;
    static constexpr bool turns = (Flags & TSR_HOPPER_TURNS) != 0, d_mn = (Flags & TSR_HOPPER_D_MN) != 0;
    static constexpr bool d_any = (Flags & TSR_HOPPER_D_ANY) != 0, splits = (Flags & TSR_HOPPER_SPLITS) != 0;
    static constexpr bool scaled = (Flags & TSR_HOPPER_SCALES) != 0, modes = (Flags & TSR_HOPPER_MODES) != 0;
    static constexpr int slice = rows / 64 * N / 2, part = columns / 2; /* sums of a thread; that leave at a time */
    typedef tsr_stored<A> element_a;
    typedef tsr_stored<B> element_b;
    typedef tsr_stored<D> element_d;
    typedef tsr_stored<A == TSR_I8 ? (int)TSR_I32 : (int)TSR_F32> total;   /* what sums are */
    typedef tsr_stored<D == TSR_I32 ? (int)TSR_I32 : (int)TSR_F32> number; /* elements that the epilogue stores */

    static constexpr tsr_layout smem_a = tile.smem_a, rows_a = tile.rows_a, smem_b = tile.smem_b,
                                smem_d = tile.smem_d;
    static constexpr bool wide = scaled && N > 128; /* multiplied 128 columns at a time */
    static constexpr int across = wide ? 128 : N;
    static constexpr tsr_mma_atom atom = tsr_hopper_atom(tsr_later_<tsr_hopper_plan>(A), B, across, Flags);
    static constexpr tsr_layout rows_b =
        tsr_hopper_smem(tsr_later_<tsr_hopper_plan>(B), across, K, Flags &TSR_HOPPER_B_MN ? 0 : 1);

    /* What leaves at a time: 64 rows of `columns`, accumulators of a narrower instruction. */
    static constexpr tsr_tiled_mma mma =
        tsr_make_tiled_mma(tsr_hopper_atom(tsr_later_<tsr_hopper_plan>(A), B, columns, Flags));
    static constexpr tsr_layout identity =
        tsr_make_identity_layout(tsr_t(tsr_s(64), tsr_s(tsr_later_<tsr_hopper_plan>(columns))));
    static constexpr tsr_layout fragment =
        tsr_thread_values_c(tsr_later_<tsr_hopper_plan>(mma), identity); /* (thread,(2,2,columns/8)) -> (m,n) */
    static constexpr tsr_copy_atom matrices = tsr_copy_values(
        tsr_make_copy(d_mn ? TSR_COPY_SM90_STSM_T : TSR_COPY_SM90_STSM_N, tsr_later_<tsr_hopper_plan>(d_mn) ? 8 : 4),
        TSR_F16);
    static constexpr tsr_tiled_copy store = tsr_make_tiled_copy_c(matrices, tsr_later_<tsr_hopper_plan>(mma));
    static constexpr bool by_matrices = tsr_dtype_bits(D) == 16;
    static constexpr tsr_layout to_d = by_matrices ? tsr_tidfrg_d(tsr_later_<tsr_hopper_plan>(store), smem_d)
                                                   : tsr_thread_values_c(tsr_later_<tsr_hopper_plan>(mma), smem_d);
    static_assert(
        !good || !by_matrices
            || tsr_same_partition(tsr_tidfrg_s(tsr_later_<tsr_hopper_plan>(store), identity), fragment).answer
                   == TSR_YES,
        "stmatrix takes the registers in the order of the accumulators");

    struct tiles {
        element_a a[stages][M * K];
        element_b b[stages][N * K];
        element_d d[consumers][2][64 * columns];
        tsr_pipeline<stages> ring;
        int last[consumers]; /* of the parts of K */
    };
    struct scaled_tiles : tiles {
        float scale[stages][M + TSR_HOPPER_SCALES_B];
        tsr_barrier taken[stages]; /* all threads have read them */
    };
    typedef typename tsr_hopper_either_<scaled, scaled_tiles, tiles>::type memory;
    typedef tsr_stage<stages> stage;
    static constexpr int shared = (int)sizeof(memory);
    static_assert(!good || shared == tile.shared, "the launch gives what the kernel has");

    /** The tiles of a result, those of a cluster as one; the parts of K count as batches. */
    TSR_DEVICE tsr_tile_order order(tsr_gemm_shape const &s)
    {
        return {((s.m + M - 1) / M + ctas - 1) / ctas, (s.n + N - 1) / N, s.batches * (splits ? s.splits : 1),
                tsr_hopper_height(s.m, s.n, N, ctas)};
    }

    /** The steps of a tile: as many in each part of K, the last ones perhaps beyond its end. */
    TSR_DEVICE int steps(tsr_gemm_shape const &s)
    {
        int const all = (s.k + K - 1) / K;
        return splits ? (all + s.splits - 1) / s.splits : all;
    }
};

#endif
