#include <algorithm>
#include <cmath>
#include <vector>

#include "cuda_13_attention.cuh"
#include "cuda_16_attention_backward.cuh"
#include "heads.cuh"

template <class T> __global__ void floats_kernel(T const *from, float *to, int64_t count)
{
    int64_t const i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = (float)from[i];
}

/* The numbers of a tensor on the host: element (row, d, head, batch). */
struct numbers {
    int rows, size, heads;
    std::vector<double> at;
    template <class T> explicit numbers(heads_of<T> const &x) : rows(x.rows), size(x.size), heads(x.heads)
    {
        matrix<float, 1> as(x.memory.rows, x.memory.columns);
        std::vector<float> host(x.memory.size());
        floats_kernel<<<(unsigned)((host.size() + 255) / 256), 256>>>(x.memory.data, as.data, (int64_t)host.size());
        check_cuda(cudaMemcpy(host.data(), as.data, host.size() * sizeof(float), cudaMemcpyDeviceToHost),
                   "cudaMemcpy");
        at.assign(host.begin(), host.end());
    }
    double *row(int i, int head, int batch)
    {
        return at.data() + ((int64_t)(batch * rows + i) * heads + head) * size;
    }
    void clear() { std::fill(at.begin(), at.end(), 0.0); }
};

/* The gradients of one head by their definition, added to dQ, dK and dV. */
static void reference(numbers &Q, numbers &K, numbers &V, numbers &dO, numbers &dQ, numbers &dK, numbers &dV,
                      int head, int batch, bool causal, double scale)
{
    int const kv = head / (Q.heads / K.heads), size = Q.size;
    auto const dot = [&](double const *x, double const *y) {
        double sum = 0;
        for (int d = 0; d < size; ++d)
            sum += x[d] * y[d];
        return sum;
    };
    auto const add = [&](double a, double const *x, double *to) {
        for (int d = 0; d < size; ++d)
            to[d] += a * x[d];
    };
    for (int i = 0; i < Q.rows; ++i) {
        int const keys = causal ? std::min(K.rows, std::max(0, i + K.rows - Q.rows + 1)) : K.rows;
        double const *const q = Q.row(i, head, batch), *const o = dO.row(i, head, batch);
        std::vector<double> p(keys), dp(keys);
        double sum = 0, mean = 0;
        for (int j = 0; j < keys; ++j) {
            sum += p[j] = std::exp(scale * dot(q, K.row(j, kv, batch)));
            dp[j] = dot(o, V.row(j, kv, batch));
        }
        for (int j = 0; j < keys; ++j)
            mean += (p[j] /= sum) * dp[j];
        for (int j = 0; j < keys; ++j) {
            double const ds = scale * p[j] * (dp[j] - mean);
            add(p[j], o, dV.row(j, kv, batch));
            add(ds, q, dK.row(j, kv, batch));
            add(ds, K.row(j, kv, batch), dQ.row(i, head, batch));
        }
    }
}

/* The largest difference, as a part of the largest number. */
static double difference(numbers const &got, numbers const &wanted)
{
    double most = 0, wrong = 0;
    for (size_t i = 0; i < wanted.at.size(); ++i) {
        double const far = std::fabs(got.at[i] - wanted.at[i]);
        most = std::max(most, std::fabs(wanted.at[i]));
        wrong = far <= wrong ? wrong : far; /* not a number, too */
    }
    return most > 0 ? wrong / most : wrong;
}

template <int D, bool Causal, class T> static bool try_backward(char const *type, double most_wrong)
{
    static int const sizes[][5] = {/* batches, heads, heads of K and V, queries, keys */
                                   {2, 4, 2, 133, 217},
                                   {1, 1, 1, 64, 128},
                                   {1, 3, 3, 1, 300},
                                   {1, 2, 2, 300, 130},
                                   {3, 2, 1, 77, 77}};
    bool good = true;
    for (auto const &s : sizes) {
        heads_of<T> Q(s[3], D, s[1], s[0]), K(s[4], D, s[2], s[0]), V(s[4], D, s[2], s[0]), O(s[3], D, s[1], s[0]),
            dO(s[3], D, s[1], s[0]), dQ(s[3], D, s[1], s[0]), dK(s[4], D, s[2], s[0]), dV(s[4], D, s[2], s[0]);
        matrix<float, 1> lse(s[0] * s[1], s[3], 1);
        matrix<float, 1> workspace(1, (int)(backward_workspace(D, s[3], s[1], s[0]) / sizeof(float)));
        matrix<int, 1> next(1, 1);
        float const scale = 1 / sqrtf((float)D);
        randomise(Q.memory, 4, 1);
        randomise(K.memory, 2, 2);
        randomise(V.memory, 1, 3);
        randomise(dO.memory, 1, 4);
        check_cuda(cudaMemset(next.data, 0, sizeof(int)), "cudaMemset");
        need((run_attention<D, Causal>(Q.template as<T const>(), K.template as<T const>(), V.template as<T const>(),
                                       O.template as<T>(), lse.data, next.data, scale)));
        need((run_attention_backward<D, Causal>(Q.template as<T const>(), K.template as<T const>(),
                                                V.template as<T const>(), O.template as<T const>(),
                                                dO.template as<T const>(), lse.data, dQ.template as<T>(),
                                                dK.template as<T>(), dV.template as<T>(), workspace.data, scale)));
        check_cuda(cudaDeviceSynchronize(), "attention, backward");
        numbers q(Q), k(K), v(V), o(dO), got[3] = {numbers(dQ), numbers(dK), numbers(dV)};
        numbers wanted[3] = {got[0], got[1], got[2]};
        for (numbers &x : wanted)
            x.clear();
        for (int batch = 0; batch < s[0]; ++batch)
            for (int head = 0; head < s[1]; ++head)
                reference(q, k, v, o, wanted[0], wanted[1], wanted[2], head, batch, Causal, scale);
        for (int i = 0; i < 3; ++i) {
            double const far = difference(got[i], wanted[i]);
            if (!(far <= most_wrong)) {
                std::printf("%d batches, %d heads of %d, %d queries, %d keys: d%c differs by %g of the largest\n",
                            s[0], s[1], s[2], s[3], s[4], "QKV"[i], far);
                good = false;
            }
        }
    }
    std::printf("attention backward %-4s head size %3d, %s: %s\n", type, D, Causal ? "causal" : "full  ",
                good ? "as the reference" : "WRONG");
    return good;
}

int main()
{
    need_hopper();
    check_cuda(cudaFree(nullptr), "a context"); /* the maps are made by the driver */
    /* Of sizes, masks and types each two meet. */
    bool good = try_backward<64, false, tsr_f16>("f16", 4e-3);
    good = try_backward<64, true, tsr_bf16>("bf16", 3e-2) && good;
    good = try_backward<128, true, tsr_f16>("f16", 4e-3) && good;
    return try_backward<128, false, tsr_bf16>("bf16", 3e-2) && good ? 0 : 1;
}
