/** Copy: the functions of exec/copy.h. */
#include "exec/move/run.h"
#include "tessera/exec/copy.h"
#include "exec/by_address.h"

tsr_reason tsr_copy(tsr_tensor const *s, tsr_tensor const *d)
{
    tsr_planned_copy p;
    for (unsigned char *at = (unsigned char *)&p; at < (unsigned char *)p.loop; ++at)
        *at = 0;
    tsr_plan_copy_(&p, s, d);
    tsr_copy_run(&p, NULL, s, d, 0, p.units);
    return p.why;
}

tsr_reason tsr_copy_aligned(tsr_tensor const *s, tsr_tensor const *d, int64_t bits)
{
    tsr_reason const why = tsr_copyable(s, d);
    if (why.status)
        return why;
    tsr_accesses const v = tsr_copy_vector(*s, *d, bits);
    return v.bits != bits || bits % 8 != 0 ? v.why : tsr_copy(s, d);
}

/** Checks that the elements of one side with a non-zero predicate lie in its bounds. If not, gives the first one
 *  outside. */
static tsr_reason tsr_chosen_in_bounds_(tsr_planned_copy const *p, tsr_side const *x, tsr_tensor const *where,
                                        tsr_tensor const *t)
{
    tsr_reason r = tsr_in_bounds_(t);
    if (r.status != TSR_BOUNDS)
        return r;
    r = tsr_no_reason();
    if (tsr_side_in_bounds_(p, x, t))
        return r;
    int64_t const n = tsr_layout_size(t->layout);
    tsr_cursor test = tsr_cursor_at(where, 0), at = tsr_cursor_at(t, 0);
    for (int64_t i = 0; i < n && !r.status; ++i, tsr_cursor_next(&test), tsr_cursor_next(&at))
        if (!tsr_number_is_zero(tsr_cursor_get(&test)))
            r = tsr_element_inside_(&t->engine, at.walk.offset);
    return r;
}

tsr_planned_copy tsr_copy_if_plan(tsr_tensor const *where, tsr_tensor const *s, tsr_tensor const *d)
{
    tsr_planned_copy p = TSR_ZERO;
    if (tsr_plan_make_checked_(&p, where, s, d))
        return p;
    p.why = tsr_reason_or(tsr_all_readable_(where), tsr_matching_(s, d));
    if (!p.why.status)
        p.why = tsr_reason_or(tsr_chosen_once_(where, d), tsr_disjoint_(s, d));
    if (p.why.status)
        return p;
    int64_t const n = tsr_layout_size(d->layout), m = tsr_layout_size(where->layout);
    if (p.to.type == 0)
        tsr_plan_make_(&p, where, s, d);
    p.why = m != n ? tsr_because(TSR_DIFFER_SIZE, 0, m, n, 0)
                   : tsr_reason_or(tsr_chosen_in_bounds_(&p, &p.from, where, s),
                                   tsr_chosen_in_bounds_(&p, &p.to, where, d));
    return p;
}

tsr_reason tsr_copy_if(tsr_tensor const *where, tsr_tensor const *s, tsr_tensor const *d)
{
    tsr_planned_copy const p = tsr_copy_if_plan(where, s, d);
    tsr_copy_run(&p, where, s, d, 0, p.units);
    return p.why;
}
