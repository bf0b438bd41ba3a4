/** The bodies of tile/make.h. */
#ifndef TSR_TILE_BODY_MAKE_H
#define TSR_TILE_BODY_MAKE_H

#include "tessera/tile/make.h"
#include "tessera/tile/body/encoding.h"
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

/** A list of integers, or a single one. */
TSR_LOCAL tsr_index tsr_list_of_(tsr_tuple t, tsr_reason *why)
{
    if (!why->status && !tsr_is_unit(&t))
        *why = tsr_index_why(t);
    return tsr_index_of(t);
}

/** Factors by two lists. */
TSR_LOCAL void tsr_put_places_(tsr_places *to, tsr_tuple majors, tsr_tuple minors, tsr_reason *why)
{
    tsr_index const major = tsr_list_of_(majors, why), minor = tsr_list_of_(minors, why);
    if (!why->status && major.rank != minor.rank)
        *why = tsr_because(TSR_FACTOR_NAMES, 0, major.rank, minor.rank, 0);
    for (int i = 0; i < major.rank && !why->status; ++i) {
        if (major.at[i] < 0 || major.at[i] > TSR_MAX_XS || minor.at[i] < 0 || minor.at[i] >= TSR_MAX_FACTORS)
            *why = tsr_because(TSR_NO_FACTOR, 0, major.at[i], minor.at[i], 0);
        to->at[i].major = (uint8_t)major.at[i];
        to->at[i].minor = (uint8_t)minor.at[i];
        to->count = (uint8_t)(i + 1);
    }
}

TSR_OP tsr_encoding tsr_encoding_of(tsr_tuple r, tsr_tuple h, tsr_tuple p_major, tsr_tuple p_minor, tsr_tuple y_major,
                                    tsr_tuple y_minor)
{
    tsr_encoding_lists l = TSR_ZERO;
    tsr_reason why = tsr_no_reason();
    int const xs = tsr_mode_count(&h), ps = tsr_mode_count(&p_major), minors = tsr_mode_count(&p_minor);
    l.r = tsr_list_of_(r, &why);
    if (!why.status && (h.status || p_major.status || p_minor.status))
        why = tsr_tuple_why(h.status ? h : p_major.status ? p_major : p_minor);
    if (!why.status && (xs > TSR_MAX_XS || ps > TSR_MAX_PS))
        why = tsr_because(TSR_DIMS, 0, xs > TSR_MAX_XS ? xs : ps, xs > TSR_MAX_XS ? TSR_MAX_XS : TSR_MAX_PS, 0);
    if (!why.status && ps != minors)
        why = tsr_because(TSR_FACTOR_NAMES, 0, ps, minors, 0);
    for (int x = 0; x < xs && !why.status; ++x, l.xs = (uint8_t)x)
        l.h[x] = tsr_list_of_(tsr_tuple_get(h, x), &why);
    for (int p = 0; p < ps && !why.status; ++p, l.ps = (uint8_t)p)
        tsr_put_places_(&l.p[p], tsr_tuple_get(p_major, p), tsr_tuple_get(p_minor, p), &why);
    tsr_put_places_(&l.y, y_major, y_minor, &why);
    return why.status ? tsr_bad_encoding_(why) : tsr_make_tile_distribution_encoding(&l);
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
