/** Operands that the copy engine cannot take, in plain matrices of the plan's own: copied before each product, and the
 *  result behind it. */
#include "gpu/call.h"
#include "gpu/gemm.h"

enum { SETS = 8, ALIGNMENT = 256 };

/** No device holds so many elements. */
#define MOST_ELEMENTS 1e14

static gpu_pack_tuning const *const tuned = &gpu_h200.pack;

/** Whether another place could help at all. */
static bool may_pack(tsr_gemm_problem const *p, tsr_status why)
{
    double const m = (double)p->m.size, n = (double)p->n.size, k = (double)p->k.size, v = (double)p->v.size;
    return why != TSR_GEMM_TYPES && why != TSR_GEMM_DEVICE && why != TSR_GEMM_LARGE
           && 2 * m * n * k * v >= tuned->least_work && (m * k + n * k + m * n) * v <= MOST_ELEMENTS && p->k.size > 1;
}

/** A, B, C and the bias of a product, as the caller gave them. */
static void operands_of(tsr_gemm_problem const *p, tsr_tensor t[TSR_OPERANDS])
{
    tsr_product_ const *const x = &p->product;
    t[TSR_IN_A] = p->swapped ? x->b : x->a;
    t[TSR_IN_B] = p->swapped ? x->a : x->b;
    t[TSR_IN_C] = x->c;
    t[TSR_IN_BIAS] = x->bias;
}

/** Whether an operand is in a set: A 1, B 2, C and the bias 4. */
static bool is_in(int set, int operand, tsr_product_ const *x)
{
    return (set >> tsr_min64(operand, TSR_IN_C) & 1) != 0 && (operand != TSR_IN_BIAS || x->biased);
}

/** Puts the operands of a set into plain matrices from `base` on, and finds the loops again; their bytes. */
static int64_t place(tsr_gemm_problem *p, int set, uint64_t base)
{
    tsr_tensor t[TSR_OPERANDS];
    int64_t bytes = 0;
    tsr_gemm_problem_uncut(p);
    operands_of(p, t);
    for (int i = 0; i < TSR_OPERANDS; ++i) {
        if (!is_in(set, i, &p->product))
            continue;
        tsr_dtype const type = t[i].engine.type;
        tsr_tensor const plain = tsr_gpu_plain_matrix_(base + (uint64_t)bytes, type, t[i].layout);
        tsr_gemm_problem_move(p, i, &plain);
        int64_t const each = tsr_cosize(plain.layout) * (tsr_dtype_bits(type) / 8);
        bytes += tsr_ceil_div64(each, ALIGNMENT) * ALIGNMENT;
    }
    tsr_gemm_problem_cut(p);
    tsr_gemm_problem_order(p, &gpu_h200.loops.near);
    return bytes;
}

/** The set of the fewest bytes whose copies make a product go by TMA, and the clocks of all; 0: there is none. */
static int find_set(tsr_gpu_device const *device, tsr_gemm_problem const *given, int64_t *least, double *clocks)
{
    int best = 0;
    *least = TSR_INT_MAX;
    for (int set = 1; set < SETS; ++set) {
        tsr_gemm_problem tried = *given;
        int64_t const bytes = place(&tried, set, (uint64_t)1 << 50); /* nowhere yet */
        double const now = bytes < *least ? tsr_gpu_cut_clocks_(device, &tried) : GPU_NEVER;
        if (now < GPU_NEVER) {
            best = set;
            *least = bytes;
            *clocks = now + tuned->copy_clocks * ((set & 1) + (set >> 1 & 1) + (set >> 2))
                      + (double)bytes / tuned->copy_bytes;
        }
    }
    return best;
}

tsr_gpu_result tsr_gpu_pack_(tsr_gpu_planned_gemm *g, tsr_gpu_cache *cache, tsr_gpu_log const *log,
                             tsr_gemm_problem *p)
{
    gpu_copy_wishes const none = {0};
    tsr_tensor from[TSR_OPERANDS], to[TSR_OPERANDS];
    int64_t least = 0;
    double clocks = GPU_NEVER;
    int const best = may_pack(p, g->why.status) ? find_set(g->device, p, &least, &clocks) : 0;
    if (best == 0 || (tsr_gpu_has_halves_(g->device, &p->product) && clocks >= tsr_gpu_choose_loops_(g, p)))
        return tsr_gpu_refuse_(TSR_GPU_OK, 0, 0, 0);
    tsr_gpu_result r = tsr_gpu_alloc(g->device, (size_t)least, &g->packed);
    operands_of(p, from);
    (void)place(p, best, g->packed.address);
    g->packed_set = best;
    operands_of(p, to);
    for (int i = 0; i < TSR_OPERANDS && tsr_gpu_ok(r); ++i) {
        if (!is_in(best, i, &p->product) || (i == TSR_IN_C && p->product.beta == 0))
            continue;
        r = tsr_gpu_copy_make_(cache, g->device, NULL, from[i], NULL, to[i], &none, log, &g->copy[g->copies_before]);
        g->copied[g->copies_before] = (uint8_t)i;
        g->copies_before += tsr_gpu_ok(r);
    }
    if (tsr_gpu_ok(r) && is_in(best, TSR_IN_C, &p->product)) {
        r = tsr_gpu_copy_make_(cache, g->device, NULL, to[TSR_IN_C], NULL, from[TSR_IN_C], &none, log,
                               &g->copy[TSR_OPERANDS]);
        g->copies_behind = tsr_gpu_ok(r);
    }
    return r;
}
