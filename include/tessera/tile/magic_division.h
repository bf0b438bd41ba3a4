/** Division of 0 <= n < 2^31 by a number known beforehand, without a division: q = (mulhi(n, m) + n) >> s.
 *
 *  Law     tsr_magic_divide(tsr_make_magic_division(d), n) = n / d.
 *  Source  ROCm composable_kernel, include/ck_tile/core/algorithm/coordinate_transform.hpp, magic_division.
 *  Example  magic 3  =  1431655766 2
 *  Example  mdiv 7 3  =  2
 */
#ifndef TSR_TILE_MAGIC_DIVISION_H
#define TSR_TILE_MAGIC_DIVISION_H

#include "tessera/tile/reason.h"

TSR_HEADER_BEGIN

typedef struct tsr_magic_division {
    tsr_reason why;
    uint32_t multiplier;
    int shift;
} tsr_magic_division;

/** Errors  MAGIC unless 1 <= divisor < 2^31. */
TSR_FN tsr_magic_division tsr_make_magic_division(int64_t divisor)
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

TSR_FN uint32_t tsr_magic_divide(tsr_magic_division m, uint32_t n)
{
    uint32_t const high = (uint32_t)((uint64_t)n * m.multiplier >> 32);
    return (high + n) >> m.shift;
}

TSR_HEADER_END

#endif
