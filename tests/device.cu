/** Layouts on the GPU: the compiler's own algebra in kernels, and layouts that arrive as kernel arguments, give every
 *  coordinate the offset that the host gives it. Exits with 77, which means skipped, where there is no GPU. */
#include <cstdio>
#include <cstdlib>
#include <vector>

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
            std::printf("%s at %lld: the device gives %lld, the host %lld\n", name, (long long)i, (long long)offset[i],
                        (long long)tsr_at(l, i));
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
    for (int way = 0; way < 2; ++way) {
        check_cuda(cudaMemset(offset, 0xff, sizeof *offset * (size_t)size), name);
        if (way == 0)
            evaluate_static<L><<<blocks_for(size), 256>>>(offset);
        else
            evaluate_dynamic<<<blocks_for(size), 256>>>(offset, L, size);
        check_cuda(cudaGetLastError(), name);
        check_cuda(cudaMemcpy(host.data(), offset, sizeof *offset * (size_t)size, cudaMemcpyDeviceToHost), name);
        compare(name, L, host.data());
    }
    check_cuda(cudaFree(offset), name);
}

static constexpr tsr_layout nested = tsr_make_layout(tsr_t(tsr_t(2, 2), 8), tsr_t(tsr_t(1, 16), 2));
static constexpr tsr_layout tile = tsr_make_layout(tsr_t(128, 64), tsr_t(64, 1));
static constexpr tsr_layout tiles = tsr_zipped_divide(tile, tsr_tile(16, 8));
static constexpr tsr_layout blocked = tsr_blocked_product(
    tsr_static_all(tsr_make_layout(tsr_t(2, 5), tsr_t(5, 1))), tsr_make_layout(tsr_t(3, 4), tsr_t(1, 3)));
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
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
