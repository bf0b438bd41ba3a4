/** Is a layout injective? Also the canonical form of its function, and what a verdict is.
 *
 *  Law  a plain layout is injective when no integers |z_i| < extent_i, not all 0, have sum z_i * stride_i = 0. Proved
 *       where, in ascending order, each stride exceeds the reach of the smaller ones; otherwise such integers are
 *       searched for, within bounds and divisors, in at most TSR_LAW_BUDGET steps. A swizzle does not matter.
 */
#ifndef TSR_CORE_INJECTIVE_H
#define TSR_CORE_INJECTIVE_H

#include "tessera/core/coalesce.h"
#include "tessera/core/eval.h"
#include "tessera/base/int64.h"

TSR_HEADER_BEGIN

typedef enum tsr_answer { TSR_NO, TSR_YES, TSR_UNDECIDED } tsr_answer;

/** `why` explains "no" and "undecided" (tsr_explain); an invalid layout is undecided, with its own reason. */
typedef struct tsr_verdict {
    tsr_answer answer;
    tsr_reason why;
} tsr_verdict;

TSR_INTERNAL tsr_verdict tsr_yes_(void);

TSR_INTERNAL tsr_verdict tsr_no_(tsr_status status, int mode, int64_t a, int64_t b, int64_t c);

TSR_INTERNAL tsr_verdict tsr_undecided_(tsr_reason why);

/** Do different coordinates have different offsets? A swizzle does not matter. Counterexample: two 1-D coordinates.
 *  Example  tsr_is_injective(tsr_make_layout(tsr_t(4, 2), tsr_t(1, 2))).answer == TSR_NO  is  1
 *  Example  is_injective((4,2):(1,2))  =  no: the coordinates 2 and 4 both give 2 */
TSR_OP tsr_verdict tsr_is_injective(tsr_layout l);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/injective.h"
#endif

#endif
