/* Attention, forward, of Blackwell: O = softmax(scale * Q K^T) V for each head, and the log of the sums. A block has
 * two times 128 queries. One thread lets the copy engine bring tiles of K and V, one thread multiplies for both, and
 * each 128 queries have four warps, a row of scores to a thread. P takes the place of its scores in tensor memory, from
 * where it is the A of the second product. While four warps take exponentials, the scores of the other queries are
 * made. No such GPU was at hand: compiled, and run by the emulator. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/tile_tma.cuh>
#include <tessera/cuda/umma.cuh>

#include <tessera/names.h>

template <int Size> struct attention_plan {
    enum {
        D = Size,
        M = 256,
        N = 128 /* keys of a tile */,
        stages = 2,
        threads = 384,
        part = 32 /* columns at a time */
    };
    enum { kept = 72, taken = 216 }; /* registers: of the warps that load and multiply, and of the others */
    static constexpr tsr_dtype type = TSR_BF16;
    static constexpr tsr_layout block = tsr_smem_atom(TSR_MAJOR_K, 3, type);
    static constexpr tsr_layout smem_q = tsr_tile_to_shape(block, tsr_t(_128, tsr_s(D)));
    static constexpr tsr_layout smem_k = tsr_tile_to_shape(block, tsr_t(tsr_s(N), tsr_s(D)));
    static constexpr tsr_layout smem_v = /* (D,N) */
        tsr_tile_to_shape_ordered(tsr_smem_atom(TSR_MAJOR_MN, 3, type), tsr_t(tsr_s(D), tsr_s(N)), tsr_t(_2, _1));

    static constexpr tsr_mma_atom qk = tsr_umma(1, 128, N, TSR_F32, type, type, 0, TSR_MMA_PLAIN);
    static constexpr tsr_mma_atom pv =
        tsr_umma(1, 128, D, TSR_F32, type, type, TSR_MMA_A_REGISTERS | TSR_MMA_B_MN, TSR_MMA_PLAIN);
    /* Columns of tensor memory: twice the scores, and twice O in as much room. */
    static constexpr tsr_tmem_plan tmem = tsr_make_tmem_plan(qk, tsr_t(_1, _1, _4), tsr_s(1));
    static constexpr tsr_tuple shape = tsr_t(_128, tsr_s(part));
    static constexpr tsr_layout sums = tsr_mode(tsr_tmem_frg_ts(tsr_t(shape, _1), 1, TSR_F32, 32), 0);
    static constexpr tsr_layout p = tsr_mode(tsr_tmem_frg_ts(tsr_t(shape, _1), 1, type, 16), 0);
    static constexpr tsr_tiled_copy load =
        tsr_make_tmem_copy(tsr_copy_values(tsr_make_copy(TSR_COPY_LOAD_32DP32B, part), TSR_F32), sums);
    static constexpr tsr_tiled_copy store =
        tsr_make_tmem_copy(tsr_copy_values(tsr_make_copy(TSR_COPY_STORE_32DP32B, part), TSR_F32), sums);
    static constexpr tsr_tiled_copy store_p =
        tsr_make_tmem_copy(tsr_copy_values(tsr_make_copy(TSR_COPY_STORE_32DP32B, part / 2), type), p);
    static constexpr tsr_layout row = tsr_tidfrg_d(load, tsr_make_identity_layout(shape));

    struct shared {
        tsr_bf16 q[2][128 * D], k[stages][N * D], v[stages][N * D];
        tsr_pipeline<stages> k_ring, v_ring;
        tsr_pipeline<2> turn; /* of each 128 queries: the products have ended; P is there */
        uint32_t slot;
    };
};

struct attention_maps {
    tsr_tma_map q, k, v;
};

/* The problem. Query i sees the keys up to i + keys - queries where the mask is causal. */
struct attention_size {
    int queries, keys, heads, group; /* heads of Q, and how many of them share one of K and V */
    float scale;
};

/* Tiles of K and V; Q comes with the first K. */
template <class plan> TSR_DEVICE void attention_load(attention_maps const &maps, typename plan::shared &smem, int m,
                                                     int head, int kv, int batch, int tiles)
{
    tsr_stage<plan::stages> at;
    for (int tile = 0; tile < tiles; ++tile, at.next()) {
        tsr_barrier *const k = &smem.k_ring.full[at.index], *const v = &smem.v_ring.full[at.index];
        tsr_barrier_wait(&smem.k_ring.free[at.index], at.parity ^ 1);
        tsr_barrier_expect(k, sizeof smem.k[0] + (tile == 0 ? sizeof smem.q : 0));
        for (int i = 0; i < 2 && tile == 0; ++i)
            tsr_tma_load_tile<plan::smem_q>(&maps.q, k, tsr_smem(smem.q[i]), m + 128 * i, 0, head, batch);
        tsr_tma_load_tile<plan::smem_k>(&maps.k, k, tsr_smem(smem.k[at.index]), tile * plan::N, 0, kv, batch);
        tsr_barrier_wait(&smem.v_ring.free[at.index], at.parity ^ 1);
        tsr_barrier_expect(v, sizeof smem.v[0]);
        tsr_tma_load_tile<plan::smem_v>(&maps.v, v, tsr_smem(smem.v[at.index]), 0, tile * plan::N, kv, batch);
    }
}

/* Of both blocks of queries: P V of the tile before, then the scores of this one. */
template <class plan>
TSR_DEVICE void attention_multiply(typename plan::shared &smem, uint32_t s_at, uint32_t o_at, int tiles)
{
    tsr_stage<plan::stages> k, v;
    tsr_stage<1> turn;
    for (int tile = 0; tile <= tiles; ++tile) {
        if (tile > 0)
            tsr_barrier_wait(&smem.v_ring.full[v.index], v.parity);
        if (tile < tiles)
            tsr_barrier_wait(&smem.k_ring.full[k.index], k.parity);
        for (int i = 0; i < 2; ++i) {
            uint32_t const s = s_at + i * plan::N;
            if (tile > 0) {
                tsr_barrier_wait(&smem.turn.free[i], turn.parity);
                tsr_umma_after();
                tsr_gemm_umma<plan::pv, plan::smem_v>(tsr_tmem_at{s}, tsr_smem(smem.v[v.index]), o_at + i * plan::N,
                                                      tile > 1);
            }
            if (tile < tiles)
                tsr_gemm_umma<plan::qk, plan::smem_q, plan::smem_k>(tsr_smem(smem.q[i]), tsr_smem(smem.k[k.index]), s,
                                                                    false);
            tsr_umma_commit<1>(&smem.turn.full[i]);
        }
        if (tile == tiles)
            break; /* nobody waits for the last buffers */
        tsr_umma_commit<1>(&smem.k_ring.free[k.index]);
        k.next();
        if (tile > 0) {
            tsr_umma_commit<1>(&smem.v_ring.free[v.index]);
            v.next();
            turn.next();
        }
    }
}

/* O *= shrink, 32 columns of this warp's rows at a time. */
template <class plan> TSR_DEVICE void attention_correct(uint32_t at, float shrink)
{
    for (int j = 0; j < plan::D; j += plan::part) {
        tsr_frag<plan::row, float> o;
        tsr_tmem_load<plan::load, plan::sums>(at + j, o);
        tsr_tmem_wait_load(o);
        tsr_tmem_store<plan::store, plan::sums>(at + j, tsr_frag_map(o, [&](float x) { return x * shrink; }));
    }
}

/* The grid: (heads of all batches, blocks of queries). */
template <int D, bool Causal>
__global__ __launch_bounds__(384, 1) void attention(__grid_constant__ attention_maps const maps,
                                                    tsr_global<tsr_bf16, 4, 1> O, float *lse,
                                                    attention_size const size)
{
    typedef attention_plan<D> plan;
    auto &smem = *tsr_dynamic_smem<typename plan::shared>();
    int const warp = tsr_warp(), past = size.keys - size.queries;
    int const head = blockIdx.x % size.heads, batch = blockIdx.x / size.heads, kv = head / size.group;
    int const m = plan::M * (Causal ? gridDim.y - 1 - blockIdx.y : blockIdx.y); /* the long ones first */
    int const seen = Causal ? max(1, min(size.keys, m + plan::M + past)) : size.keys;
    int const tiles = (seen + plan::N - 1) / plan::N;

    if (threadIdx.x == 0) {
        smem.k_ring.init(1, 1);
        smem.v_ring.init(1, 1);
        smem.turn.init(1, 4);
    }
    tsr_tmem<plan::tmem> t(&smem.slot, warp == 1);
    uint32_t const s_at = t.c, o_at = t.c + 2 * plan::N;

    if (warp < 4) {
        tsr_registers_release<plan::kept>();
        if (warp == 0 && tsr_elect())
            attention_load<plan>(maps, smem, m, head, kv, batch, tiles);
        else if (warp == 1 && tsr_elect())
            attention_multiply<plan>(smem, s_at, o_at, tiles);
    } else { /* a row of scores to a thread */
        tsr_registers_take<plan::taken>();
        int const i = warp / 4 - 1, lane = threadIdx.x % 128, first = m + 128 * i;
        int const clear = Causal ? max(0, min(size.keys, first + past + 1)) / plan::N : size.keys / plan::N;
        uint32_t const my_s = s_at + i * plan::N, my_o = o_at + i * plan::N;
        float const scale = size.scale * 1.44269504f;
        float most = -tsr_infinity(), sum = 0;
        tsr_stage<1> turn;
        for (int tile = 0; tile < tiles; ++tile, turn.next()) {
            tsr_frag<plan::row, float> s[4];
            float larger = most;
            tsr_barrier_wait(&smem.turn.full[i], turn.parity);
            tsr_umma_after();
            TSR_UNROLL for (int j = 0; j < 4; ++j) tsr_tmem_load<plan::load, plan::sums>(my_s + j * plan::part, s[j]);
            tsr_tmem_wait_load(s[0], s[1], s[2], s[3]);
            if (tile >= clear) /* not every row sees all of the tile */
                TSR_UNROLL for (int j = 0; j < 4; ++j) s[j] =
                    tsr_frag_mask(s[j], lane, -tsr_infinity(), [&](tsr_coord<2> c) {
                        int const n = tile * plan::N + j * plan::part + c.at[1];
                        return n < size.keys && (!Causal || n <= first + c.at[0] + past);
                    });
            TSR_UNROLL for (int j = 0; j < 4; ++j) larger = fmaxf(larger, tsr_frag_fold<1>(s[j], tsr_larger()).r[0]);
            if (__any_sync(0xffffffffu, (larger - most) * scale > 8)) { /* less may stay: P is at most 256 */
                float const shrink = most == -tsr_infinity() ? 0.0f : tsr_exp2((most - larger) * scale);
                if (tile > 0)
                    attention_correct<plan>(my_o, shrink);
                sum *= shrink;
                most = larger;
            }
            float const base = most == -tsr_infinity() ? 0.0f : most * scale;
            TSR_UNROLL for (int j = 0; j < 4; ++j)
            {
                s[j] = tsr_frag_map(s[j], [&](float x) { return tsr_exp2(x * scale - base); });
                sum += tsr_frag_fold<1>(s[j], tsr_plus()).r[0];
                tsr_tmem_store<plan::store_p, plan::p>(my_s + j * plan::part / 2, tsr_frag_cast<tsr_bf16>(s[j]));
            }
            tsr_tmem_wait_store();
            tsr_umma_before();
            __syncwarp();
            if (tsr_elect())
                tsr_barrier_arrive(&smem.turn.free[i]);
        }
        tsr_barrier_wait(&smem.turn.full[i], turn.parity);
        tsr_umma_after();
        float const share = sum == 0.0f ? 0.0f : 1 / sum;
        auto const to = O.from(first, 0, head, batch);
        for (int j = 0; j < D; j += plan::part) {
            tsr_frag<plan::row, float> o;
            tsr_tmem_load<plan::load, plan::sums>(my_o + j, o);
            tsr_tmem_wait_load(o);
            tsr_frag_store<16>(tsr_frag_cast<tsr_bf16>(tsr_frag_map(o, [&](float x) { return x * share; })),
                               tsr_global<tsr_bf16, 2, 1>{to.at + j, {to.extent[0], D - j}, {to.stride[0], 1}}, lane);
        }
        if (first + lane < size.queries)
            lse[(int64_t)blockIdx.x * size.queries + first + lane] = most * size.scale + logf(sum);
    }
    tsr_umma_before();
    __syncthreads();
    t.free();
}
