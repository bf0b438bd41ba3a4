#include <tessera/tile.h>

#include "check.cuh"
#include "cuda_9_view.cuh"

enum { elements = view_rows * view_columns, side = 12 }; /* 12 x 12 threads look beyond every view */

static void show(char const *name, int32_t const *out, int rows, int columns)
{
    std::printf("%s, %d x %d\n", name, rows, columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            std::printf("%4d%s", (int)out[i * side + j], j + 1 < columns ? "" : "\n");
}

/* How many of the threads see something else than the view of the same descriptor on the host. */
static int differences(tsr_descriptor const &d, int32_t *memory, int32_t const *out)
{
    int32_t const invalid = -1;
    int wrong = 0;
    tsr_tensor_view const v = tsr_make_tensor_view(
        tsr_make_buffer_view_invalid(TSR_GMEM, memory, elements, TSR_I32, &invalid), &d, TSR_UPDATE_SET);
    for (int64_t i = 0; i < side * side; ++i) {
        int64_t const index[2] = {i / side, i % side};
        int32_t x = 0;
        tsr_view_get(&v, index, &x);
        wrong += x != out[i];
    }
    return wrong;
}

int main()
{
    need_hopper();
    int32_t *memory = nullptr, *out = nullptr;
    check_cuda(cudaMallocManaged(&memory, elements * sizeof *memory), "cudaMallocManaged");
    check_cuda(cudaMallocManaged(&out, side * side * sizeof *out), "cudaMallocManaged");
    for (int i = 0; i < elements; ++i)
        memory[i] = i;
    int wrong = 0;
#define LOOK(D)                                                                                         \
  view_elements<<<1, dim3(side, side)>>>(tsr_make_tensor_view<TSR_GMEM, view_plan::D, 1>(memory), out); \
  check_cuda(cudaDeviceSynchronize(), #D);                                                              \
  wrong += differences(view_plan::D, memory, out)
    LOOK(packed);
    LOOK(by_columns);
    LOOK(transposed);
    std::printf("(2,5) transposed is %d\n", (int)out[5 * side + 2]);
    LOOK(part);
    show("part", out, 5, 5);

    view_updates<<<1, 1>>>(memory, out);
    check_cuda(cudaDeviceSynchronize(), "view_updates");
    std::printf("(3,4) is %d, with 100 added %d; (1,0) is still %d; (2,3) of the whole is %d\n", (int)out[0],
                (int)out[1], (int)out[2], (int)out[3]);
    LOOK(padded);
    show("padded", out, 8, 8);
    view_vector<<<1, 1>>>(memory, 7, 8, out);
    check_cuda(cudaDeviceSynchronize(), "view_vector");
    std::printf("(7,8) and on: %d %d %d %d\n", (int)out[0], (int)out[1], (int)out[2], (int)out[3]);
    std::printf("%d elements differ from those of the host\n", wrong);
    return wrong != 0;
}
