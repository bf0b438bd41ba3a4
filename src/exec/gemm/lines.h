/** The kernels of products of a matrix and a vector, made for each set of instructions from what exec/gemm/kernel.h
 *  names: GEMM_LINES(name, T, V, lanes, ops) with ops##_LOAD, _SET, _FMA, _ADD and _PUT.
 *
 *  Law     along:   y[i] (+)= sum over k of a[i*as + k] * x[k]      lines of the matrix are along K
 *          across:  y[i] (+)= sum over k of a[i + k*as] * x[k]      and across
 *          pairs:   y[i] (+)= sum over k of a[i + k*as] * b[i + k*bs]      lines of two matrices
 *
 *  The matrix is read once. What each element of y is summed from, and in which order, does not depend on where a call
 *  begins, if rows are cut at multiples of GEMM_LINE_ROWS: threads take parts of them.
 *
 *          along    eight lines share the vectors of x, so that no sum is waited for. One line alone has eight sums.
 *                   Fewer lines at once read 10 to 20 % less in a second where memory is read.
 *          across   eight lines are added to a vector of y at once: else y is read and written as often as the matrix.
 *                   Few rows wait for each other then: narrow keeps all sums in registers.
 */
#ifndef TSR_SRC_EXEC_GEMM_LINES_H
#define TSR_SRC_EXEC_GEMM_LINES_H

#include "exec/gemm/kernel.h"

/* From so many bytes on lines come from memory, and those GEMM_LINES_AHEAD behind are asked for: by 1.1 times as fast
 * on a Zen 4, where it costs a fifth in the second cache. */
enum { GEMM_FAR_LINES = 24 << 20, GEMM_LINES_AHEAD = 1024 };

#define GEMM_ASK(lines, far, n, T, a, as)                                                            \
  if (far)                                                                                           \
    TSR_UNROLL for (int l = 0; l < lines; ++l) for (int at = 0; at < (n) * (int)sizeof(T); at += 64) \
        GEMM_PREFETCH_FAR((unsigned char const *)((a) + l * (as)) + at + GEMM_LINES_AHEAD);

/** name_part: the first n elements of a vector, the others 0. name_totals: the sums of four vectors. Where no
 *  instruction does more of it at once. */
#define GEMM_LINE_PARTS(name, T, V, lanes)                                                                         \
  GEMM_INLINE V name##_part(T const *p, int64_t n)                                                                 \
  {                                                                                                                \
    T t[lanes] = {0};                                                                                              \
    V v;                                                                                                           \
    for (int i = 0; i < (lanes); ++i)                                                                              \
      t[i] = i < n ? p[i] : 0;                                                                                     \
    memcpy(&v, t, sizeof v);                                                                                       \
    return v;                                                                                                      \
  }                                                                                                                \
  GEMM_INLINE void name##_totals(T *to, V a, V b, V c, V d)                                                        \
  {                                                                                                                \
    V const all[4] = {a, b, c, d};                                                                                 \
    TSR_UNROLL for (int i = 0; i < 4; ++i)                                                                         \
    {                                                                                                              \
      T t[lanes];                                                                                                  \
      memcpy(t, &all[i], sizeof t);                                                                                \
      TSR_UNROLL for (int w = (lanes) / 2; w > 0; w /= 2) TSR_UNROLL for (int u = 0; u < w; ++u) t[u] += t[u + w]; \
      to[i] = t[0];                                                                                                \
    }                                                                                                              \
  }

/* clang-format off */
#define GEMM_LINES(name, T, V, lanes, ops)                                                                           \
  /** Sums of `lines` lines along K, of n elements of them. */                                                       \
  GEMM_INLINE void name##_dots(int const lines, int const sums, bool const far, int64_t n, T const *a, int64_t as,   \
                               T const *x, T *y, bool add)                                                           \
  {                                                                                                                  \
    uint32_t const all = ~(uint32_t)0;                                                                               \
    V s[8][8];                                                                                                       \
    T total[8];                                                                                                      \
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
    if (i < n) {                                                                                                     \
      V const v = name##_part(x + i, n - i);                                                                         \
      TSR_UNROLL for (int l = 0; l < lines; ++l) s[l][0] = ops##_FMA(name##_part(a + l * as + i, n - i), v, s[l][0]);\
    }                                                                                                                \
    TSR_UNROLL for (int l = 0; l < lines; ++l) TSR_UNROLL for (int w = sums / 2; w > 0; w /= 2) TSR_UNROLL for (     \
        int u = 0; u < w; ++u) s[l][u] = ops##_ADD(s[l][u], s[l][u + w]);                                            \
    TSR_UNROLL for (int l = 0; l < lines; l += 4) name##_totals(total + l, s[l][0], s[(l + 1) % lines][0],           \
                                                                s[(l + 2) % lines][0], s[(l + 3) % lines][0]);       \
    TSR_UNROLL for (int l = 0; l < lines; ++l) y[l] = (add ? y[l] : 0) + total[l];                                   \
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
    for (; i + 8 <= m; i += 8)                                                                                       \
      if (far)                                                                                                       \
        name##_dots(8, 1, true, k, a + i * as, as, x, y + i, add);                                                   \
      else                                                                                                           \
        name##_dots(8, 1, false, k, a + i * as, as, x, y + i, add);                                                  \
    if (i + 4 <= m) {                                                                                                \
      name##_dots(4, 1, false, k, a + i * as, as, x, y + i, add);                                                    \
      i += 4;                                                                                                        \
    }                                                                                                                \
    for (; i < m; ++i)                                                                                               \
      name##_dots(1, 1, false, k, a + i * as, as, x, y + i, add);                                                    \
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
  }                                                                                                                  \
  /** Adds products of `lines` lines of two matrices, element by element, to m elements of y, or begins. */           \
  GEMM_INLINE void name##_products(int const lines, bool const add, int64_t m, T const *a, int64_t as, T const *b,    \
                                   int64_t bs, T *y)                                                                  \
  {                                                                                                                   \
    uint32_t const all = ~(uint32_t)0;                                                                                \
    int64_t i = 0;                                                                                                    \
    (void)all;                                                                                                        \
    for (; i + (lanes) <= m; i += (lanes)) {                                                                          \
      V s = ops##_SET(0);                                                                                             \
      if (add)                                                                                                        \
        s = ops##_LOAD(y + i, all);                                                                                   \
      TSR_UNROLL for (int l = 0; l < lines; ++l) s =                                                                  \
          ops##_FMA(ops##_LOAD(a + l * as + i, all), ops##_LOAD(b + l * bs + i, all), s);                             \
      ops##_PUT(y + i, all, s);                                                                                       \
    }                                                                                                                 \
    for (; i < m; ++i) {                                                                                              \
      T s = add ? y[i] : 0;                                                                                           \
      TSR_UNROLL for (int l = 0; l < lines; ++l) s += a[l * as + i] * b[l * bs + i];                                  \
      y[i] = s;                                                                                                       \
    }                                                                                                                 \
  }                                                                                                                   \
  static void name##_pairs(int64_t m, int64_t k, void const *pa, int64_t as, void const *pb, int64_t bs, void *py,    \
                           bool add)                                                                                  \
  {                                                                                                                   \
    T const *a = (T const *)pa, *b = (T const *)pb;                                                                   \
    T *const y = (T *)py;                                                                                             \
    if (!add) {                                                                                                       \
      name##_products(1, false, m, a, as, b, bs, y);                                                                  \
      a += as, b += bs, --k;                                                                                          \
    }                                                                                                                 \
    for (; k >= 8; k -= 8, a += 8 * as, b += 8 * bs)                                                                  \
      name##_products(8, true, m, a, as, b, bs, y);                                                                   \
    for (; k > 0; --k, a += as, b += bs)                                                                              \
      name##_products(1, true, m, a, as, b, bs, y);                                                                   \
  }                                                                                                                   \
  GEMM_INLINE V name##_some(T const *p, int64_t rest)                                                                \
  {                                                                                                                  \
    uint32_t const all = ~(uint32_t)0;                                                                               \
    (void)all;                                                                                                       \
    if (rest > 0)                                                                                                    \
      return name##_part(p, rest);                                                                                   \
    return ops##_LOAD(p, all);                                                                                       \
  }                                                                                                                  \
  /** Sums of `vectors` vectors of elements, or of the first `rest` elements of one, over all of K: four sums each. */\
  GEMM_INLINE void name##_hold(int const vectors, int64_t const rest, int64_t k, T const *a, int64_t as, T const *x, \
                               T *y, bool add)                                                                       \
  {                                                                                                                  \
    uint32_t const all = ~(uint32_t)0;                                                                               \
    V s[4][2];                                                                                                       \
    T part[2 * (lanes)] = {0};                                                                                       \
    (void)all;                                                                                                       \
    TSR_UNROLL for (int u = 0; u < 4; ++u) TSR_UNROLL for (int v = 0; v < vectors; ++v) s[u][v] = ops##_SET(0);      \
    for (; k >= 4; k -= 4, a += 4 * as, x += 4)                                                                      \
      TSR_UNROLL for (int u = 0; u < 4; ++u) TSR_UNROLL for (int v = 0; v < vectors; ++v) s[u][v] =                  \
          ops##_FMA(name##_some(a + u * as + v * (lanes), rest),            \
                    ops##_SET(x[u]), s[u][v]);                                                                       \
    for (; k > 0; --k, a += as, ++x)                                                                                 \
      TSR_UNROLL for (int v = 0; v < vectors; ++v) s[0][v] = ops##_FMA(                                              \
          name##_some(a + v * (lanes), rest), ops##_SET(x[0]), s[0][v]);             \
    TSR_UNROLL for (int v = 0; v < vectors; ++v)                                                                     \
    {                                                                                                                \
      V const w = ops##_ADD(ops##_ADD(s[0][v], s[1][v]), ops##_ADD(s[2][v], s[3][v]));                               \
      ops##_PUT(part + v * (lanes), all, w);                                                                         \
    }                                                                                                                \
    for (int64_t i = 0; i < (rest > 0 ? rest : vectors * (lanes)); ++i)                                              \
      y[i] = (add ? y[i] : 0) + part[i];                                                                             \
  }                                                                                                                  \
  static void name##_narrow(int64_t m, int64_t k, void const *pa, int64_t as, void const *px, void *py, bool add)    \
  {                                                                                                                  \
    T const *const a = (T const *)pa, *const x = (T const *)px;                                                      \
    T *const y = (T *)py;                                                                                            \
    int64_t i = 0;                                                                                                   \
    for (; i + 2 * (lanes) <= m; i += 2 * (lanes))                                                                   \
      name##_hold(2, 0, k, a + i, as, x, y + i, add);                                                                \
    if (i + (lanes) <= m) {                                                                                          \
      name##_hold(1, 0, k, a + i, as, x, y + i, add);                                                                \
      i += (lanes);                                                                                                  \
    }                                                                                                                \
    if (i < m)                                                                                                       \
      name##_hold(1, m - i, k, a + i, as, x, y + i, add);                                                            \
  }
/* clang-format on */

/** GEMM_ROW with the kernels of GEMM_LINES, and those of exec/gemm/dots.h or NULL. */
#define GEMM_LINED_ROW(name, form, lanes, columns, masks, dots, complex_dot)                                       \
  {                                                                                                                \
    FORM_##form, "", lanes, GEMM_VECTORS, columns, 0, masks, false, 1, GEMM_TILES(name), NULL, NULL, name##_alone, \
        name##_along, name##_across, name##_narrow, name##_pairs, dots, complex_dot                                \
  }

#endif
