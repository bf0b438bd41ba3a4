/* Packets of AVX2 and F16C (exec/compute/packet.h). */
#include <immintrin.h>

#define PACKET 8
#define MM(name) _mm256_##name
#define HALF(name) _mm_##name

#define UNIT 1
#define BLOCK 1

typedef __m256 packet_f32;
typedef __m256d packet_f64;
typedef __m128i packet_half;
typedef __m256i packet_words;
typedef __m128 packet_half_f32;
typedef uint32_t packet_u32 __attribute__((vector_size(32)));
typedef uint16_t packet_u16 __attribute__((vector_size(16)));

INLINED packet_f32 all_f32(float x) { return _mm256_set1_ps(x); }

INLINED packet_f64 all_f64(double x) { return _mm256_set1_pd(x); }

INLINED packet_u32 all_u32(uint32_t x) { return (packet_u32)_mm256_set1_epi32((int)x); }

INLINED packet_u32 min_u32(packet_u32 x, packet_u32 y)
{
    return (packet_u32)_mm256_min_epu32((__m256i)x, (__m256i)y);
}

INLINED packet_u32 max_u32(packet_u32 x, packet_u32 y)
{
    return (packet_u32)_mm256_max_epu32((__m256i)x, (__m256i)y);
}

INLINED packet_f32 select_f32(packet_f32 mask, packet_f32 x, packet_f32 y) { return _mm256_blendv_ps(y, x, mask); }

INLINED packet_f32 unordered(packet_f32 x, packet_f32 y) { return _mm256_cmp_ps(x, y, _CMP_UNORD_Q); }

INLINED packet_f32 same_16(packet_u16 x, packet_u16 y)
{
    return (packet_f32)_mm256_cvtepi16_epi32(_mm_cmpeq_epi16((__m128i)x, (__m128i)y));
}

INLINED packet_u16 narrow_16(packet_u32 x)
{
    __m256i const y = (__m256i)x;
    return (packet_u16)_mm_packus_epi32(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
}

INLINED packet_u16 f16_of(packet_f32 x)
{
    return (packet_u16)_mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

INLINED __m128i load_8(void const *p) { return _mm_loadl_epi64((__m128i const *)p); }

INLINED void store_8(void *q, packet_u32 x)
{
    __m128i const halves = (__m128i)narrow_16(x);
    _mm_storel_epi64((__m128i *)q, _mm_packus_epi16(halves, halves));
}

#include "exec/compute/packet_x86.h"

/** Four packets to a format of eight bits, as byte_of makes of each. Steps and exponents are added in the lowest byte
 *  of each integer, and signs follow when all are bytes. NaN is taken for the largest number, whose code is one below
 *  that of NaN in E4M3 and two in E5M2. */
INLINED __m256i bytes_of(packet_f32 const *x, int const mantissa, uint32_t const least, uint32_t const most,
                         uint32_t const nan)
{
    int const shift = 23 - mantissa, beyond = mantissa == 3 ? 1 : 2;
    packet_u32 code[4];
    EACH_OF(4)
    {
        packet_u32 const a = min_u32(bits_of(x[i]) & 0x7fffffff, all_u32(most));
        packet_u32 const power = max_u32(a & 0x7f800000, all_u32(least));
        packet_u32 const up = power + ((uint32_t)shift << 23), none = bits_of(unordered(x[i], x[i]));
        code[i] = bits_of(floats_of(a) + floats_of(up)) + (power >> shift) - none;
        code[i] = (beyond > 1 ? code[i] - none : code[i]) & 0xff;
    }
    __m256i const packed = _mm256_packus_epi16(_mm256_packus_epi32((__m256i)code[0], (__m256i)code[1]),
                                               _mm256_packus_epi32((__m256i)code[2], (__m256i)code[3]));
    __m256i const sign = _mm256_packs_epi16(_mm256_packs_epi32((__m256i)x[0], (__m256i)x[1]),
                                            _mm256_packs_epi32((__m256i)x[2], (__m256i)x[3]));
    __m256i const size = _mm256_sub_epi8(packed, _mm256_set1_epi8((char)(least >> shift & 0xff)));
    __m256i const signless = _mm256_or_si256(_mm256_cmpeq_epi8(size, _mm256_set1_epi8((char)nan)),
                                             _mm256_set1_epi8(0x7f)); /* NaN is one pattern */
    __m256i const r = _mm256_or_si256(size, _mm256_andnot_si256(signless, sign));
    return _mm256_permutevar8x32_epi32(r, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

INLINED void store_packets(tsr_dtype const type, unsigned char *q, int const n, packet_f32 const *old,
                           packet_f32 const *x)
{
#define X(id, ...)                \
  if (n == 4 && type == TSR_##id) \
    _mm256_storeu_si256((__m256i *)(void *)q, bytes_of(x, __VA_ARGS__));
    BYTE_LIST(X)
#undef X
    if (n < 4 || tsr_dtype_bits(type) > 8)
        EACH_OF(n) store_packet(type, q + i * PACKET * (tsr_dtype_bits(type) / 8), one_nan(old[i], x[i]));
}

INLINED packet_f64 low_f64(packet_f32 x) { return _mm256_cvtps_pd(_mm256_castps256_ps128(x)); }

INLINED packet_f64 high_f64(packet_f32 x) { return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)); }

INLINED packet_f32 nearest_f32(packet_f64 low, packet_f64 high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(low)), _mm256_cvtpd_ps(high), 1);
}

/** Doubles without their last 40 bits, the last bit that is left set where these were not all 0. For a double has 41
 *  bits below the half of the last one of f16, and 44 of bf16. A float has room for what is left; below its normal
 *  numbers it has not, but where it drops any, what bf16 makes of the number is 0. */
INLINED packet_f64 odd_f64(packet_f64 x)
{
    __m256i const rest = _mm256_set1_epi64x(((int64_t)1 << 40) - 1), bits = _mm256_castpd_si256(x);
    __m256i const carried = _mm256_add_epi64(_mm256_and_si256(bits, rest), rest);
    return _mm256_castsi256_pd(_mm256_andnot_si256(rest, _mm256_or_si256(bits, carried)));
}

INLINED packet_f32 odd_f32(packet_f64 low, packet_f64 high) { return nearest_f32(odd_f64(low), odd_f64(high)); }
