/** Copies of 8x8 matrices of 16-bit elements between shared memory and the registers of a warp.
 *
 *  Law     lane t gives the address of row t % 8 of matrix t / 8; register r of lane t then holds the elements
 *          2*(t % 4) and 2*(t % 4) + 1 of row t / 4 of matrix r; the transposed forms exchange row and column. These
 *          are the layouts of the atoms SM75_U32x4_LDSM_N, SM90_U32x4_STSM_N and so on (atom/copy_layout.h).
 *  Needs   rows of 16 bytes, aligned to 16.
 *  Source  PTX ISA 9.0, ldmatrix, stmatrix, movmatrix.
 */
#ifndef TSR_CUDA_MATRIX_CUH
#define TSR_CUDA_MATRIX_CUH

#include "tessera/cuda/words.cuh"

TSR_WORD(tsr_ptx_trans_, ".trans");

/** The address of shared memory as the instructions take it. */
TSR_DEVICE uint32_t tsr_smem_address(void const *at) { return (uint32_t)__cvta_generic_to_shared(at); }

/** The shared memory whose size the launch gives, aligned to 1024 bytes. */
extern __shared__ __align__(1024) unsigned char tsr_dynamic_smem_[];
template <class T> TSR_DEVICE T *tsr_dynamic_smem(void) { return reinterpret_cast<T *>(tsr_dynamic_smem_); }

/** `Count` matrices, 1, 2 or 4. */
template <int Count, bool Transposed = false> TSR_DEVICE void tsr_ldmatrix(uint32_t *r, void const *row)
{
    static_assert(Count == 1 || Count == 2 || Count == 4, "tsr_ldmatrix: 1, 2 or 4 matrices");
    uint32_t const at = tsr_smem_address(row);
    if constexpr (Count == 1)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1%2.shared.b16 {%0}, [%1];"
                     : "=r"(r[0])
                     : "r"(at), "C"(tsr_ptx_trans_<Transposed>::text)
                     : "memory");
    else if constexpr (Count == 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2%3.shared.b16 {%0, %1}, [%2];"
                     : "=r"(r[0]), "=r"(r[1])
                     : "r"(at), "C"(tsr_ptx_trans_<Transposed>::text)
                     : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4%5.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at), "C"(tsr_ptx_trans_<Transposed>::text)
                     : "memory");
}

/** The other way; sm_90. */
template <int Count, bool Transposed = false> TSR_DEVICE void tsr_stmatrix(void *row, uint32_t const *r)
{
    static_assert(Count == 1 || Count == 2 || Count == 4, "tsr_stmatrix: 1, 2 or 4 matrices");
    uint32_t const at = tsr_smem_address(row);
    if constexpr (Count == 1)
        asm volatile("stmatrix.sync.aligned.m8n8.x1%2.shared.b16 [%0], {%1};" ::"r"(at), "r"(r[0]),
                     "C"(tsr_ptx_trans_<Transposed>::text)
                     : "memory");
    else if constexpr (Count == 2)
        asm volatile("stmatrix.sync.aligned.m8n8.x2%3.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(r[0]), "r"(r[1]),
                     "C"(tsr_ptx_trans_<Transposed>::text)
                     : "memory");
    else
        asm volatile("stmatrix.sync.aligned.m8n8.x4%5.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(r[0]),
                     "r"(r[1]), "r"(r[2]), "r"(r[3]), "C"(tsr_ptx_trans_<Transposed>::text)
                     : "memory");
}

/** The matrix that the warp's registers hold, transposed. */
TSR_DEVICE uint32_t tsr_movmatrix(uint32_t r)
{
    uint32_t d;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(r));
    return d;
}

#endif
