/* Tile windows in a kernel, as in examples/tile_2_window.c: 64 threads copy a matrix of 32 x 38 in tiles of 32 x 16,
 * the last of which leaves it. */
#pragma once

#include <tessera/cuda/tile.cuh>

enum { window_rows = 32, window_columns = 38, tile_columns = 16, window_threads = 64, window_held = 8 };

struct window_plan {
    /* dist{R=();H=((2,2,8),(4,4));P=((1.1),(1.2,2.0));Y=(1.0,2.1)}: 2 rows of 4 elements a lane, 8 x 4 lanes a warp. */
    static constexpr tsr_encoding deal =
        tsr_encoding_of(tsr_unit(), tsr_t(tsr_t(2, 2, 8), tsr_t(4, 4)), tsr_t(tsr_t(1), tsr_t(1, 2)),
                        tsr_t(tsr_t(1), tsr_t(2, 0)), tsr_t(1, 2), tsr_t(0, 1));
    static constexpr tsr_descriptor matrix = tsr_descriptor_packed_of(tsr_t(window_rows, window_columns), 2);
};

/* `held` gets what lane 5 of warp 0 holds of each tile. */
__global__ void window_copy(int32_t const *from, int32_t *to, int32_t *held)
{
    int32_t x[window_held]; /* (2,4):(4,1), in accesses of 2 */
    auto in = tsr_make_tile_window<window_plan::deal>(tsr_make_tensor_view<TSR_GMEM, window_plan::matrix>(from),
                                                      threadIdx.x, 0, 0);
    auto out = tsr_make_tile_window<window_plan::deal>(tsr_make_tensor_view<TSR_GMEM, window_plan::matrix>(to),
                                                       threadIdx.x, 0, 0);
    for (int tile = 0; tile * tile_columns < window_columns; ++tile) {
        tsr_load_tile(in, x, -1);
        tsr_store_tile(out, x);
        tsr_move_tile_window(&in, 0, 1);
        tsr_move_tile_window(&out, 0, 1);
        for (int i = 0; i < window_held && threadIdx.x == 5; ++i)
            held[tile * window_held + i] = x[i];
    }
}
