/** Twins: integers, tuples, layouts, swizzles and verdicts. */
#include "call/call.h"

TSR_OPS_INTEGER(X, A)
TSR_OPS_TUPLE(X, A)
TSR_OPS_LAYOUT(X, A)
TSR_OPS_SWIZZLE(X, A)
TSR_OPS_VERDICT(X, A)
