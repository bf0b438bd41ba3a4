/** Names of modes, `(m=4,n=8):(8,1)`: a list "m,n" beside a value of the calculator. A layout in C has none.
 *
 *  Law  L with names is L without them in every operation. An argument whose modes have names is put into the order of
 *       the modes of the first layout, `_` where a name is left out.
 */
#include <string.h>

#include "calc/names.h"

static size_t length_of(char const *names) { return strcspn(names, ","); }

/** The names behind the first one; NULL: it is the last. */
static char const *behind(char const *names)
{
    char const *const end = names + length_of(names);
    return *end ? end + 1 : NULL;
}

int tsr_names_count_(char const *names)
{
    int n = 0;
    for (char const *at = names; at; at = behind(at))
        ++n;
    return n;
}

/** The place of a name in a list, or -1. */
static int place_of(char const *names, char const *name, size_t n)
{
    int i = 0;
    for (char const *at = names; at; at = behind(at), ++i)
        if (length_of(at) == n && strncmp(at, name, n) == 0)
            return i;
    return -1;
}

char const *tsr_names_add_(memory *m, char const *names, char const *name, size_t n)
{
    size_t const before = names ? strlen(names) + 1 : 0;
    char *const text = (char *)tsr_memory_take_(m, before + n + 1);
    if (!text)
        return NULL;
    if (names)
        snprintf(text, before + 1, "%s,", names);
    memcpy(text + before, name, n);
    text[before + n] = 0;
    return text;
}

bool tsr_names_has_(char const *names, char const *name, size_t n) { return place_of(names, name, n) >= 0; }

/** The text of a layout or a tuple, its names put in front of the modes of the shape. */
void tsr_names_write_(writer *w, char const *text, char const *names)
{
    char const *shape = text;
    for (char const *o = text; (o = strstr(o, " o ")) != NULL;)
        shape = o += 3;
    int depth = 0;
    for (char const *p = text; *p; ++p) {
        put(w, "%c", *p);
        if (p < shape)
            continue;
        depth += (*p == '(' || *p == '<') - (*p == ')' || *p == '>');
        bool const first = p == shape && depth == 1, next = depth == 1 && *p == ',';
        if ((first || next) && names) {
            put(w, "%.*s=", (int)length_of(names), names);
            names = behind(names);
        }
    }
}

/* Arguments */

/** The argument that names modes for the others: the first layout with names, or else the first value with names. */
static int subject_of(call const *c)
{
    int first = -1;
    for (int i = 0; i < c->args; ++i) {
        if (!c->arg[i].names)
            continue;
        if (c->arg[i].kind == VALUE_LAYOUT)
            return i;
        first = first < 0 ? i : first;
    }
    return first;
}

/** Puts the modes of a tiler into the order of `names`. */
OWN_FRAME static void arrange_tiler(value *v, char const *names)
{
    tsr_tiler r = TSR_ZERO;
    for (char const *at = names; at; at = behind(at)) {
        int const i = place_of(v->names, at, length_of(at));
        tsr_tiler const mode = i < 0 ? tsr_tiler_of_tuple(tsr_wild()) : tsr_tiler_get(v->as.tiler, i);
        tsr_tiler_push(&r, &mode);
    }
    v->as.tiler = tsr_tiler_close(r);
}

OWN_FRAME static void arrange_tuple(value *v, char const *names)
{
    tsr_tuple r = TSR_ZERO;
    for (char const *at = names; at; at = behind(at)) {
        int const i = place_of(v->names, at, length_of(at));
        tsr_tuple const mode = i < 0 ? tsr_wild() : tsr_tuple_get(v->as.tuple, i);
        tsr_tuple_push(&r, &mode);
    }
    v->as.tuple = tsr_tuple_close(r);
}

bool tsr_names_arrange_(call *c, tsr_message *error)
{
    int const subject = subject_of(c);
    writer w;
    for (int i = 0; subject >= 0 && i < c->args; ++i) {
        value *const v = &c->arg[i];
        if (!v->names || i == subject || v->kind == VALUE_LAYOUT)
            continue;
        for (char const *at = v->names; at; at = behind(at))
            if (!tsr_names_has_(c->arg[subject].names, at, length_of(at))) {
                writer_open(&w, error->text, sizeof error->text);
                put(&w, "no mode has the name `%.*s`; the modes are %s", (int)length_of(at), at,
                    c->arg[subject].names);
                return false;
            }
        if (v->kind == VALUE_TUPLE)
            arrange_tuple(v, c->arg[subject].names);
        else
            arrange_tiler(v, c->arg[subject].names);
        v->names = c->arg[subject].names;
    }
    return true;
}

/* Results */

/** Has the result of an operation a mode for each of its first layout's? Some have it where a tuple or a tiler acts
 *  mode by mode. */
static bool keeps_modes(call const *c)
{
    static char const *const always[] = {"layout_add",      "common_refinement", "filter_zeros",  "make_layout_like",
                                         "blocked_product", "raked_product",     "tile_to_shape", "upcast",
                                         "downcast",        "recast_layout",     "shape",         "stride",
                                         "ceil_div"};
    static char const *const by_mode[] = {"logical_divide", "logical_product", "composition", "compose", "coalesce"};
    for (size_t i = 0; i < sizeof always / sizeof always[0]; ++i)
        if (strcmp(c->name, always[i]) == 0)
            return c->brackets == 0 || strstr(c->name, "cast") != NULL;
    for (size_t i = 0; i < sizeof by_mode / sizeof by_mode[0]; ++i)
        if (strcmp(c->name, by_mode[i]) == 0)
            return c->args > 1 && c->arg[1].kind != VALUE_LAYOUT
                   && !(c->arg[1].kind == VALUE_TUPLE && tsr_is_leaf(&c->arg[1].as.tuple) && c->args == 2);
    return false;
}

/** The names of the modes that a slice keeps. NULL if it keeps a part of a mode. */
static char const *names_of_slice(memory *m, char const *names, tsr_tuple const *coord)
{
    char const *r = NULL;
    int i = 0;
    for (char const *at = names; at; at = behind(at), ++i) {
        tsr_tuple const x = tsr_tuple_get(*coord, i);
        bool const wild = tsr_is_leaf(&x) && x.leaf[0].kind == TSR_WILD;
        if (!wild && tsr_has_wildcard(&x))
            return NULL;
        r = wild ? tsr_names_add_(m, r, at, length_of(at)) : r;
    }
    return r;
}

char const *tsr_names_of_result_(call const *c, value const *result)
{
    int const subject = subject_of(c);
    if (subject < 0 || (result->kind != VALUE_LAYOUT && result->kind != VALUE_TUPLE))
        return NULL;
    char const *const names = c->arg[subject].names;
    tsr_tuple const *const shape = result->kind == VALUE_LAYOUT ? &result->as.layout.shape : &result->as.tuple;
    bool const slice = strcmp(c->name, "slice") == 0 || strcmp(c->name, "call") == 0;
    if (slice && c->args == 2 && c->arg[1 - subject].kind == VALUE_TUPLE && result->kind == VALUE_LAYOUT
        && tsr_mode_count(&c->arg[1 - subject].as.tuple) == tsr_names_count_(names))
        return names_of_slice(c->kept, names, &c->arg[1 - subject].as.tuple);
    bool const kept = keeps_modes(c) && !shape->status && !tsr_is_leaf(shape);
    return kept && tsr_mode_count(shape) == tsr_names_count_(names) ? names : NULL;
}
