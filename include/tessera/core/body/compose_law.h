/** The law of composition on numbers, for core/body/compose.h: do the leaves of B carry into each other, and is the
 *  value at each coordinate that of A at B?
 */
#ifndef TSR_CORE_BODY_COMPOSE_LAW_H
#define TSR_CORE_BODY_COMPOSE_LAW_H

#include "tessera/core/compose.h"
#include "tessera/core/body/coalesce.h"
#include "tessera/core/body/layout.h"

TSR_HEADER_BEGIN

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

/** One leaf of the right side, and the place of its modes in the result. */
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
    return tsr_layout_unchecked(tsr_basis_get(tsr_from_leaf(e), a->shape),
                                tsr_basis_get(tsr_from_leaf(e), a->stride));
}

/** At the 1-D coordinate c: r(c) of the result r, and A(B(c)), in one unit. */
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
    if (tsr_is_pow2(p)) /* as most boundaries are: without a division */
        return (d & (p - 1)) == 0 ? 0 : p - (d & -d);
    return d % p == 0 ? 0 : p - tsr_gcd64(d, p);
}

/** True when the leaves that meet the same part of A as leaf i cannot carry into each other at a boundary of A. Then
 *  A of their sum is the sum of A. */
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

/** The first coordinate below the budget, with B(c) < within, at which the law fails: fills the notes of `bad` and
 *  returns true. True as well when coordinates are left, for then the law is not proved. */
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
                bad->along = (uint8_t)((bad->along & TSR_WOULD_COALESCE)
                                       | (a->stride.leaf[m].aux ? 0x30 : 0)); /* got and wanted */
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

TSR_HEADER_END

#endif
