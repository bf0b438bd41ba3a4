/* C = alpha * A * B^T + beta * C in single precision, with wide accesses: tiles go through registers into one of two
 * buffers in shared memory while the other one is multiplied, 16 bytes at a time. A thread owns 4x4 blocks of C, a
 * warp 32x16. */
#pragma once

#include <tessera/cuda.cuh>

#include <tessera/names.h>

template <int Unit> struct sgemm_2_operand { /* A (M,K) or B (N,K): which of its modes is contiguous */
    static constexpr int wide = Unit == 0 ? 4 : 1, deep = Unit == 0 ? 1 : 4; /* what a thread copies */
    static constexpr tsr_layout tile = tsr_make_layout(tsr_t(_128, _8));
    static constexpr tsr_layout threads =
        Unit == 0 ? tsr_make_layout(tsr_t(_32, _8)) : tsr_make_layout(tsr_t(_128, _2), tsr_right());
    static constexpr tsr_layout values = tsr_make_layout(tsr_t(tsr_s(wide), tsr_s(deep)));
    static constexpr tsr_copy_atom vector = tsr_copy_values(tsr_make_copy(TSR_COPY_UNIVERSAL, 128), TSR_F32);
    static constexpr tsr_tiled_copy copy = tsr_make_tiled_copy(vector, threads, values);

    /* A column of 132 elements: still multiples of 16 bytes, and threads that write along k meet different banks. */
    static constexpr tsr_layout smem = tsr_make_layout(tsr_t(_128, _8), tsr_t(_1, tsr_s(132)));
    static constexpr tsr_layout from = tsr_tidfrg_s(copy, tsr_make_identity_layout(tile.shape)); /* -> (m,k) */
    static constexpr tsr_layout to = tsr_tidfrg_d(copy, smem);                                   /* -> offset */
    static constexpr int store = Unit == 0 ? 16 : 4; /* bytes that are neighbours in shared memory, too */
};

struct sgemm_2_plan {
    static constexpr tsr_mma_atom atom = tsr_fma(TSR_F32, TSR_F32, TSR_F32, TSR_F32);
    /* A warp is 8x4 threads, the block 2x4 warps; along M and N a thread has 4 neighbours of every 64. */
    static constexpr tsr_layout threads =
        tsr_make_layout(tsr_t(tsr_t(_8, _2), tsr_t(_4, _4), _1), tsr_t(tsr_t(_1, _128), tsr_t(_8, _32), _0));
    static constexpr tsr_layout fours = tsr_make_layout(tsr_t(_16, _4), tsr_t(_4, _1));
    static constexpr tsr_tiled_mma mma = tsr_make_tiled_mma_by(atom, threads, tsr_tile(fours, fours, _1));
    static constexpr tsr_layout smem = sgemm_2_operand<0>::smem;
    static constexpr tsr_layout frag_a = tsr_thread_values_a(mma, smem); /* (thread,(1,(8,8))) -> offset */
    static constexpr tsr_layout frag_b = tsr_thread_values_b(mma, smem);
    static constexpr tsr_layout tile_c = tsr_make_layout(tsr_t(_128, _128));
    static constexpr tsr_layout frag_c =
        tsr_thread_values_c(mma, tsr_make_identity_layout(tile_c.shape)); /* -> (m,n) */
};

template <int UnitA, int UnitB> __global__ __launch_bounds__(256) void sgemm_2(tsr_global<float const, 2, UnitA> A,
                                                                               tsr_global<float const, 2, UnitB> B,
                                                                               tsr_global<float, 2, 0> C, float alpha,
                                                                               float beta)
{
    using plan = sgemm_2_plan;
    using copy_a = sgemm_2_operand<UnitA>;
    using copy_b = sgemm_2_operand<UnitB>;
    constexpr int size = tsr_cosize(plan::smem);
    __shared__ alignas(16) float smem_a[2][size], smem_b[2][size]; /* (128,8) each */
    int const t = threadIdx.x, m = blockIdx.x * 128, n = blockIdx.y * 128;

    auto from_a = tsr_part<copy_a::from>(A.from(m, 0), t);
    auto from_b = tsr_part<copy_b::from>(B.from(n, 0), t);
    float a[4], b[4];                       /* what the thread copies */
    float c[tsr_values<plan::frag_c>] = {}; /* (1,8,8) */

    tsr_copy_if<16>(from_a, a);
    tsr_copy_if<16>(from_b, b);
    for (int k = 0, buffer = 0; k < A.extent[1]; k += 8, buffer ^= 1) {
        tsr_copy<copy_a::store>(a, tsr_part<copy_a::to>(smem_a[buffer], t));
        tsr_copy<copy_b::store>(b, tsr_part<copy_b::to>(smem_b[buffer], t));
        __syncthreads();
        from_a.move(0, 8);
        from_b.move(0, 8);
        tsr_copy_if<16>(from_a, a); /* the next tile, zeros behind the last one */
        tsr_copy_if<16>(from_b, b);
        auto const frag_a = tsr_part<plan::frag_a>(smem_a[buffer], t); /* (1,8,8) */
        auto const frag_b = tsr_part<plan::frag_b>(smem_b[buffer], t);
        TSR_UNROLL for (int i = 0; i < 8; ++i)
        {
            float x[8], y[8];
            tsr_copy<16>(frag_a, x, 8 * i);
            tsr_copy<16>(frag_b, y, 8 * i);
            tsr_gemm<plan::atom>(x, y, c);
        }
    }
    tsr_axpby(alpha, c, beta, tsr_part<plan::frag_c>(C.from(m, n), t));
}

#ifndef __CUDACC_RTC__ /* the host */

/* Why the launch is refused, or no reason. */
template <int UnitA, int UnitB> static tsr_reason run_sgemm_2(tsr_global<float const, 2, UnitA> A,
                                                              tsr_global<float const, 2, UnitB> B,
                                                              tsr_global<float, 2, 0> C, float alpha, float beta)
{
    tsr_reason const a = A.wide(16), b = B.wide(16);
    if (!tsr_ok(a) || !tsr_ok(b))
        return tsr_ok(a) ? b : a;
    dim3 const blocks((C.extent[0] + 127) / 128, (C.extent[1] + 127) / 128);
    sgemm_2<<<blocks, 256>>>(A, B, C, alpha, beta);
    return tsr_no_reason();
}

#endif
