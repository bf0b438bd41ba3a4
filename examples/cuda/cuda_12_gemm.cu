#include "check.cuh"
#include "cuda_12_gemm.cuh"

int main()
{
    int32_t *a = nullptr, *b = nullptr, *c = nullptr;
    int wrong = 0;
    need_hopper();
    check_cuda(cudaMallocManaged(&a, gemm_m * gemm_k * sizeof *a), "cudaMallocManaged");
    check_cuda(cudaMallocManaged(&b, gemm_k * gemm_n * sizeof *b), "cudaMallocManaged");
    check_cuda(cudaMallocManaged(&c, gemm_m * gemm_n * sizeof *c), "cudaMallocManaged");
    for (int i = 0; i < gemm_m * gemm_k; ++i)
        a[i] = i % 13 - 6;
    for (int i = 0; i < gemm_k * gemm_n; ++i)
        b[i] = i % 7 - 3;
    tile_gemm<<<dim3((gemm_m + block_m - 1) / block_m, (gemm_n + block_n - 1) / block_n), gemm_threads>>>(a, b, c);
    check_cuda(cudaDeviceSynchronize(), "tile_gemm");
    for (int m = 0; m < gemm_m; ++m)
        for (int n = 0; n < gemm_n; ++n) {
            int32_t sum = 0;
            for (int k = 0; k < gemm_k; ++k)
                sum += a[m * gemm_k + k] * b[k * gemm_n + n];
            wrong += c[m * gemm_n + n] != sum;
        }
    std::printf("%d x %d x %d: %d of %d results differ from the loops\n", gemm_m, gemm_n, gemm_k, wrong,
                gemm_m * gemm_n);
    return wrong != 0;
}
