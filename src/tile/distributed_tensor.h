/** The functions of tile/distributed_tensor.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TILE_DISTRIBUTED_TENSOR_H
#define TSR_SRC_TILE_DISTRIBUTED_TENSOR_H

#include "tessera/tile/distributed_tensor.h"
#include "tessera/tile/body/buffer_view.h"
#include "tile/operations.h"

TSR_API tsr_distributed_tensor tsr_make_static_distributed_tensor(tsr_encoding const *e, void *buffer, tsr_dtype type)
{
    tsr_distributed_tensor t = TSR_ZERO;
    t.encoding = *e;
    t.buffer = tsr_thread_buffer_view_(buffer, e->why.status ? 0 : tsr_thread_buffer_size(e), type);
    return t;
}

TSR_API tsr_reason tsr_distributed_get_(tsr_distributed_tensor const *t, int64_t const *y, void *element,
                                        tsr_variable v)
{
    return tsr_buffer_get_as_(&t->buffer, tsr_thread_buffer_offset(&t->encoding, y), true, element, v);
}

TSR_API tsr_reason tsr_distributed_set_(tsr_distributed_tensor const *t, int64_t const *y, void const *element,
                                        tsr_variable v)
{
    return tsr_buffer_set_as_(&t->buffer, tsr_thread_buffer_offset(&t->encoding, y), true, element, v);
}

TSR_API tsr_reason tsr_set_tile_(tsr_distributed_tensor const *t, void const *element, tsr_variable v)
{
    tsr_reason const why = tsr_buffer_why(&t->buffer, v);
    for (int64_t i = 0; i < t->buffer.size && !why.status; ++i)
        tsr_buffer_set_unchecked(&t->buffer, i, element);
    return why;
}

/** to[i] = from[j]. */
static void tsr_move_element_(tsr_distributed_tensor const *to, int64_t i, tsr_distributed_tensor const *from,
                              int64_t j)
{
    unsigned char element[TSR_MAX_ELEMENT];
    tsr_buffer_get_(&from->buffer, j, true, element);
    tsr_buffer_set_(&to->buffer, i, true, element);
}

TSR_API void tsr_get_slice_tile(tsr_distributed_tensor const *t, tsr_encoding_slice const *slice,
                                tsr_distributed_tensor const *part)
{
    for (int64_t i = 0; i < part->buffer.size && t->buffer.data; ++i)
        tsr_move_element_(part, i, t, tsr_slice_source(&t->encoding, slice, i));
}

TSR_API void tsr_set_slice_tile(tsr_distributed_tensor const *t, tsr_encoding_slice const *slice,
                                tsr_distributed_tensor const *part)
{
    for (int64_t i = 0; i < part->buffer.size; ++i)
        tsr_move_element_(t, tsr_slice_source(&t->encoding, slice, i), part, i);
}

TSR_API tsr_reason tsr_shuffle_tile(tsr_distributed_tensor const *from, tsr_distributed_tensor const *to)
{
    tsr_reason why = tsr_shuffle_why(&from->encoding, &to->encoding);
    if (!why.status && from->buffer.type != to->buffer.type)
        why = tsr_because(TSR_TYPE, 0, 0, 0, 0);
    for (int64_t i = 0; i < to->buffer.size && from->buffer.data && !why.status; ++i)
        tsr_move_element_(to, i, from, tsr_shuffle_source(&from->encoding, &to->encoding, i));
    return why;
}

TSR_API tsr_reason tsr_block_tile_reduce(tsr_distributed_tensor const *t, tsr_distributed_tensor const *sum,
                                         uint32_t dims, tsr_memory_operation op)
{
    tsr_reason why = tsr_update_why(&sum->buffer, op);
    if (!why.status && sum->buffer.type != t->buffer.type)
        why = tsr_because(TSR_TYPE, 0, 0, 0, 0);
    for (int64_t i = 0; i < t->buffer.size && !why.status; ++i)
        tsr_buffer_update_(&sum->buffer, op, tsr_reduce_target(&t->encoding, dims, i), true,
                           tsr_buffer_at_(&t->buffer, i));
    return why;
}

/** *x = op(*x, *y), *y = op(*y, *x) at once. */
static void tsr_exchange_(tsr_memory_operation op, tsr_dtype type, void *x, void *y)
{
    unsigned char other[TSR_MAX_ELEMENT];
    int const bytes = tsr_element_bytes(type);
    tsr_copy_bytes_(other, x, bytes);
    tsr_combine_at_(op, type, x, y);
    tsr_combine_at_(op, type, y, other);
}

TSR_API tsr_reason tsr_block_tile_reduce_sync(tsr_encoding const *e, int p, tsr_memory_operation op, tsr_dtype type,
                                              void *buffers)
{
    tsr_buffer_view const all = tsr_thread_buffer_view_(buffers, 1, type);
    tsr_reason why = tsr_lane_why(e, p);
    if (!why.status)
        why = tsr_update_why(&all, op == TSR_UPDATE_SET ? TSR_UPDATE_ADD : op);
    if (why.status)
        return why;
    tsr_index const length = tsr_p_lengths(e);
    int64_t const size = tsr_thread_buffer_size(e);
    int64_t inner = 1, outer = 1; /* of the P behind p, and before it */
    for (int i = 0; i < e->ps; ++i)
        *(i < p ? &outer : &inner) *= i == p ? 1 : length.at[i];
    for (int stage = 0; stage < tsr_lane_stages(e, p); ++stage)
        for (int64_t n = 0; n < outer * length.at[p] * inner; ++n) {
            int64_t const lane = n / inner % length.at[p], partner = tsr_lane_partner(e, p, stage, lane);
            for (int64_t i = 0; i < size && lane < partner; ++i)
                tsr_exchange_(op, type, tsr_buffer_at_(&all, n * size + i),
                              tsr_buffer_at_(&all, (n + (partner - lane) * inner) * size + i));
        }
    return why;
}

#endif
