/** The bodies of tensor/forms.h. */
#ifndef TSR_TENSOR_BODY_FORMS_H
#define TSR_TENSOR_BODY_FORMS_H

#include "tessera/tensor/forms.h"
#include "tessera/tensor/body/tensor.h"

TSR_HEADER_BEGIN

TSR_OP tsr_layout tsr_tensor_layout_of(tsr_tensor t, tsr_tuple path)
{
    return tsr_layout_of(tsr_tensor_layout(t), path);
}

TSR_OP tsr_tuple tsr_tensor_stride_of(tsr_tensor t, tsr_tuple path)
{
    return tsr_stride_of(tsr_tensor_layout(t), path);
}

TSR_OP tsr_tuple tsr_tensor_coshape_of(tsr_tensor t, tsr_tuple path)
{
    return tsr_coshape_of(tsr_tensor_layout(t), path);
}

TSR_OP tsr_tuple tsr_tensor_cosize_of(tsr_tensor t, tsr_tuple path)
{
    return tsr_cosize_of(tsr_tensor_layout(t), path);
}

TSR_OP tsr_tuple tsr_tensor_major_int(tsr_tensor t, int64_t mode)
{
    return tsr_layout_major_int(tsr_tensor_layout(t), mode);
}

TSR_OP tsr_tuple tsr_tensor_leading_dim(tsr_tensor t) { return tsr_layout_leading_dim(tsr_tensor_layout(t)); }

TSR_OP tsr_tensor tsr_tensor_select(tsr_tensor t, tsr_tuple path)
{
    return tsr_with_layout_(t, tsr_layout_select(t.layout, path));
}

TSR_OP tsr_tensor tsr_tensor_append(tsr_tensor t, tsr_layout x)
{
    return tsr_with_layout_(t, tsr_layout_append(t.layout, x));
}

TSR_OP tsr_tensor tsr_tensor_prepend(tsr_tensor t, tsr_layout x)
{
    return tsr_with_layout_(t, tsr_layout_prepend(t.layout, x));
}

TSR_OP tsr_tensor tsr_tensor_pad(tsr_tensor t, int64_t n) { return tsr_with_layout_(t, tsr_layout_pad(t.layout, n)); }

TSR_OP tsr_tensor tsr_tensor_pad_front(tsr_tensor t, int64_t n)
{
    return tsr_with_layout_(t, tsr_layout_pad_front(t.layout, n));
}

TSR_OP tsr_tensor tsr_tensor_filter_zeros_by(tsr_tensor t, tsr_tuple profile)
{
    return tsr_with_layout_(t, tsr_layout_filter_zeros_by(t.layout, profile));
}

/* What two tensors have in common */

/** Are both memory of elements of one type, of whole bytes, that are moved as they are? */
TSR_LOCAL bool tsr_may_be_vectors_(tsr_tensor const *a, tsr_tensor const *b)
{
    return a->engine.kind == TSR_POINTER && b->engine.kind == TSR_POINTER && a->engine.type == b->engine.type
           && a->engine.map.kind == TSR_AS_IS && b->engine.map.kind == TSR_AS_IS
           && tsr_engine_bits(a->engine) % 8 == 0;
}

TSR_LOCAL tsr_tuple tsr_no_pair_(tsr_tensor const *a, tsr_tensor const *b)
{
    tsr_tuple const x = tsr_tensor_bad_(*a), y = tsr_tensor_bad_(*b);
    return x.status ? x : y.status ? y : tsr_s(0);
}

/** The number of elements, from the first one on, that the swizzle of the pointer leaves adjacent. It is smaller
 *  where an offset in front of the layout begins inside of such a group. */
TSR_LOCAL int64_t tsr_kept_from_first_(tsr_tensor const *t)
{
    int64_t const kept = tsr_kept_together_(&t->engine);
    int64_t const first = t->layout.composed ? tsr_at_index(t->layout, 0) : 0;
    return kept == TSR_INT_MAX || first < 0 ? kept : tsr_gcd64(kept, first);
}

TSR_OP tsr_layout tsr_tensor_max_common_layout(tsr_tensor a, tsr_tensor b)
{
    tsr_tuple const bad = tsr_no_pair_(&a, &b);
    if (bad.status || !tsr_may_be_vectors_(&a, &b))
        return bad.status ? tsr_invalid_layout(bad) : tsr_pad_();
    tsr_layout const r = tsr_max_common_layout(a.layout, b.layout);
    int64_t const most = tsr_min64(tsr_kept_from_first_(&a), tsr_kept_from_first_(&b));
    return r.shape.status || tsr_layout_size(r) <= most ? r : tsr_composition_by(r, tsr_tiler_of_tuple(tsr_s(most)));
}

TSR_OP tsr_tuple tsr_tensor_max_common_vector(tsr_tensor a, tsr_tensor b)
{
    tsr_tuple const bad = tsr_no_pair_(&a, &b);
    if (bad.status || !tsr_may_be_vectors_(&a, &b))
        return bad;
    int64_t const most = tsr_min64(tsr_kept_from_first_(&a), tsr_kept_from_first_(&b));
    return tsr_lift2_(tsr_leaf_min, tsr_max_common_vector(a.layout, b.layout), tsr_s(most));
}

TSR_OP tsr_tuple tsr_tensor_max_alignment(tsr_tensor t)
{
    tsr_tuple const bad = tsr_tensor_bad_(t);
    if (bad.status || t.engine.kind != TSR_POINTER)
        return bad.status ? bad : tsr_bad_tuple(TSR_TYPE, 0, 0, 0, 0);
    tsr_tuple const bits = tsr_lift2_(tsr_leaf_mul, tsr_max_alignment(t.layout), tsr_s(tsr_engine_bits(t.engine)));
    if (t.engine.swizzle.bits == 0)
        return bits;
    return tsr_lift2_(tsr_leaf_gcd, bits, tsr_s((int64_t)8 << t.engine.swizzle.base));
}

TSR_HEADER_END

#endif
