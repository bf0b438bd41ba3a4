#include "check.cuh"
#include "cuda_3_sm80.cuh"

int main()
{
    need_hopper();
    auto const product = [](auto &A, auto &B, auto &C, float, float) {
        need(run_hgemm_sm80<TSR_F32>(A.view(), B.view(), C.tensor()));
    };
    return try_product<tsr_f16, tsr_f16, 1, 1, 1>("hgemm_sm80", product, false) ? 0 : 1;
}
