/** Accesses: how wide a copy may read and write, proved from the layouts; for instructions whose width is chosen first.
 *
 *  Law     the accesses hold every element once; each is aligned to its size, its elements lie side by side in both.
 *  Source  CuTe, include/cute/algorithm/copy.hpp, copy_vec and AutoVectorizingCopyWithAssumedAlignment.
 */
#ifndef TSR_TENSOR_ACCESSES_H
#define TSR_TENSOR_ACCESSES_H

#include "tessera/tensor/span.h"

TSR_HEADER_BEGIN

/** How a copy is cut into accesses: each of `elements` elements, at `source` and `target`. */
typedef struct tsr_accesses {
    int64_t elements, bits;
    tsr_reason why;            /* it is not wider */
    tsr_layout source, target; /* of the accesses */
} tsr_accesses;

/** Whether elements of this type are moved as they are. */
TSR_API bool tsr_same_bits_(tsr_tensor const *s, tsr_tensor const *d);

/** The widest access that copies s to d, and why it is not wider. Its elements lie side by side in both tensors, every
 *  step is whole accesses, and it is aligned to its own size: a power of two of bytes, at most max_bits. */
TSR_API tsr_accesses tsr_copy_vector(tsr_tensor s, tsr_tensor d, int64_t max_bits);

TSR_HEADER_END

#endif
