/** Elements computed when they are read: converted, scaled, or any function of the stored one.
 *
 *  One function stands in front of an engine. It moves, slices and partitions as the engine does.
 *
 *  Errors  MAPPED_TWICE, TYPE, NOT_NUMBERS.
 *  Source  CuTe, transform_iter in include/cute/pointer_base.hpp.
 */
#ifndef TSR_TENSOR_MAP_H
#define TSR_TENSOR_MAP_H

#include "tessera/tensor/tensor.h"

TSR_HEADER_BEGIN

TSR_FN tsr_engine tsr_map_(tsr_engine e, tsr_map_kind kind, bool coordinates)
{
    if (e.at.status)
        return e;
    if (e.map.kind != TSR_AS_IS)
        e.at = tsr_bad_tuple(TSR_MAPPED_TWICE, 0, 0, 0, 0);
    else if ((e.kind == TSR_COORDINATES) != coordinates)
        e.at = tsr_bad_tuple(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    e.map.kind = (uint8_t)kind;
    return e;
}

/** Elements as numbers of another type. */
TSR_FN tsr_engine tsr_cast_iter(tsr_engine e, tsr_dtype type)
{
    tsr_engine r = tsr_map_(e, TSR_CAST, false);
    if (!r.at.status && tsr_number_kind_of(type) == TSR_NO_NUMBER)
        r.at = tsr_bad_tuple(TSR_TYPE, 0, 0, 0, 0);
    r.map.type = type;
    return r;
}

/** Elements times a real factor. */
TSR_FN tsr_engine tsr_scale_iter(tsr_engine e, double factor)
{
    tsr_engine r = tsr_map_(e, TSR_SCALE_BY, false);
    r.map.scale = factor;
    return r;
}

/** function(element, context). */
TSR_FN tsr_engine tsr_transform_iter(tsr_engine e, tsr_function function, void const *context)
{
    tsr_engine r = tsr_map_(e, TSR_FUNCTION, false);
    r.map.function = function;
    r.map.context = context;
    return r;
}

/** The predicate of coordinates: 1 where every one is less than the extent of *shape, else 0. *shape must outlive
 *  the engine. */
TSR_FN tsr_engine tsr_inside_iter(tsr_engine e, tsr_tuple const *shape)
{
    tsr_engine r = tsr_map_(e, TSR_INSIDE, true);
    r.map.context = shape;
    return r;
}

TSR_HEADER_END

#endif
