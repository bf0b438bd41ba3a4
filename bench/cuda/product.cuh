/* What the benchmarks of products from C share: the engine, cuBLAS, random elements, the difference of results. */
#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>

#include <tessera/gpu.h>

#include "timing.cuh"

static void check_cublas(cublasStatus_t status, char const *what)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return;
    std::printf("%s: status %d\n", what, (int)status);
    std::exit(1);
}

static void check_gpu(tsr_gpu_result r, char const *log)
{
    char text[512];
    if (tsr_gpu_ok(r))
        return;
    tsr_format_gpu_result(text, sizeof text, r);
    std::printf("%s\n%s\n", text, log);
    std::exit(1);
}

/* Random elements in [-1,1), of any type. */
__global__ void noise_of(uint8_t *x, size_t count, int type, unsigned seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
        unsigned h = (unsigned)i * 2654435761u ^ seed * 3266489917u;
        h = (h ^ h >> 15) * 2246822519u;
        h = (h ^ h >> 13) * 3266489917u;
        float const f = (float)(h >> 8) / 8388608.0f - 1.0f;
        if (type == TSR_F16)
            reinterpret_cast<tsr_f16 *>(x)[i] = f;
        else if (type == TSR_BF16)
            reinterpret_cast<tsr_bf16 *>(x)[i] = f;
        else if (type == TSR_TF32 || type == TSR_F32)
            reinterpret_cast<float *>(x)[i] = f;
        else if (type == TSR_F64)
            reinterpret_cast<double *>(x)[i] = f;
        else
            x[i] = (uint8_t)(type == TSR_I8 ? h >> 8 : (h >> 8 & 0x80) | h >> 16 & 0x37); /* e4m3 below 1 */
    }
}

static uint8_t *filled(size_t count, tsr_dtype type, unsigned seed)
{
    uint8_t *x = nullptr;
    check_cuda(cudaMalloc(&x, count * tsr_dtype_bits(type) / 8), "cudaMalloc");
    noise_of<<<1024, 256>>>(x, count, type, seed);
    return x;
}

/* The largest difference of two results, not a number counting as 1e30. */
template <class T> __global__ void difference_of(T const *x, T const *y, size_t count, int *most)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
        float const d = fabsf((float)x[i] - (float)y[i]);
        if (d != 0)
            atomicMax(most, __float_as_int(d == d ? d : 1e30f));
    }
}

template <class T> static float difference(void const *x, void const *y, size_t count)
{
    int *most = nullptr, bits = 0;
    float r = 0;
    check_cuda(cudaMalloc(&most, sizeof *most), "cudaMalloc");
    check_cuda(cudaMemset(most, 0, sizeof *most), "cudaMemset");
    difference_of<<<1024, 256>>>(static_cast<T const *>(x), static_cast<T const *>(y), count, most);
    check_cuda(cudaMemcpy(&bits, most, sizeof bits, cudaMemcpyDeviceToHost), "difference");
    check_cuda(cudaFree(most), "cudaFree");
    memcpy(&r, &bits, sizeof r);
    return r;
}

/* The device, with all that products need. */
struct engine {
    tsr_gpu gpu = {};
    tsr_gpu_device device = {};
    tsr_gpu_cache cache = {};
    cublasHandle_t blas;
    cublasLtHandle_t lt;

    engine()
    {
        check_cuda(cudaFree(nullptr), "a context");
        check_gpu(tsr_gpu_find_driver(&gpu, nullptr), "");
        check_gpu(tsr_gpu_find_compiler(&gpu, nullptr), "");
        check_gpu(tsr_gpu_open(&gpu, 0, &device), "");
        check_cublas(cublasCreate(&blas), "cuBLAS");
        check_cublas(cublasLtCreate(&lt), "cuBLASLt");
    }
    ~engine()
    {
        tsr_gpu_cache_free(&cache);
        check_gpu(tsr_gpu_close(&device), "");
        tsr_gpu_forget(&gpu);
    }
    engine(engine const &) = delete;
};
