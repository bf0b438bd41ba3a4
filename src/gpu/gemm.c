/** Products: plans and their launches. */
#include "gpu/gemm.h"
#include "gpu/reduce.h"
#include "exec/gemm/einsum.h"
#include "gpu/call.h"
#include "gpu/compile.h"
#include "tessera/text.h"

#include <stdio.h>
#include <stdlib.h>

tsr_tensor tsr_gpu_tensor(tsr_gpu_memory const *memory, tsr_dtype type, tsr_layout layout)
{
    tsr_engine const at = tsr_gmem_ptr(tsr_int((int64_t)memory->address), type);
    return tsr_make_tensor_of(tsr_engine_bounded(at, memory->address, memory->bytes), layout);
}

enum { ARGUMENTS = 6 };

/** The arguments of a plan's kernel, at their places in `moved`: the plan itself, or the beginning of another one. */
static int arguments_of(tsr_gpu_planned_gemm const *g, tsr_gpu_planned_gemm const *moved,
                        tsr_gpu_argument argument[ARGUMENTS])
{
    size_t const epilogue = gpu_epilogue_bytes(g->tile.flags);
    tsr_gpu_argument const all[] = {TSR_GPU_ARGUMENT(moved->map[0]), TSR_GPU_ARGUMENT(moved->map[1]),
                                    TSR_GPU_ARGUMENT(moved->map[2]), TSR_GPU_ARGUMENT(moved->shape),
                                    {&moved->epilogue, epilogue},    TSR_GPU_ARGUMENT(g->pixels)};
    tsr_gpu_argument const loops = TSR_GPU_ARGUMENT(moved->loops), list = TSR_GPU_ARGUMENT(g->list);
    memcpy(argument, all, sizeof all);
    if (g->groups > 0 || !g->by_tma)
        argument[0] = g->by_tma ? list : loops;
    return g->groups > 0 || !g->by_tma ? 1 : g->pixels.dims > 0 ? ARGUMENTS : ARGUMENTS - 1;
}

tsr_gpu_result tsr_gpu_prepare_gemm_(tsr_gpu_planned_gemm *g, tsr_gpu_multiplier *with)
{
    tsr_gpu_argument argument[ARGUMENTS];
    g->kernel = *tsr_gpu_kernel_of_(with);
    int const count = arguments_of(g, g, argument);
    return tsr_gpu_prepare_multiplier_(with, &g->launch, argument, count);
}

tsr_gpu_result tsr_gpu_begin_gemm_(tsr_gpu_log const *log, tsr_gpu_planned_gemm **plan)
{
    tsr_gpu_log_(log, "");
    *plan = (tsr_gpu_planned_gemm *)malloc(sizeof **plan);
    if (*plan) /* copies are written before they are read: they are two thirds of it */
        memset(*plan, 0, offsetof(struct tsr_gpu_planned_gemm, copy));
    return *plan ? tsr_gpu_fine_() : tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)sizeof **plan, 0, 0);
}

tsr_gpu_result tsr_gpu_end_gemm_(tsr_gpu_result r, tsr_gpu_planned_gemm **plan)
{
    if (!tsr_gpu_ok(r))
        (void)tsr_gpu_gemm_free(plan);
    return r;
}

/** The plan as a reduction. */
static tsr_gpu_result take_dots(tsr_gpu_planned_gemm *plan, tsr_gpu_cache *cache, tsr_gemm_problem const *p,
                                tsr_gpu_log const *log)
{
    tsr_gpu_result const r = tsr_gpu_dots_plan_(cache, plan->device, p, log, &plan->dots);
    if (!tsr_gpu_ok(r))
        return r;
    /* as the caller has them */
    plan->swapped = (tsr_gpu_dots_numbers_(p) == TSR_IN_B) != p->swapped;
    plan->kernel = plan->dots->stage[0].kernel;
    plan->launch = tsr_gpu_reduce_launch_(&plan->dots->stage[0], NULL);
    plan->tiles = plan->dots->stage[0].blocks * plan->dots->stage[0].parts;
    return r;
}

/** The plan of one product, of which scales may be known already. */
static tsr_gpu_result plan_one(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a, tsr_tensor b,
                               tsr_tensor c, tsr_epilogue const *epilogue, tsr_gemm_scales const *scales,
                               tsr_gpu_log const *log, tsr_gpu_planned_gemm *plan)
{
    tsr_gemm_problem p;
    tsr_gpu_result const r = tsr_gpu_plan_loops_(device, a, b, c, epilogue, 0, log, &p);
    if (!tsr_gpu_ok(r))
        return r;
    plan->device = device;
    plan->at[TSR_IN_A] = a.engine.address;
    plan->at[TSR_IN_B] = b.engine.address;
    plan->at[TSR_IN_C] = c.engine.address;
    plan->at[TSR_IN_BIAS] = epilogue && epilogue->bias ? epilogue->bias->engine.address : 0;
    if (!scales && tsr_gpu_is_dots_(device, &p))
        return take_dots(plan, cache, &p, log);
    if (scales)
        plan->epilogue.scales = *scales;
    return tsr_gpu_make_gemm_(plan, cache, &p, scales ? TSR_HOPPER_SCALES : 0, log);
}

tsr_gpu_result tsr_gpu_plan_ranked_(gpu_gemm_request const *x, int rank, tsr_gpu_planned_gemm **plan)
{
    tsr_tensor a = x->a, b = x->b, c = x->c;
    tsr_epilogue const *const given = x->epilogue;
    tsr_epilogue e = given ? *given : tsr_make_epilogue(1, 1);
    tsr_tensor bias = e.bias ? *e.bias : c;
    tsr_gpu_result r = tsr_gpu_begin_gemm_(x->log, plan);
    e.bias = e.bias ? &bias : NULL;
    tsr_reason const why = x->text ? tsr_einsum_as_gemm(x->text, &a, &b, &c, e.bias ? &bias : NULL) : tsr_no_reason();
    if (tsr_gpu_ok(r)) {
        (*plan)->rank = rank;
        (*plan)->unproven = x->unproven;
        (*plan)->slower = x->slower;
        r = why.status ? tsr_gpu_refuse_product_(why, 0, x->log) : tsr_gpu_fine_();
    }
    bool const combines = tsr_gpu_ok(r) && x->text && tsr_gpu_sums_nothing_(&a, &e)
                          && tsr_gpu_ok(tsr_gpu_combine_gemm_(x, a, b, c, *plan));
    if (tsr_gpu_ok(r) && !combines)
        r = plan_one(x->cache, x->device, a, b, c, &e, NULL, x->log, *plan);
    return tsr_gpu_end_gemm_(r, plan);
}

tsr_gpu_result tsr_gpu_gemm_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a, tsr_tensor b,
                                 tsr_tensor c, tsr_epilogue const *epilogue, tsr_gpu_log const *log,
                                 tsr_gpu_planned_gemm **plan)
{
    return tsr_gpu_gemm_plan_with(cache, device, NULL, a, b, c, epilogue, NULL, log, plan);
}

tsr_gpu_result tsr_gpu_gemm_plan_with(tsr_gpu_cache *cache, tsr_gpu_device const *device, char const *text,
                                      tsr_tensor a, tsr_tensor b, tsr_tensor c, tsr_epilogue const *epilogue,
                                      tsr_gpu_gemm_options const *options, tsr_gpu_log const *log,
                                      tsr_gpu_planned_gemm **plan)
{
    tsr_gpu_gemm_options const o = options ? *options : (tsr_gpu_gemm_options){0};
    gpu_gemm_request const x = {cache, device, text, a, b, c, epilogue, log, o.not_run_on_silicon, o.slower};
    return tsr_gpu_plan_ranked_(&x, 0, plan);
}

tsr_gpu_result tsr_gpu_einsum_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, char const *text, tsr_tensor a,
                                   tsr_tensor b, tsr_tensor c, tsr_epilogue const *epilogue, tsr_gpu_log const *log,
                                   tsr_gpu_planned_gemm **plan)
{
    return tsr_gpu_gemm_plan_with(cache, device, text, a, b, c, epilogue, NULL, log, plan);
}

tsr_gpu_result tsr_gpu_gemm_plan_scaled(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a,
                                        tsr_tensor b, tsr_tensor scale_a, tsr_tensor scale_b, tsr_tensor c,
                                        tsr_epilogue const *epilogue, tsr_gpu_log const *log,
                                        tsr_gpu_planned_gemm **plan)
{
    tsr_gemm_scales scales;
    tsr_gpu_result r = tsr_gpu_begin_gemm_(log, plan);
    if (!tsr_gpu_ok(r))
        return r;
    tsr_reason why = tsr_gpu_find_scales_(a, b, scale_a, scale_b, &scales);
    if (!why.status)
        why = tsr_reason_or(tsr_disjoint_(&scale_a, &c), tsr_disjoint_(&scale_b, &c));
    r = why.status ? tsr_gpu_refuse_product_(why, 0, log)
                   : plan_one(cache, device, a, b, c, epilogue, &scales, log, *plan);
    return tsr_gpu_end_gemm_(r, plan);
}

/** Runs the copies before the product, from where its operands are. */
static tsr_gpu_result run_copies(tsr_gpu_planned_gemm const *plan, uint64_t const at[TSR_OPERANDS],
                                 tsr_gpu_stream const *stream)
{
    tsr_gpu_result r = tsr_gpu_fine_();
    for (int i = 0; i < plan->copies_before && tsr_gpu_ok(r); ++i)
        r = tsr_gpu_copy_run(&plan->copy[i], at[plan->copied[i]], plan->copy[i].to.engine.address, stream);
    return r;
}

/** Runs a plan, whose kernel is told what `moved` says. */
static tsr_gpu_result run(tsr_gpu_planned_gemm const *plan, tsr_gpu_planned_gemm const *moved,
                          uint64_t const at[TSR_OPERANDS], tsr_gpu_stream const *stream)
{
    tsr_gpu_argument argument[ARGUMENTS];
    tsr_gpu_planned_copy const *const behind = &plan->copy[TSR_OPERANDS];
    tsr_gpu_launch launch = plan->launch;
    launch.stream = stream;
    if (plan->combined)
        return tsr_gpu_combine_run(plan->combined, at[TSR_IN_A], at[TSR_IN_B], at[TSR_IN_C], stream);
    if (plan->dots)
        return tsr_gpu_dots_run_(plan->dots, at[plan->swapped], at[!plan->swapped], at[TSR_IN_C], stream);
    int const count = arguments_of(plan, moved, argument);
    if (plan->copies_before + plan->copies_behind == 0)
        return tsr_gpu_run_prepared_(&plan->kernel, &launch, argument, count);
    tsr_gpu_result r = run_copies(plan, at, stream);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_run_prepared_(&plan->kernel, &launch, argument, count);
    return tsr_gpu_ok(r) && plan->copies_behind
               ? tsr_gpu_copy_run(behind, behind->from.engine.address, at[TSR_IN_C], stream)
               : r;
}

tsr_gpu_result tsr_gpu_gemm_run(tsr_gpu_planned_gemm const *plan, tsr_gpu_stream const *stream)
{
    if (!plan || !plan->device)
        return tsr_gpu_not_there_("product");
    tsr_gpu_argument const rows = TSR_GPU_ARGUMENT(plan->rows);
    if (plan->rows.ends) {
        tsr_gpu_launch const lists = {.grid = {(unsigned)plan->groups}, .block = {256}, .stream = stream};
        tsr_gpu_result const r = tsr_gpu_run_prepared_(&plan->lister, &lists, &rows, 1);
        if (!tsr_gpu_ok(r))
            return r;
    }
    return run(plan, plan, plan->at, stream);
}

/** A matrix of the epilogue at its new place, unless the kernel has a copy of it. */
static void move_matrix(tsr_gemm_matrix *m, tsr_gpu_planned_gemm const *g, uint64_t by)
{
    m->at += g->packed_set >> TSR_IN_C & 1 ? 0 : by;
}

/** Moves operands `by`, in the caller's order, in the beginning of a plan, whose context is current. */
static tsr_gpu_result move(tsr_gpu_planned_gemm const *plan, tsr_gpu_planned_gemm *g, uint64_t const by[TSR_OPERANDS])
{
    tsr_gpu const *const gpu = plan->device->gpu;
    for (int i = 0; i < TSR_OPERANDS; ++i) {
        int const of = i < TSR_IN_C && g->swapped ? 1 - i : i;
        uint64_t const far = g->packed_set >> tsr_min64(of, TSR_IN_C) & 1 ? 0 : by[of];
        if (!g->by_tma)
            g->loops.base[i].address += far;
        if (!g->by_tma || i > TSR_IN_C || far == 0 || (i == TSR_IN_C && plan->tile.flags & TSR_HOPPER_D_ANY))
            continue;
        _Alignas(64) uint64_t map[16];
        void *const to = (void *)(uintptr_t)(g->place[i] + far);
        memcpy(map, g->map[i], sizeof map);
        if (!gpu->cuTensorMapReplaceAddress)
            return tsr_gpu_fail_(TSR_GPU_NO_FUNCTION, "cuTensorMapReplaceAddress", 0, "", "the driver");
        int const code = gpu->cuTensorMapReplaceAddress(map, to);
        if (code != 0)
            return tsr_gpu_driver_result_(gpu, "cuTensorMapReplaceAddress", code);
        memcpy(g->map[i], map, sizeof map);
    }
    move_matrix(&g->epilogue.d, g, by[TSR_IN_C]);
    move_matrix(&g->epilogue.c, g, by[TSR_IN_C]);
    move_matrix(&g->epilogue.bias, g, by[g->parts & TSR_EPILOGUE_BIASED ? TSR_IN_BIAS : TSR_IN_C]);
    return tsr_gpu_fine_();
}

/** What the kernel is told of other numbers, alpha and beta, in the beginning of a plan. */
static tsr_gpu_result renumber(tsr_gpu_planned_gemm const *plan, tsr_gpu_planned_gemm *g, double const number[2])
{
    bool const scales = (plan->parts & TSR_EPILOGUE_SCALES) != 0, adds = (plan->parts & TSR_EPILOGUE_ADDS) != 0;
    bool const small = gpu_is_small_integer(number[0]) && gpu_is_small_integer(number[1]);
    if ((number[0] != 1 && !scales) || (number[1] != 0) != adds
        || (plan->by_tma && plan->tile.d == TSR_I32 && !small))
        return tsr_gpu_refuse_(TSR_GPU_NUMBERS, 0, 0, 0);
    if (plan->by_tma) {
        g->epilogue.alpha = (float)number[0];
        g->epilogue.beta = (float)number[1];
    } else {
        g->loops.alpha = number[0];
        g->loops.beta = number[1];
    }
    return tsr_gpu_fine_();
}

/** Runs a plan elsewhere, with its own numbers or, where `number` is not NULL, with others. */
static tsr_gpu_result run_elsewhere(tsr_gpu_planned_gemm const *plan, uint64_t at[TSR_OPERANDS], double const *number,
                                    tsr_gpu_stream const *stream)
{
    enum { GRAIN = 256 };
    uint64_t by[TSR_OPERANDS] = {0}, all = 0;
    if (!plan || !plan->device || plan->groups > 0)
        return tsr_gpu_not_there_("product");
    for (int i = 0; i < TSR_OPERANDS; ++i) {
        at[i] = at[i] ? at[i] : plan->at[i];
        by[i] = at[i] - plan->at[i];
        all |= by[i];
        if (by[i] % GRAIN != 0)
            return tsr_gpu_refuse_(TSR_GPU_MOVED, (int64_t)at[i], (int64_t)plan->at[i], GRAIN);
    }
    tsr_gpu_planned_gemm moved;
    bool const bare = plan->combined || plan->dots; /* without an epilogue */
    if (bare && number && (number[0] != 1 || number[1] != 0))
        return tsr_gpu_refuse_(TSR_GPU_NUMBERS, 0, 0, 0);
    if (bare || (all == 0 && !number))
        return run(plan, plan, at, stream);
    memcpy(&moved, plan,
           plan->by_tma ? offsetof(tsr_gpu_planned_gemm, loops) : offsetof(tsr_gpu_planned_gemm, kernel));
    tsr_gpu_result r = number ? renumber(plan, &moved, number) : tsr_gpu_fine_();
    bool const inside = all == 0 || tsr_gpu_is_inside_(plan->device);
    if (tsr_gpu_ok(r) && !inside)
        r = tsr_gpu_enter_(plan->device);
    if (tsr_gpu_ok(r) && all != 0)
        r = inside ? move(plan, &moved, by) : tsr_gpu_leave_(plan->device, move(plan, &moved, by));
    return tsr_gpu_ok(r) ? run(plan, &moved, at, stream) : r;
}

tsr_gpu_result tsr_gpu_gemm_run_at(tsr_gpu_planned_gemm const *plan, uint64_t a, uint64_t b, uint64_t c,
                                   uint64_t bias, tsr_gpu_stream const *stream)
{
    uint64_t at[TSR_OPERANDS] = {a, b, c, bias};
    return run_elsewhere(plan, at, NULL, stream);
}

tsr_gpu_result tsr_gpu_gemm_run_with(tsr_gpu_planned_gemm const *plan, double alpha, double beta, uint64_t a,
                                     uint64_t b, uint64_t c, uint64_t bias, tsr_gpu_stream const *stream)
{
    uint64_t at[TSR_OPERANDS] = {a, b, c, bias};
    double const number[2] = {alpha, beta};
    return run_elsewhere(plan, at, number, stream);
}

tsr_gpu_result tsr_gpu_gemm_free(tsr_gpu_planned_gemm **plan)
{
    tsr_gpu_planned_gemm *const p = *plan;
    if (!p)
        return tsr_gpu_fine_();
    tsr_gpu_result const freed[] = {tsr_gpu_free(&p->records), tsr_gpu_give_scratch_(&p->sums),
                                    tsr_gpu_give_scratch_(&p->packed)};
    tsr_gpu_result r = freed[0];
    for (int i = 1; i < 3; ++i)
        r = tsr_gpu_ok(r) ? freed[i] : r;
    p->device = NULL; /* whatever stays does not run */
    tsr_gpu_combine_free(&p->combined);
    tsr_gpu_result const dots = tsr_gpu_reduce_free(&p->dots);
    r = tsr_gpu_ok(r) ? dots : r;
    if (tsr_gpu_ok(r)) {
        free(p);
        *plan = NULL;
    }
    return r;
}

bool tsr_gpu_gemm_by_tma(tsr_gpu_planned_gemm const *plan) { return plan && plan->by_tma; }

tsr_reason tsr_gpu_gemm_why(tsr_gpu_planned_gemm const *plan) { return plan ? plan->why : tsr_no_reason(); }

int64_t tsr_gpu_gemm_tiles(tsr_gpu_planned_gemm const *plan, int *rows, int *columns)
{
    if (rows)
        *rows = plan ? plan->tile.m : 0;
    if (columns)
        *columns = plan ? plan->tile.n : 0;
    return plan ? plan->tiles : 0;
}

int tsr_gpu_gemm_copies(tsr_gpu_planned_gemm const *plan)
{
    return plan ? plan->copies_before + plan->copies_behind : 0;
}

size_t tsr_gpu_gemm_memory(tsr_gpu_planned_gemm const *plan)
{
    return plan ? plan->records.bytes + plan->sums.bytes + plan->packed.bytes + tsr_gpu_reduce_memory(plan->dots) : 0;
}

bool tsr_gpu_gemm_stands_in(tsr_gpu_planned_gemm const *plan) { return plan && plan->stands_in; }

tsr_gpu_kernel const *tsr_gpu_gemm_kernel(tsr_gpu_planned_gemm const *plan) { return plan ? &plan->kernel : NULL; }

tsr_gpu_launch const *tsr_gpu_gemm_launch(tsr_gpu_planned_gemm const *plan) { return plan ? &plan->launch : NULL; }

size_t tsr_format_gpu_gemm(char *out, size_t size, tsr_gpu_planned_gemm const *plan)
{
    char why[TSR_TEXT_SIZE], groups[32] = "", pixels[32] = "", copies[TSR_TEXT_SIZE + 64] = "";
    if (!plan || !plan->device)
        return (size_t)snprintf(out, size, "no product");
    if (plan->combined)
        return tsr_format_gpu_combine(out, size, plan->combined);
    if (plan->dots)
        return (size_t)snprintf(out, size, "sums of products, %lld blocks in %lld parts",
                                (long long)plan->dots->stage[0].blocks, (long long)plan->dots->stage[0].parts);
    tsr_hopper_tile const *const t = &plan->tile;
    tsr_format_reason(why, sizeof why, plan->why);
    if (plan->groups > 0)
        snprintf(groups, sizeof groups, "%d products, ", plan->groups);
    if (plan->pixels.dims > 0)
        snprintf(pixels, sizeof pixels, ", im2col of %d modes", plan->pixels.dims);
    if (plan->copies_before + plan->copies_behind > 0)
        snprintf(copies, sizeof copies, ", behind %d and before %d copies: %s", plan->copies_before,
                 plan->copies_behind, why);
    int const n = plan->by_tma
                      ? snprintf(out, size, "%s%dx%d tiles%s%s%s%s%s%s, %d stages%s; %lld tiles on %u blocks%s%s",
                                 groups, t->m, t->n, plan->by_umma ? " by tcgen05.mma, not run on silicon" : "",
                                 t->flags & TSR_HOPPER_TURNS ? " in turns" : "", t->ctas > 1 ? ", pairs" : "",
                                 t->flags & TSR_HOPPER_SCALES ? ", blocks with scales" : "",
                                 plan->swapped ? ", A and B change places" : "", pixels, t->stages,
                                 t->flags & TSR_HOPPER_D_ANY ? ", C element by element" : "", (long long)plan->tiles,
                                 plan->launch.grid[0], plan->shape.splits > 1 ? ", K in parts" : "", copies)
                      : snprintf(out, size, "plain loops, %lld tiles of %dx%d%s%s: %s", (long long)plan->tiles, t->m,
                                 t->n, plan->access & TSR_ANY_TENSOR ? " by tensor cores" : "",
                                 plan->loops.splits > 1 ? ", K in parts" : "", why);
    return n > 0 ? (size_t)n : 0;
}
