#include "check.cuh"
#include "cuda_23_sm120.cuh"

#include <vector>

/* A matrix by rows of `Bits`-bit codes, and a word of four scales for every 128 of them. Values are small, so that sums
 * of any order are exact. */
template <int Bits> struct quantized {
    int rows, k;
    std::vector<uint8_t> numbers, scales;
    uint8_t *device = nullptr, *device_scales = nullptr;

    quantized(int rows_, int k_, unsigned seed)
        : rows(rows_), k(k_), numbers((size_t)rows * k * Bits / 8), scales((size_t)rows * words() * 4)
    {
        static uint8_t const e4m3[] = {0x00, 0x30, 0x38, 0x3c,
                                       0x40, 0xb8, 0xb0, 0xc0}; /* 0, 1/2, 1, 1.5, 2, -1, .. */
        for (size_t i = 0; i < numbers.size(); ++i) {
            unsigned const x = (seed = seed * 1664525 + 1013904223) >> 24;
            numbers[i] = Bits == 8 ? e4m3[x % 8] : (uint8_t)x;
        }
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < (k + 31) / 32; ++j)
                scales[(size_t)i * words() * 4 + j] =
                    (uint8_t)(126 + ((seed = seed * 1664525 + 1013904223) >> 24) % 3);
        check_cuda(cudaMalloc(&device, numbers.size()), "cudaMalloc");
        check_cuda(cudaMalloc(&device_scales, scales.size()), "cudaMalloc");
        check_cuda(cudaMemcpy(device, numbers.data(), numbers.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
        check_cuda(cudaMemcpy(device_scales, scales.data(), scales.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    ~quantized()
    {
        cudaFree(device);
        cudaFree(device_scales);
    }
    quantized(quantized const &) = delete;

    int words() const { return (k + 127) / 128; }
    tsr_global<uint8_t const, 2, 1> bytes() const { return {device, {rows, k * Bits / 8}, {k * Bits / 8, 1}}; }
    tsr_global<uint32_t const, 2, 1> scale_words() const
    {
        return {reinterpret_cast<uint32_t const *>(device_scales), {rows, words()}, {words(), 1}};
    }
    float at(int i, int j) const
    {
        size_t const index = (size_t)i * k + j;
        int const code = Bits == 8 ? numbers[index] : numbers[index / 2] >> j % 2 * 4 & 15;
        tsr_dtype const type = Bits == 8 ? TSR_F8_E4M3FN : TSR_F4_E2M1;
        float const scale = (float)(1 << (scales[(size_t)i * words() * 4 + j / 32] - 126)) / 2;
        return (float)tsr_number_to_double(tsr_decode(type, (uint64_t)code)) * scale;
    }
};

/* Why the launch is refused, or no reason. */
static tsr_reason run_mxf8f6f4(quantized<8> const &A, quantized<4> const &B, tsr_global<float, 2, 1> C)
{
    using plan = mxf8f6f4_plan;
    tsr_reason const why[] = {A.bytes().wide(16), B.bytes().wide(8), C.wide(8)};
    for (tsr_reason const &w : why)
        if (!tsr_ok(w))
            return w;
    dim3 const blocks((C.extent[0] + plan::M - 1) / plan::M, (C.extent[1] + plan::N - 1) / plan::N);
    cudaFuncSetAttribute(mxf8f6f4, cudaFuncAttributeMaxDynamicSharedMemorySize, plan::bytes);
    mxf8f6f4<<<blocks, plan::threads, plan::bytes>>>(A.bytes(), B.bytes(), A.scale_words(), B.scale_words(), C);
    return tsr_no_reason();
}

static bool try_mxf8f6f4(int M, int N, int K)
{
    quantized<8> const A(M, K, 1);
    quantized<4> const B(N, K, 2);
    matrix<float, 1> C(M, N, 4);
    need(run_mxf8f6f4(A, B, C.tensor()));
    check_cuda(cudaGetLastError(), "mxf8f6f4");
    std::vector<float> result((size_t)C.size());
    check_cuda(cudaMemcpy(result.data(), C.data, result.size() * sizeof(float), cudaMemcpyDeviceToHost), "mxf8f6f4");
    bool same = true;
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
            float sum = 0;
            for (int k = 0; k < K; ++k)
                sum += A.at(i, k) * B.at(j, k);
            same = same && sum == result[(size_t)(i * C.pitch + j)];
        }
    std::printf("mxf8f6f4 %3d x %3d x %4d: %s\n", M, N, K, same ? "equal to the reference" : "WRONG");
    return same;
}

int main()
{
    need_capability(12, 12);
    bool const good = try_mxf8f6f4(128, 128, 512) && try_mxf8f6f4(200, 136, 160) && try_mxf8f6f4(385, 264, 1024);
    return good ? 0 : 1;
}
