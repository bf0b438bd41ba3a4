/** The table of a layout: a cell for each coordinate, with its offset. Rank 2 is byte for byte CuTe's print_layout. */
#include "value.h"

static int digits(int64_t n)
{
    int d = 1;
    for (; n >= 10; n /= 10)
        ++d;
    return d;
}

/** The offset at (m, n) of a layout of rank 2; the other modes of a higher rank are fixed in `panel`. */
static tsr_tuple cell(tsr_layout const *l, int64_t m, int64_t n, int64_t panel)
{
    tsr_tuple c = TSR_ZERO, i = tsr_int(m), j = tsr_int(n);
    int const rank = tsr_rank_of_(&l->shape);
    tsr_push_(&c, &i);
    if (rank > 1)
        tsr_push_(&c, &j);
    for (int k = 2; k < rank; ++k) {
        int64_t const extent = tsr_size(tsr_tuple_get(l->shape, k));
        tsr_tuple const x = tsr_int(panel % extent);
        panel /= extent;
        tsr_push_(&c, &x);
    }
    return tsr_layout_at(*l, tsr_is_leaf(&l->shape) ? i : tsr_close_(c));
}

static void rule(writer *w, int64_t columns, int width)
{
    put(w, "    ");
    for (int64_t n = 0; n < columns; ++n) {
        put(w, "+");
        for (int i = 0; i < width; ++i)
            put(w, "-");
    }
    put(w, "+\n");
}

static void panel_table(writer *w, tsr_layout const *l, int64_t rows, int64_t columns, int64_t panel, int width)
{
    char text[TSR_TEXT_SIZE];
    put(w, "    ");
    for (int64_t n = 0; n < columns; ++n)
        put(w, "  %*lld ", width - 2, (long long)n);
    put(w, "\n");
    for (int64_t m = 0; m < rows; ++m) {
        rule(w, columns, width);
        put(w, "%2lld  ", (long long)m);
        for (int64_t n = 0; n < columns; ++n) {
            tsr_format_tuple(text, sizeof text, cell(l, m, n, panel), TSR_TEXT_STATIC);
            put(w, "| %*s ", width - 2, text);
        }
        put(w, "|\n");
    }
    rule(w, columns, width);
}

size_t tsr_format_table(char *out, size_t size, tsr_layout l)
{
    writer w;
    char text[TSR_TEXT_SIZE];
    writer_open(&w, out, size);
    tsr_format_layout(text, sizeof text, l, 0);
    put(&w, "%s\n", text);
    if (l.shape.status || tsr_is_unit(&l.shape))
        return w.used;
    int const rank = tsr_rank_of_(&l.shape);
    int64_t const rows = tsr_size(tsr_tuple_get(l.shape, 0));
    int64_t const columns = rank > 1 ? tsr_size(tsr_tuple_get(l.shape, 1)) : 1;
    int64_t const elements = tsr_size(l), panels = elements / rows / columns;
    if (elements > TSR_TABLE_CELLS) {
        put(&w, "%lld elements do not make a readable table (at most %d); slice the layout first\n",
            (long long)elements, TSR_TABLE_CELLS);
        return w.used;
    }
    int width = digits(tsr_cosize(l) < 0 ? 0 : tsr_cosize(l)) + 2;
    for (int64_t i = 0; i < elements; ++i) { /* negative offsets, swizzles and coordinates may be wider */
        size_t const n = tsr_format_tuple(text, sizeof text, tsr_layout_at(l, tsr_int(i)), TSR_TEXT_STATIC);
        width = (int)n + 2 > width ? (int)n + 2 : width;
    }
    for (int64_t panel = 0; panel < panels; ++panel) {
        if (panels > 1) {
            tsr_tuple const rest = tsr_tuple_take(l.shape, 2, rank);
            tsr_format_tuple(text, sizeof text, tsr_idx2crd(tsr_int(panel), tsr_product_each(rest)), 0);
            put(&w, "\n(_,_) at %s\n", text);
        }
        panel_table(&w, &l, rows, columns, panel, width);
    }
    return w.used;
}
