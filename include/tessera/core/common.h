/** The contiguous elements that two layouts have in common: what can be copied from one to the other at once.
 *
 *  Law     max_common_layout(a, b) = R with a(R(i)) = i and b(R(i)) = i for every i < size(R); max_common_vector is the
 *          size of such an R. Only static modes count; a swizzle keeps runs of 2^M together, and two equal ones
 *          those that they permute.
 *  Source  CuTe, include/cute/layout.hpp and swizzle_layout.hpp.
 */
#ifndef TSR_CORE_COMMON_H
#define TSR_CORE_COMMON_H

#include "tessera/core/inverse.h"

/** a o R and R itself, for a right inverse R of b; where a is not composed with all of R, with as many of its leading
 *  modes as it is. */
typedef struct tsr_common_ {
    tsr_layout seen, inverse;
} tsr_common_;

TSR_FN tsr_common_ tsr_common_of_(tsr_layout a, tsr_layout b)
{
    tsr_common_ r = {tsr_pad_(), tsr_right_inverse(b)};
    tsr_row_ row TSR_SCRATCH;
    if (r.inverse.shape.status) {
        r.seen = r.inverse;
        return r;
    }
    tsr_row_of_(&row, &r.inverse);
    for (; row.n > 0; --row.n) {
        r.inverse = tsr_row_layout_(&row);
        r.seen = tsr_layout_coalesce(tsr_composition_layout_(a, r.inverse));
        if (!r.seen.shape.status)
            return r;
    }
    r.seen = r.inverse = tsr_pad_();
    return r;
}

/** Does a flat layout begin with a static run of stride _1? */
TSR_FN bool tsr_begins_contiguous_(tsr_layout const *l)
{
    return tsr_leaf_is_static(l->shape.leaf[0]) && tsr_leaf_is(l->stride.leaf[0], 1);
}

/** Why a layout has no element 0 at offset 0, or that swizzles stand twice in front of it. */
TSR_FN tsr_tuple tsr_common_fault_(tsr_layout const *l)
{
    if (l->shape.status)
        return l->shape;
    if (l->twice)
        return tsr_bad_tuple(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
    if (l->composed && tsr_leaf_value(l->offset) != 0)
        return tsr_bad_tuple(TSR_SWIZZLE_OFFSET, 0, tsr_leaf_value(l->offset), 0, 0);
    return tsr_s(1);
}

/** How many of the first n offsets the swizzles leave where they are; of equal swizzles, how many they permute. */
TSR_FN int64_t tsr_run_behind_(tsr_layout const *a, tsr_layout const *b, int64_t n)
{
    int64_t run = n, x = 0;
    if (a->composed && b->composed && tsr_swizzle_same_(a->swizzle, b->swizzle)) {
        while (x < n && x < TSR_LAW_BUDGET && tsr_swizzle_apply(a->swizzle, (uint64_t)x) < (uint64_t)n)
            ++x;
        if (x == n)
            return n;
    }
    run = a->composed ? tsr_min64(run, (int64_t)1 << a->swizzle.base) : run;
    return b->composed ? tsr_min64(run, (int64_t)1 << b->swizzle.base) : run;
}

/** The first `run` elements of R; behind swizzles that permute them, in the order that they give. */
TSR_FN tsr_layout tsr_common_cut_(tsr_layout const *a, tsr_layout r, int64_t run)
{
    int64_t const size = tsr_layout_size(r);
    if (run < size)
        return tsr_compose_by_(r, tsr_tiler_of_tuple(tsr_s(run)));
    return a->composed && run > (int64_t)1 << a->swizzle.base ? tsr_composition_swizzle(r, a->swizzle) : r;
}

/** Errors: SWIZZLE_OFFSET, SWIZZLE_TWICE, those of right_inverse. */
TSR_FN tsr_layout tsr_max_common_layout(tsr_layout a, tsr_layout b)
{
    tsr_tuple const fa = tsr_common_fault_(&a), fb = tsr_common_fault_(&b);
    if (a.shape.status || b.shape.status)
        return a.shape.status ? a : b;
    if (fa.status || fb.status)
        return tsr_invalid_layout(fa.status ? fa : fb);
    tsr_common_ const common = tsr_common_of_(tsr_layout_inner(a), tsr_layout_inner(b));
    if (common.seen.shape.status || !tsr_begins_contiguous_(&common.seen))
        return common.seen.shape.status ? common.seen : tsr_pad_();
    tsr_layout const r = tsr_composition_layout_(common.inverse, tsr_mode(common.seen, 0));
    if (r.shape.status)
        return r;
    tsr_layout const most = tsr_common_cut_(&a, r, tsr_run_behind_(&a, &b, tsr_layout_size(r)));
    if (most.shape.status == TSR_OK)
        return most;
    int64_t const kept = a.composed ? (int64_t)1 << a.swizzle.base : 1; /* the swizzle does not come to the front of R */
    tsr_layout const least = tsr_compose_by_(r, tsr_tiler_of_tuple(tsr_s(kept)));
    return least.shape.status ? tsr_pad_() : least;
}

/** The number of such elements, static. */
TSR_FN tsr_tuple tsr_max_common_vector(tsr_layout a, tsr_layout b)
{
    tsr_layout const r = tsr_max_common_layout(a, b);
    return r.shape.status ? r.shape : tsr_s(tsr_layout_size(r));
}

#endif
