/** The bodies of core/compose.h. */
#ifndef TSR_CORE_BODY_COMPOSE_H
#define TSR_CORE_BODY_COMPOSE_H

#include "tessera/core/compose.h"
#include "tessera/core/body/coalesce.h"
#include "tessera/core/body/layout.h"

TSR_HEADER_BEGIN

/* The law on numbers */

/** A at x for the strides of one unit (0: plain integers); odd in x, as C's division is. */
TSR_LOCAL int64_t tsr_value_(tsr_tuple const *shape, tsr_tuple const *stride, int64_t x, uint32_t unit)
{
    uint64_t r = 0;
    int const leaves = tsr_leaves_with_integers_(shape);
    for (int i = 0; i < leaves; ++i) {
        int64_t const n = (int64_t)tsr_leaf_extent(shape->leaf[i]);
        bool const last = i + 1 == leaves;
        if (stride->leaf[i].aux == unit)
            r += (uint64_t)(last ? x : x % n) * (uint64_t)stride->leaf[i].value;
        x = last ? 0 : x / n;
    }
    return (int64_t)r;
}

/** One leaf of the right side, and where in the result its modes stand. */
typedef struct tsr_term_ {
    int64_t shape, stride;
    uint32_t path; /* the part of A that it meets: a basis path, 0 for all of A */
    uint8_t first, count;
} tsr_term_;

typedef struct tsr_terms_ {
    int n;
    tsr_term_ term[TSR_MAX_LEAVES];
} tsr_terms_;

/** The part of A that a basis path names. */
TSR_LOCAL tsr_layout tsr_part_(tsr_layout const *a, uint32_t path)
{
    tsr_leaf e = tsr_leaf_static(1);
    e.aux = path;
    return tsr_layout_unchecked(tsr_basis_get(tsr_from_leaf(e), a->shape), tsr_basis_get(tsr_from_leaf(e), a->stride));
}

/** At the 1-D coordinate c: what the result r gives, and what A(B(c)) is, in one unit. */
TSR_LOCAL void tsr_law_at_(tsr_layout const *a, tsr_layout const *r, tsr_terms_ const *b, int64_t c, uint32_t unit,
                           int64_t *got, int64_t *want)
{
    int64_t coord[TSR_MAX_LEAVES] = {0};
    uint64_t g = 0, w = 0;
    for (int i = 0; i < b->n; ++i) {
        coord[i] = i + 1 == b->n ? c : c % b->term[i].shape;
        c /= b->term[i].shape;
        int64_t rest = coord[i];
        for (int m = b->term[i].first, k = b->term[i].count; k > 0; ++m, --k) {
            int64_t const extent = (int64_t)tsr_leaf_extent(r->shape.leaf[m]);
            if (r->stride.leaf[m].aux == unit)
                g += (uint64_t)(k == 1 ? rest : rest % extent) * (uint64_t)r->stride.leaf[m].value;
            rest /= extent;
        }
    }
    for (int i = 0; i < b->n; ++i) { /* the leaves that meet the same part of A add up before they enter it */
        uint64_t x = 0;
        bool first = true;
        for (int k = 0; k < b->n; ++k) {
            if (b->term[k].path == b->term[i].path) {
                first = first && k >= i;
                x += (uint64_t)coord[k] * (uint64_t)b->term[k].stride;
            }
        }
        if (first) {
            tsr_layout const part = tsr_part_(a, b->term[i].path);
            w += (uint64_t)tsr_value_(&part.shape, &part.stride, (int64_t)x, unit);
        }
    }
    *got = (int64_t)g;
    *want = (int64_t)w;
}

/** B(c) of leaves without basis strides. */
TSR_LOCAL int64_t tsr_term_sum_(tsr_terms_ const *b, int64_t c)
{
    uint64_t r = 0;
    for (int i = 0; i < b->n; ++i) {
        r += (uint64_t)(i + 1 == b->n ? c : c % b->term[i].shape) * (uint64_t)b->term[i].stride;
        c /= b->term[i].shape;
    }
    return (int64_t)r;
}

/** The largest remainder of c * d modulo p over c < s. */
TSR_LOCAL int64_t tsr_largest_rest_(int64_t s, int64_t d, int64_t p)
{
    int64_t end = 0;
    if (tsr_mul64(s - 1, d, &end) && end < p)
        return end;
    return d % p == 0 ? 0 : p - tsr_gcd64(d, p);
}

/** True when the leaves that meet the same part of A as leaf i cannot carry into each other at a boundary of A, so
 *  that A of their sum is the sum of A. */
TSR_LOCAL bool tsr_no_carry_(tsr_tuple const *shape, tsr_tuple const *stride, tsr_terms_ const *b, int i)
{
    int64_t p = 1;
    int meeting = 0;
    bool negative = false;
    for (int k = 0; k < b->n; ++k) {
        if (b->term[k].path == b->term[i].path && b->term[k].shape != 1 && b->term[k].stride != 0) {
            ++meeting;
            negative = negative || b->term[k].stride < 0;
        }
    }
    if (meeting <= 1 || negative)
        return meeting <= 1;
    for (int m = 0; m + 1 < shape->leaves; ++m) {
        tsr_leaf const s = shape->leaf[m], d = stride->leaf[m], e = stride->leaf[m + 1];
        int64_t merged = 0, sum = 0;
        if (!tsr_mul64(p, s.value, &p))
            return true; /* no offset of B reaches this far */
        if (d.aux == e.aux && tsr_mul64(s.value, d.value, &merged) && merged == e.value)
            continue; /* the two modes are one */
        for (int k = 0; k < b->n; ++k)
            if (b->term[k].path == b->term[i].path
                && !tsr_add64(sum, tsr_largest_rest_(b->term[k].shape, b->term[k].stride, p), &sum))
                return false;
        if (sum >= p)
            return false;
    }
    return true;
}

/** The first coordinate below the budget, with B(c) < within, at which the law fails: fills the notes of `bad` and returns true. True
 *  as well when coordinates are left, for then the law is not proved. */
TSR_LOCAL bool tsr_law_fails_(tsr_layout const *a, tsr_layout const *r, tsr_terms_ const *b, int64_t within,
                              tsr_tuple *bad)
{
    int64_t size = 1;
    for (int i = 0; i < b->n; ++i)
        if (!tsr_mul64(size, b->term[i].shape, &size))
            size = TSR_INT_MAX;
    for (int64_t c = 0; c < size && c < TSR_LAW_BUDGET; ++c) {
        for (int m = 0; m < a->stride.leaves; ++m) {
            int64_t got = 0, want = 0;
            if (m > 0 && a->stride.leaf[m].aux == a->stride.leaf[m - 1].aux)
                continue; /* the same unit once more */
            if (tsr_term_sum_(b, c) >= within)
                continue;
            tsr_law_at_(a, r, b, c, a->stride.leaf[m].aux, &got, &want);
            if (got != want) {
                bad->law = 1;
                bad->along = a->stride.leaf[m].aux ? 0x30 : 0; /* got and wanted */
                bad->leaf[0].aux = a->stride.leaf[m].aux;
                bad->leaf[3].value = c;
                bad->leaf[4].value = got;
                bad->leaf[5].value = want;
                return true;
            }
        }
    }
    return size > TSR_LAW_BUDGET;
}

/* One leaf */

/** The walk of s:d over A on numbers: does the rule prove the law? */
TSR_LOCAL bool tsr_compose_fits_(tsr_tuple const *a_shape, int64_t s, int64_t d)
{
    uint64_t rest = tsr_abs64(d);
    for (int i = 0; i + 1 < a_shape->leaves && s != 1; ++i) {
        uint64_t const n = (uint64_t)a_shape->leaf[i].value;
        if (rest % n == 0) {
            rest /= n;
            continue;
        }
        if (rest > n)
            return false;
        int64_t const fit = (int64_t)((n + rest - 1) / rest);
        if (s <= fit)
            return true;
        if (n % rest != 0 || s % fit != 0)
            return false;
        s /= fit;
        rest = 1;
    }
    return true;
}

TSR_LOCAL tsr_tuple tsr_compose_bad_(tsr_status status, tsr_tuple const *a_shape, int mode, int at, tsr_leaf s,
                                     tsr_leaf d)
{
    int64_t const mine = status == TSR_COMPOSE_STRIDE ? d.value : s.value;
    tsr_tuple r = tsr_bad_tuple(status, mode, mine, a_shape->leaf[at].value, 0);
    r.leaf[2].value = r.leaf[6].value = 0;
    for (int64_t k = 1; k <= 4096; ++k) { /* the nearest numbers that would do */
        int64_t const below = mine - k, above = mine < TSR_INT_MAX - k ? mine + k : mine;
        bool const stride = status == TSR_COMPOSE_STRIDE;
        if (!r.leaf[2].value && below > 0 && tsr_compose_fits_(a_shape, stride ? s.value : below, stride ? below : d.value))
            r.leaf[2].value = below;
        if (!r.leaf[6].value && tsr_compose_fits_(a_shape, stride ? s.value : above, stride ? above : d.value))
            r.leaf[6].value = above;
    }
    return r;
}

/** CuTe's walk of s:d over a flat part of A; the modes are pushed to r. *exact tells whether the rule proves the
 *  law. False: r is the reason. */
TSR_LOCAL bool tsr_compose_leaf_(tsr_tuple const *a_shape, tsr_tuple const *a_stride, int mode, tsr_leaf s,
                                 tsr_leaf d, tsr_layout *r, bool *exact)
{
    tsr_leaf rest_s = s, rest_d = d;
    int const first = r->shape.leaves, last = a_shape->leaves - 1;
    *exact = true;
    if (tsr_leaf_is(d, 0)) {
        tsr_tuple_push_leaf(&r->shape, s);
        tsr_tuple_push_leaf(&r->stride, d);
        return r->shape.status == TSR_OK && r->stride.status == TSR_OK;
    }
    for (int i = 0; i < last; ++i) {
        int64_t const n = a_shape->leaf[i].value, step = (int64_t)tsr_abs64(rest_d.value);
        bool const known = tsr_leaf_is_static(a_shape->leaf[i]) && tsr_leaf_is_static(rest_d);
        if (step <= 0) {
            r->shape = tsr_bad_tuple(step == 0 ? TSR_COMPOSE_ZERO : TSR_OVERFLOW, mode, step == 0 ? n : step, 0, 0);
            return false;
        }
        /* One division: of the step by the extent when it is stepped over, else of the extent by the step. */
        int64_t const steps = step >= n ? step / n : 0, parts = step >= n ? 1 : n / step;
        bool const whole = steps * n == step, divides = step >= n || parts * step == n;
        int64_t const fit = divides ? parts : parts + 1; /* elements up to the end of the mode */
        if (known && !whole && rest_d.value >= n) {
            r->shape = tsr_compose_bad_(TSR_COMPOSE_STRIDE, a_shape, mode, i, s, d);
            return false;
        }
        if (!whole && rest_s.value > fit && (step > n || !divides))
            *exact = false;
        if (!(known && fit == 1) && !tsr_leaf_is(rest_s, 1)) {
            tsr_kind const kind = known && tsr_leaf_is_static(rest_s) ? TSR_STATIC : TSR_DYNAMIC;
            int64_t const cut = tsr_min64(fit, rest_s.value), left = cut == rest_s.value ? 1 : rest_s.value / cut;
            if (left * cut != rest_s.value) {
                r->shape = tsr_compose_bad_(TSR_COMPOSE_SHAPE, a_shape, mode, i, s, d);
                return false;
            }
            tsr_tuple_push_leaf(&r->shape, tsr_leaf_make(kind, cut));
            tsr_tuple_push_leaf(&r->stride, tsr_leaf_mul(rest_d, a_stride->leaf[i]));
            rest_s = tsr_leaf_make(kind, left);
        }
        int64_t const next = whole ? steps : steps + 1;
        rest_d = tsr_leaf_make(known ? TSR_STATIC : TSR_DYNAMIC, rest_d.value < 0 ? -next : next);
        if (r->shape.leaves > first && tsr_leaf_is(rest_s, 1) && tsr_abs64(rest_d.value) == 1)
            break; /* nothing is left to place, and a step of 1 fits every mode */
    }
    if (r->shape.leaves == first || !tsr_leaf_is(rest_s, 1)) {
        tsr_tuple_push_leaf(&r->shape, rest_s);
        tsr_tuple_push_leaf(&r->stride, tsr_leaf_mul(rest_d, a_stride->leaf[last]));
    }
    return r->shape.status == TSR_OK && r->stride.status == TSR_OK;
}

/* The whole */

/** Puts the modes from `first` on into the parentheses of the leaf they came from, and into a pair of their own when
 *  there are several. */
TSR_LOCAL void tsr_enclose_(tsr_tuple *list, int first, tsr_leaf where)
{
    int const own = list->leaves - first > 1;
    tsr_leaf *const front = &list->leaf[first], *const back = &list->leaf[list->leaves - 1];
    front->open = (uint8_t)(front->open + where.open + own);
    back->close = (uint8_t)(back->close + where.close + own);
}

/** Do two leaves of B carry into each other? The first that does, or -1. */
TSR_LOCAL int tsr_first_carry_(tsr_layout const *a, tsr_terms_ const *b)
{
    for (int i = 0; i < b->n; ++i) {
        int k = 0;
        while (b->term[k].path != b->term[i].path)
            ++k;
        if (k < i)
            continue; /* the leaves of one path are looked at together */
        if (b->term[i].path != 0) {
            tsr_layout const part = tsr_part_(a, b->term[i].path);
            if (!tsr_no_carry_(&part.shape, &part.stride, b, i))
                return i;
        } else if (!tsr_no_carry_(&a->shape, &a->stride, b, i)) {
            return i;
        }
    }
    return -1;
}

/** One leaf of B, by the part of A that its basis element names. */
TSR_LOCAL bool tsr_compose_part_(tsr_layout const *a, int mode, tsr_leaf s, tsr_leaf d, tsr_layout *r, bool *exact)
{
    tsr_layout const part = tsr_part_(a, d.aux);
    if (part.shape.status) {
        r->shape = part.shape;
        return false;
    }
    d.aux = 0;
    return tsr_compose_leaf_(&part.shape, &part.stride, mode, s, d, r, exact);
}

/** What to say, and whether the law holds all the same, where the rule does not prove it. */
TSR_LOCAL tsr_layout tsr_compose_tried_(tsr_layout const *a, tsr_tuple const *shape, tsr_layout const *r,
                                        tsr_terms_ const *b, int64_t within, int inexact, int carry)
{
    tsr_tuple bad = tsr_bad_tuple(TSR_COMPOSE_CARRY, carry, 0, 0, 0);
    if (inexact >= 0) {
        tsr_layout const part = tsr_part_(a, b->term[inexact].path);
        bad = tsr_compose_bad_(TSR_COMPOSE_STRIDE, &part.shape, inexact, 0, shape->leaf[inexact],
                               tsr_leaf_dynamic(b->term[inexact].stride));
    }
    return tsr_law_fails_(a, r, b, within, &bad) ? tsr_invalid_layout(bad) : *r;
}

/** A mode () of B stays what it is. */
TSR_LOCAL bool tsr_push_unit_(tsr_layout *r)
{
    tsr_tuple_push_leaf(&r->shape, tsr_leaf_make(TSR_UNIT, 0));
    tsr_tuple_push_leaf(&r->stride, tsr_leaf_make(TSR_UNIT, 0));
    return r->shape.status == TSR_OK;
}

/** Leaf i of B: its modes behind those of r, and what it was in b. *exact tells whether the rule proves the law.
 *  False: r is the reason. */
TSR_LOCAL bool tsr_compose_next_(tsr_layout const *a, tsr_leaf s, tsr_leaf d, int i, tsr_layout *r, tsr_term_ *b,
                                 bool *exact)
{
    int const first = r->shape.leaves;
    bool walked = false;
    b->path = d.aux;
    b->shape = (int64_t)tsr_leaf_extent(s);
    b->stride = d.value;
    b->first = (uint8_t)first;
    if (s.kind == TSR_UNIT)
        walked = tsr_push_unit_(r);
    else
        walked = d.aux == 0 ? tsr_compose_leaf_(&a->shape, &a->stride, i, s, d, r, exact)
                            : tsr_compose_part_(a, i, s, d, r, exact);
    if (!walked) {
        *r = tsr_invalid_layout(r->shape.status ? r->shape : r->stride);
        return false;
    }
    b->count = (uint8_t)(r->shape.leaves - first);
    tsr_enclose_(&r->shape, first, s);
    tsr_enclose_(&r->stride, first, s);
    if (r->shape.leaf[first].open > TSR_MAX_OPEN)
        *r = tsr_bad_layout(TSR_DEPTH, i, 0, 0, 0);
    return r->shape.status == TSR_OK;
}

/** A o B for B given by shape and stride; a is coalesced to the profile of B's codomain already. The law is asked
 *  where B(c) < within. */
TSR_LOCAL tsr_layout tsr_compose_(tsr_layout const *a, tsr_tuple const *shape, tsr_tuple const *stride, int64_t within)
{
    tsr_layout r = TSR_ZERO;
    tsr_terms_ b TSR_SCRATCH;
    int inexact = -1;
    b.n = shape->leaves;
    for (int i = 0; i < b.n; ++i) {
        bool exact = true;
        if (!tsr_compose_next_(a, shape->leaf[i], stride->leaf[i], i, &r, &b.term[i], &exact))
            return r;
        inexact = exact ? inexact : i;
    }
    int const carry = tsr_first_carry_(a, &b);
    if (inexact >= 0 || carry >= 0) {
        tsr_layout const walked = r;
        r = tsr_compose_tried_(a, shape, &walked, &b, within, inexact, carry);
    }
    return r;
}

/** A o B for two layouts, where B(c) < within. A swizzle in front of A stays in front. */
TSR_LOCAL tsr_layout tsr_compose_within_(tsr_layout const *a, tsr_layout const *b, int64_t within)
{
    if (a->shape.status || b->shape.status)
        return a->shape.status ? *a : *b;
    bool const one = tsr_is_leaf(&a->shape) && a->shape.leaf[0].value > 1; /* has nothing to coalesce */
    if (one && tsr_is_plain_(a) && !tsr_has_basis(&b->stride))
        return tsr_compose_(a, &b->shape, &b->stride, within);
    if (tsr_is_plain_(a) && !tsr_has_basis(&b->stride)) {
        tsr_layout const flat = tsr_coalesce_inner_(a, true);
        return flat.shape.status ? flat : tsr_compose_(&flat, &b->shape, &b->stride, within);
    }
    tsr_tuple const profile = tsr_coprofile_of(*b, tsr_unit());
    tsr_layout const flat = tsr_coalesce_x_by(tsr_layout_inner(*a), profile);
    if (profile.status || flat.shape.status)
        return profile.status ? tsr_invalid_layout(profile) : flat;
    return tsr_rewrap_(*a, tsr_compose_(&flat, &b->shape, &b->stride, within));
}

TSR_INTERNAL tsr_layout tsr_compose_layouts_(tsr_layout const *a, tsr_layout const *b)
{
    return tsr_compose_within_(a, b, TSR_INT_MAX);
}

TSR_INTERNAL tsr_layout tsr_composition_layout_(tsr_layout a, tsr_layout b) { return tsr_compose_layouts_(&a, &b); }

TSR_LOCAL tsr_layout tsr_compose_tiler_(tsr_layout const *a, tsr_tiler const *b);

/** A o tiler: a layout on the whole, a tuple mode by mode (modes that it lacks are dropped), n as n:1, `_` keeps. */
TSR_LOCAL tsr_layout tsr_compose_modes_(tsr_layout const *a, tsr_tiler const *b)
{
    tsr_layout r = TSR_ZERO;
    int const rank = tsr_mode_count(&a->shape), modes = tsr_tiler_rank_(b);
    if (modes > rank)
        return tsr_bad_layout(TSR_TILER_RANK, 0, modes, rank, 0);
    for (int i = 0; i < modes; ++i) {
        tsr_layout const mode = tsr_mode_(a, i);
        tsr_tiler const by = tsr_tiler_get_(b, i);
        tsr_layout const x = tsr_compose_tiler_(&mode, &by);
        if (x.shape.status)
            return x;
        tsr_tuple_push(&r.shape, &x.shape);
        tsr_tuple_push(&r.stride, &x.stride);
    }
    tsr_enclose_all_(&r.shape);
    tsr_enclose_all_(&r.stride);
    return tsr_is_plain_(a) ? r : tsr_rewrap_(*a, r);
}

TSR_LOCAL tsr_layout tsr_compose_tiler_(tsr_layout const *a, tsr_tiler const *b)
{
    if (a->shape.status || b->by.shape.status)
        return a->shape.status ? *a : b->by;
    if (tsr_tiler_is_wild(b))
        return *a;
    if (tsr_tiler_is_int(b)) {
        tsr_layout const flat = tsr_coalesce_inner_(a, true);
        tsr_tuple const one = tsr_s(1);
        return flat.shape.status ? flat : tsr_rewrap_(*a, tsr_compose_(&flat, &b->by.shape, &one, TSR_INT_MAX));
    }
    return tsr_tiler_is_tuple(b) ? tsr_compose_modes_(a, b) : tsr_compose_layouts_(a, &b->by);
}

TSR_INTERNAL tsr_layout tsr_compose_by_(tsr_layout a, tsr_tiler b) { return tsr_compose_tiler_(&a, &b); }

TSR_OP tsr_layout tsr_with_shape(tsr_layout l, tsr_tuple shape)
{
    return tsr_compose_by_(l, tsr_tiler_of_layout(tsr_make_layout_compact(shape)));
}

TSR_HEADER_END

#endif
