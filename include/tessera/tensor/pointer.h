/** Pointers of C as engines, tagged with the memory they point to.
 *
 *      tsr_make_ptr(p)              untagged; the element type is that of the pointer
 *      tsr_make_ptr(p, TSR_BF16)    with an element type that C has no name for (base/dtype.h), from any pointer
 *      tsr_make_gmem_ptr(p)         global memory;  tsr_make_smem_ptr: shared, tsr_make_rmem_ptr: registers
 *      tsr_make_gmem_ptr(p, type)   both
 *
 *  A pointer to const gives a read-only engine. An engine may replace the pointer: it takes the named memory and type,
 *  and keeps all else. An engine that is not a pointer stays as it is.
 *
 *  Errors  TYPE for a pointer to something else without a type.
 *  Source  CuTe, include/cute/pointer.hpp.
 */
#ifndef TSR_TENSOR_POINTER_H
#define TSR_TENSOR_POINTER_H

#include "tessera/tensor/tensor.h"

TSR_HEADER_BEGIN

/** X(type, kind of number): the types of C that are elements. */
/* clang-format off */
#define TSR_C_TYPE_LIST(X) \
    X(bool, 6) X(char, 0) X(signed char, 0) X(unsigned char, 1) X(short, 0) X(unsigned short, 1) X(int, 0) \
    X(unsigned int, 1) X(long, 0) X(unsigned long, 1) X(long long, 0) X(unsigned long long, 1) X(float, 2) X(double, 2)

/* clang-format on */

/** The engine of an address, of a space and a type of elements; a constant one is not written. */
TSR_REF tsr_engine tsr_engine_at(tsr_space space, void const *p, bool constant, tsr_dtype type)
{
    tsr_engine r = tsr_engine_of_(TSR_POINTER, tsr_s(0));
    if (tsr_dtype_bits(type) == 0)
        r.at = tsr_bad_tuple(TSR_TYPE, 0, 0, 0, 0);
    r.space = (uint8_t)space;
    r.type = type;
    r.constant = constant;
    r.address = (uint64_t)(uintptr_t)p;
    return r;
}

/** An engine in the place of a pointer: of elements of a type, -1: its own. */
TSR_REF tsr_engine tsr_engine_typed_(tsr_engine e, int type)
{
    if (type < 0 || e.at.status || e.kind != TSR_POINTER)
        return e;
    int const bits = tsr_dtype_bits((tsr_dtype)type);
    if (bits == 0 || (e.bit != 0 && bits >= 8))
        e.at = tsr_bad_tuple(TSR_TYPE, 0, 0, 0, 0);
    e.type = (tsr_dtype)type;
    return e;
}

/** The pointer, tagged with its memory. */
TSR_REF tsr_engine tsr_engine_in_(tsr_engine e, tsr_space space)
{
    if (!e.at.status && e.kind == TSR_POINTER)
        e.space = (uint8_t)space;
    return e;
}

#ifdef __cplusplus

template <class Element> struct tsr_c_type_ {
    enum { type = 0, constant = 0 };
};
template <class Element> struct tsr_c_type_<Element const> {
    enum { type = tsr_c_type_<Element>::type, constant = 1 };
};
#  define TSR_X_(c, code)                                       \
    template <> struct tsr_c_type_<c> {                         \
      enum { type = code * 256 + sizeof(c) * 8, constant = 0 }; \
    };
TSR_C_TYPE_LIST(TSR_X_)
#  undef TSR_X_
template <class Element> TSR_REF tsr_engine tsr_engine_lift(Element *p, tsr_space space, int type)
{
    return tsr_engine_at(space, p, tsr_c_type_<Element>::constant,
                         static_cast<tsr_dtype>(type < 0 ? static_cast<int>(tsr_c_type_<Element>::type) : type));
}
TSR_REF tsr_engine tsr_engine_lift(tsr_engine e, tsr_space, int type) { return tsr_engine_typed_(e, type); }
#  define TSR_C_TYPE_OF(p) (-1)
#  define TSR_ENGINE_OF(p, space, type) tsr_engine_lift(p, space, type)

#else

/* The space is made for an engine, too, and left unused. */
TSR_REF tsr_engine tsr_engine_self_(tsr_engine e, tsr_space space, int type)
{
    (void)space;
    return tsr_engine_typed_(e, type);
}
TSR_REF tsr_engine tsr_engine_of_pointer_(void *p, tsr_space space, int type)
{
    return tsr_engine_at(space, p, false, (tsr_dtype)type);
}
TSR_REF tsr_engine tsr_engine_of_const_(void const *p, tsr_space space, int type)
{
    return tsr_engine_at(space, p, true, (tsr_dtype)type);
}
/* clang-format off */
#  define TSR_C_CONST_(c, code) c const *: tsr_engine_of_const_,
#  define TSR_C_CODE_(c, code) c *: (code) * 256 + (int)sizeof(c) * 8, c const *: (code) * 256 + (int)sizeof(c) * 8,
#  define TSR_C_TYPE_OF(p) _Generic((p), TSR_C_TYPE_LIST(TSR_C_CODE_) tsr_engine: -1, default: 0)
#  define TSR_ENGINE_OF(p, space, type)                                                                       \
      _Generic((p), TSR_C_TYPE_LIST(TSR_C_CONST_) void const *: tsr_engine_of_const_, tsr_engine: tsr_engine_self_, \
               default: tsr_engine_of_pointer_)(p, space, type)
/* clang-format on */

#endif

#define TSR_PTR_1(space, p) TSR_ENGINE_OF(p, space, TSR_C_TYPE_OF(p))
#define TSR_PTR_2(space, p, type) TSR_ENGINE_OF(p, space, type)

#define TSR_TAG_(space, ...) tsr_engine_in_(TSR_CAT(TSR_PTR_, TSR_NARG(__VA_ARGS__))(space, __VA_ARGS__), space)

#define tsr_make_ptr(...) TSR_CAT(TSR_PTR_, TSR_NARG(__VA_ARGS__))(TSR_RMEM, __VA_ARGS__)
#define tsr_make_gmem_ptr(...) TSR_TAG_(TSR_GMEM, __VA_ARGS__)
#define tsr_make_smem_ptr(...) TSR_TAG_(TSR_SMEM, __VA_ARGS__)
#define tsr_make_rmem_ptr(...) TSR_TAG_(TSR_RMEM, __VA_ARGS__)

/** Converts an argument to a layout: an integer or a tuple is the shape of a compact layout. */
#ifdef __cplusplus
TSR_EVAL tsr_layout tsr_layout_lift(tsr_layout l) { return l; }
TSR_FN tsr_layout tsr_layout_lift(tsr_tuple shape) { return tsr_make_layout_compact(shape); }
template <class Int> TSR_FN tsr_layout tsr_layout_lift(Int n) { return tsr_make_layout_compact(tsr_lift(n)); }
#  define TSR_LAYOUT(x) tsr_layout_lift(x)
#else
TSR_EVAL tsr_layout tsr_layout_self_(tsr_layout l) { return l; }
TSR_FN tsr_layout tsr_layout_of_int_(int64_t n) { return tsr_make_layout_compact(tsr_int(n)); }
/* clang-format off */
#  define TSR_LAYOUT(x) \
      _Generic((x), tsr_layout: tsr_layout_self_, tsr_tuple: tsr_make_layout_compact, default: tsr_layout_of_int_)(x)
/* clang-format on */
#endif

/** A tensor from an engine or a pointer of C, and a layout, a shape, or a shape and strides (or tsr_left(),
 *  tsr_right()).
 *  Example  tsr_make_tensor(tsr_counting_iter(tsr_int(0)), tsr_t(4, 5))  is  counting_iter(0) o (4,5):(_1,4)
 *  Example  tsr_make_tensor(tsr_counting_iter(tsr_int(0)), 8, 2)  is  counting_iter(0) o 8:2 */
#define TSR_MAKE_TENSOR_2(e, l) tsr_make_tensor_of(TSR_PTR_1(TSR_RMEM, e), TSR_LAYOUT(l))
#define TSR_MAKE_TENSOR_3(e, s, d) tsr_make_tensor_from(TSR_PTR_1(TSR_RMEM, e), TSR_LIFT(s), TSR_LIFT(d))
#define tsr_make_tensor(...) TSR_CAT(TSR_MAKE_TENSOR_, TSR_NARG(__VA_ARGS__))(__VA_ARGS__)

TSR_HEADER_END

#endif
