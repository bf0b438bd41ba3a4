/** The kernels of products of a matrix and a vector, made for each set of instructions from what exec/gemm/kernel.h
 *  names: GEMM_LINES(name, T, V, lanes, ops) with ops##_LOAD, _SET, _FMA, _ADD and _PUT.
 *
 *  Law     along:   y[i] (+)= sum over k of a[i*as + k] * x[k]      lines of the matrix are along K
 *          across:  y[i] (+)= sum over k of a[i + k*as] * x[k]      and across
 *
 *  The matrix is read once. What each element of y is summed from, and in which order, does not depend on where a call
 *  begins, if rows are cut at multiples of GEMM_LINE_ROWS: threads take parts of them.
 *
 *          along    four lines share the vectors of x; each has two sums, so that no sum is waited for. One line alone
 *                   has eight.
 *          across   eight lines are added to a vector of y at once: else y is read and written as often as the matrix.
 */
#ifndef TSR_SRC_EXEC_GEMM_LINES_H
#define TSR_SRC_EXEC_GEMM_LINES_H

#include "exec/gemm/kernel.h"

/* From so many bytes on lines come from memory, and those GEMM_LINES_AHEAD behind are asked for: by 1.1 times as fast
 * on a Zen 4, where it costs a fifth in the second cache. */
enum { GEMM_FAR_LINES = 6 << 20, GEMM_LINES_AHEAD = 1024 };

#define GEMM_ASK(lines, far, n, T, a, as)                                                            \
  if (far)                                                                                           \
    TSR_UNROLL for (int l = 0; l < lines; ++l) for (int at = 0; at < (n) * (int)sizeof(T); at += 64) \
        GEMM_PREFETCH_FAR((unsigned char const *)((a) + l * (as)) + at + GEMM_LINES_AHEAD);

/* clang-format off */
#define GEMM_LINES(name, T, V, lanes, ops)                                                                           \
  /** Sums of `lines` lines along K, of n elements of them. */                                                       \
  GEMM_INLINE void name##_dots(int const lines, int const sums, bool const far, int64_t n, T const *a, int64_t as,   \
                               T const *x, T *y, bool add)                                                           \
  {                                                                                                                  \
    uint32_t const all = ~(uint32_t)0;                                                                               \
    V s[4][8];                                                                                                       \
    T rest[4] = {0, 0, 0, 0}, part[lanes];                                                                           \
    int64_t i = 0;                                                                                                   \
    (void)all;                                                                                                       \
    TSR_UNROLL for (int l = 0; l < lines; ++l) TSR_UNROLL for (int u = 0; u < sums; ++u) s[l][u] = ops##_SET(0);     \
    for (; i + sums * (lanes) <= n; i += sums * (lanes)) {                                                           \
      GEMM_ASK(lines, far, sums * (lanes), T, a + i, as)                                                             \
      TSR_UNROLL for (int u = 0; u < sums; ++u)                                                                      \
      {                                                                                                              \
        V const v = ops##_LOAD(x + i + u * (lanes), all);                                                            \
        TSR_UNROLL for (int l = 0; l < lines; ++l) s[l][u] =                                                         \
            ops##_FMA(ops##_LOAD(a + l * as + i + u * (lanes), all), v, s[l][u]);                                    \
      }                                                                                                              \
    }                                                                                                                \
    for (; i + (lanes) <= n; i += (lanes))                                                                           \
      TSR_UNROLL for (int l = 0; l < lines; ++l) s[l][0] =                                                           \
          ops##_FMA(ops##_LOAD(a + l * as + i, all), ops##_LOAD(x + i, all), s[l][0]);                               \
    for (; i < n; ++i)                                                                                               \
      TSR_UNROLL for (int l = 0; l < lines; ++l) rest[l] += a[l * as + i] * x[i];                                    \
    TSR_UNROLL for (int l = 0; l < lines; ++l)                                                                       \
    {                                                                                                                \
      TSR_UNROLL for (int w = sums / 2; w > 0; w /= 2) TSR_UNROLL for (int u = 0; u < w; ++u) s[l][u] =              \
          ops##_ADD(s[l][u], s[l][u + w]);                                                                           \
      ops##_PUT(part, all, s[l][0]);                                                                                 \
      TSR_UNROLL for (int w = (lanes) / 2; w > 0; w /= 2) TSR_UNROLL for (int u = 0; u < w; ++u) part[u] =           \
          part[u] + part[u + w];                                                                                     \
      y[l] = (add ? y[l] : 0) + (part[0] + rest[l]);                                                                 \
    }                                                                                                                \
  }                                                                                                                  \
  static void name##_alone(int64_t m, int64_t k, void const *a, int64_t as, void const *x, void *y, bool add)        \
  {                                                                                                                  \
    (void)m;                                                                                                         \
    name##_dots(1, 8, false, k, (T const *)a, as, (T const *)x, (T *)y, add);                                        \
  }                                                                                                                  \
  static void name##_along(int64_t m, int64_t k, void const *pa, int64_t as, void const *px, void *py, bool add)     \
  {                                                                                                                  \
    T const *const a = (T const *)pa, *const x = (T const *)px;                                                      \
    T *const y = (T *)py;                                                                                            \
    int64_t i = 0;                                                                                                   \
    bool const far = m * k * (int64_t)sizeof(T) >= GEMM_FAR_LINES;                                                   \
    for (; i + 4 <= m; i += 4)                                                                                       \
      if (far)                                                                                                       \
        name##_dots(4, 2, true, k, a + i * as, as, x, y + i, add);                                                   \
      else                                                                                                           \
        name##_dots(4, 2, false, k, a + i * as, as, x, y + i, add);                                                  \
    for (; i < m; ++i)                                                                                               \
      name##_dots(1, 2, false, k, a + i * as, as, x, y + i, add);                                                    \
  }                                                                                                                  \
  /** Adds `lines` lines across K to m elements of y, or begins with them. */                                        \
  GEMM_INLINE void name##_sums(int const lines, bool const add, bool const far, int64_t m, T const *a,               \
                               int64_t as, T const *x, T *y)                                                         \
  {                                                                                                                  \
    uint32_t const all = ~(uint32_t)0;                                                                               \
    V f[8];                                                                                                          \
    int64_t i = 0;                                                                                                   \
    (void)all;                                                                                                       \
    TSR_UNROLL for (int l = 0; l < lines; ++l) f[l] = ops##_SET(x[l]);                                               \
    for (; i + (lanes) <= m; i += (lanes)) {                                                                         \
      GEMM_ASK(lines, far, lanes, T, a + i, as)                                                                      \
      V s = ops##_SET(0);                                                                                            \
      if (add)                                                                                                       \
        s = ops##_LOAD(y + i, all);                                                                                  \
      TSR_UNROLL for (int l = 0; l < lines; ++l) s = ops##_FMA(ops##_LOAD(a + l * as + i, all), f[l], s);            \
      ops##_PUT(y + i, all, s);                                                                                      \
    }                                                                                                                \
    for (; i < m; ++i) {                                                                                             \
      T s = add ? y[i] : 0;                                                                                          \
      TSR_UNROLL for (int l = 0; l < lines; ++l) s += a[l * as + i] * x[l];                                          \
      y[i] = s;                                                                                                      \
    }                                                                                                                \
  }                                                                                                                  \
  static void name##_across(int64_t m, int64_t k, void const *pa, int64_t as, void const *px, void *py, bool add)    \
  {                                                                                                                  \
    T const *a = (T const *)pa, *x = (T const *)px;                                                                  \
    T *const y = (T *)py;                                                                                            \
    bool const far = m * k * (int64_t)sizeof(T) >= GEMM_FAR_LINES;                                                   \
    if (!add && k >= 8) {                                                                                            \
      name##_sums(8, false, false, m, a, as, x, y);                                                                  \
      a += 8 * as, x += 8, k -= 8;                                                                                   \
    } else if (!add) {                                                                                               \
      name##_sums(0, false, false, m, a, as, x, y);                                                                  \
    }                                                                                                                \
    for (; k >= 8; k -= 8, a += 8 * as, x += 8)                                                                      \
      if (far)                                                                                                       \
        name##_sums(8, true, true, m, a, as, x, y);                                                                  \
      else                                                                                                           \
        name##_sums(8, true, false, m, a, as, x, y);                                                                 \
    for (; k >= 2; k -= 2, a += 2 * as, x += 2)                                                                      \
      name##_sums(2, true, false, m, a, as, x, y);                                                                   \
    if (k == 1)                                                                                                      \
      name##_sums(1, true, false, m, a, as, x, y);                                                                   \
  }
/* clang-format on */

/** GEMM_ROW with the kernels of GEMM_LINES. */
#define GEMM_LINED_ROW(name, form, lanes, columns, masks)       \
  {                                                             \
    FORM_##form, "", lanes, GEMM_VECTORS, columns, 0, masks, 1, \
        {                                                       \
            {name##_1_1, name##_1_2, name##_1_4, name##_1_8},   \
            {name##_2_1, name##_2_2, name##_2_4, name##_2_8},   \
            {name##_3_1, name##_3_2, name##_3_4, name##_3_8},   \
        },                                                      \
        NULL, NULL, name##_alone, name##_along, name##_across   \
  }

#endif
