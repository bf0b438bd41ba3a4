/** What cuda/matrix.cuh has as instructions, on the emulator. */
#ifndef TSR_EMULATE_MATRIX_H
#define TSR_EMULATE_MATRIX_H

#include "tessera/emulate/memory.h"
#include "tessera/emulate/words.h"

inline uint32_t tsr_smem_address(void const *at) { return tsr_emulator::address_of(at, "tsr_smem_address"); }
inline size_t __cvta_generic_to_shared(void const *at) { return tsr_smem_address(at); }

template <class T> inline T *tsr_dynamic_smem(void)
{
    return reinterpret_cast<T *>(tsr_emulator::here().shared + tsr_emulator::FIRST_BYTE);
}

namespace tsr_emulator
{

/** The rows of matrices, and the registers, of a lane. */
struct matrices {
    uint8_t *row;
    uint32_t *r;
};

/** Checks the rows that lanes give. */
inline bool rows_fit(void **of, int lanes)
{
    for (int lane = 0; lane < lanes; ++lane) {
        uint8_t *const row = static_cast<matrices *>(of[lane])->row;
        cta *const c = cta_of(row);
        uint32_t const at = address_of(row, "ldmatrix, stmatrix");
        if (!c || !inside(*c, at, 16, "ldmatrix, stmatrix"))
            return false;
        if (at % 16 != 0) {
            refuse("ldmatrix, stmatrix: the row of lane %d is at byte %u; a multiple of 16", lane, at);
            return false;
        }
    }
    return true;
}

/** Moves the 8x8 matrices of 16 bits of a warp, from memory to registers or back. Lane 8*j + row has the address of a
 *  row of matrix j. */
template <int Count, bool Transposed, bool Load> void move_matrices(void **of)
{
    if (!rows_fit(of, 8 * Count))
        return;
    for (int lane = 0; lane < LANES; ++lane)
        for (int j = 0; j < Count; ++j)
            for (int half = 0; half < 2; ++half) {
                int const x = lane / 4, y = 2 * (lane % 4) + half, row = Transposed ? y : x,
                          column = Transposed ? x : y;
                uint8_t *const at = static_cast<matrices *>(of[8 * j + row])->row + 2 * column;
                uint8_t *const mine =
                    reinterpret_cast<uint8_t *>(static_cast<matrices *>(of[lane])->r + j) + 2 * half;
                memcpy(Load ? mine : at, Load ? at : mine, 2);
            }
}

/** Element `column` of a row of 16 elements of `bits` bits, at the front of 16 bytes. */
inline uint8_t small_element(uint8_t const *row, int column, int bits)
{
    uint32_t w = row[column * bits / 8];
    if (column * bits / 8 + 1 < 16)
        w |= (uint32_t)row[column * bits / 8 + 1] << 8;
    return (uint8_t)(w >> column * bits % 8 & ((1u << bits) - 1));
}

/** Matrices of 4 and 6 bits, 8 x 16: register j of lane t has columns 4*(t % 4) on of row t / 4. */
template <int Count, int Bits> void move_small(void **of)
{
    if (!rows_fit(of, 8 * Count))
        return;
    for (int lane = 0; lane < LANES; ++lane)
        for (int j = 0; j < Count; ++j)
            for (int i = 0; i < 4; ++i)
                reinterpret_cast<uint8_t *>(static_cast<matrices *>(of[lane])->r + j)[i] =
                    small_element(static_cast<matrices *>(of[8 * j + lane / 4])->row, 4 * (lane % 4) + i, Bits);
}

} // namespace tsr_emulator

template <int Count, bool Transposed = false, int Bits = 16> inline void tsr_ldmatrix(uint32_t *r, void const *row)
{
    static_assert(Count == 1 || Count == 2 || Count == 4, "tsr_ldmatrix: 1, 2 or 4 matrices");
    tsr_emulator::matrices mine = {static_cast<uint8_t *>(const_cast<void *>(row)), r};
    if constexpr (Bits == 16)
        tsr_emulator::meet_warp(~0u, "ldmatrix", &mine, tsr_emulator::move_matrices<Count, Transposed, true>);
    else if constexpr (!Transposed)
        tsr_emulator::meet_warp(~0u, "ldmatrix", &mine, tsr_emulator::move_small<Count, Bits>);
    else
        tsr_emulator::refuse("ldmatrix of %d bits, transposed, is not emulated", Bits);
}

template <int Count, bool Transposed = false, int Bits = 16> inline void tsr_stmatrix(void *row, uint32_t const *r)
{
    static_assert(Count == 1 || Count == 2 || Count == 4, "tsr_stmatrix: 1, 2 or 4 matrices");
    tsr_emulator::matrices mine = {static_cast<uint8_t *>(row), const_cast<uint32_t *>(r)};
    if constexpr (Bits == 16)
        tsr_emulator::meet_warp(~0u, "stmatrix", &mine, tsr_emulator::move_matrices<Count, Transposed, false>);
    else
        tsr_emulator::refuse("stmatrix of %d bits is not emulated", Bits);
}

/** movmatrix: the matrix of the warp, transposed. */
inline uint32_t tsr_movmatrix(uint32_t r)
{
    tsr_emulator::exchanged<uint32_t> mine = {r, r, 0};
    tsr_emulator::meet_warp(~0u, "movmatrix", &mine, [](void **of) {
        for (int lane = 0; lane < tsr_emulator::LANES; ++lane) {
            uint32_t got = 0;
            for (int half = 0; half < 2; ++half) { /* row lane / 4, column 2 * (lane % 4) + half of the result */
                int const row = 2 * (lane % 4) + half, column = lane / 4;
                auto const *const x = static_cast<tsr_emulator::exchanged<uint32_t> *>(of[4 * row + column / 2]);
                got |= (x->given >> 16 * (column % 2) & 0xffff) << 16 * half;
            }
            static_cast<tsr_emulator::exchanged<uint32_t> *>(of[lane])->got = got;
        }
    });
    return mine.got;
}

#endif
