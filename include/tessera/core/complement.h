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

/** The complement of a filtered layout, up to a cotarget that is an integer or a shape. */
TSR_FN tsr_layout tsr_complement_(tsr_layout filtered, tsr_tuple cotarget)
{
    tsr_row_ in = TSR_ZERO, out = TSR_ZERO;
    tsr_leaf covered = tsr_leaf_static(1);
    if (filtered.shape.status || cotarget.status)
        return filtered.shape.status ? filtered : tsr_invalid_(cotarget);
    tsr_row_of_(&in, &filtered);
    if (in.n == 1 && tsr_leaf_is(in.stride[0], 0))
        return tsr_make_layout_compact(tsr_tuple_coalesce(cotarget));
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
    tsr_layout const rest = tsr_plain_(tsr_tuple_coalesce(tsr_tuple_ceil_div(cotarget, tsr_from_leaf(covered))),
                                       tsr_unit());
    tsr_tuple const strides = tsr_compact_col_major_from(rest.shape, tsr_from_leaf(covered));
    if (strides.status)
        return tsr_invalid_(strides);
    for (int i = 0; i < rest.shape.leaves; ++i)
        if (rest.shape.leaf[i].kind != TSR_UNIT)
            tsr_row_push_(&out, rest.shape.leaf[i], strides.leaf[i]);
    tsr_row_coalesce_(&out, false);
    return tsr_checked_(tsr_row_layout_(&out));
}

/** The complement up to `cotarget`, an integer or a shape. */
TSR_FN tsr_layout tsr_complement_in(tsr_layout l, tsr_tuple cotarget)
{
    return tsr_complement_(tsr_filter(tsr_inner_(l)), cotarget);
}

/** The complement up to the size of another layout's domain. */
TSR_FN tsr_layout tsr_complement_in_layout(tsr_layout l, tsr_layout cotarget)
{
    return tsr_complement_in(l, cotarget.shape);
}

/** The complement up to the layout's own cosize. */
TSR_FN tsr_layout tsr_complement(tsr_layout l)
{
    tsr_layout const filtered = tsr_filter(tsr_inner_(l));
    return tsr_complement_(filtered, tsr_cosize_of(filtered, tsr_unit()));
}

#endif
