/** The bodies of tile/adaptor.h. */
#ifndef TSR_TILE_BODY_ADAPTOR_H
#define TSR_TILE_BODY_ADAPTOR_H

#include "tessera/tile/adaptor.h"
#include "tessera/tile/body/transform.h"

TSR_HEADER_BEGIN

/** One more hidden dimension. */
TSR_LOCAL void tsr_adaptor_dim_(tsr_adaptor *a, int64_t length, int reader, int64_t coefficient)
{
    a->reader[a->hidden] = (uint8_t)reader;
    a->coefficient[a->hidden] = coefficient;
    a->length[a->hidden++] = length;
}

TSR_OP tsr_adaptor tsr_identity_adaptor(int n, int64_t const *length)
{
    tsr_adaptor a = TSR_ZERO;
    int64_t volume = 1;
    if (!tsr_volume_(length, n, &volume, &a.why))
        return a;
    a.bottoms = a.tops = (uint8_t)n;
    for (int i = 0; i < n; ++i) {
        a.bottom[i] = a.top[i] = (uint8_t)i;
        tsr_adaptor_dim_(&a, length[i], TSR_MAX_TRANSFORMS, 0);
    }
    return a;
}

/** Why a transform does not fit a lower dimension of this length; its place among the lower ones is i. */
TSR_LOCAL tsr_reason tsr_misfit_(tsr_coord_transform const *t, int i, int64_t length)
{
    switch ((tsr_transform_kind)t->kind) {
    case TSR_TRANSFORM_UNMERGE:
        return tsr_because(t->low[0] == length ? TSR_OK : TSR_DIM_PRODUCT, 0, t->low[0], length, 0);
    case TSR_TRANSFORM_EMBED:
    case TSR_TRANSFORM_FREEZE:
    case TSR_TRANSFORM_MODULO:
    case TSR_TRANSFORM_OFFSET:
    case TSR_TRANSFORM_INDEXING:
        return tsr_because(0 <= t->least && t->low[0] <= length ? TSR_OK : TSR_DIM_REACH, 0, t->least, t->low[0] - 1,
                           length);
    default:
        return tsr_because(t->low[i] == length ? TSR_OK : TSR_DIM_LENGTH, 0, t->low[i], length, 0);
    }
}

/** Puts a transform on hidden dimensions; the new ones, one for each upper dimension, are numbered in order. */
TSR_LOCAL void tsr_adaptor_put_(tsr_adaptor *a, tsr_coord_transform const *t, uint8_t const *low)
{
    int const i = a->nodes++;
    tsr_node *const n = &a->node[i];
    n->kind = t->kind;
    n->map = (uint8_t)tsr_map_of_(t->kind);
    n->lows = t->lows;
    n->ups = t->ups;
    n->low = a->lows;
    n->up = a->hidden;
    n->runtime_last = t->runtime_last;
    a->number[i] = n->map == TSR_MAP_LINEAR ? t->constant : t->low[0];
    if (n->map == TSR_MAP_TABLE) {
        n->table = a->tables;
        a->table[a->tables++] = t->table;
    }
    for (int k = 0; k < t->lows; ++k)
        a->low[a->lows++] = low[k];
    for (int k = 0; k < t->ups; ++k)
        tsr_adaptor_dim_(a, t->up[k], i, t->coefficient[k]);
}

/** The same where it fits. Errors  those of the transform; GRAPH_CAPACITY; DIM_LENGTH, DIM_PRODUCT, DIM_REACH. */
TSR_LOCAL void tsr_adaptor_push_(tsr_adaptor *a, tsr_coord_transform const *t, uint8_t const *low)
{
    int const tables = a->tables + (t->kind == TSR_TRANSFORM_INDEXING);
    if (!a->why.status)
        a->why = t->why;
    if (!a->why.status
        && (a->nodes == TSR_MAX_TRANSFORMS || a->hidden + t->ups > TSR_MAX_HIDDEN || tables > TSR_MAX_TABLES
            || a->lows + t->lows > TSR_MAX_HIDDEN))
        a->why = tsr_because(TSR_GRAPH_CAPACITY, 0, a->nodes + 1, a->hidden + t->ups, tables);
    for (int i = 0; i < t->lows && !a->why.status; ++i)
        a->why = tsr_misfit_(t, i, a->length[low[i]]);
    if (!a->why.status)
        tsr_adaptor_put_(a, t, low);
}

/** Is a place among n, and named for the first time? */
TSR_LOCAL tsr_reason tsr_place_(int at, int n, uint64_t *named)
{
    bool const twice = at < n && (*named >> at & 1u) != 0;
    *named |= at < n ? (uint64_t)1 << at : 0;
    return tsr_because(at >= n ? TSR_DIM_NONE : twice ? TSR_DIM_TWICE : TSR_OK, at, n, 0, 0);
}

TSR_OP void tsr_adaptor_stage(tsr_adaptor *a, int links, tsr_link const *link)
{
    uint8_t top[TSR_MAX_DIMS] = {0};
    uint64_t consumed = 0, produced = 0;
    int tops = 0;
    for (int i = 0; i < links; ++i)
        tops += link[i].ups;
    if (tops > TSR_MAX_DIMS && !a->why.status)
        a->why = tsr_because(TSR_DIMS, 0, tops, TSR_MAX_DIMS, 0);
    for (int i = 0; i < links && !a->why.status; ++i) {
        tsr_link const *const l = &link[i];
        uint8_t low[TSR_MAX_DIMS] = {0};
        int const first = a->hidden;
        if (!l->transform.why.status && (l->lows != l->transform.lows || l->ups != l->transform.ups)) {
            bool const low_side = l->lows != l->transform.lows;
            a->why = low_side ? tsr_because(TSR_ARITY_LOW, i, l->transform.lows, l->lows, 0)
                              : tsr_because(TSR_ARITY_UP, i, l->transform.ups, l->ups, 0);
        }
        for (int k = 0; k < l->lows && !a->why.status; ++k) {
            a->why = tsr_place_(l->low[k], a->tops, &consumed);
            low[k] = a->top[l->low[k] % TSR_MAX_DIMS];
            if (!a->why.status && !l->transform.why.status)
                a->why = tsr_misfit_(&l->transform, k, a->length[low[k]]);
            a->why.mode = l->low[k];
        }
        for (int k = 0; k < l->ups && !a->why.status; ++k) {
            a->why = tsr_place_(l->up[k], tops, &produced);
            if (a->why.status)
                a->why.status = a->why.status == TSR_DIM_NONE ? TSR_DIM_GAP : TSR_DIM_MADE_TWICE;
            else
                top[l->up[k]] = (uint8_t)(first + k);
        }
        tsr_adaptor_push_(a, &l->transform, low);
    }
    for (int i = 0; i < a->tops && !a->why.status; ++i)
        if ((consumed >> i & 1u) == 0)
            a->why = tsr_because(TSR_DIM_LEFT, i, a->tops, 0, 0);
    if (a->why.status)
        return;
    a->tops = (uint8_t)tops;
    for (int i = 0; i < tops; ++i)
        a->top[i] = top[i];
}

/** Returns a transform of the graph as a transform of its own. */
TSR_LOCAL tsr_coord_transform tsr_node_transform_(tsr_adaptor const *a, int i)
{
    tsr_node const *const n = &a->node[i];
    tsr_coord_transform t = tsr_transform_of_((tsr_transform_kind)n->kind, n->lows, n->ups);
    t.runtime_last = n->runtime_last;
    t.constant = n->map == TSR_MAP_LINEAR ? a->number[i] : 0;
    for (int k = 0; k < n->lows; ++k)
        t.low[k] = a->length[a->low[n->low + k]];
    if (n->map != TSR_MAP_LINEAR && n->lows == 1)
        t.low[0] = a->number[i];
    if (n->map == TSR_MAP_TABLE)
        t.table = a->table[n->table];
    for (int k = 0; k < n->ups; ++k) {
        t.up[k] = a->length[n->up + k];
        t.coefficient[k] = a->coefficient[n->up + k];
    }
    return t;
}

TSR_OP void tsr_adaptor_chain(tsr_adaptor *a, tsr_adaptor const *above)
{
    uint8_t at[TSR_MAX_HIDDEN] = {0};
    if (a->why.status)
        return;
    a->why = above->why;
    if (!a->why.status && above->bottoms != a->tops)
        a->why = tsr_because(TSR_CHAIN_RANK, 0, a->tops, above->bottoms, 0);
    for (int i = 0; i < a->tops && !a->why.status; ++i) {
        int64_t const below = a->length[a->top[i]], length = above->length[above->bottom[i]];
        at[above->bottom[i]] = a->top[i];
        if (below != length)
            a->why = tsr_because(TSR_DIM_LENGTH, i, length, below, 0);
    }
    for (int i = 0; i < above->nodes && !a->why.status; ++i) {
        tsr_coord_transform const t = tsr_node_transform_(above, i);
        uint8_t low[TSR_MAX_DIMS] = {0};
        for (int k = 0; k < t.lows; ++k)
            low[k] = at[above->low[above->node[i].low + k]];
        for (int k = 0; k < t.ups; ++k)
            at[above->node[i].up + k] = (uint8_t)(a->hidden + k);
        tsr_adaptor_push_(a, &t, low);
    }
    for (int i = 0; i < above->tops; ++i)
        a->top[i] = at[above->top[i]];
    a->tops = above->tops;
}

TSR_OP tsr_index tsr_adaptor_lengths(tsr_adaptor const *a)
{
    tsr_index r = TSR_ZERO;
    r.rank = a->tops;
    for (int i = 0; i < a->tops; ++i)
        r.at[i] = a->length[a->top[i]];
    return r;
}

TSR_HEADER_END

#endif
