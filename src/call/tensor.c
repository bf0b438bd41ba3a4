/** Twins: tensors, and the functions that read and write memory. */
#include "call/call.h"

TSR_OPS_TENSOR(X, A)
#undef X

#define X(result, fn, parameters, names) \
    result tsrc_##fn parameters { return tsr_##fn names; }
TSR_MEMORY_LIST(X)
