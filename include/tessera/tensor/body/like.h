/** The bodies of tensor/like.h. */
#ifndef TSR_TENSOR_BODY_LIKE_H
#define TSR_TENSOR_BODY_LIKE_H

#include "tessera/tensor/like.h"
#include "tessera/tensor/body/forms.h"
#include "tessera/tensor/body/tensor.h"

TSR_HEADER_BEGIN

TSR_OP tsr_dtype tsr_value_type(tsr_engine e)
{
    if (e.map.kind == TSR_CAST)
        return e.map.type;
    if (e.map.kind == TSR_INSIDE)
        return TSR_BOOL;
    if (e.kind == TSR_COUNTING)
        return TSR_I32;
    return e.kind == TSR_POINTER ? e.type : (tsr_dtype)0;
}

/** A tensor of registers that has no address yet. */
TSR_LOCAL tsr_tensor tsr_unplaced_(tsr_tuple why, tsr_layout l, tsr_dtype type)
{
    return tsr_make_tensor_of(tsr_rmem_ptr(why.status ? why : tsr_s(0), type), l);
}

TSR_OP tsr_tensor tsr_make_tensor_like(tsr_tensor t)
{
    return tsr_unplaced_(t.engine.at, tsr_make_layout_like(t.layout), tsr_value_type(t.engine));
}

TSR_OP tsr_tensor tsr_make_tensor_like_as(tsr_tensor t, tsr_dtype type)
{
    return tsr_unplaced_(t.engine.at, tsr_make_layout_like(t.layout), type);
}

TSR_OP tsr_tensor tsr_make_tensor_like_layout(tsr_layout l, tsr_dtype type)
{
    return tsr_unplaced_(l.shape, tsr_make_layout_like(l), type);
}

TSR_OP tsr_tensor tsr_tensor_make_fragment_like(tsr_tensor t)
{
    return tsr_unplaced_(t.engine.at, tsr_make_fragment_like(t.layout), tsr_value_type(t.engine));
}

TSR_OP tsr_tensor tsr_make_fragment_like_as(tsr_tensor t, tsr_dtype type)
{
    return tsr_unplaced_(t.engine.at, tsr_make_fragment_like(t.layout), type);
}

TSR_OP tsr_tensor tsr_make_fragment_like_layout(tsr_layout l, tsr_dtype type)
{
    return tsr_unplaced_(l.shape, tsr_make_fragment_like(l), type);
}

TSR_OP tsr_tuple tsr_layout_size_in_bytes(tsr_layout l, tsr_dtype type)
{
    tsr_ends const ends = tsr_ends_of(&l);
    int64_t const bits = tsr_dtype_bits(type);
    int64_t n = 0;
    if (ends.why.status)
        return tsr_reason_tuple(ends.why);
    if (bits == 0)
        return tsr_bad_tuple(TSR_TYPE, 0, 0, 0, 0);
    int64_t const low = tsr_min64(ends.low, 0), high = tsr_max64(ends.high, 0);
    if (!tsr_add64(high, -low, &n) || !tsr_add64(n, 1, &n) || !tsr_mul64(n, bits, &n) || !tsr_add64(n, 7, &n))
        return tsr_bad_tuple(TSR_OVERFLOW, 0, high, 0, 0);
    tsr_tuple const known =
        l.composed ? tsr_layout_static_int(l) : tsr_tuple_static_int(tsr_cosize_of(l, tsr_unit()));
    return tsr_leaf_is(known.leaf[0], 1) ? tsr_s(n / 8) : tsr_int(n / 8);
}

TSR_OP tsr_tuple tsr_tensor_size_in_bytes(tsr_tensor t)
{
    if (tsr_tensor_bad_(t).status)
        return tsr_tensor_bad_(t);
    return tsr_layout_size_in_bytes(t.layout, t.engine.kind == TSR_POINTER ? t.engine.type : (tsr_dtype)0);
}

TSR_HEADER_END

#endif
