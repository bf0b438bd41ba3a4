/** Wide accesses: may a kernel read and write a tensor `bytes` bytes at a time?
 *
 *  Law     yes when mode `mode` has stride 1, and the address and every other stride are multiples of `bytes`. Then
 *          each group of `bytes` bytes along the mode, counted from its first element, is one aligned access.
 *  Errors  MISALIGNED the address; WIDE_MODE the mode's stride; WIDE_STRIDE the mode at fault and a stride that would
 *          do.
 */
#ifndef TSR_TENSOR_WIDE_H
#define TSR_TENSOR_WIDE_H

#include "tessera/tensor/tensor.h"

TSR_HEADER_BEGIN

/** How many elements lie side by side along a mode in one aligned access, or why there are none. */
TSR_OP tsr_tuple tsr_wide_access(uint64_t address, tsr_dtype type, tsr_layout l, int64_t mode, int64_t bytes);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tensor/body/wide.h"
#endif

#endif
