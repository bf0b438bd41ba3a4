/** The functions of tensor/span.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TENSOR_SPAN_H
#define TSR_SRC_TENSOR_SPAN_H

#include "tessera/tensor/span.h"
#include "tessera/tensor/body/tensor.h"

TSR_API tsr_bit_range_ tsr_bit_range_of_(tsr_engine const *e, tsr_ends const *ends, uint64_t address)
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

TSR_API tsr_reason tsr_in_bounds_(tsr_tensor const *t)
{
    int64_t first = 0, last = 0;
    tsr_reason const why = tsr_tensor_why_(t);
    if (why.status || !tsr_bounds_(&t->engine, &first, &last))
        return why;
    tsr_ends const ends = tsr_ends_of(&t->layout);
    if (ends.why.status || (first <= ends.low && ends.high < last))
        return ends.why;
    return tsr_out_of_bounds_(ends.low, ends.high, first, last);
}

TSR_API tsr_reason tsr_in_bounds(tsr_tensor t) { return tsr_in_bounds_(&t); }

TSR_API tsr_reason tsr_all_readable_(tsr_tensor const *t)
{
    return tsr_reason_or(tsr_readable_(t), tsr_in_bounds_(t));
}

TSR_API tsr_reason tsr_all_writable_(tsr_tensor const *t)
{
    return tsr_reason_or(tsr_writable_(t), tsr_in_bounds_(t));
}

TSR_API tsr_reason tsr_aligned(tsr_tensor t, int64_t bytes)
{
    tsr_reason const r = tsr_readable_(&t);
    if (r.status || t.engine.kind != TSR_POINTER)
        return r;
    int64_t const past = (int64_t)(t.engine.address % (uint64_t)bytes);
    return past != 0 || t.engine.bit != 0 ? tsr_because(TSR_MISALIGNED, 0, past, bytes, 0) : r;
}

/** The bits that all steps between elements of a tensor are multiples of; 0 when it has one element. */
static int64_t tsr_grain_(tsr_tensor const *t)
{
    int64_t g = 0;
    for (int i = 0; i < t->layout.shape.leaves; ++i)
        if (t->layout.shape.leaf[i].value > 1)
            g = tsr_gcd64(g, t->layout.stride.leaf[i].value);
    return g * tsr_dtype_bits(t->engine.type);
}

/** The elements of a tensor that lie in its bounds, or all: no other is touched. */
static tsr_ends tsr_touched_(tsr_tensor const *t)
{
    tsr_ends r = tsr_ends_of(&t->layout);
    int64_t first = 0, last = 0;
    if (!r.why.status && tsr_bounds_(&t->engine, &first, &last)) {
        r.low = tsr_max64(r.low, first);
        r.high = tsr_min64(r.high, last - 1);
    }
    return r;
}

TSR_API tsr_reason tsr_disjoint_(tsr_tensor const *a, tsr_tensor const *b)
{
    if (a->engine.kind != TSR_POINTER || b->engine.kind != TSR_POINTER)
        return tsr_no_reason();
    tsr_ends const sa = tsr_touched_(a), sb = tsr_touched_(b);
    if (sa.why.status || sb.why.status)
        return tsr_reason_or(sa.why, sb.why);
    uint64_t const from = a->engine.address;
    int64_t const wa = tsr_dtype_bits(a->engine.type), wb = tsr_dtype_bits(b->engine.type);
    int64_t const bytes = (int64_t)(b->engine.address - from), remote = TSR_INT_MAX / 1024;
    if (bytes > remote || bytes < -remote || sa.high - sa.low > remote || sb.high - sb.low > remote
        || tsr_abs64(sa.low) > (uint64_t)remote || tsr_abs64(sb.low) > (uint64_t)remote
        || tsr_swizzle_width_(a->engine.swizzle) > TSR_SWIZZLE_WIDEST_
        || tsr_swizzle_width_(b->engine.swizzle) > TSR_SWIZZLE_WIDEST_)
        return tsr_because(TSR_OVERFLOW, 0, bytes, 0, 0);
    bool const moved =
        a->layout.composed || b->layout.composed || a->engine.swizzle.bits > 0 || b->engine.swizzle.bits > 0;
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

TSR_API tsr_reason tsr_disjoint(tsr_tensor a, tsr_tensor b) { return tsr_disjoint_(&a, &b); }

#endif
