/** Span: which memory a tensor touches: does it stay in a buffer, is it aligned, does it meet another.
 *
 *  Errors  SPAN, BOUNDS, MISALIGNED, OVERLAP, NULL_DATA.
 */
#ifndef TSR_TENSOR_SPAN_H
#define TSR_TENSOR_SPAN_H

#include "tessera/tensor/access.h"

TSR_HEADER_BEGIN

/** Blocks of more address bits are not looked at. */
#define TSR_SWIZZLE_WIDEST_ 48

/** How many bits element k of a pointer begins behind an address. */
TSR_FN int64_t tsr_bits_from_(tsr_engine const *e, int64_t k, uint64_t address)
{
    int64_t const distance = k * tsr_dtype_bits(e->type) + e->bit;
    uint64_t const byte = tsr_swizzle_apply(e->swizzle, e->address + (uint64_t)(distance >> 3));
    return (int64_t)(byte - address) * 8 + (distance & 7);
}

/** The bits behind an address that the elements from low to high may take: whole blocks behind a swizzle. */
typedef struct tsr_bit_range_ {
    int64_t begin, end;
} tsr_bit_range_;

TSR_FN tsr_bit_range_ tsr_bit_range_of_(tsr_engine const *e, tsr_ends const *ends, uint64_t address)
{
    tsr_engine plain = *e;
    tsr_bit_range_ r = TSR_ZERO;
    plain.swizzle.bits = 0;
    r.begin = tsr_bits_from_(&plain, ends->low, address);
    r.end = tsr_bits_from_(&plain, ends->high, address) + tsr_dtype_bits(e->type);
    if (e->swizzle.bits > 0) {
        int64_t const block = (int64_t)8 << tsr_swizzle_width_(e->swizzle);
        int64_t const past = (int64_t)(address % (uint64_t)(block / 8)) * 8;
        r.begin = tsr_floor_(r.begin + past, block) - past;
        r.end = tsr_floor_(r.end + past - 1, block) + block - past + tsr_dtype_bits(e->type);
    }
    return r;
}

/** The bits that a tensor takes behind an address: of a swizzled pointer by its elements, up to TSR_LAW_BUDGET. */
TSR_INLINE tsr_bit_range_ tsr_bits_taken_(tsr_tensor const *t, tsr_ends const *ends, uint64_t address)
{
    tsr_bit_range_ r = tsr_bit_range_of_(&t->engine, ends, address);
    int64_t const n = tsr_layout_size(t->layout);
    if (t->engine.swizzle.bits == 0 || n > TSR_LAW_BUDGET)
        return r;
    tsr_walk x = tsr_walk_begin(t->layout);
    for (int64_t i = 0; i < n; ++i, tsr_walk_next(&x)) {
        int64_t const at = tsr_bits_from_(&t->engine, x.offset, address), end = at + tsr_dtype_bits(t->engine.type);
        r.begin = i == 0 ? at : tsr_min64(r.begin, at);
        r.end = i == 0 ? end : tsr_max64(r.end, end);
    }
    return r;
}

/** Whether a tensor stays within `bytes` bytes at `base`; if not, from which element to which it reaches. */
TSR_INLINE tsr_reason tsr_within(tsr_tensor t, void const *base, uint64_t bytes)
{
    tsr_reason const r = tsr_readable_(&t);
    tsr_ends const ends = tsr_ends_of(&t.layout);
    int const width = tsr_dtype_bits(t.engine.type);
    if (r.status || ends.why.status || t.engine.kind != TSR_POINTER)
        return tsr_reason_or(r, ends.why);
    int64_t start = 0, first = 0, last = 0; /* bits */
    bool const known = tsr_mul64((int64_t)(t.engine.address - (uint64_t)(uintptr_t)base), 8, &start)
                    && tsr_mul64(ends.low, width, &first) && tsr_mul64(ends.high, width, &last)
                    && tsr_add64(start, t.engine.bit, &start) && tsr_add64(first, start, &first)
                    && tsr_add64(last, start, &last) && tsr_add64(last, width, &last)
                    && tsr_swizzle_width_(t.engine.swizzle) <= TSR_SWIZZLE_WIDEST_;
    if (!known)
        return tsr_because(TSR_OVERFLOW, 0, ends.high, 0, 0);
    if (t.engine.swizzle.bits > 0) {
        tsr_bit_range_ const taken = tsr_bits_taken_(&t, &ends, (uint64_t)(uintptr_t)base);
        first = taken.begin;
        last = taken.end;
    }
    if (first >= 0 && (uint64_t)(last + 7) / 8 <= bytes)
        return tsr_no_reason();
    uint64_t const whole = bytes / (uint64_t)width * 8 + bytes % (uint64_t)width * 8 / (uint64_t)width;
    return tsr_because(TSR_SPAN, 0, first / width, last / width - 1, (int64_t)whole);
}

TSR_FN tsr_reason tsr_in_bounds_(tsr_tensor const *t)
{
    int64_t first = 0, last = 0;
    tsr_reason const why = tsr_tensor_why_(t);
    if (why.status || !tsr_bounds_(&t->engine, &first, &last))
        return why;
    tsr_ends const ends = tsr_ends_of(&t->layout);
    if (ends.why.status || (first <= ends.low && ends.high < last))
        return ends.why;
    tsr_reason r = tsr_because(TSR_BOUNDS, 0, ends.low, ends.high, first);
    r.number[3] = last - 1;
    return r;
}

/** Whether all elements of a tensor lie in its bounds; if not, from which element to which it reaches, and which of
 *  them are there. */
TSR_FN tsr_reason tsr_in_bounds(tsr_tensor t) { return tsr_in_bounds_(&t); }

/** Whether all elements of a tensor can be read, and written: what algorithms ask first. */
TSR_FN tsr_reason tsr_all_readable_(tsr_tensor const *t)
{
    return tsr_reason_or(tsr_readable_(t), tsr_in_bounds_(t));
}

TSR_FN tsr_reason tsr_all_writable_(tsr_tensor const *t)
{
    return tsr_reason_or(tsr_writable_(t), tsr_in_bounds_(t));
}

/** Whether the address of a tensor is a multiple of `bytes`, a power of two. */
TSR_INLINE tsr_reason tsr_aligned(tsr_tensor t, int64_t bytes)
{
    tsr_reason const r = tsr_readable_(&t);
    if (r.status || t.engine.kind != TSR_POINTER)
        return r;
    int64_t const past = (int64_t)(t.engine.address % (uint64_t)bytes);
    return past != 0 || t.engine.bit != 0 ? tsr_because(TSR_MISALIGNED, 0, past, bytes, 0) : r;
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

/** The elements of a tensor that lie in its bounds, or all: no other is touched. */
TSR_FN tsr_ends tsr_touched_(tsr_tensor const *t)
{
    tsr_ends r = tsr_ends_of(&t->layout);
    int64_t first = 0, last = 0;
    if (!r.why.status && tsr_bounds_(&t->engine, &first, &last)) {
        r.low = tsr_max64(r.low, first);
        r.high = tsr_min64(r.high, last - 1);
    }
    return r;
}

TSR_INLINE tsr_reason tsr_disjoint_(tsr_tensor const *a, tsr_tensor const *b)
{
    if (a->engine.kind != TSR_POINTER || b->engine.kind != TSR_POINTER)
        return tsr_no_reason();
    tsr_ends const sa = tsr_touched_(a), sb = tsr_touched_(b);
    if (sa.why.status || sb.why.status)
        return tsr_reason_or(sa.why, sb.why);
    uint64_t const from = a->engine.address;
    int64_t const wa = tsr_dtype_bits(a->engine.type), wb = tsr_dtype_bits(b->engine.type);
    int64_t const bytes = (int64_t)(b->engine.address - from), remote = TSR_INT_MAX / 1024;
    if (bytes > remote || bytes < -remote || sa.high - sa.low > remote
        || sb.high - sb.low > remote || tsr_abs64(sa.low) > (uint64_t)remote
        || tsr_abs64(sb.low) > (uint64_t)remote || tsr_swizzle_width_(a->engine.swizzle) > TSR_SWIZZLE_WIDEST_
        || tsr_swizzle_width_(b->engine.swizzle) > TSR_SWIZZLE_WIDEST_)
        return tsr_because(TSR_OVERFLOW, 0, bytes, 0, 0);
    bool const moved = a->layout.composed || b->layout.composed || a->engine.swizzle.bits > 0
                    || b->engine.swizzle.bits > 0;
    int64_t const apart = bytes * 8 + b->engine.bit - a->engine.bit;
    tsr_bit_range_ const ra = tsr_bit_range_of_(&a->engine, &sa, from), rb = tsr_bit_range_of_(&b->engine, &sb, from);
    int64_t const shared = tsr_min64(ra.end, rb.end) - tsr_max64(ra.begin, rb.begin);
    int64_t const step = moved ? 1 : tsr_gcd64(tsr_grain_(a), tsr_grain_(b));
    int64_t const from_a = step > 0 ? apart - tsr_floor_(apart, step) : 0; /* b's first element, modulo the step */
    if (shared <= 0 || (from_a >= wa && step - from_a >= wb))
        return tsr_no_reason();
    int64_t const n = tsr_layout_size(a->layout), m = tsr_layout_size(b->layout);
    if (n > TSR_LAW_BUDGET || m > TSR_LAW_BUDGET / n)
        return tsr_because(TSR_OVERLAP, 0, (shared + 7) / 8, 0, 0);
    tsr_walk x = tsr_walk_begin(a->layout);
    for (int64_t i = 0; i < n; ++i, tsr_walk_next(&x)) {
        tsr_walk y = tsr_walk_begin(b->layout);
        int64_t const p = tsr_bits_from_(&a->engine, x.offset, from);
        for (int64_t j = 0; j < m && sa.low <= x.offset && x.offset <= sa.high; ++j, tsr_walk_next(&y)) {
            int64_t const q = tsr_bits_from_(&b->engine, y.offset, from);
            if (sb.low <= y.offset && y.offset <= sb.high && p < q + wb && q < p + wa)
                return tsr_because(TSR_OVERLAP, 0, (shared + 7) / 8, 0, 0);
        }
    }
    return tsr_no_reason();
}

/** Whether two tensors have no bit of memory in common, inside of their bounds. Ranges that do not meet prove it, and
 *  steps of both that keep their elements apart (even and odd ones); then small tensors are compared element by
 *  element. Anything else counts as shared. */
TSR_INLINE tsr_reason tsr_disjoint(tsr_tensor a, tsr_tensor b) { return tsr_disjoint_(&a, &b); }

TSR_HEADER_END

#endif
