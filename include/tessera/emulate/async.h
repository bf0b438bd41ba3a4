/** What cuda/async.cuh has as instructions, on the emulator: the copies of a thread are one queue. */
#ifndef TSR_EMULATE_ASYNC_H
#define TSR_EMULATE_ASYNC_H

#include "tessera/emulate/barrier.h"

namespace tsr_emulator
{

inline void async_copy(void *to, void const *from, int bytes, int valid)
{
    char const *const what = "tsr_cp_async";
    uint32_t const at = address_of(to, what);
    if (!cta_of(to) || !is_own(to, what) || !inside(here(), at, bytes, what))
        return;
    if (at % (uint32_t)bytes != 0 || (valid > 0 && (uintptr_t)from % (uintptr_t)bytes != 0) || valid > bytes)
        return refuse("%s: %d bytes, %d of them read, from %p to byte %u; both at multiples of %d", what, bytes,
                      valid, from, at, bytes);
    thread *const t = &self();
    int const group = t->async_group;
    ++t->async_pending[group];
    issue(queue_of(*t, 2), what, [=] {
        memset(to, 0, (size_t)bytes);
        if (valid > 0)
            memcpy(to, from, (size_t)valid);
        --t->async_pending[group];
    });
}

/** Are all groups but the last `pending` over? */
inline bool groups_over(std::map<int, int> const &groups, int now, int pending)
{
    for (auto const &g : groups)
        if (g.first < now - pending && g.second > 0)
            return false;
    return true;
}

} // namespace tsr_emulator

template <int Bytes> inline void tsr_cp_async(void *smem, void const *gmem, int valid = Bytes)
{
    static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "tsr_cp_async: 4, 8 or 16 bytes");
    tsr_emulator::async_copy(smem, gmem, Bytes, valid);
}
template <int Bytes> inline void tsr_cp_async_or_zero(void *smem, void const *gmem, bool there)
{
    tsr_emulator::async_copy(smem, gmem, Bytes, there ? Bytes : 0);
}
template <bool Counted = true> inline void tsr_cp_async_arrive(uint64_t *b)
{
    tsr_emulator::cta *const c = tsr_emulator::cta_of(b);
    uint32_t const at = tsr_emulator::address_of(b, "tsr_cp_async_arrive");
    if (!c)
        return;
    if (!Counted)
        if (tsr_emulator::mbarrier *const x = tsr_emulator::barrier_at(*c, at, "tsr_cp_async_arrive"))
            ++x->pending;
    tsr_emulator::issue(tsr_emulator::queue_of(tsr_emulator::self(), 2), "tsr_cp_async_arrive",
                        [=] { tsr_emulator::arrive(*c, at, "tsr_cp_async_arrive"); });
}
inline void tsr_cp_async_commit(void) { ++tsr_emulator::self().async_group; }
template <int Pending> inline void tsr_cp_async_wait(void)
{
    tsr_emulator::thread *const t = &tsr_emulator::self();
    tsr_emulator::wait([=] { return tsr_emulator::groups_over(t->async_pending, t->async_group, Pending); },
                       [] { return std::string("its cp.async"); });
}

#endif
