/** How threads share a product: parts of rows, of columns and of K, each a product of a thread's own, which waits for
 *  nobody. The sums of parts of K are joined at the end, in the order of the parts. */
#include "exec/gemm/engine.h"

/* Elements in whose time a sum is kept and read again, the place of a column is found, and threads begin a loop and
 * wait for the last of them. */
enum { SUM_ELEMENTS = 1, PLACE_ELEMENTS = 2, LOOP_ELEMENTS = 6000 };

/* The least K of parts of it, and the most for which sums need not stay in the second cache, which has NEAR_SUMS; the
 * most sums that are kept; rounds of parts that a thread takes; a cut costs at most GAIN sixteenths of what there is
 * without. */
enum { LEAST_DEPTH = 256, NEAR_SUMS = 1 << 18, MOST_KEPT = 8 << 20, ROUNDS = 2, GAIN = 15 };

/** What is asked of a cut. */
typedef struct cutter {
    tsr_gemm_problem const *of;
    int64_t threads, rows, columns, depth; /* what parts are multiples of */
    double element;                        /* what one costs, in products */
} cutter;

static double cost_of_part(cutter const *q, gemm_cut const *c)
{
    return (double)c->depth * ((double)c->rows * (double)c->columns + q->element * (double)(c->rows + c->columns));
}

static double cost_of(cutter const *q, gemm_cut const *c)
{
    tsr_gemm_problem const *const of = q->of;
    int64_t const depths = gemm_ceil(of->k.size, c->depth);
    int64_t const parts = of->v.size * depths * gemm_ceil(of->m.size, c->rows) * gemm_ceil(of->n.size, c->columns);
    double const all = (double)of->v.size * (double)of->m.size * (double)of->n.size;
    double const joined = all * (double)depths * SUM_ELEMENTS / (double)q->threads + LOOP_ELEMENTS;
    return (double)gemm_ceil(parts, q->threads) * cost_of_part(q, c)
           + q->element * (LOOP_ELEMENTS + (depths > 1 ? joined : 0));
}

/** The cost of blocks that all threads share: these pack B, and make tiles, block by block. */
static double cost_of_blocks(cutter const *q, tsr_planned_gemm const *p, double each)
{
    tsr_gemm_problem const *const of = q->of;
    double const n = (double)of->n.size, k = (double)of->k.size;
    double const blocks = (double)gemm_ceil(of->n.size, p->nc) * (double)gemm_ceil(of->k.size, p->kc);
    double const packed = p->pack_b ? n * k / (double)q->threads + blocks * LOOP_ELEMENTS : 0;
    return (double)of->v.size
           * (each * k + q->element * (packed + blocks * (LOOP_ELEMENTS + PLACE_ELEMENTS * (double)p->nc)));
}

/** A part of `all` if there are so many, a multiple of `step`. */
static int64_t multiple_of(int64_t all, int64_t parts, int64_t step)
{
    return gemm_ceil(gemm_ceil(all, tsr_max64(parts, 1)), step) * step;
}

/** Tries all rows that suit the other two sides. */
static void try_rows(cutter const *q, gemm_cut c, double *least, gemm_cut *best)
{
    tsr_gemm_problem const *const of = q->of;
    int64_t const beside = of->v.size * gemm_ceil(of->n.size, c.columns) * gemm_ceil(of->k.size, c.depth);
    for (int rounds = 1; rounds <= ROUNDS; ++rounds) {
        c.rows = tsr_min64(multiple_of(of->m.size, gemm_ceil(q->threads * rounds, beside), q->rows), of->m.size);
        double const cost = cost_of(q, &c);
        if (cost < *least && (c.depth <= LEAST_DEPTH || (double)c.rows * (double)c.columns <= NEAR_SUMS)) {
            *least = cost;
            *best = c;
        }
    }
}

bool tsr_gemm_cut(tsr_planned_gemm const *p, int64_t threads, int64_t rows, double each, gemm_cut *best)
{
    gemm_row const *const row = tsr_gemm_choice_of(p).row;
    tsr_gemm_problem const *const of = &p->of;
    tsr_dtype const sum = gemm_sum_type(row->form);
    cutter const q = {of,
                      threads,
                      rows,
                      row->columns,
                      tsr_max64(32, row->depth * gemm_group(row->form)),
                      gemm_element_products(row)};
    gemm_cut const whole = {of->m.size, of->n.size, of->k.size};
    double least = (each > 0 ? cost_of_blocks(&q, p, each) : cost_of(&q, &whole)) * GAIN / 16;
    double const all = (double)of->m.size * (double)of->n.size * (double)of->v.size;
    int64_t const most = tsr_min64(ROUNDS * threads, gemm_ceil(of->n.size, q.columns));
    bool const joins = sum == TSR_F32 || sum == TSR_F64;
    best->rows = 0;
    for (int64_t depths = 1; depths <= threads; depths *= 2) {
        gemm_cut c = {0, 0, tsr_min64(multiple_of(of->k.size, depths, q.depth), of->k.size)};
        if (depths > 1 && (!joins || c.depth < LEAST_DEPTH || all * (double)depths > MOST_KEPT))
            break;
        for (int64_t parts = 1; parts < 2 * most; parts *= 2) {
            c.columns = tsr_min64(multiple_of(of->n.size, tsr_min64(parts, most), q.columns), of->n.size);
            try_rows(&q, c, &least, best);
        }
    }
    return best->rows > 0;
}
