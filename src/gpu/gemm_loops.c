/** Products by plain loops: the tile, and how A and B are read. */
#include "gpu/call.h"
#include "gpu/gemm.h"

#include <stdlib.h>

enum { MOST_BLOCKS = 1 << 20, MOST_INDEX = 1 << 30 }; /* of a launch; tiles, or elements, that 32 bits count */
enum { SMALL = 32 };                                  /* the side of small tiles */

static gpu_loops_tuning const *const tuned = &gpu_h200.loops;

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
    int64_t const step = tsr_gpu_step_(x, operand);
    return step == 0 ? TSR_INT_MAX : llabs(step);
}

/** Whether eights of neighbours along a mode lie side by side, wherever they begin. */
static bool has_eights(tsr_gemm_loops const *near, int operand)
{
    return near->loops > 0 && near->step[operand][0] == 1 && (near->loops == 1 || near->count[0] % 8 == 0);
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

/** Whether sums are of 8 bytes. */
static bool has_long_sums(tsr_product_ const *x)
{
    return has_double(x) || (gpu_is_whole(x->a.engine.type) && gpu_is_whole(x->b.engine.type));
}

/** Whether all rows of a tile lie in the 4 GB behind the first one, or behind row 0. */
static bool is_close(tsr_gemm_loops const *x, int operand, int bytes)
{
    int64_t span = 0;
    for (int l = 0; l < x->loops; ++l) {
        int64_t const steps = (x->loops > 1 ? x->count[l] : 128) - 1, step = x->step[operand][l];
        if (step < 0 || step > (int64_t)UINT32_MAX / bytes / tsr_max64(steps, 1))
            return false;
        span += steps * step * bytes;
    }
    return span <= (int64_t)UINT32_MAX;
}

/** Whether both operands lie along K, which is one loop: what else there is lacks the registers to go straight. */
static bool is_straight(tsr_gpu_planned_gemm const *g)
{
    return (g->access & TSR_ANY_COPIED) == TSR_ANY_COPIED && !(g->access & (TSR_ANY_A_ROWS | TSR_ANY_B_ROWS))
           && g->tile.m == 128 && g->loops.k.loops == 1;
}

/** Whether 32 bits count the tiles, and the elements of each mode. */
static bool is_counted(tsr_gemm_any const *g)
{
    tsr_gemm_loops const *const mode[] = {&g->v, &g->m, &g->n, &g->k};
    double const tiles =
        (double)g->v.size * (double)tsr_ceil_div64(g->m.size, SMALL) * (double)tsr_ceil_div64(g->n.size, SMALL);
    for (int i = 0; i < 4; ++i)
        if (mode[i]->size > MOST_INDEX)
            return false;
    return tiles <= MOST_INDEX;
}

/** Whether the copy unit can bring the tiles: of the sums' type, without swizzles. */
static bool is_copied(tsr_gpu_device const *device, tsr_gemm_any const *g, tsr_product_ const *x, int access)
{
    tsr_dtype const type = x->a.engine.type;
    int const bytes = type == TSR_F64 ? 8 : 4;
    return type == x->b.engine.type
           && ((type == TSR_F32 && device->major >= 8) || (type == TSR_F64 && device->major >= 9))
           && !(access & TSR_ANY_SWIZZLED) && is_close(&g->m, TSR_IN_A, bytes) && is_close(&g->n, TSR_IN_B, bytes)
           && is_counted(g);
}

bool tsr_gpu_has_halves_(tsr_gpu_device const *device, tsr_product_ const *x)
{
    tsr_dtype const type = x->a.engine.type;
    return type == x->b.engine.type && (type == TSR_F16 || type == TSR_BF16) && device->major >= 8;
}

/** TSR_ANY_A_ROWS, TSR_ANY_A_WIDE and so on; with `copies` by the copy unit, where it can. */
static int access_of(tsr_gpu_device const *device, tsr_gemm_any const *g, tsr_product_ const *x, bool copies)
{
    tsr_tensor const *const t[2] = {&x->a, &x->b};
    int const wide = has_double(x) ? 2 : 4; /* factors of 16 bytes */
    bool const halves = tsr_gpu_has_halves_(device, x);
    int r = halves || (has_double(x) && device->major >= 9) ? TSR_ANY_TENSOR : 0;
    for (int i = 0; i < TSR_OPERANDS; ++i)
        if (g->base[i].swizzle.bits != 0 && (i != TSR_IN_BIAS || x->biased))
            r |= TSR_ANY_SWIZZLED;
    bool const copied = copies && is_copied(device, g, x, r);
    r |= copied ? TSR_ANY_COPIED : is_counted(g) ? TSR_ANY_COUNTED : 0;
    for (int i = 0; i < 2; ++i) {
        tsr_gemm_loops const *const rows = i == TSR_IN_A ? &g->m : &g->n;
        tsr_gemm_loops const *const near = apart(rows, i) < apart(&g->k, i) ? rows : &g->k;
        bool const by_words = !(r & TSR_ANY_SWIZZLED) && (near == rows || !copied || wide == 2)
                              && (halves ? has_eights(near, i)
                                         : is_wide(g, i, tsr_dtype_bits(t[i]->engine.type) / 8, near,
                                                   near == rows ? &g->k : rows, wide));
        bool const along = near == rows && (by_words || !halves);
        r |= ((along ? TSR_ANY_A_ROWS : 0) | (by_words ? TSR_ANY_A_WIDE : 0)) << 2 * i;
    }
    int const bytes = tsr_dtype_bits(x->c.engine.type) / 8, run = has_long_sums(x) ? 2 : 4;
    bool const by_words = (run * bytes == 8 || run * bytes == 16) && !(r & TSR_ANY_SWIZZLED)
                          && is_wide(g, TSR_IN_C, bytes, &g->m, &g->n, run);
    return r | (by_words ? TSR_ANY_C_WIDE : 0);
}

static tsr_any_form form_of(tsr_gpu_planned_gemm const *g, int side, tsr_product_ const *x)
{
    int const factor = has_double(x) ? 8 : tsr_gpu_has_halves_(g->device, x) ? 2 : 4;
    return tsr_make_any_form(factor, has_long_sums(x) ? 8 : 4, side, g->access);
}

/** The tiles that one multiprocessor makes, one after the other, of the `tiles` that all of them share. */
static double turns_of(int64_t tiles, int64_t processors, int64_t at_once)
{
    int64_t const waves = tiles / (processors * at_once), rest = tiles - waves * processors * at_once;
    double const last = rest > processors ? (double)tsr_ceil_div64(rest, processors)
                        : rest > 0        ? at_once > 1 ? tuned->two_at_once : 1
                                          : 0;
    return (double)(waves * at_once) + last;
}

/** The clocks of a product in tiles of a form, K of those behind the last whole wave in `parts` parts. Also writes the
 *  plan to `g`. */
static double clocks_of(tsr_gpu_planned_gemm *g, tsr_product_ const *product, int form, int64_t parts, int blocks)
{
    tsr_gemm_any *const x = &g->loops;
    bool const copied = (g->access & TSR_ANY_COPIED) == TSR_ANY_COPIED;
    bool const halves = tsr_gpu_has_halves_(g->device, product);
    int const side = g->tile.m = g->tile.n = 16 * tuned->form[form].each;
    x->part = tsr_ceil_div64(tsr_ceil_div64(x->k.size, parts), TSR_ANY_KNOWN) * TSR_ANY_KNOWN;
    x->splits = parts > 1 ? tsr_ceil_div64(x->k.size, x->part) : 1;
    int64_t const tiles = tsr_ceil_div64(x->m.size, side) * tsr_ceil_div64(x->n.size, side) * x->v.size;
    int64_t const processors = g->device->processors;
    int64_t const at_once = copied || halves || side == SMALL
                                ? blocks
                                : 1; /* of a multiprocessor; one alone is a little faster than half of two */
    x->whole = x->splits > 1 ? tiles / (processors * at_once) * processors * at_once : tiles;
    int64_t const divided = (tiles - x->whole) * x->splits;
    g->tiles = x->whole + divided;
    double const step = side * side
                        / (halves   ? tuned->form[form].halves
                           : copied ? tuned->form[form].copied
                                    : tuned->form[form].read);
    double const end = side == SMALL           ? tuned->small_end * tuned->tile_end
                       : halves && side == 128 ? tuned->large_end * tuned->tile_end
                       : copied                ? tuned->copied_end
                                               : tuned->tile_end;
    double const time = turns_of(x->whole, processors, at_once) * ((double)x->k.size * step + end)
                        + turns_of(divided, processors, at_once) * ((double)x->part * step + end);
    double const groups = (double)tsr_ceil_div64(x->splits, TSR_ANY_GROUP);
    double const read = (double)tsr_min64(x->splits, TSR_ANY_GROUP) + (groups > 1 ? groups : 0);
    double const join = (groups > 1 ? 2 : 1) * tuned->join_end + (read + 1) * side * side / tuned->join_sums;
    return time + (divided > 0 ? join : 0);
}

/** The tile and the parts of K, at most `most`, of the least time, and that time in clocks. */
static double choose(tsr_gpu_planned_gemm *g, tsr_product_ const *x, int most)
{
    double least = GPU_NEVER;
    int best = 0, blocks = 1;
    int64_t best_parts = 1;
    bool const small = (g->access & TSR_ANY_COPIED) != TSR_ANY_COPIED && g->loops.k.size <= tuned->small_depth;
    for (int i = 0; i < (small ? 3 : 2); ++i)
        for (int64_t parts = 1; parts == 1 || (parts <= most && g->loops.k.size >= parts * TSR_ANY_KNOWN);
             parts += parts < 4 ? 1 : parts / 2) {
            tsr_any_form const form = form_of(g, 16 * tuned->form[i].each, x);
            double const clocks = clocks_of(g, x, i, parts, form.blocks);
            bool const few = g->tiles - g->loops.whole <= (int64_t)tuned->most_tiles * g->device->processors;
            if (form.bytes > g->device->shared || clocks >= least || !few)
                continue;
            least = clocks;
            best = i;
            best_parts = parts;
            blocks = form.blocks;
        }
    (void)clocks_of(g, x, best, best_parts, blocks); /* which writes it */
    g->access |= (g->loops.splits > 1 ? TSR_ANY_SPLITS : 0) | (is_straight(g) ? TSR_ANY_STRAIGHT : 0);
    return least;
}

/** Few steps of K are over before copies pay: then small tiles are read through registers, by more threads. */
static double choose_read(tsr_gpu_planned_gemm *g, tsr_product_ const *x, double copied)
{
    size_t const bytes =
        offsetof(struct tsr_gpu_planned_gemm, copy); /* there are no copies yet, which are most of it */
    tsr_gpu_planned_gemm read;
    if (has_double(x) && g->loops.k.size > tuned->read_doubles)
        return copied;
    memcpy(&read, g, bytes);
    read.access = access_of(g->device, &g->loops, x, false);
    double const clocks = choose(&read, x, 1);
    if (clocks >= copied || read.tile.m > 64)
        return copied;
    memcpy(g, &read, bytes);
    return clocks;
}

/** Finds the bytes in which an operand's elements lie. */
static void bound(tsr_gemm_any *g, int operand, int bytes)
{
    tsr_gemm_loops const *const modes[] = {&g->v, &g->m, &g->n, &g->k};
    tsr_gemm_base *const base = &g->base[operand];
    int64_t low = base->begin, high = base->begin + 1;
    for (int i = 0; i < 4; ++i)
        for (int l = 0; l < modes[i]->loops; ++l) {
            int64_t const last = (modes[i]->count[l] - 1) * modes[i]->step[operand][l];
            *(last < 0 ? &low : &high) += last;
        }
    base->low = low * bytes;
    base->high = high * bytes;
}

double tsr_gpu_choose_loops_(tsr_gpu_planned_gemm *g, tsr_gemm_problem const *p)
{
    tsr_product_ const *const x = &p->product;
    tsr_tensor const *const t[TSR_OPERANDS] = {&x->a, &x->b, &x->c, &x->bias};
    tsr_gemm_any *const any = &g->loops;
    *any = (tsr_gemm_any){p->v, p->m, p->n, p->k, {{0, 0, 0, 0, {0}}}, x->alpha, x->beta, 0, 1, 0, 0, 0};
    for (int i = 0; i < TSR_OPERANDS; ++i) {
        any->base[i].address = t[i]->engine.address;
        any->base[i].begin = t[i]->layout.composed ? tsr_leaf_value(t[i]->layout.offset) : 0;
        any->base[i].swizzle = t[i]->layout.composed ? t[i]->layout.swizzle : tsr_make_swizzle(0, 0, 0);
        bound(any, i, tsr_dtype_bits(t[i]->engine.type) / 8);
    }
    g->swapped = p->swapped;
    g->access = access_of(g->device, any, x, true);
    double const clocks = choose(g, x, tuned->most_parts);
    return (g->access & TSR_ANY_COPIED) == TSR_ANY_COPIED ? choose_read(g, x, clocks) : clocks;
}

tsr_gpu_result tsr_gpu_take_loops_(tsr_gpu_planned_gemm *g, tsr_gpu_cache *cache, tsr_gemm_problem const *p)
{
    tsr_product_ const *const x = &p->product;
    tsr_gemm_any *const any = &g->loops;
    if (tsr_gpu_choose_loops_(g, p) >= GPU_NEVER)
        return tsr_gpu_refuse_(TSR_GPU_SHARED, form_of(g, tuned->form[1].each * 16, x).bytes, 0, g->device->shared);
    tsr_any_form const form = form_of(g, g->tile.m, x);
    g->launch.grid[0] = (unsigned)tsr_min64(g->tiles, MOST_BLOCKS);
    g->launch.block[0] = (unsigned)form.threads;
    g->launch.shared = (unsigned)form.bytes;
    g->launch.early = g->device->major >= GPU_WAITING;
    return tsr_gpu_find_scratch_(g, cache, (g->tiles - any->whole) / any->splits, any->splits,
                                 1 + (int)tsr_ceil_div64(any->splits, TSR_ANY_GROUP), has_long_sums(x) ? 8 : 4,
                                 &any->arrived, &any->partial);
}
