/* GEMM in blocks, C = A B, on ragged sizes: A goes through shared memory behind a xor, dealt out to 64 threads. */
#include <tessera/text.h>
#include <tessera/tile.h>

enum { M = 50, N = 37, K = 45, BLOCK_M = 32, BLOCK_N = 16, BLOCK_K = 16, WARPS = 2, LANES = 32, HELD = 8 };

static int32_t a[M][K], b[K][N], c[M][N], lds[BLOCK_M * BLOCK_K];

/** dist{R=();H=((2,2,8),(4,4));P=((1.1),(1.2,2.0));Y=(1.0,2.1)}: 32 x 16, for tiles of A and of C. */
static tsr_encoding deal(void)
{
    return tsr_encoding_of(tsr_unit(), tsr_t(tsr_t(2, WARPS, 8), tsr_t(4, 4)), tsr_t(tsr_t(1), tsr_t(1, 2)),
                           tsr_t(tsr_t(1), tsr_t(2, 0)), tsr_t(1, 2), tsr_t(0, 1));
}

static tsr_link link_of(tsr_coord_transform t, int l0, int u0)
{
    tsr_link l = TSR_ZERO;
    l.transform = t;
    l.lows = t.lows;
    l.ups = t.ups;
    for (int i = 0; i < t.lows; ++i)
        l.low[i] = (uint8_t)(l0 + i);
    for (int i = 0; i < t.ups; ++i)
        l.up[i] = (uint8_t)(u0 + i);
    return l;
}

/** The tile of A: groups of 4 elements, group g of row m at g ^ m % 4, so that rows begin in different banks. */
static tsr_descriptor lds_tile(void)
{
    int64_t const lengths[3] = {BLOCK_M, BLOCK_K / 4, 4}, k[2] = {BLOCK_K / 4, 4};
    tsr_link const xors[2] = {link_of(tsr_make_xor_transform(BLOCK_M, BLOCK_K / 4), 0, 0),
                              link_of(tsr_make_pass_through_transform(4), 2, 2)};
    tsr_link const merges[2] = {link_of(tsr_make_pass_through_transform(BLOCK_M), 0, 0),
                                link_of(tsr_make_merge_transform(2, k), 1, 1)};
    tsr_descriptor d = tsr_make_naive_tensor_descriptor_packed(3, lengths, 4); /* (32,4,4):(16,4,1) */
    d = tsr_transform_tensor_descriptor(d, 2, xors);                           /* (32,4,4) */
    return tsr_transform_tensor_descriptor(d, 2, merges);                      /* (32,16) */
}

static tsr_tensor_view matrix(void *memory, int64_t rows, int64_t columns)
{
    int64_t const lengths[2] = {rows, columns};
    tsr_descriptor const d = tsr_make_naive_tensor_descriptor_packed(2, lengths, 1);
    return tsr_make_tensor_view(tsr_make_buffer_view(TSR_GMEM, memory, rows * columns, TSR_I32), &d, TSR_UPDATE_SET);
}

static int32_t get(tsr_tensor_view const *v, int64_t i, int64_t j)
{
    int64_t const index[2] = {i, j};
    int32_t x = 0;
    tsr_view_get(v, index, &x);
    return x;
}

/** sum over k of tile(m,k) B(k0+k,n) */
static int32_t dot(tsr_tensor_view const *tile, tsr_tensor_view const *B, int64_t m, int64_t n, int64_t k0)
{
    int32_t sum = 0;
    for (int64_t k = 0; k < BLOCK_K; ++k)
        sum += get(tile, m, k) * get(B, k0 + k, n);
    return sum;
}

/** The tile at (m0,n0) of C. In a kernel the loops over p are its threads, with a barrier after each. */
static void block(tsr_encoding const *e, tsr_tensor_view const *A, tsr_tensor_view const *B, tsr_tensor_view const *C,
                  tsr_tensor_view const *tile, int64_t m0, int64_t n0)
{
    int64_t const zero[2] = {0, 0}, at_a[2] = {m0, 0}, at_c[2] = {m0, n0}, step[2] = {0, BLOCK_K};
    tsr_tile_window from = tsr_make_tile_window(A, e, at_a);
    tsr_tile_window const into = tsr_make_tile_window(tile, e, zero), out = tsr_make_tile_window(C, e, at_c);
    int32_t sum[WARPS][LANES][HELD] = {{{0}}}, held[HELD];

    for (int64_t k0 = 0; k0 < K; k0 += BLOCK_K, tsr_move_tile_window(&from, step)) {
        for (int64_t p[2] = {0, 0}; p[0] < WARPS; ++p[0]) /* A to shared memory; outside it is zero */
            for (p[1] = 0; p[1] < LANES; ++p[1]) {
                tsr_window_position const read = tsr_window_begin(&from, p), write = tsr_window_begin(&into, p);
                tsr_load_tile(&from, &read, held);
                tsr_store_tile(&into, &write, held);
            }
        for (int64_t p[2] = {0, 0}; p[0] < WARPS; ++p[0])
            for (p[1] = 0; p[1] < LANES; ++p[1])
                for (int i = 0; i < HELD; ++i) {
                    tsr_index const y = tsr_thread_buffer_index(e, i);
                    tsr_index const x = tsr_distribution_x(e, p, y.at);
                    sum[p[0]][p[1]][i] += dot(tile, B, x.at[0], n0 + x.at[1], k0);
                }
    }
    for (int64_t p[2] = {0, 0}; p[0] < WARPS; ++p[0]) /* what is outside C is not written */
        for (p[1] = 0; p[1] < LANES; ++p[1]) {
            tsr_window_position const write = tsr_window_begin(&out, p);
            tsr_store_tile(&out, &write, sum[p[0]][p[1]]);
        }
}

int main(void)
{
    int wrong = 0;
    for (int i = 0; i < M * K; ++i)
        a[i / K][i % K] = i % 13 - 6;
    for (int i = 0; i < K * N; ++i)
        b[i / N][i % N] = i % 7 - 3;
    tsr_encoding const e = deal();
    tsr_descriptor const d = lds_tile();
    tsr_tensor_view const A = matrix(a, M, K), B = matrix(b, K, N), C = matrix(c, M, N);
    tsr_tensor_view const tile = tsr_make_tensor_view(tsr_make_buffer_view(TSR_SMEM, lds, BLOCK_M * BLOCK_K, TSR_I32),
                                                      &d, TSR_UPDATE_SET); /* (32,16) */
    printf("the tile of A in shared memory: ");
    tsr_print(stdout, tsr_fold(&d).layout);

    for (int64_t m = 0; m < M; m += BLOCK_M)
        for (int64_t n = 0; n < N; n += BLOCK_N)
            block(&e, &A, &B, &C, &tile, m, n);

    for (int m = 0; m < M; ++m)
        for (int n = 0; n < N; ++n) {
            int32_t sum = 0;
            for (int k = 0; k < K; ++k)
                sum += a[m][k] * b[k][n];
            wrong += c[m][n] != sum;
        }
    printf("%d x %d x %d: %d of %d results differ from the loops\n", M, N, K, wrong, M * N);
    return wrong != 0;
}
