/** A product of operands that are small and lie as kernels read them: no panels, no memory. */
#include "exec/engine.h"
#include "exec/gemm/engine.h"

#if defined(_OPENMP)
#  define PARALLEL(directive) _Pragma(directive)
#else
#  define PARALLEL(directive)
#endif

/** Where batch v of an operand begins. */
static unsigned char *batch(tsr_planned_gemm const *p, tsr_tensor const *t, int operand, int64_t v, int64_t unit)
{
    int64_t const at = v > 0 ? tsr_gemm_offset(&p->of.v, operand, v) : 0;
    return (unsigned char *)(uintptr_t)t->engine.address + (p->of.begin[operand] + at) * unit;
}

/** Part `part` of `parts` of the tiles of a batch, cut along the longer side. Vectors are spread evenly over tiles of
 *  up to 3; tiles go down the columns of C, so that its lines come in order. */
static void run_part(tsr_planned_gemm const *p, gemm_row const *row, int64_t v, int64_t part, int64_t parts)
{
    int64_t const unit = gemm_unit_bytes(row->form), lanes = row->lanes, m = p->of.m.size, n = p->of.n.size;
    int64_t const vectors = (m + lanes - 1) >> (tsr_bit_width((uint64_t)lanes) - 1);
    int64_t const tiles = gemm_ceil(vectors, GEMM_VECTORS), each = tiles > 1 ? vectors / tiles : vectors;
    int64_t const more = vectors - each * tiles;
    int64_t const as = p->of.k.step[TSR_IN_A][0], bs = p->of.k.step[TSR_IN_B][0], bc = p->of.n.step[TSR_IN_B][0];
    int64_t const cc = p->of.n.step[TSR_IN_C][0], rest = m & (lanes - 1);
    uint32_t const all = ~(uint32_t)0, edge = rest > 0 ? ~(all << rest) : all;
    unsigned char const *const a = batch(p, &p->of.product.a, TSR_IN_A, v, unit);
    unsigned char const *const b = batch(p, &p->of.product.b, TSR_IN_B, v, unit);
    unsigned char *const c = batch(p, &p->of.product.c, TSR_IN_C, v, unit);
    int log = row->columns == 8 ? 3 : 2;
    int64_t first = 0, last = tiles, left = 0, right = n;
    if (parts > 1 && tiles << log > n) {
        first = tiles * part / parts;
        last = tiles * (part + 1) / parts;
    } else if (parts > 1) {
        int64_t const stripes = gemm_ceil(n, 1 << log);
        left = stripes * part / parts << log;
        right = tsr_min64(stripes * (part + 1) / parts << log, n);
    }
    for (int64_t j = left; j < right; j += 1 << log) {
        while (right - j < 1 << log)
            --log;
        for (int64_t t = first; t < last; ++t) {
            int64_t const i = t * each + tsr_min64(t, more), count = each + (t < more);
            row->kernel[count - 1][log](p->of.k.size, a + i * lanes * unit, as, b + j * bc * unit, bs, bc, 0,
                                        c + (i * lanes + j * cc) * unit, cc, 0, p->of.product.beta != 0,
                                        i + count == vectors ? edge : all);
        }
    }
}

void tsr_gemm_run_in_place(tsr_planned_gemm const *p)
{
    gemm_row const *const row = &tsr_gemm_table((gemm_isa)p->isa)->row[p->row];
    if (p->threads == 1 && p->of.v.size == 1) { /* it costs to ask for threads */
        run_part(p, row, 0, 0, 1);
        return;
    }
    int64_t const parts = p->of.v.size == 1 ? p->threads : 1;
    PARALLEL("omp parallel for num_threads(p->threads) if(p->threads > 1 && tsr_engine_may_share_())")
    for (int64_t i = 0; i < p->of.v.size * parts; ++i)
        run_part(p, row, i / parts, i % parts, parts);
}
