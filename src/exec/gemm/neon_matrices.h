/** Products of bytes and of bf16 by instructions that multiply matrices: 2 rows by 2 columns, 8 bytes or 4 bf16 of K
 *  each. One makes twice as many products as one with a lane of B does (neon.c).
 *
 *  Panels are those of the other kernels. Two units of K of four rows, u and v, become two pairs of rows:
 *
 *      u0 u1 u2 u3, v0 v1 v2 v3    ->    u0 v0 u1 v1, u2 v2 u3 v3
 *
 *  and so do columns. The sums of a pair of rows and one of columns are a vector, r0c0 r0c1 r1c0 r1c1, or
 *  r0c0 r1c0 r0c1 r1c1 where B is the first operand. Columns of C are made of two such vectors at the end. Behind an
 *  odd number of units comes one of zeros.
 */
#ifndef TSR_SRC_EXEC_GEMM_NEON_MATRICES_H
#define TSR_SRC_EXEC_GEMM_NEON_MATRICES_H

/** sum + x y. */
#define MATRIX_FMA(text, sum, x, y) __asm__(text : "+w"(sum) : "w"(x), "w"(y))

/** What pairs of columns begin with, as QUAD_BEGIN and FLOAT_BEGIN of one. */
#define QUAD_PAIR(p, turned) \
  ((turned) ? vcombine_u32(vdup_n_u32((p)[0]), vdup_n_u32((p)[1])) : (ints)vdupq_n_u64(AT(uint64_t, p)))
#define FLOAT_PAIR(p, turned) ((floats){0})

/** The kernels of exec/gemm/kernel.h. The first operand of `text` is A or, `turned`, B; one column is half a pair. */
#define MATRIX_KERNELS(name, S, W, SUMS, text, turned)                                                           \
  GEMM_INLINE void name##_step(int vectors, int columns, uint32_t const *a, int64_t as, uint32_t const *b,       \
                               int64_t bs, bool both, W sum[GEMM_COLUMNS / 2][2 * GEMM_VECTORS])                 \
  {                                                                                                              \
    ints y[GEMM_COLUMNS / 2];                                                                                    \
    TSR_UNROLL for (int j = 0; j < columns; j += 4)                                                              \
    {                                                                                                            \
      ints const u = WORD_LANES(b + j, columns - j), v = both ? WORD_LANES(b + bs + j, columns - j) : (ints){0}; \
      y[j / 2] = vzip1q_u32(u, v);                                                                               \
      y[j / 2 + (columns > 2)] = columns > 2 ? vzip2q_u32(u, v) : y[j / 2];                                      \
    }                                                                                                            \
    TSR_UNROLL for (int i = 0; i < vectors; ++i)                                                                 \
    {                                                                                                            \
      ints const u = AT(ints, a + 4 * i), v = both ? AT(ints, a + as + 4 * i) : (ints){0};                       \
      ints const low = vzip1q_u32(u, v), high = vzip2q_u32(u, v);                                                \
      TSR_UNROLL for (int j = 0; j < (columns + 1) / 2; ++j)                                                     \
      {                                                                                                          \
        MATRIX_FMA(text, sum[j][2 * i], (turned) ? y[j] : low, (turned) ? low : y[j]);                           \
        MATRIX_FMA(text, sum[j][2 * i + 1], (turned) ? y[j] : high, (turned) ? high : y[j]);                     \
      }                                                                                                          \
    }                                                                                                            \
  }                                                                                                              \
  GEMM_INLINE void name##_put(int vectors, bool pair, S *c, int64_t cc, bool add, W const *sum)                  \
  {                                                                                                              \
    TSR_UNROLL for (int i = 0; i < vectors; ++i)                                                                 \
    {                                                                                                            \
      ints const low = (ints)sum[2 * i], high = (ints)sum[2 * i + 1];                                            \
      uint64x2_t const l = (uint64x2_t)low, h = (uint64x2_t)high;                                                \
      W one = (turned) ? (W)vzip1q_u64(l, h) : (W)vuzp1q_u32(low, high);                                         \
      W two = (turned) ? (W)vzip2q_u64(l, h) : (W)vuzp2q_u32(low, high);                                         \
      one = add ? one + AT(W, c + 4 * i) : one;                                                                  \
      memcpy(c + 4 * i, &one, sizeof one);                                                                       \
      if (pair) {                                                                                                \
        two = add ? two + AT(W, c + cc + 4 * i) : two;                                                           \
        memcpy(c + cc + 4 * i, &two, sizeof two);                                                                \
      }                                                                                                          \
    }                                                                                                            \
  }                                                                                                              \
  GEMM_INLINE void name##_body(int vectors, int columns, int64_t k, void const *pa, int64_t as, void const *pb,  \
                               int64_t bs, int64_t far, void *pc, int64_t cc, int64_t ahead, bool add)           \
  {                                                                                                              \
    uint32_t const *a = (uint32_t const *)pa, *b = (uint32_t const *)pb;                                         \
    S *const c = (S *)pc;                                                                                        \
    S const *next = c + ahead;                                                                                   \
    W sum[GEMM_COLUMNS / 2][2 * GEMM_VECTORS];                                                                   \
    TSR_UNROLL for (int j = 0; j < (columns + 1) / 2; ++j)                                                       \
    {                                                                                                            \
      W const begin = (W)SUMS##_PAIR(b + k * bs + 2 * j, turned);                                                \
      TSR_UNROLL for (int i = 0; i < 2 * vectors; ++i) sum[j][i] = begin;                                        \
    }                                                                                                            \
    for (int j = 0; j < columns; ++j, next += cc)                                                                \
      GEMM_PREFETCH(next);                                                                                       \
    for (; k > 1; k -= 2, a += 2 * as, b += 2 * bs) {                                                            \
      GEMM_PREFETCH_FAR(b + far);                                                                                \
      name##_step(vectors, columns, a, as, b, bs, true, sum);                                                    \
    }                                                                                                            \
    if (k > 0)                                                                                                   \
      name##_step(vectors, columns, a, as, b, bs, false, sum);                                                   \
    TSR_UNROLL for (int j = 0; j < (columns + 1) / 2; ++j)                                                       \
        name##_put(vectors, columns > 1, c + 2 * j * cc, cc, add, sum[j]);                                       \
  }                                                                                                              \
  GEMM_TILE_LIST(MATRIX_TILE, name)

#define MATRIX_TILE(name, v, n)                                                                             \
  static void name##_##v##_##n(int64_t k, void const *a, int64_t as, void const *b, int64_t bs, int64_t bc, \
                               int64_t far, void *c, int64_t cc, int64_t ahead, bool add, uint32_t mask)    \
  {                                                                                                         \
    (void)bc, (void)mask;                                                                                   \
    name##_body(v, n, k, a, as, b, bs, far, c, cc, ahead, add);                                             \
  }

#endif
