/** A layout and the swizzle in front of it, taken apart and put together again. An operation that a swizzle does not
 *  change works on the inner layout and puts the front back.
 *
 *  Law     rewrap(L, inner(L)) = L;  L(c) = front(L)(inner(L)(c)).
 */
#ifndef TSR_CORE_FRONT_H
#define TSR_CORE_FRONT_H

#include "tessera/core/layout.h"

TSR_HEADER_BEGIN

/** What l computes before its swizzle and offset, and a new such layout back under them. */
TSR_FN tsr_layout tsr_layout_inner(tsr_layout l) { return l.composed ? tsr_layout_unchecked(l.shape, l.stride) : l; }

TSR_INTERNAL tsr_layout tsr_rewrap_(tsr_layout outer, tsr_layout inner);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/front.h"
#endif

#endif
