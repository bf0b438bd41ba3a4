/** Expressions: a parser that evaluates as it reads, by recursive descent. Values stand on a stack in allocated memory,
 *  so that a level of nesting takes a few small frames of the caller's stack.
 *
 *      text        =  expression | name expression { [ "@" | ";" | "*" | "->" ] [ label "=" ] expression }
 *      expression  =  term | swizzle " o " [ term " o " ] expression | engine " o " expression | view window
 *      term        =  atom [ ":" atom ] | descriptor "|" link { "+" link } | descriptor window
 *      window      =  "@@" term [ "origin=" term ]
 *      atom        =  integer | "_" | "(" list ")" | "<" list ">" | "Sw<B,M,S>" | "LayoutLeft" | "LayoutRight"
 *                   |  "M_s|(d&f)=v" | "dist{" .. "}" | name [ "<" brackets ">" ] "(" list ")" | link
 *      link        =  transform ":" dims ">" dims
 *      integer     =  [ "_" ] [ "-" ] digits { "@" digits } [ "?" ]
 *
 *  In the list of a call, label=word or label=expression may stand for an expression. The first form of a text is the
 *  same as name(expression, ..); `D | link + link` is transform_tensor_descriptor(D, link, link), `D @@ e`
 *  make_tile_window(D, e).
 */
#include <stdlib.h>
#include <string.h>

#include "calc/token.h"

/** A list whose elements are read: its values on the stack begin at `base`, and there are as many as arguments of those
 *  that are calls. */
typedef enum list_kind {
    LIST_TUPLE,   /* ( a, b, */
    LIST_TILER,   /* < a, b, */
    LIST_CALL,    /* name( a, b, */
    LIST_COMMAND, /* name a b */
    LIST_STAGE,   /* descriptor | a + b + */
    LIST_WINDOW   /* view @@ a origin= */
} list_kind;

typedef struct list {
    list_kind kind;
    int base;
    char label[8];              /* in front of the element that is read */
    char const *from, *element; /* where the list and that element begin */
} list;

typedef struct parser {
    tokens in;
    evaluation *e;
    value *r; /* the value just read */
    int depth;
    bool word; /* a label has just been read: a word may follow */
    tsr_trace trace;
    void *context;
} parser;

/* Each of these reads one, which then is the value just read; all of them return at a failure. */
static void read_atom(parser *s);
static void read_term(parser *s, bool behind_engine);
static void read_expression(parser *s, bool behind_engine);

/** Pushes the value just read. */
static void push(parser *s)
{
    evaluation *const e = s->e;
    if (e->used == e->room) {
        int const room = 2 * e->room + 8;
        value *const bigger = (value *)realloc(e->stack, (size_t)room * sizeof *bigger);
        if (!bigger) {
            token_fail(&s->in, "out of memory");
            return;
        }
        e->stack = bigger;
        e->room = room;
    }
    e->stack[e->used++] = *s->r;
}

/** One level deeper. */
OWN_FRAME static void enter(parser *s)
{
    char text[80];
    if (++s->depth < TSR_TEXT_DEPTH)
        return;
    snprintf(text, sizeof text, "the expression nests more than %d levels deep", TSR_TEXT_DEPTH);
    token_fail(&s->in, text);
}

/** One level higher: the values from `base` on are gone. */
static void leave(parser *s, int base)
{
    --s->depth;
    s->e->used = base;
}

/** Opens a list of which `values` of the values on the stack are its own. */
static list open_list(parser const *s, list_kind kind, char const *from, int values)
{
    list const l = {kind, s->e->used - values, "", from, s->in.p};
    return l;
}

/** The next element of a list begins here. */
static void begin_element(parser *s, list *l)
{
    token_blanks(&s->in);
    s->word = l->kind >= LIST_CALL && token_label(&s->in, l->label, sizeof l->label);
    l->element = s->in.p;
}

/* Calls */

OWN_FRAME static void trace_call(parser *s, call const *c)
{
    enum { LONGEST = 2 * TSR_TEXT_SIZE };
    char *const text = (char *)malloc(LONGEST + TSR_TEXT_SIZE);
    char name[128];
    writer w;
    if (!text) {
        token_fail(&s->in, "out of memory");
        return;
    }
    writer_open(&w, name, sizeof name);
    call_write_name(&w, c);
    writer_open(&w, text, LONGEST);
    call_write_arguments(&w, c, s->in.flags);
    writer_open(&w, text + LONGEST, TSR_TEXT_SIZE);
    put(&w, "%s", value_ok(s->r) ? "" : "error: ");
    value_write(&w, s->r, s->in.flags);
    s->trace(s->context, name, text, text + LONGEST);
    free(text);
}

/** What is written from a place on. */
static char const *keep_text(parser *s, char const *from)
{
    size_t const n = (size_t)(s->in.p - from);
    char *const text = (char *)memory_take(&s->e->kept, n + 1);
    if (!text) {
        token_fail(&s->in, "out of memory");
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
    if (l->kind == LIST_STAGE || l->kind == LIST_WINDOW) {
        snprintf(c->name, sizeof c->name, "%s",
                 l->kind == LIST_STAGE ? "transform_tensor_descriptor" : "make_tile_window");
        return;
    }
    s->in.p = l->from;
    token_call_name(&s->in, c);
    s->in.p = end;
}

/** Evaluates the call whose arguments are on the stack. */
static void finish_call(parser *s, list const *l)
{
    call *const c = &s->e->outer;
    char const *const end = s->in.p;
    if (s->in.failed)
        return;
    name_call(s, l, c);
    c->args = s->e->used - l->base;
    c->arg = c->args > 0 ? s->e->stack + l->base : NULL;
    leave(s, l->base);
    if (!call_evaluate(c, s->r, s->in.error))
        token_fail_at(&s->in, l->from, NULL);
    else if (value_is_as_written(s->r->kind))
        s->r->text = keep_text(s, l->from);
    s->r->label[0] = 0;
    if (s->trace && !s->in.failed)
        trace_call(s, c);
    bool const whole = s->depth == 0 && l->from == s->in.text + strspn(s->in.text, " \t")
                    && end[strspn(end, " \t")] == 0;
    if (whole)
        c->text = keep_text(s, l->from);
    else /* a call whose arguments are gone is no outer call */
        c->name[0] = 0;
}

/* Lists */

/** Puts the value just read into the list that it stands in. */
OWN_FRAME static void put_element(parser *s, list *l)
{
    value const *const r = s->r;
    if (l->kind >= LIST_CALL) {
        memcpy(s->r->label, l->label, sizeof l->label);
        l->label[0] = 0;
        if (s->e->used - l->base == MAX_ARGUMENTS)
            token_fail(&s->in, "too many elements in this list");
        else
            push(s);
    } else if (l->kind == LIST_TUPLE && r->kind == VALUE_TUPLE) {
        tsr_tuple_push(&s->e->stack[l->base].as.tuple, &r->as.tuple);
    } else if (l->kind == LIST_TUPLE) {
        token_fail_at(&s->in, l->element, "a tuple holds integers and tuples; layouts stand in a tiler <a,b>");
    } else if (r->kind == VALUE_TUPLE || r->kind == VALUE_LAYOUT || r->kind == VALUE_TILER) {
        tsr_tiler const item = value_tiler(r);
        tsr_tiler_push(&s->e->stack[l->base].as.tiler, &item);
    } else {
        token_fail_at(&s->in, l->element, "a tiler holds layouts, integers, `_` and tilers");
    }
}

/** The elements between brackets; only a tiler must have some. */
static void read_list(parser *s, list *l, char const *close)
{
    begin_element(s, l);
    bool more = l->kind == LIST_TILER || !token_take(&s->in, close);
    while (more && !s->in.failed) {
        read_expression(s, false);
        if (s->in.failed)
            return;
        put_element(s, l);
        token_blanks(&s->in);
        more = !token_take(&s->in, close);
        if (more && !token_take(&s->in, ","))
            token_fail(&s->in, *close == ')' ? "`,` or `)` is expected here" : "`,` or `>` is expected here");
        if (more)
            begin_element(s, l);
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

/** A tuple or a tiler, from its bracket on. */
static void read_group(parser *s, list_kind kind)
{
    list l = open_list(s, kind, s->in.p, 0);
    ++s->in.p;
    enter(s);
    push(s); /* the empty one that grows */
    read_list(s, &l, kind == LIST_TUPLE ? ")" : ">");
    if (s->in.failed)
        return;
    close_list(s->r, &s->e->stack[l.base], kind);
    leave(s, l.base);
}

static void read_call(parser *s)
{
    list l = open_list(s, LIST_CALL, s->in.p, 0);
    token_call_name(&s->in, &s->e->outer);
    if (!s->in.failed && !token_take(&s->in, "("))
        token_fail_at(&s->in, l.from, "a layout, a tuple, or name(arguments) is expected here");
    if (s->in.failed)
        return;
    enter(s);
    read_list(s, &l, ")");
    finish_call(s, &l);
}

/** Passes what stands between the arguments of a command; false at the end of the text. */
static bool next_argument(parser *s)
{
    static char const *const signs[] = {"@", ";", "*", "->"};
    char const *const end = s->in.p;
    bool apart = false;
    token_blanks(&s->in);
    for (size_t i = 0; i < sizeof signs / sizeof signs[0] && !apart; ++i)
        apart = token_take(&s->in, signs[i]);
    if (*s->in.p && s->in.p == end)
        token_fail(&s->in, "nothing may follow here, but a blank and a further argument");
    return apart || *s->in.p;
}

/** name a b, without brackets. */
static void read_command(parser *s)
{
    list l = open_list(s, LIST_COMMAND, s->in.p, 0);
    s->in.p += strcspn(s->in.p, " \t");
    enter(s);
    do {
        begin_element(s, &l);
        read_expression(s, false);
        if (!s->in.failed)
            put_element(s, &l);
    } while (!s->in.failed && next_argument(s));
    finish_call(s, &l);
}

/* Atoms, terms and expressions */

static void read_atom(parser *s)
{
    char const c = *s->in.p;
    bool const word = s->word;
    memset(s->r, 0, sizeof *s->r);
    s->r->kind = VALUE_TUPLE;
    s->word = false;
    if (c == '(' || c == '<')
        read_group(s, c == '(' ? LIST_TUPLE : LIST_TILER);
    else if ((word && token_word(&s->in, s->r)) || token_value(&s->in, s->r))
        return;
    else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        read_call(s);
    else
        token_fail(&s->in, c ? "unexpected character" : "the expression ends too early");
}

/** The tuple just read becomes the layout of which it is the stride. */
OWN_FRAME static void end_stride(parser *s, char const *start)
{
    value const *const shape = &s->e->stack[--s->e->used];
    if (shape->kind == VALUE_TUPLE && s->r->kind == VALUE_TUPLE)
        s->r->as.layout = tsr_layout_checked(tsr_make_layout_from(shape->as.tuple, s->r->as.tuple));
    else
        token_fail_at(&s->in, start, "shape and stride of S:D must be integers or tuples");
    s->r->kind = VALUE_LAYOUT;
}

/** No transform was read where one is expected: its reason, if it is an invalid value. */
OWN_FRAME static void fail_stage(parser *s, char const *element)
{
    char words[TSR_TEXT_SIZE];
    tsr_tuple const why = value_reason(s->r);
    tsr_format_tuple(words, sizeof words, why, 0);
    token_fail_at(&s->in, element,
                  why.status ? words : "a transform with its dimensions is expected here: pass(4):0>0");
}

/** Stages and windows behind the value just read, which begins at `start`. */
static void read_infix(parser *s, char const *start, bool behind_engine)
{
    while (!s->in.failed) {
        char const *p = s->in.p + strspn(s->in.p, " \t");
        bool const descriptor = s->r->kind == VALUE_DESCRIPTOR, stage = descriptor && *p == '|';
        bool const window = (s->r->kind == VALUE_VIEW || (descriptor && !behind_engine)) && strncmp(p, "@@", 2) == 0;
        if (!stage && !window)
            return;
        push(s);
        s->in.p = p + (stage ? 1 : 2);
        token_blanks(&s->in);
        list l = open_list(s, stage ? LIST_STAGE : LIST_WINDOW, start, 1);
        enter(s);
        for (bool more = true; more && !s->in.failed;) {
            read_term(s, false);
            if (stage && s->r->kind != VALUE_LINK)
                fail_stage(s, l.element);
            if (s->in.failed)
                return;
            put_element(s, &l);
            p = s->in.p + strspn(s->in.p, " \t");
            more = stage ? *p == '+' : strncmp(p, "origin=", 7) == 0;
            if (more) {
                s->in.p = p + stage;
                begin_element(s, &l);
            }
        }
        finish_call(s, &l);
    }
}

/** An atom or shape:stride, and what stands behind it; a descriptor behind an engine is no view yet. */
static void read_term(parser *s, bool behind_engine)
{
    char const *const start = s->in.p;
    read_atom(s);
    if (!s->in.failed && s->r->kind == VALUE_TRANSFORM && token_take(&s->in, ":")) {
        token_link(&s->in, s->r);
        s->r->text = keep_text(s, start);
    } else if (token_take(&s->in, ":")) {
        push(s);
        read_atom(s);
        end_stride(s, start);
    }
    read_infix(s, start, behind_engine);
}

/** Sw o smem_ptr[Nb](unset) o layout, from the bracket on. */
OWN_FRAME static void begin_smem(parser *s)
{
    int64_t const bits = token_number(&s->in);
    if (!token_take(&s->in, "b](unset) o "))
        token_fail(&s->in, "`b](unset) o ` is expected here: Sw o smem_ptr[16b](unset) o layout");
    tsr_swizzle const sw = s->r->as.swizzle;
    s->r->kind = VALUE_SMEM;
    s->r->as.smem.swizzle = sw;
    s->r->as.smem.type = (tsr_dtype)(bits < 1 || bits > 128 ? 0 : bits);
}

/** The layout just read, behind what stands on the stack. */
OWN_FRAME static void compose_layout(parser *s, value const *left, bool offset)
{
    if (left->kind == VALUE_ENGINE) {
        s->r->as.tensor = tsr_make_tensor_of(left->as.engine, s->r->as.layout);
        s->r->kind = VALUE_TENSOR;
    } else if (left->kind == VALUE_SMEM) {
        s->r->as.smem = tsr_make_smem_layout(left->as.smem.swizzle, left->as.smem.type, s->r->as.layout);
        s->r->kind = VALUE_SMEM;
    } else if (offset) {
        s->r->as.layout = tsr_make_composed_layout(left->as.swizzle, left[1].as.tuple, s->r->as.layout);
    } else {
        s->r->as.layout = tsr_swizzled(left->as.swizzle, s->r->as.layout);
    }
}

/** The descriptor just read, behind an engine. */
OWN_FRAME static void compose_view(parser *s, value const *left, char const *start)
{
    tsr_descriptor const *const d = s->r->as.descriptor;
    s->r->kind = VALUE_VIEW;
    if (value_begin(s->r, &s->e->kept))
        *s->r->as.view = TSR_RUN(tile_view)(left->as.engine, d);
    else
        token_fail(&s->in, "out of memory");
    s->r->text = keep_text(s, start);
}

/** The right side of " o " becomes the whole; what is left of it stands on the stack from `base` on. */
static void end_right(parser *s, char const *start, int base)
{
    value const *const left = &s->e->stack[base];
    bool const layout = s->r->kind == VALUE_LAYOUT;
    if (left->kind == VALUE_ENGINE && s->r->kind == VALUE_DESCRIPTOR)
        compose_view(s, left, start);
    else if (left->kind == VALUE_ENGINE && !layout)
        token_fail_at(&s->in, start, "an engine stands in front of a layout or of a tensor descriptor");
    else if (left->kind == VALUE_SMEM && (!layout || left->as.smem.type == 0))
        token_fail_at(&s->in, start,
                      "Sw o smem_ptr[Nb](unset) o layout: 1 to 128 bits, and the last part must be a layout");
    else if (!layout)
        token_fail_at(&s->in, start, "Sw o offset o layout: the last part must be a layout");
    else
        compose_layout(s, left, s->e->used - base > 1);
}

/** What stands to the right of " o ", and the whole. */
static void read_right(parser *s, char const *start)
{
    value_kind const kind = s->r->kind;
    int const base = s->e->used;
    bool const smem = kind == VALUE_SWIZZLE && token_take(&s->in, "smem_ptr[");
    bool nests = smem || kind == VALUE_ENGINE;
    if (smem)
        begin_smem(s);
    else if (kind != VALUE_SWIZZLE && kind != VALUE_ENGINE)
        token_fail_at(&s->in, start, "` o ` joins a swizzle or an engine to a layout");
    push(s);
    if (!s->in.failed && !nests) {
        read_term(s, false);
        nests = s->r->kind == VALUE_TUPLE && token_take(&s->in, " o ");
        if (nests) /* an offset */
            push(s);
    }
    if (!s->in.failed && nests) {
        enter(s);
        read_expression(s, kind == VALUE_ENGINE);
        --s->depth;
    }
    if (!s->in.failed)
        end_right(s, start, base);
    s->e->used = base;
}

static void read_expression(parser *s, bool behind_engine)
{
    char const *const start = s->in.p;
    if (s->in.failed)
        return;
    read_term(s, behind_engine);
    if (!token_take(&s->in, " o "))
        return;
    read_right(s, start);
    read_infix(s, start, behind_engine);
    if (token_take(&s->in, " o "))
        token_fail_at(&s->in, start, "` o ` joins a swizzle or an engine to a layout");
}

/** Does the text begin with the name of an operation and a blank? */
static bool is_command(parser const *s)
{
    char name[64];
    size_t const n = strspn(s->in.p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (n == 0 || n >= sizeof name || (s->in.p[n] != ' ' && s->in.p[n] != '\t'))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)n, s->in.p);
    return is_operation(name);
}

tsr_evaluation *tsr_evaluate(char const *expression, unsigned flags, tsr_trace trace, void *context)
{
    parser *const s = (parser *)calloc(1, sizeof *s);
    evaluation *const e = (evaluation *)calloc(1, sizeof *e);
    if (s && e) {
        s->in.text = s->in.p = expression;
        s->in.flags = flags;
        s->in.error = &e->error;
        s->e = e;
        s->r = &e->result;
        s->trace = trace;
        s->context = context;
        e->flags = flags;
        e->outer.place = e->place;
        e->outer.kept = &e->kept;
        e->outer.answer = &e->answer;
        e->outer.shapes = (flags & TSR_TEXT_SHAPES) != 0;
        token_blanks(&s->in);
        if (is_command(s))
            read_command(s);
        else
            read_expression(s, false);
        token_blanks(&s->in);
        if (!s->in.failed && *s->in.p)
            token_fail(&s->in, "nothing may follow the expression");
        e->ok = !s->in.failed;
    }
    free(s);
    if (s)
        return e;
    free(e);
    return NULL;
}

void tsr_free_evaluation(tsr_evaluation *e)
{
    if (!e)
        return;
    memory_free(&e->kept);
    free(e->stack);
    free(e);
}
