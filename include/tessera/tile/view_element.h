/** One element of a tensor view at a top index.
 *
 *      tsr_view_get(&v, tsr_t(1, 2), &x);          x = element (1,2)
 *      tsr_view_set(&v, tsr_t(1, 2), &x);          element (1,2) = x
 *      tsr_view_update(&v, tsr_t(1, 2), &x);       element (1,2) = op(element (1,2), x), by the operation of the view
 *      tsr_view_read(&v, tsr_t(1, 2), &number);    the same as numbers, whatever the type
 *      tsr_view_write(&v, tsr_t(1, 2), number);
 *
 *  The index is a tuple of integers, whose rank is checked, or a pointer to as many integers as the view has
 *  dimensions.
 *
 *  Law     an index outside of the lengths or in padding reads the invalid value, and writes nothing.
 *  Errors  RANK, NOT_INTEGER; ELEMENT_TYPE, and the view's own; NOT_NUMBERS of read and write. A refused get writes
 *          zeros.
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/tensor_view.hpp.
 */
#ifndef TSR_TILE_VIEW_ELEMENT_H
#define TSR_TILE_VIEW_ELEMENT_H

#include "tessera/tile/tensor_view.h"

TSR_HEADER_BEGIN

/** Returns a tuple of integers as an index. Any other tuple gives an index of rank 0. */
TSR_FN tsr_index tsr_index_of(tsr_tuple t)
{
    tsr_index r = TSR_ZERO;
    for (int i = 0; !t.status && t.leaves <= TSR_MAX_DIMS && i < t.leaves; ++i) {
        if (t.leaf[i].open + t.leaf[i].close > (t.leaves == 1                 ? 2
                                                : i == 0 || i == t.leaves - 1 ? 1
                                                                              : 0)
            || !tsr_leaf_is_int(t.leaf[i])) {
            r.rank = 0;
            return r;
        }
        r.at[r.rank++] = t.leaf[i].value;
    }
    return r;
}

/** Returns why a tuple is not an index, or OK. */
TSR_FN tsr_reason tsr_index_why(tsr_tuple t)
{
    if (t.status)
        return tsr_because((tsr_status)t.status, t.mode, t.leaf[0].value, t.leaf[1].value, t.leaf[2].value);
    bool const fits = tsr_index_of(t).rank == t.leaves;
    return tsr_because(fits ? TSR_OK : TSR_NOT_INTEGER, 0, tsr_mode_count(&t), 0, 0);
}

/** Returns a tuple as the index of a view. If it is not one, `why` says why. */
TSR_FN tsr_index tsr_view_index_(tsr_tensor_view const *v, tsr_tuple t, tsr_reason *why)
{
    tsr_index const index = tsr_index_of(t);
    *why = tsr_index_why(t);
    if (!why->status && !v->descriptor.graph.why.status && index.rank != v->descriptor.graph.tops)
        *why = tsr_because(TSR_RANK, 0, index.rank, v->descriptor.graph.tops, 0);
    return index;
}

/** An element as a number. Errors  NOT_NUMBERS; the number is then 0. */
TSR_INLINE tsr_reason tsr_view_read_(tsr_tensor_view const *v, int64_t const *index, tsr_number *x)
{
    unsigned char element[TSR_MAX_ELEMENT] = {0};
    tsr_reason why = tsr_tensor_view_why(v);
    *x = tsr_number_int(0);
    if (!why.status && tsr_number_kind_of(v->buffer.type) == TSR_NO_NUMBER)
        why = tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    if (why.status)
        return why;
    why = tsr_view_get_(v, index, element, tsr_variable_(0, 0, 0));
    *x = tsr_load(v->buffer.type, element, 0);
    return why;
}

TSR_INLINE tsr_reason tsr_view_write_(tsr_tensor_view const *v, int64_t const *index, tsr_number x)
{
    unsigned char element[TSR_MAX_ELEMENT] = {0};
    tsr_reason why = tsr_tensor_view_why(v);
    if (!why.status && (x.kind == TSR_NO_NUMBER || tsr_number_kind_of(v->buffer.type) == TSR_NO_NUMBER))
        why = tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    if (why.status)
        return why;
    tsr_store(v->buffer.type, element, 0, x);
    return tsr_view_put_(v, TSR_ACCESS_SET, index, element, tsr_variable_(0, 0, 0));
}

/* The same of a tuple */

TSR_INLINE tsr_reason tsr_view_get_tuple_(tsr_tensor_view const *v, tsr_tuple t, void *element, tsr_variable variable)
{
    tsr_reason why;
    tsr_index const index = tsr_view_index_(v, t, &why);
    if (!why.status)
        return tsr_view_get_(v, index.at, element, variable);
    tsr_clear_variable_(element, variable, 1, v->buffer.type, v->buffer.bytes);
    return why;
}

TSR_INLINE tsr_reason tsr_view_put_tuple_(tsr_tensor_view const *v, tsr_access access, tsr_tuple t,
                                          void const *element, tsr_variable variable)
{
    tsr_reason why;
    tsr_index const index = tsr_view_index_(v, t, &why);
    return why.status ? why : tsr_view_put_(v, access, index.at, element, variable);
}

TSR_INLINE tsr_reason tsr_view_read_tuple_(tsr_tensor_view const *v, tsr_tuple t, tsr_number *x)
{
    tsr_reason why;
    tsr_index const index = tsr_view_index_(v, t, &why);
    *x = tsr_number_int(0);
    return why.status ? why : tsr_view_read_(v, index.at, x);
}

TSR_INLINE tsr_reason tsr_view_write_tuple_(tsr_tensor_view const *v, tsr_tuple t, tsr_number x)
{
    tsr_reason why;
    tsr_index const index = tsr_view_index_(v, t, &why);
    return why.status ? why : tsr_view_write_(v, index.at, x);
}

#ifdef __cplusplus
TSR_INLINE tsr_reason tsr_view_get_(tsr_tensor_view const *v, tsr_tuple const &t, void *element,
                                    tsr_variable variable)
{
    return tsr_view_get_tuple_(v, t, element, variable);
}
TSR_INLINE tsr_reason tsr_view_put_(tsr_tensor_view const *v, tsr_access access, tsr_tuple const &t,
                                    void const *element, tsr_variable variable)
{
    return tsr_view_put_tuple_(v, access, t, element, variable);
}
TSR_INLINE tsr_reason tsr_view_read_(tsr_tensor_view const *v, tsr_tuple const &t, tsr_number *x)
{
    return tsr_view_read_tuple_(v, t, x);
}
TSR_INLINE tsr_reason tsr_view_write_(tsr_tensor_view const *v, tsr_tuple const &t, tsr_number x)
{
    return tsr_view_write_tuple_(v, t, x);
}
#  define TSR_BY_INDEX_(verb, index) tsr_view_##verb##_
#else
/* clang-format off */
#  define TSR_BY_INDEX_(verb, index) \
      _Generic((index), tsr_tuple : tsr_view_##verb##_tuple_, default : tsr_view_##verb##_)
/* clang-format on */
#endif

#define tsr_view_get(v, index, element) TSR_BY_INDEX_(get, index)(v, index, element, TSR_VARIABLE(element))

#define tsr_view_set(v, index, element) \
  TSR_BY_INDEX_(put, index)(v, TSR_ACCESS_SET, index, element, TSR_VARIABLE(element))

#define tsr_view_update(v, index, element) \
  TSR_BY_INDEX_(put, index)(v, TSR_ACCESS_UPDATE, index, element, TSR_VARIABLE(element))

#define tsr_view_read(v, index, number) TSR_BY_INDEX_(read, index)(v, index, number)
#define tsr_view_write(v, index, number) TSR_BY_INDEX_(write, index)(v, index, number)

TSR_HEADER_END

#endif
