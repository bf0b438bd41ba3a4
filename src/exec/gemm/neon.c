/** Products by NEON, in tiles of 3 vectors by 8 columns: 24 sums in 32 registers. A unit of B is a lane of a vector of
 *  them: 12 by 8 floats take 24 instructions that multiply and 5 registers that are loaded. */
#include "exec/gemm/row.h"
#include "exec/neon.h"

#if TSR_NEON
#  include <arm_neon.h>
#  include <string.h>

#  define GEMM_HALVES 4

static void gemm_from_halves(float *t, uint16_t const *f, int64_t n)
{
    int64_t i = 0;
    for (; i + GEMM_HALVES <= n; i += GEMM_HALVES)
        vst1q_f32(t + i, vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(f + i))));
    for (; i < n; ++i)
        t[i] = vgetq_lane_f32(vcvt_f32_f16(vreinterpret_f16_u16(vdup_n_u16(f[i]))), 0);
}

static void gemm_to_halves(uint16_t *t, float const *f, int64_t n)
{
    int64_t i = 0;
    for (; i + GEMM_HALVES <= n; i += GEMM_HALVES)
        vst1_u16(t + i, vreinterpret_u16_f16(vcvt_f16_f32(vld1q_f32(f + i))));
    for (; i < n; ++i)
        t[i] = vget_lane_u16(vreinterpret_u16_f16(vcvt_f16_f32(vdupq_n_f32(f[i]))), 0);
}

#  include "exec/gemm/move.h"

typedef float32x4_t floats;
typedef float64x2_t doubles;
typedef uint32x4_t ints;

/** The vector, or the number, at p. */
#  define AT(V, p)         \
    __extension__({        \
  V v;                     \
  memcpy(&v, p, sizeof v); \
  v;                       \
    })

/** A vector that begins with x. gcc knows none but with zeros behind, which take it an instruction. */
#  if defined(__clang__)
#    define FIRST(V, x)         \
      __extension__({           \
  V v = {0};                    \
  __typeof__(x) const in = (x); \
  memcpy(&v, &in, sizeof in);   \
  v;                            \
      })
#  else
#    define FIRST(V, x)           \
      __extension__({             \
  V v;                            \
  __asm__("" : "=w"(v) : "0"(x)); \
  v;                              \
      })
#  endif

/* NAME_LANES(p, n): the next n units of B, none behind these, or the next ones of a vector where n are more. */
#  define WORD_LANES(p, n) \
    ((n) >= 4 ? AT(ints, p) : (n) >= 2 ? FIRST(ints, AT(uint64_t, p)) : FIRST(ints, AT(uint32_t, p)))
#  define FLOAT_LANES(p, n) ((floats)WORD_LANES(p, n))
#  define DOUBLE_LANES(p, n) ((n) >= 2 ? AT(doubles, p) : FIRST(doubles, *(p)))

/* NAME_FMA(x, y, lane, sum): sum + x * y[lane]. By name, because of functions with a lane that more than one vector is
 * multiplied by, gcc makes a vector of that lane. */
#  define LANE(text, lane)                                        \
  case lane:                                                      \
    __asm__(text "[" #lane "]" : "+w"(r) : "w"(in_x), "w"(in_y)); \
    break;
#  define TWO(text) LANE(text, 0) LANE(text, 1)
#  define FOUR(text) TWO(text) LANE(text, 2) LANE(text, 3)
#  define BY_LANE(LANES, x, y, lane, sum) \
    __extension__({                       \
  __typeof__(sum) r = (sum);              \
  __typeof__(x) const in_x = (x);         \
  __typeof__(y) const in_y = (y);         \
  switch (lane) {                         \
    LANES                                 \
  default:                                \
    break;                                \
  }                                       \
  r;                                      \
    })
#  define FLOAT_FMA(x, y, lane, sum) BY_LANE(FOUR("fmla %0.4s, %1.4s, %2.s"), x, y, lane, sum)
#  define DOUBLE_FMA(x, y, lane, sum) BY_LANE(TWO("fmla %0.2d, %1.2d, %2.d"), x, y, lane, sum)
#  define INT_FMA(x, y, lane, sum) BY_LANE(FOUR("mla %0.4s, %1.4s, %2.s"), x, y, lane, sum)
#  define SIGNED_FMA(x, y, lane, sum) BY_LANE(FOUR("sdot %0.4s, %1.16b, %2.4b"), x, y, lane, sum)
#  define UNSIGNED_FMA(x, y, lane, sum) BY_LANE(FOUR("udot %0.4s, %1.16b, %2.4b"), x, y, lane, sum)

#  define FLOAT_BEGIN(p) ((floats){0})
#  define FLOAT_GET(p, mask) AT(floats, p)
#  define FLOAT_PUT(p, mask, w) memcpy(p, &w, sizeof w)
#  define FLOAT_ADD(a, b) ((a) + (b))
#  define DOUBLE_BEGIN(p) ((doubles){0})
#  define DOUBLE_GET(p, mask) AT(doubles, p)
#  define DOUBLE_PUT FLOAT_PUT
#  define DOUBLE_ADD FLOAT_ADD
#  define INT_BEGIN(p) ((ints){0})
#  define INT_GET(p, mask) AT(ints, p)
#  define INT_PUT FLOAT_PUT
#  define INT_ADD FLOAT_ADD
#  define QUAD_BEGIN(p) vdupq_n_u32(*(p))
#  define QUAD_GET INT_GET
#  define QUAD_PUT INT_PUT
#  define QUAD_ADD INT_ADD

/** The kernels of exec/gemm/kernel.h: T and V are a unit and a vector of them, S and W of sums. */
#  define LANE_KERNELS(name, T, V, S, W, lanes, UNITS, FMA, SUMS)                                             \
    enum { name##_knows = 1 };                                                                                \
    GEMM_INLINE void name##_step(int vectors, int columns, T const *a, T const *b, int64_t bc, uint32_t mask, \
                                 W sum[GEMM_COLUMNS][GEMM_VECTORS])                                           \
    {                                                                                                         \
      V x[GEMM_VECTORS], y = {0};                                                                             \
      (void)mask;                                                                                             \
      TSR_UNROLL for (int i = 0; i < vectors; ++i) x[i] = AT(V, a + i * (lanes));                             \
      TSR_UNROLL for (int j = 0; j < columns; ++j)                                                            \
      {                                                                                                       \
        int const lane = bc == 1 ? j % (lanes) : 0, left = bc == 1 ? columns - j : 1;                         \
        if (lane == 0)                                                                                        \
          y = UNITS##_LANES(b + j * bc, left);                                                                \
        TSR_UNROLL for (int i = 0; i < vectors; ++i) sum[j][i] = FMA##_FMA(x[i], y, lane, sum[j][i]);         \
      }                                                                                                       \
    }                                                                                                         \
    GEMM_BODIES(name, T, S, W, lanes, SUMS, 4)

LANE_KERNELS(float_tile, float, floats, float, floats, 4, FLOAT, FLOAT, FLOAT)
LANE_KERNELS(double_tile, double, doubles, double, doubles, 2, DOUBLE, DOUBLE, DOUBLE)
LANE_KERNELS(int_tile, uint32_t, ints, uint32_t, ints, 4, WORD, INT, INT)
#  include "exec/target_dots.h"
LANE_KERNELS(signed_tile, uint32_t, ints, uint32_t, ints, 4, WORD, SIGNED, QUAD)
LANE_KERNELS(unsigned_tile, uint32_t, ints, uint32_t, ints, 4, WORD, UNSIGNED, QUAD)
#  include "exec/gemm/neon_matrices.h"
MATRIX_KERNELS(signed_matrix, uint32_t, ints, QUAD, "smmla %0.4s, %1.16b, %2.16b", false)
MATRIX_KERNELS(unsigned_matrix, uint32_t, ints, QUAD, "ummla %0.4s, %1.16b, %2.16b", false)
MATRIX_KERNELS(mixed_matrix, uint32_t, ints, QUAD, "usmmla %0.4s, %1.16b, %2.16b", false)
MATRIX_KERNELS(turned_matrix, uint32_t, ints, QUAD, "usmmla %0.4s, %1.16b, %2.16b", true)
MATRIX_KERNELS(bf16_matrix, float, floats, FLOAT, "bfmmla %0.4s, %1.8h, %2.8h", false)
#  include "exec/target_end.h"

/* By vectors alone (exec/gemm/lines.h). */
#  define FLOATS_LOAD(p, mask) AT(floats, p)
#  define FLOATS_SET(x) ((floats){x, x, x, x})
#  define FLOATS_FMA(x, y, sum) ((floats)vfmaq_f32((float32x4_t)(sum), (float32x4_t)(x), (float32x4_t)(y)))
#  define FLOATS_ADD FLOAT_ADD
#  define FLOATS_PUT(p, mask, w) FLOAT_PUT(p, mask, w)
#  define DOUBLES_LOAD(p, mask) AT(doubles, p)
#  define DOUBLES_SET(x) ((doubles){x, x})
#  define DOUBLES_FMA(x, y, sum) ((doubles)vfmaq_f64((float64x2_t)(sum), (float64x2_t)(x), (float64x2_t)(y)))
#  define DOUBLES_ADD FLOAT_ADD
#  define DOUBLES_PUT(p, mask, w) FLOAT_PUT(p, mask, w)
GEMM_LINE_PARTS(float_tile, float, floats, 4)
GEMM_LINE_PARTS(double_tile, double, doubles, 2)
GEMM_LINES(float_tile, float, floats, 4, FLOATS)
GEMM_LINES(double_tile, double, doubles, 2, DOUBLES)

static gemm_row const rows[] = {
    GEMM_LINED_ROW(float_tile, F32, 4, 8, false, NULL, NULL),
    GEMM_LINED_ROW(double_tile, F64, 2, 8, false, NULL, NULL),
    GEMM_ROW_OF(bf16_matrix, BF16, "bf16", 4, 8, false, true),
    GEMM_ROW_OF(signed_matrix, I8I8, "i8mm", 4, 8, false, true),
    GEMM_ROW_OF(unsigned_matrix, U8U8, "i8mm", 4, 8, false, true),
    GEMM_ROW_OF(mixed_matrix, U8I8, "i8mm", 4, 8, false, true),
    GEMM_ROW_OF(turned_matrix, I8U8, "i8mm", 4, 8, false, true),
    GEMM_ROW(signed_tile, I8I8, "asimddp", 4, 8, false), /* where only these are */
    GEMM_ROW(unsigned_tile, U8U8, "asimddp", 4, 8, false),
    GEMM_ROW(int_tile, I32, "", 4, 8, false),
};
gemm_table const tsr_gemm_neon = GEMM_TABLE(rows);
#else
gemm_table const tsr_gemm_neon = {0};
#endif
