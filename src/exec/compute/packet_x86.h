/* Loads and stores that AVX2 and AVX-512 share. The header that includes this has said
 *
 *      MM(name), HALF(name)        _mm512_name, and the name for vectors of half as many bytes
 *      narrow_16(x), store_8(q, x) PACKET integers that fit 16 bits or 8
 *      f16_of(x)                   to the nearest
 *      unordered(x, y)             where x or y is NaN: a mask
 *      same_16(x, y)               a mask
 *      select_f32(mask, x, y)          x where the mask is set
 */
#include "exec/compute/packet_bytes.h"

INLINED packet_u16 load_16(void const *p)
{
    packet_u16 x;
    memcpy(&x, p, sizeof x);
    return x;
}

INLINED void store_16(void *q, packet_u16 x) { memcpy(q, &x, sizeof x); }

INLINED packet_f32 nan_f32(void) { return floats_of(all_u32(0x7fc00000)); }

INLINED packet_f32 of_f16(packet_u16 x) { return MM(cvtph_ps)((packet_half)x); }

/** Of E4M3 by way of the f16 that is 2^-8 of it. */
INLINED packet_f32 load_e4m3(__m128i bytes)
{
    packet_u16 const wide = (packet_u16)HALF(cvtepi8_epi16)(bytes) << 7;
    packet_u16 const top = wide & 0x3f80, all = top | 0x3f80;
    return select_f32(same_16(top, all), nan_f32(), of_f16(wide & 0xbf80) * all_f32(256));
}

INLINED packet_f32 load_packet(tsr_dtype const type, void const *p)
{
    if (type == TSR_F32)
        return MM(loadu_ps)((float const *)p);
    if (type == TSR_BF16)
        return floats_of((packet_u32)MM(cvtepu16_epi32)((packet_half)load_16(p)) << 16);
    if (type == TSR_F16)
        return of_f16(load_16(p));
    __m128i const bytes = load_8(p);
    return type == TSR_F8_E4M3FN ? load_e4m3(bytes) : of_f16((packet_u16)HALF(cvtepu8_epi16)(bytes) << 8);
}

/** To the nearest bf16, ties to even. */
INLINED packet_u16 bf16_of(packet_f32 x)
{
    packet_u32 const bits = bits_of(x);
    return narrow_16((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

INLINED packet_u32 byte_of(packet_f32 x, int const mantissa, uint32_t const least, uint32_t const most,
                           uint32_t const nan)
{
    packet_f32 const size = floats_of(byte_pattern(x, mantissa, least, most));
    return bits_of(select_f32(unordered(x, x), floats_of(all_u32(nan)), size)) | (bits_of(x) >> 24 & 0x80);
}

INLINED void store_packet(tsr_dtype const type, void *q, packet_f32 x)
{
    if (type == TSR_F32)
        MM(storeu_ps)((float *)q, x);
    else if (type == TSR_BF16)
        store_16(q, bf16_of(x));
    else if (type == TSR_F16)
        store_16(q, f16_of(x));
#define X(id, ...) else if (type == TSR_##id) store_8(q, byte_of(x, __VA_ARGS__));
    BYTE_LIST(X)
#undef X
}

INLINED void load_packets(tsr_dtype const type, unsigned char const *p, int const n, packet_f32 *x)
{
    EACH_OF(n) x[i] = load_packet(type, p + i * PACKET * (tsr_dtype_bits(type) / 8));
}

/** y, or NaN where x or y is that. */
INLINED packet_f32 one_nan(packet_f32 x, packet_f32 y) { return select_f32(unordered(x, y), nan_f32(), y); }
