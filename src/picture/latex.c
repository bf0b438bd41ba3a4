/** Pictures as a standalone TikZ drawing. Units: a pixel is 0.75pt, y goes down. */
#include "picture/canvas.h"
#include "picture/stream.h"

#include <string.h>

typedef struct latex_canvas {
    canvas canvas;
    stream *s;
} latex_canvas;

static stream *latex_stream(canvas *c) { return ((latex_canvas *)c)->s; }

static void latex_rectangles(stream *s, rectangle const *r, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        tsr_stream_put_(s, " (%d,%d) rectangle (%d,%d)", r[i].x, r[i].y, r[i].x + r[i].width, r[i].y + r[i].height);
    tsr_stream_text_(s, ";\n");
}

static void latex_fill(canvas *c, uint8_t colour, rectangle const *r, size_t n)
{
    tsr_stream_put_(latex_stream(c), "\\fill[tsr%d]", colour);
    latex_rectangles(latex_stream(c), r, n);
}

static void latex_mark(canvas *c, int mark, rectangle const *r, size_t n)
{
    stream *const s = latex_stream(c);
    if (mark == TSR_MARK_CONFLICT) {
        tsr_stream_text_(s, "\\fill[tsrconflict]");
        for (size_t i = 0; i < n; ++i)
            tsr_stream_put_(s, " (%d,%d) -- ++(9,0) -- ++(0,9) -- cycle", r[i].x + r[i].width - 9, r[i].y);
        tsr_stream_text_(s, ";\n");
        return;
    }
    tsr_stream_text_(
        s, mark == TSR_MARK_FADED ? "\\fill[tsrfaded]" : "\\fill[pattern=north east lines,pattern color=tsrgrid]");
    latex_rectangles(s, r, n);
}

static void latex_line(canvas *c, line_style style, segment const *l, size_t n)
{
    static char const *const styles[LINE_STYLES] = {"tsrgrid,line width=.4pt", "tsrframe,line width=1.1pt",
                                                    "tsrframe,line width=.9pt", "tsrchosen,line width=1.6pt",
                                                    "tsrframe,line width=.9pt"};
    stream *const s = latex_stream(c);
    tsr_stream_put_(s, "\\draw[%s]", styles[style]);
    for (size_t i = 0; i < n; ++i)
        tsr_stream_put_(s, l[i].down ? " (%d,%d) -- ++(0,%d)" : " (%d,%d) -- ++(%d,0)", l[i].x, l[i].y, l[i].length);
    tsr_stream_text_(s, ";\n");
}

static void latex_text(canvas *c, text_style style, text_anchor anchor, int size, int x, int y, char const *text,
                       size_t n)
{
    static char const *const inks[TEXT_STYLES] = {"tsrink", "tsrfaint", "tsraxis", "tsrink", "tsrink"};
    static char const *const anchors[] = {"west", "center", "east"};
    stream *const s = latex_stream(c);
    tsr_stream_put_(s, "\\node[anchor=%s,text=%s,font=\\tsrfont{%d}%s] at (%d,%d) {", anchors[anchor], inks[style],
                    size, style == TEXT_TITLE ? "\\bfseries" : "", x, y);
    tsr_stream_tex_(s, text, n);
    tsr_stream_text_(s, "};\n");
}

static void latex_arrow(canvas *c, int x, int y, int length)
{
    tsr_stream_put_(latex_stream(c), "\\draw[tsrframe,line width=1.2pt,->] (%d,%d) -- ++(%d,0);\n", x, y, length);
}

static void latex_colours(tsr_picture const *p, stream *s)
{
    static struct {
        char const *name;
        uint32_t rgb;
    } const inks[] = {{"ink", 0x16181d},  {"faint", 0x8a919c}, {"axis", 0x5b6470},   {"faded", 0xf6f7f9},
                      {"grid", 0xb9c0ca}, {"frame", 0x3d4653}, {"chosen", 0xc2185b}, {"conflict", 0xd32f2f}};
    bool used[TSR_COLOURS] = {false};
    for (size_t i = 0; i < p->cells; ++i)
        used[p->cell[i].colour] = true;
    for (int i = 0; i < p->legends; ++i)
        for (int k = 0; k < tsr_legend_steps_(&p->legend[i]); ++k)
            used[tsr_legend_colour_(&p->legend[i], k)] = true;
    for (size_t i = 0; i < sizeof inks / sizeof inks[0]; ++i)
        tsr_stream_put_(s, "\\definecolor{tsr%s}{HTML}{%06X}\n", inks[i].name, inks[i].rgb);
    for (int i = 1; i < TSR_COLOURS; ++i)
        if (used[i])
            tsr_stream_put_(s, "\\definecolor{tsr%d}{HTML}{%06X}\n", i, tsr_colour_rgb((uint8_t)i, false));
}

bool tsr_draw_latex_(tsr_picture const *p, tsr_drawing const *how, stream *s)
{
    placing at;
    char const *const title = tsr_picture_string_(p, p->title);
    latex_canvas v = {{latex_fill, latex_mark, latex_line, latex_text, latex_arrow}, s};
    tsr_place_picture_(p, how, &at);
    tsr_stream_text_(s, "% ");
    for (char const *t = title; *t; ++t)
        tsr_stream_bytes_(s, (unsigned char)*t < ' ' ? " " : t, 1);
    tsr_stream_text_(s, "\n\\documentclass[tikz,border=4pt]{standalone}\n\\usetikzlibrary{patterns}\n");
    latex_colours(p, s);
    tsr_stream_text_(
        s, "% a letter is 0.6 of its size wide\n"
           "\\newcommand{\\tsrfont}[1]{\\ttfamily\\fontsize{\\fpeval{0.75*#1*0.6/0.525}pt}{#1pt}\\selectfont}\n"
           "\\begin{document}\\frenchspacing\n\\begin{tikzpicture}[x=0.75pt,y=-0.75pt,every node/.style={inner "
           "sep=0pt}]\n");
    tsr_stream_put_(s, "\\useasboundingbox (0,0) rectangle (%d,%d);\n", at.width, at.height);
    bool const ok = tsr_paint_picture_(p, &at, &v.canvas);
    tsr_stream_text_(s, "\\end{tikzpicture}\n\\end{document}\n");
    return ok;
}
