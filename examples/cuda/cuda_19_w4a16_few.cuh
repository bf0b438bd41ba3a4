/* The same product where W is small and X has at most 16 rows: then a launch is its latency.
 *
 * A block has 16 or 32 rows of W and all of K, so no block waits for another one. Two blocks fit on a multiprocessor,
 * with all their weights, which the next product brings while this one runs. Few of them are on their way at a time: X
 * would wait behind them. A warp takes groups of 128 of K, in turns with the others; it brings their weights and its
 * part of X itself. The X of the next group comes while one is multiplied, from registers. The sums of the warps meet
 * in shared memory. */
#pragma once

#include "cuda_19_w4a16_weights.cuh"

template <int Rows, int Warps> struct w4_few_plan {
    enum { rows = Rows, warps = Warps, threads = 32 * warps, tiles = 2, most = 8, pitch = w4_group + 8 };
    enum { bytes = w4_tile * w4_group / 2, parts = warps == 8 ? 2 : 1 }; /* of a tile; sums of a group */
    enum { ahead = rows == 8 ? 12 : 6 };                                 /* groups on their way, of 2 kB */
    static constexpr tsr_mma_atom atom = tsr_warp_mma(80, 16, 8, 16, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_PLAIN);
    static constexpr tsr_tiled_mma mma =
        tsr_make_tiled_mma_by(atom, tsr_make_layout(tsr_t(_1, _1, _1)), tsr_tile(_16, _8, _16));
    static constexpr tsr_tiled_mma wide = /* whose B is 4 matrices of ldmatrix */
        tsr_make_tiled_mma_by(atom, tsr_make_layout(tsr_t(_1, _1, _1)),
                              tsr_tile(_16, tsr_s(Rows), tsr_s(256 / Rows)));
    static constexpr tsr_tiled_copy load_x =
        tsr_make_tiled_copy_b(tsr_copy_values(tsr_make_copy(TSR_COPY_SM75_LDSM_N, 4), TSR_F16), wide);
    static constexpr tsr_layout smem_x = /* rows are 16 bytes apart in the banks */
        tsr_make_layout(tsr_t(tsr_s(Rows), tsr_s(w4_group)), tsr_t(tsr_s(pitch), _1));
    static constexpr tsr_layout x = tsr_thread_values_b(wide, tsr_make_identity_layout(tsr_t(tsr_s(Rows), _128)));
    static constexpr tsr_layout a = tsr_thread_values_a(mma, tsr_make_identity_layout(tsr_t(_32, _16)));
    static constexpr tsr_layout b = tsr_thread_values_b(mma, tsr_make_identity_layout(tsr_t(tsr_s(Rows), _16)));
    static constexpr tsr_layout c = tsr_thread_values_c(mma, tsr_make_identity_layout(tsr_t(_32, tsr_s(Rows))));
    static constexpr tsr_layout d = tsr_thread_values_c(mma, tsr_make_identity_layout(tsr_t(_16, _8)));

    struct group { /* of K: weights, whose place the sums of a warp take at last, and scales */
        unsigned char w[tiles][bytes];
        tsr_f16 scale[tiles * w4_tile];
    };
    static_assert(32 * Rows * 4 <= tiles * bytes, "the sums of a warp take the place of weights");
    struct memory {
        tsr_barrier full[warps][most];
        group first; /* of p.each for each warp; behind them p.m rows of X for each warp */
    };
};

/* 32 rows of a group of K: sum += scale * (w * x^T). */
template <class P, class X, class F>
TSR_DEVICE void w4_few_multiply(typename P::group const &g, X const &x, int lane, F &sum)
{
    tsr_frag<P::c, float> part[P::parts];
    TSR_UNROLL for (int h = 0; h < P::parts; ++h) part[h] = tsr_frag_fill<P::c>(0.0f);
    TSR_UNROLL for (int h = 0; h < 2; ++h)
    {
        uint32_t w[P::tiles][4];
        TSR_UNROLL for (int m = 0; m < P::tiles; ++m) tsr_read<16>(g.w[m] + h * 512 + lane * 16, w[m]);
        TSR_UNROLL for (int i = 0; i < 4; ++i)
        {
            tsr_frag<P::a, tsr_f16> a;
            tsr_frag<P::b, tsr_f16> b;
            TSR_UNROLL for (int m = 0; m < P::tiles; ++m)
                tsr_unpack_f16<tsr_i4, TSR_NIBBLES_APART>(w[m][i], a.r + 4 * m);
            TSR_UNROLL for (int r = 0; r < b.words; ++r) b.r[r] = x.r[(4 * h + i) * b.words + r];
            tsr_gemm<P::mma>(a, b, part[h % P::parts]);
        }
    }
    TSR_UNROLL for (int m = 0; m < P::tiles; ++m)
    {
        tsr_f16 scale[2]; /* of the thread's rows, 8 apart */
        TSR_COPY(scale, g.scale + m * w4_tile + lane / 4 * 2, 4);
        TSR_UNROLL for (int h = 0; h < P::parts; ++h) TSR_UNROLL for (int n = 0; n < P::rows / 8; ++n)
            TSR_UNROLL for (int i = 0; i < 4; ++i)
                sum.r[4 * (P::tiles * n + m) + i] += (float)scale[i / 2] * part[h].r[4 * (P::tiles * n + m) + i];
    }
}

/* By one lane: weights and scales of `count` tiles of 16 rows from tile `first` on, all groups of a warp. Those of
 * group k are asked for when group k - ahead, which may be another warp's, is there. */
template <class P> TSR_DEVICE void w4_few_bring(typename P::memory &s, typename P::group *g, w4_problem const &p,
                                                int first, int count, int warp)
{
    enum { chunk = w4_rows / w4_tile };
    uint64_t const once = tsr_cache_evict_first();
    for (int k = warp; k < p.deep; k += P::warps, ++g) {
        int const before = k - P::ahead;
        tsr_barrier *const full = &s.full[warp][k / P::warps];
        if (before >= 0)
            tsr_barrier_wait(&s.full[before % P::warps][before / P::warps], 0);
        tsr_barrier_expect(full, count * (P::bytes + w4_tile * 2));
        for (int m = 0; m < count; ++m) {
            int const tile = first + m;
            tsr_bulk_load(g->w[m], p.w + ((int64_t)(tile / chunk) * p.deep + k) * w4_chunk + tile % chunk * P::bytes,
                          P::bytes, full, once);
        }
        tsr_bulk_load(g->scale, p.scale + (int64_t)k * p.n + first * w4_tile, count * w4_tile * 2, full, once);
    }
}

/* X of group k, in the background; what is behind its last row may be anything: it becomes columns that D has not. */
template <class P> TSR_DEVICE void w4_few_bring_x(tsr_f16 *to, w4_problem const &p, int k, int lane)
{
    TSR_UNROLL for (int r = lane / 16; r < P::rows; r += 2) if (r < p.m && k < p.deep) tsr_cp_async<16>(
        to + r * P::pitch + lane % 16 * 8, p.x.at + r * p.x.stride[0] + k * w4_group + lane % 16 * 8);
}

/* The sums of all warps, `count` tiles, to D. */
template <class P> TSR_DEVICE void w4_few_store(typename P::group const *g, w4_problem const &p, int first, int count)
{
    for (int u = threadIdx.x; u < P::tiles * w4_tile * P::rows / 4; u += P::threads) {
        int const m = u / 32 % P::tiles, n = u / 32 / P::tiles;
        auto all = tsr_frag_fill<P::d>(0.0f);
        TSR_UNROLL for (int w = 0; w < P::warps; ++w)
        {
            float part[4];
            tsr_read<16>(g[w * p.each].w[0] + 16 * u, part);
            TSR_UNROLL for (int r = 0; r < 4; ++r) all.r[r] += part[r];
        }
        if (m < count)
            tsr_frag_store<2>(tsr_frag_cast<tsr_f16>(all), p.d.from((first + m) * w4_tile, n * 8), threadIdx.x % 32);
    }
}

/* The groups of a warp: their sums go to where the weights of the first one were. */
template <class P> TSR_DEVICE void w4_few_consume(typename P::group *mine, tsr_barrier *full, w4_problem const &p,
                                                  tsr_f16 *here, int warp, int lane)
{
    auto sum = tsr_frag_fill<P::c>(0.0f);
    w4_few_bring_x<P>(here, p, warp, lane);
    for (int k = warp, i = 0; k < p.deep; k += P::warps, ++i) {
        tsr_frag<P::x, tsr_f16> x;
        tsr_cp_async_commit();
        tsr_cp_async_wait<0>();
        __syncwarp();
        tsr_copy_matrix<P::load_x, P::smem_x>(tsr_smem(here), x, lane);
        __syncwarp();
        w4_few_bring_x<P>(here, p, k + P::warps, lane);
        tsr_barrier_wait(&full[i], 0);
        w4_few_multiply<P>(mine[i], x, lane, sum);
    }
    __syncwarp();
    tsr_frag_store_raw(sum, reinterpret_cast<float *>(mine->w), lane);
}

/* Some blocks may have no rows: each multiprocessor has one of every product, or two of the next one would meet. */
template <class P>
__global__ __launch_bounds__(P::threads, 2) void w4_few_product(__grid_constant__ w4_problem const p)
{
    auto &s = *tsr_dynamic_smem<typename P::memory>();
    int const warp = tsr_warp(), lane = threadIdx.x % 32, tiles = p.n / w4_tile;
    int const first = (int)blockIdx.x * tiles / (int)gridDim.x;
    int const count = ((int)blockIdx.x + 1) * tiles / (int)gridDim.x - first;
    auto *const groups = &s.first, *const mine = groups + warp * p.each;
    tsr_f16 *const here = reinterpret_cast<tsr_f16 *>(groups + P::warps * p.each) + warp * p.m * P::pitch;
    if (lane < P::most)
        tsr_barrier_init(&s.full[warp][lane], 1);
    tsr_barrier_init_fence();
    __syncthreads();
    tsr_grid_release();
    if (lane == 0 && count > 0)
        w4_few_bring<P>(s, mine, p, first, count, warp);
    __syncwarp();
    tsr_grid_wait();
    if (count == 0)
        return;
    w4_few_consume<P>(mine, s.full[warp], p, here, warp, lane);
    __syncthreads();
    w4_few_store<P>(groups, p, first, count);
}
