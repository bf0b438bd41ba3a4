/* C = A * B^T of half numbers, all of Hopper: one thread lets the copy engine fill a ring of buffers, two warpgroups
 * multiply from them by wgmma and hand them back, and the copy engine stores C. Sums are in single precision; what is
 * outside of A, B and C is the engine's business. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/schedule.cuh>
#include <tessera/cuda/tile_tma.cuh>
#include <tessera/exec/tma.h>

#include <tessera/names.h>

struct hgemm_tma_plan {
    enum { M = 128, N = 256, K = 64, stages = 4, consumers = 2, threads = 128 * (1 + consumers) };
    static constexpr tsr_layout block = tsr_smem_atom(TSR_MAJOR_K, 3, TSR_F16); /* 8 rows of 128 bytes, swizzled */
    static constexpr tsr_layout smem_a = tsr_tile_to_shape(block, tsr_t(tsr_s(M), tsr_s(K)));
    static constexpr tsr_layout rows = tsr_tile_to_shape(block, tsr_t(_64, tsr_s(K))); /* of A, of a warpgroup */
    static constexpr tsr_layout smem_b = tsr_tile_to_shape(block, tsr_t(tsr_s(N), tsr_s(K)));
    static constexpr int size_a = M * K, size_b = N * K, size = size_a + size_b;        /* elements of a stage */
    static constexpr int bytes = stages * size * 2 + (int)sizeof(tsr_pipeline<stages>); /* of shared memory */

    static constexpr tsr_mma_atom atom = tsr_wgmma(N, TSR_F32, TSR_F16, TSR_F16, 0, TSR_MMA_PLAIN);
    static constexpr tsr_tiled_mma mma = tsr_make_tiled_mma(atom);

    /* C leaves through shared memory, a warpgroup's 64x256 at a time. */
    static constexpr tsr_tuple tile_c = tsr_t(_64, tsr_s(N));
    static constexpr tsr_layout smem_c = tsr_tile_to_shape(block, tile_c);
    static constexpr tsr_copy_atom matrices = tsr_copy_values(tsr_make_copy(TSR_COPY_SM90_STSM_N, 4), TSR_F16);
    static constexpr tsr_tiled_copy store = tsr_make_tiled_copy_c(matrices, mma);
    static constexpr tsr_layout to_c = tsr_tidfrg_d(store, smem_c); /* (thread,(8,..),..) -> offset */
    static_assert(TSR_FINE(tsr_same_partition(tsr_tidfrg_s(store, tsr_make_identity_layout(tile_c)),
                                              tsr_thread_values_c(mma, tsr_make_identity_layout(tile_c)))
                               .why),
                  "stmatrix takes the registers in the order of the accumulators");
};

/* a, b, c: maps of A (M,K), B (N,K) and C (M,N) for the tiles smem_a, smem_b and smem_c. */
__global__ __launch_bounds__(384, 1) void hgemm_tma(__grid_constant__ tsr_tma_map const a,
                                                    __grid_constant__ tsr_tma_map const b,
                                                    __grid_constant__ tsr_tma_map const c, int M, int N, int K)
{
    using plan = hgemm_tma_plan;
    auto const buffers = tsr_smem(tsr_dynamic_smem<tsr_f16>()); /* (128,64) of A and (256,64) of B, 4 times */
    auto &ring = *reinterpret_cast<tsr_pipeline<plan::stages> *>(buffers.at + plan::stages * plan::size);
    tsr_tile_order const order = {(M + plan::M - 1) / plan::M, (N + plan::N - 1) / plan::N, 1, 16};
    tsr_tile_at const at = order.at(blockIdx.x);
    int const m = at.m * plan::M, n = at.n * plan::N, tiles = (K + plan::K - 1) / plan::K, group = tsr_warp() / 4;

    if (threadIdx.x == 0) {
        tsr_tma_prefetch(&a);
        tsr_tma_prefetch(&b);
        tsr_tma_prefetch(&c);
        ring.init(1, plan::consumers);
    }
    __syncthreads();

    if (group == 0) { /* the producer */
        tsr_registers_release<40>();
        if (tsr_warp() == 0 && tsr_elect()) {
            tsr_stage<plan::stages> stage;
            for (int tile = 0; tile < tiles; ++tile, stage.next()) {
                auto const to = buffers + stage.index * plan::size;
                tsr_barrier_wait(&ring.free[stage.index], stage.parity ^ 1);
                tsr_barrier_expect(&ring.full[stage.index], plan::size * 2);
                tsr_tma_load_tile<plan::smem_a>(&a, &ring.full[stage.index], to, m, tile * plan::K);
                tsr_tma_load_tile<plan::smem_b>(&b, &ring.full[stage.index], to + plan::size_a, n, tile * plan::K);
            }
        }
    } else { /* the consumers */
        tsr_registers_take<232>();
        int const rows = 64 * (group - 1), t = threadIdx.x % 128;
        float sum[plan::N / 2]; /* (2,2,32) */
        tsr_stage<plan::stages> stage, before;
        for (int tile = 0; tile < tiles; ++tile, stage.next()) {
            auto const from = buffers + stage.index * plan::size;
            tsr_barrier_wait(&ring.full[stage.index], stage.parity);
            tsr_wgmma_fence();
            tsr_gemm_wgmma<plan::atom, plan::rows, plan::smem_b>(from + rows * plan::K, from + plan::size_a, sum,
                                                                 tile > 0);
            tsr_wgmma_commit();
            tsr_wgmma_wait<1>(); /* the tile before is done with */
            if (tile > 0) {
                if (t == 0)
                    tsr_barrier_arrive(&ring.free[before.index]);
                before.next();
            }
        }
        tsr_wgmma_wait<0>(sum);

        /* Both warpgroups have read every stage: C takes their place. */
        tsr_sync_threads(1, 128 * plan::consumers);
        auto const to = buffers + rows * plan::N; /* (64,256) */
        uint32_t half[plan::N / 4];
        tsr_to_f16(sum, half);
        tsr_copy_matrix<4>(half, tsr_part<plan::to_c>(to, t));
        tsr_fence_async();
        tsr_sync_threads(1 + group, 128);
        if (t == 0) {
            tsr_tma_store_tile<plan::smem_c>(&c, to, m + rows, n);
            tsr_tma_commit();
            tsr_tma_wait_read<0>();
        }
    }
}

#ifndef __CUDACC_RTC__ /* the host */

/* The map of a matrix by rows, for a tile of it. */
template <class T> static tsr_reason make_map(tsr_global<T, 2, 1> x, tsr_layout smem, tsr_tma_map *map)
{
    tsr_tma_tile const tile = tsr_make_tma_tile(smem, TSR_F16, 1);
    tsr_layout const global = tsr_make_layout(tsr_t(x.extent[0], x.extent[1]), tsr_t(x.stride[0], _1));
    tsr_tma_desc const desc = tsr_tma_tile_desc(&tile, TSR_F16, global);
    return tsr_tma_encode(&desc, (uint64_t)x.at, map);
}

/* Why a map is refused, or no reason; errors of the launch are CUDA's. */
static tsr_reason run_hgemm_tma(tsr_global<tsr_f16 const, 2, 1> A, tsr_global<tsr_f16 const, 2, 1> B,
                                tsr_global<tsr_f16, 2, 1> C)
{
    using plan = hgemm_tma_plan;
    tsr_tma_map a, b, c;
    tsr_reason const why[] = {make_map(A, plan::smem_a, &a), make_map(B, plan::smem_b, &b),
                              make_map(C, plan::smem_c, &c)};
    for (tsr_reason const &w : why)
        if (!tsr_ok(w))
            return w;
    int const tiles_m = (C.extent[0] + plan::M - 1) / plan::M, tiles_n = (C.extent[1] + plan::N - 1) / plan::N;
    cudaFuncSetAttribute(hgemm_tma, cudaFuncAttributeMaxDynamicSharedMemorySize, plan::bytes);
    hgemm_tma<<<tiles_m * tiles_n, plan::threads, plan::bytes>>>(a, b, c, C.extent[0], C.extent[1], A.extent[1]);
    return tsr_no_reason();
}

#endif
