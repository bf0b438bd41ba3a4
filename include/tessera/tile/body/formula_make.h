/** The bodies of tile/formula_make.h. */
#ifndef TSR_TILE_BODY_FORMULA_MAKE_H
#define TSR_TILE_BODY_FORMULA_MAKE_H

#include "tessera/tile/formula_make.h"
#include "tessera/tile/body/distribution.h"
#include "tessera/tile/body/formula_sum.h"

TSR_HEADER_BEGIN

TSR_OP tsr_known tsr_graph_number_(tsr_adaptor const *a, tsr_variation const *vary, int source)
{
    tsr_known r = TSR_ZERO;
    r.is = source < TSR_SOURCE_COEFFICIENT ? a->length[source]
           : source < TSR_SOURCE_NUMBER    ? a->coefficient[source - TSR_SOURCE_COEFFICIENT]
                                           : a->number[source - TSR_SOURCE_NUMBER];
    r.multiple = vary->multiple[source];
    r.source = (uint8_t)source;
    return r;
}

/* Bounds */

/** 0 <= value, and value < end, as far as that is not known. Behind it, it is. */
TSR_LOCAL void tsr_formula_bound_(tsr_formula *f, int value, bool left, bool right, tsr_known end)
{
    tsr_value *const v = &f->value[value];
    left = left && v->least < 0;
    right = right && !(end.multiple == 0 && v->greatest < end.is);
    if (left)
        v->least = 0;
    if (right && end.multiple == 0)
        v->greatest = tsr_min64(v->greatest, end.is - 1);
    for (int i = 0; i < f->bounds && (left || right); ++i) {
        tsr_bound *const b = &f->bound[i];
        if (b->value != value || (right && b->right && (b->end.multiple != 0 || end.multiple != 0)))
            continue;
        b->left = b->left || left;
        b->end = right ? end : b->end; /* it is less, or there was none */
        b->right = b->right || right;
        return;
    }
    if (!left && !right)
        return;
    if (f->bounds == TSR_MAX_BOUNDS) {
        tsr_formula_full_(f);
        return;
    }
    tsr_bound *const b = &f->bound[f->bounds++];
    b->value = (uint8_t)value;
    b->left = left;
    b->right = right;
    b->end = end;
}

/** If the index of a dimension is a value, the ends of its length need no bounds: the bounds below are tighter. */
TSR_LOCAL void tsr_formula_unbound_(tsr_formula *f, tsr_open_sum const *s, int dim, bool left, bool right)
{
    bool const alone = s->parts == 1 && tsr_is_(s->number[0], 1) && s->constant == 0;
    for (int i = 0; i < f->bounds && alone; ++i) {
        tsr_bound *const b = &f->bound[i];
        if (b->value != s->value[0] || b->end.source != dim)
            continue;
        b->left = b->left && !left;
        b->right = b->right && !right;
        if (!b->left && !b->right)
            *b = f->bound[--f->bounds];
        return;
    }
}

/* Transforms */

/** Facts about the index of a hidden dimension, where there is an element. */
TSR_LOCAL tsr_span_ tsr_dim_span_(tsr_formula_maker const *m, tsr_adaptor const *a, tsr_variation const *vary,
                                  int dim)
{
    if ((m->loose >> dim & 1u) != 0)
        return tsr_span_of_(-TSR_INT_MAX, TSR_INT_MAX);
    return tsr_span_of_(0, vary->multiple[dim] == 0 ? a->length[dim] - 1 : TSR_INT_MAX);
}

/** Returns the value 1. A constant c that is not known is c times this value. */
TSR_LOCAL int tsr_one_(tsr_formula *f)
{
    tsr_open_sum s = TSR_ZERO;
    s.constant = 1;
    return tsr_name_sum_(f, &s, tsr_span_of_(1, 1));
}

/** The sum of the transform above hidden dimension `low`. A number that a bound needs is named. */
TSR_LOCAL void tsr_formula_linear_(tsr_formula_maker *m, tsr_adaptor const *a, tsr_variation const *vary, int i)
{
    tsr_node const *const n = &a->node[i];
    int const low = a->low[n->low];
    tsr_known const end = tsr_graph_number_(a, vary, low);
    tsr_open_sum *const s = &m->dim[low];
    tsr_known const constant = tsr_graph_number_(a, vary, TSR_SOURCE_NUMBER + i);
    if (constant.multiple == 0)
        s->constant = constant.is;
    else
        tsr_open_add_(&m->f, s, tsr_one_(&m->f), constant);
    for (int k = n->up; k < n->up + n->ups; ++k)
        tsr_open_join_(&m->f, s, &m->dim[k], tsr_graph_number_(a, vary, TSR_SOURCE_COEFFICIENT + k),
                       tsr_dim_span_(m, a, vary, k));
    tsr_span_ const span = tsr_open_span_(&m->f, s);
    bool const before = span.least < 0, behind = end.multiple != 0 || span.greatest >= end.is;
    bool const left = before && tsr_may_pad_(n->kind) && n->kind != TSR_TRANSFORM_RIGHT_PAD;
    bool const right = behind && tsr_may_pad_(n->kind) && n->kind != TSR_TRANSFORM_LEFT_PAD;
    if (n->kind == TSR_TRANSFORM_PAD || n->kind == TSR_TRANSFORM_RIGHT_PAD)
        tsr_formula_unbound_(&m->f, &m->dim[n->up], n->up, left, right);
    if (left || right)
        tsr_formula_bound_(&m->f, tsr_name_sum_(&m->f, s, tsr_span_of_(-TSR_INT_MAX, TSR_INT_MAX)), left, right, end);
    if (n->kind == TSR_TRANSFORM_PAD)
        m->loose &= ~((uint64_t)1 << low);
    if (n->kind == TSR_TRANSFORM_PAD_SKIP && (before || behind))
        m->loose |= (uint64_t)1 << low;
}

TSR_LOCAL void tsr_formula_digits_(tsr_formula_maker *m, tsr_adaptor const *a, tsr_variation const *vary, int i)
{
    tsr_node const *const n = &a->node[i];
    tsr_open_sum rest = m->dim[n->up], q = TSR_ZERO;
    tsr_span_ span = tsr_dim_span_(m, a, vary, n->up);
    for (int k = n->low + n->lows - 1; k > n->low; --k) {
        tsr_known const length = tsr_graph_number_(a, vary, a->low[k]);
        tsr_open_divide_(&m->f, &rest, span, length, &q, &m->dim[a->low[k]]);
        rest = q;
        if (!tsr_endless_(span.greatest) && length.multiple == 0)
            span.greatest /= length.is;
    }
    if (n->lows > 0)
        m->dim[a->low[n->low]] = rest;
}

TSR_LOCAL void tsr_formula_xor_(tsr_formula_maker *m, tsr_adaptor const *a, tsr_variation const *vary, int i)
{
    uint8_t const *const low = &a->low[a->node[i].low];
    int const up = a->node[i].up;
    tsr_known const length = tsr_graph_number_(a, vary, low[1]);
    tsr_open_sum mask = m->dim[up];
    m->dim[low[0]] = m->dim[up];
    for (int k = 0; k < mask.parts && length.multiple == 0; ++k) /* it counts mod the length */
        if (mask.number[k].multiple == 0 && mask.number[k].is % length.is == 0)
            tsr_open_drop_(&mask, k--);
    bool const none = mask.parts == 0 && length.multiple == 0 && tsr_floor_mod(mask.constant, length.is) == 0;
    m->dim[low[1]] = m->dim[up + 1];
    if (none)
        return;
    tsr_value v = tsr_value_of_(TSR_VALUE_XOR, 0, length);
    tsr_span_ const span = tsr_dim_span_(m, a, vary, low[1]);
    v.other = (uint8_t)tsr_name_sum_(&m->f, &mask, tsr_span_of_(-TSR_INT_MAX, TSR_INT_MAX));
    v.of = (uint8_t)tsr_name_sum_(&m->f, &m->dim[low[1]], tsr_dim_span_(m, a, vary, up + 1));
    v.least = span.least;
    v.greatest = span.greatest;
    m->dim[low[1]] = tsr_open_value_(tsr_new_value_(&m->f, &v));
}

TSR_LOCAL void tsr_formula_gather_(tsr_formula_maker *m, tsr_adaptor const *a, tsr_variation const *vary, int i)
{
    tsr_node const *const n = &a->node[i];
    int const of = tsr_name_sum_(&m->f, &m->dim[n->up], tsr_dim_span_(m, a, vary, n->up));
    tsr_value v = tsr_value_of_(TSR_VALUE_GATHER, of, tsr_graph_number_(a, vary, n->up));
    v.table = n->table;
    v.least = 0;
    v.greatest = vary->multiple[TSR_SOURCE_NUMBER + i] == 0 ? a->number[i] - 1 : TSR_INT_MAX;
    m->f.table[n->table] = a->table[n->table];
    m->dim[a->low[n->low]] = tsr_open_value_(tsr_new_value_(&m->f, &v));
}

/** Runs all transforms, from the sums of the top dimensions on. The sum at the bottom is the offset. */
TSR_LOCAL void tsr_formula_graph_(tsr_formula_maker *m, tsr_adaptor const *a, tsr_variation const *vary)
{
    tsr_open_sum none = TSR_ZERO;
    for (int i = a->nodes - 1; i >= 0 && !m->f.why.status; --i) {
        tsr_node const *const n = &a->node[i];
        for (int k = 0; k < n->ups; ++k)
            for (int l = 0; l < n->lows && (m->loose >> (n->up + k) & 1u) != 0; ++l)
                m->loose |= (uint64_t)1 << a->low[n->low + l];
        switch ((tsr_transform_map)n->map) {
        case TSR_MAP_LINEAR:
            tsr_formula_linear_(m, a, vary, i);
            break;
        case TSR_MAP_DIGITS:
            tsr_formula_digits_(m, a, vary, i);
            break;
        case TSR_MAP_REMAINDER:
            tsr_open_divide_(&m->f, &m->dim[n->up], tsr_dim_span_(m, a, vary, n->up),
                             tsr_graph_number_(a, vary, TSR_SOURCE_NUMBER + i), &none, &m->dim[a->low[n->low]]);
            break;
        case TSR_MAP_EXCLUSIVE:
            tsr_formula_xor_(m, a, vary, i);
            break;
        case TSR_MAP_TABLE:
            tsr_formula_gather_(m, a, vary, i);
            break;
        case TSR_MAP_NOTHING:
            break;
        }
    }
    m->f.output[m->f.outputs++] = (uint8_t)tsr_name_sum_(&m->f, &m->dim[0], tsr_span_of_(0, TSR_INT_MAX));
}

TSR_LOCAL int tsr_formula_input_(tsr_formula *f, int64_t least, int64_t greatest)
{
    tsr_value v = tsr_value_of_(TSR_VALUE_INPUT, 0, tsr_known_(0));
    v.least = least;
    v.greatest = greatest;
    return f->inputs = (uint8_t)(f->inputs + 1), tsr_new_value_(f, &v);
}

TSR_OP tsr_formula tsr_make_formula_by(tsr_descriptor const *d, tsr_variation const *vary)
{
    tsr_adaptor const *const a = &d->graph;
    tsr_formula_maker m = TSR_ZERO;
    m.f.why = a->why;
    for (int i = 0; i < a->tops && !m.f.why.status; ++i)
        (void)tsr_formula_input_(&m.f, -TSR_INT_MAX, TSR_INT_MAX);
    for (int i = 0; i < a->tops && !m.f.why.status; ++i) {
        tsr_formula_bound_(&m.f, i, true, true, tsr_graph_number_(a, vary, a->top[i]));
        m.dim[a->top[i]] = tsr_open_value_(i);
    }
    if (!m.f.why.status)
        tsr_formula_graph_(&m, a, vary);
    return m.f;
}

TSR_OP tsr_formula tsr_make_formula(tsr_descriptor const *d)
{
    tsr_variation const none = TSR_ZERO;
    return tsr_make_formula_by(d, &none);
}

TSR_HEADER_END

#endif
