/** Running a graph of transforms: every hidden index from a top index, moving them, and whether there is an element.
 *
 *  Law     move(indices(x), s) = indices(x + s).
 *  Rounding is toward minus infinity, so that a negative index (always padding) has digits, too.
 */
#ifndef TSR_TILE_EVALUATE_H
#define TSR_TILE_EVALUATE_H

#include "tessera/tile/adaptor.h"

TSR_HEADER_BEGIN

/** The index below a linear transform. */
TSR_EVAL int64_t tsr_node_sum_(tsr_adaptor const *a, int i, int64_t const *hidden)
{
    int64_t r = a->number[i];
    for (int k = a->node[i].up, end = k + a->node[i].ups; k < end; ++k)
        r = tsr_wrap_add(r, tsr_wrap_mul(hidden[k], a->coefficient[k]));
    return r;
}

/** Runs transform i. */
TSR_FN void tsr_node_lower_(tsr_adaptor const *a, int i, int64_t *hidden)
{
    tsr_node const *const n = &a->node[i];
    uint8_t const *const low = &a->low[n->low];
    int64_t const *const up = &hidden[n->up];
    if (n->map == TSR_MAP_LINEAR) {
        hidden[low[0]] = tsr_node_sum_(a, i, hidden);
        return;
    }
    switch ((tsr_transform_map)n->map) {
    case TSR_MAP_DIGITS: {
        int64_t rest = up[0];
        for (int k = n->lows - 1; k > 0; --k) {
            int64_t const q = tsr_floor_div(rest, a->length[low[k]]);
            hidden[low[k]] = tsr_wrap_sub(rest, tsr_wrap_mul(q, a->length[low[k]]));
            rest = q;
        }
        if (n->lows > 0)
            hidden[low[0]] = rest;
        break;
    }
    case TSR_MAP_REMAINDER:
        hidden[low[0]] = tsr_floor_mod(up[0], a->number[i]);
        break;
    case TSR_MAP_EXCLUSIVE:
        hidden[low[0]] = up[0];
        hidden[low[1]] = up[1] ^ tsr_floor_mod(up[0], a->length[low[1]]);
        break;
    case TSR_MAP_TABLE:
        hidden[low[0]] = 0 <= up[0] && up[0] < a->length[n->up] ? a->table[n->table][up[0]] : 0;
        break;
    default:
        break;
    }
}

/** Writes every hidden index of a top index. Hidden dimensions that no top dimension reaches get 0. */
TSR_FN void tsr_adaptor_indices(tsr_adaptor const *a, int64_t const *top, int64_t *hidden)
{
    for (int i = 0; i < a->hidden && a->lows + a->tops < a->hidden; ++i)
        hidden[i] = 0;
    for (int i = 0; i < a->tops; ++i)
        hidden[a->top[i]] = top[i];
    for (int i = a->nodes - 1; i >= 0; --i) {
        if (a->node[i].map == TSR_MAP_LINEAR)
            hidden[a->low[a->node[i].low]] = tsr_node_sum_(a, i, hidden);
        else
            tsr_node_lower_(a, i, hidden);
    }
}

/** Moves the hidden indices by a step of the top index: only transforms below a dimension that moved are run, and a
 *  merge whose last digit does not overflow divides nothing. */
TSR_OP void tsr_adaptor_move(tsr_adaptor const *a, int64_t *hidden, int64_t const *step);

/* Validity */

/** Does the index below pad i hit an element? */
TSR_FN bool tsr_node_valid_(tsr_adaptor const *a, int i, int64_t const *hidden)
{
    tsr_node const *const n = &a->node[i];
    int const low = a->low[n->low];
    return (n->kind == TSR_TRANSFORM_RIGHT_PAD || hidden[low] >= 0)
           && (n->kind == TSR_TRANSFORM_LEFT_PAD || hidden[low] < a->length[low]);
}

/** Do all pads hit elements? The top index itself is not looked at. */
TSR_FN bool tsr_adaptor_valid(tsr_adaptor const *a, int64_t const *hidden)
{
    for (int i = 0; i < a->nodes; ++i)
        if (tsr_may_pad_(a->node[i].kind) && !tsr_node_valid_(a, i, hidden))
            return false;
    return true;
}

/** Is the top index inside the lengths? */
TSR_OP bool tsr_adaptor_inside(tsr_adaptor const *a, int64_t const *hidden);

/** Bounds of the absolute values of all hidden indices, for a top index of absolute values `top`. False when one
 *  leaves 64 bits: then the index must not be evaluated. */
TSR_OP bool tsr_adaptor_bounded(tsr_adaptor const *a, int64_t const *top);

/** lower(t, up): one index for each lower dimension; an invalid transform gives none. */
TSR_OP void tsr_transform_lower(tsr_coord_transform const *t, int64_t const *up, int64_t *low);

/** The lower index after the upper one has moved by `diff` to `up`. `low` held the old lower index.
 *  Law  update(t, u, low(t, u - diff)) = lower(t, u). */
TSR_OP void tsr_transform_update(tsr_coord_transform const *t, int64_t const *diff, int64_t const *up, int64_t *low);

/** Is every lower index valid, whatever the upper one is? */
TSR_FN bool tsr_transform_always_valid(tsr_coord_transform const *t) { return !tsr_may_pad_(t->kind); }

/** Is there an element at this lower index, and no padding? */
TSR_OP bool tsr_transform_valid(tsr_coord_transform const *t, int64_t const *low);

/** Derives the vectors of every hidden dimension from those that are given for some (length or stride not -1). */
TSR_OP void tsr_adaptor_vectors(tsr_adaptor const *a, tsr_vector *hidden, bool promised);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/evaluate.h"
#endif

#endif
