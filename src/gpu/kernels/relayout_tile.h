/** Tiles through shared memory (relayout_form.h): fetched along the columns, delivered along the rows.
 *
 *      shared memory   item (d, s) at byte d * pitch + (s * item ^ 16 * (d / to_items % 2^k)),
 *                      16 * 2^k = min(128, pitch)
 *
 *  Law     the items of one access, (d, s) .. (d + n - 1, s) or (d, s) .. (d, s + n - 1), do not meet in a bank: rows
 *          of one access have one xor, and eight neighbouring accesses of a row of the destination have eight.
 */
#ifndef TSR_SRC_GPU_KERNELS_RELAYOUT_TILE_H
#define TSR_SRC_GPU_KERNELS_RELAYOUT_TILE_H

#include "gpu/kernels/relayout_item.h"

TSR_HEADER_BEGIN

/** A tile: its first row and column, how many of them it has, and where the other loops lead. */
typedef struct tsr_relayout_tile {
    int64_t row, column, from, to;
    int rows, columns;
} tsr_relayout_tile;

TSR_LOCAL_REF tsr_relayout_tile tsr_relayout_tile_of_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                                      int64_t block)
{
    tsr_relayout_tile t;
    bool const along = r->along_rows;
    tsr_relayout_count const *const first = along ? &r->row_tiles : &r->column_tiles;
    tsr_relayout_count const *const second = along ? &r->column_tiles : &r->row_tiles;
    int64_t const rest = tsr_relayout_divide_(first, block, f.wide), nearby = block - rest * first->n;
    int64_t const outer = tsr_relayout_divide_(second, rest, f.wide), remote = rest - outer * second->n;
    t.row = (along ? nearby : remote) * r->tile_rows;
    t.column = (along ? remote : nearby) * r->tile_columns;
    t.rows = (int)tsr_min64(r->rows - t.row, r->tile_rows);
    t.columns = (int)tsr_min64(r->columns - t.column, r->tile_columns);
    t.from = r->from;
    t.to = r->to;
    int const inner = r->row_loops + r->column_loops;
    tsr_relayout_add_(r, inner, r->loops - inner, 0, outer, f.wide, &t.from, &t.to);
    return t;
}

/** The same for a tile of one loop each way: the rest is a product of small numbers. */
TSR_LOCAL_REF tsr_relayout_tile tsr_relayout_tile_at_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                                      int64_t block)
{
    tsr_relayout_tile t = tsr_relayout_tile_of_(f, r, block);
    if (f.loops == 1 && f.columns == 1) {
        t.from += t.row * r->loop[0].from + t.column * r->loop[1].from;
        t.to += t.row * r->loop[0].to + t.column * r->loop[1].to;
    }
    return t;
}

/** Where byte `at` of row d of a tile is in shared memory. */
TSR_LOCAL_REF int tsr_relayout_kept_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, int d, int at)
{
    int const chunks = (r->pitch < 128 ? r->pitch : 128) / 16 - (r->pitch >= 16);
    return d * r->pitch + (at ^ (d / f.to_items & chunks) * 16);
}

/** Where it is in the source, and in the destination. */
TSR_LOCAL_REF int64_t tsr_relayout_source_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                           tsr_relayout_tile const *t, int d, int s)
{
    int64_t from = t->from, unused = 0;
    if (f.loops == 1 && f.columns == 1)
        return from + d * r->loop[0].from + s * r->loop[1].from;
    tsr_relayout_add_(r, 0, r->row_loops, f.loops, t->row + d, f.wide, &from, &unused);
    if (f.from_run)
        return from + (t->column + s) * f.from_item;
    tsr_relayout_add_(r, r->row_loops, r->column_loops, f.columns, t->column + s, f.wide, &from, &unused);
    return from;
}

TSR_LOCAL_REF int64_t tsr_relayout_target_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                           tsr_relayout_tile const *t, int d, int s)
{
    int64_t to = t->to, unused = 0;
    if (f.loops == 1 && f.columns == 1)
        return to + d * r->loop[0].to + s * r->loop[1].to;
    tsr_relayout_add_(r, r->row_loops, r->column_loops, f.columns, t->column + s, f.wide, &unused, &to);
    if (f.to_run)
        return to + (t->row + d) * f.to_item;
    tsr_relayout_add_(r, 0, r->row_loops, f.loops, t->row + d, f.wide, &unused, &to);
    return to;
}

/** From the source to shared memory, along the columns. */
TSR_LOCAL_REF void tsr_relayout_fetch_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, uint64_t from,
                                       int64_t block, int thread, unsigned char *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_at_(f, r, block);
    int const loads = t.rows * (int)r->loads.n;
    for (int e = thread; e < loads; e += f.batch * TSR_RELAYOUT_THREADS) {
        tsr_relayout_value v[8];
        int at[8];
        TSR_UNROLL_ for (int b = 0; b < 8; ++b) if (b < f.batch)
        {
            int const k = e + b * TSR_RELAYOUT_THREADS, d = (int)tsr_relayout_divide_(&r->loads, k, false);
            int const s = (k - d * (int)r->loads.n) * f.from_items;
            at[b] = -1;
            if (k < loads && s < t.columns) {
                int64_t const x = tsr_relayout_source_(f, r, &t, d, s);
                at[b] = tsr_relayout_kept_(f, r, d, s * f.from_item);
                unsigned char const *const p =
                    (unsigned char const *)(uintptr_t)tsr_relayout_place_(from, r->from_swizzle, f.swizzled, x);
                if (f.async && (!f.from_parts || t.columns - s >= f.from_items)) {
                    tsr_relayout_begin_copy_(shared + at[b], p, f.from_item * f.from_items);
                    at[b] = -1;
                    continue;
                }
                v[b] = tsr_relayout_read_items_(p, f.from_item, f.from_items, f.from_parts, 0, t.columns - s);
            }
        }
        TSR_UNROLL_ for (int b = 0; b < 8; ++b) if (b < f.batch && at[b] >= 0)
            tsr_relayout_keep_(shared + at[b], &v[b], f.from_item * f.from_items);
    }
}

/** An access of the destination: its first row and column of the tile, its address, and the old contents. */
typedef struct tsr_relayout_store {
    int row, column;
    unsigned char *place;
    tsr_relayout_value old;
} tsr_relayout_store;

/** Access e of a tile: of the lanes of a warp 2^k are neighbours along the rows, the others along the columns. */
TSR_LOCAL_REF void tsr_relayout_store_at_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                          tsr_relayout_tile const *t, uint64_t to, int e, tsr_relayout_store *a)
{
    int const lane = e % 32, remote = (int)tsr_relayout_divide_(&r->stores, e / 32, false);
    int const nearby = e / 32 - remote * (int)r->stores.n;
    a->column = remote * (32 / r->lanes) + lane / r->lanes;
    a->row = (nearby * r->lanes + lane % r->lanes) * f.to_items;
    if (a->row >= t->rows || a->column >= t->columns)
        return;
    int64_t const y = tsr_relayout_target_(f, r, t, a->row, a->column);
    a->place = (unsigned char *)(uintptr_t)tsr_relayout_place_(to, r->to_swizzle, f.swizzled, y);
    a->old = tsr_relayout_old_(f, a->place, f.to_parts, 0, t->rows - a->row);
}

TSR_LOCAL_REF void tsr_relayout_store_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                       tsr_relayout_tile const *t, tsr_relayout_store const *a,
                                       unsigned char const *shared)
{
    int const at = tsr_relayout_kept_(f, r, a->row, a->column * f.from_item), last = t->rows - a->row;
    tsr_relayout_value x[16];
    if (a->row >= t->rows || a->column >= t->columns)
        return;
    TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.to_items)
    {
        x[i] = tsr_relayout_nothing_();
        if (!f.to_parts || i < last)
            tsr_relayout_take_(&x[i], shared + at + i * r->pitch, f.from_item);
    }
    tsr_relayout_value const w = tsr_relayout_make_each_(f, r, x, &a->old, f.to_parts, 0, last);
    tsr_relayout_write_items_(a->place, &w, f.to_item, f.to_items, f.to_parts, 0, last);
}

/** From shared memory to the destination; where it is read, too, up to four accesses at a time. */
TSR_LOCAL_REF void tsr_relayout_deliver_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, uint64_t to,
                                         int64_t block, int thread, unsigned char const *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_at_(f, r, block);
    int const others = 32 / r->lanes, batch = f.beta == 0 ? 1 : f.batch < 4 ? f.batch : 4;
    int const stores = 32 * (int)r->stores.n * ((t.columns + others - 1) / others);
    for (int e = thread; e < stores; e += batch * TSR_RELAYOUT_THREADS) {
        tsr_relayout_store a[4];
        TSR_UNROLL_ for (int b = 0; b < 4; ++b) if (b < batch)
            tsr_relayout_store_at_(f, r, &t, to, e + b * TSR_RELAYOUT_THREADS, &a[b]);
        TSR_UNROLL_ for (int b = 0; b < 4; ++b) if (b < batch) tsr_relayout_store_(f, r, &t, &a[b], shared);
    }
}

TSR_HEADER_END

#endif
