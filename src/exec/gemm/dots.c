/** A product of operands that both lie along K, one of them of few rows: they are read where they are, the longer one
 *  once. */
#include "exec/engine.h"
#include "exec/gemm/engine.h"

/* Elements of K of a piece of the shorter operand fill at most PIECE_BYTES, a part of the second cache, those of a row
 * ROW_BYTES: seven rows are in the first one. A sum costs what eight vectors do, and more where the lines of C do not
 * stay in the first cache: K is at least LEAST_DEPTH, and 4 times the rows of the shorter operand. These are at most
 * MOST_ROWS; WIDE_ROWS where vectors have 64 bytes, of which registers hold more. */
enum { PIECE_BYTES = 256 * 1024, ROW_BYTES = 8192, STEP = 64, LEAST_DEPTH = 32, MOST_ROWS = 96, WIDE_ROWS = 8 };

static int64_t step_of(tsr_gemm_loops const *x, int operand) { return x->loops > 0 ? x->step[operand][0] : 0; }

bool tsr_gemm_is_dots(tsr_planned_gemm const *p)
{
    int64_t const m = p->of.m.size, n = p->of.n.size, k = p->of.k.size;
    if (k < LEAST_DEPTH || step_of(&p->of.k, TSR_IN_A) != 1 || step_of(&p->of.k, TSR_IN_B) != 1)
        return false;
    tsr_product_ const *const g = &p->of.product;
    gemm_row const *const row = tsr_gemm_choice_of(p).row;
    tsr_dtype const element = gemm_element_type(row->form);
    int64_t const unit = gemm_unit_bytes(row->form);
    if (!row->dots || p->of.m.loops != 1 || p->of.n.loops != 1 || p->of.k.loops != 1)
        return false;
    int64_t const few = tsr_min64(m, n), most = row->lanes * unit == 64 ? WIDE_ROWS : MOST_ROWS;
    return few <= most && few <= k / 4 && p->trivial && p->parts == 1 && g->a.engine.type == element
           && g->b.engine.type == element && gemm_is_sum(p, g->c.engine.type) && !gemm_is_swizzled(&g->a)
           && !gemm_is_swizzled(&g->b) && !gemm_is_swizzled(&g->c);
}

/** An operand: batch v of it, and the steps from row to row, in it and in C. */
typedef struct side {
    unsigned char const *at;
    int64_t rows, step, c;
} side;

static unsigned char *batch(tsr_planned_gemm const *p, tsr_tensor const *t, int operand, int64_t v)
{
    int64_t const at = v > 0 ? tsr_gemm_offset(&p->of.v, operand, v) : 0;
    return (unsigned char *)(uintptr_t)t->engine.address + (p->of.begin[operand] + at) * gemm_bytes(t);
}

static side side_of(tsr_planned_gemm const *p, bool of_b, int64_t v)
{
    tsr_gemm_loops const *const x = of_b ? &p->of.n : &p->of.m;
    int const operand = of_b ? TSR_IN_B : TSR_IN_A;
    side const s = {batch(p, of_b ? &p->of.product.b : &p->of.product.a, operand, v), x->size, x->step[operand][0],
                    x->step[TSR_IN_C][0]};
    return s;
}

/** A batch, or of the only one a part of the rows of the longer operand. */
static void run_part(void *context, int worker, int64_t i)
{
    tsr_planned_gemm const *const p = (tsr_planned_gemm const *)context;
    int64_t const parts = p->of.v.size == 1 ? p->threads : 1, v = i / parts, index = i % parts;
    (void)worker;
    gemm_row const *const row = tsr_gemm_choice_of(p).row;
    bool const turned = p->of.n.size > p->of.m.size;
    side const a = side_of(p, turned, v), b = side_of(p, !turned, v);
    int64_t const unit = gemm_unit_bytes(row->form), k = p->of.k.size;
    int64_t const top = a.rows * index / parts, end = a.rows * (index + 1) / parts;
    int64_t const most = tsr_min64(PIECE_BYTES / b.rows, ROW_BYTES) / unit, pieces = gemm_ceil(k, most);
    int64_t const each = gemm_ceil(gemm_ceil(k, pieces), STEP) * STEP;
    unsigned char *const c = batch(p, &p->of.product.c, TSR_IN_C, v) + top * a.c * unit;
    for (int64_t x = 0; x < k; x += each)
        row->dots(end - top, b.rows, tsr_min64(each, k - x), a.at + (top * a.step + x) * unit, a.step,
                  b.at + x * unit, b.step, c, a.c, b.c, x > 0 || p->of.product.beta != 0);
}

void tsr_gemm_run_dots(tsr_planned_gemm const *p)
{
    tsr_engine_share_(p->threads, p->of.v.size == 1 ? p->threads : p->of.v.size, run_part, (void *)(uintptr_t)p);
}
