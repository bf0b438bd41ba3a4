/* C = A * B^T of half numbers by wgmma: two warpgroups multiply straight from shared memory, into which all threads
 * copy with cp.async. While the products of one tile run, the copies of later ones are under way. Sums are in single
 * precision. */
#pragma once

#include <tessera/cuda.cuh>

#include <tessera/names.h>

struct hgemm_wgmma_plan {
    enum { M = 128, N = 128, K = 64, stages = 4, threads = 256 };
    static constexpr tsr_tuple tile = tsr_t(tsr_s(M), tsr_s(K)); /* of A and of B */
    static constexpr tsr_layout block = tsr_smem_atom(TSR_MAJOR_K, 3, TSR_F16);
    static constexpr tsr_layout smem = tsr_tile_to_shape(block, tile);                 /* Sw<3,3,3>, (128,64) */
    static constexpr tsr_layout rows = tsr_tile_to_shape(block, tsr_t(_64, tsr_s(K))); /* of a warpgroup */
    static constexpr int buffer = M * K, bytes = stages * 2 * buffer * 2;

    static constexpr tsr_copy_atom async = tsr_copy_values(tsr_make_copy(TSR_COPY_SM80_GLOBAL, 128), TSR_F16);
    static constexpr tsr_tiled_copy copy =
        tsr_make_tiled_copy(async, tsr_make_layout(tsr_t(_32, _8), tsr_right()), tsr_make_layout(tsr_t(_1, _8)));
    static constexpr tsr_layout from = tsr_tidfrg_s(copy, tsr_make_identity_layout(tile)); /* -> (m,k) */
    static constexpr tsr_layout to = tsr_tidfrg_d(copy, smem);                             /* -> offset */

    static constexpr tsr_mma_atom atom = tsr_wgmma(N, TSR_F32, TSR_F16, TSR_F16, 0, TSR_MMA_PLAIN);
    static constexpr tsr_tiled_mma mma = tsr_make_tiled_mma_over(atom, tsr_make_layout(tsr_t(_2, _1, _1)));
    static constexpr tsr_layout frag_c = tsr_thread_values_c(
        mma, tsr_make_identity_layout(tsr_t(tsr_s(M), tsr_s(N)))); /* (thread,(2,2,16)) -> (m,n) */
};

/* A (M,K) and B (N,K) by rows, K and the row strides multiples of 8; C (M,N) by rows. */
__global__ __launch_bounds__(256) void hgemm_wgmma(tsr_global<tsr_f16 const, 2, 1> A,
                                                   tsr_global<tsr_f16 const, 2, 1> B, tsr_global<tsr_f16, 2, 1> C)
{
    using plan = hgemm_wgmma_plan;
    auto const smem_a = tsr_smem(tsr_dynamic_smem<tsr_f16>()), smem_b = smem_a + plan::stages * plan::buffer;
    /* (128,64,4) each */
    int const t = threadIdx.x, m = blockIdx.x * plan::M, n = blockIdx.y * plan::N, group = tsr_warp() / 4;
    int const tiles = (A.extent[1] + plan::K - 1) / plan::K;

    auto from_a = tsr_part<plan::from>(A.from(m, 0), t); /* (8,4,1) */
    auto from_b = tsr_part<plan::from>(B.from(n, 0), t);
    auto const fetch =
        [&](int stage) { /* the next tile; beyond the last one, zeros */
                         tsr_copy_async_if<16>(from_a, tsr_part<plan::to>(smem_a + stage * plan::buffer, t));
                         tsr_copy_async_if<16>(from_b, tsr_part<plan::to>(smem_b + stage * plan::buffer, t));
                         tsr_cp_async_commit();
                         from_a.move(0, plan::K);
                         from_b.move(0, plan::K);
        };
    for (int stage = 0; stage < plan::stages - 2; ++stage)
        fetch(stage);

    float c[tsr_values<plan::frag_c>] = {}; /* (2,2,16) */
    tsr_stage<plan::stages> read, write;
    write.index = plan::stages - 2;
    for (int tile = 0; tile < tiles; ++tile) {
        tsr_cp_async_wait<plan::stages - 3>();
        tsr_fence_async();
        __syncthreads(); /* the tile is there, and all are done with the one before the last */
        tsr_wgmma_fence();
        tsr_gemm_wgmma<plan::atom, plan::rows, plan::smem>(smem_a + read.index * plan::buffer + group * 64 * plan::K,
                                                           smem_b + read.index * plan::buffer, c);
        tsr_wgmma_commit();
        fetch(write.index);
        tsr_wgmma_wait<1>();
        read.next();
        write.next();
    }
    tsr_wgmma_wait<0>();
    tsr_wgmma_hold(c);
    tsr_cp_async_wait<0>();

    uint32_t half[tsr_values<plan::frag_c> / 2];
    tsr_to_f16(c, half);
    tsr_copy_if<4>(half, tsr_part<plan::frag_c>(C.from(m, n), t));
}

#ifndef __CUDACC_RTC__ /* the host */

/* Why the launch is refused, or no reason. */
static tsr_reason run_hgemm_wgmma(tsr_global<tsr_f16 const, 2, 1> A, tsr_global<tsr_f16 const, 2, 1> B,
                                  tsr_global<tsr_f16, 2, 1> C)
{
    using plan = hgemm_wgmma_plan;
    tsr_reason const why[] = {A.wide(16), B.wide(16), C.wide(4)};
    for (tsr_reason const &w : why)
        if (!tsr_ok(w))
            return w;
    dim3 const blocks((C.extent[0] + plan::M - 1) / plan::M, (C.extent[1] + plan::N - 1) / plan::N);
    cudaFuncSetAttribute(hgemm_wgmma, cudaFuncAttributeMaxDynamicSharedMemorySize, plan::bytes);
    hgemm_wgmma<<<blocks, plan::threads, plan::bytes>>>(A, B, C);
    return tsr_no_reason();
}

#endif
