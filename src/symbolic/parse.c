/** Expressions over named sizes, by recursive descent.
 *
 *      expression  =  term [ ":" term ] | "Sw<" B "," M "," S "> o " [ "_0 o " ] expression
 *      term        =  "(" list ")" | "<" list ">" | name [ "<" modes ">" ] "(" list ")" | product { "@" digits }
 *                   |  ( "make_shape" | "make_stride" | "make_tuple" | "make_coord" ) "(" list ")"
 *      product     =  factor { ( "*" | "/" ) factor }
 *      factor      =  [ "_" ] [ "-" ] digits | "_" | name | "(" product ")"
 *      guards      =  [ guard { ( "," | "&&" ) guard } ]
 *      guard       =  product "%" product "==" "0"
 */
#include "symbolic/parse.h"

#include <string.h>

static void blanks(reader *r) { scan_blanks(&r->in); }

static bool take(reader *r, char const *token) { return scan_take(&r->in, token); }

static void fail(reader *r, char const *words)
{
    if (!size_over_(r->s))
        r->s->error->at = (size_t)(r->in.p - r->in.text);
    tsr_size_fail_(r->s, "%s", words);
}

/** Of a name that begins here. */
static size_t name_length(reader const *r)
{
    return scan_is_digit(&r->in) || scan_char(&r->in, 0) == '_' ? 0 : scan_letters(&r->in);
}

static int64_t read_number(reader *r)
{
    if (size_over_(r->s))
        return 0;
    int64_t const v = scan_integer(&r->in);
    r->s->failed = r->in.failed;
    return v;
}

static product read_product(reader *r);

static product read_factor(reader *r)
{
    blanks(r);
    size_t const n = name_length(r);
    if (n > 0) {
        int const i = tsr_size_name_(r->s, r->in.p, n);
        r->in.p += n;
        return i < 0 ? tsr_product_of_(1) : tsr_product_of_name_(r->s, i);
    }
    if (take(r, "(")) {
        if (++r->depth > SYMBOL_DEPTH)
            fail(r, "the expression nests too deep");
        product const inner = r->s->failed ? tsr_product_of_(1) : read_product(r);
        --r->depth;
        if (!take(r, ")"))
            fail(r, "`)` is expected here: a size is a product of numbers and names");
        return inner;
    }
    take(r, "_");
    if (!scan_is_digit(&r->in) && !scan_is(&r->in, "-"))
        fail(r, "a number or a name is expected here");
    return tsr_product_of_(read_number(r));
}

static product read_product(reader *r)
{
    product a = read_factor(r);
    while (!size_over_(r->s)) {
        bool const times = take(r, "*");
        if (!times && !take(r, "/"))
            break;
        product const b = read_factor(r);
        if (times)
            a = tsr_product_mul_(r->s, a, b);
        else if (tsr_size_divides_(r->s, b, a))
            a = tsr_product_div_(a, b);
    }
    blanks(r);
    if (*r->in.p == '+' || *r->in.p == '-')
        fail(r, "a size is a product of numbers and names, not a sum");
    return a;
}

static void read_expression(reader *r, symbol *v);

/** Reads the elements of a list onto the stack; how many. */
static int read_list(reader *r, char const *close)
{
    int const base = r->used;
    bool more = !take(r, close);
    if (++r->depth > SYMBOL_DEPTH)
        fail(r, "the expression nests too deep");
    while (more && !size_over_(r->s)) {
        if (r->used == SYMBOL_ROOM) {
            fail(r, "too many elements in this expression");
            break;
        }
        read_expression(r, &r->stack[r->used++]);
        more = !take(r, close);
        if (more && !take(r, ","))
            fail(r, *close == '>' ? "`,` or `>` is expected here" : "`,` or `)` is expected here");
    }
    --r->depth;
    return r->used - base;
}

/* Functions with large values of their own have frames of their own, so that a level of nesting takes a small one. */

/** The elements from `base` on as a tuple, or as a tiler where one is no tuple. */
OWN_FRAME static void close_group(reader *r, int base, int n, bool tiler, symbol *v)
{
    tsr_tiler list = TSR_ZERO;
    tsr_tuple tuple = TSR_ZERO;
    for (int i = 0; i < n && !size_over_(r->s); ++i) {
        value const *const at = &r->stack[base + i].v;
        bool const holds = at->kind == VALUE_TUPLE || at->kind == VALUE_LAYOUT || at->kind == VALUE_TILER;
        tiler = tiler || at->kind != VALUE_TUPLE;
        if (!holds)
            fail(r, "a tuple holds sizes and tuples");
        else if (at->kind == VALUE_TUPLE)
            tsr_tuple_push(&tuple, &at->as.tuple);
    }
    for (int i = 0; tiler && i < n && !size_over_(r->s); ++i) {
        tsr_tiler const at = tsr_value_tiler_(&r->stack[base + i].v);
        tsr_tiler_push(&list, &at);
    }
    memset(v, 0, sizeof *v);
    v->v.kind = tiler ? VALUE_TILER : VALUE_TUPLE;
    if (tiler)
        v->v.as.tiler = tsr_tiler_close(list);
    else
        v->v.as.tuple = tsr_tuple_close(tuple);
    if (!size_over_(r->s))
        r->s->error->at = (size_t)(r->in.p - r->in.text);
    tsr_symbol_check_(r->s, tiler ? &v->v.as.tiler.by.shape : &v->v.as.tuple);
}

/** <1,0> behind a name: the modes that lead to a part of the first argument. */
static void read_path(reader *r, symbol_path *path)
{
    bool more = take(r, "<");
    path->levels = 0;
    while (more && !r->s->failed) {
        if (path->levels == (int)(sizeof path->mode / sizeof path->mode[0]))
            fail(r, "too many modes in these brackets");
        else
            path->mode[path->levels++] = read_number(r);
        more = !take(r, ">");
        if (more && !take(r, ","))
            fail(r, "`,` or `>` is expected here");
    }
}

/** LayoutLeft or LayoutRight, of n characters. */
OWN_FRAME static bool read_order(reader *r, size_t n, symbol *v)
{
    bool const right = n == 11 && strncmp(r->in.p, "LayoutRight", n) == 0;
    if (!right && (n != 10 || strncmp(r->in.p, "LayoutLeft", n) != 0))
        return false;
    r->in.p += n;
    v->v.as.tuple = right ? tsr_right() : tsr_left();
    return true;
}

/** The path of a basis element, innermost mode first: the outermost ends lowest. */
static uint32_t read_basis(reader *r)
{
    uint32_t path = 0;
    for (int levels = 1; !size_over_(r->s) && take(r, "@"); ++levels) {
        int64_t const mode = read_number(r);
        if (mode < 0 || mode >= TSR_BASIS_MODES || levels > TSR_BASIS_LEVELS)
            fail(r, "a basis element names modes 0 to 30, in at most 6 levels");
        else
            path = path << 5 | (uint32_t)(mode + 1);
    }
    return path;
}

/** `_`, or a size, which may go along a basis element. */
OWN_FRAME static void read_leaf(reader *r, symbol *v)
{
    bool const wild =
        *r->in.p == '_' && r->in.p[1] != '-' && !(scan_char(&r->in, 1) >= '0' && scan_char(&r->in, 1) <= '9');
    r->in.p += wild;
    v->v.as.tuple = wild ? tsr_wild() : tsr_from_leaf(tsr_size_leaf_(r->s, read_product(r)));
    if (!wild)
        v->v.as.tuple.leaf[0].aux = read_basis(r);
}

/** Calls an operation of n characters whose arguments are on the stack. */
OWN_FRAME static void call_named(reader *r, char const *name, size_t n, symbol_path const *path, symbol *argument,
                                 int count, symbol *v)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)n, name);
    if (!tsr_symbol_call_(r->s, word, path, argument, count, v) && r->s->failed)
        r->s->error->at = (size_t)(name - r->in.text);
}

/** CuTe's names of a tuple, of n characters. */
static bool is_tuple(char const *name, size_t n)
{
    static char const *const names[] = {"make_shape", "make_stride", "make_tuple", "make_coord"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        found = found || (strlen(names[i]) == n && strncmp(names[i], name, n) == 0);
    return found;
}

/** An operation with its arguments, or a tuple by its name; blanks may stand in front of the bracket. */
static bool read_named(reader *r, symbol *v)
{
    size_t const n = name_length(r), behind = n + strspn(r->in.p + n, " \t\r\n");
    char const *const name = r->in.p;
    symbol_path path;
    if (n == 0 || (name[behind] != '(' && name[n] != '<'))
        return false;
    r->in.p += n;
    if (is_tuple(name, n) && take(r, "(")) {
        int const first = r->used, elements = read_list(r, ")");
        close_group(r, first, elements, false, v);
        r->used = first;
        return true;
    }
    read_path(r, &path);
    if (!take(r, "("))
        fail(r, "`(` is expected here");
    int const base = r->used, count = size_over_(r->s) ? 0 : read_list(r, ")");
    if (!size_over_(r->s))
        call_named(r, name, n, &path, &r->stack[base], count, v);
    r->used = base;
    return true;
}

static void read_term(reader *r, symbol *v)
{
    int const base = r->used;
    memset(v, 0, sizeof *v);
    blanks(r);
    bool const tiler = *r->in.p == '<';
    if (tiler || *r->in.p == '(') {
        ++r->in.p;
        int const n = read_list(r, tiler ? ">" : ")");
        close_group(r, base, n, tiler, v);
        r->used = base;
    } else if (!read_order(r, name_length(r), v) && !read_named(r, v)) {
        read_leaf(r, v);
    }
}

/** Sw<3,4,3> o _0 o layout; false: something else stands here. */
static bool read_swizzled(reader *r, symbol *v)
{
    int64_t n[3] = {0, 0, 0};
    if (!take(r, "Sw<"))
        return false;
    for (int i = 0; i < 3 && !size_over_(r->s); ++i) {
        n[i] = read_number(r);
        if (!take(r, i < 2 ? "," : ">"))
            fail(r, "a swizzle is written Sw<B,M,S>");
        if (n[i] < -30 || n[i] > 30)
            fail(r, "a swizzle has numbers up to 30");
    }
    tsr_swizzle const sw = tsr_make_swizzle((int)n[0], (int)n[1], (int)n[2]);
    if (!size_over_(r->s) && sw.status)
        fail(r, "B and M of Sw<B,M,S> are not negative, |S| >= B, and B+M+|S| <= 30");
    bool const joins = take(r, "o ");
    (void)(joins && (take(r, "_0 o ") || take(r, "0 o ")));
    if (!joins)
        fail(r, "a swizzle stands in front of a layout: Sw<3,4,3> o _0 o (M,64):(64,1)");
    if (++r->depth > SYMBOL_DEPTH)
        fail(r, "the expression nests too deep");
    if (!size_over_(r->s))
        read_expression(r, v);
    --r->depth;
    bool const layout = v->v.kind == VALUE_LAYOUT;
    if (!size_over_(r->s) && (!layout || v->v.as.layout.composed))
        fail(r, layout ? "one swizzle stands in front of a layout here" : "behind a swizzle comes a layout");
    if (!size_over_(r->s) && sw.bits > 0)
        v->v.as.layout = tsr_make_composed_layout(sw, tsr_s(0), v->v.as.layout);
    if (v->v.kind == VALUE_LAYOUT)
        tsr_symbol_check_layout_(r->s, &v->v.as.layout);
    return true;
}

/** The layout of the shape and the stride that are the last two of the stack. */
OWN_FRAME static void close_layout(reader *r, symbol *v)
{
    static symbol_path const whole;
    symbol *const pair = &r->stack[r->used - 2];
    if (pair[0].v.kind != VALUE_TUPLE || pair[1].v.kind != VALUE_TUPLE)
        fail(r, "shape and stride of S:D must be sizes or tuples");
    else if (!tsr_symbol_call_(r->s, "make_layout", &whole, pair, 2, v) && r->s->failed)
        r->s->error->at = (size_t)(r->in.p - r->in.text);
}

static void read_expression(reader *r, symbol *v)
{
    if (read_swizzled(r, v))
        return;
    read_term(r, v);
    if (size_over_(r->s) || !take(r, ":"))
        return;
    if (r->used + 2 > SYMBOL_ROOM) {
        fail(r, "too many elements in this expression");
        return;
    }
    r->stack[r->used] = *v;
    r->used += 2;
    read_term(r, &r->stack[r->used - 1]);
    if (!size_over_(r->s))
        close_layout(r, v);
    r->used -= 2;
}

bool tsr_symbol_read_(reader *r, symbol *v)
{
    read_expression(r, v);
    blanks(r);
    if (!size_over_(r->s) && *r->in.p)
        fail(r, "nothing may follow the expression");
    return !size_over_(r->s);
}

/** Reads one guard and adds it; again, where what it divides by is a quotient that needs a guard itself. */
static void read_guard(reader *r)
{
    char const *const from = r->in.p;
    product a, by;
    do {
        r->in.p = from;
        r->s->again = false;
        a = by = read_product(r);
        if (!take(r, "%"))
            fail(r, "a guard is `name % divisor == 0`: `%` is expected here");
        by = size_over_(r->s) ? by : read_factor(r);
    } while (r->s->again && !r->s->failed);
    if (!take(r, "=="))
        fail(r, "a guard is `name % divisor == 0`: `==` is expected here");
    if (!r->s->failed && read_number(r) != 0)
        fail(r, "a guard is `name % divisor == 0`: 0 is expected here");
    (void)(r->s->failed || tsr_size_divides_(r->s, by, a));
    r->s->again = false;
}

void tsr_symbol_read_guards_(reader *r)
{
    blanks(r);
    while (*r->in.p && !r->s->failed) {
        read_guard(r);
        blanks(r);
        if (*r->in.p && !take(r, ",") && !take(r, "&&"))
            fail(r, "`,` or `&&` is expected between guards");
        blanks(r);
    }
}
