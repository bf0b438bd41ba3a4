/** The bodies of core/bits.h. */
#ifndef TSR_CORE_BODY_BITS_H
#define TSR_CORE_BODY_BITS_H

#include "tessera/core/bits.h"
#include "tessera/core/body/shape.h"

TSR_HEADER_BEGIN

typedef enum tsr_bit_op_ { TSR_BIT_AND, TSR_BIT_OR, TSR_BIT_XOR } tsr_bit_op_;

TSR_LOCAL int64_t tsr_bit64_(tsr_bit_op_ op, int64_t a, int64_t b)
{
    return op == TSR_BIT_AND ? a & b : op == TSR_BIT_OR ? (a | b) : (a ^ b);
}

/** A static integer as mixed bits without dynamic ones. */
TSR_LOCAL tsr_leaf tsr_bits_of_(tsr_leaf a)
{
    if (a.kind == TSR_MIXED)
        return a;
    tsr_leaf r = tsr_leaf_make(TSR_MIXED, 0);
    r.aux = (uint32_t)((uint64_t)a.value & 0xffffffffu);
    return r;
}

TSR_LOCAL tsr_leaf tsr_leaf_bit_(tsr_bit_op_ op, tsr_leaf a, tsr_leaf b)
{
    bool const a_mixed = a.kind == TSR_MIXED, b_mixed = b.kind == TSR_MIXED;
    if ((!a_mixed && !tsr_leaf_is_int(a)) || (!b_mixed && !tsr_leaf_is_int(b)))
        return tsr_leaf_refuse_(a, b);
    if (!a_mixed && !b_mixed) {
        tsr_leaf const r = tsr_leaf_join_(a, b, tsr_bit64_(op, a.value, b.value));
        return op == TSR_BIT_AND && (tsr_leaf_is(a, 0) || tsr_leaf_is(b, 0)) ? tsr_leaf_static(0) : r;
    }
    if (a.kind == TSR_DYNAMIC || b.kind == TSR_DYNAMIC)
        return tsr_leaf_dynamic(tsr_bit64_(op, tsr_leaf_value(a), tsr_leaf_value(b)));
    a = tsr_bits_of_(a);
    b = tsr_bits_of_(b);
    uint32_t const s = tsr_mixed_static(a), t = tsr_mixed_static(b), f = tsr_mixed_flags(a), g = tsr_mixed_flags(b);
    uint32_t const d = tsr_mixed_dynamic(a), e = tsr_mixed_dynamic(b);
    if (op == TSR_BIT_AND)
        return tsr_leaf_mixed(s & t, (t & f & d) | (s & g & e) | (d & e), (t & f) | (s & g) | (f & g));
    if (op == TSR_BIT_OR)
        return tsr_leaf_mixed(s | t, (~t & f & d) | (~s & g & e), (~s & g) | (~t & f));
    return tsr_leaf_mixed((~s & t & ~f) | (s & ~t & ~g), (s | d) ^ (t | e), f | g);
}

TSR_OP tsr_leaf tsr_leaf_and(tsr_leaf a, tsr_leaf b) { return tsr_leaf_bit_(TSR_BIT_AND, a, b); }

TSR_OP tsr_leaf tsr_leaf_or(tsr_leaf a, tsr_leaf b) { return tsr_leaf_bit_(TSR_BIT_OR, a, b); }

TSR_OP tsr_leaf tsr_leaf_xor(tsr_leaf a, tsr_leaf b) { return tsr_leaf_bit_(TSR_BIT_XOR, a, b); }

/** a * 2^n for n >= 0, a / 2^-n rounded down for n < 0; mixed bits move with their masks. */
TSR_LOCAL tsr_leaf tsr_leaf_shift_(tsr_leaf a, tsr_leaf n, int64_t by)
{
    int64_t v = 0;
    if (!tsr_leaf_is_int(n) || (!tsr_leaf_is_int(a) && a.kind != TSR_MIXED))
        return tsr_leaf_refuse_(a, n);
    if (by < -62 || by > 62)
        return tsr_leaf_bad(TSR_SHIFT, by);
    if (a.kind == TSR_MIXED) {
        uint64_t const s = tsr_mixed_static(a), d = tsr_mixed_dynamic(a), f = tsr_mixed_flags(a);
        if (n.kind == TSR_DYNAMIC)
            return tsr_leaf_shift_(tsr_leaf_dynamic(tsr_leaf_value(a)), n, by);
        return by < 0 ? tsr_leaf_mixed((uint32_t)(s >> -by), (uint32_t)(d >> -by), (uint32_t)(f >> -by))
                      : tsr_leaf_mixed((uint32_t)(s << by), (uint32_t)(d << by), (uint32_t)(f << by));
    }
    if (by < 0)
        v = a.value >> -by;
    else if (!tsr_mul64(a.value, (int64_t)1 << by, &v))
        return tsr_leaf_bad(TSR_OVERFLOW, a.value);
    return tsr_leaf_join_(a, n, v);
}

TSR_OP tsr_leaf tsr_leaf_shl(tsr_leaf a, tsr_leaf n)
{
    return n.value < 0 ? tsr_leaf_bad(TSR_SHIFT, n.value) : tsr_leaf_shift_(a, n, n.value);
}

TSR_OP tsr_leaf tsr_leaf_shr(tsr_leaf a, tsr_leaf n)
{
    return n.value < 0 || n.value > 62 ? tsr_leaf_bad(TSR_SHIFT, n.value) : tsr_leaf_shift_(a, n, -n.value);
}

TSR_OP tsr_leaf tsr_leaf_shiftl(tsr_leaf a, tsr_leaf n) { return tsr_leaf_shift_(a, n, n.value); }

TSR_OP tsr_leaf tsr_leaf_shiftr(tsr_leaf a, tsr_leaf n)
{
    return n.value < -62 || n.value > 62 ? tsr_leaf_bad(TSR_SHIFT, n.value) : tsr_leaf_shift_(a, n, -n.value);
}

TSR_OP tsr_tuple tsr_make_mixed_bits(tsr_tuple s, tsr_tuple d, tsr_tuple f)
{
    tsr_leaf const a = tsr_as_leaf_(s), b = tsr_as_leaf_(d), c = tsr_as_leaf_(f);
    if (s.status || d.status || f.status)
        return s.status ? s : d.status ? d : f;
    if (!tsr_leaf_is_int(a) || !tsr_leaf_is_int(c))
        return tsr_from_leaf(tsr_leaf_refuse_(a, c));
    if (!tsr_leaf_is_int(b))
        return tsr_from_leaf(tsr_leaf_refuse_(b, b));
    if (!tsr_leaf_is_static(a) || !tsr_leaf_is_static(c))
        return tsr_bad_tuple(TSR_STATIC_ONLY, 0, tsr_leaf_is_static(a) ? c.value : a.value, 0, 0);
    uint32_t const bits = (uint32_t)((uint64_t)a.value & 0xffffffffu);
    uint32_t const mask = (uint32_t)((uint64_t)c.value & 0xffffffffu) & ~bits;
    if (tsr_leaf_is_static(b))
        return tsr_from_leaf(tsr_leaf_or(a, tsr_leaf_and(b, tsr_leaf_static((int64_t)mask))));
    return tsr_from_leaf(tsr_leaf_mixed(bits, (uint32_t)((uint64_t)b.value & 0xffffffffu), mask));
}

TSR_OP tsr_tuple tsr_to_mixed_bits(tsr_tuple shape, tsr_tuple stride, tsr_tuple coord)
{
    tsr_leaf r = tsr_leaf_static(0);
    if (shape.status || stride.status || coord.status)
        return shape.status ? shape : stride.status ? stride : coord;
    if (!tsr_same_profile(&shape, &stride) || !tsr_same_profile(&shape, &coord))
        return tsr_ranks_differ_(&shape, &coord);
    for (int i = 0; i < shape.leaves; ++i) {
        tsr_leaf const s = shape.leaf[i], d = stride.leaf[i], span = tsr_leaf_mul(s, d);
        if (s.kind == TSR_UNIT)
            continue;
        if (!tsr_leaf_is_int(span) || !tsr_leaf_is_static(span) || (span.value != 0 && !tsr_is_pow2(span.value)))
            return tsr_bad_tuple(TSR_SWIZZLE_SLICE, i, s.value, d.value, 0);
        tsr_leaf const mask = tsr_leaf_mul(tsr_leaf_sub(s, tsr_leaf_static(1)), d);
        tsr_tuple const bits =
            tsr_make_mixed_bits(tsr_s(0), tsr_from_leaf(tsr_leaf_mul(coord.leaf[i], d)), tsr_from_leaf(mask));
        if (bits.status)
            return bits;
        r = tsr_leaf_xor(r, bits.leaf[0]);
    }
    return tsr_from_leaf(r);
}

TSR_HEADER_END

#endif
