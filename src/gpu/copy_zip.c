/** Short units of several planes: which copies these are, and in which accesses they move. */
#include "gpu/copy_draft.h"
#include "gpu/tuning.h"

static gpu_copy_tuning const *const tuned = &gpu_h200.copy;

/** Planes side by side, or the way back: `inner` is the loop of planes, `outer` the one within a plane. */
static bool plan_groups(tsr_gpu_planned_copy *g, gpu_draft const *given, int inner, int outer, bool zip)
{
    gpu_draft x = *given;
    tsr_relayout_form *const f = &g->form;
    tsr_relayout *const r = &g->numbers;
    tsr_relayout_loop const planes = x.loop[inner], run = x.loop[outer];
    int const item[2] = {f->to_item, f->from_item}, widest = item[0] > item[1] ? item[0] : item[1];
    int64_t const n = planes.count.n;
    gpu_chain const units = tsr_gpu_chain_after_(inner, tsr_gpu_chain_of_(outer, outer + 1)),
                    plane = tsr_gpu_chain_of_(outer, outer + 1);
    if (n < 2 || n > tuned->planes || run.count.n * item[zip] < tuned->plane_run
        || gpu_loop_step(&planes, !zip) != item[!zip] || gpu_loop_step(&run, !zip) != n * item[!zip]
        || gpu_loop_step(&run, zip) != item[zip])
        return false;
    int const a = tsr_gpu_items_along_(&x, &units, !zip, item[!zip], ACCESS / widest);
    int const b = tsr_gpu_items_along_(&x, &plane, zip, item[zip], ACCESS / widest), items = a < b ? a : b;
    if (items * widest < 4)
        return false;
    f->kind = zip ? TSR_RELAYOUT_ZIP : TSR_RELAYOUT_UNZIP;
    f->unit = (uint8_t)n;
    f->from_items = f->to_items = (uint8_t)items;
    f->to_parts = run.count.n % items != 0;
    f->batch = 1;
    r->planes = gpu_loop_step(&planes, zip);
    r->run = run.count.n;
    tsr_gpu_take_loop_(&x, inner > outer ? inner : outer);
    tsr_gpu_take_loop_(&x, inner > outer ? outer : inner);
    tsr_gpu_put_loop_(&x, 0, gpu_ceil(r->run, items), run.from * items, run.to * items);
    r->items = 1;
    for (int i = 0; i < x.loops; ++i)
        r->items *= x.loop[i].count.n;
    f->loops = (uint8_t)(x.loops <= 3 ? x.loops : 0);
    f->wide = r->items >= GPU_INDICES;
    g->blocks = gpu_ceil(r->items, TSR_RELAYOUT_THREADS);
    g->shared = zip ? TSR_RELAYOUT_THREADS * n * items * item[0] : 0;
    tsr_gpu_put_loops_(g, &x);
    return true;
}

bool tsr_gpu_plan_zip_(tsr_gpu_planned_copy *g, gpu_draft const *x, gpu_copy_wishes const *wishes)
{
    int const near = tsr_gpu_nearest_(x, 0);
    if (wishes->direct || g->form.alpha != 0 || g->form.swizzled || x->loops < 2 || near <= 0)
        return false;
    return plan_groups(g, x, near, 0, false) || plan_groups(g, x, 0, 1, true);
}
