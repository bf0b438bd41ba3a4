/** The headers on the GPU: the compiler's own algebra in kernels, and layouts that arrive as kernel arguments, give
 *  every coordinate the offset that the host gives it; numbers of every type are decoded and encoded as on the host;
 *  tensors in global memory are read and written. Exits with 77, which means skipped, where there is no GPU. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tessera/cuda/at.cuh"
#include "tessera/tessera.h"

static int passed, failed;

static void check_cuda(cudaError_t status, char const *what)
{
    if (status == cudaSuccess)
        return;
    std::printf("%s: %s\n", what, cudaGetErrorString(status));
    std::exit(status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver ? 77 : 2);
}

/** A layout known to the compiler: the kernel holds its numbers as immediates. */
template <tsr_layout const &L> __global__ void evaluate_static(int64_t *offset)
{
    int64_t const i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < tsr_size(L))
        offset[i] = tsr_at(L, i);
}

/** A layout as a template argument, at one index and at one for each of two modes. */
template <tsr_layout const &L> __global__ void evaluate_argument(int64_t *offset)
{
    constexpr int rows = (int)tsr_size(tsr_mode(L, 0));
    int const i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= tsr_size(L))
        return;
    offset[i] = tsr_at<L>(i);
    if constexpr (tsr_rank(L) == 2)
        offset[i] = tsr_at<L>(i % rows, i / rows) == tsr_at<L>(i) ? tsr_at<L>(i) : -1;
}

/** A layout that is data. */
__global__ void evaluate_dynamic(int64_t *offset, tsr_layout l, int64_t size)
{
    int64_t const i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < size)
        offset[i] = tsr_at(l, i);
}

static void compare(char const *name, tsr_layout l, int64_t const *offset)
{
    for (int64_t i = 0; i < tsr_size(l); ++i) {
        bool const same = offset[i] == tsr_at(l, i);
        passed += same;
        failed += !same;
        if (!same && failed <= 10)
            std::printf("%s at %lld: the device gives %lld, the host %lld\n", name, (long long)i,
                        (long long)offset[i], (long long)tsr_at(l, i));
    }
}

static unsigned blocks_for(int64_t size) { return (unsigned)((size + 255) / 256); }

template <tsr_layout const &L> static void try_layout(char const *name)
{
    static_assert(tsr_ok(L), "a valid layout");
    int64_t const size = tsr_size(L);
    int64_t *offset = nullptr;
    std::vector<int64_t> host((size_t)size);
    check_cuda(cudaMalloc(&offset, sizeof *offset * (size_t)size), name);
    for (int way = 0; way < 3; ++way) {
        check_cuda(cudaMemset(offset, 0xff, sizeof *offset * (size_t)size), name);
        if (way == 0)
            evaluate_static<L><<<blocks_for(size), 256>>>(offset);
        else if (way == 1)
            evaluate_argument<L><<<blocks_for(size), 256>>>(offset);
        else
            evaluate_dynamic<<<blocks_for(size), 256>>>(offset, L, size);
        check_cuda(cudaGetLastError(), name);
        check_cuda(cudaMemcpy(host.data(), offset, sizeof *offset * (size_t)size, cudaMemcpyDeviceToHost), name);
        compare(name, L, host.data());
    }
    check_cuda(cudaFree(offset), name);
}

/* Numbers */

static tsr_dtype const types[] = {
#define X(id, ...) TSR_##id,
    TSR_DTYPE_LIST(X)
#undef X
};

/** The pattern, through the number that it stands for and back. */
__host__ __device__ static uint64_t there_and_back(tsr_dtype type, uint64_t pattern)
{
    return tsr_encode(type, tsr_decode(type, pattern & (~(uint64_t)0 >> (64 - tsr_dtype_bits(type)))));
}

/** Patterns of any width: the low bits count up, the high ones are mixed. */
__host__ __device__ static uint64_t pattern(int64_t i)
{
    return (uint64_t)i ^ (uint64_t)i * 0x9e3779b97f4a7c15u << 16;
}

__global__ void convert(uint64_t *out, tsr_dtype type, int64_t n)
{
    int64_t const i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = there_and_back(type, pattern(i));
}

static void try_numbers()
{
    int64_t const n = 65536;
    uint64_t *out = nullptr;
    std::vector<uint64_t> host((size_t)n);
    check_cuda(cudaMalloc(&out, sizeof *out * (size_t)n), "numbers");
    for (tsr_dtype const type : types) {
        if (tsr_number_kind_of(type) == TSR_NO_NUMBER || tsr_dtype_bits(type) > 64 || tsr_dtype_code(type) == 5)
            continue;
        convert<<<blocks_for(n), 256>>>(out, type, n);
        check_cuda(cudaGetLastError(), "convert");
        check_cuda(cudaMemcpy(host.data(), out, sizeof *out * (size_t)n, cudaMemcpyDeviceToHost), "numbers");
        for (int64_t i = 0; i < n; ++i) {
            bool const same = host[(size_t)i] == there_and_back(type, pattern(i));
            passed += same;
            failed += !same;
            if (!same && failed <= 10)
                std::printf("type %04x, pattern %llx: the device gives %llx\n", type, (unsigned long long)pattern(i),
                            (unsigned long long)host[(size_t)i]);
        }
    }
    check_cuda(cudaFree(out), "numbers");
}

/* Tensors in global memory */

enum { ROWS = 24, COLUMNS = 20 };

struct memory {
    float a[ROWS * COLUMNS], b[ROWS * COLUMNS];
    uint8_t fours[ROWS * COLUMNS / 2];
};

/** Element i of a row-major matrix into a column-major one, and into one of 4-bit floats. Threads with odd i wait for
 *  their neighbour in the byte. */
__host__ __device__ static void use_tensors(memory *m, int i, int parity)
{
    tsr_tensor const A = tsr_make_tensor(tsr_make_gmem_ptr(m->a), tsr_t(ROWS, COLUMNS), tsr_right());
    tsr_tensor const B = tsr_make_tensor(tsr_make_gmem_ptr(m->b), tsr_t(ROWS, COLUMNS));
    tsr_engine const F = tsr_make_gmem_ptr((void *)m->fours, TSR_F4_E2M1);
    tsr_tuple const c = tsr_t(i % ROWS, i / ROWS);
    int bit = 0;
    if (i % 2 == parity) {
        unsigned char *const place = tsr_element_place(&F, i, &bit);
        tsr_ref(float, B, c) = tsr_ref(float, A, c);
        tsr_store(TSR_F4_E2M1, place, bit, tsr_number_real(tsr_ref(float, A, c)));
    }
}

__global__ void tensors(memory *m, int parity)
{
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < ROWS * COLUMNS)
        use_tensors(m, i, parity);
}

static void try_tensors()
{
    static memory host, back;
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        host.a[i] = (float)(i % 53) / 8 - 3;
    memory *device = nullptr;
    check_cuda(cudaMalloc(&device, sizeof *device), "tensors");
    check_cuda(cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice), "tensors");
    for (int parity = 0; parity < 2; ++parity) {
        tensors<<<blocks_for(ROWS * COLUMNS), 256>>>(device, parity);
        check_cuda(cudaGetLastError(), "tensors");
        for (int i = 0; i < ROWS * COLUMNS; ++i)
            use_tensors(&host, i, parity);
    }
    check_cuda(cudaMemcpy(&back, device, sizeof back, cudaMemcpyDeviceToHost), "tensors");
    bool const same = std::memcmp(&host, &back, sizeof host) == 0 && host.b[1] == host.a[COLUMNS];
    passed += same;
    failed += !same;
    if (!same)
        std::printf("the tensors of the device are not those of the host\n");
    check_cuda(cudaFree(device), "tensors");
}

static constexpr tsr_layout nested = tsr_make_layout(tsr_t(tsr_t(2, 2), 8), tsr_t(tsr_t(1, 16), 2));
static constexpr tsr_layout tile = tsr_make_layout(tsr_t(128, 64), tsr_t(64, 1));
static constexpr tsr_layout tiles = tsr_zipped_divide(tile, tsr_tile(16, 8));
static constexpr tsr_layout blocked = tsr_blocked_product(tsr_static_all(tsr_make_layout(tsr_t(2, 5), tsr_t(5, 1))),
                                                          tsr_make_layout(tsr_t(3, 4), tsr_t(1, 3)));
static constexpr tsr_layout swizzled = tsr_swizzled(tsr_make_swizzle(3, 3, 3), tile);
static constexpr tsr_layout inverse = tsr_right_inverse(tsr_static_all(tile));

int main()
{
    int devices = 0;
    check_cuda(cudaGetDeviceCount(&devices), "skipped, no GPU");
    try_layout<nested>("nested");
    try_layout<tile>("row-major");
    try_layout<tiles>("zipped_divide");
    try_layout<blocked>("blocked_product");
    try_layout<swizzled>("swizzled");
    try_layout<inverse>("right_inverse");
    try_numbers();
    try_tensors();
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
