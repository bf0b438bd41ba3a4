/** Owning tensors: memory for the elements of a layout, and the tensor over it.
 *
 *      tsr_zeros(float, A, (4, 8));               // the tensor A, column-major, its elements 0, on the stack
 *      tsr_empty(float, B, (4, 8), tsr_right());  // row-major, not initialised
 *      tsr_tensor C = tsr_alloc(TSR_F32, layout, 64);   // any layout, in aligned memory of its own
 *      tsr_free(&C);
 *
 *  tsr_zeros and tsr_empty declare an array and a constant tensor in a function; with `static` in front, the array is
 *  static. It has the name of the tensor with _elements behind it. Shapes and strides are lists of constants, strides
 *  also tsr_left() or tsr_right() (tensor/lists.h). Sizes of run time do not compile: tsr_alloc takes them.
 *
 *  A value with its elements inside, which assignment copies as it copies std::array:
 *
 *      typedef TSR_ARRAY(float, TSR_COSIZE((4, 8))) tile;
 *      tile a = {tsr_make_layout(tsr_t(_4, _8)), {0}};
 *      tsr_tensor t = tsr_view(a);                 // t is valid as long as a is
 *
 *  Errors  STATIC_ONLY for a layout of an array that is not static; SPAN for one that reaches beyond the elements.
 *  Source  CuTe, ArrayEngine in include/cute/tensor_impl.hpp; the names are NumPy's.
 */
#ifndef TSR_TENSOR_ARRAY_H
#define TSR_TENSOR_ARRAY_H

#include "tessera/tensor/lists.h"
#include "tessera/tensor/ref.h"
#include "tessera/tensor/span.h"

TSR_HEADER_BEGIN

#define tsr_empty(T, name, ...)                              \
  T name##_elements[TSR_CONSTANT_(TSR_COSIZE(__VA_ARGS__))]; \
  TSR_OWNED_(name, __VA_ARGS__)

#define tsr_zeros(T, name, ...)                                         \
  T name##_elements[TSR_CONSTANT_(TSR_COSIZE(__VA_ARGS__))] = TSR_ZERO; \
  TSR_OWNED_(name, __VA_ARGS__)

/* A number that compiles only as a constant: an array of any other would be one of variable length. */
#ifdef __cplusplus
template <long long Number> constexpr long long tsr_constant_ = Number;
#  define TSR_CONSTANT_(n) tsr_constant_<(n)>
#else
#  define TSR_CONSTANT_(n) ((n) + 0 * sizeof(struct { int sizes_are_constants : 1 + ((n) > 0); }))
#endif

#define TSR_OWNED_(name, ...) \
  tsr_tensor const name = TSR_JOIN_(TSR_OWNED_, TSR_NARG(__VA_ARGS__))(name##_elements, __VA_ARGS__)
#define TSR_OWNED_1(p, s) tsr_make_tensor((p) + 0, TSR_LIST(s))
#define TSR_OWNED_2(p, s, d) TSR_JOIN_(TSR_OWNED_2_, TSR_ARE_LISTS_(s, d))(p, s, d)
#define TSR_OWNED_2_00(p, s, d) tsr_make_tensor((p) + 0, TSR_LIST(s), TSR_LIST(d))
#define TSR_OWNED_2_11(p, s, d) tsr_make_tensor((p) + 0, TSR_LIST(s), TSR_LIST(d))
#define TSR_OWNED_2_10(p, s, d) tsr_make_tensor((p) + 0, TSR_LIST(s), d)

/** Returns a tensor over new memory that holds every element of a layout, all bits 0. The memory begins at a
 *  multiple of `alignment` bytes, which is rounded up to a power of two, at least 64.
 *  Errors   TYPE, OVERFLOW, BASIS, NO_MEMORY. */
TSR_API tsr_tensor tsr_alloc(tsr_dtype type, tsr_layout layout, size_t alignment);

/** Gives the memory of a tensor back, which tsr_alloc returned. Parts of the tensor point nowhere then. */
TSR_API void tsr_free(tsr_tensor *t);

#define TSR_ARRAY(T, n) \
  struct {              \
    tsr_layout layout;  \
    T data[n];          \
  }

TSR_HOST tsr_tensor tsr_view_(tsr_engine data, tsr_layout l, size_t bytes)
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
