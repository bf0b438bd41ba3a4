#include "check.cuh"
#include "cuda_21_nvfp4.cuh"

#include <tessera/atom/scales.h>
#include <tessera/cuda/map.cuh>

#include <vector>

/* A matrix of e2m1 by rows, two to a byte, and its scales of ue4m3, linear and in tiles. */
struct quantized {
    int rows, k;
    std::vector<uint8_t> numbers, scales, tiles;
    uint8_t *device = nullptr, *device_tiles = nullptr;

    quantized(int rows_, int k_, unsigned seed)
        : rows(rows_),
          k(k_),
          numbers((size_t)rows * k / 2),
          scales((size_t)rows * k / 16),
          tiles((size_t)tsr_scales_bytes(rows, k / 16, 128))
    {
        for (size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
        for (size_t i = 0; i < scales.size(); ++i)
            scales[i] = (uint8_t)(0x30 + (((seed = seed * 1664525 + 1013904223) >> 24) % 3) * 8); /* 1/2, 1, 2 */
        tsr_scales_pack(tiles.data(), scales.data(), rows, k / 16, k / 16, 128);
        check_cuda(cudaMalloc(&device, numbers.size()), "cudaMalloc");
        check_cuda(cudaMalloc(&device_tiles, tiles.size()), "cudaMalloc");
        check_cuda(cudaMemcpy(device, numbers.data(), numbers.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
        check_cuda(cudaMemcpy(device_tiles, tiles.data(), tiles.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    ~quantized()
    {
        cudaFree(device);
        cudaFree(device_tiles);
    }
    quantized(quantized const &) = delete;

    tsr_global<uint8_t, 2, 1> bytes() const { return {device, {rows, k / 2}, {k / 2, 1}}; }
    tsr_global<uint8_t, 2, 1> lines() const { return {device_tiles, {(int)tiles.size() / 128, 128}, {128, 1}}; }
    float at(int i, int j) const
    {
        static float const values[] = {0, .5f, 1, 1.5f, 2, 3, 4, 6};
        int const code = numbers[((size_t)i * k + j) / 2] >> j % 2 * 4 & 15;
        float const scale = (float)(1 << (scales[((size_t)i * k + j) / 16] - 0x30) / 8) / 2;
        return (code & 8 ? -1 : 1) * values[code & 7] * scale;
    }
};

/* Why a map is refused, or no reason; errors of the launch are CUDA's. */
template <int Ctas> static tsr_reason run_nvfp4(quantized const &A, quantized const &B, tsr_global<float, 2, 1> C)
{
    typedef nvfp4_plan<Ctas> plan;
    tsr_tma_map a, b, sfa, sfb;
    tsr_reason const why[] = {
        tsr_make_tma_map(A.bytes(), plan::load_a, &a), tsr_make_tma_map(B.bytes(), plan::load_b, &b),
        tsr_make_tma_map(A.lines(), plan::load_scales, &sfa), tsr_make_tma_map(B.lines(), plan::load_scales, &sfb)};
    for (tsr_reason const &w : why)
        if (!tsr_ok(w))
            return w;
    dim3 const grid((C.extent[0] + plan::M - 1) / plan::M * Ctas, (C.extent[1] + plan::N - 1) / plan::N);
    cudaFuncSetAttribute(nvfp4<Ctas>, cudaFuncAttributeMaxDynamicSharedMemorySize, plan::bytes);
    nvfp4<Ctas><<<grid, plan::threads, plan::bytes>>>(a, b, sfa, sfb, C, A.k);
    return tsr_no_reason();
}

template <int Ctas> static bool try_nvfp4(char const *name, int M, int N, int K)
{
    quantized const A(M, K, 1), B(N, K, 2);
    matrix<float, 1> C(M, N, 4);
    need(run_nvfp4<Ctas>(A, B, C.tensor()));
    check_cuda(cudaGetLastError(), name);
    std::vector<float> result((size_t)C.size());
    check_cuda(cudaMemcpy(result.data(), C.data, result.size() * sizeof(float), cudaMemcpyDeviceToHost), name);
    bool same = true;
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
            float sum = 0; /* sums of few bits: any order is exact */
            for (int k = 0; k < K; ++k)
                sum += A.at(i, k) * B.at(j, k);
            same = same && sum == result[(size_t)(i * C.pitch + j)];
        }
    std::printf("%s %3d x %3d x %4d: %s\n", name, M, N, K, same ? "equal to the reference" : "WRONG");
    return same;
}

int main()
{
    need_blackwell();
    check_cuda(cudaFree(nullptr), "a context"); /* the maps are made by the driver */
    bool good = true;
    for (int const m : {128, 200, 385}) {
        good = try_nvfp4<1>("nvfp4 of one CTA", m, 136, 512) && good;
        good = try_nvfp4<2>("nvfp4 of a pair ", m, 136, 512) && good;
    }
    return good ? 0 : 1;
}
