/** The plan of a tile window: how a tile moves between memory and the buffers of threads, decided once.
 *
 *  The descriptor is folded (tile/digits.h, else tile/fold.h), and every factor of the distribution becomes a loop that
 *  steps through memory and buffers. Loops that go on in both are joined; what is contiguous in both is a run.
 *
 *      memory(x)  =  Sw(base + sum of (x_dim / weight mod extent) * step)     over the terms
 *      limit(x)   in [lo, hi)                                                 lengths of the tensor, pads, the buffer
 *      element    =  sum of digit * step                                      over the loops: P first, then Y
 *
 *  A tile all of whose limits hold is its box: loops and runs without a question. At an edge the loops that a limit
 *  depends on are walked outside, runs are clipped, and the rest is still a box.
 *
 *  A dimension that folds to several terms is cut by their weights. A plan is right where the origin makes no digit
 *  carry: at multiples of `align`, within one `span`. Elsewhere, and where there is no plan, the graph is run.
 *
 *  Law     a planned access reads and writes what the graph does (tile/tile_window.h).
 *  Limits  TSR_MAX_TERMS, TSR_MAX_LOOPS, TSR_MAX_LIMITS.
 *  Example  plan packed((9)) @@ dist{R=();H=((2,4));P=((1.0));Y=(1.1)} origin=(0)  =  inside thread=4 block=8
 */
#ifndef TSR_TILE_TILE_PLAN_H
#define TSR_TILE_TILE_PLAN_H

#include "tessera/tile/encoding.h"
#include "tessera/tile/fold.h"

#define TSR_MAX_TERMS 10
#define TSR_MAX_LOOPS 12
#define TSR_MAX_LIMITS 8

/** The digit x_dim / weight mod extent (extent 0: without end), and how far one step of it leads. */
typedef struct tsr_plan_term {
    uint8_t dim;
    int64_t weight, extent, memory, limit[TSR_MAX_LIMITS];
} tsr_plan_term;

typedef struct tsr_plan_loop {
    int64_t count, memory, buffer, limit[TSR_MAX_LIMITS]; /* steps in elements */
} tsr_plan_loop;

/** lo <= value < hi for one element; first <= value at the origin < last for the whole tile. */
typedef struct tsr_plan_limit {
    int64_t base, lo, hi, first, last;
} tsr_plan_limit;

typedef struct tsr_box_loop {
    int64_t count, memory, buffer; /* steps in bytes */
} tsr_box_loop;

/** Loops that need no limits, the innermost first: `once` is 1, 2 or 4 runs that are moved together. */
typedef struct tsr_box {
    uint8_t loops;
    int64_t run; /* bytes that are contiguous in memory and buffer */
    tsr_box_loop once, loop[TSR_MAX_LOOPS + 1];
} tsr_box;

typedef struct tsr_tile_plan {
    tsr_reason why; /* of there being no plan */
    uint8_t dims, bytes, terms, limits, loops, thread_loops, run;
    uint8_t order[TSR_MAX_LOOPS]; /* the loops, the smallest step in memory first */
    tsr_swizzle swizzle;          /* of offsets in elements; bits 0: none */
    int64_t base, threads, size;  /* size: of the buffer of a thread */
    int64_t tile[TSR_MAX_XS], align[TSR_MAX_XS], span[TSR_MAX_XS];
    tsr_plan_term term[TSR_MAX_TERMS];
    tsr_plan_limit limit[TSR_MAX_LIMITS];
    tsr_plan_loop loop[TSR_MAX_LOOPS]; /* thread_loops of P, the fastest first, then those of Y */
    tsr_box thread, block;             /* of one thread, and of all, their buffers one behind the other */
} tsr_tile_plan;

/** No number of a limit is greater. */
#define TSR_PLAN_REACH_ ((int64_t)1 << 61)

TSR_FN void tsr_plan_refuse_(tsr_tile_plan *p, tsr_reason why)
{
    if (!p->why.status)
        p->why = why;
}

TSR_FN void tsr_plan_full_(tsr_tile_plan *p)
{
    tsr_plan_refuse_(p, tsr_because(TSR_PLAN_CAPACITY, 0, TSR_MAX_TERMS, TSR_MAX_LOOPS, TSR_MAX_LIMITS));
}

/* Terms and limits */

/** One more term, joined to the one before where all its steps go on. */
TSR_FN void tsr_plan_push_term_(tsr_tile_plan *p, tsr_plan_term const *t)
{
    if (p->terms > 0 && p->term[p->terms - 1].dim == t->dim) {
        tsr_plan_term *const last = &p->term[p->terms - 1];
        bool joins = tsr_wrap_mul_(last->memory, last->extent) == t->memory && p->swizzle.bits == 0;
        for (int k = 0; k < p->limits; ++k)
            joins = joins && tsr_wrap_mul_(last->limit[k], last->extent) == t->limit[k];
        if (joins) {
            last->extent *= t->extent;
            return;
        }
    }
    if (p->terms == TSR_MAX_TERMS)
        tsr_plan_full_(p);
    else
        p->term[p->terms++] = *t;
}

/** One more limit; `lo` and `hi` may be without end. */
TSR_FN void tsr_plan_push_limit_(tsr_tile_plan *p, int64_t base, int64_t lo, int64_t hi)
{
    if (p->limits == TSR_MAX_LIMITS || hi > TSR_PLAN_REACH_ || base > TSR_PLAN_REACH_ || base < -TSR_PLAN_REACH_) {
        tsr_plan_full_(p);
        return;
    }
    tsr_plan_limit *const l = &p->limit[p->limits++];
    l->base = base;
    l->lo = lo;
    l->hi = hi;
}

/** Is a sum the index of dimension d and a constant? */
TSR_FN bool tsr_sum_is_index_(tsr_digits const *s, int slot, int d)
{
    for (int i = 0; i < s->count; ++i)
        if (s->slot[slot].term[i]
            != (s->digit[i].kind == TSR_DIGIT_TOP && s->digit[i].dim == d ? s->digit[i].weight : 0))
            return false;
    return true;
}

/** The limits that pads set: those that only shift an index tighten its range. `slot` keeps whose sums they are. */
TSR_FN void tsr_plan_guards_(tsr_tile_plan *p, tsr_adaptor const *a, tsr_digits *s, int *slot)
{
    for (int i = 0; i < a->nodes && !p->why.status; ++i) {
        tsr_node const *const n = &a->node[i];
        tsr_coord_transform const *const t = &n->transform;
        int const low = n->low[0];
        int64_t least = 0, greatest = 0;
        int same = p->dims;
        if (tsr_transform_always_valid(t))
            continue;
        tsr_sum_range_(s, low, &least, &greatest);
        int64_t const lo = t->kind == TSR_TRANSFORM_RIGHT_PAD ? -TSR_PLAN_REACH_ : 0;
        int64_t const hi = t->kind == TSR_TRANSFORM_LEFT_PAD ? TSR_PLAN_REACH_ : t->low[0];
        if (lo <= least && greatest < hi)
            continue;
        if (least < -TSR_PLAN_REACH_ || greatest > TSR_PLAN_REACH_) {
            tsr_plan_full_(p);
            return;
        }
        for (int d = p->dims - 1; d >= 0; --d)
            same = tsr_sum_is_index_(s, low, d) ? d : same;
        if (same < p->dims) {
            p->limit[same].lo = tsr_max64(p->limit[same].lo, lo - s->slot[low].constant);
            p->limit[same].hi = tsr_min64(p->limit[same].hi, hi - s->slot[low].constant);
        } else if (tsr_sum_kind_(s, low) != TSR_FOLDED) {
            tsr_plan_refuse_(p, tsr_because(TSR_PLAN_GRAPH, 0, 0, 0, 0));
        } else {
            slot[p->limits % TSR_MAX_LIMITS] = low;
            tsr_plan_push_limit_(p, s->slot[low].constant, lo, hi);
        }
    }
}

/** The terms of the digits: all hidden indices cut the dimensions at the same weights. */
TSR_FN void tsr_plan_digits_(tsr_tile_plan *p, tsr_adaptor const *a, tsr_digits *s, int64_t size)
{
    int slot[TSR_MAX_LIMITS] = {0};
    p->base = s->slot[0].constant;
    tsr_plan_guards_(p, a, s, slot);
    if (size < a->length[0])
        tsr_plan_push_limit_(p, p->base, 0, size); /* slot 0, the offset */
    for (int d = 0; d < p->dims && !p->why.status; ++d)
        for (int64_t weight = 1, next = 1; next != 0; weight = next) { /* the digit of each weight in turn */
            next = 0;
            for (int i = 0; i < s->count && next == 0; ++i) {
                tsr_digit const *const g = &s->digit[i];
                if (g->kind != TSR_DIGIT_TOP || g->dim != d || g->weight != weight || g->extent == 1)
                    continue;
                tsr_plan_term t = TSR_ZERO;
                t.dim = (uint8_t)d;
                t.weight = weight;
                t.extent = g->extent;
                t.memory = s->slot[0].term[i];
                for (int k = 0; k < p->limits; ++k)
                    t.limit[k] = k >= p->dims ? s->slot[slot[k]].term[i] : k == d ? weight : 0;
                tsr_plan_push_term_(p, &t);
                next = weight * g->extent;
            }
        }
}

/** The terms of a layout that trial found: no element is padding. */
TSR_FN void tsr_plan_layout_(tsr_tile_plan *p, tsr_descriptor const *d, int64_t size)
{
    tsr_folded const f = tsr_fold(d);
    tsr_tuple const *const shape = &f.layout.shape;
    if (f.kind != TSR_FOLDED || f.guards > 0 || shape->status || size < d->graph.length[0]) {
        tsr_plan_refuse_(p, tsr_because(TSR_PLAN_GRAPH, 0, 0, 0, 0));
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
            tsr_plan_term t = TSR_ZERO;
            t.dim = (uint8_t)dim;
            t.weight = t.limit[dim] = weight;
            t.extent = shape->leaf[b].value;
            t.memory = f.layout.stride.leaf[b].value;
            tsr_plan_push_term_(p, &t);
        }
    }
}

/* Loops */

TSR_FN void tsr_plan_push_loop_(tsr_tile_plan *p, tsr_plan_term const *t, int64_t count, int64_t times,
                                int64_t buffer)
{
    if (count == 1)
        return;
    if (p->loops == TSR_MAX_LOOPS) {
        tsr_plan_full_(p);
        return;
    }
    tsr_plan_loop *const l = &p->loop[p->loops++];
    l->count = count;
    l->buffer = buffer;
    l->memory = tsr_wrap_mul_(t->memory, times);
    for (int k = 0; k < p->limits; ++k)
        l->limit[k] = tsr_wrap_mul_(t->limit[k], times);
}

/** The loops of `count` steps of `weight` along a dimension: cut where a term ends.
 *  Errors  PLAN_FACTOR where that is not even. */
TSR_FN void tsr_plan_factor_(tsr_tile_plan *p, int dim, int64_t weight, int64_t count, int64_t buffer)
{
    for (int i = 0; i < p->terms && count > 1; ++i) {
        tsr_plan_term const *const t = &p->term[i];
        int64_t const end = t->weight * t->extent;
        if (t->dim != dim || weight % t->weight != 0 || (end != 0 && weight >= end))
            continue;
        int64_t const steps = end == 0 || count <= end / weight ? count : end / weight;
        if (end != 0 && (end % weight != 0 || count % steps != 0))
            break;
        tsr_plan_push_loop_(p, t, steps, weight / t->weight, buffer);
        buffer *= steps;
        weight *= steps;
        count /= steps;
    }
    if (count > 1)
        tsr_plan_refuse_(p, tsr_because(TSR_PLAN_FACTOR, dim, count, weight, 0));
}

TSR_FN void tsr_plan_loops_(tsr_tile_plan *p, tsr_encoding const *e)
{
    tsr_plan_term const still = TSR_ZERO;
    int64_t buffer = tsr_thread_buffer_size(e);
    p->threads = 1;
    for (int i = e->p_first[e->ps] - 1; i >= 0; --i) {
        int const f = e->p_factor[i], major = tsr_place_of_(e, f).major;
        if (major == 0)
            tsr_plan_push_loop_(p, &still, e->length[f], 1, buffer);
        else
            tsr_plan_factor_(p, major - 1, tsr_factor_weight_(e, f), e->length[f], buffer);
        buffer = tsr_wrap_mul_(buffer, e->length[f]);
        p->threads = tsr_wrap_mul_(p->threads, e->length[f]);
    }
    p->thread_loops = p->loops;
    buffer = 1;
    for (int i = e->ys - 1; i >= 0; --i) {
        int const f = e->y_factor[i];
        tsr_plan_factor_(p, tsr_place_of_(e, f).major - 1, tsr_factor_weight_(e, f), e->length[f], buffer);
        buffer *= e->length[f];
    }
}

/** How far the tile reaches from its origin, for each limit. */
TSR_FN void tsr_plan_reach_(tsr_tile_plan *p)
{
    for (int k = 0; k < p->limits; ++k) {
        tsr_plan_limit *const l = &p->limit[k];
        int64_t least = 0, greatest = 0, reach = 0;
        bool fits = true;
        for (int i = 0; i < p->loops; ++i) {
            fits = fits && tsr_mul64(p->loop[i].count - 1, p->loop[i].limit[k], &reach);
            int64_t *const side = reach < 0 ? &least : &greatest;
            fits = fits && tsr_add64(*side, reach, side) && -TSR_PLAN_REACH_ < *side && *side < TSR_PLAN_REACH_;
        }
        if (!fits)
            tsr_plan_refuse_(p, tsr_because(TSR_OVERFLOW, 0, reach, 0, 0));
        l->first = l->lo - (fits ? least : 0);
        l->last = l->hi - (fits ? greatest : 0);
    }
}

/** The loops in the order of their steps in memory; and the one along which edges clip: contiguous in memory and
 *  buffer, and limits change by one element at a time, or not at all. */
TSR_FN void tsr_plan_order_(tsr_tile_plan *p)
{
    p->run = TSR_MAX_LOOPS;
    for (int i = 0; i < p->loops; ++i) {
        int64_t const step = p->loop[i].memory < 0 ? tsr_wrap_sub_(0, p->loop[i].memory) : p->loop[i].memory;
        bool even = step == 1 && p->loop[i].memory == 1 && p->loop[i].buffer == 1 && p->swizzle.bits == 0;
        int at = i;
        for (int k = 0; k < p->limits; ++k)
            even = even && (p->loop[i].limit[k] == 0 || p->loop[i].limit[k] == 1);
        for (; at > 0; --at) {
            int64_t const other = p->loop[p->order[at - 1]].memory;
            if ((other < 0 ? tsr_wrap_sub_(0, other) : other) <= step)
                break;
            p->order[at] = p->order[at - 1];
        }
        p->order[at] = (uint8_t)i;
        p->run = even && i >= p->thread_loops ? (uint8_t)i : p->run;
    }
}

/** A longer run is cut into runs of this many bytes, where that is even. */
#define TSR_RUN_BYTES 64

/** One more loop outside the others, joined to the last one where it goes on: in bytes. Loops stay apart where they
 *  would reach across `low` bytes, 0: never. */
TSR_FN void tsr_box_push_(tsr_box *b, int64_t count, int64_t memory, int64_t buffer, int64_t low)
{
    tsr_box_loop *const last = &b->loop[b->loops > 0 ? b->loops - 1 : 0];
    if (count == 1)
        return;
    bool const within = low == 0 || last->memory >= low || memory * count <= low;
    if (b->loops > 0 && within && last->count * last->memory == memory && last->count * last->buffer == buffer) {
        last->count *= count;
        return;
    }
    b->loop[b->loops].count = count;
    b->loop[b->loops].memory = memory;
    b->loop[b->loops++].buffer = buffer;
}

/** Takes loop i out of a box. */
TSR_FN tsr_box_loop tsr_box_take_(tsr_box *b, int i)
{
    tsr_box_loop const l = b->loop[i];
    --b->loops;
    for (; i < b->loops; ++i)
        b->loop[i] = b->loop[i + 1];
    return l;
}

TSR_FN void tsr_box_front_(tsr_box *b, tsr_box_loop l)
{
    for (int i = b->loops++; i > 0; --i)
        b->loop[i] = b->loop[i - 1];
    b->loop[0] = l;
}

/** Makes `once` of loop i, which leaves the rest of it, and puts the longest loop inside the others. */
TSR_FN void tsr_box_order_(tsr_box *b, int i)
{
    int longest = 0;
    b->once.count = 1;
    if (b->loops == 0)
        return;
    tsr_box_loop l = tsr_box_take_(b, i);
    b->once = l;
    b->once.count = tsr_gcd64(l.count, 4);
    l.count /= b->once.count;
    l.memory *= b->once.count;
    l.buffer *= b->once.count;
    if (l.count > 1)
        tsr_box_front_(b, l);
    for (int k = 1; k < b->loops; ++k)
        longest = b->loop[k].count > b->loop[longest].count ? k : longest;
    if (b->loops > 1)
        tsr_box_front_(b, tsr_box_take_(b, longest));
}

/** Orders a box whose runs have `run` bytes. Four neighbours in the buffer are best, four of anything second. */
TSR_FN void tsr_box_close_(tsr_box *b, int64_t run)
{
    int best = 0;
    int64_t most = 0;
    for (int i = 0; i < b->loops; ++i) {
        int64_t const gain = 2 * tsr_gcd64(b->loop[i].count, 4) + (b->loop[i].buffer == run);
        best = gain > most ? i : best;
        most = tsr_max64(gain, most);
    }
    tsr_box_order_(b, best);
}

/** Cuts a long run: the pieces are one loop more. */
TSR_FN void tsr_box_cut_run_(tsr_box *b)
{
    tsr_box_loop l = TSR_ZERO;
    if (b->run <= TSR_RUN_BYTES || b->run % TSR_RUN_BYTES != 0)
        return;
    l.count = b->run / TSR_RUN_BYTES;
    l.memory = l.buffer = b->run = TSR_RUN_BYTES;
    tsr_box_front_(b, l);
}

/** The lowest bit that a swizzle reads, in bytes; 0: there is none. */
TSR_FN int64_t tsr_plan_source_(tsr_tile_plan const *p)
{
    int const shift = p->swizzle.shift > 0 ? p->swizzle.shift : 0;
    return p->swizzle.bits > 0 ? (int64_t)p->bytes << (p->swizzle.base + shift) : 0;
}

/** The box of the loops from begin on, with runs of at most `widest` elements. */
TSR_FN tsr_box tsr_plan_box_(tsr_tile_plan const *p, int begin, int64_t widest)
{
    tsr_box b = TSR_ZERO;
    int64_t run = 1;
    for (int i = 0; i < p->loops; ++i) {
        tsr_plan_loop const *const l = &p->loop[p->order[i]];
        int64_t grown = 1;
        if (p->order[i] < begin)
            continue;
        if (l->memory == run && l->buffer == run)
            grown = widest == TSR_INT_MAX ? l->count : tsr_gcd64(l->count, widest / run);
        run *= grown;
        tsr_box_push_(&b, l->count / grown, l->memory * grown * p->bytes, l->buffer * grown * p->bytes,
                      tsr_plan_source_(p));
    }
    b.run = run * p->bytes;
    return b;
}

/** Are runs, and those moved together, whole groups of the bits that a swizzle does not move? */
TSR_FN bool tsr_box_fits_(tsr_box const *b, int64_t group, int64_t low)
{
    bool fits = low % group == 0;
    for (int k = 0; k < b->loops; ++k)
        fits = fits && b->loop[k].memory % group == 0;
    return fits;
}

/** The same, in order. Behind a swizzle every run stays within the bits that are not moved. */
TSR_FN tsr_box tsr_plan_runs_(tsr_tile_plan const *p, int begin)
{
    int64_t widest = p->swizzle.bits > 0 ? (int64_t)1 << p->swizzle.base : TSR_INT_MAX;
    tsr_box b = tsr_plan_box_(p, begin, widest);
    if (p->swizzle.bits == 0) {
        tsr_box_cut_run_(&b);
        tsr_box_close_(&b, b.run);
        return b;
    }
    for (; !tsr_box_fits_(&b, b.run, b.run); widest /= 2)
        b = tsr_plan_box_(p, begin, widest);
    tsr_box const loops = b;
    tsr_box_order_(&b, 0);
    if (b.once.memory <= 0 || !tsr_box_fits_(&b, b.once.count * b.once.memory, tsr_plan_source_(p))) {
        b = loops;
        b.once.count = 1;
    }
    return b;
}

/** Where digits do not carry. */
TSR_FN void tsr_plan_cuts_(tsr_tile_plan *p)
{
    for (int d = 0; d < p->dims; ++d) {
        p->align[d] = 1;
        for (int i = 0; i < p->terms; ++i) {
            int64_t const w = p->term[i].weight;
            if (p->term[i].dim != d || w == 1)
                continue;
            if (w < p->tile[d])
                p->align[d] = w;
            else
                p->span[d] = p->span[d] == 0 ? w : p->span[d];
        }
    }
}

/** The plan of the tiles of a distribution in memory of `size` elements of `bytes` each, for all origins.
 *  Errors  those of the descriptor and of the encoding; WINDOW_RANK; PLAN_GRAPH, PLAN_FACTOR, PLAN_CAPACITY,
 * OVERFLOW. */
TSR_FN tsr_tile_plan tsr_make_tile_plan(tsr_descriptor const *d, tsr_encoding const *e, int64_t size, int bytes)
{
    tsr_tile_plan p = TSR_ZERO;
    tsr_digits s TSR_SCRATCH;
    tsr_adaptor const *const a = &d->graph;
    p.why = a->why.status ? a->why : e->why;
    if (!p.why.status && e->xs != a->tops)
        p.why = tsr_because(TSR_WINDOW_RANK, 0, e->xs, a->tops, 0);
    if (p.why.status)
        return p;
    tsr_index const tile = tsr_x_lengths(e);
    p.dims = e->xs;
    p.bytes = (uint8_t)bytes;
    p.size = tsr_thread_buffer_size(e);
    for (int i = 0; i < p.dims; ++i) {
        p.tile[i] = tile.at[i];
        tsr_plan_push_limit_(&p, 0, 0, a->length[a->top[i]]);
    }
    tsr_make_digits(&s, a);
    if (!s.full && tsr_sum_kind_(&s, 0) == TSR_FOLDED)
        tsr_plan_digits_(&p, a, &s, size);
    else
        tsr_plan_layout_(&p, d, size);
    for (int i = 0; i < p.dims && !p.why.status; ++i) {
        tsr_plan_term still = TSR_ZERO;
        int last = -1;
        still.dim = (uint8_t)i;
        still.weight = still.extent = still.limit[i] = 1;
        for (int k = 0; k < p.terms; ++k)
            last = p.term[k].dim == i ? k : last;
        if (last < 0) { /* a dimension of one element: all that is outside stands at the same place */
            tsr_plan_push_term_(&p, &still);
            last = p.terms - 1;
        }
        p.term[last].extent = 0;
    }
    if (!p.why.status)
        tsr_plan_loops_(&p, e);
    tsr_plan_reach_(&p);
    if (p.why.status)
        return p;
    tsr_plan_order_(&p);
    tsr_plan_cuts_(&p);
    p.thread = tsr_plan_runs_(&p, p.thread_loops);
    p.block = tsr_plan_runs_(&p, 0);
    return p;
}

/* Where a tile stands */

typedef enum tsr_tile_place { TSR_TILE_BY_GRAPH, TSR_TILE_AT_EDGE, TSR_TILE_INSIDE } tsr_tile_place;

/** The offset in memory, k = -1, or the value of limit k, at an index of the tensor. */
TSR_FN int64_t tsr_plan_at(tsr_tile_plan const *p, int k, int64_t const *x)
{
    int64_t r = k < 0 ? p->base : p->limit[k].base;
    for (int i = 0; i < p->terms; ++i) {
        tsr_plan_term const *const t = &p->term[i];
        int64_t digit = x[t->dim];
        if (t->weight != 1)
            digit /= t->weight;
        if (t->extent != 0)
            digit %= t->extent;
        r = tsr_wrap_add_(r, tsr_wrap_mul_(digit, k < 0 ? t->memory : t->limit[k]));
    }
    return r;
}

/** May the plan be used at this origin, and is the whole tile there? */
TSR_FN tsr_tile_place tsr_plan_place(tsr_tile_plan const *p, int64_t const *origin)
{
    tsr_tile_place place = TSR_TILE_INSIDE;
    if (p->why.status || p->size == 0)
        return TSR_TILE_BY_GRAPH;
    for (int d = 0; d < p->dims; ++d)
        if ((p->align[d] > 1 || p->span[d] > 0)
            && (origin[d] < 0 || origin[d] % p->align[d] != 0
                || (p->span[d] > 0 && origin[d] % p->span[d] + p->tile[d] > p->span[d])))
            return TSR_TILE_BY_GRAPH;
    for (int k = 0; k < p->limits; ++k) {
        int64_t const at = tsr_plan_at(p, k, origin);
        if (at < p->limit[k].first || at >= p->limit[k].last)
            place = TSR_TILE_AT_EDGE;
    }
    bool const split = p->swizzle.bits > 0 && tsr_plan_at(p, -1, origin) * p->bytes % p->block.run != 0;
    return place == TSR_TILE_AT_EDGE && p->swizzle.bits > 0 ? TSR_TILE_BY_GRAPH : split ? TSR_TILE_BY_GRAPH : place;
}

#endif
