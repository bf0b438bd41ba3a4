/** What holds no names is core's, as is what only moves modes: the calculator's table runs it. */
#include "symbolic/value.h"

#include <string.h>

static bool has_no_names(tsr_tuple const *t)
{
    bool r = true;
    for (int i = 0; r && i < t->leaves; ++i)
        r = t->leaf[i].kind != TSR_DYNAMIC;
    return r;
}

bool tsr_symbol_is_numeric_(value const *v)
{
    tsr_layout const *const l = v->kind == VALUE_LAYOUT ? &v->as.layout : &v->as.tiler.by;
    if (v->kind == VALUE_LAYOUT || v->kind == VALUE_TILER)
        return has_no_names(&l->shape) && has_no_names(&l->stride);
    return v->kind == VALUE_TUPLE ? has_no_names(&v->as.tuple) : (int)v->kind != SYMBOL_SUM;
}

void tsr_symbol_make_static_(value *v)
{
    tsr_layout *const l = v->kind == VALUE_LAYOUT ? &v->as.layout : &v->as.tiler.by;
    if (v->kind == VALUE_TUPLE)
        v->as.tuple = tsr_static_tuple(v->as.tuple);
    if (v->kind == VALUE_LAYOUT || v->kind == VALUE_TILER) {
        l->shape = tsr_static_tuple(l->shape);
        l->stride = tsr_static_tuple(l->stride);
    }
}

/** False: the words in *error. */
static bool run(memory *m, call *c, symbol const *argument, value *result, tsr_message *error)
{
    tsr_text answer;
    memset(&answer, 0, sizeof answer);
    c->arg = (value *)tsr_memory_take_(m, (size_t)(c->args + 1) * sizeof *c->arg);
    c->place = (content *)tsr_memory_take_(m, MAX_PARAMETERS * sizeof *c->place);
    c->kept = m;
    c->answer = &answer;
    snprintf(error->text, sizeof error->text, "out of memory");
    if (m->failed)
        return false;
    for (int i = 0; i < c->args; ++i)
        c->arg[i] = argument[i].v;
    return tsr_call_evaluate_(c, result, error);
}

void tsr_symbol_run_core_(sizes *s, char const *name, symbol_path const *path, symbol const *argument, int arguments,
                          symbol *r)
{
    tsr_message error;
    memory m = {NULL, false};
    call c;
    bool numeric = true;
    memset(&c, 0, sizeof c);
    snprintf(c.name, sizeof c.name, "%s", name);
    c.args = arguments;
    for (c.brackets = 0; c.brackets < path->levels; ++c.brackets)
        c.bracket[c.brackets].number = path->mode[c.brackets];
    for (int i = 0; i < arguments; ++i)
        numeric = numeric && tsr_symbol_is_numeric_(&argument[i].v);
    if (!run(&m, &c, argument, &r->v, &error))
        tsr_size_fail_(s, "%s", error.text);
    else if (tsr_value_is_as_written_(r->v.kind))
        tsr_size_fail_(s, "%s is not defined beside sizes with names", c.name);
    tsr_tuple const why = s->failed ? tsr_unit() : tsr_value_reason_(&r->v);
    tsr_symbol_check_(s, &why);
    if (numeric && !s->failed)
        tsr_symbol_make_static_(&r->v);
    if (!s->failed && r->v.kind != VALUE_TUPLE && r->v.kind != VALUE_LAYOUT && r->v.kind != VALUE_TILER)
        tsr_memory_join_(s->kept, &m);
    tsr_memory_free_(&m);
}
