/** Loops: what a plan is made of, and what is done to them.
 *
 *      element  from.begin + sum of digit * from  ->  to.begin + sum of digit * to        in bits, before the swizzles
 *      where    first <= sum of digit * edge < last                                       for every edge
 *
 *  The modes of both sides are cut where one of either ends, and joined where both go on. The steps of the destination
 *  are positive, the smallest first; an edge that one loop alone has is cut off from it.
 *
 *  Law     pushing, joining and clipping change no pair of places, and lose none that the edges let through.
 */
#ifndef TSR_EXEC_LOOPS_H
#define TSR_EXEC_LOOPS_H

#include "tessera/tensor/tensor.h"

TSR_HEADER_BEGIN

#define TSR_PLAN_LOOPS 20
#define TSR_PLAN_EDGES 8

/** What memory moves in, and what a TLB has an entry for. */
#define TSR_LINE_BYTES 64
#define TSR_PAGE_BYTES 4096

/** No distance in bits is greater. */
#define TSR_PLAN_FAR ((uint64_t)1 << 61)

/** X(id, words): how blocks move. */
#define TSR_WAY_LIST(X)                                         \
    X(BYTES, "items are copied")                                \
    X(CONVERT, "blocks are gathered, converted and scattered")  \
    X(PARTS, "elements begin inside of bytes: one by one")      \
    X(SWIZZLED, "every item has a place of its own: one by one") \
    X(ELEMENTS, "element by element")

/** X(id, words): what a block is. Of rows the items lie side by side on both sides; of tiles along the first loop in
 *  the destination, along the second in the source; tiles are skewed where lines of the destination begin inside of
 *  cache lines. */
#define TSR_BLOCK_LIST(X)                                      \
    X(ITEMS, "items")                                          \
    X(ROWS, "rows")                                            \
    X(TILES, "tiles")                                          \
    X(SKEWED, "skewed tiles")

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
#define TSR_X_(id, words) TSR_WAY_##id,
    TSR_WAY_LIST(TSR_X_)
#undef TSR_X_
} tsr_way;

typedef enum tsr_block_kind {
#define TSR_X_(id, words) TSR_BLOCK_##id,
    TSR_BLOCK_LIST(TSR_X_)
#undef TSR_X_
} tsr_block_kind;

typedef enum tsr_slow {
#define TSR_X_(id, words) TSR_SLOW_##id,
    TSR_SLOW_LIST(TSR_X_)
#undef TSR_X_
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
    uint8_t byte; /* of a cache line, at which the pointer stood when the plan was made */
    tsr_swizzle swizzle; /* of bits */
    int64_t begin, low, high; /* what lies outside of [low, high) is not touched; before the swizzle */
} tsr_side;

/** What becomes of the elements of a plan that computes (exec/update.h): alpha * f(x) + beta * y. */
typedef struct tsr_update {
    bool computes;
    uint8_t function;
    tsr_number alpha, beta;
} tsr_update;

/** Whether the elements of the destination are read, too. */
TSR_FN bool tsr_update_reads_(tsr_update const *u) { return u->computes && !tsr_number_is_zero(u->beta); }

typedef struct tsr_plan {
    tsr_reason why;   /* why none may be moved */
    int64_t elements; /* those beyond the edges included */
    uint8_t way, slow, loops, box, edges;
    uint8_t kind, ahead; /* what a block is; tiles, or lines of rows, that are asked for before they are moved */
    bool stream; /* whole lines pass the caches */
    bool crowded, scattered; /* lines of the source that are moved together do not fit the first cache, nor memory */
    bool once; /* the loops prove that no two elements land in one place */
    tsr_update update;
    tsr_side from, to;
    int64_t item, units; /* bits that move at once */
    tsr_edge edge[TSR_PLAN_EDGES];
    tsr_loop loop[TSR_PLAN_LOOPS]; /* the first `box` of them are a block, 0 to 2 */
} tsr_plan;

/* Loops */

TSR_FN bool tsr_loop_goes_on_(tsr_plan const *p, tsr_loop const *l, tsr_loop const *next)
{
    bool joins = l->count * l->from == next->from && l->count * l->to == next->to;
    for (int k = 0; k < p->edges; ++k)
        joins = joins && l->count * l->edge[k] == next->edge[k];
    return joins;
}

/** Puts a loop behind the first `from` ones, where the steps of the destination do not decrease. */
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
    if (l.count == 1)
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

/** What the leaves of a layout count: steps in the source, in the destination, toward the edge of their coordinate, or
 *  toward edge k, TSR_TOWARD_EDGE + k. */
enum { TSR_IN_SOURCE, TSR_IN_DESTINATION, TSR_TOWARD_COORDINATE, TSR_TOWARD_EDGE };

/** The leaves of a layout one by one, as they are used up. */
typedef struct tsr_leaves_ {
    tsr_layout const *layout;
    int64_t bits, count, step;
    int what, unit, next;
} tsr_leaves_;

TSR_FN tsr_leaves_ tsr_leaves_of_(tsr_layout const *l, int64_t bits, int what)
{
    tsr_leaves_ x = TSR_ZERO;
    x.layout = l;
    x.bits = bits;
    x.count = 1;
    x.what = what;
    return x;
}

TSR_FN void tsr_leaves_next_(tsr_leaves_ *x, tsr_plan *p)
{
    for (; x->count == 1 && x->next < x->layout->shape.leaves; ++x->next) {
        tsr_leaf const stride = x->layout->stride.leaf[x->next];
        int64_t reach = 0;
        x->count = (int64_t)tsr_leaf_extent(x->layout->shape.leaf[x->next]);
        x->unit = (int)stride.aux;
        if (x->count > 1
            && (!tsr_mul64(stride.value, x->bits, &x->step) || !tsr_mul64(x->step, x->count, &reach)
                || tsr_abs64(reach) > TSR_PLAN_FAR / TSR_MAX_LEAVES))
            p->slow = TSR_SLOW_FAR;
    }
}

/** The loops of layouts: each leaf is cut where a leaf of another one ends. */
TSR_FN void tsr_plan_cut_modes_(tsr_plan *p, tsr_leaves_ *x, int layouts)
{
    while (!p->slow) {
        tsr_loop l = TSR_ZERO;
        int64_t most = 1;
        for (int k = 0; k < layouts; ++k) {
            tsr_leaves_next_(&x[k], p);
            l.count = k == 0 ? x[k].count : tsr_min64(l.count, x[k].count);
            most = tsr_max64(most, x[k].count);
        }
        if (most == 1)
            break;
        for (int k = 0; k < layouts; ++k) {
            int const edge = x[k].what == TSR_TOWARD_COORDINATE ? x[k].unit - 1 : x[k].what - TSR_TOWARD_EDGE;
            if (l.count == 1 || (x[k].count != l.count && x[k].count % l.count != 0))
                p->slow = TSR_SLOW_SHAPES;
            if (x[k].what == TSR_IN_SOURCE)
                l.from = x[k].step;
            else if (x[k].what == TSR_IN_DESTINATION)
                l.to = x[k].step;
            else if (edge >= 0) /* else a step that leads to no other coordinate */
                l.edge[edge] = x[k].step;
            x[k].count = x[k].count == l.count ? 1 : x[k].count / l.count;
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

/** Whether the loops prove that no two of their elements land in one place: each steps over what the smaller ones
 *  reach. */
TSR_FN bool tsr_plan_lands_once_(tsr_plan const *p)
{
    int64_t reach = tsr_dtype_bits(p->to.type);
    bool once = true;
    for (int i = 0; i < p->loops; ++i) {
        once = once && p->loop[i].to >= reach;
        reach += (p->loop[i].count - 1) * p->loop[i].to;
    }
    return once;
}

/* Edges */

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
    *begin = tsr_max64(*begin, tsr_ceil_div64(low, step));
    *end = tsr_max64(tsr_min64(*end, tsr_ceil_div64(high, step)), *begin);
}

/** Cuts off what a loop alone has beyond an edge, and drops that edge. */
TSR_FN void tsr_plan_clip_(tsr_plan *p)
{
    for (int k = p->edges - 1; k >= 0; --k) {
        tsr_loop still = TSR_ZERO, *l = &still;
        int64_t begin = 0;
        int only = 0, loops = 0;
        still.count = 1;
        for (int i = 0; i < p->loops; ++i)
            if (p->loop[i].edge[k] != 0) {
                ++loops;
                l = &p->loop[only = i];
            }
        if (loops > 1)
            continue;
        int64_t end = l->count;
        tsr_clip_loop_(&p->edge[k], 0, l->edge[k], &begin, &end);
        if (begin == end)
            p->units = 0;
        tsr_plan_begin_at_(p, l, begin);
        l->count = tsr_max64(end - begin, 1);
        --p->edges;
        p->edge[k] = p->edge[p->edges];
        for (int i = 0; i < p->loops; ++i) {
            p->loop[i].edge[k] = p->loop[i].edge[p->edges];
            p->loop[i].edge[p->edges] = 0;
        }
        if (loops == 1 && l->count == 1)
            tsr_plan_take_(p, only);
    }
}

/** Which bits the loops of a side reach. Loops whose steps are so many times those of an edge reach as far as it lets
 *  them. */
TSR_FN void tsr_side_reach_(tsr_plan const *p, tsr_side *x, bool from)
{
    uint32_t cut = 0;
    x->low = x->begin;
    x->high = x->begin + tsr_dtype_bits(x->type);
    for (int i = 0; i < p->loops; ++i) {
        int64_t const step = from ? p->loop[i].from : p->loop[i].to;
        *(step < 0 ? &x->low : &x->high) += (p->loop[i].count - 1) * step;
    }
    for (int k = 0; k < p->edges; ++k) {
        int64_t least = 0, greatest = 0, times = 0;
        uint32_t loops = 0;
        bool even = true;
        for (int i = 0; i < p->loops && even; ++i) {
            int64_t const step = from ? p->loop[i].from : p->loop[i].to, edge = p->loop[i].edge[k];
            if (edge == 0)
                continue;
            even = (cut >> i & 1) == 0 && step % edge == 0 && (loops == 0 || step / edge == times);
            times = step / edge;
            loops |= 1u << i;
            *(edge < 0 ? &least : &greatest) += (p->loop[i].count - 1) * edge;
        }
        if (!even)
            continue;
        int64_t const all = greatest - least;
        int64_t const below = times * tsr_min64(tsr_max64(p->edge[k].first - least, 0), all);
        int64_t const above = times * tsr_min64(tsr_max64(greatest - p->edge[k].last + 1, 0), all);
        x->low += times < 0 ? -above : below;
        x->high -= times < 0 ? -below : above;
        cut |= loops;
    }
}

TSR_HEADER_END

#endif
