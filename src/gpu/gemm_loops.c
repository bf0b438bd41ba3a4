/** Products by plain loops: the tile, and how A and B are read. */
#include "gpu/gemm.h"

#include <stdlib.h>

enum { MOST_BLOCKS = 1 << 20, MOST_PARTS = 64, MOST_TILES = 4 }; /* of a launch; of K; with parts, a multiprocessor */
enum { MULTIPLIED = 85, TILE_END = 2000, JOIN_END = 4000 };      /* a clock; clocks */

/** The sums of a thread of 16 by 16 are so many by so many; the time of one beside that of the best. */
static struct form {
    int each;
    double time;
} const forms[] = {{8, 1}, {4, 1.35}};

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

static bool has_double(tsr_product_ const *x) { return x->a.engine.type == TSR_F64 || x->b.engine.type == TSR_F64; }

/** TSR_ANY_A_ROWS, TSR_ANY_A_WIDE and so on. */
static int access_of(tsr_gemm_any const *g, tsr_product_ const *x)
{
    tsr_tensor const *const t[2] = {&x->a, &x->b};
    int const wide = has_double(x) ? 2 : 4; /* factors of 16 bytes */
    int r = 0;
    for (int i = 0; i < TSR_OPERANDS; ++i)
        if (g->base[i].swizzle.bits != 0 && (i != TSR_IN_BIAS || x->biased))
            r = TSR_ANY_SWIZZLED;
    for (int i = 0; i < 2; ++i) {
        tsr_gemm_loops const *const rows = i == TSR_IN_A ? &g->m : &g->n;
        bool const along = apart(rows, i) < apart(&g->k, i);
        bool const by_words =
            r < TSR_ANY_SWIZZLED
            && is_wide(g, i, tsr_dtype_bits(t[i]->engine.type) / 8, along ? rows : &g->k, along ? &g->k : rows, wide);
        r |= ((along ? TSR_ANY_A_ROWS : 0) | (by_words ? TSR_ANY_A_WIDE : 0)) << 2 * i;
    }
    return r;
}

/** Whether sums are of 8 bytes. */
static bool has_long_sums(tsr_product_ const *x)
{
    return has_double(x) || (gpu_is_whole(x->a.engine.type) && gpu_is_whole(x->b.engine.type));
}

/** The clocks of a product in tiles of a form, K in so many parts; what there is to do is taken note of in `g`. */
static double clocks_of(tsr_gpu_gemm *g, struct form const *form, int64_t parts)
{
    tsr_gemm_any *const x = &g->loops;
    int const m = g->tile.m = 16 * form->each, n = g->tile.n = m;
    x->part = tsr_ceil_div64(tsr_ceil_div64(x->k.size, parts), TSR_ANY_KNOWN) * TSR_ANY_KNOWN;
    x->splits = parts > 1 ? tsr_ceil_div64(x->k.size, x->part) : 1;
    g->tiles = tsr_ceil_div64(x->m.size, m) * tsr_ceil_div64(x->n.size, n) * x->v.size * x->splits;
    double const waves = (double)tsr_ceil_div64(g->tiles, g->device->processors);
    double const steps = (double)(parts > 1 ? x->part : x->k.size);
    double const join = parts > 1 ? JOIN_END + (double)(parts + 1) * m * n / 10 : 0;
    return waves * (m * n * form->time * steps / MULTIPLIED + TILE_END + join);
}

/** The tile and the parts of K of the least time: parts only where multiprocessors would have nothing to do. */
static void choose(tsr_gpu_gemm *g)
{
    tsr_gpu_gemm best = *g;
    double least = 1e300;
    for (int i = 0; i < 2; ++i)
        for (int64_t parts = 1; parts == 1 || (parts <= MOST_PARTS && g->loops.k.size >= parts * TSR_ANY_KNOWN);
             parts *= 2) {
            double const clocks = clocks_of(g, &forms[i], parts);
            int64_t const most = (int64_t)MOST_TILES * g->device->processors;
            bool const idle = g->tiles / g->loops.splits < g->device->processors && g->tiles <= most;
            if (clocks >= least || (parts > 1 && !idle))
                continue;
            least = clocks;
            best = *g;
        }
    *g = best;
    g->access |= g->loops.splits > 1 ? TSR_ANY_SPLITS : 0;
}

tsr_gpu_result gpu_take_loops(tsr_gpu_gemm *g, tsr_gemm_plan const *p)
{
    tsr_product_ const *const x = &p->product;
    tsr_tensor const *const t[TSR_OPERANDS] = {&x->a, &x->b, &x->c, &x->bias};
    tsr_gemm_any *const any = &g->loops;
    *any = (tsr_gemm_any){p->v, p->m, p->n, p->k, {{0, 0, {0}}}, x->alpha, x->beta, 1, 0, 0, 0};
    for (int i = 0; i < TSR_OPERANDS; ++i) {
        any->base[i].address = t[i]->engine.address;
        any->base[i].begin = t[i]->layout.composed ? tsr_leaf_value(t[i]->layout.offset) : 0;
        any->base[i].swizzle = t[i]->layout.composed ? t[i]->layout.swizzle : tsr_make_swizzle(0, 0, 0);
    }
    g->swapped = p->swapped;
    g->access = access_of(any, x) | (has_double(x) && g->device->major >= 9 ? TSR_ANY_TENSOR : 0);
    choose(g);
    g->launch.grid[0] = (unsigned)tsr_min64(g->tiles, MOST_BLOCKS);
    g->launch.block[0] = 256;
    return gpu_find_room(g, any->splits, 1, has_long_sums(x) ? 8 : 4, &any->arrived, &any->partial);
}
