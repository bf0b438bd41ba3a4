/** The plan of a view. */
#include "tessera/tile/view_plan.h"

#include "exec/move/plan.h"

tsr_planned_copy tsr_view_plan(tsr_descriptor const *d, tsr_engine memory, tsr_tensor t, bool store)
{
    tsr_folded const f = tsr_fold(d);
    tsr_planned_copy p = TSR_ZERO;
    tsr_leaves_ x[2 + TSR_MAX_GUARDS];
    tsr_tensor const view = tsr_make_tensor_of(tsr_engine_add(memory, tsr_int(f.base)), f.layout);
    tsr_tensor const *const s = store ? &t : &view, *const to = store ? &view : &t;
    tsr_side *const side = store ? &p.to : &p.from, *const other = store ? &p.from : &p.to;
    int64_t const remote = (int64_t)TSR_PLAN_FAR, bits = tsr_dtype_bits(memory.type);
    p.why = f.kind == TSR_FOLDED ? tsr_copyable_(s, to) : tsr_because(TSR_PLAN_GRAPH, 0, 0, 0, 0);
    if (p.why.status)
        return p;
    tsr_plan_sides_(&p, s, to);
    x[0] = tsr_leaves_of_(&s->layout, tsr_dtype_bits(p.from.type), TSR_IN_SOURCE);
    x[1] = tsr_leaves_of_(&to->layout, tsr_dtype_bits(p.to.type), TSR_IN_DESTINATION);
    for (int k = 0; k < f.guards; ++k) {
        tsr_guard const *const g = &f.guard[k];
        x[2 + k] = tsr_leaves_of_(&g->by, 1, TSR_IN_EDGE + k);
        p.edge[k].first = tsr_max64(g->lo, -remote) - g->base;
        p.edge[k].last = tsr_min64(g->hi, remote) - g->base;
    }
    p.edges = (uint8_t)f.guards;
    tsr_plan_cut_modes_(&p, x, 2 + f.guards);
    tsr_plan_close_(&p, 1);
    if (p.slow)
        p.why = tsr_because(TSR_PLAN_GRAPH, 0, 0, 0, 0);
    else if (!tsr_side_in_bounds_(&p, side, &view))
        p.why = tsr_in_bounds_(&view);
    else if (!tsr_side_in_bounds_(&p, other, &t))
        p.why = tsr_in_bounds_(&t);
    side->begin += f.base * bits;
    side->low += f.base * bits;
    side->high += f.base * bits;
    return p;
}
