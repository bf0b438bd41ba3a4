/** Products by vectors of 16 bytes, which gcc and clang have for every processor (neon.c: those of AArch64). */
#include "exec/gemm/row.h"
#include "exec/neon.h"

#if defined(__GNUC__) && !TSR_NEON
#  include "exec/gemm/move.h"

typedef float floats __attribute__((vector_size(16)));
typedef double doubles __attribute__((vector_size(16)));
typedef uint32_t ints __attribute__((vector_size(16)));
typedef float floats_at __attribute__((vector_size(16), aligned(4), may_alias));
typedef double doubles_at __attribute__((vector_size(16), aligned(8), may_alias));
typedef uint32_t ints_at __attribute__((vector_size(16), aligned(4), may_alias));

#  define FLOAT_LOAD(p, mask) (*(floats_at const *)(p))
#  define FLOAT_SET(x) ((floats){x, x, x, x})
#  define FLOAT_BEGIN(p) ((floats){0})
#  define FLOAT_GET(p, mask) (*(floats_at const *)(p))
#  define FLOAT_PUT(p, mask, w) (*(floats_at *)(p) = (w))
#  define FLOAT_ADD(a, b) ((a) + (b))
#  define FLOAT_FMA(x, y, sum) ((x) * (y) + (sum))

#  define DOUBLE_LOAD(p, mask) (*(doubles_at const *)(p))
#  define DOUBLE_SET(x) ((doubles){x, x})
#  define DOUBLE_BEGIN(p) ((doubles){0})
#  define DOUBLE_GET(p, mask) (*(doubles_at const *)(p))
#  define DOUBLE_PUT(p, mask, w) (*(doubles_at *)(p) = (w))
#  define DOUBLE_ADD FLOAT_ADD
#  define DOUBLE_FMA FLOAT_FMA

#  define INT_LOAD(p, mask) (*(ints_at const *)(p))
#  define INT_SET(x) ((ints){x, x, x, x})
#  define INT_BEGIN(p) ((ints){0})
#  define INT_GET(p, mask) (*(ints_at const *)(p))
#  define INT_PUT(p, mask, w) (*(ints_at *)(p) = (w))
#  define INT_ADD FLOAT_ADD
#  define INT_FMA(x, y, sum) ((x) * (y) + (sum))

GEMM_KERNELS(float_tile, float, floats, float, floats, 4, FLOAT, 1)
GEMM_KERNELS(double_tile, double, doubles, double, doubles, 2, DOUBLE, 1)
GEMM_KERNELS(int_tile, uint32_t, ints, uint32_t, ints, 4, INT, 1)

GEMM_LINE_PARTS(float_tile, float, floats, 4)
GEMM_LINE_PARTS(double_tile, double, doubles, 2)
GEMM_LINES(float_tile, float, floats, 4, FLOAT)
GEMM_LINES(double_tile, double, doubles, 2, DOUBLE)

static gemm_row const rows[] = {
    GEMM_LINED_ROW(float_tile, F32, 4, 4, false, NULL, NULL),
    GEMM_LINED_ROW(double_tile, F64, 2, 4, false, NULL, NULL),
    GEMM_ROW(int_tile, I32, "", 4, 4, false),
};
gemm_table const tsr_gemm_portable = GEMM_TABLE(rows);
#else
gemm_table const tsr_gemm_portable = {0};
#endif
