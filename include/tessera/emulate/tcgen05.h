/** What cuda/tcgen05.cuh has as instructions, on the emulator.
 *
 *  A thread's mma, cp, shift and commit are one queue. ld and st are another one, and run as late as the wait lets
 *  them. Until tsr_tcgen05_wait_ld the registers of a ld hold junk.
 *
 *  Law     what nobody knows is refused: shift, .ashift, column masks of .ws.
 *  Source  PTX ISA 9.0, "TensorCore 5th Generation Family Instructions".
 */
#ifndef TSR_EMULATE_TCGEN05_H
#define TSR_EMULATE_TCGEN05_H

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
            for (int i = 0; i < columns; ++i)
                t.owner[(int)at + i] = 0;
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
                if (static_cast<lane_of_load *>(of[i])->first != at)
                    refuse("%s: lane %d gives the address 0x%llx and another lane 0x%x; all lanes give the same",
                           what, i, (unsigned long long)static_cast<lane_of_load *>(of[i])->first, at);
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
                if (p->first != at)
                    refuse("%s: lane %d gives the address 0x%llx and another lane 0x%x; all lanes give the same",
                           what, i, (unsigned long long)p->first, at);
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
            refuse("the registers of a tcgen05.ld changed before tsr_tcgen05_wait_ld: they are not there yet");
        else if (loads)
            memcpy(p.to, p.value->data(), 4 * p.value->size());
    }
    if (loads)
        t.loads.clear();
}

/* Copies, commits, products */

/** Rows of a copy and where they go. */
struct cp_shape {
    int rows, units, copies;
    char const *name;
};
inline cp_shape shape_of_cp(int shape)
{
    static cp_shape const all[] = {{128, 2, 1, "128x256b"}, {4, 2, 1, "4x256b"},   {128, 1, 1, "128x128b"},
                                   {64, 1, 2, "64x128b"},   {64, 1, 2, "64x128b"}, {32, 1, 4, "32x128b"}};
    return all[shape];
}
/** The lane of copy `i` of a row; TSR_CP_4X256 has a row in each part of the lanes. */
inline int lane_of_cp(int shape, int row, int i)
{
    switch (shape) {
    case 1:
        return 32 * row;
    case 3:
        return row + 64 * i;
    case 4:
        return row % 32 + row / 32 * 64 + 32 * i;
    default:
        return row + 32 * i;
    }
}

/** The bytes of a row, elements of 4 and 6 bits unpacked to bytes: 4 bits to the middle, 6 to the low end. */
inline std::vector<uint32_t> unpacked(uint8_t const *unit, int bits)
{
    std::vector<uint32_t> r(4);
    for (int i = 0; i < 16; ++i) {
        uint64_t w = 0;
        memcpy(&w, unit + i * bits / 8, i * bits / 8 <= 8 ? 8 : (size_t)(16 - i * bits / 8));
        uint32_t const x = bits == 0 ? unit[i] : (uint32_t)(w >> i * bits % 8) & ((1u << bits) - 1);
        r[(size_t)(i / 4)] |= (bits == 4 ? x << 2 : x) << i % 4 * 8;
    }
    return r;
}

inline void copy_rows(int shape, int unpack, cta &c, uint32_t at, smem_operand const &o, units const &held, actor by)
{
    cp_shape const s = shape_of_cp(shape);
    units const u = fetch_held(o, held, "tcgen05.cp");
    int const column = (int)(at & 0xffff);
    if (!columns_held(c, column, 4 * s.units, "tcgen05.cp"))
        return;
    for (int q = 0; q < 4; ++q)
        touch_columns(c, q, column, 4 * s.units, true, by, "tcgen05.cp");
    for (int row = 0; row < s.rows; ++row)
        for (int i = 0; i < s.copies; ++i)
            for (int j = 0; j < s.units; ++j) {
                std::vector<uint32_t> const w = unpacked(&u.bytes[(size_t)(16 * (row * s.units + j))], unpack);
                for (int n = 0; n < 4; ++n)
                    write_cell(c, (int)(at >> 16) + lane_of_cp(shape, row, i), column + 4 * j + n, w[(size_t)n],
                               "tcgen05.cp");
            }
}

inline void copy(int shape, int ctas, int unpack, uint32_t at, uint64_t descriptor)
{
    int const first = issues_for(ctas, "tcgen05.cp");
    cp_shape const s = shape_of_cp(shape);
    std::vector<smem_operand> from;
    std::vector<units> held;
    actor const by = {self().warp, self().fence_after, true};
    if (first < 0 || !descriptor_fits(descriptor, "tcgen05.cp"))
        return;
    if (at >> 16 != 0)
        return refuse("tcgen05.cp: %s to lane %u; from lane 0 on", s.name, at >> 16);
    for (int g = 0; g < ctas; ++g) {
        element const bytes = {TSR_U8, 8, 16};
        from.push_back({&m().ctas[(size_t)(first + g)], fields_of(descriptor), false, s.rows, 16 * s.units, bytes});
        held.push_back(fetch(from.back(), "tcgen05.cp"));
        if (!held.back().good)
            return;
    }
    issue(queue_of(self(), 0), "tcgen05.cp", [=] {
        for (int g = 0; g < ctas; ++g)
            copy_rows(shape, unpack, m().ctas[(size_t)(first + g)], at, from[(size_t)g], held[(size_t)g], by);
    });
}

inline void commit(int ctas, uint64_t *b, uint32_t mask, bool masked)
{
    check_group(ctas, "tcgen05.commit");
    uint32_t const at = address_of(b, "tcgen05.commit");
    int const rank = here().rank;
    if (masked && (mask == 0 || mask >> m().ctas.size() != 0))
        return refuse("tcgen05.commit: the mask 0x%x of a cluster of %d CTAs", mask, (int)m().ctas.size());
    if (!cta_of(b) || !is_own(b, "tcgen05.commit"))
        return;
    if (!masked)
        mask = 1u << rank;
    issue(queue_of(self(), 0), "tcgen05.commit", [=] {
        for (size_t i = 0; i < m().ctas.size(); ++i)
            if (mask >> i & 1)
                arrive(m().ctas[i], at, "tcgen05.commit");
    });
}

template <int Kind, int Ctas, int Flags, int Vector>
void multiply(tsr_umma_issue const &i, int shift, uint32_t const *lanes)
{
    mma x = {};
    x.first = issues_for(Ctas, "tcgen05.mma");
    x.kind = (tsr_umma_kind)Kind;
    x.ctas = Ctas;
    x.vector = Vector;
    x.shift = shift;
    x.ts = (Flags & TSR_UMMA_TS) != 0;
    x.sparse = (Flags & TSR_UMMA_SP) != 0;
    x.ws = (Flags & TSR_UMMA_WS) != 0;
    x.add = i.add;
    x.word = i.word;
    x.c = i.c;
    x.a = i.a;
    x.b = i.b;
    x.e = i.e;
    x.sfa = i.sfa;
    x.sfb = i.sfb;
    x.by = {self().warp, self().fence_after, true};
    for (int g = 0; g < 4 * Ctas && lanes; ++g)
        x.masked[g] = lanes[g];
    if (Flags & TSR_UMMA_ASHIFT)
        return refuse("tcgen05.mma: .ashift is not emulated");
    if (x.first < 0 || !make_mma(x))
        return;
    auto const shared = std::make_shared<mma>(std::move(x));
    issue(queue_of(self(), 0), "tcgen05.mma", [shared] { run_mma(*shared); });
}

/** min or max of two numbers, of floats perhaps of their magnitudes. */
inline uint32_t reduced_of(uint32_t a, uint32_t b, int op, int type)
{
    if (type != TSR_F32) {
        bool const less = type == TSR_I32 ? (int32_t)b < (int32_t)a : b < a;
        return less == ((op & TSR_RED_MAX) == 0) ? b : a;
    }
    float x = __uint_as_float(a), y = __uint_as_float(b);
    if (op & TSR_RED_ABS)
        x = fabsf(x), y = fabsf(y);
    if ((op & TSR_RED_NAN) && (x != x || y != y))
        return 0x7fffffffu;
    return __float_as_uint(op & TSR_RED_MAX ? fmaxf(x, y) : fminf(x, y));
}

} // namespace tsr_emulator

template <int Ctas> inline void tsr_tcgen05_alloc(uint32_t *slot, int columns)
{
    tsr_emulator::with_warp("tcgen05.alloc", (uint64_t)(uintptr_t)slot ^ (uint64_t)columns << 48,
                            [=] { tsr_emulator::allocate(slot, columns, Ctas); });
}
template <int Ctas> inline void tsr_tcgen05_dealloc(uint32_t at, int columns)
{
    tsr_emulator::with_warp("tcgen05.dealloc", (uint64_t)at | (uint64_t)columns << 32,
                            [=] { tsr_emulator::deallocate(at, columns, Ctas); });
}
template <int Ctas> inline void tsr_tcgen05_relinquish(void)
{
    tsr_emulator::with_warp("tcgen05.relinquish_alloc_permit", 0,
                            [] { tsr_emulator::here().tmem.relinquished = true; });
}

inline void tsr_tcgen05_wait_ld(void) { tsr_emulator::wait_registers(true, "tcgen05.wait::ld"); }
inline void tsr_tcgen05_wait_st(void) { tsr_emulator::wait_registers(false, "tcgen05.wait::st"); }
inline void tsr_tcgen05_fence_before(void) { tsr_emulator::self().fence_before = ++tsr_emulator::m().clock; }
inline void tsr_tcgen05_fence_after(void) { tsr_emulator::self().fence_after = ++tsr_emulator::m().clock; }

template <int Ctas> inline void tsr_tcgen05_commit(uint64_t *b) { tsr_emulator::commit(Ctas, b, 0, false); }
template <int Ctas> inline void tsr_tcgen05_commit(uint64_t *b, uint16_t mask)
{
    tsr_emulator::commit(Ctas, b, mask, true);
}

template <int Lanes, int Bits, int Repeat, bool Pack, int Half = 0>
inline void tsr_tcgen05_ld(uint32_t at, uint32_t *r)
{
    typedef tsr_tcgen05_shape<Lanes, Bits, Repeat> shape;
    static_assert(shape::good, "tsr_tcgen05_ld: no such shape");
    tsr_emulator::load<Lanes, Bits, shape::registers, Pack>(at, r, Half, "tcgen05.ld");
}
template <int Lanes, int Bits, int Repeat, bool Unpack, int Half = 0>
inline void tsr_tcgen05_st(uint32_t at, uint32_t const *r)
{
    typedef tsr_tcgen05_shape<Lanes, Bits, Repeat> shape;
    static_assert(shape::good, "tsr_tcgen05_st: no such shape");
    tsr_emulator::store<Lanes, Bits, shape::registers, Unpack>(at, r, Half);
}
template <int Lanes, int Bits, int Repeat, int Reduce, int Type, int Half = 0>
inline void tsr_tcgen05_ld_red(uint32_t at, uint32_t *r, uint32_t *reduced)
{
    tsr_emulator::load<Lanes, Bits, tsr_tcgen05_shape<Lanes, Bits, Repeat>::registers, false>(
        at, r, Half, "tcgen05.ld.red",
        [](uint32_t a, uint32_t b) { return tsr_emulator::reduced_of(a, b, Reduce, Type); }, reduced);
}

template <int Shape, int Ctas, int Unpack> inline void tsr_tcgen05_cp(uint32_t at, uint64_t desc)
{
    tsr_emulator::copy(Shape, Ctas, Unpack, at, desc);
}
template <int Ctas> inline void tsr_tcgen05_shift(uint32_t) { tsr_emulator::refuse("tcgen05.shift is not emulated"); }

template <int Kind, int Ctas, int Flags, int Vector, int Collect> inline void tsr_tcgen05_mma(tsr_umma_issue const &x)
{
    tsr_emulator::multiply<Kind, Ctas, Flags, Vector>(x, 0, nullptr);
}
template <int Kind, int Ctas, int Flags, int Collect, int Shift>
inline void tsr_tcgen05_mma_scale_d(tsr_umma_issue const &x)
{
    tsr_emulator::multiply<Kind, Ctas, Flags, 0>(x, Shift, nullptr);
}
template <int Kind, int Ctas, int Flags, int Collect>
inline void tsr_tcgen05_mma_masked(tsr_umma_issue const &x, uint32_t const (&lanes)[4 * Ctas])
{
    tsr_emulator::multiply<Kind, Ctas, Flags, 0>(x, 0, lanes);
}
template <int Kind, int Flags, int Collect> inline void tsr_tcgen05_mma_zeroed(tsr_umma_issue const &x, uint64_t zero)
{
    if (zero != 0)
        tsr_emulator::refuse("tcgen05.mma.ws: the column mask 0x%llx is not emulated", (unsigned long long)zero);
    tsr_emulator::multiply<Kind, 1, Flags, 0>(x, 0, nullptr);
}

#endif
