/** Lists of an expression: their elements, the stack that these stand on, and the calls that they are arguments of. */
#include <stdlib.h>
#include <string.h>

#include "calc/names.h"
#include "calc/parser.h"

void tsr_parser_push_(parser *s)
{
    evaluation *const e = s->e;
    if (e->used == e->capacity) {
        int const capacity = 2 * e->capacity + 8;
        value *const bigger = (value *)realloc(e->stack, (size_t)capacity * sizeof *bigger);
        if (!bigger) {
            scan_fail(&s->in, "out of memory");
            return;
        }
        e->stack = bigger;
        e->capacity = capacity;
    }
    e->stack[e->used++] = *s->r;
}

OWN_FRAME void tsr_parser_enter_(parser *s)
{
    if (++s->in.depth >= TSR_TEXT_DEPTH)
        scan_fail(&s->in, "the expression nests more than %d levels deep", TSR_TEXT_DEPTH);
}

/** One level higher: the values from `base` on are gone. */
static void leave(parser *s, int base)
{
    --s->in.depth;
    s->e->used = base;
}

list tsr_list_open_(parser const *s, list_kind kind, char const *from, int values)
{
    list const l = {kind, s->e->used - values, "", from, s->in.p, NULL};
    return l;
}

/** The elements of a tuple or of a tiler that have been put into it. */
static int elements_of(parser const *s, list const *l)
{
    value const *const so_far = &s->e->stack[l->base];
    tsr_tuple const *const t = l->kind == LIST_TUPLE ? &so_far->as.tuple : &so_far->as.tiler.by.shape;
    return t->leaves;
}

/** name= in front of an element of a tuple: all elements have names, or none has. */
OWN_FRAME static void read_mode_name(parser *s, list *l)
{
    char const *const name = s->in.p;
    size_t n = scan_is_digit(&s->in) || scan_is(&s->in, "_") ? 0 : scan_letters(&s->in);
    n = scan_char(&s->in, n) == '=' ? n : 0;
    if (n == 0 && !l->names)
        return;
    if (n == 0 || (!l->names && elements_of(s, l) > 0))
        scan_fail(&s->in, "all modes have names, or none has: (m=4,n=8)");
    else if (l->names && tsr_names_has_(l->names, name, n))
        scan_fail(&s->in, "two modes have this name");
    else if (!(l->names = tsr_names_add_(&s->e->kept, l->names, name, n)))
        scan_fail(&s->in, "out of memory");
    s->in.p += s->in.failed ? 0 : n + 1;
    scan_blanks(&s->in);
}

void tsr_list_begin_(parser *s, list *l)
{
    scan_blanks(&s->in);
    s->word = l->kind >= LIST_CALL && tsr_token_label_(s, l->label, sizeof l->label);
    if (l->kind <= LIST_TILER && !s->in.failed)
        read_mode_name(s, l);
    l->element = s->in.p;
}

/* Calls */

/** The arguments of a call and its result, as long as they are. */
static void write_traced(parser *s, call const *c, writer *arguments, writer *result)
{
    tsr_call_write_arguments_(arguments, c, s->flags);
    put(result, "%s", tsr_value_ok_(s->r) ? "" : "error: ");
    tsr_value_write_(result, s->r, s->flags);
}

OWN_FRAME static void trace_call(parser *s, call const *c)
{
    char name[64 + MAX_BRACKET * 24];
    writer w, arguments, result;
    writer_open(&arguments, NULL, 0);
    writer_open(&result, NULL, 0);
    write_traced(s, c, &arguments, &result); /* counts */
    size_t const first = arguments.used + 1, second = result.used + 1;
    char *const text = (char *)malloc(first + second);
    if (!text) {
        scan_fail(&s->in, "out of memory");
        return;
    }
    writer_open(&w, name, sizeof name);
    tsr_call_write_name_(&w, c);
    writer_open(&arguments, text, first);
    writer_open(&result, text + first, second);
    write_traced(s, c, &arguments, &result);
    s->trace(s->context, name, text, text + first);
    free(text);
}

char const *tsr_parser_keep_(parser *s, char const *from)
{
    size_t const n = (size_t)(s->in.p - from);
    char *const text = (char *)tsr_memory_take_(&s->e->kept, n + 1);
    if (!text) {
        scan_fail(&s->in, "out of memory");
        return "";
    }
    memcpy(text, from, n);
    text[n] = 0;
    return text;
}

/** The name of a call is read again, so that a list has no room for it. */
static void name_call(parser *s, list const *l, call *c)
{
    char const *const end = s->in.p;
    c->brackets = 0;
    if (l->kind >= LIST_STAGE) {
        snprintf(c->name, sizeof c->name, "%s",
                 l->kind == LIST_STAGE    ? "transform_tensor_descriptor"
                 : l->kind == LIST_WINDOW ? "make_tile_window"
                 : l->kind == LIST_AT     ? "call"
                                          : "make_layout");
        return;
    }
    s->in.p = l->from;
    tsr_token_call_name_(s, c);
    s->in.p = end;
}

void tsr_list_finish_(parser *s, list const *l)
{
    call *const c = &s->e->outer;
    char const *const end = s->in.p;
    if (s->in.failed)
        return;
    name_call(s, l, c);
    c->args = s->e->used - l->base;
    c->arg = c->args > 0 ? s->e->stack + l->base : NULL;
    leave(s, l->base);
    if (!tsr_names_arrange_(c, s->in.error) || !tsr_call_evaluate_(c, s->r, s->in.error)) {
        s->unfit = s->in.depth == 0 && !tsr_call_fits_(c);
        scan_fail_as_is(&s->in, l->from);
    }
    if (!s->in.failed && tsr_value_is_as_written_(s->r->kind))
        s->r->text = tsr_parser_keep_(s, l->from);
    s->r->names = s->in.failed ? NULL : tsr_names_of_result_(c, s->r);
    s->r->label[0] = 0;
    if (s->trace && !s->in.failed)
        trace_call(s, c);
    bool const whole =
        s->in.depth == 0 && l->from == s->in.text + strspn(s->in.text, " \t") && end[strspn(end, " \t")] == 0;
    if (whole)
        c->text = tsr_parser_keep_(s, l->from);
    else /* a call whose arguments are gone is no outer call */
        c->name[0] = 0;
}

/* Lists */

/** A tuple that holds a layout is a tiler, as CuTe prints one. The elements read before become the tiler's. */
OWN_FRAME static void become_tiler(value *so_far, list *l)
{
    so_far->as.tiler = tsr_tiler_of_tuple(so_far->as.tuple);
    l->kind = LIST_TILER;
}

OWN_FRAME void tsr_list_put_(parser *s, list *l)
{
    value const *const r = s->r;
    if (l->kind == LIST_TUPLE && (r->kind == VALUE_LAYOUT || r->kind == VALUE_TILER))
        become_tiler(&s->e->stack[l->base], l);
    if (l->kind >= LIST_CALL) {
        memcpy(s->r->label, l->label, sizeof l->label);
        l->label[0] = 0;
        if (s->e->used - l->base == MAX_ARGUMENTS)
            scan_fail(&s->in, "too many elements in this list");
        else
            tsr_parser_push_(s);
    } else if (r->names) {
        scan_fail_at(&s->in, l->element, "names are of the outermost modes: (m=(2,2),n=8)");
    } else if (l->kind == LIST_TUPLE && r->kind == VALUE_TUPLE) {
        tsr_tuple_push(&s->e->stack[l->base].as.tuple, &r->as.tuple);
    } else if (l->kind == LIST_TUPLE) {
        scan_fail_at(&s->in, l->element, "a tuple holds integers, tuples, and the layouts of a tiler");
    } else if (r->kind == VALUE_TUPLE || r->kind == VALUE_LAYOUT || r->kind == VALUE_TILER) {
        tsr_tiler const item = tsr_value_tiler_(r);
        tsr_tiler_push(&s->e->stack[l->base].as.tiler, &item);
    } else {
        scan_fail_at(&s->in, l->element, "a tiler holds layouts, integers, `_` and tilers");
    }
}

/** The elements between brackets; only a tiler must have some. */
static void read_list(parser *s, list *l, char const *close)
{
    tsr_list_begin_(s, l);
    bool more = l->kind == LIST_TILER || !scan_take_here(&s->in, close);
    while (more && !s->in.failed) {
        tsr_read_expression_(s, false);
        if (s->in.failed)
            return;
        tsr_list_put_(s, l);
        more = scan_more(&s->in, close);
        if (more)
            tsr_list_begin_(s, l);
    }
}

OWN_FRAME static void close_list(value *r, value const *of, list_kind kind)
{
    r->kind = kind == LIST_TUPLE ? VALUE_TUPLE : VALUE_TILER;
    if (kind == LIST_TILER)
        r->as.tiler = tsr_tiler_close(of->as.tiler);
    else
        r->as.tuple = of->as.tuple.status || of->as.tuple.leaves > 0 ? tsr_tuple_close(of->as.tuple) : tsr_unit();
}

void tsr_read_group_(parser *s, list_kind kind, char const *close)
{
    list l = tsr_list_open_(s, kind, s->in.p, 0);
    tsr_parser_enter_(s);
    tsr_parser_push_(s); /* the empty one that grows */
    read_list(s, &l, close);
    if (s->in.failed)
        return;
    close_list(s->r, &s->e->stack[l.base], l.kind);
    s->r->names = l.names;
    leave(s, l.base);
}

void tsr_read_at_(parser *s, char const *from)
{
    list l = tsr_list_open_(s, LIST_AT, from, 0);
    if (s->r->kind != VALUE_LAYOUT || !s->r->names) {
        scan_fail_at(&s->in, from, "L[m=1] is of a layout whose modes have names: (m=4,n=8):(8,1)[m=1]");
        return;
    }
    tsr_parser_enter_(s);
    tsr_parser_push_(s);
    if (s->in.failed)
        return;
    memset(s->r, 0, sizeof *s->r);
    tsr_read_group_(s, LIST_TUPLE, "]");
    if (!s->in.failed && !s->r->names)
        scan_fail_at(&s->in, l.element, "a name is expected here: L[m=1]");
    if (s->in.failed)
        return;
    s->r->label[0] = 0;
    tsr_parser_push_(s);
    tsr_list_finish_(s, &l);
}

void tsr_read_layout_call_(parser *s, char const *close)
{
    list l = tsr_list_open_(s, LIST_LAYOUT, s->in.p, 0);
    tsr_parser_enter_(s);
    read_list(s, &l, close);
    tsr_list_finish_(s, &l);
}

void tsr_read_printed_(parser *s)
{
    tsr_parser_enter_(s);
    scan_blanks(&s->in);
    tsr_read_expression_(s, false);
    scan_expect_in(&s->in, ")", "print_layout(L)");
    --s->in.depth;
}

/** A name without arguments: an operation that needs some, or nothing that is known. */
OWN_FRAME static void fail_at_name(parser *s, char const *from, char const *name)
{
    int count = 0, row = -1;
    tsr_op const *const rows = tsr_ops(&count);
    writer w;
    for (int i = 0; i < count; ++i) /* the first row, or the first one of a layout */
        if (strcmp(rows[i].name, name) == 0
            && (row < 0 || (rows[i].signature[1] == 'L' && rows[row].signature[1] != 'L')))
            row = i;
    writer_open(&w, s->in.error->text, sizeof s->in.error->text);
    if (row >= 0) {
        put(&w, "`%s` needs arguments: ", name);
        tsr_call_write_row_(&w, &rows[row]);
    } else {
        put(&w, "unknown name `%s`", name);
        tsr_call_write_meant_(&w, name);
        if (strncmp(name, "SM", 2) == 0)
            put(&w, "; an atom has CuTe's name, as SM80_16x8x16_F32F16F16F32_TN (`tessera ops SM80` lists them)");
    }
    scan_fail_as_is(&s->in, from);
}

void tsr_read_call_(parser *s)
{
    list l = tsr_list_open_(s, LIST_CALL, s->in.p, 0);
    tsr_token_call_name_(s, &s->e->outer);
    if (!s->in.failed && !tsr_token_take_open_(s, "", "("))
        fail_at_name(s, l.from, s->e->outer.name);
    if (s->in.failed)
        return;
    tsr_parser_enter_(s);
    read_list(s, &l, ")");
    tsr_list_finish_(s, &l);
}

/** Passes what stands between the arguments of a command; false at the end of the text. */
static bool next_argument(parser *s)
{
    static char const *const signs[] = {"@", ";", "*", "->"};
    char const *const end = s->in.p;
    bool apart = false;
    scan_blanks(&s->in);
    for (size_t i = 0; i < sizeof signs / sizeof signs[0] && !apart; ++i)
        apart = scan_take_here(&s->in, signs[i]);
    if (*s->in.p && s->in.p == end)
        scan_fail(&s->in, "nothing may follow here, but a blank and a further argument");
    return apart || *s->in.p;
}

void tsr_read_command_(parser *s)
{
    list l = tsr_list_open_(s, LIST_COMMAND, s->in.p, 0);
    s->in.p += strcspn(s->in.p, " \t");
    tsr_parser_enter_(s);
    do {
        tsr_list_begin_(s, &l);
        tsr_read_expression_(s, false);
        if (!s->in.failed)
            tsr_list_put_(s, &l);
    } while (!s->in.failed && next_argument(s));
    tsr_list_finish_(s, &l);
}
