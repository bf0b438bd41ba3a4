/** Trying a law: do two chains of layouts agree on every coordinate?
 *
 *  A layout moves bits if its extents and strides are powers of two on disjoint bits, and its offset is 0. Where all
 *  layouts of both chains move bits, the chains are linear over bits and it is enough to try each bit. Otherwise
 *  every coordinate is tried, up to TSR_LAW_BUDGET of them.
 */
#ifndef TSR_CORE_BODY_LAW_H
#define TSR_CORE_BODY_LAW_H

#include "tessera/core/eval.h"
#include "tessera/core/body/layout.h"

TSR_HEADER_BEGIN

/** first(second(third(x))) + plus; the inner ones may be missing. */
typedef struct tsr_chain_ {
    tsr_layout const *first, *second, *third;
    int64_t plus;
} tsr_chain_;

TSR_LOCAL int64_t tsr_chain_at_(tsr_chain_ c, int64_t x)
{
    x = c.third ? tsr_layout_offset(c.third, x) : x;
    x = c.second ? tsr_layout_offset(c.second, x) : x;
    return tsr_layout_offset(c.first, x) + c.plus;
}

/** Does the layout only move bits, for coordinates below its size? */
TSR_LOCAL bool tsr_moves_bits_(tsr_layout const *l)
{
    uint64_t used = 0;
    for (int i = 0; i < l->shape.leaves; ++i) {
        int64_t const s = l->shape.leaf[i].value, d = l->stride.leaf[i].value;
        if (s == 1 || l->shape.leaf[i].kind == TSR_UNIT)
            continue;
        if (!tsr_is_pow2(s) || !tsr_is_pow2(d) || l->stride.leaf[i].aux != 0 || s > TSR_INT_MAX / d)
            return false;
        uint64_t const bits = (uint64_t)(s - 1) * (uint64_t)d;
        if ((used & bits) != 0)
            return false;
        used |= bits;
    }
    return !l->composed || (tsr_leaf_value(l->offset) == 0 && !l->twice);
}

TSR_LOCAL bool tsr_chain_moves_bits_(tsr_chain_ c, int64_t size)
{
    tsr_layout const *const step[3] = {c.third, c.second, c.first};
    int64_t last = size - 1; /* all bits */
    if (c.plus != 0)
        return false;
    for (int i = 0; i < 3; ++i) {
        if (!step[i])
            continue;
        if (!tsr_moves_bits_(step[i]) || last >= tsr_layout_size(*step[i]))
            return false;
        tsr_layout const plain = tsr_layout_unchecked(step[i]->shape, step[i]->stride);
        last = tsr_layout_offset(&plain, last);
        if (step[i]->composed) { /* the swizzle may set any bit up to its highest */
            tsr_swizzle const sw = step[i]->swizzle;
            int const top = sw.bits + sw.base + (sw.shift < 0 ? -sw.shift : sw.shift);
            int const width = tsr_bit_width((uint64_t)last);
            last = ((int64_t)1 << (width < top ? top : width)) - 1;
        }
    }
    return true;
}

/** False when the chains differ at some x < size, or when the budget ends before the coordinates do: then *at is the
 *  first such x, or the budget. */
TSR_LOCAL bool tsr_chains_agree_(tsr_chain_ a, tsr_chain_ b, int64_t size, int64_t *at)
{
    bool const bits = tsr_is_pow2(size) && tsr_chain_moves_bits_(a, size) && tsr_chain_moves_bits_(b, size);
    for (int64_t x = 0; x < size; x = bits && x > 0 ? 2 * x : x + 1) {
        *at = x;
        if ((!bits && x >= TSR_LAW_BUDGET) || tsr_chain_at_(a, x) != tsr_chain_at_(b, x))
            return false;
    }
    return true;
}

TSR_HEADER_END

#endif
