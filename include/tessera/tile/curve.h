/** Space-filling curve: the order in which a thread accesses the elements of a box, several at a time.
 *
 *      order      the dimensions, the slowest first          per       elements an access takes along each dimension
 *      snake      a dimension runs backwards when the number of the slower ones is odd, so that steps stay short
 *
 *  Law     every element is in exactly one access.
 *  Example  sfc (2,4) order=(0,1) per=(1,2) snake=1  =  (0,0) (0,2) (1,2) (1,0)
 *  Source   ROCm composable_kernel, include/ck_tile/core/algorithm/space_filling_curve.hpp.
 */
#ifndef TSR_TILE_CURVE_H
#define TSR_TILE_CURVE_H

#include "tessera/tile/reason.h"

TSR_HEADER_BEGIN

typedef struct tsr_curve {
    tsr_reason why;
    uint8_t rank;
    bool snake;
    uint8_t order[TSR_MAX_DIMS];
    int64_t count[TSR_MAX_DIMS]; /* accesses along the dimensions, in access order */
    int64_t per[TSR_MAX_DIMS];   /* elements an access, by dimension */
} tsr_curve;

/** Errors  CURVE where `per` does not divide a length, CURVE_ORDER, DIM_EMPTY. */
TSR_API tsr_curve tsr_make_space_filling_curve(int rank, int64_t const *length, int64_t const *order,
                                               int64_t const *per, bool snake);

/** The number of accesses. */
TSR_API int64_t tsr_curve_accesses(tsr_curve const *c);

/** The first element of access i. */
TSR_API tsr_index tsr_curve_index(tsr_curve const *c, int64_t i);

/** From access i to access i + 1. */
TSR_API tsr_index tsr_curve_step(tsr_curve const *c, int64_t i);

TSR_HEADER_END

#endif
