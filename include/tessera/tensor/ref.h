/** Elements of a tensor as values of C.
 *
 *      tsr_ref(T, t, c..)        the element at a coordinate, an lvalue of type T: as cheap as a pointer expression
 *      tsr_load_at(T, t, c..)    the value of the element, of any engine: in memory, counted, converted or computed
 *      tsr_store_at(t, x, c..)   writes the number x, converted to the type of the element
 *
 *  c is a coordinate or an integer, or one of either for each mode: tsr_ref(float, t, m, n) is
 *  tsr_ref(float, t, tsr_t(m, n)).
 *
 *  Law     tsr_ref(T, t, c) is ((T *)p)[L(c)] for a tensor p o L. tsr_load_at gives the number of tsr_tensor_read, and
 *          tsr_store_at writes as tsr_tensor_write does. The number of a scaled or computed element is rounded to T.
 *  Errors  An element has no place for a reason. So a refusal prints one sentence and calls abort(). Refused in every
 *          build: an element without an address in tsr_ref; in tsr_load_at a T that does not hold every number of the
 *          type of the elements; in tsr_store_at elements that are not to be written. With TSR_CHECKED
 *          (base/config.h) also: another type than T in tsr_ref, and all that tsr_tensor_read and tsr_tensor_write
 *          refuse. Without it a wrong coordinate or type is undefined, as it is for a pointer of C.
 *  Source  CuTe, operator() of include/cute/tensor_impl.hpp.
 */
#ifndef TSR_TENSOR_REF_H
#define TSR_TENSOR_REF_H

#include "tessera/tensor/access.h"
#include "tessera/tensor/like.h"
#include "tessera/tensor/pointer.h"

TSR_HEADER_BEGIN

/* Type 0 of C is none of the types of elements: a struct, or the bits of a type that C has no name for. */

/* A refusal takes numbers only, since a tensor whose address is passed on does not fold. Without the library a C++
 * program and that of the one file stop without words. */
#if TSR_ON_GPU
#  define TSR_REFUSE_(name, ...) TSR_TRAP()
#else
/** Says why, and aborts. */
TSR_API TSR_WEAK void tsr_refuse_(tsr_reason why);

/** Says that elements have no address, or are not of a type of C, and aborts. */
TSR_API TSR_WEAK void tsr_refuse_element_(tsr_dtype type, int c_type, bool address);

#  if defined(__cplusplus) && defined(__ELF__)
#    define TSR_REFUSE_(name, ...) (&(name) != nullptr ? name(__VA_ARGS__) : TSR_TRAP())
#  else
#    define TSR_REFUSE_(name, ...) name(__VA_ARGS__)
#  endif
#endif

/** The engine of a tensor without its bounds and its coordinate: what a call takes, since a tensor that is passed on in
 *  memory does not fold. */
typedef struct tsr_slim_engine_ {
    uint8_t kind, space, bit;
    bool constant;
    tsr_dtype type;
    uint64_t address;
    int64_t first; /* counting: the integer */
    tsr_swizzle swizzle;
    tsr_map map;
    tsr_reason why; /* the tensor is invalid */
} tsr_slim_engine_;

/** The element at offset k as a value of a type of C, into *x. */
TSR_OP_MEMORY void tsr_load_element_(tsr_slim_engine_ s, int64_t k, int c_type, void *x);

/** Writes the element at offset k. */
TSR_OP_MEMORY void tsr_store_element_(tsr_slim_engine_ s, int64_t k, tsr_number x);

/** What TSR_CHECKED asks before an element is read, or written. */
TSR_OP_MEMORY void tsr_check_element_(tsr_tensor const *t, tsr_tuple const *c, bool writes);

/** Whether elements have addresses: they are in memory, whole bytes, and not behind a function. */
TSR_EVAL bool tsr_has_addresses_(tsr_engine const *e)
{
    return e->kind == TSR_POINTER && e->space != TSR_TMEM && e->map.kind == TSR_AS_IS
           && tsr_dtype_bits(e->type) % 8 == 0;
}

/** Is an element read as a value of C of its own type, or of its own size where C does not name that type? */
TSR_EVAL bool tsr_is_of_c_type_(tsr_dtype type, int c_type, size_t size)
{
    int const code = tsr_dtype_code(type), bits = tsr_dtype_bits(type);
    bool const named = code <= 1 || code == 6 || (code == 2 && bits >= 32);
    return named && c_type != 0 ? (int)type == c_type : bits == 8 * (int)size;
}

TSR_REF void *tsr_ref_(tsr_engine const *e, int64_t k, int c_type, size_t size)
{
    if (!tsr_has_addresses_(e))
        TSR_REFUSE_(tsr_refuse_element_, e->type, c_type, true);
    if (TSR_CHECKED && !tsr_is_of_c_type_(e->type, c_type, size))
        TSR_REFUSE_(tsr_refuse_element_, e->type, c_type, false);
    return (void *)(uintptr_t)tsr_swizzle_apply(e->swizzle, e->address + (uint64_t)k * size);
}

TSR_REF tsr_slim_engine_ tsr_slim_(tsr_tensor const *t)
{
    tsr_engine const *const e = &t->engine;
    tsr_slim_engine_ r;
    r.kind = e->kind;
    r.space = e->space;
    r.bit = e->bit;
    r.constant = e->constant;
    r.type = e->type;
    r.address = e->address;
    r.first = e->at.leaf[0].value;
    r.swizzle = e->swizzle;
    r.map = e->map;
    r.why = e->at.status ? tsr_tuple_why(e->at) : tsr_tuple_why(t->layout.shape);
    return r;
}

/** The element at offset k, into *x. */
TSR_REF void *tsr_load_(tsr_tensor const *t, int64_t k, int c_type, size_t size, void *x)
{
    tsr_engine const *const e = &t->engine;
    if (tsr_has_addresses_(e) && c_type == (int)e->type)
        TSR_COPY(x, tsr_ref_(e, k, c_type, size), size);
    else
        tsr_load_element_(tsr_slim_(t), k, c_type, x);
    return x;
}

/** Writes the element at offset k: real numbers and integers of their own kind in place. */
TSR_REF void tsr_store_(tsr_tensor const *t, int64_t k, tsr_number x)
{
    tsr_engine const *const e = &t->engine;
    bool const plain = tsr_has_addresses_(e) && !e->constant && x.kind == TSR_REAL;
    float const single = (float)x.re;
    if (plain && e->type == TSR_F32)
        TSR_COPY(tsr_ref_(e, k, TSR_F32, 4), &single, 4);
    else if (plain && e->type == TSR_F64)
        TSR_COPY(tsr_ref_(e, k, TSR_F64, 8), &x.re, 8);
    else
        tsr_store_element_(tsr_slim_(t), k, x);
}

TSR_REF int64_t tsr_index_in_(tsr_tensor const *t, int64_t i, bool writes)
{
#if TSR_CHECKED
    tsr_tuple const c = tsr_int(i);
    tsr_check_element_(t, &c, writes);
#endif
    (void)writes;
    return tsr_at_index_(&t->layout, i);
}

TSR_REF int64_t tsr_coord_in_(tsr_tensor const *t, tsr_tuple const *c, bool writes)
{
#if TSR_CHECKED
    tsr_check_element_(t, c, writes);
#endif
    (void)writes;
    return tsr_at_coord_(&t->layout, c);
}

#define TSR_SEVERAL_(...)                                                                                           \
  TSR_NARG_(__VA_ARGS__, MANY_, MANY_, MANY_, MANY_, MANY_, MANY_, MANY_, MANY_, MANY_, MANY_, MANY_, MANY_, MANY_, \
            MANY_, MANY_, 1, 0)

/* The coordinate of a call: its one argument, or the list of all. */
#define TSR_COORD(...) TSR_CAT(TSR_COORD_, TSR_SEVERAL_(__VA_ARGS__))(__VA_ARGS__)
#define TSR_COORD_1(c) c
#define TSR_COORD_MANY_(...) tsr_t(__VA_ARGS__)

#ifdef __cplusplus

TSR_REF int64_t tsr_in_(TSR_ARG(tsr_tensor) t, TSR_ARG(tsr_tuple) c, bool writes)
{
    return tsr_coord_in_(&t, &c, writes);
}
template <class Int> TSR_REF int64_t tsr_in_(TSR_ARG(tsr_tensor) t, Int i, bool writes)
{
    return tsr_index_in_(&t, static_cast<int64_t>(i), writes);
}
template <class Element, class Coord> TSR_REF Element &tsr_ref_of_(TSR_ARG(tsr_tensor) t, TSR_ARG(Coord) c)
{
    return *static_cast<Element *>(
        tsr_ref_(&t.engine, tsr_in_(t, c, false), tsr_c_type_<Element>::type, sizeof(Element)));
}
template <class Element, class Coord> TSR_REF Element tsr_load_of_(TSR_ARG(tsr_tensor) t, TSR_ARG(Coord) c)
{
    Element x{};
    tsr_load_(&t, tsr_in_(t, c, false), tsr_c_type_<Element>::type, sizeof(Element), &x);
    return x;
}
template <class Coord> TSR_REF void tsr_store_of_(TSR_ARG(tsr_tensor) t, tsr_number x, TSR_ARG(Coord) c)
{
    tsr_store_(&t, tsr_in_(t, c, true), x);
}
TSR_FN tsr_number tsr_number_lift(tsr_number x) { return x; }
TSR_FN tsr_number tsr_number_lift(double x) { return tsr_number_real(x); }
TSR_FN tsr_number tsr_number_lift(float x) { return tsr_number_real(x); }
template <class Int> TSR_TEMPLATE_FN tsr_number tsr_number_lift(Int x)
{
    tsr_number r = tsr_number_int(static_cast<int64_t>(x));
    r.kind = static_cast<Int>(-1) > Int() ? TSR_UNSIGNED : TSR_SIGNED;
    return r;
}

#  define tsr_ref(Element, t, ...) tsr_ref_of_<Element>(t, TSR_COORD(__VA_ARGS__))
#  define tsr_load_at(Element, t, ...) tsr_load_of_<Element>(t, TSR_COORD(__VA_ARGS__))
#  define tsr_store_at(t, x, ...) tsr_store_of_(t, tsr_number_lift(x), TSR_COORD(__VA_ARGS__))

#else

TSR_REF void *tsr_ref_index_(tsr_tensor const *t, int64_t i, int c_type, size_t size)
{
    return tsr_ref_(&t->engine, tsr_index_in_(t, i, false), c_type, size);
}
TSR_REF void *tsr_ref_coord_(tsr_tensor const *t, tsr_tuple c, int c_type, size_t size)
{
    return tsr_ref_(&t->engine, tsr_coord_in_(t, &c, false), c_type, size);
}
TSR_REF void *tsr_load_index_(tsr_tensor const *t, int64_t i, int c_type, size_t size, void *x)
{
    return tsr_load_(t, tsr_index_in_(t, i, false), c_type, size, x);
}
TSR_REF void *tsr_load_coord_(tsr_tensor const *t, tsr_tuple c, int c_type, size_t size, void *x)
{
    return tsr_load_(t, tsr_coord_in_(t, &c, false), c_type, size, x);
}
TSR_REF void tsr_store_index_(tsr_tensor const *t, tsr_number x, int64_t i)
{
    tsr_store_(t, tsr_index_in_(t, i, true), x);
}
TSR_REF void tsr_store_coord_(tsr_tensor const *t, tsr_number x, tsr_tuple c)
{
    tsr_store_(t, tsr_coord_in_(t, &c, true), x);
}
TSR_EVAL tsr_number tsr_number_self_(tsr_number x) { return x; }
TSR_EVAL tsr_number tsr_number_unsigned_(uint64_t x)
{
    tsr_number r = tsr_number_int((int64_t)x);
    r.kind = TSR_UNSIGNED;
    return r;
}

/* clang-format off */
#  define TSR_BY_COORD_(name, ...) TSR_CAT(TSR_BY_COORD_, TSR_SEVERAL_(__VA_ARGS__))(name, __VA_ARGS__)
#  define TSR_BY_COORD_1(name, c) _Generic((c), tsr_tuple: name##_coord_, default: name##_index_)
#  define TSR_BY_COORD_MANY_(name, ...) name##_coord_
#  define TSR_NUMBER_OF(x) \
      _Generic((x), tsr_number: tsr_number_self_, float: tsr_number_real, double: tsr_number_real, \
               bool: tsr_number_unsigned_, unsigned char: tsr_number_unsigned_, unsigned short: tsr_number_unsigned_, \
               unsigned int: tsr_number_unsigned_, unsigned long: tsr_number_unsigned_, \
               unsigned long long: tsr_number_unsigned_, default: tsr_number_int)(x)
#  define TSR_C_TYPE(Element) TSR_C_TYPE_OF((Element *)0)
#  define tsr_ref(Element, t, ...) \
      (*(Element *)TSR_BY_COORD_(tsr_ref, __VA_ARGS__)(TSR_AT(t), TSR_COORD(__VA_ARGS__), TSR_C_TYPE(Element), \
          sizeof(Element)))
#  define tsr_load_at(Element, t, ...) \
      (*(Element *)TSR_BY_COORD_(tsr_load, __VA_ARGS__)(TSR_AT(t), TSR_COORD(__VA_ARGS__), TSR_C_TYPE(Element), \
          sizeof(Element), \
                                                  TSR_NEW(Element)))
#  define tsr_store_at(t, x, ...) \
      TSR_BY_COORD_(tsr_store, __VA_ARGS__)(TSR_AT(t), TSR_NUMBER_OF(x), TSR_COORD(__VA_ARGS__))
/* clang-format on */

#endif

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tensor/body/ref.h"
#endif

#endif
