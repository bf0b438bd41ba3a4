#include <vector>

#include "check.cuh"
#include "cuda_19_w4a16.cuh"

/* Weights -8 to 7 and scales 1/4, 1/2, 1, so that all sums are exact. */
static int weight(int n, int k)
{
    return (int)(((unsigned)n * 2654435761u ^ (unsigned)k * 2246822519u) >> 13) % 8 * 2 - 8 + (n + k) % 2;
}
static float scale_of(int n, int g) { return (float)(1 << (n + 3 * g) % 3) / 4.0f; }

static uint16_t half(double x) { return (uint16_t)tsr_encode(TSR_F16, tsr_number_real(x)); }

/* W as it is written down, (N,K) by rows, becomes W as it is read: one copy between two layouts. */
static std::vector<unsigned char> packed(int n, int k)
{
    std::vector<unsigned char> plain((size_t)n * k / 2), r(plain.size());
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < k; ++j)
            plain[((size_t)i * k + j) / 2] |= (unsigned char)((weight(i, j) & 15) << 4 * (j % 2));
    need(tsr_copy(tsr_make_tensor(tsr_make_ptr(plain.data(), TSR_I4), tsr_make_layout(tsr_t(n, k), tsr_right())),
                  tsr_make_tensor(tsr_make_ptr(r.data(), TSR_I4), w4_packed(n, k))));
    return r;
}

static std::vector<uint16_t> scales(int n, int k)
{
    std::vector<uint16_t> r((size_t)n * (k / w4_group));
    tsr_layout const at = w4_scales(n, k);
    for (int i = 0; i < n; ++i)
        for (int g = 0; g < k / w4_group; ++g)
            r[(size_t)tsr_at_coord(at, tsr_t(i, g))] = (uint16_t)(0x3400 + 0x400 * ((i + 3 * g) % 3)); /* scale_of */
    return r;
}

template <class T> static T *to_device(std::vector<T> const &x)
{
    void *r = nullptr;
    check_cuda(cudaMalloc(&r, x.size() * sizeof(T)), "cudaMalloc");
    check_cuda(cudaMemcpy(r, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    return (T *)r;
}

/* The elements of D that differ from three loops. */
static int differences(std::vector<uint16_t> const &d, int m, int n, int k)
{
    int wrong = 0;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; j += 1 + (j * 7 + i) % 5) {
            float sum = 0;
            for (int e = 0; e < k; ++e)
                sum += (float)((i * 3 + e) % 5 - 2) * (float)weight(j, e) * scale_of(j, e / w4_group);
            wrong += d[(size_t)i * n + j] != half(sum);
        }
    return wrong;
}

static bool run(int m, int n, int k, int blocks)
{
    matrix<tsr_f16, 1> x(m, k);
    std::vector<uint16_t> hx((size_t)m * k), hd((size_t)m * n);
    for (int i = 0; i < m; ++i)
        for (int e = 0; e < k; ++e)
            hx[(size_t)i * k + e] = half((i * 3 + e) % 5 - 2);
    check_cuda(cudaMemcpy(x.data, hx.data(), hx.size() * 2, cudaMemcpyHostToDevice), "cudaMemcpy");
    unsigned char *const w = to_device(packed(n, k));
    uint16_t *const scale = to_device(scales(n, k)), *const d = to_device(hd);
    float *const part = to_device(std::vector<float>((size_t)w4_part(m, blocks)));
    int *const arrived = to_device(std::vector<int>((size_t)n / w4_rows));
    w4_launch l = {};
    l.problem = {m, n, k, w, (tsr_f16 const *)scale, {(tsr_f16 *)d, {n, m}, {1, n}}, part, arrived, 0, 0, 0};
    need(make_w4(x.view(), blocks, &l));
    for (int i = 0; i < 3; ++i) /* one behind the other, as a model runs them */
        run_w4(l, nullptr);
    check_cuda(cudaGetLastError(), "w4_product");
    check_cuda(cudaDeviceSynchronize(), "w4_product");
    check_cuda(cudaMemcpy(hd.data(), d, hd.size() * 2, cudaMemcpyDeviceToHost), "cudaMemcpy");
    int const wrong = differences(hd, m, n, k);
    std::printf("w4_product %2d x %4d x %4d in %3d blocks: %s\n", m, n, k, blocks,
                wrong == 0 ? "equal to the reference" : "WRONG");
    cudaFree(w), cudaFree(scale), cudaFree(d), cudaFree(part), cudaFree(arrived);
    return wrong == 0;
}

int main()
{
    need_hopper();
    check_cuda(cudaFree(nullptr), "a context"); /* the maps are made by the driver */
    bool good = true;
    static int const cases[][4] = {{1, 256, 128, 1},    {8, 512, 1024, 16},  {5, 1024, 1152, 7}, {16, 512, 2048, 132},
                                   {13, 768, 384, 132}, {32, 512, 1024, 11}, {17, 256, 2048, 5}, {64, 512, 1024, 132},
                                   {50, 768, 640, 4},   {3, 256, 16384, 2},  {9, 256, 16384, 3}, {20, 256, 8192, 1},
                                   {7, 1024, 1152, 37}, {16, 512, 4096, 20}};
    for (auto const &c : cases)
        good = run(c[0], c[1], c[2], c[3]) && good;
    return good ? 0 : 1;
}
