/* A copy in tiles: 32x8 threads, 16 bytes each, of blocks of 128x64. Where the blocks cover the tensor exactly
 * nothing is asked; where they do not, the coordinates of each access say whether it is inside. */
#pragma once

#include <tessera/cuda.cuh>

#include <tessera/names.h>

struct copy_plan {
    static constexpr tsr_tuple tile = tsr_t(_128, _64);
    static constexpr tsr_copy_atom vector = tsr_copy_values(tsr_make_copy(TSR_COPY_UNIVERSAL, 128), TSR_F32);
    static constexpr tsr_tiled_copy copy =
        tsr_make_tiled_copy(vector, tsr_make_layout(tsr_t(_32, _8)), tsr_make_layout(tsr_t(_4, _1)));
    static constexpr tsr_layout part =
        tsr_tidfrg_s(copy, tsr_make_identity_layout(tile)); /* (thread,(4,1),(1,8)) -> (m,n) */
};

template <bool Ragged>
__global__ __launch_bounds__(256) void tiled_copy(tsr_global<float const, 2, 0> from, tsr_global<float, 2, 0> to)
{
    int const m = blockIdx.x * 128, n = blockIdx.y * 64;
    auto const source = tsr_part<copy_plan::part>(from.from(m, n), threadIdx.x);
    auto const target = tsr_part<copy_plan::part>(to.from(m, n), threadIdx.x);
    float r[tsr_values<copy_plan::part>];
    if constexpr (Ragged) {
        tsr_copy_if<16>(source, r);
        tsr_copy_if<16>(r, target);
    } else {
        tsr_copy<16>(source, r);
        tsr_copy<16>(r, target);
    }
}

#ifndef __CUDACC_RTC__ /* the host */

/* Why the launch is refused, or no reason. */
static tsr_reason run_tiled_copy(tsr_global<float const, 2, 0> from, tsr_global<float, 2, 0> to)
{
    tsr_reason const why = from.wide(16), why_to = to.wide(16);
    if (!tsr_ok(why) || !tsr_ok(why_to))
        return tsr_ok(why) ? why_to : why;
    dim3 const blocks((to.extent[0] + 127) / 128, (to.extent[1] + 63) / 64);
    if (to.extent[0] % 128 == 0 && to.extent[1] % 64 == 0)
        tiled_copy<false><<<blocks, 256>>>(from, to);
    else
        tiled_copy<true><<<blocks, 256>>>(from, to);
    return tsr_no_reason();
}

#endif
