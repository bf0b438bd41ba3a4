/** Questions about layouts through their shapes and strides: of one profile, of one size, static, which mode is major.
 *
 *  Law     a predicate of layouts is the predicate of their shapes (core/shape.h); a static layout has only static
 *          leaves, the offset in front of its swizzle included.
 *  Source  CuTe, include/cute/int_tuple.hpp, layout.hpp; CuTe DSL, is_major, leading_dim, assume.
 */
#ifndef TSR_CORE_QUERY_H
#define TSR_CORE_QUERY_H

#include "tessera/core/divide.h"

TSR_HEADER_BEGIN

/* Predicates of two shapes, either of which may be that of a layout: 1 or 0 */

#define TSR_SHAPE_PREDICATES(X) X(congruent) X(weakly_congruent) X(compatible) X(weakly_compatible)

#define TSR_X_(name)                                                                                       \
  TSR_FN tsr_tuple tsr_layout_##name(tsr_layout a, tsr_layout b) { return tsr_##name(a.shape, b.shape); }  \
  TSR_FN tsr_tuple tsr_layout_##name##_shape(tsr_layout a, tsr_tuple b) { return tsr_##name(a.shape, b); } \
  TSR_FN tsr_tuple tsr_shape_##name##_layout(tsr_tuple a, tsr_layout b) { return tsr_##name(a, b.shape); }

TSR_SHAPE_PREDICATES(TSR_X_)

#undef TSR_X_

/** The tiler cuts the layout without a remainder.
 *  Law      where it does, and the division is defined, the divided layout has the size of the layout.
 *  Example  evenly_divides((_8,_12):(_12,_1), <_4:_2,_3>)  =  _1 */
TSR_OP tsr_tuple tsr_layout_evenly_divides(tsr_layout l, tsr_tiler t);

/* Static */

/** Is every leaf known when code is generated? `_`, () and the order tags are; partly static bits are not.
 *  Example  is_static((_4,(_2,3)))  =  _0 */
TSR_OP tsr_tuple tsr_tuple_static_int(tsr_tuple t);

TSR_OP tsr_tuple tsr_layout_static_int(tsr_layout l);

/** The integer x, which n is known to divide. Law: the identity. Errors: FACTOR, ASSUME.
 *  Example  assume(96, 8)  =  96 */
TSR_OP tsr_tuple tsr_assume(tsr_tuple x, tsr_tuple n);

/* Major modes. Where the stride that decides is static, so is the answer. */

/** Does the mode begin with stride 1? In C: tsr_is_major.
 *  Example  is_major<1>((8,(1,4)))  =  1 */
TSR_OP tsr_tuple tsr_major_int(tsr_tuple stride, int64_t mode);

TSR_OP tsr_tuple tsr_layout_major_int(tsr_layout l, int64_t mode);

/** The path to the first leaf of stride 1 whose extent is not 1: an integer for a mode that is a leaf, () for none.
 *  Errors  CONGRUENT.
 *  Example  leading_dim((_4,(_1,_8)), (_8,(_1,_1)))  =  (_1,_1) */
TSR_OP tsr_tuple tsr_leading_dim(tsr_tuple shape, tsr_tuple stride);

TSR_OP tsr_tuple tsr_layout_leading_dim(tsr_layout l);

/** The modes of several layouts of one rank, each with its place in all: ((a0,b0,c0),(a1,b1,c1),..).
 *  Law     mode (i,k) of zip(A,B,..) is mode i of layout k.
 *  Errors  ZIP_RANK; NOT_TILER for a swizzled one.
 *  Example  zip((_3,_4):(_4,_1), (_2,_5):(_1,_2), (7,8):(8,1))  =  ((_3,_2,7),(_4,_5,8)):((_4,_1,8),(_1,_2,1)) */
TSR_OP tsr_layout tsr_zip_of(tsr_tiler layouts);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/query.h"
#endif

#endif
