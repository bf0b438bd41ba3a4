/* Convolution as a matrix product: the image is read through pad, embed and merge, and nothing is copied. */
#include <tessera/text.h>
#include <tessera/tile.h>

enum { N = 2, H = 5, W = 6, C = 3, K = 4, R = 3, S = 3, COLUMNS = R * S * C, MOST = N * H * W * K };

static int32_t image[N][H][W][C], filter[K][R][S][C], wanted[MOST], found[MOST];

static void say(char const *name, tsr_descriptor const *d)
{
    tsr_index const length = tsr_adaptor_lengths(&d->graph);
    printf("  %-7s: (", name);
    for (int i = 0; i < length.rank; ++i)
        printf("%d%s", (int)length.at[i], i + 1 < length.rank ? "," : ")\n");
}

/** The matrix of (n, h, w of the result) by (r, s, c). */
static tsr_descriptor im2col(int stride, int out_h, int out_w)
{
    int64_t const lengths[4] = {N, H, W, C}, steps[2] = {1, stride};
    int64_t const window_h[2] = {R, out_h}, window_w[2] = {S, out_w};
    int64_t const rows[3] = {N, out_h, out_w}, columns[3] = {R, S, C};
    tsr_coord_transform const n = tsr_make_pass_through_transform(N), c = tsr_make_pass_through_transform(C);
    tsr_links pads = tsr_make_links("n h w c", "n h w c"), windows = tsr_make_links("n h w c", "n r y s x c");
    tsr_links merges = tsr_make_links("n r y s x c", "row column");
    tsr_add_link(&pads, n, "n", "n");
    tsr_add_link(&pads, tsr_make_pad_transform(H, 1, 1), "h", "h");
    tsr_add_link(&pads, tsr_make_pad_transform(W, 1, 1), "w", "w");
    tsr_add_link(&pads, c, "c", "c");
    tsr_add_link(&windows, n, "n", "n");
    tsr_add_link(&windows, tsr_make_embed_transform(2, window_h, steps), "h", "r y");
    tsr_add_link(&windows, tsr_make_embed_transform(2, window_w, steps), "w", "s x");
    tsr_add_link(&windows, c, "c", "c");
    tsr_add_link(&merges, tsr_make_merge_transform(3, rows), "n y x", "row");
    tsr_add_link(&merges, tsr_make_merge_transform(3, columns), "r s c", "column");

    tsr_descriptor d = tsr_make_naive_tensor_descriptor_packed(4, lengths, C); /* (n,h,w,c) */
    say("image", &d);
    d = tsr_link_tensor_descriptor(d, &pads); /* (n,h+2,w+2,c) */
    say("padded", &d);
    d = tsr_link_tensor_descriptor(d, &windows); /* (n,r,out_h,s,out_w,c) */
    say("windows", &d);
    d = tsr_link_tensor_descriptor(d, &merges); /* (n*out_h*out_w,r*s*c) */
    say("matrix", &d);
    return d;
}

static void multiply(tsr_tensor_view const *a, int64_t rows)
{
    int32_t const *const b = &filter[0][0][0][0]; /* (4,27):(27,1) */
    for (int64_t m = 0; m < rows; ++m)
        for (int k = 0; k < K; ++k) {
            int64_t index[2] = {m, 0};
            int32_t sum = 0;
            for (; index[1] < COLUMNS; ++index[1]) {
                int32_t x = 0;
                tsr_view_get(a, index, &x);
                sum += x * b[k * COLUMNS + index[1]];
            }
            found[m * K + k] = sum;
        }
}

static int32_t pixel(int n, int h, int w, int c)
{
    return 0 <= h && h < H && 0 <= w && w < W ? image[n][h][w][c] : 0;
}

static void convolve(int stride, int out_h, int out_w)
{
    int at = 0;
    for (int n = 0; n < N; ++n)
        for (int h = 0; h < out_h; ++h)
            for (int w = 0; w < out_w; ++w)
                for (int k = 0; k < K; ++k, ++at) {
                    wanted[at] = 0;
                    for (int r = 0; r < R; ++r)
                        for (int s = 0; s < S; ++s)
                            for (int c = 0; c < C; ++c)
                                wanted[at] +=
                                    pixel(n, h * stride + r - 1, w * stride + s - 1, c) * filter[k][r][s][c];
                }
}

int main(void)
{
    for (int i = 0; i < N * H * W * C; ++i)
        (&image[0][0][0][0])[i] = i % 11 - 5;
    for (int i = 0; i < K * COLUMNS; ++i)
        (&filter[0][0][0][0])[i] = i % 7 - 3;
    tsr_buffer_view const memory = tsr_make_buffer_view(TSR_GMEM, image, N * H * W * C, TSR_I32);

    for (int stride = 1; stride <= 2; ++stride) {
        int const out_h = (H + 2 - R) / stride + 1, out_w = (W + 2 - S) / stride + 1;
        int const rows = N * out_h * out_w;
        bool equal = true;
        printf("stride %d\n", stride);
        tsr_descriptor const d = im2col(stride, out_h, out_w);
        tsr_tensor_view const matrix = tsr_make_tensor_view(memory, &d, TSR_UPDATE_SET);
        multiply(&matrix, rows);
        convolve(stride, out_h, out_w);
        for (int i = 0; i < rows * K; ++i)
            equal = equal && found[i] == wanted[i];
        printf("  %d results, %s the loops\n", rows * K, equal ? "equal to" : "different from");
    }
    return 0;
}
