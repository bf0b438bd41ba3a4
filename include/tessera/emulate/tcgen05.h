/** What cuda/tcgen05.cuh has as instructions, on the emulator.
 *
 *  A thread's mma, cp, shift and commit are one queue; ld and st (emulate/tmem.h) are another one.
 *
 *  Law     what nobody knows is refused: shift, .ashift, and a shift of columns beside a collector buffer.
 *  Source  PTX ISA 9.0, "TensorCore 5th Generation Family Instructions".
 */
#ifndef TSR_EMULATE_TCGEN05_H
#define TSR_EMULATE_TCGEN05_H

#include "tessera/emulate/tmem.h"

namespace tsr_emulator
{

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

template <int Kind, int Ctas, int Flags, int Vector, int Collect>
void multiply(tsr_umma_issue const &i, int shift, uint32_t const *lanes, uint64_t zero)
{
    static_assert(tsr_tcgen05_form_<Kind, Ctas, Flags, Vector, Collect>::good, "tcgen05.mma: no such form");
    mma x = {};
    x.first = issues_for(Ctas, "tcgen05.mma");
    x.kind = (tsr_umma_kind)Kind;
    x.ctas = Ctas;
    x.vector = Vector;
    x.shift = shift;
    x.collect = Collect;
    x.zero = zero;
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
    if ((x != x && y != y) || ((op & TSR_RED_NAN) && (x != x || y != y)))
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

template <int = 0> inline void tsr_tcgen05_wait_ld(void) { tsr_emulator::wait_registers(true, "tcgen05.wait::ld"); }
template <int = 0> inline void tsr_tcgen05_wait_st(void) { tsr_emulator::wait_registers(false, "tcgen05.wait::st"); }
template <int = 0> inline void tsr_tcgen05_fence_before(void)
{
    tsr_emulator::self().fence_before = ++tsr_emulator::m().clock;
}
template <int = 0> inline void tsr_tcgen05_fence_after(void)
{
    tsr_emulator::self().fence_after = ++tsr_emulator::m().clock;
}

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
    tsr_emulator::multiply<Kind, Ctas, Flags, Vector, Collect>(x, 0, nullptr, 0);
}
template <int Kind, int Ctas, int Flags, int Collect, int Shift>
inline void tsr_tcgen05_mma_scale_d(tsr_umma_issue const &x)
{
    static_assert(tsr_tcgen05_scales_d_<Kind, Shift>::good, "tsr_tcgen05_mma_scale_d: no such form");
    tsr_emulator::multiply<Kind, Ctas, Flags, 0, Collect>(x, Shift, nullptr, 0);
}
template <int Kind, int Ctas, int Flags, int Collect>
inline void tsr_tcgen05_mma_masked(tsr_umma_issue const &x, uint32_t const (&lanes)[4 * Ctas])
{
    static_assert(!(Flags & TSR_UMMA_WS), "tsr_tcgen05_mma_masked: .ws has masks of columns (_zeroed)");
    tsr_emulator::multiply<Kind, Ctas, Flags, 0, Collect>(x, 0, lanes, 0);
}
template <int Kind, int Flags, int Collect> inline void tsr_tcgen05_mma_zeroed(tsr_umma_issue const &x, uint64_t zero)
{
    tsr_emulator::multiply<Kind, 1, Flags | TSR_UMMA_WS, 0, Collect>(x, 0, nullptr, zero);
}

#endif
