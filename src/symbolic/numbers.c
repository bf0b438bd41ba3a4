/** What holds no names is core's: operations on numbers are run by the calculator's table. */
#include "symbolic/value.h"

#include <string.h>

#include "calc/value.h"

static bool is_numeric(symbol_tuple const *t)
{
    bool r = true;
    for (int i = 0; r && i < t->frame.leaves; ++i)
        r = tsr_product_is_number_(&t->leaf[i]);
    return r;
}

bool tsr_symbol_is_numeric_(symbol const *v)
{
    bool r = true;
    switch (v->kind) {
    case SYMBOL_VALUE: return true;
    case SYMBOL_SUM: return false; /* without names it is a number, which is a tuple */
    case SYMBOL_TILER:
        for (int i = 0; r && i < v->items; ++i)
            r = tsr_symbol_is_numeric_(&v->item[i]);
        return r;
    default: return is_numeric(&v->layout.shape) && (v->kind == SYMBOL_TUPLE || is_numeric(&v->layout.stride));
    }
}

/* To values of the calculator */

static tsr_tuple tuple_of(symbol_tuple const *t)
{
    tsr_tuple r = t->frame;
    for (int i = 0; i < r.leaves; ++i)
        if (r.leaf[i].kind == TSR_DYNAMIC) {
            r.leaf[i].kind = TSR_STATIC;
            r.leaf[i].value = t->leaf[i].c;
        }
    return r;
}

static tsr_layout layout_of(symbol const *v)
{
    tsr_layout const l = tsr_layout_unchecked(tuple_of(&v->layout.shape), tuple_of(&v->layout.stride));
    return v->front.bits > 0 ? tsr_make_composed_layout(v->front, tsr_s(0), l) : l;
}

static void put_value(value *to, symbol const *v)
{
    tsr_tiler list = TSR_ZERO;
    memset(to, 0, sizeof *to);
    to->kind = v->kind == SYMBOL_LAYOUT ? VALUE_LAYOUT : v->kind == SYMBOL_TILER ? VALUE_TILER : VALUE_TUPLE;
    if (v->kind == SYMBOL_VALUE)
        *to = *v->value;
    else if (v->kind == SYMBOL_LAYOUT)
        to->as.layout = layout_of(v);
    else if (v->kind == SYMBOL_TUPLE)
        to->as.tuple = tuple_of(&v->layout.shape);
    for (int i = 0; v->kind == SYMBOL_TILER && i < v->items; ++i) {
        value item;
        put_value(&item, &v->item[i]);
        tsr_tiler const t = tsr_value_tiler_(&item);
        tsr_tiler_push(&list, &t);
    }
    if (v->kind == SYMBOL_TILER)
        to->as.tiler = tsr_tiler_close(list);
}

/* From values of the calculator */

/** False: it holds what no size can be. */
static bool take_tuple(symbol_tuple *r, tsr_tuple const *t)
{
    bool plain = true;
    r->frame = *t;
    for (int i = 0; plain && i < t->leaves; ++i) {
        tsr_leaf const at = t->leaf[i];
        bool const number = tsr_leaf_is_int(at) && at.value >= -TSR_INT_MAX;
        plain = number || at.kind == TSR_WILD || at.kind == TSR_MAJOR;
        r->leaf[i] = tsr_product_of_(number ? at.value : 1);
        r->frame.leaf[i].kind = number ? (uint8_t)TSR_DYNAMIC : at.kind;
    }
    return plain;
}

static bool take_layout(symbol *r, tsr_layout const *l)
{
    bool const fronted = l->composed && !l->twice && l->swizzle.bits > 0 && l->offset.value == 0;
    if (fronted)
        r->front = l->swizzle;
    return (fronted || !l->composed) && take_tuple(&r->layout.shape, &l->shape)
           && take_tuple(&r->layout.stride, &l->stride);
}

bool tsr_symbol_take_value_(symbol *r, value const *v)
{
    memset(r, 0, sizeof *r);
    r->kind = v->kind == VALUE_LAYOUT ? SYMBOL_LAYOUT : SYMBOL_TUPLE;
    if (!v->names && v->kind == VALUE_LAYOUT && take_layout(r, &v->as.layout))
        return true;
    if (!v->names && v->kind == VALUE_TUPLE && take_tuple(&r->layout.shape, &v->as.tuple))
        return true;
    r->kind = SYMBOL_VALUE;
    r->value = v;
    return false;
}

/* The call */

/** The result of a call, or its reason in *error. */
static bool run(memory *m, char const *name, size_t n, symbol_path const *path, symbol const *argument, int arguments,
                value *result, tsr_message *error)
{
    tsr_text answer;
    call c;
    memset(&c, 0, sizeof c);
    memset(&answer, 0, sizeof answer);
    snprintf(c.name, sizeof c.name, "%.*s", (int)n, name);
    c.arg = (value *)tsr_memory_take_(m, (size_t)(arguments + 1) * sizeof *c.arg);
    c.place = (content *)tsr_memory_take_(m, MAX_PARAMETERS * sizeof *c.place);
    c.args = arguments;
    c.kept = m;
    c.answer = &answer;
    for (c.brackets = 0; c.brackets < path->levels; ++c.brackets)
        c.bracket[c.brackets].number = path->mode[c.brackets];
    snprintf(error->text, sizeof error->text, "out of memory");
    if (m->failed)
        return false;
    for (int i = 0; i < arguments; ++i)
        put_value(&c.arg[i], &argument[i]);
    if (!tsr_call_evaluate_(&c, result, error))
        return false;
    writer w;
    writer_open(&w, error->text, sizeof error->text);
    if (!tsr_value_ok_(result))
        tsr_value_write_(&w, result, TSR_TEXT_STATIC);
    else if (tsr_value_is_as_written_(result->kind))
        put(&w, "%s is not defined beside sizes with names", c.name);
    else
        return true;
    return false;
}

bool tsr_symbol_call_numbers_(sizes *s, char const *name, size_t n, symbol_path const *path, symbol const *argument,
                              int arguments, symbol *r)
{
    memory m = {NULL, false};
    tsr_message error;
    value *const result = (value *)tsr_memory_take_(&m, sizeof *result);
    if (!result)
        tsr_size_fail_(s, "out of memory");
    else if (!run(&m, name, n, path, argument, arguments, result, &error))
        tsr_size_fail_(s, "%s", error.text);
    else if (!tsr_symbol_take_value_(r, result))
        tsr_memory_join_(s->kept, &m);
    tsr_memory_free_(&m);
    return !s->failed;
}
