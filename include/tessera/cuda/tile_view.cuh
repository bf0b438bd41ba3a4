/** Views of CK Tile in kernels: memory seen through a descriptor that is in the type (cuda/tile.cuh says how). */
#ifndef TSR_CUDA_TILE_VIEW_CUH
#define TSR_CUDA_TILE_VIEW_CUH

#include "tessera/cuda/element.cuh"
#include "tessera/cuda/formula.cuh"
#include "tessera/cuda/refused.cuh"
#include "tessera/tile/buffer_view.h"

template <tsr_descriptor const &D, tsr_variation const &V>
constexpr tsr_formula tsr_view_formula = tsr_make_formula_by(&D, &V);

template <int Bytes> struct tsr_atomic_word_;
template <> struct tsr_atomic_word_<2> {
    typedef unsigned short type;
};
template <> struct tsr_atomic_word_<4> {
    typedef unsigned int type;
};
template <> struct tsr_atomic_word_<8> {
    typedef unsigned long long type;
};

/** True if a GPU does the operation on a T by one instruction. */
template <tsr_memory_operation Op, class T> constexpr bool tsr_is_one_atomic_ = false;
#if TSR_ON_GPU
/* clang-format off */
#  define TSR_X_(T, max)                                                        \
      template <> constexpr bool tsr_is_one_atomic_<TSR_UPDATE_ATOMIC_ADD, T> = true; \
      template <> constexpr bool tsr_is_one_atomic_<TSR_UPDATE_ATOMIC_MAX, T> = max;
TSR_X_(int, true) TSR_X_(unsigned, true) TSR_X_(unsigned long long, true) TSR_X_(float, false) TSR_X_(double, false)
#  undef TSR_X_
#endif

/** *p becomes op(*p, x). */
template <tsr_memory_operation Op, class T> TSR_REF void tsr_apply_(T *p, T x)
{
    constexpr bool adds = Op == TSR_UPDATE_ADD || Op == TSR_UPDATE_ATOMIC_ADD;
    /* clang-format on */
    if constexpr (Op == TSR_UPDATE_SET) {
        *p = x;
    } else if constexpr (!tsr_is_atomic(Op)) {
        *p = adds ? T(*p + x) : *p < x ? x : *p;
#if TSR_ON_GPU
    } else if constexpr (tsr_is_one_atomic_<Op, T>) {
        if constexpr (adds)
            atomicAdd(p, x);
        else
            atomicMax(p, x);
#endif
    } else {
        typedef typename tsr_atomic_word_<(int)sizeof(T)>::type word;
        word seen, old, wanted;
        TSR_COPY(&seen, p, sizeof seen);
        do {
            T was;
            old = seen;
            TSR_COPY(&was, &old, sizeof was);
            T const is = adds ? T(was + x) : was < x ? x : was;
            TSR_COPY(&wanted, &is, sizeof is);
            seen = TSR_CAS((word *)(void *)p, old, wanted);
        } while (seen != old);
    }
}

/** May elements of T be updated so? */
template <tsr_memory_operation Op, class T> struct tsr_updates_ {
    static constexpr bool written = !tsr_is_const_<T>;
    static constexpr bool word = !tsr_is_atomic(Op) || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8;
    static_assert(written, "the elements of the view are const");
    static_assert(word, "atomic operations take elements of 16, 32 or 64 bits");
    static constexpr bool good = written && word;
};

/** How many elements of T have 16 bytes. */
template <class T> constexpr int tsr_widest = 16 / (int)sizeof(T) > 1 ? 16 / (int)sizeof(T) : 1;

/** Memory seen through a descriptor like A and B, in accesses of at most `Width` elements. */
template <tsr_space Space, class T, tsr_descriptor const &A, tsr_descriptor const &B = A, int Width = tsr_widest<T>,
          class Int = uint32_t>
struct tsr_static_view {
    static_assert(TSR_FINE((tsr_view_formula<A, tsr_variation_of<A, B, Width>>.why)) || true,
                  ""); /* whose words are the error */
    static_assert(sizeof(Int) == 8 || A.graph.length[0] <= 0x7fffffff,
                  "tsr_make_tensor_view: offsets beyond 32 bits need uint64_t for Int");
    static_assert(Space != TSR_TMEM, "tsr_make_tensor_view: tensor memory has no addresses of elements");
    typedef T element;
    typedef Int index;
    typedef tsr_run<tsr_view_formula<A, tsr_variation_of<A, B, Width>>, tsr_variation_of<A, B, Width>,
                    tsr_no_shifts<tsr_view_formula<A, tsr_variation_of<A, B, Width>>>, Int>
        Run;
    static constexpr tsr_space space = Space;
    static constexpr int most = Width, values = tsr_values_of_(tsr_view_formula<A, tsr_variation_of<A, B, Width>>);

    T *data;
    tsr_numbers<Int, tsr_variation_of<A, B, Width>> numbers;
    tsr_tables<A.graph.tables> tables;

    template <class... I> TSR_MEMBER tsr_spot<Int> spot(I... index) const
    {
        static_assert(sizeof...(I) == A.graph.tops, "tsr_tensor_view: an index for each dimension");
        Int at[values] = {(Int)index...};
        return Run::find(at, numbers, tables);
    }
    TSR_MEMBER T *pointer(tsr_spot<Int> s) const { return Run::template pointer<true>(data, s); }

    /** Is there an element? */
    template <class... I> TSR_MEMBER bool has(I... index) const { return spot(index...).there; }

    /** The element, or `invalid`. */
    template <class... I> TSR_MEMBER T get_or(T invalid, I... index) const
    {
        tsr_spot<Int> const s = spot(index...);
        return s.there ? *pointer(s) : invalid;
    }
    template <class... I> TSR_MEMBER T get(I... index) const { return get_or(T(0), index...); }

    /** W elements along the last dimension; each exists or not by itself. From a multiple of W on they are accessed
     *  at once, as far as the formula proves them neighbours. */
    template <int W, class U, class... I> TSR_MEMBER void get_vector(U (&x)[W], U invalid, I... index) const
    {
        tsr_get_vector_(*this, x, invalid, index...);
    }
    template <int W, class... I> TSR_MEMBER void set_vector(T const (&x)[W], I... index) const
    {
        tsr_set_vector_(*this, x, index...);
    }

    /** Element k behind an index, along the last dimension. */
    template <class... I> TSR_MEMBER tsr_spot<Int> spot_behind(int k, I... index) const
    {
        Int at[values] = {(Int)index...};
        at[sizeof...(I) - 1] += (Int)k;
        return Run::find(at, numbers, tables);
    }

    template <tsr_memory_operation Op, class... I> TSR_MEMBER void update(T x, I... index) const
    {
        static_assert(!tsr_is_atomic(Op) || Space == TSR_GMEM,
                      "tsr_tensor_view: atomic operations are for global memory");
        if constexpr (tsr_updates_<Op, T>::good) {
            tsr_spot<Int> const s = spot(index...);
            if (s.there)
                tsr_apply_<Op>(pointer(s), x);
        }
    }
    template <class... I> TSR_MEMBER void set(T x, I... index) const { update<TSR_UPDATE_SET>(x, index...); }
};

/** The view of a constant descriptor. */
template <tsr_space Space, tsr_descriptor const &D, int Width = 0, class Int = uint32_t, class T>
TSR_REF auto tsr_make_tensor_view(T *data)
{
    return tsr_static_view < Space, T, D, D, Width == 0 ? tsr_widest<T> : Width, Int > {data, {}, {}};
}

/** The view of a descriptor of run time, like A and B: made on the host and given to a kernel.
 *  Errors  those of tsr_take_numbers(); MISALIGNED. There is no data then. */
template <tsr_space Space, tsr_descriptor const &A, tsr_descriptor const &B, int Width = 0, class Int = uint32_t,
          class T>
TSR_INLINE auto tsr_make_tensor_view(T *data, tsr_descriptor const *d, tsr_reason *why)
{
    constexpr tsr_descriptor like = A;
    constexpr int width = Width == 0 ? tsr_widest<T> : Width, bytes = width * (int)sizeof(T);
    constexpr tsr_variation vary = tsr_variation_of<A, B, width>;
    tsr_static_view<Space, T, A, B, width, Int> v = {};
    int64_t const past = (int64_t)((uint64_t)(uintptr_t)data % bytes);
    *why = tsr_take_numbers<Int>(&v.numbers, &vary, &like, d);
    if (!why->status && sizeof(Int) == 4 && d->graph.length[0] > 0x7fffffff)
        *why = tsr_because(TSR_OVERFLOW, 0, d->graph.length[0], 0, 0);
    if (!why->status && past != 0)
        *why = tsr_because(TSR_MISALIGNED, 0, past, bytes, 0);
    v.data = why->status ? (T *)0 : data;
    return v;
}

#endif
