/** Pictures as JSON: every panel and cell with what is known of it, and where it stands in the SVG drawing. */
#include "picture/place.h"
#include "picture/stream.h"

static void put_member(stream *s, char const *name, char const *text)
{
    stream_put(s, ",\"%s\":", name);
    stream_json(s, text);
}

/** Item i of a list of texts. */
static void put_item(stream *s, int i, char const *text)
{
    stream_text(s, i ? "," : "");
    stream_json(s, text);
}

static void put_axis(stream *s, tsr_picture const *p, char const *name, tsr_axis const *a)
{
    stream_put(s, ",\"%s\":{\"count\":%d,\"extents\":[", name, a->count);
    for (int i = 0; i < a->levels; ++i)
        stream_put(s, "%s%d", i ? "," : "", a->extent[i]);
    stream_text(s, "],\"labels\":[");
    for (int i = 0; i < a->count; ++i)
        put_item(s, i, line_label(p, a, i));
    stream_text(s, "],\"coords\":[");
    for (int i = 0; i < a->count; ++i)
        put_item(s, i, line_coord(p, a, i));
    stream_text(s, "]}");
}

static void put_integer(stream *s, char const *name, int64_t n)
{
    stream_put(s, ",\"%s\":%lld", name, (long long)n);
}

static void put_marks(stream *s, int mark)
{
    static char const *const names[] = {"chosen", "faded", "outside", "conflict", "empty"};
    bool some = false;
    stream_text(s, ",\"marks\":[");
    for (int i = 0; i < 5; ++i)
        if (mark >> i & 1) {
            stream_put(s, "%s\"%s\"", some ? "," : "", names[i]);
            some = true;
        }
    stream_text(s, "]");
}

static void put_cell(stream *s, tsr_picture const *p, tsr_cell const *c, int row, int column)
{
    stream_text(s, "{\"row\":");
    stream_number(s, row);
    put_integer(s, "column", column);
    if (c->label)
        put_member(s, "label", picture_string(p, c->label));
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
        stream_put(s, ",\"colour\":\"#%06x\"", tsr_colour_rgb(c->colour, false));
    if (c->mark)
        put_marks(s, c->mark);
    stream_text(s, "}");
}

static void put_panel(stream *s, tsr_picture const *p, tsr_panel const *g, placed_panel const *at)
{
    stream_text(s, "{\"name\":");
    stream_json(s, picture_string(p, g->name));
    put_member(s, "title", picture_string(p, g->title));
    if (g->joint)
        put_member(s, "joint", picture_string(p, g->joint));
    if (g->rest)
        put_member(s, "rest", picture_string(p, g->rest));
    stream_put(s, ",\"one_mode\":%s,\"x\":%d,\"y\":%d", g->one_mode ? "true" : "false", at->x, at->y);
    put_axis(s, p, "rows", &g->row);
    put_axis(s, p, "columns", &g->column);
    stream_text(s, ",\"cells\":[");
    for (int m = 0; m < g->row.count; ++m)
        for (int n = 0; n < g->column.count; ++n) {
            stream_text(s, m + n ? ",\n" : "\n");
            put_cell(s, p, &p->cell[g->first + (size_t)m * (size_t)g->column.count + (size_t)n], m, n);
        }
    stream_text(s, "]}");
}

bool draw_json(tsr_picture const *p, tsr_drawing const *how, stream *s)
{
    placing at;
    place_picture(p, how, &at);
    stream_text(s, "{\"title\":");
    stream_json(s, picture_string(p, p->title));
    put_member(s, "description", picture_string(p, p->description));
    stream_put(s, ",\"element_bits\":%d,\"width\":%d,\"height\":%d,\"cell_width\":%d,\"cell_height\":%d,\"panels\":[",
               p->element_bits, at.width, at.height, at.cell_width, at.cell_height);
    for (int k = 0; k < p->panels; ++k) {
        stream_text(s, k ? ",\n" : "\n");
        put_panel(s, p, &p->panel[k], &at.panel[k]);
    }
    stream_text(s, "],\n\"more_owners\":["); /* cell (counted through all panels), thread, value */
    for (size_t i = 0; i < p->owners; ++i)
        stream_put(s, "%s[%u,%d,%d]", i ? "," : "", p->owner[i].cell, p->owner[i].thread, p->owner[i].value);
    stream_text(s, "],\"legend\":[");
    for (int i = 0; i < p->legends; ++i) {
        stream_text(s, i ? ",{\"text\":" : "{\"text\":");
        stream_json(s, picture_string(p, p->legend[i].text));
        if (p->legend[i].colour)
            stream_put(s, ",\"colour\":\"#%06x\"", tsr_colour_rgb(p->legend[i].colour, false));
        put_marks(s, p->legend[i].mark);
        stream_text(s, "}");
    }
    stream_text(s, "],\"notes\":[");
    for (int i = 0; i < p->notes; ++i)
        put_item(s, i, picture_string(p, p->note[i]));
    stream_text(s, "]}\n");
    return true;
}
