/** Layouts known when code is generated, each beside the index arithmetic that one would write for it by hand.
 *
 *  X(name, layout, coordinate, by hand); i, j and k are coordinates, n is a number known at run time. Every
 *  arithmetic is unsigned, for coordinates are not negative; u(i) is short for that.
 */
#ifndef FOLD_CASES_H
#define FOLD_CASES_H

#include "tessera/tessera.h"

#define u(x) ((uint64_t)(x))

/* The terms of an offset are added one after the other. In a single expression the front end of gcc 12 turns
 * 16 j + 2 k into 2 (8 j + k), which none of its later passes does, for one instruction less. */
TSR_EVAL uint64_t fold_sum_2(uint64_t a, uint64_t b) { return a + b; }
TSR_EVAL uint64_t fold_sum_3(uint64_t a, uint64_t b, uint64_t c) { return a + b + c; }
TSR_EVAL uint64_t fold_swizzle(uint64_t x, int shift, uint64_t mask) { return x ^ (x >> shift & mask); }

#define FOLD_NESTED tsr_make_layout(tsr_t(tsr_t(2, 2), 8), tsr_t(tsr_t(1, 16), 2))
#define FOLD_RANK_3 tsr_make_layout(tsr_t(8, 12, 5), tsr_t(1, 10, 120))
#define FOLD_SWIZZLE(b, m, s, layout) tsr_swizzled(tsr_make_swizzle(b, m, s), layout)

/* clang-format off */
/** All numbers known: in C++ and CUDA these are constexpr. */
#define FOLD_STATIC(X) \
    X(nested_1d, FOLD_NESTED, i, fold_sum_3(u(i) % 2, u(i) / 2 % 2 * 16, u(i) / 4 * 2)) \
    X(nested_2d, FOLD_NESTED, tsr_t(i, j), fold_sum_3(u(i) % 2, u(i) / 2 * 16, u(j) * 2)) \
    X(nested_natural, FOLD_NESTED, tsr_t(tsr_t(i, j), k), fold_sum_3(u(i), u(j) * 16, u(k) * 2)) \
    X(nested_constant, FOLD_NESTED, tsr_t(tsr_t(1, 1), 3), 23) \
    X(column_major, tsr_make_layout(tsr_t(tsr_s(128), tsr_s(64)), tsr_t(tsr_s(1), tsr_s(128))), tsr_t(i, j), \
      fold_sum_2(u(i), u(j) * 128)) \
    X(row_major, tsr_make_layout(tsr_t(32, 4), tsr_right()), tsr_t(i, j), fold_sum_2(u(i) * 4, u(j))) \
    X(compact, tsr_make_layout(tsr_t(32, 8)), tsr_t(i, j), fold_sum_2(u(i), u(j) * 32)) \
    X(padded, tsr_make_layout(tsr_t(32, 32), tsr_t(1, 33)), tsr_t(i, j), fold_sum_2(u(i), u(j) * 33)) \
    X(rank_3, FOLD_RANK_3, tsr_t(i, j, k), fold_sum_3(u(i), u(j) * 10, u(k) * 120)) \
    X(rank_3_1d, FOLD_RANK_3, i, fold_sum_3(u(i) % 8, u(i) / 8 % 12 * 10, u(i) / 96 * 120)) \
    X(not_power_of_2, tsr_make_layout(tsr_t(6, tsr_t(5, 3)), tsr_t(21, tsr_t(1, 7))), tsr_t(i, j), \
      fold_sum_3(u(i) * 21, u(j) % 5, u(j) / 5 * 7)) \
    X(broadcast, tsr_make_layout(tsr_t(8, 4), tsr_t(0, 1)), i, u(i) / 8) \
    X(reversed, tsr_make_layout(tsr_t(8, 4), tsr_t(-1, 8)), tsr_t(i, j), u(j) * 8 - u(i)) \
    X(swizzled, FOLD_SWIZZLE(3, 3, 3, tsr_make_layout(tsr_t(8, 64), tsr_t(64, 1))), tsr_t(i, j), \
      fold_swizzle(u(i) * 64 + u(j), 3, 56)) \
    X(swizzled_1d, FOLD_SWIZZLE(2, 1, 3, tsr_make_layout(tsr_t(8, 8), tsr_t(8, 1))), i, \
      fold_swizzle(u(i) % 8 * 8 + u(i) / 8, 3, 6))

/** A number of the layout is known at run time only. */
#define FOLD_MIXED(X) \
    X(leading_dimension, tsr_make_layout(tsr_t(tsr_s(128), tsr_s(64)), tsr_t(tsr_s(1), n)), tsr_t(i, j), \
      fold_sum_2(u(i), u(j) * u(n))) \
    X(rank_3_stride, tsr_make_layout(tsr_t(8, 12, 5), tsr_t(1, 10, n)), tsr_t(i, j, k), \
      fold_sum_3(u(i), u(j) * 10, u(k) * u(n))) \
    X(nested_stride_1d, tsr_make_layout(tsr_t(8, tsr_t(4, 5)), tsr_t(1, tsr_t(10, n))), i, \
      fold_sum_3(u(i) % 8, u(i) / 8 % 4 * 10, u(i) / 32 * u(n))) \
    X(swizzled_stride, FOLD_SWIZZLE(3, 3, 3, tsr_make_layout(tsr_t(64, 8), tsr_t(1, n))), tsr_t(i, j), \
      fold_swizzle(u(i) + u(j) * u(n), 3, 56)) \
    X(extent, tsr_make_layout(tsr_t(n, 4), tsr_t(4, 1)), i, \
      n <= 0 ? u(TSR_BAD_OFFSET) : u(i) % u(n) * 4 + u(i) / u(n))

/** The element at p, as an lvalue: a pointer expression. */
#define FOLD_REF(X) \
    X(ref_column_major, tsr_make_layout(tsr_t(tsr_s(128), tsr_s(64)), tsr_t(tsr_s(1), tsr_s(128))), tsr_t(i, j), \
      fold_sum_2(u(i), u(j) * 128)) \
    X(ref_row_major, tsr_make_layout(tsr_t(32, 4), tsr_right()), tsr_t(i, j), fold_sum_2(u(i) * 4, u(j))) \
    X(ref_nested, FOLD_NESTED, tsr_t(i, j), fold_sum_3(u(i) % 2, u(i) / 2 * 16, u(j) * 2)) \
    X(ref_nested_1d, FOLD_NESTED, i, fold_sum_3(u(i) % 2, u(i) / 2 % 2 * 16, u(i) / 4 * 2)) \
    X(ref_leading_dimension, tsr_make_layout(tsr_t(tsr_s(128), tsr_s(64)), tsr_t(tsr_s(1), n)), tsr_t(i, j), \
      fold_sum_2(u(i), u(j) * u(n))) \
    X(ref_swizzled, FOLD_SWIZZLE(3, 3, 3, tsr_make_layout(tsr_t(8, 64), tsr_t(64, 1))), tsr_t(i, j), \
      fold_swizzle(u(i) * 64 + u(j), 3, 56))

/** The lines that make tensors, as CuTe's page has them: X(name, the tensor over float *p, the element's coordinate, by
 *  hand). Twenty elements of the tensor are read in a loop, too. */
#define FOLD_LINE(X) \
    X(line_size, tsr_make_tensor(p, 512), (i), u(i)) \
    X(line_size_static, tsr_make_tensor(p, tsr_s(512)), (i), u(i)) \
    X(line_size_stride, tsr_make_tensor(p, 512, 2), (i), u(i) * 2) \
    X(line_shape, tsr_make_tensor(p, tsr_t(tsr_s(512), tsr_s(12))), (i, j), fold_sum_2(u(i), u(j) * 512)) \
    X(line_shape_plain, tsr_make_tensor(p, tsr_t(512, 12)), (i, j), fold_sum_2(u(i), u(j) * 512)) \
    X(line_left, tsr_make_tensor(p, tsr_t(tsr_s(512), tsr_s(12)), tsr_left()), (i, j), fold_sum_2(u(i), u(j) * 512)) \
    X(line_right, tsr_make_tensor(p, tsr_t(tsr_s(512), tsr_s(12)), tsr_right()), (i, j), fold_sum_2(u(i) * 12, u(j))) \
    X(line_stride, tsr_make_tensor(p, tsr_t(tsr_s(512), tsr_s(12)), tsr_t(tsr_s(12), tsr_s(1))), (i, j), \
      fold_sum_2(u(i) * 12, u(j))) \
    X(line_layout, tsr_make_tensor(p, tsr_make_layout(tsr_t(512, 12))), (i, j), fold_sum_2(u(i), u(j) * 512)) \
    X(line_gmem, tsr_make_tensor(tsr_make_gmem_ptr(p), tsr_t(tsr_s(512), tsr_s(12))), (i, j), \
      fold_sum_2(u(i), u(j) * 512)) \
    X(line_smem, tsr_make_tensor(tsr_make_smem_ptr(p), tsr_t(512, 12), tsr_right()), (i, j), \
      fold_sum_2(u(i) * 12, u(j))) \
    X(line_typed, tsr_make_tensor(tsr_make_gmem_ptr((void *)p, TSR_F32), tsr_t(512, 12)), (i, j), \
      fold_sum_2(u(i), u(j) * 512)) \
    X(line_const, tsr_make_tensor((float const *)p, tsr_t(512, 12)), (i, j), fold_sum_2(u(i), u(j) * 512)) \
    X(line_rank_3, tsr_make_tensor(p, tsr_t(8, 12, 5), tsr_right()), (i, j, k), fold_sum_3(u(i) * 60, u(j) * 5, u(k))) \
    X(line_rank_4, tsr_make_tensor(p, tsr_t(8, 12, 5, 3)), (i, j, k, 2), \
      fold_sum_3(u(i), u(j) * 8, u(k) * 96) + 960) \
    X(line_nested, tsr_make_tensor(p, tsr_t(tsr_t(2, 2), 8)), (tsr_t(i, j), k), \
      fold_sum_3(u(i), u(j) * 2, u(k) * 4)) \
    X(line_nested_stride, tsr_make_tensor(p, tsr_t(tsr_t(2, 2), 8), tsr_t(tsr_t(1, 16), 2)), (i, j), \
      fold_sum_3(u(i) % 2, u(i) / 2 * 16, u(j) * 2)) \
    X(line_leading_dimension, tsr_make_tensor(p, tsr_t(tsr_s(128), tsr_s(64)), tsr_t(tsr_s(1), n)), (i, j), \
      fold_sum_2(u(i), u(j) * u(n)))

/** Lines whose elements are read and written by value, too. */
#define FOLD_VALUE(X) \
    X(line_size, tsr_make_tensor(p, tsr_s(512)), (i), u(i)) \
    X(line_right, tsr_make_tensor(p, tsr_t(tsr_s(512), tsr_s(12)), tsr_right()), (i, j), fold_sum_2(u(i) * 12, u(j))) \
    X(line_gmem, tsr_make_tensor(tsr_make_gmem_ptr(p), tsr_t(tsr_s(512), tsr_s(12))), (i, j), \
      fold_sum_2(u(i), u(j) * 512))
/* clang-format on */

#endif
