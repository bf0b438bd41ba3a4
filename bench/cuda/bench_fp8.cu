/* The product of 8-bit numbers of cuda_15 and cuBLASLt's, side by side, on random data. */
#include <cublasLt.h>

#include "timing.cuh"

#include "../../examples/cuda/cuda_15_fp8.cuh"

enum { BUFFERS = 3 };

static void check_blas(cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS) {
        std::printf("cuBLASLt: status %d\n", (int)status);
        std::exit(1);
    }
}

/* C = scale * A * B^T of a size; by columns it is C^T = B * A^T. */
struct library {
    cublasLtHandle_t handle;
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t a, c;
    cublasLtMatmulHeuristicResult_t way;
    void *work = nullptr;
    float *scale = nullptr;
    int ways = 0;

    explicit library(int size)
    {
        size_t const room = 32 << 20;
        cublasOperation_t const turned = CUBLAS_OP_T;
        cublasLtMatmulPreference_t wishes;
        float const one = 1;
        check_cuda(cudaMalloc(&work, room), "cudaMalloc");
        check_cuda(cudaMalloc(&scale, sizeof *scale), "cudaMalloc");
        check_cuda(cudaMemcpy(scale, &one, sizeof one, cudaMemcpyHostToDevice), "cudaMemcpy");
        check_blas(cublasLtCreate(&handle));
        check_blas(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
        check_blas(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof turned));
        check_blas(
            cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &scale, sizeof scale));
        check_blas(
            cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &scale, sizeof scale));
        check_blas(cublasLtMatrixLayoutCreate(&a, CUDA_R_8F_E4M3, size, size, size));
        check_blas(cublasLtMatrixLayoutCreate(&c, CUDA_R_16F, size, size, size));
        check_blas(cublasLtMatmulPreferenceCreate(&wishes));
        check_blas(cublasLtMatmulPreferenceSetAttribute(wishes, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room,
                                                        sizeof room));
        check_blas(cublasLtMatmulAlgoGetHeuristic(handle, product, a, a, c, c, wishes, 1, &way, &ways));
        check_blas(cublasLtMatmulPreferenceDestroy(wishes));
    }
    void run(void const *A, void const *B, void *C, float alpha) const
    {
        float const zero = 0;
        check_blas(
            cublasLtMatmul(handle, product, &alpha, B, a, A, a, &zero, C, c, C, c, &way.algo, work, 32 << 20, 0));
    }
};

int main()
{
    need_hopper();
    check_cuda(cudaFree(nullptr), "a context");
    for (int size : {4096, 8192}) {
        library const lt(size);
        matrix<tsr_e4m3, 1> *A[BUFFERS], *B[BUFFERS];
        matrix<tsr_f16, 1> *C[BUFFERS];
        fp8_product product[BUFFERS];
        for (int i = 0; i < BUFFERS; ++i) {
            A[i] = new matrix<tsr_e4m3, 1>(size, size, 16);
            B[i] = new matrix<tsr_e4m3, 1>(size, size, 16);
            C[i] = new matrix<tsr_f16, 1>(size, size);
            noise(*A[i], 2 * i + 1);
            noise(*B[i], 2 * i + 2);
            need(make_fp8(A[i]->view(), B[i]->view(), C[i]->tensor(), 1, &product[i]));
        }
        std::vector<contestant> all = {{"fp8_product", [&](int i) { run_fp8(product[i]); }}};
        if (lt.ways > 0)
            all.push_back({"cuBLASLt", [&](int i) { lt.run(A[i]->data, B[i]->data, C[i]->data, 1); }});
        else
            std::printf("cuBLASLt has no such product here\n");
        std::vector<double> const ms = race(all, BUFFERS, 7, 10);
        for (size_t i = 0; i < all.size(); ++i)
            std::printf("%-12s %5d  %9.3f ms  %7.1f TFLOP/s  %5.2f of cuBLASLt\n", all[i].name.c_str(), size, ms[i],
                        2e-9 * size * size * size / ms[i], ms.back() / ms[i]);
        for (int i = 0; i < BUFFERS; ++i) {
            delete A[i];
            delete B[i];
            delete C[i];
        }
    }
    return 0;
}
