/* Sixteen floats at a time, from memory and to it, by NEON: of f32, bf16, f16 and the two formats of eight bits.
 *
 *  Law     that of exec/compute/sixteen.h.
 */
#include "exec/compute/float_types.h"
#include "exec/neon.h"
#include <arm_neon.h>
#include <string.h>

#define FLOATS 16
#define INLINED static inline __attribute__((always_inline))

/** Four vectors. */
typedef struct floats {
    float32x4_t part[4];
} floats;

#define EACH_PART TSR_UNROLL for (int i = 0; i < 4; ++i)

INLINED uint32x4_t bits_of(float32x4_t x) { return vreinterpretq_u32_f32(x); }

INLINED float32x4_t floats_of(uint32x4_t bits) { return vreinterpretq_f32_u32(bits); }

/** A store makes NaN one pattern by itself. */
INLINED floats one_nan(floats x, floats y)
{
    (void)x;
    return y;
}

INLINED floats nan_of_one(floats x)
{
    EACH_PART x.part[i] = vbslq_f32(vceqq_f32(x.part[i], x.part[i]), x.part[i], floats_of(vdupq_n_u32(0x7fc00000)));
    return x;
}

INLINED floats wide(float16x8_t low, float16x8_t high)
{
    floats const r = {{vcvt_f32_f16(vget_low_f16(low)), vcvt_high_f32_f16(low), vcvt_f32_f16(vget_low_f16(high)),
                       vcvt_high_f32_f16(high)}};
    return r;
}

/** The f16 that is 2^-8 of a number of E4M3, which stands seven bits high behind its sign. */
INLINED float16x8_t f16_of_e4m3(int16x8_t x)
{
    uint16x8_t const bits = vreinterpretq_u16_s16(x), top = vdupq_n_u16(0x3f80);
    uint16x8_t const none = vceqq_u16(vandq_u16(bits, top), top), f16 = vandq_u16(bits, vdupq_n_u16(0xbf80));
    return vreinterpretq_f16_u16(vbslq_u16(none, vdupq_n_u16(0x7e00), f16));
}

INLINED floats load_floats(tsr_dtype type, void const *p)
{
    floats r;
    if (type == TSR_F32) {
        EACH_PART r.part[i] = vld1q_f32((float const *)p + 4 * i);
    } else if (type == TSR_BF16) {
        uint16x8_t const low = vld1q_u16((uint16_t const *)p), high = vld1q_u16((uint16_t const *)p + 8);
        r.part[0] = floats_of(vshll_n_u16(vget_low_u16(low), 16));
        r.part[1] = floats_of(vshll_high_n_u16(low, 16));
        r.part[2] = floats_of(vshll_n_u16(vget_low_u16(high), 16));
        r.part[3] = floats_of(vshll_high_n_u16(high, 16));
    } else if (type == TSR_F16) {
        r = wide(vreinterpretq_f16_u16(vld1q_u16((uint16_t const *)p)),
                 vreinterpretq_f16_u16(vld1q_u16((uint16_t const *)p + 8)));
    } else if (type == TSR_F8_E4M3FN) {
        int8x16_t const x = vld1q_s8((int8_t const *)p);
        r = wide(f16_of_e4m3(vshll_n_s8(vget_low_s8(x), 7)), f16_of_e4m3(vshll_high_n_s8(x, 7)));
        EACH_PART r.part[i] = vmulq_f32(r.part[i], vdupq_n_f32(256));
    } else {
        uint8x16_t const x = vld1q_u8((uint8_t const *)p);
        r = wide(vreinterpretq_f16_u16(vshll_n_u8(vget_low_u8(x), 8)), vreinterpretq_f16_u16(vshll_high_n_u8(x, 8)));
    }
    return r;
}

/** What is added to the bits of a float so that its upper half is the nearest bf16, ties to even. */
INLINED uint32x4_t half_of(uint32x4_t bits)
{
    return vsubq_u32(vdupq_n_u32(0x7fff), vtstq_u32(bits, vdupq_n_u32(0x10000)));
}

INLINED uint16x8_t bf16_of(float32x4_t low, float32x4_t high)
{
    uint32x4_t const a = bits_of(low), b = bits_of(high);
    return vaddhn_high_u32(vaddhn_u32(a, half_of(a)), b, half_of(b));
}

INLINED uint16x8_t f16_of(float32x4_t low, float32x4_t high)
{
    return vreinterpretq_u16_f16(vcvt_high_f16_f32(vcvt_f16_f32(low), high));
}

/** The patterns of a format of eight bits without their signs, as byte_of of exec/compute/sixteen.h. */
INLINED uint32x4_t pattern_of(float32x4_t x, int const mantissa, uint32_t const least, uint32_t const most,
                              uint32_t const nan)
{
    int const shift = 23 - mantissa;
    uint32x4_t const a = vminq_u32(bits_of(vabsq_f32(x)), vdupq_n_u32(most));
    uint32x4_t const power = vmaxq_u32(vandq_u32(a, vdupq_n_u32(0x7f800000)), vdupq_n_u32(least));
    uint32x4_t const up = vaddq_u32(power, vdupq_n_u32((uint32_t)shift << 23));
    uint32x4_t const steps = vsubq_u32(bits_of(vaddq_f32(floats_of(a), floats_of(up))), up);
    uint32x4_t const r = steps + ((power - least) >> shift);
    return vbslq_u32(vceqq_f32(x, x), r, vdupq_n_u32(nan));
}

/** Byte k of each of sixteen words. */
INLINED uint8x16_t bytes_of(uint32x4_t const *x, int const k)
{
    uint16x8_t const a = vreinterpretq_u16_u32(x[0]), b = vreinterpretq_u16_u32(x[1]);
    uint16x8_t const c = vreinterpretq_u16_u32(x[2]), d = vreinterpretq_u16_u32(x[3]);
    uint8x16_t const low = vreinterpretq_u8_u16(k < 2 ? vuzp1q_u16(a, b) : vuzp2q_u16(a, b));
    uint8x16_t const high = vreinterpretq_u8_u16(k < 2 ? vuzp1q_u16(c, d) : vuzp2q_u16(c, d));
    return k % 2 == 0 ? vuzp1q_u8(low, high) : vuzp2q_u8(low, high);
}

INLINED uint8x16_t byte_of(floats x, int const mantissa, uint32_t const least, uint32_t const most,
                           uint32_t const nan)
{
    uint32x4_t bits[4], r[4];
    EACH_PART bits[i] = bits_of(x.part[i]);
    EACH_PART r[i] = pattern_of(x.part[i], mantissa, least, most, nan);
    uint8x16_t const patterns = bytes_of(r, 0); /* no number becomes the one of NaN */
    return vbslq_u8(vbicq_u8(vdupq_n_u8(0x80), vceqq_u8(patterns, vdupq_n_u8((uint8_t)nan))), bytes_of(bits, 3),
                    patterns);
}

INLINED void store_floats(tsr_dtype type, void *q, floats x)
{
    if (type % 256 > 8)
        x = nan_of_one(x);
    if (type == TSR_F32) {
        EACH_PART vst1q_f32((float *)q + 4 * i, x.part[i]);
    } else if (type == TSR_BF16 || type == TSR_F16) {
        bool const brain = type == TSR_BF16;
        TSR_UNROLL
        for (int i = 0; i < 4; i += 2)
            vst1q_u16((uint16_t *)q + 4 * i,
                      brain ? bf16_of(x.part[i], x.part[i + 1]) : f16_of(x.part[i], x.part[i + 1]));
    } else { /* the least normal number and what is the most, as in exec/compute/sixteen.h */
        vst1q_u8((uint8_t *)q, type == TSR_F8_E4M3FN ? byte_of(x, 3, 0x3c800000, 0x43e00000, 0x7f)
                                                     : byte_of(x, 2, 0x38800000, 0x47800000, 0x7e));
    }
}

/** store_floats to bf16 by the instructions for it. */
INLINED void store_brains(void *q, floats x)
{
    x = nan_of_one(x);
    TSR_UNROLL
    for (int i = 0; i < 4; i += 2) {
        uint16x8_t r;
        __asm__("bfcvtn %0.4h, %1.4s" : "=w"(r) : "w"(x.part[i]));
        __asm__("bfcvtn2 %0.8h, %1.4s" : "+w"(r) : "w"(x.part[i + 1]));
        vst1q_u16((uint16_t *)q + 4 * i, r);
    }
}
