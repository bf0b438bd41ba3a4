/** What cuda/barrier.cuh has as instructions, on the emulator: barriers of shared memory and of threads, clusters.
 *
 *  A barrier's state is the machine's; its 8 bytes of shared memory hold a mark, so that bytes written over a barrier
 *  are noticed.
 */
#ifndef TSR_EMULATE_BARRIER_H
#define TSR_EMULATE_BARRIER_H

#include "tessera/emulate/memory.h"
#include "tessera/emulate/words.h"

namespace tsr_emulator
{

enum { MOST_ARRIVALS = (1 << 20) - 1, MOST_BYTES = (1 << 20) - 1 };

inline uint64_t mark_of(cta const &c, uint32_t at) { return 0x62a221e200000000u ^ (uint64_t)c.rank << 24 ^ at; }

/** The barrier at an address; none, and a refusal, where there is none. */
inline mbarrier *barrier_at(cta &c, uint32_t at, char const *what)
{
    auto const found = c.barriers.find(at);
    uint64_t const mark = mark_of(c, at);
    if (found == c.barriers.end())
        refuse("%s: there is no barrier at byte %u of the shared memory of CTA %d (tsr_barrier_init)", what, at,
               c.rank);
    else if (memcmp(c.shared + at, &mark, 8) != 0)
        refuse("%s: the barrier at byte %u of the shared memory of CTA %d was overwritten", what, at, c.rank);
    else if (c.live == 0)
        refuse("%s: the barrier at byte %u is in CTA %d, whose threads have all ended", what, at, c.rank);
    return found == c.barriers.end() ? nullptr : &found->second;
}

/** Ends the phase of a barrier that lacks nothing. Copies under way then count in the next one, or here: it depends. */
inline void settle(mbarrier &b, uint32_t at, char const *what)
{
    if (b.pending == 0 && b.bytes == 0) {
        if (b.coming > 0)
            refuse("%s: phase %u of the barrier at byte %u ends while %lld bytes that it counts are under way; fewer "
                   "bytes were expected than come",
                   what, b.phase, at, (long long)b.coming);
        b.pending = b.count;
        ++b.phase;
        ++m().clock;
    }
}

inline void arrive(cta &c, uint32_t at, char const *what, int arrivals = 1)
{
    mbarrier *const b = barrier_at(c, at, what);
    if (!b)
        return;
    if (b->pending < arrivals) {
        refuse("%s: more arrivals than the %d that the barrier at byte %u of CTA %d counts in a phase", what,
               b->count, at, c.rank);
        return;
    }
    b->pending -= arrivals;
    settle(*b, at, what);
}

/** A copy is under way that will bring bytes to the barrier, if there is one. */
inline void send_bytes(cta &c, uint32_t at, int64_t bytes)
{
    auto const found = c.barriers.find(at);
    if (found != c.barriers.end())
        found->second.coming += bytes;
}

/** Expects bytes (positive) or brings them, those of send_bytes among them. */
inline void count_bytes(cta &c, uint32_t at, int64_t bytes, char const *what)
{
    mbarrier *const b = barrier_at(c, at, what);
    if (!b)
        return;
    b->bytes += bytes;
    if (bytes < 0)
        b->coming = b->coming + bytes > 0 ? b->coming + bytes : 0;
    if (b->bytes > MOST_BYTES || b->bytes < -MOST_BYTES)
        refuse("%s: the barrier at byte %u of CTA %d would wait for %lld bytes; it counts to %d", what, at, c.rank,
               (long long)b->bytes, MOST_BYTES);
    if (bytes < 0)
        settle(*b, at, what);
}

/** What a barrier waits for. */
inline std::string lacks(mbarrier const &b)
{
    return words("phase %u lacks %d of %d arrivals and %lld bytes", b.phase, b.pending, b.count,
                 (long long)(b.bytes > 0 ? b.bytes : 0))
           + (b.bytes < 0 ? words("; %lld bytes more came than were expected", -(long long)b.bytes) : "");
}

inline void barrier_init(void *p, int count)
{
    cta *const c = cta_of(p);
    uint32_t const at = address_of(p, "tsr_barrier_init");
    if (!c || !is_own(p, "tsr_barrier_init") || !inside(*c, at, 8, "tsr_barrier_init"))
        return;
    if (at % 8 != 0 || count < 1 || count > MOST_ARRIVALS)
        refuse("tsr_barrier_init: %d arrivals at byte %u; 1 to %d, at a multiple of 8", count, at, MOST_ARRIVALS);
    uint64_t const mark = mark_of(*c, at);
    c->barriers[at] = {count, count, 0, 0, 0};
    memcpy(p, &mark, 8);
}

inline void barrier_wait(void *p, uint32_t parity, char const *what)
{
    if (!is_own(p, what))
        return;
    cta &c = here();
    uint32_t const at = address_of(p, what);
    mbarrier *const b = barrier_at(c, at, what);
    if (!b)
        return;
    if (parity > 1)
        refuse("%s: the parity %u of the barrier at byte %u; 0 or 1", what, parity, at);
    wait([&] { return (b->phase & 1) != (parity & 1); },
         [&] { return words("the barrier at byte %u of its CTA, parity %u: ", at, parity) + lacks(*b); });
    barrier_at(c, at, what);
    give_way();
}

inline cta *cta_number(int rank, char const *what)
{
    if (rank >= 0 && rank < (int)m().ctas.size())
        return &m().ctas[(size_t)rank];
    refuse("%s: CTA %d of a cluster of %d", what, rank, (int)m().ctas.size());
    return nullptr;
}

inline void arrive_at(void *p, int rank, char const *what)
{
    cta *const c = cta_number(rank, what);
    if (c)
        arrive(*c, address_of(p, what), what);
    give_way();
}

} // namespace tsr_emulator

inline void tsr_barrier_init(uint64_t *b, int count) { tsr_emulator::barrier_init(b, count); }
template <int Arch = 0> inline void tsr_barrier_init_fence(void) {}
inline void tsr_barrier_arrive(uint64_t *b)
{
    if (tsr_emulator::cta *const c = tsr_emulator::cta_of(b))
        tsr_emulator::arrive(*c, tsr_emulator::address_of(b, "tsr_barrier_arrive"), "tsr_barrier_arrive");
    else
        tsr_emulator::address_of(b, "tsr_barrier_arrive");
    tsr_emulator::give_way();
}
template <bool Release> inline void tsr_barrier_arrive_(uint64_t *b, int cta)
{
    tsr_emulator::arrive_at(b, cta, "tsr_barrier_arrive_at");
}
template <int Arch = 0> inline void tsr_barrier_expect(uint64_t *b, int bytes)
{
    if (bytes < 0 || bytes > tsr_emulator::MOST_BYTES)
        tsr_emulator::refuse("tsr_barrier_expect: %d bytes; 0 to %d", bytes, tsr_emulator::MOST_BYTES);
    tsr_emulator::cta *const c = tsr_emulator::cta_of(b);
    uint32_t const at = tsr_emulator::address_of(b, "tsr_barrier_expect");
    if (!c)
        return;
    tsr_emulator::count_bytes(*c, at, bytes, "tsr_barrier_expect");
    tsr_emulator::arrive(*c, at, "tsr_barrier_expect");
    tsr_emulator::give_way();
}
template <int Arch = 0> inline void tsr_barrier_wait(uint64_t *b, uint32_t parity)
{
    tsr_emulator::barrier_wait(b, parity, "tsr_barrier_wait");
}
template <int Arch = 0> inline void tsr_barrier_wait_cluster(uint64_t *b, uint32_t parity)
{
    tsr_emulator::barrier_wait(b, parity, "tsr_barrier_wait_cluster");
}
inline void tsr_fence_async(void) {}

namespace tsr_emulator
{
inline void meet_named(int id, int threads, bool waits)
{
    if (id < 0 || id > 15 || threads < 32 || threads % 32 != 0 || threads > m().block_threads)
        refuse("barrier %d of %d threads: 0 to 15, multiples of 32, at most the block's %d", id, threads,
               m().block_threads);
    meet(here().named[id], threads, "barrier", id, waits);
}
} // namespace tsr_emulator

inline void tsr_sync_threads(int id, int threads) { tsr_emulator::meet_named(id, threads, true); }
inline void tsr_arrive_threads(int id, int threads) { tsr_emulator::meet_named(id, threads, false); }
inline bool tsr_elect(void)
{
    tsr_emulator::meet_warp(~0u, "tsr_elect", nullptr, [](void **) {});
    return tsr_emulator::lane() == 0;
}
inline int tsr_warp(void) { return __shfl_sync(~0u, (int)threadIdx.x / 32, 0); }
inline int tsr_cluster_rank(void) { return tsr_emulator::here().rank; }
template <class T> inline T *tsr_smem_of(T *at, int rank)
{
    tsr_emulator::cta *const c = tsr_emulator::cta_number(rank, "tsr_smem_of");
    return c ? reinterpret_cast<T *>(c->shared + tsr_emulator::address_of(at, "tsr_smem_of")) : at;
}
inline void tsr_cluster_sync(void)
{
    __syncwarp();
    tsr_emulator::meet(tsr_emulator::m().cluster, (int)tsr_emulator::m().threads.size(), "barrier.cluster", 0, true);
}
template <int Registers> inline void tsr_registers_release(void) {}
template <int Registers> inline void tsr_registers_take(void) {}
template <int Arch = 0> inline void tsr_grid_wait(void) {}
template <int Arch = 0> inline void tsr_grid_release(void) {}

#endif
