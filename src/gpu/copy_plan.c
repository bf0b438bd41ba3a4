/** Which kernel moves the elements of a plan, in which tiles and accesses. */
#include "gpu/copy_plan.h"
#include "gpu/call.h"
#include "gpu/compile.h"
#include "tessera/text.h"

/** Bytes: the widest access; what memory moves in; what a row and a column of a tile have at most, and the tile. */
enum { ACCESS = TSR_RELAYOUT_ACCESS, SHORT = 64, LINE = 128, TILE_SIDE = 256, TILE_BYTES = 32768, LONGEST = 2048, LONG = 512, SHARED = 49152 };

/** Steps from which on a tile of more bytes to a row pays: 0.80 of a copy instead of 0.69 of 28^6 floats, reversed. */
#define FAR_APART ((uint64_t)1 << 21)

#define INDICES ((int64_t)1 << 31)

/** The loops of a copy while they are sorted out, in bytes. */
typedef struct draft {
    tsr_relayout_loop loop[TSR_RELAYOUT_LOOPS]; /* the smallest step of the destination first */
    int loops;
    int64_t from, to; /* bytes at which they begin, behind the addresses or counted from 0 */
    uint64_t from_address, to_address;
    int from_kept, to_kept; /* bytes that a swizzle keeps together, log2 */
} draft;

static tsr_relayout_count count_of(int64_t n)
{
    tsr_magic_division const m = tsr_make_magic_division(n < INDICES ? n : 1);
    tsr_relayout_count const r = {n, m.multiplier, m.shift};
    return r;
}

static int64_t ceil_of(int64_t n, int64_t part) { return (n - 1) / part + 1; }

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t step(tsr_relayout_loop const *l, bool from) { return from ? l->from : l->to; }

/* The CPU's loops */

/** The loops of both layouts, as the CPU's plan has them before it makes blocks. */
static void draw_loops(tsr_plan *p, tsr_tensor const *s, tsr_tensor const *d, bool as_they_are)
{
    memset(p, 0, sizeof *p);
    p->from.type = s->engine.type;
    p->to.type = d->engine.type;
    p->item = tsr_dtype_bits(d->engine.type);
    tsr_leaves_ x[2] = {tsr_leaves_of_(&s->layout, tsr_dtype_bits(s->engine.type), TSR_IN_SOURCE),
                        tsr_leaves_of_(&d->layout, tsr_dtype_bits(d->engine.type), TSR_IN_DESTINATION)};
    tsr_plan_side_(p, &p->from, s);
    tsr_plan_side_(p, &p->to, d);
    tsr_plan_cut_modes_(p, x, 2);
    if (!p->slow)
        tsr_side_reach_(p, &p->from, true);
    if (!p->slow && as_they_are) {
        bool const parts = p->item % 8 != 0;
        tsr_plan_drop_swizzles_(p);
        if (parts)
            tsr_plan_items_(p, p->from.swizzle.bits > 0 || p->to.swizzle.bits > 0);
    }
}

static void put_loop(draft *x, int at, int64_t count, int64_t from, int64_t to)
{
    for (int i = x->loops++; i > at; --i)
        x->loop[i] = x->loop[i - 1];
    tsr_relayout_loop const l = {count_of(count), from, to};
    x->loop[at] = l;
}

static void take_loop(draft *x, int at)
{
    for (--x->loops; at < x->loops; ++at)
        x->loop[at] = x->loop[at + 1];
}

/** Whether all that a swizzle does, it does to whole bytes. */
static bool keeps_bytes(tsr_side const *x) { return x->swizzle.bits == 0 || x->swizzle.base >= 3; }

static tsr_swizzle of_bytes(tsr_swizzle sw)
{
    sw.base = (int8_t)(sw.bits > 0 ? sw.base - 3 : 0);
    return sw;
}

/** The loops in bytes, of items of at most ACCESS bytes, a power of two. False where items are no whole bytes. */
static bool draft_of(draft *x, tsr_gpu_copy_plan *g, tsr_plan const *p)
{
    int64_t const from = g->form.from_type == 0 ? p->item : tsr_dtype_bits(p->from.type);
    int64_t bits = from | p->item | p->from.begin | p->to.begin, steps = 0;
    for (int i = 0; i < p->loops; ++i)
        steps |= p->loop[i].from | p->loop[i].to;
    if ((bits | steps) % 8 != 0 || !keeps_bytes(&p->from) || !keeps_bytes(&p->to))
        return false;
    memset(x, 0, sizeof *x);
    x->from = p->from.begin / 8;
    x->to = p->to.begin / 8;
    x->from_address = p->from.absolute ? 0 : g->from.engine.address;
    x->to_address = p->to.absolute ? 0 : g->to.engine.address;
    for (int i = 0; i < p->loops; ++i)
        put_loop(x, i, p->loop[i].count, p->loop[i].from / 8, p->loop[i].to / 8);
    int64_t const bytes = p->item / 8;
    int64_t item = least(bytes & -bytes, ACCESS);
    uint64_t const any = (uint64_t)(x->from | x->to) | x->from_address | x->to_address;
    while (g->form.from_type == 0
           && (any | (uint64_t)(steps / 8)) % (uint64_t)item != 0) /* elements that begin anywhere */
        item /= 2;
    if (item < bytes)
        put_loop(x, 0, bytes / item, item, item);
    g->form.from_item = (uint8_t)(g->form.from_type ? from / 8 : item);
    g->form.to_item = (uint8_t)item;
    g->numbers.from_swizzle = of_bytes(p->from.swizzle);
    g->numbers.to_swizzle = of_bytes(p->to.swizzle);
    g->form.swizzled = p->from.swizzle.bits > 0 || p->to.swizzle.bits > 0;
    g->numbers.from_low = p->from.low >> 3;
    g->numbers.from_high = (p->from.high + 7) >> 3;
    x->from_kept = p->from.swizzle.bits > 0 ? g->numbers.from_swizzle.base : 62;
    x->to_kept = p->to.swizzle.bits > 0 ? g->numbers.to_swizzle.base : 62;
    if (item < bytes && bytes > (int64_t)1 << least(least(x->from_kept, x->to_kept), 30))
        return false; /* a swizzle places the elements, not their parts */
    g->from_grain = p->from.absolute ? (int64_t)1 << tsr_swizzle_width_(g->numbers.from_swizzle) : 1;
    g->to_grain = p->to.absolute ? (int64_t)1 << tsr_swizzle_width_(g->numbers.to_swizzle) : 1;
    return true;
}

/* Accesses */

/** Some loops, the first one innermost. */
typedef struct chain {
    int at[TSR_RELAYOUT_LOOPS];
    int loops;
} chain;

static chain chain_of(int first, int last)
{
    chain c = {{0}, 0};
    for (int i = first; i < last; ++i)
        c.at[c.loops++] = i;
    return c;
}

/** The same with `at` before it. */
static chain chain_after(int at, chain rest)
{
    chain c = {{at}, rest.loops + 1};
    memcpy(c.at + 1, rest.at, (size_t)rest.loops * sizeof *rest.at);
    return c;
}

/** How many loops of a chain go on where the one before ends: n items side by side. */
static int side_by_side(draft const *x, chain const *c, bool from, int item, int64_t *n)
{
    int i = 0;
    for (*n = 1; i < c->loops && step(&x->loop[c->at[i]], from) == *n * item; ++i)
        *n *= x->loop[c->at[i]].count.n;
    return i;
}

/** Whether all do. */
static bool is_run(draft const *x, chain const *c, bool from, int item)
{
    int64_t n = 0;
    return side_by_side(x, c, from, item, &n) == c->loops;
}

/** The items of an access along a chain, at most `most`: side by side, and at multiples of the access wherever it
 *  begins. */
static int items_along(draft const *x, chain const *c, bool from, int item, int most)
{
    int64_t n = 0;
    int const end = side_by_side(x, c, from, item, &n);
    uint64_t grain = (uint64_t)(from ? x->from : x->to) | (from ? x->from_address : x->to_address);
    int items = 1;
    for (int i = 0; i < x->loops; ++i) {
        bool inside = false;
        for (int k = 0; k < end; ++k)
            inside |= c->at[k] == i;
        grain |= inside ? 0 : (uint64_t)step(&x->loop[i], from);
    }
    if (end < c->loops)
        grain |= (uint64_t)(n * item);
    grain |= (uint64_t)1 << (from ? x->from_kept : x->to_kept);
    while (items * 2 <= most && items * 2 <= n && grain % (uint64_t)(items * 2 * item) == 0)
        items *= 2;
    return items;
}

/** An item that is two of the present ones, as long as they lie side by side on both sides. */
static void widen_items(draft *x, tsr_relayout_form *f)
{
    chain const c = chain_of(0, 1);
    while (f->from_type == 0 && x->loops > 0 && f->to_item < ACCESS && x->loop[0].count.n % 2 == 0
           && items_along(x, &c, true, f->to_item, 2) == 2 && items_along(x, &c, false, f->to_item, 2) == 2) {
        tsr_relayout_loop *const l = &x->loop[0];
        f->to_item = (uint8_t)(f->to_item * 2);
        f->from_item = f->to_item;
        *l = (tsr_relayout_loop){count_of(l->count.n / 2), l->from * 2, l->to * 2};
        if (l->count.n == 1)
            take_loop(x, 0);
    }
}

/* Kinds */

static uint8_t batch_of(gpu_copy_wishes const *wishes, int bytes)
{
    return (uint8_t)(wishes->batch ? wishes->batch : bytes >= 8 ? 4 : 8);
}

static void put_loops(tsr_gpu_copy_plan *g, draft const *x)
{
    memcpy(g->numbers.loop, x->loop, (size_t)x->loops * sizeof *x->loop);
    g->numbers.loops = (uint8_t)x->loops;
    g->numbers.from = x->from;
    g->numbers.to = x->to;
}

/** Whether loops are one run that may begin anywhere: accesses of 16 bytes are then cut from it where they can be. */
static bool goes_on(draft const *x, tsr_relayout_form const *f, chain const *c, bool from)
{
    int64_t n = 0;
    int const item = from ? f->from_item : f->to_item;
    return !f->swizzled && side_by_side(x, c, from, item, &n) == c->loops && n * item >= 2 * ACCESS;
}

/** Items in the order of the destination. */
static void plan_direct(tsr_gpu_copy_plan *g, draft *x, gpu_copy_wishes const *wishes)
{
    tsr_relayout_form *const f = &g->form;
    tsr_relayout *const r = &g->numbers;
    int const widest = f->from_item > f->to_item ? f->from_item : f->to_item;
    if (x->loops == 0)
        put_loop(x, 0, 1, f->from_item, f->to_item);
    chain const c = chain_of(0, 1);
    int const from = items_along(x, &c, true, f->from_item, ACCESS / widest);
    int const to = items_along(x, &c, false, f->to_item, ACCESS / widest);
    int n = from < to ? from : to;
    tsr_relayout_loop *const l = &x->loop[0];
    bool const any = n * widest < ACCESS && l->count.n * widest >= 4 * ACCESS && goes_on(x, f, &c, true)
                     && goes_on(x, f, &c, false);
    if (any)
        n = ACCESS / widest;
    f->from_any = f->to_any = any;
    f->from_items = f->to_items = (uint8_t)n;
    r->run = l->count.n;
    f->from_parts = f->to_parts = !any && r->run % n != 0;
    *l = (tsr_relayout_loop){count_of(ceil_of(l->count.n, n) + (any ? 8 : 0)), l->from * n, l->to * n};
    r->items = 1;
    for (int i = 0; i < x->loops; ++i)
        r->items *= x->loop[i].count.n;
    f->kind = TSR_RELAYOUT_DIRECT;
    f->loops = (uint8_t)(x->loops <= 3 ? x->loops : 0);
    int const narrow = n * (f->from_item < f->to_item ? f->from_item : f->to_item);
    f->batch = (uint8_t)(any ? 1 : wishes->batch ? wishes->batch : narrow >= 8 ? 1 : narrow >= 4 ? 2 : 4);
    f->wide = r->items >= INDICES;
    g->blocks = ceil_of(r->items, (int64_t)TSR_RELAYOUT_THREADS * f->batch);
    put_loops(g, x);
}

/** The loop that is closest in the source; -1 if all stand still. */
static int nearest(draft const *x, int first)
{
    int best = -1;
    for (int i = first; i < x->loops; ++i)
        if (x->loop[i].from != 0 && (best < 0 || tsr_abs64(x->loop[i].from) < tsr_abs64(x->loop[best].from)))
            best = i;
    return best;
}

static void move_loop(draft *x, int from, int to)
{
    tsr_relayout_loop const l = x->loop[from];
    for (; from > to; --from)
        x->loop[from] = x->loop[from - 1];
    for (; from < to; ++from)
        x->loop[from] = x->loop[from + 1];
    x->loop[to] = l;
}

/** A tile's share of n items: even parts of about as many as are wanted, of not more where there are many parts, in
 *  multiples of `grain`. */
static int share_of(int64_t n, int64_t most, int64_t grain)
{
    int64_t const parts = n / most >= 8 ? ceil_of(n, most) : tsr_max64((n + most / 2) / most, 1);
    return (int)(ceil_of(ceil_of(n, parts), grain) * grain);
}

static int64_t power_above(int64_t n)
{
    int64_t r = 1;
    while (r < n)
        r *= 2;
    return r;
}

static int64_t common_multiple(int64_t a, int64_t b) { return a / tsr_gcd64(a, b) * b; }

/** Lanes of a warp that are neighbours in a run: eight of 16 bytes are a line, more where runs are few. */
static int lanes_of(int64_t accesses, int64_t runs)
{
    return (int)least(power_above(accesses), tsr_max64(8, 32 / least(power_above(runs), 32)));
}

/** Rows and columns of a tile, given how many it has at most each way: where one side is short the other one is longer. */
static void plan_sides(tsr_gpu_copy_plan *g, int64_t most_rows, int64_t most_columns)
{
    tsr_relayout_form *const f = &g->form;
    tsr_relayout *const r = &g->numbers;
    int64_t const n = f->unit, area = most_rows * most_columns * n, units = f->way == TSR_RELAYOUT_WHOLE ? 1 : n;
    int64_t const extra = f->to_any ? TSR_RELAYOUT_SECTOR / f->to_item - 1 : 0, rows = r->rows + extra;
    int64_t const whole = common_multiple(tsr_max64(TSR_RELAYOUT_SECTOR / f->to_item, f->to_items), units);
    int64_t const grain = f->to_any ? whole : common_multiple(f->to_items, units);
    r->tile_columns = (int)r->columns;
    if (f->way == TSR_RELAYOUT_UNIT) {
        int64_t most = most_columns;
        if (rows < most_rows)
            most = least(area / power_above(rows), LONGEST / f->from_item) / n;
        if (f->from_any) { /* whole groups of lanes, wherever a run begins */
            int64_t const line = 8 * f->from_items;
            most = tsr_max64(((most * n + line / 2) / line * line - f->from_items + 1) / n, 1);
            r->tile_columns = (int)ceil_of(r->columns, ceil_of(r->columns, most));
        } else {
            int64_t const side = tsr_max64(TSR_RELAYOUT_SECTOR / f->from_item, f->from_items);
            r->tile_columns = share_of(r->columns, tsr_max64(most, 1), r->columns > most ? side : f->from_items);
        }
        most = least(2 * area * f->from_item, TILE_BYTES) / (r->tile_columns * n * f->from_item) * n;
        most = tsr_max64(r->columns < most_columns ? most : least(most_rows, most), 1);
        r->tile_rows = share_of(rows, most, rows > most ? whole : grain);
    } else {
        int64_t const most = tsr_max64(TILE_BYTES / 2 / (r->columns * f->from_item), 1);
        r->tile_rows = share_of(rows, most, whole);
    }
    r->ahead = (int)(extra ? ceil_of(extra, units) * units : 0);
}

/** What follows from them: tiles, accesses, where items are kept. */
static void plan_tile(tsr_gpu_copy_plan *g)
{
    tsr_relayout_form *const f = &g->form;
    tsr_relayout *const r = &g->numbers;
    int64_t const n = f->unit, rows = r->tile_rows + r->ahead;
    int64_t const lines = f->gather ? r->tile_rows : r->tile_columns, line = f->gather ? r->tile_columns : r->tile_rows;
    int64_t const bytes = line * f->from_item, access = f->gather ? ACCESS : least(f->to_items * f->from_item, ACCESS);
    int64_t const elements = f->way == TSR_RELAYOUT_UNIT    ? r->tile_columns * n
                             : f->way == TSR_RELAYOUT_WHOLE ? rows * n
                                                            : rows / n;
    int64_t const before = f->from_any ? f->from_items - 1 : 0; /* of an access, at most */
    int64_t const loads = ceil_of(elements + before, f->from_items), stores = ceil_of(r->tile_rows, f->to_items);
    r->runs = (int)(f->way == TSR_RELAYOUT_UNIT ? rows / n : f->way == TSR_RELAYOUT_WHOLE ? 1 : n);
    r->from_lanes = lanes_of(loads, r->runs);
    r->to_lanes = lanes_of(stores, r->tile_columns);
    r->loads = count_of(ceil_of(loads, r->from_lanes));
    r->stores = count_of(ceil_of(stores, r->to_lanes));
    r->pitch = (int)(bytes > LINE / 2 ? ceil_of(bytes, LINE) * LINE : power_above(bytes));
    r->chunks = (int)tsr_max64(least(r->pitch, LINE) - access, 0);
    int64_t const together = f->gather ? f->to_items : f->way == TSR_RELAYOUT_UNIT ? f->from_items / n : 1;
    r->skew = tsr_bit_width((uint64_t)tsr_max64(together, 1)) - 1;
    r->tables = (int)(ceil_of(lines * r->pitch, 8) * 8);
    f->tables = f->way == TSR_RELAYOUT_UNIT && (f->loops != 1 || f->columns != 1);
    g->shared = r->tables + (f->tables ? 8 * (r->tile_columns + r->runs) : 0);
}

/** A smaller tile: fewer rows, or where these are few fewer columns, in multiples that suit the accesses. */
static void halve(tsr_gpu_copy_plan *g)
{
    tsr_relayout_form const *const f = &g->form;
    tsr_relayout *const r = &g->numbers;
    int64_t const units = f->way == TSR_RELAYOUT_WHOLE ? 1 : f->unit;
    int64_t const rows = common_multiple(tsr_max64(TSR_RELAYOUT_SECTOR / f->to_item, f->to_items), units);
    int64_t const columns = f->from_any ? 1 : f->from_items;
    if (r->tile_rows > rows)
        r->tile_rows = (int)(ceil_of(r->tile_rows / 2, rows) * rows);
    else
        r->tile_columns = (int)(ceil_of(r->tile_columns / 2, columns) * columns);
}

/** Bytes of a tile each way: at least 32 items. */
static int64_t side_of(int64_t item) { return tsr_max64(TILE_SIDE, 32 * item); }

/** A tile while its loops are chosen: the first `rows` loops, then the next `columns`; the very first one is a unit
 *  where the form has one. */
typedef struct choice {
    int rows, columns;
    int64_t most_rows, most_columns;
} choice;

static chain rows_of(choice const *c) { return chain_of(0, c->rows); }
static chain columns_of(choice const *c) { return chain_of(c->rows, c->rows + c->columns); }

/** The run of the source that a tile reads. */
static chain source_of(choice const *c, tsr_relayout_form const *f)
{
    chain const columns = columns_of(c);
    return f->way == TSR_RELAYOUT_APART   ? chain_of(1, 2)
           : f->way == TSR_RELAYOUT_WHOLE ? chain_after(1, chain_of(0, 1))
           : f->unit > 1                  ? chain_after(0, columns)
                                          : columns;
}

/** Short runs, which accesses are wider than: a unit that both sides share, columns of the source, rows of the
 *  destination. `near`: the loop of the columns. */
static void plan_short_runs(tsr_relayout_form *f, draft const *x, int near)
{
    tsr_relayout_loop const *const first = &x->loop[0], *const column = &x->loop[near];
    int64_t const rows = first->count.n, columns = column->count.n, in = f->from_item, out = f->to_item;
    f->unit = 1;
    f->way = TSR_RELAYOUT_UNIT;
    if (f->swizzled || first->to != out)
        return;
    if (first->from == in && column->from == rows * in && x->loop[1].to == rows * out && rows * in < SHORT) {
        f->unit = (uint8_t)rows;
    } else if (column->from == in && first->from == columns * in && columns * in < SHORT && rows * out >= LONG) {
        f->unit = (uint8_t)columns;
        f->way = TSR_RELAYOUT_WHOLE;
    } else if (near == 1 && column->from == in && column->to == rows * out && rows * out < SHORT && columns * in >= LONG) {
        f->unit = (uint8_t)rows;
        f->way = TSR_RELAYOUT_APART;
    }
}

/** More loops for the side that is shorter: the next one of the destination, or of the source. */
static void add_loops(tsr_relayout *r, draft *x, choice *c, tsr_relayout_form const *f)
{
    for (bool more = true; more;) {
        bool const by_rows = r->rows * c->most_columns <= r->columns * c->most_rows;
        more = false;
        for (int turn = 0; turn < 2 && !more; ++turn) {
            bool const row = by_rows == (turn == 0);
            int const first = c->rows + c->columns, next = row ? (first < x->loops ? first : -1) : nearest(x, first);
            if ((row ? r->rows >= c->most_rows : r->columns >= c->most_columns) || next < 0)
                continue;
            int64_t const n = x->loop[next].count.n;
            if ((row ? r->rows : r->columns) > INDICES / 4 / n)
                continue;
            if (f->unit > 1 && step(&x->loop[next], !row) != (row ? r->rows * f->to_item : r->columns * f->unit * f->from_item))
                continue;
            *(row ? &r->rows : &r->columns) *= n;
            move_loop(x, next, row ? c->rows : first);
            *(row ? &c->rows : &c->columns) += 1;
            more = true;
        }
    }
}

/** Tiles of the loops that are close on either side. False where these are the same. */
static bool plan_tiles(tsr_gpu_copy_plan *g, draft const *given, gpu_copy_wishes const *wishes)
{
    draft copy = *given, *const x = &copy;
    tsr_relayout_form form = g->form;
    tsr_relayout_form *const f = &g->form;
    tsr_relayout *const r = &g->numbers;
    int near = nearest(x, 0);
    if (near == 0 && x->loop[0].count.n * f->to_item < SHORT) /* a run that is shared, and too short to move alone */
        near = nearest(x, 1) > 1 ? nearest(x, 1) : 0;
    if (near <= 0 || x->loop[0].from == 0 || wishes->direct)
        return false;
    choice c = {.rows = 1, .columns = 1};
    c.most_columns = tsr_max64((wishes->column_bytes ? wishes->column_bytes : side_of(f->from_item)) / f->from_item, 1);
    c.most_rows = tsr_max64((wishes->row_bytes ? wishes->row_bytes : side_of(f->to_item)) / f->to_item, 1);
    plan_short_runs(f, x, near);
    c.most_columns = tsr_max64(c.most_columns / f->unit, 1);
    int64_t const lines = common_multiple(LINE / f->to_item, f->unit);
    if (f->unit > 1 && lines * f->to_item <= LONG)
        c.most_rows = tsr_max64(c.most_rows / lines, 1) * lines;
    move_loop(x, near, 1);
    if (!wishes->column_bytes && (uint64_t)tsr_abs64(x->loop[0].from) >= FAR_APART
        && (uint64_t)x->loop[1].to >= FAR_APART)
        c.most_columns *= 2; /* every row, and every column, is in another page */
    if (f->way == TSR_RELAYOUT_APART) {
        put_loop(x, 2, 1, 0, 0);
        c.rows = 2;
    }
    r->rows = x->loop[0].count.n * (f->way == TSR_RELAYOUT_APART ? x->loop[1].count.n : 1);
    r->columns = x->loop[c.rows].count.n;
    if (f->way == TSR_RELAYOUT_UNIT)
        add_loops(r, x, &c, f);
    chain const from = source_of(&c, f), to = rows_of(&c);
    f->from_run = is_run(x, &from, true, f->from_item);
    f->to_run = is_run(x, &to, false, f->to_item);
    f->from_items = (uint8_t)items_along(x, &from, true, f->from_item, ACCESS / f->from_item);
    f->to_items = (uint8_t)items_along(x, &to, false, f->to_item, ACCESS / f->to_item);
    bool const roomy = c.most_columns * f->unit * f->from_item >= 8 * ACCESS, high = c.most_rows * f->to_item >= 4 * ACCESS;
    f->from_any = f->unit > 1 || (roomy && f->from_items * f->from_item < ACCESS && goes_on(x, f, &from, true));
    f->to_any = high && f->to_items * f->to_item < ACCESS && goes_on(x, f, &to, false);
    if (f->from_any)
        f->from_items = (uint8_t)(ACCESS / f->from_item);
    if (f->to_any)
        f->to_items = (uint8_t)(ACCESS / f->to_item);
    f->gather = !wishes->scatter && !f->from_any && !f->to_any && f->unit == 1 && f->from_item * f->from_items >= 4;
    f->from_parts = !f->from_any && r->columns % f->from_items != 0;
    f->to_parts = !f->to_any && r->rows % f->to_items != 0;
    if (f->unit > 1 && f->way == TSR_RELAYOUT_UNIT) { /* rows are counted in units */
        take_loop(x, 0);
        --c.rows;
    }
    r->row_loops = (uint8_t)c.rows;
    r->column_loops = (uint8_t)c.columns;
    f->loops = (uint8_t)(c.rows <= 3 ? c.rows : 0);
    f->columns = (uint8_t)(c.columns <= 3 ? c.columns : 0);
    plan_sides(g, c.most_rows, c.most_columns);
    for (plan_tile(g); g->shared > SHARED; plan_tile(g)) /* even parts may be longer than most */
        halve(g);
    r->row_tiles = count_of(ceil_of(r->rows + (f->to_any ? TSR_RELAYOUT_SECTOR / f->to_item - 1 : 0), r->tile_rows));
    r->column_tiles = count_of(ceil_of(r->columns, r->tile_columns));
    r->along_rows = wishes->order != 1;
    g->blocks = r->row_tiles.n * r->column_tiles.n;
    for (int i = c.rows + c.columns; i < x->loops; ++i)
        g->blocks *= x->loop[i].count.n;
    f->wide = r->rows >= INDICES || r->columns >= INDICES;
    if (g->blocks >= INDICES) {
        g->form = form;
        return false;
    }
    f->kind = TSR_RELAYOUT_TILE;
    f->batch = batch_of(wishes, f->from_item * f->from_items);
    put_loops(g, x);
    return true;
}

/** Bytes of a number, of the parts of a complex one: at multiples of it numbers are read. */
static int64_t part_of(tsr_dtype type)
{
    int64_t const bits = tsr_dtype_bits(type);
    return tsr_max64(tsr_dtype_code(type) == 5 ? bits / 16 : bits / 8, 1);
}

static bool begins_at(tsr_tensor const *t, int64_t bytes) { return t->engine.address % (uint64_t)bytes == 0; }

/** Element by element: a thread may write bytes only that are its own. */
static tsr_gpu_result plan_elements(tsr_gpu_copy_plan *g)
{
    int64_t const from = part_of(g->from.engine.type), to = part_of(g->to.engine.type);
    int const bits = tsr_dtype_bits(g->to.engine.type);
    if (bits % 8 != 0 || g->to.engine.bit != 0
        || (g->from.engine.type == g->to.engine.type && g->from.engine.bit != 0))
        return gpu_refuse(TSR_GPU_BITS, bits, 0, 0);
    if (g->form.from_type != 0 && !begins_at(&g->from, from))
        return gpu_refuse(TSR_GPU_ALIGNED, (int64_t)g->from.engine.address, from, 0);
    if (g->form.from_type != 0 && !begins_at(&g->to, to))
        return gpu_refuse(TSR_GPU_ALIGNED, (int64_t)g->to.engine.address, to, 0);
    g->form.kind = TSR_RELAYOUT_ELEMENTS;
    g->form.from_item = g->form.to_item = g->form.from_items = g->form.to_items = g->form.batch = 0;
    g->form.swizzled = 0;
    memset(&g->numbers, 0, offsetof(tsr_relayout, alpha));
    g->numbers.items = g->elements;
    g->blocks = ceil_of(g->numbers.items, TSR_RELAYOUT_THREADS);
    g->from_grain = g->to_grain = 1;
    return gpu_refuse(TSR_GPU_OK, 0, 0, 0);
}

/** Other addresses must be multiples of the accesses, too. */
static void plan_grains(tsr_gpu_copy_plan *g)
{
    tsr_relayout_form const *const f = &g->form;
    g->from_grain = tsr_max64(g->from_grain, f->from_item * (f->from_any ? 1 : f->from_items));
    g->to_grain = tsr_max64(g->to_grain, f->to_item * (f->to_any ? 1 : f->to_items));
}

/** Whether numbers lie where accesses of their size can be. */
static bool are_numbers(tsr_gpu_copy_plan const *g)
{
    return begins_at(&g->from, g->form.from_item) && begins_at(&g->to, g->form.to_item);
}

static tsr_gpu_result plan_loops(tsr_gpu_copy_plan *g, tsr_plan const *p, gpu_copy_wishes const *wishes)
{
    tsr_relayout_form *const f = &g->form;
    draft x;
    if (p->slow || !draft_of(&x, g, p)
        || (f->from_type != 0 && !(f->from_item <= 8 && f->to_item <= 8 && are_numbers(g))))
        return plan_elements(g);
    widen_items(&x, f);
    bool const run = x.loops == 0 || (x.loops == 1 && x.loop[0].from == f->from_item && x.loop[0].to == f->to_item);
    if (run && f->from_type == 0 && !f->swizzled && !wishes->direct) {
        f->kind = TSR_RELAYOUT_RUN;
        g->numbers.run = f->to_item * (x.loops ? x.loop[0].count.n : 1);
        g->numbers.from = x.from;
        g->numbers.to = x.to;
        f->from_items = f->to_items = 1;
    } else {
        if (!plan_tiles(g, &x, wishes))
            plan_direct(g, &x, wishes);
        plan_grains(g);
    }
    return gpu_refuse(TSR_GPU_OK, 0, 0, 0);
}

tsr_gpu_result gpu_plan_copy(tsr_number const *alpha, tsr_tensor from, tsr_number const *beta, tsr_tensor to,
                             gpu_copy_wishes const *wishes, tsr_gpu_log const *log, tsr_gpu_copy_plan *g)
{
    char reason[TSR_TEXT_SIZE];
    bool const scaled = alpha != NULL;
    tsr_plan p = tsr_plan_copy(from, to);
    gpu_log(log, "");
    memset(g, 0, sizeof *g);
    g->why = p.why;
    if (!g->why.status && scaled && (!tsr_has_numbers_(&from) || !tsr_has_numbers_(&to)))
        g->why = tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    if (g->why.status) {
        tsr_format_reason(reason, sizeof reason, g->why);
        gpu_log(log, reason);
        return gpu_refuse(TSR_GPU_TENSORS, 0, 0, 0);
    }
    if (!tsr_is_memory_(&from))
        return gpu_refuse(TSR_GPU_COMPUTED, 0, 0, 0);
    g->elements = tsr_layout_size(to.layout);
    g->from = from;
    g->to = to;
    if (scaled || from.engine.type != to.engine.type) {
        g->form.from_type = from.engine.type;
        g->form.to_type = to.engine.type;
    }
    if (scaled) {
        g->form.alpha = alpha->kind;
        g->numbers.alpha = *alpha;
        if (beta && !tsr_number_is_zero(*beta)) {
            g->form.beta = beta->kind;
            g->numbers.beta = *beta;
        }
    }
    draw_loops(&p, &from, &to, g->form.from_type == 0);
    g->slow = (tsr_slow)p.slow;
    return plan_loops(g, &p, wishes);
}

tsr_gpu_result tsr_gpu_plan_copy(tsr_number const *alpha, tsr_tensor from, tsr_number const *beta, tsr_tensor to,
                                 tsr_gpu_log const *log, tsr_gpu_copy_plan *plan)
{
    gpu_copy_wishes const none = {0};
    return gpu_plan_copy(alpha, from, beta, to, &none, log, plan);
}
