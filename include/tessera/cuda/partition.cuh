/** A thread's part of a tensor. Its type holds the numbers that are known to the compiler, its value the others.
 *
 *  A partition layout L has the thread in mode 0 and its values in the others, in the order of their index:
 *
 *      tsr_part<L>(tensor, threadIdx.x)              the values L(threadIdx.x, v) of the tensor
 *      tsr_part<L>(tsr_smem(tile), threadIdx.x)      the same of a tile of shared memory (cuda/space.cuh)
 *      tsr_part_coords<L>(threadIdx.x)[v]            the coordinate of value v, where L gives coordinates
 *
 *  In shared memory and registers L gives offsets, perhaps swizzled. In global memory it gives coordinates (its strides
 *  are basis elements, as of tsr_make_identity_layout), to which the strides of memory, known at run time, are applied
 *  last; the same coordinates answer whether an element is inside.
 *
 *  Law     part(v) = tensor(L(t, v)). Of offsets, L(t, v) = L(t, 0) + L(0, v) without a swizzle; a swizzle is linear
 *          over bits, so where thread and value have bits of their own sw(t + v) = sw(t) ^ sw(v), and sw(v) is a
 *          constant.
 */
#ifndef TSR_CUDA_PARTITION_CUH
#define TSR_CUDA_PARTITION_CUH

#include "tessera/cuda/later.cuh"
#include "tessera/cuda/refused.cuh"
#include "tessera/cuda/space.cuh"
#include "tessera/cuda/words.cuh"
#include "tessera/atom/fragment.h"
#include "tessera/atom/tiled_copy.h"

/** How many threads and how many values of each a partition has. */
template <tsr_layout const &L> constexpr int tsr_threads = (int)tsr_size(tsr_mode(tsr_later_<tsr_on_<L>>(L), 0));
template <tsr_layout const &L> constexpr int tsr_values = (int)(tsr_size(tsr_later_<tsr_on_<L>>(L))
                                                                / tsr_size(tsr_mode(tsr_later_<tsr_on_<L>>(L), 0)));

/** Does a copy into registers fill a fragment in order: are the elements of the tile that a thread's registers get
 *  those that it has in `fragment`, (thread, values...) -> coordinate? */
TSR_FN tsr_verdict tsr_fills_fragment(tsr_tiled_copy copy, tsr_layout fragment, tsr_tuple tile)
{
    return tsr_same_partition(tsr_tidfrg_d(copy, tsr_make_identity_layout(tile)), fragment);
}

/** Is L a partition? If not the compiler says why. */
template <tsr_layout const &L> constexpr bool tsr_valid = TSR_FINE(tsr_tuple_why(tsr_later_<tsr_on_<L>>(L).shape));

/** The mode of the coordinate that a leaf counts, of a tensor of `rank` modes: the only one may be counted by plain
 *  numbers; -1 of an offset. */
TSR_FN int tsr_counted_mode_(tsr_leaf stride, int rank)
{
    return stride.aux == 0 && rank == 1 ? 0 : (int)stride.aux - 1;
}

/** A leaf of a part that does not fit the tensor. `Mode` is that of its coordinate, -1 for an offset; leaf -1 is
 *  none. */
template <int Leaf, int Extent, int Mode, int Rank> struct tsr_leaf_counts_ {
    static_assert(Leaf < 0 || Rank > 0,
                  "tsr_part: this leaf counts coordinates, memory at a pointer takes offsets: partition its layout");
    static_assert(
        Leaf < 0 || Rank == 0 || Mode >= 0,
        "tsr_part: this leaf counts offsets, a tensor takes coordinates: partition tsr_make_identity_layout");
    static_assert(
        Leaf < 0 || Rank == 0 || Mode < Rank,
        "tsr_part: this leaf is along a mode that the coordinate has not; a vector along columns is a matrix "
        "with stride 0 along rows, {v, {M, N}, {0, 1}}");
    static constexpr bool good = Leaf < 0;
};

/** The first leaf of L that is no coordinate of a tensor of `rank` modes; for 0 that is no offset. -1: there is
 *  none. */
TSR_FN int tsr_strange_leaf_(tsr_layout const &l, int rank)
{
    for (int i = 0; i < l.shape.leaves; ++i) {
        int const mode = tsr_counted_mode_(l.stride.leaf[i], rank);
        bool const counts = l.shape.leaf[i].value > 1 && l.stride.leaf[i].value != 0;
        if (counts && (rank == 0 ? mode >= 0 : mode < 0 || mode >= rank))
            return i;
    }
    return rank > 0 && l.composed ? 0 : -1;
}

template <tsr_layout const &L, int Rank> struct tsr_counted_ {
    static constexpr int leaf = tsr_valid<L> ? tsr_strange_leaf_(tsr_later_<tsr_counted_>(L), Rank) : -1,
                         at = leaf < 0 ? 0 : leaf;
    static constexpr bool good =
        tsr_valid<
            L> && tsr_leaf_counts_<leaf, (int)L.shape.leaf[at].value, (int)L.stride.leaf[at].aux - 1, Rank>::good;
};

/* Offsets */

template <int N> struct tsr_numbers_ {
    int at[N];
};

/** The offsets before the swizzle of the values of thread 0. */
template <tsr_layout const &L> TSR_TEMPLATE_FN tsr_numbers_<tsr_values<L>> tsr_value_offsets_()
{
    tsr_numbers_<tsr_values<L>> r{};
    tsr_layout plain = L;
    plain.composed = false;
    for (int v = 0; v < tsr_values<L>; ++v)
        r.at[v] = (int)tsr_layout_offset(&plain, (int64_t)v * tsr_threads<L>);
    return r;
}

/** The leaves of mode 0, the digits of the thread number. */
struct tsr_thread_modes_ {
    int leaves;
    unsigned extent[TSR_MAX_LEAVES];
    int stride[TSR_MAX_LEAVES], mode[TSR_MAX_LEAVES]; /* mode: of the coordinate, -1 of an offset */
};

TSR_FN tsr_thread_modes_ tsr_thread_modes_of_(tsr_layout const &l, int rank = 0)
{
    tsr_thread_modes_ r{};
    r.leaves = tsr_get_(&l.shape, 0).leaves;
    for (int i = 0; i < r.leaves; ++i) {
        r.extent[i] = (unsigned)l.shape.leaf[i].value;
        r.stride[i] = (int)l.stride.leaf[i].value;
        r.mode[i] = tsr_counted_mode_(l.stride.leaf[i], rank);
    }
    return r;
}

/** The bits that offsets of mode 0, or of the others, can have; all of them unless extents and strides are powers of 2.
 */
TSR_FN uint64_t tsr_offset_bits_(tsr_layout l, bool threads)
{
    tsr_tuple const first = tsr_get_(&l.shape, 0);
    uint64_t bits = 0;
    for (int i = 0; i < l.shape.leaves; ++i) {
        uint64_t const n = (uint64_t)l.shape.leaf[i].value, d = (uint64_t)l.stride.leaf[i].value;
        if ((i < first.leaves) != threads || d == 0)
            continue;
        if ((n & (n - 1)) != 0 || (d & (d - 1)) != 0 || (bits & (n - 1) * d) != 0)
            return ~(uint64_t)0;
        bits |= (n - 1) * d;
    }
    return bits;
}

typedef enum tsr_combine_ { TSR_ADDED_, TSR_XORED_, TSR_SWIZZLED_LATE_ } tsr_combine_;

/** How the offset of a value joins that of a thread. */
TSR_FN tsr_combine_ tsr_combine_of_(tsr_layout l)
{
    uint64_t const t = tsr_offset_bits_(l, true), v = tsr_offset_bits_(l, false);
    if (!l.composed)
        return TSR_ADDED_;
    return (t & v) == 0 && tsr_leaf_value(l.offset) == 0 ? TSR_XORED_ : TSR_SWIZZLED_LATE_;
}

/** A thread's values in memory of elements T at static offsets. */
template <tsr_layout const &L, class T, tsr_space Space> struct tsr_static_part {
    T *tile;
    int thread; /* its offset, swizzled unless that comes late */

    /** The offset of value v, in elements. */
    TSR_DEVICE_MEMBER int offset(int v) const
    {
        constexpr tsr_combine_ how = tsr_combine_of_(tsr_later_<tsr_on_<L>>(L));
        constexpr tsr_numbers_<tsr_values<L>> linear = tsr_value_offsets_<L>();
        if constexpr (how == TSR_ADDED_)
            return thread + linear.at[v];
        constexpr uint64_t mine = tsr_offset_bits_(tsr_later_<tsr_on_<L>>(L), true)
                                  | tsr_swizzle_apply(L.swizzle, tsr_offset_bits_(tsr_later_<tsr_on_<L>>(L), true));
        constexpr tsr_swizzle swizzle = L.swizzle;
        if constexpr (how == TSR_XORED_) {
            int const other = (int)tsr_swizzle_apply(swizzle, (uint64_t)linear.at[v]);
            return ((uint64_t)other & mine) == 0 ? thread + other : thread ^ other;
        }
        constexpr int64_t start = tsr_leaf_value(L.offset);
        return (int)tsr_swizzle_apply(swizzle, (uint64_t)(start + thread + linear.at[v]));
    }
};

/** Thread t's part of the tile at `tile`. */
template <tsr_layout const &L, class T, tsr_space Space>
TSR_DEVICE tsr_static_part<L, T, Space> tsr_part(tsr_tagged<Space, T> tile, int t)
{
    static_assert(!L.twice, "tsr_part: one swizzle");
    int linear = 0;
    if constexpr (!tsr_counted_<L, 0>::good)
        return {tile.at, linear};
    constexpr tsr_thread_modes_ modes = tsr_thread_modes_of_(tsr_later_<tsr_on_<L>>(L));
    constexpr tsr_swizzle swizzle = L.swizzle;
    unsigned rest = (unsigned)t;
    TSR_UNROLL for (int i = 0; i < modes.leaves; ++i)
    {
        linear += (int)(rest % modes.extent[i]) * modes.stride[i];
        rest /= modes.extent[i];
    }
    if constexpr (tsr_combine_of_(tsr_later_<tsr_on_<L>>(L)) == TSR_XORED_)
        linear = (int)tsr_swizzle_apply(swizzle, (uint64_t)(unsigned)linear);
    return {tile.at, linear};
}
template <tsr_layout const &L, class T> TSR_DEVICE tsr_static_part<L, T, TSR_RMEM> tsr_part(T *tile, int t)
{
    return tsr_part<L>(tsr_rmem(tile), t);
}

/* Coordinates */

template <int Rank> struct tsr_coord {
    int at[Rank];
};

template <int Rank, int N> struct tsr_coords_ {
    tsr_coord<Rank> at[N];
};

/** The coordinates of the values of thread 0. */
template <tsr_layout const &L, int Rank> TSR_TEMPLATE_FN tsr_coords_<Rank, tsr_values<L>> tsr_value_coords_()
{
    tsr_coords_<Rank, tsr_values<L>> r{};
    for (int v = 0; v < tsr_values<L>; ++v) {
        unsigned rest = (unsigned)v;
        for (int k = tsr_get_(&L.shape, 0).leaves; k < L.shape.leaves; ++k) {
            unsigned const n = (unsigned)L.shape.leaf[k].value;
            int const mode = tsr_counted_mode_(L.stride.leaf[k], Rank);
            if (mode >= 0 && mode < Rank)
                r.at[v].at[mode] += (int)(rest % n) * (int)L.stride.leaf[k].value;
            rest /= n;
        }
    }
    return r;
}

/** A tensor in global memory with extents and strides of run time, in elements. The stride of mode `Unit` is 1 (none if
 *  Unit is -1); the field is not read then. */
template <class T, int Rank, int Unit> struct tsr_global {
    T *at;
    int extent[Rank];
    int64_t stride[Rank];

    __host__ __device__ __forceinline__ int64_t offset(tsr_coord<Rank> c) const
    {
        int64_t r = 0;
        TSR_UNROLL for (int d = 0; d < Rank; ++d) r += d == Unit ? (int64_t)c.at[d] : c.at[d] * stride[d];
        return r;
    }

    /** The tensor from coordinate c on: the element at c is now at 0. c is not negative, since no kernel reads in
     *  front of a tensor. (Views of CK Tile have padding on the left.) */
    TSR_DEVICE_MEMBER tsr_global from(tsr_coord<Rank> c) const
    {
        tsr_global r = *this;
        r.at += offset(c);
        TSR_UNROLL for (int d = 0; d < Rank; ++d) r.extent[d] -= c.at[d];
        return r;
    }
    template <class... I> TSR_DEVICE_MEMBER tsr_global from(int first, I... more) const
    {
        static_assert(sizeof...(more) + 1 == Rank, "tsr_global: a coordinate for each mode");
        return from(tsr_coord<Rank>{{first, (int)more...}});
    }

    /** On the host, before the launch: may the kernel access the tensor `bytes` bytes at a time? No reason, or
     *  why not (tensor/wide.h). */
    __host__ __device__ tsr_reason wide(int bytes) const
    {
        tsr_layout l = TSR_ZERO;
        TSR_UNROLL for (int d = 0; d < Rank; ++d)
        {
            tsr_tuple_push_leaf(&l.shape, tsr_leaf_dynamic(extent[d]));
            tsr_tuple_push_leaf(&l.stride, tsr_leaf_dynamic(d == Unit ? 1 : stride[d]));
        }
        tsr_enclose_all_(&l.shape);
        tsr_enclose_all_(&l.stride);
        tsr_dtype const type = (tsr_dtype)(tsr_dtype_code(TSR_U8) * 256 + 8 * (int)sizeof(T));
        return tsr_tuple_why(tsr_wide_access((uint64_t)at, type, l, Unit, bytes));
    }

    /** Is coordinate c inside? */
    TSR_DEVICE_MEMBER bool has(tsr_coord<Rank> c) const
    {
        bool r = true;
        TSR_UNROLL for (int d = 0; d < Rank; ++d) r = r && c.at[d] < extent[d];
        return r;
    }
};

/** A thread's values in global memory, at coordinates. */
template <tsr_layout const &L, class T, int Rank, int Unit> struct tsr_global_part {
    tsr_global<T, Rank, Unit> tensor; /* from the thread's first value on */

    TSR_DEVICE_MEMBER tsr_coord<Rank> coord(int v) const
    {
        constexpr tsr_coords_<Rank, tsr_values<L>> table = tsr_value_coords_<L, Rank>();
        return table.at[v];
    }
    TSR_DEVICE_MEMBER T *pointer(int v) const { return tensor.at + tensor.offset(coord(v)); }

    /** From value `from`, which is at p, to value v: one step is a register where all addresses would be many. */
    TSR_DEVICE_MEMBER T *step(T *p, int from, int v) const
    {
        tsr_coord<Rank> c = coord(v);
        tsr_coord<Rank> const b = coord(from);
        TSR_UNROLL for (int d = 0; d < Rank; ++d) c.at[d] -= b.at[d];
        return p + tensor.offset(c);
    }
    TSR_DEVICE_MEMBER bool has(int v) const { return tensor.has(coord(v)); }

    /** Moves to the same values `by` steps further along each mode. */
    template <class... I> TSR_DEVICE_MEMBER void move(I... by) { tensor = tensor.from((int)by...); }
};

/** The coordinate of thread t's first value. */
template <tsr_layout const &L, int Rank> TSR_DEVICE tsr_coord<Rank> tsr_thread_coord_(int t)
{
    tsr_coord<Rank> c = {};
    constexpr tsr_thread_modes_ modes = tsr_thread_modes_of_(tsr_later_<tsr_on_<L>>(L), Rank);
    unsigned rest = (unsigned)t;
    TSR_UNROLL for (int i = 0; i < modes.leaves; ++i)
    {
        TSR_UNROLL for (int d = 0; d < Rank; ++d) if (d == modes.mode[i]) c.at[d] +=
            (int)(rest % modes.extent[i]) * modes.stride[i];
        rest /= modes.extent[i];
    }
    return c;
}

/** The coordinates of a thread's values: x[v] is that of value v, which is the thread's first one plus a constant where
 *  the loop over v is unrolled. */
template <tsr_layout const &L, int Rank> struct tsr_part_coords_ {
    tsr_coord<Rank> first;
    TSR_DEVICE_MEMBER tsr_coord<Rank> operator[](int v) const
    {
        constexpr tsr_coords_<Rank, tsr_values<L>> table = tsr_value_coords_<L, Rank>();
        tsr_coord<Rank> c = first;
        TSR_UNROLL for (int d = 0; d < Rank; ++d) c.at[d] += table.at[v].at[d];
        return c;
    }
};

/** Which element of the tile each value of thread t is: L is a partition of coordinates, of a tiled copy or of a tiled
 *  product, of `Rank` modes.
 *
 *      auto const at = tsr_part_coords<accumulators>(threadIdx.x);
 *      TSR_UNROLL for (int v = 0; v < tsr_values<accumulators>; ++v)
 *          sum[v] += bias[at[v].at[1]];                          row at[v].at[0], column at[v].at[1]
 */
template <tsr_layout const &L, int Rank = 2> TSR_DEVICE tsr_part_coords_<L, Rank> tsr_part_coords(int t)
{
    if constexpr (tsr_counted_<L, Rank>::good)
        return {tsr_thread_coord_<L, Rank>(t)};
    else
        return {};
}

/** Thread t's part of the tile that begins at the tensor's origin. */
template <tsr_layout const &L, class T, int Rank, int Unit>
TSR_DEVICE tsr_global_part<L, T, Rank, Unit> tsr_part(tsr_global<T, Rank, Unit> const &tensor, int t)
{
    if constexpr (!tsr_counted_<L, Rank>::good)
        return {tensor};
    else
        return {tensor.from(tsr_thread_coord_<L, Rank>(t))};
}

TSR_ELSE_(tsr_part, "tsr_part<layout>: a pointer, tsr_smem(pointer) or a tsr_global, and the number of a thread",
          tsr_layout const &...)

#endif
