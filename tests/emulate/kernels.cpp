/** Kernels of tcgen05 in the emulator, under every schedule: the bytes of a plain product. */
#include "tessera/emulate/run.h"

#include "dense.cuh"
#include "tessera/cuda/half.cuh"

static char const *const schedules[] = {"at once", "late", "at random"};

static unsigned next_random()
{
    static unsigned x = 7;
    x = x * 1664525u + 1013904223u;
    return x >> 8;
}

/** The byte of element (row, k) of a tile with rows of 128 bytes, swizzled. */
static size_t place(int row, int byte)
{
    return (size_t)(row / 8 * 1024 + row % 8 * 128 + (byte / 16 ^ row % 8) * 16 + byte % 16);
}

/** Runs a kernel under every schedule; how many went wrong. */
template <class Kernel>
static int try_kernel(char const *name, tsr_emulated_launch l, std::vector<float> &got, std::vector<float> const &want, Kernel kernel)
{
    int bad = 0;
    for (int i = 0; i < TSR_SCHEDULES; ++i) {
        l.schedule = (tsr_emulated_schedule)i;
        l.seed = 3;
        got.assign(got.size(), -1);
        std::vector<std::string> const refused = tsr_emulate(l, kernel);
        bool const same = memcmp(got.data(), want.data(), 4 * want.size()) == 0;
        for (std::string const &x : refused)
            printf("%s, %s: %s\n", name, schedules[i], x.c_str());
        if (!same)
            printf("%s, %s: wrong bytes\n", name, schedules[i]);
        bad += !same || !refused.empty();
    }
    return bad;
}

template <int Ctas> static int try_dense()
{
    int const tiles = 3, M = 128 * Ctas, N = 128, K = 64 * tiles;
    typedef dense<Ctas> plan;
    std::vector<uint8_t> A((size_t)(tiles * Ctas * plan::a)), B((size_t)(tiles * Ctas * plan::b));
    std::vector<float> a((size_t)(M * K)), b((size_t)(N * K)), got((size_t)(M * N)), want(got);
    for (int pass = 0; pass < 2; ++pass)
        for (int r = 0; r < (pass ? N : M); ++r)
            for (int k = 0; k < K; ++k) {
                float const x = (float)((int)(next_random() % 17) - 8);
                int const rows = pass ? N / Ctas : 128, bytes = pass ? (int)plan::b : (int)plan::a;
                uint16_t const h = tsr_f16(x).bits;
                (pass ? b : a)[(size_t)(r * K + k)] = x;
                memcpy(&(pass ? B : A)[(size_t)((k / 64 * Ctas + r / rows) * bytes) + place(r % rows, k % 64 * 2)], &h, 2);
            }
    for (int m = 0; m < M; ++m)
        for (int n = 0; n < N; ++n)
            for (int k = 0; k < K; ++k)
                want[(size_t)(m * N + n)] += a[(size_t)(m * K + k)] * b[(size_t)(n * K + k)];
    tsr_emulated_launch l;
    l.grid = l.cluster = Ctas;
    l.threads = plan::threads;
    l.shared = plan::stages * plan::size + (int)sizeof(dense_state);
    return try_kernel(Ctas == 1 ? "dense, one CTA" : "dense, a pair", l, got, want,
                      [&] { dense_product<Ctas>(A.data(), B.data(), got.data(), tiles); });
}

int main()
{
    int const bad = try_dense<1>() + try_dense<2>();
    printf(bad ? "%d runs failed\n" : "ok\n", bad);
    return bad != 0;
}
