/** Loops: the functions of exec/loops.h. */
#include "exec/move/loops.h"
#include "tessera/tensor/tensor.h"

/** The loops of a plan: of its sides, and of the edges that there are. */
static tsr_nest_ tsr_plan_nest_(tsr_planned_copy *p)
{
    return tsr_nest_of_(p->loop, p->loops, TSR_MAX_LEAVES, TSR_IN_EDGE + p->edges);
}

void tsr_plan_move_(tsr_planned_copy *p, int from, int to)
{
    tsr_nest_ const n = tsr_plan_nest_(p);
    tsr_nest_move_(&n, from, to);
}

void tsr_plan_take_(tsr_planned_copy *p, int i)
{
    tsr_plan_move_(p, i, p->loops - 1);
    --p->loops;
}

int tsr_plan_add_edge_(tsr_planned_copy *p, int64_t first, int64_t last)
{
    int const k = p->edges++;
    p->edge[k].first = first;
    p->edge[k].last = last;
    for (int i = 0; i < p->loops; ++i)
        p->loop[i].edge[k] = 0;
    return k;
}

void tsr_plan_begin_at_(tsr_planned_copy *p, tsr_loop const *l, int64_t n)
{
    p->from.begin += n * l->from;
    p->to.begin += n * l->to;
    for (int k = 0; k < p->edges; ++k) {
        p->edge[k].first -= n * l->edge[k];
        p->edge[k].last -= n * l->edge[k];
    }
}

void tsr_plan_cut_modes_(tsr_planned_copy *p, tsr_leaves_ *x, int layouts)
{
    tsr_nest_ n = tsr_plan_nest_(p);
    int64_t begin[TSR_IN_EDGE + TSR_PLAN_EDGES] = {0};
    if (!p->slow) /* for want of a side */
        p->slow = (uint8_t)tsr_nest_cut_(&n, x, layouts);
    if (p->slow)
        return;
    tsr_nest_turn_(&n, TSR_IN_DESTINATION, begin);
    tsr_nest_sort_(&n, TSR_IN_DESTINATION, false);
    tsr_nest_join_(&n);
    p->loops = (uint8_t)n.loops;
    p->from.begin += begin[TSR_IN_SOURCE];
    p->to.begin += begin[TSR_IN_DESTINATION];
    for (int k = 0; k < p->edges; ++k) {
        p->edge[k].first -= begin[TSR_IN_EDGE + k];
        p->edge[k].last -= begin[TSR_IN_EDGE + k];
    }
}

bool tsr_plan_lands_once_(tsr_planned_copy const *p)
{
    int64_t reach = tsr_dtype_bits(p->to.type);
    bool once = true;
    for (int i = 0; i < p->loops; ++i) {
        once = once && p->loop[i].to >= reach;
        reach += (p->loop[i].count - 1) * p->loop[i].to;
    }
    return once;
}

void tsr_clip_loop_(tsr_edge const *e, int64_t value, int64_t step, int64_t *begin, int64_t *end)
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

void tsr_plan_clip_(tsr_planned_copy *p)
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
        for (int i = 0; i < p->loops; ++i)
            p->loop[i].edge[k] = p->loop[i].edge[p->edges];
        if (loops == 1 && l->count == 1)
            tsr_plan_take_(p, only);
    }
}

void tsr_side_reach_(tsr_planned_copy const *p, tsr_side *x, bool from)
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
