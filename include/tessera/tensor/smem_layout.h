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
    tsr_layout layout;   /* of elements, plain; an invalid one says why */
} tsr_smem_layout;

/** A layout of elements in shared memory behind a swizzle of its bytes. */
TSR_OP tsr_smem_layout tsr_make_smem_layout(tsr_swizzle swizzle, tsr_dtype type, tsr_layout layout);

/** The same function as a layout of elements: the swizzle recast from bytes. */
TSR_OP tsr_layout tsr_as_position_independent_swizzle_layout(tsr_smem_layout s);

/** The tensor of an address and such a layout: the swizzle goes with the pointer.
 *  Errors  TYPE where the pointer is not one of shared memory to elements of this size. */
TSR_OP tsr_tensor tsr_make_tensor_smem(tsr_engine pointer, tsr_smem_layout s);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tensor/body/smem_layout.h"
#endif

#endif
