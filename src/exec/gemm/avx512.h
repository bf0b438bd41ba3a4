/** What moves sums and halves by AVX-512: to bf16 and f16, and to C. */
#ifndef TSR_SRC_EXEC_GEMM_AVX512_H
#define TSR_SRC_EXEC_GEMM_AVX512_H

#define GEMM_HALVES 16
#define LOAD_HALVES(to, from) \
  _mm512_storeu_ps(to, _mm512_cvtph_ps(_mm256_loadu_si256((__m256i const *)(void const *)(from))))
#define STORE_HALVES(to, from) \
  _mm256_storeu_si256((__m256i *)(void *)(to), _mm512_maskz_cvtps_ph((__mmask16)0xffff, _mm512_loadu_ps(from), 0))
#include "exec/gemm/halves.h"

/* Runs are short: 16 lanes of 4 bytes, or 8, by one mask. */
#define GEMM_ADD_RUN(S, p, from, n) add_##S(p, from, n);
#define ADD_RUN(S, lanes, mask, get, put, plus)                         \
  static inline void add_##S(S *p, S const *from, int n)                \
  {                                                                     \
    for (int i = 0; i < n; i += lanes) {                                \
      mask const m = (mask)(n - i < lanes ? (1u << (n - i)) - 1 : ~0u); \
      put(p + i, m, plus(get(m, p + i), get(m, from + i)));             \
    }                                                                   \
  }
ADD_RUN(float, 16, __mmask16, _mm512_maskz_loadu_ps, _mm512_mask_storeu_ps, _mm512_add_ps)
ADD_RUN(double, 8, __mmask8, _mm512_maskz_loadu_pd, _mm512_mask_storeu_pd, _mm512_add_pd)
ADD_RUN(uint32_t, 16, __mmask16, _mm512_maskz_loadu_epi32, _mm512_mask_storeu_epi32, _mm512_add_epi32)
ADD_RUN(uint64_t, 8, __mmask8, _mm512_maskz_loadu_epi64, _mm512_mask_storeu_epi64, _mm512_add_epi64)
#undef ADD_RUN

/* bf16 as gemm_round_bf16 makes it. vcvtneps2bf16 would make denormal numbers 0: a file whose sums are none has
 * GEMM_BF16_OF_SUM. */
#define GEMM_PUT_BF16 put_bf16
static inline __m256i bf16_of(__m512 sum)
{
    __m512i const x = _mm512_castps_si512(sum), high = _mm512_srli_epi32(x, 16), one = _mm512_set1_epi32(1);
    __m512i const half = _mm512_add_epi32(_mm512_set1_epi32(0x7fff), _mm512_and_si512(high, one));
    __m512i const quiet =
        _mm512_or_si512(_mm512_and_si512(high, _mm512_set1_epi32(0x8000)), _mm512_set1_epi32(0x7fc0));
    __m512i const rounded = _mm512_mask_mov_epi32(_mm512_srli_epi32(_mm512_add_epi32(x, half), 16),
                                                  _mm512_cmp_ps_mask(sum, sum, _CMP_UNORD_Q), quiet);
    return _mm512_cvtepi32_epi16(rounded);
}

static inline __m512 float_of(__m256i bf16)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bf16), 16));
}

#ifndef GEMM_BF16_OF_SUM
#  define GEMM_BF16_OF_SUM bf16_of
#endif

static inline void put_bf16(uint16_t *p, float const *from, int n, bool add)
{
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m512 const sum = _mm512_loadu_ps(from + i);
        __m256i *const to = (__m256i *)(void *)(p + i);
        if (add)
            _mm256_storeu_si256(to, bf16_of(_mm512_add_ps(float_of(_mm256_loadu_si256(to)), sum)));
        else
            _mm256_storeu_si256(to, GEMM_BF16_OF_SUM(sum));
    }
    if (i < n) {
        __mmask16 const m = (__mmask16)((1u << (n - i)) - 1);
        __m512 const sum = _mm512_maskz_loadu_ps(m, from + i);
        __m256i const before = _mm256_maskz_loadu_epi16(m, p + i);
        _mm256_mask_storeu_epi16(p + i, m,
                                 add ? bf16_of(_mm512_add_ps(float_of(before), sum)) : GEMM_BF16_OF_SUM(sum));
    }
}

#include "exec/gemm/move.h"

#endif
