#include "check.cuh"
#include "cuda_1_sgemm.cuh"

int main()
{
    need_hopper();
    auto const product = [](auto &A, auto &B, auto &C, float alpha, float beta) {
        need(run_sgemm_1(A.view(), B.view(), C.tensor(), alpha, beta));
    };
    bool const nt = try_product<float, float, 0, 0, 0>("sgemm_1 NT", product, true);
    bool const tn = try_product<float, float, 1, 1, 0>("sgemm_1 TN", product, true);
    return nt && tn ? 0 : 1;
}
