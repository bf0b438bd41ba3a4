/** Rows of layouts and their algebra. The kinds are explained in ops.h. */
#ifndef TSR_SRC_OPS_LAYOUT_H
#define TSR_SRC_OPS_LAYOUT_H

#include "tessera/core/query.h"
#include "tessera/core/sum.h"
#include "tessera/core/verdict.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_OPS_LAYOUT(X, A) \
    X(make_layout, make_layout_compact, L, (T), "the compact column-major layout of a shape", \
      "make_layout((_2,_4))", "(_2,_4):(_1,_2)", "shape:") \
    X(make_layout, make_layout_from, L, (T, T), "shape:stride; LayoutLeft or LayoutRight for compact strides", \
      "make_layout((_2,4), (_12,_1))", "(_2,4):(_12,_1)", "shape: stride:") \
    X(make_layout, make_layout_swizzle, L, (W), "a swizzle as the layout of the bits it touches", \
      "make_layout(Sw<2,4,3>)", "Sw<2,4,3> o _0 o _9:_1") \
    X(make_layout, make_layout_of, L, (M), "layouts as the modes of one", \
      "make_layout((_1):(_0), (_8,_16):(_1,_8))", "((_1),(_8,_16)):((_0),(_1,_8))") \
    X(make_ordered_layout, make_ordered_layout, L, (T, T), "compact strides in a given order (shape, order)", \
      "make_ordered_layout((_32,_4,_16,_2), (_1,_0,_3,_2))", "(_32,_4,_16,_2):(_4,_1,_256,_128)", "shape: order:") \
    X(make_layout_like, make_layout_like, L, (L), "compact, strides in the order of another layout's", \
      "make_layout_like((_4,_8):(_32,_2))", "(_4,_8):(_8,_1)") \
    X(make_fragment_like, make_fragment_like, L, (L), "compact for registers: mode 0 first", \
      "make_fragment_like((_4,_8,_2):(_0,_1,_64))", "(_4,_8,_2):(_0,_1,_8)") \
    X(make_fragment_like, make_fragment_like_shape, L, (T), "the compact layout of a shape", \
      "make_fragment_like((_4,_2))", "(_4,_2):(_1,_4)", "shape:") \
    X(make_identity_layout, make_identity_layout, L, (T), "the layout from coordinates to themselves", \
      "make_identity_layout((4,(6,4),5))", "(4,(6,4),5):(_1@0,(_1@0@1,_1@1@1),_1@2)", "shape:") \
    X(make_composed_layout, make_composed_layout, L, (W, T, L), "Sw o offset o layout", \
      "make_composed_layout(Sw<3,4,3>, _8, (_8,_64):(_64,_1))", "Sw<3,4,3> o _8 o (_8,_64):(_64,_1)", "- offset:") \
    X(call, layout_at, T, (L, V), "L(c), the index of a coordinate; with `_` a slice", \
      "call((3,(2,3)):(3,(12,1)), 1, 3)", "16", "- coord:") \
    X(rank, rank_of, T, (L, P), "the number of modes", \
      "rank((8,8,4):(32,0,-1))", "_3", "- path:") \
    X(depth, depth_of, T, (L, P), "the depth of nesting", \
      "depth((_128,(_64,_16)):(_0,(_1,_64)))", "_2", "- path:") \
    X(size, size_of, T, (L, P), "the number of elements", \
      "size((_128,_8):(_1,_129))", "_1024", "- path:") \
    X(shape, shape_of, T, (L, P), "the shape", \
      "shape<0,0>(((2,(2,_4))):((_16,(8,_1))))", "2", "- path:") \
    X(stride, stride_of, T, (L, P), "the stride", \
      "stride<1>((4,5,4):(20,1,5))", "1", "- path:") \
    X(coprofile, coprofile_of, T, (L, P), "zeros in the profile of the codomain", \
      "coprofile((4,(5,6)):(_1@0,(_1@0@1,_1@1@1)))", "(_0,(_0,_0))", "- path:") \
    X(coshape, coshape_of, T, (L, P), "the exclusive bounds of the codomain", \
      "coshape((_4,_12):(1,12))", "136", "- path:") \
    X(cosize, cosize_of, T, (L, P), "the size of the codomain", \
      "cosize<1>((_4,_2):(_1,_4))", "_5", "- path:") \
    X(layout, layout_of, L, (L, P), "the mode at a path, as a layout", \
      "layout<1>((_4,(_3,_6)):(_1,(_4,_12)))", "(_3,_6):(_4,_12)", "- path:") \
    A(get, layout_of, L, (L, P), "the mode at a path, as a layout", \
      "get<0>(Sw<3,4,3> o _0 o (_8,_8):(_8,_1))", "Sw<3,4,3> o _0 o _8:_8", "- path:") \
    X(take, layout_take, L, (L, N, N), "modes B to E, E not included", \
      "take<1,3>((_2,_3,_5,_7):(_1,_2,_6,_30))", "(_3,_5):(_2,_6)", "- begin: end:") \
    X(select, layout_select, L, (L, P), "the modes listed", \
      "select<0,1,3>((_2,_3,_5,_7):(_1,_2,_6,_30))", "(_2,_3,_7):(_1,_2,_30)", "- path:") \
    X(flatten, layout_flatten, L, (L), "all modes on one level", \
      "flatten((4,(3),_2,8):(_192,(64),_1,_8))", "(4,3,_2,8):(_192,64,_1,_8)") \
    X(unflatten, layout_unflatten, L, (L, T), "the modes in a profile", \
      "unflatten((_16,_4):(_1,_16), ((_1,_1)))", "((_16,_4)):((_1,_16))", "- profile:") \
    X(group, layout_group, L, (L, N, N), "modes B to E as one mode", \
      "group<0,2>((_2,_3,_5,_7):(_1,_2,_6,_30))", "((_2,_3),_5,_7):((_1,_2),_6,_30)", "- begin: end:") \
    X(append, layout_append, L, (L, L), "one more mode at the end", \
      "append(_3:_1, _4:_3)", "(_3,_4):(_1,_3)", "- mode:") \
    X(append, layout_append_to, L, (L, L, N), "copies at the end, up to rank N", \
      "append<4>((_2,_1):(_1,_2), _8:_4)", "(_2,_1,_8,_8):(_1,_2,_4,_4)", "- mode: rank:") \
    X(append, layout_pad, L, (L, N), "_1:_0 at the end, up to rank N", \
      "append<4>((_2,_2):(_2,_1))", "(_2,_2,_1,_1):(_2,_1,_0,_0)", "- rank:") \
    X(append, layout_append_pad, L, (L), "_1:_0 at the end", \
      "append(_2:_1)", "(_2,_1):(_1,_0)") \
    X(prepend, layout_prepend, L, (L, L), "one more mode in front", \
      "prepend(_3:_1, _4:_3)", "(_4,_3):(_3,_1)", "- mode:") \
    X(prepend, layout_prepend_to, L, (L, L, N), "copies in front, up to rank N", \
      "prepend<4>((_2,_1):(_1,_2), _8:_4)", "(_8,_8,_2,_1):(_4,_4,_1,_2)", "- mode: rank:") \
    X(prepend, layout_pad_front, L, (L, N), "_1:_0 in front, up to rank N", \
      "prepend<4>((_2,_2):(_2,_1))", "(_1,_1,_2,_2):(_0,_0,_2,_1)", "- rank:") \
    X(prepend, layout_prepend_pad, L, (L), "_1:_0 in front", \
      "prepend(_2:_1)", "(_1,_2):(_0,_1)") \
    X(replace, layout_replace, L, (L, L, N), "another mode N", \
      "replace<2>((_4,(_8),_4):(_1,(_16),_4), _8:_0)", "(_4,(_8),_8):(_1,(_16),_0)", "- mode: position:") \
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
      "filter_zeros((_3,_4):(_1,_3), (1,_0))", "(_3,_1):(_1,_3)", "- profile:") \
    X(coalesce, layout_coalesce, L, (L), "the same function with fewer modes", \
      "coalesce((_2,(_1,_6)):(_1,(_6,_2)))", "_12:_1") \
    X(coalesce, coalesce_by, L, (L, T), "coalesce, mode by mode of a profile", \
      "coalesce((_2,(_1,_6)):(_1,(_6,_2)), (_1,_1))", "(_2,_6):(_1,_2)", "- profile:") \
    X(coalesce_x, coalesce_x, L, (L), "coalesce that holds beyond the size", \
      "coalesce_x(((_32),_6,_32):((_1),_64,_384))", "(_32,_192):(_1,_64)") \
    X(coalesce_x, coalesce_x_by, L, (L, T), "coalesce_x, mode by mode of a profile", \
      "coalesce_x(((_2,_3),(_4,_2)):((_1,_2),(_6,_24)), (_1,_1))", "(_6,_8):(_1,_6)", "- profile:") \
    X(filter, filter, L, (L), "coalesce without modes of static stride 0", \
      "filter(((_2,_12,_4)):((_1,_0,_144)))", "(_2,_4):(_1,_144)") \
    X(filter, filter_by, L, (L, T), "filter, mode by mode of a profile", \
      "filter((_2,_4):(_4,_0), (1,_1))", "(_2,_1):(_4,_0)", "- profile:") \
    X(composition, composition_by, L, (L, R), "A after B: R(c) = A(B(c))", \
      "composition((_6,_2):(_8,_2), (_4,_3):(_3,_1))", "((_2,_2),_3):((_24,_2),_8)") \
    X(composition, composition_swizzle, L, (L, W), "A o Sw, the swizzle moved to the front", \
      "composition((_32,_32):(_32,_1), Sw<2,0,3>)", "Sw<2,5,3> o _0 o (_32,_32):(_32,_1)") \
    X(composition, swizzled, L, (W, L), "Sw o layout", \
      "composition(Sw<3,4,3>, (_8,_64):(_64,_1))", "Sw<3,4,3> o _0 o (_8,_64):(_64,_1)") \
    X(composition, composition_offset, L, (W, T, L), "Sw o offset o layout", \
      "composition(Sw<3,4,3>, _0, (_8,_64):(_64,_1))", "Sw<3,4,3> o _0 o (_8,_64):(_64,_1)", "- offset:") \
    A(compose, composition_by, L, (L, Q), "R(c) = A(B(c)); several arguments act mode by mode", \
      "compose((_8,_4):(_1,_8), _4, _2)", "(_4,_2):(_1,_8)") \
    X(layout_add, layout_add, L, (L, L), "the layout of c -> A(c) + B(c)", \
      "layout_add((4,6):(1,4), (2,12):(0,100))", "((2,2),6):((1,102),204)") \
    X(common_refinement, common_refinement, T, (T, T), "the coarsest shape with the cuts of both, in the first profile", \
      "common_refinement((4,6), (2,12))", "((2,2),6)") \
    X(common_refinement, layout_common_refinement, L, (L, L), "the first layout, cut where either is", \
      "common_refinement((4,6):(6,1), (2,12):(12,1))", "((2,2),6):((6,12),1)") \
    X(with_shape, with_shape, L, (L, V), "the layout read with another shape", \
      "with_shape(((16,4)):((_1,16)), _32)", "(16,2):(_1,16)", "- shape:") \
    X(complement, complement, L, (L), "the offsets that the layout leaves out, up to its cosize", \
      "complement((_8,_2):(_1,_32))", "_4:_8") \
    X(complement, complement_in, L, (L, T), "the offsets that the layout leaves out, up to a cotarget", \
      "complement(_4:_2, _24)", "(_2,_3):(_1,_8)", "- cotarget:") \
    X(complement, complement_in_layout, L, (L, L), "the offsets that the layout leaves out, up to another's size", \
      "complement(_4:_1, 24:_2)", "6:_4", "- cotarget:") \
    X(right_inverse, right_inverse, L, (L), "the coordinates of the indices 0, 1, ..: L(R(i)) = i", \
      "right_inverse(((_4,_2),_4):((_8,_4),_1))", "(_4,_2,_4):(_8,_4,_1)") \
    X(left_inverse, left_inverse, L, (L), "the coordinate of each index: R(L(i)) = i", \
      "left_inverse((_8,_4):(_4,_1))", "(_4,_8):(_8,_1)") \
    X(right_inverse, offset_inverse, T, (T), "the negative", \
      "right_inverse(_5)", "_-5", "offset:") \
    A(left_inverse, offset_inverse, T, (T), "the negative", \
      "left_inverse(7)", "-7", "offset:") \
    X(nullspace, nullspace, L, (L), "the coordinates that the layout maps to 0: L(R(i)) = 0", \
      "nullspace((_7,_5,_16):(_0,_0,_0))", "(_7,_5,_16):(_1,_7,_35)") \
    X(max_common_layout, max_common_layout, L, (L, L), "the contiguous elements that two layouts have in common", \
      "max_common_layout((_4,_8):(_8,_1), (_4,_8):(_8,_1))", "(_8,_4):(_4,_1)") \
    X(max_common_vector, max_common_vector, T, (L, L), "how many contiguous elements two layouts have in common", \
      "max_common_vector((_4,8):(_1,_4), (_4,8):(_1,_4))", "_4") \
    X(max_alignment, max_alignment, T, (L), "the largest N for which upcast keeps whole elements", \
      "max_alignment((_8,7):(_1,_16))", "_8") \
    X(max_alignment, int_max_alignment, T, (T), "what an offset is aligned to", \
      "max_alignment(make_mixed_bits(_32, 3, _40))", "_8", "offset:") \
    X(domain_distribute, domain_distribute, L, (T, T), "a count of elements distributed over a shape", \
      "domain_distribute((_192,(_8,_8)), _128)", "(_64,_2):(_1,_192)", "shape: count:") \
    X(logical_divide, logical_divide_by, L, (L, R), "mode 0 is a tile, mode 1 counts the tiles", \
      "logical_divide((_4,_2,_3):(_2,_1,_8), _4:_2)", "((_2,_2),(_2,_3)):((_4,_1),(_2,_8))") \
    X(zipped_divide, zipped_divide_by, L, (L, R), "((tile),(rest)): mode 0 is one tile, mode 1 counts the tiles", \
      "zipped_divide((_9,(_4,_8)):(_59,(_13,_1)), <_3:_3,(_2,_4):(_1,_8)>)", "((_3,(_2,_4)),(_3,(_2,_2))):((_177,(_13,_2)),(_59,(_26,_1)))") \
    X(tiled_divide, tiled_divide_by, L, (L, R), "((tile),rest..): mode 0 is one tile, the others count the tiles", \
      "tiled_divide((_9,(_4,_8)):(_59,(_13,_1)), <_3:_3,(_2,_4):(_1,_8)>)", "((_3,(_2,_4)),_3,(_2,_2)):((_177,(_13,_2)),_59,(_26,_1))") \
    A(tile, tiled_divide_by, L, (L, Q), "((tile),rest..); several arguments act mode by mode", \
      "tile((_8,_8):(_8,_1), _4, _2)", "((_4,_2),_2,_4):((_8,_1),_32,_2)") \
    X(flat_divide, flat_divide_by, L, (L, R), "(tile..,rest..): the modes of one tile, then those that count the tiles", \
      "flat_divide((_9,(_4,_8)):(_59,(_13,_1)), <_3:_3,(_2,_4):(_1,_8)>)", "(_3,(_2,_4),_3,(_2,_2)):(_177,(_13,_2),_59,(_26,_1))") \
    X(tile_unzip, tile_unzip_by, L, (L, R), "the pairs at the leaves of a tiler, transposed", \
      "tile_unzip(((_4,_2),(_8,_3)):((_1,_4),(_8,_64)), <_4,_8>)", "((_4,_8),(_2,_3)):((_1,_8),(_4,_64))") \
    X(ceil_div, ceil_div_by, T, (T, R), "how many tiles, mode by mode", \
      "ceil_div((100,200), <_32:_1,_64:_2>)", "(4,(_2,2))", "target:") \
    X(evenly_divides, evenly_divides_by, T, (T, R), "the tiler cuts the shape without a remainder", \
      "evenly_divides((_8,_12), <_4:_1,_3:_1>)", "_1", "shape:") \
    X(logical_product, logical_product_by, L, (L, R), "mode 0 is a block, mode 1 counts its repetitions", \
      "logical_product((_2,_2):(_4,_1), _6:_1)", "((_2,_2),(_2,_3)):((_4,_1),(_2,_8))", "block:") \
    X(zipped_product, zipped_product_by, L, (L, R), "((block),(repetitions))", \
      "zipped_product((_2,_5):(_5,_1), <_3:_5,_4:_6>)", "((_2,_5),(_3,_4)):((_5,_1),(_10,_30))", "block:") \
    X(tiled_product, tiled_product_by, L, (L, R), "((block),repetitions..)", \
      "tiled_product((_2,_5):(_5,_1), <_3:_5,_4:_6>)", "((_2,_5),_3,_4):((_5,_1),_10,_30)", "block:") \
    X(flat_product, flat_product_by, L, (L, R), "(block..,repetitions..)", \
      "flat_product((_2,_5):(_5,_1), <_3:_5,_4:_6>)", "(_2,_5,_3,_4):(_5,_1,_10,_30)", "block:") \
    X(blocked_product, blocked_product, L, (L, L), "blocks side by side", \
      "blocked_product((_2,_5):(_5,_1), (_3,_4):(_1,_3))", "((_2,_3),(_5,_4)):((_5,_10),(_1,_30))", "block: tiler:") \
    X(raked_product, raked_product, L, (L, L), "blocks interleaved", \
      "raked_product((_2,_5):(_5,_1), (_3,_4):(_1,_3))", "((_3,_2),(_4,_5)):((_10,_5),(_30,_1))", "block: tiler:") \
    X(tile_to_shape, tile_to_shape, L, (L, T), "a block repeated up to a shape", \
      "tile_to_shape((_8,_8):(_8,_1), (16,32))", "((_8,2),(_8,4)):((_8,_64),(_1,128))", "block: target:") \
    X(tile_to_shape, tile_to_shape_ordered, L, (L, T, T), "a block repeated up to a shape, in an order", \
      "tile_to_shape((_4,_8):(_8,_1), (12,_24), LayoutRight)", "((_4,3),(_8,_3)):((_8,_96),(_1,_32))", \
      "block: target: order:") \
    X(slice, layout_slice, L, (T, L), "the modes under `_` (coord, layout)", \
      "slice((_1,_), (_16,_2):(_8,_128))", "(_2):(_128)", "coord:") \
    X(dice, layout_dice, L, (T, L), "the modes under integers (coord, layout)", \
      "dice((_,_2,_), (1,3,((2,4))):(0,8,((4,1))))", "(3):(8)", "coord:") \
    X(slice_and_offset, slice_and_offset, Z, (T, L), "the slice, and the offset of the fixed coordinates", \
      "slice_and_offset((_1,_,_3,_), (_2,_4,_8,_8):(_1,_2,_8,_64))", "((_4,_8):(_2,_64),_25)", "coord:") \
    X(domain_offset, domain_offset, Z, (T, L), "the layout seen from a coordinate on", \
      "domain_offset((2,1), (4,2):(2,1))", "((4,2):(2,1),5)", "coord:") \
    X(to_mixed_bits, layout_to_mixed_bits, T, (L, T), "the bits of a coordinate, static or not", \
      "to_mixed_bits((_8,_8):(_1,_8), (3,_2))", "M_16|(3&7)=19", "- coord:") \
    X(get_hier_coord, get_hier_coord, T, (L, T), "the coordinate of an index", \
      "get_hier_coord((_2,((_32),_8)):(_256,((_8),_1)), _497)", "(_1,((_30),_1))", "- index:") \
    X(get_flat_coord, get_flat_coord, T, (L, T), "the coordinate of an index, one integer a mode", \
      "get_flat_coord((_12,(_8)):(_1,(_12)), _30)", "(_6,_2)", "- index:") \
    X(get_1d_coord, get_1d_coord, T, (L, T), "the 1-D coordinate of an index", \
      "get_1d_coord((_5,(_16,_5)):(_80,(_5,_1)), 372)", "214", "- index:") \
    X(upcast, upcast, L, (L, N), "each N elements as one of a wider type", \
      "upcast<4>((_32,_8):(_1,_32))", "(_8,_8):(_1,_8)", "- factor:") \
    X(downcast, downcast, L, (L, N), "each element as N of a narrower type", \
      "downcast<4>((_8,_4):(_1,_8))", "(_32,_4):(_1,_32)", "- factor:") \
    X(recast_layout, recast_layout, L, (L, B, B), "the layout of elements of another type", \
      "recast_layout<uint8_t,float>((_32,_8):(_1,_32))", "(_8,_8):(_1,_8)", "- from: to:") \
    X(fit, fit_leaves, L, (T), "the layout with these values, behind a swizzle where it must be", \
      "fit((0,1,3,2))", "Sw<1,0,1> o _0 o _4:_1", "values:") \
    X(fit, fit_tuple, L, (T, T), "the layout with these values over the coordinates of a shape (values, shape)", \
      "fit((0,4,1,5,2,6), (2,3))", "(2,3):(4,1)", "values: shape:") \
    X(composition_fit, composition_fit, L, (L, L), "the layout with the values A(B(c)), even if the condition fails", \
      "composition_fit((_3,_4):(_9,_1), _3:_4)", "_3:_10") \
    X(zip, zip_of, L, (M), "several layouts, mode by mode", \
      "zip((_3,_4):(_4,_1), (_2,_5):(_1,_2), (_7,_8):(_8,_1))", "((_3,_2,_7),(_4,_5,_8)):((_4,_1,_8),(_1,_2,_1))", \
      "layouts:") \
    X(evenly_divides, layout_evenly_divides, T, (L, R), "the tiler cuts the layout without a remainder", \
      "evenly_divides((_8,_12):(_12,_1), <_4:_2,_3>)", "_1") \
    X(is_static, layout_static_int, T, (L), "every leaf of shape, stride and offset is static", \
      "is_static((_4,_2):(_2,1))", "_0") \
    X(is_major, layout_major_int, T, (L, N), "mode N begins with stride 1", \
      "is_major<0>((_4,_2):(_2,_1))", "_0", "- mode:") \
    X(leading_dim, layout_leading_dim, T, (L), "the path to the first stride 1 of an extent that is not 1, or ()", \
      "leading_dim((_4,_2):(_2,_1))", "_1") \
    X(congruent, layout_congruent, T, (L, L), "two layouts have the same profile", \
      "congruent((_2,_3):(_1,_2), (_4,_6):(_6,_1))", "_1") \
    X(congruent, layout_congruent_shape, T, (L, T), "a layout and a shape have the same profile", \
      "congruent((_2,_3):(_1,_2), (_4,_6))", "_1") \
    X(congruent, shape_congruent_layout, T, (T, L), "a shape and a layout have the same profile", \
      "congruent((_2,_3), (_4,_6):(_6,_1))", "_1") \
    X(weakly_congruent, layout_weakly_congruent, T, (L, L), "b's profile refines a's, of two layouts", \
      "weakly_congruent((_2,_3):(_1,_2), (_4,(_6,_7)):(_42,(_1,_6)))", "_1") \
    X(weakly_congruent, layout_weakly_congruent_shape, T, (L, T), "the profile of the shape refines the layout's", \
      "weakly_congruent((_2,_3):(_1,_2), (_4,(_6,_7)))", "_1") \
    X(weakly_congruent, shape_weakly_congruent_layout, T, (T, L), "the profile of the layout refines the shape's", \
      "weakly_congruent((_2,_3), (_4,(_6,_7)):(_42,(_1,_6)))", "_1") \
    X(compatible, layout_compatible, T, (L, L), "b has the size of each leaf of a there, of two layouts", \
      "compatible((_4,_6):(_1,_4), (_4,(_2,_3)):(_6,(_1,_2)))", "_1") \
    X(compatible, layout_compatible_shape, T, (L, T), "the shape has the size of each leaf of the layout there", \
      "compatible((_4,_6):(_1,_4), (_4,(_2,_3)))", "_1") \
    X(compatible, shape_compatible_layout, T, (T, L), "the layout has the size of each leaf of the shape there", \
      "compatible((_4,_6), (_4,(_2,_3)):(_6,(_1,_2)))", "_1") \
    X(weakly_compatible, layout_weakly_compatible, T, (L, L), "each leaf of a divides b there, of two layouts", \
      "weakly_compatible((_4,_6):(_1,_4), (_8,(_2,_3)):(_6,(_1,_2)))", "_1") \
    X(weakly_compatible, layout_weakly_compatible_shape, T, (L, T), \
      "each leaf of the layout divides the size of the shape there", \
      "weakly_compatible((_4,_6):(_1,_4), (_8,(_2,_3)))", "_1") \
    X(weakly_compatible, shape_weakly_compatible_layout, T, (T, L), \
      "each leaf of the shape divides the size of the layout there", \
      "weakly_compatible((_4,_6), (_8,(_2,_3)):(_6,(_1,_2)))", "_1")
/* clang-format on */

TSR_HEADER_END

#endif
