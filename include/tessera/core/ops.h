/** The one table of operations.
 *
 *  X(name, function, result, (arguments), help): the field's name; the function without its prefix tsr_; what it
 *  gives; what it takes; one line. A(...) is the same for a second name of a function. The calculator, its help, the exported symbols (tsrc_ and the function's name),
 *  the reference in docs/ and the tests are made from it. A name may have several rows; the first that fits is used.
 *
 *  Kinds of results and arguments
 *      T  tuple or integer       L  layout      W  swizzle      X  layout and offset      D  verdict
 *      R  tiler: layout, integer, `_` or a tuple of these
 *  Arguments in brackets, name<..>
 *      N  one integer            P  any number of integers, as a tuple      B  an element type, as its bits
 *  The rest of the arguments
 *      V  integers and tuples, one as itself, several as a tuple
 *      Q  tilers, one as itself, several as <a,b,..>         M  layouts, as <a,b,..>
 */
#ifndef TSR_CORE_OPS_H
#define TSR_CORE_OPS_H

#include "tessera/core/integer.h"
#include "tessera/core/verdict.h"

/* clang-format off */
#define TSR_OPS_INTEGER(X, A) \
    X(iadd, add, T, (T, T), "a + b, of integers, basis elements or coordinates") \
    X(isub, isub, T, (T, T), "a - b") \
    X(imul, imul, T, (T, T), "a * b") \
    X(idiv, idiv, T, (T, T), "a / b, rounded toward zero") \
    X(imod, imod, T, (T, T), "a % b, with the sign of a") \
    X(iand, iand, T, (T, T), "a & b, of integers or partly static bits") \
    X(ior, ior, T, (T, T), "a | b, of integers or partly static bits") \
    X(ixor, ixor, T, (T, T), "a ^ b, of integers or partly static bits") \
    X(ishl, ishl, T, (T, T), "a << b") \
    X(ishr, ishr, T, (T, T), "a >> b") \
    X(ilt, ilt, T, (T, T), "a < b") \
    X(ile, ile, T, (T, T), "a <= b") \
    X(igt, igt, T, (T, T), "a > b") \
    X(ige, ige, T, (T, T), "a >= b") \
    X(ieq, ieq, T, (T, T), "a == b") \
    X(ine, ine, T, (T, T), "a != b") \
    X(land, land, T, (T, T), "a and b") \
    X(lor, lor, T, (T, T), "a or b") \
    X(ineg, ineg, T, (T), "-a") \
    X(inot, inot, T, (T), "1 for 0, else 0") \
    X(abs, abs, T, (T), "the absolute value") \
    X(signum, signum, T, (T), "-1, 0 or 1") \
    X(lcm, lcm, T, (T, T), "the least common multiple") \
    X(safe_div, safe_div, T, (T, T), "a / b, exact where both are static") \
    X(shiftl, shiftl, T, (T, T), "a << b, for negative b the other direction") \
    X(shiftr, shiftr, T, (T, T), "a >> b, for negative b the other direction") \
    X(make_mixed_bits, make_mixed_bits, T, (T, T, T), "s | (d & f): bits s static, bits d under f dynamic") \
    X(to_mixed_bits, to_mixed_bits, T, (T, T, T), "the bits of a coordinate, static or not (shape, stride, coord)")

#define TSR_OPS_TUPLE(X, A) \
    X(rank, tuple_rank_of, T, (T, P), "the number of modes, of the mode at a path") \
    X(depth, tuple_depth_of, T, (T, P), "the depth of nesting") \
    X(size, tuple_size_of, T, (T, P), "the product of all leaves") \
    X(get, tuple_get_path, T, (T, P), "the mode at a path") \
    A(shape, tuple_get_path, T, (T, P), "a tuple is its own shape") \
    X(take, tuple_take, T, (T, N, N), "modes B to E, E not included (-1: to the end)") \
    X(select, tuple_select, T, (T, P), "the modes listed, as a tuple") \
    X(flatten, tuple_flatten, T, (T), "all leaves in one tuple") \
    X(flatten_to_tuple, flatten_to_tuple, T, (T), "all leaves in one tuple, also for an integer") \
    X(unflatten, tuple_unflatten, T, (T, T), "the leaves in the profile of another tuple") \
    X(wrap, wrap, T, (T), "an integer as a tuple of one mode") \
    X(unwrap, unwrap, T, (T), "without outer tuples of one mode") \
    X(group, tuple_group, T, (T, N, N), "modes B to E as one mode") \
    X(append, tuple_append, T, (T, T), "one more mode at the end") \
    X(append, tuple_append_to, T, (T, T, N), "copies at the end, up to rank N") \
    X(prepend, tuple_prepend, T, (T, T), "one more mode in front") \
    X(prepend, tuple_prepend_to, T, (T, T, N), "copies in front, up to rank N") \
    X(insert, insert, T, (T, T, N), "a mode put in at position N") \
    X(remove, remove, T, (T, N), "without mode N") \
    X(replace, tuple_replace, T, (T, T, N), "another mode N") \
    X(replace_front, replace_front, T, (T, T), "another first mode") \
    X(replace_back, replace_back, T, (T, T), "another last mode") \
    X(repeat, repeat, T, (T, N), "N copies (one copy is the thing itself)") \
    X(repeat_like, repeat_like, T, (T, T), "a value at every leaf of a profile") \
    X(reverse, reverse, T, (T), "the modes in the opposite order") \
    X(front, front, T, (T), "the first leaf") \
    X(back, back, T, (T), "the last leaf") \
    X(zip, tuple_zip, T, (T), "the transpose of a tuple of tuples") \
    X(zip2_by, zip2_by, T, (T, T), "the pairs at the leaves of a guide, transposed") \
    X(product, product, T, (T), "the product of all leaves") \
    X(product_each, product_each, T, (T), "the product of each mode") \
    X(product_like, product_like, T, (T, T), "the products at the leaves of a guide") \
    X(prefix_product, prefix_product, T, (T), "the exclusive prefix products of the leaves") \
    X(sum, sum, T, (T), "the sum of all leaves") \
    X(inner_product, inner_product, T, (T, T), "the sum of the products of leaves") \
    X(min, min, T, (V), "the least leaf") \
    X(max, max, T, (V), "the greatest leaf") \
    X(gcd, gcd, T, (V), "the greatest common divisor of all leaves") \
    X(ceil_div, tuple_ceil_div, T, (T, T), "a / b rounded up, mode by mode") \
    X(round_up, round_up, T, (T, T), "the least multiple of b not below a, mode by mode") \
    X(shape_div, shape_div, T, (T, T), "division of shapes: one must divide the other") \
    X(elem_scale, elem_scale, T, (T, T), "each leaf of a times the product of b there") \
    X(filter_zeros, tuple_filter_zeros, T, (T), "static zeros replaced by _1") \
    X(filter_zeros, filter_zeros_by, T, (T, T), "leaves of b under static zeros of a replaced by _1") \
    X(coalesce, tuple_coalesce, T, (T), "a shape with static and with dynamic neighbours multiplied") \
    A(add, add, T, (T, T), "the sum of coordinates") \
    X(as_arithmetic_tuple, as_arithmetic_tuple, T, (T), "a basis element as the coordinate it stands for") \
    X(make_basis_like, make_basis_like, T, (T), "the basis strides of a shape") \
    X(basis_value, basis_value, T, (T), "the integer of a basis element") \
    X(basis_get, basis_get, T, (T, T), "the mode that a basis element names") \
    X(equal, tuple_equal, T, (T, T), "the same values in the same profile") \
    X(congruent, congruent, T, (T, T), "the same profile") \
    X(weakly_congruent, weakly_congruent, T, (T, T), "b's profile refines a's") \
    X(compatible, compatible, T, (T, T), "b has the size of each leaf of a there") \
    X(weakly_compatible, weakly_compatible, T, (T, T), "each leaf of a divides the size of b there") \
    X(evenly_divides, evenly_divides, T, (T, T), "the tiler b cuts a without a remainder") \
    X(lex_less, lex_less, T, (T, T), "lexicographic order") \
    X(lex_leq, lex_leq, T, (T, T), "not lex_less(b, a)") \
    X(lex_gtr, lex_gtr, T, (T, T), "lex_less(b, a)") \
    X(lex_geq, lex_geq, T, (T, T), "not lex_less(a, b)") \
    X(colex_less, colex_less, T, (T, T), "colexicographic order") \
    X(colex_leq, colex_leq, T, (T, T), "not colex_less(b, a)") \
    X(colex_gtr, colex_gtr, T, (T, T), "colex_less(b, a)") \
    X(colex_geq, colex_geq, T, (T, T), "not colex_less(a, b)") \
    X(elem_less, elem_less, T, (T, T), "every mode of a below b's: a coordinate inside a shape") \
    X(elem_leq, elem_leq, T, (T, T), "not elem_less(b, a)") \
    X(elem_gtr, elem_gtr, T, (T, T), "elem_less(b, a)") \
    X(elem_geq, elem_geq, T, (T, T), "not elem_less(a, b)") \
    X(crd2idx, crd2idx, T, (T, T, T), "the index of a coordinate (coord, shape, stride)") \
    X(crd2idx, crd2idx_compact, T, (T, T), "the 1-D coordinate of a coordinate (coord, shape)") \
    X(idx2crd, idx2crd, T, (T, T), "the coordinate of a 1-D coordinate (index, shape)") \
    X(idx2crd, idx2crd_stride, T, (T, T, T), "the coordinate of an index (index, shape, stride)") \
    X(crd2crd, crd2crd, T, (T, T, T), "a coordinate of one shape into another (coord, from, to)") \
    X(increment, increment, T, (T, T), "the next coordinate, colexicographically (coord, shape)") \
    X(compact_col_major, compact_col_major, T, (T), "compact strides, the first mode fastest") \
    X(compact_col_major, compact_col_major_from, T, (T, T), "compact strides that start at a given one") \
    X(compact_row_major, compact_row_major, T, (T), "compact strides, the last mode fastest") \
    X(compact_row_major, compact_row_major_from, T, (T, T), "compact strides that start at a given one") \
    X(compact_order, compact_order, T, (T, T), "compact strides in a given order (shape, order)") \
    X(slice, tuple_slice, T, (T, T), "the modes under `_` (coord, tuple)") \
    X(dice, tuple_dice, T, (T, T), "the modes under integers (coord, tuple)")

#define TSR_OPS_LAYOUT(X, A) \
    X(make_layout, make_layout_compact, L, (T), "the compact column-major layout of a shape") \
    X(make_layout, make_layout_from, L, (T, T), "shape:stride; LayoutLeft or LayoutRight for compact strides") \
    X(make_layout, make_layout_swizzle, L, (W), "a swizzle as the layout of the bits it touches") \
    X(make_layout, make_layout_of, L, (M), "layouts as the modes of one") \
    X(make_ordered_layout, make_ordered_layout, L, (T, T), "compact strides in a given order (shape, order)") \
    X(make_layout_like, make_layout_like, L, (L), "compact, strides in the order of another layout's") \
    X(make_fragment_like, make_fragment_like, L, (L), "compact for registers: mode 0 first") \
    X(make_fragment_like, make_fragment_like_shape, L, (T), "the compact layout of a shape") \
    X(make_identity_layout, make_identity_layout, L, (T), "the layout from coordinates to themselves") \
    X(make_composed_layout, make_composed_layout, L, (W, T, L), "Sw o offset o layout") \
    X(call, layout_at, T, (L, V), "L(c), the index of a coordinate; with `_` a slice") \
    X(rank, rank_of, T, (L, P), "the number of modes") \
    X(depth, depth_of, T, (L, P), "the depth of nesting") \
    X(size, size_of, T, (L, P), "the number of elements") \
    X(shape, shape_of, T, (L, P), "the shape") \
    X(stride, stride_of, T, (L, P), "the stride") \
    X(coprofile, coprofile_of, T, (L, P), "zeros in the profile of the codomain") \
    X(coshape, coshape_of, T, (L, P), "the exclusive bounds of the codomain") \
    X(cosize, cosize_of, T, (L, P), "the size of the codomain") \
    X(layout, layout_of, L, (L, P), "the mode at a path, as a layout") \
    A(get, layout_of, L, (L, P), "the mode at a path, as a layout") \
    X(take, layout_take, L, (L, N, N), "modes B to E, E not included") \
    X(select, layout_select, L, (L, P), "the modes listed") \
    X(flatten, layout_flatten, L, (L), "all modes on one level") \
    X(unflatten, layout_unflatten, L, (L, T), "the modes in a profile") \
    X(group, layout_group, L, (L, N, N), "modes B to E as one mode") \
    X(append, layout_append, L, (L, L), "one more mode at the end") \
    X(append, layout_append_to, L, (L, L, N), "copies at the end, up to rank N") \
    X(append, layout_pad, L, (L, N), "_1:_0 at the end, up to rank N") \
    X(append, layout_append_pad, L, (L), "_1:_0 at the end") \
    X(prepend, layout_prepend, L, (L, L), "one more mode in front") \
    X(prepend, layout_prepend_to, L, (L, L, N), "copies in front, up to rank N") \
    X(prepend, layout_pad_front, L, (L, N), "_1:_0 in front, up to rank N") \
    X(prepend, layout_prepend_pad, L, (L), "_1:_0 in front") \
    X(replace, layout_replace, L, (L, L, N), "another mode N") \
    X(zip, layout_zip, L, (L), "the transpose of the modes") \
    X(zip, zip_layouts, L, (L, L), "two layouts, mode by mode") \
    X(transpose, transpose, L, (L), "the modes in the opposite order") \
    X(equal, layout_equal, T, (L, L), "the same shape, stride, swizzle and offset") \
    X(filter_zeros, layout_filter_zeros, L, (L), "modes of static stride 0 shrink to extent _1") \
    X(filter_zeros, layout_filter_zeros_by, L, (L, T), "modes under static zeros of a profile shrink to _1") \
    X(coalesce, layout_coalesce, L, (L), "the same function with fewer modes") \
    X(coalesce, coalesce_by, L, (L, T), "coalesce, mode by mode of a profile") \
    X(coalesce_x, coalesce_x, L, (L), "coalesce that holds beyond the size") \
    X(coalesce_x, coalesce_x_by, L, (L, T), "coalesce_x, mode by mode of a profile") \
    X(filter, filter, L, (L), "coalesce without modes of static stride 0") \
    X(filter, filter_by, L, (L, T), "filter, mode by mode of a profile") \
    X(composition, composition_by, L, (L, R), "R(c) = A(B(c))") \
    X(composition, composition_swizzle, L, (L, W), "A o Sw, the swizzle moved to the front") \
    X(composition, swizzled, L, (W, L), "Sw o layout") \
    X(composition, composition_offset, L, (W, T, L), "Sw o offset o layout") \
    A(compose, composition_by, L, (L, Q), "R(c) = A(B(c)); several arguments act mode by mode") \
    X(with_shape, with_shape, L, (L, V), "the layout read with another shape") \
    X(complement, complement, L, (L), "what the layout misses, up to its cosize") \
    X(complement, complement_in, L, (L, T), "what the layout misses, up to a cotarget") \
    X(complement, complement_in_layout, L, (L, L), "what the layout misses, up to another's size") \
    X(right_inverse, right_inverse, L, (L), "L(R(i)) = i") \
    X(left_inverse, left_inverse, L, (L), "R(L(i)) = i") \
    X(right_inverse, offset_inverse, T, (T), "the negative") \
    A(left_inverse, offset_inverse, T, (T), "the negative") \
    X(nullspace, nullspace, L, (L), "L(R(i)) = 0") \
    X(max_common_layout, max_common_layout, L, (L, L), "the contiguous elements two layouts have in common") \
    X(max_common_vector, max_common_vector, T, (L, L), "how many those are") \
    X(max_alignment, max_alignment, T, (L), "the largest N for which upcast keeps whole elements") \
    X(max_alignment, int_max_alignment, T, (T), "what an offset is aligned to") \
    X(domain_distribute, domain_distribute, L, (T, T), "a count spread over a shape") \
    X(logical_divide, logical_divide_by, L, (L, R), "mode 0 a tile, mode 1 the tiles") \
    X(zipped_divide, zipped_divide_by, L, (L, R), "((tile),(rest))") \
    X(tiled_divide, tiled_divide_by, L, (L, R), "((tile),rest..)") \
    A(tile, tiled_divide_by, L, (L, Q), "((tile),rest..); several arguments act mode by mode") \
    X(flat_divide, flat_divide_by, L, (L, R), "(tile..,rest..)") \
    X(tile_unzip, tile_unzip_by, L, (L, R), "the pairs at the leaves of a tiler, transposed") \
    X(ceil_div, ceil_div_by, T, (T, R), "how many tiles, mode by mode") \
    X(evenly_divides, evenly_divides_by, T, (T, R), "the tiler cuts the shape without a remainder") \
    X(logical_product, logical_product_by, L, (L, R), "mode 0 a block, mode 1 its repetitions") \
    X(zipped_product, zipped_product_by, L, (L, R), "((block),(repetitions))") \
    X(tiled_product, tiled_product_by, L, (L, R), "((block),repetitions..)") \
    X(flat_product, flat_product_by, L, (L, R), "(block..,repetitions..)") \
    X(blocked_product, blocked_product, L, (L, L), "blocks side by side") \
    X(raked_product, raked_product, L, (L, L), "blocks interleaved") \
    X(tile_to_shape, tile_to_shape, L, (L, T), "a block repeated up to a shape") \
    X(tile_to_shape, tile_to_shape_in, L, (L, T, T), "a block repeated up to a shape, in an order") \
    X(slice, layout_slice, L, (T, L), "the modes under `_` (coord, layout)") \
    X(dice, layout_dice, L, (T, L), "the modes under integers (coord, layout)") \
    X(slice_and_offset, slice_and_offset, X, (T, L), "the slice, and the offset of what is fixed") \
    X(domain_offset, domain_offset, X, (T, L), "the layout seen from a coordinate on") \
    X(to_mixed_bits, layout_to_mixed_bits, T, (L, T), "the bits of a coordinate, static or not") \
    X(get_hier_coord, get_hier_coord, T, (L, T), "the coordinate of an index of a compact layout") \
    X(get_flat_coord, get_flat_coord, T, (L, T), "the same, one integer a mode") \
    X(get_1d_coord, get_1d_coord, T, (L, T), "the same, one integer") \
    X(upcast, upcast, L, (L, N), "N elements become one") \
    X(downcast, downcast, L, (L, N), "one element becomes N") \
    X(recast_layout, recast_layout, L, (L, B, B), "the layout of elements of another type")

#define TSR_OPS_SWIZZLE(X, A) \
    X(swizzle, swizzle_at, T, (W, T), "Sw(x)") \
    A(call, swizzle_at, T, (W, T), "Sw(x)") \
    X(composition, composition_swizzles, W, (W, W), "two swizzles of the same shift as one") \
    X(equal, swizzle_equal, T, (W, W), "the same swizzle") \
    X(right_inverse, swizzle_inverse, W, (W), "a swizzle is its own inverse") \
    A(left_inverse, swizzle_inverse, W, (W), "a swizzle is its own inverse") \
    X(max_alignment, swizzle_max_alignment, T, (W), "2^M") \
    X(upcast, swizzle_upcast, W, (W, N), "the swizzle of elements N times as large") \
    X(downcast, swizzle_downcast, W, (W, N), "the swizzle of elements N times as small") \
    X(upcast, int_upcast, T, (T, N), "an offset in elements N times as large") \
    X(downcast, int_downcast, T, (T, N), "an offset in elements N times as small") \
    X(recast_layout, recast_swizzle, W, (W, B, B), "the swizzle of elements of another type") \
    X(make_swizzle, make_swizzle_masks, W, (N, N), "the swizzle that xors the bits Y into the bits Z")

#define TSR_OPS_VERDICT(X, A) \
    X(same_function, same_function, D, (L, L), "equal as functions of the 1-D coordinate") \
    X(is_injective, is_injective, D, (L), "different coordinates have different offsets") \
    X(is_surjective, is_surjective, D, (L), "every offset between the least and the greatest is reached") \
    X(is_compact, is_compact, D, (L), "injective and surjective") \
    X(is_bijective, is_bijective, D, (L), "compact, and the offsets begin at 0") \
    X(is_contiguous, is_contiguous, D, (L), "L(i) = L(0) + i") \
    X(is_tractable, is_tractable, D, (L), "the span of each stride divides the next larger one") \
    X(composition_admissible, composition_admissible, D, (L, R), "composition is defined") \
    X(complement_admissible, complement_admissible, D, (L, T), "complement is defined") \
    X(divide_admissible, divide_admissible, D, (L, R), "logical_divide is defined") \
    X(int32_extent, int32_extent, T, (L), "how many elements have offsets that fit 32 bits")

#define TSR_OPS(X, A) \
    TSR_OPS_INTEGER(X, A) TSR_OPS_TUPLE(X, A) TSR_OPS_LAYOUT(X, A) TSR_OPS_SWIZZLE(X, A) TSR_OPS_VERDICT(X, A)
/* clang-format on */

#endif
