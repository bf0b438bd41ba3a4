/** Tensors with a lower bound, in the emulator: every bound of rows and of columns, in front of the tensor and behind
 *  its end, read 16 bytes at a time and element by element, to registers and in the background, from tiles that begin
 *  in front of the tensor. */
#include "tessera/emulate/run.h"

#include "product.h"
#include "tessera/cuda/barrier.cuh"
#include "tessera/cuda/lower_bound.cuh"

enum { ROWS = 8, THREADS = 32, BYTES = 16 };
enum how { REGISTERS, GROUPS, BARRIER };
static char const *const ways[] = {"to registers", "in the background, by groups", "in the background, by a barrier"};

/* 32 threads: 4 of 16 bytes each along a row, 8 rows; in shared memory by rows. */
template <class T> struct tile {
    static constexpr int access = BYTES / (int)sizeof(T), columns = 4 * access;
    static constexpr tsr_tuple shape = tsr_t(tsr_s(ROWS), tsr_s(columns));
    static constexpr tsr_layout in = tsr_make_layout(tsr_t(tsr_t(tsr_s(4), tsr_s(8)), tsr_s(access)),
                                                     tsr_t(tsr_t(tsr_s(access *ROWS), tsr_s(1)), tsr_s(ROWS)));
    static constexpr tsr_layout at = tsr_composition(tsr_make_identity_layout(shape), in);
    static constexpr tsr_layout smem = tsr_composition(tsr_make_layout(shape, tsr_t(tsr_s(columns), tsr_s(1))), in);
};

template <class T> struct room {
    T tile[ROWS * ::tile<T>::columns];
    uint64_t full;
};

/* Elements that count go to their places, from tiles that begin in front of the tensor. */
template <class T> static void bounded(tsr_global<T const, 2, 1> from, tsr_global<T, 2, 1> to, tsr_coord<2> begin,
                                       tsr_coord<2> end, how way)
{
    typedef tile<T> P;
    room<T> &s = *tsr_dynamic_smem<room<T>>();
    int const t = (int)threadIdx.x;
    auto const tile = tsr_part<P::smem>(tsr_smem(s.tile), t);
    uint32_t parity = 0;
    if (t == 0)
        tsr_barrier_init(&s.full, THREADS);
    __syncthreads();
    for (int m = -4; m < end.at[0]; m += ROWS) {
        auto part = tsr_part<P::at>(tsr_lower_bound(from, begin).from(m, -2 * P::access), t);
        for (int n = -2 * P::access; n < end.at[1]; n += P::columns, parity ^= 1) {
            T x[tsr_values<P::at>];
            if (way == REGISTERS) {
                tsr_copy_if<BYTES>(part, x);
            } else {
                tsr_copy_async_if<BYTES>(part, tile);
                if (way == GROUPS) {
                    tsr_cp_async_commit();
                    tsr_cp_async_wait<0>();
                } else {
                    tsr_cp_async_arrive(&s.full);
                    tsr_barrier_wait(&s.full, parity);
                }
                tsr_copy<BYTES>(tile, x);
            }
            part.move(0, P::columns);
            TSR_UNROLL for (int v = 0; v < tsr_values<P::at>; ++v) x[v] = (T)(x[v] + 1);
            tsr_copy_if<BYTES>(x, tsr_part<P::at>(tsr_lower_bound(to, begin).from(m, n), t));
        }
    }
}

template <class T> static int try_bounds(int rows, int columns, int i, int j, how way)
{
    int const access = tile<T>::access, pitch = (columns + access - 1) / access * access;
    std::vector<T> x((size_t)(rows * pitch)), got(x), want(x);
    memset(static_cast<void *>(want.data()), 0xff, want.size() * sizeof(T)); /* as try_kernel leaves the others */
    for (int m = 0; m < rows; ++m)
        for (int n = 0; n < columns; ++n) {
            x[(size_t)(m * pitch + n)] = (T)next_integer(100);
            if (m >= i && n >= j)
                want[(size_t)(m * pitch + n)] = (T)(x[(size_t)(m * pitch + n)] + 1);
        }
    tsr_global<T const, 2, 1> const from = {x.data(), {rows, columns}, {pitch, 1}};
    tsr_global<T, 2, 1> const to = {got.data(), {rows, columns}, {pitch, 1}};
    tsr_emulated_launch l;
    l.grid = 1;
    l.threads = THREADS;
    l.shared = sizeof(room<T>);
    return try_kernel(ways[way], l, got, want, [&] { bounded(from, to, {{i, j}}, {{rows, columns}}, way); });
}

/* Zeros in front of the bound arrive, in the background and in a fragment. */
static int try_zeros(void)
{
    typedef tile<float> P;
    int const rows = 5, columns = 16;
    std::vector<float> x((size_t)(rows * columns), 3), got(ROWS * (size_t)columns), want(got);
    for (int m = 0; m < ROWS; ++m)
        for (int n = 0; n < columns; ++n)
            want[(size_t)(m * columns + n)] = m >= 2 && m < rows && n >= 5 ? 3.f : 0.f;
    tsr_global<float, 2, 1> const from = {x.data(), {rows, columns}, {columns, 1}},
                                  to = {got.data(), {ROWS, columns}, {columns, 1}};
    tsr_emulated_launch l;
    l.grid = 1;
    l.threads = THREADS;
    l.shared = sizeof(room<float>);
    return try_kernel("zeros", l, got, want, [&] {
        room<float> &s = *tsr_dynamic_smem<room<float>>();
        int const t = (int)threadIdx.x;
        auto const tile = tsr_part<P::smem>(tsr_smem(s.tile), t);
        tsr_copy_async_if<BYTES>(tsr_part<P::at>(tsr_lower_bound(from, {{2, 5}}), t), tile);
        tsr_cp_async_commit();
        tsr_cp_async_wait<0>();
        tsr_frag<P::at, float> y;
        tsr_copy<BYTES>(tile, y.r);
        auto const same = tsr_frag_load<BYTES, P::at>(tsr_lower_bound(from, {{2, 5}}), t);
        tsr_frag_store<BYTES>(tsr_frag_zip(y, same, [](float a, float b) { return (a + b) / 2; }), to, t);
    });
}

int main()
{
    int bad = try_zeros();
    for (int i = -1; i < 14; i += 3)
        for (int j = -2; j < 23; ++j)
            bad += try_bounds<float>(13, 22, i, j, REGISTERS)
                   + try_bounds<float>(13, 22, i, j, j & 1 ? GROUPS : BARRIER);
    for (int j = -1; j < 99; j += 7)
        bad += try_bounds<short>(6, 50, 2, j, GROUPS) + try_bounds<signed char>(9, 90, 3, j, BARRIER);
    printf(bad ? "%d runs failed\n" : "ok\n", bad);
    return bad != 0;
}
