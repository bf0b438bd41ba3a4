/** The bodies of core/verdict.h. */
#ifndef TSR_CORE_BODY_VERDICT_H
#define TSR_CORE_BODY_VERDICT_H

#include "tessera/core/verdict.h"
#include "tessera/core/body/point.h"
#include "tessera/core/body/recast.h"

TSR_HEADER_BEGIN

TSR_INTERNAL bool tsr_differ_at_(tsr_layout const *a, tsr_layout const *b, int64_t x, tsr_verdict *r)
{
    tsr_point_ pa TSR_SCRATCH, pb TSR_SCRATCH;
    tsr_point_of_(&pa, a, x);
    tsr_point_of_(&pb, b, x);
    r->answer = TSR_NO;
    r->why = tsr_points_why_(TSR_DIFFER, x, &pa, &pb);
    return r->why.status == TSR_DIFFER;
}

TSR_OP tsr_verdict tsr_same_function(tsr_layout a, tsr_layout b)
{
    tsr_row_ x = TSR_ZERO, y = TSR_ZERO;
    tsr_verdict no = TSR_ZERO;
    int64_t wx[2 * TSR_MAX_LEAVES + 2] = {0}, wy[2 * TSR_MAX_LEAVES + 2] = {0};
    if (a.shape.status || b.shape.status)
        return tsr_undecided_(tsr_tuple_why(a.shape.status ? a.shape : b.shape));
    tsr_leaf const na = tsr_product_leaf_(&a.shape), nb = tsr_product_leaf_(&b.shape);
    if (na.value != nb.value || na.kind == TSR_BAD)
        return na.kind == TSR_BAD ? tsr_undecided_(tsr_tuple_why(tsr_from_leaf(na)))
                                  : tsr_no_(TSR_DIFFER_SIZE, 0, na.value, nb.value, 0);
    bool const same_front =
        a.composed == b.composed && a.twice == b.twice
        && (!a.composed
            || (tsr_swizzle_same_(a.swizzle, b.swizzle) && tsr_leaf_value(a.offset) == tsr_leaf_value(b.offset)))
        && (!a.twice
            || (tsr_swizzle_same_(a.outer_swizzle, b.outer_swizzle)
                && tsr_leaf_value(a.outer_offset) == tsr_leaf_value(b.outer_offset)));
    if (!same_front) { /* swizzles that differ: no rule, try the coordinates */
        for (int64_t i = 0; i < na.value && i < TSR_LAW_BUDGET; ++i)
            if (tsr_differ_at_(&a, &b, i, &no))
                return no;
        return na.value <= TSR_LAW_BUDGET ? tsr_yes_() : tsr_undecided_(tsr_no_reason());
    }
    tsr_reason const ra = tsr_canonical_(&x, wx, &a), rb = tsr_canonical_(&y, wy, &b);
    if (ra.status || rb.status)
        return tsr_undecided_(tsr_reason_or(ra, rb));
    for (int i = 0; i < x.n || i < y.n; ++i) {
        int64_t at = TSR_INT_MAX;
        if (i < x.n && i < y.n && x.stride[i].value == y.stride[i].value
            && (x.stride[i].aux == y.stride[i].aux || x.stride[i].value == 0)) {
            if (x.shape[i].value == y.shape[i].value)
                continue;
            at = wx[i] * tsr_min64(x.shape[i].value, y.shape[i].value);
        } else {
            at = i < x.n ? wx[i] : wy[i];
        }
        tsr_differ_at_(&a, &b, at, &no);
        return no;
    }
    return tsr_yes_();
}

/** The first offset from least to most that a layout does not reach. */
TSR_LOCAL tsr_verdict tsr_first_gap_(tsr_layout const *l, int64_t least, int64_t most)
{
    for (int64_t x = least, tried = 0; x <= most; ++x, ++tried) {
        tsr_search_ s = TSR_ZERO;
        int64_t c[TSR_MAX_LEAVES] = {0};
        tsr_tuple const inner = tsr_behind_swizzle_(l, tsr_int(x));
        tsr_status const why = tsr_locate_(&l->shape, &l->stride, tsr_tuple_number(inner), c, &s);
        if (why == TSR_NO_COORD)
            return tsr_no_(TSR_NOT_SURJECTIVE, 0, x, 0, 0);
        if (why != TSR_OK || tried >= TSR_LAW_BUDGET)
            return tsr_undecided_(tsr_no_reason());
    }
    return tsr_yes_();
}

/** The same of a swizzled layout. Its swizzle mixes reached offsets with others, so each offset is looked for. */
TSR_LOCAL tsr_verdict tsr_is_surjective_behind_(tsr_layout const *l)
{
    int64_t const size = tsr_layout_size(*l);
    int64_t least = tsr_layout_offset(l, 0), most = least;
    for (int64_t i = 0; i < size && i < TSR_LAW_BUDGET; ++i) {
        int64_t const x = tsr_layout_offset(l, i);
        least = x < least ? x : least;
        most = x > most ? x : most;
    }
    return size > TSR_LAW_BUDGET ? tsr_undecided_(tsr_no_reason()) : tsr_first_gap_(l, least, most);
}

/** The verdict on the layout behind the swizzle. */
TSR_LOCAL tsr_verdict tsr_is_surjective_inner_(tsr_layout const *whole)
{
    tsr_layout const l = tsr_layout_inner(*whole);
    tsr_row_ row = TSR_ZERO;
    int64_t weight[2 * TSR_MAX_LEAVES + 2] = {0};
    tsr_reason const why = tsr_canonical_(&row, weight, &l);
    if (why.status)
        return tsr_undecided_(why);
    for (int i = 0; i < row.n; ++i) {
        int pick[2 * TSR_MAX_LEAVES + 2] = {0};
        int64_t least = 0, reach = 0, term = 0;
        if (tsr_unit_seen_(&row, i))
            continue;
        int const n = tsr_same_unit_(&row, i, pick);
        for (int k = 0; k < n; ++k) {
            if (!tsr_mul64(row.shape[pick[k]].value - 1, row.stride[pick[k]].value, &term))
                return tsr_undecided_(tsr_no_reason());
            least += term < 0 ? term : 0;
        }
        for (int k = n - 1; k >= 0; --k) {
            int64_t const d = (int64_t)tsr_abs64(row.stride[pick[k]].value);
            if (d > reach + 1)
                return tsr_verdict_along_(tsr_no_(TSR_NOT_SURJECTIVE, 0, least + reach + 1, 0, 0), 1,
                                          row.stride[i].aux);
            reach += (row.shape[pick[k]].value - 1) * d;
        }
    }
    return tsr_yes_();
}

TSR_OP tsr_verdict tsr_is_surjective(tsr_layout l)
{
    int const width = l.swizzle.bits + l.swizzle.base + (l.swizzle.shift < 0 ? -l.swizzle.shift : l.swizzle.shift);
    tsr_verdict inner = tsr_is_surjective_inner_(&l);
    bool const plain = !l.twice && l.swizzle.bits == 0;
    if (l.composed && plain && inner.answer == TSR_NO)
        inner.why.number[0] += tsr_leaf_value(l.offset);
    if (l.shape.status || !l.composed || plain)
        return inner;
    bool const whole = !l.twice && tsr_leaf_value(l.offset) == 0 && tsr_negative_mode_(&l) < 0
                       && tsr_cosize(l) % ((int64_t)1 << width) == 0;
    return inner.answer == TSR_YES && whole ? inner : tsr_is_surjective_behind_(&l);
}

TSR_OP tsr_verdict tsr_is_compact(tsr_layout l)
{
    tsr_verdict const onto = tsr_is_surjective(l);
    return onto.answer == TSR_YES ? tsr_is_injective(l) : onto;
}

TSR_OP tsr_verdict tsr_is_bijective(tsr_layout l)
{
    for (int i = 0; !l.shape.status && !l.composed && i < l.shape.leaves; ++i)
        if (l.stride.leaf[i].value < 0 && l.shape.leaf[i].value > 1)
            return tsr_verdict_along_(tsr_no_(TSR_NOT_FROM_ZERO, i, l.stride.leaf[i].value, 0, 0), 1,
                                      l.stride.leaf[i].aux);
    tsr_verdict const compact = tsr_is_compact(l);
    if (compact.answer != TSR_YES || !l.composed)
        return compact;
    tsr_verdict const first = tsr_first_gap_(&l, 0, 0); /* an interval of this size is [0, size) by its ends */
    return first.answer == TSR_YES ? tsr_first_gap_(&l, tsr_layout_size(l) - 1, tsr_layout_size(l) - 1) : first;
}

TSR_OP tsr_verdict tsr_is_contiguous(tsr_layout l)
{
    tsr_row_ row = TSR_ZERO;
    int64_t weight[2 * TSR_MAX_LEAVES + 2] = {0};
    if (l.shape.status)
        return tsr_undecided_(tsr_tuple_why(l.shape));
    int64_t const start = tsr_layout_offset(&l, 0);
    if (l.twice || (l.composed && l.swizzle.bits != 0)) {
        int64_t const size = tsr_size_of(l, tsr_unit()).leaf[0].value;
        for (int64_t i = 0; i < size && i < TSR_LAW_BUDGET; ++i)
            if (tsr_layout_offset(&l, i) != start + i)
                return tsr_no_(TSR_NOT_CONTIGUOUS, 0, i, tsr_layout_offset(&l, i), start + i);
        return size <= TSR_LAW_BUDGET ? tsr_yes_() : tsr_undecided_(tsr_no_reason());
    }
    tsr_reason const why = tsr_canonical_(&row, weight, &l);
    if (why.status)
        return tsr_undecided_(why);
    if (row.n == 0 || (row.n == 1 && row.stride[0].value == 1 && row.stride[0].aux == 0))
        return tsr_yes_();
    int const k = row.stride[0].value == 1 && row.stride[0].aux == 0; /* the first mode that is not in order */
    return tsr_verdict_along_(
        tsr_no_(TSR_NOT_CONTIGUOUS, 0, weight[k], tsr_layout_offset(&l, weight[k]), start + weight[k]), 2,
        row.stride[k].aux);
}

TSR_OP tsr_verdict tsr_is_tractable(tsr_layout l)
{
    tsr_row_ row = TSR_ZERO;
    int64_t weight[2 * TSR_MAX_LEAVES + 2] = {0};
    tsr_reason const why = tsr_canonical_(&row, weight, &l);
    if (why.status)
        return tsr_undecided_(why);
    for (int i = 0; i < row.n; ++i) {
        int pick[2 * TSR_MAX_LEAVES + 2] = {0};
        if (tsr_unit_seen_(&row, i))
            continue;
        for (int k = tsr_same_unit_(&row, i, pick) - 1; k > 0; --k) {
            int64_t const d = row.stride[pick[k]].value, next = row.stride[pick[k - 1]].value;
            int64_t span = 0;
            if (d != 0 && (!tsr_mul64(d, row.shape[pick[k]].value, &span) || next % span != 0))
                return tsr_verdict_along_(tsr_no_(TSR_NOT_TRACTABLE, 0, row.shape[pick[k]].value, d, next), 6,
                                          row.stride[i].aux);
        }
    }
    return tsr_yes_();
}

/* Admissibility: is the operation defined? The reason and the counterexample are the operation's own. */

TSR_LOCAL tsr_verdict tsr_admissible_(tsr_layout result)
{
    if (!result.shape.status)
        return tsr_yes_();
    int const status = tsr_status_composing_(result.shape.status);
    bool const open = (status == TSR_COMPOSE_STRIDE || status == TSR_COMPOSE_CARRY) && !result.shape.law;
    if (open)
        return tsr_undecided_(tsr_tuple_why(result.shape));
    tsr_verdict r = TSR_ZERO;
    r.why = tsr_tuple_why(result.shape);
    return r;
}

TSR_OP tsr_verdict tsr_composition_admissible(tsr_layout a, tsr_tiler b)
{
    if (a.shape.status || b.by.shape.status)
        return tsr_undecided_(tsr_tuple_why(a.shape.status ? a.shape : b.by.shape));
    return tsr_admissible_(tsr_composition_by(a, b));
}

TSR_OP tsr_verdict tsr_complement_admissible(tsr_layout l, tsr_tuple cotarget)
{
    if (l.shape.status || cotarget.status)
        return tsr_undecided_(tsr_tuple_why(l.shape.status ? l.shape : cotarget));
    return tsr_admissible_(tsr_complement_in(l, cotarget));
}

TSR_OP tsr_verdict tsr_divide_admissible(tsr_layout l, tsr_tiler t)
{
    if (l.shape.status || t.by.shape.status)
        return tsr_undecided_(tsr_tuple_why(l.shape.status ? l.shape : t.by.shape));
    return tsr_admissible_(tsr_logical_divide_by(l, t));
}

TSR_OP tsr_tuple tsr_int32_extent(tsr_layout l)
{
    int64_t best = TSR_INT_MAX;
    tsr_tuple const size = tsr_product(l.shape), whole = tsr_layout_checked(tsr_layout_inner(l)).shape;
    if (size.status || whole.status)
        return size.status ? size : whole;
    for (int k = 0; k < 2 * l.shape.leaves; ++k) { /* along each unit values above the range, then below it */
        int64_t const sign = k % 2 == 0 ? 1 : -1;
        uint32_t const unit = l.stride.leaf[k / 2].aux;
        int64_t room = sign > 0 ? 2147483647 : 2147483648, at = 0, reach[TSR_MAX_LEAVES + 1] = {0};
        int64_t weight[TSR_MAX_LEAVES + 1] = {1};
        room -= l.composed ? sign * tsr_leaf_value(l.offset) : 0;
        for (int i = 0; i < l.shape.leaves; ++i) {
            int64_t const n = l.shape.leaf[i].kind == TSR_UNIT ? 1 : l.shape.leaf[i].value;
            int64_t const d = l.stride.leaf[i].aux == unit ? l.stride.leaf[i].value * sign : 0;
            reach[i + 1] = reach[i] + (d > 0 ? (n - 1) * d : 0);
            weight[i + 1] = weight[i] * n;
        }
        if (reach[l.shape.leaves] <= room)
            continue;
        for (int i = l.shape.leaves - 1; i >= 0;
             --i) { /* the least digit with which the lower ones can still exceed */
            int64_t const d = l.stride.leaf[i].aux == unit ? l.stride.leaf[i].value * sign : 0;
            int64_t const over = room - reach[i], digit = d > 0 && over >= 0 ? over / d + 1 : 0;
            at += digit * weight[i];
            room -= d > 0 ? digit * d : 0;
            if (room < 0)
                break;
        }
        best = tsr_min64(best, at);
    }
    return best == TSR_INT_MAX ? size : tsr_int(best);
}

TSR_HEADER_END

#endif
