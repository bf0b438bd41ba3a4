/** The bodies of tensor/wide.h. */
#ifndef TSR_TENSOR_BODY_WIDE_H
#define TSR_TENSOR_BODY_WIDE_H

#include "tessera/tensor/wide.h"
#include "tessera/tensor/body/tensor.h"

TSR_HEADER_BEGIN

TSR_OP tsr_tuple tsr_wide_access(uint64_t address, tsr_dtype type, tsr_layout l, int64_t mode, int64_t bytes)
{
    int64_t const bits = tsr_dtype_bits(type), group = bits > 0 ? bytes * 8 / bits : 0;
    tsr_tuple const along = tsr_tuple_get(l.stride, mode);
    if (l.shape.status || along.status)
        return l.shape.status ? l.shape : along;
    if (bits == 0 || bytes <= 0 || !tsr_is_pow2(bytes) || group * bits != bytes * 8)
        return tsr_bad_tuple(TSR_TYPE, 0, bits, 0, 0);
    if (address % (uint64_t)bytes != 0)
        return tsr_bad_tuple(TSR_MISALIGNED, 0, (int64_t)(address % (uint64_t)bytes), bytes, 0);
    if (group > 1 && (!tsr_is_leaf(&along) || along.leaf[0].value != 1))
        return tsr_bad_tuple(TSR_WIDE_MODE, (int)mode, bytes, tsr_is_leaf(&along) ? along.leaf[0].value : 0, 0);
    for (int i = 0; group > 1 && i < tsr_mode_count(&l.shape); ++i) {
        tsr_tuple const shape = tsr_get_(&l.shape, i), stride = tsr_get_(&l.stride, i);
        for (int k = 0; i != mode && k < shape.leaves; ++k) {
            int64_t const d = stride.leaf[k].value, past = d % group;
            if (shape.leaf[k].value > 1 && past != 0)
                return tsr_bad_tuple(TSR_WIDE_STRIDE, i, bytes, d, d - past + group);
        }
    }
    return tsr_s(1);
}

TSR_HEADER_END

#endif
