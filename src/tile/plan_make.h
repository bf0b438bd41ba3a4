/** The functions of tile/plan_make.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TILE_PLAN_MAKE_H
#define TSR_SRC_TILE_PLAN_MAKE_H

#include "tessera/tile/plan_make.h"
#include "tessera/tile/body/fold.h"
#include "tessera/tile/body/tile_plan.h"

static void tsr_tile_refuse_(tsr_planned_tile *p, tsr_reason why)
{
    if (!p->why.status)
        p->why = why;
}

static void tsr_tile_full_(tsr_planned_tile *p)
{
    tsr_tile_refuse_(p, tsr_because(TSR_PLAN_CAPACITY, 0, TSR_MAX_TERMS, TSR_MAX_LOOPS, TSR_MAX_LIMITS));
}

/* Terms and limits */

/** One more term of a dimension, joined to the one before where all its steps go on. */
static void tsr_tile_push_term_(tsr_planned_tile *p, int dim, tsr_tile_term const *t)
{
    if (p->terms > 0 && p->term_dim[p->terms - 1] == dim) {
        tsr_tile_term *const last = &p->term[p->terms - 1];
        bool joins = tsr_wrap_mul(last->memory, last->extent) == t->memory && p->swizzle.bits == 0;
        for (int k = 0; k < p->limits; ++k)
            joins = joins && tsr_wrap_mul(last->limit[k], last->extent) == t->limit[k];
        if (joins) {
            last->extent *= t->extent;
            return;
        }
    }
    if (p->terms == TSR_MAX_TERMS) {
        tsr_tile_full_(p);
        return;
    }
    p->term_dim[p->terms] = (uint8_t)dim;
    p->term[p->terms++] = *t;
}

/** One more limit, base + value from lo to hi - 1; `lo` and `hi` may be without end. */
static void tsr_tile_push_limit_(tsr_planned_tile *p, int64_t base, int64_t lo, int64_t hi)
{
    if (p->limits == TSR_MAX_LIMITS || hi > TSR_PLAN_REACH_ || base > TSR_PLAN_REACH_ || base < -TSR_PLAN_REACH_) {
        tsr_tile_full_(p);
        return;
    }
    tsr_tile_limit *const l = &p->limit[p->dims + p->limits++];
    l->lo = lo - base;
    l->hi = hi - base;
}

/** Is a sum the index of dimension d and a constant? */
static bool tsr_sum_is_index_(tsr_digits const *s, int slot, int d)
{
    for (int i = 0; i < s->count; ++i)
        if (s->slot[slot].term[i]
            != (s->digit[i].kind == TSR_DIGIT_TOP && s->digit[i].dim == d ? s->digit[i].weight : 0))
            return false;
    return true;
}

/** The limits that pads set: those that only shift an index tighten its range. `slot` keeps whose sums they are. */
static void tsr_tile_guards_(tsr_planned_tile *p, tsr_adaptor const *a, tsr_digits *s, int *slot)
{
    for (int i = 0; i < a->nodes && !p->why.status; ++i) {
        int const kind = a->node[i].kind, low = a->low[a->node[i].low];
        int64_t least = 0, greatest = 0;
        int same = p->dims;
        if (!tsr_may_pad_((uint8_t)kind))
            continue;
        tsr_sum_range_(s, low, &least, &greatest);
        int64_t const lo = kind == TSR_TRANSFORM_RIGHT_PAD ? -TSR_PLAN_REACH_ : 0;
        int64_t const hi = kind == TSR_TRANSFORM_LEFT_PAD ? TSR_PLAN_REACH_ : a->length[low];
        if (lo <= least && greatest < hi)
            continue;
        if (least < -TSR_PLAN_REACH_ || greatest > TSR_PLAN_REACH_) {
            tsr_tile_full_(p);
            return;
        }
        for (int d = p->dims - 1; d >= 0; --d)
            same = tsr_sum_is_index_(s, low, d) ? d : same;
        if (same < p->dims) {
            p->limit[same].lo = tsr_max64(p->limit[same].lo, lo - s->slot[low].constant);
            p->limit[same].hi = tsr_min64(p->limit[same].hi, hi - s->slot[low].constant);
        } else if (tsr_sum_kind_(s, low) != TSR_FOLDED) {
            tsr_tile_refuse_(p, tsr_because(TSR_PLAN_GRAPH, 0, 0, 0, 0));
        } else {
            slot[p->limits % TSR_MAX_LIMITS] = low;
            tsr_tile_push_limit_(p, s->slot[low].constant, lo, hi);
        }
    }
}

/** The terms of the digits: all hidden indices cut the dimensions at the same weights. */
static void tsr_tile_digits_(tsr_planned_tile *p, tsr_adaptor const *a, tsr_digits *s, int64_t size)
{
    int slot[TSR_MAX_LIMITS] = {0};
    p->base = s->slot[0].constant;
    tsr_tile_guards_(p, a, s, slot);
    if (size < a->length[0])
        tsr_tile_push_limit_(p, p->base, 0, size); /* slot 0, the offset */
    for (int d = 0; d < p->dims && !p->why.status; ++d) {
        int64_t weight = 1;
        for (int i = tsr_digit_at_(s, d, weight); i >= 0; i = tsr_digit_at_(s, d, weight)) {
            tsr_tile_term t = TSR_ZERO;
            t.weight = weight;
            t.extent = s->digit[i].extent;
            t.memory = s->slot[0].term[i];
            for (int k = 0; k < p->limits; ++k)
                t.limit[k] = s->slot[slot[k]].term[i];
            tsr_tile_push_term_(p, d, &t);
            weight *= t.extent;
        }
    }
}

/** The terms of a layout that trial found: no element is padding. */
static void tsr_tile_layout_(tsr_planned_tile *p, tsr_descriptor const *d, int64_t size)
{
    tsr_folded const f = tsr_fold(d);
    tsr_tuple const *const shape = &f.layout.shape;
    if (f.kind != TSR_FOLDED || f.guards > 0 || shape->status || size < d->graph.length[0]) {
        tsr_tile_refuse_(p, tsr_because(TSR_PLAN_GRAPH, 0, 0, 0, 0));
        return;
    }
    p->base = f.base;
    if (f.layout.composed) {
        p->swizzle = f.layout.swizzle;
        p->base = tsr_leaf_value(f.layout.offset);
    }
    for (int dim = 0, b = 0; dim < p->dims; ++dim) {
        int const end = tsr_is_leaf(shape) ? 1 : tsr_mode_end_(shape, b);
        for (int64_t weight = 1; b < end; weight *= shape->leaf[b++].value) {
            tsr_tile_term t = TSR_ZERO;
            t.weight = weight;
            t.extent = shape->leaf[b].value;
            t.memory = f.layout.stride.leaf[b].value;
            tsr_tile_push_term_(p, dim, &t);
        }
    }
}

/* Loops */

static void tsr_tile_push_loop_(tsr_planned_tile *p, int term, int64_t count, int64_t times, int64_t buffer)
{
    if (count == 1)
        return;
    if (p->loops == TSR_MAX_LOOPS) {
        tsr_tile_full_(p);
        return;
    }
    tsr_tile_loop *const l = &p->loop[p->loops];
    l->count = count;
    l->buffer = buffer;
    l->times = times;
    p->loop_term[p->loops++] = (uint8_t)term;
}

/** The loops of `count` steps of `weight` along a dimension: cut where a term ends.
 *  Errors  PLAN_FACTOR where that is not even. */
static void tsr_tile_factor_(tsr_planned_tile *p, int dim, int64_t weight, int64_t count, int64_t buffer)
{
    for (int i = 0; i < p->terms && count > 1; ++i) {
        tsr_tile_term const *const t = &p->term[i];
        int64_t const end = t->weight * t->extent;
        if (p->term_dim[i] != dim || weight % t->weight != 0 || (end != 0 && weight >= end))
            continue;
        int64_t const steps = end == 0 || count <= end / weight ? count : end / weight;
        if (end != 0 && (end % weight != 0 || count % steps != 0))
            break;
        tsr_tile_push_loop_(p, i, steps, weight / t->weight, buffer);
        buffer *= steps;
        weight *= steps;
        count /= steps;
    }
    if (count > 1)
        tsr_tile_refuse_(p, tsr_because(TSR_PLAN_FACTOR, dim, count, weight, 0));
}

static void tsr_tile_loops_(tsr_planned_tile *p, tsr_encoding const *e)
{
    int64_t buffer = tsr_thread_buffer_size(e);
    for (int i = e->p_first[e->ps] - 1; i >= 0; --i) {
        int const f = e->p_factor[i], major = tsr_place_of_(e, f).major;
        if (major == 0)
            tsr_tile_push_loop_(p, 0, e->length[f], 0, buffer); /* replication does not move */
        else
            tsr_tile_factor_(p, major - 1, tsr_factor_weight_(e, f), e->length[f], buffer);
        buffer = tsr_wrap_mul(buffer, e->length[f]);
    }
    p->thread_loops = p->loops;
    buffer = 1;
    for (int i = e->ys - 1; i >= 0; --i) {
        int const f = e->y_factor[i];
        tsr_tile_factor_(p, tsr_place_of_(e, f).major - 1, tsr_factor_weight_(e, f), e->length[f], buffer);
        buffer *= e->length[f];
    }
}

/** How far the tile reaches from its origin, for each limit. */
static void tsr_tile_reach_(tsr_planned_tile *p)
{
    for (int k = 0; k < tsr_tile_limits_(p); ++k) {
        tsr_tile_limit *const l = &p->limit[k];
        int64_t least = 0, greatest = 0, reach = 0;
        bool fits = true;
        for (int i = 0; i < p->loops; ++i) {
            fits = fits && tsr_mul64(p->loop[i].count - 1, tsr_loop_step_(p, i, k), &reach);
            int64_t *const side = reach < 0 ? &least : &greatest;
            fits = fits && tsr_add64(*side, reach, side) && -TSR_PLAN_REACH_ < *side && *side < TSR_PLAN_REACH_;
        }
        if (!fits)
            tsr_tile_refuse_(p, tsr_because(TSR_OVERFLOW, 0, reach, 0, 0));
        l->first = l->lo - (fits ? least : 0);
        l->last = l->hi - (fits ? greatest : 0);
    }
}

static int64_t tsr_distance_(int64_t step) { return step < 0 ? tsr_wrap_sub(0, step) : step; }

/** Puts the loops in the order of their steps in memory, and finds the loop along which edges clip. That loop is
 *  contiguous in memory and buffer, and limits change by one element at a time, or not at all. */
static void tsr_tile_order_(tsr_planned_tile *p)
{
    p->run = TSR_MAX_LOOPS;
    for (int i = 0; i < p->loops; ++i) {
        int64_t const signed_step = tsr_loop_step_(p, i, -1), step = tsr_distance_(signed_step);
        bool even = signed_step == 1 && p->loop[i].buffer == 1 && p->swizzle.bits == 0;
        int at = i;
        for (int k = 0; k < tsr_tile_limits_(p); ++k)
            even = even && (uint64_t)tsr_loop_step_(p, i, k) <= 1;
        for (; at > 0; --at) {
            if (tsr_distance_(tsr_loop_step_(p, p->order[at - 1], -1)) <= step)
                break;
            p->order[at] = p->order[at - 1];
        }
        p->order[at] = (uint8_t)i;
        p->run = even && i >= p->thread_loops ? (uint8_t)i : p->run;
    }
}

/** The box of the loops from begin on, with runs of at most `widest` elements. */
static tsr_box tsr_tile_box_(tsr_planned_tile const *p, int begin, int64_t widest)
{
    tsr_box b = TSR_ZERO;
    int64_t run = 1;
    for (int i = 0; i < p->loops; ++i) {
        tsr_tile_loop const *const l = &p->loop[p->order[i]];
        int64_t const step = tsr_loop_step_(p, p->order[i], -1);
        int64_t grown = 1;
        if (p->order[i] < begin)
            continue;
        if (step == run && l->buffer == run)
            grown = widest == TSR_INT_MAX ? l->count : tsr_gcd64(l->count, widest / run);
        run *= grown;
        tsr_box_push_(&b, l->count / grown, step * grown * p->bytes, l->buffer * grown * p->bytes,
                      tsr_tile_source_(p));
    }
    b.run = run * p->bytes;
    return b;
}

/** Are runs, and those moved together, whole groups of the bits that a swizzle does not move? */
static bool tsr_box_fits_(tsr_box const *b, int64_t group, int64_t low)
{
    bool fits = low % group == 0;
    for (int k = 0; k < b->loops; ++k)
        fits = fits && b->loop[k].memory % group == 0;
    return fits;
}

/** The same, in order. Behind a swizzle every run stays within the bits that are not moved. */
static tsr_box tsr_tile_runs_(tsr_planned_tile const *p, int begin)
{
    int64_t widest = p->swizzle.bits > 0 ? (int64_t)1 << p->swizzle.base : TSR_INT_MAX;
    tsr_box b = tsr_tile_box_(p, begin, widest);
    if (p->swizzle.bits == 0) {
        tsr_box_cut_run_(&b);
        tsr_box_close_(&b, b.run);
        return b;
    }
    for (; !tsr_box_fits_(&b, b.run, b.run); widest /= 2)
        b = tsr_tile_box_(p, begin, widest);
    tsr_box const loops = b;
    tsr_box_order_(&b, 0);
    if (b.once.memory <= 0 || !tsr_box_fits_(&b, b.once.count * b.once.memory, tsr_tile_source_(p))) {
        b = loops;
        b.once.count = 1;
    }
    return b;
}

/** Where digits do not carry. */
static void tsr_tile_cuts_(tsr_planned_tile *p)
{
    for (int d = 0; d < p->dims; ++d) {
        p->align[d] = 1;
        for (int i = 0; i < p->terms; ++i) {
            int64_t const w = p->term[i].weight;
            if (p->term_dim[i] != d || w == 1)
                continue;
            if (w < tsr_tile_tile_(p, d))
                p->align[d] = w;
            else
                p->span[d] = p->span[d] == 0 ? w : p->span[d];
        }
    }
}

TSR_API tsr_planned_tile tsr_tile_plan(tsr_descriptor const *d, tsr_encoding const *e, int64_t size, int bytes)
{
    tsr_planned_tile p = TSR_ZERO;
    tsr_digits s TSR_SCRATCH;
    tsr_adaptor const *const a = &d->graph;
    p.why = a->why.status ? a->why : e->why;
    if (!p.why.status && e->xs != a->tops)
        p.why = tsr_because(TSR_WINDOW_RANK, 0, e->xs, a->tops, 0);
    if (p.why.status)
        return p;
    p.dims = e->xs;
    p.bytes = (uint8_t)bytes;
    p.memory = size;
    p.size = tsr_thread_buffer_size(e);
    for (int i = 0; i < p.dims; ++i) {
        p.limit[i].hi = a->length[a->top[i]];
        if (p.limit[i].hi > TSR_PLAN_REACH_)
            tsr_tile_full_(&p);
    }
    tsr_make_digits(&s, a);
    if (!s.full && tsr_sum_kind_(&s, 0) == TSR_FOLDED)
        tsr_tile_digits_(&p, a, &s, size);
    else
        tsr_tile_layout_(&p, d, size);
    for (int i = 0; i < p.dims && !p.why.status; ++i) {
        tsr_tile_term still = TSR_ZERO;
        int last = -1;
        still.weight = still.extent = 1;
        for (int k = 0; k < p.terms; ++k)
            last = p.term_dim[k] == i ? k : last;
        if (last < 0) { /* a dimension of one element: all elements outside are at one place */
            tsr_tile_push_term_(&p, i, &still);
            last = p.terms - 1;
        }
        p.term[last].extent = 0;
    }
    if (!p.why.status)
        tsr_tile_loops_(&p, e);
    tsr_tile_reach_(&p);
    if (p.why.status)
        return p;
    tsr_tile_order_(&p);
    tsr_tile_cuts_(&p);
    p.thread = tsr_tile_runs_(&p, p.thread_loops);
    p.block = tsr_tile_runs_(&p, 0);
    if (p.thread.full || p.block.full)
        tsr_tile_full_(&p);
    return p;
}

#endif
