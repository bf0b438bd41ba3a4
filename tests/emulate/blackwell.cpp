/** The examples cuda_20_umma and cuda_21_nvfp4 in the emulator, under every schedule: the bytes of a plain product. */
#include "tessera/emulate/run.h"

#include "../../examples/cuda/cuda_20_umma.cuh"
#include "../../examples/cuda/cuda_21_nvfp4.cuh"
#include "tessera/cuda/map.cuh"
#include "product.h"

/** The map of a matrix for a tile of it. */
template <class T> static tsr_tma_map map_of(tsr_global<T, 2, 1> x, tsr_layout const &smem)
{
    tsr_tma_map map;
    tsr_reason const why = tsr_make_tma_map(x, smem, &map);
    if (!tsr_ok(why))
        tsr_print(stdout, why);
    return map;
}

/** One cluster and four tiles, three of them ragged: each sum is used twice. */
static int try_umma(void)
{
    typedef umma_plan<128> plan;
    int const M = 300, N = 200, K = 64 * 7;
    std::vector<tsr_bf16> A((size_t)(M * K)), B((size_t)(N * K)), C((size_t)(M * N)), want(C);
    std::vector<double> a((size_t)(M * K)), b((size_t)(N * K));
    for (size_t i = 0; i < a.size(); ++i)
        A[i] = tsr_bf16((float)(a[i] = next_integer(3)));
    for (size_t i = 0; i < b.size(); ++i)
        B[i] = tsr_bf16((float)(b[i] = next_integer(3)));
    std::vector<double> const sums = plain_product(a, b, M, N, K);
    for (size_t i = 0; i < want.size(); ++i)
        want[i] = tsr_bf16((float)sums[i]);
    tsr_global<tsr_bf16, 2, 1> const ga = {A.data(), {M, K}, {K, 1}}, gb = {B.data(), {N, K}, {K, 1}},
                                     gc = {C.data(), {M, N}, {N, 1}};
    tsr_tma_map const ma = map_of(ga, plan::a), mb = map_of(gb, plan::b);
    tsr_emulated_launch l;
    l.grid = l.cluster = 2;
    l.threads = plan::threads;
    l.shared = plan::bytes;
    return try_kernel("umma", l, C, want, [&] { umma<128>(ma, mb, gc, K); });
}

struct quantized {
    std::vector<uint8_t> numbers, scales, tiles;
    std::vector<double> values;
    quantized(int rows, int k)
        : numbers((size_t)(rows * k / 2)),
          scales((size_t)(rows * k / 16)),
          tiles((size_t)tsr_scales_bytes(rows, k / 16, 128)),
          values((size_t)(rows * k))
    {
        for (uint8_t &x : numbers)
            x = (uint8_t)next_random();
        for (uint8_t &x : scales)
            x = (uint8_t)(0x30 + next_random() % 3 * 8); /* 1/2, 1, 2 */
        tsr_scales_pack(tiles.data(), scales.data(), rows, k / 16, k / 16, 128);
        for (size_t i = 0; i < values.size(); ++i)
            values[i] = tsr_number_to_double(tsr_decode(TSR_F4_E2M1, numbers[i / 2] >> i % 2 * 4 & 15))
                        * tsr_number_to_double(tsr_decode(TSR_UE4M3, scales[i / 16]));
    }
};

template <int Ctas> static int try_nvfp4(void)
{
    typedef nvfp4_plan<Ctas> plan;
    int const M = 128 * Ctas, N = 256, K = 256 * 5;
    quantized A(M, K), B(N, K);
    std::vector<float> C((size_t)(M * N)), want(C);
    std::vector<double> const sums = plain_product(A.values, B.values, M, N, K);
    for (size_t i = 0; i < want.size(); ++i)
        want[i] = (float)sums[i];
    tsr_global<uint8_t, 2, 1> const na = {A.numbers.data(), {M, K / 2}, {K / 2, 1}},
                                    nb = {B.numbers.data(), {N, K / 2}, {K / 2, 1}},
                                    sa = {A.tiles.data(), {(int)A.tiles.size() / 128, 128}, {128, 1}},
                                    sb = {B.tiles.data(), {(int)B.tiles.size() / 128, 128}, {128, 1}};
    tsr_tma_map const maps[] = {map_of(na, plan::load_a), map_of(nb, plan::load_b), map_of(sa, plan::load_scales),
                                map_of(sb, plan::load_scales)};
    tsr_emulated_launch l;
    l.grid = dim3(Ctas, 2);
    l.cluster = Ctas;
    l.threads = plan::threads;
    l.shared = plan::bytes;
    tsr_global<float, 2, 1> const gc = {C.data(), {M, N}, {N, 1}};
    return try_kernel(Ctas == 1 ? "nvfp4" : "nvfp4 of a pair", l, C, want,
                      [&] { nvfp4<Ctas>(maps[0], maps[1], maps[2], maps[3], gc, K); });
}

int main(int arguments, char **argument)
{
    std::string const which = arguments > 1 ? argument[1] : "";
    int bad = 0;
    if (which.empty() || which == "umma")
        bad += try_umma();
    if (which.empty() || which == "nvfp4")
        bad += try_nvfp4<1>() + try_nvfp4<2>();
    printf(bad ? "%d runs failed\n" : "ok\n", bad);
    return bad != 0;
}
