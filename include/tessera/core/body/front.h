/** The bodies of core/front.h. */
#ifndef TSR_CORE_BODY_FRONT_H
#define TSR_CORE_BODY_FRONT_H

#include "tessera/core/front.h"
#include "tessera/core/body/layout.h"

TSR_HEADER_BEGIN

TSR_LOCAL bool tsr_is_plain_(tsr_layout const *l) { return !l->composed && !l->shape.status; }

TSR_INTERNAL tsr_layout tsr_rewrap_(tsr_layout outer, tsr_layout inner)
{
    if (!outer.composed || outer.shape.status)
        return outer.shape.status ? outer : inner;
    if (outer.swizzle.bits == 0 && tsr_leaf_is(outer.offset, 0) && !outer.twice)
        return inner;
    return tsr_with_(outer, inner.shape, inner.stride);
}

/** The part in front of l, as a layout of its own. */
TSR_LOCAL tsr_layout tsr_front_(tsr_layout l) { return tsr_with_(l, tsr_s((int64_t)1 << 40), tsr_s(1)); }

TSR_HEADER_END

#endif
