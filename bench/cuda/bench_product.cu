/* tsr_gpu_gemm beside cuBLAS (fp8: cuBLASLt), on random data: in turns, cool, and alone, with the clock; and what a
 * launch costs the host. Milliseconds and TFLOP/s are those in turns.
 *
 * usage: bench_product [TYPE...]: only products of these types.
 *        bench_product TYPE:MxNxK[xBATCH]...: these instead, in turns only.
 *        bench_product TYPE:sweep: 190 products, in turns only: the rows of a few tokens to many by the layers of
 *        transformers, squares, batches, flat and deep ones; their geometric mean, and how many are behind. */
#include <cmath>
#include <cstring>
#include <iterator>

#include "product.cuh"

enum { BUFFERS = 3 };

struct kind {
    char const *name;
    tsr_dtype in, out;
    cudaDataType_t blas_in, blas_out;
    cublasComputeType_t compute;
};

static kind const kinds[] = {{"f16", TSR_F16, TSR_F16, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F},
                             {"bf16", TSR_BF16, TSR_BF16, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F},
                             {"e4m3", TSR_F8_E4M3FN, TSR_BF16, CUDA_R_8F_E4M3, CUDA_R_16BF, CUBLAS_COMPUTE_32F},
                             {"tf32", TSR_TF32, TSR_F32, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32},
                             {"i8", TSR_I8, TSR_I32, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I},
                             {"f32", TSR_F32, TSR_F32, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F},
                             {"f64", TSR_F64, TSR_F64, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F}};

/* One size: A (M,K), B (N,K), C (M,N) by rows, `batch` of them. */
struct size {
    int kind, m, n, depth, batch;
};

struct problem {
    kind const *k;
    int m, n, depth, batch;
    uint8_t *a[BUFFERS], *b[BUFFERS], *c[BUFFERS];
    tsr_gpu_planned_gemm *plan[BUFFERS];
    cublasLtMatmulDesc_t matmul = nullptr;
    cublasLtMatrixLayout_t lt[3] = {};
    cublasLtMatmulHeuristicResult_t algorithm = {};
};

static tsr_tensor tensor_of(void *at, tsr_dtype type, int rows, int columns, int batch)
{
    int64_t const m = rows, n = columns;
    return tsr_make_tensor(tsr_gmem_ptr(tsr_int((int64_t)at), type),
                           tsr_make_layout(tsr_t(batch, rows, columns), tsr_t(m * n, n, 1)));
}

static void make(problem &p, tsr_gpu_device &device, tsr_gpu_cache &cache)
{
    static char log[16384];
    tsr_gpu_log const to_log = {log, sizeof log};
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    for (int i = 0; i < BUFFERS; ++i) {
        p.a[i] = filled((size_t)p.m * p.depth * p.batch, p.k->in, 2 * i + 1);
        p.b[i] = filled((size_t)p.n * p.depth * p.batch, p.k->in, 2 * i + 2);
        p.c[i] = filled((size_t)p.m * p.n * p.batch, p.k->out, 9);
        check_gpu(tsr_gpu_gemm_plan(&cache, &device, tensor_of(p.a[i], p.k->in, p.m, p.depth, p.batch),
                                    tensor_of(p.b[i], p.k->in, p.n, p.depth, p.batch),
                                    tensor_of(p.c[i], p.k->out, p.m, p.n, p.batch), &plain, &to_log, &p.plan[i]),
                  log);
    }
}

/* By rows C is B * A^T by columns. */
static void by_cublas(cublasHandle_t blas, problem &p, int i)
{
    static float const plain[] = {1, 0};
    static int const whole[] = {1, 0};
    static double const wide[] = {1, 0};
    void const *const scale = p.k->compute == CUBLAS_COMPUTE_32I   ? (void const *)whole
                              : p.k->compute == CUBLAS_COMPUTE_64F ? (void const *)wide
                                                                   : plain;
    void const *const zero = static_cast<char const *>(scale) + (p.k->compute == CUBLAS_COMPUTE_64F ? 8 : 4);
    check_cublas(cublasGemmStridedBatchedEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, p.n, p.m, p.depth, scale, p.b[i],
                                            p.k->blas_in, p.depth, (int64_t)p.n * p.depth, p.a[i], p.k->blas_in,
                                            p.depth, (int64_t)p.m * p.depth, zero, p.c[i], p.k->blas_out, p.n,
                                            (int64_t)p.m * p.n, p.batch, p.k->compute, CUBLAS_GEMM_DEFAULT),
                 "cuBLAS");
}

static void make_lt(cublasLtHandle_t lt, problem &p)
{
    cublasOperation_t const turned = CUBLAS_OP_T;
    cublasLtMatmulPreference_t preference;
    size_t const room = 32 << 20;
    int found = 0;
    check_cublas(cublasLtMatmulDescCreate(&p.matmul, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cuBLASLt");
    cublasLtMatmulDescSetAttribute(p.matmul, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof turned);
    cublasLtMatrixLayoutCreate(&p.lt[0], p.k->blas_in, p.depth, p.n, p.depth);
    cublasLtMatrixLayoutCreate(&p.lt[1], p.k->blas_in, p.depth, p.m, p.depth);
    cublasLtMatrixLayoutCreate(&p.lt[2], p.k->blas_out, p.n, p.m, p.n);
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room, sizeof room);
    check_cublas(cublasLtMatmulAlgoGetHeuristic(lt, p.matmul, p.lt[0], p.lt[1], p.lt[2], p.lt[2], preference, 1,
                                                &p.algorithm, &found),
                 "cuBLASLt");
    cublasLtMatmulPreferenceDestroy(preference);
}

static void by_lt(cublasLtHandle_t lt, void *room, problem &p, int i)
{
    float const one = 1, zero = 0;
    check_cublas(cublasLtMatmul(lt, p.matmul, &one, p.b[i], p.lt[0], p.a[i], p.lt[1], &zero, p.c[i], p.lt[2], p.c[i],
                                p.lt[2], &p.algorithm.algo, room, 32 << 20, 0),
                 "cuBLASLt");
}

/* By how much the results of both differ. */
static float compare(problem &p, std::vector<contestant> const &all)
{
    size_t const count = (size_t)p.m * p.n * p.batch, bytes = count * tsr_dtype_bits(p.k->out) / 8;
    void *other = nullptr;
    check_cuda(cudaMalloc(&other, bytes), "cudaMalloc");
    all[0].run(0);
    check_cuda(cudaMemcpy(other, p.c[0], bytes, cudaMemcpyDeviceToDevice), "cudaMemcpy");
    check_cuda(cudaMemset(p.c[0], 0xff, bytes), "cudaMemset");
    all[1].run(0);
    float const r = p.k->out == TSR_F16    ? difference<tsr_f16>(other, p.c[0], count)
                    : p.k->out == TSR_BF16 ? difference<tsr_bf16>(other, p.c[0], count)
                    : p.k->out == TSR_F32  ? difference<float>(other, p.c[0], count)
                    : p.k->out == TSR_F64  ? difference<double>(other, p.c[0], count)
                                           : difference<int32_t>(other, p.c[0], count);
    check_cuda(cudaFree(other), "cudaFree");
    return r;
}

/* The microseconds that a launch takes of the host. */
static double host_time(problem &p)
{
    check_cuda(cudaDeviceSynchronize(), "wait");
    auto const start = std::chrono::steady_clock::now();
    for (int i = 0; i < 500; ++i)
        check_gpu(tsr_gpu_gemm_run(p.plan[0], nullptr), "");
    std::chrono::duration<double, std::micro> const taken = std::chrono::steady_clock::now() - start;
    check_cuda(cudaDeviceSynchronize(), "wait");
    return taken.count() / 500;
}

static std::vector<size> sweep(int kind)
{
    static int const rows[] = {1, 16, 32, 48, 64, 80, 100, 128, 192, 256, 384, 512, 1024, 2048, 4096};
    static int const layers[][2] = {{4096, 4096},  {5120, 5120},  {8192, 8192}, {4096, 14336},
                                    {28672, 4096}, {6144, 4096},  {1280, 8192}, {8192, 1024},
                                    {2048, 2048},  {8192, 28672}, {768, 3072}};
    static int const squares[] = {512,  768,  1000, 1024, 1280, 1536, 2000, 2048, 2304,
                                  2560, 3000, 3072, 3584, 4096, 5000, 6144, 8192};
    std::vector<size> r = {{kind, 512, 512, 512, 64},   {kind, 1024, 1024, 128, 32}, {kind, 4000, 4104, 4000, 1},
                           {kind, 4096, 4096, 1024, 1}, {kind, 64, 64, 65536, 1},    {kind, 128, 128, 16384, 1},
                           {kind, 2048, 6144, 4096, 1}, {kind, 8192, 8192, 512, 1}};
    for (int const n : squares)
        r.push_back({kind, n, n, n, 1});
    for (auto const &layer : layers)
        for (int const m : rows)
            r.push_back({kind, m, layer[0], layer[1], 1});
    return r;
}

/* The sizes of this type or all, or those that the arguments are. */
static std::vector<size> chosen(std::vector<size> const &known, int count, char **text)
{
    std::vector<size> r;
    for (int i = 0; i < count; ++i) {
        char const *const colon = std::strchr(text[i], ':');
        std::string const name = colon ? std::string(text[i], (size_t)(colon - text[i])) : std::string(text[i]);
        size s = {-1, 0, 0, 0, 1};
        for (kind const &k : kinds)
            if (k.name == name)
                s.kind = (int)(&k - kinds);
        bool const all = colon && std::strcmp(colon, ":sweep") == 0;
        if (s.kind < 0
            || (colon && !all && std::sscanf(colon + 1, "%dx%dx%dx%d", &s.m, &s.n, &s.depth, &s.batch) < 3)) {
            std::printf("%s: TYPE, TYPE:MxNxK[xBATCH] or TYPE:sweep\n", text[i]);
            std::exit(2);
        }
        if (all)
            for (size const &x : sweep(s.kind))
                r.push_back(x);
        else if (colon)
            r.push_back(s);
        else
            std::copy_if(known.begin(), known.end(), std::back_inserter(r),
                         [&](size const &x) { return x.kind == s.kind; });
    }
    return count > 0 ? r : known;
}

int main(int argc, char **argv)
{
    static std::vector<size> const sizes = {
        /* kind, M, N, K, batch */
        {0, 4096, 4096, 4096, 1}, {0, 8192, 8192, 8192, 1}, {1, 4096, 4096, 4096, 1}, {1, 8192, 8192, 8192, 1},
        {2, 4096, 4096, 4096, 1}, {2, 8192, 8192, 8192, 1}, {3, 4096, 4096, 4096, 1}, {4, 4096, 4096, 4096, 1},
        {5, 4096, 4096, 4096, 1}, {5, 8192, 8192, 8192, 1}, {5, 4000, 4104, 4000, 1}, {5, 4095, 4097, 4099, 1},
        {5, 1024, 1024, 1024, 1}, {5, 256, 4096, 4096, 1},  {5, 64, 64, 65536, 1},    {6, 4096, 4096, 4096, 1},
        {0, 4000, 4104, 4000, 1}, {0, 4096, 4096, 1024, 1}, {0, 2048, 6144, 4096, 1}, {0, 1024, 1024, 1024, 1},
        {0, 16, 8192, 8192, 1},   {0, 32, 8192, 8192, 1},   {0, 64, 8192, 8192, 1},   {0, 128, 8192, 8192, 1},
        {0, 256, 8192, 8192, 1},  {0, 16, 4096, 14336, 1},  {0, 64, 28672, 4096, 1},  {0, 128, 4096, 14336, 1},
        {0, 256, 4096, 4096, 1},  {0, 512, 512, 512, 64},   {0, 1024, 1024, 128, 32}};
    need_hopper();
    engine on;
    tsr_gpu_device &device = on.device;
    tsr_gpu_cache &cache = on.cache;
    cublasHandle_t const blas = on.blas;
    cublasLtHandle_t const lt = on.lt;
    void *room = nullptr;
    bool warm = false;
    check_cuda(cudaMalloc(&room, 32 << 20), "cudaMalloc");
    bool const quick = argc > 1 && std::strchr(argv[1], ':');
    int count = 0, behind = 0;
    double logarithms = 0;
    for (size const &s : chosen(sizes, argc - 1, argv + 1)) {
        problem p = {};
        p.k = &kinds[s.kind];
        p.m = s.m;
        p.n = s.n;
        p.depth = s.depth;
        p.batch = s.batch;
        make(p, device, cache);
        bool const eight = p.k->in == TSR_F8_E4M3FN;
        if (eight)
            make_lt(lt, p);
        std::vector<contestant> const all = {
            {"cuBLAS", [&](int i) { eight ? by_lt(lt, room, p, i) : by_cublas(blas, p, i); }},
            {"tessera", [&](int i) { check_gpu(tsr_gpu_gemm_run(p.plan[i], nullptr), ""); }}};
        int const repeats = s.m >= 8192 ? 5 : 10;
        float const differs = compare(p, all);
        char text[256];
        unsigned clock[2] = {};
        if (!warm) /* cold it clocks higher than it can keep up */
            solo(all[0], BUFFERS, repeats, 1500, clock);
        warm = true;
        auto const turn = race(all, BUFFERS, quick ? 5 : 11, repeats);
        ++count;
        behind += turn[0] < 0.95 * turn[1];
        logarithms += std::log(turn[0] / turn[1]);
        double const flop = 2e-9 * p.m * p.n * p.depth * p.batch;
        tsr_format_gpu_gemm(text, sizeof text, p.plan[0]);
        std::printf("%-4s %5d %5d %5d x%-2d %8.4f ms %7.1f beside %7.1f TFLOP/s  TURN %.3f", p.k->name, p.m, p.n,
                    p.depth, p.batch, turn[1], flop / turn[1], flop / turn[0], turn[0] / turn[1]);
        if (!quick) {
            auto const cool = race_cool(all, BUFFERS, 7, repeats);
            double const alone[2] = {solo(all[0], BUFFERS, repeats, 300, &clock[0]),
                                     solo(all[1], BUFFERS, repeats, 300, &clock[1])};
            std::printf(" COOL %.3f SOLO %.3f at %4u, %4u MHz", cool[0] / cool[1], alone[0] / alone[1], clock[1],
                        clock[0]);
        }
        std::printf("  %s, differs by %g\n", text, differs);
        std::fflush(stdout);
        if (!quick && s.m == 512)
            std::printf("a launch takes %.2f us of the host\n", host_time(p));
        for (int i = 0; i < BUFFERS; ++i) {
            check_gpu(tsr_gpu_gemm_free(&p.plan[i]), "");
            cudaFree(p.a[i]);
            cudaFree(p.b[i]);
            cudaFree(p.c[i]);
        }
    }
    std::printf("%d products, TURN %.3f in the geometric mean, %d behind 0.95\n", count, std::exp(logarithms / count),
                behind);
    return 0;
}
