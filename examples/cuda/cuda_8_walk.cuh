/* A walk of the copy engine over a tensor: a block takes the tile whose coordinates the TMA tensor names, adds its
 * own number to every element, stores the tile elsewhere, and adds it to the one tile of sums that all blocks share.
 */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/exec/tma.h>

enum { walk_rows = 16, walk_columns = 32, walk_size = walk_rows * walk_columns };

/* The coordinates of tile (i,j), innermost first, as the TMA tensor of the plan has them at the tile's first element.
 */
__global__ __launch_bounds__(128) void walk(__grid_constant__ tsr_tma_map const from,
                                            __grid_constant__ tsr_tma_map const to,
                                            __grid_constant__ tsr_tma_map const sums, int2 const *coordinates)
{
    __shared__ alignas(128) int32_t tile[walk_size]; /* (16,32), by rows */
    __shared__ tsr_barrier full;
    int const number = blockIdx.x;
    int2 const at = coordinates[number];
    if (threadIdx.x == 0) {
        tsr_barrier_init(&full, 1);
        tsr_barrier_init_fence();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        tsr_barrier_expect(&full, sizeof tile);
        tsr_tma_load(&from, &full, tile, at.x, at.y);
    }
    tsr_barrier_wait(&full, 0);
    for (int i = threadIdx.x; i < walk_size; i += blockDim.x)
        tile[i] += number;
    tsr_fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        tsr_tma_store(&to, tile, at.x, at.y);
        tsr_tma_reduce<TSR_TMA_ADD>(&sums, tile, 0, 0);
        tsr_tma_commit();
        tsr_tma_wait_read<0>();
    }
}
