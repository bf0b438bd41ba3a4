/** The bodies of tile/encoding.h. */
#ifndef TSR_TILE_BODY_ENCODING_H
#define TSR_TILE_BODY_ENCODING_H

#include "tessera/tile/encoding.h"
#include "tessera/tile/body/reason.h"

TSR_HEADER_BEGIN

TSR_OP tsr_encoding tsr_bad_encoding_(tsr_reason why)
{
    tsr_encoding e = TSR_ZERO;
    e.why = why;
    return e;
}

TSR_LOCAL int tsr_factors_(tsr_encoding const *e) { return e->first[e->xs + 1]; }

TSR_LOCAL tsr_place tsr_place_of_(tsr_encoding const *e, int factor)
{
    tsr_place at = TSR_ZERO;
    while (factor >= e->first[at.major + 1])
        ++at.major;
    at.minor = (uint8_t)(factor - e->first[at.major]);
    return at;
}

/** The number of a factor, or -1. */
TSR_LOCAL int tsr_factor_at_(tsr_encoding const *e, tsr_place at)
{
    if (at.major > e->xs || e->first[at.major] + at.minor >= e->first[at.major + 1])
        return -1;
    return e->first[at.major] + at.minor;
}

/** Gives a factor to a P or a Y. */
TSR_LOCAL int tsr_own_(tsr_encoding *e, tsr_place at, uint64_t *owned)
{
    int const factor = tsr_factor_at_(e, at);
    if (factor < 0 && !e->why.status)
        e->why = tsr_because(TSR_NO_FACTOR, 0, at.major, at.minor, 0);
    else if (factor >= 0 && (*owned >> factor & 1u) != 0 && !e->why.status)
        e->why = tsr_because(TSR_FACTOR_TWICE, 0, at.major, at.minor, 0);
    if (e->why.status)
        return 0;
    *owned |= (uint64_t)1 << factor;
    return factor;
}

/** Lists of lengths, one behind the other. */
TSR_LOCAL void tsr_encoding_lengths_(tsr_encoding *e, tsr_encoding_lists const *l)
{
    int n = 0;
    for (int major = 0; major <= l->xs && !e->why.status; ++major) {
        tsr_index const *const list = major == 0 ? &l->r : &l->h[major - 1];
        int64_t volume = 1;
        e->first[major] = (uint8_t)n;
        (void)tsr_volume_(list->at, list->rank, &volume, &e->why);
        if (n + list->rank > TSR_MAX_FACTORS && !e->why.status)
            e->why = tsr_because(TSR_DIMS, 0, n + list->rank, TSR_MAX_FACTORS, 0);
        for (int i = 0; i < list->rank && !e->why.status; ++i)
            e->length[n++] = list->at[i];
    }
    e->first[l->xs + 1] = (uint8_t)n;
}

TSR_OP tsr_encoding tsr_make_tile_distribution_encoding(tsr_encoding_lists const *l)
{
    tsr_encoding e = TSR_ZERO;
    uint64_t owned = 0;
    int merged = 0;
    int64_t volume = 1;
    e.xs = l->xs;
    e.ps = l->ps;
    e.ys = l->y.count;
    if (l->xs > TSR_MAX_XS || l->ps > TSR_MAX_PS || l->ps + l->y.count > TSR_MAX_DIMS) {
        e.why = tsr_because(TSR_DIMS, 0, l->ps + l->y.count, TSR_MAX_DIMS, 0);
        return e;
    }
    tsr_encoding_lengths_(&e, l);
    for (int i = 0; i < l->ps; ++i) {
        e.p_first[i] = (uint8_t)merged;
        for (int k = 0; k < l->p[i].count && !e.why.status; ++k)
            e.p_factor[merged++] = (uint8_t)tsr_own_(&e, l->p[i].at[k], &owned);
    }
    e.p_first[l->ps] = (uint8_t)merged;
    for (int i = 0; i < l->y.count && !e.why.status; ++i) {
        if (l->y.at[i].major == 0)
            e.why = tsr_because(TSR_Y_REPLICATES, i, l->y.at[i].minor, 0, 0);
        e.y_factor[i] = (uint8_t)tsr_own_(&e, l->y.at[i], &owned);
    }
    for (int f = e.first[1]; f < tsr_factors_(&e) && !e.why.status; ++f) {
        tsr_place const at = tsr_place_of_(&e, f);
        if ((owned >> f & 1u) == 0)
            e.why = tsr_because(TSR_FACTOR_FREE, 0, at.major, at.minor, e.length[f]);
    }
    for (int f = 0; f < tsr_factors_(&e) && !e.why.status; ++f)
        if (!tsr_mul64(volume, e.length[f], &volume))
            e.why = tsr_because(TSR_OVERFLOW, 0, e.length[f], 0, 0);
    return e.why.status ? tsr_bad_encoding_(e.why) : e;
}

TSR_OP tsr_encoding_lists tsr_encoding_lists_of(tsr_encoding const *e)
{
    tsr_encoding_lists l = TSR_ZERO;
    l.xs = e->xs;
    l.ps = e->ps;
    for (int f = 0; f < tsr_factors_(e); ++f) {
        tsr_place const at = tsr_place_of_(e, f);
        tsr_index *const list = at.major == 0 ? &l.r : &l.h[at.major - 1];
        list->at[list->rank++] = e->length[f];
    }
    for (int i = 0; i < e->ps; ++i)
        for (int k = e->p_first[i]; k < e->p_first[i + 1]; ++k)
            l.p[i].at[l.p[i].count++] = tsr_place_of_(e, e->p_factor[k]);
    for (int i = 0; i < e->ys; ++i)
        l.y.at[l.y.count++] = tsr_place_of_(e, e->y_factor[i]);
    return l;
}

/* Lengths */

/** The product of the lengths of factors b to e - 1. */
TSR_LOCAL int64_t tsr_factor_product_(tsr_encoding const *e, int b, int end)
{
    int64_t r = 1;
    for (int f = b; f < end; ++f)
        r *= e->length[f];
    return r;
}

TSR_OP tsr_index tsr_x_lengths(tsr_encoding const *e)
{
    tsr_index r = TSR_ZERO;
    r.rank = e->xs;
    for (int x = 0; x < e->xs; ++x)
        r.at[x] = tsr_factor_product_(e, e->first[x + 1], e->first[x + 2]);
    return r;
}

TSR_OP tsr_index tsr_y_lengths(tsr_encoding const *e)
{
    tsr_index r = TSR_ZERO;
    r.rank = e->ys;
    for (int i = 0; i < e->ys; ++i)
        r.at[i] = e->length[e->y_factor[i]];
    return r;
}

TSR_OP tsr_index tsr_p_lengths(tsr_encoding const *e)
{
    tsr_index r = TSR_ZERO;
    r.rank = e->ps;
    for (int i = 0; i < e->ps; ++i) {
        r.at[i] = 1;
        for (int k = e->p_first[i]; k < e->p_first[i + 1]; ++k)
            r.at[i] *= e->length[e->p_factor[k]];
    }
    return r;
}

TSR_OP int64_t tsr_thread_buffer_size(tsr_encoding const *e)
{
    int64_t r = 1;
    for (int i = 0; i < e->ys; ++i)
        r *= e->length[e->y_factor[i]];
    return r;
}

/** How far one step of a factor moves its X (its R). */
TSR_LOCAL int64_t tsr_factor_weight_(tsr_encoding const *e, int factor)
{
    return tsr_factor_product_(e, factor + 1, e->first[tsr_place_of_(e, factor).major + 1]);
}

TSR_OP tsr_place tsr_span_of_y(tsr_encoding const *e, int y)
{
    tsr_place at = tsr_place_of_(e, e->y_factor[y]);
    at.minor = 0;
    --at.major;
    for (int i = 0; i < e->ys; ++i)
        if (e->first[at.major + 1] <= e->y_factor[i] && e->y_factor[i] < e->y_factor[y])
            ++at.minor;
    return at;
}

TSR_OP tsr_index tsr_span_lengths(tsr_encoding const *e, int x)
{
    tsr_index r = TSR_ZERO;
    for (int f = e->first[x + 1]; f < e->first[x + 2]; ++f)
        for (int i = 0; i < e->ys; ++i)
            if (e->y_factor[i] == f)
                r.at[r.rank++] = e->length[f];
    return r;
}

TSR_OP int64_t tsr_p_over_r(tsr_encoding const *e, int p, int r)
{
    int64_t weight = 1;
    for (int k = e->p_first[p + 1] - 1; k >= e->p_first[p]; --k) {
        if (e->p_factor[k] == r)
            return weight;
        weight *= e->length[e->p_factor[k]];
    }
    return 0;
}

TSR_OP bool tsr_p_owns_r(tsr_encoding const *e, int p, int r) { return tsr_p_over_r(e, p, r) != 0; }

TSR_OP tsr_index tsr_r_index(tsr_encoding const *e, int64_t const *p)
{
    tsr_index r = TSR_ZERO;
    r.rank = e->first[1];
    for (int i = 0; i < e->ps; ++i)
        for (int k = 0; k < r.rank; ++k)
            if (tsr_p_owns_r(e, i, k))
                r.at[k] = p[i] / tsr_p_over_r(e, i, k) % e->length[k];
    return r;
}

TSR_OP int64_t tsr_thread_buffer_offset(tsr_encoding const *e, int64_t const *y)
{
    int64_t r = 0;
    for (int i = 0; i < e->ys; ++i)
        r = r * e->length[e->y_factor[i]] + y[i];
    return r;
}

TSR_HEADER_END

#endif
