/* Products in groups beside cuBLAS: rows of tokens by the weights of their experts, from sizes on the device and from a
 * list of the host's. 8-bit numbers with scales of blocks, and operands that are copied first, beside the same without.
 * In turns, cool and alone, as bench_product.
 *
 * usage: bench_groups [experts|blocks|permuted]: only these. */
#include "product.cuh"

enum { BUFFERS = 3, REPEATS = 10 };

static tsr_tensor by_rows(void *at, tsr_dtype type, int64_t rows, int64_t columns)
{
    return tsr_make_tensor(tsr_gmem_ptr(tsr_int((int64_t)at), type),
                           tsr_make_layout(tsr_t(rows, columns), tsr_t(columns, 1)));
}

/* What a contestant's rounds say: its milliseconds in turns beside the first one's. */
static void show(char const *name, double flop, std::vector<contestant> const &all, char const *plan)
{
    auto const turn = race(all, BUFFERS, 9, REPEATS), cool = race_cool(all, BUFFERS, 5, REPEATS);
    std::printf("%s: ", name);
    for (size_t i = 0; i < all.size(); ++i) {
        unsigned clock = 0;
        double const alone = solo(all[i], BUFFERS, REPEATS, 150, &clock);
        std::printf("%s%s %.4f ms %.1f TFLOP/s (%.1f cool, %.1f alone at %u MHz)", i ? "; " : "", all[i].name.c_str(),
                    turn[i], flop / turn[i], flop / cool[i], flop / alone, clock);
    }
    std::printf("; %s\n", plan);
    std::fflush(stdout);
}

/* Rows in parts of an uneven size, most of them filled. */
static std::vector<int> parts_of(int rows, int groups)
{
    std::vector<int> r(groups);
    unsigned h = 12345;
    int left = rows;
    for (int v = 0; v < groups; ++v) {
        h = h * 1664525u + 1013904223u;
        int const fair = left / (groups - v);
        r[v] = v + 1 == groups ? left : std::min(left, (int)(fair / 2 + (h >> 8) % (unsigned)(fair + 1)));
        left -= r[v];
    }
    return r;
}

/* M rows by the weights (N,K) of one of V experts. */
static void experts(engine &on, int m, int groups, int n, int k)
{
    static char log[16384];
    tsr_gpu_log const to_log = {log, sizeof log};
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    std::vector<tsr_epilogue> const all_plain(groups, plain);
    std::vector<int> const part = parts_of(m, groups);
    std::vector<int> ends;
    uint8_t *a[BUFFERS], *b[BUFFERS], *c[BUFFERS];
    int *places = nullptr;
    tsr_gpu_planned_gemm *rows[BUFFERS] = {}, *list[BUFFERS] = {};
    for (int v = 0, end = 0; v < groups; ++v)
        ends.push_back(end += part[v]);
    check_cuda(cudaMalloc(&places, groups * sizeof *places), "cudaMalloc");
    check_cuda(cudaMemcpy(places, ends.data(), groups * sizeof *places, cudaMemcpyHostToDevice), "cudaMemcpy");
    /* cuBLAS: a group of one product for each expert; by columns C is B * A^T */
    std::vector<cublasOperation_t> const turned(groups, CUBLAS_OP_T), straight(groups, CUBLAS_OP_N);
    std::vector<int> const ns(groups, n), ks(groups, k), ones(groups, 1);
    std::vector<float> const one(groups, 1.0f), zero(groups, 0.0f);
    void const **pointer[2][BUFFERS];
    void **result[BUFFERS];
    for (int i = 0; i < BUFFERS; ++i) {
        a[i] = filled((size_t)m * k, TSR_BF16, 2 * i + 1);
        b[i] = filled((size_t)groups * n * k, TSR_BF16, 2 * i + 2);
        c[i] = filled((size_t)m * n, TSR_BF16, 9);
        check_gpu(tsr_gpu_gemm_plan_rows(
                      &on.cache, &on.device, by_rows(a[i], TSR_BF16, m, k),
                      tsr_make_tensor(tsr_gmem_ptr(tsr_int((int64_t)b[i]), TSR_BF16),
                                      tsr_make_layout(tsr_t(groups, n, k), tsr_t((int64_t)n * k, k, 1))),
                      nullptr, nullptr, by_rows(c[i], TSR_BF16, m, n), (uint64_t)places, &plain, &to_log, &rows[i]),
                  log);
        std::vector<tsr_tensor> ta, tb, tc;
        std::vector<void *> pa, pb, pc;
        for (int v = 0; v < groups; ++v) {
            int64_t const first = ends[v] - part[v];
            pa.push_back(a[i] + 2 * first * k);
            pb.push_back(b[i] + 2 * (int64_t)v * n * k);
            pc.push_back(c[i] + 2 * first * n);
            if (part[v] == 0)
                continue;
            ta.push_back(by_rows(pa.back(), TSR_BF16, part[v], k));
            tb.push_back(by_rows(pb.back(), TSR_BF16, n, k));
            tc.push_back(by_rows(pc.back(), TSR_BF16, part[v], n));
        }
        check_gpu(tsr_gpu_gemm_plan_groups(&on.cache, &on.device, (int)ta.size(), ta.data(), tb.data(), nullptr,
                                           nullptr, tc.data(), all_plain.data(), &to_log, &list[i]),
                  log);
        size_t const bytes = groups * sizeof(void *);
        check_cuda(cudaMalloc(&pointer[0][i], bytes), "cudaMalloc");
        check_cuda(cudaMalloc(&pointer[1][i], bytes), "cudaMalloc");
        check_cuda(cudaMalloc(&result[i], bytes), "cudaMalloc");
        check_cuda(cudaMemcpy(pointer[0][i], pa.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
        check_cuda(cudaMemcpy(pointer[1][i], pb.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
        check_cuda(cudaMemcpy(result[i], pc.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    auto const loop = [&](int i) {
        for (int v = 0; v < groups; ++v)
            if (part[v] > 0)
                check_cublas(cublasGemmEx(on.blas, CUBLAS_OP_T, CUBLAS_OP_N, n, part[v], k, &one[0],
                                          b[i] + 2 * (int64_t)v * n * k, CUDA_R_16BF, k,
                                          a[i] + 2 * (int64_t)(ends[v] - part[v]) * k, CUDA_R_16BF, k, &zero[0],
                                          c[i] + 2 * (int64_t)(ends[v] - part[v]) * n, CUDA_R_16BF, n,
                                          CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                             "cuBLAS");
    };
    auto const grouped = [&](int i) {
        check_cublas(cublasGemmGroupedBatchedEx(on.blas, turned.data(), straight.data(), ns.data(), part.data(),
                                                ks.data(), one.data(), pointer[1][i], CUDA_R_16BF, ks.data(),
                                                pointer[0][i], CUDA_R_16BF, ks.data(), zero.data(), result[i],
                                                CUDA_R_16BF, ns.data(), groups, ones.data(), CUBLAS_COMPUTE_32F),
                     "cuBLAS, groups");
    };
    std::vector<contestant> const all = {
        {"cuBLAS, a launch each", loop},
        {"cuBLAS, groups", grouped},
        {"a list", [&](int i) { check_gpu(tsr_gpu_gemm_run(list[i], nullptr), ""); }},
        {"rows", [&](int i) { check_gpu(tsr_gpu_gemm_run(rows[i], nullptr), ""); }}};
    uint8_t *const other = filled((size_t)m * n, TSR_BF16, 9);
    loop(0);
    check_cuda(cudaMemcpy(other, c[0], (size_t)m * n * 2, cudaMemcpyDeviceToDevice), "cudaMemcpy");
    char text[256], plan[512], name[128];
    tsr_format_gpu_gemm(text, sizeof text, rows[0]);
    float differs[2];
    for (int x = 0; x < 2; ++x) {
        check_cuda(cudaMemset(c[0], 0xff, (size_t)m * n * 2), "cudaMemset");
        all[2 + x].run(0);
        differs[x] = difference<tsr_bf16>(other, c[0], (size_t)m * n);
    }
    std::snprintf(plan, sizeof plan, "%s, differ by %g and %g", text, differs[0], differs[1]);
    std::snprintf(name, sizeof name, "bf16 %d rows of %d experts, N %d K %d", m, groups, n, k);
    show(name, 2e-9 * m * n * k, all, plan);
    for (int i = 0; i < BUFFERS; ++i) {
        check_gpu(tsr_gpu_gemm_free(&rows[i]), "");
        check_gpu(tsr_gpu_gemm_free(&list[i]), "");
        for (void *p : {(void *)a[i], (void *)b[i], (void *)c[i], (void *)pointer[0][i], (void *)pointer[1][i],
                        (void *)result[i]})
            cudaFree(p);
    }
    cudaFree(places);
    cudaFree(other);
}

/* e4m3 with scales of blocks beside the same without; scales are powers of two, so that the host can check both. */
static void blocks(engine &on, int m, int n, int k)
{
    static char log[16384];
    tsr_gpu_log const to_log = {log, sizeof log};
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    int64_t const steps = k / 128, tall = n / 128;
    uint8_t *a[BUFFERS], *b[BUFFERS], *c[BUFFERS];
    tsr_gpu_planned_gemm *with[BUFFERS] = {}, *without[BUFFERS] = {};
    std::vector<float> const ones((size_t)(std::max<int64_t>(m, tall) * steps), 1.0f);
    float *scale = nullptr;
    check_cuda(cudaMalloc(&scale, ones.size() * sizeof(float)), "cudaMalloc");
    check_cuda(cudaMemcpy(scale, ones.data(), ones.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
    tsr_engine const at = tsr_gmem_ptr(tsr_int((int64_t)scale), TSR_F32);
    tsr_tensor const scale_a =
        tsr_make_tensor(at, tsr_make_layout(tsr_t(m, tsr_t(128, steps)), tsr_t(1, tsr_t(0, m))));
    tsr_tensor const scale_b = tsr_make_tensor(
        at, tsr_make_layout(tsr_t(tsr_t(128, tall), tsr_t(128, steps)), tsr_t(tsr_t(0, steps), tsr_t(0, 1))));
    for (int i = 0; i < BUFFERS; ++i) {
        a[i] = filled((size_t)m * k, TSR_F8_E4M3FN, 2 * i + 1);
        b[i] = filled((size_t)n * k, TSR_F8_E4M3FN, 2 * i + 2);
        c[i] = filled((size_t)m * n, TSR_BF16, 9);
        tsr_tensor const ta = by_rows(a[i], TSR_F8_E4M3FN, m, k), tb = by_rows(b[i], TSR_F8_E4M3FN, n, k),
                         tc = by_rows(c[i], TSR_BF16, m, n);
        check_gpu(tsr_gpu_gemm_plan(&on.cache, &on.device, ta, tb, tc, &plain, &to_log, &without[i]), log);
        check_gpu(
            tsr_gpu_gemm_plan_scaled(&on.cache, &on.device, ta, tb, scale_a, scale_b, tc, &plain, &to_log, &with[i]),
            log);
    }
    std::vector<contestant> const all = {
        {"without", [&](int i) { check_gpu(tsr_gpu_gemm_run(without[i], nullptr), ""); }},
        {"with scales", [&](int i) { check_gpu(tsr_gpu_gemm_run(with[i], nullptr), ""); }}};
    uint8_t *const other = filled((size_t)m * n, TSR_BF16, 9);
    all[0].run(0);
    check_cuda(cudaMemcpy(other, c[0], (size_t)m * n * 2, cudaMemcpyDeviceToDevice), "cudaMemcpy");
    all[1].run(0);
    char text[256], plan[512], name[128];
    tsr_format_gpu_gemm(text, sizeof text, with[0]);
    std::snprintf(plan, sizeof plan, "%s, differ by %g", text, difference<tsr_bf16>(other, c[0], (size_t)m * n));
    std::snprintf(name, sizeof name, "e4m3 %d x %d x %d", m, n, k);
    show(name, 2e-9 * m * n * k, all, plan);
    for (int i = 0; i < BUFFERS; ++i) {
        check_gpu(tsr_gpu_gemm_free(&with[i]), "");
        check_gpu(tsr_gpu_gemm_free(&without[i]), "");
        for (uint8_t *p : {a[i], b[i], c[i]})
            cudaFree(p);
    }
    cudaFree(scale);
    cudaFree(other);
}

/* The same of rows by the weights of their experts, whose numbers the device knows. */
static void blocks_of_rows(engine &on, int m, int groups, int n, int k)
{
    static char log[16384];
    tsr_gpu_log const to_log = {log, sizeof log};
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    std::vector<int> ends = parts_of(m, groups);
    for (int v = 1; v < groups; ++v)
        ends[v] += ends[v - 1];
    int64_t const steps = k / 128, tall = n / 128;
    std::vector<float> const ones((size_t)(std::max<int64_t>(m, groups * tall) * steps), 1.0f);
    uint8_t *a[BUFFERS], *b[BUFFERS], *c[BUFFERS];
    int *places = nullptr;
    float *scale = nullptr;
    tsr_gpu_planned_gemm *plan[2][BUFFERS] = {};
    check_cuda(cudaMalloc(&places, groups * sizeof *places), "cudaMalloc");
    check_cuda(cudaMemcpy(places, ends.data(), groups * sizeof *places, cudaMemcpyHostToDevice), "cudaMemcpy");
    check_cuda(cudaMalloc(&scale, ones.size() * sizeof(float)), "cudaMalloc");
    check_cuda(cudaMemcpy(scale, ones.data(), ones.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
    tsr_engine const at = tsr_gmem_ptr(tsr_int((int64_t)scale), TSR_F32);
    tsr_tensor const scale_a =
        tsr_make_tensor(at, tsr_make_layout(tsr_t(m, tsr_t(128, steps)), tsr_t(1, tsr_t(0, m))));
    tsr_tensor const scale_b =
        tsr_make_tensor(at, tsr_make_layout(tsr_t(groups, tsr_t(128, tall), tsr_t(128, steps)),
                                            tsr_t(tall * steps, tsr_t(0, steps), tsr_t(0, 1))));
    for (int i = 0; i < BUFFERS; ++i) {
        a[i] = filled((size_t)m * k, TSR_F8_E4M3FN, 2 * i + 1);
        b[i] = filled((size_t)groups * n * k, TSR_F8_E4M3FN, 2 * i + 2);
        c[i] = filled((size_t)m * n, TSR_BF16, 9);
        for (int x = 0; x < 2; ++x)
            check_gpu(tsr_gpu_gemm_plan_rows(
                          &on.cache, &on.device, by_rows(a[i], TSR_F8_E4M3FN, m, k),
                          tsr_make_tensor(tsr_gmem_ptr(tsr_int((int64_t)b[i]), TSR_F8_E4M3FN),
                                          tsr_make_layout(tsr_t(groups, n, k), tsr_t((int64_t)n * k, k, 1))),
                          x ? &scale_a : nullptr, x ? &scale_b : nullptr, by_rows(c[i], TSR_BF16, m, n),
                          (uint64_t)places, &plain, &to_log, &plan[x][i]),
                      log);
    }
    std::vector<contestant> const all = {
        {"without", [&](int i) { check_gpu(tsr_gpu_gemm_run(plan[0][i], nullptr), ""); }},
        {"with scales", [&](int i) { check_gpu(tsr_gpu_gemm_run(plan[1][i], nullptr), ""); }}};
    char text[256], name[128];
    tsr_format_gpu_gemm(text, sizeof text, plan[1][0]);
    std::snprintf(name, sizeof name, "e4m3 %d rows of %d experts, N %d K %d", m, groups, n, k);
    show(name, 2e-9 * m * n * k, all, text);
    for (int i = 0; i < BUFFERS; ++i) {
        check_gpu(tsr_gpu_gemm_free(&plan[0][i]), "");
        check_gpu(tsr_gpu_gemm_free(&plan[1][i]), "");
        for (uint8_t *p : {a[i], b[i], c[i]})
            cudaFree(p);
    }
    cudaFree(scale);
    cudaFree(places);
}

/* f16 with K of A in another order than that of B (a copy, then the product), and in pieces (maps of five modes). */
static void permuted(engine &on, int size)
{
    static char log[16384];
    tsr_gpu_log const to_log = {log, sizeof log};
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    int const parts = size / 64, piece = size / 4;
    uint8_t *a[BUFFERS], *b[BUFFERS], *c[BUFFERS];
    tsr_gpu_planned_gemm *plan[3][BUFFERS] = {};
    tsr_layout const ways[] = {
        tsr_make_layout(tsr_t(size, size), tsr_t(size, 1)),
        tsr_make_layout(tsr_t(size, tsr_t(parts, 64)), tsr_t(size, tsr_t(64, 1))),
        tsr_make_layout(tsr_t(size, tsr_t(piece, 4)), tsr_t(piece, tsr_t(1, (int64_t)piece * size)))};
    for (int i = 0; i < BUFFERS; ++i) {
        a[i] = filled((size_t)size * size, TSR_F16, 2 * i + 1);
        b[i] = filled((size_t)size * size, TSR_F16, 2 * i + 2);
        c[i] = filled((size_t)size * size, TSR_F16, 9);
        for (int way = 0; way < 3; ++way)
            check_gpu(tsr_gpu_gemm_plan(&on.cache, &on.device,
                                        tsr_make_tensor(tsr_gmem_ptr(tsr_int((int64_t)a[i]), TSR_F16), ways[way]),
                                        by_rows(b[i], TSR_F16, size, size), by_rows(c[i], TSR_F16, size, size),
                                        &plain, &to_log, &plan[way][i]),
                      log);
    }
    std::vector<contestant> all;
    for (char const *name : {"plain", "K of A in another order", "K of A in pieces"}) {
        size_t const way = all.size();
        all.push_back({name, [&plan, way](int i) { check_gpu(tsr_gpu_gemm_run(plan[way][i], nullptr), ""); }});
    }
    char text[2][1024], name[128], both[2100];
    tsr_format_gpu_gemm(text[0], sizeof text[0], plan[1][0]);
    tsr_format_gpu_gemm(text[1], sizeof text[1], plan[2][0]);
    std::snprintf(both, sizeof both, "%s; %s", text[0], text[1]);
    std::snprintf(name, sizeof name, "f16 %d", size);
    show(name, 2e-9 * size * size * size, all, both);
    for (int i = 0; i < BUFFERS; ++i) {
        for (int way = 0; way < 3; ++way)
            check_gpu(tsr_gpu_gemm_free(&plan[way][i]), "");
        for (uint8_t *p : {a[i], b[i], c[i]})
            cudaFree(p);
    }
}

int main(int argc, char **argv)
{
    auto const wanted = [&](char const *what) { return argc < 2 || std::string(argv[1]) == what; };
    need_hopper();
    engine on;
    if (wanted("experts")) {
        experts(on, 8192, 8, 4096, 4096);
        experts(on, 4096, 8, 14336, 4096);
        experts(on, 16384, 64, 2048, 2048);
        experts(on, 512, 64, 2048, 4096);
    }
    if (wanted("blocks")) {
        blocks(on, 4096, 4096, 4096);
        blocks(on, 8192, 8192, 8192);
        blocks(on, 4096, 7168, 2048);
        blocks(on, 64, 7168, 2048);
        blocks_of_rows(on, 8192, 8, 4096, 7168);
        blocks_of_rows(on, 4096, 64, 4096, 2048);
    }
    if (wanted("permuted"))
        permuted(on, 4096);
    return 0;
}
