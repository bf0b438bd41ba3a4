/** Rows by an index: gathered to registers and to shared memory, scattered, alone and in groups, of elements of 1 to 16
 *  bytes, with rows and columns outside and indices that are none; and the coordinates of a thread's values. Against
 *  plain loops. */
#include "device.cuh"
#include "tessera/cuda.cuh"
#include "tessera/cuda/gather.cuh"
#include "tessera/names.h"

struct wide {
    uint32_t word[4];
};

/** 64 threads, a tile of 16 rows of 64 bytes or more: `Access` neighbours a thread at a time. */
template <class T, int Access> struct tile {
    static constexpr int columns = 32 * Access, rows = 16;
    static constexpr tsr_layout in = tsr_make_layout(tsr_t(tsr_t(_32, _2), tsr_t(tsr_s(Access), _8)),
                                                     tsr_t(tsr_t(tsr_s(rows *Access), _1), tsr_t(tsr_s(rows), _2)));
    static constexpr tsr_tuple shape = tsr_t(tsr_s(rows), tsr_s(columns));
    static constexpr tsr_layout at = tsr_composition(tsr_make_identity_layout(shape), in);
    static constexpr tsr_layout smem = tsr_composition(tsr_make_layout(shape, tsr_t(tsr_s(columns), _1)), in);
};

/** Through registers, or through shared memory in the background; then to `to`, perhaps by an index, too. */
template <class P, int Bytes, class T, int From, int To>
__global__ void gather(tsr_rows<T const, From> from, tsr_rows<T, To> to, bool async)
{
    __shared__ alignas(16) T memory[P::rows * P::columns];
    __shared__ alignas(8) uint64_t full;
    int const t = threadIdx.x, m = blockIdx.y * P::rows, k = blockIdx.x * P::columns;
    T r[tsr_values<P::at>];
    if constexpr (Bytes >= 4) {
        if (async) {
            if (t == 0)
                tsr_barrier_init(&full, 64);
            __syncthreads();
            tsr_copy_async_if<Bytes>(tsr_part<P::at>(from.from(m, k), t), tsr_part<P::smem>(tsr_smem(memory), t));
            tsr_cp_async_arrive(&full);
            tsr_barrier_wait(&full, 0);
            tsr_copy<Bytes>(tsr_part<P::smem>(tsr_smem(memory), t), r);
        }
    }
    if (Bytes < 4 || !async)
        tsr_copy_if<Bytes>(tsr_part<P::at>(from.from(m, k), t), r);
    tsr_copy_if<Bytes>(r, tsr_part<P::at>(to.from(m, k), t));
}

/** The element that row i and column j are, of an index: -1, none. */
static int64_t place(std::vector<int> const &index, int group, int64_t stride, int64_t inner, int i, int j)
{
    int const k = index[(size_t)(i / group)];
    return k < 0 ? -1 : k * stride + i % group * inner + j;
}

/** An index of every number below `count`, in any order, some of them replaced by -1. */
static std::vector<int> any_index(int count)
{
    std::vector<int> r((size_t)count);
    for (int i = 0; i < count; ++i)
        r[(size_t)i] = i;
    for (int i = count - 1; i > 0; --i)
        std::swap(r[(size_t)i], r[(size_t)below(i + 1)]);
    for (int &x : r)
        x = below(7) == 0 ? -1 : x;
    return r;
}

template <class T, int Access, int From, int To> static void try_gather(char const *name)
{
    typedef tile<T, Access> P;
    constexpr int bytes = Access * (int)sizeof(T);
    for (int round = 0; round < 6; ++round) {
        int const rows = 1 + (int)below(70), columns = 1 + (int)below(2 * P::columns);
        int const pitch = (columns + Access - 1) / Access * Access;
        int const groups[2] = {(rows + From - 1) / From, (rows + To - 1) / To};
        std::vector<int> const index[2] = {any_index(groups[0]), any_index(groups[1])};
        int64_t const stride[2] = {(int64_t)pitch * From + Access, (int64_t)pitch * To};
        memory x((size_t)(groups[0] * stride[0]) * sizeof(T)), y((size_t)(groups[1] * stride[1]) * sizeof(T)), z;
        fill_random(x);
        fill_random(y);
        z = y;
        device_memory dx(x.size()), dy(y.size()), di(index[0].size() * 4), dj(index[1].size() * 4);
        dx.write(x);
        dy.write(y);
        check_cuda(cudaMemcpy(di.at, index[0].data(), di.size, cudaMemcpyHostToDevice), "index");
        check_cuda(cudaMemcpy(dj.at, index[1].data(), dj.size, cudaMemcpyHostToDevice), "index");
        tsr_rows<T const, From> const from = {(T const *)dx.at, (int *)di.at, {rows, columns}, stride[0], pitch};
        tsr_rows<T, To> const to = {(T *)dy.at, (int *)dj.at, {rows, columns}, stride[1], pitch};
        int wrong = !tsr_ok(from.wide(bytes)) || !tsr_ok(to.wide(bytes));
        gather<P, bytes, T><<<dim3((columns + P::columns - 1) / P::columns, (rows + P::rows - 1) / P::rows), 64>>>(
            from, to, round % 2 == 1);
        finish(name);
        dy.read(y);
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) {
                int64_t const s = place(index[0], From, stride[0], pitch, i, j),
                              d = place(index[1], To, stride[1], pitch, i, j);
                if (d >= 0 && s >= 0)
                    std::memcpy(&z[(size_t)d * sizeof(T)], &x[(size_t)s * sizeof(T)], sizeof(T));
                else if (d >= 0)
                    std::memset(&z[(size_t)d * sizeof(T)], 0, sizeof(T));
            }
        wrong += y != z;
        passed += wrong == 0;
        failed += wrong != 0;
        if (wrong)
            std::printf("%s of groups %d to %d: (%d,%d), round %d is wrong\n", name, From, To, rows, columns, round);
    }
    tsr_rows<T const, From> const odd = {(T const *)8192, nullptr, {64, 64}, 2 * Access + 1, 1};
    passed += Access == 1 || !tsr_ok(odd.wide(bytes));
    failed += Access > 1 && tsr_ok(odd.wide(bytes));
}

/* Coordinates */

static constexpr tsr_layout sums =
    tsr_thread_values_c(tsr_make_tiled_mma(tsr_wgmma(64, TSR_F32, TSR_F16, TSR_F16, 0, TSR_MMA_PLAIN)),
                        tsr_make_identity_layout(tsr_t(_64, _64)));

static constexpr tsr_layout values = tile<float, 4>::at;

template <tsr_layout const &L> __global__ void coordinates(int *to)
{
    auto const at = tsr_part_coords<L>(threadIdx.x);
    TSR_UNROLL for (int v = 0; v < tsr_values<L>; ++v) to[threadIdx.x + v * tsr_threads<L>] =
        at[v].at[0] << 16 | at[v].at[1];
}

template <tsr_layout const &L> static void try_coordinates(char const *name)
{
    int const n = (int)tsr_size(L), threads = tsr_threads<L>;
    std::vector<int> got((size_t)n);
    device_memory to((size_t)n * 4);
    coordinates<L><<<1, threads>>>((int *)to.at);
    finish(name);
    check_cuda(cudaMemcpy(got.data(), to.at, to.size, cudaMemcpyDeviceToHost), name);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        tsr_fragment_coord const c = tsr_fragment_coord_of(&L, i);
        wrong += got[(size_t)i] != ((int)c.at[0] << 16 | (int)c.at[1]);
    }
    passed += wrong == 0;
    failed += wrong != 0;
    if (wrong)
        std::printf("%s: %d coordinates are wrong\n", name, wrong);
}

int main(int count, char **arguments)
{
    need_hopper();
    seed(count, arguments, 1);
    try_gather<uint8_t, 16, 1, 1>("bytes, 16 at a time");
    try_gather<uint8_t, 1, 3, 1>("bytes");
    try_gather<tsr_f16, 8, 1, 16>("halves, 8 at a time");
    try_gather<tsr_bf16, 2, 16, 1>("bf16, 2 at a time");
    try_gather<float, 4, 5, 3>("floats, 4 at a time");
    try_gather<float, 1, 1, 1>("floats");
    try_gather<double, 2, 16, 16>("doubles, 2 at a time");
    try_gather<wide, 1, 1, 7>("16 bytes");
    try_coordinates<sums>("sums of wgmma");
    try_coordinates<values>("a tile");
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
