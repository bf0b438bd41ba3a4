/** Expressions: a parser that evaluates as it reads. What is unfinished stands in frames and on a stack of values, both in
 *  allocated memory, so that nesting takes no stack of the caller.
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
 *  In the list of a call, label=word or label=expression may stand for an expression. The first form of a text is the same
 *  as name(expression, ..); `D | link + link` is transform_tensor_descriptor(D, link, link), `D @@ e` make_tile_window(D, e).
 */
#include <stdlib.h>
#include <string.h>

#include "calc/token.h"

/** What is unfinished. FRAME_STRIDE waits for an atom; FRAME_BEHIND, FRAME_STAGE and FRAME_WINDOW wait for a term, all
 *  others for expressions. */
typedef enum frame_kind {
    FRAME_TUPLE,  /* ( a, b, */
    FRAME_TILER,  /* < a, b, */
    FRAME_CALL,   /* name( a, b, : as many values as arguments, as for the next three */
    FRAME_COMMAND, /* name a b */
    FRAME_STAGE,  /* descriptor | a + b + */
    FRAME_WINDOW, /* view @@ a origin= */
    FRAME_STRIDE, /* shape: and an atom */
    FRAME_BEHIND, /* Sw o and a term */
    FRAME_OFFSET, /* Sw o offset o: two values */
    FRAME_SMEM,   /* Sw o smem_ptr[16b](unset) o */
    FRAME_ENGINE  /* engine o */
} frame_kind;

/** Its values on the stack begin at `base`. */
typedef struct frame {
    frame_kind kind;
    int base;
    char label[8];                 /* in front of the argument that is read */
    char const *from;              /* where a call begins */
    char const *expression, *term; /* where those begin that it stands in */
} frame;

/** Between two expressions that nest there are at most a FRAME_BEHIND and a FRAME_STRIDE. */
enum { MAX_FRAMES = 3 * TSR_TEXT_DEPTH + 3 };

typedef struct parser {
    tokens in;
    evaluation *e;
    value *r; /* the value just read */
    frame open[MAX_FRAMES];
    int frames, depth;
    char const *expression, *term; /* where the ones being read begin */
    tsr_trace trace;
    void *context;
} parser;

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

/** Opens a frame; `values` of the values on the stack are its own. */
static frame *open_frame(parser *s, frame_kind kind, char const *from, int values)
{
    bool const nests = kind != FRAME_STRIDE && kind != FRAME_BEHIND;
    frame *const f = &s->open[s->frames++];
    f->kind = kind;
    f->base = s->e->used - values;
    f->label[0] = 0;
    f->from = from;
    f->expression = s->expression;
    f->term = s->term;
    s->depth += nests;
    if (s->depth >= TSR_TEXT_DEPTH && nests) {
        char text[80];
        snprintf(text, sizeof text, "the expression nests more than %d levels deep", TSR_TEXT_DEPTH);
        token_fail(&s->in, text);
    }
    s->term = s->in.p;
    if (nests)
        s->expression = s->term;
    return f;
}

static void close_frame(parser *s)
{
    frame const *const f = &s->open[--s->frames];
    s->depth -= f->kind != FRAME_STRIDE && f->kind != FRAME_BEHIND;
    s->e->used = f->base;
    s->expression = f->expression;
    s->term = f->term;
}

static void clear(value *r, value_kind kind)
{
    memset(r, 0, sizeof *r);
    r->kind = kind;
}

static bool is_call(frame const *f) { return f->kind >= FRAME_CALL && f->kind <= FRAME_WINDOW; }

/** The next element of a list begins here. */
static void begin_element(parser *s)
{
    frame *const f = s->frames > 0 ? &s->open[s->frames - 1] : NULL;
    token_blanks(&s->in);
    if (f && is_call(f))
        (void)token_label(&s->in, f->label, sizeof f->label);
    s->expression = s->term = s->in.p;
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

/** Is the text of such a value what was read? */
static bool is_as_written(value_kind kind)
{
    return kind == VALUE_TRANSFORM || kind == VALUE_DESCRIPTOR || kind == VALUE_VIEW || kind == VALUE_WINDOW;
}

/** The name of a call is read again, so that a frame has no room for it. */
static void name_call(parser *s, frame const *f, call *c)
{
    char const *const end = s->in.p;
    c->brackets = 0;
    if (f->kind == FRAME_STAGE || f->kind == FRAME_WINDOW) {
        snprintf(c->name, sizeof c->name, "%s",
                 f->kind == FRAME_STAGE ? "transform_tensor_descriptor" : "make_tile_window");
        return;
    }
    s->in.p = f->from;
    token_call_name(&s->in, c);
    s->in.p = end;
}

/** Evaluates the call whose arguments are on the stack. */
static void finish_call(parser *s)
{
    frame const f = s->open[s->frames - 1];
    call *const c = &s->e->outer;
    char const *const end = s->in.p;
    name_call(s, &f, c);
    c->args = s->e->used - f.base;
    c->arg = c->args > 0 ? s->e->stack + f.base : NULL;
    close_frame(s);
    if (s->in.failed)
        return;
    if (!call_evaluate(c, s->r, s->in.error))
        token_fail_at(&s->in, f.from, NULL);
    else if (is_as_written(s->r->kind))
        s->r->text = keep_text(s, f.from);
    s->r->label[0] = 0;
    if (s->trace && !s->in.failed)
        trace_call(s, c);
    bool const whole = s->frames == 0 && f.from == s->in.text + strspn(s->in.text, " \t")
                    && end[strspn(end, " \t")] == 0;
    if (whole)
        c->text = keep_text(s, f.from);
    else /* a call whose arguments are gone is no outer call */
        c->name[0] = 0;
}

static void begin_call(parser *s)
{
    char const *const start = s->in.p;
    token_call_name(&s->in, &s->e->outer);
    if (!s->in.failed && !token_take(&s->in, "("))
        token_fail_at(&s->in, start, "a layout, a tuple, or name(arguments) is expected here");
    if (!s->in.failed)
        open_frame(s, FRAME_CALL, start, 0);
}

/* Atoms. Each of these returns whether an atom is complete, which then is the value just read. */

/** Begins an atom. */
static bool begin_atom(parser *s)
{
    char const *const start = s->in.p;
    clear(s->r, VALUE_TUPLE);
    if (token_take(&s->in, "(")) {
        open_frame(s, FRAME_TUPLE, start, 0);
        push(s); /* the empty tuple that grows */
        begin_element(s);
        if (!token_take(&s->in, ")"))
            return false;
        close_frame(s);
        s->r->as.tuple = tsr_unit();
        return true;
    }
    if (token_take(&s->in, "<")) {
        open_frame(s, FRAME_TILER, start, 0);
        push(s);
        return false;
    }
    if (s->frames > 0 && s->open[s->frames - 1].label[0] && token_word(&s->in, s->r))
        return true;
    if (token_value(&s->in, s->r))
        return true;
    if (!((*s->in.p >= 'a' && *s->in.p <= 'z') || (*s->in.p >= 'A' && *s->in.p <= 'Z'))) {
        token_fail(&s->in, *s->in.p ? "unexpected character" : "the expression ends too early");
        return false;
    }
    begin_call(s);
    begin_element(s);
    if (s->in.failed || !token_take(&s->in, ")"))
        return false;
    finish_call(s);
    return true;
}

/** Puts the expression just read into the list that it stands in. */
OWN_FRAME static void put_element(parser *s, frame *f)
{
    if (is_call(f)) {
        memcpy(s->r->label, f->label, sizeof f->label);
        f->label[0] = 0;
        if (s->e->used - f->base == MAX_ARGUMENTS)
            token_fail(&s->in, "too many elements in this list");
        else
            push(s);
    } else if (f->kind == FRAME_TUPLE) {
        if (s->r->kind != VALUE_TUPLE)
            token_fail_at(&s->in, s->expression, "a tuple holds integers and tuples; layouts stand in a tiler <a,b>");
        tsr_tuple_push(&s->e->stack[f->base].as.tuple, &s->r->as.tuple);
    } else {
        tsr_tiler item = TSR_ZERO;
        if (s->r->kind == VALUE_TUPLE)
            item = tsr_tiler_of_tuple(s->r->as.tuple);
        else if (s->r->kind == VALUE_LAYOUT)
            item.by = s->r->as.layout;
        else if (s->r->kind == VALUE_TILER)
            item = s->r->as.tiler;
        else
            token_fail_at(&s->in, s->expression, "a tiler holds layouts, integers, `_` and tilers");
        tsr_tiler_push(&s->e->stack[f->base].as.tiler, &item);
    }
}

OWN_FRAME static void close_list(value *r, value const *list, frame_kind kind)
{
    r->kind = kind == FRAME_TUPLE ? VALUE_TUPLE : VALUE_TILER;
    if (kind == FRAME_TUPLE)
        r->as.tuple = tsr_tuple_close(list->as.tuple);
    else
        r->as.tiler = tsr_tiler_close(list->as.tiler);
}

static void finish_list(parser *s, frame const *f)
{
    if (f->kind == FRAME_CALL) {
        finish_call(s);
        return;
    }
    close_list(s->r, &s->e->stack[f->base], f->kind);
    close_frame(s);
}

/** Passes what stands between the arguments of a command; false at the end of the text. */
static bool next_argument(parser *s)
{
    static char const *const signs[] = {"@", ";", "*", "->"};
    char const *const end = s->in.p;
    bool apart = false;
    token_blanks(&s->in);
    if (!*s->in.p)
        return false;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0] && !apart; ++i)
        apart = token_take(&s->in, signs[i]);
    if (!apart && s->in.p == end)
        token_fail(&s->in, "nothing may follow here, but a blank and a further argument");
    begin_element(s);
    return true;
}

/** An element of a list has been read: it ends, or the next element begins. */
static bool end_element(parser *s)
{
    frame *const f = &s->open[s->frames - 1];
    char const *const close = f->kind == FRAME_TILER ? ">" : ")";
    put_element(s, f);
    if (f->kind == FRAME_COMMAND) {
        bool const more = next_argument(s);
        if (!more)
            finish_call(s);
        return !more;
    }
    token_blanks(&s->in);
    if (token_take(&s->in, close)) {
        finish_list(s, f);
        return true;
    }
    if (!token_take(&s->in, ","))
        token_fail(&s->in, *close == ')' ? "`,` or `)` is expected here" : "`,` or `>` is expected here");
    begin_element(s);
    return false;
}

/* Terms and expressions */

/** The tuple just read becomes the layout of which it is the stride. */
OWN_FRAME static void end_stride(parser *s)
{
    value const *const shape = &s->e->stack[s->e->used - 1];
    if (shape->kind == VALUE_TUPLE && s->r->kind == VALUE_TUPLE)
        s->r->as.layout = tsr_layout_checked(tsr_make_layout_from(shape->as.tuple, s->r->as.tuple));
    else
        token_fail_at(&s->in, s->open[s->frames - 1].term, "shape and stride of S:D must be integers or tuples");
    s->r->kind = VALUE_LAYOUT;
    close_frame(s);
}

/** The atom just read is a stride, or a shape whose stride follows, or a term: true. */
static bool end_atom(parser *s)
{
    if (s->frames > 0 && s->open[s->frames - 1].kind == FRAME_STRIDE) {
        end_stride(s);
        return true;
    }
    if (*s->in.p != ':')
        return true;
    if (s->r->kind == VALUE_TRANSFORM) {
        ++s->in.p;
        token_link(&s->in, s->r);
        s->r->text = keep_text(s, s->term);
        return true;
    }
    push(s);
    ++s->in.p;
    open_frame(s, FRAME_STRIDE, s->in.p, 1);
    return false;
}

/** Sw o smem_ptr[Nb](unset) o layout, from the bracket on. */
static void begin_smem(parser *s)
{
    int64_t const bits = token_number(&s->in);
    if (!token_take(&s->in, "b](unset) o "))
        token_fail(&s->in, "`b](unset) o ` is expected here: Sw o smem_ptr[16b](unset) o layout");
    tsr_swizzle const sw = s->r->as.swizzle;
    s->r->as.smem.swizzle = sw;
    s->r->as.smem.type = (tsr_dtype)(bits < 1 || bits > 128 ? 0 : bits);
    push(s);
    open_frame(s, FRAME_SMEM, s->in.p, 1);
}

/** The value just read is the left side of a stage or of a window. */
static bool begin_infix(parser *s)
{
    char const *const p = s->in.p + strspn(s->in.p, " \t");
    bool const descriptor = s->r->kind == VALUE_DESCRIPTOR;
    bool const behind_engine = s->frames > 0 && s->open[s->frames - 1].kind == FRAME_ENGINE;
    bool const stage = descriptor && *p == '|';
    bool const window = (s->r->kind == VALUE_VIEW || (descriptor && !behind_engine)) && strncmp(p, "@@", 2) == 0;
    if (!stage && !window)
        return false;
    s->in.p = p + (stage ? 1 : 2);
    push(s);
    token_blanks(&s->in);
    open_frame(s, stage ? FRAME_STAGE : FRAME_WINDOW, s->term, 1);
    return true;
}

/** The term just read is an operand of a stage or of a window: false when another one follows; else the whole is the
 *  value just read. */
static bool end_operand(parser *s)
{
    frame *const f = &s->open[s->frames - 1];
    char const *const end = s->in.p, *const p = end + strspn(end, " \t");
    if (f->kind == FRAME_STAGE && s->r->kind != VALUE_LINK)
        token_fail_at(&s->in, s->term, "a transform with its dimensions is expected here: pass(4):0>0");
    put_element(s, f);
    bool const more = f->kind == FRAME_STAGE ? *p == '+' : strncmp(p, "origin=", 7) == 0;
    if (!more) {
        finish_call(s);
        return true;
    }
    s->in.p = p + (f->kind == FRAME_STAGE);
    begin_element(s);
    return false;
}

/** The term just read is an expression: true; or the left side of " o ". */
OWN_FRAME static bool end_term(parser *s)
{
    while (!s->in.failed) {
        if (begin_infix(s))
            return false;
        frame_kind const kind = s->frames > 0 ? s->open[s->frames - 1].kind : FRAME_TUPLE;
        if (kind != FRAME_STAGE && kind != FRAME_WINDOW)
            break;
        if (!end_operand(s))
            return false;
    }
    if (s->frames > 0 && s->open[s->frames - 1].kind == FRAME_BEHIND) {
        frame *const f = &s->open[s->frames - 1];
        if (s->r->kind == VALUE_LAYOUT) { /* Sw o layout */
            s->r->as.layout = tsr_swizzled(s->e->stack[f->base].as.swizzle, s->r->as.layout);
            close_frame(s);
            return true;
        }
        if (s->r->kind != VALUE_TUPLE || !token_take(&s->in, " o ")) {
            token_fail_at(&s->in, f->expression, "Sw o offset o layout: the last part must be a layout");
            return false;
        }
        s->expression = f->expression;
        s->term = f->term;
        --s->frames;
        push(s);
        open_frame(s, FRAME_OFFSET, s->in.p, 2);
        return false;
    }
    if (strncmp(s->in.p, " o ", 3) != 0)
        return true;
    s->in.p += 3;
    if (s->r->kind == VALUE_SWIZZLE && token_take(&s->in, "smem_ptr[")) {
        begin_smem(s);
    } else if (s->r->kind == VALUE_SWIZZLE || s->r->kind == VALUE_ENGINE) {
        push(s);
        open_frame(s, s->r->kind == VALUE_ENGINE ? FRAME_ENGINE : FRAME_BEHIND, s->in.p, 1);
    } else {
        token_fail_at(&s->in, s->expression, "` o ` joins a swizzle or an engine to a layout");
    }
    return false;
}

/* The right side of " o " becomes the whole. */

OWN_FRAME static void end_engine(parser *s, frame const *f, value const *left)
{
    if (s->r->kind == VALUE_DESCRIPTOR) {
        tsr_descriptor const *const d = s->r->as.descriptor;
        s->r->kind = VALUE_VIEW;
        if (value_begin(s->r, &s->e->kept))
            *s->r->as.view = TSR_RUN(tile_view)(left->as.engine, d);
        else
            token_fail(&s->in, "out of memory");
        s->r->text = keep_text(s, f->expression);
        return;
    }
    if (s->r->kind != VALUE_LAYOUT)
        token_fail_at(&s->in, f->expression, "an engine stands in front of a layout or of a tensor descriptor");
    s->r->as.tensor = tsr_make_tensor_of(left->as.engine, s->r->as.layout);
    s->r->kind = VALUE_TENSOR;
}

OWN_FRAME static void end_smem(parser *s, frame const *f, value const *left)
{
    if (s->r->kind != VALUE_LAYOUT || left->as.smem.type == 0)
        token_fail_at(&s->in, f->expression,
                      "Sw o smem_ptr[Nb](unset) o layout: 1 to 128 bits, and the last part must be a layout");
    else
        s->r->as.smem = tsr_make_smem_layout(left->as.smem.swizzle, left->as.smem.type, s->r->as.layout);
    s->r->kind = VALUE_SMEM;
}

/** The expression just read is the right side of " o ": the whole becomes the value just read. */
OWN_FRAME static void end_right(parser *s)
{
    frame const f = s->open[s->frames - 1];
    value const *const left = &s->e->stack[f.base];
    if (f.kind == FRAME_OFFSET && s->r->kind != VALUE_LAYOUT)
        token_fail_at(&s->in, f.expression, "Sw o offset o layout: the last part must be a layout");
    else if (f.kind == FRAME_OFFSET)
        s->r->as.layout = tsr_make_composed_layout(left->as.swizzle, left[1].as.tuple, s->r->as.layout);
    else if (f.kind == FRAME_SMEM)
        end_smem(s, &f, left);
    else
        end_engine(s, &f, left);
    close_frame(s);
}

/** An expression has been read: true when it is the last one; else what it stands in goes on, and *atom says whether an
 *  atom is complete. */
static bool end_expression(parser *s, bool *atom)
{
    *atom = false;
    while (s->frames > 0 && !s->in.failed) {
        frame_kind const kind = s->open[s->frames - 1].kind;
        if (kind != FRAME_OFFSET && kind != FRAME_SMEM && kind != FRAME_ENGINE) {
            *atom = end_element(s);
            return false;
        }
        end_right(s);
        if (begin_infix(s))
            return false;
    }
    return true;
}

/** Does the text begin with the name of an operation and a blank? */
static bool is_command(parser const *s)
{
    call c;
    size_t const n = strspn(s->in.p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (n == 0 || n >= sizeof c.name || (s->in.p[n] != ' ' && s->in.p[n] != '\t'))
        return false;
    snprintf(c.name, sizeof c.name, "%.*s", (int)n, s->in.p);
    return is_operation(c.name);
}

static void begin_command(parser *s)
{
    char const *const start = s->in.p;
    s->in.p += strcspn(s->in.p, " \t");
    open_frame(s, FRAME_COMMAND, start, 0);
    begin_element(s);
}

static void read_expression(parser *s)
{
    bool done = false, atom = false;
    while (!done && !s->in.failed) {
        if (!atom)
            atom = begin_atom(s);
        if (s->in.failed || !atom)
            continue;
        atom = false;
        if (end_atom(s) && !s->in.failed && end_term(s) && !s->in.failed)
            done = end_expression(s, &atom);
    }
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
        begin_element(s);
        if (is_command(s))
            begin_command(s);
        read_expression(s);
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
