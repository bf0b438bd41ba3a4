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
TSR_FN tsr_curve tsr_make_space_filling_curve(int rank, int64_t const *length, int64_t const *order,
                                              int64_t const *per, bool snake)
{
    tsr_curve c = TSR_ZERO;
    uint64_t seen = 0;
    int64_t volume = 1;
    c.rank = (uint8_t)rank;
    c.snake = snake;
    if (!tsr_volume_(length, rank, &volume, &c.why))
        return c;
    for (int i = 0; i < rank && !c.why.status; ++i) {
        int64_t const d = order[i];
        if (per[i] <= 0 || length[i] % per[i] != 0)
            c.why = tsr_because(TSR_CURVE, i, per[i], length[i], 0);
        else if (d < 0 || d >= rank || (seen >> d & 1u) != 0)
            c.why = tsr_because(TSR_CURVE_ORDER, (int)d, 0, 0, 0);
        else {
            seen |= (uint64_t)1 << d;
            c.order[i] = (uint8_t)d;
        }
        c.per[i] = per[i];
    }
    for (int i = 0; i < rank && !c.why.status; ++i)
        c.count[i] = length[c.order[i]] / per[c.order[i]];
    return c;
}

TSR_FN int64_t tsr_curve_accesses(tsr_curve const *c)
{
    int64_t n = 1;
    for (int i = 0; i < c->rank; ++i)
        n *= c->count[i];
    return n;
}

/** The first element of access i. */
TSR_FN tsr_index tsr_curve_index(tsr_curve const *c, int64_t i)
{
    int64_t digit[TSR_MAX_DIMS] = {0};
    tsr_index r = TSR_ZERO;
    r.rank = c->rank;
    for (int k = c->rank - 1; k >= 0; --k) {
        digit[k] = i % c->count[k];
        i /= c->count[k];
    }
    for (int k = 0; k < c->rank; ++k) {
        bool const back = c->snake && (i & 1) != 0; /* i: the number of the slower digits */
        i = tsr_wrap_add(tsr_wrap_mul(i, c->count[k]), digit[k]);
        r.at[c->order[k]] = (back ? c->count[k] - 1 - digit[k] : digit[k]) * c->per[c->order[k]];
    }
    return r;
}

/** From access i to access i + 1. */
TSR_FN tsr_index tsr_curve_step(tsr_curve const *c, int64_t i)
{
    tsr_index const from = tsr_curve_index(c, i);
    tsr_index step = tsr_curve_index(c, i + 1);
    for (int k = 0; k < c->rank; ++k)
        step.at[k] -= from.at[k];
    return step;
}

TSR_HEADER_END

#endif
