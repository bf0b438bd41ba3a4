/** Reductions of fragments over a mode of their coordinate, in a thread and across the threads that share what
 *  remains.
 *
 *      auto m = tsr_frag_reduce<1>(s, tsr_larger());             rows, where a warp holds them
 *      auto m = tsr_frag_reduce<1>(s, tsr_larger(), smem, t);    ... and where several warps do
 *
 *      auto sum = tsr_frag_fold<1>(s, tsr_plus());               the two steps: what this thread has,
 *      sum = tsr_frag_share<L, 1>(sum, tsr_plus());              and then all threads of a row
 *
 *  Numbers may be structs of the kernel's own, say of a value and where it is (tsr_frag_map_at makes them).
 *
 *  Law     the result is a fragment of tsr_reduced<L, D>::layout, the same number in every thread that shares it. The
 *          function is associative and commutative; values are taken in their order, threads by a butterfly, warps
 *          in order.
 */
#ifndef TSR_CUDA_FRAG_REDUCE_CUH
#define TSR_CUDA_FRAG_REDUCE_CUH

#include "tessera/cuda/frag.cuh"

struct tsr_plus {
    template <class T> TSR_DEVICE_MEMBER T operator()(T a, T b) const { return a + b; }
};
struct tsr_times {
    template <class T> TSR_DEVICE_MEMBER T operator()(T a, T b) const { return a * b; }
};
struct tsr_larger {
    template <class T> TSR_DEVICE_MEMBER T operator()(T a, T b) const { return a < b ? b : a; }
    TSR_DEVICE_MEMBER float operator()(float a, float b) const { return fmaxf(a, b); }
};

/** The numbers of the first values of L that go into each value of its reduction. */
template <tsr_layout const &L, int D> TSR_TEMPLATE_FN tsr_numbers_<tsr_values<L>> tsr_first_values_()
{
    tsr_numbers_<tsr_values<L>> r = tsr_reduced_values_<L>(D), first{};
    for (int v = tsr_values<L>; v-- > 0;)
        first.at[r.at[v]] = v;
    return first;
}

/** What this thread has of each value of the reduction. */
template <int D, tsr_layout const &L, class T, class G>
TSR_DEVICE auto tsr_frag_fold(tsr_frag<L, T> const &x, G const &f)
{
    static_assert(sizeof(T) >= 4, "tsr_frag_fold: numbers of 32 bits or more (tsr_frag_cast)");
    constexpr tsr_numbers_<tsr_values<L>> to = tsr_reduced_values_<L>(D), first = tsr_first_values_<L, D>();
    tsr_frag<tsr_reduced<L, D>::layout, T> r;
    TSR_UNROLL for (int v = 0; v < tsr_values<L>; ++v) r.r[to.at[v]] =
        first.at[to.at[v]] == v ? x.r[v] : f(r.r[to.at[v]], x.r[v]);
    return r;
}

/** The bits of the thread number in which threads differ that share a value of the reduction; -1 if no bits tell. */
TSR_FN int tsr_sharing_bits_(tsr_layout const &l, int d)
{
    int bits = 0, weight = 1;
    for (int k = 0; k < tsr_get_(&l.shape, 0).leaves; ++k) {
        int const n = (int)l.shape.leaf[k].value;
        bool const along = tsr_leaf_along(l.stride.leaf[k], d);
        if (along && ((n & (n - 1)) != 0 || (weight & (weight - 1)) != 0))
            return -1;
        bits |= along ? weight * (n - 1) : 0;
        weight *= n;
    }
    return bits;
}

/** The value of the lane whose number differs in these bits; any type of whole words. */
template <class T> TSR_DEVICE T tsr_of_lane_xor_(T x, int bits)
{
    static_assert(sizeof(T) % 4 == 0, "tsr_frag_share: numbers, or structs, of whole 32 bits");
    uint32_t w[sizeof(T) / 4];
    TSR_COPY(w, &x, sizeof w);
    TSR_UNROLL for (int i = 0; i < (int)(sizeof(T) / 4); ++i) w[i] = __shfl_xor_sync(0xffffffffu, w[i], bits);
    TSR_COPY(&x, w, sizeof w);
    return x;
}

/** The lanes of a warp that share a value combine their parts of it; L is the fragment that was folded. */
template <tsr_layout const &L, int D, tsr_layout const &R, class T, class G>
TSR_DEVICE tsr_frag<R, T> tsr_frag_share_lanes_(tsr_frag<R, T> x, G const &f)
{
    constexpr int bits = tsr_sharing_bits_(tsr_later_<tsr_on_<L>>(L), D);
    static_assert(bits >= 0, "tsr_frag_share: the threads of a value differ in bits of their number");
    static_assert(tsr_same<R, tsr_reduced<L, D>::layout>::good, "tsr_frag_share: what L is without mode D");
    TSR_UNROLL for (int bit = 1; bit < 32; bit *= 2)
    {
        if (bits & bit)
            TSR_UNROLL for (int w = 0; w < x.words; ++w) x.r[w] = f(x.r[w], tsr_of_lane_xor_(x.r[w], bit));
    }
    return x;
}

/** The same of all threads, which are in one warp. */
template <tsr_layout const &L, int D, tsr_layout const &R, class T, class G>
TSR_DEVICE tsr_frag<R, T> tsr_frag_share(tsr_frag<R, T> const &x, G const &f)
{
    static_assert(tsr_sharing_bits_(tsr_later_<tsr_on_<L>>(L), D) < 32,
                  "tsr_frag_share: threads of several warps need shared memory");
    return tsr_frag_share_lanes_<L, D>(x, f);
}

/** How many numbers several warps need in shared memory. */
template <tsr_layout const &L, int D> constexpr int tsr_frag_shared =
    tsr_threads<L> *tsr_values<tsr_reduced<L, D>::layout>;

/** The same of threads of several warps. `t` is the number of the thread in L. `smem` has tsr_frag_shared<L, D>
 *  numbers, which nobody else uses. `meet` is a barrier of these threads. */
template <tsr_layout const &L, int D, tsr_layout const &R, class T, class G, class M>
TSR_DEVICE tsr_frag<R, T> tsr_frag_share(tsr_frag<R, T> x, G const &f, tsr_shared<T> smem, int t, M const &meet)
{
    constexpr int bits = tsr_sharing_bits_(tsr_later_<tsr_on_<L>>(L), D), warps = bits & ~31;
    x = tsr_frag_share_lanes_<L, D>(x, f);
    TSR_UNROLL for (int w = 0; w < x.words; ++w) smem.at[w * tsr_threads<L> + t] = x.r[w];
    meet();
    TSR_UNROLL for (int other = 0; other < tsr_threads<L>; other += 32)
    {
        if (other & ~warps)
            continue;
        TSR_UNROLL for (int w = 0; w < x.words; ++w)
        {
            T const y = smem.at[w * tsr_threads<L> + ((t & ~warps) | other)];
            x.r[w] = other == 0 ? y : f(x.r[w], y);
        }
    }
    return x;
}

/** One number for each value of the fragment without mode D: of a row for D = 1, of a column for D = 0. */
template <int D, tsr_layout const &L, class T, class G>
TSR_DEVICE auto tsr_frag_reduce(tsr_frag<L, T> const &x, G const &f)
{
    return tsr_frag_share<L, D>(tsr_frag_fold<D>(x, f), f);
}
template <int D, tsr_layout const &L, class T, class G>
TSR_DEVICE auto tsr_frag_reduce(tsr_frag<L, T> const &x, G const &f, tsr_shared<T> smem, int t)
{
    return tsr_frag_share<L, D>(tsr_frag_fold<D>(x, f), f, smem, t, [] { __syncthreads(); });
}

TSR_ELSE_(tsr_frag_fold, "tsr_frag_fold<mode>: a fragment and a function of two numbers", int = 0)
TSR_ELSE_(tsr_frag_reduce,
          "tsr_frag_reduce<mode>: a fragment, a function of two numbers; for several warps tsr_smem(pointer) of its "
          "type, the thread",
          int = 0)

#endif
