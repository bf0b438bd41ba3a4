/* Eight floats at a time, from memory and to it, by AVX2 and F16C: of f32, bf16, f16 and the two formats of eight bits.
 *
 *  Law     that of exec/compute/sixteen.h.
 */
#include "exec/compute/float_types.h"
#include <immintrin.h>

#define FLOATS 8
#define INLINED static inline __attribute__((always_inline))

typedef __m256 floats;

INLINED __m256i ints(uint32_t x) { return _mm256_set1_epi32((int)x); }

INLINED __m256i bits_of(__m256 x) { return _mm256_castps_si256(x); }

INLINED __m256 floats_of(__m256i bits) { return _mm256_castsi256_ps(bits); }

/** y, or NaN where x or y is that. */
INLINED __m256 one_nan(__m256 x, __m256 y)
{
    return _mm256_blendv_ps(y, floats_of(ints(0x7fc00000)), _mm256_cmp_ps(x, y, _CMP_UNORD_Q));
}

/** The low halves of eight integers, which fit them. */
INLINED __m128i low_halves(__m256i x)
{
    return _mm_packus_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
}

/** Of E4M3 by way of the f16 that is 2^-8 of it. */
INLINED __m256 load_e4m3(__m128i x)
{
    __m128i const wide = _mm_slli_epi16(_mm_cvtepi8_epi16(x), 7), top = _mm_set1_epi16(0x3f80);
    __m128i const none = _mm_cmpeq_epi16(_mm_and_si128(wide, top), top);
    __m256 const r = _mm256_cvtph_ps(_mm_and_si128(wide, _mm_set1_epi16((short)0xbf80))) * _mm256_set1_ps(256);
    return _mm256_blendv_ps(r, floats_of(ints(0x7fc00000)), floats_of(_mm256_cvtepi16_epi32(none)));
}

INLINED __m256 load_floats(tsr_dtype type, void const *p)
{
    if (type == TSR_F32)
        return _mm256_loadu_ps(p);
    if (type == TSR_BF16)
        return floats_of(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((__m128i const *)p)), 16));
    if (type == TSR_F16)
        return _mm256_cvtph_ps(_mm_loadu_si128((__m128i const *)p));
    __m128i const bytes = _mm_loadl_epi64((__m128i const *)p);
    return type == TSR_F8_E4M3FN ? load_e4m3(bytes) : _mm256_cvtph_ps(_mm_slli_epi16(_mm_cvtepu8_epi16(bytes), 8));
}

/** To the nearest bf16, ties to even. */
INLINED __m128i bf16_of(__m256 x)
{
    __m256i const bits = bits_of(x), odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), ints(1));
    return low_halves(_mm256_srli_epi32(_mm256_add_epi32(_mm256_add_epi32(bits, ints(0x7fff)), odd), 16));
}

/** To a format of eight bits, as byte_of of exec/compute/sixteen.h. */
INLINED __m128i byte_of(__m256 x, int const mantissa, uint32_t const least, uint32_t const most, uint32_t const nan)
{
    int const shift = 23 - mantissa;
    __m256i const bits = bits_of(x), size = _mm256_and_si256(bits, ints(0x7fffffff));
    __m256i const a = _mm256_min_epu32(size, ints(most));
    __m256i const power = _mm256_max_epu32(_mm256_and_si256(a, ints(0x7f800000)), ints(least));
    __m256i const up = _mm256_add_epi32(power, ints((uint32_t)shift << 23));
    __m256i const steps = _mm256_sub_epi32(bits_of(floats_of(a) + floats_of(up)), up);
    __m256i const before = _mm256_srli_epi32(_mm256_sub_epi32(power, ints(least)), shift);
    __m256 const r = _mm256_blendv_ps(floats_of(_mm256_add_epi32(steps, before)), floats_of(ints(nan)),
                                      _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    __m256i const sign = _mm256_and_si256(_mm256_srli_epi32(bits, 24), ints(0x80));
    __m128i const halves = low_halves(_mm256_or_si256(bits_of(r), sign));
    return _mm_packus_epi16(halves, halves);
}

/** Four vectors to such a format, as byte_of makes of each. Steps and exponents are added in the lowest byte of each
 *  integer, and signs follow when all are bytes. NaN is taken for the largest number, whose code is `apart` below. */
INLINED __m256i bytes_of(__m256 const *x, int const mantissa, uint32_t const least, uint32_t const most,
                         uint32_t const nan, int const apart)
{
    int const shift = 23 - mantissa;
    __m256i code[4], bits[4];
    TSR_UNROLL
    for (int i = 0; i < 4; ++i) {
        bits[i] = bits_of(x[i]);
        __m256i const a = _mm256_min_epu32(_mm256_and_si256(bits[i], ints(0x7fffffff)), ints(most));
        __m256i const power = _mm256_max_epu32(_mm256_and_si256(a, ints(0x7f800000)), ints(least));
        __m256i const up = _mm256_add_epi32(power, ints((uint32_t)shift << 23));
        __m256i const steps = bits_of(floats_of(a) + floats_of(up));
        __m256i const none = bits_of(_mm256_cmp_ps(x[i], x[i], _CMP_UNORD_Q));
        code[i] = _mm256_sub_epi32(_mm256_add_epi32(steps, _mm256_srli_epi32(power, shift)), none);
        code[i] = apart > 1 ? _mm256_sub_epi32(code[i], none) : code[i];
        code[i] = _mm256_and_si256(code[i], ints(0xff));
    }
    __m256i const packed =
        _mm256_packus_epi16(_mm256_packus_epi32(code[0], code[1]), _mm256_packus_epi32(code[2], code[3]));
    __m256i const size = _mm256_sub_epi8(packed, _mm256_set1_epi8((char)(least >> shift & 0xff)));
    __m256i const sign =
        _mm256_packs_epi16(_mm256_packs_epi32(bits[0], bits[1]), _mm256_packs_epi32(bits[2], bits[3]));
    __m256i const signless = _mm256_or_si256(_mm256_cmpeq_epi8(size, _mm256_set1_epi8((char)nan)),
                                             _mm256_set1_epi8(0x7f)); /* NaN is one pattern */
    __m256i const r = _mm256_or_si256(size, _mm256_andnot_si256(signless, sign));
    return _mm256_permutevar8x32_epi32(r, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/** The formats of eight bits: of E4M3 the least normal number is 2^-6, what is above 448 is 448; of E5M2 2^-14, and
 *  2^16 is infinity. */
#define BYTE_LIST(X) X(F8_E4M3FN, 3, 0x3c800000, 0x43e00000, 0x7f, 1) X(F8_E5M2, 2, 0x38800000, 0x47800000, 0x7e, 2)

/** Four vectors to a format of eight bits. */
INLINED void store_bytes(tsr_dtype type, void *q, __m256 const *x)
{
#define X(id, mantissa, least, most, nan, apart) \
  if (type == TSR_##id)                          \
    _mm256_storeu_si256((__m256i *)q, bytes_of(x, mantissa, least, most, nan, apart));
    BYTE_LIST(X)
#undef X
}

INLINED void store_floats(tsr_dtype type, void *q, __m256 x)
{
    if (type == TSR_F32)
        _mm256_storeu_ps(q, x);
    else if (type == TSR_BF16)
        _mm_storeu_si128((__m128i *)q, bf16_of(x));
    else if (type == TSR_F16)
        _mm_storeu_si128((__m128i *)q, _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#define X(id, mantissa, least, most, nan, apart) \
  else if (type == TSR_##id) _mm_storel_epi64((__m128i *)q, byte_of(x, mantissa, least, most, nan));
    BYTE_LIST(X)
#undef X
}
