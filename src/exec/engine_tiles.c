/* Plans of rows and tiles, by the kernels of a row: what the machine is asked for beforehand, what passes its
 * caches. */
#include "exec/cursor.h"

/** A way of the first cache holds the lines of a page; lines that fall into at most so many sets of them push each
 *  other out before they are read, for 128 lines (TSR_TILES_AHEAD) wait, and a set has 8 to 12 places. */
enum { FEW_SETS = 16 };

/** Asks for a tile: into the second cache where the first has too few places for lines that far apart. In line: gcc
 *  drops calls of what does nothing but ask. */
TSR_REF void ask_tile(cursor const *c, uint64_t from, int64_t n)
{
    unsigned char const *p = source(c, from);
    int64_t const step = c->block.from[0] / 8;
    bool const wide = n * c->plan->item > ENGINE_LINE * 8;
    if ((step & -step) >= TSR_PAGE_BYTES / FEW_SETS) { /* the power of two in it */
        for (int64_t i = tsr_min64(n, c->block.count[0] - c->i); i > 0; --i, p += step)
            for (int64_t k = 0; k < (wide ? 4 : 1) * ENGINE_LINE; k += ENGINE_LINE)
                __builtin_prefetch(p + k, 0, 2);
        return;
    }
    for (int64_t i = tsr_min64(n, c->block.count[0] - c->i); i > 0; --i, p += step) {
        __builtin_prefetch(p, 0, 3);
        if (wide) {
            __builtin_prefetch(p + ENGINE_LINE, 0, 3);
            __builtin_prefetch(p + 2 * ENGINE_LINE, 0, 3);
            __builtin_prefetch(p + 3 * ENGINE_LINE, 0, 3);
        }
    }
}

static int64_t run_rows(engine_kernels const *k, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first,
                        int64_t last)
{
    int64_t moved = 0;
    cursor c = cursor_at(p, first, last), ahead = c;
    bool const stream = p->stream;
    int64_t asked = 0; /* bytes between the cursors */
    while (c.index < last) {
        int64_t const n = c.block.count[0] * p->item / 8;
        unsigned char const *const s = source(&c, from);
        unsigned char *const d = tsr_byte_at_(to, c.to + c.j * c.block.to[1]);
        if (n > 2 * ENGINE_AHEAD || !stream) {
            advance(&c, c.block.count[0], 1);
            k->row(d, s, n, c.index < last ? source(&c, from) : s, stream);
        } else {
            for (; stream && ahead.index < last && asked <= ENGINE_AHEAD; advance(&ahead, ahead.block.count[0], 1)) {
                unsigned char const *const a = source(&ahead, from);
                int64_t const bytes = ahead.block.count[0] * p->item / 8;
                for (int64_t i = 0; i < bytes; i += ENGINE_LINE)
                    __builtin_prefetch(a + i, 0, 3);
                asked += bytes;
            }
            k->row(d, s, n, NULL, stream);
            asked -= n;
            advance(&c, c.block.count[0], 1);
        }
        moved += n;
    }
    return moved * 8 / p->item;
}

/** Tiles; lines of the destination are whole cache lines, or they do not pass the caches. */
static int64_t run_tiles(engine_tile const *tile, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first,
                         int64_t last, bool stream)
{
    int64_t const n = tsr_tile_items_(p->item);
    int64_t moved = 0;
    cursor c = cursor_at(p, first, last), ahead = c;
    for (int i = 0; i < p->ahead && ahead.index < last && p->stream; ++i)
        advance(&ahead, n, n);
    for (; c.index < last; advance(&c, n, n)) {
        int64_t const items = tsr_min64(c.block.count[0] - c.i, n), lines = tsr_min64(c.block.count[1] - c.j, n);
        unsigned char const *const s = source(&c, from);
        unsigned char *const d = destination(&c, to);
        if (p->stream && ahead.index < last) {
            ask_tile(&ahead, from, n);
            advance(&ahead, n, n);
        }
        if (items == n && lines == n)
            tile->full(d, c.block.to[1] / 8, s, c.block.from[0] / 8, stream);
        else
            tile->part(d, c.block.to[1] / 8, s, c.block.from[0] / 8, items, lines);
        moved += items * lines;
    }
    return moved;
}

/** Tiles whose lines in the destination begin anywhere: what is no whole cache line yet waits beside. */
static int64_t run_skewed(engine_tile const *tile, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first,
                          int64_t last)
{
    _Alignas(ENGINE_LINE) unsigned char carry[TSR_SKEWED_LINES][2 * ENGINE_LINE];
    int64_t const n = tsr_tile_items_(p->item);
    int64_t moved = 0;
    cursor c = cursor_at(p, first, last), ahead = c;
    for (int i = 0; i < p->ahead && ahead.index < last; ++i)
        advance(&ahead, n, n);
    for (; c.index < last; advance(&c, n, n)) {
        int64_t const items = tsr_min64(c.block.count[0] - c.i, n), lines = tsr_min64(c.block.count[1] - c.j, n);
        unsigned char *const d = destination(&c, to);
        if (ahead.index < last) {
            ask_tile(&ahead, from, n);
            advance(&ahead, n, n);
        }
        tile->skewed(d, c.block.to[1] / 8, source(&c, from), c.block.from[0] / 8, items, lines, &carry[c.j], c.i == 0,
                     c.i + n >= c.block.count[0]);
        moved += items * lines;
    }
    return moved;
}

/** Whether lines of tiles are so few, and lie so, that they are woven into one. */
static bool is_woven(tsr_plan const *p)
{
    int64_t const n = p->loop[0].count;
    return (n == 2 || n == 4 || n == 8) && p->item <= 64 && p->loop[1].to == n * p->item;
}

/** Blocks whose destination is one run, of the lines of the source in turn. */
static int64_t run_woven(engine_kernels const *k, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first,
                         int64_t last)
{
    int const item = tsr_bit_width((uint64_t)p->item / 8) - 1;
    int64_t const n = p->loop[0].count, room = tsr_tile_items_(p->item);
    int64_t moved = 0;
    for (cursor c = cursor_at(p, first, last); c.index < last; advance(&c, n, c.block.count[1])) {
        unsigned char *const d = tsr_byte_at_(to, c.to);
        unsigned char const *const s = tsr_byte_at_(from, c.from);
        int64_t const lines = c.block.count[0], items = c.block.count[1], step = c.block.from[0] / 8;
        int64_t const woven = lines == n ? k->weave[item](d, s, step, (int)n, items, p->stream) : 0;
        for (int64_t j = woven; j < items; j += room)
            k->tile[item].part(d + j * n * p->item / 8, n * p->item / 8, s + j * p->item / 8, step, lines,
                               tsr_min64(items - j, room));
        moved += lines * items;
    }
    return moved;
}

int64_t engine_run_blocks(engine_kernels const *k, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first,
                          int64_t last)
{
    int64_t moved = 0;
    uint64_t grain = to * 8 + (uint64_t)p->to.begin;
    for (int i = 1; i < p->loops; ++i)
        grain |= (uint64_t)p->loop[i].to;
    bool const on_lines = grain % (ENGINE_LINE * 8) == 0;
    if (p->way == TSR_WAY_CONVERT) {
        moved = engine_convert(k, p, to, from, first, last, on_lines);
    } else if (p->kind == TSR_BLOCK_ROWS) {
        moved = run_rows(k, p, to, from, first, last);
    } else if (is_woven(p)) {
        moved = run_woven(k, p, to, from, first, last);
    } else {
        engine_tile const *const tile = &k->tile[tsr_bit_width((uint64_t)p->item / 8) - 1];
        bool const skewed = p->kind == TSR_BLOCK_SKEWED && !on_lines && p->loop[1].count <= TSR_SKEWED_LINES;
        moved = skewed ? run_skewed(tile, p, to, from, first, last)
                       : run_tiles(tile, p, to, from, first, last, p->stream && on_lines);
    }
    if (p->stream)
        ENGINE_FENCE();
    return moved;
}

bool engine_is_fill(tsr_plan const *p)
{
    return p->way == TSR_WAY_BYTES && p->kind == TSR_BLOCK_ITEMS && p->box > 0 && p->loop[0].from == 0
           && p->loop[0].to == p->item && p->item <= ENGINE_LINE * 8 && tsr_is_pow2(p->item);
}

int64_t engine_fill(engine_kernels const *k, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first, int64_t last)
{
    unsigned char pattern[2 * ENGINE_LINE];
    int64_t const bytes = p->item / 8;
    int64_t moved = 0;
    tsr_unit_ unit = tsr_unit_at_(p, first);
    bool const stream = p->units * p->loop[0].count * (p->box > 1 ? p->loop[1].count : 1) >= TSR_STREAMED_BYTES / bytes;
    for (int64_t i = first; i < last; ++i, tsr_unit_next_(&unit, p)) {
        int64_t x = 0, y = 0;
        tsr_block_ const b = tsr_unit_block_(p, &unit, &x, &y);
        for (int64_t j = 0; j < b.count[1] && b.count[0] > 0; ++j, moved += b.count[0]) {
            unsigned char const *const s = tsr_byte_at_(from, x + j * b.from[1]);
            for (int64_t n = 0; n < (int64_t)sizeof pattern; n += bytes)
                memcpy(pattern + n, s, (size_t)bytes);
            k->fill(tsr_byte_at_(to, y + j * b.to[1]), pattern, b.count[0] * bytes, stream);
        }
    }
    if (stream)
        ENGINE_FENCE();
    return moved;
}
