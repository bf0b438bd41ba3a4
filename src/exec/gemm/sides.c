/** The functions of exec/gemm/sides.h. */
#include "exec/gemm/sides.h"

/** Elements that lie `step` apart, side by side. */
static void gather(unsigned char *to, unsigned char const *from, int64_t step, int64_t n, int64_t size)
{
    for (int64_t i = 0; size == 4 && i < n; ++i)
        memcpy(to + i * 4, from + i * step * 4, 4);
    for (int64_t i = 0; size != 4 && i < n; ++i)
        memcpy(to + i * size, from + i * step * size, (size_t)size);
}

unsigned char const *tsr_gemm_line(gemm_choice const *c, gemm_side const *x, int64_t k, int64_t n,
                                   unsigned char *buffer)
{
    tsr_dtype const element = gemm_element_type(c->row->form);
    unsigned char const *at = x->at + k * x->along * x->size;
    if (x->along != 1) {
        gather(buffer, at, x->along, n, x->size);
        at = buffer;
    }
    if (x->type == element)
        return at;
    tsr_gemm_convert(c, element, buffer + GEMM_ROOM_BYTES, x->type, at, n);
    return buffer + GEMM_ROOM_BYTES;
}

static void runs_of(int *run, int64_t const *place, int n, bool alone)
{
    for (int i = n - 1; i >= 0; --i)
        run[i] = !alone && i + 1 < n && place[i + 1] == place[i] + 1 ? run[i + 1] + 1 : 1;
}

void tsr_gemm_finish_rows(tsr_planned_gemm const *p, gemm_choice const *choice, tsr_gemm_loops const *rows, int64_t v,
                          int64_t top, int64_t m, unsigned char const *sums)
{
    tsr_product_ const *const g = &p->of.product;
    int64_t const unit = gemm_unit_bytes(choice->row->form);
    int64_t c[GEMM_ROWS], bias[GEMM_ROWS], zero[2];
    int run[GEMM_ROWS], bias_run[GEMM_ROWS];
    for (int i = 0; i < 2; ++i) {
        int const operand = i == 0 ? TSR_IN_C : TSR_IN_BIAS;
        zero[i] = p->of.begin[operand] + tsr_gemm_offset(&p->of.v, operand, v);
    }
    for (int64_t i = 0, n = 0; i < m; i += n) {
        n = tsr_min64(GEMM_ROWS, m - i);
        tsr_gemm_offsets(rows, TSR_IN_C, top + i, n, 1, c);
        tsr_gemm_offsets(rows, TSR_IN_BIAS, top + i, n, 1, bias);
        runs_of(run, c, (int)n, gemm_is_swizzled(&g->c));
        runs_of(bias_run, bias, (int)n, gemm_is_swizzled(&g->bias));
        gemm_tile const t = {.sums = sums + i * unit,
                             .ld = GEMM_ROWS,
                             .rows = (int)n,
                             .columns = 1,
                             .row = c,
                             .column = &zero[0],
                             .bias_row = bias,
                             .bias_column = &zero[1],
                             .run = run,
                             .bias_run = bias_run};
        tsr_gemm_finish(p, choice, &t);
    }
}
