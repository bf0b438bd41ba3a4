/** The functions of tile/step.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TILE_STEP_H
#define TSR_SRC_TILE_STEP_H

#include "tessera/tile/step.h"
#include "tessera/tile/body/coordinate.h"

/** Facts about every hidden index while a step is made. */
typedef struct tsr_step_state_ {
    uint64_t open, changes; /* unknown; known and not 0 */
    int64_t by[TSR_MAX_HIDDEN];
} tsr_step_state_;

static void tsr_step_note_(tsr_coordinate_step *r, tsr_step_state_ *s, int dim, int64_t by, int64_t below)
{
    if (by == 0)
        return;
    int at = r->adds++;
    if (below != 0) { /* digits come first */
        r->add[at] = r->add[r->digits];
        at = r->digits++;
    }
    r->add[at].dim = (uint8_t)dim;
    r->add[at].by = by;
    r->add[at].below = below;
    s->by[dim] = by;
    s->changes |= (uint64_t)1 << dim;
}

/** The digit of a step that carries least: between -length / 2 and length / 2; *step keeps the rest. */
static int64_t tsr_step_digit_(int64_t *step, int64_t length)
{
    int64_t const quotient = tsr_floor_div(*step, length), digit = tsr_floor_mod(*step, length);
    bool const up = digit > length / 2;
    *step = up ? quotient + 1 : quotient;
    return up ? digit - length : digit;
}

/** The upper dimensions of a node that are in a set of hidden ones. */
static uint64_t tsr_above_(tsr_node const *n, uint64_t set)
{
    return n->ups == 0 ? 0 : set >> n->up & (((uint64_t)1 << n->ups) - 1);
}

/** Adds a transform with an upper index that changes. */
static void tsr_step_node_(tsr_coordinate_step *r, tsr_step_state_ *s, tsr_adaptor const *a, int i)
{
    tsr_node const *const n = &a->node[i];
    uint8_t const *const low = &a->low[n->low];
    int64_t const *const by = &s->by[n->up];
    int64_t rest = by[0], sum = 0;
    bool known = tsr_above_(n, s->open) == 0;
    if (known && n->map == TSR_MAP_EXCLUSIVE)
        known = by[0] % a->length[low[1]] == 0 && by[1] % a->length[low[1]] == 0;
    if (!known || n->map == TSR_MAP_TABLE) {
        r->node[r->again++] = (uint8_t)i;
        for (int k = 0; k < n->lows; ++k)
            s->open |= (uint64_t)1 << low[k];
        return;
    }
    switch ((tsr_transform_map)n->map) {
    case TSR_MAP_LINEAR:
        for (int k = 0; k < n->ups; ++k)
            sum = tsr_wrap_add(sum, tsr_wrap_mul(by[k], a->coefficient[n->up + k]));
        tsr_step_note_(r, s, low[0], sum, 0);
        break;
    case TSR_MAP_DIGITS:
        for (int k = n->lows - 1; k > 0; --k)
            tsr_step_note_(r, s, low[k], tsr_step_digit_(&rest, a->length[low[k]]), a->length[low[k]]);
        if (n->lows > 0)
            tsr_step_note_(r, s, low[0], rest, 0);
        break;
    case TSR_MAP_REMAINDER:
        tsr_step_note_(r, s, low[0], tsr_step_digit_(&rest, a->number[i]), a->number[i]);
        break;
    case TSR_MAP_EXCLUSIVE: /* multiples of the length leave the bits that are xored alone */
        tsr_step_note_(r, s, low[0], by[0], 0);
        tsr_step_note_(r, s, low[1], by[1], 0);
        break;
    default:
        break;
    }
}

/** Which ends of a hidden dimension decide whether there is an element: those of a pad, and of a top dimension. */
static void tsr_step_edges_(tsr_step_add *s, tsr_adaptor const *a)
{
    for (int i = 0; i < a->nodes; ++i) {
        if (!tsr_may_pad_(a->node[i].kind) || a->low[a->node[i].low] != s->dim)
            continue;
        s->left = s->left || a->node[i].kind != TSR_TRANSFORM_RIGHT_PAD;
        s->right = s->right || a->node[i].kind != TSR_TRANSFORM_LEFT_PAD;
    }
    for (int i = 0; i < a->tops; ++i) {
        s->left = s->left || a->top[i] == s->dim;
        s->right = s->right || a->top[i] == s->dim;
    }
}

TSR_API tsr_coordinate_step tsr_make_coordinate_step(tsr_descriptor const *d, int64_t const *step)
{
    tsr_coordinate_step r = TSR_ZERO;
    tsr_step_state_ s = TSR_ZERO;
    tsr_adaptor const *const a = &d->graph;
    for (int i = 0; i < a->tops; ++i) {
        r.step[i] = step[i];
        tsr_step_note_(&r, &s, a->top[i], step[i], 0);
    }
    for (int i = a->nodes - 1; i >= 0; --i)
        if (tsr_above_(&a->node[i], s.open | s.changes) != 0)
            tsr_step_node_(&r, &s, a, i);
    for (int k = 0; k < r.adds; ++k)
        tsr_step_edges_(&r.add[k], a);
    return r;
}

TSR_API void tsr_step_tensor_coordinate(tsr_descriptor const *d, tsr_coordinate *c, tsr_coordinate_step const *step)
{
    for (int i = 0; i < step->digits; ++i) {
        tsr_step_add const *const s = &step->add[i];
        if ((uint64_t)tsr_wrap_add(c->hidden[s->dim], s->by) >= (uint64_t)s->below) {
            tsr_move_tensor_coordinate(d, c, step->step);
            return;
        }
    }
    for (int i = 0; i < step->adds; ++i)
        c->hidden[step->add[i].dim] = tsr_wrap_add(c->hidden[step->add[i].dim], step->add[i].by);
    for (int i = 0; i < step->again; ++i)
        tsr_node_lower_(&d->graph, step->node[i], c->hidden);
}

/** The least k > 0 for which v + k * by is on the other side of `end`: at it and beyond, or below it. */
static int64_t tsr_steps_until_(int64_t v, int64_t by, int64_t end)
{
    int64_t const way = v < end ? tsr_wrap_sub(end, v) : tsr_wrap_sub(v, end - 1), pace = by < 0 ? -by : by;
    if ((v < end) != (by > 0))
        return TSR_INT_MAX;
    return pace == 1 ? way : way / pace + (way % pace != 0);
}

TSR_API tsr_coordinate_run tsr_make_coordinate_run(tsr_descriptor const *d, tsr_coordinate const *c,
                                                   tsr_coordinate_step const *step, int64_t most)
{
    tsr_coordinate_run r = TSR_ZERO;
    r.count = step->again > 0 ? 1 : most;
    r.there = tsr_coordinate_has_valid_offset(d, c);
    for (int i = 0; i < step->adds; ++i) {
        tsr_step_add const *const s = &step->add[i];
        int64_t const v = c->hidden[s->dim];
        r.stride = s->dim == 0 ? s->by : r.stride;
        if (s->below != 0 || s->left)
            r.count = tsr_min64(r.count, tsr_steps_until_(v, s->by, 0));
        if (s->below != 0)
            r.count = tsr_min64(r.count, tsr_steps_until_(v, s->by, s->below));
        if (s->right)
            r.count = tsr_min64(r.count, tsr_steps_until_(v, s->by, d->graph.length[s->dim]));
    }
    return r;
}

TSR_API void tsr_run_tensor_coordinate(tsr_descriptor const *d, tsr_coordinate *c, tsr_coordinate_step const *step,
                                       tsr_coordinate_run run)
{
    for (int i = 0; i < step->adds && run.count > 1; ++i) {
        int64_t *const v = &c->hidden[step->add[i].dim];
        *v = tsr_wrap_add(*v, tsr_wrap_mul(run.count - 1, step->add[i].by));
    }
    tsr_step_tensor_coordinate(d, c, step);
}

#endif
