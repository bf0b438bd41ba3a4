/* Packets of NEON (exec/compute/packet.h), four at a time: 16 bytes of memory are loaded at once. */
#include <arm_neon.h>

#define PACKET 4

#define UNIT 4
#define BLOCK 4

typedef float32x4_t packet_f32;
typedef float64x2_t packet_f64;
typedef uint32x4_t packet_u32;
typedef uint16x4_t packet_u16;

INLINED packet_f32 all_f32(float x) { return vdupq_n_f32(x); }

INLINED packet_f64 all_f64(double x) { return vdupq_n_f64(x); }

INLINED packet_u32 all_u32(uint32_t x) { return vdupq_n_u32(x); }

INLINED packet_u32 min_u32(packet_u32 x, packet_u32 y) { return vminq_u32(x, y); }

INLINED packet_u32 max_u32(packet_u32 x, packet_u32 y) { return vmaxq_u32(x, y); }

#include "exec/compute/packet_bytes.h"

/** Where x and y are no NaN: a mask. */
INLINED packet_u32 ordered(packet_f32 x, packet_f32 y) { return vandq_u32(vceqq_f32(x, x), vceqq_f32(y, y)); }

INLINED packet_f32 one_nan(packet_f32 x, packet_f32 y)
{
    return vbslq_f32(ordered(x, y), y, floats_of(all_u32(0x7fc00000)));
}

INLINED void wide(float16x8_t low, float16x8_t high, packet_f32 *x)
{
    x[0] = vcvt_f32_f16(vget_low_f16(low));
    x[1] = vcvt_high_f32_f16(low);
    x[2] = vcvt_f32_f16(vget_low_f16(high));
    x[3] = vcvt_high_f32_f16(high);
}

/** The f16 that is 2^-8 of a number of E4M3, which stands seven bits high behind its sign. */
INLINED float16x8_t f16_of_e4m3(int16x8_t x)
{
    uint16x8_t const bits = vreinterpretq_u16_s16(x), top = vdupq_n_u16(0x3f80);
    uint16x8_t const none = vceqq_u16(vandq_u16(bits, top), top), f16 = vandq_u16(bits, vdupq_n_u16(0xbf80));
    return vreinterpretq_f16_u16(vbslq_u16(none, vdupq_n_u16(0x7e00), f16));
}

INLINED void load_packets(tsr_dtype const type, void const *p, int const n, packet_f32 *x)
{
    if (type == TSR_F32) {
        EACH_OF(n) x[i] = vld1q_f32((float const *)p + 4 * i);
    } else if (type == TSR_BF16) {
        uint16x8_t const low = vld1q_u16((uint16_t const *)p), high = vld1q_u16((uint16_t const *)p + 8);
        x[0] = floats_of(vshll_n_u16(vget_low_u16(low), 16));
        x[1] = floats_of(vshll_high_n_u16(low, 16));
        x[2] = floats_of(vshll_n_u16(vget_low_u16(high), 16));
        x[3] = floats_of(vshll_high_n_u16(high, 16));
    } else if (type == TSR_F16) {
        wide(vreinterpretq_f16_u16(vld1q_u16((uint16_t const *)p)),
             vreinterpretq_f16_u16(vld1q_u16((uint16_t const *)p + 8)), x);
    } else if (type == TSR_F8_E4M3FN) {
        int8x16_t const bytes = vld1q_s8((int8_t const *)p);
        wide(f16_of_e4m3(vshll_n_s8(vget_low_s8(bytes), 7)), f16_of_e4m3(vshll_high_n_s8(bytes, 7)), x);
        EACH_OF(n) x[i] = x[i] * all_f32(256);
    } else {
        uint8x16_t const bytes = vld1q_u8((uint8_t const *)p);
        wide(vreinterpretq_f16_u16(vshll_n_u8(vget_low_u8(bytes), 8)),
             vreinterpretq_f16_u16(vshll_high_n_u8(bytes, 8)), x);
    }
}

/** What is added to the bits of a float so that its upper half is the nearest bf16, ties to even. */
INLINED packet_u32 half_of(packet_u32 bits) { return vsubq_u32(all_u32(0x7fff), vtstq_u32(bits, all_u32(0x10000))); }

INLINED uint16x8_t bf16_of(packet_f32 low, packet_f32 high)
{
    packet_u32 const a = bits_of(low), b = bits_of(high);
    return vaddhn_high_u32(vaddhn_u32(a, half_of(a)), b, half_of(b));
}

INLINED uint16x8_t f16_of(packet_f32 low, packet_f32 high)
{
    return vreinterpretq_u16_f16(vcvt_high_f16_f32(vcvt_f16_f32(low), high));
}

/** Byte k of each of sixteen words. */
INLINED uint8x16_t byte_of_each(packet_u32 const *x, int const k)
{
    uint16x8_t const a = vreinterpretq_u16_u32(x[0]), b = vreinterpretq_u16_u32(x[1]);
    uint16x8_t const c = vreinterpretq_u16_u32(x[2]), d = vreinterpretq_u16_u32(x[3]);
    uint8x16_t const low = vreinterpretq_u8_u16(k < 2 ? vuzp1q_u16(a, b) : vuzp2q_u16(a, b));
    uint8x16_t const high = vreinterpretq_u8_u16(k < 2 ? vuzp1q_u16(c, d) : vuzp2q_u16(c, d));
    return k % 2 == 0 ? vuzp1q_u8(low, high) : vuzp2q_u8(low, high);
}

INLINED uint8x16_t bytes_of(packet_f32 const *x, int const mantissa, uint32_t const least, uint32_t const most,
                            uint32_t const nan)
{
    packet_u32 bits[4], r[4];
    EACH_OF(4) bits[i] = bits_of(x[i]);
    EACH_OF(4) r[i] = vbslq_u32(vceqq_f32(x[i], x[i]), byte_pattern(x[i], mantissa, least, most), all_u32(nan));
    uint8x16_t const patterns = byte_of_each(r, 0); /* no number becomes the one of NaN */
    return vbslq_u8(vbicq_u8(vdupq_n_u8(0x80), vceqq_u8(patterns, vdupq_n_u8((uint8_t)nan))), byte_of_each(bits, 3),
                    patterns);
}

INLINED void store_packets(tsr_dtype const type, void *q, int const n, packet_f32 const *old, packet_f32 const *x)
{
    packet_f32 y[4];
    EACH_OF(n) y[i] = one_nan(old[i], x[i]);
    if (type == TSR_F32) {
        EACH_OF(n) vst1q_f32((float *)q + 4 * i, y[i]);
    } else if (type == TSR_BF16 || type == TSR_F16) {
        bool const bf16 = type == TSR_BF16;
        TSR_UNROLL
        for (int i = 0; i < n; i += 2)
            vst1q_u16((uint16_t *)q + 4 * i, bf16 ? bf16_of(y[i], y[i + 1]) : f16_of(y[i], y[i + 1]));
    }
#define X(id, ...) else if (type == TSR_##id) vst1q_u8((uint8_t *)q, bytes_of(x, __VA_ARGS__));
    BYTE_LIST(X)
#undef X
}

/** store_packets to bf16 by the instructions for it. */
INLINED void store_bf16(void *q, packet_f32 const *x)
{
    TSR_UNROLL
    for (int i = 0; i < 4; i += 2) {
        packet_f32 const low = one_nan(x[i], x[i]), high = one_nan(x[i + 1], x[i + 1]);
        uint16x8_t r;
        __asm__("bfcvtn %0.4h, %1.4s" : "=w"(r) : "w"(low));
        __asm__("bfcvtn2 %0.8h, %1.4s" : "+w"(r) : "w"(high));
        vst1q_u16((uint16_t *)q + 4 * i, r);
    }
}

INLINED packet_f64 low_f64(packet_f32 x) { return vcvt_f64_f32(vget_low_f32(x)); }

INLINED packet_f64 high_f64(packet_f32 x) { return vcvt_high_f64_f32(x); }

INLINED packet_f32 nearest_f32(packet_f64 low, packet_f64 high) { return vcvt_high_f32_f64(vcvt_f32_f64(low), high); }

INLINED packet_f32 odd_f32(packet_f64 low, packet_f64 high) { return vcvtx_high_f32_f64(vcvtx_f32_f64(low), high); }
