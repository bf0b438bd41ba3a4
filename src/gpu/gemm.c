/** Products: plans and their launches. */
#include "gpu/gemm.h"
#include "gpu/call.h"
#include "gpu/compile.h"
#include "tessera/text.h"

#include <stdio.h>

enum { MOST_BLOCKS = 1 << 20 };

tsr_tensor tsr_gpu_tensor(tsr_gpu_memory const *memory, tsr_dtype type, tsr_layout layout)
{
    tsr_engine const at = tsr_gmem_ptr(tsr_int((int64_t)memory->address), type);
    return tsr_make_tensor_of(tsr_engine_bounded(at, memory->address, memory->bytes), layout);
}

/** Whether loops were found for all modes. */
static bool has_loops(tsr_gemm_plan const *p)
{
    int64_t const *const size = p->product.modes[2].size;
    return p->v.size == size[0] && p->m.size * p->n.size == size[1] * size[2]
           && p->k.size == p->product.modes[0].size[2];
}

static bool is_one_of(tsr_dtype type, tsr_dtype const *list, int count)
{
    for (int i = 0; i < count; ++i)
        if (list[i] == type)
            return true;
    return false;
}

static bool is_whole(tsr_dtype type) { return type / 256 < 2; }

/** Types of plain loops; results are numbers of at least 16 bits, of integers f32 or i32. */
static bool has_types(tsr_product_ const *g)
{
    static tsr_dtype const in[] = {TSR_F16, TSR_BF16, TSR_F32,       TSR_TF32,    TSR_F64,
                                   TSR_I8,  TSR_U8,   TSR_F8_E4M3FN, TSR_F8_E5M2, TSR_I32};
    static tsr_dtype const out[] = {TSR_F32, TSR_I32, TSR_F16, TSR_BF16, TSR_F64};
    tsr_dtype const a = g->a.engine.type, b = g->b.engine.type, c = g->c.engine.type;
    return is_one_of(a, in, 10) && is_one_of(b, in, 10) && is_one_of(c, out, 5)
           && is_one_of(g->bias.engine.type, out, 5) && (c != TSR_I32 || (is_whole(a) && is_whole(b)));
}

tsr_gpu_result gpu_refuse_product(tsr_reason why, int number, tsr_gpu_log const *log)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, why);
    gpu_log(log, text);
    return gpu_refuse(TSR_GPU_PRODUCT, number, 0, 0);
}

tsr_gpu_result gpu_plan_loops(tsr_gpu_device const *device, tsr_tensor a, tsr_tensor b, tsr_tensor c,
                              tsr_epilogue const *epilogue, int number, tsr_gpu_log const *log, tsr_gemm_plan *plan)
{
    tsr_gpu_result r = gpu_usable(device);
    if (!tsr_gpu_ok(r))
        return r;
    *plan = tsr_plan_gemm(a, b, c, epilogue);
    tsr_product_ const *const x = &plan->product;
    if (x->why.status)
        return gpu_refuse_product(x->why, number, log);
    if (!has_types(x)) {
        r = gpu_refuse(TSR_GPU_PRODUCT_TYPES, a.engine.type, b.engine.type, c.engine.type);
        r.number[3] = x->bias.engine.type;
    } else if (!has_loops(plan)) {
        r = gpu_refuse(TSR_GPU_PRODUCT_LOOPS, 0, 0, 0);
    }
    return r;
}

/** The plan by plain loops. */
static void take_loops(tsr_gpu_gemm *g, tsr_gemm_plan const *p)
{
    tsr_tensor const *const t[TSR_OPERANDS] = {&p->product.a, &p->product.b, &p->product.c, &p->product.bias};
    tsr_gemm_any *const any = &g->loops;
    *any = (tsr_gemm_any){p->v, p->m, p->n, p->k, {{0, 0, {0}}}, p->product.alpha, p->product.beta};
    for (int i = 0; i < TSR_OPERANDS; ++i) {
        any->base[i].address = t[i]->engine.address;
        any->base[i].begin = t[i]->layout.composed ? tsr_leaf_value(t[i]->layout.offset) : 0;
        any->base[i].swizzle = t[i]->layout.composed ? t[i]->layout.swizzle : tsr_make_swizzle(0, 0, 0);
    }
    g->swapped = p->swapped;
    for (int side = 128; side >= 64 && g->tiles < g->device->processors; side /= 2) { /* the large ones if they are many */
        g->tile.m = g->tile.n = side;
        g->tiles = tsr_ceil_div64(p->m.size, side) * tsr_ceil_div64(p->n.size, side) * p->v.size;
    }
    g->launch.grid[0] = (unsigned)tsr_min64(g->tiles, MOST_BLOCKS);
    g->launch.block[0] = 256;
}

/** The arguments of the kernel, at their places in the plan. */
static int arguments_of(tsr_gpu_gemm const *g, tsr_gpu_argument argument[5])
{
    size_t const epilogue = gpu_epilogue_bytes(g->tile.flags);
    tsr_gpu_argument const all[] = {TSR_GPU_ARGUMENT(g->map[0]), TSR_GPU_ARGUMENT(g->map[1]),
                                    TSR_GPU_ARGUMENT(g->map[2]), TSR_GPU_ARGUMENT(g->shape), {&g->epilogue, epilogue}};
    tsr_gpu_argument const loops = TSR_GPU_ARGUMENT(g->loops), list = TSR_GPU_ARGUMENT(g->list);
    memcpy(argument, all, sizeof all);
    if (g->groups > 0 || !g->by_tma)
        argument[0] = g->by_tma ? list : loops;
    return g->groups > 0 || !g->by_tma ? 1 : 5;
}

tsr_gpu_result gpu_gemm_prepare(tsr_gpu_gemm const *g)
{
    tsr_gpu_argument argument[5];
    int const count = arguments_of(g, argument);
    return gpu_prepare(&g->kernel, &g->launch, argument, count);
}

static tsr_gpu_result find_kernel(tsr_gpu_cache *cache, tsr_gpu_device const *device, char const *header,
                                  char const *name, tsr_gpu_log const *log, tsr_gpu_kernel *kernel)
{
    char text[64];
    tsr_gpu_source const source = {.text = text, .kernels = &name, .kernel_count = 1};
    snprintf(text, sizeof text, "#include <tessera/cuda/%s.cuh>\n", header);
    return tsr_gpu_specialise(cache, device, &source, log, kernel);
}

tsr_gpu_result gpu_hopper_kernel(tsr_gpu_gemm const *g, tsr_gpu_cache *cache, char const *form, tsr_dtype bias,
                                 tsr_gpu_log const *log, tsr_gpu_kernel *kernel)
{
    char name[256];
    tsr_hopper_tile const *const t = &g->tile;
    bool const scaled = (t->flags & TSR_HOPPER_SCALES) != 0;
    snprintf(name, sizeof name, "tsr_hopper_%s<tsr_hopper_plan<%d, %d, %d, %d, %d, %d>, %stsr_gemm_epilogue<%d, %d, %d> %s>",
             form, t->a, t->b, t->d, t->m, t->n, t->flags, scaled ? "tsr_gemm_scaled<" : "", t->d, bias, g->parts,
             scaled ? "> " : "");
    return find_kernel(cache, g->device, strcmp(form, "gemm") == 0 ? "hopper_gemm" : "hopper_groups", name, log, kernel);
}

static tsr_gpu_result loops_kernel(tsr_gpu_gemm *g, tsr_gpu_cache *cache, tsr_product_ const *x, tsr_gpu_log const *log)
{
    char name[256];
    snprintf(name, sizeof name, "tsr_gemm_by_loops<%d, %d, %d, %d, %d, %d>", x->a.engine.type, x->b.engine.type,
             x->c.engine.type, x->bias.engine.type, g->parts, g->tile.m / 16);
    return find_kernel(cache, g->device, "gemm_any", name, log, &g->kernel);
}

/** The memory that parts of K need: a number for each consumer of a tile, then their sums. */
static tsr_gpu_result find_room(tsr_gpu_gemm *g)
{
    int64_t const numbers = (g->tiles / g->shape.splits * TSR_HOPPER_CONSUMERS * 4 + 255) / 256 * 256;
    if (g->shape.splits <= 1)
        return gpu_refuse(TSR_GPU_OK, 0, 0, 0);
    tsr_gpu_result r = tsr_gpu_alloc(g->device, (size_t)(numbers + g->tiles * g->tile.m * g->tile.n * 4), &g->room);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_fill(&g->room, 0, 0, (size_t)numbers, NULL);
    g->shape.arrived = g->room.address;
    g->shape.partial = g->room.address + (uint64_t)numbers;
    return r;
}

void gpu_take_choice(tsr_gpu_gemm *g, gpu_choice const *c)
{
    tsr_hopper_tile const *const t = &c->tile;
    g->tile = c->splits > 1 ? gpu_tile(t->a, t->b, t->d, t->m, t->n, t->flags | TSR_HOPPER_SPLITS) : *t;
    g->swapped = c->swapped;
    g->tiles = c->tiles;
    g->launch.grid[0] = (unsigned)c->blocks;
    g->launch.block[0] = TSR_HOPPER_THREADS;
    g->launch.cluster[0] = (unsigned)t->ctas;
    g->launch.shared = (unsigned)g->tile.shared;
    g->by_tma = true;
}

/** Cuts the product for TMA and wgmma; the reason why that is not possible. */
static tsr_tuple cut(tsr_gpu_device const *device, gpu_work *work, gpu_choice *choice, tsr_tma_desc desc[3])
{
    tsr_tuple const why = gpu_cut_reason(device, work->plan);
    if (why.status)
        return why;
    work->flags |= gpu_any_result(work->plan);
    *choice = gpu_choose(work);
    if (!choice->tile.m)
        return choice->tile.why;
    if (choice->tiles > INT32_MAX)
        return tsr_bad_tuple(TSR_GEMM_LARGE, 0, choice->tiles, 0, 0);
    return gpu_describe(work->plan, choice, desc);
}

bool gpu_is_cut(tsr_gpu_device const *device, tsr_gemm_plan const *plan)
{
    tsr_tma_desc desc[3];
    gpu_choice choice;
    gpu_work work = {plan, 1, 0, plan, gpu_parts_of(&plan->product), 0, device->processors};
    return !cut(device, &work, &choice, desc).status;
}

/** The kernel of a plan that is cut, or of plain loops, ready to be launched. */
static tsr_gpu_result make(tsr_gpu_gemm *g, tsr_gpu_cache *cache, tsr_gemm_plan *p,
                           tsr_tensor const *const given[TSR_OPERANDS], tsr_epilogue const *epilogue, int flags,
                           tsr_gpu_log const *log)
{
    tsr_tma_desc desc[3];
    gpu_choice choice;
    gpu_record record;
    tsr_product_ const *const x = &p->product;
    tsr_gpu_result r = gpu_refuse(TSR_GPU_OK, 0, 0, 0);
    g->parts = gpu_parts_of(x);
    gpu_work work = {p, 1, 0, p, g->parts, flags, g->device->processors};
    g->why = tsr_tuple_why(cut(g->device, &work, &choice, desc));
    if (g->why.status && flags & TSR_HOPPER_SCALES)
        return gpu_refuse_product(g->why, 0, log);
    tsr_reason const why_not = g->why;
    if (g->why.status)
        r = gpu_pack(g, cache, given, epilogue, g->why, log, p);
    if (!tsr_gpu_ok(r))
        return r;
    if (g->packed.address) {
        work.flags = flags;
        g->why = tsr_tuple_why(cut(g->device, &work, &choice, desc));
    }
    if (g->why.status) {
        take_loops(g, p);
        r = loops_kernel(g, cache, x, log);
    } else {
        tsr_tuple const why = gpu_make_record(g->device, p, &choice, desc, &record);
        gpu_product const side = gpu_product_of(p, choice.swapped);
        if (why.status)
            return gpu_refuse_product(tsr_tuple_why(why), 0, log);
        gpu_take_choice(g, &choice);
        tsr_gpu_gemm_scales const scales = g->epilogue.scales;
        memcpy(g->map, record.map, sizeof g->map);
        g->epilogue = record.epilogue;
        g->epilogue.scales = scales;
        g->why = why_not;
        g->shape = (tsr_gpu_gemm_shape){(int32_t)side.m->size, (int32_t)side.n->size, (int32_t)p->k.size,
                                        (int32_t)p->v.size, choice.splits, 0, 0};
        r = gpu_hopper_kernel(g, cache, "gemm", x->bias.engine.type, log, &g->kernel);
        if (tsr_gpu_ok(r))
            r = find_room(g);
    }
    return tsr_gpu_ok(r) ? gpu_gemm_prepare(g) : r;
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
    tsr_tensor const *const given[TSR_OPERANDS] = {&a, &b, &c, epilogue ? epilogue->bias : NULL};
    r = make(plan, cache, &p, given, epilogue, scales ? TSR_HOPPER_SCALES : 0, log);
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
    tsr_tuple const why = gpu_find_scales(a, b, scale_a, scale_b, &scales);
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
        tsr_gpu_launch const lists = {{(unsigned)plan->groups, 1, 1}, {256, 1, 1}, {0}, 0, stream};
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
    memset(plan, 0, sizeof *plan);
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
        snprintf(copies, sizeof copies, ", behind %d and before %d copies: %s", plan->copies_before, plan->copies_behind,
                 why);
    int const n =
        !plan->device ? snprintf(out, size, "no product")
        : plan->by_tma
            ? snprintf(out, size, "%s%dx%d tiles%s%s%s%s, %d stages%s; %lld tiles on %u blocks%s%s", groups, t->m, t->n,
                       t->flags & TSR_HOPPER_TURNS ? " in turns" : "", t->ctas > 1 ? ", pairs" : "",
                       t->flags & TSR_HOPPER_SCALES ? ", blocks with scales" : "",
                       plan->swapped ? ", A and B change places" : "", t->stages,
                       t->flags & TSR_HOPPER_D_ANY ? ", C element by element" : "", (long long)plan->tiles,
                       plan->launch.grid[0], plan->shape.splits > 1 ? ", K in parts" : "", copies)
            : snprintf(out, size, "plain loops, %lld tiles of %dx%d: %s", (long long)plan->tiles, t->m, t->n, why);
    return n > 0 ? (size_t)n : 0;
}
