/** Tiles of a relayout (gpu/relayout.h): which rows and columns one has, where they are on both sides, and where its items
 *  are kept in between.
 *
 *  A tile is `tile_rows` places in each of `tile_columns` columns. Row `row` is at place row - first + past(column):
 *  where columns begin anywhere in memory, place 0 is cut from it at a multiple of TSR_RELAYOUT_SECTOR, so that tiles write
 *  whole sectors, and each tile reads up to `ahead` rows which the one before it reads, too.
 */
#ifndef TSR_GPU_RELAYOUT_TILE_H
#define TSR_GPU_RELAYOUT_TILE_H

#include "tessera/gpu/relayout_value.h"

typedef struct tsr_relayout_tile {
    int64_t first, column; /* the row at place 0, nothing being past; the first column */
    int64_t from, to;      /* where the loops beside rows and columns lead */
    int low, high;         /* the rows that there are, of those from first - ahead on */
    int columns;
} tsr_relayout_tile;

TSR_REF tsr_relayout_tile tsr_relayout_tile_at_(tsr_relayout_form f, tsr_relayout const *r, int64_t block)
{
    tsr_relayout_tile t;
    bool const along = r->along_rows;
    tsr_relayout_count const *const first = along ? &r->row_tiles : &r->column_tiles;
    tsr_relayout_count const *const second = along ? &r->column_tiles : &r->row_tiles;
    int64_t const rest = tsr_relayout_divide_(first, block, f.wide), near = block - rest * first->n;
    int64_t const outer = tsr_relayout_divide_(second, rest, f.wide), far = rest - outer * second->n;
    t.first = (along ? near : far) * r->tile_rows;
    t.column = (along ? far : near) * r->tile_columns;
    t.low = (int)tsr_max64(r->ahead - t.first, 0);
    t.high = (int)tsr_min64(r->rows - t.first, r->tile_rows) + r->ahead;
    t.columns = (int)tsr_min64(r->columns - t.column, r->tile_columns);
    t.from = r->from;
    t.to = r->to;
    int const inner = r->row_loops + r->column_loops;
    tsr_relayout_add_(r, inner, r->loops - inner, 0, outer, f.wide, &t.from, &t.to);
    return t;
}

/** Elements first to last - 1 of run g of the source are there. */
TSR_REF void tsr_relayout_elements_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_tile const *t, int g,
                                    int *first, int *last)
{
    int const n = f.unit;
    bool const there = g < r->runs && (f.way != TSR_RELAYOUT_UNIT || (t->low <= n * g && n * g < t->high));
    *first = f.way == TSR_RELAYOUT_UNIT ? 0 : f.way == TSR_RELAYOUT_WHOLE ? t->low * n : t->low / n;
    *last = f.way == TSR_RELAYOUT_UNIT ? t->columns * n : f.way == TSR_RELAYOUT_WHOLE ? t->high * n : t->high / n;
    *last = there ? *last : *first;
}

/** Element e of run g (tsr_relayout_way): its row from first - ahead on, and its column. */
TSR_REF void tsr_relayout_element_in_(tsr_relayout_form f, int g, int e, int *row, int *column)
{
    int const n = f.unit, whole = e / n, part = e - whole * n;
    *row = f.way == TSR_RELAYOUT_UNIT ? g * n + part : f.way == TSR_RELAYOUT_WHOLE ? whole : g + e * n;
    *column = f.way == TSR_RELAYOUT_UNIT ? whole : f.way == TSR_RELAYOUT_WHOLE ? part : 0;
}

/** Where element 0 of run g is in the source. Of units the loops of rows count the units. */
TSR_REF int64_t tsr_relayout_run_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_tile const *t, int g)
{
    int64_t const first = (t->first - r->ahead) / f.unit;
    int64_t from = t->from, to = 0;
    if (f.way == TSR_RELAYOUT_WHOLE)
        return from + (t->first - r->ahead) * f.unit * f.from_item;
    if (f.way == TSR_RELAYOUT_APART)
        return from + g * r->loop[0].from + first * f.from_item;
    tsr_relayout_add_(r, 0, r->row_loops, f.loops, first + g, f.wide, &from, &to);
    return f.from_run ? from + t->column * f.unit * f.from_item : from;
}

/** Where row 0 of column s of the tile is in the destination. */
TSR_REF int64_t tsr_relayout_begin_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_tile const *t, int s)
{
    int64_t from = 0, to = t->to;
    tsr_relayout_add_(r, r->row_loops, r->column_loops, f.columns, t->column + s, f.wide, &from, &to);
    return to;
}

/** Behind a tile: where its columns begin, then its runs. */
TSR_REF void tsr_relayout_prepare_(tsr_relayout_form f, tsr_relayout const *r, int64_t block, int thread,
                                   unsigned char *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_at_(f, r, block);
    int64_t *const table = (int64_t *)(void *)(shared + r->tables);
    for (int k = thread; k < r->tile_columns + r->runs; k += TSR_RELAYOUT_THREADS) {
        int first = 0, last = 0, g = k - r->tile_columns;
        if (g >= 0)
            tsr_relayout_elements_(f, r, &t, g, &first, &last);
        if (g < 0 && k < t.columns)
            table[k] = tsr_relayout_begin_(f, r, &t, k);
        if (first < last)
            table[k] = tsr_relayout_run_(f, r, &t, g);
    }
}

TSR_REF int64_t tsr_relayout_run_at_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_tile const *t, int g,
                                     unsigned char const *shared)
{
    int64_t const *const table = (int64_t const *)(void const *)(shared + r->tables);
    return f.tables ? table[r->tile_columns + g] : tsr_relayout_run_(f, r, t, g);
}

TSR_REF int64_t tsr_relayout_begin_at_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_tile const *t, int s,
                                       unsigned char const *shared)
{
    int64_t const *const table = (int64_t const *)(void const *)(shared + r->tables);
    return f.tables ? table[s] : tsr_relayout_begin_(f, r, t, s);
}

/** How far behind a sector a column begins that is here: items. */
TSR_REF int tsr_relayout_past_(tsr_relayout_form f, uint64_t to, int64_t begin)
{
    return f.to_any ? (int)((to + (uint64_t)begin) & (TSR_RELAYOUT_SECTOR - 1)) / f.to_item : 0;
}

/** Where byte `at` of a line is kept: a line is a column, or where nothing is scattered a row. */
TSR_REF int tsr_relayout_kept_(tsr_relayout_form f, tsr_relayout const *r, int line, int at)
{
    int const access = f.gather ? 16 : f.to_items * f.from_item, grain = access < 16 ? access : 16;
    return line * r->pitch + (at ^ ((line >> r->skew) * grain & r->chunks));
}

/** Access `k` of a tile: which one of a run, and of which run; `lanes` of a warp are neighbours in a run. */
TSR_REF void tsr_relayout_spread_(tsr_relayout_count const *count, int lanes, int k, int *along, int *across)
{
    int const lane = k % 32, far = (int)tsr_relayout_divide_(count, k / 32, false), near = k / 32 - far * (int)count->n;
    *along = near * lanes + lane % lanes;
    *across = far * (32 / lanes) + lane / lanes;
}

/** How many numbers k there are, for so many runs. */
TSR_REF int tsr_relayout_accesses_(tsr_relayout_count const *count, int lanes, int runs)
{
    int const others = 32 / lanes;
    return 32 * (int)count->n * ((runs + others - 1) / others);
}

#endif
