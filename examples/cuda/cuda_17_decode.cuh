/* Attention of one new token of each sequence over a cache of keys and values in pages, with grouped queries: the heads
 * that share keys are the rows of a product of 16, so the cache is read once, and that is what takes the time. A warp
 * brings 64 tokens at a time by the copy engine, 16 to each of four warps; a table says which page they are in. These
 * keep a softmax each, in registers. Long sequences are split, and blocks take splits in turns: tokens of the next one
 * are on their way while the warps join. The last block of a sequence joins its parts, in their order. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/tile_tma.cuh>
#include <tessera/exec/tma.h>

#include <tessera/names.h>

struct decode_plan {
    enum {
        D = 128,
        rows = 16,
        tokens = 16,
        warps = 4,
        step = warps * tokens,
        stages = 2,
        rooms = warps - 1, /* for the softmaxes that the first warp joins */
        threads = 32 * (warps + 1)
    };
    static constexpr tsr_mma_atom atom = tsr_warp_mma(80, 16, 8, 16, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_PLAIN);
    static constexpr tsr_tiled_mma mma =
        tsr_make_tiled_mma_by(atom, tsr_make_layout(tsr_t(_1, _1, _1)), tsr_tile(_16, _16, _16));
    static constexpr tsr_layout tile = /* of keys and of values: (token,element) */
        tsr_tile_to_shape(tsr_smem_atom(TSR_MAJOR_K, 3, TSR_F16), tsr_t(tsr_s(tokens), tsr_s(D)));
    static constexpr tsr_layout turned = tsr_transpose(tile);
    static constexpr tsr_tiled_copy load_k =
        tsr_make_tiled_copy_b(tsr_copy_values(tsr_make_copy(TSR_COPY_SM75_LDSM_N, 4), TSR_F16), mma);
    static constexpr tsr_tiled_copy load_v =
        tsr_make_tiled_copy_b(tsr_copy_values(tsr_make_copy(TSR_COPY_SM75_LDSM_T, 8), TSR_F16), mma);
    static constexpr tsr_layout q = tsr_thread_values_a(mma, tsr_make_identity_layout(tsr_t(_16, tsr_s(D))));
    static constexpr tsr_layout k = tsr_thread_values_b(mma, tsr_make_identity_layout(tsr_t(_16, tsr_s(D))));
    static constexpr tsr_layout s = tsr_thread_values_c(mma, tsr_make_identity_layout(tsr_t(_16, _16)));
    static constexpr tsr_layout p = tsr_thread_values_a(mma, tsr_make_identity_layout(tsr_t(_16, _16)));
    static constexpr tsr_layout v = tsr_thread_values_b(mma, tsr_make_identity_layout(tsr_t(tsr_s(D), _16)));
    static constexpr tsr_layout o = tsr_thread_values_c(mma, tsr_make_identity_layout(tsr_t(_16, tsr_s(D))));
    static constexpr tsr_layout row = tsr_reduced_fragment(o, 1);
    static constexpr tsr_layout quarter =
        tsr_thread_values_c(mma, tsr_make_identity_layout(tsr_t(_16, tsr_s(D / warps))));
    enum { each = tokens * D, part = rows * D + 4 * 32 }; /* elements of a tile; floats of a part of a softmax */

    struct memory {
        tsr_f16 k[stages][warps][each], v[stages][warps][each];
        float room[rooms][part];
        tsr_pipeline<stages> ring;
        int last;
    };
};

struct decode_problem {
    int heads, kv_heads, page, pages; /* tokens of a page, entries of a row of the table */
    float scale;                      /* of the scores, times log2(e) */
    tsr_f16 const *q;                 /* (D,heads,batch) */
    tsr_f16 *o;                       /* as q */
    int const *table;                 /* (pages,batch): the page that holds tokens page*i .. */
    int const *length;                /* tokens of a sequence, at least 1 */
    float *parts;                     /* decode_plan::part for each split of each sequence */
    int *arrived;                     /* a 0 for each sequence and head of keys */
    int splits, items;                /* of a sequence and head of keys; of all: by make_decode */
};

/* A part of a sequence: its steps of 64 tokens from `begin` to `end`. */
struct decode_item {
    int split, head, sequence, length, begin, end;

    TSR_DEVICE_MEMBER decode_item(decode_problem const &p, int item)
        : split(item % p.splits),
          head(item / p.splits % p.kv_heads),
          sequence(item / p.splits / p.kv_heads),
          length(p.length[sequence])
    {
        int const steps = (length + decode_plan::step - 1) / decode_plan::step;
        begin = (int)((int64_t)steps * split / p.splits);
        end = (int)((int64_t)steps * (split + 1) / p.splits);
    }
};

/* A softmax under way: the largest score of a row, the sum of its exponentials, the sum of values. A warp without
 * tokens has a large negative score and sums of 0. */
struct decode_state {
    tsr_frag<decode_plan::row, float> most, sum;
    tsr_frag<decode_plan::o, float> o;

    TSR_DEVICE_MEMBER void begin(void)
    {
        most = tsr_frag_fill<decode_plan::row>(-1e30f);
        sum = tsr_frag_fill<decode_plan::row>(0.0f);
        o = tsr_frag_fill<decode_plan::o>(0.0f);
    }
    TSR_DEVICE_MEMBER void shrink(tsr_frag<decode_plan::row, float> const &to)
    {
        auto const by = tsr_frag_zip(most, to, [](float a, float b) { return tsr_exp2(a - b); });
        sum = tsr_frag_zip(sum, by, [](float a, float b) { return a * b; });
        o = tsr_frag_zip(o, by, [](float a, float b) { return a * b; });
        most = to;
    }
    TSR_DEVICE_MEMBER void join(decode_state x)
    {
        auto const larger = tsr_frag_zip(most, x.most, [](float a, float b) { return fmaxf(a, b); });
        shrink(larger);
        x.shrink(larger);
        sum = tsr_frag_zip(sum, x.sum, [](float a, float b) { return a + b; });
        o = tsr_frag_zip(o, x.o, [](float a, float b) { return a + b; });
    }
    TSR_DEVICE_MEMBER void store(float *at, int lane) const
    {
        float const rows[4] = {most.r[0], most.r[1], sum.r[0], sum.r[1]};
        tsr_frag_store_raw(o, at, lane);
        tsr_write<16>(rows, at + decode_plan::rows * decode_plan::D + 4 * lane);
    }
    TSR_DEVICE_MEMBER void load(float const *at, int lane)
    {
        float rows[4];
        o = tsr_frag_load_raw<decode_plan::o, float>(at, lane);
        tsr_read<16>(at + decode_plan::rows * decode_plan::D + 4 * lane, rows);
        most.r[0] = rows[0], most.r[1] = rows[1], sum.r[0] = rows[2], sum.r[1] = rows[3];
    }
};

/* 16 tokens, of which `count` exist. */
TSR_DEVICE void decode_tokens(decode_state &x, tsr_frag<decode_plan::q, tsr_f16> const &q, tsr_shared<tsr_f16> keys,
                              tsr_shared<tsr_f16> values, int count, float scale, int lane)
{
    typedef decode_plan plan;
    tsr_frag<plan::k, tsr_f16> k;
    tsr_frag<plan::v, tsr_f16> v;
    auto s = tsr_frag_fill<plan::s>(0.0f);
    tsr_copy_matrix<plan::load_k, plan::tile>(keys, k, lane);
    tsr_gemm<plan::mma>(q, k, s);
    tsr_copy_matrix<plan::load_v, plan::turned>(values, v, lane);
    s = tsr_frag_map(s, [&](float y) { return y * scale; });
    if (count < plan::tokens) { /* what is behind the last token may be anything */
        s = tsr_frag_mask(s, lane, -1e30f, [&](tsr_coord<2> c) { return c.at[1] < count; });
        v = tsr_frag_mask(v, lane, tsr_f16(0.0f), [&](tsr_coord<2> c) { return c.at[1] < count; });
    }
    auto const most = tsr_frag_zip(x.most, tsr_frag_reduce<1>(s, tsr_larger()), tsr_larger());
    x.shrink(most);
    s = tsr_frag_zip(s, most, [](float y, float m) { return tsr_exp2(y - m); });
    x.sum = tsr_frag_zip(x.sum, tsr_frag_reduce<1>(s, tsr_plus()), tsr_plus());
    tsr_gemm<plan::mma>(tsr_frag_retile<plan::p>(tsr_frag_cast<tsr_f16>(s)), v, x.o);
}

/* Lane i of the producer brings the tokens of warp i; it looks up the next page while it waits. */
TSR_DEVICE void decode_produce(decode_plan::memory &s, decode_problem const &p, tsr_tma_map const *k,
                               tsr_tma_map const *v, int lane)
{
    typedef decode_plan plan;
    tsr_stage<plan::stages> stage;
    for (int item = blockIdx.x; item < p.items; item += gridDim.x) {
        decode_item const x(p, item);
        int const *const table = p.table + x.sequence * p.pages;
        auto const token = [&](int step) {
            return min(step * plan::step + lane % plan::warps * plan::tokens, x.length - 1);
        };
        int page = x.begin < x.end ? table[token(x.begin) / p.page] : 0;
        for (int step = x.begin; step < x.end; ++step, stage.next()) {
            int const at = token(step) % p.page / plan::tokens * plan::tokens, here = page;
            page = step + 1 < x.end ? table[token(step + 1) / p.page] : 0;
            tsr_barrier *const full = &s.ring.full[stage.index];
            if (lane == 0) {
                tsr_barrier_wait(&s.ring.free[stage.index], stage.parity ^ 1);
                tsr_barrier_expect(full, 2 * plan::warps * plan::each * 2);
            }
            __syncwarp();
            if (lane < plan::warps) {
                tsr_tma_load_tile<plan::tile>(k, full, tsr_smem(s.k[stage.index][lane]), at, 0, x.head, here);
                tsr_tma_load_tile<plan::tile>(v, full, tsr_smem(s.v[stage.index][lane]), at, 0, x.head, here);
            }
        }
    }
}

/* What the four warps have, in the first one. */
TSR_DEVICE void decode_join_warps(decode_plan::memory &s, decode_state &x, int warp, int lane)
{
    typedef decode_plan plan;
    tsr_sync_threads(1, 32 * plan::warps); /* the first warp has read what was there */
    if (warp > 0)
        x.store(s.room[warp - 1], lane);
    tsr_sync_threads(1, 32 * plan::warps);
    for (int w = 0; w < plan::rooms && warp == 0; ++w) {
        decode_state y;
        y.load(s.room[w], lane);
        x.join(y);
    }
}

/* The tensor (heads of a group, D) of a part of a sequence, of q or of o. */
template <class T> TSR_DEVICE tsr_global<T, 2, 1> decode_rows(decode_problem const &p, decode_item const &x, T *at)
{
    int const group = p.heads / p.kv_heads, D = decode_plan::D;
    return {at + ((int64_t)x.sequence * p.heads + x.head * group) * D, {group, D}, {D, 1}};
}

template <class F, class S>
TSR_DEVICE void decode_store(F const &o, S const &sum, tsr_global<tsr_f16, 2, 1> const &to, int lane)
{
    tsr_frag_store<4>(tsr_frag_cast<tsr_f16>(tsr_frag_zip(o, sum, [](float a, float b) { return a / b; })), to, lane);
}

/* Leaves the first warp's softmax among those of the other splits; true in the last block. */
TSR_DEVICE bool decode_leave(decode_plan::memory &s, decode_problem const &p, decode_item const &item, float *parts,
                             decode_state const &x, int warp, int lane)
{
    int *const arrived = p.arrived + item.sequence * p.kv_heads + item.head;
    if (warp == 0) {
        x.store(parts + item.split * decode_plan::part, lane);
        __threadfence();
        __syncwarp();
        if (lane == 0) {
            s.last = atomicAdd(arrived, 1) == p.splits - 1;
            if (s.last)
                *arrived = 0;
            __threadfence();
        }
    }
    tsr_sync_threads(1, 32 * decode_plan::warps);
    return s.last;
}

/* The softmax of all splits: each warp has a quarter of the columns. */
TSR_DEVICE void decode_join_splits(decode_problem const &p, decode_item const &item, float const *parts, int warp,
                                   int lane)
{
    typedef decode_plan plan;
    float const *const rows = parts + plan::rows * plan::D + 4 * lane; /* the lane's two: their largest, their sums */
    auto most = tsr_frag_fill<plan::row>(-1e30f), sum = tsr_frag_fill<plan::row>(0.0f);
    auto o = tsr_frag_fill<plan::quarter>(0.0f);
#pragma unroll 8
    for (int i = 0; i < p.splits; ++i) {
        float x[2];
        tsr_read<8>(rows + i * plan::part, x);
        TSR_UNROLL for (int r = 0; r < 2; ++r) most.r[r] = fmaxf(most.r[r], x[r]);
    }
#pragma unroll 4
    for (int i = 0; i < p.splits; ++i) {
        float x[4];
        tsr_read<16>(rows + i * plan::part, x);
        auto const y = tsr_frag_load_raw<plan::quarter, float>(parts + i * plan::part + warp * o.words * 32, lane);
        TSR_UNROLL for (int r = 0; r < 2; ++r)
        {
            x[r] = tsr_exp2(x[r] - most.r[r]);
            sum.r[r] += x[r] * x[2 + r];
        }
        TSR_UNROLL for (int v = 0; v < o.words; ++v) o.r[v] += x[v / 2 % 2] * y.r[v];
    }
    decode_store(o, sum, decode_rows(p, item, p.o).from(0, warp * (plan::D / plan::warps)), lane);
}

TSR_DEVICE void decode_consume(decode_plan::memory &s, decode_problem const &p, int warp, int lane)
{
    typedef decode_plan plan;
    tsr_stage<plan::stages> stage;
    for (int i = blockIdx.x; i < p.items; i += gridDim.x) {
        decode_item const item(p, i);
        auto const q = tsr_frag_load<4, plan::q>(decode_rows(p, item, p.q), lane);
        decode_state x;
        x.begin();
        for (int step = item.begin; step < item.end; ++step, stage.next()) {
            int const count = item.length - step * plan::step - warp * plan::tokens;
            tsr_barrier_wait(&s.ring.full[stage.index], stage.parity);
            if (count > 0)
                decode_tokens(x, q, tsr_smem(s.k[stage.index][warp]), tsr_smem(s.v[stage.index][warp]), count,
                              p.scale, lane);
            __syncwarp();
            if (lane == 0)
                tsr_barrier_arrive(&s.ring.free[stage.index]);
        }
        decode_join_warps(s, x, warp, lane);
        float *const parts = p.parts + (int64_t)(item.sequence * p.kv_heads + item.head) * p.splits * plan::part;
        if (p.splits > 1 && decode_leave(s, p, item, parts, x, warp, lane))
            decode_join_splits(p, item, parts, warp, lane);
        else if (p.splits == 1 && warp == 0)
            decode_store(x.o, x.sum, decode_rows(p, item, p.o), lane);
    }
}

__global__ __launch_bounds__(decode_plan::threads, 2) void decode_attention(__grid_constant__ tsr_tma_map const k,
                                                                            __grid_constant__ tsr_tma_map const v,
                                                                            __grid_constant__ decode_problem const p)
{
    typedef decode_plan plan;
    auto &s = *tsr_dynamic_smem<plan::memory>();
    int const warp = tsr_warp(), lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        s.ring.init(1, plan::warps);
    __syncthreads();
    tsr_grid_wait();
    tsr_grid_release();
    if (warp == plan::warps)
        decode_produce(s, p, &k, &v, lane);
    else
        decode_consume(s, p, warp, lane);
}

#ifndef __CUDACC_RTC__ /* the host */

struct decode_launch {
    tsr_tma_map k, v;
    decode_problem problem;
    int blocks;
};

/* Into how many parts a sequence of at most `length` tokens is cut: the number with the least steps one after the
 * other, where a part costs 3 steps itself. */
static int decode_splits(int sequences, int length, int blocks)
{
    int const steps = (length + decode_plan::step - 1) / decode_plan::step;
    int64_t least = INT64_MAX;
    int best = 1;
    for (int n = 1; n <= 64 && n <= steps; ++n) {
        int64_t const waves = ((int64_t)sequences * n + blocks - 1) / blocks,
                      time = waves * ((steps + n - 1) / n + 3);
        if (time < least) {
            least = time;
            best = n;
        }
    }
    return best;
}

/* The cache is (D,kv_heads,page,all pages) of keys and of values; `page` is a multiple of 16. Two of `blocks` fit on a
 * multiprocessor. */
static tsr_reason make_decode(decode_problem const &p, tsr_f16 const *k, tsr_f16 const *v, int all_pages, int batch,
                              int splits, int blocks, decode_launch *l)
{
    int64_t const D = decode_plan::D, token = p.kv_heads * D;
    tsr_tma_tile const tile = tsr_make_tma_tile(decode_plan::tile, TSR_F16, 1);
    tsr_layout const cache =
        tsr_make_layout(tsr_t(p.page, (int)D, p.kv_heads, all_pages), tsr_t(token, _1, D, token * p.page));
    tsr_tma_desc const desc = tsr_tma_tile_desc(&tile, TSR_F16, cache);
    cudaFuncSetAttribute(decode_attention, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(decode_plan::memory));
    l->problem = p;
    l->problem.splits = splits;
    l->problem.items = splits * p.kv_heads * batch;
    l->blocks = l->problem.items < blocks ? l->problem.items : blocks;
    tsr_reason const why = tsr_tma_encode(&desc, (uint64_t)k, &l->k);
    return tsr_ok(why) ? tsr_tma_encode(&desc, (uint64_t)v, &l->v) : why;
}

/* Begins while the kernel in front ends, where that one lets it. Errors of the launch are CUDA's. */
static void run_decode(decode_launch const &l, cudaStream_t stream)
{
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = l.blocks;
    config.blockDim = decode_plan::threads;
    config.dynamicSmemBytes = sizeof(decode_plan::memory);
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, decode_attention, l.k, l.v, l.problem);
}

#endif
