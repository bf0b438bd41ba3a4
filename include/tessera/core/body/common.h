/** The bodies of core/common.h. */
#ifndef TSR_CORE_BODY_COMMON_H
#define TSR_CORE_BODY_COMMON_H

#include "tessera/core/common.h"
#include "tessera/core/body/inverse.h"

TSR_HEADER_BEGIN

/** a o R and R itself, for a right inverse R of b. If a does not compose with all of R, the longest list of leading
 *  modes that it composes with is taken. */
typedef struct tsr_common_ {
    tsr_layout seen, inverse;
} tsr_common_;

TSR_LOCAL tsr_common_ tsr_common_of_(tsr_layout a, tsr_layout b)
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
TSR_LOCAL bool tsr_begins_contiguous_(tsr_layout const *l)
{
    return tsr_leaf_is_static(l->shape.leaf[0]) && tsr_leaf_is(l->stride.leaf[0], 1);
}

/** Why no run of a layout is contiguous: its values are coordinates, or two swizzles are in front of it. */
TSR_LOCAL tsr_tuple tsr_common_fault_(tsr_layout const *l)
{
    if (l->shape.status)
        return l->shape;
    if (tsr_has_basis(&l->stride))
        return tsr_bad_tuple(TSR_INVERSE_BASIS, tsr_first_basis_(&l->stride), 0, 0, 0);
    return l->twice ? tsr_bad_tuple(TSR_SWIZZLE_TWICE, 0, 0, 0, 0) : tsr_s(1);
}

/** The number of offsets from 0 on that the swizzle of a layout leaves adjacent. It is a power of two up to the
 *  lowest bit of the swizzle, and divides the layout's own offset. */
TSR_LOCAL int64_t tsr_block_behind_(tsr_layout const *l)
{
    uint64_t const offset = (uint64_t)tsr_leaf_value(l->offset), block = (uint64_t)1 << l->swizzle.base;
    uint64_t const even = offset & (0 - offset);
    return l->composed ? (int64_t)(even > 0 && even < block ? even : block) : TSR_INT_MAX;
}

/** How many of the first n offsets stay side by side behind the swizzles; of equal swizzles with one offset, how many
 *  they permute. */
TSR_LOCAL int64_t tsr_run_behind_(tsr_layout const *a, tsr_layout const *b, int64_t n)
{
    int64_t x = 0;
    if (a->composed && b->composed && tsr_swizzle_same_(a->swizzle, b->swizzle)
        && tsr_leaf_value(a->offset) == tsr_leaf_value(b->offset)) {
        uint64_t const first = (uint64_t)tsr_leaf_value(a->offset);
        while (x < n && x < TSR_LAW_BUDGET && tsr_swizzle_apply(a->swizzle, (uint64_t)x) < (uint64_t)n
               && tsr_swizzle_apply(a->swizzle, first + (uint64_t)x)
                      == tsr_swizzle_apply(a->swizzle, first) + tsr_swizzle_apply(a->swizzle, (uint64_t)x))
            ++x;
        if (x == n)
            return n;
    }
    return tsr_min64(n, tsr_min64(tsr_block_behind_(a), tsr_block_behind_(b)));
}

/** The first `run` elements of R; behind swizzles that permute them, in the order that they give. */
TSR_LOCAL tsr_layout tsr_common_cut_(tsr_layout const *a, tsr_layout r, int64_t run)
{
    int64_t const size = tsr_layout_size(r);
    if (run < size)
        return tsr_compose_by_(r, tsr_tiler_of_tuple(tsr_s(run)));
    return a->composed && run > (int64_t)1 << a->swizzle.base ? tsr_composition_swizzle(r, a->swizzle) : r;
}

TSR_OP tsr_layout tsr_max_common_layout(tsr_layout a, tsr_layout b)
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
    /* The swizzle does not come to the front of R. */
    int64_t const kept = a.composed ? tsr_min64(tsr_block_behind_(&a), tsr_block_behind_(&b)) : 1;
    tsr_layout const least = tsr_compose_by_(r, tsr_tiler_of_tuple(tsr_s(kept)));
    return least.shape.status ? tsr_pad_() : least;
}

TSR_OP tsr_tuple tsr_max_common_vector(tsr_layout a, tsr_layout b)
{
    tsr_layout const r = tsr_max_common_layout(a, b);
    return r.shape.status ? r.shape : tsr_s(tsr_layout_size(r));
}

TSR_HEADER_END

#endif
