/* Plans that convert or compute. What does not lie side by side goes by tiles through the first cache: what is read
 * there becomes what is written before it is turned where that has fewer bytes, else behind it. */
#include "exec/cursor.h"

/** Bytes of a tile at most; items of a row that are converted at once, and bytes of the source asked for before
 *  that. */
enum { ROOM = 32768, AT_ONCE = 1024, AHEAD = 4096 };

/** Bytes of tiles that are asked for before they are converted, and lines of a tile for which that is done at once:
 *  between two conversions, so that memory has always something to do. */
enum { TILES_AHEAD = 8192, TOGETHER = 8 };

typedef struct conversion {
    engine_kernels const *kernels;
    tsr_plan const *plan;
    tsr_pass_ pass;
    int64_t f, t;          /* bytes of an item, here and there */
    int64_t line, items;   /* of a tile, along the destination and along the source */
    bool reads;            /* the elements of the destination, too */
    bool narrow;           /* tiles are converted before they are turned */
    bool stream, on_lines; /* what is written passes the caches; lines of the destination are whole cache lines */
    unsigned char *in, *out; /* ROOM bytes each */
} conversion;

static void put(conversion const *c, unsigned char *to, unsigned char const *from, int64_t n, unsigned char const *next)
{
    c->kernels->row(to, from, n, next, c->stream && !c->reads); /* what was read is in a cache */
}

/** Lines of n items; `to` is the destination itself where the elements there are read. */
static void convert_lines(conversion const *c, void *to, int64_t to_step, void const *from, int64_t from_step,
                          int64_t n, int64_t lines)
{
    tsr_plan const *const p = c->plan;
    if (!p->update.computes && !c->pass.one_by_one) {
        c->kernels->convert_lines(&c->pass, to, to_step, from, from_step, n, lines);
        return;
    }
    for (int64_t i = 0; i < lines; ++i) {
        unsigned char *const q = (unsigned char *)to + i * to_step;
        unsigned char const *const x = (unsigned char const *)from + i * from_step;
        if (p->update.computes)
            c->kernels->update(&p->update, p->to.type, q, p->from.type, x, n);
        else
            c->kernels->convert(p->to.type, q, p->from.type, x, n);
    }
}

static void convert(conversion const *c, void *to, void const *from, int64_t n)
{
    convert_lines(c, to, 0, from, 0, n, 1);
}

/** n items side by side on both sides; what is streamed begins at a cache line but for its first part. */
static void convert_row(conversion const *c, unsigned char *to, unsigned char const *from, int64_t n)
{
    int64_t m = (int64_t)(-(uintptr_t)to % ENGINE_LINE) / c->t;
    if (!c->stream || c->reads) {
        convert(c, to, from, n);
        return;
    }
    for (m = tsr_min64(m > 0 ? m : AT_ONCE, n); n > 0; n -= m, to += m * c->t, from += m * c->f,
         m = tsr_min64(AT_ONCE, n)) {
        for (int64_t i = 0; i < m * c->f; i += ENGINE_LINE)
            __builtin_prefetch(from + AHEAD + i, 0, 3);
        convert(c, c->out, from, m);
        put(c, to, c->out, m * c->t, from + m * c->f);
    }
}

/** Tiles of `bytes` an item from lines to lines. */
static void turn(conversion const *c, int64_t bytes, unsigned char *to, int64_t to_step, unsigned char const *from,
                 int64_t from_step, int64_t lines, int64_t items, bool stream)
{
    engine_tile const *const tile = &c->kernels->tile[tsr_bit_width((uint64_t)bytes) - 1];
    int64_t const n = tsr_tile_items_(bytes * 8);
    for (int64_t j = 0; j < items; j += n)
        for (int64_t i = 0; i < lines; i += n) {
            unsigned char *const d = to + j * to_step + i * bytes;
            unsigned char const *const s = from + i * from_step + j * bytes;
            if (lines - i >= n && items - j >= n)
                tile->full(d, to_step, s, from_step, stream);
            else
                tile->part(d, to_step, s, from_step, tsr_min64(lines - i, n), tsr_min64(items - j, n));
        }
}

/** Asks for line i of a tile, into the second cache, for lines a power of two apart fall into few sets of the first.
 *  In line: gcc drops calls of what does nothing but ask. */
TSR_REF void ask(conversion const *c, cursor const *at, uint64_t to, uint64_t from, int64_t i)
{
    unsigned char const *const s = source(at, from) + i * (at->block.from[0] / 8);
    if (!c->plan->stream || at->index >= at->last)
        return;
    for (int64_t k = 0; k < c->items * c->f; k += ENGINE_LINE)
        __builtin_prefetch(s + k, 0, 2);
    if (c->reads && i < c->items)
        for (int64_t k = 0; k < c->line * c->t; k += ENGINE_LINE)
            __builtin_prefetch(destination(at, to) + i * (at->block.to[1] / 8) + k, 1, 3);
}

static int64_t convert_tile(conversion const *c, cursor const *at, cursor const *ahead, uint64_t to, uint64_t from)
{
    int64_t const lines = tsr_min64(at->block.count[0] - at->i, c->line);
    int64_t const items = tsr_min64(at->block.count[1] - at->j, c->items);
    int64_t const from_step = at->block.from[0] / 8, to_step = at->block.to[1] / 8, pitch = c->items * c->t;
    bool const direct = c->narrow && (c->on_lines || !c->stream);
    unsigned char const *const s = source(at, from);
    unsigned char *const d = destination(at, to);
    for (int64_t i = 0; i < lines; i += TOGETHER) {
        int64_t const n = tsr_min64(lines - i, TOGETHER);
        for (int64_t k = 0; k < n; ++k)
            ask(c, ahead, to, from, i + k);
        if (c->narrow)
            convert_lines(c, c->in + i * pitch, pitch, s + i * from_step, from_step, items, n);
    }
    if (c->narrow) {
        turn(c, c->t, direct ? d : c->out, direct ? to_step : lines * c->t, c->in, pitch, lines, items,
             direct && c->stream);
    } else {
        turn(c, c->f, c->in, lines * c->f, s, from_step, lines, items, false);
        for (int64_t j = 0; j < items && c->reads; ++j)
            memcpy(c->out + j * lines * c->t, d + j * to_step, (size_t)(lines * c->t));
        convert(c, c->out, c->in, lines * items);
    }
    for (int64_t j = 0; j < items && !direct; ++j)
        put(c, d + j * to_step, c->out + j * lines * c->t, lines * c->t, c->out);
    return lines * items;
}

static int64_t convert_tiles(conversion const *c, uint64_t to, uint64_t from, int64_t first, int64_t last)
{
    int64_t const bytes = c->line * c->items * (c->f + (c->reads ? c->t : 0));
    int64_t moved = 0;
    cursor at = cursor_at(c->plan, first, last), ahead = at;
    for (int64_t k = 0; k < TILES_AHEAD && ahead.index < last; k += bytes)
        advance(&ahead, c->line, c->items);
    for (; at.index < last; advance(&at, c->line, c->items)) {
        moved += convert_tile(c, &at, &ahead, to, from);
        if (ahead.index < last)
            advance(&ahead, c->line, c->items);
    }
    return moved;
}

static int64_t convert_rows(conversion const *c, uint64_t to, uint64_t from, int64_t first, int64_t last)
{
    int64_t moved = 0;
    for (cursor at = cursor_at(c->plan, first, last); at.index < last; advance(&at, at.block.count[0], 1)) {
        convert_row(c, destination(&at, to), source(&at, from), at.block.count[0]);
        moved += at.block.count[0];
    }
    return moved;
}

int64_t engine_convert(engine_kernels const *k, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first,
                       int64_t last, bool on_lines)
{
    _Alignas(ENGINE_LINE) unsigned char in[ROOM], out[ROOM];
    int64_t const f = tsr_dtype_bits(p->from.type) / 8, t = p->item / 8;
    bool const reads = tsr_update_reads_(&p->update), narrow = t <= f && !p->update.computes;
    int64_t const tile = tsr_tile_items_(tsr_min64(f, t) * 8), items = narrow ? tsr_max64(tile, TSR_STEP) : tile;
    int64_t const line = tsr_min64(tsr_group_items_(p->kind, tile), ROOM / (items * tsr_max64(f, t)));
    conversion const c = {k, p, tsr_pass_of_(p->to.type, p->from.type), f, t, line, items, reads, narrow, p->stream,
                          on_lines, in, out};
    return p->kind == TSR_BLOCK_ROWS ? convert_rows(&c, to, from, first, last)
                                     : convert_tiles(&c, to, from, first, last);
}
