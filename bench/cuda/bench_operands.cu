/* tsr_gpu_gemm beside cuBLAS on batches of small products, and on operands whose rows the copy engine cannot address,
 * on random data, in turns. Microseconds of a launch.
 *
 * usage: bench_operands [TEXT]: the cases whose type is TEXT. */
#include <cmath>
#include <cstring>

#include "product.cuh"

enum { BUFFERS = 3 };

struct kind {
    char const *name;
    tsr_dtype type;
    cudaDataType_t blas;
    cublasComputeType_t compute;
};

static kind const kinds[] = {{"f16", TSR_F16, CUDA_R_16F, CUBLAS_COMPUTE_32F},
                             {"bf16", TSR_BF16, CUDA_R_16BF, CUBLAS_COMPUTE_32F},
                             {"f32", TSR_F32, CUDA_R_32F, CUBLAS_COMPUTE_32F},
                             {"f64", TSR_F64, CUDA_R_64F, CUBLAS_COMPUTE_64F}};

/* A (M,K) and B (N,K), by rows or, with `along`, by columns: M and N are the neighbours. C (M,N) by rows. Rows and
 * columns are `pad` elements longer than what is multiplied. */
struct size {
    int kind, m, n, depth, batch;
    bool along;
    int pad;
};

struct matrix_of {
    uint8_t *at[BUFFERS];
    int64_t pitch, apart; /* elements from row to row, or column to column; from matrix to matrix */
    bool along;
    tsr_layout layout;

    void make(kind const &k, int rows, int columns, int batch, bool along_, int pad, unsigned seed)
    {
        along = along_;
        pitch = (along ? rows : columns) + pad;
        apart = pitch * (along ? columns : rows);
        layout =
            tsr_make_layout(tsr_t(batch, rows, columns), along ? tsr_t(apart, 1, pitch) : tsr_t(apart, pitch, 1));
        for (int i = 0; i < BUFFERS; ++i)
            at[i] = filled((size_t)(apart * batch), k.type, seed + (unsigned)i);
    }
    tsr_tensor tensor(kind const &k, int i) const
    {
        return tsr_make_tensor(tsr_gmem_ptr(tsr_int((int64_t)at[i]), k.type), layout);
    }
    void free(void)
    {
        for (int i = 0; i < BUFFERS; ++i)
            cudaFree(at[i]);
    }
};

/* By rows C is B * A^T by columns. */
static void by_cublas(cublasHandle_t blas, size const &s, matrix_of const &a, matrix_of const &b, matrix_of const &c,
                      int i)
{
    static float const plain[] = {1, 0};
    static double const wide[] = {1, 0};
    kind const &k = kinds[s.kind];
    bool const is_wide = k.type == TSR_F64;
    void const *const one = is_wide ? (void const *)wide : plain, *const zero =
                                                                      is_wide ? (void const *)(wide + 1) : plain + 1;
    check_cublas(cublasGemmStridedBatchedEx(
                     blas, b.along ? CUBLAS_OP_N : CUBLAS_OP_T, a.along ? CUBLAS_OP_T : CUBLAS_OP_N, s.n, s.m,
                     s.depth, one, b.at[i], k.blas, (int)b.pitch, b.apart, a.at[i], k.blas, (int)a.pitch, a.apart,
                     zero, c.at[i], k.blas, (int)c.pitch, c.apart, s.batch, k.compute, CUBLAS_GEMM_DEFAULT),
                 "cuBLAS");
}

/* By how much the results of both differ. */
static float compare(size const &s, matrix_of const &c, std::vector<contestant> const &all)
{
    kind const &k = kinds[s.kind];
    size_t const count = (size_t)(c.apart * s.batch), bytes = count * tsr_dtype_bits(k.type) / 8;
    void *other = nullptr;
    check_cuda(cudaMalloc(&other, bytes), "cudaMalloc");
    check_cuda(cudaMemset(c.at[0], 0, bytes), "cudaMemset");
    all[0].run(0);
    check_cuda(cudaMemcpy(other, c.at[0], bytes, cudaMemcpyDeviceToDevice), "cudaMemcpy");
    check_cuda(cudaMemset(c.at[0], 0, bytes), "cudaMemset");
    all[1].run(0);
    float const r = k.type == TSR_F16    ? difference<tsr_f16>(other, c.at[0], count)
                    : k.type == TSR_BF16 ? difference<tsr_bf16>(other, c.at[0], count)
                    : k.type == TSR_F32  ? difference<float>(other, c.at[0], count)
                                         : difference<double>(other, c.at[0], count);
    check_cuda(cudaFree(other), "cudaFree");
    return r;
}

static void run(engine &on, size const &s)
{
    static char log[16384];
    kind const &k = kinds[s.kind];
    tsr_gpu_log const to_log = {log, sizeof log};
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    tsr_gpu_planned_gemm *plan[BUFFERS];
    matrix_of a, b, c;
    char text[256];
    a.make(k, s.m, s.depth, s.batch, s.along, s.pad, 1);
    b.make(k, s.n, s.depth, s.batch, s.along, s.pad, 11);
    c.make(k, s.m, s.n, s.batch, false, s.pad, 21);
    for (int i = 0; i < BUFFERS; ++i)
        check_gpu(tsr_gpu_gemm_plan(&on.cache, &on.device, a.tensor(k, i), b.tensor(k, i), c.tensor(k, i), &plain,
                                    &to_log, &plan[i]),
                  log);
    std::vector<contestant> const all = {
        {"cuBLAS", [&](int i) { by_cublas(on.blas, s, a, b, c, i); }},
        {"tessera", [&](int i) { check_gpu(tsr_gpu_gemm_run(plan[i], nullptr), ""); }}};
    float const differs = compare(s, c, all);
    auto const turn = race(all, BUFFERS, 11, 20);
    tsr_format_gpu_gemm(text, sizeof text, plan[0]);
    std::printf("%-4s %5d %4d %4d x%-4d %s pad %d %7.2f us, cuBLAS %7.2f, TURN %.2f  %s, differs by %g\n", k.name,
                s.m, s.n, s.depth, s.batch, s.along ? "along" : "rows ", s.pad, turn[1] * 1e3, turn[0] * 1e3,
                turn[0] / turn[1], text, differs);
    std::fflush(stdout);
    for (int i = 0; i < BUFFERS; ++i)
        check_gpu(tsr_gpu_gemm_free(&plan[i]), "");
    a.free(), b.free(), c.free();
}

int main(int argc, char **argv)
{
    static size const sizes[] = {
        /* kind, M, N, K, batch, along, pad */
        {0, 16, 16, 16, 4000, false, 0},    {0, 30, 30, 30, 2000, false, 0},  {0, 32, 32, 32, 2000, false, 0},
        {0, 50, 50, 50, 1000, false, 0},    {0, 64, 64, 64, 1000, false, 0},  {0, 77, 77, 77, 100, false, 0},
        {0, 100, 100, 100, 100, false, 0},  {0, 100, 100, 100, 20, false, 0}, {0, 200, 200, 200, 32, false, 1},
        {0, 256, 256, 256, 1, false, 1},    {0, 512, 512, 512, 1, false, 1},  {0, 16, 4097, 4097, 1, false, 0},
        {1, 30, 30, 30, 2000, true, 0},     {1, 100, 100, 100, 400, true, 0}, {1, 100, 100, 100, 400, false, 0},
        {2, 16, 16, 16, 4000, false, 0},    {2, 30, 30, 30, 2000, false, 0},  {2, 100, 100, 100, 100, false, 0},
        {2, 65536, 64, 64, 1, false, 0},    {2, 65536, 64, 128, 1, false, 0}, {2, 65536, 64, 256, 1, false, 0},
        {2, 2048, 2048, 2048, 1, false, 0}, {3, 30, 30, 30, 2000, false, 0},  {3, 100, 100, 100, 100, false, 0},
        {3, 65536, 64, 64, 1, false, 0}};
    need_hopper();
    engine on;
    for (size const &s : sizes)
        if (argc < 2 || std::strcmp(argv[1], kinds[s.kind].name) == 0)
            run(on, s);
    return 0;
}
