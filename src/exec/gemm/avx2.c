/** Products by AVX2 and FMA, in tiles of 3 vectors by 4 columns: 12 sums in 16 registers. */
#include "exec/gemm/row.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#  define GEMM_HALVES 8
#  define LOAD_HALVES(to, from) \
    _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128((__m128i const *)(void const *)(from))))
#  define STORE_HALVES(to, from) _mm_storeu_si128((__m128i *)(void *)(to), _mm256_cvtps_ph(_mm256_loadu_ps(from), 0))
#  include "exec/gemm/halves.h"

#  include "exec/gemm/move.h"

/* By name: gcc turns its own functions into forms that overwrite a vector of A, and then reads that vector again. */
#  define FMA(name, x, y, sum)                             \
    __extension__({                                        \
  __typeof__(sum) r = (sum);                               \
  __asm__(#name " %2, %1, %0" : "+x"(r) : "x"(x), "x"(y)); \
  r;                                                       \
    })

#  define FLOAT_LOAD(p, mask) _mm256_loadu_ps(p)
#  define FLOAT_SET(x) _mm256_set1_ps(x)
#  define FLOAT_BEGIN(p) _mm256_setzero_ps()
#  define FLOAT_GET(p, mask) _mm256_loadu_ps(p)
#  define FLOAT_PUT(p, mask, w) _mm256_storeu_ps(p, w)
#  define FLOAT_ADD(a, b) _mm256_add_ps(a, b)
#  define FLOAT_FMA(x, y, sum) FMA(vfmadd231ps, x, y, sum)

#  define DOUBLE_LOAD(p, mask) _mm256_loadu_pd(p)
#  define DOUBLE_SET(x) _mm256_set1_pd(x)
#  define DOUBLE_BEGIN(p) _mm256_setzero_pd()
#  define DOUBLE_GET(p, mask) _mm256_loadu_pd(p)
#  define DOUBLE_PUT(p, mask, w) _mm256_storeu_pd(p, w)
#  define DOUBLE_ADD(a, b) _mm256_add_pd(a, b)
#  define DOUBLE_FMA(x, y, sum) FMA(vfmadd231pd, x, y, sum)

#  define INT_LOAD(p, mask) _mm256_loadu_si256((__m256i const *)(p))
#  define INT_SET(x) _mm256_set1_epi32(x)
#  define INT_BEGIN(p) _mm256_setzero_si256()
#  define INT_GET(p, mask) _mm256_loadu_si256((__m256i const *)(p))
#  define INT_PUT(p, mask, w) _mm256_storeu_si256((__m256i *)(p), w)
#  define INT_ADD(a, b) _mm256_add_epi32(a, b)
#  define INT_FMA(x, y, sum) _mm256_add_epi32(sum, _mm256_mullo_epi32(x, y))

#  define PAIR_LOAD INT_LOAD
#  define PAIR_SET INT_SET
#  define PAIR_BEGIN INT_BEGIN
#  define PAIR_GET INT_GET
#  define PAIR_PUT INT_PUT
#  define PAIR_ADD INT_ADD
#  define PAIR_FMA(x, y, sum) _mm256_add_epi32(sum, _mm256_madd_epi16(x, y))

GEMM_KERNELS(float_tile, float, __m256, float, __m256, 8, FLOAT, 4)
GEMM_KERNELS(double_tile, double, __m256d, double, __m256d, 4, DOUBLE, 4)
GEMM_KERNELS(int_tile, int32_t, __m256i, int32_t, __m256i, 8, INT, 1)
GEMM_KERNELS(pair_tile, int32_t, __m256i, int32_t, __m256i, 8, PAIR, 1)

/* The first n lanes: their signs choose. */
static int32_t const lanes_first[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

static inline __m256 float_tile_part(float const *p, int64_t n)
{
    return _mm256_maskload_ps(p, _mm256_loadu_si256((__m256i const *)(void const *)(lanes_first + 8 - n)));
}

static inline __m256d double_tile_part(double const *p, int64_t n)
{
    return _mm256_maskload_pd(p, _mm256_loadu_si256((__m256i const *)(void const *)(lanes_first + 8 - 2 * n)));
}

static inline void float_tile_totals(float *to, __m256 a, __m256 b, __m256 c, __m256 d)
{
    __m256 const s = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
    _mm_storeu_ps(to, _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1)));
}

static inline void double_tile_totals(double *to, __m256d a, __m256d b, __m256d c, __m256d d)
{
    __m256d const x = _mm256_hadd_pd(a, b), y = _mm256_hadd_pd(c, d);
    _mm256_storeu_pd(to, _mm256_add_pd(_mm256_permute2f128_pd(x, y, 0x20), _mm256_permute2f128_pd(x, y, 0x31)));
}

GEMM_LINES(float_tile, float, __m256, 8, FLOAT)
GEMM_LINES(double_tile, double, __m256d, 4, DOUBLE)

static gemm_row const rows[] = {
    GEMM_LINED_ROW(float_tile, F32, 8, 4, false),
    GEMM_LINED_ROW(double_tile, F64, 4, 4, false),
    GEMM_ROW(pair_tile, I16, "", 8, 4, false),
    GEMM_ROW(int_tile, I32, "", 8, 4, false),
};
gemm_table const tsr_gemm_avx2 = GEMM_TABLE(rows);
#else
gemm_table const tsr_gemm_avx2 = {0};
#endif
