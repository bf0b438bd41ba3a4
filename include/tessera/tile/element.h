/** Variables of C that elements are read into and written from, and whether they fit.
 *
 *      tsr_view_get(&view, index, &x)      knows the type of x, in C and in C++, without being told
 *
 *  Rule    an element whose type C has (float, int8_t, ..) takes a variable of just this type. Any other (f16, bf16,
 *          f8, complex, elements smaller than a byte) takes the bits: an unsigned integer of as many bytes, or a type
 *          that this library does not know (__half, a struct) of that size. A pointer to void is the caller's word for
 *          it. An element smaller than a byte has a byte for itself in a variable, in its low bits.
 *  Vectors Several elements take as many variables, one behind the other. One variable that this library does not know
 *          (float4, a struct of four floats) takes them all where it has just their size and is aligned for them.
 *  Errors  ELEMENT_TYPE, with both types. Nothing is written to memory, and the first variable becomes 0: a refused
 *          variable may be alone.
 */
#ifndef TSR_TILE_ELEMENT_H
#define TSR_TILE_ELEMENT_H

#include "tessera/tensor/pointer.h"
#include "tessera/tile/reason.h"

TSR_HEADER_BEGIN

/** A variable: its type, 0 for one that is not known; its alignment; and its size, 0 behind a pointer to void. */
typedef struct tsr_variable {
    tsr_dtype type;
    uint32_t alignment;
    int64_t bytes;
} tsr_variable;

TSR_EVAL tsr_variable tsr_variable_(int type, size_t bytes, size_t alignment)
{
    tsr_variable r = TSR_ZERO;
    r.type = (tsr_dtype)type;
    r.bytes = (int64_t)bytes;
    r.alignment = (uint32_t)alignment;
    return r;
}

#ifdef __cplusplus

template <class Element> TSR_TEMPLATE_EVAL tsr_variable tsr_variable_at_(Element const *)
{
    return tsr_variable_(tsr_c_type_<Element>::type, sizeof(Element), TSR_ALIGNMENT(Element));
}
TSR_EVAL tsr_variable tsr_variable_at_(void const *) { return tsr_variable_(0, 0, 0); }
#  define TSR_VARIABLE(p) tsr_variable_at_(p)

#else

/* clang-format off */
#  define TSR_SIZED_(p) _Generic((p), void *: (char *)0, void const *: (char *)0, default: (p))
#  define TSR_VARIABLE(p) \
      tsr_variable_(TSR_C_TYPE_OF(p), _Generic((p), void *: 0, void const *: 0, default: sizeof *TSR_SIZED_(p)), \
                    TSR_ALIGNMENT(*TSR_SIZED_(p)))
/* clang-format on */

#endif

/** The bytes of an element in a variable. */
TSR_FN int tsr_element_bytes(tsr_dtype type) { return (tsr_dtype_bits(type) + 7) / 8; }

/** Has C a name for an element type? */
TSR_FN bool tsr_is_c_type_(tsr_dtype type)
{
#define TSR_X_(c, code) || type == (code)*256 + (int)sizeof(c) * 8
    return false TSR_C_TYPE_LIST(TSR_X_);
#undef TSR_X_
}

/** Why elements of a type do not go into a variable, or OK. */
TSR_FN tsr_reason tsr_variable_why(tsr_dtype type, tsr_variable v)
{
    bool const bits = v.type == 0 || tsr_dtype_code(v.type) == 1, same = v.type != 0 && v.type == type;
    bool const fits = v.bytes == 0 || same || (!tsr_is_c_type_(type) && bits && v.bytes == tsr_element_bytes(type));
    return tsr_because(fits ? TSR_OK : TSR_ELEMENT_TYPE, 0, type, v.type, v.bytes);
}

/** The variable that takes `count` elements of a type, each of so many bytes. One that holds just so many elements
 *  is as a pointer to void. */
TSR_FN tsr_variable tsr_vector_variable_(tsr_variable v, int64_t count, tsr_dtype type, int64_t bytes)
{
    int64_t const part = tsr_dtype_code(type) == 5 ? bytes / 2 : bytes;
    int64_t const most = TSR_ALIGNMENT(tsr_variable); /* that of int64_t: 4 on some machines of 32 bits */
    bool const fills = bytes > 0 && v.bytes % bytes == 0 && v.bytes / bytes == count;
    bool const aligned = v.alignment >= (part < most ? part : most);
    if (v.type == 0 && count > 1 && fills && aligned)
        v.bytes = 0;
    return v;
}

/** The variable of `count` elements becomes 0: all that an access would have written, or one variable of a type that
 *  does not fit. */
TSR_INLINE void tsr_clear_variable_(void *p, tsr_variable v, int64_t count, tsr_dtype type, int64_t bytes)
{
    bool const fits = bytes > 0 && tsr_variable_why(type, v).status == TSR_OK;
    int64_t const known = fits ? count * bytes : count > 0 ? v.bytes : 0;
    for (int64_t i = 0; i < known; ++i)
        ((unsigned char *)p)[i] = 0;
}

TSR_HEADER_END

#endif
