/** The verbs of register tensors against host layouts: what every register of every thread holds after each of them
 * is what the fragment's layout, evaluated by the host, and a few loops over a matrix say. */
#include <cmath>
#include <type_traits>

#include "device.cuh"
#include "tessera/cuda.cuh"
#include "tessera/base/number.h"
#include "tessera/names.h"

enum { SIDE = 128, MOST = 1 << 16 };

static constexpr tsr_mma_atom group = tsr_wgmma(64, TSR_F32, TSR_F16, TSR_F16, 0, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom from_registers =
    tsr_wgmma(32, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_A_REGISTERS | TSR_MMA_B_MN, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom bytes =
    tsr_wgmma(32, TSR_F32, TSR_F8_E4M3FN, TSR_F8_E4M3FN, TSR_MMA_A_REGISTERS, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom warp = tsr_warp_mma(80, 16, 8, 16, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom small = tsr_warp_mma(80, 8, 8, 16, TSR_I32, TSR_I8, TSR_I8, TSR_MMA_PLAIN);
static constexpr tsr_tiled_mma warps =
    tsr_make_tiled_mma_by(warp, tsr_make_layout(tsr_t(_2, _2, _1)), tsr_tile(_32, _32, _16));

TSR_FN tsr_layout square(int m, int n) { return tsr_make_identity_layout(tsr_t(tsr_s(m), tsr_s(n))); }

/* Fragments: (thread, values...) -> coordinate. */
struct group_c {
    static constexpr tsr_layout l = tsr_thread_values_c(tsr_make_tiled_mma(group), square(128, 64));
};
struct group_a {
    static constexpr tsr_layout l = tsr_thread_values_a(tsr_make_tiled_mma(from_registers), square(64, 64));
};
struct step_a {
    static constexpr tsr_layout l = tsr_thread_values_a(tsr_make_tiled_mma(from_registers), square(64, 16));
};
struct group_8 {
    static constexpr tsr_layout l = tsr_thread_values_a(tsr_make_tiled_mma(bytes), square(64, 64));
};
struct warps_c {
    static constexpr tsr_layout l = tsr_thread_values_c(warps, square(64, 64));
};
struct warps_a {
    static constexpr tsr_layout l = tsr_thread_values_a(warps, square(64, 32)); /* two warps have the same */
};
struct integers_c {
    static constexpr tsr_layout l = tsr_thread_values_c(tsr_make_tiled_mma(small), square(8, 32));
};
struct row {
    static constexpr tsr_layout l = /* a row of 128 in 64 threads */
        tsr_composition(square(2, 128), tsr_make_layout(tsr_t(_64, tsr_t(_2, _2)), tsr_t(_4, tsr_t(_2, _1))));
};

/** The element at (i,j). */
TSR_FN float element(int i, int j) { return (float)((i * 37 + j * 11) % 101 - 50) / 7.0f; }

template <tsr_layout const &L> TSR_DEVICE tsr_frag<L, float> filled(void)
{
    return tsr_frag_map_at(tsr_frag_fill<tsr_frag<L, float>>(0.0f), threadIdx.x,
                           [](float, tsr_coord<2> c) { return element(c.at[0], c.at[1]); });
}

/** Value v of thread t goes to out[v * threads + t]. */
template <tsr_layout const &L, class T> TSR_DEVICE void dump(tsr_frag<L, T> const &x, float *out)
{
    TSR_UNROLL for (int v = 0; v < tsr_values<L>; ++v) out[v * blockDim.x + threadIdx.x] = (float)x.get(v);
}

template <class F> __global__ void coordinates(float *out) { dump(filled<F::l>(), out); }

template <class F> __global__ void masked(float *out)
{
    dump(tsr_frag_mask(filled<F::l>(), threadIdx.x, -1.0f,
                       [](tsr_coord<2> c) { return c.at[1] <= c.at[0] && c.at[1] < 50; }),
         out);
}

template <class F, int D, class G> __global__ void reduced(float *out)
{
    __shared__ float smem[tsr_frag_shared<F::l, D>];
    dump(tsr_frag_reduce<D>(filled<F::l>(), G(), tsr_smem(smem), threadIdx.x), out);
}

/** Minus the sum of the row, or of the column. */
template <class F, int D> __global__ void zipped(float *out)
{
    __shared__ float smem[tsr_frag_shared<F::l, D>];
    auto const sums = tsr_frag_reduce<D>(filled<F::l>(), tsr_plus(), tsr_smem(smem), threadIdx.x);
    dump(tsr_frag_zip(filled<F::l>(), sums, [](float x, float s) { return x - s; }), out);
}

template <class F, class T> __global__ void converted(float *out) { dump(tsr_frag_cast<T>(filled<F::l>()), out); }

template <class F, class T> __global__ void widened(float *out)
{
    dump(tsr_frag_widen(tsr_frag_cast<T>(filled<F::l>())), out);
}

template <class F, class M, int First> __global__ void sliced(float *out)
{
    dump(tsr_frag_slice<M::l, First>(tsr_frag_cast<tsr_f16>(filled<F::l>())), out);
}

/** Stores 61 x 59 of a tile of 128 x 128, and loads them again. */
template <class F, int Bytes> __global__ void stored(float *memory, float *out)
{
    tsr_global<float, 2, 1> const to = {memory, {61, 59}, {SIDE, 1}};
    tsr_global<float const, 2, 1> const from = {memory, {61, 59}, {SIDE, 1}};
    tsr_frag_store<Bytes>(filled<F::l>(), to, threadIdx.x);
    __syncthreads();
    dump(tsr_frag_load<Bytes, F::l>(from, threadIdx.x), out);
}

/** Twice the elements, added up in raw memory; a register that is not at its place there is 1000. */
template <class F> __global__ void added(float *memory, float *out)
{
    typedef tsr_frag<F::l, float> frag;
    int const t = threadIdx.x, threads = blockDim.x;
    for (int i = t; i < frag::words * threads; i += threads)
        memory[i] = 0;
    __syncthreads();
    tsr_frag_add_raw(filled<F::l>(), memory, t);
    tsr_frag_add_raw(filled<F::l>(), memory, t);
    __threadfence();
    auto x = tsr_frag_load_raw<F::l, float>(memory, t);
    for (int r = 0; r < frag::words; ++r)
        x.r[r] = x.r[r] == memory[4 * (r / 4 * threads + t) + r % 4] ? x.r[r] : 1000;
    dump(x, out);
}

/** Every value goes to its coordinate of a matrix, and from there back. */
template <class F> __global__ void each(float *memory, float *out)
{
    auto const x = filled<F::l>();
    tsr_frag_each(x, threadIdx.x, [&](float y, tsr_coord<2> c) { memory[c.at[0] * SIDE + c.at[1]] = y; });
    __syncthreads();
    dump(tsr_frag_map_at(x, threadIdx.x, [&](float, tsr_coord<2> c) { return memory[c.at[0] * SIDE + c.at[1]]; }),
         out);
}

/** A fragment in raw shared memory, and another one of halves in global memory, and back. */
template <class F> __global__ void put_by(float *memory, float *out)
{
    typedef tsr_frag<F::l, float> frag;
    extern __shared__ __align__(16) float smem[];
    int const t = threadIdx.x;
    tsr_frag_store_raw(filled<F::l>(), smem, t);
    auto x = tsr_frag_load_raw<F::l, float>(smem, t);
    for (int r = 0; r < frag::words; ++r)
        x.r[r] = x.r[r] == smem[4 * (r / 4 * (int)blockDim.x + t) + r % 4] ? x.r[r] : 1000;
    if constexpr (frag::words % 8 == 0) {
        uint32_t *const halves = reinterpret_cast<uint32_t *>(memory);
        tsr_frag_store_raw(tsr_frag_cast<tsr_f16>(x), halves, t);
        x = tsr_frag_cast<float>(tsr_frag_load_raw<F::l, tsr_f16>(halves, t));
    }
    dump(x, out);
}

/** A (64,64) in registers times B (32,64), N-major in shared memory. */
struct product_plan {
    static constexpr tsr_layout b = tsr_tile_to_shape(tsr_smem_atom(TSR_MAJOR_MN, 2, TSR_F16), tsr_t(_32, _64));
    static constexpr tsr_layout c = tsr_thread_values_c(tsr_make_tiled_mma(from_registers), square(64, 32));
};
__global__ void product(float *out)
{
    __shared__ alignas(1024) tsr_f16 smem[32 * 64];
    for (int i = threadIdx.x; i < 32 * 64; i += blockDim.x)
        smem[tsr_at<product_plan::b>(i % 32, i / 32)] = tsr_f16((float)((i % 32 * 3 + i / 32) % 5 - 2));
    auto a = tsr_frag_cast<tsr_f16>(tsr_frag_map(filled<group_a::l>(), [](float x) { return rintf(x); }));
    auto c = tsr_frag_fill<product_plan::c>(1.0f);
    tsr_fence_async();
    __syncthreads();
    tsr_wgmma_fence(a, c);
    tsr_gemm_wgmma<from_registers, product_plan::b>(a, tsr_smem(smem), c);
    tsr_wgmma_commit();
    tsr_wgmma_wait<0>(a, c);
    dump(c, out);
}

/* The host */

static float *memory_of, *out_of;
static std::vector<float> got(MOST);

static void place(tsr_layout const &l, int64_t t, int64_t v, int at[2])
{
    tsr_fragment_coord const e = tsr_fragment_coord_of(&l, t + v * tsr_size(tsr_mode(l, 0)));
    at[0] = (int)e.at[0], at[1] = (int)e.at[1];
}

/** Is what the kernel wrote for a fragment `l` expected(i, j) everywhere, to a part in `exact`? */
template <class K, class F> static void check(char const *name, char const *what, tsr_layout l, K kernel, F expected)
{
    int64_t const threads = tsr_size(tsr_mode(l, 0)), values = tsr_size(l) / threads;
    check_cuda(cudaMemset(out_of, 0xff, MOST * sizeof(float)), "cudaMemset");
    kernel((unsigned)threads);
    finish(what);
    check_cuda(cudaMemcpy(got.data(), out_of, MOST * sizeof(float), cudaMemcpyDeviceToHost), "read");
    for (int64_t v = 0; v < values; ++v)
        for (int64_t t = 0; t < threads; ++t) {
            int at[2];
            place(l, t, v, at);
            float const wanted = expected(at[0], at[1]), x = got[(size_t)(v * threads + t)];
            if (std::fabs(x - wanted) <= 1e-5f * std::fabs(wanted) + 1e-4f)
                continue;
            std::printf("FAILED %s, %s: value %d of thread %d, at (%d,%d), is %g, not %g\n", name, what, (int)v,
                        (int)t, at[0], at[1], x, wanted);
            ++failed;
            return;
        }
    ++passed;
}

/** The number that a type has for x. */
static float rounded(tsr_dtype type, float x)
{
    return (float)tsr_number_to_double(tsr_decode(type, tsr_encode(type, tsr_number_real(x))));
}

template <class F> static void try_layout(char const *name, int rows, int columns)
{
    auto const sum = [&](int i, int j, int d) {
        float s = 0;
        for (int k = 0; k < (d ? columns : rows); ++k)
            s += d ? element(i, k) : element(k, j);
        return s;
    };
    auto const most = [&](int i) {
        float m = element(i, 0);
        for (int k = 1; k < columns; ++k)
            m = std::fmax(m, element(i, k));
        return m;
    };
    tsr_layout const by_row = tsr_reduced_fragment(F::l, 1), by_column = tsr_reduced_fragment(F::l, 0);
    check(
        name, "coordinates", F::l, [](unsigned t) { coordinates<F><<<1, t>>>(out_of); }, element);
    check(
        name, "mask", F::l, [](unsigned t) { masked<F><<<1, t>>>(out_of); },
        [](int i, int j) { return j <= i && j < 50 ? element(i, j) : -1.0f; });
    check(
        name, "sums of rows", by_row, [](unsigned t) { reduced<F, 1, tsr_plus><<<1, t>>>(out_of); },
        [&](int i, int) { return sum(i, 0, 1); });
    check(
        name, "largest of rows", by_row, [](unsigned t) { reduced<F, 1, tsr_larger><<<1, t>>>(out_of); },
        [&](int i, int) { return most(i); });
    check(
        name, "sums of columns", by_column, [](unsigned t) { reduced<F, 0, tsr_plus><<<1, t>>>(out_of); },
        [&](int, int j) { return sum(0, j, 0); });
    check(
        name, "minus rows", F::l, [](unsigned t) { zipped<F, 1><<<1, t>>>(out_of); },
        [&](int i, int j) { return element(i, j) - sum(i, 0, 1); });
    check(
        name, "minus columns", F::l, [](unsigned t) { zipped<F, 0><<<1, t>>>(out_of); },
        [&](int i, int j) { return element(i, j) - sum(0, j, 0); });
    check(
        name, "f16", F::l, [](unsigned t) { converted<F, tsr_f16><<<1, t>>>(out_of); },
        [](int i, int j) { return rounded(TSR_F16, element(i, j)); });
    check(
        name, "bf16", F::l, [](unsigned t) { converted<F, tsr_bf16><<<1, t>>>(out_of); },
        [](int i, int j) { return rounded(TSR_BF16, element(i, j)); });
    check(
        name, "e4m3", F::l, [](unsigned t) { converted<F, tsr_e4m3><<<1, t>>>(out_of); },
        [](int i, int j) { return rounded(TSR_F8_E4M3FN, element(i, j)); });
    check(
        name, "e5m2", F::l, [](unsigned t) { converted<F, tsr_e5m2><<<1, t>>>(out_of); },
        [](int i, int j) { return rounded(TSR_F8_E5M2, element(i, j)); });
    check(
        name, "store and load", F::l, [](unsigned t) { stored<F, 4><<<1, t>>>(memory_of, out_of); },
        [](int i, int j) { return i < 61 && j < 59 ? element(i, j) : 0.0f; });
    check(
        name, "added raw", F::l, [](unsigned t) { added<F><<<1, t>>>(memory_of, out_of); },
        [](int i, int j) { return 2 * element(i, j); });
    check(
        name, "each", F::l, [](unsigned t) { each<F><<<1, t>>>(memory_of, out_of); }, element);
    check(
        name, "put by raw", F::l,
        [](unsigned t) { put_by<F><<<1, t, t * sizeof(tsr_frag<F::l, float>)>>>(memory_of, out_of); },
        [](int i, int j) { return tsr_values<F::l> % 8 == 0 ? rounded(TSR_F16, element(i, j)) : element(i, j); });
}

int main()
{
    need_hopper();
    check_cuda(cudaMalloc(&memory_of, SIDE * SIDE * sizeof(float)), "cudaMalloc");
    check_cuda(cudaMalloc(&out_of, MOST * sizeof(float)), "cudaMalloc");
    try_layout<group_c>("C of wgmma", 128, 64);
    try_layout<group_a>("A of wgmma", 64, 64);
    try_layout<group_8>("A of wgmma in bytes", 64, 64);
    try_layout<warps_c>("C of four warps", 64, 64);
    try_layout<warps_a>("A of four warps", 64, 32);
    try_layout<integers_c>("C of m8n8k16", 8, 32);
    try_layout<row>("rows in two warps", 2, 128);
    auto const half = [](int i, int j) { return rounded(TSR_F16, element(i, j)); };
    check(
        "C of wgmma", "widened", tsr_widened_fragment(group_c::l, 2),
        [](unsigned t) { widened<group_c, tsr_f16><<<1, t>>>(out_of); }, half);
    check(
        "C of m8n8k16", "widened", tsr_widened_fragment(integers_c::l, 2),
        [](unsigned t) { widened<integers_c, tsr_f16><<<1, t>>>(out_of); }, half);
    check(
        "A of wgmma", "slice", step_a::l, [](unsigned t) { sliced<group_a, step_a, 16><<<1, t>>>(out_of); },
        [&](int i, int j) { return half(i, j + 32); });
    check(
        "A in registers", "product", product_plan::c, [](unsigned t) { product<<<1, t>>>(out_of); },
        [](int i, int j) {
            float sum = 1;
            for (int k = 0; k < 64; ++k)
                sum += std::rint(element(i, k)) * (float)((j * 3 + k) % 5 - 2);
            return sum;
        });
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
