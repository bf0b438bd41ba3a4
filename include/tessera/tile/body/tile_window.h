/** The bodies of tile/tile_window.h. */
#ifndef TSR_TILE_BODY_TILE_WINDOW_H
#define TSR_TILE_BODY_TILE_WINDOW_H

#include "tessera/tile/tile_window.h"
#include "tessera/tile/body/distribution.h"
#include "tessera/tile/body/fold.h"
#include "tessera/tile/body/coordinate.h"
#include "tessera/tile/body/tensor_view.h"
#include "tessera/tile/body/tile_transfer.h"

TSR_HEADER_BEGIN

/** The dimension of the tile that a Y moves. */
TSR_LOCAL int tsr_x_of_y_(tsr_encoding const *e, int y) { return tsr_place_of_(e, e->y_factor[y]).major - 1; }

TSR_OP tsr_load_store_traits tsr_make_load_store_traits(tsr_encoding const *e, tsr_vector const *top)
{
    tsr_load_store_traits t = TSR_ZERO;
    t.width = 1;
    for (int i = 0; i < e->ys; ++i) {
        int const f = e->y_factor[i], x = tsr_x_of_y_(e, i);
        t.y[i] = f + 1 == e->first[x + 2] ? tsr_vector_cut_(top[x], e->length[f]) : tsr_no_vector();
        if (t.y[i].stride == 1 && t.y[i].length > t.width) {
            t.vector_y = (uint8_t)i;
            t.width = t.y[i].length;
        }
    }
    t.accesses = tsr_thread_buffer_size(e) / t.width;
    return t;
}

TSR_OP_MEMORY tsr_tile_window tsr_make_tile_window(tsr_tensor_view const *view, tsr_encoding const *e,
                                                   int64_t const *origin)
{
    tsr_tile_window w = TSR_ZERO;
    tsr_vector top[TSR_MAX_DIMS];
    w.view = *view;
    w.encoding = *e;
    if (!e->why.status && e->xs != view->descriptor.graph.tops)
        w.encoding.why = tsr_because(TSR_WINDOW_RANK, 0, e->xs, view->descriptor.graph.tops, 0);
    if (!tsr_window_ok(&w))
        return w;
    for (int i = 0; i < e->xs; ++i)
        w.origin[i] = origin[i];
    tsr_descriptor_vectors(&view->descriptor, false, top);
    tsr_load_store_traits const traits = tsr_make_load_store_traits(e, top);
    w.vector_y = traits.vector_y;
    w.width = traits.width;
    return w;
}

TSR_OP_MEMORY tsr_window_position tsr_window_begin(tsr_tile_window const *w, int64_t const *p)
{
    int64_t const y[TSR_MAX_DIMS] = {0};
    tsr_window_position r;
    tsr_index x = tsr_distribution_x(&w->encoding, p, y);
    for (int i = 0; i < x.rank; ++i)
        x.at[i] = tsr_wrap_add(x.at[i], w->origin[i]);
    r.at = tsr_make_tensor_coordinate(&w->view.descriptor, x.at);
    return r;
}

TSR_OP_MEMORY void tsr_move_tile_window(tsr_tile_window *w, int64_t const *step)
{
    for (int i = 0; i < w->encoding.xs; ++i)
        w->origin[i] = tsr_wrap_add(w->origin[i], step[i]);
    w->place = (uint8_t)tsr_planned_tile_place(&w->plan, w->origin);
}

TSR_OP_MEMORY void tsr_move_window_position(tsr_tile_window const *w, tsr_window_position *p, int64_t const *step)
{
    tsr_move_tensor_coordinate(&w->view.descriptor, &p->at, step);
}

/** A Y as a loop of accesses: how far one is from the next, along an X and in the buffer. */
typedef struct tsr_y_loop_ {
    int x;
    int64_t count, step, buffer;
} tsr_y_loop_;

/** The accesses of a thread, each by the graph, along a space-filling curve (tile/curve.h): the last Y is the fastest,
 *  and a Y turns back where it ends. */
TSR_LOCAL_MEMORY void tsr_graph_access_(tsr_tile_window const *w, tsr_access access, tsr_window_position const *p,
                                        tsr_elements buffer)
{
    tsr_encoding const *const e = &w->encoding;
    tsr_coordinate at;
    tsr_y_loop_ y[TSR_MAX_DIMS] TSR_SCRATCH;
    int64_t digit[TSR_MAX_DIMS] = {0}, step[TSR_MAX_XS] = {0}, elements = 1;
    uint32_t backward = 0;
    tsr_copy_coordinate_(&w->view.descriptor, &at, &p->at);
    for (int k = e->ys - 1; k >= 0; --k) {
        int const f = e->y_factor[k];
        bool const vector = k == w->vector_y;
        y[k].x = tsr_x_of_y_(e, k);
        y[k].count = vector ? e->length[f] / w->width : e->length[f];
        y[k].step = tsr_factor_product_(e, f + 1, e->first[y[k].x + 2]) * (vector ? w->width : 1);
        y[k].buffer = elements * (vector ? w->width : 1) * w->view.buffer.bytes;
        buffer.pitch = vector ? elements * w->view.buffer.bytes : buffer.pitch;
        elements *= e->length[f];
    }
    int const along = e->ys > 0 ? y[w->vector_y].x : 0;
    tsr_vector const sure = tsr_make_vector(w->width, 1);
    for (int k = 0; k >= 0;) {
        tsr_access_vector_(&w->view, access, &at, 0, along, w->width, sure, buffer);
        for (k = e->ys - 1; k >= 0; --k) {
            int64_t const sign = (backward >> k & 1u) != 0 ? -1 : 1, next = digit[k] + sign;
            if (next < 0 || next >= y[k].count) {
                backward ^= 1u << k;
                continue;
            }
            digit[k] = next;
            step[y[k].x] = sign * y[k].step;
            tsr_move_tensor_coordinate(&w->view.descriptor, &at, step);
            step[y[k].x] = 0;
            if (access == TSR_ACCESS_GET)
                buffer.out += sign * y[k].buffer;
            else
                buffer.in += sign * y[k].buffer;
            break;
        }
    }
}

/** All accesses of a thread: by the plan, or by the graph. */
TSR_LOCAL_MEMORY void tsr_window_access_(tsr_tile_window const *w, tsr_access access, tsr_window_position const *p,
                                         tsr_elements buffer)
{
    if (!tsr_window_ok(w) || (access != TSR_ACCESS_GET && w->view.buffer.constant))
        return;
    if (w->place == TSR_TILE_INSIDE && access != TSR_ACCESS_UPDATE && w->plan.swizzle.bits == 0) {
        tsr_box_transfer_(&w->plan, &w->plan.thread, &w->view.buffer, access == TSR_ACCESS_GET, p->at.hidden[0],
                          buffer.out, buffer.in);
    } else if (w->place == TSR_TILE_BY_GRAPH || TSR_ON_GPU) { /* kernels that plan have tsr_planned_tile_load() */
        tsr_graph_access_(w, access, p, buffer);
    } else {
        int64_t x[TSR_MAX_XS] TSR_SCRATCH;
        for (int i = 0; i < w->encoding.xs; ++i)
            x[i] = p->at.hidden[w->view.descriptor.graph.top[i]];
        tsr_planned_tile_transfer(&w->plan, &w->view.buffer, access, w->view.operation, (tsr_tile_place)w->place, x,
                                  w->plan.thread_loops, buffer.out, buffer.in);
    }
}

TSR_OP_MEMORY void tsr_load_tile(tsr_tile_window const *w, tsr_window_position const *p, void *buffer)
{
    tsr_window_access_(w, TSR_ACCESS_GET, p, tsr_elements_out_(&w->view, buffer));
}

TSR_OP_MEMORY void tsr_store_tile(tsr_tile_window const *w, tsr_window_position const *p, void const *buffer)
{
    tsr_window_access_(w, TSR_ACCESS_SET, p, tsr_elements_in_(&w->view, buffer));
}

TSR_OP_MEMORY void tsr_update_tile(tsr_tile_window const *w, tsr_window_position const *p, void const *buffer)
{
    tsr_window_access_(w, TSR_ACCESS_UPDATE, p, tsr_elements_in_(&w->view, buffer));
}

/** The parts of all threads, their buffers one behind the other in the order of P, the last P fastest. */
TSR_LOCAL_MEMORY void tsr_block_access_(tsr_tile_window const *w, tsr_access access, tsr_elements buffers)
{
    if (!tsr_window_ok(w) || (access != TSR_ACCESS_GET && w->view.buffer.constant))
        return;
    if (w->place != TSR_TILE_BY_GRAPH) {
        tsr_planned_tile_transfer(&w->plan, &w->view.buffer, access, w->view.operation, (tsr_tile_place)w->place,
                                  w->origin, 0, buffers.out, buffers.in);
        return;
    }
    tsr_index const ps = tsr_p_lengths(&w->encoding);
    int64_t const bytes = tsr_thread_buffer_size(&w->encoding) * w->view.buffer.bytes;
    int64_t p[TSR_MAX_DIMS] = {0};
    do {
        tsr_window_position const at = tsr_window_begin(w, p);
        tsr_window_access_(w, access, &at, buffers);
        if (access == TSR_ACCESS_GET)
            buffers.out += bytes;
        else
            buffers.in += bytes;
    } while (tsr_next_index(&ps, p));
}

TSR_OP_MEMORY void tsr_load_block_tile(tsr_tile_window const *w, void *buffers)
{
    tsr_block_access_(w, TSR_ACCESS_GET, tsr_elements_out_(&w->view, buffers));
}

TSR_OP_MEMORY void tsr_store_block_tile(tsr_tile_window const *w, void const *buffers)
{
    tsr_block_access_(w, TSR_ACCESS_SET, tsr_elements_in_(&w->view, buffers));
}

TSR_OP_MEMORY void tsr_update_block_tile(tsr_tile_window const *w, void const *buffers)
{
    tsr_block_access_(w, TSR_ACCESS_UPDATE, tsr_elements_in_(&w->view, buffers));
}

TSR_HEADER_END

#endif
