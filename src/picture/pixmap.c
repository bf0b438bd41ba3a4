/** Pictures as a portable pixmap (PPM), from which the calculator makes a PNG. Two pixels a unit. */
#include "picture/canvas.h"
#include "picture/letters.h"
#include "picture/stream.h"

#include <stdlib.h>

enum { SCALE = 2 };

/** The letters of a size, each drawn when it is first needed. */
typedef struct letter_set {
    bool drawn[LETTER_LAST - LETTER_FIRST + 1];
    letter letter[LETTER_LAST - LETTER_FIRST + 1];
} letter_set;

enum { SIZES = SIZE_TITLE - SIZE_AXIS + 1 }; /* the smallest letters are those of axes, the largest those of titles */

typedef struct pixmap {
    canvas canvas;
    unsigned char *pixel; /* red, green, blue, row by row */
    int width, height;
    letter_set *letters; /* SIZES of them */
} pixmap;

static void pixmap_box(pixmap *v, int x, int y, int width, int height, uint32_t rgb)
{
    for (int i = y < 0 ? 0 : y; i < y + height && i < v->height; ++i)
        for (int k = x < 0 ? 0 : x; k < x + width && k < v->width; ++k) {
            unsigned char *const to = v->pixel + 3 * ((size_t)i * (size_t)v->width + (size_t)k);
            to[0] = (unsigned char)(rgb >> 16 & 255);
            to[1] = (unsigned char)(rgb >> 8 & 255);
            to[2] = (unsigned char)(rgb & 255);
        }
}

static void pixmap_rectangle(pixmap *v, rectangle r, uint32_t rgb)
{
    pixmap_box(v, SCALE * r.x, SCALE * r.y, SCALE * r.width, SCALE * r.height, rgb);
}

static void pixmap_fill(canvas *c, uint8_t colour, rectangle const *r, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        pixmap_rectangle((pixmap *)c, r[i], tsr_colour_rgb(colour, false));
}

/** Diagonal lines over a rectangle. */
static void pixmap_hatch(pixmap *v, rectangle r)
{
    pixmap_rectangle(v, r, 0xf1f2f5);
    for (int y = SCALE * r.y; y < SCALE * (r.y + r.height); ++y)
        for (int x = SCALE * r.x; x < SCALE * (r.x + r.width); ++x)
            if ((x + y) % 14 < 2)
                pixmap_box(v, x, y, 1, 1, 0xc3c9d2);
}

static void pixmap_mark(canvas *c, int mark, rectangle const *r, size_t n)
{
    pixmap *const v = (pixmap *)c;
    for (size_t i = 0; i < n; ++i)
        if (mark == TSR_MARK_FADED)
            pixmap_rectangle(v, r[i], 0xf6f7f9);
        else if (mark == TSR_MARK_OUTSIDE)
            pixmap_hatch(v, r[i]);
        else /* a corner */
            for (int k = 0; k < 9 * SCALE; ++k)
                pixmap_box(v, SCALE * (r[i].x + r[i].width - 9) + k, SCALE * r[i].y + k, 9 * SCALE - k, 1, 0xd32f2f);
}

static void pixmap_line(canvas *c, line_style style, segment const *s, size_t n)
{
    static struct {
        uint32_t rgb;
        int wide;
    } const styles[LINE_STYLES] = {{0xb9c0ca, 1}, {0x3d4653, 4}, {0x3d4653, 3}, {0xc2185b, 5}, {0x3d4653, 3}};
    int const wide = styles[style].wide, before = wide / 2;
    for (size_t i = 0; i < n; ++i) {
        int const x = SCALE * s[i].x - before, y = SCALE * s[i].y - before, length = SCALE * s[i].length + wide;
        pixmap_box((pixmap *)c, x, y, s[i].down ? wide : length, s[i].down ? length : wide, styles[style].rgb);
    }
}

/** A letter whose first column and line are there: each pixel becomes ink as far as it is covered. */
static void put_letter(pixmap *v, letter const *l, int left, int line, uint32_t ink)
{
    for (int i = 0; i < LETTER_HEIGHT; ++i)
        for (int k = 0; k < LETTER_WIDTH; ++k) {
            int const x = left - LETTER_MARGIN + k, y = line - l->line + i, covered = l->covered[i][k];
            if (covered == 0 || x < 0 || x >= v->width || y < 0 || y >= v->height)
                continue;
            unsigned char *const to = v->pixel + 3 * ((size_t)y * (size_t)v->width + (size_t)x);
            for (int c = 0; c < 3; ++c) {
                int const wanted = (int)(ink >> (16 - 8 * c) & 255);
                to[c] = (unsigned char)((to[c] * (16 - covered) + wanted * covered + 8) / 16);
            }
        }
}

static void pixmap_text(canvas *c, text_style style, text_anchor anchor, int size, int x, int y, char const *text,
                        size_t n)
{
    static uint32_t const inks[TEXT_STYLES] = {0x16181d, 0x8a919c, 0x5b6470, 0x16181d, 0x16181d};
    pixmap *const v = (pixmap *)c;
    letter_set *const set = &v->letters[size - SIZE_AXIS];
    int const wide = SCALE * tsr_letters_width_(n, size), line = SCALE * y + SCALE * size * 35 / 100;
    int const left = SCALE * x - (anchor == ANCHOR_LEFT ? 0 : anchor == ANCHOR_MIDDLE ? wide / 2 : wide);
    for (size_t i = 0; i < n; ++i) {
        char const which = (char)(text[i] < LETTER_FIRST || text[i] > LETTER_LAST ? '?' : text[i]);
        letter *const l = &set->letter[which - LETTER_FIRST];
        if (!set->drawn[which - LETTER_FIRST])
            tsr_letter_draw_(l, which, SCALE * size, style == TEXT_TITLE);
        set->drawn[which - LETTER_FIRST] = true;
        put_letter(v, l, left + (int)i * SCALE * size * 6 / 10, line, inks[style]);
    }
}

static void pixmap_arrow(canvas *c, int x, int y, int length)
{
    segment const shaft = {x, y, length, false};
    pixmap_line(c, LINE_ARROW, &shaft, 1);
    for (int k = 0; k < 6 * SCALE; ++k)
        pixmap_box((pixmap *)c, SCALE * (x + length) - k, SCALE * y - k * 5 / 6 - 1, 3, 2 * (k * 5 / 6) + 3,
                   0x3d4653);
}

bool tsr_draw_pixmap_(tsr_picture const *p, tsr_drawing const *how, stream *s)
{
    placing at;
    pixmap v = {{pixmap_fill, pixmap_mark, pixmap_line, pixmap_text, pixmap_arrow}, NULL, 0, 0, NULL};
    tsr_place_picture_(p, how, &at);
    v.width = SCALE * at.width;
    v.height = SCALE * at.height;
    size_t const bytes = 3 * (size_t)v.width * (size_t)v.height;
    v.pixel = bytes >> 27 ? NULL : (unsigned char *)malloc(bytes);
    v.letters = (letter_set *)calloc(SIZES, sizeof *v.letters);
    bool ok = v.pixel && v.letters;
    if (ok) {
        pixmap_box(&v, 0, 0, v.width, v.height, tsr_colour_rgb(TSR_COLOUR_NONE, false));
        ok = tsr_paint_picture_(p, &at, &v.canvas);
        tsr_stream_put_(s, "P6\n%d %d\n255\n", v.width, v.height);
        tsr_stream_bytes_(s, (char const *)v.pixel, bytes);
    }
    free(v.letters);
    free(v.pixel);
    return ok;
}
