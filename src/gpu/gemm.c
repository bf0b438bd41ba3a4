/** Products: plans and their launches. */
#include "gpu/gemm.h"
#include "gpu/call.h"
#include "gpu/compile.h"
#include "tessera/text.h"

#include <stdio.h>

tsr_tensor tsr_gpu_tensor(tsr_gpu_memory const *memory, tsr_dtype type, tsr_layout layout)
{
    tsr_engine const at = tsr_gmem_ptr(tsr_int((int64_t)memory->address), type);
    return tsr_make_tensor_of(tsr_engine_bounded(at, memory->address, memory->bytes), layout);
}

/** The arguments of the kernel, at their places in the plan. */
static int arguments_of(tsr_gpu_gemm const *g, tsr_gpu_argument argument[5])
{
    size_t const epilogue = gpu_epilogue_bytes(g->tile.flags);
    tsr_gpu_argument const all[] = {TSR_GPU_ARGUMENT(g->map[0]),
                                    TSR_GPU_ARGUMENT(g->map[1]),
                                    TSR_GPU_ARGUMENT(g->map[2]),
                                    TSR_GPU_ARGUMENT(g->shape),
                                    {&g->epilogue, epilogue}};
    tsr_gpu_argument const loops = TSR_GPU_ARGUMENT(g->loops), list = TSR_GPU_ARGUMENT(g->list);
    memcpy(argument, all, sizeof all);
    if (g->groups > 0 || !g->by_tma)
        argument[0] = g->by_tma ? list : loops;
    return g->groups > 0 || !g->by_tma ? 1 : 5;
}

tsr_gpu_result gpu_prepare_gemm(tsr_gpu_gemm const *g)
{
    tsr_gpu_argument argument[5];
    int const count = arguments_of(g, argument);
    return gpu_prepare(&g->kernel, &g->launch, argument, count);
}

/** The plan of one product, of which scales may be known already. */
static tsr_gpu_result plan_one(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a, tsr_tensor b,
                               tsr_tensor c, tsr_epilogue const *epilogue, tsr_gpu_gemm_scales const *scales,
                               tsr_gpu_log const *log, tsr_gpu_gemm *plan)
{
    tsr_gemm_plan p;
    tsr_gpu_result r = gpu_plan_loops(device, a, b, c, epilogue, 0, log, &p);
    if (!tsr_gpu_ok(r))
        return r;
    plan->device = device;
    if (scales)
        plan->epilogue.scales = *scales;
    r = gpu_make_gemm(plan, cache, &p, scales ? TSR_HOPPER_SCALES : 0, log);
    if (!tsr_gpu_ok(r))
        (void)tsr_gpu_gemm_free(plan);
    return r;
}

tsr_gpu_result tsr_gpu_gemm_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a, tsr_tensor b,
                                 tsr_tensor c, tsr_epilogue const *epilogue, tsr_gpu_log const *log,
                                 tsr_gpu_gemm *plan)
{
    memset(plan, 0, sizeof *plan);
    gpu_log(log, "");
    return plan_one(cache, device, a, b, c, epilogue, NULL, log, plan);
}

tsr_gpu_result tsr_gpu_gemm_plan_scaled(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a,
                                        tsr_tensor b, tsr_tensor scale_a, tsr_tensor scale_b, tsr_tensor c,
                                        tsr_epilogue const *epilogue, tsr_gpu_log const *log, tsr_gpu_gemm *plan)
{
    tsr_gpu_gemm_scales scales;
    memset(plan, 0, sizeof *plan);
    gpu_log(log, "");
    tsr_tuple why = gpu_find_scales(a, b, scale_a, scale_b, &scales);
    if (!why.status)
        why = tsr_reason_tuple(tsr_reason_or(tsr_disjoint_(&scale_a, &c), tsr_disjoint_(&scale_b, &c)));
    return why.status ? gpu_refuse_product(tsr_tuple_why(why), 0, log)
                      : plan_one(cache, device, a, b, c, epilogue, &scales, log, plan);
}

static tsr_gpu_result run_copy(tsr_gpu_copy_plan const *copy, tsr_gpu_stream const *stream)
{
    return tsr_gpu_copy_run(copy, copy->from.engine.address, copy->to.engine.address, stream);
}

tsr_gpu_result tsr_gpu_gemm_run(tsr_gpu_gemm const *plan, tsr_gpu_stream const *stream)
{
    tsr_gpu_argument argument[5];
    tsr_gpu_argument const rows = TSR_GPU_ARGUMENT(plan->rows);
    if (!plan->device)
        return gpu_not_there("product");
    tsr_gpu_launch launch = plan->launch;
    launch.stream = stream;
    if (plan->rows.ends) {
        tsr_gpu_launch const lists = {.grid = {(unsigned)plan->groups}, .block = {256}, .stream = stream};
        tsr_gpu_result const r = gpu_run_prepared(&plan->lister, &lists, &rows, 1);
        if (!tsr_gpu_ok(r))
            return r;
    }
    tsr_gpu_result r = gpu_refuse(TSR_GPU_OK, 0, 0, 0);
    for (int i = 0; i < plan->copies_before && tsr_gpu_ok(r); ++i)
        r = run_copy(&plan->copy[i], stream);
    if (tsr_gpu_ok(r))
        r = gpu_run_prepared(&plan->kernel, &launch, argument, arguments_of(plan, argument));
    return tsr_gpu_ok(r) && plan->copies_behind ? run_copy(&plan->copy[TSR_OPERANDS], stream) : r;
}

tsr_gpu_result tsr_gpu_gemm_free(tsr_gpu_gemm *plan)
{
    tsr_gpu_result const first = tsr_gpu_free(&plan->room), second = tsr_gpu_free(&plan->packed),
                         r = tsr_gpu_ok(first) ? second : first;
    tsr_gpu_memory const room = plan->room, packed = plan->packed;
    memset(plan, 0, sizeof *plan);
    plan->room = room; /* zero, but where it could not be given back */
    plan->packed = packed;
    return r;
}

size_t tsr_format_gpu_gemm(char *out, size_t size, tsr_gpu_gemm const *plan)
{
    char why[TSR_TEXT_SIZE], groups[32] = "", copies[TSR_TEXT_SIZE + 64] = "";
    tsr_hopper_tile const *const t = &plan->tile;
    tsr_format_reason(why, sizeof why, plan->why);
    if (plan->groups > 0)
        snprintf(groups, sizeof groups, "%d products, ", plan->groups);
    if (plan->copies_before + plan->copies_behind > 0)
        snprintf(copies, sizeof copies, ", behind %d and before %d copies: %s", plan->copies_before,
                 plan->copies_behind, why);
    int const n =
        !plan->device ? snprintf(out, size, "no product")
        : plan->by_tma
            ? snprintf(out, size, "%s%dx%d tiles%s%s%s%s, %d stages%s; %lld tiles on %u blocks%s%s", groups, t->m,
                       t->n, t->flags & TSR_HOPPER_TURNS ? " in turns" : "", t->ctas > 1 ? ", pairs" : "",
                       t->flags & TSR_HOPPER_SCALES ? ", blocks with scales" : "",
                       plan->swapped ? ", A and B change places" : "", t->stages,
                       t->flags & TSR_HOPPER_D_ANY ? ", C element by element" : "", (long long)plan->tiles,
                       plan->launch.grid[0], plan->shape.splits > 1 ? ", K in parts" : "", copies)
            : snprintf(out, size, "plain loops, %lld tiles of %dx%d%s%s: %s", (long long)plan->tiles, t->m, t->n,
                       plan->access & TSR_ANY_TENSOR ? " by tensor cores" : "",
                       plan->loops.splits > 1 ? ", K in parts" : "", why);
    return n > 0 ? (size_t)n : 0;
}
