/** Tuples and layouts of products: their modes, and compact ones. */
#include "symbolic/value.h"
#include "text/write.h"

void tsr_symbol_check_(sizes *s, tsr_tuple const *t)
{
    char text[TSR_TEXT_SIZE];
    writer w;
    writer_open(&w, text, sizeof text);
    if (!t->status)
        return;
    tsr_write_reason_(&w, t);
    tsr_size_fail_(s, "%s", text);
}

void tsr_symbol_check_layout_(sizes *s, tsr_layout const *l)
{
    tsr_symbol_check_(s, l->shape.status ? &l->shape : &l->stride);
}

static void write_leaf(writer *w, sizes const *s, tsr_leaf at)
{
    at.open = at.close = 0;
    tsr_tuple const t = tsr_from_leaf(at);
    if (at.kind == TSR_DYNAMIC) {
        tsr_product_write_(w, s, spelling_of_text, s->product[at.value]);
        tsr_write_path_(w, at.aux);
    } else {
        tsr_write_tuple_(w, &t, TSR_TEXT_STATIC);
    }
}

void tsr_symbol_tuple_write_(writer *w, sizes const *s, tsr_tuple const *t)
{
    for (int i = 0; i < t->leaves; ++i) {
        put(w, "%s", i > 0 ? "," : "");
        for (int k = 0; k < t->leaf[i].open; ++k)
            put(w, "(");
        write_leaf(w, s, t->leaf[i]);
        for (int k = 0; k < t->leaf[i].close; ++k)
            put(w, ")");
    }
}

void tsr_symbol_push_(tsr_layout *list, tsr_layout const *l)
{
    tsr_tuple_push(&list->shape, &l->shape);
    tsr_tuple_push(&list->stride, &l->stride);
}

void tsr_symbol_close_(sizes *s, tsr_layout *list)
{
    tsr_enclose_all_(&list->shape);
    tsr_enclose_all_(&list->stride);
    tsr_symbol_check_layout_(s, list);
}

product tsr_symbol_size_(sizes *s, tsr_tuple const *shape)
{
    product r = tsr_product_of_(1);
    for (int i = 0; i < shape->leaves; ++i)
        r = tsr_product_mul_(s, r, tsr_size_product_(s, shape->leaf[i]));
    return r;
}

tsr_layout tsr_symbol_layout_of_(sizes *s, product extent, product stride)
{
    return tsr_layout_unchecked(tsr_from_leaf(tsr_size_leaf_(s, extent)), tsr_from_leaf(tsr_size_leaf_(s, stride)));
}

tsr_layout tsr_symbol_compact_(sizes *s, tsr_tuple const *shape, bool right)
{
    tsr_layout r = tsr_layout_unchecked(*shape, *shape);
    product current = tsr_product_of_(1);
    int const n = shape->leaves;
    for (int k = 0; k < n; ++k) {
        int const i = right ? n - 1 - k : k;
        product const extent = tsr_size_product_(s, shape->leaf[i]);
        tsr_leaf const d = tsr_product_is_(&extent, 1) ? tsr_leaf_static(0) : tsr_size_leaf_(s, current);
        r.stride.leaf[i].kind = d.kind;
        r.stride.leaf[i].value = d.value;
        current = tsr_product_mul_(s, current, extent);
    }
    return r;
}

bool tsr_symbol_is_first_(tsr_tuple const *stride, int i)
{
    uint32_t const unit = tsr_symbol_unit_(stride->leaf[i]);
    for (int k = 0; k < i; ++k)
        if (tsr_symbol_unit_(stride->leaf[k]) == unit)
            return false;
    return true;
}

/** 1 + the greatest offset along a basis element. */
static sum cosize_along(sizes *s, tsr_layout const *l, uint32_t unit)
{
    sum r = {0, {{0, {0}}}};
    tsr_symbol_add_(s, &r, tsr_product_of_(1));
    for (int i = 0; i < l->shape.leaves; ++i) {
        if (tsr_symbol_unit_(l->stride.leaf[i]) != unit)
            continue;
        product d = tsr_symbol_stride_(s, l->stride.leaf[i]);
        d.c = d.c < 0 ? -d.c : d.c;
        tsr_symbol_add_(s, &r, tsr_product_mul_(s, tsr_size_product_(s, l->shape.leaf[i]), d));
        d.c = -d.c;
        tsr_symbol_add_(s, &r, d);
    }
    return r;
}

sum tsr_symbol_cosize_(sizes *s, tsr_layout const *l)
{
    sum r = {0, {{0, {0}}}};
    bool first = true;
    for (int i = 0; i < l->stride.leaves; ++i) {
        if (!tsr_symbol_is_first_(&l->stride, i))
            continue;
        sum const along = cosize_along(s, l, tsr_symbol_unit_(l->stride.leaf[i]));
        if (!first && (r.terms != 1 || along.terms != 1))
            tsr_size_fail_(s, "the cosize is a product of sums of sizes");
        if (first)
            r = along;
        else
            r.term[0] = tsr_product_mul_(s, r.term[0], along.term[0]);
        first = false;
    }
    return r;
}
