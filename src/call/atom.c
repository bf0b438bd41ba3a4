/** Twins: atoms, and what is tiled by them. */
#include "call/call.h"

TSR_OPS_ATOM(X, A)
TSR_OPS_TILED(X, A)
