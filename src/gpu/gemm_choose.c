/** Which tile a product on Hopper gets: a model of the time in clocks, tried on all of them.
 *
 *  A step of 128 bytes of K takes clocks of the tensor cores; of the lines that they read from shared memory; of those
 *  that come into the multiprocessor, more where they are outside of their tensor; and of those that leave the
 *  second-level cache, which depends on how often they are read and on where rows of memory begin. The largest of these
 *  counts, or what a step takes at least, and a tenth of the others. With scales a thread adds up what it has of every
 *  other step, or of half a step. A wave of tiles takes the steps of one and its end. Pairs of CTAs begin later and
 *  wait for each other. Nothing hides what is stored at the very end. Operands come from memory while tiles are
 *  multiplied. The numbers are in gpu/tuning.h. */
#include "gpu/gemm.h"

static gpu_hopper_tuning const *const tuned = &gpu_h200.hopper;

gpu_product tsr_gpu_product_of_(tsr_gemm_problem const *of, bool swapped)
{
    gpu_product const plain = {of, &of->m, &of->n, &of->product.a, &of->product.b, TSR_IN_A, TSR_IN_B},
                      other = {of, &of->n, &of->m, &of->product.b, &of->product.a, TSR_IN_B, TSR_IN_A};
    return swapped == of->swapped ? plain : other;
}

int64_t tsr_gpu_step_(tsr_gemm_loops const *x, int operand) { return x->loops > 0 ? x->step[operand][0] : 0; }

/** Whether the neighbours of an operand are along its own mode and not along the other one. */
static bool is_along(tsr_gemm_loops const *own, tsr_gemm_loops const *other, int operand)
{
    return tsr_gpu_step_(own, operand) == 1 && tsr_gpu_step_(other, operand) != 1;
}

int tsr_gpu_majors_(gpu_product const *p)
{
    return (is_along(p->m, &p->of->k, p->left) ? TSR_HOPPER_A_MN : 0)
           | (is_along(p->n, &p->of->k, p->right) ? TSR_HOPPER_B_MN : 0)
           | (is_along(p->m, p->n, TSR_IN_C) ? TSR_HOPPER_D_MN : 0);
}

/** How many sums fit into the registers of a thread, beside the addresses that the epilogue reads. */
static int most_sums(int parts, bool any)
{
    int const reads = ((parts & TSR_EPILOGUE_ADDS) != 0) + ((parts & TSR_EPILOGUE_BIASED) != 0) + any;
    int const work = reads + (reads > 0 && (parts & TSR_EPILOGUE_SCALES) != 0);
    return work > 1 ? tuned->sums_with_more : work == 1 && reads == 1 ? tuned->sums_with_one : tuned->sums;
}

enum { WIDTHS = 16 }; /* tiles have 256, 240, .. columns */

/** One of the two ways to see a product, with or without the caller's B as its rows, and what its tiles have in
 *  common: a division takes as long as the rest of a tile's estimate. */
typedef struct side {
    gpu_product of, first; /* the one whose neighbours all have; the first one */
    bool swapped;
    double skew[2];                         /* of the operands of rows and of columns: of lines out of the cache */
    double slow[2];                         /* .. of lines as they come in */
    int64_t down[4], across[WIDTHS], steps; /* tiles of one product alone, by their extents; 0: not known yet */
} side;

/** How much longer a line takes that does not begin where one of memory does. */
static double skew_of(gpu_product const *p, int operand)
{
    tsr_tensor const *const t = operand == p->left ? p->a : p->b;
    int64_t const own = tsr_gpu_step_(operand == p->left ? p->m : p->n, operand),
                  k = tsr_gpu_step_(&p->of->k, operand);
    uint64_t const begin = (uint64_t)((own == 1 ? k : own) * tsr_dtype_bits(t->engine.type) / 8) | t->engine.address;
    return begin % 128 == 0 ? 1 : begin % 32 == 0 ? tuned->skew : tuned->much_skew;
}

/** What there is to do in tiles of a kind. */
typedef struct amount {
    int64_t clusters, steps, longest; /* of tiles, of all their steps, the steps of one */
    double bytes, again;              /* of operands, each once; of those that tiles read that are not side by side */
    double outside;                   /* lines of all tiles' steps that are outside of their tensor */
} amount;

/** The larger one and a part of the smaller one. */
static double beside(double x, double y, double part) { return x > y ? x + part * y : y + part * x; }

/** The lines of B in a step of a tile. Where it lies along N, boxes are as wide as its rows can be cut evenly, 128, 64
 *  or 32 bytes, and a narrow line takes as long as a wide one. */
static double lines_of_b(gpu_product const *p, tsr_hopper_tile const *t)
{
    int const bytes = t->n * tsr_dtype_bits(p->b->engine.type) / 8;
    bool const narrow = (t->flags & TSR_HOPPER_B_MN) != 0 && bytes % 128 != 0;
    double const lines = narrow ? (double)t->n * (bytes % 64 == 0 ? 2 : 4) : t->n;
    double const left = lines * (narrow && t->ctas > 1 ? tuned->shared_line : 1);
    return left > t->n ? left : t->n;
}

/** The clocks of a step. */
static double clocks_of(side const *x, tsr_hopper_tile const *t, amount const *all)
{
    double const lines = (double)all->steps * (t->m * t->ctas + t->n);
    double const read = lines * 128 < tuned->often * all->bytes ? tuned->few_lines : tuned->many_lines;
    double const outside = all->outside / (double)all->steps;
    double const part[] = {
        t->m * t->n / tuned->multiplied, tuned->operand_line * t->m / 64 * (64 + t->n),
        tuned->incoming_line * (t->m * x->slow[0] + lines_of_b(&x->of, t) * (1 + (x->slow[1] - 1) / t->ctas))
            + tuned->outside_line * outside,
        read * (t->m * x->skew[0] + t->n * x->skew[1] / t->ctas), tuned->least_step};
    double sum = 0, most = 0;
    for (int i = 0; i < (int)(sizeof part / sizeof *part); ++i) {
        sum += part[i];
        most = part[i] > most ? part[i] : most;
    }
    double const adding = tuned->scales + tuned->scale_of_sum * t->rows / 64 * t->n / 2; /* of every other step */
    return most + (sum - most) / tuned->others + (t->flags & TSR_HOPPER_SCALES ? adding : 0);
}

/** The tiles that `extent` elements take; for `groups` products, one behind the other, the average. */
static int64_t tiles_of(int64_t extent, int64_t tile, int64_t groups)
{
    return groups > 0 ? extent / tile + (groups + 1) / 2 : tsr_ceil_div64(extent, tile);
}

static amount amount_of(gpu_work const *w, side *x, tsr_hopper_tile const *tile)
{
    amount r = {0, 0, 0, 0, 0, 0};
    bool const swapped = x->swapped;
    int64_t const tall = (int64_t)tile->m * tile->ctas, wide = tile->n, groups = tsr_max64(w->groups, 1);
    int64_t *const down_of = &x->down[tile->m / 64 * 2 - 2 + tile->ctas - 1], *const across_of =
                                                                                  &x->across[wide / 16 - 1];
    for (int i = 0; i < w->count; ++i) {
        gpu_product const p = i > 0 ? tsr_gpu_product_of_(w->plan + i, swapped) : x->first;
        if (w->count > 1 || *down_of == 0)
            *down_of = tiles_of(p.m->size, tall, swapped ? 0 : w->groups);
        if (w->count > 1 || *across_of == 0)
            *across_of = tiles_of(p.n->size, wide, swapped ? w->groups : 0);
        if (w->count > 1 || x->steps == 0)
            x->steps = tsr_ceil_div64(p.of->k.size, tile->k);
        int64_t const down = *down_of, across = *across_of, steps = x->steps, v = p.of->v.size;
        double const line = (double)v * (double)steps * 128;
        double const a = line * (double)(swapped ? groups : 1) * (double)p.m->size,
                     b = line * (double)(swapped ? 1 : groups) * (double)p.n->size;
        r.clusters += down * across * v;
        r.steps += down * across * v * steps;
        r.longest = tsr_max64(r.longest, steps);
        r.bytes += a + b;
        if (across > 1 && down > 1)
            r.again += tsr_hopper_height(p.m->size, p.n->size, tile->n, tile->ctas) == 1 ? b : a;
        if (w->groups == 0)
            r.outside += (double)(v * steps)
                         * ((double)across * (double)(down * tall - p.m->size) / tile->ctas
                            + (double)down * (double)(across * wide - p.n->size));
    }
    return r;
}

/** Clocks that tiles of m by n and steps of k take at least: those of the steps alone, as if all could be divided
 *  evenly. */
static double least_of(gpu_work const *w, int m, int n, int k)
{
    tsr_gemm_problem const *const p = w->like;
    double const part[] = {m * n / tuned->multiplied, tuned->operand_line * m / 64 * (64 + n),
                           tuned->incoming_line * (m + n), tuned->least_step};
    double step = 0;
    for (int i = 0; i < (int)(sizeof part / sizeof *part); ++i)
        step = part[i] > step ? part[i] : step;
    double const tiles = (double)p->m.size * (double)p->n.size * (double)p->v.size / (m * n);
    return w->count > 1 || w->groups > 0 ? 0 : tiles * (double)p->k.size / k * step / w->processors;
}

/** The parts of K that are tried: a few, or as many as have multiprocessors of their own. */
static int most_splits(int most, int64_t clusters, int64_t at_once)
{
    return (int)tsr_min64(most, tsr_max64(GPU_FEW_SPLITS, at_once / tsr_max64(clusters, 1)));
}

/** What a tile takes, whose extents and flags are known: its amounts, the clocks of a step, those of all steps if they
 *  could be divided evenly, in whatever parts of K, of memory, and of storing; and what it takes at least. */
typedef struct estimate {
    amount all;
    double clocks, even, memory, stored, end, least;
} estimate;

static estimate estimate_of(gpu_work const *w, side *x, tsr_hopper_tile const *tile)
{
    estimate e;
    int64_t const at_once = w->processors / tile->ctas;
    bool const turns = (tile->flags & TSR_HOPPER_TURNS) != 0, pairs = tile->ctas > 1;
    e.all = amount_of(w, x, tile);
    e.clocks = clocks_of(x, tile, &e.all);
    e.even = w->count == 1 ? (double)e.all.clusters * (double)e.all.longest / (double)at_once * e.clocks : 0;
    e.memory = (e.all.bytes + tuned->again * e.all.again) / tuned->memory_bytes;
    e.stored = (double)tile->m * tile->n * tsr_dtype_bits(x->of.of->product.c.engine.type) / tuned->store_bits;
    e.end = (turns ? tuned->stored_turns * e.stored : tuned->shared_end + tuned->stored_shared * e.stored)
            + (pairs ? tuned->pair_end : 0);
    double const once = (pairs ? tuned->pair_start : 0) + e.end + tuned->last_share * e.stored;
    e.least = ((e.even > e.memory ? e.even : e.memory) + once) * (1 - 1e-12); /* sums are rounded in any order */
    return e;
}

/** What K in so many parts takes more. */
static double join_of(tsr_hopper_tile const *tile, int splits)
{
    return splits > 1 ? tuned->join_end + (splits + 1) * ((double)tile->m * tile->n) / tuned->join_sums : 0;
}

/** The clocks of a tile whose K is in so many parts. */
static double time_of(gpu_work const *w, tsr_hopper_tile const *tile, estimate const *e, int splits)
{
    bool const narrow = tile->columns * tsr_dtype_bits(tile->d) < tuned->narrow_bits;
    double const last = tuned->last_share * e->stored
                        + (narrow ? tuned->narrow_end * (tile->rows / 64) * (tile->n / tile->columns) : 0);
    double const waves = (double)tsr_ceil_div64(e->all.clusters * splits, w->processors / tile->ctas);
    double const steps = w->count == 1 ? (double)tsr_ceil_div64(e->all.longest, splits)
                                       : (double)e->all.steps / (double)e->all.clusters; /* of a tile */
    double const ends = (tile->ctas > 1 ? tuned->pair_start : 0) + waves * (e->end + join_of(tile, splits)) + last;
    return beside(waves * steps * e->clocks, e->memory, tuned->memory_share) + ends;
}

static void take_tile(gpu_choice *best, tsr_hopper_tile const *tile, gpu_work const *w, bool swapped,
                      estimate const *e, int splits, double clocks)
{
    best->clocks = clocks;
    memcpy(&best->tile, tile, offsetof(tsr_hopper_tile, smem_a)); /* no layouts yet, and no reason */
    best->swapped = swapped;
    best->splits = splits;
    best->tiles = e->all.clusters * tile->ctas * splits;
    best->blocks = tsr_min64(e->all.clusters * splits, w->processors / tile->ctas) * tile->ctas;
}

/** Tries the parts of K for one tile. */
static void try_tile(gpu_choice *best, tsr_hopper_tile const *tile, gpu_work const *w, bool swapped,
                     estimate const *e)
{
    bool const turns = (tile->flags & TSR_HOPPER_TURNS) != 0;
    int const most = turns && tile->rows / 64 * tile->n / 2 <= tuned->split_sums
                         ? most_splits(w->splits, e->all.clusters, w->processors / tile->ctas)
                         : 1;
    for (int splits = 1; splits <= most; ++splits) {
        if (splits > 1
            && (e->all.longest / splits < tuned->least_steps || e->least + join_of(tile, splits) >= best->clocks))
            break;
        double const time = time_of(w, tile, e, splits);
        if (time < best->clocks && time > w->above)
            take_tile(best, tile, w, swapped, e, splits, time);
    }
}

static side product_side(gpu_work const *w, bool swapped)
{
    side x = {.of = tsr_gpu_product_of_(w->like, swapped),
              .first = tsr_gpu_product_of_(w->plan, swapped),
              .swapped = swapped};
    x.skew[0] = skew_of(&x.of, x.of.left);
    x.skew[1] = skew_of(&x.of, x.of.right);
    for (int i = 0; i < 2; ++i)
        x.slow[i] = x.skew[i] > tuned->skew ? tuned->much_incoming : 1;
    return x;
}

/** Tries the tiles of one side whose kernels are compiled, with K in as many parts as the best one of all has. True:
 *  the kernel of `best` is among them. */
static bool try_compiled(gpu_choice *r, gpu_work const *w, gpu_choice const *best, bool swapped)
{
    side x = product_side(w, swapped);
    tsr_gpu_multiplier const *at = NULL;
    tsr_hopper_tile like = best->tile, next = best->tile;
    like.a = x.of.a->engine.type;
    like.b = x.of.b->engine.type;
    like.flags = tsr_gpu_majors_(&x.of) | w->flags | (best->splits > 1 ? TSR_HOPPER_SPLITS : 0)
                 | (best->tile.flags & (TSR_HOPPER_TURNS | TSR_HOPPER_PAIRS));
    while (tsr_gpu_next_compiled_(w, &like, &at, &next)) {
        if (swapped == best->swapped && next.m == like.m && next.n == like.n && next.flags == like.flags)
            return true;
        tsr_mma_atom const atom = tsr_hopper_atom(like.a, like.b, next.n, next.flags);
        tsr_hopper_tile_fit(&next, &atom, like.d, next.m, next.flags & ~TSR_HOPPER_SPLITS);
        if (next.why.status || !tsr_gpu_divides_(&x.of, &next))
            continue;
        estimate const e = estimate_of(w, &x, &next);
        double const time = time_of(w, &next, &e, best->splits);
        if (time < r->clocks)
            take_tile(r, &next, w, swapped, &e, best->splits, time);
    }
    return false;
}

/** The best tile, or one whose kernel is compiled and that takes little longer: new sizes then compile less. K is in as
 *  many parts, so that the bits of the result are the same. */
static gpu_choice best_or_compiled(gpu_work const *w, gpu_choice const *best)
{
    gpu_choice r = *best;
    r.clocks *= w->compiled.slower > 0 ? w->compiled.slower : tuned->compiled;
    double const most = r.clocks;
    for (int i = 0; i < 2; ++i) {
        bool const swapped = best->swapped != (i == 1);
        if (!(w->without >> swapped & 1) && try_compiled(&r, w, best, swapped))
            return *best;
    }
    r.stands_in = r.clocks < most;
    return r.stands_in ? r : *best;
}

gpu_choice tsr_gpu_choose_(gpu_work const *work)
{
    static struct {
        int rows, flags;
    } const forms[] = {{64, TSR_HOPPER_TURNS}, {128, TSR_HOPPER_TURNS}, {128, 0}};
    bool const scaled = (work->flags & TSR_HOPPER_SCALES) != 0;
    int const most = most_sums(work->parts, (work->flags & TSR_HOPPER_D_ANY) != 0);
    gpu_choice best;
    tsr_hopper_tile tile;
    memset(&best, 0, sizeof best);
    memset(&tile, 0, sizeof tile);
    best.clocks = GPU_NEVER;
    for (int swapped = 0; swapped < (scaled ? 1 : 2); ++swapped) {
        if (work->without >> swapped & 1)
            continue;
        side x = product_side(work, swapped != 0);
        gpu_product const *const p = &x.of;
        int const flags = tsr_gpu_majors_(p) | work->flags;
        int64_t const rows = work->groups > 1 && !swapped ? p->m->size / work->groups : p->m->size;
        tsr_mma_atom atom = tsr_hopper_atom(p->a->engine.type, p->b->engine.type, 16 * WIDTHS, flags);
        int const k = 1024 / (int)tsr_max64(tsr_dtype_bits(atom.a), 1);
        for (int i = 0; i < WIDTHS * 3 * 2; ++i) {
            int const m = forms[i % 3].rows, pairs = i / (3 * WIDTHS);
            atom.n = 16 * (WIDTHS - i / 3 % WIDTHS); /* multiples of 16 are widths of all instructions */
            tile.m = m;
            tile.n = atom.n;
            tile.k = k;
            tile.flags = flags | forms[i % 3].flags | (pairs ? TSR_HOPPER_PAIRS : 0);
            tile.ctas = pairs ? 2 : 1;
            tile.rows = forms[i % 3].flags ? m : m / TSR_HOPPER_CONSUMERS;
            /* One of two tiles is not empty for nothing; with scales, tiles of 256 columns are faster alone. */
            bool const takes = (!pairs || (rows > m && !(scaled && atom.n == 256) && work->processors >= 2))
                               && tile.rows / 64 * atom.n / 2 <= most;
            if (best.tile.m && (!takes || least_of(work, m, atom.n, k) >= best.clocks))
                continue;
            estimate const e = takes ? estimate_of(work, &x, &tile) : (estimate){.least = 0};
            if (best.tile.m && e.least >= best.clocks) /* too late */
                continue;
            tsr_hopper_tile_fit(&tile, &atom, p->of->product.c.engine.type, m, tile.flags);
            if (tile.why.status && !best.tile.m)
                best.tile.why = tile.why;
            if (!tile.why.status && takes && tsr_gpu_divides_(p, &tile))
                try_tile(&best, &tile, work, swapped != 0, &e);
        }
    }
    bool const may = best.tile.m && work->compiled.cache && !scaled;
    return may ? best_or_compiled(work, &best) : best;
}
