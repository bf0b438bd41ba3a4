/* Attention, forward, of cuda_13: batches of sequences, 16384 queries in all, f16 and bf16. Its peers are Python's:
 * attention_peers.py. */
#include "timing.cuh"

#include "../../examples/cuda/cuda_13_attention.cuh"

enum { BUFFERS = 2, QUERIES = 16384, WIDTH = 2048 };

template <int D, bool Causal, class T> static void attention_of(char const *type, int length)
{
    typedef tsr_global<T const, 4, 1> input;
    int const batches = QUERIES / length, heads = WIDTH / D;
    matrix<T, 1> *m[BUFFERS][4];
    matrix<float, 1> lse(batches * heads, length);
    matrix<int, 1> next(1, 1);
    check_cuda(cudaMemset(next.data, 0, sizeof(int)), "cudaMemset");
    for (int i = 0; i < BUFFERS; ++i)
        for (int k = 0; k < 4; ++k) {
            m[i][k] = new matrix<T, 1>(QUERIES, WIDTH);
            noise(*m[i][k], 4 * i + k + 1);
        }
    auto const run = [&](int i) {
        input x[3];
        for (int k = 0; k < 3; ++k)
            x[k] = {m[i][k]->data, {length, D, heads, batches}, {WIDTH, 1, D, (int64_t)WIDTH * length}};
        tsr_global<T, 4, 1> const o = {
            m[i][3]->data, {length, D, heads, batches}, {WIDTH, 1, D, (int64_t)WIDTH * length}};
        need((run_attention<D, Causal>(x[0], x[1], x[2], o, lse.data, next.data, 4 / sqrtf((float)D))));
    };
    std::vector<contestant> const all = {{"attention", run}};
    double const ms = race(all, BUFFERS, 7, 10)[0];
    double const flops = 4.0 * QUERIES * length * WIDTH / (Causal ? 2 : 1);
    std::printf("attention %-4s head size %3d, %s, %d x %5d: %8.3f ms  %6.1f TFLOP/s\n", type, D,
                Causal ? "causal" : "full  ", batches, length, ms, flops / ms * 1e-9);
    for (auto &buffers : m)
        for (auto *x : buffers)
            delete x;
}

template <int D, class T> static void every_length(char const *type)
{
    for (int length : {4096, 8192, 16384}) {
        attention_of<D, false, T>(type, length);
        attention_of<D, true, T>(type, length);
    }
}

int main()
{
    need_hopper();
    check_cuda(cudaFree(nullptr), "a context");
    every_length<128, tsr_f16>("f16");
    every_length<128, tsr_bf16>("bf16");
    every_length<64, tsr_f16>("f16");
    every_length<256, tsr_f16>("f16");
    return 0;
}
