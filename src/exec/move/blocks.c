/** Blocks: the functions of exec/move/blocks.h. */
#include "exec/move/blocks.h"
#include "tessera/tensor/reach.h"

/** The greatest number that all steps behind the first loop and the begin of a side are multiples of. */
static int64_t tsr_plan_grain_(tsr_planned_copy const *p, bool from, bool to)
{
    int64_t g = tsr_gcd64(from ? p->from.begin : 0, to ? p->to.begin : 0);
    for (int i = 1; i < p->loops; ++i)
        g = tsr_gcd64(tsr_gcd64(from ? p->loop[i].from : 0, to ? p->loop[i].to : 0), g);
    return g < 0 ? -g : g;
}

void tsr_plan_drop_swizzles_(tsr_planned_copy *p)
{
    tsr_loop const *const l = &p->loop[0];
    int64_t const block = (int64_t)1 << tsr_swizzle_width_(p->to.swizzle);
    if (p->loops > 0 && l->from == p->item && l->to == p->item && tsr_swizzle_same_(p->from.swizzle, p->to.swizzle)
        && l->count * p->item % block == 0 && tsr_plan_grain_(p, true, true) % block == 0)
        p->from.swizzle = p->to.swizzle = tsr_make_swizzle(0, 0, 0);
}

void tsr_plan_items_(tsr_planned_copy *p, bool swizzled)
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
    } else if (whole <= TSR_WIDEST_ITEM && tsr_is_pow2(whole) && whole >= 8) {
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

static int64_t tsr_step_(tsr_loop const *l, bool from) { return (int64_t)tsr_abs64(from ? l->from : l->to); }

/** Cuts loop i into at most n steps, and a last loop around them. */
static void tsr_plan_cut_(tsr_planned_copy *p, int i, int64_t n)
{
    tsr_loop outer = p->loop[i];
    int64_t const count = outer.count;
    n = tsr_max64(n, 1);
    if (count <= n || p->loops == TSR_PLAN_LOOPS)
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
        int const k = tsr_plan_add_edge_(p, 0, count);
        p->loop[i].edge[k] = 1;
        outer.edge[k] = n;
    }
    p->loop[p->loops++] = outer;
}

/** The loop from i on with the smallest step, but 0, on one side, that is not in a set; or -1. */
static int tsr_plan_nearest_(tsr_planned_copy const *p, int i, bool from, uint32_t but)
{
    int best = -1;
    for (; i < p->loops; ++i) {
        int64_t const step = tsr_step_(&p->loop[i], from);
        if ((but >> i & 1) == 0 && step != 0 && (best < 0 || step < tsr_step_(&p->loop[best], from)))
            best = i;
    }
    return best;
}

int64_t tsr_group_of_(int64_t line, int64_t most) { return tsr_max64(tsr_min64(TSR_GROUP_LINES * line, most), line); }

int64_t tsr_group_items_(tsr_planned_copy const *p, int64_t line)
{
    bool const many = p->crowded || !p->stream || p->way == TSR_WAY_CONVERT;
    return tsr_group_of_(line, p->kind == TSR_BLOCK_SKEWED ? TSR_MOST_SOURCES / 2
                               : many                      ? TSR_MOST_SOURCES
                                                           : TSR_GROUP_SOURCES);
}

/** Orders the loops around a block by their steps on one side; those of a set come first. */
static void tsr_order_loops_(tsr_planned_copy *p, bool from, uint32_t set)
{
    for (int i = p->box + 1; i < p->loops; ++i) {
        uint32_t const in = set >> i & 1;
        int at = i;
        for (; at > p->box; --at) {
            uint32_t const before = set >> (at - 1) & 1;
            if (in != before ? in < before : tsr_step_(&p->loop[i], from) >= tsr_step_(&p->loop[at - 1], from))
                break;
        }
        uint32_t const moved = (2u << i) - (1u << at);
        set = (set & ~moved) | (set << 1 & moved & ~(1u << at)) | in << at;
        tsr_plan_move_(p, i, at);
    }
}

/** How many other pages of the destination are touched before one is touched again. */
static int64_t tsr_plan_pages_(tsr_planned_copy const *p)
{
    int64_t const page = TSR_PAGE_BYTES * 8, most = (int64_t)1 << 30;
    int64_t pages = 1, before = 0;
    for (int i = 1; i < p->loops; ++i) {
        tsr_loop const *const l = &p->loop[i];
        before = i >= p->box && l->to < page ? pages : before;
        int64_t const strip = tsr_min64(l->count, (l->count - 1) * l->to / page + 1);
        pages = tsr_min64(pages * tsr_min64(strip, most), most);
    }
    return before;
}

/** Cuts loops with small steps on one side so that n tiles lie near each other, and adds them to a set. */
static uint32_t tsr_plan_near_(tsr_planned_copy *p, bool from, int64_t n, uint32_t set)
{
    for (int i = 0; n >= 2 && (i = tsr_plan_nearest_(p, p->box, from, set)) >= 0; n /= p->loop[i].count) {
        tsr_plan_cut_(p, i, n);
        set |= 1u << i;
    }
    return set;
}

/** Tiles of what no cache holds: strips along the source, in its order, so that it is read as it lies; if that
 *  leaves too many pages open, square blocks of tiles in that order. */
static void tsr_plan_strips_(tsr_planned_copy *p, int64_t line, int64_t tile)
{
    uint32_t nearby = 0;
    int64_t const page = TSR_PAGE_BYTES * 8, most = tsr_min64(TSR_NEAR_TILES, tsr_max64(TSR_BLOCK_PAGES / tile, 2));
    int64_t const n = most / (tsr_update_reads_(&p->update) ? 2 : 1);
    tsr_plan_cut_(p, 0, tsr_group_items_(p, line));
    tsr_order_loops_(p, true, 0);
    if (tsr_plan_pages_(p) > TSR_NEAR_PAGES) {
        int64_t const tiles = (p->loop[1].count - 1) / tile + 1;
        tsr_plan_cut_(p, 1, n * tile);
        nearby = tsr_plan_near_(p, true, n / tsr_min64(tiles, n), nearby);
        nearby = tsr_plan_near_(p, false, n / TSR_GROUP_LINES, nearby);
    } else {
        tsr_plan_cut_(p, 1, page);
    }
    tsr_order_loops_(p, true, nearby);
}

/** Rows of what no cache holds, in the order of the source; if that leaves far too many pages open, blocks of rows
 *  that lie near each other in the destination. */
static void tsr_plan_near_rows_(tsr_planned_copy *p)
{
    tsr_order_loops_(p, true, 0);
    if (p->box == 2 && tsr_plan_pages_(p) > TSR_NEAR_PAGES) {
        tsr_plan_cut_(p, 1, TSR_NEAR_ROWS);
        tsr_order_loops_(p, true, tsr_plan_near_(p, false, TSR_NEAR_ROWS, 0));
    }
}

/** Whether of n lines that lie a step apart more fall into one set of the first cache than it has ways. */
static bool tsr_lines_collide_(int64_t step, int64_t n)
{
    uint8_t in_set[TSR_CACHE_SETS] = {0};
    bool collide = false;
    for (int64_t i = 0; i < n; ++i)
        collide = ++in_set[(uint64_t)(i * step) / TSR_LINE_BYTES % TSR_CACHE_SETS] > TSR_CACHE_WAYS || collide;
    return collide;
}

/** Whether every line of a tile begins where a cache line does. */
static bool tsr_plan_on_lines_(tsr_planned_copy const *p)
{
    int64_t grain = p->to.begin + (int64_t)p->to.byte * 8;
    for (int i = 1; i < p->loops; ++i)
        grain |= p->loop[i].to;
    return grain % (TSR_LINE_BYTES * 8) == 0;
}

/** If all lines of tiles begin at the same place inside cache lines, aligns their begin and end to whole groups of
 *  `group` items. The edge skips the items that do not exist. */
static bool tsr_plan_align_(tsr_planned_copy *p, int64_t group)
{
    int64_t const line = TSR_LINE_BYTES * 8;
    int64_t const before = (p->to.begin + (int64_t)p->to.byte * 8) & (line - 1), n = before / p->item;
    tsr_loop *const l = &p->loop[0];
    int64_t grain = 0;
    for (int i = 1; i < p->loops; ++i)
        grain |= p->loop[i].to;
    if (before % p->item != 0 || grain % line != 0 || p->edges == TSR_PLAN_EDGES)
        return false;
    tsr_plan_begin_at_(p, l, -n);
    l->edge[tsr_plan_add_edge_(p, n, l->count + n)] = 1;
    l->count = tsr_round_up64(l->count + n, group);
    return true;
}

int64_t tsr_tile_items_(int64_t item)
{
    int64_t const line = TSR_LINE_BYTES * 8;
    return item < line ? line / item : TSR_GROUP_LINES * line / item;
}

int64_t tsr_turned_item_(tsr_planned_copy const *p)
{
    return tsr_update_reads_(&p->update) ? tsr_dtype_bits(p->from.type) : p->item;
}

/** The blocks of tiles: `area` items each way if the caches hold the data, 0 if they do not. */
static void tsr_plan_tiles_(tsr_planned_copy *p, int64_t from, int64_t area)
{
    bool const reads = tsr_update_reads_(&p->update);
    int64_t const item = tsr_turned_item_(p), line = tsr_tile_items_(item);
    int64_t const ahead = (reads ? TSR_TILES_AHEAD / 2 : TSR_TILES_AHEAD) / (line * line * p->item / 8);
    int64_t const sources = tsr_min64(tsr_group_of_(line, TSR_MOST_SOURCES), p->loop[0].count);
    p->ahead = (uint8_t)tsr_max64(ahead, 2);
    p->crowded = p->stream && tsr_lines_collide_(p->loop[0].from / 8, sources);
    p->scattered = p->crowded && item < TSR_LINE_BYTES * 8 && tsr_step_(&p->loop[0], true) >= TSR_REMOTE_BYTES * 8;
    if (p->stream && p->item < TSR_LINE_BYTES * 8 && p->loop[0].count >= 3 * line && !reads && !tsr_plan_on_lines_(p)
        && !tsr_plan_align_(p, tsr_group_items_(p, line))) {
        p->kind = TSR_BLOCK_SKEWED;
        p->ahead = (uint8_t)(2 * p->ahead); /* what is kept for the next tiles takes time, too */
        tsr_plan_cut_(p, 0, TSR_SKEWED_LENGTH * line);
        tsr_plan_cut_(p, 1, TSR_SKEWED_LINES);
        tsr_order_loops_(p, true, 0);
    } else if (area == 0) {
        tsr_plan_strips_(p, line, tsr_tile_items_(from));
    } else {
        tsr_plan_cut_(p, 0, area);
        tsr_plan_cut_(p, 1, area);
        tsr_order_loops_(p, false, 0);
    }
}

/** Chooses the two loops of the block: the densest of the destination and the densest of the source. */
static void tsr_plan_choose_block_(tsr_planned_copy *p)
{
    int64_t const to = p->item, from = p->way == TSR_WAY_CONVERT ? tsr_dtype_bits(p->from.type) : p->item;
    int64_t const bytes = tsr_max64(tsr_max64(from, to) / 8, 1);
    bool const plain = p->way == TSR_WAY_BYTES || (p->way == TSR_WAY_CONVERT && from % 8 == 0 && to % 8 == 0);
    int64_t total = bytes, line = 0,
            area = (p->way == TSR_WAY_CONVERT ? TSR_CONVERTED_BYTES : TSR_BLOCK_BYTES) / bytes;
    int nearby = p->loops > 0 && p->loop[0].from != 0 ? tsr_plan_nearest_(p, 0, true, 0) : 0;
    for (int i = 0; i < p->loops; ++i)
        total *= total < TSR_STREAMED_BYTES ? tsr_min64(p->loop[i].count, (int64_t)1 << 32) : 1;
    bool const large = total > TSR_CACHED_BYTES, side_by_side = plain && p->loops > 0 && p->loop[0].to == to;
    if (side_by_side && p->loop[0].from == from)
        nearby = 0;
    int const beside = nearby > 0 || !large ? nearby : tsr_plan_nearest_(p, 1, true, 0);
    if (beside > 0)
        tsr_plan_move_(p, beside, 1);
    p->box = (uint8_t)(p->loops < 2 ? p->loops : 2);
    for (int k = 0; k < p->edges && p->box == 2; ++k)
        if (p->loop[0].edge[k] != 0 && p->loop[1].edge[k] != 0)
            p->box = 1;
    bool const fills = p->way == TSR_WAY_BYTES && p->loops > 0 && p->loop[0].from == 0
                       && p->loop[0].count >= TSR_FILLED_BYTES / bytes;
    bool const tiles = p->box == 2 && p->loop[1].from == from && !fills && to <= TSR_WIDEST_ITEM && tsr_is_pow2(to);
    p->kind = !side_by_side             ? TSR_BLOCK_ITEMS
              : p->loop[0].from == from ? TSR_BLOCK_ROWS
              : tiles                   ? TSR_BLOCK_TILES
                                        : TSR_BLOCK_ITEMS;
    p->stream = p->kind != TSR_BLOCK_ITEMS && total >= TSR_STREAMED_BYTES;
    if (p->kind == TSR_BLOCK_TILES) {
        tsr_plan_tiles_(p, from, large ? 0 : area);
    } else {
        p->ahead = TSR_ROWS_AHEAD / TSR_LINE_BYTES;
        line = area;
        if (nearby > 0) {
            area = tsr_min64(area, 1024);
            line = tsr_max64(bytes <= 4 ? 16 : 8, area / p->loop[1].count);
        }
        for (int i = 0; i < p->box; ++i) {
            tsr_plan_cut_(p, i, line);
            line = area / p->loop[0].count;
        }
        if (p->kind == TSR_BLOCK_ROWS && large)
            tsr_plan_near_rows_(p);
        else
            tsr_order_loops_(p, false, 0);
    }
    p->units = p->units > 0;
    for (int i = p->box; i < p->loops; ++i)
        if (!tsr_mul64(p->units, p->loop[i].count, &p->units))
            p->slow = TSR_SLOW_FAR;
}

void tsr_plan_block_(tsr_planned_copy *p)
{
    bool const same = p->from.type == p->to.type && !p->update.computes;
    bool const swizzled = p->from.swizzle.bits > 0 || p->to.swizzle.bits > 0;
    if (same)
        tsr_plan_items_(p, swizzled);
    p->way = swizzled ? TSR_WAY_SWIZZLED : !same ? TSR_WAY_CONVERT : p->item % 8 != 0 ? TSR_WAY_PARTS : TSR_WAY_BYTES;
    tsr_plan_choose_block_(p);
}
