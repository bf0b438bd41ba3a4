/** Tiles through shared memory (gpu/relayout.h): fetched along the columns, delivered along the rows. */
#ifndef TSR_GPU_RELAYOUT_TILE_H
#define TSR_GPU_RELAYOUT_TILE_H

#include "tessera/gpu/relayout_direct.h"

/** A tile: its first row and column, how many of them it has, and where the other loops lead. */
typedef struct tsr_relayout_tile {
    int64_t row, column, from, to;
    int rows, columns;
} tsr_relayout_tile;

TSR_REF tsr_relayout_tile tsr_relayout_tile_at_(tsr_relayout_form f, tsr_relayout const *r, int64_t block)
{
    tsr_relayout_tile t;
    bool const along = r->along_rows;
    tsr_relayout_count const *const first = along ? &r->row_tiles : &r->column_tiles;
    tsr_relayout_count const *const second = along ? &r->column_tiles : &r->row_tiles;
    int64_t const rest = tsr_relayout_divide_(first, block, f.wide), near = block - rest * first->n;
    int64_t const outer = tsr_relayout_divide_(second, rest, f.wide), far = rest - outer * second->n;
    t.row = (along ? near : far) * r->tile_rows;
    t.column = (along ? far : near) * r->tile_columns;
    t.rows = (int)tsr_min64(r->rows - t.row, r->tile_rows);
    t.columns = (int)tsr_min64(r->columns - t.column, r->tile_columns);
    t.from = r->from;
    t.to = r->to;
    int const inner = r->row_loops + r->column_loops;
    tsr_relayout_add_(r, inner, r->loops - inner, 0, outer, f.wide, &t.from, &t.to);
    if (f.loops == 1 && f.columns == 1) { /* the rest is a product of small numbers */
        t.from += t.row * r->loop[0].from + t.column * r->loop[1].from;
        t.to += t.row * r->loop[0].to + t.column * r->loop[1].to;
    }
    return t;
}

/** Where byte `at` of row d of a tile is in shared memory. */
TSR_REF int tsr_relayout_kept_(tsr_relayout_form f, tsr_relayout const *r, int d, int at)
{
    int const chunks = (r->pitch < 128 ? r->pitch : 128) / 16 - (r->pitch >= 16);
    return d * r->pitch + (at ^ (d / f.to_items & chunks) * 16);
}

/** Where it is on both sides. */
TSR_REF void tsr_relayout_sides_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_tile const *t, int d, int s,
                                 int64_t *from, int64_t *to)
{
    *from = t->from;
    *to = t->to;
    if (f.loops == 1 && f.columns == 1) {
        *from += d * r->loop[0].from + s * r->loop[1].from;
        *to += d * r->loop[0].to + s * r->loop[1].to;
    } else {
        tsr_relayout_add_(r, 0, r->row_loops, f.loops, t->row + d, f.wide, from, to);
        tsr_relayout_add_(r, r->row_loops, r->column_loops, f.columns, t->column + s, f.wide, from, to);
    }
}

/** The same where rows begin anywhere: whole 16 bytes of memory, at the same place of 16 bytes in shared memory; how
 *  far behind
 *  it the row begins is kept behind the tile. */
TSR_REF void tsr_relayout_fetch_any_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from, int64_t block,
                                     int thread, unsigned char *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_at_(f, r, block);
    int const loads = t.rows * (int)r->loads.n, bytes = t.columns * f.from_item;
    TSR_ROLL_ for (int k = thread; k < loads; k += TSR_RELAYOUT_THREADS)
    {
        int const d = (int)tsr_relayout_divide_(&r->loads, k, false), c = k - d * (int)r->loads.n;
        int64_t x = 0, y = 0;
        tsr_relayout_sides_(f, r, &t, d, 0, &x, &y);
        int const past = (int)((from + (uint64_t)x) & 15), first = 16 * c - past;
        int64_t const at = x + first;
        if (c == 0)
            shared[r->tile_rows * r->pitch + d] = (unsigned char)past;
        if (first >= bytes)
            continue;
        if (at >= r->from_low && at + 16 <= r->from_high) {
            tsr_relayout_begin_(shared + tsr_relayout_kept_(f, r, d, 16 * c),
                                (unsigned char const *)(uintptr_t)(from + (uint64_t)at), 16);
            continue;
        }
        TSR_ROLL_ for (int i = 0; i < 16; i += f.from_item) if (first + i >= 0 && first + i < bytes)
        {
            tsr_relayout_value v = {{0, 0, 0, 0}};
            tsr_relayout_read_(&v, (unsigned char const *)(uintptr_t)(from + (uint64_t)(at + i)), f.from_item);
            tsr_relayout_keep_(shared + tsr_relayout_kept_(f, r, d, 16 * c + i), &v, f.from_item);
        }
    }
}

/** From the source to shared memory, along the columns. */
TSR_REF void tsr_relayout_fetch_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from, int64_t block, int thread,
                                 unsigned char *shared)
{
    if (f.from_any) {
        tsr_relayout_fetch_any_(f, r, from, block, thread, shared);
        return;
    }
    tsr_relayout_tile const t = tsr_relayout_tile_at_(f, r, block);
    int const loads = t.rows * (int)r->loads.n;
    for (int e = thread; e < loads; e += f.batch * TSR_RELAYOUT_THREADS) {
        tsr_relayout_value v[8];
        int at[8];
        TSR_UNROLL_ for (int b = 0; b < 8; ++b) if (b < f.batch)
        {
            int const k = e + b * TSR_RELAYOUT_THREADS, d = (int)tsr_relayout_divide_(&r->loads, k, false);
            int const s = (k - d * (int)r->loads.n) * f.from_items;
            int64_t x = 0, y = 0;
            at[b] = -1;
            if (k < loads && s < t.columns) {
                tsr_relayout_sides_(f, r, &t, d, s, &x, &y);
                at[b] = tsr_relayout_kept_(f, r, d, s * f.from_item);
                unsigned char const *const p =
                    (unsigned char const *)(uintptr_t)tsr_relayout_place_(from, r->from_swizzle, f.swizzled, x);
                if (f.async && (!f.from_parts || t.columns - s >= f.from_items)) {
                    tsr_relayout_begin_(shared + at[b], p, f.from_item * f.from_items);
                    at[b] = -1;
                    continue;
                }
                v[b] = tsr_relayout_read_items_(p, f.from_item, f.from_items, f.from_parts, t.columns - s);
            }
        }
        TSR_UNROLL_ for (int b = 0; b < 8; ++b) if (b < f.batch && at[b] >= 0)
            tsr_relayout_keep_(shared + at[b], &v[b], f.from_item * f.from_items);
    }
}

/** From shared memory to the destination: of the lanes of a warp 2^k are neighbours along the rows, the others along the
 *  columns. */
TSR_REF void tsr_relayout_deliver_(tsr_relayout_form f, tsr_relayout const *r, uint64_t to, int64_t block, int thread,
                                   unsigned char const *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_at_(f, r, block);
    int const lanes = r->lanes, others = 32 / lanes;
    int const groups = (int)r->stores.n, stores = 32 * groups * ((t.columns + others - 1) / others);
    for (int e = thread; e < stores; e += TSR_RELAYOUT_THREADS) {
        int const lane = e % 32, far = (int)tsr_relayout_divide_(&r->stores, e / 32, false),
                  near = e / 32 - far * groups;
        int const s = far * others + lane / lanes;
        int d = (near * lanes + lane % lanes) * f.to_items;
        int64_t x = 0, y = 0;
        if (d >= t.rows + (f.to_any ? lanes * f.to_items : 0) || s >= t.columns)
            continue;
        tsr_relayout_sides_(f, r, &t, f.to_any ? 0 : d, s, &x, &y);
        uint64_t place = tsr_relayout_place_(to, r->to_swizzle, f.swizzled, y);
        if (f.to_any) { /* neighbouring lanes begin where a line does */
            d -= (int)(place & (uint64_t)(16 * lanes - 1)) / f.to_item;
            place += (uint64_t)((int64_t)d * f.to_item);
        }
        unsigned char *const q = (unsigned char *)(uintptr_t)place;
        int const at = tsr_relayout_kept_(f, r, d, s * f.from_item);
        bool const whole = f.to_any ? d >= 0 && d + f.to_items <= t.rows : !f.to_parts || d + f.to_items <= t.rows;
        tsr_relayout_value w = {{0, 0, 0, 0}};
        TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.to_items && (whole || (d + i >= 0 && d + i < t.rows)))
        {
            tsr_relayout_value v = {{0, 0, 0, 0}};
            int const past = f.from_any ? shared[r->tile_rows * r->pitch + d + i] : 0;
            int const item =
                f.from_any || f.to_any ? tsr_relayout_kept_(f, r, d + i, s * f.from_item + past) : at + i * r->pitch;
            tsr_relayout_take_(&v, shared + item, f.from_item);
            v = tsr_relayout_make_(f, r, v, q + i * f.to_item);
            tsr_relayout_put_(&w, i, f.to_item, &v);
        }
        if (f.to_any) {
            tsr_relayout_write_any_(f, q, &w, -d, t.rows - d);
        } else {
            tsr_relayout_write_items_(q, &w, f.to_item, f.to_items, f.to_parts, t.rows - d);
        }
    }
}

#if TSR_ON_GPU
/** A kernel of tiles. One at a time: two under way in a block were slower (0.86 of a copy instead of 0.95). */
__device__ __forceinline__ void tsr_relayout_tiles_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from,
                                                    uint64_t to, unsigned char *shared)
{
    tsr_relayout_fetch_(f, r, from, blockIdx.x, (int)threadIdx.x, shared);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    tsr_relayout_deliver_(f, r, to, blockIdx.x, (int)threadIdx.x, shared);
}
#endif

#endif
