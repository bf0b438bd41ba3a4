/* C = A * B^T of half numbers, all of Hopper: one thread lets the copy engine fill a ring of buffers, two warpgroups
 * multiply from them by wgmma and hand them back, and the copy engine stores C. Sums are in single precision; what is
 * outside of A, B and C is the engine's business. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/exec/tma.h>

#include <tessera/names.h>

struct hgemm_tma_plan {
    enum { M = 128, N = 256, K = 64, stages = 4, consumers = 2, threads = 128 * (1 + consumers) };
    static constexpr tsr_layout block = tsr_smem_atom(TSR_MAJOR_K, 3, TSR_F16); /* 8 rows of 128 bytes, swizzled */
    static constexpr tsr_layout rows = tsr_tile_to_shape(block, tsr_t(_64, tsr_s(K))); /* of A, of a warpgroup */
    static constexpr tsr_layout smem_b = tsr_tile_to_shape(block, tsr_t(tsr_s(N), tsr_s(K)));
    static constexpr int size_a = M * K, size_b = N * K, size = size_a + size_b;        /* elements of a stage */
    static constexpr int bytes = stages * size * 2 + (int)sizeof(tsr_pipeline<stages>); /* of shared memory */

    static constexpr tsr_mma_atom atom = tsr_wgmma(N, TSR_F32, TSR_F16, TSR_F16, 0, TSR_MMA_PLAIN);
    static constexpr tsr_tiled_mma mma = tsr_make_tiled_mma(atom);

    /* C leaves through shared memory, a warpgroup's 64x256 as four boxes of 64x64. */
    static constexpr tsr_tuple tile_c = tsr_t(_64, tsr_s(N));
    static constexpr tsr_layout smem_c = tsr_tile_to_shape(block, tile_c);
    static constexpr tsr_copy_atom matrices = tsr_copy_values(tsr_make_copy(TSR_COPY_SM90_STSM_N, 4), TSR_F16);
    static constexpr tsr_tiled_copy store = tsr_make_tiled_copy_c(matrices, mma);
    static constexpr tsr_layout to_c = tsr_tidfrg_d(store, smem_c); /* (thread,(8,..),..) -> offset */
    static_assert(TSR_FINE(tsr_same_partition(tsr_tidfrg_s(store, tsr_make_identity_layout(tile_c)),
                                              tsr_thread_values_c(mma, tsr_make_identity_layout(tile_c))).why),
                  "stmatrix takes the registers in the order of the accumulators");
};

/* The blocks of C in an order in which those that run together share rows of A and of B. */
TSR_DEVICE int2 hgemm_tma_block(int tiles_m, int tiles_n)
{
    int const rows = 16, group = (int)blockIdx.x / (rows * tiles_n), in = (int)blockIdx.x % (rows * tiles_n);
    int const height = min(rows, tiles_m - group * rows);
    return make_int2(group * rows + in % height, in / height);
}

/* a, b: maps of A (M,K) and B (N,K) in boxes of 128 and 256 rows of 64; c: of C (M,N) in boxes of 64 rows of 64. */
__global__ __launch_bounds__(384, 1) void hgemm_tma(__grid_constant__ tsr_tma_map const a,
                                                    __grid_constant__ tsr_tma_map const b,
                                                    __grid_constant__ tsr_tma_map const c, int M, int N, int K)
{
    using plan = hgemm_tma_plan;
    tsr_f16 *const buffers = tsr_dynamic_smem<tsr_f16>(); /* (128,64) of A and (256,64) of B, 4 times */
    auto &ring = *reinterpret_cast<tsr_pipeline<plan::stages> *>(buffers + plan::stages * plan::size);
    int2 const at = hgemm_tma_block((M + plan::M - 1) / plan::M, (N + plan::N - 1) / plan::N);
    int const m = at.x * plan::M, n = at.y * plan::N, tiles = (K + plan::K - 1) / plan::K, group = tsr_warp() / 4;

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
                tsr_f16 *const to = buffers + stage.index * plan::size;
                tsr_barrier_wait(&ring.free[stage.index], stage.parity ^ 1);
                tsr_barrier_expect(&ring.full[stage.index], plan::size * 2);
                tsr_tma_load(&a, &ring.full[stage.index], to, tile * plan::K, m);
                tsr_tma_load(&b, &ring.full[stage.index], to + plan::size_a, tile * plan::K, n);
            }
        }
    } else { /* the consumers */
        tsr_registers_take<232>();
        int const rows = 64 * (group - 1), t = threadIdx.x % 128;
        float sum[plan::N / 2]; /* (2,2,64) */
        tsr_stage<plan::stages> stage, before;
        for (int tile = 0; tile < tiles; ++tile, stage.next()) {
            tsr_f16 const *const from = buffers + stage.index * plan::size;
            tsr_barrier_wait(&ring.full[stage.index], stage.parity);
            tsr_wgmma_fence();
            tsr_gemm_wgmma<plan::atom, plan::rows, plan::smem_b>(
                from + rows * plan::K, from + plan::size_a, sum, tile > 0);
            tsr_wgmma_commit();
            tsr_wgmma_wait<1>(); /* the tile before is done with */
            if (tile > 0) {
                if (t == 0)
                    tsr_barrier_arrive(&ring.free[before.index]);
                before.next();
            }
        }
        tsr_wgmma_wait<0>();
        tsr_wgmma_hold(sum);

        /* Both warpgroups have read every stage: C takes their place. */
        tsr_sync_threads(1, 128 * plan::consumers);
        tsr_f16 *const to = buffers + rows * plan::N; /* (64,256) */
        uint32_t half[plan::N / 4];
        tsr_to_f16(sum, half);
        tsr_copy_matrix<4>(half, tsr_part<plan::to_c>(to, t));
        tsr_fence_async();
        tsr_sync_threads(1 + group, 128);
        if (t == 0) {
            for (int i = 0; i < plan::N / 64; ++i)
                tsr_tma_store(&c, to + i * 64 * 64, n + 64 * i, m + rows);
            tsr_tma_commit();
            tsr_tma_wait_read<0>();
        }
    }
}

#ifndef __CUDACC_RTC__ /* the host */

/* The map of a matrix by rows, in boxes of `rows` rows of 64 elements, swizzled as the blocks of wgmma are. */
static tsr_tuple make_map(tsr_global<tsr_f16 const, 2, 1> x, int rows, bool store, tsr_tma_map *map)
{
    tsr_tuple const tile = tsr_t(tsr_s(rows), _64);
    tsr_tma_types const half = {TSR_F16, TSR_F16};
    tsr_layout const global = tsr_make_layout(tsr_t(x.extent[0], x.extent[1]), tsr_t(x.stride[0], _1));
    tsr_layout const plain = tsr_tile_to_shape(tsr_make_layout(tsr_t(_8, _64), tsr_right()), tile);
    tsr_smem_layout const smem = tsr_make_smem_layout(tsr_make_swizzle(3, 4, 3), TSR_F16, plain);
    tsr_tma_copy const plan = tsr_make_tma_copy(store ? TSR_SM90_TMA_STORE : TSR_SM90_TMA_LOAD, half, global, smem,
                                                tsr_tiler_of_tuple(tile), _1);
    return tsr_tma_encode(&plan.desc, (uint64_t)x.at, map);
}

/* Why a map is refused, or a valid tuple; errors of the launch are CUDA's. */
static tsr_tuple run_hgemm_tma(tsr_global<tsr_f16 const, 2, 1> A, tsr_global<tsr_f16 const, 2, 1> B,
                               tsr_global<tsr_f16, 2, 1> C)
{
    using plan = hgemm_tma_plan;
    tsr_tma_map a, b, c;
    tsr_global<tsr_f16 const, 2, 1> const C_in = {C.at, {C.extent[0], C.extent[1]}, {C.stride[0], C.stride[1]}};
    tsr_tuple const why[] = {make_map(A, 128, false, &a), make_map(B, 256, false, &b), make_map(C_in, 64, true, &c)};
    for (tsr_tuple const &w : why)
        if (!tsr_ok(w))
            return w;
    int const tiles_m = (C.extent[0] + plan::M - 1) / plan::M, tiles_n = (C.extent[1] + plan::N - 1) / plan::N;
    cudaFuncSetAttribute(hgemm_tma, cudaFuncAttributeMaxDynamicSharedMemorySize, plan::bytes);
    hgemm_tma<<<tiles_m * tiles_n, plan::threads, plan::bytes>>>(a, b, c, C.extent[0], C.extent[1], A.extent[1]);
    return _1;
}

#endif
