/* C = A * B^T of bf16, all of Blackwell: a pair of CTAs multiplies 256 rows by N columns at a time. In each CTA one
 * thread lets the copy engine fill a ring of buffers with the CTA's halves of A and B. One thread of the even CTA
 * multiplies for both, into one of two sums in tensor memory, while four warps of each CTA take the other sum out.
 * Clusters stay and go from tile to tile. No such GPU was at hand: compiled, and run by the emulator. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/schedule.cuh>
#include <tessera/cuda/tile_tma.cuh>
#include <tessera/cuda/umma.cuh>

#include <tessera/names.h>

template <int Width> struct umma_plan {
    enum { M = 256, N = Width, K = 64, stages = 6, threads = 192, part = 32 /* columns of sums at a time */ };
    static constexpr tsr_mma_atom atom = tsr_umma(2, M, N, TSR_F32, TSR_BF16, TSR_BF16, 0, TSR_MMA_PLAIN);
    static constexpr tsr_layout block = tsr_smem_atom(TSR_MAJOR_K, 3, TSR_BF16); /* 8 rows of 128 bytes, swizzled */
    static constexpr tsr_layout a = tsr_tile_to_shape(block, tsr_t(tsr_s(M / 2), tsr_s(K))); /* of one CTA */
    static constexpr tsr_layout b = tsr_tile_to_shape(block, tsr_t(tsr_s(N / 2), tsr_s(K)));
    static constexpr int size_a = M / 2 * K, size_b = N / 2 * K, size = size_a + size_b; /* elements of a stage */

    static constexpr tsr_tmem_plan tmem = tsr_make_tmem_plan(atom, tsr_t(_1, _1, _2), tsr_s(1)); /* two sums */
    typedef tsr_tmem_rows<atom, part> rows; /* a row of the sums to a thread */

    struct barriers {
        tsr_pipeline<stages> ring; /* of shared memory */
        tsr_pipeline<2> sums;      /* of tensor memory */
        uint32_t slot;
    };
    static constexpr int bytes = stages * size * 2 + (int)sizeof(barriers); /* of shared memory */
};

/* a, b: maps of A (M,K) and B (N,K) for the tiles plan::a and plan::b. C: aligned to 16 bytes, and so are its rows. */
template <int Width> __global__ __cluster_dims__(2, 1, 1)
    __launch_bounds__(192, 1) void umma(__grid_constant__ tsr_tma_map const a, __grid_constant__ tsr_tma_map const b,
                                        tsr_global<tsr_bf16, 2, 1> C, int K)
{
    typedef umma_plan<Width> plan;
    typedef typename plan::rows rows;
    auto const buffers = tsr_smem(tsr_dynamic_smem<tsr_bf16>()); /* (128,64) of A and (N/2,64) of B, 6 times */
    auto &to = *reinterpret_cast<typename plan::barriers *>(buffers.at + plan::stages * plan::size);
    tsr_tile_order const order = {(C.extent[0] + plan::M - 1) / plan::M, (C.extent[1] + plan::N - 1) / plan::N, 1, 8};
    int const warp = tsr_warp(), cta = tsr_cluster_rank(), first = blockIdx.x / 2, clusters = gridDim.x / 2;
    int const depth = (K + plan::K - 1) / plan::K;

    if (threadIdx.x == 0) {
        to.ring.init(1, 1);
        to.sums.init(1, 2 * 4); /* freed by the warps that take sums out */
    }
    tsr_tmem<plan::tmem, 2> t(&to.slot, warp == 1);
    tsr_cluster_sync();

    if (warp == 0 && tsr_elect()) { /* loads this CTA's halves; the even CTA counts the bytes of both */
        tsr_stage<plan::stages> s;
        for (int i = first; i < order.count(); i += clusters)
            for (int k = 0; k < depth; ++k, s.next()) {
                auto const at = buffers + s.index * plan::size;
                int const m = order.at(i).m * plan::M + cta * plan::M / 2, n = order.at(i).n * plan::N;
                tsr_barrier_wait(&to.ring.free[s.index], s.parity ^ 1);
                if (cta == 0)
                    tsr_barrier_expect(&to.ring.full[s.index], 2 * plan::size * 2);
                tsr_tma_load_tile<plan::a, 2>(&a, &to.ring.full[s.index], at, m, k * plan::K);
                tsr_tma_load_tile<plan::b, 2>(&b, &to.ring.full[s.index], at + plan::size_a, n + cta * plan::N / 2,
                                              k * plan::K);
            }
    } else if (warp == 1 && cta == 0 && tsr_elect()) { /* multiplies for both */
        tsr_stage<plan::stages> s;
        tsr_stage<2> sum;
        for (int i = first; i < order.count(); i += clusters, sum.next()) {
            tsr_barrier_wait_cluster(&to.sums.free[sum.index], sum.parity ^ 1);
            for (int k = 0; k < depth; ++k, s.next()) {
                auto const at = buffers + s.index * plan::size;
                tsr_barrier_wait_cluster(&to.ring.full[s.index], s.parity);
                tsr_umma_after();
                tsr_gemm_umma<plan::atom, plan::a, plan::b>(at, at + plan::size_a, t.c + sum.index * plan::N, k > 0);
                tsr_umma_commit<2>(&to.ring.free[s.index], 3);
            }
            tsr_umma_commit<2>(&to.sums.full[sum.index], 3);
        }
    } else if (warp >= 2) { /* takes the sums of this CTA's rows out */
        tsr_stage<2> sum;
        for (int i = first; i < order.count(); i += clusters, sum.next()) {
            int const m = order.at(i).m * plan::M + cta * plan::M / 2, n = order.at(i).n * plan::N;
            tsr_barrier_wait(&to.sums.full[sum.index], sum.parity);
            tsr_umma_after();
            for (int j = 0; j < plan::N; j += plan::part) {
                tsr_frag<rows::values, float> x;
                tsr_tmem_load<rows::copy, rows::tile>(t.c + sum.index * plan::N + j, x);
                tsr_tmem_wait_load(x);
                tsr_frag_store<16>(tsr_frag_cast<tsr_bf16>(x), C.from(m, n + j), threadIdx.x % 128);
            }
            tsr_umma_before();
            __syncwarp();
            if (tsr_elect())
                tsr_barrier_release_at(&to.sums.free[sum.index], 0);
        }
    }
    t.close();
}
