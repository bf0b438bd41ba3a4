/** Gathering, zipping and scattering for products: compiled once for each set of instructions.
 *
 *  The file that includes this one has said how large a block is transposed at once, in bytes of a vector
 *  (GEMM_BLOCK_BYTES: 32, 16, or 0 for none).
 */
#include "exec/gemm_kernel.h"

/** Copies n bytes that do not overlap, few of them. */
GEMM_INLINE void gemm_copy(unsigned char *to, unsigned char const *from, int64_t n)
{
#define COPY(bytes)                    \
  for (; n >= (bytes); n -= (bytes)) { \
    TSR_COPY(to, from, bytes);         \
    to += (bytes);                     \
    from += (bytes);                   \
  }
    COPY(64) COPY(16) COPY(4) COPY(1)
#undef COPY
}

#if GEMM_BLOCK_BYTES > 0
#  if defined(__clang__)
#    define GEMM_SHUFFLE(V, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#  else
#    define GEMM_SHUFFLE(V, a, b, ...) __builtin_shuffle(a, b, (V){__VA_ARGS__})
#  endif

/* Rows h apart exchange what lies h lanes off the diagonal. */
#  define GEMM_EXCHANGE(V, h, n, low, high)                 \
    TSR_UNROLL for (int i = 0; i < (n); ++i)                \
    {                                                       \
      if ((i & (h)) == 0) {                                 \
        V const x = v[i], y = v[i + (h)];                   \
        v[i] = GEMM_SHUFFLE(V, x, y, GEMM_LIST low);        \
        v[i + (h)] = GEMM_SHUFFLE(V, x, y, GEMM_LIST high); \
      }                                                     \
    }
#  define GEMM_LIST(...) __VA_ARGS__
#  define GEMM_STEPS_8(V)                                                            \
    GEMM_EXCHANGE(V, 4, 8, (0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15)) \
    GEMM_EXCHANGE(V, 2, 8, (0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15)) \
    GEMM_EXCHANGE(V, 1, 8, (0, 8, 2, 10, 4, 12, 6, 14), (1, 9, 3, 11, 5, 13, 7, 15))
#  define GEMM_STEPS_4(V)                              \
    GEMM_EXCHANGE(V, 2, 4, (0, 1, 4, 5), (2, 3, 6, 7)) \
    GEMM_EXCHANGE(V, 1, 4, (0, 4, 2, 6), (1, 5, 3, 7))
#  define GEMM_STEPS_2(V) GEMM_EXCHANGE(V, 1, 2, (0, 2), (1, 3))

/** n rows of n elements along K become n rows of n elements along the panel. */
#  define GEMM_TRANSPOSE(name, T, n)                                                                         \
    typedef T name##_vector __attribute__((vector_size((n) * sizeof(T))));                                   \
    GEMM_INLINE void name(unsigned char *to, int64_t width, unsigned char const *source, int64_t const *row) \
    {                                                                                                        \
      name##_vector v[n];                                                                                    \
      TSR_UNROLL for (int i = 0; i < (n); ++i) TSR_COPY(&v[i], source + row[i], sizeof v[i]);                \
      GEMM_STEPS_##n(name##_vector) TSR_UNROLL for (int i = 0; i < (n); ++i)                                 \
          TSR_COPY(to + i * width * (int64_t)sizeof(T), &v[i], sizeof v[i]);                                 \
    }
#  if GEMM_BLOCK_BYTES == 32
GEMM_TRANSPOSE(gemm_transpose_4, int32_t, 8)
GEMM_TRANSPOSE(gemm_transpose_8, int64_t, 4)
#  else
GEMM_TRANSPOSE(gemm_transpose_4, int32_t, 4)
GEMM_TRANSPOSE(gemm_transpose_8, int64_t, 2)
#  endif
#endif

/** Columns of a panel one by one: what lies side by side is copied, the rest goes element by element. */
#define GEMM_GATHER(name, T)                                                                                    \
  static void name(unsigned char *to, int64_t width, unsigned char const *source, int64_t const *row, int rows, \
                   int64_t const *step, int64_t k)                                                              \
  {                                                                                                             \
    int64_t const size = (int64_t)sizeof(T);                                                                    \
    int run[GEMM_ROWS];                                                                                         \
    gemm_runs(row, size, rows, run);                                                                            \
    for (int64_t x = 0; x < k; ++x, to += width * size) {                                                       \
      unsigned char const *const from = source + step[x];                                                       \
      for (int i = 0; i < rows; i += run[i]) {                                                                  \
        if (run[i] == 1)                                                                                        \
          TSR_COPY(to + i * size, from + row[i], sizeof(T));                                                    \
        else                                                                                                    \
          gemm_copy(to + i * size, from + row[i], run[i] * size);                                               \
      }                                                                                                         \
    }                                                                                                           \
  }

GEMM_GATHER(gemm_gather_1, uint8_t)
GEMM_GATHER(gemm_gather_2, uint16_t)
GEMM_GATHER(gemm_gather_4, uint32_t)
GEMM_GATHER(gemm_gather_8, uint64_t)
GEMM_GATHER(gemm_gather_16, uint64_t[2])

#if GEMM_BLOCK_BYTES > 0
/** The same by blocks of n by n, where K runs through neighbours and the rows do not. */
#  define GEMM_MOVE(name, gather, transpose, T, n)                                                                \
    static void name(unsigned char *to, int64_t width, unsigned char const *source, int64_t const *row, int rows, \
                     int64_t const *step, int64_t k)                                                              \
    {                                                                                                             \
      int64_t const size = (int64_t)sizeof(T);                                                                    \
      bool const blocks = rows >= (n) && row[1] != row[0] + size;                                                 \
      int const whole = rows / (n) * (n);                                                                         \
      for (int64_t x = 0, count = 0; x < k; x += count, to += count * width * size) {                             \
        bool const block = blocks && x + (n) <= k && gemm_is_run(step + x, size, n);                              \
        count = block ? (n) : blocks ? 1 : k - x;                                                                 \
        for (int i = 0; block && i < whole; i += (n))                                                             \
          transpose(to + i * size, width, source + step[x], row + i);                                             \
        if (!block)                                                                                               \
          gather(to, width, source, row, rows, step + x, count);                                                  \
        else if (whole < rows)                                                                                    \
          gather(to + whole * size, width, source, row + whole, rows - whole, step + x, n);                       \
      }                                                                                                           \
    }
GEMM_MOVE(gemm_move_4, gemm_gather_4, gemm_transpose_4, uint32_t, GEMM_BLOCK_BYTES / 4)
GEMM_MOVE(gemm_move_8, gemm_gather_8, gemm_transpose_8, uint64_t, GEMM_BLOCK_BYTES / 8)
#else
#  define gemm_move_4 gemm_gather_4
#  define gemm_move_8 gemm_gather_8
#endif

#define GEMM_ZIP(name, T, group)                                                           \
  static void name(unsigned char *to, unsigned char const *from, int64_t width, int64_t k) \
  {                                                                                        \
    uint32_t *unit = (uint32_t *)(void *)to;                                               \
    T const *x = (T const *)(void const *)from;                                            \
    for (int64_t i = 0; i < k; i += (group), unit += width, x += (group)*width)            \
      for (int64_t r = 0; r < width; ++r) {                                                \
        uint32_t u = 0;                                                                    \
        for (int g = 0; g < (group); ++g)                                                  \
          u |= (uint32_t)x[g * width + r] << (g * (32 / (group)));                         \
        unit[r] = u;                                                                       \
      }                                                                                    \
  }
GEMM_ZIP(gemm_zip_pairs, uint16_t, 2)
GEMM_ZIP(gemm_zip_quads, uint8_t, 4)

#ifndef GEMM_ADD_RUN
#  define GEMM_ADD_RUN(S, p, from, n) \
    for (int x = 0; x < n; ++x)       \
      (p)[x] = (S)((p)[x] + (from)[x]);
#endif

#define GEMM_SCATTER(name, S)                                                                             \
  static void name(unsigned char *c, int64_t const *row, int const *run, int rows, int64_t const *column, \
                   int columns, void const *tile, int64_t ld, bool add)                                   \
  {                                                                                                       \
    for (int j = 0; j < columns; ++j) {                                                                   \
      S *const to = (S *)(void *)c + column[j];                                                           \
      S const *const from = (S const *)tile + j * ld;                                                     \
      for (int i = 0, n = 0; i < rows; i += n) {                                                          \
        S *const TSR_RESTRICT p = to + row[i];                                                            \
        n = run[i] < rows - i ? run[i] : rows - i;                                                        \
        if (n == 1)                                                                                       \
          *p = (S)((add ? *p : 0) + from[i]);                                                             \
        else if (add)                                                                                     \
          GEMM_ADD_RUN(S, p, from + i, n)                                                                 \
        else                                                                                              \
          TSR_COPY(p, from + i, (size_t)n * sizeof(S));                                                   \
      }                                                                                                   \
    }                                                                                                     \
  }
GEMM_SCATTER(gemm_scatter_float, float)
GEMM_SCATTER(gemm_scatter_double, double)
GEMM_SCATTER(gemm_scatter_int, uint32_t)

/** bf16 from float: to the nearest, ties to even; NaN is the quiet one. */
GEMM_INLINE uint16_t gemm_brain(uint32_t x)
{
    uint32_t const rounded = (x + 0x7fff + (x >> 16 & 1)) >> 16, nan = (x >> 16 & 0x8000) | 0x7fc0;
    return (uint16_t)((x & 0x7fffffff) > 0x7f800000 ? nan : rounded);
}

#define GEMM_CONVERT(T, F, expression)  \
  {                                     \
    T *const t = (T *)to;               \
    F const *const f = (F const *)from; \
    for (int64_t i = 0; i < n; ++i)     \
      t[i] = (T)(expression);           \
    return true;                        \
  }

/** What panels and tiles are converted to and from most. The including file may know halves: GEMM_HALVES, with
 *  gemm_from_halves(to, from, n) and gemm_to_halves(to, from, n). */
static bool gemm_convert_side_by_side(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from, int64_t n)
{
    switch ((uint32_t)to_type << 16 | from_type) {
        case (uint32_t)TSR_F32 << 16 | TSR_BF16:
            GEMM_CONVERT(uint32_t, uint16_t, (uint32_t)f[i] << 16)
        case (uint32_t)TSR_BF16 << 16 | TSR_F32:
            GEMM_CONVERT(uint16_t, uint32_t, gemm_brain(f[i]))
        case (uint32_t)TSR_I16 << 16 | TSR_I8:
            GEMM_CONVERT(int16_t, int8_t, f[i])
        case (uint32_t)TSR_I16 << 16 | TSR_U8:
            GEMM_CONVERT(int16_t, uint8_t, f[i])
        case (uint32_t)TSR_F64 << 16 | TSR_I32:
            GEMM_CONVERT(double, int32_t, f[i])
        case (uint32_t)TSR_F64 << 16 | TSR_F32:
            GEMM_CONVERT(double, float, f[i])
        case (uint32_t)TSR_F32 << 16 | TSR_F64:
            GEMM_CONVERT(float, double, f[i])
#ifdef GEMM_HALVES
        case (uint32_t)TSR_F32 << 16 | TSR_F16:
            gemm_from_halves((float *)to, (uint16_t const *)from, n);
            return true;
        case (uint32_t)TSR_F16 << 16 | TSR_F32:
            gemm_to_halves((uint16_t *)to, (float const *)from, n);
            return true;
#endif
        default:
            return false;
    }
}

#define GEMM_TABLE(rows)                                                                                 \
  {                                                                                                      \
    rows, (int)(sizeof(rows) / sizeof(rows)[0]),                                                         \
        {gemm_gather_1, gemm_gather_2, gemm_move_4, gemm_move_8, gemm_gather_16}, gemm_scatter_float,    \
        gemm_scatter_double, gemm_scatter_int, gemm_zip_pairs, gemm_zip_quads, gemm_convert_side_by_side \
  }
