/** What cuda/bulk.cuh has as instructions, on the emulator. */
#ifndef TSR_EMULATE_BULK_H
#define TSR_EMULATE_BULK_H

#include "tessera/emulate/async.h"

namespace tsr_emulator
{

/** Where a load will write: junk until it does, so that nobody reads what was there before. */
inline void expect_writes(cta &c, uint32_t at, int64_t bytes)
{
    if (m().schedule != TSR_AT_ONCE)
        fill_junk(c.shared + at, bytes);
}

/** The bytes that a store will read. */
inline std::shared_ptr<std::vector<uint8_t>> hold(cta const &c, uint32_t at, int64_t bytes)
{
    return std::make_shared<std::vector<uint8_t>>(c.shared + at, c.shared + at + bytes);
}
inline void check_held(cta const &c, uint32_t at, std::vector<uint8_t> const &held, char const *what)
{
    if (memcmp(c.shared + at, held.data(), held.size()) != 0)
        refuse("%s: bytes %u to %u of shared memory of CTA %d were rewritten while a copy reads them", what, at,
               (uint32_t)(at + held.size() - 1), c.rank);
}

inline void bulk_load(void *to, void const *from, int bytes, uint64_t *full)
{
    char const *const what = "tsr_bulk_load";
    cta *const c = cta_of(to), *const b = cta_of(full);
    uint32_t const at = address_of(to, what), barrier = address_of(full, what);
    if (!c || !b || !inside(*c, at, bytes, what))
        return;
    if ((at | (uint32_t)bytes | (uint32_t)(uintptr_t)from) % 16 != 0)
        return refuse("%s: %d bytes from %p to byte %u; multiples of 16", what, bytes, from, at);
    expect_writes(*c, at, bytes);
    send_bytes(*b, barrier, bytes);
    issue(new_queue(), what, [=] {
        memcpy(c->shared + at, from, (size_t)bytes);
        count_bytes(*b, barrier, -(int64_t)bytes, what);
    });
}

/** A copy out of shared memory, in the group that the thread closes next. */
inline void issue_store(cta *c, uint32_t at, int64_t bytes, char const *what, std::function<void()> run)
{
    thread *const t = &self();
    int const group = t->bulk_group;
    auto const held = hold(*c, at, bytes);
    ++t->bulk_pending[group];
    issue(new_queue(), what, [=] {
        check_held(*c, at, *held, what);
        run();
        --t->bulk_pending[group];
    });
}

inline void bulk_store(void *to, void const *from, int bytes, uint32_t mask)
{
    char const *const what = "tsr_bulk_store";
    cta *const c = cta_of(from);
    uint32_t const at = address_of(from, what);
    if (!c || !is_own(from, what) || !inside(*c, at, bytes, what))
        return;
    if ((at | (uint32_t)bytes | (uint32_t)(uintptr_t)to) % 16 != 0)
        return refuse("%s: %d bytes from byte %u to %p; multiples of 16", what, bytes, at, to);
    issue_store(c, at, bytes, what, [=] {
        for (int i = 0; i < bytes; ++i)
            if (mask >> i % 16 & 1)
                static_cast<uint8_t *>(to)[i] = c->shared[at + (uint32_t)i];
    });
}

inline void wait_stores(int pending)
{
    thread *const t = &self();
    wait([=] { return groups_over(t->bulk_pending, t->bulk_group, pending); },
         [] { return std::string("its copies out of shared memory"); });
}

} // namespace tsr_emulator

template <int Arch = 0> inline void tsr_bulk_load(void *smem, void const *gmem, int bytes, uint64_t *full)
{
    tsr_emulator::bulk_load(smem, gmem, bytes, full);
}
template <int Arch = 0> inline void tsr_bulk_load(void *smem, void const *gmem, int bytes, uint64_t *full, uint64_t)
{
    tsr_emulator::bulk_load(smem, gmem, bytes, full);
}
template <int Arch = 0> inline void tsr_bulk_store(void *gmem, void const *smem, int bytes)
{
    tsr_emulator::bulk_store(gmem, smem, bytes, 0xffff);
}
template <int Arch = 0> inline void tsr_bulk_store_masked(void *gmem, void const *smem, int bytes, uint16_t mask)
{
    tsr_emulator::bulk_store(gmem, smem, bytes, mask);
}
template <int Arch = 0> inline void tsr_bulk_clear(void *smem, int bytes)
{
    uint32_t const at = tsr_emulator::address_of(smem, "tsr_bulk_clear");
    if (bytes % 8 != 0 || at % 8 != 0)
        tsr_emulator::refuse("tsr_bulk_clear: %d bytes at byte %u; multiples of 8", bytes, at);
    else if (tsr_emulator::cta_of(smem)
             && tsr_emulator::inside(*tsr_emulator::cta_of(smem), at, bytes, "tsr_bulk_clear"))
        memset(smem, 0, (size_t)bytes);
}
template <int Bytes> inline void tsr_read_once(void const *gmem, void *registers)
{
    tsr_emulator::check_access(gmem, Bytes);
    memcpy(registers, gmem, Bytes);
}

#endif
