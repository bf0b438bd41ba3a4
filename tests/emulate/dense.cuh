/** C (M x 128 floats) = A * B^T of halves, by one CTA (M = 128) or a pair (M = 256), on the instructions alone. Tiles
 *  lie in memory as shared memory wants them: 64 elements of K, rows of 128 bytes, swizzled. */
#ifndef DENSE_CUH
#define DENSE_CUH

#include "tessera/cuda/bulk.cuh"
#include "tessera/cuda/tcgen05.cuh"

template <int Ctas> struct dense {
    enum { stages = 2, a = 128 * 128, b = 128 / Ctas * 128, size = a + b, threads = 192 };
    enum { bytes = stages * size + (int)sizeof(tsr_pipeline<stages>) + 32 };
};

struct dense_state {
    tsr_pipeline<2> ring;
    tsr_barrier peer[2], done;
    uint32_t slot;
};

/** 8 rows are 1024 bytes. */
TSR_DEVICE uint64_t dense_desc(void const *tile)
{
    return (uint64_t)(tsr_smem_address(tile) >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 46 | 2ull << 61;
}

template <int Ctas> __global__ void dense_product(uint8_t const *A, uint8_t const *B, float *C, int tiles)
{
    typedef dense<Ctas> plan;
    unsigned char *const buf = tsr_dynamic_smem<unsigned char>();
    dense_state &s = *reinterpret_cast<dense_state *>(buf + plan::stages * plan::size);
    int const rank = tsr_cluster_rank(), warp = tsr_warp();
    if (threadIdx.x == 0) {
        s.ring.init(1, 1);
        for (int i = 0; i < 2; ++i)
            tsr_barrier_init(&s.peer[i], 1);
        tsr_barrier_init(&s.done, 1);
        tsr_barrier_init_fence();
    }
    if (warp == 1) {
        tsr_tcgen05_alloc<Ctas>(&s.slot, 128);
        tsr_tcgen05_relinquish<Ctas>();
    }
    tsr_cluster_sync();
    uint32_t const c = s.slot;
    if (warp == 0 && tsr_elect()) { /* this CTA's rows of A and of B */
        tsr_stage<2> at;
        for (int t = 0; t < tiles; ++t, at.next()) {
            tsr_barrier_wait(&s.ring.free[at.index], at.parity ^ 1);
            tsr_barrier_expect(&s.ring.full[at.index], plan::size);
            unsigned char *const to = buf + at.index * plan::size;
            tsr_bulk_load(to, A + (t * Ctas + rank) * plan::a, plan::a, &s.ring.full[at.index]);
            tsr_bulk_load(to + plan::a, B + (t * Ctas + rank) * plan::b, plan::b, &s.ring.full[at.index]);
        }
    } else if (warp == 1 && rank == 1 && tsr_elect()) { /* tells the other CTA */
        tsr_stage<2> at;
        for (int t = 0; t < tiles; ++t, at.next()) {
            tsr_barrier_wait(&s.ring.full[at.index], at.parity);
            tsr_barrier_release_at(&s.peer[at.index], 0);
        }
    } else if (warp == 1 && rank == 0 && tsr_elect()) { /* multiplies for both */
        uint32_t const word = 1u << 4 | (128 / 8) << 17 | (uint32_t)(128 * Ctas / 16) << 24;
        tsr_stage<2> at;
        for (int t = 0; t < tiles; ++t, at.next()) {
            tsr_barrier_wait(&s.ring.full[at.index], at.parity);
            if (Ctas == 2)
                tsr_barrier_wait_cluster(&s.peer[at.index], at.parity);
            tsr_tcgen05_fence_after();
            uint64_t const a = dense_desc(buf + at.index * plan::size),
                           b = dense_desc(buf + at.index * plan::size + plan::a);
            for (uint64_t k = 0; k < 4; ++k)
                tsr_tcgen05_mma<TSR_UMMA_KIND_F16, Ctas, 0, 0, TSR_UMMA_COLLECT_NONE>(
                    {c, a + 2 * k, b + 2 * k, word, t > 0 || k > 0, 0, 0, 0});
            tsr_tcgen05_commit<Ctas>(&s.ring.free[at.index], Ctas == 2 ? 3 : 1);
        }
        tsr_tcgen05_commit<Ctas>(&s.done, Ctas == 2 ? 3 : 1);
    }
    if (warp >= 2) { /* the sums: a warp reads the 32 lanes of its number modulo 4 */
        int const lanes = warp % 4 * 32, row = rank * 128 + lanes + (int)threadIdx.x % 32;
        tsr_barrier_wait(&s.done, 0);
        tsr_tcgen05_fence_after();
        for (int n = 0; n < 128; n += 32) {
            uint32_t x[32];
            tsr_tcgen05_ld<32, 32, 32, false>(c + ((uint32_t)lanes << 16) + (uint32_t)n, x);
            tsr_tcgen05_wait_ld();
            TSR_COPY(C + row * 128 + n, x, sizeof x);
        }
        tsr_tcgen05_fence_before();
    }
    tsr_cluster_sync();
    if (warp == 1)
        tsr_tcgen05_dealloc<Ctas>(c, 128);
}

#endif
