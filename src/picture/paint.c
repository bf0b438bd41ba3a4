/** Painting: fills by colour, then marks, edges, frames, and texts row by row. */
#include "picture/canvas.h"

#include <stdlib.h>
#include <string.h>

#include "picture/stream.h"

/** What has to be drawn at once: grows, and is used again. */
typedef struct batch {
    rectangle *r;
    segment *s;
    size_t n, capacity;
    bool failed;
} batch;

static void batch_rectangle(batch *b, int x, int y, int width, int height)
{
    rectangle const r = {x, y, width, height};
    if (b->n > 0 && b->r[b->n - 1].y == y && b->r[b->n - 1].x + b->r[b->n - 1].width == x) { /* a run goes on */
        b->r[b->n - 1].width += width;
        return;
    }
    b->r[b->n++] = r;
}

/** Runs that stand below each other become one rectangle. */
static void merge_down(batch *b)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->n; ++i) {
        rectangle const r = b->r[i];
        size_t k = kept;
        while (
            k > 0 && kept - k < 64
            && !(b->r[k - 1].x == r.x && b->r[k - 1].width == r.width && b->r[k - 1].y + b->r[k - 1].height == r.y))
            --k;
        if (k > 0 && kept - k < 64)
            b->r[k - 1].height += r.height;
        else
            b->r[kept++] = r;
    }
    b->n = kept;
}

static void batch_segment(batch *b, int x, int y, int length, bool down)
{
    segment const s = {x, y, length, down};
    if (b->n > 0) {
        segment *const last = &b->s[b->n - 1];
        bool const goes_on =
            last->down == down
            && (down ? last->x == x && last->y + last->length == y : last->y == y && last->x + last->length == x);
        if (goes_on) {
            last->length += length;
            return;
        }
    }
    b->s[b->n++] = s;
}

static tsr_cell const *cell_of(tsr_picture const *p, tsr_panel const *g, int row, int column)
{
    static tsr_cell const none = {-1, -1, 0, -1, -1, 0, 0, TSR_MARK_EMPTY};
    if (row < 0 || column < 0 || row >= g->row.count || column >= g->column.count)
        return &none;
    return &p->cell[g->first + (size_t)row * (size_t)g->column.count + (size_t)column];
}

/** The cells whose mark or colour is the wanted one. */
static void fill_where(tsr_picture const *p, placing const *at, batch *b, int colour, int mark)
{
    b->n = 0;
    for (int k = 0; k < p->panels; ++k) {
        tsr_panel const *const g = &p->panel[k];
        for (int m = 0; m < g->row.count; ++m)
            for (int n = 0; n < g->column.count; ++n) {
                tsr_cell const *const c = cell_of(p, g, m, n);
                bool const faded = (c->mark & (TSR_MARK_FADED | TSR_MARK_OUTSIDE | TSR_MARK_EMPTY)) != 0;
                bool const wanted = mark ? (c->mark & mark) != 0 : c->colour == colour && !faded;
                int const x = at->panel[k].x + n * at->cell_width, y = at->panel[k].y + m * at->cell_height;
                if (wanted && mark == TSR_MARK_CONFLICT && b->n < b->capacity) /* every cell has its own corner */
                    b->r[b->n++] = (rectangle){x, y, at->cell_width, at->cell_height};
                else if (wanted)
                    batch_rectangle(b, x, y, at->cell_width, at->cell_height);
            }
    }
    if (mark != TSR_MARK_CONFLICT)
        merge_down(b);
}

static void paint_fills(tsr_picture const *p, placing const *at, canvas *c, batch *b)
{
    bool used[TSR_COLOURS] = {false};
    int marks = 0;
    for (size_t i = 0; i < p->cells; ++i) {
        used[p->cell[i].colour] = true;
        marks |= p->cell[i].mark;
    }
    for (int colour = 1; colour < TSR_COLOURS; ++colour) {
        if (!used[colour])
            continue;
        fill_where(p, at, b, colour, 0);
        if (b->n > 0)
            c->fill(c, (uint8_t)colour, b->r, b->n);
    }
    for (int mark = TSR_MARK_FADED; mark <= TSR_MARK_CONFLICT; mark *= 2)
        if (marks & mark) {
            fill_where(p, at, b, 0, mark);
            c->mark(c, mark, b->r, b->n);
        }
}

/** Whether there is an edge of a style between two neighbours. */
static bool is_edge(tsr_cell const *a, tsr_cell const *b, line_style style)
{
    bool const cell_a = !(a->mark & TSR_MARK_EMPTY), cell_b = !(b->mark & TSR_MARK_EMPTY);
    bool const chosen_a = cell_a && (a->mark & TSR_MARK_CHOSEN), chosen_b = cell_b && (b->mark & TSR_MARK_CHOSEN);
    if (style == LINE_GRID)
        return cell_a && cell_b;
    if (style == LINE_CHOSEN)
        return chosen_a != chosen_b;
    return style == LINE_FRAME ? cell_a != cell_b : cell_a || cell_b;
}

/** The edges of a style in a panel. */
static void edges(tsr_picture const *p, placing const *at, batch *b, int k, line_style style)
{
    tsr_panel const *const g = &p->panel[k];
    placed_panel const *const to = &at->panel[k];
    int const w = at->cell_width, h = at->cell_height;
    for (int m = 0; m <= g->row.count; ++m)
        for (int n = 0; n < g->column.count; ++n)
            if ((style != LINE_BLOCK || tsr_axis_border_(&g->row, m) > 0)
                && is_edge(cell_of(p, g, m - 1, n), cell_of(p, g, m, n), style))
                batch_segment(b, to->x + n * w, to->y + m * h, w, false);
    for (int n = 0; n <= g->column.count; ++n)
        for (int m = 0; m < g->row.count; ++m)
            if ((style != LINE_BLOCK || tsr_axis_border_(&g->column, n) > 0)
                && is_edge(cell_of(p, g, m, n - 1), cell_of(p, g, m, n), style))
                batch_segment(b, to->x + n * w, to->y + m * h, h, true);
}

static void paint_lines(tsr_picture const *p, placing const *at, canvas *c, batch *b)
{
    for (int style = at->cell_width >= 8 ? LINE_GRID : LINE_BLOCK; style <= LINE_CHOSEN; ++style) {
        b->n = 0;
        for (int k = 0; k < p->panels; ++k)
            edges(p, at, b, k, (line_style)style);
        if (b->n > 0)
            c->line(c, (line_style)style, b->s, b->n);
    }
}

/** A whole text. */
static void paint_text(canvas *c, text_style style, text_anchor anchor, int size, int x, int y, char const *text)
{
    c->text(c, style, anchor, size, x, y, text, strlen(text));
}

/** A text in lines of `columns` columns, `step` pixels apart. */
static void paint_lines_of(canvas *c, text_style style, int size, int step, int columns, int x, int *y,
                           char const *text)
{
    for (size_t n = 0; *text; text += n, *y += size + step) {
        n = tsr_picture_line_(text, (size_t)columns);
        c->text(c, style, ANCHOR_LEFT, size, x, *y, text, n);
    }
}

/** Row by row, the first lines of the labels, then the second ones, so that texts of one height stand together. */
static void paint_labels(tsr_picture const *p, placing const *at, canvas *c, int k)
{
    tsr_panel const *const g = &p->panel[k];
    placed_panel const *const to = &at->panel[k];
    for (int m = 0; m < g->row.count; ++m)
        for (int line = 0; line < 4; ++line) /* plain labels: both lines; faded ones: both lines */
            for (int n = 0; n < g->column.count; ++n) {
                tsr_cell const *const cell = cell_of(p, g, m, n);
                char const *text = tsr_picture_string_(p, cell->label), *const second = strchr(text, '\n');
                bool const faded = (cell->mark & (TSR_MARK_FADED | TSR_MARK_OUTSIDE)) != 0;
                int const middle = to->y + m * at->cell_height + at->cell_height / 2;
                size_t length = second ? (size_t)(second - text) : strlen(text);
                int y = second ? middle - 6 : middle;
                if (line % 2 == 1) {
                    text = second ? second + 1 : "";
                    length = strlen(text);
                    y = middle + 6;
                }
                if (length > 0 && (line >= 2) == faded && !(cell->mark & TSR_MARK_EMPTY))
                    c->text(c, faded ? TEXT_FADED : TEXT_LABEL, ANCHOR_MIDDLE, at->label_size,
                            to->x + n * at->cell_width + at->cell_width / 2, y, text, length);
            }
}

/** The coordinates of each level of a nested mode, as tracks beyond the numbers, a bar over each block. */
static void paint_tracks(canvas *c, tsr_axis const *a, int from, int at, int cell, bool rows)
{
    for (int bars = 1; bars >= 0; --bars) { /* all bars, then all numbers */
        int64_t block = 1;
        for (int level = 0; level < a->levels; block *= a->extent[level++])
            for (int64_t i = 0; i < a->count; i += block) {
                char text[24];
                int const track = at - level * TRACK - TRACK / 2, begin = from + (int)i * cell,
                          length = (int)block * cell;
                int const middle = begin + length / 2, edge = track + TRACK / 2;
                int const n = snprintf(text, sizeof text, "%d", (int)(i / block % a->extent[level]));
                segment const bar = {rows ? edge : begin + 2, rows ? begin + 2 : edge, length - 4, rows};
                if ((rows ? SIZE_AXIS : tsr_letters_width_((size_t)n, SIZE_AXIS) + 2)
                    > length) /* no room for the number */
                    continue;
                if (bars && block > 1)
                    c->line(c, LINE_GRID, &bar, 1);
                else if (!bars)
                    c->text(c, TEXT_AXIS, ANCHOR_MIDDLE, SIZE_AXIS, rows ? track : middle, rows ? middle : track,
                            text, (size_t)n);
            }
    }
}

static void paint_axes(tsr_picture const *p, placing const *at, canvas *c, int k)
{
    tsr_panel const *const g = &p->panel[k];
    placed_panel const *const to = &at->panel[k];
    for (int n = 0; n < g->column.count; n += to->every_column) {
        int const x = to->x + n * at->cell_width + at->cell_width / 2;
        paint_text(c, TEXT_AXIS, ANCHOR_MIDDLE, SIZE_AXIS, x, to->y - 8, tsr_line_label_(p, &g->column, n));
    }
    for (int m = 0; m < g->row.count; m += to->every_row) {
        int const y = to->y + m * at->cell_height + at->cell_height / 2;
        paint_text(c, TEXT_AXIS, ANCHOR_RIGHT, SIZE_AXIS, to->x - 5, y, tsr_line_label_(p, &g->row, m));
    }
    if (to->column_tracks > 0)
        paint_tracks(c, &g->column, to->x, to->y - 17, at->cell_width, false);
    if (to->row_tracks > 0)
        paint_tracks(c, &g->row, to->y, to->left + (g->row.name ? 14 : 0) + TRACK * to->row_tracks, at->cell_height,
                     true);
    if (g->column.name)
        paint_text(c, TEXT_AXIS, ANCHOR_LEFT, SIZE_AXIS, to->x, to->y - to->column_margin + 6,
                   tsr_picture_string_(p, g->column.name));
    if (g->row.name)
        paint_text(c, TEXT_AXIS, ANCHOR_RIGHT, SIZE_AXIS, to->x - 5, to->y - 8, tsr_picture_string_(p, g->row.name));
}

static void paint_titles(tsr_picture const *p, placing const *at, canvas *c, int k)
{
    placed_panel const *const to = &at->panel[k];
    int y = to->top + SIZE_TITLE / 2 + 2;
    paint_lines_of(c, TEXT_TITLE, SIZE_TITLE, 4, to->title_columns, to->left, &y,
                   tsr_picture_string_(p, p->panel[k].title));
    if (p->panel[k].joint) {
        int const middle = to->left - to->joint / 2, height = to->y + p->panel[k].row.count * at->cell_height / 2;
        paint_text(c, TEXT_TITLE, ANCHOR_MIDDLE, SIZE_TITLE, middle, height - 12,
                   tsr_picture_string_(p, p->panel[k].joint));
        c->arrow(c, to->left - to->joint + 8, height, to->joint - 16);
    }
}

static void paint_legends(tsr_picture const *p, placing const *at, canvas *c)
{
    for (int i = 0; i < p->legends; ++i) {
        tsr_legend const *const l = &p->legend[i];
        int const y = at->legend_y + at->legend_line[i] * (SWATCH + 8), steps = tsr_legend_steps_(l);
        rectangle const all = {at->legend_x[i], y, steps * SWATCH, SWATCH};
        for (int k = 0; k < steps && l->colour; ++k) {
            rectangle const r = {at->legend_x[i] + k * SWATCH, y, SWATCH, SWATCH};
            c->fill(c, tsr_legend_colour_(l, k), &r, 1);
        }
        if (l->mark & (TSR_MARK_FADED | TSR_MARK_OUTSIDE | TSR_MARK_CONFLICT))
            c->mark(c, l->mark & (TSR_MARK_FADED | TSR_MARK_OUTSIDE | TSR_MARK_CONFLICT), &all, 1);
        segment const frame[] = {{all.x, y, all.width, false},
                                 {all.x, y + SWATCH, all.width, false},
                                 {all.x, y, SWATCH, true},
                                 {all.x + all.width, y, SWATCH, true}};
        c->line(c, l->mark & TSR_MARK_CHOSEN ? LINE_CHOSEN : LINE_GRID, frame, 4);
        paint_text(c, TEXT_NOTE, ANCHOR_LEFT, SIZE_NOTE, all.x + all.width + 8, y + SWATCH / 2,
                   tsr_picture_string_(p, l->text));
    }
    int y = at->notes_y + SIZE_NOTE / 2;
    for (int i = 0; i < p->notes; ++i)
        paint_lines_of(c, TEXT_NOTE, SIZE_NOTE, 5, at->note_columns, at->panel[0].left, &y,
                       tsr_picture_string_(p, p->note[i]));
}

bool tsr_paint_picture_(tsr_picture const *p, placing const *at, canvas *c)
{
    batch b = TSR_ZERO;
    b.capacity = 2 * p->cells + 64; /* no more edges than two a cell, but those of the last rows and columns */
    for (int k = 0; k < p->panels; ++k)
        b.capacity += (size_t)p->panel[k].row.count + (size_t)p->panel[k].column.count;
    b.r = (rectangle *)malloc(b.capacity * sizeof *b.r);
    b.s = (segment *)malloc(b.capacity * sizeof *b.s);
    if (b.r && b.s) {
        paint_fills(p, at, c, &b);
        paint_lines(p, at, c, &b);
        for (int k = 0; k < p->panels; ++k) {
            paint_titles(p, at, c, k);
            paint_axes(p, at, c, k);
            if (at->labels)
                paint_labels(p, at, c, k);
        }
        paint_legends(p, at, c);
    }
    bool const ok = b.r && b.s;
    free(b.r);
    free(b.s);
    return ok;
}
