/** Zipping, scattering and converting for products: compiled once for each set of instructions. */
#include "exec/gemm/dots.h"

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
GEMM_SCATTER(gemm_scatter_long, uint64_t)

/** bf16 from float: to the nearest, ties to even; NaN is the quiet one. */
GEMM_INLINE uint16_t gemm_round_bf16(uint32_t x)
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
        GEMM_CONVERT(uint16_t, uint32_t, gemm_round_bf16(f[i]))
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

/** GEMM_SCATTER for a C of 16 bits: numbers are added in f32 and rounded once. PUT(p, from, n, add) does a run. */
#define GEMM_SCATTER_ROUNDED(name, PUT)                                                                   \
  static void name(unsigned char *c, int64_t const *row, int const *run, int rows, int64_t const *column, \
                   int columns, void const *tile, int64_t ld, bool add)                                   \
  {                                                                                                       \
    for (int j = 0; j < columns; ++j) {                                                                   \
      uint16_t *const to = (uint16_t *)(void *)c + column[j];                                             \
      float const *const from = (float const *)tile + j * ld;                                             \
      for (int i = 0, n = 0; i < rows; i += n) {                                                          \
        n = run[i] < rows - i ? run[i] : rows - i;                                                        \
        PUT(to + row[i], from + i, n, add);                                                               \
      }                                                                                                   \
    }                                                                                                     \
  }

#ifndef GEMM_PUT_BF16
#  define GEMM_PUT_BF16 gemm_put_bf16
GEMM_INLINE void gemm_put_bf16(uint16_t *TSR_RESTRICT p, float const *TSR_RESTRICT from, int n, bool add)
{
    for (int i = 0; i < n; ++i) {
        uint32_t x = (uint32_t)p[i] << 16;
        float sum = 0;
        memcpy(&sum, &x, 4);
        sum = add ? sum + from[i] : from[i];
        memcpy(&x, &sum, 4);
        p[i] = gemm_round_bf16(x);
    }
}
#endif
GEMM_SCATTER_ROUNDED(gemm_scatter_bf16, GEMM_PUT_BF16)

#ifdef GEMM_HALVES
GEMM_INLINE void gemm_put_halves(uint16_t *p, float const *from, int n, bool add)
{
    float sum[GEMM_ROWS];
    if (add)
        gemm_from_halves(sum, p, n);
    for (int i = 0; add && i < n; ++i)
        sum[i] += from[i];
    gemm_to_halves(p, add ? sum : from, n);
}
GEMM_SCATTER_ROUNDED(gemm_scatter_half, gemm_put_halves)
#else
#  define gemm_scatter_half NULL
#endif

#define GEMM_TABLE(rows)                                                                                    \
  {                                                                                                         \
    rows, (int)(sizeof(rows) / sizeof(rows)[0]), gemm_scatter_float, gemm_scatter_double, gemm_scatter_int, \
        gemm_scatter_long, gemm_scatter_bf16, gemm_scatter_half, gemm_zip_pairs, gemm_zip_quads,            \
        gemm_convert_side_by_side                                                                           \
  }
