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

/* Engines are written in place, as literals are (core/tuple.h). */

TSR_REF void tsr_point_to_(tsr_engine *e, tsr_space space, void const *p, bool constant, tsr_dtype type)
{
    e->kind = TSR_POINTER;
    e->space = (uint8_t)space;
    e->type = type;
    e->constant = constant;
    e->address = (uint64_t)(uintptr_t)p;
    e->at.leaves = 1;
    e->at.leaf[0].kind = TSR_STATIC;
    if (tsr_dtype_bits(type) == 0)
        e->at = tsr_bad_tuple(TSR_TYPE, 0, 0, 0, 0);
}

/** The engine of an address, of a space and a type of elements; a constant one is not written. */
TSR_REF tsr_engine tsr_engine_at(tsr_space space, void const *p, bool constant, tsr_dtype type)
{
    tsr_engine e = TSR_ZERO;
    tsr_point_to_(&e, space, p, constant, type);
    return e;
}

/** An engine in the place of a pointer: of elements of a type, -1: its own, and, tagged, in a memory. */
TSR_REF void tsr_retype_(tsr_engine *e, tsr_space space, int type, bool tagged)
{
    if (e->at.status || e->kind != TSR_POINTER)
        return;
    if (tagged)
        e->space = (uint8_t)space;
    if (type < 0)
        return;
    int const bits = tsr_dtype_bits((tsr_dtype)type);
    if (bits == 0 || (e->bit != 0 && bits >= 8))
        e->at = tsr_bad_tuple(TSR_TYPE, 0, 0, 0, 0);
    e->type = (tsr_dtype)type;
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
template <class Element> TSR_REF tsr_engine tsr_engine_lift(Element *p, tsr_space space, int type, bool)
{
    return tsr_engine_at(space, p, tsr_c_type_<Element>::constant,
                         static_cast<tsr_dtype>(type < 0 ? static_cast<int>(tsr_c_type_<Element>::type) : type));
}
TSR_REF tsr_engine tsr_engine_lift(tsr_engine e, tsr_space space, int type, bool tagged)
{
    tsr_retype_(&e, space, type, tagged);
    return e;
}
#  define TSR_C_TYPE_OF(p) (-1)
#  define TSR_ENGINE_OF(p, space, type, tagged) tsr_engine_lift(p, space, type, tagged)

#else

TSR_REF tsr_engine *tsr_engine_self_(tsr_engine *r, tsr_engine e, tsr_space space, int type, bool tagged)
{
    *r = e;
    tsr_retype_(r, space, type, tagged);
    return r;
}
TSR_REF tsr_engine *tsr_engine_pointer_(tsr_engine *r, void *p, tsr_space space, int type, bool tagged)
{
    (void)tagged;
    tsr_point_to_(r, space, p, false, (tsr_dtype)type);
    return r;
}
TSR_REF tsr_engine *tsr_engine_const_(tsr_engine *r, void const *p, tsr_space space, int type, bool tagged)
{
    (void)tagged;
    tsr_point_to_(r, space, p, true, (tsr_dtype)type);
    return r;
}
/* clang-format off */
#  define TSR_C_CONST_(c, code) c const *: tsr_engine_const_,
#  define TSR_C_CODE_(c, code) c *: (code) * 256 + (int)sizeof(c) * 8, c const *: (code) * 256 + (int)sizeof(c) * 8,
#  define TSR_C_TYPE_OF(p) _Generic((p), TSR_C_TYPE_LIST(TSR_C_CODE_) tsr_engine: -1, default: 0)
#  define TSR_ENGINE_AT(r, p, space, type, tagged)                                                      \
      _Generic((p), TSR_C_TYPE_LIST(TSR_C_CONST_) void const *: tsr_engine_const_, tsr_engine: tsr_engine_self_, \
               default: tsr_engine_pointer_)(r, p, space, type, tagged)
#  define TSR_ENGINE_OF(p, space, type, tagged) (*TSR_ENGINE_AT(TSR_NEW(tsr_engine), p, space, type, tagged))
/* clang-format on */

#endif

#define TSR_PTR_1(space, p, tagged) TSR_ENGINE_OF(p, space, TSR_C_TYPE_OF(p), tagged)
#define TSR_PTR_2(space, p, type, tagged) TSR_ENGINE_OF(p, space, type, tagged)
#define TSR_PTR_(space, tagged, ...) TSR_CAT(TSR_PTR_, TSR_NARG(__VA_ARGS__))(space, __VA_ARGS__, tagged)

#define tsr_make_ptr(...) TSR_PTR_(TSR_RMEM, false, __VA_ARGS__)
#define tsr_make_gmem_ptr(...) TSR_PTR_(TSR_GMEM, true, __VA_ARGS__)
#define tsr_make_smem_ptr(...) TSR_PTR_(TSR_SMEM, true, __VA_ARGS__)
#define tsr_make_rmem_ptr(...) TSR_PTR_(TSR_RMEM, true, __VA_ARGS__)

/** A tensor from an engine or a pointer of C, and a layout, a shape, or a shape and strides (or tsr_left(),
 *  tsr_right()).
 *  Example  tsr_make_tensor(tsr_counting_iter(tsr_int(0)), tsr_t(4, 5))  is  counting_iter(0) o (4,5):(_1,4)
 *  Example  tsr_make_tensor(tsr_counting_iter(tsr_int(0)), 8, 2)  is  counting_iter(0) o 8:2 */
#define tsr_make_tensor(...) TSR_CAT(TSR_MAKE_TENSOR_, TSR_NARG(__VA_ARGS__))(__VA_ARGS__)
/* An engine and a layout are made whole and then written through a pointer, as they are read (tensor/ref.h): gcc 12
 * does not fold a value that is written by the name of a member and read through a pointer. */
TSR_EVAL void tsr_put_engine_(tsr_engine *to, tsr_engine const *e) { *to = *e; }
TSR_EVAL void tsr_put_layout_(tsr_layout *to, tsr_layout const *l) { *to = *l; }

#ifdef __cplusplus

/* A layout, or the compact one of an integer or a tuple. */
TSR_EVAL tsr_layout const &tsr_layout_lift(tsr_layout const &l) { return l; }
TSR_EVAL tsr_layout tsr_layout_lift(tsr_tuple const &shape) { return tsr_compact_at_(tsr_layout{}, shape); }
template <class Int> TSR_TEMPLATE_EVAL tsr_layout tsr_layout_lift(Int n)
{
    return tsr_compact_at_(tsr_layout{}, tsr_lift(n));
}
#  define TSR_TENSOR_ON(e) TSR_PTR_1(TSR_RMEM, e, false)
/* The tensor is written where it is: g++ 12 does not fold one that a function returns, and clang 14 none that is
 * made in two steps. */
#  if defined(__clang__)
#    define TSR_TENSOR_WITH_(e, l) (tsr_tensor{TSR_TENSOR_ON(e), l})
#  else
TSR_EVAL tsr_tensor const &tsr_tensor_with_(tsr_tensor &&t, tsr_engine const &e, tsr_layout const &l)
{
    tsr_put_engine_(&t.engine, &e);
    tsr_put_layout_(&t.layout, &l);
    return t;
}
#    define TSR_TENSOR_WITH_(e, l) tsr_tensor(tsr_tensor_with_(tsr_tensor{}, TSR_TENSOR_ON(e), l))
#  endif
#  define TSR_MAKE_TENSOR_2(e, l) TSR_TENSOR_WITH_(e, tsr_layout_lift(l))
#  define TSR_MAKE_TENSOR_3(e, s, d) TSR_TENSOR_WITH_(e, tsr_layout_at_(tsr_layout{}, TSR_LIFT(s), TSR_LIFT(d)))

#else

TSR_REF tsr_tensor *tsr_tensor_self_(tsr_tensor *t, tsr_engine e, int type)
{
    tsr_put_engine_(&t->engine, &e);
    (void)type;
    return t;
}
TSR_REF tsr_tensor *tsr_tensor_pointer_(tsr_tensor *t, void *p, int type)
{
    tsr_engine const e = tsr_engine_at(TSR_RMEM, p, false, (tsr_dtype)type);
    tsr_put_engine_(&t->engine, &e);
    return t;
}
TSR_REF tsr_tensor *tsr_tensor_const_(tsr_tensor *t, void const *p, int type)
{
    tsr_engine const e = tsr_engine_at(TSR_RMEM, p, true, (tsr_dtype)type);
    tsr_put_engine_(&t->engine, &e);
    return t;
}
TSR_EVAL tsr_tensor *tsr_tensor_with_(tsr_tensor *t, tsr_layout l)
{
    tsr_put_layout_(&t->layout, &l);
    return t;
}
TSR_EVAL tsr_tensor *tsr_tensor_compact_(tsr_tensor *t, tsr_tuple shape)
{
    tsr_layout l = TSR_ZERO;
    tsr_literal_major_(&l, &shape, false);
    tsr_put_layout_(&t->layout, &l);
    return t;
}
TSR_EVAL tsr_tensor *tsr_tensor_size_(tsr_tensor *t, int64_t n) { return tsr_tensor_compact_(t, tsr_int(n)); }
TSR_EVAL tsr_tensor *tsr_tensor_strided_(tsr_tensor *t, tsr_tuple const *shape, tsr_tuple const *stride)
{
    tsr_layout l = TSR_ZERO;
    tsr_literal_from_(&l, shape, stride);
    tsr_put_layout_(&t->layout, &l);
    return t;
}
/* clang-format off */
#  define TSR_TENSOR_CONST_(c, code) c const *: tsr_tensor_const_,
#  define TSR_TENSOR_ON(e)                                                                                  \
      _Generic((e), TSR_C_TYPE_LIST(TSR_TENSOR_CONST_) void const *: tsr_tensor_const_, tsr_engine: tsr_tensor_self_, \
               default: tsr_tensor_pointer_)(TSR_NEW(tsr_tensor), e, TSR_C_TYPE_OF(e))
#  define TSR_MAKE_TENSOR_2(e, l) (*_Generic((l), tsr_layout: tsr_tensor_with_, tsr_tuple: tsr_tensor_compact_, \
                                                  default: tsr_tensor_size_)(TSR_TENSOR_ON(e), l))
#  define TSR_MAKE_TENSOR_3(e, s, d) (*tsr_tensor_strided_(TSR_TENSOR_ON(e), TSR_TUPLE_AT(s), TSR_TUPLE_AT(d)))
/* clang-format on */

#endif

TSR_HEADER_END

#endif
