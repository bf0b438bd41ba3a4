/** Reach: which offsets a layout takes, and which bytes the part of a tensor may touch.
 *
 *  A tensor over a pointer may touch the bytes that its layout reaches. Each part of it (a slice, a tile, a partition,
 *  a recast, the same layout from a coordinate on) keeps these bytes as its bounds. So a ragged tile, whose layout goes
 *  on behind the edge, is refused there. A pointer of its own has no bounds.
 *
 *  Law     the span of a layout is its least and its greatest offset, both reached; the bounds of a part are those of
 *          the tensor that it was taken from.
 */
#ifndef TSR_TENSOR_REACH_H
#define TSR_TENSOR_REACH_H

#include "tessera/tensor/engine.h"
#include "tessera/tensor/walk.h"

TSR_HEADER_BEGIN

/** The bits that a swizzle reads or writes are below this one. */
TSR_FN int64_t tsr_swizzle_width_(tsr_swizzle sw)
{
    return sw.bits == 0 ? 0 : sw.bits + sw.base + (sw.shift < 0 ? -sw.shift : sw.shift);
}

/** The next multiple of n at or below x. */
TSR_FN int64_t tsr_floor_(int64_t x, int64_t n) { return x - ((x % n) + n) % n; }

/** The least and the greatest offset of a layout, at which its elements end. */
typedef struct tsr_ends {
    int64_t low, high;
    tsr_reason why;
} tsr_ends;

/** The least and the greatest offset of a layout. */
TSR_OP tsr_ends tsr_ends_of(tsr_layout const *l);

/** The least and the greatest offset, (min,max); of a swizzled layout found among those of its outermost blocks.
 *  Example  span((4,2):(1,-8))  =  (-8,3) */
TSR_OP tsr_tuple tsr_span(tsr_layout l);

/** Why a layout does not fit into tensor memory from a pointer on: 128 lanes of 512 columns of 32 bits. Modes along a
 *  lane and modes of whole lanes are counted; another stride is an address that goes on as CuTe counts it. */
TSR_OP tsr_reason tsr_tmem_reached_(tsr_engine const *e, tsr_layout const *l);

/** A pointer that may touch `bytes` bytes from an address on, and no others. */
TSR_FN tsr_engine tsr_engine_bounded(tsr_engine e, uint64_t address, uint64_t bytes)
{
    if (e.kind == TSR_POINTER && e.space != TSR_TMEM) {
        e.begin = address;
        e.end = address + bytes;
    }
    return e;
}

/** A pointer with the bounds that it has, or else with those of what a layout reaches from it on. */
TSR_OP tsr_engine tsr_bounded(tsr_engine e, tsr_layout const *l);

/** How many bits a byte lies behind the one that a pointer points into; further than any element, where it is
 *  further. */
TSR_FN int64_t tsr_bits_behind_(tsr_engine const *e, uint64_t address)
{
    int64_t const most = TSR_INT_MAX / 8 - 16, bytes = (int64_t)(address - e->address);
    return tsr_max64(tsr_min64(bytes, most), -most) * 8 - e->bit;
}

/** The elements, counted from the one that a pointer points to, that lie inside of its bounds: from *first to *last -
 *  1. False where it has none. */
TSR_FN bool tsr_bounds_(tsr_engine const *e, int64_t *first, int64_t *last)
{
    int64_t const width = tsr_dtype_bits(e->type);
    int64_t const low = tsr_bits_behind_(e, e->begin), high = tsr_bits_behind_(e, e->end);
    if (e->kind != TSR_POINTER || e->end == 0)
        return false;
    *first = -(tsr_floor_(-low, width) / width);
    *last = tsr_floor_(high, width) / width;
    return true;
}

/** Elements low to high lie not all in first to last - 1: the reason counts them from the first that is there. */
TSR_FN tsr_reason tsr_out_of_bounds_(int64_t low, int64_t high, int64_t first, int64_t last)
{
    if (!tsr_add64(low, -first, &low))
        low = low < 0 ? -TSR_INT_MAX : TSR_INT_MAX;
    if (!tsr_add64(high, -first, &high))
        high = high < 0 ? -TSR_INT_MAX : TSR_INT_MAX;
    return tsr_because(TSR_BOUNDS, 0, low, high, last - first);
}

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tensor/body/reach.h"
#endif

#endif
