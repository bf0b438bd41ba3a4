/** complement: the layout of what a layout misses.
 *
 *  Law        R is ordered (its offsets grow), its offsets other than 0 are no offsets of L, and the copies of L at the
 *             offsets of R, each with the padding up to the next, reach the cotarget.
 *  Condition  after the stride-0 modes are dropped the strides are positive and their spans nest: in ascending order
 *             none is less than the extent times the stride before it.
 *  Decision   CuTe sorts static strides only. Where it must refuse because one of several strides is dynamic, the
 *             numbers decide and the result is dynamic. A shape whose parts would not reach the cotarget (CuTe drops
 *             elements then) is taken as its size.
 *  Example    complement(_4:_2, _24)  =  (_2,_3):(_1,_8)
 *  Example    complement((2,2):(1,4), 16)  =  (2,2):(2,8)
 *  Source     CuTe, include/cute/layout.hpp, detail::complement.
 */
#ifndef TSR_CORE_COMPLEMENT_H
#define TSR_CORE_COMPLEMENT_H

#include "tessera/core/compose.h"

TSR_HEADER_BEGIN

/** The complement up to `cotarget`, an integer or a shape. */
TSR_OP tsr_layout tsr_complement_in(tsr_layout l, tsr_tuple cotarget);

/** The complement up to the size of another layout's domain. */
TSR_OP tsr_layout tsr_complement_in_layout(tsr_layout l, tsr_layout cotarget);

/** The complement up to the layout's own cosize. */
TSR_OP tsr_layout tsr_complement(tsr_layout l);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/complement.h"
#endif

#endif
