/** Products whose operands and sums are fragments: the layouts are compared with those of the atom.
 *
 *      tsr_gemm_wgmma<atom, A, B>(a, b, c)      tiles A and B in shared memory
 *      tsr_gemm_wgmma<atom, B>(a, b, c)         a fragment of A in registers: an atom with TSR_MMA_A_REGISTERS
 *
 *      tsr_wgmma_fence(p, o); ... tsr_wgmma_commit(); tsr_wgmma_wait<0>(o);
 *
 *  Law     as of tsr_gemm_wgmma of arrays. Between fence and wait nothing else touches the fragments.
 */
#ifndef TSR_CUDA_FRAG_GEMM_CUH
#define TSR_CUDA_FRAG_GEMM_CUH

#include "tessera/cuda/frag.cuh"
#include "tessera/cuda/gemm.cuh"

/** Fragments that a sequence of wgmma reads or adds to, as they are now; then tsr_wgmma_fence. */
template <class... F> TSR_DEVICE void tsr_wgmma_fence(F &...frags)
{
    (tsr_wgmma_hold(frags.r), ...);
    tsr_wgmma_fence();
}

/** Waits until at most `Pending` groups are under way; these fragments are then what the others have made of them. */
template <int Pending, class... F> TSR_DEVICE void tsr_wgmma_wait(F &...frags)
{
    tsr_wgmma_wait<Pending>();
    (tsr_wgmma_hold(frags.r), ...);
}

/** The fragments of a product of M by N by K. */
template <tsr_mma_atom const &X, int M, int N, int K> struct tsr_frags_of_ {
    static constexpr tsr_tiled_mma mma = tsr_make_tiled_mma(X);
    static constexpr tsr_layout a = tsr_thread_values_a(mma, tsr_make_identity_layout(tsr_t(tsr_s(M), tsr_s(K))));
    static constexpr tsr_layout c = tsr_thread_values_c(mma, tsr_make_identity_layout(tsr_t(tsr_s(M), tsr_s(N))));
};

template <tsr_mma_atom const &X, tsr_layout const &A, tsr_layout const &B, class TA, class TB, tsr_layout const &C, class TC>
TSR_DEVICE void tsr_gemm_wgmma(TA const *a, TB const *b, tsr_frag<C, TC> &c, int scale = 1)
{
    typedef tsr_wgmma_operand_<X, A, false> left;
    typedef tsr_wgmma_operand_<X, B, true> right;
    if constexpr (left::good && right::good) {
        typedef tsr_frags_of_<X, X.m * left::rows, X.n * right::rows, X.k> frags;
        if constexpr (tsr_same<C, frags::c>::good)
            tsr_gemm_wgmma<X, A, B>(a, b, c.r, scale);
    }
}

/** c += a*b, asynchronous, between tsr_wgmma_fence and tsr_wgmma_commit: a is (64*M, K) in registers, b (N, K) a
 *  tile in shared memory of layout B. `scale` 0 forgets what c was. */
template <tsr_mma_atom const &X, tsr_layout const &B, tsr_layout const &A, class T, class TB, tsr_layout const &C, class TC>
TSR_DEVICE void tsr_gemm_wgmma(tsr_frag<A, T> const &a, TB const *b, tsr_frag<C, TC> &c, int scale = 1)
{
    typedef tsr_wgmma_operand_<X, B, true> right;
    if constexpr (right::good) {
        constexpr int rows = tsr_values<A> * 128 / (X.m * X.k * right::depth),
                      VC = X.d == TSR_F16 ? X.n / 4 : X.n / 2;
        typedef tsr_frags_of_<X, X.m * rows, X.n * right::rows, X.k * right::depth> frags;
        static_assert(tsr_is_operand_<T>(X.a), "tsr_gemm_wgmma: elements of the atom's type");
        static_assert(tsr_is_operand_<TB>(X.b), "tsr_gemm_wgmma: elements of the atom's type");
        if constexpr (tsr_same<A, frags::a>::good && tsr_same<C, frags::c>::good) {
            uint64_t const desc = tsr_wgmma_desc(right::tile.fields, b);
            TSR_UNROLL for (int k = 0; k < right::depth; ++k) TSR_UNROLL for (int n = 0; n < right::rows; ++n)
                TSR_UNROLL for (int m = 0; m < rows; ++m)
            {
                constexpr tsr_wgmma_steps_<right::rows *right::depth> step = right::step;
                uint32_t part[4];
                TSR_UNROLL for (int i = 0; i < 4; ++i) part[i] = tsr_register_<uint32_t>(a.r, 4 * (m + rows * k) + i);
                tsr_wgmma<X>(c.r + VC * (m + rows * n), part, desc + step.at[n + right::rows * k],
                             k == 0 ? scale : 1);
            }
        }
    }
}

#endif
