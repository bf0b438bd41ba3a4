/** The functions of tile/fold.h from layouts to descriptors, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TILE_UNFOLD_H
#define TSR_SRC_TILE_UNFOLD_H

#include "tessera/tile/body/fold.h"

/** Puts v = Sw(offset) on the graph: the digits of v, two of them xored, are the digits of the offset. Returns the
 *  hidden dimension of v, whose length is 2^width. */
static uint8_t tsr_unfold_swizzle_(tsr_adaptor *a, tsr_swizzle sw, int width)
{
    int const remote = sw.base + (sw.shift < 0 ? -sw.shift : sw.shift), nearby = sw.base;
    int64_t const field = (int64_t)1 << sw.bits;
    int64_t const digit[5] = {(int64_t)1 << (width - remote - sw.bits), field,
                              (int64_t)1 << (remote - nearby - sw.bits), field, (int64_t)1 << nearby};
    uint8_t const bottom = 0, y = sw.shift < 0 ? 4 : 2, z = sw.shift < 0 ? 2 : 4; /* hidden 1 to 5 are the digits */
    uint8_t const pair[2] = {y, z};
    uint8_t const merged[5] = {1, (uint8_t)(y == 2 ? 6 : 7), 3, (uint8_t)(y == 2 ? 7 : 6), 5};
    tsr_coord_transform const unmerge = tsr_make_unmerge_transform(5, digit);
    tsr_coord_transform const exclusive = tsr_make_xor_transform(field, field);
    tsr_coord_transform const merge = tsr_make_merge_transform(5, digit);
    tsr_adaptor_push_(a, &unmerge, &bottom);
    tsr_adaptor_push_(a, &exclusive, pair);
    tsr_adaptor_push_(a, &merge, merged);
    return 8;
}

/** Makes each mode of the shape, whose leaves are the hidden dimensions from `first` on, one top dimension. */
static void tsr_unfold_modes_(tsr_adaptor *a, tsr_tuple const *shape, int first)
{
    a->tops = 0;
    for (int b = 0; b < shape->leaves && !a->why.status;) {
        int const e = tsr_is_leaf(shape) ? 1 : tsr_mode_end_(shape, b), n = e - b;
        int64_t length[TSR_MAX_DIMS] = {0};
        uint8_t low[TSR_MAX_DIMS] = {0};
        for (int k = 0; k < n; ++k) { /* the last one of a merge is the fastest */
            low[k] = (uint8_t)(first + e - 1 - k);
            length[k] = (int64_t)tsr_leaf_extent(shape->leaf[e - 1 - k]);
        }
        tsr_coord_transform const merge = tsr_make_merge_transform(n, length);
        if (n > 1)
            tsr_adaptor_push_(a, &merge, low);
        a->top[a->tops++] = n > 1 ? (uint8_t)(a->hidden - 1) : low[0];
        b = e;
    }
}

static tsr_reason tsr_no_unfold_(tsr_layout const *l)
{
    tsr_tuple const *const why = &l->shape;
    if (why->status)
        return tsr_because((tsr_status)why->status, why->mode, why->leaf[0].value, why->leaf[1].value,
                           why->leaf[2].value);
    if (l->twice)
        return tsr_because(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
    if (l->shape.leaves > TSR_MAX_DIMS)
        return tsr_because(TSR_DIMS, 0, l->shape.leaves, TSR_MAX_DIMS, 0);
    for (int i = 0; i < l->shape.leaves; ++i)
        if (l->stride.leaf[i].aux != 0)
            return tsr_because(TSR_BASIS, 0, (int64_t)(l->stride.leaf[i].aux & 31u) - 1, 0, 0);
    return tsr_because(TSR_OK, 0, 0, 0, 0);
}

TSR_API tsr_descriptor tsr_unfold(tsr_layout const *l)
{
    int64_t length[TSR_MAX_DIMS] = {0}, stride[TSR_MAX_DIMS] = {0}, reach = 0;
    tsr_reason const why = tsr_no_unfold_(l);
    if (why.status)
        return tsr_bad_descriptor(why);
    int const leaves = l->shape.leaves;
    for (int i = 0; i < leaves; ++i) {
        length[i] = (int64_t)tsr_leaf_extent(l->shape.leaf[i]);
        stride[i] = l->stride.leaf[i].value;
    }
    tsr_descriptor d = TSR_ZERO;
    if (!l->composed) {
        d = tsr_make_naive_tensor_descriptor(leaves, length, stride, tsr_no_vector());
        tsr_unfold_modes_(&d.graph, &l->shape, 1);
        return d;
    }
    tsr_coord_transform embed = tsr_make_embed_transform(leaves, length, stride);
    int64_t const offset = tsr_leaf_value(l->offset);
    int const touched =
        l->swizzle.bits + l->swizzle.base + (l->swizzle.shift < 0 ? -l->swizzle.shift : l->swizzle.shift);
    if (embed.why.status || !tsr_add64(embed.low[0], offset, &reach) || tsr_bit_width((uint64_t)reach) > 61)
        return tsr_bad_descriptor(embed.why.status ? embed.why : tsr_because(TSR_OVERFLOW, 0, offset, 0, 0));
    if (offset + embed.least < 0)
        return tsr_bad_descriptor(tsr_because(TSR_NEGATIVE_REACH, 0, offset + embed.least, -embed.least, 0));
    int const bits = tsr_bit_width((uint64_t)reach - 1), width = bits < touched ? touched : bits;
    embed.least = 0; /* the offset makes up for it */
    d.space = (int64_t)1 << width;
    d.graph = tsr_identity_adaptor(1, &d.space);
    d.vector = tsr_no_vector();
    uint8_t const swizzled = tsr_unfold_swizzle_(&d.graph, l->swizzle, width), shifted = (uint8_t)(swizzled + 1);
    tsr_coord_transform const shift = tsr_make_offset_transform(embed.low[0], offset);
    tsr_adaptor_push_(&d.graph, &shift, &swizzled);
    tsr_adaptor_push_(&d.graph, &embed, &shifted);
    tsr_unfold_modes_(&d.graph, &l->shape, shifted + 1);
    return d;
}

#endif
