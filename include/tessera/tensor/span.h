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

TSR_API tsr_bit_range_ tsr_bit_range_of_(tsr_engine const *e, tsr_ends const *ends, uint64_t address);

/** The bits that a tensor takes behind an address: of a swizzled pointer by its elements, up to TSR_LAW_BUDGET. */
TSR_HOST tsr_bit_range_ tsr_bits_taken_(tsr_tensor const *t, tsr_ends const *ends, uint64_t address)
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
TSR_HOST tsr_reason tsr_within(tsr_tensor t, void const *base, uint64_t bytes)
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

TSR_API tsr_reason tsr_in_bounds_(tsr_tensor const *t);

/** Whether all elements of a tensor lie in its bounds; if not, from which element to which it reaches, and which of
 *  them are there. */
TSR_TRY tsr_reason tsr_in_bounds(tsr_tensor t);

/** Whether all elements of a tensor can be read, and written: what algorithms ask first. */
TSR_API tsr_reason tsr_all_readable_(tsr_tensor const *t);

TSR_API tsr_reason tsr_all_writable_(tsr_tensor const *t);

/** Whether the address of a tensor is a multiple of `bytes`, a power of two. */
TSR_TRY tsr_reason tsr_aligned(tsr_tensor t, int64_t bytes);

TSR_API tsr_reason tsr_disjoint_(tsr_tensor const *a, tsr_tensor const *b);

/** Whether two tensors have no bit of memory in common, inside of their bounds. Ranges that do not meet prove it, and
 *  steps of both that keep their elements apart (even and odd ones); then small tensors are compared element by
 *  element. Anything else counts as shared. */
TSR_TRY tsr_reason tsr_disjoint(tsr_tensor a, tsr_tensor b);

TSR_HEADER_END

#endif
