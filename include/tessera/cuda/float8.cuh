/** Numbers of 8 bits of kernels: E4M3 (finite, at most 448) and E5M2, converted by the hardware to nearest even.
 *  Numbers that are too large become the largest one.
 *
 *  They have the layout of __nv_fp8_e4m3 and __nv_fp8_e5m2, whose arrays may be passed as theirs. sm_89 and later.
 *  Source  PTX ISA 9.0, cvt.
 */
#ifndef TSR_CUDA_FLOAT8_CUH
#define TSR_CUDA_FLOAT8_CUH

#include "tessera/cuda/words.cuh"

#if TSR_EMULATE
#  include "tessera/emulate/float8.h"
#else

/** Two numbers in 16 bits, the first one in the low byte; and one back. */
#define TSR_FLOAT8_ASM_(name, ptx)                                                      \
  TSR_DEVICE uint16_t tsr_pack_##name(float low, float high)                            \
  {                                                                                     \
    uint16_t r;                                                                         \
    asm("cvt.rn.satfinite." ptx "x2.f32 %0, %1, %2;" : "=h"(r) : "f"(high), "f"(low));  \
    return r;                                                                           \
  }                                                                                     \
  TSR_DEVICE float tsr_##name##_value_(uint8_t bits)                                    \
  {                                                                                     \
    float r;                                                                            \
    asm("{.reg .b32 two; .reg .b16 low, high; cvt.rn.f16x2." ptx "x2 two, %1;"          \
        "mov.b32 {low, high}, two; cvt.f32.f16 %0, low;}"                               \
        : "=f"(r)                                                                       \
        : "h"((uint16_t)bits));                                                         \
    return r;                                                                           \
  }

TSR_FLOAT8_ASM_(e4m3, "e4m3")
TSR_FLOAT8_ASM_(e5m2, "e5m2")

#undef TSR_FLOAT8_ASM_
#endif

#define TSR_FLOAT8_(name)                                                               \
  struct tsr_##name {                                                                   \
    uint8_t bits;                                                                       \
    tsr_##name() = default;                                                             \
    TSR_DEVICE_MEMBER tsr_##name(float x) { bits = (uint8_t)tsr_pack_##name(x, 0.0f); } \
    TSR_DEVICE_MEMBER operator float() const { return tsr_##name##_value_(bits); }      \
  };

TSR_FLOAT8_(e4m3)
TSR_FLOAT8_(e5m2)

#undef TSR_FLOAT8_

template <> constexpr int tsr_number_type_<tsr_e4m3> = TSR_F8_E4M3FN;
template <> constexpr int tsr_number_type_<tsr_e5m2> = TSR_F8_E5M2;

#endif
