/** Distributed layouts: the tensor's indices, coloured by the ranks that hold them. */
#include "picture/build.h"

/* Rows are all modes but the last, which is the columns. */

static int64_t rows_of(tsr_dist_layout const *d)
{
    int64_t rows = 1;
    for (int m = 0; m + 1 < d->modes; ++m)
        rows = tsr_mul64_most(rows, d->extent[m]);
    return rows;
}

static int64_t row_of(tsr_dist_layout const *d, int64_t const *index)
{
    int64_t row = 0;
    for (int m = 0; m + 1 < d->modes; ++m)
        row = row * d->extent[m] + index[m];
    return row;
}

/** The index of a row beside it. */
static void name_rows(tsr_picture *p, int panel, tsr_dist_layout const *d)
{
    for (int64_t row = 0; row < rows_of(d) && !p->refused[0] && d->modes > 1; ++row) {
        int64_t index[TSR_DIST_MODES] = {0}, rest = row;
        char text[TSR_DIST_MODES * 24];
        writer w;
        writer_open(&w, text, sizeof text);
        for (int m = d->modes - 2; m >= 0; --m) {
            index[m] = rest % d->extent[m];
            rest /= d->extent[m];
        }
        for (int m = 0; m + 1 < d->modes; ++m)
            put(&w, "%s%lld", m ? "," : "", (long long)index[m]);
        tsr_axis_line *const line = &p->line[p->panel[panel].row.lines + (uint32_t)row];
        line->label = line->coord = tsr_picture_text_(p, "%s", text);
    }
}

/** Goes on to the next local index of a part, the last mode fastest; false behind the last. */
static bool next_local(int modes, tsr_dist_part const *part, int64_t *local)
{
    for (int m = modes - 1; m >= 0; --m) {
        if (++local[m] < part->extent[m])
            return true;
        local[m] = 0;
    }
    return false;
}

/** The elements of one rank, which owns their cells. */
static void fill_rank(tsr_picture *p, int panel, tsr_dist_layout const *d, int64_t rank, tsr_picture_options const *o)
{
    tsr_dist_part part;
    int64_t local[TSR_DIST_MODES] = {0}, index[TSR_DIST_MODES] = {0};
    if (!tsr_dist_part_of(d, rank, &part) || part.elements == 0 || !tsr_picture_visits_(p, part.elements))
        return;
    do {
        int64_t offset = 0;
        for (int m = 0; m < d->modes; ++m)
            offset += local[m] * part.stride[m];
        if (!tsr_dist_index_at(d, rank, local, index)) {
            tsr_picture_refuse_(p, "out of memory for the indices of rank %lld", (long long)rank);
            return;
        }
        int64_t const column = d->modes > 0 ? index[d->modes - 1] : 0;
        tsr_picture_own_(p, tsr_picture_cell_(p, panel, row_of(d, index), column), rank, offset, o);
    } while (next_local(d->modes, &part, local) && !p->refused[0]);
}

/** A panel of a distributed layout. */
static void add_panel(tsr_picture *p, tsr_dist_layout const *d, char const *name, char const *title,
                      tsr_picture_options const *o)
{
    int64_t const columns = d->modes > 0 ? d->extent[d->modes - 1] : 1;
    if (tsr_dist_ranks(d) > TSR_PICTURE_CELLS)
        tsr_picture_refuse_(p, "%lld ranks do not make a readable picture (at most %d)", (long long)tsr_dist_ranks(d),
                            TSR_PICTURE_CELLS);
    int const panel = p->refused[0] ? -1 : tsr_picture_named_panel_(p, rows_of(d), columns, name, "%s", title);
    if (panel < 0)
        return;
    p->ranks = true;
    name_rows(p, panel, d);
    for (int64_t i = 0; i < rows_of(d) * columns; ++i)
        tsr_picture_cell_(p, panel, i / columns, i % columns)->index = i;
    for (int64_t r = d->first; r < tsr_dist_ranks(d) && !p->refused[0]; ++r)
        fill_rank(p, panel, d, r, o);
}

void tsr_picture_distributed_(tsr_picture *p, tsr_dist_layout const *d, tsr_picture_options const *o)
{
    char text[TSR_TEXT_SIZE];
    add_panel(p, d, "ranks", "who holds each element", o);
    tsr_dist_format_line(text, sizeof text, d);
    if (!p->title)
        p->title = tsr_picture_text_(p, "%s", text);
    p->description =
        tsr_picture_text_(p, "Which rank holds each element of the tensor, and at which offset: %s.", text);
    tsr_picture_note_(p, "%s", text);
    tsr_picture_note_(p, "R: the rank. +: the offset in its memory. Of several copies the first is shown.");
}

void tsr_picture_exchange_(tsr_picture *p, tsr_dist_exchange const *x, tsr_picture_options const *o)
{
    char text[TSR_TEXT_SIZE];
    add_panel(p, &x->from, "from", "from: who holds each element", o);
    add_panel(p, &x->to, "to", "to: who holds each element", o);
    tsr_dist_format_exchange(text, sizeof text, x);
    p->title = tsr_picture_text_(p, "%s", text);
    p->description = tsr_picture_text_(p, "The ranks of a tensor before and after a redistribution: %s.", text);
    tsr_picture_note_(p, "%s", text);
}
