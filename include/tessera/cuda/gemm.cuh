/** Products of fragments: all atoms of a thread's tile, and of a warpgroup's tile in shared memory.
 *
 *  Law     a fragment of A is (V,M,K), of B (V,N,K), of C (V,M,N), compact, V the registers of one atom; then
 *          C(m,n) += A(m,k) * B(n,k) by the atom, for all m, n and k.
 */
#ifndef TSR_CUDA_GEMM_CUH
#define TSR_CUDA_GEMM_CUH

#include "tessera/cuda/mma.cuh"
#include "tessera/cuda/partition.cuh"
#include "tessera/cuda/smem_tile.cuh"
#include "tessera/cuda/wgmma.cuh"

/** The elements of type T that a thread holds of a matrix of the atom; several to an element of a wider T. */
template <class T> TSR_TEMPLATE_FN int tsr_held_(tsr_layout matrix, tsr_dtype type)
{
    return tsr_mma_registers(tsr_later_<T>(matrix), type, 8 * (int)sizeof(T));
}

/** What accumulators of an atom are kept in: floats, or registers. */
template <int Type> struct tsr_accumulator_ {
    typedef uint32_t type;
};
template <> struct tsr_accumulator_<TSR_F32> {
    typedef float type;
};
template <> struct tsr_accumulator_<TSR_F64> {
    typedef double type;
};
template <tsr_mma_atom const &X> using tsr_accumulator = typename tsr_accumulator_<X.c>::type;

/** How many of them a partition (thread, values...) of C needs a thread. */
template <tsr_mma_atom const &X, tsr_layout const &C>
constexpr int tsr_accumulators = tsr_values<C> *tsr_dtype_bits(X.c) / (8 * (int)sizeof(tsr_accumulator<X>));

/** K of M*K, N*K and M*N atoms; 1 where there is none. */
TSR_FN int tsr_gemm_depth_(int mk, int nk, int mn)
{
    int k = 1;
    while (k < mk && (int64_t)k * k * mn < (int64_t)mk * nk)
        ++k;
    return k;
}

/** c += a*b over the registers of a thread. */
template <tsr_mma_atom const &X, class TA, class TB, class TC, int A, int B, int C>
TSR_DEVICE void tsr_gemm(TA const (&a)[A], TB const (&b)[B], TC (&c)[C])
{
    constexpr int VA = tsr_held_<TA>(tsr_mma_layout_a(tsr_later_<TA>(X)), tsr_mma_stored(tsr_later_<TA>(X), X.a)),
                  VB = tsr_held_<TB>(tsr_mma_layout_b(tsr_later_<TB>(X)), tsr_mma_stored(tsr_later_<TB>(X), X.b));
    constexpr int VC = tsr_held_<TC>(tsr_mma_layout_c(tsr_later_<TC>(X)), X.c),
                  K = tsr_gemm_depth_(A / VA, B / VB, C / VC);
    constexpr int M = A / VA / K, N = B / VB / K;
    static_assert(tsr_holds_<TA>(X.a) && tsr_holds_<TB>(X.b), "tsr_gemm: registers of the atom's types, or of bits");
    static_assert(tsr_alike_(tsr_number_type_<TC>, X.c) || (X.c == TSR_F16 && sizeof(TC) == 4),
                  "tsr_gemm: accumulators of the atom's type");
    static_assert(A == VA * M * K && B == VB * N * K && C == VC * M * N,
                  "tsr_gemm: the fragments are (V,M,K), (V,N,K) and (V,M,N)");
    TSR_UNROLL for (int k = 0; k < K; ++k) TSR_UNROLL for (int n = 0; n < N; ++n)
        TSR_UNROLL for (int m = 0; m < M; ++m) /* back and forth, so that one operand stays */
    {
        int const at = n % 2 ? M - 1 - m : m;
        tsr_mma<X>(c + VC * (at + M * n), a + VA * (at + M * k), b + VB * (n + N * k));
    }
}

/** Product `At` of M*N of an atom with scales, and those after it: their selectors are numbers of the instruction. */
template <tsr_mma_atom const &X, int Byte, int M, int N, int At, class TA, class TB>
TSR_DEVICE void tsr_gemm_block_scaled_(TA const *a, TB const *b, uint32_t const *sfa, uint32_t const *sfb, float *c)
{
    constexpr int VA = tsr_held_<TA>(tsr_mma_layout_a(tsr_later_<TA>(X)), tsr_mma_stored(tsr_later_<TA>(X), X.a)),
                  VB = tsr_held_<TB>(tsr_mma_layout_b(tsr_later_<TB>(X)), tsr_mma_stored(tsr_later_<TB>(X), X.b));
    constexpr int n = At / M, m = n % 2 ? M - 1 - At % M : At % M; /* back and forth, so that one operand stays */
    if constexpr (n < N) {
        tsr_mma_scaled<X, Byte, m % 2, Byte, n % 4>(c + 4 * (m + M * n), a + VA * m, b + VB * n, sfa[m / 2],
                                                    sfb[n / 4]);
        tsr_gemm_block_scaled_<X, Byte, M, N, At + 1>(a, b, sfa, sfb, c);
    }
}

/** c += a*b over the registers of a thread, for one K of an atom with block scales, from byte `Byte` of words of scales
 *  on. a is (V,M), b (V,N), c (V,M,N). Lane 4*r + 2*i + h has the word of row r + 8*h of tile 2*j + i of A in sfa[j],
 *  lane 4*r + i that of row r of tile 4*j + i of B in sfb[j]. */
template <tsr_mma_atom const &X, int Byte, class TA, class TB, int A, int B, int SA, int SB, int C>
TSR_DEVICE void tsr_gemm_block_scaled(TA const (&a)[A], TB const (&b)[B], uint32_t const (&sfa)[SA],
                                      uint32_t const (&sfb)[SB], float (&c)[C])
{
    constexpr int M = A / tsr_held_<TA>(tsr_mma_layout_a(tsr_later_<TA>(X)), tsr_mma_stored(tsr_later_<TA>(X), X.a)),
                  N = B / tsr_held_<TB>(tsr_mma_layout_b(tsr_later_<TB>(X)), tsr_mma_stored(tsr_later_<TB>(X), X.b));
    constexpr bool fits = C == 4 * M * N && 2 * SA >= M && 4 * SB >= N;
    static_assert(
        fits, "tsr_gemm_block_scaled: fragments (V,M), (V,N), (V,M,N), a word of scales for 2 tiles of A, 4 of B");
    if constexpr (fits)
        tsr_gemm_block_scaled_<X, Byte, M, N, 0>(a, b, sfa, sfb, c);
}
/** c += a*b of a warpgroup, asynchronous, between tsr_wgmma_fence and tsr_wgmma_commit. a (64*M, K) and b (N, K) are
 *  tiles in shared memory, A and B their layouts. Their addresses are aligned to the period of the swizzle; 1024
 *  bytes do always. With `scale` 0 the old c is not added. */
template <tsr_mma_atom const &X, tsr_layout const &A, tsr_layout const &B, class TA, class TB, class TC, int C>
TSR_DEVICE void tsr_gemm_wgmma(tsr_shared<TA> a, tsr_shared<TB> b, TC (&c)[C], int scale = 1)
{
    typedef tsr_smem_operand_<X, A, false> left;
    typedef tsr_smem_operand_<X, B, true> right;
    if constexpr (left::good && right::good) {
        constexpr int VC = X.d == TSR_F16 ? X.n / 4 : X.n / 2;
        constexpr bool dense = (X.flags & TSR_MMA_SPARSE) == 0, deep = !dense || left::depth == right::depth;
        constexpr bool sums = C == VC * left::rows * right::rows;
        static_assert(tsr_is_operand_<TA>(X.a) && tsr_is_operand_<TB>(X.b),
                      "tsr_gemm_wgmma: elements of the atom's type");
        static_assert(dense, "tsr_gemm_wgmma: A is dense (tsr_wgmma_sparse)");
        static_assert(deep, "tsr_gemm_wgmma: A and B have the same K");
        static_assert(sums, "tsr_gemm_wgmma: the accumulators are (V,M,N)");
        uint64_t const desc_a = tsr_wgmma_desc(left::tile.fields, a.at),
                       desc_b = tsr_wgmma_desc(right::tile.fields, b.at);
        if constexpr (dense && deep && sums)
            TSR_UNROLL for (int k = 0; k < left::depth; ++k) TSR_UNROLL for (int n = 0; n < right::rows; ++n)
                TSR_UNROLL for (int m = 0; m < left::rows; ++m)
            {
                constexpr tsr_smem_steps_<left::rows *left::depth> step_a = left::step;
                constexpr tsr_smem_steps_<right::rows *right::depth> step_b = right::step;
                tsr_wgmma<X>(c + VC * (m + left::rows * n), desc_a + step_a.at[m + left::rows * k],
                             desc_b + step_b.at[n + right::rows * k], k == 0 ? scale : 1);
            }
    }
}

TSR_ELSE_(tsr_gemm, "tsr_gemm: three arrays of registers by an atom, three fragments by a tiled MMA",
          tsr_mma_atom const &)
TSR_ELSE_(
    tsr_gemm_wgmma,
    "tsr_gemm_wgmma: tsr_smem(pointer) of tiles in shared memory, of which A may be a fragment, and an array or "
    "a fragment of sums",
    tsr_mma_atom const &, tsr_layout const &...)

#endif
