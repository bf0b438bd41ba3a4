/* Attention of the examples as a library of C, for attention_peers.py. Tensors are (batch, row, head, element),
 * contiguous. Each function returns 0, or 1 where the launch is refused. */
#include "../../examples/cuda/cuda_13_attention.cuh"
#include "../../examples/cuda/cuda_16_attention_backward.cuh"

struct problem {
    int head_size, causal, bf16, batches, heads, kv_heads, queries, keys;
    float scale;
};

template <class T> static tsr_global<T, 4, 1> tensor(void *at, problem const &p, int rows, int heads)
{
    int64_t const row = (int64_t)heads * p.head_size;
    return {static_cast<T *>(at), {rows, p.head_size, heads, p.batches}, {row, 1, p.head_size, row * rows}};
}

/* f with the head size, the mask and the type as constants. */
template <int D, bool Causal, class F> static tsr_reason of_type(problem const &p, F const &f)
{
    return p.bf16 ? f.template run<D, Causal, tsr_bf16>(p) : f.template run<D, Causal, tsr_f16>(p);
}
template <int D, class F> static tsr_reason of_mask(problem const &p, F const &f)
{
    return p.causal ? of_type<D, true>(p, f) : of_type<D, false>(p, f);
}
template <class F> static int of_size(problem const &p, F const &f)
{
    tsr_reason const why = p.head_size == 64    ? of_mask<64>(p, f)
                           : p.head_size == 128 ? of_mask<128>(p, f)
                                                : of_mask<256>(p, f);
    return !tsr_ok(why) || cudaGetLastError() != cudaSuccess;
}

struct forward {
    void *q, *k, *v, *o;
    float *lse;
    int *next;
    template <int D, bool Causal, class T> tsr_reason run(problem const &p) const
    {
        return run_attention<D, Causal>(
            tensor<T const>(q, p, p.queries, p.heads), tensor<T const>(k, p, p.keys, p.kv_heads),
            tensor<T const>(v, p, p.keys, p.kv_heads), tensor<T>(o, p, p.queries, p.heads), lse, next, p.scale);
    }
};

extern "C" int attention_forward(problem const *p, void *q, void *k, void *v, void *o, float *lse, int *next)
{
    return of_size(*p, forward{q, k, v, o, lse, next});
}

struct backward {
    void *q, *k, *v, *o, *grad, *dq, *dk, *dv;
    float *lse, *workspace;
    template <int D, bool Causal, class T> tsr_reason run(problem const &p) const
    {
        if constexpr (D == 256)
            return tsr_because(TSR_CAPACITY, 0, D, 128, 0);
        else
            return run_attention_backward<D, Causal>(
                tensor<T const>(q, p, p.queries, p.heads), tensor<T const>(k, p, p.keys, p.kv_heads),
                tensor<T const>(v, p, p.keys, p.kv_heads), tensor<T const>(o, p, p.queries, p.heads),
                tensor<T const>(grad, p, p.queries, p.heads), lse, tensor<T>(dq, p, p.queries, p.heads),
                tensor<T>(dk, p, p.keys, p.kv_heads), tensor<T>(dv, p, p.keys, p.kv_heads), workspace, p.scale);
    }
};

extern "C" long long attention_workspace(problem const *p)
{
    return (long long)backward_workspace(p->head_size, p->queries, p->heads, p->batches);
}

extern "C" int attention_backward(problem const *p, void *q, void *k, void *v, void *o, void *grad, float *lse,
                                  void *dq, void *dk, void *dv, float *workspace)
{
    return of_size(*p, backward{q, k, v, o, grad, dq, dk, dv, lse, workspace});
}
