/** Inverses, nullspace, distribution.
 *
 *  Law of right_inverse  L(R(i)) = i for every i < size(R), R as large as the static strides allow.
 *  Law of left_inverse   R(L(i)) = i for every i < size(L), for an injective L; else L(R(L(i))) = L(i), R(L(i)) in
 *                        range.
 *  Coordinates           basis strides are inverted along each element, and R has a mode for each: L(i) is a coordinate
 *                        of R, coalesce(R) takes its index. A stride beside them is 0, another integer is refused.
 *  Source                CuTe, include/cute/layout.hpp.
 */
#ifndef TSR_CORE_INVERSE_H
#define TSR_CORE_INVERSE_H

#include "tessera/core/injective.h"
#include "tessera/core/product.h"

TSR_HEADER_BEGIN

/** R with L(R(i)) = i for i < size(R), as large as the static modes of L allow. Modes of dynamic stride are skipped, so
 *  that tsr_static_all(L) may have a larger one. */
TSR_OP tsr_layout tsr_right_inverse(tsr_layout l);

/** A layout of coordinates along one basis element: its strides there as integers, the others 0. */
TSR_INTERNAL tsr_layout tsr_layout_along_(tsr_layout const *l, uint32_t unit);

/** R with R(L(i)) = i, or L(R(L(i))) = L(i) where several coordinates have one offset. Dynamic strides are sorted by
 *  their numbers, and the result is dynamic. Errors: INVERSE_SIGN, INVERSE_LAW.
 *  Example  left_inverse((_64,(_48,_2)):(_1@0,(_1@1,_64@0)))  =  ((_64,_2),_48):((_1,_3072),_64) */
TSR_OP tsr_layout tsr_left_inverse(tsr_layout l);

/** The inverse of an offset is its negative; `_` stays. */
TSR_OP tsr_tuple tsr_offset_inverse(tsr_tuple t);

/** The modes of stride 0, as strides into the domain: L(R(i)) = L(0), behind a swizzle as well. */
TSR_OP tsr_layout tsr_nullspace(tsr_layout l);

/** The largest prefix of a shape's modes, by greatest common divisors, that together count `count`.
 *  Example  domain_distribute((_15,_14), _6)  =  (_3,_2):(_1,_15) */
TSR_OP tsr_layout tsr_domain_distribute(tsr_tuple shape, tsr_tuple count);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/inverse.h"
#endif

#endif
