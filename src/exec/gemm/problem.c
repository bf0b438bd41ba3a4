/** The problem of a product: checks, loops, their order. */
#include "exec/gemm/problem.h"
#include "exec/gemm/engine.h"

/** Why a tensor is not plain memory of numbers, each at a multiple of its size; 0 of one that is. */
static tsr_slow slow_of(tsr_tensor const *t)
{
    tsr_engine const *const e = &t->engine;
    int const bits = tsr_dtype_bits(e->type), parts = tsr_number_kind_of(e->type) == TSR_COMPLEX ? 2 : 1;
    bool basis = false;
    for (int i = 0; i < t->layout.stride.leaves; ++i)
        basis = basis || t->layout.stride.leaf[i].aux != 0;
    if (e->kind != TSR_POINTER || e->map.kind != TSR_AS_IS || e->space == TSR_TMEM || basis)
        return TSR_SLOW_COMPUTED;
    if (e->swizzle.bits != 0 || t->layout.twice)
        return TSR_SLOW_TWICE;
    if (e->bit != 0 || bits % 8 != 0 || !tsr_is_pow2(bits) || e->address % (uint64_t)(bits / 8 / parts) != 0)
        return TSR_SLOW_PLACES;
    return TSR_SLOW_NOT_SLOW;
}

static int64_t begin_of(tsr_tensor const *t)
{
    return t->layout.composed && t->layout.swizzle.bits == 0 ? tsr_leaf_value(t->layout.offset) : 0;
}

/** The loops of V, M, N, K. */
static void make_loops(tsr_gemm_problem *p)
{
    tsr_tensor const *const t[TSR_OPERANDS] = {&p->product.a, &p->product.b, &p->product.c, &p->product.bias};
    static int const mode[4][TSR_OPERANDS] = {{0, 0, 0, 0}, {1, -1, 1, 1}, {-1, 1, 2, 2}, {2, 2, -1, -1}};
    tsr_gemm_loops *const loops[4] = {&p->v, &p->m, &p->n, &p->k};
    for (int i = 0; i < 4 && !p->slow; ++i) {
        tsr_leaves_ of[TSR_OPERANDS];
        int n = 0;
        for (int o = 0; o < TSR_OPERANDS; ++o) {
            int const at = mode[i][o];
            if (at < 0 || (o == TSR_IN_BIAS && !p->product.biased))
                continue;
            of[n] = tsr_leaves_of_(&t[o]->layout, 1, o);
            of[n].next = p->product.modes[o].first[at];
            of[n++].end = p->product.modes[o].end[at];
        }
        p->slow = tsr_gemm_loops_of(loops[i], of, n);
    }
    for (int o = 0; o < TSR_OPERANDS; ++o)
        p->begin[o] = begin_of(t[o]);
}

void tsr_gemm_problem_cut(tsr_gemm_problem *p)
{
    tsr_product_ const *const x = &p->product;
    tsr_tensor const *const t[TSR_OPERANDS] = {&x->a, &x->b, &x->c, &x->bias};
    p->slow = TSR_SLOW_NOT_SLOW;
    for (int o = 0; o < TSR_OPERANDS && !p->slow; ++o)
        if (o != TSR_IN_BIAS || x->biased)
            p->slow = slow_of(t[o]);
    if (!p->slow)
        make_loops(p);
}

void tsr_gemm_problem_make(tsr_gemm_problem *p, tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c,
                           tsr_epilogue const *e)
{
    tsr_epilogue const plain = tsr_make_epilogue(1, 1);
    tsr_product_make_(&p->product, a, b, c, e ? e : &plain);
    if (!p->product.why.status)
        tsr_gemm_problem_cut(p);
}

static void swap_operands(tsr_gemm_problem *p)
{
    tsr_tensor const a = p->product.a;
    tsr_gemm_modes const modes = p->product.modes[0];
    p->product.a = p->product.b;
    p->product.b = a;
    p->product.modes[0] = p->product.modes[1];
    p->product.modes[1] = modes;
    p->swapped = !p->swapped;
}

void tsr_gemm_problem_uncut(tsr_gemm_problem *p)
{
    if (p->swapped)
        swap_operands(p);
}

void tsr_gemm_problem_move(tsr_gemm_problem *p, int operand, tsr_tensor const *to)
{
    tsr_product_ *const x = &p->product;
    tsr_tensor *const t[TSR_OPERANDS] = {&x->a, &x->b, &x->c, &x->bias};
    tsr_gemm_modes *const modes = &x->modes[operand];
    *t[operand] = *to;
    for (int i = 0; i < 3; ++i)
        if (modes->mode[i] >= 0) {
            modes->first[i] = (uint8_t)modes->mode[i];
            modes->end[i] = (uint8_t)(modes->mode[i] + 1);
        }
    if (operand == TSR_IN_C && !x->biased) { /* which stands for the bias, too */
        x->bias = *to;
        x->modes[TSR_IN_BIAS] = *modes;
    }
}

/* The order of the loops */

/** Whether some loop goes through neighbours. */
static bool has_neighbours(tsr_gemm_loops const *x, int operand)
{
    bool has = x->size == 1;
    for (int i = 0; i < x->loops; ++i)
        has = has || x->step[operand][i] == 1;
    return has;
}

static void order_loops(tsr_gemm_problem *p, tsr_gemm_near const *near)
{
    int const by = !has_neighbours(&p->n, TSR_IN_B) && has_neighbours(&p->m, TSR_IN_A) ? TSR_IN_B : TSR_IN_A;
    tsr_gemm_order_loops(&p->v, TSR_IN_C, TSR_IN_C, 1);
    tsr_gemm_order_loops(&p->m, TSR_IN_C, TSR_IN_A, near->rows);
    tsr_gemm_order_loops(&p->n, TSR_IN_C, TSR_IN_B, near->columns);
    tsr_gemm_order_loops(&p->k, by, by == TSR_IN_A ? TSR_IN_B : TSR_IN_A, near->depth);
}

/** A and B change places: columns of C become its rows. */
static void swap_sides(tsr_gemm_problem *p)
{
    tsr_gemm_loops const m = p->m;
    tsr_gemm_loops *const all[4] = {&p->v, &p->m, &p->n, &p->k};
    int64_t const begin = p->begin[TSR_IN_A];
    swap_operands(p);
    p->m = p->n;
    p->n = m;
    p->begin[TSR_IN_A] = p->begin[TSR_IN_B];
    p->begin[TSR_IN_B] = begin;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < all[i]->loops; ++k) {
            int64_t const step = all[i]->step[TSR_IN_A][k];
            all[i]->step[TSR_IN_A][k] = all[i]->step[TSR_IN_B][k];
            all[i]->step[TSR_IN_B][k] = step;
        }
}

uint64_t tsr_gemm_first_step(tsr_gemm_loops const *x, int operand)
{
    return x->loops == 0 || x->step[operand][0] == 0 ? UINT64_MAX : tsr_abs64(x->step[operand][0]);
}

void tsr_gemm_problem_turn(tsr_gemm_problem *p, tsr_gemm_near const *near)
{
    swap_sides(p);
    order_loops(p, near);
}

void tsr_gemm_problem_order(tsr_gemm_problem *p, tsr_gemm_near const *near)
{
    order_loops(p, near);
    if (tsr_gemm_first_step(&p->n, TSR_IN_C) < tsr_gemm_first_step(&p->m, TSR_IN_C))
        tsr_gemm_problem_turn(p, near);
}
