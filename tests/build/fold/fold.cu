/* The pairs of fold.c as kernels, and algebra that the compiler does. */
#include "cases.h"

#define PARAMETERS int64_t *out, int64_t i, int64_t j, int64_t k, int64_t n

#define PAIR(qualifier, name, layout, coord, by_hand)                                  \
  extern "C" __global__ void by_hand_##name(PARAMETERS) { *out = (int64_t)(by_hand); } \
  extern "C" __global__ void tessera_##name(PARAMETERS)                                \
  {                                                                                    \
    qualifier tsr_layout l = layout;                                                   \
    *out = tsr_at(l, coord);                                                           \
  }
#define STATIC_PAIR(name, layout, coord, by_hand) PAIR(constexpr, name, layout, coord, by_hand)
#define MIXED_PAIR(name, layout, coord, by_hand) PAIR(const, name, layout, coord, by_hand)

FOLD_STATIC(STATIC_PAIR)
FOLD_MIXED(MIXED_PAIR)

#define REF_PAIR(name, layout, coord, by_hand)                                                               \
  extern "C" __global__ void by_hand_##name(float *p, PARAMETERS) { *out = (int64_t)p[(int64_t)(by_hand)]; } \
  extern "C" __global__ void tessera_##name(float *p, PARAMETERS)                                            \
  {                                                                                                          \
    tsr_tensor const t = tsr_make_tensor(tsr_make_gmem_ptr(p), layout);                                      \
    *out = (int64_t)tsr_ref(float, t, coord);                                                                \
  }

FOLD_REF(REF_PAIR)

/* A tile of 8 by 32 for 64 threads of 4 elements: thread t owns column t/2, and half t%2 of it. */
constexpr tsr_layout tile = tsr_make_layout(tsr_t(8, 32), tsr_t(32, 1));
constexpr tsr_layout threads = tsr_make_layout(tsr_t(tsr_t(2, 32), 4), tsr_t(tsr_t(4, 8), 1));
constexpr tsr_layout owned = tsr_composition(tile, threads);
constexpr tsr_layout blocks = tsr_zipped_divide(tile, tsr_tile(4, 8));
constexpr tsr_layout fragment = tsr_make_layout(tsr_t(4, 2));

static_assert(tsr_ok(owned) && tsr_ok(blocks), "algebra is constexpr");
static_assert(tsr_size(owned) == 256, "a composition keeps the size of its right side");
static_assert(tsr_size(tsr_get(blocks, 0)) == 32 && tsr_size(tsr_get(blocks, 1)) == 8, "tiles and how many of them");
static_assert(tsr_at(owned, 5) == tsr_at(tile, tsr_at(threads, 5)), "R(c) = A(B(c))");

extern "C" __global__ void algebra(float *out, float const *in, int64_t repeats)
{
    float sum[tsr_cosize(fragment)] = {};
    for (int64_t r = 0; r < repeats; ++r) {
#pragma unroll
        for (int e = 0; e < tsr_size(fragment); ++e)
            sum[tsr_at(fragment, e)] += in[r * tsr_cosize(owned) + tsr_at(owned, tsr_t((int)threadIdx.x, e % 4))];
    }
#pragma unroll
    for (int e = 0; e < tsr_size(fragment); ++e)
        out[e * 64 + (int)threadIdx.x] = sum[tsr_at(fragment, e)];
}
