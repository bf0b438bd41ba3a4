/** Owning tensors: elements and their layout as one value. Assignment copies the elements, as of std::array.
 *
 *      typedef TSR_ARRAY(float, 32) tile;
 *      tile a = {tsr_make_layout(tsr_t(_4, _8)), {0}};
 *      tsr_tensor t = tsr_view(a);                 // t is valid as long as a is
 *
 *  Errors  STATIC_ONLY for a layout that is not static; SPAN for one that reaches beyond the elements.
 *  Source  CuTe, ArrayEngine in include/cute/tensor_impl.hpp.
 */
#ifndef TSR_TENSOR_ARRAY_H
#define TSR_TENSOR_ARRAY_H

#include "tessera/tensor/pointer.h"
#include "tessera/tensor/span.h"

TSR_HEADER_BEGIN

#define TSR_ARRAY(T, n) \
  struct {              \
    tsr_layout layout;  \
    T data[n];          \
  }

TSR_INLINE tsr_tensor tsr_view_(tsr_engine data, tsr_layout l, size_t bytes)
{
    tsr_tensor r = tsr_make_tensor_of(data, l);
    for (int i = 0; !l.shape.status && i < l.shape.leaves; ++i)
        if (!tsr_leaf_is_static(l.shape.leaf[i]) || !tsr_leaf_is_static(l.stride.leaf[i]))
            r.engine.at = tsr_bad_tuple(
                TSR_STATIC_ONLY, i, (tsr_leaf_is_static(l.shape.leaf[i]) ? l.stride : l.shape).leaf[i].value, 0, 0);
    tsr_reason const within = tsr_within(r, (void const *)(uintptr_t)data.address, (uint64_t)bytes);
    if (within.status)
        r.engine.at = tsr_reason_tuple(within);
    r.engine = tsr_engine_bounded(r.engine, data.address, (uint64_t)bytes);
    return r;
}

/** The tensor of an array. */
#define tsr_view(array) tsr_view_(tsr_make_ptr(&(array).data[0]), (array).layout, sizeof(array).data)

/** make_tensor_like: gives an array a compact layout with the shape of a tensor and its order of strides. */
#define tsr_view_like(array, t) ((array).layout = tsr_make_layout_like((t).layout), tsr_view(array))

/** make_fragment_like: the same for a fragment of registers, mode 0 first. */
#define tsr_view_fragment(array, t) ((array).layout = tsr_make_fragment_like((t).layout), tsr_view(array))

TSR_HEADER_END

#endif
