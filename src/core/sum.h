/** The functions of core/sum.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_CORE_SUM_H
#define TSR_SRC_CORE_SUM_H

#include "tessera/core/sum.h"
#include "tessera/core/body/fit.h"

/** A part of leaf `a` of one shape and of leaf `b` of another, -1 for none: its extent, and its step in either. */
typedef struct tsr_shared_part_ {
    int a, b;
    tsr_leaf extent, step_a, step_b;
} tsr_shared_part_;

/** All parts in order, or the reason why there are none. */
typedef struct tsr_shared_parts_ {
    int n;
    tsr_reason why;
    tsr_shared_part_ part[TSR_MAX_LEAVES];
} tsr_shared_parts_;

/** A leaf of a shape that is cut from its beginning on. */
typedef struct tsr_cutter_ {
    tsr_tuple const *shape;
    int at;
    int64_t rest; /* elements that are left */
    tsr_leaf step;
} tsr_cutter_;

static void tsr_cutter_open_(tsr_cutter_ *c, int at)
{
    c->at = at;
    c->rest = at < c->shape->leaves && c->shape->leaf[at].kind != TSR_UNIT ? c->shape->leaf[at].value : 1;
    c->step = tsr_leaf_static(1);
}

/** n elements of the leaf as a part of it: the number is static where it is known of either leaf. */
static tsr_leaf tsr_cut_of_two_(tsr_cutter_ *a, tsr_cutter_ *b, int64_t n)
{
    bool const of_a = a->shape->leaf[a->at].kind == TSR_STATIC, of_b = b->shape->leaf[b->at].kind == TSR_STATIC;
    bool const all_a = a->shape->leaf[a->at].value == n, all_b = b->shape->leaf[b->at].value == n;
    bool const known = (of_a && (all_a || of_b)) || (of_b && all_b);
    tsr_leaf const extent = tsr_leaf_make(known ? TSR_STATIC : TSR_DYNAMIC, n);
    a->rest /= n;
    b->rest /= n;
    a->step = tsr_leaf_mul(a->step, extent);
    b->step = tsr_leaf_mul(b->step, extent);
    return extent;
}

static void tsr_shared_push_(tsr_shared_parts_ *r, int a, int b, tsr_leaf extent, tsr_leaf step_a, tsr_leaf step_b)
{
    if (r->n == TSR_MAX_LEAVES) {
        r->why = tsr_because(TSR_CAPACITY, 0, TSR_MAX_LEAVES + 1, TSR_MAX_LEAVES, 0);
        return;
    }
    r->part[r->n].a = a;
    r->part[r->n].b = b;
    r->part[r->n].extent = extent;
    r->part[r->n].step_a = step_a;
    r->part[r->n].step_b = step_b;
    ++r->n;
}

/** Leaf i of the first shape in parts. */
static void tsr_shared_leaf_(tsr_shared_parts_ *r, tsr_cutter_ *a, tsr_cutter_ *b)
{
    if (a->rest == 1)
        tsr_shared_push_(r, a->at, -1, a->shape->leaf[a->at], tsr_leaf_static(1), tsr_leaf_static(0));
    while (a->rest > 1 && !r->why.status) {
        while (b->rest == 1)
            tsr_cutter_open_(b, b->at + 1);
        int64_t const n = tsr_min64(a->rest, b->rest);
        if (a->rest % n != 0 || b->rest % n != 0) {
            r->why = tsr_because(TSR_SHAPE_DIV, a->at, a->rest, b->rest, 0);
            return;
        }
        tsr_leaf const step_a = a->step, step_b = b->step;
        tsr_shared_push_(r, a->at, b->at, tsr_cut_of_two_(a, b, n), step_a, step_b);
    }
}

/** The parts of two valid shapes of positive extents and of one size. */
static void tsr_shared_parts_of_(tsr_shared_parts_ *r, tsr_tuple const *a, tsr_tuple const *b)
{
    tsr_cutter_ left TSR_SCRATCH, right TSR_SCRATCH;
    left.shape = a;
    right.shape = b;
    r->n = 0;
    r->why = tsr_no_reason();
    tsr_cutter_open_(&right, 0);
    for (int i = 0; i < a->leaves && !r->why.status; ++i) {
        tsr_cutter_open_(&left, i);
        tsr_shared_leaf_(r, &left, &right);
    }
}

/** Why two shapes have no common refinement before they are cut: they are no shapes, or not of one size. */
static tsr_tuple tsr_two_shapes_(tsr_tuple const *a, tsr_tuple const *b)
{
    tsr_layout const la = tsr_make_layout_compact(*a), lb = tsr_make_layout_compact(*b);
    if (la.shape.status || lb.shape.status)
        return la.shape.status ? la.shape : lb.shape;
    int64_t const sa = tsr_layout_size(la), sb = tsr_layout_size(lb);
    return sa == sb ? tsr_s(1) : tsr_bad_tuple(TSR_DIFFER_SIZE, 0, sa, sb, 0);
}

/** x + y of two strides. One that is 0 adds to any, others along one basis element only. */
static tsr_leaf tsr_stride_add_(tsr_leaf x, tsr_leaf y)
{
    tsr_leaf const *const zero = x.value == 0 ? &x : &y;
    tsr_leaf r = x.value == 0 ? y : x;
    if (x.kind > TSR_STATIC || y.kind > TSR_STATIC)
        return tsr_leaf_refuse_(x, y);
    if (zero->value == 0) {
        r.kind = zero->kind == TSR_STATIC ? r.kind : (uint8_t)TSR_DYNAMIC;
        return r;
    }
    uint32_t const unit = x.aux;
    if (unit != y.aux)
        return tsr_leaf_refuse_(x, y);
    x.aux = y.aux = 0;
    return tsr_leaf_in_unit_(tsr_leaf_add(x, y), unit);
}

/** The stride of a part of leaf i of a layout. */
static tsr_leaf tsr_part_stride_(tsr_layout const *l, int i, tsr_leaf step)
{
    tsr_leaf d = l->stride.leaf[i];
    d.open = d.close = d.tile = 0;
    return d.kind == TSR_UNIT ? d : tsr_leaf_mul(step, d);
}

/** The parts of leaf `leaf` of a, from part k on, as modes of r: the strides of a, and those of b where it is given.
 *  The number of the next part. */
static int tsr_push_parts_(tsr_layout *r, tsr_shared_parts_ const *parts, int k, tsr_layout const *a,
                           tsr_layout const *b)
{
    int const leaf = parts->part[k].a, first = r->shape.leaves;
    for (; k < parts->n && parts->part[k].a == leaf; ++k) {
        tsr_shared_part_ const *const p = &parts->part[k];
        tsr_leaf stride = tsr_part_stride_(a, leaf, p->step_a);
        if (b && p->b >= 0 && stride.kind != TSR_BAD)
            stride = tsr_stride_add_(stride, tsr_part_stride_(b, p->b, p->step_b));
        tsr_tuple_push_leaf(&r->shape, p->extent);
        tsr_tuple_push_leaf(&r->stride, stride);
        if (r->shape.status || r->stride.status)
            return parts->n;
    }
    tsr_enclose_(&r->shape, first, a->shape.leaf[leaf]);
    tsr_enclose_(&r->stride, first, a->shape.leaf[leaf]);
    if (r->shape.leaf[first].open > TSR_MAX_OPEN)
        r->shape = tsr_bad_tuple(TSR_DEPTH, leaf, 0, 0, 0);
    return r->shape.status ? parts->n : k;
}

/** The parts as a layout in the profile of a. */
static tsr_layout tsr_of_parts_(tsr_shared_parts_ const *parts, tsr_layout const *a, tsr_layout const *b)
{
    tsr_layout r = TSR_ZERO;
    if (parts->why.status)
        return tsr_refused_(parts->why);
    for (int k = 0; k < parts->n;)
        k = tsr_push_parts_(&r, parts, k, a, b);
    return tsr_layout_checked(tsr_with_(*a, r.shape, r.stride));
}

/** An invalid layout where one of two is, or where their shapes have no common refinement; else the first. */
static tsr_layout tsr_refused_two_(tsr_layout const *a, tsr_layout const *b)
{
    if (a->shape.status || b->shape.status)
        return a->shape.status ? *a : *b;
    tsr_tuple const fault = tsr_two_shapes_(&a->shape, &b->shape);
    return fault.status ? tsr_invalid_layout(fault) : *a;
}

TSR_API tsr_layout tsr_layout_common_refinement(tsr_layout a, tsr_layout b)
{
    tsr_shared_parts_ parts TSR_SCRATCH;
    tsr_layout const refused = tsr_refused_two_(&a, &b);
    if (refused.shape.status)
        return refused;
    tsr_shared_parts_of_(&parts, &a.shape, &b.shape);
    return tsr_of_parts_(&parts, &a, 0);
}

TSR_API tsr_tuple tsr_common_refinement(tsr_tuple a, tsr_tuple b)
{
    if (a.status || b.status)
        return a.status ? a : b;
    return tsr_layout_common_refinement(tsr_make_layout_compact(a), tsr_make_layout_compact(b)).shape;
}

/** The sum by its values: in the profile of a, of b, or in one mode. */
static tsr_layout tsr_fit_sum_(tsr_layout const *a, tsr_layout const *b)
{
    tsr_demand_ const f = {0, {a, b}, {0, 0}, 0};
    tsr_kind const kind = tsr_kind_of_two_(a, b);
    tsr_tuple const one = tsr_from_leaf(tsr_leaf_make(kind, tsr_layout_size(*a)));
    tsr_tuple const *const profile[] = {&a->shape, &b->shape, &one};
    tsr_layout r = TSR_ZERO;
    for (int i = 0; i < 3; ++i) {
        r = tsr_fit_demand_(&f, profile[i], kind, false);
        if (r.shape.status != TSR_FIT)
            return r;
    }
    return r;
}

TSR_API tsr_layout tsr_layout_add(tsr_layout a, tsr_layout b)
{
    tsr_shared_parts_ parts TSR_SCRATCH;
    tsr_layout const refused = tsr_refused_two_(&a, &b);
    if (refused.shape.status)
        return refused;
    if (a.composed || b.composed)
        return tsr_fit_sum_(&a, &b);
    tsr_shared_parts_of_(&parts, &a.shape, &b.shape);
    return parts.why.status == TSR_SHAPE_DIV ? tsr_fit_sum_(&a, &b) : tsr_of_parts_(&parts, &a, &b);
}

#endif
