/* D = X * W^T, X (M,K) of halves with M at most 64, W (N,K) of 4-bit integers with a scale for every 128 of K: the
 * product of a network's layer for a few rows. The weights are most of the bytes, so they set the pace.
 *
 * W is packed once, by a layout, so that a thread's 16 bytes are its fragment of four instructions. One thread brings
 * runs of 16 kB; four warpgroups have 64 rows each of all of them. They unpack into the registers that wgmma takes A
 * from; the sums of 128 of K times the scale go to sums in f32. The chunks of all rows are cut evenly among the blocks.
 * Those that share rows leave their sums in memory and add up columns of them, in a fixed order. Up to 16 rows of X two
 * blocks fit on a multiprocessor: the next product brings its weights while this one ends. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/bulk.cuh>
#include <tessera/cuda/tile_tma.cuh>
#include <tessera/exec/tma.h>

#include <tessera/names.h>

enum { w4_rows = 256, w4_group = 128, w4_chunk = w4_rows * w4_group / 2 }; /* rows of a tile; of K, a scale; bytes */

/* Where weight (n,k) of (N,K) is, in numbers of 4 bits. A register of two halves is numbers i and i + 4 of a word:
 * rows 8 apart in neighbours, k 8 apart, then k; 4 words are k 16 apart; then lanes, warps, 64 of K, warpgroups. */
TSR_FN tsr_layout w4_packed(int n, int k)
{
    return tsr_make_layout(tsr_t(tsr_t(_8, _2, _4, _4, n / w4_rows), tsr_t(_2, _4, _2, _4, _2, k / w4_group)),
                           tsr_t(tsr_t(_128, _1, _1024, _8192, 2 * w4_chunk * (k / w4_group)),
                                 tsr_t(_4, _32, _2, _8, _4096, 2 * w4_chunk)));
}

/* Where the scale of (n,k/128) is: the 2 of a thread side by side. */
TSR_FN tsr_layout w4_scales(int n, int k)
{
    return tsr_make_layout(tsr_t(tsr_t(_8, _2, _4, _4, n / w4_rows), k / w4_group),
                           tsr_t(tsr_t(_2, _1, _16, _64, w4_rows), n));
}

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

struct w4_problem {
    int m, n, k;
    unsigned char const *w;
    tsr_f16 const *scale;
    tsr_global<tsr_f16, 2, 0> d; /* (N,M), N side by side */
    float *part;                 /* two of w4_rows x Rows sums a block */
    int *arrived;                /* one of 0 a tile of rows */
    int deep, each, more;        /* chunks of a tile; of a block, and how many blocks have one more: by make_w4 */

    TSR_DEVICE_MEMBER int begin(int block) const { return block * each + min(block, more); }
};

/* One chunk: sum += scale * (w * x^T). */
template <int Rows, class F>
TSR_DEVICE void w4_multiply(typename w4_plan<Rows>::memory const &s, int stage, int group, int t, F &sum)
{
    typedef w4_plan<Rows> plan;
    tsr_f16 scale[2]; /* of the thread's rows, 8 apart */
    TSR_COPY(scale, s.scale[stage] + group * 64 + t / 32 * 16 + t % 32 / 4 * 2, 4);
    unsigned char const *const words = s.w[stage] + group * (w4_chunk / plan::groups) + t * 16;
    F part;
    TSR_UNROLL for (int h = 0; h < 2; ++h)
    {
        tsr_frag<plan::a, tsr_f16> a;
        uint32_t w[4];
        tsr_read<16>(words + h * 128 * 16, w);
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
    void (*kernel)(tsr_tma_map, w4_problem);
};

template <int Rows> static tsr_reason make_w4_as(tsr_global<tsr_f16 const, 2, 1> x, int blocks, w4_launch *l)
{
    typedef w4_plan<Rows> plan;
    tsr_tma_tile const tile = tsr_make_tma_tile(plan::smem_x, TSR_F16, 1);
    tsr_layout const tensor = tsr_make_layout(tsr_t(x.extent[0], x.extent[1]), tsr_t(x.stride[0], _1));
    tsr_tma_desc const desc = tsr_tma_tile_desc(&tile, TSR_F16, tensor);
    l->kernel = w4_product<Rows>;
    l->config.gridDim = blocks;
    l->config.blockDim = plan::threads;
    l->config.dynamicSmemBytes = sizeof(typename plan::memory);
    cudaFuncSetAttribute(l->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(typename plan::memory));
    return tsr_tma_encode(&desc, (uint64_t)x.at, &l->x);
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

/* Needs N a multiple of 256, K of 128, M at most 64, and 16 bytes between the rows of X. */
static tsr_reason make_w4(tsr_global<tsr_f16 const, 2, 1> x, int blocks, w4_launch *l)
{
    int const chunks = l->problem.n / w4_rows * (l->problem.k / w4_group), m = l->problem.m;
    l->problem.deep = l->problem.k / w4_group;
    blocks = w4_blocks(m, l->problem.n / w4_rows, l->problem.deep, blocks < chunks ? blocks : chunks);
    l->problem.each = chunks / blocks;
    l->problem.more = chunks % blocks;
    return m <= 8    ? make_w4_as<8>(x, blocks, l)
           : m <= 16 ? make_w4_as<16>(x, blocks, l)
           : m <= 32 ? make_w4_as<32>(x, blocks, l)
                     : make_w4_as<64>(x, blocks, l);
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
    cudaLaunchKernelEx(&config, l.kernel, l.x, l.problem);
}

#endif
