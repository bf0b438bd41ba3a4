/** Products of complex numbers of few rows or few columns: dot products along K, whose operands are read where they
 *  lie, or gathered a piece at a time. Panels of such operands would be mostly padding.
 *
 *  Law     c[i,j] (+)= sum over k of a[i,k] * b[j,k]; an element is summed in one order, whatever the others are. */
#include "exec/engine.h"
#include "exec/gemm/blocks.h"

/* Rows or columns at most; complex numbers that are gathered at once, and that a kernel takes where they lie; sums side
 * by side, of whole vectors. */
enum { FEW = 4, PIECE = 512, MOST_AT_ONCE = 1 << 14, LANES = 16 };

static int64_t step_of(tsr_gemm_loops const *x, int operand) { return x->loops > 0 ? x->step[operand][0] : 0; }

bool tsr_gemm_is_complex_dots(tsr_planned_gemm const *p)
{
    tsr_product_ const *const g = &p->of.product;
    tsr_dtype const type = g->c.engine.type;
    return p->parts == 2 && tsr_min64(p->of.m.size, p->of.n.size) <= FEW && (type == TSR_C64 || type == TSR_C128)
           && g->a.engine.type == type && g->b.engine.type == type && p->trivial && p->of.k.loops <= 1
           && !gemm_is_swizzled(&g->a) && !gemm_is_swizzled(&g->b) && !gemm_is_swizzled(&g->c);
}

#if defined(__GNUC__)
typedef float vector_float __attribute__((vector_size(16)));
typedef double vector_double __attribute__((vector_size(16)));
/* Sums in registers: compilers keep the lanes of arrays in memory, and a lane waits for its last store. */
#  define WHOLE_LANES(T)                                                    \
    enum { WIDE = sizeof(vector_##T) / sizeof(T), VECTORS = LANES / WIDE }; \
    vector_##T s[VECTORS], c[VECTORS], a, b, turned;                        \
    memcpy(s, straight, sizeof s);                                          \
    memcpy(c, cross, sizeof c);                                             \
    for (; i + LANES <= 2 * n; i += LANES)                                  \
      TSR_UNROLL for (int v = 0; v < VECTORS; ++v)                          \
      {                                                                     \
        memcpy(&a, x + i + v * WIDE, sizeof a);                             \
        memcpy(&b, y + i + v * WIDE, sizeof b);                             \
        turned = b;                                                         \
        TSR_UNROLL for (int j = 0; j < WIDE; ++j) turned[j] = b[j ^ 1];     \
        s[v] += a * b;                                                      \
        c[v] += a * turned;                                                 \
      }                                                                     \
    memcpy(straight, s, sizeof s);                                          \
    memcpy(cross, c, sizeof c);
#else
#  define WHOLE_LANES(T)                       \
    for (; i + LANES <= 2 * n; i += LANES) {   \
      for (int j = 0; j < LANES; ++j)          \
        straight[j] += x[i + j] * y[i + j];    \
      for (int j = 0; j < LANES; ++j)          \
        cross[j] += x[i + j] * y[i + (j ^ 1)]; \
    }
#endif

/** Sums of products: of each part by itself, and of each with the other one. */
#define DOT(name, T)                                                                                            \
  static void name(T const *x, T const *y, int64_t n, T *straight, T *cross)                                    \
  {                                                                                                             \
    int64_t i = 0;                                                                                              \
    WHOLE_LANES(T)                                                                                              \
    for (int j = 0; i + j < 2 * n; ++j) {                                                                       \
      straight[j] += x[i + j] * y[i + j];                                                                       \
      cross[j] += x[i + j] * y[i + (j ^ 1)];                                                                    \
    }                                                                                                           \
  }                                                                                                             \
  /** Adds the dot product of n numbers to *to, or puts it there; by a kernel, or NULL. */                      \
  static void name##_of(gemm_complex *kernel, T *to, T const *x, int64_t xs, T const *y, int64_t ys, int64_t n, \
                        bool add)                                                                               \
  {                                                                                                             \
    T straight[LANES] = {0}, cross[LANES] = {0}, a[2 * PIECE], b[2 * PIECE], sum[2] = {0};                      \
    int64_t const most = xs == 1 && ys == 1 && kernel ? MOST_AT_ONCE : PIECE;                                   \
    for (int64_t k = 0; k < n; k += most) {                                                                     \
      int64_t const m = tsr_min64(most, n - k);                                                                 \
      for (int64_t i = 0; xs != 1 && i < m; ++i)                                                                \
        memcpy(a + 2 * i, x + 2 * (k + i) * xs, 2 * sizeof(T));                                                 \
      for (int64_t i = 0; ys != 1 && i < m; ++i)                                                                \
        memcpy(b + 2 * i, y + 2 * (k + i) * ys, 2 * sizeof(T));                                                 \
      T const *const p = xs == 1 ? x + 2 * k : a, *const q = ys == 1 ? y + 2 * k : b;                           \
      if (kernel)                                                                                               \
        kernel(m, p, q, sum);                                                                                   \
      else                                                                                                      \
        name(p, q, m, straight, cross);                                                                         \
    }                                                                                                           \
    for (int j = 0; j < LANES; j += 2) {                                                                        \
      sum[0] += straight[j] - straight[j + 1];                                                                  \
      sum[1] += cross[j] + cross[j + 1];                                                                        \
    }                                                                                                           \
    to[0] = (add ? to[0] : 0) + sum[0];                                                                         \
    to[1] = (add ? to[1] : 0) + sum[1];                                                                         \
  }
DOT(dot_float, float)
DOT(dot_double, double)
#undef DOT
#undef WHOLE_LANES

static unsigned char *place(tsr_planned_gemm const *p, tsr_tensor const *t, int operand, tsr_gemm_loops const *x,
                            int64_t v, int64_t i)
{
    int64_t const at = tsr_gemm_offset(&p->of.v, operand, v) + tsr_gemm_offset(x, operand, i);
    return gemm_address(t) + (p->of.begin[operand] + at) * gemm_bytes(t);
}

/** The kernel for numbers side by side, of vectors of 32 bytes at most: those of 64 bytes take twice as long where each
 *  crosses a line of memory, as in arrays that begin 16 bytes behind one. Or NULL. */
static gemm_complex *kernel_of(tsr_planned_gemm const *p)
{
    gemm_form const form = tsr_gemm_choice_of(p).row->form;
    gemm_table const *const t = tsr_gemm_table((gemm_isa)(p->isa < ISA_AVX2 ? p->isa : ISA_AVX2));
    for (int i = 0; i < t->rows; ++i)
        if (t->row[i].form == form)
            return t->row[i].complex_dot;
    return NULL;
}

/** Element (v,i,j) of C, whose number is `at`. */
static void run_one(void *context, int worker, int64_t at)
{
    tsr_planned_gemm const *const p = (tsr_planned_gemm const *)context;
    tsr_product_ const *const g = &p->of.product;
    int64_t const m = p->of.m.size, n = p->of.n.size, v = at / (m * n), i = at / n % m, j = at % n;
    (void)worker;
    int64_t const k = p->of.k.size, xs = step_of(&p->of.k, TSR_IN_A), ys = step_of(&p->of.k, TSR_IN_B);
    void const *const x = place(p, &g->a, TSR_IN_A, &p->of.m, v, i), *const y =
                                                                         place(p, &g->b, TSR_IN_B, &p->of.n, v, j);
    int64_t const column = tsr_gemm_offset(&p->of.n, TSR_IN_C, j) * gemm_bytes(&g->c);
    void *const c = place(p, &g->c, TSR_IN_C, &p->of.m, v, i) + column;
    gemm_complex *const kernel = kernel_of(p);
    if (g->c.engine.type == TSR_C64)
        dot_float_of(kernel, (float *)c, (float const *)x, xs, (float const *)y, ys, k, g->beta != 0);
    else
        dot_double_of(kernel, (double *)c, (double const *)x, xs, (double const *)y, ys, k, g->beta != 0);
}

void tsr_gemm_run_complex_dots(tsr_planned_gemm const *p)
{
    tsr_engine_share_(p->threads, p->of.v.size * p->of.m.size * p->of.n.size, run_one, (void *)(uintptr_t)p);
}
