/** Point: the value of a layout, an integer or, where strides are basis elements, a coordinate.
 *
 *  A point is a sum of numbers, each along a unit: the basis path of a stride, or 0 for plain integers. What it does
 *  not list is 0. A layout maps points to points: along each unit of its argument it is the part that the path names,
 *  and these parts add up.
 */
#ifndef TSR_CORE_BODY_POINT_H
#define TSR_CORE_BODY_POINT_H

#include "tessera/core/compose.h"
#include "tessera/core/body/compose.h"

TSR_HEADER_BEGIN

/** The units of the sum of two layouts. */
#define TSR_POINT_UNITS_ (2 * TSR_MAX_LEAVES)

typedef struct tsr_point_ {
    int n;
    uint32_t unit[TSR_POINT_UNITS_];
    int64_t at[TSR_POINT_UNITS_];
} tsr_point_;

TSR_LOCAL int64_t tsr_point_along_(tsr_point_ const *p, uint32_t unit)
{
    for (int i = 0; i < p->n; ++i)
        if (p->unit[i] == unit)
            return p->at[i];
    return 0;
}

/** p += x along a unit. */
TSR_LOCAL void tsr_point_add_(tsr_point_ *p, uint32_t unit, int64_t x)
{
    int i = 0;
    while (i < p->n && p->unit[i] != unit)
        ++i;
    if (i == p->n && x != 0) {
        p->unit[p->n] = unit;
        p->at[p->n++] = x;
    } else if (i < p->n) {
        p->at[i] = (int64_t)((uint64_t)p->at[i] + (uint64_t)x);
    }
}

/** p += shape:stride at x, odd in x, as C's division is. */
TSR_LOCAL void tsr_point_add_plain_(tsr_point_ *p, tsr_tuple const *shape, tsr_tuple const *stride, int64_t x)
{
    int const leaves = tsr_leaves_with_integers_(shape);
    for (int i = 0; i < leaves && x != 0; ++i) {
        int64_t const n = (int64_t)tsr_leaf_extent(shape->leaf[i]), digit = i + 1 == leaves ? x : x % n;
        tsr_point_add_(p, stride->leaf[i].aux, (int64_t)((uint64_t)digit * (uint64_t)stride->leaf[i].value));
        x /= n;
    }
}

/** p += L(x) of an integer x, also below 0. Values behind a swizzle are integers. */
TSR_LOCAL void tsr_point_add_at_(tsr_point_ *p, tsr_layout const *l, int64_t x)
{
    if (l->composed)
        tsr_point_add_(p, 0, tsr_finish_(l, (uint64_t)tsr_value_(&l->shape, &l->stride, x, 0)));
    else
        tsr_point_add_plain_(p, &l->shape, &l->stride, x);
}

/** p += L(x) of a point x. */
TSR_LOCAL void tsr_point_add_layout_(tsr_point_ *p, tsr_layout const *l, tsr_point_ const *x)
{
    uint64_t behind = 0;
    if (x->n == 0 || (x->n == 1 && x->unit[0] == 0)) { /* an integer */
        tsr_point_add_at_(p, l, tsr_point_along_(x, 0));
        return;
    }
    for (int i = 0; i < x->n; ++i) {
        tsr_layout const part = tsr_part_(l, x->unit[i]);
        if (l->composed)
            behind += (uint64_t)tsr_value_(&part.shape, &part.stride, x->at[i], 0);
        else
            tsr_point_add_plain_(p, &part.shape, &part.stride, x->at[i]);
    }
    if (l->composed)
        tsr_point_add_(p, 0, tsr_finish_(l, behind));
}

/** *p = L(x). */
TSR_LOCAL void tsr_point_of_(tsr_point_ *p, tsr_layout const *l, int64_t x)
{
    p->n = 0;
    tsr_point_add_at_(p, l, x);
}

/** Do the points differ? *unit is the last unit along which they do, a basis path rather than 0. */
TSR_LOCAL bool tsr_points_differ_(tsr_point_ const *a, tsr_point_ const *b, uint32_t *unit)
{
    bool differ = false;
    for (int k = 0; k < a->n + b->n; ++k) {
        uint32_t const u = k < a->n ? a->unit[k] : b->unit[k - a->n];
        if (tsr_point_along_(a, u) != tsr_point_along_(b, u)) {
            *unit = u ? u : *unit;
            differ = true;
        }
    }
    return differ;
}

/** Is p equal to `times` times d? */
TSR_LOCAL bool tsr_point_is_(tsr_point_ const *p, tsr_leaf d, int64_t times)
{
    tsr_point_ want TSR_SCRATCH;
    uint32_t unit = 0;
    int64_t x = 0;
    want.n = 0;
    if (!tsr_mul64(times, d.value, &x))
        return false;
    tsr_point_add_(&want, d.aux, x);
    return !tsr_points_differ_(p, &want, &unit);
}

/** The first unit of a point that is not an integer, or 0. */
TSR_LOCAL uint32_t tsr_point_unit_(tsr_point_ const *p)
{
    for (int i = 0; i < p->n; ++i)
        if (p->at[i] != 0 && p->unit[i] != 0)
            return p->unit[i];
    return 0;
}

/** A sentence on x and two points that differ: both along one unit, but an integer as it is. Points that do not differ
 *  are those behind which the search ended. */
TSR_LOCAL tsr_reason tsr_points_why_(tsr_status status, int64_t x, tsr_point_ const *a, tsr_point_ const *b)
{
    uint32_t unit = 0;
    if (!tsr_points_differ_(a, b, &unit))
        return tsr_because(TSR_NOT_DECIDED, 0, TSR_LAW_BUDGET, 0, 0);
    uint32_t const ua = tsr_point_unit_(a) ? unit : 0, ub = tsr_point_unit_(b) ? unit : 0;
    return tsr_reason_along_(tsr_because(status, 0, x, tsr_point_along_(a, ua), tsr_point_along_(b, ub)),
                             (ua ? 2u : 0u) | (ub ? 4u : 0u), unit);
}

/** Why A does not take a coordinate that B gives: B's units do not combine, or name modes that A lacks. */
TSR_LOCAL tsr_tuple tsr_meeting_why_(tsr_layout const *a, tsr_layout const *b)
{
    tsr_tuple r = tsr_coprofile_of(*b, tsr_unit());
    for (int i = 0; !r.status && i < b->stride.leaves; ++i)
        if (tsr_leaf_is_basis(b->stride.leaf[i]))
            r = tsr_part_(a, b->stride.leaf[i].aux).shape;
    return r;
}

TSR_HEADER_END

#endif
