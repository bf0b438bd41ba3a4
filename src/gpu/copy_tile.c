/** Tiles of a copy: which loops are rows and which columns, how many of them a tile has, what its accesses are. */
#include "gpu/copy_draft.h"
#include "gpu/tuning.h"

static gpu_copy_tuning const *const tuned = &gpu_h200.copy;

/** A tile while its loops are chosen: the first `rows` loops, then the next `columns`, and how many of them it has at
 *  most. */
typedef struct choice {
    gpu_draft x;
    int rows, columns;
    int64_t most_rows, most_columns;
    bool large; /* as much as three or four blocks of a multiprocessor may have */
} choice;

static int64_t power_above(int64_t n)
{
    int64_t r = 1;
    while (r < n)
        r *= 2;
    return r;
}

static int64_t common_multiple(int64_t a, int64_t b) { return a / tsr_gcd64(a, b) * b; }

/** A tile's share of n items: even parts of about as many as are wanted, in multiples of `grain`. */
static int share_of(int64_t n, int64_t most, int64_t grain)
{
    int64_t const parts = tsr_max64((n + most / 2) / most, 1);
    return (int)(gpu_ceil(gpu_ceil(n, parts), grain) * grain);
}

/** Bytes of a tile along rows or columns: at least 32 items, and one side twice as long as the other of items of 8. */
static int64_t side_of(int wished, int64_t item, bool column)
{
    int64_t const side = tsr_max64(tuned->side, (column && item == 8 ? 64 : 32) * item);
    return tsr_max64((wished ? wished : side) / item, 1);
}

/** Rows or columns of a square tile of such items that is as large as three or four blocks of a multiprocessor may
 *  have. */
static int64_t square_side(int64_t item)
{
    int64_t n = 1;
    while ((n + 1) * (n + 1) * item <= tuned->square)
        ++n;
    return n;
}

/** The pitch of lines of `bytes` bytes. Their 16-byte pieces change places in groups of eight or fewer. */
static int pitch_of(int64_t bytes)
{
    return (int)(bytes > tuned->line / 2 ? gpu_ceil(bytes, tuned->line) * tuned->line : power_above(bytes));
}

/** Rows and columns of a tile: where one side is short the other one is longer. */
static void plan_sides(tsr_gpu_planned_copy *g, choice const *c)
{
    tsr_relayout_form const *const f = &g->form;
    tsr_relayout *const r = &g->numbers;
    int64_t const area = c->most_rows * c->most_columns;
    int64_t const whole = tsr_max64(TSR_RELAYOUT_SECTOR / f->from_item, f->from_items);
    int64_t const whole_to = tsr_max64(TSR_RELAYOUT_SECTOR / f->to_item, f->to_items);
    int64_t most = c->most_columns;
    if (r->rows < c->most_rows && r->columns > most)
        most = tsr_max64(tsr_min64(area / power_above(r->rows), tuned->longest / f->from_item), 1);
    r->tile_columns = share_of(r->columns, most, r->columns > most ? whole : f->from_items);
    int64_t const bytes = (int64_t)r->tile_columns * f->from_item;
    r->pitch = pitch_of(bytes);
    most = tsr_min64(2 * area * f->from_item, c->large ? tuned->most_shared : tuned->tile) / r->pitch / whole_to
           * whole_to;
    most = tsr_max64(r->columns < c->most_columns ? most : tsr_min64(c->most_rows, most), whole_to);
    r->tile_rows = share_of(r->rows, most, r->rows > most ? whole_to : f->to_items);
    int64_t const room = c->large ? tuned->most_shared : tuned->shared;
    while ((int64_t)r->tile_rows * r->pitch > room) /* even parts may be longer than most */
        r->tile_rows = (int)(gpu_ceil(gpu_ceil(r->tile_rows, 2), f->to_items) * f->to_items);
    g->shared = (int64_t)r->tile_rows * r->pitch;
}

/** Columns of a tile that begin differently in their sectors. */
static int64_t ways_of(choice const *c, tsr_relayout_form const *f)
{
    uint64_t steps = TSR_RELAYOUT_SECTOR;
    for (int i = c->rows; i < c->rows + c->columns; ++i)
        steps |= (uint64_t)c->x.loop[i].to;
    return f->to_any ? TSR_RELAYOUT_SECTOR / (int64_t)(steps & (0 - steps)) : 1;
}

/** What a tile that begins anywhere has in shared memory. */
static void plan_shared(tsr_gpu_planned_copy *g, int64_t ways)
{
    tsr_relayout_form *const f = &g->form;
    tsr_relayout *const r = &g->numbers;
    int64_t const item = f->from_item,
                  words = tsr_max64(4 / item, 1); /* a pitch of items is an odd number of these */
    int64_t const load = gpu_ceil(r->tile_columns * f->unit * item + ACCESS - item, ACCESS),
                  rows = r->tile_rows + r->ahead;
    int64_t const places = tsr_max64(gpu_ceil(r->tile_rows, f->to_items), tuned->lanes);
    r->runs = (int)(rows / f->unit);
    r->pitch = (int)(f->async ? load * ACCESS : (gpu_ceil(rows, words) | 1) * words);
    r->across = (int)tsr_min64(power_above(load), 32);
    r->ways = (int)ways;
    r->strands = (int)(ways * gpu_ceil(TSR_RELAYOUT_THREADS, places * ways));
    r->table = (int)(f->async ? r->runs * r->pitch + gpu_ceil(r->runs, f->to_items) * ACCESS
                              : gpu_ceil(r->tile_columns * r->pitch * item, 8) * 8);
    g->shared = r->table + (f->tables ? 8 * (r->tile_columns + r->runs) + 4 * (r->tile_columns + r->strands) : 0);
}

/** The bytes of a tile that begins anywhere along its columns, and along its rows, at most. */
static int64_t usual_width(tsr_relayout_form const *f)
{
    if (f->async)
        return f->unit > 1 ? square_side(f->unit * f->from_item) * f->unit * f->from_item : 3 * tuned->line - ACCESS;
    return f->unit > 1 ? 2 * tuned->side : f->tables ? tuned->line : tuned->side; /* 0.76 of a copy instead of 0.68 */
}

static int64_t usual_height(tsr_relayout_form const *f)
{
    if (f->async)
        return f->unit > 1 ? square_side(f->unit * f->from_item) * f->unit * f->to_item
                           : tsr_min64(2 * tuned->side, tuned->line * f->to_item);
    return f->to_item < 4 ? tuned->side : 2 * tuned->side;
}

/** The same for a tile that begins anywhere: read by words, or item by item, lanes along the columns, a thread for
 *  each. */
static void plan_ragged(tsr_gpu_planned_copy *g, choice const *c, gpu_copy_wishes const *wishes)
{
    tsr_relayout_form *const f = &g->form;
    tsr_relayout *const r = &g->numbers;
    int64_t const n = f->unit, item = f->from_item, out = f->to_item, lane = 32, ways = ways_of(c, f);
    int64_t const extra = f->to_any ? TSR_RELAYOUT_SECTOR / out - 1 : 0, rows = r->rows + extra;
    int64_t const whole = common_multiple(tsr_max64(TSR_RELAYOUT_SECTOR / out, f->to_items), n);
    int64_t const lines = n > 1 ? common_multiple(tuned->line / out, n) : 1; /* lanes in whole groups */
    f->tables = f->loops != 1 || f->columns != 1;
    int64_t const wide = tsr_max64((wishes->column_bytes ? wishes->column_bytes : usual_width(f)) / item, lane);
    int64_t const high = tsr_max64((wishes->row_bytes ? wishes->row_bytes : usual_height(f)) / out, 1);
    int64_t side = tsr_max64((f->async ? wide : tsr_min64(wide, TSR_RELAYOUT_THREADS)) / n, 1);
    int64_t most = high * tsr_max64(side / r->columns, 1);
    most = lines * out <= tuned->long_run ? tsr_max64(most / lines, 1) * lines : most;
    most = tsr_max64(most / whole * whole, whole);
    int64_t parts = rows >= 8 * most ? gpu_ceil(rows, most) : tsr_max64((rows + most / 2) / most, 1);
    r->ahead = (int)(gpu_ceil(extra, n) * n);
    for (bool fits = false; !fits;) {
        r->tile_columns = (int)gpu_ceil(r->columns, gpu_ceil(r->columns, side));
        r->tile_rows = (int)(gpu_ceil(gpu_ceil(rows, parts), whole) * whole);
        plan_shared(g, ways);
        bool const narrow = !f->async || side * n <= lane || side == 1; /* by words columns give way, else rows */
        fits = g->shared <= (f->async ? tuned->most_shared : tuned->shared) || (narrow && r->tile_rows == whole);
        side -= narrow ? 0 : gpu_ceil(side, 8);
        parts += narrow;
    }
    f->warps = (uint8_t)(f->async ? 0 : power_above(gpu_ceil(r->tile_columns * n, lane)));
    f->batch = (uint8_t)(f->async ? 0 : wishes->batch ? wishes->batch : item < 4 ? 16 : item == 4 ? 8 : 4);
}

/** More loops for the side that is shorter: the next one of the destination, or of the source. Units stay runs. */
static void add_loops(tsr_relayout *r, choice *c, tsr_relayout_form const *f)
{
    gpu_draft *const x = &c->x;
    for (bool more = true; more;) {
        bool const by_rows = r->rows * c->most_columns <= r->columns * f->unit * c->most_rows;
        more = false;
        for (int turn = 0; turn < 2 && !more; ++turn) {
            bool const row = by_rows == (turn == 0);
            int const first = c->rows + c->columns,
                      next = row ? (first < x->loops ? first : -1) : tsr_gpu_nearest_(x, first);
            int64_t const have = row ? r->rows : r->columns * f->unit;
            if (have >= (row ? c->most_rows : c->most_columns) || next < 0)
                continue;
            tsr_relayout_loop const *const l = &x->loop[next];
            if (have > GPU_INDICES / 4 / l->count.n || (f->unit > 1 && row && l->to != have * f->to_item))
                continue;
            *(row ? &r->rows : &r->columns) *= l->count.n;
            tsr_gpu_move_loop_(x, next, row ? c->rows : first);
            *(row ? &c->rows : &c->columns) += 1;
            more = true;
        }
    }
}

/** The accesses of a tile, and which kind of tile it is. */
static void plan_accesses(tsr_gpu_planned_copy *g, choice const *c)
{
    tsr_relayout_form *const f = &g->form;
    gpu_draft const *const x = &c->x;
    gpu_chain const to = tsr_gpu_chain_of_(0, c->rows), columns = tsr_gpu_chain_of_(c->rows, c->rows + c->columns);
    bool const roomy = c->most_columns * f->from_item >= 4 * ACCESS, high = c->most_rows * f->to_item >= 4 * ACCESS;
    f->from_items = (uint8_t)tsr_gpu_items_along_(x, &columns, true, f->from_item, ACCESS / f->from_item);
    f->to_items = (uint8_t)tsr_gpu_items_along_(x, &to, false, f->to_item, ACCESS / f->to_item);
    bool const from_any = roomy && f->from_items * f->from_item < ACCESS && tsr_gpu_goes_on_(x, f, &columns, true);
    f->to_any = high && f->to_items * f->to_item < ACCESS && tsr_gpu_goes_on_(x, f, &to, false);
    if (f->to_any)
        f->to_items = (uint8_t)(ACCESS / f->to_item);
    f->kind = from_any || f->to_any || f->unit > 1 ? TSR_RELAYOUT_RAGGED : TSR_RELAYOUT_TILE;
    if (f->kind == TSR_RELAYOUT_RAGGED)
        f->from_items = 1;
    else
        f->unit = 0;
    bool const ragged = f->kind == TSR_RELAYOUT_RAGGED, simple = c->rows == 1 && c->columns == 1;
    f->from_run =
        !ragged && !simple && tsr_gpu_is_run_(x, &columns, true, f->from_item); /* only where kernels differ */
    f->to_run = (ragged || !simple) && tsr_gpu_is_run_(x, &to, false, f->to_item);
    bool const words = tsr_gpu_is_run_(x, &columns, true, f->unit * f->from_item)
                       && g->numbers.columns * f->unit * f->from_item >= 4 * ACCESS;
    f->async = ragged ? words : f->from_item * f->from_items >= 4;
    f->from_parts = g->numbers.columns % f->from_items != 0;
    f->to_parts = !f->to_any && g->numbers.rows % f->to_items != 0;
}

/** The loops of the columns; 0 where tiles are of no use. `unit`: a run that both sides share, too short to move
 *  alone. */
static int columns_of(gpu_draft const *x, tsr_relayout_form const *f, int64_t *unit)
{
    tsr_relayout_loop const *const first = &x->loop[0];
    int const near = tsr_gpu_nearest_(x, 0), next = tsr_gpu_nearest_(x, 1);
    *unit = 1;
    if (near != 0 || first->count.n * f->to_item >= tuned->alone || next <= 1)
        return near > 0 && first->from != 0 ? near : 0;
    if (!f->swizzled && first->to == f->to_item && first->from == f->from_item && x->loop[next].from > 0
        && x->loop[1].to == first->count.n * f->to_item)
        *unit = first->count.n;
    return next;
}

/** Whether neighbouring tiles are neighbours along the rows: what they write is then close, unless columns are farther
 *  apart than rows are in the source (floats, (511,1021,1023) to 120: 0.85 of a copy instead of 0.78; to 201 0.71
 *  instead of 0.90). */
static bool is_along_rows(tsr_relayout_loop const *row, tsr_relayout_loop const *column)
{
    uint64_t const from = tsr_abs64(row->from), to = tsr_abs64(column->to);
    return from == 0 || from >= to / 64;
}

bool tsr_gpu_plan_tiles_(tsr_gpu_planned_copy *g, gpu_draft const *given, gpu_copy_wishes const *wishes)
{
    tsr_relayout_form const form = g->form;
    tsr_relayout_form *const f = &g->form;
    tsr_relayout *const r = &g->numbers;
    int64_t unit = 1;
    int const near = wishes->direct ? 0 : columns_of(given, f, &unit);
    if (near <= 0)
        return false;
    choice c = {.x = *given, .rows = 1, .columns = 1};
    gpu_draft *const x = &c.x;
    f->unit = (uint8_t)unit;
    c.most_columns = side_of(wishes->column_bytes, f->from_item, true);
    c.most_rows = side_of(wishes->row_bytes, f->to_item, false);
    tsr_gpu_move_loop_(x, near, 1);
    bool const far = !wishes->column_bytes && tsr_abs64(x->loop[0].from) >= (uint64_t)tuned->far_rows
                     && x->loop[1].to >= tuned->far_columns;
    c.most_columns *= 1 + far;
    r->rows = x->loop[0].count.n;
    r->columns = x->loop[1].count.n;
    add_loops(r, &c, f);
    c.large = far && r->rows * f->to_item % tuned->line != 0;
    if (c.large) {
        c.most_columns = c.most_rows = square_side(f->from_item);
        add_loops(r, &c, f);
    }
    plan_accesses(g, &c);
    if (unit > 1) { /* rows are counted in units */
        tsr_gpu_take_loop_(x, 0);
        if (--c.rows == 0) {
            tsr_gpu_put_loop_(x, 0, 1, 0, 0);
            c.rows = 1;
        }
    }
    r->row_loops = (uint8_t)c.rows;
    r->column_loops = (uint8_t)c.columns;
    f->loops = (uint8_t)(c.rows <= 3 ? c.rows : 0);
    f->columns = (uint8_t)(c.columns <= 3 ? c.columns : 0);
    f->wide = r->rows >= GPU_INDICES || r->columns >= GPU_INDICES;
    f->batch = (uint8_t)(wishes->batch ? tsr_min64(wishes->batch, 8) : f->from_item * f->from_items >= 8 ? 4 : 8);
    if (f->kind == TSR_RELAYOUT_RAGGED)
        plan_ragged(g, &c, wishes);
    else
        plan_sides(g, &c);
    int64_t const before = f->to_any ? TSR_RELAYOUT_SECTOR / f->to_item - 1 : 0; /* a column begins */
    int64_t const chunks = gpu_ceil(r->tile_rows, f->to_items);
    r->row_tiles = tsr_gpu_count_of_(gpu_ceil(r->rows + before, r->tile_rows));
    r->column_tiles = tsr_gpu_count_of_(gpu_ceil(r->columns, r->tile_columns));
    if (f->kind == TSR_RELAYOUT_TILE)
        r->loads = tsr_gpu_count_of_(gpu_ceil(r->tile_columns, f->from_items));
    r->lanes = (int)tsr_min64(power_above(chunks), tuned->lanes);
    r->stores = tsr_gpu_count_of_(gpu_ceil(chunks, r->lanes));
    r->along_rows = wishes->order ? wishes->order != 1 : is_along_rows(&x->loop[0], &x->loop[c.rows]);
    g->blocks = r->row_tiles.n * r->column_tiles.n;
    for (int i = c.rows + c.columns; i < x->loops; ++i)
        g->blocks *= x->loop[i].count.n;
    if (g->blocks >= GPU_INDICES) {
        g->form = form;
        return false;
    }
    tsr_gpu_put_loops_(g, x);
    return true;
}
