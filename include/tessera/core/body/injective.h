/** The bodies of core/injective.h. */
#ifndef TSR_CORE_BODY_INJECTIVE_H
#define TSR_CORE_BODY_INJECTIVE_H

#include "tessera/core/injective.h"
#include "tessera/core/body/coalesce.h"
#include "tessera/core/body/layout.h"
#include "tessera/core/body/search.h"

TSR_HEADER_BEGIN

TSR_INTERNAL tsr_verdict tsr_yes_(void)
{
    tsr_verdict r = TSR_ZERO;
    r.answer = TSR_YES;
    return r;
}

TSR_INTERNAL tsr_verdict tsr_no_(tsr_status status, int mode, int64_t a, int64_t b, int64_t c)
{
    tsr_verdict r = TSR_ZERO;
    r.answer = TSR_NO;
    r.why = tsr_because(status, mode, a, b, c);
    return r;
}

/** The verdict, the numbers under the mask `along` of its sentence along a unit. */
TSR_LOCAL tsr_verdict tsr_verdict_along_(tsr_verdict v, unsigned along, uint32_t unit)
{
    v.why = tsr_reason_along_(v.why, along, unit);
    return v;
}

TSR_INTERNAL tsr_verdict tsr_undecided_(tsr_reason why)
{
    tsr_verdict r = TSR_ZERO;
    r.answer = TSR_UNDECIDED;
    r.why = why.status ? why : tsr_because(TSR_NOT_DECIDED, 0, TSR_LAW_BUDGET, 0, 0);
    return r;
}

/** The unique form of the function, by its numbers: no modes of extent 1, and no two modes that one mode could
 *  replace. weight[i] is the 1-D coordinate of the first step of mode i. An invalid layout is refused, and sizes or
 *  offsets beyond 64 bits. */
TSR_LOCAL tsr_reason tsr_canonical_(tsr_row_ *row, int64_t *weight, tsr_layout const *l)
{
    int64_t w = 1;
    row->n = 0;
    if (l->shape.status)
        return tsr_tuple_why(l->shape);
    tsr_status fault = TSR_OK;
    if (tsr_first_fault_(l, &fault) >= 0)
        return tsr_tuple_why(tsr_layout_checked(tsr_layout_unchecked(l->shape, l->stride)).shape);
    for (int i = 0; i < l->shape.leaves; ++i) {
        tsr_leaf const s = l->shape.leaf[i], d = l->stride.leaf[i];
        int64_t next = 0;
        if (s.kind == TSR_UNIT || s.value == 1)
            continue;
        tsr_leaf *const top = &row->stride[row->n > 0 ? row->n - 1 : 0];
        tsr_leaf *const extent = &row->shape[row->n > 0 ? row->n - 1 : 0];
        bool const same_unit = row->n > 0 && (top->aux == d.aux || (top->value == 0 && d.value == 0));
        if (same_unit && tsr_mul64(extent->value, top->value, &next) && next == d.value) {
            extent->value *= s.value;
        } else {
            weight[row->n] = w;
            tsr_row_push_(row, s, d);
        }
        w *= s.value;
    }
    return tsr_no_reason();
}

/* Injective: is there a nonzero combination of strides that vanishes? */

/** The modes of the unit of mode `first`, by descending absolute stride. */
TSR_LOCAL int tsr_same_unit_(tsr_row_ const *row, int first, int *pick)
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

TSR_LOCAL bool tsr_unit_seen_(tsr_row_ const *row, int i)
{
    for (int k = 0; k < i; ++k)
        if (row->stride[k].aux == row->stride[i].aux)
            return true;
    return false;
}

/** Is each stride longer than all shorter modes reach? Then no sum of them is 0. The offsets of a layout fit into 64
 *  bits, and so do these. */
TSR_LOCAL bool tsr_steps_over_(tsr_row_ const *row, int const *pick, int n)
{
    uint64_t reach = 0;
    for (int k = n - 1; k >= 0; --k) {
        uint64_t const step = tsr_abs64(row->stride[pick[k]].value);
        if (step <= reach)
            return false;
        reach += step * (uint64_t)(row->shape[pick[k]].value - 1);
    }
    return true;
}

TSR_OP tsr_verdict tsr_is_injective(tsr_layout l)
{
    tsr_row_ row TSR_SCRATCH;
    int64_t weight[2 * TSR_MAX_LEAVES + 2] TSR_SCRATCH;
    tsr_reason const why = tsr_canonical_(&row, weight, &l);
    if (why.status)
        return tsr_undecided_(why);
    for (int i = 0; i < row.n; ++i)
        if (row.stride[i].value == 0)
            return tsr_no_(TSR_NOT_INJECTIVE, 0, 0, weight[i], tsr_layout_offset(&l, 0));
    for (int i = 0; i < row.n; ++i) {
        tsr_search_ s = TSR_ZERO;
        int pick[2 * TSR_MAX_LEAVES + 2] TSR_SCRATCH;
        if (tsr_unit_seen_(&row, i))
            continue;
        int const n = tsr_same_unit_(&row, i, pick);
        if (tsr_steps_over_(&row, pick, n))
            continue;
        for (int k = 0; k < n; ++k) {
            int64_t const most = row.shape[pick[k]].value - 1;
            tsr_search_push_(&s, row.stride[pick[k]].value, -most, most);
        }
        if (!tsr_search_open_(&s))
            return tsr_undecided_(tsr_no_reason());
        for (int k = 0; k < n; ++k) { /* z_k > 0 is the first that is not 0 */
            for (int64_t z = 1; z <= s.most[k] && z * s.stride[k] <= s.high[k + 1]; ++z) {
                if (tsr_search_finds_(&s, k + 1, -z * s.stride[k])) {
                    int64_t a = 0, b = 0;
                    s.z[k] = z;
                    for (int m = k; m < n; ++m) {
                        int64_t const at = s.z[m] * (row.stride[pick[m]].value < 0 ? -1 : 1);
                        a += at > 0 ? at * weight[pick[m]] : 0;
                        b += at < 0 ? -at * weight[pick[m]] : 0;
                    }
                    return tsr_verdict_along_(
                        tsr_no_(TSR_NOT_INJECTIVE, 0, tsr_min64(a, b), tsr_max64(a, b), tsr_layout_offset(&l, a)), 4,
                        row.stride[i].aux);
                }
                if (s.budget < 0)
                    return tsr_undecided_(tsr_no_reason());
            }
        }
    }
    return tsr_yes_();
}

TSR_HEADER_END

#endif
