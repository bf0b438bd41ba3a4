/** Tensor view: a buffer seen through a descriptor.
 *
 *  A top index names an element. The element exists when the index is inside the lengths and hits no padding. This is
 *  checked unless a function says unchecked. A vector is `width` elements along the last dimension. Each of them exists
 *  or not on its own.
 *
 *  Law     get after set returns the element that was set. A view of a view reads the same memory: nothing is copied.
 *  Example  get naive((4,6),(8,1),v=4,s=1) | pass(4):0>0 + rpad(6,2):1>1 w=4 @ (0,4)  =  (4,5,0,0)
 *  Source   ROCm composable_kernel, include/ck_tile/core/tensor/tensor_view.hpp. Ours differ: the top index is
 *           checked, a vector across an edge is right, and the invalid value fills every element.
 */
#ifndef TSR_TILE_TENSOR_VIEW_H
#define TSR_TILE_TENSOR_VIEW_H

#include "tessera/tile/buffer_view.h"
#include "tessera/tile/coordinate.h"

TSR_HEADER_BEGIN

typedef struct tsr_tensor_view {
    tsr_buffer_view buffer;
    tsr_descriptor descriptor;
    tsr_memory_operation operation; /* of update */
    tsr_vector vector;              /* the known vectors of the last dimension */
    bool padded;                    /* an index may hit padding */
} tsr_tensor_view;

/** Why a view is invalid. */
TSR_FN tsr_reason tsr_tensor_view_why(tsr_tensor_view const *v) { return v->descriptor.graph.why; }

/** Makes the view of a buffer through a descriptor. Elements beyond the buffer do not exist.
 *  Errors  those of the descriptor; NOT_READ of tensor memory; TYPE; UPDATE_SPACE, UPDATE_TYPE, UPDATE_ATOMIC. */
TSR_OP_MEMORY tsr_tensor_view tsr_make_tensor_view(tsr_buffer_view buffer, tsr_descriptor const *d,
                                                   tsr_memory_operation operation);

/** Returns the empty view: every element is invalid, and writes do nothing. */
TSR_OP_MEMORY tsr_tensor_view tsr_null_tensor_view(void);

/* Views of views */

TSR_OP_MEMORY tsr_tensor_view tsr_transform_tensor_view(tsr_tensor_view v, int links, tsr_link const *link);

TSR_OP_MEMORY tsr_tensor_view tsr_slice_tensor_view(tsr_tensor_view v, int64_t const *begin, int64_t const *end);

TSR_OP_MEMORY tsr_tensor_view tsr_transpose_tensor_view(tsr_tensor_view v, uint8_t const *order);

TSR_OP_MEMORY tsr_tensor_view tsr_pad_tensor_view(tsr_tensor_view v, int64_t const *tile, bool const *pads);

/** Why a view does not read or write a variable, or OK. */
TSR_INLINE tsr_reason tsr_view_variable_reason_(tsr_tensor_view const *v, tsr_access access, tsr_variable variable)
{
    tsr_reason const why = tsr_tensor_view_why(v);
    if (why.status)
        return why;
    return access == TSR_ACCESS_GET ? tsr_buffer_why(&v->buffer, variable) : tsr_buffer_put_why(&v->buffer, variable);
}

TSR_OP_MEMORY tsr_reason tsr_get_elements_(tsr_tensor_view const *v, tsr_coordinate const *c, int64_t linear,
                                           int64_t width, void *elements, tsr_variable variable);

TSR_OP_MEMORY tsr_reason tsr_put_elements_(tsr_tensor_view const *v, tsr_access access, tsr_coordinate const *c,
                                           int64_t linear, int64_t width, void const *elements,
                                           tsr_variable variable);

/** Get, set or update `width` elements along the last dimension from a coordinate on. The type of *elements is checked.
 *  `elements` points to `width` variables, or to one that holds them all (float4). They return the reason of a refusal,
 *  or OK: ELEMENT_TYPE, and the view's own. A refused get writes zeros, and none behind the variable.
 *
 *  A linear offset is in elements of memory. With a constant offset, many accesses share the work of one coordinate.
 *  The coordinate decides what is padding. The ends of the buffer are checked after the offset is added. */
#define tsr_get_vectorized_elements(v, c, width, elements) \
  tsr_get_elements_(v, c, 0, width, elements, TSR_VARIABLE(elements))

#define tsr_set_vectorized_elements(v, c, width, elements) \
  tsr_put_elements_(v, TSR_ACCESS_SET, c, 0, width, elements, TSR_VARIABLE(elements))

#define tsr_get_vectorized_elements_at(v, c, linear_offset, width, elements) \
  tsr_get_elements_(v, c, linear_offset, width, elements, TSR_VARIABLE(elements))

#define tsr_set_vectorized_elements_at(v, c, linear_offset, width, elements) \
  tsr_put_elements_(v, TSR_ACCESS_SET, c, linear_offset, width, elements, TSR_VARIABLE(elements))

/** memory becomes op(memory, elements), with the operation of the view. */
#define tsr_update_vectorized_elements(v, c, width, elements) \
  tsr_put_elements_(v, TSR_ACCESS_UPDATE, c, 0, width, elements, TSR_VARIABLE(elements))

#define tsr_update_vectorized_elements_at(v, c, linear_offset, width, elements) \
  tsr_put_elements_(v, TSR_ACCESS_UPDATE, c, linear_offset, width, elements, TSR_VARIABLE(elements))

/** The offset of one element, and whether it is there; outside the lengths nothing is computed. */
TSR_INLINE int64_t tsr_view_find_(tsr_tensor_view const *v, int64_t const *index, bool *there)
{
    tsr_adaptor const *const a = &v->descriptor.graph;
    int64_t hidden[TSR_MAX_HIDDEN];
    *there = false;
    for (int i = 0; i < a->tops; ++i)
        if ((uint64_t)index[i] >= (uint64_t)a->length[a->top[i]])
            return 0;
    tsr_adaptor_indices(a, index, hidden);
    *there = !v->padded || tsr_adaptor_valid(a, hidden);
    return hidden[0];
}

TSR_OP_MEMORY tsr_reason tsr_view_get_(tsr_tensor_view const *v, int64_t const *index, void *element,
                                       tsr_variable variable);

TSR_INLINE tsr_reason tsr_view_put_(tsr_tensor_view const *v, tsr_access access, int64_t const *index,
                                    void const *element, tsr_variable variable)
{
    tsr_reason const why = tsr_view_variable_reason_(v, access, variable);
    bool there = false;
    if (!why.status) {
        int64_t const offset = tsr_view_find_(v, index, &there);
        tsr_memory_operation const op = access == TSR_ACCESS_SET ? TSR_UPDATE_SET : v->operation;
        tsr_buffer_update_(&v->buffer, op, offset, there, element);
    }
    return why;
}

/** Get or set the element at a top index that is known to be inside: nothing is checked. */
TSR_OP_MEMORY void tsr_view_get_unchecked(tsr_tensor_view const *v, int64_t const *index, void *element);

TSR_OP_MEMORY void tsr_view_set_unchecked(tsr_tensor_view const *v, int64_t const *index, void const *element);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/tensor_view.h"
#endif

#endif
