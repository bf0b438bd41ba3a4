/* Loading tiles through planned windows against loops written by hand over the same memory, for several layouts of
 * memory, distributions and element sizes, all threads of a tile in one call. The loops know every number when they
 * are compiled, the plan none of them.
 * Every result is checked before it is timed.
 */
#include "tessera/tile/tile_window.h"
#include "timing.h"

enum { SIDE = 256, TILE = 64 * 64, LDS_ROWS = 128, LDS_ROW = 32 };

static _Alignas(64) unsigned char memory[SIDE * SIDE * 4], buffers[TILE * 4], wanted[TILE * 4];

/* Distributions */

typedef struct deal {
    int64_t h[2][3];
    int rank[2];
    tsr_places p[2], y;
} deal;

/** 128 x 32: 4 warps of 16 x 4 lanes, 2 x 8 elements each. */
static deal const block = {
    {{2, 4, 16}, {4, 8}}, {3, 2}, {{1, {{1, 1}}}, {2, {{1, 2}, {2, 0}}}}, {2, {{1, 0}, {2, 1}}}};
/** 32 x 32: an accumulator of a 32 x 32 MFMA, 64 lanes of 4 x 4 elements of a column. */
static deal const mfma = {{{4, 2, 4}, {32}}, {3, 1}, {{0, {{0}}}, {2, {{1, 1}, {2, 0}}}}, {2, {{1, 0}, {1, 2}}}};
/** 64 x 64: one thread, all of it. */
static deal const single = {{{64}, {64}}, {1, 1}, {{0, {{0}}}, {0, {{0}}}}, {2, {{1, 0}, {2, 0}}}};

static tsr_encoding encoding_of(deal const *d)
{
    tsr_encoding_lists l = TSR_ZERO;
    l.xs = l.ps = 2;
    for (int x = 0; x < 2; ++x) {
        l.h[x].rank = (uint8_t)d->rank[x];
        memcpy(l.h[x].at, d->h[x], sizeof d->h[x]);
        l.p[x] = d->p[x];
    }
    l.y = d->y;
    return tsr_make_tile_distribution_encoding(&l);
}

/* By hand: every number is a constant where these are called */

#define HAND static inline __attribute__((always_inline)) void

/** The block over rows of SIDE elements; columns from `valid` on are padding. */
HAND hand_block(int row0, int column0, int valid, int bytes)
{
    for (int warp = 0; warp < 4; ++warp)
        for (int lane = 0; lane < 64; ++lane)
            for (int i = 0; i < 2; ++i) {
                int const row = row0 + i * 64 + warp * 16 + lane / 4, column = column0 + lane % 4 * 8;
                unsigned char *const to = &buffers[((warp * 64 + lane) * 16 + i * 8) * bytes];
                unsigned char const *const from = &memory[(row * SIDE + column) * bytes];
                int const n = valid - column;
                if (n >= 8) {
                    memcpy(to, from, 8 * (size_t)bytes);
                    continue;
                }
                for (int k = 0; k < 8; ++k) {
                    if (k < n)
                        memcpy(to + k * bytes, from + k * bytes, (size_t)bytes);
                    else
                        memset(to + k * bytes, 0, (size_t)bytes);
                }
            }
}

/** The block over columns of SIDE elements. */
HAND hand_columns(int row0, int column0, int bytes)
{
    for (int warp = 0; warp < 4; ++warp)
        for (int lane = 0; lane < 64; ++lane)
            for (int i = 0; i < 2; ++i)
                for (int k = 0; k < 8; ++k) {
                    int const row = row0 + i * 64 + warp * 16 + lane / 4, column = column0 + lane % 4 * 8 + k;
                    memcpy(&buffers[((warp * 64 + lane) * 16 + i * 8 + k) * bytes],
                           &memory[(column * SIDE + row) * bytes], (size_t)bytes);
                }
}

/** The block out of shared memory, groups of 8 elements xored with the row. */
HAND hand_xor(int bytes)
{
    for (int warp = 0; warp < 4; ++warp)
        for (int lane = 0; lane < 64; ++lane)
            for (int i = 0; i < 2; ++i) {
                int const row = i * 64 + warp * 16 + lane / 4, group = lane % 4 ^ row % 4;
                memcpy(&buffers[((warp * 64 + lane) * 16 + i * 8) * bytes],
                       &memory[(row * LDS_ROW + group * 8) * bytes], 8 * (size_t)bytes);
            }
}

HAND hand_mfma(int row0, int column0, int bytes)
{
    for (int lane = 0; lane < 64; ++lane)
        for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 4; ++k) {
                int const row = row0 + i * 8 + lane / 32 * 4 + k, column = column0 + lane % 32;
                memcpy(&buffers[(lane * 16 + i * 4 + k) * bytes], &memory[(row * SIDE + column) * bytes],
                       (size_t)bytes);
            }
}

HAND hand_single(int row0, int column0, int bytes)
{
    for (int i = 0; i < 64; ++i)
        memcpy(&buffers[i * 64 * bytes], &memory[((row0 + i) * SIDE + column0) * bytes], 64 * (size_t)bytes);
}

/* Descriptors */

typedef enum kind { ROWS, COLUMNS, PADDED, XOR } kind;

static tsr_descriptor describe(kind k)
{
    int64_t const side[2] = {SIDE, SIDE}, strides[2] = {1, SIDE}, lds[3] = {LDS_ROWS, 4, 8}, groups[2] = {4, 8};
    tsr_link l[2];
    memset(l, 0, sizeof l);
    if (k == ROWS)
        return tsr_make_naive_tensor_descriptor_packed(2, side, 8);
    if (k == COLUMNS)
        return tsr_make_naive_tensor_descriptor(2, side, strides, tsr_no_vector());
    l[0].lows = l[0].ups = l[1].lows = l[1].ups = 1;
    l[1].low[0] = l[1].up[0] = 1;
    if (k == PADDED) {
        l[0].transform = tsr_make_pass_through_transform(SIDE);
        l[1].transform = tsr_make_right_pad_transform(SIDE, 32);
        return tsr_transform_tensor_descriptor(tsr_make_naive_tensor_descriptor_packed(2, side, 8), 2, l);
    }
    tsr_link m[2];
    memcpy(m, l, sizeof m);
    l[0].transform = tsr_make_xor_transform(LDS_ROWS, 4);
    l[0].lows = l[0].ups = 2;
    l[0].low[1] = l[0].up[1] = 1;
    l[1].transform = tsr_make_pass_through_transform(8);
    l[1].low[0] = l[1].up[0] = 2;
    m[0].transform = tsr_make_pass_through_transform(LDS_ROWS);
    m[1].transform = tsr_make_merge_transform(2, groups);
    m[1].lows = 2;
    m[1].low[1] = 2;
    tsr_descriptor const d =
        tsr_transform_tensor_descriptor(tsr_make_naive_tensor_descriptor_packed(3, lds, 8), 2, l);
    return tsr_transform_tensor_descriptor(d, 2, m);
}

/* X(name, memory, distribution, type, bytes, row, column, by hand) */
#define LOADS(X)                                                              \
  X(rows_f32, ROWS, block, F32, 4, 32, 64, hand_block(32, 64, SIDE, 4))       \
  X(rows_f16, ROWS, block, F16, 2, 32, 64, hand_block(32, 64, SIDE, 2))       \
  X(rows_i8, ROWS, block, I8, 1, 32, 64, hand_block(32, 64, SIDE, 1))         \
  X(columns_f32, COLUMNS, block, F32, 4, 32, 64, hand_columns(32, 64, 4))     \
  X(columns_f16, COLUMNS, block, F16, 2, 32, 64, hand_columns(32, 64, 2))     \
  X(columns_i8, COLUMNS, block, I8, 1, 32, 64, hand_columns(32, 64, 1))       \
  X(padded_f32, PADDED, block, F32, 4, 32, 236, hand_block(32, 236, SIDE, 4)) \
  X(padded_i8, PADDED, block, I8, 1, 32, 236, hand_block(32, 236, SIDE, 1))   \
  X(xor_f32, XOR, block, F32, 4, 0, 0, hand_xor(4))                           \
  X(xor_f16, XOR, block, F16, 2, 0, 0, hand_xor(2))                           \
  X(mfma_f32, ROWS, mfma, F32, 4, 32, 64, hand_mfma(32, 64, 4))               \
  X(mfma_f16, ROWS, mfma, F16, 2, 32, 64, hand_mfma(32, 64, 2))               \
  X(single_f32, ROWS, single, F32, 4, 32, 64, hand_single(32, 64, 4))         \
  X(single_i8, ROWS, single, I8, 1, 32, 64, hand_single(32, 64, 1))

static BENCH_NOINLINE void load(tsr_tile_window const *w) { tsr_load_block_tile(w, buffers); }

#define X(n, k, d, t, b, row, column, hand) \
  static BENCH_NOINLINE void n##_by_hand(void) { hand; }
LOADS(X)
#undef X

typedef struct subject {
    char const *name;
    kind memory;
    deal const *deal;
    tsr_dtype type;
    int bytes;
    int64_t origin[2];
    void (*by_hand)(void);
    tsr_tile_window window;
} subject;

static subject subjects[] = {
#define X(n, k, d, t, b, row, column, hand) \
  {.name = #n, .memory = k, .deal = &d, .type = TSR_##t, .bytes = b, .origin = {row, column}, .by_hand = n##_by_hand},
    LOADS(X)
#undef X
};

enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static void run_window(bench_case const *self, int64_t times)
{
    for (int64_t i = 0; i < times; ++i)
        load(&((subject const *)self->data)->window);
}

static void run_by_hand(bench_case const *self, int64_t times)
{
    for (int64_t i = 0; i < times; ++i)
        ((subject const *)self->data)->by_hand();
}

/** Opens the window; false when it is not planned or loads something else. */
static bool open_subject(subject *s)
{
    tsr_encoding const e = encoding_of(s->deal);
    tsr_descriptor const d = describe(s->memory);
    tsr_tensor_view const v =
        tsr_make_tensor_view(tsr_make_buffer_view(TSR_GMEM, memory, d.graph.length[0], s->type), &d, TSR_UPDATE_SET);
    s->window = tsr_make_tile_window(&v, &e, s->origin);
    tsr_tile_window_plan(&s->window);
    memset(buffers, 0, sizeof buffers);
    s->by_hand();
    memcpy(wanted, buffers, sizeof wanted);
    memset(buffers, 0, sizeof buffers);
    load(&s->window);
    return s->window.place != TSR_TILE_BY_GRAPH && memcmp(wanted, buffers, sizeof wanted) == 0;
}

int main(void)
{
    static bench_case cases[2 * SUBJECTS];
    int bad = 0;
    bench_print_machine();
    for (size_t i = 0; i < sizeof memory; ++i)
        memory[i] = (unsigned char)(i * 7 + i / 251);
    for (int i = 0; i < SUBJECTS; ++i) {
        bool const right = open_subject(&subjects[i]);
        bad += !right;
        if (!right)
            printf("%s is wrong or not planned\n", subjects[i].name);
        cases[2 * i] = (bench_case){.run = run_window, .data = &subjects[i]};
        cases[2 * i + 1] = (bench_case){.run = run_by_hand, .data = &subjects[i]};
    }
    if (bad) {
        printf("%d results are wrong, nothing is timed\n", bad);
        return 1;
    }
    bench_measure(cases, 2 * SUBJECTS, 100);
    for (int i = 0; i < SUBJECTS; ++i) {
        double const ours = bench_median(&cases[2 * i]), hand = bench_median(&cases[2 * i + 1]);
        printf("%-12s window %7.1f ns, by hand %7.1f ns a tile, ratio %4.2f\n", subjects[i].name, ours, hand,
               ours / hand);
    }
    return 0;
}
