/** Tensor adaptor: a graph of transforms between bottom dimensions and top dimensions.
 *
 *      top        0   1   2          a stage consumes all top dimensions and produces new ones
 *                 |    \ /
 *      hidden     3   4   5          every dimension of every stage is a hidden dimension with a number and a length
 *                 |     |
 *      bottom     0     1
 *
 *  The length of every hidden dimension is known, so a transform that does not fit what is below it is refused, with
 *  the dimension and the numbers. Hidden dimensions are numbered in the order of the transforms that make them.
 *
 *  Law     the bottom index is the top index run through the transforms, from the last one down to the first.
 *  Limits  TSR_MAX_DIMS on each side, TSR_MAX_TRANSFORMS, TSR_MAX_HIDDEN.
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/tensor_adaptor.hpp.
 */
#ifndef TSR_TILE_ADAPTOR_H
#define TSR_TILE_ADAPTOR_H

#include "tessera/tile/transform.h"

#ifndef TSR_MAX_TRANSFORMS
#  define TSR_MAX_TRANSFORMS 24
#endif

/** At most 64: a set of hidden dimensions is the bits of one integer. */
#define TSR_MAX_HIDDEN 64

/** A transform in its place: the hidden dimensions below and above. */
typedef struct tsr_node {
    tsr_coord_transform transform;
    uint8_t low[TSR_MAX_DIMS], up[TSR_MAX_DIMS];
    uint64_t above; /* the set of `up` */
} tsr_node;

typedef struct tsr_adaptor {
    tsr_reason why;
    uint8_t nodes, hidden, bottoms, tops;
    uint8_t bottom[TSR_MAX_DIMS], top[TSR_MAX_DIMS];
    int64_t length[TSR_MAX_HIDDEN];
    tsr_node node[TSR_MAX_TRANSFORMS];
} tsr_adaptor;

/** What one transform of a stage consumes and produces: places among the old and among the new top dimensions. */
typedef struct tsr_link {
    tsr_coord_transform transform;
    uint8_t lows, ups;
    uint8_t low[TSR_MAX_DIMS], up[TSR_MAX_DIMS];
} tsr_link;

/** An adaptor without transforms: its bottom dimensions are its top dimensions. */
TSR_FN tsr_adaptor tsr_identity_adaptor(int n, int64_t const *length)
{
    tsr_adaptor a = TSR_ZERO;
    int64_t volume = 1;
    if (!tsr_volume_(length, n, &volume, &a.why))
        return a;
    a.bottoms = a.tops = a.hidden = (uint8_t)n;
    for (int i = 0; i < n; ++i) {
        a.bottom[i] = a.top[i] = (uint8_t)i;
        a.length[i] = length[i];
    }
    return a;
}

/** Why a transform does not fit a lower dimension of this length; its place among the lower ones is i. */
TSR_FN tsr_reason tsr_misfit_(tsr_coord_transform const *t, int i, int64_t length)
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
TSR_FN void tsr_adaptor_push_(tsr_adaptor *a, tsr_coord_transform const *t, uint8_t const *low)
{
    if (a->why.status || t->why.status) {
        a->why = a->why.status ? a->why : t->why;
        return;
    }
    if (a->nodes == TSR_MAX_TRANSFORMS || a->hidden + t->ups > TSR_MAX_HIDDEN) {
        a->why = tsr_because(TSR_GRAPH_CAPACITY, 0, a->nodes + 1, a->hidden + t->ups, 0);
        return;
    }
    tsr_node *const n = &a->node[a->nodes++];
    n->transform = *t;
    for (int i = 0; i < t->lows; ++i) {
        tsr_reason const misfit = tsr_misfit_(t, i, a->length[low[i]]);
        n->low[i] = low[i];
        if (misfit.status && !a->why.status)
            a->why = misfit;
    }
    for (int i = 0; i < t->ups; ++i) {
        n->up[i] = a->hidden;
        n->above |= (uint64_t)1 << a->hidden;
        a->length[a->hidden++] = t->up[i];
    }
}

/** Is a place among n, and named for the first time? */
TSR_FN tsr_reason tsr_place_(int at, int n, uint64_t *named)
{
    bool const twice = at < n && (*named >> at & 1u) != 0;
    *named |= at < n ? (uint64_t)1 << at : 0;
    return tsr_because(at >= n ? TSR_DIM_NONE : twice ? TSR_DIM_TWICE : TSR_OK, at, n, 0, 0);
}

/** A stage: each link consumes old top dimensions and produces new ones. Every old top dimension is consumed once
 *  (freeze drops one, pass_through keeps one), and the new ones are numbered without gaps.
 *  Errors  DIM_LENGTH, DIM_PRODUCT, DIM_REACH, DIM_NONE, DIM_TWICE, DIM_LEFT, DIM_GAP, ARITY, DIMS, GRAPH_CAPACITY;
 *          the dimension is a top dimension of before the stage, or a new one. */
TSR_FN void tsr_adaptor_stage(tsr_adaptor *a, int links, tsr_link const *link)
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

/** The adaptor `above` on top of `a`: its bottom dimensions are the top dimensions of a.
 *  Errors  CHAIN_RANK, DIM_LENGTH. */
TSR_FN void tsr_adaptor_chain(tsr_adaptor *a, tsr_adaptor const *above)
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
        tsr_node const *const n = &above->node[i];
        uint8_t low[TSR_MAX_DIMS] = {0};
        for (int k = 0; k < n->transform.lows; ++k)
            low[k] = at[n->low[k]];
        for (int k = 0; k < n->transform.ups; ++k)
            at[n->up[k]] = (uint8_t)(a->hidden + k);
        tsr_adaptor_push_(a, &n->transform, low);
    }
    for (int i = 0; i < above->tops; ++i)
        a->top[i] = at[above->top[i]];
    a->tops = above->tops;
}

/** The sum of a linear transform in its place. */
TSR_FN int64_t tsr_node_sum_(tsr_node const *n, int64_t const *hidden)
{
    tsr_coord_transform const *const t = &n->transform;
    int64_t r = t->constant;
    for (int k = 0; k < t->ups; ++k)
        r = tsr_wrap_add_(r, tsr_wrap_mul_(hidden[n->up[k]], t->coefficient[k]));
    return r;
}

/** Runs any transform in its place. */
TSR_FN void tsr_node_lower_(tsr_node const *n, int64_t *hidden)
{
    int64_t up[TSR_MAX_DIMS] TSR_SCRATCH, low[TSR_MAX_DIMS] TSR_SCRATCH;
    if (n->transform.map == TSR_MAP_LINEAR) {
        hidden[n->low[0]] = tsr_node_sum_(n, hidden);
        return;
    }
    for (int k = 0; k < n->transform.ups; ++k)
        up[k] = hidden[n->up[k]];
    tsr_transform_lower(&n->transform, up, low);
    for (int k = 0; k < n->transform.lows; ++k)
        hidden[n->low[k]] = low[k];
}

/** Every hidden index of a top index. What no top dimension reaches is 0. */
TSR_FN void tsr_adaptor_indices(tsr_adaptor const *a, int64_t const *top, int64_t *hidden)
{
    for (int i = 0; i < a->hidden; ++i)
        hidden[i] = 0;
    for (int i = 0; i < a->tops; ++i)
        hidden[a->top[i]] = top[i];
    for (int i = a->nodes - 1; i >= 0; --i)
        tsr_node_lower_(&a->node[i], hidden);
}

/** Moves one hidden index to `to`; `moved` keeps by how much. */
TSR_FN void tsr_shift_hidden_(int64_t *hidden, int64_t *moved, uint64_t *changed, int dim, int64_t to)
{
    int64_t const delta = tsr_wrap_sub_(to, hidden[dim]);
    if (delta == 0)
        return;
    moved[dim] = delta;
    hidden[dim] = to;
    *changed |= (uint64_t)1 << dim;
}

/** Moves the hidden indices by a step of the top index: only transforms below a dimension that moved are run, and a
 *  merge whose last digit does not overflow divides nothing. */
TSR_FN void tsr_adaptor_move(tsr_adaptor const *a, int64_t *hidden, int64_t const *step)
{
    int64_t moved[TSR_MAX_HIDDEN] TSR_SCRATCH;
    uint64_t changed = 0;
    for (int i = 0; i < a->tops; ++i)
        if (step[i] != 0)
            tsr_shift_hidden_(hidden, moved, &changed, a->top[i], tsr_wrap_add_(hidden[a->top[i]], step[i]));
    for (int i = a->nodes - 1; i >= 0; --i) {
        tsr_node const *const n = &a->node[i];
        tsr_coord_transform const *const t = &n->transform;
        if ((n->above & changed) == 0)
            continue;
        if (t->map == TSR_MAP_LINEAR) {
            int64_t delta = 0;
            for (int k = 0; k < t->ups; ++k)
                if ((changed >> n->up[k] & 1u) != 0)
                    delta = tsr_wrap_add_(delta, tsr_wrap_mul_(moved[n->up[k]], t->coefficient[k]));
            tsr_shift_hidden_(hidden, moved, &changed, n->low[0], tsr_wrap_add_(hidden[n->low[0]], delta));
            continue;
        }
        int64_t up[TSR_MAX_DIMS] TSR_SCRATCH, diff[TSR_MAX_DIMS] TSR_SCRATCH, low[TSR_MAX_DIMS] TSR_SCRATCH;
        for (int k = 0; k < t->ups; ++k) {
            up[k] = hidden[n->up[k]];
            diff[k] = (changed >> n->up[k] & 1u) != 0 ? moved[n->up[k]] : 0;
        }
        for (int k = 0; k < t->lows; ++k)
            low[k] = hidden[n->low[k]];
        tsr_transform_update(t, diff, up, low);
        for (int k = 0; k < t->lows; ++k)
            tsr_shift_hidden_(hidden, moved, &changed, n->low[k], low[k]);
    }
}

/** Do all pads hit elements? The top index itself is not looked at. */
TSR_FN bool tsr_adaptor_valid(tsr_adaptor const *a, int64_t const *hidden)
{
    for (int i = 0; i < a->nodes; ++i)
        if (!tsr_transform_always_valid(&a->node[i].transform)
            && !tsr_transform_valid(&a->node[i].transform, &hidden[a->node[i].low[0]]))
            return false;
    return true;
}

/** Is the top index inside the lengths? */
TSR_FN bool tsr_adaptor_inside(tsr_adaptor const *a, int64_t const *hidden)
{
    for (int i = 0; i < a->tops; ++i)
        if (hidden[a->top[i]] < 0 || hidden[a->top[i]] >= a->length[a->top[i]])
            return false;
    return true;
}

/** What is sure of the vectors of every hidden dimension, from what is said of some (length or stride not -1). */
TSR_FN void tsr_adaptor_vectors(tsr_adaptor const *a, tsr_vector *hidden, bool promised)
{
    for (int i = 0; i < a->nodes; ++i) {
        tsr_node const *const n = &a->node[i];
        tsr_vector up[TSR_MAX_DIMS] TSR_SCRATCH, low[TSR_MAX_DIMS] TSR_SCRATCH;
        for (int k = 0; k < n->transform.lows; ++k)
            low[k] = hidden[n->low[k]];
        tsr_transform_vectors(&n->transform, low, up, promised);
        for (int k = 0; k < n->transform.ups; ++k) {
            tsr_vector *const v = &hidden[n->up[k]];
            v->length = v->length < 0 ? up[k].length : v->length;
            v->stride = v->stride < 0 ? up[k].stride : v->stride;
        }
    }
}

/** The top lengths. */
TSR_FN tsr_index tsr_adaptor_lengths(tsr_adaptor const *a)
{
    tsr_index r = TSR_ZERO;
    r.rank = a->tops;
    for (int i = 0; i < a->tops; ++i)
        r.at[i] = a->length[a->top[i]];
    return r;
}

/** Bounds of the absolute values of all hidden indices, for a top index of absolute values `top`. False when one
 *  leaves 64 bits: then the index must not be evaluated. */
TSR_FN bool tsr_adaptor_bounded(tsr_adaptor const *a, int64_t const *top)
{
    int64_t bound[TSR_MAX_HIDDEN] = {0};
    for (int i = 0; i < a->tops; ++i)
        bound[a->top[i]] = top[i];
    for (int i = a->nodes - 1; i >= 0; --i) {
        tsr_node const *const n = &a->node[i];
        tsr_coord_transform const *const t = &n->transform;
        int64_t sum = t->constant < 0 ? -t->constant : t->constant, term = 0;
        for (int k = 0; k < t->ups; ++k)
            if (!tsr_mul64(bound[n->up[k]], t->map == TSR_MAP_LINEAR ? t->coefficient[k] : 1, &term)
                || !tsr_add64(sum, term < 0 ? -term : term, &sum))
                return false;
        for (int k = 0; k < t->lows; ++k)
            if (!tsr_add64(sum, t->low[k], &bound[n->low[k]]))
                return false;
    }
    return true;
}

#endif
