/** Products of tcgen05.mma: the atom says which instruction, its descriptor and its operands.
 *
 *      static constexpr tsr_mma_atom atom = tsr_umma(2, 256, 128, TSR_F32, TSR_BF16, TSR_BF16, 0, TSR_MMA_PLAIN);
 *      tsr_umma<atom>(t.c, desc_a, desc_b, add);                       // tcgen05.mma.cta_group::2.kind::f16
 *      tsr_umma<atom>(t.c, tsr_tmem_at{t.a}, desc_b, add);             // an atom with A in tensor memory
 *      tsr_umma_scaled<atom>(t.c, desc_a, desc_b, t.sfa, t.sfb, add);
 *      tsr_umma_sparse<atom>(t.c, desc_a, desc_b, t.e, add);
 *
 *      tsr_gemm_umma<atom, A, B>(tsr_smem(a), tsr_smem(b), t.c, add);  // all parts of two tiles
 *      tsr_gemm_umma<atom, A, B>(tsr_smem(a), tsr_smem(b), t.c, t.sfa, t.sfb, add);
 *      tsr_umma_commit<2>(&ring.free[i], 3);                           // the barrier of both CTAs
 *
 *  One thread issues, of a pair one of the even CTA. It calls tsr_umma_after() behind a barrier that it waited for. Who
 *  hands tensor memory on calls tsr_umma_before() in front of the barrier.
 *
 *  Law     c(m,n) = the sum over k of a(m,k) * b(n,k) + (add ? c(m,n) : 0), at tsr_tmem_layout(atom, TSR_TMEM_C, ..)
 *          from the address c on; asynchronous, in the order of issue.
 *  Needs   descriptors of version 1 (tsr_umma_desc).
 *  Source  PTX ISA 9.0, "tcgen05.mma", "tcgen05.commit".
 */
#ifndef TSR_CUDA_UMMA_CUH
#define TSR_CUDA_UMMA_CUH

#include "tessera/cuda/smem_tile.cuh"
#include "tessera/cuda/tmem.cuh"

/** An atom as an instruction: its words, and its descriptor with Flags (TSR_UMMA_NEGATE_A and so on). */
template <tsr_mma_atom const &X, uint32_t Flags> struct tsr_umma_form_ {
    static constexpr bool good = TSR_FINE(tsr_umma_why(tsr_later_<tsr_umma_form_>(X), Flags));
    static constexpr int kind = good ? tsr_umma_kind_of(tsr_later_<tsr_umma_form_>(X)) : TSR_UMMA_KIND_F16;
    static constexpr int ctas = X.kind == TSR_MMA_CTA_PAIR ? 2 : 1;
    static constexpr bool ts = (X.flags & TSR_MMA_A_REGISTERS) != 0, sparse = (X.flags & TSR_MMA_SPARSE) != 0;
    static constexpr bool scaled = tsr_mma_is_scaled(tsr_later_<tsr_umma_form_>(X));
    static constexpr int flags = (ts ? TSR_UMMA_TS : 0) | (sparse ? TSR_UMMA_SP : 0);
    static constexpr int vector = !scaled ? 0 : X.form == TSR_MMA_SCALE_32 ? 32 : 16;
    static constexpr uint32_t word = tsr_umma_bits(tsr_later_<tsr_umma_form_>(X), Flags);
};

template <class A> constexpr int tsr_umma_a_ = 0;
template <> constexpr int tsr_umma_a_<unsigned long> = sizeof(long) == 8 ? 1 : 0;
template <> constexpr int tsr_umma_a_<unsigned long long> = 1;
template <> constexpr int tsr_umma_a_<tsr_tmem_at> = 2;

/** Do the operands of a verb suit the atom? Place: 1 a descriptor of A, 2 an address. */
template <tsr_mma_atom const &X, int Place, bool Sparse, bool Scaled> struct tsr_umma_takes_ {
    typedef tsr_umma_form_<X, 0> form;
    static constexpr bool place = !form::good || Place == (form::ts ? 2 : 1);
    static constexpr bool sparse = !form::good || Sparse == form::sparse,
                          scaled = !form::good || Scaled == form::scaled;
    static_assert(place, "tsr_umma: A is a descriptor, or tsr_tmem_at for an atom with TSR_MMA_A_REGISTERS");
    static_assert(sparse, "tsr_umma: an atom with TSR_MMA_SPARSE has metadata (tsr_umma_sparse), others do not");
    static_assert(scaled, "tsr_umma: an atom with block scales has their addresses (tsr_umma_scaled), others do not");
    static constexpr bool good = form::good && place && sparse && scaled;
};

/** One instruction; x lacks its word. */
template <tsr_mma_atom const &X, uint32_t Flags, int Collect> TSR_DEVICE void tsr_umma_one_(tsr_umma_issue x)
{
    typedef tsr_umma_form_<X, Flags> form;
    x.word = form::word | (form::scaled ? tsr_umma_scale_ids(x.sfa, x.sfb) : 0);
    if constexpr (form::good && X.form == TSR_MMA_SCALED_D)
        tsr_tcgen05_mma_scale_d<form::kind, form::ctas, form::flags, Collect, X.scale_d>(x);
    else if constexpr (form::good)
        tsr_tcgen05_mma<form::kind, form::ctas, form::flags, form::vector, Collect>(x);
}

TSR_DEVICE uint64_t tsr_umma_bits_of_(uint64_t desc) { return desc; }
TSR_DEVICE uint64_t tsr_umma_bits_of_(tsr_tmem_at a) { return a.at; }

/** c = a*b, + c with `add`. A by descriptor or tsr_tmem_at, B by descriptor. */
template <tsr_mma_atom const &X, uint32_t Flags = 0, int Collect = TSR_UMMA_COLLECT_NONE, class A>
TSR_DEVICE void tsr_umma(uint32_t c, A a, uint64_t b, bool add)
{
    if constexpr (tsr_umma_takes_<X, tsr_umma_a_<A>, false, false>::good)
        tsr_umma_one_<X, Flags, Collect>({c, tsr_umma_bits_of_(a), b, 0, add, 0, 0, 0});
}

/** The same of an atom with block scales, at addresses of tensor memory. */
template <tsr_mma_atom const &X, uint32_t Flags = 0, int Collect = TSR_UMMA_COLLECT_NONE, class A>
TSR_DEVICE void tsr_umma_scaled(uint32_t c, A a, uint64_t b, uint32_t sfa, uint32_t sfb, bool add)
{
    if constexpr (tsr_umma_takes_<X, tsr_umma_a_<A>, false, true>::good)
        tsr_umma_one_<X, Flags, Collect>({c, tsr_umma_bits_of_(a), b, 0, add, 0, sfa, sfb});
}

/** The same of a sparse A, its metadata at e; the sparse id is a part of Flags. */
template <tsr_mma_atom const &X, uint32_t Flags = 0, int Collect = TSR_UMMA_COLLECT_NONE, class A>
TSR_DEVICE void tsr_umma_sparse(uint32_t c, A a, uint64_t b, uint32_t e, bool add)
{
    if constexpr (tsr_umma_takes_<X, tsr_umma_a_<A>, true, false>::good)
        tsr_umma_one_<X, Flags, Collect>({c, tsr_umma_bits_of_(a), b, 0, add, e, 0, 0});
}
template <tsr_mma_atom const &X, uint32_t Flags = 0, int Collect = TSR_UMMA_COLLECT_NONE, class A>
TSR_DEVICE void tsr_umma_sparse(uint32_t c, A a, uint64_t b, uint32_t e, uint32_t sfa, uint32_t sfb, bool add)
{
    if constexpr (tsr_umma_takes_<X, tsr_umma_a_<A>, true, true>::good)
        tsr_umma_one_<X, Flags, Collect>({c, tsr_umma_bits_of_(a), b, 0, add, e, sfa, sfb});
}

/* Tiles */

/** The descriptor of the first part of a tile in shared memory. */
TSR_DEVICE uint64_t tsr_umma_desc(tsr_gmma_fields fields, void const *at)
{
    return tsr_gmma_bits(fields, tsr_smem_address(at));
}

/** Are elements of T those of an operand? Numbers of 4 and 6 bits are bytes in shared memory, one or two to each. */
template <class T> TSR_TEMPLATE_FN bool tsr_is_umma_operand_(int type)
{
    bool const small = tsr_dtype_bits((tsr_dtype)type) < 8;
    return small ? sizeof(T) == 1 && tsr_alike_(tsr_number_type_<T>, type) : tsr_is_operand_<T>(type);
}

/** The A of an atom in tensor memory: one part along M, as deep as B. */
template <tsr_mma_atom const &X, int Depth> struct tsr_umma_ts_ {
    typedef tsr_tmem_tiles_<X, TSR_TMEM_A, 1, Depth> tiles;
    static constexpr bool good = tiles::good;
    static constexpr int rows = 1, depth = Depth;
    static constexpr tsr_tmem_steps_<Depth> step = tiles::step;
};

/** All parts of A and B; x has what belongs to the first. */
template <tsr_mma_atom const &X, class Left, class Right> TSR_DEVICE void tsr_gemm_umma_(tsr_umma_issue const &x)
{
    constexpr int M = Left::rows, N = Right::rows, K = Right::depth;
    typedef tsr_umma_form_<X, 0> form;
    typedef tsr_tmem_tiles_<X, TSR_TMEM_C, M, N> sums;
    typedef tsr_tmem_tiles_<X, TSR_TMEM_E, M, K, form::sparse> metadata;
    typedef tsr_tmem_tiles_<X, TSR_TMEM_SFA, M, K, form::scaled> scales_a;
    typedef tsr_tmem_tiles_<X, TSR_TMEM_SFB, N, K, form::scaled> scales_b;
    constexpr bool deep = Left::depth == K;
    static_assert(deep, "tsr_gemm_umma: A and B have the same K");
    if constexpr (deep && sums::good && metadata::good && scales_a::good && scales_b::good)
        TSR_UNROLL for (int k = 0; k < K; ++k) TSR_UNROLL for (int n = 0; n < N; ++n)
            TSR_UNROLL for (int m = 0; m < M; ++m)
        {
            constexpr auto a = Left::step;
            constexpr auto b = Right::step;
            constexpr auto c = sums::step;
            constexpr auto e = metadata::step;
            constexpr auto sfa = scales_a::step;
            constexpr auto sfb = scales_b::step;
            int const mk = m + M * k, nk = n + N * k;
            tsr_umma_one_<X, 0, TSR_UMMA_COLLECT_NONE>({x.c + c.at[m + M * n], x.a + a.at[mk], x.b + b.at[nk], 0,
                                                        k > 0 || x.add, x.e + e.at[mk], x.sfa + sfa.at[mk],
                                                        x.sfb + sfb.at[nk]});
        }
}

/** A and B in shared memory. */
template <tsr_mma_atom const &X, tsr_layout const &A, tsr_layout const &B, bool Sparse, bool Scaled, class TA,
          class TB>
TSR_DEVICE void tsr_gemm_umma_ss_(tsr_shared<TA> a, tsr_shared<TB> b, tsr_umma_issue x)
{
    static_assert(tsr_is_umma_operand_<TA>(X.a) && tsr_is_umma_operand_<TB>(X.b),
                  "tsr_gemm_umma: elements of the atom's types");
    if constexpr (tsr_umma_takes_<X, 1, Sparse, Scaled>::good) {
        typedef tsr_smem_operand_<X, A, false> left;
        typedef tsr_smem_operand_<X, B, true> right;
        if constexpr (left::good && right::good) {
            x.a = tsr_umma_desc(left::tile.fields, a.at);
            x.b = tsr_umma_desc(right::tile.fields, b.at);
            tsr_gemm_umma_<X, left, right>(x);
        }
    }
}

/** The sums at c of the tiles a (M,K) and b (N,K) in shared memory, of a pair the tiles of one CTA. A and B are their
 *  layouts; addresses are aligned to the period of the swizzle, 1024 bytes do always. Without `add` the sums that were
 *  there are forgotten. */
template <tsr_mma_atom const &X, tsr_layout const &A, tsr_layout const &B, class TA, class TB>
TSR_DEVICE void tsr_gemm_umma(tsr_shared<TA> a, tsr_shared<TB> b, uint32_t c, bool add)
{
    tsr_gemm_umma_ss_<X, A, B, false, false>(a, b, {c, 0, 0, 0, add, 0, 0, 0});
}

/** The same with scales in tensor memory, all of the tile's (tsr_tmem_fill). */
template <tsr_mma_atom const &X, tsr_layout const &A, tsr_layout const &B, class TA, class TB>
TSR_DEVICE void tsr_gemm_umma(tsr_shared<TA> a, tsr_shared<TB> b, uint32_t c, uint32_t sfa, uint32_t sfb, bool add)
{
    tsr_gemm_umma_ss_<X, A, B, false, true>(a, b, {c, 0, 0, 0, add, 0, sfa, sfb});
}

/** The same of a sparse A with the tile's metadata at e. */
template <tsr_mma_atom const &X, tsr_layout const &A, tsr_layout const &B, class TA, class TB>
TSR_DEVICE void tsr_gemm_umma_sparse(tsr_shared<TA> a, tsr_shared<TB> b, uint32_t c, uint32_t e, bool add)
{
    tsr_gemm_umma_ss_<X, A, B, true, false>(a, b, {c, 0, 0, 0, add, e, 0, 0});
}

/** A in tensor memory, (M,K) with the M of the atom. */
template <tsr_mma_atom const &X, tsr_layout const &B, class TB>
TSR_DEVICE void tsr_gemm_umma(tsr_tmem_at a, tsr_shared<TB> b, uint32_t c, bool add)
{
    static_assert(tsr_is_umma_operand_<TB>(X.b), "tsr_gemm_umma: elements of the atom's type");
    if constexpr (tsr_umma_takes_<X, 2, false, false>::good) {
        typedef tsr_smem_operand_<X, B, true> right;
        if constexpr (right::good)
            tsr_gemm_umma_<X, tsr_umma_ts_<X, right::depth>, right>(
                {c, a.at, tsr_umma_desc(right::tile.fields, b.at), 0, add, 0, 0, 0});
    }
}

/* Order */

/** The barrier gets an arrival when all products and copies of this thread before have ended; their sums are then
 *  there, and their shared memory is free. */
template <int Ctas> TSR_DEVICE void tsr_umma_commit(tsr_barrier *b) { tsr_tcgen05_commit<Ctas>(b); }

/** The same at the barriers at that place in the CTAs of the cluster whose bits are set. */
template <int Ctas> TSR_DEVICE void tsr_umma_commit(tsr_barrier *b, uint16_t mask)
{
    tsr_tcgen05_commit<Ctas>(b, mask);
}

/** ptxas wants one number of CTAs in all tcgen05 of a kernel, so that none is the default. */
template <class None = void> TSR_DEVICE void tsr_umma_commit(tsr_barrier *, uint16_t = 0)
{
    static_assert(tsr_none_<None>,
                  "tsr_umma_commit<1>(barrier) of one CTA, tsr_umma_commit<2>(barrier, mask) of a pair");
}

/** In front of a barrier by which this thread hands tensor memory on, and behind one that it waited for. */
template <int Arch = 0> TSR_DEVICE void tsr_umma_before(void) { tsr_tcgen05_fence_before<Arch>(); }
template <int Arch = 0> TSR_DEVICE void tsr_umma_after(void) { tsr_tcgen05_fence_after<Arch>(); }

TSR_ELSE_(tsr_umma,
          "tsr_umma<atom>: an address of sums, a descriptor or tsr_tmem_at of A, a descriptor of B, and add",
          tsr_mma_atom const &)
TSR_ELSE_(
    tsr_gemm_umma,
    "tsr_gemm_umma<atom, A, B>: tsr_smem(pointer) of tiles in shared memory, an address of sums, perhaps of both "
    "scales, and add; tsr_gemm_umma<atom, B> takes tsr_tmem_at for A",
    tsr_mma_atom const &, tsr_layout const &...)

#endif
