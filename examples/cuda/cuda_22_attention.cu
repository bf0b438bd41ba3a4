#include "attention_check.cuh"
#include "attention_host.cuh"
#include "cuda_22_attention.cuh"

/* Q and O (queries,D,heads,batches), K and V (keys,D,heads of them,batches); lse (queries,heads,batches), queries
 * contiguous. Why the launch is refused, or no reason. */
template <int D, bool Causal> static tsr_reason run_attention(tsr_global<tsr_bf16 const, 4, 1> Q,
                                                              tsr_global<tsr_bf16 const, 4, 1> K,
                                                              tsr_global<tsr_bf16 const, 4, 1> V,
                                                              tsr_global<tsr_bf16, 4, 1> O, float *lse, float scale)
{
    typedef attention_plan<D> plan;
    attention_maps maps;
    tsr_reason const why[] = {attention_map(plan::smem_q, plan::type, Q, &maps.q),
                              attention_map(plan::smem_k, plan::type, K, &maps.k),
                              attention_map(plan::smem_v, plan::type, V, &maps.v), O.wide(16)};
    for (tsr_reason const &w : why)
        if (!tsr_ok(w))
            return w;
    attention_size const size = {Q.extent[0], K.extent[0], Q.extent[2], Q.extent[2] / K.extent[2], scale};
    dim3 const grid(Q.extent[2] * Q.extent[3], (Q.extent[0] + plan::M - 1) / plan::M);
    cudaFuncSetAttribute(attention<D, Causal>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         sizeof(typename plan::shared));
    attention<D, Causal><<<grid, plan::threads, sizeof(typename plan::shared)>>>(maps, O, lse, size);
    return tsr_no_reason();
}

template <int D, bool Causal> static bool try_blackwell()
{
    return try_attention<D, Causal, tsr_bf16>("bf16", 1.6e-2f,
                                              [](auto Q, auto K, auto V, auto O, float *lse, float scale) {
                                                  return run_attention<D, Causal>(Q, K, V, O, lse, scale);
                                              });
}

int main()
{
    need_blackwell();
    check_cuda(cudaFree(nullptr), "a context"); /* the maps are made by the driver */
    bool good = try_blackwell<64, false>();
    good = try_blackwell<64, true>() && good;
    good = try_blackwell<128, false>() && good;
    return try_blackwell<128, true>() && good ? 0 : 1;
}
