/** A product of operands that are small and lie as kernels read them: no panels, no memory. */
#include "exec/gemm_engine.h"

#if defined(_OPENMP)
#  define PARALLEL(directive) _Pragma(directive)
#else
#  define PARALLEL(directive)
#endif

/** Where batch v of an operand begins. */
static unsigned char *batch(tsr_gemm_plan const *p, tsr_tensor const *t, int operand, int64_t v, int64_t unit)
{
    return (unsigned char *)(uintptr_t)t->engine.address
           + (p->begin[operand] + tsr_gemm_offset(&p->v, operand, v)) * unit;
}

/** Tiles of rows and columns of one batch, in place: vectors are spread evenly over tiles of up to 3. */
static void run_batch(tsr_gemm_plan const *p, gemm_row const *row, int64_t v)
{
    int64_t const unit = gemm_unit_bytes(row->form), lanes = row->lanes, m = p->m.size, n = p->n.size;
    int64_t const vectors = gemm_ceil(m, lanes), tiles = gemm_ceil(vectors, GEMM_VECTORS);
    int64_t const as = p->k.step[TSR_IN_A][0], bs = p->k.step[TSR_IN_B][0], bc = p->n.step[TSR_IN_B][0];
    int64_t const cc = p->n.step[TSR_IN_C][0];
    uint32_t const all = ~(uint32_t)0, edge = m % lanes != 0 ? ~(all << (m % lanes)) : all;
    unsigned char const *const a = batch(p, &p->product.a, TSR_IN_A, v, unit);
    unsigned char const *const b = batch(p, &p->product.b, TSR_IN_B, v, unit);
    unsigned char *const c = batch(p, &p->product.c, TSR_IN_C, v, unit);
    for (int64_t t = 0, i = 0; t < tiles; ++t) {
        int const count = (int)(vectors / tiles + (t < vectors % tiles));
        int log = row->columns == 8 ? 3 : 2;
        uint32_t const mask = i + count == vectors ? edge : all;
        for (int64_t j = 0; j < n; j += 1 << log) {
            while (n - j < 1 << log)
                --log;
            row->kernel[count - 1][log](p->k.size, a + i * lanes * unit, as, b + j * bc * unit, bs, bc, 0,
                                        c + (i * lanes + j * cc) * unit, cc, p->product.beta != 0, mask);
        }
        i += count;
    }
}

void tsr_gemm_run_in_place(tsr_gemm_plan const *p)
{
    gemm_row const *const row = &tsr_gemm_table((gemm_isa)p->isa)->row[p->row];
    if (p->v.size == 1) { /* it costs to ask for threads */
        run_batch(p, row, 0);
        return;
    }
    PARALLEL("omp parallel for num_threads(p->threads) if(p->threads > 1)")
    for (int64_t v = 0; v < p->v.size; ++v)
        run_batch(p, row, v);
}
