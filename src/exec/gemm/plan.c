/** The plan of a product: its loops, its kernel, its blocks. */
#include "exec/engine.h"
#include "exec/gemm/engine.h"

#include <stdlib.h>

/* Bytes of a block of A (less than half of a common second-level cache), of B (a part of the third), of panels along
 * K (of the wider ones of AMX), of what is read in place, even by many tiles; from where on lines have the same place
 * in the first cache, which has few such places. */
enum {
    BLOCK_OF_A = 400 * 1024,
    BLOCK_OF_B = 8 * 1024 * 1024,
    PANEL_BYTES = 3072,
    DEEP_PANEL_BYTES = 1024,
    IN_PLACE_BYTES = 512 * 1024,
    NEAR_BYTES = 16 * 1024,
    WAY_BYTES = 4096
};

/** What is worth a thread. */
#define WORK_OF_A_THREAD 1e6

/** Plain memory of numbers, each at a multiple of its size: what begins elsewhere (in a file, say) goes by element. */
static bool is_plain(tsr_tensor const *t)
{
    int const parts = tsr_number_kind_of(t->engine.type) == TSR_COMPLEX ? 2 : 1;
    uint64_t const number = (uint64_t)(tsr_dtype_bits(t->engine.type) / 8 / parts);
    bool basis = false;
    for (int i = 0; i < t->layout.stride.leaves; ++i)
        basis = basis || t->layout.stride.leaf[i].aux != 0;
    return t->engine.kind == TSR_POINTER && t->engine.map.kind == TSR_AS_IS && t->engine.space != TSR_TMEM
           && t->engine.swizzle.bits == 0 && t->engine.bit == 0 && tsr_dtype_bits(t->engine.type) % 8 == 0
           && !t->layout.twice && !basis && tsr_is_pow2(tsr_dtype_bits(t->engine.type))
           && t->engine.address % number == 0;
}

static int64_t begin_of(tsr_tensor const *t)
{
    return t->layout.composed && t->layout.swizzle.bits == 0 ? tsr_leaf_value(t->layout.offset) : 0;
}

/** The loops of V, M, N, K; false where some modes do not meet. */
static bool make_loops(tsr_gemm_plan *p)
{
    tsr_tensor const *const t[TSR_OPERANDS] = {&p->product.a, &p->product.b, &p->product.c, &p->product.bias};
    static int const mode[4][TSR_OPERANDS] = {{0, 0, 0, 0}, {1, -1, 1, 1}, {-1, 1, 2, 2}, {2, 2, -1, -1}};
    tsr_gemm_loops *const loops[4] = {&p->v, &p->m, &p->n, &p->k};
    bool meets = true;
    for (int i = 0; i < 4 && meets; ++i) {
        gemm_mode of[TSR_OPERANDS] = {{NULL, 0, 0}};
        for (int o = 0; o < TSR_OPERANDS; ++o) {
            int const at = mode[i][o];
            if (at >= 0 && (o != TSR_IN_BIAS || p->product.biased))
                of[o] = (gemm_mode){&t[o]->layout, p->product.modes[o].first[at], p->product.modes[o].end[at]};
        }
        meets = tsr_gemm_loops_of(loops[i], of);
    }
    for (int o = 0; o < TSR_OPERANDS; ++o)
        p->begin[o] = begin_of(t[o]);
    return meets;
}

/** Whether some loop goes through neighbours. */
static bool has_neighbours(tsr_gemm_loops const *x, int operand)
{
    bool has = x->size == 1;
    for (int i = 0; i < x->loops; ++i)
        has = has || x->step[operand][i] == 1;
    return has;
}

/** Rows and columns in the order of C, K in that of the operand that has neighbours along K only. */
static void order_loops(tsr_gemm_plan *p)
{
    int const by = !has_neighbours(&p->n, TSR_IN_B) && has_neighbours(&p->m, TSR_IN_A) ? TSR_IN_B : TSR_IN_A;
    tsr_gemm_order_loops(&p->v, TSR_IN_C, TSR_IN_C, 1);
    tsr_gemm_order_loops(&p->m, TSR_IN_C, TSR_IN_A, GEMM_ROWS);
    tsr_gemm_order_loops(&p->n, TSR_IN_C, TSR_IN_B, GEMM_LANES);
    tsr_gemm_order_loops(&p->k, by, by == TSR_IN_A ? TSR_IN_B : TSR_IN_A, GEMM_LANES);
}

/** A and B change places: columns of C become its rows. */
static void swap_sides(tsr_gemm_plan *p)
{
    tsr_tensor const a = p->product.a;
    tsr_gemm_loops const m = p->m;
    tsr_gemm_loops *const all[4] = {&p->v, &p->m, &p->n, &p->k};
    int64_t const begin = p->begin[TSR_IN_A];
    tsr_gemm_modes const modes = p->product.modes[0];
    p->product.a = p->product.b;
    p->product.b = a;
    p->product.modes[0] = p->product.modes[1];
    p->product.modes[1] = modes;
    p->m = p->n;
    p->n = m;
    p->begin[TSR_IN_A] = p->begin[TSR_IN_B];
    p->begin[TSR_IN_B] = begin;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < TSR_MAX_LEAVES; ++k) {
            int64_t const step = all[i]->step[TSR_IN_A][k];
            all[i]->step[TSR_IN_A][k] = all[i]->step[TSR_IN_B][k];
            all[i]->step[TSR_IN_B][k] = step;
        }
    p->swapped = !p->swapped;
}

/** The step of the fastest loop in a tensor. */
static uint64_t first_step(tsr_gemm_loops const *x, int operand)
{
    return x->loops == 0 || x->step[operand][0] == 0 ? UINT64_MAX : tsr_abs64(x->step[operand][0]);
}

/** Whether an operand can be read in place: one loop a mode, elements as kernels take them. */
static bool is_readable(tsr_gemm_plan const *p, gemm_row const *row, tsr_tensor const *t, tsr_gemm_loops const *x)
{
    return p->parts == 1 && gemm_group(row->form) == 1 && x->loops <= 1 && p->k.loops <= 1 && !gemm_is_swizzled(t)
           && (t->engine.type == gemm_element_type(row->form) || (row->form == FORM_I32 && gemm_bytes(t) == 4));
}

/** Whether an operand that can be read in place lies in so few bytes that the first cache keeps it. */
static bool is_near(tsr_gemm_plan const *p, tsr_gemm_loops const *x, int operand, int64_t unit)
{
    double const span = (double)x->size * (double)first_step(x, operand);
    double const depth = (double)p->k.size * (double)first_step(&p->k, operand);
    return (span > depth ? span : depth) * (double)unit <= NEAR_BYTES;
}

static int64_t even_blocks(int64_t n, int64_t most, int64_t step)
{
    int64_t const blocks = gemm_ceil(n, tsr_max64(most, step));
    return gemm_ceil(gemm_ceil(n, blocks), step) * step;
}

/** Rows of panels that are runs of C, or equal parts of one, to which kernels write; 0: vectors that they do not fill,
 *  or narrow panels, cost more than putting sums in their places. That is about 200 cycles a tile; a unit of K costs 12
 *  with 3 vectors. */
static int64_t run_of_c(tsr_gemm_plan const *p, gemm_row const *row)
{
    static int64_t const cost[GEMM_VECTORS + 1] = {0, 5, 8, 12};
    int64_t const run = p->m.loops > 1 && p->m.step[TSR_IN_C][0] == 1 ? p->m.count[0] : 0;
    int64_t const whole = row->vectors * row->lanes, panel = run / tsr_max64(gemm_ceil(run, whole), 1);
    bool const even = run > 0 && run % panel == 0 && (row->masks || panel % row->lanes == 0);
    bool const fits = p->trivial && p->parts == 1 && gemm_is_sum(p, p->product.c.engine.type)
                      && !gemm_is_swizzled(&p->product.c);
    int64_t const waste = even ? cost[gemm_ceil(panel, row->lanes)] * whole - cost[row->vectors] * panel : 0;
    return even && fits && (double)p->k.size * (double)waste < 200.0 * (double)panel ? panel : 0;
}

/** Blocks, and what is packed. */
static void make_blocks(tsr_gemm_plan *p)
{
    gemm_choice const c = tsr_gemm_choice_of(p);
    gemm_row const *const row = c.row;
    int64_t const unit = gemm_unit_bytes(row->form), group = gemm_group(row->form);
    int64_t const most = row->depth > 1 ? DEEP_PANEL_BYTES : PANEL_BYTES;
    p->panel = run_of_c(p, row);
    int64_t const mr = p->panel > 0 ? p->panel : row->vectors * row->lanes / p->parts;
    int64_t const m = p->m.size, n = p->n.size, k = p->k.size;
    bool const a_runs = is_readable(p, row, &p->product.a, &p->m)
                        && (p->m.size == 1 || first_step(&p->m, TSR_IN_A) == 1)
                        && (p->m.loops == 0 || p->m.step[TSR_IN_A][0] == 1) && (row->masks || m % row->lanes == 0);
    bool const b_runs = is_readable(p, row, &p->product.b, &p->n);
    bool const small = (double)(m + n) * (double)k * (double)unit <= IN_PLACE_BYTES; /* any numbers of 64 bits */
    bool const crowded = k > 8 && p->k.loops == 1 && p->k.step[TSR_IN_A][0] * unit % WAY_BYTES == 0;
    p->pack_a = !(a_runs && ((small && !crowded) || n <= 4 * row->columns || is_near(p, &p->m, TSR_IN_A, unit)));
    p->pack_b = !(b_runs && (small || m <= 2 * mr || is_near(p, &p->n, TSR_IN_B, unit)));
    p->kc = even_blocks(k, most / unit * group / p->parts, tsr_max64(32, row->depth * group));
    int64_t const bytes = tsr_gemm_units(row, p->parts, p->kc) * unit;
    p->mc = even_blocks(m, BLOCK_OF_A / (bytes * p->parts), mr > 0 ? mr : 1);
    p->nc = even_blocks(n, BLOCK_OF_B / bytes, row->columns);
    p->threads = (int)tsr_min64(
        engine_threads(), 1 + (int64_t)((double)m * (double)n * (double)k * (double)p->v.size / WORK_OF_A_THREAD));
    if (p->threads > 1 && p->v.size == 1) /* a block for each, as often as it takes */
        p->mc = even_blocks(m, gemm_ceil(m, gemm_ceil(m, p->mc * p->threads) * p->threads), mr);
    p->way = !p->pack_a && !p->pack_b && p->trivial && (m == 1 || (p->m.step[TSR_IN_C][0] == 1)) && p->n.loops <= 1
                     && p->m.loops <= 1 && !gemm_is_swizzled(&p->product.c)
                     && gemm_is_sum(p, p->product.c.engine.type)
                 ? TSR_GEMM_IN_PLACE
                 : TSR_GEMM_BLOCKED;
}

static bool is_trivial(tsr_product_ const *g)
{
    return g->alpha == 1 && (g->beta == 0 || g->beta == 1) && !g->biased && g->activation == TSR_NO_ACTIVATION;
}

/** Makes the plan of a product that may be made. */
static void make_plan(tsr_gemm_plan *p)
{
    p->way = TSR_GEMM_BY_ELEMENT;
    if (!is_plain(&p->product.a) || !is_plain(&p->product.b) || !is_plain(&p->product.c)
        || (p->product.biased && !is_plain(&p->product.bias)) || !make_loops(p))
        return;
    p->trivial = is_trivial(&p->product);
    order_loops(p);
    if (first_step(&p->n, TSR_IN_C) < first_step(&p->m, TSR_IN_C)) {
        swap_sides(p);
        order_loops(p);
    }
    bool const parts_move =
        gemm_is_swizzled(&p->product.c) || (p->product.biased && gemm_is_swizzled(&p->product.bias));
    if (tsr_gemm_choose(p) && (p->parts == 1 || !parts_move))
        make_blocks(p);
}

tsr_gemm_plan tsr_plan_gemm(tsr_tensor a, tsr_tensor b, tsr_tensor c, tsr_epilogue const *e)
{
    tsr_epilogue const plain = tsr_make_epilogue(1, 1);
    tsr_gemm_plan p;
    memset(&p, 0, sizeof p);
    tsr_product_make_(&p.product, &a, &b, &c, e ? e : &plain);
    if (!p.product.why.status)
        make_plan(&p);
    return p;
}

size_t tsr_gemm_plan_workspace(tsr_gemm_plan const *p)
{
    return p->way == TSR_GEMM_BLOCKED && !p->product.why.status ? tsr_gemm_blocks_workspace(p) + 64 : 0;
}

/** Whether the plan was run by loops and kernels. */
static bool run_fast(tsr_gemm_plan const *p, void *work, size_t bytes)
{
    size_t const needs = tsr_gemm_plan_workspace(p);
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
static void run_by_element(tsr_gemm_plan const *p)
{
    tsr_product_ g = p->product;
    if (p->swapped) {
        g.a = p->product.b;
        g.b = p->product.a;
        g.modes[0] = p->product.modes[1];
        g.modes[1] = p->product.modes[0];
    }
    tsr_product_by_element_(&g);
}

tsr_reason tsr_gemm_plan_run(tsr_gemm_plan const *p, void *work, size_t bytes)
{
    if (!p->product.why.status && !run_fast(p, work, bytes))
        run_by_element(p);
    return p->product.why;
}

bool tsr_product_by_engine(tsr_product_ const *g)
{
    tsr_gemm_plan p;
    memset((unsigned char *)&p + sizeof p.product, 0, sizeof p - sizeof p.product);
    p.product = *g;
    make_plan(&p);
    return run_fast(&p, NULL, 0);
}
