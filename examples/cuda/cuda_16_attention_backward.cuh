/* Attention, backward: dQ, dK and dV from what the forward kernel (13) read and wrote, and dO. With S = scale * Q K^T,
 * P = exp(S - lse), dP = dO V^T, d = the sums of the rows of dO * O and dS = P * (dP - d):
 *
 *      dV = P^T dO         dQ = scale * dS K         dK = scale * dS^T Q
 *
 * A block has 128 keys, 64 for each of two warpgroups, and goes through the queries that see them, 64 at a time. It
 * multiplies the transposes, so that P^T and dS^T lie in registers as the A of the products for dV and dK; dS goes
 * through shared memory for dQ, of which each warpgroup multiplies one half. All blocks add to dQ, in raw fragments. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/tile_tma.cuh>

#include <tessera/names.h>

template <class T> constexpr tsr_dtype backward_type = TSR_F16;
template <> constexpr tsr_dtype backward_type<tsr_bf16> = TSR_BF16;

template <int Size, class T> struct backward_plan {
    enum { D = Size, N = 128, M = 64, stages = 2, threads = 384 };
    static constexpr tsr_dtype type = backward_type<T>;

    /* Tiles: along D, and the same memory seen as (D,rows), for products over rows. */
    static constexpr tsr_layout along = tsr_smem_atom(TSR_MAJOR_K, 3, type);
    static constexpr tsr_layout across = tsr_smem_atom(TSR_MAJOR_MN, 3, type);
    static constexpr tsr_layout smem_q = tsr_tile_to_shape(along, tsr_t(_64, tsr_s(D)));
    static constexpr tsr_layout smem_k = tsr_tile_to_shape(along, tsr_t(tsr_s(N), tsr_s(D)));
    static constexpr tsr_layout across_q = tsr_tile_to_shape_ordered(across, tsr_t(tsr_s(D), _64), tsr_t(_2, _1));
    static constexpr tsr_layout across_k =
        tsr_tile_to_shape_ordered(across, tsr_t(tsr_s(D), tsr_s(N)), tsr_t(_2, _1));
    static constexpr tsr_layout smem_ds = tsr_tile_to_shape(across, tsr_t(_64, tsr_s(N))); /* (query,key) */
    static constexpr tsr_layout smem_row = tsr_make_layout(tsr_t(_1, tsr_s(2 * M)), tsr_t(tsr_s(2 * M), _1));

    /* A warpgroup's parts of them, and where they begin. */
    static constexpr tsr_layout my_k = tsr_mode(tsr_zipped_divide(smem_k, tsr_t(_64, tsr_s(D))), 0);
    static constexpr tsr_layout half_k = tsr_mode(tsr_zipped_divide(across_k, tsr_t(tsr_s(D / 2), tsr_s(N))), 0);
    static constexpr tsr_layout my_ds = /* (key,query) */
        tsr_select(tsr_mode(tsr_zipped_divide(smem_ds, tsr_t(_64, _64)), 0), 1, 0);
    static constexpr int next_k = 64 * 64, next_ds = 64 * 64, next_half = D == 64 ? 32 : 64 * N;

    /* S^T and dP^T (64 keys,64 queries); dK and dV (64,D); half of dQ (64,D/2). */
    static constexpr tsr_mma_atom scores = tsr_wgmma(64, TSR_F32, type, type, 0, TSR_MMA_PLAIN);
    static constexpr tsr_mma_atom sums =
        tsr_wgmma(D, TSR_F32, type, type, TSR_MMA_A_REGISTERS | TSR_MMA_B_MN, TSR_MMA_PLAIN);
    static constexpr tsr_mma_atom queries =
        tsr_wgmma(D / 2, TSR_F32, type, type, TSR_MMA_A_MN | TSR_MMA_B_MN, TSR_MMA_PLAIN);
    static constexpr tsr_tiled_mma mma = tsr_make_tiled_mma(scores);
    static constexpr tsr_layout tile = tsr_make_identity_layout(tsr_t(_64, _64));
    static constexpr tsr_layout s = tsr_thread_values_c(mma, tile), to_ds = tsr_thread_values_c(mma, my_ds);
    static constexpr tsr_layout p = tsr_thread_values_a(tsr_make_tiled_mma(sums), tile);
    static constexpr tsr_layout dk =
        tsr_thread_values_c(tsr_make_tiled_mma(sums), tsr_make_identity_layout(tsr_t(_64, tsr_s(D))));
    static constexpr tsr_layout dq =
        tsr_thread_values_c(tsr_make_tiled_mma(queries), tsr_make_identity_layout(tsr_t(_64, tsr_s(D / 2))));

    /* Rows of dO and O, 8 elements of each a thread: ((D/8,rows),(8,passes)) -> (row,column). */
    enum { per_row = D / 8, rows = 256 / per_row };
    static constexpr tsr_layout rows_of =
        tsr_composition(tsr_make_identity_layout(tsr_t(_64, tsr_s(D))),
                        tsr_make_layout(tsr_t(tsr_t(tsr_s(per_row), tsr_s(rows)), tsr_t(_8, tsr_s(64 / rows))),
                                        tsr_t(tsr_t(tsr_s(8 * 64), _1), tsr_t(_64, tsr_s(rows)))));

    struct shared {
        T k[N * D], v[N * D], q[stages][M * D], o[stages][M * D], ds[stages][M * N];
        float row[stages][2 * M]; /* of each query log2(e) * lse, then d */
        tsr_barrier kv;
        tsr_pipeline<stages> q_ring, o_ring;
    };
};

struct backward_maps {
    tsr_tma_map q, k, v, o, row;
};

/* Query i sees the keys up to i + keys - queries where the mask is causal. */
struct backward_size {
    int queries, keys, heads, group, blocks; /* group: heads of Q for each of K and V; blocks of 64 queries */
    float scale;
    __device__ int64_t block(int m, int head, int batch) const
    {
        return ((int64_t)batch * heads + head) * blocks + m;
    }
};

/* What the queries of a block need to know of their rows; and zeros for dQ. A query that sees no key has P = 0. */
template <int D, class T>
__global__ __launch_bounds__(256) void attention_rows(tsr_global<T const, 4, 1> O, tsr_global<T const, 4, 1> dO,
                                                      float const *lse, float *row, float *dq, backward_size size)
{
    using plan = backward_plan<D, T>;
    int const m = blockIdx.x, head = blockIdx.y, batch = blockIdx.z, t = threadIdx.x;
    int64_t const block = size.block(m, head, batch);
    auto const load = [&](tsr_global<T const, 4, 1> const &x) {
        auto const of = x.from(64 * m, 0, head, batch);
        return tsr_frag_cast<float>(tsr_frag_load<16, plan::rows_of>(
            tsr_global<T const, 2, 1>{of.at, {of.extent[0], D}, {of.stride[0], 1}}, t));
    };
    auto const sum = tsr_frag_reduce<1>(tsr_frag_zip(load(O), load(dO), tsr_times()), tsr_plus());
    float *const to = row + block * 128;
    tsr_frag_store<4>(sum, tsr_global<float, 2, 0>{to + 64, {64, 1}, {1, 0}}, t);
    if (t < 64) {
        int const i = 64 * m + t;
        int64_t const at = ((int64_t)batch * size.heads + head) * size.queries + i;
        float const l = i < size.queries ? lse[at] : tsr_infinity();
        to[t] = l == -tsr_infinity() ? tsr_infinity() : l * 1.44269504f;
    }
    for (int i = 4 * t; i < 64 * D; i += 1024)
        *reinterpret_cast<float4 *>(dq + block * 64 * D + i) = float4{};
}

/* The tiles of K and V, then those of Q and dO, one after the other. */
template <class plan> TSR_DEVICE void backward_produce(backward_maps const &of, typename plan::shared *smem,
                                                       backward_size const &size, int n, int first)
{
    int const batch = blockIdx.z;
    tsr_stage<plan::stages> at;
    tsr_barrier_expect(&smem->kv, sizeof smem->k + sizeof smem->v);
    tsr_tma_load_tile<plan::smem_k>(&of.k, &smem->kv, tsr_smem(smem->k), n, 0, blockIdx.y, batch);
    tsr_tma_load_tile<plan::smem_k>(&of.v, &smem->kv, tsr_smem(smem->v), n, 0, blockIdx.y, batch);
    for (int head = blockIdx.y * size.group; head < (int)(blockIdx.y + 1) * size.group; ++head)
        for (int m = first; m < size.blocks; ++m, at.next()) {
            tsr_barrier_wait(&smem->q_ring.free[at.index], at.parity ^ 1);
            tsr_barrier_expect(&smem->q_ring.full[at.index], sizeof smem->q[0] + sizeof smem->row[0]);
            tsr_tma_load_tile<plan::smem_q>(&of.q, &smem->q_ring.full[at.index], tsr_smem(smem->q[at.index]), 64 * m,
                                            0, head, batch);
            tsr_tma_load_tile<plan::smem_row>(&of.row, &smem->q_ring.full[at.index], tsr_smem(smem->row[at.index]),
                                              (int)size.block(m, head, batch), 0);
            tsr_barrier_wait(&smem->o_ring.free[at.index], at.parity ^ 1);
            tsr_barrier_expect(&smem->o_ring.full[at.index], sizeof smem->o[0]);
            tsr_tma_load_tile<plan::smem_q>(&of.o, &smem->o_ring.full[at.index], tsr_smem(smem->o[at.index]), 64 * m,
                                            0, head, batch);
        }
}

template <int D, bool Causal, class T>
__global__ __launch_bounds__(384, 1) void attention_backward(__grid_constant__ backward_maps const maps,
                                                             tsr_global<T, 4, 1> dK, tsr_global<T, 4, 1> dV,
                                                             float *dq_sums, backward_size size)
{
    using plan = backward_plan<D, T>;
    auto *const smem = tsr_dynamic_smem<typename plan::shared>();
    int const n = blockIdx.x * plan::N, past = size.keys - size.queries, batch = blockIdx.z, group = tsr_warp() / 4;
    int const first = Causal ? min(size.blocks, max(0, n - past) / 64) : 0;

    if (threadIdx.x == 0) {
        tsr_barrier_init(&smem->kv, 1);
        smem->q_ring.init(1, 8); /* each warp leaves for itself */
        smem->o_ring.init(1, 8);
    }
    __syncthreads();
    if (tsr_produce<24, 240>([&] { backward_produce<plan>(maps, smem, size, n, first); }))
        return;
    int const t = threadIdx.x % 128, mine = group - 1, key = n + 64 * mine;
    float const scale = size.scale * 1.44269504f;
    auto const my_k = tsr_smem(smem->k) + mine * plan::next_k, my_v = tsr_smem(smem->v) + mine * plan::next_k,
               half_k = tsr_smem(smem->k) + mine * plan::next_half;
    tsr_frag<plan::s, float> s, dp;
    tsr_frag<plan::p, T> p, ds;
    tsr_frag<plan::dq, float> dq;
    auto dk = tsr_frag_fill<plan::dk>(0.0f), dv = dk;
    tsr_stage<plan::stages> at;
    /* Of each query the first or the second number of its row. */
    auto const of_query = [&](int which) {
        return tsr_frag_map_at(tsr_frag_fill<tsr_reduced<plan::s, 0>::layout>(0.0f), t,
                               [&](float, tsr_coord<2> c) { return smem->row[at.index][64 * which + c.at[1]]; });
    };

    tsr_barrier_wait(&smem->kv, 0);
    auto const step = [&](int m, int head) {
        tsr_barrier_wait(&smem->q_ring.full[at.index], at.parity);
        tsr_wgmma_fence(s);
        tsr_gemm_wgmma<plan::scores, plan::my_k, plan::smem_q>(my_k, tsr_smem(smem->q[at.index]), s, 0);
        tsr_wgmma_commit();
        tsr_barrier_wait(&smem->o_ring.full[at.index], at.parity);
        tsr_wgmma_fence(dp);
        tsr_gemm_wgmma<plan::scores, plan::my_k, plan::smem_q>(my_v, tsr_smem(smem->o[at.index]), dp, 0);
        tsr_wgmma_commit();

        tsr_wgmma_wait<1>(s);
        if (key + 64 > size.keys || (Causal && key + 63 > 64 * m + past))
            s = tsr_frag_mask(s, t, -tsr_infinity(), [&](tsr_coord<2> c) {
                return key + c.at[0] < size.keys && (!Causal || key + c.at[0] <= 64 * m + c.at[1] + past);
            });
        s = tsr_frag_zip(s, of_query(0), [&](float x, float l) { return tsr_exp2(x * scale - l); });
        p = tsr_frag_retile<plan::p>(tsr_frag_cast<T>(s));
        tsr_wgmma_fence(p, dv);
        tsr_gemm_wgmma<plan::sums, plan::across_q>(p, tsr_smem(smem->o[at.index]), dv);
        tsr_wgmma_commit();

        tsr_wgmma_wait<1>(dp);
        dp = tsr_frag_zip(dp, of_query(1), [](float x, float d) { return x - d; });
        ds = tsr_frag_retile<plan::p>(tsr_frag_cast<T>(tsr_frag_zip(s, dp, tsr_times())));
        auto const all_ds = tsr_smem(smem->ds[at.index]); /* that of the step before is still read */
        tsr_copy<4>(ds.r, tsr_part<plan::to_ds>(all_ds + mine * plan::next_ds, t));
        tsr_fence_async();
        tsr_sync_threads(1, 256);
        tsr_wgmma_fence(ds, dk, dq);
        tsr_gemm_wgmma<plan::sums, plan::across_q>(ds, tsr_smem(smem->q[at.index]), dk);
        tsr_wgmma_commit();
        tsr_gemm_wgmma<plan::queries, plan::smem_ds, plan::half_k>(all_ds, half_k, dq, 0);
        tsr_wgmma_commit();

        tsr_wgmma_wait<2>(dv, p);
        if (t % 32 == 0)
            tsr_barrier_arrive(&smem->o_ring.free[at.index]);
        tsr_wgmma_wait<1>(dk, ds);
        if (t % 32 == 0)
            tsr_barrier_arrive(&smem->q_ring.free[at.index]);
        tsr_wgmma_wait<0>(dq);
        tsr_frag_add_raw(dq, dq_sums + (2 * size.block(m, head, batch) + mine) * (32 * D), t);
        at.next();
    };
    for (int head = blockIdx.y * size.group; head < (int)(blockIdx.y + 1) * size.group; ++head)
        for (int m = first; m < size.blocks; ++m)
            step(m, head);

    auto const store = [&](tsr_frag<plan::dk, float> const &x, tsr_global<T, 4, 1> const &to) {
        auto const of = to.from(key, 0, blockIdx.y, batch);
        tsr_frag_store<16>(tsr_frag_widen(tsr_frag_cast<T>(x)),
                           tsr_global<T, 2, 1>{of.at, {of.extent[0], D}, {of.stride[0], 1}}, t);
    };
    store(dv, dV);
    store(tsr_frag_map(dk, [&](float x) { return x * size.scale; }), dK);
}

/* dQ of the sums. */
template <int D, class T> __global__ __launch_bounds__(256) void attention_queries(float const *dq_sums,
                                                                                   tsr_global<T, 4, 1> dQ,
                                                                                   backward_size size)
{
    using plan = backward_plan<D, T>;
    int const m = blockIdx.x, head = blockIdx.y, batch = blockIdx.z, half = threadIdx.x / 128, t = threadIdx.x % 128;
    auto const x =
        tsr_frag_load_raw<plan::dq, float>(dq_sums + (2 * size.block(m, head, batch) + half) * (32 * D), t);
    auto const of = dQ.from(64 * m, half * (D / 2), head, batch);
    tsr_frag_store<16>(tsr_frag_widen(tsr_frag_cast<T>(tsr_frag_map(x, [&](float y) { return y * size.scale; }))),
                       tsr_global<T, 2, 1>{of.at, {of.extent[0], D / 2}, {of.stride[0], 1}}, t);
}

#ifndef __CUDACC_RTC__ /* the host */

#  include "attention_host.cuh"

/* The memory that it needs beside its operands. */
static size_t backward_workspace(int head_size, int queries, int heads, int batches)
{
    return (size_t)((queries + 63) / 64) * heads * batches * (64 * head_size + 128) * sizeof(float);
}

/* Q, O, dO and dQ (queries,D,heads,batches), K, V, dK and dV (keys,D,heads of them,batches); lse
 * (queries,heads,batches), queries contiguous. Why the launch is refused, or no reason. */
template <int D, bool Causal, class T>
static tsr_reason run_attention_backward(tsr_global<T const, 4, 1> Q, tsr_global<T const, 4, 1> K,
                                         tsr_global<T const, 4, 1> V, tsr_global<T const, 4, 1> O,
                                         tsr_global<T const, 4, 1> dO, float const *lse, tsr_global<T, 4, 1> dQ,
                                         tsr_global<T, 4, 1> dK, tsr_global<T, 4, 1> dV, float *workspace,
                                         float scale)
{
    using plan = backward_plan<D, T>;
    int const blocks = (Q.extent[0] + 63) / 64, heads = Q.extent[2], kv_heads = K.extent[2], batches = Q.extent[3];
    int64_t const rows = (int64_t)blocks * heads * batches;
    float *const row = workspace, *const dq = workspace + 128 * rows;
    backward_maps maps;
    tsr_tma_tile const row_tile = tsr_make_tma_tile(plan::smem_row, TSR_F32, 1);
    tsr_tma_desc const row_desc =
        tsr_tma_tile_desc(&row_tile, TSR_F32, tsr_make_layout(tsr_t(rows, _128), tsr_t(_128, _1)));
    tsr_reason const why[] = {attention_map(plan::smem_q, plan::type, Q, &maps.q),
                              attention_map(plan::smem_k, plan::type, K, &maps.k),
                              attention_map(plan::smem_k, plan::type, V, &maps.v),
                              attention_map(plan::smem_q, plan::type, dO, &maps.o),
                              tsr_tma_encode(&row_desc, (uint64_t)row, &maps.row),
                              O.wide(16),
                              dO.wide(16),
                              dQ.wide(16),
                              dK.wide(16),
                              dV.wide(16)};
    for (tsr_reason const &w : why)
        if (!tsr_ok(w))
            return w;
    backward_size const size = {Q.extent[0], K.extent[0], heads, heads / kv_heads, blocks, scale};
    attention_rows<D, T><<<dim3(blocks, heads, batches), 256>>>(O, dO, lse, row, dq, size);
    cudaFuncSetAttribute(attention_backward<D, Causal, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         sizeof(typename plan::shared));
    dim3 const tiles((K.extent[0] + plan::N - 1) / plan::N, kv_heads, batches);
    attention_backward<D, Causal, T><<<tiles, plan::threads, sizeof(typename plan::shared)>>>(maps, dK, dV, dq, size);
    attention_queries<D, T><<<dim3(blocks, heads, batches), 256>>>(dq, dQ, size);
    return tsr_no_reason();
}

#endif
