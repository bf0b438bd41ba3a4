/** The elements of a tensor as text. Where CuTe's print_tensor is defined, ranks 1 to 4, the same bytes. */
#include "text/coordinates.h"

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
        put(w, "  ");
        put_real(w, "%9.2e", x.re);
        put_real(w, "%+9.2e", x.im);
        put(w, "i");
    } else if (type == TSR_F64) {
        put_real(w, "%11.3e", x.re);
    } else if (type == TSR_F32 || type == TSR_TF32) {
        put_real(w, "%10.2e", x.re);
    } else {
        put_real(w, "%8.2f", x.re);
    }
}

/** The coordinate that an element is; `c` where coordinates are linear. */
OWN_FRAME static void put_coordinate(writer *w, tsr_tensor const *t, coordinates const *c, int64_t index)
{
    tsr_tuple at = TSR_ZERO;
    if (c)
        tsr_coordinates_at_(c, index, &at);
    else
        at = tsr_tensor_at(*t, tsr_int(index));
    put(w, "  ");
    if (at.status)
        tsr_write_reason_(w, &at);
    else
        tsr_write_tuple_(w, &at, TSR_TEXT_STATIC);
}

/** The element of a 1-D coordinate. */
static void put_element(writer *w, tsr_tensor const *t, int64_t index)
{
    tsr_number x = TSR_ZERO;
    tsr_dtype const type = t->engine.map.kind == TSR_CAST ? t->engine.map.type : t->engine.type;
    if (!tsr_tensor_counts_(t, index) || tsr_tensor_read(*t, tsr_int(index), &x).status)
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

/** Matrices of the first two modes, with rules between them. */
static void put_elements(writer *w, tsr_tensor const *t, coordinates const *c, int64_t const *n)
{
    bool const tuples = t->engine.kind == TSR_COORDINATES && t->engine.map.kind == TSR_AS_IS;
    for (int64_t p = 0; p < n[3]; ++p) {
        if (p > 0)
            put_rule(w, '=', n[1]);
        for (int64_t k = 0; k < n[2]; ++k) {
            if (k > 0)
                put_rule(w, '-', n[1]);
            for (int64_t i = 0; i < n[0] * n[1]; ++i) {
                int64_t const index = i / n[1] + n[0] * (i % n[1] + n[1] * (k + n[2] * p));
                if (tuples)
                    put_coordinate(w, t, c, index);
                else
                    put_element(w, t, index);
                put(w, "%s", (i + 1) % n[1] == 0 ? "\n" : "");
            }
        }
    }
}

size_t tsr_format_values(char *out, size_t size, tsr_tensor t)
{
    writer w;
    coordinates c;
    writer_open(&w, out, size);
    w.used = tsr_format_tensor(out, size, t);
    bool const tuples = t.engine.kind == TSR_COORDINATES && t.engine.map.kind == TSR_AS_IS;
    if (tsr_tensor_why(t).status || (!tuples && tsr_readable(t).status)) {
        put(&w, "\n");
        return w.used;
    }
    put(&w, ":\n");
    int const rank = tsr_mode_count(&t.layout.shape);
    if (rank > 4)
        t.layout = tsr_layout_group(t.layout, 3, rank);
    int64_t n[4] = {1, 1, 1, 1};
    for (int i = 0; i < rank && i < 4; ++i)
        n[i] = tsr_size(tsr_tuple_get(t.layout.shape, i));
    bool const linear = tsr_coordinates_of_tensor_(&c, &t);
    if (tuples && !linear && c.first.status) {
        tsr_write_reason_(&w, &c.first);
        put(&w, "\n");
    } else if (tsr_layout_size(t.layout) > TSR_TABLE_CELLS)
        put(&w, "%lld elements do not make a readable table (at most %d); slice the tensor first\n",
            (long long)tsr_layout_size(t.layout), TSR_TABLE_CELLS);
    else
        put_elements(&w, &t, linear ? &c : NULL, n);
    return w.used;
}

static size_t format_values(char *out, size_t size, void const *t)
{
    return tsr_format_values(out, size, *(tsr_tensor const *)t);
}

void tsr_print_tensor(FILE *file, tsr_tensor t) { tsr_print_long_(file, format_values, &t); }
