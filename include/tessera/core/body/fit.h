/** The bodies of core/fit.h. */
#ifndef TSR_CORE_BODY_FIT_H
#define TSR_CORE_BODY_FIT_H

#include "tessera/core/fit.h"
#include "tessera/core/body/law.h"
#include "tessera/core/body/point.h"
#include "tessera/core/body/swizzle.h"

TSR_HEADER_BEGIN

/** The function f(c) = outer(second_0(first_0(c)) + second_1(first_1(c))), or a list of values. Parts that are NULL
 *  are left out; there is always a first_0 or a list. */
typedef struct tsr_demand_ {
    tsr_layout const *outer, *first[2], *second[2];
    int64_t const *values;
} tsr_demand_;

/** Strides 0 everywhere. */
TSR_LOCAL tsr_tuple tsr_zeros_(tsr_tuple const *stride) { return tsr_repeat_like(*stride, tsr_s(0)); }

/** Static when all numbers of both are. */
TSR_LOCAL tsr_kind tsr_kind_of_two_(tsr_layout const *a, tsr_layout const *b)
{
    return tsr_all_static_(a) && tsr_all_static_(b) ? TSR_STATIC : TSR_DYNAMIC;
}

/** *r = f(c). */
TSR_LOCAL void tsr_demand_at_(tsr_demand_ const *f, int64_t c, tsr_point_ *r)
{
    tsr_point_ x TSR_SCRATCH, sum TSR_SCRATCH;
    tsr_point_ *const inner = f->outer ? &sum : r;
    r->n = sum.n = 0;
    if (f->values)
        tsr_point_add_(r, 0, f->values[c]);
    for (int i = 0; i < 2; ++i) {
        x.n = 0;
        if (f->first[i])
            tsr_point_add_at_(f->second[i] ? &x : inner, f->first[i], c);
        if (f->second[i])
            tsr_point_add_layout_(inner, f->second[i], &x);
    }
    if (f->outer)
        tsr_point_add_layout_(r, f->outer, &sum);
}

/** *r = Sw(f(c)) - base; of coordinates only with Sw<0,0,0>. */
TSR_LOCAL void tsr_demand_behind_(tsr_demand_ const *f, tsr_swizzle sw, int64_t base, int64_t c, tsr_point_ *r)
{
    tsr_demand_at_(f, c, r);
    if (sw.bits != 0) {
        int64_t const x = (int64_t)tsr_swizzle_apply(sw, (uint64_t)tsr_point_along_(r, 0));
        r->n = 0;
        tsr_point_add_(r, 0, x);
    }
    tsr_point_add_(r, 0, -base);
}

/** The swizzle in front of the left operand, or of one on the right. Sw<0,0,0> if there is none. */
TSR_LOCAL tsr_swizzle tsr_demand_front_(tsr_demand_ const *f)
{
    tsr_swizzle r = TSR_ZERO;
    for (int i = 1; i >= 0; --i)
        if (f->first[i] && f->first[i]->composed)
            r = f->first[i]->swizzle;
    return f->outer && f->outer->composed ? f->outer->swizzle : r;
}

/** The bits that a layout can set, when it only moves bits and the bits `in` come in; -1 when it does not. */
TSR_LOCAL int64_t tsr_bits_out_(tsr_layout const *l, int64_t in)
{
    int64_t const size = tsr_tuple_number(tsr_from_leaf(tsr_product_leaf_(&l->shape)));
    if (in < 0 || !tsr_moves_bits_(l) || in >= size)
        return -1;
    tsr_layout const plain = tsr_layout_unchecked(l->shape, l->stride);
    int64_t const out = tsr_layout_offset(&plain, in);
    if (!l->composed)
        return out;
    int const top = l->swizzle.bits + l->swizzle.base + (l->swizzle.shift < 0 ? -l->swizzle.shift : l->swizzle.shift);
    int const width = tsr_bit_width((uint64_t)out);
    return ((int64_t)1 << (width < top ? top : width)) - 1;
}

/** Is f linear over the bits of a coordinate below `size`? Then it is known from its values at single bits. */
TSR_LOCAL bool tsr_demand_moves_bits_(tsr_demand_ const *f, int64_t size)
{
    int64_t sum = 0;
    if (f->values || !tsr_is_pow2(size))
        return false;
    for (int i = 0; i < 2; ++i) {
        if (!f->first[i])
            continue;
        int64_t out = tsr_bits_out_(f->first[i], size - 1);
        out = f->second[i] ? tsr_bits_out_(f->second[i], out) : out;
        if (out < 0 || (sum & out) != 0)
            return false;
        sum |= out;
    }
    return !f->outer || tsr_bits_out_(f->outer, sum) >= 0;
}

/** Is r(x) another value than f(x)? */
TSR_LOCAL bool tsr_demand_differs_(tsr_demand_ const *f, tsr_layout const *r, int64_t x)
{
    tsr_point_ wanted TSR_SCRATCH, got TSR_SCRATCH;
    uint32_t unit = 0;
    tsr_demand_at_(f, x, &wanted);
    tsr_point_of_(&got, r, x);
    return tsr_points_differ_(&got, &wanted, &unit);
}

/** The first x < size at which r is not f; -1 when they agree, and the budget when coordinates are left. */
TSR_LOCAL int64_t tsr_demand_fails_(tsr_demand_ const *f, tsr_layout const *r, int64_t size)
{
    bool const bits = tsr_demand_moves_bits_(f, size) && tsr_moves_bits_(r);
    for (int64_t x = 0; x < size; x = bits && x > 0 ? 2 * x : x + 1)
        if ((!bits && x >= TSR_LAW_BUDGET) || tsr_demand_differs_(f, r, x))
            return x;
    return -1;
}

/** The modes of one leaf of extent n, whose steps are `weight` coordinates: the longest runs of Sw(f) - base. */
TSR_LOCAL bool tsr_fit_leaf_(tsr_demand_ const *f, tsr_swizzle sw, bool bits, int64_t base, int64_t weight, int64_t n,
                             tsr_row_ *out, int64_t *budget)
{
    tsr_point_ x TSR_SCRATCH;
    int64_t unit = 1; /* elements of the leaf up to the mode that is looked for */
    if (n == 1)
        tsr_row_push_(out, tsr_leaf_dynamic(1), tsr_leaf_static(0));
    while (unit < n) {
        tsr_leaf d = tsr_leaf_dynamic(0);
        int64_t run = 2;
        tsr_demand_behind_(f, sw, base, weight * unit, &x);
        for (int i = x.n - 1; i >= 0; --i) { /* a step along two units is no stride: the law fails, and says where */
            d.value = x.at[i] != 0 ? x.at[i] : d.value;
            d.aux = x.at[i] != 0 ? x.unit[i] : d.aux;
        }
        for (; run * unit < n && --*budget > 0; run = bits ? 2 * run : run + 1) {
            tsr_demand_behind_(f, sw, base, weight * unit * run, &x);
            if (!tsr_point_is_(&x, d, run))
                break;
        }
        if (run * unit > n || (n / unit) % run != 0)
            run = n / unit; /* no layout: the law fails, and says where */
        if (*budget <= 0 || out->n == TSR_MAX_LEAVES)
            return false;
        tsr_row_push_(out, tsr_leaf_dynamic(run), d);
        unit *= run;
    }
    return true;
}

/** Off + S:D with Sw(f) at single leaves; whether it is f everywhere is not tried yet. */
TSR_LOCAL tsr_layout tsr_fit_behind_(tsr_demand_ const *f, tsr_tuple const *shape, tsr_swizzle sw, bool bits,
                                     tsr_kind kind, int64_t *budget)
{
    tsr_layout r = TSR_ZERO;
    tsr_point_ start TSR_SCRATCH;
    int64_t weight = 1;
    tsr_demand_behind_(f, sw, 0, 0, &start);
    int64_t const base = tsr_point_along_(&start, 0);
    for (int i = 0; i < shape->leaves; ++i) {
        tsr_row_ row TSR_SCRATCH;
        row.n = 0;
        int const first = r.shape.leaves;
        if (shape->leaf[i].kind == TSR_UNIT)
            tsr_row_push_(&row, tsr_leaf_make(TSR_UNIT, 0), tsr_leaf_make(TSR_UNIT, 0));
        else if (!tsr_fit_leaf_(f, sw, bits, base, weight, shape->leaf[i].value, &row, budget))
            return tsr_bad_layout(*budget <= 0 ? TSR_NOT_DECIDED : TSR_CAPACITY, 0,
                                  *budget <= 0 ? TSR_LAW_BUDGET : row.n, TSR_MAX_LEAVES, 0);
        for (int k = 0; k < row.n; ++k) {
            row.shape[k].kind = row.n == 1 ? shape->leaf[i].kind : (uint8_t)kind;
            row.stride[k].kind = row.stride[k].kind == TSR_UNIT ? (uint8_t)TSR_UNIT
                                 : row.stride[k].value == 0     ? (uint8_t)TSR_STATIC
                                                                : (uint8_t)kind;
            tsr_tuple_push_leaf(&r.shape, row.shape[k]);
            tsr_tuple_push_leaf(&r.stride, row.stride[k]);
        }
        if (r.shape.status || r.stride.status)
            return tsr_invalid_layout(r.shape.status ? r.shape : r.stride);
        tsr_enclose_(&r.shape, first, shape->leaf[i]);
        tsr_enclose_(&r.stride, first, shape->leaf[i]);
        weight *= (int64_t)tsr_leaf_extent(shape->leaf[i]);
    }
    if ((sw.bits == 0 && base == 0) || tsr_has_basis(&r.stride))
        return r;
    return tsr_make_composed_layout(sw, tsr_from_leaf(tsr_leaf_make(base == 0 ? TSR_STATIC : kind, base)), r);
}

/** All bits of the values, -1 when one is negative or a coordinate. */
TSR_LOCAL int64_t tsr_demand_bits_(tsr_demand_ const *f, int64_t size, bool bits)
{
    tsr_point_ v TSR_SCRATCH;
    int64_t all = 0;
    for (int64_t x = 0; x < size; x = bits && x > 0 ? 2 * x : x + 1) {
        tsr_demand_at_(f, x, &v);
        for (int i = 0; i < v.n; ++i) {
            if (v.at[i] < 0 || (v.at[i] != 0 && v.unit[i] != 0))
                return -1;
            all |= v.at[i];
        }
    }
    return all;
}

/** The next swizzle in the order of trial: fewer bits, then smaller base, then shorter shift, first upwards. False
 *  after the last one that works on `width` bits: the bits that it sets may lie as far above as it has bits. */
TSR_LOCAL bool tsr_next_swizzle_(tsr_swizzle *sw, int width)
{
    int bits = sw->bits, base = sw->base, shift = sw->shift;
    shift = bits == 0 ? 1 : shift > 0 ? -shift : 1 - shift;
    bits = bits == 0 ? 1 : bits;
    while (base + (shift < 0 ? -shift : shift) > width || bits + base + (shift < 0 ? -shift : shift) > 30) {
        ++base;
        shift = bits;
        if (bits + base > width) {
            ++bits;
            base = 0;
            shift = bits;
            if (bits > width)
                return false;
        }
    }
    *sw = tsr_make_swizzle(bits, base, shift);
    return true;
}

/** Why r is not f: where they differ, or that coordinates are left. */
TSR_LOCAL tsr_layout tsr_not_fitting_(tsr_demand_ const *f, tsr_layout const *r, int64_t at)
{
    tsr_point_ wanted TSR_SCRATCH, got TSR_SCRATCH;
    tsr_demand_at_(f, at, &wanted);
    tsr_point_of_(&got, r, at);
    return tsr_refused_(tsr_points_why_(TSR_FIT, at, &got, &wanted));
}

/** The layout that f is over the coordinates of a shape; static or dynamic by `kind`. */
TSR_LOCAL tsr_layout tsr_fit_demand_(tsr_demand_ const *f, tsr_tuple const *shape, tsr_kind kind, bool plain_only)
{
    int64_t const size = tsr_tuple_number(tsr_from_leaf(tsr_product_leaf_(shape)));
    tsr_swizzle sw = TSR_ZERO;
    if (shape->status)
        return tsr_invalid_layout(*shape);
    if (size <= 0)
        return tsr_bad_layout(TSR_EXTENT, 0, size, 0, 0);
    bool const bits = tsr_demand_moves_bits_(f, size);
    int64_t budget = 4 * (int64_t)TSR_LAW_BUDGET;
    if (!bits && size > TSR_LAW_BUDGET)
        return tsr_bad_layout(TSR_NOT_DECIDED, 0, TSR_LAW_BUDGET, 0, 0);
    tsr_layout const plain = tsr_fit_behind_(f, shape, sw, bits, kind, &budget);
    int64_t const at = plain.shape.status ? 0 : tsr_demand_fails_(f, &plain, size);
    if (plain.shape.status == TSR_NOT_DECIDED || (at < 0 && !(plain_only && plain.composed)))
        return plain;
    if (at < 0)
        return tsr_bad_layout(TSR_FIT, 0, 0, 0, tsr_layout_offset(&plain, 0)); /* it needs an offset */
    tsr_layout const none = plain.shape.status ? plain : tsr_not_fitting_(f, &plain, at);
    sw = tsr_demand_front_(f);
    tsr_layout const likely = sw.bits == 0 || plain_only ? none : tsr_fit_behind_(f, shape, sw, bits, kind, &budget);
    if (!likely.shape.status && tsr_demand_fails_(f, &likely, size) < 0)
        return likely;
    sw.bits = sw.base = sw.shift = 0;
    int64_t const all = plain_only ? -1 : tsr_demand_bits_(f, size, bits);
    int const width = all < 0 ? 0 : tsr_min64(tsr_bit_width((uint64_t)all), 30) & 31;
    while (all >= 0 && budget > 0 && tsr_next_swizzle_(&sw, width)) {
        int64_t const y = tsr_swizzle_y_(sw), highest = (y + (y & -y)) >> 1;
        if ((y & -y & all) == 0 || (highest & all) == 0)
            continue; /* it is one of fewer bits */
        tsr_layout const r = tsr_fit_behind_(f, shape, sw, bits, kind, &budget);
        if (!r.shape.status && tsr_demand_fails_(f, &r, size) < 0)
            return r;
    }
    return budget > 0 ? none : tsr_bad_layout(TSR_NOT_DECIDED, 0, TSR_LAW_BUDGET, 0, 0);
}

TSR_OP tsr_layout tsr_fit(int64_t const *values, int64_t count, tsr_tuple shape)
{
    tsr_demand_ f = TSR_ZERO;
    tsr_layout const over = tsr_make_layout_compact(shape);
    int64_t const size = tsr_layout_size(over);
    if (over.shape.status || size != count)
        return over.shape.status ? over : tsr_bad_layout(TSR_DIFFER_SIZE, 0, count, size, 0);
    f.values = values;
    return tsr_fit_demand_(&f, &shape, tsr_none_dynamic_(&shape) ? TSR_STATIC : TSR_DYNAMIC, false);
}

TSR_OP tsr_layout tsr_fit_tuple(tsr_tuple values, tsr_tuple shape)
{
    int64_t value[TSR_MAX_LEAVES] = {0};
    if (values.status)
        return tsr_invalid_layout(values);
    for (int i = 0; i < values.leaves; ++i) {
        if (!tsr_leaf_is_int(values.leaf[i]))
            return tsr_bad_layout(TSR_NOT_INTEGER, i, 0, 0, 0);
        value[i] = values.leaf[i].value;
    }
    return tsr_fit(value, values.leaves, shape);
}

TSR_OP tsr_layout tsr_fit_leaves(tsr_tuple values) { return tsr_fit_tuple(values, tsr_s(values.leaves)); }

TSR_HEADER_END

#endif
