/** Conversions of cuda/half.cuh, by the formats of base/dtype.h. */
#ifndef TSR_EMULATE_HALF_H
#define TSR_EMULATE_HALF_H

#include "tessera/base/number.h"
#include "tessera/emulate/words.h"

namespace tsr_emulator
{
inline uint32_t bits_of(tsr_dtype type, float x) { return (uint32_t)tsr_encode(type, tsr_number_real((double)x)); }
inline float value_of(tsr_dtype type, uint32_t bits) { return (float)tsr_number_to_double(tsr_decode(type, bits)); }
} // namespace tsr_emulator

inline uint16_t tsr_f16_bits_(float x) { return (uint16_t)tsr_emulator::bits_of(TSR_F16, x); }
inline uint16_t tsr_bf16_bits_(float x) { return (uint16_t)tsr_emulator::bits_of(TSR_BF16, x); }
inline float tsr_f16_value_(uint16_t bits) { return tsr_emulator::value_of(TSR_F16, bits); }
inline float tsr_bf16_value_(uint16_t bits) { return tsr_emulator::value_of(TSR_BF16, bits); }
inline uint32_t tsr_pack_f16(float low, float high)
{
    return tsr_f16_bits_(low) | (uint32_t)tsr_f16_bits_(high) << 16;
}
inline uint32_t tsr_pack_bf16(float low, float high)
{
    return tsr_bf16_bits_(low) | (uint32_t)tsr_bf16_bits_(high) << 16;
}

#endif
