/* What CK Tile costs on a CPU: moving a coordinate against making it anew, a descriptor against the layout it folds
 * to, and loading a tile through a window against loops written by hand. Every result is checked before it is timed.
 */
#include "tessera/tessera.h"
#include "tessera/tile/tile_window.h"
#include "timing.h"

/* Descriptors */

static tsr_link link_of(tsr_coord_transform t, int lows, int l0, int l1, int l2, int ups, int u0, int u1)
{
    tsr_link l;
    memset(&l, 0, sizeof l);
    l.transform = t;
    l.lows = (uint8_t)lows;
    l.ups = (uint8_t)ups;
    l.low[0] = (uint8_t)l0;
    l.low[1] = (uint8_t)l1;
    l.low[2] = (uint8_t)l2;
    l.up[0] = (uint8_t)u0;
    l.up[1] = (uint8_t)u1;
    return l;
}

static tsr_descriptor packed(int64_t a, int64_t b, int64_t vector)
{
    int64_t const length[2] = {a, b};
    return tsr_make_naive_tensor_descriptor_packed(2, length, vector);
}

/** An image of N x H x W x C as the matrix of a convolution: pad, embed, merge. */
static tsr_descriptor im2col(void)
{
    int64_t const length[4] = {2, 16, 16, 8}, window[2] = {3, 16}, steps[2] = {1, 1};
    int64_t const rows[3] = {2, 16, 16}, columns[3] = {3, 3, 8};
    tsr_link const pads[4] = {link_of(tsr_make_pass_through_transform(2), 1, 0, 0, 0, 1, 0, 0),
                              link_of(tsr_make_pad_transform(16, 1, 1), 1, 1, 0, 0, 1, 1, 0),
                              link_of(tsr_make_pad_transform(16, 1, 1), 1, 2, 0, 0, 1, 2, 0),
                              link_of(tsr_make_pass_through_transform(8), 1, 3, 0, 0, 1, 3, 0)};
    tsr_link const embeds[4] = {link_of(tsr_make_pass_through_transform(2), 1, 0, 0, 0, 1, 0, 0),
                                link_of(tsr_make_embed_transform(2, window, steps), 1, 1, 0, 0, 2, 1, 2),
                                link_of(tsr_make_embed_transform(2, window, steps), 1, 2, 0, 0, 2, 3, 4),
                                link_of(tsr_make_pass_through_transform(8), 1, 3, 0, 0, 1, 5, 0)};
    tsr_link const merges[2] = {link_of(tsr_make_merge_transform(3, rows), 3, 0, 2, 4, 1, 0, 0),
                                link_of(tsr_make_merge_transform(3, columns), 3, 1, 3, 5, 1, 1, 0)};
    tsr_descriptor d = tsr_make_naive_tensor_descriptor_packed(4, length, 8);
    d = tsr_transform_tensor_descriptor(d, 4, pads);
    d = tsr_transform_tensor_descriptor(d, 4, embeds);
    return tsr_transform_tensor_descriptor(d, 2, merges);
}

/** The A tile of a GEMM in shared memory, K0 x M x K1 with a pitch, as M x K. */
static tsr_descriptor gemm_a(void)
{
    int64_t const length[3] = {4, 128, 8}, stride[3] = {1032, 8, 1}, k[2] = {4, 8};
    tsr_link const merges[2] = {link_of(tsr_make_pass_through_transform(128), 1, 1, 0, 0, 1, 0, 0),
                                link_of(tsr_make_merge_transform(2, k), 2, 0, 2, 0, 1, 1, 0)};
    tsr_descriptor const d = tsr_make_naive_tensor_descriptor(3, length, stride, tsr_make_vector(8, 1));
    return tsr_transform_tensor_descriptor(d, 2, merges);
}

/** The same without a pitch, behind a xor. */
static tsr_descriptor gemm_a_xor(void)
{
    int64_t const length[3] = {128, 4, 8}, k[2] = {4, 8};
    tsr_link const xors[2] = {link_of(tsr_make_xor_transform(128, 4), 2, 0, 1, 0, 2, 0, 1),
                              link_of(tsr_make_pass_through_transform(8), 1, 2, 0, 0, 1, 2, 0)};
    tsr_link const merges[2] = {link_of(tsr_make_pass_through_transform(128), 1, 0, 0, 0, 1, 0, 0),
                                link_of(tsr_make_merge_transform(2, k), 2, 1, 2, 0, 1, 1, 0)};
    tsr_descriptor d = tsr_make_naive_tensor_descriptor_packed(3, length, 8);
    d = tsr_transform_tensor_descriptor(d, 2, xors);
    return tsr_transform_tensor_descriptor(d, 2, merges);
}

typedef struct subject {
    char const *name;
    tsr_descriptor d;
    tsr_folded fold;
    tsr_coordinate_step right, down;
} subject;

enum { SUBJECTS = 4, WALKS = 5, ROWS = 32, COLUMNS = 32 };

static subject subjects[SUBJECTS];

/* A walk over 32 x 32 indices, row by row: the sum of offsets */

static BENCH_NOINLINE int64_t walk_made(subject const *s)
{
    int64_t sum = 0;
    for (int64_t x[2] = {0, 0}; x[0] < ROWS; ++x[0])
        for (x[1] = 0; x[1] < COLUMNS; ++x[1])
            sum += tsr_make_tensor_coordinate(&s->d, x).hidden[0];
    return sum;
}

static BENCH_NOINLINE int64_t walk_moved(subject const *s)
{
    int64_t const zero[2] = {0, 0}, right[2] = {0, 1}, down[2] = {1, -COLUMNS};
    tsr_coordinate c = tsr_make_tensor_coordinate(&s->d, zero);
    int64_t sum = 0;
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < COLUMNS; ++j) {
            sum += tsr_coordinate_offset(&c);
            tsr_move_tensor_coordinate(&s->d, &c, right);
        }
        tsr_move_tensor_coordinate(&s->d, &c, down);
    }
    return sum;
}

/** The same by steps that are made once. */
static BENCH_NOINLINE int64_t walk_stepped(subject const *s)
{
    int64_t const zero[2] = {0, 0};
    tsr_coordinate c = tsr_make_tensor_coordinate(&s->d, zero);
    int64_t sum = 0;
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < COLUMNS; ++j) {
            sum += tsr_coordinate_offset(&c);
            tsr_step_tensor_coordinate(&s->d, &c, &s->right);
        }
        tsr_step_tensor_coordinate(&s->d, &c, &s->down);
    }
    return sum;
}

/** The same in runs: offsets that go on evenly are summed by a plain loop. */
static BENCH_NOINLINE int64_t walk_runs(subject const *s)
{
    int64_t const zero[2] = {0, 0};
    tsr_coordinate c = tsr_make_tensor_coordinate(&s->d, zero);
    int64_t sum = 0;
    for (int i = 0; i < ROWS; ++i) {
        for (int64_t left = COLUMNS; left > 0;) {
            tsr_coordinate_run const run = tsr_make_coordinate_run(&s->d, &c, &s->right, left);
            int64_t offset = tsr_coordinate_offset(&c);
            for (int64_t k = 0; k < run.count; ++k, offset += run.stride)
                sum += offset;
            tsr_run_tensor_coordinate(&s->d, &c, &s->right, run);
            left -= run.count;
        }
        tsr_step_tensor_coordinate(&s->d, &c, &s->down);
    }
    return sum;
}

static BENCH_NOINLINE int64_t walk_folded(subject const *s)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < ROWS; ++i)
        for (int64_t j = 0; j < COLUMNS; ++j)
            sum += s->fold.base + tsr_at_coord(s->fold.layout, tsr_t(i, j));
    return sum;
}

static void run_made(bench_case const *self, int64_t times)
{
    for (int64_t t = 0; t < times; t += ROWS * COLUMNS)
        bench_sink = walk_made((subject const *)self->data);
}

static void run_moved(bench_case const *self, int64_t times)
{
    for (int64_t t = 0; t < times; t += ROWS * COLUMNS)
        bench_sink = walk_moved((subject const *)self->data);
}

static void run_stepped(bench_case const *self, int64_t times)
{
    for (int64_t t = 0; t < times; t += ROWS * COLUMNS)
        bench_sink = walk_stepped((subject const *)self->data);
}

static void run_runs(bench_case const *self, int64_t times)
{
    for (int64_t t = 0; t < times; t += ROWS * COLUMNS)
        bench_sink = walk_runs((subject const *)self->data);
}

static void run_folded(bench_case const *self, int64_t times)
{
    for (int64_t t = 0; t < times; t += ROWS * COLUMNS)
        bench_sink = walk_folded((subject const *)self->data);
}

/* A tile of 128 x 32 floats, 256 threads of 2 x 8 each, out of a matrix of 256 x 256 */

enum { SIDE = 256, THREADS = 256, THREAD_ELEMENTS = 16, TILE_ELEMENTS = 128 * 32 };

typedef struct tile {
    tsr_tile_window window;
    tsr_window_position position[THREADS];
    float matrix[SIDE * SIDE], buffer[THREADS][THREAD_ELEMENTS];
} tile;

static tile tiles[3]; /* planned, plain, and padded on the right */

static void open_tile(tile *t, bool padded, bool planned)
{
    int64_t const origin[2] = {32, 64}, box[2] = {SIDE, SIDE + 8};
    bool const pads[2] = {false, true};
    tsr_encoding_lists l;
    memset(&l, 0, sizeof l);
    l.xs = l.ps = 2;
    l.r.rank = 1;
    l.r.at[0] = 1;
    l.h[0].rank = 3;
    l.h[0].at[0] = 2;
    l.h[0].at[1] = 4;
    l.h[0].at[2] = 16;
    l.h[1].rank = 2;
    l.h[1].at[0] = 4;
    l.h[1].at[1] = 8;
    l.p[0].count = 1;
    l.p[0].at[0] = (tsr_place){1, 1};
    l.p[1].count = 2;
    l.p[1].at[0] = (tsr_place){1, 2};
    l.p[1].at[1] = (tsr_place){2, 0};
    l.y.count = 2;
    l.y.at[0] = (tsr_place){1, 0};
    l.y.at[1] = (tsr_place){2, 1};
    tsr_encoding const e = tsr_make_tile_distribution_encoding(&l);
    tsr_descriptor const d = packed(SIDE, SIDE, 8);
    for (int i = 0; i < SIDE * SIDE; ++i)
        t->matrix[i] = (float)i;
    tsr_tensor_view v =
        tsr_make_tensor_view(tsr_make_buffer_view(TSR_GMEM, t->matrix, SIDE * SIDE, TSR_F32), &d, TSR_UPDATE_SET);
    if (padded)
        v = tsr_pad_tensor_view(v, box, pads);
    t->window = tsr_make_tile_window(&v, &e, origin);
    if (planned)
        tsr_tile_window_plan(&t->window);
    for (int64_t p[2] = {0, 0}; p[0] < 4; ++p[0])
        for (p[1] = 0; p[1] < 64; ++p[1])
            t->position[p[0] * 64 + p[1]] = tsr_window_begin(&t->window, p);
}

/** Positions stay from tile to tile, as they do in a kernel. */
static BENCH_NOINLINE void load_window(tile *t)
{
    for (int i = 0; i < THREADS; ++i)
        tsr_load_tile(&t->window, &t->position[i], t->buffer[i]);
}

static BENCH_NOINLINE void load_by_hand(tile *t)
{
    for (int warp = 0; warp < 4; ++warp)
        for (int lane = 0; lane < 64; ++lane)
            for (int i = 0; i < 2; ++i) {
                int const row = 32 + i * 64 + warp * 16 + lane / 4, column = 64 + lane % 4 * 8;
                memcpy(&t->buffer[warp * 64 + lane][i * 8], &t->matrix[row * SIDE + column], 8 * sizeof(float));
            }
}

static void run_window(bench_case const *self, int64_t times)
{
    for (int64_t i = 0; i < times; i += TILE_ELEMENTS)
        load_window((tile *)self->data);
}

static void run_by_hand(bench_case const *self, int64_t times)
{
    for (int64_t i = 0; i < times; i += TILE_ELEMENTS)
        load_by_hand((tile *)self->data);
}

static bool check_tile(tile *t)
{
    static float wanted[THREADS][THREAD_ELEMENTS];
    load_by_hand(t);
    memcpy(wanted, t->buffer, sizeof wanted);
    memset(t->buffer, 0, sizeof t->buffer);
    load_window(t);
    return memcmp(wanted, t->buffer, sizeof wanted) == 0;
}

int main(void)
{
    static bench_case walks[WALKS * SUBJECTS], loads[4];
    int bad = 0;
    bench_print_machine();
    printf("%d bytes a descriptor, %d a coordinate, %d a window\n", (int)sizeof(tsr_descriptor),
           (int)sizeof(tsr_coordinate), (int)sizeof(tsr_tile_window));
    subjects[0] = (subject){.name = "packed", .d = packed(256, 256, 0)};
    subjects[1] = (subject){.name = "GEMM A tile", .d = gemm_a()};
    subjects[2] = (subject){.name = "GEMM A tile, xor", .d = gemm_a_xor()};
    subjects[3] = (subject){.name = "im2col", .d = im2col()};
    for (int i = 0; i < SUBJECTS; ++i) {
        subject *const s = &subjects[i];
        s->fold = tsr_fold(&s->d);
        bool const folds = s->fold.kind == TSR_FOLDED;
        int64_t const right[2] = {0, 1}, down[2] = {1, -COLUMNS};
        s->right = tsr_make_coordinate_step(&s->d, right);
        s->down = tsr_make_coordinate_step(&s->d, down);
        bad += walk_made(s) != walk_moved(s) || walk_made(s) != walk_stepped(s) || walk_made(s) != walk_runs(s)
               || (folds && walk_made(s) != walk_folded(s));
        walks[WALKS * i].run = run_made;
        walks[WALKS * i + 1].run = run_moved;
        walks[WALKS * i + 2].run = run_stepped;
        walks[WALKS * i + 3].run = run_runs;
        walks[WALKS * i + 4].run = folds ? run_folded : run_moved;
        for (int k = 0; k < WALKS; ++k)
            walks[WALKS * i + k].data = s;
    }
    open_tile(&tiles[0], false, true);
    open_tile(&tiles[1], false, false);
    open_tile(&tiles[2], true, false);
    for (int i = 0; i < 3; ++i)
        bad += !check_tile(&tiles[i]);
    bad += tiles[0].window.place != TSR_TILE_INSIDE;
    if (bad) {
        printf("%d results are wrong, nothing is timed\n", bad);
        return 1;
    }
    for (int i = 0; i < 3; ++i) {
        loads[i].run = run_window;
        loads[i].data = &tiles[i];
    }
    loads[3].run = run_by_hand;
    loads[3].data = &tiles[0];
    bench_measure(walks, WALKS * SUBJECTS, 8 * ROWS * COLUMNS);
    bench_measure(loads, 4, 4 * TILE_ELEMENTS);
    for (int i = 0; i < SUBJECTS; ++i) {
        bench_case const *const w = &walks[WALKS * i];
        printf("%-18s make %6.1f ns, move %6.1f ns, step %6.1f ns, in runs %6.1f ns", subjects[i].name,
               bench_median(w), bench_median(w + 1), bench_median(w + 2), bench_median(w + 3));
        if (w[4].run == run_folded)
            printf(", folded %6.1f ns", bench_median(w + 4));
        printf(" an offset\n");
    }
    printf("a load by each thread %5.2f ns an element planned, %5.2f ns not, %5.2f ns padded; by hand %5.2f ns\n",
           bench_median(&loads[0]), bench_median(&loads[1]), bench_median(&loads[2]), bench_median(&loads[3]));
    return 0;
}
