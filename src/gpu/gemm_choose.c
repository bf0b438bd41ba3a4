/** Which tile a product on Hopper gets: a model of the time in clocks, tried on all of them.
 *
 *  A step of 128 bytes of K takes m*n/32 clocks of the tensor cores, or 2 clocks for each line of 128 bytes that comes
 *  into the multiprocessor, or, of those that leave the second-level cache (of B, which two CTAs share, each the half),
 *  1.5 clocks while each is read a few times, 2.6 where all are read often; whichever are most. With scales a thread
 *  adds up what it has of every other step. A wave of tiles takes the steps of one, and what its end costs; pairs begin
 *  later and wait for each other. Operands come from memory once, 28 bytes a clock for a block, 2400 for all; what is
 *  faster than that waits, and counts a fifth. The numbers were fitted to an H200 (docs/benchmarks.md). */
#include "gpu/gemm.h"

enum { TURN_END = 300, SHARED_END = 3000, PAIR_END = 700, PAIR_START = 3000, JOIN_END = 4000 }; /* clocks */
enum { MEMORY_BYTES = 2400, BLOCK_BYTES = 28 };                                                 /* a clock */
enum { LEAST_STEPS = 4, SPLIT_SUMS = 96, OFTEN = 8 };

gpu_product gpu_product_of(tsr_gemm_plan const *of, bool swapped)
{
    gpu_product const plain = {of, &of->m, &of->n, &of->product.a, &of->product.b, TSR_IN_A, TSR_IN_B},
                      other = {of, &of->n, &of->m, &of->product.b, &of->product.a, TSR_IN_B, TSR_IN_A};
    return swapped == of->swapped ? plain : other;
}

int64_t gpu_step(tsr_gemm_loops const *x, int operand) { return x->loops > 0 ? x->step[operand][0] : 0; }

/** Whether the neighbours of an operand are along its own mode and not along the other one. */
static bool is_along(tsr_gemm_loops const *own, tsr_gemm_loops const *other, int operand)
{
    return gpu_step(own, operand) == 1 && gpu_step(other, operand) != 1;
}

int gpu_majors(gpu_product const *p)
{
    return (is_along(p->m, &p->of->k, p->left) ? TSR_HOPPER_A_MN : 0)
           | (is_along(p->n, &p->of->k, p->right) ? TSR_HOPPER_B_MN : 0)
           | (is_along(p->m, p->n, TSR_IN_C) ? TSR_HOPPER_D_MN : 0);
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
    double const narrow = tile->n > 64 ? 1 : pairs ? 1.2 : tile->m == 128 && tile->n == 64 ? 1.05 : 1;
    double const wide = turns ? (tile->n == 192 ? 0.985 : 1) : tile->n == 256 ? (pairs ? 0.97 : 1.03) : 1; /* power */
    return narrow * wide * (tile->flags & TSR_HOPPER_D_MN ? 1.01 : 1);
}

/** The clocks of a step, of tiles whose lines leave the cache `times` times each. */
static double clocks_of(tsr_hopper_tile const *t, double times)
{
    double const tensor = (double)t->m * t->n / 32, in = 2.0 * (t->m + t->n);
    double const out = (times < OFTEN ? 1.5 : 2.6) * (t->m + t->n / t->ctas);
    double const most = tensor > in ? (tensor > out ? tensor : out) : in > out ? in : out;
    double const adding = 75 + 0.65 * t->rows / 64 * t->n / 2; /* that of every other step */
    return most + (t->flags & TSR_HOPPER_SCALES ? adding : 0);
}

/** What there is to do in tiles of a kind. */
typedef struct amount {
    int64_t clusters, steps, longest; /* of tiles, of all their steps, the steps of one */
    double bytes;                     /* of operands, each once */
} amount;

/** How many tiles so many elements take; those of `groups` products, one behind the other, on average. */
static int64_t tiles_of(int64_t extent, int64_t tile, int64_t groups)
{
    return groups > 0 ? extent / tile + (groups + 1) / 2 : tsr_ceil_div64(extent, tile);
}

static amount amount_of(gpu_work const *w, tsr_hopper_tile const *tile, bool swapped)
{
    amount r = {0, 0, 0, 0};
    for (int i = 0; i < w->count; ++i) {
        gpu_product const p = gpu_product_of(w->plan + i, swapped);
        int64_t const tall = (int64_t)tile->m * tile->ctas, wide = tile->n, v = p.of->v.size;
        int64_t const down = tiles_of(p.m->size, tall, swapped ? 0 : w->groups),
                      across = tiles_of(p.n->size, wide, swapped ? w->groups : 0);
        int64_t const steps = tsr_ceil_div64(p.of->k.size, tile->k);
        int64_t const once = swapped ? w->groups * p.m->size + p.n->size : p.m->size + w->groups * p.n->size;
        r.clusters += down * across * v;
        r.steps += down * across * v * steps;
        r.longest = tsr_max64(r.longest, steps);
        r.bytes += (double)(w->groups > 0 ? once : p.m->size + p.n->size) * (double)v * (double)steps * 128;
    }
    return r;
}

/** Tries the parts of K for one tile. */
static void try_tile(gpu_choice *best, double *least, tsr_hopper_tile const *tile, gpu_work const *w, bool swapped)
{
    amount const all = amount_of(w, tile, swapped);
    int64_t const at_once = w->processors / tile->ctas;
    double const lines = (double)all.steps * (tile->m * tile->ctas + tile->n);
    double const clocks = clocks_of(tile, lines * 128 / all.bytes);
    bool const turns = (tile->flags & TSR_HOPPER_TURNS) != 0;
    int const sums = tile->rows / 64 * tile->n / 2; /* of a thread */
    int const most = turns && sums <= SPLIT_SUMS ? w->splits : 1;
    bool const pairs = tile->ctas > 1;
    double const start = pairs ? PAIR_START : 0;
    double const tail = (turns ? TURN_END : SHARED_END) + (pairs ? PAIR_END : 0);
    for (int splits = 1; splits <= most; ++splits) {
        if (splits > 1 && all.longest / splits < LEAST_STEPS)
            break;
        double const waves = (double)tsr_ceil_div64(all.clusters * splits, at_once);
        double const steps = w->count == 1 ? (double)tsr_ceil_div64(all.longest, splits)
                                           : (double)all.steps / (double)all.clusters; /* of a tile */
        double const blocks = (double)tsr_min64(all.clusters * splits, at_once) * tile->ctas;
        double const speed = blocks * BLOCK_BYTES < MEMORY_BYTES ? blocks * BLOCK_BYTES : MEMORY_BYTES;
        double const memory = all.bytes / speed;
        double const join = splits > 1 ? JOIN_END + (splits + 1) * tile->m * tile->n / 10.0 : 0;
        double const work = waves * steps * clocks, ends = start + waves * (tail + join);
        double const time = favour_of(tile) * ((work > memory ? work : memory + (work - memory) / 5) + ends);
        if (time >= *least)
            continue;
        *least = time;
        best->tile = *tile;
        best->swapped = swapped;
        best->splits = splits;
        best->tiles = all.clusters * tile->ctas * splits;
        best->blocks = tsr_min64(all.clusters * splits, at_once) * tile->ctas;
    }
}

gpu_choice gpu_choose(gpu_work const *work)
{
    static int const columns[] = {16, 32, 64, 128, 192, 256};
    static struct {
        int rows, flags;
    } const forms[] = {{64, TSR_HOPPER_TURNS}, {128, TSR_HOPPER_TURNS}, {128, 0}};
    bool const scaled = (work->flags & TSR_HOPPER_SCALES) != 0;
    gpu_choice best;
    double least = 1e300;
    memset(&best, 0, sizeof best);
    for (int swapped = 0; swapped < (scaled ? 1 : 2); ++swapped) {
        gpu_product const p = gpu_product_of(work->like, swapped != 0);
        int const flags = gpu_majors(&p) | work->flags;
        int64_t const rows = work->groups > 1 && !swapped ? p.m->size / work->groups : p.m->size;
        for (int i = 0; i < 6 * 3 * 2; ++i) {
            tsr_hopper_tile const tile =
                gpu_tile(p.a->engine.type, p.b->engine.type, p.of->product.c.engine.type, forms[i % 3].rows,
                         columns[i / 3 % 6], flags | forms[i % 3].flags | (i / 18 ? TSR_HOPPER_PAIRS : 0));
            if (tile.why.status) {
                if (!best.tile.m)
                    best.tile.why = tile.why;
                continue;
            }
            bool const pairs_up = tile.ctas == 1 || rows > tile.m; /* one of two tiles is not empty for nothing */
            int const sums = tile.rows / 64 * tile.n / 2 * (scaled ? 3 : 1);
            if (pairs_up && gpu_divides(&p, &tile)
                && sums <= most_sums(work->parts, (work->flags & TSR_HOPPER_D_ANY) != 0))
                try_tile(&best, &least, &tile, work, swapped != 0);
        }
    }
    return best;
}
