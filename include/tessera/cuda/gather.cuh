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

    /** Moves to the same values `row` rows and `column` columns further. */
    TSR_DEVICE_MEMBER void move(int row, int column) { rows = rows.from(row, column); }
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

/** Copies: an index is read once for the values of a row that follow each other. */
template <tsr_layout const &L, class T, int Group> struct tsr_predicate_<tsr_rows_part<L, T, Group>> {
    typedef T element;
    enum { values = tsr_values<L>, in_front = false };
    template <int Count> static constexpr bool grouped = tsr_coords_grouped_<L, 2, 1>(Count);
    tsr_rows_part<L, T, Group> const &part;
    T *row = nullptr; /* of the last value that span was asked for; of none, and how many are inside */
    int inside = 0;

    TSR_DEVICE_MEMBER tsr_inside_span_ span(int v, int n)
    {
        tsr_coord<2> const c = part.coord(v);
        if (v == 0 || c.at[0] != part.coord(v - n).at[0])
            row = part.rows.row(c.at[0]);
        inside = row ? min(n, max(0, part.rows.extent[1] - c.at[1])) : 0;
        return {0, inside};
    }
    TSR_DEVICE_MEMBER T *at(int v) const { return row + part.coord(v).at[1]; }
    TSR_DEVICE_MEMBER T *next(T *, int v, int) const { return inside > 0 ? at(v) : part.rows.at; }
};

#endif
