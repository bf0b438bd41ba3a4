/** The algebra that a product needs: here for all of src/gpu, and compiled once. */
#include "gpu/gemm.h"

tsr_hopper_tile gpu_tile(tsr_dtype a, tsr_dtype b, tsr_dtype d, int m, int n, int flags)
{
    return tsr_make_hopper_tile(a, b, d, m, n, flags);
}

tsr_tma_desc gpu_tile_desc(tsr_layout smem, tsr_dtype type, int parts, tsr_layout matrix)
{
    tsr_tma_tile const tile = tsr_make_tma_tile(smem, type, parts);
    return tsr_tma_tile_desc(&tile, type, matrix);
}
