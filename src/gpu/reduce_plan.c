/** Which threads reduce what: results side by side, or the numbers of one, and parts where results are few. */
#include "gpu/reduce.h"
#include "gpu/copy_draft.h"

#include <string.h>

/** Threads that a multiprocessor holds, accesses of a thread, accesses of a thread of a part, at least. */
enum { HELD = 2048, EACH = 4, EACH_OF_PART = 16, MOST_PARTS = 4096 };

static int64_t bytes_of(tsr_dtype type) { return tsr_dtype_bits(type) / 8; }

/** The smallest n with 1 << n >= x. */
static int power_over(int64_t x)
{
    int n = 0;
    while (((int64_t)1 << n) < x && n < 62)
        ++n;
    return n;
}

/** Sums are of the type that holds what is read and what is written: of integers of 64 bits that become real a
 *  double. */
static tsr_dtype work_of(tsr_planned_reduce const *p)
{
    bool const wide =
        p->from.type == TSR_F64 || p->to.type == TSR_F64 || p->from.type == TSR_I64 || p->from.type == TSR_U64;
    return p->work != TSR_F64 ? p->work : wide ? TSR_F64 : TSR_F32;
}

/** A swizzle of bits as one of bytes; false: it goes into bytes. */
static bool of_bytes(tsr_swizzle sw, tsr_swizzle *bytes)
{
    *bytes = sw;
    bytes->base = (int8_t)(sw.bits > 0 ? sw.base - 3 : 0);
    return sw.bits == 0 || sw.base >= 3;
}

/** Whether numbers lie where accesses of their size can be. */
static bool begins_well(tsr_side const *x, tsr_tensor const *t)
{
    uint64_t const begin = (x->absolute ? 0 : t->engine.address) + (uint64_t)(x->begin / 8);
    return begin % (uint64_t)bytes_of(x->type) == 0;
}

static int64_t put_loops(tsr_relayout_loop *to, tsr_loop const *from, int count)
{
    int64_t all = 1;
    for (int i = 0; i < count; ++i) {
        to[i] = (tsr_relayout_loop){tsr_gpu_count_of_(from[i].count), from[i].from / 8, from[i].to / 8};
        all *= from[i].count;
    }
    return all;
}

/** Whether the factors of n numbers of an access are one number, or are read together as these are. */
static bool has_factors(gpu_reduce_stage const *s, bool across, uint64_t begin, int n)
{
    tsr_reduction const *const r = &s->numbers;
    int64_t const item = s->form.by_item, near = across ? r->keep_by[0] : r->over[0].to;
    uint64_t all = begin + (uint64_t)r->by;
    if (!s->form.by || near == 0)
        return true;
    for (int i = across; i < r->keep_loops; ++i)
        all |= (uint64_t)r->keep_by[i];
    for (int i = !across; i < r->over_loops; ++i)
        all |= (uint64_t)r->over[i].to;
    return near == item && n * item <= 16 && all % (uint64_t)(n * item) == 0;
}

/** Numbers in an access: neighbours along the first of `loops`. The steps and the beginning of the loops must be
 *  multiples of 16 bytes. */
static int items_of(gpu_reduce_stage const *s, bool across, uint64_t begin, uint64_t begin_by)
{
    tsr_reduction const *const r = &s->numbers;
    tsr_relayout_loop const *const near = across ? &r->keep[0] : &r->over[0];
    int64_t const item = s->form.from_item;
    uint64_t all = begin + (uint64_t)r->from;
    for (int i = across; i < r->keep_loops; ++i)
        all |= (uint64_t)r->keep[i].from;
    for (int i = !across; i < r->over_loops; ++i)
        all |= (uint64_t)r->over[i].from;
    int n = s->form.swizzled ? 1 : (int)tsr_min64(16 / item, TSR_REDUCTION_ITEMS);
    while (n > 1
           && (near->from != item || near->count.n % n != 0 || all % (uint64_t)(n * item) != 0
               || !has_factors(s, across, begin_by, n)))
        n /= 2;
    return n;
}

/** Counts a loop in accesses. */
static void widen(tsr_relayout_loop *l, int items)
{
    *l = (tsr_relayout_loop){tsr_gpu_count_of_(l->count.n / items), l->from * items, l->to * items};
}

/** Chooses the accesses and the threads of a stage. Returns how many parts would help. */
static int64_t shape(gpu_reduce_stage *s, uint64_t begin, uint64_t begin_by, int processors)
{
    tsr_reduction_form *const f = &s->form;
    tsr_reduction *const r = &s->numbers;
    bool const along = r->over[0].from == f->from_item && r->over[0].count.n > 1;
    int64_t const held = (int64_t)processors * HELD;
    f->across = !along && r->keep[0].from == f->from_item && r->keep[0].count.n > 1;
    f->items = (uint8_t)(along || f->across ? items_of(s, f->across, begin, begin_by) : 1);
    f->single = r->over_loops == 1;
    r->near_to = r->keep[0].to;
    if (f->by)
        f->by = (f->across ? r->keep_by[0] : r->over[0].to) == 0 ? TSR_REDUCTION_BY_ONE : TSR_REDUCTION_BY_RUN;
    r->keep_by[0] *= f->across ? f->items : 1;
    if (f->items > 1)
        widen(f->across ? &r->keep[0] : &r->over[0], f->items);
    r->results /= f->across ? f->items : 1;
    r->numbers /= f->across ? 1 : f->items;
    f->wide = r->results >= GPU_INDICES || r->numbers >= GPU_INDICES - TSR_REDUCTION_THREADS * EACH;
    int const most = TSR_REDUCTION_LOG_THREADS, wanted = power_over(held / tsr_max64(r->results, 1)),
              side = f->across ? (int)tsr_min64(power_over(r->results), 5) : 0;
    int lanes = power_over(tsr_ceil_div64(r->numbers, EACH));
    if (f->across)
        lanes = (int)tsr_min64(lanes, wanted);
    else /* neighbours of a result are read together */
        lanes = (int)tsr_max64(lanes, tsr_min64(power_over(r->numbers), 3));
    r->lanes = (int)tsr_min64(lanes, most - side);
    s->blocks = tsr_ceil_div64(r->results << r->lanes, TSR_REDUCTION_THREADS);
    s->parts = 1;
    s->shared = (unsigned)(TSR_REDUCTION_THREADS * bytes_of(f->work) * (f->across ? f->items : 1));
    r->chunk = r->numbers;
    int64_t const wish = held / TSR_REDUCTION_THREADS / s->blocks, able = r->numbers >> r->lanes;
    return tsr_min64(wish, able / EACH_OF_PART);
}

/** The second stage reads the results of the first one's parts, which lie one behind the other in the order of the
 *  results: those of `loops`, in bytes. */
static void join_parts(tsr_gpu_planned_reduce *g, tsr_relayout_loop const *loops, int64_t results, int64_t parts,
                       int processors)
{
    gpu_reduce_stage *const first = &g->stage[0], *const second = &g->stage[1];
    tsr_dtype const work = first->form.work;
    int64_t const item = bytes_of(work);
    tsr_swizzle const plain = {0};
    *second = *first;
    second->form.by = TSR_REDUCTION_PLAIN;
    first->numbers.to_swizzle = second->numbers.from_swizzle = plain;
    second->form.from_type = work;
    second->form.from_item = (uint8_t)item;
    second->numbers.over_loops = 1;
    second->numbers.from = 0;
    second->numbers.results = results;
    int64_t step = item;
    for (int i = 0; i < first->numbers.keep_loops; ++i) {
        second->numbers.keep[i] = (tsr_relayout_loop){loops[i].count, step, loops[i].to};
        first->numbers.keep[i].to = step * (i == 0 && first->form.across ? first->form.items : 1);
        step *= loops[i].count.n;
    }
    first->numbers.near_to = item;
    first->form.to_type = work;
    first->form.to_item = (uint8_t)item;
    first->numbers.to = 0;
    first->numbers.chunk = tsr_ceil_div64(first->numbers.numbers, parts);
    first->numbers.part = step;
    first->parts = tsr_ceil_div64(first->numbers.numbers, first->numbers.chunk);
    second->numbers.numbers = first->parts;
    second->numbers.over[0] = (tsr_relayout_loop){tsr_gpu_count_of_(first->parts), step, 0};
    g->bytes = (size_t)(first->parts * step);
    (void)shape(second, 0, 0, processors);
    g->stages = 2;
}

void tsr_gpu_plan_stages_(tsr_gpu_planned_reduce *g, int processors)
{
    gpu_reduce_stage *const s = &g->stage[0];
    int64_t const results = s->numbers.results;
    tsr_relayout_loop loops[TSR_REDUCTION_LOOPS];
    memcpy(loops, s->numbers.keep, sizeof loops);
    int64_t const parts = tsr_min64(shape(s, g->from, g->by, processors), MOST_PARTS);
    g->stages = 1;
    if (parts > 1)
        join_parts(g, loops, results, parts, processors);
}

tsr_reason tsr_gpu_plan_reduce_(tsr_reducer op, tsr_tensor from, tsr_tensor to, int processors,
                                tsr_gpu_planned_reduce *g)
{
    tsr_planned_reduce const p = tsr_reduce_plan(op, from, to);
    gpu_reduce_stage *const s = &g->stage[0];
    int64_t bits = p.from.begin | p.to.begin | tsr_dtype_bits(p.from.type) | tsr_dtype_bits(p.to.type);
    if (p.why.status)
        return p.why;
    for (int i = 0; i < p.kept; ++i)
        bits |= p.keep[i].from | p.keep[i].to;
    for (int i = 0; i < p.reduced; ++i)
        bits |= p.over[i].from;
    if (bits % 8 != 0 || !of_bytes(p.from.swizzle, &s->numbers.from_swizzle)
        || !of_bytes(p.to.swizzle, &s->numbers.to_swizzle) || !begins_well(&p.from, &from)
        || !begins_well(&p.to, &to))
        return tsr_because(TSR_REDUCE_LOOPS, 0, TSR_SLOW_PLACES, 0, 0);
    g->from = from.engine.address;
    g->to = to.engine.address;
    g->from_absolute = p.from.absolute;
    g->to_absolute = p.to.absolute;
    s->form.swizzled = p.from.swizzle.bits > 0 || p.to.swizzle.bits > 0;
    s->form.op = (uint8_t)op;
    s->form.work = work_of(&p);
    s->form.from_type = p.from.type;
    s->form.to_type = p.to.type == TSR_C64 ? TSR_F32 : p.to.type == TSR_C128 ? TSR_F64 : p.to.type;
    s->form.from_item = (uint8_t)bytes_of(p.from.type);
    s->form.to_item = (uint8_t)bytes_of(p.to.type);
    s->numbers.keep_loops = p.kept;
    s->numbers.over_loops = p.reduced;
    s->numbers.from = p.from.begin / 8;
    s->numbers.to = p.to.begin / 8;
    s->numbers.results = put_loops(s->numbers.keep, p.keep, p.kept);
    s->numbers.numbers = put_loops(s->numbers.over, p.over, p.reduced);
    tsr_gpu_plan_stages_(g, processors);
    return tsr_no_reason();
}
