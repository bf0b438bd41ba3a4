/** D = epilogue(A * B^T) by tcgen05.mma on sm_100, sm_103 and sm_110: a persistent kernel of one CTA or of pairs.
 *
 *      typedef tsr_umma_plan<TSR_BF16, TSR_BF16, 256, TSR_HOPPER_PAIRS> plan;
 *      tsr_umma_gemm<plan, tsr_gemm_epilogue<TSR_BF16, TSR_BF16, 0>>   in blocks of plan::threads with plan::shared
 *                                                                      bytes, clusters of plan::ctas
 *
 *  One thread of a CTA lets the copy engine fill a ring with its rows of A and of B. One thread of the even CTA
 *  multiplies for both, into one of two sums in tensor memory, while four warps of each CTA take the other sum out.
 *  A is (M,K,batch), B (N,K,batch); the maps are those of tma/tile.h for the layouts plan::smem_a and smem_b. D leaves
 *  element by element. The kernel waits itself for those in front of it, so that it may be launched early.
 *
 *  Law     D(m,n,v) = epilogue(sum over k of A(m,k,v) * B(n,k,v)), sums in f32.
 *  Source  compiled, and run by the emulator (tests/emulate/plan.cpp); no such GPU was at hand.
 */
#ifndef TSR_CUDA_UMMA_GEMM_CUH
#define TSR_CUDA_UMMA_GEMM_CUH

#include "tessera/atom/umma_tile.h"
#include "tessera/cuda/gemm_epilogue.cuh"
#include "tessera/cuda/schedule.cuh"
#include "tessera/cuda/tile_tma.cuh"
#include "tessera/cuda/umma.cuh"

/** The kernel's constants; see atom/umma_tile.h for the arguments. */
template <int A, int B, int TileN, int Flags> struct tsr_umma_plan {
    static constexpr tsr_umma_tile tile = tsr_make_umma_tile(tsr_later_<tsr_numbered_<A>>(A), B, TileN, Flags);
    static constexpr int M = tile.m, N = TileN, K = tile.k, ctas = tile.ctas, stages = tile.stages;
    static constexpr int threads = TSR_UMMA_TILE_THREADS, part = TSR_UMMA_TILE_PART, rows = M / ctas;
    typedef tsr_stored<A> element_a;
    typedef tsr_stored<B> element_b;
    static constexpr tsr_mma_atom atom = tile.atom;
    static constexpr tsr_layout smem_a = tile.smem_a, smem_b = tile.smem_b;
    static constexpr tsr_tmem_plan tmem = tsr_make_tmem_plan(atom, tsr_t(tsr_s(1), tsr_s(1), tsr_s(2)), tsr_s(1));
    static constexpr tsr_layout sums =
        tsr_mode(tsr_tmem_frg(tsr_t(tsr_t(tsr_s(128), tsr_s(part)), tsr_s(1)), ctas, TSR_F32, 32), 0);
    static constexpr tsr_copy_atom load = tsr_copy_values(tsr_make_copy(TSR_COPY_LOAD_32DP32B, part), TSR_F32);
    static constexpr tsr_tiled_copy copy = tsr_make_tmem_copy(load, sums); /* a row of the tile to a thread */
    static constexpr tsr_layout fragment =
        tsr_tidfrg_d(copy, tsr_make_identity_layout(tsr_t(tsr_s(128), tsr_s(part))));

    struct memory {
        element_a a[stages][rows * K];
        element_b b[stages][N / ctas * K];
        tsr_pipeline<stages> ring;
        tsr_pipeline<2> sums;
        uint32_t slot;
    };
    static constexpr int shared = (int)sizeof(memory);
    static_assert(shared == tile.shared, "the launch gives what the kernel has");

    TSR_DEVICE tsr_tile_order order(tsr_gemm_shape const &s)
    {
        return {(s.m + M - 1) / M, (s.n + N - 1) / N, s.batches, tsr_hopper_height(s.m, s.n, N, ctas)};
    }
};

/** Fills the ring with this CTA's rows; the even CTA counts the bytes of both. */
template <class P> TSR_DEVICE void tsr_umma_produce_(typename P::memory &s, tsr_tma_map const *a,
                                                     tsr_tma_map const *b, tsr_gemm_shape const &shape)
{
    int const cta = P::ctas > 1 ? tsr_cluster_rank() : 0, steps = (shape.k + P::K - 1) / P::K;
    tsr_tile_order const order = P::order(shape);
    tsr_stage<P::stages> stage;
    for (int i = blockIdx.x / P::ctas; i < order.count(); i += gridDim.x / P::ctas) {
        tsr_tile_at const at = order.at(i);
        int const m = at.m * P::M + cta * P::rows, n = at.n * P::N + cta * (P::N / P::ctas);
        for (int k = 0; k < steps; ++k, stage.next()) {
            tsr_barrier *const full = &s.ring.full[stage.index];
            tsr_barrier_wait(&s.ring.free[stage.index], stage.parity ^ 1);
            if (cta == 0)
                tsr_barrier_expect(full, P::ctas * P::tile.bytes);
            tsr_tma_load_tile<P::smem_a, P::ctas>(a, full, tsr_smem(s.a[stage.index]), m, k * P::K, at.batch);
            tsr_tma_load_tile<P::smem_b, P::ctas>(b, full, tsr_smem(s.b[stage.index]), n, k * P::K, at.batch);
        }
    }
}

/** Multiplies for the whole cluster. */
template <class P> TSR_DEVICE void tsr_umma_multiply_(typename P::memory &s, tsr_gemm_shape const &shape, uint32_t c)
{
    int const count = P::order(shape).count(), steps = (shape.k + P::K - 1) / P::K;
    tsr_stage<P::stages> stage;
    tsr_stage<2> sum;
    for (int i = blockIdx.x / P::ctas; i < count; i += gridDim.x / P::ctas, sum.next()) {
        tsr_barrier_wait_cluster(&s.sums.free[sum.index], sum.parity ^ 1);
        tsr_umma_after();
        for (int k = 0; k < steps; ++k, stage.next()) {
            tsr_barrier_wait_cluster(&s.ring.full[stage.index], stage.parity);
            tsr_umma_after();
            tsr_gemm_umma<P::atom, P::smem_a, P::smem_b>(tsr_smem(s.a[stage.index]), tsr_smem(s.b[stage.index]),
                                                         c + sum.index * P::N, k > 0);
            tsr_umma_commit<P::ctas>(&s.ring.free[stage.index], (1 << P::ctas) - 1);
        }
        tsr_umma_commit<P::ctas>(&s.sums.full[sum.index], (1 << P::ctas) - 1);
    }
}

/** Takes the sums of this CTA's rows out: a warp the 32 lanes of its number modulo 4. */
template <class P, class E>
TSR_DEVICE void tsr_umma_store_(typename P::memory &s, tsr_gemm_shape const &shape, E const &epilogue, uint32_t c)
{
    int const cta = P::ctas > 1 ? tsr_cluster_rank() : 0, t = threadIdx.x % 128;
    tsr_tile_order const order = P::order(shape);
    tsr_stage<2> sum;
    for (int i = blockIdx.x / P::ctas; i < order.count(); i += gridDim.x / P::ctas, sum.next()) {
        tsr_tile_at const at = order.at(i);
        tsr_barrier_wait(&s.sums.full[sum.index], sum.parity);
        tsr_umma_after();
        for (int j = 0; j < P::N; j += P::part) {
            float x[P::part], out[P::part];
            int const m = at.m * P::M + cta * P::rows, n = at.n * P::N + j;
            tsr_tmem_load<P::copy, P::sums>(c + sum.index * P::N + j, x);
            tsr_tmem_wait_load(x);
            epilogue.template make<P::fragment>(x, out, m, n, at.batch, t);
            epilogue.template store<P::fragment>(out, m, n, at.batch, t);
        }
        tsr_umma_before();
        __syncwarp();
        if (tsr_elect())
            tsr_barrier_release_at(&s.sums.free[sum.index], 0);
    }
}

/** The kernel; see above. Its arguments are those of tsr_hopper_gemm: the third map is of no tensor. */
template <class P, class E> __global__ __launch_bounds__(P::threads, 1) void tsr_umma_gemm(
    __grid_constant__ tsr_tma_map const a, __grid_constant__ tsr_tma_map const b, __grid_constant__ tsr_tma_map const,
    __grid_constant__ tsr_gemm_shape const shape, __grid_constant__ E const epilogue)
{
    auto &s = *tsr_dynamic_smem<typename P::memory>();
    int const warp = tsr_warp();
    bool const even = P::ctas == 1 || tsr_cluster_rank() == 0;
    if (threadIdx.x == 0) {
        s.ring.init(1, 1);
        s.sums.init(1, 4 * P::ctas); /* freed by the warps that take sums out */
    }
    tsr_tmem<P::tmem, P::ctas> const t(&s.slot, warp == 1);
    if constexpr (P::ctas > 1)
        tsr_cluster_sync();
    tsr_grid_wait();
    if (warp == 0 && tsr_elect())
        tsr_umma_produce_<P>(s, &a, &b, shape);
    else if (warp == 1 && even && tsr_elect())
        tsr_umma_multiply_<P>(s, shape, t.c);
    else if (warp >= 2)
        tsr_umma_store_<P>(s, shape, epilogue, t.c);
    tsr_umma_before();
    if constexpr (P::ctas > 1) {
        tsr_cluster_sync();
    } else {
        __syncwarp();
        __syncthreads();
    }
    tsr_grid_release();
    t.free();
}

#endif
