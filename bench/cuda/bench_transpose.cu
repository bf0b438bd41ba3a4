/* The transpose of the examples beside a copy from device to device, which moves the same bytes. */
#include "timing.cuh"

#include "../../examples/cuda/cuda_7_transpose.cuh"

template <class T> static void measure(char const *name, int size)
{
    matrix<T, 1> a(size, size), b(size, size), c(size, size), d(size, size);
    matrix<T, 1> *const from[] = {&a, &c}, *const to[] = {&b, &d};
    noise(a, 1);
    noise(c, 2);
    need(run_transpose<T>(a.view(), b.tensor()));
    if (!same_elements(a, b, true)) {
        std::printf("transpose %s %d: WRONG\n", name, size);
        std::exit(1);
    }
    std::vector<contestant> const all = {
        {"copy",
         [&](int i) { cudaMemcpyAsync(to[i]->data, from[i]->data, a.size() * sizeof(T), cudaMemcpyDeviceToDevice); }},
        {"transpose", [&](int i) { need(run_transpose<T>(from[i]->view(), to[i]->tensor())); }},
    };
    std::vector<double> const ms = race(all, 2, 9, 10);
    double const bytes = 2.0 * size * size * sizeof(T);
    std::printf("transpose %s %5d  %8.3f ms  %5.2f TB/s  copy %5.2f TB/s  %5.2f of the copy\n", name, size, ms[1],
                bytes / ms[1] * 1e-9, bytes / ms[0] * 1e-9, ms[0] / ms[1]);
}

int main()
{
    need_hopper();
    for (int size : {8192, 16384, 32768}) {
        measure<float>("f32", size);
        measure<tsr_f16>("f16", size);
    }
    return 0;
}
