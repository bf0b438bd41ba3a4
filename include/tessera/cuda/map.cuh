/** Maps of matrices for kernels with cuda/tile_tma.cuh, on the host: for a GPU, or where TSR_EMULATE is 1 for the
 *  emulator, from the same lines.
 *
 *      tsr_tma_map a;                                                 a kernel's __grid_constant__ parameter
 *      tsr_reason const why = tsr_make_tma_map(A, plan::a, &a);       A is a tsr_global, plan::a the tile's layout
 *
 *  Law     the map is the one of tsr_tma_tile_desc. Refusals are the same on both; `map` is then not written.
 *  Needs   the library; a GPU's context must be current. The matrix must outlive the launch.
 */
#ifndef TSR_CUDA_MAP_CUH
#define TSR_CUDA_MAP_CUH

#include "tessera/cuda/partition.cuh"
#include "tessera/cuda/tile_tma.cuh"
#include "tessera/exec/tma.h"

/** The type of a matrix's elements: numbers, or bits. */
template <class T> constexpr tsr_dtype tsr_element_type_ = (tsr_dtype)(tsr_number_type_<T> >= 0
                                                                           ? tsr_number_type_<T>
                                                                           : TSR_U8 - 8 + 8 * (int)sizeof(T));

/** The map of a matrix by rows (Unit 1) or columns (Unit 0), for a tile of the layout `smem`. */
template <class T, int Unit>
TSR_HOST tsr_reason tsr_make_tma_map(tsr_global<T, 2, Unit> const &x, tsr_layout const &smem, tsr_tma_map *map)
{
    static_assert(Unit == 0 || Unit == 1, "tsr_make_tma_map: rows or columns are contiguous");
    tsr_tuple const one = tsr_s(1), rows = Unit == 0 ? one : tsr_int(x.stride[0]),
                    columns = Unit == 1 ? one : tsr_int(x.stride[1]);
    tsr_layout const tensor = tsr_make_layout(tsr_t(x.extent[0], x.extent[1]), tsr_t(rows, columns));
    tsr_tma_tile const tile = tsr_make_tma_tile(smem, tsr_element_type_<T>, 1);
    tsr_tma_desc const desc = tsr_tma_tile_desc(&tile, tsr_element_type_<T>, tensor);
#if TSR_EMULATE
    tsr_reason const why = tsr_emulator::map_why(desc, x.at);
    if (tsr_ok(why))
        *map = tsr_emulated_map(&desc, x.at);
    return why;
#else
    return tsr_tma_encode(&desc, (uint64_t)x.at, map);
#endif
}

#endif
