/** Tuples and layouts of products: their modes, and compact ones. */
#include "symbolic/value.h"

#include <string.h>

symbol_tuple tsr_symbol_leaf_(product a)
{
    symbol_tuple r;
    memset(&r, 0, sizeof r);
    r.frame = tsr_int(1);
    r.leaf[0] = a;
    return r;
}

symbol_tuple tsr_symbol_wild_(void)
{
    symbol_tuple r = tsr_symbol_leaf_(tsr_product_of_(1));
    r.frame = tsr_wild();
    return r;
}

bool tsr_symbol_is_leaf_(symbol_tuple const *t) { return tsr_is_leaf(&t->frame); }

bool tsr_symbol_is_wild_(symbol_tuple const *t)
{
    return tsr_symbol_is_leaf_(t) && t->frame.leaf[0].kind == TSR_WILD;
}

int tsr_symbol_rank_(symbol_tuple const *t) { return tsr_mode_count(&t->frame); }

symbol_tuple tsr_symbol_mode_(symbol_tuple const *t, int i)
{
    symbol_tuple r;
    int end = 0;
    int const first = tsr_mode_begin_(&t->frame, i, &end); /* -1: it is its own mode */
    memset(&r, 0, sizeof r);
    r.frame = tsr_get_(&t->frame, i);
    memcpy(r.leaf, &t->leaf[first > 0 ? first : 0], r.frame.leaves * sizeof *r.leaf);
    return r;
}

static void check(sizes *s, tsr_tuple const *frame)
{
    if (frame->status == TSR_CAPACITY)
        tsr_size_fail_(s, "the result needs more than %d leaves (TSR_MAX_LEAVES)", TSR_MAX_LEAVES);
    else if (frame->status)
        tsr_size_fail_(s, "at most %d parentheses may be open at one leaf", TSR_MAX_OPEN);
}

void tsr_symbol_push_(sizes *s, symbol_tuple *list, symbol_tuple const *t)
{
    int const first = list->frame.leaves;
    tsr_tuple_push(&list->frame, &t->frame);
    check(s, &list->frame);
    for (int k = 0; !s->failed && k < t->frame.leaves; ++k)
        list->leaf[first + k] = t->leaf[k];
}

void tsr_symbol_close_(sizes *s, symbol_tuple *list)
{
    list->frame = tsr_tuple_close(list->frame);
    check(s, &list->frame);
}

product tsr_symbol_size_(sizes *s, symbol_tuple const *shape)
{
    product r = tsr_product_of_(1);
    for (int i = 0; i < shape->frame.leaves; ++i)
        r = tsr_product_mul_(s, r, shape->leaf[i]);
    return r;
}

void tsr_symbol_tuple_write_(writer *w, sizes const *s, symbol_tuple const *t)
{
    for (int i = 0; i < t->frame.leaves; ++i) {
        tsr_leaf const at = t->frame.leaf[i];
        put(w, "%s", i > 0 ? "," : "");
        for (int k = 0; k < at.open; ++k)
            put(w, "(");
        if (at.kind == TSR_WILD)
            put(w, "_");
        else if (at.kind == TSR_MAJOR)
            put(w, at.value ? "LayoutRight" : "LayoutLeft");
        else
            tsr_product_write_(w, s, spelling_of_text, t->leaf[i]);
        for (int k = 0; k < at.close; ++k)
            put(w, ")");
    }
}

/* Layouts */

symbol_layout tsr_symbol_layout_of_(product extent, product stride)
{
    symbol_layout const r = {tsr_symbol_leaf_(extent), tsr_symbol_leaf_(stride)};
    return r;
}

symbol_layout tsr_symbol_layout_mode_(symbol_layout const *l, int i)
{
    symbol_layout const r = {tsr_symbol_mode_(&l->shape, i), tsr_symbol_mode_(&l->stride, i)};
    return r;
}

void tsr_symbol_layout_push_(sizes *s, symbol_layout *list, symbol_layout const *l)
{
    tsr_symbol_push_(s, &list->shape, &l->shape);
    tsr_symbol_push_(s, &list->stride, &l->stride);
}

void tsr_symbol_layout_close_(sizes *s, symbol_layout *list)
{
    tsr_symbol_close_(s, &list->shape);
    tsr_symbol_close_(s, &list->stride);
}

symbol_layout tsr_symbol_pair_(sizes *s, symbol_layout const *a, symbol_layout const *b)
{
    symbol_layout r;
    memset(&r, 0, sizeof r);
    tsr_symbol_layout_push_(s, &r, a);
    tsr_symbol_layout_push_(s, &r, b);
    tsr_symbol_layout_close_(s, &r);
    return r;
}

symbol_layout tsr_symbol_compact_(sizes *s, symbol_tuple const *shape, bool right)
{
    symbol_layout r = {*shape, *shape};
    product current = tsr_product_of_(1);
    int const n = shape->frame.leaves;
    for (int k = 0; k < n; ++k) {
        int const i = right ? n - 1 - k : k;
        bool const one = tsr_product_is_(&shape->leaf[i], 1);
        r.stride.leaf[i] = one ? tsr_product_of_(0) : current;
        current = tsr_product_mul_(s, current, shape->leaf[i]);
    }
    return r;
}

sum tsr_symbol_cosize_(sizes *s, symbol_layout const *l)
{
    sum r = {0, {{0, {0}}}};
    tsr_symbol_add_(s, &r, tsr_product_of_(1));
    for (int i = 0; i < l->shape.frame.leaves; ++i) {
        product d = l->stride.leaf[i];
        d.c = d.c < 0 ? -d.c : d.c;
        tsr_symbol_add_(s, &r, tsr_product_mul_(s, l->shape.leaf[i], d));
        d.c = -d.c;
        tsr_symbol_add_(s, &r, d);
    }
    return r;
}
