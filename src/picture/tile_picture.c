/** CK Tile: descriptors with their padding, distributions, and windows over descriptors. */
#include "picture/operation.h"

#include <string.h>

#include "tile/take.h"

/* Rows are all dimensions but the last, which is the columns: CK Tile writes the slowest first. */

typedef struct tile_plane {
    tsr_index length, origin; /* what is drawn, and where it begins */
    int64_t rows, columns;
} tile_plane;

static tile_plane make_plane(tsr_index length, tsr_index origin)
{
    tile_plane t = {length, origin, 1, 1};
    for (int i = 0; i + 1 < length.rank; ++i)
        t.rows = tsr_mul64_most(t.rows, length.at[i]);
    t.columns = length.rank > 0 ? length.at[length.rank - 1] : 1;
    return t;
}

/** The index of a cell. */
static tsr_index plane_index(tile_plane const *t, int64_t row, int64_t column)
{
    tsr_index at = t->origin;
    for (int i = t->length.rank - 2; i >= 0; --i) {
        at.at[i] += row % t->length.at[i];
        row /= t->length.at[i];
    }
    if (t->length.rank > 0)
        at.at[t->length.rank - 1] += column;
    return at;
}

static int64_t plane_row(tile_plane const *t, int64_t const *at)
{
    int64_t row = 0;
    for (int i = 0; i + 1 < t->length.rank; ++i)
        row = row * t->length.at[i] + at[i] - t->origin.at[i];
    return row;
}

static int plane_panel(tsr_picture *p, tile_plane const *t, char const *name, char const *title)
{
    int const panel = tsr_picture_named_panel_(p, t->rows, t->columns, name, "%s: %s", name, title);
    for (int64_t m = 0; m < t->rows && !p->refused[0]; ++m) {
        tsr_index const at = plane_index(t, m, 0);
        char text[256];
        writer w;
        writer_open(&w, text, sizeof text);
        for (int i = 0; i + 1 < at.rank; ++i)
            put(&w, "%s%lld", i ? "," : "", (long long)at.at[i]);
        tsr_axis_line *const line = &p->line[p->panel[panel].row.lines + (uint32_t)m];
        line->label = line->coord = tsr_picture_text_(p, "%s", at.rank > 1 ? text : "0");
    }
    for (int64_t n = 0; n < t->columns && !p->refused[0] && t->length.rank > 0; ++n) {
        tsr_axis_line *const line = &p->line[p->panel[panel].column.lines + (uint32_t)n];
        line->label = line->coord = tsr_picture_number_(p, t->origin.at[t->length.rank - 1] + n);
    }
    return panel;
}

/** The offsets of a descriptor; where there is no memory, padding. */
static void fill_descriptor(tsr_picture *p, int panel, tile_plane const *t, tsr_descriptor const *d)
{
    tsr_index const length = tsr_adaptor_lengths(&d->graph);
    bool padded = false;
    for (int64_t m = 0; m < t->rows; ++m)
        for (int64_t n = 0; n < t->columns && !p->refused[0]; ++n) {
            tsr_index const at = plane_index(t, m, n);
            tsr_cell *const c = tsr_picture_cell_(p, panel, m, n);
            bool inside = true;
            for (int i = 0; i < at.rank; ++i)
                inside = inside && at.at[i] >= 0 && at.at[i] < length.at[i];
            tsr_coordinate const x = tsr_make_tensor_coordinate(d, at.at);
            c->index = m * t->columns + n;
            if (inside && tsr_coordinate_has_valid_offset(d, &x)) {
                c->label = tsr_picture_number_(p, c->offset = tsr_coordinate_offset(&x));
                c->link = c->offset;
            } else {
                c->mark = TSR_MARK_OUTSIDE;
                padded = true;
            }
        }
    if (padded)
        tsr_picture_legend_(p, 0, 0, TSR_MARK_OUTSIDE, "padding: no memory");
}

/** Every element of a distribution: its first owner, at the place of the element in a plane. */
static void fill_distribution(tsr_picture *p, int panel, tile_plane const *t, tsr_encoding const *e,
                              tsr_picture_options const *o)
{
    tsr_index const parts = tsr_p_lengths(e), values = tsr_y_lengths(e);
    int64_t px[TSR_MAX_DIMS] = {0};
    int64_t thread = 0;
    do {
        int64_t y[TSR_MAX_DIMS] = {0};
        do {
            tsr_index const x = tsr_distribution_x(e, px, y);
            int64_t at[TSR_MAX_DIMS] = {0};
            for (int i = 0; i < x.rank; ++i)
                at[i] = x.at[i] + t->origin.at[i];
            int64_t const row = plane_row(t, at), column = x.at[x.rank - 1];
            if (row < 0 || row >= t->rows || column < 0 || column >= t->columns)
                continue;
            tsr_picture_own_(p, tsr_picture_cell_(p, panel, row, column), thread, tsr_thread_buffer_offset(e, y), o);
        } while (tsr_next_index(&values, y) && !p->refused[0]);
        ++thread;
    } while (tsr_next_index(&parts, px) && !p->refused[0]);
}

void tsr_picture_distribution_(tsr_picture *p, tsr_encoding const *e, tsr_picture_options const *o)
{
    char text[TSR_TEXT_SIZE];
    writer w;
    tsr_index const length = tsr_x_lengths(e);
    tsr_index origin = TSR_ZERO;
    if (tsr_picture_invalid_(p, tsr_reason_tuple(e->why)))
        return;
    origin.rank = length.rank;
    tile_plane const plane = make_plane(length, origin);
    int const panel = plane_panel(p, &plane, "tile", "who owns each element");
    if (panel < 0)
        return;
    for (int64_t i = 0; i < plane.rows * plane.columns; ++i)
        tsr_picture_cell_(p, panel, i / plane.columns, i % plane.columns)->index = i;
    fill_distribution(p, panel, &plane, e, o);
    writer_open(&w, text, sizeof text);
    tsr_write_encoding_(&w, e);
    p->title = tsr_picture_text_(p, "%s", text);
    p->description =
        tsr_picture_text_(p, "Which thread owns each element of the tile of %s, and where in its buffer.", text);
    tsr_picture_note_(p, "%s", text);
    tsr_picture_note_(p, "T: the partitions (P) counted, the last fastest. V: the place in the thread's buffer.");
}

static void name_descriptor(tsr_picture *p, char const *text)
{
    p->title = tsr_picture_text_(p, "%s", text);
    p->description = tsr_picture_text_(p, "The offsets of the tensor descriptor in %s; padding is hatched.", text);
    tsr_picture_note_(p, "%s", text);
}

/** The panel of a part of a descriptor. What it is of stands in the title; a descriptor does not know how it was
 *  written, so that is its lengths unless there is a text. */
static int descriptor_panel(tsr_picture *p, tsr_descriptor const *d, tile_plane const *plane, char const *title)
{
    char text[256];
    writer w;
    tsr_index const length = tsr_adaptor_lengths(&d->graph);
    int const panel = plane_panel(p, plane, "view", title);
    if (panel < 0)
        return -1;
    fill_descriptor(p, panel, plane, d);
    if (p->title)
        return panel;
    writer_open(&w, text, sizeof text);
    put(&w, "a tensor descriptor of ");
    tsr_write_index_(&w, length.rank, length.at);
    name_descriptor(p, text);
    return panel;
}

void tsr_picture_descriptor_(tsr_picture *p, tsr_descriptor const *d, tsr_picture_options const *o)
{
    tsr_index const length = tsr_adaptor_lengths(&d->graph);
    tsr_index origin = TSR_ZERO;
    if (tsr_picture_invalid_(p, tsr_reason_tuple(d->graph.why)))
        return;
    origin.rank = length.rank;
    tile_plane const plane = make_plane(length, origin);
    int const panel = descriptor_panel(p, d, &plane, "offsets");
    if (panel >= 0)
        tsr_picture_colour_offsets_(p, o, panel);
}

/** What a cell of the window shows of the cell under it. */
static void join_cells(tsr_cell *under, tsr_cell *over)
{
    under->mark |= TSR_MARK_CHOSEN;
    under->colour = over->colour;
    over->index = under->index;
    over->offset = under->offset;
    over->mark = under->mark & TSR_MARK_OUTSIDE;
}

void tsr_picture_window_(tsr_picture *p, tsr_tile_window const *w, tsr_picture_options const *o)
{
    tsr_descriptor const *const d = &w->view.descriptor;
    tsr_encoding const *const e = &w->encoding;
    tsr_index length = tsr_adaptor_lengths(&d->graph), origin = length, begin = length;
    tsr_index const window = tsr_x_lengths(e);
    if (tsr_picture_invalid_(p, tsr_reason_tuple(tsr_window_why(w))))
        return;
    for (int i = 0; i < length.rank; ++i) { /* all of the tensor and all of the window */
        begin.at[i] = w->origin[i];
        int64_t const low = tsr_min64(begin.at[i], 0), high = tsr_max64(begin.at[i] + window.at[i], length.at[i]);
        origin.at[i] = low;
        length.at[i] = high - low;
    }
    tile_plane const plane = make_plane(length, origin), owners = make_plane(window, begin);
    int const first = descriptor_panel(p, d, &plane, "offsets, and the window");
    int const second = first < 0 ? -1 : plane_panel(p, &owners, "window", "who loads each element");
    if (second < 0)
        return;
    fill_distribution(p, second, &owners, e, o);
    for (int64_t m = 0; m < owners.rows; ++m)
        for (int64_t n = 0; n < owners.columns; ++n) {
            tsr_index const at = plane_index(&owners, m, n);
            int64_t const row = plane_row(&plane, at.at), column = at.at[at.rank - 1] - origin.at[at.rank - 1];
            join_cells(tsr_picture_cell_(p, first, row, column), tsr_picture_cell_(p, second, m, n));
        }
    tsr_picture_legend_(p, 0, 0, TSR_MARK_CHOSEN, "the window");
}

bool tsr_picture_tile_value_(tsr_picture *p, value const *v, char const *text, tsr_picture_options const *o)
{
    if (v->kind == VALUE_DISTRIBUTION) {
        tsr_picture_distribution_(p, &v->as.distribution, o);
        return true;
    }
    if (v->kind != VALUE_DESCRIPTOR && v->kind != VALUE_VIEW && v->kind != VALUE_WINDOW)
        return false;
    name_descriptor(p, text);
    if (v->kind == VALUE_WINDOW)
        tsr_picture_window_(p, v->as.window, o);
    else
        tsr_picture_descriptor_(p, v->kind == VALUE_VIEW ? &v->as.view->descriptor : v->as.descriptor, o);
    return true;
}

/** What is asked is a descriptor, a window or a distribution. */
void tsr_picture_asked_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    (void)result;
    for (int i = 0; i < c->args; ++i)
        if (tsr_picture_tile_value_(p, &c->arg[i], c->text, o))
            return;
}
