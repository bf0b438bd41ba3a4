/** Operands that the copy engine cannot take, in plain matrices of the plan's own: copied before each product, and the
 *  result behind it. */
#include "gpu/call.h"
#include "gpu/gemm.h"

enum { SETS = 8, ALIGNMENT = 256 };

/** What is below so many operations is done by plain loops before a copy is. */
#define LEAST_WORK 5e7

/** Whether another place could help at all. */
static bool may_pack(tsr_gemm_plan const *p, tsr_reason why)
{
    double const work = 2.0 * (double)p->m.size * (double)p->n.size * (double)p->k.size * (double)p->v.size;
    return why.status != TSR_GEMM_TYPES && why.status != TSR_GEMM_DEVICE && why.status != TSR_GEMM_LARGE
           && work >= LEAST_WORK && p->k.size > 1;
}

/** The tensors of a product: those of `set` (A 1, B 2, C and the bias 4) in plain matrices from `base` on. */
typedef struct packed {
    tsr_tensor t[TSR_OPERANDS];
    int64_t bytes; /* of the matrices */
} packed;

static packed pack(tsr_tensor const *const given[TSR_OPERANDS], int set, uint64_t base)
{
    packed r;
    r.bytes = 0;
    for (int i = 0; i < TSR_OPERANDS; ++i) {
        bool const moves = given[i] && (i < TSR_IN_C ? set >> i & 1 : set >> TSR_IN_C) != 0;
        if (given[i])
            r.t[i] = *given[i];
        if (!moves)
            continue;
        tsr_dtype const type = given[i]->engine.type;
        r.t[i] = gpu_plain_matrix(base + (uint64_t)r.bytes, type, given[i]->layout);
        r.bytes += (tsr_cosize(r.t[i].layout) * (tsr_dtype_bits(type) / 8) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    return r;
}

/** The loops of the product of such tensors. */
static tsr_gemm_plan plan_of(packed const *p, tsr_epilogue const *epilogue)
{
    tsr_epilogue e = epilogue ? *epilogue : tsr_make_epilogue(1, 1);
    if (e.bias)
        e.bias = &p->t[TSR_IN_BIAS];
    return tsr_plan_gemm(p->t[TSR_IN_A], p->t[TSR_IN_B], p->t[TSR_IN_C], &e);
}

/** A copy of the plan; the tensor that is read and the one that is written. */
static tsr_gpu_result copies(tsr_gpu_gemm *g, tsr_gpu_cache *cache, tsr_tensor from, tsr_tensor to, bool behind,
                             tsr_gpu_log const *log)
{
    int *const count = behind ? &g->copies_behind : &g->copies_before;
    tsr_gpu_result const r = tsr_gpu_copy_make(cache, g->device, NULL, from, NULL, to, log,
                                               &g->copy[behind ? TSR_OPERANDS : g->copies_before]);
    *count += tsr_gpu_ok(r);
    return r;
}

tsr_gpu_result gpu_pack(tsr_gpu_gemm *g, tsr_gpu_cache *cache, tsr_tensor const *const given[TSR_OPERANDS],
                        tsr_epilogue const *epilogue, tsr_reason why, tsr_gpu_log const *log, tsr_gemm_plan *plan)
{
    uint64_t const nowhere = (uint64_t)1 << 50; /* for trying */
    tsr_gpu_result r = gpu_refuse(TSR_GPU_OK, 0, 0, 0);
    int best = 0;
    int64_t least = INT64_MAX;
    if (!may_pack(plan, why))
        return r;
    for (int set = 1; set < SETS; ++set) {
        packed const p = pack(given, set, nowhere);
        if (p.bytes >= least)
            continue;
        tsr_gemm_plan const tried = plan_of(&p, epilogue);
        if (!tried.product.why.status && gpu_is_cut(g->device, &tried)) {
            best = set;
            least = p.bytes;
        }
    }
    if (best == 0)
        return r;
    r = tsr_gpu_alloc(g->device, (size_t)least, &g->packed);
    if (!tsr_gpu_ok(r))
        return r;
    packed const p = pack(given, best, g->packed.address);
    bool const reads_c = !epilogue || epilogue->beta != 0;
    for (int i = 0; i < TSR_OPERANDS && tsr_gpu_ok(r); ++i)
        if (given[i] && p.t[i].engine.address != given[i]->engine.address && (i != TSR_IN_C || reads_c))
            r = copies(g, cache, *given[i], p.t[i], false, log);
    if (tsr_gpu_ok(r) && best >> TSR_IN_C)
        r = copies(g, cache, p.t[TSR_IN_C], *given[TSR_IN_C], true, log);
    *plan = plan_of(&p, epilogue);
    return r;
}
