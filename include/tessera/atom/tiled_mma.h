/** Tiled MMA: an atom repeated over threads, and the modes M, N, K permuted before they are cut.
 *
 *      threads       (M,N,K) to the number of the atom that works there
 *      permutation   <M,N,K>: `_` keeps a mode, an integer or a layout rearranges a tile of that mode first
 *
 *  A tensor of an operand is cut in three steps: the permuted tile, the atom in it, (thread, value) in the atom. What
 *  remains is shared by the atoms of `threads` and repeated:
 *
 *      thrfrg       ((thread,(thread tiles)),(value,(rest)))
 *      partition    (value, rest..) of one thread
 *
 *  Law     Over all threads, partition_C covers C once; partition_A and partition_B hold, in the thread of an element
 *          of C, what its products need (tests/laws/atom/atom.inc).
 *  Source  CuTe, include/cute/atom/mma_atom.hpp.
 */
#ifndef TSR_ATOM_TILED_MMA_H
#define TSR_ATOM_TILED_MMA_H

#include "tessera/atom/mma_layout.h"
#include "tessera/tensor/partition.h"

TSR_HEADER_BEGIN

typedef struct tsr_tiled_mma {
    tsr_mma_atom atom;
    tsr_layout threads;    /* rank 3; invalid: why it is no tiled MMA */
    tsr_tiler permutation; /* rank 3 */
} tsr_tiled_mma;

typedef enum tsr_operand { TSR_OPERAND_A, TSR_OPERAND_B, TSR_OPERAND_C } tsr_operand;

/* Why a tiled MMA is invalid, as the tuple that its results carry, or a valid one. */
TSR_OP tsr_tuple tsr_tiled_mma_bad_(tsr_tiled_mma x);

/** Why a tiled MMA is invalid, or no reason. */
TSR_FN tsr_reason tsr_tiled_mma_why(tsr_tiled_mma x) { return tsr_tuple_why(tsr_tiled_mma_bad_(x)); }

/** make_tiled_mma(ATOM, threads, <permutations>). Errors: TILED_RANK; TILED_BLOCKS for atoms of several products. */
TSR_OP tsr_tiled_mma tsr_make_tiled_mma_by(tsr_mma_atom atom, tsr_layout threads, tsr_tiler permutation);

TSR_OP tsr_tiled_mma tsr_make_tiled_mma_over(tsr_mma_atom atom, tsr_layout threads);

/** One atom. With a layout of threads the same as .._over, and with a tiler behind it the same as .._by. */
TSR_OP tsr_tiled_mma tsr_make_tiled_mma(tsr_mma_atom atom);

/** The same with a shape for its compact layout. */
TSR_OP tsr_tiled_mma tsr_make_tiled_mma_shape(tsr_mma_atom atom, tsr_tuple shape);

/** The atom repeated over a shape (M,N,K), on permuted tiles. */
TSR_OP tsr_tiled_mma tsr_make_tiled_mma_shape_by(tsr_mma_atom atom, tsr_tuple shape, tsr_tiler permutation);

/* CuTe's spelling in C, C++ and CUDA: make_tiled_mma(ATOM), (ATOM, threads), (ATOM, threads, <permutations>). */
#ifdef __cplusplus
TSR_FN tsr_tiled_mma tsr_make_tiled_mma(tsr_mma_atom atom, tsr_layout threads)
{
    return tsr_make_tiled_mma_over(atom, threads);
}
TSR_FN tsr_tiled_mma tsr_make_tiled_mma(tsr_mma_atom atom, tsr_layout threads, tsr_tiler permutation)
{
    return tsr_make_tiled_mma_by(atom, threads, permutation);
}
#else
#  define TSR_TILED_MMA_1(atom) (tsr_make_tiled_mma)(atom)
#  define TSR_TILED_MMA_2(atom, threads) tsr_make_tiled_mma_over(atom, threads)
#  define TSR_TILED_MMA_3(atom, threads, permutation) tsr_make_tiled_mma_by(atom, threads, permutation)
#  define tsr_make_tiled_mma(...) TSR_CAT(TSR_TILED_MMA_, TSR_NARG(__VA_ARGS__))(__VA_ARGS__)
#endif

/** (thread of the atom, M, N, K) to the thread of the block.
 *  Example  get_thr_layout_vmnk(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN))  =  (_32,_1,_1,_1):(_1,_0,_0,_0) */
TSR_OP tsr_layout tsr_get_thr_layout_vmnk(tsr_tiled_mma x);

/** The tile that mode i (M, N, K) is cut into: an integer, or a layout that rearranges it. */
TSR_OP tsr_tiler tsr_permutation_mnk(tsr_tiled_mma x, int64_t i);

/** (M,N,K) of the whole. */
TSR_OP tsr_tuple tsr_tile_shape(tsr_tiled_mma x);

/** How many threads, as an integer that may be static, and as one of C. */
TSR_OP tsr_tuple tsr_thr_size_int(tsr_tiled_mma x);
TSR_OP int64_t tsr_thr_size(tsr_tiled_mma x);

TSR_OP tsr_layout tsr_thrfrg_a(tsr_tiled_mma x, tsr_layout l);

TSR_OP tsr_layout tsr_thrfrg_b(tsr_tiled_mma x, tsr_layout l);

TSR_OP tsr_layout tsr_thrfrg_c(tsr_tiled_mma x, tsr_layout l);

/** The fragments of all threads: (thread, (value, (rest))) of a tile of A (M,K), B (N,K) or C (M,N), of one or more
 *  times the extents of tile_shape. The values of a thread are in the order of its fragment (V,M,K), (V,N,K) or
 *  (V,M,N). */
TSR_OP tsr_layout tsr_thread_values_a(tsr_tiled_mma x, tsr_layout a);

/** The fragments of all threads, of a tile of B (N,K). */
TSR_OP tsr_layout tsr_thread_values_b(tsr_tiled_mma x, tsr_layout b);

/** The fragments of all threads, of a tile of C (M,N). */
TSR_OP tsr_layout tsr_thread_values_c(tsr_tiled_mma x, tsr_layout c);

/** (thread of the block, value) to an index of the tile of the operand. */
TSR_OP tsr_layout tsr_get_layout_a_tv(tsr_tiled_mma x);

TSR_OP tsr_layout tsr_get_layout_b_tv(tsr_tiled_mma x);

TSR_OP tsr_layout tsr_get_layout_c_tv(tsr_tiled_mma x);

/** Returns the place of thread t: (thread of its atom, M, N, K). A thread that the layout does not name has CuTe's
 *  place, (t / stride) mod extent. A quad pair of sm_70 has the threads 0 to 3 and 16 to 19, and thread 4 has the place
 *  of 0. */
TSR_OP tsr_tuple tsr_thr_vmnk(tsr_tiled_mma x, tsr_tuple t);

/** (coord, (_, (_,_,..))) for a cut layout. */
TSR_OP tsr_tuple tsr_thread_coord_(tsr_tuple thread, tsr_layout const *cut);

TSR_OP tsr_tensor tsr_partition_a(tsr_tiled_mma x, tsr_tuple t, tsr_tensor a);

TSR_OP tsr_tensor tsr_partition_b(tsr_tiled_mma x, tsr_tuple t, tsr_tensor b);

TSR_OP tsr_tensor tsr_partition_c(tsr_tiled_mma x, tsr_tuple t, tsr_tensor c);

TSR_OP tsr_tuple tsr_partition_shape_a(tsr_tiled_mma x, tsr_tuple shape);

TSR_OP tsr_tuple tsr_partition_shape_b(tsr_tiled_mma x, tsr_tuple shape);

TSR_OP tsr_tuple tsr_partition_shape_c(tsr_tiled_mma x, tsr_tuple shape);

/** The registers of thread t for its part of A. Errors: TILED_TENSOR_MEMORY. */
TSR_OP tsr_layout tsr_partition_fragment_a(tsr_tiled_mma x, tsr_tuple t, tsr_tensor a);

/** The registers of thread t for its part of B. Errors: TILED_TENSOR_MEMORY. */
TSR_OP tsr_layout tsr_partition_fragment_b(tsr_tiled_mma x, tsr_tuple t, tsr_tensor b);

/** The accumulators of a thread for a C of this shape. Errors: TILED_TENSOR_MEMORY. */
TSR_OP tsr_layout tsr_partition_fragment_c(tsr_tiled_mma x, tsr_tuple shape);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/tiled_mma.h"
#endif

#endif
