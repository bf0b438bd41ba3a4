/** Tiles and partitions of a tensor: who owns what, and the one that was asked for framed. Every owner's part is what
 *  the operation itself gives to it. Thread-value layouts of atoms and of tiled operations. */
#include "picture/operation.h"

#include <string.h>

/** The index in the argument list of the coordinate or thread that chooses a part. */
static int chooser(call const *c) { return strncmp(c->name, "partition_", 10) == 0 ? 1 : 2; }

/** The grid of the tensor that is cut. */
OWN_FRAME static int subject_grid(tsr_picture *p, call const *c, int at)
{
    tsr_layout const l = tsr_picture_layout_of_(&c->arg[at]);
    if (c->arg[at].kind != VALUE_TENSOR)
        return tsr_picture_grid_(p, &l, "T");
    int const first = tsr_picture_tensor_grid_(p, &c->arg[at].as.tensor, "T");
    if (first < 0)
        return first;
    uint32_t const text = tsr_picture_tensor_text_(p, &c->arg[at].as.tensor);
    p->panel[first].title = tsr_picture_text_(p, "T = %s", tsr_picture_string_(p, text));
    return first;
}

/** Frames what the call itself gives. */
OWN_FRAME static void frame_part(tsr_picture *p, int first, value const *part, int64_t n)
{
    int64_t const m = tsr_layout_size(*tsr_value_layout_(part));
    if (!tsr_picture_visits_(p, m))
        return;
    for (int64_t i = 0; i < m; ++i) {
        int64_t const from = tsr_picture_source_(part, i);
        if (from >= 0 && from < n)
            tsr_picture_at_(p, first, from)->mark |= TSR_MARK_CHOSEN;
    }
}

/** One owner's part: cells that it is the first to hold get its number. */
OWN_FRAME static void own_part(tsr_picture *p, int first, value const *part, int64_t n, int64_t owner,
                               tsr_picture_options const *o)
{
    int64_t const m = tsr_layout_size(*tsr_value_layout_(part));
    if (!tsr_picture_visits_(p, m))
        return;
    for (int64_t i = 0; i < m && !p->refused[0]; ++i) {
        int64_t const from = tsr_picture_source_(part, i);
        if (from < 0 || from >= n)
            continue;
        tsr_picture_own_(p, tsr_picture_at_(p, first, from), owner, i, o);
    }
}

/** How many threads a partition is for; 0: unknown. */
OWN_FRAME static int64_t owner_count(call const *c)
{
    value const *const x = &c->arg[strncmp(c->name, "partition_", 10) == 0 ? 0 : 1];
    switch (x->kind) {
    case VALUE_TILED_MMA:
        return tsr_thr_size(*x->as.tiled_mma);
    case VALUE_TILED_COPY:
        return tsr_layout_size(tsr_mode(x->as.tiled_copy->tv, 0));
    case VALUE_TILER:
        return tsr_size(tsr_tiler_shape(x->as.tiler));
    case VALUE_LAYOUT:
        return tsr_layout_size(x->as.layout);
    case VALUE_TUPLE:
        return tsr_size(x->as.tuple);
    default:
        return 0;
    }
}

void tsr_picture_owners_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    call each = *c;
    int const at = tsr_picture_subject_(c), who = chooser(c);
    if (at < 0 || who >= c->args || result->kind != VALUE_TENSOR)
        return;
    each.arg = tsr_picture_values_(p, c, 1);
    value *const part = each.arg + c->args;
    if (!each.arg || !tsr_picture_traced_(p, c, at, part))
        return;
    int64_t const threads = owner_count(c), n = tsr_layout_size(tsr_picture_layout_of_(&c->arg[at]));
    if (threads < 1 || threads > 1024 || n > TSR_PICTURE_CELLS)
        return;
    int const first = subject_grid(p, c, at);
    for (int64_t t = 0; t < threads && !p->refused[0]; ++t) {
        each.arg[who].as.tuple = tsr_int(t);
        if (tsr_picture_traced_(p, &each, at, part))
            own_part(p, first, part, n, t, o);
    }
    if (!p->refused[0] && tsr_picture_traced_(p, c, at, part))
        frame_part(p, first, part, n);
    for (int64_t i = 0; i < n && !p->refused[0]; ++i)
        if (tsr_picture_at_(p, first, i)->thread < 0)
            tsr_picture_at_(p, first, i)->mark |= TSR_MARK_FADED;
    tsr_picture_legend_(p, 0, 0, TSR_MARK_CHOSEN, "the result of the call");
    tsr_picture_note_(p, "%lld owners; T and V: the owner and which of its elements. %s", (long long)threads,
                      tsr_picture_string_(p, p->title));
}

/** Of a projection the tiler keeps the modes that are not `_`. */
OWN_FRAME static void project(value *tiler, value const *projection)
{
    tiler->as.tiler = tsr_tiler_dice(projection->as.tuple, tsr_value_tiler_(tiler));
    tiler->kind = VALUE_TILER;
}

void tsr_picture_tiles_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    call every = *c; /* cuts into all tiles */
    int const at = tsr_picture_subject_(c);
    if (at < 0 || c->args < 3 || result->kind != VALUE_TENSOR)
        return;
    every.arg = tsr_picture_values_(p, c, 2);
    if (!every.arg)
        return;
    value *const part = every.arg + c->args, *const all = part + 1;
    if (c->args == 4)
        project(&every.arg[1], &every.arg[3]);
    snprintf(every.name, sizeof every.name, "zipped_divide");
    every.args = 2;
    if (!tsr_picture_traced_(p, c, at, part) || !tsr_picture_traced_(p, &every, at, all)
        || tsr_mode_count(&tsr_value_layout_(all)->shape) != 2)
        return;
    int64_t const n = tsr_layout_size(tsr_picture_layout_of_(&c->arg[at])),
                  m = tsr_layout_size(*tsr_value_layout_(all));
    int64_t const tile = tsr_layout_size(tsr_mode(*tsr_value_layout_(all), 0));
    if (!tsr_picture_visits_(p, m))
        return;
    int const first = subject_grid(p, c, at);
    if (p->refused[0])
        return;
    for (int64_t i = 0; i < m; ++i) {
        int64_t const from = tsr_picture_source_(all, i);
        if (from >= 0 && from < n)
            tsr_picture_hold_(tsr_picture_at_(p, first, from), i / tile, i % tile, o);
    }
    if (tsr_layout_size(*tsr_value_layout_(part)) < n)
        frame_part(p, first, part, n);
    tsr_picture_legend_(p, 0, 0, TSR_MARK_CHOSEN, "the result of the call");
    tsr_picture_note_(p, "%lld tiles of %lld elements; a colour is a tile.", (long long)(m / tile), (long long)tile);
}

/* Thread-value layouts */

/** A, B or C by the letter before the end of the name. */
void tsr_picture_operand_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    size_t const n = strlen(c->name);
    char const letter = c->name[n - 1] == 'V' ? c->name[n - 4] : (char)(c->name[n - 1] - 'a' + 'A');
    tsr_tiled_mma const x =
        c->arg[0].kind == VALUE_MMA ? tsr_make_tiled_mma(c->arg[0].as.mma) : *c->arg[0].as.tiled_mma;
    tsr_tuple const shape = tsr_tile_shape(x);
    if (tsr_picture_invalid_(p, shape))
        return;
    tsr_tuple const rows = tsr_tuple_get(shape, letter == 'B' ? 1 : 0),
                    columns = tsr_tuple_get(shape, letter == 'C' ? 1 : 2);
    tsr_picture_tv_(p, tsr_value_layout_(result), tsr_tuple_2(rows, columns), o);
}

/** ((thread,..),(value,..)) of a layout that was cut: the elements are those of the layout. */
void tsr_picture_cut_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    value traced = TSR_ZERO;
    if (result->kind != VALUE_LAYOUT || c->args != 2 || !tsr_picture_traced_(p, c, 1, &traced))
        return;
    int const rank = tsr_mode_count(&traced.as.layout.shape);
    tsr_layout const tv = rank > 2 ? tsr_layout_group(traced.as.layout, 1, rank) : traced.as.layout;
    tsr_layout const l = tsr_picture_layout_of_(&c->arg[1]);
    tsr_picture_tv_(p, &tv, tsr_wrap(tsr_product_each(l.shape)), o);
}

void tsr_picture_copied_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    tsr_tuple tile = tsr_unit();
    if (c->arg[0].kind == VALUE_TILED_COPY)
        tile = tsr_wrap(tsr_product_each(tsr_tiler_shape(c->arg[0].as.tiled_copy->tiler)));
    else if (c->arg[0].kind == VALUE_TMA)
        tile = tsr_wrap(tsr_product_each(c->arg[0].as.tma->tiler));
    if (result->kind == VALUE_LAYOUT && !tsr_is_unit(&tile))
        tsr_picture_tv_(p, tsr_value_layout_(result), tile, o);
}

/** A side of a copy atom, metadata or scales of an MMA atom: threads by values. */
void tsr_picture_moved_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    (void)c;
    if (result->kind != VALUE_LAYOUT || tsr_layout_size(*tsr_value_layout_(result)) > TSR_PICTURE_CELLS)
        return;
    int const first = tsr_picture_grid_(p, tsr_value_layout_(result), "TV");
    for (int64_t i = 0; i < tsr_layout_size(*tsr_value_layout_(result)) && !p->refused[0]; ++i) {
        int64_t const threads = p->panel[first].row.count;
        tsr_picture_hold_(tsr_picture_at_(p, first, i), i % threads, i / threads, o);
    }
    tsr_picture_note_(p, "A row is a thread, a column a value; a cell is the index of its element.");
}
