/** Products without vectors: what every other table must agree with. A few numbers that lie side by side take the place
 *  of a vector: compilers have an instruction for them where the processor has one. */
#include "exec/gemm/move.h"

/* FEW(T, count): `count` numbers of T, by loops that compilers unroll. */
#define FEW(T, count)                                                \
  typedef struct few_##T {                                           \
    T at[count];                                                     \
  } few_##T;                                                         \
  GEMM_INLINE few_##T load_##T(T const *p)                           \
  {                                                                  \
    few_##T r;                                                       \
    for (int i = 0; i < (count); ++i)                                \
      r.at[i] = p[i];                                                \
    return r;                                                        \
  }                                                                  \
  GEMM_INLINE few_##T set_##T(T x)                                   \
  {                                                                  \
    few_##T r;                                                       \
    for (int i = 0; i < (count); ++i)                                \
      r.at[i] = x;                                                   \
    return r;                                                        \
  }                                                                  \
  GEMM_INLINE void put_##T(T *p, few_##T x)                          \
  {                                                                  \
    for (int i = 0; i < (count); ++i)                                \
      p[i] = x.at[i];                                                \
  }                                                                  \
  GEMM_INLINE few_##T sum_##T(few_##T a, few_##T b)                  \
  {                                                                  \
    for (int i = 0; i < (count); ++i)                                \
      a.at[i] += b.at[i];                                            \
    return a;                                                        \
  }                                                                  \
  GEMM_INLINE few_##T product_##T(few_##T x, few_##T y, few_##T sum) \
  {                                                                  \
    for (int i = 0; i < (count); ++i)                                \
      sum.at[i] += x.at[i] * y.at[i];                                \
    return sum;                                                      \
  }
FEW(float, 4)
FEW(double, 2)
FEW(uint32_t, 4)
FEW(uint64_t, 2)

#define FLOAT_LOAD(p, mask) load_float(p)
#define FLOAT_SET(x) set_float(x)
#define FLOAT_BEGIN(p) set_float(0)
#define FLOAT_GET(p, mask) load_float(p)
#define FLOAT_PUT(p, mask, w) put_float(p, w)
#define FLOAT_ADD(a, b) sum_float(a, b)
#define FLOAT_FMA(x, y, sum) product_float(x, y, sum)

#define DOUBLE_LOAD(p, mask) load_double(p)
#define DOUBLE_SET(x) set_double(x)
#define DOUBLE_BEGIN(p) set_double(0)
#define DOUBLE_GET(p, mask) load_double(p)
#define DOUBLE_PUT(p, mask, w) put_double(p, w)
#define DOUBLE_ADD(a, b) sum_double(a, b)
#define DOUBLE_FMA(x, y, sum) product_double(x, y, sum)

#define INT_LOAD(p, mask) load_uint32_t(p)
#define INT_SET(x) set_uint32_t(x)
#define INT_BEGIN(p) set_uint32_t(0)
#define INT_GET(p, mask) load_uint32_t(p)
#define INT_PUT(p, mask, w) put_uint32_t(p, w)
#define INT_ADD(a, b) sum_uint32_t(a, b)
#define INT_FMA(x, y, sum) product_uint32_t(x, y, sum)

#define LONG_LOAD(p, mask) load_uint64_t(p)
#define LONG_SET(x) set_uint64_t(x)
#define LONG_BEGIN(p) set_uint64_t(0)
#define LONG_GET(p, mask) load_uint64_t(p)
#define LONG_PUT(p, mask, w) put_uint64_t(p, w)
#define LONG_ADD(a, b) sum_uint64_t(a, b)
#define LONG_FMA(x, y, sum) product_uint64_t(x, y, sum)

GEMM_KERNELS(float_tile, float, few_float, float, few_float, 4, FLOAT, 1)
GEMM_KERNELS(double_tile, double, few_double, double, few_double, 2, DOUBLE, 1)
GEMM_KERNELS(int_tile, uint32_t, few_uint32_t, uint32_t, few_uint32_t, 4, INT, 1)
GEMM_KERNELS(long_tile, uint64_t, few_uint64_t, uint64_t, few_uint64_t, 2, LONG, 1)

/* One by one: what is left of rows that are no whole vectors. */
#define ONE_LOAD(p, mask) (*(p))
#define ONE_SET(x) (x)
#define ONE_BEGIN(p) 0
#define ONE_GET(p, mask) (*(p))
#define ONE_PUT(p, mask, w) (*(p) = (w))
#define ONE_ADD(a, b) ((a) + (b))
#define ONE_FMA(x, y, sum) ((x) * (y) + (sum))

GEMM_KERNELS(float_one, float, float, float, float, 1, ONE, 1)
GEMM_KERNELS(double_one, double, double, double, double, 1, ONE, 1)
GEMM_KERNELS(int_one, uint32_t, uint32_t, uint32_t, uint32_t, 1, ONE, 1)
GEMM_KERNELS(long_one, uint64_t, uint64_t, uint64_t, uint64_t, 1, ONE, 1)

gemm_row const *tsr_gemm_one(gemm_form form)
{
    static gemm_row const ones[] = {
        GEMM_ROW(float_one, F32, "", 1, 4, false), GEMM_ROW(double_one, F64, "", 1, 4, false),
        GEMM_ROW(long_one, I64, "", 1, 4, false),
        GEMM_ROW(int_one, I32, "", 1, 4, false), /* and all whose sums are such numbers */
    };
    int i = 0;
    while (i < 3 && ones[i].form != form)
        ++i;
    return &ones[i];
}

GEMM_LINE_PARTS(float_tile, float, few_float, 4)
GEMM_LINE_PARTS(double_tile, double, few_double, 2)
GEMM_LINES(float_tile, float, few_float, 4, FLOAT)
GEMM_LINES(double_tile, double, few_double, 2, DOUBLE)

static gemm_row const rows[] = {
    GEMM_LINED_ROW(float_tile, F32, 4, 4, false, NULL, NULL),
    GEMM_LINED_ROW(double_tile, F64, 2, 4, false, NULL, NULL),
    GEMM_ROW(int_tile, I32, "", 4, 4, false),
    GEMM_ROW(long_tile, I64, "", 2, 4, false),
};
gemm_table const tsr_gemm_scalar = GEMM_TABLE(rows);
