/** Reduce: the functions of exec/reduce.h. */
#include "exec/rows.h"
#include "exec/by_address.h"

typedef struct tsr_staged_ {
    uint64_t raw[TSR_REDUCE_GROUP], wide[TSR_REDUCE_GROUP];
} tsr_staged_;

/* Results */

/** Runs of the reduced elements that follow each other: where they are from the first on, and how many elements. */
typedef struct tsr_run_ {
    int64_t from, first, count, digit[TSR_MAX_LEAVES + 1];
} tsr_run_;

/** What an accumulator begins with. */
static void tsr_reduce_begin_(tsr_planned_reduce const *p, void *acc, int64_t n)
{
    bool const real = p->work == TSR_F64, sum = p->op == TSR_REDUCE_SUM, most = p->op == TSR_REDUCE_MAX;
    double const infinity = tsr_bits_double_((uint64_t)0x7ff << 52), r = sum ? 0 : most ? -infinity : infinity;
    int64_t const k = sum ? 0 : most ? -TSR_INT_MAX - 1 : TSR_INT_MAX;
    for (int64_t i = 0; i < n; ++i)
        if (real)
            ((double *)acc)[i] = r;
        else
            ((int64_t *)acc)[i] = k;
}

void tsr_reduce_add_(tsr_planned_reduce const *p, tsr_reducer_ const *k, void *acc, void const *more, int64_t n)
{
    k->lines(p->op, p->work == TSR_F64 ? TSR_F64 : TSR_I64, more, 1, 0, n, 8, acc);
}

void tsr_reduce_gather_(tsr_side const *x, uint64_t base, int64_t at, int64_t step, int64_t n, unsigned char *out)
{
    int const bits = tsr_dtype_bits(x->type), bytes = (bits + 7) / 8;
    tsr_block_ b = {{n, 1}, {step, 0}, {bits, 0}};
    if (x->swizzle.bits == 0 && bits % 8 == 0) {
        tsr_block_copy_(out, tsr_byte_at_(base, at), &b, bits);
        return;
    }
    for (int64_t i = 0; i < n; ++i) {
        int64_t const k = (int64_t)tsr_swizzle_apply(x->swizzle, (uint64_t)(at + i * step));
        if (bits % 8 == 0)
            TSR_COPY(out + i * bytes, tsr_byte_at_(base, k), (size_t)bytes);
        else
            out[i] = (unsigned char)tsr_load_part_(tsr_byte_at_(base, k), (int)(k & 7), bits);
    }
}

void tsr_reduce_scatter_(tsr_side const *x, uint64_t base, int64_t at, int64_t step, int64_t n,
                         unsigned char const *in)
{
    int const bits = tsr_dtype_bits(x->type), bytes = (bits + 7) / 8;
    tsr_block_ b = {{n, 1}, {bits, 0}, {step, 0}};
    if (x->swizzle.bits == 0 && bits % 8 == 0) {
        tsr_block_copy_(tsr_byte_at_(base, at), in, &b, bits);
        return;
    }
    for (int64_t i = 0; i < n; ++i) {
        int64_t const k = (int64_t)tsr_swizzle_apply(x->swizzle, (uint64_t)(at + i * step));
        if (bits % 8 == 0)
            TSR_COPY(tsr_byte_at_(base, k), in + i * bytes, (size_t)bytes);
        else
            tsr_store_part_(tsr_byte_at_(base, k), (int)(k & 7), bits, in[i]);
    }
}

/** n elements, a step of bits apart, as their reducer reads them, side by side. */
static void const *tsr_reduce_stage_(tsr_planned_reduce const *p, tsr_reducer_ const *k, uint64_t base, int64_t at,
                                     int64_t step, int64_t n, tsr_staged_ *room)
{
    tsr_dtype const type = p->from.type, as = p->as;
    uint64_t const flip =
        p->work == TSR_U64 && p->op != TSR_REDUCE_SUM ? (uint64_t)1 << 63 : 0; /* ordered as signed ones */
    tsr_reduce_gather_(&p->from, base, at, step, n, (unsigned char *)room->raw);
    if (as == type)
        return room->raw;
    k->convert(as, room->wide, type, room->raw, n);
    for (int64_t j = 0; flip && j < n; ++j)
        room->wide[j] ^= flip;
    return room->wide;
}

/** Gives lines to accumulators side by side: n elements of each, `nearby` bits apart. */
static void tsr_reduce_across_(tsr_planned_reduce const *p, tsr_reducer_ const *k, uint64_t base, int64_t at,
                               int64_t lines, int64_t remote, int64_t n, int64_t nearby, uint64_t *acc)
{
    tsr_staged_ room TSR_SCRATCH;
    if (p->in_place) {
        k->lines(p->op, p->as, tsr_byte_at_(base, at), lines, remote / 8, n, nearby / 8, acc);
        return;
    }
    for (int64_t line = 0; line < lines; ++line)
        for (int64_t i = 0, m = 0; i < n; i += m) {
            m = tsr_min64(n - i, TSR_REDUCE_GROUP);
            k->lines(p->op, p->as, tsr_reduce_stage_(p, k, base, at + line * remote + i * nearby, nearby, m, &room),
                     1, 0, m, tsr_dtype_bits(p->as) / 8, acc + i);
        }
}

/** Gives a run of n elements, a step of bits apart, to lanes: element i to lane i modulo their number. */
static void tsr_reduce_along_(tsr_planned_reduce const *p, tsr_reducer_ const *k, uint64_t base, int64_t at,
                              int64_t n, int64_t step, uint64_t *lanes)
{
    enum { LANES = TSR_REDUCE_LANES };
    tsr_staged_ room TSR_SCRATCH;
    int64_t const nearby = p->in_place ? step / 8 : tsr_dtype_bits(p->as) / 8;
    bool const whole = p->in_place && step == tsr_dtype_bits(p->from.type);
    for (int64_t i = 0, m = 0; i < n; i += m) {
        m = whole ? n : tsr_min64(n - i, TSR_REDUCE_GROUP);
        void const *const x = p->in_place ? (void const *)tsr_byte_at_(base, at + i * step)
                                          : tsr_reduce_stage_(p, k, base, at + i * step, step, m, &room);
        k->lines(p->op, p->as, x, m / LANES, LANES * nearby, LANES, nearby, lanes);
        k->lines(p->op, p->as, (unsigned char const *)x + (m - m % LANES) * nearby, 1, 0, m % LANES, nearby, lanes);
    }
}

static int64_t tsr_runs_of_(int64_t count) { return (count - 1) / TSR_REDUCE_RUN + 1; }

/** The reduced loops around the runs. */
static tsr_nest_ tsr_runs_nest_(tsr_planned_reduce const *p)
{
    return tsr_nest_behind_(tsr_nest_of_(p->over, p->reduced, 0, 1), 1);
}

static tsr_run_ tsr_run_at_(tsr_planned_reduce const *p, int64_t run)
{
    tsr_run_ r = TSR_ZERO;
    tsr_nest_ const n = tsr_runs_nest_(p);
    int64_t const cuts = tsr_runs_of_(p->over[0].count);
    r.first = run % cuts * TSR_REDUCE_RUN;
    tsr_nest_seek_(&n, run / cuts, r.digit, &r.from);
    return r;
}

/** Goes on to the next results, at most `most`. Returns their number. */
static int64_t tsr_run_next_(tsr_planned_reduce const *p, tsr_run_ *r, int64_t most)
{
    tsr_nest_ const n = tsr_runs_nest_(p);
    int64_t const all = p->over[0].count;
    r->first += r->count;
    if (r->first >= all) {
        r->first = 0;
        tsr_nest_next_(&n, r->digit, &r->from);
    }
    int64_t const runs = tsr_min64(tsr_runs_of_(all - r->first), most);
    r->count = tsr_min64(all - r->first, runs * TSR_REDUCE_RUN);
    return runs;
}

/** Adds partial sums of n results side by side by halves: j and j + 16, j and j + 8, .. The results are in the
 *  first. */
static void tsr_reduce_fold_(tsr_planned_reduce const *p, tsr_reducer_ const *k, uint64_t *lanes, int64_t n)
{
    for (int64_t half = n * TSR_REDUCE_LANES / 2; half >= n; half /= 2)
        tsr_reduce_add_(p, k, lanes, lanes + half, half);
}

void tsr_reduce_piece_(tsr_planned_reduce const *p, tsr_reducer_ const *k, uint64_t base, int64_t at, int64_t n,
                       int64_t piece, uint64_t *acc)
{
    enum { LANES = TSR_REDUCE_LANES };
    uint64_t lanes[LANES * LANES / 2];
    int64_t const first = p->runs * piece / p->pieces, last = p->runs * (piece + 1) / p->pieces,
                  step = p->over[0].from;
    int64_t const bits = tsr_dtype_bits(p->from.type), nearby = p->keep[0].from;
    bool const dense = p->in_place && p->along && n < LANES / 2 && nearby == bits && step == n * bits;
    int64_t const sums = dense ? n : 1; /* results whose elements follow each other share the lanes */
    tsr_run_ const begin = tsr_run_at_(p, first);
    tsr_reduce_begin_(p, acc, n);
    if (p->along && p->in_place && step == bits && p->runs == 1) {
        k->runs(p->op, p->as, tsr_byte_at_(base, at), p->over[0].count, n, nearby / 8, acc);
        return;
    }
    for (int64_t i = 0; p->along && i < n; i += sums) {
        tsr_reduce_begin_(p, lanes, LANES * sums);
        tsr_run_ r = begin;
        for (int64_t run = first; run < last;) {
            run += tsr_run_next_(p, &r, last - run);
            int64_t const x = at + i * nearby + r.from + r.first * step;
            if (dense) {
                void const *const y = tsr_byte_at_(base, x + r.count / LANES * LANES * step);
                k->lines(p->op, p->as, tsr_byte_at_(base, x), r.count / LANES, LANES * step / 8, LANES * n, bits / 8,
                         lanes);
                k->lines(p->op, p->as, y, 1, 0, r.count % LANES * n, bits / 8, lanes);
            } else {
                tsr_reduce_along_(p, k, base, x, r.count, step, lanes);
            }
        }
        tsr_reduce_fold_(p, k, lanes, sums);
        for (int64_t j = 0; j < sums; ++j)
            acc[i + j] = lanes[j];
    }
    tsr_run_ r = begin;
    for (int64_t run = first; !p->along && run < last;) {
        run += tsr_run_next_(p, &r, last - run);
        tsr_reduce_across_(p, k, base, at + r.from + r.first * step, r.count, step, n, nearby, acc);
    }
}

int64_t tsr_reduce_block_at_(tsr_planned_reduce const *p, int64_t block, int64_t *at)
{
    int64_t const cuts = (p->keep[0].count - 1) / TSR_REDUCE_WIDTH + 1, first = block % cuts * TSR_REDUCE_WIDTH;
    int64_t digit[TSR_MAX_LEAVES];
    tsr_nest_ const n = tsr_nest_behind_(tsr_nest_of_(p->keep, p->kept, 0, 2), 1);
    at[0] = p->from.begin + first * p->keep[0].from;
    at[1] = p->to.begin + first * p->keep[0].to;
    tsr_nest_seek_(&n, block / cuts, digit, at);
    return tsr_min64(p->keep[0].count - first, TSR_REDUCE_WIDTH);
}

void tsr_reduce_finish_(tsr_planned_reduce const *p, tsr_reducer_ const *k, uint64_t base, int64_t at, int64_t n,
                        uint64_t *acc)
{
    uint64_t out[TSR_REDUCE_WIDTH];
    bool const sum = p->op == TSR_REDUCE_SUM;
    for (int64_t i = 0; p->work == TSR_F64 && i < n; ++i) {
        double const r = tsr_bits_double_(acc[i]);
        acc[i] = tsr_double_bits_(r != r ? tsr_nan_() : sum ? r : r + 0.0);
    }
    for (int64_t i = 0; p->work == TSR_U64 && i < n; ++i)
        acc[i] ^= sum ? 0 : (uint64_t)1 << 63;
    int64_t const most = p->to.type == TSR_C128 ? TSR_REDUCE_WIDTH / 2 : TSR_REDUCE_WIDTH;
    for (int64_t i = 0, m = 0; i < n; i += m) {
        m = tsr_min64(n - i, most);
        k->convert(p->to.type, out, p->work, acc + i, m);
        tsr_reduce_scatter_(&p->to, base, at + i * p->keep[0].to, p->keep[0].to, m, (unsigned char const *)out);
    }
}

void tsr_reduce_block_(tsr_planned_reduce const *p, tsr_reducer_ const *k, uint64_t to, uint64_t from, int64_t block)
{
    uint64_t acc[TSR_REDUCE_WIDTH], more[TSR_REDUCE_WIDTH];
    int64_t at[2];
    int64_t const n = tsr_reduce_block_at_(p, block, at);
    tsr_reduce_piece_(p, k, from, at[0], n, 0, acc);
    for (int64_t piece = 1; piece < p->pieces; ++piece) {
        tsr_reduce_piece_(p, k, from, at[0], n, piece, more);
        tsr_reduce_add_(p, k, acc, more, n);
    }
    tsr_reduce_finish_(p, k, to, at[1], n, acc);
}

/* Plans */

/** Sorts and joins loops, the smallest step of the source first. Returns how many there are: one at least. */
static uint8_t tsr_reduce_order_(tsr_nest_ *n)
{
    tsr_nest_sort_(n, TSR_IN_SOURCE, false);
    tsr_nest_join_(n);
    tsr_nest_fill_(n);
    return (uint8_t)n->loops;
}

/** What forbids it. */
static tsr_reason tsr_reducible_(int op, tsr_tensor const *s, tsr_tensor const *d)
{
    tsr_reason const touched = tsr_reason_or(tsr_all_readable_(s), tsr_all_writable_(d));
    if (touched.status)
        return touched;
    int64_t const n = tsr_layout_size(s->layout), m = tsr_layout_size(d->layout);
    bool const parts = tsr_dtype_code(s->engine.type) == 5; /* real numbers may become complex ones */
    if (n != m)
        return tsr_because(TSR_DIFFER_SIZE, 0, n, m, 0);
    if (!tsr_has_numbers_(s) || !tsr_has_numbers_(d) || op < 0 || op >= TSR_REDUCERS
        || (parts && (op != TSR_REDUCE_SUM || tsr_dtype_code(d->engine.type) != 5)))
        return tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    tsr_layout places = d->layout;
    for (int i = 0; i < places.stride.leaves; ++i)
        if (places.stride.leaf[i].value == 0 && places.shape.leaf[i].kind != TSR_UNIT)
            places.shape.leaf[i].value = 1;
    tsr_verdict const once = tsr_is_injective(places);
    return once.answer != TSR_YES ? once.why : tsr_disjoint_(s, d);
}

tsr_planned_reduce tsr_reduce_plan(tsr_reducer op, tsr_tensor const *s, tsr_tensor const *d)
{
    tsr_planned_reduce r = TSR_ZERO;
    tsr_planned_copy p = TSR_ZERO;
    r.why = tsr_reducible_((int)op, s, d);
    if (r.why.status)
        return r;
    int64_t const f = tsr_dtype_bits(s->engine.type), t = tsr_dtype_bits(d->engine.type);
    tsr_leaves_ x[2] = {tsr_leaves_of_(&s->layout, f, TSR_IN_SOURCE),
                        tsr_leaves_of_(&d->layout, t, TSR_IN_DESTINATION)};
    tsr_plan_sides_(&p, s, d);
    tsr_plan_cut_modes_(&p, x, 2);
    if (p.slow) {
        r.why = tsr_because(TSR_REDUCE_LOOPS, 0, p.slow, 0, 0);
        return r;
    }
    int64_t each = 1, begin[2] = {0, 0};
    tsr_nest_ keep = tsr_nest_of_(r.keep, 0, TSR_MAX_LEAVES + 1, 2),
              over = tsr_nest_of_(r.over, 0, TSR_MAX_LEAVES, 2);
    if (tsr_dtype_code(s->engine.type) == 5) { /* real and imaginary parts by themselves */
        int64_t const step[2] = {f / 2, t / 2};
        p.from.type = f == 64 ? TSR_F32 : TSR_F64;
        p.to.type = t == 64 ? TSR_F32 : TSR_F64;
        (void)tsr_nest_add_(&keep, 2, step);
    }
    r.results = 1;
    for (int i = 0; i < p.loops; ++i) {
        int64_t const step[2] = {p.loop[i].from, p.loop[i].to};
        *(step[1] == 0 ? &each : &r.results) *= p.loop[i].count;
        (void)tsr_nest_add_(step[1] == 0 ? &over : &keep, p.loop[i].count, step);
    }
    tsr_nest_turn_(&over, TSR_IN_SOURCE, begin);
    p.from.begin += begin[TSR_IN_SOURCE];
    r.reduced = tsr_reduce_order_(&over);
    r.kept = tsr_reduce_order_(&keep);
    tsr_number_kind const kind = tsr_number_kind_of(p.from.type);
    bool const ints = kind == TSR_SIGNED || kind == TSR_UNSIGNED,
               inner = tsr_abs64(r.over[0].from) <= tsr_abs64(r.keep[0].from);
    r.op = (uint8_t)op;
    r.from = p.from;
    r.to = p.to;
    bool const leaves = op == TSR_REDUCE_SUM && f == 64 && !tsr_form_of_(p.to.type).is_int; /* 64 bits */
    r.work = !ints || leaves ? TSR_F64 : p.from.type == TSR_U64 ? TSR_U64 : TSR_I64;
    r.as = r.work == TSR_F64 && ints ? TSR_F64 : tsr_reduced_as_(r.from.type);
    r.in_place = r.from.swizzle.bits == 0 && (r.as == r.from.type || (r.work == TSR_U64 && op == TSR_REDUCE_SUM));
    r.along = (inner && r.over[0].count >= TSR_REDUCE_LANES) || r.keep[0].count < TSR_REDUCE_LANES / 2;
    r.runs = each / r.over[0].count * tsr_runs_of_(r.over[0].count);
    r.pieces = tsr_min64(tsr_max64(tsr_min64(each / TSR_REDUCE_PIECE, TSR_REDUCE_PIECES), 1), r.runs);
    r.blocks = 1;
    for (int i = 0; i < r.kept; ++i)
        r.blocks *= i == 0 ? (r.keep[0].count - 1) / TSR_REDUCE_WIDTH + 1 : r.keep[i].count;
    return r;
}

tsr_reducer_ tsr_reducer_of_loops_(void)
{
    tsr_reducer_ const k = {tsr_convert_by_loops_, tsr_reduce_lines_, tsr_reduce_runs_};
    return k;
}

void tsr_reduce_run(tsr_planned_reduce const *p, void const *from, void *to) { tsr_engine_reduce(p, from, to); }

tsr_reason tsr_reduce_to(tsr_reducer op, tsr_tensor const *from, tsr_tensor const *to)
{
    tsr_planned_reduce const p = tsr_reduce_plan(op, from, to);
    if (!p.why.status)
        tsr_reduce_run(&p, (void const *)(uintptr_t)from->engine.address, (void *)(uintptr_t)to->engine.address);
    return p.why;
}
