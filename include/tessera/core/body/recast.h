/** The bodies of core/recast.h. */
#ifndef TSR_CORE_BODY_RECAST_H
#define TSR_CORE_BODY_RECAST_H

#include "tessera/core/recast.h"
#include "tessera/core/body/common.h"

TSR_HEADER_BEGIN

/** An offset in front of a swizzle, in elements n times as large or as small. Errors: SAFE_DIV where n, static or
 *  not, leaves a remainder. */
TSR_LOCAL tsr_leaf tsr_leaf_upcast_(tsr_leaf a, int64_t n)
{
    if (tsr_leaf_is_int(a) && a.value % n != 0)
        return tsr_leaf_bad(TSR_SAFE_DIV, a.value);
    if (a.kind != TSR_MIXED)
        return tsr_leaf_safe_div(a, tsr_leaf_static(n));
    if (!tsr_is_pow2(n))
        return tsr_leaf_bad(TSR_FACTOR, n);
    int64_t const s = tsr_mixed_static(a), f = tsr_mixed_flags(a);
    if (s % n != 0 || f % n != 0)
        return tsr_leaf_bad(TSR_SAFE_DIV, s % n != 0 ? s : f);
    return tsr_leaf_mixed((uint32_t)(s / n), (uint32_t)(tsr_mixed_dynamic(a) / n), (uint32_t)(f / n));
}

TSR_LOCAL tsr_leaf tsr_leaf_downcast_(tsr_leaf a, int64_t n)
{
    if (a.kind != TSR_MIXED)
        return tsr_leaf_mul(a, tsr_leaf_static(n));
    if (!tsr_is_pow2(n))
        return tsr_leaf_bad(TSR_FACTOR, n);
    return tsr_leaf_shift_(a, tsr_leaf_static(0), tsr_bit_width((uint64_t)n) - 1);
}

TSR_OP tsr_tuple tsr_int_upcast(tsr_tuple t, int64_t n)
{
    if (t.status || n <= 0)
        return t.status ? t : tsr_bad_tuple(TSR_FACTOR, 0, n, 0, 0);
    return tsr_from_leaf(tsr_leaf_upcast_(tsr_as_leaf_(t), n));
}

TSR_OP tsr_tuple tsr_int_downcast(tsr_tuple t, int64_t n)
{
    if (t.status || n <= 0)
        return t.status ? t : tsr_bad_tuple(TSR_FACTOR, 0, n, 0, 0);
    return tsr_from_leaf(tsr_leaf_downcast_(tsr_as_leaf_(t), n));
}

/** The leaves of l with new shapes and strides; swizzle and offset scaled alike. */
TSR_LOCAL tsr_layout tsr_recast_wrapped_(tsr_layout outer, tsr_layout inner, tsr_swizzle sw, tsr_leaf offset)
{
    if (outer.twice)
        return tsr_bad_layout(TSR_SWIZZLE_TWICE, 0, 0, 0, 0);
    return outer.composed ? tsr_make_composed_layout(sw, tsr_from_leaf(offset), inner) : inner;
}

/** How many neighbours of mode i of l become one in r. */
TSR_LOCAL int64_t tsr_upcast_joined_(tsr_layout const *l, tsr_layout const *r, int i)
{
    int64_t const kept = r->shape.leaf[i].value;
    return l->shape.leaf[i].kind == TSR_UNIT || kept == 0 ? 1 : l->shape.leaf[i].value / kept;
}

/** Are the n parts of an element the sums of joined coordinates, each once? Then each stride of a joined mode is the
 *  product of the joined extents of all modes with smaller strides. */
TSR_LOCAL tsr_tuple tsr_upcast_parts_(tsr_layout const *l, tsr_layout const *r, int64_t n)
{
    int64_t part = 1;
    uint32_t left = 0;
    for (int i = 0; i < r->shape.leaves; ++i) {
        int64_t const s = l->shape.leaf[i].value, d = l->stride.leaf[i].value, step = d < 0 ? -d : d;
        int64_t const by = step != 0 && step < n ? n / step : 1;
        if (l->shape.leaf[i].kind != TSR_UNIT && s > by && s % by != 0)
            return tsr_bad_tuple(TSR_UPCAST_EXTENT, i, s, d, by);
        left |= tsr_upcast_joined_(l, r, i) > 1 ? 1u << i : 0u;
    }
    for (int i = 0; i < r->shape.leaves;) {
        bool const next = (left >> i & 1u) != 0 && l->stride.leaf[i].value == part;
        if (next) {
            part *= tsr_upcast_joined_(l, r, i);
            left &= ~(1u << i);
        }
        i = next ? 0 : i + 1;
    }
    if (part < n)
        return tsr_bad_tuple(TSR_UPCAST_PARTS, 0, n, part, 0);
    int const over = left != 0 ? tsr_lowest_bit_((int64_t)left) : 0;
    return left != 0 ? tsr_bad_tuple(TSR_UPCAST_OVERLAP, over, l->stride.leaf[over].value, n, 0) : tsr_s(n);
}

/** Is every offset a multiple of n? Then no two elements are parts of one, and the result is l / n. */
TSR_LOCAL bool tsr_upcast_divides_(tsr_layout const *l, int64_t n)
{
    for (int i = 0; i < l->shape.leaves; ++i)
        if (l->shape.leaf[i].kind != TSR_UNIT && l->shape.leaf[i].value > 1 && l->stride.leaf[i].value % n != 0)
            return false;
    return true;
}

/** Does a swizzle cut what is joined? Whole groups of n (a power of two) stay groups where no bit inside of one is
 *  xored onto one outside; multiples of n stay multiples where no bit outside is xored onto one inside. */
TSR_LOCAL bool tsr_swizzle_cuts_(tsr_swizzle sw, int64_t n, bool divides)
{
    int const bits = tsr_bit_width((uint64_t)n) - 1, shift = sw.shift < 0 ? -sw.shift : sw.shift;
    return sw.bits > 0 && sw.base < bits && sw.base + sw.bits + shift > bits && divides == (sw.shift > 0);
}

TSR_INTERNAL tsr_layout tsr_groups_(tsr_layout r, int64_t n)
{
    for (int i = 0; i < r.shape.leaves; ++i) {
        tsr_leaf s = r.shape.leaf[i], d = r.stride.leaf[i];
        if (s.kind == TSR_UNIT || tsr_leaf_is(d, 0))
            continue;
        if (d.aux != 0)
            return tsr_bad_layout(TSR_BASIS, i, (int64_t)(d.aux & 31u) - 1, 0, 0);
        if (tsr_leaf_is_static(d)) {
            if (d.value % n != 0 && n % d.value != 0 && s.value > 1)
                return tsr_bad_layout(TSR_UPCAST_STRIDE, i, d.value, n, 0);
            tsr_leaf const step = tsr_leaf_abs(d), by = tsr_leaf_ceil_div(tsr_leaf_static(n), step);
            s = tsr_leaf_ceil_div(s, by);
            d = tsr_leaf_mul(tsr_leaf_signum(d), tsr_leaf_ceil_div(step, tsr_leaf_static(n)));
        } else {
            if (d.value % n != 0 && s.value > 1)
                return tsr_bad_layout(TSR_UPCAST_DYNAMIC, i, d.value, n, 0);
            d.value /= n;
        }
        if (s.kind == TSR_BAD || d.kind == TSR_BAD)
            return tsr_invalid_layout(tsr_from_leaf(s.kind == TSR_BAD ? s : d));
        r.shape.leaf[i].value = s.value;
        r.shape.leaf[i].kind = s.kind;
        r.stride.leaf[i].value = d.value;
        r.stride.leaf[i].kind = d.kind;
    }
    return r;
}

/** A valid layout of offsets, n neighbours of which become one. */
TSR_LOCAL tsr_layout tsr_upcast_offsets_(tsr_layout l, int64_t n)
{
    tsr_layout const from = tsr_layout_inner(l), r = tsr_groups_(from, n);
    bool const divides = tsr_upcast_divides_(&from, n);
    tsr_tuple const parts = r.shape.status || divides ? r.shape : tsr_upcast_parts_(&from, &r, n);
    if (parts.status)
        return tsr_invalid_layout(parts);
    if (l.composed && !l.twice && tsr_swizzle_cuts_(l.swizzle, n, divides))
        return tsr_bad_layout(TSR_UPCAST_SWIZZLE, 0, l.swizzle.base, l.swizzle.shift, n);
    return tsr_recast_wrapped_(l, r, tsr_swizzle_upcast(l.swizzle, n), tsr_leaf_upcast_(l.offset, n));
}

/** The mode of stride 1 that downcast splits, or -1. */
TSR_LOCAL int tsr_downcast_mode_(tsr_layout const *l)
{
    int mode = -1;
    for (int i = 0; i < l->shape.leaves; ++i) {
        if (l->shape.leaf[i].kind == TSR_UNIT || !tsr_leaf_is(l->stride.leaf[i], 1))
            continue;
        if (tsr_leaf_is(l->shape.leaf[i], 1))
            return i;
        mode = mode < 0 ? i : mode;
    }
    return mode;
}

/** A valid layout of offsets, each of which becomes n neighbours. */
TSR_LOCAL tsr_layout tsr_downcast_offsets_(tsr_layout l, int64_t n)
{
    tsr_layout r = tsr_layout_inner(l);
    int const mode = tsr_downcast_mode_(&r);
    if (mode < 0)
        return tsr_bad_layout(TSR_DOWNCAST, 0, 0, 0, 0);
    for (int i = 0; i < r.shape.leaves; ++i) {
        tsr_leaf *const out = i == mode ? &r.shape.leaf[i] : &r.stride.leaf[i];
        if (r.shape.leaf[i].kind == TSR_UNIT)
            continue;
        tsr_leaf const scaled = tsr_leaf_mul(*out, tsr_leaf_static(n));
        if (scaled.kind == TSR_BAD)
            return tsr_invalid_layout(tsr_from_leaf(scaled));
        out->value = scaled.value;
        out->kind = scaled.kind;
    }
    r = tsr_layout_checked(r);
    return tsr_recast_wrapped_(l, r, tsr_swizzle_downcast(l.swizzle, n), tsr_leaf_downcast_(l.offset, n));
}

/** A layout of coordinates along the first basis element of its strides, in the order of the values' modes. */
TSR_LOCAL tsr_layout tsr_first_along_(tsr_layout const *l)
{
    tsr_tuple const box = tsr_coshape_of(*l, tsr_unit()), unit = tsr_make_basis_like(box);
    if (box.status)
        return tsr_invalid_layout(box);
    for (int i = 0; i < unit.leaves; ++i)
        for (int k = 0; k < l->stride.leaves; ++k)
            if (tsr_leaf_is_basis(l->stride.leaf[k]) && l->stride.leaf[k].aux == unit.leaf[i].aux)
                return tsr_layout_along_(l, unit.leaf[i].aux);
    return *l;
}

/** Recasts the strides along the first basis element; those along the others stay. */
TSR_LOCAL tsr_layout tsr_recast_by_(tsr_layout const *l, int64_t n, bool up)
{
    if (l->shape.status || n <= 0)
        return l->shape.status ? *l : tsr_bad_layout(TSR_FACTOR, 0, n, 0, 0);
    bool const coordinates = tsr_has_basis(&l->stride);
    tsr_layout const from = coordinates ? tsr_first_along_(l) : *l;
    if (from.shape.status)
        return from;
    tsr_layout r = up ? tsr_upcast_offsets_(from, n) : tsr_downcast_offsets_(from, n);
    for (int i = 0; coordinates && r.shape.status == TSR_OK && i < r.stride.leaves; ++i) {
        bool const other = l->stride.leaf[i].value != 0 && from.stride.leaf[i].value == 0;
        r.stride.leaf[i].value = other ? l->stride.leaf[i].value : r.stride.leaf[i].value;
        r.stride.leaf[i].kind = other ? l->stride.leaf[i].kind : r.stride.leaf[i].kind;
        r.stride.leaf[i].aux = l->stride.leaf[i].aux;
    }
    return r;
}

TSR_OP tsr_layout tsr_upcast(tsr_layout l, int64_t n) { return tsr_recast_by_(&l, n, true); }

TSR_OP tsr_layout tsr_downcast(tsr_layout l, int64_t n) { return tsr_recast_by_(&l, n, false); }

TSR_OP tsr_layout tsr_recast_layout(tsr_layout l, tsr_dtype from, tsr_dtype to)
{
    if (l.shape.status || tsr_dtype_bits(from) == 0 || tsr_dtype_bits(to) == 0)
        return l.shape.status ? l : tsr_bad_layout(TSR_TYPE, 0, 0, 0, 0);
    int64_t const old = tsr_dtype_bits(from), bits = tsr_dtype_bits(to), common = tsr_gcd64(old, bits);
    int64_t const up = bits / common, down = old / common;
    if (up > 1)
        l = tsr_upcast(l, up);
    return down > 1 ? tsr_downcast(l, down) : l;
}

TSR_INTERNAL tsr_layout tsr_recast_whole_(tsr_layout l, tsr_dtype from, tsr_dtype to)
{
    tsr_layout const r = tsr_recast_layout(l, from, to);
    int64_t before = 0, after = 0;
    bool const kept = r.shape.status
                      || (tsr_mul64(tsr_layout_size(l), tsr_dtype_bits(from), &before)
                          && tsr_mul64(tsr_layout_size(r), tsr_dtype_bits(to), &after) && before == after);
    return kept ? r
                : tsr_bad_layout(TSR_UPCAST_PARTS, 0,
                                 tsr_dtype_bits(to) / tsr_gcd64(tsr_dtype_bits(from), tsr_dtype_bits(to)), 1, 0);
}

TSR_OP tsr_swizzle tsr_recast_swizzle(tsr_swizzle sw, tsr_dtype from, tsr_dtype to)
{
    if (sw.status || tsr_dtype_bits(from) == 0 || tsr_dtype_bits(to) == 0)
        return sw.status ? sw : tsr_bad_swizzle(TSR_TYPE, 0, 0, 0);
    int64_t const old = tsr_dtype_bits(from), bits = tsr_dtype_bits(to), common = tsr_gcd64(old, bits);
    int64_t const up = bits / common, down = old / common;
    if (up > 1)
        sw = tsr_swizzle_upcast(sw, up);
    return down > 1 ? tsr_swizzle_downcast(sw, down) : sw;
}

TSR_OP tsr_tuple tsr_int_max_alignment(tsr_tuple t)
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

TSR_OP tsr_tuple tsr_max_alignment(tsr_layout l)
{
    tsr_layout flat = tsr_has_basis(&l.stride) ? tsr_first_along_(&l) : tsr_layout_inner(l);
    flat = tsr_layout_coalesce(flat);
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
    tsr_layout const inverse = tsr_right_inverse(flat);
    tsr_layout parts = TSR_ZERO;
    tsr_divide_whole_(&parts, &flat, &inverse);
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
