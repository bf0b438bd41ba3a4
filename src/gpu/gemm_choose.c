/** Which tile a product on Hopper gets: a model of the time in clocks, tried on all of them.
 *
 *  A step of 128 bytes of K takes m*n/32 clocks of the tensor cores or 2 clocks for each line of 128 bytes that comes
 *  from the second-level cache, whichever are more; with two CTAs that share B, half of its lines. A wave of tiles
 *  takes the steps of one, and what its end costs. Operands come from memory once, 2400 bytes a clock; what is faster
 *  than that waits, and counts a fifth. The numbers were fitted to an H200 (docs/benchmarks.md). */
#include "gpu/gemm.h"

enum { TURN_END = 300, SHARED_END = 2000, JOIN_END = 8000, MEMORY_BYTES = 2400 }; /* clocks; bytes a clock */
enum { MOST_SPLITS = 8, LEAST_STEPS = 4, SPLIT_SUMS = 96 };

gpu_product gpu_product_of(tsr_gemm_plan const *of, bool swapped)
{
    gpu_product r = {of, swapped, &of->m, &of->n, &of->product.a, &of->product.b, TSR_IN_A, TSR_IN_B};
    if (swapped)
        r = (gpu_product){of, swapped, &of->n, &of->m, &of->product.b, &of->product.a, TSR_IN_B, TSR_IN_A};
    return r;
}

int64_t gpu_step(tsr_gemm_loops const *x, int operand) { return x->loops > 0 ? x->step[operand][0] : 0; }

bool gpu_along(tsr_gemm_loops const *own, tsr_gemm_loops const *other, int operand)
{
    return gpu_step(own, operand) == 1 && gpu_step(other, operand) != 1;
}

/** Sums a thread has registers for, beside the addresses of what the epilogue reads. */
static int most_sums(int parts, bool any)
{
    int const reads = ((parts & EPILOGUE_ADDS) != 0) + ((parts & EPILOGUE_BIASED) != 0) + any;
    int const work = reads + (reads > 0 && (parts & EPILOGUE_SCALES) != 0);
    return work > 1 ? 96 : work == 1 && reads == 1 ? 128 : 192;
}

/** What measured a little better or worse than the model says. */
static double favour_of(tsr_hopper_tile const *tile)
{
    bool const pairs = tile->ctas > 1, turns = (tile->flags & TSR_HOPPER_TURNS) != 0;
    double const shared = pairs ? (tile->n <= 64 ? 1.2 : 1) : tile->n > 64 ? 1.01 : 1;
    bool const rows_turn = turns && tile->n == 192,
               shares = !turns && pairs && tile->n == 256; /* these take less power */
    double const wide = rows_turn ? 0.985 : shares ? 0.97 : 1;
    return shared * wide * (tile->flags & TSR_HOPPER_D_MN ? 1.01 : 1);
}

/** Tries the parts of K for one tile. */
static void try_tile(gpu_choice *best, double *least, tsr_hopper_tile const *tile, gpu_product const *p,
                     int processors)
{
    int64_t const v = p->of->v.size, at_once = processors / tile->ctas;
    int64_t const steps = tsr_ceil_div64(p->of->k.size, tile->k), lines = tile->m + tile->n / tile->ctas;
    int64_t const down = tsr_ceil_div64(tsr_ceil_div64(p->m->size, tile->m), tile->ctas);
    int64_t const clusters = down * tsr_ceil_div64(p->n->size, tile->n) * v;
    double const clocks = (double)tsr_max64((int64_t)tile->m * tile->n / 32, 2 * lines);
    bool const turns = (tile->flags & TSR_HOPPER_TURNS) != 0;
    int const sums = tile->rows / 64 * tile->n / 2; /* of a thread */
    int const most = turns && sums <= SPLIT_SUMS ? MOST_SPLITS : 1;
    double const bytes = (double)(p->m->size + p->n->size) * (double)v * (double)steps * 128;
    double const memory = bytes / MEMORY_BYTES, tail = turns ? TURN_END : SHARED_END;
    for (int splits = 1; splits <= most && (splits == 1 || steps / splits >= LEAST_STEPS); ++splits) {
        double const waves = (double)tsr_ceil_div64(clusters * splits, at_once);
        double const work = waves * (double)tsr_ceil_div64(steps, splits) * clocks;
        double const ends = waves * (tail + (splits > 1 ? JOIN_END : 0));
        double const time = favour_of(tile) * ((work > memory ? work : memory + (work - memory) / 5) + ends);
        if (time >= *least)
            continue;
        *least = time;
        best->tile = *tile;
        best->swapped = p->swapped;
        best->splits = splits;
        best->tiles = clusters * tile->ctas * splits;
        best->blocks = tsr_min64(clusters * splits, at_once) * tile->ctas;
    }
}

gpu_choice gpu_choose(tsr_gemm_plan const *plan, int parts, int any, int processors)
{
    static int const columns[] = {16, 32, 64, 128, 192, 256};
    static struct {
        int rows, flags;
    } const forms[] = {{64, TSR_HOPPER_TURNS}, {128, TSR_HOPPER_TURNS}, {128, 0}};
    gpu_choice best;
    double least = 1e300;
    memset(&best, 0, sizeof best);
    for (int swapped = 0; swapped < 2; ++swapped) {
        gpu_product const p = gpu_product_of(plan, swapped != 0);
        bool const d_mn = gpu_along(p.m, p.n, TSR_IN_C);
        int const majors = (gpu_along(p.m, &plan->k, p.left) ? TSR_HOPPER_A_MN : 0)
                           | (gpu_along(p.n, &plan->k, p.right) ? TSR_HOPPER_B_MN : 0) | (d_mn ? TSR_HOPPER_D_MN : 0)
                           | any;
        for (int i = 0; i < 6 * 3 * 2; ++i) {
            int const flags = majors | forms[i % 3].flags | (i / 18 ? TSR_HOPPER_PAIRS : 0);
            tsr_hopper_tile const tile =
                tsr_make_hopper_tile(p.a->engine.type, p.b->engine.type, plan->product.c.engine.type,
                                     forms[i % 3].rows, columns[i / 3 % 6], flags);
            if (tile.why.status) {
                if (!best.tile.m)
                    best.tile.why = tile.why;
                continue;
            }
            bool const pairs_up =
                tile.ctas == 1 || p.m->size > tile.m; /* one of two tiles is not empty for nothing */
            if (pairs_up && tile.rows / 64 * tile.n / 2 <= most_sums(parts, any != 0))
                try_tile(&best, &least, &tile, &p, processors);
        }
    }
    return best;
}
