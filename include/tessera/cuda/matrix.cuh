/** Copies of 8x8 matrices of 16-bit elements between shared memory and the registers of a warp; of 8, 6 and 4 bits,
 *  too.
 *
 *      tsr_ldmatrix<4>(r, row);                 four matrices
 *      tsr_ldmatrix<4, false, 4>(r, row);       four of 8x16 elements of 4 bits, each of which comes in a byte
 *
 *  Law     lane t gives the address of row t % 8 of matrix t / 8; register r of lane t then holds the elements
 *          2*(t % 4) and 2*(t % 4) + 1 of row t / 4 of matrix r; the transposed forms exchange row and column. These
 *          are the layouts of the atoms SM75_U32x4_LDSM_N, SM90_U32x4_STSM_N and so on (atom/copy_layout.h); below 16
 *          bits of SM100_U8x8_LDSM_T, SM100_SU4_DU8x16_x4_LDSM_N and so on.
 *  Needs   rows of 16 bytes, aligned to 16.
 *  Source  PTX ISA 9.0, ldmatrix, stmatrix, movmatrix.
 */
#ifndef TSR_CUDA_MATRIX_CUH
#define TSR_CUDA_MATRIX_CUH

#include "tessera/cuda/target.cuh"
#include "tessera/cuda/words.cuh"

TSR_WORD(tsr_ptx_trans_, ".trans");

#if TSR_EMULATE
#  include "tessera/emulate/matrix.h"
#else

/** The address of shared memory as the instructions take it. */
TSR_DEVICE uint32_t tsr_smem_address(void const *at) { return (uint32_t)__cvta_generic_to_shared(at); }

/** The shared memory whose size the launch gives, aligned to 1024 bytes. */
extern __shared__ __align__(1024) unsigned char tsr_dynamic_smem_[];
template <class T> TSR_DEVICE T *tsr_dynamic_smem(void) { return reinterpret_cast<T *>(tsr_dynamic_smem_); }

/** The shape of a matrix and the type of its elements; those below a byte become bytes. */
template <int Bits, bool Tall> struct tsr_ptx_matrix_;
#  define TSR_X_(bits, tall, words, type)                   \
    template <> struct tsr_ptx_matrix_<bits, tall> {        \
      static constexpr char shape[] = words, name[] = type; \
    };
TSR_X_(16, false, "m8n8", "b16")
TSR_X_(8, false, "m16n8", "b8")
TSR_X_(8, true, "m16n16", "b8")
TSR_X_(6, false, "m8n16", "b8x16.b6x16_p32")
TSR_X_(6, true, "m16n16", "b8x16.b6x16_p32")
TSR_X_(4, false, "m8n16", "b8x16.b4x16_p64")
TSR_X_(4, true, "m16n16", "b8x16.b4x16_p64")
#  undef TSR_X_

/* clang-format off */
#define TSR_CUTS_(n) "C"(tsr_ptx_cut_<n == 1>::text), "C"(tsr_ptx_cut_<n == 2>::text), "C"(tsr_ptx_cut_<n == 4>::text)
/* clang-format on */

/** `Count` matrices into a register each. Matrices of 16 bits are 8x8. Those of 8 bits are 16x16, come transposed and
 *  into two registers, 1 or 2 at once. Those of 6 and 4 bits are 8x16, or 16x16 transposed. A row of theirs has its
 *  16 elements in the first 12, or 8, of 16 bytes, and each comes in the low bits of a byte. */
template <int Count, bool Transposed = false, int Bits = 16>
TSR_DEVICE void tsr_ldmatrix(uint32_t *r, void const *row)
{
    constexpr bool tall = Bits < 16 && Transposed;
    constexpr int n = tall ? 2 * Count : Count;
    static_assert(Bits == 16 || Bits == 8 || Bits == 6 || Bits == 4, "tsr_ldmatrix: elements of 16, 8, 6 or 4 bits");
    static_assert(Count == 1 || Count == 2 || (Count == 4 && !tall),
                  "tsr_ldmatrix: 1, 2 or 4 matrices, of 16x16 elements 1 or 2");
    static_assert(Bits != 8 || Transposed,
                  "tsr_ldmatrix: matrices of bytes come transposed; else take pairs of 16 bits");
    if constexpr (Bits < 16)
        TSR_NEEDS_VERB_(TSR_VERB_LDMATRIX_B8, Bits);
    uint32_t none;
    asm volatile("ldmatrix.sync.aligned.%5.x%6%7.shared.%8 {%0 %9, %1 %10, %2, %3 %11*/, [%4];"
                 : "=r"(r[0]), "=r"(*(n > 1 ? r + 1 : &none)), "=r"(*(n > 2 ? r + 2 : &none)),
                   "=r"(*(n > 2 ? r + 3 : &none))
                 : "r"(tsr_smem_address(row)), "C"(tsr_ptx_matrix_<Bits, tall>::shape), "n"(Count),
                   "C"(tsr_ptx_trans_<Transposed>::text), "C"(tsr_ptx_matrix_<Bits, tall>::name), TSR_CUTS_(n)
                 : "memory");
}

/** The other way; sm_90. Matrices of 8 bits are 16x8 and go transposed, a register each. */
template <int Count, bool Transposed = false, int Bits = 16>
TSR_DEVICE void tsr_stmatrix(void *row, uint32_t const *r)
{
    static_assert(Count == 1 || Count == 2 || Count == 4, "tsr_stmatrix: 1, 2 or 4 matrices");
    static_assert(Bits == 16 || Bits == 8, "tsr_stmatrix: elements of 16 or 8 bits");
    static_assert(Bits != 8 || Transposed,
                  "tsr_stmatrix: matrices of bytes go transposed; else take pairs of 16 bits");
    if constexpr (Bits < 16)
        TSR_NEEDS_VERB_(TSR_VERB_STMATRIX_B8, Bits);
    uint32_t const none = 0;
    asm volatile("stmatrix.sync.aligned.%5.x%6%7.shared.%8 [%4], {%0 %9, %1 %10, %2, %3 %11*/;" ::"r"(r[0]),
                 "r"(Count > 1 ? r[1] : none), "r"(Count > 2 ? r[2] : none), "r"(Count > 2 ? r[3] : none),
                 "r"(tsr_smem_address(row)), "C"(tsr_ptx_matrix_<Bits, false>::shape), "n"(Count),
                 "C"(tsr_ptx_trans_<Transposed>::text), "C"(tsr_ptx_matrix_<Bits, false>::name), TSR_CUTS_(Count)
                 : "memory");
}

#  undef TSR_CUTS_

/** The matrix that the warp's registers hold, transposed. */
TSR_DEVICE uint32_t tsr_movmatrix(uint32_t r)
{
    uint32_t d;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(r));
    return d;
}
#endif

#endif
