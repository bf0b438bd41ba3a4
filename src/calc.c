/** Calls by name: finds the row of the table of operations that fits the arguments, and runs it. */
#include <string.h>

#include "value.h"

#include "tessera/call.h"

/* The tests run the same rows through the compiled library: they define TSR_RUN(fn) as tsrc_##fn. */
#ifndef TSR_RUN
#  define TSR_RUN(fn) tsr_##fn
#endif

static tsr_op const rows[] = {
#define X(name, fn, result, args, help, example, value) {#name, #fn, #args, help, example, value, #result[0]},
    TSR_OPS(X, X)
#undef X
};

enum { ROWS = sizeof rows / sizeof rows[0] };

enum row_id {
#define X(name, fn, result, args, ...) ROW_##name##__##fn,
    TSR_OPS(X, X)
#undef X
};

/** The arguments of a call, in the places of the row's parameters. */
typedef struct slot {
    tsr_tuple tuple;
    tsr_layout layout;
    tsr_tiler tiler;
    tsr_swizzle swizzle;
    tsr_engine engine;
    tsr_tensor tensor;
    tsr_mma_atom mma;
    tsr_copy_atom copy;
    tsr_tiled_mma tiled_mma;
    tsr_tiled_copy tiled_copy;
    tsr_smem_layout smem;
    tsr_tma_copy tma;
    tsr_tma_types types;
    int64_t number;
    tsr_dtype type;
} slot;

#define SLOT_T(i) s[i].tuple
#define SLOT_P(i) s[i].tuple
#define SLOT_U(i) s[i].tuple
#define SLOT_V(i) s[i].tuple
#define SLOT_L(i) s[i].layout
#define SLOT_R(i) s[i].tiler
#define SLOT_Q(i) s[i].tiler
#define SLOT_M(i) s[i].tiler
#define SLOT_W(i) s[i].swizzle
#define SLOT_E(i) s[i].engine
#define SLOT_G(i) s[i].tensor
#define SLOT_A(i) s[i].mma
#define SLOT_C(i) s[i].copy
#define SLOT_H(i) s[i].tiled_mma
#define SLOT_K(i) s[i].tiled_copy
#define SLOT_S(i) s[i].smem
#define SLOT_F(i) s[i].tma.desc
#define SLOT_I(i) s[i].tma
#define SLOT_O(i) s[i].tma.op
#define SLOT_Y(i) s[i].types
#define SLOT_N(i) s[i].number
#define SLOT_B(i) s[i].type
#define SLOTS_1(p) SLOT_##p(0)
#define SLOTS_2(p, q) SLOT_##p(0), SLOT_##q(1)
#define SLOTS_3(p, q, r) SLOT_##p(0), SLOT_##q(1), SLOT_##r(2)
#define SLOTS_4(p, q, r, t) SLOT_##p(0), SLOT_##q(1), SLOT_##r(2), SLOT_##t(3)
#define SLOTS_6(p, q, r, t, u, v) SLOTS_4(p, q, r, t), SLOT_##u(4), SLOT_##v(5)
#define SLOTS_8(p, q, r, t, u, v, w, x) SLOTS_6(p, q, r, t, u, v), SLOT_##w(6), SLOT_##x(7)
#define SLOTS(...) TSR_CAT(SLOTS_, TSR_NARG(__VA_ARGS__))(__VA_ARGS__)

static value value_T(tsr_tuple t)
{
    value v = TSR_ZERO;
    v.kind = VALUE_TUPLE;
    v.tuple = t;
    return v;
}

static value value_L(tsr_layout l)
{
    value v = TSR_ZERO;
    v.kind = VALUE_LAYOUT;
    v.layout = l;
    return v;
}

static value value_W(tsr_swizzle sw)
{
    value v = TSR_ZERO;
    v.kind = VALUE_SWIZZLE;
    v.swizzle = sw;
    return v;
}

static value value_X(tsr_offset_layout x)
{
    value v = TSR_ZERO;
    v.kind = VALUE_PAIR;
    v.layout = x.layout;
    v.tuple = x.offset;
    return v;
}

static value value_E(tsr_engine e)
{
    value v = TSR_ZERO;
    v.kind = VALUE_ENGINE;
    v.engine = e;
    return v;
}

static value value_G(tsr_tensor t)
{
    value v = value_E(t.engine);
    v.kind = VALUE_TENSOR;
    v.layout = t.layout;
    return v;
}

static value value_I(tsr_tma_copy c)
{
    value v = TSR_ZERO;
    v.kind = VALUE_TMA;
    v.tma = c;
    return v;
}

static value value_F(tsr_tma_desc d)
{
    value v = TSR_ZERO;
    v.kind = VALUE_TMA_MAP;
    v.tma.desc = d;
    return v;
}

static value value_D(tsr_verdict d)
{
    value v = TSR_ZERO;
    v.kind = VALUE_VERDICT;
    v.answer = d.answer;
    v.tuple = d.why;
    return v;
}

/** Extents alone are a tuple, as they are where a tiler is taken. */
static value value_R(tsr_tiler t)
{
    value v = value_L(t.by);
    bool layouts = t.by.shape.status != TSR_OK;
    for (int i = 0; !layouts && i < t.by.shape.leaves; ++i)
        layouts = t.by.stride.leaf[i].kind != TSR_ABSENT;
    v.kind = VALUE_TILER;
    return layouts ? v : value_T(tsr_tiler_shape_(t));
}

static value value_H(tsr_tiled_mma x)
{
    value v = value_L(x.threads);
    v.kind = VALUE_TILED_MMA;
    v.mma = x.atom;
    v.tiler = x.permutation;
    return v;
}

static value value_K(tsr_tiled_copy x)
{
    value v = value_L(x.tv);
    v.kind = VALUE_TILED_COPY;
    v.copy = x.atom;
    v.tiler = x.tiler;
    return v;
}

static value value_J(tsr_tiled_layout x)
{
    value v = value_L(x.tv);
    v.kind = VALUE_TILED_LAYOUT;
    v.tuple = x.tiler;
    return v;
}

static value run_row(enum row_id id, slot const *s)
{
    switch (id) {
#define X(name, fn, result, args, ...) \
    case ROW_##name##__##fn:           \
        return value_##result(TSR_RUN(fn)(SLOTS args));
        TSR_OPS(X, X)
#undef X
    }
    return value_T(tsr_unit());
}

tsr_op const *tsr_ops(int *count)
{
    *count = ROWS;
    return rows;
}

/* Fitting arguments to a row */

static tsr_tiler value_tiler(value const *v)
{
    tsr_tiler t = TSR_ZERO;
    if (v->kind == VALUE_TUPLE)
        return tsr_tiler_of_tuple(v->tuple);
    t.by = v->layout;
    return t;
}

static bool is_tiler(value const *v)
{
    return v->kind == VALUE_TUPLE || v->kind == VALUE_LAYOUT || v->kind == VALUE_TILER;
}

/** The arguments from `first` on as one tuple, or as one tiler; one argument stands for itself unless `wrap`. */
static tsr_tuple pack_tuples(call const *c, int first)
{
    tsr_tuple r = TSR_ZERO;
    for (int i = first; i < c->args; ++i)
        tsr_push_(&r, &c->arg[i].tuple);
    return c->args - first == 1 ? c->arg[first].tuple : tsr_close_(r);
}

static tsr_tiler pack_tilers(call const *c, int first, bool wrap)
{
    tsr_tiler r = TSR_ZERO;
    if (c->args - first == 1 && !wrap)
        return value_tiler(&c->arg[first]);
    for (int i = first; i < c->args; ++i) {
        tsr_tiler const t = value_tiler(&c->arg[i]);
        tsr_tiler_push_(&r, &t);
    }
    return tsr_tiler_close_(r);
}

static bool all_are(call const *c, int first, bool (*is)(value const *))
{
    for (int i = first; i < c->args; ++i)
        if (!is(&c->arg[i]))
            return false;
    return first < c->args;
}

static bool is_tuple(value const *v) { return v->kind == VALUE_TUPLE; }

static bool is_layout(value const *v) { return v->kind == VALUE_LAYOUT; }

/** Puts the call's arguments into the places of the row, or returns false when they do not fit. With `shapes` an
 *  integer or a tuple may stand for its compact layout. */
static bool fits(call const *c, char const *signature, bool shapes, slot *s)
{
    int arg = 0, bracket = 0, place = 0;
    for (char const *p = signature; *p; ++p) {
        if (*p < 'A' || *p > 'Z')
            continue;
        slot *const to = &s[place++];
        value const *const v = arg < c->args ? &c->arg[arg] : NULL;
        value const *const b = bracket < c->brackets ? &c->bracket[bracket] : NULL;
        bool ok = false;
        switch (*p) {
        case 'T':
            ok = v && v->kind == VALUE_TUPLE;
            to->tuple = ok ? v->tuple : tsr_unit();
            ++arg;
            break;
        case 'L':
            ok = v && (v->kind == VALUE_LAYOUT || (shapes && v->kind == VALUE_TUPLE));
            if (ok)
                to->layout = v->kind == VALUE_LAYOUT ? v->layout : tsr_make_layout_compact(v->tuple);
            ++arg;
            break;
        case 'W':
            ok = v && v->kind == VALUE_SWIZZLE;
            if (ok)
                to->swizzle = v->swizzle;
            ++arg;
            break;
        case 'E':
            ok = v && v->kind == VALUE_ENGINE;
            if (ok)
                to->engine = v->engine;
            ++arg;
            break;
        case 'G':
            ok = v && v->kind == VALUE_TENSOR;
            if (ok)
                to->tensor = tsr_make_tensor_of(v->engine, v->layout);
            ++arg;
            break;
        case 'A':
            ok = v && v->kind == VALUE_MMA;
            if (ok)
                to->mma = v->mma;
            ++arg;
            break;
        case 'C':
            ok = v && v->kind == VALUE_COPY;
            if (ok)
                to->copy = v->copy;
            ++arg;
            break;
        case 'H':
            ok = v && v->kind == VALUE_TILED_MMA;
            if (ok)
                to->tiled_mma = value_tiled_mma(v);
            ++arg;
            break;
        case 'K':
            ok = v && v->kind == VALUE_TILED_COPY;
            if (ok)
                to->tiled_copy = value_tiled_copy(v);
            ++arg;
            break;
        case 'S':
            ok = v && v->kind == VALUE_SMEM;
            if (ok)
                to->smem = tsr_make_smem_layout(v->swizzle, v->type, v->layout);
            ++arg;
            break;
        case 'F':
        case 'I':
        case 'O':
            ok = v && v->kind == (*p == 'F' ? VALUE_TMA_MAP : *p == 'I' ? VALUE_TMA : VALUE_TMA_OP);
            if (ok)
                to->tma = v->tma;
            ++arg;
            break;
        case 'Y':
            ok = v && v->kind == VALUE_TYPE;
            if (ok) {
                to->types.value = v->type;
                to->types.internal = v->internal;
            }
            ++arg;
            break;
        case 'R':
            ok = v && is_tiler(v);
            if (ok)
                to->tiler = value_tiler(v);
            ++arg;
            break;
        case 'U':
        case 'V':
            ok = all_are(c, arg, is_tuple);
            if (ok)
                to->tuple = pack_tuples(c, arg);
            if (ok && *p == 'U' && c->args - arg == 1)
                to->tuple = tsr_tuple_1(to->tuple);
            arg = c->args;
            break;
        case 'Q':
        case 'M':
            ok = all_are(c, arg, *p == 'M' ? is_layout : is_tiler);
            if (ok)
                to->tiler = pack_tilers(c, arg, *p == 'M');
            arg = c->args;
            break;
        case 'N':
            ok = b && b->kind == VALUE_TUPLE;
            to->number = ok ? b->tuple.leaf[0].value : 0;
            ++bracket;
            break;
        case 'B':
            ok = b && b->kind == VALUE_TYPE;
            to->type = ok ? b->type : 0;
            ++bracket;
            break;
        case 'P':
            ok = true;
            to->tuple = tsr_unit();
            for (tsr_tuple path = TSR_ZERO; bracket < c->brackets; ++bracket) {
                ok = ok && c->bracket[bracket].kind == VALUE_TUPLE;
                tsr_push_(&path, &c->bracket[bracket].tuple);
                to->tuple = path;
            }
            break;
        default:
            break;
        }
        if (!ok)
            return false;
    }
    return arg == c->args && bracket == c->brackets;
}

/* The call */

static char const *kind_name(value const *v)
{
    static char const *const names[] = {"a tuple",     "a layout",  "a tiler",  "a swizzle",
                                        "a (layout,offset) pair", "an engine", "a tensor",
                                        "a verdict", "a type",   "an MMA atom", "a copy atom",
                                        "a tiled MMA", "a tiled copy", "a tile with its layout",
                                        "a layout of shared memory",
                                        "an operation's name", "a tensor map", "a TMA copy"};
    return v->kind == VALUE_TUPLE && tsr_is_leaf(&v->tuple) ? "an integer" : names[v->kind];
}

static void no_row(call const *c, tsr_text_error *error)
{
    writer w;
    bool known = false;
    writer_open(&w, error->text, sizeof error->text);
    put(&w, "%s", c->name);
    if (c->brackets > 0)
        put(&w, "<%d>", c->brackets);
    put(&w, " does not take (");
    for (int i = 0; i < c->args; ++i)
        put(&w, "%s%s", i > 0 ? ", " : "", kind_name(&c->arg[i]));
    put(&w, "); it takes");
    for (int i = 0; i < ROWS; ++i) {
        if (strcmp(rows[i].name, c->name) == 0) {
            put(&w, "%s %s", known ? " or" : "", rows[i].signature);
            known = true;
        }
    }
    put(&w, " (see `tessera ops`)");
    if (known && c->arg[0].kind == VALUE_TENSOR && strstr(c->name, "_product"))
        put(&w, "; a product of a tensor would reach beyond its memory, so only layouts have one");
    if (!known) {
        writer_open(&w, error->text, sizeof error->text);
        put(&w, "unknown operation `%s` (see `tessera ops`)", c->name);
    }
}

bool call_evaluate(call *c, value *result, tsr_text_error *error)
{
    slot s[8];
    memset(s, 0, sizeof s);
    for (int i = 0; i < c->args; ++i) {
        if (value_reason(&c->arg[i]).status) { /* the first invalid argument is the answer */
            *result = c->arg[i];
            return true;
        }
    }
    bool const is_call = strcmp(c->name, "call") == 0 && c->args > 1 && c->brackets == 0 && all_are(c, 1, is_tuple);
    tsr_tuple const coord = is_call ? pack_tuples(c, 1) : tsr_unit();
    if (is_call && tsr_has_wild_(&coord) && c->arg[0].kind == VALUE_TENSOR) {
        *result = value_G(TSR_RUN(tensor_slice)(coord, tsr_make_tensor_of(c->arg[0].engine, c->arg[0].layout)));
        return true;
    }
    if (is_call && tsr_has_wild_(&coord) && c->arg[0].kind == VALUE_LAYOUT) {
        *result = value_L(TSR_RUN(layout_slice)(coord, c->arg[0].layout));
        return true;
    }
    for (int i = 0; i < (c->shapes ? 2 : 1) * ROWS; ++i) { /* as written first, then with shapes as layouts */
        if (strcmp(rows[i % ROWS].name, c->name) == 0 && fits(c, rows[i % ROWS].signature, i >= ROWS, s)) {
            *result = run_row((enum row_id)(i % ROWS), s);
            return true;
        }
    }
    no_row(c, error);
    return false;
}
