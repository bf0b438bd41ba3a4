#include "check.cuh"
#include "cuda_7_transpose.cuh"

template <class T> static bool try_transpose(char const *name)
{
    static int const sizes[][2] = {{256, 128}, {200, 136}, {1, 1}, {67, 515}, {1000, 3}};
    bool good = true;
    for (auto const &s : sizes) {
        matrix<T, 1> from(s[0], s[1]), to(s[1], s[0]);
        fill(from, 7);
        need(run_transpose<T>(from.view(), to.tensor()));
        check_cuda(cudaDeviceSynchronize(), name);
        bool const same = same_elements(from, to, true);
        std::printf("transpose of %4d x %3d %s: %s\n", s[0], s[1], name,
                    same ? "every element in its place" : "WRONG");
        good = good && same;
    }
    return good;
}

int main()
{
    need_hopper();
    bool const single = try_transpose<float>("f32"), half = try_transpose<tsr_f16>("f16");
    return single && half ? 0 : 1;
}
