/** Span: which memory a tensor touches, computed from its modes.
 *
 *  Law     the span of a layout is its least and its greatest offset, both reached.
 *  Errors  SPAN, MISALIGNED, OVERLAP, NULL_DATA.
 */
#ifndef TSR_TENSOR_SPAN_H
#define TSR_TENSOR_SPAN_H

#include "tessera/tensor/access.h"
#include "tessera/tensor/walk.h"

/** The bits that a swizzle reads or writes are below this one. */
TSR_FN int64_t tsr_swizzle_width_(tsr_swizzle sw)
{
    return sw.bits == 0 ? 0 : sw.bits + sw.base + (sw.shift < 0 ? -sw.shift : sw.shift);
}

/** The next multiple of n at or below x. */
TSR_FN int64_t tsr_floor_(int64_t x, int64_t n) { return x - ((x % n) + n) % n; }

/** The least and the greatest offset, (min,max). A swizzled layout's are found by walking it; one of more than
 *  TSR_LAW_BUDGET elements gets the ends of the blocks that its swizzle permutes, which may lie further out.
 *  Example  span((4,2):(1,-8))  =  (-8,3) */
TSR_FN tsr_tuple tsr_span(tsr_layout l)
{
    int64_t low = 0, high = 0, reach = 0;
    if (l.shape.status || tsr_has_basis_(&l.stride))
        return l.shape.status ? l.shape : tsr_bad_tuple(TSR_BASIS, 0, 0, 0, 0);
    int64_t const size = tsr_layout_size(l);
    for (int i = 0; i < l.shape.leaves; ++i) {
        int64_t const n = l.shape.leaf[i].value, d = l.stride.leaf[i].value;
        int64_t *const end = d < 0 ? &low : &high;
        if (l.shape.leaf[i].kind == TSR_UNIT)
            continue;
        if (!tsr_mul64(n - 1, d, &reach) || !tsr_add64(*end, reach, end))
            return tsr_bad_tuple(TSR_OVERFLOW, i, d, 0, 0);
    }
    if (l.composed && size <= TSR_LAW_BUDGET) {
        tsr_walk w = tsr_walk_begin(l);
        low = high = w.offset;
        for (int64_t i = 1; i < size; ++i) {
            tsr_walk_next(&w);
            low = tsr_min64(low, w.offset);
            high = tsr_max64(high, w.offset);
        }
    } else if (l.composed) { /* the swizzles permute blocks of a power of two */
        int64_t const block = (int64_t)1
                              << tsr_max64(tsr_swizzle_width_(l.swizzle), tsr_swizzle_width_(l.outer_swizzle));
        int64_t const offset = tsr_leaf_value(l.offset) + (l.twice ? tsr_leaf_value(l.outer_offset) : 0);
        low = tsr_floor_(low + offset, block);
        high = tsr_floor_(high + offset, block) + block - 1;
    }
    return tsr_t(low, high);
}

/** Whether a tensor stays within `bytes` bytes at `base`; if not, from which element to which it reaches. */
TSR_INLINE tsr_tuple tsr_within(tsr_tensor t, void const *base, uint64_t bytes)
{
    tsr_tuple const r = tsr_readable(t), span = tsr_span(t.layout);
    int const width = tsr_dtype_bits(t.engine.type);
    if (r.status || span.status || t.engine.kind != TSR_POINTER)
        return r.status ? r : span.status ? span : tsr_s(1);
    int64_t start = 0, first = 0, last = 0; /* bits */
    bool const known = tsr_mul64((int64_t)(t.engine.address - (uint64_t)(uintptr_t)base), 8, &start)
                    && tsr_mul64(span.leaf[0].value, width, &first) && tsr_mul64(span.leaf[1].value, width, &last)
                    && tsr_add64(start, t.engine.bit, &start) && tsr_add64(first, start, &first)
                    && tsr_add64(last, start, &last) && tsr_add64(last, width, &last);
    if (!known)
        return tsr_bad_tuple(TSR_OVERFLOW, 0, span.leaf[1].value, 0, 0);
    if (first >= 0 && (uint64_t)(last + 7) / 8 <= bytes)
        return tsr_s(1);
    uint64_t const whole = bytes / (uint64_t)width * 8 + bytes % (uint64_t)width * 8 / (uint64_t)width;
    return tsr_bad_tuple(TSR_SPAN, 0, first / width, last / width - 1, (int64_t)whole);
}

/** Whether the address of a tensor is a multiple of `bytes`, a power of two. */
TSR_INLINE tsr_tuple tsr_aligned(tsr_tensor t, int64_t bytes)
{
    tsr_tuple const r = tsr_readable(t);
    if (r.status || t.engine.kind != TSR_POINTER)
        return r.status ? r : tsr_s(1);
    int64_t const past = (int64_t)(t.engine.address % (uint64_t)bytes);
    return past != 0 || t.engine.bit != 0 ? tsr_bad_tuple(TSR_MISALIGNED, 0, past, bytes, 0) : tsr_s(1);
}

/** The bits that all steps between elements of a tensor are multiples of; 0 when it has one element. */
TSR_FN int64_t tsr_grain_(tsr_tensor const *t)
{
    int64_t g = 0;
    for (int i = 0; i < t->layout.shape.leaves; ++i)
        if (t->layout.shape.leaf[i].value > 1)
            g = tsr_gcd64(g, t->layout.stride.leaf[i].value);
    return g * tsr_dtype_bits(t->engine.type);
}

/** Whether two tensors have no bit of memory in common. Ranges that do not meet prove it, and steps of both that keep
 *  their elements apart (even and odd ones); then small tensors are compared element by element. Anything else counts
 *  as shared. */
TSR_INLINE tsr_tuple tsr_disjoint(tsr_tensor a, tsr_tensor b)
{
    if (a.engine.kind != TSR_POINTER || b.engine.kind != TSR_POINTER)
        return tsr_s(1);
    tsr_tuple const sa = tsr_span(a.layout), sb = tsr_span(b.layout);
    if (sa.status || sb.status)
        return sa.status ? sa : sb;
    int64_t const wa = tsr_dtype_bits(a.engine.type), wb = tsr_dtype_bits(b.engine.type);
    int64_t const bytes = (int64_t)(b.engine.address - a.engine.address), far = TSR_INT_MAX / 1024;
    if (bytes > far || bytes < -far || sa.leaf[1].value - sa.leaf[0].value > far
        || sb.leaf[1].value - sb.leaf[0].value > far || tsr_abs64(sa.leaf[0].value) > (uint64_t)far
        || tsr_abs64(sb.leaf[0].value) > (uint64_t)far)
        return tsr_bad_tuple(TSR_OVERFLOW, 0, bytes, 0, 0);
    int64_t const apart = bytes * 8 + b.engine.bit - a.engine.bit;
    int64_t const a0 = sa.leaf[0].value * wa, a1 = (sa.leaf[1].value + 1) * wa;
    int64_t const b0 = sb.leaf[0].value * wb + apart, b1 = (sb.leaf[1].value + 1) * wb + apart;
    int64_t const shared = tsr_min64(a1, b1) - tsr_max64(a0, b0);
    int64_t const step = a.layout.composed || b.layout.composed ? 1 : tsr_gcd64(tsr_grain_(&a), tsr_grain_(&b));
    int64_t const from_a = step > 0 ? apart - tsr_floor_(apart, step) : 0; /* b's first element, modulo the step */
    if (shared <= 0 || (from_a >= wa && step - from_a >= wb))
        return tsr_s(1);
    int64_t const n = tsr_layout_size(a.layout), m = tsr_layout_size(b.layout);
    if (n > TSR_LAW_BUDGET || m > TSR_LAW_BUDGET / n)
        return tsr_bad_tuple(TSR_OVERLAP, 0, (shared + 7) / 8, 0, 0);
    tsr_walk x = tsr_walk_begin(a.layout);
    for (int64_t i = 0; i < n; ++i, tsr_walk_next(&x)) {
        tsr_walk y = tsr_walk_begin(b.layout);
        for (int64_t j = 0; j < m; ++j, tsr_walk_next(&y)) {
            int64_t const p = x.offset * wa, q = y.offset * wb + apart;
            if (p < q + wb && q < p + wa)
                return tsr_bad_tuple(TSR_OVERLAP, 0, (shared + 7) / 8, 0, 0);
        }
    }
    return tsr_s(1);
}

#endif
