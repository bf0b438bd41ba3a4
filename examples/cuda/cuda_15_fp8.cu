#include "check.cuh"
#include "cuda_15_fp8.cuh"

int main()
{
    static int const sizes[][3] = {{256, 256, 128}, {200, 136, 96}, {128, 384, 1008},
                                   {1, 1, 16},      {515, 259, 80}, {1, 777, 48}};
    bool good = true;
    need_hopper();
    check_cuda(cudaFree(nullptr), "a context"); /* the maps are made by the driver */
    for (auto const &s : sizes) {
        matrix<tsr_e4m3, 1> A(s[0], s[2], 16), B(s[1], s[2], 16);
        matrix<tsr_f16, 1> C(s[0], s[1]);
        fill(A, 1);
        fill(B, 2);
        fp8_product product;
        need(make_fp8(A.view(), B.view(), C.tensor(), 0.5f, &product));
        run_fp8(product);
        check_cuda(cudaGetLastError(), "fp8_product");
        check_cuda(cudaDeviceSynchronize(), "fp8_product");
        bool const same = equal(A, B, C, C, 0.5f, 0);
        std::printf("fp8_product %4d x %3d x %4d: %s\n", s[0], s[1], s[2], same ? "equal to the reference" : "WRONG");
        good = good && same;
    }
    return good ? 0 : 1;
}
