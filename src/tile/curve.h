/** The functions of tile/curve.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TILE_CURVE_H
#define TSR_SRC_TILE_CURVE_H

#include "tessera/tile/curve.h"
#include "tessera/tile/body/reason.h"

TSR_API tsr_curve tsr_make_space_filling_curve(int rank, int64_t const *length, int64_t const *order,
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

TSR_API int64_t tsr_curve_accesses(tsr_curve const *c)
{
    int64_t n = 1;
    for (int i = 0; i < c->rank; ++i)
        n *= c->count[i];
    return n;
}

TSR_API tsr_index tsr_curve_index(tsr_curve const *c, int64_t i)
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

TSR_API tsr_index tsr_curve_step(tsr_curve const *c, int64_t i)
{
    tsr_index const from = tsr_curve_index(c, i);
    tsr_index step = tsr_curve_index(c, i + 1);
    for (int k = 0; k < c->rank; ++k)
        step.at[k] -= from.at[k];
    return step;
}

#endif
