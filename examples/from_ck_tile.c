/* The sum of each row, ported from CK Tile's example 05_reduce: windows of 128 x 128 over 256 threads, sums within a
 * thread, then across lanes. Its sizes are multiples of the block, and these are not. In a kernel the loops over t are
 * its threads. */
#include <string.h>

#include <tessera/text.h>
#include <tessera/tile.h>

enum { M = 200, N = 300, BLOCK = 128, WARPS = 4, LANES = 64, THREADS = WARPS * LANES, HELD = 64, SUMS = 8 };

/** CK Tile's six sequences, as they are in its template. */
static tsr_encoding deal(void)
{
    return tsr_encoding_of(tsr_unit(),                                       /* R */
                           tsr_t(tsr_t(1, WARPS, 4, 8), tsr_t(1, 1, 16, 8)), /* H: repeat, warps, lanes, elements */
                           tsr_t(tsr_t(1, 2), tsr_t(1, 2)), tsr_t(tsr_t(1, 1), tsr_t(2, 2)), /* P: warp, lane */
                           tsr_t(1, 1, 2, 2), tsr_t(0, 3, 0, 3));                            /* Y */
}

/** The rows of the block at m0 of A become elements of B. */
static tsr_reason reduce(tsr_tensor_view const *A, tsr_tensor_view const *B, tsr_encoding const *e, int64_t m0)
{
    static uint16_t held[THREADS][HELD], out[THREADS][SUMS];
    static float wide[HELD], sum[THREADS][SUMS];
    uint32_t const columns = 1u << 1;
    tsr_encoding const rows = tsr_make_reduce_tile_distribution_encoding(e, columns);
    int64_t const begin[2] = {m0, 0}, step[2] = {0, BLOCK};
    tsr_tile_window a = tsr_make_tile_window(A, e, begin);
    tsr_tile_window const b = tsr_make_tile_window(B, &rows, begin);
    tsr_distributed_tensor const x = tsr_make_static_distributed_tensor(e, wide, TSR_F32);
    tsr_reason why = tsr_window_why(&a);
    memset(sum, 0, sizeof sum);
    for (int n = 0; n < N && tsr_ok(why); n += BLOCK, tsr_move_tile_window(&a, step)) {
        tsr_load_block_tile(&a, held);
        for (int t = 0; t < THREADS && tsr_ok(why); ++t) {
            tsr_distributed_tensor const h = tsr_make_static_distributed_tensor(e, held[t], TSR_F16);
            tsr_distributed_tensor const s = tsr_make_static_distributed_tensor(&rows, sum[t], TSR_F32);
            why = tsr_cast_tile(&h, &x);
            if (tsr_ok(why))
                why = tsr_block_tile_reduce(&x, &s, columns, TSR_UPDATE_ADD);
        }
    }
    if (tsr_ok(why))
        why = tsr_block_tile_reduce_sync(&rows, 1, TSR_UPDATE_ADD, TSR_F32, sum); /* P 1: the lanes */
    for (int t = 0; t < THREADS && tsr_ok(why); ++t) {
        tsr_distributed_tensor const s = tsr_make_static_distributed_tensor(&rows, sum[t], TSR_F32);
        tsr_distributed_tensor const h = tsr_make_static_distributed_tensor(&rows, out[t], TSR_F16);
        why = tsr_cast_tile(&s, &h);
    }
    if (tsr_ok(why))
        tsr_store_block_tile(&b, out);
    return why;
}

int main(void)
{
    static uint16_t a[M][N], b[M];
    for (int i = 0; i < M * N; ++i)
        tsr_store(TSR_F16, &a[i / N][i % N], 0, tsr_number_int(i % 11 - 5));
    tsr_encoding const e = deal();
    tsr_tensor_view const A =
        tsr_make_naive_tensor_view(TSR_GMEM, tsr_make_ptr((void *)a, TSR_F16), tsr_t(M, N), tsr_t(N, 1), 4, 1);
    tsr_tensor_view const B =
        tsr_make_naive_tensor_view_packed(TSR_GMEM, tsr_make_ptr((void *)b, TSR_F16), tsr_t(M), 1);
    tsr_print(stdout, tsr_distribution_tv_layout(&e));
    for (int64_t m = 0; m < M; m += BLOCK) {
        tsr_reason const why = reduce(&A, &B, &e, m);
        if (!tsr_ok(why)) {
            tsr_explain(stdout, why);
            return 1;
        }
    }
    int wrong = 0;
    for (int m = 0; m < M; ++m) {
        int sum = 0;
        for (int n = 0; n < N; ++n)
            sum += (m * N + n) % 11 - 5;
        wrong += tsr_number_to_double(tsr_load(TSR_F16, &b[m], 0)) != (double)sum;
    }
    printf("%d x %d: %d of %d sums differ from the loops\n", M, N, wrong, M);
    return wrong != 0;
}
