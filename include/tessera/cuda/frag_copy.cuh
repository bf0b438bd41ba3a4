/** Fragments to and from global memory, predicated or raw; from and to shared memory, raw or as tiles by matrices; and
 *  quads of threads that exchange registers for wider accesses.
 *
 *      auto x = tsr_frag_load<16, L>(tensor.from(m, n), t);      zeros outside; of a tsr_global, of one with a lower
 *                                                                bound, or of rows by an index (tsr_copy_if)
 *      tsr_frag_store<4>(x, tensor.from(m, n), t);               what is inside
 *      tsr_frag_store<16>(tsr_frag_widen(h), tensor, t);         accumulators as half: 16 bytes instead of 4
 *      tsr_frag_add_raw(x, at, t);                               at += x, by atomic additions of 16 bytes
 *      tsr_frag_store_raw(x, at, t);                             at = x, and back: what a kernel puts by, or hands on
 *      auto x = tsr_frag_load_raw<L, float>(at, t);
 *      tsr_copy_matrix<copy, smem>(tile, x, t);                  from a tile, tsr_smem(p), of layout smem, by ldmatrix
 *      tsr_copy_matrix<copy, smem>(x, tile, t);                  to it, by stmatrix
 *
 *  Law     tsr_frag_widen moves elements between threads, none changes: value v of thread t is then the element at
 *          tsr_widened<L, T>::layout(t, v). Raw memory has register r of thread t at 4*(r/4*threads + t) + r%4: every
 *          access of a warp is one run of 512 bytes, and only fragments of the same layout know what is where.
 */
#ifndef TSR_CUDA_FRAG_COPY_CUH
#define TSR_CUDA_FRAG_COPY_CUH

#include "tessera/cuda/copy.cuh"
#include "tessera/cuda/frag.cuh"

/** How copies go through a part of a tensor; without `element` if tsr_copy_if takes no such part. (A struct: nvcc 13.0
 *  does not deduce through an alias.) */
template <tsr_layout const &L, class Tensor> struct tsr_predicate_of_ {
    typedef tsr_predicate_<decltype(tsr_part<L>(*(Tensor const *)nullptr, 0))> type;
};

template <class T> struct tsr_not_const_ {
    typedef T type;
};
template <class T> struct tsr_not_const_<T const> {
    typedef T type;
};

/** A fragment of a tensor whose parts tsr_copy_if takes; zeros where there is none. */
template <int Bytes, tsr_layout const &L, class Tensor,
          class T = typename tsr_predicate_of_<L, Tensor>::type::element>
TSR_DEVICE auto tsr_frag_load(Tensor const &from, int t)
{
    tsr_frag<L, typename tsr_not_const_<T>::type> x;
    tsr_copy_if<Bytes>(tsr_part<L>(from, t), x.r);
    return x;
}

/** Its elements inside of the tensor. */
template <int Bytes, tsr_layout const &L, class T, class Tensor,
          class U = typename tsr_predicate_of_<L, Tensor>::type::element>
TSR_DEVICE void tsr_frag_store(tsr_frag<L, T> const &x, Tensor const &to, int t)
{
    constexpr bool same = sizeof(T) == sizeof(U) && tsr_alike_(tsr_number_type_<T>, tsr_number_type_<U>);
    static_assert(same, "tsr_frag_store: elements of one type (tsr_frag_cast)");
    if constexpr (same)
        tsr_copy_if<Bytes>(x.r, tsr_part<L>(to, t));
}

/** Where the four registers from number r on of thread t are in raw memory. */
template <tsr_layout const &L, class T> TSR_DEVICE int tsr_frag_raw_at_(int r, int t)
{
    typedef tsr_frag<L, T> frag;
    static_assert(sizeof(typename frag::word) == 4 && frag::words % 4 == 0, "raw memory: fours of 32-bit registers");
    return r * tsr_threads<L> + 4 * t;
}

/** at += x. Sums of floats, whose order changes from run to run. Needs sm_90, and `at` a multiple of 16 bytes. */
template <tsr_layout const &L> TSR_DEVICE void tsr_frag_add_raw(tsr_frag<L, float> const &x, float *at, int t)
{
    TSR_UNROLL for (int r = 0; r < x.words; r += 4)
    {
        float *const to = at + tsr_frag_raw_at_<L, float>(r, t);
        tsr_aligned_<16>(to);
#if TSR_EMULATE
        TSR_UNROLL for (int i = 0; i < 4; ++i) to[i] += x.r[r + i];
#else
        asm volatile("red.relaxed.gpu.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)),
                     "f"(x.r[r]), "f"(x.r[r + 1]), "f"(x.r[r + 2]), "f"(x.r[r + 3])
                     : "memory");
#endif
    }
}

/** The fragment to memory, global or shared, for those who read it by tsr_frag_load_raw. */
template <tsr_layout const &L, class T>
TSR_DEVICE void tsr_frag_store_raw(tsr_frag<L, T> const &x, typename tsr_frag<L, T>::word *at, int t)
{
    TSR_UNROLL for (int r = 0; r < x.words; r += 4) tsr_write<16>(x.r + r, at + tsr_frag_raw_at_<L, T>(r, t));
}

/** The fragment that is there. */
template <tsr_layout const &L, class T>
TSR_DEVICE tsr_frag<L, T> tsr_frag_load_raw(typename tsr_frag<L, T>::word const *at, int t)
{
    tsr_frag<L, T> x;
    TSR_UNROLL for (int r = 0; r < x.words; r += 4) tsr_read<16>(at + tsr_frag_raw_at_<L, T>(r, t), x.r + r);
    return x;
}

template <tsr_layout const &L, class T> struct tsr_widened {
    enum { packed = tsr_frag<L, T>::packed };
    static constexpr tsr_layout layout = tsr_widened_fragment(tsr_later_<tsr_widened>(L), packed);
    static constexpr int step =
        (int)tsr_widened_step(tsr_later_<tsr_widened>(L), packed) / packed; /* registers from one block to the next */
};

/** Each four threads of a quad exchange four registers each: a thread then has four that are neighbours. */
template <tsr_layout const &L, class T> TSR_DEVICE auto tsr_frag_widen(tsr_frag<L, T> const &x)
{
    typedef tsr_widened<L, T> wide;
    if constexpr (tsr_is_fragment_<wide::layout>) { /* else it is said, and what takes the result says nothing more */
        tsr_frag<wide::layout, T> r;
        int const lane = threadIdx.x;
        TSR_UNROLL for (int group = 0; group < x.words / 4; ++group)
        {
            typename tsr_frag<L, T>::word a[4];
            TSR_UNROLL for (int s = 0; s < 4; ++s) a[s] =
                x.r[group % wide::step + wide::step * (4 * (group / wide::step) + s)];
            TSR_UNROLL for (int bit = 1; bit < 4; bit *= 2) TSR_UNROLL for (int s = 0; s < 4; ++s)
            {
                if (s & bit)
                    continue;
                auto const got = __shfl_xor_sync(0xffffffffu, lane & bit ? a[s] : a[s | bit], bit);
                a[s] = lane & bit ? got : a[s];
                a[s | bit] = lane & bit ? a[s | bit] : got;
            }
            TSR_UNROLL for (int s = 0; s < 4; ++s) r.r[4 * group + s] = a[s];
        }
        return r;
    } else {
        return x;
    }
}

/** A tiled copy by matrices between a tile S of shared memory and the fragment F: what it moves at a time, and the
 *  parts. */
template <tsr_tiled_copy const &X, tsr_layout const &S, tsr_layout const &F, bool Store> struct tsr_by_matrices_ {
    static constexpr int rows = tsr_frag_extent_(F, 0), columns = tsr_frag_extent_(F, 1);
    static constexpr tsr_layout tile =
        tsr_make_identity_layout(tsr_t(tsr_s(tsr_later_<tsr_by_matrices_>(rows)), tsr_s(columns)));
    static constexpr tsr_layout part =
        Store ? tsr_tidfrg_d(tsr_later_<tsr_by_matrices_>(X), S) : tsr_tidfrg_s(tsr_later_<tsr_by_matrices_>(X), S);
    static constexpr tsr_layout registers = Store ? tsr_tidfrg_s(tsr_later_<tsr_by_matrices_>(X), tile)
                                                  : tsr_tidfrg_d(tsr_later_<tsr_by_matrices_>(X), tile);
    static constexpr bool transposed = X.atom.op == (Store ? TSR_COPY_SM90_STSM_T : TSR_COPY_SM75_LDSM_T);
    static constexpr bool matrices = transposed || X.atom.op == (Store ? TSR_COPY_SM90_STSM_N : TSR_COPY_SM75_LDSM_N);
    static constexpr bool large = tsr_size(tsr_mode(S, 0)) == rows && tsr_size(tsr_mode(S, 1)) == columns;
    static constexpr int count = X.atom.number / (transposed ? 2 : 1);
    static_assert(matrices, "tsr_copy_matrix: a tiled copy by ldmatrix from shared memory, by stmatrix to it");
    static_assert(large, "tsr_copy_matrix: a tile that has the extents of the fragment's");
    static constexpr bool good = matrices && large && tsr_same<registers, F>::good;
};

/** A tile of layout S into a fragment by ldmatrix. The tiled copy X must fill the registers of the fragment; else the
 *  compiler names the first difference. `t` is the thread. */
template <tsr_tiled_copy const &X, tsr_layout const &S, class T, tsr_layout const &F, class U>
TSR_DEVICE void tsr_copy_matrix(tsr_shared<T> tile, tsr_frag<F, U> &to, int t)
{
    typedef tsr_by_matrices_<X, S, F, false> by;
    constexpr bool alike = tsr_alike_(tsr_number_type_<T>, tsr_number_type_<U>);
    static_assert(alike, "tsr_copy_matrix: elements of one type");
    if constexpr (alike && by::good)
        tsr_copy_matrix<by::count, by::transposed>(tsr_part<by::part>(tile, t), to.r);
}

/** The other way, by stmatrix. */
template <tsr_tiled_copy const &X, tsr_layout const &S, tsr_layout const &F, class U, class T>
TSR_DEVICE void tsr_copy_matrix(tsr_frag<F, U> const &from, tsr_shared<T> tile, int t)
{
    typedef tsr_by_matrices_<X, S, F, true> by;
    constexpr bool alike = tsr_alike_(tsr_number_type_<T>, tsr_number_type_<U>);
    static_assert(alike, "tsr_copy_matrix: elements of one type");
    if constexpr (alike && by::good)
        tsr_copy_matrix<by::count, by::transposed>(from.r, tsr_part<by::part>(tile, t));
}

TSR_ELSE_(tsr_copy_matrix, "tsr_copy_matrix<copy, layout>: tsr_smem(pointer), a fragment, and the number of a thread",
          tsr_tiled_copy const &, tsr_layout const &...)
TSR_ELSE_(tsr_frag_load, "tsr_frag_load<Bytes, layout>: from a tsr_global, and the number of a thread", int,
          tsr_layout const &...)
TSR_ELSE_(tsr_frag_store, "tsr_frag_store: a fragment, a tsr_global, and the number of a thread", int)

#endif
