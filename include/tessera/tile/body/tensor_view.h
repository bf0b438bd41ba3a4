/** The bodies of tile/tensor_view.h. */
#ifndef TSR_TILE_BODY_TENSOR_VIEW_H
#define TSR_TILE_BODY_TENSOR_VIEW_H

#include "tessera/tile/tensor_view.h"
#include "tessera/tile/body/buffer_view.h"
#include "tessera/tile/body/coordinate.h"

TSR_HEADER_BEGIN

/** What reading and writing need to know of the descriptor. */
TSR_LOCAL_MEMORY void tsr_view_know_(tsr_tensor_view *v)
{
    tsr_vector top[TSR_MAX_DIMS];
    tsr_adaptor const *const a = &v->descriptor.graph;
    v->vector = tsr_no_vector();
    v->padded = false;
    if (a->why.status)
        return;
    tsr_descriptor_vectors(&v->descriptor, false, top);
    if (a->tops > 0)
        v->vector = top[a->tops - 1];
    for (int i = 0; i < a->nodes; ++i)
        v->padded = v->padded || tsr_may_pad_(a->node[i].kind);
}

TSR_OP_MEMORY tsr_tensor_view tsr_make_tensor_view(tsr_buffer_view buffer, tsr_descriptor const *d,
                                                   tsr_memory_operation operation)
{
    tsr_tensor_view v = TSR_ZERO;
    v.buffer = buffer;
    v.descriptor = *d;
    v.operation = operation;
    tsr_reason *const why = &v.descriptor.graph.why;
    if (!why->status && buffer.space == TSR_TMEM)
        *why = tsr_because(TSR_NOT_READ, 0, 0, 0, 0);
    if (!why->status)
        *why = tsr_element_type_why(buffer.type);
    if (!why->status && buffer.data)
        *why = tsr_update_why(&buffer, operation);
    tsr_view_know_(&v);
    return v;
}

TSR_OP_MEMORY tsr_tensor_view tsr_null_tensor_view(void)
{
    int64_t const none = 1;
    tsr_buffer_view const buffer = tsr_make_buffer_view(TSR_RMEM, (void *)0, 0, TSR_U8);
    tsr_descriptor const d = tsr_make_naive_tensor_descriptor_packed(1, &none, 0);
    return tsr_make_tensor_view(buffer, &d, TSR_UPDATE_SET);
}

TSR_OP_MEMORY tsr_tensor_view tsr_transform_tensor_view(tsr_tensor_view v, int links, tsr_link const *link)
{
    tsr_adaptor_stage(&v.descriptor.graph, links, link);
    tsr_view_know_(&v);
    return v;
}

/** The same elements seen through a part, another order or padding of the descriptor (tile/descriptor.h). */
TSR_LOCAL_MEMORY tsr_tensor_view tsr_view_by_(tsr_tensor_view v, tsr_descriptor const *d)
{
    v.descriptor = *d;
    tsr_view_know_(&v);
    return v;
}

TSR_OP_MEMORY tsr_tensor_view tsr_slice_tensor_view(tsr_tensor_view v, int64_t const *begin, int64_t const *end)
{
    tsr_descriptor const d = tsr_slice_tensor_descriptor(v.descriptor, begin, end);
    return tsr_view_by_(v, &d);
}

TSR_OP_MEMORY tsr_tensor_view tsr_transpose_tensor_view(tsr_tensor_view v, uint8_t const *order)
{
    tsr_descriptor const d = tsr_transpose_tensor_descriptor(v.descriptor, order);
    return tsr_view_by_(v, &d);
}

TSR_OP_MEMORY tsr_tensor_view tsr_pad_tensor_view(tsr_tensor_view v, int64_t const *tile, bool const *pads)
{
    tsr_descriptor const d = tsr_pad_tensor_descriptor(v.descriptor, tile, pads);
    return tsr_view_by_(v, &d);
}

/* Access */

TSR_LOCAL_MEMORY tsr_elements tsr_elements_out_(tsr_tensor_view const *v, void *out)
{
    tsr_elements e = TSR_ZERO;
    e.pitch = v->buffer.bytes;
    e.out = (unsigned char *)out;
    return e;
}

TSR_LOCAL_MEMORY tsr_elements tsr_elements_in_(tsr_tensor_view const *v, void const *in)
{
    tsr_elements e = TSR_ZERO;
    e.pitch = v->buffer.bytes;
    e.in = (unsigned char const *)in;
    return e;
}

TSR_LOCAL_MEMORY void tsr_access_one_(tsr_tensor_view const *v, tsr_access access, int64_t offset, bool valid,
                                      tsr_elements e, int64_t at)
{
    if (access == TSR_ACCESS_GET)
        tsr_buffer_get_(&v->buffer, offset, valid, e.out + at);
    else
        tsr_buffer_update_(&v->buffer, access == TSR_ACCESS_SET ? TSR_UPDATE_SET : v->operation, offset, valid,
                           e.in + at);
}

/** Is the group of `width` elements along dimension d known to be whole: contiguous, inside, and not padding? They lie
 *  `linear` elements of memory further on. */
TSR_LOCAL_MEMORY bool tsr_whole_(tsr_tensor_view const *v, tsr_coordinate const *c, int64_t linear, int d,
                                 int64_t width, tsr_vector sure)
{
    tsr_adaptor const *const a = &v->descriptor.graph;
    int64_t const at = c->hidden[a->top[d]];
    if (sure.stride != 1 || sure.length < width || sure.length % width != 0 || at % width != 0
        || at + width > a->length[a->top[d]] || !tsr_coordinate_has_valid_offset(&v->descriptor, c))
        return false;
    if (v->padded) {
        int64_t step[TSR_MAX_DIMS] = {0};
        tsr_coordinate last;
        tsr_copy_coordinate_(&v->descriptor, &last, c);
        step[d] = width - 1;
        tsr_move_tensor_coordinate(&v->descriptor, &last, step);
        if (!tsr_coordinate_has_valid_offset(&v->descriptor, &last))
            return false;
    }
    int64_t const first = tsr_wrap_add(c->hidden[0], linear);
    return tsr_buffer_holds(&v->buffer, first) && tsr_buffer_holds(&v->buffer, first + width - 1);
}

/** `width` elements along dimension d from a coordinate on, each `linear` elements of memory further on. `sure` holds
 *  the facts about the coordinate. */
TSR_LOCAL_MEMORY void tsr_access_vector_(tsr_tensor_view const *v, tsr_access access, tsr_coordinate const *from,
                                         int64_t linear, int d, int64_t width, tsr_vector sure, tsr_elements e)
{
    if (access != TSR_ACCESS_GET && v->buffer.constant)
        return;
    int const bytes = v->buffer.bytes;
    bool const one = v->buffer.bytes != 2 || e.pitch != 2; /* at a time, of an update */
    bool const whole = width > 1 && (access != TSR_ACCESS_UPDATE || !one) && !tsr_buffer_packed_(&v->buffer)
                       && tsr_whole_(v, from, linear, d, width, sure);
    int64_t const first = tsr_wrap_add(from->hidden[0], linear);
    if (whole && access != TSR_ACCESS_UPDATE) {
        unsigned char *const memory = tsr_buffer_at_(&v->buffer, first);
        int64_t const run = e.pitch == bytes ? width * bytes : bytes;
        for (int64_t i = 0; i * run < width * bytes; ++i) {
            if (access == TSR_ACCESS_GET)
                tsr_copy_bytes_(e.out + i * e.pitch, memory + i * run, run);
            else
                tsr_copy_bytes_(memory + i * run, e.in + i * e.pitch, run);
        }
        return;
    }
    if (whole && width % 2 == 0 && tsr_buffer_pairs_(&v->buffer, v->operation, first)) {
        for (int64_t i = 0; i < width; i += 2)
            tsr_buffer_update_pair_(&v->buffer, v->operation, first + i, e.in + i * e.pitch);
        return;
    }
    tsr_coordinate c;
    tsr_copy_coordinate_(&v->descriptor, &c, from);
    int64_t step[TSR_MAX_DIMS] = {0};
    step[d] = 1;
    for (int64_t i = 0; i < width; ++i) {
        bool const valid = tsr_coordinate_has_valid_offset(&v->descriptor, &c);
        tsr_access_one_(v, access, tsr_wrap_add(c.hidden[0], linear), valid, e, i * e.pitch);
        if (i + 1 < width)
            tsr_move_tensor_coordinate(&v->descriptor, &c, step);
    }
}

TSR_LOCAL_MEMORY void tsr_access_last_(tsr_tensor_view const *v, tsr_access access, tsr_coordinate const *c,
                                       int64_t linear, int64_t width, tsr_elements e)
{
    int const last = v->descriptor.graph.tops - 1;
    if (!v->descriptor.graph.why.status && last >= 0)
        tsr_access_vector_(v, access, c, linear, last, width, v->vector, e);
}

TSR_OP_MEMORY tsr_reason tsr_get_elements_(tsr_tensor_view const *v, tsr_coordinate const *c, int64_t linear,
                                           int64_t width, void *elements, tsr_variable variable)
{
    tsr_variable const all = tsr_vector_variable_(variable, width, v->buffer.type, v->buffer.bytes);
    tsr_reason const why = tsr_view_variable_reason_(v, TSR_ACCESS_GET, all);
    if (why.status)
        tsr_clear_variable_(elements, all, width, v->buffer.type, v->buffer.bytes);
    else
        tsr_access_last_(v, TSR_ACCESS_GET, c, linear, width, tsr_elements_out_(v, elements));
    return why;
}

TSR_OP_MEMORY tsr_reason tsr_put_elements_(tsr_tensor_view const *v, tsr_access access, tsr_coordinate const *c,
                                           int64_t linear, int64_t width, void const *elements, tsr_variable variable)
{
    tsr_variable const all = tsr_vector_variable_(variable, width, v->buffer.type, v->buffer.bytes);
    tsr_reason const why = tsr_view_variable_reason_(v, access, all);
    if (!why.status)
        tsr_access_last_(v, access, c, linear, width, tsr_elements_in_(v, elements));
    return why;
}

TSR_OP_MEMORY tsr_reason tsr_view_get_(tsr_tensor_view const *v, int64_t const *index, void *element,
                                       tsr_variable variable)
{
    tsr_reason const why = tsr_view_variable_reason_(v, TSR_ACCESS_GET, variable);
    bool there = false;
    if (why.status)
        tsr_clear_variable_(element, variable, 1, v->buffer.type, v->buffer.bytes);
    else {
        int64_t const offset = tsr_view_find_(v, index, &there);
        tsr_buffer_get_(&v->buffer, offset, there, element);
    }
    return why;
}

TSR_OP_MEMORY void tsr_view_get_unchecked(tsr_tensor_view const *v, int64_t const *index, void *element)
{
    tsr_buffer_get_unchecked(&v->buffer, tsr_make_tensor_coordinate(&v->descriptor, index).hidden[0], element);
}

TSR_OP_MEMORY void tsr_view_set_unchecked(tsr_tensor_view const *v, int64_t const *index, void const *element)
{
    tsr_buffer_set_unchecked(&v->buffer, tsr_make_tensor_coordinate(&v->descriptor, index).hidden[0], element);
}

TSR_HEADER_END

#endif
