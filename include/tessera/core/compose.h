/** The walk of composition: A o B for plain layouts (core/composition.h states the law and the condition).
 *
 *  Each leaf s:d of B walks over the modes of A from the left. A rule on the numbers proves the law for a leaf, and
 *  another one that leaves do not carry into each other; where a rule fails, the law is tried on every coordinate, up
 *  to TSR_LAW_BUDGET.
 */
#ifndef TSR_CORE_COMPOSE_H
#define TSR_CORE_COMPOSE_H

#include "tessera/core/coalesce.h"
#include "tessera/core/eval.h"

TSR_HEADER_BEGIN

TSR_INTERNAL tsr_layout tsr_compose_layouts_(tsr_layout const *a, tsr_layout const *b);

TSR_INTERNAL tsr_layout tsr_composition_layout_(tsr_layout a, tsr_layout b);

TSR_INTERNAL tsr_layout tsr_compose_by_(tsr_layout a, tsr_tiler b);

/** The layout read with another shape: composition with the compact layout of `shape`. */
TSR_OP tsr_layout tsr_with_shape(tsr_layout l, tsr_tuple shape);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/compose.h"
#endif

#endif
