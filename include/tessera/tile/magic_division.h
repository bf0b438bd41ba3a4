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
TSR_OP tsr_magic_division tsr_make_magic_division(int64_t divisor);

/** n / divisor, for n below 2^31. */
TSR_FN uint32_t tsr_magic_divide(tsr_magic_division m, uint32_t n)
{
    uint32_t const high = (uint32_t)((uint64_t)n * m.multiplier >> 32);
    return (high + n) >> m.shift;
}

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/magic_division.h"
#endif

#endif
