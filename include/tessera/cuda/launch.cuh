/** Cluster launch control: a running cluster takes the work of one that has not begun, instead of a persistent grid.
 *
 *      __shared__ tsr_next_cluster next;                an answer, and its barrier (init)
 *      uint32_t parity = 0;
 *      for (tsr_cluster_of c = tsr_cluster_now(); c.there; c = next.wait(parity), parity ^= 1) {
 *          __syncthreads();                             all have read the last answer
 *          if (threadIdx.x == 0) next.ask();
 *          ...                                          the tile of (c.x, c.y, c.z), while the answer comes
 *      }
 *
 *  The grid has a block for each tile. An answer names the first block of a cluster, which is then never launched. Who
 *  has asked and got none asks no more.
 *
 *  Law     each block of the grid is launched, or named to one cluster.
 *  Needs   sm_100; an answer to all CTAs of a cluster what TSR_VERB_TRY_CANCEL_MULTICAST says (cuda/target.cuh).
 *  Source  PTX ISA 9.0, clusterlaunchcontrol.try_cancel, clusterlaunchcontrol.query_cancel.
 */
#ifndef TSR_CUDA_LAUNCH_CUH
#define TSR_CUDA_LAUNCH_CUH

#include "tessera/cuda/barrier.cuh"
#include "tessera/cuda/target.cuh"

TSR_WORD(tsr_ptx_to_all_, ".multicast::cluster::all");

/** The first block of a cluster, if there is one. */
struct tsr_cluster_of {
    bool there;
    int x, y, z;
};

#if TSR_EMULATE
#  include "tessera/emulate/launch.h"
#else

/** Asks for a cluster that has not begun; the answer's 16 bytes count at `full`. With All it comes to the same place of
 *  all CTAs of this cluster. */
template <bool All> TSR_DEVICE void tsr_try_cancel(void *answer, tsr_barrier *full)
{
    TSR_NEEDS_VERB_(All ? TSR_VERB_TRY_CANCEL_MULTICAST : TSR_VERB_TRY_CANCEL, All);
    asm volatile(
        "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes%2.b128 [%0], [%1];" ::"r"(
            tsr_smem_address(answer)),
        "r"(tsr_smem_address(full)), "C"(tsr_ptx_to_all_<All>::text)
        : "memory");
}

/** What the answer's two words say. */
template <int Arch = 0> TSR_DEVICE tsr_cluster_of tsr_query_cancel(uint64_t low, uint64_t high)
{
    TSR_NEEDS_VERB_(TSR_VERB_QUERY_CANCEL, Arch);
    uint32_t there;
    tsr_cluster_of c;
    asm volatile("{.reg .b128 answer; .reg .pred p; mov.b128 answer, {%4, %5};"
                 "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, answer; selp.u32 %0, 1, 0, p;"
                 "mov.b32 %1, 0; mov.b32 %2, 0; mov.b32 %3, 0;"
                 "@p clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%1, %2, %3, _}, answer;}"
                 : "=r"(there), "=r"(c.x), "=r"(c.y), "=r"(c.z)
                 : "l"(low), "l"(high));
    c.there = there != 0;
    return c;
}

/** The cluster that this block is launched in. */
template <int Arch = 0> TSR_DEVICE tsr_cluster_of tsr_cluster_now(void)
{
    TSR_NEEDS_TMA_("tsr_cluster_now");
    uint32_t x, y, z;
    asm volatile("mov.u32 %0, %%cluster_ctaid.x; mov.u32 %1, %%cluster_ctaid.y; mov.u32 %2, %%cluster_ctaid.z;"
                 : "=r"(x), "=r"(y), "=r"(z));
    return {true, (int)(blockIdx.x - x), (int)(blockIdx.y - y), (int)(blockIdx.z - z)};
}
#endif

/** An answer in shared memory and its barrier. */
struct alignas(16) tsr_next_cluster {
    uint64_t answer[2];
    tsr_barrier full;

    /** By one thread, before all meet. */
    template <int Arch = 0> TSR_DEVICE_MEMBER void init(void)
    {
        tsr_barrier_init(&full, 1);
        tsr_barrier_init_fence<Arch>();
    }

    /** By one thread, when all have read the last answer. With All by that of one CTA; each CTA's barrier then expects
     *  the 16 bytes (expect). */
    template <bool All = false> TSR_DEVICE_MEMBER void ask(void)
    {
        if constexpr (!All)
            expect();
        tsr_try_cancel<All>(answer, &full);
    }
    template <int Arch = 0> TSR_DEVICE_MEMBER void expect(void) { tsr_barrier_expect<Arch>(&full, 16); }

    /** Waits for the answer, by all threads that want it, and orders its reads before the next one. */
    template <int Arch = 0> TSR_DEVICE_MEMBER tsr_cluster_of wait(uint32_t parity)
    {
        tsr_barrier_wait<Arch>(&full, parity);
        tsr_cluster_of const c = tsr_query_cancel<Arch>(answer[0], answer[1]);
        tsr_fence_async();
        return c;
    }
};

#endif
