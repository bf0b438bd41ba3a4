/** Rows by an index in the emulator, under every schedule: gathered to shared memory in the background or to registers,
 *  scattered in groups; rows and columns outside, and an index that is none; and by the threads of a producer
 *  warpgroup, through a ring of buffers. */
#include "tessera/emulate/run.h"

#include "product.h"
#include "tessera/cuda/barrier.cuh"
#include "tessera/cuda/frag_copy.cuh"
#include "tessera/cuda/gather.cuh"

enum { ROWS = 16, COLUMNS = 32, GROUP = 4, THREADS = 64, BYTES = 16 };

/* 64 threads: 8 of 4 neighbours each along a row, 8 rows at a time. */
static constexpr tsr_tuple shape = tsr_t(tsr_s(ROWS), tsr_s(COLUMNS));
static constexpr tsr_layout in =
    tsr_make_layout(tsr_t(tsr_t(tsr_s(8), tsr_s(8)), tsr_t(tsr_s(4), tsr_s(2))),
                    tsr_t(tsr_t(tsr_s(4 * ROWS), tsr_s(1)), tsr_t(tsr_s(ROWS), tsr_s(8))));
static constexpr tsr_layout at = tsr_composition(tsr_make_identity_layout(shape), in);
static constexpr tsr_layout smem = tsr_composition(tsr_make_layout(shape, tsr_t(tsr_s(COLUMNS), tsr_s(1))), in);

struct room {
    float tile[ROWS * COLUMNS];
    uint64_t full;
};

static void gather(tsr_rows<float const> from, tsr_rows<float, GROUP> to, bool async)
{
    room &s = *tsr_dynamic_smem<room>();
    int const t = (int)threadIdx.x, m = (int)blockIdx.x * ROWS;
    float r[tsr_values<at>];
    if (t == 0)
        tsr_barrier_init(&s.full, THREADS);
    __syncthreads();
    if (async) {
        tsr_copy_async_if<BYTES>(tsr_part<at>(from.from(m, 0), t), tsr_part<smem>(tsr_smem(s.tile), t));
        tsr_cp_async_arrive(&s.full);
        tsr_barrier_wait(&s.full, 0);
        tsr_copy<BYTES>(tsr_part<smem>(tsr_smem(s.tile), t), r);
    } else {
        tsr_copy_if<BYTES>(tsr_part<at>(from.from(m, 0), t), r);
    }
    tsr_copy_if<BYTES>(r, tsr_part<at>(to.from(m, 0), t));
}

/* 128 threads: 8 of 4 neighbours each along a row. */
static constexpr tsr_layout wide_in = tsr_make_layout(tsr_t(tsr_t(tsr_s(8), tsr_s(16)), tsr_s(4)),
                                                      tsr_t(tsr_t(tsr_s(4 * ROWS), tsr_s(1)), tsr_s(ROWS)));
static constexpr tsr_layout wide_at = tsr_composition(tsr_make_identity_layout(shape), wide_in);
static constexpr tsr_layout wide_smem =
    tsr_composition(tsr_make_layout(shape, tsr_t(tsr_s(COLUMNS), tsr_s(1))), wide_in);

struct ring_room {
    float tile[2][ROWS * COLUMNS];
    tsr_pipeline<2> ring;
};

/* One block for all tiles: warpgroup 0 gathers, warpgroup 1 scatters. */
static void produce(tsr_rows<float const> from, tsr_rows<float, GROUP> to, bool async)
{
    ring_room &s = *tsr_dynamic_smem<ring_room>();
    int const t = (int)threadIdx.x % 128, tiles = (from.extent[0] + ROWS - 1) / ROWS;
    tsr_stage<2> stage;
    if (threadIdx.x == 0)
        s.ring.init(128, 128);
    __syncthreads();
    bool const produced = tsr_produce<56, 224, 128>([&] {
        auto rows = tsr_part<wide_at>(from, t);
        for (int i = 0; i < tiles; ++i, stage.next(), rows.move(ROWS, 0)) {
            auto const tile = tsr_part<wide_smem>(tsr_smem(s.tile[stage.index]), t);
            tsr_barrier_wait(&s.ring.free[stage.index], stage.parity ^ 1);
            if (async) {
                tsr_copy_async_if<BYTES>(rows, tile);
                tsr_cp_async_arrive(&s.ring.full[stage.index]);
            } else {
                float r[tsr_values<wide_at>];
                tsr_copy_if<BYTES>(rows, r);
                tsr_copy<BYTES>(r, tile);
                tsr_barrier_arrive(&s.ring.full[stage.index]);
            }
        }
        tsr_cp_async_commit();
        tsr_cp_async_wait<0>();
    });
    for (int i = 0; i < tiles && !produced; ++i, stage.next()) {
        tsr_frag<wide_at, float> x;
        tsr_barrier_wait(&s.ring.full[stage.index], stage.parity);
        tsr_copy<BYTES>(tsr_part<wide_smem>(tsr_smem(s.tile[stage.index]), t), x.r);
        tsr_barrier_arrive(&s.ring.free[stage.index]);
        tsr_frag_store<BYTES>(x, to.from(i * ROWS, 0), t);
    }
}

static int try_gather(int rows, int columns, bool async, bool warpgroups)
{
    int const pitch = (columns + 3) / 4 * 4, groups = (rows + GROUP - 1) / GROUP, inner = pitch + 4;
    std::vector<float> x((size_t)(rows * pitch)), got((size_t)(groups * GROUP * inner)), want(got);
    std::vector<int> token((size_t)rows), page((size_t)groups);
    memset(static_cast<void *>(want.data()), 0xff,
           want.size() * sizeof(float)); /* as try_kernel leaves what is not written */
    for (size_t i = 0; i < x.size(); ++i)
        x[i] = (float)next_integer(1000);
    for (int i = 0; i < rows; ++i)
        token[(size_t)i] = i % 5 == 3 ? -1 : (i * 7 + 2) % rows;
    for (int i = 0; i < groups; ++i)
        page[(size_t)i] = i == 1 ? -1 : groups - 1 - i;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns && page[(size_t)(i / GROUP)] >= 0; ++j) {
            int const k = token[(size_t)i], place = page[(size_t)(i / GROUP)] * GROUP + i % GROUP;
            want[(size_t)(place * inner + j)] = k < 0 ? 0 : x[(size_t)(k * pitch + j)];
        }
    tsr_rows<float const> const from = {x.data(), token.data(), {rows, columns}, pitch, 0, 0};
    tsr_rows<float, GROUP> const to = {got.data(), page.data(), {rows, columns}, GROUP * inner, inner, 0};
    tsr_emulated_launch l;
    l.grid = warpgroups ? 1 : (rows + ROWS - 1) / ROWS;
    l.threads = warpgroups ? 256 : THREADS;
    l.shared = warpgroups ? sizeof(ring_room) : sizeof(room);
    int bad = tsr_ok(from.wide(BYTES)) && tsr_ok(to.wide(BYTES)) ? 0 : 1;
    return bad + try_kernel(async ? "in the background" : "to registers", l, got, want, [&] {
               warpgroups ? produce(from, to, async) : gather(from, to, async);
           });
}

int main()
{
    int bad = 0;
    for (int i = 0; i < 4; ++i)
        bad += try_gather(i < 2 ? 37 : 101, 32, i % 2, i > 1) + try_gather(16, 30, i % 2, i > 1)
               + try_gather(5, 3, i % 2, i > 1);
    printf(bad ? "%d runs failed\n" : "ok\n", bad);
    return bad != 0;
}
