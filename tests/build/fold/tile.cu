/* The pairs of tile.cpp as kernels. */
#include "tile_cases.h"

#define PARAMETERS int64_t *out, int64_t i, int64_t j

#define PAIR(name, descriptor, coord, by_hand)                                         \
  extern "C" __global__ void by_hand_##name(PARAMETERS) { *out = (int64_t)(by_hand); } \
  extern "C" __global__ void tessera_##name(PARAMETERS)                                \
  {                                                                                    \
    static constexpr tsr_descriptor graph = descriptor;                                \
    constexpr tsr_folded folded = tsr_fold(&graph);                                    \
    constexpr tsr_layout layout = folded.layout;                                       \
    *out = folded.base + tsr_at(layout, coord);                                        \
  }

FOLD_TILE(PAIR)

/* A thread of a tile, from a plan that is an argument: nothing may stand on the stack. */
extern "C" __global__ void planned(const __grid_constant__ tsr_planned_tile plan,
                                   const __grid_constant__ tsr_buffer_view memory,
                                   const __grid_constant__ tsr_index origin, float *out)
{
    tsr_planned_tile_load(&plan, &memory, origin.at, threadIdx.x, out + threadIdx.x * plan.size);
}
