/** Products for TMA and tcgen05.mma: the tile of one, by the sizes alone, for no such GPU was measured.
 *
 *  Pairs of CTAs where A has more rows than one CTA takes. The widest tile that is not wider than B has rows and
 *  leaves work for all multiprocessors. */
#include "gpu/gemm.h"

static int64_t clusters_of(gpu_product const *p, tsr_umma_tile const *t)
{
    return tsr_ceil_div64(p->m->size, t->m) * tsr_ceil_div64(p->n->size, t->n) * p->of->v.size;
}

/** The tile of a product, in a choice. */
static tsr_reason choose(tsr_gpu_device const *device, gpu_product const *p, gpu_choice *to)
{
    enum { NARROW = 32, WIDE = 256 };
    bool const pairs = p->m->size > 128 && device->processors >= 2;
    int const flags = (tsr_gpu_majors_(p) & ~TSR_HOPPER_D_MN) | (pairs ? TSR_HOPPER_PAIRS : 0);
    tsr_dtype const a = p->a->engine.type, b = p->b->engine.type;
    int64_t const at_once = device->processors / (pairs ? 2 : 1);
    tsr_umma_tile t = tsr_make_umma_tile(a, b, WIDE, flags);
    while (!t.why.status && t.n > NARROW && (p->n->size <= t.n / 2 || clusters_of(p, &t) < at_once))
        t = tsr_make_umma_tile(a, b, t.n / 2, flags);
    int64_t const clusters = clusters_of(p, &t);
    if (t.why.status || clusters > INT32_MAX / 2)
        return t.why.status ? t.why : tsr_because(TSR_GEMM_LARGE, 0, clusters, 0, 0);
    tsr_hopper_tile const tile = {.a = a,
                                  .b = b,
                                  .d = p->of->product.c.engine.type,
                                  .sums = TSR_F32,
                                  .m = t.m,
                                  .n = t.n,
                                  .k = t.k,
                                  .flags = flags | TSR_HOPPER_D_ANY,
                                  .ctas = t.ctas,
                                  .stages = t.stages,
                                  .bytes = t.bytes,
                                  .shared = t.shared};
    to->tile = tile;
    to->splits = 1;
    to->tiles = clusters * t.ctas;
    to->blocks = tsr_min64(clusters, at_once) * t.ctas;
    return t.why;
}

tsr_reason tsr_gpu_cut_umma_(tsr_gpu_device const *device, tsr_gemm_problem const *plan, gpu_choice *choice,
                             tsr_tma_desc desc[3])
{
    gpu_product const p = tsr_gpu_product_of_(plan, false);
    bool const has = device->major == 10 || device->major == 11, whole = gpu_is_whole(p.a->engine.type);
    tsr_reason const loops = tsr_gpu_loops_reason_(plan, 1);
    memset(choice, 0, sizeof *choice);
    if (loops.status || !has || whole || plan->k.size == 0)
        return loops.status ? loops : tsr_because(TSR_GEMM_DEVICE, 0, device->major, device->minor, 0);
    tsr_reason const why = choose(device, &p, choice);
    if (why.status)
        return why;
    tsr_hopper_tile const *const t = &choice->tile;
    desc[0] = tsr_gpu_map_a_(&p, t->m / t->ctas, t->flags);
    desc[1] = tsr_gpu_map_b_(&p, t->n / t->ctas, t->flags & ~TSR_HOPPER_PAIRS); /* each CTA loads its own rows */
    desc[2] = desc[0]; /* which nobody asks for with TSR_HOPPER_D_ANY */
    return tsr_reason_or(desc[0].why, desc[1].why);
}
