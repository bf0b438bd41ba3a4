/** The bodies of core/swizzle.h. */
#ifndef TSR_CORE_BODY_SWIZZLE_H
#define TSR_CORE_BODY_SWIZZLE_H

#include "tessera/core/swizzle.h"
#include "tessera/core/body/bits.h"
#include "tessera/core/body/layout.h"

TSR_HEADER_BEGIN

TSR_LOCAL int64_t tsr_swizzle_y_(tsr_swizzle sw)
{
    return (((int64_t)1 << sw.bits) - 1) << (sw.base + (sw.shift > 0 ? sw.shift : 0));
}

TSR_LOCAL int64_t tsr_swizzle_z_(tsr_swizzle sw)
{
    return (((int64_t)1 << sw.bits) - 1) << (sw.base + (sw.shift < 0 ? -sw.shift : 0));
}

TSR_LOCAL int tsr_lowest_bit_(int64_t mask) { return mask == 0 ? 32 : tsr_bit_width((uint64_t)(mask & -mask)) - 1; }

TSR_OP tsr_swizzle tsr_make_swizzle_masks(int64_t y, int64_t z)
{
    int const bits = tsr_popcount((uint64_t)y), low_y = tsr_lowest_bit_(y), low_z = tsr_lowest_bit_(z);
    int const base = (low_y < low_z ? low_y : low_z) % 32;
    tsr_swizzle const r = y < 0 || z < 0 || bits != tsr_popcount((uint64_t)z)
                              ? tsr_bad_swizzle(TSR_SWIZZLE_MASKS, y, z, 0)
                              : tsr_make_swizzle(bits, base, low_y - low_z);
    if (r.status || (tsr_swizzle_y_(r) | tsr_swizzle_z_(r)) != (y | z))
        return tsr_bad_swizzle(TSR_SWIZZLE_MASKS, y, z, 0);
    return r;
}

TSR_INTERNAL tsr_leaf tsr_swizzle_leaf_(tsr_swizzle sw, tsr_leaf x)
{
    tsr_leaf const y = tsr_leaf_and(x, tsr_leaf_static(tsr_swizzle_y_(sw)));
    return tsr_leaf_xor(x, tsr_leaf_shiftr(y, tsr_leaf_static(sw.shift)));
}

TSR_OP tsr_tuple tsr_swizzle_at(tsr_swizzle sw, tsr_tuple x)
{
    if (sw.status)
        return tsr_swizzle_reason_(sw);
    return x.status ? x : tsr_from_leaf(tsr_swizzle_leaf_(sw, tsr_as_leaf_(x)));
}

TSR_OP tsr_swizzle tsr_composition_swizzles(tsr_swizzle a, tsr_swizzle b)
{
    if (a.status || b.status)
        return a.status ? a : b;
    if (a.shift != b.shift)
        return tsr_bad_swizzle(TSR_SWIZZLE_SHIFT, a.shift, b.shift, 0);
    return tsr_make_swizzle_masks(tsr_swizzle_y_(a) ^ tsr_swizzle_y_(b), tsr_swizzle_z_(a) ^ tsr_swizzle_z_(b));
}

TSR_OP tsr_tuple tsr_swizzle_equal(tsr_swizzle a, tsr_swizzle b)
{
    if (a.status || b.status)
        return tsr_swizzle_reason_(a.status ? a : b);
    return tsr_s(tsr_swizzle_same_(a, b));
}

TSR_OP tsr_swizzle tsr_swizzle_upcast(tsr_swizzle sw, int64_t n)
{
    if (sw.status)
        return sw;
    if (!tsr_is_pow2(n))
        return tsr_bad_swizzle(TSR_SWIZZLE_FACTOR, n, 0, 0);
    int const base = sw.base - (tsr_bit_width((uint64_t)n) - 1);
    return base >= 0 ? tsr_make_swizzle(sw.bits, base, sw.shift)
                     : tsr_make_swizzle(sw.bits + base < 0 ? 0 : sw.bits + base, 0, sw.shift);
}

TSR_OP tsr_swizzle tsr_swizzle_downcast(tsr_swizzle sw, int64_t n)
{
    if (sw.status)
        return sw;
    return tsr_is_pow2(n) ? tsr_make_swizzle(sw.bits, sw.base + tsr_bit_width((uint64_t)n) - 1, sw.shift)
                          : tsr_bad_swizzle(TSR_SWIZZLE_FACTOR, n, 0, 0);
}

TSR_HEADER_END

#endif
