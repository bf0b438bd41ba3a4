/** The loops of a copy, in bytes, while a kernel is chosen for them. */
#include "gpu/copy_draft.h"

tsr_relayout_count tsr_gpu_count_of_(int64_t n)
{
    tsr_magic_division const m = tsr_make_magic_division(n < GPU_INDICES ? n : 1);
    tsr_relayout_count const r = {n, m.multiplier, m.shift};
    return r;
}

void tsr_gpu_put_loop_(gpu_draft *x, int at, int64_t count, int64_t from, int64_t to)
{
    for (int i = x->loops++; i > at; --i)
        x->loop[i] = x->loop[i - 1];
    tsr_relayout_loop const l = {tsr_gpu_count_of_(count), from, to};
    x->loop[at] = l;
}

void tsr_gpu_take_loop_(gpu_draft *x, int at)
{
    for (--x->loops; at < x->loops; ++at)
        x->loop[at] = x->loop[at + 1];
}

void tsr_gpu_move_loop_(gpu_draft *x, int from, int to)
{
    tsr_relayout_loop const l = x->loop[from];
    for (; from > to; --from)
        x->loop[from] = x->loop[from - 1];
    for (; from < to; ++from)
        x->loop[from] = x->loop[from + 1];
    x->loop[to] = l;
}

/** Whether all that a swizzle does, it does to whole bytes. */
static bool keeps_bytes(tsr_side const *x) { return x->swizzle.bits == 0 || x->swizzle.base >= 3; }

static tsr_swizzle of_bytes(tsr_swizzle sw)
{
    sw.base = (int8_t)(sw.bits > 0 ? sw.base - 3 : 0);
    return sw;
}

/** The loops in bytes, of items of at most ACCESS bytes, a power of two. False where items are no whole bytes. */
bool tsr_gpu_draft_of_(gpu_draft *x, tsr_gpu_planned_copy *g, tsr_planned_copy const *p)
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
        tsr_gpu_put_loop_(x, i, p->loop[i].count, p->loop[i].from / 8, p->loop[i].to / 8);
    int64_t const bytes = p->item / 8;
    int64_t item = tsr_min64(bytes & -bytes, ACCESS);
    uint64_t const any = (uint64_t)(x->from | x->to) | x->from_address | x->to_address;
    while (g->form.from_type == 0
           && (any | (uint64_t)(steps / 8)) % (uint64_t)item != 0) /* elements that begin anywhere */
        item /= 2;
    if (item < bytes)
        tsr_gpu_put_loop_(x, 0, bytes / item, item, item);
    g->form.from_item = (uint8_t)(g->form.from_type ? from / 8 : item);
    g->form.to_item = (uint8_t)item;
    g->numbers.from_swizzle = of_bytes(p->from.swizzle);
    g->numbers.to_swizzle = of_bytes(p->to.swizzle);
    g->form.swizzled = p->from.swizzle.bits > 0 || p->to.swizzle.bits > 0;
    g->numbers.from_low = p->from.low >> 3;
    g->numbers.from_high = (p->from.high + 7) >> 3;
    x->from_kept = p->from.swizzle.bits > 0 ? g->numbers.from_swizzle.base : 62;
    x->to_kept = p->to.swizzle.bits > 0 ? g->numbers.to_swizzle.base : 62;
    if (item < bytes && bytes > (int64_t)1 << tsr_min64(tsr_min64(x->from_kept, x->to_kept), 30))
        return false; /* a swizzle places the elements, not their parts */
    g->from_grain = p->from.absolute ? (int64_t)1 << tsr_swizzle_width_(g->numbers.from_swizzle) : 1;
    g->to_grain = p->to.absolute ? (int64_t)1 << tsr_swizzle_width_(g->numbers.to_swizzle) : 1;
    return true;
}

/** The loop that is closest in the source; -1 if all stand still. */
int tsr_gpu_nearest_(gpu_draft const *x, int first)
{
    int best = -1;
    for (int i = first; i < x->loops; ++i)
        if (x->loop[i].from != 0 && (best < 0 || tsr_abs64(x->loop[i].from) < tsr_abs64(x->loop[best].from)))
            best = i;
    return best;
}

gpu_chain tsr_gpu_chain_of_(int first, int last)
{
    gpu_chain c = {{0}, 0};
    for (int i = first; i < last; ++i)
        c.at[c.loops++] = i;
    return c;
}

/** The same with `at` before it. */
gpu_chain tsr_gpu_chain_after_(int at, gpu_chain rest)
{
    gpu_chain c = {{at}, rest.loops + 1};
    memcpy(c.at + 1, rest.at, (size_t)rest.loops * sizeof *rest.at);
    return c;
}

/** How many loops of a chain go on where the one before ends: n items side by side. */
static int side_by_side(gpu_draft const *x, gpu_chain const *c, bool from, int item, int64_t *n)
{
    int i = 0;
    for (*n = 1; i < c->loops && gpu_loop_step(&x->loop[c->at[i]], from) == *n * item; ++i)
        *n *= x->loop[c->at[i]].count.n;
    return i;
}

/** Whether all do. */
bool tsr_gpu_is_run_(gpu_draft const *x, gpu_chain const *c, bool from, int item)
{
    int64_t n = 0;
    return side_by_side(x, c, from, item, &n) == c->loops;
}

/** The items of an access along a chain, at most `most`: side by side, and at multiples of the access wherever it
 *  begins. */
int tsr_gpu_items_along_(gpu_draft const *x, gpu_chain const *c, bool from, int item, int most)
{
    int64_t n = 0;
    int const end = side_by_side(x, c, from, item, &n);
    uint64_t grain = (uint64_t)(from ? x->from : x->to) | (from ? x->from_address : x->to_address);
    int items = 1;
    for (int i = 0; i < x->loops; ++i) {
        bool inside = false;
        for (int k = 0; k < end; ++k)
            inside |= c->at[k] == i;
        grain |= inside ? 0 : (uint64_t)gpu_loop_step(&x->loop[i], from);
    }
    if (end < c->loops)
        grain |= (uint64_t)(n * item);
    grain |= (uint64_t)1 << (from ? x->from_kept : x->to_kept);
    while (items * 2 <= most && items * 2 <= n && grain % (uint64_t)(items * 2 * item) == 0)
        items *= 2;
    return items;
}

/** An item that is two of the present ones, as long as they lie side by side on both sides. */
void tsr_gpu_widen_items_(gpu_draft *x, tsr_relayout_form *f)
{
    gpu_chain const c = tsr_gpu_chain_of_(0, 1);
    while (f->from_type == 0 && x->loops > 0 && f->to_item < ACCESS && x->loop[0].count.n % 2 == 0
           && tsr_gpu_items_along_(x, &c, true, f->to_item, 2) == 2
           && tsr_gpu_items_along_(x, &c, false, f->to_item, 2) == 2) {
        tsr_relayout_loop *const l = &x->loop[0];
        f->to_item = (uint8_t)(f->to_item * 2);
        f->from_item = f->to_item;
        *l = (tsr_relayout_loop){tsr_gpu_count_of_(l->count.n / 2), l->from * 2, l->to * 2};
        if (l->count.n == 1)
            tsr_gpu_take_loop_(x, 0);
    }
}

/** Whether loops are one run that may begin anywhere: accesses of 16 bytes are then cut from it where they can be. */
bool tsr_gpu_goes_on_(gpu_draft const *x, tsr_relayout_form const *f, gpu_chain const *c, bool from)
{
    int64_t n = 0;
    int const item = from ? f->from_item : f->to_item;
    return !f->swizzled && side_by_side(x, c, from, item, &n) == c->loops && n * item >= 2 * ACCESS;
}

void tsr_gpu_put_loops_(tsr_gpu_planned_copy *g, gpu_draft const *x)
{
    memcpy(g->numbers.loop, x->loop, (size_t)x->loops * sizeof *x->loop);
    g->numbers.loops = (uint8_t)x->loops;
    g->numbers.from = x->from;
    g->numbers.to = x->to;
}
