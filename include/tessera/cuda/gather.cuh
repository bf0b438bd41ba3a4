/** Rows of a matrix by an index: what a thread gathers, and what it scatters. Tokens of an expert, pages of a cache.
 *
 *      tsr_rows<tsr_bf16 const> tokens = {x, token, {count, columns}, columns};       row i is row token[i] of x
 *      tsr_rows<tsr_bf16, 16> cache = {keys, page, {count, columns}, page_stride, row_stride};
 *                                                      row i is row i % 16 of page[i / 16]
 *      tsr_copy_async_if<16>(tsr_part<from>(tokens.from(m, k), t), tsr_part<write>(tsr_smem(tile), t));
 *      tsr_copy_if<16>(tsr_part<from>(tokens.from(m, k), t), registers);              gathers
 *      tsr_copy_if<16>(registers, tsr_part<to>(cache.from(m, k), t));                 scatters
 *
 *  Columns are contiguous. A partition gives coordinates (row, column), as for a tsr_global of two modes.
 *
 *  Law     value v is element (row, column) of the matrix whose row i lies at
 *          at + index[i / Group] * stride + i % Group * inner.
 *          Rows from extent[0] on, rows of a negative index and columns from extent[1] on are outside: they are read as
 *          zeros and not written.
 *  Rule    an access needs what tsr_copy's does; the host asks `wide`. A thread reads an index once for the neighbours
 *          of a row that follow each other in its values.
 */
#ifndef TSR_CUDA_GATHER_CUH
#define TSR_CUDA_GATHER_CUH

#include "tessera/cuda/copy.cuh"

/** The matrix. `Group` rows that follow each other share an index. */
template <class T, int Group = 1> struct tsr_rows {
    static_assert(Group > 0, "tsr_rows: a group has one row or more");
    T *at;
    int const *index;
    int extent[2];         /* rows, columns */
    int64_t stride, inner; /* elements from one index to the next; from one row of a group to the next */
    int first;             /* the row that row 0 is */

    /** The matrix from (row, column) on. */
    TSR_DEVICE_MEMBER tsr_rows from(int row, int column) const
    {
        return {at + column, index, {extent[0] - row, extent[1] - column}, stride, inner, first + row};
    }

    /** Where row i begins; NULL: it is outside. */
    TSR_DEVICE_MEMBER T *row(int i) const
    {
        if (i >= extent[0])
            return nullptr;
        int const k = index[(unsigned)(first + i) / Group];
        return k < 0 ? nullptr : at + k * stride + (unsigned)(first + i) % Group * inner;
    }

    /** On the host, before the launch: may the kernel access rows `bytes` bytes at a time? */
    __host__ __device__ tsr_reason wide(int bytes) const
    {
        tsr_global<T, 3, 2> const all = {at, {Group > 1 ? 2 : 1, 2, extent[1]}, {inner, stride, 1}};
        return all.wide(bytes);
    }
};

/** A thread's values in rows. */
template <tsr_layout const &L, class T, int Group> struct tsr_rows_part {
    tsr_rows<T, Group> rows; /* from the thread's first value on */

    TSR_DEVICE_MEMBER tsr_coord<2> coord(int v) const
    {
        constexpr tsr_coords_<2, tsr_values<L>> table = tsr_value_coords_<L, 2>();
        return table.at[v];
    }

    /** How many of the n elements from value v on are inside; `row` is that of value v - n, and becomes that of v. */
    TSR_DEVICE_MEMBER int inside(int v, int n, T *&row) const
    {
        if (v == 0 || coord(v).at[0] != coord(v - n).at[0])
            row = rows.row(coord(v).at[0]);
        return row ? min(n, max(0, rows.extent[1] - coord(v).at[1])) : 0;
    }
};

/** Thread t's part of the tile that begins at row 0 and column 0. */
template <tsr_layout const &L, class T, int Group>
TSR_DEVICE tsr_rows_part<L, T, Group> tsr_part(tsr_rows<T, Group> const &rows, int t)
{
    if constexpr (!tsr_counted_<L, 2>::good) {
        return {rows};
    } else {
        tsr_coord<2> const c = tsr_thread_coord_<L, 2>(t);
        return {rows.from(c.at[0], c.at[1])};
    }
}

template <int Bytes, tsr_layout const &L, class T, int Group, class U, int N>
TSR_DEVICE void tsr_copy_if(tsr_rows_part<L, T, Group> const &from, U (&to)[N])
{
    constexpr int n = tsr_group_<Bytes, T>;
    T *row = nullptr;
    if constexpr (tsr_copied_<Bytes, T, U, U, tsr_values<L>, N, true, tsr_coords_grouped_<L, 2, 1>(n)>::good)
        TSR_UNROLL for (int v = 0; v < tsr_packed_<T, U, N>; v += n)
        {
            int const inside = from.inside(v, n, row), column = from.coord(v).at[1];
            typename tsr_word_<Bytes>::type const zero = {};
            TSR_COPY(tsr_packed_at_<T>(to, v), &zero, Bytes);
            if (inside == n) {
                tsr_read<Bytes>(row + column, tsr_packed_at_<T>(to, v));
            } else {
                TSR_UNROLL for (int i = 0; i < n - 1; ++i) if (i < inside)
                    tsr_read<sizeof(T)>(row + column + i, tsr_packed_at_<T>(to, v + i));
            }
        }
}

template <int Bytes, tsr_layout const &L, class T, int Group, class U, int N>
TSR_DEVICE void tsr_copy_if(U const (&from)[N], tsr_rows_part<L, T, Group> const &to)
{
    constexpr int n = tsr_group_<Bytes, T>;
    T *row = nullptr;
    if constexpr (tsr_copied_<Bytes, T, U, T, tsr_values<L>, N, true, tsr_coords_grouped_<L, 2, 1>(n)>::good)
        TSR_UNROLL for (int v = 0; v < tsr_packed_<T, U, N>; v += n)
        {
            int const inside = to.inside(v, n, row), column = to.coord(v).at[1];
            if (inside == n) {
                tsr_write_global<Bytes>(tsr_packed_at_<T>(from, v), row + column);
            } else {
                TSR_UNROLL for (int i = 0; i < n - 1; ++i) if (i < inside)
                    tsr_write<sizeof(T)>(tsr_packed_at_<T>(from, v + i), row + column + i);
            }
        }
}

/** To shared memory in the background; a barrier waits for it by tsr_cp_async_arrive. */
template <int Bytes, tsr_layout const &L, tsr_layout const &S, class T, class U, int Group>
TSR_DEVICE void tsr_copy_async_if(tsr_rows_part<L, T, Group> const &from, tsr_static_part<S, U, TSR_SMEM> to)
{
    constexpr int n = tsr_group_<Bytes, T>;
    constexpr bool grouped = tsr_coords_grouped_<L, 2, 1>(n) && tsr_offsets_grouped_<S>(n);
    T *row = nullptr;
    if constexpr (tsr_behind_<Bytes, T, U, tsr_values<L>, tsr_values<S>, grouped>::good)
        TSR_UNROLL for (int v = 0; v < tsr_values<L>; v += n)
        {
            int const inside = from.inside(v, n, row);
            T *const p = inside > 0 ? row + from.coord(v).at[1] : from.rows.at;
            tsr_cp_async<Bytes>(to.tile + to.offset(v), p, inside * (int)sizeof(T));
        }
}

#endif
