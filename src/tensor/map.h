/** The functions of tensor/map.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TENSOR_MAP_H
#define TSR_SRC_TENSOR_MAP_H

#include "tessera/tensor/map.h"
#include "tessera/tensor/body/tensor.h"

static tsr_engine tsr_map_(tsr_engine e, tsr_map_kind kind, bool coordinates)
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

TSR_API tsr_engine tsr_cast_iter(tsr_engine e, tsr_dtype type)
{
    tsr_engine r = tsr_map_(e, TSR_CAST, false);
    if (!r.at.status && tsr_number_kind_of(type) == TSR_NO_NUMBER)
        r.at = tsr_bad_tuple(TSR_TYPE, 0, 0, 0, 0);
    r.map.type = type;
    return r;
}

TSR_API tsr_engine tsr_scale_iter(tsr_engine e, double factor)
{
    tsr_engine r = tsr_map_(e, TSR_SCALE_BY, false);
    r.map.scale = factor;
    return r;
}

TSR_API tsr_engine tsr_transform_iter(tsr_engine e, tsr_function function, void const *context)
{
    tsr_engine r = tsr_map_(e, TSR_FUNCTION, false);
    r.map.function = function;
    r.map.context = context;
    return r;
}

TSR_API tsr_engine tsr_inside_iter(tsr_engine e, tsr_tuple const *shape)
{
    tsr_engine r = tsr_map_(e, TSR_INSIDE, true);
    r.map.context = shape;
    return r;
}

#endif
