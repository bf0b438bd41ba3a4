/** Views whose descriptor is in their type, beside the same access written by hand: X(name, view, index, there,
 *  offset), where the element at `offset` is read if it is `there`, or 0. The numbers of FOLD_RUN come at run time. */
#ifndef FOLD_TILE_VIEW_CASES_H
#define FOLD_TILE_VIEW_CASES_H

#include "tessera/cuda/tile.cuh"
#include "tile_cases.h"

/** An image of n x h x w x c as the matrix of a convolution with 3 x 3: (n, y, x) by (r, s, c). */
TSR_FN tsr_descriptor fold_im2col(int64_t n, int64_t h, int64_t w, int64_t c)
{
    int64_t const length[4] = {n, h, w, c}, steps[2] = {1, 1}, window_h[2] = {3, h}, window_w[2] = {3, w};
    int64_t const rows[3] = {n, h, w}, columns[3] = {3, 3, c};
    tsr_link pads[4] = {
        fold_link(tsr_make_pass_through_transform(n), 0, 0), fold_link(tsr_make_pad_transform(h, 1, 1), 1, 1),
        fold_link(tsr_make_pad_transform(w, 1, 1), 2, 2), fold_link(tsr_make_pass_through_transform(c), 3, 3)};
    tsr_link embeds[4] = {fold_link(tsr_make_pass_through_transform(n), 0, 0),
                          fold_link(tsr_make_embed_transform(2, window_h, steps), 1, 1),
                          fold_link(tsr_make_embed_transform(2, window_w, steps), 2, 3),
                          fold_link(tsr_make_pass_through_transform(c), 3, 5)};
    tsr_link merges[2] = {fold_link(tsr_make_merge_transform(3, rows), 0, 0),
                          fold_link(tsr_make_merge_transform(3, columns), 1, 1)};
    embeds[1].up[1] = 2;
    embeds[2].up[1] = 4;
    merges[0].low[1] = 2;
    merges[0].low[2] = 4;
    merges[1].low[1] = 3;
    merges[1].low[2] = 5;
    tsr_descriptor d = tsr_make_naive_tensor_descriptor_packed(4, length, 0);
    d = tsr_transform_tensor_descriptor(d, 4, pads);
    d = tsr_transform_tensor_descriptor(d, 4, embeds);
    return tsr_transform_tensor_descriptor(d, 2, merges);
}

/** Rows of a pitch, padded on the right up to a multiple of 32. */
TSR_FN tsr_descriptor fold_matrix(int64_t m, int64_t n, int64_t pitch)
{
    int64_t const length[2] = {m, n}, stride[2] = {pitch, 1};
    tsr_link const pads[2] = {fold_link(tsr_make_pass_through_transform(m), 0, 0),
                              fold_link(tsr_make_right_pad_transform(n, 31 - (n - 1) % 32), 1, 1)};
    return tsr_transform_tensor_descriptor(tsr_make_naive_tensor_descriptor(2, length, stride, tsr_no_vector()), 2,
                                           pads);
}

static constexpr tsr_descriptor view_packed = fold_packed(), view_gemm_a = fold_gemm_a(), view_xor = fold_xor(),
                                view_transposed = fold_transposed(), view_im2col = fold_im2col(2, 16, 16, 8);
static constexpr tsr_descriptor run_matrix_1 = fold_matrix(96, 100, 104), run_matrix_2 = fold_matrix(41, 67, 71);
static constexpr tsr_descriptor run_im2col_1 = fold_im2col(2, 5, 6, 3), run_im2col_2 = fold_im2col(3, 7, 11, 4);

/* By hand. Numbers of run time are divided by as numbers.h says: on a GPU by a multiplication, as CK Tile does it. */

typedef struct hand_divisor {
    uint32_t is, multiplier, shift;
} hand_divisor;

TSR_EVAL uint32_t hand_divide(uint32_t n, hand_divisor d)
{
    return TSR_ON_GPU ? (uint32_t)((((uint64_t)n * d.multiplier) >> 32) + n) >> d.shift : n / d.is;
}

typedef struct hand_matrix {
    uint32_t m, n, pitch;
} hand_matrix;

typedef struct hand_image {
    uint32_t rows, columns, h, w;
    hand_divisor y, x, c;
    uint32_t image, row, pixel;
} hand_image;

typedef struct hand_place {
    bool there;
    uint32_t offset;
} hand_place;

TSR_EVAL hand_place hand_packed(uint32_t i, uint32_t j) { return {i < 256 && j < 256, i * 256 + j}; }

TSR_EVAL hand_place hand_gemm_a(uint32_t i, uint32_t j) { return {i < 128 && j < 32, i * 8 + j % 8 + j / 8 * 1032}; }

TSR_EVAL hand_place hand_xor(uint32_t i, uint32_t j) { return {i < 8 && j < 8, i * 8 + (j / 2 ^ i % 4) * 2 + j % 2}; }

TSR_EVAL hand_place hand_transposed(uint32_t i, uint32_t j) { return {i < 64 && j < 128, 7 + i * 130 + j}; }

TSR_EVAL hand_place hand_im2col(uint32_t row, uint32_t column)
{
    uint32_t const h = row / 16 % 16 + column / 24 - 1, w = row % 16 + column / 8 % 3 - 1;
    return {row < 512 && column < 72 && h < 16 && w < 16, ((row / 256 * 16 + h) * 16 + w) * 8 + column % 8};
}

TSR_EVAL hand_place hand_run_matrix(hand_matrix a, uint32_t i, uint32_t j)
{
    return {i < a.m && j < a.n, i * a.pitch + j};
}

TSR_EVAL hand_place hand_run_im2col(hand_image a, uint32_t row, uint32_t column)
{
    uint32_t const q = hand_divide(row, a.x), x = row - q * a.x.is, n = hand_divide(q, a.y), y = q - n * a.y.is;
    uint32_t const k = hand_divide(column, a.c), c = column - k * a.c.is, r = k / 3, s = k - r * 3;
    uint32_t const h = y + r - 1, w = x + s - 1;
    return {row < a.rows && column < a.columns && h < a.h && w < a.w, n * a.image + h * a.row + w * a.pixel + c};
}

/* Windows: 128 x 32 elements, 2 x 8 to each of 256 threads */

TSR_FN tsr_encoding fold_block()
{
    tsr_encoding_lists l = TSR_ZERO;
    int64_t const rows[3] = {2, 4, 16}, columns[2] = {4, 8};
    l.xs = l.ps = 2;
    l.h[0].rank = 3;
    l.h[1].rank = l.y.count = 2;
    for (int i = 0; i < 3; ++i)
        l.h[0].at[i] = rows[i];
    for (int i = 0; i < 2; ++i)
        l.h[1].at[i] = columns[i];
    l.p[0] = {1, {{1, 1}}};
    l.p[1] = {2, {{1, 2}, {2, 0}}};
    l.y = {2, {{1, 0}, {2, 1}}};
    return tsr_make_tile_distribution_encoding(&l);
}

/** 128 x 32 elements in shared memory, groups of 8 behind a xor. */
TSR_FN tsr_descriptor fold_lds()
{
    int64_t const length[3] = {128, 4, 8}, groups[2] = {4, 8};
    tsr_link xors[2] = {fold_link(tsr_make_xor_transform(128, 4), 0, 0),
                        fold_link(tsr_make_pass_through_transform(8), 2, 2)};
    tsr_link merges[2] = {fold_link(tsr_make_pass_through_transform(128), 0, 0),
                          fold_link(tsr_make_merge_transform(2, groups), 1, 1)};
    xors[0].low[1] = xors[0].up[1] = 1;
    merges[1].low[1] = 2;
    tsr_descriptor const d = tsr_make_naive_tensor_descriptor_packed(3, length, 0);
    return tsr_transform_tensor_descriptor(tsr_transform_tensor_descriptor(d, 2, xors), 2, merges);
}

static constexpr tsr_encoding fold_threads = fold_block();
static constexpr tsr_descriptor window_lds = fold_lds(), window_ragged = fold_matrix(250, 100, 104);
static constexpr tsr_descriptor window_run_1 = fold_matrix(96, 100, 104), window_run_2 = fold_matrix(41, 64, 72);

/* clang-format off */
/** X(name, descriptor) */
#define FOLD_VIEW(X) X(packed) X(gemm_a) X(xor) X(transposed) X(im2col)

/** X(name, the numbers by hand) */
#define FOLD_RUN(X) X(run_matrix, hand_matrix) X(run_im2col, hand_image)
/* clang-format on */

#endif
