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

/** Every number of type b is one of type a. */
TSR_LOCAL bool tsr_type_holds_(tsr_dtype a, tsr_dtype b)
{
    tsr_float_format const f = tsr_float_format_of(a), g = tsr_float_format_of(b);
    bool const is_signed = tsr_number_kind_of(b) == TSR_SIGNED;
    int const bits = tsr_dtype_bits(b) - is_signed;
    switch (tsr_number_kind_of(a)) {
    case TSR_REAL:
        return tsr_number_kind_of(b) == TSR_REAL ? f.mantissa >= g.mantissa && f.exponent >= g.exponent
                                                 : bits <= f.mantissa + 1 && bits < 1 << (f.exponent - 1);
    case TSR_SIGNED:
        return tsr_number_kind_of(b) != TSR_REAL && bits <= tsr_dtype_bits(a) - 1;
    case TSR_UNSIGNED:
        return tsr_number_kind_of(b) == TSR_UNSIGNED && bits <= tsr_dtype_bits(a)
               && (tsr_dtype_code(a) != 6 || tsr_dtype_code(b) == 6);
    default:
        return false;
    }
}

/** May the elements of an engine be read as a type of C? */
TSR_LOCAL bool tsr_reads_as_(tsr_engine const *e, tsr_dtype c_type)
{
    bool const computed = e->map.kind == TSR_SCALE_BY || e->map.kind == TSR_FUNCTION;
    if (computed)
        return tsr_number_kind_of(c_type) == TSR_REAL;
    return tsr_type_holds_(c_type, tsr_value_type(*e));
}

TSR_OP_MEMORY void tsr_load_element_(tsr_tensor t, int64_t k, int c_type, void *x)
{
    tsr_reason const why = tsr_readable(t);
    if (why.status || t.engine.kind == TSR_COORDINATES)
        TSR_REFUSE_(tsr_refuse_, why.status ? why : tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0));
    if (!tsr_reads_as_(&t.engine, (tsr_dtype)c_type))
        TSR_REFUSE_(tsr_refuse_element_, tsr_value_type(t.engine), c_type, false);
    tsr_store((tsr_dtype)c_type, x, 0, tsr_element_(&t.engine, k));
}

TSR_OP_MEMORY void tsr_store_element_(tsr_tensor t, int64_t k, tsr_number x)
{
    int bit = 0;
    tsr_reason const why = tsr_writable(t);
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
