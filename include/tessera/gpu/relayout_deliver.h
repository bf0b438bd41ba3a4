/** A tile, from shared memory to the destination (gpu/relayout_tile.h): whole accesses along its columns. */
#ifndef TSR_GPU_RELAYOUT_DELIVER_H
#define TSR_GPU_RELAYOUT_DELIVER_H

#include "tessera/gpu/relayout_tile.h"

/** The items from place `at` of column s on, 16 bytes to a value. */
TSR_REF void tsr_relayout_take_items_(tsr_relayout_form f, tsr_relayout const *r, int s, int at,
                                      unsigned char const *shared, tsr_relayout_value *v)
{
    int const bytes = f.to_items * f.from_item;
    if (f.gather) {
        TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.to_items)
        {
            tsr_relayout_value x = {{0, 0, 0, 0}};
            int const place = i * f.from_item;
            tsr_relayout_take_(&x, shared + tsr_relayout_kept_(f, r, at + i, s * f.from_item), f.from_item);
            tsr_relayout_put_(&v[place / 16], place % 16 / f.from_item, f.from_item, &x);
        }
        return;
    }
    TSR_UNROLL_ for (int k = 0; k < 8; ++k) if (k * 16 < bytes) tsr_relayout_take_(
        &v[k], shared + tsr_relayout_kept_(f, r, s, at * f.from_item + k * 16), bytes < 16 ? bytes : 16);
}

TSR_REF void tsr_relayout_deliver_(tsr_relayout_form f, tsr_relayout const *r, uint64_t to, int64_t block, int thread,
                                   unsigned char const *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_at_(f, r, block);
    int const accesses = tsr_relayout_accesses_(&r->stores, r->to_lanes, t.columns);
    for (int k = thread; k < accesses; k += TSR_RELAYOUT_THREADS) {
        tsr_relayout_value v[8];
        int c = 0, s = 0;
        tsr_relayout_spread_(&r->stores, r->to_lanes, k, &c, &s);
        int const at = c * f.to_items;
        if (s >= t.columns || at >= r->tile_rows)
            continue;
        int64_t y = tsr_relayout_begin_at_(f, r, &t, s, shared), unused = 0;
        int64_t const row = t.first + at - tsr_relayout_past_(f, to, y);
        int const first = row < 0 ? (int)-row : 0, last = (int)tsr_min64(r->rows - row, f.to_items);
        if (first >= last)
            continue;
        if (f.to_run)
            y += row * f.to_item;
        else
            tsr_relayout_add_(r, 0, r->row_loops, f.loops, row, f.wide, &unused, &y);
        unsigned char *const q =
            (unsigned char *)(uintptr_t)tsr_relayout_place_(to, r->to_swizzle, f.swizzled, y);
        bool const parts = f.to_any || f.to_parts;
        TSR_UNROLL_ for (int i = 0; i < 8; ++i) v[i] = tsr_relayout_nothing_();
        tsr_relayout_take_items_(f, r, s, at, shared, v);
        v[0] = tsr_relayout_make_items_(f, r, v, q, parts, first, last);
        tsr_relayout_write_items_(q, &v[0], f.to_item, f.to_items, parts, first, last);
    }
}

#endif
