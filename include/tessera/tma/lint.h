/** The rules of the hardware for tensor maps, checked before anything is encoded.
 *
 *  Law     the driver encodes a map that breaks no rule. Every broken rule is named with its numbers and a repair
 *          (base/status_list.h).
 *  Source  CUDA driver API, cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col.
 */
#ifndef TSR_TMA_LINT_H
#define TSR_TMA_LINT_H

#include "tessera/core/verdict.h"
#include "tessera/tma/descriptor.h"

TSR_HEADER_BEGIN

/** The shared memory that one CTA can have, in bytes (compute capability 9.0 and 10.0). */
#define TSR_TMA_SMEM_MOST 232448

/* clang-format off */
/** The rules, in the order in which they are tried; `each`: of every dimension. */
#define TSR_TMA_RULE_LIST(once, each) \
    once(rank) once(address) each(dim) once(dim_packed) each(stride_range) each(stride) each(box) once(box_row) \
    once(box_packed) once(box_span) each(step) once(interleave_swizzle) once(interleave_packed) once(swizzle_packed) \
    once(fill) each(corner) each(bounding) once(channels) once(pixels) once(smem_size)
/* clang-format on */

/** How many checks there are: those of a dimension count once for each. */
TSR_OP int tsr_tma_rules(void);

/** Check number `at`: the rule that is broken, or no reason. */
TSR_OP tsr_reason tsr_tma_rule(tsr_tma_desc const *d, int at);

/** Does the map break a rule? The reason is the first one; all of them: tsr_tma_rule. */
TSR_OP tsr_verdict tsr_tma_lint(tsr_tma_desc d);

/** The rules of the map, and of a box at a multiple of `unit` bytes in `most` bytes of shared memory. */
TSR_OP tsr_verdict tsr_tma_lint_smem_at(tsr_tma_desc d, int64_t at, int64_t most, int64_t unit);

/** May a box of the map lie at this address of shared memory? `bytes` is the room there. The address must be a multiple
 *  of 128 and of the swizzle's period, so that the pattern begins with the box. Matrix instructions need that. */
TSR_OP tsr_verdict tsr_tma_lint_smem(tsr_tma_desc d, tsr_tuple address, tsr_tuple bytes);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tma/body/lint.h"
#endif

#endif
