/** CK Tile on the GPU: offsets of a constant descriptor, atomic updates, and a tile loaded through a window give what
 *  the host gives. */
#include <cstdio>

#include "tessera/cuda/tile_async.cuh"
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
__global__ void load_planned(const __grid_constant__ tsr_planned_tile p, const __grid_constant__ tsr_buffer_view b,
                             const __grid_constant__ tsr_index origin, int32_t *out)
{
    tsr_planned_tile_load(&p, &b, origin.at, threadIdx.x, out + threadIdx.x * 16);
}

/** 128 x 32 elements, 2 x 8 to each of 256 threads. */
__host__ __device__ constexpr tsr_encoding threads()
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

/* The verbs of kernels: descriptor and distribution in the type */

/** A matrix of 60 x 52 with a pitch of 64, and others of run time. */
__host__ __device__ constexpr tsr_descriptor matrix(int64_t m, int64_t n, int64_t pitch)
{
    int64_t const length[2] = {m, n}, stride[2] = {pitch, 1};
    return tsr_make_naive_tensor_descriptor(2, length, stride, tsr_no_vector());
}

/** Rows of a matrix of 20 x 64 through a table. */
static constexpr int64_t table[6] = {5, 0, 3, 3, 17, 2};
__host__ __device__ constexpr tsr_descriptor gathered()
{
    int64_t const length[2] = {20, 64};
    tsr_link link[2] = {};
    link[0].transform = tsr_make_indexing_transform(6, table);
    link[1].transform = tsr_make_pass_through_transform(64);
    link[0].lows = link[0].ups = link[1].lows = link[1].ups = 1;
    link[1].low[0] = link[1].up[0] = 1;
    return tsr_transform_tensor_descriptor(tsr_make_naive_tensor_descriptor_packed(2, length, 0), 2, link);
}

struct plan {
    static constexpr tsr_encoding block = threads();
    static constexpr tsr_descriptor pitched = matrix(250, 100, 104), columns = gemm_a(), gather = gathered();
    static constexpr tsr_descriptor one = matrix(97, 100, 104), other = matrix(40, 64, 72);
};

template <class View> __global__ void load_tiles(View v, int32_t *out)
{
    int32_t x[16];
    tsr_load_tile(tsr_make_tile_window<plan::block>(v, threadIdx.x, blockIdx.x, blockIdx.y), x, -7);
    for (int i = 0; i < 16; ++i)
        out[((blockIdx.x * gridDim.y + blockIdx.y) * blockDim.x + threadIdx.x) * 16 + i] = x[i];
}

template <class View> __global__ void add_tiles(View v)
{
    int32_t x[16];
    for (int i = 0; i < 16; ++i)
        x[i] = threadIdx.x * 16 + i;
    auto const w = tsr_make_tile_window<plan::block>(v, threadIdx.x, blockIdx.x, blockIdx.y);
    tsr_update_tile<TSR_UPDATE_ATOMIC_ADD>(w, x);
    tsr_update_tile<TSR_UPDATE_ATOMIC_ADD>(w, x);
}

/** Through shared memory behind a xor, in the background. */
template <class View> __global__ void load_async(View v, int32_t *out)
{
    __shared__ alignas(16) int32_t tile[4096];
    auto const smem = tsr_make_tensor_view<TSR_SMEM, plan::columns>(tile);
    auto const w = tsr_make_tile_window<plan::block>(v, threadIdx.x, blockIdx.x, blockIdx.y);
    tsr_async_load_tile(w, tsr_make_tile_window<plan::block>(smem, threadIdx.x));
    tsr_async_load_fence<0>();
    __syncthreads();
    int32_t x[16];
    tsr_load_tile(tsr_make_tile_window<plan::block>(smem, threadIdx.x), x);
    for (int i = 0; i < 16; ++i)
        out[((blockIdx.x * gridDim.y + blockIdx.y) * blockDim.x + threadIdx.x) * 16 + i] = x[i];
}

enum { tiles = 3 };

static int check(cudaError_t error)
{
    if (error != cudaSuccess)
        printf("%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}

/** What differs between the tiles of kernels and those of windows in C over the same memory. */
static int differences(tsr_descriptor const &d, int32_t *memory, int32_t const *tiled, int32_t invalid)
{
    int wrong = 0;
    tsr_tensor_view const v = tsr_make_tensor_view(
        tsr_make_buffer_view_invalid(TSR_GMEM, memory, 65536, TSR_I32, &invalid), &d, TSR_UPDATE_SET);
    for (int tile = 0; tile < tiles * tiles; ++tile) {
        static int32_t wanted[4096];
        int64_t const origin[2] = {tile / tiles * 128, tile % tiles * 32};
        tsr_tile_window const w = tsr_make_tile_window(&v, &plan::block, origin);
        tsr_load_block_tile(&w, wanted);
        for (int i = 0; i < 4096; ++i)
            wrong += wanted[i] != tiled[tile * 4096 + i];
    }
    return wrong;
}

template <class View> static int check_loads(View view, tsr_descriptor const &d, int32_t *memory, int32_t *out)
{
    load_tiles<<<dim3(tiles, tiles), 256>>>(view, out);
    int wrong = check(cudaDeviceSynchronize()) + differences(d, memory, out, -7);
    if constexpr (View::most > 1) {
        load_async<<<dim3(tiles, tiles), 256>>>(view, out);
        wrong += check(cudaDeviceSynchronize()) + differences(d, memory, out, 0);
    }
    return wrong;
}

static int check_verbs(int32_t *memory, int32_t *out, int64_t *device_table)
{
    int wrong = check_loads(tsr_make_tensor_view<TSR_GMEM, plan::pitched>(memory), plan::pitched, memory, out);
    wrong +=
        check_loads(tsr_make_tensor_view<TSR_GMEM, plan::pitched, 0, uint64_t>(memory), plan::pitched, memory, out);
    wrong += check_loads(tsr_make_tensor_view<TSR_GMEM, plan::columns>(memory), plan::columns, memory, out);
    auto gather = tsr_make_tensor_view<TSR_GMEM, plan::gather>(memory);
    for (int i = 0; i < 6; ++i)
        device_table[i] = table[i];
    gather.tables.at[0] = device_table;
    wrong += check_loads(gather, plan::gather, memory, out);
    tsr_descriptor const any[] = {matrix(201, 60, 64), matrix(8, 8, 8), matrix(333, 96, 128)};
    for (tsr_descriptor const &d : any) {
        tsr_reason why = {};
        auto const view = tsr_make_tensor_view<TSR_GMEM, plan::one, plan::other>(memory, &d, &why);
        wrong += why.status != TSR_OK ? 1 : check_loads(view, d, memory, out);
    }
    for (int i = 0; i < 65536; ++i)
        out[i] = 0;
    add_tiles<<<dim3(tiles, tiles), 256>>>(tsr_make_tensor_view<TSR_GMEM, plan::pitched>(out));
    wrong += check(cudaDeviceSynchronize());
    static int32_t wanted[65536], x[4096];
    for (int i = 0; i < 4096; ++i)
        x[i] = 2 * i;
    tsr_tensor_view const v =
        tsr_make_tensor_view(tsr_make_buffer_view(TSR_GMEM, wanted, 65536, TSR_I32), &plan::pitched, TSR_UPDATE_SET);
    for (int tile = 0; tile < tiles * tiles; ++tile) {
        int64_t const origin[2] = {tile / tiles * 128, tile % tiles * 32};
        tsr_tile_window const w = tsr_make_tile_window(&v, &plan::block, origin);
        tsr_store_block_tile(&w, x);
    }
    for (int i = 0; i < 65536; ++i)
        wrong += out[i] != wanted[i];
    return wrong;
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
    int32_t *memory = nullptr, *loaded = nullptr, *planned = nullptr, *tiled = nullptr;
    tsr_tile_window *w = nullptr;
    cudaMallocManaged(&out, 4096 * sizeof *out);
    cudaMallocManaged(&sums, 4 * sizeof *sums);
    cudaMallocManaged(&memory, 65536 * sizeof *memory);
    cudaMallocManaged(&loaded, 4096 * sizeof *loaded);
    cudaMallocManaged(&planned, 4096 * sizeof *planned);
    cudaMallocManaged(&tiled, 65536 * sizeof *tiled);
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
    load_planned<<<1, 256>>>(tsr_tile_plan(&d, &e, 65536, 4), b, origin, planned);
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
    wrong += check_verbs(memory, tiled, out);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
