/* GEMM in blocks on ragged sizes, C = A B, as in examples/tile_4_gemm.c: A goes through shared memory behind a xor, two
 * tiles of it, one of which is on its way while the other is multiplied. */
#pragma once

#include <tessera/cuda/tile_async.cuh>

enum { gemm_m = 50, gemm_n = 37, gemm_k = 45, block_m = 32, block_n = 16, block_k = 16 };
enum { gemm_threads = 64, gemm_held = 8 };

/* The tile of A: groups of 4 elements, group g of row m at g ^ m % 4, so that rows begin in different banks. */
TSR_FN tsr_descriptor gemm_lds()
{
    int64_t const k[2] = {block_k / 4, 4};
    tsr_links swizzle = tsr_make_links("m group element", "m at element");
    tsr_add_link(&swizzle, tsr_make_xor_transform(block_m, block_k / 4), "m group", "m at");
    tsr_add_link(&swizzle, tsr_make_pass_through_transform(4), "element", "element");
    tsr_links rows = tsr_make_links("m at element", "m k");
    tsr_add_link(&rows, tsr_make_pass_through_transform(block_m), "m", "m");
    tsr_add_link(&rows, tsr_make_merge_transform(2, k), "at element", "k");
    tsr_descriptor const d = tsr_descriptor_packed_of(tsr_t(block_m, block_k / 4, 4), 4); /* (32,4,4):(16,4,1) */
    return tsr_link_tensor_descriptor(tsr_link_tensor_descriptor(d, &swizzle), &rows);    /* (32,16) */
}

struct gemm_plan {
    /* dist{R=();H=((2,2,8),(4,4));P=((1.1),(1.2,2.0));Y=(1.0,2.1)}: 32 x 16, for tiles of A and of C. */
    static constexpr tsr_encoding deal =
        tsr_encoding_of(tsr_unit(), tsr_t(tsr_t(2, 2, 8), tsr_t(4, 4)), tsr_t(tsr_t(1), tsr_t(1, 2)),
                        tsr_t(tsr_t(1), tsr_t(2, 0)), tsr_t(1, 2), tsr_t(0, 1));
    static constexpr tsr_descriptor A = tsr_descriptor_packed_of(tsr_t(gemm_m, gemm_k), 1);
    static constexpr tsr_descriptor B = tsr_descriptor_packed_of(tsr_t(gemm_k, gemm_n), 1);
    static constexpr tsr_descriptor C = tsr_descriptor_packed_of(tsr_t(gemm_m, gemm_n), 1);
    static constexpr tsr_descriptor tile = gemm_lds();
};

__global__ void tile_gemm(int32_t const *a, int32_t const *b, int32_t *c)
{
    __shared__ alignas(16) int32_t lds[2][block_m * block_k];
    auto const B = tsr_make_tensor_view<TSR_GMEM, gemm_plan::B>(b);
    auto from = tsr_make_tile_window<gemm_plan::deal>(tsr_make_tensor_view<TSR_GMEM, gemm_plan::A>(a), threadIdx.x,
                                                      blockIdx.x, 0);
    auto const out = tsr_make_tile_window<gemm_plan::deal>(tsr_make_tensor_view<TSR_GMEM, gemm_plan::C>(c),
                                                           threadIdx.x, blockIdx.x, blockIdx.y);
    int32_t sum[gemm_held] = {};
    auto const load = [&](int stage) { /* A to shared memory; outside it is zero */
                                       auto const tile = tsr_make_tensor_view<TSR_SMEM, gemm_plan::tile>(lds[stage]);
                                       tsr_async_load_tile(from,
                                                           tsr_make_tile_window<gemm_plan::deal>(tile, threadIdx.x));
                                       tsr_move_tile_window(&from, 0, 1);
    };
    load(0);
    for (int k0 = 0, stage = 0; k0 < gemm_k; k0 += block_k, stage ^= 1) {
        load(stage ^ 1); /* behind the last one all of it is outside */
        tsr_async_load_fence<1>();
        __syncthreads();
        auto const tile = tsr_make_tensor_view<TSR_SMEM, gemm_plan::tile>(lds[stage]);
        for (int k = 0; k < block_k; ++k)
            tsr_sweep_tile<gemm_plan::deal>(threadIdx.x, [&](int i, int const *x) {
                sum[i] += tile.get(x[0], k) * B.get(k0 + k, blockIdx.y * block_n + x[1]);
            });
        __syncthreads();
    }
    tsr_store_tile(out, sum); /* what is outside C is not written */
}
