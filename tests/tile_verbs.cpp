/** The verbs of kernels (cuda/tile.cuh), compiled for the CPU: what every thread of every tile loads, stores and
 *  updates is what the windows of C do, for descriptors that are constants and for ones of run time. */
#include <cstdio>
#include <cstring>

#include "build/fold/tile_view_cases.h"

enum { MEMORY = 70000, BUFFERS = 256 * 16 };

alignas(16) static int32_t memory[MEMORY], changed[MEMORY], wanted[MEMORY];
static constexpr int64_t table[6] = {5, 0, 3, 3, 17, 2};
static int bad, checks;

static void check(char const *name, char const *what, int64_t at, int64_t got, int64_t want)
{
    ++checks;
    bad += got != want;
    if (got != want && bad < 9)
        std::printf("%s, %s at %d: %d, not %d\n", name, what, (int)at, (int)got, (int)want);
}

/* Distributions */

struct deal {
    int xs, ps;
    tsr_index r, h[3];
    tsr_places p[2], y;
};

TSR_FN tsr_encoding encoding_of(deal const &d)
{
    tsr_encoding_lists l = TSR_ZERO;
    l.xs = (uint8_t)d.xs;
    l.ps = (uint8_t)d.ps;
    l.r = d.r;
    for (int i = 0; i < d.xs; ++i)
        l.h[i] = d.h[i];
    for (int i = 0; i < d.ps; ++i)
        l.p[i] = d.p[i];
    l.y = d.y;
    return tsr_make_tile_distribution_encoding(&l);
}

/** 32 x 16: 2 warps of 8 x 4 lanes, 2 x 4 elements each. */
static constexpr tsr_encoding small_block = encoding_of({2,
                                                         2,
                                                         {0, {0}},
                                                         {{3, {2, 2, 8}}, {2, {4, 4}}, {0, {0}}},
                                                         {{1, {{1, 1}}}, {2, {{1, 2}, {2, 0}}}},
                                                         {2, {{1, 0}, {2, 1}}}});
/** 32 x 32: an accumulator of MFMA, columns of 4. */
static constexpr tsr_encoding mfma = encoding_of(
    {2, 1, {0, {0}}, {{3, {4, 2, 4}}, {1, {32}}, {0, {0}}}, {{2, {{1, 1}, {2, 0}}}, {0, {}}}, {2, {{1, 0}, {1, 2}}}});
/** 12 x 10, replicated over 2, with lengths that are no powers of two; Ys in another order than X. */
static constexpr tsr_encoding odd = encoding_of({2,
                                                 1,
                                                 {1, {2}},
                                                 {{2, {3, 4}}, {2, {5, 2}}, {0, {0}}},
                                                 {{3, {{2, 0}, {0, 0}, {1, 0}}}, {0, {}}},
                                                 {2, {{2, 1}, {1, 1}}}});
/** 24, for lines. */
static constexpr tsr_encoding line =
    encoding_of({1, 1, {0, {0}}, {{2, {3, 8}}, {0, {0}}, {0, {0}}}, {{1, {{1, 0}}}, {0, {}}}, {1, {{1, 1}}}});
/** 4 x 2 x 8: one thread along each of the first two. */
static constexpr tsr_encoding cube =
    encoding_of({3, 1, {0, {0}}, {{1, {4}}, {1, {2}}, {1, {8}}}, {{2, {{1, 0}, {2, 0}}}, {0, {}}}, {1, {{3, 0}}}});

/* Descriptors */

TSR_FN tsr_descriptor column_major(int64_t m, int64_t n)
{
    int64_t const length[2] = {m, n}, stride[2] = {1, m};
    return tsr_make_naive_tensor_descriptor(2, length, stride, tsr_no_vector());
}

TSR_FN tsr_descriptor packed_3(int64_t a, int64_t b, int64_t c)
{
    int64_t const length[3] = {a, b, c};
    return tsr_make_naive_tensor_descriptor_packed(3, length, 0);
}

/** Rows through a table, columns modulo 9, both within a matrix of 20 x 10. */
TSR_FN tsr_descriptor gathered()
{
    int64_t const length[2] = {20, 10};
    tsr_link const link[2] = {fold_link(tsr_make_indexing_transform(6, table), 0, 0),
                              fold_link(tsr_make_modulo_transform(9, 40), 1, 1)};
    return tsr_transform_tensor_descriptor(tsr_make_naive_tensor_descriptor_packed(2, length, 0), 2, link);
}

/** A matrix as a line, its middle only, padded on the left; rows behind a xor of any length. */
TSR_FN tsr_descriptor threaded(int64_t m, int64_t n)
{
    int64_t const length[2] = {m, n};
    tsr_link merge = fold_link(tsr_make_merge_transform(2, length), 0, 0);
    tsr_link const slice = fold_link(tsr_make_slice_transform(m * n, n, m * n - 1), 0, 0);
    tsr_link const pad = fold_link(tsr_make_left_pad_transform(m * n - n - 1, 3), 0, 0);
    tsr_link xors = fold_link(tsr_make_xor_transform(m, n), 0, 0);
    merge.low[1] = xors.low[1] = xors.up[1] = 1;
    tsr_descriptor d = tsr_make_naive_tensor_descriptor_packed(2, length, 0);
    d = tsr_transform_tensor_descriptor(d, 1, &xors);
    d = tsr_transform_tensor_descriptor(d, 1, &merge);
    d = tsr_transform_tensor_descriptor(d, 1, &slice);
    return tsr_transform_tensor_descriptor(d, 1, &pad);
}

static constexpr tsr_descriptor ragged = fold_matrix(40, 38, 38), pitched = fold_matrix(60, 52, 64),
                                columns = column_major(44, 36), box = packed_3(6, 5, 20), gather = gathered(),
                                thread_1 = threaded(8, 16), thread_2 = threaded(11, 8), box_2 = packed_3(3, 7, 11),
                                columns_2 = column_major(7, 9);

/* Windows of both kinds over the same memory */

static tsr_tensor_view view_of(tsr_descriptor const &d, int32_t *data, tsr_memory_operation op)
{
    return tsr_make_tensor_view(tsr_make_buffer_view(TSR_GMEM, data, MEMORY, TSR_I32), &d, op);
}

/** What is done to memory beside loads. */
template <tsr_memory_operation Op, class Window, int N>
static void check_update(Window const &w, tsr_tile_window *c, tsr_window_position const *at, int32_t const (&x)[N])
{
    tsr_update_tile<Op>(w, x);
    c->view.operation = Op;
    tsr_update_tile(c, at, x);
}

template <int Size, bool Updates, class Window>
static void check_thread(char const *name, Window const &w, tsr_tile_window *c, int64_t t)
{
    int32_t x[Size], y[Size], invalid = -7;
    tsr_index p = tsr_p_lengths(&c->encoding);
    for (int i = p.rank - 1; i >= 0; --i) {
        int64_t const n = p.at[i];
        p.at[i] = t % n;
        t /= n;
    }
    tsr_window_position const at = tsr_window_begin(c, p.at);
    c->view.buffer.data = memory;
    std::memcpy(c->view.buffer.invalid, &invalid, sizeof invalid);
    tsr_load_tile(c, &at, y);
    tsr_load_tile(w, x, invalid);
    for (int i = 0; i < Size; ++i)
        check(name, "load", i, x[i], y[i]);
    auto to = w;
    to.view.data = changed;
    c->view.buffer.data = wanted;
    check_update<TSR_UPDATE_SET>(to, c, &at, x);
    if constexpr (Updates) {
        check_update<TSR_UPDATE_ATOMIC_ADD>(to, c, &at, x);
        for (int i = 0; i < Size; ++i)
            x[i] = 2 * x[i] + i - 3;
        check_update<TSR_UPDATE_MAX>(to, c, &at, x);
        check_update<TSR_UPDATE_ADD>(to, c, &at, x);
        check_update<TSR_UPDATE_ATOMIC_MAX>(to, c, &at, y);
    }
}

template <tsr_encoding const &E, int... Step, class View>
static void check_tiles(char const *name, View view, tsr_descriptor const &d, tsr_steps_ step, int tiles)
{
    constexpr int size = (int)tsr_thread_buffer_size(&E);
    tsr_index const ps = tsr_p_lengths(&E);
    int64_t threads = 1, tile[3] = {0, 0, 0}, origin[3] = {0, 0, 0};
    for (int i = 0; i < ps.rank; ++i)
        threads *= ps.at[i];
    std::memset(changed, 0, sizeof changed);
    std::memset(wanted, 0, sizeof wanted);
    tsr_index grid = TSR_ZERO;
    grid.rank = E.xs;
    for (int i = 0; i < E.xs; ++i)
        grid.at[i] = tiles;
    do {
        for (int i = 0; i < E.xs; ++i)
            origin[i] = tile[i] * step.at[i];
        tsr_tensor_view const v = view_of(d, memory, TSR_UPDATE_ATOMIC_ADD);
        tsr_tile_window c = tsr_make_tile_window(&v, &E, origin);
        check(name, "a window", 0, tsr_window_why(&c).status, TSR_OK);
        for (int64_t t = 0; t < threads; ++t) {
            if constexpr (E.xs == 1)
                check_thread<size, true>(name, tsr_make_tile_window<E, Step...>(view, (unsigned)t, tile[0]), &c, t);
            else if constexpr (E.xs == 2)
                check_thread<size, false>(name, tsr_make_tile_window<E, Step...>(view, (unsigned)t, tile[0], tile[1]),
                                          &c, t);
            else
                check_thread<size, false>(
                    name, tsr_make_tile_window<E, Step...>(view, (unsigned)t, tile[0], tile[1], tile[2]), &c, t);
        }
    } while (tsr_next_index(&grid, tile));
    for (int i = 0; i < MEMORY; ++i)
        check(name, "store", i, changed[i], wanted[i]);
}

template <tsr_descriptor const &D, tsr_encoding const &E, int... Step> static void check_constant(char const *name)
{
    auto view = tsr_make_tensor_view<TSR_GMEM, D>(memory);
    if constexpr (D.graph.tables > 0)
        view.tables.at[0] = table;
    check_tiles<E, Step...>(name, view, D, tsr_steps_of_<Step...>(E, true), 3);
}

template <tsr_descriptor const &A, tsr_descriptor const &B, tsr_encoding const &E, int... Step>
static void check_run_time(char const *name, tsr_descriptor const &d)
{
    tsr_reason why = TSR_ZERO;
    auto const view = tsr_make_tensor_view<TSR_GMEM, A, B, 0, uint64_t>(memory, &d, &why);
    check(name, "like the others", 0, why.status, TSR_OK);
    check_tiles<E, Step...>(name, view, d, tsr_steps_of_<Step...>(E, true), 3);
}

/** A window that stands still, over all of a tile in shared memory. */
static void check_still()
{
    auto const view = tsr_make_tensor_view<TSR_SMEM, window_lds>(memory);
    tsr_tensor_view const v = view_of(window_lds, memory, TSR_UPDATE_ATOMIC_ADD);
    int64_t const origin[2] = {0, 0};
    tsr_tile_window c = tsr_make_tile_window(&v, &fold_threads, origin);
    for (unsigned t = 0; t < 256; ++t) {
        int64_t const p[2] = {t / 64, t % 64};
        int32_t x[16], y[16];
        tsr_window_position const at = tsr_window_begin(&c, p);
        tsr_load_tile(&c, &at, y);
        tsr_load_tile(tsr_make_tile_window<fold_threads>(view, t), x);
        for (int i = 0; i < 16; ++i)
            check("shared memory", "load", i, x[i], y[i]);
    }
}

/** Coordinates of the elements of a buffer; a window moved; refusals on the host. */
static void check_rest()
{
    for (unsigned t = 0; t < 30; ++t)
        tsr_sweep_tile<odd>(t, [&](int i, int const *x) {
            int64_t const p[1] = {t};
            tsr_index const want = tsr_distribution_x(&odd, p, tsr_thread_buffer_index(&odd, i).at);
            check("sweep", "x0", i, x[0], want.at[0]);
            check("sweep", "x1", i, x[1], want.at[1]);
        });
    auto w = tsr_make_tile_window<small_block>(tsr_make_tensor_view<TSR_GMEM, pitched>(memory), 9, 0, 0);
    int32_t x[8], y[8];
    tsr_move_tile_window(&w, 1, 2);
    tsr_load_tile(w, x);
    tsr_load_tile(tsr_make_tile_window<small_block>(w.view, 9, 1, 2), y);
    for (int i = 0; i < 8; ++i)
        check("a window moved", "load", i, x[i], y[i]);
    tsr_reason why = TSR_ZERO;
    tsr_descriptor const other = fold_matrix(9, 9, 9);
    (void)tsr_make_tensor_view<TSR_GMEM, ragged, ragged>(memory, &other, &why);
    check("other numbers", "status", 0, why.status, TSR_FORMULA_NUMBER);
    (void)tsr_make_tensor_view<TSR_GMEM, ragged, ragged>(memory + 1, &ragged, &why);
    check("an address", "status", 0, why.status, TSR_MISALIGNED);
    check("its numbers", "past", 0, why.number[0], 4);
    (void)tsr_make_tensor_view<TSR_GMEM, ragged, ragged, 1>(memory + 1, &ragged, &why);
    check("narrow", "status", 0, why.status, TSR_OK);
    tsr_descriptor const large = column_major(1ll << 20, 1 << 12);
    (void)tsr_make_tensor_view<TSR_GMEM, columns, columns_2>(memory, &large, &why);
    check("large", "status", 0, why.status, TSR_OVERFLOW);
    (void)tsr_make_tensor_view<TSR_GMEM, columns, columns_2, 0, uint64_t>(memory, &large, &why);
    check("large, 64 bits", "status", 0, why.status, TSR_OK);
}

/** Vectors are their elements, from every place on: where they are accessed at once, at an edge, and across. */
template <tsr_descriptor const &D, int W, class... I> static void check_vector(char const *name, I... index)
{
    auto const v = tsr_make_tensor_view<TSR_GMEM, D>(changed);
    int32_t x[W], y[W];
    v.get_vector(x, -7, index...);
    for (int k = 0; k < W; ++k) {
        tsr_spot<uint32_t> const s = v.spot_behind(k, index...);
        check(name, "element of a vector", k, x[k], s.there ? *v.pointer(s) : -7);
        y[k] = 1000 + k;
    }
    std::memcpy(wanted, changed, sizeof wanted);
    for (int k = 0; k < W; ++k) {
        tsr_spot<uint32_t> const s = v.spot_behind(k, index...);
        if (s.there)
            wanted[v.pointer(s) - changed] = y[k];
    }
    v.set_vector(y, index...);
    check(name, "memory after a vector", 0, std::memcmp(changed, wanted, sizeof wanted) == 0, 1);
}

template <tsr_descriptor const &D, int W> static void check_vectors(char const *name)
{
    std::memcpy(changed, memory, sizeof changed);
    for (int i = 0; i < (int)D.graph.length[D.graph.top[0]] + 1; ++i)
        for (int j = 0; j < (int)D.graph.length[D.graph.top[1]] + 1; ++j)
            check_vector<D, W>(name, i, j);
}

static constexpr int64_t even_lengths[2] = {5, 12}, even_begin[2] = {1, 2}, even_end[2] = {4, 9},
                         even_tile[2] = {4, 8};
static constexpr bool even_pads[2] = {true, true};
static constexpr tsr_descriptor even = tsr_make_naive_tensor_descriptor_packed(2, even_lengths, 4);
static constexpr tsr_descriptor even_part = tsr_slice_tensor_descriptor(even, even_begin, even_end);
static constexpr tsr_descriptor even_padded = tsr_pad_tensor_descriptor(even_part, even_tile, even_pads);

int main()
{
    for (int i = 0; i < MEMORY; ++i)
        memory[i] = i + 1;
    check_vectors<even, 4>("vectors of 4");
    check_vectors<even, 6>("vectors of 6");
    check_vectors<even, 8>("vectors of 8");
    check_vectors<even_part, 4>("vectors of a part");
    check_vectors<even_padded, 4>("vectors of a padded part");
    check_vectors<ragged, 4>("vectors of ragged rows");
    check_constant<ragged, small_block>("ragged");
    check_constant<ragged, small_block, 1, 2>("ragged, steps of 1 and 2");
    check_constant<ragged, odd, 12, 7>("ragged, replicated");
    check_constant<pitched, fold_threads>("pitched");
    check_constant<columns, mfma>("columns");
    check_constant<columns, small_block, 3, 1>("columns, steps of 3 and 1");
    check_constant<view_gemm_a, fold_threads>("merged");
    check_constant<view_xor, odd, 1, 1>("xor");
    check_constant<window_lds, small_block>("xor of a tile");
    check_constant<view_im2col, fold_threads>("im2col");
    check_constant<view_im2col, odd, 5, 3>("im2col, odd tiles");
    check_constant<gather, odd>("gathered");
    check_constant<box, cube>("three dimensions");
    check_constant<thread_1, line>("a line");
    check_constant<thread_1, line, 1>("a line, steps of 1");
    check_run_time<run_matrix_1, run_matrix_2, small_block>("a matrix of run time", fold_matrix(29, 41, 50));
    check_run_time<window_run_1, window_run_2, fold_threads>("a matrix of run time, in vectors",
                                                             fold_matrix(201, 60, 64));
    check_run_time<run_im2col_1, run_im2col_2, small_block>("im2col of run time", fold_im2col(2, 4, 5, 6));
    check_run_time<run_im2col_1, run_im2col_2, odd, 1, 4>("im2col of run time, odd tiles", fold_im2col(1, 3, 9, 2));
    check_run_time<columns, columns_2, mfma>("columns of run time", column_major(31, 40));
    check_run_time<box, box_2, cube>("three dimensions of run time", packed_3(4, 4, 9));
    check_run_time<thread_1, thread_2, line>("a line of run time", threaded(9, 32));
    check_still();
    check_rest();
    std::printf("%d of %d wrong\n", bad, checks);
    return bad != 0;
}
