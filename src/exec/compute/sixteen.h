/* Sixteen floats at a time, from memory and to it, by AVX-512: of f32, bf16, f16 and the two formats of eight bits.
 *
 *  Law     those of exec/compute/patterns.h, but that a load leaves NaN as it lies, and a store takes NaN as one
 *          pattern: between the two it is made one once, by one_nan.
 */
#include "exec/compute/float_types.h"
#include <immintrin.h>

#define SIXTEEN static inline __attribute__((always_inline))

SIXTEEN __m512i ints(uint32_t x) { return _mm512_set1_epi32((int)x); }

SIXTEEN __m512i bits_of(__m512 x) { return _mm512_castps_si512(x); }

SIXTEEN __m512 floats_of(__m512i bits) { return _mm512_castsi512_ps(bits); }

/** y, or NaN where x or y is that. */
SIXTEEN __m512 one_nan(__m512 x, __m512 y)
{
    return _mm512_mask_mov_ps(y, _mm512_cmp_ps_mask(x, y, _CMP_UNORD_Q), floats_of(ints(0x7fc00000)));
}

/** Of E4M3 by way of the f16 that is 2^-8 of it. */
SIXTEEN __m512 load_e4m3(__m128i x)
{
    __m256i const wide = _mm256_slli_epi16(_mm256_cvtepi8_epi16(x), 7), top = _mm256_set1_epi16(0x3f80);
    __m256i const f16 = _mm256_and_si256(wide, _mm256_set1_epi16((short)0xbf80));
    __mmask16 const none = _mm256_cmpeq_epi16_mask(_mm256_and_si256(wide, top), top);
    __m512 const r = _mm512_cvtph_ps(f16) * _mm512_set1_ps(256);
    return _mm512_mask_mov_ps(r, none, floats_of(ints(0x7fc00000)));
}

SIXTEEN __m512 load_sixteen(tsr_dtype type, void const *p)
{
    if (type == TSR_F32)
        return _mm512_loadu_ps(p);
    if (type == TSR_BF16)
        return floats_of(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((__m256i const *)p)), 16));
    if (type == TSR_F16)
        return _mm512_cvtph_ps(_mm256_loadu_si256((__m256i const *)p));
    __m128i const bytes = _mm_loadu_si128((__m128i const *)p);
    return type == TSR_F8_E4M3FN ? load_e4m3(bytes)
                                 : _mm512_cvtph_ps(_mm256_slli_epi16(_mm256_cvtepu8_epi16(bytes), 8));
}

/** To the nearest bf16, ties to even. */
SIXTEEN __m256i bf16_of(__m512 x)
{
    __m512i const bits = bits_of(x), odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), ints(1));
    __m512i const r = _mm512_add_epi32(_mm512_add_epi32(bits, ints(0x7fff)), odd);
    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(r, 16));
}

/** To a format of `mantissa` bits of mantissa: the number and 2^(23 - mantissa) times its power of two, or that of the
 *  least normal number, add up to as many steps of the format as it has. What is above `most` is as that. */
SIXTEEN __m128i byte_of(__m512 x, int const mantissa, uint32_t const least, uint32_t const most, uint32_t const nan)
{
    uint32_t const shift = 23 - (uint32_t)mantissa;
    __m512i const bits = bits_of(x), size = _mm512_and_si512(bits, ints(0x7fffffff));
    __m512i const a = _mm512_min_epu32(size, ints(most));
    __m512i const power = _mm512_max_epu32(_mm512_and_si512(a, ints(0x7f800000)), ints(least));
    __m512i const up = _mm512_add_epi32(power, ints(shift << 23));
    __m512i const steps = _mm512_sub_epi32(bits_of(floats_of(a) + floats_of(up)), up);
    __m512i const before = _mm512_srli_epi32(_mm512_sub_epi32(power, ints(least)), shift);
    __m512i const r =
        _mm512_mask_mov_epi32(_mm512_add_epi32(steps, before), _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), ints(nan));
    __m512i const sign = _mm512_and_si512(_mm512_srli_epi32(bits, 24), ints(0x80));
    return _mm512_cvtepi32_epi8(_mm512_or_si512(r, sign));
}

SIXTEEN void store_sixteen(tsr_dtype type, void *q, __m512 x)
{
    if (type == TSR_F32)
        _mm512_storeu_ps(q, x);
    else if (type == TSR_BF16)
        _mm256_storeu_si256((__m256i *)q, bf16_of(x));
    else if (type == TSR_F16)
        _mm256_storeu_si256((__m256i *)q,
                            _mm512_maskz_cvtps_ph(0xffff, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    else if (type == TSR_F8_E4M3FN) /* the least normal number is 2^-6, what is above 448 is 448 */
        _mm_storeu_si128((__m128i *)q, byte_of(x, 3, 0x3c800000, 0x43e00000, 0x7f));
    else /* 2^-14, and 2^16 is infinity */
        _mm_storeu_si128((__m128i *)q, byte_of(x, 2, 0x38800000, 0x47800000, 0x7e));
}

/* The first ones of sixteen elements, by a mask. Nothing else is read or written. */

SIXTEEN __m512 load_some(tsr_dtype type, void const *p, __mmask16 some)
{
    _Alignas(64) unsigned char room[64];
    if (tsr_dtype_bits(type) == 32)
        _mm512_store_si512(room, _mm512_maskz_loadu_epi32(some, p));
    else if (tsr_dtype_bits(type) == 16)
        _mm256_store_si256((__m256i *)(void *)room, _mm256_maskz_loadu_epi16(some, p));
    else
        _mm_store_si128((__m128i *)(void *)room, _mm_maskz_loadu_epi8(some, p));
    return load_sixteen(type, room);
}

SIXTEEN void store_some(tsr_dtype type, void *q, __mmask16 some, __m512 x)
{
    _Alignas(64) unsigned char room[64];
    store_sixteen(type, room, x);
    if (tsr_dtype_bits(type) == 32)
        _mm512_mask_storeu_epi32(q, some, _mm512_load_si512(room));
    else if (tsr_dtype_bits(type) == 16)
        _mm256_mask_storeu_epi16(q, some, _mm256_load_si256((__m256i const *)(void const *)room));
    else
        _mm_mask_storeu_epi8(q, some, _mm_load_si128((__m128i const *)(void const *)room));
}

/** The mask of as many of sixteen as there are of n. */
SIXTEEN __mmask16 first_of(int64_t n) { return (__mmask16)(n >= 16 ? 0xffff : (1 << n) - 1); }
