/** Algorithms over all elements of a tensor: the functions of exec/algorithm.h. */
#include "exec/compute/algorithm.h"
#include "exec/by_address.h"

tsr_reason tsr_fill(tsr_tensor const *all, tsr_number x)
{
    unsigned char element[16] = {0};
    tsr_planned_copy p = TSR_ZERO;
    tsr_tensor t = *all, one = t;
    p.why = tsr_all_writable_(&t);
    if (!p.why.status && (!tsr_has_numbers_(&t) || x.kind == TSR_NO_NUMBER))
        p.why = tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    if (p.why.status)
        return p.why;
    tsr_store(t.engine.type, element, 0, x);
    one.engine = tsr_engine_at(TSR_RMEM, element, true, t.engine.type);
    one.layout = tsr_layout_unchecked(t.layout.shape, t.layout.stride);
    for (int i = 0; i < one.layout.stride.leaves; ++i) {
        if (t.layout.stride.leaf[i].value == 0 && t.layout.shape.leaf[i].kind != TSR_UNIT)
            t.layout.shape.leaf[i].value = one.layout.shape.leaf[i].value = 1; /* a place is filled once */
        one.layout.stride.leaf[i].value = 0;
    }
    tsr_plan_make_(&p, NULL, &one, &t);
    tsr_copy_run(&p, NULL, &one, &t, 0, p.units);
    return p.why;
}

tsr_reason tsr_clear(tsr_tensor const *t) { return tsr_fill(t, tsr_number_int(0)); }

bool tsr_is_in_place_(tsr_tensor const *s, tsr_tensor const *d)
{
    return s->engine.address == d->engine.address && s->engine.bit == d->engine.bit
           && s->engine.type == d->engine.type && tsr_layout_equal(s->layout, d->layout).leaf[0].value != 0;
}

tsr_reason tsr_reduce(tsr_operator op, tsr_tensor const *t, tsr_number *x)
{
    tsr_reason const why = tsr_all_readable_(t);
    if (why.status)
        return why;
    if (!tsr_has_numbers_(t))
        return tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    int64_t const n = tsr_layout_size(t->layout);
    tsr_cursor c = tsr_cursor_at(t, 0);
    for (int64_t i = 0; i < n; ++i, tsr_cursor_next(&c))
        *x = op(*x, tsr_cursor_get(&c));
    return why;
}

tsr_planned_copy tsr_apply_plan(tsr_function_id function, tsr_number alpha, tsr_tensor const *x, tsr_number beta,
                                tsr_tensor const *y)
{
    tsr_planned_copy p = TSR_ZERO;
    bool const parts = tsr_dtype_code(x->engine.type) == 5 || tsr_dtype_code(y->engine.type) == 5;
    p.update = tsr_make_update((int)function, alpha, beta);
    if ((unsigned)function >= TSR_FUNCTIONS || (parts && function != TSR_OF_IDENTITY) || !tsr_has_numbers_(x)
        || !tsr_has_numbers_(y) || alpha.kind == TSR_NO_NUMBER || beta.kind == TSR_NO_NUMBER) {
        p.why = tsr_reason_or(tsr_reason_or(tsr_readable_(x), tsr_writable_(y)),
                              tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0));
        return p;
    }
    if (tsr_plan_make_checked_(&p, NULL, x, y))
        return p;
    bool const in_place = tsr_is_in_place_(x, y);
    tsr_verdict const once = tsr_is_injective(y->layout);
    p.why = in_place ? tsr_all_writable_(y) : tsr_copyable(x, y);
    if (!p.why.status && in_place && once.answer != TSR_YES)
        p.why = once.why;
    if (!p.why.status && p.to.type == 0)
        tsr_plan_make_(&p, NULL, x, y);
    return p;
}

tsr_reason tsr_axpby(tsr_number alpha, tsr_tensor const *x, tsr_number beta, tsr_tensor const *y)
{
    tsr_planned_copy const p = tsr_apply_plan(TSR_OF_IDENTITY, alpha, x, beta, y);
    tsr_copy_run(&p, NULL, x, y, 0, p.units);
    return p.why;
}

tsr_reason tsr_apply(tsr_function_id function, tsr_tensor const *x, tsr_tensor const *y)
{
    tsr_planned_copy const p = tsr_apply_plan(function, tsr_number_int(1), x, tsr_number_int(0), y);
    tsr_copy_run(&p, NULL, x, y, 0, p.units);
    return p.why;
}
