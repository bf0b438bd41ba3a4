/** Tensors with a lower bound, in the emulator: every bound of rows and of columns, in front of the tensor and behind
 *  its end, read 16 bytes at a time and element by element, from tiles that begin in front of the tensor. */
#include "tessera/emulate/run.h"

#include "product.h"
#include "tessera/cuda/lower_bound.cuh"

enum { ROWS = 8, COLUMNS = 16, THREADS = 32, BYTES = 16 };

/* 32 threads: 4 of 4 neighbours each along a row, 8 rows. */
static constexpr tsr_layout at =
    tsr_composition(tsr_make_identity_layout(tsr_t(tsr_s(ROWS), tsr_s(COLUMNS))),
                    tsr_make_layout(tsr_t(tsr_t(tsr_s(4), tsr_s(8)), tsr_s(4)),
                                    tsr_t(tsr_t(tsr_s(4 * ROWS), tsr_s(1)), tsr_s(ROWS))));

/* Elements that count go to their places, from tiles that begin in front of the tensor. */
static void bounded(tsr_global<float const, 2, 1> from, tsr_global<float, 2, 1> to, tsr_coord<2> begin,
                    tsr_coord<2> end)
{
    int const t = (int)threadIdx.x;
    for (int m = -4; m < end.at[0]; m += ROWS)
        for (int n = -8; n < end.at[1]; n += COLUMNS) {
            auto const x = tsr_frag_load<BYTES, at>(tsr_lower_bound(from, begin).from(m, n), t);
            tsr_frag_store<BYTES>(tsr_frag_map(x, [](float y) { return y + 1; }),
                                  tsr_lower_bound(to, begin).from(m, n), t);
        }
}

static int try_bounds(int rows, int columns, int i, int j)
{
    int const pitch = (columns + 3) / 4 * 4;
    std::vector<float> x((size_t)(rows * pitch)), got(x), want(x);
    memset(static_cast<void *>(want.data()), 0xff, want.size() * sizeof(float)); /* as try_kernel leaves the others */
    for (int m = 0; m < rows; ++m)
        for (int n = 0; n < columns; ++n) {
            x[(size_t)(m * pitch + n)] = (float)next_integer(1000);
            if (m >= i && n >= j)
                want[(size_t)(m * pitch + n)] = x[(size_t)(m * pitch + n)] + 1;
        }
    tsr_global<float const, 2, 1> const from = {x.data(), {rows, columns}, {pitch, 1}};
    tsr_global<float, 2, 1> const to = {got.data(), {rows, columns}, {pitch, 1}};
    tsr_emulated_launch l;
    l.grid = 1;
    l.threads = THREADS;
    return try_kernel("bounded", l, got, want, [&] { bounded(from, to, {{i, j}}, {{rows, columns}}); });
}

int main()
{
    int bad = 0;
    for (int i = -1; i < 14; i += 3)
        for (int j = -2; j < 23; ++j)
            bad += try_bounds(13, 22, i, j);
    printf(bad ? "%d runs failed\n" : "ok\n", bad);
    return bad != 0;
}
