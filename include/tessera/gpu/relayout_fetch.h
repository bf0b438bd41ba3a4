/** A tile, from the source to shared memory (gpu/relayout_tile.h): accesses along the runs of the source, whose items
 *  are scattered to where the accesses of the destination want them. */
#ifndef TSR_GPU_RELAYOUT_FETCH_H
#define TSR_GPU_RELAYOUT_FETCH_H

#include "tessera/gpu/relayout_tile.h"

/** An access under way: its run, and the element of it that its first item is. */
typedef struct tsr_relayout_read {
    tsr_relayout_value value;
    int run, element, first, last; /* items first to last - 1 are of the tile */
} tsr_relayout_read;

/** Reads access c of run g; it begins at a multiple of its bytes, before the run if need be. */
TSR_REF void tsr_relayout_read_run_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_tile const *t,
                                    uint64_t from, int g, int c, unsigned char *shared, tsr_relayout_read *a)
{
    int const items = f.from_items, bytes = f.from_item * f.from_items;
    int first = 0, last = 0;
    tsr_relayout_elements_(f, r, t, g, &first, &last);
    a->last = 0;
    if (first >= last)
        return;
    int64_t x = tsr_relayout_run_at_(f, r, t, g, shared), unused = 0;
    int const past = f.from_any ? (int)((from + (uint64_t)x) & 15) / f.from_item : 0, e = c * items - past;
    if (f.from_run)
        x += (int64_t)e * f.from_item;
    else
        tsr_relayout_add_(r, r->row_loops, r->column_loops, f.columns, t->column + e, f.wide, &x, &unused);
    a->run = g;
    a->element = e;
    a->first = first - e;
    a->last = last - e;
    if (a->last <= 0 || a->first >= items)
        return;
    unsigned char const *const p =
        (unsigned char const *)(uintptr_t)tsr_relayout_place_(from, r->from_swizzle, f.swizzled, x);
    bool const inside = f.from_any && x >= r->from_low && x + bytes <= r->from_high;
    bool const all = inside || (a->first <= 0 && a->last >= items);
    if (f.gather && all) {
        tsr_relayout_begin_copy_(shared + tsr_relayout_kept_(f, r, g, e * f.from_item), p, bytes);
        a->last = 0;
        return;
    }
    a->value = tsr_relayout_read_items_(p, f.from_item, items, f.from_any || f.from_parts, all ? 0 : a->first,
                                        all ? items : a->last);
}

/** Keeps its items. */
TSR_REF void tsr_relayout_scatter_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_tile const *t, uint64_t to,
                                   unsigned char *shared, tsr_relayout_read const *a)
{
    bool const all = !f.from_any && !f.from_parts;
    if (a->last <= 0)
        return;
    if (f.gather) {
        tsr_relayout_keep_(shared + tsr_relayout_kept_(f, r, a->run, a->element * f.from_item), &a->value,
                           f.from_item * f.from_items);
        return;
    }
    TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.from_items && (all || (a->first <= i && i < a->last)))
    {
        int row = 0, s = 0;
        tsr_relayout_element_in_(f, a->run, a->element + i, &row, &s);
        if (f.to_any)
            row += tsr_relayout_past_(f, to, tsr_relayout_begin_at_(f, r, t, s, shared)) - r->ahead;
        if (!f.to_any || (row >= 0 && row < r->tile_rows)) {
            tsr_relayout_value const x = tsr_relayout_item_(&a->value, i, f.from_item);
            tsr_relayout_keep_(shared + tsr_relayout_kept_(f, r, s, row * f.from_item), &x, f.from_item);
        }
    }
}

TSR_REF void tsr_relayout_fetch_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from, uint64_t to, int64_t block,
                                 int thread, unsigned char *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_at_(f, r, block);
    int const accesses = tsr_relayout_accesses_(&r->loads, r->from_lanes, r->runs);
    for (int k = thread; k < accesses; k += f.batch * TSR_RELAYOUT_THREADS) {
        tsr_relayout_read a[8];
        TSR_UNROLL_ for (int b = 0; b < 8; ++b) if (b < f.batch)
        {
            int g = 0, c = 0;
            tsr_relayout_spread_(&r->loads, r->from_lanes, k + b * TSR_RELAYOUT_THREADS, &c, &g);
            tsr_relayout_read_run_(f, r, &t, from, g, c, shared, &a[b]);
        }
        TSR_UNROLL_ for (int b = 0; b < 8; ++b) if (b < f.batch) tsr_relayout_scatter_(f, r, &t, to, shared, &a[b]);
    }
}

#endif
