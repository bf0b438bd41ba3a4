/** Tuples, layouts, tilers, swizzles and tensors as text, in the notation that the parser reads. */
#include "text/write.h"

#include <stdlib.h>

void tsr_write_path_(writer *w, uint32_t path)
{
    int levels = 0;
    while (levels < TSR_BASIS_LEVELS && path >> 5 * levels != 0)
        ++levels;
    while (levels-- > 0) /* innermost first, as CuTe prints it */
        put(w, "@%u", (path >> 5 * levels & 31u) - 1);
}

static void write_leaf(writer *w, tsr_leaf a, unsigned flags)
{
    switch ((tsr_kind)a.kind) {
    case TSR_DYNAMIC:
    case TSR_STATIC:
        put(w, "%s%lld%s", a.kind == TSR_STATIC && !(flags & TSR_TEXT_STATIC) ? "_" : "", (long long)a.value,
            a.kind == TSR_DYNAMIC && flags & TSR_TEXT_MARK ? "?" : "");
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
    if (a.kind <= TSR_STATIC)
        tsr_write_path_(w, a.aux);
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

void tsr_write_tuple_(writer *w, tsr_tuple const *t, unsigned flags)
{
    write_leaves(w, t, 0, t->leaves, 0, 0, flags);
}

/** The strides of leaf k: _1@0+_1@1. */
static void write_strides(writer *w, tsr_layout_sum const *s, int k, unsigned flags)
{
    for (int t = 0; t < s->terms; ++t) {
        tsr_leaf const d = s->term[t].stride.leaf[k];
        put(w, "%s", t > 0 && d.value != 0 ? "+" : "");
        if (t == 0 || d.value != 0)
            write_leaf(w, d, flags);
    }
}

void tsr_write_sum_(writer *w, tsr_layout_sum const *s, unsigned flags)
{
    tsr_tuple const *const stride = &s->term[0].stride;
    tsr_write_tuple_(w, &s->term[0].shape, flags);
    put(w, ":");
    for (int i = 0; i < stride->leaves; ++i) {
        put(w, "%s", i > 0 ? "," : "");
        for (int k = 0; k < stride->leaf[i].open; ++k)
            put(w, "(");
        write_strides(w, s, i, flags);
        for (int k = 0; k < stride->leaf[i].close; ++k)
            put(w, ")");
    }
}

size_t tsr_format_sum(char *out, size_t size, tsr_layout_sum const *s, unsigned flags)
{
    writer w;
    writer_open(&w, out, size);
    if (s->term[0].shape.status)
        tsr_write_reason_(&w, &s->term[0].shape);
    else
        tsr_write_sum_(&w, s, flags);
    return w.used;
}

void tsr_write_layout_(writer *w, tsr_layout const *l, unsigned flags)
{
    if (l->twice) {
        tsr_write_swizzle_(w, l->outer_swizzle);
        put(w, " o ");
        write_leaf(w, l->outer_offset, flags);
        put(w, " o ");
    }
    if (l->composed) {
        tsr_write_swizzle_(w, l->swizzle);
        put(w, " o ");
        write_leaf(w, l->offset, flags);
        put(w, " o ");
    }
    tsr_write_tuple_(w, &l->shape, flags);
    put(w, ":");
    tsr_write_tuple_(w, &l->stride, flags);
}

/** The leaves of a tiler count the brackets around them; its other parentheses are those of its layouts. */
void tsr_write_tiler_(writer *w, tsr_tiler const *t, unsigned flags)
{
    tsr_tuple const *const shape = &t->by.shape, *const stride = &t->by.stride;
    if (!tsr_tiler_is_tuple(t) && !tsr_tiler_is_wild(t) && !tsr_tiler_is_int(t)) {
        tsr_write_layout_(w, &t->by, flags);
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
        tsr_write_tuple_(w, &e->at, flags);
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

void tsr_write_engine_(writer *w, tsr_engine const *e, unsigned flags)
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
        tsr_write_tuple_(w, (tsr_tuple const *)e->map.context, flags);
        put(w, ">(");
        break;
    default:
        break;
    }
    write_bare_engine(w, e, flags);
    if (e->map.kind != TSR_AS_IS)
        put(w, ")");
}

void tsr_write_swizzle_(writer *w, tsr_swizzle sw) { put(w, "Sw<%d,%d,%d>", sw.bits, sw.base, sw.shift); }

void tsr_write_tensor_(writer *w, tsr_tensor const *t, unsigned flags)
{
    tsr_write_engine_(w, &t->engine, flags);
    put(w, " o ");
    tsr_write_layout_(w, &t->layout, flags);
}

/* The same, or why the value is invalid */

/** Opens a writer; an invalid value is written as its reason, and nothing is left to write. */
static bool open_valid(writer *w, char *out, size_t size, tsr_tuple const *why)
{
    writer_open(w, out, size);
    if (why->status)
        tsr_write_reason_(w, why);
    return !why->status;
}

#define X(name, type, why_of, writing, parameters)                    \
  size_t tsr_format_##name(char *out, size_t size, type x parameters) \
  {                                                                   \
    writer w;                                                         \
    tsr_tuple const why = why_of;                                     \
    if (open_valid(&w, out, size, &why))                              \
      writing;                                                        \
    return w.used;                                                    \
  }
#define FLAGS , unsigned flags
X(tuple, tsr_tuple, x, tsr_write_tuple_(&w, &x, flags), FLAGS)
X(layout, tsr_layout, x.shape, tsr_write_layout_(&w, &x, flags), FLAGS)
X(tiler, tsr_tiler, x.by.shape, tsr_write_tiler_(&w, &x, flags), FLAGS)
X(swizzle, tsr_swizzle, tsr_reason_tuple(tsr_swizzle_why(x)), tsr_write_swizzle_(&w, x), )
X(tensor, tsr_tensor, tsr_tensor_bad_(x), tsr_write_tensor_(&w, &x, 0), )
#undef X

#define X(name, type, ...)                               \
  void tsr_print_##name##_(FILE *file, type x)           \
  {                                                      \
    char text[TSR_TEXT_SIZE];                            \
    tsr_format_##name(text, sizeof text, x __VA_ARGS__); \
    fprintf(file, "%s\n", text);                         \
  }
X(layout, tsr_layout, , 0)
X(tuple, tsr_tuple, , 0)
X(tensor, tsr_tensor, )
#undef X

void tsr_print_long_(FILE *file, size_t (*format)(char *out, size_t size, void const *value), void const *value)
{
    size_t capacity = 1 << 16, length = 0;
    char *text = (char *)malloc(capacity);
    if (text)
        length = format(text, capacity, value);
    if (text && length >= capacity) { /* once more, with the room that it needs */
        capacity = length + 1;
        free(text);
        text = (char *)malloc(capacity);
        if (text)
            format(text, capacity, value);
    }
    if (text)
        fputs(text, file);
    else
        fprintf(file, "out of memory for %zu characters\n", capacity);
    free(text);
}
