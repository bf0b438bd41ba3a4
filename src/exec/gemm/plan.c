/** The plan of a product: its loops, its kernel, its blocks. */
#include "exec/engine.h"
#include "exec/gemm/engine.h"
#include "exec/gemm/problem.h"
#include "exec/by_address.h"

#include <stdlib.h>

/* Bytes of a block of A (less than half of a common second-level cache; half, where it is all of A along K), of B (a
 * part of the third), of panels along K (of the wider ones of AMX; the least where all rows are one block), of what is
 * read in place, even by many tiles; from where on lines have the same place in the first cache, which has few such
 * places. */
enum {
    BLOCK_OF_A = 400 * 1024,
    ONE_BLOCK_OF_A = 560 * 1024,
    BLOCK_OF_B = 8 * 1024 * 1024,
    PANEL_BYTES = 3072,
    DEEP_PANEL_BYTES = 1024,
    ONE_PANEL_BYTES = 1024,
    IN_PLACE_BYTES = 512 * 1024,
    NEAR_BYTES = 16 * 1024,
    WAY_BYTES = 4096,
    OWN_BLOCK_OF_B = 1024 * 1024
};

/* Large operands, of more than FAR_BYTES, beside at most FEW_SIDE rows or columns. A block of A is so small that the
 * next one has room beside it in the second cache, where it is asked for in time. Panels are short along K, where
 * each element may lie in another page. Rows that lie FAR_WAY_BYTES apart crowd each other out of the second cache
 * before they are packed. Beside FEW_ROWS rows a large B takes the place of A: beside more of them it costs more to
 * put sums in their places. */
enum {
    FAR_BYTES = 8 << 20,
    FAR_WAY_BYTES = 32 * 1024,
    FAR_BLOCK = 192 * 1024,
    FAR_PANEL_BYTES = 1024,
    FEW_SIDE = 128,
    FEW_ROWS = 4
};

/* A is not packed for FEW_TILES tiles of columns, B not for FEW_PANELS panels; the least elements of K of a block;
 * cycles of putting a tile's sums in their places; products one by one that take no longer than to make panels does. */
enum { FEW_TILES = 4, FEW_PANELS = 2, LEAST_DEPTH = 32, TILE_CYCLES = 200, FEW_PRODUCTS = 4000 };

/** What is worth a thread, in products, and those in the time in which an element of A or B comes from memory. */
#define WORK_OF_A_THREAD 1e6
#define READ_PRODUCTS 8

/** Whether an operand can be read in place: one loop a mode, elements as kernels take them. */
static bool is_readable(tsr_planned_gemm const *p, gemm_row const *row, tsr_tensor const *t, tsr_gemm_loops const *x)
{
    return p->parts == 1 && gemm_group(row->form) == 1 && x->loops <= 1 && p->of.k.loops <= 1 && !gemm_is_swizzled(t)
           && gemm_is_element(row->form, t->engine.type);
}

/** Whether the elements of all loops of a mode are whole units apart. */
static bool has_whole_steps(tsr_gemm_loops const *x, int operand, int group)
{
    bool whole = true;
    for (int i = 0; i < x->loops; ++i)
        whole = whole && x->step[operand][i] % group == 0;
    return whole;
}

/** Whether B can be read in place. Units of several elements lie there as in panels, if K's neighbours do; tiles of AMX
 *  are lines of them, of which none is cut. */
static bool is_b_readable(tsr_planned_gemm const *p, gemm_row const *row)
{
    tsr_tensor const *const b = &p->of.product.b;
    tsr_gemm_loops const *const k = &p->of.k;
    int const group = gemm_group(row->form);
    if (group == 1)
        return is_readable(p, row, b, &p->of.n);
    return !row->panels && (group == 2 || row->depth > 1) && b->engine.type == gemm_element_type(row->form)
           && p->of.n.loops <= 1 && !gemm_is_swizzled(b) && k->loops == 1 && k->step[TSR_IN_B][0] == 1
           && k->size % (row->depth * group) == 0 && p->of.n.size % ((int64_t)1 << row->log_columns) == 0
           && has_whole_steps(&p->of.n, TSR_IN_B, group) && has_whole_steps(&p->of.v, TSR_IN_B, group)
           && p->of.begin[TSR_IN_B] % group == 0 && b->engine.address % (uint64_t)gemm_unit_bytes(row->form) == 0;
}

/** Whether an operand that can be read in place lies in so few bytes that the first cache keeps it. */
static bool is_near(tsr_planned_gemm const *p, tsr_gemm_loops const *x, int operand, int64_t unit)
{
    double const span = (double)x->size * (double)tsr_gemm_first_step(x, operand);
    double const depth = (double)p->of.k.size * (double)tsr_gemm_first_step(&p->of.k, operand);
    return (span > depth ? span : depth) * (double)unit <= NEAR_BYTES;
}

/** Whether the caches keep only parts of an operand. */
static bool is_far(tsr_planned_gemm const *p, tsr_gemm_loops const *x, tsr_tensor const *t)
{
    return (double)x->size * (double)p->of.k.size * (double)gemm_bytes(t) > FAR_BYTES;
}

bool tsr_gemm_is_far(tsr_planned_gemm const *p)
{
    tsr_tensor const *const a = &p->of.product.a;
    bool const crowded = p->of.m.loops > 0 && p->of.k.loops > 0 && p->of.k.step[TSR_IN_A][0] == 1
                         && p->of.m.step[TSR_IN_A][0] * gemm_bytes(a) % FAR_WAY_BYTES == 0;
    return p->of.n.size <= FEW_SIDE && is_far(p, &p->of.m, a) && !crowded;
}

/** Whether a large B meets few rows, and its elements along K are no neighbours: each of them is in another page. */
static bool is_far_across(tsr_planned_gemm const *p)
{
    return p->of.m.size <= FEW_SIDE && tsr_gemm_first_step(&p->of.k, TSR_IN_B) != 1
           && is_far(p, &p->of.n, &p->of.product.b);
}

static int64_t even_blocks(int64_t n, int64_t most, int64_t step)
{
    int64_t const blocks = gemm_ceil(n, tsr_max64(most, step));
    return gemm_ceil(gemm_ceil(n, blocks), step) * step;
}

/** Rows of panels that are runs of C, or equal parts of one, to which kernels write; 0: vectors that they do not fill,
 *  or narrow panels, cost more than putting sums in their places. A unit of K costs 12 cycles with 3 vectors. */
static int64_t run_of_c(tsr_planned_gemm const *p, gemm_row const *row)
{
    static int64_t const cost[GEMM_VECTORS + 1] = {0, 5, 8, 12};
    int64_t const run = p->of.m.loops > 1 && p->of.m.step[TSR_IN_C][0] == 1 ? p->of.m.count[0] : 0;
    int64_t const whole = row->vectors * row->lanes, panel = run / tsr_max64(gemm_ceil(run, whole), 1);
    bool const even = run > 0 && run % panel == 0 && (row->masks || panel % row->lanes == 0);
    bool const fits = p->trivial && p->parts == 1 && gemm_is_sum(p, p->of.product.c.engine.type)
                      && !gemm_is_swizzled(&p->of.product.c);
    int64_t const waste = even ? cost[gemm_ceil(panel, row->lanes)] * whole - cost[row->vectors] * panel : 0;
    return even && fits && (double)p->of.k.size * (double)waste < (double)TILE_CYCLES * (double)panel ? panel : 0;
}

static int threads_of(tsr_planned_gemm const *p)
{
    double const m = (double)p->of.m.size, n = (double)p->of.n.size;
    double const work = (m * n + READ_PRODUCTS * (m + n)) * (double)p->of.k.size * (double)p->of.v.size;
    return (int)tsr_min64(tsr_engine_threads_(), 1 + (int64_t)(work / WORK_OF_A_THREAD));
}

/** Bytes of K in a panel, `most` at most, with which all rows are one block: then each panel of B is packed once, just
 *  before it is read. 0: too few. */
static int64_t one_block(tsr_planned_gemm const *p, gemm_row const *row, int64_t m, int64_t unit, int64_t most)
{
    double const rows = (double)tsr_max64(m, 1) * p->parts, k = (double)p->of.k.size * (double)unit;
    double const bytes = ONE_BLOCK_OF_A / rows;
    if (p->threads > 1 || row->depth > 1 || bytes < (k < ONE_PANEL_BYTES ? k : ONE_PANEL_BYTES))
        return 0;
    return bytes < (double)most ? (int64_t)bytes : most;
}

/** Parts for all threads: rows of A by a slice of the columns of a block of B. An element of either that a part reads
 *  takes as long as some products do, and all wait for whoever has one part more. Returns what one element of K of all
 *  columns costs. */
static double share_blocks(tsr_planned_gemm *p, gemm_row const *row, int64_t mr)
{
    int64_t const m = p->of.m.size, columns = tsr_min64(p->of.n.size, p->nc), most = p->mc;
    double const element = gemm_element_products(row);
    double least = 0;
    for (int64_t slices = 1; slices <= p->threads; ++slices) {
        int64_t const slice = even_blocks(columns, gemm_ceil(columns, slices), row->columns);
        int64_t const beside = gemm_ceil(columns, slice);
        for (int64_t rounds = 1; rounds <= 2; ++rounds) {
            int64_t const below = gemm_ceil(p->threads * rounds, beside);
            int64_t const mc = tsr_min64(even_blocks(m, gemm_ceil(m, below), mr), most);
            int64_t const turns = gemm_ceil(gemm_ceil(m, mc) * beside, p->threads);
            double const cost = (double)turns * ((double)mc * (double)slice + element * (double)(mc + slice));
            if (least == 0 || cost < least) {
                least = cost;
                p->mc = mc;
                p->slice = slice;
            }
        }
    }
    return least * (double)p->of.n.size / (double)tsr_max64(columns, 1);
}

/** Blocks for `rows` rows of which a panel has some `mr`, and columns. */
static void size_blocks(tsr_planned_gemm *p, gemm_row const *row, int64_t rows, int64_t columns, int64_t k,
                        int64_t mr)
{
    int64_t const unit = gemm_unit_bytes(row->form), group = gemm_group(row->form);
    bool const far = tsr_gemm_is_far(p), own = p->rows > 0;
    int64_t const most = far || is_far_across(p) ? FAR_PANEL_BYTES : row->depth > 1 ? DEEP_PANEL_BYTES : PANEL_BYTES;
    int64_t const one = one_block(p, row, rows, unit, most);
    p->kc =
        even_blocks(k, (one > 0 ? one : most) / unit * group / p->parts, tsr_max64(LEAST_DEPTH, row->depth * group));
    int64_t const bytes = tsr_gemm_units(row, p->parts, p->kc) * unit;
    p->mc = even_blocks(rows, one > 0 ? rows : (far ? FAR_BLOCK : BLOCK_OF_A) / (bytes * p->parts), mr);
    p->nc = even_blocks(columns, (own && p->mc < rows ? OWN_BLOCK_OF_B : BLOCK_OF_B) / bytes, row->columns);
}

/** Cuts a product into parts for threads, if that is better than its blocks (tsr_gemm_cut). */
static void cut_for_threads(tsr_planned_gemm *p, gemm_row const *row, int threads, int64_t mr, double each)
{
    gemm_cut c;
    int64_t const m = p->of.m.size, n = p->of.n.size, k = p->of.k.size, most = INT32_MAX;
    if (m > most || k > most || !tsr_gemm_cut(p, threads, mr, each, &c))
        return;
    int64_t const parts = p->of.v.size * gemm_ceil(m, c.rows) * gemm_ceil(n, c.columns) * gemm_ceil(k, c.depth);
    p->threads = 1;
    p->batches = tsr_min64(parts, threads);
    p->rows = (int32_t)c.rows;
    p->slice = c.columns;
    p->depth = c.depth < k ? (int32_t)c.depth : 0;
    size_blocks(p, row, c.rows, c.columns, c.depth, mr);
}

/** Blocks, and what is packed. */
static void make_blocks(tsr_planned_gemm *p)
{
    gemm_choice const c = tsr_gemm_choice_of(p);
    gemm_row const *const row = c.row;
    int64_t const unit = gemm_unit_bytes(row->form);
    bool const far = tsr_gemm_is_far(p);
    p->panel = run_of_c(p, row);
    int const threads = threads_of(p);
    int64_t const mr = p->panel > 0 ? p->panel : row->vectors * row->lanes / p->parts;
    int64_t const m = p->of.m.size, n = p->of.n.size, k = p->of.k.size, v = p->of.v.size;
    bool const apart = threads > 1 && v > 1 && (v >= threads || v >= gemm_ceil(m, mr > 0 ? mr : 1));
    p->threads = apart ? 1 : threads;
    p->batches = apart ? tsr_min64(v, threads) : 1;
    bool const whole = row->masks || m % row->lanes == 0;
    bool const a_runs = is_readable(p, row, &p->of.product.a, &p->of.m)
                        && (p->of.m.size == 1 || tsr_gemm_first_step(&p->of.m, TSR_IN_A) == 1)
                        && (p->of.m.loops == 0 || p->of.m.step[TSR_IN_A][0] == 1)
                        && (whole || (double)(m % row->lanes) * (double)n * (double)k <= FEW_PRODUCTS);
    bool const b_runs = is_b_readable(p, row);
    double const of_a = (double)m * (double)k * (double)unit, of_b = (double)n * (double)k * (double)unit;
    bool const small = of_a <= BLOCK_OF_A && of_b <= IN_PLACE_BYTES; /* any numbers of 64 bits */
    bool const crowded = k > 8 && p->of.k.loops == 1 && p->of.k.step[TSR_IN_A][0] * unit % WAY_BYTES == 0;
    bool const few = n <= FEW_TILES * row->columns && !far;
    bool const turns = is_readable(p, row, &p->of.product.a, &p->of.m) && whole && of_a <= GEMM_TURNED_BYTES
                       && p->of.m.loops == 1 && p->of.k.loops == 1 && p->of.k.step[TSR_IN_A][0] == 1;
    p->pack_a = !turns && !(a_runs && ((small && !crowded) || few || is_near(p, &p->of.m, TSR_IN_A, unit)));
    size_blocks(p, row, m, n, k, tsr_max64(mr, 1));
    /* Elements along K are side by side: read once, by one block of rows, B need not be packed, however large. */
    bool const streams = p->of.k.step[TSR_IN_B][0] == 1 && (of_b <= IN_PLACE_BYTES || m <= p->mc);
    p->pack_b = !(b_runs && (small || streams || m <= FEW_PANELS * mr || is_near(p, &p->of.n, TSR_IN_B, unit)));
    p->slice = 0;
    double const each = p->threads > 1 ? share_blocks(p, row, mr) : 0;
    bool const side_by_side = m == 1 || p->of.m.step[TSR_IN_C][0] == 1;
    p->way = !p->pack_a && !p->pack_b && p->trivial && side_by_side && p->of.n.loops <= 1 && p->of.m.loops <= 1
                     && !gemm_is_swizzled(&p->of.product.c) && gemm_is_sum(p, p->of.product.c.engine.type)
                 ? TSR_GEMM_IN_PLACE
                 : TSR_GEMM_BLOCKED;
    p->pack_a =
        p->pack_a || ((turns || !whole) && p->way == TSR_GEMM_BLOCKED); /* panels have room for whole vectors */
    if (tsr_gemm_is_lines(p) || tsr_gemm_is_points(p) || tsr_gemm_is_dots(p) || tsr_gemm_is_complex_dots(p)) {
        p->way = TSR_GEMM_IN_PLACE;
        p->pack_a = p->pack_b = false;
    }
    if (p->way == TSR_GEMM_IN_PLACE) { /* which shares batches itself */
        p->threads = threads;
        p->batches = 1;
    } else if (threads > 1) {
        cut_for_threads(p, row, threads, tsr_max64(mr, 1), each);
    }
}

static bool is_trivial(tsr_product_ const *g)
{
    return g->alpha == 1 && (g->beta == 0 || g->beta == 1) && !g->biased && g->activation == TSR_NO_ACTIVATION;
}

/** A large B beside a few rows becomes A. */
static void turn_narrow(tsr_planned_gemm *p, tsr_gemm_near const *near)
{
    if (p->of.m.size <= FEW_ROWS && is_far_across(p))
        tsr_gemm_problem_turn(&p->of, near);
}

/** Plans a problem that has loops. A problem without loops runs element by element. */
static void make_plan(tsr_planned_gemm *p)
{
    static tsr_gemm_near const near = {GEMM_ROWS, GEMM_LANES, GEMM_LANES};
    tsr_product_ const *const g = &p->of.product;
    p->way = TSR_GEMM_BY_ELEMENT;
    if (p->of.slow)
        return;
    p->trivial = is_trivial(g);
    tsr_gemm_problem_order(&p->of, &near);
    turn_narrow(p, &near);
    if (p->of.m.size == 1 && p->of.n.size == 1) /* A is read once, C is small */
        tsr_gemm_order_loops(&p->of.v, TSR_IN_A, TSR_IN_A, 1);
    bool const parts_move = gemm_is_swizzled(&g->c) || (g->biased && gemm_is_swizzled(&g->bias));
    if (tsr_gemm_choose(p) && (p->parts == 1 || !parts_move))
        make_blocks(p);
}

tsr_planned_gemm tsr_gemm_plan(tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c, tsr_epilogue const *e)
{
    tsr_planned_gemm p;
    memset(&p, 0, sizeof p);
    tsr_gemm_problem_make(&p.of, a, b, c, e);
    if (!p.of.product.why.status)
        make_plan(&p);
    return p;
}

size_t tsr_gemm_workspace(tsr_planned_gemm const *p)
{
    return p->way == TSR_GEMM_BLOCKED && !p->of.product.why.status ? tsr_gemm_blocks_workspace(p) + 64 : 0;
}

/** Whether the plan was run by loops and kernels. */
static bool run_fast(tsr_planned_gemm const *p, void *work, size_t bytes)
{
    size_t const needs = tsr_gemm_workspace(p);
    void *own = NULL;
    if (p->way == TSR_GEMM_BY_ELEMENT)
        return false;
    if (p->way == TSR_GEMM_IN_PLACE) {
        tsr_gemm_run_in_place(p);
        return true;
    }
    if (!work || bytes < needs)
        work = own = malloc(needs);
    if (!work)
        return false;
    tsr_gemm_run_blocks(p, (unsigned char *)work + (64 - (uintptr_t)work % 64) % 64);
    free(own);
    return true;
}

/** By element, A and B again in the places in which they were given. */
static void run_by_element(tsr_planned_gemm const *p)
{
    tsr_product_ g = p->of.product;
    if (p->of.swapped) {
        g.a = p->of.product.b;
        g.b = p->of.product.a;
        g.modes[0] = p->of.product.modes[1];
        g.modes[1] = p->of.product.modes[0];
    }
    tsr_product_by_element_(&g);
}

tsr_reason tsr_gemm_run(tsr_planned_gemm const *p, void *work, size_t bytes)
{
    if (!p->of.product.why.status && !run_fast(p, work, bytes))
        run_by_element(p);
    return p->of.product.why;
}

bool tsr_product_by_engine(tsr_product_ const *g)
{
    tsr_planned_gemm p;
    memset((unsigned char *)&p + sizeof p.of.product, 0, sizeof p - sizeof p.of.product);
    p.of.product = *g;
    tsr_gemm_problem_cut(&p.of);
    make_plan(&p);
    return run_fast(&p, NULL, 0);
}
