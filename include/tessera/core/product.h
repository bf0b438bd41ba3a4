/** Products: a layout repeated by another.
 *
 *  Law        logical_product(L, T) = (L, complement(L) o T), the complement as long as T reaches: mode 0 is L, mode 1
 *             repeats it, disjointly and in the order of T. By mode for a tuple. blocked_product interleaves the modes
 *             block first, raked_product tiler first; both pad ranks with _1:_0.
 *  Condition  those of complement and composition; T gives integers; a T with negative strides needs a complement of
 *             one mode.
 *  Swizzles   one in front of L stays in front of the whole; one in front of T is traced to the bits that the
 *             repetitions take, or fitted (core/fit.h).
 *  Example    logical_product((_2,_2):(_1,_3), _3:_1)  =  ((_2,_2),_3):((_1,_3),_6)
 *  Source     CuTe, include/cute/layout.hpp.
 */
#ifndef TSR_CORE_PRODUCT_H
#define TSR_CORE_PRODUCT_H

#include "tessera/core/divide.h"
#include "tessera/core/join.h"
#include "tessera/core/slice.h"

TSR_HEADER_BEGIN

/** (L, complement(L) o T).
 *  Example  logical_product(_2:_1, Sw<1,0,1> o _0 o _4:_1)  =  Sw<1,1,1> o _0 o (_2,_4):(_1,_2) */
TSR_OP tsr_layout tsr_logical_product_by(tsr_layout block, tsr_tiler t);

TSR_OP tsr_layout tsr_zipped_product_by(tsr_layout block, tsr_tiler t);

TSR_OP tsr_layout tsr_tiled_product_by(tsr_layout block, tsr_tiler t);

TSR_OP tsr_layout tsr_flat_product_by(tsr_layout block, tsr_tiler t);

/** The block's elements next to each other, blocks in the order of the tiler. */
TSR_OP tsr_layout tsr_blocked_product(tsr_layout block, tsr_layout tiler);

/** Blocks interleaved like the prongs of a rake. */
TSR_OP tsr_layout tsr_raked_product(tsr_layout block, tsr_layout tiler);

/** The block repeated until it fills `target`, the repetitions in `order` (a tuple of orders, or tsr_left()).
 *  Errors  TILE_RANK; for a static target TILE_SHAPE (the block must divide it). */
TSR_OP tsr_layout tsr_tile_to_shape_ordered(tsr_layout block, tsr_tuple target, tsr_tuple order);

TSR_OP tsr_layout tsr_tile_to_shape(tsr_layout block, tsr_tuple target);

/** A compact layout for registers: mode 0 first, the other modes in the order of l's strides (static shapes of rank 2
 *  or more); otherwise column-major. */
TSR_OP tsr_layout tsr_make_fragment_like(tsr_layout l);

TSR_FN tsr_layout tsr_make_fragment_like_shape(tsr_tuple shape) { return tsr_make_layout_compact(shape); }

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/product.h"
#endif

#endif
