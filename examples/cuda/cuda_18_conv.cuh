/* A convolution of half numbers as the library's product for Hopper: the copy engine reads the image in im2col mode, so
 * the matrix of pixels and taps is never written. The source of A and B is the only part that is new: where a tile of
 * pixels begins, and which tap and channels come next. The image is (c,w,h,n), the filters are (c,s,r,k), the result is
 * (k,q,p,n), first modes contiguous. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/hopper_source.cuh>
#include <tessera/cuda/tile_im2col.cuh>
#include <tessera/exec/tma.h>

#include <tessera/names.h>

struct conv_shape {
    int n, h, w, c, k, r, s, pad, stride, dilation;
    TSR_FN int out(int length, int taps, int pad, int stride, int dilation)
    {
        return (length + 2 * pad - (taps - 1) * dilation - 1) / stride + 1;
    }
    TSR_MEMBER int p(void) const { return out(h, r, pad, stride, dilation); }
    TSR_MEMBER int q(void) const { return out(w, s, pad, stride, dilation); }
};

/* Steps of K are 64 channels of a tap; channels that do not exist are zeros of both. */
struct conv_source {
    tsr_tma_map image, filter;
    int p, q, s, c, pad, stride, dilation;

    template <class P> struct walk {
        conv_source const &of;
        int w, h, n;           /* the first pixel */
        int row, channel, tap; /* of the filters */
        uint16_t at[3];        /* the tap's place */

        TSR_DEVICE_MEMBER void load(tsr_barrier *full, tsr_shared<tsr_f16> a, tsr_shared<tsr_f16> b) const
        {
            tsr_tma_load_tile_im2col<P::smem_a>(&of.image, full, a, at, channel, w, h, n);
            tsr_tma_load_tile_shared<P::smem_b, P::ctas>(&of.filter, full, b, row, channel, tap);
        }
        TSR_DEVICE_MEMBER void next(void)
        {
            channel += P::K;
            if (channel < of.c)
                return;
            channel = 0;
            ++tap;
            at[0] += of.dilation;
            if (at[0] == of.s * of.dilation) {
                at[0] = 0;
                at[1] += of.dilation;
            }
        }
    };

    template <class P> TSR_DEVICE_MEMBER walk<P> begin(int m, int n, int k, int) const
    {
        int const x = m % q, y = m / q % p, steps = (c + P::K - 1) / P::K, step = k / P::K, tap = step / steps;
        return {*this,
                x * stride - pad,
                y * stride - pad,
                m / q / p,
                n,
                step % steps * P::K,
                tap,
                {(uint16_t)(tap % s * dilation), (uint16_t)(tap / s * dilation)}};
    }
};

/* Tiles of M pixels by N filters, one a warpgroup in turns, or one for both. */
template <int M, int N, bool Splits = false> using conv_plan =
    tsr_hopper_plan<TSR_F16, TSR_F16, TSR_F16, M, N,
                    (Splits ? TSR_HOPPER_SPLITS : 0) | (N <= 192 ? TSR_HOPPER_TURNS : 0)>;
typedef tsr_gemm_epilogue<TSR_F16, TSR_F16, 0> conv_epilogue;

#ifndef __CUDACC_RTC__ /* the host */

struct conv_launch {
    conv_source source;
    tsr_tma_map d;
    tsr_gemm_shape shape;
    cudaLaunchConfig_t config;
    decltype(&tsr_hopper_gemm_from<conv_plan<128, 128>, conv_source, conv_epilogue>) kernel;
};

/* The map of the image, by pixels. */
static tsr_reason conv_image(conv_shape const &x, tsr_layout smem, tsr_f16 const *at, tsr_tma_map *map)
{
    tsr_tuple const conv = tsr_t(tsr_t(x.s, x.r), tsr_t(x.pad, x.pad), tsr_t(x.pad, x.pad), tsr_t(x.stride, x.stride),
                                 tsr_t(x.dilation, x.dilation));
    tsr_layout const image =
        tsr_make_layout(tsr_t(tsr_t(x.w, x.h, x.n), x.c), tsr_t(tsr_t(x.c, x.w * x.c, x.h * x.w * x.c), _1));
    tsr_tma_tile const tile = tsr_make_im2col_tile(smem, TSR_F16);
    tsr_tma_desc const desc =
        tsr_im2col_tile_desc(&tile, TSR_F16, image, tsr_fprop_pixels(conv), tsr_fprop_taps(conv));
    return tsr_tma_encode(&desc, (uint64_t)at, map);
}

/* The map of a tensor by tiles of its first two modes. */
static tsr_reason conv_map(tsr_layout tensor, tsr_layout smem, int ctas, void const *at, tsr_tma_map *map)
{
    tsr_tma_tile const tile = tsr_make_tma_tile(smem, TSR_F16, ctas);
    tsr_tma_desc const desc = tsr_tma_tile_desc(&tile, TSR_F16, tensor);
    return tsr_tma_encode(&desc, (uint64_t)at, map);
}

template <class P> static tsr_reason make_conv_as(conv_shape const &x, tsr_f16 const *image, tsr_f16 const *filter,
                                                  tsr_f16 *d, int blocks, int splits, conv_launch *l)
{
    int const m = x.n * x.p() * x.q(), taps = x.r * x.s, deep = (x.c + P::K - 1) / P::K * P::K;
    tsr_layout const filters = tsr_make_layout(tsr_t(x.k, x.c, taps), tsr_t(taps * x.c, _1, x.c));
    tsr_layout const result = tsr_make_layout(tsr_t(m, x.k, 1), tsr_t(x.k, _1, _0));
    tsr_reason const why[] = {conv_image(x, P::smem_a, image, &l->source.image),
                              conv_map(filters, P::smem_b, P::ctas, filter, &l->source.filter),
                              conv_map(result, P::smem_d, 1, d, &l->d)};
    l->source.p = x.p(), l->source.q = x.q(), l->source.s = x.s, l->source.c = x.c;
    l->source.pad = x.pad, l->source.stride = x.stride, l->source.dilation = x.dilation;
    l->shape = {m, x.k, taps * deep, 1, splits, {}, l->shape.partial, l->shape.arrived};
    l->kernel = tsr_hopper_gemm_from<P, conv_source, conv_epilogue>;
    l->config = {};
    l->config.gridDim = blocks;
    l->config.blockDim = P::threads;
    l->config.dynamicSmemBytes = P::shared;
    cudaFuncSetAttribute(l->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, P::shared);
    for (tsr_reason const &w : why)
        if (!tsr_ok(w))
            return w;
    return tsr_no_reason();
}

static int conv_blocks()
{
    int blocks = 0, device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device);
    return blocks;
}

/* The tiles of m pixels by n filters. */
static int64_t conv_tiles(conv_shape const &x, int m, int n)
{
    return ((int64_t)x.n * x.p() * x.q() + m - 1) / m * ((x.k + n - 1) / n);
}

/* How long they take: waves, times what a tile multiplies and brings. */
static int64_t conv_time(conv_shape const &x, int m, int n)
{
    return (conv_tiles(x, m, n) + conv_blocks() - 1) / conv_blocks() * (m * n / 128 + 50 + m * 50 / 128);
}

/* Into how many parts the steps of K are cut, where there are few tiles of 64 by 128; and the floats of their sums. */
static int conv_splits(conv_shape const &x)
{
    int const steps = x.r * x.s * ((x.c + 63) / 64);
    int best = 1;
    for (int n = 2; n <= 4; ++n)
        best = steps % n == 0 && conv_tiles(x, 64, 128) * n <= conv_blocks() ? n : best;
    return best;
}
static int64_t conv_sums(conv_shape const &x) { return conv_tiles(x, 64, 128) * conv_splits(x) * 64 * 128; }

typedef tsr_reason conv_maker(conv_shape const &x, tsr_f16 const *image, tsr_f16 const *filter, tsr_f16 *d,
                              int blocks, int splits, conv_launch *l);

/* The tiles that there are, by pixels and filters. */
static struct {
    int m, n;
    conv_maker *make;
} const conv_forms[] = {
    {128, 64, make_conv_as<conv_plan<128, 64>>},   {128, 128, make_conv_as<conv_plan<128, 128>>},
    {128, 160, make_conv_as<conv_plan<128, 160>>}, {128, 192, make_conv_as<conv_plan<128, 192>>},
    {128, 256, make_conv_as<conv_plan<128, 256>>}, {64, 128, make_conv_as<conv_plan<64, 128>>},
};

/* Why there is no such convolution, or no reason: C and K are multiples of 8. `form` of conv_forms, or -1: what takes
 * the least time. With l->shape.partial and .arrived, conv_sums floats and one 0 for each of conv_tiles(x, 64, 128), K
 * may be cut, too. */
static tsr_reason make_conv(conv_shape const &x, tsr_f16 const *image, tsr_f16 const *filter, tsr_f16 *d, int form,
                            conv_launch *l)
{
    int const blocks = conv_blocks(), splits = l->shape.partial && form < 0 ? conv_splits(x) : 1;
    auto const *best = &conv_forms[form < 0 ? 0 : form];
    for (auto const &f : conv_forms)
        best = form < 0 && conv_time(x, f.m, f.n) < conv_time(x, best->m, best->n) ? &f : best;
    return splits > 1 ? make_conv_as<conv_plan<64, 128, true>>(x, image, filter, d, blocks, splits, l)
                      : best->make(x, image, filter, d, blocks, 1, l);
}

/* Errors of the launch are CUDA's. */
static void run_conv(conv_launch const &l, cudaStream_t stream)
{
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = l.config;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, l.kernel, l.source, l.d, l.shape, conv_epilogue{1, 0, {}, {}, {}});
}

#endif
