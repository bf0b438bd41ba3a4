/** Products of fragments: all atoms of a thread's tile, and of a warpgroup's tile in shared memory.
 *
 *  Law     a fragment of A is (V,M,K), of B (V,N,K), of C (V,M,N), compact, V the registers of one atom; then
 *          C(m,n) += A(m,k) * B(n,k) by the atom, for all m, n and k.
 */
#ifndef TSR_CUDA_GEMM_CUH
#define TSR_CUDA_GEMM_CUH

#include "tessera/cuda/mma.cuh"
#include "tessera/cuda/partition.cuh"
#include "tessera/cuda/wgmma.cuh"

/** The elements of type T that a thread holds of a matrix of the atom; several to an element of a wider T. */
template <class T> TSR_FN int tsr_held_(tsr_layout matrix, tsr_dtype type)
{
    return tsr_mma_registers_(matrix, type, 8 * (int)sizeof(T));
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

/** c += a*b over the registers of a thread, for one k. */
template <tsr_mma_atom const &X, class TA, class TB, class TC, int A, int B, int C>
TSR_DEVICE void tsr_gemm(TA const (&a)[A], TB const (&b)[B], TC (&c)[C])
{
    constexpr int VA = tsr_held_<TA>(tsr_mma_layout_a(X), X.a), VB = tsr_held_<TB>(tsr_mma_layout_b(X), X.b);
    constexpr int VC = tsr_held_<TC>(tsr_mma_layout_c(X), X.c), M = A / VA, N = B / VB;
    static_assert(A == M * VA && B == N * VB && C == M * N * VC,
                  "tsr_gemm: the fragments are (V,M), (V,N) and (V,M,N)");
    TSR_UNROLL for (int n = 0; n < N; ++n)
        TSR_UNROLL for (int m = 0; m < M; ++m) /* back and forth, so that one operand stays */
    {
        int const at = n % 2 ? M - 1 - m : m;
        tsr_mma<X>(c + VC * (at + M * n), a + VA * at, b + VB * n);
    }
}

/** What wgmma has to know of a tile (rows, k) in shared memory, in blocks of tsr_smem_atom: the descriptor of the first
 *  instruction's part, and how much further, in units of 16 bytes, the others begin. */
template <int N> struct tsr_wgmma_tile_ {
    tsr_tuple desc; /* as of tsr_gmma_desc */
    int rows, depth;
    int64_t step[N];
};

/** The tile `smem`, a block of tsr_smem_atom repeated, cut into parts of rows x depth elements of `bytes` bytes. */
template <int N>
TSR_FN tsr_wgmma_tile_<N> tsr_make_wgmma_tile_(tsr_layout block, tsr_layout smem, int rows, int depth, int bytes)
{
    tsr_wgmma_tile_<N> r{};
    tsr_tuple const shape = tsr_tuple_2(tsr_product(tsr_get_(&smem.shape, 0)), tsr_product(tsr_get_(&smem.shape, 1)));
    r.desc = tsr_gmma_desc(block, shape, tsr_tile(tsr_s(rows), tsr_s(depth)));
    r.rows = (int)shape.leaf[0].value / rows;
    r.depth = (int)shape.leaf[1].value / depth;
    tsr_layout plain = smem;
    plain.composed = false;
    for (int k = 0; k < r.depth; ++k)
        for (int m = 0; m < r.rows; ++m)
            r.step[m + r.rows * k] =
                tsr_layout_offset(&plain, m * rows + (int64_t)k * depth * shape.leaf[0].value) * bytes / 16;
    return r;
}

/** How many instructions of rows x depth a tile has. */
TSR_FN int tsr_wgmma_parts_(tsr_layout smem, int rows, int depth)
{
    return (int)(tsr_size(smem) / ((int64_t)rows * depth));
}

/** c += a*b of a warpgroup, asynchronous, between tsr_wgmma_fence and tsr_wgmma_commit: a (64*M, K) and b (N, K) are
 *  tiles in shared memory, A and B their layouts, each the block BLOCK_A or BLOCK_B repeated (tsr_tile_to_shape).
 *  `scale` 0 forgets what c was. */
template <tsr_mma_atom const &X, tsr_layout const &BLOCK_A, tsr_layout const &A, tsr_layout const &BLOCK_B,
          tsr_layout const &B, class T, class TC, int C>
TSR_DEVICE void tsr_gemm_wgmma(T const *a, T const *b, TC (&c)[C], int scale = 1)
{
    constexpr int pa = tsr_wgmma_parts_(A, X.m, X.k), pb = tsr_wgmma_parts_(B, X.n, X.k);
    constexpr tsr_wgmma_tile_<pa> tile_a = tsr_make_wgmma_tile_<pa>(BLOCK_A, A, X.m, X.k, (int)sizeof(T));
    constexpr tsr_wgmma_tile_<pb> tile_b = tsr_make_wgmma_tile_<pb>(BLOCK_B, B, X.n, X.k, (int)sizeof(T));
    static_assert(tile_a.desc.status == TSR_OK && tile_b.desc.status == TSR_OK,
                  "tsr_gemm_wgmma: a tile is none that wgmma can read (tsr_gmma_desc says why)");
    static_assert(tile_a.depth == tile_b.depth, "tsr_gemm_wgmma: A and B have the same K");
    constexpr int VC = X.d == TSR_F16 ? X.n / 4 : X.n / 2;
    static_assert(C == VC * tile_a.rows * tile_b.rows, "tsr_gemm_wgmma: the accumulators are (V,M,N)");
    uint64_t const desc_a = tsr_wgmma_desc(tile_a.desc, a), desc_b = tsr_wgmma_desc(tile_b.desc, b);
    TSR_UNROLL for (int k = 0; k < tile_a.depth; ++k) TSR_UNROLL for (int n = 0; n < tile_b.rows; ++n)
        TSR_UNROLL for (int m = 0; m < tile_a.rows; ++m)
            tsr_wgmma<X>(c + VC * (m + tile_a.rows * n), desc_a + tile_a.step[m + tile_a.rows * k],
                         desc_b + tile_b.step[n + tile_b.rows * k], k == 0 ? scale : 1);
}

#endif
