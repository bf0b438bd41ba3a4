/** CK Tile: descriptors with their padding, distributions, and windows over descriptors. */
#include "picture/build.h"

#include <string.h>

#include "tile/calc.h"
#include "tessera/tile/tile_window.h"

/** The queries whose answer is a picture of a window or a distribution. */
static char const *const tile_pictures[] = {"tvlayout", "wintraits", "load",   "loadmoved", "storeall", "x",
                                            "d",        "lengths",   "offset", "fold",      "vec"};

static bool starts_with(char const *text, char const *word) { return strncmp(text, word, strlen(word)) == 0; }

/** The text behind the name of a query, or the text itself. */
static char const *behind_query(char const *expression, char *name, size_t size)
{
    expression += strspn(expression, " \t");
    size_t const n = strcspn(expression, " \t");
    name[0] = 0;
    for (size_t i = 0; i < sizeof tile_pictures / sizeof tile_pictures[0]; ++i)
        if (strlen(tile_pictures[i]) == n && starts_with(expression, tile_pictures[i]) && expression[n]) {
            snprintf(name, size, "%s", tile_pictures[i]);
            return expression + n;
        }
    return expression;
}

static bool is_descriptor(char const *text)
{
    return starts_with(text, "naive(") || starts_with(text, "packed(") || starts_with(text, "aligned(")
           || starts_with(text, "naive_off(");
}

bool picture_is_tile(char const *expression)
{
    char name[16];
    char const *text = behind_query(expression, name, sizeof name);
    text += strspn(text, " \t");
    return is_descriptor(text) || starts_with(text, "dist{");
}

/* Rows are all dimensions but the last, which is the columns: CK Tile writes the slowest first. */

typedef struct tile_plane {
    tsr_index length, origin; /* what is drawn, and where it begins */
    int64_t rows, columns;
} tile_plane;

static tile_plane make_plane(tsr_index length, tsr_index origin)
{
    tile_plane t = {length, origin, 1, 1};
    for (int i = 0; i + 1 < length.rank; ++i)
        t.rows = tsr_times_(t.rows, length.at[i]);
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
    int const panel = picture_panel(p, t->rows, t->columns, picture_text(p, "%s: %s", name, title));
    if (panel < 0)
        return -1;
    p->panel[panel].name = picture_text(p, "%s", name);
    picture_axis_named(p, &p->panel[panel].row, "", "");
    picture_axis_named(p, &p->panel[panel].column, "", "");
    for (int64_t m = 0; m < t->rows && !p->refused[0]; ++m) {
        tsr_index const at = plane_index(t, m, 0);
        char text[256];
        writer w;
        writer_open(&w, text, sizeof text);
        for (int i = 0; i + 1 < at.rank; ++i)
            put(&w, "%s%lld", i ? "," : "", (long long)at.at[i]);
        tsr_axis_line *const line = &p->line[p->panel[panel].row.lines + (uint32_t)m];
        line->label = line->coord = picture_text(p, "%s", at.rank > 1 ? text : "0");
    }
    for (int64_t n = 0; n < t->columns && !p->refused[0] && t->length.rank > 0; ++n) {
        tsr_axis_line *const line = &p->line[p->panel[panel].column.lines + (uint32_t)n];
        line->label = line->coord = picture_number(p, t->origin.at[t->length.rank - 1] + n);
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
            tsr_cell *const c = picture_cell(p, panel, m, n);
            bool inside = true;
            for (int i = 0; i < at.rank; ++i)
                inside = inside && at.at[i] >= 0 && at.at[i] < length.at[i];
            tsr_coordinate const x = tsr_make_tensor_coordinate(d, at.at);
            c->index = m * t->columns + n;
            if (inside && tsr_coordinate_has_valid_offset(d, &x)) {
                c->label = picture_number(p, c->offset = tsr_coordinate_offset(&x));
                c->link = c->offset;
            } else {
                c->mark = TSR_MARK_OUTSIDE;
                padded = true;
            }
        }
    if (padded)
        picture_legend(p, 0, 0, TSR_MARK_OUTSIDE, "padding: no memory");
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
            picture_own(p, panel, row, column, thread, tsr_thread_buffer_offset(e, y));
            tsr_cell *const c = picture_cell(p, panel, row, column);
            c->colour = picture_hue(o, c->thread);
            c->link = c->thread;
        } while (tsr_next_index_(&values, y) && !p->refused[0]);
        ++thread;
    } while (tsr_next_index_(&parts, px) && !p->refused[0]);
}

static void picture_distribution(tsr_picture *p, tile_reader *r, tsr_picture_options const *o)
{
    char text[TSR_TEXT_SIZE];
    writer w;
    tsr_encoding const e = tile_encoding(r);
    if (r->failed)
        return;
    tsr_index origin = tsr_x_lengths(&e);
    tsr_index const length = origin;
    memset(origin.at, 0, sizeof origin.at);
    tile_plane const plane = make_plane(length, origin);
    int const panel = plane_panel(p, &plane, "tile", "who owns each element");
    if (panel < 0)
        return;
    for (int64_t i = 0; i < plane.rows * plane.columns; ++i)
        picture_cell(p, panel, i / plane.columns, i % plane.columns)->index = i;
    fill_distribution(p, panel, &plane, &e, o);
    writer_open(&w, text, sizeof text);
    tile_put_encoding(&w, &e);
    p->title = picture_text(p, "%s", text);
    p->description =
        picture_text(p, "Which thread owns each element of the tile of %s, and where in its buffer.", text);
    picture_note(p, "%s", text);
    picture_note(p, "T: the partitions (P) counted, the last fastest. V: the place in the thread's buffer.");
}

/** A descriptor, and the window of a distribution over it when one follows. */
static void picture_descriptor(tsr_picture *p, tile_reader *r, char const *expression, tsr_picture_options const *o)
{
    tsr_descriptor const d = tile_descriptor(r);
    tsr_index length = tsr_adaptor_lengths(&d.graph), origin = length, window = TSR_ZERO;
    tsr_encoding e = TSR_ZERO;
    bool const has_window = !r->failed && tile_take(r, "@@");
    memset(origin.at, 0, sizeof origin.at);
    tsr_index begin = origin;
    if (has_window) {
        e = tile_encoding(r);
        window = tsr_x_lengths(&e);
        if (!r->failed && window.rank != length.rank)
            tile_refuse(r, tsr_because(TSR_WINDOW_RANK, 0, window.rank, length.rank, 0));
        if (!r->failed && tile_take(r, "origin="))
            begin = tile_index_of(r, length.rank);
    }
    if (r->failed)
        return;
    for (int i = 0; has_window && i < length.rank; ++i) { /* draw all of the tensor and all of the window */
        int64_t const low = tsr_min64(begin.at[i], 0), high = tsr_max64(begin.at[i] + window.at[i], length.at[i]);
        origin.at[i] = low;
        length.at[i] = high - low;
    }
    tile_plane const plane = make_plane(length, origin);
    int const panel = plane_panel(p, &plane, "view", has_window ? "offsets, and the window" : "offsets");
    if (panel < 0)
        return;
    fill_descriptor(p, panel, &plane, &d);
    p->title = picture_text(p, "%s", expression);
    p->description = picture_text(p, "The offsets of the tensor descriptor in %s; padding is hatched.", expression);
    picture_note(p, "%s", expression);
    if (!has_window) {
        picture_colour_offsets(p, o, panel);
        return;
    }
    tile_plane owners = make_plane(window, begin);
    int const second = plane_panel(p, &owners, "window", "who loads each element");
    if (second < 0)
        return;
    fill_distribution(p, second, &owners, &e, o);
    for (int64_t m = 0; m < owners.rows; ++m)
        for (int64_t n = 0; n < owners.columns; ++n) {
            tsr_index const at = plane_index(&owners, m, n);
            int64_t const row = plane_row(&plane, at.at), column = at.at[at.rank - 1] - origin.at[at.rank - 1];
            tsr_cell *const under = picture_cell(p, panel, row, column), *const over = picture_cell(p, second, m, n);
            under->mark |= TSR_MARK_CHOSEN;
            under->colour = over->colour;
            over->index = under->index;
            over->offset = under->offset;
            over->mark = under->mark & TSR_MARK_OUTSIDE;
        }
    picture_legend(p, 0, 0, TSR_MARK_CHOSEN, "the window");
}

void picture_tile(tsr_picture *p, char const *expression, tsr_picture_options const *o)
{
    char name[16];
    tile_reader r = TSR_ZERO;
    r.text = expression;
    r.p = behind_query(expression, name, sizeof name);
    (void)tile_take(&r, "");
    if (starts_with(r.p, "dist{"))
        picture_distribution(p, &r, o);
    else
        picture_descriptor(p, &r, expression, o);
    if (r.failed)
        picture_refuse(p, "%s", r.message);
}
