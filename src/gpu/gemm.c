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

static int parts_of(tsr_product_ const *g)
{
    return (g->alpha != 1 ? EPILOGUE_SCALES : 0) | (g->beta != 0 ? EPILOGUE_ADDS : 0)
           | (g->biased ? EPILOGUE_BIASED : 0) | (g->activation == TSR_RELU ? EPILOGUE_RELU : 0);
}

static bool is_small_integer(double x) { return x == (double)(int32_t)x && x >= -1e6 && x <= 1e6; }

/** What the tensor cores multiply, with an epilogue of the sums' type. Others have no tile (atom/hopper_tile.h). */
static tsr_tuple types_reason(tsr_product_ const *g)
{
    tsr_dtype const a = g->a.engine.type, b = g->b.engine.type, c = g->c.engine.type, d = g->bias.engine.type;
    static tsr_dtype const eight[] = {TSR_F8_E4M3FN, TSR_F8_E5M2};
    static tsr_dtype const equal[] = {TSR_F16, TSR_BF16, TSR_TF32, TSR_I8};
    bool const pair = (is_one_of(a, eight, 2) && is_one_of(b, eight, 2)) || (a == b && is_one_of(a, equal, 4));
    bool const result =
        c == TSR_F16 || c == TSR_BF16 || c == TSR_F32
        || (c == TSR_I32 && a == TSR_I8 && d == TSR_I32 && is_small_integer(g->alpha) && is_small_integer(g->beta));
    if (pair && result && d != TSR_F64 && (d != TSR_I32 || c == TSR_I32))
        return tsr_s(1);
    return tsr_bad_tuple(TSR_GEMM_TYPES, 0, tsr_dtype_bits(a), tsr_dtype_bits(b), tsr_dtype_bits(c));
}

static uint64_t address_of(tsr_tensor const *t, int64_t begin)
{
    return t->engine.address + (uint64_t)(begin * (tsr_dtype_bits(t->engine.type) / 8));
}

/** A matrix of the batch, of one loop a mode, as a tensor (rows, columns, batch). */
static tsr_layout matrix_of(tsr_gemm_loops const *rows, tsr_gemm_loops const *columns, tsr_gemm_loops const *batch,
                            int operand)
{
    return tsr_make_layout_from(tsr_tuple_3(tsr_int(rows->size), tsr_int(columns->size), tsr_int(batch->size)),
                                tsr_tuple_3(tsr_int(gpu_step(rows, operand)), tsr_int(gpu_step(columns, operand)),
                                            tsr_int(gpu_step(batch, operand))));
}

/** What TMA is told of an operand; invalid where it cannot take it. */
static tsr_tma_desc desc_of(tsr_layout smem, tsr_tensor const *t, int64_t begin, int parts, tsr_layout matrix)
{
    tsr_tma_tile const tile = tsr_make_tma_tile(smem, t->engine.type, parts);
    tsr_tma_desc d = tsr_tma_tile_desc(&tile, t->engine.type, matrix);
    d.address = address_of(t, begin);
    if (!d.why.status)
        d.why = tsr_reason_tuple(tsr_tma_lint(d).why);
    if (t->layout.composed && t->layout.swizzle.bits != 0)
        d.why = tsr_bad_tuple(TSR_SWIZZLE_STRIDE, 0, 0, 0, 0);
    return d;
}

/** For the epilogue: a matrix of the result's modes. */
static tsr_gpu_matrix epilogue_matrix(gpu_product const *p, tsr_tensor const *t, int operand)
{
    tsr_gpu_matrix const r = {address_of(t, p->of->begin[operand]),
                              {(int32_t)p->m->size, (int32_t)p->n->size},
                              {gpu_step(p->m, operand), gpu_step(p->n, operand)},
                              gpu_step(&p->of->v, operand)};
    return r;
}

/** TSR_HOPPER_D_ANY where TMA cannot store the result: it writes whole 16 bytes (exec/tma.h), so that what stands behind
 *  the ends of rows would be lost. */
static int any_result(tsr_gemm_plan const *p)
{
    tsr_tensor const *const c = &p->product.c;
    tsr_layout const smem = tsr_hopper_smem(c->engine.type, 64, 64, gpu_along(&p->m, &p->n, TSR_IN_C) ? 0 : 1);
    tsr_tma_desc const d = desc_of(smem, c, p->begin[TSR_IN_C], 1, matrix_of(&p->m, &p->n, &p->v, TSR_IN_C));
    bool const whole = d.dim[0] * tsr_dtype_bits(c->engine.type) % 128 == 0;
    return d.why.status || !whole ? TSR_HOPPER_D_ANY : 0;
}

/** Cuts the product for TMA and wgmma; the reason why that is not possible. */
static tsr_tuple cut(tsr_gpu_gemm *g, tsr_gemm_plan const *plan, tsr_tma_desc desc[3])
{
    tsr_product_ const *const x = &plan->product;
    tsr_gemm_loops const *const all[] = {&plan->v, &plan->m, &plan->n, &plan->k};
    tsr_tuple why = types_reason(x);
    for (int i = 0; i < 4 && !why.status; ++i) {
        int const mode = plan->swapped && (i == 1 || i == 2) ? 3 - i : i; /* as the caller has them */
        if (all[i]->loops > 1)
            why = tsr_bad_tuple(TSR_GEMM_LOOPS, mode, all[i]->loops, 0, 0);
        if (all[i]->size > INT32_MAX - 512)
            why = tsr_bad_tuple(TSR_GEMM_LARGE, mode, all[i]->size, 0, 0);
    }
    if (!why.status && g->device->major != 9)
        why = tsr_bad_tuple(TSR_GEMM_DEVICE, 0, g->device->major, g->device->minor, 0);
    if (why.status)
        return why;
    if ((x->c.layout.composed && x->c.layout.swizzle.bits != 0)
        || (x->biased && x->bias.layout.composed && x->bias.layout.swizzle.bits != 0))
        return tsr_bad_tuple(TSR_SWIZZLE_STRIDE, 0, 0, 0, 0);
    gpu_choice const c = gpu_choose(plan, g->parts, any_result(plan), g->device->processors);
    if (!c.tile.m)
        return c.tile.why;
    if (c.tiles > INT32_MAX)
        return tsr_bad_tuple(TSR_GEMM_LARGE, 0, c.tiles, 0, 0);
    gpu_product const p = gpu_product_of(plan, c.swapped);
    tsr_hopper_tile const *const t = &c.tile;
    desc[0] = desc_of(t->smem_a, p.a, plan->begin[p.left], 1, matrix_of(p.m, &plan->k, &plan->v, p.left));
    desc[1] = desc_of(t->smem_b, p.b, plan->begin[p.right], t->ctas, matrix_of(p.n, &plan->k, &plan->v, p.right));
    desc[2] = desc[0]; /* which nobody asks for with TSR_HOPPER_D_ANY */
    if (!(t->flags & TSR_HOPPER_D_ANY))
        desc[2] = desc_of(t->smem_d, &x->c, plan->begin[TSR_IN_C], 1, matrix_of(p.m, p.n, &plan->v, TSR_IN_C));
    for (int i = 0; i < 3; ++i)
        if (desc[i].why.status)
            return desc[i].why;
    g->tile = c.splits > 1 ? tsr_make_hopper_tile(t->a, t->b, t->d, t->m, t->n, t->flags | TSR_HOPPER_SPLITS) : *t;
    g->swapped = c.swapped != plan->swapped;
    g->tiles = c.tiles;
    g->launch.grid[0] = (unsigned)c.blocks;
    g->launch.block[0] = TSR_HOPPER_THREADS;
    g->launch.cluster[0] = (unsigned)t->ctas;
    g->launch.shared = (unsigned)g->tile.shared;
    g->shape = (tsr_gpu_gemm_shape){
        (int32_t)p.m->size, (int32_t)p.n->size, (int32_t)plan->k.size, (int32_t)plan->v.size, c.splits, 0, 0};
    g->epilogue.alpha = (float)x->alpha;
    g->epilogue.beta = (float)x->beta;
    g->epilogue.d = g->epilogue.c = epilogue_matrix(&p, &x->c, TSR_IN_C);
    g->epilogue.bias = epilogue_matrix(&p, &x->bias, x->biased ? TSR_IN_BIAS : TSR_IN_C);
    g->by_tma = true;
    return tsr_s(1);
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
    g->tiles = (p->m.size + 63) / 64 * ((p->n.size + 63) / 64) * p->v.size;
    g->launch.grid[0] = (unsigned)tsr_min64(g->tiles, MOST_BLOCKS);
    g->launch.block[0] = 256;
}

/** The arguments of the kernel, at their places in the plan. */
static int arguments_of(tsr_gpu_gemm const *g, tsr_gpu_argument argument[5])
{
    tsr_gpu_argument const all[] = {TSR_GPU_ARGUMENT(g->map[0]), TSR_GPU_ARGUMENT(g->map[1]),
                                    TSR_GPU_ARGUMENT(g->map[2]), TSR_GPU_ARGUMENT(g->shape),
                                    TSR_GPU_ARGUMENT(g->epilogue)};
    tsr_gpu_argument const loops = TSR_GPU_ARGUMENT(g->loops);
    memcpy(argument, all, sizeof all);
    if (!g->by_tma)
        argument[0] = loops;
    return g->by_tma ? 5 : 1;
}

/** Compiles the kernel, or finds it. */
static tsr_gpu_result find_kernel(tsr_gpu_gemm *g, tsr_gpu_cache *cache, tsr_product_ const *x,
                                  tsr_gpu_log const *log)
{
    char name[256];
    char const *const names[] = {name};
    tsr_dtype const c = x->c.engine.type, bias = x->bias.engine.type;
    tsr_gpu_source const source = {
        .text = g->by_tma ? "#include <tessera/cuda/hopper_gemm.cuh>\n" : "#include <tessera/cuda/gemm_any.cuh>\n",
        .kernels = names,
        .kernel_count = 1};
    if (g->by_tma)
        snprintf(name, sizeof name,
                 "tsr_hopper_gemm<tsr_hopper_plan<%d, %d, %d, %d, %d, %d>, tsr_gemm_epilogue<%d, %d, %d> >",
                 g->tile.a, g->tile.b, c, g->tile.m, g->tile.n, g->tile.flags, c, bias, g->parts);
    else
        snprintf(name, sizeof name, "tsr_gemm_by_loops<%d, %d, %d, %d, %d>", x->a.engine.type, x->b.engine.type, c,
                 bias, g->parts);
    return tsr_gpu_specialise(cache, g->device, &source, log, &g->kernel);
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

/** A reason of exec/gemm.h into the log. */
static tsr_gpu_result refuse_product(tsr_reason why, tsr_gpu_log const *log)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, why);
    gpu_log(log, text);
    return gpu_refuse(TSR_GPU_PRODUCT, 0, 0, 0);
}

static tsr_gpu_result make(tsr_gpu_gemm *g, tsr_gpu_cache *cache, tsr_gemm_plan const *p, tsr_gpu_log const *log)
{
    tsr_tma_desc desc[3];
    tsr_gpu_argument argument[5];
    tsr_product_ const *const x = &p->product;
    if (!has_types(x)) {
        tsr_gpu_result r = gpu_refuse(TSR_GPU_PRODUCT_TYPES, x->a.engine.type, x->b.engine.type, x->c.engine.type);
        r.number[3] = x->bias.engine.type;
        return r;
    }
    if (!has_loops(p))
        return gpu_refuse(TSR_GPU_PRODUCT_LOOPS, 0, 0, 0);
    g->parts = parts_of(x);
    g->why = tsr_tuple_why(cut(g, p, desc));
    if (!g->by_tma)
        take_loops(g, p);
    for (int i = 0; i < 3 && g->by_tma; ++i) {
        _Alignas(64) uint64_t map[16];
        tsr_tuple const encoded = tsr_gpu_tma_encode(g->device, &desc[i], desc[i].address, map);
        if (encoded.status)
            return refuse_product(tsr_tuple_why(encoded), log);
        memcpy(g->map[i], map, sizeof map);
    }
    tsr_gpu_result r = find_kernel(g, cache, x, log);
    if (tsr_gpu_ok(r) && g->by_tma)
        r = find_room(g);
    int const count = arguments_of(g, argument);
    return tsr_gpu_ok(r) ? gpu_prepare(&g->kernel, &g->launch, argument, count) : r;
}

tsr_gpu_result tsr_gpu_gemm_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a, tsr_tensor b,
                                 tsr_tensor c, tsr_epilogue const *epilogue, tsr_gpu_log const *log,
                                 tsr_gpu_gemm *plan)
{
    memset(plan, 0, sizeof *plan);
    gpu_log(log, "");
    tsr_gpu_result r = gpu_usable(device);
    if (!tsr_gpu_ok(r))
        return r;
    tsr_gemm_plan const p = tsr_plan_gemm(a, b, c, epilogue);
    if (p.product.why.status)
        return refuse_product(p.product.why, log);
    plan->device = device;
    r = make(plan, cache, &p, log);
    if (!tsr_gpu_ok(r))
        (void)tsr_gpu_gemm_free(plan);
    return r;
}

tsr_gpu_result tsr_gpu_gemm_run(tsr_gpu_gemm const *plan, tsr_gpu_stream const *stream)
{
    tsr_gpu_argument argument[5];
    if (!plan->device)
        return gpu_not_there("product");
    tsr_gpu_launch launch = plan->launch;
    launch.stream = stream;
    return gpu_run_prepared(&plan->kernel, &launch, argument, arguments_of(plan, argument));
}

tsr_gpu_result tsr_gpu_gemm_free(tsr_gpu_gemm *plan)
{
    tsr_gpu_result const r = tsr_gpu_free(&plan->room);
    memset(plan, 0, sizeof *plan);
    return r;
}

size_t tsr_format_gpu_gemm(char *out, size_t size, tsr_gpu_gemm const *plan)
{
    char why[TSR_TEXT_SIZE];
    tsr_hopper_tile const *const t = &plan->tile;
    tsr_format_reason(why, sizeof why, plan->why);
    int const n = !plan->device ? snprintf(out, size, "no product")
                  : plan->by_tma
                      ? snprintf(out, size, "%dx%d tiles%s%s%s, %d stages%s; %lld tiles on %u blocks%s", t->m, t->n,
                                 t->flags & TSR_HOPPER_TURNS ? " in turns" : "", t->ctas > 1 ? ", pairs" : "",
                                 plan->swapped ? ", A and B change places" : "", t->stages,
                                 t->flags & TSR_HOPPER_D_ANY ? ", C element by element" : "", (long long)plan->tiles,
                                 plan->launch.grid[0], plan->shape.splits > 1 ? ", K in parts" : "")
                      : snprintf(out, size, "plain loops, %lld tiles of 64x64: %s", (long long)plan->tiles, why);
    return n > 0 ? (size_t)n : 0;
}
