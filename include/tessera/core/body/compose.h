/** The bodies of core/compose.h. */
#ifndef TSR_CORE_BODY_COMPOSE_H
#define TSR_CORE_BODY_COMPOSE_H

#include "tessera/core/body/compose_law.h"

TSR_HEADER_BEGIN

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

/** Would modes of A coalesce if their numbers were static? */
TSR_LOCAL bool tsr_would_coalesce_(tsr_tuple const *a_shape, tsr_tuple const *a_stride)
{
    for (int i = 0; i + 1 < a_shape->leaves; ++i) {
        tsr_leaf const s = a_shape->leaf[i], d = a_stride->leaf[i], next = a_stride->leaf[i + 1];
        int64_t end = 0;
        bool const fixed = tsr_leaf_is_static(s) && tsr_leaf_is_static(d) && tsr_leaf_is_static(next);
        if (!fixed && d.aux == next.aux && tsr_mul64(s.value, d.value, &end) && end == next.value)
            return true;
    }
    return false;
}

TSR_LOCAL tsr_tuple tsr_compose_bad_(tsr_status status, tsr_tuple const *a_shape, tsr_tuple const *a_stride, int mode,
                                     int at, tsr_leaf s, tsr_leaf d)
{
    int64_t const mine = status == TSR_COMPOSE_STRIDE ? d.value : s.value;
    tsr_tuple r = tsr_bad_tuple(status, mode, mine, a_shape->leaf[at].value, 0);
    r.along = tsr_would_coalesce_(a_shape, a_stride) ? TSR_WOULD_COALESCE : 0;
    r.leaf[2].value = r.leaf[6].value = 0;
    for (int64_t k = 1; k <= 4096; ++k) { /* the nearest numbers that would do */
        int64_t const below = mine - k, above = mine < TSR_INT_MAX - k ? mine + k : mine;
        bool const stride = status == TSR_COMPOSE_STRIDE;
        if (!r.leaf[2].value && below > 0
            && tsr_compose_fits_(a_shape, stride ? s.value : below, stride ? below : d.value))
            r.leaf[2].value = below;
        if (!r.leaf[6].value && tsr_compose_fits_(a_shape, stride ? s.value : above, stride ? above : d.value))
            r.leaf[6].value = above;
    }
    return r;
}

/** Pushes the mode extent:step*d, extent and step static where they are known. */
TSR_LOCAL void tsr_push_step_(tsr_layout *r, int64_t extent, bool extent_known, int64_t step, bool step_known,
                              tsr_leaf const *d)
{
    int64_t stride = 0;
    int const n = r->shape.leaves;
    if (r->shape.status || r->stride.status || n == TSR_MAX_LEAVES || d->kind > TSR_STATIC
        || !tsr_mul64(step, d->value, &stride)) {
        tsr_push_mode_(r, tsr_leaf_make(extent_known ? TSR_STATIC : TSR_DYNAMIC, extent),
                       tsr_leaf_mul(tsr_leaf_make(step_known ? TSR_STATIC : TSR_DYNAMIC, step), *d));
        return;
    }
    bool const known = d->kind == TSR_STATIC && (step_known || d->value == 0);
    r->shape.leaf[n] = tsr_leaf_make(extent_known ? TSR_STATIC : TSR_DYNAMIC, extent);
    r->stride.leaf[n] = tsr_leaf_make(known ? TSR_STATIC : TSR_DYNAMIC, stride);
    r->stride.leaf[n].aux = d->aux;
    r->shape.leaves = r->stride.leaves = (uint8_t)(n + 1);
}

/** CuTe's walk of s:d over a flat part of A; the modes are pushed to r. *exact tells whether the rule proves the
 *  law. False: r is the reason. */
TSR_LOCAL bool tsr_compose_leaf_(tsr_tuple const *a_shape, tsr_tuple const *a_stride, int mode, tsr_leaf s,
                                 tsr_leaf d, tsr_layout *r, bool *exact)
{
    int64_t rest_s = s.value, rest_d = d.value;
    bool s_known = s.kind == TSR_STATIC, d_known = d.kind == TSR_STATIC;
    int const first = r->shape.leaves, last = a_shape->leaves - 1;
    *exact = true;
    if (d.kind > TSR_STATIC) {
        r->shape = tsr_from_leaf(tsr_leaf_refuse_(d, d));
        return false;
    }
    if (d_known && d.value == 0) {
        tsr_push_mode_(r, s, d);
        return r->shape.status == TSR_OK && r->stride.status == TSR_OK;
    }
    for (int i = 0; i < last; ++i) {
        int64_t const n = a_shape->leaf[i].value, step = (int64_t)tsr_abs64(rest_d);
        bool const known = a_shape->leaf[i].kind == TSR_STATIC && d_known;
        if (step <= 0) {
            r->shape = tsr_bad_tuple(step == 0 ? TSR_COMPOSE_ZERO : TSR_OVERFLOW, mode, step == 0 ? n : step, 0, 0);
            return false;
        }
        /* At most one division: of the step by the extent when it is stepped over, else of the extent by the step. */
        int64_t const steps = step > n ? step / n : step == n, parts = step >= n ? 1 : step == 1 ? n : n / step;
        bool const whole = steps * n == step, divides = step >= n || parts * step == n;
        int64_t const fit = divides ? parts : parts + 1; /* elements up to the end of the mode */
        if (known && !whole && rest_d >= n) {
            r->shape = tsr_compose_bad_(TSR_COMPOSE_STRIDE, a_shape, a_stride, mode, i, s, d);
            return false;
        }
        if (!whole && rest_s > fit && (step > n || !divides))
            *exact = false;
        if (!(known && fit == 1) && !(s_known && rest_s == 1)) {
            int64_t const cut = tsr_min64(fit, rest_s), left = cut == rest_s ? 1 : rest_s / cut;
            if (left * cut != rest_s) {
                r->shape = tsr_compose_bad_(TSR_COMPOSE_SHAPE, a_shape, a_stride, mode, i, s, d);
                return false;
            }
            s_known = s_known && known;
            tsr_push_step_(r, cut, s_known, rest_d, d_known, &a_stride->leaf[i]);
            rest_s = left;
        }
        int64_t const next = whole ? steps : steps + 1;
        rest_d = rest_d < 0 ? -next : next;
        d_known = known;
        if (r->shape.leaves > first && s_known && rest_s == 1 && next == 1)
            break; /* nothing is left to place, and a step of 1 fits every mode */
    }
    if (r->shape.leaves == first || !(s_known && rest_s == 1))
        tsr_push_step_(r, rest_s, s_known, rest_d, d_known, &a_stride->leaf[last]);
    return r->shape.status == TSR_OK && r->stride.status == TSR_OK;
}

/* The whole */

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

/** Keeps r, where the rule does not prove the law and the law holds all the same, or says why it does not. */
TSR_LOCAL void tsr_compose_tried_(tsr_layout *r, tsr_layout const *a, tsr_tuple const *shape, tsr_terms_ const *b,
                                  int64_t within, int inexact, int carry)
{
    tsr_tuple bad = tsr_bad_tuple(TSR_COMPOSE_CARRY, carry, 0, 0, 0);
    if (!tsr_law_fails_(a, r, b, within, &bad))
        return;
    if (inexact >= 0) { /* the nearest strides are looked for only where there is somebody to tell */
        tsr_layout const part = tsr_part_(a, b->term[inexact].path);
        tsr_tuple const where = bad;
        bad = tsr_compose_bad_(TSR_COMPOSE_STRIDE, &part.shape, &part.stride, inexact, 0, shape->leaf[inexact],
                               tsr_leaf_dynamic(b->term[inexact].stride));
        bad.law = where.law;
        bad.along = (uint8_t)(bad.along | where.along);
        bad.leaf[0].aux = where.leaf[0].aux;
        for (int i = 3; i < 6; ++i)
            bad.leaf[i].value = where.leaf[i].value;
    }
    *r = tsr_invalid_layout(bad);
}

/** A mode () of B does not change. */
TSR_LOCAL bool tsr_push_unit_(tsr_layout *r)
{
    tsr_push_mode_(r, tsr_leaf_make(TSR_UNIT, 0), tsr_leaf_make(TSR_UNIT, 0));
    return r->shape.status == TSR_OK;
}

/** The part of A that a basis path names. True: there is none, and r is the reason. */
TSR_LOCAL bool tsr_no_part_(tsr_layout *part, tsr_layout const *a, uint32_t path, tsr_layout *r)
{
    *part = tsr_part_(a, path);
    if (part->shape.status)
        r->shape = part->shape;
    return part->shape.status != TSR_OK;
}

/** Leaf i of B: its modes behind those of r, and what it was in b. *exact tells whether the rule proves the law.
 *  False: r is the reason. */
TSR_LOCAL bool tsr_compose_next_(tsr_layout const *a, tsr_leaf s, tsr_leaf d, int i, tsr_layout *r, tsr_term_ *b,
                                 bool *exact)
{
    tsr_layout part TSR_SCRATCH;
    int const first = r->shape.leaves;
    bool walked = false;
    b->path = d.aux;
    b->shape = (int64_t)tsr_leaf_extent(s);
    b->stride = d.value;
    b->first = (uint8_t)first;
    if (s.kind == TSR_UNIT) {
        walked = tsr_push_unit_(r);
    } else if (d.aux == 0 || !tsr_no_part_(&part, a, d.aux, r)) {
        tsr_layout const *const met = d.aux == 0 ? a : &part;
        d.aux = 0;
        walked = tsr_compose_leaf_(&met->shape, &met->stride, i, s, d, r, exact);
    }
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

/** A o B for B given by shape and stride into r, which has no modes; a is coalesced to the profile of B's codomain
 *  already. The law is asked where B(c) < within. */
TSR_LOCAL void tsr_compose_(tsr_layout *r, tsr_layout const *a, tsr_tuple const *shape, tsr_tuple const *stride,
                            int64_t within)
{
    tsr_terms_ b TSR_SCRATCH;
    int inexact = -1;
    b.n = shape->leaves;
    for (int i = 0; i < b.n; ++i) {
        bool exact = true;
        if (!tsr_compose_next_(a, shape->leaf[i], stride->leaf[i], i, r, &b.term[i], &exact))
            return;
        inexact = exact ? inexact : i;
    }
    int const carry = tsr_first_carry_(a, &b);
    if (inexact >= 0 || carry >= 0)
        tsr_compose_tried_(r, a, shape, &b, within, inexact, carry);
}

/** The same for any A, without its swizzle, and a B without basis strides. */
TSR_LOCAL void tsr_compose_inner_(tsr_layout *r, tsr_layout const *a, tsr_tuple const *shape, tsr_tuple const *stride,
                                  int64_t within)
{
    if (tsr_is_coalesced_(a)) {
        tsr_compose_(r, a, shape, stride, within);
        return;
    }
    tsr_layout flat TSR_SCRATCH;
    tsr_begin_(&flat);
    tsr_put_coalesced_(&flat, a, true);
    if (flat.shape.status)
        *r = tsr_invalid_layout(flat.shape);
    else
        tsr_compose_(r, &flat, shape, stride, within);
}

/** The same for any A and any B. A swizzle in front of A stays in front. */
TSR_LOCAL void tsr_compose_units_(tsr_layout *r, tsr_layout const *a, tsr_layout const *b, int64_t within)
{
    tsr_layout whole = TSR_ZERO;
    tsr_tuple const profile = tsr_coprofile_of(*b, tsr_unit());
    tsr_layout const flat = tsr_coalesce_x_by(tsr_layout_inner(*a), profile);
    if (profile.status || flat.shape.status) {
        *r = tsr_invalid_layout(profile.status ? profile : flat.shape);
        return;
    }
    tsr_compose_(&whole, &flat, &b->shape, &b->stride, within);
    *r = tsr_rewrap_(*a, whole);
}

/** A o B for two layouts into r, which has no modes, where B(c) < within. */
TSR_LOCAL void tsr_compose_within_(tsr_layout *r, tsr_layout const *a, tsr_layout const *b, int64_t within)
{
    if (a->shape.status || b->shape.status)
        *r = tsr_invalid_layout(a->shape.status ? a->shape : b->shape);
    else if (!tsr_is_plain_(a) || tsr_has_basis(&b->stride))
        tsr_compose_units_(r, a, b, within);
    else
        tsr_compose_inner_(r, a, &b->shape, &b->stride, within);
}

/** Tells the refusal of a composition inside of a divide or a product of the operands of that: `zero` is the first
 *  status of its family. */
TSR_LOCAL void tsr_compose_told_(tsr_layout *r, tsr_status zero)
{
    int const status = r->shape.status;
    if (status >= TSR_COMPOSE_ZERO && status <= TSR_COMPOSE_CARRY)
        r->shape.status = (uint16_t)((int)zero + status - TSR_COMPOSE_ZERO);
}

TSR_INTERNAL tsr_layout tsr_compose_layouts_(tsr_layout const *a, tsr_layout const *b)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_compose_within_(&r, a, b, TSR_INT_MAX);
    return r;
}

TSR_INTERNAL tsr_layout tsr_composition_layout_(tsr_layout a, tsr_layout b) { return tsr_compose_layouts_(&a, &b); }

TSR_LOCAL void tsr_compose_tiler_(tsr_layout *r, tsr_layout const *a, tsr_layout const *by);

/** The refusal x of element i of a tuple: the mode of the element that it names becomes that of the whole tuple. */
TSR_LOCAL void tsr_refuse_in_tuple_(tsr_layout *r, tsr_layout const *x, tsr_layout const *by, int i)
{
    int const status = x->shape.status, composing = tsr_status_composing_(status);
    bool const tiles = status == TSR_TILES_STRIDE || status == TSR_TILES_SHAPE;
    bool const named = composing >= TSR_COMPOSE_ZERO && composing <= TSR_COMPLEMENT_OVERLAP && !tiles;
    int end = 0;
    *r = tsr_invalid_layout(x->shape);
    if (named)
        r->shape.mode = (uint8_t)(r->shape.mode + tsr_mode_begin_(&by->shape, i, &end));
}

/** A o <b,c,..> mode by mode; modes that the tiler lacks are dropped. */
TSR_LOCAL void tsr_compose_modes_(tsr_layout *r, tsr_layout const *a, tsr_layout const *by)
{
    int const rank = tsr_mode_count(&a->shape), modes = tsr_by_rank_(by);
    if (modes > rank) {
        *r = tsr_bad_layout(TSR_TILER_RANK, 0, modes, rank, 0);
        return;
    }
    for (int i = 0; i < modes; ++i) {
        tsr_layout mode TSR_SCRATCH, part TSR_SCRATCH, x TSR_SCRATCH;
        tsr_begin_(&mode);
        tsr_begin_(&part);
        tsr_begin_(&x);
        tsr_put_mode_(&mode, a, i);
        tsr_put_tiler_(&part, by, i);
        tsr_compose_tiler_(&x, &mode, &part);
        if (x.shape.status) {
            tsr_refuse_in_tuple_(r, &x, by, i);
            return;
        }
        tsr_push_layout_(r, &x);
    }
    tsr_enclose_layout_(r);
    if (a->composed)
        *r = tsr_rewrap_(*a, *r);
}

/** A o n, n consecutive elements. */
TSR_LOCAL void tsr_compose_run_(tsr_layout *r, tsr_layout const *a, tsr_tuple const *n)
{
    tsr_tuple one TSR_SCRATCH;
    tsr_begin_tuple_(&one);
    tsr_tuple_push_leaf(&one, tsr_leaf_static(1));
    tsr_compose_inner_(r, a, n, &one, TSR_INT_MAX);
    if (a->composed)
        *r = tsr_rewrap_(*a, *r);
}

/** A o tiler into r, which has no modes: a layout on the whole, a tuple mode by mode, n as n:1, `_` keeps. */
TSR_LOCAL void tsr_compose_tiler_(tsr_layout *r, tsr_layout const *a, tsr_layout const *by)
{
    if (a->shape.status || by->shape.status)
        *r = a->shape.status ? *a : *by;
    else if (tsr_by_is_wild_(by))
        tsr_assign_(r, a);
    else if (tsr_by_is_int_(by))
        tsr_compose_run_(r, a, &by->shape);
    else if (tsr_by_is_tuple_(by))
        tsr_compose_modes_(r, a, by);
    else
        tsr_compose_within_(r, a, by, TSR_INT_MAX);
}

TSR_INTERNAL tsr_layout tsr_compose_by_(tsr_layout a, tsr_tiler b)
{
    tsr_layout r = TSR_ZERO;
    tsr_compose_tiler_(&r, &a, &b.by);
    return r;
}

TSR_OP tsr_layout tsr_with_shape(tsr_layout l, tsr_tuple shape)
{
    return tsr_compose_by_(l, tsr_tiler_of_layout(tsr_make_layout_compact(shape)));
}

TSR_HEADER_END

#endif
