/** The bodies of tile/fold.h. */
#ifndef TSR_TILE_BODY_FOLD_H
#define TSR_TILE_BODY_FOLD_H

#include "tessera/tile/fold.h"
#include "tessera/tile/body/digits.h"

TSR_HEADER_BEGIN

/* Modes: the factors of each dimension, the fastest first */

typedef struct tsr_modes_ {
    uint8_t dims, factors[TSR_MAX_DIMS]; /* factors of dimension d */
    bool full;
    int64_t extent[TSR_MAX_DIMS][TSR_MAX_LEAVES], stride[TSR_MAX_DIMS][TSR_MAX_LEAVES];
} tsr_modes_;

/** One more factor of dimension d, joined to the one before where it goes on. */
TSR_LOCAL void tsr_modes_push_(tsr_modes_ *m, int d, int64_t extent, int64_t stride)
{
    int const n = m->factors[d];
    int64_t span = 0;
    if (extent == 1)
        return;
    if (n > 0 && tsr_mul64(m->extent[d][n - 1], m->stride[d][n - 1], &span) && span == stride) {
        m->extent[d][n - 1] *= extent;
    } else if (n == TSR_MAX_LEAVES) {
        m->full = true;
    } else {
        m->extent[d][n] = extent;
        m->stride[d][n] = stride;
        ++m->factors[d];
    }
}

/** The layout of the modes, of static integers. */
TSR_LOCAL tsr_layout tsr_modes_layout_(tsr_modes_ const *m)
{
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    for (int d = 0; d < m->dims; ++d) {
        tsr_tuple s = TSR_ZERO, t = TSR_ZERO;
        int const n = m->factors[d];
        for (int k = 0; k < n; ++k) {
            tsr_tuple_push_leaf(&s, tsr_leaf_static(m->extent[d][k]));
            tsr_tuple_push_leaf(&t, tsr_leaf_static(m->stride[d][k]));
        }
        if (n == 0) {
            s = tsr_s(1);
            t = tsr_s(0);
        } else if (n > 1) {
            s = tsr_tuple_close(s);
            t = tsr_tuple_close(t);
        }
        tsr_tuple_push(&shape, &s);
        tsr_tuple_push(&stride, &t);
    }
    return tsr_layout_checked(tsr_layout_unchecked(tsr_tuple_close(shape), tsr_tuple_close(stride)));
}

TSR_LOCAL int64_t tsr_modes_at_(tsr_modes_ const *m, int64_t const *x)
{
    int64_t r = 0;
    for (int d = 0; d < m->dims; ++d) {
        int64_t rest = x[d];
        for (int k = 0; k < m->factors[d]; ++k) {
            r += rest % m->extent[d][k] * m->stride[d][k];
            rest /= m->extent[d][k];
        }
    }
    return r;
}

/** The digit of a dimension of the top index that has this weight, or none: -1. */
TSR_LOCAL int tsr_digit_at_(tsr_digits const *s, int dim, int64_t weight)
{
    for (int i = 0; i < s->count; ++i)
        if (s->digit[i].kind == TSR_DIGIT_TOP && s->digit[i].dim == dim && s->digit[i].weight == weight
            && s->digit[i].extent != 1)
            return i;
    return -1;
}

/** The modes of a sum whose digits are all of the top index. */
TSR_LOCAL tsr_modes_ tsr_sum_modes_(tsr_digits const *s, int slot, int dims)
{
    tsr_modes_ m = TSR_ZERO;
    m.dims = (uint8_t)dims;
    for (int d = 0; d < dims; ++d) {
        int64_t weight = 1;
        for (int i = tsr_digit_at_(s, d, weight); i >= 0; i = tsr_digit_at_(s, d, weight)) {
            tsr_modes_push_(&m, d, s->digit[i].extent, s->slot[slot].term[i]);
            weight *= s->digit[i].extent;
        }
    }
    return m;
}

/** Returns the obstacle to a layout, or TSR_FOLDED if there is none. */
TSR_LOCAL tsr_fold_kind tsr_sum_kind_(tsr_digits const *s, int slot)
{
    tsr_fold_kind kind = TSR_FOLDED;
    for (int i = 0; i < s->count; ++i)
        if (s->slot[slot].term[i] != 0 && s->digit[i].kind != TSR_DIGIT_TOP)
            kind = TSR_FOLD_NONLINEAR;
    return s->full ? TSR_FOLD_NONLINEAR : kind;
}

/* By trial */

/** The offset of x, unswizzled. */
TSR_LOCAL int64_t tsr_trial_at_(tsr_descriptor const *d, int64_t const *x, tsr_swizzle const *sw, bool *valid)
{
    tsr_coordinate const c = tsr_make_tensor_coordinate(d, x);
    *valid = tsr_adaptor_valid(&d->graph, c.hidden);
    return sw->bits > 0 ? (int64_t)tsr_swizzle_apply(*sw, (uint64_t)c.hidden[0]) : c.hidden[0];
}

TSR_OP bool tsr_next_index(tsr_index const *length, int64_t *x)
{
    for (int d = length->rank - 1; d >= 0; --d) {
        if (++x[d] < length->at[d])
            return true;
        x[d] = 0;
    }
    return false;
}

/** Reads the modes off the axes: along one dimension the first factor ends where the offsets stop to go on evenly. */
TSR_LOCAL bool tsr_axes_(tsr_descriptor const *d, tsr_swizzle const *sw, tsr_index const *length, int64_t base,
                         tsr_modes_ *m)
{
    m->dims = length->rank;
    for (int k = 0; k < length->rank; ++k) {
        for (int64_t weight = 1; weight < length->at[k];) {
            int64_t x[TSR_MAX_DIMS] = {0}, n = 1;
            bool valid = true;
            x[k] = weight;
            int64_t const stride = tsr_trial_at_(d, x, sw, &valid) - base;
            while (valid && n * weight < length->at[k]) {
                x[k] = n * weight;
                if (tsr_trial_at_(d, x, sw, &valid) - base != n * stride)
                    break;
                ++n;
            }
            if (!valid || n == 1 || length->at[k] / weight % n != 0)
                return false;
            tsr_modes_push_(m, k, n, stride);
            weight *= n;
        }
    }
    return !m->full;
}

TSR_OP bool tsr_fold_by_trial_(tsr_descriptor const *d, tsr_swizzle const *sw, tsr_folded *f)
{
    tsr_index const length = tsr_adaptor_lengths(&d->graph);
    tsr_modes_ m = TSR_ZERO;
    int64_t x[TSR_MAX_DIMS] = {0};
    bool valid = true;
    f->base = tsr_trial_at_(d, x, sw, &valid);
    bool linear = valid && tsr_axes_(d, sw, &length, f->base, &m);
    f->kind = valid ? TSR_FOLDED : TSR_FOLD_PADDING;
    do {
        int64_t const offset = tsr_trial_at_(d, x, sw, &valid);
        if (!valid)
            f->kind = TSR_FOLD_PADDING;
        linear = linear && valid && offset == f->base + tsr_modes_at_(&m, x);
    } while (valid && tsr_next_index(&length, x));
    if (f->kind == TSR_FOLDED && linear)
        f->layout = tsr_modes_layout_(&m);
    return f->kind == TSR_FOLDED && linear;
}

TSR_LOCAL bool tsr_has_(tsr_adaptor const *a, tsr_transform_map map)
{
    for (int i = 0; i < a->nodes; ++i)
        if (a->node[i].map == map)
            return true;
    return false;
}

/** The number of elements, or one more than the budget. */
TSR_LOCAL int64_t tsr_trials_(tsr_descriptor const *d)
{
    tsr_index const length = tsr_adaptor_lengths(&d->graph);
    int64_t n = 1;
    for (int i = 0; i < length.rank; ++i)
        if (!tsr_mul64(n, length.at[i], &n) || n > TSR_LAW_BUDGET)
            return TSR_LAW_BUDGET + 1;
    return n;
}

/* The fold */

/** The guards: one for each pad whose range is not proved to be inside. False when one is no layout. */
TSR_LOCAL bool tsr_fold_guards_(tsr_descriptor const *d, tsr_digits *s, tsr_folded *f)
{
    for (int i = 0; i < d->graph.nodes; ++i) {
        int const kind = d->graph.node[i].kind, low = d->graph.low[d->graph.node[i].low];
        int64_t least = 0, greatest = 0;
        if (!tsr_may_pad_((uint8_t)kind))
            continue;
        tsr_sum_range_(s, low, &least, &greatest);
        int64_t const lo = kind == TSR_TRANSFORM_RIGHT_PAD ? -TSR_INT_MAX : 0;
        int64_t const hi = kind == TSR_TRANSFORM_LEFT_PAD ? TSR_INT_MAX : d->graph.length[low];
        if (!s->full && lo <= least && greatest < hi)
            continue;
        if (f->guards == TSR_MAX_GUARDS || tsr_sum_kind_(s, low) != TSR_FOLDED)
            return false;
        tsr_modes_ const m = tsr_sum_modes_(s, low, d->graph.tops);
        tsr_guard *const g = &f->guard[f->guards++];
        g->by = tsr_modes_layout_(&m);
        g->base = s->slot[low].constant;
        g->lo = lo;
        g->hi = hi;
        if (m.full || g->by.shape.status)
            return false;
    }
    return true;
}

TSR_OP tsr_folded tsr_fold_plain(tsr_descriptor const *d)
{
    tsr_folded f = TSR_ZERO;
    tsr_digits s TSR_SCRATCH;
    tsr_swizzle const none = TSR_ZERO;
    f.layout.shape = tsr_s(1);
    f.layout.stride = tsr_s(0);
    if (d->graph.why.status) {
        f.layout = tsr_invalid_layout(tsr_reason_tuple(d->graph.why));
        f.kind = TSR_FOLD_NONLINEAR;
        return f;
    }
    tsr_make_digits(&s, &d->graph);
    bool const guarded = tsr_fold_guards_(d, &s, &f);
    f.kind = tsr_sum_kind_(&s, 0);
    if (guarded && f.kind == TSR_FOLDED) {
        tsr_modes_ const m = tsr_sum_modes_(&s, 0, d->graph.tops);
        f.base = s.slot[0].constant;
        f.layout = tsr_modes_layout_(&m);
        return f;
    }
    if ((guarded ? f.guards == 0 : true) && tsr_trials_(d) <= TSR_LAW_BUDGET) {
        f.guards = 0;
        if (tsr_fold_by_trial_(d, &none, &f) || f.kind == TSR_FOLD_PADDING)
            return f;
    } else if (!guarded) {
        f.kind = TSR_FOLD_PADDING;
        return f;
    }
    f.kind = tsr_has_(&d->graph, TSR_MAP_TABLE)       ? TSR_FOLD_GATHER
             : tsr_has_(&d->graph, TSR_MAP_EXCLUSIVE) ? TSR_FOLD_XOR
                                                      : TSR_FOLD_NONLINEAR;
    return f;
}

/** The offsets of the powers of two of every dimension, and of the sums of two of them: enough to discard nearly
 *  every swizzle that does not fit. */
typedef struct tsr_powers_ {
    int count;
    int64_t base, offset[32][32]; /* -1: the sum is outside */
} tsr_powers_;

TSR_LOCAL void tsr_make_powers_(tsr_descriptor const *d, tsr_powers_ *p)
{
    tsr_index const length = tsr_adaptor_lengths(&d->graph);
    int64_t x[TSR_MAX_DIMS] = {0}, step[32] = {0};
    int dim[32] = {0};
    p->count = 0;
    p->base = tsr_make_tensor_coordinate(d, x).hidden[0];
    for (int k = 0; k < length.rank; ++k)
        for (int64_t w = 1; w < length.at[k] && p->count < 32; w *= 2) {
            dim[p->count] = k;
            step[p->count++] = w;
        }
    for (int i = 0; i < p->count; ++i)
        for (int j = 0; j < p->count; ++j) {
            int64_t y[TSR_MAX_DIMS] = {0};
            y[dim[i]] += step[i];
            y[dim[j]] += i == j ? 0 : step[j];
            bool const inside = y[dim[i]] < length.at[dim[i]] && y[dim[j]] < length.at[dim[j]];
            p->offset[i][j] = inside ? tsr_make_tensor_coordinate(d, y).hidden[0] : -1;
        }
}

TSR_LOCAL bool tsr_swizzle_fits_(tsr_powers_ const *p, tsr_swizzle sw)
{
    int64_t const base = (int64_t)tsr_swizzle_apply(sw, (uint64_t)p->base);
    for (int i = 0; i < p->count; ++i)
        for (int j = 0; j < i; ++j) {
            if (p->offset[i][j] < 0)
                continue;
            int64_t const a = (int64_t)tsr_swizzle_apply(sw, (uint64_t)p->offset[i][i]);
            int64_t const b = (int64_t)tsr_swizzle_apply(sw, (uint64_t)p->offset[j][j]);
            if (a + b - base != (int64_t)tsr_swizzle_apply(sw, (uint64_t)p->offset[i][j]))
                return false;
        }
    return true;
}

/** Tries swizzles in front of a descriptor that does not fold plainly. *f becomes the result of the first swizzle
 *  that fits. */
TSR_PART void tsr_try_swizzles_(tsr_descriptor const *d, tsr_folded *f)
{
    tsr_powers_ p TSR_SCRATCH;
    tsr_make_powers_(d, &p);
    int const width = tsr_bit_width((uint64_t)d->graph.length[0] - 1);
    for (int b = 1; b < width; ++b)
        for (int m = 0; m + b < width; ++m)
            for (int s = b; m + s < width && b + m + s <= 30; ++s) {
                tsr_swizzle const sw = tsr_make_swizzle(b, m, s);
                tsr_folded tried = TSR_ZERO;
                if (!tsr_swizzle_fits_(&p, sw) || !tsr_fold_by_trial_(d, &sw, &tried))
                    continue;
                tried.layout = tsr_make_composed_layout(sw, tsr_s(tried.base), tried.layout);
                tried.base = 0;
                *f = tried;
                return;
            }
}

TSR_OP tsr_folded tsr_fold_swizzled(tsr_descriptor const *d)
{
    tsr_folded f = tsr_fold_plain(d);
    if (f.kind == TSR_FOLD_XOR && tsr_trials_(d) <= TSR_LAW_BUDGET)
        tsr_try_swizzles_(d, &f);
    return f;
}

TSR_OP tsr_folded tsr_fold(tsr_descriptor const *d) { return tsr_fold_swizzled(d); }

TSR_OP bool tsr_fold_valid(tsr_folded const *f, tsr_tuple coord)
{
    for (int i = 0; i < f->guards; ++i) {
        int64_t const at = tsr_at_coord(f->guard[i].by, coord) + f->guard[i].base;
        if (at < f->guard[i].lo || at >= f->guard[i].hi)
            return false;
    }
    return true;
}

TSR_HEADER_END

#endif
