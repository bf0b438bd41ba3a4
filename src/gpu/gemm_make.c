/** Products: which way a product goes, its kernel, and the memory that it needs. */
#include "gpu/call.h"
#include "gpu/compile.h"
#include "gpu/gemm.h"
#include "tessera/text.h"

static bool is_one_of(tsr_dtype type, tsr_dtype const *list, int count)
{
    for (int i = 0; i < count; ++i)
        if (list[i] == type)
            return true;
    return false;
}

/** Types of plain loops; results are numbers of at least 16 bits, of integers f32 or i32. */
static bool has_types(tsr_product_ const *g)
{
    static tsr_dtype const in[] = {TSR_F16, TSR_BF16, TSR_F32,       TSR_TF32,    TSR_F64,
                                   TSR_I8,  TSR_U8,   TSR_F8_E4M3FN, TSR_F8_E5M2, TSR_I32};
    static tsr_dtype const out[] = {TSR_F32, TSR_I32, TSR_F16, TSR_BF16, TSR_F64};
    tsr_dtype const a = g->a.engine.type, b = g->b.engine.type, c = g->c.engine.type;
    return is_one_of(a, in, 10) && is_one_of(b, in, 10) && is_one_of(c, out, 5)
           && is_one_of(g->bias.engine.type, out, 5) && (c != TSR_I32 || (gpu_is_whole(a) && gpu_is_whole(b)));
}

tsr_gpu_result tsr_gpu_refuse_product_(tsr_reason why, int number, tsr_gpu_log const *log)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, why);
    tsr_gpu_log_(log, text);
    return tsr_gpu_forbid_(TSR_GPU_PRODUCT, why, number);
}

tsr_gpu_result tsr_gpu_plan_loops_(tsr_gpu_device const *device, tsr_tensor a, tsr_tensor b, tsr_tensor c,
                                   tsr_epilogue const *epilogue, int number, tsr_gpu_log const *log,
                                   tsr_gemm_problem *p)
{
    static char const *const slows[] = {
#define X(id, words) words,
        TSR_SLOW_LIST(X)
#undef X
    };
    tsr_gpu_result r = tsr_gpu_usable_(device);
    if (!tsr_gpu_ok(r))
        return r;
    memset(p, 0, sizeof *p);
    tsr_gemm_problem_make(p, &a, &b, &c, epilogue);
    tsr_product_ const *const x = &p->product;
    if (x->why.status)
        return tsr_gpu_refuse_product_(x->why, number, log);
    if (!has_types(x)) {
        r = tsr_gpu_refuse_(TSR_GPU_PRODUCT_TYPES, a.engine.type, b.engine.type, c.engine.type);
        r.number[3] = x->bias.engine.type;
    } else if (p->slow) {
        tsr_gpu_log_(log, slows[p->slow]);
        r = tsr_gpu_refuse_(TSR_GPU_PRODUCT_LOOPS, 0, 0, 0);
        r.text = slows[p->slow];
    }
    tsr_gemm_problem_order(p, &gpu_h200.loops.near);
    return r;
}

tsr_gpu_result tsr_gpu_find_scratch_(tsr_gpu_planned_gemm *g, tsr_gpu_cache *cache, int64_t divided, int64_t splits,
                                     int each, int bytes, uint64_t *arrived, uint64_t *partial)
{
    if (splits <= 1)
        return tsr_gpu_fine_();
    int64_t const numbers = divided * each * 4, sums = divided * splits * g->tile.m * g->tile.n;
    tsr_gpu_result const r =
        tsr_gpu_take_scratch_(cache, g->device, (size_t)numbers, (size_t)(sums * bytes), &g->sums);
    *arrived = g->sums.zeros;
    *partial = g->sums.address;
    return r;
}

void tsr_gpu_take_choice_(tsr_gpu_planned_gemm *g, gpu_choice const *c)
{
    tsr_hopper_tile const *const t = &c->tile;
    g->tile = *t;
    g->tile.flags |= c->splits > 1 ? TSR_HOPPER_SPLITS : 0;
    g->swapped = c->swapped;
    g->stands_in = c->stands_in;
    g->tiles = c->tiles;
    g->launch.grid[0] = (unsigned)c->blocks;
    g->launch.block[0] = TSR_HOPPER_THREADS;
    g->launch.cluster[0] = (unsigned)t->ctas;
    g->launch.shared = (unsigned)g->tile.shared;
    g->by_tma = true;
}

/** A product as it is cut. */
typedef struct cut_product {
    gpu_choice choice;
    tsr_tma_desc desc[3];
    gpu_pixels pixels;     /* where the kernel's A is an image: without dimensions, it is none */
    tsr_gemm_problem seen; /* by the kernel then: one loop a mode */
} cut_product;

/** Chooses the tile; the reason why there is none. */
static tsr_reason choose(gpu_work work, int rank, gpu_choice *choice)
{
    *choice = tsr_gpu_choose_(&work);
    for (int i = 0; i < rank && choice->tile.m; ++i) {
        work.above = choice->clocks;
        gpu_choice const next = tsr_gpu_choose_(&work);
        *choice = next.tile.m ? next : *choice;
    }
    if (!choice->tile.m)
        return choice->tile.why;
    return choice->tiles > INT32_MAX ? tsr_because(TSR_GEMM_LARGE, 0, choice->tiles, 0, 0) : tsr_no_reason();
}

/** Cuts the product as its operands are. */
static tsr_reason cut_plain(tsr_gpu_device const *device, gpu_compiled compiled, tsr_gemm_problem const *plan,
                            int flags, int rank, cut_product *to)
{
    tsr_reason const why = tsr_gpu_cut_reason_(device, plan, flags & TSR_HOPPER_SCALES ? 1 : 2);
    tsr_reason const loops = tsr_gpu_cut_reason_(device, plan, 1);
    int const more = why.status ? 0 : tsr_gpu_any_result_(plan) | tsr_gpu_modes_(plan);
    if (why.status || (more & TSR_HOPPER_D_ANY && loops.status))
        return loops;
    tsr_reason const operands = tsr_gpu_operands_reason_(plan);
    if (operands.status)
        return operands;
    gpu_work const work = {.plan = plan,
                           .count = 1,
                           .like = plan,
                           .parts = tsr_gpu_parts_of_(&plan->product),
                           .flags = flags | more,
                           .processors = device->processors,
                           .splits = GPU_MOST_SPLITS,
                           .compiled = compiled,
                           .form = GPU_GEMM,
                           .device = device};
    tsr_reason const none = choose(work, rank, &to->choice);
    if (none.status)
        return !to->choice.tile.m && loops.status ? loops : none;
    return tsr_gpu_describe_(plan, &to->choice, to->desc);
}

/** Whether a copy of the view and a product of it take less time: where channels fill few of the steps of K. */
static bool is_better_copied(tsr_gemm_problem const *plan, cut_product const *c)
{
    double const k = (double)plan->k.size, fill = k / (double)c->seen.k.size;
    double const rows = (double)(c->pixels.operand == TSR_IN_A ? plan->m.size : plan->n.size);
    double const bytes = rows * k * tsr_dtype_bits(plan->product.a.engine.type) / 8;
    return c->choice.clocks > c->choice.clocks * fill + gpu_h200.pack.copy_clocks + bytes / gpu_h200.pack.copy_bytes;
}

/** Cuts the product by pixels if an operand is a view of an image. If not, returns the reason `given`. */
static tsr_reason cut_pixels(tsr_gpu_device const *device, gpu_compiled compiled, tsr_gemm_problem const *plan,
                             int rank, tsr_reason given, cut_product *to)
{
    gpu_pixels *const x = &to->pixels;
    if (!tsr_gpu_find_pixels_(plan, x, &to->seen))
        return given;
    tsr_gemm_problem const *const seen = &to->seen;
    gpu_product const p = tsr_gpu_product_of_(seen, x->swapped);
    tsr_reason why = tsr_gpu_cut_reason_(device, seen, 1);
    if (!why.status)
        why = tsr_reason_or(tsr_gpu_image_map_(plan, x, 64).why,
                            tsr_gpu_filter_map_(plan, x, 64, tsr_gpu_majors_(&p)).why);
    gpu_work const work = {.plan = seen,
                           .count = 1,
                           .like = seen,
                           .parts = tsr_gpu_parts_of_(&seen->product),
                           .flags = tsr_gpu_any_result_(seen),
                           .processors = device->processors,
                           .splits = GPU_MOST_SPLITS,
                           .without = x->swapped ? 1 : 2,
                           .compiled = compiled,
                           .form = GPU_IMAGE,
                           .dims = x->view.dims,
                           .device = device};
    if (!why.status)
        why = choose(work, rank, &to->choice);
    if (why.status || is_better_copied(plan, to))
        return why.status ? why : given;
    tsr_hopper_tile const *const t = &to->choice.tile;
    to->desc[0] = tsr_gpu_image_map_(plan, x, t->m);
    to->desc[1] = tsr_gpu_filter_map_(plan, x, t->n, t->flags);
    to->desc[2] = t->flags & TSR_HOPPER_D_ANY ? to->desc[0] : tsr_gpu_result_map_(seen, &to->choice);
    return tsr_reason_or(tsr_reason_or(to->desc[0].why, to->desc[1].why), to->desc[2].why);
}

/** Cuts the product for TMA and wgmma; the reason why that is not possible. Kernels of `compiled` may do. */
static tsr_reason cut(tsr_gpu_device const *device, gpu_compiled compiled, tsr_gemm_problem const *plan, int flags,
                      int rank, cut_product *to)
{
    tsr_reason const why = cut_plain(device, compiled, plan, flags, rank, to);
    to->pixels.view.dims = 0;
    if (why.status == TSR_OK || flags & TSR_HOPPER_SCALES)
        return why;
    tsr_reason const pixels = cut_pixels(device, compiled, plan, rank, why, to);
    if (pixels.status)
        to->pixels.view.dims = 0;
    return pixels;
}

double tsr_gpu_cut_clocks_(tsr_gpu_device const *device, tsr_gemm_problem const *plan)
{
    cut_product to;
    return cut(device, (gpu_compiled){NULL, 0}, plan, 0, 0, &to).status ? GPU_NEVER : to.choice.clocks;
}

/** The extent of the first loop of a mode. A mode of one element has no loop: 1. */
static int32_t first_of(tsr_gemm_loops const *x) { return x->loops > 0 ? (int32_t)x->count[0] : 1; }

/** What the kernel is told of a product that is cut. */
static tsr_gpu_result take_cut(tsr_gpu_planned_gemm *g, tsr_gemm_problem const *given, cut_product const *c,
                               tsr_gpu_log const *log)
{
    tsr_gemm_problem const *const p = c->pixels.view.dims > 0 ? &c->seen : given;
    tsr_gemm_record record;
    tsr_reason const why = tsr_gpu_make_record_(g->device, p, &c->choice, c->desc, &record);
    gpu_product const side = tsr_gpu_product_of_(p, c->choice.swapped);
    if (why.status)
        return tsr_gpu_refuse_product_(why, 0, log);
    record.epilogue.scales = g->epilogue.scales;
    g->epilogue = record.epilogue;
    g->pixels = c->pixels.view;
    memcpy(g->map, record.map, sizeof g->map);
    for (int i = 0; i < 3; ++i)
        g->place[i] = c->desc[i].address;
    g->shape = (tsr_gemm_shape){(int32_t)side.m->size,
                                (int32_t)side.n->size,
                                (int32_t)p->k.size,
                                (int32_t)p->v.size,
                                c->choice.splits,
                                {first_of(side.m), first_of(side.n), first_of(&p->k), first_of(&p->v)},
                                0,
                                0};
    tsr_gpu_take_choice_(g, &c->choice);
    if (g->by_umma)
        g->launch.block[0] = TSR_UMMA_TILE_THREADS;
    g->launch.early = (c->choice.tile.flags & TSR_HOPPER_SCALES) == 0;
    return tsr_gpu_fine_();
}

/** By tcgen05.mma, which is asked for; the reason why not. */
static tsr_reason cut_unproven(tsr_gpu_planned_gemm *g, tsr_gemm_problem const *plan, int flags, cut_product *to)
{
    to->pixels.view.dims = 0;
    if (!g->unproven || flags & TSR_HOPPER_SCALES)
        return tsr_because(TSR_GEMM_DEVICE, 0, g->device->major, g->device->minor, 0);
    tsr_reason const why = tsr_gpu_cut_umma_(g->device, plan, &to->choice, to->desc);
    g->by_umma = !why.status;
    return why;
}

tsr_gpu_result tsr_gpu_make_gemm_(tsr_gpu_planned_gemm *g, tsr_gpu_cache *cache, tsr_gemm_problem const *given,
                                  int flags, tsr_gpu_log const *log)
{
    cut_product c;
    tsr_gpu_multiplier *kernel = NULL;
    gpu_compiled const compiled = {g->slower == 1 ? NULL : cache, g->slower};
    tsr_gemm_problem p = *given;
    tsr_product_ const *const x = &p.product;
    tsr_gpu_result r = tsr_gpu_fine_();
    tsr_reason const other = cut_unproven(g, &p, flags, &c);
    tsr_reason why = other.status ? cut(g->device, compiled, &p, flags, g->rank, &c) : other;
    g->parts = tsr_gpu_parts_of_(x);
    g->why = why.status == TSR_GEMM_DEVICE ? other : why;
    if (why.status && flags & TSR_HOPPER_SCALES)
        return tsr_gpu_refuse_product_(g->why, 0, log);
    if (why.status)
        r = tsr_gpu_pack_(g, cache, log, &p);
    if (tsr_gpu_ok(r) && g->packed.address)
        why = cut(g->device, compiled, &p, flags, g->rank, &c);
    if (!tsr_gpu_ok(r))
        return r;
    if (why.status) {
        r = tsr_gpu_take_loops_(g, cache, &p);
        if (tsr_gpu_ok(r))
            r = tsr_gpu_loops_kernel_(g, cache, x, log, &kernel);
    } else {
        r = take_cut(g, &p, &c, log);
        if (tsr_gpu_ok(r))
            r = tsr_gpu_hopper_kernel_(g, cache,
                                       g->by_umma           ? GPU_UMMA
                                       : g->pixels.dims > 0 ? GPU_IMAGE
                                                            : GPU_GEMM,
                                       x->bias.engine.type, log, &kernel);
        if (tsr_gpu_ok(r))
            r = tsr_gpu_find_scratch_(g, cache, g->tiles / g->shape.splits, g->shape.splits, TSR_HOPPER_CONSUMERS, 4,
                                      &g->shape.arrived, &g->shape.partial);
    }
    return tsr_gpu_ok(r) ? tsr_gpu_prepare_gemm_(g, kernel) : r;
}
