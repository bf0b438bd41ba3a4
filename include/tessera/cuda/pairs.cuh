/** Floats two at a time, and the largest of a warp: one instruction where the target has it, else several.
 *
 *      float2 c = tsr_fma_pair(a, b, c);            c.x = a.x*b.x + c.x, c.y = a.y*b.y + c.y
 *      float m = tsr_warp_max(x);                   of all 32 lanes
 *      float m = tsr_max_of(x, y, z);
 *
 *  Law     the same bits on every target: each part is rounded to nearest even; what is not a number is left out of a
 *          maximum.
 *  Source  PTX ISA 9.0, fma, add, mul (.f32x2), redux.sync, max.
 */
#ifndef TSR_CUDA_PAIRS_CUH
#define TSR_CUDA_PAIRS_CUH

#include "tessera/cuda/target.cuh"
#include "tessera/cuda/words.cuh"

/** Two floats as the register of 64 bits that they are. */
TSR_DEVICE uint64_t tsr_pair_bits_(float2 x) { return (uint64_t)__float_as_uint(x.y) << 32 | __float_as_uint(x.x); }
TSR_DEVICE float2 tsr_pair_of_(uint64_t bits)
{
    return make_float2(__uint_as_float((uint32_t)bits), __uint_as_float((uint32_t)(bits >> 32)));
}

/** a*b + c, rounded once. */
template <int Arch = 0> TSR_DEVICE float2 tsr_fma_pair(float2 a, float2 b, float2 c)
{
    if constexpr (tsr_has_verb<TSR_VERB_F32X2, Arch> && !TSR_EMULATE) {
        uint64_t r;
        asm("fma.rn.f32x2 %0, %1, %2, %3;"
            : "=l"(r)
            : "l"(tsr_pair_bits_(a)), "l"(tsr_pair_bits_(b)), "l"(tsr_pair_bits_(c)));
        return tsr_pair_of_(r);
    } else {
        return make_float2(fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y));
    }
}

/** a + b. */
template <int Arch = 0> TSR_DEVICE float2 tsr_add_pair(float2 a, float2 b)
{
    if constexpr (tsr_has_verb<TSR_VERB_F32X2, Arch> && !TSR_EMULATE) {
        uint64_t r;
        asm("add.rn.f32x2 %0, %1, %2;" : "=l"(r) : "l"(tsr_pair_bits_(a)), "l"(tsr_pair_bits_(b)));
        return tsr_pair_of_(r);
    } else {
        return make_float2(a.x + b.x, a.y + b.y);
    }
}

/** The largest of all lanes' numbers, in all lanes of the warp. */
template <int Arch = 0> TSR_DEVICE float tsr_warp_max(float x)
{
    if constexpr (tsr_has_verb<TSR_VERB_REDUX_F32, Arch> && !TSR_EMULATE) {
        asm volatile("redux.sync.max.f32 %0, %0, 0xffffffff;" : "+f"(x));
    } else {
        TSR_UNROLL for (int lane = 16; lane > 0; lane /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, lane));
    }
    return x;
}

/** The largest of three. */
template <int Arch = 0> TSR_DEVICE float tsr_max_of(float x, float y, float z)
{
    if constexpr (tsr_has_verb<TSR_VERB_MAX_3, Arch> && !TSR_EMULATE)
        asm("max.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(y), "f"(z));
    else
        x = fmaxf(fmaxf(x, y), z);
    return x;
}

#endif
