/** Elements computed when they are read: converted, scaled, or any function of the stored one.
 *
 *  An engine has at most one function. The tensor moves, slices and partitions as without it.
 *
 *  Errors  MAPPED_TWICE, TYPE, NOT_NUMBERS.
 *  Source  CuTe, transform_iter in include/cute/pointer_base.hpp.
 */
#ifndef TSR_TENSOR_MAP_H
#define TSR_TENSOR_MAP_H

#include "tessera/tensor/tensor.h"

TSR_HEADER_BEGIN

/** Returns the engine with its elements converted to another type. */
TSR_API tsr_engine tsr_cast_iter(tsr_engine e, tsr_dtype type);

/** Returns the engine with its elements times a real factor. */
TSR_API tsr_engine tsr_scale_iter(tsr_engine e, double factor);

/** Returns the engine of function(element, context). */
TSR_API tsr_engine tsr_transform_iter(tsr_engine e, tsr_function function, void const *context);

/** Returns the predicate of an engine of coordinates: 1 where each is less than its extent in *shape, else 0. *shape
 *  must outlive the engine. */
TSR_API tsr_engine tsr_inside_iter(tsr_engine e, tsr_tuple const *shape);

TSR_HEADER_END

#endif
