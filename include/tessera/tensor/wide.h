/** Wide accesses: may a kernel read and write a tensor so many bytes at a time?
 *
 *  Law     yes when mode `mode` has stride 1 and the address and every other stride are multiples of `bytes`: then each
 *          group of elements along the mode that begins at a multiple of their number is one aligned access.
 *  Errors  MISALIGNED the address; WIDE_MODE the mode's stride; WIDE_STRIDE the mode at fault and a stride that would
 *          do.
 */
#ifndef TSR_TENSOR_WIDE_H
#define TSR_TENSOR_WIDE_H

#include "tessera/tensor/tensor.h"

TSR_HEADER_BEGIN

TSR_OP tsr_tuple tsr_wide_access(uint64_t address, tsr_dtype type, tsr_layout l, int64_t mode, int64_t bytes);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tensor/body/wide.h"
#endif

#endif
