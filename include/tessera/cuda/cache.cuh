/** What the second-level cache is told of lines that the copy engine brings or takes away.
 *
 *      uint64_t const once = tsr_cache_evict_first();
 *      tsr_tma_load_tile<smem>(tsr_tma_hint(&map, once), &full, to, m, k);      any verb of cuda/tma.cuh and its tiles
 *      tsr_bulk_load(smem, weights, 4096, &full, once);                         runs of bytes (cuda/bulk.cuh)
 *
 *  Law     a hint changes no byte.
 *  Needs   sm_90.
 *  Source  PTX ISA 9.0, createpolicy.
 */
#ifndef TSR_CUDA_CACHE_CUH
#define TSR_CUDA_CACHE_CUH

#include "tessera/cuda/words.cuh"

#if TSR_EMULATE
#  include "tessera/emulate/cache.h"
#else

/** Lines that come with it leave the second-level cache first: what is read once. */
TSR_DEVICE uint64_t tsr_cache_evict_first(void)
{
    uint64_t r;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(r));
    return r;
}

/** They leave last: what all blocks read. */
TSR_DEVICE uint64_t tsr_cache_evict_last(void)
{
    uint64_t r;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(r));
    return r;
}

/** They leave as all others do: also those that were to leave last. */
TSR_DEVICE uint64_t tsr_cache_evict_normal(void)
{
    uint64_t r;
    asm volatile("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(r));
    return r;
}
#endif

#endif
