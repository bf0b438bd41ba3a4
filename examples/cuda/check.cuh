/* What the examples share: memory on the device, random matrices, a product by three loops, and the comparison with
 * it. */
#pragma once

#include <cstdio>
#include <cstdlib>

#include <tessera/cuda.cuh>
#include <tessera/text.h>

static void check_cuda(cudaError_t status, char const *what)
{
    if (status == cudaSuccess)
        return;
    std::printf("%s: %s\n", what, cudaGetErrorString(status));
    std::exit(status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver ? 77 : 1);
}

/* Ends with the reason why something was refused. */
static void need(tsr_reason const &why)
{
    if (tsr_ok(why))
        return;
    tsr_print(stdout, why);
    std::exit(1);
}

/* Exits with 77, which means skipped, where no device has an architecture from `least` to `most`. */
static void need_capability(int least, int most)
{
    cudaDeviceProp device;
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0 && cudaGetDeviceProperties(&device, 0) == cudaSuccess
        && device.major >= least && device.major <= most)
        return;
    std::printf("no GPU of compute capability %d.0\n", least);
    std::exit(77);
}

[[maybe_unused]] static void need_hopper() { need_capability(9, 9); }
[[maybe_unused]] static void need_blackwell() { need_capability(10, 11); }

/* rows x columns elements in device memory, `pitch` elements from one row (Unit 1) or column (Unit 0) to the next. */
template <class T, int Unit> struct matrix {
    T *data = nullptr;
    int rows, columns;
    int64_t pitch;

    matrix(int rows_, int columns_, int multiple = 8) : rows(rows_), columns(columns_)
    {
        int const run = Unit == 0 ? rows : columns;
        pitch = (run + multiple - 1) / multiple * multiple;
        check_cuda(cudaMalloc(&data, size() * sizeof(T)), "cudaMalloc");
        check_cuda(cudaMemset(data, 0xff, size() * sizeof(T)), "cudaMemset"); /* not a number */
    }
    ~matrix() { cudaFree(data); }
    matrix(matrix const &) = delete;
    int64_t size() const { return pitch * (Unit == 0 ? columns : rows); }
    tsr_global<T, 2, Unit> tensor() const { return {data, {rows, columns}, {pitch, pitch}}; }
    tsr_global<T const, 2, Unit> view() const { return {data, {rows, columns}, {pitch, pitch}}; }
};

/* Small integers, so that sums of any order are exact: -2 to 2. */
template <class T, int Unit> __global__ void fill_kernel(tsr_global<T, 2, Unit> m, unsigned seed)
{
    int const i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
    unsigned x = (unsigned)i * 2654435761u ^ (unsigned)j * 2246822519u ^ seed * 3266489917u;
    x = (x ^ x >> 15) * 2246822519u;
    x = (x ^ x >> 13) * 3266489917u;
    if (i < m.extent[0] && j < m.extent[1])
        m.at[m.offset({{i, j}})] = T((float)((x >> 8) % 5) - 2);
}

template <class T, int Unit> static void fill(matrix<T, Unit> &m, unsigned seed)
{
    fill_kernel<<<dim3((m.rows + 255) / 256, m.columns), 256>>>(m.tensor(), seed);
    check_cuda(cudaGetLastError(), "fill");
}

/* How many elements of C differ from alpha * A * B^T + beta * before, by three loops. */
template <class T, class U, int UnitA, int UnitB, int UnitC>
__global__ void compare_kernel(tsr_global<T const, 2, UnitA> A, tsr_global<T const, 2, UnitB> B,
                               tsr_global<U const, 2, UnitC> C, tsr_global<U const, 2, UnitC> before, float alpha,
                               float beta, unsigned long long *wrong)
{
    int const m = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.y;
    if (m >= C.extent[0])
        return;
    float sum = 0;
    for (int k = 0; k < A.extent[1]; ++k)
        sum += (float)A.at[A.offset({{m, k}})] * (float)B.at[B.offset({{n, k}})];
    sum *= alpha;
    if (beta != 0)
        sum += beta * (float)before.at[before.offset({{m, n}})];
    if ((float)C.at[C.offset({{m, n}})] != (float)U(sum))
        atomicAdd(wrong, 1ull);
}

template <class T, class U, int UnitA, int UnitB, int UnitC>
static bool equal(matrix<T, UnitA> const &A, matrix<T, UnitB> const &B, matrix<U, UnitC> const &C,
                  matrix<U, UnitC> const &before, float alpha, float beta)
{
    unsigned long long *wrong = nullptr, count = 0;
    check_cuda(cudaMalloc(&wrong, sizeof *wrong), "cudaMalloc");
    check_cuda(cudaMemset(wrong, 0, sizeof *wrong), "cudaMemset");
    compare_kernel<<<dim3((C.rows + 127) / 128, C.columns), 128>>>(A.view(), B.view(), C.view(), before.view(), alpha,
                                                                   beta, wrong);
    check_cuda(cudaGetLastError(), "compare");
    check_cuda(cudaMemcpy(&count, wrong, sizeof count, cudaMemcpyDeviceToHost), "compare");
    check_cuda(cudaFree(wrong), "cudaFree");
    return count == 0;
}

/* Is every element of y that of x, or of x transposed? */
template <class T, int U, int V> __global__ void same_kernel(tsr_global<T const, 2, U> x, tsr_global<T const, 2, V> y,
                                                             bool transposed, unsigned long long *wrong)
{
    int const i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
    if (i < x.extent[0]
        && !((float)x.at[x.offset({{i, j}})]
             == (float)(transposed ? y.at[y.offset({{j, i}})] : y.at[y.offset({{i, j}})])))
        atomicAdd(wrong, 1ull);
}

template <class T, int U, int V>
static bool same_elements(matrix<T, U> const &x, matrix<T, V> const &y, bool transposed)
{
    unsigned long long *wrong = nullptr, count = 0;
    check_cuda(cudaMalloc(&wrong, sizeof *wrong), "cudaMalloc");
    check_cuda(cudaMemset(wrong, 0, sizeof *wrong), "cudaMemset");
    same_kernel<<<dim3((x.rows + 127) / 128, x.columns), 128>>>(x.view(), y.view(), transposed, wrong);
    check_cuda(cudaGetLastError(), "compare");
    check_cuda(cudaMemcpy(&count, wrong, sizeof count, cudaMemcpyDeviceToHost), "compare");
    check_cuda(cudaFree(wrong), "cudaFree");
    return count == 0;
}

/* Runs `product(A, B, C, alpha, beta)` on ragged sizes and says whether it is right; false when it is not. */
template <class T, class U, int UnitA, int UnitB, int UnitC, class F>
static bool try_product(char const *name, F product, bool scaled)
{
    static int const sizes[][3] = {{256, 256, 64}, {200, 136, 96}, {128, 384, 1000},
                                   {1, 1, 8},      {515, 259, 72}, {1, 777, 40}};
    bool good = true;
    for (auto const &s : sizes) {
        float const alpha = scaled ? 2.0f : 1.0f, beta = scaled ? -1.0f : 0.0f;
        matrix<T, UnitA> A(s[0], s[2]);
        matrix<T, UnitB> B(s[1], s[2]);
        matrix<U, UnitC> C(s[0], s[1]), before(s[0], s[1]);
        fill(A, 1);
        fill(B, 2);
        if (scaled) {
            fill(before, 3);
            check_cuda(cudaMemcpy(C.data, before.data, C.size() * sizeof(U), cudaMemcpyDeviceToDevice), "cudaMemcpy");
        }
        product(A, B, C, alpha, beta);
        check_cuda(cudaGetLastError(), name);
        check_cuda(cudaDeviceSynchronize(), name);
        bool const same = equal(A, B, C, before, alpha, beta);
        std::printf("%s %4d x %3d x %4d: %s\n", name, s[0], s[1], s[2], same ? "equal to the reference" : "WRONG");
        good = good && same;
    }
    return good;
}
