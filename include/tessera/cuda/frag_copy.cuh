/** Fragments to and from global memory, predicated; and quads of threads that exchange registers for wider accesses.
 *
 *      auto x = tsr_frag_load<16, L>(tensor.from(m, n), t);      zeros outside
 *      tsr_frag_store<4>(x, tensor.from(m, n), t);               what is inside
 *      tsr_frag_store<16>(tsr_frag_widen(h), tensor, t);         accumulators as half: 16 bytes instead of 4
 *
 *  Law     tsr_frag_widen moves elements between threads, none changes: value v of thread t is then the element at
 *          tsr_widened<L, T>::layout(t, v).
 */
#ifndef TSR_CUDA_FRAG_COPY_CUH
#define TSR_CUDA_FRAG_COPY_CUH

#include "tessera/cuda/copy.cuh"
#include "tessera/cuda/frag.cuh"

template <int Bytes, tsr_layout const &L, class T, int Rank, int Unit>
TSR_DEVICE auto tsr_frag_load(tsr_global<T const, Rank, Unit> const &from, int t)
{
    tsr_frag<L, T> x;
    tsr_copy_if<Bytes>(tsr_part<L>(from, t), x.r);
    return x;
}

template <int Bytes, tsr_layout const &L, class T, int Rank, int Unit>
TSR_DEVICE void tsr_frag_store(tsr_frag<L, T> const &x, tsr_global<T, Rank, Unit> const &to, int t)
{
    tsr_copy_if<Bytes>(x.r, tsr_part<L>(to, t));
}

template <tsr_layout const &L, class T> struct tsr_widened {
    enum { packed = tsr_frag<L, T>::packed };
    static constexpr tsr_layout layout = tsr_widened_fragment(L, packed);
    static constexpr int step = (int)tsr_widened_step(L, packed) / packed; /* registers from one block to the next */
};

/** Each four threads of a quad exchange four registers each: a thread then has four that are neighbours. */
template <tsr_layout const &L, class T> TSR_DEVICE auto tsr_frag_widen(tsr_frag<L, T> const &x)
{
    typedef tsr_widened<L, T> wide;
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
}

#endif
