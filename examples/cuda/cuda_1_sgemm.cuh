/* C = alpha * A * B^T + beta * C in single precision, the simplest way that is not slow: a block computes a tile of
 * C, its threads bring a tile of A and of B into shared memory element by element and multiply from there. */
#pragma once

#include <tessera/cuda.cuh>

#include <tessera/names.h>

/* Everything that is known before the kernel runs is a constant: tiles, who moves and multiplies what, where it lies.
 */
template <int UnitA, int UnitB> struct sgemm_1_plan {
    static constexpr tsr_layout tile = tsr_make_layout(tsr_t(_128, _8)); /* of A and B */
    static constexpr tsr_layout tile_c = tsr_make_layout(tsr_t(_128, _128));
    static constexpr tsr_layout by_column = tsr_make_layout(tsr_t(_32, _8)); /* threads of a copy */
    static constexpr tsr_layout by_row = tsr_make_layout(tsr_t(_32, _8), tsr_right());
    static constexpr tsr_layout one = tsr_make_layout(tsr_t(_1, _1));
    static constexpr tsr_copy_atom element =
        tsr_copy_values(tsr_make_copy_types(TSR_COPY_UNIVERSAL, TSR_F32, TSR_F32), TSR_F32);
    static constexpr tsr_tiled_copy copy_a = tsr_make_tiled_copy(element, UnitA == 0 ? by_column : by_row, one);
    static constexpr tsr_tiled_copy copy_b = tsr_make_tiled_copy(element, UnitB == 0 ? by_column : by_row, one);
    static constexpr tsr_mma_atom atom = tsr_fma(TSR_F32, TSR_F32, TSR_F32, TSR_F32);
    /* 16x16 threads; of every 64 rows and columns of C a thread has 4 neighbours, which it reads at once. */
    static constexpr tsr_layout fours = tsr_make_layout(tsr_t(_16, _4), tsr_t(_4, _1));
    static constexpr tsr_tiled_mma mma =
        tsr_make_tiled_mma_by(atom, tsr_make_layout(tsr_t(_16, _16, _1)), tsr_tile(fours, fours, _1));

    /* Tiles in shared memory: 4 elements more a column keep threads that write a row out of each other's banks. */
    static constexpr tsr_layout smem = tsr_make_layout(tsr_t(_128, _8), tsr_t(_1, tsr_s(132)));

    /* (thread,(value,rest...)) to a coordinate of global memory, and to an offset of shared memory */
    static constexpr tsr_layout from_a = tsr_tidfrg_s(copy_a, tsr_make_identity_layout(tile.shape));
    static constexpr tsr_layout from_b = tsr_tidfrg_s(copy_b, tsr_make_identity_layout(tile.shape));
    static constexpr tsr_layout to_a = tsr_tidfrg_d(copy_a, smem);
    static constexpr tsr_layout to_b = tsr_tidfrg_d(copy_b, smem);
    static constexpr tsr_layout frag_a = tsr_thread_values_a(mma, smem);
    static constexpr tsr_layout frag_b = tsr_thread_values_b(mma, smem);
    static constexpr tsr_layout frag_c = tsr_thread_values_c(mma, tsr_make_identity_layout(tile_c.shape));
};

template <int UnitA, int UnitB> __global__ __launch_bounds__(256) void sgemm_1(tsr_global<float const, 2, UnitA> A,
                                                                               tsr_global<float const, 2, UnitB> B,
                                                                               tsr_global<float, 2, 0> C, float alpha,
                                                                               float beta)
{
    using plan = sgemm_1_plan<UnitA, UnitB>;
    __shared__ alignas(16) float smem_a[tsr_cosize(plan::smem)], smem_b[tsr_cosize(plan::smem)]; /* (128,8) */
    int const t = threadIdx.x, m = blockIdx.x * 128, n = blockIdx.y * 128;

    auto from_a = tsr_part<plan::from_a>(A.from(m, 0), t); /* (1,4,1) of global memory */
    auto from_b = tsr_part<plan::from_b>(B.from(n, 0), t);
    auto const to_a = tsr_part<plan::to_a>(smem_a, t); /* (1,4,1) of shared memory */
    auto const to_b = tsr_part<plan::to_b>(smem_b, t);
    auto const frag_a = tsr_part<plan::frag_a>(smem_a, t); /* (1,8,8): rows of C that are t's, k */
    auto const frag_b = tsr_part<plan::frag_b>(smem_b, t);
    float c[tsr_values<plan::frag_c>] = {}; /* (1,8,8) */

    for (int k = 0; k < A.extent[1]; k += 8) {
        float a[4], b[4];
        tsr_copy_if<4>(from_a, a);
        tsr_copy_if<4>(from_b, b);
        __syncthreads();
        tsr_copy<4>(a, to_a);
        tsr_copy<4>(b, to_b);
        __syncthreads();
        TSR_UNROLL for (int i = 0; i < 8; ++i)
        {
            float x[8], y[8];
            tsr_copy<16>(frag_a, x, 8 * i);
            tsr_copy<16>(frag_b, y, 8 * i);
            tsr_gemm<plan::atom>(x, y, c);
        }
        from_a.move(0, 8);
        from_b.move(0, 8);
    }
    tsr_axpby(alpha, c, beta, tsr_part<plan::frag_c>(C.from(m, n), t));
}

#ifndef __CUDACC_RTC__ /* the host */

/* Any address and stride will do. */
template <int UnitA, int UnitB> static tsr_reason run_sgemm_1(tsr_global<float const, 2, UnitA> A,
                                                              tsr_global<float const, 2, UnitB> B,
                                                              tsr_global<float, 2, 0> C, float alpha, float beta)
{
    dim3 const blocks((C.extent[0] + 127) / 128, (C.extent[1] + 127) / 128);
    sgemm_1<<<blocks, 256>>>(A, B, C, alpha, beta);
    return tsr_no_reason();
}

#endif
