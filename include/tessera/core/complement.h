/** complement: the layout of what a layout misses.
 *
 *  Law        R is ordered (its offsets grow), its offsets other than 0 are no offsets of L, and L together with R
 *             reaches the cotarget: cosize((L,R)) >= size(cotarget).
 *  Condition  L is injective after its stride-0 modes are dropped: no stride, in ascending order, is less than the
 *             span of the modes before it. Checked on the numbers. With several modes the strides must be static,
 *             for the order of dynamic strides is unknown when code is generated.
 *  Example    complement(_4:_2, _24)  =  (_2,_3):(_1,_8)
 *  Source     CuTe, include/cute/layout.hpp, detail::complement.
 */
#ifndef TSR_CORE_COMPLEMENT_H
#define TSR_CORE_COMPLEMENT_H

#include "tessera/core/composition.h"

/** cosize of a layout without basis strides. */
TSR_FN tsr_leaf tsr_cosize_leaf_(tsr_layout const *l)
{
    tsr_leaf r = tsr_leaf_static(0);
    for (int i = 0; i < l->shape.leaves; ++i) {
        if (l->shape.leaf[i].kind == TSR_UNIT)
            continue;
        tsr_leaf const last = tsr_leaf_sub(l->shape.leaf[i], tsr_leaf_static(1));
        r = tsr_leaf_add(r, tsr_leaf_mul(last, tsr_leaf_abs(l->stride.leaf[i])));
    }
    return tsr_leaf_add(r, tsr_leaf_static(1));
}

/** The complement r of l, or why it is none: the last offset that both reach together must not lie below the cotarget.
 *  It does where a gap is no multiple of what is covered, or where a shape does not split. */
TSR_FN tsr_layout tsr_reaching_(tsr_layout const *r, tsr_layout const *l, tsr_leaf cotarget)
{
    if (r->shape.status)
        return *r;
    tsr_leaf const mine = tsr_cosize_leaf_(r), theirs = tsr_cosize_leaf_(l);
    tsr_leaf const fault = mine.kind == TSR_BAD ? mine : theirs.kind == TSR_BAD ? theirs : cotarget;
    if (fault.kind == TSR_BAD)
        return tsr_invalid_(tsr_from_leaf(fault));
    int64_t sum = 0;
    int64_t const reach = tsr_add64(mine.value - 1, theirs.value, &sum) ? sum : TSR_INT_MAX;
    return reach >= cotarget.value ? *r : tsr_bad_layout(TSR_COMPLEMENT_REACH, 0, reach, cotarget.value, 0);
}

/** One level of parentheses at most, and no (). */
TSR_FN bool tsr_is_flat_(tsr_tuple const *t)
{
    for (int i = 0; i < t->leaves; ++i)
        if (t->leaf[i].kind == TSR_UNIT || t->leaf[i].open > (i == 0) || (i > 0 && t->leaf[0].open == 0)
            || t->leaf[i].close > (i + 1 == t->leaves))
            return false;
    return true;
}

/** Pushes what is left of a cotarget beyond `covered`: its ceil_div, neighbours multiplied that are both static or
 *  both dynamic, with compact strides from `covered` on. Gives a bad leaf when a number does not exist. */
TSR_FN tsr_leaf tsr_push_rest_(tsr_row_ *out, tsr_tuple const *cotarget, tsr_leaf covered)
{
    tsr_leaf used = covered, stride = covered, mode = covered;
    for (int i = 0; i < cotarget->leaves && used.kind != TSR_BAD && mode.kind != TSR_BAD; ++i) {
        tsr_leaf const rest = tsr_leaf_ceil_div(cotarget->leaf[i], used);
        bool const last = i + 1 == cotarget->leaves;
        if (i > 0 && tsr_leaf_is_static(mode) == tsr_leaf_is_static(rest)) {
            mode = tsr_leaf_mul(mode, rest);
        } else {
            if (i > 0) {
                tsr_row_push_(out, mode, tsr_leaf_is(mode, 1) ? tsr_leaf_static(0) : stride);
                stride = tsr_leaf_mul(stride, mode);
            }
            mode = rest;
        }
        if (stride.kind == TSR_BAD)
            return stride;
        used = last ? used : tsr_leaf_ceil_div(used, cotarget->leaf[i]);
    }
    if (used.kind == TSR_BAD || mode.kind == TSR_BAD)
        return used.kind == TSR_BAD ? used : mode;
    tsr_row_push_(out, mode, tsr_leaf_is(mode, 1) ? tsr_leaf_static(0) : stride);
    return mode;
}

/** The same for a cotarget of any depth. */
TSR_FN tsr_leaf tsr_push_nested_rest_(tsr_row_ *out, tsr_tuple cotarget, tsr_leaf covered)
{
    tsr_tuple const start = tsr_from_leaf(covered);
    tsr_tuple const rest = tsr_tuple_coalesce(tsr_tuple_ceil_div(cotarget, start));
    tsr_tuple const strides = tsr_compact_col_major_from(rest, start);
    if (strides.status)
        return tsr_leaf_bad((tsr_status)strides.status, strides.leaf[0].value);
    for (int i = 0; i < rest.leaves; ++i)
        if (rest.leaf[i].kind != TSR_UNIT)
            tsr_row_push_(out, rest.leaf[i], strides.leaf[i]);
    return covered;
}

/** The complement of a filtered layout, up to a cotarget that is an integer or a shape. */
TSR_FN tsr_layout tsr_complement_(tsr_layout const *filtered, tsr_tuple const *cotarget)
{
    tsr_row_ in TSR_SCRATCH, out TSR_SCRATCH;
    out.n = 0;
    tsr_leaf covered = tsr_leaf_static(1);
    if (filtered->shape.status || cotarget->status)
        return filtered->shape.status ? *filtered : tsr_invalid_(*cotarget);
    tsr_row_of_(&in, filtered);
    if (in.n == 1 && tsr_leaf_is(in.stride[0], 0))
        return tsr_make_layout_compact(tsr_tuple_coalesce(*cotarget));
    for (int left = in.n; left > 0; --left) {
        int least = 0;
        for (int i = 0; i < left; ++i) {
            if (in.n > 1 && !tsr_leaf_is_static(in.stride[i]))
                return tsr_bad_layout(TSR_COMPLEMENT_DYNAMIC, i, in.n, 0, 0);
            if (!tsr_leaf_is_int(in.stride[i]))
                return tsr_bad_layout(TSR_BASIS, i, (int64_t)(in.stride[i].aux & 31u) - 1, 0, 0);
            least = in.stride[i].value < in.stride[least].value ? i : least;
        }
        tsr_leaf const shape = in.shape[least], stride = in.stride[least], gap = tsr_leaf_div(stride, covered);
        if (gap.kind == TSR_BAD || gap.value < 1)
            return tsr_bad_layout(TSR_COMPLEMENT_OVERLAP, least, stride.value, covered.value, 0);
        tsr_row_push_(&out, gap, covered);
        covered = tsr_leaf_mul(stride, shape);
        for (int i = least; i + 1 < left; ++i) {
            in.shape[i] = in.shape[i + 1];
            in.stride[i] = in.stride[i + 1];
        }
    }
    tsr_leaf const fault = tsr_is_flat_(cotarget) ? tsr_push_rest_(&out, cotarget, covered)
                                                  : tsr_push_nested_rest_(&out, *cotarget, covered);
    if (fault.kind == TSR_BAD)
        return tsr_invalid_(tsr_from_leaf(fault));
    tsr_row_coalesce_(&out, false);
    tsr_layout r = tsr_row_layout_(&out);
    tsr_check_(&r);
    return tsr_reaching_(&r, filtered, tsr_product_leaf_(cotarget));
}

TSR_FN tsr_layout tsr_complement_upto_(tsr_layout const *l, tsr_tuple const *cotarget)
{
    tsr_layout const filtered = tsr_filter_inner_(l);
    return tsr_complement_(&filtered, cotarget);
}

/** The complement up to `cotarget`, an integer or a shape. */
TSR_FN tsr_layout tsr_complement_in(tsr_layout l, tsr_tuple cotarget)
{
    return tsr_complement_upto_(&l, &cotarget);
}

/** The complement up to the size of another layout's domain. */
TSR_FN tsr_layout tsr_complement_in_layout(tsr_layout l, tsr_layout cotarget)
{
    return tsr_complement_upto_(&l, &cotarget.shape);
}

/** The complement up to the layout's own cosize. */
TSR_FN tsr_layout tsr_complement(tsr_layout l)
{
    tsr_layout const filtered = tsr_filter_inner_(&l);
    tsr_tuple const cosize = tsr_cosize_of(filtered, tsr_unit());
    return tsr_complement_(&filtered, &cosize);
}

#endif
