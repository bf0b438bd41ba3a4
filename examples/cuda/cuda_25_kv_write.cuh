/* Keys and values of new tokens into a paged cache, in one launch: keys are normalised (RMSNorm of a head), turned by
 * their positions (rope, the two halves of a head) and scattered to the slots of their tokens; values are scattered.
 *
 * A row is a head of a token: 128 elements, of 8 threads. A thread has 8 neighbours of each half, so that what rope
 * turns together is its own. Both the slots and the angles are rows by an index (cuda/gather.cuh): the heads of a token
 * share the slot, and its row of cosines and sines. A token whose slot is negative is padding. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/gather.cuh>

#include <tessera/names.h>

struct kv_plan {
    static constexpr int rows = 32, threads = 256;
    static constexpr tsr_tuple tile = tsr_t(_32, _128);
    /* ((lane,row),(neighbour,half)) -> (row,column) */
    static constexpr tsr_layout head = tsr_composition(
        tsr_make_identity_layout(tile),
        tsr_make_layout(tsr_t(tsr_t(_8, _32), tsr_t(_8, _2)), tsr_t(tsr_t(tsr_s(256), _1), tsr_t(_32, tsr_s(2048)))));
};

static constexpr tsr_layout kv_head = kv_plan::head;

/* What a launch is given. Keys and values are (tokens * heads, 128). */
template <int Heads> struct kv_arguments {
    tsr_global<tsr_bf16 const, 2, 1> keys, values;
    tsr_global<tsr_bf16 const, 2, 1> weight;          /* (tokens * heads, 128), with stride 0 along rows */
    tsr_rows<float const, Heads> angles;              /* 64 cosines, 64 sines, by the tokens' positions */
    tsr_rows<tsr_bf16, Heads> key_cache, value_cache; /* (slot, head, 128), by the tokens' slots */
    float epsilon;
};

template <int Heads>
__global__ __launch_bounds__(kv_plan::threads) void kv_write(__grid_constant__ kv_arguments<Heads> const x)
{
    int const t = threadIdx.x, m = blockIdx.x * kv_plan::rows;
    float angle[tsr_values<kv_head>]; /* a cosine for each neighbour, then a sine */
    auto const key = tsr_frag_load<16, kv_head>(x.keys.from(m, 0), t);
    auto const value = tsr_frag_load<16, kv_head>(x.values.from(m, 0), t);
    auto const weight = tsr_frag_load<16, kv_head>(x.weight.from(m, 0), t);
    tsr_copy_if<16>(tsr_part<kv_head>(x.angles.from(m, 0), t), angle);
    tsr_copy_if<16>(value.r, tsr_part<kv_head>(x.value_cache.from(m, 0), t));

    auto k = tsr_frag_cast<float>(key);
    auto const squares = tsr_frag_reduce<1>(tsr_frag_map(k, [](float y) { return y * y; }), tsr_plus());
    k = tsr_frag_zip(k, squares, [&](float y, float sum) { return y * rsqrtf(sum / 128 + x.epsilon); });
    k = tsr_frag_zip(k, tsr_frag_cast<float>(weight), [](float y, float w) { return y * w; });
    auto turned = k;
    TSR_UNROLL for (int i = 0; i < 8; ++i)
    {
        turned.r[i] = k.r[i] * angle[i] - k.r[8 + i] * angle[8 + i];
        turned.r[8 + i] = k.r[8 + i] * angle[i] + k.r[i] * angle[8 + i];
    }
    tsr_copy_if<16>(tsr_frag_cast<tsr_bf16>(turned).r, tsr_part<kv_head>(x.key_cache.from(m, 0), t));
}

#ifndef __CUDACC_RTC__ /* the host */
/* Launches it, or says why not. */
template <int Heads> static tsr_reason run_kv_write(kv_arguments<Heads> const &x)
{
    tsr_reason const why[] = {x.keys.wide(16),   x.values.wide(16),    x.weight.wide(16),
                              x.angles.wide(16), x.key_cache.wide(16), x.value_cache.wide(16)};
    for (tsr_reason const &r : why)
        if (!tsr_ok(r))
            return r;
    int const blocks = (x.keys.extent[0] + kv_plan::rows - 1) / kv_plan::rows;
    kv_write<Heads><<<blocks, kv_plan::threads>>>(x);
    return tsr_no_reason();
}
#endif
