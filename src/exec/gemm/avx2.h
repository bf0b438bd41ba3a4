/** Vectors of 32 bytes: whole ones, and the first lanes of one; integers as kernels take them (exec/gemm/kernel.h). */
#ifndef TSR_SRC_EXEC_GEMM_AVX2_H
#define TSR_SRC_EXEC_GEMM_AVX2_H

#define GEMM_HALVES 8
#define LOAD_HALVES(to, from) \
  _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128((__m128i const *)(void const *)(from))))
#define STORE_HALVES(to, from) _mm_storeu_si128((__m128i *)(void *)(to), _mm256_cvtps_ph(_mm256_loadu_ps(from), 0))
#include "exec/gemm/halves.h"

#define GEMM_EDGES 1
#include "exec/gemm/move.h"

/* Whole vectors, whose mask is a constant (GEMM_EDGES), need none. */
#define WHOLE(mask) ((mask) == ~(uint32_t)0)

/** Lanes as masked loads take them: by their signs. */
static inline __m256i mask_of_8(uint32_t mask)
{
    __m256i const bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)mask), bit), bit);
}

static inline __m256i mask_of_4(uint32_t mask)
{
    __m256i const bit = _mm256_setr_epi64x(1, 2, 4, 8);
    return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x((int64_t)mask), bit), bit);
}

/** Stores the first lanes of 4 bytes, by 4, 2 and 1 of them: masked stores are slow on a Zen. */
static inline void put_8(void *to, uint32_t mask, __m256i w)
{
    unsigned char *p = (unsigned char *)to;
    __m128i v = _mm256_castsi256_si128(w);
    if ((mask & 8) != 0) {
        _mm_storeu_si128((__m128i *)(void *)p, v);
        v = _mm256_extracti128_si256(w, 1);
        p += 16, mask >>= 4;
    }
    if ((mask & 2) != 0) {
        _mm_storel_epi64((__m128i *)(void *)p, v);
        v = _mm_unpackhi_epi64(v, v);
        p += 8, mask >>= 2;
    }
    if ((mask & 1) != 0) {
        int32_t const last = _mm_cvtsi128_si32(v);
        memcpy(p, &last, 4);
    }
}

/** The same of 8 bytes. */
static inline void put_4(void *to, uint32_t mask, __m256i w)
{
    put_8(to, (mask & 1 ? 3 : 0) | (mask & 2 ? 12 : 0) | (mask & 4 ? 48 : 0), w);
}

#define INT_LOAD(p, mask) \
  (WHOLE(mask) ? _mm256_loadu_si256((__m256i const *)(p)) : _mm256_maskload_epi32(p, mask_of_8(mask)))
#define INT_SET(x) _mm256_set1_epi32(x)
#define INT_BEGIN(p) _mm256_setzero_si256()
#define INT_GET(p, mask) INT_LOAD(p, mask)
#define INT_PUT(p, mask, w) (WHOLE(mask) ? _mm256_storeu_si256((__m256i *)(p), w) : put_8(p, mask, w))
#define INT_ADD(a, b) _mm256_add_epi32(a, b)
#define INT_FMA(x, y, sum) _mm256_add_epi32(sum, _mm256_mullo_epi32(x, y))

#endif
