/** Sums on their way into a formula (tile/formula.h).
 *
 *  A sum is named, made a value of its own, where more than one thing is done to it: a bound and a use, a quotient and
 *  a remainder, a product with a number that is not known. Everything else goes on as a sum.
 *
 *  Law     q = E / n:  E = n Q + R term by term; q = Q where 0 <= R < n, else q = Q + R / n; E - n q = R - n (R / n).
 */
#ifndef TSR_TILE_FORMULA_SUM_H
#define TSR_TILE_FORMULA_SUM_H

#include "tessera/tile/formula.h"

TSR_HEADER_BEGIN

#define TSR_MAX_SUM 10

/** A sum on its way: constant + sum of number * value. */
typedef struct tsr_open_sum {
    uint8_t parts;
    uint8_t value[TSR_MAX_SUM];
    int64_t constant;
    tsr_known number[TSR_MAX_SUM];
} tsr_open_sum;

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/formula_sum.h"
#endif

#endif
