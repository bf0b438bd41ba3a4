/** Numbers of 4 bits of kernels, eight to a register: U4, I4 and E2M1 (0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives),
 *  and how they become halves: by the bits of an exponent and one addition, without conversions.
 *
 *      uint32_t h[4];
 *      tsr_unpack_f16<tsr_i4>(word, h);                       h[i] = numbers 2*i and 2*i + 1 of the word
 *      tsr_unpack_f16<tsr_i4, TSR_NIBBLES_APART>(word, h);    h[i] = numbers i and i + 4
 *      tsr_unpack_bf16<tsr_e2m1>(word, h);
 *      auto h = tsr_frag_cast<tsr_f16>(x);                    of a fragment of them (cuda/frag.cuh), by the same
 *
 *  Number i of a word is bits 4*i to 4*i + 3. For a word of u4 or i4, in order takes 12 instructions to f16 and 13 to
 *  bf16, apart 9 and 11; e2m1 takes 4 to 5 a pair. What is packed once and read often is packed apart: a layout says
 *  so, `(2,4):(4,1)` for the numbers 0 to 7 of a word.
 *
 *  Law     unpacked numbers are exact; number x becomes the nearest one that there is, ties to the even code, too large
 *          ones the largest, and what is not a number 0.
 *  Source  PTX ISA 9.0, lop3, prmt, fma; Kim and others, "Who Says Elephants Can't Run", 2022, for the exponent.
 */
#ifndef TSR_CUDA_NIBBLE_CUH
#define TSR_CUDA_NIBBLE_CUH

#include "tessera/cuda/words.cuh"

struct tsr_u4 {
    uint8_t bits;
    tsr_u4() = default;
    TSR_DEVICE_MEMBER tsr_u4(float x) { bits = (uint8_t)rintf(fminf(fmaxf(x, 0.0f), 15.0f)); }
    TSR_DEVICE_MEMBER operator float() const { return (float)bits; }
};

struct tsr_i4 {
    uint8_t bits;
    tsr_i4() = default;
    TSR_DEVICE_MEMBER tsr_i4(float x)
    {
        bits = x == x ? (uint8_t)((int)rintf(fminf(fmaxf(x, -8.0f), 7.0f)) & 15) : (uint8_t)0;
    }
    TSR_DEVICE_MEMBER operator float() const { return (float)((bits ^ 8) - 8); }
};

struct tsr_e2m1 {
    uint8_t bits;
    tsr_e2m1() = default;
    TSR_DEVICE_MEMBER tsr_e2m1(float x)
    {
        float const a = fabsf(x);
        int const code = (a > 0.25f) + (a >= 0.75f) + (a > 1.25f) + (a >= 1.75f) + (a > 2.5f) + (a >= 3.5f) + (a > 5);
        bits = (uint8_t)(code | (x == x ? __float_as_uint(x) >> 28 & 8 : 0));
    }
    TSR_DEVICE_MEMBER operator float() const
    {
        int const e = bits >> 1 & 3, m = bits & 1;
        float const a = e == 0 ? 0.5f * (float)m : (1.0f + 0.5f * (float)m) * (float)((1 << e) >> 1);
        return bits & 8 ? -a : a;
    }
};

template <> constexpr int tsr_number_type_<tsr_u4> = TSR_U4;
template <> constexpr int tsr_number_type_<tsr_i4> = TSR_I4;
template <> constexpr int tsr_number_type_<tsr_e2m1> = TSR_F4_E2M1;
template <> constexpr int tsr_number_bits_<tsr_u4> = 4;
template <> constexpr int tsr_number_bits_<tsr_i4> = 4;
template <> constexpr int tsr_number_bits_<tsr_e2m1> = 4;

/** Which numbers of a word go into one register of two halves: neighbours, or i and i + 4. */
enum tsr_nibble_order { TSR_NIBBLES_IN_ORDER, TSR_NIBBLES_APART };

#if TSR_EMULATE
#  include "tessera/emulate/nibble.h"
#else

/** x * y + z of two halves each. */
TSR_DEVICE uint32_t tsr_fma_f16(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t r;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
    return r;
}
TSR_DEVICE uint32_t tsr_fma_bf16(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t r;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
    return r;
}

/** x & Mask ^ y in one instruction: with two constants the compiler makes two. */
template <uint32_t Mask> TSR_DEVICE uint32_t tsr_and_xor_(uint32_t x, uint32_t y)
{
    uint32_t r;
    asm("lop3.b32 %0, %1, %2, %3, 0x6a;" : "=r"(r) : "r"(x), "n"(Mask), "r"(y));
    return r;
}
#endif

/** Numbers of two words' bits, i of the first in the low half, i of the second in the high one, at the top of each. */
template <int Byte> TSR_DEVICE uint32_t tsr_nibble_pair_(uint32_t low, uint32_t high)
{
    return __byte_perm(low, high, Byte | Byte << 4 | (4 + Byte) << 8 | (4 + Byte) << 12);
}

/** Register I of a word: integers. `flip` is 8 where the number is signed: the offset is then 8 more. */
template <bool Signed, tsr_nibble_order Order, int I> TSR_DEVICE uint32_t tsr_integers_f16_(uint32_t w)
{
    if constexpr (Order == TSR_NIBBLES_IN_ORDER) /* 1024 + a; 1024 + 16*b */
        return tsr_fma_f16(tsr_and_xor_<0x00f0000fu>(tsr_nibble_pair_<I>(w, w), Signed ? 0x64806408u : 0x64006400u),
                           0x2c003c00u, Signed ? 0xd480e408u : 0xd400e400u);
    else if constexpr (I % 2 == 0)
        return tsr_fma_f16(tsr_and_xor_<0x000f000fu>(w >> 4 * I, Signed ? 0x64086408u : 0x64006400u), 0x3c003c00u,
                           Signed ? 0xe408e408u : 0xe400e400u);
    else
        return tsr_fma_f16(tsr_and_xor_<0x00f000f0u>(w >> 4 * (I - 1), Signed ? 0x64806480u : 0x64006400u),
                           0x2c002c00u, Signed ? 0xd480d480u : 0xd400d400u);
}

template <bool Signed, tsr_nibble_order Order, int I> TSR_DEVICE uint32_t tsr_integers_bf16_(uint32_t w)
{
    uint32_t const pair = Order == TSR_NIBBLES_IN_ORDER ? tsr_nibble_pair_<I>(w, w >> 4) : w >> 4 * I;
    return tsr_fma_bf16(tsr_and_xor_<0x000f000fu>(pair, Signed ? 0x43084308u : 0x43004300u),
                        0x3f803f80u, /* 128 + a */
                        Signed ? 0xc308c308u : 0xc300c300u);
}

/** Register I of a word of e2m1 as `Half`: its bits, where those of the half are, and a power of two. */
template <bool Bf16, tsr_nibble_order Order, int I> TSR_DEVICE uint32_t tsr_e2m1_pair_(uint32_t w)
{
    uint32_t const pair = Order == TSR_NIBBLES_IN_ORDER ? tsr_nibble_pair_<I>(w << 4, w) : w << (12 - 4 * I);
    if constexpr (Bf16)
        return tsr_fma_bf16((pair & 0x80008000u) | (pair >> 6 & 0x01c001c0u), 0x7e807e80u, 0x80008000u);
    else
        return tsr_fma_f16((pair & 0x80008000u) | (pair >> 3 & 0x0e000e00u), 0x74007400u, 0x80008000u);
}

template <class T, bool Bf16, tsr_nibble_order Order, int I> TSR_DEVICE uint32_t tsr_unpack_(uint32_t w)
{
    constexpr int type = tsr_number_type_<T>;
    static_assert(type == TSR_U4 || type == TSR_I4 || type == TSR_F4_E2M1,
                  "tsr_unpack_f16: words of tsr_u4, tsr_i4 or tsr_e2m1");
    if constexpr (type == TSR_F4_E2M1)
        return tsr_e2m1_pair_<Bf16, Order, I>(w);
    else if constexpr (Bf16)
        return tsr_integers_bf16_<type == TSR_I4, Order, I>(w);
    else
        return tsr_integers_f16_<type == TSR_I4, Order, I>(w);
}

/** The eight numbers of a word as halves, two to a register, the first in the low half. */
template <class T, tsr_nibble_order Order = TSR_NIBBLES_IN_ORDER>
TSR_DEVICE void tsr_unpack_f16(uint32_t word, uint32_t *out)
{
    out[0] = tsr_unpack_<T, false, Order, 0>(word);
    out[1] = tsr_unpack_<T, false, Order, 1>(word);
    out[2] = tsr_unpack_<T, false, Order, 2>(word);
    out[3] = tsr_unpack_<T, false, Order, 3>(word);
}

template <class T, tsr_nibble_order Order = TSR_NIBBLES_IN_ORDER>
TSR_DEVICE void tsr_unpack_bf16(uint32_t word, uint32_t *out)
{
    out[0] = tsr_unpack_<T, true, Order, 0>(word);
    out[1] = tsr_unpack_<T, true, Order, 1>(word);
    out[2] = tsr_unpack_<T, true, Order, 2>(word);
    out[3] = tsr_unpack_<T, true, Order, 3>(word);
}

#endif
