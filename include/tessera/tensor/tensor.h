/** Tensor: an engine and a layout. T(c) is the element at the engine moved by L(c). A coordinate with `_` gives the
 *  tensor of a slice, with the engine moved by the offset of the fixed part.
 *
 *  Law     slice(T, c) at the free coordinates is T at the whole coordinate.
 *  Source  CuTe, include/cute/tensor_impl.hpp.
 */
#ifndef TSR_TENSOR_TENSOR_H
#define TSR_TENSOR_TENSOR_H

#include "tessera/core/by.h"
#include "tessera/tensor/reach.h"

TSR_HEADER_BEGIN

typedef struct tsr_tensor {
    tsr_engine engine;
    tsr_layout layout;
} tsr_tensor;

/* Why a tensor is invalid, as the tuple that its results carry, or a valid one. */
TSR_FN tsr_tuple tsr_tensor_bad_(tsr_tensor t) { return t.engine.at.status ? t.engine.at : t.layout.shape; }

TSR_FN tsr_reason tsr_tensor_why_(tsr_tensor const *t)
{
    bool const whole = !t->engine.at.status && !t->layout.shape.status;
    return whole ? tsr_no_reason() : tsr_tuple_why(tsr_tensor_bad_(*t));
}

/** Why a tensor is invalid, or no reason. */
TSR_FN tsr_reason tsr_tensor_why(tsr_tensor t) { return tsr_tensor_why_(&t); }

TSR_EVAL tsr_tensor tsr_make_tensor_of(tsr_engine engine, tsr_layout layout)
{
    tsr_tensor r = TSR_ZERO;
    r.engine = engine;
    r.layout = layout;
    if (engine.space == TSR_TMEM)
        r.engine = tsr_bounded(engine, &layout);
    return r;
}

/** The tensor over the compact layout of a shape. */
TSR_FN tsr_tensor tsr_make_tensor_compact(tsr_engine engine, tsr_tuple shape)
{
    return tsr_make_tensor_of(engine, tsr_make_layout_compact(shape));
}

/** The tensor over shape:stride; the stride may be tsr_left() or tsr_right(). */
TSR_FN tsr_tensor tsr_make_tensor_from(tsr_engine engine, tsr_tuple shape, tsr_tuple stride)
{
    return tsr_make_tensor_of(engine, tsr_make_layout_from(shape, stride));
}

/** The tensor of a layout's own offsets: integers, or coordinates for basis strides. */
TSR_OP tsr_tensor tsr_make_counting_tensor(tsr_layout l);

/** The tensor of the coordinates of a shape. */
TSR_OP tsr_tensor tsr_make_identity_tensor(tsr_tuple shape);

TSR_OP tsr_layout tsr_tensor_layout(tsr_tensor t);

/** The element at a coordinate: an integer or a coordinate. What a pointer points to is not read here. */
TSR_OP tsr_tuple tsr_tensor_at(tsr_tensor t, tsr_tuple coord);

/** The modes under `_`. Errors: COORD, and those of slicing a swizzle. */
TSR_OP tsr_tensor tsr_tensor_slice(tsr_tuple coord, tsr_tensor t);

/** The fixed modes, of the same engine. */
TSR_OP tsr_tensor tsr_tensor_dice(tsr_tuple coord, tsr_tensor t);

/** The tensor seen from a coordinate on. */
TSR_OP tsr_tensor tsr_tensor_domain_offset(tsr_tuple coord, tsr_tensor t);

/** Elements of another type in the same memory. */
TSR_OP tsr_tensor tsr_recast(tsr_tensor t, tsr_dtype type);

/* Operations on the layout. Products are not defined: they would reach beyond the memory that is there. */

TSR_OP tsr_tuple tsr_tensor_size_of(tsr_tensor t, tsr_tuple path);

TSR_OP tsr_tuple tsr_tensor_rank_of(tsr_tensor t, tsr_tuple path);

TSR_OP tsr_tuple tsr_tensor_depth_of(tsr_tensor t, tsr_tuple path);

TSR_OP tsr_tensor tsr_tensor_mode(tsr_tensor t, tsr_tuple path);

TSR_OP tsr_tuple tsr_tensor_shape_of(tsr_tensor t, tsr_tuple path);

TSR_OP tsr_tensor tsr_tensor_flatten(tsr_tensor t);

TSR_OP tsr_tensor tsr_tensor_coalesce(tsr_tensor t);

TSR_OP tsr_tensor tsr_tensor_coalesce_by(tsr_tensor t, tsr_tuple profile);

TSR_OP tsr_tensor tsr_tensor_filter(tsr_tensor t);

TSR_OP tsr_tensor tsr_tensor_filter_zeros(tsr_tensor t);

TSR_OP tsr_tensor tsr_group_modes(tsr_tensor t, int64_t b, int64_t e);

TSR_OP tsr_tensor tsr_tensor_take(tsr_tensor t, int64_t b, int64_t e);

TSR_OP tsr_tensor tsr_tensor_composition_by(tsr_tensor t, tsr_tiler b);

TSR_OP tsr_tensor tsr_tensor_logical_divide_by(tsr_tensor t, tsr_tiler b);

TSR_OP tsr_tensor tsr_tensor_zipped_divide_by(tsr_tensor t, tsr_tiler b);

TSR_OP tsr_tensor tsr_tensor_tiled_divide_by(tsr_tensor t, tsr_tiler b);

TSR_OP tsr_tensor tsr_tensor_flat_divide_by(tsr_tensor t, tsr_tiler b);

#ifndef __cplusplus /* what the macros of C choose by type (core/by.h) */
#  define TSR_TENSOR_BY_(name)                                                     \
    TSR_OP tsr_tensor tsr_tensor_##name##_by_layout_(tsr_tensor t, tsr_layout by); \
    TSR_OP tsr_tensor tsr_tensor_##name##_by_tuple_(tsr_tensor t, tsr_tuple by);   \
    TSR_OP tsr_tensor tsr_tensor_##name##_by_int_(tsr_tensor t, int64_t by);
TSR_BY_BOTH_(TSR_TENSOR_BY_)
#  undef TSR_TENSOR_BY_
#endif

#ifndef __cplusplus
/** Where a tensor is that a call names: no copy of it is passed. The value of an expression stays until the whole
 *  expression ends (C11, 6.2.4). */
TSR_EVAL tsr_tensor const *tsr_tensor_of_leaves_(tsr_leaf const *leaves)
{
    return (tsr_tensor const *)(void const *)((char const *)leaves - offsetof(tsr_tensor, layout.shape.leaf));
}
#  define TSR_AT(t) tsr_tensor_of_leaves_((t).layout.shape.leaf)
#endif

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tensor/body/tensor.h"
#endif

#endif
