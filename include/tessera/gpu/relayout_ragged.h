/** Tiles of rows and columns that begin anywhere (gpu/relayout.h): read by words (gpu/relayout_words.h), or item by
 *  item, lanes being neighbours along the columns; written in accesses of 16 bytes along the rows.
 *
 *  Column s of a tile is cut where sectors of the destination begin, past(s) items before the row at which the tile
 *  is, so that no two tiles write to one sector; for that a tile reads the `ahead` rows before its own, too. Where both
 *  sides have `unit` items side by side, these are rows that one lane after the other reads.
 *
 *      shared memory   of items: row d from t.row - ahead on, column s, at item s * pitch + d;  a pitch is an odd number
 *                      of four bytes
 *
 *  Law     the lanes of an access, neighbours along columns or four words apart along rows, do not meet in a bank.
 */
#ifndef TSR_GPU_RELAYOUT_RAGGED_H
#define TSR_GPU_RELAYOUT_RAGGED_H

#include "tessera/gpu/relayout_words.h"

/** Where column s begins in the destination. */
TSR_REF int64_t tsr_relayout_begin_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_tile const *t, int s)
{
    int64_t from = 0, to = t->to;
    tsr_relayout_add_(r, r->row_loops, r->column_loops, f.columns, t->column + s, f.wide, &from, &to);
    return to;
}

/** Behind the tile: where its columns begin, then its units of rows. */
TSR_REF void tsr_relayout_prepare_(tsr_relayout_form f, tsr_relayout const *r, int64_t block, int thread,
                                   unsigned char *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_of_(f, r, block);
    int64_t *const table = (int64_t *)(void *)(shared + r->table);
    int low = 0, high = 0;
    tsr_relayout_runs_(f, r, &t, &low, &high);
    for (int s = thread; s < t.columns; s += TSR_RELAYOUT_THREADS)
        table[s] = tsr_relayout_begin_(f, r, &t, s);
    for (int g = thread; g < high; g += TSR_RELAYOUT_THREADS) {
        int64_t from = 0, to = 0;
        if (g >= low)
            tsr_relayout_add_(r, 0, r->row_loops, f.loops, (t.row - r->ahead) / f.unit + g, f.wide, &from, &to);
        table[r->tile_columns + g] = from;
    }
}

TSR_REF void tsr_relayout_fetch_items_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from, int64_t block,
                                       int thread, unsigned char *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_of_(f, r, block);
    int64_t const *const table = (int64_t const *)(void const *)(shared + r->table) + r->tile_columns;
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

TSR_REF void tsr_relayout_deliver_ragged_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from, uint64_t to,
                                          int64_t block, int thread, unsigned char const *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_of_(f, r, block);
    int64_t const *const table = (int64_t const *)(void const *)(shared + r->table);
    int const lanes = r->lanes, others = 32 / lanes;
    int const groups = (int)r->stores.n, stores = 32 * groups * ((t.columns + others - 1) / others);
    for (int e = thread; e < stores; e += TSR_RELAYOUT_THREADS) {
        int const lane = e % 32, remote = (int)tsr_relayout_divide_(&r->stores, e / 32, false);
        int const nearby = e / 32 - remote * groups, s = remote * others + lane / lanes;
        int const place = (nearby * lanes + lane % lanes) * f.to_items;
        if (place >= r->tile_rows || s >= t.columns)
            continue;
        int64_t y = f.tables ? table[s] : tsr_relayout_begin_(f, r, &t, s), unused = 0;
        int const past = f.to_any ? (int)((to + (uint64_t)y) & (TSR_RELAYOUT_SECTOR - 1)) / f.to_item : 0;
        int64_t const row = t.row + place - past;
        int const first = row < 0 ? (int)-row : 0, last = (int)tsr_min64(r->rows - row, f.to_items);
        bool const parts = f.to_any || f.to_parts;
        if (first >= last)
            continue;
        if (f.to_run)
            y += row * f.to_item;
        else
            tsr_relayout_add_(r, 0, r->row_loops, f.loops, row, f.wide, &unused, &y);
        unsigned char *const q = (unsigned char *)(uintptr_t)(to + (uint64_t)y);
        int const d = place - past + r->ahead;
        tsr_relayout_value const old = tsr_relayout_old_(f, q, parts, first, last);
        tsr_relayout_value x[16];
        if (f.async)
            tsr_relayout_take_words_(f, r, &t, from, shared, d, s, x);
        TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.to_items && !f.async)
        {
            x[i] = tsr_relayout_nothing_();
            tsr_relayout_take_(&x[i], shared + (s * r->pitch + d + i) * f.from_item, f.from_item);
        }
        tsr_relayout_value const w = tsr_relayout_make_each_(f, r, x, &old, parts && f.from_type != 0, first, last);
        tsr_relayout_write_items_(q, &w, f.to_item, f.to_items, parts, first, last);
    }
}

#endif
