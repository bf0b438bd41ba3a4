/** Is a layout injective? Also the canonical form of its function, and what a verdict is.
 *
 *  Law  a plain layout is injective when no integers |z_i| < extent_i, not all 0, have sum z_i * stride_i = 0. Proved
 *       where, in ascending order, each stride exceeds the reach of the smaller ones; otherwise such integers are
 *       searched for, within bounds and divisors, in at most TSR_LAW_BUDGET steps. A swizzle does not matter.
 */
#ifndef TSR_CORE_INJECTIVE_H
#define TSR_CORE_INJECTIVE_H

#include "tessera/core/coalesce.h"
#include "tessera/core/eval.h"

typedef enum tsr_answer { TSR_NO, TSR_YES, TSR_UNDECIDED } tsr_answer;

/** `why` explains "no" and "undecided" (tsr_format_reason); an invalid layout is undecided, with its own reason. */
typedef struct tsr_verdict {
    tsr_answer answer;
    tsr_tuple why;
} tsr_verdict;

TSR_FN tsr_verdict tsr_yes_(void)
{
    tsr_verdict r = TSR_ZERO;
    r.answer = TSR_YES;
    r.why = tsr_s(1);
    return r;
}

TSR_FN tsr_verdict tsr_no_(tsr_status status, int mode, int64_t a, int64_t b, int64_t c)
{
    tsr_verdict r = TSR_ZERO;
    r.answer = TSR_NO;
    r.why = tsr_bad_tuple(status, mode, a, b, c);
    return r;
}

TSR_FN tsr_verdict tsr_undecided_(tsr_tuple why)
{
    tsr_verdict r = TSR_ZERO;
    r.answer = TSR_UNDECIDED;
    r.why = why.status ? why : tsr_bad_tuple(TSR_NOT_DECIDED, 0, TSR_LAW_BUDGET, 0, 0);
    return r;
}

/** The unique form of the function: no modes of extent 1, no two that are one, all by their numbers. weight[i] is
 *  the 1-D coordinate of the first step of mode i. False when size or offsets leave 64 bits. */
TSR_FN bool tsr_canonical_(tsr_row_ *row, int64_t *weight, tsr_layout const *l)
{
    int64_t w = 1;
    row->n = 0;
    if (tsr_checked_(tsr_plain_(l->shape, l->stride)).shape.status)
        return false;
    for (int i = 0; i < l->shape.leaves; ++i) {
        tsr_leaf const s = l->shape.leaf[i], d = l->stride.leaf[i];
        int64_t next = 0;
        if (s.kind == TSR_UNIT || s.value == 1)
            continue;
        tsr_leaf *const top = &row->stride[row->n > 0 ? row->n - 1 : 0];
        tsr_leaf *const extent = &row->shape[row->n > 0 ? row->n - 1 : 0];
        bool const same_unit = top->aux == d.aux || (top->value == 0 && d.value == 0);
        if (row->n > 0 && same_unit && tsr_mul64(extent->value, top->value, &next) && next == d.value) {
            extent->value *= s.value;
        } else {
            weight[row->n] = w;
            tsr_row_push_(row, s, d);
        }
        w *= s.value;
    }
    return true;
}

/* Injective: is there a nonzero combination of strides that vanishes? */

typedef struct tsr_search_ {
    int n, budget;
    int64_t extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES]; /* strides positive, descending */
    int64_t reach[TSR_MAX_LEAVES + 1];                      /* sum of (extent-1) * stride from here on */
    int64_t divisor[TSR_MAX_LEAVES + 1];
    int64_t z[TSR_MAX_LEAVES];
} tsr_search_;

/** Finds z[k..] with sum z * stride = target. */
TSR_FN bool tsr_vanishes_(tsr_search_ *s, int k, int64_t target)
{
    if (k == s->n)
        return target == 0;
    if (--s->budget < 0 || target % s->divisor[k] != 0 || target > s->reach[k] || target < -s->reach[k])
        return false;
    int64_t const d = s->stride[k], slack = s->reach[k + 1], most = s->extent[k] - 1;
    int64_t const low = target - slack, high = target + slack;
    int64_t const from = tsr_max64(-most, low > 0 ? (low + d - 1) / d : low / d);
    int64_t const to = tsr_min64(most, high < 0 ? (high - d + 1) / d : high / d);
    for (int64_t z = from; z <= to && s->budget >= 0; ++z) {
        s->z[k] = z;
        if (tsr_vanishes_(s, k + 1, target - z * d))
            return true;
    }
    s->z[k] = 0;
    return false;
}

/** The modes of one unit by descending stride; false when the reach leaves 62 bits. */
TSR_FN bool tsr_search_open_(tsr_search_ *s, tsr_row_ const *row, int const *pick, int picked)
{
    s->n = picked;
    s->budget = TSR_LAW_BUDGET;
    for (int i = 0; i < picked; ++i) {
        s->extent[i] = row->shape[pick[i]].value;
        s->stride[i] = (int64_t)tsr_abs64(row->stride[pick[i]].value);
    }
    s->reach[picked] = 0;
    s->divisor[picked] = 0;
    for (int i = picked - 1; i >= 0; --i) {
        int64_t term = 0;
        if (!tsr_mul64(s->extent[i] - 1, s->stride[i], &term) || !tsr_add64(term, s->reach[i + 1], &s->reach[i])
            || s->reach[i] > TSR_INT_MAX / 4)
            return false;
        s->divisor[i] = tsr_gcd64(s->stride[i], s->divisor[i + 1]);
    }
    return true;
}

/** The modes of the unit of mode `first`, by descending absolute stride. */
TSR_FN int tsr_same_unit_(tsr_row_ const *row, int first, int *pick)
{
    int n = 0;
    for (int i = first; i < row->n; ++i) {
        if (row->stride[i].aux != row->stride[first].aux)
            continue;
        int at = n++;
        for (; at > 0 && tsr_abs64(row->stride[pick[at - 1]].value) < tsr_abs64(row->stride[i].value); --at)
            pick[at] = pick[at - 1];
        pick[at] = i;
    }
    return n;
}

TSR_FN bool tsr_unit_seen_(tsr_row_ const *row, int i)
{
    for (int k = 0; k < i; ++k)
        if (row->stride[k].aux == row->stride[i].aux)
            return true;
    return false;
}

/** Do different coordinates have different offsets? A swizzle does not matter. Counterexample: two 1-D coordinates.
 *  Example  tsr_is_injective(tsr_make_layout(tsr_t(4, 2), tsr_t(1, 2))).answer == TSR_NO  is  1
 *  Example  is_injective((4,2):(1,2))  =  no: the coordinates 2 and 4 both give 2 */
TSR_FN tsr_verdict tsr_is_injective(tsr_layout l)
{
    tsr_row_ row = TSR_ZERO;
    int64_t weight[2 * TSR_MAX_LEAVES + 2] = {0};
    if (l.shape.status)
        return tsr_undecided_(l.shape);
    if (!tsr_canonical_(&row, weight, &l))
        return tsr_undecided_(tsr_checked_(tsr_inner_(l)).shape);
    for (int i = 0; i < row.n; ++i)
        if (row.stride[i].value == 0)
            return tsr_no_(TSR_NOT_INJECTIVE, 0, 0, weight[i], tsr_offset_at_(&l, 0));
    for (int i = 0; i < row.n; ++i) {
        tsr_search_ s = TSR_ZERO;
        int pick[2 * TSR_MAX_LEAVES + 2] = {0};
        bool sorted = true;
        if (tsr_unit_seen_(&row, i))
            continue;
        int const n = tsr_same_unit_(&row, i, pick);
        if (!tsr_search_open_(&s, &row, pick, n))
            return tsr_undecided_(tsr_s(0));
        for (int k = 0; k < n; ++k)
            sorted = sorted && s.stride[k] > s.reach[k + 1];
        for (int k = 0; k < n && !sorted; ++k) { /* z_k > 0 is the first that is not 0 */
            for (int64_t z = 1; z < s.extent[k] && z * s.stride[k] <= s.reach[k + 1]; ++z) {
                if (tsr_vanishes_(&s, k + 1, -z * s.stride[k])) {
                    int64_t a = 0, b = 0;
                    s.z[k] = z;
                    for (int m = k; m < n; ++m) {
                        int64_t const at = row.stride[pick[m]].value < 0 ? -s.z[m] : s.z[m];
                        a += at > 0 ? at * weight[pick[m]] : 0;
                        b += at < 0 ? -at * weight[pick[m]] : 0;
                    }
                    return tsr_no_(TSR_NOT_INJECTIVE, 0, tsr_min64(a, b), tsr_max64(a, b), tsr_offset_at_(&l, a));
                }
                if (s.budget < 0)
                    return tsr_undecided_(tsr_s(0));
            }
        }
    }
    return tsr_yes_();
}

#endif
