/** Layouts in CuTe's words: C++, its DSL in Python, and what both print.
 *
 *      make_layout(make_shape(Int<4>{}, 8), make_stride(Int<8>{}, Int<1>{})), Layout<Shape<_4,_8>,Stride<_8,_1>>{}
 *      cute.make_layout((4, 8), stride=(8, 1)), cute.make_composed_layout(cute.make_swizzle(3, 4, 3), 0, ..)
 *      S<3,4,3> o 0 o (8,8):(8,1)
 *
 *  Integers of the DSL are known; in C++ they are known where they are a type. */
#include "convert/convert.h"

/** What is read: integers are static in the DSL. */
typedef struct reader {
    scan *s;
    bool dsl;
} reader;

static void pass_scope(reader *r)
{
    if (scan_next(r->s) != 'c')
        return;
    while (scan_take(r->s, "cute::") || scan_take(r->s, "cutlass."))
        ;
    if (scan_take(r->s, "cute."))
        r->dsl = true;
}

/** Passes a token, behind a scope. */
static bool take(reader *r, char const *token)
{
    pass_scope(r);
    return scan_take(r->s, token);
}

/** The path of E<0,1>, the outermost mode first, behind `E<`, or of 1@0@1 behind the number, the innermost first. */
static uint32_t take_path(reader *r, char const *between, char const *end)
{
    uint32_t path = 0;
    int level = 0;
    do {
        int64_t const mode = scan_integer(r->s);
        if (mode < 0 || mode >= TSR_BASIS_MODES || level == TSR_BASIS_LEVELS)
            scan_fail(r->s, "a basis element has at most as many levels and modes as a layout");
        if (r->s->failed)
            return 0;
        path = end ? path | ((uint32_t)mode + 1) << 5 * level : path << 5 | ((uint32_t)mode + 1);
        ++level;
    } while (scan_take(r->s, between));
    if (end)
        scan_expect(r->s, end);
    return path;
}

/** 8, _8, _8{}, Int<8>{}, E<0>{}, Int<2>{} * E<0>{}, 2@0 */
static tsr_leaf take_leaf(reader *r)
{
    bool const typed = take(r, "Int<") || take(r, "C<");
    bool const underlined = !typed && scan_take(r->s, "_");
    tsr_leaf x = tsr_leaf_static(1);
    bool basis = !typed && !underlined && take(r, "E<");
    if (!basis) {
        int64_t const v = scan_integer(r->s);
        x = typed || underlined || r->dsl ? tsr_leaf_static(v) : tsr_leaf_dynamic(v);
        if (typed)
            scan_expect(r->s, ">");
        if (typed || underlined)
            (void)(scan_take(r->s, "{}") || scan_take(r->s, "()"));
        if (scan_take(r->s, "*")) {
            basis = take(r, "E<");
            if (!basis)
                scan_fail(r->s, "a basis element, E<0>{}, is expected here");
        } else if (scan_take(r->s, "@")) {
            x.aux = take_path(r, "@", NULL);
        }
    }
    if (basis) {
        x.aux = take_path(r, ",", ">");
        (void)scan_take(r->s, "{}");
    }
    return x;
}

static tsr_tuple take_tuple(reader *r)
{
    static char const *const names[] = {"make_shape", "make_stride", "make_tuple", "make_coord",
                                        "Shape",      "Stride",      "tuple",      "Coord"};
    tsr_tuple t = TSR_ZERO;
    pass_scope(r);
    scan_blanks(r->s);
    bool named = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !named && scan_is(r->s, "mSstC"); ++i)
        named = scan_take(r->s, names[i]);
    bool const angle = named && scan_take(r->s, "<");
    if (!angle && !scan_take(r->s, "(")) {
        if (named)
            scan_fail(r->s, "`(` or `<` is expected here");
        tsr_leaf const x = r->s->failed ? tsr_leaf_static(1) : take_leaf(r);
        return tsr_from_leaf(x);
    }
    char const *const close = angle ? ">" : ")";
    (void)scan_enter(r->s, TSR_TEXT_DEPTH);
    tsr_tuple alone = t;
    int parts = 0;
    bool comma = false;
    do {
        if (scan_take(r->s, close)) { /* a comma may end the list: (4,) */
            (void)(angle && scan_take(r->s, "{}"));
            scan_leave(r->s);
            return tsr_tuple_close(t);
        }
        tsr_tuple const part = r->s->failed ? t : take_tuple(r);
        tsr_tuple_push(&t, &part);
        if (!r->s->failed && t.status)
            scan_refuse(r->s, tsr_tuple_why(t));
        comma = scan_take(r->s, ",");
        alone = comma || t.status ? alone : part;
        parts += 1;
    } while (!r->s->failed && comma);
    scan_expect(r->s, close);
    (void)(angle && scan_take(r->s, "{}"));
    scan_leave(r->s);
    return r->dsl && !named && parts == 1 ? alone : tsr_tuple_close(t); /* (4) of Python is 4 */
}

/** Swizzle<3,4,3>{}, make_swizzle(3, 4, 3), S<3,4,3>, behind the word. */
static tsr_swizzle take_swizzle(reader *r)
{
    bool const angle = scan_next(r->s) == '<';
    int64_t n[3] = {0, 0, 0};
    if (scan_integers(r->s, angle ? "<" : "(", angle ? ">" : ")", 3, n) < 3)
        scan_fail(r->s, "a swizzle has three numbers");
    for (int i = 0; i < 3; ++i)
        if (n[i] < -99 || n[i] > 99)
            scan_fail(r->s, "a swizzle has small numbers");
    (void)scan_take(r->s, "{}");
    return r->s->failed ? tsr_make_swizzle(0, 0, 0) : tsr_make_swizzle((int)n[0], (int)n[1], (int)n[2]);
}

/** A shape and its strides, compact ones where they are left out; `between` stands before them, `end` behind. */
static tsr_layout take_plain(reader *r, char const *between, char const *end)
{
    tsr_tuple const shape = take_tuple(r);
    bool const more = scan_take(r->s, between);
    tsr_layout l = tsr_make_layout(1);
    if (more)
        (void)(scan_take(r->s, "stride") && scan_take(r->s, "="));
    if (more && (take(r, "LayoutRight") || take(r, "GenRowMajor")))
        l = tsr_layout_checked(tsr_layout_unchecked(shape, tsr_compact_row_major(shape)));
    else if (!more || take(r, "LayoutLeft") || take(r, "GenColMajor"))
        l = tsr_make_layout_compact(shape);
    else
        l = tsr_layout_checked(tsr_layout_unchecked(shape, take_tuple(r)));
    (void)scan_take(r->s, "{}");
    if (end)
        scan_expect(r->s, end);
    (void)(end && *end == '>' && scan_take(r->s, "{}"));
    return l;
}

static tsr_layout take_layout(reader *r);

/** A swizzle, an offset and a layout, with `between` them. */
static tsr_layout take_composed(reader *r, char const *between)
{
    if (!take(r, "Swizzle") && !take(r, "make_swizzle"))
        scan_fail(r->s, "a swizzle is expected here");
    tsr_swizzle const sw = take_swizzle(r);
    scan_expect(r->s, between);
    tsr_leaf offset = tsr_leaf_static(0);
    scan_blanks(r->s);
    if (scan_is(r->s, "_-0123456789") || scan_begins(r->s, "Int<") || scan_begins(r->s, "cute::Int<")
        || scan_begins(r->s, "cute::_")) {
        offset = take_leaf(r);
        scan_expect(r->s, between);
    }
    tsr_layout const inner = r->s->failed ? tsr_make_layout(1) : take_layout(r);
    return tsr_make_composed_layout(sw, tsr_from_leaf(offset), inner);
}

static tsr_layout take_layout(reader *r)
{
    tsr_layout l = tsr_make_layout(1);
    if (!scan_enter(r->s, TSR_TEXT_DEPTH))
        return l;
    if (take(r, "make_layout")) {
        scan_expect(r->s, "(");
        l = take_plain(r, ",", ")");
    } else if (take(r, "Layout<")) {
        l = take_plain(r, ",", ">");
    } else if (take(r, "composition(") || take(r, "make_composed_layout(")) {
        l = take_composed(r, ",");
        scan_expect(r->s, ")");
    } else if (take(r, "ComposedLayout<")) {
        l = take_composed(r, ",");
        scan_expect(r->s, ">");
        (void)scan_take(r->s, "{}");
    } else if (scan_take(r->s, "Sw<") || scan_take(r->s, "S<")) {
        --r->s->p; /* the bracket is the swizzle's */
        tsr_swizzle const sw = take_swizzle(r);
        scan_expect(r->s, "o");
        tsr_leaf const offset = r->s->failed ? tsr_leaf_static(0) : take_leaf(r);
        scan_expect(r->s, "o");
        tsr_layout const inner = take_layout(r);
        l = r->s->failed ? l : tsr_make_composed_layout(sw, tsr_from_leaf(offset), inner);
    } else {
        l = take_plain(r, ":", NULL);
    }
    scan_leave(r->s);
    return l;
}

bool tsr_is_cute_(char const *text)
{
    return strncmp(text, "cute.", 5) == 0 || strncmp(text, "cute::", 6) == 0 || strncmp(text, "S<", 2) == 0
           || strncmp(text, "ComposedLayout<", 15) == 0;
}

void tsr_read_cute_(scan *s, tsr_layout *l)
{
    reader r = {s, false};
    tsr_layout const found = take_layout(&r);
    (void)scan_take(s, ";");
    for (int i = 0; i < found.shape.leaves && tsr_ok(found); ++i)
        if (found.shape.leaf[i].kind == TSR_UNIT)
            scan_fail(s, "an empty mode is not read: write an extent of 1");
    if (!s->failed)
        *l = found;
}

/** (4, (2, 3)) of Python, where a tuple of one has a comma: ((2, 3),). */
static void write_python_tuple(writer *w, tsr_tuple const *t)
{
    int parts[TSR_MAX_LEAVES * TSR_MAX_OPEN + 1] = {0}, open = 0;
    for (int i = 0; i < t->leaves; ++i) {
        put(w, "%s", i > 0 ? ", " : "");
        for (int k = 0; k < t->leaf[i].open; ++k) {
            put(w, "(");
            ++parts[open++];
            parts[open] = 0;
        }
        ++parts[open];
        put(w, "%lld", (long long)t->leaf[i].value);
        for (int k = 0; k < t->leaf[i].close; ++k)
            put(w, parts[open--] == 1 ? ",)" : ")");
    }
}

void tsr_write_cutedsl_(writer *w, tsr_layout const *l, scan *s)
{
    for (int i = 0; i < l->shape.leaves; ++i)
        if (l->shape.leaf[i].kind == TSR_UNIT)
            scan_fail(s, "an empty mode has no words in the DSL");
    if (tsr_has_basis(&l->stride) || (l->composed && l->twice))
        scan_fail(s, "the DSL is written for offsets behind at most one swizzle");
    if (l->composed)
        put(w, "cute.make_composed_layout(cute.make_swizzle(%d, %d, %d), %lld, ", l->swizzle.bits, l->swizzle.base,
            l->swizzle.shift, (long long)tsr_leaf_value(l->offset));
    put(w, "cute.make_layout(");
    write_python_tuple(w, &l->shape);
    put(w, ", stride=");
    write_python_tuple(w, &l->stride);
    put(w, l->composed ? "))" : ")");
}
