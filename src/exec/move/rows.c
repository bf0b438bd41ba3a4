/* Plans of rows, and fills, by the kernels of a row: what the machine is asked for beforehand, what passes its
 * caches. */
#include "exec/compute/prefetch.h"
#include "exec/move/cursor.h"
#include "exec/move/machine.h"
#include "exec/move/places.h"

/** Elements of a row that are converted at once, of at most 16 bytes; more ask for too many lines of memory at once
 *  (f32 to e4m3 on a Zen 4: 0.92 of memcpy, by 1024 at once 0.76). Bytes of a line that a row's kernel updates in its
 *  place. */
enum { AT_ONCE = 512, OF_LINE = 512, WIDEST = 16 };

static void move_rows(void const *context, engine_place const *at, int64_t count, int ahead)
{
    ((engine_kernels const *)context)->run(at, count, ahead);
}

/** Elements of rows that go on from unit to unit, which a kernel takes at once: to begin costs it 80 ns. */
enum { JOINED = 16384 };

/** Rows of a block that are worth no places. */
enum { MANY = 64 };

/** Short rows: many at equal steps, others by places. */
static int64_t run_short(engine_kernels const *k, tsr_planned_copy const *p, uint64_t to, uint64_t from,
                         int64_t first, int64_t last)
{
    int64_t moved = 0;
    cursor c;
    places q;
    begin_places(&q, move_rows, k, (int)tsr_min64(ENGINE_AHEAD / (p->loop[0].count * p->item / 8) + 1, PLACES_AHEAD));
    begin_blocks(&c, p, first, last);
    for (; c.index < last; next_block(&c)) {
        int16_t const bytes = (int16_t)(c.block.count[0] * p->item / 8);
        unsigned char const *const s = source(&c, from);
        unsigned char *const d = destination(&c, to);
        int64_t const rows = c.block.count[1], from_step = c.block.from[1] / 8, to_step = c.block.to[1] / 8;
        if (rows >= MANY && ((uintptr_t)d | (uintptr_t)to_step | (uintptr_t)bytes) % ENGINE_LINE == 0) {
            k->stream_rows(d, to_step, s, from_step, bytes, rows);
            moved += c.block.count[0] * rows;
            continue;
        }
        for (int64_t j = 0; j < c.block.count[1]; ++j) {
            engine_place const at = {
                d + j * (c.block.to[1] / 8), s + j * (c.block.from[1] / 8), 1, bytes, 0, false, false};
            add_place(&q, at);
        }
        moved += c.block.count[0] * c.block.count[1];
    }
    end_places(&q);
    return moved;
}

/** n elements side by side on both sides: through `buffer`, from where whole lines pass the caches. All but the first
 *  part begin at a cache line of the destination. */
static void convert_row(engine_conversion const *c, unsigned char *to, unsigned char const *from, int64_t n,
                        unsigned char *buffer)
{
    int64_t const t = c->plan->item / 8, f = tsr_dtype_bits(c->plan->from.type) / 8;
    int64_t m = (int64_t)(-(uintptr_t)to % ENGINE_LINE) / t;
    for (m = tsr_min64(m > 0 ? m : AT_ONCE, n); n > 0;
         n -= m, to += m * t, from += m * f, m = tsr_min64(AT_ONCE, n)) {
        for (int64_t i = 0; i < m * f; i += ENGINE_LINE)
            __builtin_prefetch(from + ENGINE_AHEAD + i, 0, 3);
        tsr_engine_convert_(c, buffer, from, 0, m, 1);
        c->kernels->row(to, buffer, m * t, from + m * f, true);
    }
}

/** How many elements from the line of a cursor on lie side by side on both sides, their steps in bits, up to JOINED and
 *  a line more. The cursor goes on behind them. */
static int64_t joined_line(cursor *c, int64_t to_step, int64_t from_step, int64_t last)
{
    int64_t n = 0, to = 0, from = 0;
    do {
        n += c->block.count[0];
        to = c->to + c->j * c->block.to[1] + c->block.count[0] * to_step;
        from = c->from + c->j * c->block.from[1] + c->block.count[0] * from_step;
        next_line(c);
    } while (c->index < last && n < JOINED && c->to + c->j * c->block.to[1] == to
             && c->from + c->j * c->block.from[1] == from);
    return n;
}

/** n elements updated where they lie by the row's kernel, which asks for what follows. False: it does not know these
 *  types, or they are doubles, which memory alone limits (f64 by AVX-512: 1.5 of memcpy, line by line 1.25). */
static bool update_row(engine_conversion const *c, unsigned char *to, unsigned char const *from, int64_t n)
{
    tsr_planned_copy const *const p = c->plan;
    int64_t const t = p->item / 8, f = tsr_dtype_bits(p->from.type) / 8, line = OF_LINE / tsr_max64(t, f);
    int64_t const lines = n / line, whole = lines * line;
    tsr_prefetch_lines_ const prefetch = {to + ENGINE_AHEAD, from + ENGINE_AHEAD, line * t, line * f};
    tsr_lines_ all = tsr_lines_of_(line, lines, line * t, line * f);
    all.prefetch = &prefetch;
    if (t > 4 || !c->kernels->update_lines(&p->update, p->to.type, to, p->from.type, from, all))
        return false;
    c->kernels->update(&p->update, p->to.type, to + whole * t, p->from.type, from + whole * f, n - whole);
    return true;
}

/** Rows that are converted; in their place where the elements there are read, for these do not pass the caches. */
static int64_t run_converted(engine_kernels const *k, tsr_planned_copy const *p, uint64_t to, uint64_t from,
                             int64_t first, int64_t last)
{
    _Alignas(ENGINE_LINE) unsigned char buffer[AT_ONCE * WIDEST];
    engine_conversion e;
    int64_t moved = 0;
    cursor c;
    bool const reads = tsr_update_reads_(&p->update), asks = p->stream && machine_here().asks;
    tsr_engine_conversion_begin_(&e, k, p);
    begin_blocks(&c, p, first, last);
    while (c.index < last) {
        unsigned char *const d = destination(&c, to);
        unsigned char const *const s = source(&c, from);
        int64_t const n = joined_line(&c, p->item, tsr_dtype_bits(p->from.type), last);
        if (p->stream && !reads)
            convert_row(&e, d, s, n, buffer);
        else if (!asks || !update_row(&e, d, s, n))
            tsr_engine_convert_(&e, d, s, 0, n, 1);
        moved += n;
    }
    return moved;
}

int64_t tsr_engine_rows_(engine_kernels const *k, tsr_planned_copy const *p, uint64_t to, uint64_t from,
                         int64_t first, int64_t last)
{
    int64_t moved = 0;
    cursor c;
    if (p->way == TSR_WAY_CONVERT)
        return run_converted(k, p, to, from, first, last);
    if (p->stream && p->loop[0].count * p->item / 8 <= 2 * ENGINE_AHEAD)
        return run_short(k, p, to, from, first, last);
    begin_blocks(&c, p, first, last);
    while (c.index < last) {
        int64_t const n = c.block.count[0];
        unsigned char const *const s = source(&c, from);
        unsigned char *const d = destination(&c, to);
        next_line(&c);
        k->row(d, s, n * p->item / 8, c.index < last ? source(&c, from) : s, p->stream);
        moved += n;
    }
    return moved;
}

bool tsr_engine_is_fill_(tsr_planned_copy const *p)
{
    return p->way == TSR_WAY_BYTES && p->kind == TSR_BLOCK_ITEMS && p->box > 0 && p->loop[0].from == 0
           && p->loop[0].to == p->item && p->item <= ENGINE_LINE * 8 && tsr_is_pow2(p->item);
}

int64_t tsr_engine_fill_(engine_kernels const *k, tsr_planned_copy const *p, uint64_t to, uint64_t from,
                         int64_t first, int64_t last)
{
    unsigned char pattern[2 * ENGINE_LINE];
    int64_t const bytes = p->item / 8;
    int64_t moved = 0;
    cursor c;
    bool const stream =
        p->units * p->loop[0].count * (p->box > 1 ? p->loop[1].count : 1) >= TSR_STREAMED_BYTES / bytes;
    begin_blocks(&c, p, first, last);
    for (; c.index < last; next_line(&c)) {
        unsigned char const *const s = source(&c, from);
        memcpy(pattern, s, (size_t)bytes);
        for (int64_t n = bytes; n < (int64_t)sizeof pattern; n *= 2)
            memcpy(pattern + n, pattern, (size_t)n);
        k->fill(destination(&c, to), pattern, c.block.count[0] * bytes, stream);
        moved += c.block.count[0];
    }
    if (stream)
        ENGINE_FENCE();
    return moved;
}
