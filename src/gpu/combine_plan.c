/** Which kernel combines two tensors. */
#include "exec/compute/algorithm.h"
#include "gpu/call.h"
#include "gpu/combine.h"
#include "gpu/compile.h"
#include "gpu/copy_draft.h"
#include "tessera/text.h"

/** Rows and columns that a tile is worth while for. */
enum { LEAST_SIDE = 16 };

/** Whether y is not read: it is no number, and times 0. */
static bool is_alone(int op, tsr_number beta, bool number)
{
    return op == TSR_COMBINE_SUM && !number && tsr_number_is_zero(beta);
}

static bool is_one(tsr_number x) { return x.kind != TSR_COMPLEX && tsr_number_to_double(x) == 1; }

/** Whether a type has every number of another one, which both pass through float. */
static bool holds(tsr_dtype wide, tsr_dtype x)
{
    tsr_float_format const w = tsr_float_format_of(wide), f = tsr_float_format_of(x);
    return w.exponent >= f.exponent && w.mantissa >= f.mantissa && w.special == TSR_IEEE;
}

/** Whether a type has a number. */
static bool has(tsr_dtype type, double x)
{
    return x != x || tsr_number_to_double(tsr_decode(type, tsr_encode(type, tsr_number_real(x)))) == x;
}

/** What to compute in: combine_value.h says when floats round once. */
static tsr_combine_in compute_in(tsr_combine_form const *f, tsr_number const factor[2])
{
    enum { SHORT = 10 }; /* the mantissa of a type whose products a float holds */
    bool ints = f->op != TSR_COMBINE_QUOTIENT, floats = true, parts = false;
    tsr_dtype const to = f->type[2];
    for (int i = 0; i < 3; ++i) {
        tsr_form_ const x = tsr_form_of_(f->type[i]);
        ints = ints && x.is_int;
        parts = parts || x.kind == TSR_COMPLEX;
        floats = floats && x.is_float && holds(to, x.type);
    }
    for (int i = 0; i < (f->way[1] == TSR_COMBINE_NOTHING ? 1 : 2); ++i) {
        double const x = tsr_number_to_double(factor[i]);
        ints = ints && tsr_number_is_int_(factor[i]);
        parts = parts || factor[i].kind == TSR_COMPLEX;
        floats = floats && (f->way[i] == TSR_COMBINE_NUMBER ? has(to, x) : x == 1 || x == -1);
    }
    floats = floats && (to == TSR_F32 || tsr_float_format_of(to).mantissa <= SHORT);
    return parts    ? TSR_COMBINE_IN_COMPLEX
           : ints   ? TSR_COMBINE_IN_INTEGERS
           : floats ? TSR_COMBINE_IN_FLOATS
                    : TSR_COMBINE_IN_DOUBLES;
}

static bool is_real(uint8_t in) { return in == TSR_COMBINE_IN_FLOATS || in == TSR_COMBINE_IN_DOUBLES; }

/** What a form computes in, and the kinds of its numbers, which are put where the kernel finds them. */
static void take_factors(tsr_combine_form *f, tsr_number const factor[2], tsr_combination *to)
{
    f->in = (uint8_t)compute_in(f, factor);
    for (int i = 0; i < 2; ++i) {
        tsr_number const x = is_real(f->in) ? tsr_number_real(tsr_number_to_double(factor[i])) : factor[i];
        bool const none = i == 1 && f->way[1] == TSR_COMBINE_NOTHING;
        *(i == 0 ? &f->alpha : &f->beta) =
            none || (is_one(x) && f->way[i] != TSR_COMBINE_NUMBER) ? (uint8_t)0 : x.kind;
        *(i == 0 ? &to->alpha : &to->beta) = x;
    }
}

/** Whether a kernel for numbers of a kind serves some of another one: doubles are what floats are, of the same bits. */
static bool serves(tsr_combine_form const *f, uint8_t kind, uint8_t other)
{
    return kind == other || (other == 0 && is_real(f->in));
}

tsr_gpu_result tsr_gpu_renumber_combine_(tsr_gpu_planned_combine const *g, tsr_number const factor[2],
                                         tsr_combination *to)
{
    tsr_combine_form f = g->form;
    bool const alone = f.way[1] == TSR_COMBINE_NOTHING, number = f.way[1] == TSR_COMBINE_NUMBER;
    take_factors(&f, factor, to);
    bool const in = f.in == g->form.in || (is_real(f.in) && g->form.in == TSR_COMBINE_IN_DOUBLES);
    bool const same = in && alone == is_alone(f.op, factor[1], number) && serves(&g->form, g->form.alpha, f.alpha)
                      && (alone || serves(&g->form, g->form.beta, f.beta));
    return same ? tsr_gpu_fine_() : tsr_gpu_refuse_(TSR_GPU_NUMBERS, 0, 0, 0);
}

/** Whether a tensor is a number of the launch: 1 everywhere, times its factor. */
static bool is_number(tsr_tensor const *t)
{
    bool still = t->engine.kind == TSR_COUNTING && t->engine.map.kind == TSR_AS_IS && !t->layout.composed
                 && t->engine.at.leaves == 1 && t->engine.at.leaf[0].value == 1;
    for (int i = 0; still && i < t->layout.stride.leaves; ++i)
        still = tsr_leaf_is_int(t->layout.stride.leaf[i]) && t->layout.stride.leaf[i].value == 0;
    return still;
}

/** Element by element: a thread may write bytes only that are its own. */
static tsr_gpu_result plan_elements(tsr_gpu_planned_combine *g)
{
    int64_t const pairs = tsr_gpu_pairs_of_(&g->side[2]);
    int const bits = tsr_dtype_bits(g->form.type[2]);
    if (pairs == 0 && (bits % 8 != 0 || g->side[2].engine.bit != 0))
        return tsr_gpu_refuse_(TSR_GPU_BITS, bits, 0, 0);
    for (int i = 0; i < 3; ++i) {
        int64_t const part = tsr_gpu_part_of_(g->form.type[i]);
        if (g->side[i].engine.address % (uint64_t)part != 0)
            return tsr_gpu_refuse_(TSR_GPU_ALIGNED, (int64_t)g->side[i].engine.address, part, 0);
        g->grain[i] = part;
    }
    g->form.kind = TSR_COMBINE_ELEMENTS;
    g->numbers.items = pairs > 0 ? g->elements / 2 : g->elements;
    g->numbers.run = pairs;
    g->blocks = gpu_ceil(g->numbers.items, TSR_COMBINE_THREADS);
    return tsr_gpu_fine_();
}

/** Finds the loops of the tensors, in bytes. False: there are none, these are no whole bytes, or a swizzle moves some
 *  element. */
static bool take_loops(tsr_gpu_planned_combine *g, tsr_tensor const *const x[3])
{
    tsr_combination *const r = &g->numbers;
    tsr_combine_loop *const first = r->loop;
    enum { EACH = sizeof *first / sizeof(int64_t) };
    tsr_nest_ n = {&first->count.n, first->step, EACH, 1, 3, 0, TSR_MAX_LEAVES};
    tsr_side side[3];
    int64_t bits = 0;
    memset(side, 0, sizeof side);
    g->slow = tsr_transform_plan_(&n, side, x);
    if (g->slow)
        return false;
    for (int i = 0; i < 3; ++i) {
        int64_t const item = tsr_dtype_bits(side[i].type);
        bits |= side[i].begin | item;
        if (side[i].swizzle.bits > 0 || x[i]->engine.address % (uint64_t)tsr_max64(item / 8, 1) != 0)
            return false;
        r->begin[i] = side[i].begin / 8;
        g->form.item[i] = (uint8_t)(item / 8);
    }
    tsr_nest_fill_(&n);
    r->loops = n.loops;
    for (int k = 0; k < n.loops; ++k) {
        r->loop[k].count = tsr_gpu_count_of_(r->loop[k].count.n);
        for (int i = 0; i < 3; ++i) {
            bits |= r->loop[k].step[i];
            r->loop[k].step[i] /= 8;
        }
    }
    return bits % 8 == 0;
}

/** The items of an access along loop `along`, at most `most`: all other steps of that tensor are multiples of it. */
static int items_along(tsr_gpu_planned_combine const *g, int side, int along, int most)
{
    tsr_combination const *const r = &g->numbers;
    int64_t const item = g->form.item[side];
    uint64_t grain = g->side[side].engine.address + (uint64_t)r->begin[side];
    for (int k = 0; k < r->loops; ++k)
        grain |= k == along ? 0 : (uint64_t)r->loop[k].step[side];
    int n = 1;
    while (2 * n <= most && 2 * n <= r->loop[along].count.n && grain % (uint64_t)(2 * n * item) == 0)
        n *= 2;
    return n;
}

/** How a source is read along loop 0, and the items of an access. */
static void plan_accesses(tsr_gpu_planned_combine *g)
{
    tsr_combine_form *const f = &g->form;
    tsr_combination const *const r = &g->numbers;
    int widest = 1;
    for (int i = 0; i < 3; ++i)
        widest = f->item[i] > widest ? f->item[i] : widest;
    f->items = (uint8_t)(TSR_RELAYOUT_ACCESS / widest);
    f->items = (uint8_t)(r->loop[0].step[2] == f->item[2] ? items_along(g, 2, 0, f->items) : 1);
    for (int s = 0; s < 2; ++s) {
        int64_t const step = r->loop[0].step[s];
        if (f->way[s] == TSR_COMBINE_NOTHING || f->way[s] == TSR_COMBINE_NUMBER)
            continue;
        f->way[s] = (uint8_t)(r->loop[0].count.n == 1 || step == f->item[s] ? TSR_COMBINE_RUN
                              : step == 0                                   ? TSR_COMBINE_ONE
                                                                            : TSR_COMBINE_EACH);
        if (f->way[s] == TSR_COMBINE_RUN)
            f->items = (uint8_t)items_along(g, s, 0, f->items);
    }
    f->parts = r->loop[0].count.n % f->items != 0;
    f->batch = (uint8_t)(f->items * widest >= 8 ? 1 : TSR_COMBINE_BATCH); /* two of 16 bytes: 0.98 of that */
}

/** The loop along which a source is close, if that is another one than the first; 0: none. */
static int column_of(tsr_gpu_planned_combine const *g, int s)
{
    tsr_combination const *const r = &g->numbers;
    for (int k = 1; k < r->loops && g->form.way[s] == TSR_COMBINE_EACH; ++k)
        if (r->loop[k].step[s] == g->form.item[s] && r->loop[k].count.n >= LEAST_SIDE)
            return k;
    return 0;
}

/** Tiles of the first loop and the one along which a source is close. False: they are of no use. */
static bool plan_tiles(tsr_gpu_planned_combine *g)
{
    tsr_combine_form *const f = &g->form;
    tsr_combination *const r = &g->numbers;
    int const column[2] = {column_of(g, 0), column_of(g, 1)}, at = column[0] > 0 ? column[0] : column[1];
    int widest = f->item[2], narrow = f->items * f->item[2], bytes = 0;
    if (at == 0 || r->loop[0].count.n < LEAST_SIDE || r->loop[0].step[2] != f->item[2])
        return false;
    for (int s = 0; s < 2; ++s) {
        widest = f->item[s] > widest ? f->item[s] : widest;
        if (column[s] == at) {
            f->load[s] = (uint8_t)items_along(g, s, at, TSR_RELAYOUT_ACCESS / f->item[s]);
            if (r->loop[at].count.n % f->load[s] != 0)
                f->load_parts = 1;
            f->way[s] = TSR_COMBINE_STAGED;
            narrow = (int)tsr_min64(narrow, f->load[s] * f->item[s]);
        }
    }
    f->side = (uint8_t)(widest == 1 ? 128 : widest <= 4 ? 64 : 32);
    for (int s = 0; s < 2; ++s)
        if (f->way[s] == TSR_COMBINE_STAGED) {
            r->shared[s] = bytes;
            r->pitch[s] =
                f->side * f->item[s] + (f->item[s] > 4 ? f->item[s] : 4); /* an odd number of words, or items */
            bytes += (f->side * r->pitch[s] + 15) / 16 * 16;
        }
    tsr_combine_loop const columns = r->loop[at];
    for (int k = at; k > 1; --k)
        r->loop[k] = r->loop[k - 1];
    r->loop[1] = columns;
    r->rows = r->loop[0].count.n;
    r->columns = columns.count.n;
    r->row_tiles = tsr_gpu_count_of_(gpu_ceil(r->rows, f->side));
    r->column_tiles = tsr_gpu_count_of_(gpu_ceil(r->columns, f->side));
    g->blocks = r->row_tiles.n * r->column_tiles.n;
    for (int k = 2; k < r->loops; ++k)
        g->blocks *= r->loop[k].count.n;
    f->kind = TSR_COMBINE_TILE;
    f->batch = (uint8_t)(narrow >= 16 ? 2 : narrow >= 8 ? 4 : TSR_COMBINE_BATCH);
    g->bytes = bytes;
    return true;
}

static void plan_direct(tsr_gpu_planned_combine *g)
{
    tsr_combine_form *const f = &g->form;
    tsr_combination *const r = &g->numbers;
    tsr_combine_loop *const first = &r->loop[0];
    f->kind = TSR_COMBINE_DIRECT;
    r->run = first->count.n;
    first->count = tsr_gpu_count_of_(gpu_ceil(r->run, f->items));
    r->items = 1;
    for (int i = 0; i < 3; ++i)
        first->step[i] *= f->items;
    for (int k = 0; k < r->loops; ++k)
        r->items *= r->loop[k].count.n;
    f->loops = (uint8_t)(r->loops <= TSR_COMBINE_LOOPS ? r->loops : 0);
    f->wide = r->items >= GPU_INDICES;
    g->blocks = gpu_ceil(r->items, (int64_t)TSR_COMBINE_THREADS * f->batch);
}

/** Other addresses must be multiples of the accesses, too. */
static void plan_grains(tsr_gpu_planned_combine *g)
{
    tsr_combine_form const *const f = &g->form;
    for (int i = 0; i < 3; ++i)
        g->grain[i] = f->item[i]
                      * (i == 2 || f->way[i] == TSR_COMBINE_RUN ? f->items
                         : f->way[i] == TSR_COMBINE_STAGED      ? f->load[i]
                                                                : 1);
}

static tsr_gpu_result refuse_tensors(tsr_reason why, tsr_gpu_log const *log)
{
    char reason[TSR_TEXT_SIZE];
    tsr_format_reason(reason, sizeof reason, why);
    tsr_gpu_log_(log, reason);
    return tsr_gpu_forbid_(TSR_GPU_TENSORS, why, 0);
}

tsr_gpu_result tsr_gpu_plan_combine_(tsr_combiner op, tsr_number const factor[2], tsr_tensor const side[3],
                                     tsr_gpu_log const *log, tsr_gpu_planned_combine *g)
{
    bool const alone = is_alone((int)op, factor[1], is_number(&side[1]));
    tsr_tensor const *x[3] = {&side[0], &side[alone ? 0 : 1], &side[2]};
    tsr_gpu_log_(log, "");
    memset(g, 0, sizeof *g);
    for (int i = 0; i < 2; ++i) {
        tsr_reason const why = tsr_transformable_(x[i], x[2], op > TSR_COMBINE_PRODUCT);
        if (why.status)
            return refuse_tensors(why, log);
    }
    for (int i = 0; i < 2; ++i) {
        bool const number = is_number(x[i]);
        g->form.way[i] = (uint8_t)(i == 1 && alone ? TSR_COMBINE_NOTHING : number ? TSR_COMBINE_NUMBER : 0);
        x[i] = number ? x[2] : x[i]; /* the loops are those of z */
    }
    if (!tsr_is_memory_(x[0]) || !tsr_is_memory_(x[1]))
        return tsr_gpu_refuse_(TSR_GPU_COMPUTED, 0, 0, 0);
    for (int i = 0; i < 3; ++i) {
        g->side[i] = *x[i];
        g->form.type[i] = x[i]->engine.type;
    }
    g->elements = tsr_layout_size(side[2].layout);
    g->form.op = (uint8_t)op;
    take_factors(&g->form, factor, &g->numbers);
    if (!take_loops(g, x))
        return plan_elements(g);
    plan_accesses(g);
    if (!plan_tiles(g))
        plan_direct(g);
    plan_grains(g);
    return tsr_gpu_fine_();
}
