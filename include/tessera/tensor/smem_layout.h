/** A layout of shared memory whose address is not known yet: Sw o smem_ptr[Nb](unset) o L. The layout counts elements
 *  of N bits, the swizzle acts on the byte address once there is one.
 *
 *  Law     with the address a multiple of the swizzle's period, the element at c is element Sw'(L(c)) behind the
 *          address, where Sw' is the swizzle of elements (as_position_independent_swizzle_layout).
 *  Source  CuTe, include/cute/pointer_flagged.hpp, pointer_swizzle.hpp.
 */
#ifndef TSR_TENSOR_SMEM_LAYOUT_H
#define TSR_TENSOR_SMEM_LAYOUT_H

#include "tessera/tensor/tensor.h"

TSR_HEADER_BEGIN

typedef struct tsr_smem_layout {
    tsr_swizzle swizzle; /* of byte addresses */
    tsr_dtype type;      /* only its bits are known: DLPack's signed integer of that size */
    tsr_layout layout;   /* of elements, plain; invalid: why there is none */
} tsr_smem_layout;

TSR_FN tsr_smem_layout tsr_make_smem_layout(tsr_swizzle swizzle, tsr_dtype type, tsr_layout layout)
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

/** The same function as a layout of elements: the swizzle recast from bytes. */
TSR_FN tsr_layout tsr_as_position_independent_swizzle_layout(tsr_smem_layout s)
{
    return s.layout.shape.status ? s.layout : tsr_swizzled(tsr_recast_swizzle(s.swizzle, 8, s.type), s.layout);
}

/** The tensor of an address and such a layout: the swizzle goes with the pointer.
 *  Errors  TYPE where the pointer is not one of shared memory to elements of this size. */
TSR_FN tsr_tensor tsr_make_tensor_smem(tsr_engine pointer, tsr_smem_layout s)
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
