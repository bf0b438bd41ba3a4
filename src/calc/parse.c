/** Expressions: a parser that evaluates as it reads. What is unfinished stands in frames and on a stack of values, both in
 *  allocated memory, so that nesting takes no stack of the caller.
 *
 *      expression  =  term | swizzle " o " [ term " o " ] expression | engine " o " expression
 *      term        =  atom [ ":" atom ]
 *      atom        =  integer | "_" | "(" list ")" | "<" list ">" | "Sw<B,M,S>" | "LayoutLeft" | "LayoutRight"
 *                   |  "M_s|(d&f)=v" | name [ "<" brackets ">" ] "(" list ")"
 *      integer     =  [ "_" ] [ "-" ] digits { "@" digits }
 */
#include <stdlib.h>
#include <string.h>

#include "calc/token.h"
#include "tile/calc.h"

/** What is unfinished. FRAME_STRIDE waits for an atom and FRAME_BEHIND for a term, all others for expressions. */
typedef enum frame_kind {
    FRAME_TUPLE,  /* ( a, b, */
    FRAME_TILER,  /* < a, b, */
    FRAME_CALL,   /* name( a, b, : as many values as arguments */
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
    char const *from;              /* where a call's name begins */
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

/** The next element of a list begins here. */
static void begin_element(parser *s)
{
    token_blanks(&s->in);
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
    for (int i = 0; i < c->args; ++i) {
        put(&w, "%s", i > 0 ? ", " : "");
        value_write(&w, &c->arg[i], s->in.flags);
    }
    writer_open(&w, text + LONGEST, TSR_TEXT_SIZE);
    put(&w, "%s", value_ok(s->r) ? "" : "error: ");
    value_write(&w, s->r, s->in.flags);
    s->trace(s->context, name, text, text + LONGEST);
    free(text);
}

/** Evaluates the call whose arguments are on the stack. Its name is read again, so that a frame has no room for it. */
static void finish_call(parser *s)
{
    frame const f = s->open[s->frames - 1];
    call *const c = &s->e->outer;
    char const *const end = s->in.p;
    s->in.p = f.from;
    token_call_name(&s->in, c);
    s->in.p = end;
    c->args = s->e->used - f.base;
    c->arg = c->args > 0 ? s->e->stack + f.base : NULL;
    close_frame(s);
    if (!call_evaluate(c, s->r, s->in.error))
        token_fail_at(&s->in, f.from, NULL);
    else if (s->trace)
        trace_call(s, c);
    bool const whole = s->frames == 0 && f.from == s->in.text + strspn(s->in.text, " \t")
                    && end[strspn(end, " \t")] == 0;
    if (!whole) /* a call whose arguments are gone is no outer call */
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
OWN_FRAME static void put_element(parser *s, frame const *f)
{
    if (f->kind == FRAME_CALL) {
        if (s->e->used - f->base == MAX_ARGUMENTS)
            token_fail(&s->in, "too many elements in this list");
        else
            push(s);
    } else if (f->kind == FRAME_TUPLE) {
        if (s->r->kind != VALUE_TUPLE)
            token_fail_at(&s->in, s->expression, "a tuple holds integers and tuples; layouts stand in a tiler <a,b>");
        tsr_push_(&s->e->stack[f->base].as.tuple, &s->r->as.tuple);
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
        tsr_tiler_push_(&s->e->stack[f->base].as.tiler, &item);
    }
}

OWN_FRAME static void close_list(value *r, value const *list, frame_kind kind)
{
    r->kind = kind == FRAME_TUPLE ? VALUE_TUPLE : VALUE_TILER;
    if (kind == FRAME_TUPLE)
        r->as.tuple = tsr_close_(list->as.tuple);
    else
        r->as.tiler = tsr_tiler_close_(list->as.tiler);
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

/** An element of a list has been read: it ends, or the next element begins. */
static bool end_element(parser *s)
{
    frame const f = s->open[s->frames - 1];
    char const *const close = f.kind == FRAME_TILER ? ">" : ")";
    put_element(s, &f);
    token_blanks(&s->in);
    if (token_take(&s->in, close)) {
        finish_list(s, &f);
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
        s->r->as.layout = tsr_checked_(tsr_make_layout_from(shape->as.tuple, s->r->as.tuple));
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

/** The term just read is an expression: true; or the left side of " o ". */
OWN_FRAME static bool end_term(parser *s)
{
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
    if (s->r->kind != VALUE_LAYOUT)
        token_fail_at(&s->in, f->expression, "an engine stands in front of a layout");
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
    }
    return true;
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

evaluation *evaluate(char const *text, unsigned flags, tsr_trace trace, void *context)
{
    parser *const s = (parser *)calloc(1, sizeof *s);
    evaluation *const e = (evaluation *)calloc(1, sizeof *e);
    if (s && e) {
        s->in.text = s->in.p = text;
        s->in.flags = flags;
        s->in.error = &e->error;
        s->e = e;
        s->r = &e->result;
        s->trace = trace;
        s->context = context;
        e->outer.place = e->place;
        e->outer.kept = &e->kept;
        e->outer.shapes = (flags & TSR_TEXT_SHAPES) != 0;
        begin_element(s);
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

void evaluation_free(evaluation *e)
{
    if (!e)
        return;
    memory_free(&e->kept);
    free(e->stack);
    free(e);
}

/* What the library offers of it */

/** Where dynamic numbers are in the way, what the same numbers give when they are static. */
static void put_static_answer(writer *w, char const *expression, unsigned flags)
{
    evaluation *const e = flags & TSR_TEXT_STATIC ? NULL : evaluate(expression, flags | TSR_TEXT_STATIC, NULL, NULL);
    if (e && e->ok && value_ok(&e->result)) {
        put(w, "; with static numbers it is ");
        value_write(w, &e->result, flags | TSR_TEXT_STATIC);
    }
    evaluation_free(e);
}

bool tsr_calc_traced(char const *expression, unsigned flags, char *out, size_t size, tsr_trace trace, void *context)
{
    writer w;
    if (tile_is_query(expression))
        return tile_calc(expression, out, size);
    writer_open(&w, out, size);
    evaluation *const e = evaluate(expression, flags, trace, context);
    bool const ok = e && e->ok && value_ok(&e->result);
    if (!e)
        put(&w, "out of memory");
    else if (!e->ok)
        put(&w, "%s (at character %zu)", e->error.text, e->error.at);
    else
        value_write(&w, &e->result, flags);
    bool const refused = e && e->ok && !ok;
    evaluation_free(e);
    if (refused)
        put_static_answer(&w, expression, flags);
    return ok;
}

bool tsr_calc(char const *expression, unsigned flags, char *out, size_t size)
{
    return tsr_calc_traced(expression, flags, out, size, NULL, NULL);
}

/** Copies the words of an error, or of why a value is not what is wanted. */
static tsr_tuple explain_error(evaluation const *e, char const *wanted, tsr_text_error *error)
{
    size_t const at = e ? e->error.at : 0;
    char const *const text = !e ? "out of memory" : e->ok ? wanted : e->error.text;
    if (error) {
        error->at = at;
        snprintf(error->text, sizeof error->text, "%s", text);
    }
    return syntax_reason(at, text);
}

static void no_error(tsr_text_error *error)
{
    if (error) {
        error->at = 0;
        error->text[0] = 0;
    }
}

bool tsr_is_expression(char const *text, unsigned flags, tsr_text_error *error)
{
    evaluation *const e = tile_is_query(text) ? NULL : evaluate(text, flags, NULL, NULL);
    bool const ok = !e || e->ok;
    no_error(error);
    if (!ok)
        explain_error(e, "", error);
    evaluation_free(e);
    return ok;
}

tsr_layout tsr_parse_layout(char const *text, unsigned flags, tsr_text_error *error)
{
    evaluation *const e = evaluate(text, flags, NULL, NULL);
    value const *const v = e && e->ok ? &e->result : NULL;
    tsr_layout r = TSR_ZERO;
    no_error(error);
    if (v && v->kind == VALUE_TUPLE && (flags & TSR_TEXT_SHAPES))
        r = tsr_make_layout_compact(v->as.tuple);
    else if (v && v->kind == VALUE_LAYOUT)
        r = v->as.layout;
    else
        r = tsr_invalid_(explain_error(e, "this is not a layout", error));
    evaluation_free(e);
    return r;
}

tsr_tuple tsr_parse_tuple(char const *text, unsigned flags, tsr_text_error *error)
{
    evaluation *const e = evaluate(text, flags, NULL, NULL);
    bool const ok = e && e->ok && e->result.kind == VALUE_TUPLE;
    no_error(error);
    tsr_tuple const r = ok ? e->result.as.tuple : explain_error(e, "this is not a tuple or an integer", error);
    evaluation_free(e);
    return r;
}

tsr_tensor tsr_parse_tensor(char const *text, unsigned flags, tsr_text_error *error)
{
    evaluation *const e = evaluate(text, flags, NULL, NULL);
    tsr_tensor r = TSR_ZERO;
    no_error(error);
    if (e && e->ok && e->result.kind == VALUE_TENSOR) {
        r = e->result.as.tensor;
    } else {
        r.engine.at = explain_error(e, "this is not a tensor", error);
        r = tsr_make_tensor_of(r.engine, tsr_invalid_(r.engine.at));
    }
    evaluation_free(e);
    return r;
}

tsr_layout tsr_parse(char const *text) { return tsr_parse_layout(text, 0, NULL); }

/** A copy of nothing but the tensor map. */
static tsr_tma_copy tma_copy_of_map(tsr_tma_desc const *map)
{
    tsr_tma_copy r = TSR_ZERO;
    r.desc = *map;
    return r;
}

tsr_tma_copy tsr_parse_tma(char const *text, unsigned flags, tsr_text_error *error)
{
    evaluation *const e = evaluate(text, flags, NULL, NULL);
    tsr_tma_copy r;
    no_error(error);
    if (e && e->ok && e->result.kind == VALUE_TMA)
        r = *e->result.as.tma;
    else if (e && e->ok && e->result.kind == VALUE_TMA_MAP)
        r = tma_copy_of_map(&e->result.as.map);
    else if (e && e->ok && value_reason(&e->result).status)
        r = tsr_bad_tma_copy(value_reason(&e->result));
    else
        r = tsr_bad_tma_copy(explain_error(e, "this is neither a TMA copy nor a tensor map", error));
    evaluation_free(e);
    return r;
}
