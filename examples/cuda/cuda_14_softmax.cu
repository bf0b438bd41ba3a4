#include "check.cuh"
#include "cuda_14_softmax.cuh"

/* A thread a row, three times through it. */
__global__ void reference(bool norm, tsr_global<tsr_f16 const, 2, 1> from, tsr_global<tsr_f16 const, 2, 1> to,
                          int *worst)
{
    int const i = blockIdx.x * blockDim.x + threadIdx.x, n = from.extent[1];
    if (i >= from.extent[0])
        return;
    float most = -INFINITY, sum = 0, squares = 0;
    auto const x = [&](int j) { return (float)from.at[from.offset({{i, j}})]; };
    for (int j = 0; j < n; ++j)
        most = fmaxf(most, x(j));
    for (int j = 0; j < n; ++j)
        sum += norm ? x(j) : expf(x(j) - most);
    for (int j = 0; j < n; ++j)
        squares += (x(j) - sum / n) * (x(j) - sum / n);
    for (int j = 0; j < n; ++j) {
        float const wanted = norm ? (x(j) - sum / n) * rsqrtf(squares / n + 1e-5f) : expf(x(j) - most) / sum;
        float const got = (float)to.at[to.offset({{i, j}})];
        atomicMax(worst, __float_as_int(got == got ? fabsf(got - wanted) / (fabsf(wanted) + 1e-3f) : INFINITY));
    }
}

int main()
{
    static int const sizes[][2] = {{1, 8},      {1000, 128}, {77, 100}, {333, 1024}, {5, 777},
                                   {129, 4096}, {17, 4000},  {9, 8192}, {3, 5001}};
    bool good = true;
    need_hopper();
    for (bool norm : {false, true})
        for (auto const &s : sizes) {
            matrix<tsr_f16, 1> from(s[0], s[1]), to(s[0], s[1]);
            matrix<float, 1> worst(1, 1, 1);
            float found = 0;
            fill(from, 3);
            check_cuda(cudaMemcpy(worst.data, &found, sizeof found, cudaMemcpyHostToDevice), "cudaMemcpy");
            need(run_rows_of_any(norm, from.view(), to.tensor()));
            reference<<<(s[0] + 127) / 128, 128>>>(norm, from.view(), to.view(), reinterpret_cast<int *>(worst.data));
            check_cuda(cudaMemcpy(&found, worst.data, sizeof found, cudaMemcpyDeviceToHost), "reference");
            bool const same = found < 2e-3f;
            if (!same)
                std::printf("differs by %g of the number\n", found);
            std::printf("%-10s %4d rows of %4d: %s\n", norm ? "layer norm" : "softmax", s[0], s[1],
                        same ? "as the reference" : "WRONG");
            good = good && same;
        }
    return good ? 0 : 1;
}
