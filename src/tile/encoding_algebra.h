/** The functions of tile/encoding_algebra.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TILE_ENCODING_ALGEBRA_H
#define TSR_SRC_TILE_ENCODING_ALGEBRA_H

#include "tessera/tile/encoding_algebra.h"
#include "tessera/tile/body/encoding.h"

TSR_API bool tsr_append_index_(tsr_index *to, tsr_index const *from)
{
    for (int i = 0; i < from->rank; ++i) {
        if (to->rank == TSR_MAX_DIMS)
            return false;
        to->at[to->rank++] = from->at[i];
    }
    return true;
}

/** Appends the inner places, their minors counted behind the outer factors. */
static bool tsr_append_places_(tsr_places *to, tsr_places const *from, tsr_encoding const *outer)
{
    for (int i = 0; i < from->count; ++i) {
        tsr_place at = from->at[i];
        if (to->count == TSR_MAX_DIMS)
            return false;
        at.minor = (uint8_t)(at.minor + outer->first[at.major + 1] - outer->first[at.major]);
        to->at[to->count++] = at;
    }
    return true;
}

TSR_API tsr_encoding tsr_make_embed_tile_distribution_encoding(tsr_encoding const *outer, tsr_encoding const *inner)
{
    if (outer->why.status || inner->why.status)
        return outer->why.status ? *outer : *inner;
    if (outer->xs != inner->xs)
        return tsr_bad_encoding_(tsr_because(TSR_X_RANK, 0, outer->xs, inner->xs, 0));
    tsr_encoding_lists l = tsr_encoding_lists_of(outer);
    tsr_encoding_lists const in = tsr_encoding_lists_of(inner);
    bool fits = l.ps + in.ps <= TSR_MAX_PS && tsr_append_index_(&l.r, &in.r);
    for (int x = 0; x < l.xs; ++x)
        fits = fits && tsr_append_index_(&l.h[x], &in.h[x]);
    for (int i = 0; i < in.ps && fits; ++i)
        fits = tsr_append_places_(&l.p[l.ps++], &in.p[i], outer);
    if (!fits || !tsr_append_places_(&l.y, &in.y, outer))
        return tsr_bad_encoding_(tsr_because(TSR_DIMS, 0, TSR_MAX_DIMS + 1, TSR_MAX_DIMS, 0));
    return tsr_make_tile_distribution_encoding(&l);
}

TSR_API tsr_encoding tsr_make_reduce_tile_distribution_encoding(tsr_encoding const *e, uint32_t dims)
{
    tsr_place moved[TSR_MAX_FACTORS] = {{0, 0}};
    tsr_encoding_lists l = TSR_ZERO;
    bool vanishes[TSR_MAX_FACTORS] = {false};
    uint64_t shared = 0;
    if (e->why.status)
        return *e;
    for (int i = 0; i < e->p_first[e->ps]; ++i)
        shared |= (uint64_t)1 << e->p_factor[i];
    for (int f = 0; f < tsr_factors_(e); ++f) {
        tsr_place const at = tsr_place_of_(e, f);
        bool const reduced = at.major > 0 && (dims >> (at.major - 1) & 1u) != 0;
        int x = 0;
        for (int k = 1; k < at.major; ++k)
            x += (dims >> (k - 1) & 1u) == 0;
        tsr_index *const list = at.major == 0 || reduced ? &l.r : &l.h[x];
        moved[f].major = (uint8_t)(at.major == 0 || reduced ? 0 : x + 1);
        moved[f].minor = list->rank;
        vanishes[f] = reduced && (shared >> f & 1u) == 0;
        if (list->rank == TSR_MAX_DIMS)
            return tsr_bad_encoding_(tsr_because(TSR_DIMS, 0, TSR_MAX_DIMS + 1, TSR_MAX_DIMS, 0));
        if (!vanishes[f])
            list->at[list->rank++] = e->length[f];
    }
    for (int x = 0; x < e->xs; ++x)
        l.xs = (uint8_t)(l.xs + ((dims >> x & 1u) == 0));
    l.ps = e->ps;
    for (int i = 0; i < e->ps; ++i)
        for (int k = e->p_first[i]; k < e->p_first[i + 1]; ++k)
            l.p[i].at[l.p[i].count++] = moved[e->p_factor[k]];
    for (int i = 0; i < e->ys; ++i)
        if (!vanishes[e->y_factor[i]])
            l.y.at[l.y.count++] = moved[e->y_factor[i]];
    return tsr_make_tile_distribution_encoding(&l);
}

TSR_API tsr_encoding_slice tsr_slice_distribution_from_x(tsr_encoding const *e, int64_t const *begin,
                                                         int64_t const *end)
{
    tsr_encoding_slice r = TSR_ZERO;
    int64_t origin[TSR_MAX_FACTORS] = {0};
    tsr_index const x_length = tsr_x_lengths(e);
    r.encoding = *e;
    for (int x = 0; x < e->xs && !r.encoding.why.status; ++x) {
        int64_t rest = end[x] - begin[x], at = begin[x];
        if (begin[x] < 0 || begin[x] >= end[x] || end[x] > x_length.at[x]) {
            r.encoding.why = tsr_because(TSR_SLICE_RANGE, x, begin[x], end[x], x_length.at[x]);
            break;
        }
        for (int f = e->first[x + 2] - 1; f >= e->first[x + 1]; --f) {
            int64_t const kept = tsr_gcd64(e->length[f], rest);
            bool owned_by_y = false;
            for (int i = 0; i < e->ys; ++i)
                owned_by_y = owned_by_y || e->y_factor[i] == f;
            origin[f] = at % e->length[f];
            at /= e->length[f];
            rest /= kept;
            bool const cut = kept != e->length[f];
            if ((cut && (rest != 1 || !owned_by_y)) || (!cut && origin[f] != 0) || origin[f] + kept > e->length[f])
                r.encoding.why = tsr_because(TSR_SLICE_FACTOR, x, end[x] - begin[x], begin[x], 0);
            r.encoding.length[f] = kept;
        }
    }
    r.y_length = tsr_y_lengths(&r.encoding);
    r.y_origin.rank = e->ys;
    for (int i = 0; i < e->ys; ++i)
        r.y_origin.at[i] = origin[e->y_factor[i]];
    return r;
}

#endif
