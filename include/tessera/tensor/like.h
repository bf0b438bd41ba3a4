/** Tensors like another one: of its shape, and of its element type or a given one, in memory of their own.
 *
 *      tsr_tensor r = tsr_make_tensor_like(t);              // points nowhere yet
 *      r = tsr_in_memory(r, malloc((size_t)tsr_size_in_bytes(r)));
 *
 *  Law     the layout is compact, make_layout_like(L) or make_fragment_like(L). size_in_bytes is the number of bytes
 *          that hold every element.
 *  Errors  TYPE where the elements have no type: coordinates.
 *  Source  CuTe, include/cute/tensor_impl.hpp, whose tensors own their memory; size_in_bytes of CuTe DSL.
 */
#ifndef TSR_TENSOR_LIKE_H
#define TSR_TENSOR_LIKE_H

#include "tessera/tensor/forms.h"
#include "tessera/tensor/pointer.h"
#include "tessera/tensor/span.h"

TSR_HEADER_BEGIN

/** Returns the type of the elements when they are read. A function or a factor does not change it, and a cast does. */
TSR_OP tsr_dtype tsr_value_type(tsr_engine e);

/** The layout is compact, its strides in the order of the other's.
 *  Example  make_tensor_like(gmem<half_t>(1024) o (_4,_8):(_32,_2))  =  ptr[16b](0x0) o (_4,_8):(_8,_1) */
TSR_OP tsr_tensor tsr_make_tensor_like(tsr_tensor t);

/** tsr_make_tensor_like with elements of another type. */
TSR_OP tsr_tensor tsr_make_tensor_like_as(tsr_tensor t, tsr_dtype type);

/** tsr_make_tensor_like of a layout, with elements of a type. */
TSR_OP tsr_tensor tsr_make_tensor_like_layout(tsr_layout l, tsr_dtype type);

/** The same with mode 0 first, as atoms take their values.
 *  Example  make_fragment_like(smem<float>(512) o (_4,_8,_2):(_8,_1,_64))  =  ptr[32b](0x0) o (_4,_8,_2):(_1,_4,_32) */
TSR_OP tsr_tensor tsr_tensor_make_fragment_like(tsr_tensor t);

/** tsr_tensor_make_fragment_like with elements of another type. */
TSR_OP tsr_tensor tsr_make_fragment_like_as(tsr_tensor t, tsr_dtype type);

/** tsr_tensor_make_fragment_like of a layout, with elements of a type. */
TSR_OP tsr_tensor tsr_make_fragment_like_layout(tsr_layout l, tsr_dtype type);

/** The tensor with its elements from `memory` on. Errors: TYPE where it is not one of memory. */
TSR_REF tsr_tensor tsr_in_memory(tsr_tensor t, void *memory)
{
    if (!t.engine.at.status && t.engine.kind != TSR_POINTER)
        t.engine.at = tsr_bad_tuple(TSR_TYPE, 0, 0, 0, 0);
    t.engine.address = (uint64_t)(uintptr_t)memory;
    t.engine.bit = 0;
    return t;
}

/** The bytes of memory, from the element of offset 0 on (from the least offset, where that is negative), that hold
 *  every element of a layout. For a layout without a swizzle that is its cosize in bytes, rounded up.
 *  Errors   TYPE, OVERFLOW, BASIS.
 *  Example  size_in_bytes<int4b_t>((_3,_5):(_5,_1))  =  _8 */
TSR_OP tsr_tuple tsr_layout_size_in_bytes(tsr_layout l, tsr_dtype type);

TSR_OP tsr_tuple tsr_tensor_size_in_bytes(tsr_tensor t);

/** Bytes: of a tensor's elements, or of a layout of elements of a type; TSR_BAD_OFFSET for what has none.
 *  Example  tsr_size_in_bytes(tsr_make_layout(tsr_t(3, 5)), TSR_F16)  is  30 */
#define TSR_SIZE_IN_BYTES_1(t) tsr_tuple_number(tsr_tensor_size_in_bytes(t))
#define TSR_SIZE_IN_BYTES_2(l, type) tsr_tuple_number(tsr_layout_size_in_bytes(l, type))
#define tsr_size_in_bytes(...) TSR_CAT(TSR_SIZE_IN_BYTES_, TSR_NARG(__VA_ARGS__))(__VA_ARGS__)

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tensor/body/like.h"
#endif

#endif
