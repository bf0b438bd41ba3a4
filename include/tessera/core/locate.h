/** The coordinate of an index: evaluation, backwards.
 *
 *  Law        L(c) = index, for a coordinate c inside the shape. An index that L does not reach is refused; of several
 *             coordinates any one is given.
 *  Condition  no stride is a dynamic 0. The coordinate of an extent _1 and of a stride _0 is _0.
 *  Method     (index / stride) mod extent at each leaf, as CuTe has it, where that obeys the law: on layouts that are
 *             compact in order. On all others a bounded search (core/search.h).
 *  Source     CuTe, include/cute/stride.hpp, idx2crd; layout.hpp, get_hier_coord.
 */
#ifndef TSR_CORE_LOCATE_H
#define TSR_CORE_LOCATE_H

#include "tessera/core/eval.h"
#include "tessera/base/int64.h"

TSR_HEADER_BEGIN

/** (index / stride) mod extent at each leaf of a shape. */
TSR_INTERNAL tsr_tuple tsr_coordinate_mod_(tsr_leaf index, tsr_tuple const *shape, tsr_tuple const *stride);

/** The coordinate of an index into shape:stride; of a tuple of indices, mode by mode. A stride that is an integer
 *  begins compact ones.
 *  Example  idx2crd(2, (2,3), (3,-1))  =  (1,1) */
TSR_OP tsr_tuple tsr_idx2crd_stride(tsr_tuple index, tsr_tuple shape, tsr_tuple stride);

/** The coordinate of an index as deep as the shape, with one integer a mode, and as one integer.
 *  Example  get_hier_coord((3,(2,3)):(3,(12,1)), 17)  =  (1,(1,2)) */
TSR_OP tsr_tuple tsr_get_hier_coord(tsr_layout l, tsr_tuple index);

TSR_OP tsr_tuple tsr_get_flat_coord(tsr_layout l, tsr_tuple index);

TSR_OP tsr_tuple tsr_get_1d_coord(tsr_layout l, tsr_tuple index);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/locate.h"
#endif

#endif
