#include "check.cuh"
#include "cuda_4_wgmma.cuh"

int main()
{
    need_hopper();
    auto const product = [](auto &A, auto &B, auto &C, float, float) {
        need(run_hgemm_wgmma(A.view(), B.view(), C.tensor()));
    };
    return try_product<tsr_f16, tsr_f16, 1, 1, 1>("hgemm_wgmma", product, false) ? 0 : 1;
}
