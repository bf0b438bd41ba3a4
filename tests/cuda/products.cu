/** Products of one's own on a GPU: tiles by the copy engine, wgmma, and what becomes of the sums: every type, major
 *  and swizzle of both operands, A in shared memory or registers, K divided among blocks; D stored by its fragment,
 *  by stmatrix as it is and transposed, or added by the copy engine; a bias, a clamp and a maximum a row. And by
 *  ldmatrix and mma.sync from tiles of every major and swizzle. Against sums by the host, of integers, which all
 *  types have. */
#include "device.cuh"
#include "tessera/cuda.cuh"
#include "tessera/cuda/tile_tma.cuh"
#include "tessera/exec/tma.h"
#include "tessera/tensor/access.h"
#include "tessera/names.h"

enum result { BY_FRAGMENT, BY_MATRICES, TRANSPOSED, ADDED };

template <int Type> struct number;
#define NUMBER(id, T, S, sum)              \
  template <> struct number<TSR_##id> {    \
    typedef T element;                     \
    static constexpr tsr_dtype sums = sum; \
    typedef S sum_type;                    \
  };
NUMBER(F16, tsr_f16, float, TSR_F32)
NUMBER(BF16, tsr_bf16, float, TSR_F32)
NUMBER(TF32, float, float, TSR_F32)
NUMBER(F8_E4M3FN, tsr_e4m3, float, TSR_F32)
NUMBER(F8_E5M2, tsr_e5m2, float, TSR_F32)
NUMBER(I8, int8_t, int32_t, TSR_I32)
#undef NUMBER

template <int Type, int MajorA, int MajorB, int SwizzleA, int SwizzleB, bool Registers, int N_, result Result,
          int SwizzleD>
struct plan {
    enum {
        M = 64,
        N = N_,
        K = 1024 / tsr_dtype_bits((tsr_dtype)Type),
        stages = 2,
        threads = 160,
        registers = Registers
    };
    static constexpr int type = Type, major_a = MajorA, major_b = MajorB;
    static constexpr result way = Result;
    typedef typename number<Type>::element T;
    typedef typename number<Type>::sum_type S;
    static constexpr tsr_layout a =
        tsr_tile_to_shape(tsr_smem_atom((tsr_major)MajorA, SwizzleA, (tsr_dtype)Type), tsr_t(_64, tsr_s(K)));
    static constexpr tsr_layout b =
        tsr_tile_to_shape(tsr_smem_atom((tsr_major)MajorB, SwizzleB, (tsr_dtype)Type), tsr_t(tsr_s(N), tsr_s(K)));
    static constexpr tsr_mma_atom atom =
        tsr_wgmma(N, number<Type>::sums, (tsr_dtype)Type, (tsr_dtype)Type,
                  (MajorA == TSR_MAJOR_MN ? TSR_MMA_A_MN : 0) * !Registers
                      | (MajorB == TSR_MAJOR_MN ? TSR_MMA_B_MN : 0) | (Registers ? TSR_MMA_A_REGISTERS : 0),
                  TSR_MMA_PLAIN);
    static constexpr tsr_tiled_mma mma = tsr_make_tiled_mma(atom);
    static constexpr tsr_tuple tile = tsr_t(_64, tsr_s(N));
    static constexpr tsr_layout frag = tsr_thread_values_c(mma, tsr_make_identity_layout(tile));
    static constexpr tsr_layout frag_a = tsr_thread_values_a(mma, tsr_make_identity_layout(tsr_t(_64, tsr_s(K))));
    static constexpr tsr_layout part_a = tsr_thread_values_a(mma, a);

    /* D: f16 by matrices, S when it is added */
    static constexpr bool half = Result == BY_MATRICES || Result == TRANSPOSED;
    static constexpr tsr_dtype type_d = half ? TSR_F16 : TSR_F32;
    static constexpr tsr_major major_d = Result == TRANSPOSED ? TSR_MAJOR_MN : TSR_MAJOR_K;
    static constexpr tsr_layout d = tsr_tile_to_shape(tsr_smem_atom(major_d, SwizzleD, type_d), tile);
    static constexpr tsr_copy_atom matrices = tsr_copy_values(
        Result == TRANSPOSED ? tsr_make_copy(TSR_COPY_SM90_STSM_T, 8) : tsr_make_copy(TSR_COPY_SM90_STSM_N, 4),
        TSR_F16);
    static constexpr tsr_tiled_copy store_d = tsr_make_tiled_copy_c(matrices, mma);
    static constexpr tsr_layout part_d = tsr_thread_values_c(mma, d);
    static constexpr int buffer = (M + N) * K,
                         bytes = stages * buffer * (int)sizeof(T) + M * N * 4 + (int)sizeof(tsr_pipeline<stages>);
};

template <class P>
__global__ void product(__grid_constant__ tsr_tma_map const map_a, __grid_constant__ tsr_tma_map const map_b,
                        __grid_constant__ tsr_tma_map const map_d, tsr_global<typename P::S, 2, 1> D,
                        tsr_global<typename P::S const, 2, 1> bias, tsr_global<typename P::S, 2, 0> most, int K)
{
    typedef typename P::T T;
    typedef typename P::S S;
    auto const buffers = tsr_smem(tsr_dynamic_smem<T>());
    unsigned char *const behind = reinterpret_cast<unsigned char *>(buffers.at + P::stages * P::buffer);
    auto &ring = *reinterpret_cast<tsr_pipeline<P::stages> *>(behind + P::M * P::N * 4);
    int const m = blockIdx.x * P::M, n = blockIdx.y * P::N, tiles = (K + P::K - 1) / P::K, step = gridDim.z;
    if (threadIdx.x == 0)
        ring.init(1, 128);
    __syncthreads();
    if (threadIdx.x >= 128) {
        if (threadIdx.x == 128) {
            tsr_stage<P::stages> stage;
            for (int k = blockIdx.z; k < tiles; k += step, stage.next()) {
                auto const to = buffers + stage.index * P::buffer;
                tsr_barrier_wait(&ring.free[stage.index], stage.parity ^ 1);
                tsr_barrier_expect(&ring.full[stage.index], P::buffer * (int)sizeof(T));
                tsr_tma_load_tile<P::a>(&map_a, &ring.full[stage.index], to, m, k * P::K);
                tsr_tma_load_tile<P::b>(&map_b, &ring.full[stage.index], to + P::M * P::K, n, k * P::K);
            }
        }
        return;
    }
    int const t = threadIdx.x;
    auto sum = tsr_frag_fill<tsr_frag<P::frag, S>>(S(0));
    tsr_stage<P::stages> stage;
    for (int k = blockIdx.z; k < tiles; k += step, stage.skip(1)) {
        auto const from = buffers + stage.index * P::buffer;
        tsr_barrier_wait(&ring.full[stage.index], stage.parity);
        if constexpr (P::registers) {
            tsr_frag<P::frag_a, T> a;
            tsr_copy<(P::major_a == TSR_MAJOR_K ? 4 : (int)sizeof(T))>(tsr_part<P::part_a>(from, t), a.r);
            tsr_wgmma_fence(a, sum);
            tsr_gemm_wgmma<P::atom, P::b>(a, from + P::M * P::K, sum);
            tsr_wgmma_commit();
            tsr_wgmma_wait<0>(a, sum);
        } else {
            tsr_wgmma_fence(sum);
            tsr_gemm_wgmma<P::atom, P::a, P::b>(from, from + P::M * P::K, sum);
            tsr_wgmma_commit();
            tsr_wgmma_wait<0>(sum);
        }
        tsr_barrier_arrive(&ring.free[stage.index]);
    }
    if constexpr (P::way == BY_FRAGMENT) {
        auto const row = tsr_frag_load<sizeof(S), tsr_reduced<P::frag, 0>::layout>(bias.from(0, n), t);
        sum = tsr_frag_zip(sum, row, tsr_plus());
        sum = tsr_frag_map(sum, [](S x) { return x < S(-20) ? S(-20) : x; });
        auto const inside = tsr_frag_mask(sum, t, S(-21), [&](tsr_coord<2> c) { return n + c.at[1] < D.extent[1]; });
        tsr_frag_store<4>(tsr_frag_reduce<1>(inside, tsr_larger()), most.from(m, blockIdx.y), t);
        tsr_frag_store<4>(sum, D.from(m, n), t);
    } else {
        if constexpr (P::half) {
            auto const tile = tsr_smem(reinterpret_cast<tsr_f16 *>(behind));
            tsr_copy_matrix<P::store_d, P::d>(tsr_frag_cast<tsr_f16>(sum), tile, t);
        } else {
            tsr_copy<8>(sum.r, tsr_part<P::part_d>(reinterpret_cast<float *>(behind), t));
        }
        tsr_fence_async();
        tsr_sync_threads(1, 128);
        if (t == 0) {
            if constexpr (P::half)
                tsr_tma_store_tile<P::d>(&map_d, tsr_smem(reinterpret_cast<tsr_f16 const *>(behind)), m, n);
            else
                tsr_tma_reduce_tile<P::d, TSR_TMA_ADD>(&map_d, tsr_smem(reinterpret_cast<float const *>(behind)), m,
                                                       n);
            tsr_tma_commit();
            tsr_tma_wait_read<0>();
        }
    }
}

/** ldmatrix and mma.sync: one warp, 32 by 32 by 64, A and B in tiles of any major and swizzle. */
template <int Type, int MajorA, int MajorB, int SwizzleA, int SwizzleB> struct warp_plan {
    static constexpr int major_a = MajorA, major_b = MajorB;
    typedef typename number<Type>::element T;
    static constexpr tsr_tuple tile = tsr_t(_32, _64);
    static constexpr tsr_layout a =
        tsr_tile_to_shape(tsr_smem_atom((tsr_major)MajorA, SwizzleA, (tsr_dtype)Type), tile);
    static constexpr tsr_layout b =
        tsr_tile_to_shape(tsr_smem_atom((tsr_major)MajorB, SwizzleB, (tsr_dtype)Type), tile);
    static constexpr tsr_mma_atom atom =
        tsr_warp_mma(80, 16, 8, 16, TSR_F32, (tsr_dtype)Type, (tsr_dtype)Type, TSR_MMA_PLAIN);
    static constexpr tsr_tiled_mma mma =
        tsr_make_tiled_mma_by(atom, tsr_make_layout(tsr_t(_1, _1, _1)), tsr_tile(_16, _16, _16));
    template <int Major>
    static constexpr tsr_copy_atom matrices = tsr_copy_values(Major == TSR_MAJOR_K
                                                                  ? tsr_make_copy(TSR_COPY_SM75_LDSM_N, 4)
                                                                  : tsr_make_copy(TSR_COPY_SM75_LDSM_T, 8),
                                                              (tsr_dtype)Type);
    static constexpr tsr_tiled_copy load_a = tsr_make_tiled_copy_a(matrices<MajorA>, mma);
    static constexpr tsr_tiled_copy load_b = tsr_make_tiled_copy_b(matrices<MajorB>, mma);
    static constexpr tsr_layout frag_a = tsr_thread_values_a(mma, tsr_make_identity_layout(tile));
    static constexpr tsr_layout frag_b = tsr_thread_values_b(mma, tsr_make_identity_layout(tile));
    static constexpr tsr_layout c = tsr_thread_values_c(mma, tsr_make_identity_layout(tsr_t(_32, _32)));
};

template <class P>
__global__ void warp_product(typename P::T const *A, typename P::T const *B, tsr_global<float, 2, 1> C)
{
    typedef typename P::T T;
    __shared__ alignas(1024) T a[tsr_cosize(P::a)];
    __shared__ alignas(1024) T b[tsr_cosize(P::b)];
    for (int i = threadIdx.x; i < 32 * 64; i += 32) {
        a[tsr_at<P::a>(i / 64, i % 64)] = A[i];
        b[tsr_at<P::b>(i / 64, i % 64)] = B[i];
    }
    __syncthreads();
    tsr_frag<P::frag_a, T> ra;
    tsr_frag<P::frag_b, T> rb;
    auto sum = tsr_frag_fill<P::c>(0.0f);
    tsr_copy_matrix<P::load_a, P::a>(tsr_smem(a), ra, threadIdx.x);
    tsr_copy_matrix<P::load_b, P::b>(tsr_smem(b), rb, threadIdx.x);
    tsr_gemm<P::mma>(ra, rb, sum);
    tsr_frag_store<8>(sum, C, threadIdx.x);
}

/* The host */

struct matrix {
    std::vector<int> x;
    memory bytes;
    int rows, columns;
    tsr_layout layout;
    int at(int i, int j) const { return i < rows && j < columns ? x[i * columns + j] : 0; }
};

/** Random integers of -2 to 2, or zeros, whose neighbours stand along `major`. */
static matrix make_matrix(int rows, int columns, int major, tsr_dtype type, int range)
{
    matrix r;
    int const unit = 128 / tsr_dtype_bits(type), bytes = tsr_dtype_bits(type) / 8;
    int const inner = major == TSR_MAJOR_K ? columns : rows, outer = major == TSR_MAJOR_K ? rows : columns;
    int const pitch = (inner + unit - 1) / unit * unit + (int)below(2) * unit;
    r.rows = rows;
    r.columns = columns;
    r.x.resize(rows * columns);
    r.bytes.resize((size_t)pitch * outer * bytes);
    r.layout = tsr_make_layout(tsr_t(rows, columns), major == TSR_MAJOR_K ? tsr_t(pitch, 1) : tsr_t(1, pitch));
    for (int i = 0; i < rows * columns; ++i) {
        r.x[i] = range ? (int)below(2 * range + 1) - range : 0;
        int const offset =
            major == TSR_MAJOR_K ? i / columns * pitch + i % columns : i % columns * pitch + i / columns;
        tsr_store(type, r.bytes.data() + (size_t)offset * bytes, 0, tsr_number_int(r.x[i]));
    }
    return r;
}

template <class P> static tsr_reason map_of(tsr_layout const &smem, tsr_dtype type, matrix const &x,
                                            device_memory const &at, tsr_tma_map *map)
{
    tsr_tma_tile const tile = tsr_make_tma_tile(smem, type, 1);
    tsr_tma_desc const desc = tsr_tma_tile_desc(&tile, type, x.layout);
    return tsr_tma_encode(&desc, (uint64_t)at.at, map);
}

template <class P> static void try_product(int m, int n, int k, int splits)
{
    typedef typename P::S S;
    tsr_dtype const type = P::type == TSR_TF32 ? TSR_F32 : (tsr_dtype)P::type;
    tsr_dtype const type_d = P::half ? TSR_F16 : P::type == TSR_I8 ? TSR_I32 : TSR_F32;
    matrix a = make_matrix(m, k, P::major_a, type, 2), b = make_matrix(n, k, P::major_b, type, 2);
    matrix d = make_matrix(m, n, P::major_d, type_d, P::way == ADDED ? 5 : 0),
           bias = make_matrix(1, n, TSR_MAJOR_K, type_d, 9);
    int const columns = (n + P::N - 1) / P::N;
    device_memory da(a.bytes.size()), db(b.bytes.size()), dd(d.bytes.size()), de(bias.bytes.size()),
        dm(m * columns * 4);
    da.write(a.bytes);
    db.write(b.bytes);
    dd.write(d.bytes);
    de.write(bias.bytes);
    tsr_tma_map map_a, map_b, map_d = {};
    tsr_reason const why[] = {map_of<P>(P::a, type, a, da, &map_a), map_of<P>(P::b, type, b, db, &map_b),
                              P::way == BY_FRAGMENT ? tsr_no_reason() : map_of<P>(P::d, type_d, d, dd, &map_d)};
    for (tsr_reason const &w : why)
        if (!tsr_ok(w)) {
            std::printf("type %d: no map, status %d\n", (int)P::type, w.status);
            ++failed;
            return;
        }
    cudaFuncSetAttribute(product<P>, cudaFuncAttributeMaxDynamicSharedMemorySize, P::bytes);
    int64_t const pitch = d.layout.stride.leaf[0].value;
    product<P><<<dim3((m + 63) / 64, columns, splits), P::threads, P::bytes>>>(
        map_a, map_b, map_d, {(S *)dd.at, {m, n}, {pitch, 1}}, {(S const *)de.at, {1, n}, {n, 1}},
        {(S *)dm.at, {m, columns}, {1, m}}, k);
    finish("product");
    memory most(m * columns * 4);
    dd.read(d.bytes);
    dm.read(most);
    int wrong = 0, rows = 0;
    for (int i = 0; i < m; ++i) {
        std::vector<int> largest(columns, -21);
        for (int j = 0; j < n; ++j) {
            int sum = P::way == ADDED ? d.at(i, j) : 0;
            for (int l = 0; l < k; ++l)
                sum += a.at(i, l) * b.at(j, l);
            if (P::way == BY_FRAGMENT)
                sum = sum + bias.at(0, j) < -20 ? -20 : sum + bias.at(0, j);
            largest[j / P::N] = sum > largest[j / P::N] ? sum : largest[j / P::N];
            int64_t const at = i * d.layout.stride.leaf[0].value + j * d.layout.stride.leaf[1].value;
            tsr_number const got = tsr_load(type_d, d.bytes.data() + at * (tsr_dtype_bits(type_d) / 8), 0);
            wrong += tsr_number_to_double(got) != sum;
        }
        for (int c = 0; c < columns && P::way == BY_FRAGMENT; ++c) {
            S x;
            std::memcpy(&x, most.data() + (c * m + i) * 4, 4);
            rows += x != (S)largest[c];
        }
    }
    if (wrong + rows)
        std::printf(
            "type %d, majors %d %d, registers %d, N %d, way %d, %d by %d by %d in %d: %d elements, %d rows wrong\n",
            (int)P::type, (int)P::major_a, (int)P::major_b, (int)P::registers, (int)P::N, (int)P::way, m, n, k,
            splits, wrong, rows);
    ++(wrong + rows ? failed : passed);
}

template <int Type, int MajorA, int MajorB, int SwizzleA, int SwizzleB, bool Registers, int N, result Result,
          int SwizzleD = 3>
static void try_plan(void)
{
    typedef plan<Type, MajorA, MajorB, SwizzleA, SwizzleB, Registers, N, Result, SwizzleD> P;
    for (int i = 0; i < 3; ++i)
        try_product<P>((int)below(150) + 1, (int)below(2 * N) + 1, (int)below(4 * P::K) + 1,
                       Result == ADDED ? 1 + (int)below(4) : 1);
}

template <int Type, int MajorA, int MajorB, int SwizzleA, int SwizzleB> static void try_warp(void)
{
    typedef warp_plan<Type, MajorA, MajorB, SwizzleA, SwizzleB> P;
    memory a(32 * 64 * 2), b(a.size()), c(31 * 30 * 4);
    int x[2048], y[2048], wrong = 0;
    for (int i = 0; i < 2048; ++i) {
        tsr_store((tsr_dtype)Type, a.data() + i * 2, 0, tsr_number_int(x[i] = (int)below(7) - 3));
        tsr_store((tsr_dtype)Type, b.data() + i * 2, 0, tsr_number_int(y[i] = (int)below(7) - 3));
    }
    device_memory da(a.size()), db(b.size()), dc(c.size());
    da.write(a);
    db.write(b);
    warp_product<P>
        <<<1, 32>>>((typename P::T const *)da.at, (typename P::T const *)db.at, {(float *)dc.at, {31, 30}, {30, 1}});
    finish("product of a warp");
    dc.read(c);
    for (int i = 0; i < 31 * 30; ++i) {
        int sum = 0;
        float got;
        for (int k = 0; k < 64; ++k)
            sum += x[i / 30 * 64 + k] * y[i % 30 * 64 + k];
        std::memcpy(&got, c.data() + i * 4, 4);
        wrong += got != (float)sum;
    }
    if (wrong)
        std::printf("ldmatrix: type %d, majors %d %d, swizzles %d %d: %d elements wrong\n", Type, MajorA, MajorB,
                    SwizzleA, SwizzleB, wrong);
    ++(wrong ? failed : passed);
}

int main(int count, char **arguments)
{
    constexpr int K = TSR_MAJOR_K, MN = TSR_MAJOR_MN;
    need_hopper();
    seed(count, arguments, 1);
    try_plan<TSR_F16, K, MN, 3, 3, true, 64, BY_FRAGMENT>();
    try_plan<TSR_F16, MN, K, 2, 1, false, 96, BY_MATRICES, 2>();
    try_plan<TSR_F16, MN, MN, 1, 2, false, 96, BY_MATRICES, 1>();
    try_plan<TSR_F16, MN, MN, 3, 0, true, 24, BY_FRAGMENT>();
    try_plan<TSR_BF16, K, K, 0, 2, false, 32, BY_MATRICES, 0>();
    try_plan<TSR_BF16, MN, K, 0, 3, true, 128, TRANSPOSED, 3>();
    try_plan<TSR_BF16, K, MN, 1, 1, true, 48, TRANSPOSED, 2>();
    try_plan<TSR_F16, K, K, 3, 0, false, 16, TRANSPOSED, 1>();
    try_plan<TSR_F16, K, MN, 2, 3, false, 64, TRANSPOSED, 0>();
    try_plan<TSR_F16, K, K, 3, 3, false, 256, ADDED, 3>();
    try_plan<TSR_TF32, K, K, 3, 2, false, 40, ADDED, 1>();
    try_plan<TSR_TF32, K, K, 1, 0, true, 32, ADDED, 0>();
    try_plan<TSR_TF32, K, K, 2, 3, true, 8, BY_FRAGMENT>();
    try_plan<TSR_F8_E4M3FN, K, K, 3, 1, false, 64, BY_FRAGMENT>();
    try_plan<TSR_F8_E4M3FN, K, K, 2, 0, true, 96, BY_MATRICES, 2>();
    try_plan<TSR_F8_E5M2, K, K, 0, 3, true, 32, ADDED, 2>();
    try_plan<TSR_I8, K, K, 3, 3, false, 48, BY_FRAGMENT>();
    try_plan<TSR_I8, K, K, 1, 2, true, 24, BY_FRAGMENT>();
    try_warp<TSR_F16, K, K, 1, 2>();
    try_warp<TSR_F16, K, MN, 3, 2>();
    try_warp<TSR_F16, MN, K, 2, 3>();
    try_warp<TSR_BF16, MN, MN, 1, 0>();
    try_warp<TSR_BF16, MN, MN, 0, 2>();
    try_warp<TSR_BF16, K, MN, 0, 1>();
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
