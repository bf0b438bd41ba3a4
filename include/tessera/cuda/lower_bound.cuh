/** Tensors whose elements begin at a coordinate: predicates with a lower bound beside the upper one. A window over keys
 *  that begins inside of a tile, and padding in front of an image.
 *
 *      auto const keys = tsr_lower_bound(tensor, {{first, 0}});               rows from `first` on
 *      tsr_copy_if<16>(tsr_part<L>(keys.from(m, n), t), registers);    zeros in front of it and behind the end
 *      tsr_copy_if<16>(registers, tsr_part<L>(keys.from(m, n), t));    nothing is written there
 *      auto x = tsr_frag_load<16, L>(keys.from(m, n), t);
 *      tsr_frag_store<16>(x, keys.from(m, n), t);
 *      tsr_copy_async_if<16>(tsr_part<L>(keys.from(m, n), t), tsr_part<S>(tsr_smem(tile), t));      zeros, too
 *
 *  m and n may be negative: what is in front of the tensor is in front of the bound. In the background an access that
 *  the bound cuts along the contiguous mode is slow: the thread waits for its elements, one by one. Whole accesses
 *  in front are zeros at no cost.
 *
 *  Law     an element at coordinate c of the tensor counts where begin <= c < extent in every mode.
 */
#ifndef TSR_CUDA_LOWER_BOUND_CUH
#define TSR_CUDA_LOWER_BOUND_CUH

#include "tessera/cuda/frag_copy.cuh"

template <class T, int Rank, int Unit> struct tsr_lower_bounded {
    tsr_global<T, Rank, Unit> tensor;
    tsr_coord<Rank> begin;

    /** The tensor from coordinate c on. */
    TSR_DEVICE_MEMBER tsr_lower_bounded from(tsr_coord<Rank> c) const
    {
        tsr_lower_bounded r = {tensor.from(c), begin};
        TSR_UNROLL for (int d = 0; d < Rank; ++d) r.begin.at[d] -= c.at[d];
        return r;
    }
    template <class... I> TSR_DEVICE_MEMBER tsr_lower_bounded from(int first, I... more) const
    {
        static_assert(sizeof...(more) + 1 == Rank, "tsr_lower_bounded: a coordinate for each mode");
        return from(tsr_coord<Rank>{{first, (int)more...}});
    }
};

/** The elements of a tensor from coordinate `begin` on. */
template <class T, int Rank, int Unit>
TSR_DEVICE tsr_lower_bounded<T, Rank, Unit> tsr_lower_bound(tsr_global<T, Rank, Unit> const &tensor,
                                                            tsr_coord<Rank> begin)
{
    TSR_UNROLL for (int d = 0; d < Rank; ++d) begin.at[d] = max(0, begin.at[d]);
    return {tensor, begin};
}

/** A thread's values in such a tensor. */
template <tsr_layout const &L, class T, int Rank, int Unit> struct tsr_lower_bounded_part {
    tsr_global_part<L, T, Rank, Unit> part;
    tsr_coord<Rank> begin; /* from the thread's first value on */

    /** Moves to the same values `by` steps further along each mode. */
    template <class... I> TSR_DEVICE_MEMBER void move(I... by)
    {
        tsr_lower_bounded<T, Rank, Unit> const x =
            tsr_lower_bounded<T, Rank, Unit>{part.tensor, begin}.from((int)by...);
        part.tensor = x.tensor;
        begin = x.begin;
    }
};

template <tsr_layout const &L, class T, int Rank, int Unit>
TSR_DEVICE tsr_lower_bounded_part<L, T, Rank, Unit> tsr_part(tsr_lower_bounded<T, Rank, Unit> const &x, int t)
{
    if constexpr (!tsr_counted_<L, Rank>::good) {
        return {{x.tensor}, x.begin};
    } else {
        tsr_lower_bounded<T, Rank, Unit> const mine = x.from(tsr_thread_coord_<L, Rank>(t));
        return {{mine.tensor}, mine.begin};
    }
}

/** Copies: those of the part, but for what is in front of the bound. */
template <tsr_layout const &L, class T, int Rank, int Unit>
struct tsr_predicate_<tsr_lower_bounded_part<L, T, Rank, Unit>> : tsr_predicate_<tsr_global_part<L, T, Rank, Unit>> {
    typedef tsr_predicate_<tsr_global_part<L, T, Rank, Unit>> unbounded;
    enum { in_front = Unit >= 0 };
    tsr_coord<Rank> const &begin;

    TSR_DEVICE_MEMBER tsr_predicate_(tsr_lower_bounded_part<L, T, Rank, Unit> const &x)
        : unbounded{x.part}, begin(x.begin)
    {
    }
    TSR_DEVICE_MEMBER tsr_inside_span_ span(int v, int n) const
    {
        tsr_coord<Rank> const c = this->part.coord(v);
        tsr_inside_span_ r = unbounded::span(v, n);
        TSR_UNROLL for (int d = 0; d < Rank; ++d)
        {
            if (d == Unit)
                r.first = max(0, begin.at[d] - c.at[d]);
            else if (c.at[d] < begin.at[d])
                r.last = 0;
        }
        return r;
    }
};

#endif
