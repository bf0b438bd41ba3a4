/** The bodies of tile/magic_division.h. */
#ifndef TSR_TILE_BODY_MAGIC_DIVISION_H
#define TSR_TILE_BODY_MAGIC_DIVISION_H

#include "tessera/tile/magic_division.h"
#include "tessera/tile/body/reason.h"

TSR_HEADER_BEGIN

TSR_OP tsr_magic_division tsr_make_magic_division(int64_t divisor)
{
    tsr_magic_division r = TSR_ZERO;
    if (divisor < 1 || divisor > 0x7fffffff) {
        r.why = tsr_because(TSR_MAGIC, 0, divisor, 0, 0);
        return r;
    }
    r.shift = tsr_bit_width((uint64_t)divisor - 1);
    uint64_t const rest = ((uint64_t)1 << r.shift) - (uint64_t)divisor;
    r.multiplier = (uint32_t)((rest << 32) / (uint64_t)divisor + 1);
    return r;
}

TSR_HEADER_END

#endif
