/** CK Tile in kernels: views and windows whose descriptor and distribution are in their type.
 *
 *      auto v = tsr_make_tensor_view<TSR_GMEM, D>(p);            a view of what p points to, D a constant descriptor
 *      auto v = tsr_make_tensor_view<TSR_GMEM, A, B>(p, &d, &why);   on the host: d is like A and B (cuda/formula.cuh)
 *      v.get(i, j)  v.set(x, i, j)  v.update<TSR_UPDATE_ATOMIC_ADD>(x, i, j)  v.has(i, j)
 *
 *      auto w = tsr_make_tile_window<E>(v, threadIdx.x, m, n);   thread's part of tile (m,n), E a constant encoding
 *      tsr_load_tile(w, x);  tsr_store_tile(w, x);  tsr_move_tile_window(&w, 0, 1);
 *
 *  A window without coordinates is of the tile at the origin. Coordinates count tiles; tsr_make_tile_window<E, 16, 1>
 *  counts steps of 16 elements and of 1. They are not negative.
 *
 *  Law     the same as of views and windows in C (tile/tensor_view.h, tile/tile_window.h): x is the buffer of the
 *          thread, what is not there reads as the invalid value (0 unless given) and is not written.
 *          Elements that are sure to be neighbours are accessed at once, up to `Width` of them: 16 bytes unless it is
 *          given.
 *  Rule    the pointer is a multiple of the widest access (on the host that is checked); memory has all elements that
 *          the descriptor reaches. Offsets have 32 bits; with uint64_t for Int they have 64.
 *  Errors  of compilation, in a sentence. C++17 as well as CUDA: nothing here needs a GPU.
 */
#ifndef TSR_CUDA_TILE_CUH
#define TSR_CUDA_TILE_CUH

#include "tessera/cuda/tile_view.cuh"
#include "tessera/tile/make.h"

/* Windows */

/** How far a window moves for each number of its origin, by dimension: the given steps, else tiles. A window at the
 *  tensor's origin does not move. */
struct tsr_steps_ {
    int at[TSR_MAX_XS];
};

template <int... Step> TSR_TEMPLATE_FN tsr_steps_ tsr_steps_of_(tsr_encoding const &e, bool moves)
{
    int const given[sizeof...(Step) + 1] = {Step..., 0};
    tsr_steps_ r = {};
    for (int i = 0; moves && i < e.xs; ++i)
        r.at[i] = sizeof...(Step) > 0 ? given[i] : (int)tsr_x_lengths(&e).at[i];
    return r;
}

/** From the origin's numbers, if it moves, and the thread to where the thread's elements lie (cuda/formula.cuh). */
template <tsr_descriptor const &D, tsr_variation const &V, tsr_encoding const &E, bool Moves, int... Step>
constexpr tsr_formula tsr_window_formula = tsr_make_window_formula(&D, &V, &E, tsr_steps_of_<Step...>(E, Moves).at);

/** How a thread accesses its part: `width` elements along Y `along`, `pitch` apart, in `count` accesses. */
struct tsr_window_accesses {
    int along, width, pitch, count;
};

TSR_FN tsr_window_accesses tsr_window_accesses_of_(tsr_formula const &f, tsr_encoding const &e, int most)
{
    tsr_window_accesses r = {0, 1, 1, (int)tsr_thread_buffer_size(&e)};
    for (int i = 0; i < e.ys && !f.why.status; ++i) {
        int const width = tsr_window_width(&f, &e, i, most);
        r.along = width > r.width ? i : r.along;
        r.width = width > r.width ? width : r.width;
    }
    for (int k = r.along + 1; k < e.ys; ++k)
        r.pitch *= (int)e.length[e.y_factor[k]];
    r.count /= r.width;
    return r;
}

/** The place in the buffer of the first element of access i. */
TSR_FN int tsr_access_first_(tsr_window_accesses a, tsr_encoding const &e, int i)
{
    tsr_index y = TSR_ZERO;
    for (int k = e.ys - 1; k >= 0; --k) {
        int const width = k == a.along ? a.width : 1, n = (int)e.length[e.y_factor[k]] / width;
        y.at[k] = i % n * width;
        i /= n;
    }
    return (int)tsr_thread_buffer_offset(&e, y.at);
}

/** A thread's part of a tile: View is the tensor's, F the formula of the window, E its distribution. */
template <class View, tsr_variation const &V, tsr_formula const &F, tsr_encoding const &E> struct tsr_static_window {
    static_assert(TSR_FINE(F.why) || true, ""); /* whose words are the error */
    typedef typename View::element T;
    typedef typename View::index Int;
    static constexpr bool moves = F.inputs > 1 + E.ys;
    static constexpr tsr_window_accesses accesses = tsr_window_accesses_of_(F, E, View::most);

    /** The place in the buffer of the first element of access i. */
    TSR_EVAL int first(int i) { return tsr_access_first_(accesses, E, i); }

    View view;
    Int thread, origin[E.xs];

    /** The element at place First of the buffer, and whether it is there. */
    template <int First> TSR_MEMBER T *find(bool *there) const
    {
        Int at[tsr_values_of_(F)] = {};
        if constexpr (moves) {
            TSR_UNROLL
            for (int i = 0; i < E.xs; ++i)
                at[i] = origin[i];
        }
        at[moves ? E.xs : 0] = thread;
        typedef tsr_run<F, V, tsr_shifts_of<F, E, First>, Int> Run;
        tsr_spot<Int> const s = Run::find(at, view.numbers, view.tables);
        *there = s.there;
        return Run::template pointer<false>(view.data, s);
    }
};

/** Thread `thread` of tile (origin...) of the distribution E; of the one at 0 without coordinates. Threads count P, the
 *  last one fastest. */
template <tsr_encoding const &E, int... Step, tsr_space Space, class T, tsr_descriptor const &A,
          tsr_descriptor const &B, int Width, class Int, class... I>
TSR_REF auto tsr_make_tile_window(tsr_static_view<Space, T, A, B, Width, Int> const &view, unsigned thread,
                                  I... origin)
{
    static_assert(sizeof...(I) == 0 || sizeof...(I) == E.xs, "tsr_make_tile_window: a coordinate for each dimension");
    static_assert(sizeof...(Step) == 0 || sizeof...(Step) == E.xs, "tsr_make_tile_window: a step for each dimension");
    typedef tsr_static_view<Space, T, A, B, Width, Int> View;
    return tsr_static_window<View, tsr_variation_of<A, B, Width>,
                             tsr_window_formula<A, tsr_variation_of<A, B, Width>, E, (sizeof...(I) > 0), Step...>, E>{
        view, (Int)thread, {(Int)origin...}};
}

/** Moves a window by a number of tiles, or steps, along each dimension. */
template <class View, tsr_variation const &V, tsr_formula const &F, tsr_encoding const &E, class... I>
TSR_REF void tsr_move_tile_window(tsr_static_window<View, V, F, E> *w, I... by)
{
    static_assert(tsr_static_window<View, V, F, E>::moves && sizeof...(I) == E.xs,
                  "tsr_move_tile_window: a window with coordinates, and a step for each of them");
    typename View::index const step[] = {(typename View::index)by...};
    TSR_UNROLL
    for (int i = 0; i < E.xs; ++i)
        w->origin[i] += step[i];
}

/* Accesses, one after the other */

/** Is a buffer of U one of elements T? */
template <class U, class T> constexpr bool tsr_is_buffer_ = sizeof(U) == sizeof(T)
                                                            && tsr_alike_(tsr_number_type_<U>, tsr_number_type_<T>);

template <int At, class Window, class T, int N>
TSR_REF void tsr_load_accesses_(Window const &w, T (&to)[N], T invalid)
{
    constexpr tsr_window_accesses a = Window::accesses;
    if constexpr (At < a.count) {
        constexpr int first = Window::first(At);
        bool there = false;
        auto const *const p = w.template find<first>(&there);
        T x[a.width];
        if (there) {
            TSR_COPY(x, TSR_ALIGNED((unsigned char const *)p, sizeof x), sizeof x);
        } else {
            TSR_UNROLL
            for (int k = 0; k < a.width; ++k)
                x[k] = invalid;
        }
        TSR_UNROLL
        for (int k = 0; k < a.width; ++k)
            to[first + k * a.pitch] = x[k];
        tsr_load_accesses_<At + 1>(w, to, invalid);
    }
}

/** The thread's part of the tile into its buffer. Elements that do not exist become `invalid`. */
template <class View, tsr_variation const &V, tsr_formula const &F, tsr_encoding const &E, class T, int N,
          class U = int>
TSR_REF void tsr_load_tile(tsr_static_window<View, V, F, E> const &w, T (&to)[N], U invalid = 0)
{
    static_assert(tsr_stands_for_<U, T>, "tsr_load_tile: a number of the buffer's type, or an int");
    static_assert(N == tsr_thread_buffer_size(&E), "tsr_load_tile: the buffer has as many elements as Y");
    static_assert(tsr_is_buffer_<T, typename View::element>, "tsr_load_tile: a buffer of the elements' type");
    if constexpr (tsr_is_buffer_<T, typename View::element>)
        tsr_load_accesses_<0>(w, to, T(invalid));
}

template <int At, tsr_memory_operation Op, class Window, class T, int N>
TSR_REF void tsr_update_accesses_(Window const &w, T const (&from)[N])
{
    constexpr tsr_window_accesses a = Window::accesses;
    if constexpr (At < a.count) {
        constexpr int first = Window::first(At);
        bool there = false;
        T *const p = w.template find<first>(&there);
        T x[a.width];
        TSR_UNROLL
        for (int k = 0; k < a.width; ++k)
            x[k] = from[first + k * a.pitch];
        if constexpr (Op == TSR_UPDATE_SET) {
            if (there)
                TSR_COPY(TSR_ALIGNED((unsigned char *)p, sizeof x), x, sizeof x);
        } else if (there) {
            TSR_UNROLL
            for (int k = 0; k < a.width; ++k)
                tsr_apply_<Op>(p + k, x[k]);
        }
        tsr_update_accesses_<At + 1, Op>(w, from);
    }
}

/** memory becomes op(memory, buffer). */
template <tsr_memory_operation Op, class View, tsr_variation const &V, tsr_formula const &F, tsr_encoding const &E,
          class T, int N>
TSR_REF void tsr_update_tile(tsr_static_window<View, V, F, E> const &w, T const (&from)[N])
{
    static_assert(N == tsr_thread_buffer_size(&E), "tsr_update_tile: the buffer has as many elements as Y");
    static_assert(!tsr_is_atomic(Op) || View::space == TSR_GMEM,
                  "tsr_update_tile: atomic operations are for global memory");
    static_assert(tsr_is_buffer_<T, typename View::element>, "tsr_update_tile: a buffer of the elements' type");
    if constexpr (tsr_updates_<Op, typename View::element>::good && tsr_is_buffer_<T, typename View::element>)
        tsr_update_accesses_<0, Op>(w, from);
}

template <class View, tsr_variation const &V, tsr_formula const &F, tsr_encoding const &E, class T, int N>
TSR_REF void tsr_store_tile(tsr_static_window<View, V, F, E> const &w, T const (&from)[N])
{
    tsr_update_tile<TSR_UPDATE_SET>(w, from);
}

/* Vectors of a view: windows of one thread, whose tiles are W elements along the last dimension */

TSR_FN tsr_encoding tsr_make_vector_encoding_(int dims, int width)
{
    tsr_encoding_lists l = TSR_ZERO;
    l.xs = (uint8_t)dims;
    for (int i = 0; i < dims && i < TSR_MAX_XS; ++i) {
        l.h[i].rank = 1;
        l.h[i].at[0] = i + 1 < dims ? 1 : width;
        l.y.at[l.y.count++].major = (uint8_t)(i + 1);
    }
    return tsr_make_tile_distribution_encoding(&l);
}

template <int Dims, int W> constexpr tsr_encoding tsr_vector_encoding = tsr_make_vector_encoding_(Dims, W);

/** Does the formula of a window prove that some elements of an access are neighbours? */
TSR_FN bool tsr_is_wide_(tsr_formula const &f, tsr_encoding const &e, int most)
{
    return !f.why.status && tsr_window_accesses_of_(f, e, most).width > 1;
}

template <tsr_descriptor const &D, tsr_variation const &V, tsr_encoding const &E, int Most>
constexpr bool tsr_wide_vector_ = tsr_is_wide_(tsr_window_formula<D, V, E, true>, E, Most);

/** The window of the vector at an index whose last number is a multiple of W. */
template <tsr_encoding const &E, int W, class View, class... I>
TSR_REF auto tsr_vector_at_(View const &view, I... index)
{
    auto w = tsr_make_tile_window<E>(view, 0, index...);
    w.origin[sizeof...(I) - 1] /= (typename View::index)W;
    return w;
}

/** Is the last of some indices a multiple of W? */
template <int W, class I> TSR_REF bool tsr_last_divides_(I last) { return last % (I)W == 0; }

template <int W, class I, class... More> TSR_REF bool tsr_last_divides_(I, More... more)
{
    return tsr_last_divides_<W>(more...);
}

template <int W, class U, tsr_space Space, class T, tsr_descriptor const &A, tsr_descriptor const &B, int Width,
          class Int, class... I>
TSR_REF void tsr_get_vector_(tsr_static_view<Space, T, A, B, Width, Int> const &view, U (&x)[W], U invalid,
                             I... index)
{
    static_assert(sizeof...(I) == A.graph.tops, "tsr_tensor_view: an index for each dimension");
    constexpr bool wide =
        tsr_wide_vector_<A, tsr_variation_of<A, B, Width>, tsr_vector_encoding<(int)sizeof...(I), W>, Width>;
    if constexpr (tsr_is_buffer_<U, T> && wide) {
        if (tsr_last_divides_<W>((Int)index...)) {
            tsr_load_accesses_<0>(tsr_vector_at_<tsr_vector_encoding<(int)sizeof...(I), W>, W>(view, index...), x,
                                  invalid);
            return;
        }
    }
    TSR_UNROLL
    for (int k = 0; k < W; ++k) {
        tsr_spot<Int> const s = view.spot_behind(k, index...);
        x[k] = s.there ? *view.pointer(s) : invalid;
    }
}

template <int W, class U, tsr_space Space, class T, tsr_descriptor const &A, tsr_descriptor const &B, int Width,
          class Int, class... I>
TSR_REF void tsr_set_vector_(tsr_static_view<Space, T, A, B, Width, Int> const &view, U const (&x)[W], I... index)
{
    static_assert(sizeof...(I) == A.graph.tops, "tsr_tensor_view: an index for each dimension");
    if constexpr (tsr_updates_<TSR_UPDATE_SET, T>::good) {
        if constexpr (tsr_wide_vector_<A, tsr_variation_of<A, B, Width>, tsr_vector_encoding<(int)sizeof...(I), W>,
                                       Width>) {
            if (tsr_last_divides_<W>((Int)index...)) {
                tsr_update_accesses_<0, TSR_UPDATE_SET>(
                    tsr_vector_at_<tsr_vector_encoding<(int)sizeof...(I), W>, W>(view, index...), x);
                return;
            }
        }
        TSR_UNROLL
        for (int k = 0; k < W; ++k) {
            tsr_spot<Int> const s = view.spot_behind(k, index...);
            if (s.there)
                *view.pointer(s) = x[k];
        }
    }
}

/* Coordinates */

template <tsr_encoding const &E> constexpr tsr_formula tsr_distribution_formula = tsr_make_distribution_formula(&E);

template <tsr_encoding const &E> constexpr tsr_variation tsr_no_variation = tsr_variation{};

template <tsr_formula const &F, tsr_shifts const &S, int D, int N>
TSR_REF void tsr_sweep_x_(uint32_t const *at, int (&x)[N])
{
    if constexpr (D < N) {
        constexpr int v = F.output[D], shift = (int)S.at[F.output[D]].outside;
        x[D] = (int)at[v] + shift;
        tsr_sweep_x_<F, S, D + 1>(at, x);
    }
}

template <tsr_encoding const &E, tsr_formula const &F, int At, class Function>
TSR_REF void tsr_sweep_elements_(uint32_t thread, Function f)
{
    if constexpr (At < tsr_thread_buffer_size(&E)) {
        uint32_t at[F.values] = {thread};
        int x[E.xs] = {};
        tsr_run<F, tsr_no_variation<E>, tsr_shifts_of<F, E, At>, uint32_t>::template values<F.inputs>(
            at, tsr_unknowns_<uint32_t, 0>{}, tsr_tables<0>{});
        tsr_sweep_x_<F, tsr_shifts_of<F, E, At>, 0>(at, x);
        f(At, x);
        tsr_sweep_elements_<E, F, At + 1>(thread, f);
    }
}

/** f(i, x) for element i of the buffer of a thread, whose coordinates in the tile are x. */
template <tsr_encoding const &E, class Function> TSR_REF void tsr_sweep_tile(unsigned thread, Function f)
{
    if constexpr (TSR_FINE(tsr_distribution_formula<E>.why))
        tsr_sweep_elements_<E, tsr_distribution_formula<E>, 0>(thread, f);
}

TSR_ELSE_(tsr_make_tile_window,
          "tsr_make_tile_window<encoding>: a view, the number of a thread, a coordinate for each dimension",
          tsr_encoding const &)
TSR_ELSE_(tsr_move_tile_window, "tsr_move_tile_window: a pointer to a window, and a step for each dimension",
          class = void)
TSR_ELSE_(tsr_load_tile, "tsr_load_tile: a window and a buffer, which is an array", class = void)
TSR_ELSE_(tsr_store_tile, "tsr_store_tile: a window and a buffer, which is an array", class = void)

#endif
