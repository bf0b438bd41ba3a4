/** The elements of a tensor as text. Where CuTe's print_tensor is defined, ranks 1 to 4, the same bytes. */
#include <stdlib.h>

#include "value.h"


/** One element in the width of its type. */
static void put_number(writer *w, tsr_number x, tsr_dtype type)
{
    if (x.kind == TSR_SIGNED || x.kind == TSR_UNSIGNED) {
        int const width = type == TSR_BOOL || type == TSR_U1 ? 3 : 5;
        if (x.kind == TSR_SIGNED)
            put(w, "%*lld", width, (long long)x.bits);
        else
            put(w, "%*llu", width, (unsigned long long)x.bits);
    } else if (x.kind == TSR_COMPLEX) {
        put(w, "  %9.2e%+9.2ei", x.re, x.im);
    } else if (type == TSR_F64) {
        put(w, "%11.3e", x.re);
    } else if (type == TSR_F32 || type == TSR_TF32) {
        put(w, "%10.2e", x.re);
    } else {
        put(w, "%8.2f", x.re);
    }
}

static void put_element(writer *w, tsr_tensor const *t, int64_t m, int64_t n, int64_t k, int64_t p)
{
    int64_t const at[] = {m, n, k, p};
    tsr_tuple c = TSR_ZERO;
    int const rank = tsr_rank_of_(&t->layout.shape);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const x = tsr_int(at[i]);
        tsr_push_(&c, &x);
    }
    c = rank == 1 ? tsr_int(m) : tsr_close_(c);
    if (t->engine.kind == TSR_COORDINATES && t->engine.map.kind == TSR_AS_IS) {
        char text[TSR_TEXT_SIZE];
        tsr_format_tuple(text, sizeof text, tsr_tensor_at(*t, c), TSR_TEXT_STATIC);
        put(w, "  %s", text);
        return;
    }
    tsr_number x = TSR_ZERO;
    tsr_dtype const type = t->engine.map.kind == TSR_CAST ? t->engine.map.type : t->engine.type;
    tsr_tuple const r = tsr_tensor_read(*t, c, &x);
    if (r.status)
        put(w, "  ?");
    else
        put_number(w, x, type);
}

static void put_rule(writer *w, char c, int64_t columns)
{
    for (int64_t i = 0; i < 5 * columns; ++i)
        put(w, "%c", c);
    put(w, "\n");
}

size_t tsr_format_values(char *out, size_t size, tsr_tensor t)
{
    writer w;
    char text[TSR_TEXT_SIZE];
    writer_open(&w, out, size);
    tsr_format_tensor(text, sizeof text, t);
    put(&w, "%s", text);
    tsr_tuple const reason = tsr_tensor_reason(t);
    bool const coordinates = t.engine.kind == TSR_COORDINATES && t.engine.map.kind == TSR_AS_IS;
    tsr_tuple const readable = reason.status || coordinates ? reason : tsr_readable(t);
    if (readable.status) {
        put(&w, "\n");
        return w.used;
    }
    put(&w, ":\n");
    int const rank = tsr_rank_of_(&t.layout.shape);
    if (rank > 4)
        t.layout = tsr_layout_group(t.layout, 3, rank);
    int64_t n[4] = {1, 1, 1, 1};
    for (int i = 0; i < rank && i < 4; ++i)
        n[i] = tsr_size(tsr_tuple_get(t.layout.shape, i));
    if (tsr_size(t.layout) > TSR_TABLE_CELLS) {
        put(&w, "%lld elements do not make a readable table (at most %d); slice the tensor first\n",
            (long long)tsr_size(t.layout), TSR_TABLE_CELLS);
        return w.used;
    }
    for (int64_t p = 0; p < n[3]; ++p) {
        if (p > 0)
            put_rule(&w, '=', n[1]);
        for (int64_t k = 0; k < n[2]; ++k) {
            if (k > 0)
                put_rule(&w, '-', n[1]);
            for (int64_t i = 0; i < n[0]; ++i) {
                for (int64_t j = 0; j < n[1]; ++j)
                    put_element(&w, &t, i, j, k, p);
                put(&w, "\n");
            }
        }
    }
    return w.used;
}

void tsr_print_tensor(FILE *file, tsr_tensor t)
{
    size_t const length = tsr_format_values(NULL, 0, t);
    char *const text = (char *)malloc(length + 1);
    if (!text) {
        fprintf(file, "out of memory for %zu characters\n", length);
        return;
    }
    tsr_format_values(text, length + 1, t);
    fputs(text, file);
    free(text);
}
