/** Register tensors: the layout of a fragment in the type, the registers of one thread in the value.
 *
 *      tsr_frag<L, float> s;                               L: (thread, values...) -> coordinate (atom/fragment.h)
 *      auto p = tsr_frag_map(s, [](float x) { return x + 1; });
 *      auto q = tsr_frag_zip(s, row, [](float x, float m) { return x - m; });      `row`: of L, or reduced from it
 *      auto m = tsr_frag_mask(s, t, -tsr_infinity(), [](tsr_coord<2> c) { return c.at[1] <= c.at[0]; });
 *      tsr_frag_each(s, t, [&](float x, tsr_coord<2> c) { atomicAdd(count + c.at[1], x > 0); });
 *      auto h = tsr_frag_cast<tsr_f16>(q);                 packed, two, four or eight to a register
 *      auto a = tsr_frag_retile<A>(h);                     the same elements under another layout's name
 *      auto k = tsr_frag_slice<A, 8>(h);                   the values from number 8 on, as the fragment A
 *
 *  Law     value v of thread t is the element at L(t, v); numbers of less than 32 bits are packed from the lowest
 *          bits on, as the matrix instructions take them. What layouts do not prove does not compile, and the error
 *          is a sentence.
 */
#ifndef TSR_CUDA_FRAG_CUH
#define TSR_CUDA_FRAG_CUH

#include "tessera/cuda/float8.cuh"
#include "tessera/cuda/half.cuh"
#include "tessera/cuda/nibble.cuh"
#include "tessera/cuda/partition.cuh"

/** What numbers of a type are kept in. */
template <class T, bool Small = (sizeof(T) < 4)> struct tsr_kept_in_ {
    typedef T type;
};
template <class T> struct tsr_kept_in_<T, true> {
    typedef uint32_t type;
};

template <tsr_layout const &L>
constexpr bool tsr_is_fragment_ = TSR_FINE(tsr_fragment_why(tsr_later_<tsr_on_<L>>(L)));

/** The extent of mode d of the tile that a fragment covers. */
TSR_FN int tsr_frag_extent_(tsr_layout const &l, int d)
{
    int64_t last = 0;
    for (int k = 0; k < l.shape.leaves; ++k)
        last += tsr_leaf_along(l.stride.leaf[k], d) ? (l.shape.leaf[k].value - 1) * l.stride.leaf[k].value : 0;
    return (int)last + 1;
}

/** A fragment of elements T. `r` are its registers, which the instructions take as they are. */
template <tsr_layout const &L, class T> struct tsr_frag {
    static_assert(tsr_is_fragment_<L>, "tsr_frag: a layout (thread, values...) of coordinates");
    typedef T element;
    typedef typename tsr_kept_in_<T>::type word;
    enum {
        values = tsr_values<L>,
        bits = tsr_number_bits_<T>,
        packed = 8 * sizeof(word) / bits,
        words = values / packed
    };
    static_assert(!tsr_is_fragment_<L> || words * packed == values, "tsr_frag: values fill whole registers");
    word r[words];

    TSR_DEVICE_MEMBER T get(int v) const
    {
        if constexpr (packed == 1) {
            return r[v];
        } else {
            uint32_t const shifted = r[v / packed] >> bits * (v % packed), w = bits < 8 ? shifted & 15 : shifted;
            T x;
            TSR_COPY(&x, &w, sizeof x);
            return x;
        }
    }
};

/** A register from as many elements as it holds. */
template <class T> TSR_DEVICE uint32_t tsr_packed_word_(T const *x)
{
    uint32_t r = 0;
    TSR_UNROLL for (int i = 0; i < 32 / tsr_number_bits_<T>; ++i)
    {
        uint32_t w = 0;
        TSR_COPY(&w, x + i, sizeof(T));
        r |= w << tsr_number_bits_<T> * i;
    }
    return r;
}

/** The fragment F whose value v is value(v). */
template <class F, class G> TSR_DEVICE F tsr_frag_of_(G const &value)
{
    F f;
    TSR_UNROLL for (int w = 0; w < F::words; ++w)
    {
        if constexpr (F::packed == 1) {
            f.r[w] = value(w);
        } else {
            typename F::element x[F::packed];
            TSR_UNROLL for (int i = 0; i < F::packed; ++i) x[i] = value(w * F::packed + i);
            f.r[w] = tsr_packed_word_(x);
        }
    }
    return f;
}

/** Every value is x. */
template <class F> TSR_DEVICE F tsr_frag_fill(typename F::element x)
{
    return tsr_frag_of_<F>([&](int) { return x; });
}

template <tsr_layout const &L, class T> TSR_DEVICE tsr_frag<L, T> tsr_frag_fill(T x)
{
    return tsr_frag_fill<tsr_frag<L, T>>(x);
}

/** f(x) of every value. */
template <tsr_layout const &L, class T, class G> TSR_DEVICE auto tsr_frag_map(tsr_frag<L, T> const &x, G const &f)
{
    return tsr_frag_of_<tsr_frag<L, decltype(f(T()))>>([&](int v) { return f(x.get(v)); });
}

/* Reductions, and what goes with them */

/** L without mode D of its coordinate, and which of its values those of L go into. */
template <tsr_layout const &L, int D> struct tsr_reduced {
    static constexpr tsr_layout layout = tsr_reduced_fragment(tsr_later_<tsr_reduced>(L), D),
                                value = tsr_reduced_value(tsr_later_<tsr_reduced>(L), D);
};

/** Are two partitions the same? If not the compiler says where they differ. */
template <tsr_layout const &A, tsr_layout const &B> struct tsr_same {
    static constexpr tsr_reason why = tsr_same_partition(tsr_later_<tsr_same>(A), B).why;
    static constexpr bool good = TSR_FINE(why);
};

template <tsr_layout const &L> TSR_TEMPLATE_FN tsr_numbers_<tsr_values<L>> tsr_reduced_values_(int mode)
{
    tsr_numbers_<tsr_values<L>> r{};
    tsr_layout const value = mode < 0 ? tsr_make_layout_compact(tsr_s(tsr_later_<tsr_on_<L>>(tsr_values<L>)))
                                      : tsr_reduced_value(tsr_later_<tsr_on_<L>>(L), mode);
    for (int v = 0; v < tsr_values<L>; ++v)
        r.at[v] = (int)tsr_layout_offset(&tsr_later_<tsr_on_<L>>(value), v);
    return r;
}

/** The mode without which the fragment L is B; -1 where they are the same, -2 where there is none. */
TSR_FN int tsr_reduced_mode_(tsr_layout const &l, tsr_layout const &b)
{
    int mode = tsr_same_partition(l, b).answer == TSR_YES ? -1 : -2;
    for (int d = 0; d < TSR_FRAGMENT_MODES && mode == -2; ++d)
        mode = tsr_same_partition(tsr_reduced_fragment(l, d), b).answer == TSR_YES ? d : -2;
    return mode;
}

template <tsr_layout const &A, tsr_layout const &B> struct tsr_zipped_ {
    static constexpr int mode = &A == &B ? -1 : tsr_reduced_mode_(tsr_later_<tsr_zipped_>(A), B);
    static constexpr bool good = mode > -2;
};

/** f(x, y) of every value. y is a fragment of the same partition, or of the partition without one mode: then each
 *  value of a row (mode 1) meets the row's number. */
template <tsr_layout const &L, class T, tsr_layout const &M, class U, class G>
TSR_DEVICE auto tsr_frag_zip(tsr_frag<L, T> const &x, tsr_frag<M, U> const &y, G const &f)
{
    typedef tsr_zipped_<L, M> zipped;
    typedef tsr_frag<L, decltype(f(T(), U()))> result;
    if constexpr (!zipped::good) {
        static_assert(zipped::good || tsr_same<L, M>::good,
                      "tsr_frag_zip: the same partition, or one without a mode");
        return result();
    } else {
        constexpr tsr_numbers_<tsr_values<L>> at = tsr_reduced_values_<L>(zipped::mode);
        return tsr_frag_of_<result>([&](int v) { return f(x.get(v), y.get(at.at[v])); });
    }
}

/* Coordinates */

/** f(x, c) of every value and its coordinate in the tile. */
template <int Rank = 2, tsr_layout const &L, class T, class G>
TSR_DEVICE auto tsr_frag_map_at(tsr_frag<L, T> const &x, int t, G const &f)
{
    static_assert(tsr_counted_<L, Rank>::good || !tsr_is_fragment_<L>, "tsr_frag_map_at: a coordinate of all modes");
    tsr_part_coords_<L, Rank> const at = {tsr_thread_coord_<L, Rank>(t)};
    return tsr_frag_of_<tsr_frag<L, decltype(f(T(), at[0]))>>([&](int v) { return f(x.get(v), at[v]); });
}

/** f(x, c) of every value and its coordinate, for what f does: sums in memory, a count, the largest so far. */
template <int Rank = 2, tsr_layout const &L, class T, class G>
TSR_DEVICE void tsr_frag_each(tsr_frag<L, T> const &x, int t, G &&f)
{
    static_assert(tsr_counted_<L, Rank>::good || !tsr_is_fragment_<L>, "tsr_frag_each: a coordinate of all modes");
    tsr_part_coords_<L, Rank> const at = {tsr_thread_coord_<L, Rank>(t)};
    TSR_UNROLL for (int v = 0; v < x.values; ++v) f(x.get(v), at[v]);
}

/** x where keep(c) is true of its coordinate, `otherwise` elsewhere: a causal mask, a ragged edge. */
template <int Rank = 2, tsr_layout const &L, class T, class U, class G>
TSR_DEVICE tsr_frag<L, T> tsr_frag_mask(tsr_frag<L, T> const &x, int t, U otherwise, G const &keep)
{
    static_assert(tsr_stands_for_<U, T>, "tsr_frag_mask: a number of the fragment's type, or an int");
    return tsr_frag_map_at<Rank>(x, t, [&](T y, tsr_coord<Rank> const &c) { return keep(c) ? y : T(otherwise); });
}

TSR_ELSE_(tsr_frag_map, "tsr_frag_map: a fragment and a function of a number", class = void)
TSR_ELSE_(tsr_frag_zip, "tsr_frag_zip: two fragments and a function of two numbers", class = void)
TSR_ELSE_(tsr_frag_map_at,
          "tsr_frag_map_at: a fragment, the number of a thread, a function of a number and a coordinate", int = 2)
TSR_ELSE_(tsr_frag_each, "tsr_frag_each: a fragment, the number of a thread, a function of a number and a coordinate",
          int = 2)
TSR_ELSE_(tsr_frag_mask, "tsr_frag_mask: a fragment, the number of a thread, a number, a function of a coordinate",
          int = 2)

/* Other types and other names */

/** As many floats as a register holds of T. */
template <class T> TSR_DEVICE uint32_t tsr_converted_word_(float const *x)
{
    T y[32 / tsr_number_bits_<T>];
    TSR_UNROLL for (int i = 0; i < 32 / tsr_number_bits_<T>; ++i) y[i] = T(x[i]);
    return tsr_packed_word_(y);
}
template <> __device__ __forceinline__ uint32_t tsr_converted_word_<tsr_f16>(float const *x)
{
    return tsr_pack_f16(x[0], x[1]);
}
template <> __device__ __forceinline__ uint32_t tsr_converted_word_<tsr_bf16>(float const *x)
{
    return tsr_pack_bf16(x[0], x[1]);
}
template <> __device__ __forceinline__ uint32_t tsr_converted_word_<tsr_e4m3>(float const *x)
{
    return tsr_pack_e4m3(x[0], x[1]) | (uint32_t)tsr_pack_e4m3(x[2], x[3]) << 16;
}
template <> __device__ __forceinline__ uint32_t tsr_converted_word_<tsr_e5m2>(float const *x)
{
    return tsr_pack_e5m2(x[0], x[1]) | (uint32_t)tsr_pack_e5m2(x[2], x[3]) << 16;
}

#if TSR_EMULATE
#  include "tessera/emulate/frag.h"
#else
/** The nearest integer of a type, ties to even; too large ones the largest. */
#  define TSR_ROUNDED_(T, ptx)                                   \
    TSR_DEVICE T tsr_rounded_##T##_(float x)                     \
    {                                                            \
      int32_t r;                                                 \
      asm("cvt.rni.sat." ptx ".f32 %0, %1;" : "=r"(r) : "f"(x)); \
      return (T)r;                                               \
    }
TSR_ROUNDED_(int8_t, "s8")
TSR_ROUNDED_(uint8_t, "u8")
TSR_ROUNDED_(int16_t, "s16")
TSR_ROUNDED_(uint16_t, "u16")
#  undef TSR_ROUNDED_

/** 2 to the power x by the hardware, to 2 units in the last place. Results below 2^-126 are 0. */
TSR_DEVICE float tsr_exp2(float x)
{
    float r;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
#endif

#define TSR_X_(T)                                                                                \
  template <> __device__ __forceinline__ uint32_t tsr_converted_word_<T>(float const *x)         \
  {                                                                                              \
    T y[4 / sizeof(T)];                                                                          \
    TSR_UNROLL for (int i = 0; i < 4 / (int)sizeof(T); ++i) { y[i] = tsr_rounded_##T##_(x[i]); } \
    return tsr_packed_word_(y);                                                                  \
  }
/* clang-format off */
TSR_X_(int8_t) TSR_X_(uint8_t) TSR_X_(int16_t) TSR_X_(uint16_t)
#undef TSR_X_

/** The number as another type: real ones as integers to nearest even, as all others. */
template <class U, class T> TSR_DEVICE U tsr_converted_(T x)
{
    constexpr int to = tsr_number_type_<U>;
    /* clang-format on */
    constexpr bool real = to == TSR_F32 || to == TSR_F64 || (to < 0 && U(0.5f) != U(0));
    if constexpr (!real && tsr_number_type_<T> == TSR_F32)
        return U(rintf(x));
    else if constexpr (!real && tsr_number_type_<T> == TSR_F64)
        return U(rint(x));
    else
        return U(x);
}

/** Numbers of 4 bits as halves U, a word at a time. */
template <class U, tsr_layout const &L, class T> TSR_DEVICE tsr_frag<L, U> tsr_unpacked_(tsr_frag<L, T> const &x)
{
    tsr_frag<L, U> r;
    TSR_UNROLL for (int w = 0; w < x.words; ++w)
    {
        if constexpr (tsr_number_type_<U> == TSR_BF16)
            tsr_unpack_bf16<T>(x.r[w], r.r + 4 * w);
        else
            tsr_unpack_f16<T>(x.r[w], r.r + 4 * w);
    }
    return r;
}

/** The numbers as another type, rounded to nearest even, through float where they become narrower than 32 bits;
 *  integers that are too large become the largest. */
template <class U, tsr_layout const &L, class T> TSR_DEVICE tsr_frag<L, U> tsr_frag_cast(tsr_frag<L, T> const &x)
{
    typedef tsr_frag<L, U> result;
    constexpr bool half = tsr_number_type_<U> == TSR_F16 || tsr_number_type_<U> == TSR_BF16;
    if constexpr (half && tsr_number_bits_<T> == 4) {
        return tsr_unpacked_<U>(x);
    } else if constexpr (result::packed == 1) {
        return tsr_frag_map(x, [](T y) { return tsr_converted_<U>(y); });
    } else {
        result r;
        TSR_UNROLL for (int w = 0; w < result::words; ++w)
        {
            float y[result::packed];
            TSR_UNROLL for (int i = 0; i < result::packed; ++i) y[i] = float(x.get(w * result::packed + i));
            r.r[w] = tsr_converted_word_<U>(y);
        }
        return r;
    }
}

/** The same registers as a fragment M: accumulators as the A of the next product. M gives every thread the same
 *  elements in the same order, or the compiler says where it does not. */
template <tsr_layout const &M, tsr_layout const &L, class T>
TSR_DEVICE tsr_frag<M, T> tsr_frag_retile(tsr_frag<L, T> const &x)
{
    tsr_frag<M, T> r;
    if constexpr (tsr_same<L, M>::good)
        TSR_UNROLL for (int w = 0; w < r.words; ++w) r.r[w] = x.r[w];
    return r;
}

/** Why the values of L from `first` on, seen from the first of them, are not the partition M. */
TSR_FN tsr_reason tsr_slice_why_(tsr_layout l, tsr_layout m, int first)
{
    int64_t const threads = tsr_layout_size(tsr_mode(l, 0)), values = tsr_layout_size(m) / threads;
    tsr_reason r = tsr_same_partition(tsr_mode(l, 0), tsr_mode(m, 0)).why;
    tsr_fragment_coord const origin = tsr_fragment_coord_of(&l, first * threads);
    if (!r.status && first + values > tsr_layout_size(l) / threads)
        return tsr_because(TSR_RANGE, 0, first, first + values - 1, tsr_layout_size(l) / threads);
    for (int64_t v = 0; v < values && !r.status; ++v) {
        tsr_fragment_coord x = tsr_fragment_coord_of(&l, (first + v) * threads);
        tsr_fragment_coord const y = tsr_fragment_coord_of(&m, v * threads);
        for (int d = 0; d < TSR_FRAGMENT_MODES; ++d)
            x.at[d] -= origin.at[d];
        if (tsr_fragment_coords_differ(x, y) >= 0)
            r = tsr_partition_difference(0, v, x, y);
    }
    return r;
}

template <tsr_layout const &L, tsr_layout const &M, int First> struct tsr_slice_ {
    static constexpr tsr_reason why = tsr_slice_why_(tsr_later_<tsr_slice_>(L), M, First);
    static constexpr bool good = TSR_FINE(why);
};

/** The values of x from number First on, as the fragment M of a part of the tile. */
template <tsr_layout const &M, int First, tsr_layout const &L, class T>
TSR_DEVICE tsr_frag<M, T> tsr_frag_slice(tsr_frag<L, T> const &x)
{
    tsr_frag<M, T> r;
    static_assert(First % r.packed == 0, "tsr_frag_slice: from the first value of a register on");
    if constexpr (tsr_slice_<L, M, First>::good)
        TSR_UNROLL for (int w = 0; w < r.words; ++w) r.r[w] = x.r[First / r.packed + w];
    return r;
}

TSR_DEVICE float tsr_infinity(void) { return __int_as_float(0x7f800000); }

#endif
