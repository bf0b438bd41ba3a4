/* C = relu(A * B^T + bias) of e4m3 on Blackwell, by blocks of one CTA: kernel, maps and launch in one file. nvcc
 * compiles it for a GPU. With -DTSR_EMULATE=1 a C++ compiler makes a program that runs it on the CPU (emulator.md).
 * No such GPU was at hand: compiled, and run by the emulator. */
#if TSR_EMULATE
#  include <tessera/emulate/run.h>
#endif
#include <tessera/base/memory.h>
#include <tessera/cuda.cuh>
#include <tessera/cuda/map.cuh>
#include <tessera/cuda/umma.cuh>
#include <tessera/text.h>

#include <tessera/names.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

struct f8_plan {
    enum { M = 128, N = 128, K = 128, stages = 3, threads = 192, part = 32 /* columns of sums at a time */ };
    static constexpr tsr_dtype type = TSR_F8_E4M3FN; /* e4m3 has no infinities: FN */
    static constexpr tsr_mma_atom atom = tsr_umma(1, M, N, TSR_F32, type, type, 0, TSR_MMA_PLAIN);
    static constexpr tsr_layout block = tsr_smem_atom(TSR_MAJOR_K, 3, type); /* 8 rows of 128 bytes, swizzled */
    static constexpr tsr_layout a = tsr_tile_to_shape(block, tsr_t(tsr_s(M), tsr_s(K)));
    static constexpr tsr_layout b = tsr_tile_to_shape(block, tsr_t(tsr_s(N), tsr_s(K)));
    static constexpr tsr_tmem_plan tmem = tsr_make_tmem_plan(atom, tsr_t(_1, _1), 1);
    typedef tsr_tmem_rows<atom, part> rows; /* a row of the sums to a thread */

    struct shared { /* tiles come first: dynamic shared memory begins at a multiple of 1024 bytes */
        tsr_e4m3 a[stages][M * K], b[stages][N * K];
        tsr_pipeline<stages> ring;
        tsr_barrier done;
        uint32_t slot;
    };
};

/* a, b: maps of A (M,K) and B (N,K) for the tiles plan::a and plan::b. The bias is a matrix (M,N) whose rows are one:
 * its stride along M is 0. It and C are aligned to 16 bytes, and so are the rows of C. */
__global__ __launch_bounds__(192, 1) void f8(__grid_constant__ tsr_tma_map const a,
                                             __grid_constant__ tsr_tma_map const b,
                                             tsr_global<float const, 2, 1> bias, tsr_global<tsr_bf16, 2, 1> C, int K)
{
    typedef f8_plan plan;
    auto &to = *tsr_dynamic_smem<plan::shared>();
    int const warp = tsr_warp(), depth = (K + plan::K - 1) / plan::K;
    int const m = blockIdx.x * plan::M, n = blockIdx.y * plan::N;

    if (threadIdx.x == 0) {
        to.ring.init(1, 1);
        tsr_barrier_init(&to.done, 1);
    }
    tsr_tmem<plan::tmem> t(&to.slot, warp == 1);

    if (warp == 0 && tsr_elect()) { /* loads */
        tsr_stage<plan::stages> s;
        for (int k = 0; k < depth; ++k, s.next()) {
            tsr_barrier *const full = &to.ring.full[s.index];
            tsr_barrier_wait(&to.ring.free[s.index], s.parity ^ 1);
            tsr_barrier_expect(full, tsr_tma_bytes<plan::a, tsr_e4m3> + tsr_tma_bytes<plan::b, tsr_e4m3>);
            tsr_tma_load_tile<plan::a>(&a, full, tsr_smem(to.a[s.index]), m, k * plan::K);
            tsr_tma_load_tile<plan::b>(&b, full, tsr_smem(to.b[s.index]), n, k * plan::K);
        }
    } else if (warp == 1 && tsr_elect()) { /* multiplies */
        tsr_stage<plan::stages> s;
        for (int k = 0; k < depth; ++k, s.next()) {
            tsr_barrier_wait(&to.ring.full[s.index], s.parity);
            tsr_umma_after();
            tsr_gemm_umma<plan::atom, plan::a, plan::b>(tsr_smem(to.a[s.index]), tsr_smem(to.b[s.index]), t.c, k > 0);
            tsr_umma_commit<1>(&to.ring.free[s.index]);
        }
        tsr_umma_commit<1>(&to.done);
    } else if (warp >= 2) { /* four warps take the sums out */
        int const thread = threadIdx.x % 128;
        tsr_barrier_wait(&to.done, 0);
        tsr_umma_after();
        for (int j = 0; j < plan::N; j += plan::part) {
            tsr_frag<plan::rows::values, float> x;
            tsr_tmem_load<plan::rows::copy, plan::rows::tile>(t.c + j, x);
            tsr_tmem_wait_load(x);
            auto const add = tsr_frag_load<16, plan::rows::values>(bias.from(m, n + j), thread);
            auto const y = tsr_frag_zip(x, add, [](float v, float w) { return fmaxf(v + w, 0.0f); });
            tsr_frag_store<16>(tsr_frag_cast<tsr_bf16>(y), C.from(m, n + j), thread);
        }
    }
    t.close();
}

/* The host's side: arrays that it and the kernel see, and the launch. */

#if TSR_EMULATE
template <class T> static T *allocate(int64_t n)
{
    return (T *)aligned_alloc(256, (n * sizeof(T) + 255) / 256 * 256);
}
static void release(void *p) { free(p); }
#else
template <class T> static T *allocate(int64_t n)
{
    void *p = nullptr;
    cudaMallocManaged(&p, n * sizeof(T));
    return (T *)p;
}
static void release(void *p) { cudaFree(p); }
#endif

/* Zeros: `rows` of `columns` elements of a type, each row padded to a multiple of 16 bytes. */
template <class T, tsr_dtype Type> struct matrix {
    tsr_global<T, 2, 1> x;
    matrix(int rows, int columns)
    {
        int const per = 16 / (int)sizeof(T), pitch = (columns + per - 1) / per * per;
        x = {allocate<T>((int64_t)rows * pitch), {rows, columns}, {pitch, 1}};
        memset((void *)x.at, 0, (size_t)rows * pitch * sizeof(T));
    }
    ~matrix() { release(x.at); }
    matrix(matrix const &) = delete;
    T *at(int i, int j) const { return x.at + i * x.stride[0] + j; }
    void set(int i, int j, double v) { tsr_store(Type, at(i, j), 0, tsr_number_real(v)); }
    double get(int i, int j) const { return tsr_number_to_double(tsr_load(Type, at(i, j), 0)); }
};

/* Whether the kernel ran, by each schedule of the emulator or by a GPU. */
static bool launch(tsr_tma_map const &a, tsr_tma_map const &b, tsr_global<float const, 2, 1> bias,
                   tsr_global<tsr_bf16, 2, 1> C, int K)
{
    dim3 const grid((C.extent[0] + f8_plan::M - 1) / f8_plan::M, (C.extent[1] + f8_plan::N - 1) / f8_plan::N);
#if TSR_EMULATE
    bool good = true;
    for (int i = 0; i < TSR_SCHEDULES; ++i) {
        tsr_emulated_launch l;
        l.grid = grid;
        l.threads = f8_plan::threads;
        l.shared = sizeof(f8_plan::shared);
        l.schedule = (tsr_emulated_schedule)i;
        for (std::string const &why : tsr_emulate(l, [&] { f8(a, b, bias, C, K); }))
            good = std::puts(why.c_str()) < 0;
    }
    return good;
#else
    cudaFuncSetAttribute(f8, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(f8_plan::shared));
    f8<<<grid, f8_plan::threads, sizeof(f8_plan::shared)>>>(a, b, bias, C, K);
    return cudaDeviceSynchronize() == cudaSuccess;
#endif
}

static int random_integer(int most)
{
    static unsigned x = 1;
    x = x * 1664525 + 1013904223;
    return (int)((x >> 16) % (unsigned)(2 * most + 1)) - most;
}

static bool try_f8(int M, int N, int K)
{
    matrix<tsr_e4m3, TSR_F8_E4M3FN> A(M, K), B(N, K);
    matrix<float, TSR_F32> bias(1, N);
    matrix<tsr_bf16, TSR_BF16> C(M, N);
    for (int k = 0; k < K; ++k) {
        for (int i = 0; i < M; ++i)
            A.set(i, k, random_integer(2));
        for (int j = 0; j < N; ++j)
            B.set(j, k, random_integer(2));
    }
    for (int j = 0; j < N; ++j)
        bias.set(0, j, random_integer(20));

    tsr_global<float const, 2, 1> const along_rows = {bias.x.at, {M, N}, {0, 1}};
    tsr_tma_map a, b;
    tsr_reason const why[] = {tsr_make_tma_map(A.x, f8_plan::a, &a), tsr_make_tma_map(B.x, f8_plan::b, &b),
                              along_rows.wide(16), C.x.wide(16)};
    for (tsr_reason const &w : why)
        if (!tsr_ok(w)) {
            tsr_print(stdout, w);
            return false;
        }
    bool const ran = launch(a, b, along_rows, C.x, K);
    int wrong = 0;
    for (int i = 0; i < M && ran; ++i)
        for (int j = 0; j < N; ++j) {
            double sum = bias.get(0, j);
            for (int k = 0; k < K; ++k)
                sum += A.get(i, k) * B.get(j, k);
            wrong += C.at(i, j)->bits != tsr_encode(TSR_BF16, tsr_number_real(sum > 0 ? sum : 0));
        }
    if (ran)
        std::printf("f8 %4d x %3d x %4d: %d wrong\n", M, N, K, wrong);
    return ran && wrong == 0;
}

int main()
{
#if !TSR_EMULATE
    cudaDeviceProp device;
    if (cudaGetDeviceProperties(&device, 0) != cudaSuccess || device.major < 10 || device.major > 11) {
        std::printf("no GPU of compute capability 10.0\n");
        return 77;
    }
    cudaFree(nullptr); /* a context, for the maps */
#endif
    bool const good = try_f8(128, 128, 128) && try_f8(200, 136, 600) && try_f8(1, 77, 24);
    return good ? 0 : 1;
}
