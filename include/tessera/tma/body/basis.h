/** The bodies of tma/basis.h. */
#ifndef TSR_TMA_BODY_BASIS_H
#define TSR_TMA_BODY_BASIS_H

#include "tessera/tma/basis.h"

TSR_HEADER_BEGIN

TSR_OP tsr_layout tsr_coalesce_256(tsr_layout const *l)
{
    tsr_row_ row TSR_SCRATCH, r TSR_SCRATCH;
    if (l->shape.status)
        return *l;
    tsr_row_of_(&row, l);
    r.n = 0;
    tsr_row_push_(&r, row.shape[0], row.stride[0]);
    for (int i = 1; i < row.n; ++i) {
        tsr_leaf const s = row.shape[i], d = row.stride[i], back = r.shape[r.n - 1];
        if (tsr_leaf_is(s, 1))
            continue;
        if (r.n == 1 && tsr_leaf_is(back, 1)) {
            r.shape[0] = s;
            r.stride[0] = d;
            continue;
        }
        tsr_leaf const joint = tsr_leaf_mul(s, back), next = tsr_leaf_mul(back, r.stride[r.n - 1]);
        bool const follows = next.kind != TSR_BAD && tsr_leaf_is(tsr_leaf_eq(next, d), 1);
        if (follows && tsr_leaf_is_static(joint) && joint.value <= TSR_TMA_BOX_MOST)
            r.shape[r.n - 1] = joint;
        else
            tsr_row_push_(&r, s, d);
    }
    if (r.n == 1 && tsr_leaf_is(r.shape[0], 1))
        r.stride[0] = tsr_leaf_static(0);
    return tsr_row_layout_(&r);
}

/** Shared memory index -> coordinate of the tensor, as far as each mode is entered at its beginning and step 1.
 *  Errors  TMA_SIZE, TMA_VECTOR. */
TSR_LOCAL tsr_layout tsr_tma_vector_(tsr_layout const *smem, tsr_layout const *tile)
{
    tsr_tuple const inside = tsr_product(smem->shape), wanted = tsr_product(tile->shape);
    if (inside.status || wanted.status)
        return tsr_invalid_layout(inside.status ? inside : wanted);
    if (tsr_tuple_number(inside) != tsr_tuple_number(wanted))
        return tsr_bad_layout(TSR_TMA_SIZE, 0, tsr_tuple_number(wanted), tsr_tuple_number(inside), 0);
    tsr_layout const full = tsr_layout_coalesce(tsr_composition_layout_(*tile, tsr_right_inverse(*smem)));
    int n = 0;
    if (full.shape.status)
        return full;
    while (n < full.stride.leaves && full.stride.leaf[n].kind == TSR_STATIC && full.stride.leaf[n].value == 1)
        ++n;
    return n == 0 ? tsr_bad_layout(TSR_TMA_VECTOR, 0, full.stride.leaf[0].value, 0, 0) : tsr_layout_take(full, 0, n);
}

TSR_LOCAL bool tsr_has_leaf_(tsr_tuple const *t, tsr_leaf a)
{
    for (int i = 0; i < t->leaves; ++i)
        if (tsr_leaf_is(tsr_leaf_eq(t->leaf[i], a), 1))
            return true;
    return false;
}

/** Is a mode none to the hardware: (), of static extent 1, or of static stride 0? */
TSR_LOCAL bool tsr_tma_void_(tsr_leaf shape, tsr_leaf stride)
{
    return shape.kind == TSR_UNIT || tsr_leaf_is(shape, 1) || tsr_leaf_is(stride, 0);
}

TSR_OP tsr_layout tsr_construct_tma_gbasis(tsr_layout gmem, tsr_layout smem, tsr_layout tile, tsr_dtype from,
                                           tsr_dtype to)
{
    if (gmem.shape.status || smem.shape.status || tile.shape.status)
        return gmem.shape.status ? gmem : smem.shape.status ? smem : tile;
    tsr_layout const run = tsr_tma_vector_(&smem, &tile), basis = tsr_make_identity_layout(gmem.shape);
    tsr_layout const strides = tsr_recast_whole_(tsr_composition_layout_(gmem, run), from, to);
    tsr_layout const merged = tsr_coalesce_256(&strides), named = tsr_composition_layout_(basis, run);
    tsr_layout const whole = tsr_recast_whole_(gmem, from, to);
    if (merged.shape.status || named.shape.status || whole.shape.status)
        return merged.shape.status ? merged : named.shape.status ? named : whole;
    tsr_layout const box = tsr_make_layout_compact(tsr_wrap(merged.shape));
    tsr_layout r = tsr_composition_layout_(tsr_layout_unchecked(strides.shape, named.stride), box);
    if (r.shape.status)
        return r;
    tsr_tuple const reached = r.stride;
    for (int i = 0; i < whole.shape.leaves; ++i) {
        tsr_leaf const e = basis.stride.leaf[i];
        if (tsr_tma_void_(whole.shape.leaf[i], whole.stride.leaf[i]) || tsr_has_leaf_(&reached, e))
            continue;
        r.shape = tsr_tuple_append(r.shape, tsr_s(1));
        r.stride = tsr_tuple_append(r.stride, tsr_from_leaf(e));
    }
    int const rank = tsr_mode_count(&r.shape);
    return tsr_layout_group(r, rank < 4 ? rank : 4, -1);
}

TSR_HEADER_END

#endif
