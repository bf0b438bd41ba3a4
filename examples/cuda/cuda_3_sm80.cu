#include "cuda_3_sm80.cuh"

#include "check.cuh"

int main()
{
    need_hopper();
    auto const product = [](auto &A, auto &B, auto &C, float, float) {
        check_cuda(run_hgemm_sm80(A.view(), B.view(), C.tensor()), "hgemm_sm80");
    };
    return try_product<tsr_f16, tsr_f16, 1, 1, 1>("hgemm_sm80", product, false) ? 0 : 1;
}
