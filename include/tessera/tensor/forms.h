/** Operations of layouts on tensors: what they say of the layout, or the same engine in front of the new layout.
 *
 *  Law     op(T) is op(layout(T)), behind the engine of T where it is a tensor; what two tensors have in common is in
 *          memory, so it also asks for one element type and for pointers.
 *  Source  CuTe, include/cute/tensor_impl.hpp; for modes that are appended, CuTe DSL.
 */
#ifndef TSR_TENSOR_FORMS_H
#define TSR_TENSOR_FORMS_H

#include "tessera/core/query.h"
#include "tessera/tensor/tensor.h"

TSR_HEADER_BEGIN

TSR_OP tsr_layout tsr_tensor_layout_of(tsr_tensor t, tsr_tuple path);

TSR_OP tsr_tuple tsr_tensor_stride_of(tsr_tensor t, tsr_tuple path);

TSR_OP tsr_tuple tsr_tensor_coshape_of(tsr_tensor t, tsr_tuple path);

TSR_OP tsr_tuple tsr_tensor_cosize_of(tsr_tensor t, tsr_tuple path);

TSR_OP tsr_tuple tsr_tensor_major_int(tsr_tensor t, int64_t mode);

TSR_OP tsr_tuple tsr_tensor_leading_dim(tsr_tensor t);

/* Modes. A mode that is appended reaches where its strides say; _1:_0 only fills a rank. */

TSR_OP tsr_tensor tsr_tensor_select(tsr_tensor t, tsr_tuple path);

TSR_OP tsr_tensor tsr_tensor_append(tsr_tensor t, tsr_layout x);

TSR_OP tsr_tensor tsr_tensor_prepend(tsr_tensor t, tsr_layout x);

TSR_OP tsr_tensor tsr_tensor_pad(tsr_tensor t, int64_t n);

TSR_OP tsr_tensor tsr_tensor_pad_front(tsr_tensor t, int64_t n);

TSR_OP tsr_tensor tsr_tensor_filter_zeros_by(tsr_tensor t, tsr_tuple profile);

/** The elements, in order, that lie side by side in both tensors (tsr_max_common_layout); _1:_0 where the tensors
 *  are not memory of one type. Alignment is not looked at (tsr_copy_vector does).
 *  Example  max_common_layout(gmem<float>(64) o (_4,_8):(_8,_1), smem<float>(64) o (_4,_8):(_8,_1))  =  (_8,_4):(_4,_1)
 */
TSR_OP tsr_layout tsr_tensor_max_common_layout(tsr_tensor a, tsr_tensor b);

/** How many those are; _0 where the tensors are not memory of one type.
 *  Example  max_common_vector(gmem<float>(1024) o (_4,8):(_1,_4), smem<half_t>(512) o (_4,8):(_1,_4))  =  _0 */
TSR_OP tsr_tuple tsr_tensor_max_common_vector(tsr_tensor a, tsr_tensor b);

/** The bits of the widest access that splits no element and keeps to the layout and to the swizzle of the pointer; the
 *  address is not looked at.
 *  Errors   TYPE for elements that are not in memory.
 *  Example  max_alignment(gmem<half_t>(1024) o (_8,7):(_1,_16))  =  _128 */
TSR_OP tsr_tuple tsr_tensor_max_alignment(tsr_tensor t);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tensor/body/forms.h"
#endif

#endif
