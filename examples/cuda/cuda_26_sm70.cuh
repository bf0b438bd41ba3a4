/* C = alpha * A * B^T + beta * C in single precision, ported from CUTLASS's examples/cute/tutorial/sgemm_sm70.cu. Both
 * memories are pipelined: while a step of K is multiplied, the next one comes from shared memory to registers, and the
 * next tile from global memory. Sizes need not be multiples of the tile, as they must be there. */
#pragma once

#include <tessera/cuda.cuh>

#include <tessera/names.h>

template <int Unit> struct sm70_operand { /* A (M,K) or B (N,K): which of its modes is contiguous */
    static constexpr bool wide = Unit == 0;
    static constexpr int bytes = wide ? 16 : 4; /* of an access */
    static constexpr tsr_tuple tile = tsr_t(_128, _8);
    static constexpr tsr_copy_atom atom = tsr_copy_values(tsr_make_copy(TSR_COPY_UNIVERSAL, 8 * bytes), TSR_F32);
    static constexpr tsr_layout threads =
        wide ? tsr_make_layout(tsr_t(_32, _8)) : tsr_make_layout(tsr_t(_32, _8), tsr_right());
    static constexpr tsr_layout values = tsr_make_layout(tsr_t(tsr_s(bytes / 4), _1));
    static constexpr tsr_tiled_copy copy = tsr_make_tiled_copy(atom, threads, values);
    static constexpr tsr_layout smem = tsr_make_layout(tile, tsr_t(_1, tsr_s(wide ? 128 : 129)));
    static constexpr tsr_layout from = tsr_tidfrg_s(copy, tsr_make_identity_layout(tile)); /* -> (m,k) */
    static constexpr tsr_layout to = tsr_tidfrg_d(copy, smem);                             /* -> offset */
};

struct sm70_plan {
    enum { threads = 256, steps = 8 /* of K in a tile */ };
    static constexpr tsr_mma_atom atom = tsr_fma(TSR_F32, TSR_F32, TSR_F32, TSR_F32);
    static constexpr tsr_tiled_mma mma = tsr_make_tiled_mma(atom, tsr_make_layout(tsr_t(_16, _16, _1)));
    template <int Unit> struct a {
        static constexpr tsr_layout frag = tsr_thread_values_a(mma, sm70_operand<Unit>::smem);
    };
    template <int Unit> struct b {
        static constexpr tsr_layout frag = tsr_thread_values_b(mma, sm70_operand<Unit>::smem);
    };
    static constexpr tsr_layout c = tsr_thread_values_c(mma, tsr_make_identity_layout(tsr_t(_128, _128)));
};

template <int UnitA, int UnitB> struct sm70_shared {
    alignas(16) float a[tsr_cosize(sm70_operand<UnitA>::smem)];
    alignas(16) float b[tsr_cosize(sm70_operand<UnitB>::smem)];
};

template <int UnitA, int UnitB>
__global__ __launch_bounds__(256) void sm70(tsr_global<float const, 2, UnitA> A, tsr_global<float const, 2, UnitB> B,
                                            tsr_global<float, 2, 0> C, float alpha, float beta)
{
    using plan = sm70_plan;
    using copy_a = sm70_operand<UnitA>;
    using copy_b = sm70_operand<UnitB>;
    auto &s = *tsr_dynamic_smem<sm70_shared<UnitA, UnitB>>();
    int const t = threadIdx.x, m = blockIdx.x * 128, n = blockIdx.y * 128;

    auto from_a = tsr_part<copy_a::from>(A.from(m, 0), t);
    auto from_b = tsr_part<copy_b::from>(B.from(n, 0), t);
    auto const to_a = tsr_part<copy_a::to>(s.a, t);
    auto const to_b = tsr_part<copy_b::to>(s.b, t);
    auto const frag_a = tsr_part<plan::a<UnitA>::frag>(s.a, t); /* (1,(8,8)): 8 rows, 8 steps */
    auto const frag_b = tsr_part<plan::b<UnitB>::frag>(s.b, t);
    float a[4], b[4];                  /* of the next tile */
    float x[2][8], y[2][8];            /* of this step and the next one */
    float c[tsr_values<plan::c>] = {}; /* (1,(8,8)) */

    tsr_copy_if<copy_a::bytes>(from_a, a);
    tsr_copy_if<copy_b::bytes>(from_b, b);
    tsr_copy<copy_a::bytes>(a, to_a);
    tsr_copy<copy_b::bytes>(b, to_b);
    __syncthreads();
    tsr_copy<4>(frag_a, x[0], 0);
    tsr_copy<4>(frag_b, y[0], 0);
    for (int k = 0; k < A.extent[1]; k += 8) {
        TSR_UNROLL for (int step = 0; step < plan::steps; ++step)
        {
            int const next = (step + 1) % plan::steps;
            if (step == plan::steps - 1) {
                __syncthreads();
                tsr_copy<copy_a::bytes>(a, to_a);
                tsr_copy<copy_b::bytes>(b, to_b);
                __syncthreads();
            }
            tsr_copy<4>(frag_a, x[next % 2], 8 * next);
            tsr_copy<4>(frag_b, y[next % 2], 8 * next);
            if (step == 0) {
                from_a.move(0, 8);
                from_b.move(0, 8);
                tsr_copy_if<copy_a::bytes>(from_a, a); /* zeros behind the last tile */
                tsr_copy_if<copy_b::bytes>(from_b, b);
            }
            tsr_gemm<plan::atom>(x[step % 2], y[step % 2], c);
        }
    }
    tsr_axpby(alpha, c, beta, tsr_part<plan::c>(C.from(m, n), t));
}

#if !defined(__CUDACC_RTC__) && !TSR_EMULATE /* the host */

/* Why the launch is refused, or no reason. */
template <int UnitA, int UnitB> static tsr_reason run_sm70(tsr_global<float const, 2, UnitA> A,
                                                           tsr_global<float const, 2, UnitB> B,
                                                           tsr_global<float, 2, 0> C, float alpha, float beta)
{
    tsr_reason const a = A.wide(sm70_operand<UnitA>::bytes), b = B.wide(sm70_operand<UnitB>::bytes);
    if (!tsr_ok(a) || !tsr_ok(b))
        return tsr_ok(a) ? b : a;
    dim3 const blocks((C.extent[0] + 127) / 128, (C.extent[1] + 127) / 128);
    sm70<<<blocks, sm70_plan::threads, sizeof(sm70_shared<UnitA, UnitB>)>>>(A, B, C, alpha, beta);
    return tsr_no_reason();
}

#endif
