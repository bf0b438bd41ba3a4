/** Tensors with a lower bound on the GPU: read to registers, or in the background and waited for by groups or by a
 *  barrier, from tiles that begin in front of the tensor; written back. Elements of 1 to 16 bytes, random extents and
 *  bounds, those that cut an access among them. Against plain loops. */
#include "device.cuh"
#include "tessera/cuda.cuh"
#include "tessera/cuda/lower_bound.cuh"
#include "tessera/names.h"

struct wide {
    uint32_t word[4];
};

/** 64 threads, a tile of 16 rows of 8 accesses: 8 threads along a row, each two rows. */
template <class T, int Access> struct tile {
    static constexpr int columns = 8 * Access, rows = 16;
    static constexpr tsr_layout in = tsr_make_layout(tsr_t(tsr_t(_8, _8), tsr_t(tsr_s(Access), _2)),
                                                     tsr_t(tsr_t(tsr_s(rows *Access), _1), tsr_t(tsr_s(rows), _8)));
    static constexpr tsr_tuple shape = tsr_t(tsr_s(rows), tsr_s(columns));
    static constexpr tsr_layout at = tsr_composition(tsr_make_identity_layout(shape), in);
    static constexpr tsr_layout smem = tsr_composition(tsr_make_layout(shape, tsr_t(tsr_s(columns), _1)), in);
};

enum { REGISTERS, GROUPS, BARRIER, WAYS };

/** A block a row of tiles, which begins `front` rows and accesses in front of the tensor. */
template <class P, int Bytes, class T> __global__ void bounded(tsr_global<T const, 2, 1> from, tsr_global<T, 2, 1> to,
                                                               tsr_coord<2> begin, tsr_coord<2> store_begin,
                                                               int front, int way)
{
    __shared__ alignas(16) T memory[P::rows * P::columns];
    __shared__ alignas(8) uint64_t full;
    int const t = threadIdx.x, m = (int)blockIdx.x * P::rows - front, n0 = -front * (Bytes / (int)sizeof(T));
    auto part = tsr_part<P::at>(tsr_lower_bound(from, begin).from(m, n0), t);
    uint32_t parity = 0;
    if (t == 0)
        tsr_barrier_init(&full, 64);
    __syncthreads();
    for (int n = n0; n < to.extent[1]; n += P::columns, part.move(0, P::columns), parity ^= 1) {
        T r[tsr_values<P::at>];
        if constexpr (Bytes >= 4) {
            auto const tile = tsr_part<P::smem>(tsr_smem(memory), t);
            if (way != REGISTERS)
                tsr_copy_async_if<Bytes>(part, tile);
            if (way == BARRIER) {
                tsr_cp_async_arrive(&full);
                tsr_barrier_wait(&full, parity);
            } else if (way == GROUPS) {
                tsr_cp_async_commit();
                tsr_cp_async_wait<0>();
            }
            if (way != REGISTERS)
                tsr_copy<Bytes>(tile, r);
        }
        if (Bytes < 4 || way == REGISTERS)
            tsr_copy_if<Bytes>(part, r);
        tsr_copy_if<Bytes>(r, tsr_part<P::at>(tsr_lower_bound(to, store_begin).from(m, n), t));
    }
}

/** A bound: in front of the tensor, inside, or behind its end. */
static int any_bound(int extent) { return (int)below(extent + 6) - 3; }

template <class T, int Access> static void try_bounds(char const *name)
{
    typedef tile<T, Access> P;
    constexpr int bytes = Access * (int)sizeof(T);
    for (int round = 0; round < 24; ++round) {
        int const rows = 1 + (int)below(40), columns = 1 + (int)below(3 * P::columns), way = round % WAYS;
        int const pitch = (columns + Access - 1) / Access * Access, front = (int)below(3);
        tsr_coord<2> const begin = {{any_bound(rows), any_bound(columns)}},
                           store = {{any_bound(rows), any_bound(columns)}};
        memory x((size_t)rows * pitch * sizeof(T)), y(x.size()), z;
        fill_random(x);
        fill_random(y);
        z = y;
        device_memory dx(x.size()), dy(y.size());
        dx.write(x);
        dy.write(y);
        tsr_global<T const, 2, 1> const from = {(T const *)dx.at, {rows, columns}, {pitch, 1}};
        tsr_global<T, 2, 1> const to = {(T *)dy.at, {rows, columns}, {pitch, 1}};
        bounded<P, bytes, T><<<(rows + front + P::rows - 1) / P::rows, 64>>>(from, to, begin, store, front, way);
        finish(name);
        dy.read(y);
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) {
                size_t const at = ((size_t)i * pitch + j) * sizeof(T);
                if (i < store.at[0] || j < store.at[1])
                    continue;
                if (i >= begin.at[0] && j >= begin.at[1])
                    std::memcpy(&z[at], &x[at], sizeof(T));
                else
                    std::memset(&z[at], 0, sizeof(T));
            }
        ++(y == z ? passed : failed);
        if (y != z)
            std::printf("%s: (%d,%d) from (%d,%d), stored from (%d,%d), way %d: wrong\n", name, rows, columns,
                        begin.at[0], begin.at[1], store.at[0], store.at[1], way);
    }
}

int main(int count, char **arguments)
{
    need_hopper();
    seed(count, arguments, 1);
    try_bounds<uint8_t, 16>("bytes, 16 at a time");
    try_bounds<uint8_t, 4>("bytes, 4 at a time");
    try_bounds<uint8_t, 1>("bytes");
    try_bounds<tsr_f16, 8>("halves, 8 at a time");
    try_bounds<tsr_bf16, 2>("bf16, 2 at a time");
    try_bounds<float, 4>("floats, 4 at a time");
    try_bounds<float, 1>("floats");
    try_bounds<double, 2>("doubles, 2 at a time");
    try_bounds<wide, 1>("16 bytes");
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
