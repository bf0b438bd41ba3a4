/** Asynchronous copies of a thread from global to shared memory: cp.async.
 *
 *  Law     after tsr_cp_async_wait<N>() all but the last N groups of this thread have arrived; other threads see them
 *          after a barrier. A barrier of cuda/barrier.cuh waits for them itself by tsr_cp_async_arrive.
 *  Source  PTX ISA 9.0, cp.async, cp.async.commit_group, cp.async.wait_group, cp.async.mbarrier.arrive.
 */
#ifndef TSR_CUDA_ASYNC_CUH
#define TSR_CUDA_ASYNC_CUH

#include "tessera/cuda/matrix.cuh"

TSR_WORD(tsr_ptx_noinc_, ".noinc");

#if TSR_EMULATE
#  include "tessera/emulate/async.h"
#else

/** Copies `Bytes` bytes, 4, 8 or 16, to which both addresses are aligned. Bytes beyond `valid` arrive as zeros and
 *  are not read. 16 bytes pass by the first-level cache. */
template <int Bytes> TSR_DEVICE void tsr_cp_async(void *smem, void const *gmem, int valid = Bytes)
{
    static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "tsr_cp_async: 4, 8 or 16 bytes");
    if constexpr (Bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(tsr_smem_address(smem)), "l"(gmem),
                     "r"(valid)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(tsr_smem_address(smem)), "l"(gmem),
                     "r"(valid), "n"(Bytes)
                     : "memory");
}

/** The same if the bytes exist; else zeros, and nothing is read. */
template <int Bytes> TSR_DEVICE void tsr_cp_async_or_zero(void *smem, void const *gmem, bool there)
{
    if constexpr (Bytes == 16)
        asm volatile(
            "{.reg .pred none; setp.eq.s32 none, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, none;}" ::"r"(
                tsr_smem_address(smem)),
            "l"(gmem), "r"((int)there)
            : "memory");
    else
        asm volatile(
            "{.reg .pred none; setp.eq.s32 none, %2, 0; cp.async.ca.shared.global [%0], [%1], %3, none;}" ::"r"(
                tsr_smem_address(smem)),
            "l"(gmem), "r"((int)there), "n"(Bytes)
            : "memory");
}

/** Arrives at a barrier when all copies that this thread has begun are there. The arrival is one of the count that
 *  tsr_barrier_init was given; with Counted = false the phase waits for one more, and the count stays.
 *
 *      tsr_cp_async<16>(...);
 *      tsr_cp_async_arrive(&full);                  of tsr_barrier_init(&full, threads)
 *      tsr_barrier_wait(&full, parity);             all threads' bytes are there and seen
 */
template <bool Counted = true> TSR_DEVICE void tsr_cp_async_arrive(uint64_t *barrier)
{
    asm volatile("cp.async.mbarrier.arrive%1.shared::cta.b64 [%0];" ::"r"(tsr_smem_address(barrier)),
                 "C"(tsr_ptx_noinc_<Counted>::text)
                 : "memory");
}

TSR_DEVICE void tsr_cp_async_commit(void) { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <int Pending> TSR_DEVICE void tsr_cp_async_wait(void)
{
    asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}
#endif

#endif
