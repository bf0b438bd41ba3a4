/** Instructions of cuda/nibble.cuh. */
#ifndef TSR_EMULATE_NIBBLE_H
#define TSR_EMULATE_NIBBLE_H

#include "tessera/emulate/half.h"

namespace tsr_emulator
{
/** x * y + z of two numbers of 16 bits each, rounded once. */
inline uint32_t fma_pairs(tsr_dtype type, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i += 16) {
        double v[3];
        uint32_t const w[3] = {x >> i & 0xffff, y >> i & 0xffff, z >> i & 0xffff};
        for (int j = 0; j < 3; ++j)
            v[j] = tsr_number_to_double(tsr_decode(type, w[j]));
        r |= (uint32_t)tsr_encode(type, tsr_number_real(fma(v[0], v[1], v[2]))) << i;
    }
    return r;
}
} // namespace tsr_emulator

inline uint32_t tsr_fma_f16(uint32_t x, uint32_t y, uint32_t z) { return tsr_emulator::fma_pairs(TSR_F16, x, y, z); }
inline uint32_t tsr_fma_bf16(uint32_t x, uint32_t y, uint32_t z)
{
    return tsr_emulator::fma_pairs(TSR_BF16, x, y, z);
}
template <uint32_t Mask> inline uint32_t tsr_and_xor_(uint32_t x, uint32_t y) { return (x & Mask) ^ y; }

#endif
