/** Pictures: what CuTe recorded, contrasts, and for every example of the table of operations and every picture of the
 *  gallery that all formats draw it, that nothing overlaps or leaves the drawing, and that text keeps its width; and
 *  that recorded expressions are drawn or refused.
 *
 *  usage: picture FOLDER [EVERY FILE...]: of the expressions in the files, one of EVERY. In FOLDER `recorded` holds
 *  panel, row, column, label and colour of the cells of print_latex and print_svg, one file a picture, its expression
 *  in the first line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture/canvas.h"
#include "picture/letters.h"
#include "picture/stream.h"
#include "../cli/gallery.h"
#include "picture_of.h"
#include "tessera/atoms.h"

static int checks, failed, pictures;

static void check(bool ok, char const *what, char const *which)
{
    ++checks;
    failed += !ok;
    if (!ok)
        printf("%s: %s\n", what, which);
}

#include "picture_colours.inc"

/* Letters of pixels */

/** Every letter has ink, inside of its cells, and no two look alike, in all sizes. */
static void check_letters(void)
{
    enum { LETTERS = LETTER_LAST - LETTER_FIRST + 1 };
    static letter all[LETTERS];
    char name[64];
    for (int size = 20; size <= 26; size += 2)
        for (int bold = 0; bold < 2; ++bold)
            for (int i = 0; i < LETTERS; ++i) {
                int ink = 0;
                bool out = false, twin = false;
                tsr_letter_draw_(&all[i], (char)(LETTER_FIRST + i), size, bold);
                for (int y = 0; y < LETTER_HEIGHT; ++y)
                    for (int x = 0; x < LETTER_WIDTH; ++x) {
                        ink += all[i].covered[y][x];
                        out = out
                              || (all[i].covered[y][x]
                                  && (y == 0 || y == LETTER_HEIGHT - 1 || x == 0
                                      || x > LETTER_MARGIN + size * 6 / 10 + 1));
                    }
                for (int k = 0; k < i; ++k)
                    twin = twin || memcmp(all[i].covered, all[k].covered, sizeof all[i].covered) == 0;
                snprintf(name, sizeof name, "the letter %c, %d pixels%s", LETTER_FIRST + i, size,
                         bold ? ", bold" : "");
                check((ink > 0) == (i > 0), "no ink, or a blank with ink", name);
                check(!out, "ink beside its cells", name);
                check(!twin, "two letters that look alike", name);
            }
}

/* Recorded cells */

static int find_panel(tsr_picture const *p, char const *name)
{
    for (int k = 0; k < p->panels; ++k)
        if (strcmp(p->text + p->panel[k].name, name) == 0)
            return k;
    return atoi(name) - 1;
}

static void check_recorded(char const *folder, char const *file)
{
    char path[4096], line[512], panel[64], label[64];
    snprintf(path, sizeof path, "%s/recorded/%s.tsv", folder, file);
    FILE *const from = fopen(path, "r");
    if (!from || !fgets(line, sizeof line, from)) {
        check(false, "not read", path);
        if (from)
            fclose(from);
        return;
    }
    line[strcspn(line, "\n")] = 0;
    tsr_picture_options o = tsr_plain_picture();
    o.cute = true;
    tsr_picture p = picture_of(line + 2, &o);
    size_t cells = 0;
    check(tsr_picture_ok(&p), p.refused, line);
    int row = 0, column = 0;
    unsigned rgb = 0;
    while (tsr_picture_ok(&p) && fgets(line, sizeof line, from)
           && sscanf(line, "%63[^\t]\t%d\t%d\t%63[^\t]\t%x", panel, &row, &column, label, &rgb) == 5) {
        int const k = find_panel(&p, panel);
        bool ok = k >= 0 && k < p.panels && row < p.panel[k].row.count && column < p.panel[k].column.count;
        if (ok) {
            tsr_cell const *const c = &p.cell[p.panel[k].first + (size_t)(row * p.panel[k].column.count + column)];
            char got[64];
            snprintf(got, sizeof got, "%s", p.text + c->label);
            if (strchr(got, '\n'))
                *strchr(got, '\n') = ' ';
            ok = strcmp(got, label) == 0 && tsr_colour_rgb(c->colour, false) == rgb;
        }
        check(ok, file, line);
        ++cells;
    }
    check(cells == p.cells, "another number of cells", file);
    tsr_picture_free(&p);
    fclose(from);
}

/* A canvas that keeps where texts stand */

typedef struct box {
    int left, right, top, bottom;
} box;

typedef struct boxes {
    canvas canvas;
    box *box;
    size_t n, room;
    int width, height;
    bool outside, cut; /* something is; an expression of a title */
} boxes;

static void seen(boxes *b, int left, int top, int right, int bottom)
{
    b->outside = b->outside || left < 0 || top < 0 || right > b->width || bottom > b->height;
}

static void keep_rectangles(canvas *c, uint8_t colour, rectangle const *r, size_t n)
{
    (void)colour;
    for (size_t i = 0; i < n; ++i)
        seen((boxes *)c, r[i].x, r[i].y, r[i].x + r[i].width, r[i].y + r[i].height);
}

static void keep_marks(canvas *c, int mark, rectangle const *r, size_t n)
{
    (void)mark;
    keep_rectangles(c, 0, r, n);
}

static void keep_lines(canvas *c, line_style style, segment const *s, size_t n)
{
    (void)style;
    for (size_t i = 0; i < n; ++i)
        seen((boxes *)c, s[i].x, s[i].y, s[i].x + (s[i].down ? 0 : s[i].length),
             s[i].y + (s[i].down ? s[i].length : 0));
}

static void keep_text(canvas *c, text_style style, text_anchor anchor, int size, int x, int y, char const *text,
                      size_t n)
{
    boxes *const b = (boxes *)c;
    int const wide = tsr_letters_width_(n, size), left = anchor == ANCHOR_LEFT     ? x
                                                         : anchor == ANCHOR_MIDDLE ? x - wide / 2
                                                                                   : x - wide;
    box const one = {left, left + wide - 1, y - size * 2 / 5, y + size * 2 / 5};
    int open = 0;
    for (size_t i = 0; i < n && style == TEXT_TITLE; ++i) {
        open += (strchr("(<[{", text[i]) != NULL) - (strchr(")>]}", text[i]) != NULL);
        b->cut = b->cut || open < 0;
    }
    b->cut = b->cut || open > 0;
    seen(b, one.left, one.top, one.right, one.bottom);
    if (b->n == b->room) {
        box *const bigger = (box *)realloc(b->box, (2 * b->room + 64) * sizeof *bigger);
        if (!bigger)
            exit(2);
        b->box = bigger;
        b->room = 2 * b->room + 64;
    }
    b->box[b->n++] = one;
}

static void keep_arrow(canvas *c, int x, int y, int length) { seen((boxes *)c, x, y - 6, x + length, y + 6); }

static int by_left(void const *a, void const *b) { return ((box const *)a)->left - ((box const *)b)->left; }

static bool overlaps(boxes *b)
{
    qsort(b->box, b->n, sizeof *b->box, by_left);
    for (size_t i = 0; i < b->n; ++i)
        for (size_t k = i + 1; k < b->n && b->box[k].left < b->box[i].right; ++k)
            if (b->box[k].top < b->box[i].bottom && b->box[i].top < b->box[k].bottom)
                return true;
    return false;
}

static void check_placing(tsr_picture const *p, char const *which)
{
    static placing at;
    tsr_drawing const how = {TSR_FORMAT_SVG, 0, 0, 0};
    boxes b = {{keep_rectangles, keep_marks, keep_lines, keep_text, keep_arrow}, NULL, 0, 0, 0, 0, false, false};
    bool fits = true;
    for (int k = 0; k < p->panels; ++k)
        fits = fits && tsr_picture_piece_(tsr_picture_string_(p, p->panel[k].title)) <= 130;
    tsr_place_picture_(p, &how, &at);
    b.width = at.width;
    b.height = at.height;
    check(tsr_paint_picture_(p, &at, &b.canvas), "not painted", which);
    check(!b.outside, "something is clipped", which);
    check(!overlaps(&b), "two texts overlap", which);
    check(!b.cut || !fits, "a title breaks inside an expression", which);
    free(b.box);
}

/* Drawings */

typedef struct drawn {
    int column, widest;
    size_t bytes;
    uint64_t hash;
    size_t until; /* the sink stops there */
} drawn;

/** Counts the columns of UTF-8 outside of escapes, and hashes. */
static bool take_drawing(void *context, char const *bytes, size_t n)
{
    static bool escape;
    drawn *const d = (drawn *)context;
    for (size_t i = 0; i < n; ++i) {
        unsigned char const c = (unsigned char)bytes[i];
        d->hash = (d->hash ^ c) * 1099511628211u;
        if (escape)
            escape = c != 'm';
        else if (c == '\033')
            escape = true;
        else if (c == '\n')
            d->column = 0;
        else
            d->column += (c & 0xc0) != 0x80;
        d->widest = d->column > d->widest ? d->column : d->widest;
    }
    d->bytes += n;
    return d->bytes <= d->until;
}

static drawn draw(tsr_picture const *p, tsr_drawing how, size_t until)
{
    drawn d = {0, 0, 0, 14695981039346656037u, until};
    bool const ok = tsr_draw_picture(p, how, take_drawing, &d);
    d.widest = ok ? d.widest : -1;
    return d;
}

static void check_drawings(tsr_picture const *p, char const *which)
{
    static int const widths[] = {80, 200}, colours[] = {0, 16, 256, 1 << 24};
    for (int f = 0; f < TSR_FORMATS; ++f) {
        tsr_drawing const how = {(tsr_format)f, 0, 0, 0};
        if (f == TSR_FORMAT_PPM && pictures % 16 != 0) /* pixels take time */
            continue;
        drawn const one = draw(p, how, (size_t)-1), two = draw(p, how, (size_t)-1);
        check(one.widest >= 0 && one.bytes > 0, "not drawn", which);
        check(one.bytes == two.bytes && one.hash == two.hash, "the same picture gives other bytes", which);
        if (one.bytes > 8192)
            check(draw(p, how, 100).widest == -1, "a sink that stops is not obeyed", which);
    }
    for (int i = 0; i < 8; ++i) {
        tsr_drawing const how = {i % 3 ? TSR_FORMAT_UNICODE : TSR_FORMAT_ASCII, widths[i % 2], colours[i / 2], 0};
        drawn const text = draw(p, how, (size_t)-1);
        check(text.widest >= 0 && text.widest <= how.width, "text that is too wide", which);
    }
}

static void check_picture(char const *expression, tsr_picture_options const *o, bool must)
{
    tsr_picture p = picture_of(expression, o);
    check(tsr_picture_ok(&p) || (!must && p.refused[0]), p.refused, expression);
    if (tsr_picture_ok(&p)) {
        check(p.panels > 0 && p.cells > 0 && p.title && p.description, "an empty picture", expression);
        check_placing(&p, expression);
        check_drawings(&p, expression);
        ++pictures;
    }
    tsr_picture_free(&p);
}

static void check_all(void)
{
    int count = 0;
    tsr_op const *const ops = tsr_ops(&count);
    tsr_picture_options o = tsr_plain_picture();
    for (int i = 0; i < count; ++i)
        check_picture(ops[i].example, &o, false);
#define X(section, file, caption, expression, option) check_picture(expression, &o, true);
    GALLERY_LIST(X)
#undef X
}

/** Every n-th expression of a file of recorded answers: drawn, or refused with a reason. */
static void check_file(char const *path, int every)
{
    static char line[65536];
    tsr_picture_options o = tsr_plain_picture();
    FILE *const from = fopen(path, "r");
    check(from != NULL, "not read", path);
    for (int i = 0; from && fgets(line, sizeof line, from); ++i) {
        line[strcspn(line, "\t\n")] = 0;
        if (i % every != 0 || line[0] == '#')
            continue;
        o.label = i % 3 ? TSR_LABEL_OWN : (tsr_label)(i / 3 % 5);
        o.flags = i % 2 ? TSR_TEXT_SHAPES : 0;
        tsr_picture p = picture_of(line, &o);
        check(tsr_picture_ok(&p) != (p.refused[0] != 0), "neither drawn nor refused", line);
        if (tsr_picture_ok(&p)) {
            tsr_drawing const text = {TSR_FORMAT_UNICODE, 80, 256, 0}, svg = {TSR_FORMAT_SVG, 0, 0, 0};
            check(draw(&p, text, (size_t)-1).widest <= 80, "text that is too wide", line);
            check(draw(&p, svg, (size_t)-1).bytes > 0, "not drawn", line);
            ++pictures;
        }
        tsr_picture_free(&p);
    }
    if (from)
        fclose(from);
}

/* Values: their pictures are those of the expressions that denote them */

static bool same_cells(tsr_picture const *p, tsr_picture const *q)
{
    bool same = p->cells == q->cells && p->panels == q->panels;
    for (size_t i = 0; same && i < p->cells; ++i) {
        tsr_cell const *const a = &p->cell[i], *const b = &q->cell[i];
        same = a->link == b->link && a->index == b->index && a->offset == b->offset && a->thread == b->thread
               && a->value == b->value && a->colour == b->colour && a->mark == b->mark
               && strcmp(p->text + a->label, q->text + b->label) == 0;
    }
    return same;
}

static void check_value(tsr_picture p, char const *expression)
{
    tsr_picture_options o = tsr_plain_picture();
    o.alone = true;
    tsr_picture q = picture_of(expression, &o);
    check(tsr_picture_ok(&p) && tsr_picture_ok(&q), p.refused, expression);
    check(tsr_picture_ok(&p) && same_cells(&p, &q), "a value has another picture than its expression", expression);
    if (tsr_picture_ok(&p))
        check_placing(&p, expression);
    tsr_picture_free(&p);
    tsr_picture_free(&q);
}

static void check_values(void)
{
    char const *const layout = "Sw<2,0,3> o _0 o (_4,_8):(_8,_1)", *const tensor =
                                                                       "counting_iter(5) o (4,(2,3)):(6,(3,1))";
    char const *const map = "tma_tiled<float>((20,12), (80), (8,8), (1,1))";
    int64_t const lengths[] = {4, 6}, origin[] = {1, 2};
    tsr_encoding_lists lists = TSR_ZERO;
    lists.xs = 2;
    lists.ps = 1;
    lists.h[0].rank = lists.h[1].rank = 1;
    lists.h[0].at[0] = lists.h[1].at[0] = 2;
    lists.p[0].count = lists.y.count = 1;
    lists.p[0].at[0].major = 1;
    lists.y.at[0].major = 2;
    tsr_picture_options const o = tsr_plain_picture();
    tsr_layout const l = tsr_parse(layout);
    tsr_tensor const t = tsr_parse_tensor(tensor, 0, NULL);
    tsr_swizzle const sw = tsr_make_swizzle(2, 0, 2);
    tsr_tiled_mma const mma = tsr_make_tiled_mma(tsr_mma_atom_named("SM80_16x8x8_F32F16F16F32_TN"));
    tsr_copy_atom const copy = tsr_copy_atom_named("SM75_U32x4_LDSM_N");
    tsr_tma_desc const desc = tsr_parse_tma(map, 0, NULL).desc;
    tsr_descriptor const d = tsr_make_naive_tensor_descriptor_packed(2, lengths, 0);
    tsr_encoding const e = tsr_make_tile_distribution_encoding(&lists);
    tsr_tensor_view const v =
        tsr_make_tensor_view(tsr_make_buffer_view(TSR_RMEM, NULL, 0, TSR_I32), &d, TSR_UPDATE_SET);
    tsr_tile_window const w = tsr_make_tile_window(&v, &e, origin);
    check_value(tsr_make_layout_picture(&l, &o), layout);
    check_value(tsr_make_tensor_picture(&t, &o), tensor);
    check_value(tsr_make_swizzle_picture(&sw, &o), "Sw<2,0,2>");
    check_value(tsr_make_tiled_mma_picture(&mma, &o), "SM80_16x8x8_F32F16F16F32_TN");
    check_value(tsr_make_copy_atom_picture(&copy, &o), "SM75_U32x4_LDSM_N");
    check_value(tsr_make_tma_picture(&desc, &o), map);
    check_value(tsr_make_descriptor_picture(&d, &o), "packed((4,6))");
    check_value(tsr_make_distribution_picture(&e, &o), "dist{R=();H=((2),(2));P=((1.0));Y=(2.0)}");
    check_value(tsr_make_tile_window_picture(&w, &o),
                "packed((4,6)) @@ dist{R=();H=((2),(2));P=((1.0));Y=(2.0)} origin=(1,2)");
}

/* Refusals: each says why, with the numbers */

static void check_refused(char const *expression, tsr_picture_options o, char const *words)
{
    tsr_picture p = picture_of(expression, &o);
    check(!tsr_picture_ok(&p) && strstr(p.refused, words), expression, p.refused);
    tsr_drawing const how = {TSR_FORMAT_SVG, 0, 0, 0};
    check(draw(&p, how, (size_t)-1).widest == -1, "a refused picture was drawn", expression);
    tsr_picture_free(&p);
}

static void check_refusals(void)
{
    tsr_picture_options const plain = tsr_plain_picture();
    tsr_picture_options o = plain;
    check_refused("(1000,1000):(1,1000)", plain, "1000000 elements do not make a readable picture (at most 65536)");
    check_refused("(2,2,300):(1,2,4)", plain, "more than 256 panels");
    check_refused("(2,3", plain, "at character");
    check_refused("composition((4,6,8):(2,3,5), 6:3)", plain, "composition: ");
    check_refused("7", plain, "its own picture");
    check_refused("<2,3>", plain, "a tiler");
    check_refused("Sw<3,0,20>", plain, "2^23 units");
    check_refused("dist{R=();H=((2));P=((9.0));Y=()}", plain, "");
    o.thread = 3;
    check_refused("(4,4,2):(1,4,16)", o, "this picture has no threads");
    o.thread = 32;
    check_refused("SM80_16x8x8_F32F16F16F32_TN", o, "the threads of this picture are 0 to 31");
    o = plain;
    o.panel = "A,D";
    check_refused("SM80_16x8x8_F32F16F16F32_TN", o, "there is no panel D; there are 3: 1 or A, 2 or B, 3 or C");
    o = plain;
    o.label = TSR_LABEL_BANK;
    check_refused("(4,5):(_1@0,_1@1)", o, "no banks");
    tsr_picture p = diff_of("(2,3):(1,2)", "(2,", &plain);
    check(!tsr_picture_ok(&p), "a comparison with no layout", "(2,");
    tsr_picture_free(&p);
}

int main(int argc, char **argv)
{
    static char const *const recorded[] = {"latex_s2xh4",       "latex_sw_8x8",    "latex_copy_4x8",
                                           "latex_mma_sm70_nt", "svg_mma_sm70_nt", "svg_mma_sm80_16x8x16",
                                           "svg_mma_sm80_2x2"};
    if (argc < 2)
        return 2;
    check_colours();
    check_letters();
    for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; ++i)
        check_recorded(argv[1], recorded[i]);
    check_refusals();
    check_values();
    check_all();
    for (int i = 3; i < argc; ++i)
        check_file(argv[i], atoi(argv[2]));
    printf("%d pictures, %d checks, %d failed\n", pictures, checks, failed);
    return failed != 0;
}
