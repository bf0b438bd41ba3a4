/** Rows of tuples: structure, reductions, divisions, orders, coordinates. The kinds are explained in ops.h. */
#ifndef TSR_SRC_OPS_TUPLE_H
#define TSR_SRC_OPS_TUPLE_H

#include "tessera/core/query.h"
#include "tessera/core/verdict.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_OPS_TUPLE(X, A) \
    X(rank, tuple_rank_of, T, (T, P), "the number of modes, of the mode at a path", \
      "rank(((1,2),3))", "_2", "- path:") \
    X(depth, tuple_depth_of, T, (T, P), "the depth of nesting", \
      "depth(((1,_2),8,2))", "_2", "- path:") \
    X(size, tuple_size_of, T, (T, P), "the product of all leaves", \
      "size(((_1,_2),_8,_2))", "_32", "- path:") \
    X(get, tuple_get_path, T, (T, P), "the mode at a path", \
      "get<1>(((_3,_16),((_1,_4))))", "((_1,_4))", "- path:") \
    A(shape, tuple_get_path, T, (T, P), "a tuple is its own shape", \
      "shape<1>((2,(3,4)))", "(3,4)", "- path:") \
    X(take, tuple_take, T, (T, N, N), "modes B to E, E not included (-1: to the end)", \
      "take<1,2>((_4,_8))", "(_8)", "- begin: end:") \
    X(select, tuple_select, T, (T, P), "the modes listed, as a tuple", \
      "select<0,2>((_128,_128,_8))", "(_128,_8)", "- path:") \
    X(flatten, tuple_flatten, T, (T), "all leaves in one tuple", \
      "flatten((8,(2,4)))", "(8,2,4)") \
    X(flatten_to_tuple, flatten_to_tuple, T, (T), "all leaves in one tuple, also for an integer", \
      "flatten_to_tuple(32)", "(32)") \
    X(unflatten, tuple_unflatten, T, (T, T), "the leaves in the profile of another tuple", \
      "unflatten((2,3,3,5), (2,(3),3,5))", "(2,(3),3,5)", "- profile:") \
    X(wrap, wrap, T, (T), "an integer as a tuple of one mode", \
      "wrap(4)", "(4)") \
    X(unwrap, unwrap, T, (T), "without outer tuples of one mode", \
      "unwrap(((_8,_12)))", "(_8,_12)") \
    X(group, tuple_group, T, (T, N, N), "modes B to E as one mode", \
      "group<0,1>((_32,_8))", "((_32),_8)", "- begin: end:") \
    X(append, tuple_append, T, (T, T), "one more mode at the end", \
      "append((_32,_8), 32)", "(_32,_8,32)", "- mode:") \
    X(append, tuple_append_to, T, (T, T, N), "copies at the end, up to rank N", \
      "append<4>((8,4), _8)", "(8,4,_8,_8)", "- mode: rank:") \
    X(prepend, tuple_prepend, T, (T, T), "one more mode in front", \
      "prepend((8,4), _8)", "(_8,8,4)", "- mode:") \
    X(prepend, tuple_prepend_to, T, (T, T, N), "copies in front, up to rank N", \
      "prepend<4>((_4,_8), _8)", "(_8,_8,_4,_8)", "- mode: rank:") \
    X(insert, insert, T, (T, T, N), "a mode put in at position N", \
      "insert<1>((8,4), _2)", "(8,_2,4)", "- mode: position:") \
    X(remove, remove, T, (T, N), "without mode N", \
      "remove<1>((1,2,3))", "(1,3)", "- position:") \
    X(replace, tuple_replace, T, (T, T, N), "another mode N", \
      "replace<1>((2,_2,12), 32)", "(2,32,12)", "- mode: position:") \
    X(replace_front, replace_front, T, (T, T), "another first mode", \
      "replace_front((_4,_8), 8)", "(8,_8)", "- mode:") \
    X(replace_back, replace_back, T, (T, T), "another last mode", \
      "replace_back((2,_2,12), 32)", "(2,_2,32)", "- mode:") \
    X(repeat, repeat, T, (T, N), "N copies as modes; one copy is the value itself", \
      "repeat<3>(_8)", "(_8,_8,_8)", "value: count:") \
    X(repeat_like, repeat_like, T, (T, T), "a value at every leaf of a profile", \
      "repeat_like((1,(2,3)), _0)", "(_0,(_0,_0))", "profile: value:") \
    X(reverse, reverse, T, (T), "the modes in the opposite order", \
      "reverse(((_8,_4),_2))", "(_2,(_8,_4))") \
    X(front, front, T, (T), "the first leaf", \
      "front((_5,_2))", "_5") \
    X(back, back, T, (T), "the last leaf", \
      "back((1,(2,3)))", "3") \
    X(zip, tuple_zip, T, (V), "the transpose of a tuple of tuples, or of several tuples", \
      "zip(((1,2,3),(4,5,6)))", "((1,4),(2,5),(3,6))") \
    X(zip2_by, zip2_by, T, (T, T), "the pairs at the leaves of a guide, transposed", \
      "zip2_by(((1,2),(3,4),5), (_,_))", "((1,3),(2,4,5))", "- guide:") \
    X(product, product, T, (T), "the product of all leaves", \
      "product((_2,_3,(_4,_5)))", "_120") \
    X(product_each, product_each, T, (T), "the product of each mode", \
      "product_each((_8,(_3,4),_8))", "(_8,12,_8)") \
    X(product_like, product_like, T, (T, T), "the products at the leaves of a guide", \
      "product_like(((2,3),(4,5)), (_0,(_0,_0)))", "(6,(4,5))", "- guide:") \
    X(prefix_product, prefix_product, T, (T), "the exclusive prefix products of the leaves", \
      "prefix_product((3,(6,2)))", "(_1,(3,18))") \
    X(sum, sum, T, (T), "the sum of all leaves", \
      "sum((_2,_3))", "_5") \
    X(inner_product, inner_product, T, (T, T), "the sum of the products of leaves", \
      "inner_product((_2,_4), (_1,_4))", "_18") \
    X(min, min, T, (V), "the least leaf", \
      "min((_2,_4))", "_2") \
    X(max, max, T, (V), "the greatest leaf", \
      "max(_58, 51)", "58") \
    X(gcd, gcd, T, (V), "the greatest common divisor of all leaves", \
      "gcd((_2,_6))", "_2") \
    X(ceil_div, tuple_ceil_div, T, (T, T), "a / b rounded up, mode by mode", \
      "ceil_div((10,20,30), (3,4))", "(4,5,30)") \
    X(round_up, round_up, T, (T, T), "the least multiple of b not below a, mode by mode", \
      "round_up(_14, _9)", "_18") \
    X(shape_div, shape_div, T, (T, T), "division of shapes: one must divide the other", \
      "shape_div((_3,_6,_2,_8), _6)", "(_1,_3,_2,_8)") \
    X(elem_scale, elem_scale, T, (T, T), "each leaf of a times the product of b there", \
      "elem_scale((_4,_16), (_2,_8))", "(_8,_128)") \
    X(filter_zeros, tuple_filter_zeros, T, (T), "static zeros replaced by _1", \
      "filter_zeros((_0,4,_2))", "(_1,4,_2)") \
    X(filter_zeros, filter_zeros_by, T, (T, T), "leaves of b under static zeros of a replaced by _1", \
      "filter_zeros((_8,(((_2,_0,_4)))), (_8,(((_2,_1,_4)))))", "(_8,(((_2,_1,_4))))") \
    X(coalesce, tuple_coalesce, T, (T), "a shape with static and with dynamic neighbours multiplied", \
      "coalesce((5,8,_8,_2))", "(40,_16)") \
    A(add, add, T, (T, T), "the sum of coordinates", \
      "add((1,2), (3,4))", "(4,6)") \
    X(as_arithmetic_tuple, as_arithmetic_tuple, T, (T), "a basis element as the coordinate it stands for", \
      "as_arithmetic_tuple(_1@1)", "(_0,_1)", "basis:") \
    X(make_basis_like, make_basis_like, T, (T), "the basis strides of a shape", \
      "make_basis_like((4,(5,6)))", "(_1@0,(_1@0@1,_1@1@1))", "shape:") \
    X(basis_value, basis_value, T, (T), "the integer of a basis element", \
      "basis_value(_5@1@0)", "_5", "basis:") \
    X(basis_get, basis_get, T, (T, T), "the mode that a basis element names", \
      "basis_get(_1@1, (4,(5,6)))", "(5,6)", "basis: tuple:") \
    X(equal, tuple_equal, T, (T, T), "the same values in the same profile", \
      "equal((_5,_3), (5,3))", "1") \
    X(congruent, congruent, T, (T, T), "the profiles are the same", \
      "congruent((_2,_3), _6)", "_0") \
    X(weakly_congruent, weakly_congruent, T, (T, T), "b's profile refines a's", \
      "weakly_congruent((_2,(4,(2,_8))), (_3,(_4,((1,_2),_8))))", "_1") \
    X(compatible, compatible, T, (T, T), "b has the size of each leaf of a there", \
      "compatible((_4,_6), ((_2,_2),_6))", "_1") \
    X(weakly_compatible, weakly_compatible, T, (T, T), "each leaf of a divides the size of b there", \
      "weakly_compatible((_4,_6), ((_2,_4),_6))", "_1") \
    X(evenly_divides, evenly_divides, T, (T, T), "the tiler b cuts a without a remainder", \
      "evenly_divides(_16, _12)", "_0") \
    X(lex_less, lex_less, T, (T, T), "lexicographic order", \
      "lex_less((0,3), (1,0))", "1") \
    X(lex_leq, lex_leq, T, (T, T), "not lex_less(b, a)", \
      "lex_leq((1,0), (_0,_2))", "0") \
    X(lex_gtr, lex_gtr, T, (T, T), "lex_less(b, a)", \
      "lex_gtr((1,1,0), (2,_1,_1))", "0") \
    X(lex_geq, lex_geq, T, (T, T), "not lex_less(a, b)", \
      "lex_geq((_2,2), (_1,_2))", "_1") \
    X(colex_less, colex_less, T, (T, T), "colexicographic order", \
      "colex_less((0,3), (1,0))", "0") \
    X(colex_leq, colex_leq, T, (T, T), "not colex_less(b, a)", \
      "colex_leq((11,8), (_12,7))", "0") \
    X(colex_gtr, colex_gtr, T, (T, T), "colex_less(b, a)", \
      "colex_gtr((1,1,0), (2,_1,_1))", "0") \
    X(colex_geq, colex_geq, T, (T, T), "not colex_less(a, b)", \
      "colex_geq((_0,_5), (_0,3))", "1") \
    X(elem_less, elem_less, T, (T, T), "every mode of a below b's: a coordinate inside a shape", \
      "elem_less((0,0), (_1,_3))", "1") \
    X(elem_leq, elem_leq, T, (T, T), "not elem_less(b, a)", \
      "elem_leq((_0,_5), (_0,3))", "_1") \
    X(elem_gtr, elem_gtr, T, (T, T), "elem_less(b, a)", \
      "elem_gtr((3,1), (_2,_0))", "1") \
    X(elem_geq, elem_geq, T, (T, T), "not elem_less(a, b)", \
      "elem_geq((1,0), (_0,_2))", "1") \
    X(crd2idx, crd2idx, T, (T, T, T), "the index of a coordinate (coord, shape, stride)", \
      "crd2idx((_0,_14), (_2,_32), (_1,_4))", "_56", "coord: shape: stride:") \
    X(crd2idx, crd2idx_compact, T, (T, T), "the 1-D coordinate of a coordinate (coord, shape)", \
      "crd2idx((1,(1,0)), (3,(2,3)))", "4", "coord: shape:") \
    X(idx2crd, idx2crd, T, (T, T), "the coordinate of a 1-D coordinate (index, shape)", \
      "idx2crd(5, (3,(2,3)))", "(2,(1,0))", "index: shape:") \
    X(idx2crd, idx2crd_stride, T, (T, T, T), "the coordinate of an index (index, shape, stride)", \
      "idx2crd(_22, (_8,_4,_4), (_16,_1,_4))", "(_1,_2,_1)", "index: shape: stride:") \
    X(crd2crd, crd2crd, T, (T, T, T), "a coordinate of one shape into another (coord, from, to)", \
      "crd2crd(5, (2,4), (4,2))", "(1,1)", "coord: from: to:") \
    X(increment, increment, T, (T, T), "the next coordinate, colexicographically (coord, shape)", \
      "increment((2,0), (3,2))", "(0,1)", "coord: shape:") \
    X(compact_col_major, compact_col_major, T, (T), "compact strides, the first mode fastest", \
      "compact_col_major((_4,_8,_2))", "(_1,_4,_32)", "shape:") \
    X(compact_col_major, compact_col_major_after, T, (T, T), "compact strides that start at a given one", \
      "compact_col_major((_5,_2,_4), _3)", "(_3,_15,_30)", "shape: current:") \
    X(compact_row_major, compact_row_major, T, (T), "compact strides, the last mode fastest", \
      "compact_row_major((_4,_8,_2))", "(_16,_2,_1)", "shape:") \
    X(compact_row_major, compact_row_major_after, T, (T, T), "compact strides that start at a given one", \
      "compact_row_major((1,(4,2)), 2)", "(16,(4,2))", "shape: current:") \
    X(compact_order, compact_order, T, (T, T), "compact strides in a given order (shape, order)", \
      "compact_order((_2,_3,4), (_2,_0,_1))", "(12,_1,_3)", "shape: order:") \
    X(slice, tuple_slice, T, (T, T), "the modes under `_` (coord, tuple)", \
      "slice((_,_0,_), (_32,_5,((6,8))))", "(_32,((6,8)))", "coord:") \
    X(dice, tuple_dice, T, (T, T), "the modes under integers (coord, tuple)", \
      "dice((_1,_), (_16,((_4,_8))))", "(_16)", "coord:") \
    X(tuple_cat, tuple_cat, T, (U), "the modes of all tuples in one tuple; an integer is a mode", \
      "tuple_cat((1,2), ((3,4)), 5)", "(1,2,(3,4),5)") \
    X(is_static, tuple_static_int, T, (T), "every leaf is static", \
      "is_static((_4,(_2,3)))", "_0") \
    X(is_major, major_int, T, (T, N), "the mode N of a stride begins with stride 1", \
      "is_major<1>((_8,(_1,_4)))", "_1", "stride: mode:") \
    X(leading_dim, leading_dim, T, (T, T), "the path to the first stride 1 of an extent that is not 1, or ()", \
      "leading_dim((_4,(_1,_8)), (_8,(_1,_1)))", "(_1,_1)", "shape: stride:")
/* clang-format on */

TSR_HEADER_END

#endif
