/** Conversions of cuda/float8.cuh; numbers that are too large, infinities too, become the largest one. */
#ifndef TSR_EMULATE_FLOAT8_H
#define TSR_EMULATE_FLOAT8_H

#include "tessera/emulate/half.h"

namespace tsr_emulator
{
inline uint8_t saturated(tsr_dtype type, float x, float largest)
{
    return (uint8_t)bits_of(type, x > largest ? largest : x < -largest ? -largest : x);
}
} // namespace tsr_emulator

inline uint16_t tsr_pack_e4m3(float low, float high)
{
    return (uint16_t)(tsr_emulator::saturated(TSR_F8_E4M3FN, low, 448)
                      | tsr_emulator::saturated(TSR_F8_E4M3FN, high, 448) << 8);
}
inline uint16_t tsr_pack_e5m2(float low, float high)
{
    return (uint16_t)(tsr_emulator::saturated(TSR_F8_E5M2, low, 57344)
                      | tsr_emulator::saturated(TSR_F8_E5M2, high, 57344) << 8);
}
inline float tsr_e4m3_value_(uint8_t bits) { return tsr_emulator::value_of(TSR_F8_E4M3FN, bits); }
inline float tsr_e5m2_value_(uint8_t bits) { return tsr_emulator::value_of(TSR_F8_E5M2, bits); }

namespace tsr_emulator
{

/** The number as one of 4 or 6 bits; as a scale the next power of two that is not smaller. */
inline uint32_t small_bits(tsr_dtype type, float x)
{
    if (type != TSR_F8_E8M0)
        return bits_of(type, x);
    int e = 0;
    float const part = frexpf(x, &e);
    if (x != x)
        return 255;
    e = (part == 0.5f ? e - 1 : e) + 127;
    return x <= 0 || e < 0 ? 0u : e > 254 ? 254u : (uint32_t)e;
}

} // namespace tsr_emulator

template <int Type> inline uint16_t tsr_pack_pair(float low, float high)
{
    return (uint16_t)(tsr_emulator::small_bits(Type, low)
                      | tsr_emulator::small_bits(Type, high) << (Type == TSR_F4_E2M1 ? 4 : 8));
}
template <int Type> inline uint32_t tsr_unpack_pair(uint16_t two)
{
    int const bits = tsr_dtype_bits(Type), apart = Type == TSR_F4_E2M1 ? 4 : 8;
    tsr_dtype const to = Type == TSR_F8_E8M0 ? TSR_BF16 : TSR_F16;
    uint32_t r = 0;
    for (int i = 0; i < 2; ++i)
        r |= tsr_emulator::bits_of(to, tsr_emulator::value_of(Type, two >> apart * i & ((1u << bits) - 1))) << 16 * i;
    return r;
}

#endif
