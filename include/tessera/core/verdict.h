/** Verdicts: questions about a layout as a function, answered from its modes.
 *
 *  An answer is yes, no with a counterexample, or undecided. No elements are enumerated, so a verdict takes the same
 *  time on 2^40 elements as on 40. The values of coordinate layouts are coordinates (core/point.h): surjective means
 *  onto a box.
 *
 *      same function   the numbers of both, coalesced, are the same; that form is unique
 *      injective       core/injective.h
 *      surjective      in ascending order no stride exceeds one more than the reach of the smaller ones
 *      tractable       in ascending order every stride is 0 or its span divides the next stride
 */
#ifndef TSR_CORE_VERDICT_H
#define TSR_CORE_VERDICT_H

#include "tessera/core/compose.h"
#include "tessera/core/recast.h"

TSR_HEADER_BEGIN

/** Do the layouts differ at x? *r is then the verdict. */
TSR_INTERNAL bool tsr_differ_at_(tsr_layout const *a, tsr_layout const *b, int64_t x, tsr_verdict *r);

/** Are two layouts equal as functions of the 1-D coordinate? Errors in `why`: DIFFER at the first such coordinate. */
TSR_OP tsr_verdict tsr_same_function(tsr_layout a, tsr_layout b);

/** Is every offset between the least and the greatest one reached? Counterexample: the first that is not. Whole blocks
 *  of a swizzle are permuted by it; else each offset is looked for. */
TSR_OP tsr_verdict tsr_is_surjective(tsr_layout l);

/** Injective and surjective onto an interval of offsets: a compact layout, up to where it begins. */
TSR_OP tsr_verdict tsr_is_compact(tsr_layout l);

/** Compact, and the interval is [0, size): a permutation of the offsets. */
TSR_OP tsr_verdict tsr_is_bijective(tsr_layout l);

/** Is L(i) = L(0) + i? Counterexample: the first 1-D coordinate where it is not. */
TSR_OP tsr_verdict tsr_is_contiguous(tsr_layout l);

/** Does the span of each stride divide the next larger one? Then every operation on it stays exact. */
TSR_OP tsr_verdict tsr_is_tractable(tsr_layout l);

TSR_OP tsr_verdict tsr_composition_admissible(tsr_layout a, tsr_tiler b);

TSR_OP tsr_verdict tsr_complement_admissible(tsr_layout l, tsr_tuple cotarget);

TSR_OP tsr_verdict tsr_divide_admissible(tsr_layout l, tsr_tiler t);

/** The largest extent of the 1-D domain on which every offset, or every number of a coordinate, fits a signed 32-bit
 *  integer: the first 1-D coordinate whose value does not, or the size.
 *  Example  tsr_int32_extent(tsr_make_layout(tsr_t(65536, 65536), tsr_t(65536, 1)))  is  32768 */
TSR_OP tsr_tuple tsr_int32_extent(tsr_layout l);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/verdict.h"
#endif

#endif
