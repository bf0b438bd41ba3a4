/* Softmax and layer-norm of cuda_14 beside a copy of as many bytes by the device's own engine. */
#include "timing.cuh"

#include "../../examples/cuda/cuda_14_softmax.cuh"

enum { BUFFERS = 2 };

int main()
{
    need_hopper();
    for (int columns : {128, 1024, 4096, 8192}) {
        int const rows = (1 << 29) / columns; /* 1 GiB in, 1 GiB out */
        std::vector<matrix<tsr_f16, 1> *> from, to;
        for (int i = 0; i < BUFFERS; ++i) {
            from.push_back(new matrix<tsr_f16, 1>(rows, columns));
            to.push_back(new matrix<tsr_f16, 1>(rows, columns));
            noise(*from[i], i + 1);
        }
        size_t const bytes = (size_t)rows * columns * 2;
        std::vector<contestant> const all = {
            {"copy",
             [&](int i) {
                 check_cuda(cudaMemcpyAsync(to[i]->data, from[i]->data, bytes, cudaMemcpyDeviceToDevice), "copy");
             }},
            {"softmax", [&](int i) { need(run_rows_of_any(false, from[i]->view(), to[i]->tensor())); }},
            {"layer norm", [&](int i) { need(run_rows_of_any(true, from[i]->view(), to[i]->tensor())); }},
        };
        std::vector<double> const ms = race(all, BUFFERS, 7, 5);
        for (size_t i = 0; i < all.size(); ++i)
            std::printf("%-10s %8d rows of %4d  %7.3f ms  %5.2f TB/s  %5.2f of the copy\n", all[i].name.c_str(), rows,
                        columns, ms[i], 2e-9 * (double)bytes / ms[i], ms[0] / ms[i]);
        for (int i = 0; i < BUFFERS; ++i) {
            delete from[i];
            delete to[i];
        }
    }
    return 0;
}
