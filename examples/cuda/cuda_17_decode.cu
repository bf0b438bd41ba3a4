#include <cmath>
#include <vector>

#include "check.cuh"
#include "cuda_17_decode.cuh"

static uint16_t half(double x) { return (uint16_t)tsr_encode(TSR_F16, tsr_number_real(x)); }
static float number(uint16_t x) { return (float)tsr_number_to_double(tsr_decode(TSR_F16, x)); }

/* Numbers in [-1,1). */
static std::vector<uint16_t> noise(size_t count, unsigned seed)
{
    std::vector<uint16_t> r(count);
    for (uint16_t &x : r) {
        seed = seed * 1664525u + 1013904223u;
        x = half((double)(seed >> 8) / 8388608.0 - 1.0);
    }
    return r;
}

template <class T> static T *to_device(std::vector<T> const &x)
{
    void *r = nullptr;
    check_cuda(cudaMalloc(&r, x.size() * sizeof(T)), "cudaMalloc");
    check_cuda(cudaMemcpy(r, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    return (T *)r;
}

/* The largest error against a softmax in double, token by token. */
static double error(decode_problem const &p, std::vector<int> const &table, std::vector<int> const &length,
                    std::vector<uint16_t> const &q, std::vector<uint16_t> const &k, std::vector<uint16_t> const &v,
                    std::vector<uint16_t> const &o)
{
    int const D = decode_plan::D, group = p.heads / p.kv_heads;
    double worst = 0;
    for (size_t b = 0; b < length.size(); ++b)
        for (int h = 0; h < p.heads; ++h) {
            std::vector<double> sum(D);
            double all = 0;
            for (int i = 0; i < length[b]; ++i) {
                int64_t const row = (int64_t)table[b * p.pages + i / p.page] * p.page + i % p.page;
                int64_t const at = (row * p.kv_heads + h / group) * D;
                double s = 0;
                for (int d = 0; d < D; ++d)
                    s += (double)number(q[(b * p.heads + h) * D + d]) * number(k[at + d]);
                double const e = std::exp2(s * p.scale);
                all += e;
                for (int d = 0; d < D; ++d)
                    sum[d] += e * number(v[at + d]);
            }
            for (int d = 0; d < D; ++d)
                worst = std::fmax(worst, std::fabs(sum[d] / all - number(o[(b * p.heads + h) * D + d])));
        }
    return worst;
}

static bool run(int heads, int kv_heads, int page, std::vector<int> const &length, int splits, int blocks)
{
    int const D = decode_plan::D, batch = (int)length.size();
    int most = 0;
    for (int n : length)
        most = n > most ? n : most;
    int const pages = (most + page - 1) / page, all = batch * pages + 3;
    std::vector<int> table(batch * pages);
    for (int i = 0; i < (int)table.size(); ++i)
        table[i] = (i * 7 + 2) % all; /* anywhere */
    auto const q = noise((size_t)batch * heads * D, 1), k = noise((size_t)all * page * kv_heads * D, 2);
    auto v = noise(k.size(), 3), o = std::vector<uint16_t>(q.size());
    for (int b = 0; b < batch; ++b) /* what is behind the last token is no number */
        for (int i = length[b]; i < (length[b] + page - 1) / page * page; ++i)
            for (int d = 0; d < kv_heads * D; ++d)
                v[((size_t)table[b * pages + i / page] * page + i % page) * kv_heads * D + d] = 0x7e00;
    uint16_t *const dq = to_device(q), *const dk = to_device(k), *const dv = to_device(v), *const d_o = to_device(o);
    int *const dt = to_device(table), *const dl = to_device(length);
    float *const parts = to_device(std::vector<float>((size_t)batch * kv_heads * splits * decode_plan::part));
    int *const arrived = to_device(std::vector<int>(batch * kv_heads));
    decode_problem const p = {
        heads, kv_heads, page, pages, 1.4427f / std::sqrt((float)D), (tsr_f16 *)dq, (tsr_f16 *)d_o, dt, dl,
        parts, arrived,  0,    0};
    decode_launch l = {};
    need(make_decode(p, (tsr_f16 *)dk, (tsr_f16 *)dv, all, batch, splits, blocks, &l));
    for (int i = 0; i < 2; ++i)
        run_decode(l, nullptr);
    check_cuda(cudaGetLastError(), "decode");
    check_cuda(cudaMemcpy(o.data(), d_o, o.size() * 2, cudaMemcpyDeviceToHost), "decode");
    double const worst = error(p, table, length, q, k, v, o);
    std::printf("decode %d sequences of up to %4d tokens, %2d heads on %d, pages of %3d, %d splits: %s\n", batch,
                most, heads, kv_heads, page, splits, worst < 1e-3 ? "as the reference" : "WRONG");
    if (!(worst < 1e-3))
        std::printf("the largest error is %g\n", worst);
    cudaFree(dq), cudaFree(dk), cudaFree(dv), cudaFree(d_o), cudaFree(dt), cudaFree(dl), cudaFree(parts),
        cudaFree(arrived);
    return worst < 1e-3;
}

int main()
{
    need_hopper();
    check_cuda(cudaFree(nullptr), "a context"); /* the maps are made by the driver */
    bool good = run(8, 1, 64, {64}, 1, 264);
    good = run(32, 8, 16, {100, 1, 333, 64, 257}, 1, 7) && good;
    good = run(16, 2, 64, {1000, 17, 640}, 4, 264) && good;
    good = run(16, 1, 128, {500, 501}, 8, 264) && good;
    good = run(4, 4, 32, {5, 1500}, 3, 11) && good;
    return good ? 0 : 1;
}
