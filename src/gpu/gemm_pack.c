/** Operands that the copy engine cannot take, in plain matrices of the plan's own: copied before each product, and the
 *  result behind it. */
#include "gpu/call.h"
#include "gpu/gemm.h"

enum { SETS = 8, ALIGNMENT = 256 };

/** The clocks of a copy, and its bytes a clock; what is below so many operations is done by plain loops before a copy
 *  is; no device holds so many elements. */
#define COPY_CLOCKS 4600.0
#define COPY_BYTES 900.0
#define LEAST_WORK 5e7
#define MOST_ELEMENTS 1e14

/** Whether another place could help at all. */
static bool may_pack(tsr_gemm_plan const *p, tsr_status why)
{
    double const m = (double)p->m.size, n = (double)p->n.size, k = (double)p->k.size, v = (double)p->v.size;
    return why != TSR_GEMM_TYPES && why != TSR_GEMM_DEVICE && why != TSR_GEMM_LARGE && 2 * m * n * k * v >= LEAST_WORK
           && (m * k + n * k + m * n) * v <= MOST_ELEMENTS && p->k.size > 1;
}

/** A, B, C and the bias of a product, and its epilogue, as the caller gave them. */
typedef struct operands {
    tsr_tensor t[TSR_OPERANDS];
    tsr_epilogue epilogue; /* but for the bias */
    bool biased;
} operands;

static operands operands_of(tsr_gemm_plan const *p)
{
    tsr_product_ const *const x = &p->product;
    operands const r = {{p->swapped ? x->b : x->a, p->swapped ? x->a : x->b, x->c, x->bias},
                        {x->alpha, x->beta, NULL, x->activation},
                        x->biased};
    return r;
}

/** Puts those of `set` (A 1, B 2, C and the bias 4) into plain matrices from `base` on; their bytes. */
static int64_t place(operands *x, int set, uint64_t base)
{
    int64_t bytes = 0;
    for (int i = 0; i < TSR_OPERANDS; ++i) {
        if (!(set >> tsr_min64(i, TSR_IN_C) & 1) || (i == TSR_IN_BIAS && !x->biased))
            continue;
        tsr_dtype const type = x->t[i].engine.type;
        x->t[i] = gpu_plain_matrix(base + (uint64_t)bytes, type, x->t[i].layout);
        int64_t const each = tsr_cosize(x->t[i].layout) * (tsr_dtype_bits(type) / 8);
        bytes += tsr_ceil_div64(each, ALIGNMENT) * ALIGNMENT;
    }
    return bytes;
}

static tsr_gemm_plan plan_of(operands const *x)
{
    tsr_epilogue e = x->epilogue;
    e.bias = x->biased ? &x->t[TSR_IN_BIAS] : NULL;
    return tsr_plan_gemm(x->t[TSR_IN_A], x->t[TSR_IN_B], x->t[TSR_IN_C], &e);
}

tsr_gpu_result gpu_pack(tsr_gpu_gemm *g, tsr_gpu_cache *cache, tsr_gpu_log const *log, tsr_gemm_plan *plan)
{
    operands const given = operands_of(plan);
    int64_t least = TSR_INT_MAX;
    int best = 0;
    double clocks = GPU_NEVER;
    for (int set = 1; set < SETS && may_pack(plan, g->why.status); ++set) {
        operands x = given;
        int64_t const bytes = place(&x, set, (uint64_t)1 << 50); /* nowhere yet */
        tsr_gemm_plan const tried = plan_of(&x);
        double const now = bytes < least && !tried.product.why.status ? gpu_cut_clocks(g->device, &tried) : GPU_NEVER;
        if (now < GPU_NEVER) {
            best = set;
            least = bytes;
            clocks = now + COPY_CLOCKS * ((set & 1) + (set >> 1 & 1) + (set >> 2)) + (double)bytes / COPY_BYTES;
        }
    }
    if (best == 0 || (gpu_has_halves(g->device, &plan->product) && clocks >= gpu_choose_loops(g, plan)))
        return gpu_refuse(TSR_GPU_OK, 0, 0, 0);
    tsr_gpu_result r = tsr_gpu_alloc(g->device, (size_t)least, &g->packed);
    operands x = given;
    (void)place(&x, best, g->packed.address);
    for (int i = 0; i < TSR_OPERANDS && tsr_gpu_ok(r); ++i) {
        bool const moved = x.t[i].engine.address != given.t[i].engine.address;
        if (!moved || (i == TSR_IN_BIAS && !given.biased) || (i == TSR_IN_C && given.epilogue.beta == 0))
            continue;
        r = tsr_gpu_copy_make(cache, g->device, NULL, given.t[i], NULL, x.t[i], log, &g->copy[g->copies_before]);
        g->copies_before += tsr_gpu_ok(r);
    }
    if (tsr_gpu_ok(r) && best >> TSR_IN_C) {
        r = tsr_gpu_copy_make(cache, g->device, NULL, x.t[TSR_IN_C], NULL, given.t[TSR_IN_C], log,
                              &g->copy[TSR_OPERANDS]);
        g->copies_behind = tsr_gpu_ok(r);
    }
    *plan = plan_of(&x);
    return r;
}
