/** The bodies of core/inverse.h. */
#ifndef TSR_CORE_BODY_INVERSE_H
#define TSR_CORE_BODY_INVERSE_H

#include "tessera/core/inverse.h"
#include "tessera/core/body/injective.h"
#include "tessera/core/body/product.h"

TSR_HEADER_BEGIN

/** The modes of a row that have static strides, by ascending stride; equal strides as an exchange sort leaves them. */
TSR_LOCAL int tsr_static_order_(tsr_row_ const *row, int *order)
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
TSR_LOCAL tsr_leaf tsr_before_(tsr_row_ const *row, int i)
{
    tsr_leaf r = tsr_leaf_static(1);
    for (int k = 0; k < i; ++k)
        r = tsr_leaf_mul(r, row->shape[k]);
    return r;
}

/** The coalesced modes of a valid layout as a row. False: r is the reason why they cannot be inverted. */
TSR_LOCAL bool tsr_inverse_input_(tsr_layout *r, tsr_row_ *row, tsr_layout const *l)
{
    tsr_row_of_(row, l);
    tsr_row_coalesce_(row, false);
    tsr_leaf const fault = tsr_row_fault_(row);
    if (fault.kind == TSR_BAD)
        *r = tsr_invalid_layout(tsr_from_leaf(fault));
    return r->shape.status == TSR_OK;
}

/** The modes whose strides continue each other from 1 on, inverted, into r, which has no modes. Modes of dynamic stride
 *  are left out. */
TSR_LOCAL void tsr_plain_right_inverse_(tsr_layout *r, tsr_layout const *l)
{
    tsr_row_ row TSR_SCRATCH, out TSR_SCRATCH;
    int order[2 * TSR_MAX_LEAVES + 2] TSR_SCRATCH;
    tsr_leaf next = tsr_leaf_static(1);
    if (!tsr_inverse_input_(r, &row, l))
        return;
    out.n = 0;
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
    tsr_put_row_(r, &out);
}

/** The offset x of a row as a 1-D layout. */
TSR_LOCAL int64_t tsr_row_at_(tsr_row_ const *row, int64_t x)
{
    uint64_t r = 0;
    for (int i = 0; i < row->n; ++i) {
        r += (uint64_t)(x % row->shape[i].value) * (uint64_t)row->stride[i].value;
        x /= row->shape[i].value;
    }
    return (int64_t)r;
}

/** Merges modes that go on in each other, dynamic ones too. False: there are none. */
TSR_LOCAL bool tsr_row_join_(tsr_row_ *row)
{
    int n = 0;
    for (int i = 1; i < row->n; ++i) {
        tsr_leaf const next = tsr_leaf_mul(row->shape[n], row->stride[n]);
        bool const joins = next.kind != TSR_BAD && next.value != 0 && next.value == row->stride[i].value;
        n += !joins;
        row->stride[n] = joins ? row->stride[n] : row->stride[i];
        row->shape[n] = joins ? tsr_leaf_mul(row->shape[n], row->shape[i]) : row->shape[i];
    }
    bool const joined = n + 1 < row->n;
    row->n = n + 1;
    return joined;
}

/** The modes by ascending stride, each counting its coordinate, into r, which has no modes: R(d) is the 1-D coordinate
 *  of a step in the mode of stride d. Where a stride is no multiple of the span below, its last full multiple is
 *  used, and the smaller modes' part of the rest is taken off; false then. Modes of extent 1 and of stride 0 count
 *  nothing. */
TSR_LOCAL bool tsr_row_left_inverse_(tsr_layout *r, tsr_row_ const *row)
{
    tsr_row_ out TSR_SCRATCH;
    int order[2 * TSR_MAX_LEAVES + 2] TSR_SCRATCH;
    tsr_leaf span = tsr_leaf_static(1), stride = tsr_leaf_static(0);
    bool multiples = true;
    out.n = 0;
    int const n = tsr_static_order_(row, order);
    int last = order[n - 1];
    for (int k = 0; k < n; ++k) {
        tsr_leaf const d = row->stride[order[k]], parts = tsr_leaf_div(d, span);
        if (d.value == 0 || row->shape[order[k]].value == 1)
            continue;
        last = order[k];
        tsr_row_push_(&out, parts, stride);
        span = tsr_leaf_mul(span, parts);
        stride = tsr_before_(row, order[k]);
        multiples = multiples && span.value == d.value;
        if (span.value != d.value)
            stride = tsr_leaf_sub(stride, tsr_leaf_static(tsr_row_at_(&out, d.value % span.value)));
    }
    tsr_row_push_(&out, row->shape[last], stride);
    tsr_row_coalesce_(&out, false);
    tsr_put_row_(r, &out);
    return multiples;
}

/** The left inverse before its law is tried; *proved: it need not be. Dynamic modes stay apart, as in CuTe, unless a
 *  stride is then no multiple: whether a number is static does not choose between inverses. */
TSR_LOCAL void tsr_plain_left_inverse_(tsr_layout *r, tsr_layout const *l, bool *proved)
{
    tsr_row_ row TSR_SCRATCH;
    *proved = true;
    if (!tsr_inverse_input_(r, &row, l))
        return;
    for (int i = 0; i < row.n; ++i) {
        if (row.stride[i].value < 0) {
            *r = tsr_bad_layout(TSR_INVERSE_SIGN, i, row.stride[i].value, 0, 0);
            return;
        }
    }
    *proved = tsr_row_left_inverse_(r, &row);
    if (!*proved && tsr_row_join_(&row)) {
        tsr_begin_(r);
        *proved = tsr_row_left_inverse_(r, &row);
    }
}

/** Does each stride reach beyond the span of the smaller ones, and has every mode more than one element? */
TSR_LOCAL bool tsr_spans_nest_(tsr_layout const *l)
{
    for (int i = 0; i < l->shape.leaves; ++i) {
        int64_t const s = l->shape.leaf[i].value, d = l->stride.leaf[i].value;
        if (s == 1 && !tsr_leaf_is(l->shape.leaf[i], 1))
            return false;
        for (int k = 0; k < l->shape.leaves; ++k) {
            int64_t const larger = l->stride.leaf[k].value;
            bool const counts = k != i && s > 1 && l->shape.leaf[k].value > 1;
            if (counts && larger >= d && larger / s < d)
                return false;
        }
    }
    return true;
}

/* Inverses of all layouts */

/** Is element y of `whole` beside 0 along another basis element than that of `along`, where its other strides are 0? */
TSR_LOCAL bool tsr_leaves_basis_(tsr_layout const *whole, tsr_layout const *along, int64_t y)
{
    for (int i = 0; whole && i < whole->shape.leaves; ++i) {
        int64_t const s = whole->shape.leaf[i].value;
        if (y % s != 0 && whole->stride.leaf[i].value != 0 && along->stride.leaf[i].value == 0)
            return true;
        y /= s;
    }
    return false;
}

/** Keeps r, where it obeys the law of the inverse of l, or says why it does not. Where l is `whole` along a basis
 *  element, the elements of an inverse lie along it, too. */
TSR_LOCAL void tsr_inverse_tried_(tsr_layout *r, tsr_layout const *l, bool right, tsr_layout const *whole)
{
    if (r->shape.status)
        return;
    int64_t const size = tsr_layout_size(right ? *r : *l), mine = tsr_layout_size(*l);
    bool const several = !right && tsr_is_injective(*l).answer == TSR_NO;
    for (int64_t x = 0; x < size; ++x) {
        int64_t const there = tsr_layout_offset(right ? r : l, x), back = tsr_layout_offset(right ? l : r, there);
        bool const quasi = several && back >= 0 && back < mine && tsr_layout_offset(l, back) == there
                           && !tsr_leaves_basis_(whole, l, back);
        if (x >= TSR_LAW_BUDGET || (back != x && !quasi)) {
            *r = x >= TSR_LAW_BUDGET ? tsr_bad_layout(TSR_NOT_DECIDED, 0, TSR_LAW_BUDGET, 0, 0)
                                     : tsr_bad_layout(TSR_INVERSE_LAW, 0, x, there, back);
            return;
        }
    }
}

/** The inverse of a valid l, whose values are offsets, into r, which has no modes; `whole` as above, or 0. */
TSR_LOCAL void tsr_offsets_inverse_(tsr_layout *r, tsr_layout const *l, bool right, tsr_layout const *whole)
{
    bool proved = true;
    if (l->twice || (l->composed && !tsr_leaf_is(l->offset, 0))) {
        *r = l->twice ? tsr_bad_layout(TSR_SWIZZLE_TWICE, 0, 0, 0, 0)
                      : tsr_bad_layout(TSR_SWIZZLE_OFFSET, 0, tsr_leaf_value(l->offset), 0, 0);
        return;
    }
    if (right)
        tsr_plain_right_inverse_(r, l);
    else
        tsr_plain_left_inverse_(r, l, &proved);
    tsr_refuse_mode_of_(r, l);
    if (l->composed)
        *r = tsr_move_swizzle_(*r, l->swizzle);
    if (l->composed || (!right && !(proved && tsr_spans_nest_(l))))
        tsr_inverse_tried_(r, l, right, whole);
}

/** A layout of coordinates along one basis element: its strides there as integers, the others 0. */
TSR_INTERNAL tsr_layout tsr_layout_along_(tsr_layout const *l, uint32_t unit)
{
    tsr_layout r = *l;
    for (int i = 0; i < r.stride.leaves; ++i) {
        tsr_leaf *const d = &r.stride.leaf[i];
        bool const other = d->kind <= TSR_STATIC && d->aux != unit;
        if (other)
            d->value = 0, d->kind = TSR_STATIC;
        d->aux = d->kind <= TSR_STATIC ? 0 : d->aux;
    }
    return r;
}

/** The inverses along the basis elements, one in the place of each mode of the coordinates. */
TSR_LOCAL void tsr_coordinates_inverse_(tsr_layout *r, tsr_layout const *l, bool right)
{
    tsr_tuple const box = tsr_coshape_of(*l, tsr_unit()), unit = tsr_make_basis_like(box);
    if (box.status || unit.status)
        *r = tsr_invalid_layout(box.status ? box : unit);
    for (int i = 0; r->shape.status == TSR_OK && i < box.leaves; ++i) {
        tsr_layout const along = tsr_layout_along_(l, unit.leaf[i].aux);
        tsr_layout part = TSR_ZERO;
        int const first = r->shape.leaves;
        if (box.leaf[i].value == 1)
            part = tsr_pad_();
        else
            tsr_offsets_inverse_(&part, &along, right, l);
        if (part.shape.status)
            *r = part;
        for (int k = 0; r->shape.status == TSR_OK && k < part.shape.leaves; ++k)
            tsr_push_mode_(r, part.shape.leaf[k], part.stride.leaf[k]);
        tsr_enclose_(&r->shape, first, box.leaf[i]);
        tsr_enclose_(&r->stride, first, box.leaf[i]);
    }
}

/** The inverse of l into r, which has no modes. */
TSR_LOCAL void tsr_inverse_(tsr_layout *r, tsr_layout const *l, bool right)
{
    if (l->shape.status)
        *r = *l;
    else if (tsr_has_basis(&l->stride))
        tsr_coordinates_inverse_(r, l, right);
    else
        tsr_offsets_inverse_(r, l, right, 0);
}

TSR_OP tsr_layout tsr_right_inverse(tsr_layout l)
{
    tsr_layout r = TSR_ZERO;
    tsr_inverse_(&r, &l, true);
    return r;
}

TSR_OP tsr_layout tsr_left_inverse(tsr_layout l)
{
    bool known = true;
    for (int i = 0; i < l.stride.leaves; ++i)
        known = known && l.stride.leaf[i].kind != TSR_DYNAMIC;
    tsr_layout r = TSR_ZERO;
    if (known || l.shape.status)
        tsr_inverse_(&r, &l, false);
    if (!l.shape.status && (!known || (r.shape.status && !tsr_all_static_(&l)))) {
        tsr_layout const numbers = tsr_static_all(l), none = TSR_ZERO;
        r = none;
        tsr_inverse_(&r, &numbers, false);
        tsr_all_dynamic_(&r);
    }
    return r;
}

TSR_OP tsr_tuple tsr_offset_inverse(tsr_tuple t)
{
    if (!t.status && tsr_is_leaf(&t) && t.leaf[0].kind == TSR_WILD)
        return t;
    return t.status ? t : tsr_from_leaf(tsr_leaf_neg(tsr_as_leaf_(t)));
}

TSR_OP tsr_layout tsr_nullspace(tsr_layout l)
{
    tsr_row_ row TSR_SCRATCH, out TSR_SCRATCH;
    out.n = 0;
    if (l.shape.status)
        return l;
    tsr_row_of_(&row, &l);
    for (int i = 0; i < row.n; ++i)
        if (row.stride[i].value == 0) {
            tsr_leaf const stride = tsr_leaf_is(row.shape[i], 1) ? tsr_leaf_static(0) : tsr_before_(&row, i);
            tsr_row_push_(&out, row.shape[i], stride);
        }
    return out.n == 0 ? tsr_pad_() : tsr_row_layout_(&out);
}

TSR_OP tsr_layout tsr_domain_distribute(tsr_tuple shape, tsr_tuple count)
{
    tsr_row_ out TSR_SCRATCH;
    out.n = 0;
    if (shape.status || count.status)
        return tsr_invalid_layout(shape.status ? shape : count);
    tsr_leaf rest = tsr_as_leaf_(count);
    shape = tsr_wrap(shape);
    tsr_tuple const stride = tsr_compact_col_major(shape);
    if (stride.status || rest.kind != TSR_STATIC)
        return stride.status ? tsr_invalid_layout(stride) : tsr_bad_layout(TSR_DISTRIBUTE_STATIC, 0, 0, 0, 0);
    for (int i = 0; i < shape.leaves; ++i) {
        if (shape.leaf[i].kind == TSR_UNIT)
            continue;
        if (shape.leaf[i].kind != TSR_STATIC)
            return tsr_bad_layout(TSR_DISTRIBUTE_STATIC, i, 0, 0, 0);
        tsr_leaf const part = tsr_leaf_gcd(shape.leaf[i], rest);
        tsr_row_push_(&out, part, stride.leaf[i]);
        rest = tsr_leaf_div(rest, part);
    }
    tsr_row_coalesce_(&out, false);
    return tsr_layout_checked(tsr_row_layout_(&out));
}

TSR_HEADER_END

#endif
