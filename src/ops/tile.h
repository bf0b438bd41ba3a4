/** Rows of CK Tile: descriptors, transforms, distributions, views, windows. The kinds are explained in ops.h.
 *
 *  Lengths and indices are written slowest first, as CK Tile has them; an argument that is left out is () or "". The
 *  calculator writes `D | t:low>up + ..` for a stage, `E o D` for a view, `D @@ distribution origin=O` for a window;
 *  memory that is not there counts: its element i is the number i.
 */
#ifndef TSR_SRC_OPS_TILE_H
#define TSR_SRC_OPS_TILE_H

#include "tessera/text.h"
#include "tessera/tile.h"
#include "tessera/tile/tile_window.h"

TSR_HEADER_BEGIN

/** Indices, or why one of them is none; transforms and the dimensions that they connect. */
typedef struct tsr_index_list {
    tsr_reason why;
    int count;
    tsr_index const *at;
} tsr_index_list;

typedef struct tsr_link_list {
    int count;
    tsr_link const *at;
} tsr_link_list;

/* clang-format off */
#define TSR_EXAMPLE_TILE "packed((2,6)) | pass(2):0>0 + unmerge(2,3):1>1,2"
#define TSR_EXAMPLE_DISTRIBUTION "dist{R=();H=((2,2),(4,4));P=((1.0,2.0));Y=(1.1,2.1)}"
#define TSR_EXAMPLE_REPLICATED "dist{R=(2);H=((2),(4));P=((0.0,1.0));Y=(2.0)}"

/* What one dimension is to another */
#define TSR_OPS_TRANSFORMS(X, A) \
    X(pass, tile_pass, t, (T), "one dimension as it is", "pass(7)", "pass(7)", "length:") \
    X(pad, tile_pad, t, (T, T, T), "padding on both sides: length, left, right", "pad(6,1,2)", "pad(6,1,2)", \
      "length: left: right:") \
    X(pad_skip, tile_pad_skip, t, (T, T, T), \
      "padding whose elements count as valid", "pad_skip(6,1,2)", "pad_skip(6,1,2)", "length: left: right:") \
    X(lpad, tile_lpad, t, (T, T), "padding in front", "lpad(6,1)", "lpad(6,1)", "length: left:") \
    X(rpad, tile_rpad, t, (T, T), "padding behind", "rpad(6,2)", "rpad(6,2)", "length: right:") \
    X(embed, tile_embed, t, (T, T), "the sum of indices times coefficients: lengths, coefficients", \
      "embed((3,4),(1,2))", "embed((3,4),(1,2))", "lengths: coefficients:") \
    X(merge, tile_merge, t, (U), "several dimensions as one, the last fastest", "merge(2,3)", "merge(2,3)", \
      "lengths:") \
    X(merge_mod, tile_merge_mod, t, (U), \
      "several dimensions as one, the last fastest, by divisions", "merge_mod(2,3)", "merge_mod(2,3)", "lengths:") \
    X(unmerge, tile_unmerge, t, (U), "one dimension as several", "unmerge(2,3)", "unmerge(2,3)", "lengths:") \
    X(freeze, tile_freeze, t, (T), "an index that stays", "freeze(1)", "freeze(1)", "index:") \
    X(insert, tile_insert, t, (T), "a dimension that is not in memory", "insert(4)", "insert(4)", "length:") \
    X(replicate, tile_replicate, t, (U), \
      "several dimensions that are not in memory", "replicate(2,4)", "replicate(2,4)", "lengths:") \
    X(slice, tile_slice, t, (T, T, T), "a range of indices: length, begin, end", "slice(9,2,6)", "slice(9,2,6)", \
      "length: begin: end:") \
    X(modulo, tile_modulo, t, (T, T), \
      "an index that comes again: length below, length", "modulo(4,12)", "modulo(4,12)", "length: upper_length:") \
    X(xor, tile_xor, t, (T, T), "the second index xor the first: two lengths", "xor(8,8)", "xor(8,8)", \
      "length: other_length:") \
    X(offset, tile_shift, t, (T, T), "an index from a first one on: length, first", "offset(4,2)", "offset(4,2)", \
      "length: first:") \
    X(indexing, tile_indexing, t, (i), "a table of indices", "indexing((2,0,1))", "indexing((2,0,1))") \
    X(uplens, tile_uplens, T, (t), "the upper lengths of a transform", "uplens unmerge(2,3)", "(2,3)") \
    X(always_valid, tile_always_valid, T, (t), "is every upper index in memory", "always_valid pad(6,1,2)", "0") \
    X(lower, tile_lower, a, (t, T, o), "the lower index of an upper one, and whether it is valid", \
      "lower pad(6,1,2) @ (0)", "(-1) 0", "- index:") \
    X(update, tile_update, a, (t, T, T, o), "the lower index after a step, and how far it moved", \
      "update merge(2,3) @ (2) ; (1)", "(1,0) (1,-2)", "- index: step:") \
    X(magic, tile_magic, s, (T), "multiplier and shift that divide by a number", "magic 7", "613566757 3", "divisor:") \
    X(mdiv, tile_mdiv, T, (T, T), "a number divided by another, by multiplier and shift", "mdiv 23 7", "3", \
      "number: divisor:")

/* What maps an index to an offset */
#define TSR_OPS_DESCRIPTORS(X, A) \
    X(naive, tile_naive, d_, (T, T, T, T), "lengths and strides; v, s: how many elements, how far apart, are sure to be one vector", \
      "naive((4,6),(8,1),v=2,s=1)", "naive((4,6),(8,1),v=2,s=1)", "lengths: strides: v s") \
    X(packed, tile_packed, d_, (T, T), "lengths without gaps", "packed((4,6),v=2)", "packed((4,6),v=2)", "lengths: v") \
    X(aligned, tile_aligned, d_, (T, T), "rows padded to a multiple of n elements", "aligned((4,6),8)", \
      "aligned((4,6),8)", "lengths: multiple:") \
    X(naive_off, tile_naive_off, d_, (T, T, T, T, T), "lengths and strides from an offset on", \
      "naive_off((6,5),(-1,6),5)", "naive_off((6,5),(-1,6),5)", "lengths: strides: offset: v s") \
    X(transform_tensor_descriptor, tile_stage, d_, (d, l), "a stage of transforms on top of a descriptor: D | t:low>up + ..", \
      "transform_tensor_descriptor(packed((2,6)), pass(2):0>0, unmerge(2,3):1>1,2)", \
      "transform_tensor_descriptor(packed((2,6)), pass(2):0>0, unmerge(2,3):1>1,2)") \
    X(lengths, tile_lengths, T, (d), "the lengths of the top dimensions", "lengths " TSR_EXAMPLE_TILE, "(2,2,3)") \
    X(size, tile_size, T, (d), "how many elements it spans", "size " TSR_EXAMPLE_TILE, "12") \
    X(nhidden, tile_hidden_count, T, (d), "how many hidden dimensions it has", "nhidden " TSR_EXAMPLE_TILE, "6") \
    X(offset, tile_offset, s, (d, T), "the offset of an index; is it no padding, and inside the lengths, too", \
      "offset " TSR_EXAMPLE_TILE " @ (1,0,2)", "8 1 1", "- index:") \
    X(hidden, tile_hidden, a, (d, T, o), "the index in all hidden dimensions, the offset first", \
      "hidden " TSR_EXAMPLE_TILE " @ (1,0,2)", "(8,1,2,1,0,2)", "- index:") \
    X(walk, tile_walk, a, (d, T, i, o), "a coordinate, and where it is after each step: index=offset/valid", \
      "walk " TSR_EXAMPLE_TILE " @ (1,0,2) ; (-1,0,-1) ; (1,1,2)", "(1,0,2)=8/11 (0,0,1)=1/11 (1,1,3)=12/10", \
      "- index: steps:") \
    X(vec, tile_vec, a, (d, o), "the vectors that CK Tile takes for sure: lengths and strides, -1 for none", \
      "vec packed((4,6),v=2)", "(-1,2) (-1,1)") \
    X(fold, tile_fold, a, (d, o), \
      "a descriptor as a layout, or the reason why it has none", "fold " TSR_EXAMPLE_TILE, "off=0 (2,2,3):(6,3,1)") \
    X(foldswz, tile_fold_swizzled, a, (d, o), "a descriptor as a swizzled layout, or the reason why it has none", \
      "foldswz packed((4,4)) | xor(4,4):0,1>0,1", "Swizzle<2,0,2> off=0 (4,4):(4,1)") \
    X(make_tensor_view, tile_view, v_, (E, d), "an engine in front of a descriptor: E o D", \
      "make_tensor_view(gmem<float>(4096), packed((4,6)))", "make_tensor_view(gmem<float>(4096), packed((4,6)))") \
    X(get, tile_get, a, (v, T, T, T, o), "w elements from an index on; elements outside are 0, or inv", \
      "get packed((3,4)) w=2 inv=-1 @ (0,3)", "(3,-1)", "- w inv index:") \
    X(update2, tile_update_view, a, (m, p, v, T, i, o), \
      "memory after x was set, added .. at indices: op set, add, max, atomic_add, atomic_max; space generic, lds, vgpr", \
      "update2 op=add packed((2,3)) x=10 @ (0,1) @ (1,1)", "(0,11,2,3,14,5)", "op space - x indices:")

/* Which thread has which element of a tile */
#define TSR_OPS_DISTRIBUTIONS(X, A) \
    X(ndims, tile_ndims, s, (e), \
      "how many dimensions X, P, Y and R it has", "ndims " TSR_EXAMPLE_DISTRIBUTION, "2 1 2 0") \
    X(xlens, tile_xlens, T, (e), "the lengths of the tile", "xlens " TSR_EXAMPLE_DISTRIBUTION, "(4,16)") \
    X(ylens, tile_ylens, T, (e), "the lengths of a thread's part", "ylens " TSR_EXAMPLE_DISTRIBUTION, "(2,4)") \
    X(dsize, tile_dsize, T, (e), \
      "how many elements a thread has in a distribution", "dsize " TSR_EXAMPLE_DISTRIBUTION, "8") \
    X(nhidden, tile_distribution_hidden, T, (e), "how many hidden dimensions the graph of a distribution has", \
      "nhidden " TSR_EXAMPLE_DISTRIBUTION, "7") \
    X(x, tile_x, T, (e, T, T), "the element of a thread p at its index y", \
      "x " TSR_EXAMPLE_DISTRIBUTION " @ p=(3) y=(1,2)", "(1,14)", "- p y") \
    X(d, tile_d, T, (e, T), \
      "the place of index y in the buffer of a thread", "d " TSR_EXAMPLE_DISTRIBUTION " @ y=(1,2)", "6", "- y") \
    X(rs, tile_rs, T, (e, T), \
      "the replica that a thread p has", "rs " TSR_EXAMPLE_REPLICATED " @ p=(3)", "(1)", "- p") \
    X(spans, tile_spans, a, (e, o), \
      "the factors of each X that a thread has", "spans " TSR_EXAMPLE_DISTRIBUTION, "((2),(4))") \
    X(yspan, tile_yspan, a, (e, o), \
      "the factors of each X that each Y is", "yspan " TSR_EXAMPLE_DISTRIBUTION, "(0.0,1.0)") \
    X(p_over_r, tile_p_over_r, a, (e, o), \
      "how far a step of each R moves each P", "p_over_r " TSR_EXAMPLE_REPLICATED, "((2))") \
    X(p_owns_r, tile_p_owns_r, a, (e, o), "does each P own each R", "p_owns_r " TSR_EXAMPLE_REPLICATED, "((1))") \
    X(tvlayout, tile_tv_layout, L, (e), "(thread,value) to the element of the tile, the first X fastest", \
      "tvlayout " TSR_EXAMPLE_DISTRIBUTION, "((4,2),(4,2)):((16,2),(4,1))") \
    X(embed, tile_embed_distribution, e, (e, e), "a distribution of tiles, each distributed by another one", \
      "embed dist{R=();H=((2));P=((1.0));Y=()} * dist{R=();H=((4));P=();Y=(1.0)}", \
      "dist{R=();H=((2,4));P=((1.0));Y=(1.1)}", "outer: inner:") \
    X(reduce, tile_reduce_distribution, e, (e, T), "the distribution left after reducing dimensions of the tile", \
      "reduce " TSR_EXAMPLE_DISTRIBUTION " dims=(1)", "dist{R=(4);H=((2,2));P=((1.0,0.0));Y=(1.1)}", "- dims") \
    X(slice, tile_slice_distribution, a, (e, T, T, o), \
      "a part of the tile: its distribution, and where it is in the buffer", \
      "slice " TSR_EXAMPLE_DISTRIBUTION " begin=(0,0) end=(4,16)", \
      TSR_EXAMPLE_DISTRIBUTION " yorg=(0,0) ylen=(2,4) buf=(0,1,2,3,4,5,6,7)", "- begin end") \
    X(shuffle, tile_shuffle, a, (e, e, o), "where each element of a buffer was before its Ys changed their order", \
      "shuffle " TSR_EXAMPLE_DISTRIBUTION " -> dist{R=();H=((2,2),(4,4));P=((1.0,2.0));Y=(2.1,1.1)}", "(0,4,1,5,2,6,3,7)", \
      "source: destination:") \
    X(sweep, tile_sweep, a, (e, T, o), "the Ys in the order of a sweep; unpack says how many of each X at a time", \
      "sweep " TSR_EXAMPLE_DISTRIBUTION " unpack=(1,2)", \
      "(0,0)+(0,1) (0,2)+(0,3) (1,0)+(1,1) (1,2)+(1,3)", "- unpack") \
    X(reducetile, tile_reduce, a, (m, e, T, o), \
      "a thread's part reduced by op max or sum; its element d is (7 d) mod 13", \
      "reducetile op=sum " TSR_EXAMPLE_DISTRIBUTION " dims=(1)", \
      "dist{R=(4);H=((2,2));P=((1.0,0.0));Y=(1.1)} buf=(16,24)", "op - dims") \
    X(lanes, tile_lanes, a, (e, o), \
      "which lane each exchanges with, stage by stage", "lanes " TSR_EXAMPLE_REPLICATED, "(2,3,0,1)") \
    X(reducelanes, tile_reduce_lanes, a, (m, e, o), "the buffers of all threads reduced between lanes", \
      "reducelanes op=max " TSR_EXAMPLE_REPLICATED, "(4,11,5,12,6,9,7,10,4,11,5,12,6,9,7,10)", "op") \
    X(sfc, tile_sfc, a, (T, T, T, T, o), \
      "the indices of a space-filling curve: lengths, order, elements an access, back and forth", \
      "sfc (2,4) order=(0,1) per=(1,2) snake=1", "(0,0) (0,2) (1,2) (1,0)", "lengths: order per snake") \
    X(sfcsteps, tile_sfc_steps, a, (T, T, T, T, o), \
      "the steps of a space-filling curve", "sfcsteps (2,4) per=(1,2)", "(0,2) (1,0) (0,-2)", \
      "lengths: order per snake")

/* A tile of a view, dealt out to threads */
#define TSR_OPS_WINDOWS(X, A) \
    X(make_tile_window, tile_make_window, w_, (v, e, T), "the part of a view from an origin on, dealt out: D @@ distribution", \
      "make_tile_window(packed((8,32)), " TSR_EXAMPLE_DISTRIBUTION ", origin=(0,16))", \
      "make_tile_window(packed((8,32)), " TSR_EXAMPLE_DISTRIBUTION ", origin=(0,16))", "- - origin") \
    X(wintraits, tile_window_traits, a, (w, o), \
      "vectors of each Y, the one along which accesses go, how long and how many", \
      "wintraits packed((8,32),v=4) @@ " TSR_EXAMPLE_DISTRIBUTION, "ylen=(-1,4) ystride=(-1,1) vdim=1 vlen=4 naccess=2") \
    X(plan, tile_plan_window, a, (w, o), \
      "where the tile is, and the loops of a thread and of all: run count:memory:buffer ..", \
      "plan packed((8,32)) @@ " TSR_EXAMPLE_DISTRIBUTION " origin=(0,16)", "inside thread=4 2:32:4 block=4 4:4:8 2:32:4 2:64:32") \
    X(load, tile_load, a, (w, T, o), "what thread p loads", \
      "load packed((8,32)) @@ " TSR_EXAMPLE_DISTRIBUTION " origin=(0,16) p=(1)", "(20,21,22,23,52,53,54,55)", "- p") \
    X(loadmoved, tile_load_moved, a, (w, T, T, o), "what thread p loads after the window has moved", \
      "loadmoved packed((8,32)) @@ " TSR_EXAMPLE_DISTRIBUTION " origin=(0,0) p=(1) step=(0,16)", "(20,21,22,23,52,53,54,55)", \
      "- p step") \
    X(storeall, tile_store_all, a, (w, o), "memory after all threads have stored 1, 2, ..", \
      "storeall packed((2,4)) @@ dist{R=();H=((2),(4));P=((1.0));Y=(2.0)} origin=(0,0)", "(1,2,3,4,5,6,7,8)")

#define TSR_OPS_TILE(X, A) \
    TSR_OPS_TRANSFORMS(X, A) TSR_OPS_DESCRIPTORS(X, A) TSR_OPS_DISTRIBUTIONS(X, A) TSR_OPS_WINDOWS(X, A)
/* clang-format on */

TSR_HEADER_END

#endif
