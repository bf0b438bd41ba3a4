/** The bodies of atom/umma.h. */
#ifndef TSR_ATOM_BODY_UMMA_H
#define TSR_ATOM_BODY_UMMA_H

#include "tessera/atom/umma.h"
#include "tessera/atom/body/mma.h"

TSR_HEADER_BEGIN

TSR_OP tsr_umma_kind tsr_umma_kind_of(tsr_mma_atom x)
{
    int32_t const k = x.flags & TSR_MMA_SPARSE ? x.k / 2 : x.k;
    if (x.status || !tsr_mma_is_umma(x))
        return TSR_UMMA_KINDS;
    if (tsr_mma_is_scaled(x))
        return k == 32 ? TSR_UMMA_KIND_MXF8F6F4 : TSR_UMMA_KIND_MXF4;
    return k == 8           ? TSR_UMMA_KIND_TF32
           : k == 16        ? TSR_UMMA_KIND_F16
           : x.c == TSR_I32 ? TSR_UMMA_KIND_I8
                            : TSR_UMMA_KIND_F8F6F4;
}

TSR_LOCAL bool tsr_umma_scales_(tsr_umma_kind kind) { return kind >= TSR_UMMA_KIND_MXF8F6F4; }

/** The number of an element type in a word. */
TSR_LOCAL uint32_t tsr_umma_type_(tsr_umma_kind kind, tsr_dtype type)
{
    switch (type) {
    case TSR_TF32:
        return 2;
    case TSR_BF16:
    case TSR_I8:
    case TSR_F8_E5M2:
        return 1;
    case TSR_F6_E2M3:
        return 3;
    case TSR_F6_E3M2:
        return 4;
    case TSR_F4_E2M1:
        return kind == TSR_UMMA_KIND_MXF4 ? 1 : 5;
    default:
        return 0; /* F16, U8, E4M3 */
    }
}

/** The bits that the atom has. */
TSR_LOCAL uint32_t tsr_umma_word_(tsr_umma_kind kind, tsr_mma_atom x)
{
    bool const sparse = (x.flags & TSR_MMA_SPARSE) != 0, ultra = x.k == 96;
    uint32_t const common = tsr_umma_type_(kind, x.a) << 7 | tsr_umma_type_(kind, x.b) << 10
                            | (x.flags & TSR_MMA_A_MN ? 1u : 0u) << 15 | (x.flags & TSR_MMA_B_MN ? 1u : 0u) << 16
                            | (uint32_t)x.n / 8 << 17 | (uint32_t)x.m / 16 << 24 | (sparse ? 1u : 0u) << 2;
    uint32_t const d = x.c == TSR_I32 ? 2 : x.c == TSR_F32 ? 1 : 0;
    if (!tsr_umma_scales_(kind))
        return common | d << 4;
    return common | (x.form == TSR_MMA_SCALE_16_4 ? 0u : 1u) << 23 | (ultra ? 1u : 0u) << 31;
}

/** The bits that the atom leaves to an issue. */
TSR_LOCAL uint32_t tsr_umma_open_(tsr_umma_kind kind, tsr_mma_atom x)
{
    uint32_t const negate = kind == TSR_UMMA_KIND_I8 ? TSR_UMMA_SATURATE : TSR_UMMA_NEGATE_A | TSR_UMMA_NEGATE_B;
    uint32_t const ids = tsr_umma_scales_(kind) ? tsr_umma_scale_ids(3u << 30, 3u << 30) : 0;
    return negate | ids | (x.flags & TSR_MMA_SPARSE ? 3u : 0u);
}

TSR_OP tsr_reason tsr_umma_why(tsr_mma_atom x, uint32_t flags)
{
    tsr_umma_kind const kind = tsr_umma_kind_of(x);
    if (x.status)
        return tsr_mma_why(x);
    if (kind == TSR_UMMA_KINDS)
        return tsr_because(TSR_UMMA_ATOM, 0, 0, 0, 0);
    uint32_t const open = tsr_umma_open_(kind, x);
    return flags & ~open ? tsr_because(TSR_UMMA_FLAGS, 0, flags & ~open, kind, open) : tsr_no_reason();
}

TSR_OP uint32_t tsr_umma_bits(tsr_mma_atom x, uint32_t flags)
{
    return tsr_umma_why(x, flags).status ? 0 : tsr_umma_word_(tsr_umma_kind_of(x), x) | flags;
}

/** All bits of a field of a kind. */
TSR_LOCAL uint32_t tsr_umma_mask_(tsr_umma_kind kind, tsr_umma_field f)
{
#define TSR_X_(id, words, first, bits, kinds) \
  if (f == TSR_UMMA_FIELD_##id && bits > 0)   \
    return kinds >> (tsr_umma_scales_(kind) ? 1 : 0) & 1 ? ((1u << bits) - 1) << first : 0;
    TSR_UMMA_FIELD_LIST(TSR_X_)
#undef TSR_X_
    uint32_t known = 0; /* of the rest: what no other field has */
    for (int i = 0; i < TSR_UMMA_FIELD_REST; ++i)
        known |= tsr_umma_mask_(kind, (tsr_umma_field)i);
    return ~known;
}

TSR_OP uint32_t tsr_umma_field_of(tsr_umma_kind kind, uint32_t bits, tsr_umma_field f)
{
    uint32_t const mask = tsr_umma_mask_(kind, f);
    return mask == 0 ? 0 : f == TSR_UMMA_FIELD_REST ? bits & mask : (bits & mask) / (mask & (~mask + 1));
}

/** Of A and B, and of D. */
TSR_LOCAL uint64_t tsr_umma_types_(tsr_umma_kind kind, bool d)
{
    switch (kind) {
    case TSR_UMMA_KIND_TF32:
        return d ? 1 << 1 : 1 << 2;
    case TSR_UMMA_KIND_F16:
        return 1 << 0 | 1 << 1;
    case TSR_UMMA_KIND_I8:
        return d ? 1 << 2 : 1 << 0 | 1 << 1;
    case TSR_UMMA_KIND_MXF4:
        return 1 << 1;
    default:
        return d ? 1 << 0 | 1 << 1 : 1 << 0 | 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5;
    }
}

TSR_OP uint64_t tsr_umma_legal(tsr_umma_kind kind, uint32_t bits, tsr_umma_field f)
{
    bool const sparse = tsr_umma_field_of(kind, bits, TSR_UMMA_FIELD_SPARSE) != 0;
    uint32_t const types =
        tsr_umma_field_of(kind, bits, TSR_UMMA_FIELD_A) | tsr_umma_field_of(kind, bits, TSR_UMMA_FIELD_B);
    bool const integers = kind == TSR_UMMA_KIND_I8, fours = kind == TSR_UMMA_KIND_MXF4;
    uint64_t const flag = 3, zero = 1, eights = (uint64_t)2 << 32;
    switch (f) {
    case TSR_UMMA_FIELD_SPARSE_ID:
        return sparse ? 15 : zero;
    case TSR_UMMA_FIELD_SATURATE:
        return integers ? flag : zero;
    case TSR_UMMA_FIELD_D: /* of BF16 only F32 */
        return kind == TSR_UMMA_KIND_F16 && types != 0 ? 2 : tsr_umma_types_(kind, true);
    case TSR_UMMA_FIELD_A:
    case TSR_UMMA_FIELD_B:
        return tsr_umma_types_(kind, false);
    case TSR_UMMA_FIELD_NEGATE_A:
    case TSR_UMMA_FIELD_NEGATE_B:
        return integers ? zero : flag;
    case TSR_UMMA_FIELD_MN_A:
    case TSR_UMMA_FIELD_MN_B:
        return fours ? zero : flag;
    case TSR_UMMA_FIELD_N:
        return eights - 2; /* 1 to 32 */
    case TSR_UMMA_FIELD_SCALE:
        return fours ? flag : 2;
    case TSR_UMMA_FIELD_M:
        return tsr_umma_scales_(kind) ? 1 << 8 | 1 << 16 : 1 << 2 | 1 << 4 | 1 << 8 | 1 << 16; /* 32: of .ws */
    case TSR_UMMA_FIELD_K96:
        return fours && !sparse ? flag : zero;
    case TSR_UMMA_FIELD_SPARSE:
        return flag;
    case TSR_UMMA_FIELD_REST:
        return zero;
    default: /* ids of scales, shift */
        return 15;
    }
}

/** Is the field of a word legal, or none of the kind? */
TSR_LOCAL bool tsr_umma_has_(tsr_umma_kind kind, uint32_t bits, tsr_umma_field f)
{
    uint32_t const value = tsr_umma_field_of(kind, bits, f);
    return tsr_umma_mask_(kind, f) == 0 || (value < 64 && (tsr_umma_legal(kind, bits, f) >> value & 1));
}

TSR_OP tsr_umma_field tsr_umma_fault(tsr_umma_kind kind, uint32_t bits)
{
    int i = 0;
    while (i < TSR_UMMA_FIELDS && tsr_umma_has_(kind, bits, (tsr_umma_field)i))
        ++i;
    return (tsr_umma_field)i;
}

/** How many fields of a word a kind does not have. */
TSR_LOCAL int tsr_umma_faults_(tsr_umma_kind kind, uint32_t bits)
{
    int n = 0;
    for (int i = 0; i < TSR_UMMA_FIELDS; ++i)
        n += !tsr_umma_has_(kind, bits, (tsr_umma_field)i);
    return n;
}

TSR_OP tsr_umma_kind tsr_umma_nearest(uint32_t bits)
{
    int best = 0;
    for (int kind = 1; kind < TSR_UMMA_KINDS; ++kind)
        if (tsr_umma_faults_((tsr_umma_kind)kind, bits) < tsr_umma_faults_((tsr_umma_kind)best, bits))
            best = kind;
    return (tsr_umma_kind)best;
}

/** The refusal of a field's value. */
TSR_LOCAL tsr_reason tsr_umma_because_(tsr_umma_kind kind, uint32_t bits, tsr_umma_field f, int64_t value)
{
    tsr_reason r = tsr_because(TSR_UMMA_FIELD, 0, bits, kind, f);
    r.number[3] = value;
    r.number[4] = (int64_t)tsr_umma_legal(kind, bits, f);
    return r;
}

TSR_LOCAL tsr_reason tsr_umma_refuse_(tsr_umma_kind kind, uint32_t bits)
{
    tsr_umma_field const f = tsr_umma_fault(kind, bits);
    return f == TSR_UMMA_FIELDS ? tsr_no_reason()
                                : tsr_umma_because_(kind, bits, f, tsr_umma_field_of(kind, bits, f));
}

TSR_OP tsr_tuple tsr_umma_fields(int64_t kind, uint32_t bits)
{
    if (kind < 0 || kind >= TSR_UMMA_KINDS)
        return tsr_bad_tuple(TSR_UMMA_KIND, 0, kind, TSR_UMMA_KINDS - 1, 0);
    tsr_umma_kind const of = (tsr_umma_kind)kind;
    tsr_reason const why = tsr_umma_refuse_(of, bits);
    if (why.status)
        return tsr_reason_tuple(why);
    tsr_tuple r = tsr_unit();
    for (int i = 0; i < TSR_UMMA_FIELD_REST; ++i)
        if (tsr_umma_mask_(of, (tsr_umma_field)i) != 0)
            r = tsr_tuple_append(r, tsr_int(tsr_umma_field_of(of, bits, (tsr_umma_field)i)));
    return r;
}

TSR_OP tsr_tuple tsr_umma_word(int64_t kind, tsr_tuple fields)
{
    if (fields.status || kind < 0 || kind >= TSR_UMMA_KINDS)
        return fields.status ? fields : tsr_bad_tuple(TSR_UMMA_KIND, 0, kind, TSR_UMMA_KINDS - 1, 0);
    tsr_umma_kind const of = (tsr_umma_kind)kind;
    uint32_t bits = 0;
    int n = 0;
    for (int i = 0; i < TSR_UMMA_FIELD_REST; ++i) {
        uint32_t const mask = tsr_umma_mask_(of, (tsr_umma_field)i), one = mask & (~mask + 1);
        if (mask == 0)
            continue;
        int64_t const value = n < fields.leaves ? tsr_leaf_value(fields.leaf[n]) : 0;
        if (value < 0 || value > mask / one)
            return tsr_reason_tuple(tsr_umma_because_(of, bits, (tsr_umma_field)i, value));
        bits |= (uint32_t)value * one;
        ++n;
    }
    tsr_reason const why = tsr_umma_refuse_(of, bits);
    if (fields.leaves != n)
        return tsr_bad_tuple(TSR_RANK, 0, fields.leaves, n, 0);
    return why.status ? tsr_reason_tuple(why) : tsr_int(bits);
}

TSR_HEADER_END

#endif
