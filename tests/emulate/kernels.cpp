/** Kernels of tcgen05 in the emulator, under every schedule: the bytes of a plain product. */
#include "tessera/emulate/run.h"

#include "dense.cuh"
#include "product.h"
#include "tessera/cuda/half.cuh"

/** The byte of element (row, k) of a tile with rows of 128 bytes, swizzled. */
static size_t place(int row, int byte)
{
    return (size_t)(row / 8 * 1024 + row % 8 * 128 + (byte / 16 ^ row % 8) * 16 + byte % 16);
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
                float const x = (float)next_integer(8);
                int const rows = pass ? N / Ctas : 128, bytes = pass ? (int)plan::b : (int)plan::a;
                uint16_t const h = tsr_f16(x).bits;
                (pass ? b : a)[(size_t)(r * K + k)] = x;
                memcpy(&(pass ? B : A)[(size_t)((k / 64 * Ctas + r / rows) * bytes) + place(r % rows, k % 64 * 2)],
                       &h, 2);
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
