/** The bodies of tile/tile_plan.h. */
#ifndef TSR_TILE_BODY_TILE_PLAN_H
#define TSR_TILE_BODY_TILE_PLAN_H

#include "tessera/tile/tile_plan.h"
#include "tessera/tile/body/box.h"
#include "tessera/tile/body/encoding.h"

TSR_HEADER_BEGIN

/** No number of a limit is greater. */
#define TSR_PLAN_REACH_ ((int64_t)1 << 61)

/** How far one step of term i leads in memory, k = -1, or in limit k. */
TSR_LOCAL int64_t tsr_term_step_(tsr_planned_tile const *p, int i, int k)
{
    tsr_tile_term const *const t = &p->term[i];
    return k < 0 ? t->memory : k >= p->dims ? t->limit[k - p->dims] : p->term_dim[i] == k ? t->weight : 0;
}

/** The same of a step of loop i. */
TSR_LOCAL int64_t tsr_loop_step_(tsr_planned_tile const *p, int i, int k)
{
    return tsr_wrap_mul(tsr_term_step_(p, p->loop_term[i], k), p->loop[i].times);
}

/** The lowest bit that a swizzle reads, in bytes; 0: there is none. */
TSR_LOCAL int64_t tsr_tile_source_(tsr_planned_tile const *p)
{
    int const shift = p->swizzle.shift > 0 ? p->swizzle.shift : 0;
    return p->swizzle.bits > 0 ? (int64_t)p->bytes << (p->swizzle.base + shift) : 0;
}

TSR_LOCAL int tsr_tile_limits_(tsr_planned_tile const *p) { return p->dims + p->limits; }

TSR_OP int64_t tsr_planned_tile_at(tsr_planned_tile const *p, int k, int64_t const *x)
{
    int64_t r = k < 0 ? p->base : 0;
    for (int i = 0; i < p->terms; ++i) {
        tsr_tile_term const *const t = &p->term[i];
        int64_t digit = x[p->term_dim[i]];
        if (t->weight != 1)
            digit /= t->weight;
        if (t->extent != 0)
            digit %= t->extent;
        r = tsr_wrap_add(r, tsr_wrap_mul(digit, tsr_term_step_(p, i, k)));
    }
    return r;
}

/** The length of the tile. */
TSR_LOCAL int64_t tsr_tile_tile_(tsr_planned_tile const *p, int d) { return p->limit[d].hi - p->limit[d].last + 1; }

TSR_OP tsr_tile_place tsr_planned_tile_place(tsr_planned_tile const *p, int64_t const *origin)
{
    tsr_tile_place place = TSR_TILE_INSIDE;
    if (p->why.status || p->size == 0)
        return TSR_TILE_BY_GRAPH;
    for (int d = 0; d < p->dims; ++d)
        if ((p->align[d] > 1 || p->span[d] > 0)
            && (origin[d] < 0 || origin[d] % p->align[d] != 0
                || (p->span[d] > 0 && origin[d] % p->span[d] + tsr_tile_tile_(p, d) > p->span[d])))
            return TSR_TILE_BY_GRAPH;
    for (int k = 0; k < tsr_tile_limits_(p); ++k) {
        int64_t const at = tsr_planned_tile_at(p, k, origin);
        if (at < p->limit[k].first || at >= p->limit[k].last)
            place = TSR_TILE_AT_EDGE;
    }
    bool const split = p->swizzle.bits > 0 && tsr_planned_tile_at(p, -1, origin) * p->bytes % p->block.run != 0;
    return place == TSR_TILE_AT_EDGE && p->swizzle.bits > 0 ? TSR_TILE_BY_GRAPH : split ? TSR_TILE_BY_GRAPH : place;
}

TSR_HEADER_END

#endif
