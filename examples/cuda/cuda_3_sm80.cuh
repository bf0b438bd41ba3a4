/* C = A * B^T of half numbers on the tensor cores, the way of sm_80: cp.async brings tiles into a ring of swizzled
 * buffers, ldmatrix takes them from there, mma.sync multiplies; all three run at once. Sum is the type of the
 * accumulators, F32 or F16. */
#pragma once

#include <tessera/cuda.cuh>

#include <tessera/names.h>

template <int Sum> struct hgemm_sm80_plan {
    enum { M = 128, N = 128, K = 64, stages = 3, threads = 128 };
    static constexpr tsr_tuple tile = tsr_t(tsr_s(M), tsr_s(K)); /* of A and of B */
    static constexpr tsr_layout smem =
        tsr_tile_to_shape(tsr_smem_atom(TSR_MAJOR_K, 3, TSR_F16), tile); /* Sw<3,3,3> */
    static constexpr int buffer = M * K;                                 /* elements */
    static constexpr int bytes = stages * 2 * buffer * 2;

    /* Global to shared memory: 8 threads a row, 8 elements each. */
    static constexpr tsr_copy_atom async = tsr_copy_values(tsr_make_copy(TSR_COPY_SM80_GLOBAL, 128), TSR_F16);
    static constexpr tsr_tiled_copy copy =
        tsr_make_tiled_copy(async, tsr_make_layout(tsr_t(_16, _8), tsr_right()), tsr_make_layout(tsr_t(_1, _8)));
    static constexpr tsr_layout from = tsr_tidfrg_s(copy, tsr_make_identity_layout(tile)); /* -> (m,k) */
    static constexpr tsr_layout to = tsr_tidfrg_d(copy, smem);                             /* -> offset */

    /* 2x2 warps of 16x8x16, each with 16x16 of every 32x32. */
    static constexpr tsr_mma_atom atom = tsr_warp_mma(80, 16, 8, 16, Sum, TSR_F16, TSR_F16, TSR_MMA_PLAIN);
    static constexpr tsr_tiled_mma mma =
        tsr_make_tiled_mma_by(atom, tsr_make_layout(tsr_t(_2, _2, _1)), tsr_tile(_32, _32, _16));
    static constexpr tsr_copy_atom matrices = tsr_copy_values(tsr_make_copy(TSR_COPY_SM75_LDSM_N, 4), TSR_F16);
    static constexpr tsr_tiled_copy load_a = tsr_make_tiled_copy_a(matrices, mma);
    static constexpr tsr_tiled_copy load_b = tsr_make_tiled_copy_b(matrices, mma);
    static constexpr tsr_layout rows_a = tsr_tidfrg_s(load_a, smem); /* (thread,(8,1),(4,4)) -> offset */
    static constexpr tsr_layout rows_b = tsr_tidfrg_s(load_b, smem);
    static constexpr tsr_layout frag_c = tsr_thread_values_c(
        mma, tsr_make_identity_layout(tsr_t(tsr_s(M), tsr_s(N)))); /* (thread,(4,(4,8))) -> (m,n) */
    static constexpr tsr_layout frag_a = tsr_thread_values_a(mma, tsr_make_identity_layout(tile));
    static constexpr tsr_layout frag_b = tsr_thread_values_b(mma, tsr_make_identity_layout(tile));
    static_assert(TSR_FINE(tsr_fills_fragment(load_a, frag_a, tile).why)
                      && TSR_FINE(tsr_fills_fragment(load_b, frag_b, tile).why),
                  "ldmatrix delivers the registers in the order of the fragments");
};

/* A (M,K) and B (N,K) by rows, K and the row strides multiples of 8; C (M,N) by rows. */
template <int Sum> __global__ __launch_bounds__(128, 2) void hgemm_sm80(tsr_global<tsr_f16 const, 2, 1> A,
                                                                        tsr_global<tsr_f16 const, 2, 1> B,
                                                                        tsr_global<tsr_f16, 2, 1> C)
{
    using plan = hgemm_sm80_plan<Sum>;
    auto const smem_a = tsr_smem(tsr_dynamic_smem<tsr_f16>()), smem_b = smem_a + plan::stages * plan::buffer;
    /* (128,64,3) each */
    int const t = threadIdx.x, m = blockIdx.x * plan::M, n = blockIdx.y * plan::N;
    int const tiles = (A.extent[1] + plan::K - 1) / plan::K;

    auto from_a = tsr_part<plan::from>(A.from(m, 0), t); /* (8,8,1) */
    auto from_b = tsr_part<plan::from>(B.from(n, 0), t);
    auto const fetch =
        [&](int stage) { /* the next tile; beyond the last one, zeros */
                         tsr_copy_async_if<16>(from_a, tsr_part<plan::to>(smem_a + stage * plan::buffer, t));
                         tsr_copy_async_if<16>(from_b, tsr_part<plan::to>(smem_b + stage * plan::buffer, t));
                         tsr_cp_async_commit();
                         from_a.move(0, plan::K);
                         from_b.move(0, plan::K);
        };
    for (int stage = 0; stage < plan::stages - 1; ++stage)
        fetch(stage);

    tsr_accumulator<plan::atom> c[tsr_accumulators<plan::atom, plan::frag_c>] = {}; /* (4,4,8) */
    uint32_t a[2][16], b[2][16]; /* (4,4) and (2,8), of this k and the next one */
    tsr_stage<plan::stages> read, write;
    write.index = plan::stages - 1;
    auto const load = [&](int k, int stage) {
        tsr_copy_matrix<4>(tsr_part<plan::rows_a>(smem_a + stage * plan::buffer, t), a[k % 2], 32 * k);
        tsr_copy_matrix<4>(tsr_part<plan::rows_b>(smem_b + stage * plan::buffer, t), b[k % 2], 32 * k);
    };
    auto const arrive = [&] { /* the tile that is read next is there, for all threads */
                              tsr_cp_async_wait<plan::stages - 2>();
                              __syncthreads();
    };
    arrive();
    load(0, 0);
    for (int tile = 0; tile < tiles; ++tile) {
        TSR_UNROLL for (int k = 0; k < 4; ++k)
        {
            if (k == 3) {
                read.next();
                arrive();
            }
            if (k == 0) {
                fetch(write.index);
                write.next();
            }
            load((k + 1) % 4, read.index);
            tsr_gemm<plan::atom>(a[k % 2], b[k % 2], c);
        }
    }
    tsr_cp_async_wait<0>();

    uint32_t half[tsr_values<plan::frag_c> / 2];
    tsr_to_f16(c, half);
    tsr_copy_if<4>(half, tsr_part<plan::frag_c>(C.from(m, n), t));
}

#ifndef __CUDACC_RTC__ /* the host */

/* Why the launch is refused, or no reason. */
template <int Sum> static tsr_reason run_hgemm_sm80(tsr_global<tsr_f16 const, 2, 1> A,
                                                    tsr_global<tsr_f16 const, 2, 1> B, tsr_global<tsr_f16, 2, 1> C)
{
    using plan = hgemm_sm80_plan<Sum>;
    tsr_reason const why[] = {A.wide(16), B.wide(16), C.wide(4)};
    for (tsr_reason const &w : why)
        if (!tsr_ok(w))
            return w;
    dim3 const blocks((C.extent[0] + plan::M - 1) / plan::M, (C.extent[1] + plan::N - 1) / plan::N);
    cudaFuncSetAttribute(hgemm_sm80<Sum>, cudaFuncAttributeMaxDynamicSharedMemorySize, plan::bytes);
    hgemm_sm80<Sum><<<blocks, plan::threads, plan::bytes>>>(A, B, C);
    return tsr_no_reason();
}

#endif
