/* Softmax and layer-norm of the rows of a matrix, each read once and written once: a warp or several hold whole rows
 * in their registers, and reductions of the fragment are all that they say to each other. */
#pragma once

#include <tessera/cuda.cuh>

#include <tessera/names.h>

/* Rows of up to `Columns` half numbers: `across` threads a row, 8 neighbours at a time. */
template <int Columns> struct softmax_plan {
    enum {
        threads = 256,
        across = Columns / 8 < 32     ? Columns / 8
                 : Columns / 32 < 32  ? 32
                 : Columns / 32 < 256 ? Columns / 32
                                      : 256
    };
    enum { rows = threads / across, groups = Columns / (8 * across) };
    static constexpr tsr_layout tile = tsr_make_identity_layout(tsr_t(tsr_s(rows), tsr_s(Columns)));
    static constexpr tsr_layout part = /* ((across,rows),(8,groups)) -> (row,column) */
        tsr_composition(
            tile, tsr_make_layout(tsr_t(tsr_t(tsr_s(across), tsr_s(rows)), tsr_t(_8, tsr_s(groups))),
                                  tsr_t(tsr_t(tsr_s(8 * rows), _1), tsr_t(tsr_s(rows), tsr_s(8 * across * rows)))));
};

/* The sum, or the largest, of each row. */
template <int Columns, class F, class G> TSR_DEVICE auto of_rows(F const &x, G const &f, float *smem)
{
    if constexpr (softmax_plan<Columns>::across > 32)
        return tsr_frag_reduce<1>(x, f, tsr_smem(smem), threadIdx.x);
    else
        return tsr_frag_reduce<1>(x, f);
}

template <int Columns>
__global__ __launch_bounds__(256) void softmax(tsr_global<tsr_f16 const, 2, 1> from, tsr_global<tsr_f16, 2, 1> to)
{
    using plan = softmax_plan<Columns>;
    __shared__ float smem[2][tsr_frag_shared<plan::part, 1>];
    int const row = blockIdx.x * plan::rows;
    auto x = tsr_frag_cast<float>(tsr_frag_load<16, plan::part>(from.from(row, 0), threadIdx.x));
    x = tsr_frag_mask(x, threadIdx.x, -tsr_infinity(), [&](tsr_coord<2> c) { return c.at[1] < from.extent[1]; });
    auto const most = of_rows<Columns>(x, tsr_larger(), smem[0]);
    x = tsr_frag_zip(x, most, [](float a, float m) { return tsr_exp2((a - m) * 1.44269504f); });
    auto const sum = tsr_frag_map(of_rows<Columns>(x, tsr_plus(), smem[1]), [](float s) { return 1 / s; });
    tsr_frag_store<16>(tsr_frag_cast<tsr_f16>(tsr_frag_zip(x, sum, tsr_times())), to.from(row, 0), threadIdx.x);
}

/* (x - mean) / sqrt(variance + epsilon) */
template <int Columns> __global__ __launch_bounds__(256) void layer_norm(tsr_global<tsr_f16 const, 2, 1> from,
                                                                         tsr_global<tsr_f16, 2, 1> to, float epsilon)
{
    using plan = softmax_plan<Columns>;
    __shared__ float smem[2][tsr_frag_shared<plan::part, 1>];
    int const row = blockIdx.x * plan::rows;
    float const share = 1 / (float)from.extent[1];
    auto x = tsr_frag_cast<float>(tsr_frag_load<16, plan::part>(from.from(row, 0), threadIdx.x));
    auto const sum = of_rows<Columns>(x, tsr_plus(), smem[0]);
    x = tsr_frag_zip(x, sum, [&](float a, float s) { return a - s * share; });
    x = tsr_frag_mask(x, threadIdx.x, 0.0f, [&](tsr_coord<2> c) { return c.at[1] < from.extent[1]; });
    auto const squares = of_rows<Columns>(tsr_frag_zip(x, x, tsr_times()), tsr_plus(), smem[1]);
    auto const scale = tsr_frag_map(squares, [&](float s) { return rsqrtf(s * share + epsilon); });
    tsr_frag_store<16>(tsr_frag_cast<tsr_f16>(tsr_frag_zip(x, scale, tsr_times())), to.from(row, 0), threadIdx.x);
}

#ifndef __CUDACC_RTC__ /* the host */

/* Why the launch is refused, or no reason. */
template <int Columns>
static tsr_reason run_rows(bool norm, tsr_global<tsr_f16 const, 2, 1> from, tsr_global<tsr_f16, 2, 1> to)
{
    int const blocks = (from.extent[0] + softmax_plan<Columns>::rows - 1) / softmax_plan<Columns>::rows;
    tsr_reason const why = from.wide(16), why_to = to.wide(16);
    if (!tsr_ok(why) || !tsr_ok(why_to))
        return tsr_ok(why) ? why_to : why;
    if (norm)
        layer_norm<Columns><<<blocks, 256>>>(from, to, 1e-5f);
    else
        softmax<Columns><<<blocks, 256>>>(from, to);
    return tsr_no_reason();
}

/* The least of the compiled widths that holds a row. */
static tsr_reason run_rows_of_any(bool norm, tsr_global<tsr_f16 const, 2, 1> from, tsr_global<tsr_f16, 2, 1> to)
{
    int const columns = from.extent[1];
    return columns <= 128    ? run_rows<128>(norm, from, to)
           : columns <= 1024 ? run_rows<1024>(norm, from, to)
           : columns <= 4096 ? run_rows<4096>(norm, from, to)
           : columns <= 8192 ? run_rows<8192>(norm, from, to)
                             : tsr_because(TSR_OUTSIDE, 1, columns, 8193, 0);
}

#endif
