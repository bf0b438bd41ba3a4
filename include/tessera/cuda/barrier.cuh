/** Barriers in shared memory, clusters, and the ring of buffers between a producer and its consumers.
 *
 *  Law     a barrier's phase ends when `count` arrivals and all expected bytes are in; wait(parity) returns when the
 *          phase of that parity has ended. Parities go 0, 1, 0, ...
 *  Source  PTX ISA 9.0, mbarrier, barrier.cluster, elect.sync, setmaxnreg, fence.
 */
#ifndef TSR_CUDA_BARRIER_CUH
#define TSR_CUDA_BARRIER_CUH

#include "tessera/cuda/matrix.cuh"

/** Where code for a GPU before sm_90 is generated, what needs one says so when it is used. */
template <int> constexpr bool tsr_has_tma_ = TSR_HAS_TMA;
#define TSR_NEEDS_TMA_(name) static_assert(tsr_has_tma_<Arch>, name ": code for sm_90 or later (-arch=sm_90)")

/** A barrier: 8 bytes of shared memory. */
typedef uint64_t tsr_barrier;

#if TSR_EMULATE
#  include "tessera/emulate/barrier.h"
#else

TSR_DEVICE void tsr_barrier_init(tsr_barrier *b, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(tsr_smem_address(b)), "r"(count) : "memory");
}

/** Makes initialised barriers visible to the copy engine and to the cluster; then all threads meet. */
template <int Arch = 0> TSR_DEVICE void tsr_barrier_init_fence(void)
{
    TSR_NEEDS_TMA_("tsr_barrier_init_fence");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

TSR_DEVICE void tsr_barrier_arrive(tsr_barrier *b)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(tsr_smem_address(b)) : "memory");
}

TSR_WORD(tsr_ptx_release_, ".release.cluster");

template <bool Release> TSR_DEVICE void tsr_barrier_arrive_(tsr_barrier *b, int cta)
{
    asm volatile("{.reg .b32 at; mapa.shared::cluster.u32 at, %0, %1;"
                 "mbarrier.arrive%2.shared::cluster.b64 _, [at];}" ::"r"(tsr_smem_address(b)),
                 "r"(cta), "C"(tsr_ptx_release_<Release>::text)
                 : "memory");
}

/** Arrives and lets the phase wait for `bytes` more bytes. */
template <int Arch = 0> TSR_DEVICE void tsr_barrier_expect(tsr_barrier *b, int bytes)
{
    TSR_NEEDS_TMA_("tsr_barrier_expect");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(tsr_smem_address(b)), "r"(bytes)
                 : "memory");
}

template <bool Sleeps> struct tsr_ptx_wait_ {
    static constexpr char text[] = "test_wait";
};
template <> struct tsr_ptx_wait_<true> {
    static constexpr char text[] = "try_wait";
};

/** Waits for the phase of this parity. On sm_80 to sm_89 the thread asks again and again, on later ones it sleeps. */
template <int Arch = 0> TSR_DEVICE void tsr_barrier_wait(tsr_barrier *b, uint32_t parity)
{
    asm volatile("{.reg .pred done;\n"
                 "again: mbarrier.%2.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;}" ::"r"(tsr_smem_address(b)),
                 "r"(parity), "C"(tsr_ptx_wait_<tsr_has_tma_<Arch>>::text)
                 : "memory");
}

/** The same where another CTA of the cluster arrives: its reads and writes are ordered before what follows. */
template <int Arch = 0> TSR_DEVICE void tsr_barrier_wait_cluster(tsr_barrier *b, uint32_t parity)
{
    TSR_NEEDS_TMA_("tsr_barrier_wait_cluster");
    asm volatile("{.reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;}" ::"r"(tsr_smem_address(b)),
                 "r"(parity)
                 : "memory");
}

/** Orders this thread's ordinary accesses of shared memory before those of the copy engine and of wgmma. */
template <int Arch = 0> TSR_DEVICE void tsr_fence_async(void)
{
    TSR_NEEDS_TMA_("tsr_fence_async");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/** A barrier for some of the warps of a block: `id` 1 to 15, `threads` a multiple of 32. */
TSR_DEVICE void tsr_sync_threads(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/** Arrives there without waiting: the others, `threads` of both kinds in all, wait by tsr_sync_threads. */
TSR_DEVICE void tsr_arrive_threads(int id, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/** One lane of the warp, the same each time; all lanes ask. */
template <int Arch = 0> TSR_DEVICE bool tsr_elect(void)
{
    TSR_NEEDS_TMA_("tsr_elect");
    uint32_t one;
    asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(one));
    return one != 0;
}

/** The warp's number, known to the compiler to be the same in all lanes. */
TSR_DEVICE int tsr_warp(void) { return __shfl_sync(0xffffffffu, (int)threadIdx.x / 32, 0); }

template <int Arch = 0> TSR_DEVICE int tsr_cluster_rank(void)
{
    TSR_NEEDS_TMA_("tsr_cluster_rank");
    uint32_t r;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return (int)r;
}

/** The object at `at` in the shared memory of CTA `cta` of the cluster, for reads, writes and atomic operations; that
 *  CTA has begun, and does not end before (tsr_cluster_sync). */
template <class T, int Arch = 0> TSR_DEVICE T *tsr_smem_of(T *at, int cta)
{
    TSR_NEEDS_TMA_("tsr_smem_of");
    uint64_t r;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(r) : "l"(at), "r"(cta));
    return reinterpret_cast<T *>(r);
}

/** All threads of the cluster meet; lanes that went apart (tsr_elect) come together first. */
template <int Arch = 0> TSR_DEVICE void tsr_cluster_sync(void)
{
    TSR_NEEDS_TMA_("tsr_cluster_sync");
    __syncwarp();
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/** Gives registers of this warpgroup back, or takes more: each warpgroup once, at its start. */
template <int Registers> TSR_DEVICE void tsr_registers_release(void)
{
    TSR_NEEDS_VERB_(TSR_VERB_SETMAXNREG, Registers);
    static_assert(Registers % 8 == 0 && Registers >= 24 && Registers <= 256, "a multiple of 8 from 24 to 256");
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}
template <int Registers> TSR_DEVICE void tsr_registers_take(void)
{
    TSR_NEEDS_VERB_(TSR_VERB_SETMAXNREG, Registers);
    static_assert(Registers % 8 == 0 && Registers >= 24 && Registers <= 256, "a multiple of 8 from 24 to 256");
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}

/** Waits for the kernels in front of this one; their writes are then seen. A kernel that is launched early
 *  (gpu/kernel.h) calls it before it touches global memory. */
template <int Arch = 0> TSR_DEVICE void tsr_grid_wait(void)
{
    TSR_NEEDS_TMA_("tsr_grid_wait");
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

/** Lets the blocks of the next kernel, if it is launched early, come as soon as there is room for them. */
template <int Arch = 0> TSR_DEVICE void tsr_grid_release(void)
{
    TSR_NEEDS_TMA_("tsr_grid_release");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
#endif

/** Arrives at the barrier at the same place in the shared memory of another CTA of the cluster, to say that this
 *  thread has left a buffer there. No data goes with it. Each read has been waited for before, a load by its use,
 *  wgmma by tsr_wgmma_wait, so later writes cannot change its result. A fence of the cluster for each buffer would
 *  order nothing more. */
template <int Arch = 0> TSR_DEVICE void tsr_barrier_arrive_at(tsr_barrier *b, int cta)
{
    TSR_NEEDS_TMA_("tsr_barrier_arrive_at");
    tsr_barrier_arrive_<false>(b, cta);
}

/** The same with data: what this thread wrote is seen behind tsr_barrier_wait_cluster. */
template <int Arch = 0> TSR_DEVICE void tsr_barrier_release_at(tsr_barrier *b, int cta)
{
    TSR_NEEDS_TMA_("tsr_barrier_release_at");
    tsr_barrier_arrive_<true>(b, cta);
}

/** How the warpgroups of a block divide its registers: numbers of registers of a thread, one a warpgroup, whose sum is
 *  what the block begins with. Others would let a warpgroup wait for ever, and do not compile.
 *
 *      typedef tsr_registers<40, 232, 232> split;      of 384 threads, __launch_bounds__(384, 1)
 *      split::set<1>();                                 by all threads of warpgroup 1, once, at its start
 */
template <int... Each> struct tsr_registers {
    enum { groups = sizeof...(Each), all = 512, sum = (0 + ... + Each) };
    enum { first = groups == 0 ? 0 : all / groups > 256 ? 256 : all / groups / 8 * 8 }; /* at the start */
    static_assert(groups >= 1 && groups <= 8, "tsr_registers: 1 to 8 warpgroups");
    static_assert((... && (Each % 8 == 0 && Each >= 24 && Each <= 256)),
                  "tsr_registers: multiples of 8 from 24 to 256");
    static_assert(sum <= groups * first, "tsr_registers: more than the registers that the block begins with");

    template <int Group> TSR_DEVICE_MEMBER static void set(void)
    {
        static_assert(Group >= 0 && Group < groups, "tsr_registers: a number for each warpgroup");
        constexpr int each[] = {Each...}, mine = each[Group >= 0 && Group < groups ? Group : 0];
        if constexpr (mine <= first)
            tsr_registers_release<mine>();
        else
            tsr_registers_take<mine>();
    }
};

/** The roles of a block whose warpgroup 0 produces: one of its threads runs `produce`, or, with Threads = 128, all of
 *  them do. The 128 are left with `Kept` registers each and get true. The other warpgroups take `Taken` registers and
 *  get false. Called once by all threads, behind the __syncthreads that shows them the barriers.
 *
 *      if (tsr_produce<24, 240>([&] { fill_buffers(maps, smem); }))           one thread, by the copy engine
 *          return;
 *      if (tsr_produce<56, 224, 128>([&] { gather_rows(rows, smem); }))       all, each arrives at the barriers
 *          return;
 *      int const consumer = tsr_warp() / 4 - 1;
 *
 *  tsr_registers checks the numbers of a block: tsr_registers<56, 224, 224>.
 */
template <int Kept, int Taken, int Threads = 1, class F> TSR_DEVICE bool tsr_produce(F const &produce)
{
    static_assert(Threads == 1 || Threads == 128, "tsr_produce: one thread produces, or all 128 of warpgroup 0");
    if (tsr_warp() / 4 == 0) {
        tsr_registers_release<Kept>();
        if (Threads == 128 || (tsr_warp() == 0 && tsr_elect()))
            produce();
        return true;
    }
    tsr_registers_take<Taken>();
    return false;
}

/** A place in a ring of `Stages` buffers: which one, and the parity of its round. A producer that waits for free
 *  buffers begins with the other parity, for in the first round all are free. */
template <int Stages> struct tsr_stage {
    int index = 0;
    uint32_t parity = 0;
    TSR_DEVICE_MEMBER void next(void)
    {
        if (++index == Stages) {
            index = 0;
            parity ^= 1;
        }
    }

    /** Goes on by `buffers` buffers. Consumers that take buffers in turns and do not wait for each other must each have
     *  their own: their number divides Stages. Else one waits for a buffer that is still filled for another one, and a
     *  parity does not tell its round from the one before the last. */
    TSR_DEVICE_MEMBER void skip(int buffers)
    {
        int const to = index + buffers;
        parity ^= (uint32_t)(to / Stages) & 1;
        index = to % Stages;
    }
};

/** The barriers of a ring: `full` when a buffer's bytes are there, `free` when its consumers have left it. */
template <int Stages> struct tsr_pipeline {
    tsr_barrier full[Stages], free[Stages];

    /** By one thread, before all meet: how many arrivals (beside the bytes) fill and free a buffer. */
    TSR_DEVICE_MEMBER void init(int producers, int consumers)
    {
        for (int i = 0; i < Stages; ++i) {
            tsr_barrier_init(&full[i], producers);
            tsr_barrier_init(&free[i], consumers);
        }
        tsr_barrier_init_fence();
    }
};

#endif
