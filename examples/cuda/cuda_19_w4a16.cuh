/* D = X * W^T, X (M,K) of halves with M at most 64, W (N,K) of 4-bit integers with a scale for every 128 of K: the
 * product of a network's layer for a few rows. The weights are most of the bytes, so they set the pace.
 *
 * W is packed once, by a layout, so that a thread's 16 bytes are its fragment of four instructions. One thread brings
 * runs of 16 kB; four warpgroups have 64 rows each of all of them. They unpack into the registers that wgmma takes A
 * from; the sums of 128 of K times the scale go to sums in f32. The chunks of all rows are cut evenly among the blocks.
 * Those that share rows leave their sums in memory and add up columns of them, in a fixed order. Up to 16 rows of X two
 * blocks fit on a multiprocessor: the next product brings its weights while this one ends. */
#pragma once

#include "cuda_19_w4a16_few.cuh"
#include <tessera/cuda/tile_tma.cuh>
#include <tessera/exec/tma.h>

template <int Rows> struct w4_plan {
    enum { groups = 4, consumers = 128 * groups, threads = consumers + 32, blocks = Rows <= 16 ? 2 : 1, half = 64 };
    static constexpr tsr_mma_atom atom =
        tsr_wgmma(Rows, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_A_REGISTERS, TSR_MMA_PLAIN);
    static constexpr tsr_tiled_mma mma = tsr_make_tiled_mma(atom);
    static constexpr tsr_layout a = tsr_thread_values_a(mma, tsr_make_identity_layout(tsr_t(_64, tsr_s(half))));
    static constexpr tsr_layout c = tsr_thread_values_c(mma, tsr_make_identity_layout(tsr_t(_64, tsr_s(Rows))));
    static constexpr tsr_layout swizzled = tsr_smem_atom(TSR_MAJOR_K, 3, TSR_F16);
    static constexpr tsr_layout smem_x = tsr_tile_to_shape(swizzled, tsr_t(tsr_s(Rows), tsr_s(w4_group)));
    static constexpr tsr_layout half_x = tsr_tile_to_shape(swizzled, tsr_t(tsr_s(Rows), tsr_s(half)));
    static constexpr int bytes = w4_chunk + Rows * w4_group * 2 + w4_rows * 2, sums = w4_rows * Rows;
    static constexpr int stages = (228 * 1024 / blocks - 2048) / bytes;

    struct memory {
        tsr_f16 x[stages][Rows * w4_group];
        unsigned char w[stages][w4_chunk];
        tsr_f16 scale[stages][w4_rows];
        tsr_pipeline<stages> ring;
    };
};

/* One chunk: sum += scale * (w * x^T). */
template <int Rows, class F>
TSR_DEVICE void w4_multiply(typename w4_plan<Rows>::memory const &s, int stage, int group, int t, F &sum)
{
    typedef w4_plan<Rows> plan;
    tsr_f16 scale[2]; /* of the thread's rows, 8 apart */
    TSR_COPY(scale, s.scale[stage] + group * 64 + t / 32 * 16 + t % 32 / 4 * 2, 4);
    unsigned char const *const words =
        s.w[stage] + group * (w4_chunk / plan::groups) + t / 32 * (w4_tile * w4_group / 2) + t % 32 * 16;
    F part;
    TSR_UNROLL for (int h = 0; h < 2; ++h)
    {
        tsr_frag<plan::a, tsr_f16> a;
        uint32_t w[4];
        tsr_read<16>(words + h * 512, w);
        TSR_UNROLL for (int i = 0; i < 4; ++i) tsr_unpack_f16<tsr_i4, TSR_NIBBLES_APART>(w[i], a.r + 4 * i);
        tsr_wgmma_fence(a, part);
        tsr_gemm_wgmma<plan::atom, plan::half_x>(a, tsr_smem(s.x[stage]) + h * Rows * plan::half, part, h);
        tsr_wgmma_commit();
        tsr_wgmma_wait<0>(a, part);
    }
    TSR_UNROLL for (int i = 0; i < part.words; ++i) sum.r[i] += (float)scale[i % 4 / 2] * part.r[i];
}

template <class F> TSR_DEVICE void w4_store(w4_problem const &p, int tile, int group, int column, int t, F const &sum)
{
    tsr_frag_store<2>(tsr_frag_cast<tsr_f16>(sum), p.d.from(tile * w4_rows + group * 64, column), t);
}

/* The blocks of one tile of rows, and how many of them add up: those that have nothing to do behind it. */
struct w4_sharers {
    int from, to, adding;
    TSR_DEVICE_MEMBER w4_sharers(w4_problem const &p, int tile) : from(blockIdx.x), to(blockIdx.x)
    {
        int const first = tile * p.deep, last = first + p.deep;
        while (p.begin(from) > first)
            --from;
        while (p.begin(to + 1) < last)
            ++to;
        adding = to - from + (p.begin(to + 1) == last);
    }
    TSR_DEVICE_MEMBER int count(void) const { return to - from + 1; }
};

/* By one thread: this block has come, or leaves, or both; who leaves last makes the number 0 again. */
TSR_DEVICE void w4_count(int *number, int blocks, bool comes, bool leaves)
{
    int const before = atomicAdd(number, (comes ? 1 : 0) + (leaves ? 1 << 16 : 0));
    if (leaves && before >> 16 == blocks - 1)
        *number = 0;
}

/* Sums of a part of K beside those of other blocks. Who adds up waits for all, and stores every few columns of D. */
template <int Rows, class F>
TSR_DEVICE void w4_join_blocks(w4_problem const &p, int tile, int group, int t, w4_sharers const &of, F const &sum)
{
    typedef w4_plan<Rows> plan;
    typedef w4_plan<8> few; /* columns of which a thread has 16 bytes */
    int const block = blockIdx.x, share = block - of.from;
    auto const place = [&](int b) {
        return p.part + (int64_t)(2 * b + (b == of.from)) * plan::sums + group * (plan::sums / plan::groups);
    };
    bool const adds = share < min(of.adding, Rows / 8);
    tsr_frag_store_raw(sum, place(block), t);
    __threadfence();
    tsr_sync_threads(1, plan::consumers);
    if (threadIdx.x == 0) {
        w4_count(p.arrived + tile, of.count(), true, !adds);
        while (adds && (atomicAdd(p.arrived + tile, 0) & 0xffff) < of.count())
            ;
        __threadfence();
    }
    __syncwarp();
    if (!adds)
        return;
    tsr_sync_threads(1, plan::consumers);
    for (int w = share; w < Rows / 8; w += of.adding) {
        auto all = tsr_frag_fill<few::c>(0.0f);
#pragma unroll 8
        for (int b = of.from; b <= of.to; ++b)
            all = tsr_frag_zip(all, tsr_frag_load_raw<few::c, float>(place(b) + w * 512, t), tsr_plus());
        w4_store(p, tile, group, w * 8, t, all);
    }
    tsr_sync_threads(1, plan::consumers);
    if (threadIdx.x == 0)
        w4_count(p.arrived + tile, of.count(), false, true);
}

/* Fills the ring with weights and scales before the kernel in front ends; X may be its result. */
template <int Rows> TSR_DEVICE void w4_produce(typename w4_plan<Rows>::memory &s, w4_problem const &p,
                                               tsr_tma_map const *x, int begin, int end)
{
    typedef w4_plan<Rows> plan;
    uint64_t const once = tsr_cache_evict_first();
    auto const weights = [&](int c, int tile, int k, int i) {
        tsr_barrier_expect(&s.ring.full[i], plan::bytes);
        tsr_bulk_load(s.w[i], p.w + (int64_t)c * w4_chunk, w4_chunk, &s.ring.full[i], once);
        tsr_bulk_load(s.scale[i], p.scale + (int64_t)k * p.n + tile * w4_rows, w4_rows * 2, &s.ring.full[i], once);
    };
    int const ahead = min(end, begin + plan::stages);
    for (int c = begin; c < ahead; ++c)
        weights(c, c / p.deep, c % p.deep, c - begin);
    tsr_grid_wait();
    tsr_stage<plan::stages> stage;
    int tile = begin / p.deep, k = begin % p.deep;
    for (int c = begin; c < end; ++c, stage.next()) {
        if (c >= ahead) {
            tsr_barrier_wait(&s.ring.free[stage.index], stage.parity ^ 1);
            weights(c, tile, k, stage.index);
        }
        tsr_tma_load_tile<plan::smem_x>(x, &s.ring.full[stage.index], tsr_smem(s.x[stage.index]), 0, k * w4_group);
        if (++k == p.deep) {
            k = 0;
            ++tile;
        }
    }
}

template <int Rows>
TSR_DEVICE void w4_consume(typename w4_plan<Rows>::memory &s, w4_problem const &p, int begin, int end)
{
    typedef w4_plan<Rows> plan;
    int const group = tsr_warp() / 4, t = threadIdx.x % 128;
    tsr_stage<plan::stages> stage;
    int tile = begin / p.deep;
    for (int c = begin; c < end; ++tile) {
        int const stop = min(end, (tile + 1) * p.deep);
        auto sum = tsr_frag_fill<plan::c>(0.0f);
        for (; c < stop; ++c, stage.next()) {
            tsr_barrier_wait(&s.ring.full[stage.index], stage.parity);
            w4_multiply<Rows>(s, stage.index, group, t, sum);
            __syncwarp();
            if (threadIdx.x % 32 == 0)
                tsr_barrier_arrive(&s.ring.free[stage.index]);
        }
        w4_sharers const of(p, tile);
        tsr_grid_wait();
        if (of.count() == 1)
            w4_store(p, tile, group, 0, t, sum);
        else
            w4_join_blocks<Rows>(p, tile, group, t, of, sum);
    }
}

template <int Rows> __global__ __launch_bounds__(w4_plan<Rows>::threads, w4_plan<Rows>::blocks) void w4_product(
    __grid_constant__ tsr_tma_map const x, __grid_constant__ w4_problem const p)
{
    typedef w4_plan<Rows> plan;
    auto &s = *tsr_dynamic_smem<typename plan::memory>();
    int const begin = p.begin(blockIdx.x), end = p.begin(blockIdx.x + 1);
    if (threadIdx.x == 0)
        s.ring.init(1, plan::consumers / 32);
    __syncthreads();
    tsr_grid_release();
    if (tsr_warp() == plan::consumers / 32) {
        if (tsr_elect())
            w4_produce<Rows>(s, p, &x, begin, end);
    } else {
        w4_consume<Rows>(s, p, begin, end);
    }
}

#ifndef __CUDACC_RTC__ /* the host */

struct w4_launch {
    tsr_tma_map x;
    w4_problem problem;
    cudaLaunchConfig_t config;
    void (*kernel)(tsr_tma_map, w4_problem); /* or */
    void (*few)(w4_problem);
};

static void w4_config(w4_launch *l, void const *kernel, int blocks, int threads, int bytes)
{
    l->config.gridDim = blocks;
    l->config.blockDim = threads;
    l->config.dynamicSmemBytes = bytes;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

template <int Rows> static tsr_reason make_w4_as(int blocks, w4_launch *l)
{
    typedef w4_plan<Rows> plan;
    auto const &x = l->problem.x;
    tsr_tma_tile const tile = tsr_make_tma_tile(plan::smem_x, TSR_F16, 1);
    tsr_layout const tensor = tsr_make_layout(tsr_t(x.extent[0], x.extent[1]), tsr_t(x.stride[0], _1));
    tsr_tma_desc const desc = tsr_tma_tile_desc(&tile, TSR_F16, tensor);
    l->kernel = w4_product<Rows>;
    w4_config(l, (void const *)l->kernel, blocks, plan::threads, sizeof(typename plan::memory));
    return tsr_tma_encode(&desc, (uint64_t)x.at, &l->x);
}

template <class P> static int w4_few_bytes(w4_problem const &p)
{
    return (int)sizeof(tsr_barrier) * P::warps * P::most + P::warps * p.each * (int)sizeof(typename P::group)
           + ((P::warps - 1) * p.m + P::rows) * P::pitch * 2;
}

/* Where all weights fit into shared memory, twice; else false. */
template <class P> static bool make_w4_few(int blocks, w4_launch *l)
{
    enum { most = 113 * 1024 };
    w4_problem *const p = &l->problem;
    p->each = (p->deep + P::warps - 1) / P::warps;
    if (p->m > P::rows || p->n / w4_tile > P::tiles * blocks || p->each > P::most || w4_few_bytes<P>(*p) > most)
        return false;
    l->few = w4_few_product<P>;
    w4_config(l, (void const *)l->few, blocks, P::threads, w4_few_bytes<P>(*p));
    return true;
}

/* Rows of X that the kernel for M of them has. */
static int w4_padded(int m) { return m <= 8 ? 8 : m <= 16 ? 16 : m <= 32 ? 32 : 64; }

/* Floats that `part` has. */
static int64_t w4_part(int m, int blocks) { return (int64_t)2 * blocks * w4_rows * w4_padded(m); }

/* A number of blocks whose parts begin and end where rows do, or divide the same rows; where there is none, `most`.
 * Where two fit on a multiprocessor each has one: two blocks of the next product would meet where none is. */
static int w4_blocks(int m, int tiles, int deep, int most)
{
    for (int b = most; m > 16 && b > most - most / 8; --b) {
        int const each = tiles * deep / b;
        if (each > 0 && each * b == tiles * deep && (each % deep == 0 || deep % each == 0))
            return b;
    }
    return most;
}

/* Needs N a multiple of 256, K of 128, M at most 64, and 16 bytes between the rows of X. `blocks` are as many as there
 * are multiprocessors. */
static tsr_reason make_w4(tsr_global<tsr_f16 const, 2, 1> x, int blocks, w4_launch *l)
{
    w4_problem *const p = &l->problem;
    int const chunks = p->n / w4_rows * (p->k / w4_group), m = p->m;
    p->deep = p->k / w4_group;
    p->x = x;
    if (make_w4_few<w4_few_plan<8, 16>>(blocks, l) || make_w4_few<w4_few_plan<16, 8>>(blocks, l))
        return tsr_no_reason();
    blocks = w4_blocks(m, p->n / w4_rows, p->deep, blocks < chunks ? blocks : chunks);
    p->each = chunks / blocks;
    p->more = chunks % blocks;
    return m <= 8    ? make_w4_as<8>(blocks, l)
           : m <= 16 ? make_w4_as<16>(blocks, l)
           : m <= 32 ? make_w4_as<32>(blocks, l)
                     : make_w4_as<64>(blocks, l);
}

/* Begins before the kernel in front has ended, where that one lets it. Errors of the launch are CUDA's. */
static void run_w4(w4_launch const &l, cudaStream_t stream)
{
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = l.config;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    if (l.few)
        cudaLaunchKernelEx(&config, l.few, l.problem);
    else
        cudaLaunchKernelEx(&config, l.kernel, l.x, l.problem);
}

#endif
