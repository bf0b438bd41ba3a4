/** Numbers of 8 bits of kernels: E4M3 (finite, at most 448) and E5M2, converted by the hardware to nearest even.
 *  Numbers that are too large become the largest one.
 *
 *      uint16_t two = tsr_pack_pair<TSR_F6_E2M3>(low, high);        two numbers of 6 bits, a byte each
 *      uint32_t halves = tsr_unpack_pair<TSR_F6_E2M3>(two);
 *
 *  They have the layout of __nv_fp8_e4m3 and __nv_fp8_e5m2, whose arrays may be passed as theirs. sm_89 and later;
 *  pairs of fewer bits, and of scales, as cuda/target.cuh says.
 *  Source  PTX ISA 9.0, cvt.
 */
#ifndef TSR_CUDA_FLOAT8_CUH
#define TSR_CUDA_FLOAT8_CUH

#include "tessera/cuda/target.cuh"
#include "tessera/cuda/words.cuh"

#if TSR_EMULATE
#  include "tessera/emulate/float8.h"
#else

/** Two numbers in 16 bits, the first one in the low byte; and one back. */
#  define TSR_FLOAT8_ASM_(name, ptx)                                                     \
    TSR_DEVICE uint16_t tsr_pack_##name(float low, float high)                           \
    {                                                                                    \
      uint16_t r;                                                                        \
      asm("cvt.rn.satfinite." ptx "x2.f32 %0, %1, %2;" : "=h"(r) : "f"(high), "f"(low)); \
      return r;                                                                          \
    }                                                                                    \
    TSR_DEVICE float tsr_##name##_value_(uint8_t bits)                                   \
    {                                                                                    \
      float r;                                                                           \
      asm("{.reg .b32 two; .reg .b16 low, high; cvt.rn.f16x2." ptx "x2 two, %1;"         \
          "mov.b32 {low, high}, two; cvt.f32.f16 %0, low;}"                              \
          : "=f"(r)                                                                      \
          : "h"((uint16_t)bits));                                                        \
      return r;                                                                          \
    }

TSR_FLOAT8_ASM_(e4m3, "e4m3")
TSR_FLOAT8_ASM_(e5m2, "e5m2")

#  undef TSR_FLOAT8_ASM_

/** Two numbers of type F4_E2M1 (in a byte, the first one in its low half), F6_E2M3, F6_E3M2 (a byte each) or F8_E8M0,
 *  the powers of two that scale blocks. To nearest even; a scale is the next power of two that is not smaller. Numbers
 *  that are too large become the largest one. */
template <int Type> TSR_DEVICE uint16_t tsr_pack_pair(float low, float high)
{
    constexpr bool scale = Type == TSR_F8_E8M0, nibbles = Type == TSR_F4_E2M1;
    TSR_NEEDS_VERB_(TSR_VERB_CVT_F4F6, Type);
    uint16_t r;
    if constexpr (nibbles)
        asm("{.reg .b8 two; cvt.rn.satfinite.e2m1x2.f32 two, %1, %2; mov.b16 %0, {two, 0};}"
            : "=h"(r)
            : "f"(high), "f"(low));
    else if constexpr (scale)
        asm("cvt.rp.satfinite.ue8m0x2.f32 %0, %1, %2;" : "=h"(r) : "f"(high), "f"(low));
    else
        asm("cvt.rn.satfinite.%3x2.f32 %0, %1, %2;" : "=h"(r) : "f"(high), "f"(low), "C"(tsr_ptx_type_<Type>::text));
    return r;
}

/** And back, as halves, the first in the low half: of F16, scales of BF16. */
template <int Type> TSR_DEVICE uint32_t tsr_unpack_pair(uint16_t two)
{
    constexpr bool scale = Type == TSR_F8_E8M0, nibbles = Type == TSR_F4_E2M1;
    TSR_NEEDS_VERB_(TSR_VERB_CVT_F4F6, Type);
    uint32_t r;
    if constexpr (nibbles)
        asm("{.reg .b8 two, none; mov.b16 {two, none}, %1; cvt.rn.f16x2.e2m1x2 %0, two;}" : "=r"(r) : "h"(two));
    else if constexpr (scale)
        asm("cvt.rn.bf16x2.ue8m0x2 %0, %1;" : "=r"(r) : "h"(two));
    else
        asm("cvt.rn.f16x2.%2x2 %0, %1;" : "=r"(r) : "h"(two), "C"(tsr_ptx_type_<Type>::text));
    return r;
}
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
