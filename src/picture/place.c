/** Placing: cells get the size that their labels need, or small ones when there are too many to read; panels stand in
 *  a grid where the picture says so, else side by side as far as a page goes; legends and notes follow below. */
#include "picture/place.h"

#include <string.h>

#include "picture/stream.h"

enum { PAGE = 1080, GAP = 28, EDGE = 16, MOST_LABELS = 4096, MOST_LINES = 128, TITLE_COLUMNS = 130 };

static int larger(int a, int b) { return a > b ? a : b; }

int tsr_letters_width_(size_t n, int size) { return (int)((n * (size_t)size * 6 + 9) / 10); }

int tsr_axis_border_(tsr_axis const *a, int64_t at)
{
    int64_t block = 1;
    int level = 0;
    for (int k = 0; k + 1 < a->levels; ++k) {
        block *= a->extent[k];
        level += at % block == 0;
    }
    return at == 0 || at == a->count ? 0 : level;
}

int tsr_legend_steps_(tsr_legend const *l) { return l->until ? 8 : 1; }

uint8_t tsr_legend_colour_(tsr_legend const *l, int step)
{
    return (uint8_t)(l->until ? l->colour + (l->until - l->colour) * step / 7 : l->colour);
}

/** The longest line of any label, and the most lines. */
static void measure_labels(tsr_picture const *p, size_t *longest, int *lines)
{
    *longest = 1;
    *lines = 1;
    for (size_t i = 0; i < p->cells; ++i) {
        char const *text = tsr_picture_string_(p, p->cell[i].label);
        char const *const second = strchr(text, '\n');
        size_t const n = second ? (size_t)(second - text) : strlen(text), m = second ? strlen(second + 1) : 0;
        *longest = n > *longest ? n : *longest;
        *longest = m > *longest ? m : *longest;
        *lines = second ? 2 : *lines;
    }
}

static void size_cells(tsr_picture const *p, tsr_drawing const *how, placing *at)
{
    size_t longest = 1;
    int lines = 1, most = 1;
    for (int i = 0; i < p->panels; ++i)
        most = larger(most, larger(p->panel[i].row.count, p->panel[i].column.count));
    measure_labels(p, &longest, &lines);
    at->labels = p->cells <= (size_t)(how->labels > 0 ? how->labels : MOST_LABELS) && most <= MOST_LINES;
    at->label_size = lines > 1 ? 10 : longest > 6 ? 10 : 11;
    at->cell_width = larger(tsr_letters_width_(longest, at->label_size) + 8, 26);
    at->cell_height = lines > 1 ? 30 : 26;
    if (!at->labels) {
        int const side = 768 / most;
        at->cell_width = at->cell_height = side < 1 ? 1 : side > 16 ? 16 : side;
    }
}

/** The pixels of the longest number beside an axis. */
static size_t longest_label(tsr_picture const *p, tsr_axis const *a)
{
    size_t longest = 1;
    for (int i = 0; i < a->count; ++i) {
        size_t const n = strlen(tsr_line_label_(p, a, i));
        longest = n > longest ? n : longest;
    }
    return longest;
}

/** Every how many lines a line has its number, so that numbers of `pixels` pixels do not meet: a power of two. */
static int spacing(int pixels, int cell)
{
    int every = 1;
    while (every * cell < pixels)
        every *= 2;
    return every;
}

/** The pixels of title and numbers above the cells. */
static int above_grid(placed_panel const *to) { return to->title_lines * (SIZE_TITLE + 4) + 4 + to->column_margin; }

static void size_panel(tsr_picture const *p, placing *at, tsr_panel const *g, placed_panel *to)
{
    size_t const row = longest_label(p, &g->row), column = longest_label(p, &g->column);
    char const *const title = tsr_picture_string_(p, g->title);
    bool const room = at->cell_width >= 16; /* nested coordinates need cells that one can see */
    to->row_tracks = room && g->row.levels > 1 ? g->row.levels : 0;
    to->column_tracks = room && g->column.levels > 1 ? g->column.levels : 0;
    to->every_row = spacing(at->labels ? SIZE_AXIS + 2 : 40, at->cell_height);
    to->every_column = spacing(at->labels ? tsr_letters_width_(column, SIZE_AXIS) + 4 : 40, at->cell_width);
    to->row_margin = tsr_letters_width_(row, SIZE_AXIS) + 8 + TRACK * to->row_tracks + (g->row.name ? 14 : 0);
    to->column_margin = 17 + TRACK * to->column_tracks + (g->column.name ? 14 : 0);
    int const grid = to->row_margin + g->column.count * at->cell_width;
    size_t const piece = tsr_picture_piece_(title);
    to->title_columns = larger(grid, tsr_letters_width_(30, SIZE_TITLE)) * 10 / (6 * SIZE_TITLE);
    if (to->title_columns < (int)piece) /* an expression stays whole, while it fits on a page */
        to->title_columns = piece < TITLE_COLUMNS ? (int)piece : TITLE_COLUMNS;
    to->title_lines = 0;
    size_t widest = 0;
    for (char const *t = title; *t; ++to->title_lines) {
        size_t const n = tsr_picture_line_(t, (size_t)to->title_columns);
        widest = n > widest ? n : widest;
        t += n;
    }
    to->width = larger(grid, tsr_letters_width_(widest, SIZE_TITLE));
    to->height = above_grid(to) + g->row.count * at->cell_height;
    to->joint = g->joint ? tsr_letters_width_(strlen(tsr_picture_string_(p, g->joint)), SIZE_TITLE) + 34 : 0;
}

static void settle(placing *at, placed_panel *to, int left, int top)
{
    to->left = left;
    to->top = top;
    to->x = left + to->row_margin;
    to->y = top + above_grid(to);
    at->width = larger(at->width, left + to->width + EDGE);
    at->height = larger(at->height, top + to->height + EDGE);
}

/** Side by side as far as a page goes, then below. The grids of a line begin at the same height. */
static void flow_panels(tsr_picture const *p, placing *at)
{
    int y = EDGE;
    for (int first = 0, end; first < p->panels; first = end) {
        int x = EDGE, titles = 0, margins = 0, height = 0;
        for (end = first; end < p->panels; ++end) {
            placed_panel const *const to = &at->panel[end];
            int const before = end > first ? larger(to->joint, GAP) : 0;
            if (end > first && x + before + to->width + EDGE > PAGE)
                break;
            x += before + to->width;
            titles = larger(titles, to->title_lines);
            margins = larger(margins, to->column_margin);
        }
        x = EDGE;
        for (int i = first; i < end; ++i) {
            placed_panel *const to = &at->panel[i];
            int const down = (titles - to->title_lines) * (SIZE_TITLE + 4) + margins - to->column_margin;
            x += i > first ? larger(to->joint, GAP) : to->joint;
            settle(at, to, x, y + down);
            x += to->width;
            height = larger(height, down + to->height);
        }
        y += height + GAP;
    }
}

/** In the rows and columns that the picture gives. */
static void grid_panels(tsr_picture const *p, placing *at)
{
    int x = EDGE, y = EDGE, rows = 0, columns = 0;
    int left[TSR_PICTURE_PANELS], top[TSR_PICTURE_PANELS],
        widest[TSR_PICTURE_PANELS] = {0}, highest[TSR_PICTURE_PANELS] = {0}, deepest[TSR_PICTURE_PANELS] = {0};
    for (int i = 0; i < p->panels; ++i) {
        int const row = p->panel[i].at_row, column = p->panel[i].at_column;
        rows = larger(rows, row + 1);
        columns = larger(columns, column + 1);
        widest[column] = larger(widest[column], at->panel[i].width);
        highest[row] = larger(highest[row], at->panel[i].height);
        deepest[row] = larger(deepest[row], above_grid(&at->panel[i]));
    }
    for (int k = 0; k < columns; x += widest[k++] + GAP)
        left[k] = x;
    for (int k = 0; k < rows; y += highest[k++] + GAP)
        top[k] = y;
    for (int i = 0; i < p->panels; ++i) { /* the last row and column of cells of neighbours stand in line */
        int const row = p->panel[i].at_row;
        settle(at, &at->panel[i], left[p->panel[i].at_column], top[row] + deepest[row] - above_grid(&at->panel[i]));
    }
}

static void place_legends(tsr_picture const *p, placing *at)
{
    int x = EDGE, line = 0;
    at->width = larger(at->width, tsr_letters_width_(60, SIZE_NOTE));
    at->legend_y = at->height + 2;
    for (int i = 0; i < p->legends; ++i) {
        tsr_legend const *const l = &p->legend[i];
        int const swatch = tsr_legend_steps_(l) * SWATCH;
        int const n = swatch + 8 + tsr_letters_width_(strlen(tsr_picture_string_(p, l->text)), SIZE_NOTE) + 20;
        if (x > EDGE && x + n > at->width) {
            x = EDGE;
            ++line;
        }
        at->width = larger(at->width, x + n);
        at->legend_x[i] = x;
        at->legend_line[i] = line;
        x += n;
    }
    at->height += p->legends > 0 ? (line + 1) * (SWATCH + 8) : 0;
    at->notes_y = at->height + 2;
    at->note_columns = (at->width - 2 * EDGE) * 10 / (6 * SIZE_NOTE);
    int lines = 0;
    for (int i = 0; i < p->notes; ++i)
        for (char const *t = tsr_picture_string_(p, p->note[i]); *t; ++lines)
            t += tsr_picture_line_(t, (size_t)at->note_columns);
    at->height += lines > 0 ? lines * (SIZE_NOTE + 5) + 6 : 0;
}

void tsr_place_picture_(tsr_picture const *p, tsr_drawing const *how, placing *at)
{
    memset(at, 0, sizeof *at);
    size_cells(p, how, at);
    for (int i = 0; i < p->panels; ++i)
        size_panel(p, at, &p->panel[i], &at->panel[i]);
    if (p->panels > 0 && p->panel[0].at_row >= 0)
        grid_panels(p, at);
    else
        flow_panels(p, at);
    place_legends(p, at);
}
