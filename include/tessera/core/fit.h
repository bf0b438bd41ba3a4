/** fit: the layout that has given values.
 *
 *  Law        R(c) = f(c) for every c < size of the profile; R has this profile or a refinement of it. R is a layout,
 *             or one behind a swizzle and an offset; of coordinates (core/point.h) it has basis strides and neither.
 *  Condition  there is such a layout; otherwise FIT names the first coordinate at which a layout without a swizzle
 *             would differ. Up to TSR_LAW_BUDGET values, or any number where all layouts that make them only move
 *             bits.
 *  Method     a swizzle is its own inverse, so behind Sw the values are Sw(f(c)) = off + a sum of one function a leaf,
 *             and each of those is a mixed radix: the longest run i*d is its first mode, and its extent must divide.
 *             This form is unique, so a fit that fails proves that there is none. First the swizzles of the operands
 *             are tried, then all of them, from the fewest bits on, where no value is negative.
 */
#ifndef TSR_CORE_FIT_H
#define TSR_CORE_FIT_H

#include "tessera/core/eval.h"
#include "tessera/core/compose.h"
#include "tessera/core/swizzle.h"

TSR_HEADER_BEGIN

/** The layout that maps coordinate c of `shape` to values[c], for 0 <= c < count = size(shape). It is static if the
 *  whole shape is. Errors: FIT, NOT_DECIDED, CAPACITY, DIFFER_SIZE. */
TSR_OP tsr_layout tsr_fit(int64_t const *values, int64_t count, tsr_tuple shape);

/** The same of the leaves of a tuple.
 *  Example  fit((_0,_1,_3,_2), _4)  =  Sw<1,0,1> o _0 o _4:_1 */
TSR_OP tsr_layout tsr_fit_tuple(tsr_tuple values, tsr_tuple shape);

/** The same of one mode. */
TSR_OP tsr_layout tsr_fit_leaves(tsr_tuple values);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/fit.h"
#endif

#endif
