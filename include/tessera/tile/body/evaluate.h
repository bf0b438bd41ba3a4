/** The bodies of tile/evaluate.h. */
#ifndef TSR_TILE_BODY_EVALUATE_H
#define TSR_TILE_BODY_EVALUATE_H

#include "tessera/tile/evaluate.h"
#include "tessera/tile/body/adaptor.h"

TSR_HEADER_BEGIN

/** Moves one hidden index to `to`; `moved` keeps by how much, `runs` which transforms read it. */
TSR_LOCAL void tsr_shift_hidden_(tsr_adaptor const *a, int64_t *hidden, int64_t *moved, uint32_t *runs, int dim,
                                 int64_t to)
{
    int64_t const delta = tsr_wrap_sub(to, hidden[dim]);
    if (delta == 0)
        return;
    moved[dim] = delta;
    hidden[dim] = to;
    *runs |= (uint32_t)1 << a->reader[dim];
}

TSR_OP void tsr_adaptor_move(tsr_adaptor const *a, int64_t *hidden, int64_t const *step)
{
    int64_t moved[TSR_MAX_HIDDEN] TSR_SCRATCH, before[TSR_MAX_DIMS] TSR_SCRATCH;
    uint32_t runs = 0;
    for (int i = 0; i < a->tops; ++i)
        if (step[i] != 0)
            tsr_shift_hidden_(a, hidden, moved, &runs, a->top[i], tsr_wrap_add(hidden[a->top[i]], step[i]));
    for (int i = a->nodes - 1; i >= 0; --i) {
        if ((runs >> i & 1u) == 0)
            continue;
        tsr_node const *const n = &a->node[i];
        uint8_t const *const low = &a->low[n->low];
        if (n->map == TSR_MAP_LINEAR) {
            tsr_shift_hidden_(a, hidden, moved, &runs, low[0], tsr_node_sum_(a, i, hidden));
            continue;
        }
        if (n->map == TSR_MAP_DIGITS && n->lows > 0) {
            int const last = low[n->lows - 1];
            int64_t const digit = tsr_wrap_add(hidden[last], moved[n->up]);
            if (n->lows == 1 || (0 <= digit && digit < a->length[last])) {
                tsr_shift_hidden_(a, hidden, moved, &runs, last, digit);
                continue;
            }
        }
        for (int k = 0; k < n->lows; ++k)
            before[k] = hidden[low[k]];
        tsr_node_lower_(a, i, hidden);
        for (int k = 0; k < n->lows; ++k) {
            int64_t const to = hidden[low[k]];
            hidden[low[k]] = before[k];
            tsr_shift_hidden_(a, hidden, moved, &runs, low[k], to);
        }
    }
}

TSR_OP bool tsr_adaptor_inside(tsr_adaptor const *a, int64_t const *hidden)
{
    for (int i = 0; i < a->tops; ++i)
        if (hidden[a->top[i]] < 0 || hidden[a->top[i]] >= a->length[a->top[i]])
            return false;
    return true;
}

TSR_OP bool tsr_adaptor_bounded(tsr_adaptor const *a, int64_t const *top)
{
    int64_t bound[TSR_MAX_HIDDEN] = {0};
    for (int i = 0; i < a->tops; ++i)
        bound[a->top[i]] = top[i];
    for (int i = a->nodes - 1; i >= 0; --i) {
        tsr_node const *const n = &a->node[i];
        bool const linear = n->map == TSR_MAP_LINEAR;
        int64_t sum = !linear ? 0 : a->number[i] < 0 ? -a->number[i] : a->number[i], term = 0;
        for (int k = n->up; k < n->up + n->ups; ++k)
            if (!tsr_mul64(bound[k], linear ? a->coefficient[k] : 1, &term)
                || !tsr_add64(sum, term < 0 ? -term : term, &sum))
                return false;
        for (int k = n->low; k < n->low + n->lows; ++k)
            if (!tsr_add64(sum, a->length[a->low[k]], &bound[a->low[k]]))
                return false;
    }
    return true;
}

/* A transform by itself: a graph of one */

TSR_LOCAL tsr_adaptor tsr_transform_alone_(tsr_coord_transform const *t)
{
    tsr_adaptor a = TSR_ZERO;
    uint8_t low[TSR_MAX_DIMS] = {0};
    for (int i = 0; i < t->lows; ++i) {
        low[i] = (uint8_t)i;
        tsr_adaptor_dim_(&a, t->low[i], TSR_MAX_TRANSFORMS, 0);
    }
    tsr_adaptor_put_(&a, t, low);
    a.tops = t->ups;
    for (int i = 0; i < t->ups; ++i)
        a.top[i] = (uint8_t)(t->lows + i);
    return a;
}

TSR_OP void tsr_transform_lower(tsr_coord_transform const *t, int64_t const *up, int64_t *low)
{
    tsr_adaptor const a = tsr_transform_alone_(t);
    int64_t hidden[TSR_MAX_HIDDEN] TSR_SCRATCH;
    if (t->why.status)
        return;
    tsr_adaptor_indices(&a, up, hidden);
    for (int i = 0; i < t->lows; ++i)
        low[i] = hidden[i];
}

TSR_OP void tsr_transform_update(tsr_coord_transform const *t, int64_t const *diff, int64_t const *up, int64_t *low)
{
    tsr_adaptor const a = tsr_transform_alone_(t);
    int64_t hidden[TSR_MAX_HIDDEN] TSR_SCRATCH;
    for (int i = 0; i < t->lows; ++i)
        hidden[i] = low[i];
    for (int i = 0; i < t->ups; ++i)
        hidden[t->lows + i] = tsr_wrap_sub(up[i], diff[i]);
    tsr_adaptor_move(&a, hidden, diff);
    for (int i = 0; i < t->lows; ++i)
        low[i] = hidden[i];
}

TSR_OP bool tsr_transform_valid(tsr_coord_transform const *t, int64_t const *low)
{
    tsr_adaptor const a = tsr_transform_alone_(t);
    return !tsr_may_pad_(t->kind) || tsr_node_valid_(&a, 0, low);
}

/* Vectors */

/** Facts about the upper dimensions of transform i, from the facts about the lower ones. With `promised`, pads,
 *  merges and xors hand on these facts unchanged, as in CK Tile. The caller then promises that groups are never
 *  split. */
TSR_LOCAL void tsr_node_vectors_(tsr_adaptor const *a, int i, tsr_vector const *low, tsr_vector *up, bool promised)
{
    tsr_node const *const n = &a->node[i];
    uint8_t const *const at = &a->low[n->low];
    int const last = n->lows > 0 ? n->lows - 1 : 0;
    for (int k = 0; k < n->ups; ++k)
        up[k] = tsr_no_vector();
    switch ((tsr_transform_kind)n->kind) {
    case TSR_TRANSFORM_PASS_THROUGH:
    case TSR_TRANSFORM_RIGHT_PAD:
        up[0] = low[0];
        break;
    case TSR_TRANSFORM_LEFT_PAD:
        up[0] = promised || a->number[i] == 0 ? low[0] : tsr_vector_cut_(low[0], -a->number[i]);
        break;
    case TSR_TRANSFORM_MERGE:
    case TSR_TRANSFORM_MERGE_MOD:
        if (n->lows > 0)
            up[0] = promised ? low[last] : tsr_vector_cut_(low[last], a->length[at[last]]);
        break;
    case TSR_TRANSFORM_UNMERGE:
        if (n->ups > 0) {
            tsr_vector *const fastest = &up[n->ups - 1];
            *fastest = n->runtime_last ? *fastest : tsr_vector_cut_(low[0], a->length[n->up + n->ups - 1]);
            fastest->stride = low[0].stride;
        }
        break;
    case TSR_TRANSFORM_XOR:
        if (promised || a->length[at[1]] == 1)
            up[0] = low[0];
        if (promised || a->length[at[1]] == 1 || a->length[at[0]] == 1)
            up[1] = low[1];
        break;
    default:
        break;
    }
}

TSR_OP void tsr_adaptor_vectors(tsr_adaptor const *a, tsr_vector *hidden, bool promised)
{
    for (int i = 0; i < a->nodes; ++i) {
        tsr_node const *const n = &a->node[i];
        tsr_vector up[TSR_MAX_DIMS] TSR_SCRATCH, low[TSR_MAX_DIMS] TSR_SCRATCH;
        for (int k = 0; k < n->lows; ++k)
            low[k] = hidden[a->low[n->low + k]];
        tsr_node_vectors_(a, i, low, up, promised);
        for (int k = 0; k < n->ups; ++k) {
            tsr_vector *const v = &hidden[n->up + k];
            v->length = v->length < 0 ? up[k].length : v->length;
            v->stride = v->stride < 0 ? up[k].stride : v->stride;
        }
    }
}

TSR_HEADER_END

#endif
