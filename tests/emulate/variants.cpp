/** Forms of instructions that no example has, under every schedule: lane masks, scale-input-d, .ws and its masks of
 *  columns, collector buffers, tcgen05.ld.red, gather4 and scatter4, cluster launch control.
 *
 *  Law     cells of tensor memory are those of a plain product. Places, descriptors and words are written here by the
 *          words of PTX, without the tree's layouts and encoders.
 */
#include "tessera/emulate/run.h"

#include "product.h"
#include "tessera/cuda/launch.cuh"
#include "tessera/cuda/tcgen05.cuh"
#include "tessera/cuda/tma.cuh"

enum { COLUMNS = 256, K = 16, TILE = 256 * K * 2 /* bytes */, TILES = 3 };

/** Products of halves: A of M rows, B of N, in a few versions; and cells of tensor memory before and behind. */
struct problem {
    char const *name;
    int ctas, m, n, more; /* the last: columns of B beyond N */
    std::vector<double> a[TILES], b[TILES];
    std::vector<float> old, got, want; /* CTA, lane, column */

    problem(char const *name_, int ctas_, int m_, int n_, int more_ = 0)
        : name(name_), ctas(ctas_), m(m_), n(n_), more(more_)
    {
        for (int i = 0; i < TILES; ++i) {
            a[i].resize((size_t)(m * K));
            b[i].resize((size_t)((n + more) * K));
            for (double &x : a[i])
                x = next_integer(3);
            for (double &x : b[i])
                x = next_integer(3);
        }
        old.resize((size_t)(ctas * 128 * COLUMNS));
        for (float &x : old)
            x = (float)next_integer(7);
        got = want = old;
    }
    /** Bits of the instruction descriptor: sums are floats (4), N / 8 (17), M / 16 (24), columns begin 0, 8, 16 or 32
     *  later at most (30). */
    uint32_t word() const
    {
        return 1u << 4 | (uint32_t)(n / 8) << 17 | (uint32_t)(m / 16) << 24
               | (uint32_t)(more / 16 + (more > 0)) << 30;
    }
    double sum(int i, int j, int row, int column) const
    {
        double s = 0;
        for (int k = 0; k < K; ++k)
            s += a[i][(size_t)(row * K + k)] * b[j][(size_t)(column * K + k)];
        return s;
    }
    float &cell(int cta, int lane, int column) { return want[(size_t)((cta * 128 + lane) * COLUMNS + column)]; }
};

struct memory {
    uint8_t a[TILES][TILE], b[TILES][TILE];
    tsr_barrier done;
    uint32_t slot;
};

/** Rows of a tile without swizzle: eight rows of 16 bytes are a block, blocks of a column are one behind another. */
static void put_tile(uint8_t *to, std::vector<double> const &from, int first, int rows)
{
    for (int r = 0; r < rows; ++r)
        for (int k = 0; k < K; ++k) {
            uint16_t const x = (uint16_t)tsr_encode(TSR_F16, tsr_number_real(from[(size_t)((first + r) * K + k)]));
            memcpy(to + k / 8 * rows * 16 + r / 8 * 128 + r % 8 * 16 + k % 8 * 2, &x, 2);
        }
}

/** Start (0), the step from column to column (16) and from block to block (32) in units of 16 bytes; version 1 (46). */
static uint64_t descriptor(void const *at, int rows)
{
    return (uint64_t)(tsr_smem_address(at) >> 4) | (uint64_t)rows << 16 | 8ull << 32 | 1ull << 46;
}

/** Operands in shared and `old` in tensor memory, what `issue` says, and all cells to `got`. */
template <int Ctas, class Issue> static void variant(problem &x, Issue issue)
{
    memory &s = *tsr_dynamic_smem<memory>();
    int const rank = Ctas == 1 ? 0 : tsr_cluster_rank(), warp = tsr_warp(), rows = x.m / Ctas;
    int const columns = x.n / Ctas + x.more;
    uint32_t const lanes = (uint32_t)(warp * 32) << 16;
    size_t const mine = (size_t)(rank * 128 + (int)threadIdx.x) * COLUMNS;
    if (threadIdx.x == 0) {
        tsr_barrier_init(&s.done, 1);
        for (int i = 0; i < TILES; ++i) {
            put_tile(s.a[i], x.a[i], rank * rows, rows);
            put_tile(s.b[i], x.b[i], rank * columns, columns);
        }
    }
    if (warp == 0)
        tsr_tcgen05_alloc<Ctas>(&s.slot, COLUMNS);
    __syncthreads();
    for (int i = 0; i < COLUMNS; i += 32)
        tsr_tcgen05_st<32, 32, 32, false>(s.slot + lanes + (uint32_t)i, (uint32_t const *)&x.old[mine + (size_t)i]);
    tsr_tcgen05_wait_st();
    tsr_tcgen05_fence_before();
    tsr_cluster_sync();
    if (rank == 0 && threadIdx.x == 0) {
        tsr_tcgen05_fence_after();
        issue([&](int a, int b, bool add) {
            return tsr_umma_issue{s.slot, descriptor(s.a[a], rows), descriptor(s.b[b], columns), x.word(), add, 0, 0,
                                  0};
        });
        tsr_tcgen05_commit<Ctas>(&s.done, 2 * Ctas - 1);
    }
    tsr_barrier_wait(&s.done, 0);
    tsr_tcgen05_fence_after();
    for (int i = 0; i < COLUMNS; i += 32)
        tsr_tcgen05_ld<32, 32, 32, false>(s.slot + lanes + (uint32_t)i, (uint32_t *)&x.got[mine + (size_t)i]);
    tsr_tcgen05_wait_ld();
    tsr_tcgen05_fence_before();
    tsr_cluster_sync();
    if (warp == 0)
        tsr_tcgen05_dealloc<Ctas>(s.slot, COLUMNS);
}

template <int Ctas, class Issue> static int try_variant(problem &x, Issue issue)
{
    tsr_emulated_launch l;
    l.grid = l.cluster = Ctas;
    l.shared = sizeof(memory);
    return try_kernel(x.name, l, x.got, x.want, [&] { variant<Ctas>(x, issue); });
}

enum {
    F16 = TSR_UMMA_KIND_F16,
    WS = TSR_UMMA_WS,
    FILL = TSR_UMMA_COLLECT_FILL,
    USE = TSR_UMMA_COLLECT_USE,
    LASTUSE = TSR_UMMA_COLLECT_LASTUSE,
    NONE = TSR_UMMA_COLLECT_NONE
};

/* Masks of lanes, and sums that are divided first */

/** The lane of a row of M rows, and the part of N that a lane has: "Data path layout organization". */
static int lane_of(int ctas, int m, int n, int row, int column)
{
    int const rows = m / ctas, in = row % rows;
    if (rows == 128)
        return in;
    return ctas == 1 ? in / 16 * 32 + in % 16 : in + column / (n / 2) * 64;
}

template <int Ctas> static int try_masked(char const *name, int m)
{
    problem x(name, Ctas, m, 64);
    uint32_t mask[4 * Ctas];
    for (uint32_t &w : mask)
        w = next_random() << 16 ^ next_random();
    for (int row = 0; row < m; ++row)
        for (int n = 0; n < x.n; ++n) {
            int const cta = row / (m / Ctas), lane = lane_of(Ctas, m, x.n, row, n);
            if ((mask[4 * cta + lane / 32] >> lane % 32 & 1) == 0)
                x.cell(cta, lane, m == 128 && Ctas == 2 ? n % (x.n / 2) : n) += (float)x.sum(0, 0, row, n);
        }
    return try_variant<Ctas>(x, [&](auto of) { tsr_tcgen05_mma_masked<F16, Ctas, 0, NONE>(of(0, 0, true), mask); });
}

template <int Ctas, int Shift> static int try_scaled(void)
{
    problem x("scale-input-d", Ctas, 128 * Ctas, 32);
    for (int row = 0; row < x.m; ++row)
        for (int n = 0; n < x.n; ++n) {
            float &c = x.cell(row / 128, row % 128, n);
            c = (float)(c / (1 << Shift) + x.sum(1, 2, row, n));
        }
    return try_variant<Ctas>(x, [&](auto of) { tsr_tcgen05_mma_scale_d<F16, Ctas, 0, NONE, Shift>(of(1, 2, true)); });
}

/* Weight stationary, and buffers */

/** 32 rows are in all four quarters of the lanes, each with a quarter of N; 64 in both halves; 128 in all. */
static float &cell_of_ws(problem &x, int row, int n)
{
    int const columns = x.n * x.m / 128;
    return x.cell(0, row + n / columns * x.m, n % columns);
}

static int try_ws(int m, int n)
{
    problem x(".ws", 1, m, n);
    for (int row = 0; row < m; ++row)
        for (int i = 0; i < n; ++i)
            cell_of_ws(x, row, i) = (float)(x.sum(0, 0, row, i) + x.sum(1, 1, row, i) + x.sum(2, 0, row, i)
                                            + x.sum(0, 1, row, i) + x.sum(1, 0, row, i) + x.sum(2, 2, row, i));
    return try_variant<1>(x, [&](auto of) {
        tsr_tcgen05_mma<F16, 1, WS, 0, TSR_UMMA_BUFFER(1) + FILL>(of(0, 0, false));
        tsr_tcgen05_mma<F16, 1, WS, 0, TSR_UMMA_BUFFER(3) + FILL>(of(1, 1, true));
        tsr_tcgen05_mma<F16, 1, WS, 0, TSR_UMMA_BUFFER(1) + USE>(of(2, 0, true));
        tsr_tcgen05_mma<F16, 1, WS, 0, TSR_UMMA_BUFFER(3) + LASTUSE>(of(0, 1, true));
        tsr_tcgen05_mma<F16, 1, WS, 0, TSR_UMMA_BUFFER(1) + LASTUSE>(of(1, 0, true));
        tsr_tcgen05_mma<F16, 1, WS, 0, NONE>(of(2, 2, true));
    });
}

template <int Ctas> static int try_buffer_a(void)
{
    problem x("collector::a", Ctas, 128 * Ctas, 64);
    for (int row = 0; row < x.m; ++row)
        for (int n = 0; n < x.n; ++n)
            for (int i = 0; i < TILES; ++i)
                x.cell(row / 128, row % 128, n) += (float)x.sum(1, i, row, n);
    return try_variant<Ctas>(x, [&](auto of) {
        tsr_tcgen05_mma<F16, Ctas, 0, 0, FILL>(of(1, 0, true));
        tsr_tcgen05_mma<F16, Ctas, 0, 0, USE>(of(1, 1, true));
        tsr_tcgen05_mma<F16, Ctas, 0, 0, LASTUSE>(of(1, 2, true));
    });
}

/** The examples of "Zero-Column Mask Descriptor", spans of 3 and 4: the first column of B, start counts, first spans;
 *  a mask a part of N from its last column on, which goes on in front. */
struct zeros {
    int m, shift, most;
    int start[4], first[4];
    char const *mask[4];
};

static int try_zeroed(zeros const &z)
{
    problem x("a column mask", 1, z.m, 128, z.most);
    uint64_t bits = (uint64_t)z.shift << 56 | 1ull << 39 | 2ull << 40 | 3ull << 48;
    for (int i = 0; i < 4; ++i)
        bits |= (uint64_t)z.start[i] << 8 * i | (uint64_t)z.first[i] << (32 + i);
    for (int row = 0; row < z.m; ++row)
        for (int n = 0; n < x.n; ++n) {
            int const columns = x.n * z.m / 128, period = 7;
            std::string const mask = z.mask[n / columns];
            size_t at = (size_t)(n % columns); /* from the right; one period before the end of the text has all */
            while (at >= mask.size())
                at -= period;
            if (mask[mask.size() - 1 - at] == '0')
                cell_of_ws(x, row, n) += (float)x.sum(0, 0, row, n + z.shift);
        }
    return try_variant<1>(x, [&](auto of) { tsr_tcgen05_mma_zeroed<F16, 0, NONE>(of(0, 0, true), bits); });
}

static int try_zeroes(void)
{
    static zeros const all[] = {{128, 0, 0, {0}, {0}, {"11100001110000"}},
                                {64, 32, 32, {0, 0}, {1, 0}, {"11100001110000111", "000011100001110000"}},
                                {32,
                                 2,
                                 16,
                                 {0, 1, 2, 1},
                                 {1, 1, 0, 0},
                                 {"00001110000111", "0000111000011", "111000011100", "1110000111000"}}};
    int bad = 0;
    for (zeros const &z : all)
        bad += try_zeroed(z);
    return bad;
}

/* Reductions of a lane's registers */

static uint32_t bits_of(float x)
{
    uint32_t r;
    memcpy(&r, &x, 4);
    return r;
}

/** Columns 0 to 7 of each lane, and behind them what they are reduced to. */
template <int Reduce, int Type>
static int try_reduced(char const *name, std::vector<uint32_t> const &numbers, uint32_t reduced)
{
    std::vector<uint32_t> got(128 * 9), want;
    for (int i = 0; i < 128; ++i) {
        want.insert(want.end(), numbers.begin(), numbers.end());
        want.push_back(reduced);
    }
    return try_kernel(name, tsr_emulated_launch(), got, want, [&] {
        uint32_t *const slot = tsr_dynamic_smem<uint32_t>();
        uint32_t r[9];
        if (threadIdx.x < 32)
            tsr_tcgen05_alloc<1>(slot, 32);
        __syncthreads();
        uint32_t const at = *slot + ((threadIdx.x / 32 * 32) << 16);
        tsr_tcgen05_st<32, 32, 8, false>(at, numbers.data());
        tsr_tcgen05_wait_st();
        tsr_tcgen05_ld_red<32, 32, 8, Reduce, Type>(at, r, r + 8);
        tsr_tcgen05_wait_ld();
        memcpy(&got[threadIdx.x * 9], r, sizeof r);
        tsr_tcgen05_fence_before();
        __syncthreads();
        if (threadIdx.x < 32)
            tsr_tcgen05_dealloc<1>(*slot, 32);
    });
}

static int try_reductions(void)
{
    enum { MIN = TSR_RED_MIN, MAX = TSR_RED_MAX, ABS = TSR_RED_ABS, NAN_TOO = TSR_RED_NAN };
    uint32_t const nan = 0x7fc12345u, canonical = 0x7fffffffu;
    std::vector<uint32_t> floats, mixed, nans(8, nan);
    for (float x : {3.f, -7.f, 5.f, -2.f, 6.f, -0.5f, 4.f, 1.f})
        floats.push_back(bits_of(x));
    mixed = floats;
    mixed[0] = mixed[5] = nan;
    std::vector<uint32_t> const integers = {5, 0x80000000u, 7, 0xffffffffu, 9, 3, 0x7fffffffu, 4};
    return try_reduced<MIN, TSR_F32>("min", floats, bits_of(-7))
           + try_reduced<MAX, TSR_F32>("max", floats, bits_of(6))
           + try_reduced<MIN + ABS, TSR_F32>("min.abs", floats, bits_of(0.5f))
           + try_reduced<MAX + ABS, TSR_F32>("max.abs", floats, bits_of(7))
           + try_reduced<MIN, TSR_F32>("min beside NaN", mixed, bits_of(-7))
           + try_reduced<MAX + NAN_TOO, TSR_F32>("max.NaN", mixed, canonical)
           + try_reduced<MAX + NAN_TOO, TSR_F32>("max.NaN without one", floats, bits_of(6))
           + try_reduced<MAX + ABS, TSR_F32>("max.abs of NaN alone", nans, canonical)
           + try_reduced<MIN, TSR_I32>("min.s32", integers, 0x80000000u)
           + try_reduced<MAX, TSR_I32>("max.s32", integers, 0x7fffffffu)
           + try_reduced<MIN, TSR_U32>("min.u32", integers, 3)
           + try_reduced<MAX, TSR_U32>("max.u32", integers, 0xffffffffu);
}

/* Rows by their numbers */

/** Four rows of a matrix of 40 x 64 go to other rows of another one; rows that there are not come as 0, and go
 *  nowhere. */
static int try_rows(void)
{
    enum { ROWS = 40, WIDE = 64, BOX = 32, FROM = 16 };
    struct buffer {
        alignas(128) uint16_t box[4][BOX];
        tsr_barrier full;
    };
    static int const from[] = {39, 3, -1, 17}, to[] = {5, 40, 11, 0};
    alignas(64) static uint16_t matrix[ROWS][WIDE];
    std::vector<uint16_t> got(ROWS * WIDE + 32), want(got.size(), 0xffff); /* 64 bytes to begin at a multiple of 64 */
    size_t const first = (64 - (uintptr_t)got.data() % 64) % 64 / 2;
    for (auto &row : matrix)
        for (uint16_t &x : row)
            x = (uint16_t)next_random();
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < BOX && to[i] < ROWS; ++j)
            want[first + (size_t)(to[i] * WIDE + FROM + j)] = from[i] < 0 ? 0 : matrix[from[i]][FROM + j];
    tsr_tma_desc const plan =
        tsr_tma_tiled(TSR_U16, tsr_t(WIDE, ROWS), tsr_t(2 * WIDE), tsr_t(BOX, 1), tsr_t(1, 1), tsr_t(0, 0, 0, 0));
    tsr_tma_map const a = tsr_emulated_map(&plan, matrix), b = tsr_emulated_map(&plan, got.data() + first);
    return try_kernel("gather4, scatter4", tsr_emulated_launch(), got, want, [&] {
        buffer &s = *tsr_dynamic_smem<buffer>();
        if (threadIdx.x != 0)
            return;
        tsr_barrier_init(&s.full, 1);
        tsr_barrier_expect(&s.full, sizeof s.box);
        tsr_tma_gather4(&a, &s.full, s.box, FROM, from);
        tsr_barrier_wait(&s.full, 0);
        tsr_tma_scatter4(&b, s.box, FROM, to);
        tsr_tma_commit();
        tsr_tma_wait<0>();
    });
}

/* Clusters that are not launched */

/** Each CTA writes the number of its block, once: a second time leaves a mark. */
template <int Ctas> static void persistent(std::vector<int> &out)
{
    tsr_next_cluster &next = *tsr_dynamic_smem<tsr_next_cluster>();
    int const rank = Ctas == 1 ? 0 : tsr_cluster_rank();
    uint32_t parity = 0;
    if (threadIdx.x == 0)
        next.init();
    tsr_cluster_sync();
    for (tsr_cluster_of c = tsr_cluster_now(); c.there; c = next.wait(parity), parity ^= 1) {
        if (Ctas == 1)
            __syncthreads();
        else
            tsr_cluster_sync();
        if (threadIdx.x == 0 && Ctas > 1)
            next.expect();
        if (threadIdx.x == 0 && rank == 0)
            next.ask<(Ctas > 1)>();
        int const tile = c.x + rank + (int)gridDim.x * (c.y + (int)gridDim.y * c.z);
        if (threadIdx.x == 0)
            out[(size_t)tile] = out[(size_t)tile] == -1 ? tile : -2;
    }
    tsr_cluster_sync(); /* a CTA that has ended gets no answer */
}

template <int Ctas> static int try_persistent(void)
{
    tsr_emulated_launch l;
    l.grid = dim3(6, 3, 2);
    l.cluster = Ctas;
    l.threads = 64;
    std::vector<int> got(36), want(36);
    for (int i = 0; i < 36; ++i)
        want[(size_t)i] = i;
    return try_kernel("cluster launch control", l, got, want, [&] { persistent<Ctas>(got); });
}

int main()
{
    int bad = try_masked<1>("a mask of lanes", 128) + try_masked<1>("a mask of lanes, 64 rows", 64)
              + try_masked<2>("a mask of a pair", 256) + try_masked<2>("a mask of a pair, 64 rows each", 128);
    bad += try_scaled<1, 0>() + try_scaled<1, 3>() + try_scaled<2, 15>();
    for (int m = 32; m <= 128; m *= 2)
        for (int n = 64; n <= 256; n *= 2)
            bad += try_ws(m, n);
    bad += try_buffer_a<1>() + try_buffer_a<2>() + try_zeroes() + try_reductions() + try_rows();
    bad += try_persistent<1>() + try_persistent<2>();
    printf(bad ? "%d runs failed\n" : "ok\n", bad);
    return bad != 0;
}
