/* A tile window: a box of a tensor that a distribution deals out to threads. It loads, moves and stores. */
#include <string.h>

#include <tessera/text.h>
#include <tessera/tile.h>

enum { ROWS = 32, COLUMNS = 38, TILE_ROWS = 32, TILE_COLUMNS = 16, WARPS = 2, LANES = 32, HELD = 8 };

static int32_t a[ROWS * COLUMNS], b[ROWS * COLUMNS];

/** dist{R=();H=((2,2,8),(4,4));P=((1.1),(1.2,2.0));Y=(1.0,2.1)}: 2 rows of 4 elements a lane, 8 x 4 lanes a warp. */
static tsr_encoding deal(void)
{
    return tsr_encoding_of(tsr_unit(), tsr_t(tsr_t(2, WARPS, 8), tsr_t(4, 4)), tsr_t(tsr_t(1), tsr_t(1, 2)),
                           tsr_t(tsr_t(1), tsr_t(2, 0)), tsr_t(1, 2), tsr_t(0, 1));
}

static tsr_tensor_view matrix(int32_t *memory)
{
    int64_t const lengths[2] = {ROWS, COLUMNS};
    int32_t const invalid = -1;
    tsr_descriptor const d = tsr_make_naive_tensor_descriptor_packed(2, lengths, 2);
    return tsr_make_tensor_view(tsr_make_buffer_view_invalid(TSR_GMEM, memory, ROWS * COLUMNS, TSR_I32, &invalid), &d,
                                TSR_UPDATE_SET);
}

static void say_held(int column, int32_t const *held)
{
    printf("columns from %2d on, warp 0, lane 5:", column);
    for (int i = 0; i < HELD; ++i)
        printf("%5d%s", (int)held[i], i + 1 < HELD ? i % 4 == 3 ? " |" : "" : "\n");
}

/** How often the threads name each element of the tile: is it once? */
static bool covers_once(tsr_encoding const *e)
{
    int count[TILE_ROWS][TILE_COLUMNS] = {{0}};
    bool once = true;
    for (int64_t p[2] = {0, 0}; p[0] < WARPS; ++p[0])
        for (p[1] = 0; p[1] < LANES; ++p[1])
            for (int i = 0; i < HELD; ++i) {
                tsr_index const y = tsr_thread_buffer_index(e, i);
                tsr_index const x = tsr_distribution_x(e, p, y.at);
                ++count[x.at[0]][x.at[1]];
            }
    for (int i = 0; i < TILE_ROWS; ++i)
        for (int j = 0; j < TILE_COLUMNS; ++j)
            once = once && count[i][j] == 1;
    return once;
}

int main(void)
{
    int64_t const origin[2] = {0, 0}, right[2] = {0, TILE_COLUMNS};
    tsr_encoding const e = deal();
    tsr_tensor_view const from = matrix(a), to = matrix(b); /* (32,38):(38,1) */
    tsr_tile_window in = tsr_make_tile_window(&from, &e, origin), out = tsr_make_tile_window(&to, &e, origin);

    tsr_index const tile = tsr_x_lengths(&e), y = tsr_y_lengths(&e);
    printf("tile %d x %d, a thread holds %d x %d in %d accesses of %d\n", (int)tile.at[0], (int)tile.at[1],
           (int)y.at[0], (int)y.at[1], HELD / (int)in.width, (int)in.width);
    printf("thread and value to tile: ");
    tsr_print(stdout, tsr_distribution_tv_layout(&e));
    printf("all threads cover the tile %s\n", covers_once(&e) ? "once" : "wrongly");

    for (int i = 0; i < ROWS * COLUMNS; ++i)
        a[i] = i / COLUMNS * 100 + i % COLUMNS;

    /* What a grid of threads does at once is a loop here; each thread keeps its position in both windows. */
    static tsr_window_position reads[WARPS][LANES], writes[WARPS][LANES];
    for (int64_t p[2] = {0, 0}; p[0] < WARPS; ++p[0])
        for (p[1] = 0; p[1] < LANES; ++p[1]) {
            reads[p[0]][p[1]] = tsr_window_begin(&in, p);
            writes[p[0]][p[1]] = tsr_window_begin(&out, p);
        }
    for (int column = 0; column < COLUMNS; column += TILE_COLUMNS) { /* the last tile leaves the matrix */
        for (int warp = 0; warp < WARPS; ++warp)
            for (int lane = 0; lane < LANES; ++lane) {
                int32_t held[HELD]; /* (2,4):(4,1) */
                tsr_load_tile(&in, &reads[warp][lane], held);
                tsr_store_tile(&out, &writes[warp][lane], held);
                tsr_move_window_position(&in, &reads[warp][lane], right);
                tsr_move_window_position(&out, &writes[warp][lane], right);
                if (warp == 0 && lane == 5)
                    say_held(column, held);
            }
        tsr_move_tile_window(&in, right);
        tsr_move_tile_window(&out, right);
    }
    printf("the copy is %s\n", memcmp(a, b, sizeof a) == 0 ? "equal" : "different");
    return 0;
}
