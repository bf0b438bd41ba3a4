/** The values of expressions as source: C with tsr_t and tsr_s, CUDA C++ with CuTe, Python by the notation itself. */
#include "calc/value.h"

/** A language's words for the parts of a layout; "" if it has none. */
typedef struct words {
    char const *shape, *stride, *fixed, *fixed_end, *lone, *lone_end, *basis, *wild, *unit, *left, *right;
    char const *layout, *composed, *swizzle, *between, *swizzle_end;
} words;

static words const languages[] = {
    {"tsr_t(", "tsr_t(", "tsr_s(", ")", "tsr_int(", ")", "", "tsr_wild()", "tsr_unit()", "tsr_left()", "tsr_right()",
     "tsr_make_layout(", "tsr_make_composed_layout(", "tsr_make_swizzle(", ", ", ")"},
    {"make_shape(", "make_stride(", "Int<", ">{}", "", "", "E<", "_", "make_tuple()", "LayoutLeft{}", "LayoutRight{}",
     "make_layout(", "make_composed_layout(", "Swizzle<", ",", ">{}"},
};

/** An integer literal, wider than int where it must be. */
static void write_integer(writer *w, int64_t n)
{
    put(w, "%lld%s", (long long)n, n > INT32_MAX || n < -INT32_MAX ? "ll" : "");
}

static void write_number(writer *w, words const *in, tsr_leaf a)
{
    put(w, "%s", a.kind == TSR_STATIC ? in->fixed : "");
    write_integer(w, a.value);
    put(w, "%s", a.kind == TSR_STATIC ? in->fixed_end : "");
}

/** k@i as k * E<i>; false: the language has no word for it. */
static bool write_basis(writer *w, words const *in, tsr_leaf a)
{
    if (!*in->basis)
        return false;
    if (a.kind == TSR_DYNAMIC || a.value != 1) {
        write_number(w, in, a);
        put(w, " * ");
    }
    put(w, "%s", in->basis);
    for (uint32_t path = a.aux; path != 0; path >>= 5)
        put(w, "%u%s", (path & 31u) - 1, path >> 5 ? "," : ">{}");
    return true;
}

static bool write_source_leaf(writer *w, words const *in, tsr_leaf a)
{
    if (tsr_leaf_is_basis(a))
        return write_basis(w, in, a);
    if (tsr_leaf_is_int(a))
        write_number(w, in, a);
    else if (a.kind == TSR_MAJOR)
        put(w, "%s", a.value != 0 ? in->right : in->left);
    else if (a.kind == TSR_WILD || a.kind == TSR_UNIT)
        put(w, "%s", a.kind == TSR_WILD ? in->wild : in->unit);
    return a.kind != TSR_MIXED;
}

/** A leaf where a tuple is needed. */
static bool write_lone_leaf(writer *w, words const *in, tsr_leaf a)
{
    bool const lone = a.kind == TSR_DYNAMIC && a.aux == 0;
    put(w, "%s", lone ? in->lone : "");
    bool const ok = write_source_leaf(w, in, a);
    put(w, "%s", lone ? in->lone_end : "");
    return ok;
}

static bool write_source_tuple(writer *w, words const *in, char const *open, tsr_tuple const *t)
{
    bool ok = true;
    for (int i = 0; i < t->leaves && ok; ++i) {
        put(w, "%s", i > 0 ? ", " : "");
        for (int k = 0; k < t->leaf[i].open; ++k)
            put(w, "%s", open);
        ok = write_source_leaf(w, in, t->leaf[i]);
        for (int k = 0; k < t->leaf[i].close; ++k)
            put(w, ")");
    }
    return ok;
}

static void write_source_swizzle(writer *w, words const *in, tsr_swizzle sw)
{
    put(w, "%s%d%s%d%s%d%s", in->swizzle, sw.bits, in->between, sw.base, in->between, sw.shift, in->swizzle_end);
}

static bool write_source_layout(writer *w, words const *in, tsr_layout const *l)
{
    bool ok = true;
    for (int i = l->twice ? 0 : 1; i < 2 && l->composed && ok; ++i) {
        put(w, "%s", in->composed);
        write_source_swizzle(w, in, i == 0 ? l->outer_swizzle : l->swizzle);
        put(w, ", ");
        ok = write_lone_leaf(w, in, i == 0 ? l->outer_offset : l->offset);
        put(w, ", ");
    }
    put(w, "%s", in->layout);
    ok = ok && write_source_tuple(w, in, in->shape, &l->shape);
    put(w, ", ");
    ok = ok && write_source_tuple(w, in, in->stride, &l->stride);
    put(w, ")%s%s", l->composed ? ")" : "", l->twice ? ")" : "");
    return ok;
}

static bool write_value(writer *w, words const *in, value const *v)
{
    if (v->kind == VALUE_LAYOUT)
        return write_source_layout(w, in, &v->as.layout);
    if (v->kind == VALUE_TUPLE && tsr_is_leaf(&v->as.tuple))
        return write_lone_leaf(w, in, v->as.tuple.leaf[0]);
    if (v->kind == VALUE_TUPLE)
        return write_source_tuple(w, in, in->shape, &v->as.tuple);
    if (v->kind == VALUE_SWIZZLE)
        write_source_swizzle(w, in, v->as.swizzle);
    return v->kind == VALUE_SWIZZLE;
}

/** The notation, in a call that reads it; false: nothing reads this kind. */
static bool write_call(writer *w, value const *v, tsr_language in)
{
    char const *before = NULL, *behind = "\")";
    if (in == TSR_LANGUAGE_PYTHON && v->kind != VALUE_VERDICT && v->kind != VALUE_NUMBERS && v->kind != VALUE_ANSWER)
        before = v->kind == VALUE_LAYOUT ? "L(\"" : "V(\"";
    else if (in == TSR_LANGUAGE_C && v->kind == VALUE_LAYOUT)
        before = "tsr_parse(\"";
    else if (in == TSR_LANGUAGE_C && v->kind == VALUE_TUPLE)
        before = "tsr_parse_tuple(\"", behind = "\", 0, NULL)";
    else if (in == TSR_LANGUAGE_C && v->kind == VALUE_TENSOR)
        before = "tsr_parse_tensor(\"", behind = "\", 0, NULL)";
    else if (in == TSR_LANGUAGE_C && v->kind == VALUE_MMA)
        before = "tsr_mma_atom_named(\"";
    else if (in == TSR_LANGUAGE_C && v->kind == VALUE_COPY)
        before = "tsr_copy_atom_named(\"";
    if (!before)
        return false;
    put(w, "%s", before);
    tsr_value_write_(w, v, 0);
    put(w, "%s", behind);
    return true;
}

bool tsr_format_source(char *out, size_t size, tsr_evaluation const *e, tsr_language in)
{
    writer w;
    writer_open(&w, out, size);
    bool ok = false;
    if (e && e->ok && tsr_value_ok_(&e->result)) {
        ok = in != TSR_LANGUAGE_PYTHON && write_value(&w, &languages[in], &e->result);
        if (!ok) {
            writer_open(&w, out, size);
            ok = write_call(&w, &e->result, in);
        }
    }
    if (!ok || w.used >= size)
        writer_open(&w, out, size);
    return ok && w.used > 0;
}
