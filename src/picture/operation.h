/** Pictures of operations: each draws the arguments, the result, and which of their cells correspond. */
#ifndef TSR_SRC_PICTURE_OPERATION_H
#define TSR_SRC_PICTURE_OPERATION_H

#include "picture/build.h"

/** Draws a call and its result. One that leaves the picture without panels has no picture of its own. */
typedef void picture_maker(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o);

/* clang-format off */
/** X(name of the operation, maker) */
#define PICTURE_OPERATIONS(X) \
    X(composition, composition) X(compose, composition) \
    X(complement, complement) X(right_inverse, inverse) X(left_inverse, inverse) \
    X(logical_divide, divide) X(zipped_divide, divide) X(tiled_divide, divide) X(flat_divide, divide) X(tile, divide) \
    X(logical_product, product) X(zipped_product, product) X(tiled_product, product) X(flat_product, product) \
    X(blocked_product, product) X(raked_product, product) X(tile_to_shape, repeated) \
    X(slice, slice) X(call, slice) X(slice_and_offset, slice) \
    X(inner_partition, tiles) X(local_tile, tiles) X(outer_partition, owners) X(local_partition, owners) \
    X(partition_A, owners) X(partition_B, owners) X(partition_C, owners) X(partition_S, owners) X(partition_D, owners) \
    X(mma_layout_a, operand) X(mma_layout_b, operand) X(mma_layout_c, operand) \
    X(get_layoutA_TV, operand) X(get_layoutB_TV, operand) X(get_layoutC_TV, operand) \
    X(thrfrg_A, cut) X(thrfrg_B, cut) X(thrfrg_C, cut) X(tidfrg_S, cut) X(tidfrg_D, cut) \
    X(tiled_layout_tv, copied) X(get_layoutS_TV, copied) X(get_layoutD_TV, copied) \
    X(copy_layout_src, moved) X(copy_layout_dst, moved) X(copy_layout_ref, moved) \
    X(mma_layout_e, moved) X(mma_layout_sfa, moved) X(mma_layout_sfb, moved) \
    X(bank_conflicts, bank_conflicts) X(find_swizzle, find_swizzle) \
    X(tmem_c, tmem_c) X(tmem_a, tmem_a) X(tmem_e, tmem_e) X(tmem_sfa, tmem_sfa) X(tmem_sfb, tmem_sfb) \
    X(tmem_plan, tmem_plan) \
    X(tvlayout, asked) X(x, asked) X(d, asked) X(lengths, asked) X(offset, asked) X(fold, asked) X(vec, asked) \
    X(wintraits, asked) X(load, asked) X(loadmoved, asked) X(storeall, asked)
/* clang-format on */

#define X(name, maker) picture_maker tsr_picture_##maker##_;
PICTURE_OPERATIONS(X)
#undef X

/** The call with its argument `at` replaced by the compact layout of the same shape, or by the counting tensor of it:
 *  the result then names elements by their 1-D coordinates in the argument. False: the operation refuses. */
bool tsr_picture_traced_(tsr_picture *p, call const *c, int at, value *result);

/** A copy of the arguments with room for `more` values, in the memory of the evaluation; NULL: without memory. */
value *tsr_picture_values_(tsr_picture *p, call const *c, int more);

/** The argument that is the layout or tensor the operation works on, or -1. */
int tsr_picture_subject_(call const *c);

/** The layout of a layout or tensor value. */
tsr_layout tsr_picture_layout_of_(value const *v);

/** The 1-D coordinate in the subject of element i of a traced result, -1 where that is no number. */
int64_t tsr_picture_source_(value const *traced, int64_t i);

#endif
