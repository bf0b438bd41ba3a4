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

#endif
