/** The bodies of tensor/ref.h. */
#ifndef TSR_TENSOR_BODY_REF_H
#define TSR_TENSOR_BODY_REF_H

#include "tessera/tensor/ref.h"

TSR_HEADER_BEGIN

#if defined(TSR_IMPLEMENTATION)
TSR_API void tsr_refuse_(tsr_reason why)
{
    (void)why;
    TSR_TRAP();
}
TSR_API void tsr_refuse_element_(tsr_dtype type, int c_type, bool address)
{
    (void)type, (void)c_type, (void)address;
    TSR_TRAP();
}
#endif

/** Is every integer or real number of type b one of type a? */
TSR_LOCAL bool tsr_type_holds_(tsr_dtype a, tsr_dtype b)
{
    tsr_float_format const f = tsr_float_format_of(a), g = tsr_float_format_of(b);
    tsr_number_kind const to = tsr_number_kind_of(a), from = tsr_number_kind_of(b);
    bool const is_int = from == TSR_SIGNED || from == TSR_UNSIGNED;
    int const bits = tsr_dtype_bits(b) - (from == TSR_SIGNED);
    if (to == TSR_REAL && from == TSR_REAL)
        return f.mantissa >= g.mantissa && f.exponent >= g.exponent;
    if (to == TSR_REAL)
        return is_int && bits <= f.mantissa + 1;
    if (tsr_dtype_code(a) == 6)
        return a == b;
    return (to == TSR_SIGNED && is_int && bits < tsr_dtype_bits(a))
           || (to == TSR_UNSIGNED && from == TSR_UNSIGNED && bits <= tsr_dtype_bits(a));
}

/** May this element of an engine be read as a type of C? A counter has integers of 64 bits, whose type is i32 where
 *  they fit. */
TSR_LOCAL bool tsr_reads_as_(tsr_engine const *e, tsr_number x, tsr_dtype c_type)
{
    bool const computed = e->map.kind == TSR_SCALE_BY || e->map.kind == TSR_FUNCTION;
    bool const wide = e->kind == TSR_COUNTING && e->map.kind == TSR_AS_IS && (int64_t)x.bits != (int32_t)x.bits;
    if (computed)
        return tsr_number_kind_of(c_type) == TSR_REAL;
    return tsr_type_holds_(c_type, wide ? (tsr_dtype)TSR_I64 : tsr_value_type(*e));
}

/** A tensor of one element over the engine. */
TSR_LOCAL tsr_tensor tsr_of_slim_(tsr_slim_engine_ s)
{
    tsr_tensor r = TSR_ZERO;
    r.engine.kind = s.kind;
    r.engine.space = s.space;
    r.engine.bit = s.bit;
    r.engine.constant = s.constant;
    r.engine.type = s.type;
    r.engine.address = s.address;
    r.engine.swizzle = s.swizzle;
    r.engine.at = s.why.status ? tsr_reason_tuple(s.why) : tsr_int(s.first);
    r.engine.map = s.map;
    r.layout = tsr_layout_unchecked(tsr_s(1), tsr_s(0));
    return r;
}

TSR_OP_MEMORY void tsr_load_element_(tsr_slim_engine_ s, int64_t k, int c_type, void *x)
{
    tsr_tensor const t = tsr_of_slim_(s);
    tsr_reason const why = tsr_readable_(&t);
    bool const numbers = !why.status && t.engine.kind != TSR_COORDINATES;
    tsr_number const r = numbers ? tsr_element_(&t.engine, k) : tsr_number_int(0);
    if (!numbers || r.kind == TSR_NO_NUMBER || r.kind == TSR_COMPLEX)
        TSR_REFUSE_(tsr_refuse_, why.status ? why : tsr_because(TSR_NOT_NUMBERS, 0, t.engine.type, 0, 0));
    if (!tsr_reads_as_(&t.engine, r, (tsr_dtype)c_type))
        TSR_REFUSE_(tsr_refuse_element_, tsr_value_type(t.engine), c_type, false);
    tsr_store((tsr_dtype)c_type, x, 0, r);
}

TSR_OP_MEMORY void tsr_store_element_(tsr_slim_engine_ s, int64_t k, tsr_number x)
{
    tsr_tensor const t = tsr_of_slim_(s);
    int bit = 0;
    tsr_reason const why = tsr_writable_(&t);
    if (why.status)
        TSR_REFUSE_(tsr_refuse_, why);
    if (x.kind == TSR_NO_NUMBER || tsr_number_kind_of(t.engine.type) == TSR_NO_NUMBER)
        TSR_REFUSE_(tsr_refuse_, tsr_because(TSR_NOT_NUMBERS, 0, t.engine.type, 0, 0));
    unsigned char *const p = tsr_element_place(&t.engine, k, &bit);
    tsr_store(t.engine.type, p, bit, x);
}

TSR_OP_MEMORY void tsr_check_element_(tsr_tensor const *t, tsr_tuple const *c, bool writes)
{
    tsr_reason const why = writes ? tsr_writable_(t) : tsr_readable_(t);
    tsr_tuple const index = tsr_coord_inside(*c, t->layout.shape);
    if (why.status || index.status)
        TSR_REFUSE_(tsr_refuse_, why.status ? why : tsr_tuple_why(index));
    if (t->engine.kind == TSR_COORDINATES)
        return;
    tsr_reason const inside = tsr_element_inside_(&t->engine, tsr_layout_offset(&t->layout, index.leaf[0].value));
    if (inside.status)
        TSR_REFUSE_(tsr_refuse_, inside);
}

TSR_HEADER_END

#endif
