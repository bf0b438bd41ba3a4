/** Which kernel moves the elements of a plan. */
#include "exec/move/plan.h"
#include "gpu/call.h"
#include "gpu/compile.h"
#include "gpu/copy_draft.h"
#include "tessera/text.h"

/** Items in the order of the destination. */
static void plan_direct(tsr_gpu_planned_copy *g, gpu_draft *x, gpu_copy_wishes const *wishes)
{
    tsr_relayout_form *const f = &g->form;
    tsr_relayout *const r = &g->numbers;
    int const widest = f->from_item > f->to_item ? f->from_item : f->to_item;
    if (x->loops == 0)
        tsr_gpu_put_loop_(x, 0, 1, f->from_item, f->to_item);
    gpu_chain const c = tsr_gpu_chain_of_(0, 1);
    int const from = tsr_gpu_items_along_(x, &c, true, f->from_item, ACCESS / widest);
    int const to = tsr_gpu_items_along_(x, &c, false, f->to_item, ACCESS / widest);
    int n = from < to ? from : to;
    tsr_relayout_loop *const l = &x->loop[0];
    bool const any = n * widest < ACCESS && l->count.n * widest >= 4 * ACCESS && tsr_gpu_goes_on_(x, f, &c, true)
                     && tsr_gpu_goes_on_(x, f, &c, false);
    if (any)
        n = ACCESS / widest;
    f->to_any = any;
    f->from_items = f->to_items = (uint8_t)n;
    r->run = l->count.n;
    f->from_parts = f->to_parts = !any && r->run % n != 0;
    *l = (tsr_relayout_loop){tsr_gpu_count_of_(gpu_ceil(l->count.n, n) + (any ? 8 : 0)), l->from * n, l->to * n};
    r->items = 1;
    for (int i = 0; i < x->loops; ++i)
        r->items *= x->loop[i].count.n;
    f->kind = TSR_RELAYOUT_DIRECT;
    f->loops = (uint8_t)(x->loops <= 3 ? x->loops : 0);
    int const narrow = f->from_item < f->to_item ? f->from_item : f->to_item;
    int const usual = n * narrow >= 8 ? 1 : n * widest >= ACCESS / 2 ? 2 : 4;
    f->batch = (uint8_t)(any                         ? 1
                         : wishes->batch             ? tsr_min64(wishes->batch, 8)
                         : f->to_type == TSR_F8_E5M2 ? tsr_max64(usual, 2) /* whose conversion takes longest */
                                                     : usual);
    f->wide = r->items >= GPU_INDICES;
    g->blocks = gpu_ceil(r->items, (int64_t)TSR_RELAYOUT_THREADS * f->batch);
    tsr_gpu_put_loops_(g, x);
}

int64_t tsr_gpu_part_of_(tsr_dtype type)
{
    int64_t const bits = tsr_dtype_bits(type);
    return tsr_max64(tsr_dtype_code(type) == 5 ? bits / 16 : bits / 8, 1);
}

static bool begins_at(tsr_tensor const *t, int64_t bytes) { return t->engine.address % (uint64_t)bytes == 0; }

int64_t tsr_gpu_pairs_of_(tsr_tensor const *t)
{
    tsr_layout const *const l = &t->layout;
    int64_t before = 1, n = 0;
    bool whole = tsr_dtype_bits(t->engine.type) == 4 && t->engine.bit == 0 && !l->twice
                 && (!l->composed || (l->swizzle.base > 0 && tsr_leaf_value(l->offset) % 2 == 0));
    for (int i = 0; i < l->shape.leaves && whole; ++i) {
        int64_t const extent = (int64_t)tsr_leaf_extent(l->shape.leaf[i]), step = l->stride.leaf[i].value;
        bool const along = extent > 1 && step % 2 != 0;
        whole = !along || (step == 1 && extent % 2 == 0 && n == 0);
        n = along ? before : n;
        before *= extent;
    }
    return whole ? n : 0;
}

/** Element by element: a thread may write bytes only that are its own. */
static tsr_gpu_result plan_elements(tsr_gpu_planned_copy *g)
{
    int64_t const from = tsr_gpu_part_of_(g->from.engine.type), to = tsr_gpu_part_of_(g->to.engine.type),
                  pairs = tsr_gpu_pairs_of_(&g->to);
    int const bits = tsr_dtype_bits(g->to.engine.type);
    if (pairs == 0 && (bits % 8 != 0 || g->to.engine.bit != 0))
        return tsr_gpu_refuse_(TSR_GPU_BITS, bits, 0, 0);
    if (g->form.from_type != 0 && !begins_at(&g->from, from))
        return tsr_gpu_refuse_(TSR_GPU_ALIGNED, (int64_t)g->from.engine.address, from, 0);
    if (g->form.from_type != 0 && !begins_at(&g->to, to))
        return tsr_gpu_refuse_(TSR_GPU_ALIGNED, (int64_t)g->to.engine.address, to, 0);
    g->form.kind = TSR_RELAYOUT_ELEMENTS;
    g->form.from_item = g->form.to_item = g->form.from_items = g->form.to_items = g->form.batch = 0;
    g->form.swizzled = 0;
    memset(&g->numbers, 0, offsetof(tsr_relayout, alpha));
    g->numbers.items = pairs > 0 ? g->elements / 2 : g->elements;
    g->numbers.run = pairs;
    g->blocks = gpu_ceil(g->numbers.items, TSR_RELAYOUT_THREADS);
    g->from_grain = g->to_grain = 1;
    return tsr_gpu_fine_();
}

/** Other addresses must be multiples of the accesses, too. */
static void plan_grains(tsr_gpu_planned_copy *g)
{
    tsr_relayout_form const *const f = &g->form;
    g->from_grain = tsr_max64(g->from_grain, f->from_item * (f->to_any ? 1 : f->from_items));
    g->to_grain = tsr_max64(g->to_grain, f->to_item * (f->to_any ? 1 : f->to_items));
}

/** Whether numbers lie where accesses of their size can be. */
static bool are_numbers(tsr_gpu_planned_copy const *g)
{
    return begins_at(&g->from, g->form.from_item) && begins_at(&g->to, g->form.to_item);
}

static tsr_gpu_result plan_loops(tsr_gpu_planned_copy *g, tsr_planned_copy const *p, gpu_copy_wishes const *wishes)
{
    tsr_relayout_form *const f = &g->form;
    gpu_draft x;
    if (p->slow || !tsr_gpu_draft_of_(&x, g, p)
        || (f->from_type != 0 && !(f->from_item <= 8 && f->to_item <= 8 && are_numbers(g))))
        return plan_elements(g);
    tsr_gpu_widen_items_(&x, f);
    bool const run = x.loops == 0 || (x.loops == 1 && x.loop[0].from == f->from_item && x.loop[0].to == f->to_item);
    if (run && f->from_type == 0 && !f->swizzled && !wishes->direct) {
        f->kind = TSR_RELAYOUT_RUN;
        g->numbers.run = f->to_item * (x.loops ? x.loop[0].count.n : 1);
        g->numbers.from = x.from;
        g->numbers.to = x.to;
        f->from_items = f->to_items = 1;
    } else {
        if (!tsr_gpu_plan_zip_(g, &x, wishes) && !tsr_gpu_plan_tiles_(g, &x, wishes))
            plan_direct(g, &x, wishes);
        plan_grains(g);
    }
    return tsr_gpu_fine_();
}

/** The numbers of an update, put where the kernel finds them: reals, unless integers or complex numbers are computed
 *  (exec/functions.h). */
static void take_factors(tsr_relayout_form *f, tsr_number alpha, tsr_number beta, tsr_relayout *to)
{
    bool const reads = !tsr_number_is_zero(beta);
    uint8_t const kind[4] = {(uint8_t)tsr_number_kind_of(f->from_type), (uint8_t)tsr_number_kind_of(f->to_type),
                             alpha.kind, reads ? beta.kind : alpha.kind};
    bool real = false, parts = false;
    for (int i = 0; i < 4; ++i) {
        real = real || kind[i] == TSR_REAL;
        parts = parts || kind[i] == TSR_COMPLEX;
    }
    to->alpha = real && !parts ? tsr_number_real(tsr_number_to_double(alpha)) : alpha;
    to->beta = real && !parts ? tsr_number_real(tsr_number_to_double(beta)) : beta;
    f->alpha = to->alpha.kind;
    f->beta = reads ? to->beta.kind : (uint8_t)0;
}

tsr_gpu_result tsr_gpu_renumber_copy_(tsr_gpu_planned_copy const *plan, tsr_number alpha, tsr_number beta,
                                      tsr_relayout *to)
{
    tsr_relayout_form f = plan->form;
    take_factors(&f, alpha, beta, to);
    return f.alpha == plan->form.alpha && f.beta == plan->form.beta ? tsr_gpu_fine_()
                                                                    : tsr_gpu_refuse_(TSR_GPU_NUMBERS, 0, 0, 0);
}

tsr_gpu_result tsr_gpu_plan_copy_(tsr_number const *alpha, tsr_tensor from, tsr_number const *beta, tsr_tensor to,
                                  gpu_copy_wishes const *wishes, tsr_gpu_log const *log, tsr_gpu_planned_copy *g)
{
    char reason[TSR_TEXT_SIZE];
    bool const scaled = alpha != NULL;
    tsr_planned_copy p;
    tsr_gpu_log_(log, "");
    memset(&p, 0, sizeof p);
    tsr_plan_problem_(&p, &from, &to);
    memset(g, 0, sizeof *g);
    tsr_reason why = p.why;
    if (!why.status && scaled && (!tsr_has_numbers_(&from) || !tsr_has_numbers_(&to)))
        why = tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    if (why.status) {
        tsr_format_reason(reason, sizeof reason, why);
        tsr_gpu_log_(log, reason);
        return tsr_gpu_forbid_(TSR_GPU_TENSORS, why, 0);
    }
    if (!tsr_is_memory_(&from))
        return tsr_gpu_refuse_(TSR_GPU_COMPUTED, 0, 0, 0);
    g->elements = tsr_layout_size(to.layout);
    g->from = from;
    g->to = to;
    if (scaled || from.engine.type != to.engine.type) {
        g->form.from_type = from.engine.type;
        g->form.to_type = to.engine.type;
    }
    if (scaled)
        take_factors(&g->form, *alpha, beta ? *beta : tsr_number_int(0), &g->numbers);
    if (!p.slow && g->form.from_type == 0 && p.item % 8 != 0) /* parts of bytes: as many as fill some */
        tsr_plan_items_(&p, p.from.swizzle.bits > 0 || p.to.swizzle.bits > 0);
    g->slow = (tsr_slow)p.slow;
    return plan_loops(g, &p, wishes);
}
