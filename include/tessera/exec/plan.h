/** Plan: how the elements of one tensor move to another, decided and proved once.
 *
 *      element  from.begin + sum of digit * from  ->  to.begin + sum of digit * to        in bits, behind the swizzles
 *      where    first <= sum of digit * edge < last                                       for every edge
 *
 *  The modes of both layouts are cut where one of either ends, and joined where both go on: these are the loops. The
 *  steps of the destination are positive, the smallest first. What lies side by side in both is one item. The first
 *  loops are a block, which moves at once: cut so that what it reads and what it writes stay in the caches together;
 *  a cut that does not divide leaves an edge. Each digit of the other loops is a unit: a plan runs in parts, and the
 *  units may run in any order.
 *
 *  Law     all units of a plan together move element i of the source to element i of the destination, for every i (for
 *          which the predicate is not 0), converted to its type, and touch nothing else.
 *  Errors  DIFFER_SIZE, OVERLAP, CONSTANT, NULL_DATA, NOT_NUMBERS, NOT_INJECTIVE where two elements would land in one,
 *          BOUNDS where one would be touched outside of the memory that a tensor is a part of.
 *  Limits  TSR_PLAN_LOOPS, TSR_PLAN_EDGES; what needs more goes element by element.
 */
#ifndef TSR_EXEC_PLAN_H
#define TSR_EXEC_PLAN_H

#include "tessera/tensor/accesses.h"

#define TSR_PLAN_LOOPS 20
#define TSR_PLAN_EDGES 8

/** No distance in bits is greater. */
#define TSR_PLAN_FAR ((uint64_t)1 << 61)

/** X(id, words): how the blocks of a plan move. */
#define TSR_WAY_LIST(X)                                         \
    X(BYTES, "items are copied")                                \
    X(CONVERT, "blocks are gathered, converted and scattered")  \
    X(PARTS, "elements begin inside of bytes: one by one")      \
    X(SWIZZLED, "every item has a place of its own: one by one") \
    X(ELEMENTS, "element by element")

/** A plan without loops has units of so many elements. */
#define TSR_ELEMENTS_A_UNIT 4096

/** X(id, words): why a plan has no loops. */
#define TSR_SLOW_LIST(X)                                                \
    X(NOT_SLOW, "")                                                     \
    X(COMPUTED, "the source is computed when it is read")               \
    X(SHAPES, "the modes do not end at multiples of each other")        \
    X(TWICE, "two swizzles stand in front of a layout or a pointer")    \
    X(ODD_BITS, "swizzled elements end, or begin, inside of bytes")     \
    X(PREDICATE, "the predicate is no box of coordinates")              \
    X(CAPACITY, "there are more loops or edges than a plan holds")      \
    X(FAR, "distances in bits leave 64 bits")

typedef enum tsr_way {
#define X(id, words) TSR_WAY_##id,
    TSR_WAY_LIST(X)
#undef X
} tsr_way;

typedef enum tsr_slow {
#define X(id, words) TSR_SLOW_##id,
    TSR_SLOW_LIST(X)
#undef X
} tsr_slow;

/** Steps in bits, and how far one step goes toward each edge. */
typedef struct tsr_loop {
    int64_t count, from, to, edge[TSR_PLAN_EDGES];
} tsr_loop;

typedef struct tsr_edge {
    int64_t first, last; /* the sum is in [first, last) */
} tsr_edge;

/** One of the two tensors: the bits at which it begins, counted from its pointer, or from address 0. */
typedef struct tsr_side {
    tsr_dtype type;
    bool absolute;
    tsr_swizzle swizzle; /* of bits */
    int64_t begin, low, high; /* what lies outside of [low, high) is not touched; before the swizzle */
} tsr_side;

typedef struct tsr_plan {
    tsr_tuple why; /* the number of elements, those beyond the edges included; invalid: why none may be moved */
    uint8_t way, slow, loops, box, edges;
    tsr_side from, to;
    int64_t item, units; /* bits that move at once */
    tsr_edge edge[TSR_PLAN_EDGES];
    tsr_loop loop[TSR_PLAN_LOOPS]; /* the first `box` of them are a block, 0 to 2 */
} tsr_plan;

/* Checks */

TSR_FN bool tsr_has_numbers_(tsr_tensor const *t)
{
    return t->engine.kind != TSR_POINTER || tsr_number_kind_of(t->engine.type) != TSR_NO_NUMBER;
}

/** What forbids a copy, be it of some elements only; else the size. */
TSR_INLINE tsr_tuple tsr_copyable_(tsr_tensor const *s, tsr_tensor const *d)
{
    tsr_tuple const from = tsr_readable(*s), to = tsr_writable(*d);
    if (from.status || to.status)
        return from.status ? from : to;
    int64_t const n = tsr_layout_size(s->layout), m = tsr_layout_size(d->layout);
    if (n != m)
        return tsr_bad_tuple(TSR_DIFFER_SIZE, 0, n, m, 0);
    if (!tsr_same_bits_(s, d) && (!tsr_has_numbers_(s) || !tsr_has_numbers_(d)))
        return tsr_bad_tuple(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    tsr_verdict const once = tsr_is_injective(d->layout);
    if (once.answer != TSR_YES)
        return tsr_reason_tuple(once.why);
    tsr_tuple const apart = tsr_disjoint(*s, *d);
    return apart.status ? apart : tsr_int(n);
}

/* Loops */

TSR_FN bool tsr_loop_goes_on_(tsr_plan const *p, tsr_loop const *l, tsr_loop const *next)
{
    bool joins = l->count * l->from == next->from && l->count * l->to == next->to;
    for (int k = 0; k < p->edges; ++k)
        joins = joins && l->count * l->edge[k] == next->edge[k];
    return joins;
}

/** Puts loop i behind the first `from` ones, where the steps of the destination do not decrease, or joins it to the one
 *  before. */
TSR_FN void tsr_plan_insert_(tsr_plan *p, int from, tsr_loop l)
{
    int at = p->loops++;
    for (; at > from && p->loop[at - 1].to > l.to; --at)
        p->loop[at] = p->loop[at - 1];
    p->loop[at] = l;
}

TSR_FN tsr_loop tsr_plan_take_(tsr_plan *p, int i)
{
    tsr_loop const l = p->loop[i];
    --p->loops;
    for (; i < p->loops; ++i)
        p->loop[i] = p->loop[i + 1];
    return l;
}

/** Begins where digit n of a loop stands. */
TSR_FN void tsr_plan_begin_at_(tsr_plan *p, tsr_loop const *l, int64_t n)
{
    p->from.begin += n * l->from;
    p->to.begin += n * l->to;
    for (int k = 0; k < p->edges; ++k) {
        p->edge[k].first -= n * l->edge[k];
        p->edge[k].last -= n * l->edge[k];
    }
}

/** One more loop, turned around where it goes backward in the destination. */
TSR_FN void tsr_plan_push_(tsr_plan *p, tsr_loop l)
{
    bool still = l.from == 0 && l.to == 0; /* one place is filled again and again */
    for (int k = 0; k < p->edges; ++k)
        still = still && l.edge[k] == 0;
    if (l.count == 1 || still)
        return;
    if (l.to < 0) {
        tsr_plan_begin_at_(p, &l, l.count - 1);
        l.from = -l.from;
        l.to = -l.to;
        for (int k = 0; k < p->edges; ++k)
            l.edge[k] = -l.edge[k];
    }
    if (p->loops == TSR_MAX_LEAVES)
        p->slow = TSR_SLOW_CAPACITY;
    else
        tsr_plan_insert_(p, 0, l);
}

/** The leaves of a layout one by one, as they are used up. */
typedef struct tsr_leaves_ {
    tsr_layout const *layout;
    int64_t bits, count, step;
    uint32_t unit;
    int next;
} tsr_leaves_;

TSR_FN void tsr_leaves_next_(tsr_leaves_ *x, tsr_plan *p)
{
    for (; x->count == 1 && x->next < x->layout->shape.leaves; ++x->next) {
        tsr_leaf const stride = x->layout->stride.leaf[x->next];
        int64_t reach = 0;
        x->count = (int64_t)tsr_extent_of_(x->layout->shape.leaf[x->next]);
        x->unit = stride.aux;
        if (x->count > 1
            && (!tsr_mul64(stride.value, x->bits, &x->step) || !tsr_mul64(x->step, x->count, &reach)
                || tsr_abs64(reach) > TSR_PLAN_FAR / TSR_MAX_LEAVES))
            p->slow = TSR_SLOW_FAR;
    }
}

/** The loops of layouts of one size: each leaf is cut where a leaf of another one ends. The third layout, which may be
 *  NULL, counts toward the edges. */
TSR_FN void tsr_plan_cut_modes_(tsr_plan *p, tsr_layout const *s, tsr_layout const *d, tsr_layout const *where)
{
    tsr_leaves_ x[3] = TSR_ZERO;
    int const sides = where ? 3 : 2;
    for (int k = 0; k < sides; ++k) {
        x[k].layout = k == 0 ? s : k == 1 ? d : where;
        x[k].bits = k == 0 ? tsr_dtype_bits(p->from.type) : k == 1 ? tsr_dtype_bits(p->to.type) : 1;
        x[k].count = 1;
    }
    while (!p->slow) {
        tsr_loop l = TSR_ZERO;
        for (int k = 0; k < sides; ++k) {
            tsr_leaves_next_(&x[k], p);
            l.count = k == 0 ? x[k].count : tsr_min64(l.count, x[k].count);
        }
        if (l.count == 1)
            break;
        for (int k = 0; k < sides; ++k)
            if (x[k].count % l.count != 0)
                p->slow = TSR_SLOW_SHAPES;
        l.from = x[0].step;
        l.to = x[1].step;
        if (where && x[2].unit != 0)
            l.edge[x[2].unit - 1] = x[2].step;
        for (int k = 0; k < sides; ++k) {
            x[k].count /= l.count;
            x[k].step *= l.count;
        }
        tsr_plan_push_(p, l);
    }
    for (int i = 0; i + 1 < p->loops;) {
        if (tsr_loop_goes_on_(p, &p->loop[i], &p->loop[i + 1]))
            p->loop[i].count *= tsr_plan_take_(p, i + 1).count;
        else
            ++i;
    }
}

/* Edges */

/** The least i with i * step >= x, for a positive step. */
TSR_FN int64_t tsr_ceil_div_(int64_t x, int64_t step)
{
    return step == 1 ? x : x / step + (x % step > 0);
}

/** The digits n of a loop, from *begin to *end - 1, at which an edge holds that has come to `value` at digit 0. */
TSR_FN void tsr_clip_loop_(tsr_edge const *e, int64_t value, int64_t step, int64_t *begin, int64_t *end)
{
    int64_t const low = step > 0 ? e->first - value : value - e->last + 1;
    int64_t const high = step > 0 ? e->last - value : value - e->first + 1;
    if (step == 0) {
        *end = e->first <= value && value < e->last ? *end : *begin;
        return;
    }
    step = step > 0 ? step : -step;
    *begin = tsr_max64(*begin, tsr_ceil_div_(low, step));
    *end = tsr_max64(tsr_min64(*end, tsr_ceil_div_(high, step)), *begin);
}

/** Cuts off what a loop alone has beyond an edge, and drops that edge. */
TSR_FN void tsr_plan_clip_(tsr_plan *p)
{
    for (int k = p->edges - 1; k >= 0; --k) {
        int64_t begin = 0, end = 1;
        int only = -1, loops = 0;
        for (int i = 0; i < p->loops; ++i)
            if (p->loop[i].edge[k] != 0) {
                only = i;
                ++loops;
            }
        if (loops > 1)
            continue;
        if (loops == 1)
            end = p->loop[only].count;
        tsr_clip_loop_(&p->edge[k], 0, loops == 1 ? p->loop[only].edge[k] : 0, &begin, &end);
        if (begin == end)
            p->units = 0;
        if (loops == 1 && begin < end) {
            tsr_plan_begin_at_(p, &p->loop[only], begin);
            p->loop[only].count = end - begin;
        }
        --p->edges;
        p->edge[k] = p->edge[p->edges];
        for (int i = 0; i < p->loops; ++i) {
            p->loop[i].edge[k] = p->loop[i].edge[p->edges];
            p->loop[i].edge[p->edges] = 0;
        }
        if (loops == 1 && end - begin == 1)
            tsr_plan_take_(p, only);
    }
}

/** Which bits the loops of a side reach. Loops whose steps are those of an edge, some number of times, reach as far as
 *  the edge lets them. */
TSR_FN void tsr_side_reach_(tsr_plan const *p, tsr_side *x, bool from)
{
    bool counted[TSR_PLAN_LOOPS] = {false};
    x->low = x->begin;
    x->high = x->begin + tsr_dtype_bits(x->type);
    for (int k = 0; k <= p->edges; ++k) {
        int64_t least = 0, greatest = 0, times = 0;
        bool even = k < p->edges;
        for (int i = 0; i < p->loops && even; ++i) {
            int64_t const step = from ? p->loop[i].from : p->loop[i].to, edge = p->loop[i].edge[k];
            if (edge == 0)
                continue;
            even = !counted[i] && step % edge == 0 && (times == 0 || step / edge == times);
            times = step / edge;
            *(edge < 0 ? &least : &greatest) += (p->loop[i].count - 1) * edge;
        }
        if (even) {
            int64_t const end = tsr_max64(tsr_min64(greatest, p->edge[k].last - 1), least);
            least = times * tsr_min64(tsr_max64(least, p->edge[k].first), end);
            x->low += tsr_min64(least, times * end);
            x->high += tsr_max64(least, times * end);
        }
        for (int i = 0; i < p->loops; ++i) {
            int64_t const reach = (p->loop[i].count - 1) * (from ? p->loop[i].from : p->loop[i].to);
            if (k == p->edges && !counted[i])
                *(reach < 0 ? &x->low : &x->high) += reach;
            counted[i] = counted[i] || (even && p->loop[i].edge[k] != 0);
        }
    }
}

/* Items */

/** The greatest number that all steps behind the first loop and the begin of a side are multiples of. */
TSR_FN int64_t tsr_plan_grain_(tsr_plan const *p, bool from, bool to)
{
    int64_t g = tsr_gcd64(from ? p->from.begin : 0, to ? p->to.begin : 0);
    for (int i = 1; i < p->loops; ++i)
        g = tsr_gcd64(tsr_gcd64(from ? p->loop[i].from : 0, to ? p->loop[i].to : 0), g);
    return g < 0 ? -g : g;
}

/** Equal swizzles of whole blocks on both sides move nothing: what lies side by side lies so behind them. */
TSR_FN void tsr_plan_drop_swizzles_(tsr_plan *p)
{
    tsr_loop const *const l = &p->loop[0];
    int64_t const block = (int64_t)1 << tsr_swizzle_width_(p->to.swizzle);
    if (p->loops > 0 && l->from == p->item && l->to == p->item && tsr_swizzle_same_(p->from.swizzle, p->to.swizzle)
        && l->count * p->item % block == 0 && tsr_plan_grain_(p, true, true) % block == 0)
        p->from.swizzle = p->to.swizzle = tsr_make_swizzle(0, 0, 0);
}

/** Makes items of elements that lie side by side. */
TSR_FN void tsr_plan_items_(tsr_plan *p)
{
    tsr_loop *const l = &p->loop[0];
    int64_t whole = p->item, item = p->item;
    bool even = p->loops > 0 && l->from == item && l->to == item;
    for (int k = 0; k < p->edges; ++k)
        even = even && l->edge[k] == 0;
    if (!even)
        return;
    whole *= l->count;
    if (p->way == TSR_WAY_SWIZZLED) {
        int64_t grain = tsr_gcd64(whole, tsr_plan_grain_(p, p->from.swizzle.bits > 0, p->to.swizzle.bits > 0));
        if (p->from.swizzle.bits > 0)
            grain = tsr_gcd64(grain, (int64_t)1 << p->from.swizzle.base);
        if (p->to.swizzle.bits > 0)
            grain = tsr_gcd64(grain, (int64_t)1 << p->to.swizzle.base);
        item = grain % 8 == 0 && grain > item ? grain : item;
    } else if (whole <= 128 && tsr_is_pow2(whole) && whole >= 8) {
        item = whole;
    } else if (item % 8 != 0) {
        int64_t const bytes = item * 8 / tsr_gcd64(item, 8);
        item = whole % bytes == 0 ? bytes : item;
    }
    if (item != p->item && p->item % 8 != 0 && tsr_plan_grain_(p, true, true) % 8 != 0)
        return;
    l->count = whole / item;
    l->from = l->to = p->item = item;
    if (l->count == 1)
        tsr_plan_take_(p, 0);
}

/* Blocks */

/** A block reads and writes about so many bytes; one that converts has this much beside it. */
#define TSR_BLOCK_BYTES 65536
#define TSR_CONVERTED_BYTES 4096

/** Cuts loop i of a block into at most n steps and a loop around them. */
TSR_FN void tsr_plan_cut_(tsr_plan *p, int i, int64_t n)
{
    tsr_loop outer = p->loop[i];
    int64_t const count = outer.count;
    n = tsr_max64(n, 1);
    if (count <= n)
        return;
    while (p->edges == TSR_PLAN_EDGES && count % n != 0)
        --n;
    outer.count = (count - 1) / n + 1;
    outer.from *= n;
    outer.to *= n;
    for (int k = 0; k < p->edges; ++k)
        outer.edge[k] *= n;
    p->loop[i].count = n;
    if (count % n != 0) {
        p->edge[p->edges].first = 0;
        p->edge[p->edges].last = count;
        p->loop[i].edge[p->edges] = 1;
        outer.edge[p->edges++] = n;
    }
    tsr_plan_insert_(p, p->box, outer);
}

/** Chooses the block: along the destination, and along what is closest in the source. */
TSR_FN void tsr_plan_block_(tsr_plan *p)
{
    bool const convert = p->way == TSR_WAY_CONVERT;
    int64_t const bytes = tsr_max64(tsr_max64(p->item, tsr_dtype_bits(convert ? p->from.type : 0)) / 8, 1);
    int64_t area = (convert ? TSR_CONVERTED_BYTES : TSR_BLOCK_BYTES) / bytes, line = area;
    int near = 0;
    p->box = (uint8_t)(p->loops < 2 ? p->loops : 2);
    for (int i = 1; i < p->loops && p->loop[0].from != 0; ++i)
        if (p->loop[i].from != 0 && tsr_abs64(p->loop[i].from) < tsr_abs64(p->loop[near].from))
            near = i;
    if (near > 0) {
        tsr_loop const l = tsr_plan_take_(p, near);
        for (int i = p->loops++; i > 1; --i)
            p->loop[i] = p->loop[i - 1];
        p->loop[1] = l;
        area = tsr_min64(area, 1024);
        line = tsr_max64(bytes <= 4 ? 16 : 8, area / p->loop[1].count);
    }
    for (int k = 0; k < p->edges && p->box == 2; ++k)
        if (p->loop[0].edge[k] != 0 && p->loop[1].edge[k] != 0)
            p->box = 1;
    for (int i = 0; i < p->box; ++i) {
        tsr_plan_cut_(p, i, line);
        line = area / p->loop[0].count;
    }
    p->units = p->units > 0;
    for (int i = p->box; i < p->loops; ++i)
        if (!tsr_mul64(p->units, p->loop[i].count, &p->units))
            p->slow = TSR_SLOW_FAR;
}

/* Plans */

/** A side of a plan: a pointer, behind at most one swizzle. */
TSR_FN void tsr_plan_side_(tsr_plan *p, tsr_side *x, tsr_tensor const *t)
{
    tsr_engine const *const e = &t->engine;
    int64_t const bits = tsr_dtype_bits(e->type);
    int64_t begin = 0, offset = t->layout.composed ? tsr_leaf_value(t->layout.offset) : 0;
    tsr_swizzle sw = tsr_make_swizzle(0, 0, 0);
    if (t->layout.composed)
        sw = t->layout.swizzle;
    int const log = tsr_bit_width((uint64_t)bits) - 1;
    if (t->layout.twice || (sw.bits > 0 && e->swizzle.bits > 0))
        p->slow = TSR_SLOW_TWICE;
    if (sw.bits > 0 && (!tsr_is_pow2(bits) || e->bit != 0))
        p->slow = TSR_SLOW_ODD_BITS;
    x->absolute = e->swizzle.bits > 0;
    if (x->absolute) {
        sw = e->swizzle;
        begin = (int64_t)(e->address * 8);
    }
    sw.base = (int8_t)(sw.base + (x->absolute ? 3 : log));
    if (sw.bits > 0 && sw.bits + sw.base + (sw.shift < 0 ? -sw.shift : sw.shift) > 60)
        p->slow = TSR_SLOW_FAR;
    x->swizzle = sw;
    if (!tsr_mul64(offset, bits, &offset) || !tsr_add64(begin, offset + e->bit, &x->begin)
        || tsr_abs64(x->begin) > TSR_PLAN_FAR)
        p->slow = TSR_SLOW_FAR;
}

/** The edges of a predicate: every coordinate below the extent. */
TSR_FN void tsr_plan_predicate_(tsr_plan *p, tsr_tensor const *where)
{
    tsr_engine const *const e = &where->engine;
    tsr_tuple const *const at = &e->at;
    if (e->kind != TSR_COORDINATES || e->map.kind != TSR_INSIDE || where->layout.composed) {
        p->slow = TSR_SLOW_PREDICATE;
        return;
    }
    tsr_tuple const *const shape = (tsr_tuple const *)e->map.context;
    int const dims = at->leaves;
    if (tsr_rank_of_(at) != dims || tsr_rank_of_(shape) != shape->leaves || shape->leaves < dims || shape->status
        || tsr_is_leaf(at) != tsr_is_leaf(shape))
        p->slow = TSR_SLOW_PREDICATE;
    if (dims > TSR_PLAN_EDGES)
        p->slow = TSR_SLOW_CAPACITY;
    for (int i = 0; i < where->layout.stride.leaves; ++i)
        if (where->layout.stride.leaf[i].aux > (uint32_t)dims)
            p->slow = TSR_SLOW_PREDICATE;
    for (int k = 0; k < dims && !p->slow; ++k) {
        int64_t const far = (int64_t)TSR_PLAN_FAR, end = tsr_min64(shape->leaf[k].value, far);
        if (tsr_abs64(at->leaf[k].value) > TSR_PLAN_FAR)
            p->slow = TSR_SLOW_FAR;
        p->edge[k].first = -far;
        p->edge[k].last = end - at->leaf[k].value;
        p->edges = (uint8_t)dims;
    }
}

/** The plan of two tensors that may be copied, of the elements of a predicate, which may be NULL. */
TSR_INLINE void tsr_plan_make_(tsr_plan *p, tsr_tensor const *where, tsr_tensor const *s, tsr_tensor const *d)
{
    bool const same = tsr_same_bits_(s, d);
    p->units = 1;
    p->from.type = s->engine.type;
    p->to.type = d->engine.type;
    if (s->engine.kind != TSR_POINTER || s->engine.map.kind != TSR_AS_IS)
        p->slow = TSR_SLOW_COMPUTED;
    if (where && !p->slow)
        tsr_plan_predicate_(p, where);
    if (!p->slow) {
        tsr_plan_side_(p, &p->from, s);
        tsr_plan_side_(p, &p->to, d);
    }
    p->item = tsr_dtype_bits(d->engine.type);
    if (!p->slow)
        tsr_plan_cut_modes_(p, &s->layout, &d->layout, where ? &where->layout : NULL);
    if (!p->slow) {
        tsr_plan_clip_(p);
        tsr_side_reach_(p, &p->from, true);
        tsr_side_reach_(p, &p->to, false);
        if (same)
            tsr_plan_drop_swizzles_(p);
        p->way = p->from.swizzle.bits > 0 || p->to.swizzle.bits > 0 ? TSR_WAY_SWIZZLED : TSR_WAY_BYTES;
        if (same)
            tsr_plan_items_(p);
        if (p->way == TSR_WAY_BYTES)
            p->way = !same ? TSR_WAY_CONVERT : p->item % 8 != 0 ? TSR_WAY_PARTS : TSR_WAY_BYTES;
        tsr_plan_block_(p);
    }
    if (p->slow) {
        p->way = TSR_WAY_ELEMENTS;
        p->loops = p->box = p->edges = 0;
        p->units = (p->why.leaf[0].value - 1) / TSR_ELEMENTS_A_UNIT + 1;
    }
}

/** What forbids a copy of all elements; else the size. */
TSR_INLINE tsr_tuple tsr_copyable(tsr_tensor s, tsr_tensor d)
{
    tsr_tuple const n = tsr_copyable_(&s, &d), from = tsr_in_bounds(s), to = tsr_in_bounds(d);
    return n.status ? n : from.status ? from : to.status ? to : n;
}

/** Whether a side of a plan lies in the bounds of its tensor: no, where it has a swizzle or edges, is not sure. */
TSR_FN bool tsr_side_in_bounds_(tsr_plan const *p, tsr_side const *x, tsr_tensor const *t)
{
    int64_t first = 0, last = 0, low = 0, high = 0;
    int const bits = tsr_dtype_bits(x->type);
    return !tsr_bounds_(&t->engine, &first, &last) || p->units == 0
        || (!p->slow && x->swizzle.bits == 0 && tsr_mul64(first, bits, &low) && tsr_mul64(last, bits, &high)
            && low + t->engine.bit <= x->low && x->high <= high + t->engine.bit);
}

/** The plan of tsr_copy(s, d). It holds for the same layouts at other addresses too, but for swizzled pointers, which may
 *  move by multiples of what their swizzle permutes; then the checks of memory are the caller's. */
TSR_INLINE tsr_plan tsr_plan_copy(tsr_tensor s, tsr_tensor d)
{
    tsr_plan p = TSR_ZERO;
    p.why = tsr_copyable(s, d);
    if (!p.why.status)
        tsr_plan_make_(&p, NULL, &s, &d);
    return p;
}

#endif
