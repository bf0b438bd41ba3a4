/* C = scale * A * B^T of 8-bit numbers (e4m3) into half: the library's product for Hopper in a program of one's own.
 * A plan says what the kernel is, an epilogue what becomes of the sums, and maps where the tensors are; they are made
 * once and launched as often as wanted. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/hopper_gemm.cuh>
#include <tessera/exec/tma.h>

#include <tessera/names.h>

/* Each warpgroup has a tile of 128 by N of its own; pairs of CTAs share B. */
template <int N> using fp8_plan =
    tsr_hopper_plan<TSR_F8_E4M3FN, TSR_F8_E4M3FN, TSR_F16, 128, N, TSR_HOPPER_TURNS | TSR_HOPPER_PAIRS>;
typedef tsr_gemm_epilogue<TSR_F16, TSR_F16, TSR_EPILOGUE_SCALES> fp8_epilogue;

#ifndef __CUDACC_RTC__ /* the host */

struct fp8_product {
    tsr_tma_map a, b, c;
    tsr_gemm_shape shape;
    fp8_epilogue epilogue;
    cudaLaunchConfig_t launch;
    decltype(&tsr_hopper_gemm<fp8_plan<128>, fp8_epilogue>) kernel;
};

/* The map of a matrix by rows, for a tile of it that several CTAs share. */
template <class T>
static tsr_reason fp8_map(tsr_global<T, 2, 1> x, tsr_dtype type, tsr_layout smem, int ctas, tsr_tma_map *map)
{
    tsr_tma_tile const tile = tsr_make_tma_tile(smem, type, ctas);
    tsr_layout const tensor = tsr_make_layout(tsr_t(x.extent[0], x.extent[1], 1), tsr_t(x.stride[0], _1, _0));
    tsr_tma_desc const desc = tsr_tma_tile_desc(&tile, type, tensor);
    return tsr_tma_encode(&desc, (uint64_t)x.at, map);
}

/* How many tiles one of `blocks` CTAs gets. */
static int fp8_waves(int m, int n, int columns, int blocks)
{
    return ((m + 255) / 256 * 2 * ((n + columns - 1) / columns) + blocks - 1) / blocks;
}

/* Why there is no such product, or no reason. */
template <class P> static tsr_reason make_fp8_as(tsr_global<tsr_e4m3 const, 2, 1> A,
                                                 tsr_global<tsr_e4m3 const, 2, 1> B, tsr_global<tsr_f16, 2, 1> C,
                                                 float scale, int blocks, fp8_product *p)
{
    tsr_reason const why[] = {fp8_map(A, TSR_F8_E4M3FN, P::smem_a, 1, &p->a),
                              fp8_map(B, TSR_F8_E4M3FN, P::smem_b, P::ctas, &p->b),
                              fp8_map(C, TSR_F16, P::smem_d, 1, &p->c)};
    p->shape = {C.extent[0], C.extent[1], A.extent[1], 1, 1, {}, nullptr, nullptr};
    p->epilogue = {scale, 0, {}, {}, {}};
    p->launch = {};
    p->launch.gridDim = blocks;
    p->launch.blockDim = P::threads;
    p->launch.dynamicSmemBytes = P::shared;
    p->kernel = tsr_hopper_gemm<P, fp8_epilogue>;
    cudaFuncSetAttribute(p->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, P::shared);
    for (tsr_reason const &w : why)
        if (!tsr_ok(w))
            return w;
    return tsr_no_reason();
}

/* The same with the tile that takes less time: columns times waves. */
static tsr_reason make_fp8(tsr_global<tsr_e4m3 const, 2, 1> A, tsr_global<tsr_e4m3 const, 2, 1> B,
                           tsr_global<tsr_f16, 2, 1> C, float scale, fp8_product *p)
{
    int const m = C.extent[0], n = C.extent[1];
    int blocks = 0, device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device);
    blocks -= blocks % 2;
    return fp8_waves(m, n, 192, blocks) * 192 < fp8_waves(m, n, 128, blocks) * 128
               ? make_fp8_as<fp8_plan<192>>(A, B, C, scale, blocks, p)
               : make_fp8_as<fp8_plan<128>>(A, B, C, scale, blocks, p);
}

/* Errors of the launch are CUDA's. */
static void run_fp8(fp8_product const &p)
{
    cudaLaunchAttribute pairs;
    pairs.id = cudaLaunchAttributeClusterDimension;
    pairs.val.clusterDim = {2, 1, 1};
    cudaLaunchConfig_t launch = p.launch;
    launch.attrs = &pairs;
    launch.numAttrs = 1;
    cudaLaunchKernelEx(&launch, p.kernel, p.a, p.b, p.c, p.shape, p.epilogue);
}

#endif
