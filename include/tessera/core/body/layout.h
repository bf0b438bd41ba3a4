/** The bodies of core/layout.h. */
#ifndef TSR_CORE_BODY_LAYOUT_H
#define TSR_CORE_BODY_LAYOUT_H

#include "tessera/core/layout.h"
#include "tessera/core/body/stride.h"

TSR_HEADER_BEGIN

TSR_OP tsr_layout tsr_invalid_layout(tsr_tuple why)
{
    tsr_layout r = TSR_ZERO;
    r.shape = why;
    return r;
}

TSR_INTERNAL tsr_layout tsr_refused_(tsr_reason why) { return tsr_invalid_layout(tsr_reason_tuple(why)); }

/* What an operation computes is written to where its caller wants it, and only leaves in use are copied. Neither a
 * result nor a value on the way (TSR_SCRATCH) is cleared in C: nothing reads behind the leaves in use, and of an
 * invalid tuple all leaves are written. */

/** Pushes one mode. r becomes invalid where it does not fit, or where one of its numbers does not exist. */
TSR_LOCAL void tsr_push_mode_(tsr_layout *r, tsr_leaf s, tsr_leaf d)
{
    int const n = r->shape.leaves;
    if (r->shape.status || r->stride.status || n == TSR_MAX_LEAVES || s.kind == TSR_BAD || d.kind == TSR_BAD) {
        tsr_tuple_push_leaf(&r->shape, s);
        tsr_tuple_push_leaf(&r->stride, d);
        return;
    }
    s.open = s.close = d.open = d.close = 0;
    r->shape.leaf[n] = s;
    r->stride.leaf[n] = d;
    r->shape.leaves = r->stride.leaves = (uint8_t)(n + 1);
}

/** Pushes the modes of another layout, as they stand in parentheses of their own. */
TSR_LOCAL void tsr_push_layout_(tsr_layout *r, tsr_layout const *l)
{
    tsr_tuple_push(&r->shape, &l->shape);
    tsr_tuple_push(&r->stride, &l->stride);
}

/** Makes r, which has no modes, the same layout as l. */
TSR_LOCAL void tsr_assign_(tsr_layout *r, tsr_layout const *l)
{
    if (l->composed || l->shape.status)
        *r = *l;
    else
        tsr_push_layout_(r, l);
}

/** Puts the pushed modes into a pair of parentheses. */
TSR_LOCAL void tsr_enclose_layout_(tsr_layout *r)
{
    tsr_enclose_all_(&r->shape);
    tsr_enclose_all_(&r->stride);
}

TSR_OP tsr_layout tsr_with_(tsr_layout l, tsr_tuple shape, tsr_tuple stride)
{
    if (l.shape.status)
        return l;
    l.shape = shape.status ? shape : stride.status ? stride : shape;
    l.stride = stride;
    return l;
}

TSR_OP tsr_layout tsr_make_ordered_layout(tsr_tuple shape, tsr_tuple order)
{
    return tsr_layout_checked(tsr_layout_unchecked(shape, tsr_compact_order(shape, order)));
}

TSR_OP tsr_layout tsr_make_identity_layout(tsr_tuple shape)
{
    return tsr_layout_checked(tsr_layout_unchecked(shape, tsr_make_basis_like(shape)));
}

TSR_OP tsr_layout tsr_make_layout_like(tsr_layout l)
{
    if (l.shape.status)
        return l;
    return tsr_layout_checked(
        tsr_layout_unchecked(l.shape, tsr_compact_order(tsr_filter_zeros_by(l.stride, l.shape), l.stride)));
}

TSR_OP tsr_tuple tsr_shape_of(tsr_layout l, tsr_tuple path) { return tsr_tuple_get_path(l.shape, path); }

TSR_OP tsr_tuple tsr_stride_of(tsr_layout l, tsr_tuple path)
{
    if (l.shape.status || path.status)
        return l.shape.status ? l.shape : path;
    return l.composed ? tsr_bad_tuple(TSR_SWIZZLE_STRIDE, 0, 0, 0, 0) : tsr_tuple_get_path(l.stride, path);
}

TSR_INTERNAL void tsr_put_layout_of_(tsr_layout *r, tsr_layout const *l, tsr_tuple const *path)
{
    if (l->composed || l->shape.status) {
        *r = tsr_with_(*l, tsr_tuple_get_path(l->shape, *path), tsr_tuple_get_path(l->stride, *path));
        return;
    }
    tsr_put_path_(&r->shape, &l->shape, path);
    tsr_put_path_(&r->stride, &l->stride, path);
    if (!r->shape.status && r->stride.status)
        r->shape = r->stride;
}

TSR_OP tsr_layout tsr_layout_of(tsr_layout l, tsr_tuple path)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_put_layout_of_(&r, &l, &path);
    return r;
}

TSR_OP tsr_tuple tsr_size_of(tsr_layout l, tsr_tuple path) { return tsr_product(tsr_shape_of(l, path)); }

TSR_OP tsr_tuple tsr_rank_of(tsr_layout l, tsr_tuple path) { return tsr_tuple_rank(tsr_shape_of(l, path)); }

TSR_OP tsr_tuple tsr_depth_of(tsr_layout l, tsr_tuple path) { return tsr_tuple_depth(tsr_shape_of(l, path)); }

TSR_OP tsr_tuple tsr_coprofile_of(tsr_layout l, tsr_tuple path)
{
    tsr_tuple const d = l.shape.status ? l.shape : tsr_tuple_get_path(l.stride, path);
    tsr_tuple r = tsr_s(0);
    bool basis = false;
    for (int i = 0; i < d.leaves; ++i)
        basis = basis || d.leaf[i].aux != 0;
    if (d.status || !basis)
        return d.status ? d : r;
    for (int i = 0; i < d.leaves; ++i)
        if (d.leaf[i].kind != TSR_UNIT)
            r = tsr_add(r, tsr_from_leaf(d.leaf[i]));
    return tsr_repeat_like(tsr_as_arithmetic_tuple(r), tsr_s(0));
}

TSR_OP tsr_tuple tsr_coshape_of(tsr_layout l, tsr_tuple path)
{
    tsr_tuple s = tsr_tuple_get_path(l.shape, path), d = tsr_tuple_get_path(l.stride, path);
    tsr_tuple r = tsr_s(0);
    if (l.shape.status || s.status || d.status)
        return l.shape.status ? l.shape : s.status ? s : d;
    for (int i = 0; i < s.leaves; ++i) {
        if (s.leaf[i].kind == TSR_UNIT)
            continue;
        tsr_leaf const extent = tsr_leaf_sub(s.leaf[i], tsr_leaf_static(1));
        r = tsr_add(r, tsr_from_leaf(tsr_leaf_mul(extent, tsr_leaf_abs(d.leaf[i]))));
    }
    r = tsr_as_arithmetic_tuple(r);
    for (int i = 0; !r.status && i < r.leaves; ++i) {
        tsr_leaf const bound = tsr_leaf_add(r.leaf[i], tsr_leaf_static(1));
        if (bound.kind == TSR_BAD)
            return tsr_from_leaf(bound);
        r.leaf[i].value = bound.value;
        r.leaf[i].kind = bound.kind;
    }
    return r;
}

TSR_OP tsr_tuple tsr_cosize_of(tsr_layout l, tsr_tuple path) { return tsr_product(tsr_coshape_of(l, path)); }

TSR_OP int64_t tsr_cosize(tsr_layout l) { return tsr_tuple_number(tsr_cosize_of(l, tsr_unit())); }

TSR_OP bool tsr_swizzle_same_(tsr_swizzle a, tsr_swizzle b)
{
    return a.bits == b.bits && a.base == b.base && a.shift == b.shift;
}

TSR_OP tsr_tuple tsr_layout_equal(tsr_layout a, tsr_layout b)
{
    if (a.shape.status || b.shape.status)
        return a.shape.status ? a.shape : b.shape;
    if (a.composed != b.composed || a.twice != b.twice)
        return tsr_s(0);
    tsr_tuple const r = tsr_and_(tsr_tuple_equal(a.shape, b.shape), tsr_tuple_equal(a.stride, b.stride));
    if (!a.composed)
        return r;
    tsr_leaf const same = tsr_leaf_static(tsr_swizzle_same_(a.swizzle, b.swizzle)
                                          && (!a.twice || tsr_swizzle_same_(a.outer_swizzle, b.outer_swizzle)));
    tsr_leaf const outer = a.twice ? tsr_leaf_eq(a.outer_offset, b.outer_offset) : tsr_leaf_static(1);
    tsr_leaf const fronts = tsr_leaf_land(same, tsr_leaf_land(outer, tsr_leaf_eq(a.offset, b.offset)));
    return tsr_and_(tsr_from_leaf(fronts), r);
}

/* Modes: the same operation on shape and stride */

/** Pushes mode i of a layout to r, which has none. */
TSR_LOCAL void tsr_put_mode_(tsr_layout *r, tsr_layout const *l, int64_t i)
{
    int end = 0;
    int const begin = tsr_mode_begin_(&l->shape, i, &end);
    if (begin >= 0) { /* the parentheses of the strides are those of the shape */
        tsr_push_sub_(&r->shape, &l->shape, begin, end);
        tsr_push_sub_(&r->stride, &l->stride, begin, end);
    } else {
        r->shape = tsr_get_(&l->shape, i);
        r->stride = tsr_get_(&l->stride, i);
    }
}

TSR_INTERNAL tsr_layout tsr_mode_(tsr_layout const *l, int64_t i)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_put_mode_(&r, l, i);
    return r;
}

TSR_OP tsr_layout tsr_mode(tsr_layout l, int64_t i)
{
    return tsr_with_(l, tsr_tuple_get(l.shape, i), tsr_tuple_get(l.stride, i));
}

TSR_OP tsr_layout tsr_layout_take(tsr_layout l, int64_t b, int64_t e)
{
    if (!l.shape.status && b == e)
        return tsr_bad_layout(TSR_RANGE, 0, b, e, tsr_mode_count(&l.shape));
    return tsr_with_(l, tsr_tuple_take(l.shape, b, e), tsr_tuple_take(l.stride, b, e));
}

TSR_OP tsr_layout tsr_layout_select(tsr_layout l, tsr_tuple path)
{
    return tsr_with_(l, tsr_tuple_select(l.shape, path), tsr_tuple_select(l.stride, path));
}

TSR_OP tsr_layout tsr_layout_flatten(tsr_layout l)
{
    return tsr_with_(l, tsr_tuple_flatten(l.shape), tsr_tuple_flatten(l.stride));
}

TSR_OP tsr_layout tsr_layout_unflatten(tsr_layout l, tsr_tuple profile)
{
    return tsr_with_(l, tsr_tuple_unflatten(l.shape, profile), tsr_tuple_unflatten(l.stride, profile));
}

TSR_OP tsr_layout tsr_layout_group(tsr_layout l, int64_t b, int64_t e)
{
    return tsr_with_(l, tsr_tuple_group(l.shape, b, e), tsr_tuple_group(l.stride, b, e));
}

TSR_OP tsr_layout tsr_layout_zip(tsr_layout l)
{
    return tsr_with_(l, tsr_tuple_zip(l.shape), tsr_tuple_zip(l.stride));
}

TSR_OP tsr_layout tsr_transpose(tsr_layout l) { return tsr_with_(l, tsr_reverse(l.shape), tsr_reverse(l.stride)); }

TSR_OP tsr_layout tsr_pad_(void) { return tsr_layout_unchecked(tsr_s(1), tsr_s(0)); }

/** Are all numbers of a layout known when code is generated? */
TSR_LOCAL bool tsr_none_dynamic_(tsr_tuple const *t)
{
    bool known = true;
    for (int i = 0; i < t->leaves; ++i)
        known = known && t->leaf[i].kind != TSR_DYNAMIC;
    return known;
}

TSR_LOCAL bool tsr_all_static_(tsr_layout const *l)
{
    bool const known = !l->composed || l->offset.kind == TSR_STATIC;
    return known && tsr_none_dynamic_(&l->shape) && tsr_none_dynamic_(&l->stride);
}

TSR_OP tsr_layout tsr_static_all(tsr_layout l)
{
    l = tsr_with_(l, tsr_static_tuple(l.shape), tsr_static_tuple(l.stride));
    if (l.composed && l.offset.kind != TSR_STATIC)
        l.offset = tsr_leaf_static(tsr_leaf_value(l.offset));
    return l;
}

TSR_HEADER_END

#endif
