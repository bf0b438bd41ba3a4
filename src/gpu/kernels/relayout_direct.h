/** Items in the order of the destination (relayout_form.h): each access writes neighbours, from where they lie. */
#ifndef TSR_SRC_GPU_KERNELS_RELAYOUT_DIRECT_H
#define TSR_SRC_GPU_KERNELS_RELAYOUT_DIRECT_H

#include "gpu/kernels/relayout_item.h"

TSR_HEADER_BEGIN

/** 16 bytes from byte `past` of 32 on. */
TSR_LOCAL_REF tsr_relayout_value tsr_relayout_shift_(tsr_relayout_value const *low, tsr_relayout_value const *high,
                                                     int past)
{
    tsr_relayout_value v;
    uint32_t w[8];
    TSR_UNROLL_ for (int k = 0; k < 4; ++k)
    {
        w[k] = low->word[k];
        w[4 + k] = high->word[k];
    }
    TSR_UNROLL_ for (int k = 0; k < 6; ++k) w[k] = past & 8 ? w[k + 2] : w[k];
    TSR_UNROLL_ for (int k = 0; k < 5; ++k) w[k] = past & 4 ? w[k + 1] : w[k];
    TSR_UNROLL_ for (int k = 0; k < 4; ++k) v.word[k] =
        (uint32_t)(((uint64_t)w[k + 1] << 32 | w[k]) >> 8 * (past & 3));
    return v;
}

/** Reads items first to last - 1 of an access that begins anywhere: as the two of 16 bytes that it lies in, where these
 *  may be read. Neighbours share them. */
TSR_LOCAL_REF tsr_relayout_value tsr_relayout_read_any_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                                        uint64_t from, int64_t at, int first, int last)
{
    int const past = (int)((from + (uint64_t)at) & 15), bytes = f.from_item * f.from_items;
    unsigned char const *const p = (unsigned char const *)(uintptr_t)(from + (uint64_t)at);
    bool const two = past + bytes > 16;
    tsr_relayout_value low = tsr_relayout_nothing_(), high = tsr_relayout_nothing_();
    if (at - past < r->from_low || at - past + (two ? 32 : 16) > r->from_high)
        return tsr_relayout_read_each_(p, f.from_item, f.from_items, first, last);
    tsr_relayout_read_cached_(&low, p - past);
    if (two)
        tsr_relayout_read_cached_(&high, p - past + 16);
    return tsr_relayout_shift_(&low, &high, past);
}

/** Access i of runs that begin anywhere: accesses begin where the destination can take them, and one more of each run
 *  does. */
TSR_LOCAL_REF void tsr_relayout_direct_any_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, uint64_t from,
                                            uint64_t to, int64_t i)
{
    int64_t x = r->from, y = r->to;
    if (i >= r->items)
        return;
    int64_t const rest = f.loops == 1 ? 0 : tsr_relayout_divide_(&r->loop[0].count, i, f.wide);
    int64_t const chunk = (i - rest * r->loop[0].count.n) * f.to_items;
    tsr_relayout_add_(r, 0, r->loops, f.loops, i, f.wide, &x, &y);
    uint64_t const run = to + (uint64_t)(y - chunk * f.to_item);
    int const past = (int)(run & (uint64_t)(8 * f.to_item * f.to_items - 1)) / f.to_item; /* eight are a line */
    int64_t const left = r->run - (chunk - past);
    int const first = chunk < past ? past - (int)chunk : 0, last = left < f.to_items ? (int)left : f.to_items;
    if (first >= last)
        return;
    unsigned char *const q = (unsigned char *)(uintptr_t)(to + (uint64_t)(y - past * f.to_item));
    tsr_relayout_value const v = tsr_relayout_read_any_(f, r, from, x - past * f.from_item, first, last);
    tsr_relayout_value const old = tsr_relayout_old_(f, q, true, first, last);
    tsr_relayout_value const w = tsr_relayout_make_items_(f, r, &v, &old, true, first, last);
    tsr_relayout_write_items_(q, &w, f.to_item, f.to_items, true, first, last);
}

TSR_LOCAL_REF void tsr_relayout_direct_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, uint64_t from,
                                        uint64_t to, int64_t block, int thread)
{
    tsr_relayout_value v[8], old[8];
    uint64_t q[8];
    int n[8];
    if (f.to_any) {
        tsr_relayout_direct_any_(f, r, from, to, block * TSR_RELAYOUT_THREADS + thread);
        return;
    }
    TSR_UNROLL_ for (int b = 0; b < 8; ++b) if (b < f.batch)
    {
        int64_t const i = (block * f.batch + b) * TSR_RELAYOUT_THREADS + thread;
        int64_t x = r->from, y = r->to;
        n[b] = 0;
        if (i < r->items) {
            int64_t const rest = f.loops == 1 ? 0 : tsr_relayout_divide_(&r->loop[0].count, i, f.wide);
            int64_t const left = r->run - (i - rest * r->loop[0].count.n) * f.to_items;
            tsr_relayout_add_(r, 0, r->loops, f.loops, i, f.wide, &x, &y);
            n[b] = left < f.to_items ? (int)left : f.to_items;
            q[b] = tsr_relayout_place_(to, r->to_swizzle, f.swizzled, y);
            unsigned char const *const p =
                (unsigned char const *)(uintptr_t)tsr_relayout_place_(from, r->from_swizzle, f.swizzled, x);
            v[b] = tsr_relayout_read_items_(p, f.from_item, f.from_items, f.from_parts, 0, n[b]);
            old[b] = tsr_relayout_old_(f, (unsigned char const *)(uintptr_t)q[b], f.to_parts, 0, n[b]);
        }
    }
    TSR_UNROLL_ for (int b = 0; b < 8; ++b) if (b < f.batch && n[b] > 0)
    {
        unsigned char *const p = (unsigned char *)(uintptr_t)q[b];
        tsr_relayout_value const w = tsr_relayout_make_items_(f, r, &v[b], &old[b], f.to_parts, 0, n[b]);
        tsr_relayout_write_items_(p, &w, f.to_item, f.to_items, f.to_parts, 0, n[b]);
    }
}

TSR_HEADER_END

#endif
