/** Layouts of larger or smaller elements: upcast, downcast, recast, alignment.
 *
 *  Law        upcast<N>: N elements become one; the mode of stride 1 shrinks by N, other strides divide by N.
 *             downcast<N>: one element becomes N; the mode of stride 1 grows by N, other strides multiply by N.
 *  Condition  each static stride divides N or is divided by it. A dynamic stride is taken to be a multiple of N, as
 *             CuTe takes it: structure must not depend on dynamic numbers.
 *             Behind a swizzle with S < 0, groups larger than 2^M do not stay together; as in CuTe that is not looked at.
 *  Source     CuTe, include/cute/layout.hpp and swizzle_layout.hpp.
 */
#ifndef TSR_CORE_RECAST_H
#define TSR_CORE_RECAST_H

#include "tessera/base/dtype.h"
#include "tessera/core/common.h"

TSR_HEADER_BEGIN

/** An offset in front of a swizzle, in elements n times as large or as small. */
TSR_FN tsr_leaf tsr_leaf_upcast_(tsr_leaf a, int64_t n)
{
    if (a.kind != TSR_MIXED)
        return tsr_leaf_safe_div(a, tsr_leaf_static(n));
    if (!tsr_is_pow2(n))
        return tsr_leaf_bad(TSR_FACTOR, n);
    int64_t const s = tsr_mixed_static(a), f = tsr_mixed_flags(a);
    if (s % n != 0 || f % n != 0)
        return tsr_leaf_bad(TSR_SAFE_DIV, s % n != 0 ? s : f);
    return tsr_leaf_mixed((uint32_t)(s / n), (uint32_t)(tsr_mixed_dynamic(a) / n), (uint32_t)(f / n));
}

TSR_FN tsr_leaf tsr_leaf_downcast_(tsr_leaf a, int64_t n)
{
    if (a.kind != TSR_MIXED)
        return tsr_leaf_mul(a, tsr_leaf_static(n));
    if (!tsr_is_pow2(n))
        return tsr_leaf_bad(TSR_FACTOR, n);
    return tsr_leaf_shift_(a, tsr_leaf_static(0), tsr_bit_width((uint64_t)n) - 1);
}

TSR_FN tsr_tuple tsr_int_upcast(tsr_tuple t, int64_t n)
{
    if (t.status || n <= 0)
        return t.status ? t : tsr_bad_tuple(TSR_FACTOR, 0, n, 0, 0);
    return tsr_from_leaf(tsr_leaf_upcast_(tsr_as_leaf_(t), n));
}

TSR_FN tsr_tuple tsr_int_downcast(tsr_tuple t, int64_t n)
{
    if (t.status || n <= 0)
        return t.status ? t : tsr_bad_tuple(TSR_FACTOR, 0, n, 0, 0);
    return tsr_from_leaf(tsr_leaf_downcast_(tsr_as_leaf_(t), n));
}

/** The leaves of l with new shapes and strides; swizzle and offset scaled alike. */
TSR_FN tsr_layout tsr_recast_wrapped_(tsr_layout outer, tsr_layout inner, tsr_swizzle sw, tsr_leaf offset)
{
    if (outer.twice)
        return tsr_bad_layout(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
    return outer.composed ? tsr_make_composed_layout(sw, tsr_from_leaf(offset), inner) : inner;
}

TSR_FN tsr_layout tsr_upcast(tsr_layout l, int64_t n)
{
    tsr_layout r = tsr_layout_inner(l);
    if (l.shape.status || n <= 0)
        return l.shape.status ? l : tsr_bad_layout(TSR_FACTOR, 0, n, 0, 0);
    for (int i = 0; i < r.shape.leaves; ++i) {
        tsr_leaf s = r.shape.leaf[i], d = r.stride.leaf[i];
        if (s.kind == TSR_UNIT || tsr_leaf_is(d, 0))
            continue;
        if (tsr_leaf_is_static(d)) {
            if (d.aux != 0)
                return tsr_bad_layout(TSR_BASIS, i, (int64_t)(d.aux & 31u) - 1, 0, 0);
            if (d.value % n != 0 && n % d.value != 0)
                return tsr_bad_layout(TSR_UPCAST_STRIDE, i, d.value, n, 0);
            tsr_leaf const step = tsr_leaf_abs(d), by = tsr_leaf_ceil_div(tsr_leaf_static(n), step);
            s = tsr_leaf_ceil_div(s, by);
            d = tsr_leaf_mul(tsr_leaf_signum(d), tsr_leaf_ceil_div(step, tsr_leaf_static(n)));
        } else {
            d.value /= n;
        }
        if (s.kind == TSR_BAD || d.kind == TSR_BAD)
            return tsr_invalid_layout(tsr_from_leaf(s.kind == TSR_BAD ? s : d));
        r.shape.leaf[i].value = s.value;
        r.shape.leaf[i].kind = s.kind;
        r.stride.leaf[i].value = d.value;
        r.stride.leaf[i].kind = d.kind;
    }
    return tsr_recast_wrapped_(l, r, tsr_swizzle_upcast(l.swizzle, n), tsr_leaf_upcast_(l.offset, n));
}

TSR_FN tsr_layout tsr_downcast(tsr_layout l, int64_t n)
{
    tsr_layout r = tsr_layout_inner(l);
    bool adjacent = false;
    if (l.shape.status || n <= 0)
        return l.shape.status ? l : tsr_bad_layout(TSR_FACTOR, 0, n, 0, 0);
    for (int i = 0; i < r.shape.leaves; ++i) {
        tsr_leaf const s = r.shape.leaf[i], d = r.stride.leaf[i];
        bool const unit = tsr_leaf_is(d, 1) || tsr_leaf_is(d, -1);
        if (s.kind == TSR_UNIT)
            continue;
        adjacent = adjacent || tsr_leaf_is(d, 1);
        tsr_leaf const scaled = tsr_leaf_mul(unit ? s : d, tsr_leaf_static(n));
        tsr_leaf *const out = unit ? &r.shape.leaf[i] : &r.stride.leaf[i];
        if (scaled.kind == TSR_BAD)
            return tsr_invalid_layout(tsr_from_leaf(scaled));
        out->value = scaled.value;
        out->kind = scaled.kind;
    }
    if (!adjacent)
        return tsr_bad_layout(TSR_DOWNCAST, 0, 0, 0, 0);
    return tsr_recast_wrapped_(l, tsr_layout_checked(r), tsr_swizzle_downcast(l.swizzle, n), tsr_leaf_downcast_(l.offset, n));
}

/** The layout of elements of type `to` in the memory of elements of type `from`; only their bits count. */
TSR_FN tsr_layout tsr_recast_layout(tsr_layout l, tsr_dtype from, tsr_dtype to)
{
    if (l.shape.status || tsr_dtype_bits(from) == 0 || tsr_dtype_bits(to) == 0)
        return l.shape.status ? l : tsr_bad_layout(TSR_TYPE, 0, 0, 0, 0);
    int64_t const old = tsr_dtype_bits(from), bits = tsr_dtype_bits(to), common = tsr_gcd64(old, bits);
    int64_t const up = bits / common, down = old / common;
    if (up > 1)
        l = tsr_upcast(l, up);
    return down > 1 ? tsr_downcast(l, down) : l;
}

TSR_FN tsr_swizzle tsr_recast_swizzle(tsr_swizzle sw, tsr_dtype from, tsr_dtype to)
{
    if (sw.status || tsr_dtype_bits(from) == 0 || tsr_dtype_bits(to) == 0)
        return sw.status ? sw : tsr_bad_swizzle(TSR_TYPE, 0, 0, 0);
    int64_t const old = tsr_dtype_bits(from), bits = tsr_dtype_bits(to), common = tsr_gcd64(old, bits);
    int64_t const up = bits / common, down = old / common;
    if (up > 1)
        sw = tsr_swizzle_upcast(sw, up);
    return down > 1 ? tsr_swizzle_downcast(sw, down) : sw;
}

/** What an offset is aligned to: a static integer itself, mixed bits by their lowest possible bit. */
TSR_FN tsr_tuple tsr_int_max_alignment(tsr_tuple t)
{
    tsr_leaf const a = tsr_as_leaf_(t);
    if (t.status)
        return t;
    if (a.kind == TSR_MIXED)
        return tsr_s((int64_t)1 << tsr_lowest_bit_((int64_t)(tsr_mixed_static(a) | tsr_mixed_flags(a))));
    if (a.kind == TSR_DYNAMIC && a.aux == 0)
        return tsr_bad_tuple(TSR_STATIC_ONLY, 0, a.value, 0, 0);
    return tsr_from_leaf(a.kind == TSR_STATIC && a.aux == 0 ? a : tsr_leaf_refuse_(a, a));
}

/** The largest N for which upcast<N> keeps whole elements, from what is static. */
TSR_FN tsr_tuple tsr_max_alignment(tsr_layout l)
{
    tsr_layout flat = tsr_layout_coalesce(tsr_layout_inner(l));
    for (int i = 0; !flat.shape.status && i < flat.shape.leaves; ++i) {
        if (flat.shape.leaf[i].kind == TSR_DYNAMIC) {
            flat.shape.leaf[i].kind = TSR_STATIC;
            flat.shape.leaf[i].value = 1;
        }
        if (flat.stride.leaf[i].kind == TSR_DYNAMIC) {
            flat.stride.leaf[i].kind = TSR_STATIC;
            flat.stride.leaf[i].value = 0;
        }
    }
    tsr_layout const inverse = tsr_right_inverse(flat), parts = tsr_divide_whole_(&flat, &inverse);
    if (parts.shape.status)
        return parts.shape;
    tsr_tuple const whole = tsr_product(tsr_tuple_get(parts.shape, 0)), rest = tsr_tuple_get(parts.stride, 1);
    tsr_tuple r = tsr_gcd(tsr_tuple_2(whole, rest));
    if (r.status)
        return r;
    int64_t n = r.leaf[0].value;
    while (n > 1 && (r.leaf[0].value % n != 0 || tsr_upcast(flat, n).shape.status))
        --n; /* what lies between the contiguous run and the rest may still not divide */
    r.leaf[0].value = n;
    if (!l.composed)
        return r;
    if (l.twice)
        return tsr_bad_tuple(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
    r = tsr_tuple_3(tsr_swizzle_max_alignment(l.swizzle), tsr_int_max_alignment(tsr_from_leaf(l.offset)), r);
    return tsr_gcd(r);
}

TSR_HEADER_END

#endif
