/** A product of a matrix and a vector: lines of the matrix are read where they are, once. */
#include "exec/engine.h"
#include "exec/gemm/blocks.h"

#if defined(_OPENMP)
#  define PARALLEL(directive) _Pragma(directive)
#else
#  define PARALLEL(directive)
#endif

#if defined(__GNUC__)
#  define FETCH(p) __builtin_prefetch(p, 0, 2)
#else
#  define FETCH(p) ((void)(p))
#endif

enum { LINE = 64 };

/* Bytes of the vector that are worked on at once, where it lies and where it is moved to, and of sums. Rows of a part
 * are a multiple of STEP_ROWS; the least K for which these kernels are faster than those of tiles. */
enum { VECTOR_BYTES = 32768, ROOM_BYTES = 16384, SUM_BYTES = 16384, STEP_ROWS = 64, LEAST_DEPTH = 4 };

/* Elements of a matrix of other types that are converted at once, of at most 8 bytes; lines of it along K, or across,
 * that kernels take together. */
enum { CONVERTED = 4096, TOGETHER = 8 };

/** One of the two operands: its place, type and bytes of an element, and its steps, in elements, along the rows of the
 *  matrix (0: the vector) and along K. */
typedef struct side {
    unsigned char const *at;
    tsr_dtype type;
    int64_t size, down, along;
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
    return row->along && p->parts == 1 && (p->of.m.size == 1 || p->of.n.size == 1) && (along || across)
           && p->of.k.size >= LEAST_DEPTH && rows->loops <= 1 && p->of.k.loops <= 1
           && !gemm_is_swizzled(&p->of.product.a) && !gemm_is_swizzled(&p->of.product.b);
}

static side side_of(tsr_planned_gemm const *p, int operand, int64_t v)
{
    tsr_tensor const *const t = operand == TSR_IN_A ? &p->of.product.a : &p->of.product.b;
    int64_t const at = p->of.begin[operand] + (v > 0 ? tsr_gemm_offset(&p->of.v, operand, v) : 0);
    side const s = {gemm_address(t) + at * gemm_bytes(t), t->engine.type, gemm_bytes(t),
                    step_of(operand == TSR_IN_A ? &p->of.m : &p->of.n, operand), step_of(&p->of.k, operand)};
    return s;
}

/** Elements that lie `step` apart, side by side. */
static void gather(unsigned char *to, unsigned char const *from, int64_t step, int64_t n, int64_t size)
{
    for (int64_t i = 0; size == 4 && i < n; ++i)
        memcpy(to + i * 4, from + i * step * 4, 4);
    for (int64_t i = 0; size != 4 && i < n; ++i)
        memcpy(to + i * size, from + i * step * size, (size_t)size);
}

/** Elements k to k + n - 1 of the vector, as kernels take them, in twice ROOM_BYTES where they have to be moved. */
static unsigned char const *vector_at(lines const *q, int64_t k, int64_t n, unsigned char *buffer)
{
    side const *const x = &q->vector;
    tsr_dtype const element = gemm_element_type(q->choice.row->form);
    unsigned char const *at = x->at + k * x->along * x->size;
    if (x->along != 1) {
        gather(buffer, at, x->along, n, x->size);
        at = buffer;
    }
    if (x->type == element)
        return at;
    tsr_gemm_convert(&q->choice, element, buffer + ROOM_BYTES, x->type, at, n);
    return buffer + ROOM_BYTES;
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
    side const *const a = &q->matrix;
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
    _Alignas(64) unsigned char buffer[2 * ROOM_BYTES];
    side const *const a = &q->matrix;
    bool const direct = q->vector.along == 1 && q->vector.type == gemm_element_type(q->choice.row->form);
    int64_t const most = direct ? VECTOR_BYTES / q->unit : ROOM_BYTES / tsr_max64(q->unit, q->vector.size);
    for (int64_t k = 0; k < q->k; k += most, add = true) {
        int64_t const n = tsr_min64(most, q->k - k);
        unsigned char const *const x = vector_at(q, k, n, buffer), *const at =
                                                                       a->at
                                                                       + (top * a->down + k * a->along) * a->size;
        if (a->type == gemm_element_type(q->choice.row->form))
            multiply(q, m, n, at, a->along == 1 ? a->down : a->along, x, y, add);
        else
            multiply_converted(q, m, n, at, x, y, add);
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
        gemm_tile const t = {.sums = sums + i * q->unit,
                             .ld = GEMM_ROWS,
                             .rows = (int)n,
                             .columns = 1,
                             .row = c,
                             .column = &zero[0],
                             .bias_row = bias,
                             .bias_column = &zero[1],
                             .run = run,
                             .bias_run = bias_run};
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
