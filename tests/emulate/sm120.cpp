/** The product of sm_120 in the emulator: e4m3 by e2m1 with block scales, edges in M, N and K. */
#include "tessera/emulate/run.h"

#include "../../examples/cuda/cuda_23_sm120.cuh"
#include "product.h"

/** Random codes by rows and their scales, a word for 128 of them; the values of both together. */
struct operand {
    int rows, k, words;
    std::vector<uint8_t> codes, scales;
    std::vector<double> values;

    operand(int rows_, int k_, tsr_dtype type)
        : rows(rows_),
          k(k_),
          words((k + 127) / 128),
          codes((size_t)(rows * k * tsr_dtype_bits(type) / 8)),
          scales((size_t)(rows * words * 4)),
          values((size_t)(rows * k))
    {
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < k; ++j) {
                uint8_t &scale = scales[(size_t)(4 * i * words + j / 32)];
                scale = j % 32 ? scale : (uint8_t)(125 + next_random() % 5);
                set(i * k + j, type, tsr_number_to_double(tsr_decode(TSR_F8_E8M0, scale)));
            }
    }
    void set(int at, tsr_dtype type, double scale)
    {
        static double const few[] = {0, .5, 1, 1.5, 2, 3, 4, 6};
        unsigned const x = next_random();
        uint64_t const code = tsr_encode(type, tsr_number_real(few[x % 8] * (x & 8 ? -1 : 1)));
        int const bits = tsr_dtype_bits(type), bit = at * bits % 8;
        uint8_t &byte = codes[(size_t)(at * bits / 8)];
        byte = (uint8_t)(byte | code << bit);
        values[(size_t)at] = tsr_number_to_double(tsr_decode(type, code)) * scale;
    }
    uint32_t const *scale_words() const { return reinterpret_cast<uint32_t const *>(scales.data()); }
};

static int try_product(int M, int N, int K)
{
    operand const a(M, K, TSR_F8_E4M3FN), b(N, K, TSR_F4_E2M1);
    std::vector<double> const sums = plain_product(a.values, b.values, M, N, K);
    std::vector<float> const want(sums.begin(), sums.end());
    std::vector<float> got(want.size());
    tsr_emulated_launch l;
    l.grid = dim3((unsigned)(M + 127) / 128, (unsigned)(N + 127) / 128);
    l.threads = mxf8f6f4_plan::threads;
    l.shared = mxf8f6f4_plan::bytes;
    return try_kernel("mxf8f6f4", l, got, want, [&] {
        mxf8f6f4({a.codes.data(), {M, K}, {K, 1}}, {b.codes.data(), {N, K / 2}, {K / 2, 1}},
                 {a.scale_words(), {M, a.words}, {a.words, 1}}, {b.scale_words(), {N, b.words}, {b.words, 1}},
                 {got.data(), {M, N}, {N, 1}});
    });
}

int main()
{
    int const bad = try_product(128, 128, 128) + try_product(200, 72, 224);
    printf(bad ? "%d runs failed\n" : "ok\n", bad);
    return bad != 0;
}
