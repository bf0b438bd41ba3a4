/** Sheets of characters: written in any order, sent line by line, with as few changes of colour as there are. */
#include "picture/sheet.h"

#include <stdlib.h>
#include <string.h>

bool tsr_sheet_open_(sheet *s, int64_t width, int64_t height)
{
    s->width = s->wide = (int)width;
    s->left = 0;
    s->height = (int)height;
    s->at = NULL;
    s->used = NULL;
    if (width > 0 && height > 0 && width * height < (int64_t)3 << 23) {
        s->at = (glyph *)calloc((size_t)(width * height), sizeof *s->at);
        s->used = (int *)calloc((size_t)height, sizeof *s->used);
    }
    return s->at && s->used;
}

void tsr_sheet_close_(sheet *s)
{
    free(s->at);
    free(s->used);
}

void tsr_sheet_set_(sheet *s, int x, int y, uint16_t ch, uint8_t ground, uint8_t ink, bool faint)
{
    if (x < 0 || x >= s->wide || y < 0 || y >= s->height)
        return;
    x += s->left;
    glyph const g = {ch, ground, ink, faint};
    s->at[(size_t)y * (size_t)s->width + (size_t)x] = g;
    if (s->used[y] <= x)
        s->used[y] = x + 1;
}

void tsr_sheet_write_(sheet *s, int x, int y, char const *text, size_t n)
{
    for (size_t i = 0; i < n && text[i]; ++i)
        tsr_sheet_set_(s, x + (int)i, y, (uint16_t)(unsigned char)text[i], 0, 0, false);
}

static int nearest_level(uint32_t x) { return x < 48 ? 0 : x < 115 ? 1 : (int)(x - 35) / 40; }

/** A colour of the 16: the eight light ones, by which of red, green and blue are strong. */
static int basic_colour(uint32_t rgb)
{
    uint32_t const r = rgb >> 16, g = rgb >> 8 & 255, b = rgb & 255, most = r > g ? (r > b ? r : b) : g > b ? g : b;
    uint32_t const limit = most - most / 8;
    return 100 + (r >= limit) + 2 * (g >= limit) + 4 * (b >= limit);
}

static void put_colour(stream *s, manner const *m, uint8_t colour, bool ground)
{
    uint32_t const rgb = tsr_colour_rgb(colour, false);
    if (m->colours > 256)
        tsr_stream_put_(s, ";%d;2;%u;%u;%u", ground ? 48 : 38, rgb >> 16, rgb >> 8 & 255, rgb & 255);
    else if (m->colours == 256)
        tsr_stream_put_(
            s, ";%d;5;%d", ground ? 48 : 38,
            16 + 36 * nearest_level(rgb >> 16) + 6 * nearest_level(rgb >> 8 & 255) + nearest_level(rgb & 255));
    else
        tsr_stream_put_(s, ";%d", basic_colour(rgb) - (ground ? 0 : 10));
}

/** Changes from one glyph's colours to another's. */
void tsr_put_style_(stream *s, manner const *m, glyph const *g)
{
    tsr_stream_text_(s, "\033[0");
    if (g->faint)
        tsr_stream_text_(s, ";2");
    if (g->ground) {
        put_colour(s, m, g->ground, true);
        if (!g->ink)
            tsr_stream_text_(s, ";30");
    }
    if (g->ink)
        put_colour(s, m, g->ink, false);
    tsr_stream_text_(s, "m");
}

static bool same_style(glyph const *a, glyph const *b)
{
    return a->ground == b->ground && a->ink == b->ink && a->faint == b->faint;
}

void tsr_put_sheet_(stream *s, manner const *m, sheet const *from)
{
    glyph const plain = {' ', 0, 0, 0};
    for (int y = 0; y < from->height; ++y) {
        glyph last = plain;
        for (int x = 0; x < from->used[y]; ++x) {
            glyph const *const g = &from->at[(size_t)y * (size_t)from->width + (size_t)x];
            if (m->colours && !same_style(g, &last))
                tsr_put_style_(s, m, g);
            last = *g;
            tsr_stream_utf8_(s, g->ch ? g->ch : ' ');
        }
        if (m->colours && !same_style(&last, &plain))
            tsr_stream_text_(s, "\033[0m");
        tsr_stream_text_(s, "\n");
    }
}
