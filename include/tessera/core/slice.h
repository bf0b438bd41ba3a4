/** Slicing: `_` keeps a mode, an integer fixes it.
 *
 *  Law     slice(c, L) at the free coordinates, plus the offset that c gives, is L at the completed coordinate.
 *          dice(c, L) is what slice leaves out. Levels above a kept mode are flattened.
 *  Source  CuTe, include/cute/underscore.hpp, layout.hpp; swizzle_layout.hpp for the slices of a swizzle.
 */
#ifndef TSR_CORE_SLICE_H
#define TSR_CORE_SLICE_H

#include "tessera/core/compose.h"
#include "tessera/core/eval.h"
#include "tessera/core/swizzle.h"

TSR_HEADER_BEGIN

/** The modes of a tuple under `_`.
 *  Example  slice((_,1), (2,3))  =  (2) */
TSR_OP tsr_tuple tsr_tuple_slice(tsr_tuple coord, tsr_tuple t);

/** The modes of a tuple under integers. */
TSR_OP tsr_tuple tsr_tuple_dice(tsr_tuple coord, tsr_tuple t);

/** Does the tuple hold a `_`? */
TSR_OP bool tsr_has_wildcard(tsr_tuple const *t);

/* Layouts */

/** The kept modes, and the offset of the fixed ones. */
TSR_OP tsr_offset_layout tsr_slice_and_offset(tsr_tuple coord, tsr_layout l);

/** The same into a layout without modes and a tuple without leaves. */
TSR_INTERNAL void tsr_put_slice_(tsr_layout *r, tsr_tuple *offset, tsr_tuple const *coord, tsr_layout const *l);

/** The kept modes of a layout. */
TSR_OP tsr_layout tsr_layout_slice(tsr_tuple coord, tsr_layout l);

/** The fixed modes of a layout. */
TSR_OP tsr_layout tsr_layout_dice(tsr_tuple coord, tsr_layout l);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/slice.h"
#endif

#endif
