/* Attention, forward: O = softmax(scale * Q K^T) V for each head, and the log of the sums. The grid is persistent: one
 * warpgroup brings tiles of Q, K and V by TMA, those of the next block of queries while the last one ends. Each of the
 * others has 64 rows of Q, whose scores never leave its registers: the accumulators of the first product are the A of
 * the second. They take turns: one multiplies while another takes exponentials. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/schedule.cuh>
#include <tessera/cuda/tile_tma.cuh>

#include <tessera/names.h>

template <class T> constexpr tsr_dtype attention_type = TSR_F16;
template <> constexpr tsr_dtype attention_type<tsr_bf16> = TSR_BF16;

template <int Size, class T> struct attention_plan {
    enum {
        D = Size,
        N = D == 256 ? 80 : 128, /* keys of a tile */
        consumers = D == 64 ? 3 : 2,
        M = 64 * consumers, /* queries of a block */
        stages = 2,
        threads = 128 * (1 + consumers),
        kept = consumers == 3 ? 32 : 24,   /* registers of the producer, */
        taken = consumers == 3 ? 160 : 240 /* and of a consumer */
    };
    static constexpr tsr_dtype type = attention_type<T>;
    static constexpr tsr_layout block = tsr_smem_atom(TSR_MAJOR_K, 3, type);
    static constexpr tsr_layout smem_q = tsr_tile_to_shape(block, tsr_t(_64, tsr_s(D)));
    static constexpr tsr_layout smem_k = tsr_tile_to_shape(block, tsr_t(tsr_s(N), tsr_s(D)));
    static constexpr tsr_layout smem_v = /* (D,N) */
        tsr_tile_to_shape_ordered(tsr_smem_atom(TSR_MAJOR_MN, 3, type), tsr_t(tsr_s(D), tsr_s(N)), tsr_t(_2, _1));

    static constexpr tsr_mma_atom qk = tsr_wgmma(N, TSR_F32, type, type, 0, TSR_MMA_PLAIN);
    static constexpr tsr_mma_atom pv =
        tsr_wgmma(D, TSR_F32, type, type, TSR_MMA_A_REGISTERS | TSR_MMA_B_MN, TSR_MMA_PLAIN);
    static constexpr tsr_layout scores = tsr_make_identity_layout(tsr_t(_64, tsr_s(N)));
    static constexpr tsr_layout result = tsr_make_identity_layout(tsr_t(_64, tsr_s(D)));
    static constexpr tsr_layout s = tsr_thread_values_c(tsr_make_tiled_mma(qk), scores);
    static constexpr tsr_layout p = tsr_thread_values_a(tsr_make_tiled_mma(pv), scores);
    static constexpr tsr_layout o = tsr_thread_values_c(tsr_make_tiled_mma(pv), result);

    struct shared {
        T q[consumers][64 * D], k[stages][N * D], v[stages][N * D];
        tsr_pipeline<1> q_ring; /* with Q goes the number of its block */
        tsr_pipeline<stages> k_ring, v_ring;
        int block;
    };
};

struct attention_maps {
    tsr_tma_map q, k, v;
};

/* The problem. Query i sees the keys up to i + keys - queries where the mask is causal. */
struct attention_size {
    int queries, keys, heads, group; /* heads of Q, and how many of them share one of K and V */
    float scale;
    tsr_tile_order order; /* (heads of all batches, blocks of queries) */
};

/* One block of queries: from row m on, and the tiles of keys that it sees. */
struct attention_block {
    int m, head, batch, tiles;
};
template <class plan, bool Causal>
TSR_DEVICE attention_block attention_block_of(attention_size const &size, int block)
{
    tsr_tile_at const at = size.order.at(block);
    int const m = (Causal ? size.order.n - 1 - at.n : at.n) * plan::M; /* the long ones first */
    int const seen = Causal ? max(1, min(size.keys, m + plan::M + size.keys - size.queries)) : size.keys;
    return {m, at.m % size.heads, at.m / size.heads, (seen + plan::N - 1) / plan::N};
}

/* Q of one block after the other, with it the tiles of K and V, the last one first. */
template <class plan, bool Causal> TSR_DEVICE void attention_produce(attention_maps const &of,
                                                                     typename plan::shared *smem,
                                                                     attention_size const &size, int *next)
{
    tsr_stage<1> at_q;
    tsr_stage<plan::stages> at;
    auto const ready = [&](tsr_pipeline<plan::stages> &ring) {
        tsr_barrier_wait(&ring.free[at.index], at.parity ^ 1);
        tsr_barrier_expect(&ring.full[at.index], sizeof smem->k[0]);
        return &ring.full[at.index];
    };
    for (int block = blockIdx.x;; at_q.next()) {
        tsr_barrier_wait(&smem->q_ring.free[0], at_q.parity ^ 1);
        smem->block = block;
        if (block >= size.order.count()) {
            tsr_barrier_arrive(&smem->q_ring.full[0]);
            return;
        }
        auto const to = attention_block_of<plan, Causal>(size, block);
        int const head = to.head / size.group;
        tsr_barrier_expect(&smem->q_ring.full[0], sizeof smem->q);
        for (int i = 0; i < plan::consumers; ++i)
            tsr_tma_load_tile<plan::smem_q>(&of.q, smem->q_ring.full, tsr_smem(smem->q[i]), to.m + 64 * i, 0, to.head,
                                            to.batch);
        for (int tile = to.tiles - 1; tile >= 0; --tile, at.next()) {
            tsr_tma_load_tile<plan::smem_k>(&of.k, ready(smem->k_ring), tsr_smem(smem->k[at.index]), tile * plan::N,
                                            0, head, to.batch);
            tsr_tma_load_tile<plan::smem_v>(&of.v, ready(smem->v_ring), tsr_smem(smem->v[at.index]), 0,
                                            tile * plan::N, head, to.batch);
        }
        int const taken = atomicAdd(next, 1);
        block = gridDim.x + taken;
        if (taken == size.order.count() - 1)
            *next = 0; /* nobody asks any more */
    }
}

template <int D, bool Causal, class T> __global__ __launch_bounds__(attention_plan<D, T>::threads, 1) void attention(
    __grid_constant__ attention_maps const maps, tsr_global<T, 4, 1> O, float *lse, attention_size size, int *next)
{
    using plan = attention_plan<D, T>;
    auto *const smem = tsr_dynamic_smem<typename plan::shared>();
    int const group = tsr_warp() / 4, past = size.keys - size.queries;

    if (threadIdx.x == 0) {
        smem->q_ring.init(1, 4 * plan::consumers); /* each warp leaves for itself */
        smem->k_ring.init(1, 4 * plan::consumers);
        smem->v_ring.init(1, 4 * plan::consumers);
    }
    __syncthreads();
    if (tsr_produce<plan::kept, plan::taken>([&] { attention_produce<plan, Causal>(maps, smem, size, next); }))
        return;
    typedef tsr_frag<tsr_reduced<plan::s, 1>::layout, float> rows;
    int const t = threadIdx.x % 128;
    float const scale = size.scale * 1.44269504f;
    auto const my_q = tsr_smem(smem->q[group - 1]);
    tsr_frag<plan::s, float> s;
    tsr_frag<plan::p, T> p;
    tsr_frag<plan::o, float> o;
    rows most, sum;
    tsr_stage<1> at_q;
    tsr_stage<plan::stages> at_k, at_v;
    int tile, row;
    auto const leave = [&](tsr_barrier &free) {
        if (t % 32 == 0)
            tsr_barrier_arrive(&free);
    };
    auto const first_product = [&] {
        tsr_barrier_wait(&smem->k_ring.full[at_k.index], at_k.parity);
        tsr_wgmma_fence(s);
        tsr_gemm_wgmma<plan::qk, plan::smem_q, plan::smem_k>(my_q, tsr_smem(smem->k[at_k.index]), s, 0);
        tsr_wgmma_commit();
    };
    auto const second_product = [&] {
        tsr_barrier_wait(&smem->v_ring.full[at_v.index], at_v.parity);
        tsr_wgmma_fence(p, o);
        tsr_gemm_wgmma<plan::pv, plan::smem_v>(p, tsr_smem(smem->v[at_v.index]), o);
        tsr_wgmma_commit();
    };
    /* s becomes exp(s - most); the factor by which what was summed before is too large */
    auto const softmax = [&](bool masked) {
        int const n = tile * plan::N;
        if (masked)
            s = tsr_frag_mask(s, t, -tsr_infinity(), [&](tsr_coord<2> c) {
                return n + c.at[1] < size.keys && (!Causal || n + c.at[1] <= row + c.at[0] + past);
            });
        auto const larger = tsr_frag_zip(tsr_frag_reduce<1>(s, tsr_larger()), most, tsr_larger());
        auto const base = tsr_frag_map(larger, [&](float x) { return x == -tsr_infinity() ? 0.0f : x * scale; });
        auto const shrink = tsr_frag_zip(most, base, [&](float x, float b) { return tsr_exp2(x * scale - b); });
        s = tsr_frag_zip(s, base, [&](float x, float b) { return tsr_exp2(x * scale - b); });
        sum = tsr_frag_zip(tsr_frag_zip(sum, shrink, tsr_times()), tsr_frag_fold<1>(s, tsr_plus()), tsr_plus());
        most = larger;
        return shrink;
    };
    auto const step = [&](bool masked) {
        --tile;
        tsr_sync_threads(group, 256); /* our turn: the other warpgroup has issued its products */
        first_product();
        second_product();
        tsr_arrive_threads(group % plan::consumers + 1, 256);
        tsr_wgmma_wait<1>(s);
        leave(smem->k_ring.free[at_k.index]);
        at_k.next();
        auto const shrink = softmax(masked);
        tsr_wgmma_wait<0>(o, p);
        leave(smem->v_ring.free[at_v.index]);
        at_v.next();
        o = tsr_frag_zip(o, shrink, tsr_times());
        p = tsr_frag_retile<plan::p>(tsr_frag_cast<T>(s));
    };

    if (group == plan::consumers)
        tsr_arrive_threads(1, 256); /* the first turn is the first warpgroup's */
    for (;;) {
        tsr_barrier_wait(&smem->q_ring.full[0], at_q.parity);
        int const block = __shfl_sync(0xffffffffu, t % 32 == 0 ? smem->block : 0, 0);
        if (block >= size.order.count())
            return;
        auto const to = attention_block_of<plan, Causal>(size, block);
        o = tsr_frag_fill<plan::o>(0.0f);
        most = tsr_frag_fill<rows>(-tsr_infinity());
        sum = tsr_frag_fill<rows>(0.0f);
        tile = to.tiles - 1;
        row = to.m + 64 * (group - 1);

        first_product();
        tsr_wgmma_wait<0>(s);
        leave(smem->k_ring.free[at_k.index]);
        at_k.next();
        softmax(true);
        p = tsr_frag_retile<plan::p>(tsr_frag_cast<T>(s));
        /* tiles that every query of ours sees */
        int const clear = Causal ? max(0, row + past + 1) / plan::N : to.tiles;
        while (tile > clear)
            step(true);
        while (tile > 0)
            step(false);
        leave(smem->q_ring.free[0]);
        at_q.next();
        second_product();
        tsr_wgmma_wait<0>(o, p);
        leave(smem->v_ring.free[at_v.index]);
        at_v.next();

        sum = tsr_frag_share<plan::s, 1>(sum, tsr_plus());
        o = tsr_frag_zip(o, tsr_frag_map(sum, [](float l) { return l == 0.0f ? 0.0f : 1 / l; }), tsr_times());
        auto const of = O.from(row, 0, to.head, to.batch);
        tsr_frag_store<16>(tsr_frag_widen(tsr_frag_cast<T>(o)),
                           tsr_global<T, 2, 1>{of.at, {of.extent[0], D}, {of.stride[0], 1}}, t);
        float *const lse_at = lse + ((int64_t)to.batch * size.heads + to.head) * size.queries + row;
        tsr_frag_store<4>(tsr_frag_zip(most, sum, [&](float x, float l) { return x * size.scale + __logf(l); }),
                          tsr_global<float, 2, 0>{lse_at, {size.queries - row, 1}, {1, 0}}, t);
    }
}

#ifndef __CUDACC_RTC__ /* the host */

#  include "attention_host.cuh"

/* Q and O (queries,D,heads,batches), K and V (keys,D,heads of them,batches); lse (queries,heads,batches), queries
 * contiguous; *next is 0, and is 0 again when the kernel has ended. Why the launch is refused, or no reason. */
template <int D, bool Causal, class T>
static tsr_reason run_attention(tsr_global<T const, 4, 1> Q, tsr_global<T const, 4, 1> K, tsr_global<T const, 4, 1> V,
                                tsr_global<T, 4, 1> O, float *lse, int *next, float scale)
{
    using plan = attention_plan<D, T>;
    attention_maps maps;
    tsr_reason const why[] = {attention_map(plan::smem_q, plan::type, Q, &maps.q),
                              attention_map(plan::smem_k, plan::type, K, &maps.k),
                              attention_map(plan::smem_v, plan::type, V, &maps.v), O.wide(16)};
    for (tsr_reason const &w : why)
        if (!tsr_ok(w))
            return w;
    int const group = Q.extent[2] / K.extent[2], heads = Q.extent[2] * Q.extent[3];
    int const blocks = (Q.extent[0] + plan::M - 1) / plan::M;
    int64_t const cached = (1 << 24) / (K.extent[0] * (int64_t)(2 * D * sizeof(T))); /* heads of K and V in 16 MB */
    int const together = (int)min((int64_t)heads, group * max(cached, (int64_t)1));
    attention_size const size = {Q.extent[0], K.extent[0], Q.extent[2], group, scale, {heads, blocks, 1, together}};
    auto *const kernel = attention<D, Causal, T>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(typename plan::shared));
    kernel<<<attention_grid(heads * blocks), plan::threads, sizeof(typename plan::shared)>>>(maps, O, lse, size,
                                                                                             next);
    return tsr_no_reason();
}

#endif
