/** The product of cuda/hopper_gemm.cuh with a source of the test's own (cuda/hopper_source.cuh): blocks of K come in an
 *  order of each tile's own, of a tensor of batches, in every form of the kernel: turns, pairs, parts of K, each major,
 *  each type, D by tiles or element by element; by the copy engine, or A by all threads of the producer, in the
 *  background or through registers. Against sums by the host, of integers, which all types have. */
#include "device.cuh"
#include "tessera/cuda/hopper_source.cuh"
#include "tessera/exec/tma.h"
#include "tessera/tensor/access.h"
#include "tessera/names.h"

/** Block i of K of the tile at (m,n) is block (i * by + m + n) % blocks, where `by` has no divisor of `blocks`. */
struct source {
    tsr_tma_map a, b;
    int blocks, by;

    template <class P> struct walk {
        source const &of;
        int m, n, batch, block;
        TSR_DEVICE_MEMBER int k(void) const
        {
            return (block < of.blocks ? (block * of.by + n / P::N) % of.blocks : block) * P::K;
        }
        TSR_DEVICE_MEMBER void load(tsr_barrier *full, tsr_shared<typename P::element_a> a,
                                    tsr_shared<typename P::element_b> b) const
        {
            tsr_tma_load_tile<P::smem_a>(&of.a, full, a, m, k(), batch);
            tsr_tma_load_tile_shared<P::smem_b, P::ctas>(&of.b, full, b, n, k(), batch);
        }
        TSR_DEVICE_MEMBER void next(void) { ++block; }
    };
    template <class P> TSR_DEVICE_MEMBER walk<P> begin(int m, int n, int k, int batch) const
    {
        return {*this, m, n, batch, k / P::K};
    }
};

enum how { ENGINE, BACKGROUND, STORES };

/** 16 bytes a thread at a time, along K, or along M. */
template <class P, bool Columns> struct deal {
    static constexpr int access = 16 / (int)sizeof(typename P::element_a), across = (Columns ? P::M : P::K) / access;
    static constexpr tsr_layout values =
        tsr_make_layout(tsr_t(tsr_s(Columns ? access : 1), tsr_s(Columns ? 1 : access)));
    static constexpr tsr_layout threads =
        Columns ? tsr_make_layout(tsr_t(tsr_s(across), tsr_s(128 / across)))
                : tsr_make_layout(tsr_t(tsr_s(128 / across), tsr_s(across)), tsr_right());
    static constexpr tsr_dtype bits = access == 16 ? TSR_U8 : access == 8 ? TSR_U16 : TSR_U32;
    static constexpr tsr_tiled_copy copy =
        tsr_make_tiled_copy(tsr_copy_values(tsr_make_copy(TSR_COPY_SM80_GLOBAL, 128), bits), threads, values);
    static constexpr tsr_layout from = tsr_tidfrg_s(copy, tsr_make_identity_layout(tsr_t(tsr_s(P::M), tsr_s(P::K))));
    static constexpr tsr_layout to = tsr_tidfrg_d(copy, P::smem_a);
};

/** The same, A by the threads of the producer. */
template <class T, bool Columns, bool Stores> struct threads_source : source {
    tsr_global<T const, 2, Columns ? 0 : 1> tensor;
    int64_t each; /* elements of a batch */

    template <class P> struct walk : source::walk<P> {
        enum { threads = 128, bytes = P::N * P::K * (int)sizeof(typename P::element_b) };
        tsr_global<T const, 2, Columns ? 0 : 1> tensor;
        TSR_DEVICE_MEMBER void load(tsr_barrier *full, tsr_shared<T> a, tsr_shared<typename P::element_b> b) const
        {
            typedef deal<P, Columns> plan;
            int const k = this->k(), t = (int)threadIdx.x;
            auto const part = tsr_part<plan::from>(tensor.from(this->m, k), t);
            if (t == 77)
                tsr_tma_load_tile_shared<P::smem_b, P::ctas>(&this->of.b, full, b, this->n, k, this->batch);
            if constexpr (Stores) {
                T r[tsr_values<plan::from>];
                tsr_copy_if<16>(part, r);
                tsr_copy<16>(r, tsr_part<plan::to>(a, t));
                tsr_barrier_arrive(full);
            } else {
                tsr_copy_async_if<16>(part, tsr_part<plan::to>(a, t));
                tsr_cp_async_arrive(full);
            }
        }
    };
    template <class P> TSR_DEVICE_MEMBER walk<P> begin(int m, int n, int k, int batch) const
    {
        walk<P> w = {{*this, m, n, batch, k / P::K}, tensor};
        w.tensor.at += batch * each;
        return w;
    }
};

/** A tensor (rows,columns,batch) of integers -2 to 2, its neighbours along mode `along`. */
struct operand {
    std::vector<int> x;
    memory bytes;
    tsr_layout layout;
    operand(int rows, int columns, int batches, int along, tsr_dtype type, int range)
        : x((size_t)rows * columns * batches)
    {
        int const unit = 128 / tsr_dtype_bits(type), inner = along ? columns : rows, outer = along ? rows : columns;
        int const pitch = (inner + unit - 1) / unit * unit + (int)below(2) * unit, each = pitch * outer;
        layout =
            tsr_make_layout(tsr_t(rows, columns, batches), along ? tsr_t(pitch, _1, each) : tsr_t(_1, pitch, each));
        bytes.resize((size_t)each * batches * tsr_dtype_bits(type) / 8);
        for (size_t i = 0; i < x.size(); ++i) {
            int const column = (int)i % columns, row = (int)i / columns % rows, batch = (int)i / columns / rows;
            x[i] = (int)below(2 * range + 1) - range;
            tsr_store(type, bytes.data() + tsr_at_coord(layout, tsr_t(row, column, batch)) * tsr_dtype_bits(type) / 8,
                      0, tsr_number_int(x[i]));
        }
    }
};

static tsr_reason map_of(tsr_layout smem, int ctas, tsr_dtype type, operand const &x, device_memory const &at,
                         tsr_tma_map *map)
{
    tsr_tma_tile const tile = tsr_make_tma_tile(smem, type, ctas);
    tsr_tma_desc const desc = tsr_tma_tile_desc(&tile, type, x.layout);
    return tsr_tma_encode(&desc, (uint64_t)at.at, map);
}

/** A number of blocks of which none divides `by`. */
static int any_step(int blocks)
{
    for (;;) {
        int const by = 1 + (int)below(blocks);
        int a = by, b = blocks;
        while (b) {
            int const r = a % b;
            a = b, b = r;
        }
        if (a == 1)
            return by;
    }
}

template <int Type, int D, int M, int N, int Flags, int How = ENGINE> static void try_plan(char const *name)
{
    constexpr bool columns = (Flags & TSR_HOPPER_A_MN) != 0;
    typedef typename tsr_hopper_either_<How == ENGINE, source,
                                        threads_source<tsr_stored<Type>, columns, How == STORES>>::type source_type;
    typedef tsr_hopper_plan<Type, Type, D, M, N, Flags> plan;
    typedef tsr_gemm_epilogue<D, D, 0> epilogue;
    for (int round = 0; round < 3; ++round) {
        int const m = 1 + (int)below(400), n = 8 * (1 + (int)below(30)), k = 1 + (int)below(500),
                  batches = 1 + (int)below(2);
        int const blocks = (k + plan::K - 1) / plan::K, splits = plan::splits ? 2 + (int)below(2) : 1;
        operand const a(m, k, batches, Flags & TSR_HOPPER_A_MN ? 0 : 1, (tsr_dtype)Type, 2),
            b(n, k, batches, Flags & TSR_HOPPER_B_MN ? 0 : 1, (tsr_dtype)Type, 2),
            d(m, n, batches, Flags & TSR_HOPPER_D_MN ? 0 : 1, (tsr_dtype)D, 0);
        device_memory da(a.bytes.size()), db(b.bytes.size()), dd(d.bytes.size());
        da.write(a.bytes);
        db.write(b.bytes);
        dd.write(d.bytes);
        source_type from = {};
        from.blocks = blocks;
        from.by = any_step(blocks);
        if constexpr (How != ENGINE) {
            int64_t const line = tsr_at_coord(a.layout, tsr_t(columns ? 0 : 1, columns ? 1 : 0, 0));
            from.tensor = {(tsr_stored<Type> const *)da.at, {m, k}, {columns ? 1 : line, columns ? line : 1}};
            from.each = tsr_at_coord(a.layout, tsr_t(0, 0, 1));
        }
        tsr_tma_map to;
        tsr_reason const why[] = {map_of(plan::smem_a, 1, (tsr_dtype)Type, a, da, &from.a),
                                  map_of(plan::smem_b, plan::ctas, (tsr_dtype)Type, b, db, &from.b),
                                  map_of(plan::smem_d, 1, (tsr_dtype)D, d, dd, &to)};
        if (!tsr_ok(why[0]) || !tsr_ok(why[1]) || !tsr_ok(why[2])) {
            std::printf("%s: no map, status %d, %d, %d\n", name, why[0].status, why[1].status, why[2].status);
            ++failed;
            return;
        }
        int64_t const tiles = (int64_t)((m + M - 1) / M + 1) * ((n + N - 1) / N) * batches;
        device_memory partial((size_t)(plan::splits ? tiles * splits * M * N * 4 : 4)), arrived((size_t)tiles * 8);
        check_cuda(cudaMemset(arrived.at, 0, arrived.size), "cudaMemset");
        tsr_gemm_shape const shape = {m, n, k, batches, splits, {}, partial.at, (int32_t *)arrived.at};
        epilogue e = {1, 0, {}, {}, {}};
        e.d.at = (decltype(e.d.at))dd.at;
        e.d.extent[0] = m, e.d.extent[1] = n;
        e.d.stride[0] = tsr_at_coord(d.layout, tsr_t(m > 1 ? 1 : 0, 0, 0));
        e.d.stride[1] = tsr_at_coord(d.layout, tsr_t(0, 1, 0));
        e.d.batch = batches > 1 ? tsr_at_coord(d.layout, tsr_t(0, 0, 1)) : 0;
        auto const kernel = tsr_hopper_gemm_from<plan, source_type, epilogue>;
        cudaLaunchAttribute cluster;
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim = {plan::ctas, 1, 1};
        cudaLaunchConfig_t launch = {};
        launch.gridDim = plan::ctas * (1 + (unsigned)below(60));
        launch.blockDim = plan::threads;
        launch.dynamicSmemBytes = plan::shared;
        launch.attrs = &cluster;
        launch.numAttrs = 1;
        check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, plan::shared), name);
        for (int twice = 0; twice < 2; ++twice)
            check_cuda(cudaLaunchKernelEx(&launch, kernel, from, to, shape, e), name);
        finish(name);
        memory got(d.bytes.size());
        dd.read(got);
        int wrong = 0;
        for (int i = 0; i < m * n * batches; ++i) {
            int const column = i % n, row = i / n % m, batch = i / n / m;
            int sum = 0;
            for (int q = 0; q < k; ++q)
                sum += a.x[((size_t)batch * m + row) * k + q] * b.x[((size_t)batch * n + column) * k + q];
            int64_t const at = tsr_at_coord(d.layout, tsr_t(row, column, batch)) * 4; /* D has 32 bits */
            wrong += tsr_number_to_double(tsr_load((tsr_dtype)D, got.data() + at, 0)) != sum;
        }
        if (wrong > 0)
            std::printf("%s: %d x %d x %d, batch %d, %d parts: %d elements differ\n", name, m, n, k, batches, splits,
                        wrong);
        ++(wrong > 0 ? failed : passed);
    }
}

int main(int count, char **arguments)
{
    need_hopper();
    seed(count, arguments, 1);
    check_cuda(cudaFree(nullptr), "a context"); /* the maps are made by the driver */
    enum {
        T = TSR_HOPPER_TURNS,
        P = TSR_HOPPER_PAIRS,
        S = TSR_HOPPER_SPLITS,
        A = TSR_HOPPER_A_MN,
        B = TSR_HOPPER_B_MN,
        D = TSR_HOPPER_D_MN,
        E = TSR_HOPPER_D_ANY
    };
    try_plan<TSR_F16, TSR_F32, 128, 128, T>("f16 in turns");
    try_plan<TSR_F16, TSR_F32, 128, 256, 0>("f16, rows divided");
    try_plan<TSR_F16, TSR_F32, 128, 192, T | P>("f16, pairs in turns");
    try_plan<TSR_BF16, TSR_F32, 128, 256, P | B>("bf16, pairs, B along N");
    try_plan<TSR_F16, TSR_F32, 64, 96, T | S>("f16, parts of K");
    try_plan<TSR_BF16, TSR_F32, 128, 128, T | P | S | A>("bf16, pairs, parts of K, A along M");
    try_plan<TSR_F16, TSR_F32, 64, 48, T | D>("f16, D along M");
    try_plan<TSR_F16, TSR_F32, 128, 80, T | E>("f16, D element by element");
    try_plan<TSR_TF32, TSR_F32, 128, 128, T>("tf32");
    try_plan<TSR_F8_E4M3FN, TSR_F32, 128, 128, T | P>("e4m3");
    try_plan<TSR_I8, TSR_I32, 64, 64, T>("i8");
    try_plan<TSR_F16, TSR_F32, 128, 128, T, BACKGROUND>("f16 in turns, A in the background");
    try_plan<TSR_F16, TSR_F32, 128, 192, T, BACKGROUND>("f16 of 192 columns in turns, A in the background");
    try_plan<TSR_BF16, TSR_F32, 128, 256, P, BACKGROUND>("bf16, pairs, rows divided, A in the background");
    try_plan<TSR_BF16, TSR_F32, 128, 128, T | P | S | A, BACKGROUND>(
        "bf16, pairs, parts of K, A in the background along M");
    try_plan<TSR_F8_E4M3FN, TSR_F32, 64, 96, T | E, BACKGROUND>("e4m3, A in the background");
    try_plan<TSR_F16, TSR_F32, 128, 128, T | P, STORES>("f16, pairs, A through registers");
    try_plan<TSR_TF32, TSR_F32, 64, 64, T | S, STORES>("tf32, parts of K, A through registers");
    try_plan<TSR_F16, TSR_F32, 128, 256, A, STORES>("f16, rows divided, A through registers along M");
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
