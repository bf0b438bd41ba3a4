/** Pictures as SVG: self-contained, with a title and a description, for light and for dark grounds. Cells of one
 *  colour are one path, and texts of one row stand in one group, so that a picture is small. */
#include "picture/canvas.h"
#include "picture/stream.h"

#include <string.h>

typedef struct svg_canvas {
    canvas canvas;
    stream *s;
    text_style style; /* of the open group of texts */
    int y, size, anchor;
    bool open, row; /* a group of one style; in it, of one height */
} svg_canvas;

static void close_row(svg_canvas *v)
{
    tsr_stream_text_(v->s, v->row ? "</g>\n" : "");
    v->row = false;
}

static void close_group(svg_canvas *v)
{
    close_row(v);
    tsr_stream_text_(v->s, v->open ? "</g>\n" : "");
    v->open = false;
}

/** A letter and a number of a path. */
static void put_step(stream *s, char const *step, int n)
{
    tsr_stream_text_(s, step);
    tsr_stream_number_(s, n);
}

static void path_rectangles(stream *s, rectangle const *r, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        put_step(s, "M", r[i].x);
        put_step(s, " ", r[i].y);
        put_step(s, "h", r[i].width);
        put_step(s, "v", r[i].height);
        put_step(s, "h", -r[i].width);
    }
    tsr_stream_text_(s, "\"/>\n");
}

static void svg_fill(canvas *c, uint8_t colour, rectangle const *r, size_t n)
{
    svg_canvas *const v = (svg_canvas *)c;
    close_group(v);
    tsr_stream_put_(v->s, "<path class=\"c%d\" d=\"", colour);
    path_rectangles(v->s, r, n);
}

static void svg_mark(canvas *c, int mark, rectangle const *r, size_t n)
{
    svg_canvas *const v = (svg_canvas *)c;
    close_group(v);
    if (mark == TSR_MARK_CONFLICT) { /* a corner of each cell */
        tsr_stream_text_(v->s, "<path class=\"x\" d=\"");
        for (size_t i = 0; i < n; ++i)
            tsr_stream_put_(v->s, "M%d %dh9v9z", r[i].x + r[i].width - 9, r[i].y);
        tsr_stream_text_(v->s, "\"/>\n");
        return;
    }
    tsr_stream_put_(v->s, "<path class=\"%s\" d=\"", mark == TSR_MARK_FADED ? "f" : "o");
    path_rectangles(v->s, r, n);
}

static void svg_line(canvas *c, line_style style, segment const *l, size_t n)
{
    static char const *const names[LINE_STYLES] = {"g", "b", "r", "k", "a"};
    svg_canvas *const v = (svg_canvas *)c;
    close_group(v);
    tsr_stream_put_(v->s, "<path class=\"%s\" d=\"", names[style]);
    for (size_t i = 0; i < n; ++i) {
        put_step(v->s, "M", l[i].x);
        put_step(v->s, " ", l[i].y);
        put_step(v->s, l[i].down ? "v" : "h", l[i].length);
    }
    tsr_stream_text_(v->s, "\"/>\n");
}

static void svg_text(canvas *c, text_style style, text_anchor anchor, int size, int x, int y, char const *text,
                     size_t n)
{
    static char const *const names[TEXT_STYLES] = {"t", "t d", "t n", "t h", "t m"};
    static char const *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    svg_canvas *const v = (svg_canvas *)c;
    int const base = y + (size * 35 + 50) / 100; /* the middle of a capital is 0.35 of its size above the line */
    bool const rows = style == TEXT_LABEL || style == TEXT_FADED; /* many of one height: a group has it */
    if (!v->open || v->style != style || v->size != size || v->anchor != (int)anchor) {
        close_group(v);
        tsr_stream_put_(v->s, "<g class=\"%s\" font-size=\"%d\"%s>\n", names[style], size, anchors[anchor]);
        v->open = true;
        v->style = style;
        v->size = size;
        v->anchor = (int)anchor;
    }
    if (rows && (!v->row || v->y != base)) {
        close_row(v);
        tsr_stream_put_(v->s, "<g transform=\"translate(0 %d)\">", base);
        v->row = true;
        v->y = base;
    }
    put_step(v->s, "<text x=\"", x);
    if (!rows)
        put_step(v->s, "\" y=\"", base);
    tsr_stream_text_(v->s, "\">");
    tsr_stream_xml_(v->s, text, n);
    tsr_stream_text_(v->s, "</text>");
}

static void svg_arrow(canvas *c, int x, int y, int length)
{
    svg_canvas *const v = (svg_canvas *)c;
    close_group(v);
    tsr_stream_put_(v->s, "<path class=\"a\" d=\"M%d %dh%dm-6 -5l6 5l-6 5\"/>\n", x, y, length);
}

/** What a drawing has, so that its style says no more than it needs. */
typedef struct svg_uses {
    bool colour[TSR_COLOURS], fixed;
    int marks;
    bool blocks, arrows;
} svg_uses;

static svg_uses find_uses(tsr_picture const *p)
{
    svg_uses u = TSR_ZERO;
    for (size_t i = 0; i < p->cells; ++i) {
        u.colour[p->cell[i].colour] = true;
        u.marks |= p->cell[i].mark;
    }
    for (int i = 0; i < p->legends; ++i) {
        u.marks |= p->legend[i].mark;
        for (int k = 0; k < tsr_legend_steps_(&p->legend[i]); ++k)
            u.colour[tsr_legend_colour_(&p->legend[i], k)] = true;
    }
    for (int i = 0; i < p->panels; ++i) {
        u.blocks = u.blocks || p->panel[i].row.levels > 1 || p->panel[i].column.levels > 1;
        u.arrows = u.arrows || p->panel[i].joint;
    }
    for (int i = TSR_COLOUR_GREY; i < TSR_COLOURS; ++i)
        u.fixed = u.fixed || u.colour[i];
    return u;
}

/** The rules of one ground. */
static void put_ground(stream *s, svg_uses const *u, bool dark)
{
    tsr_stream_put_(s, ".p{fill:#%06x}.t{fill:#%06x}", tsr_colour_rgb(TSR_COLOUR_NONE, dark), tsr_ink_rgb(dark));
    tsr_stream_text_(s, dark ? ".n{fill:#a9b2bf}.g{stroke:#3c434f}.b,.r,.a{stroke:#aeb7c4}"
                             : ".n{fill:#5b6470}.g{stroke:#b9c0ca}.b,.r,.a{stroke:#3d4653}");
    if (u->marks & TSR_MARK_CHOSEN)
        tsr_stream_text_(s, dark ? ".k{stroke:#ffb000}" : ".k{stroke:#c2185b}");
    if (u->marks & (TSR_MARK_FADED | TSR_MARK_OUTSIDE))
        tsr_stream_text_(s, dark ? ".d{fill:#79818e}.f{fill:#1b1f27}" : ".d{fill:#8a919c}.f{fill:#f6f7f9}");
    if (u->marks & TSR_MARK_OUTSIDE)
        tsr_stream_text_(s, dark ? ".hp{fill:#22262e}.hl{stroke:#4b5361}" : ".hp{fill:#f1f2f5}.hl{stroke:#c3c9d2}");
    if (u->marks & TSR_MARK_CONFLICT)
        tsr_stream_text_(s, dark ? ".x{fill:#ff6b6b}" : ".x{fill:#d32f2f}");
    for (int i = 1; i < TSR_COLOURS; ++i)
        if (u->colour[i] && !(dark && i >= TSR_COLOUR_GREY))
            tsr_stream_put_(s, ".c%d{fill:#%06x}", i, tsr_colour_rgb((uint8_t)i, dark));
}

static void svg_begin(tsr_picture const *p, placing const *at, stream *s)
{
    char const *const title = tsr_picture_string_(p, p->title), *const words = tsr_picture_string_(p, p->description);
    svg_uses const u = find_uses(p);
    tsr_stream_put_(
        s, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" ",
        at->width, at->height, at->width, at->height);
    tsr_stream_text_(s, "aria-labelledby=\"title desc\">\n<title id=\"title\">");
    tsr_stream_xml_(s, title, strlen(title));
    tsr_stream_text_(s, "</title>\n<desc id=\"desc\">");
    tsr_stream_xml_(s, words, strlen(words));
    tsr_stream_text_(
        s, "</desc>\n<style>.t{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}"
           ".h{font-weight:600}.g,.b,.r,.k,.a{fill:none}.g{stroke-width:.7}.r{stroke-width:1.5}");
    tsr_stream_text_(s, u.blocks ? ".b{stroke-width:1.8}" : "");
    tsr_stream_text_(s, u.arrows ? ".a{stroke-width:1.6}" : "");
    tsr_stream_text_(s, u.marks & TSR_MARK_CHOSEN ? ".k{stroke-width:2.6;stroke-linecap:square}" : "");
    put_ground(s, &u, false);
    if (!u.fixed) { /* the colours of CuTe are for a light ground */
        tsr_stream_text_(s, "@media(prefers-color-scheme:dark){");
        put_ground(s, &u, true);
        tsr_stream_text_(s, "}");
    }
    tsr_stream_text_(s, u.marks & TSR_MARK_OUTSIDE ? ".o{fill:url(#o)}</style>\n" : "</style>\n");
    if (u.marks & TSR_MARK_OUTSIDE)
        tsr_stream_text_(
            s, "<defs><pattern id=\"o\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\">"
               "<path class=\"hp\" d=\"M0 0h7v7h-7z\"/><path class=\"hl\" d=\"M-2 9L9 -2M-2 2L2 -2M5 9L9 5\"/>"
               "</pattern></defs>\n");
    tsr_stream_put_(s, "<path class=\"p\" d=\"M0 0h%dv%dh%d\"/>\n", at->width, at->height, -at->width);
}

bool tsr_draw_svg_(tsr_picture const *p, tsr_drawing const *how, stream *s)
{
    placing at;
    svg_canvas v = {{svg_fill, svg_mark, svg_line, svg_text, svg_arrow}, s, TEXT_LABEL, 0, 0, 0, false, false};
    tsr_place_picture_(p, how, &at);
    svg_begin(p, &at, s);
    bool const ok = tsr_paint_picture_(p, &at, &v.canvas);
    close_group(&v);
    tsr_stream_text_(s, "</svg>\n");
    return ok;
}
