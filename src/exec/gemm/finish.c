/** What becomes of a tile of sums: the epilogue, the type of C, the places of its elements. */
#include "exec/gemm/engine.h"

/** Elements of a column: `at` of them by their places, in runs. */
typedef struct column {
    tsr_tensor const *tensor;
    int64_t const *row;
    int const *run; /* elements side by side, from each one on */
    int64_t at;
    int rows;
} column;

static unsigned char *place(column const *x, int i, int64_t size)
{
    int64_t const offset = x->at + x->row[i];
    unsigned char *const base = (unsigned char *)(uintptr_t)x->tensor->engine.address;
    return base + (gemm_is_swizzled(x->tensor) ? tsr_finish_(&x->tensor->layout, (uint64_t)offset) : offset) * size;
}

/** Copies the elements of a column to memory side by side, or back. */
static void move(column const *x, unsigned char *dense, bool back, int64_t size)
{
    for (int i = 0, n = 1; i < x->rows; i += n) {
        n = x->run[i] < x->rows - i ? x->run[i] : x->rows - i;
        unsigned char *const p = place(x, i, size), *const q = dense + i * size;
        memcpy(back ? p : q, back ? q : p, (size_t)(n * size));
    }
}

/** The numbers of a column, converted. */
static void read_column(gemm_choice const *h, column const *x, int parts, void *numbers)
{
    unsigned char raw[GEMM_ROWS * 8];
    tsr_dtype const from = parts == 2 ? h->work : x->tensor->engine.type;
    int const bytes = tsr_dtype_bits(from) / 8;
    move(x, from == h->work ? (unsigned char *)numbers : raw, false, bytes);
    if (from != h->work)
        tsr_gemm_convert(h, h->work, numbers, from, raw, x->rows);
}

#define FINISH(name, T, alpha_of, beta_of)                                                 \
  static void name(tsr_planned_gemm const *p, T *sum, T const *c, T const *bias, int rows) \
  {                                                                                        \
    T const alpha = alpha_of, beta = beta_of;                                              \
    bool const reads = p->of.product.beta != 0, biased = p->of.product.biased;             \
    bool const relu = p->of.product.activation == TSR_RELU;                                \
    if (p->of.product.alpha != 1)                                                          \
      for (int i = 0; i < rows; ++i)                                                       \
        sum[i] = alpha * sum[i];                                                           \
    if (reads)                                                                             \
      for (int i = 0; i < rows; ++i)                                                       \
        sum[i] += beta * c[i];                                                             \
    if (biased)                                                                            \
      for (int i = 0; i < rows; ++i)                                                       \
        sum[i] += bias[i];                                                                 \
    if (relu)                                                                              \
      for (int i = 0; i < rows; ++i)                                                       \
        sum[i] = sum[i] < 0 ? 0 : sum[i];                                                  \
  }
FINISH(finish_floats, float, (float)p->of.product.alpha, (float)p->of.product.beta)
FINISH(finish_doubles, double, p->of.product.alpha, p->of.product.beta)

/** The same modulo 2^64: alpha and beta are whole. */
static void finish_ints(tsr_planned_gemm const *p, int64_t *sum, int64_t const *c, int64_t const *bias, int rows)
{
    uint64_t const alpha = (uint64_t)(int64_t)p->of.product.alpha, beta = (uint64_t)(int64_t)p->of.product.beta;
    for (int i = 0; i < rows; ++i) {
        uint64_t x = alpha * (uint64_t)sum[i];
        x += beta != 0 ? beta * (uint64_t)c[i] : 0;
        x += p->of.product.biased ? (uint64_t)bias[i] : 0;
        sum[i] = p->of.product.activation == TSR_RELU && x >> 63 != 0 ? 0 : (int64_t)x;
    }
}

/** One column, through the epilogue, in the type that it works in. */
static void finish_column(tsr_planned_gemm const *p, gemm_choice const *h, gemm_tile const *t, int j)
{
    _Alignas(64) unsigned char sums[GEMM_ROWS * 8], before[GEMM_ROWS * 8], bias[GEMM_ROWS * 8];
    tsr_dtype const type = gemm_sum_type(h->row->form);
    tsr_dtype const to = p->parts == 2 ? type : p->of.product.c.engine.type;
    unsigned char const *const from = (unsigned char const *)t->sums + j * t->ld * tsr_dtype_bits(type) / 8;
    column const c = {&p->of.product.c, t->row, t->run, t->column[j], t->rows};
    if (type == h->work)
        memcpy(sums, from, (size_t)t->rows * (size_t)tsr_dtype_bits(type) / 8);
    else
        tsr_gemm_convert(h, h->work, sums, type, from, t->rows);
    if (p->of.product.beta != 0)
        read_column(h, &c, p->parts, before);
    if (p->of.product.biased) {
        column const b = {&p->of.product.bias, t->bias_row, t->bias_run, t->bias_column[j], t->rows};
        read_column(h, &b, p->parts, bias);
    }
    if (h->work == TSR_F32)
        finish_floats(p, (float *)(void *)sums, (float const *)(void const *)before,
                      (float const *)(void const *)bias, t->rows);
    else if (h->work == TSR_F64)
        finish_doubles(p, (double *)(void *)sums, (double const *)(void const *)before,
                       (double const *)(void const *)bias, t->rows);
    else
        finish_ints(p, (int64_t *)(void *)sums, (int64_t const *)(void const *)before,
                    (int64_t const *)(void const *)bias, t->rows);
    if (to != h->work)
        tsr_gemm_convert(h, to, before, h->work, sums, t->rows);
    move(&c, to != h->work ? before : sums, true, tsr_dtype_bits(to) / 8);
}

void tsr_gemm_finish(tsr_planned_gemm const *p, gemm_choice const *c, gemm_tile const *t)
{
    for (int j = 0; j < t->columns; ++j)
        finish_column(p, c, t, j);
}
