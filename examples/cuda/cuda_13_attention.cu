#include "attention_check.cuh"
#include "cuda_13_attention.cuh"

template <int D, bool Causal, class T> static bool try_hopper(char const *type, float most_wrong)
{
    matrix<int, 1> next(1, 1);
    check_cuda(cudaMemset(next.data, 0, sizeof(int)), "cudaMemset");
    return try_attention<D, Causal, T>(type, most_wrong,
                                       [&](auto Q, auto K, auto V, auto O, float *lse, float scale) {
                                           return run_attention<D, Causal>(Q, K, V, O, lse, next.data, scale);
                                       });
}

int main()
{
    need_hopper();
    check_cuda(cudaFree(nullptr), "a context"); /* the maps are made by the driver */
    /* Of sizes, masks and types each two meet. */
    bool good = try_hopper<64, false, tsr_f16>("f16", 2e-3f);
    good = try_hopper<64, true, tsr_bf16>("bf16", 1.6e-2f) && good;
    good = try_hopper<128, true, tsr_f16>("f16", 2e-3f) && good;
    good = try_hopper<128, false, tsr_bf16>("bf16", 1.6e-2f) && good;
    good = try_hopper<256, false, tsr_f16>("f16", 2e-3f) && good;
    return try_hopper<256, true, tsr_bf16>("bf16", 1.6e-2f) && good ? 0 : 1;
}
