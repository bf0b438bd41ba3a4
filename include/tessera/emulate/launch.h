/** What cuda/launch.cuh has as instructions, on the emulator: the clusters that are not launched yet are a list, and an
 *  answer takes the first one out of it.
 *
 *  cuda/launch.cuh includes it, behind its types.
 */
#ifndef TSR_EMULATE_LAUNCH_H
#define TSR_EMULATE_LAUNCH_H

#include "tessera/emulate/barrier.h"

namespace tsr_emulator
{

inline void try_cancel(void *answer, uint64_t *full, bool all)
{
    char const *const what = "tsr_try_cancel";
    uint32_t const at = address_of(answer, what), barrier = address_of(full, what);
    int const rank = here().rank;
    if (!cta_of(answer) || !is_own(answer, what) || !inside(here(), at, 16, what) || !cta_of(full))
        return;
    if (at % 16 != 0)
        return refuse("%s: the answer is at byte %u; a multiple of 16", what, at);
    for (cta &c : m().ctas)
        if (all || c.rank == rank)
            send_bytes(c, barrier, 16);
    issue(new_queue(), what, [=] {
        uint64_t word[2] = {0, 0};
        if (!m().waiting.empty()) {
            dim3 const b = m().waiting.front();
            m().waiting.pop_front();
            word[0] = 1 | (uint64_t)b.x << 32;
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
    return {(low & 1) != 0, (int)(low >> 32), (int)(uint32_t)high, (int)(high >> 32)};
}
inline tsr_cluster_of tsr_cluster_now(void)
{
    dim3 const b = tsr_emulator::m().ctas[0].block;
    return {true, (int)b.x, (int)b.y, (int)b.z};
}

#endif
