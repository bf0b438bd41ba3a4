/** A product of a matrix and a vector: lines of the matrix are read where they are, once. */
#include "exec/engine.h"
#include "exec/gemm/blocks.h"

#if defined(_OPENMP)
#  define PARALLEL(directive) _Pragma(directive)
#else
#  define PARALLEL(directive)
#endif

/* Bytes of the vector, and of sums, that are worked on at once: both stay in the first cache. Rows of a part are
 * a multiple of STEP_ROWS, the least K for which these kernels are faster than those of tiles. */
enum { VECTOR_BYTES = 32768, SUM_BYTES = 16384, STEP_ROWS = 64, LEAST_DEPTH = 4 };

/** One of the two operands: its place, its steps along the rows of the matrix (0: the vector) and along K. */
typedef struct side {
    unsigned char const *at;
    int64_t down, along;
} side;

/** A batch of a plan, seen as a matrix by a vector. */
typedef struct lines {
    tsr_planned_gemm const *plan;
    gemm_choice choice;
    tsr_gemm_loops const *rows; /* of the matrix: those of M or of N */
    side matrix, vector;
    int64_t unit, m, k, v;
    unsigned char *c; /* where sums may be written, or NULL */
} lines;

/** Whether B is the matrix, A a vector. */
static bool is_of_b(tsr_planned_gemm const *p) { return p->of.m.size == 1 && p->of.n.size > 1; }

static int64_t step_of(tsr_gemm_loops const *x, int operand) { return x->loops > 0 ? x->step[operand][0] : 0; }

bool tsr_gemm_is_lines(tsr_planned_gemm const *p)
{
    gemm_row const *const row = tsr_gemm_choice_of(p).row;
    bool const of_b = is_of_b(p);
    int const operand = of_b ? TSR_IN_B : TSR_IN_A;
    tsr_gemm_loops const *const rows = of_b ? &p->of.n : &p->of.m;
    bool const along = step_of(&p->of.k, operand) == 1, across = step_of(rows, operand) == 1;
    return row->along && (p->of.m.size == 1 || p->of.n.size == 1) && (along || across) && p->of.k.size >= LEAST_DEPTH
           && rows->loops <= 1 && tsr_gemm_is_readable(p, row, &p->of.product.a, &p->of.m)
           && tsr_gemm_is_readable(p, row, &p->of.product.b, &p->of.n);
}

static side side_of(tsr_planned_gemm const *p, int operand, int64_t v, int64_t unit)
{
    tsr_tensor const *const t = operand == TSR_IN_A ? &p->of.product.a : &p->of.product.b;
    int64_t const at = p->of.begin[operand] + (v > 0 ? tsr_gemm_offset(&p->of.v, operand, v) : 0);
    side const s = {gemm_address(t) + at * unit, step_of(operand == TSR_IN_A ? &p->of.m : &p->of.n, operand),
                    step_of(&p->of.k, operand)};
    return s;
}

/** Numbers that lie `step` apart, side by side. */
static void gather(unsigned char *to, unsigned char const *from, int64_t step, int64_t n, int64_t unit)
{
    for (int64_t i = 0; unit == 4 && i < n; ++i)
        memcpy(to + i * 4, from + i * step * 4, 4);
    for (int64_t i = 0; unit == 8 && i < n; ++i)
        memcpy(to + i * 8, from + i * step * 8, 8);
}

/** Sums of m rows from row `top` on, to memory where they lie side by side. */
static void sum_rows(lines const *q, int64_t top, int64_t m, unsigned char *y, bool add)
{
    _Alignas(64) unsigned char room[VECTOR_BYTES];
    int64_t const most = VECTOR_BYTES / q->unit;
    bool const along = q->matrix.along == 1;
    for (int64_t k = 0; k < q->k; k += most, add = true) {
        int64_t const n = tsr_min64(most, q->k - k);
        unsigned char const *x = q->vector.at + k * q->vector.along * q->unit,
                            *a = q->matrix.at + (top * q->matrix.down + k * q->matrix.along) * q->unit;
        if (q->vector.along != 1) {
            gather(room, x, q->vector.along, n, q->unit);
            x = room;
        }
        if (along)
            (q->m == 1 ? q->choice.row->alone : q->choice.row->along)(m, n, a, q->matrix.down, x, y, add);
        else
            q->choice.row->across(m, n, a, q->matrix.along, x, y, add);
    }
}

static void runs_of(int *run, int64_t const *place, int n, bool alone)
{
    for (int i = n - 1; i >= 0; --i)
        run[i] = !alone && i + 1 < n && place[i + 1] == place[i] + 1 ? run[i + 1] + 1 : 1;
}

/** The epilogue of sums of m rows from row `top` on. */
static void finish_rows(lines const *q, int64_t top, int64_t m, unsigned char const *sums)
{
    tsr_product_ const *const g = &q->plan->of.product;
    int64_t c[GEMM_ROWS], bias[GEMM_ROWS], zero[2];
    int run[GEMM_ROWS], bias_run[GEMM_ROWS];
    for (int i = 0; i < 2; ++i) {
        int const operand = i == 0 ? TSR_IN_C : TSR_IN_BIAS;
        zero[i] = q->plan->of.begin[operand] + tsr_gemm_offset(&q->plan->of.v, operand, q->v);
    }
    for (int64_t i = 0, n = 0; i < m; i += n) {
        n = tsr_min64(GEMM_ROWS, m - i);
        tsr_gemm_offsets(q->rows, TSR_IN_C, top + i, n, 1, c);
        tsr_gemm_offsets(q->rows, TSR_IN_BIAS, top + i, n, 1, bias);
        runs_of(run, c, (int)n, gemm_is_swizzled(&g->c));
        runs_of(bias_run, bias, (int)n, gemm_is_swizzled(&g->bias));
        gemm_tile const t = {sums + i * q->unit, GEMM_ROWS, (int)n, 1, c, &zero[0], bias, &zero[1], run, bias_run};
        tsr_gemm_finish(q->plan, &q->choice, &t);
    }
}

/** Rows from `top` to `end` - 1. */
static void run_part(lines const *q, int64_t top, int64_t end)
{
    _Alignas(64) unsigned char sums[SUM_BYTES];
    int64_t const most = SUM_BYTES / q->unit;
    for (int64_t i = top; i < end; i += most) {
        int64_t const m = tsr_min64(most, end - i);
        unsigned char *const y = q->c ? q->c + i * q->unit : sums;
        sum_rows(q, i, m, y, q->c && q->plan->of.product.beta != 0);
        if (!q->c)
            finish_rows(q, i, m, sums);
    }
}

static lines lines_of(tsr_planned_gemm const *p, int64_t v)
{
    tsr_product_ const *const g = &p->of.product;
    gemm_choice const choice = tsr_gemm_choice_of(p);
    bool const of_b = is_of_b(p);
    tsr_gemm_loops const *const rows = of_b ? &p->of.n : &p->of.m;
    int64_t const unit = gemm_unit_bytes(choice.row->form);
    bool const fits = p->trivial && gemm_is_sum(p, g->c.engine.type) && !gemm_is_swizzled(&g->c)
                      && (rows->size == 1 || step_of(rows, TSR_IN_C) == 1);
    int64_t const at = p->of.begin[TSR_IN_C] + (v > 0 ? tsr_gemm_offset(&p->of.v, TSR_IN_C, v) : 0);
    lines const q = {p,
                     choice,
                     rows,
                     side_of(p, of_b ? TSR_IN_B : TSR_IN_A, v, unit),
                     side_of(p, of_b ? TSR_IN_A : TSR_IN_B, v, unit),
                     unit,
                     rows->size,
                     p->of.k.size,
                     v,
                     fits ? gemm_address(&g->c) + at * unit : NULL};
    return q;
}

void tsr_gemm_run_lines(tsr_planned_gemm const *p)
{
    int64_t const size = tsr_max64(p->of.m.size, p->of.n.size), steps = gemm_ceil(size, STEP_ROWS);
    int64_t const parts = p->of.v.size == 1 ? tsr_min64(p->threads, steps) : 1;
    if (p->threads == 1 && p->of.v.size == 1) { /* it costs to ask for threads */
        lines const q = lines_of(p, 0);
        run_part(&q, 0, size);
        return;
    }
    PARALLEL("omp parallel for num_threads(p->threads) if(p->threads > 1 && tsr_engine_may_share_())")
    for (int64_t i = 0; i < p->of.v.size * parts; ++i) {
        lines const q = lines_of(p, i / parts);
        int64_t const x = i % parts;
        run_part(&q, steps * x / parts * STEP_ROWS, tsr_min64(steps * (x + 1) / parts * STEP_ROWS, size));
    }
}
