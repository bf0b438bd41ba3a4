/** Operands that the copy engine cannot take, in plain matrices of the plan's own: copied before each product, and the
 *  result behind it. */
#include "gpu/call.h"
#include "gpu/gemm.h"

enum { SETS = 8, ALIGNMENT = 256 };

/** More elements than any device holds. */
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

/** The plain matrix of an operand, and the bytes that it takes. */
static int64_t plain_of(tsr_tensor const *t, uint64_t address, tsr_tensor *plain)
{
    *plain = tsr_gpu_plain_matrix_(address, t->engine.type, t->layout);
    int64_t const bytes = tsr_cosize(plain->layout) * (tsr_dtype_bits(t->engine.type) / 8);
    return tsr_ceil_div64(bytes, ALIGNMENT) * ALIGNMENT;
}

/** Puts the operands of a set into plain matrices from `base` on, and finds the loops again. */
static void place(tsr_gemm_problem *p, int set, uint64_t base)
{
    tsr_tensor t[TSR_OPERANDS], plain;
    tsr_gemm_problem_uncut(p);
    operands_of(p, t);
    for (int i = 0; i < TSR_OPERANDS; ++i) {
        if (!is_in(set, i, &p->product))
            continue;
        base += (uint64_t)plain_of(&t[i], base, &plain);
        tsr_gemm_problem_move(p, i, &plain);
    }
    tsr_gemm_problem_cut(p);
    tsr_gemm_problem_order(p, &gpu_h200.loops.near);
}

/** The bytes of the plain matrices of each set. */
static void find_bytes(tsr_gemm_problem const *p, int64_t bytes[SETS])
{
    tsr_tensor t[TSR_OPERANDS], plain;
    operands_of(p, t);
    memset(bytes, 0, SETS * sizeof *bytes);
    for (int i = 0; i < TSR_OPERANDS; ++i) {
        int64_t const each = i == TSR_IN_BIAS && !p->product.biased ? 0 : plain_of(&t[i], 0, &plain);
        for (int set = 1; set < SETS; ++set)
            bytes[set] += is_in(set, i, &p->product) ? each : 0;
    }
}

/** The set of operands with the fewest bytes whose copies make a TMA product possible, and the clocks of the whole. 0
 *  if there is no such set. */
static int find_set(tsr_gpu_device const *device, tsr_gemm_problem const *given, int64_t *least, double *clocks)
{
    int64_t bytes[SETS];
    find_bytes(given, bytes);
    for (int tried = 1; tried < SETS; ++tried) {
        int set = 1;
        for (int i = 2; i < SETS; ++i)
            set = bytes[i] < bytes[set] ? i : set;
        tsr_gemm_problem placed = *given;
        place(&placed, set, (uint64_t)1 << 50); /* nowhere yet */
        double const now = tsr_gpu_cut_clocks_(device, &placed);
        if (now < GPU_NEVER) {
            *least = bytes[set];
            *clocks = now + tuned->copy_clocks * ((set & 1) + (set >> 1 & 1) + (set >> 2))
                      + (double)bytes[set] / tuned->copy_bytes;
            return set;
        }
        bytes[set] = TSR_INT_MAX;
    }
    return 0;
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
        return tsr_gpu_fine_();
    tsr_gpu_result r = tsr_gpu_take_scratch_(cache, g->device, 0, (size_t)least, &g->packed);
    operands_of(p, from);
    place(p, best, g->packed.address);
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
