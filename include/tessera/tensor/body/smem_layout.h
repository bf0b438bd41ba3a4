/** The bodies of tensor/smem_layout.h. */
#ifndef TSR_TENSOR_BODY_SMEM_LAYOUT_H
#define TSR_TENSOR_BODY_SMEM_LAYOUT_H

#include "tessera/tensor/smem_layout.h"
#include "tessera/tensor/body/tensor.h"

TSR_HEADER_BEGIN

TSR_OP tsr_smem_layout tsr_make_smem_layout(tsr_swizzle swizzle, tsr_dtype type, tsr_layout layout)
{
    tsr_smem_layout r = TSR_ZERO;
    r.swizzle = swizzle;
    r.type = type;
    r.layout = layout;
    if (swizzle.status)
        r.layout = tsr_invalid_layout(tsr_swizzle_reason_(swizzle));
    else if (layout.composed && !layout.shape.status)
        r.layout = tsr_bad_layout(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
    else if (tsr_dtype_bits(type) == 0 && !layout.shape.status)
        r.layout = tsr_bad_layout(TSR_TYPE, 0, 0, 0, 0);
    return r;
}

TSR_OP tsr_layout tsr_as_position_independent_swizzle_layout(tsr_smem_layout s)
{
    int const bits = tsr_dtype_bits(s.type);
    if (!s.layout.shape.status && s.swizzle.bits > 0 && !tsr_is_pow2(bits))
        return tsr_bad_layout(TSR_SMEM_BITS, 0, bits, 0, 0);
    return s.layout.shape.status ? s.layout : tsr_swizzled(tsr_recast_swizzle(s.swizzle, 8, s.type), s.layout);
}

TSR_OP tsr_tensor tsr_make_tensor_smem(tsr_engine pointer, tsr_smem_layout s)
{
    tsr_tensor r = tsr_make_tensor_of(pointer, s.layout);
    bool const fits = pointer.kind == TSR_POINTER && pointer.space == TSR_SMEM
                      && tsr_engine_bits(pointer) == tsr_dtype_bits(s.type);
    if (!pointer.at.status && !s.layout.shape.status && !fits)
        r.engine.at = tsr_bad_tuple(TSR_TYPE, 0, 0, 0, 0);
    r.engine.swizzle = s.swizzle;
    return r;
}

TSR_HEADER_END

#endif
