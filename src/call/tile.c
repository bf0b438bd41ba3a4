/** Twins: tensor maps and TMA copies, and CK Tile. */
#include "call/call.h"

TSR_OPS_TMA(X, A)
TSR_OPS_TILE(X, A)
