/* Two helpers of Triton, ported. The scales of mxfp4 for Hopper (triton_kernels, hopper_scale.py) are padded, reshaped
 * to seven dimensions and permuted: that is one layout, and a copy goes either way. tl.swizzle2d takes blocks in groups
 * of rows, the last of which may have fewer: that is a layout for the groups and one for the last. */
#include <tessera/text.h>

#include <tessera/names.h>

enum { M = 100, K = 5, WARPS = 4, ROWS = 128 /* a multiple of 32 * WARPS */, COLUMNS = 6 /* even */ };

/** Of the padded scales: (m,k) to the place. */
static tsr_layout swizzled(int rows, int columns, int warps)
{
    tsr_tuple const stored = tsr_t(rows / (32 * warps), warps, columns / 2, 2, 8, 2, 2); /* the last one is fastest */
    return tsr_select(tsr_make_layout(stored, tsr_right()), tsr_t(4, 6, 1, 3, 0), tsr_t(5, 2));
}

/** The same by the digits of m and k, the slowest first, as Triton's reshape and permute leave them. */
static int place_of(int m, int k)
{
    int const digit[] = {m / (32 * WARPS), m / 16 % WARPS, k / 2, m / (16 * WARPS) % 2, m % 8, k % 2, m / 8 % 2};
    int const extent[] = {ROWS / (32 * WARPS), WARPS, COLUMNS / 2, 2, 8, 2, 2};
    int place = 0;
    for (int i = 0; i < 7; ++i)
        place = place * extent[i] + digit[i];
    return place;
}

/** Scales there and back. What is padded is 0. */
static int scales(void)
{
    static uint8_t x[M * K], back[M * K], stored[ROWS * COLUMNS];
    tsr_layout const l = swizzled(ROWS, COLUMNS, WARPS);
    tsr_tensor const from = tsr_make_tensor(x, tsr_t(M, K), tsr_right()), to = tsr_make_tensor(stored, l);
    tsr_tensor const again = tsr_make_tensor(back, tsr_t(M, K), tsr_right());
    tsr_tiler const padded = tsr_tile(ROWS, COLUMNS);
    for (int i = 0; i < M * K; ++i)
        x[i] = (uint8_t)(1 + i % 255);
    tsr_print(stdout, l);
    tsr_clip const clip = tsr_clipped_tile(from, padded, tsr_t(0, 0));
    tsr_tensor const exists = tsr_clip_predicate(&clip);
    tsr_explain(stdout, tsr_copy_if(exists, clip.tile, to));
    tsr_explain(stdout, tsr_copy_if(exists, to, tsr_local_tile(again, padded, tsr_t(0, 0))));
    int wrong = 0;
    for (int m = 0; m < M; ++m)
        for (int k = 0; k < K; ++k)
            wrong += stored[place_of(m, k)] != x[m * K + k] || back[m * K + k] != x[m * K + k];
    printf("%d of %d scales are in another place\n", wrong, M * K);
    return wrong;
}

/** Blocks of a grid of (5,7) in groups of 3 rows. */
static int blocks(void)
{
    enum { I = 5, J = 7, HEIGHT = 3, GROUPS = I / HEIGHT, REST = I % HEIGHT };
    /* (row, column, group) of a number to i + I * j */
    tsr_layout const groups = tsr_make_layout(tsr_t(HEIGHT, J, GROUPS), tsr_t(1, I, HEIGHT));
    tsr_layout const rest = tsr_make_layout(tsr_t(REST, J), tsr_t(1, I));
    int number[I * J], wrong = 0;
    for (int p = 0; p < I * J; ++p) {
        int64_t const in = p - tsr_size(groups);
        number[in < 0 ? tsr_at(groups, p) : HEIGHT * GROUPS + tsr_at(rest, in)] = p;
    }
    for (int i = 0; i < I; ++i)
        for (int j = 0; j < J; ++j) {
            int const first = i / HEIGHT * HEIGHT, height = I - first < HEIGHT ? I - first : HEIGHT;
            wrong += number[i + I * j] != first * J + j * height + i - first;
            printf("%2d%s", number[i + I * j], j + 1 < J ? " " : "\n");
        }
    return wrong;
}

int main(void) { return scales() + blocks() != 0; }
