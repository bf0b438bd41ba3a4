/* The library's product for Hopper with rows of A that an index names, as the tokens of an expert: 128 threads of the
 * producer gather them by cp.async, while the copy engine brings the weights. D = X(token,:) * W^T. X is (tokens,K),
 * W is (N,K), D is (M,N), by rows. A negative token is a row of zeros. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/gather.cuh>
#include <tessera/cuda/hopper_source.cuh>
#include <tessera/exec/tma.h>

#include <tessera/names.h>

/* 8 threads a row of 64 elements, 16 bytes each, 16 rows at a time. */
template <class P> struct gather_plan {
    static constexpr tsr_tiled_copy copy =
        tsr_make_tiled_copy(tsr_copy_values(tsr_make_copy(TSR_COPY_SM80_GLOBAL, 128), TSR_BF16),
                            tsr_make_layout(tsr_t(_16, _8), tsr_right()), tsr_make_layout(tsr_t(_1, _8)));
    static constexpr tsr_layout from = tsr_tidfrg_s(copy, tsr_make_identity_layout(tsr_t(tsr_s(P::M), tsr_s(P::K))));
    static constexpr tsr_layout to = tsr_tidfrg_d(copy, P::smem_a);
};

struct gather_source {
    tsr_rows<tsr_bf16 const> x;
    tsr_tma_map weights;

    template <class P> struct walk {
        enum { threads = 128, bytes = P::N * P::K * (int)sizeof(tsr_bf16) };
        tsr_rows_part<gather_plan<P>::from, tsr_bf16 const, 1> rows;
        tsr_tma_map const &weights;
        int n, k;

        TSR_DEVICE_MEMBER void load(tsr_barrier *full, tsr_shared<tsr_bf16> a, tsr_shared<tsr_bf16> b) const
        {
            if (threadIdx.x == 0)
                tsr_tma_load_tile_shared<P::smem_b, P::ctas>(&weights, full, b, n, k, 0);
            tsr_copy_async_if<16>(rows, tsr_part<gather_plan<P>::to>(a, threadIdx.x));
            tsr_cp_async_arrive(full);
        }
        TSR_DEVICE_MEMBER void next(void)
        {
            rows.move(0, P::K);
            k += P::K;
        }
    };
    template <class P> TSR_DEVICE_MEMBER walk<P> begin(int m, int n, int k, int) const
    {
        return {tsr_part<gather_plan<P>::from>(x.from(m, k), threadIdx.x), weights, n, k};
    }
};

typedef tsr_hopper_plan<TSR_BF16, TSR_BF16, TSR_BF16, 128, 128, TSR_HOPPER_TURNS> gather_product;
typedef tsr_gemm_epilogue<TSR_BF16, TSR_BF16, 0> gather_epilogue;

#ifndef __CUDACC_RTC__ /* the host */

/* The map of a matrix by rows for the copy engine. */
static tsr_reason gather_map(int rows, int columns, tsr_layout smem, void const *at, tsr_tma_map *map)
{
    tsr_tma_tile const tile = tsr_make_tma_tile(smem, TSR_BF16, 1);
    tsr_tma_desc const desc =
        tsr_tma_tile_desc(&tile, TSR_BF16, tsr_make_layout(tsr_t(rows, columns, 1), tsr_t(columns, _1, _0)));
    return tsr_tma_encode(&desc, (uint64_t)at, map);
}

/* Why the launch is refused, or no reason: K and N are multiples of 8. Errors of the launch are CUDA's. */
static tsr_reason run_gather(tsr_rows<tsr_bf16 const> x, tsr_bf16 const *w, tsr_bf16 *d, int n)
{
    typedef gather_product plan;
    int const m = x.extent[0], k = x.extent[1];
    gather_source source = {x, {}};
    tsr_tma_map to;
    tsr_reason const why[] = {x.wide(16), gather_map(n, k, plan::smem_b, w, &source.weights),
                              gather_map(m, n, plan::smem_d, d, &to)};
    for (tsr_reason const &reason : why)
        if (!tsr_ok(reason))
            return reason;
    tsr_gemm_shape const shape = {m, n, k, 1, 1, {}, nullptr, nullptr};
    int blocks = 0, device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device);
    auto const kernel = tsr_hopper_gemm_from<plan, gather_source, gather_epilogue>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, plan::shared);
    kernel<<<blocks, plan::threads, plan::shared>>>(source, to, shape, gather_epilogue{1, 0, {}, {}, {}});
    return tsr_no_reason();
}

#endif
