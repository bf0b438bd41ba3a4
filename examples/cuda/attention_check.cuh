/* What the hosts of attention's forward kernels share: a reference, and the sizes that are tried. */
#pragma once

#include "heads.cuh"

/* The same with all scores of a query in memory, a block a query: the largest difference of O, and of the
 * logarithms. */
template <int D, bool Causal, class T>
__global__ void reference(tsr_global<T const, 4, 1> Q, tsr_global<T const, 4, 1> K, tsr_global<T const, 4, 1> V,
                          tsr_global<T const, 4, 1> O, float const *lse, float scale, int *worst)
{
    extern __shared__ float score[];
    int const i = blockIdx.x, head = blockIdx.y, batch = blockIdx.z, kv = head / (Q.extent[2] / K.extent[2]);
    int const keys = Causal ? min(K.extent[0], max(0, i + K.extent[0] - Q.extent[0] + 1)) : K.extent[0];
    for (int j = threadIdx.x; j < keys; j += D) {
        float sum = 0;
        for (int d = 0; d < D; ++d)
            sum += (float)Q.at[Q.offset({{i, d, head, batch}})] * (float)K.at[K.offset({{j, d, kv, batch}})];
        score[j] = sum * scale;
    }
    __syncthreads();
    float most = -INFINITY, all = 0, sum = 0;
    for (int j = 0; j < keys; ++j)
        most = fmaxf(most, score[j]);
    for (int j = 0; j < keys; ++j) {
        float const p = expf(score[j] - most);
        all += p;
        sum += p * (float)V.at[V.offset({{j, (int)threadIdx.x, kv, batch}})];
    }
    float const wanted = keys ? sum / all : 0, got = (float)O.at[O.offset({{i, (int)threadIdx.x, head, batch}})];
    float const wanted_log = keys ? most + logf(all) : -INFINITY;
    float const got_log = lse[((int64_t)batch * gridDim.y + head) * Q.extent[0] + i];
    atomicMax(worst, __float_as_int(got == got ? fabsf(got - wanted) : INFINITY));
    if (!(got_log == wanted_log))
        atomicMax(worst + 1, __float_as_int(got_log == got_log ? fabsf(got_log - wanted_log) : INFINITY));
}

/* run(Q, K, V, O, lse, scale): the reason why the launch is refused. */
template <int D, bool Causal, class T, class Run>
static bool try_attention(char const *type, float most_wrong, Run const &run)
{
    static int const sizes[][5] = {/* batches, heads, heads of K and V, queries, keys */
                                   {2, 4, 2, 333, 517},
                                   {1, 2, 1, 128, 256},
                                   {1, 3, 3, 1, 1000},
                                   {1, 2, 2, 500, 130},
                                   {3, 8, 1, 77, 77}};
    bool good = true;
    for (auto const &s : sizes) {
        heads_of<T> Q(s[3], D, s[1], s[0]), K(s[4], D, s[2], s[0]), V(s[4], D, s[2], s[0]), O(s[3], D, s[1], s[0]);
        matrix<float, 1> lse(s[0] * s[1], s[3], 1), worst(1, 2, 1);
        float const scale = 1 / sqrtf((float)D), zero[2] = {};
        float found[2];
        randomise(Q.memory, 4, 1);
        randomise(K.memory, 2, 2);
        randomise(V.memory, 1, 3);
        need(run(Q.template as<T const>(), K.template as<T const>(), V.template as<T const>(), O.template as<T>(),
                 lse.data, scale));
        check_cuda(cudaMemcpy(worst.data, zero, sizeof zero, cudaMemcpyHostToDevice), "cudaMemcpy");
        reference<D, Causal><<<dim3(s[3], s[1], s[0]), D, s[4] * sizeof(float)>>>(
            Q.template as<T const>(), K.template as<T const>(), V.template as<T const>(), O.template as<T const>(),
            lse.data, scale, reinterpret_cast<int *>(worst.data));
        check_cuda(cudaDeviceSynchronize(), "attention");
        check_cuda(cudaMemcpy(found, worst.data, sizeof found, cudaMemcpyDeviceToHost), "cudaMemcpy");
        bool const same = found[0] <= most_wrong && found[1] <= 1e-3f;
        if (!same)
            std::printf("%d batches, %d heads of %d, %d queries, %d keys: O differs by %g, the logarithms by %g\n",
                        s[0], s[1], s[2], s[3], s[4], found[0], found[1]);
        good = good && same;
    }
    std::printf("attention %-4s head size %3d, %s: %s\n", type, D, Causal ? "causal" : "full  ",
                good ? "as the reference" : "WRONG");
    return good;
}
