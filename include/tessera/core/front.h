/** The seam between a layout and the swizzle in front of it: what is behind, what is in front, and the two put together
 *  again. An operation that a swizzle does not change works on the inner layout and puts the front back.
 *
 *  Law     rewrap(L, inner(L)) = L;  L(c) = front(L)(inner(L)(c)).
 */
#ifndef TSR_CORE_FRONT_H
#define TSR_CORE_FRONT_H

#include "tessera/core/layout.h"

TSR_HEADER_BEGIN

/** What l computes before its swizzle and offset, and a new such layout back under them. */
TSR_FN tsr_layout tsr_layout_inner(tsr_layout l) { return l.composed ? tsr_layout_unchecked(l.shape, l.stride) : l; }

TSR_FN bool tsr_is_plain_(tsr_layout const *l) { return !l->composed && !l->shape.status; }

TSR_FN tsr_layout tsr_rewrap_(tsr_layout outer, tsr_layout inner)
{
    if (!outer.composed || outer.shape.status)
        return outer.shape.status ? outer : inner;
    if (outer.swizzle.bits == 0 && tsr_leaf_is(outer.offset, 0) && !outer.twice)
        return inner;
    return tsr_with_(outer, inner.shape, inner.stride);
}

/** What stands in front of l, as a layout of its own. */
TSR_FN tsr_layout tsr_front_(tsr_layout l) { return tsr_with_(l, tsr_s((int64_t)1 << 40), tsr_s(1)); }

TSR_HEADER_END

#endif
