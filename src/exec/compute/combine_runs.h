/** Combine runs: elements of one type that lie side by side, by loops that compilers make vectors of. Each set of
 *  instructions compiles them for itself.
 *
 *  Law     that of tsr_combine without factors, bit by bit. Elements of one type are computed as they are: a sum, a
 *          product or a quotient of two floats is rounded once either way, for a double has more than twice their
 *          digits, and integers of any width have the low bits of wider ones. `to` may be x or y.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_COMBINE_RUNS_H
#define TSR_SRC_EXEC_COMPUTE_COMBINE_RUNS_H

#include "exec/rows.h"

/* Where `to` is x or y, each element is read before it is written: no loop has to ask how far apart they are. */
#if defined(__clang__)
#  define TSR_IN_ANY_ORDER_ _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#  define TSR_IN_ANY_ORDER_ _Pragma("GCC ivdep")
#else
#  define TSR_IN_ANY_ORDER_
#endif

#define TSR_Y_(T, R, x, y, value)                                               \
  TSR_IN_ANY_ORDER_                                                             \
  for (int64_t i = 0; i < n; ++i) {                                             \
    T a = 0, b = 0;                                                             \
    TSR_COPY(&a, (unsigned char const *)(x) + i * (int64_t)sizeof a, sizeof a); \
    TSR_COPY(&b, (unsigned char const *)(y) + i * (int64_t)sizeof b, sizeof b); \
    R const r = value;                                                          \
    TSR_COPY((unsigned char *)to + i * (int64_t)sizeof r, &r, sizeof r);        \
  }

/* clang-format off */
/** X(id, type of C, the unsigned one that it is computed in). */
#define TSR_COMBINED_INTEGER_LIST(X)                                                                    \
    X(I8, int8_t, uint32_t) X(U8, uint8_t, uint32_t) X(I16, int16_t, uint32_t) X(U16, uint16_t, uint32_t) \
    X(I32, int32_t, uint32_t) X(U32, uint32_t, uint32_t) X(I64, int64_t, uint64_t) X(U64, uint64_t, uint64_t)
/* clang-format on */

#define TSR_X_(id, T, W)                                                                     \
  static void tsr_combine_##id##_(int op, void *to, void const *x, void const *y, int64_t n) \
  {                                                                                          \
    if (op == TSR_COMBINE_SUM)                                                               \
      TSR_Y_(T, T, x, y, (T)((W)a + (W)b))                                                   \
    else if (op == TSR_DIFFERENCE_)                                                          \
      TSR_Y_(T, T, x, y, (T)((W)a - (W)b))                                                   \
    else if (op == TSR_COMBINE_PRODUCT)                                                      \
      TSR_Y_(T, T, x, y, (T)((W)a * (W)b))                                                   \
    else if (op == TSR_COMBINE_LEAST)                                                        \
      TSR_Y_(T, T, x, y, b < a ? b : a)                                                      \
    else                                                                                     \
      TSR_Y_(T, T, x, y, a < b ? b : a)                                                      \
  }
TSR_COMBINED_INTEGER_LIST(TSR_X_)
#undef TSR_X_

static void tsr_combine_BOOL_(int op, void *to, void const *x, void const *y, int64_t n)
{
    if (op == TSR_COMBINE_SUM || op == TSR_COMBINE_GREATEST)
        TSR_Y_(uint8_t, uint8_t, x, y, (a | b) != 0)
    else if (op == TSR_DIFFERENCE_)
        TSR_Y_(uint8_t, uint8_t, x, y, (a != 0) != (b != 0))
    else
        TSR_Y_(uint8_t, uint8_t, x, y, (a != 0) & (b != 0))
}

#define TSR_X_(id, T, R, one_nan)                                                            \
  static void tsr_combine_##id##_(int op, void *to, void const *x, void const *y, int64_t n) \
  {                                                                                          \
    if (op == TSR_COMBINE_SUM)                                                               \
      TSR_Y_(T, R, x, y, one_nan(a + b))                                                     \
    else if (op == TSR_DIFFERENCE_)                                                          \
      TSR_Y_(T, R, x, y, one_nan(a - b))                                                     \
    else if (op == TSR_COMBINE_PRODUCT)                                                      \
      TSR_Y_(T, R, x, y, one_nan(a *b))                                                      \
    else if (op == TSR_COMBINE_QUOTIENT)                                                     \
      TSR_Y_(T, R, x, y, one_nan(a / b))                                                     \
    else if (op == TSR_COMBINE_LEAST)                                                        \
      TSR_Y_(T, R, x, y, one_nan(((b < a) | (b != b)) ? b : a))                              \
    else                                                                                     \
      TSR_Y_(T, R, x, y, one_nan(((a < b) | (b != b)) ? b : a))                              \
  }
TSR_X_(F32, float, uint32_t, tsr_one_nan_)
TSR_X_(F64, double, double, tsr_one_nan_double_)
#undef TSR_X_

#undef TSR_Y_

/** Products of complex numbers of floats, whose products are exact in double. */
static void tsr_combine_products_C64_(unsigned char *to, unsigned char const *x, unsigned char const *y, int64_t n)
{
    enum { PART = 64 };
    for (int64_t k = 0; k < n; k += PART) {
        float a[2 * PART], b[2 * PART], r[2 * PART];
        int64_t const part = tsr_min64(PART, n - k);
        TSR_COPY(a, x + 8 * k, (size_t)(8 * part));
        TSR_COPY(b, y + 8 * k, (size_t)(8 * part));
        for (int64_t i = 0; i < 2 * part; i += 2) {
            r[i] = (float)((double)a[i] * b[i] - (double)a[i + 1] * b[i + 1]);
            r[i + 1] = (float)((double)a[i] * b[i + 1] + (double)a[i + 1] * b[i]);
        }
        for (int64_t i = 0; i < 2 * part; ++i) {
            uint32_t const bits = tsr_one_nan_(r[i]);
            TSR_COPY(to + 8 * k + 4 * i, &bits, sizeof bits);
        }
    }
}

/** Products of complex numbers of doubles. Products and sums have loops of their own, which no compiler fuses. */
static void tsr_combine_products_C128_(double *to, double const *x, double const *y, int64_t n)
{
    enum { PART = 128 };
    double straight[2 * PART], cross[2 * PART];
    for (int64_t k = 0; k < 2 * n; k += 2 * PART) {
        int64_t const part = tsr_min64(2 * PART, 2 * n - k);
        for (int64_t i = 0; i < part; i += 2) {
            straight[i] = x[k + i] * y[k + i];
            straight[i + 1] = x[k + i] * y[k + i + 1];
            cross[i] = x[k + i + 1] * y[k + i + 1];
            cross[i + 1] = x[k + i + 1] * y[k + i];
        }
        for (int64_t i = 0; i < part; i += 2) {
            to[k + i] = tsr_one_nan_double_(straight[i] - cross[i]);
            to[k + i + 1] = tsr_one_nan_double_(straight[i + 1] + cross[i + 1]);
        }
    }
}
#undef TSR_IN_ANY_ORDER_

/** n elements; false: there is no such loop, nothing is done. */
static bool tsr_combine_run_of_(int op, tsr_dtype type, void *to, void const *x, void const *y, int64_t n)
{
    bool const multiplies = op == TSR_COMBINE_PRODUCT;
    switch (type) {
#define TSR_X_(id, ...)                 \
case TSR_##id:                          \
  tsr_combine_##id##_(op, to, x, y, n); \
  return true;
        TSR_COMBINED_INTEGER_LIST(TSR_X_)
        TSR_X_(BOOL, bool)
        TSR_X_(F32, float)
        TSR_X_(F64, double)
#undef TSR_X_
    case TSR_C64:
        if (multiplies)
            tsr_combine_products_C64_((unsigned char *)to, (unsigned char const *)x, (unsigned char const *)y, n);
        else
            tsr_combine_F32_(op, to, x, y, 2 * n);
        return true;
    case TSR_C128:
        if (multiplies)
            tsr_combine_products_C128_((double *)to, (double const *)x, (double const *)y, n);
        else
            tsr_combine_F64_(op, to, x, y, 2 * n);
        return true;
    default:
        return false;
    }
}

#endif
