/** Tile window: a box of a tensor view that a distribution deals out to threads; it moves, loads and stores.
 *
 *  A thread walks its Y box along a space-filling curve, `width` elements an access, along the Y whose vectors are
 *  sure. Positions are explicit: one a partition index, so that a loop over tiles moves them and never makes them
 *  anew.
 *
 *  A window that is planned (tsr_plan_tile_window) and lies inside the tensor reads and writes without coordinates
 *  and without checks: then offset and guards are affine in X, and the whole tile is known to be there.
 *
 *  Law     load: buffer[d(y)] = view at (origin + X(p, y)), for every y; what is outside the tensor or padding is the
 *          invalid value. store: the other way round, and what is outside is not written.
 *          move(position, step) = the position in the window moved by step.
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/tile_window.hpp, load_store_traits. Ours differ: the
 *          top index is checked.
 */
#ifndef TSR_TILE_TILE_WINDOW_H
#define TSR_TILE_TILE_WINDOW_H

#include "tessera/tile/curve.h"
#include "tessera/tile/distribution.h"
#include "tessera/tile/tensor_view.h"

/** How a thread accesses its part of the tile. */
typedef struct tsr_load_store_traits {
    tsr_vector y[TSR_MAX_DIMS];
    uint8_t vector_y;
    int64_t width, accesses;
} tsr_load_store_traits;

/** lo <= base + sum of x_i * stride_i < hi: offsets in the buffer, and the guards of pads. */
typedef struct tsr_affine {
    int64_t base, lo, hi, stride[TSR_MAX_XS];
} tsr_affine;

typedef struct tsr_tile_window {
    tsr_reason why;
    tsr_tensor_view view;
    tsr_tile_distribution distribution;
    tsr_index origin;
    tsr_load_store_traits traits;
    tsr_curve curve;
    tsr_vector sure;              /* of the dimension of the tensor along which vectors lie */
    uint8_t x_of_y[TSR_MAX_DIMS]; /* the dimension of the tensor that a Y moves */
    int64_t weight_of_y[TSR_MAX_DIMS];
    bool interior; /* planned, and every element of the tile is there */
    int limits;    /* planned: the offset first, then the guards; else 0 */
    tsr_affine limit[1 + TSR_MAX_GUARDS];
} tsr_tile_window;

/** Where one thread is: at Y = 0. */
typedef struct tsr_window_position {
    tsr_coordinate at;
} tsr_window_position;

/** The vectors that are sure of each Y, and of them the widest.
 *  `top` is what is sure of the dimensions of the tensor. */
TSR_FN tsr_load_store_traits tsr_make_load_store_traits(tsr_tile_distribution const *d, tsr_vector const *top)
{
    tsr_load_store_traits t = TSR_ZERO;
    tsr_vector hidden[TSR_MAX_HIDDEN] TSR_SCRATCH;
    tsr_encoding const *const e = &d->encoding;
    for (int i = 0; i < d->graph.hidden; ++i)
        hidden[i] = tsr_no_vector_();
    for (int i = 0; i < e->xs; ++i)
        hidden[d->graph.bottom[i]] = top[i];
    tsr_adaptor_vectors(&d->graph, hidden, false);
    t.width = 1;
    for (int i = 0; i < e->ys; ++i) {
        t.y[i] = hidden[d->graph.top[e->ps + i]];
        if (t.y[i].stride == 1 && t.y[i].length > t.width) {
            t.vector_y = (uint8_t)i;
            t.width = t.y[i].length;
        }
    }
    t.accesses = tsr_thread_buffer_size(e) / t.width;
    return t;
}

/** Errors  those of the view and of the encoding; WINDOW_RANK. */
TSR_INLINE tsr_tile_window tsr_make_tile_window(tsr_tensor_view const *view, tsr_encoding const *e,
                                                int64_t const *origin)
{
    tsr_tile_window w = TSR_ZERO;
    tsr_vector top[TSR_MAX_DIMS];
    int64_t order[TSR_MAX_DIMS] = {0}, per[TSR_MAX_DIMS] = {0};
    w.view = *view;
    w.distribution = tsr_make_static_tile_distribution(e);
    w.why = tsr_tensor_view_reason(view);
    if (!w.why.status)
        w.why = tsr_distribution_reason(&w.distribution);
    if (!w.why.status && e->xs != view->descriptor.graph.tops)
        w.why = tsr_because(TSR_WINDOW_RANK, 0, e->xs, view->descriptor.graph.tops, 0);
    if (w.why.status)
        return w;
    w.origin.rank = e->xs;
    for (int i = 0; i < e->xs; ++i)
        w.origin.at[i] = origin[i];
    tsr_descriptor_vectors(&view->descriptor, false, top);
    w.traits = tsr_make_load_store_traits(&w.distribution, top);
    for (int i = 0; i < e->ys; ++i) {
        w.x_of_y[i] = (uint8_t)(tsr_place_of_(e, e->y_factor[i]).major - 1);
        w.weight_of_y[i] = tsr_factor_weight_(e, e->y_factor[i]);
        order[i] = i;
        per[i] = i == w.traits.vector_y ? w.traits.width : 1;
    }
    w.sure = e->ys > 0 ? top[w.x_of_y[w.traits.vector_y]] : tsr_no_vector_();
    tsr_index const y = tsr_y_lengths(e);
    w.curve = tsr_make_space_filling_curve(y.rank, y.at, order, per, true);
    return w;
}

/** Where the thread of a partition index begins. */
TSR_INLINE tsr_window_position tsr_window_begin(tsr_tile_window const *w, int64_t const *p)
{
    int64_t const y[TSR_MAX_DIMS] = {0};
    tsr_window_position r;
    tsr_index x = tsr_distribution_x(&w->distribution, p, y);
    for (int i = 0; i < x.rank; ++i)
        x.at[i] = tsr_wrap_add_(x.at[i], w->origin.at[i]);
    r.at = tsr_make_tensor_coordinate(&w->view.descriptor, x.at);
    return r;
}

/** Is every element of the tile there? */
TSR_FN bool tsr_window_inside_(tsr_tile_window const *w)
{
    tsr_index const tile = tsr_x_lengths(&w->distribution.encoding);
    tsr_index const tensor = tsr_adaptor_lengths(&w->view.descriptor.graph);
    for (int i = 0; i < tile.rank; ++i)
        if (w->origin.at[i] < 0 || w->origin.at[i] > tensor.at[i] - tile.at[i])
            return false;
    for (int k = 0; k < w->limits; ++k) {
        tsr_affine const *const l = &w->limit[k];
        int64_t least = l->base, greatest = l->base;
        for (int i = 0; i < tile.rank; ++i) {
            int64_t const reach = (tile.at[i] - 1) * l->stride[i], from = w->origin.at[i] * l->stride[i];
            least += from + (reach < 0 ? reach : 0);
            greatest += from + (reach < 0 ? 0 : reach);
        }
        if (least < l->lo || greatest >= l->hi)
            return false;
    }
    return w->limits > 0;
}

/** One more limit, from a sum of digits; false when it is not affine. */
TSR_FN bool tsr_plan_limit_(tsr_tile_window *w, tsr_digits const *s, int slot, int64_t lo, int64_t hi)
{
    tsr_modes_ const m = tsr_sum_modes_(s, slot, w->origin.rank);
    tsr_affine *const l = &w->limit[w->limits];
    if (w->limits == 1 + TSR_MAX_GUARDS || m.full || tsr_sum_kind_(s, slot) != TSR_FOLDED)
        return false;
    ++w->limits;
    l->base = s->slot[slot].constant;
    l->lo = lo;
    l->hi = hi;
    for (int i = 0; i < w->origin.rank; ++i) {
        if (m.factors[i] > 1)
            return false;
        l->stride[i] = m.factors[i] == 1 ? m.stride[i][0] : 0;
    }
    return true;
}

/** Looks for the affine form, by the digits of the graph: worth its few microseconds on the host, once a window.
 *  Where there is none, nothing changes. */
TSR_FN void tsr_plan_tile_window(tsr_tile_window *w)
{
    tsr_digits s TSR_SCRATCH;
    tsr_adaptor const *const a = &w->view.descriptor.graph;
    if (w->why.status)
        return;
    tsr_make_digits(&s, a);
    w->limits = 0;
    bool planned = tsr_plan_limit_(w, &s, 0, 0, w->view.buffer.size);
    for (int i = 0; i < a->nodes && planned; ++i) {
        tsr_coord_transform const *const t = &a->node[i].transform;
        if (!tsr_transform_always_valid(t))
            planned = tsr_plan_limit_(w, &s, a->node[i].low[0], t->kind == TSR_TRANSFORM_RIGHT_PAD ? -TSR_INT_MAX : 0,
                                      t->kind == TSR_TRANSFORM_LEFT_PAD ? TSR_INT_MAX : t->low[0]);
    }
    w->limits = planned ? w->limits : 0;
    w->interior = tsr_window_inside_(w);
}

/** Moves the window; the positions of its threads are moved by the same step. */
TSR_INLINE void tsr_move_tile_window(tsr_tile_window *w, int64_t const *step)
{
    for (int i = 0; i < w->origin.rank; ++i)
        w->origin.at[i] = tsr_wrap_add_(w->origin.at[i], step[i]);
    w->interior = w->limits > 0 && tsr_window_inside_(w);
}

TSR_INLINE void tsr_move_window_position(tsr_tile_window const *w, tsr_window_position *p, int64_t const *step)
{
    tsr_move_tensor_coordinate(&w->view.descriptor, &p->at, step);
}

/** An element, or a run of them, between memory and buffer. */
TSR_INLINE void tsr_transfer_(tsr_tile_window const *w, tsr_access access, int64_t offset, tsr_elements buffer,
                              int64_t at, int64_t elements)
{
    int const bytes = w->view.buffer.bytes;
    if (access == TSR_ACCESS_GET)
        tsr_copy_bytes_(buffer.out + at * bytes, tsr_buffer_at_(&w->view.buffer, offset), elements * bytes);
    else if (access == TSR_ACCESS_SET)
        tsr_copy_bytes_(tsr_buffer_at_(&w->view.buffer, offset), buffer.in + at * bytes, elements * bytes);
    else
        tsr_access_one_(&w->view, access, offset, true, buffer, at * bytes);
}

/** All elements of a thread whose tile is there: offsets are counted, runs where memory and buffer both go on by 1.
 */
TSR_INLINE void tsr_interior_access_(tsr_tile_window const *w, tsr_access access, tsr_window_position const *p,
                                     tsr_elements buffer)
{
    tsr_encoding const *const e = &w->distribution.encoding;
    int64_t y[TSR_MAX_DIMS], stride[TSR_MAX_DIMS], length[TSR_MAX_DIMS];
    int64_t offset = p->at.hidden[0], run = 1;
    int last = e->ys - 1;
    for (int k = 0; k < e->ys; ++k) {
        y[k] = 0;
        stride[k] = w->limit[0].stride[w->x_of_y[k]] * w->weight_of_y[k];
        length[k] = e->length[e->y_factor[k]];
    }
    if (last >= 0 && stride[last] == 1 && access != TSR_ACCESS_UPDATE)
        run = length[last--];
    for (int64_t at = 0;; at += run) {
        tsr_transfer_(w, access, offset, buffer, at, run);
        int k = last;
        for (; k >= 0; --k) {
            offset += stride[k];
            if (++y[k] < length[k])
                break;
            offset -= stride[k] * length[k];
            y[k] = 0;
        }
        if (k < 0)
            return;
    }
}

/** All accesses of a thread, along the curve. */
TSR_INLINE void tsr_window_access_(tsr_tile_window const *w, tsr_access access, tsr_window_position const *p,
                                   tsr_elements buffer)
{
    tsr_encoding const *const e = &w->distribution.encoding;
    tsr_coordinate at = p->at;
    int const d = e->ys > 0 ? w->x_of_y[w->traits.vector_y] : 0, bytes = w->view.buffer.bytes;
    tsr_index y = TSR_ZERO;
    if (w->why.status)
        return;
    if (w->interior) {
        tsr_interior_access_(w, access, p, buffer);
        return;
    }
    y.rank = e->ys;
    buffer.pitch = bytes;
    for (int k = w->traits.vector_y + 1; k < e->ys; ++k)
        buffer.pitch *= e->length[e->y_factor[k]];
    for (int64_t i = 0; i < w->traits.accesses; ++i) {
        tsr_elements part = buffer;
        int64_t const offset = tsr_thread_buffer_offset(e, y.at) * bytes;
        if (access == TSR_ACCESS_GET)
            part.out += offset;
        else
            part.in += offset;
        tsr_access_vector_(&w->view, access, &at, d, w->traits.width, w->sure, part);
        if (i + 1 == w->traits.accesses)
            break;
        int64_t step[TSR_MAX_DIMS] = {0};
        tsr_index const next = tsr_curve_index(&w->curve, i + 1);
        for (int k = 0; k < e->ys; ++k)
            step[w->x_of_y[k]] += (next.at[k] - y.at[k]) * w->weight_of_y[k];
        tsr_move_tensor_coordinate(&w->view.descriptor, &at, step);
        y = next;
    }
}

/** The thread's part of the tile into its buffer, of tsr_thread_buffer_size() elements. */
TSR_INLINE void tsr_load_tile(tsr_tile_window const *w, tsr_window_position const *p, void *buffer)
{
    tsr_window_access_(w, TSR_ACCESS_GET, p, tsr_elements_out_(&w->view, buffer));
}

TSR_INLINE void tsr_store_tile(tsr_tile_window const *w, tsr_window_position const *p, void const *buffer)
{
    tsr_window_access_(w, TSR_ACCESS_SET, p, tsr_elements_in_(&w->view, buffer));
}

/** memory becomes op(memory, buffer), with the operation of the view. */
TSR_INLINE void tsr_update_tile(tsr_tile_window const *w, tsr_window_position const *p, void const *buffer)
{
    tsr_window_access_(w, TSR_ACCESS_UPDATE, p, tsr_elements_in_(&w->view, buffer));
}

#endif
