/* The pairs of tile_view.cpp as kernels, and windows beside the same accesses by hand: nothing may stand on
 * the stack. */
#include "tile_view_cases.h"

#define VIEW(name)                                                                              \
  extern "C" __global__ void by_hand_##name(float const *p, float *out, uint32_t i, uint32_t j) \
  {                                                                                             \
    hand_place const at = hand_##name(i, j);                                                    \
    *out = at.there ? p[at.offset] : 0;                                                         \
  }                                                                                             \
  extern "C" __global__ void tessera_##name(float const *p, float *out, uint32_t i, uint32_t j) \
  {                                                                                             \
    *out = tsr_make_tensor_view<TSR_GMEM, view_##name>(p).get(i, j);                            \
  }

#define RUN(name, hand)                                                                                       \
  extern "C" __global__ void by_hand_##name(float const *p, hand numbers, float *out, uint32_t i, uint32_t j) \
  {                                                                                                           \
    hand_place const at = hand_##name(numbers, i, j);                                                         \
    *out = at.there ? p[at.offset] : 0;                                                                       \
  }                                                                                                           \
  extern "C" __global__ void tessera_##name(tsr_static_view<TSR_GMEM, float const, name##_1, name##_2> v,     \
                                            float *out, uint32_t i, uint32_t j)                               \
  {                                                                                                           \
    *out = v.get(i, j);                                                                                       \
  }

FOLD_VIEW(VIEW)
FOLD_RUN(RUN)

/* Windows */

static __device__ void hand_load(float const *p, bool there, float *x)
{
    float4 const v = there ? *(float4 const *)p : make_float4(0, 0, 0, 0);
    x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = v.w;
}

static __device__ void hand_store(float *p, bool there, float const *x)
{
    if (there)
        *(float4 *)p = make_float4(x[0], x[1], x[2], x[3]);
}

/** A tile from a matrix of 250 x 100 with a pitch into one of the same shape. */
extern "C" __global__ void by_hand_window(float const *from, float *to)
{
    int const t = threadIdx.x, row = blockIdx.x * 128 + t / 4, column = blockIdx.y * 32 + t % 4 * 8;
    float x[16];
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 8; k += 4)
            hand_load(from + (row + i * 64) * 104 + column + k, row + i * 64 < 250 && column + k < 100,
                      x + i * 8 + k);
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 8; k += 4)
            hand_store(to + (row + i * 64) * 104 + column + k, row + i * 64 < 250 && column + k < 100, x + i * 8 + k);
}

extern "C" __global__ void tessera_window(float const *from, float *to)
{
    float x[16];
    tsr_load_tile(tsr_make_tile_window<fold_threads>(tsr_make_tensor_view<TSR_GMEM, window_ragged>(from), threadIdx.x,
                                                     blockIdx.x, blockIdx.y),
                  x);
    tsr_store_tile(tsr_make_tile_window<fold_threads>(tsr_make_tensor_view<TSR_GMEM, window_ragged>(to), threadIdx.x,
                                                      blockIdx.x, blockIdx.y),
                   x);
}

/** The same where sizes and pitch come at run time. */
extern "C" __global__ void by_hand_run_window(float const *from, hand_matrix a, float *to, hand_matrix b)
{
    int const t = threadIdx.x, row = blockIdx.x * 128 + t / 4, column = blockIdx.y * 32 + t % 4 * 8;
    float x[16];
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 8; k += 4)
            hand_load(from + (row + i * 64) * a.pitch + column + k, row + i * 64 < a.m && column + k < a.n,
                      x + i * 8 + k);
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 8; k += 4)
            hand_store(to + (row + i * 64) * b.pitch + column + k, row + i * 64 < b.m && column + k < b.n,
                       x + i * 8 + k);
}

extern "C" __global__ void tessera_run_window(tsr_static_view<TSR_GMEM, float const, window_run_1, window_run_2> from,
                                              tsr_static_view<TSR_GMEM, float, window_run_1, window_run_2> to)
{
    float x[16];
    tsr_load_tile(tsr_make_tile_window<fold_threads>(from, threadIdx.x, blockIdx.x, blockIdx.y), x);
    tsr_store_tile(tsr_make_tile_window<fold_threads>(to, threadIdx.x, blockIdx.x, blockIdx.y), x);
}

/** Into shared memory behind a xor, and out again, as another thread's part. */
extern "C" __global__ void by_hand_lds(float *x)
{
    __shared__ alignas(16) float tile[4096];
    float r[16];
    int t = threadIdx.x;
    for (int i = 0; i < 16; ++i)
        r[i] = x[t * 16 + i];
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 8; k += 4)
            hand_store(tile + (t / 4 + i * 64) * 32 + (t % 4 ^ t / 4 % 4) * 8 + k, true, r + i * 8 + k);
    __syncthreads();
    t = threadIdx.x ^ 77;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 8; k += 4)
            hand_load(tile + (t / 4 + i * 64) * 32 + (t % 4 ^ t / 4 % 4) * 8 + k, true, r + i * 8 + k);
    for (int i = 0; i < 16; ++i)
        x[threadIdx.x * 16 + i] = r[i];
}

extern "C" __global__ void tessera_lds(float *x)
{
    __shared__ alignas(16) float tile[4096];
    float r[16];
    auto const view = tsr_make_tensor_view<TSR_SMEM, window_lds>(tile);
    for (int i = 0; i < 16; ++i)
        r[i] = x[threadIdx.x * 16 + i];
    tsr_store_tile(tsr_make_tile_window<fold_threads>(view, threadIdx.x), r);
    __syncthreads();
    tsr_load_tile(tsr_make_tile_window<fold_threads>(view, threadIdx.x ^ 77), r);
    for (int i = 0; i < 16; ++i)
        x[threadIdx.x * 16 + i] = r[i];
}
