/** CK Tile on the GPU: offsets of a constant descriptor, atomic updates, and a tile loaded through a window give what
 *  the host gives. */
#include <cstdio>

#include "tessera/tile.h"

/** The A tile of a GEMM in shared memory, behind a xor. */
__host__ __device__ constexpr tsr_descriptor gemm_a()
{
    int64_t const length[3] = {128, 4, 8}, k[2] = {4, 8};
    tsr_link xors[2] = {}, merges[2] = {};
    xors[0].transform = tsr_make_xor_transform(128, 4);
    xors[0].lows = xors[0].ups = 2;
    xors[0].low[1] = xors[0].up[1] = 1;
    xors[1].transform = tsr_make_pass_through_transform(8);
    xors[1].lows = xors[1].ups = 1;
    xors[1].low[0] = xors[1].up[0] = 2;
    merges[0].transform = tsr_make_pass_through_transform(128);
    merges[0].lows = merges[0].ups = 1;
    merges[1].transform = tsr_make_merge_transform(2, k);
    merges[1].lows = 2;
    merges[1].ups = 1;
    merges[1].low[0] = 1;
    merges[1].low[1] = 2;
    merges[1].up[0] = 1;
    tsr_descriptor d = tsr_make_naive_tensor_descriptor_packed(3, length, 8);
    d = tsr_transform_tensor_descriptor(d, 2, xors);
    return tsr_transform_tensor_descriptor(d, 2, merges);
}

static constexpr tsr_descriptor on_host = gemm_a();
static_assert(on_host.graph.why.status == TSR_OK && on_host.graph.hidden == 9, "a descriptor is a constant");

__global__ void offsets(int64_t *out)
{
    static constexpr tsr_descriptor d = gemm_a();
    int64_t const x[2] = {(int64_t)blockIdx.x, (int64_t)threadIdx.x};
    tsr_coordinate const c = tsr_make_tensor_coordinate(&d, x);
    out[blockIdx.x * blockDim.x + threadIdx.x] = tsr_coordinate_offset(&c);
}

__global__ void add(tsr_buffer_view b)
{
    float const one = 1;
    tsr_buffer_update(&b, TSR_UPDATE_ATOMIC_ADD, threadIdx.x % 4, true, &one);
}

__global__ void load(tsr_tile_window const *w, int32_t *out)
{
    int64_t const p[2] = {threadIdx.x / 64, threadIdx.x % 64};
    tsr_window_position const at = tsr_window_begin(w, p);
    tsr_load_tile(w, &at, out + threadIdx.x * 16);
}

/** The same from the plan alone: an argument of the kernel, and no local memory. */
__global__ void load_planned(const __grid_constant__ tsr_tile_plan p, const __grid_constant__ tsr_buffer_view b,
                             const __grid_constant__ tsr_index origin, int32_t *out)
{
    tsr_plan_load(&p, &b, origin.at, threadIdx.x, out + threadIdx.x * 16);
}

/** 128 x 32 elements, 2 x 8 to each of 256 threads. */
static tsr_encoding threads()
{
    tsr_encoding_lists l = {};
    l.xs = l.ps = 2;
    l.h[0].rank = 3;
    l.h[0].at[0] = 2;
    l.h[0].at[1] = 4;
    l.h[0].at[2] = 16;
    l.h[1].rank = 2;
    l.h[1].at[0] = 4;
    l.h[1].at[1] = 8;
    l.p[0].count = 1;
    l.p[0].at[0] = {1, 1};
    l.p[1].count = 2;
    l.p[1].at[0] = {1, 2};
    l.p[1].at[1] = {2, 0};
    l.y.count = 2;
    l.y.at[0] = {1, 0};
    l.y.at[1] = {2, 1};
    return tsr_make_tile_distribution_encoding(&l);
}

int main()
{
    int devices = 0, wrong = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("no device, nothing is run\n");
        return 77;
    }
    int64_t *out = nullptr;
    float *sums = nullptr;
    int32_t *memory = nullptr, *loaded = nullptr, *planned = nullptr;
    tsr_tile_window *w = nullptr;
    cudaMallocManaged(&out, 4096 * sizeof *out);
    cudaMallocManaged(&sums, 4 * sizeof *sums);
    cudaMallocManaged(&memory, 65536 * sizeof *memory);
    cudaMallocManaged(&loaded, 4096 * sizeof *loaded);
    cudaMallocManaged(&planned, 4096 * sizeof *planned);
    if (cudaMallocManaged(&w, sizeof *w) != cudaSuccess)
        return 1;
    for (int i = 0; i < 4; ++i)
        sums[i] = 0;
    for (int i = 0; i < 65536; ++i)
        memory[i] = i;
    int64_t const length[2] = {256, 256};
    tsr_index const origin = {2, {200, 240}}; /* the tile leaves the tensor */
    tsr_encoding const e = threads();
    tsr_descriptor const d = tsr_make_naive_tensor_descriptor_packed(2, length, 8);
    tsr_buffer_view const b = tsr_make_buffer_view(TSR_GMEM, memory, 65536, TSR_I32);
    tsr_tensor_view const v = tsr_make_tensor_view(b, &d, TSR_UPDATE_SET);
    *w = tsr_make_tile_window(&v, &e, origin.at);

    offsets<<<128, 32>>>(out);
    add<<<8, 256>>>(tsr_make_buffer_view(TSR_GMEM, sums, 4, TSR_F32));
    load<<<1, 256>>>(w, loaded);
    load_planned<<<1, 256>>>(tsr_make_tile_plan(&d, &e, 65536, 4), b, origin, planned);
    cudaError_t const error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    for (int i = 0; i < 4096; ++i) {
        int64_t const x[2] = {i / 32, i % 32};
        tsr_coordinate const c = tsr_make_tensor_coordinate(&on_host, x);
        wrong += out[i] != tsr_coordinate_offset(&c);
    }
    for (int i = 0; i < 4; ++i)
        wrong += sums[i] != 512;
    for (int t = 0; t < 256; ++t) {
        int32_t buffer[16];
        int64_t const p[2] = {t / 64, t % 64};
        tsr_window_position const at = tsr_window_begin(w, p);
        tsr_load_tile(w, &at, buffer);
        for (int i = 0; i < 16; ++i)
            wrong += (buffer[i] != loaded[t * 16 + i]) + (buffer[i] != planned[t * 16 + i]);
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
