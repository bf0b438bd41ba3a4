/* Maps of matrices by rows, for the kernels of Blackwell. */
#pragma once

#include <tessera/exec/tma.h>
#include <tessera/gpu.h>
#include <tessera/names.h>

/* The map of a matrix by rows, for a tile of it. */
template <class T>
static tsr_reason make_map(tsr_global<T, 2, 1> x, tsr_layout smem, tsr_dtype type, tsr_tma_map *map)
{
    tsr_tma_tile const tile = tsr_make_tma_tile(smem, type, 1);
    tsr_layout const global = tsr_make_layout(tsr_t(x.extent[0], x.extent[1]), tsr_t(x.stride[0], _1));
    tsr_tma_desc const desc = tsr_tma_tile_desc(&tile, type, global);
    return tsr_tma_encode(&desc, (uint64_t)x.at, map);
}
