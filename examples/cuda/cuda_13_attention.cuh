/* Attention, forward: O = softmax(scale * Q K^T) V for each head, and the log of the sums. One warpgroup brings
 * tiles of K and V by TMA; each of the others has 64 rows of Q, whose scores never leave its registers: the
 * accumulators of the first product are the A of the second. While the products of one tile run, the exponentials of
 * the tile before are taken. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/exec/tma.h>

#include <tessera/names.h>

template <class T> constexpr tsr_dtype attention_type = TSR_F16;
template <> constexpr tsr_dtype attention_type<tsr_bf16> = TSR_BF16;

template <int Size, class T> struct attention_plan {
    enum {
        D = Size,
        N = D == 64    ? 128
            : D == 128 ? 128
                       : 80, /* keys of a tile */
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
    static constexpr tsr_layout smem_v = /* (D,N): the rows of V, in boxes of 64 columns */
        tsr_tile_to_shape_ordered(tsr_smem_atom(TSR_MAJOR_MN, 3, type), tsr_t(tsr_s(D), tsr_s(N)), tsr_t(_2, _1));
    static constexpr int size_q = 64 * D, size = N * D; /* elements */

    static constexpr tsr_mma_atom qk = tsr_wgmma(N, TSR_F32, type, type, 0, TSR_MMA_PLAIN);
    static constexpr tsr_mma_atom pv =
        tsr_wgmma(D, TSR_F32, type, type, TSR_MMA_A_REGISTERS | TSR_MMA_B_MN, TSR_MMA_PLAIN);
    static constexpr tsr_tuple scores = tsr_t(_64, tsr_s(N)), result = tsr_t(_64, tsr_s(D));
    static constexpr tsr_layout s = tsr_thread_values_c(tsr_make_tiled_mma(qk), tsr_make_identity_layout(scores));
    static constexpr tsr_layout p = tsr_thread_values_a(tsr_make_tiled_mma(pv), tsr_make_identity_layout(scores));
    static constexpr tsr_layout o = tsr_thread_values_c(tsr_make_tiled_mma(pv), tsr_make_identity_layout(result));

    struct barriers {
        tsr_barrier q;
        tsr_pipeline<stages> k, v;
    };
    static constexpr int bytes = (M * D + 2 * stages * size) * (int)sizeof(T) + (int)sizeof(barriers);
};

/* What a block works on. Query i sees the keys up to i + keys - queries where the mask is causal. */
struct attention_size {
    int queries, keys, group; /* group: heads of Q for each of K and V */
    float scale;
};

/* The tiles of K and V, the last one first, in turns. */
template <class plan, class T>
TSR_DEVICE void attention_produce(tsr_tma_map const *q, tsr_tma_map const *k, tsr_tma_map const *v, T *smem,
                                  typename plan::barriers *ring, int m, int tiles, int head, int kv_head, int batch)
{
    T *const smem_k = smem + plan::M * plan::D, *const smem_v = smem_k + plan::stages * plan::size;
    tsr_stage<plan::stages> stage;
    tsr_barrier_expect(&ring->q, plan::M * plan::D * (int)sizeof(T));
    for (int i = 0; i < plan::consumers; ++i)
        for (int d = 0; d < plan::D; d += 64)
            tsr_tma_load(q, &ring->q, smem + i * plan::size_q + 64 * d, d, m + 64 * i, head, batch);
    auto const load = [&](tsr_tma_map const *map, tsr_pipeline<plan::stages> &to, T *tile, int n) {
        tsr_barrier_wait(&to.free[stage.index], stage.parity ^ 1);
        tsr_barrier_expect(&to.full[stage.index], plan::size * (int)sizeof(T));
        for (int d = 0; d < plan::D; d += 64)
            tsr_tma_load(map, &to.full[stage.index], tile + stage.index * plan::size + plan::N * d, d, n, kv_head,
                         batch);
    };
    for (int tile = tiles - 1; tile >= 0; --tile, stage.next()) {
        load(k, ring->k, smem_k, tile * plan::N);
        load(v, ring->v, smem_v, tile * plan::N);
    }
}

template <int D, bool Causal, class T> __global__ __launch_bounds__(attention_plan<D, T>::threads, 1) void attention(
    __grid_constant__ tsr_tma_map const q, __grid_constant__ tsr_tma_map const k,
    __grid_constant__ tsr_tma_map const v, tsr_global<T, 4, 1> O, float *lse, attention_size size)
{
    using plan = attention_plan<D, T>;
    T *const smem = tsr_dynamic_smem<T>(); /* (64,D) of Q for each consumer, then (N,D) of K and of V, twice each */
    auto *const ring =
        reinterpret_cast<typename plan::barriers *>(smem + plan::M * D + 2 * plan::stages * plan::size);
    int const group = tsr_warp() / 4, head = blockIdx.y, batch = blockIdx.z, past = size.keys - size.queries;
    int const m = (Causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * plan::M; /* the long ones first */
    int const seen = Causal ? max(1, min(size.keys, m + plan::M + past)) : size.keys;
    int const tiles = (seen + plan::N - 1) / plan::N;

    if (threadIdx.x == 0) {
        tsr_barrier_init(&ring->q, 1);
        ring->k.init(1, plan::consumers);
        ring->v.init(1, plan::consumers);
    }
    __syncthreads();
    if (group == 0) {
        tsr_registers_release<plan::kept>();
        if (tsr_warp() == 0 && tsr_elect())
            attention_produce<plan>(&q, &k, &v, smem, ring, m, tiles, head, head / size.group, batch);
        return;
    }

    tsr_registers_take<plan::taken>();
    int const t = threadIdx.x % 128, row = m + 64 * (group - 1);
    float const scale = size.scale * 1.44269504f;
    T const *const my_q = smem + (group - 1) * plan::size_q, *const smem_k = smem + plan::M * D,
                   *const smem_v = smem_k + plan::stages * plan::size;
    typedef tsr_frag<tsr_reduced<plan::s, 1>::layout, float> rows;
    tsr_frag<plan::s, float> s;
    tsr_frag<plan::p, T> p;
    auto o = tsr_frag_fill<tsr_frag<plan::o, float>>(0.0f);
    auto most = tsr_frag_fill<rows>(-tsr_infinity()), sum = tsr_frag_fill<rows>(0.0f);
    tsr_stage<plan::stages> at_k, at_v;
    int tile = tiles - 1;
    auto const leave = [&](tsr_pipeline<plan::stages> &of, tsr_stage<plan::stages> &at) {
        if (t == 0)
            tsr_barrier_arrive(&of.free[at.index]);
        at.next();
    };
    auto const first_product = [&] {
        tsr_barrier_wait(&ring->k.full[at_k.index], at_k.parity);
        tsr_wgmma_fence(s);
        tsr_gemm_wgmma<plan::qk, plan::smem_q, plan::smem_k>(my_q, smem_k + at_k.index * plan::size, s, 0);
        tsr_wgmma_commit();
    };
    auto const second_product = [&] {
        tsr_barrier_wait(&ring->v.full[at_v.index], at_v.parity);
        tsr_wgmma_fence(p, o);
        tsr_gemm_wgmma<plan::pv, plan::smem_v>(p, smem_v + at_v.index * plan::size, o);
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
        leave(ring->k, at_k);
        auto const shrink = softmax(masked);
        tsr_wgmma_wait<0>(o, p);
        leave(ring->v, at_v);
        o = tsr_frag_zip(o, shrink, tsr_times());
        p = tsr_frag_retile<plan::p>(tsr_frag_cast<T>(s));
    };

    if (group == plan::consumers)
        tsr_arrive_threads(1, 256); /* the first turn is the first warpgroup's */
    tsr_barrier_wait(&ring->q, 0);
    first_product();
    tsr_wgmma_wait<0>(s);
    leave(ring->k, at_k);
    softmax(true);
    p = tsr_frag_retile<plan::p>(tsr_frag_cast<T>(s));
    int const clear = Causal ? max(0, row + past + 1) / plan::N : tiles; /* tiles that every query of ours sees */
    while (tile > clear)
        step(true);
    while (tile > 0)
        step(false);
    second_product();
    tsr_wgmma_wait<0>(o, p);

    sum = tsr_frag_share<plan::s, 1>(sum, tsr_plus());
    o = tsr_frag_zip(o, tsr_frag_map(sum, [](float l) { return l == 0.0f ? 0.0f : 1 / l; }), tsr_times());
    auto const of = O.from(row, 0, head, batch);
    tsr_frag_store<16>(tsr_frag_widen(tsr_frag_cast<T>(o)),
                       tsr_global<T, 2, 1>{of.at, {of.extent[0], D}, {of.stride[0], 1}}, t);
    float *const lse_at = lse + ((int64_t)batch * gridDim.y + head) * size.queries + row;
    tsr_frag_store<4>(tsr_frag_zip(most, sum, [&](float x, float l) { return x * size.scale + __logf(l); }),
                      tsr_global<float, 2, 0>{lse_at, {size.queries - row, 1}, {1, 0}}, t);
}

#ifndef __CUDACC_RTC__ /* the host */

/* The map of a tensor (rows,D,heads,batches) in boxes of `rows` rows of 64 elements. */
template <class T> static tsr_tuple attention_map(tsr_global<T const, 4, 1> const &x, int rows, tsr_tma_map *map)
{
    tsr_dtype const type = attention_type<T>;
    tsr_tuple const box = tsr_t(tsr_s(rows), _64, _1, _1);
    tsr_layout const global = tsr_make_layout(tsr_t(x.extent[0], x.extent[1], x.extent[2], x.extent[3]),
                                              tsr_t(x.stride[0], _1, x.stride[2], x.stride[3]));
    tsr_smem_layout const smem =
        tsr_make_smem_layout(tsr_make_swizzle(3, 4, 3), type, tsr_make_layout(box, tsr_t(_64, _1, _0, _0)));
    tsr_tma_types const types = {type, type};
    tsr_tma_copy const plan = tsr_make_tma_copy(TSR_SM90_TMA_LOAD, types, global, smem, tsr_tiler_of_tuple(box), _1);
    return tsr_tma_encode(&plan.desc, (uint64_t)x.at, map);
}

/* Q and O (queries,D,heads,batches), K and V (keys,D,heads of them,batches); lse (queries,heads,batches), queries
 * contiguous. Why the launch is refused, or a valid tuple. */
template <int D, bool Causal, class T>
static tsr_tuple run_attention(tsr_global<T const, 4, 1> Q, tsr_global<T const, 4, 1> K, tsr_global<T const, 4, 1> V,
                               tsr_global<T, 4, 1> O, float *lse, float scale)
{
    using plan = attention_plan<D, T>;
    tsr_tma_map q, k, v;
    tsr_tuple const why[] = {attention_map(Q, 64, &q), attention_map(K, plan::N, &k), attention_map(V, plan::N, &v),
                             O.wide(16)};
    for (tsr_tuple const &w : why)
        if (!tsr_ok(w))
            return w;
    attention_size const size = {Q.extent[0], K.extent[0], Q.extent[2] / K.extent[2], scale};
    dim3 const blocks((size.queries + plan::M - 1) / plan::M, Q.extent[2], Q.extent[3]);
    cudaFuncSetAttribute(attention<D, Causal, T>, cudaFuncAttributeMaxDynamicSharedMemorySize, plan::bytes);
    attention<D, Causal, T><<<blocks, plan::threads, plan::bytes>>>(q, k, v, O, lse, size);
    return _1;
}

#endif
