/** Values as text, in the notation that the parser reads. */
#include <string.h>

#include "atoms.h"
#include "value.h"

static void write_leaf(writer *w, tsr_leaf a, unsigned flags)
{
    switch ((tsr_kind)a.kind) {
    case TSR_DYNAMIC:
    case TSR_STATIC:
        put(w, "%s%lld", a.kind == TSR_STATIC && !(flags & TSR_TEXT_STATIC) ? "_" : "", (long long)a.value);
        break;
    case TSR_WILD:
        put(w, "_");
        break;
    case TSR_UNIT:
        put(w, "()");
        break;
    case TSR_MIXED:
        put(w, "M_%u|(%u&%u)=%u", tsr_mixed_static(a), tsr_mixed_dynamic(a), tsr_mixed_flags(a),
            (unsigned)tsr_leaf_value(a));
        break;
    case TSR_MAJOR:
        put(w, a.value != 0 ? "LayoutRight" : "LayoutLeft");
        break;
    case TSR_ABSENT:
    case TSR_BAD:
        break;
    }
    if (a.kind > TSR_STATIC)
        return;
    int levels = 0;
    while (levels < TSR_BASIS_LEVELS && a.aux >> 5 * levels != 0)
        ++levels;
    while (levels-- > 0) /* innermost first, as CuTe prints it */
        put(w, "@%u", (a.aux >> 5 * levels & 31u) - 1);
}

/** Leaves begin to end - 1, without the outermost `opened` and `closed` parentheses. */
static void write_leaves(writer *w, tsr_tuple const *t, int begin, int end, int opened, int closed, unsigned flags)
{
    for (int i = begin; i < end; ++i) {
        put(w, "%s", i > begin ? "," : "");
        for (int k = i == begin ? opened : 0; k < t->leaf[i].open; ++k)
            put(w, "(");
        write_leaf(w, t->leaf[i], flags);
        for (int k = i == end - 1 ? closed : 0; k < t->leaf[i].close; ++k)
            put(w, ")");
    }
}

static void write_tuple(writer *w, tsr_tuple const *t, unsigned flags)
{
    write_leaves(w, t, 0, t->leaves, 0, 0, flags);
}

static void write_layout(writer *w, tsr_layout const *l, unsigned flags)
{
    if (l->twice) {
        put(w, "Sw<%d,%d,%d> o ", l->outer_swizzle.bits, l->outer_swizzle.base, l->outer_swizzle.shift);
        write_leaf(w, l->outer_offset, flags);
        put(w, " o ");
    }
    if (l->composed) {
        put(w, "Sw<%d,%d,%d> o ", l->swizzle.bits, l->swizzle.base, l->swizzle.shift);
        write_leaf(w, l->offset, flags);
        put(w, " o ");
    }
    write_tuple(w, &l->shape, flags);
    put(w, ":");
    write_tuple(w, &l->stride, flags);
}

/** The leaves of a tiler count the brackets around them; its other parentheses are those of its layouts. */
static void write_tiler(writer *w, tsr_tiler const *t, unsigned flags)
{
    tsr_tuple const *const shape = &t->by.shape, *const stride = &t->by.stride;
    if (!tsr_tiler_is_tuple_(t) && !tsr_tiler_is_wild_(t) && !tsr_tiler_is_int_(t)) {
        write_layout(w, &t->by, flags);
        return;
    }
    for (int i = 0, end = 0, depth = 0; i < shape->leaves; i = end) {
        int const opened = shape->leaf[i].tile - depth;
        int open = -opened;
        for (end = i; end == i || (open > 0 && end < shape->leaves); ++end)
            open += shape->leaf[end].open - shape->leaf[end].close;
        put(w, "%s", i > 0 ? "," : "");
        for (int k = 0; k < opened; ++k)
            put(w, "<");
        write_leaves(w, shape, i, end, opened, -open, flags);
        if (shape->leaf[i].kind != TSR_WILD && stride->leaf[i].kind != TSR_ABSENT) {
            put(w, ":");
            write_leaves(w, stride, i, end, opened, -open, flags);
        }
        for (int k = 0; k < -open; ++k)
            put(w, ">");
        depth = shape->leaf[i].tile + open;
    }
}

static void write_bare_engine(writer *w, tsr_engine const *e, unsigned flags)
{
    static char const *const tags[] = {"", "gmem_", "smem_", "tmem_"};
    int const bits = tsr_dtype_bits(e->type);
    if (e->kind == TSR_COUNTING) {
        put(w, "counting_iter(%lld)", (long long)e->at.leaf[0].value);
    } else if (e->kind == TSR_COORDINATES) {
        put(w, "ArithTuple");
        write_tuple(w, &e->at, flags);
    } else if (e->space == TSR_TMEM) {
        put(w, "%s[%db](0x%04llx.%04llx)", tags[e->space], bits, (unsigned long long)(e->address >> 16),
            (unsigned long long)(e->address & 0xffffu));
    } else {
        if (e->swizzle.bits != 0)
            put(w, "Sw<%d,%d,%d>_", e->swizzle.bits, e->swizzle.base, e->swizzle.shift);
        put(w, "%s%sptr[%db](0x%llx", tags[e->space], bits < 8 ? "sub" : "", bits, (unsigned long long)e->address);
        if (bits < 8)
            put(w, ".%d", e->bit);
        put(w, ")");
    }
}

char const *tsr_dtype_name(tsr_dtype type)
{
    switch (type) {
#define X(id, code, bits, exponent, mantissa, bias, special, name, ...) \
    case TSR_##id:                                                      \
        return name;
        TSR_DTYPE_LIST(X)
#undef X
    default:
        return NULL;
    }
}

static void write_engine(writer *w, tsr_engine const *e, unsigned flags)
{
    switch (e->map.kind) {
    case TSR_CAST:
        put(w, "cast<%s>(", tsr_dtype_name(e->map.type) ? tsr_dtype_name(e->map.type) : "?");
        break;
    case TSR_SCALE_BY:
        put(w, "scale<");
        put_real(w, "%g", e->map.scale);
        put(w, ">(");
        break;
    case TSR_FUNCTION:
        put(w, "transform(");
        break;
    case TSR_INSIDE:
        put(w, "inside<");
        write_tuple(w, (tsr_tuple const *)e->map.context, flags);
        put(w, ">(");
        break;
    default:
        break;
    }
    write_bare_engine(w, e, flags);
    if (e->map.kind != TSR_AS_IS)
        put(w, ")");
}

tsr_tiled_mma value_tiled_mma(value const *v)
{
    tsr_tiled_mma const r = {v->mma, v->layout, v->tiler};
    return r;
}

tsr_tiled_copy value_tiled_copy(value const *v)
{
    tsr_tiled_copy const r = {v->copy, v->layout, v->tiler};
    return r;
}

OWN_FRAME static tsr_tuple composite_reason(value const *v)
{
    tsr_tuple const why = v->kind == VALUE_MMA || v->kind == VALUE_TILED_MMA ? tsr_mma_reason(v->mma)
                                                                             : tsr_copy_reason(v->copy);
    if (why.status || v->kind == VALUE_MMA || v->kind == VALUE_COPY)
        return why;
    return v->layout.shape.status ? v->layout.shape : v->tiler.by.shape;
}

tsr_tuple value_reason(value const *v)
{
    switch (v->kind) {
    case VALUE_TUPLE:
        return v->tuple;
    case VALUE_ENGINE:
        return v->engine.at;
    case VALUE_TENSOR:
        return v->engine.at.status ? v->engine.at : v->layout.shape;
    case VALUE_SWIZZLE:
        return v->swizzle.status ? tsr_swizzle_reason_(v->swizzle) : tsr_s(0);
    case VALUE_PAIR:
    case VALUE_TILED_LAYOUT:
        return v->layout.shape.status ? v->layout.shape : v->tuple;
    case VALUE_LAYOUT:
    case VALUE_TILER:
    case VALUE_SMEM:
        return v->layout.shape;
    case VALUE_MMA:
    case VALUE_COPY:
    case VALUE_TILED_MMA:
    case VALUE_TILED_COPY:
        return composite_reason(v);
    case VALUE_TMA_MAP:
    case VALUE_TMA:
        return v->tma.desc.why;
    case VALUE_VERDICT:
    case VALUE_TYPE:
    case VALUE_TMA_OP:
        break;
    }
    return tsr_s(0);
}

bool value_ok(value const *v) { return value_reason(v).status == TSR_OK; }

void value_write(writer *w, value const *v, unsigned flags)
{
    tsr_tuple const reason = value_reason(v);
    if (reason.status) {
        reason_write(w, &reason);
        return;
    }
    switch (v->kind) {
    case VALUE_TUPLE:
        write_tuple(w, &v->tuple, flags);
        break;
    case VALUE_LAYOUT:
        write_layout(w, &v->layout, flags);
        break;
    case VALUE_TILER: {
        tsr_tiler const t = {v->layout};
        write_tiler(w, &t, flags);
        break;
    }
    case VALUE_SWIZZLE:
        put(w, "Sw<%d,%d,%d>", v->swizzle.bits, v->swizzle.base, v->swizzle.shift);
        break;
    case VALUE_PAIR:
        put(w, "(");
        write_layout(w, &v->layout, flags);
        put(w, ",");
        write_tuple(w, &v->tuple, flags);
        put(w, ")");
        break;
    case VALUE_TILED_LAYOUT:
        put(w, "(");
        write_tuple(w, &v->tuple, flags);
        put(w, ",");
        write_layout(w, &v->layout, flags);
        put(w, ")");
        break;
    case VALUE_ENGINE:
    case VALUE_TENSOR:
        write_engine(w, &v->engine, flags);
        if (v->kind == VALUE_TENSOR) {
            put(w, " o ");
            write_layout(w, &v->layout, flags);
        }
        break;
    case VALUE_VERDICT:
        put(w, v->answer == TSR_YES ? "yes" : v->answer == TSR_NO ? "no: " : "undecided: ");
        if (v->answer != TSR_YES)
            reason_write(w, &v->tuple);
        break;
    case VALUE_TYPE:
        put(w, "a type of %d bits", tsr_dtype_bits(v->type));
        break;
    case VALUE_MMA:
        mma_write(w, v->mma);
        break;
    case VALUE_COPY:
        copy_write(w, v->copy);
        break;
    case VALUE_TILED_MMA:
        put(w, "make_tiled_mma(");
        mma_write(w, v->mma);
        put(w, ", ");
        write_layout(w, &v->layout, flags);
        put(w, ", ");
        write_tiler(w, &v->tiler, flags);
        put(w, ")");
        break;
    case VALUE_TILED_COPY:
        put(w, "make_tiled_copy_impl(");
        copy_write(w, v->copy);
        put(w, ", ");
        write_layout(w, &v->layout, flags);
        put(w, ", ");
        write_tiler(w, &v->tiler, flags);
        put(w, ")");
        break;
    case VALUE_SMEM:
        put(w, "Sw<%d,%d,%d> o smem_ptr[%db](unset) o ", v->swizzle.bits, v->swizzle.base, v->swizzle.shift,
            tsr_dtype_bits(v->type));
        write_layout(w, &v->layout, flags);
        break;
    case VALUE_TMA_OP:
        put(w, "%s", tma_op_name(v->tma.op));
        break;
    case VALUE_TMA:
        put(w, "%s of ", tma_op_name(v->tma.op));
        write_tma_map(w, &v->tma.desc);
        break;
    case VALUE_TMA_MAP:
        write_tma_map(w, &v->tma.desc);
        break;
    }
}

/* Element types */

size_t type_read(char const *text, tsr_dtype *type)
{
    size_t n = 0;
    while ((text[n] >= 'a' && text[n] <= 'z') || (text[n] >= '0' && text[n] <= '9') || text[n] == '_')
        ++n;
#define X(cute, id)                                                  \
    if (n == sizeof #cute - 1 && strncmp(text, #cute, n) == 0) {     \
        *type = TSR_##id;                                            \
        return n;                                                    \
    }
    TSR_DTYPE_NAME_LIST(X)
#undef X
    return 0;
}

char const *type_cute_name(tsr_dtype type)
{
#define X(cute, id)       \
    if (type == TSR_##id) \
        return #cute;
    TSR_DTYPE_NAME_LIST(X)
#undef X
    return "?";
}

static size_t format(char *out, size_t size, value const *v, unsigned flags)
{
    writer w;
    writer_open(&w, out, size);
    value_write(&w, v, flags);
    return w.used;
}

size_t tsr_format_tuple(char *out, size_t size, tsr_tuple t, unsigned flags)
{
    value v = TSR_ZERO;
    v.kind = VALUE_TUPLE;
    v.tuple = t;
    return format(out, size, &v, flags);
}

size_t tsr_format_layout(char *out, size_t size, tsr_layout l, unsigned flags)
{
    value v = TSR_ZERO;
    v.kind = VALUE_LAYOUT;
    v.layout = l;
    return format(out, size, &v, flags);
}

size_t tsr_format_tiler(char *out, size_t size, tsr_tiler t, unsigned flags)
{
    value v = TSR_ZERO;
    v.kind = VALUE_TILER;
    v.layout = t.by;
    return format(out, size, &v, flags);
}

size_t tsr_format_swizzle(char *out, size_t size, tsr_swizzle sw)
{
    value v = TSR_ZERO;
    v.kind = VALUE_SWIZZLE;
    v.swizzle = sw;
    return format(out, size, &v, 0);
}

size_t tsr_format_tensor(char *out, size_t size, tsr_tensor t)
{
    value v = TSR_ZERO;
    v.kind = VALUE_TENSOR;
    v.engine = t.engine;
    v.layout = t.layout;
    return format(out, size, &v, 0);
}

void tsr_print_layout(FILE *file, tsr_layout l)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_layout(text, sizeof text, l, 0);
    fprintf(file, "%s\n", text);
}

void tsr_print_tuple(FILE *file, tsr_tuple t)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_tuple(text, sizeof text, t, 0);
    fprintf(file, "%s\n", text);
}

void tsr_print_view(FILE *file, tsr_tensor t)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_tensor(text, sizeof text, t);
    fprintf(file, "%s\n", text);
}
