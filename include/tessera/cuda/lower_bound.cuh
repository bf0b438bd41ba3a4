/** Tensors whose elements begin at a coordinate: predicates with a lower bound beside the upper one. A window over keys
 *  that begins inside of a tile, and padding in front of an image.
 *
 *      auto const keys = tsr_lower_bound(tensor, {{first, 0}});               rows from `first` on
 *      tsr_copy_if<16>(tsr_part<L>(keys.from(m, n), t), registers);    zeros in front of it and behind the end
 *      tsr_copy_if<16>(registers, tsr_part<L>(keys.from(m, n), t));    nothing is written there
 *      auto x = tsr_frag_load<16, L>(keys.from(m, n), t);
 *      tsr_frag_store<16>(x, keys.from(m, n), t);
 *
 *  m and n may be negative: what is in front of the tensor is in front of the bound. Copies in the background
 *  (tsr_copy_async_if) have no lower bound.
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

/** Of the elements of an access those from `first` to `last` - 1. */
struct tsr_inside_span_ {
    int first, last;
};

/** A thread's values in such a tensor. */
template <tsr_layout const &L, class T, int Rank, int Unit> struct tsr_lower_bounded_part {
    tsr_global_part<L, T, Rank, Unit> part;
    tsr_coord<Rank> begin; /* from the thread's first value on */

    /** Which of the n elements from value v on, along Unit, count. */
    TSR_DEVICE_MEMBER tsr_inside_span_ inside(int v, int n) const
    {
        tsr_coord<Rank> const c = part.coord(v);
        tsr_inside_span_ r = {0, tsr_inside_(part.tensor, c, n)};
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

template <int Bytes, tsr_layout const &L, class T, int Rank, int Unit, class U, int N>
TSR_DEVICE void tsr_copy_if(tsr_lower_bounded_part<L, T, Rank, Unit> const &from, U (&to)[N])
{
    constexpr int n = tsr_group_<Bytes, T>;
    constexpr bool grouped = tsr_coords_grouped_<L, Rank, Unit>(n);
    if constexpr (tsr_copied_<Bytes, T, U, U, tsr_values<L>, N, true, grouped>::good)
        TSR_UNROLL for (int v = 0; v < tsr_packed_<T, U, N>; v += n)
        {
            tsr_inside_span_ const s = from.inside(v, n);
            typename tsr_word_<Bytes>::type const zero = {};
            TSR_COPY(tsr_packed_at_<T>(to, v), &zero, Bytes);
            if (s.first == 0 && s.last == n) {
                tsr_read<Bytes>(from.part.pointer(v), tsr_packed_at_<T>(to, v));
            } else {
                TSR_UNROLL for (int i = 0; i < n; ++i) if (s.first <= i && i < s.last)
                    tsr_read<sizeof(T)>(from.part.pointer(v) + i, tsr_packed_at_<T>(to, v + i));
            }
        }
}

template <int Bytes, tsr_layout const &L, class T, int Rank, int Unit, class U, int N>
TSR_DEVICE void tsr_copy_if(U const (&from)[N], tsr_lower_bounded_part<L, T, Rank, Unit> const &to)
{
    constexpr int n = tsr_group_<Bytes, T>;
    constexpr bool grouped = tsr_coords_grouped_<L, Rank, Unit>(n);
    if constexpr (tsr_copied_<Bytes, T, U, T, tsr_values<L>, N, true, grouped>::good)
        TSR_UNROLL for (int v = 0; v < tsr_packed_<T, U, N>; v += n)
        {
            tsr_inside_span_ const s = to.inside(v, n);
            if (s.first == 0 && s.last == n) {
                tsr_write_global<Bytes>(tsr_packed_at_<T>(from, v), to.part.pointer(v));
            } else {
                TSR_UNROLL for (int i = 0; i < n; ++i) if (s.first <= i && i < s.last)
                    tsr_write<sizeof(T)>(tsr_packed_at_<T>(from, v + i), to.part.pointer(v) + i);
            }
        }
}

/* Fragments */

template <int Bytes, tsr_layout const &L, class T, int Rank, int Unit>
TSR_DEVICE auto tsr_frag_load(tsr_lower_bounded<T const, Rank, Unit> const &from, int t)
{
    tsr_frag<L, T> x;
    tsr_copy_if<Bytes>(tsr_part<L>(from, t), x.r);
    return x;
}
template <int Bytes, tsr_layout const &L, class T, int Rank, int Unit>
TSR_DEVICE auto tsr_frag_load(tsr_lower_bounded<T, Rank, Unit> const &from, int t)
{
    return tsr_frag_load<Bytes, L>(tsr_lower_bounded<T const, Rank, Unit>{tsr_as_const_(from.tensor), from.begin}, t);
}

template <int Bytes, tsr_layout const &L, class T, class U, int Rank, int Unit>
TSR_DEVICE void tsr_frag_store(tsr_frag<L, T> const &x, tsr_lower_bounded<U, Rank, Unit> const &to, int t)
{
    constexpr bool same = sizeof(T) == sizeof(U) && tsr_alike_(tsr_number_type_<T>, tsr_number_type_<U>);
    static_assert(same, "tsr_frag_store: elements of one type (tsr_frag_cast)");
    if constexpr (same)
        tsr_copy_if<Bytes>(x.r, tsr_part<L>(to, t));
}

#endif
