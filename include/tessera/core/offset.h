/** The offset of a coordinate as a value of the algebra: L(c), static where it is known.
 *
 *  Law     layout_at(L, c) is L(c), the number that tsr_at() of core/eval.h gives; a coordinate where strides are basis
 *          elements. domain_offset(c, L) = (R, o) with R(x) + o = L(c + x).
 *  Source  CuTe, include/cute/layout.hpp, operator(), domain_offset; swizzle.hpp, to_mixed_bits.
 */
#ifndef TSR_CORE_OFFSET_H
#define TSR_CORE_OFFSET_H

#include "tessera/core/coalesce.h"
#include "tessera/core/swizzle.h"

TSR_HEADER_BEGIN

/** L(c), static where it is known: an integer, or a coordinate for basis strides. */
TSR_OP tsr_tuple tsr_layout_at(tsr_layout l, tsr_tuple coord);

/** The layout seen from a coordinate on: the layout and the offset to add. A swizzle keeps the offset inside. */
TSR_OP tsr_offset_layout tsr_domain_offset(tsr_tuple coord, tsr_layout l);

/** The same into a layout without modes and a tuple without leaves. */
TSR_INTERNAL void tsr_put_domain_offset_(tsr_layout *r, tsr_tuple *offset, tsr_tuple const *coord,
                                         tsr_layout const *l);

/** The bits that a coordinate of a layout contributes to its offset. */
TSR_OP tsr_tuple tsr_layout_to_mixed_bits(tsr_layout l, tsr_tuple coord);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/offset.h"
#endif

#endif
