/** Rows of engines and tensors. The kinds are explained in ops.h. */
#ifndef TSR_SRC_OPS_TENSOR_H
#define TSR_SRC_OPS_TENSOR_H

#include "tessera/tensor/clip.h"
#include "tessera/tensor/edge.h"
#include "tessera/tensor/like.h"
#include "tessera/tensor/map.h"
#include "tessera/tensor/partition.h"
#include "tessera/tensor/span.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_OPS_TENSOR(X, A) \
    X(counting_iter, counting_iter, E, (T), "the integers from n on", \
      "counting_iter(42)", "counting_iter(42)", "first:") \
    X(ArithTuple, arith_tuple, E, (U), "the coordinates from a tuple on", \
      "ArithTuple(0,0) o (4,5):(_1@0,_1@1)", "ArithTuple(0,0) o (4,5):(_1@0,_1@1)", "coord:") \
    X(make_inttuple_iter, make_inttuple_iter, E, (T), "the coordinates from a tuple on", \
      "make_inttuple_iter((42,_2,_7))", "ArithTuple(42,_2,_7)", "coord:") \
    X(gmem, gmem_ptr, E, (T, B), "a pointer to global memory", \
      "gmem<float>(1048576)", "gmem_ptr[32b](0x100000)", "address: type:") \
    X(smem, smem_ptr, E, (T, B), "a pointer to shared memory", \
      "smem<half_t>(1048576)", "smem_ptr[16b](0x100000)", "address: type:") \
    X(rmem, rmem_ptr, E, (T, B), "a pointer to registers", \
      "rmem<int4b_t>(1048576)", "subptr[4b](0x100000.0)", "address: type:") \
    A(raw, rmem_ptr, E, (T, B), "a pointer without a tag", \
      "raw<double>(1048576)", "ptr[64b](0x100000)", "address: type:") \
    X(tmem, tmem_ptr, E, (T, B), "a pointer to tensor memory: lane and column", \
      "tmem<float>(256)", "tmem_[32b](0x0000.0100)", "address: type:") \
    X(make_tensor, make_tensor_of, G, (E, L), "an engine in front of a layout", \
      "make_tensor(gmem<int4b_t>(1048576), _8:_1)", "gmem_subptr[4b](0x100000.0) o _8:_1", "engine: layout:") \
    X(make_tensor, make_tensor_compact, G, (E, T), "an engine in front of the compact layout of a shape", \
      "make_tensor(counting_iter(0), (_4,_5))", "counting_iter(0) o (_4,_5):(_1,_4)", "engine: shape:") \
    X(make_tensor, make_tensor_from, G, (E, T, T), "an engine in front of shape:stride, or of a shape and an order", \
      "make_tensor(smem<float>(1048576), (_4,_8), LayoutRight)", "smem_ptr[32b](0x100000) o (_4,_8):(_8,_1)", \
      "engine: shape: stride:") \
    X(make_counting_tensor, make_counting_tensor, G, (L), "a layout's own offsets as elements", \
      "make_counting_tensor((4,5):(_1,4))", "counting_iter(0) o (4,5):(_1,4)") \
    X(make_identity_tensor, make_identity_tensor, G, (T), "the coordinates of a shape as elements", \
      "make_identity_tensor((1024,2048))", "ArithTuple(_0,_0) o (1024,2048):(_1@0,_1@1)", "shape:") \
    X(call, tensor_at, T, (G, V), "the element at a coordinate; with `_` a slice", \
      "call(ArithTuple(0,0) o (4,5):(_1@1,_1@0), 2, 0)", "(0,2)", "- coord:") \
    X(slice, tensor_slice, G, (T, G), "the modes under `_`", \
      "slice((_,5), counting_iter(0) o (4,(2,3)):(6,(3,1)))", "counting_iter(5) o (4):(6)", "coord:") \
    X(domain_offset, tensor_domain_offset, G, (T, G), "the tensor seen from a coordinate on", \
      "domain_offset((1,2), counting_iter(0) o (4,5):(_1,4))", "counting_iter(9) o (4,5):(_1,4)", "coord:") \
    X(layout_of, tensor_layout, L, (G), "the layout", \
      "layout_of(counting_iter(8) o (2,_5):(_2,13))", "(2,_5):(_2,13)") \
    X(recast, recast, G, (G, B), "elements of another type in the same memory", \
      "recast<half_t>(make_tensor(gmem<float>(1048576), (_8,_16):(_1,_8)))", \
      "gmem_ptr[16b](0x100000) o (_16,_16):(_1,_16)", "- type:") \
    X(tensor, tensor_mode, G, (G, P), "the tensor of one mode", \
      "tensor<1>(counting_iter(0) o (4,(2,3)):(6,(3,1)))", "counting_iter(0) o (2,3):(3,1)", "- path:") \
    X(dice, tensor_dice, G, (T, G), "the modes under integers", \
      "dice((_,5), counting_iter(0) o (4,(2,3)):(6,(3,1)))", "counting_iter(0) o ((2,3)):((3,1))", "coord:") \
    X(cast_iter, cast_iter, E, (E, B), "the elements as numbers of another type, converted when they are read", \
      "cast_iter<half_t>(counting_iter(7))", "cast<f16>(counting_iter(7))", "- type:") \
    X(span, span, T, (L), "the least and the greatest offset", \
      "span((4,2):(1,-8))", "(-8,3)") \
    X(tile_count, tile_counts, T, (T, T), "the tiles of each mode of a shape, the ragged one included", \
      "tile_count((100,64), (32,32))", "(4,2)", "shape: tile:") \
    X(full_tiles, full_tiles, T, (T, T), "how many of them are full", \
      "full_tiles((100,64), (32,32))", "(3,2)", "shape: tile:") \
    X(edge_tile, edge_tile, T, (T, T), "how far the ragged tile reaches, 0 for none", \
      "edge_tile((100,64), (32,32))", "(4,0)", "shape: tile:") \
    X(valid_box, valid_box, T, (T, T, T), "the extents of the tile at a coordinate that lie inside the shape", \
      "valid_box((100,64), (32,32), (3,1))", "(4,32)", "shape: tile: coord:") \
    X(clipped_tile, clipped_part, G, (G, R, T), "what exists of the tile at a coordinate, where tiles do not divide", \
      "clipped_tile(counting_iter(0) o (10,10):(1,10), (8,8), (1,0))", "counting_iter(8) o (2,8):(1,10)", \
      "- tiler: coord:") \
    X(size, tensor_size_of, T, (G, P), "the number of elements", \
      "size(counting_iter(0) o (4,5):(_1,4))", "20", "- path:") \
    X(rank, tensor_rank_of, T, (G, P), "the number of modes", \
      "rank(counting_iter(42) o (_8,_4,(_2,_8)):(_1,_8,(_32,_64)))", "_3", "- path:") \
    X(depth, tensor_depth_of, T, (G, P), "the depth of nesting", \
      "depth(counting_iter(42) o (((_8,_2,_8,_6))):(((_1,_32,_64,_512))))", "_3", "- path:") \
    X(shape, tensor_shape_of, T, (G, P), "the shape", \
      "shape<1>(counting_iter(0) o (4,(2,3)):(6,(3,1)))", "(2,3)", "- path:") \
    X(flatten, tensor_flatten, G, (G), "all modes on one level", \
      "flatten(counting_iter(0) o (4,(2,3)):(6,(3,1)))", "counting_iter(0) o (4,2,3):(6,3,1)") \
    X(coalesce, tensor_coalesce, G, (G), "the same function with fewer modes", \
      "coalesce(counting_iter(0) o ((_4,_6)):((_1,_4)))", "counting_iter(0) o _24:_1") \
    X(coalesce, tensor_coalesce_by, G, (G, T), "coalesce, mode by mode of a profile", \
      "coalesce(counting_iter(0) o ((_2,_3),_4):((_1,_2),_6), (1,1))", "counting_iter(0) o (_6,_4):(_1,_6)", \
      "- profile:") \
    X(filter, tensor_filter, G, (G), "coalesce without modes of static stride 0", \
      "filter(counting_iter(0) o (_2,_3):(_0,_1))", "counting_iter(0) o _3:_1") \
    X(filter_zeros, tensor_filter_zeros, G, (G), "modes of static stride 0 shrink to extent _1", \
      "filter_zeros(counting_iter(0) o (_2,_3):(_0,_1))", "counting_iter(0) o (_1,_3):(_0,_1)") \
    X(group_modes, group_modes, G, (G, N, N), "modes B to E as one mode", \
      "group_modes<0,2>(counting_iter(0) o (2,3,4):(_1,2,6))", "counting_iter(0) o ((2,3),4):((_1,2),6)", \
      "- begin: end:") \
    X(take, tensor_take, G, (G, N, N), "modes B to E, E not included", \
      "take<1,3>(counting_iter(0) o (2,3,4):(_1,2,6))", "counting_iter(0) o (3,4):(2,6)", "- begin: end:") \
    X(composition, tensor_composition_by, G, (G, R), "the layout composed with a layout or tiler", \
      "composition(counting_iter(0) o (_4,_6):(_6,_1), _8:_2)", "counting_iter(0) o (_2,_4):(_12,_1)") \
    X(logical_divide, tensor_logical_divide_by, G, (G, R), "mode 0 is a tile, mode 1 counts the tiles", \
      "logical_divide(counting_iter(0) o _24:_1, _4)", "counting_iter(0) o (_4,_6):(_1,_4)") \
    X(zipped_divide, tensor_zipped_divide_by, G, (G, R), "((tile),(rest)): mode 0 is one tile, mode 1 counts the tiles", \
      "zipped_divide(counting_iter(0) o (8,24):(_1,8), (_4,_8))", "counting_iter(0) o ((_4,_8),(2,3)):((_1,8),(_4,64))") \
    X(tiled_divide, tensor_tiled_divide_by, G, (G, R), "((tile),rest..): mode 0 is one tile, the others count the tiles", \
      "tiled_divide(counting_iter(0) o (8,24):(_1,8), (_4,_8))", "counting_iter(0) o ((_4,_8),2,3):((_1,8),_4,64)") \
    X(flat_divide, tensor_flat_divide_by, G, (G, R), "(tile..,rest..): the modes of one tile, then those that count the tiles", \
      "flat_divide(counting_iter(0) o (8,24):(_1,8), (_4,_8))", "counting_iter(0) o (_4,_8,2,3):(_1,8,_4,64)") \
    X(inner_partition, tensor_inner_partition, G, (G, R, T), "the tile at a coordinate among the tiles", \
      "inner_partition(counting_iter(0) o (8,24):(_1,8), (_4,_8), (0,0))", "counting_iter(0) o (_4,_8):(_1,8)", \
      "- tiler: coord:") \
    X(outer_partition, tensor_outer_partition, G, (G, R, T), "the elements at a coordinate of every tile", \
      "outer_partition(counting_iter(0) o (8,24):(_1,8), (_4,_8), (1,2))", "counting_iter(17) o (2,3):(_4,64)", \
      "- tiler: coord:") \
    X(local_tile, tensor_local_tile, G, (G, R, T), "the tile of a block", \
      "local_tile(make_identity_tensor((_256,48)), (_64,_4), (_,_))", \
      "ArithTuple(_0,_0) o (_64,_4,_4,12):(_1@0,_1@1,_64@0,_4@1)", "- tiler: coord:") \
    X(local_tile, tensor_local_tile_by, G, (G, R, T, T), "the tile of a block, of the modes that a projection keeps", \
      "local_tile(make_identity_tensor((1024,2048)), (_128,_128,_8), (3,2,_), (_1,_1,_))", \
      "ArithTuple(384,256) o (_128,_128):(_1@0,_1@1)", "- tiler: coord: proj:") \
    X(local_partition, tensor_local_partition, G, (G, L, T), "the elements of one thread of a layout of threads", \
      "local_partition(counting_iter(0) o (_128,_8):(_1,_129), (_32,_8):(_8,_1), 255)", \
      "counting_iter(934) o (_4,_1):(_32,_0)", "- threads: index:") \
    X(local_partition, tensor_local_partition_by, G, (G, L, T, T), "the same, of the modes that a projection keeps", \
      "local_partition(counting_iter(0) o (_128,_8):(_1,_129), (_16,_16):(_1,_16), 255, (_,_1))", \
      "counting_iter(15) o (_8,_8):(_16,_129)", "- threads: index: proj:") \
    X(layout, tensor_layout_of, L, (G, P), "the layout, or that of the mode at a path", \
      "layout<1>(counting_iter(0) o (4,(2,3)):(6,(3,1)))", "(2,3):(3,1)", "- path:") \
    A(get, tensor_mode, G, (G, P), "the tensor of one mode", \
      "get<1>(counting_iter(0) o (4,(2,3)):(6,(3,1)))", "counting_iter(0) o (2,3):(3,1)", "- path:") \
    X(stride, tensor_stride_of, T, (G, P), "the stride", \
      "stride<1>(counting_iter(0) o (4,(2,3)):(6,(3,1)))", "(3,1)", "- path:") \
    X(coshape, tensor_coshape_of, T, (G, P), "the exclusive bounds of the codomain", \
      "coshape(counting_iter(0) o (_4,_12):(1,12))", "136", "- path:") \
    X(cosize, tensor_cosize_of, T, (G, P), "the size of the codomain", \
      "cosize(gmem<float>(1024) o (_4,_8):(_32,_2))", "_111", "- path:") \
    X(is_major, tensor_major_int, T, (G, N), "mode N begins with stride 1", \
      "is_major<1>(gmem<float>(1024) o (_4,_8):(_8,_1))", "_1", "- mode:") \
    X(leading_dim, tensor_leading_dim, T, (G), "the path to the first stride 1 of an extent that is not 1, or ()", \
      "leading_dim(gmem<float>(1024) o (4,8):(8,1))", "1") \
    X(select, tensor_select, G, (G, P), "the modes listed", \
      "select<2,0>(counting_iter(0) o (2,3,4):(_1,2,6))", "counting_iter(0) o (4,2):(6,_1)", "- path:") \
    X(append, tensor_append, G, (G, L), "one more mode at the end", \
      "append(counting_iter(0) o (_4,_8):(_1,_4), _2:_32)", "counting_iter(0) o (_4,_8,_2):(_1,_4,_32)", "- mode:") \
    X(append, tensor_pad, G, (G, N), "_1:_0 at the end, up to rank N", \
      "append<3>(counting_iter(0) o (_4,_8):(_1,_4))", "counting_iter(0) o (_4,_8,_1):(_1,_4,_0)", "- rank:") \
    X(prepend, tensor_prepend, G, (G, L), "one more mode in front", \
      "prepend(counting_iter(0) o (_4,_8):(_1,_4), _2:_32)", "counting_iter(0) o (_2,_4,_8):(_32,_1,_4)", "- mode:") \
    X(prepend, tensor_pad_front, G, (G, N), "_1:_0 in front, up to rank N", \
      "prepend<3>(counting_iter(0) o (_4,_8):(_1,_4))", "counting_iter(0) o (_1,_4,_8):(_0,_1,_4)", "- rank:") \
    X(filter_zeros, tensor_filter_zeros_by, G, (G, T), "modes under static zeros of a profile shrink to _1", \
      "filter_zeros(counting_iter(0) o (_3,_4):(_1,_3), (1,_0))", "counting_iter(0) o (_3,_1):(_1,_3)", "- profile:") \
    X(max_common_layout, tensor_max_common_layout, L, (G, G), "the contiguous elements two tensors have in common", \
      "max_common_layout(gmem<float>(1024) o (_4,_8):(_8,_1), smem<float>(512) o (_4,_8):(_8,_1))", \
      "(_8,_4):(_4,_1)") \
    X(max_common_vector, tensor_max_common_vector, T, (G, G), "the number of them, _0 where the types differ", \
      "max_common_vector(gmem<float>(1024) o (_4,8):(_1,_4), smem<float>(512) o (_4,8):(_1,_4))", "_4") \
    X(max_alignment, tensor_max_alignment, T, (G), "the bits of the widest access that splits no element", \
      "max_alignment(gmem<half_t>(1024) o (_8,7):(_1,_16))", "_128") \
    X(make_tensor_like, make_tensor_like, G, (G), \
      "compact, of the same type and order of strides, without an address", \
      "make_tensor_like(gmem<half_t>(1024) o (_4,_8):(_32,_2))", "ptr[16b](0x0) o (_4,_8):(_8,_1)") \
    X(make_tensor_like, make_tensor_like_as, G, (G, B), \
      "a compact tensor of another type with the same order of strides, without an address", \
      "make_tensor_like<float>(gmem<half_t>(1024) o (_4,_8):(_32,_2))", "ptr[32b](0x0) o (_4,_8):(_8,_1)", "- type:") \
    X(make_tensor_like, make_tensor_like_layout, G, (L, B), \
      "a compact tensor of a type, with the order of strides of a layout, without an address", \
      "make_tensor_like<float>((_4,_8):(_32,_2))", "ptr[32b](0x0) o (_4,_8):(_8,_1)", "- type:") \
    X(make_fragment_like, tensor_make_fragment_like, G, (G), \
      "a tensor in registers of the same type, compact with mode 0 first", \
      "make_fragment_like(smem<float>(512) o (_4,_8,_2):(_8,_1,_64))", "ptr[32b](0x0) o (_4,_8,_2):(_1,_4,_32)") \
    X(make_fragment_like, make_fragment_like_as, G, (G, B), \
      "a tensor in registers of another type, compact with mode 0 first", \
      "make_fragment_like<half_t>(smem<float>(512) o (_4,_8,_2):(_8,_1,_64))", "ptr[16b](0x0) o (_4,_8,_2):(_1,_4,_32)", \
      "- type:") \
    X(make_fragment_like, make_fragment_like_layout, G, (L, B), \
      "a tensor in registers of a type and the shape of a layout, mode 0 first", \
      "make_fragment_like<half_t>((_4,_8,_2):(_8,_1,_64))", "ptr[16b](0x0) o (_4,_8,_2):(_1,_4,_32)", "- type:") \
    X(size_in_bytes, layout_size_in_bytes, T, (L, B), "the bytes that hold every element", \
      "size_in_bytes<half_t>((_8,_64):(_72,_1))", "_1136", "- type:") \
    X(size_in_bytes, tensor_size_in_bytes, T, (G), "the bytes that hold every element", \
      "size_in_bytes(gmem<float>(1024) o (4,8):(8,1))", "128")
/* clang-format on */

TSR_HEADER_END

#endif
