/** Zipped tensors: up to four tensors of one shape that are sliced, divided and partitioned together.
 *
 *  Law     part i of op(zip) is op of part i.
 *  Errors  RANK, DIFFER_SIZE where a mode differs; those of the operation, in the first part that has one.
 *  Source  CuTe, include/cute/tensor_zip.hpp.
 */
#ifndef TSR_TENSOR_ZIP_H
#define TSR_TENSOR_ZIP_H

#include "tessera/tensor/partition.h"

TSR_HEADER_BEGIN

#define TSR_MAX_ZIP 4

typedef struct tsr_zip_tensor {
    int parts;
    tsr_tensor part[TSR_MAX_ZIP];
} tsr_zip_tensor;

/** Why a zipped tensor is invalid, or no reason. */
TSR_API tsr_reason tsr_zip_why(tsr_zip_tensor z);

/** A zip with one more tensor. An empty one is TSR_ZERO. */
TSR_API tsr_zip_tensor tsr_zip_append(tsr_zip_tensor z, tsr_tensor t);

/** Two tensors as one. */
TSR_API tsr_zip_tensor tsr_make_zip_tensor(tsr_tensor a, tsr_tensor b);

/** The modes under `_`, of every tensor. */
TSR_API tsr_zip_tensor tsr_zip_slice(tsr_tuple coord, tsr_zip_tensor z);

/** composition of every tensor. */
TSR_API tsr_zip_tensor tsr_zip_composition(tsr_zip_tensor z, tsr_tiler b);

/** zipped_divide of every tensor. */
TSR_API tsr_zip_tensor tsr_zip_zipped_divide(tsr_zip_tensor z, tsr_tiler b);

/** local_tile of every tensor. */
TSR_API tsr_zip_tensor tsr_zip_local_tile(tsr_zip_tensor z, tsr_tiler tiler, tsr_tuple coord);

/** local_partition of every tensor. */
TSR_API tsr_zip_tensor tsr_zip_local_partition(tsr_zip_tensor z, tsr_layout threads, tsr_tuple index);

TSR_HEADER_END

#endif
