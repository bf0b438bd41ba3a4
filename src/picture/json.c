/** Pictures as JSON: every panel and cell with what is known of it, and where it stands in the SVG drawing. */
#include "picture/place.h"
#include "picture/stream.h"

static void put_member(stream *s, char const *name, char const *text)
{
    tsr_stream_put_(s, ",\"%s\":", name);
    tsr_stream_json_(s, text);
}

/** Item i of a list of texts. */
static void put_item(stream *s, int i, char const *text)
{
    tsr_stream_text_(s, i ? "," : "");
    tsr_stream_json_(s, text);
}

static void put_axis(stream *s, tsr_picture const *p, char const *name, tsr_axis const *a)
{
    tsr_stream_put_(s, ",\"%s\":{\"count\":%d,\"extents\":[", name, a->count);
    for (int i = 0; i < a->levels; ++i)
        tsr_stream_put_(s, "%s%d", i ? "," : "", a->extent[i]);
    tsr_stream_text_(s, "],\"labels\":[");
    for (int i = 0; i < a->count; ++i)
        put_item(s, i, tsr_line_label_(p, a, i));
    tsr_stream_text_(s, "],\"coords\":[");
    for (int i = 0; i < a->count; ++i)
        put_item(s, i, tsr_line_coord_(p, a, i));
    tsr_stream_text_(s, "]}");
}

static void put_integer(stream *s, char const *name, int64_t n)
{
    tsr_stream_put_(s, ",\"%s\":%lld", name, (long long)n);
}

static void put_marks(stream *s, int mark)
{
    static char const *const names[] = {"chosen", "faded", "outside", "conflict", "empty"};
    bool some = false;
    tsr_stream_text_(s, ",\"marks\":[");
    for (int i = 0; i < 5; ++i)
        if (mark >> i & 1) {
            tsr_stream_put_(s, "%s\"%s\"", some ? "," : "", names[i]);
            some = true;
        }
    tsr_stream_text_(s, "]");
}

static void put_cell(stream *s, tsr_picture const *p, tsr_cell const *c, int row, int column)
{
    tsr_stream_text_(s, "{\"row\":");
    tsr_stream_number_(s, row);
    put_integer(s, "column", column);
    if (c->label)
        put_member(s, "label", tsr_picture_string_(p, c->label));
    if (c->index >= 0)
        put_integer(s, "index", c->index);
    if (c->offset != TSR_BAD_OFFSET)
        put_integer(s, "offset", c->offset);
    if (c->thread >= 0) {
        put_integer(s, "thread", c->thread);
        put_integer(s, "value", c->value);
    }
    if (c->link >= 0)
        put_integer(s, "link", c->link);
    if (c->colour)
        tsr_stream_put_(s, ",\"colour\":\"#%06x\"", tsr_colour_rgb(c->colour, false));
    if (c->mark)
        put_marks(s, c->mark);
    tsr_stream_text_(s, "}");
}

static void put_panel(stream *s, tsr_picture const *p, tsr_panel const *g, placed_panel const *at)
{
    tsr_stream_text_(s, "{\"name\":");
    tsr_stream_json_(s, tsr_picture_string_(p, g->name));
    put_member(s, "title", tsr_picture_string_(p, g->title));
    if (g->joint)
        put_member(s, "joint", tsr_picture_string_(p, g->joint));
    if (g->rest)
        put_member(s, "rest", tsr_picture_string_(p, g->rest));
    tsr_stream_put_(s, ",\"one_mode\":%s,\"x\":%d,\"y\":%d", g->one_mode ? "true" : "false", at->x, at->y);
    put_axis(s, p, "rows", &g->row);
    put_axis(s, p, "columns", &g->column);
    tsr_stream_text_(s, ",\"cells\":[");
    for (int m = 0; m < g->row.count; ++m)
        for (int n = 0; n < g->column.count; ++n) {
            tsr_stream_text_(s, m + n ? ",\n" : "\n");
            put_cell(s, p, &p->cell[g->first + (size_t)m * (size_t)g->column.count + (size_t)n], m, n);
        }
    tsr_stream_text_(s, "]}");
}

bool tsr_draw_json_(tsr_picture const *p, tsr_drawing const *how, stream *s)
{
    placing at;
    tsr_place_picture_(p, how, &at);
    tsr_stream_text_(s, "{\"title\":");
    tsr_stream_json_(s, tsr_picture_string_(p, p->title));
    put_member(s, "description", tsr_picture_string_(p, p->description));
    if (p->ranks)
        put_member(s, "owners", "ranks");
    tsr_stream_put_(
        s, ",\"element_bits\":%d,\"width\":%d,\"height\":%d,\"cell_width\":%d,\"cell_height\":%d,\"panels\":[",
        p->element_bits, at.width, at.height, at.cell_width, at.cell_height);
    for (int k = 0; k < p->panels; ++k) {
        tsr_stream_text_(s, k ? ",\n" : "\n");
        put_panel(s, p, &p->panel[k], &at.panel[k]);
    }
    tsr_stream_text_(s, "],\n\"more_owners\":["); /* cell (counted through all panels), thread, value */
    for (size_t i = 0; i < p->owners; ++i)
        tsr_stream_put_(s, "%s[%u,%d,%d]", i ? "," : "", p->owner[i].cell, p->owner[i].thread, p->owner[i].value);
    tsr_stream_text_(s, "],\"legend\":[");
    for (int i = 0; i < p->legends; ++i) {
        tsr_stream_text_(s, i ? ",{\"text\":" : "{\"text\":");
        tsr_stream_json_(s, tsr_picture_string_(p, p->legend[i].text));
        if (p->legend[i].colour)
            tsr_stream_put_(s, ",\"colour\":\"#%06x\"", tsr_colour_rgb(p->legend[i].colour, false));
        put_marks(s, p->legend[i].mark);
        tsr_stream_text_(s, "}");
    }
    tsr_stream_text_(s, "],\"notes\":[");
    for (int i = 0; i < p->notes; ++i)
        put_item(s, i, tsr_picture_string_(p, p->note[i]));
    tsr_stream_text_(s, "]}\n");
    return true;
}
