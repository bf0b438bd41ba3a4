/** The bodies of tensor/reach.h. */
#ifndef TSR_TENSOR_BODY_REACH_H
#define TSR_TENSOR_BODY_REACH_H

#include "tessera/tensor/reach.h"
#include "tessera/tensor/body/engine.h"

TSR_HEADER_BEGIN

/** Returns the number of offsets in a block that the swizzles of a layout permute, a power of two. */
TSR_LOCAL int64_t tsr_swizzle_block_(tsr_layout const *l)
{
    return (int64_t)1 << tsr_max64(tsr_swizzle_width_(l->swizzle), tsr_swizzle_width_(l->outer_swizzle));
}

/** Does a layout take every offset from low to high, whole blocks of its swizzles? Then these permute them. */
TSR_LOCAL bool tsr_fills_blocks_(tsr_layout const *l, int64_t low, int64_t high)
{
    int64_t const block = tsr_swizzle_block_(l), offset = tsr_leaf_value(l->offset);
    int64_t filled = 1;
    for (bool found = true; found;) { /* the mode whose stride is what the smaller ones fill */
        found = false;
        for (int i = 0; i < l->shape.leaves && !found; ++i) {
            found = l->shape.leaf[i].value > 1 && l->stride.leaf[i].value == filled;
            filled *= found ? l->shape.leaf[i].value : 1;
        }
    }
    return low == 0 && filled == high + 1 && filled % block == 0 && offset == 0
           && (!l->twice || tsr_leaf_value(l->outer_offset) == 0);
}

/** The greatest offset behind the swizzles, or the least one. Swizzles permute blocks, so only plain offsets in the
 *  block of `end`, the outermost one, are tried. After TSR_LAW_BUDGET of these the result is the end of the block,
 *  which may lie further out. */
TSR_LOCAL int64_t tsr_swizzled_end_(tsr_layout const *l, int64_t end, bool greatest)
{
    int64_t const block = tsr_swizzle_block_(l), offset = tsr_leaf_value(l->offset);
    int64_t const moved = l->twice ? tsr_leaf_value(l->outer_offset) : 0, first = tsr_floor_(end + offset, block);
    int64_t const slack = moved != 0 ? TSR_INT_MAX
                          : greatest ? end + offset - first
                                     : first + block - 1 - end - offset;
    int64_t digit[TSR_MAX_LEAVES] = {0}, loss = 0, r = tsr_finish_(l, (uint64_t)end);
    for (int64_t tried = 0; tried < TSR_LAW_BUDGET; ++tried) {
        int64_t const at = tsr_finish_(l, (uint64_t)(greatest ? end - loss : end + loss));
        int i = 0;
        r = greatest ? tsr_max64(r, at) : tsr_min64(r, at);
        for (; i < l->shape.leaves; ++i) {
            int64_t const step = (int64_t)tsr_abs64(l->stride.leaf[i].value);
            loss += step;
            if (step != 0 && ++digit[i] < l->shape.leaf[i].value && loss <= slack)
                break;
            loss -= digit[i] * step;
            digit[i] = 0;
        }
        if (i == l->shape.leaves)
            return r;
    }
    return tsr_floor_(end + offset + moved, block) + (greatest ? block - 1 : 0);
}

TSR_OP tsr_ends tsr_ends_of(tsr_layout const *l)
{
    tsr_ends r = TSR_ZERO;
    int64_t reach = 0;
    if (l->shape.status || tsr_has_basis(&l->stride)) {
        r.why = l->shape.status ? tsr_tuple_why(l->shape) : tsr_because(TSR_BASIS, 0, 0, 0, 0);
        return r;
    }
    for (int i = 0; i < l->shape.leaves; ++i) {
        int64_t const n = l->shape.leaf[i].value, d = l->stride.leaf[i].value;
        int64_t *const end = d < 0 ? &r.low : &r.high;
        if (l->shape.leaf[i].kind == TSR_UNIT)
            continue;
        if (!tsr_mul64(n - 1, d, &reach) || !tsr_add64(*end, reach, end)) {
            r.why = tsr_because(TSR_OVERFLOW, i, d, 0, 0);
            return r;
        }
    }
    if (l->composed && !tsr_fills_blocks_(l, r.low, r.high)) {
        r.low = tsr_swizzled_end_(l, r.low, false);
        r.high = tsr_swizzled_end_(l, r.high, true);
    }
    return r;
}

TSR_OP tsr_tuple tsr_span(tsr_layout l)
{
    tsr_ends const ends = tsr_ends_of(&l);
    return ends.why.status ? tsr_reason_tuple(ends.why) : tsr_t(ends.low, ends.high);
}

TSR_OP tsr_engine tsr_bounded(tsr_engine e, tsr_layout const *l)
{
    int64_t first = 0, last = 0;
    int const width = tsr_dtype_bits(e.type);
    if (e.at.status || e.kind != TSR_POINTER || e.end != 0 || l->shape.status || tsr_has_basis(&l->stride))
        return e;
    tsr_ends const ends = tsr_ends_of(l);
    if (ends.why.status || !tsr_mul64(ends.low, width, &first) || !tsr_mul64(ends.high, width, &last)
        || !tsr_add64(first, e.bit, &first) || !tsr_add64(last, width + e.bit + 7, &last))
        return tsr_engine_bounded(e, e.address, 0); /* beyond all addresses: nothing of it can be touched */
    int64_t const block = e.swizzle.bits == 0 ? 1 : (int64_t)1 << tsr_swizzle_width_(e.swizzle); /* of addresses */
    int64_t const past = (int64_t)(e.address % (uint64_t)block);
    int64_t const begin = tsr_floor_(past + tsr_floor_(first, 8) / 8, block) - past;
    int64_t const end = tsr_floor_(past + tsr_floor_(last, 8) / 8 + block - 1, block) - past;
    return tsr_engine_bounded(e, e.address + (uint64_t)begin, (uint64_t)(end - begin));
}

TSR_HEADER_END

#endif
