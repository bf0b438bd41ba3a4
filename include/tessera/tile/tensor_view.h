/** Tensor view: a buffer seen through a descriptor.
 *
 *  An element is named by its top index. It is there when the index is inside the lengths and hits no padding; this
 *  is checked unless a function says unchecked. A vector is `width` elements along the last dimension, each of which
 *  is there or not on its own, wherever an edge runs.
 *
 *  Law     get after set gives what was set; a view of a view reads the same memory: nothing is copied.
 *  Example  get naive((4,6),(8,1),v=4,s=1) | pass(4):0>0 + rpad(6,2):1>1 w=4 @ (0,4)  =  (4,5,0,0)
 *  Source   ROCm composable_kernel, include/ck_tile/core/tensor/tensor_view.hpp. Ours differ: the top index is
 *           checked, a vector across an edge is right, and the invalid value fills every element.
 */
#ifndef TSR_TILE_TENSOR_VIEW_H
#define TSR_TILE_TENSOR_VIEW_H

#include "tessera/tile/buffer_view.h"
#include "tessera/tile/coordinate.h"

typedef struct tsr_tensor_view {
    tsr_buffer_view buffer;
    tsr_descriptor descriptor;
    tsr_memory_operation operation; /* what update does */
    tsr_vector vector;              /* what is sure of the last dimension */
    bool padded;                    /* some pad may hit */
} tsr_tensor_view;

TSR_FN tsr_reason tsr_tensor_view_reason(tsr_tensor_view const *v) { return v->descriptor.graph.why; }

/** What reading and writing need to know of the descriptor. */
TSR_INLINE void tsr_view_know_(tsr_tensor_view *v)
{
    tsr_vector top[TSR_MAX_DIMS];
    tsr_adaptor const *const a = &v->descriptor.graph;
    v->vector = tsr_no_vector_();
    v->padded = false;
    if (a->why.status)
        return;
    tsr_descriptor_vectors(&v->descriptor, false, top);
    if (a->tops > 0)
        v->vector = top[a->tops - 1];
    for (int i = 0; i < a->nodes; ++i)
        v->padded = v->padded || !tsr_transform_always_valid(&a->node[i].transform);
}

/** A descriptor may reach beyond the buffer: what is not in the buffer is not there.
 *  Errors  those of the descriptor; UPDATE_SPACE, UPDATE_TYPE. */
TSR_INLINE tsr_tensor_view tsr_make_tensor_view(tsr_buffer_view buffer, tsr_descriptor const *d,
                                                tsr_memory_operation operation)
{
    tsr_tensor_view v = TSR_ZERO;
    v.buffer = buffer;
    v.descriptor = *d;
    v.operation = operation;
    tsr_reason *const why = &v.descriptor.graph.why;
    if (!why->status && buffer.data)
        *why = tsr_update_reason(&buffer, operation);
    tsr_view_know_(&v);
    return v;
}

/** Nothing to see: every element is invalid, writes do nothing. */
TSR_INLINE tsr_tensor_view tsr_null_tensor_view(void)
{
    int64_t const none = 1;
    tsr_buffer_view const buffer = tsr_make_buffer_view(TSR_SPACE_GENERIC, (void *)0, 0, TSR_U8);
    tsr_descriptor const d = tsr_make_naive_tensor_descriptor_packed(1, &none, 0);
    return tsr_make_tensor_view(buffer, &d, TSR_UPDATE_SET);
}

/* Views of views */

TSR_INLINE tsr_tensor_view tsr_transform_tensor_view(tsr_tensor_view v, int links, tsr_link const *link)
{
    tsr_adaptor_stage(&v.descriptor.graph, links, link);
    tsr_view_know_(&v);
    return v;
}

/** One transform for each dimension, which becomes dimension to[i]. */
TSR_INLINE tsr_tensor_view tsr_view_by_dims_(tsr_tensor_view v, tsr_coord_transform const *t, uint8_t const *to)
{
    tsr_link link[TSR_MAX_DIMS];
    for (int i = 0; i < v.descriptor.graph.tops; ++i) {
        link[i].transform = t[i];
        link[i].lows = link[i].ups = 1;
        link[i].low[0] = (uint8_t)i;
        link[i].up[0] = to[i];
    }
    return tsr_transform_tensor_view(v, v.descriptor.graph.tops, link);
}

/** The elements from begin to end - 1 of every dimension. */
TSR_INLINE tsr_tensor_view tsr_slice_tensor_view(tsr_tensor_view v, int64_t const *begin, int64_t const *end)
{
    tsr_index const length = tsr_adaptor_lengths(&v.descriptor.graph);
    tsr_coord_transform t[TSR_MAX_DIMS];
    uint8_t to[TSR_MAX_DIMS];
    for (int i = 0; i < length.rank; ++i) {
        t[i] = tsr_make_slice_transform(length.at[i], begin[i], end[i]);
        t[i].why.dim = to[i] = (uint8_t)i;
    }
    return tsr_view_by_dims_(v, t, to);
}

/** Dimension order[i] of v as dimension i. */
TSR_INLINE tsr_tensor_view tsr_transpose_tensor_view(tsr_tensor_view v, uint8_t const *order)
{
    tsr_index const length = tsr_adaptor_lengths(&v.descriptor.graph);
    tsr_coord_transform t[TSR_MAX_DIMS];
    tsr_link link[TSR_MAX_DIMS];
    for (int i = 0; i < length.rank; ++i) {
        t[i] = tsr_make_pass_through_transform(length.at[order[i] < length.rank ? order[i] : 0]);
        link[i].transform = t[i];
        link[i].lows = link[i].ups = 1;
        link[i].low[0] = order[i];
        link[i].up[0] = (uint8_t)i;
    }
    return tsr_transform_tensor_view(v, length.rank, link);
}

/** Pads on the right, up to a multiple of the tile, the dimensions that `pads` names. */
TSR_INLINE tsr_tensor_view tsr_pad_tensor_view(tsr_tensor_view v, int64_t const *tile, bool const *pads)
{
    tsr_index const length = tsr_adaptor_lengths(&v.descriptor.graph);
    tsr_coord_transform t[TSR_MAX_DIMS];
    uint8_t to[TSR_MAX_DIMS];
    for (int i = 0; i < length.rank; ++i) {
        int64_t const n = tile[i] > 0 ? tile[i] : 1, over = length.at[i] % n;
        t[i] = pads[i] && over != 0 ? tsr_make_right_pad_transform(length.at[i], n - over)
                                    : tsr_make_pass_through_transform(length.at[i]);
        to[i] = (uint8_t)i;
    }
    return tsr_view_by_dims_(v, t, to);
}

/* Access */

TSR_INLINE tsr_elements tsr_elements_out_(tsr_tensor_view const *v, void *out)
{
    tsr_elements e = TSR_ZERO;
    e.pitch = v->buffer.bytes;
    e.out = (unsigned char *)out;
    return e;
}

TSR_INLINE tsr_elements tsr_elements_in_(tsr_tensor_view const *v, void const *in)
{
    tsr_elements e = TSR_ZERO;
    e.pitch = v->buffer.bytes;
    e.in = (unsigned char const *)in;
    return e;
}

TSR_INLINE void tsr_access_one_(tsr_tensor_view const *v, tsr_access access, int64_t offset, bool valid,
                                tsr_elements e, int64_t at)
{
    if (access == TSR_ACCESS_GET)
        tsr_buffer_get(&v->buffer, offset, valid, e.out + at);
    else
        tsr_buffer_update(&v->buffer, access == TSR_ACCESS_SET ? TSR_UPDATE_SET : v->operation, offset, valid,
                          e.in + at);
}

/** Is the group of `width` elements along dimension d known to be whole: contiguous, inside, and not padding? */
TSR_INLINE bool tsr_whole_(tsr_tensor_view const *v, tsr_coordinate const *c, int d, int64_t width, tsr_vector sure)
{
    tsr_adaptor const *const a = &v->descriptor.graph;
    int64_t const at = c->hidden[a->top[d]];
    if (sure.stride != 1 || sure.length < width || sure.length % width != 0 || at % width != 0
        || at + width > a->length[a->top[d]] || !tsr_coordinate_has_valid_offset(&v->descriptor, c))
        return false;
    if (v->padded) {
        int64_t step[TSR_MAX_DIMS] = {0};
        tsr_coordinate last = *c;
        step[d] = width - 1;
        tsr_move_tensor_coordinate(&v->descriptor, &last, step);
        if (!tsr_coordinate_has_valid_offset(&v->descriptor, &last))
            return false;
    }
    return tsr_buffer_holds(&v->buffer, c->hidden[0]) && tsr_buffer_holds(&v->buffer, c->hidden[0] + width - 1);
}

/** `width` elements along dimension d from a coordinate on, of which `sure` is known. */
TSR_INLINE void tsr_access_vector_(tsr_tensor_view const *v, tsr_access access, tsr_coordinate const *from, int d,
                                   int64_t width, tsr_vector sure, tsr_elements e)
{
    int const bytes = v->buffer.bytes;
    if (width > 1 && access != TSR_ACCESS_UPDATE && tsr_whole_(v, from, d, width, sure)) {
        unsigned char *const memory = tsr_buffer_at_(&v->buffer, from->hidden[0]);
        int64_t const run = e.pitch == bytes ? width * bytes : bytes;
        for (int64_t i = 0; i * run < width * bytes; ++i) {
            if (access == TSR_ACCESS_GET)
                tsr_copy_bytes_(e.out + i * e.pitch, memory + i * run, run);
            else
                tsr_copy_bytes_(memory + i * run, e.in + i * e.pitch, run);
        }
        return;
    }
    tsr_coordinate c = *from;
    int64_t step[TSR_MAX_DIMS] = {0};
    step[d] = 1;
    for (int64_t i = 0; i < width; ++i) {
        bool const valid = tsr_coordinate_has_valid_offset(&v->descriptor, &c);
        tsr_access_one_(v, access, c.hidden[0], valid, e, i * e.pitch);
        if (i + 1 < width)
            tsr_move_tensor_coordinate(&v->descriptor, &c, step);
    }
}

TSR_INLINE void tsr_access_last_(tsr_tensor_view const *v, tsr_access access, tsr_coordinate const *c, int64_t width,
                                 tsr_elements e)
{
    int const last = v->descriptor.graph.tops - 1;
    if (!v->descriptor.graph.why.status && last >= 0)
        tsr_access_vector_(v, access, c, last, width, v->vector, e);
}

TSR_INLINE void tsr_get_vectorized_elements(tsr_tensor_view const *v, tsr_coordinate const *c, int64_t width,
                                            void *elements)
{
    tsr_access_last_(v, TSR_ACCESS_GET, c, width, tsr_elements_out_(v, elements));
}

TSR_INLINE void tsr_set_vectorized_elements(tsr_tensor_view const *v, tsr_coordinate const *c, int64_t width,
                                            void const *elements)
{
    tsr_access_last_(v, TSR_ACCESS_SET, c, width, tsr_elements_in_(v, elements));
}

/** memory becomes op(memory, elements), with the operation of the view. */
TSR_INLINE void tsr_update_vectorized_elements(tsr_tensor_view const *v, tsr_coordinate const *c, int64_t width,
                                               void const *elements)
{
    tsr_access_last_(v, TSR_ACCESS_UPDATE, c, width, tsr_elements_in_(v, elements));
}

/** One element at a top index. */
TSR_INLINE void tsr_view_get(tsr_tensor_view const *v, int64_t const *index, void *element)
{
    tsr_coordinate const c = tsr_make_tensor_coordinate(&v->descriptor, index);
    tsr_get_vectorized_elements(v, &c, 1, element);
}

TSR_INLINE void tsr_view_set(tsr_tensor_view const *v, int64_t const *index, void const *element)
{
    tsr_coordinate const c = tsr_make_tensor_coordinate(&v->descriptor, index);
    tsr_set_vectorized_elements(v, &c, 1, element);
}

/** The same for an index that is known to stand for an element: nothing is checked. */
TSR_INLINE void tsr_view_get_unchecked(tsr_tensor_view const *v, int64_t const *index, void *element)
{
    tsr_buffer_get_unchecked(&v->buffer, tsr_make_tensor_coordinate(&v->descriptor, index).hidden[0], element);
}

TSR_INLINE void tsr_view_set_unchecked(tsr_tensor_view const *v, int64_t const *index, void const *element)
{
    tsr_buffer_set_unchecked(&v->buffer, tsr_make_tensor_coordinate(&v->descriptor, index).hidden[0], element);
}

#endif
