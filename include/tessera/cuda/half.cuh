/** Half-precision numbers of kernels, as their 16 bits: F16 and BF16, converted by the hardware to nearest even.
 *
 *  They have the layout of __half and __nv_bfloat16, whose arrays may be passed as theirs.
 */
#ifndef TSR_CUDA_HALF_CUH
#define TSR_CUDA_HALF_CUH

#include "tessera/cuda/words.cuh"

#if TSR_EMULATE
#  include "tessera/emulate/half.h"
#else

TSR_DEVICE uint16_t tsr_f16_bits_(float x)
{
    uint16_t r;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
    return r;
}
TSR_DEVICE float tsr_f16_value_(uint16_t bits)
{
    float r;
    asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(bits));
    return r;
}
TSR_DEVICE uint16_t tsr_bf16_bits_(float x)
{
    uint16_t r;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(x));
    return r;
}
TSR_DEVICE float tsr_bf16_value_(uint16_t bits)
{
    float r;
    asm("cvt.f32.bf16 %0, %1;" : "=f"(r) : "h"(bits));
    return r;
}

/** Two numbers in a register, the first one in the low half. */
TSR_DEVICE uint32_t tsr_pack_f16(float low, float high)
{
    uint32_t r;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
}
TSR_DEVICE uint32_t tsr_pack_bf16(float low, float high)
{
    uint32_t r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
}
#endif

struct tsr_f16 {
    uint16_t bits;
    tsr_f16() = default;
    TSR_DEVICE_MEMBER tsr_f16(float x) : bits(tsr_f16_bits_(x)) {}
    TSR_DEVICE_MEMBER operator float() const { return tsr_f16_value_(bits); }
};

struct tsr_bf16 {
    uint16_t bits;
    tsr_bf16() = default;
    TSR_DEVICE_MEMBER tsr_bf16(float x) : bits(tsr_bf16_bits_(x)) {}
    TSR_DEVICE_MEMBER operator float() const { return tsr_bf16_value_(bits); }
};

template <> constexpr int tsr_number_type_<tsr_f16> = TSR_F16;
template <> constexpr int tsr_number_type_<tsr_bf16> = TSR_BF16;

/** Accumulators as registers of two halves; those that are halves already stay. */
template <int N> TSR_DEVICE void tsr_to_f16(float const (&from)[2 * N], uint32_t (&to)[N])
{
    TSR_UNROLL for (int i = 0; i < N; ++i) to[i] = tsr_pack_f16(from[2 * i], from[2 * i + 1]);
}
template <int N> TSR_DEVICE void tsr_to_f16(uint32_t const (&from)[N], uint32_t (&to)[N])
{
    TSR_UNROLL for (int i = 0; i < N; ++i) to[i] = from[i];
}

#endif
