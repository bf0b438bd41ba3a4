/** Im2col maps: the functions of tma/im2col.h and the map of tma/im2col_tile.h, compiled with the bodies of tma/copy.h
 *  (bodies.c). */
#ifndef TSR_SRC_TMA_IM2COL_H
#define TSR_SRC_TMA_IM2COL_H

#include "tessera/tma/im2col_tile.h"
#include "tessera/tma/body/copy.h"

/** Part i of (lower padding..): a tuple of `dims` integers. Errors: TMA_CONVOLUTION, in the mode of the part. */
static tsr_tuple tsr_tma_part_(tsr_tuple const *t, int parts, int i, int dims)
{
    tsr_tuple const part = tsr_get_(t, i);
    bool ok = tsr_mode_count(t) == parts && !part.status && part.leaves == dims && tsr_mode_count(&part) == dims;
    for (int k = 0; ok && k < dims; ++k)
        ok = tsr_leaf_is_int(part.leaf[k]);
    return ok ? part : tsr_bad_tuple(TSR_TMA_CONVOLUTION, i, tsr_mode_count(t), parts, tsr_max64(dims, 1));
}

/** How many numbers each part of a convolution has: 1 to 3, for W, H and D. */
static int tsr_tma_dims_(tsr_tuple const *t)
{
    tsr_tuple const first = tsr_get_(t, 0);
    int const n = first.status || tsr_is_leaf(&first) ? 0 : tsr_mode_count(&first);
    return n >= 1 && n <= 3 ? n : 0;
}

/** The parts of a convolution. */
enum { TSR_FILTER_, TSR_LOW_, TSR_HIGH_, TSR_STRIDE_, TSR_DILATION_, TSR_CONVOLUTION_ };

/** a + (b - 1) * c leaf by leaf, or a - (b - 1) * c. */
static tsr_tuple tsr_tma_reach_(tsr_tuple a, tsr_tuple b, tsr_tuple c, bool minus)
{
    tsr_tuple r = a;
    for (int i = 0; i < a.leaves; ++i) {
        tsr_leaf const n = tsr_leaf_mul(tsr_leaf_sub(b.leaf[i], tsr_leaf_static(1)), c.leaf[i]);
        tsr_leaf const v = minus ? tsr_leaf_sub(a.leaf[i], n) : tsr_leaf_add(a.leaf[i], n);
        if (v.kind == TSR_BAD)
            return tsr_from_leaf(v);
        r.leaf[i].kind = v.kind;
        r.leaf[i].value = v.value;
    }
    return r;
}

/** Every integer of t replaced by its negative. */
static tsr_tuple tsr_tma_negative_(tsr_tuple t)
{
    for (int i = 0; i < t.leaves; ++i)
        t.leaf[i].value = -t.leaf[i].value;
    return t;
}

/** The pixels or the taps of a convolution (filter, lower padding, upper padding, stride, dilation), each a tuple of
 *  one number for each of W, H and D. With `data`, of the gradient of its input; its stride is 1.
 *  Errors  TMA_CONVOLUTION; TMA_DGRAD for the gradient of strided convolutions, which is not an im2col. */
static tsr_tuple tsr_tma_places_(tsr_tuple conv, bool taps, bool data)
{
    tsr_tuple part[TSR_CONVOLUTION_] = {0};
    int const dims = conv.status ? 0 : tsr_tma_dims_(&conv);
    if (conv.status)
        return conv;
    for (int i = 0; i < TSR_CONVOLUTION_; ++i) {
        part[i] = tsr_tma_part_(&conv, TSR_CONVOLUTION_, i, dims);
        if (part[i].status)
            return part[i];
        for (int k = 0; k < dims; ++k)
            if (part[i].leaf[k].value < -TSR_TMA_FAR || part[i].leaf[k].value > TSR_TMA_FAR)
                return tsr_bad_tuple(TSR_OVERFLOW, i, part[i].leaf[k].value, 0, 0);
    }
    for (int k = 0; data && k < dims; ++k)
        if (part[TSR_STRIDE_].leaf[k].value != 1)
            return tsr_bad_tuple(TSR_TMA_DGRAD, k, part[TSR_STRIDE_].leaf[k].value, 0, 0);
    tsr_tuple const none = tsr_repeat_like(part[TSR_FILTER_], tsr_s(0)), filter = part[TSR_FILTER_];
    tsr_tuple const dilation = part[TSR_DILATION_], low = part[TSR_LOW_], high = part[TSR_HIGH_];
    if (taps && data)
        return tsr_tuple_3(filter, tsr_tma_reach_(none, filter, dilation, false), tsr_tma_negative_(dilation));
    if (taps)
        return tsr_tuple_3(filter, none, dilation);
    if (data)
        return tsr_tuple_3(tsr_tma_reach_(low, filter, dilation, true), tsr_tma_negative_(high), part[TSR_STRIDE_]);
    return tsr_tuple_3(tsr_tma_negative_(low), tsr_tma_reach_(high, filter, dilation, true), part[TSR_STRIDE_]);
}

tsr_tuple tsr_fprop_pixels(tsr_tuple conv) { return tsr_tma_places_(conv, false, false); }

tsr_tuple tsr_fprop_taps(tsr_tuple conv) { return tsr_tma_places_(conv, true, false); }

tsr_tuple tsr_dgrad_pixels(tsr_tuple conv) { return tsr_tma_places_(conv, false, true); }

tsr_tuple tsr_dgrad_taps(tsr_tuple conv) { return tsr_tma_places_(conv, true, true); }

/** The largest distance of a tap from its pixel: the instruction has 16 bits for one, two or three of them. */
static int64_t tsr_tma_tap_most_(tsr_tma_op op, int dims)
{
    if (op == TSR_SM90_TMA_STORE_IM2COL)
        return 0;
    return dims == 1 ? 65535 : dims == 2 ? 255 : 31;
}

/** Extents, strides, corners and steps of the map. `image` is ((w,h,d,n),c) or its modes exchanged, `channel` the place
 *  of c.
 *  Errors  TMA_MAJOR, OVERFLOW. */
TSR_PART void tsr_tma_fill_image_(tsr_tma_desc *d, tsr_layout const *image, int channel, tsr_tuple const *pixels)
{
    tsr_layout const c = tsr_mode_(image, channel), whdn = tsr_mode_(image, 1 - channel);
    int const bits = tsr_tma_format_bits(d->format);
    d->im2col = true;
    d->rank = whdn.shape.leaves + 1;
    d->dim[0] = c.shape.leaf[0].value;
    for (int i = 1; i < d->rank; ++i) {
        int64_t bytes = 0;
        d->dim[i] = whdn.shape.leaf[i - 1].value;
        if (!tsr_mul64(whdn.stride.leaf[i - 1].value, bits, &bytes))
            d->why = tsr_because(TSR_OVERFLOW, i, whdn.stride.leaf[i - 1].value, 0, 0);
        d->stride[i] = bytes / 8;
    }
    for (int i = 0; i < d->rank - 2; ++i) {
        d->lower[i] = tsr_get_(pixels, 0).leaf[i].value;
        d->upper[i] = tsr_get_(pixels, 1).leaf[i].value;
        d->step[i + 1] = tsr_get_(pixels, 2).leaf[i].value;
    }
    if (c.stride.leaf[0].value != 1)
        d->why = tsr_because(TSR_TMA_MAJOR, 0, c.stride.leaf[0].value, 0, 0);
}

/** Channels and pixels of one box: the first modes of shared memory that go along c and along the pixels.
 *  Errors  TMA_MAJOR, STATIC_ONLY, TMA_MULTICAST. */
TSR_PART void tsr_tma_fill_column_(tsr_tma_copy *r, tsr_layout const *run, tsr_layout const *image, int channel)
{
    int mode[2] = {channel, 1 - channel};
    int64_t n[2] = {1, 1};
    for (int i = 0; i < 2 && i < run->shape.leaves; ++i) {
        int const at = (int)(run->stride.leaf[i].aux & 31u) - 1;
        if (i == 0 && at != mode[i])
            r->desc.why = tsr_because(TSR_TMA_MAJOR, 0, tsr_mode_(image, at).stride.leaf[0].value, 0, 0);
        if (!tsr_leaf_is_static(run->shape.leaf[i]))
            r->desc.why = tsr_because(TSR_STATIC_ONLY, i, run->shape.leaf[i].value, 0, 0);
        n[i] = run->shape.leaf[i].value;
    }
    if (n[1] % r->multicast != 0)
        r->desc.why = tsr_because(TSR_TMA_MULTICAST, 1, r->multicast, n[1], 0);
    r->elements = n[0] * n[1];
    r->desc.channels = n[0];
    r->desc.pixels = n[1] / r->multicast;
}

/** The matrix -> coordinates of the hardware: its layout and where it begins. Errors: TMA_TAP, OVERFLOW. */
TSR_PART void tsr_tma_fill_matrix_(tsr_tma_copy *r, tsr_layout const *image, int channel, tsr_tuple const *pixels,
                                   tsr_tuple const *taps)
{
    tsr_layout const c = tsr_mode_(image, channel), whdn = tsr_mode_(image, 1 - channel);
    tsr_tuple const lower = tsr_get_(pixels, 0), upper = tsr_get_(pixels, 1), stride = tsr_get_(pixels, 2);
    tsr_tuple const filter = tsr_get_(taps, 0), first = tsr_get_(taps, 1), dilation = tsr_get_(taps, 2);
    tsr_tuple const last = tsr_tma_reach_(first, filter, dilation, false);
    int const dims = lower.leaves;
    int64_t const most = tsr_tma_tap_most_(r->op, dims);
    tsr_tuple const basis = tsr_make_basis_like(tsr_tuple_4(tsr_s(0), lower, tsr_s(0), filter));
    tsr_tuple shape[2] = {0}, step[2] = {0}; /* of the pixels, of the taps */
    if (last.status) {
        r->desc.why = tsr_tuple_why(last);
        return;
    }
    tsr_tuple_push_leaf(&shape[1], tsr_as_leaf_(c.shape));
    tsr_tuple_push_leaf(&step[1], basis.leaf[0]);
    for (int i = 0; i < dims; ++i) {
        tsr_leaf const box = tsr_leaf_add(whdn.shape.leaf[i], tsr_leaf_sub(upper.leaf[i], lower.leaf[i]));
        tsr_tuple_push_leaf(&shape[0], tsr_leaf_ceil_div(box, stride.leaf[i]));
        tsr_tuple_push_leaf(&step[0], tsr_leaf_mul(basis.leaf[1 + i], stride.leaf[i]));
        tsr_tuple_push_leaf(&shape[1], filter.leaf[i]);
        tsr_tuple_push_leaf(&step[1], tsr_leaf_mul(basis.leaf[2 + dims + i], dilation.leaf[i]));
        for (int k = 0; k < 2; ++k) {
            int64_t const at = k == 0 ? first.leaf[i].value : last.leaf[i].value;
            if (!r->desc.why.status && (filter.leaf[i].value < 1 || at < 0 || at > most))
                r->desc.why = tsr_because(TSR_TMA_TAP, i, filter.leaf[i].value, at, most);
        }
    }
    tsr_tuple_push_leaf(&shape[0], whdn.shape.leaf[dims]);
    tsr_tuple_push_leaf(&step[0], basis.leaf[1 + dims]);
    for (int i = 0; i < 2; ++i) {
        shape[i] = tsr_tuple_close(shape[i]);
        step[i] = tsr_tuple_close(step[i]);
    }
    int const a = channel == 0 ? 1 : 0, b = 1 - a; /* taps first, or pixels first */
    r->tensor = tsr_make_layout_from(tsr_tuple_2(shape[a], shape[b]), tsr_tuple_2(step[a], step[b]));
    shape[0] = tsr_product(shape[0]);
    r->matrix = tsr_tuple_2(shape[a], shape[b]);
    r->origin = tsr_tuple_4(tsr_s(0), lower, tsr_s(0), first);
    if (!r->desc.why.status && (r->tensor.shape.status || r->matrix.status))
        r->desc.why = tsr_tuple_why(r->tensor.shape.status ? r->tensor.shape : r->matrix);
}

/** Why an image, its types, pixels and taps are no convolution. */
TSR_PART tsr_tuple tsr_tma_image_reason_(tsr_layout const *image, int channel, tsr_tma_types types,
                                         tsr_tuple const *pixels, tsr_tuple const *taps)
{
    int const whdn = image->shape.leaves - 1, rank = tsr_mode_count(&image->shape);
    int const value = tsr_dtype_bits(types.value), internal = tsr_dtype_bits(types.internal);
    if (rank != 2 || tsr_mode_(image, channel).shape.leaves != 1 || whdn < 2 || whdn > 4)
        return tsr_bad_tuple(TSR_TMA_IMAGE, 0, rank, image->shape.leaves, 0);
    if (value != internal)
        return tsr_bad_tuple(TSR_COPY_SIZES, 0, value, internal, 0);
    for (int i = 0; i < 3; ++i) {
        tsr_tuple const a = tsr_tma_part_(pixels, 3, i, whdn - 1), b = tsr_tma_part_(taps, 3, i, whdn - 1);
        if (a.status || b.status)
            return a.status ? a : b;
        if (tsr_tma_dims_(pixels) != whdn - 1)
            return tsr_bad_tuple(TSR_TMA_CONVOLUTION, 0, 3, 3, whdn - 1);
    }
    return tsr_s(0);
}

tsr_tma_copy tsr_make_im2col_tma_copy(tsr_tma_op op, tsr_tma_types types, tsr_layout image, tsr_smem_layout smem,
                                      tsr_tiler tiler, tsr_tuple cluster, tsr_tuple pixels, tsr_tuple taps)
{
    tsr_tma_copy r = {0};
    tsr_tma_begin_(&r, op, TSR_TMA_OP_IM2COL, types, &image, &smem, &tiler, cluster, pixels.status ? pixels : taps);
    if (r.desc.why.status)
        return r;
    int const channel = tsr_mode_(&image, 0).shape.leaves == 1 ? 0 : 1;
    tsr_tuple const why = tsr_tma_image_reason_(&image, channel, types, &pixels, &taps);
    if (tsr_tma_refused_(&r, &why))
        return r;
    tsr_layout const tile = tsr_tma_tile_(tsr_product_each(image.shape), &tiler);
    tsr_layout const run = tsr_tma_vector_(&smem.layout, &tile);
    if (tsr_tma_refused_(&r, &run.shape))
        return r;
    r.tiler = tsr_product_each(tile.shape);
    tsr_tma_fill_image_(&r.desc, &image, channel, &pixels);
    tsr_tma_fill_column_(&r, &run, &image, channel);
    if (!r.desc.why.status)
        r.desc.why = tsr_tma_lint(r.desc).why;
    if (!r.desc.why.status)
        tsr_tma_fill_matrix_(&r, &image, channel, &pixels, &taps);
    r.tv = tsr_tma_tv_of_(&smem.layout, &tile, cluster, r.elements);
    tsr_tma_end_(&r);
    return r;
}

tsr_tma_copy tsr_make_im2col_tma_copy_plain(tsr_tma_op op, tsr_tma_types types, tsr_layout image, tsr_layout smem,
                                            tsr_tiler tiler, tsr_tuple cluster, tsr_tuple pixels, tsr_tuple taps)
{
    return tsr_make_im2col_tma_copy(op, types, image, tsr_tma_smem_(&smem, types.value), tiler, cluster, pixels,
                                    taps);
}

tsr_tuple tsr_tma_coordinate(tsr_tma_copy c, tsr_tuple coord)
{
    if (c.desc.why.status || coord.status)
        return c.desc.why.status ? tsr_reason_tuple(c.desc.why) : coord;
    if (c.desc.im2col)
        return tsr_add(c.origin, tsr_layout_at(c.tensor, coord));
    if (c.word > 1) {
        if (!tsr_leaf_is_int(coord.leaf[0]))
            return tsr_from_leaf(tsr_leaf_refuse_(coord.leaf[0], coord.leaf[0]));
        if (coord.leaf[0].value % c.word != 0)
            return tsr_bad_tuple(TSR_TMA_INSIDE, 0, coord.leaf[0].value, c.word, 0);
        coord.leaf[0].value /= c.word;
    }
    return coord;
}

tsr_tma_desc tsr_im2col_tile_desc(tsr_tma_tile const *t, tsr_dtype type, tsr_layout image, tsr_tuple pixels,
                                  tsr_tuple taps)
{
    if (t->why.status)
        return tsr_bad_tma_desc(t->why);
    tsr_tma_types const types = {type, type};
    tsr_tuple const box = tsr_tuple_2(tsr_s(t->box[1]), tsr_s(t->box[0]));
    tsr_layout const plain = tsr_make_layout_from(box, tsr_tuple_2(tsr_s(t->box[0]), tsr_s(1)));
    return tsr_make_im2col_tma_copy(TSR_SM90_TMA_LOAD_IM2COL, types, image,
                                    tsr_make_smem_layout(t->swizzle, type, plain), tsr_tiler_of_tuple(box), tsr_s(1),
                                    pixels, taps)
        .desc;
}

#endif
