/** Forms of tcgen05.mma that no example has, by the verbs of cuda/umma.cuh and tmem.cuh under every schedule: 64 rows,
 *  A in tensor memory, sums of half, N-major B, several tiles, scales of 32 elements. */
#include "tessera/emulate/run.h"

#include "product.h"
#include "tessera/cuda.cuh"
#include "tessera/cuda/umma.cuh"
#include "tessera/names.h"

#define ATOM static constexpr tsr_mma_atom atom =
#define TILE(name, type, major, rows, k) \
  static constexpr tsr_layout name =     \
      tsr_tile_to_shape(tsr_smem_atom(TSR_MAJOR_##major, 3, type), tsr_t(tsr_s(rows), tsr_s(k)))
#define LOAD(op, number, type)                                      \
  static constexpr tsr_layout sums = tsr_mode(tsr_tmem_c(atom), 0); \
  static constexpr tsr_tiled_copy load =                            \
      tsr_make_tmem_copy(tsr_copy_values(tsr_make_copy(TSR_COPY_LOAD_##op, number), type), sums)

struct plain {
    enum { tall = 1, wide = 1, vector = 0, ts = 0 };
    static constexpr tsr_layout sfa = tsr_make_layout(_1), sfb = tsr_make_layout(_1);
};
struct rows_64 : plain {
    ATOM tsr_umma(1, 64, 64, TSR_F32, TSR_F16, TSR_F16, 0, TSR_MMA_PLAIN);
    TILE(a, TSR_F16, K, 64, 64);
    TILE(b, TSR_F16, K, 64, 64);
    LOAD(16DP256B, 8, TSR_F32);
};
struct pair_128 : plain {
    ATOM tsr_umma(2, 128, 64, TSR_F32, TSR_TF32, TSR_TF32, 0, TSR_MMA_PLAIN);
    TILE(a, TSR_TF32, K, 64, 32);
    TILE(b, TSR_TF32, K, 32, 32);
    LOAD(32DP32B, 32, TSR_F32);
};
struct n_major : plain {
    ATOM tsr_umma(1, 128, 64, TSR_F32, TSR_BF16, TSR_BF16, TSR_MMA_B_MN, TSR_MMA_PLAIN);
    TILE(a, TSR_BF16, K, 128, 64);
    TILE(b, TSR_BF16, MN, 64, 64);
    LOAD(16DP128B, 16, TSR_F32);
};
struct tiles_2x2 : plain {
    enum { tall = 2, wide = 2 };
    ATOM tsr_umma(1, 64, 32, TSR_F32, TSR_F16, TSR_F16, 0, TSR_MMA_PLAIN);
    TILE(a, TSR_F16, K, 128, 128);
    TILE(b, TSR_F16, K, 64, 128);
    LOAD(16DP64B, 16, TSR_F32);
};
struct half_sums : plain {
    ATOM tsr_umma(1, 128, 64, TSR_F16, TSR_F8_E4M3FN, TSR_F8_E5M2, 0, TSR_MMA_PLAIN);
    TILE(a, TSR_U8, K, 128, 128);
    TILE(b, TSR_U8, K, 64, 128);
    LOAD(32DP32B_16, 32, TSR_F16);
};
struct from_tmem : plain {
    enum { ts = 1 };
    ATOM tsr_umma(1, 128, 64, TSR_F32, TSR_BF16, TSR_BF16, TSR_MMA_A_REGISTERS, TSR_MMA_PLAIN);
    TILE(a, TSR_BF16, K, 128, 64); /* how many elements */
    TILE(b, TSR_BF16, K, 64, 64);
    static constexpr tsr_layout in_tmem = tsr_mode(tsr_tmem_frg_ts(tsr_t(tsr_t(_128, _64), _1), 1, TSR_BF16, 16), 0);
    static constexpr tsr_tiled_copy store =
        tsr_make_tmem_copy(tsr_copy_values(tsr_make_copy(TSR_COPY_STORE_32DP32B, 32), TSR_BF16), in_tmem);
    LOAD(16DP32B, 32, TSR_F32);
};
struct mxf8 : plain {
    enum { vector = 32 };
    ATOM tsr_umma(1, 128, 256, TSR_F32, TSR_F8_E4M3FN, TSR_F6_E2M3, 0, TSR_MMA_SCALE_32);
    TILE(a, TSR_U8, K, 128, 128);
    TILE(b, TSR_U8, K, 256, 128);
    static constexpr tsr_layout sfa = tsr_scales_layout(32, tsr_t(_128, _128), 128, TSR_MAJOR_K);
    static constexpr tsr_layout sfb = tsr_scales_layout(32, tsr_t(_256, _128), 128, TSR_MAJOR_K);
    LOAD(32DP32B, 64, TSR_F32);
};
struct mxf4_pair : plain {
    enum { vector = 32 };
    ATOM tsr_umma(2, 256, 192, TSR_F32, TSR_F4_E2M1, TSR_F4_E2M1, 0, TSR_MMA_SCALE_32);
    TILE(a, TSR_F4_E2M1, K, 128, 256);
    TILE(b, TSR_F4_E2M1, K, 96, 256);
    static constexpr tsr_layout sfa = tsr_scales_layout(32, tsr_t(_128, _256), 128, TSR_MAJOR_K);
    static constexpr tsr_layout sfb = tsr_scales_layout(32, tsr_t(_256, _256), 128, TSR_MAJOR_K);
    LOAD(32DP32B, 64, TSR_F32);
};

/** Element (i,k) of a tile of `bits` bits each. 16 elements of 4 or 6 bits begin a unit of 16 bytes and do not fill
 *  it. */
static void put(uint8_t *to, tsr_layout const &tile, int rows, int i, int k, tsr_dtype type, int bits, double x)
{
    int const width = tsr_dtype_bits(type), in = width < bits ? k % 16 : 0;
    int64_t const at = tsr_layout_offset(&tile, i + (int64_t)(k - in) * rows) * bits + in * width;
    uint64_t const code = tsr_encode(type, tsr_number_real(x));
    for (int j = 0; j < width; ++j)
        to[(at + j) / 8] = (uint8_t)((to[(at + j) / 8] & ~(1 << (at + j) % 8)) | (code >> j & 1) << (at + j) % 8);
}

/** The bits of an element in shared memory. */
template <class F> static int stored(tsr_dtype type)
{
    int const bits = tsr_dtype_bits(type);
    return bits < 8 && F::atom.k < 64 ? 8 : bits;
}

/** A and B of M*tall and N*wide rows, and scales of `vector` elements. */
template <class F> struct operands {
    enum { ctas = F::atom.kind == TSR_MMA_CTA_PAIR ? 2 : 1, M = F::atom.m * F::tall, N = F::atom.n * F::wide };
    int K = (int)tsr_size(tsr_mode(F::a, 1));
    std::vector<double> a, b, sfa, sfb;
    operands() : a((size_t)(M * K)), b((size_t)(N * K)), sfa(a.size(), 1), sfb(b.size(), 1)
    {
        for (double &x : a)
            x = next_integer(2);
        for (double &x : b)
            x = next_integer(2);
        for (size_t i = 0; F::vector > 0 && i < sfa.size(); ++i)
            sfa[i] = i % F::vector ? sfa[i - 1] : 1 << next_random() % 3;
        for (size_t i = 0; F::vector > 0 && i < sfb.size(); ++i)
            sfb[i] = i % F::vector ? sfb[i - 1] : 1 << next_random() % 3;
    }
};

/** A CTA's part of the operands in shared memory, by thread 0. */
template <class F> struct memory {
    enum { ctas = operands<F>::ctas, rows = F::atom.m / ctas, columns = F::atom.n / ctas };
    alignas(1024) uint8_t a[65536], b[65536], sfa[4096], sfb[4096];
    tsr_barrier done;
    uint32_t slot;

    void fill(operands<F> const &x, int cta)
    {
        for (int i = 0; i < rows * F::tall; ++i)
            for (int k = 0; k < x.K; ++k) {
                size_t const from = (size_t)((i / rows * F::atom.m + cta * rows + i % rows) * x.K + k);
                put(a, F::a, rows * F::tall, i, k, F::atom.a, stored<F>(F::atom.a), x.a[from]);
                if (F::vector != 0)
                    put(sfa, F::sfa, 128, i, k, TSR_F8_E8M0, 8, x.sfa[from]);
            }
        for (int i = 0; i < columns * F::wide; ++i)
            for (int k = 0; k < x.K; ++k)
                put(b, F::b, columns * F::wide, i, k, F::atom.b, stored<F>(F::atom.b),
                    x.b[(size_t)((i / columns * F::atom.n + cta * columns + i % columns) * x.K + k)]);
        for (int i = 0; F::vector != 0 && i < F::atom.n; ++i)
            for (int k = 0; k < x.K; ++k)
                put(sfb, F::sfb, (F::atom.n + 127) / 128 * 128, i, k, TSR_F8_E8M0, 8, x.sfb[(size_t)(i * x.K + k)]);
    }
};

/** A row of A to each thread's lane. */
template <class F> static void store_a(operands<F> const &x, uint32_t at)
{
    uint32_t r[32];
    for (int i = 0; i < 32; ++i)
        r[i] = tsr_bf16((float)x.a[(size_t)(threadIdx.x * 64 + 2 * i)]).bits
               | (uint32_t)tsr_bf16((float)x.a[(size_t)(threadIdx.x * 64 + 2 * i + 1)]).bits << 16;
    tsr_tmem_store<F::store, F::in_tmem>(at, r);
    tsr_tmem_wait_store();
}

template <class F, class T> static void form(operands<F> const &x, tsr_global<T, 2, 1> out)
{
    static constexpr tsr_mma_atom atom = F::atom;
    static constexpr tsr_tmem_plan plan =
        tsr_make_tmem_plan(atom, tsr_t(tsr_s(F::tall), tsr_s(F::wide)), tsr_s(tsr_size(tsr_mode(F::a, 1)) / atom.k));
    enum { ctas = operands<F>::ctas, rows = F::atom.m / ctas };
    memory<F> &s = *tsr_dynamic_smem<memory<F>>();
    int const warp = tsr_warp(), cta = ctas == 1 ? 0 : tsr_cluster_rank();
    if (threadIdx.x == 0) {
        s.fill(x, cta);
        tsr_barrier_init(&s.done, 1);
        tsr_barrier_init_fence();
        tsr_fence_async();
    }
    tsr_tmem<plan, ctas> t(&s.slot, warp == 0);
    if constexpr (F::ts)
        store_a(x, t.a);
    tsr_umma_before();
    tsr_cluster_sync();
    if (warp == 0 && cta == 0 && tsr_elect()) {
        tsr_umma_after();
        if constexpr (F::vector > 0) {
            tsr_tmem_fill<atom, TSR_TMEM_SFA, F::sfa>(tsr_smem(s.sfa), t.sfa);
            tsr_tmem_fill<atom, TSR_TMEM_SFB, F::sfb>(tsr_smem(s.sfb), t.sfb);
            tsr_gemm_umma<atom, F::a, F::b>(tsr_smem(s.a), tsr_smem(s.b), t.c, t.sfa, t.sfb, false);
        } else if constexpr (F::ts) {
            tsr_gemm_umma<atom, F::b>(tsr_tmem_at{t.a}, tsr_smem((tsr_bf16 *)s.b), t.c, false);
        } else {
            typedef std::conditional_t<atom.a == TSR_TF32, float,
                                       std::conditional_t<tsr_dtype_bits(atom.a) == 16, uint16_t, uint8_t>>
                number;
            tsr_gemm_umma<atom, F::a, F::b>(tsr_smem((number *)s.a), tsr_smem((number *)s.b), t.c, false);
        }
        tsr_umma_commit<ctas>(&s.done, 2 * ctas - 1);
    }
    tsr_barrier_wait(&s.done, 0);
    tsr_umma_after();
    typedef tsr_tmem_tiles_<atom, TSR_TMEM_C, F::tall, F::wide> tiles;
    static constexpr tsr_layout values = tsr_tmem_frag_<F::load, F::sums>::of;
    for (int i = 0; i < F::tall * F::wide; ++i) {
        tsr_frag<values, T> r;
        tsr_tmem_load<F::load, F::sums>(t.c + tiles::step.at[i], r);
        tsr_tmem_wait_load(r);
        tsr_frag_store<sizeof(T)>(r, out.from(cta * rows + i % F::tall * atom.m, i / F::tall * atom.n), threadIdx.x);
    }
    tsr_umma_before();
    tsr_cluster_sync();
    t.free();
}

template <class F, class T> static int try_form(char const *name)
{
    operands<F> const x;
    std::vector<double> a = x.a, b = x.b;
    for (size_t i = 0; i < a.size(); ++i)
        a[i] *= x.sfa[i];
    for (size_t i = 0; i < b.size(); ++i)
        b[i] *= x.sfb[i];
    std::vector<double> const sums = plain_product(a, b, x.M, x.N, x.K);
    std::vector<T> got(sums.size()), want(sums.size());
    for (size_t i = 0; i < sums.size(); ++i)
        want[i] = T((float)sums[i]);
    tsr_emulated_launch l;
    l.grid = l.cluster = x.ctas;
    l.threads = 128;
    l.shared = sizeof(memory<F>);
    return try_kernel(name, l, got, want, [&] { form<F, T>(x, {got.data(), {x.M, x.N}, {x.N, 1}}); });
}

int main()
{
    int const bad = try_form<rows_64, float>("64 rows") + try_form<pair_128, float>("a pair of 64 rows")
                    + try_form<n_major, float>("N-major B") + try_form<tiles_2x2, float>("2x2 tiles")
                    + try_form<half_sums, tsr_f16>("sums of half") + try_form<from_tmem, float>("A in tensor memory")
                    + try_form<mxf8, float>("mxf8f6f4") + try_form<mxf4_pair, float>("mxf4 of a pair");
    printf(bad ? "%d runs failed\n" : "ok\n", bad);
    return bad != 0;
}
