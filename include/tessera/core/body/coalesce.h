/** The bodies of core/coalesce.h. */
#ifndef TSR_CORE_BODY_COALESCE_H
#define TSR_CORE_BODY_COALESCE_H

#include "tessera/core/coalesce.h"
#include "tessera/core/body/front.h"
#include "tessera/core/body/tiler.h"

TSR_HEADER_BEGIN

TSR_INTERNAL void tsr_row_push_(tsr_row_ *row, tsr_leaf shape, tsr_leaf stride)
{
    shape.open = shape.close = stride.open = stride.close = shape.tile = 0;
    row->shape[row->n] = shape;
    row->stride[row->n] = stride;
    ++row->n;
}

TSR_INTERNAL void tsr_row_of_(tsr_row_ *row, tsr_layout const *l)
{
    row->n = 0;
    for (int i = 0; i < l->shape.leaves; ++i)
        if (l->shape.leaf[i].kind != TSR_UNIT)
            tsr_row_push_(row, l->shape.leaf[i], l->stride.leaf[i]);
    if (row->n == 0)
        tsr_row_push_(row, tsr_leaf_static(1), tsr_leaf_static(0));
}

/** Merges the row from the right. `extend`: a last mode of static extent 1 counts as 2, so that R(i) = L(i) holds
 *  beyond the size as well. One mode is left at least; of an empty row _1:_0. */
TSR_LOCAL void tsr_row_coalesce_(tsr_row_ *row, bool extend)
{
    if (row->n == 0)
        tsr_row_push_(row, tsr_leaf_static(1), tsr_leaf_static(0));
    int top = row->n - 1; /* modes top .. n-1 are done; they stand at the end of the row */
    if (extend && tsr_leaf_is(row->shape[top], 1))
        row->shape[top] = tsr_leaf_static(2);
    for (int i = row->n - 2; i >= 0; --i) {
        tsr_leaf const s = row->shape[i], d = row->stride[i];
        if (tsr_leaf_is(s, 1))
            continue;
        if (top == row->n - 1 && tsr_leaf_is(row->shape[top], 1)) {
            row->shape[top] = s;
            row->stride[top] = d;
            continue;
        }
        tsr_leaf const next = tsr_leaf_mul(s, d);
        if (next.kind == TSR_BAD) {
            row->shape[top] = next;
            continue;
        }
        if (tsr_leaf_is_static(row->shape[top]) && tsr_leaf_is(tsr_leaf_eq(next, row->stride[top]), 1)) {
            row->shape[top] = tsr_leaf_mul(s, row->shape[top]);
            row->stride[top] = d;
            continue;
        }
        if (--top == i) /* where it stands already */
            continue;
        row->shape[top] = s;
        row->stride[top] = d;
    }
    for (int i = top; top > 0 && i < row->n; ++i) {
        row->shape[i - top] = row->shape[i];
        row->stride[i - top] = row->stride[i];
    }
    row->n -= top;
    if (row->n == 1 && tsr_leaf_is(row->shape[0], 1))
        row->stride[0] = tsr_leaf_static(0);
}

/** True only when a valid layout has the modes that coalescing gives, beyond its size, too: they need not be copied. */
TSR_LOCAL bool tsr_is_coalesced_(tsr_layout const *l)
{
    for (int i = 0; i < l->shape.leaves; ++i) {
        tsr_leaf const *const s = &l->shape.leaf[i], *const d = &l->stride.leaf[i];
        int64_t next = 0;
        if (s->kind > TSR_STATIC || (s->kind == TSR_STATIC && s->value == 1))
            return false;
        if (i + 1 == l->shape.leaves)
            break;
        if (d->kind > TSR_STATIC || !tsr_mul64(s->value, d->value, &next)
            || (next == d[1].value && d->aux == d[1].aux && s[1].kind == TSR_STATIC && d[1].kind == TSR_STATIC))
            return false;
    }
    return true;
}

/** The first number of a row that does not exist, or any leaf that is not bad. */
TSR_LOCAL tsr_leaf tsr_row_fault_(tsr_row_ const *row)
{
    int i = 0;
    while (i + 1 < row->n && row->shape[i].kind != TSR_BAD && row->stride[i].kind != TSR_BAD)
        ++i;
    return row->shape[i].kind == TSR_BAD ? row->shape[i] : row->stride[i];
}

/** The row as a layout into r, which has no modes. */
TSR_LOCAL void tsr_put_row_(tsr_layout *r, tsr_row_ const *row)
{
    int const n = row->n;
    if (n > TSR_MAX_LEAVES || tsr_row_fault_(row).kind == TSR_BAD) {
        r->shape = n > TSR_MAX_LEAVES ? tsr_bad_tuple(TSR_CAPACITY, 0, n, TSR_MAX_LEAVES, 0)
                                      : tsr_from_leaf(tsr_row_fault_(row));
        return;
    }
    for (int i = 0; i < n; ++i) {
        r->shape.leaf[i] = row->shape[i];
        r->stride.leaf[i] = row->stride[i];
    }
    r->shape.leaves = r->stride.leaves = (uint8_t)n;
    if (n > 1) {
        r->shape.leaf[0].open = r->stride.leaf[0].open = 1;
        r->shape.leaf[n - 1].close = r->stride.leaf[n - 1].close = 1;
    }
}

TSR_INTERNAL tsr_layout tsr_row_layout_(tsr_row_ const *row)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_put_row_(&r, row);
    return r;
}

/** The coalesced modes of a layout, without its swizzle, into r, which has no modes. */
TSR_LOCAL void tsr_put_coalesced_(tsr_layout *r, tsr_layout const *l, bool extend)
{
    tsr_row_ row TSR_SCRATCH;
    if (l->shape.status) {
        *r = *l;
        return;
    }
    tsr_row_of_(&row, l);
    tsr_row_coalesce_(&row, extend);
    tsr_put_row_(r, &row);
}

TSR_LOCAL tsr_layout tsr_coalesce_(tsr_layout const *l, bool extend)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_put_coalesced_(&r, l, extend);
    if (l->composed)
        r = tsr_rewrap_(*l, r);
    return r;
}

TSR_OP tsr_layout tsr_layout_coalesce(tsr_layout l) { return tsr_coalesce_(&l, false); }

TSR_OP tsr_layout tsr_coalesce_x(tsr_layout l) { return tsr_coalesce_(&l, true); }

typedef tsr_layout (*tsr_layout_op_)(tsr_layout);

/** op at the leaves of `profile`, mode by mode; modes that the profile lacks stay. */
TSR_LOCAL tsr_layout tsr_by_profile_(tsr_layout l, tsr_tuple profile, tsr_layout_op_ op)
{
    tsr_layout r = TSR_ZERO;
    if (l.shape.status || profile.status)
        return l.shape.status ? l : tsr_invalid_layout(profile);
    if (tsr_is_leaf(&profile))
        return op(l);
    int const rank = tsr_mode_count(&l.shape), modes = tsr_mode_count(&profile);
    if (modes > rank)
        return tsr_bad_layout(TSR_PROFILE, 0, modes, rank, 0);
    tsr_layout const inner = tsr_layout_inner(l);
    for (int i = 0; i < rank; ++i) {
        tsr_layout x = tsr_mode(inner, i);
        x = i < modes ? tsr_by_profile_(x, tsr_tuple_get(profile, i), op) : x;
        if (x.shape.status)
            return x;
        tsr_push_layout_(&r, &x);
    }
    return tsr_rewrap_(l, tsr_layout_unchecked(tsr_tuple_close(r.shape), tsr_tuple_close(r.stride)));
}

TSR_OP tsr_layout tsr_coalesce_by(tsr_layout l, tsr_tuple profile)
{
    return tsr_by_profile_(l, profile, tsr_layout_coalesce);
}

TSR_OP tsr_layout tsr_coalesce_x_by(tsr_layout l, tsr_tuple profile)
{
    return tsr_by_profile_(l, profile, tsr_coalesce_x);
}

TSR_OP tsr_tuple tsr_tuple_coalesce(tsr_tuple t)
{
    tsr_tuple r = TSR_ZERO;
    if (t.status || tsr_is_leaf(&t))
        return t;
    t = tsr_flatten_to_tuple(t);
    for (int i = 0; i < t.leaves; ++i) {
        tsr_leaf const x = tsr_from_leaf(t.leaf[i]).leaf[0];
        tsr_leaf *const last = &r.leaf[r.leaves > 0 ? r.leaves - 1 : 0];
        if (r.leaves == 0 || tsr_leaf_is_static(*last) != tsr_leaf_is_static(x)) {
            tsr_tuple_push_leaf(&r, x);
            continue;
        }
        *last = tsr_leaf_mul(*last, x);
        if (last->kind == TSR_BAD)
            return tsr_from_leaf(*last);
    }
    return r.leaves == 1 && r.leaf[0].kind != TSR_UNIT ? r : tsr_tuple_close(r);
}

TSR_OP tsr_layout tsr_layout_filter_zeros(tsr_layout l)
{
    if (l.shape.status)
        return l;
    return tsr_with_(l, tsr_filter_zeros_by(l.stride, l.shape), l.stride);
}

TSR_OP tsr_layout tsr_layout_filter_zeros_by(tsr_layout l, tsr_tuple profile)
{
    if (l.shape.status)
        return l;
    return tsr_layout_checked(tsr_with_(l, tsr_filter_zeros_by(profile, l.shape), l.stride));
}

TSR_LOCAL void tsr_row_filter_(tsr_row_ *row)
{
    for (int i = 0; i < row->n; ++i)
        if (tsr_leaf_is(row->stride[i], 0))
            row->shape[i] = tsr_leaf_static(1);
    tsr_row_coalesce_(row, false);
}

/** filter without the swizzle in front, into r, which has no modes. */
TSR_LOCAL void tsr_put_filtered_(tsr_layout *r, tsr_layout const *l)
{
    tsr_row_ row TSR_SCRATCH;
    if (l->shape.status) {
        *r = *l;
        return;
    }
    tsr_row_of_(&row, l);
    tsr_row_filter_(&row);
    tsr_put_row_(r, &row);
}

TSR_OP tsr_layout tsr_filter(tsr_layout l)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_put_filtered_(&r, &l);
    if (l.composed)
        r = tsr_rewrap_(l, r);
    return r;
}

TSR_OP tsr_layout tsr_filter_by(tsr_layout l, tsr_tuple profile) { return tsr_by_profile_(l, profile, tsr_filter); }

TSR_HEADER_END

#endif
