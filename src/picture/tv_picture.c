/** Thread-value layouts: the tile with the owner of each element, and the inverse, what each (thread, value) holds.
 */
#include "picture/build.h"

/** Do all threads see the same elements? Then nobody owns them: they are in shared memory. */
static bool is_shared(tsr_layout const *tv, int64_t threads, int64_t values)
{
    for (int64_t t = 1; t < threads; ++t)
        for (int64_t v = 0; v<values; v += values> 1 ? values - 1 : 1)
            if (tsr_layout_offset(tv, t + v * threads) != tsr_layout_offset(tv, v * threads))
                return false;
    return threads > 1;
}

/** Rows and columns of a tile; what has more modes is flattened behind the first. */
static void tile_extents(tsr_tuple tile, int64_t *rows, int64_t *columns)
{
    *rows = tsr_size(tsr_tuple_get(tile, 0));
    *columns = tsr_size(tile) / *rows;
}

int tsr_picture_tv_panel_(tsr_picture *p, tsr_layout const *tv, tsr_tuple tile, char const *name, bool across,
                          tsr_picture_options const *o)
{
    int64_t rows = 1, columns = 1;
    if (tv->shape.status || tile.status || tsr_mode_count(&tv->shape) != 2) {
        tsr_tuple const rank = tsr_bad_tuple(TSR_RANK, 0, tv->shape.status ? 0 : tsr_mode_count(&tv->shape), 2, 0);
        (void)tsr_picture_invalid_(p, tv->shape.status ? tv->shape : tile.status ? tile : rank);
        return -1;
    }
    tile_extents(tile, &rows, &columns);
    int64_t const threads = tsr_layout_size(tsr_mode(*tv, 0)), values = tsr_layout_size(tsr_mode(*tv, 1));
    int64_t held = 0;
    if (!tsr_mul64(threads, values, &held) || !tsr_picture_visits_(p, held)) {
        tsr_picture_refuse_(p, "%lld threads of %lld values do not make a readable picture", (long long)threads,
                            (long long)values);
        return -1;
    }
    bool const shared = is_shared(tv, threads, values);
    char text[TSR_TEXT_SIZE];
    tsr_format_tuple(text, sizeof text, tile, TSR_TEXT_STATIC);
    int const panel = tsr_picture_named_panel_(p, across ? columns : rows, across ? rows : columns, name, "%s: %s%s",
                                               name, text, shared ? " in shared memory" : "");
    if (panel < 0)
        return -1;
    for (int64_t i = 0; i < rows * columns; ++i) {
        tsr_cell *const c = tsr_picture_cell_(p, panel, across ? i / rows : i % rows, across ? i % rows : i / rows);
        c->index = i;
        if (shared) {
            c->label = tsr_picture_number_(p, i);
            c->colour = TSR_COLOUR_RAMP + 4;
        }
    }
    for (int64_t t = 0; t < threads && !shared && !p->refused[0]; ++t)
        for (int64_t v = 0; v < values && !p->refused[0]; ++v) {
            int64_t const i = tsr_layout_offset(tv, t + v * threads);
            if (i < 0 || i >= rows * columns) {
                tsr_picture_refuse_(p, "value %lld of thread %lld is element %lld, but the tile %s has %lld",
                                    (long long)v, (long long)t, (long long)i, text, (long long)(rows * columns));
                return -1;
            }
            tsr_picture_own_(
                p, tsr_picture_cell_(p, panel, across ? i / rows : i % rows, across ? i % rows : i / rows), t, v, o);
        }
    return panel;
}

/** Threads by values: the coordinate of the element that each holds. */
static void inverse_panel(tsr_picture *p, tsr_layout const *tv, tsr_tuple tile, tsr_picture_options const *o)
{
    int64_t rows = 1, columns = 1;
    tile_extents(tile, &rows, &columns);
    int64_t const threads = tsr_layout_size(tsr_mode(*tv, 0)), values = tsr_layout_size(tsr_mode(*tv, 1));
    int const panel = tsr_picture_panel_(p, threads, values, tsr_picture_text_(p, "TV: what each thread holds"));
    if (panel < 0)
        return;
    p->panel[panel].name = tsr_picture_text_(p, "TV");
    tsr_picture_axis_named_(p, &p->panel[panel].row, "", "T");
    tsr_picture_axis_named_(p, &p->panel[panel].column, "", "V");
    for (int64_t t = 0; t < threads; ++t)
        for (int64_t v = 0; v < values && !p->refused[0]; ++v) {
            tsr_cell *const c = tsr_picture_cell_(p, panel, t, v);
            c->index = tsr_layout_offset(tv, t + v * threads);
            tsr_picture_hold_(c, t, v, o);
            c->label = values <= 16 ? tsr_picture_text_(p, "(%lld,%lld)", (long long)(c->index % rows),
                                                        (long long)(c->index / rows))
                                    : tsr_picture_number_(p, c->index);
        }
}

void tsr_picture_tv_(tsr_picture *p, tsr_layout const *tv, tsr_tuple tile, tsr_picture_options const *o)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_layout(text, sizeof text, *tv, p->flags);
    if (tsr_picture_tv_panel_(p, tv, tile, "tile", false, o) < 0)
        return;
    inverse_panel(p, tv, tile, o);
    p->description = tsr_picture_text_(
        p, "The thread-value layout %s: who owns each element of the tile, and what each holds.", text);
    tsr_picture_note_(p, "%s = %s", tsr_picture_string_(p, p->title), text);
    tsr_picture_note_(
        p, "T and V: the thread that holds the element, and as which of its values. The colour is the thread's.");
}
