#include "check.cuh"
#include "cuda_25_kv_write.cuh"

#include <cmath>
#include <vector>

/* The bits of a bf16, and its number. */
static uint16_t bits_of(double x) { return (uint16_t)tsr_encode(TSR_BF16, tsr_number_real(x)); }
static float number_of(uint16_t bits) { return (float)tsr_number_to_double(tsr_decode(TSR_BF16, bits)); }

template <class T> static T *copied(std::vector<T> const &x)
{
    T *r = nullptr;
    check_cuda(cudaMalloc(&r, x.size() * sizeof(T)), "cudaMalloc");
    check_cuda(cudaMemcpy(r, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    return r;
}

/* How many elements of a cache are wrong: `want` is -1 where nobody writes. */
static int wrong_of(uint16_t *cache, std::vector<float> const &want, float tolerance)
{
    std::vector<uint16_t> got(want.size());
    int wrong = 0;
    check_cuda(cudaMemcpy(got.data(), cache, got.size() * sizeof(uint16_t), cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (size_t i = 0; i < want.size(); ++i)
        wrong += !(std::fabs(number_of(got[i]) - want[i]) <= tolerance * (1 + std::fabs(want[i])));
    return wrong;
}

template <int Heads> static bool try_tokens(int tokens, int slots)
{
    int const rows = tokens * Heads, D = 128, positions = 500;
    std::vector<uint16_t> keys((size_t)rows * D), values(keys.size()), weight(D),
        empty((size_t)slots * Heads * D, bits_of(-1));
    std::vector<float> angles((size_t)positions * D), want_k(empty.size(), -1.0f), want_v(want_k);
    std::vector<int> slot((size_t)tokens), position((size_t)tokens);
    unsigned state = 1;
    auto const number = [&] { return (float)((state = state * 1664525u + 1013904223u) >> 20) / 1024 - 2; };
    for (size_t i = 0; i < keys.size(); ++i)
        keys[i] = bits_of(number()), values[i] = bits_of(number());
    for (uint16_t &x : weight)
        x = bits_of(number());
    for (int p = 0; p < positions; ++p)
        for (int i = 0; i < D / 2; ++i) {
            double const angle = p * std::pow(10000.0, -2.0 * i / D);
            angles[(size_t)(p * D + i)] = (float)std::cos(angle);
            angles[(size_t)(p * D + 64 + i)] = (float)std::sin(angle);
        }
    for (int i = 0; i < tokens; ++i) {
        slot[(size_t)i] = i % 5 == 4 ? -1 : (int)((int64_t)i * 37 % slots); /* slots is prime: all differ */
        position[(size_t)i] = i * 7 % positions;
    }
    for (int row = 0; row < rows; ++row) {
        int const token = row / Heads, s = slot[(size_t)token];
        double squares = 0;
        for (int j = 0; j < D; ++j)
            squares += std::pow(number_of(keys[(size_t)(row * D + j)]), 2);
        for (int j = 0; j < D && s >= 0; ++j) {
            size_t const to = ((size_t)s * Heads + row % Heads) * D + j;
            float const *const turn = &angles[(size_t)position[(size_t)token] * D];
            auto const key = [&](int i) {
                return number_of(keys[(size_t)(row * D + i)]) / std::sqrt(squares / D + 1e-6)
                       * number_of(weight[(size_t)i]);
            };
            double const k = j < 64 ? key(j) * turn[j] - key(j + 64) * turn[j + 64]
                                    : key(j) * turn[j - 64] + key(j - 64) * turn[j];
            want_k[to] = number_of(bits_of(k));
            want_v[to] = number_of(values[(size_t)(row * D + j)]);
        }
    }
    uint16_t *const k = copied(keys), *const v = copied(values), *const w = copied(weight), *const ck = copied(empty),
                    *const cv = copied(empty);
    float *const a = copied(angles);
    int *const s = copied(slot), *const p = copied(position);
    auto const of = [](uint16_t *bits) { return reinterpret_cast<tsr_bf16 *>(bits); };
    kv_arguments<Heads> const x = {{of(k), {rows, D}, {D, 1}},
                                   {of(v), {rows, D}, {D, 1}},
                                   {of(w), {rows, D}, {0, 1}},
                                   {a, p, {rows, D}, D, 0},
                                   {of(ck), s, {rows, D}, Heads * D, D},
                                   {of(cv), s, {rows, D}, Heads * D, D},
                                   1e-6f};
    need(run_kv_write(x));
    check_cuda(cudaGetLastError(), "launch");
    check_cuda(cudaDeviceSynchronize(), "run");
    int const wrong = wrong_of(ck, want_k, 1.0f / 128) + wrong_of(cv, want_v, 0);
    std::printf("%4d tokens of %2d heads: %s\n", tokens, Heads, wrong ? "WRONG" : "right");
    for (void *x : {(void *)k, (void *)v, (void *)w, (void *)ck, (void *)cv, (void *)a, (void *)s, (void *)p})
        check_cuda(cudaFree(x), "cudaFree");
    return wrong == 0;
}

int main()
{
    need_hopper();
    bool good = true;
    for (int tokens : {1, 3, 100, 777})
        good = good & try_tokens<8>(tokens, 1009) & try_tokens<1>(tokens, 1009) & try_tokens<5>(tokens, 1009);
    return !good;
}
