#include "check.cuh"
#include "cuda_18_conv.cuh"

/* Small integers, so that sums of any order are exact. */
__global__ void fill_numbers(tsr_f16 *at, int64_t count, unsigned seed)
{
    for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        at[i] = tsr_f16((float)((((unsigned)i * 2654435761u ^ seed * 2246822519u) >> 11) % 5) - 2);
}

/* By seven loops, a thread a result. */
__global__ void compare(conv_shape x, tsr_f16 const *image, tsr_f16 const *filter, tsr_f16 const *d, int64_t count,
                        int *wrong)
{
    for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        int const k = (int)(i % x.k), q = (int)(i / x.k % x.q()), p = (int)(i / x.k / x.q() % x.p());
        int64_t const n = i / x.k / x.q() / x.p();
        float sum = 0;
        for (int r = 0; r < x.r; ++r)
            for (int s = 0; s < x.s; ++s) {
                int const h = p * x.stride + r * x.dilation - x.pad, w = q * x.stride + s * x.dilation - x.pad;
                for (int c = 0; c < x.c && h >= 0 && h < x.h && w >= 0 && w < x.w; ++c)
                    sum += (float)image[((n * x.h + h) * x.w + w) * x.c + c]
                           * (float)filter[((k * x.r + r) * x.s + s) * x.c + c];
            }
        if ((float)d[i] != (float)tsr_f16(sum))
            atomicAdd(wrong, 1);
    }
}

static tsr_f16 *numbers(int64_t count, unsigned seed)
{
    tsr_f16 *r = nullptr;
    check_cuda(cudaMalloc(&r, count * sizeof *r), "cudaMalloc");
    fill_numbers<<<256, 256>>>(r, count, seed);
    check_cuda(cudaGetLastError(), "fill");
    return r;
}

static bool run(conv_shape const &x, int form)
{
    int64_t const count = (int64_t)x.n * x.p() * x.q() * x.k;
    tsr_f16 *const image = numbers((int64_t)x.n * x.h * x.w * x.c, 1), *const d = numbers(count, 3);
    tsr_f16 *const filter = numbers((int64_t)x.k * x.r * x.s * x.c, 2);
    conv_launch l = {};
    int *wrong = nullptr, found = 0;
    check_cuda(cudaMalloc(&wrong, sizeof *wrong), "cudaMalloc");
    check_cuda(cudaMemset(wrong, 0, sizeof *wrong), "cudaMemset");
    check_cuda(cudaMalloc(&l.shape.partial, conv_sums(x) * sizeof(float)), "cudaMalloc");
    check_cuda(cudaMalloc(&l.shape.arrived, conv_tiles(x, 64, 128) * sizeof(int)), "cudaMalloc");
    check_cuda(cudaMemset(l.shape.arrived, 0, conv_tiles(x, 64, 128) * sizeof(int)), "cudaMemset");
    need(make_conv(x, image, filter, d, form, &l));
    run_conv(l, nullptr);
    check_cuda(cudaGetLastError(), "conv");
    compare<<<256, 256>>>(x, image, filter, d, count, wrong);
    check_cuda(cudaMemcpy(&found, wrong, sizeof found, cudaMemcpyDeviceToHost), "conv");
    std::printf("conv %d x %2d x %2d x %3d, %3d filters %d x %d, stride %d, pad %d, dilation %d: %s\n", x.n, x.h, x.w,
                x.c, x.k, x.r, x.s, x.stride, x.pad, x.dilation, found == 0 ? "equal to the loops" : "WRONG");
    cudaFree(image), cudaFree(filter), cudaFree(d), cudaFree(wrong), cudaFree(l.shape.partial),
        cudaFree(l.shape.arrived);
    return found == 0;
}

int main()
{
    need_hopper();
    check_cuda(cudaFree(nullptr), "a context"); /* the maps are made by the driver */
    static conv_shape const shapes[] = {
        {2, 16, 16, 64, 64, 3, 3, 1, 1, 1},  {3, 14, 14, 128, 192, 3, 3, 1, 1, 1},
        {2, 17, 23, 64, 128, 3, 3, 1, 2, 1}, {4, 7, 7, 256, 512, 1, 1, 0, 1, 1},
        {1, 12, 20, 72, 40, 3, 5, 2, 1, 1},  {2, 15, 15, 64, 64, 3, 3, 2, 1, 2},
        {5, 28, 28, 96, 136, 1, 1, 0, 2, 1}, {1, 9, 9, 8, 8, 7, 7, 3, 2, 1},
    };
    bool good = true;
    int form = -1; /* the best, then each one, and again */
    for (auto const &x : shapes) {
        good = run(x, form) && good;
        form = form == 5 ? -1 : form + 1;
    }
    return good ? 0 : 1;
}
