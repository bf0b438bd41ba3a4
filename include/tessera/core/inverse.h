/** Inverses and what rests on them: common vectors, nullspace, distribution.
 *
 *  Law of right_inverse  L(R(i)) = i for every i < size(R), R as large as the static strides allow.
 *  Law of left_inverse   R(L(i)) = i for every i < size(L), for an injective L.
 *  Source                CuTe, include/cute/layout.hpp.
 */
#ifndef TSR_CORE_INVERSE_H
#define TSR_CORE_INVERSE_H

#include "tessera/core/complement.h"

/** The modes of a row that have static strides, by ascending stride; equal strides as an exchange sort leaves them. */
TSR_FN int tsr_static_order_(tsr_row_ const *row, int *order)
{
    int n = 0;
    for (int i = 0; i < row->n; ++i)
        if (tsr_leaf_is_static(row->stride[i]))
            order[n++] = i;
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n; ++j) {
            if (row->stride[order[j]].value < row->stride[order[i]].value) {
                int const swap = order[i];
                order[i] = order[j];
                order[j] = swap;
            }
        }
    }
    return n;
}

/** The product of the extents before mode i. */
TSR_FN tsr_leaf tsr_before_(tsr_row_ const *row, int i)
{
    tsr_leaf r = tsr_leaf_static(1);
    for (int k = 0; k < i; ++k)
        r = tsr_leaf_mul(r, row->shape[k]);
    return r;
}

TSR_FN tsr_layout tsr_inverse_input_(tsr_layout const *whole)
{
    tsr_layout const l = tsr_coalesce_inner_(whole, false);
    for (int i = 0; !l.shape.status && i < l.stride.leaves; ++i)
        if (l.stride.leaf[i].aux != 0)
            return tsr_bad_layout(TSR_INVERSE_BASIS, i, 0, 0, 0);
    return l;
}

/** The modes whose strides continue each other from 1 on, inverted. Modes of dynamic stride are left out. */
TSR_FN tsr_layout tsr_plain_right_inverse_(tsr_layout const *whole)
{
    tsr_row_ row TSR_SCRATCH, out TSR_SCRATCH;
    out.n = 0;
    int order[2 * TSR_MAX_LEAVES + 2] = {0};
    tsr_leaf next = tsr_leaf_static(1);
    tsr_layout const l = tsr_inverse_input_(whole);
    if (l.shape.status)
        return l;
    tsr_row_of_(&row, &l);
    tsr_row_push_(&out, tsr_leaf_static(1), tsr_leaf_static(0));
    int const n = tsr_static_order_(&row, order);
    for (int k = 0; k < n; ++k) {
        tsr_leaf const s = row.shape[order[k]], d = row.stride[order[k]];
        if (!tsr_leaf_is(next, d.value))
            continue;
        tsr_row_push_(&out, s, tsr_before_(&row, order[k]));
        next = tsr_leaf_mul(s, d);
    }
    tsr_row_coalesce_(&out, false);
    return tsr_row_layout_(&out);
}

TSR_FN tsr_layout tsr_plain_left_inverse_(tsr_layout const *whole)
{
    tsr_row_ row TSR_SCRATCH, out TSR_SCRATCH;
    out.n = 0;
    int order[2 * TSR_MAX_LEAVES + 2] = {0};
    tsr_leaf span = tsr_leaf_static(1), stride = tsr_leaf_static(0);
    tsr_layout const l = tsr_inverse_input_(whole);
    if (l.shape.status)
        return l;
    tsr_row_of_(&row, &l);
    int const n = tsr_static_order_(&row, order);
    for (int i = 0; i < row.n; ++i)
        if (!tsr_leaf_is_static(row.stride[i]))
            return tsr_bad_layout(TSR_INVERSE_DYNAMIC, i, 0, 0, 0);
    for (int k = 0; k < n; ++k) {
        tsr_leaf const d = row.stride[order[k]];
        if (d.value == 0)
            continue;
        if (d.value < 0 || d.value % span.value != 0)
            return tsr_bad_layout(TSR_INVERSE_DIVIDES, order[k], d.value, span.value, 0);
        tsr_row_push_(&out, tsr_leaf_div(d, span), stride);
        stride = tsr_before_(&row, order[k]);
        span = d;
    }
    tsr_row_push_(&out, row.shape[order[n - 1]], stride);
    tsr_row_coalesce_(&out, false);
    return tsr_row_layout_(&out);
}

/** The modes of static stride 0, as strides into the domain; _1:_0 when there are none. */
TSR_FN tsr_layout tsr_plain_nullspace_(tsr_layout l)
{
    tsr_row_ row TSR_SCRATCH, out TSR_SCRATCH;
    out.n = 0;
    if (l.shape.status)
        return l;
    tsr_row_of_(&row, &l);
    for (int i = 0; i < row.n; ++i)
        if (tsr_leaf_is(row.stride[i], 0)) {
            tsr_leaf const stride = tsr_leaf_is(row.shape[i], 1) ? tsr_leaf_static(0) : tsr_before_(&row, i);
            tsr_row_push_(&out, row.shape[i], stride);
        }
    return out.n == 0 ? tsr_pad_() : tsr_row_layout_(&out);
}

/** The largest prefix of a shape's modes, by greatest common divisors, that together count `count`.
 *  Example  domain_distribute((_15,_14), _6)  =  (_3,_2):(_1,_15) */
TSR_FN tsr_layout tsr_domain_distribute(tsr_tuple shape, tsr_tuple count)
{
    tsr_row_ out TSR_SCRATCH;
    out.n = 0;
    if (shape.status || count.status)
        return tsr_invalid_(shape.status ? shape : count);
    tsr_leaf rest = tsr_as_leaf_(count);
    shape = tsr_wrap(shape);
    tsr_tuple const stride = tsr_compact_col_major(shape);
    if (stride.status || rest.kind != TSR_STATIC)
        return stride.status ? tsr_invalid_(stride) : tsr_bad_layout(TSR_DISTRIBUTE_STATIC, 0, 0, 0, 0);
    for (int i = 0; i < shape.leaves; ++i) {
        if (shape.leaf[i].kind != TSR_STATIC)
            return tsr_bad_layout(TSR_DISTRIBUTE_STATIC, i, 0, 0, 0);
        tsr_leaf const part = tsr_leaf_gcd(shape.leaf[i], rest);
        tsr_row_push_(&out, part, stride.leaf[i]);
        rest = tsr_leaf_div(rest, part);
    }
    tsr_row_coalesce_(&out, false);
    return tsr_checked_(tsr_row_layout_(&out));
}

#endif
