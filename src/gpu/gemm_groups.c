/** Products in groups: their records and the list of their tiles, in memory of the device. */
#include "gpu/call.h"
#include "gpu/compile.h"
#include "gpu/gemm.h"

#include <stdlib.h>

/** Where the parts of a plan's memory begin, in bytes. */
typedef struct record_parts {
    size_t record, records, tiles, bytes; /* of one; then the models of rows; the list; all */
} record_parts;

static record_parts record_parts_of(int flags, int groups, bool twice, int64_t clusters)
{
    record_parts r;
    r.record = (offsetof(tsr_gemm_record, epilogue) + gpu_epilogue_bytes(flags) + TSR_RECORD_ALIGNMENT - 1)
               / TSR_RECORD_ALIGNMENT * TSR_RECORD_ALIGNMENT;
    r.records = TSR_RECORD_ALIGNMENT; /* behind the number of tiles */
    r.tiles = r.records + r.record * (size_t)groups * (twice ? 2 : 1);
    r.bytes = r.tiles + (size_t)clusters * sizeof(tsr_gemm_listed);
    return r;
}

/** The tiles of product i, in the order of cuda/schedule.cuh, to `to`. */
static tsr_gemm_listed *list_tiles(tsr_gemm_listed *to, int product, int64_t m, int64_t n, int64_t steps, int height)
{
    for (int64_t group = 0; group < m; group += height)
        for (int64_t i = 0, rows = tsr_min64(height, m - group); i < rows * n; ++i)
            *to++ = (tsr_gemm_listed){product, (int32_t)(group + i % rows), (int32_t)(i / rows), (int32_t)steps};
    return to;
}

/** How many tiles of clusters a product has, down and across. */
static int64_t down_of(tsr_hopper_tile const *t, int64_t m)
{
    return tsr_ceil_div64(tsr_ceil_div64(m, t->m), t->ctas);
}
static int64_t across_of(tsr_hopper_tile const *t, int64_t n) { return tsr_ceil_div64(n, t->n); }

/** The record of a product, at its place; its scales where the tile has some. */
static tsr_reason write_record(tsr_gpu_device const *device, tsr_gemm_problem const *p, gpu_choice const *choice,
                               tsr_gemm_scales const *scales, char *to)
{
    tsr_tma_desc desc[3];
    tsr_gemm_record record;
    tsr_reason why = tsr_gpu_describe_(p, choice, desc);
    if (!why.status)
        why = tsr_gpu_make_record_(device, p, choice, desc, &record);
    record.epilogue.scales = *scales;
    memcpy(to, record.map, sizeof record.map);
    memcpy(to + sizeof record.map, &record.epilogue, gpu_epilogue_bytes(choice->tile.flags));
    return why;
}

/** Whether the neighbours of a product's tensors are along one mode only. */
static bool is_plain(tsr_gemm_problem const *p) { return p->m.size > 1 && p->n.size > 1 && p->k.size > 1; }

/** Whether product i is of the same kind as `like`, and may be cut. */
static tsr_reason group_reason(tsr_gpu_device const *device, tsr_gemm_problem const *like, tsr_gemm_problem const *p,
                               int i)
{
    gpu_product const first = tsr_gpu_product_of_(like, false), mine = tsr_gpu_product_of_(p + i, false);
    tsr_product_ const *const x = &like->product, *const y = &p[i].product;
    tsr_reason const why = tsr_gpu_cut_reason_(device, p + i, 1);
    if (why.status)
        return why;
    if (p[i].v.size != 1)
        return tsr_because(TSR_GEMM_RANK, 0, 3, 3, 3);
    if ((is_plain(p + i) && tsr_gpu_majors_(&first) != tsr_gpu_majors_(&mine))
        || first.a->engine.type != mine.a->engine.type || first.b->engine.type != mine.b->engine.type
        || x->c.engine.type != y->c.engine.type || x->bias.engine.type != y->bias.engine.type
        || tsr_gpu_parts_of_(x) != tsr_gpu_parts_of_(y))
        return tsr_because(TSR_GEMM_GROUP, 0, i, 0, 0);
    return why;
}

/** Memory of the device with these bytes in front, and the kernel that reads it. */
static tsr_gpu_result finish(tsr_gpu_planned_gemm *g, tsr_gpu_cache *cache, tsr_dtype bias, record_parts r,
                             char const *bytes, size_t count, tsr_gpu_log const *log)
{
    tsr_gpu_multiplier *kernel = NULL;
    tsr_gpu_result done = tsr_gpu_alloc(g->device, r.bytes, &g->records);
    if (tsr_gpu_ok(done))
        done = tsr_gpu_write(&g->records, 0, bytes, count, NULL);
    g->list = (tsr_gemm_list){g->records.address + r.records, g->records.address + r.tiles, g->records.address};
    if (tsr_gpu_ok(done))
        done = tsr_gpu_hopper_kernel_(g, cache, GPU_GROUPS, bias, log, &kernel);
    return tsr_gpu_ok(done) ? tsr_gpu_prepare_gemm_(g, kernel) : done;
}

static tsr_gpu_result no_memory(size_t bytes) { return tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)bytes, 0, 0); }

static tsr_gpu_result make_groups(tsr_gpu_planned_gemm *g, tsr_gpu_cache *cache, tsr_gemm_problem const *p, int count,
                                  tsr_gemm_scales const *scales, int flags, tsr_gpu_log const *log)
{
    gpu_work work = {.plan = p,
                     .count = count,
                     .like = p,
                     .parts = tsr_gpu_parts_of_(&p->product),
                     .flags = flags,
                     .processors = g->device->processors,
                     .splits = 1,
                     .compiled = {cache, 0},
                     .form = GPU_GROUPS,
                     .device = g->device};
    for (int i = 0; i < count && !is_plain(work.like); ++i)
        work.like = is_plain(p + i) ? p + i : p;
    for (int i = 0; i < count; ++i) {
        tsr_reason const why = group_reason(g->device, work.like, p, i);
        if (why.status)
            return tsr_gpu_refuse_product_(why, i, log);
        work.flags |= tsr_gpu_any_result_(p + i);
    }
    gpu_choice const choice = tsr_gpu_choose_(&work);
    tsr_hopper_tile const *const t = &choice.tile;
    if (!t->m || choice.tiles > INT32_MAX)
        return tsr_gpu_refuse_product_(t->m ? tsr_because(TSR_GEMM_LARGE, 0, choice.tiles, 0, 0) : t->why, 0, log);
    int64_t const clusters = choice.tiles / t->ctas;
    record_parts const r = record_parts_of(t->flags, count, false, clusters);
    char *const bytes = (char *)calloc(r.bytes, 1);
    if (!bytes)
        return no_memory(r.bytes);
    tsr_gemm_listed *to = (tsr_gemm_listed *)(void *)(bytes + r.tiles);
    int32_t const all = (int32_t)clusters;
    memcpy(bytes, &all, sizeof all);
    tsr_reason why = tsr_no_reason();
    int i = 0;
    for (; i < count && !why.status; ++i) {
        gpu_product const x = tsr_gpu_product_of_(p + i, choice.swapped);
        why = write_record(g->device, p + i, &choice, scales + i, bytes + r.records + r.record * (size_t)i);
        to = list_tiles(to, i, down_of(t, x.m->size), across_of(t, x.n->size), tsr_ceil_div64(p[i].k.size, t->k),
                        tsr_hopper_height(x.m->size, x.n->size, t->n, t->ctas));
    }
    tsr_gpu_take_choice_(g, &choice);
    g->parts = work.parts;
    g->groups = count;
    tsr_gpu_result const done = why.status ? tsr_gpu_refuse_product_(why, i - 1, log)
                                           : finish(g, cache, p->product.bias.engine.type, r, bytes, r.bytes, log);
    free(bytes);
    return done;
}

/** A product of a group before it is cut. */
static tsr_gpu_result find_product(tsr_gpu_device const *device, int i, tsr_tensor const *a, tsr_tensor const *b,
                                   tsr_tensor const *scale_a, tsr_tensor const *scale_b, tsr_tensor const *c,
                                   tsr_epilogue const *epilogue, tsr_gpu_log const *log, tsr_gemm_problem *p,
                                   tsr_gemm_scales *scales)
{
    tsr_reason const why =
        scale_a && scale_b ? tsr_gpu_find_scales_(a[i], b[i], scale_a[i], scale_b[i], scales) : tsr_no_reason();
    return why.status ? tsr_gpu_refuse_product_(why, i, log)
                      : tsr_gpu_plan_loops_(device, a[i], b[i], c[i], epilogue ? epilogue + i : NULL, i, log, p);
}

tsr_gpu_result tsr_gpu_gemm_plan_groups(tsr_gpu_cache *cache, tsr_gpu_device const *device, int count,
                                        tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *scale_a,
                                        tsr_tensor const *scale_b, tsr_tensor const *c, tsr_epilogue const *epilogue,
                                        tsr_gpu_log const *log, tsr_gpu_planned_gemm **plan)
{
    size_t const n = (size_t)(count > 0 ? count : 0);
    tsr_gpu_result r = tsr_gpu_begin_gemm_(log, plan);
    if (!tsr_gpu_ok(r) || count < 1)
        return tsr_gpu_end_gemm_(tsr_gpu_ok(r) ? tsr_gpu_refuse_(TSR_GPU_NO_PRODUCTS, count, 0, 0) : r, plan);
    tsr_gemm_problem *const p = (tsr_gemm_problem *)calloc(n, sizeof *p);
    tsr_gemm_scales *const scales = (tsr_gemm_scales *)calloc(n, sizeof *scales);
    if (!p || !scales)
        r = no_memory(n * sizeof *p);
    for (int i = 0; i < count && tsr_gpu_ok(r); ++i)
        r = find_product(device, i, a, b, scale_a, scale_b, c, epilogue, log, p + i, scales + i);
    if (tsr_gpu_ok(r)) {
        (*plan)->device = device;
        r = make_groups(*plan, cache, p, count, scales, scale_a && scale_b ? TSR_HOPPER_SCALES : 0, log);
    }
    free(p);
    free(scales);
    return tsr_gpu_end_gemm_(r, plan);
}

/** Products of rows: a record for each, with all rows, and what makes the list of them. */
static tsr_gpu_result make_rows(tsr_gpu_planned_gemm *g, tsr_gpu_cache *cache, tsr_gemm_problem const *p,
                                tsr_tensor const *b, tsr_gemm_scales scales, int flags, uint64_t ends,
                                tsr_gpu_log const *log)
{
    tsr_layout const products = tsr_mode(b->layout, 0);
    int64_t const groups = tsr_layout_size(products), bits = tsr_dtype_bits(b->engine.type);
    gpu_product const rows = tsr_gpu_product_of_(p, false);
    int const majors = tsr_gpu_majors_(&rows);
    tsr_reason why = tsr_gpu_cut_reason_(g->device, p, 1);
    if (!why.status && (majors & (TSR_HOPPER_A_MN | TSR_HOPPER_D_MN)) != 0)
        why = tsr_because(TSR_GEMM_ROWS, majors & TSR_HOPPER_A_MN ? 0 : 2, 0, 0, 0);
    if (!why.status && groups > INT32_MAX / 1024)
        why = tsr_because(TSR_GEMM_LARGE, 0, groups, 0, 0);
    if (why.status)
        return tsr_gpu_refuse_product_(why, 0, log);
    gpu_work const work = {.plan = p,
                           .count = 1,
                           .groups = (int)groups,
                           .like = p,
                           .parts = tsr_gpu_parts_of_(&p->product),
                           .flags = flags | tsr_gpu_any_result_(p),
                           .processors = g->device->processors,
                           .splits = 1,
                           .compiled = {cache, 0},
                           .form = GPU_GROUPS,
                           .device = g->device};
    gpu_choice choice = tsr_gpu_choose_(&work);
    tsr_hopper_tile const *const t = &choice.tile;
    if (!t->m)
        return tsr_gpu_refuse_product_(t->why, 0, log);
    int64_t const m = rows.m->size, n = rows.n->size, tall = choice.swapped ? t->n : (int64_t)t->m * t->ctas;
    int64_t const clusters = (m / tall + groups) * (choice.swapped ? down_of(t, n) : across_of(t, n)); /* at most */
    if (clusters * t->ctas > INT32_MAX)
        return tsr_gpu_refuse_product_(tsr_because(TSR_GEMM_LARGE, 0, clusters, 0, 0), 0, log);
    choice.tiles = clusters * t->ctas;
    choice.blocks = tsr_min64(clusters, g->device->processors / t->ctas) * t->ctas;
    record_parts const r = record_parts_of(t->flags, (int)groups, true, clusters);
    size_t const models = r.records + r.record * (size_t)groups;
    char *const bytes = (char *)calloc(r.tiles, 1);
    if (!bytes)
        return no_memory(r.tiles);
    for (int64_t v = 0; v < groups && !why.status; ++v) {
        tsr_gemm_problem one = *p;
        tsr_tensor *const of = p->swapped ? &one.product.a : &one.product.b;
        of->engine.address = b->engine.address + (uint64_t)(tsr_layout_offset(&products, v) * (bits / 8));
        why = write_record(g->device, &one, &choice, &scales, bytes + models + r.record * (size_t)v);
        scales.b += (uint64_t)scales.stride_b[2] * sizeof(float);
    }
    tsr_gpu_take_choice_(g, &choice);
    g->parts = work.parts;
    g->groups = (int)groups;
    tsr_gpu_result done = why.status ? tsr_gpu_refuse_product_(why, 0, log)
                                     : finish(g, cache, p->product.bias.engine.type, r, bytes, r.tiles, log);
    free(bytes);
    uint64_t const at = g->records.address;
    tsr_tensor const *const a = rows.a, *const c = &p->product.c;
    int64_t const width = tsr_dtype_bits(a->engine.type) / 8, width_d = tsr_dtype_bits(c->engine.type) / 8;
    g->rows = (tsr_gemm_rows){.models = at + models,
                              .groups = at + r.records,
                              .tiles = at + r.tiles,
                              .count = at,
                              .ends = ends,
                              .mode = choice.swapped,
                              .others = (int32_t)n,
                              .steps = (int32_t)tsr_ceil_div64(p->k.size, t->k),
                              .most = (int32_t)clusters,
                              .address = a->engine.address + (uint64_t)(p->begin[rows.left] * width),
                              .pitch = tsr_gpu_step_(rows.m, rows.left) * width,
                              .pitch_d = tsr_gpu_step_(rows.m, TSR_IN_C) * width_d};
    tsr_gpu_multiplier *lister = NULL;
    if (tsr_gpu_ok(done))
        done = tsr_gpu_hopper_kernel_(g, cache, GPU_LISTS, p->product.bias.engine.type, log, &lister);
    if (tsr_gpu_ok(done))
        g->lister = *tsr_gpu_kernel_of_(lister);
    return done;
}

/** Why no plan of rows can be made, whatever the products. */
static tsr_reason rows_reason(tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c, uint64_t ends)
{
    tsr_reason why = /* of all products, not of the first one alone */
        tsr_reason_or(tsr_all_readable_(a), tsr_all_readable_(b));
    if (!why.status)
        why = ends == 0 ? tsr_because(TSR_NULL_DATA, 0, 0, 0, 0) : tsr_disjoint_(b, c);
    if (!why.status && ends % sizeof(int32_t) != 0)
        why = tsr_because(TSR_MISALIGNED, 0, (int64_t)(ends % sizeof(int32_t)), sizeof(int32_t), 0);
    if (!why.status && b->layout.composed)
        why = tsr_because(TSR_SWIZZLE_STRIDE, 0, 0, 0, 0);
    if (!why.status && (tsr_layout_rank(b->layout) != 3 || tsr_layout_rank(a->layout) != 2))
        why = tsr_because(TSR_GEMM_RANK, 0, tsr_layout_rank(a->layout), tsr_layout_rank(b->layout),
                          tsr_layout_rank(c->layout));
    return why;
}

tsr_gpu_result tsr_gpu_gemm_plan_rows(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor a, tsr_tensor b,
                                      tsr_tensor const *scale_a, tsr_tensor const *scale_b, tsr_tensor c,
                                      uint64_t ends, tsr_epilogue const *epilogue, tsr_gpu_log const *log,
                                      tsr_gpu_planned_gemm **plan)
{
    tsr_gemm_problem p;
    tsr_gemm_scales scales = {0};
    bool const scaled = scale_a && scale_b;
    tsr_gpu_result r = tsr_gpu_begin_gemm_(log, plan);
    if (!tsr_gpu_ok(r))
        return r;
    tsr_reason why = tsr_no_reason();
    tsr_reason const rows = rows_reason(&a, &b, &c, ends);
    if (!rows.status && scaled)
        why = tsr_gpu_find_scales_(a, b, *scale_a, *scale_b, &scales);
    if (rows.status || why.status)
        return tsr_gpu_end_gemm_(tsr_gpu_refuse_product_(rows.status ? rows : why, 0, log), plan);
    r = tsr_gpu_plan_loops_(device, a, tsr_gpu_without_batch_(b), c, epilogue, 0, log, &p);
    if (tsr_gpu_ok(r)) {
        (*plan)->device = device;
        r = make_rows(*plan, cache, &p, &b, scales, scaled ? TSR_HOPPER_SCALES : 0, ends, log);
    }
    return tsr_gpu_end_gemm_(r, plan);
}
