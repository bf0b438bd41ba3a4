/** Tiler: it says how to cut a layout. A layout cuts the whole; a tuple <a,b,..> cuts mode by mode; an integer n cuts
 *  off n consecutive elements; `_` keeps its mode.
 *
 *  A tiler is stored as a layout whose leaves count the brackets <> around them in `tile`; an integer has no stride.
 *  Example  tsr_tile(tsr_make_layout(3, 5), 4)  is  <3:5,4>
 *  Source   CuTe, include/cute/layout.hpp, Tile.
 */
#ifndef TSR_CORE_TILER_H
#define TSR_CORE_TILER_H

#include "tessera/core/layout.h"

TSR_HEADER_BEGIN

typedef struct tsr_tiler {
    tsr_layout by;
} tsr_tiler;

/** A layout as a tiler of the whole. */
TSR_FN tsr_tiler tsr_tiler_of_layout(tsr_layout l)
{
    tsr_tiler const r = {l};
    return r;
}

/** An integer, `_`, or a tuple of these, one bracket for each parenthesis. */
TSR_OP tsr_tiler tsr_tiler_of_tuple(tsr_tuple t);

/** An integer n: n consecutive elements. */
TSR_OP tsr_tiler tsr_tiler_of_int(int64_t n);

/* Building <a,b,..>: start from TSR_ZERO, push, close. */

TSR_OP void tsr_tiler_push(tsr_tiler *list, tsr_tiler const *t);

TSR_OP tsr_tiler tsr_tiler_close(tsr_tiler list);

/** The modes of `list`, then t: a tiler that is not closed yet. */
TSR_OP tsr_tiler tsr_tiler_pushed_(tsr_tiler list, tsr_tiler t);

TSR_OP tsr_tiler tsr_tiler_none_(void);

TSR_OP tsr_tiler tsr_tile_1(tsr_tiler a);

TSR_OP tsr_tiler tsr_tile_2(tsr_tiler a, tsr_tiler b);

/* What a tiler is at its top, and what the layout is that it is held as */

TSR_FN bool tsr_by_is_tuple_(tsr_layout const *by) { return by->shape.leaf[0].tile > 0; }

TSR_FN bool tsr_by_is_wild_(tsr_layout const *by)
{
    return !tsr_by_is_tuple_(by) && by->shape.leaf[0].kind == TSR_WILD;
}

TSR_FN bool tsr_by_is_int_(tsr_layout const *by)
{
    return !tsr_by_is_tuple_(by) && by->stride.leaf[0].kind == TSR_ABSENT && !tsr_by_is_wild_(by);
}

TSR_FN bool tsr_tiler_is_tuple(tsr_tiler const *t) { return tsr_by_is_tuple_(&t->by); }

TSR_FN bool tsr_tiler_is_wild(tsr_tiler const *t) { return tsr_by_is_wild_(&t->by); }

TSR_FN bool tsr_tiler_is_int(tsr_tiler const *t) { return tsr_by_is_int_(&t->by); }

TSR_INTERNAL int tsr_tiler_rank_(tsr_tiler const *t);

/** Element i of <a,b,..>. */
TSR_INTERNAL tsr_tiler tsr_tiler_get_(tsr_tiler const *t, int64_t i);

TSR_OP tsr_tiler tsr_tiler_get(tsr_tiler t, int64_t i);

/** The layouts of <A,B,..> as the modes of one layout: make_layout(A, B, ..). */
TSR_OP tsr_layout tsr_make_layout_of(tsr_tiler t);

/* One spelling in C, C++ and CUDA */

#ifdef __cplusplus
TSR_FN tsr_tiler tsr_tiler_lift(tsr_tiler t) { return t; }
TSR_FN tsr_tiler tsr_tiler_lift(tsr_layout l) { return tsr_tiler_of_layout(l); }
TSR_FN tsr_tiler tsr_tiler_lift(tsr_tuple t) { return tsr_tiler_of_tuple(t); }
template <class Int> TSR_TEMPLATE_FN tsr_tiler tsr_tiler_lift(Int n)
{
    return tsr_tiler_of_int(static_cast<int64_t>(n));
}
#  define TSR_TILER(x) tsr_tiler_lift(x)
#  define TSR_TILE_PUT(list, x) tsr_tiler_pushed_(list, TSR_TILER(x))
#else
/* In C a list is written in place, as literals are (core/tuple.h). */
TSR_OP tsr_tiler *tsr_tile_put_tiler_(tsr_tiler *list, tsr_tiler t);

TSR_OP tsr_tiler *tsr_tile_put_layout_(tsr_tiler *list, tsr_layout l);

TSR_OP tsr_tiler *tsr_tile_put_tuple_(tsr_tiler *list, tsr_tuple t);

TSR_OP tsr_tiler *tsr_tile_put_int_(tsr_tiler *list, int64_t n);

TSR_OP tsr_tiler *tsr_tile_closed_(tsr_tiler *list);

TSR_FN tsr_tiler tsr_tiler_self_(tsr_tiler t) { return t; }
/* clang-format off */
#  define TSR_TILER(x)                           \
      _Generic((x), tsr_tiler                    \
               : tsr_tiler_self_, tsr_layout     \
               : tsr_tiler_of_layout, tsr_tuple  \
               : tsr_tiler_of_tuple, default     \
               : tsr_tiler_of_int)(x)
#  define TSR_TILE_PUT(list, x)                      \
      _Generic((x), tsr_tiler                        \
               : tsr_tile_put_tiler_, tsr_layout     \
               : tsr_tile_put_layout_, tsr_tuple     \
               : tsr_tile_put_tuple_, default        \
               : tsr_tile_put_int_)(list, x)
/* clang-format on */
#endif

#define TSR_TILE_1(list, a) TSR_TILE_PUT(list, a)
#define TSR_TILE_2(list, a, ...) TSR_TILE_1(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_3(list, a, ...) TSR_TILE_2(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_4(list, a, ...) TSR_TILE_3(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_5(list, a, ...) TSR_TILE_4(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_6(list, a, ...) TSR_TILE_5(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_7(list, a, ...) TSR_TILE_6(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_8(list, a, ...) TSR_TILE_7(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_9(list, a, ...) TSR_TILE_8(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_10(list, a, ...) TSR_TILE_9(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_11(list, a, ...) TSR_TILE_10(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_12(list, a, ...) TSR_TILE_11(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_13(list, a, ...) TSR_TILE_12(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_14(list, a, ...) TSR_TILE_13(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_15(list, a, ...) TSR_TILE_14(TSR_TILE_PUT(list, a), __VA_ARGS__)
#define TSR_TILE_16(list, a, ...) TSR_TILE_15(TSR_TILE_PUT(list, a), __VA_ARGS__)

/** <a,b,..> of up to 16 layouts, integers, `_` or tilers.
 *  Example  tsr_tile(tsr_make_layout(tsr_s(3), 5), tsr_wild())  is  <_3:5,_>
 *  Example  tsr_tile(1, 2, 3, 4, 5)  is  <1,2,3,4,5> */
#ifdef __cplusplus
#  define tsr_tile(...) tsr_tiler_close(TSR_CAT(TSR_TILE_, TSR_NARG(__VA_ARGS__))(tsr_tiler_none_(), __VA_ARGS__))
#else
#  define tsr_tile(...) \
    (*tsr_tile_closed_(TSR_CAT(TSR_TILE_, TSR_NARG(__VA_ARGS__))(TSR_NEW(tsr_tiler), __VA_ARGS__)))
#endif

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/tiler.h"
#endif

#endif
