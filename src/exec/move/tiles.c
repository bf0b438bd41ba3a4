/* Plans of tiles, by the kernels of a row. A place is some lines of memory of the destination, side by side, by the
 * items of one line of the source: memory takes 256 bytes better than 64. Tiles are turned
 *
 *      from the source, or from a buffer, where its elements become others first,
 *      to the destination, or to a buffer, where lines of memory end inside of the place, or are read there, too.
 *
 *  Lines that are a power of two apart fall into few sets of the caches, on both sides. Machines whose first TLB has no
 *  sets then take each line once, turn it to a buffer, and write runs of 256 bytes row by row: a Zen 3 writes lines of
 *  rows in turn at half of that speed, whatever the size of its pages. Squares of short items are copied before they
 *  are turned (8192^2 bytes: 0.54 of memcpy, without 0.42). Vectors of a whole line do not need it.
 */
#include "exec/move/cursor.h"
#include "exec/move/machine.h"
#include "exec/move/places.h"

/** Bytes of the buffers, and of those that skewed bytes fill: 256 lines by 128 items in, 64 rows with what came before
 *  each out; lines that are gathered, and elements that are computed with those of the destination, at once. */
enum { ROOM = 16384, ROOM_IN = 2 * ROOM, ROOM_OUT = ROOM + ROOM / 2, TOGETHER = 8, COMPUTED = 1024 };

/** Strips that write longer runs pay (384 by 355 by 256 numbers of 8 bytes reversed: 0.75 of memcpy, by tiles 0.55),
 *  shorter ones do not. Bytes go by strips, too: a tile of them asks for 64 lines at once. */
enum { STRIP_BYTES = 256 };

/** What the places of a plan have in common. */
typedef struct tiles {
    tsr_planned_copy const *plan;
    engine_kernels const *kernels;
    engine_tile const *tile;
    engine_conversion conversion;
    int64_t size, side;                  /* bytes of an item that is turned, items of a tile each way */
    int64_t from_size;                   /* bytes of an item of the source */
    int64_t lines, items;                /* of a place */
    int64_t to_step, from_step;          /* bytes from line to line */
    bool converts, gathers;              /* the turned items come from a buffer, and are converted on the way there */
    bool skewed, reads;                  /* it goes to a buffer, where lines begin anywhere, or to be computed */
    bool crowds;                         /* lines fall into few sets: each is read once, and written row by row */
    bool copies;                         /* then squares have more lines than a set of the first cache has ways */
    bool strips;                         /* whole places go by strips (exec/move/square.h) */
    bool asks, stream;                   /* for places ahead; whole lines pass the caches */
    bool fills;                          /* a place leaves the first cache no room for others */
    unsigned char *in, *out;             /* ROOM_IN and ROOM_OUT bytes */
    unsigned char (*carry)[ENGINE_LINE]; /* what came last on each line of the destination */
} tiles;

/** What is asked for while a place is moved: the lines of one ahead, an equal share of them at each step, so that
 *  memory has always something to do. They wait in the second cache where the first one has no room for them. */
typedef struct request {
    engine_place const *at;
    int step, steps, lines, rows; /* asked for: of the source, and of what is read in the destination */
    int64_t first;                /* of a piece of a line of the source, in bytes */
    bool begins, ends; /* the beginning of such a piece, and the end of one of the destination, lie apart */
} request;

/** A piece of a line begins where the one before ends. Where that is inside of a line of memory, it was asked for with
 *  that one: of each 64 bytes the last one is asked for (7265 by 7263 bytes: 0.58 of memcpy, by the first one 0.46). */
static inline request request_of(tiles const *t, engine_place const *at, int64_t steps)
{
    bool const inside = ((uintptr_t)at->from | (uint64_t)t->from_step) % ENGINE_LINE != 0;
    bool const ends = ((uintptr_t)at->to | (uint64_t)t->to_step) % ENGINE_LINE != 0;
    request const r = {at, 0, (int)steps, 0, 0, inside ? ENGINE_LINE - 1 : 0, inside && at->item == 0, ends};
    return r;
}

/** In line: gcc drops calls of what does nothing but ask. */
TSR_LOCAL_REF void ask(tiles const *t, request *r)
{
    int const step = ++r->step, lines = r->at->lines * step / r->steps;
    int const rows = t->reads ? r->at->items * step / r->steps : 0;
    int64_t const bytes = t->items * t->from_size, written = r->at->lines * t->plan->item / 8;
    for (; t->asks && r->lines < lines; ++r->lines) { /* behind the last place there is none, with no lines */
        unsigned char const *const p = r->at->from + r->lines * t->from_step;
        if (r->begins)
            __builtin_prefetch(p, 0, 2);
        for (int64_t k = r->first; k < bytes; k += ENGINE_LINE)
            if (t->fills)
                __builtin_prefetch(p + k, 0, 2);
            else
                __builtin_prefetch(p + k, 0, 3);
    }
    for (; t->asks && r->rows < rows; ++r->rows) {
        unsigned char const *const p = r->at->to + r->rows * t->to_step;
        for (int64_t k = 0; k < written; k += ENGINE_LINE)
            __builtin_prefetch(p + k, 1, 2);
        if (r->ends)
            __builtin_prefetch(p + written - 1, 1, 2);
    }
}

/** Lines that were turned become others with those of the destination: there, or through a buffer, as many as make it
 *  worth while. */
static void compute(tiles const *t, unsigned char *to, unsigned char const *from, int64_t n, int64_t lines)
{
    tsr_planned_copy const *const p = t->plan;
    engine_kernels const *const k = t->kernels;
    int64_t const bytes = n * p->item / 8;
    int64_t const together = tsr_max64(tsr_min64(COMPUTED / n, ROOM / 4 / bytes), 1);
    unsigned char *const buffer = t->gathers ? t->out + ROOM / 8 * 5 : t->in; /* behind what was turned */
    tsr_lines_ const all = tsr_lines_of_(n, lines, t->to_step, n * t->size);
    if (k->update_lines(&p->update, p->to.type, to, p->from.type, from, all))
        return;
    for (int64_t j = 0, m = 0; j < lines; j += m) {
        m = tsr_min64(lines - j, together);
        k->rows(buffer, bytes, to + j * t->to_step, t->to_step, bytes, m);
        tsr_engine_convert_(&t->conversion, buffer, from + j * n * t->size, 0, m * n, 1);
        k->rows(to + j * t->to_step, t->to_step, buffer, bytes, bytes, m);
    }
}

/** Lines of n items, side by side, as those of the destination. */
static void gather(tiles const *t, unsigned char *to, unsigned char const *from, int64_t n, int64_t lines)
{
    if (t->converts)
        tsr_engine_convert_(&t->conversion, to, from, t->from_step, n, lines);
    else
        t->kernels->rows(to, n * t->size, from, t->from_step, n * t->size, lines);
}

/** The most lines of a side that take turns along a line of the other one, and the most bytes of their items. */
enum { FEW_LINES = 8, FEW_BYTES = 8 };

static bool is_few(int64_t lines, int64_t size, int64_t step)
{
    return 2 <= lines && lines <= FEW_LINES && size <= FEW_BYTES && step == lines * size;
}

/** A tile, or a part of one. */
static void turn(tiles const *t, unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step,
                 int64_t lines, int64_t items, bool stream)
{
    if (is_few(lines, t->size, to_step)) {
        t->kernels->braid[tsr_bit_width((uint64_t)t->size) - 1](to, from, from_step, (int)lines, false, items);
        return;
    }
    if (lines < t->side || items < t->side) {
        t->tile->part(to, to_step, from, from_step, lines, items);
        return;
    }
    if (t->copies) {
        t->kernels->rows(t->in, ENGINE_LINE, from, from_step, ENGINE_LINE, lines);
        from = t->in;
        from_step = ENGINE_LINE;
    }
    t->tile->full(to, to_step, from, from_step, stream);
}

/** A place of whole tiles, some items at a time to the end of their lines. */
static void move_strips(tiles const *t, engine_place const *at, engine_place const *next)
{
    int const some = t->tile->at_once;
    request r = request_of(t, next, at->items / some);
    for (int64_t j = 0; j < at->items; j += some) {
        ask(t, &r);
        t->tile->strip(at->to + j * t->to_step, t->to_step, at->from + j * t->size, t->from_step,
                       at->lines * t->size);
    }
}

static void move_place(tiles const *t, engine_place const *at, engine_place const *next)
{
    int64_t const n = at->lines, side = t->side, pitch = n * t->size + (t->skewed ? ENGINE_LINE : 0);
    int64_t const from_step = t->gathers ? at->items * t->size : t->from_step;
    int const down = (int)((n + side - 1) / side), across = (int)((at->items + side - 1) / side);
    unsigned char const *const from = t->gathers ? t->in : at->from;
    bool const beside = t->skewed || t->reads || t->crowds;
    request r = request_of(t, next, down * across + (t->gathers ? (n + TOGETHER - 1) / TOGETHER : 0));
    for (int64_t i = 0; t->gathers && i < n; i += TOGETHER) {
        ask(t, &r);
        gather(t, t->in + i * from_step, at->from + i * t->from_step, at->items, tsr_min64(n - i, TOGETHER));
    }
    for (int64_t j = 0; j < at->items; j += side) {
        int64_t const items = tsr_min64(at->items - j, side), to_step = beside ? pitch : t->to_step;
        unsigned char *const to = at->to + j * t->to_step, *const d = beside ? t->out + t->skewed * ENGINE_LINE : to;
        for (int64_t i = 0; t->skewed && !at->first && i < items; ++i) /* long before it is read */
            memcpy(d + i * pitch - ENGINE_LINE, t->carry + at->item + j + i, ENGINE_LINE);
        for (int64_t i = 0; i < n; i += side) {
            int64_t const lines = tsr_min64(n - i, side);
            unsigned char const *const s = from + i * from_step + j * t->size;
            ask(t, &r);
            turn(t, d + i * t->size, to_step, s, from_step, lines, items, t->stream && !beside);
        }
        if (t->skewed)
            t->kernels->skew(to, t->to_step, d, pitch, items, n * t->size, t->carry + at->item + j, at->first,
                             at->last);
        else if (t->crowds)
            t->kernels->skew(to, t->to_step, d, pitch, items, n * t->size, t->carry, true, true);
        else if (t->reads)
            compute(t, to, d, n, items);
    }
}

static void move_tiles(void const *context, engine_place const *at, int64_t count, int ahead)
{
    tiles const *const t = (tiles const *)context;
    for (engine_place const *const end = at + count; at < end; ++at)
        if (t->strips && at->lines % t->side == 0 && at->items % t->side == 0)
            move_strips(t, at, at + ahead);
        else
            move_place(t, at, at + ahead);
}

/** Runs the tiles of a plan. Lines of the destination may be whole cache lines or not. */
static tiles tiles_of(engine_kernels const *k, tsr_planned_copy const *p, bool on_lines)
{
    int64_t const item = tsr_turned_item_(p), side = tsr_tile_items_(item);
    engine_machine const here = machine_here();
    bool const narrow = k->vector < ENGINE_LINE && item < ENGINE_LINE * 8;
    bool const as_is = p->kind == TSR_BLOCK_TILES && p->way == TSR_WAY_BYTES;
    tiles t = {.plan = p, .kernels = k, .tile = &k->tile[tsr_bit_width((uint64_t)item / 8) - 1]};
    t.size = item / 8;
    t.from_size = (p->way == TSR_WAY_CONVERT ? tsr_dtype_bits(p->from.type) : p->item) / 8;
    t.side = side;
    t.lines = tsr_group_items_(p, side);
    if (p->crowded && as_is && here.sets)
        t.lines = tsr_group_of_(side, TSR_GROUP_SOURCES);
    t.to_step = p->box > 1 ? p->loop[1].to / 8 : 0;
    t.from_step = p->loop[0].from / 8;
    t.reads = tsr_update_reads_(&p->update);
    t.converts = p->way == TSR_WAY_CONVERT && !t.reads;
    t.skewed = p->kind == TSR_BLOCK_SKEWED && !on_lines && p->loop[1].count <= TSR_SKEWED_LINES;
    if (t.skewed && narrow
        && here.pieces) /* runs of 128 and 256 bytes: 8191^2 at 2 bytes 0.54 of memcpy, before 0.50 */
        t.lines = tsr_group_of_(side, TSR_MOST_SOURCES);
    else if (t.skewed && here.in_place)
        t.lines = TSR_GROUP_LINES * side;
    t.asks = p->stream;
    t.stream = p->stream && on_lines;
    bool const wide = narrow && here.pieces, whole_pages = t.to_step % TSR_PAGE_BYTES == 0;
    bool const begins_anywhere = t.skewed && item > 8; /* of bytes, one tile: 7264^2 0.47 of memcpy, by four 0.39 */
    bool const pieces = wide && p->way == TSR_WAY_BYTES && (begins_anywhere || (as_is && t.stream && !p->crowded));
    /* For lines that fall into few sets. Of scattered floats, a Zen 5 takes 352x4x28x28x48 reversed at 0.83 of memcpy
     * in their places by AVX2, 0.53 through a buffer; by AVX-512 0.61 and 0.68. */
    bool const buffers = !here.sets && !(here.in_place && narrow);
    /* What is converted goes line by line as fast where lines are not whole pages apart. */
    t.crowds = p->crowded && on_lines && ((as_is && narrow && buffers) || (t.converts && wide && whole_pages));
    t.copies = t.crowds && as_is && t.tile->deep > tsr_min64(here.ways, TSR_CACHE_WAYS);
    t.strips = pieces && !t.skewed && (t.lines * t.size >= STRIP_BYTES || item == 8);
    t.fills = p->crowded || t.reads || t.skewed || pieces;
    /* Lines of bytes are read in pieces. Of scattered lines, a Xeon takes 256 bytes in their places: 48 by 28 by 28 by
     * 28 by 48 floats reversed, 0.55 of memcpy, through a buffer 0.36. */
    t.gathers = t.converts || (!t.crowds && ((p->scattered && buffers) || (p->crowded && !t.reads && item == 8)));
    bool const crowded = p->crowded && !t.reads, by_two = here.in_place && !t.reads;
    /* A Zen 5 takes floats by AVX2 better 256 bytes at a time: 8192^2 0.88 of memcpy, by 128 bytes 0.80. */
    bool const by_four = t.crowds || pieces || (here.in_place && narrow && crowded && item == 32);
    t.items = t.converts     ? tsr_max64(side, TSR_STEP)
              : by_four      ? TSR_GROUP_LINES * side
              : p->scattered ? tsr_min64(TSR_GROUP_LINES * side, ROOM / (t.lines * t.size))
              : !by_two && ((t.reads && item < 32) || crowded || t.skewed || item == 8)
                  ? side
                  : 2 * side; /* of what fits the first cache, two lines of memory */
    bool const short_items = narrow && !t.gathers && t.tile->deep > here.ways;
    t.copies = t.copies || (p->crowded && short_items && (t.reads || (as_is && here.in_place)));
    if (p->way == TSR_WAY_CONVERT)
        tsr_engine_conversion_begin_(&t.conversion, k, p);
    return t;
}

/** The places of a block; where lines are streamed that begin inside of cache lines, up to these first. */
static void add_block(tiles const *t, places *q, unsigned char *to, unsigned char const *from, tsr_block_ const *b)
{
    int64_t const size = t->plan->item / 8, lines = b->count[0], items = b->count[1];
    int64_t const before = t->stream ? (int64_t)((uintptr_t)to % ENGINE_LINE) / size : 0;
    int64_t n = before > 0 ? t->side - before : t->lines;
    for (int64_t i = 0; i < lines; i += n, n = t->lines) {
        n = tsr_min64(n, lines - i);
        for (int64_t j = 0; j < items; j += t->items) {
            engine_place const at = {to + i * size + j * t->to_step,
                                     from + i * t->from_step + j * t->from_size,
                                     (int16_t)n,
                                     (int16_t)tsr_min64(items - j, t->items),
                                     (int16_t)j,
                                     i == 0,
                                     i + n == lines};
            add_place(q, at);
        }
    }
}

static int64_t run_places(tiles const *t, uint64_t to, uint64_t from, int64_t first, int64_t last)
{
    tsr_planned_copy const *const p = t->plan;
    int64_t const ahead = p->ahead * t->side * t->side / (t->lines * t->items);
    int64_t moved = 0;
    cursor c;
    places q;
    begin_places(&q, move_tiles, t, t->asks ? (int)tsr_max64(ahead, 1) : 0);
    begin_blocks(&c, p, first, last);
    for (; c.index < last; next_block(&c)) {
        add_block(t, &q, destination(&c, to), source(&c, from), &c.block);
        moved += c.block.count[0] * c.block.count[1];
    }
    end_places(&q);
    return moved;
}

/* A stack holds no buffer that the plan does not use: of 72 kB, those of most transposes take 0, 24 or 40. */

TSR_APART int64_t run_with_in(tiles *t, uint64_t to, uint64_t from, int64_t first, int64_t last)
{
    _Alignas(ENGINE_LINE) unsigned char in[ROOM_IN];
    t->in = in;
    return run_places(t, to, from, first, last);
}

static int64_t run_inside(tiles *t, uint64_t to, uint64_t from, int64_t first, int64_t last)
{
    bool const fills_in = t->gathers || t->copies || t->reads;
    return fills_in ? run_with_in(t, to, from, first, last) : run_places(t, to, from, first, last);
}

TSR_APART int64_t run_with_out(tiles *t, uint64_t to, uint64_t from, int64_t first, int64_t last)
{
    _Alignas(ENGINE_LINE) unsigned char out[ROOM_OUT];
    t->out = out;
    return run_inside(t, to, from, first, last);
}

TSR_APART int64_t run_with_carry(tiles *t, uint64_t to, uint64_t from, int64_t first, int64_t last)
{
    _Alignas(ENGINE_LINE) unsigned char carry[TSR_SKEWED_LINES][ENGINE_LINE];
    t->carry = carry;
    return run_with_out(t, to, from, first, last);
}

static int64_t run_tiles(tiles t, uint64_t to, uint64_t from, int64_t first, int64_t last)
{
    return t.skewed || t.crowds ? run_with_carry(&t, to, from, first, last)
           : t.reads            ? run_with_out(&t, to, from, first, last)
                                : run_inside(&t, to, from, first, last);
}

/** Whether lines of tiles are so few, and lie so, that they are woven into one. */
static bool is_woven(tsr_planned_copy const *p)
{
    return p->way == TSR_WAY_BYTES && is_few(p->loop[0].count, p->item / 8, p->loop[1].to / 8);
}

/** Whether the items of a line go to few lines in turn. */
static bool is_unwoven(tsr_planned_copy const *p)
{
    return p->way == TSR_WAY_BYTES && is_few(p->loop[1].count, p->item / 8, p->loop[0].from / 8);
}

static int64_t run_unwoven(engine_kernels const *k, tsr_planned_copy const *p, uint64_t to, uint64_t from,
                           int64_t first, int64_t last)
{
    int const item = tsr_bit_width((uint64_t)p->item / 8) - 1;
    int64_t moved = 0;
    cursor c;
    begin_blocks(&c, p, first, last);
    for (; c.index < last; next_block(&c)) {
        int64_t const items = c.block.count[0], lines = c.block.count[1];
        if (lines == p->loop[1].count)
            k->braid[item](destination(&c, to), source(&c, from), c.block.to[1] / 8, (int)lines, true, items);
        else
            tsr_block_copy_(destination(&c, to), source(&c, from), &c.block, p->item);
        moved += lines * items;
    }
    return moved;
}

/** Runs blocks with a contiguous destination, which the source lines fill in turn. */
static int64_t run_woven(engine_kernels const *k, tsr_planned_copy const *p, uint64_t to, uint64_t from,
                         int64_t first, int64_t last)
{
    int const item = tsr_bit_width((uint64_t)p->item / 8) - 1;
    int64_t const n = p->loop[0].count, fit = tsr_tile_items_(p->item);
    int64_t moved = 0;
    cursor c;
    begin_blocks(&c, p, first, last);
    for (; c.index < last; next_block(&c)) {
        unsigned char *const d = destination(&c, to);
        unsigned char const *const s = source(&c, from);
        int64_t const lines = c.block.count[0], items = c.block.count[1], step = c.block.from[0] / 8;
        bool const by_vectors = lines == n && tsr_is_pow2(n);
        int64_t const woven = by_vectors ? k->weave[item](d, s, step, (int)n, items, p->stream) : 0;
        if (lines == n)
            k->braid[item](d + woven * n * p->item / 8, s + woven * p->item / 8, step, (int)n, false, items - woven);
        for (int64_t j = lines == n ? items : 0; j < items; j += fit)
            k->tile[item].part(d + j * n * p->item / 8, n * p->item / 8, s + j * p->item / 8, step, lines,
                               tsr_min64(items - j, fit));
        moved += lines * items;
    }
    return moved;
}

int64_t tsr_engine_tiles_(engine_kernels const *k, tsr_planned_copy const *p, uint64_t to, uint64_t from,
                          int64_t first, int64_t last)
{
    uint64_t grain = to * 8 + (uint64_t)p->to.begin;
    for (int i = 1; i < p->loops; ++i)
        grain |= (uint64_t)p->loop[i].to;
    tiles const t = tiles_of(k, p, grain % (ENGINE_LINE * 8) == 0);
    return is_woven(p)     ? run_woven(k, p, to, from, first, last)
           : is_unwoven(p) ? run_unwoven(k, p, to, from, first, last)
                           : run_tiles(t, to, from, first, last);
}
