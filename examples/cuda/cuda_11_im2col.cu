#include <vector>

#include "check.cuh"
#include "cuda_11_im2col.cuh"

static int32_t pixel(image const &m, int32_t const *memory, int64_t n, int64_t h, int64_t w, int64_t c)
{
    bool const inside = 0 <= h && h < m.h && 0 <= w && w < m.w;
    return inside ? memory[((n * m.h + h) * m.w + w) * m.c + c] : 0;
}

/* By seven loops. */
static std::vector<int32_t> convolve(image const &m, int32_t const *memory, int32_t const *filter)
{
    std::vector<int32_t> r;
    for (int64_t n = 0; n < m.n; ++n)
        for (int64_t y = 0; y < im2col_out(m.h, m.stride); ++y)
            for (int64_t x = 0; x < im2col_out(m.w, m.stride); ++x)
                for (int64_t k = 0; k < im2col_filters; ++k) {
                    int32_t sum = 0;
                    for (int64_t i = 0; i < im2col_side * im2col_side * m.c; ++i)
                        sum += pixel(m, memory, n, y * m.stride + i / m.c / im2col_side - 1,
                                     x * m.stride + i / m.c % im2col_side - 1, i % m.c)
                               * filter[k * im2col_side * im2col_side * m.c + i];
                    r.push_back(sum);
                }
    return r;
}

template <class View>
static bool run(char const *name, image const &m, int32_t *memory, int32_t *filter, int32_t *found)
{
    int const rows = (int)(m.n * im2col_out(m.h, m.stride) * im2col_out(m.w, m.stride));
    int const columns = im2col_side * im2col_side * (int)m.c, results = rows * im2col_filters;
    tsr_descriptor const d = im2col(m);
    tsr_reason why = {};
    View view = {};
    if constexpr (sizeof(View) == sizeof(im2col_known))
        view = tsr_make_tensor_view<TSR_GMEM, im2col_plan::known, 1>((int32_t const *)memory);
    else
        view = tsr_make_tensor_view<TSR_GMEM, im2col_plan::one, im2col_plan::other, 1>((int32_t const *)memory, &d,
                                                                                       &why);
    need(why);
    im2col_multiply<<<(results + 63) / 64, 64>>>(view, rows, columns, filter, found);
    check_cuda(cudaDeviceSynchronize(), name);
    std::vector<int32_t> const wanted = convolve(m, memory, filter);
    bool equal = wanted.size() == (size_t)results;
    for (int i = 0; i < results && equal; ++i)
        equal = found[i] == wanted[i];
    std::printf("%-10s %dx%dx%dx%d, stride %d: (%d,%d), %d results, %s the loops\n", name, (int)m.n, (int)m.h,
                (int)m.w, (int)m.c, (int)m.stride, rows, columns, results, equal ? "equal to" : "different from");
    return equal;
}

int main()
{
    enum { most = 1 << 14 };
    int32_t *memory = nullptr, *filter = nullptr, *found = nullptr;
    need_hopper();
    check_cuda(cudaMallocManaged(&memory, most * sizeof *memory), "cudaMallocManaged");
    check_cuda(cudaMallocManaged(&filter, most * sizeof *filter), "cudaMallocManaged");
    check_cuda(cudaMallocManaged(&found, most * sizeof *found), "cudaMallocManaged");
    for (int i = 0; i < most; ++i) {
        memory[i] = i % 11 - 5;
        filter[i] = i % 7 - 3;
    }
    bool good = run<im2col_known>("known", im2col_plan::fixed, memory, filter, found);
    image const any[] = {{2, 5, 6, 3, 1}, {2, 5, 6, 3, 2}, {1, 9, 7, 5, 1}, {4, 16, 13, 8, 2}};
    for (image const &m : any)
        good = run<im2col_any>("run time", m, memory, filter, found) && good;
    return !good;
}
