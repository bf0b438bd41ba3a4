/** Tiles of shared memory as operands of wgmma and tcgen05.mma: the descriptor of a tile at an address, and how much
 *  further those of its parts are, as numbers of the compiler (atom/gmma_tile.h).
 */
#ifndef TSR_CUDA_SMEM_TILE_CUH
#define TSR_CUDA_SMEM_TILE_CUH

#include "tessera/atom/gmma_tile.h"
#include "tessera/cuda/later.cuh"
#include "tessera/cuda/refused.cuh"
#include "tessera/cuda/words.cuh"

/** How much further than the first the parts of a tile begin, in units of 16 bytes. */
template <int N> struct tsr_smem_steps_ {
    int64_t at[N];
};

template <int N> TSR_TEMPLATE_FN tsr_smem_steps_<N> tsr_smem_steps_of_(tsr_gmma_tile const &tile)
{
    tsr_smem_steps_<N> r{};
    for (int i = 0; i < N; ++i)
        r.at[i] = tsr_gmma_step(&tsr_later_<tsr_smem_steps_<N>>(tile), i % tile.rows, i / tile.rows);
    return r;
}

/** The same as parts of the instruction. */
template <tsr_mma_atom const &X, tsr_layout const &L, bool B>
constexpr tsr_gmma_tile tsr_gmma_tile_of_ = B ? tsr_make_gmma_tile_b(X, tsr_later_<tsr_on_<L>>(L))
                                              : tsr_make_gmma_tile_a(X, tsr_later_<tsr_on_<L>>(L));

/** A tile of shared memory of layout L as the A, or the B, of an atom. A tile that the atom cannot read does not
 *  compile. */
template <tsr_mma_atom const &X, tsr_layout const &L, bool B> struct tsr_smem_operand_ {
    static constexpr tsr_gmma_tile tile = tsr_gmma_tile_of_<X, L, B>;
    static constexpr bool good = TSR_FINE(tile.why);
    static constexpr int rows = good ? tile.rows : 1, depth = good ? tile.depth : 1;
    static constexpr tsr_smem_steps_<rows *depth> step = tsr_smem_steps_of_<rows * depth>(tile);
};

/** Are elements of T those of an operand of a type? */
template <class T> TSR_TEMPLATE_FN bool tsr_is_operand_(int type)
{
    return 8 * (int)sizeof(T) == tsr_dtype_bits((tsr_dtype)type) && tsr_alike_(tsr_number_type_<T>, type);
}

#endif
