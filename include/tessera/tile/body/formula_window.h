/** The bodies of tile/formula_window.h. */
#ifndef TSR_TILE_BODY_FORMULA_WINDOW_H
#define TSR_TILE_BODY_FORMULA_WINDOW_H

#include "tessera/tile/formula_window.h"
#include "tessera/tile/body/formula_make.h"

TSR_HEADER_BEGIN

/* Which numbers are known */

/** Do two graphs consist of the same transforms in the same places? */
TSR_LOCAL bool tsr_same_graph_(tsr_adaptor const *a, tsr_adaptor const *b)
{
    bool same = a->nodes == b->nodes && a->hidden == b->hidden && a->tops == b->tops && a->lows == b->lows;
    for (int i = 0; same && i < a->nodes; ++i)
        same = a->node[i].kind == b->node[i].kind && a->node[i].lows == b->node[i].lows
               && a->node[i].ups == b->node[i].ups;
    for (int i = 0; same && i < a->lows; ++i)
        same = a->low[i] == b->low[i];
    for (int i = 0; same && i < a->tops; ++i)
        same = a->top[i] == b->top[i];
    return same;
}

TSR_OP tsr_variation tsr_variation_between(tsr_descriptor const *a, tsr_descriptor const *b, int most)
{
    tsr_variation r = TSR_ZERO;
    r.why = a->graph.why.status ? a->graph.why : b->graph.why;
    if (!r.why.status && !tsr_same_graph_(&a->graph, &b->graph))
        r.why = tsr_because(TSR_FORMULA_GRAPH, 0, 0, 0, 0);
    tsr_variation const none = TSR_ZERO;
    for (int i = 0; i < TSR_SOURCES && !r.why.status; ++i) {
        int64_t const x = tsr_graph_number_(&a->graph, &none, i).is, y = tsr_graph_number_(&b->graph, &none, i).is;
        int64_t const shared = tsr_gcd64(tsr_gcd64(x < 0 ? -x : x, y < 0 ? -y : y), most);
        r.multiple[i] = x == y ? 0 : i == 0 ? 1 : shared;
    }
    return r;
}

TSR_OP tsr_reason tsr_variation_why(tsr_variation const *vary, tsr_descriptor const *like, tsr_descriptor const *d)
{
    tsr_reason why = vary->why.status ? vary->why : d->graph.why;
    if (!why.status && !tsr_same_graph_(&like->graph, &d->graph))
        why = tsr_because(TSR_FORMULA_GRAPH, 0, 0, 0, 0);
    for (int i = 0; i < TSR_SOURCES && !why.status; ++i) {
        int64_t const wanted = tsr_graph_number_(&like->graph, vary, i).is;
        int64_t const is = tsr_graph_number_(&d->graph, vary, i).is, multiple = vary->multiple[i];
        if (multiple == 0 && is != wanted && i != 0)
            why = tsr_because(TSR_FORMULA_NUMBER, i, is, wanted, 0);
        else if (multiple != 0 && is % multiple != 0)
            why = tsr_because(TSR_FORMULA_MULTIPLE, i, is, multiple, 0);
    }
    return why;
}

/* Formulas */

/** The X of every dimension, as sums of an origin, of the digits of a thread's number and of Ys. The origin of
 *  dimension x is a multiple of step[x]; 0: it is 0, and no input. */
TSR_LOCAL void tsr_formula_x_(tsr_formula *f, tsr_encoding const *e, int const *step, tsr_open_sum *x)
{
    tsr_open_sum digit[TSR_MAX_FACTORS] = {TSR_ZERO};
    int64_t threads = 1;
    for (int i = 0; i < e->xs; ++i)
        if (step[i] != 0)
            tsr_open_add_(f, &x[i], tsr_formula_input_(f, 0, TSR_INT_MAX), tsr_known_(step[i]));
    for (int i = 0; i < e->p_first[e->ps]; ++i)
        threads *= e->length[e->p_factor[i]];
    int const thread = tsr_formula_input_(f, 0, threads - 1);
    for (int i = 0; i < e->ys; ++i)
        digit[e->y_factor[i]] = tsr_open_value_(tsr_formula_input_(f, 0, e->length[e->y_factor[i]] - 1));
    tsr_open_sum rest = tsr_open_value_(thread), q = TSR_ZERO;
    for (int i = e->p_first[e->ps] - 1; i >= 0; --i) {
        tsr_open_divide_(f, &rest, tsr_span_of_(0, TSR_INT_MAX), tsr_known_(e->length[e->p_factor[i]]), &q,
                         &digit[e->p_factor[i]]);
        rest = q;
    }
    for (int d = 0; d < e->xs; ++d)
        for (int k = e->first[d + 1]; k < e->first[d + 2]; ++k)
            tsr_open_join_(f, &x[d], &digit[k], tsr_known_(tsr_factor_weight_(e, k)),
                           tsr_span_of_(-TSR_INT_MAX, TSR_INT_MAX));
}

TSR_OP tsr_formula tsr_make_window_formula(tsr_descriptor const *d, tsr_variation const *vary, tsr_encoding const *e,
                                           int const *step)
{
    tsr_adaptor const *const a = &d->graph;
    tsr_formula_maker m = TSR_ZERO;
    tsr_open_sum x[TSR_MAX_XS] = {TSR_ZERO};
    m.f.why = vary->why.status ? vary->why : a->why.status ? a->why : e->why;
    if (!m.f.why.status && e->xs != a->tops)
        m.f.why = tsr_because(TSR_WINDOW_RANK, 0, e->xs, a->tops, 0);
    if (m.f.why.status)
        return m.f;
    tsr_formula_x_(&m.f, e, step, x);
    for (int i = 0; i < a->tops; ++i) {
        tsr_known const end = tsr_graph_number_(a, vary, a->top[i]);
        if (end.multiple != 0 || tsr_open_span_(&m.f, &x[i]).greatest >= end.is)
            tsr_formula_bound_(&m.f, tsr_name_sum_(&m.f, &x[i], tsr_span_of_(-TSR_INT_MAX, TSR_INT_MAX)), false, true,
                               end);
        m.dim[a->top[i]] = x[i];
    }
    tsr_formula_graph_(&m, a, vary);
    return m.f;
}

TSR_OP tsr_formula tsr_make_distribution_formula(tsr_encoding const *e)
{
    int const still[TSR_MAX_XS] = {0};
    tsr_open_sum x[TSR_MAX_XS] = {TSR_ZERO};
    tsr_formula f = TSR_ZERO;
    f.why = e->why;
    if (f.why.status)
        return f;
    tsr_formula_x_(&f, e, still, x);
    for (int i = 0; i < e->xs; ++i)
        f.output[f.outputs++] = (uint8_t)tsr_name_sum_(&f, &x[i], tsr_span_of_(-TSR_INT_MAX, TSR_INT_MAX));
    return f;
}

TSR_LOCAL tsr_shift tsr_shift_still_(int64_t n)
{
    tsr_shift r = TSR_ZERO;
    r.still = true;
    r.outside = n;
    return r;
}

TSR_LOCAL tsr_shift tsr_shift_sum_(tsr_formula const *f, tsr_value const *v, tsr_shifts const *s)
{
    tsr_shift r = tsr_shift_still_(v->number.is);
    for (int k = v->first; k < v->first + v->parts; ++k) {
        tsr_known const by = f->part[k].number;
        tsr_shift const *const of = &s->at[f->part[k].value];
        bool const known = by.multiple == 0;
        if (known)
            r.outside = tsr_wrap_add(r.outside, tsr_wrap_mul(by.is, of->outside));
        else
            r.multiple = tsr_gcd64(r.multiple, tsr_wrap_mul(by.multiple, of->outside));
        if (of->still && known)
            continue;
        int64_t const step = known ? tsr_max64(by.is, -by.is) : by.multiple;
        r.still = false;
        if (!of->still)
            r.multiple = tsr_gcd64(r.multiple, tsr_wrap_mul(step, of->multiple));
        r.least = known && by.is > 0 ? tsr_reach_add_(of->least, by.is, r.least) : -TSR_INT_MAX;
    }
    return r;
}

/** (rest + shift) / n, where the rest is a multiple of m. Whole steps of n are taken out of the quotient, and less
 *  than gcd(m, n) counts nothing. */
TSR_LOCAL tsr_shift tsr_shift_quotient_(tsr_shift const *of, tsr_known n)
{
    tsr_shift r = TSR_ZERO;
    r.inside = of->outside;
    r.multiple = 1;
    r.least = of->least >= 0 ? 0 : -TSR_INT_MAX;
    if (n.multiple != 0)
        return r;
    if (of->still)
        return tsr_shift_still_(tsr_floor_div(of->outside, n.is));
    if (of->least < 0)
        return r;
    r.outside = tsr_floor_div(of->outside, n.is);
    r.inside = tsr_floor_mod(of->outside, n.is);
    r.inside -= r.inside % tsr_gcd64(of->multiple, n.is);
    if (of->multiple % n.is == 0)
        r.multiple = of->multiple / n.is;
    return r;
}

/** (rest + shift) mod n, n a power of two. */
TSR_LOCAL tsr_shift tsr_shift_low_(tsr_shift const *of, int64_t n)
{
    tsr_shift r = TSR_ZERO;
    int64_t const shift = tsr_floor_mod(of->outside, n);
    if (of->still || of->multiple % n == 0)
        return tsr_shift_still_(shift);
    r.multiple = tsr_gcd64(of->multiple, n);
    r.outside = shift % r.multiple;
    r.inside = shift - r.outside;
    return r;
}

/** (rest + shift) ^ (other mod n): whole steps of n pass. */
TSR_LOCAL tsr_shift tsr_shift_xor_(tsr_shift const *of, tsr_shift const *other, tsr_known n)
{
    tsr_shift r = TSR_ZERO;
    r.inside = of->outside;
    r.other = other->outside;
    r.multiple = 1;
    if (n.multiple != 0)
        return r;
    r.other = tsr_floor_mod(other->outside, n.is);
    r.inside = tsr_floor_mod(of->outside, n.is);
    r.outside = tsr_wrap_sub(of->outside, r.inside);
    if (of->still && other->still)
        return tsr_shift_still_((r.inside ^ r.other) + r.outside);
    int64_t const common = tsr_gcd64(tsr_gcd64(of->multiple, other->multiple), tsr_gcd64(r.inside, r.other));
    r.multiple = common == 0 ? 1 : common & -common;
    return r;
}

/** All of a value at once. */
TSR_LOCAL void tsr_shift_whole_(tsr_shift *s)
{
    s->whole = s->outside;
    s->outside = 0;
    s->multiple = tsr_gcd64(s->multiple, s->whole < 0 ? -s->whole : s->whole);
    s->least = tsr_reach_add_(s->least, 1, s->whole);
}

TSR_OP tsr_shifts tsr_formula_shifts(tsr_formula const *f, int ys, int64_t const *y)
{
    tsr_shifts s = TSR_ZERO;
    for (int i = 0; i < f->values; ++i) {
        tsr_value const *const v = &f->value[i];
        tsr_shift const *const of = &s.at[v->of];
        switch ((tsr_value_kind)v->kind) {
        case TSR_VALUE_INPUT:
            s.at[i].still = i >= f->inputs - ys;
            s.at[i].outside = s.at[i].still ? y[i - (f->inputs - ys)] : 0;
            s.at[i].multiple = 1;
            break;
        case TSR_VALUE_SUM:
            s.at[i] = tsr_shift_sum_(f, v, &s);
            break;
        case TSR_VALUE_QUOTIENT:
            s.at[i] = tsr_shift_quotient_(of, v->number);
            break;
        case TSR_VALUE_LOW:
            s.at[i] = tsr_shift_low_(of, v->number.is);
            break;
        case TSR_VALUE_REST:
        case TSR_VALUE_XOR:
            s.at[i] = tsr_shift_xor_(of, &s.at[v->other], v->number);
            break;
        case TSR_VALUE_GATHER:
            s.at[i].inside = of->outside;
            s.at[i].multiple = 1;
            break;
        }
        if (v->whole && !s.at[i].still)
            tsr_shift_whole_(&s.at[i]);
    }
    return s;
}

/* Vectors */

/** Are the elements of two accesses neighbours, `by` apart? Their values are the same, and their outputs are `by`
 *  apart. Their bounds hold for both or for neither, where groups of `width` begin at multiples of `width`. */
TSR_LOCAL bool tsr_shifts_adjoin_(tsr_formula const *f, tsr_shifts const *a, tsr_shifts const *b, int64_t by,
                                  int64_t width)
{
    int const at = f->output[0];
    bool good = b->at[at].outside - a->at[at].outside == by && a->at[at].outside % width == 0
                && a->at[at].multiple % width == 0;
    for (int i = 0; i < f->values && good; ++i) {
        tsr_shift const *const x = &a->at[i], *const y = &b->at[i];
        good = x->still == y->still && x->inside == y->inside && x->other == y->other && x->whole == y->whole;
    }
    for (int k = 0; k < f->parts && good; ++k)
        good = f->part[k].number.multiple == 0 || a->at[f->part[k].value].outside == b->at[f->part[k].value].outside;
    for (int i = 0; i < f->bounds && good; ++i) {
        tsr_bound const *const n = &f->bound[i];
        tsr_shift const *const x = &a->at[n->value];
        int64_t const step = b->at[n->value].outside - x->outside;
        int64_t const end = n->end.multiple != 0 ? n->end.multiple : n->end.is;
        good = step == 0 || (step == by && x->outside % width == 0 && x->multiple % width == 0 && end % width == 0);
    }
    return good;
}

TSR_OP int tsr_window_width(tsr_formula const *f, tsr_encoding const *e, int along, int most)
{
    tsr_index const length = tsr_y_lengths(e);
    int width = (int)tsr_gcd64(length.at[along], most);
    int64_t y[TSR_MAX_DIMS] = {0};
    do {
        int64_t const first = y[along];
        if (first % width != 0)
            continue;
        tsr_shifts const a = tsr_formula_shifts(f, e->ys, y);
        for (int k = 1; k < width; ++k) {
            y[along] = first + k;
            tsr_shifts const b = tsr_formula_shifts(f, e->ys, y);
            while (k < width && !tsr_shifts_adjoin_(f, &a, &b, k, width))
                width /= 2;
        }
        y[along] = first;
    } while (width > 1 && tsr_next_index(&length, y));
    return width;
}

TSR_HEADER_END

#endif
