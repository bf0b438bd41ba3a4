/** Functions of the elements that a thread holds, and casts: on distributed tensors, element by element.
 *
 *  Elements correspond by their place in the tile, so that tensors may differ in the order of Y. A tensor without a
 *  buffer makes the operation do nothing, as CK Tile's null tensors do.
 *
 *  Law     elementwise: element x of every tensor is in one call of the function, for every x that the thread holds.
 *          cast: to[x] = from[x], converted in one rounding; back again where the type of `to` holds all numbers.
 *  Errors  SHUFFLE; NOT_NUMBERS; nothing is done then.
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/tile_elementwise.hpp.
 */
#ifndef TSR_TILE_ELEMENTWISE_H
#define TSR_TILE_ELEMENTWISE_H

#include "tessera/tensor/access.h"
#include "tessera/tile/distributed_tensor.h"

TSR_HEADER_BEGIN

/** Reads and writes one element of each tensor; `context` is the caller's. */
typedef void tsr_element_function(void *context, void *const *element);

#define TSR_MAX_OPERANDS 8

/** f on the elements of `count` tensors, which it may change: at most TSR_MAX_OPERANDS.
 *  Errors  SHUFFLE where distributions differ in more than the order of Y; DIMS for too many tensors. */
TSR_INLINE tsr_reason tsr_tile_elementwise_inout(tsr_element_function *f, void *context, int count,
                                                 tsr_distributed_tensor const *const *tensor)
{
    void *element[TSR_MAX_OPERANDS] = {0};
    tsr_reason why =
        tsr_because(0 < count && count <= TSR_MAX_OPERANDS ? TSR_OK : TSR_DIMS, 0, count, TSR_MAX_OPERANDS, 0);
    bool empty = false;
    for (int k = 0; k < count && !why.status; ++k) {
        why = tsr_shuffle_reason(&tensor[k]->encoding, &tensor[0]->encoding);
        empty = empty || !tensor[k]->buffer.data;
    }
    for (int64_t i = 0; !why.status && !empty && i < tensor[0]->buffer.size; ++i) {
        for (int k = 0; k < count; ++k)
            element[k] =
                tsr_buffer_at_(&tensor[k]->buffer, tsr_shuffle_source(&tensor[k]->encoding, &tensor[0]->encoding, i));
        (*f)(context, element);
    }
    return why;
}

/** out[x] = f(in[0][x], ..): element[0] is that of `out`, the others are those of `in`, which f only reads. */
TSR_INLINE tsr_reason tsr_tile_elementwise_in(tsr_element_function *f, void *context,
                                              tsr_distributed_tensor const *out, int count,
                                              tsr_distributed_tensor const *const *in)
{
    tsr_distributed_tensor const *all[TSR_MAX_OPERANDS] = {out};
    for (int k = 0; k < count && count < TSR_MAX_OPERANDS; ++k)
        all[k + 1] = in[k];
    return tsr_tile_elementwise_inout(f, context, count < 0 ? 0 : count + 1, all);
}

/** The elements of `from` as the type of `to`. Errors  SHUFFLE, NOT_NUMBERS. */
TSR_INLINE tsr_reason tsr_cast_tile(tsr_distributed_tensor const *to, tsr_distributed_tensor const *from)
{
    tsr_dtype const a = from->buffer.type, b = to->buffer.type;
    tsr_reason why = tsr_shuffle_reason(&from->encoding, &to->encoding);
    if (!why.status && (tsr_number_kind_of(a) == TSR_NO_NUMBER || tsr_number_kind_of(b) == TSR_NO_NUMBER))
        why = tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    for (int64_t i = 0; !why.status && from->buffer.data && i < to->buffer.size; ++i) {
        int64_t const source = tsr_shuffle_source(&from->encoding, &to->encoding, i);
        tsr_store(b, tsr_buffer_at_(&to->buffer, i), 0, tsr_load(a, tsr_buffer_at_(&from->buffer, source), 0));
    }
    return why;
}

TSR_HEADER_END

#endif
