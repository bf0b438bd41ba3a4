/** Random im2col views, as operands of products. */
#ifndef TESTS_GPU_ANY_VIEW_H
#define TESTS_GPU_ANY_VIEW_H

#include <string.h>

#include "../random.h"
#include "tessera/tessera.h"

/** A convolution without padding, and how its tensors lie. */
typedef struct conv {
    tsr_dtype type;
    int dims;
    int64_t channels, filters, images, stride[3], dilation[3], taps[3], out[3];
    bool turned; /* B holds the view */
    tsr_layout view, filter, result;
} conv;

/** Appends a number to a mode. */
static inline void push(tsr_tuple *mode, int64_t n)
{
    *mode = mode->leaves == 0 ? tsr_t(n) : tsr_tuple_append(*mode, tsr_int(n));
}

/** The modes of K by channels first, then the taps. */
typedef struct taps {
    tsr_tuple shape, view, filter;
} taps;

/** A view ((q,p,..,n),(c,s,r,..)) with room between its lines and filters (k,(c,s,r,..)) along K or along their own
 *  mode. Images have about `most` pixels, of at least 12. */
static inline conv any_conv(int64_t most)
{
    static tsr_dtype const types[] = {TSR_F16, TSR_BF16, TSR_TF32};
    conv x;
    taps k;
    tsr_tuple pixels, by_pixel;
    memset(&x, 0, sizeof x);
    memset(&k, 0, sizeof k);
    memset(&pixels, 0, sizeof pixels);
    memset(&by_pixel, 0, sizeof by_pixel);
    x.type = types[below(3)];
    int64_t const unit = 128 / tsr_dtype_bits(x.type);
    bool const by_columns = x.type != TSR_TF32 && below(3) == 0;
    x.dims = 1 + (int)below(3);
    x.channels = unit * (1 + below(12));
    x.filters = 8 * (1 + below(10));
    x.images = 1 + below(3);
    int64_t pitch = x.channels + unit * below(2), far = by_columns ? x.filters * x.channels : x.channels;
    push(&k.shape, x.channels);
    push(&k.view, 1);
    push(&k.filter, by_columns ? x.filters : 1);
    for (int i = 0; i < x.dims; ++i) {
        x.taps[i] = 1 + below(4);
        x.stride[i] = 1 + below(3);
        x.dilation[i] = 1 + below(3);
        x.out[i] = 1 + below(x.dims == 1 ? most : x.dims == 2 ? most / 5 : most / 12);
        push(&pixels, x.out[i]);
        push(&by_pixel, x.stride[i] * pitch);
        push(&k.shape, x.taps[i]);
        push(&k.view, x.dilation[i] * pitch);
        push(&k.filter, far);
        pitch *= (x.out[i] - 1) * x.stride[i] + (x.taps[i] - 1) * x.dilation[i] + 1 + below(2);
        pitch += unit * below(2);
        far *= x.taps[i];
    }
    push(&pixels, x.images);
    push(&by_pixel, pitch);
    x.view = tsr_make_layout_from(tsr_tuple_2(pixels, k.shape), tsr_tuple_2(by_pixel, k.view));
    x.filter = tsr_make_layout_from(tsr_tuple_2(tsr_int(x.filters), k.shape),
                                    tsr_tuple_2(tsr_int(by_columns ? 1 : far + unit * below(2)), k.filter));
    int64_t const rows = tsr_size(tsr_mode(x.view, 0)), by_rows = below(2);
    int64_t const row = by_rows ? x.filters : 1, column = by_rows ? 1 : rows;
    x.turned = below(2) != 0;
    x.result = x.turned ? tsr_make_layout(tsr_t(x.filters, rows), tsr_t(column, row))
                        : tsr_make_layout(tsr_t(rows, x.filters), tsr_t(row, column));
    return x;
}

#endif
