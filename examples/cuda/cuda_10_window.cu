#include <cstring>

#include "check.cuh"
#include "cuda_10_window.cuh"

int main()
{
    enum { elements = window_rows * window_columns, tiles = 3 };
    int32_t *from = nullptr, *to = nullptr, *held = nullptr;
    need_hopper();
    check_cuda(cudaMallocManaged(&from, elements * sizeof *from), "cudaMallocManaged");
    check_cuda(cudaMallocManaged(&to, elements * sizeof *to), "cudaMallocManaged");
    check_cuda(cudaMallocManaged(&held, tiles * window_held * sizeof *held), "cudaMallocManaged");
    for (int i = 0; i < elements; ++i) {
        from[i] = i / window_columns * 100 + i % window_columns;
        to[i] = 0;
    }
    window_copy<<<1, window_threads>>>(from, to, held);
    check_cuda(cudaDeviceSynchronize(), "window_copy");
    for (int tile = 0; tile < tiles; ++tile) {
        std::printf("columns from %2d on, warp 0, lane 5:", tile * tile_columns);
        for (int i = 0; i < window_held; ++i)
            std::printf("%5d%s", (int)held[tile * window_held + i],
                        i + 1 < window_held ? i % 4 == 3 ? " |" : "" : "\n");
    }
    bool const equal = std::memcmp(from, to, elements * sizeof *from) == 0;
    std::printf("the copy is %s\n", equal ? "equal" : "different");
    return !equal;
}
