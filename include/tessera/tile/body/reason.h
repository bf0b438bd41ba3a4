/** The bodies of tile/reason.h. */
#ifndef TSR_TILE_BODY_REASON_H
#define TSR_TILE_BODY_REASON_H

#include "tessera/tile/reason.h"

TSR_HEADER_BEGIN

/** The product of lengths that are all positive. */
TSR_LOCAL bool tsr_volume_(int64_t const *length, int n, int64_t *volume, tsr_reason *why)
{
    *volume = 1;
    if (n < 0 || n > TSR_MAX_DIMS) {
        *why = tsr_because(TSR_DIMS, 0, n, TSR_MAX_DIMS, 0);
        return false;
    }
    for (int i = 0; i < n; ++i) {
        if (length[i] <= 0) {
            *why = tsr_because(TSR_DIM_EMPTY, i, length[i], 0, 0);
            return false;
        }
        if (!tsr_mul64(*volume, length[i], volume)) {
            *why = tsr_because(TSR_OVERFLOW, i, length[i], 0, 0);
            return false;
        }
    }
    return true;
}

TSR_HEADER_END

#endif
