/* Packets of AVX-512 (exec/compute/packet.h): F, BW, DQ and VL. */
#include <immintrin.h>

#define PACKET 16
#define MM(name) _mm512_##name
#define HALF(name) _mm256_##name

#define UNIT 1
#define BLOCK 4

typedef __mmask16 packet_mask;
typedef __m512 packet_f32;
typedef __m512d packet_f64;
typedef __m256i packet_half;
typedef __m512i packet_words;
typedef __m256 packet_half_f32;
typedef uint32_t packet_u32 __attribute__((vector_size(64)));
typedef uint16_t packet_u16 __attribute__((vector_size(32)));

INLINED packet_f32 all_f32(float x) { return _mm512_set1_ps(x); }

INLINED packet_f64 all_f64(double x) { return _mm512_set1_pd(x); }

INLINED packet_u32 all_u32(uint32_t x) { return (packet_u32)_mm512_set1_epi32((int)x); }

INLINED packet_u32 min_u32(packet_u32 x, packet_u32 y)
{
    return (packet_u32)_mm512_min_epu32((__m512i)x, (__m512i)y);
}

INLINED packet_u32 max_u32(packet_u32 x, packet_u32 y)
{
    return (packet_u32)_mm512_max_epu32((__m512i)x, (__m512i)y);
}

INLINED packet_f32 select_f32(packet_mask mask, packet_f32 x, packet_f32 y) { return _mm512_mask_mov_ps(y, mask, x); }

INLINED packet_mask unordered(packet_f32 x, packet_f32 y) { return _mm512_cmp_ps_mask(x, y, _CMP_UNORD_Q); }

INLINED packet_mask same_16(packet_u16 x, packet_u16 y) { return _mm256_cmpeq_epi16_mask((__m256i)x, (__m256i)y); }

INLINED packet_u16 narrow_16(packet_u32 x) { return (packet_u16)_mm512_cvtepi32_epi16((__m512i)x); }

INLINED packet_u16 f16_of(packet_f32 x)
{
    return (packet_u16)_mm512_maskz_cvtps_ph(0xffff, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

INLINED __m128i load_8(void const *p) { return _mm_loadu_si128((__m128i const *)p); }

INLINED void store_8(void *q, packet_u32 x) { _mm_storeu_si128((__m128i *)q, _mm512_cvtepi32_epi8((__m512i)x)); }

#include "exec/compute/packet_x86.h"

INLINED void store_packets(tsr_dtype const type, unsigned char *q, int const n, packet_f32 const *old,
                           packet_f32 const *x)
{
    EACH_OF(n) store_packet(type, q + i * PACKET * (tsr_dtype_bits(type) / 8), one_nan(old[i], x[i]));
}

INLINED packet_f64 low_f64(packet_f32 x) { return _mm512_cvtps_pd(_mm512_castps512_ps256(x)); }

INLINED packet_f64 high_f64(packet_f32 x) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1)); }

INLINED packet_f32 joined(__m256 low, __m256 high)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

INLINED packet_f32 nearest_f32(packet_f64 low, packet_f64 high)
{
    return joined(_mm512_cvtpd_ps(low), _mm512_cvtpd_ps(high));
}

/** Toward zero, the last bit of each set where a double has one of its last 40. For a double has 41 bits below the
 *  half of the last one of f16, and 44 of bf16; below the normal numbers, which for bf16 are those of float, float
 *  drops more of them, but none above these 40 before what bf16 makes of the number is 0. */
INLINED packet_f32 odd_f32(packet_f64 a, packet_f64 b)
{
    __m512i const rest = _mm512_set1_epi64(((int64_t)1 << 40) - 1);
    __m256 const low = _mm512_cvt_roundpd_ps(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    __m256 const high = _mm512_cvt_roundpd_ps(b, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    __mmask8 const cut_low = _mm512_test_epi64_mask(_mm512_castpd_si512(a), rest);
    __mmask8 const cut_high = _mm512_test_epi64_mask(_mm512_castpd_si512(b), rest);
    __m512i const r = (__m512i)joined(low, high);
    return (packet_f32)_mm512_mask_or_epi32(r, (__mmask16)(cut_low | cut_high << 8), r, (__m512i)all_u32(1));
}

#define ROOM_BY_MASKS

/** The mask of the first n. */
INLINED __mmask16 first_of(int64_t n) { return (__mmask16)((1 << n) - 1); }

INLINED void load_buffer(int const bytes, void const *p, int64_t n, unsigned char *buffer)
{
    if (bytes == 4)
        _mm512_store_si512(buffer, _mm512_maskz_loadu_epi32(first_of(n), p));
    else if (bytes == 2)
        _mm256_store_si256((__m256i *)(void *)buffer, _mm256_maskz_loadu_epi16(first_of(n), p));
    else
        _mm_store_si128((__m128i *)(void *)buffer, _mm_maskz_loadu_epi8(first_of(n), p));
}

INLINED void store_buffer(int const bytes, void *q, int64_t n, unsigned char const *buffer)
{
    if (bytes == 4)
        _mm512_mask_storeu_epi32(q, first_of(n), _mm512_load_si512(buffer));
    else if (bytes == 2)
        _mm256_mask_storeu_epi16(q, first_of(n), _mm256_load_si256((__m256i const *)(void const *)buffer));
    else
        _mm_mask_storeu_epi8(q, first_of(n), _mm_load_si128((__m128i const *)(void const *)buffer));
}

/* Functions (exec/compute/functions_list.h). */

typedef packet_f32 packet_power; /* k */

INLINED packet_f32 sqrt_f32(packet_f32 x) { return _mm512_sqrt_ps(x); }

INLINED packet_f32 integer_f32(packet_u32 x) { return _mm512_cvtepi32_ps((__m512i)x); }

INLINED packet_mask less(packet_f32 x, packet_f32 y) { return _mm512_cmp_ps_mask(x, y, _CMP_LT_OQ); }

INLINED packet_mask equal(packet_f32 x, packet_f32 y) { return _mm512_cmp_ps_mask(x, y, _CMP_EQ_OQ); }

INLINED packet_f32 at_most(packet_f32 x, float most)
{
    return (packet_f32)_mm512_min_epi32((__m512i)x, (__m512i)all_f32(most));
}

INLINED packet_f32 at_least(packet_f32 x, float least)
{
    return floats_of(min_u32(bits_of(x), bits_of(all_f32(least))));
}

INLINED packet_f32 split(packet_f32 t, packet_f32 magic, packet_power *power) { return *power = t - magic; }

INLINED packet_f32 scaled(packet_f32 p, packet_power power, packet_f32 x)
{
    (void)x;
    return _mm512_scalef_ps(p, power);
}

INLINED packet_f32 raised(packet_f32 p, packet_power power, int const more)
{
    if (more != 127)
        power = power + all_f32((float)(more - 127));
    return _mm512_scalef_ps(p, power);
}
