#include "check.cuh"
#include "cuda_6_copy.cuh"

int main()
{
    static int const sizes[][2] = {{256, 128}, {200, 136}, {1, 1}, {129, 65}, {1000, 3}};
    bool good = true;
    need_hopper();
    for (auto const &s : sizes) {
        matrix<float, 0> from(s[0], s[1]), to(s[0], s[1]);
        fill(from, 7);
        need(run_tiled_copy(from.view(), to.tensor()));
        check_cuda(cudaDeviceSynchronize(), "tiled_copy");
        bool const same = same_elements(from, to, false);
        std::printf("tiled copy of %4d x %3d, %s: %s\n", s[0], s[1], s[0] % 128 || s[1] % 64 ? "predicated" : "plain",
                    same ? "every element there" : "WRONG");
        good = good && same;
    }
    return good ? 0 : 1;
}
