/** Sums of layouts: their form, and operations along each basis element apart. */
#include "tessera/core/terms.h"

#include <stdio.h>
#include <string.h>

#include "tessera/core/coalesce.h"
#include "tessera/core/composition.h"
#include "tessera/core/divide.h"
#include "tessera/core/slice.h"

/** The basis elements of a sum; 0 is the integers. */
typedef struct elements {
    int count;
    uint32_t path[TSR_MAX_LEAVES + 1];
} elements;

/** Paths in the order of their modes, the outermost first. */
static bool is_before(uint32_t a, uint32_t b)
{
    while (a && b && (a & 31u) == (b & 31u)) {
        a >>= 5;
        b >>= 5;
    }
    return (a & 31u) < (b & 31u);
}

/* Basis elements */

static void add_elements(elements *e, tsr_layout_sum const *s)
{
    for (int t = 0; t < s->terms; ++t)
        for (int k = 0; k < s->term[t].stride.leaves; ++k) {
            tsr_leaf const d = s->term[t].stride.leaf[k];
            int i = 0;
            while (i < e->count && e->path[i] != d.aux)
                ++i;
            if (d.value != 0 && i == e->count && i <= TSR_MAX_LEAVES)
                e->path[e->count++] = d.aux;
        }
}

static elements elements_of(tsr_layout_sum const *s)
{
    elements e = {0, {0}};
    add_elements(&e, s);
    return e;
}

static tsr_layout_sum refused(tsr_layout why)
{
    tsr_layout_sum r = TSR_ZERO;
    r.terms = 1;
    r.term[0] = why;
    return r;
}

/** One stride of a leaf, put among those that are there: added to one along the same element, else in order. */
static int add_stride(tsr_leaf *of, int count, tsr_leaf d)
{
    int at = 0;
    d.open = d.close = d.tile = 0;
    while (at < count && is_before(of[at].aux, d.aux))
        ++at;
    if (at < count && of[at].aux == d.aux) {
        uint32_t const unit = d.aux;
        of[at].aux = d.aux = 0;
        of[at] = tsr_leaf_add(of[at], d);
        of[at].aux = of[at].kind == TSR_BAD ? of[at].aux : unit;
        return count;
    }
    for (int i = count; i > at; --i)
        of[i] = of[i - 1];
    of[at] = d;
    return count + 1;
}

/** The strides of leaf k of n layouts, in their form, with 0 left out; -1: *why says why there are none. */
static int strides_of(tsr_layout const *l, int n, int k, tsr_leaf *of, tsr_layout *why)
{
    int count = 0, kept = 0;
    for (int t = 0; t < n; ++t) {
        tsr_leaf const d = l[t].stride.leaf[k];
        if (d.kind > TSR_STATIC && d.kind != TSR_UNIT)
            *why = tsr_bad_layout(TSR_STRIDE, k, 0, 0, 0);
        else if (d.kind != TSR_UNIT && (d.value != 0 || d.kind == TSR_DYNAMIC))
            count = add_stride(of, count, d);
        if (count > TSR_SUM_TERMS)
            *why = tsr_bad_layout(TSR_CAPACITY, k, count, TSR_SUM_TERMS, 0);
        if (why->shape.status)
            return -1;
    }
    for (int i = 0; i < count; ++i)
        if (of[i].kind == TSR_BAD)
            *why = tsr_bad_layout(TSR_OVERFLOW, k, 0, 0, 0);
        else if (of[i].value != 0 || (of[i].kind == TSR_DYNAMIC && count == 1)) {
            of[i].aux = of[i].value ? of[i].aux : 0;
            of[kept++] = of[i];
        }
    if (kept > 1 && of[0].aux == 0)
        *why = tsr_bad_layout(TSR_BASIS, k, 0, 0, 0);
    return why->shape.status ? -1 : kept;
}

tsr_layout_sum tsr_sum_of_layouts(tsr_layout const *l, int n)
{
    tsr_layout_sum r = TSR_ZERO;
    tsr_layout why = TSR_ZERO;
    r.terms = 1;
    if (n < 1)
        return refused(tsr_bad_layout(TSR_RANK, 0, n, 1, 0));
    for (int t = 0; t < n; ++t)
        if (l[t].shape.status || l[t].composed)
            return refused(l[t].shape.status ? l[t] : tsr_bad_layout(TSR_SWIZZLE_STRIDE, t, 0, 0, 0));
    for (int t = 0; t < TSR_SUM_TERMS; ++t) {
        r.term[t] = l[0];
        for (int k = 0; k < l[0].stride.leaves; ++k) {
            tsr_leaf *const d = &r.term[t].stride.leaf[k];
            if (d->kind == TSR_UNIT)
                continue;
            d->kind = TSR_STATIC;
            d->value = 0;
            d->aux = 0;
        }
    }
    for (int k = 0; k < l[0].stride.leaves; ++k) {
        tsr_leaf of[TSR_SUM_TERMS + 1];
        int const count = strides_of(l, n, k, of, &why);
        if (count < 0)
            return refused(why);
        for (int t = 0; t < count; ++t) {
            tsr_leaf *const d = &r.term[t].stride.leaf[k];
            d->kind = of[t].kind;
            d->value = of[t].value;
            d->aux = of[t].aux;
        }
        r.terms = count > r.terms ? count : r.terms;
    }
    return elements_of(&r).count <= TSR_MAX_LEAVES
               ? r
               : refused(tsr_bad_layout(TSR_CAPACITY, 0, TSR_MAX_LEAVES + 1, TSR_MAX_LEAVES, 0));
}

tsr_layout_sum tsr_sum_of_layout(tsr_layout l) { return tsr_sum_of_layouts(&l, 1); }

/** A layout in a shape that is cut wherever its own is: the strides of its leaves in their order. */
static tsr_layout in_shape(tsr_layout const *l, tsr_tuple const *shape)
{
    tsr_layout const fine = tsr_layout_common_refinement(*l, tsr_make_layout_compact(*shape));
    tsr_tuple stride = *shape;
    int from = 0;
    for (int k = 0; k < shape->leaves && !fine.shape.status; ++k) {
        bool const one = shape->leaf[k].kind == TSR_UNIT || shape->leaf[k].value == 1;
        while (!one && (fine.shape.leaf[from].kind == TSR_UNIT || fine.shape.leaf[from].value == 1))
            ++from;
        tsr_leaf const d = one ? tsr_leaf_static(0) : fine.stride.leaf[from++];
        stride.leaf[k].kind = d.kind;
        stride.leaf[k].value = d.value;
        stride.leaf[k].aux = d.aux;
    }
    return fine.shape.status ? fine : tsr_layout_unchecked(*shape, stride);
}

/** Layouts of one size in one shape; r[0] is invalid where they have none. */
static void refine_all(tsr_layout *r, int n)
{
    for (int i = 1; i < n && !r[0].shape.status; ++i)
        r[0] = tsr_layout_common_refinement(r[0], r[i]);
    for (int i = 1; i < n && !r[0].shape.status; ++i) {
        tsr_layout const l = in_shape(&r[i], &r[0].shape);
        r[l.shape.status ? 0 : i] = l;
    }
}

tsr_layout_sum tsr_make_sum(tsr_tiler layouts)
{
    tsr_layout l[TSR_MAX_LEAVES];
    if (layouts.by.shape.status)
        return refused(layouts.by);
    bool const many = tsr_tiler_is_tuple(&layouts);
    int64_t const count = many ? tsr_tiler_rank_(&layouts) : 1;
    for (int i = 0; i < count; ++i) {
        l[i] = many ? tsr_tiler_get_(&layouts, i).by : layouts.by;
        if (tsr_by_is_tuple_(&l[i]) || tsr_by_is_wild_(&l[i]) || tsr_by_is_int_(&l[i]))
            return refused(tsr_bad_layout(TSR_STRIDE, i, 0, 0, 0));
        if (l[i].composed)
            return refused(tsr_bad_layout(TSR_SWIZZLE_STRIDE, i, 0, 0, 0));
    }
    refine_all(l, (int)count);
    return l[0].shape.status ? refused(l[0]) : tsr_sum_of_layouts(l, (int)count);
}

static tsr_layout along(tsr_layout_sum const *s, uint32_t path)
{
    tsr_layout r = s->term[0];
    for (int k = 0; k < r.stride.leaves && !r.shape.status; ++k) {
        tsr_leaf *const d = &r.stride.leaf[k];
        d->value = 0;
        d->aux = 0;
        for (int t = 0; t < s->terms; ++t)
            if (s->term[t].stride.leaf[k].value != 0 && s->term[t].stride.leaf[k].aux == path) {
                d->value = s->term[t].stride.leaf[k].value;
                d->kind = s->term[t].stride.leaf[k].kind;
            }
    }
    return r;
}

static void turn_along(tsr_layout *l, uint32_t path)
{
    for (int k = 0; k < l->stride.leaves && !l->shape.status; ++k)
        if (l->stride.leaf[k].value != 0)
            l->stride.leaf[k].aux = path;
}

tsr_layout tsr_sum_along(tsr_layout_sum const *s, tsr_tuple element)
{
    uint32_t path = 0;
    if (s->term[0].shape.status || element.status)
        return s->term[0].shape.status ? s->term[0] : tsr_invalid_layout(element);
    for (int i = 0; i < element.leaves; ++i) {
        int64_t const mode = element.leaf[i].value;
        if (element.leaf[i].kind == TSR_UNIT)
            continue;
        if (!tsr_leaf_is_int(element.leaf[i]) || mode < 0 || mode >= TSR_BASIS_MODES || i >= TSR_BASIS_LEVELS)
            return tsr_bad_layout(TSR_INDEX, i, mode, TSR_BASIS_MODES, 0);
        path |= (uint32_t)(mode + 1) << 5 * i;
    }
    return along(s, path);
}

tsr_tuple tsr_sum_shape(tsr_layout_sum const *s) { return s->term[0].shape; }

tsr_tuple tsr_sum_size(tsr_layout_sum const *s) { return tsr_size_of(s->term[0], tsr_unit()); }

/* Operations */

tsr_tuple tsr_sum_call(tsr_layout_sum const *s, tsr_tuple coord)
{
    elements const e = elements_of(s);
    tsr_layout const over = s->term[0];
    if (over.shape.status)
        return over.shape;
    tsr_tuple const index = tsr_layout_at(tsr_make_layout_compact(over.shape), coord);
    if (index.status || !tsr_is_leaf(&index))
        return index.status ? index : tsr_bad_tuple(TSR_NOT_INTEGER, 0, 0, 0, 0);
    if (e.count == 0 || (e.count == 1 && e.path[0] == 0)) /* integers */
        return tsr_layout_at(over, coord);
    tsr_layout at = TSR_ZERO; /* one step along each element, as many as its value */
    tsr_tuple values = TSR_ZERO;
    for (int i = 0; i < e.count; ++i) {
        tsr_layout const l = along(s, e.path[i]);
        int64_t const v = tsr_layout_offset(&l, index.leaf[0].value);
        tsr_leaf step = tsr_leaf_static(v < 0 ? -1 : 1);
        step.aux = e.path[i];
        tsr_tuple_push_leaf(&at.shape, tsr_leaf_static((v < 0 ? -v : v) + 1));
        tsr_tuple_push_leaf(&at.stride, step);
        tsr_tuple_push_leaf(&values, tsr_leaf_dynamic(v < 0 ? -v : v));
    }
    bool const one = e.count == 1;
    tsr_layout const points = tsr_layout_checked(tsr_layout_unchecked(one ? at.shape : tsr_tuple_close(at.shape),
                                                                      one ? at.stride : tsr_tuple_close(at.stride)));
    return tsr_layout_at(points, one ? values : tsr_tuple_close(values));
}

tsr_layout_sum tsr_sum_coalesce(tsr_layout_sum const *s)
{
    tsr_layout l[TSR_SUM_TERMS];
    tsr_tuple shape = TSR_ZERO, stride[TSR_SUM_TERMS];
    tsr_layout const over = s->term[0];
    int last = -1; /* the leaf of s where the last leaf of the result begins */
    if (over.shape.status)
        return *s;
    memset(stride, 0, sizeof stride);
    for (int k = 0; k < over.shape.leaves; ++k) {
        tsr_leaf const n = over.shape.leaf[k];
        bool const one = n.kind == TSR_UNIT || (n.kind == TSR_STATIC && n.value == 1);
        bool merges = last >= 0 && n.kind == TSR_STATIC && shape.leaf[shape.leaves - 1].kind == TSR_STATIC;
        for (int t = 0; t < s->terms && merges; ++t) {
            tsr_leaf const a = s->term[t].stride.leaf[last], b = s->term[t].stride.leaf[k];
            int64_t next = 0;
            merges = a.kind == TSR_STATIC && b.kind == TSR_STATIC && a.aux == b.aux
                     && tsr_mul64(a.value, shape.leaf[shape.leaves - 1].value, &next) && next == b.value;
        }
        if (one)
            continue;
        if (merges && tsr_mul64(shape.leaf[shape.leaves - 1].value, n.value, &shape.leaf[shape.leaves - 1].value))
            continue;
        tsr_tuple_push_leaf(&shape, tsr_leaf_make((tsr_kind)n.kind, n.value));
        for (int t = 0; t < s->terms; ++t) {
            tsr_leaf d = s->term[t].stride.leaf[k];
            d.open = d.close = d.tile = 0;
            tsr_tuple_push_leaf(&stride[t], d);
        }
        last = k;
    }
    for (int t = 0; t < s->terms; ++t) {
        if (last < 0)
            l[t] = tsr_layout_unchecked(tsr_s(1), tsr_s(0));
        else
            l[t] = tsr_layout_unchecked(shape.leaves > 1 ? tsr_tuple_close(shape) : shape,
                                        shape.leaves > 1 ? tsr_tuple_close(stride[t]) : stride[t]);
    }
    return tsr_sum_of_layouts(l, s->terms);
}

/** What an operation makes of the layouts along each basis element, together. */
static tsr_layout_sum each_along(tsr_layout_sum const *s, tsr_layout (*op)(tsr_layout, tsr_tiler), tsr_tiler by)
{
    elements e = elements_of(s);
    tsr_layout l[TSR_MAX_LEAVES];
    if (s->term[0].shape.status)
        return *s;
    e.count = e.count > 0 ? e.count : 1; /* of zeros too */
    for (int i = 0; i < e.count; ++i) {
        l[i] = op(along(s, e.path[i]), by);
        if (l[i].shape.status || l[i].composed)
            return refused(l[i].shape.status ? l[i] : tsr_bad_layout(TSR_SWIZZLE_STRIDE, 0, 0, 0, 0));
        turn_along(&l[i], e.path[i]);
    }
    refine_all(l, e.count);
    return l[0].shape.status ? refused(l[0]) : tsr_sum_of_layouts(l, e.count);
}

tsr_layout_sum tsr_sum_composition(tsr_layout_sum const *s, tsr_layout b)
{
    return each_along(s, tsr_composition_by, tsr_tiler_of_layout(b));
}

tsr_layout_sum tsr_sum_logical_divide(tsr_layout_sum const *s, tsr_tiler t)
{
    return each_along(s, tsr_logical_divide_by, t);
}

tsr_layout_sum tsr_sum_zipped_divide(tsr_layout_sum const *s, tsr_tiler t)
{
    return each_along(s, tsr_zipped_divide_by, t);
}

tsr_layout_sum tsr_sum_tiled_divide(tsr_layout_sum const *s, tsr_tiler t)
{
    return each_along(s, tsr_tiled_divide_by, t);
}

tsr_layout_sum tsr_sum_flat_divide(tsr_layout_sum const *s, tsr_tiler t)
{
    return each_along(s, tsr_flat_divide_by, t);
}

tsr_layout_sum tsr_sum_slice(tsr_tuple coord, tsr_layout_sum const *s)
{
    tsr_layout l[TSR_SUM_TERMS];
    if (coord.status || s->term[0].shape.status)
        return coord.status ? refused(tsr_invalid_layout(coord)) : *s;
    for (int t = 0; t < s->terms; ++t)
        l[t] = tsr_layout_slice(coord, s->term[t]);
    return tsr_sum_of_layouts(l, s->terms);
}

tsr_verdict tsr_sum_same_function(tsr_layout_sum const *a, tsr_layout_sum const *b)
{
    tsr_layout_sum const *const both[] = {a, b};
    tsr_verdict r = tsr_same_function(along(a, 0), along(b, 0));
    for (int k = 0; k < 2; ++k) {
        elements const e = elements_of(both[k]);
        for (int i = 0; i < e.count && r.answer == TSR_YES; ++i)
            r = tsr_same_function(along(a, e.path[i]), along(b, e.path[i]));
    }
    return r;
}

tsr_linear tsr_sum_linear(tsr_layout_sum const *s)
{
    elements const e = elements_of(s);
    tsr_linear r = tsr_linear_of_layout(along(s, e.count > 0 ? e.path[0] : 0));
    for (int i = 0; i < e.count && !r.why.status; ++i) {
        tsr_linear f = tsr_linear_of_layout(along(s, e.path[i]));
        int n = 0;
        for (uint32_t p = e.path[i]; p && !f.why.status; p >>= 5)
            n += snprintf(f.out.name[0] + n, TSR_LINEAR_NAME - (size_t)n, n == 0 ? "dim%u" : "_%u", (p & 31u) - 1);
        r = i == 0 || f.why.status ? f : tsr_linear_concat_outs(r, f);
    }
    return r;
}
