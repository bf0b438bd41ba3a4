/** The one table of operations.
 *
 *  X(name, function, result, (arguments), help, example, value): the field's name; the function without its prefix
 *  tsr_; what it gives; what it takes; one line; an expression and what it evaluates to. A(...) is the same for a
 *  second name of a function. The calculator, its help, the exported symbols (tsrc_ and the function's name),
 *  docs/operations.md and the tests are made from it. A name may have several rows; the first that fits is used.
 *
 *  Kinds of results and arguments
 *      T  tuple or integer       L  layout      W  swizzle      X  layout and offset      D  verdict
 *      E  engine                 G  tensor
 *      R  tiler: layout, integer, `_` or a tuple of these
 *  Arguments in brackets, name<..>
 *      N  one integer            P  any number of integers, as a tuple      B  an element type, as its bits
 *  The rest of the arguments
 *      V  integers and tuples, one as itself, several as a tuple
 *      U  integers and tuples, always as a tuple
 *      Q  tilers, one as itself, several as <a,b,..>         M  layouts, as <a,b,..>
 */
#ifndef TSR_OPS_H
#define TSR_OPS_H

#include "tessera/core/integer.h"
#include "tessera/core/verdict.h"
#include "tessera/tensor/partition.h"

/* clang-format off */
#define TSR_OPS_INTEGER(X, A) \
    X(iadd, add, T, (T, T), "a + b, of integers, basis elements or coordinates", \
      "iadd(7, _3)", "10") \
    X(isub, isub, T, (T, T), "a - b", \
      "isub(_12, _4)", "_8") \
    X(imul, imul, T, (T, T), "a * b", \
      "imul(_12, _4)", "_48") \
    X(idiv, idiv, T, (T, T), "a / b, rounded toward zero", \
      "idiv(7, _-3)", "-2") \
    X(imod, imod, T, (T, T), "a % b, with the sign of a", \
      "imod(_21, _8)", "_5") \
    X(iand, iand, T, (T, T), "a & b, of integers or partly static bits", \
      "iand(_7, 3)", "3") \
    X(ior, ior, T, (T, T), "a | b, of integers or partly static bits", \
      "ior(_12, 4)", "12") \
    X(ixor, ixor, T, (T, T), "a ^ b, of integers or partly static bits", \
      "ixor(12, _4)", "8") \
    X(ishl, ishl, T, (T, T), "a << b", \
      "ishl(_1, 5)", "32") \
    X(ishr, ishr, T, (T, T), "a >> b", \
      "ishr(16, 1)", "8") \
    X(ilt, ilt, T, (T, T), "a < b", \
      "ilt(1, _5)", "1") \
    X(ile, ile, T, (T, T), "a <= b", \
      "ile(8, _8)", "1") \
    X(igt, igt, T, (T, T), "a > b", \
      "igt(_12, _4)", "_1") \
    X(ige, ige, T, (T, T), "a >= b", \
      "ige(5, 0)", "1") \
    X(ieq, ieq, T, (T, T), "a == b", \
      "ieq(2, 2)", "1") \
    X(ine, ine, T, (T, T), "a != b", \
      "ine(12, _4)", "1") \
    X(land, land, T, (T, T), "a and b", \
      "land(_0, 5)", "_0") \
    X(lor, lor, T, (T, T), "a or b", \
      "lor(_1, 5)", "_1") \
    X(ineg, ineg, T, (T), "-a", \
      "ineg(7)", "-7") \
    X(inot, inot, T, (T), "1 for 0, else 0", \
      "inot(_7)", "_0") \
    X(abs, abs, T, (T), "the absolute value", \
      "abs(_-3)", "_3") \
    X(signum, signum, T, (T), "-1, 0 or 1", \
      "signum(-7)", "-1") \
    X(lcm, lcm, T, (T, T), "the least common multiple", \
      "lcm(_20, _24)", "_120") \
    X(safe_div, safe_div, T, (T, T), "a / b, exact where both are static", \
      "safe_div(20, _5)", "4") \
    X(shiftl, shiftl, T, (T, T), "a << b, for negative b the other direction", \
      "shiftl(22, 1)", "44") \
    X(shiftr, shiftr, T, (T, T), "a >> b, for negative b the other direction", \
      "shiftr(_20, _3)", "_2") \
    X(make_mixed_bits, make_mixed_bits, T, (T, T, T), "s | (d & f): bits s static, bits d under f dynamic", \
      "make_mixed_bits(_8, 9, _39)", "M_8|(1&39)=9") \
    X(to_mixed_bits, to_mixed_bits, T, (T, T, T), "the bits of a coordinate, static or not (shape, stride, coord)", \
      "to_mixed_bits((_8,_8), (_1,_8), (3,_2))", "M_16|(3&7)=19")

#define TSR_OPS_TUPLE(X, A) \
    X(rank, tuple_rank_of, T, (T, P), "the number of modes, of the mode at a path", \
      "rank(((1,2),3))", "_2") \
    X(depth, tuple_depth_of, T, (T, P), "the depth of nesting", \
      "depth(((1,_2),8,2))", "_2") \
    X(size, tuple_size_of, T, (T, P), "the product of all leaves", \
      "size(((_1,_2),_8,_2))", "_32") \
    X(get, tuple_get_path, T, (T, P), "the mode at a path", \
      "get<1>(((_3,_16),((_1,_4))))", "((_1,_4))") \
    A(shape, tuple_get_path, T, (T, P), "a tuple is its own shape", \
      "shape<1>((2,(3,4)))", "(3,4)") \
    X(take, tuple_take, T, (T, N, N), "modes B to E, E not included (-1: to the end)", \
      "take<1,2>((_4,_8))", "(_8)") \
    X(select, tuple_select, T, (T, P), "the modes listed, as a tuple", \
      "select<0,2>((_128,_128,_8))", "(_128,_8)") \
    X(flatten, tuple_flatten, T, (T), "all leaves in one tuple", \
      "flatten((8,(2,4)))", "(8,2,4)") \
    X(flatten_to_tuple, flatten_to_tuple, T, (T), "all leaves in one tuple, also for an integer", \
      "flatten_to_tuple(32)", "(32)") \
    X(unflatten, tuple_unflatten, T, (T, T), "the leaves in the profile of another tuple", \
      "unflatten((2,3,3,5), (2,(3),3,5))", "(2,(3),3,5)") \
    X(wrap, wrap, T, (T), "an integer as a tuple of one mode", \
      "wrap(4)", "(4)") \
    X(unwrap, unwrap, T, (T), "without outer tuples of one mode", \
      "unwrap(((_8,_12)))", "(_8,_12)") \
    X(group, tuple_group, T, (T, N, N), "modes B to E as one mode", \
      "group<0,1>((_32,_8))", "((_32),_8)") \
    X(append, tuple_append, T, (T, T), "one more mode at the end", \
      "append((_32,_8), 32)", "(_32,_8,32)") \
    X(append, tuple_append_to, T, (T, T, N), "copies at the end, up to rank N", \
      "append<4>((8,4), _8)", "(8,4,_8,_8)") \
    X(prepend, tuple_prepend, T, (T, T), "one more mode in front", \
      "prepend((8,4), _8)", "(_8,8,4)") \
    X(prepend, tuple_prepend_to, T, (T, T, N), "copies in front, up to rank N", \
      "prepend<4>((_4,_8), _8)", "(_8,_8,_4,_8)") \
    X(insert, insert, T, (T, T, N), "a mode put in at position N", \
      "insert<1>((8,4), _2)", "(8,_2,4)") \
    X(remove, remove, T, (T, N), "without mode N", \
      "remove<1>((1,2,3))", "(1,3)") \
    X(replace, tuple_replace, T, (T, T, N), "another mode N", \
      "replace<1>((2,_2,12), 32)", "(2,32,12)") \
    X(replace_front, replace_front, T, (T, T), "another first mode", \
      "replace_front((_4,_8), 8)", "(8,_8)") \
    X(replace_back, replace_back, T, (T, T), "another last mode", \
      "replace_back((2,_2,12), 32)", "(2,_2,32)") \
    X(repeat, repeat, T, (T, N), "N copies (one copy is the thing itself)", \
      "repeat<3>(_8)", "(_8,_8,_8)") \
    X(repeat_like, repeat_like, T, (T, T), "a value at every leaf of a profile", \
      "repeat_like((1,(2,3)), _0)", "(_0,(_0,_0))") \
    X(reverse, reverse, T, (T), "the modes in the opposite order", \
      "reverse(((_8,_4),_2))", "(_2,(_8,_4))") \
    X(front, front, T, (T), "the first leaf", \
      "front((_5,_2))", "_5") \
    X(back, back, T, (T), "the last leaf", \
      "back((1,(2,3)))", "3") \
    X(zip, tuple_zip, T, (T), "the transpose of a tuple of tuples", \
      "zip(((1,2,3),(4,5,6)))", "((1,4),(2,5),(3,6))") \
    X(zip2_by, zip2_by, T, (T, T), "the pairs at the leaves of a guide, transposed", \
      "zip2_by(((1,2),(3,4),5), (_,_))", "((1,3),(2,4,5))") \
    X(product, product, T, (T), "the product of all leaves", \
      "product((_2,_3,(_4,_5)))", "_120") \
    X(product_each, product_each, T, (T), "the product of each mode", \
      "product_each((_8,(_3,4),_8))", "(_8,12,_8)") \
    X(product_like, product_like, T, (T, T), "the products at the leaves of a guide", \
      "product_like(((2,3),(4,5)), (_0,(_0,_0)))", "(6,(4,5))") \
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
      "as_arithmetic_tuple(_1@1)", "(_0,_1)") \
    X(make_basis_like, make_basis_like, T, (T), "the basis strides of a shape", \
      "make_basis_like((4,(5,6)))", "(_1@0,(_1@0@1,_1@1@1))") \
    X(basis_value, basis_value, T, (T), "the integer of a basis element", \
      "basis_value(_5@1@0)", "_5") \
    X(basis_get, basis_get, T, (T, T), "the mode that a basis element names", \
      "basis_get(_1@1, (4,(5,6)))", "(5,6)") \
    X(equal, tuple_equal, T, (T, T), "the same values in the same profile", \
      "equal((_5,_3), (5,3))", "1") \
    X(congruent, congruent, T, (T, T), "the same profile", \
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
      "crd2idx((_0,_14), (_2,_32), (_1,_4))", "_56") \
    X(crd2idx, crd2idx_compact, T, (T, T), "the 1-D coordinate of a coordinate (coord, shape)", \
      "crd2idx((1,(1,0)), (3,(2,3)))", "4") \
    X(idx2crd, idx2crd, T, (T, T), "the coordinate of a 1-D coordinate (index, shape)", \
      "idx2crd(5, (3,(2,3)))", "(2,(1,0))") \
    X(idx2crd, idx2crd_stride, T, (T, T, T), "the coordinate of an index (index, shape, stride)", \
      "idx2crd(_22, (_8,_4,_4), (_16,_1,_4))", "(_1,_2,_1)") \
    X(crd2crd, crd2crd, T, (T, T, T), "a coordinate of one shape into another (coord, from, to)", \
      "crd2crd(5, (2,4), (4,2))", "(1,1)") \
    X(increment, increment, T, (T, T), "the next coordinate, colexicographically (coord, shape)", \
      "increment((2,0), (3,2))", "(0,1)") \
    X(compact_col_major, compact_col_major, T, (T), "compact strides, the first mode fastest", \
      "compact_col_major((_4,_8,_2))", "(_1,_4,_32)") \
    X(compact_col_major, compact_col_major_from, T, (T, T), "compact strides that start at a given one", \
      "compact_col_major((_5,_2,_4), _3)", "(_3,_15,_30)") \
    X(compact_row_major, compact_row_major, T, (T), "compact strides, the last mode fastest", \
      "compact_row_major((_4,_8,_2))", "(_16,_2,_1)") \
    X(compact_row_major, compact_row_major_from, T, (T, T), "compact strides that start at a given one", \
      "compact_row_major((1,(4,2)), 2)", "(16,(4,2))") \
    X(compact_order, compact_order, T, (T, T), "compact strides in a given order (shape, order)", \
      "compact_order((_2,_3,4), (_2,_0,_1))", "(12,_1,_3)") \
    X(slice, tuple_slice, T, (T, T), "the modes under `_` (coord, tuple)", \
      "slice((_,_0,_), (_32,_5,((6,8))))", "(_32,((6,8)))") \
    X(dice, tuple_dice, T, (T, T), "the modes under integers (coord, tuple)", \
      "dice((_1,_), (_16,((_4,_8))))", "(_16)")

#define TSR_OPS_LAYOUT(X, A) \
    X(make_layout, make_layout_compact, L, (T), "the compact column-major layout of a shape", \
      "make_layout((_2,_4))", "(_2,_4):(_1,_2)") \
    X(make_layout, make_layout_from, L, (T, T), "shape:stride; LayoutLeft or LayoutRight for compact strides", \
      "make_layout((_2,4), (_12,_1))", "(_2,4):(_12,_1)") \
    X(make_layout, make_layout_swizzle, L, (W), "a swizzle as the layout of the bits it touches", \
      "make_layout(Sw<2,4,3>)", "Sw<2,4,3> o _0 o _9:_1") \
    X(make_layout, make_layout_of, L, (M), "layouts as the modes of one", \
      "make_layout((_1):(_0), (_8,_16):(_1,_8))", "((_1),(_8,_16)):((_0),(_1,_8))") \
    X(make_ordered_layout, make_ordered_layout, L, (T, T), "compact strides in a given order (shape, order)", \
      "make_ordered_layout((_32,_4,_16,_2), (_1,_0,_3,_2))", "(_32,_4,_16,_2):(_4,_1,_256,_128)") \
    X(make_layout_like, make_layout_like, L, (L), "compact, strides in the order of another layout's", \
      "make_layout_like((_4,_8):(_32,_2))", "(_4,_8):(_8,_1)") \
    X(make_fragment_like, make_fragment_like, L, (L), "compact for registers: mode 0 first", \
      "make_fragment_like((_4,_8,_2):(_0,_1,_64))", "(_4,_8,_2):(_0,_1,_8)") \
    X(make_fragment_like, make_fragment_like_shape, L, (T), "the compact layout of a shape", \
      "make_fragment_like((_4,_2))", "(_4,_2):(_1,_4)") \
    X(make_identity_layout, make_identity_layout, L, (T), "the layout from coordinates to themselves", \
      "make_identity_layout((4,(6,4),5))", "(4,(6,4),5):(_1@0,(_1@0@1,_1@1@1),_1@2)") \
    X(make_composed_layout, make_composed_layout, L, (W, T, L), "Sw o offset o layout", \
      "make_composed_layout(Sw<3,4,3>, _8, (_8,_64):(_64,_1))", "Sw<3,4,3> o _8 o (_8,_64):(_64,_1)") \
    X(call, layout_at, T, (L, V), "L(c), the index of a coordinate; with `_` a slice", \
      "call((3,(2,3)):(3,(12,1)), 1, 3)", "16") \
    X(rank, rank_of, T, (L, P), "the number of modes", \
      "rank((8,8,4):(32,0,-1))", "_3") \
    X(depth, depth_of, T, (L, P), "the depth of nesting", \
      "depth((_128,(_64,_16)):(_0,(_1,_64)))", "_2") \
    X(size, size_of, T, (L, P), "the number of elements", \
      "size((_128,_8):(_1,_129))", "_1024") \
    X(shape, shape_of, T, (L, P), "the shape", \
      "shape<0,0>(((2,(2,_4))):((_16,(8,_1))))", "2") \
    X(stride, stride_of, T, (L, P), "the stride", \
      "stride<1>((4,5,4):(20,1,5))", "1") \
    X(coprofile, coprofile_of, T, (L, P), "zeros in the profile of the codomain", \
      "coprofile((4,(5,6)):(_1@0,(_1@0@1,_1@1@1)))", "(_0,(_0,_0))") \
    X(coshape, coshape_of, T, (L, P), "the exclusive bounds of the codomain", \
      "coshape((_4,_12):(1,12))", "136") \
    X(cosize, cosize_of, T, (L, P), "the size of the codomain", \
      "cosize<1>((_4,_2):(_1,_4))", "_5") \
    X(layout, layout_of, L, (L, P), "the mode at a path, as a layout", \
      "layout<1>((_4,(_3,_6)):(_1,(_4,_12)))", "(_3,_6):(_4,_12)") \
    A(get, layout_of, L, (L, P), "the mode at a path, as a layout", \
      "get<0>(Sw<3,4,3> o _0 o (_8,_8):(_8,_1))", "Sw<3,4,3> o _0 o _8:_8") \
    X(take, layout_take, L, (L, N, N), "modes B to E, E not included", \
      "take<1,3>((_2,_3,_5,_7):(_1,_2,_6,_30))", "(_3,_5):(_2,_6)") \
    X(select, layout_select, L, (L, P), "the modes listed", \
      "select<0,1,3>((_2,_3,_5,_7):(_1,_2,_6,_30))", "(_2,_3,_7):(_1,_2,_30)") \
    X(flatten, layout_flatten, L, (L), "all modes on one level", \
      "flatten((4,(3),_2,8):(_192,(64),_1,_8))", "(4,3,_2,8):(_192,64,_1,_8)") \
    X(unflatten, layout_unflatten, L, (L, T), "the modes in a profile", \
      "unflatten((_16,_4):(_1,_16), ((_1,_1)))", "((_16,_4)):((_1,_16))") \
    X(group, layout_group, L, (L, N, N), "modes B to E as one mode", \
      "group<0,2>((_2,_3,_5,_7):(_1,_2,_6,_30))", "((_2,_3),_5,_7):((_1,_2),_6,_30)") \
    X(append, layout_append, L, (L, L), "one more mode at the end", \
      "append(_3:_1, _4:_3)", "(_3,_4):(_1,_3)") \
    X(append, layout_append_to, L, (L, L, N), "copies at the end, up to rank N", \
      "append<4>((_2,_1):(_1,_2), _8:_4)", "(_2,_1,_8,_8):(_1,_2,_4,_4)") \
    X(append, layout_pad, L, (L, N), "_1:_0 at the end, up to rank N", \
      "append<4>((_2,_2):(_2,_1))", "(_2,_2,_1,_1):(_2,_1,_0,_0)") \
    X(append, layout_append_pad, L, (L), "_1:_0 at the end", \
      "append(_2:_1)", "(_2,_1):(_1,_0)") \
    X(prepend, layout_prepend, L, (L, L), "one more mode in front", \
      "prepend(_3:_1, _4:_3)", "(_4,_3):(_3,_1)") \
    X(prepend, layout_prepend_to, L, (L, L, N), "copies in front, up to rank N", \
      "prepend<4>((_2,_1):(_1,_2), _8:_4)", "(_8,_8,_2,_1):(_4,_4,_1,_2)") \
    X(prepend, layout_pad_front, L, (L, N), "_1:_0 in front, up to rank N", \
      "prepend<4>((_2,_2):(_2,_1))", "(_1,_1,_2,_2):(_0,_0,_2,_1)") \
    X(prepend, layout_prepend_pad, L, (L), "_1:_0 in front", \
      "prepend(_2:_1)", "(_1,_2):(_0,_1)") \
    X(replace, layout_replace, L, (L, L, N), "another mode N", \
      "replace<2>((_4,(_8),_4):(_1,(_16),_4), _8:_0)", "(_4,(_8),_8):(_1,(_16),_0)") \
    X(zip, layout_zip, L, (L), "the transpose of the modes", \
      "zip(((_2,_4),(_6,_3)):((_1,_6),(_72,_432)))", "((_2,_6),(_4,_3)):((_1,_72),(_6,_432))") \
    X(zip, zip_layouts, L, (L, L), "two layouts, mode by mode", \
      "zip((_3,_4):(_4,_1), (_2,_5):(_1,_2))", "((_3,_2),(_4,_5)):((_4,_1),(_1,_2))") \
    X(transpose, transpose, L, (L), "the modes in the opposite order", \
      "transpose((_4,_2):(_1,_4))", "(_2,_4):(_4,_1)") \
    X(equal, layout_equal, T, (L, L), "the same shape, stride, swizzle and offset", \
      "equal((_2,_4):(_1,_2), _8:_1)", "_0") \
    X(filter_zeros, layout_filter_zeros, L, (L), "modes of static stride 0 shrink to extent _1", \
      "filter_zeros(((_6,_2),_2):((_0,_2),_1))", "((_1,_2),_2):((_0,_2),_1)") \
    X(filter_zeros, layout_filter_zeros_by, L, (L, T), "modes under static zeros of a profile shrink to _1", \
      "filter_zeros((_3,_4):(_1,_3), (1,_0))", "(_3,_1):(_1,_3)") \
    X(coalesce, layout_coalesce, L, (L), "the same function with fewer modes", \
      "coalesce((_2,(_1,_6)):(_1,(_6,_2)))", "_12:_1") \
    X(coalesce, coalesce_by, L, (L, T), "coalesce, mode by mode of a profile", \
      "coalesce((_2,(_1,_6)):(_1,(_6,_2)), (_1,_1))", "(_2,_6):(_1,_2)") \
    X(coalesce_x, coalesce_x, L, (L), "coalesce that holds beyond the size", \
      "coalesce_x(((_32),_6,_32):((_1),_64,_384))", "(_32,_192):(_1,_64)") \
    X(coalesce_x, coalesce_x_by, L, (L, T), "coalesce_x, mode by mode of a profile", \
      "coalesce_x(((_2,_3),(_4,_2)):((_1,_2),(_6,_24)), (_1,_1))", "(_6,_8):(_1,_6)") \
    X(filter, filter, L, (L), "coalesce without modes of static stride 0", \
      "filter(((_2,_12,_4)):((_1,_0,_144)))", "(_2,_4):(_1,_144)") \
    X(filter, filter_by, L, (L, T), "filter, mode by mode of a profile", \
      "filter((_2,_4):(_4,_0), (1,_1))", "(_2,_1):(_4,_0)") \
    X(composition, composition_by, L, (L, R), "R(c) = A(B(c))", \
      "composition((_6,_2):(_8,_2), (_4,_3):(_3,_1))", "((_2,_2),_3):((_24,_2),_8)") \
    X(composition, composition_swizzle, L, (L, W), "A o Sw, the swizzle moved to the front", \
      "composition((_32,_32):(_32,_1), Sw<2,0,3>)", "Sw<2,5,3> o _0 o (_32,_32):(_32,_1)") \
    X(composition, swizzled, L, (W, L), "Sw o layout", \
      "composition(Sw<3,4,3>, (_8,_64):(_64,_1))", "Sw<3,4,3> o _0 o (_8,_64):(_64,_1)") \
    X(composition, composition_offset, L, (W, T, L), "Sw o offset o layout", \
      "composition(Sw<3,4,3>, _0, (_8,_64):(_64,_1))", "Sw<3,4,3> o _0 o (_8,_64):(_64,_1)") \
    A(compose, composition_by, L, (L, Q), "R(c) = A(B(c)); several arguments act mode by mode", \
      "compose((_8,_4):(_1,_8), _4, _2)", "(_4,_2):(_1,_8)") \
    X(with_shape, with_shape, L, (L, V), "the layout read with another shape", \
      "with_shape(((16,4)):((_1,16)), _32)", "(16,2):(_1,16)") \
    X(complement, complement, L, (L), "what the layout misses, up to its cosize", \
      "complement((_8,_2):(_1,_32))", "_4:_8") \
    X(complement, complement_in, L, (L, T), "what the layout misses, up to a cotarget", \
      "complement(_4:_2, _24)", "(_2,_3):(_1,_8)") \
    X(complement, complement_in_layout, L, (L, L), "what the layout misses, up to another's size", \
      "complement(_4:_1, 24:_2)", "6:_4") \
    X(right_inverse, right_inverse, L, (L), "L(R(i)) = i", \
      "right_inverse(((_4,_2),_4):((_8,_4),_1))", "(_4,_2,_4):(_8,_4,_1)") \
    X(left_inverse, left_inverse, L, (L), "R(L(i)) = i", \
      "left_inverse((_8,_4):(_4,_1))", "(_4,_8):(_8,_1)") \
    X(right_inverse, offset_inverse, T, (T), "the negative", \
      "right_inverse(_5)", "_-5") \
    A(left_inverse, offset_inverse, T, (T), "the negative", \
      "left_inverse(7)", "-7") \
    X(nullspace, nullspace, L, (L), "L(R(i)) = 0", \
      "nullspace((_7,_5,_16):(_0,_0,_0))", "(_7,_5,_16):(_1,_7,_35)") \
    X(max_common_layout, max_common_layout, L, (L, L), "the contiguous elements two layouts have in common", \
      "max_common_layout((_4,_8):(_8,_1), (_4,_8):(_8,_1))", "(_8,_4):(_4,_1)") \
    X(max_common_vector, max_common_vector, T, (L, L), "how many those are", \
      "max_common_vector((_4,8):(_1,_4), (_4,8):(_1,_4))", "_4") \
    X(max_alignment, max_alignment, T, (L), "the largest N for which upcast keeps whole elements", \
      "max_alignment((_8,7):(_1,_16))", "_8") \
    X(max_alignment, int_max_alignment, T, (T), "what an offset is aligned to", \
      "max_alignment(make_mixed_bits(_32, 3, _40))", "_8") \
    X(domain_distribute, domain_distribute, L, (T, T), "a count spread over a shape", \
      "domain_distribute((_192,(_8,_8)), _128)", "(_64,_2):(_1,_192)") \
    X(logical_divide, logical_divide_by, L, (L, R), "mode 0 a tile, mode 1 the tiles", \
      "logical_divide((_4,_2,_3):(_2,_1,_8), _4:_2)", "((_2,_2),(_2,_3)):((_4,_1),(_2,_8))") \
    X(zipped_divide, zipped_divide_by, L, (L, R), "((tile),(rest))", \
      "zipped_divide((_9,(_4,_8)):(_59,(_13,_1)), <_3:_3,(_2,_4):(_1,_8)>)", "((_3,(_2,_4)),(_3,(_2,_2))):((_177,(_13,_2)),(_59,(_26,_1)))") \
    X(tiled_divide, tiled_divide_by, L, (L, R), "((tile),rest..)", \
      "tiled_divide((_9,(_4,_8)):(_59,(_13,_1)), <_3:_3,(_2,_4):(_1,_8)>)", "((_3,(_2,_4)),_3,(_2,_2)):((_177,(_13,_2)),_59,(_26,_1))") \
    A(tile, tiled_divide_by, L, (L, Q), "((tile),rest..); several arguments act mode by mode", \
      "tile((_8,_8):(_8,_1), _4, _2)", "((_4,_2),_2,_4):((_8,_1),_32,_2)") \
    X(flat_divide, flat_divide_by, L, (L, R), "(tile..,rest..)", \
      "flat_divide((_9,(_4,_8)):(_59,(_13,_1)), <_3:_3,(_2,_4):(_1,_8)>)", "(_3,(_2,_4),_3,(_2,_2)):(_177,(_13,_2),_59,(_26,_1))") \
    X(tile_unzip, tile_unzip_by, L, (L, R), "the pairs at the leaves of a tiler, transposed", \
      "tile_unzip(((_4,_2),(_8,_3)):((_1,_4),(_8,_64)), <_4,_8>)", "((_4,_8),(_2,_3)):((_1,_8),(_4,_64))") \
    X(ceil_div, ceil_div_by, T, (T, R), "how many tiles, mode by mode", \
      "ceil_div((100,200), <_32:_1,_64:_2>)", "(4,(_2,2))") \
    X(evenly_divides, evenly_divides_by, T, (T, R), "the tiler cuts the shape without a remainder", \
      "evenly_divides((_8,_12), <_4:_1,_3:_1>)", "_1") \
    X(logical_product, logical_product_by, L, (L, R), "mode 0 a block, mode 1 its repetitions", \
      "logical_product((_2,_2):(_4,_1), _6:_1)", "((_2,_2),(_2,_3)):((_4,_1),(_2,_8))") \
    X(zipped_product, zipped_product_by, L, (L, R), "((block),(repetitions))", \
      "zipped_product((_2,_5):(_5,_1), <_3:_5,_4:_6>)", "((_2,_5),(_3,_4)):((_5,_1),(_10,_30))") \
    X(tiled_product, tiled_product_by, L, (L, R), "((block),repetitions..)", \
      "tiled_product((_2,_5):(_5,_1), <_3:_5,_4:_6>)", "((_2,_5),_3,_4):((_5,_1),_10,_30)") \
    X(flat_product, flat_product_by, L, (L, R), "(block..,repetitions..)", \
      "flat_product((_2,_5):(_5,_1), <_3:_5,_4:_6>)", "(_2,_5,_3,_4):(_5,_1,_10,_30)") \
    X(blocked_product, blocked_product, L, (L, L), "blocks side by side", \
      "blocked_product((_2,_5):(_5,_1), (_3,_4):(_1,_3))", "((_2,_3),(_5,_4)):((_5,_10),(_1,_30))") \
    X(raked_product, raked_product, L, (L, L), "blocks interleaved", \
      "raked_product((_2,_5):(_5,_1), (_3,_4):(_1,_3))", "((_3,_2),(_4,_5)):((_10,_5),(_30,_1))") \
    X(tile_to_shape, tile_to_shape, L, (L, T), "a block repeated up to a shape", \
      "tile_to_shape((_8,_8):(_8,_1), (16,32))", "((_8,2),(_8,4)):((_8,_64),(_1,128))") \
    X(tile_to_shape, tile_to_shape_in, L, (L, T, T), "a block repeated up to a shape, in an order", \
      "tile_to_shape((_4,_8):(_8,_1), (12,_24), LayoutRight)", "((_4,3),(_8,_3)):((_8,_96),(_1,_32))") \
    X(slice, layout_slice, L, (T, L), "the modes under `_` (coord, layout)", \
      "slice((_1,_), (_16,_2):(_8,_128))", "(_2):(_128)") \
    X(dice, layout_dice, L, (T, L), "the modes under integers (coord, layout)", \
      "dice((_,_2,_), (1,3,((2,4))):(0,8,((4,1))))", "(3):(8)") \
    X(slice_and_offset, slice_and_offset, X, (T, L), "the slice, and the offset of what is fixed", \
      "slice_and_offset((_1,_,_3,_), (_2,_4,_8,_8):(_1,_2,_8,_64))", "((_4,_8):(_2,_64),_25)") \
    X(domain_offset, domain_offset, X, (T, L), "the layout seen from a coordinate on", \
      "domain_offset((2,1), (4,2):(2,1))", "((4,2):(2,1),5)") \
    X(to_mixed_bits, layout_to_mixed_bits, T, (L, T), "the bits of a coordinate, static or not", \
      "to_mixed_bits((_8,_8):(_1,_8), (3,_2))", "M_16|(3&7)=19") \
    X(get_hier_coord, get_hier_coord, T, (L, T), "the coordinate of an index of a compact layout", \
      "get_hier_coord((_2,((_32),_8)):(_256,((_8),_1)), _497)", "(_1,((_30),_1))") \
    X(get_flat_coord, get_flat_coord, T, (L, T), "the same, one integer a mode", \
      "get_flat_coord((_12,(_8)):(_1,(_12)), _30)", "(_6,_2)") \
    X(get_1d_coord, get_1d_coord, T, (L, T), "the same, one integer", \
      "get_1d_coord((_5,(_16,_5)):(_80,(_5,_1)), 372)", "214") \
    X(upcast, upcast, L, (L, N), "N elements become one", \
      "upcast<4>((_32,_8):(_1,_32))", "(_8,_8):(_1,_8)") \
    X(downcast, downcast, L, (L, N), "one element becomes N", \
      "downcast<4>((_8,_4):(_1,_8))", "(_32,_4):(_1,_32)") \
    X(recast_layout, recast_layout, L, (L, B, B), "the layout of elements of another type", \
      "recast_layout<uint8_t,float>((_32,_8):(_1,_32))", "(_8,_8):(_1,_8)")

#define TSR_OPS_SWIZZLE(X, A) \
    X(swizzle, swizzle_at, T, (W, T), "Sw(x)", \
      "swizzle(Sw<2,3,3>, 186)", "170") \
    A(call, swizzle_at, T, (W, T), "Sw(x)", \
      "call(Sw<2,3,3>, 186)", "170") \
    X(composition, composition_swizzles, W, (W, W), "two swizzles of the same shift as one", \
      "composition(Sw<1,4,3>, Sw<2,4,3>)", "Sw<1,5,3>") \
    X(equal, swizzle_equal, T, (W, W), "the same swizzle", \
      "equal(Sw<3,4,3>, Sw<2,4,3>)", "_0") \
    X(right_inverse, swizzle_inverse, W, (W), "a swizzle is its own inverse", \
      "right_inverse(Sw<2,1,3>)", "Sw<2,1,3>") \
    A(left_inverse, swizzle_inverse, W, (W), "a swizzle is its own inverse", \
      "left_inverse(Sw<3,4,3>)", "Sw<3,4,3>") \
    X(max_alignment, swizzle_max_alignment, T, (W), "2^M", \
      "max_alignment(Sw<3,3,3>)", "_8") \
    X(upcast, swizzle_upcast, W, (W, N), "the swizzle of elements N times as large", \
      "upcast<8>(Sw<3,4,3>)", "Sw<3,1,3>") \
    X(downcast, swizzle_downcast, W, (W, N), "the swizzle of elements N times as small", \
      "downcast<2>(Sw<3,4,3>)", "Sw<3,5,3>") \
    X(upcast, int_upcast, T, (T, N), "an offset in elements N times as large", \
      "upcast<4>(make_mixed_bits(_32, 3, _40))", "M_8|(0&2)=8") \
    X(downcast, int_downcast, T, (T, N), "an offset in elements N times as small", \
      "downcast<2>(make_mixed_bits(_57, 23, _59))", "M_114|(4&4)=118") \
    X(recast_layout, recast_swizzle, W, (W, B, B), "the swizzle of elements of another type", \
      "recast_layout<half_t,float>(Sw<3,4,3>)", "Sw<3,3,3>") \
    X(make_swizzle, make_swizzle_masks, W, (N, N), "the swizzle that xors the bits Y into the bits Z", \
      "make_swizzle<896,112>()", "Sw<3,4,3>")

#define TSR_OPS_VERDICT(X, A) \
    X(same_function, same_function, D, (L, L), "equal as functions of the 1-D coordinate", \
      "same_function((_2,(_1,_6)):(_1,(_6,_2)), _12:_1)", "yes") \
    X(is_injective, is_injective, D, (L), "different coordinates have different offsets", \
      "is_injective((4,2):(1,2))", "no: the coordinates 2 and 4 both give 2") \
    X(is_surjective, is_surjective, D, (L), "every offset between the least and the greatest is reached", \
      "is_surjective((4,2):(1,8))", "no: no coordinate gives 4") \
    X(is_compact, is_compact, D, (L), "injective and surjective", \
      "is_compact((4,2):(2,1))", "yes") \
    X(is_bijective, is_bijective, D, (L), "compact, and the offsets begin at 0", \
      "is_bijective((4,2):(2,1))", "yes") \
    X(is_contiguous, is_contiguous, D, (L), "L(i) = L(0) + i", \
      "is_contiguous((4,2):(2,1))", "no: the coordinate 1 gives 2, not 1") \
    X(is_tractable, is_tractable, D, (L), "the span of each stride divides the next larger one", \
      "is_tractable((4,6):(1,6))", "no: extent 4 times stride 1 does not divide the next stride 6") \
    X(composition_admissible, composition_admissible, D, (L, R), "composition is defined", \
      "composition_admissible((_4,_3):(_3,_1), _5:_1)", "no: composition: extent 5 of mode 0 on the right does not split over extent 4 on the left; the nearest legal extents are 4 and 8") \
    X(complement_admissible, complement_admissible, D, (L, T), "complement is defined", \
      "complement_admissible((_4,_2):(_1,_2), _16)", "no: complement: the layout is not injective: stride 2 of mode 0 is less than 4, which the modes before it already cover") \
    X(divide_admissible, divide_admissible, D, (L, R), "logical_divide is defined", \
      "divide_admissible((_4,_2,_3):(_2,_1,_8), _4:_2)", "yes") \
    X(int32_extent, int32_extent, T, (L), "how many elements have offsets that fit 32 bits", \
      "int32_extent((65536,65536):(65536,1))", "32768")

#define TSR_OPS_TENSOR(X, A) \
    X(counting_iter, counting_iter, E, (T), "the integers from n on", \
      "counting_iter(42)", "counting_iter(42)") \
    X(ArithTuple, arith_tuple, E, (U), "the coordinates from a tuple on", \
      "ArithTuple(0,0) o (4,5):(_1@0,_1@1)", "ArithTuple(0,0) o (4,5):(_1@0,_1@1)") \
    X(make_inttuple_iter, make_inttuple_iter, E, (T), "the coordinates from a tuple on", \
      "make_inttuple_iter((42,_2,_7))", "ArithTuple(42,_2,_7)") \
    X(gmem, make_gmem_ptr, E, (T, B), "a pointer to global memory", \
      "gmem<float>(1048576)", "gmem_ptr[32b](0x100000)") \
    X(smem, make_smem_ptr, E, (T, B), "a pointer to shared memory", \
      "smem<half_t>(1048576)", "smem_ptr[16b](0x100000)") \
    X(rmem, make_rmem_ptr, E, (T, B), "a pointer to registers", \
      "rmem<int4b_t>(1048576)", "subptr[4b](0x100000.0)") \
    A(raw, make_rmem_ptr, E, (T, B), "a pointer without a tag", \
      "raw<double>(1048576)", "ptr[64b](0x100000)") \
    X(tmem, make_tmem_ptr, E, (T, B), "a pointer to tensor memory: lane and column", \
      "tmem<float>(256)", "tmem_[32b](0x0000.0100)") \
    X(make_tensor, make_tensor, G, (E, L), "an engine in front of a layout", \
      "make_tensor(gmem<int4b_t>(1048576), _8:_1)", "gmem_subptr[4b](0x100000.0) o _8:_1") \
    X(make_tensor, make_tensor_compact, G, (E, T), "an engine in front of the compact layout of a shape", \
      "make_tensor(counting_iter(0), (_4,_5))", "counting_iter(0) o (_4,_5):(_1,_4)") \
    X(make_tensor, make_tensor_from, G, (E, T, T), "an engine in front of shape:stride, or of a shape and an order", \
      "make_tensor(smem<float>(1048576), (_4,_8), LayoutRight)", "smem_ptr[32b](0x100000) o (_4,_8):(_8,_1)") \
    X(make_counting_tensor, make_counting_tensor, G, (L), "a layout's own offsets as elements", \
      "make_counting_tensor((4,5):(_1,4))", "counting_iter(0) o (4,5):(_1,4)") \
    X(make_identity_tensor, make_identity_tensor, G, (T), "the coordinates of a shape as elements", \
      "make_identity_tensor((1024,2048))", "ArithTuple(_0,_0) o (1024,2048):(_1@0,_1@1)") \
    X(call, tensor_at, T, (G, V), "the element at a coordinate; with `_` a slice", \
      "call(ArithTuple(0,0) o (4,5):(_1@1,_1@0), 2, 0)", "(0,2)") \
    X(slice, tensor_slice, G, (T, G), "the modes under `_`", \
      "slice((_,5), counting_iter(0) o (4,(2,3)):(6,(3,1)))", "counting_iter(5) o (4):(6)") \
    X(domain_offset, tensor_domain_offset, G, (T, G), "the tensor seen from a coordinate on", \
      "domain_offset((1,2), counting_iter(0) o (4,5):(_1,4))", "counting_iter(9) o (4,5):(_1,4)") \
    X(layout_of, tensor_layout, L, (G), "the layout", \
      "layout_of(counting_iter(8) o (2,_5):(_2,13))", "(2,_5):(_2,13)") \
    X(recast, recast, G, (G, B), "elements of another type in the same memory", \
      "recast<half_t>(make_tensor(gmem<float>(1048576), (_8,_16):(_1,_8)))", \
      "gmem_ptr[16b](0x100000) o (_16,_16):(_1,_16)") \
    X(size, tensor_size_of, T, (G, P), "the number of elements", \
      "size(counting_iter(0) o (4,5):(_1,4))", "20") \
    X(rank, tensor_rank_of, T, (G, P), "the number of modes", \
      "rank(counting_iter(42) o (_8,_4,(_2,_8)):(_1,_8,(_32,_64)))", "_3") \
    X(depth, tensor_depth_of, T, (G, P), "the depth of nesting", \
      "depth(counting_iter(42) o (((_8,_2,_8,_6))):(((_1,_32,_64,_512))))", "_3") \
    X(shape, tensor_shape_of, T, (G, P), "the shape", \
      "shape<1>(counting_iter(0) o (4,(2,3)):(6,(3,1)))", "(2,3)") \
    X(flatten, tensor_flatten, G, (G), "all modes on one level", \
      "flatten(counting_iter(0) o (4,(2,3)):(6,(3,1)))", "counting_iter(0) o (4,2,3):(6,3,1)") \
    X(coalesce, tensor_coalesce, G, (G), "the same function with fewer modes", \
      "coalesce(counting_iter(0) o ((_4,_6)):((_1,_4)))", "counting_iter(0) o _24:_1") \
    X(coalesce, tensor_coalesce_by, G, (G, T), "coalesce, mode by mode of a profile", \
      "coalesce(counting_iter(0) o ((_2,_3),_4):((_1,_2),_6), (1,1))", "counting_iter(0) o (_6,_4):(_1,_6)") \
    X(filter, tensor_filter, G, (G), "coalesce without modes of static stride 0", \
      "filter(counting_iter(0) o (_2,_3):(_0,_1))", "counting_iter(0) o _3:_1") \
    X(filter_zeros, tensor_filter_zeros, G, (G), "modes of static stride 0 shrink to extent _1", \
      "filter_zeros(counting_iter(0) o (_2,_3):(_0,_1))", "counting_iter(0) o (_1,_3):(_0,_1)") \
    X(group_modes, group_modes, G, (G, N, N), "modes B to E as one mode", \
      "group_modes<0,2>(counting_iter(0) o (2,3,4):(_1,2,6))", "counting_iter(0) o ((2,3),4):((_1,2),6)") \
    X(take, tensor_take, G, (G, N, N), "modes B to E, E not included", \
      "take<1,3>(counting_iter(0) o (2,3,4):(_1,2,6))", "counting_iter(0) o (3,4):(2,6)") \
    X(composition, tensor_composition_by, G, (G, R), "the layout composed with a layout or tiler", \
      "composition(counting_iter(0) o (_4,_6):(_6,_1), _8:_2)", "counting_iter(0) o (_2,_4):(_12,_1)") \
    X(logical_divide, tensor_logical_divide_by, G, (G, R), "mode 0 a tile, mode 1 the tiles", \
      "logical_divide(counting_iter(0) o _24:_1, _4)", "counting_iter(0) o (_4,_6):(_1,_4)") \
    X(zipped_divide, tensor_zipped_divide_by, G, (G, R), "((tile),(rest))", \
      "zipped_divide(counting_iter(0) o (8,24):(_1,8), (_4,_8))", "counting_iter(0) o ((_4,_8),(2,3)):((_1,8),(_4,64))") \
    X(tiled_divide, tensor_tiled_divide_by, G, (G, R), "((tile),rest..)", \
      "tiled_divide(counting_iter(0) o (8,24):(_1,8), (_4,_8))", "counting_iter(0) o ((_4,_8),2,3):((_1,8),_4,64)") \
    X(flat_divide, tensor_flat_divide_by, G, (G, R), "(tile..,rest..)", \
      "flat_divide(counting_iter(0) o (8,24):(_1,8), (_4,_8))", "counting_iter(0) o (_4,_8,2,3):(_1,8,_4,64)") \
    X(inner_partition, inner_partition, G, (G, R, T), "the tile at a coordinate among the tiles", \
      "inner_partition(counting_iter(0) o (8,24):(_1,8), (_4,_8), (0,0))", "counting_iter(0) o (_4,_8):(_1,8)") \
    X(outer_partition, outer_partition, G, (G, R, T), "the elements at a coordinate of every tile", \
      "outer_partition(counting_iter(0) o (8,24):(_1,8), (_4,_8), (1,2))", "counting_iter(17) o (2,3):(_4,64)") \
    X(local_tile, local_tile, G, (G, R, T), "the tile of a block", \
      "local_tile(make_identity_tensor((_256,48)), (_64,_4), (_,_))", \
      "ArithTuple(_0,_0) o (_64,_4,_4,12):(_1@0,_1@1,_64@0,_4@1)") \
    X(local_tile, local_tile_by, G, (G, R, T, T), "the tile of a block, of the modes that a projection keeps", \
      "local_tile(make_identity_tensor((1024,2048)), (_128,_128,_8), (3,2,_), (_1,_1,_))", \
      "ArithTuple(384,256) o (_128,_128):(_1@0,_1@1)") \
    X(local_partition, local_partition, G, (G, L, T), "the elements of one thread of a layout of threads", \
      "local_partition(counting_iter(0) o (_128,_8):(_1,_129), (_32,_8):(_8,_1), 255)", \
      "counting_iter(934) o (_4,_1):(_32,_0)") \
    X(local_partition, local_partition_by, G, (G, L, T, T), "the same, of the modes that a projection keeps", \
      "local_partition(counting_iter(0) o (_128,_8):(_1,_129), (_16,_16):(_1,_16), 255, (_,_1))", \
      "counting_iter(15) o (_8,_8):(_16,_129)")

#define TSR_OPS(X, A) \
    TSR_OPS_INTEGER(X, A) TSR_OPS_TUPLE(X, A) TSR_OPS_LAYOUT(X, A) TSR_OPS_SWIZZLE(X, A) TSR_OPS_VERDICT(X, A) \
    TSR_OPS_TENSOR(X, A)
/* clang-format on */

#endif
