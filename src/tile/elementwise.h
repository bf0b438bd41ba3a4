/** The functions of tile/elementwise.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TILE_ELEMENTWISE_H
#define TSR_SRC_TILE_ELEMENTWISE_H

#include "tessera/tile/elementwise.h"
#include "tile/distributed_tensor.h"

TSR_API tsr_reason tsr_tile_elementwise_inout(tsr_element_function *f, void *context, int count,
                                              tsr_distributed_tensor const *const *tensor)
{
    void *element[TSR_MAX_OPERANDS] = {0};
    tsr_reason why =
        tsr_because(0 < count && count <= TSR_MAX_OPERANDS ? TSR_OK : TSR_DIMS, 0, count, TSR_MAX_OPERANDS, 0);
    bool empty = false;
    for (int k = 0; k < count && !why.status; ++k) {
        why = tsr_shuffle_why(&tensor[k]->encoding, &tensor[0]->encoding);
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

TSR_API tsr_reason tsr_tile_elementwise_in(tsr_element_function *f, void *context, int count,
                                           tsr_distributed_tensor const *const *in, tsr_distributed_tensor const *out)
{
    tsr_distributed_tensor const *all[TSR_MAX_OPERANDS] = {out};
    for (int k = 0; k < count && count < TSR_MAX_OPERANDS; ++k)
        all[k + 1] = in[k];
    return tsr_tile_elementwise_inout(f, context, count < 0 ? 0 : count + 1, all);
}

TSR_API tsr_reason tsr_cast_tile(tsr_distributed_tensor const *from, tsr_distributed_tensor const *to)
{
    tsr_dtype const a = from->buffer.type, b = to->buffer.type;
    tsr_reason why = tsr_shuffle_why(&from->encoding, &to->encoding);
    if (!why.status && (tsr_number_kind_of(a) == TSR_NO_NUMBER || tsr_number_kind_of(b) == TSR_NO_NUMBER))
        why = tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    for (int64_t i = 0; !why.status && from->buffer.data && i < to->buffer.size; ++i) {
        int64_t const source = tsr_shuffle_source(&from->encoding, &to->encoding, i);
        tsr_store(b, tsr_buffer_at_(&to->buffer, i), 0, tsr_load(a, tsr_buffer_at_(&from->buffer, source), 0));
    }
    return why;
}

#endif
