#include "check.cuh"
#include "cuda_27_gather.cuh"

#include <vector>

/* Small integers, so that sums of any order are exact; each row has its own. */
__global__ void fill_numbers(tsr_bf16 *at, int count, unsigned seed)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        at[i] = tsr_bf16((float)((((unsigned)i * 2654435761u ^ seed * 2246822519u) >> 11) % 5) - 2);
}

/* By a loop, a thread a result. */
__global__ void compare_rows(tsr_rows<tsr_bf16 const> x, tsr_bf16 const *w, tsr_bf16 const *d, int n, int *wrong)
{
    int const row = blockIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x, k = x.extent[1];
    if (column >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k && x.index[row] >= 0; ++i)
        sum += (float)x.at[(int64_t)x.index[row] * k + i] * (float)w[(int64_t)column * k + i];
    if ((float)d[(int64_t)row * n + column] != (float)tsr_bf16(sum))
        atomicAdd(wrong, 1);
}

template <class T> static T *memory_of(size_t count)
{
    T *r = nullptr;
    check_cuda(cudaMalloc(&r, count * sizeof(T)), "cudaMalloc");
    return r;
}

/* m of `tokens` rows, any of them, every 7th none. */
static bool run(int tokens, int m, int n, int k)
{
    std::vector<int> token((size_t)m);
    for (int i = 0; i < m; ++i)
        token[(size_t)i] = i % 7 == 6 ? -1 : (int)(i * 2654435761u >> 8) % tokens;
    int *const index = memory_of<int>((size_t)m), *const wrong = memory_of<int>(1);
    tsr_bf16 *const x = memory_of<tsr_bf16>((size_t)tokens * k), *const w = memory_of<tsr_bf16>((size_t)n * k),
                    *const d = memory_of<tsr_bf16>((size_t)m * n);
    check_cuda(cudaMemcpy(index, token.data(), m * sizeof(int), cudaMemcpyHostToDevice), "cudaMemcpy");
    check_cuda(cudaMemset(wrong, 0, sizeof(int)), "cudaMemset");
    fill_numbers<<<256, 256>>>(x, tokens * k, 1);
    fill_numbers<<<256, 256>>>(w, n * k, 2);
    fill_numbers<<<256, 256>>>(d, m * n, 3);
    tsr_rows<tsr_bf16 const> const rows = {x, index, {m, k}, k, 0, 0};
    need(run_gather(rows, w, d, n));
    check_cuda(cudaGetLastError(), "gather");
    compare_rows<<<dim3((n + 127) / 128, m), 128>>>(rows, w, d, n, wrong);
    int found = 0;
    check_cuda(cudaMemcpy(&found, wrong, sizeof found, cudaMemcpyDeviceToHost), "gather");
    std::printf("gather %4d of %4d rows, %3d x %4d: %s\n", m, tokens, n, k,
                found == 0 ? "equal to the loop" : "WRONG");
    cudaFree(index), cudaFree(wrong), cudaFree(x), cudaFree(w), cudaFree(d);
    return found == 0;
}

int main()
{
    need_hopper();
    check_cuda(cudaFree(nullptr), "a context"); /* the maps are made by the driver */
    bool const good[] = {run(64, 128, 128, 64), run(1000, 300, 256, 512), run(50, 515, 136, 1000),
                         run(1, 1, 8, 8),       run(4096, 2000, 384, 72), run(300, 77, 1024, 2048)};
    for (bool g : good)
        if (!g)
            return 1;
    return 0;
}
