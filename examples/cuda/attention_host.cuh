/* What the hosts of attention's kernels share: tensor maps of the operands, and the size of a persistent grid. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/tile_tma.cuh>
#include <tessera/exec/tma.h>

#include <tessera/names.h>

/* The map of a tensor (rows,D,heads,batches) for tiles of this layout, (rows,D) or (D,rows) by what stands side by
 * side. Why there is none, or no reason. */
template <class T> static tsr_reason attention_map(tsr_layout const &tile, tsr_dtype type,
                                                   tsr_global<T const, 4, 1> const &x, tsr_tma_map *map)
{
    tsr_tma_tile const of = tsr_make_tma_tile(tile, type, 1);
    tsr_layout const tensor = tsr_make_layout(tsr_t(x.extent[0], x.extent[1], x.extent[2], x.extent[3]),
                                              tsr_t(x.stride[0], _1, x.stride[2], x.stride[3]));
    tsr_tma_desc const desc = tsr_tma_tile_desc(&of, type, of.along == 1 ? tensor : tsr_select(tensor, 1, 0, 2, 3));
    return tsr_tma_encode(&desc, (uint64_t)x.at, map);
}

/* As many blocks as the device has multiprocessors, if there is work for all. */
static int attention_grid(int blocks)
{
    int device = 0, processors = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    return blocks < processors ? blocks : processors;
}
