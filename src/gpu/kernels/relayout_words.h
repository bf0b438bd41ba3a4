/** Tiles whose rows are runs of the source that begin anywhere (relayout_form.h), read by words: the 16 bytes at
 *  multiples of 16 in which a row lies, copied in the background, as they are. All of a tile is under way at once.
 *
 *  A row begins past(d) bytes behind the first of its words, the rest of its address by 16, which whoever takes its
 *  items works out again. Words that the source does not fill are read item by item.
 *
 *      shared memory   byte k of the words of row d at  d * pitch + d / to_items * 16 + k;  rows from t.row - ahead on
 *
 *  Law     eight neighbouring accesses of a column take their items from eight groups of four banks, where rows
 *          to_items apart begin alike and units are single items.
 */
#ifndef TSR_SRC_GPU_KERNELS_RELAYOUT_WORDS_H
#define TSR_SRC_GPU_KERNELS_RELAYOUT_WORDS_H

#include "gpu/kernels/relayout_tile.h"

TSR_HEADER_BEGIN

/** The units of rows that exist among those that a tile may read: from `low` to before `high`. */
TSR_LOCAL_REF void tsr_relayout_runs_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, tsr_relayout_tile const *t,
                                      int *low, int *high)
{
    int64_t const row = t->row - r->ahead;
    *low = row < 0 ? (int)(-row / f.unit) : 0;
    *high = (int)tsr_min64((r->rows - row) / f.unit, r->runs);
}

/** Where row d begins in the source; `rows`: the table of a tile that has one. */
TSR_LOCAL_REF uint64_t tsr_relayout_row_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                         tsr_relayout_tile const *t, int64_t const *rows, uint64_t from, int d)
{
    from += (uint64_t)(t->from + t->column * f.unit * f.from_item);
    return from + (uint64_t)(f.tables ? rows[d] : ((t->row - r->ahead) / f.unit + d) * r->loop[0].from);
}

/** Where the words of row d are. */
TSR_LOCAL_REF int tsr_relayout_word_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, int d)
{
    return d * r->pitch + (int)((unsigned)d / f.to_items * 16);
}

TSR_LOCAL_REF void tsr_relayout_fetch_words_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, uint64_t from,
                                             int64_t block, int thread, unsigned char *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_of_(f, r, block);
    int64_t const *const rows = (int64_t const *)(void const *)(shared + r->table);
    int const bytes = t.columns * f.unit * f.from_item, across = r->across, apart = TSR_RELAYOUT_THREADS / across;
    uint64_t const lowest = from + (uint64_t)r->from_low, highest = from + (uint64_t)r->from_high - 16;
    int low = 0, high = 0;
    tsr_relayout_runs_(f, r, &t, &low, &high);
    int const first = low + thread / across;
    uint64_t begin = f.tables ? 0 : tsr_relayout_row_(f, r, &t, rows, from, first);
    for (int d = first; d < high; d += apart) {
        begin = f.tables ? tsr_relayout_row_(f, r, &t, rows, from, d) : begin;
        int const past = (int)(begin & 15);
        for (int k = thread % across * 16; k < past + bytes; k += across * 16) {
            uint64_t const at = begin - (uint64_t)past + (uint64_t)k;
            unsigned char const *const p = (unsigned char const *)(uintptr_t)at;
            unsigned char *const q = shared + tsr_relayout_word_(f, r, d) + k;
            if (lowest <= at && at <= highest) {
                tsr_relayout_begin_copy_(q, p, 16);
            } else {
                tsr_relayout_value const v = tsr_relayout_read_each_(
                    p, f.from_item, 16 / f.from_item, (past - k) / f.from_item, (past + bytes - k) / f.from_item);
                tsr_relayout_keep_(q, &v, 16);
            }
        }
        begin += (uint64_t)(apart * r->loop[0].from);
    }
}

TSR_HEADER_END

#endif
