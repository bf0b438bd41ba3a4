/** Products without vectors: what every other table must agree with. */
#include "exec/gemm/move.h"

#define ONE_LOAD(p, mask) (*(p))
#define ONE_SET(x) (x)
#define ONE_BEGIN(p) 0
#define ONE_GET(p, mask) (*(p))
#define ONE_PUT(p, mask, w) (*(p) = (w))
#define ONE_ADD(a, b) ((a) + (b))
#define ONE_FMA(x, y, sum) ((x) * (y) + (sum))

GEMM_KERNELS(float_tile, float, float, float, float, 1, ONE, 1)
GEMM_KERNELS(double_tile, double, double, double, double, 1, ONE, 1)
GEMM_KERNELS(int_tile, uint32_t, uint32_t, uint32_t, uint32_t, 1, ONE, 1)

static gemm_row const rows[] = {
    GEMM_ROW(float_tile, F32, "", 1, 4, false),
    GEMM_ROW(double_tile, F64, "", 1, 4, false),
    GEMM_ROW(int_tile, I32, "", 1, 4, false),
};
gemm_table const tsr_gemm_scalar = GEMM_TABLE(rows);
