/** Short units that lie side by side on one of the two sides (relayout_form.h): pixels of three colours, and planes.
 *
 *  Group i is `items` items of each of n planes, `unit` of the form: n accesses on either side, whose items change
 *  places in registers. To planes each thread reads the n neighbouring accesses of its group; from planes it keeps
 *  them in shared memory, from where a warp writes neighbours.
 *
 *  Items of another type are made as they come.
 *
 *  Law     item k * items + j of the planes' accesses, of plane k, is item j * n + k of the units' accesses.
 */
#ifndef TSR_SRC_GPU_KERNELS_RELAYOUT_ZIP_H
#define TSR_SRC_GPU_KERNELS_RELAYOUT_ZIP_H

#include "gpu/kernels/relayout_item.h"

TSR_HEADER_BEGIN

/** Where group i is on both sides, and the items of it that there are. */
TSR_LOCAL_REF int tsr_relayout_group_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, int64_t i, int64_t *x,
                                      int64_t *y)
{
    *x = r->from;
    *y = r->to;
    if (i >= r->items)
        return 0;
    int64_t const rest = f.loops == 1 ? 0 : tsr_relayout_divide_(&r->loop[0].count, i, f.wide);
    int64_t const left = r->run - (i - rest * r->loop[0].count.n) * f.to_items;
    tsr_relayout_add_(r, 0, r->loops, f.loops, i, f.wide, x, y);
    return (int)tsr_min64(left, f.to_items);
}

/** The planes' accesses out of the units', and back. */
TSR_LOCAL_REF void tsr_relayout_part_(TSR_FORM_(tsr_relayout_form), tsr_relayout_value const *units,
                                      tsr_relayout_value *planes)
{
    int const n = f.unit, items = f.to_items;
    TSR_UNROLL_ for (int k = 0; k < 4; ++k) if (k < n)
    {
        planes[k] = tsr_relayout_nothing_();
        TSR_UNROLL_ for (int j = 0; j < 16; ++j) if (j < items)
        {
            int const at = j * n + k;
            tsr_relayout_value const x = tsr_relayout_item_(&units[at / items], at % items, f.to_item);
            tsr_relayout_put_(&planes[k], j, f.to_item, &x);
        }
    }
}

TSR_LOCAL_REF void tsr_relayout_join_(TSR_FORM_(tsr_relayout_form), tsr_relayout_value const *planes,
                                      tsr_relayout_value *units)
{
    int const n = f.unit, items = f.to_items;
    TSR_UNROLL_ for (int k = 0; k < 4; ++k) if (k < n)
    {
        units[k] = tsr_relayout_nothing_();
        TSR_UNROLL_ for (int j = 0; j < 16; ++j) if (j < items)
        {
            int const at = k * items + j;
            tsr_relayout_value const x = tsr_relayout_item_(&planes[at % n], at / n, f.to_item);
            tsr_relayout_put_(&units[k], j, f.to_item, &x);
        }
    }
}

/** An access of the source as the destination has it. */
TSR_LOCAL_REF tsr_relayout_value tsr_relayout_converted_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                                         tsr_relayout_value const *v)
{
    tsr_relayout_value const none = tsr_relayout_nothing_();
    return tsr_relayout_make_items_(f, r, v, &none, false, 0, f.to_items);
}

TSR_LOCAL_REF void tsr_relayout_unzip_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, uint64_t from,
                                       uint64_t to, int64_t block, int thread)
{
    tsr_relayout_value units[4], planes[4];
    int64_t x = 0, y = 0;
    int const n = tsr_relayout_group_(f, r, block * TSR_RELAYOUT_THREADS + thread, &x, &y), items = f.to_items;
    unsigned char const *const p = (unsigned char const *)(uintptr_t)(from + (uint64_t)x);
    if (n == 0)
        return;
    TSR_UNROLL_ for (int k = 0; k < 4; ++k) if (k < f.unit)
    {
        if (items * f.from_item == 16 && (!f.to_parts || n == items))
            tsr_relayout_read_cached_(&units[k], p + k * 16);
        else
            units[k] = tsr_relayout_read_items_(p + k * items * f.from_item, f.from_item, items, f.to_parts, 0,
                                                n * f.unit - k * items);
        units[k] = tsr_relayout_converted_(f, r, &units[k]);
    }
    tsr_relayout_part_(f, units, planes);
    TSR_UNROLL_ for (int k = 0; k < 4; ++k) if (k < f.unit)
        tsr_relayout_write_items_((unsigned char *)(uintptr_t)(to + (uint64_t)(y + k * r->planes)), &planes[k],
                                  f.to_item, items, f.to_parts, 0, n);
}

/** From planes to shared memory: access k of group i of a block is at access i * n + k. */
TSR_LOCAL_REF void tsr_relayout_zip_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, uint64_t from,
                                     int64_t block, int thread, unsigned char *shared)
{
    tsr_relayout_value units[4], planes[4];
    int64_t x = 0, y = 0;
    int const n = tsr_relayout_group_(f, r, block * TSR_RELAYOUT_THREADS + thread, &x, &y), items = f.to_items;
    int const bytes = items * f.to_item;
    if (n == 0)
        return;
    TSR_UNROLL_ for (int k = 0; k < 4; ++k) if (k < f.unit)
    {
        unsigned char const *const p = (unsigned char const *)(uintptr_t)(from + (uint64_t)(x + k * r->planes));
        planes[k] = tsr_relayout_read_items_(p, f.from_item, items, f.to_parts, 0, n);
        planes[k] = tsr_relayout_converted_(f, r, &planes[k]);
    }
    tsr_relayout_join_(f, planes, units);
    TSR_UNROLL_ for (int k = 0; k < 4; ++k) if (k < f.unit)
        tsr_relayout_keep_(shared + (thread * f.unit + k) * bytes, &units[k], bytes);
}

TSR_LOCAL_REF void tsr_relayout_zipped_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, uint64_t to,
                                        int64_t block, int thread, unsigned char const *shared)
{
    int const items = f.to_items, bytes = items * f.to_item;
    TSR_UNROLL_ for (int k = 0; k < 4; ++k) if (k < f.unit)
    {
        int64_t x = 0, y = 0;
        tsr_relayout_value v = tsr_relayout_nothing_();
        int const access = k * TSR_RELAYOUT_THREADS + thread, group = access / f.unit, part = access % f.unit;
        int const n = tsr_relayout_group_(f, r, block * TSR_RELAYOUT_THREADS + group, &x, &y);
        tsr_relayout_take_(&v, shared + access * bytes, bytes);
        if (n * f.unit > part * items)
            tsr_relayout_write_items_((unsigned char *)(uintptr_t)(to + (uint64_t)(y + part * bytes)), &v, f.to_item,
                                      items, f.to_parts, 0, n * f.unit - part * items);
    }
}

TSR_HEADER_END

#endif
