/** The exported twins of what moves elements. The library and the command line move theirs through them. */
#include "tessera/ops/move.h"

#define X(result, fn, parameters, names) \
    result tsrc_##fn parameters { return tsr_##fn names; }
TSR_MOVE_LIST(X)
