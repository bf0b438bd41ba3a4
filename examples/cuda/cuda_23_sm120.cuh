/* C = A * B^T on the tensor cores of sm_120: A of e4m3, B of e2m1, and a scale of ue8m0 for every 32 numbers along K of
 * each. cp.async brings tiles into a ring of swizzled buffers, ldmatrix takes them from there and gives each number of
 * B a byte, mma.sync multiplies numbers and scales. A word has the scales of one row and one tile of K. No such GPU was
 * at hand: compiled, and run by the emulator. */
#pragma once

#include <tessera/cuda.cuh>

#include <tessera/names.h>

/* A number that is part of a type. */
template <int I> struct constant {
    static constexpr int value = I;
};

struct mxf8f6f4_plan {
    enum { M = 128, N = 128, K = 128, stages = 3, threads = 128 };
    static constexpr tsr_layout smem =
        tsr_tile_to_shape(tsr_smem_atom(TSR_MAJOR_K, 3, TSR_U8), tsr_t(tsr_s(M), tsr_s(K))); /* Sw<3,4,3> */
    static constexpr int buffer = M * K, bytes = stages * 2 * buffer;

    /* Global to shared memory: 8 threads a row, 16 numbers each. Those of B have 8 bytes there, and 16 here, of which
     * the first 8 are theirs. */
    static constexpr tsr_layout numbers = tsr_make_identity_layout(tsr_t(tsr_s(M), tsr_s(K)));
    static constexpr tsr_layout halves = tsr_make_identity_layout(tsr_t(tsr_s(N), tsr_s(K / 2)));
    static constexpr tsr_layout slots = tsr_composition(
        smem, tsr_make_layout(tsr_t(tsr_s(N), tsr_t(_8, _8)), tsr_t(_1, tsr_t(tsr_s(N), tsr_s(16 * N)))));
    template <int Bits> static constexpr tsr_tiled_copy copy = tsr_make_tiled_copy(
        tsr_copy_values(tsr_make_copy(TSR_COPY_SM80_ALWAYS, Bits), TSR_U8),
        tsr_make_layout(tsr_t(_16, _8), tsr_right()), tsr_make_layout(tsr_t(_1, tsr_s(Bits / 8))));
    static constexpr tsr_layout from_a = tsr_tidfrg_s(copy<128>, numbers), to_a = tsr_tidfrg_d(copy<128>, smem);
    static constexpr tsr_layout from_b = tsr_tidfrg_s(copy<64>, halves), to_b = tsr_tidfrg_d(copy<64>, slots);

    /* 2x2 warps of 16x8x32, each with 16x16 of every 32x32. */
    static constexpr tsr_mma_atom atom =
        tsr_warp_mma(120, 16, 8, 32, TSR_F32, TSR_F8_E4M3FN, TSR_F4_E2M1, TSR_MMA_SCALE_32);
    static constexpr tsr_tiled_mma mma =
        tsr_make_tiled_mma_by(atom, tsr_make_layout(tsr_t(_2, _2, _1)), tsr_tile(_32, _32, _32));
    static constexpr tsr_tiled_copy load_a =
        tsr_make_tiled_copy_a(tsr_copy_values(tsr_make_copy(TSR_COPY_SM75_LDSM_N, 4), TSR_U8), mma);
    static constexpr tsr_tiled_copy load_b =
        tsr_make_tiled_copy_b(tsr_copy_values(tsr_make_copy(TSR_COPY_SM100_LDSM_S4, 4), TSR_U8), mma);
    static constexpr tsr_layout rows_a = tsr_tidfrg_s(load_a, smem); /* (thread,(16,1),(4,4)) -> offset */
    static constexpr tsr_layout rows_b = tsr_tidfrg_s(load_b, smem);
    static constexpr tsr_layout frag_c = tsr_thread_values_c(
        mma, tsr_make_identity_layout(tsr_t(tsr_s(M), tsr_s(N)))); /* (thread,(4,(4,8))) -> (m,n) */
    static_assert(
        TSR_FINE(tsr_fills_fragment(load_a, tsr_thread_values_a(mma, numbers), tsr_t(tsr_s(M), tsr_s(K))).why)
            && TSR_FINE(tsr_fills_fragment(load_b, tsr_thread_values_b(mma, numbers), tsr_t(tsr_s(N), tsr_s(K))).why),
        "ldmatrix delivers the registers in the order of the fragments");

    /* Rows whose scales a thread has: of A (rows 8 apart, a pair of tiles, row, warps), of B (four tiles, row, warps);
     * two words each. */
    static constexpr tsr_layout rows = tsr_make_identity_layout(tsr_t(tsr_s(M), _1));
    static constexpr tsr_layout scales_a = tsr_composition(
        rows, tsr_make_layout(tsr_t(tsr_t(_2, _2, _8, _2, _2), _2), tsr_t(tsr_t(_8, _32, _1, _16, _0), tsr_s(64))));
    static constexpr tsr_layout scales_b = tsr_composition(
        rows, tsr_make_layout(tsr_t(tsr_t(_4, _8, _2, _2), _2), tsr_t(tsr_t(_16, _1, _0, _8), tsr_s(64))));
};

/* A (M,K) by rows of e4m3; B (N,K/2) by rows of bytes, the first number in the low half; row strides multiples of 16
 * and 8. SFA (M,K/128) and SFB (N,K/128): words of four scales, zeros behind the last number of K. C (M,N) by rows. */
__global__ __launch_bounds__(128, 1) void mxf8f6f4(tsr_global<uint8_t const, 2, 1> A,
                                                   tsr_global<uint8_t const, 2, 1> B,
                                                   tsr_global<uint32_t const, 2, 1> SFA,
                                                   tsr_global<uint32_t const, 2, 1> SFB, tsr_global<float, 2, 1> C)
{
    using plan = mxf8f6f4_plan;
    auto const smem_a = tsr_smem(tsr_dynamic_smem<uint8_t>()), smem_b = smem_a + plan::stages * plan::buffer;
    /* (128,128,3) each */
    int const t = threadIdx.x, m = blockIdx.x * plan::M, n = blockIdx.y * plan::N;
    int const tiles = (A.extent[1] + plan::K - 1) / plan::K;

    auto from_a = tsr_part<plan::from_a>(A.from(m, 0), t); /* (16,8,1) */
    auto from_b = tsr_part<plan::from_b>(B.from(n, 0), t);
    auto from_sfa = tsr_part<plan::scales_a>(SFA.from(m, 0), t); /* (2) */
    auto from_sfb = tsr_part<plan::scales_b>(SFB.from(n, 0), t);
    auto const fetch =
        [&](int stage) { /* the next tile; beyond the last one, zeros */
                         tsr_copy_async_if<16>(from_a, tsr_part<plan::to_a>(smem_a + stage * plan::buffer, t));
                         tsr_copy_async_if<8>(from_b, tsr_part<plan::to_b>(smem_b + stage * plan::buffer, t));
                         tsr_cp_async_commit();
                         from_a.move(0, plan::K);
                         from_b.move(0, plan::K / 2);
        };
    for (int stage = 0; stage < plan::stages - 1; ++stage)
        fetch(stage);

    float c[tsr_accumulators<plan::atom, plan::frag_c>] = {}; /* (4,4,8) */
    uint32_t sfa[2], sfb[2], next_sfa[2], next_sfb[2];
    tsr_stage<plan::stages> read, write;
    write.index = plan::stages - 1;
    auto const scales = [&] {
        tsr_copy_if<4>(from_sfa, next_sfa);
        tsr_copy_if<4>(from_sfb, next_sfb);
        from_sfa.move(0, 1);
        from_sfb.move(0, 1);
    };
    /* 32 numbers along K, whose scales are byte k of the words; e2m1 goes from bits 0 to 3 of its byte to 2 to 5. */
    auto const multiply = [&](auto k) {
        uint32_t a[16], b[16]; /* (4,4) and (2,8) */
        tsr_copy_matrix<4>(tsr_part<plan::rows_a>(smem_a + read.index * plan::buffer, t), a, 64 * k.value);
        tsr_copy_matrix<4, false, 4>(tsr_part<plan::rows_b>(smem_b + read.index * plan::buffer, t), b, 64 * k.value);
        TSR_UNROLL for (int i = 0; i < 16; ++i) b[i] <<= 2;
        tsr_gemm_block_scaled<plan::atom, k.value>(a, b, sfa, sfb, c);
    };
    scales();
    for (int tile = 0; tile < tiles; ++tile, read.next()) {
        tsr_cp_async_wait<plan::stages - 2>();
        __syncthreads(); /* the tile is there, for all threads, and all have left the one before */
        TSR_UNROLL for (int i = 0; i < 2; ++i) sfa[i] = next_sfa[i], sfb[i] = next_sfb[i];
        fetch(write.index);
        write.next();
        scales();
        multiply(constant<0>{});
        multiply(constant<1>{});
        multiply(constant<2>{});
        multiply(constant<3>{});
    }
    tsr_cp_async_wait<0>();
    tsr_copy_if<8>(c, tsr_part<plan::frag_c>(C.from(m, n), t));
}
