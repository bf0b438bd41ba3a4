/** Products by AVX2 and FMA, in tiles of 3 vectors by 4 columns: 12 sums in 16 registers. */
#include "exec/gemm/row.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#  include "exec/gemm/avx2.h"

typedef int32_t ints_at __attribute__((vector_size(32), aligned(4), may_alias));

/* By name: gcc turns its own functions into forms that overwrite a vector of A, and then reads that vector again. */
#  define FMA(name, x, y, sum)                             \
    __extension__({                                        \
  __typeof__(sum) r = (sum);                               \
  __asm__(#name " %2, %1, %0" : "+x"(r) : "x"(x), "x"(y)); \
  r;                                                       \
    })

#  define FLOAT_LOAD(p, mask) (WHOLE(mask) ? _mm256_loadu_ps(p) : _mm256_maskload_ps(p, mask_of_8(mask)))
#  define FLOAT_SET(x) _mm256_set1_ps(x)
#  define FLOAT_BEGIN(p) _mm256_setzero_ps()
#  define FLOAT_GET(p, mask) FLOAT_LOAD(p, mask)
#  define FLOAT_PUT(p, mask, w) (WHOLE(mask) ? _mm256_storeu_ps(p, w) : put_8(p, mask, _mm256_castps_si256(w)))
#  define FLOAT_ADD(a, b) _mm256_add_ps(a, b)
#  define FLOAT_TURN(x) _mm256_permute_ps(x, 0xb1)
#  define FLOAT_FMA(x, y, sum) FMA(vfmadd231ps, x, y, sum)

#  define DOUBLE_LOAD(p, mask) (WHOLE(mask) ? _mm256_loadu_pd(p) : _mm256_maskload_pd(p, mask_of_4(mask)))
#  define DOUBLE_SET(x) _mm256_set1_pd(x)
#  define DOUBLE_BEGIN(p) _mm256_setzero_pd()
#  define DOUBLE_GET(p, mask) DOUBLE_LOAD(p, mask)
#  define DOUBLE_PUT(p, mask, w) (WHOLE(mask) ? _mm256_storeu_pd(p, w) : put_4(p, mask, _mm256_castpd_si256(w)))
#  define DOUBLE_ADD(a, b) _mm256_add_pd(a, b)
#  define DOUBLE_TURN(x) _mm256_permute_pd(x, 5)
#  define DOUBLE_FMA(x, y, sum) FMA(vfmadd231pd, x, y, sum)

#  define PAIR_LOAD INT_LOAD
#  define PAIR_SET INT_SET
#  define PAIR_BEGIN INT_BEGIN
#  define PAIR_GET INT_GET
#  define PAIR_PUT INT_PUT
#  define PAIR_ADD INT_ADD

/** sum + x y, x in a register or, one of three vectors, in memory: 12 sums, a product and what it is made of leave room
 *  for two. By name: gcc keeps four sums in memory and copies the others. */
#  define PAIR_SUM(place, x, y, sum) \
    __asm__("vpmaddwd %2, %3, %1\n\tvpaddd %1, %0, %0" : "+x"(sum), "=&x"(product) : place(x), "x"(y))

/** The step of exec/gemm/kernel.h. */
GEMM_INLINE void pair_tile_step(int vectors, int columns, int32_t const *a, int32_t const *b, int64_t bc,
                                uint32_t mask, __m256i sum[GEMM_COLUMNS][GEMM_VECTORS])
{
    uint32_t const all = ~(uint32_t)0;
    bool const full = vectors == 3 && columns >= 4 && WHOLE(mask);
    __m256i x[GEMM_VECTORS], product;
    TSR_UNROLL for (int i = 0; i < vectors; ++i) x[i] = INT_LOAD(a + i * 8, i + 1 == vectors ? mask : all);
    TSR_UNROLL for (int j = 0; j < columns; ++j)
    {
        __m256i const y = INT_SET(b[j * bc]);
        TSR_UNROLL for (int i = 0; i < vectors; ++i)
        {
            if (full && i == 2)
                PAIR_SUM("m", *(ints_at const *)(void const *)(a + 16), y, sum[j][i]);
            else
                PAIR_SUM("x", x[i], y, sum[j][i]);
        }
    }
}

enum { pair_tile_knows = true };

GEMM_KERNELS(float_tile, float, __m256, float, __m256, 8, FLOAT, 4)
GEMM_KERNELS(double_tile, double, __m256d, double, __m256d, 4, DOUBLE, 4)
GEMM_KERNELS(int_tile, int32_t, __m256i, int32_t, __m256i, 8, INT, 1)
GEMM_BODIES(pair_tile, int32_t, int32_t, __m256i, 8, PAIR, 1)

static inline __m256 float_tile_part(float const *p, int64_t n)
{
    return _mm256_maskload_ps(p, mask_of_8((1u << n) - 1));
}

static inline __m256d double_tile_part(double const *p, int64_t n)
{
    return _mm256_maskload_pd(p, mask_of_4((1u << n) - 1));
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
GEMM_DOTS(float_tile, float, __m256, 8, FLOAT)
GEMM_COMPLEX(float_tile, float, __m256, 8, FLOAT)
GEMM_LINES(double_tile, double, __m256d, 4, DOUBLE)
GEMM_DOTS(double_tile, double, __m256d, 4, DOUBLE)
GEMM_COMPLEX(double_tile, double, __m256d, 4, DOUBLE)

static gemm_row const rows[] = {
    GEMM_LINED_ROW(float_tile, F32, 8, 4, true, float_tile_dots_along, float_tile_complex),
    GEMM_LINED_ROW(double_tile, F64, 4, 4, true, double_tile_dots_along, double_tile_complex),
    GEMM_ROW(pair_tile, I16, "", 8, 4, true),
    GEMM_ROW(int_tile, I32, "", 8, 4, true),
};
gemm_table const tsr_gemm_avx2 = GEMM_TABLE(rows);
#else
gemm_table const tsr_gemm_avx2 = {0};
#endif
