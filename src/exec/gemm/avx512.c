/** Products by AVX-512, in tiles of 3 vectors by 8 columns: 24 sums in 32 registers. */
#include "exec/gemm/row.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VNNI__) && defined(__AVX512BF16__) \
    && defined(__F16C__)
#  include "exec/gemm/avx512.h"

/* What is stored under a mask is read again from memory alone, and not from what is on its way there. */
static inline __attribute__((always_inline)) void put_floats(float *p, __mmask16 mask, __m512 w)
{
    if (mask == 0xffff)
        _mm512_storeu_ps(p, w);
    else
        _mm512_mask_storeu_ps(p, mask, w);
}

#  define FLOAT_LOAD(p, mask) _mm512_maskz_loadu_ps((__mmask16)(mask), p)
#  define FLOAT_SET(x) _mm512_set1_ps(x)
#  define FLOAT_BEGIN(p) _mm512_setzero_ps()
#  define FLOAT_GET(p, mask) _mm512_maskz_loadu_ps((__mmask16)(mask), p)
#  define FLOAT_PUT(p, mask, w) put_floats(p, (__mmask16)(mask), w)
#  define FLOAT_ADD(a, b) _mm512_add_ps(a, b)
#  define FLOAT_FMA(x, y, sum) _mm512_fmadd_ps(x, y, sum)

#  define DOUBLE_LOAD(p, mask) _mm512_maskz_loadu_pd((__mmask8)(mask), p)
#  define DOUBLE_SET(x) _mm512_set1_pd(x)
#  define DOUBLE_BEGIN(p) _mm512_setzero_pd()
#  define DOUBLE_GET(p, mask) _mm512_maskz_loadu_pd((__mmask8)(mask), p)
#  define DOUBLE_PUT(p, mask, w) _mm512_mask_storeu_pd(p, (__mmask8)(mask), w)
#  define DOUBLE_ADD(a, b) _mm512_add_pd(a, b)
#  define DOUBLE_FMA(x, y, sum) _mm512_fmadd_pd(x, y, sum)

#  define LONG_LOAD(p, mask) _mm512_maskz_loadu_epi64((__mmask8)(mask), p)
#  define LONG_SET(x) _mm512_set1_epi64(x)
#  define LONG_BEGIN(p) _mm512_setzero_si512()
#  define LONG_GET(p, mask) _mm512_maskz_loadu_epi64((__mmask8)(mask), p)
#  define LONG_PUT(p, mask, w) _mm512_mask_storeu_epi64(p, (__mmask8)(mask), w)
#  define LONG_ADD(a, b) _mm512_add_epi64(a, b)
#  define LONG_FMA(x, y, sum) _mm512_add_epi64(sum, _mm512_mullo_epi64(x, y))

#  define INT_LOAD(p, mask) _mm512_maskz_loadu_epi32((__mmask16)(mask), p)
#  define INT_SET(x) _mm512_set1_epi32(x)
#  define INT_BEGIN(p) _mm512_setzero_si512()
#  define INT_GET(p, mask) _mm512_maskz_loadu_epi32((__mmask16)(mask), p)
#  define INT_PUT(p, mask, w) _mm512_mask_storeu_epi32(p, (__mmask16)(mask), w)
#  define INT_ADD(a, b) _mm512_add_epi32(a, b)
#  define INT_FMA(x, y, sum) _mm512_add_epi32(sum, _mm512_mullo_epi32(x, y))

/* By name: behind its own functions for these instructions gcc 12 keeps all sums in memory. */
#  define dot(name, x, y, sum)                             \
    __extension__({                                        \
  __m512i r = (sum);                                       \
  __asm__(#name " %2, %1, %0" : "+v"(r) : "v"(x), "v"(y)); \
  r;                                                       \
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
#  define QUAD_BEGIN(p) _mm512_set1_epi32(*(p))
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

#  define BRAIN_LOAD INT_LOAD
#  define BRAIN_SET INT_SET
#  define BRAIN_BEGIN FLOAT_BEGIN
#  define BRAIN_GET FLOAT_GET
#  define BRAIN_PUT FLOAT_PUT
#  define BRAIN_ADD FLOAT_ADD
#  define BRAIN_FMA(x, y, sum) _mm512_dpbf16_ps(sum, (__m512bh)(x), (__m512bh)(y))

GEMM_KERNELS(float_tile, float, __m512, float, __m512, 16, FLOAT, 1)
GEMM_KERNELS(double_tile, double, __m512d, double, __m512d, 8, DOUBLE, 1)
GEMM_KERNELS(int_tile, int32_t, __m512i, int32_t, __m512i, 16, INT, 1)
GEMM_KERNELS(long_tile, int64_t, __m512i, int64_t, __m512i, 8, LONG, 1)
GEMM_KERNELS(pair_tile, int32_t, __m512i, int32_t, __m512i, 16, PAIR, 1)
GEMM_KERNELS(quad_tile, int32_t, __m512i, int32_t, __m512i, 16, QUAD, 1)
GEMM_KERNELS(signed_tile, int32_t, __m512i, int32_t, __m512i, 16, SIGNED, 1)
GEMM_KERNELS(bf16_tile, int32_t, __m512i, float, __m512, 16, BRAIN, 1)

static inline __m512 float_tile_part(float const *p, int64_t n)
{
    return _mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), p);
}

static inline __m512d double_tile_part(double const *p, int64_t n)
{
    return _mm512_maskz_loadu_pd((__mmask8)((1u << n) - 1), p);
}

static inline __m256 half_of(__m512 x)
{
    return _mm256_add_ps(_mm512_castps512_ps256(x), _mm512_extractf32x8_ps(x, 1));
}

static inline __m256d half_of_doubles(__m512d x)
{
    return _mm256_add_pd(_mm512_castpd512_pd256(x), _mm512_extractf64x4_pd(x, 1));
}

static inline void float_tile_totals(float *to, __m512 a, __m512 b, __m512 c, __m512 d)
{
    __m256 const s = _mm256_hadd_ps(_mm256_hadd_ps(half_of(a), half_of(b)), _mm256_hadd_ps(half_of(c), half_of(d)));
    _mm_storeu_ps(to, _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1)));
}

static inline void double_tile_totals(double *to, __m512d a, __m512d b, __m512d c, __m512d d)
{
    __m256d const x = _mm256_hadd_pd(half_of_doubles(a), half_of_doubles(b)),
                  y = _mm256_hadd_pd(half_of_doubles(c), half_of_doubles(d));
    _mm256_storeu_pd(to, _mm256_add_pd(_mm256_permute2f128_pd(x, y, 0x20), _mm256_permute2f128_pd(x, y, 0x31)));
}

GEMM_LINES(float_tile, float, __m512, 16, FLOAT)
GEMM_DOTS(float_tile, float, __m512, 16, FLOAT)
GEMM_LINES(double_tile, double, __m512d, 8, DOUBLE)
GEMM_DOTS(double_tile, double, __m512d, 8, DOUBLE)

static gemm_row const rows[] = {
    GEMM_LINED_ROW(float_tile, F32, 16, 8, true, float_tile_dots_along, NULL),
    GEMM_LINED_ROW(double_tile, F64, 8, 8, true, double_tile_dots_along, NULL),
    GEMM_ROW(bf16_tile, BF16, "avx512bf16", 16, 8, true),
    GEMM_ROW(quad_tile, U8I8, "avx512vnni", 16, 8, true),
    GEMM_ROW(signed_tile, I8U8, "avx512vnni", 16, 8, true),
    GEMM_ROW(pair_tile, I16, "avx512vnni", 16, 8, true),
    GEMM_ROW(int_tile, I32, "", 16, 8, true),
    GEMM_ROW(long_tile, I64, "", 8, 8, true),
};
gemm_table const tsr_gemm_avx512 = GEMM_TABLE(rows);
#else
gemm_table const tsr_gemm_avx512 = {0};
#endif
