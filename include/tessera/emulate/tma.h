/** What cuda/tma.cuh has as instructions, on the emulator: exec/tma.h moves the bytes.
 *
 *      tsr_tma_map const map = tsr_emulated_map(&plan, matrix);     instead of tsr_tma_encode
 *
 *  cuda/tma.cuh includes it, behind its types.
 */
#ifndef TSR_EMULATE_TMA_H
#define TSR_EMULATE_TMA_H

#include "tessera/emulate/bulk.h"
#include "tessera/exec/tma.h"
#include "tessera/text.h"

namespace tsr_emulator
{
/** A copy of a plan, which stays; equal ones share it. A map has no room for a plan. */
inline tsr_tma_desc const *keep_plan(tsr_tma_desc const &plan)
{
    static std::deque<tsr_tma_desc> kept;
    for (tsr_tma_desc const &x : kept)
        if (memcmp(&x, &plan, sizeof x) == 0)
            return &x;
    kept.emplace_back();
    memcpy(&kept.back(), &plan, sizeof plan);
    return &kept.back();
}
} // namespace tsr_emulator

/** The map of a tensor at `global`, which stays; the plan need not. A plan or an address that tsr_tma_encode refuses
 *  is refused where a kernel uses the map. */
inline tsr_tma_map tsr_emulated_map(tsr_tma_desc const *plan, void const *global)
{
    return {{0x7e55e7a7a9u, (uint64_t)(uintptr_t)tsr_emulator::keep_plan(*plan), (uint64_t)(uintptr_t)global}};
}

namespace tsr_emulator
{

/** One instruction with a box. */
struct box_of {
    tsr_tma_desc const *plan;
    void *global;
    tsr_tma_box box;
    int64_t rows[4], bytes;
    uint32_t at;
    bool four;
};

inline void say_reason(char const *what, tsr_reason why)
{
    char text[400];
    tsr_format_reason(text, sizeof text, why);
    refuse("%s: %s", what, text);
}

/** The plan of a map at the address of its tensor: a reason where tsr_tma_encode has one. */
inline tsr_reason map_why(tsr_tma_desc plan, void const *global)
{
    plan.address = (uint64_t)(uintptr_t)global;
    return tsr_tma_lint(plan).why;
}

/** False, and a refusal, where there is no such box. */
inline bool make_box(box_of &x, tsr_tma_map const *map, void const *smem, int const *at, int count, bool four,
                     char const *what)
{
    x = {};
    if ((uintptr_t)map % 64 != 0 || map->word[0] != 0x7e55e7a7a9u) {
        refuse("%s: the map at %p is not one of tsr_emulated_map at a multiple of 64", what,
               static_cast<void const *>(map));
        return false;
    }
    x.plan = reinterpret_cast<tsr_tma_desc const *>((uintptr_t)map->word[1]);
    x.global = reinterpret_cast<void *>((uintptr_t)map->word[2]);
    x.four = four;
    if (tsr_reason const why = map_why(*x.plan, x.global); why.status) {
        say_reason(what, why);
        return false;
    }
    x.at = address_of(smem, what);
    x.bytes = tsr_tma_box_bytes(x.plan) * (four ? 4 : 1);
    if (!cta_of(smem) || !is_own(smem, what) || !inside(here(), x.at, x.bytes, what))
        return false;
    if (!four && x.plan->rank != count) {
        refuse("%s: %d coordinates for a map of %d dimensions", what, count, (int)x.plan->rank);
        return false;
    }
    if (x.at % (uint32_t)tsr_tma_smem_alignment(x.plan) != 0 || x.at % 128 != 0) {
        refuse("%s: the box is at byte %u of shared memory; multiples of %d", what, x.at,
               (int)tsr_tma_smem_alignment(x.plan) > 128 ? (int)tsr_tma_smem_alignment(x.plan) : 128);
        return false;
    }
    x.box.coord[0] = at[0];
    for (int i = 1; i < count && !four; ++i)
        x.box.coord[i] = at[i];
    for (int i = 0; i < 4 && four; ++i)
        x.rows[i] = at[1 + i];
    x.box.address = x.at;
    x.box.size = here().size;
    x.box.shared = here().shared;
    return true;
}

/** The CTA whose barrier counts the bytes of CTA i: of pairs the even one. */
inline cta &counting_cta(size_t i, int ctas) { return m().ctas[ctas == 2 ? i & ~(size_t)1 : i]; }

/** Loads the box into the CTAs of a mask; the barrier at that place of each, of pairs that of the even one, counts. */
inline void tma_load(box_of x, uint64_t *full, uint32_t mask, int ctas, char const *what)
{
    uint32_t const barrier = address_of(full, what);
    if (mask == 0 || mask >> m().ctas.size() != 0)
        return refuse("%s: the mask 0x%x of a cluster of %d CTAs", what, mask, (int)m().ctas.size());
    for (size_t i = 0; i < m().ctas.size(); ++i)
        if (mask >> i & 1) {
            expect_writes(m().ctas[i], x.at, x.bytes);
            send_bytes(counting_cta(i, ctas), barrier, x.bytes);
        }
    issue(new_queue(), what, [=] {
        for (size_t i = 0; i < m().ctas.size(); ++i) {
            tsr_tma_box box = x.box;
            if ((mask >> i & 1) == 0)
                continue;
            box.shared = m().ctas[i].shared;
            tsr_reason const why =
                x.four ? ::tsr_tma_gather4(x.plan, x.global, &box, x.rows) : ::tsr_tma_load(x.plan, x.global, &box);
            if (why.status)
                return say_reason(what, why);
            count_bytes(counting_cta(i, ctas), barrier, -x.bytes, what);
        }
    });
}

inline void tma_store(box_of const &x, char const *what, std::function<tsr_reason()> run)
{
    issue_store(&here(), x.at, x.bytes, what, [=] {
        tsr_reason const why = run();
        if (why.status)
            say_reason(what, why);
    });
}

} // namespace tsr_emulator

template <int Arch = 0> inline void tsr_tma_prefetch(tsr_tma_map const *) {}

template <int Rank, int Mode, int Ctas, bool Multicast, bool Hint>
inline void tsr_tma_load_(tsr_tma_map_<Hint> map, tsr_barrier *full, void *smem, tsr_tma_at_ at, uint16_t mask)
{
    tsr_emulator::box_of x;
    if (tsr_emulator::make_box(x, map.map, smem, at.c, Rank, Mode == TSR_TMA_MODE_GATHER4, "tsr_tma_load"))
        tsr_emulator::tma_load(x, full, Multicast ? mask : 1u << tsr_emulator::here().rank, Ctas, "tsr_tma_load");
}

template <int Rank, int Mode, bool Hint> inline void tsr_tma_prefetch_(tsr_tma_map_<Hint>, tsr_tma_at_) {}

template <int Rank, int Mode, bool Hint>
inline void tsr_tma_store_(tsr_tma_map_<Hint> map, void const *smem, tsr_tma_at_ at)
{
    bool const four = Mode == TSR_TMA_MODE_SCATTER4;
    tsr_emulator::box_of x;
    if (tsr_emulator::make_box(x, map.map, smem, at.c, Rank, four, "tsr_tma_store"))
        tsr_emulator::tma_store(x, "tsr_tma_store", [=] {
            return four ? ::tsr_tma_scatter4(x.plan, x.global, &x.box, x.rows)
                        : ::tsr_tma_store(x.plan, x.global, &x.box);
        });
}

template <tsr_tma_reduction Op, int Rank, int Mode, bool Hint>
inline void tsr_tma_reduce_(tsr_tma_map_<Hint> map, void const *smem, tsr_tma_at_ at)
{
    tsr_emulator::box_of x;
    if (tsr_emulator::make_box(x, map.map, smem, at.c, Rank, false, "tsr_tma_reduce"))
        tsr_emulator::tma_store(x, "tsr_tma_reduce", [=] { return ::tsr_tma_reduce(x.plan, Op, x.global, &x.box); });
}

template <int Rank, int Mode, int Ctas, bool Multicast, bool Hint>
inline void tsr_tma_im2col_(tsr_tma_map_<Hint> map, tsr_barrier *full, void *smem, tsr_tma_at_ at,
                            uint16_t const *offset, uint16_t mask)
{
    tsr_emulator::box_of x;
    if (Mode != TSR_TMA_MODE_IM2COL)
        return tsr_emulator::refuse("tsr_tma_load_im2col_w is not emulated");
    if (!tsr_emulator::make_box(x, map.map, smem, at.c, Rank, false, "tsr_tma_load_im2col"))
        return;
    for (int i = 0; i < Rank - 2; ++i)
        x.box.offset[i] = offset[i];
    tsr_emulator::tma_load(x, full, Multicast ? mask : 1u << tsr_emulator::here().rank, Ctas, "tsr_tma_load_im2col");
}

template <int Arch = 0> inline void tsr_tma_commit(void) { ++tsr_emulator::self().bulk_group; }
template <int Pending> inline void tsr_tma_wait_read(void) { tsr_emulator::wait_stores(Pending); }
template <int Pending> inline void tsr_tma_wait(void) { tsr_emulator::wait_stores(Pending); }

#endif
