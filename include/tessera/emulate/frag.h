/** Instructions of cuda/frag.cuh. */
#ifndef TSR_EMULATE_FRAG_H
#define TSR_EMULATE_FRAG_H

#include "tessera/emulate/words.h"

namespace tsr_emulator
{
/** The nearest integer, ties to even, kept within `least` and `most`; not a number gives 0. */
inline int rounded_to(float x, float least, float most)
{
    return x == x ? (int)rintf(x < least ? least : x > most ? most : x) : 0;
}
} // namespace tsr_emulator

inline int8_t tsr_rounded_int8_t_(float x) { return (int8_t)tsr_emulator::rounded_to(x, -128, 127); }
inline uint8_t tsr_rounded_uint8_t_(float x) { return (uint8_t)tsr_emulator::rounded_to(x, 0, 255); }
inline int16_t tsr_rounded_int16_t_(float x) { return (int16_t)tsr_emulator::rounded_to(x, -32768, 32767); }
inline uint16_t tsr_rounded_uint16_t_(float x) { return (uint16_t)tsr_emulator::rounded_to(x, 0, 65535); }

/** By the library of C: nearer than the hardware's. */
inline float tsr_exp2(float x)
{
    float const r = exp2f(x);
    return r < 1.17549435e-38f ? 0.0f : r;
}

#endif
