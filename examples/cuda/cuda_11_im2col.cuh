/* Convolution as a matrix product, as in examples/tile_3_im2col.c: the image is read through pad, embed and merge, once
 * by a descriptor that the compiler knows, and once by one whose numbers come at run time. */
#pragma once

#include <tessera/cuda/tile.cuh>
#include <tessera/tile/links.h>

enum { im2col_filters = 4, im2col_side = 3 }; /* 4 filters of 3 x 3 */

struct image {
    int64_t n, h, w, c, stride;
};

TSR_FN int64_t im2col_out(int64_t length, int64_t stride) { return (length + 2 - im2col_side) / stride + 1; }

/* The matrix of (n, y, x of the result) by (r, s, c). */
TSR_FN tsr_descriptor im2col(image m)
{
    int64_t const y = im2col_out(m.h, m.stride), x = im2col_out(m.w, m.stride);
    int64_t const lengths[4] = {m.n, m.h, m.w, m.c}, steps[2] = {1, m.stride};
    int64_t const window_h[2] = {im2col_side, y}, window_w[2] = {im2col_side, x};
    int64_t const rows[3] = {m.n, y, x}, columns[3] = {im2col_side, im2col_side, m.c};
    tsr_coord_transform const n = tsr_make_pass_through_transform(m.n), c = tsr_make_pass_through_transform(m.c);
    tsr_links pads = tsr_make_links("n h w c", "n h w c"), windows = tsr_make_links("n h w c", "n r y s x c");
    tsr_links merges = tsr_make_links("n r y s x c", "row column");
    tsr_add_link(&pads, n, "n", "n");
    tsr_add_link(&pads, tsr_make_pad_transform(m.h, 1, 1), "h", "h");
    tsr_add_link(&pads, tsr_make_pad_transform(m.w, 1, 1), "w", "w");
    tsr_add_link(&pads, c, "c", "c");
    tsr_add_link(&windows, n, "n", "n");
    tsr_add_link(&windows, tsr_make_embed_transform(2, window_h, steps), "h", "r y");
    tsr_add_link(&windows, tsr_make_embed_transform(2, window_w, steps), "w", "s x");
    tsr_add_link(&windows, c, "c", "c");
    tsr_add_link(&merges, tsr_make_merge_transform(3, rows), "n y x", "row");
    tsr_add_link(&merges, tsr_make_merge_transform(3, columns), "r s c", "column");
    tsr_descriptor d = tsr_make_naive_tensor_descriptor_packed(4, lengths, m.c); /* (n,h,w,c) */
    d = tsr_link_tensor_descriptor(d, &pads);                                    /* (n,h+2,w+2,c) */
    d = tsr_link_tensor_descriptor(d, &windows);                                 /* (n,r,y,s,x,c) */
    return tsr_link_tensor_descriptor(d, &merges);                               /* (n*y*x,r*s*c) */
}

struct im2col_plan {
    static constexpr image fixed = {2, 5, 6, 3, 1};
    static constexpr tsr_descriptor known = im2col(fixed);
    /* What these two have in common is known: transforms, padding, the filter; not their sizes, nor the stride. */
    static constexpr tsr_descriptor one = im2col({2, 5, 6, 3, 1}), other = im2col({3, 8, 14, 4, 2});
};

typedef tsr_static_view<TSR_GMEM, int32_t const, im2col_plan::known, im2col_plan::known, 1> im2col_known;
typedef tsr_static_view<TSR_GMEM, int32_t const, im2col_plan::one, im2col_plan::other, 1> im2col_any;

/* found(row, k) = the sum over the columns of image(row, column) filter(k, column): one thread a result. */
template <class View>
__global__ void im2col_multiply(View matrix, int rows, int columns, int32_t const *filter, int32_t *found)
{
    int const at = blockIdx.x * blockDim.x + threadIdx.x, row = at / im2col_filters, k = at % im2col_filters;
    int32_t sum = 0;
    for (int column = 0; column < columns; ++column)
        sum += matrix.get(row, column) * filter[k * columns + column];
    if (row < rows)
        found[at] = sum;
}
