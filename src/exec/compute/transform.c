/** Transform: the functions of exec/transform.h. */
#include "exec/compute/algorithm.h"
#include "exec/rows.h"

tsr_reason tsr_transformable_(tsr_tensor const *s, tsr_tensor const *d, bool reals)
{
    tsr_reason const why = tsr_is_in_place_(s, d) ? tsr_all_writable_(d) : tsr_copyable(s, d);
    bool const parts = tsr_dtype_code(s->engine.type) == 5 || tsr_dtype_code(d->engine.type) == 5;
    if (!why.status && (!tsr_has_numbers_(s) || !tsr_has_numbers_(d) || (reals && parts)))
        return tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    return why;
}

tsr_slow tsr_transform_plan_(tsr_nest_ *n, tsr_side *side, tsr_tensor const *const x[3])
{
    tsr_leaves_ leaves[3];
    int64_t begin[3] = {0, 0, 0};
    tsr_slow slow = TSR_SLOW_NOT_SLOW;
    for (int i = 0; i < 3; ++i) {
        tsr_slow const why = tsr_plan_side_(&side[i], x[i]);
        slow = slow ? slow : why;
        leaves[i] = tsr_leaves_of_(&x[i]->layout, tsr_dtype_bits(side[i].type), i);
    }
    slow = slow ? slow : tsr_nest_cut_(n, leaves, 3);
    if (slow)
        return slow;
    tsr_nest_turn_(n, 2, begin);
    tsr_nest_sort_(n, 2, false);
    tsr_nest_join_(n);
    for (int i = 0; i < 3; ++i)
        side[i].begin += begin[i];
    return slow;
}

tsr_nest_ tsr_transform_nest_(tsr_transform_ *t)
{
    tsr_nest_ const n = {t->count, t->step[0], 1, TSR_MAX_LEAVES + 1, 3, t->loops, TSR_MAX_LEAVES};
    return n;
}

/** The loops that the tensors have in common; without them elements come one by one. */
static void tsr_transform_loops_(tsr_transform_ *t, tsr_tensor const *const x[3])
{
    tsr_nest_ n = tsr_transform_nest_(t);
    t->by_element = tsr_transform_plan_(&n, t->side, x) != TSR_SLOW_NOT_SLOW;
    tsr_nest_fill_(&n);
    t->loops = n.loops;
    for (int i = 0; i < 3; ++i) {
        t->at[i] = t->side[i].begin;
        if (t->by_element)
            t->cursor[i] = tsr_cursor_at(x[i], 0);
    }
}

void tsr_transform_open_(tsr_transform_ *t, tsr_tensor const *x, tsr_tensor const *y, tsr_tensor const *z, bool reals)
{
    tsr_tensor const *const all[3] = {x, y ? y : x, z};
    t->why = tsr_no_reason();
    t->binary = y != NULL;
    t->reals = reals;
    t->n = 0;
    t->left = tsr_layout_size(z->layout);
    t->loops = 0;
    for (int k = 0; k <= TSR_MAX_LEAVES; ++k)
        t->digit[k] = 0;
    tsr_transform_loops_(t, all);
    for (int i = 0; i < 3; ++i)
        t->base[i] = t->side[i].absolute ? 0 : all[i]->engine.address;
}

void tsr_transform_begin_(tsr_transform_ *t, tsr_tensor const *x, tsr_tensor const *y, tsr_tensor const *z,
                          bool reals)
{
    t->why = tsr_transformable_(x, z, reals);
    if (!t->why.status && y)
        t->why = tsr_transformable_(y, z, reals);
    if (!t->why.status)
        tsr_transform_open_(t, x, y, z, reals);
    else
        t->n = t->left = 0;
}

/** The next elements of source i. */
static void tsr_transform_read_(tsr_transform_ *t, int i)
{
    uint64_t raw[2 * TSR_TRANSFORMED];
    unsigned char const *const p = (unsigned char const *)raw;
    tsr_form_ const form = tsr_form_of_(t->side[i].type);
    for (int64_t k = 0; t->by_element && k < t->n; ++k) {
        t->number[i][k] = tsr_cursor_get(&t->cursor[i]);
        t->real[i][k] = tsr_number_to_double(t->number[i][k]);
        tsr_cursor_next(&t->cursor[i]);
    }
    if (t->by_element)
        return;
    tsr_reduce_gather_(&t->side[i], t->base[i], t->at[i], t->step[i][0], t->n, (unsigned char *)raw);
    if (t->reals || form.is_float || form.is_double)
        tsr_engine_convert(TSR_F64, t->real[i], form.type, raw, t->n);
    for (int64_t k = 0; !t->reals && k < t->n; ++k)
        t->number[i][k] = form.is_float || form.is_double ? tsr_number_real(t->real[i][k])
                                                          : tsr_load(form.type, p + k * form.bytes, 0);
}

int64_t tsr_transform_next_(tsr_transform_ *t)
{
    t->n = tsr_min64(t->left, TSR_TRANSFORMED);
    if (!t->by_element && t->n > 0)
        t->n = tsr_min64(t->count[0] - t->digit[0], TSR_TRANSFORMED);
    for (int i = 0; t->n > 0 && i < 1 + t->binary; ++i)
        tsr_transform_read_(t, i);
    return t->n;
}

void tsr_transform_step_(tsr_transform_ *t, int64_t n)
{
    tsr_nest_ const nest = tsr_transform_nest_(t);
    t->left -= n;
    t->digit[0] += n - 1;
    for (int i = 0; i < 3; ++i)
        t->at[i] += (n - 1) * t->step[i][0];
    tsr_nest_next_(&nest, t->digit, t->at);
}

void tsr_transform_put_(tsr_transform_ *t)
{
    uint64_t raw[2 * TSR_TRANSFORMED];
    unsigned char *const q = (unsigned char *)raw;
    tsr_form_ const form = tsr_form_of_(t->side[2].type);
    bool plain = t->reals || form.is_float || form.is_double;
    for (int64_t k = 0; t->by_element && k < t->n; ++k, tsr_cursor_next(&t->cursor[2]))
        tsr_cursor_put(&t->cursor[2], t->reals ? tsr_number_real(t->real[2][k]) : t->number[2][k]);
    if (t->by_element) {
        t->left -= t->n;
        return;
    }
    for (int64_t k = 0; !t->reals && plain && k < t->n; ++k) {
        plain = t->number[2][k].kind == TSR_REAL;
        t->real[2][k] = t->number[2][k].re;
    }
    if (plain)
        tsr_engine_convert(form.type, q, TSR_F64, t->real[2], t->n);
    for (int64_t k = 0; !plain && k < t->n; ++k)
        tsr_store(form.type, q + k * form.bytes, 0, t->number[2][k]);
    tsr_reduce_scatter_(&t->side[2], t->base[2], t->at[2], t->step[2][0], t->n, q);
    tsr_transform_step_(t, t->n);
}
