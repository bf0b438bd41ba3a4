/** The bodies of core/complement.h. */
#ifndef TSR_CORE_BODY_COMPLEMENT_H
#define TSR_CORE_BODY_COMPLEMENT_H

#include "tessera/core/complement.h"
#include "tessera/core/body/compose.h"

TSR_HEADER_BEGIN

/** cosize of a layout without basis strides. */
TSR_LOCAL tsr_leaf tsr_cosize_leaf_(tsr_layout const *l)
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

/** One level of parentheses at most, and no (). */
TSR_LOCAL bool tsr_is_flat_(tsr_tuple const *t)
{
    for (int i = 0; i < t->leaves; ++i)
        if (t->leaf[i].kind == TSR_UNIT || t->leaf[i].open > (i == 0) || (i > 0 && t->leaf[0].open == 0)
            || t->leaf[i].close > (i + 1 == t->leaves))
            return false;
    return true;
}

/** Pushes the rest of a cotarget beyond `covered`: its ceil_div, with compact strides from `covered` on. Neighbours
 *  that are both static or both dynamic are multiplied. Gives a bad leaf when a number does not exist. */
TSR_LOCAL tsr_leaf tsr_push_rest_(tsr_row_ *out, tsr_tuple const *cotarget, tsr_leaf covered)
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
TSR_LOCAL tsr_leaf tsr_push_nested_rest_(tsr_row_ *out, tsr_tuple cotarget, tsr_leaf covered)
{
    tsr_tuple const start = tsr_from_leaf(covered);
    tsr_tuple const rest = tsr_tuple_coalesce(tsr_tuple_ceil_div(cotarget, start));
    tsr_tuple const strides = tsr_compact_col_major_after(rest, start);
    if (strides.status)
        return tsr_leaf_bad((tsr_status)strides.status, strides.leaf[0].value);
    for (int i = 0; i < rest.leaves; ++i)
        if (rest.leaf[i].kind != TSR_UNIT)
            tsr_row_push_(out, rest.leaf[i], strides.leaf[i]);
    return covered;
}

/** Pushes the rest of a cotarget, in at least `room` copies: in parts as CuTe splits them, or undivided where the
 *  parts of a shape would not reach it. The gaps hold `held` copies already. */
TSR_LOCAL tsr_leaf tsr_push_copies_(tsr_row_ *out, tsr_tuple const *cotarget, tsr_leaf covered, int64_t held,
                                    int64_t room)
{
    int const first = out->n;
    tsr_leaf const size = tsr_product_leaf_(cotarget),
                   copies = tsr_leaf_ceil_div(tsr_leaf_static(room), tsr_leaf_static(held));
    tsr_leaf fault = tsr_is_flat_(cotarget) ? tsr_push_rest_(out, cotarget, covered)
                                            : tsr_push_nested_rest_(out, *cotarget, covered);
    int64_t count = 1, reach = 0;
    for (int i = first; i < out->n && fault.kind != TSR_BAD; ++i)
        if (!tsr_mul64(count, out->shape[i].value, &count))
            fault = tsr_leaf_bad(TSR_OVERFLOW, out->shape[i].value);
    if (fault.kind == TSR_BAD || size.kind == TSR_BAD)
        return size.kind == TSR_BAD ? size : fault;
    bool const reaches = !tsr_mul64(count, covered.value, &reach) || reach >= size.value;
    if (reaches && count >= copies.value)
        return covered;
    tsr_leaf const whole = tsr_leaf_ceil_div(size, covered);
    out->n = first;
    tsr_row_push_(out, whole.value >= copies.value ? whole : tsr_leaf_join_(copies, covered, copies.value), covered);
    return whole;
}

/** The complement of a filtered row whose strides can be sorted, as CuTe has it, into r, which has no modes. The row is
 *  used up. */
TSR_LOCAL void tsr_complement_sorted_(tsr_layout *r, tsr_row_ *in, tsr_tuple const *cotarget, int64_t room)
{
    tsr_row_ out TSR_SCRATCH;
    out.n = 0;
    tsr_leaf covered = tsr_leaf_static(1);
    int64_t held = 1;
    if (in->n == 1 && tsr_leaf_is(in->stride[0], 0)) {
        *r = tsr_make_layout_compact(tsr_tuple_coalesce(*cotarget));
        return;
    }
    for (int left = in->n; left > 0; --left) {
        int least = 0;
        for (int i = 0; i < left; ++i) {
            if (!tsr_leaf_is_int(in->stride[i])) {
                *r = tsr_bad_layout(TSR_BASIS, i, (int64_t)(in->stride[i].aux & 31u) - 1, 0, 0);
                return;
            }
            least = in->stride[i].value < in->stride[least].value ? i : least;
        }
        tsr_leaf const shape = in->shape[least], stride = in->stride[least], gap = tsr_leaf_div(stride, covered);
        if (stride.value < 0 || gap.kind == TSR_BAD || gap.value < 1) {
            bool const sign = stride.value < 0;
            *r = tsr_bad_layout(sign ? TSR_COMPLEMENT_SIGN : TSR_COMPLEMENT_OVERLAP, least, stride.value,
                                sign ? 0 : covered.value, 0);
            return;
        }
        tsr_row_push_(&out, gap, covered);
        held *= gap.value; /* less than the stride */
        covered = tsr_leaf_mul(stride, shape);
        for (int i = least; i + 1 < left; ++i) {
            in->shape[i] = in->shape[i + 1];
            in->stride[i] = in->stride[i + 1];
        }
    }
    tsr_leaf const fault = tsr_push_copies_(&out, cotarget, covered, held, room);
    if (fault.kind == TSR_BAD) {
        *r = tsr_invalid_layout(tsr_from_leaf(fault));
        return;
    }
    tsr_row_coalesce_(&out, false);
    tsr_put_row_(r, &out);
    tsr_check_(r);
}

/** Makes a refusal name the mode of l that has its stride: a row has lost modes and joined others. */
TSR_LOCAL void tsr_refuse_mode_of_(tsr_layout *r, tsr_layout const *l)
{
    int const status = r->shape.status;
    if (status != TSR_COMPLEMENT_SIGN && status != TSR_COMPLEMENT_OVERLAP && status != TSR_INVERSE_SIGN)
        return;
    for (int i = 0; i < l->shape.leaves; ++i) {
        bool const steps = l->shape.leaf[i].kind != TSR_UNIT && l->shape.leaf[i].value > 1;
        if (steps && tsr_leaf_is_int(l->stride.leaf[i]) && l->stride.leaf[i].value == r->shape.leaf[0].value)
            r->shape.mode = (uint8_t)i;
    }
}

/** Every number dynamic, but strides 0: for modes that depend on numbers that code does not know. */
TSR_LOCAL void tsr_all_dynamic_(tsr_layout *l)
{
    for (int i = 0; i < l->shape.leaves; ++i) {
        if (l->shape.leaf[i].kind == TSR_STATIC) {
            l->shape.leaf[i].kind = TSR_DYNAMIC;
            l->stride.leaf[i].kind = l->stride.leaf[i].value == 0 ? TSR_STATIC : TSR_DYNAMIC;
        }
    }
}

/** Is the order of the strides known when code is generated? That of one mode is. */
TSR_LOCAL bool tsr_sorts_statically_(tsr_row_ const *row)
{
    bool known = true;
    for (int i = 0; i < row->n; ++i)
        known = known && tsr_leaf_is_static(row->stride[i]);
    return known || row->n == 1;
}

/** Makes every number static. Modes of stride 0 then shrink to extent 1, and extents 1 do not overlap. */
TSR_LOCAL void tsr_row_know_all_(tsr_row_ *row)
{
    for (int i = 0; i < row->n; ++i) {
        if (row->shape[i].kind == TSR_DYNAMIC)
            row->shape[i].kind = TSR_STATIC;
        if (row->stride[i].kind == TSR_DYNAMIC)
            row->stride[i].kind = TSR_STATIC;
    }
    tsr_row_filter_(row);
}

/** The complement of the plain part of l, which holds `room` copies of it at least, into r, which has no modes. */
TSR_LOCAL void tsr_put_complement_(tsr_layout *r, tsr_layout const *l, tsr_tuple const *cotarget, int64_t room)
{
    tsr_row_ row TSR_SCRATCH;
    if (l->shape.status) {
        *r = *l;
        return;
    }
    tsr_row_of_(&row, l);
    tsr_row_filter_(&row);
    tsr_leaf const fault = tsr_row_fault_(&row);
    if (fault.kind == TSR_BAD || cotarget->status) {
        *r = tsr_invalid_layout(fault.kind == TSR_BAD ? tsr_from_leaf(fault) : *cotarget);
        return;
    }
    if (tsr_sorts_statically_(&row)) {
        bool const several = row.n > 1;
        tsr_complement_sorted_(r, &row, cotarget, room);
        /* An extent may be 1, whose stride is not stepped along. */
        bool const again =
            r->shape.status == TSR_COMPLEMENT_SIGN || (several && r->shape.status == TSR_COMPLEMENT_OVERLAP);
        if (!again || tsr_all_static_(l)) {
            tsr_refuse_mode_of_(r, l);
            return;
        }
        tsr_layout const none = TSR_ZERO;
        *r = none;
        tsr_row_of_(&row, l);
        tsr_row_filter_(&row);
    }
    tsr_row_know_all_(&row);
    tsr_tuple const size = tsr_static_tuple(*cotarget);
    tsr_complement_sorted_(r, &row, &size, room);
    tsr_refuse_mode_of_(r, l);
    tsr_all_dynamic_(r);
}

TSR_OP tsr_layout tsr_complement_in(tsr_layout l, tsr_tuple cotarget)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_put_complement_(&r, &l, &cotarget, 1);
    return r;
}

TSR_OP tsr_layout tsr_complement_in_layout(tsr_layout l, tsr_layout cotarget)
{
    tsr_layout r TSR_SCRATCH;
    tsr_begin_(&r);
    tsr_put_complement_(&r, &l, &cotarget.shape, 1);
    return r;
}

TSR_OP tsr_layout tsr_complement(tsr_layout l)
{
    tsr_layout filtered = TSR_ZERO;
    tsr_put_filtered_(&filtered, &l);
    tsr_layout r = tsr_complement_in(filtered, tsr_cosize_of(filtered, tsr_unit()));
    tsr_refuse_mode_of_(&r, &l);
    return r;
}

TSR_HEADER_END

#endif
