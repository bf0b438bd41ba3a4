/** Expressions: a recursive descent that evaluates as it reads.
 *
 *      expression  =  term | swizzle " o " [ term " o " ] expression | engine " o " expression
 *      term        =  atom [ ":" atom ]
 *      atom        =  integer | "_" | "(" list ")" | "<" list ">" | "Sw<B,M,S>" | "LayoutLeft" | "LayoutRight"
 *                   |  "M_s|(d&f)=v" | name [ "<" brackets ">" ] "(" list ")"
 *      integer     =  [ "_" ] [ "-" ] digits { "@" digits }
 */
#include <stdlib.h>
#include <string.h>

#include "atoms.h"
#include "tile_calc.h"
#include "value.h"

/** How deep an expression may nest. Values are held on the stack while it is read. */
#define MAX_NESTING 64
#define MAX_ARGUMENTS 32

typedef struct parser {
    char const *text, *p;
    unsigned flags;
    int depth;
    bool failed;
    tsr_text_error *error;
    tsr_trace trace;
    void *context;
    call *outer; /* NULL, or where the call is kept that the whole expression is */
} parser;

static void fail_at(parser *s, char const *where, char const *text)
{
    if (s->failed)
        return;
    s->failed = true;
    s->error->at = (size_t)(where - s->text);
    if (text)
        snprintf(s->error->text, sizeof s->error->text, "%s", text);
}

static void fail(parser *s, char const *text) { fail_at(s, s->p, text); }

static bool take(parser *s, char const *token)
{
    size_t const n = strlen(token);
    if (s->failed || strncmp(s->p, token, n) != 0)
        return false;
    s->p += n;
    return true;
}

static void skip_blanks(parser *s)
{
    while (*s->p == ' ' || *s->p == '\t')
        ++s->p;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/** Digits after an optional minus, checked against 64 bits. */
static int64_t read_number(parser *s)
{
    int64_t v = 0;
    char const *const start = s->p;
    bool const negative = take(s, "-");
    if (!is_digit(*s->p))
        fail(s, "a number is expected here");
    for (; is_digit(*s->p) && !s->failed; ++s->p)
        if (!tsr_mul64(v, 10, &v) || !tsr_add64(v, *s->p - '0', &v))
            fail_at(s, start, "this number does not fit in 64 bits");
    return negative ? -v : v;
}

static tsr_tuple read_integer(parser *s)
{
    bool const is_static = take(s, "_") || (s->flags & TSR_TEXT_STATIC);
    tsr_leaf leaf = tsr_leaf_make(is_static ? TSR_STATIC : TSR_DYNAMIC, read_number(s));
    char const *const path = s->p;
    int levels = 0;
    while (!s->failed && take(s, "@")) {
        int64_t const mode = read_number(s);
        if (mode < 0 || mode >= TSR_BASIS_MODES || ++levels > TSR_BASIS_LEVELS)
            fail_at(s, path, "a basis element names modes 0 to 30, in at most 6 levels");
        else
            leaf.aux = leaf.aux << 5 | (uint32_t)(mode + 1); /* innermost first: the outermost ends lowest */
    }
    return tsr_from_leaf(leaf);
}

static value tuple_value(tsr_tuple t)
{
    value v = TSR_ZERO;
    v.kind = VALUE_TUPLE;
    v.tuple = t;
    return v;
}

static value layout_value(tsr_layout l)
{
    value v = TSR_ZERO;
    v.kind = VALUE_LAYOUT;
    v.layout = l;
    return v;
}

static void read_expression(parser *s, value *r);

/** Reads `expr, expr, ... close` into `item`, at most `most`; returns how many. */
static int read_list(parser *s, char const *close, value *item, int most)
{
    int n = 0;
    skip_blanks(s);
    if (take(s, close))
        return 0;
    while (!s->failed) {
        if (n == most) {
            fail(s, "too many elements in this list");
            break;
        }
        read_expression(s, &item[n++]);
        skip_blanks(s);
        if (s->failed || take(s, close))
            break;
        if (!take(s, ","))
            fail(s, *close == ')' ? "`,` or `)` is expected here" : "`,` or `>` is expected here");
        skip_blanks(s);
    }
    return n;
}

/** A tuple. Its modes are pushed one by one, so that nesting costs little stack. */
static tsr_tuple read_tuple(parser *s)
{
    tsr_tuple r = TSR_ZERO;
    skip_blanks(s);
    if (take(s, ")"))
        return tsr_unit();
    while (!s->failed) {
        value item = TSR_ZERO;
        char const *const start = s->p;
        read_expression(s, &item);
        if (!s->failed && item.kind != VALUE_TUPLE)
            fail_at(s, start, "a tuple holds integers and tuples; layouts stand in a tiler <a,b>");
        tsr_push_(&r, &item.tuple);
        skip_blanks(s);
        if (s->failed || take(s, ")"))
            break;
        if (!take(s, ","))
            fail(s, "`,` or `)` is expected here");
        skip_blanks(s);
    }
    return tsr_close_(r);
}

static value read_tiler(parser *s)
{
    tsr_tiler r = TSR_ZERO;
    value v = TSR_ZERO;
    while (!s->failed) {
        value item = TSR_ZERO;
        char const *const start = s->p;
        read_expression(s, &item);
        tsr_tiler t = TSR_ZERO;
        t.by = item.layout;
        if (item.kind == VALUE_TUPLE)
            t = tsr_tiler_of_tuple(item.tuple);
        else if (item.kind != VALUE_LAYOUT && item.kind != VALUE_TILER)
            fail_at(s, start, "a tiler holds layouts, integers, `_` and tilers");
        tsr_tiler_push_(&r, &t);
        skip_blanks(s);
        if (s->failed || take(s, ">"))
            break;
        if (!take(s, ","))
            fail(s, "`,` or `>` is expected here");
        skip_blanks(s);
    }
    v.kind = VALUE_TILER;
    v.layout = tsr_tiler_close_(r).by;
    return v;
}

static value read_swizzle(parser *s)
{
    value v = TSR_ZERO;
    int64_t n[3] = {0, 0, 0};
    for (int i = 0; i < 3 && !s->failed; ++i) {
        n[i] = read_number(s);
        skip_blanks(s);
        if (!take(s, i < 2 ? "," : ">"))
            fail(s, i < 2 ? "`,` is expected here: Sw<B,M,S>" : "`>` is expected here: Sw<B,M,S>");
        skip_blanks(s);
    }
    while (s->p[-1] == ' ' && !s->failed) /* the blank belongs to " o " */
        --s->p;
    v.kind = VALUE_SWIZZLE;
    v.swizzle = tsr_make_swizzle(n[0], n[1], n[2]);
    return v;
}

/** M_s|(d&f)=v, as it is printed. */
static tsr_tuple read_mixed(parser *s)
{
    int64_t const bits = read_number(s);
    int64_t const d = take(s, "|(") ? read_number(s) : (fail(s, "`|(` is expected here: M_s|(d&f)=v"), 0);
    int64_t const f = take(s, "&") ? read_number(s) : (fail(s, "`&` is expected here: M_s|(d&f)=v"), 0);
    if (!take(s, ")="))
        fail(s, "`)=` is expected here: M_s|(d&f)=v");
    int64_t const v = read_number(s);
    tsr_tuple const r = tsr_make_mixed_bits(tsr_s(bits), tsr_int(d), tsr_s(f));
    if (!s->failed && (bits | (d & f)) != v)
        fail(s, "M_s|(d&f)=v needs v = s|(d&f)");
    return r;
}

/** The name of an element type. */
static bool read_type(char const *name, value *v)
{
    v->kind = VALUE_TYPE;
    if (type_read(name, &v->type) != strlen(name))
        return false;
    v->internal = v->type;
    return true;
}

static void read_name(parser *s, char *name, size_t size)
{
    size_t n = 0;
    while (is_letter(*s->p) || is_digit(*s->p) || *s->p == '_') {
        if (n + 1 < size)
            name[n++] = *s->p;
        ++s->p;
    }
    name[n] = 0;
}

/** The integers and types of name<..>. */
static void read_brackets(parser *s, call *c)
{
    do {
        char name[64];
        skip_blanks(s);
        char const *const start = s->p;
        if (c->brackets == MAX_BRACKET) {
            fail(s, "too many entries in these brackets");
            return;
        }
        value *const v = &c->bracket[c->brackets++];
        if (is_digit(*s->p) || *s->p == '-') {
            *v = tuple_value(tsr_s(read_number(s)));
        } else {
            read_name(s, name, sizeof name);
            if (!read_type(name, v))
                fail_at(s, start, "an integer or an element type is expected here");
        }
        skip_blanks(s);
    } while (!s->failed && take(s, ","));
    if (!take(s, ">"))
        fail(s, "`>` is expected here");
}

static bool read_tma_op(char const *name, value *v)
{
#define X(op_name, peers, mode)         \
    if (strcmp(name, #op_name) == 0) {  \
        v->kind = VALUE_TMA_OP;         \
        v->tma.op = TSR_##op_name;      \
        return true;                    \
    }
    TSR_TMA_OP_LIST(X)
#undef X
    return false;
}

/** A name that is no call: an element type, type/type, or a TMA operation. False: nothing was read. */
static bool read_constant(parser *s, value *r)
{
    char const *const start = s->p;
    char name[64];
    value inner = TSR_ZERO;
    read_name(s, name, sizeof name);
    if (*s->p != '(' && *s->p != '<' && read_tma_op(name, r))
        return true;
    if (*s->p == '(' || *s->p == '<' || !read_type(name, r)) {
        s->p = start;
        return false;
    }
    if (take(s, "/")) {
        read_name(s, name, sizeof name);
        if (!read_type(name, &inner))
            fail(s, "an element type is expected here: type/type");
        r->internal = inner.type;
    }
    return true;
}

static void trace_call(parser *s, call const *c, value const *r)
{
    char arguments[2 * TSR_TEXT_SIZE], result[TSR_TEXT_SIZE], name[128];
    writer w;
    writer_open(&w, name, sizeof name);
    put(&w, "%s", c->name);
    for (int i = 0; i < c->brackets; ++i) {
        put(&w, "%s", i > 0 ? "," : "<");
        value_write(&w, &c->bracket[i], TSR_TEXT_STATIC);
    }
    put(&w, "%s", c->brackets > 0 ? ">" : "");
    writer_open(&w, arguments, sizeof arguments);
    for (int i = 0; i < c->args; ++i) {
        put(&w, "%s", i > 0 ? ", " : "");
        value_write(&w, &c->arg[i], s->flags);
    }
    writer_open(&w, result, sizeof result);
    put(&w, "%s", value_reason(r).status ? "error: " : "");
    value_write(&w, r, s->flags);
    s->trace(s->context, name, arguments, result);
}

static void read_call(parser *s, value *r)
{
    char const *const start = s->p;
    call *const c = (call *)calloc(1, sizeof *c);
    value *arg = (value *)calloc(MAX_ARGUMENTS, sizeof *arg);
    if (!c || !arg) {
        fail(s, "out of memory");
    } else {
        c->arg = arg;
        c->shapes = (s->flags & TSR_TEXT_SHAPES) != 0;
        read_name(s, c->name, sizeof c->name);
        if (take(s, "<"))
            read_brackets(s, c);
        if (!s->failed && !take(s, "("))
            fail_at(s, start, "a layout, a tuple, or name(arguments) is expected here");
        if (!s->failed)
            c->args = read_list(s, ")", arg, MAX_ARGUMENTS);
        if (!s->failed && !call_evaluate(c, r, s->error))
            fail_at(s, start, NULL);
        if (!s->failed && s->trace)
            trace_call(s, c, r);
        if (!s->failed && s->outer && s->depth == 1 && start == s->text + strspn(s->text, " \t")
            && s->p[strspn(s->p, " \t")] == 0) {
            *s->outer = *c;
            arg = NULL;
        }
    }
    free(arg);
    free(c);
}

/** The name of a hardware atom. */
static bool read_atom_name(parser *s, value *r)
{
    size_t const mma = mma_read(s->p, &r->mma), copy = mma > 0 ? 0 : copy_read(s->p, &r->copy);
    size_t const smem = mma + copy > 0 ? 0 : smem_read(s->p, &r->layout);
    r->kind = mma > 0 ? VALUE_MMA : copy > 0 ? VALUE_COPY : smem > 0 ? VALUE_LAYOUT : VALUE_TUPLE;
    s->p += mma + copy + smem;
    return mma + copy + smem > 0;
}

static void read_atom(parser *s, value *r)
{
    if (*s->p == '-' || is_digit(*s->p) || (*s->p == '_' && (s->p[1] == '-' || is_digit(s->p[1]))))
        *r = tuple_value(read_integer(s));
    else if (take(s, "_"))
        *r = tuple_value(tsr_wild());
    else if (take(s, "("))
        *r = tuple_value(read_tuple(s));
    else if (take(s, "<"))
        *r = read_tiler(s);
    else if (take(s, "Sw<"))
        *r = read_swizzle(s);
    else if (take(s, "M_"))
        *r = tuple_value(read_mixed(s));
    else if (take(s, "LayoutLeft"))
        *r = tuple_value(tsr_left());
    else if (take(s, "LayoutRight"))
        *r = tuple_value(tsr_right());
    else if (is_letter(*s->p)) {
        if (!read_atom_name(s, r) && !read_constant(s, r))
            read_call(s, r);
    }
    else
        fail(s, *s->p ? "unexpected character" : "the expression ends too early");
}

static void read_term(parser *s, value *r)
{
    value stride = TSR_ZERO;
    char const *const start = s->p;
    read_atom(s, r);
    if (s->failed || *s->p != ':')
        return;
    ++s->p;
    read_atom(s, &stride);
    if (!s->failed && (r->kind != VALUE_TUPLE || stride.kind != VALUE_TUPLE))
        fail_at(s, start, "shape and stride of S:D must be integers or tuples");
    if (!s->failed)
        *r = layout_value(tsr_checked_(tsr_make_layout_from(r->tuple, stride.tuple)));
}

/** Sw o smem_ptr[Nb](unset) o layout, from the bracket on; *r is the swizzle and becomes the layout. */
static void read_unset_smem(parser *s, char const *start, value *r)
{
    value inner = TSR_ZERO;
    int64_t const bits = read_number(s);
    if (!take(s, "b](unset) o "))
        fail(s, "`b](unset) o ` is expected here: Sw o smem_ptr[16b](unset) o layout");
    read_expression(s, &inner);
    if (!s->failed && (inner.kind != VALUE_LAYOUT || bits < 1 || bits > 128))
        fail_at(s, start, "Sw o smem_ptr[Nb](unset) o layout: 1 to 128 bits, and the last part must be a layout");
    if (s->failed)
        return;
    r->kind = VALUE_SMEM;
    r->type = (tsr_dtype)bits;
    r->layout = tsr_make_smem_layout(r->swizzle, r->type, inner.layout).layout;
}

/** Sw o offset o layout, or Sw o layout; *r is the swizzle and becomes the layout. */
static void read_behind_swizzle(parser *s, char const *start, value *r)
{
    value right = TSR_ZERO, inner = TSR_ZERO;
    if (take(s, "smem_ptr[")) {
        read_unset_smem(s, start, r);
        return;
    }
    read_term(s, &right);
    if (s->failed)
        return;
    if (right.kind == VALUE_LAYOUT) {
        *r = layout_value(tsr_swizzled(r->swizzle, right.layout));
        return;
    }
    if (right.kind == VALUE_TUPLE && take(s, " o "))
        read_expression(s, &inner);
    if (!s->failed && inner.kind == VALUE_LAYOUT)
        *r = layout_value(tsr_make_composed_layout(r->swizzle, right.tuple, inner.layout));
    else
        fail_at(s, start, "Sw o offset o layout: the last part must be a layout");
}

/** A term, and what stands behind " o ". */
static void read_expression(parser *s, value *r)
{
    char const *const start = s->p;
    if (++s->depth > MAX_NESTING) {
        fail(s, "the expression nests more than 64 levels deep");
        return;
    }
    read_term(s, r);
    if (!s->failed && strncmp(s->p, " o ", 3) == 0) {
        value right = TSR_ZERO;
        s->p += 3;
        if (r->kind == VALUE_SWIZZLE)
            read_behind_swizzle(s, start, r);
        else if (r->kind == VALUE_ENGINE) {
            read_expression(s, &right);
            if (!s->failed && right.kind != VALUE_LAYOUT)
                fail_at(s, start, "an engine stands in front of a layout");
            r->kind = VALUE_TENSOR;
            r->layout = right.layout;
        } else
            fail_at(s, start, "` o ` joins a swizzle or an engine to a layout");
    }
    --s->depth;
}

static bool read_all(char const *text, unsigned flags, value *r, tsr_text_error *error, tsr_trace trace, void *context,
                     call *outer)
{
    parser s = TSR_ZERO;
    s.outer = outer;
    s.text = s.p = text;
    s.flags = flags;
    s.error = error;
    s.trace = trace;
    s.context = context;
    skip_blanks(&s);
    read_expression(&s, r);
    skip_blanks(&s);
    if (!s.failed && *s.p)
        fail(&s, "nothing may follow the expression");
    return !s.failed;
}

bool value_read(char const *text, unsigned flags, value *r, call *outer, tsr_text_error *error)
{
    return read_all(text, flags, r, error, NULL, NULL, outer);
}

bool tsr_calc_traced(char const *expression, unsigned flags, char *out, size_t size, tsr_trace trace, void *context)
{
    value r = TSR_ZERO;
    tsr_text_error error = TSR_ZERO;
    writer w;
    if (tile_is_query(expression))
        return tile_calc(expression, out, size);
    writer_open(&w, out, size);
    if (!read_all(expression, flags, &r, &error, trace, context, NULL)) {
        put(&w, "%s (at character %zu)", error.text, error.at);
        return false;
    }
    value_write(&w, &r, flags);
    return value_reason(&r).status == TSR_OK;
}

bool tsr_calc(char const *expression, unsigned flags, char *out, size_t size)
{
    return tsr_calc_traced(expression, flags, out, size, NULL, NULL);
}

/** Reads a value of one kind. */
static value read_kind(char const *text, unsigned flags, value_kind kind, char const *wanted, tsr_text_error *error)
{
    value r = TSR_ZERO;
    tsr_text_error own = TSR_ZERO;
    tsr_text_error *const e = error ? error : &own;
    e->at = 0;
    e->text[0] = 0;
    bool const read = read_all(text, flags, &r, e, NULL, NULL, NULL);
    if (read && kind == VALUE_LAYOUT && r.kind == VALUE_TUPLE && (flags & TSR_TEXT_SHAPES))
        return layout_value(tsr_make_layout_compact(r.tuple));
    if (read && r.kind == kind)
        return r;
    if (read)
        snprintf(e->text, sizeof e->text, "%s", wanted);
    r = tuple_value(tsr_bad_tuple(TSR_SYNTAX, 0, (int64_t)e->at, 0, 0));
    r.layout = tsr_invalid_(r.tuple);
    r.engine.at = r.tuple;
    return r;
}

tsr_layout tsr_parse_layout(char const *text, unsigned flags, tsr_text_error *error)
{
    return read_kind(text, flags, VALUE_LAYOUT, "this is not a layout", error).layout;
}

tsr_tuple tsr_parse_tuple(char const *text, unsigned flags, tsr_text_error *error)
{
    return read_kind(text, flags, VALUE_TUPLE, "this is not a tuple or an integer", error).tuple;
}

tsr_tensor tsr_parse_tensor(char const *text, unsigned flags, tsr_text_error *error)
{
    value const v = read_kind(text, flags, VALUE_TENSOR, "this is not a tensor", error);
    return tsr_make_tensor_of(v.engine, v.layout);
}

tsr_layout tsr_parse(char const *text) { return tsr_parse_layout(text, 0, NULL); }

tsr_tma_copy tsr_parse_tma(char const *text, unsigned flags, tsr_text_error *error)
{
    value r = TSR_ZERO;
    tsr_text_error own = TSR_ZERO;
    tsr_text_error *const e = error ? error : &own;
    e->at = 0;
    e->text[0] = 0;
    if (!read_all(text, flags, &r, e, NULL, NULL, NULL))
        return tsr_bad_tma_copy(tsr_bad_tuple(TSR_SYNTAX, 0, (int64_t)e->at, 0, 0));
    if (r.kind == VALUE_TMA || r.kind == VALUE_TMA_MAP)
        return r.tma;
    if (value_reason(&r).status)
        return tsr_bad_tma_copy(value_reason(&r));
    snprintf(e->text, sizeof e->text, "this is neither a TMA copy nor a tensor map");
    return tsr_bad_tma_copy(tsr_bad_tuple(TSR_SYNTAX, 0, 0, 0, 0));
}
