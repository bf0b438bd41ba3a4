/** The exported twins of the functions that read and write memory; what the library itself moves goes through them. */
#include "tessera/ops/memory.h"

#define X(result, fn, parameters, names) \
    result tsrc_##fn parameters { return tsr_##fn names; }
TSR_MEMORY_LIST(X)
