/** The layouts of an MMA atom: (thread, value) to an index of the tile, first extent (M of A and C, N of B) fastest.
 *
 *  Law     A and B are covered, every element of C belongs to one (thread, value), and the sum of the products that
 *          the layouts name is the product of the matrices (tests/laws/atom/atom.inc, for every atom).
 *  Rule    A warp holds a matrix as 8 rows by 4 threads; each thread has `run` elements that are neighbours along K,
 *          as many as fill a register of 32 bits (2 of C), then the rows 8 further down, then the rest of K. A
 *          warpgroup is 4 warps, 16 rows each.
 *
 *                  thread (4, 8, warps)   along K run*rows, down 1, 16
 *                  value  (run, 2, rest)  along K rows, down 8, along K 4*run*rows
 *
 *  Source  PTX ISA 9.0, the fragment figures of mma.m16n8k16 and its like; CuTe, include/cute/atom/mma_traits_sm*.hpp.
 */
#ifndef TSR_ATOM_MMA_LAYOUT_H
#define TSR_ATOM_MMA_LAYOUT_H

#include "tessera/atom/mma.h"
#include "tessera/atom/tv.h"

TSR_HEADER_BEGIN

/** (M,N,K); (M,N,K,blocks) where the instruction makes several products.
 *  Example  mma_shape(SM80_16x8x16_F32F16F16F32_TN)  =  (_16,_8,_16) */
TSR_OP tsr_tuple tsr_mma_shape(tsr_mma_atom x);

/** Thread of the atom to thread of its warp or warpgroup; of the instructions of CTAs, the CTAs. */
TSR_OP tsr_layout tsr_mma_thr_id(tsr_mma_atom x);

/** (thread, value) to an index of A (M,K), or (M,K,blocks). */
TSR_OP tsr_layout tsr_mma_layout_a(tsr_mma_atom x);

/** (thread, value) to an index of B (N,K), or (N,K,blocks). */
TSR_OP tsr_layout tsr_mma_layout_b(tsr_mma_atom x);

/** (thread, value) to an index of C (M,N), or (M,N,blocks).
 *  Example  mma_layout_c(SM80_16x8x16_F32F16F16F32_TN)  =  ((_4,_8),(_2,_2)):((_32,_1),(_16,_8)) */
TSR_OP tsr_layout tsr_mma_layout_c(tsr_mma_atom x);

/** (thread, k) to the index (M,K) whose scale the thread holds: those of a block of K are one number.
 *  Errors  MMA_BESIDE */
TSR_OP tsr_layout tsr_mma_layout_sfa(tsr_mma_atom x);

/** (thread, k) to the index (N,K) whose scale the thread holds. Errors: MMA_BESIDE. */
TSR_OP tsr_layout tsr_mma_layout_sfb(tsr_mma_atom x);

/** Returns the group of elements in a row of a warpgroup's sparse A. Half of a group is stored: two of four, of TF32
 *  one of two. */
TSR_FN int tsr_mma_group(tsr_mma_atom x) { return x.a == TSR_TF32 ? 2 : 4; }

/** The 4 bits that say which elements of a group are stored: positions first < second; of TF32 only `first`. (As the
 *  hardware counts, positions are those of 16 bits, and a TF32 has two.)
 *  Source   PTX ISA 9.0, wgmma.mma_async.sp, "Sparse matrix storage". */
TSR_FN uint32_t tsr_mma_kept(tsr_mma_atom x, int first, int second)
{
    return (uint32_t)(x.a == TSR_TF32 ? 2 * first | (2 * first + 1) << 2 : first | second << 2);
}

/** (thread, value) to the index (M,K) whose metadata the thread holds, all K counted: its word has the bits of
 *  tsr_mma_kept of its groups of values, from the lowest ones on. Of 16 and 32 bits only two threads of every four
 *  count, the first with selector 0. CuTe writes the values of 4-bit types as (_64). Proved on a Hopper GPU for
 *  warpgroups (tests/cuda/mma.cu).
 *  Errors  MMA_BESIDE */
TSR_OP tsr_layout tsr_mma_layout_e(tsr_mma_atom x);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/mma_layout.h"
#endif

#endif
