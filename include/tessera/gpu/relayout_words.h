/** Tiles of one loop each way whose rows are runs of the source that begin anywhere (gpu/relayout.h), read by words: the
 *  16 bytes at multiples of 16 in which a row lies, copied in the background, as they are. All of a tile is under way at
 *  once.
 *
 *  A row begins past(d) bytes behind the first of its words, the rest of its address by 16, which whoever takes its items
 *  works out again. Words that the source does not fill are read item by item.
 *
 *      shared memory   byte k of the words of row d at  d * pitch + (k ^ 16 * (d / to_items % 2^n)),
 *                      16 * 2^n = min(128, pitch);  rows from t.row - ahead on
 *
 *  Law     eight neighbouring accesses of a column take their items from eight groups of four banks.
 */
#ifndef TSR_GPU_RELAYOUT_WORDS_H
#define TSR_GPU_RELAYOUT_WORDS_H

#include "tessera/gpu/relayout_tile.h"

/** Units of rows that there are, of those that a tile may read: from low to before high. */
TSR_REF void tsr_relayout_runs_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_tile const *t, int *low,
                                int *high)
{
    int64_t const row = t->row - r->ahead;
    *low = row < 0 ? (int)(-row / f.unit) : 0;
    *high = (int)tsr_min64((r->rows - row) / f.unit, r->runs);
}

/** Where row d begins in the source. */
TSR_REF uint64_t tsr_relayout_row_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_tile const *t,
                                   uint64_t from, int d)
{
    return from + (uint64_t)(t->from + t->column * f.from_item + (t->row - r->ahead + d) * r->loop[0].from);
}

/** Byte k of the words of row d. */
TSR_REF int tsr_relayout_word_(tsr_relayout_form f, tsr_relayout const *r, int d, int k)
{
    int const chunks = (r->pitch < 128 ? r->pitch : 128) / 16 - 1;
    return d * r->pitch + (k ^ (d / f.to_items & chunks) * 16);
}

TSR_REF void tsr_relayout_fetch_words_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from, int64_t block,
                                       int thread, unsigned char *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_of_(f, r, block);
    int const words = (int)r->loads.n, bytes = t.columns * f.from_item;
    int low = 0, high = 0;
    tsr_relayout_runs_(f, r, &t, &low, &high);
    TSR_ROLL_ for (int e = thread; e < (high - low) * words; e += TSR_RELAYOUT_THREADS)
    {
        int const row = (int)tsr_relayout_divide_(&r->loads, e, false), d = low + row, k = (e - row * words) * 16;
        uint64_t const begin = tsr_relayout_row_(f, r, &t, from, d);
        int const past = (int)(begin & 15), first = past - k, last = past + bytes - k;
        unsigned char const *const p = (unsigned char const *)(uintptr_t)(begin - (uint64_t)past + (uint64_t)k);
        int64_t const at = (int64_t)(begin - from) - past + k;
        if (last <= 0)
            continue;
        if (at >= r->from_low && at + 16 <= r->from_high) {
            tsr_relayout_begin_copy_(shared + tsr_relayout_word_(f, r, d, k), p, 16);
        } else {
            tsr_relayout_value const v = tsr_relayout_read_each_(p, f.from_item, 16 / f.from_item, first / f.from_item,
                                                                 last / f.from_item);
            tsr_relayout_keep_(shared + tsr_relayout_word_(f, r, d, k), &v, 16);
        }
    }
}

/** Takes rows d to d + items - 1 of column s. */
TSR_REF void tsr_relayout_take_words_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_tile const *t,
                                      uint64_t from, unsigned char const *shared, int d, int s, tsr_relayout_value *x)
{
    TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.to_items)
    {
        int const past = (int)(tsr_relayout_row_(f, r, t, from, d + i) & 15);
        x[i] = tsr_relayout_nothing_();
        tsr_relayout_take_(&x[i], shared + tsr_relayout_word_(f, r, d + i, past + s * f.from_item), f.from_item);
    }
}

#endif
