/** What cuda/launch.cuh has as instructions, on the emulator: the clusters that are not launched yet are a list, and an
 *  answer takes the first one out of it. At random an answer names none although there are some, which are launched.
 *
 *  cuda/launch.cuh includes it, behind its types.
 */
#ifndef TSR_EMULATE_LAUNCH_H
#define TSR_EMULATE_LAUNCH_H

#include "tessera/emulate/bulk.h"

namespace tsr_emulator
{

/** Marks an answer, of which a kernel knows no bits (tsr_query_cancel). */
static constexpr uint32_t ANSWER = 0x7e55e700u;

inline void try_cancel(void *answer, uint64_t *full, bool all)
{
    char const *const what = "tsr_try_cancel";
    uint32_t const at = address_of(answer, what), barrier = address_of(full, what);
    int const rank = here().rank;
    if (!cta_of(answer) || !is_own(answer, what) || !inside(here(), at, 16, what) || !cta_of(full))
        return;
    if (at % 16 != 0)
        return refuse("%s: the answer is at byte %u; a multiple of 16", what, at);
    if (here().last_answer)
        return refuse("%s: CTA %d has read that no cluster is left, and asks again", what, rank);
    for (cta &c : m().ctas)
        if (all || c.rank == rank) {
            expect_writes(c, at, 16);
            send_bytes(c, barrier, 16);
        }
    issue(new_queue(), what, [=] {
        uint64_t word[2] = {ANSWER, 0};
        bool const none = m().waiting.empty() || (m().schedule == TSR_AT_RANDOM && draw(8) == 0); /* it is launched */
        if (!none) {
            dim3 const b = m().waiting.front();
            m().waiting.pop_front();
            word[0] |= 1 | (uint64_t)b.x << 32;
            word[1] = b.y | (uint64_t)b.z << 32;
        }
        for (cta &c : m().ctas)
            if (all || c.rank == rank) {
                memcpy(c.shared + at, word, 16);
                count_bytes(c, barrier, -16, what);
            }
    });
}

} // namespace tsr_emulator

template <bool All> inline void tsr_try_cancel(void *answer, tsr_barrier *full)
{
    tsr_emulator::try_cancel(answer, full, All);
}
template <int Arch = 0> inline tsr_cluster_of tsr_query_cancel(uint64_t low, uint64_t high)
{
    bool const there = (low & 1) != 0;
    if ((uint32_t)low >> 1 != tsr_emulator::ANSWER >> 1) {
        tsr_emulator::refuse(
            "tsr_query_cancel: 0x%016llx%016llx is no answer of tsr_try_cancel; its wait is missing, "
            "or another one is under way",
            (unsigned long long)high, (unsigned long long)low);
        return {false, 0, 0, 0};
    }
    if (!there)
        tsr_emulator::here().last_answer = true;
    return {there, (int)(low >> 32), (int)(uint32_t)high, (int)(high >> 32)};
}
inline tsr_cluster_of tsr_cluster_now(void)
{
    dim3 const b = tsr_emulator::m().ctas[0].block;
    return {true, (int)b.x, (int)b.y, (int)b.z};
}

#endif
