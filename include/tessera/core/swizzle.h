/** Swizzle<B,M,S>: xor B bits of an offset into B others.
 *
 *      x = ....YYY....ZZZmmm      M low bits stay; Z, the next B bits, become Z xor Y; S is the distance from Z to Y
 *                                 (S < 0: Y lies below Z)
 *  Law     Sw(Sw(x)) = x, for |S| >= B.
 *  Source  CuTe, include/cute/swizzle.hpp.
 */
#ifndef TSR_CORE_SWIZZLE_H
#define TSR_CORE_SWIZZLE_H

#include "tessera/core/bits.h"
#include "tessera/core/layout.h"

TSR_HEADER_BEGIN

/** The nearest number of 32 bits: what is refused is never cut to one that would not be. */
TSR_FN int32_t tsr_nearest_int32_(int64_t a) { return (int32_t)tsr_min64(tsr_max64(a, -2147483647 - 1), 2147483647); }

/** An invalid swizzle: the reason and three numbers. */
TSR_FN tsr_swizzle tsr_bad_swizzle(tsr_status status, int64_t a, int64_t b, int64_t c)
{
    tsr_swizzle r = TSR_ZERO;
    r.status = (uint8_t)(status < 255 ? (int)status : 255);
    r.shift = (int8_t)((int)status - r.status); /* what a byte does not hold */
    r.number[0] = tsr_nearest_int32_(a);
    r.number[1] = tsr_nearest_int32_(b);
    r.number[2] = tsr_nearest_int32_(c);
    return r;
}

/** Why a swizzle is invalid; OK for a valid one. */
TSR_FN tsr_reason tsr_swizzle_why(tsr_swizzle sw)
{
    return tsr_because((tsr_status)(sw.status + (sw.status == 255 ? sw.shift : 0)), 0, sw.number[0], sw.number[1],
                       sw.number[2]);
}

TSR_FN tsr_tuple tsr_swizzle_reason_(tsr_swizzle sw) { return tsr_reason_tuple(tsr_swizzle_why(sw)); }

/** Sw<B,M,S>. Errors: SWIZZLE_BITS. */
TSR_EVAL tsr_swizzle tsr_make_swizzle(int64_t bits, int64_t base, int64_t shift)
{
    tsr_swizzle r = TSR_ZERO;
    int64_t const distance = shift < -30 || shift > 30 ? 31 : shift < 0 ? -shift : shift;
    if (bits < 0 || base < 0 || bits > 30 || base > 30 || distance < bits || bits + base + distance > 30)
        return tsr_bad_swizzle(TSR_SWIZZLE_BITS, bits, base, shift);
    r.bits = (int8_t)bits;
    r.base = (int8_t)base;
    r.shift = (int8_t)shift;
    return r;
}

/** The swizzle that xors the bits Y into the bits Z. Errors: SWIZZLE_MASKS. */
TSR_OP tsr_swizzle tsr_make_swizzle_masks(int64_t y, int64_t z);

/** Sw(x) of an integer or of partly static bits. */
TSR_INTERNAL tsr_leaf tsr_swizzle_leaf_(tsr_swizzle sw, tsr_leaf x);

TSR_OP tsr_tuple tsr_swizzle_at(tsr_swizzle sw, tsr_tuple x);

/** Two swizzles of the same shift, one after the other. */
TSR_OP tsr_swizzle tsr_composition_swizzles(tsr_swizzle a, tsr_swizzle b);

/** A swizzle is its own inverse. */
TSR_FN tsr_swizzle tsr_swizzle_inverse(tsr_swizzle sw) { return sw; }

TSR_OP tsr_tuple tsr_swizzle_equal(tsr_swizzle a, tsr_swizzle b);

/** The largest aligned group that a swizzle keeps together: 2^M. */
TSR_FN tsr_tuple tsr_swizzle_max_alignment(tsr_swizzle sw)
{
    return sw.status ? tsr_swizzle_reason_(sw) : tsr_s((int64_t)1 << sw.base);
}

/** The swizzle of elements n times as large, or n times as small; n is a power of two. */
TSR_OP tsr_swizzle tsr_swizzle_upcast(tsr_swizzle sw, int64_t n);

TSR_OP tsr_swizzle tsr_swizzle_downcast(tsr_swizzle sw, int64_t n);

/** Sw o offset o layout. The offset is an integer or partly static bits. It may be negative only where the swizzle does
 *  nothing. The layout gives integers and may be swizzled once already.
 *  Example  tsr_make_composed_layout(tsr_make_swizzle(3, 4, 3), tsr_s(0), tsr_make_layout(8, 1))  is  Sw<3,4,3> o _0 o 8:1
 */
TSR_EVAL tsr_layout tsr_make_composed_layout(tsr_swizzle sw, tsr_tuple offset, tsr_layout l)
{
    tsr_leaf const at = offset.leaf[0];
    bool const number = tsr_is_leaf(&offset) && (tsr_leaf_is_int(at) || at.kind == TSR_MIXED);
    tsr_layout r = l; /* what is read stays as it is, so that a literal folds */
    uint32_t units = 0;
    TSR_UNROLL for (int i = 0; i < TSR_MAX_LEAVES; ++i) units |= i < l.stride.leaves ? l.stride.leaf[i].aux : 0;
    if (!sw.status && offset.status)
        r.shape = offset;
    if (sw.status)
        r.shape = tsr_swizzle_reason_(sw);
    if (r.shape.status == TSR_OK && (l.twice || !number))
        r.shape = tsr_bad_tuple(l.twice ? TSR_SWIZZLE_TWICE : TSR_WILDCARD, 0, 0, 0, 0);
    if (r.shape.status == TSR_OK && at.kind != TSR_MIXED && at.value < 0 && sw.bits != 0)
        r.shape = tsr_bad_tuple(TSR_NEGATIVE, 0, at.value, 0, 0);
    if (r.shape.status == TSR_OK && units != 0)
        r.shape = tsr_bad_tuple(TSR_BASIS_VALUES, tsr_first_basis_(&l.stride), 0, 0, 0);
    if (r.shape.status == TSR_OK && l.composed) {
        r.twice = true;
        r.outer_swizzle = sw;
        r.outer_offset = at;
    } else if (r.shape.status == TSR_OK) {
        r.composed = true;
        r.swizzle = sw;
        r.offset = at;
    }
    return r;
}

/** composition(Sw, offset, L): as above, but Sw<0,..> with offset _0 leaves L itself. */
TSR_EVAL tsr_layout tsr_composition_offset(tsr_swizzle sw, tsr_tuple offset, tsr_layout l)
{
    bool const nothing = sw.status == TSR_OK && sw.bits == 0 && offset.status == TSR_OK && tsr_is_leaf(&offset)
                         && tsr_leaf_is(offset.leaf[0], 0);
    if (!nothing)
        l = tsr_make_composed_layout(sw, offset, l);
    return l;
}

/** composition(Sw, L). */
TSR_EVAL tsr_layout tsr_swizzled(tsr_swizzle sw, tsr_layout l) { return tsr_composition_offset(sw, tsr_s(0), l); }

/** The swizzle as a layout of the bits it touches. */
TSR_FN tsr_layout tsr_make_layout_swizzle(tsr_swizzle sw)
{
    int const width = sw.bits + sw.base + (sw.shift < 0 ? -sw.shift : sw.shift);
    return tsr_swizzled(sw, tsr_layout_unchecked(tsr_s(width), tsr_s(1)));
}

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/swizzle.h"
#endif

#endif
