/** Products by plain loops: the tile, and how A and B are read. */
#include "gpu/gemm.h"

#include <stdlib.h>

enum { MOST_BLOCKS = 1 << 20 };

/** The sums of a thread of 16 by 16, with the time of one beside that of the best. */
static struct {
    int down, across;
    double time;
} const tiles[] = {{8, 16, 1}, {8, 8, 1.05}, {4, 4, 1.7}};

static bool is_multiple(tsr_gemm_loops const *x, int operand, int from, int64_t of)
{
    for (int l = from; l < x->loops; ++l)
        if (x->step[operand][l] % of != 0)
            return false;
    return true;
}

/** How far apart neighbours along a mode are; much where there are none. */
static int64_t apart(tsr_gemm_loops const *x, int operand)
{
    int64_t const step = gpu_step(x, operand);
    return step == 0 ? TSR_INT_MAX : llabs(step);
}

/** Whether an operand can be read by `wide` elements along the mode `near`. */
static bool is_wide(tsr_gemm_any const *g, int operand, int64_t bytes, tsr_gemm_loops const *near,
                    tsr_gemm_loops const *far, int wide)
{
    tsr_gemm_base const *const base = &g->base[operand];
    uint64_t const first = base->address + (uint64_t)(base->begin * bytes);
    return apart(near, operand) == 1 && near->step[operand][0] == 1 && near->count[0] % wide == 0
           && is_multiple(near, operand, 1, wide) && is_multiple(far, operand, 0, wide)
           && is_multiple(&g->v, operand, 0, wide) && first % (uint64_t)(wide * bytes) == 0;
}

/** TSR_ANY_A_ROWS, TSR_ANY_A_WIDE and so on. */
static int access_of(tsr_gemm_any const *g, tsr_product_ const *x)
{
    tsr_tensor const *const t[2] = {&x->a, &x->b};
    int const wide = x->a.engine.type == TSR_F64 || x->b.engine.type == TSR_F64 ? 2 : 4; /* factors of 16 bytes */
    int r = 0;
    for (int i = 0; i < TSR_OPERANDS; ++i)
        if (g->base[i].swizzle.bits != 0 && (i != TSR_IN_BIAS || x->biased))
            r = TSR_ANY_SWIZZLED;
    for (int i = 0; i < 2; ++i) {
        tsr_gemm_loops const *const rows = i == TSR_IN_A ? &g->m : &g->n;
        bool const along = apart(rows, i) < apart(&g->k, i);
        bool const by_words = r < TSR_ANY_SWIZZLED
                              && is_wide(g, i, tsr_dtype_bits(t[i]->engine.type) / 8, along ? rows : &g->k,
                                         along ? &g->k : rows, wide);
        r |= ((along ? TSR_ANY_A_ROWS : 0) | (by_words ? TSR_ANY_A_WIDE : 0)) << 2 * i;
    }
    return r;
}

/** Whether sums are of 8 bytes: a thread has no registers for as many. */
static bool has_long_sums(tsr_product_ const *x)
{
    tsr_dtype const a = x->a.engine.type, b = x->b.engine.type;
    return a == TSR_F64 || b == TSR_F64 || (gpu_is_whole(a) && gpu_is_whole(b));
}

void gpu_take_loops(tsr_gpu_gemm *g, tsr_gemm_plan const *p)
{
    tsr_product_ const *const x = &p->product;
    tsr_tensor const *const t[TSR_OPERANDS] = {&x->a, &x->b, &x->c, &x->bias};
    tsr_gemm_any *const any = &g->loops;
    double least = 1e300;
    *any = (tsr_gemm_any){p->v, p->m, p->n, p->k, {{0, 0, {0}}}, x->alpha, x->beta};
    for (int i = 0; i < TSR_OPERANDS; ++i) {
        any->base[i].address = t[i]->engine.address;
        any->base[i].begin = t[i]->layout.composed ? tsr_leaf_value(t[i]->layout.offset) : 0;
        any->base[i].swizzle = t[i]->layout.composed ? t[i]->layout.swizzle : tsr_make_swizzle(0, 0, 0);
    }
    g->swapped = p->swapped;
    g->access = access_of(any, x);
    for (int i = has_long_sums(x); i < 3; ++i) {
        int const m = 16 * tiles[i].down, n = 16 * tiles[i].across;
        int64_t const count = tsr_ceil_div64(p->m.size, m) * tsr_ceil_div64(p->n.size, n) * p->v.size;
        double const time = (double)tsr_ceil_div64(count, g->device->processors) * m * n * tiles[i].time;
        if (time >= least)
            continue;
        least = time;
        g->tile.m = m;
        g->tile.n = n;
        g->tiles = count;
    }
    g->launch.grid[0] = (unsigned)tsr_min64(g->tiles, MOST_BLOCKS);
    g->launch.block[0] = 256;
}
