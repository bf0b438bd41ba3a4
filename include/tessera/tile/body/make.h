/** The bodies of tile/make.h. */
#ifndef TSR_TILE_BODY_MAKE_H
#define TSR_TILE_BODY_MAKE_H

#include "tessera/tile/make.h"
#include "tessera/tile/body/links.h"
#include "tessera/tile/body/tensor_view.h"

TSR_HEADER_BEGIN

TSR_OP tsr_descriptor tsr_descriptor_of(tsr_tuple lengths, tsr_tuple strides, tsr_vector vector)
{
    tsr_reason const why = tsr_index_why(lengths), why_not = tsr_index_why(strides);
    tsr_index const n = tsr_index_of(lengths), d = tsr_index_of(strides);
    if (why.status || why_not.status)
        return tsr_bad_descriptor(why.status ? why : why_not);
    if (n.rank != d.rank)
        return tsr_bad_descriptor(tsr_because(TSR_STRIDE_COUNT, 0, n.rank, d.rank, 0));
    return tsr_make_naive_tensor_descriptor(n.rank, n.at, d.at, vector);
}

TSR_OP tsr_descriptor tsr_descriptor_packed_of(tsr_tuple lengths, int64_t vector_length)
{
    tsr_reason const why = tsr_index_why(lengths);
    tsr_index const n = tsr_index_of(lengths);
    return why.status ? tsr_bad_descriptor(why)
                      : tsr_make_naive_tensor_descriptor_packed(n.rank, n.at, vector_length);
}

TSR_OP tsr_descriptor tsr_make_tensor_descriptor_from_adaptor(tsr_adaptor const *a, int64_t size)
{
    tsr_coord_transform const pass = tsr_make_pass_through_transform(size);
    if (a->why.status)
        return tsr_bad_descriptor(a->why);
    tsr_descriptor d = tsr_base_(size, &pass);
    tsr_adaptor_chain(&d.graph, a);
    return d;
}

TSR_OP_MEMORY tsr_tensor_view tsr_make_tensor_view_at_(tsr_space space, tsr_engine p, tsr_descriptor d)
{
    tsr_buffer_view b = tsr_make_buffer_view(space, (void *)(uintptr_t)p.address, d.space, p.type);
    b.constant = p.constant;
    if (!d.graph.why.status && (p.at.status || p.bit != 0 || p.map.kind != TSR_AS_IS))
        d.graph.why = tsr_because(p.at.status ? (tsr_status)p.at.status : TSR_TYPE, 0, 0, 0, 0);
    return tsr_make_tensor_view(b, &d, TSR_UPDATE_SET);
}

TSR_OP_MEMORY tsr_tensor_view tsr_view_with_operation(tsr_tensor_view v, tsr_memory_operation operation)
{
    tsr_reason *const why = &v.descriptor.graph.why;
    v.operation = operation;
    if (!why->status && v.buffer.data)
        *why = tsr_update_why(&v.buffer, operation);
    return v;
}

TSR_HEADER_END

#endif
