/** Pictures as characters: panels are drawn on sheets, side by side where the width allows.
 *
 *  A panel whose labels fit shows them in boxes. One that is too wide shows colours alone, a cell in two characters,
 *  in one, or in half of one; without colours its columns go on below in bands. The plainest form is print_layout's.
 */
#include "picture/place.h"
#include "picture/sheet.h"

#include <stdlib.h>
#include <string.h>

/** How a panel is drawn: with labels, as blocks of one or two characters, or two rows a character. */
typedef enum panel_style { STYLE_LABELS, STYLE_TWO, STYLE_ONE, STYLE_HALF } panel_style;

/* A panel on a sheet */

static int label_length(char const *text)
{
    int n = 0;
    for (; *text; ++text)
        n += *text != '\n';
    return n;
}

static int widest_label(tsr_picture const *p)
{
    int widest = p->label_width > 1 ? p->label_width : 1;
    for (size_t i = 0; i < p->cells; ++i) {
        int const n = label_length(tsr_picture_string_(p, p->cell[i].label));
        widest = n > widest ? n : widest;
    }
    return widest;
}

/** The characters in front of the rows. */
static int margin_width(tsr_picture const *p, tsr_panel const *g, manner const *m)
{
    size_t widest = 2;
    if (m->cute)
        return 4;
    for (int i = 0; i < g->row.count; ++i) {
        size_t const n = strlen(tsr_line_label_(p, &g->row, i))
                         + (g->row.levels > 1 ? 1 + strlen(tsr_line_coord_(p, &g->row, i)) : 0);
        widest = n > widest ? n : widest;
    }
    return (int)widest + 2;
}

static void write_margin(tsr_picture const *p, tsr_panel const *g, manner const *m, sheet *s, int y, int row,
                         int width)
{
    char const *const label = tsr_line_label_(p, &g->row, row), *const coord = tsr_line_coord_(p, &g->row, row);
    if (m->cute) {
        char text[32];
        snprintf(text, sizeof text, "%2d  ", row);
        tsr_sheet_write_(s, 0, y, text, sizeof text);
        return;
    }
    bool const nested = g->row.levels > 1;
    int const n = (int)strlen(label) + (nested ? 1 + (int)strlen(coord) : 0);
    tsr_sheet_write_(s, width - 2 - n, y, label, strlen(label));
    if (nested)
        tsr_sheet_write_(s, width - 2 - (int)strlen(coord), y, coord, strlen(coord));
}

/** A character of the frame: at a crossing (both), on a horizontal or on a vertical line; weights 0 or 1. */
static uint16_t crossing(bool unicode, bool top, bool bottom, bool left, bool right, int row_weight,
                         int column_weight)
{
    static uint16_t const inner[2][2] = {{0x253c, 0x2542}, {0x253f, 0x254b}};
    if (!unicode)
        return '+';
    if (top)
        return left ? 0x250c : right ? 0x2510 : column_weight ? 0x2530 : 0x252c;
    if (bottom)
        return left ? 0x2514 : right ? 0x2518 : column_weight ? 0x2538 : 0x2534;
    if (left)
        return row_weight ? 0x251d : 0x251c;
    if (right)
        return row_weight ? 0x2525 : 0x2524;
    return inner[row_weight][column_weight];
}

static void write_rule(tsr_panel const *g, manner const *m, sheet *s, int x, int y, int row, int begin, int end,
                       int width)
{
    int const heavy = !m->cute && tsr_axis_border_(&g->row, row) > 0;
    uint16_t const dash = m->unicode ? (heavy ? 0x2501 : 0x2500) : heavy ? '=' : '-';
    for (int c = begin; c <= end; ++c) {
        int const column = x + (c - begin) * (width + 1);
        int const weight = !m->cute && tsr_axis_border_(&g->column, c) > 0;
        uint16_t const cross =
            crossing(m->unicode, row == 0, row == g->row.count, c == begin, c == end, heavy, weight);
        tsr_sheet_set_(s, column, y, cross, 0, 0, false);
        for (int i = 1; c < end && i <= width; ++i)
            tsr_sheet_set_(s, column + i, y, dash, 0, 0, false);
    }
}

/** A label between two blanks, the colour of its cell behind it; marks as brackets where there is no colour. */
static void write_label(tsr_picture const *p, tsr_cell const *c, manner const *m, sheet *s, int x, int y, int width)
{
    char text[128];
    int n = 0;
    for (char const *t = tsr_picture_string_(p, c->label); *t && n + 1 < (int)sizeof text; ++t)
        if (*t != '\n')
            text[n++] = *t;
    text[n] = 0;
    uint8_t const ground = m->colours && !(c->mark & (TSR_MARK_OUTSIDE | TSR_MARK_FADED)) ? c->colour : 0;
    bool const faint = (c->mark & TSR_MARK_FADED) != 0;
    if (!m->colours && faint)
        n = snprintf(text, sizeof text, ".");
    if (c->mark & TSR_MARK_OUTSIDE)
        n = snprintf(text, sizeof text, "x");
    for (int i = 0; i < width; ++i)
        tsr_sheet_set_(s, x + i, y, ' ', ground, 0, faint);
    int const right = n < width ? width - 1 : width; /* a blank behind it where there is room, and marks */
    for (int i = 0; i < n; ++i)
        tsr_sheet_set_(s, x + right - n + i, y, (uint16_t)(unsigned char)text[i], ground, 0, faint);
    if (c->mark & TSR_MARK_CHOSEN && n + 2 <= width) {
        tsr_sheet_set_(s, x, y, '[', ground, 0, false);
        tsr_sheet_set_(s, x + width - 1, y, ']', ground, 0, false);
    }
    if (c->mark & TSR_MARK_CONFLICT && n < width)
        tsr_sheet_set_(s, x + width - 1, y, '!', ground, 0, false);
}

/** Columns begin to end of a panel with their labels; returns the lines it took. With no sheet, only counts. */
static int draw_labels(tsr_picture const *p, tsr_panel const *g, manner const *m, sheet *s, int y, int begin, int end,
                       int width)
{
    int const margin = margin_width(p, g, m), lines = 2 * g->row.count + 2;
    bool nested = !m->cute && g->column.levels > 1;
    for (int c = 0; nested && c < g->column.count; ++c)
        nested = (int)strlen(tsr_line_coord_(p, &g->column, c)) <= width;
    if (!s)
        return lines + nested;
    if (m->cute)
        tsr_sheet_write_(s, 0, y, "    ", 4);
    for (int c = begin; c < end; ++c) {
        char const *const texts[2] = {tsr_line_label_(p, &g->column, c), tsr_line_coord_(p, &g->column, c)};
        int const x = margin + (c - begin) * (width + 1);
        for (int k = 0; k < 1 + nested; ++k) {
            int const n = (int)strlen(texts[k]), right = k == 0 ? x + width - n : x + (width + 2 - n) / 2;
            tsr_sheet_write_(s, right, y + k, texts[k], (size_t)n);
        }
        if (m->cute)
            tsr_sheet_set_(s, x + width, y, ' ', 0, 0, false);
    }
    y += nested;
    for (int r = 0; r < g->row.count; ++r) {
        write_rule(g, m, s, margin, y + 2 * r + 1, r, begin, end, width);
        write_margin(p, g, m, s, y + 2 * r + 2, r, margin);
        for (int c = begin; c <= end; ++c) {
            int const x = margin + (c - begin) * (width + 1);
            bool const heavy = !m->cute && c > begin && c < end && tsr_axis_border_(&g->column, c) > 0;
            tsr_sheet_set_(s, x, y + 2 * r + 2,
                           m->unicode ? (heavy ? 0x2503 : 0x2502)
                           : heavy    ? '#'
                                      : '|',
                           0, 0, false);
            if (c < end)
                write_label(p, &p->cell[g->first + (size_t)(r * g->column.count + c)], m, s, x + 1, y + 2 * r + 2,
                            width);
        }
    }
    write_rule(g, m, s, margin, y + 2 * g->row.count + 1, g->row.count, begin, end, width);
    return lines + nested;
}

/** The colour of a cell that has no room for its label. */
static uint8_t block_colour(tsr_cell const *c)
{
    return c->mark & (TSR_MARK_OUTSIDE | TSR_MARK_FADED | TSR_MARK_EMPTY) ? 0 : c->colour;
}

/** A panel as blocks of colour. */
static int draw_blocks(tsr_picture const *p, tsr_panel const *g, manner const *m, sheet *s, int y, int begin, int end,
                       panel_style style)
{
    int const margin = margin_width(p, g, m), wide = style == STYLE_TWO ? 2 : 1, high = style == STYLE_HALF ? 2 : 1;
    int const lines = (g->row.count + high - 1) / high + 1;
    for (int c = begin; s && c < end; c += 16)
        if (c + 4 <= end || c == begin) {
            char const *const text = tsr_line_label_(p, &g->column, c);
            tsr_sheet_write_(s, margin + (c - begin) * wide, y, text, strlen(text));
        }
    for (int r = 0; s && r < g->row.count; r += high) {
        int const line = y + 1 + r / high;
        if (r % 8 == 0)
            write_margin(p, g, m, s, line, r, margin);
        for (int c = begin; c < end; ++c) {
            tsr_cell const *const upper = &p->cell[g->first + (size_t)(r * g->column.count + c)];
            tsr_cell const *const lower = high == 2 && r + 1 < g->row.count ? upper + g->column.count : upper;
            for (int i = 0; i < wide; ++i) {
                int const x = margin + (c - begin) * wide + i;
                if (high == 2)
                    tsr_sheet_set_(s, x, line, 0x2580, block_colour(lower), block_colour(upper), false);
                else
                    tsr_sheet_set_(s, x, line, upper->mark & TSR_MARK_CHOSEN && i == 0 ? '*' : ' ',
                                   block_colour(upper), 0, false);
            }
        }
    }
    return lines;
}

/** The style in which a panel fits a width, the columns of a band, the width of a label's box, and that of all beside
 *  other panels. */
typedef struct fitting {
    panel_style style;
    int box, columns, width, beside;
} fitting;

static fitting fit_panel(tsr_picture const *p, tsr_panel const *g, manner const *m, int box)
{
    int const margin = margin_width(p, g, m), room = m->width > 0 ? m->width - margin : 1 << 28;
    int const all = g->column.count;
    int wide = box;
    for (int c = 0; !m->cute && g->column.levels > 1 && c < all; ++c) { /* room for nested coordinates */
        int const n = (int)strlen(tsr_line_coord_(p, &g->column, c));
        wide = n > wide ? n : wide;
    }
    box = all * (wide + 1) + 1 <= room ? wide : box;
    for (int less = 0; m->colours > 0 && less < 2 && all * (box + 1) + 1 > room; ++less)
        --box; /* blanks beside the labels, which colours can do without */
    fitting f = {STYLE_LABELS, box, all, 0, 0};
    if (all * (box + 1) + 1 <= room)
        f.style = STYLE_LABELS;
    else if (m->colours > 0 && all * 2 <= room)
        f.style = STYLE_TWO;
    else if (m->colours > 0 && m->unicode && all <= room)
        f.style = STYLE_HALF;
    else if (m->colours > 0 && all <= room)
        f.style = STYLE_ONE;
    else
        f.columns = (room - 1) / (box + 1) > 1 ? (room - 1) / (box + 1) : 1;
    f.width = margin + (f.style == STYLE_LABELS ? f.columns * (box + 1) + 1 : all * (f.style == STYLE_TWO ? 2 : 1));
    return f;
}

/** The title, then every band; returns the lines. */
static int draw_panel(tsr_picture const *p, tsr_panel const *g, manner const *m, fitting const *f, sheet *s, int y,
                      int title_width)
{
    int const top = y;
    char const *title = tsr_picture_string_(p, g->title);
    while (*title) {
        size_t const n = tsr_picture_line_(title, (size_t)title_width);
        if (s)
            tsr_sheet_write_(s, 0, y, title, title[n] && title[n - 1] == ' ' ? n - 1 : n);
        title += n;
        ++y;
    }
    for (int begin = 0; begin < g->column.count; begin += f->columns) {
        int const end = begin + f->columns < g->column.count ? begin + f->columns : g->column.count;
        if (begin > 0)
            ++y;
        y += f->style == STYLE_LABELS ? draw_labels(p, g, m, s, y, begin, end, f->box)
                                      : draw_blocks(p, g, m, s, y, begin, end, f->style);
    }
    return y - top;
}

/** Lines of a text, broken at the width. */
static void put_paragraph(stream *s, manner const *m, char const *text, char const *indent)
{
    size_t const room = m->width > 8 ? (size_t)m->width - strlen(indent) : (size_t)1 << 20;
    for (bool first = true; *text; first = false) {
        size_t const n = tsr_picture_line_(text, room);
        tsr_stream_text_(s, first ? "" : indent);
        tsr_stream_bytes_(s, text, text[n] && text[n - 1] == ' ' ? n - 1 : n);
        tsr_stream_text_(s, "\n");
        text += n;
    }
}

static void put_legends(stream *s, manner const *m, tsr_picture const *p)
{
    static char const *const marks[] = {"[ ]", " . ", " x ", "  !"};
    for (int i = 0; i < p->legends; ++i) {
        tsr_legend const *const l = &p->legend[i];
        int k = 0;
        while (k < 4 && !(l->mark >> k & 1))
            ++k;
        if (!m->colours && k == 4)
            continue;
        if (m->colours && l->colour) {
            for (int step = 0; step < tsr_legend_steps_(l); ++step) {
                glyph const g = {' ', tsr_legend_colour_(l, step), 0, 0};
                tsr_put_style_(s, m, &g);
                tsr_stream_text_(s, l->until ? "  " : "   ");
            }
            tsr_stream_text_(s, "\033[0m ");
        } else if (k < 4) {
            tsr_stream_put_(s, "%s ", marks[k]);
        }
        put_paragraph(s, m, tsr_picture_string_(p, l->text), "    ");
    }
    for (int i = 0; i < p->notes; ++i)
        put_paragraph(s, m, tsr_picture_string_(p, p->note[i]), "  ");
}

/** The columns of a panel among others: its title stands there, whose expression is not cut where it fits in a line. */
static int beside_width(tsr_picture const *p, tsr_panel const *g, manner const *m, fitting const *f)
{
    enum { TITLE = 24 };
    int const piece = (int)tsr_picture_piece_(tsr_picture_string_(p, g->title)),
              title = piece <= m->width ? piece : TITLE;
    return title > f->width ? title : f->width;
}

/** The columns between a panel and the one on its left: an arrow with its word. */
static int gap_width(tsr_picture const *p, int panel)
{
    uint32_t const joint = p->panel[panel].joint;
    return joint ? (int)strlen(tsr_picture_string_(p, joint)) + 7 : 4;
}

/** The panels from `first` on that stand in one line of panels: as many as fit. */
static int panels_of_line(tsr_picture const *p, fitting const *f, manner const *m, int first)
{
    int n = 1, width = f[first].beside;
    if (m->cute || m->width == 0)
        return 1;
    while (first + n < p->panels && p->panel[first + n].at_row == p->panel[first].at_row) {
        width += gap_width(p, first + n) + f[first + n].beside;
        if (width > m->width || f[first + n].columns < p->panel[first + n].column.count)
            break;
        ++n;
    }
    return n;
}

/** "word ->" in front of a panel. */
static void write_joint(tsr_picture const *p, manner const *m, sheet *s, int x, int y, int panel)
{
    char const *const word = tsr_picture_string_(p, p->panel[panel].joint);
    size_t const n = strlen(word);
    tsr_sheet_write_(s, x, y, word, n);
    if (m->unicode)
        tsr_sheet_set_(s, x + (int)n + 1, y, 0x2192, 0, 0, false);
    else
        tsr_sheet_write_(s, x + (int)n + 1, y, "->", 2);
}

/** One line of panels, the later ones to the right of the first. */
static bool put_panels(stream *s, tsr_picture const *p, manner const *m, fitting const *f, int first, int n)
{
    sheet all;
    int height = 0, width = 0;
    int const alone = m->width > 0 ? m->width : 1 << 16; /* the width of the title of a panel alone */
    for (int i = first; i < first + n; ++i) {
        int const lines = draw_panel(p, &p->panel[i], m, &f[i], NULL, 0, n == 1 ? alone : f[i].beside);
        int const title = (int)tsr_picture_line_(tsr_picture_string_(p, p->panel[i].title), (size_t)alone);
        height = lines > height ? lines : height;
        width += n > 1 ? f[i].beside + gap_width(p, i) : title > f[i].width ? title : f[i].width;
    }
    bool ok = tsr_sheet_open_(&all, width, height);
    for (int i = first, x = 0; ok && i < first + n; ++i) {
        int const wide = n == 1 ? width : f[i].beside;
        if (i > first && p->panel[i].joint)
            write_joint(p, m, &all, x - gap_width(p, i) + 2, height / 2, i);
        all.left = x;
        all.wide = wide;
        draw_panel(p, &p->panel[i], m, &f[i], &all, 0, n == 1 ? alone : wide);
        all.left = 0;
        all.wide = width;
        x += wide + (i + 1 < first + n ? gap_width(p, i + 1) : 0);
    }
    if (ok)
        tsr_put_sheet_(s, m, &all);
    tsr_sheet_close_(&all);
    return ok;
}

bool tsr_draw_text_(tsr_picture const *p, tsr_drawing const *how, stream *s)
{
    manner m = {how->format == TSR_FORMAT_CUTE, how->format == TSR_FORMAT_UNICODE, how->colours, how->width};
    bool ok = true;
    int const box = widest_label(p) + 2;
    fitting *const f = (fitting *)malloc((size_t)p->panels * sizeof *f);
    if (m.cute)
        m.colours = m.width = 0;
    if (!f)
        return false;
    for (int i = 0; i < p->panels; ++i) {
        f[i] = fit_panel(p, &p->panel[i], &m, box);
        f[i].beside = beside_width(p, &p->panel[i], &m, &f[i]);
    }
    for (int i = 0, n; ok && i < p->panels; i += n) {
        n = panels_of_line(p, f, &m, i);
        if (i > 0)
            tsr_stream_text_(s, "\n");
        if (i > 0 && p->panel[i].joint)
            tsr_stream_put_(s, "%s %s\n", tsr_picture_string_(p, p->panel[i].joint),
                            m.unicode ? "\xe2\x86\x92" : "->");
        ok = put_panels(s, p, &m, f, i, n);
    }
    if (!(m.cute && p->plain)) {
        tsr_stream_text_(s, p->legends + p->notes > 0 ? "\n" : "");
        put_legends(s, &m, p);
    }
    free(f);
    return ok;
}

/** Where the text of a table goes. */
static bool to_writer(void *context, char const *bytes, size_t n)
{
    writer *const w = (writer *)context;
    put(w, "%.*s", (int)n, bytes);
    return true;
}

size_t tsr_format_table(char *out, size_t size, tsr_layout l)
{
    writer w;
    tsr_picture_options const o = tsr_plain_picture();
    tsr_drawing const how = {TSR_FORMAT_CUTE, 0, 0, 0};
    writer_open(&w, out, size);
    tsr_picture p = tsr_make_layout_picture(&l, &o);
    if (!tsr_picture_ok(&p) || !tsr_draw_picture(&p, how, to_writer, &w)) {
        char text[TSR_TEXT_SIZE];
        bool const bare = l.shape.status || tsr_is_unit(&l.shape);
        tsr_format_layout(text, sizeof text, l, 0);
        put(&w, "%s\n%s%s", text, bare ? "" : p.refused, bare ? "" : "\n");
    }
    tsr_picture_free(&p);
    return w.used;
}

static size_t format_table(char *out, size_t size, void const *l)
{
    return tsr_format_table(out, size, *(tsr_layout const *)l);
}

void tsr_print_layout(FILE *file, tsr_layout l) { tsr_print_long_(file, format_table, &l); }
