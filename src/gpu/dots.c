/** Products of which M or N is 1, "bij,bij->b" and "ij,j->i", as reductions: what they read bounds their time, and
 *  tiles would be empty. */
#include "exec/nest.h"
#include "gpu/copy_draft.h"
#include "gpu/gemm.h"
#include "gpu/reduce.h"

enum { MOST_LOOPS = 3 * TSR_MAX_LEAVES + 1, NUMBERS = 0, FACTORS = 1, RESULTS = 2 };

/** Loops through the numbers, the factors and the results, in elements. */
typedef struct dots_loops {
    int64_t row[MOST_LOOPS][4]; /* count, steps */
    tsr_nest_ nest;
} dots_loops;

static void begin(dots_loops *x)
{
    tsr_nest_ const n = {&x->row[0][0], &x->row[0][1], 4, 1, 3, 0, MOST_LOOPS};
    x->nest = n;
}

static void add(dots_loops *x, tsr_gemm_loops const *from, int const operand[3])
{
    for (int i = 0; i < from->loops; ++i) {
        int64_t const step[3] = {from->step[operand[0]][i], from->step[operand[1]][i], from->step[operand[2]][i]};
        (void)tsr_nest_add_(&x->nest, from->count[i], step);
    }
}

static void order(dots_loops *x, int64_t first[3])
{
    tsr_nest_turn_(&x->nest, NUMBERS, first);
    tsr_nest_sort_(&x->nest, NUMBERS, false);
    tsr_nest_join_(&x->nest);
    tsr_nest_fill_(&x->nest);
}

/** The operand whose own mode is longer; of two without one, A, unless K is close in B alone. */
int tsr_gpu_dots_numbers_(tsr_gemm_problem const *p)
{
    bool const b = tsr_gemm_first_step(&p->k, TSR_IN_B) < tsr_gemm_first_step(&p->k, TSR_IN_A);
    return p->n.size > p->m.size || (p->n.size == p->m.size && b) ? TSR_IN_B : TSR_IN_A;
}

/** The loops of the results and of what is summed; where they begin is added to `first`. */
static void find_loops(tsr_gemm_problem const *p, dots_loops *keep, dots_loops *over, int64_t first[3])
{
    int const numbers = tsr_gpu_dots_numbers_(p);
    int const operand[3] = {numbers, numbers == TSR_IN_A ? TSR_IN_B : TSR_IN_A, TSR_IN_C};
    for (int i = 0; i < 3; ++i)
        first[i] = p->begin[operand[i]];
    begin(keep);
    begin(over);
    add(keep, &p->v, operand);
    add(keep, &p->m, operand);
    add(keep, &p->n, operand);
    add(over, &p->k, operand);
    order(keep, first);
    order(over, first);
}

bool tsr_gpu_is_dots_(tsr_gpu_device const *device, tsr_gemm_problem const *p)
{
    tsr_product_ const *const x = &p->product;
    tsr_tensor const *const t[3] = {&x->a, &x->b, &x->c};
    tsr_dtype const a = x->a.engine.type, b = x->b.engine.type;
    if (x->alpha != 1 || x->beta != 0 || x->biased || x->activation != TSR_NO_ACTIVATION || p->k.size == 1
        || (p->m.size != 1 && p->n.size != 1) || tsr_max64(p->m.size, p->n.size) > INT32_MAX / p->v.size
        || p->v.loops + p->m.loops + p->n.loops > TSR_REDUCTION_LOOPS || p->k.loops > TSR_REDUCTION_LOOPS)
        return false;
    if (p->m.size * p->n.size > 1 && !tsr_gpu_cut_reason_(device, p, 2).status)
        return false; /* a matrix by a vector: its tiles come by the copy engine */
    for (int i = 0; i < 3; ++i) {
        int64_t const bytes = tsr_dtype_bits(t[i]->engine.type) / 8;
        if (t[i]->layout.swizzle.bits != 0 || t[i]->engine.address % (uint64_t)bytes != 0)
            return false;
    }
    return gpu_is_whole(a) == gpu_is_whole(b);
}

static int64_t put(tsr_relayout_loop *to, dots_loops const *from, int64_t const bytes[3], int behind)
{
    int64_t all = 1;
    for (int i = 0; i < from->nest.loops; ++i) {
        int64_t const *const row = from->row[i];
        to[i] =
            (tsr_relayout_loop){tsr_gpu_count_of_(row[0]), row[1] * bytes[NUMBERS], row[1 + behind] * bytes[behind]};
        all *= row[0];
    }
    return all;
}

void tsr_gpu_plan_dots_(tsr_gemm_problem const *p, int processors, tsr_gpu_planned_reduce *g)
{
    dots_loops keep, over;
    int64_t first[3];
    tsr_product_ const *const x = &p->product;
    bool const of_b = tsr_gpu_dots_numbers_(p) == TSR_IN_B;
    tsr_tensor const *const t[3] = {of_b ? &x->b : &x->a, of_b ? &x->a : &x->b, &x->c};
    tsr_dtype const type[3] = {t[0]->engine.type, t[1]->engine.type, t[2]->engine.type};
    int64_t const bytes[3] = {tsr_dtype_bits(type[0]) / 8, tsr_dtype_bits(type[1]) / 8, tsr_dtype_bits(type[2]) / 8};
    gpu_reduce_stage *const s = &g->stage[0];
    find_loops(p, &keep, &over, first);
    s->form = (tsr_reduction_form){.op = TSR_REDUCE_SUM,
                                   .by = TSR_REDUCTION_BY_RUN,
                                   .from_item = (uint8_t)bytes[NUMBERS],
                                   .to_item = (uint8_t)bytes[RESULTS],
                                   .by_item = (uint8_t)bytes[FACTORS],
                                   .work = gpu_is_whole(type[0])                      ? TSR_I64
                                           : type[0] == TSR_F64 || type[1] == TSR_F64 ? TSR_F64
                                                                                      : TSR_F32,
                                   .from_type = type[NUMBERS],
                                   .to_type = type[RESULTS],
                                   .by_type = type[FACTORS]};
    s->numbers.keep_loops = keep.nest.loops;
    s->numbers.over_loops = over.nest.loops;
    s->numbers.from = first[NUMBERS] * bytes[NUMBERS];
    s->numbers.by = first[FACTORS] * bytes[FACTORS];
    s->numbers.to = first[RESULTS] * bytes[RESULTS];
    s->numbers.results = put(s->numbers.keep, &keep, bytes, RESULTS);
    s->numbers.numbers = put(s->numbers.over, &over, bytes, FACTORS);
    for (int i = 0; i < keep.nest.loops; ++i)
        s->numbers.keep_by[i] = keep.row[i][1 + FACTORS] * bytes[FACTORS];
    g->from = t[NUMBERS]->engine.address;
    g->by = t[FACTORS]->engine.address;
    g->to = t[RESULTS]->engine.address;
    tsr_gpu_plan_stages_(g, processors);
}
