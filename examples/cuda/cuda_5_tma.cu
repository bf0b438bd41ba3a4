#include "check.cuh"
#include "cuda_5_tma.cuh"

int main()
{
    need_hopper();
    check_cuda(cudaFree(nullptr), "a context"); /* the maps are made by the driver */
    auto const product = [](auto &A, auto &B, auto &C, float, float) {
        need(run_hgemm_tma(A.view(), B.view(), C.tensor()));
    };
    return try_product<tsr_f16, tsr_f16, 1, 1, 1>("hgemm_tma", product, false) ? 0 : 1;
}
