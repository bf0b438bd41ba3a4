/** Many halves side by side, by the vectors of a set of instructions. The including file says
 *
 *      GEMM_HALVES                   how many a vector has
 *      LOAD_HALVES(floats, halves)   makes a vector of floats of halves
 *      STORE_HALVES(halves, floats)  and back, to the nearest, ties to even
 */
#ifndef TSR_SRC_EXEC_GEMM_HALVES_H
#define TSR_SRC_EXEC_GEMM_HALVES_H

#include <immintrin.h>

#include "exec/gemm/row.h"

static void gemm_from_halves(float *t, uint16_t const *f, int64_t n)
{
    int64_t i = 0;
    for (; i + GEMM_HALVES <= n; i += GEMM_HALVES)
        LOAD_HALVES(t + i, f + i);
    for (; i < n; ++i)
        t[i] = _cvtsh_ss(f[i]);
}

static void gemm_to_halves(uint16_t *t, float const *f, int64_t n)
{
    int64_t i = 0;
    for (; i + GEMM_HALVES <= n; i += GEMM_HALVES)
        STORE_HALVES(t + i, f + i);
    for (; i < n; ++i)
        t[i] = (uint16_t)_cvtss_sh(f[i], 0);
}

#endif
