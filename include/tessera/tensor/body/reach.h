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
    int64_t const last =
        greatest ? block - 1 : 0; /* of a block: there the inner swizzle may end, and so the outer one */
    return tsr_floor_(first + last + moved, block) + last;
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

/** Moves the ends of a range of positions by (extent - 1)*stride, or to the end of all numbers. */
TSR_LOCAL void tsr_reach_on_(int64_t *low, int64_t *high, int64_t extent, int64_t stride)
{
    int64_t way = 0;
    if (!tsr_mul64(extent - 1, stride, &way) || way > TSR_INT_MAX / 64 || way < -TSR_INT_MAX / 64)
        way = stride < 0 ? -TSR_INT_MAX / 64 : TSR_INT_MAX / 64;
    *(way < 0 ? low : high) += way;
}

TSR_OP tsr_reason tsr_tmem_reached_(tsr_engine const *e, tsr_layout const *l)
{
    int64_t const parts = 32 / tsr_dtype_bits(e->type); /* of a column */
    int64_t const lane = 65536 * parts, columns = 512 * parts;
    uint32_t const part = (uint32_t)e->address / (uint32_t)(65536 / parts) / 65536u; /* in the highest bits */
    int64_t at[2] = {(int64_t)(e->address >> 16) & (65536 / parts - 1),
                     (int64_t)(e->address & 0xffff) * parts + part};
    int64_t last[2] = {at[0], at[1]};
    for (int i = 0; !l->composed && i < l->shape.leaves; ++i) {
        int64_t const stride = l->stride.leaf[i].value, extent = l->shape.leaf[i].value;
        if (stride % lane == 0)
            tsr_reach_on_(&at[0], &last[0], extent, stride / lane);
        else if (-columns < stride && stride < columns)
            tsr_reach_on_(&at[1], &last[1], extent, stride);
    }
    if (at[0] >= 0 && at[1] >= 0 && last[0] < 128 && last[1] < columns)
        return tsr_no_reason();
    return tsr_because(TSR_TENSOR_MEMORY, 0, at[0] < 0 ? at[0] : last[0],
                       tsr_floor_(at[1] < 0 ? at[1] : last[1], parts) / parts, 0);
}

/** The least multiple of a power of two at or below x. */
TSR_LOCAL int64_t tsr_floor_pow2_(int64_t x, int64_t n) { return (int64_t)((uint64_t)x & -(uint64_t)n); }

/** The first byte that a layout reaches from a pointer on, and the one behind the last, counted from it. False: they
 *  lie beyond all addresses. */
TSR_LOCAL bool tsr_bytes_reached_(tsr_engine const *e, tsr_layout const *l, int64_t *first, int64_t *last)
{
    int const width = tsr_dtype_bits(e->type);
    tsr_ends const ends = tsr_ends_of(l);
    if (ends.why.status || !tsr_mul64(ends.low, width, first) || !tsr_mul64(ends.high, width, last)
        || !tsr_add64(*first, e->bit, first) || !tsr_add64(*last, width + e->bit + 7, last))
        return false;
    *first = tsr_floor_pow2_(*first, 8) / 8;
    *last = tsr_floor_pow2_(*last, 8) / 8;
    return true;
}

/** tsr_bounded in place. */
TSR_LOCAL void tsr_bound_(tsr_engine *e, tsr_layout const *l)
{
    int64_t begin = 0, end = 0;
    if (e->at.status || e->kind != TSR_POINTER || e->end != 0 || l->shape.status || tsr_has_basis(&l->stride))
        return;
    if (e->space == TSR_TMEM) {
        tsr_reason const why = tsr_tmem_reached_(e, l);
        e->at = why.status ? tsr_reason_tuple(why) : e->at;
        return;
    }
    if (!tsr_bytes_reached_(e, l, &begin, &end)) {
        begin = end = 0;               /* nothing of it can be touched */
    } else if (e->swizzle.bits != 0) { /* whole blocks of addresses, which a swizzle permutes */
        int64_t const block = (int64_t)1 << tsr_swizzle_width_(e->swizzle);
        int64_t const past = (int64_t)(e->address & (uint64_t)(block - 1));
        begin = tsr_floor_pow2_(past + begin, block) - past;
        end = tsr_floor_pow2_(past + end + block - 1, block) - past;
    }
    e->begin = e->address + (uint64_t)begin;
    e->end = e->address + (uint64_t)end;
}

TSR_OP tsr_engine tsr_bounded(tsr_engine e, tsr_layout const *l)
{
    tsr_bound_(&e, l);
    return e;
}

TSR_HEADER_END

#endif
