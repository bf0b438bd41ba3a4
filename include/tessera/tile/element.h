/** Variables of C that elements are read into and written from, and whether they fit.
 *
 *      tsr_view_get(&view, index, &x)      knows the type of x, in C and in C++, without being told
 *
 *  Rule    an element whose type C has (float, int8_t, ..) takes a variable of just this type. Any other (f16, bf16,
 *          f8, complex, elements smaller than a byte) takes the bits: an unsigned integer of as many bytes, or a type
 *          that this library does not know (__half, a struct) of that size. A pointer to void is the caller's word for
 *          it. An element smaller than a byte has a byte for itself in a variable, in its low bits.
 *  Errors  ELEMENT_TYPE, with both types: nothing is written to memory, and the variable becomes 0.
 */
#ifndef TSR_TILE_ELEMENT_H
#define TSR_TILE_ELEMENT_H

#include "tessera/tensor/pointer.h"
#include "tessera/tile/reason.h"

TSR_HEADER_BEGIN

/** A variable: its type, 0 for one that is not known; and its size, 0 behind a pointer to void. */
typedef struct tsr_variable {
    tsr_dtype type;
    int64_t bytes;
} tsr_variable;

TSR_EVAL tsr_variable tsr_variable_(int type, size_t bytes)
{
    tsr_variable r = TSR_ZERO;
    r.type = (tsr_dtype)type;
    r.bytes = (int64_t)bytes;
    return r;
}

#ifdef __cplusplus

template <class Element> TSR_TEMPLATE_EVAL tsr_variable tsr_variable_at_(Element const *)
{
    return tsr_variable_(tsr_c_type_<Element>::type, sizeof(Element));
}
TSR_EVAL tsr_variable tsr_variable_at_(void const *) { return tsr_variable_(0, 0); }
#  define TSR_VARIABLE(p) tsr_variable_at_(p)

#else

/* clang-format off */
#  define TSR_SIZED_(p) _Generic((p), void *: (char *)0, void const *: (char *)0, default: (p))
#  define TSR_VARIABLE(p) \
      tsr_variable_(TSR_C_TYPE_OF(p), _Generic((p), void *: 0, void const *: 0, default: sizeof *TSR_SIZED_(p)))
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

/** `count` elements of a variable become 0. */
TSR_INLINE void tsr_clear_variable_(void *p, tsr_variable v, int64_t count, int bytes)
{
    for (int64_t i = 0; i < count * (v.bytes != 0 ? v.bytes : bytes); ++i)
        ((unsigned char *)p)[i] = 0;
}

TSR_HEADER_END

#endif
