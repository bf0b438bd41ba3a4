/* Views of CK Tile in kernels: the memory of examples/tile_1_view.c through descriptors that the compiler knows, each
 * one load. */
#pragma once

#include <tessera/cuda/tile.cuh>

enum { view_rows = 8, view_columns = 10 };

struct view_plan {
    static constexpr int64_t lengths[2] = {view_rows, view_columns}, column_major[2] = {1, view_rows};
    static constexpr int64_t begin[2] = {2, 3}, end[2] = {7, 8}, tile[2] = {4, 4};
    static constexpr uint8_t swap[2] = {1, 0};
    static constexpr bool pads[2] = {true, true};

    static constexpr tsr_descriptor packed = tsr_make_naive_tensor_descriptor_packed(2, lengths, 2);
    static constexpr tsr_descriptor by_columns =
        tsr_make_naive_tensor_descriptor(2, lengths, column_major, tsr_make_vector(1, 1));
    static constexpr tsr_descriptor transposed = tsr_transpose_tensor_descriptor(packed, swap); /* (10,8):(1,10) */
    static constexpr tsr_descriptor part = tsr_slice_tensor_descriptor(packed, begin, end);     /* (5,5) from 23 on */
    static constexpr tsr_descriptor padded = tsr_pad_tensor_descriptor(part, tile, pads);       /* (8,8) */
};

/* Every element, one a thread, and -1 around them. */
template <class View> __global__ void view_elements(View v, int32_t *out)
{
    out[threadIdx.y * blockDim.x + threadIdx.x] = v.get_or(-1, threadIdx.y, threadIdx.x);
}

/* What one thread reads, adds and writes; outside nothing is written. */
__global__ void view_updates(int32_t *memory, int32_t *said)
{
    auto const v = tsr_make_tensor_view<TSR_GMEM, view_plan::packed, 1>(memory);
    auto const part = tsr_make_tensor_view<TSR_GMEM, view_plan::part, 1>(memory);
    int32_t const four[4] = {1, 2, 3, 4};
    said[0] = v.get(3, 4);
    v.update<TSR_UPDATE_ATOMIC_ADD>(100, 3, 4);
    said[1] = v.get(3, 4);
    v.set(99, 0, view_columns); /* not the first element of the next row */
    said[2] = v.get(1, 0);
    part.set(500, 0, 0);
    said[3] = v.get(2, 3);
    v.set_vector(four, 7, 8); /* 2 of the 4 are there */
}

/* 4 elements of a row, as far as they are there. */
__global__ void view_vector(int32_t const *memory, int i, int j, int32_t *out)
{
    int32_t x[4];
    tsr_make_tensor_view<TSR_GMEM, view_plan::packed, 1>(memory).get_vector(x, -1, i, j);
    for (int k = 0; k < 4; ++k)
        out[k] = x[k];
}
