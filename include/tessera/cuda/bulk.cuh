/** Runs of bytes by the copy engine, without a map: cp.async.bulk.
 *
 *      uint64_t const once = tsr_cache_evict_first();
 *      tsr_barrier_expect(&full, 4096);
 *      tsr_bulk_load(smem, weights, 4096, &full, once);      one thread; `full` counts the bytes
 *      tsr_barrier_wait(&full, parity);
 *
 *      tsr_bulk_store(result, smem, 4096);                   behind tsr_fence_async and a barrier of the writers
 *      tsr_tma_commit(); tsr_tma_wait<0>();
 *
 *      tsr_read_once<16>(at, registers);                     a load that leaves no line in the first-level cache
 *
 *  Law     byte i of the destination is byte i of the source.
 *  Needs   sm_90, a mask or a clear sm_100; addresses and bytes that are multiples of 16.
 *  Source  PTX ISA 9.0, cp.async.bulk, st.bulk, ld.
 */
#ifndef TSR_CUDA_BULK_CUH
#define TSR_CUDA_BULK_CUH

#include "tessera/cuda/barrier.cuh"
#include "tessera/cuda/cache.cuh"
#include "tessera/cuda/copy.cuh"
#include "tessera/cuda/target.cuh"

#if TSR_EMULATE
#  include "tessera/emulate/bulk.h"
#else

template <int Arch = 0> TSR_DEVICE void tsr_bulk_load(void *smem, void const *gmem, int bytes, tsr_barrier *full)
{
    TSR_NEEDS_TMA_("tsr_bulk_load");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     tsr_smem_address(smem)),
                 "l"(__cvta_generic_to_global(gmem)), "r"(bytes), "r"(tsr_smem_address(full))
                 : "memory");
}

/** The same, with a hint (cuda/cache.cuh). */
template <int Arch = 0>
TSR_DEVICE void tsr_bulk_load(void *smem, void const *gmem, int bytes, tsr_barrier *full, uint64_t hint)
{
    TSR_NEEDS_TMA_("tsr_bulk_load");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], "
        "%4;" ::"r"(tsr_smem_address(smem)),
        "l"(__cvta_generic_to_global(gmem)), "r"(bytes), "r"(tsr_smem_address(full)), "l"(hint)
        : "memory");
}

/** Bytes of shared memory to global memory, in a group that tsr_tma_commit closes. */
template <int Arch = 0> TSR_DEVICE void tsr_bulk_store(void *gmem, void const *smem, int bytes)
{
    TSR_NEEDS_TMA_("tsr_bulk_store");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(gmem)),
                 "r"(tsr_smem_address(smem)), "r"(bytes)
                 : "memory");
}

/** The same of chosen bytes: of every 16, byte i where bit i of `mask` is 1. */
template <int Arch = 0> TSR_DEVICE void tsr_bulk_store_masked(void *gmem, void const *smem, int bytes, uint16_t mask)
{
    TSR_NEEDS_VERB_(TSR_VERB_BULK_MASK, Arch);
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%0], [%1], %2, %3;" ::"l"(
                     __cvta_generic_to_global(gmem)),
                 "r"(tsr_smem_address(smem)), "r"(bytes), "h"(mask)
                 : "memory");
}

/** Zeros in shared memory, `bytes` a multiple of 8, by one thread. */
template <int Arch = 0> TSR_DEVICE void tsr_bulk_clear(void *smem, int bytes)
{
    TSR_NEEDS_VERB_(TSR_VERB_ST_BULK, Arch);
    asm volatile("st.bulk.weak.shared::cta [%0], %1, 0;" ::"r"(tsr_smem_address(smem)), "l"((uint64_t)bytes)
                 : "memory");
}

/** `Bytes` bytes of global memory, 4, 8 or 16, that no kernel writes meanwhile and nobody reads again soon. */
template <int Bytes> TSR_DEVICE void tsr_read_once(void const *gmem, void *registers)
{
    static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "tsr_read_once: 4, 8 or 16 bytes");
    uint64_t const at = __cvta_generic_to_global(gmem);
    uint32_t w[Bytes < 4 ? 1 : Bytes / 4];
    if constexpr (Bytes == 4)
        asm volatile("ld.global.nc.L1::no_allocate.b32 %0, [%1];" : "=r"(w[0]) : "l"(at));
    else if constexpr (Bytes == 8)
        asm volatile("ld.global.nc.L1::no_allocate.v2.b32 {%0, %1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "l"(at));
    else
        asm volatile("ld.global.nc.L1::no_allocate.v4.b32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                     : "l"(at));
    TSR_COPY(registers, w, Bytes);
}
#endif

#endif
