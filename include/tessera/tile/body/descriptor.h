/** The bodies of tile/descriptor.h. */
#ifndef TSR_TILE_BODY_DESCRIPTOR_H
#define TSR_TILE_BODY_DESCRIPTOR_H

#include "tessera/tile/descriptor.h"
#include "tessera/tile/body/evaluate.h"

TSR_HEADER_BEGIN

TSR_OP tsr_descriptor tsr_bad_descriptor(tsr_reason why)
{
    tsr_descriptor d = TSR_ZERO;
    d.graph.why = why;
    return d;
}

TSR_OP tsr_vector tsr_make_vector(int64_t length, int64_t stride)
{
    tsr_vector v = TSR_ZERO;
    v.length = length > 0 ? length : -1;
    v.stride = stride > 0 ? stride : -1;
    return v;
}

/** The descriptor of one transform on top of `space` offsets. */
TSR_LOCAL tsr_descriptor tsr_base_(int64_t below, tsr_coord_transform const *t)
{
    tsr_descriptor d = TSR_ZERO;
    uint8_t const offset = 0;
    d.graph = tsr_identity_adaptor(1, &below);
    d.vector = tsr_no_vector();
    tsr_adaptor_push_(&d.graph, t, &offset);
    d.graph.tops = t->ups;
    for (int i = 0; i < t->ups; ++i)
        d.graph.top[i] = (uint8_t)(1 + i);
    d.space = below;
    return d;
}

TSR_OP tsr_descriptor tsr_make_naive_tensor_descriptor(int n, int64_t const *length, int64_t const *stride,
                                                       tsr_vector vector)
{
    tsr_coord_transform const embed = tsr_make_embed_transform(n, length, stride);
    if (!embed.why.status && embed.least < 0)
        return tsr_bad_descriptor(tsr_because(TSR_NEGATIVE_REACH, 0, embed.least, -embed.least, 0));
    tsr_descriptor d = tsr_base_(embed.why.status ? 1 : embed.low[0], &embed);
    d.vector = vector;
    d.vector_at = (uint8_t)n;
    return d;
}

TSR_OP tsr_descriptor tsr_make_naive_tensor_descriptor_packed(int n, int64_t const *length, int64_t vector_length)
{
    tsr_coord_transform const unmerge = tsr_make_unmerge_transform(n, length);
    tsr_descriptor d = tsr_base_(unmerge.low[0], &unmerge);
    d.vector = tsr_make_vector(vector_length, 1);
    d.vector_at = (uint8_t)n;
    return d;
}

TSR_OP tsr_descriptor tsr_make_naive_tensor_descriptor_aligned(int n, int64_t const *length, int64_t align)
{
    int64_t stride[TSR_MAX_DIMS] = {0}, volume = 1, pitch = 1;
    tsr_reason why = TSR_ZERO;
    if (!tsr_volume_(length, n, &volume, &why))
        return tsr_bad_descriptor(why);
    if (align <= 0)
        return tsr_bad_descriptor(tsr_because(TSR_FACTOR, 0, align, 0, 0));
    for (int i = n - 1; i >= 0; --i) {
        int64_t const last = length[i] % align == 0 ? 0 : align - length[i] % align;
        stride[i] = pitch;
        if (!tsr_add64(length[i], i == n - 1 ? last : 0, &pitch) || !tsr_mul64(stride[i], pitch, &pitch))
            return tsr_bad_descriptor(tsr_because(TSR_OVERFLOW, i, length[i], 0, 0));
    }
    return tsr_make_naive_tensor_descriptor(n, length, stride, tsr_no_vector());
}

TSR_OP tsr_descriptor tsr_make_naive_tensor_descriptor_with_offset(int n, int64_t const *length,
                                                                   int64_t const *stride, int64_t offset,
                                                                   tsr_vector vector)
{
    tsr_coord_transform embed = tsr_make_embed_transform(n, length, stride);
    int64_t const least = embed.why.status ? 0 : embed.least;
    uint8_t const middle = 1;
    if (offset < 0 || tsr_wrap_add(offset, least) < 0)
        return tsr_bad_descriptor(tsr_because(TSR_NEGATIVE_REACH, 0, tsr_wrap_add(offset, least), -least, 0));
    embed.least = 0; /* the offset makes up for it */
    tsr_coord_transform const shift = tsr_make_offset_transform(embed.why.status ? 1 : embed.low[0], offset);
    tsr_descriptor d = tsr_base_(shift.why.status ? 1 : shift.low[0], &shift);
    tsr_adaptor_push_(&d.graph, &embed, &middle);
    d.vector = vector;
    d.vector_at = 1;
    d.graph.tops = embed.ups;
    for (int i = 0; i < embed.ups; ++i)
        d.graph.top[i] = (uint8_t)(2 + i);
    return d;
}

TSR_OP tsr_descriptor tsr_transform_tensor_descriptor(tsr_descriptor d, int links, tsr_link const *link)
{
    tsr_adaptor_stage(&d.graph, links, link);
    return d;
}

/** A transform of dimension `low` alone, which becomes dimension `up`. */
TSR_LOCAL tsr_link tsr_link_one_(tsr_coord_transform t, int low, int up)
{
    tsr_link l = TSR_ZERO;
    l.transform = t;
    l.lows = l.ups = 1;
    l.low[0] = (uint8_t)low;
    l.up[0] = (uint8_t)up;
    return l;
}

TSR_OP tsr_descriptor tsr_slice_tensor_descriptor(tsr_descriptor d, int64_t const *begin, int64_t const *end)
{
    tsr_index const length = tsr_adaptor_lengths(&d.graph);
    tsr_link link[TSR_MAX_DIMS] TSR_SCRATCH;
    for (int i = 0; i < length.rank; ++i) {
        link[i] = tsr_link_one_(tsr_make_slice_transform(length.at[i], begin[i], end[i]), i, i);
        link[i].transform.why.mode = (uint8_t)i;
    }
    return tsr_transform_tensor_descriptor(d, length.rank, link);
}

TSR_OP tsr_descriptor tsr_transpose_tensor_descriptor(tsr_descriptor d, uint8_t const *order)
{
    tsr_index const length = tsr_adaptor_lengths(&d.graph);
    tsr_link link[TSR_MAX_DIMS] TSR_SCRATCH;
    for (int i = 0; i < length.rank; ++i)
        link[i] = tsr_link_one_(tsr_make_pass_through_transform(length.at[order[i] < length.rank ? order[i] : 0]),
                                order[i], i);
    return tsr_transform_tensor_descriptor(d, length.rank, link);
}

TSR_OP tsr_descriptor tsr_pad_tensor_descriptor(tsr_descriptor d, int64_t const *tile, bool const *pads)
{
    tsr_index const length = tsr_adaptor_lengths(&d.graph);
    tsr_link link[TSR_MAX_DIMS] TSR_SCRATCH;
    for (int i = 0; i < length.rank; ++i) {
        int64_t const n = tile[i] > 0 ? tile[i] : 1, over = length.at[i] % n;
        link[i] = tsr_link_one_(pads[i] && over != 0 ? tsr_make_right_pad_transform(length.at[i], n - over)
                                                     : tsr_make_pass_through_transform(length.at[i]),
                                i, i);
    }
    return tsr_transform_tensor_descriptor(d, length.rank, link);
}

TSR_OP void tsr_descriptor_vectors(tsr_descriptor const *d, bool promised, tsr_vector *top)
{
    tsr_vector hidden[TSR_MAX_HIDDEN] TSR_SCRATCH;
    tsr_adaptor const *const a = &d->graph;
    for (int i = 0; i < a->hidden; ++i)
        hidden[i] = tsr_no_vector();
    hidden[d->vector_at] = d->vector;
    tsr_node const *const base = &a->node[0];
    if (!promised && a->nodes > 0 && base->ups == d->vector_at) {
        bool const same = a->coefficient[d->vector_at] == d->vector.stride;
        for (int i = base->up; i < d->vector_at; ++i)
            hidden[d->vector_at] = tsr_vector_cut_(hidden[d->vector_at], a->coefficient[i]);
        hidden[d->vector_at] = same ? hidden[d->vector_at] : tsr_no_vector();
    }
    tsr_adaptor_vectors(a, hidden, promised);
    for (int i = 0; i < a->tops; ++i)
        top[i] = hidden[a->top[i]];
}

TSR_HEADER_END

#endif
