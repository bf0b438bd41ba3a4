/** The words of CUDA that kernels and tessera's headers use, for a host's compiler: cuda/words.cuh brings them where
 *  TSR_EMULATE is 1.
 *
 *  Law     what CUDA says of each, for threads of the machine (emulate/machine.h).
 *  Source  CUDA C++ Programming Guide, "C++ Language Extensions"; PTX ISA 9.0.
 */
#ifndef TSR_EMULATE_WORDS_H
#define TSR_EMULATE_WORDS_H

#include <math.h>

#include "tessera/base/config.h"
#include "tessera/emulate/machine.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __shared__ \
  _Pragma("GCC error \"tessera: the emulator has no __shared__ variables: take memory by tsr_dynamic_smem\"")

struct __attribute__((may_alias, aligned(8))) uint2 {
    unsigned x, y;
};
struct __attribute__((may_alias, aligned(16))) uint4 {
    unsigned x, y, z, w;
};

struct float2 {
    float x, y;
};
inline float2 make_float2(float x, float y) { return {x, y}; }

template <class T> inline T min(T a, T b) { return b < a ? b : a; }
template <class T> inline T max(T a, T b) { return a < b ? b : a; }

inline uint32_t __float_as_uint(float x)
{
    uint32_t r;
    memcpy(&r, &x, 4);
    return r;
}
inline float __uint_as_float(uint32_t x)
{
    float r;
    memcpy(&r, &x, 4);
    return r;
}
inline int __float_as_int(float x) { return (int)__float_as_uint(x); }
inline float __int_as_float(int x) { return __uint_as_float((uint32_t)x); }
namespace tsr_emulator
{
/** An access of a thread to memory, not to its own registers: the address is a multiple of its bytes. */
inline void check_access(void const *at, int bytes)
{
    if (!the_machine || !m().current || (uintptr_t)at % (uintptr_t)bytes == 0)
        return;
    char const *const p = static_cast<char const *>(at), *const frames = self().stack;
    if (p < frames || p >= frames + self().context.uc_stack.ss_size)
        refuse("an access of %d bytes at %p; a multiple of %d (on the host, tensor.wide(%d) names the stride or the "
               "address)",
               bytes, at, bytes, bytes);
}
} // namespace tsr_emulator

inline uint64_t __cvta_generic_to_global(void const *p) { return (uint64_t)(uintptr_t)p; }
template <class T> inline T __ldg(T const *p) { return *p; }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline void __nanosleep(unsigned) { tsr_emulator::give_way(); }
inline void __threadfence() {}
inline void __threadfence_block() {}

/** Byte i of the result is byte (s >> 4 * i & 7) of (y, x). */
inline uint32_t __byte_perm(uint32_t x, uint32_t y, uint32_t s)
{
    uint64_t const both = (uint64_t)y << 32 | x;
    uint32_t r = 0;
    for (int i = 0; i < 4; ++i)
        r |= (uint32_t)(both >> 8 * (s >> 4 * i & 7) & 255) << 8 * i;
    return r;
}

inline void __syncthreads()
{
    tsr_emulator::cta &c = tsr_emulator::here();
    tsr_emulator::meet(c.named[0], tsr_emulator::m().block_threads, "barrier", 0, true);
}

inline void __syncwarp(uint32_t mask = ~0u)
{
    tsr_emulator::meet_warp(mask, "__syncwarp", nullptr, [](void **) {});
}

namespace tsr_emulator
{

template <class T> struct exchanged {
    T given, got;
    int from;
};

/** Each lane gets the number of lane `from`; its own where that is no lane of the mask. */
template <class T> T shuffle(uint32_t mask, char const *what, T given, int from)
{
    exchanged<T> mine = {given, given, from};
    meet_warp(mask, what, &mine, [mask](void **of) {
        for (int i = 0; i < LANES; ++i) {
            exchanged<T> *const x = static_cast<exchanged<T> *>(of[i]);
            if (x && x->from >= 0 && x->from < LANES && of[x->from])
                x->got = static_cast<exchanged<T> *>(of[x->from])->given;
            else if (x && x->from >= 0 && x->from < LANES)
                refuse("a shuffle of mask 0x%x reads lane %d, which does not take part", mask, x->from);
        }
    });
    return mine.got;
}

inline int lane() { return self().id % LANES; }

/** The lanes whose word is not 0. */
inline uint32_t ballot(uint32_t mask, char const *what, bool yes)
{
    std::pair<bool, uint32_t> mine(yes, 0);
    meet_warp(mask, what, &mine, [](void **of) {
        uint32_t r = 0;
        for (int i = 0; i < LANES; ++i)
            r |= of[i] && static_cast<std::pair<bool, uint32_t> *>(of[i])->first ? 1u << i : 0;
        for (int i = 0; i < LANES; ++i)
            if (of[i])
                static_cast<std::pair<bool, uint32_t> *>(of[i])->second = r;
    });
    return mine.second;
}

/** In parts of `width` lanes, as shuffles take them; -1: no lane of this part. */
inline int lane_of(int to, int width) { return lane() / width == to / width && to >= 0 ? to : lane(); }

} // namespace tsr_emulator

template <class T> inline T __shfl_sync(uint32_t mask, T x, int from, int width = 32)
{
    return tsr_emulator::shuffle(mask, "__shfl_sync", x, tsr_emulator::lane() / width * width + from % width);
}
template <class T> inline T __shfl_xor_sync(uint32_t mask, T x, int bits, int width = 32)
{
    return tsr_emulator::shuffle(mask, "__shfl_xor_sync", x,
                                 tsr_emulator::lane_of(tsr_emulator::lane() ^ bits, width));
}
template <class T> inline T __shfl_up_sync(uint32_t mask, T x, int by, int width = 32)
{
    return tsr_emulator::shuffle(mask, "__shfl_up_sync", x, tsr_emulator::lane_of(tsr_emulator::lane() - by, width));
}
template <class T> inline T __shfl_down_sync(uint32_t mask, T x, int by, int width = 32)
{
    return tsr_emulator::shuffle(mask, "__shfl_down_sync", x,
                                 tsr_emulator::lane_of(tsr_emulator::lane() + by, width));
}
inline uint32_t __ballot_sync(uint32_t mask, bool yes) { return tsr_emulator::ballot(mask, "__ballot_sync", yes); }
inline bool __any_sync(uint32_t mask, bool yes) { return tsr_emulator::ballot(mask, "__any_sync", yes) != 0; }
inline bool __all_sync(uint32_t mask, bool yes) { return tsr_emulator::ballot(mask, "__all_sync", !yes) == 0; }

template <class T, class U> inline T atomicAdd(T *at, U x)
{
    T const old = *at;
    *at = (T)(old + (T)x);
    return old;
}
template <class T, class U> inline T atomicMax(T *at, U x)
{
    T const old = *at;
    *at = old < (T)x ? (T)x : old;
    return old;
}
template <class T, class U> inline T atomicMin(T *at, U x)
{
    T const old = *at;
    *at = (T)x < old ? (T)x : old;
    return old;
}
template <class T, class U> inline T atomicExch(T *at, U x)
{
    T const old = *at;
    *at = (T)x;
    return old;
}
template <class T> inline T atomicCAS(T *at, T expected, T x)
{
    T const old = *at;
    *at = old == expected ? x : old;
    return old;
}

#endif
