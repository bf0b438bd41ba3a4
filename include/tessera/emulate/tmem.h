/** Tensor memory on the emulator: who allocates it, and how registers go to and from it.
 *
 *  ld and st of a warp are one queue, and run as late as the wait lets them. Until tsr_tcgen05_wait_ld the registers of
 *  a ld hold junk.
 */
#ifndef TSR_EMULATE_TMEM_H
#define TSR_EMULATE_TMEM_H

#include "tessera/emulate/barrier.h"
#include "tessera/emulate/umma.h"

namespace tsr_emulator
{

/** One kernel has instructions of one CTA, or of a pair. */
inline void check_group(int ctas, char const *what)
{
    int &known = m().ctas_of_tcgen05;
    if (known != 0 && known != ctas)
        refuse("%s: cta_group::%d in a kernel of cta_group::%d; all tcgen05 of a kernel have the same one", what,
               ctas, known);
    known = ctas;
    if (ctas == 2 && m().ctas.size() % 2 != 0)
        refuse("%s: cta_group::2 in a cluster of %d CTAs", what, (int)m().ctas.size());
}

/** The first CTA of those that an instruction of this thread works for; -1, and a refusal, for the second of a pair. */
inline int issues_for(int ctas, char const *what)
{
    check_group(ctas, what);
    int const rank = here().rank;
    if (rank % ctas == 0)
        return rank;
    refuse("%s: CTA %d is the second of its pair; the first one issues for both", what, rank);
    return -1;
}

/** All lanes of the warp, which give the same numbers. */
template <class All> void with_warp(char const *what, uint64_t number, All all)
{
    meet_warp(~0u, what, &number, [&](void **of) {
        for (int i = 1; i < LANES; ++i)
            if (of[i] && *static_cast<uint64_t *>(of[i]) != *static_cast<uint64_t *>(of[0]))
                refuse("%s: lane %d gives 0x%llx and lane 0 0x%llx; all lanes give the same", what, i,
                       (unsigned long long)*static_cast<uint64_t *>(of[i]),
                       (unsigned long long)*static_cast<uint64_t *>(of[0]));
        all();
    });
}

/* Allocation */

inline bool is_allocation(int columns) { return columns >= 32 && columns <= 512 && (columns & (columns - 1)) == 0; }

inline void allocate(uint32_t *slot, int columns, int ctas)
{
    cta &c = here();
    tensor_memory &t = c.tmem;
    char const *const what = "tcgen05.alloc";
    check_group(ctas, what);
    int at = 0, room = 0;
    uint32_t const to = address_of(slot, what);
    if (!is_own(slot, what) || !inside(c, to, 4, what))
        return;
    if (!is_allocation(columns))
        return refuse("%s: %d columns; a power of two from 32 to 512", what, columns);
    if (t.relinquished)
        return refuse("%s: CTA %d gave up its permit before (tsr_tcgen05_relinquish)", what, c.rank);
    for (int i = 0; i < TMEM_COLUMNS && room < columns; ++i)
        room = t.owner[i] == 0 ? room + 1 : 0, at = i + 1 - room;
    if (room < columns)
        return refuse("%s: CTA %d would wait for ever for %d columns; %d allocations have the rest of the 512", what,
                      c.rank, columns, (int)t.held.size());
    t.held[++t.allocations] = {at, columns};
    for (int i = at; i < at + columns; ++i) {
        t.owner[i] = t.allocations;
        for (int lane = 0; lane < TMEM_LANES; ++lane)
            t.written[(size_t)(lane * TMEM_COLUMNS + i)] = 0;
    }
    uint32_t const address = (uint32_t)at;
    memcpy(slot, &address, 4);
}

inline void deallocate(uint32_t at, int columns, int ctas)
{
    cta &c = here();
    tensor_memory &t = c.tmem;
    check_group(ctas, "tcgen05.dealloc");
    for (auto const &h : t.held)
        if (h.second.first == (int)at && h.second.second == columns) {
            for (int i = (int)at; i < (int)at + columns; ++i) {
                t.owner[i] = 0;
                for (int q = 0; q < 4; ++q) {
                    check_handed_on(t.read[q][i], self().warp, "tcgen05.dealloc", "read", i);
                    check_handed_on(t.wrote[q][i], self().warp, "tcgen05.dealloc", "written", i);
                }
            }
            t.held.erase(h.first);
            return;
        }
    refuse("tcgen05.dealloc: CTA %d has no allocation of %d columns from column %u on%s", c.rank, columns, at,
           t.held.empty() ? ", or it was freed before" : "");
}

/* Registers */

/** Where value `r` of lane `t` is: the lane from the first one, and the column from the first one, of 32 bits. */
struct cell_at {
    int lane, column;
};
template <int Lanes, int Bits> cell_at cell_of(int t, int r, int half)
{
    if (Lanes == 32)
        return {t, r};
    switch (Bits) {
    case 32:
        return {t % 16, r + t / 16 * half};
    case 64:
        return {t / 4 + t % 2 * 8, t / 2 % 2 + 2 * r};
    case 128:
        return {t / 4 + r % 2 * 8, t % 4 + r / 2 * 4};
    default:
        return {t / 4 + r / 2 % 2 * 8, t % 4 * 2 + r % 2 + r / 4 * 8};
    }
}

/** What ld and st of a warp have in common. */
struct warp_access {
    cta *in;
    int lane, column, columns, warp;
    actor by;
};

template <int Lanes, int Bits, int Registers>
bool make_access(warp_access &x, uint32_t at, bool packed, int half, char const *what)
{
    thread const &t = self();
    uint64_t fence = 0;
    int const quarter = t.id / LANES % 4, least = 32 * quarter;
    for (thread const &other : m().threads)
        if (other.warp == t.warp && other.fence_after > fence)
            fence = other.fence_after;
    int last = 0;
    for (int lane = 0; lane < LANES; ++lane)
        for (int r = 0; r < Registers; ++r)
            if (cell_of<Lanes, Bits>(lane, r, half).column > last)
                last = cell_of<Lanes, Bits>(lane, r, half).column;
    x.in = t.in;
    x.lane = (int)(at >> 16);
    x.column = (int)(at & 0xffff);
    x.columns = (last + 1) * (packed ? 2 : 1);
    x.warp = t.warp;
    x.by = {t.warp, fence, false};
    if (x.lane != least && !(Lanes == 16 && x.lane == least + 16)) {
        refuse("%s: lane %d by warp %d of the block; it reaches lanes %d to %d, from %d%s on", what, x.lane,
               t.id / LANES, least, least + 31, least, Lanes == 16 ? " or 16 lanes behind" : "");
        return false;
    }
    return columns_held(*x.in, x.column, x.columns, what);
}

/** A value of a lane: a column, or the low halves of two. */
inline uint32_t read_value(warp_access const &x, cell_at c, bool packed, char const *what)
{
    if (!packed)
        return read_cell(*x.in, x.lane + c.lane, x.column + c.column, what);
    return (read_cell(*x.in, x.lane + c.lane, x.column + 2 * c.column, what) & 0xffff)
           | read_cell(*x.in, x.lane + c.lane, x.column + 2 * c.column + 1, what) << 16;
}

/** Junk in the registers of a lane until the wait, and what they become. */
inline std::shared_ptr<std::vector<uint32_t>> poison(uint32_t *r, int n)
{
    pending_load p = {r, std::vector<uint32_t>((size_t)n), std::make_shared<std::vector<uint32_t>>((size_t)n)};
    for (uint32_t &x : p.poison)
        x = 0x7fa00000u | draw(1u << 20); /* a NaN as a float */
    memcpy(r, p.poison.data(), 4 * (size_t)n);
    self().loads.push_back(p);
    return p.value;
}

typedef std::shared_ptr<std::vector<uint32_t>> values;

inline void check_address(int lane, uint64_t its, uint32_t at, char const *what)
{
    if (its != at)
        refuse("%s: lane %d gives the address 0x%llx and another lane 0x%x; all lanes give the same", what, lane,
               (unsigned long long)its, at);
}

template <int Lanes, int Bits, int Registers, bool Packed>
void load(uint32_t at, uint32_t *r, int half, char const *what,
          std::function<uint32_t(uint32_t, uint32_t)> reduce = {}, uint32_t *reduced = nullptr)
{
    std::pair<uint64_t, std::pair<values, values>> mine(at, {poison(r, Registers), nullptr});
    if (reduced)
        mine.second.second = poison(reduced, 1);
    meet_warp(~0u, what, &mine, [&](void **of) {
        typedef std::pair<uint64_t, std::pair<values, values>> lane_of_load;
        std::vector<std::pair<values, values>> to(LANES);
        warp_access x;
        for (int i = 0; i < LANES; ++i)
            if (of[i]) {
                to[(size_t)i] = static_cast<lane_of_load *>(of[i])->second;
                check_address(i, static_cast<lane_of_load *>(of[i])->first, at, what);
            }
        if (!make_access<Lanes, Bits, Registers>(x, at, Packed, half, what))
            return;
        thread &first = m().threads[(size_t)(&self() - &m().threads[0]) - (size_t)(self().id % LANES)];
        issue(
            queue_of(first, 1), what,
            [=] {
                touch_columns(*x.in, x.lane / 32, x.column, x.columns, false, x.by, what);
                for (int t = 0; t < LANES; ++t)
                    for (int i = 0; i < Registers && to[(size_t)t].first; ++i) {
                        uint32_t const v = read_value(x, cell_of<Lanes, Bits>(t, i, half), Packed, what);
                        (*to[(size_t)t].first)[(size_t)i] = v;
                        if (to[(size_t)t].second)
                            (*to[(size_t)t].second)[0] = i == 0 ? v : reduce((*to[(size_t)t].second)[0], v);
                    }
            },
            true);
    });
}

template <int Lanes, int Bits, int Registers, bool Packed> void store(uint32_t at, uint32_t const *r, int half)
{
    char const *const what = "tcgen05.st";
    std::pair<uint64_t, uint32_t const *> mine(at, r);
    meet_warp(~0u, what, &mine, [&](void **of) {
        std::vector<uint32_t> from((size_t)(LANES * Registers));
        warp_access x;
        for (int i = 0; i < LANES; ++i)
            if (of[i]) {
                auto const *const p = static_cast<std::pair<uint64_t, uint32_t const *> *>(of[i]);
                memcpy(&from[(size_t)(i * Registers)], p->second, 4 * (size_t)Registers);
                check_address(i, p->first, at, what);
            }
        if (!make_access<Lanes, Bits, Registers>(x, at, Packed, half, what))
            return;
        thread &first = m().threads[(size_t)(&self() - &m().threads[0]) - (size_t)(self().id % LANES)];
        issue(
            queue_of(first, 1), what,
            [=] {
                touch_columns(*x.in, x.lane / 32, x.column, x.columns, true, x.by, what);
                for (int t = 0; t < LANES; ++t)
                    for (int i = 0; i < Registers; ++i) {
                        cell_at const c = cell_of<Lanes, Bits>(t, i, half);
                        uint32_t const v = from[(size_t)(t * Registers + i)];
                        for (int h = 0; h < (Packed ? 2 : 1); ++h)
                            write_cell(*x.in, x.lane + c.lane, x.column + (Packed ? 2 * c.column + h : c.column),
                                       Packed ? v >> 16 * h & 0xffff : v, what);
                    }
            },
            true);
    });
}

/** Waits for the loads and stores of this warp; the registers get their values. */
inline void wait_registers(bool loads, char const *what)
{
    meet_warp(~0u, what, nullptr, [](void **) {});
    thread &t = self();
    thread &first = m().threads[(size_t)(&t - &m().threads[0]) - (size_t)(t.id % LANES)];
    uint64_t const queue = queue_of(first, 1);
    wait([=] { return !under_way(queue); }, [] { return std::string("its tcgen05.ld and .st"); });
    for (pending_load const &p : t.loads) {
        if (memcmp(p.to, p.poison.data(), 4 * p.poison.size()) != 0)
            refuse("the registers of a tcgen05.ld changed before tsr_tmem_wait_load (tcgen05.wait::ld): they are not "
                   "there yet");
        else if (loads)
            memcpy(p.to, p.value->data(), 4 * p.value->size());
    }
    if (loads)
        t.loads.clear();
}

} // namespace tsr_emulator

#endif
