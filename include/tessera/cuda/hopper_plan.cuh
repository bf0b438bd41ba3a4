/** The constants of a product on Hopper (cuda/hopper_gemm.cuh): what of atom/hopper_tile.h a kernel needs as types,
 *  and the partitions by which sums leave.
 *
 *  Law     `shared` is what tsr_make_hopper_tile says of the same arguments, so that the host's launch fits.
 */
#ifndef TSR_CUDA_HOPPER_PLAN_CUH
#define TSR_CUDA_HOPPER_PLAN_CUH

#include "tessera/atom/hopper_parts.h"
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

/** The layouts of a plan. A source that knows them already specialises this, and the two templates of tiles
 *  (tsr_tma_tile_of_, tsr_gmma_tile_of_): to compute them takes NVRTC 0.2 s. */
template <int A, int B, int D, int TileM, int TileN, int Flags>
constexpr tsr_hopper_parts tsr_hopper_parts_of_ = tsr_make_hopper_parts(tsr_later_<tsr_numbered_<A>>(A), B, D, TileM,
                                                                        TileN, Flags);

/** The constants of a plan that is good, or not. */
template <bool Good, int A, int B, int D, int TileM, int TileN, int Flags> struct tsr_hopper_plan_ {
    static constexpr tsr_hopper_parts parts = tsr_hopper_parts_of_<A, B, D, TileM, TileN, Flags>;
    static constexpr tsr_hopper_tile tile = parts.tile;
    static constexpr int M = TileM, N = TileN, K = tile.k, type_d = D, threads = TSR_HOPPER_THREADS;
    static constexpr int consumers = TSR_HOPPER_CONSUMERS, ctas = tile.ctas, stages = tile.stages, bytes = tile.bytes;
    static constexpr int rows = tile.rows, columns = tile.columns;
    static constexpr bool turns = (Flags & TSR_HOPPER_TURNS) != 0, d_mn = (Flags & TSR_HOPPER_D_MN) != 0;
    static constexpr bool d_any = (Flags & TSR_HOPPER_D_ANY) != 0, splits = (Flags & TSR_HOPPER_SPLITS) != 0;
    static constexpr bool scaled = (Flags & TSR_HOPPER_SCALES) != 0, modes = (Flags & TSR_HOPPER_MODES) != 0;
    static constexpr bool batches = (Flags & TSR_HOPPER_BATCHES) != 0;
    static constexpr int slice = rows / 64 * N / 2, part = columns / 2; /* sums of a thread; that leave at a time */
    typedef tsr_stored<A> element_a;
    typedef tsr_stored<B> element_b;
    typedef tsr_stored<D> element_d;
    typedef tsr_stored<A == TSR_I8 ? (int)TSR_I32 : (int)TSR_F32> total;   /* what sums are */
    typedef tsr_stored<D == TSR_I32 ? (int)TSR_I32 : (int)TSR_F32> number; /* elements that the epilogue stores */

    static constexpr tsr_layout smem_a = tile.smem_a, rows_a = tile.rows_a, smem_b = tile.smem_b,
                                smem_d = tile.smem_d;
    static constexpr bool wide = scaled && N > 128; /* multiplied 128 columns at a time */
    static constexpr int across = wide ? 128 : N;   /* columns of an instruction */
    static constexpr bool by_matrices = tsr_dtype_bits(D) == 16;
    static constexpr tsr_mma_atom atom = parts.atom;
    static constexpr tsr_layout rows_b = parts.rows_b, fragment = parts.fragment, to_d = parts.to_d;

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
    static_assert(shared == tile.shared, "the launch gives what the kernel has");

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

/** One that is refused, which was said, is another one: a kernel of it says nothing more. It depends on A, or each
 *  source that includes this computes its layouts (NVRTC 13: 0.1 s). */
template <int A, int B, int D, int TileM, int TileN, int Flags>
struct tsr_hopper_plan_<false, A, B, D, TileM, TileN, Flags>
    : tsr_hopper_plan_<true, 0 * A + TSR_F16, TSR_F16, TSR_F16, 64, 64, TSR_HOPPER_TURNS> {
};

/** The kernel's constants; see atom/hopper_tile.h for the arguments. */
template <int A, int B, int D, int TileM, int TileN, int Flags> struct tsr_hopper_plan
    : tsr_hopper_plan_<TSR_FINE((tsr_hopper_parts_of_<A, B, D, TileM, TileN, Flags>.tile.why)), A, B, D, TileM, TileN,
                       Flags> {
};

#endif
