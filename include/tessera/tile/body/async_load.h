/** The bodies of tile/async_load.h. */
#ifndef TSR_TILE_BODY_ASYNC_LOAD_H
#define TSR_TILE_BODY_ASYNC_LOAD_H

#include "tessera/tile/async_load.h"
#include "tessera/tile/body/operations.h"
#include "tessera/tile/body/tile_window.h"

TSR_HEADER_BEGIN

TSR_OP_MEMORY void tsr_buffer_async_get(tsr_buffer_view const *b, int64_t i, tsr_buffer_view const *smem, int64_t to,
                                        bool valid)
{
    unsigned char element[TSR_MAX_ELEMENT];
    tsr_buffer_get_(b, i, valid, element);
    tsr_buffer_set_(smem, to, true, element);
}

TSR_OP_MEMORY tsr_reason tsr_async_load_tile(tsr_tile_window const *window, tsr_window_position const *from,
                                             tsr_tile_window const *smem, tsr_window_position const *to)
{
    tsr_encoding const *const e = &window->encoding;
    tsr_reason why = tsr_window_why(smem);
    if (!why.status)
        why = tsr_window_why(window);
    if (!why.status && (window->view.buffer.space != TSR_GMEM || smem->view.buffer.space != TSR_SMEM))
        why = tsr_because(TSR_LOAD_SPACE, 0, window->view.buffer.space, smem->view.buffer.space, 0);
    if (!why.status)
        why = tsr_shuffle_why(e, &smem->encoding);
    if (!why.status && smem->view.buffer.type != window->view.buffer.type)
        why = tsr_because(TSR_TYPE, 0, 0, 0, 0);
    int64_t const elements = why.status ? 0 : tsr_thread_buffer_size(e);
    for (int64_t n = 0; n < elements; ++n) {
        tsr_index const y = tsr_thread_buffer_index(e, n);
        tsr_coordinate a = from->at, b = to->at;
        int64_t step[TSR_MAX_DIMS] = {0};
        for (int k = 0; k < e->ys; ++k)
            step[tsr_x_of_y_(e, k)] += y.at[k] * tsr_factor_weight_(e, e->y_factor[k]);
        tsr_move_tensor_coordinate(&window->view.descriptor, &a, step);
        tsr_move_tensor_coordinate(&smem->view.descriptor, &b, step);
        if (tsr_coordinate_has_valid_offset(&smem->view.descriptor, &b))
            tsr_buffer_async_get(&window->view.buffer, a.hidden[0], &smem->view.buffer, b.hidden[0],
                                 tsr_coordinate_has_valid_offset(&window->view.descriptor, &a));
    }
    return why;
}

TSR_HEADER_END

#endif
