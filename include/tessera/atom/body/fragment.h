/** The bodies of atom/fragment.h. */
#ifndef TSR_ATOM_BODY_FRAGMENT_H
#define TSR_ATOM_BODY_FRAGMENT_H

#include "tessera/atom/fragment.h"
#include "tessera/atom/body/tv.h"

TSR_HEADER_BEGIN

/** The mode of the coordinate that a leaf's stride counts; -1 beyond the first ones, and inside of one. */
TSR_LOCAL int tsr_fragment_mode_(tsr_leaf stride)
{
    int const mode = stride.aux == 0 ? 0 : (int)stride.aux - 1;
    return mode < TSR_FRAGMENT_MODES ? mode : -1;
}

TSR_OP tsr_fragment_coord tsr_fragment_coord_of(tsr_layout const *l, int64_t index)
{
    tsr_fragment_coord r = TSR_ZERO;
    if (l->composed) {
        r.at[0] = tsr_layout_offset(l, index);
        return r;
    }
    for (int k = 0; k < l->shape.leaves; ++k) {
        int const mode = tsr_fragment_mode_(l->stride.leaf[k]);
        int64_t const n = (int64_t)tsr_leaf_extent(l->shape.leaf[k]);
        if (mode >= 0)
            r.at[mode] += index % n * l->stride.leaf[k].value;
        index /= n;
    }
    return r;
}

TSR_OP int tsr_fragment_coords_differ(tsr_fragment_coord a, tsr_fragment_coord b)
{
    for (int d = 0; d < TSR_FRAGMENT_MODES; ++d)
        if (a.at[d] != b.at[d])
            return d;
    return -1;
}

TSR_OP tsr_reason tsr_partition_difference(int64_t t, int64_t v, tsr_fragment_coord x, tsr_fragment_coord y)
{
    tsr_reason r = tsr_because(TSR_PARTITION_DIFFERS, tsr_fragment_coords_differ(x, y), t, v, x.at[0]);
    r.number[3] = x.at[1];
    r.number[4] = y.at[0];
    r.number[5] = y.at[1];
    return r;
}

/** Where two partitions (thread, values...) of the same size differ first. Of coordinates and plain offsets only thread
 *  0 and value 0 are looked at, for threads and values add. No more than TSR_LAW_BUDGET are tried: NOT_DECIDED. */
TSR_LOCAL tsr_reason tsr_partitions_differ_(tsr_layout const *a, tsr_layout const *b, int64_t threads, int64_t values)
{
    bool const linear = !a->composed && !b->composed;
    int64_t tried = 0;
    for (int64_t t = 0; t < threads; ++t)
        for (int64_t v = 0; v < (linear && t > 0 ? 1 : values); ++v) {
            tsr_fragment_coord const x = tsr_fragment_coord_of(a, t + v * threads);
            tsr_fragment_coord const y = tsr_fragment_coord_of(b, t + v * threads);
            if (tsr_fragment_coords_differ(x, y) >= 0)
                return tsr_partition_difference(t, v, x, y);
            if (++tried == TSR_LAW_BUDGET)
                return tsr_because(TSR_NOT_DECIDED, 0, TSR_LAW_BUDGET, 0, 0);
        }
    return tsr_because(TSR_OK, 0, 0, 0, 0);
}

/** How many threads a partition (thread, values...) has; () is one of one value. */
TSR_LOCAL int64_t tsr_partition_threads_(tsr_layout l)
{
    return tsr_is_unit(&l.shape) ? 1 : tsr_layout_size(tsr_mode(l, 0));
}

TSR_OP tsr_verdict tsr_same_partition(tsr_layout a, tsr_layout b)
{
    if (a.shape.status || b.shape.status)
        return tsr_undecided_(tsr_tuple_why(a.shape.status ? a.shape : b.shape));
    int64_t const n = tsr_partition_threads_(a), m = tsr_partition_threads_(b);
    int64_t const values = tsr_layout_size(a) / n, other = tsr_layout_size(b) / m;
    tsr_verdict r = tsr_no_(TSR_PARTITION_SIZE, 0, n, values, m);
    r.why.number[3] = other;
    if (n == m && values == other)
        r.why = tsr_partitions_differ_(&a, &b, n, values);
    if (r.why.status == TSR_NOT_DECIDED)
        return tsr_same_function(a, b).answer == TSR_YES ? tsr_yes_() : tsr_undecided_(r.why);
    return r.why.status ? r : tsr_yes_();
}

/** Does leaf k run through coordinates that smaller steps along its mode reach as well? */
TSR_LOCAL bool tsr_leaf_repeats_(tsr_layout const *f, int k)
{
    tsr_leaf const mine = f->stride.leaf[k];
    int64_t reach = 0;
    for (int i = 0; i < f->shape.leaves; ++i) {
        tsr_leaf const d = f->stride.leaf[i];
        if (d.aux == mine.aux && (d.value < mine.value || (d.value == mine.value && i < k)))
            reach += (f->shape.leaf[i].value - 1) * d.value;
    }
    return f->shape.leaf[k].value > 1 && reach >= mine.value;
}

TSR_OP tsr_tuple tsr_fragment_bad_(tsr_layout f)
{
    if (f.shape.status || f.composed)
        return f.shape.status ? f.shape : tsr_bad_tuple(TSR_SWIZZLE_STRIDE, 0, 0, 0, 0);
    if (tsr_mode_count(&f.shape) < 2)
        return tsr_bad_tuple(TSR_RANK, 0, tsr_mode_count(&f.shape), 2, 0);
    int const threads = tsr_get_(&f.shape, 0).leaves;
    for (int k = 0; k < f.shape.leaves; ++k) {
        tsr_leaf const n = f.shape.leaf[k], d = f.stride.leaf[k];
        bool const along = d.kind == TSR_STATIC && d.value > 0 && d.aux != 0 && tsr_fragment_mode_(d) >= 0;
        if (!tsr_leaf_is_static(n) || !(along || d.value == 0))
            return tsr_bad_tuple(TSR_FRAGMENT_LEAF, k, n.value, d.value, TSR_FRAGMENT_MODES - 1);
        if ((k >= threads || d.value != 0) && tsr_leaf_repeats_(&f, k))
            return tsr_bad_tuple(TSR_FRAGMENT_TWICE, k, n.value, d.value, 0);
    }
    return tsr_s(1);
}

/** Why mode d of a fragment's coordinate cannot be reduced, or a valid tuple. */
TSR_LOCAL tsr_tuple tsr_reduction_reason_(tsr_layout f, int64_t d)
{
    tsr_tuple const why = tsr_fragment_bad_(f);
    return why.status || (d >= 0 && d < TSR_FRAGMENT_MODES) ? why
                                                            : tsr_bad_tuple(TSR_INDEX, 0, d, TSR_FRAGMENT_MODES, 0);
}

TSR_OP tsr_layout tsr_reduced_fragment(tsr_layout f, int64_t d)
{
    tsr_layout threads = TSR_ZERO, values = TSR_ZERO;
    tsr_tuple const why = tsr_reduction_reason_(f, d);
    if (why.status)
        return tsr_invalid_layout(why);
    for (int k = 0; k < f.shape.leaves; ++k) {
        tsr_leaf stride = f.stride.leaf[k];
        bool const thread = k < tsr_get_(&f.shape, 0).leaves, along = tsr_leaf_along(stride, d);
        tsr_layout *const to = thread ? &threads : &values;
        stride.open = stride.close = 0;
        if (thread || !(along || f.shape.leaf[k].value == 1)) {
            tsr_tuple_push_leaf(&to->shape, tsr_leaf_static(f.shape.leaf[k].value));
            tsr_tuple_push_leaf(&to->stride, along ? tsr_leaf_static(0) : stride);
        }
    }
    return tsr_make_tv(threads, values);
}

TSR_OP tsr_layout tsr_reduced_value(tsr_layout f, int64_t d)
{
    tsr_layout r = TSR_ZERO;
    int64_t weight = 1;
    tsr_tuple const why = tsr_reduction_reason_(f, d);
    if (why.status)
        return tsr_invalid_layout(why);
    for (int k = tsr_get_(&f.shape, 0).leaves; k < f.shape.leaves; ++k) {
        bool const along = tsr_leaf_along(f.stride.leaf[k], d);
        tsr_tv_push_(&r, f.shape.leaf[k].value, along ? 0 : weight);
        weight *= along ? 1 : f.shape.leaf[k].value;
    }
    return tsr_tv_mode_(r);
}

/** The fragment whose values behind the first leaf have as few leaves as there can be: A's blocks, cut where its
 *  instructions end, are C's. */
TSR_LOCAL tsr_layout tsr_fragment_coalesced_(tsr_layout f)
{
    tsr_layout threads = TSR_ZERO, values = TSR_ZERO;
    if (tsr_fragment_bad_(f).status)
        return f;
    int const first = tsr_get_(&f.shape, 0).leaves;
    for (int k = 0; k < f.shape.leaves; ++k) {
        tsr_layout *const to = k < first ? &threads : &values;
        int64_t const extent = f.shape.leaf[k].value;
        tsr_leaf d = f.stride.leaf[k];
        int const last = k > first ? values.shape.leaves - 1 : 0;
        tsr_leaf *const s = &values.shape.leaf[last], *const step = &values.stride.leaf[last];
        d.open = d.close = 0;
        if (last > 0 && step->aux == d.aux && s->value * step->value == d.value) {
            s->value *= extent;
        } else if (k <= first || extent > 1) {
            tsr_tuple_push_leaf(&to->shape, tsr_leaf_static(extent));
            tsr_tuple_push_leaf(&to->stride, d);
        }
    }
    return tsr_make_tv(threads, values);
}

TSR_OP int64_t tsr_widened_step(tsr_layout f, int64_t n)
{
    f = tsr_fragment_coalesced_(f);
    int64_t weight = 1;
    tsr_leaf const quad = f.stride.leaf[0];
    int const first = f.shape.status ? 0 : tsr_get_(&f.shape, 0).leaves;
    bool const good = !tsr_fragment_bad_(f).status && f.shape.leaf[0].value == 4 && quad.value == n
                      && f.shape.leaf[first].value == n && f.stride.leaf[first].value == 1
                      && f.stride.leaf[first].aux == quad.aux;
    for (int k = first; good && k < f.shape.leaves; ++k) {
        if (f.stride.leaf[k].value == 4 * n && f.stride.leaf[k].aux == quad.aux && f.shape.leaf[k].value % 4 == 0)
            return weight;
        weight *= f.shape.leaf[k].value;
    }
    return 0;
}

TSR_OP tsr_layout tsr_widened_fragment(tsr_layout f, int64_t n)
{
    tsr_layout threads = TSR_ZERO, values = TSR_ZERO;
    int64_t const step = tsr_widened_step(f, n);
    f = tsr_fragment_coalesced_(f);
    int64_t weight = 1;
    if (f.shape.status || step == 0)
        return f.shape.status ? f : tsr_bad_layout(TSR_FRAGMENT_WIDE, 0, n, 0, 0);
    int const first = tsr_get_(&f.shape, 0).leaves;
    for (int k = 0; k < f.shape.leaves; ++k) {
        tsr_leaf stride = f.stride.leaf[k];
        int64_t extent = f.shape.leaf[k].value;
        bool const block = k >= first && weight == step && extent > 1;
        weight *= k >= first ? extent : 1;
        stride.open = stride.close = 0;
        stride.value *= k == 0 || block ? 4 : 1;
        extent /= block ? 4 : 1;
        tsr_tuple_push_leaf(k < first ? &threads.shape : &values.shape, tsr_leaf_static(extent));
        tsr_tuple_push_leaf(k < first ? &threads.stride : &values.stride, stride);
        if (k == first) {
            stride.value = n;
            tsr_tuple_push_leaf(&values.shape, tsr_leaf_static(4));
            tsr_tuple_push_leaf(&values.stride, stride);
        }
    }
    return tsr_make_tv(threads, values);
}

TSR_HEADER_END

#endif
