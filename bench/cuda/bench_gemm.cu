/* The products of the examples and of cuBLAS, side by side, on random data. */
#include <cublas_v2.h>

#include "timing.cuh"

#include "../../examples/cuda/cuda_1_sgemm.cuh"
#include "../../examples/cuda/cuda_2_sgemm.cuh"
#include "../../examples/cuda/cuda_3_sm80.cuh"
#include "../../examples/cuda/cuda_4_wgmma.cuh"
#include "../../examples/cuda/cuda_5_tma.cuh"

enum { BUFFERS = 3 };

static void check_cublas(cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS) {
        std::printf("cuBLAS: status %d\n", (int)status);
        std::exit(1);
    }
}

/* The largest difference between two matrices. */
template <class T, int U, int V>
__global__ void difference_kernel(tsr_global<T const, 2, U> x, tsr_global<T const, 2, V> y, int *most)
{
    int const i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
    if (i < x.extent[0] && j < x.extent[1]) {
        float const d = fabsf((float)x.at[x.offset({{i, j}})] - (float)y.at[y.offset({{i, j}})]);
        atomicMax(most, __float_as_int(d == d ? d : 1e30f));
    }
}

template <class T, int U, int V> static float difference(matrix<T, U> const &x, matrix<T, V> const &y)
{
    int *most = nullptr, bits = 0;
    check_cuda(cudaMalloc(&most, sizeof *most), "cudaMalloc");
    check_cuda(cudaMemset(most, 0, sizeof *most), "cudaMemset");
    difference_kernel<<<dim3((x.rows + 255) / 256, x.columns), 256>>>(x.view(), y.view(), most);
    check_cuda(cudaMemcpy(&bits, most, sizeof bits, cudaMemcpyDeviceToHost), "difference");
    check_cuda(cudaFree(most), "cudaFree");
    float r;
    memcpy(&r, &bits, sizeof r);
    return r;
}

static void print_table(std::vector<contestant> const &all, std::vector<double> const &ms, int size)
{
    for (size_t i = 0; i < all.size(); ++i)
        std::printf("%-12s %5d  %9.3f ms  %7.1f TFLOP/s  %5.2f of cuBLAS\n", all[i].name.c_str(), size, ms[i],
                    2e-9 * size * size * size / ms[i], ms[0] / ms[i]);
}

static void single_precision(cublasHandle_t blas, int size)
{
    std::vector<matrix<float, 0> *> A, B, C;
    for (int i = 0; i < BUFFERS; ++i) {
        A.push_back(new matrix<float, 0>(size, size));
        B.push_back(new matrix<float, 0>(size, size));
        C.push_back(new matrix<float, 0>(size, size));
        noise(*A[i], 2 * i + 1);
        noise(*B[i], 2 * i + 2);
    }
    matrix<float, 0> expected(size, size);
    float const one = 1, zero = 0;
    auto const library = [&](int i, float *to) {
        check_cublas(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, size, size, size, &one, A[i]->data, (int)A[i]->pitch,
                                 B[i]->data, (int)B[i]->pitch, &zero, to, size));
    };
    std::vector<contestant> const all = {
        {"cuBLAS", [&](int i) { library(i, C[i]->data); }},
        {"sgemm_1", [&](int i) { need(run_sgemm_1(A[i]->view(), B[i]->view(), C[i]->tensor(), 1, 0)); }},
        {"sgemm_2", [&](int i) { need(run_sgemm_2(A[i]->view(), B[i]->view(), C[i]->tensor(), 1, 0)); }},
    };
    library(0, expected.data);
    for (size_t i = 1; i < all.size(); ++i) {
        all[i].run(0);
        std::printf("%s: largest difference to cuBLAS %g\n", all[i].name.c_str(), difference(*C[0], expected));
    }
    print_table(all, race(all, BUFFERS, 7, size > 4096 ? 3 : 10), size);
    for (int i = 0; i < BUFFERS; ++i) {
        delete A[i];
        delete B[i];
        delete C[i];
    }
}

static void half_precision(cublasHandle_t blas, int size)
{
    std::vector<matrix<tsr_f16, 1> *> A, B, C;
    for (int i = 0; i < BUFFERS; ++i) {
        A.push_back(new matrix<tsr_f16, 1>(size, size));
        B.push_back(new matrix<tsr_f16, 1>(size, size));
        C.push_back(new matrix<tsr_f16, 1>(size, size));
        noise(*A[i], 2 * i + 1);
        noise(*B[i], 2 * i + 2);
    }
    matrix<tsr_f16, 1> expected(size, size);
    float const one = 1, zero = 0;
    auto const library = [&](int i, void *to) { /* C by rows is its transpose by columns: B * A^T */
                                                check_cublas(cublasGemmEx(
                                                    blas, CUBLAS_OP_T, CUBLAS_OP_N, size, size, size, &one,
                                                    B[i]->data, CUDA_R_16F, size, A[i]->data, CUDA_R_16F, size, &zero,
                                                    to, CUDA_R_16F, size, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    };
    std::vector<contestant> const all = {
        {"cuBLAS", [&](int i) { library(i, C[i]->data); }},
        {"hgemm_sm80", [&](int i) { need(run_hgemm_sm80<TSR_F32>(A[i]->view(), B[i]->view(), C[i]->tensor())); }},
        {"hgemm_sm80 f16", [&](int i) { need(run_hgemm_sm80<TSR_F16>(A[i]->view(), B[i]->view(), C[i]->tensor())); }},
        {"hgemm_wgmma", [&](int i) { need(run_hgemm_wgmma(A[i]->view(), B[i]->view(), C[i]->tensor())); }},
        {"hgemm_tma", [&](int i) { need(run_hgemm_tma(A[i]->view(), B[i]->view(), C[i]->tensor())); }},
    };
    library(0, expected.data);
    for (size_t i = 1; i < all.size(); ++i) {
        all[i].run(0);
        std::printf("%s: largest difference to cuBLAS %g\n", all[i].name.c_str(), difference(*C[0], expected));
    }
    print_table(all, race(all, BUFFERS, 7, 10), size);
    for (int i = 0; i < BUFFERS; ++i) {
        delete A[i];
        delete B[i];
        delete C[i];
    }
}

int main()
{
    need_hopper();
    cublasHandle_t blas;
    check_cublas(cublasCreate(&blas));
    for (int size : {4096, 8192}) {
        single_precision(blas, size);
        half_precision(blas, size);
    }
    check_cublas(cublasDestroy(blas));
    return 0;
}
