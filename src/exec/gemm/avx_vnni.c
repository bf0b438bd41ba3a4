/** Products of integers by AVX-VNNI, whose instructions multiply 4 bytes or 2 numbers of 16 bits and add, in vectors of
 *  AVX2. The row "avx2" has them where the processor does. */
#include "exec/gemm/row.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__) && defined(__AVXVNNI__)
#  include "exec/gemm/avx2.h"

/* By name: behind its own functions for these instructions gcc 12 keeps all sums in memory. */
#  define dot(name, x, y, sum)                                        \
    __extension__({                                                   \
  __m256i r = (sum);                                                  \
  __asm__("%{vex%} " #name " %2, %1, %0" : "+x"(r) : "x"(x), "x"(y)); \
  r;                                                                  \
    })

#  define PAIR_LOAD INT_LOAD
#  define PAIR_SET INT_SET
#  define PAIR_BEGIN INT_BEGIN
#  define PAIR_GET INT_GET
#  define PAIR_PUT INT_PUT
#  define PAIR_ADD INT_ADD
#  define PAIR_FMA(x, y, sum) dot(vpdpwssd, x, y, sum)

#  define QUAD_LOAD INT_LOAD
#  define QUAD_SET INT_SET
#  define QUAD_BEGIN(p) _mm256_set1_epi32(*(p))
#  define QUAD_GET INT_GET
#  define QUAD_PUT INT_PUT
#  define QUAD_ADD INT_ADD
#  define QUAD_FMA(x, y, sum) dot(vpdpbusd, x, y, sum)

#  define SIGNED_LOAD INT_LOAD
#  define SIGNED_SET INT_SET
#  define SIGNED_BEGIN QUAD_BEGIN
#  define SIGNED_GET INT_GET
#  define SIGNED_PUT INT_PUT
#  define SIGNED_ADD INT_ADD
#  define SIGNED_FMA(x, y, sum) dot(vpdpbusd, y, x, sum)

GEMM_KERNELS(pair_tile, int32_t, __m256i, int32_t, __m256i, 8, PAIR, 4)
GEMM_KERNELS(quad_tile, int32_t, __m256i, int32_t, __m256i, 8, QUAD, 4)
GEMM_KERNELS(signed_tile, int32_t, __m256i, int32_t, __m256i, 8, SIGNED, 4)

static gemm_row const rows[] = {
    GEMM_ROW(quad_tile, U8I8, "avxvnni", 8, 4, true),
    GEMM_ROW(signed_tile, I8U8, "avxvnni", 8, 4, true),
    GEMM_ROW(pair_tile, I16, "avxvnni", 8, 4, true),
};
gemm_table const tsr_gemm_avx_vnni = GEMM_TABLE(rows);
#else
gemm_table const tsr_gemm_avx_vnni = {0};
#endif
