/* C = scale * A * B^T of 8-bit numbers (e4m3) into half: the pipeline of cuda_5 with tiles of 128 bytes of K, its
 * sums a fragment, which is scaled, made half, and widened to accesses of 16 bytes on its way out. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/exec/tma.h>

#include <tessera/names.h>

struct fp8_plan {
    enum { M = 128, N = 256, K = 128, stages = 4, consumers = 2, threads = 128 * (1 + consumers) };
    static constexpr tsr_layout block = tsr_smem_atom(TSR_MAJOR_K, 3, TSR_F8_E4M3FN);  /* 8 rows of 128 bytes */
    static constexpr tsr_layout rows = tsr_tile_to_shape(block, tsr_t(_64, tsr_s(K))); /* of A, of a warpgroup */
    static constexpr tsr_layout smem_b = tsr_tile_to_shape(block, tsr_t(tsr_s(N), tsr_s(K)));
    static constexpr int size_a = M * K, size = (M + N) * K; /* bytes of A, of a stage */
    static constexpr int bytes = stages * size + (int)sizeof(tsr_pipeline<stages>);
    static constexpr tsr_mma_atom atom = tsr_wgmma(N, TSR_F32, TSR_F8_E4M3FN, TSR_F8_E4M3FN, 0, TSR_MMA_PLAIN);
    static constexpr tsr_layout c =
        tsr_thread_values_c(tsr_make_tiled_mma(atom), tsr_make_identity_layout(tsr_t(_64, tsr_s(N))));
};

/* The blocks of C in an order in which those that run together share rows of A and of B. */
TSR_DEVICE int2 fp8_block(int tiles_m, int tiles_n)
{
    int const rows = 16, group = (int)blockIdx.x / (rows * tiles_n), in = (int)blockIdx.x % (rows * tiles_n);
    int const height = min(rows, tiles_m - group * rows);
    return make_int2(group * rows + in % height, in / height);
}

/* a, b: maps of A (M,K) and B (N,K) in boxes of 128 and 256 rows of 128. */
__global__ __launch_bounds__(384, 1) void fp8_product(__grid_constant__ tsr_tma_map const a,
                                                      __grid_constant__ tsr_tma_map const b,
                                                      tsr_global<tsr_f16, 2, 1> C, int K, float scale)
{
    using plan = fp8_plan;
    tsr_e4m3 *const buffers = tsr_dynamic_smem<tsr_e4m3>(); /* (128,128) of A and (256,128) of B, 4 times */
    auto &ring = *reinterpret_cast<tsr_pipeline<plan::stages> *>(buffers + plan::stages * plan::size);
    int2 const at = fp8_block((C.extent[0] + plan::M - 1) / plan::M, (C.extent[1] + plan::N - 1) / plan::N);
    int const m = at.x * plan::M, n = at.y * plan::N, tiles = (K + plan::K - 1) / plan::K, group = tsr_warp() / 4;

    if (threadIdx.x == 0)
        ring.init(1, plan::consumers);
    __syncthreads();
    if (group == 0) { /* the producer */
        tsr_registers_release<40>();
        if (tsr_warp() == 0 && tsr_elect()) {
            tsr_stage<plan::stages> stage;
            for (int tile = 0; tile < tiles; ++tile, stage.next()) {
                tsr_e4m3 *const to = buffers + stage.index * plan::size;
                tsr_barrier_wait(&ring.free[stage.index], stage.parity ^ 1);
                tsr_barrier_expect(&ring.full[stage.index], plan::size);
                tsr_tma_load(&a, &ring.full[stage.index], to, tile * plan::K, m);
                tsr_tma_load(&b, &ring.full[stage.index], to + plan::size_a, tile * plan::K, n);
            }
        }
        return;
    }
    tsr_registers_take<232>();
    int const row = 64 * (group - 1), t = threadIdx.x % 128;
    tsr_frag<plan::c, float> sum;
    tsr_stage<plan::stages> stage, before;
    for (int tile = 0; tile < tiles; ++tile, stage.next()) {
        tsr_e4m3 const *const from = buffers + stage.index * plan::size;
        tsr_barrier_wait(&ring.full[stage.index], stage.parity);
        tsr_wgmma_fence();
        tsr_gemm_wgmma<plan::atom, plan::rows, plan::smem_b>(from + row * plan::K, from + plan::size_a, sum,
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
    auto const scaled = tsr_frag_map(sum, [&](float x) { return x * scale; });
    tsr_frag_store<16>(tsr_frag_widen(tsr_frag_cast<tsr_f16>(scaled)), C.from(m + row, n), t);
}

#ifndef __CUDACC_RTC__ /* the host */

/* The map of a matrix by rows, in boxes of `rows` rows of 128 bytes. */
static tsr_tuple fp8_map(tsr_global<tsr_e4m3 const, 2, 1> x, int rows, tsr_tma_map *map)
{
    tsr_tuple const tile = tsr_t(tsr_s(rows), _128);
    tsr_tma_types const types = {TSR_F8_E4M3FN, TSR_F8_E4M3FN};
    tsr_layout const global = tsr_make_layout(tsr_t(x.extent[0], x.extent[1]), tsr_t(x.stride[0], _1));
    tsr_smem_layout const smem =
        tsr_make_smem_layout(tsr_make_swizzle(3, 4, 3), TSR_F8_E4M3FN, tsr_make_layout(tile, tsr_right()));
    tsr_tma_copy const plan = tsr_make_tma_copy(TSR_SM90_TMA_LOAD, types, global, smem, tsr_tiler_of_tuple(tile), _1);
    return tsr_tma_encode(&plan.desc, (uint64_t)x.at, map);
}

/* Why the launch is refused, or a valid tuple. */
static tsr_tuple run_fp8(tsr_global<tsr_e4m3 const, 2, 1> A, tsr_global<tsr_e4m3 const, 2, 1> B,
                         tsr_global<tsr_f16, 2, 1> C, float scale)
{
    using plan = fp8_plan;
    tsr_tma_map a, b;
    tsr_tuple const why[] = {fp8_map(A, plan::M, &a), fp8_map(B, plan::N, &b), C.wide(16)};
    for (tsr_tuple const &w : why)
        if (!tsr_ok(w))
            return w;
    int const blocks = (C.extent[0] + plan::M - 1) / plan::M * ((C.extent[1] + plan::N - 1) / plan::N);
    cudaFuncSetAttribute(fp8_product, cudaFuncAttributeMaxDynamicSharedMemorySize, plan::bytes);
    fp8_product<<<blocks, plan::threads, plan::bytes>>>(a, b, C, A.extent[1], scale);
    return _1;
}

#endif
