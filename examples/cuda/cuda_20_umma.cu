#include "check.cuh"
#include "cuda_20_umma.cuh"

#include <tessera/cuda/map.cuh>

/* Why a map is refused, or no reason; errors of the launch are CUDA's. */
static tsr_reason run_umma(tsr_global<tsr_bf16 const, 2, 1> A, tsr_global<tsr_bf16 const, 2, 1> B,
                           tsr_global<tsr_bf16, 2, 1> C)
{
    typedef umma_plan<256> plan;
    tsr_tma_map a, b;
    tsr_reason const why[] = {tsr_make_tma_map(A, plan::a, &a), tsr_make_tma_map(B, plan::b, &b)};
    for (tsr_reason const &w : why)
        if (!tsr_ok(w))
            return w;
    int const tiles_m = (C.extent[0] + plan::M - 1) / plan::M, tiles_n = (C.extent[1] + plan::N - 1) / plan::N;
    int processors = 0, device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    int const clusters = tiles_m * tiles_n < processors / 2 ? tiles_m * tiles_n : processors / 2;
    cudaFuncSetAttribute(umma<256>, cudaFuncAttributeMaxDynamicSharedMemorySize, plan::bytes);
    umma<256><<<2 * clusters, plan::threads, plan::bytes>>>(a, b, C, A.extent[1]);
    return tsr_no_reason();
}

int main()
{
    need_blackwell();
    check_cuda(cudaFree(nullptr), "a context"); /* the maps are made by the driver */
    auto const product = [](auto &A, auto &B, auto &C, float, float) {
        need(run_umma(A.view(), B.view(), C.tensor()));
    };
    return try_product<tsr_bf16, tsr_bf16, 1, 1, 1>("umma", product, false) ? 0 : 1;
}
