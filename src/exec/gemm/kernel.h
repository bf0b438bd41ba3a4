/** The one body of all kernels of products, and the rows that are made of it.
 *
 *  A file defines what its vectors can do and makes rows with GEMM_KERNELS(name, T, V, S, W, lanes, ops, unrolled):
 *
 *      T, V   a unit and a vector of them         S, W   a sum and a vector of them
 *      ops##_LOAD(p, mask), ops##_SET(unit)       a vector of A, one unit of B in all lanes
 *      ops##_FMA(x, y, sum)                       sum + x * y
 *      ops##_BEGIN(p)                             where the sums of a column begin: zero, or from *p behind B
 *      ops##_GET(p, mask), ops##_PUT(p, mask, w), ops##_ADD(w, w)       of C
 *      unrolled           units of K in an iteration of the widest tiles: loop control takes issue slots, too. Such
 *                         loops do not know where bc is 1: where they do, a Xeon takes 6.7 cycles for 12 products of
 *                         AVX2 from one line of memory, else 6.0
 *
 *  A file whose instructions take a unit of B from a lane of a vector writes name##_step by itself, says whether loops
 *  know that bc is 1 (name##_knows), and makes the rest with GEMM_BODIES.
 *
 *  Where a mask costs a register or instructions, a file defines GEMM_EDGES as 1. Then tiles whose last vector is whole
 *  are functions of their own, in which the mask is a constant of 32 ones.
 */
#ifndef TSR_SRC_EXEC_GEMM_KERNEL_H
#define TSR_SRC_EXEC_GEMM_KERNEL_H

#include "exec/gemm/row.h"

#if defined(__GNUC__)
#  define GEMM_INLINE static inline __attribute__((always_inline))
#  define GEMM_PREFETCH(p) __builtin_prefetch(p, 1)
#  define GEMM_PREFETCH_FAR(p) __builtin_prefetch(p, 0, 2)
#else
#  define GEMM_INLINE static inline
#  define GEMM_PREFETCH(p) ((void)(p))
#  define GEMM_PREFETCH_FAR(p) ((void)(p))
#endif

#ifndef GEMM_EDGES
#  define GEMM_EDGES 0
#endif

/* clang-format off */
/* X(name, vectors, columns): the tiles of a row. */
#define GEMM_TILE_LIST(X, name)                                                                                   \
  X(name, 1, 1)                                                                                                   \
  X(name, 1, 2) X(name, 1, 4) X(name, 1, 8) X(name, 2, 1) X(name, 2, 2) X(name, 2, 4) X(name, 2, 8) X(name, 3, 1) \
      X(name, 3, 2) X(name, 3, 4) X(name, 3, 8)
/* clang-format on */

#define GEMM_TILE_OF(name, of, v, n, mask_of)                                                             \
  static void of##_##v##_##n(int64_t k, void const *a, int64_t as, void const *b, int64_t bs, int64_t bc, \
                             int64_t far, void *c, int64_t cc, int64_t ahead, bool add, uint32_t mask)    \
  {                                                                                                       \
    (void)mask;                                                                                           \
    if (bc == 1 && ((v) * (n) < 12 || name##_knows))                                                      \
      name##_body(v, n, k, a, as, b, bs, 1, far, c, cc, ahead, add, mask_of);                             \
    else                                                                                                  \
      name##_body(v, n, k, a, as, b, bs, bc, far, c, cc, ahead, add, mask_of);                            \
  }
#define GEMM_ROWS_OF(of)                                                              \
  {of##_1_1, of##_1_2, of##_1_4, of##_1_8}, {of##_2_1, of##_2_2, of##_2_4, of##_2_8}, \
  {                                                                                   \
    of##_3_1, of##_3_2, of##_3_4, of##_3_8                                            \
  }
#if GEMM_EDGES
#  define GEMM_TILE(name, v, n) \
    GEMM_TILE_OF(name, name, v, n, ~(uint32_t)0) GEMM_TILE_OF(name, name##_edge, v, n, mask)
#  define GEMM_TILES(name)                                \
    {                                                     \
      {GEMM_ROWS_OF(name)}, { GEMM_ROWS_OF(name##_edge) } \
    }
#else
#  define GEMM_TILE(name, v, n) GEMM_TILE_OF(name, name, v, n, mask)
#  define GEMM_TILES(name)                         \
    {                                              \
      {GEMM_ROWS_OF(name)}, { GEMM_ROWS_OF(name) } \
    }
#endif

#define GEMM_KERNELS(name, T, V, S, W, lanes, ops, unrolled)                                                        \
  enum { name##_knows = (unrolled) == 1 };                                                                          \
  GEMM_INLINE void name##_step(int vectors, int columns, T const *a, T const *b, int64_t bc, uint32_t mask,         \
                               W sum[GEMM_COLUMNS][GEMM_VECTORS])                                                   \
  {                                                                                                                 \
    uint32_t const all = ~(uint32_t)0;                                                                              \
    V x[GEMM_VECTORS];                                                                                              \
    (void)all, (void)mask;                                                                                          \
    TSR_UNROLL for (int i = 0; i < vectors; ++i) x[i] = ops##_LOAD(a + i * (lanes), i + 1 == vectors ? mask : all); \
    TSR_UNROLL for (int j = 0; j < columns; ++j)                                                                    \
    {                                                                                                               \
      V const y = ops##_SET(b[j * bc]);                                                                             \
      TSR_UNROLL for (int i = 0; i < vectors; ++i) sum[j][i] = ops##_FMA(x[i], y, sum[j][i]);                       \
    }                                                                                                               \
  }                                                                                                                 \
  GEMM_BODIES(name, T, S, W, lanes, ops, unrolled)

#define GEMM_BODIES(name, T, S, W, lanes, ops, unrolled)                                                           \
  enum { name##_unrolled = (unrolled) };                                                                           \
  GEMM_INLINE void name##_body(int vectors, int columns, int64_t k, void const *pa, int64_t as, void const *pb,    \
                               int64_t bs, int64_t bc, int64_t far, void *pc, int64_t cc, int64_t ahead, bool add, \
                               uint32_t mask)                                                                      \
  {                                                                                                                \
    T const *a = (T const *)pa, *b = (T const *)pb;                                                                \
    S *const c = (S *)pc;                                                                                          \
    W sum[GEMM_COLUMNS][GEMM_VECTORS];                                                                             \
    uint32_t const all = ~(uint32_t)0;                                                                             \
    (void)all, (void)mask;                                                                                         \
    TSR_UNROLL for (int j = 0; j < columns; ++j)                                                                   \
    {                                                                                                              \
      W const begin = ops##_BEGIN(b + k * bs + j);                                                                 \
      TSR_UNROLL for (int i = 0; i < vectors; ++i) sum[j][i] = begin;                                              \
    }                                                                                                              \
    S const *next = c + ahead;                                                                                     \
    int const steps = vectors * columns >= 12 ? name##_unrolled : 1;                                               \
    int64_t step = cc, head = steps > 1 && k > columns ? columns + (k - columns) % steps : k;                      \
    k -= head;                                                                                                     \
    for (int64_t left = columns; head > 0; --head, a += as, b += bs) {                                             \
      TSR_UNROLL for (int i = 0; i < vectors; ++i) GEMM_PREFETCH(next + i * (lanes));                              \
      if (steps == 1)                                                                                              \
        GEMM_PREFETCH_FAR(b + far);                                                                                \
      step = --left > 0 ? step : 0;                                                                                \
      next += step;                                                                                                \
      name##_step(vectors, columns, a, b, bc, mask, sum);                                                          \
    }                                                                                                              \
    for (; k > 0; k -= steps) {                                                                                    \
      TSR_UNROLL for (int u = 0; u < steps; ++u, a += as, b += bs)                                                 \
      {                                                                                                            \
        if (u * columns * (int)sizeof(T) % 64 == 0)                                                                \
          GEMM_PREFETCH_FAR(b + far);                                                                              \
        name##_step(vectors, columns, a, b, bc, mask, sum);                                                        \
      }                                                                                                            \
    }                                                                                                              \
    if (add)                                                                                                       \
      TSR_UNROLL for (int j = 0; j < columns; ++j) TSR_UNROLL for (int i = 0; i < vectors; ++i) sum[j][i] =        \
          ops##_ADD(sum[j][i], ops##_GET(c + j * cc + i * (lanes), i + 1 == vectors ? mask : all));                \
    TSR_UNROLL for (int j = 0; j < columns; ++j) TSR_UNROLL for (int i = 0; i < vectors; ++i)                      \
        ops##_PUT(c + j * cc + i * (lanes), i + 1 == vectors ? mask : all, sum[j][i]);                             \
  }                                                                                                                \
  GEMM_TILE_LIST(GEMM_TILE, name)

/** The row of kernels of that name; one with fewer columns has the widest it uses in the place of the wider ones. */
#define GEMM_ROW(name, form, needs, lanes, columns, masks) \
  GEMM_ROW_OF(name, form, needs, lanes, columns, masks, false)
#define GEMM_ROW_OF(name, form, needs, lanes, columns, masks, panels)                                                \
  {                                                                                                                  \
    FORM_##form, needs, lanes, GEMM_VECTORS, columns, 0, masks, panels, 1, GEMM_TILES(name), NULL, NULL, NULL, NULL, \
        NULL, NULL, NULL, NULL, NULL                                                                                 \
  }

#endif
