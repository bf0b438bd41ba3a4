/** Descriptors known when code is generated, folded by the compiler, each beside the index arithmetic that one would
 *  write for it by hand: X(name, descriptor, coordinate, by hand), as in cases.h. Making and folding them is constexpr,
 *  so this is C++ and CUDA only. */
#ifndef FOLD_TILE_CASES_H
#define FOLD_TILE_CASES_H

#include "cases.h"
#include "tessera/tile.h"

TSR_FN tsr_link fold_link(tsr_coord_transform t, int low, int up)
{
    tsr_link l = TSR_ZERO;
    l.transform = t;
    l.lows = t.lows;
    l.ups = t.ups;
    l.low[0] = (uint8_t)low;
    l.up[0] = (uint8_t)up;
    return l;
}

TSR_FN tsr_descriptor fold_packed()
{
    int64_t const length[2] = {256, 256};
    return tsr_make_naive_tensor_descriptor_packed(2, length, 0);
}

/** K0 x M x K1 with a pitch, as M x K. */
TSR_FN tsr_descriptor fold_gemm_a()
{
    int64_t const length[3] = {4, 128, 8}, stride[3] = {1032, 8, 1}, k[2] = {4, 8};
    tsr_link link[2] = {fold_link(tsr_make_pass_through_transform(128), 1, 0),
                        fold_link(tsr_make_merge_transform(2, k), 0, 1)};
    link[1].low[1] = 2;
    return tsr_transform_tensor_descriptor(tsr_make_naive_tensor_descriptor(3, length, stride, tsr_no_vector()), 2,
                                           link);
}

/** Rows 1 and 2 of 3 x 5 elements with a pitch, merged. */
TSR_FN tsr_descriptor fold_sliced()
{
    int64_t const length[2] = {3, 5}, stride[2] = {8, 1};
    tsr_link merge = fold_link(tsr_make_merge_transform(2, length), 0, 0);
    merge.low[1] = 1;
    tsr_link const slice = fold_link(tsr_make_slice_transform(15, 5, 15), 0, 0);
    tsr_descriptor const d = tsr_make_naive_tensor_descriptor(2, length, stride, tsr_no_vector());
    return tsr_transform_tensor_descriptor(tsr_transform_tensor_descriptor(d, 1, &merge), 1, &slice);
}

/** 64 columns of 128, from an offset on, as a transposed matrix. */
TSR_FN tsr_descriptor fold_transposed()
{
    int64_t const length[2] = {128, 64}, stride[2] = {1, 130};
    tsr_link const link[2] = {fold_link(tsr_make_pass_through_transform(128), 0, 1),
                              fold_link(tsr_make_pass_through_transform(64), 1, 0)};
    return tsr_transform_tensor_descriptor(
        tsr_make_naive_tensor_descriptor_with_offset(2, length, stride, 7, tsr_no_vector()), 2, link);
}

/** 8 x 4 groups of 2 elements behind a xor, as 8 x 8. */
TSR_FN tsr_descriptor fold_xor()
{
    int64_t const length[3] = {8, 4, 2}, groups[2] = {4, 2};
    tsr_link xors[2] = {fold_link(tsr_make_xor_transform(8, 4), 0, 0),
                        fold_link(tsr_make_pass_through_transform(2), 2, 2)};
    tsr_link merges[2] = {fold_link(tsr_make_pass_through_transform(8), 0, 0),
                          fold_link(tsr_make_merge_transform(2, groups), 1, 1)};
    xors[0].low[1] = xors[0].up[1] = 1;
    merges[1].low[1] = 2;
    tsr_descriptor const d = tsr_make_naive_tensor_descriptor_packed(3, length, 0);
    return tsr_transform_tensor_descriptor(tsr_transform_tensor_descriptor(d, 2, xors), 2, merges);
}

/* clang-format off */
#define FOLD_TILE(X) \
    X(packed, fold_packed(), tsr_t(i, j), fold_sum_2(u(i) * 256, u(j))) \
    X(gemm_a, fold_gemm_a(), tsr_t(i, j), fold_sum_3(u(i) * 8, u(j) % 8, u(j) / 8 * 1032)) \
    X(sliced_1d, fold_sliced(), i, fold_sum_3(8, u(i) % 5, u(i) / 5 * 8)) \
    X(xor_groups, fold_xor(), tsr_t(i, j), fold_swizzle(u(i) * 8 + u(j), 2, 6)) \
    X(transposed, fold_transposed(), tsr_t(i, j), fold_sum_3(7, u(i) * 130, u(j)))
/* clang-format on */

#endif
