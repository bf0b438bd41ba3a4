/** Memory of the emulator's CTAs: addresses of shared memory, and cells of tensor memory with what is allocated and
 *  written.
 */
#ifndef TSR_EMULATE_MEMORY_H
#define TSR_EMULATE_MEMORY_H

#include "tessera/emulate/machine.h"

namespace tsr_emulator
{

/** The CTA whose shared memory a pointer is in, or none. */
inline cta *cta_of(void const *p)
{
    uint8_t const *const at = static_cast<uint8_t const *>(p);
    for (cta &c : m().ctas)
        if (at >= c.shared && at < c.shared + c.size)
            return &c;
    return nullptr;
}

/** The address of a pointer in the shared memory of its CTA. */
inline uint32_t address_of(void const *p, char const *what)
{
    cta const *const c = cta_of(p);
    if (!c)
        refuse("%s: the pointer %p is not one of shared memory", what, p);
    return c ? (uint32_t)(static_cast<uint8_t const *>(p) - c->shared) : 0;
}

/** The other CTA's memory is not read; this one's is. */
inline bool is_own(void const *p, char const *what)
{
    cta const *const c = cta_of(p);
    if (c != &here())
        refuse("%s: the pointer is in the shared memory of %s", what, c ? "another CTA" : "no CTA");
    return c == &here();
}

/** Bytes of shared memory that an instruction reads or writes: inside of the CTA's. */
inline bool inside(cta const &c, int64_t at, int64_t bytes, char const *what)
{
    bool const good = at >= FIRST_BYTE && bytes >= 0 && at + bytes <= c.size;
    if (!good)
        refuse("%s: bytes %lld to %lld of shared memory; the block has those from %d, where dynamic shared memory "
               "begins, to %lld",
               what, (long long)at, (long long)(at + bytes - 1), FIRST_BYTE, (long long)(c.size - 1));
    return good;
}

/** Junk, another one each time. */
inline void fill_junk(uint8_t *at, int64_t bytes)
{
    uint32_t x = draw(1u << 30) | 1;
    for (int64_t i = 0; i < bytes; ++i) {
        x = x * 1664525u + 1013904223u;
        at[i] = (uint8_t)(x >> 24);
    }
}

/* Tensor memory */

/** Are columns allocated to this CTA, all by one allocation? */
inline bool columns_held(cta &c, int first, int columns, char const *what)
{
    if (first < 0 || columns < 0 || first + columns > TMEM_COLUMNS) {
        refuse("%s: columns %d to %d of tensor memory, which has 512", what, first, first + columns - 1);
        return false;
    }
    for (int i = first; i < first + columns; ++i)
        if (c.tmem.owner[i] == 0) {
            refuse("%s: column %d of tensor memory (of %d to %d) is not allocated in CTA %d", what, i, first,
                   first + columns - 1, c.rank);
            return false;
        }
    return true;
}

/** Who executes: its warp and, when it issued the instruction, the time of its last fence. */
struct actor {
    int warp;
    uint64_t fence;
    bool async;
};

inline uint64_t last_fence_before(int warp)
{
    uint64_t r = 0;
    for (thread const &t : m().threads)
        if (t.warp == warp && t.fence_before > r)
            r = t.fence_before;
    return r;
}

/** What another warp did to a column is handed on by its fence behind it, unless a commit follows. */
inline void check_handed_on(touch const &earlier, int warp, char const *what, char const *did, int column)
{
    if (m().fences && earlier.warp >= 0 && earlier.warp != warp && !earlier.async
        && last_fence_before(earlier.warp) <= earlier.when)
        refuse("%s: column %d was %s by warp %d of the cluster, which executed no tcgen05.fence::before_thread_sync "
               "since (tsr_umma_before)",
               what, column, did, earlier.warp);
}

/** It comes first only by two fences: that one, and one of this thread behind the wait. */
inline void check_order(touch const &earlier, actor const &a, char const *what, char const *did, int column)
{
    if (!m().fences || earlier.warp < 0 || earlier.warp == a.warp)
        return;
    if (earlier.when >= a.fence)
        refuse("%s: column %d was %s by warp %d of the cluster, and no tcgen05.fence::after_thread_sync is between "
               "(tsr_umma_after), or the wait in front of it is missing",
               what, column, did, earlier.warp);
    else
        check_handed_on(earlier, a.warp, what, did, column);
}

/** Notes that lanes of a quarter are read or written, and checks the order. */
inline void touch_columns(cta &c, int quarter, int first, int columns, bool write, actor const &a, char const *what)
{
    for (int i = first; i < first + columns && i < TMEM_COLUMNS; ++i) {
        touch &wrote = c.tmem.wrote[quarter][i], &read = c.tmem.read[quarter][i];
        check_order(wrote, a, what, "written", i);
        if (write)
            check_order(read, a, what, "read", i);
        touch &now = write ? wrote : read;
        now = {a.warp, m().clock, a.async};
    }
}

/** A cell to read; junk, and a refusal, where nobody wrote. */
inline uint32_t read_cell(cta &c, int lane, int column, char const *what)
{
    if (lane < 0 || lane >= TMEM_LANES || column < 0 || column >= TMEM_COLUMNS || c.tmem.owner[column] == 0) {
        refuse("%s reads lane %d, column %d of tensor memory of CTA %d, which is not allocated", what, lane, column,
               c.rank);
        return 0xbad0bad0u;
    }
    if (!c.tmem.written[(size_t)(lane * TMEM_COLUMNS + column)])
        refuse("%s reads lane %d, column %d of tensor memory of CTA %d before anything was written there", what, lane,
               column, c.rank);
    return c.tmem.word[(size_t)(lane * TMEM_COLUMNS + column)];
}

inline void write_cell(cta &c, int lane, int column, uint32_t x, char const *what)
{
    if (lane < 0 || lane >= TMEM_LANES || column < 0 || column >= TMEM_COLUMNS || c.tmem.owner[column] == 0) {
        refuse("%s writes lane %d, column %d of tensor memory of CTA %d, which is not allocated", what, lane, column,
               c.rank);
        return;
    }
    c.tmem.word[(size_t)(lane * TMEM_COLUMNS + column)] = x;
    c.tmem.written[(size_t)(lane * TMEM_COLUMNS + column)] = 1;
}

} // namespace tsr_emulator

#endif
