/** Tiles of rows and columns that begin anywhere (relayout_form.h): read by words (gpu/kernels/relayout_words.h), or
 *  item by item, lanes being neighbours along the columns; written in accesses of 16 bytes along the rows.
 *
 *  Column s of a tile is cut where sectors of the destination begin, past(s) items before the row at which the tile
 *  is, so that no two tiles write to one sector; for that a tile reads the `ahead` rows before its own, too. Where both
 *  sides have `unit` items side by side, these are rows that one lane after the other reads.
 *
 *  Columns with one past(s) take the same rows to an access. They are a strand; a thread has a whole one, and works
 *  out once where the items of its rows are. Without tables a strand is every n-th column; with them, a list.
 *
 *      shared memory   of items: row d from t.row - ahead on, column s, at item s * pitch + d;  a pitch is an odd
 *                      number of four bytes
 *
 *  Law     the lanes of an access, neighbours along columns or four words apart along rows, do not meet in a bank.
 */
#ifndef TSR_SRC_GPU_KERNELS_RELAYOUT_RAGGED_H
#define TSR_SRC_GPU_KERNELS_RELAYOUT_RAGGED_H

#include "gpu/kernels/relayout_words.h"

TSR_HEADER_BEGIN

/** Where column s begins in the destination. */
TSR_LOCAL_REF int64_t tsr_relayout_begin_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                          tsr_relayout_tile const *t, int s)
{
    int64_t from = 0, to = t->to;
    tsr_relayout_add_(r, r->row_loops, r->column_loops, f.columns, t->column + s, f.wide, &from, &to);
    return to;
}

/** What a tile of more loops has behind its items: where its units of rows begin in the source, its columns in the
 *  destination; the column after one in its strand; the first column of a strand. -1: there is none. */
typedef struct tsr_relayout_tables {
    int64_t *rows, *columns;
    int32_t *next, *first;
} tsr_relayout_tables;

TSR_LOCAL_REF tsr_relayout_tables tsr_relayout_tables_(tsr_relayout const *r, unsigned char const *shared)
{
    tsr_relayout_tables x;
    x.rows = (int64_t *)(uintptr_t)(shared + r->table);
    x.columns = x.rows + r->runs;
    x.next = (int32_t *)(void *)(x.columns + r->tile_columns);
    x.first = x.next + r->tile_columns;
    return x;
}

/** Rows, and strands without columns. */
TSR_LOCAL_REF void tsr_relayout_prepare_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, int64_t block,
                                         int thread, unsigned char *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_of_(f, r, block);
    tsr_relayout_tables const x = tsr_relayout_tables_(r, shared);
    int low = 0, high = 0;
    tsr_relayout_runs_(f, r, &t, &low, &high);
    for (int k = thread; k < r->strands; k += TSR_RELAYOUT_THREADS)
        x.first[k] = -1;
    for (int g = thread; g < r->runs; g += TSR_RELAYOUT_THREADS) {
        int64_t from = 0, to = 0;
        if (low <= g && g < high)
            tsr_relayout_add_(r, 0, r->row_loops, f.loops, (t.row - r->ahead) / f.unit + g, f.wide, &from, &to);
        x.rows[g] = from;
    }
}

/** Items of a column before the row at which its tile begins. */
TSR_LOCAL_REF int tsr_relayout_past_(TSR_FORM_(tsr_relayout_form), uint64_t to, int64_t y)
{
    return f.to_any ? (int)((to + (uint64_t)y) & (TSR_RELAYOUT_SECTOR - 1)) / f.to_item : 0;
}

/** Columns to their strands. */
TSR_LOCAL_REF void tsr_relayout_sort_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, uint64_t to, int64_t block,
                                      int thread, unsigned char *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_of_(f, r, block);
    tsr_relayout_tables const x = tsr_relayout_tables_(r, shared);
    int const ways = r->ways, many = r->strands / ways;
    for (int s = thread; s < t.columns; s += TSR_RELAYOUT_THREADS) {
        x.columns[s] = tsr_relayout_begin_(f, r, &t, s);
        int const way = (int)((to + (uint64_t)x.columns[s]) % TSR_RELAYOUT_SECTOR) * ways / TSR_RELAYOUT_SECTOR;
        x.next[s] = tsr_relayout_exchange_(&x.first[way + s % many * ways], s);
    }
}

TSR_LOCAL_REF void tsr_relayout_fetch_items_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, uint64_t from,
                                             int64_t block, int thread, unsigned char *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_of_(f, r, block);
    int64_t const *const table = tsr_relayout_tables_(r, shared).rows;
    int const warp = thread / 32, e = warp % f.warps * 32 + thread % 32, s = e / f.unit, u = e % f.unit;
    int const first = warp / f.warps, across = TSR_RELAYOUT_THREADS / 32 / f.warps;
    int low = 0, high = 0;
    int64_t x = t.from + u * f.from_item, unused = 0;
    tsr_relayout_runs_(f, r, &t, &low, &high);
    if (s >= t.columns)
        return;
    tsr_relayout_add_(r, r->row_loops, r->column_loops, f.columns, t.column + s, f.wide, &x, &unused);
    int64_t const step = f.tables ? 0 : r->loop[0].from;
    unsigned char const *p = (unsigned char const *)(uintptr_t)(from + (uint64_t)x);
    p += f.tables ? 0 : ((t.row - r->ahead) / f.unit + first) * step;
    unsigned char *q = shared + (s * r->pitch + first * f.unit + u) * f.from_item;
    for (int g = first; g < high; g += f.batch * across) {
        tsr_relayout_value v[16];
        TSR_UNROLL_ for (int b = 0; b < 16; ++b) if (b < f.batch)
        {
            int const k = g + b * across;
            if (low <= k && k < high)
                tsr_relayout_read_(&v[b], p + (f.tables ? table[k] : 0), f.from_item);
            p += across * step;
            TSR_HIDE_(p); /* or all addresses are worked out before, into 2 * batch registers */
        }
        TSR_UNROLL_ for (int b = 0; b < 16; ++b) if (b < f.batch)
        {
            int const k = g + b * across;
            if (low <= k && k < high)
                tsr_relayout_keep_(q + b * across * f.unit * f.from_item, &v[b], f.from_item);
        }
        q += f.batch * across * f.unit * f.from_item;
    }
}

/** Where item d of a column of a tile is in shared memory, behind where the column is. */
TSR_LOCAL_REF int tsr_relayout_item_at_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                        tsr_relayout_tile const *t, int64_t const *rows, uint64_t from, int d)
{
    int const run = d / f.unit;
    if (!f.async)
        return d * f.from_item;
    return tsr_relayout_word_(f, r, run) + (int)(tsr_relayout_row_(f, r, t, rows, from, run) & 15)
           + (d - run * f.unit) * f.from_item;
}

/** Columns of a strand begin alike in their sectors, so their accesses take the same rows, which a thread finds
 *  once. */
TSR_LOCAL_REF void tsr_relayout_deliver_ragged_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, uint64_t from,
                                                uint64_t to, int64_t block, int thread, unsigned char const *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_of_(f, r, block);
    tsr_relayout_tables const table = tsr_relayout_tables_(r, shared);
    int const lanes = r->lanes, others = 32 / lanes, strands = r->strands;
    int const groups = (int)r->stores.n, units = 32 * groups * ((strands + others - 1) / others);
    int const width = f.async ? f.unit * f.from_item : r->pitch * f.from_item;
    int64_t const apart = strands * r->loop[r->row_loops].to;
    bool const parts = f.to_any || f.to_parts;
    for (int e = thread; e < units; e += TSR_RELAYOUT_THREADS) {
        int const lane = e % 32, remote = (int)tsr_relayout_divide_(&r->stores, e / 32, false);
        int const nearby = e / 32 - remote * groups, strand = remote * others + lane / lanes;
        int const place = (nearby * lanes + lane % lanes) * f.to_items;
        if (place >= r->tile_rows || strand >= strands)
            continue;
        int s = f.tables ? table.first[strand] : strand;
        if (s < 0 || s >= t.columns)
            continue;
        int64_t y = f.tables ? table.columns[s] : tsr_relayout_begin_(f, r, &t, s), unused = 0, along = 0;
        int const past = tsr_relayout_past_(f, to, y);
        int64_t const row = t.row + place - past;
        int const first = row < 0 ? (int)-row : 0, last = (int)tsr_min64(r->rows - row, f.to_items);
        if (first >= last)
            continue;
        if (f.to_run)
            along = row * f.to_item;
        else
            tsr_relayout_add_(r, 0, r->row_loops, f.loops, row, f.wide, &unused, &along);
        int at[16];
        TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.to_items) at[i] =
            tsr_relayout_item_at_(f, r, &t, table.rows, from, place - past + r->ahead + i);
        unsigned char *const q = (unsigned char *)(uintptr_t)(to + (uint64_t)along);
        do {
            tsr_relayout_value const old = tsr_relayout_old_(f, q + y, parts, first, last);
            tsr_relayout_value x[16];
            TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.to_items)
            {
                x[i] = tsr_relayout_nothing_();
                tsr_relayout_take_(&x[i], shared + at[i] + s * width, f.from_item);
            }
            tsr_relayout_value const w =
                tsr_relayout_make_each_(f, r, x, &old, parts && f.from_type != 0, first, last);
            tsr_relayout_write_items_(q + y, &w, f.to_item, f.to_items, parts, first, last);
            s = f.tables ? table.next[s] : s + strands;
            y = !f.tables ? y + apart : s >= 0 ? table.columns[s] : 0;
        } while (s >= 0 && s < t.columns);
    }
}

TSR_HEADER_END

#endif
