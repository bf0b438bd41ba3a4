/** Products whose operands and sums are fragments: the layouts are compared with those of the atom.
 *
 *      tsr_gemm_wgmma<atom, A, B>(a, b, c)      tiles A and B in shared memory
 *      tsr_gemm_wgmma<atom, B>(a, b, c)         a fragment of A in registers: an atom with TSR_MMA_A_REGISTERS
 *
 *      tsr_wgmma_fence(p, o); ... tsr_wgmma_commit(); tsr_wgmma_wait<0>(o);
 *
 *      tsr_gemm<mma>(a, b, c)                   fragments of warps, by a tiled MMA
 *
 *  Law     as of tsr_gemm_wgmma and tsr_gemm of arrays. Between fence and wait nothing else touches the fragments.
 */
#ifndef TSR_CUDA_FRAG_GEMM_CUH
#define TSR_CUDA_FRAG_GEMM_CUH

#include "tessera/cuda/frag.cuh"
#include "tessera/cuda/gemm.cuh"

template <tsr_layout const &L, class T> TSR_DEVICE void tsr_wgmma_hold(tsr_frag<L, T> &x) { tsr_wgmma_hold(x.r); }

/** Fragments, or arrays, that a sequence of wgmma reads or adds to, as they are now; then tsr_wgmma_fence. */
template <class... F> TSR_DEVICE void tsr_wgmma_fence(F &...frags)
{
    (tsr_wgmma_hold(frags), ...);
    tsr_wgmma_fence();
}

/** Waits until at most `Pending` groups are under way. The results of the others are then in the fragments. */
template <int Pending, class... F> TSR_DEVICE void tsr_wgmma_wait(F &...frags)
{
    tsr_wgmma_wait<Pending>();
    (tsr_wgmma_hold(frags), ...);
}

template <tsr_mma_atom const &X>
constexpr tsr_tiled_mma tsr_mma_of_one_ = tsr_make_tiled_mma(tsr_later_<tsr_on_<X>>(X));

/** The fragments of a product of M by N by K. */
template <tsr_tiled_mma const &X, int M, int N, int K> struct tsr_frags_of_ {
    static constexpr tsr_mma_atom atom = X.atom;
    static constexpr tsr_layout a = tsr_thread_values_a(
        tsr_later_<tsr_frags_of_>(X), tsr_make_identity_layout(tsr_t(tsr_later_<tsr_frags_of_>(tsr_s(M)), tsr_s(K))));
    static constexpr tsr_layout b = tsr_thread_values_b(
        tsr_later_<tsr_frags_of_>(X), tsr_make_identity_layout(tsr_t(tsr_later_<tsr_frags_of_>(tsr_s(N)), tsr_s(K))));
    static constexpr tsr_layout c = tsr_thread_values_c(
        tsr_later_<tsr_frags_of_>(X), tsr_make_identity_layout(tsr_t(tsr_later_<tsr_frags_of_>(tsr_s(M)), tsr_s(N))));
};

/** c += a*b over the registers of warps: a (M,K), b (N,K) and c (M,N) are the fragments of the tiled MMA X. */
template <tsr_tiled_mma const &X, tsr_layout const &A, class TA, tsr_layout const &B, class TB, tsr_layout const &C,
          class TC>
TSR_DEVICE void tsr_gemm(tsr_frag<A, TA> const &a, tsr_frag<B, TB> const &b, tsr_frag<C, TC> &c)
{
    constexpr bool operands =
        tsr_is_operand_<TA>(X.atom.a) && tsr_is_operand_<TB>(X.atom.b) && tsr_is_operand_<TC>(X.atom.c);
    static_assert(operands, "tsr_gemm: elements of the atom's types");
    if constexpr (operands && TSR_FINE(tsr_tiled_mma_why(tsr_later_<TA>(X)))) {
        typedef tsr_frags_of_<X, tsr_frag_extent_(C, 0), tsr_frag_extent_(C, 1), tsr_frag_extent_(A, 1)> frags;
        if constexpr (tsr_same<A, frags::a>::good && tsr_same<B, frags::b>::good && tsr_same<C, frags::c>::good)
            tsr_gemm<frags::atom>(a.r, b.r, c.r);
    }
}

template <tsr_mma_atom const &X, tsr_layout const &A, tsr_layout const &B, class TA, class TB, tsr_layout const &C,
          class TC>
TSR_DEVICE void tsr_gemm_wgmma(tsr_shared<TA> a, tsr_shared<TB> b, tsr_frag<C, TC> &c, int scale = 1)
{
    typedef tsr_smem_operand_<X, A, false> left;
    typedef tsr_smem_operand_<X, B, true> right;
    if constexpr (left::good && right::good) {
        typedef tsr_frags_of_<tsr_mma_of_one_<X>, X.m * left::rows, X.n * right::rows, X.k> frags;
        if constexpr (tsr_same<C, frags::c>::good)
            tsr_gemm_wgmma<X, A, B>(a, b, c.r, scale);
    }
}

/** c += a*b, asynchronous, between tsr_wgmma_fence and tsr_wgmma_commit: a is (64*M, K) in registers, b (N, K) a
 *  tile in shared memory of layout B. `scale` 0 forgets what c was. */
template <tsr_mma_atom const &X, tsr_layout const &B, tsr_layout const &A, class T, class TB, tsr_layout const &C,
          class TC>
TSR_DEVICE void tsr_gemm_wgmma(tsr_frag<A, T> const &a, tsr_shared<TB> b, tsr_frag<C, TC> &c, int scale = 1)
{
    typedef tsr_smem_operand_<X, B, true> right;
    if constexpr (right::good) {
        constexpr int rows = tsr_values<A> * 128 / (X.m * X.k * right::depth),
                      VC = X.d == TSR_F16 ? X.n / 4 : X.n / 2;
        typedef tsr_frags_of_<tsr_mma_of_one_<X>, X.m * rows, X.n * right::rows, X.k * right::depth> frags;
        static_assert(tsr_is_operand_<T>(X.a), "tsr_gemm_wgmma: elements of the atom's type");
        static_assert(tsr_is_operand_<TB>(X.b), "tsr_gemm_wgmma: elements of the atom's type");
        if constexpr (tsr_same<A, frags::a>::good && tsr_same<C, frags::c>::good) {
            uint64_t const desc = tsr_wgmma_desc(right::tile.fields, b.at);
            TSR_UNROLL for (int k = 0; k < right::depth; ++k) TSR_UNROLL for (int n = 0; n < right::rows; ++n)
                TSR_UNROLL for (int m = 0; m < rows; ++m)
            {
                constexpr tsr_smem_steps_<right::rows *right::depth> step = right::step;
                uint32_t part[4];
                TSR_UNROLL for (int i = 0; i < 4; ++i) part[i] = tsr_register_<uint32_t>(a.r, 4 * (m + rows * k) + i);
                tsr_wgmma<X>(c.r + VC * (m + rows * n), part, desc + step.at[n + right::rows * k],
                             k == 0 ? scale : 1);
            }
        }
    }
}

TSR_ELSE_(tsr_gemm, "tsr_gemm: three fragments by a tiled MMA, three arrays of registers by an atom",
          tsr_tiled_mma const &)

#endif
