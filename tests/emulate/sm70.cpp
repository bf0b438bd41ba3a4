/** The port of CUTLASS's sgemm_sm70 in the emulator: both ways of the operands, sizes that no tile divides, alpha and
 *  beta. It takes no verb of Blackwell, and the emulator runs it all the same. */
#include "tessera/emulate/run.h"

#include "../../examples/cuda/cuda_26_sm70.cuh"
#include "product.h"

template <int UnitA, int UnitB> static int try_sm70(char const *name, int M, int N, int K)
{
    float const alpha = 2, beta = -1;
    std::vector<double> a((size_t)(M * K)), b((size_t)(N * K));
    int const rows_a = (M + 3) / 4 * 4, rows_b = (N + 3) / 4 * 4; /* accesses of 16 bytes along M or N */
    std::vector<float> A((size_t)(rows_a * K)), B((size_t)(rows_b * K)), C((size_t)(M * N)), got(C), want(C);
    for (int i = 0; i < M * K; ++i) {
        a[(size_t)i] = next_integer(8);
        A[(size_t)(UnitA == 0 ? i / K + i % K * rows_a : i)] = (float)a[(size_t)i];
    }
    for (int i = 0; i < N * K; ++i) {
        b[(size_t)i] = next_integer(8);
        B[(size_t)(UnitB == 0 ? i / K + i % K * rows_b : i)] = (float)b[(size_t)i];
    }
    for (float &c : C)
        c = (float)next_integer(100);
    std::vector<double> const c = plain_product(a, b, M, N, K);
    for (int i = 0; i < M * N; ++i)
        want[(size_t)(i / N + i % N * M)] = alpha * (float)c[(size_t)i] + beta * C[(size_t)(i / N + i % N * M)];

    tsr_global<float const, 2, UnitA> const from_a = {
        A.data(), {M, K}, {UnitA == 0 ? 1 : K, UnitA == 0 ? rows_a : 1}};
    tsr_global<float const, 2, UnitB> const from_b = {
        B.data(), {N, K}, {UnitB == 0 ? 1 : K, UnitB == 0 ? rows_b : 1}};
    tsr_global<float, 2, 0> const to = {got.data(), {M, N}, {1, M}};
    tsr_emulated_launch l;
    l.grid = dim3((unsigned)(M + 127) / 128, (unsigned)(N + 127) / 128);
    l.threads = sm70_plan::threads;
    l.shared = sizeof(sm70_shared<UnitA, UnitB>);
    int bad = 0;
    for (int i = 0; i < TSR_SCHEDULES; ++i) {
        l.schedule = (tsr_emulated_schedule)i;
        got = C;
        for (std::string const &x : tsr_emulate(l, [&] { sm70(from_a, from_b, to, alpha, beta); }))
            printf("%s, %s: %s\n", name, schedules[i], x.c_str()), ++bad;
        if (memcmp(got.data(), want.data(), got.size() * sizeof(float)) != 0)
            printf("%s, %s: wrong bytes\n", name, schedules[i]), ++bad;
    }
    return bad;
}

int main()
{
    int const bad = try_sm70<0, 0>("NT", 130, 65, 20) + try_sm70<1, 1>("TN", 130, 65, 20)
                    + try_sm70<0, 1>("NN", 1, 129, 8) + try_sm70<1, 0>("TT", 128, 128, 3);
    printf(bad ? "%d runs failed\n" : "ok\n", bad);
    return bad != 0;
}
