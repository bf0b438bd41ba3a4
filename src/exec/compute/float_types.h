/** The types whose lines are converted a vector of floats at a time. */
#ifndef TSR_SRC_EXEC_COMPUTE_FLOAT_TYPES_H
#define TSR_SRC_EXEC_COMPUTE_FLOAT_TYPES_H

#include "tessera/base/dtype.h"

/** X(id). */
#define FLOAT_TYPES(X) X(F32) X(BF16) X(F16) X(F8_E4M3FN) X(F8_E5M2)

static inline bool in_floats(tsr_dtype type)
{
#define X(id) || type == TSR_##id
    return false FLOAT_TYPES(X);
#undef X
}

#endif
