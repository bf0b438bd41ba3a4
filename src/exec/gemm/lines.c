/** A product of a matrix and a vector: lines of the matrix are read where they are, once. */
#include "exec/engine.h"
#include "exec/gemm/sides.h"

#if defined(__GNUC__)
#  define FETCH(p) __builtin_prefetch(p, 0, 2)
#else
#  define FETCH(p) ((void)(p))
#endif

enum { LINE = 64 };

/* Bytes of the vector that are worked on at once, where it lies and where it is moved to, and of sums. Rows of a part
 * are a multiple of STEP_ROWS; the least K for which these kernels are faster than those of tiles. */
enum { VECTOR_BYTES = 32768, SUM_BYTES = 16384, STEP_ROWS = 64, LEAST_DEPTH = 4 };

/* Elements of a matrix of other types that are converted at once, of at most 8 bytes; lines of it along K, or across,
 * that kernels take together. */
enum { CONVERTED = 4096, TOGETHER = 8 };

/** A batch of a plan, seen as a matrix by a vector. */
typedef struct lines {
    tsr_planned_gemm const *plan;
    gemm_choice choice;
    tsr_gemm_loops const *rows; /* of the matrix: those of M or of N */
    gemm_side matrix, vector;
    int64_t unit, m, k, v;
    unsigned char *c; /* where sums may be written, or NULL */
} lines;

/** Whether B is the matrix, A a vector. */
static bool is_of_b(tsr_planned_gemm const *p) { return p->of.m.size == 1 && p->of.n.size > 1; }

bool tsr_gemm_is_lines(tsr_planned_gemm const *p)
{
    gemm_row const *const row = tsr_gemm_choice_of(p).row;
    bool const of_b = is_of_b(p);
    int const operand = of_b ? TSR_IN_B : TSR_IN_A;
    tsr_gemm_loops const *const rows = of_b ? &p->of.n : &p->of.m;
    bool const along = gemm_step(&p->of.k, operand) == 1, across = gemm_step(rows, operand) == 1;
    return row->along && p->parts == 1 && (p->of.m.size == 1 || p->of.n.size == 1) && (along || across)
           && p->of.k.size >= LEAST_DEPTH && rows->loops <= 1 && p->of.k.loops <= 1
           && !gemm_is_swizzled(&p->of.product.a) && !gemm_is_swizzled(&p->of.product.b);
}

static gemm_side side_of(tsr_planned_gemm const *p, int operand, int64_t v)
{
    tsr_tensor const *const t = operand == TSR_IN_A ? &p->of.product.a : &p->of.product.b;
    int64_t const at = p->of.begin[operand] + (v > 0 ? tsr_gemm_offset(&p->of.v, operand, v) : 0);
    gemm_side const s = {gemm_address(t) + at * gemm_bytes(t), t->engine.type, gemm_bytes(t),
                         gemm_step(operand == TSR_IN_A ? &p->of.m : &p->of.n, operand), gemm_step(&p->of.k, operand)};
    return s;
}

/** Rows of a matrix `at`, whose lines are `step` numbers apart, by n elements of the vector. */
static void multiply(lines const *q, int64_t m, int64_t n, unsigned char const *at, int64_t step,
                     unsigned char const *x, unsigned char *y, bool add)
{
    gemm_row const *const row = q->choice.row;
    gemm_lines *const run = q->matrix.along == 1 ? (q->m == 1 ? row->alone : row->along)
                            : q->m <= STEP_ROWS  ? row->narrow
                                                 : row->across;
    run(m, n, at, step, x, y, add);
}

/** The same of a matrix of another type: lines of it are converted, in pieces; the next ones are prefetched. */
static void multiply_converted(lines const *q, int64_t m, int64_t n, unsigned char const *at, unsigned char const *x,
                               unsigned char *y, bool add)
{
    _Alignas(64) unsigned char buffer[CONVERTED * 8];
    gemm_side const *const a = &q->matrix;
    tsr_dtype const element = gemm_element_type(q->choice.row->form);
    bool const along = a->along == 1;
    int64_t const length = along ? n : m, lines = along ? m : n, step = along ? a->down : a->along;
    int64_t const piece = tsr_min64(length, CONVERTED / TOGETHER), count = along ? TOGETHER : CONVERTED / piece;
    for (int64_t l = 0; l < lines; l += count)
        for (int64_t i = 0; i < length; i += piece) {
            int64_t const size = tsr_min64(piece, length - i), many = tsr_min64(count, lines - l);
            for (int64_t c = 0; c < many; ++c) {
                unsigned char const *const from = at + ((l + c) * step + i) * a->size;
                for (int64_t b = 0; b < size * a->size; b += LINE)
                    FETCH(from + size * a->size + b);
                tsr_gemm_convert(&q->choice, element, buffer + c * piece * q->unit, a->type, from, size);
            }
            if (along)
                multiply(q, many, size, buffer, piece, x + i * q->unit, y + l * q->unit, add || i > 0);
            else
                multiply(q, size, many, buffer, piece, x + l * q->unit, y + i * q->unit, add || l > 0);
        }
}

/** Sums of m rows from row `top` on, to memory where they lie side by side. */
static void sum_rows(lines const *q, int64_t top, int64_t m, unsigned char *y, bool add)
{
    _Alignas(64) unsigned char buffer[2 * GEMM_ROOM_BYTES];
    gemm_side const *const a = &q->matrix;
    bool const direct = q->vector.along == 1 && q->vector.type == gemm_element_type(q->choice.row->form);
    int64_t const most = direct ? VECTOR_BYTES / q->unit : GEMM_ROOM_BYTES / tsr_max64(q->unit, q->vector.size);
    for (int64_t k = 0; k < q->k; k += most, add = true) {
        int64_t const n = tsr_min64(most, q->k - k);
        unsigned char const *const x = tsr_gemm_line(&q->choice, &q->vector, k, n, buffer), *const at =
                                                                                                a->at
                                                                                                + (top * a->down
                                                                                                   + k * a->along)
                                                                                                      * a->size;
        if (a->type == gemm_element_type(q->choice.row->form))
            multiply(q, m, n, at, a->along == 1 ? a->down : a->along, x, y, add);
        else
            multiply_converted(q, m, n, at, x, y, add);
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
            tsr_gemm_finish_rows(q->plan, &q->choice, q->rows, q->v, i, m, sums);
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
                      && (rows->size == 1 || gemm_step(rows, TSR_IN_C) == 1);
    int64_t const at = p->of.begin[TSR_IN_C] + (v > 0 ? tsr_gemm_offset(&p->of.v, TSR_IN_C, v) : 0);
    lines const q = {.plan = p,
                     .choice = choice,
                     .rows = rows,
                     .matrix = side_of(p, of_b ? TSR_IN_B : TSR_IN_A, v),
                     .vector = side_of(p, of_b ? TSR_IN_A : TSR_IN_B, v),
                     .unit = unit,
                     .m = rows->size,
                     .k = p->of.k.size,
                     .v = v,
                     .c = fits ? gemm_address(&g->c) + at * unit : NULL};
    return q;
}

/** One batch, or a part of the only one. */
static void run_lines(void *context, int worker, int64_t i)
{
    tsr_planned_gemm const *const p = (tsr_planned_gemm const *)context;
    int64_t const size = tsr_max64(p->of.m.size, p->of.n.size), steps = gemm_ceil(size, STEP_ROWS);
    int64_t const parts = p->of.v.size == 1 ? tsr_min64(p->threads, steps) : 1, x = i % parts;
    lines const q = lines_of(p, i / parts);
    (void)worker;
    run_part(&q, steps * x / parts * STEP_ROWS, tsr_min64(steps * (x + 1) / parts * STEP_ROWS, size));
}

void tsr_gemm_run_lines(tsr_planned_gemm const *p)
{
    int64_t const steps = gemm_ceil(tsr_max64(p->of.m.size, p->of.n.size), STEP_ROWS);
    tsr_engine_share_(p->threads, p->of.v.size == 1 ? tsr_min64(p->threads, steps) : p->of.v.size, run_lines,
                      (void *)(uintptr_t)p);
}
