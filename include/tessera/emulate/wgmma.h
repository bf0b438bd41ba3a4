/** Hopper's verbs, which no kernel for the emulator may call. */
#ifndef TSR_EMULATE_WGMMA_H
#define TSR_EMULATE_WGMMA_H

#include "tessera/emulate/matrix.h"

inline void tsr_wgmma_fence(void) { tsr_emulator::refuse("wgmma is not emulated"); }
inline void tsr_wgmma_commit(void) {}
template <int Pending> inline void tsr_wgmma_wait(void) {}
template <class T, int N> inline void tsr_wgmma_hold(T (&)[N]) {}
inline uint64_t tsr_wgmma_desc(tsr_gmma_fields fields, void const *at)
{
    return tsr_gmma_bits(fields, tsr_smem_address(at));
}
template <tsr_mma_atom const &X, class T> inline void tsr_wgmma(T *, uint64_t, uint64_t, int = 1)
{
    tsr_wgmma_fence();
}
template <tsr_mma_atom const &X, class T> inline void tsr_wgmma(T *, uint32_t const (&)[4], uint64_t, int = 1)
{
    tsr_wgmma_fence();
}
template <tsr_mma_atom const &X, int Selector = 0, class T>
inline void tsr_wgmma_sparse(T *, uint64_t, uint64_t, uint32_t, int = 1)
{
    tsr_wgmma_fence();
}
template <tsr_mma_atom const &X, int Selector = 0, class T>
inline void tsr_wgmma_sparse(T *, uint32_t const (&)[4], uint64_t, uint32_t, int = 1)
{
    tsr_wgmma_fence();
}

#endif
