/** Blocks: a plan's items, what moves at once, and how the rest is counted.
 *
 *  What lies side by side on both sides is one item, behind a swizzle as far as it keeps things together. Two loops are a
 *  block, along the destination and along what is closest in the source, cut so that what is read and what is written stay
 *  in the caches together; a cut that does not divide leaves an edge. The other loops count the units.
 */
#ifndef TSR_EXEC_BLOCKS_H
#define TSR_EXEC_BLOCKS_H

#include "tessera/exec/loops.h"

/* Items */

/** The greatest number that all steps behind the first loop and the begin of a side are multiples of. */
TSR_FN int64_t tsr_plan_grain_(tsr_plan const *p, bool from, bool to)
{
    int64_t g = tsr_gcd64(from ? p->from.begin : 0, to ? p->to.begin : 0);
    for (int i = 1; i < p->loops; ++i)
        g = tsr_gcd64(tsr_gcd64(from ? p->loop[i].from : 0, to ? p->loop[i].to : 0), g);
    return g < 0 ? -g : g;
}

/** Equal swizzles of whole blocks on both sides move nothing: what lies side by side lies so behind them. */
TSR_FN void tsr_plan_drop_swizzles_(tsr_plan *p)
{
    tsr_loop const *const l = &p->loop[0];
    int64_t const block = (int64_t)1 << tsr_swizzle_width_(p->to.swizzle);
    if (p->loops > 0 && l->from == p->item && l->to == p->item && tsr_swizzle_same_(p->from.swizzle, p->to.swizzle)
        && l->count * p->item % block == 0 && tsr_plan_grain_(p, true, true) % block == 0)
        p->from.swizzle = p->to.swizzle = tsr_make_swizzle(0, 0, 0);
}

/** Makes items of elements that lie side by side. */
TSR_FN void tsr_plan_items_(tsr_plan *p, bool swizzled)
{
    tsr_loop *const l = &p->loop[0];
    int64_t whole = p->item, item = p->item;
    bool even = p->loops > 0 && l->from == item && l->to == item;
    for (int k = 0; k < p->edges; ++k)
        even = even && l->edge[k] == 0;
    if (!even)
        return;
    whole *= l->count;
    if (swizzled) {
        int64_t grain = tsr_gcd64(whole, tsr_plan_grain_(p, p->from.swizzle.bits > 0, p->to.swizzle.bits > 0));
        if (p->from.swizzle.bits > 0)
            grain = tsr_gcd64(grain, (int64_t)1 << p->from.swizzle.base);
        if (p->to.swizzle.bits > 0)
            grain = tsr_gcd64(grain, (int64_t)1 << p->to.swizzle.base);
        item = grain % 8 == 0 && grain > item ? grain : item;
    } else if (whole <= 128 && tsr_is_pow2(whole) && whole >= 8) {
        item = whole;
    } else if (item % 8 != 0) {
        int64_t const bytes = item * 8 / tsr_gcd64(item, 8);
        item = whole % bytes == 0 ? bytes : item;
    }
    if (item != p->item && p->item % 8 != 0 && tsr_plan_grain_(p, true, true) % 8 != 0)
        return;
    l->count = whole / item;
    l->from = l->to = p->item = item;
    if (l->count == 1)
        tsr_plan_take_(p, 0);
}

/* Blocks */

/** A block reads and writes about so many bytes; one that converts has this much beside it. */
#define TSR_BLOCK_BYTES 65536
#define TSR_CONVERTED_BYTES 4096

/** Cuts loop i of a block into at most n steps and a loop around them. */
TSR_FN void tsr_plan_cut_(tsr_plan *p, int i, int64_t n)
{
    tsr_loop outer = p->loop[i];
    int64_t const count = outer.count;
    n = tsr_max64(n, 1);
    if (count <= n)
        return;
    while (p->edges == TSR_PLAN_EDGES && count % n != 0)
        --n;
    outer.count = (count - 1) / n + 1;
    outer.from *= n;
    outer.to *= n;
    for (int k = 0; k < p->edges; ++k)
        outer.edge[k] *= n;
    p->loop[i].count = n;
    if (count % n != 0) {
        p->edge[p->edges].first = 0;
        p->edge[p->edges].last = count;
        p->loop[i].edge[p->edges] = 1;
        outer.edge[p->edges++] = n;
    }
    tsr_plan_insert_(p, p->box, outer);
}

/** Chooses the block: along the destination, and along what is closest in the source. */
TSR_FN void tsr_plan_choose_block_(tsr_plan *p)
{
    bool const convert = p->way == TSR_WAY_CONVERT;
    int64_t const bytes = tsr_max64(tsr_max64(p->item, tsr_dtype_bits(convert ? p->from.type : 0)) / 8, 1);
    int64_t area = (convert ? TSR_CONVERTED_BYTES : TSR_BLOCK_BYTES) / bytes, line = area;
    int near = 0;
    p->box = (uint8_t)(p->loops < 2 ? p->loops : 2);
    for (int i = 1; i < p->loops && p->loop[0].from != 0; ++i)
        if (p->loop[i].from != 0 && tsr_abs64(p->loop[i].from) < tsr_abs64(p->loop[near].from))
            near = i;
    if (near > 0) {
        tsr_loop const l = tsr_plan_take_(p, near);
        for (int i = p->loops++; i > 1; --i)
            p->loop[i] = p->loop[i - 1];
        p->loop[1] = l;
        area = tsr_min64(area, 1024);
        line = tsr_max64(bytes <= 4 ? 16 : 8, area / p->loop[1].count);
    }
    for (int k = 0; k < p->edges && p->box == 2; ++k)
        if (p->loop[0].edge[k] != 0 && p->loop[1].edge[k] != 0)
            p->box = 1;
    for (int i = 0; i < p->box; ++i) {
        tsr_plan_cut_(p, i, line);
        line = area / p->loop[0].count;
    }
    p->units = p->units > 0;
    for (int i = p->box; i < p->loops; ++i)
        if (!tsr_mul64(p->units, p->loop[i].count, &p->units))
            p->slow = TSR_SLOW_FAR;
}

/** Items, how they move, and in which blocks. */
TSR_FN void tsr_plan_block_(tsr_plan *p)
{
    bool const same = p->from.type == p->to.type;
    p->item = tsr_dtype_bits(p->to.type);
    if (same)
        tsr_plan_drop_swizzles_(p);
    bool const swizzled = p->from.swizzle.bits > 0 || p->to.swizzle.bits > 0;
    if (same)
        tsr_plan_items_(p, swizzled);
    p->way = swizzled ? TSR_WAY_SWIZZLED : !same ? TSR_WAY_CONVERT : p->item % 8 != 0 ? TSR_WAY_PARTS : TSR_WAY_BYTES;
    tsr_plan_choose_block_(p);
}

#endif
