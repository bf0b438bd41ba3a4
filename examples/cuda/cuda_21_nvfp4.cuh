/* C = A * B^T of nvfp4: numbers of 4 bits, and for 16 of them along K a scale of ue4m3. One CTA multiplies 128 rows at
 * a time, a pair 256. The copy engine brings bytes and tiles of scales. The thread that multiplies copies the scales on
 * to tensor memory, in order with its products. No such GPU was at hand: compiled, and run by the emulator. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/tile_tma.cuh>
#include <tessera/cuda/umma.cuh>

#include <tessera/names.h>

template <int Ctas> struct nvfp4_plan {
    enum { M = 128 * Ctas, N = 128, K = 256, stages = 4, threads = 192, part = 32 /* columns of sums at a time */ };
    static constexpr tsr_mma_atom atom =
        tsr_umma(Ctas, M, N, TSR_F32, TSR_F4_E2M1, TSR_F4_E2M1, 0, TSR_MMA_SCALE_16_4);
    static constexpr tsr_layout block = tsr_smem_atom(TSR_MAJOR_K, 3, TSR_F4_E2M1);
    static constexpr tsr_layout a = tsr_tile_to_shape(block, tsr_t(_128, tsr_s(K))); /* of one CTA */
    static constexpr tsr_layout b = tsr_tile_to_shape(block, tsr_t(tsr_s(N / Ctas), tsr_s(K)));
    static constexpr tsr_layout scales = tsr_scales_layout(16, tsr_t(_128, tsr_s(K)), 128, TSR_MAJOR_K);

    /* The same as the copy engine sees them: rows of 128 bytes. */
    static constexpr tsr_layout bytes_of_128 = tsr_smem_atom(TSR_MAJOR_K, 3, TSR_U8);
    static constexpr tsr_layout load_a = tsr_tile_to_shape(bytes_of_128, tsr_t(_128, _128));
    static constexpr tsr_layout load_b = tsr_tile_to_shape(bytes_of_128, tsr_t(tsr_s(N / Ctas), _128));
    static constexpr tsr_layout load_scales = tsr_make_layout(tsr_t(_16, _128), tsr_t(_128, _1));
    static constexpr int size_a = 128 * K / 2, size_b = N / Ctas * K / 2, size_scales = 128 * K / 16;
    static constexpr int at_b = size_a, at_sfa = at_b + size_b, at_sfb = at_sfa + size_scales,
                         size = at_sfb + size_scales;

    static constexpr tsr_tmem_plan tmem = tsr_make_tmem_plan(atom, tsr_t(_1, _1), tsr_s(4)); /* 128, 16, 16 columns */
    typedef tsr_tmem_rows<atom, part> rows; /* a row of the sums to a thread */

    struct barriers {
        tsr_pipeline<stages> ring;
        tsr_barrier done;
        uint32_t slot;
    };
    static constexpr int bytes = stages * size + (int)sizeof(barriers); /* of shared memory */
};

/* a, b: maps of the bytes of A (M,K/2) and B (N,K/2) for the tiles load_a and load_b. sfa, sfb: maps of their scales
 * in tiles of 128x4 (tsr_scales_pack), as rows of 128 bytes, for load_scales. K: a multiple of 256. A cluster has a
 * tile of C. */
template <int Ctas> __global__ __cluster_dims__(Ctas, 1, 1)
    __launch_bounds__(192, 1) void nvfp4(__grid_constant__ tsr_tma_map const a, __grid_constant__ tsr_tma_map const b,
                                         __grid_constant__ tsr_tma_map const sfa,
                                         __grid_constant__ tsr_tma_map const sfb, tsr_global<float, 2, 1> C, int K)
{
    typedef nvfp4_plan<Ctas> plan;
    typedef typename plan::rows rows;
    auto const buffers = tsr_smem(tsr_dynamic_smem<uint8_t>());
    auto &to = *reinterpret_cast<typename plan::barriers *>(buffers.at + plan::stages * plan::size);
    int const warp = tsr_warp(), cta = Ctas == 1 ? 0 : tsr_cluster_rank(), depth = K / plan::K;
    int const m = blockIdx.x / Ctas * plan::M + 128 * cta, n = blockIdx.y * plan::N;

    if (threadIdx.x == 0) {
        tsr_barrier_init(&to.done, 1);
        to.ring.init(1, 1);
    }
    tsr_tmem<plan::tmem, Ctas> t(&to.slot, warp == 1);
    tsr_cluster_sync();

    if (warp == 0 && tsr_elect()) { /* loads this CTA's rows; the even CTA counts the bytes of both */
        tsr_stage<plan::stages> s;
        for (int k = 0; k < depth; ++k, s.next()) {
            auto const at = buffers + s.index * plan::size;
            tsr_barrier *const full = &to.ring.full[s.index];
            int const line = 16 * k, lines = 16 * depth; /* of scales, of 128 rows */
            tsr_barrier_wait(&to.ring.free[s.index], s.parity ^ 1);
            if (cta == 0)
                tsr_barrier_expect(full, Ctas * plan::size);
            tsr_tma_load_tile<plan::load_a, Ctas>(&a, full, at, m, k * 128);
            tsr_tma_load_tile<plan::load_b, Ctas>(&b, full, at + plan::at_b, n + plan::N / Ctas * cta, k * 128);
            tsr_tma_load_tile<plan::load_scales, Ctas>(&sfa, full, at + plan::at_sfa, m / 128 * lines + line, 0);
            tsr_tma_load_tile<plan::load_scales, Ctas>(&sfb, full, at + plan::at_sfb, n / 128 * lines + line, 0);
        }
    } else if (warp == 1 && cta == 0 && tsr_elect()) { /* multiplies for all */
        tsr_stage<plan::stages> s;
        for (int k = 0; k < depth; ++k, s.next()) {
            auto const at = buffers + s.index * plan::size;
            tsr_barrier_wait_cluster(&to.ring.full[s.index], s.parity);
            tsr_umma_after();
            tsr_tmem_fill<plan::atom, TSR_TMEM_SFA, plan::scales>(at + plan::at_sfa, t.sfa);
            tsr_tmem_fill<plan::atom, TSR_TMEM_SFB, plan::scales>(at + plan::at_sfb, t.sfb);
            tsr_gemm_umma<plan::atom, plan::a, plan::b>(at, at + plan::at_b, t.c, t.sfa, t.sfb, k > 0);
            tsr_umma_commit<Ctas>(&to.ring.free[s.index], 2 * Ctas - 1);
        }
        tsr_umma_commit<Ctas>(&to.done, 2 * Ctas - 1);
    } else if (warp >= 2) { /* takes the sums of this CTA's rows out */
        tsr_barrier_wait(&to.done, 0);
        tsr_umma_after();
        for (int j = 0; j < plan::N; j += plan::part) {
            tsr_frag<rows::values, float> x;
            tsr_tmem_load<rows::copy, rows::tile>(t.c + j, x);
            tsr_tmem_wait_load(x);
            tsr_frag_store<16>(x, C.from(m, n + j), threadIdx.x % 128);
        }
    }
    tsr_umma_before();
    tsr_cluster_sync();
    t.free();
}
