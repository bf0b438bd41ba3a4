/** Strides made from shapes: compact, ordered, basis.
 *
 *  Law  compact strides number the coordinates of a shape without gaps; a leaf of static extent 1 gets stride _0.
 *  Source  CuTe, include/cute/stride.hpp and numeric/arithmetic_tuple.hpp.
 */
#ifndef TSR_CORE_STRIDE_H
#define TSR_CORE_STRIDE_H

#include "tessera/core/coord.h"

TSR_HEADER_BEGIN

/** Compact strides of `shape` that start at `current`, from the first leaf on, or from the last. */
TSR_FN tsr_tuple tsr_compact_(tsr_tuple shape, tsr_leaf current, bool right)
{
    for (int k = 0; k < shape.leaves; ++k) {
        int const i = right ? shape.leaves - 1 - k : k;
        tsr_leaf const extent = shape.leaf[i];
        if (extent.kind == TSR_UNIT)
            continue;
        if (current.kind == TSR_BAD)
            return tsr_from_leaf(current);
        tsr_leaf const stride = tsr_leaf_is(extent, 1) ? tsr_leaf_static(0) : current;
        shape.leaf[i].value = stride.value;
        shape.leaf[i].kind = stride.kind;
        shape.leaf[i].aux = stride.aux;
        if (!tsr_leaf_is(extent, 1))
            current = tsr_leaf_mul(current, extent);
    }
    return shape;
}

TSR_FN tsr_tuple tsr_compact_from_(tsr_tuple shape, tsr_tuple current, bool right)
{
    tsr_tuple r = TSR_ZERO;
    if (shape.status || current.status)
        return shape.status ? shape : current;
    if (tsr_is_leaf(&current))
        return tsr_compact_(shape, current.leaf[0], right);
    int const rank = tsr_mode_count(&shape);
    if (tsr_is_leaf(&shape) || tsr_mode_count(&current) != rank)
        return tsr_ranks_differ_(&shape, &current);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const x = tsr_compact_from_(tsr_tuple_get(shape, i), tsr_tuple_get(current, i), right);
        tsr_tuple_push(&r, &x);
    }
    return tsr_tuple_close(r);
}

/** The exclusive prefix products of the shape, times `current` (a stride for the whole, or one per mode). */
TSR_FN tsr_tuple tsr_compact_col_major_after(tsr_tuple shape, tsr_tuple current)
{
    return tsr_compact_from_(shape, current, false);
}

TSR_FN tsr_tuple tsr_compact_row_major_after(tsr_tuple shape, tsr_tuple current)
{
    return tsr_compact_from_(shape, current, true);
}

TSR_FN tsr_tuple tsr_compact_col_major(tsr_tuple shape) { return tsr_compact_from_(shape, tsr_s(1), false); }

TSR_FN tsr_tuple tsr_compact_row_major(tsr_tuple shape) { return tsr_compact_from_(shape, tsr_s(1), true); }

TSR_EVAL bool tsr_is_major_(tsr_tuple const *t)
{
    return t->leaves == 1 && t->leaf[0].open == 0 && t->leaf[0].kind == TSR_MAJOR;
}

/** The exclusive prefix products of all leaves, starting from _1.
 *  Example  prefix_product((3,(6,2)))  =  (_1,(3,18)) */
TSR_OP tsr_tuple tsr_prefix_product(tsr_tuple t);

/** Strides of `shape` that grow in the order of the static numbers in `order`. A dynamic number counts as larger
 *  than every static one; several count from left to right. Equal numbers start at the same stride. */
TSR_OP tsr_tuple tsr_compact_order(tsr_tuple shape, tsr_tuple order);

/** The basis strides of a shape: leaf (i,j) gets _1@j@i, the unit of that mode of the coordinate. */
TSR_OP tsr_tuple tsr_make_basis_like(tsr_tuple shape);

/** The integer of a basis element; an integer stays. */
TSR_OP tsr_tuple tsr_basis_value(tsr_tuple t);

/** The mode of t that the path of the basis element e names. */
TSR_OP tsr_tuple tsr_basis_get(tsr_tuple e, tsr_tuple t);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/stride.h"
#endif

#endif
