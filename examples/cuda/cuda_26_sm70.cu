#include "check.cuh"
#include "cuda_26_sm70.cuh"

int main()
{
    need_hopper();
    auto const product = [](auto &A, auto &B, auto &C, float alpha, float beta) {
        need(run_sm70(A.view(), B.view(), C.tensor(), alpha, beta));
    };
    bool const nt = try_product<float, float, 0, 0, 0>("sm70 NT", product, true);
    bool const tn = try_product<float, float, 1, 1, 0>("sm70 TN", product, true);
    return nt && tn ? 0 : 1;
}
