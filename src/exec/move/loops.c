/** Loops: the functions of exec/loops.h. */
#include "exec/move/loops.h"
#include "tessera/tensor/tensor.h"

static bool tsr_loop_goes_on_(tsr_planned_copy const *p, tsr_loop const *l, tsr_loop const *next)
{
    bool joins = l->count * l->from == next->from && l->count * l->to == next->to;
    for (int k = 0; k < p->edges; ++k)
        joins = joins && l->count * l->edge[k] == next->edge[k];
    return joins;
}

/** Inserts a loop behind the first `from` ones, so that the steps of the destination never decrease. */
static void tsr_plan_insert_(tsr_planned_copy *p, int from, tsr_loop l)
{
    int at = p->loops++;
    for (; at > from && p->loop[at - 1].to > l.to; --at)
        p->loop[at] = p->loop[at - 1];
    p->loop[at] = l;
}

tsr_loop tsr_plan_take_(tsr_planned_copy *p, int i)
{
    tsr_loop const l = p->loop[i];
    --p->loops;
    for (; i < p->loops; ++i)
        p->loop[i] = p->loop[i + 1];
    return l;
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

/** One more loop, turned around where it goes backward in the destination. */
static void tsr_plan_push_(tsr_planned_copy *p, tsr_loop l)
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

tsr_leaves_ tsr_leaves_of_(tsr_layout const *l, int64_t bits, int what)
{
    tsr_leaves_ x = TSR_ZERO;
    x.layout = l;
    x.bits = bits;
    x.count = 1;
    x.what = what;
    return x;
}

static void tsr_leaves_next_(tsr_leaves_ *x, tsr_planned_copy *p)
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

void tsr_plan_cut_modes_(tsr_planned_copy *p, tsr_leaves_ *x, int layouts)
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
        for (int i = 0; i < p->loops; ++i) {
            p->loop[i].edge[k] = p->loop[i].edge[p->edges];
            p->loop[i].edge[p->edges] = 0;
        }
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
