/* Plans that convert or compute: what does not lie side by side is transposed into the first cache, converted there, and written line by
 * line. */
#include "exec/engine.h"

/** Bytes of a tile, items of a row that are converted at once, and bytes of the source asked for before that. */
enum { ROOM = 32768, AT_ONCE = 1024, AHEAD = 4096 };

typedef struct conversion {
    engine_kernels const *kernels;
    tsr_plan const *plan;
    int64_t f, t; /* bytes of an item, here and there */
    bool reads;   /* the elements of the destination, too: they are in the caches then */
    bool far, stream; /* no cache holds them; they pass the caches */
    unsigned char *in, *out; /* ROOM bytes each */
} conversion;

static void put(conversion const *c, unsigned char *to, unsigned char const *from, int64_t n, unsigned char const *next)
{
    c->kernels->row(to, from, n, next, c->stream);
}

/** `to` is the destination itself where the elements there are read. */
static void convert(conversion const *c, void *to, void const *from, int64_t n)
{
    tsr_plan const *const p = c->plan;
    if (p->update.computes)
        c->kernels->update(&p->update, p->to.type, to, p->from.type, from, n);
    else
        c->kernels->convert(p->to.type, to, p->from.type, from, n);
}

/** n items side by side on both sides; what is streamed begins at a cache line but for its first part. */
static void convert_row(conversion const *c, unsigned char *to, unsigned char const *from, int64_t n)
{
    int64_t m = (int64_t)(-(uintptr_t)to % ENGINE_LINE) / c->t;
    if (!c->stream) {
        convert(c, to, from, n);
        return;
    }
    for (m = tsr_min64(m > 0 ? m : AT_ONCE, n); n > 0; n -= m, to += m * c->t, from += m * c->f, m = tsr_min64(AT_ONCE, n)) {
        for (int64_t i = 0; i < m * c->f; i += ENGINE_LINE)
            __builtin_prefetch(from + AHEAD + i, 0, 3);
        convert(c, c->out, from, m);
        put(c, to, c->out, m * c->t, from + m * c->f);
    }
}

/** `lines` by `items` elements, the lines of the source side by side in the destination. */
static void convert_tile(conversion const *c, unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step,
                         int64_t lines, int64_t items)
{
    engine_tile const *const tile = &c->kernels->tile[tsr_bit_width((uint64_t)c->f) - 1];
    int64_t const n = tsr_tile_items_(c->f * 8), pitch = lines * c->f;
    for (int64_t i = 0; i < lines && c->far; ++i)
        __builtin_prefetch(from + i * from_step + ENGINE_LINE, 0, 3);
    for (int64_t j = 0; j < items && c->far && c->reads; ++j)
        for (int64_t i = 0; i < lines * c->t; i += ENGINE_LINE)
            __builtin_prefetch(to + (j + items) * to_step + i, 1, 3);
    for (int64_t i = 0; i < lines; i += n)
        for (int64_t j = 0; j < items; j += n) {
            unsigned char *const d = c->in + j * pitch + i * c->f;
            unsigned char const *const s = from + i * from_step + j * c->f;
            if (lines - i >= n && items - j >= n)
                tile->full(d, pitch, s, from_step, false);
            else
                tile->part(d, pitch, s, from_step, tsr_min64(lines - i, n), tsr_min64(items - j, n));
        }
    if (c->reads) {
        for (int64_t j = 0; j < items; ++j)
            convert(c, to + j * to_step, c->in + j * pitch, lines);
        return;
    }
    convert(c, c->out, c->in, lines * items);
    for (int64_t j = 0; j < items; ++j)
        put(c, to + j * to_step, c->out + j * lines * c->t, lines * c->t, c->out);
}

static void convert_block(conversion const *c, unsigned char *to, unsigned char const *from, tsr_block_ const *b)
{
    int64_t const items = tsr_tile_items_(c->f * 8), most = ROOM / (items * tsr_max64(c->f, c->t));
    int64_t const tile = tsr_tile_items_(tsr_min64(c->f, c->t) * 8);
    int64_t const line = tsr_min64(b->count[0], tsr_group_items_(c->plan->kind, tile));
    int64_t const lines = tsr_min64(line, most);
    for (int64_t j = 0; c->plan->kind == TSR_BLOCK_ROWS && j < b->count[1]; ++j)
        convert_row(c, to + j * (b->to[1] / 8), from + j * (b->from[1] / 8), b->count[0]);
    for (int64_t i = 0; c->plan->kind != TSR_BLOCK_ROWS && i < b->count[0]; i += lines)
        for (int64_t j = 0; j < b->count[1]; j += items)
            convert_tile(c, to + i * c->t + j * (b->to[1] / 8), b->to[1] / 8, from + i * (b->from[0] / 8) + j * c->f,
                         b->from[0] / 8, tsr_min64(b->count[0] - i, lines), tsr_min64(b->count[1] - j, items));
}

int64_t engine_convert(engine_kernels const *k, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first, int64_t last)
{
    _Alignas(ENGINE_LINE) unsigned char in[ROOM], out[ROOM];
    bool const reads = tsr_update_reads_(&p->update);
    conversion const c = {k, p, tsr_dtype_bits(p->from.type) / 8, p->item / 8, reads, p->stream, p->stream && !reads, in, out};
    tsr_unit_ unit = tsr_unit_at_(p, first);
    int64_t moved = 0;
    for (int64_t i = first; i < last; ++i, tsr_unit_next_(&unit, p)) {
        int64_t x = 0, y = 0;
        tsr_block_ const b = tsr_unit_block_(p, &unit, &x, &y);
        if (b.count[0] <= 0 || b.count[1] <= 0)
            continue;
        convert_block(&c, tsr_byte_at_(to, y), tsr_byte_at_(from, x), &b);
        moved += b.count[0] * b.count[1];
    }
    return moved;
}
