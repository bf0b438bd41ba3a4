/* A transpose at the speed of memory: tiles of 256 bytes each way through shared memory, 16 bytes an access on both
 * sides. Rows are written as they come; a column is read element by element. With the rows swizzled, neither meets
 * itself in a bank: the eight threads of a write are in eight blocks of 16 bytes, and those of a read, n rows apart,
 * are too. Neighbouring blocks are neighbours in the result: 0.97 of a copy, 0.92 as neighbours in the source. */
#pragma once

#include <tessera/cuda.cuh>

#include <tessera/names.h>

template <class T> struct transpose_plan {
    static constexpr int n = 16 / (int)sizeof(T), bits = n == 4 ? 2 : n == 8 ? 3 : 4; /* elements of an access */
    static constexpr int side = sizeof(T) < 4 ? 128 : 64, side_bits = side == 128 ? 7 : 6;
    static constexpr int chunks = side / n; /* accesses of a row */
    static constexpr tsr_tuple tile = tsr_t(tsr_s(side), tsr_s(side));
    static constexpr tsr_layout smem =
        tsr_swizzled(tsr_make_swizzle(3, bits, side_bits), tsr_make_layout(tile, tsr_right()));
    static constexpr tsr_copy_atom vector = tsr_copy_values(
        tsr_make_copy(TSR_COPY_UNIVERSAL, 128), (tsr_dtype)(tsr_dtype_code(TSR_U8) * 256 + 8 * sizeof(T)));
    static constexpr tsr_layout values = tsr_make_layout(tsr_t(_1, tsr_s(n)));

    /* In: neighbours along a row. Out: 8 along a row of the result, 4 rows a warp. */
    static constexpr tsr_tiled_copy in =
        tsr_make_tiled_copy(vector, tsr_make_layout(tsr_t(tsr_s(256 / chunks), tsr_s(chunks)), tsr_right()), values);
    static constexpr tsr_layout threads =
        tsr_make_layout(tsr_t(tsr_t(_4, tsr_s(64 / chunks)), tsr_t(_8, tsr_s(chunks / 8))),
                        tsr_t(tsr_t(_8, tsr_s(4 * chunks)), tsr_t(_1, _32)));
    static constexpr tsr_tiled_copy out = tsr_make_tiled_copy(vector, threads, values);

    static constexpr tsr_layout from = tsr_tidfrg_s(in, tsr_make_identity_layout(tile)); /* -> (i,j) of the source */
    static constexpr tsr_layout write = tsr_tidfrg_d(in, smem);                          /* -> offset */
    static constexpr tsr_layout read = tsr_tidfrg_s(out, tsr_transpose(smem));           /* -> offset */
    static constexpr tsr_layout to = tsr_tidfrg_d(out, tsr_make_identity_layout(tile));  /* -> (j,i) of the result */
};

/* to (N,M) = from (M,N), both by rows whose pitch is a multiple of 16 bytes. */
template <class T>
__global__ __launch_bounds__(256) void transpose(tsr_global<T const, 2, 1> from, tsr_global<T, 2, 1> to)
{
    using plan = transpose_plan<T>;
    __shared__ alignas(1024) T smem[plan::side * plan::side];
    int const t = threadIdx.x, i = blockIdx.x * plan::side, j = blockIdx.y * plan::side;
    T r[tsr_values<plan::from>];
    tsr_copy_if<16>(tsr_part<plan::from>(from.from(i, j), t), r);
    tsr_copy<16>(r, tsr_part<plan::write>(smem, t));
    __syncthreads();
    tsr_copy<sizeof(T)>(tsr_part<plan::read>(smem, t), r);
    tsr_copy_if<16>(r, tsr_part<plan::to>(to.from(j, i), t));
}

#ifndef __CUDACC_RTC__ /* the host */

/* Why the launch is refused, or no reason. */
template <class T> static tsr_reason run_transpose(tsr_global<T const, 2, 1> from, tsr_global<T, 2, 1> to)
{
    tsr_reason const why = from.wide(16), why_to = to.wide(16);
    if (!tsr_ok(why) || !tsr_ok(why_to))
        return tsr_ok(why) ? why_to : why;
    int const side = transpose_plan<T>::side;
    transpose<T><<<dim3((from.extent[0] + side - 1) / side, (from.extent[1] + side - 1) / side), 256>>>(from, to);
    return tsr_no_reason();
}

#endif
