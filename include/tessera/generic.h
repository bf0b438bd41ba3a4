/** One name for one idea: the operations that exist for tuples, for layouts and for tensors, and those that take a
 *  tiler, under the field's bare names. In C by _Generic, in C++ and CUDA by overloads.
 *
 *  Example  tsr_composition(tsr_make_layout(tsr_t(20, 2), tsr_t(16, 4)), tsr_t(4, 2))  is  (4,2):(16,4)
 *  Example  tsr_zipped_divide(tsr_make_layout(tsr_t(8, 6)), tsr_tile(4, 2))  is  ((4,2),(2,3)):((_1,8),(4,16))
 *  Example  tsr_size(tsr_make_layout(tsr_t(4, 2), tsr_t(1, 16)))  is  8
 */
#ifndef TSR_GENERIC_H
#define TSR_GENERIC_H

#include "tessera/core/injective.h"
#include "tessera/tensor/forms.h"
#include "tessera/tensor/partition.h"
#include "tessera/tensor/wide.h"

TSR_HEADER_BEGIN

/** tsr_make_layout(shape) is compact, tsr_make_layout(shape, stride) is shape:stride. Three arguments or more, and
 *  lists in plain parentheses, do not compile; the compiler's message says why.
 *  Example  tsr_make_layout(tsr_t(tsr_s(4), tsr_s(2)))  is  (_4,_2):(_1,_4)
 *  Example  tsr_make_layout(tsr_t(4, 2), tsr_right())  is  (4,2):(2,_1) */
#define TSR_MAKE_LAYOUT_1(s) TSR_CAT(TSR_COMPACT_, TSR_IS_LIST(s))(s)
#define TSR_COMPACT_1(s) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_2(s, d) TSR_CAT(TSR_LAYOUT_, TSR_CAT(TSR_IS_LIST(s), TSR_IS_LIST(d)))(s, d)
#ifdef __cplusplus
#  define TSR_COMPACT_0(s) tsr_layout(tsr_compact_at_(tsr_layout{}, TSR_LIFT(s)))
#  define TSR_LAYOUT_00(s, d) tsr_layout(tsr_layout_at_(tsr_layout{}, TSR_LIFT(s), TSR_LIFT(d)))
#else
#  define TSR_COMPACT_0(s) (*tsr_compact_at_(TSR_NEW(tsr_layout), TSR_TUPLE_AT(s)))
#  define TSR_LAYOUT_00(s, d) (*tsr_layout_at_(TSR_NEW(tsr_layout), TSR_TUPLE_AT(s), TSR_TUPLE_AT(d)))
#endif
#define TSR_LAYOUT_01(s, d) TSR_MAKE_LAYOUT_REFUSED
#define TSR_LAYOUT_10(s, d) TSR_MAKE_LAYOUT_REFUSED
#define TSR_LAYOUT_11(s, d) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_3(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_4(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_5(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_6(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_7(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_8(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_9(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_10(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_11(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_12(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_13(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_14(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_15(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_16(...) TSR_MAKE_LAYOUT_REFUSED
#define TSR_MAKE_LAYOUT_SENTENCE \
  "tsr_make_layout takes a shape, or a shape and a stride: tsr_make_layout(tsr_t(4, 8), tsr_t(8, 1))"
#ifdef __cplusplus
template <bool Refused = true> TSR_TEMPLATE_FN tsr_layout tsr_make_layout_refused_()
{
    static_assert(!Refused, TSR_MAKE_LAYOUT_SENTENCE);
    return {};
}
#  define TSR_MAKE_LAYOUT_REFUSED tsr_make_layout_refused_()
#else
/* clang-format off */
#  define TSR_MAKE_LAYOUT_REFUSED \
      (*(tsr_layout *)sizeof(struct { _Static_assert(0, TSR_MAKE_LAYOUT_SENTENCE); char nothing; }))
/* clang-format on */
#endif
#define tsr_make_layout(...) TSR_CAT(TSR_MAKE_LAYOUT_, TSR_NARG(__VA_ARGS__))(__VA_ARGS__)

/* Why a value is invalid, a verdict no "yes"
 *  Example  tsr_why(tsr_logical_divide(tsr_make_layout(tsr_t(8, 6)), tsr_tile(4, 2, 2))).number[0]  is  3 */

TSR_FN tsr_reason tsr_reason_why_(tsr_reason why) { return why; }

TSR_FN tsr_reason tsr_layout_why(tsr_layout l) { return tsr_tuple_why(l.shape); }

TSR_FN tsr_reason tsr_tiler_why(tsr_tiler t) { return tsr_tuple_why(t.by.shape); }

TSR_FN tsr_reason tsr_verdict_why(tsr_verdict v) { return v.why; }

/* Numbers of a tuple or a layout: TSR_BAD_OFFSET for an invalid one */

TSR_FN int64_t tsr_size_tuple(tsr_tuple t) { return tsr_tuple_number(tsr_product(t)); }

TSR_FN int64_t tsr_rank_tuple(tsr_tuple t) { return t.status ? TSR_BAD_OFFSET : tsr_mode_count(&t); }

TSR_FN bool tsr_reason_ok(tsr_reason why) { return !why.status; }

TSR_FN bool tsr_tensor_ok(tsr_tensor t) { return !t.engine.at.status && !t.layout.shape.status; }

TSR_FN int64_t tsr_size_tensor_(tsr_tensor t) { return tsr_layout_size(tsr_tensor_layout(t)); }

TSR_FN int64_t tsr_rank_tensor_(tsr_tensor t) { return tsr_layout_rank(tsr_tensor_layout(t)); }

TSR_FN tsr_tensor tsr_get_tensor_(tsr_tensor t, int64_t i) { return tsr_tensor_mode(t, tsr_int(i)); }

TSR_FN tsr_tuple tsr_shape_self_(tsr_tuple t) { return t; }

TSR_FN tsr_tuple tsr_shape_layout_(tsr_layout l) { return l.shape; }

TSR_FN tsr_tuple tsr_shape_tensor_(tsr_tensor t) { return tsr_tensor_shape_of(t, tsr_unit()); }

/** An answer of the calculator as a bool: false for an invalid one, too.
 *  Example  tsr_is_true(tsr_elem_less(tsr_t(3, 1), tsr_t(4, 2)))  is  1 */
TSR_FN bool tsr_is_true(tsr_tuple t) { return tsr_tuple_number(t) == 1; }

TSR_FN bool tsr_is_static_tuple_(tsr_tuple t) { return tsr_is_true(tsr_tuple_static_int(t)); }

TSR_FN bool tsr_is_static_layout_(tsr_layout l) { return tsr_is_true(tsr_layout_static_int(l)); }

TSR_FN bool tsr_is_static_tensor_(tsr_tensor t) { return tsr_is_true(tsr_layout_static_int(tsr_tensor_layout(t))); }

#ifdef __cplusplus

TSR_FN tsr_reason tsr_why(tsr_reason why) { return why; }
TSR_FN tsr_reason tsr_why(tsr_tuple t) { return tsr_tuple_why(t); }
TSR_FN tsr_reason tsr_why(tsr_layout l) { return tsr_layout_why(l); }
TSR_FN tsr_reason tsr_why(tsr_tiler t) { return tsr_tiler_why(t); }
TSR_FN tsr_reason tsr_why(tsr_swizzle sw) { return tsr_swizzle_why(sw); }
TSR_FN tsr_reason tsr_why(tsr_tensor t) { return tsr_tensor_why(t); }
TSR_FN tsr_reason tsr_why(tsr_verdict v) { return tsr_verdict_why(v); }
TSR_FN bool tsr_ok(tsr_reason why) { return tsr_reason_ok(why); }
TSR_FN bool tsr_ok(tsr_tuple t) { return tsr_tuple_ok(t); }
TSR_FN bool tsr_ok(tsr_layout l) { return tsr_layout_ok(l); }
TSR_FN bool tsr_ok(tsr_tiler t) { return tsr_layout_ok(t.by); }
TSR_FN bool tsr_ok(tsr_tensor t) { return tsr_tensor_ok(t); }
TSR_FN int64_t tsr_size(tsr_tuple t) { return tsr_size_tuple(t); }
TSR_FN int64_t tsr_size(tsr_layout l) { return tsr_layout_size(l); }
TSR_FN int64_t tsr_size(tsr_tensor t) { return tsr_size_tensor_(t); }
TSR_FN int64_t tsr_rank(tsr_tuple t) { return tsr_rank_tuple(t); }
TSR_FN int64_t tsr_rank(tsr_layout l) { return tsr_layout_rank(l); }
TSR_FN int64_t tsr_rank(tsr_tensor t) { return tsr_rank_tensor_(t); }
TSR_FN tsr_tuple tsr_flatten(tsr_tuple t) { return tsr_tuple_flatten(t); }
TSR_FN tsr_layout tsr_flatten(tsr_layout l) { return tsr_layout_flatten(l); }
TSR_FN tsr_tensor tsr_flatten(tsr_tensor t) { return tsr_tensor_flatten(t); }
TSR_FN tsr_tuple tsr_coalesce(tsr_tuple t) { return tsr_tuple_coalesce(t); }
TSR_FN tsr_layout tsr_coalesce(tsr_layout l) { return tsr_layout_coalesce(l); }
TSR_FN tsr_tensor tsr_coalesce(tsr_tensor t) { return tsr_tensor_coalesce(t); }
TSR_FN tsr_tuple tsr_get(tsr_tuple t, int64_t i) { return tsr_tuple_get(t, i); }
TSR_FN tsr_layout tsr_get(tsr_layout l, int64_t i) { return tsr_mode(l, i); }
TSR_FN tsr_tensor tsr_get(tsr_tensor t, int64_t i) { return tsr_get_tensor_(t, i); }
TSR_FN tsr_tuple tsr_take(tsr_tuple t, int64_t b, int64_t e) { return tsr_tuple_take(t, b, e); }
TSR_FN tsr_layout tsr_take(tsr_layout l, int64_t b, int64_t e) { return tsr_layout_take(l, b, e); }
TSR_FN tsr_tensor tsr_take(tsr_tensor t, int64_t b, int64_t e) { return tsr_tensor_take(t, b, e); }
TSR_FN tsr_tuple tsr_group(tsr_tuple t, int64_t b, int64_t e) { return tsr_tuple_group(t, b, e); }
TSR_FN tsr_layout tsr_group(tsr_layout l, int64_t b, int64_t e) { return tsr_layout_group(l, b, e); }
TSR_FN tsr_tensor tsr_group(tsr_tensor t, int64_t b, int64_t e) { return tsr_group_modes(t, b, e); }
TSR_FN tsr_tuple tsr_append(tsr_tuple t, tsr_tuple x) { return tsr_tuple_append(t, x); }
TSR_FN tsr_layout tsr_append(tsr_layout l, tsr_layout x) { return tsr_layout_append(l, x); }
TSR_FN tsr_tensor tsr_append(tsr_tensor t, tsr_layout x) { return tsr_tensor_append(t, x); }
TSR_FN tsr_tuple tsr_prepend(tsr_tuple t, tsr_tuple x) { return tsr_tuple_prepend(t, x); }
TSR_FN tsr_layout tsr_prepend(tsr_layout l, tsr_layout x) { return tsr_layout_prepend(l, x); }
TSR_FN tsr_tensor tsr_prepend(tsr_tensor t, tsr_layout x) { return tsr_tensor_prepend(t, x); }
TSR_FN tsr_tuple tsr_select_(tsr_tuple t, tsr_tuple modes) { return tsr_tuple_select(t, modes); }
TSR_FN tsr_layout tsr_select_(tsr_layout l, tsr_tuple modes) { return tsr_layout_select(l, modes); }
TSR_FN tsr_tensor tsr_select_(tsr_tensor t, tsr_tuple modes) { return tsr_tensor_select(t, modes); }
TSR_FN tsr_tuple tsr_shape_(tsr_tuple t) { return tsr_shape_self_(t); }
TSR_FN tsr_tuple tsr_shape_(tsr_layout l) { return tsr_shape_layout_(l); }
TSR_FN tsr_tuple tsr_shape_(tsr_tensor t) { return tsr_shape_tensor_(t); }
template <class Int> TSR_TEMPLATE_FN tsr_tuple tsr_shape_(Int n) { return tsr_int(static_cast<int64_t>(n)); }
TSR_FN bool tsr_is_static(tsr_tuple t) { return tsr_is_static_tuple_(t); }
TSR_FN bool tsr_is_static(tsr_layout l) { return tsr_is_static_layout_(l); }
TSR_FN bool tsr_is_static(tsr_tensor t) { return tsr_is_static_tensor_(t); }
TSR_FN bool tsr_is_major(tsr_tuple t, int64_t mode) { return tsr_is_true(tsr_major_int(t, mode)); }
TSR_FN bool tsr_is_major(tsr_layout l, int64_t mode) { return tsr_is_true(tsr_layout_major_int(l, mode)); }
TSR_FN bool tsr_is_major(tsr_tensor t, int64_t mode) { return tsr_is_true(tsr_tensor_major_int(t, mode)); }
TSR_FN tsr_tuple tsr_slice(tsr_tuple c, tsr_tuple t) { return tsr_tuple_slice(c, t); }
TSR_FN tsr_layout tsr_slice(tsr_tuple c, tsr_layout l) { return tsr_layout_slice(c, l); }
TSR_FN tsr_tensor tsr_slice(tsr_tuple c, tsr_tensor t) { return tsr_tensor_slice(c, t); }
TSR_FN tsr_tuple tsr_dice(tsr_tuple c, tsr_tuple t) { return tsr_tuple_dice(c, t); }
TSR_FN tsr_layout tsr_dice(tsr_tuple c, tsr_layout l) { return tsr_layout_dice(c, l); }
TSR_FN tsr_tensor tsr_dice(tsr_tuple c, tsr_tensor t) { return tsr_tensor_dice(c, t); }
TSR_FN bool tsr_equal(tsr_tuple a, tsr_tuple b) { return tsr_is_true(tsr_tuple_equal(a, b)); }
TSR_FN bool tsr_equal(tsr_layout a, tsr_layout b) { return tsr_is_true(tsr_layout_equal(a, b)); }
TSR_FN tsr_layout tsr_composition_(tsr_layout a, tsr_tiler b) { return tsr_composition_by(a, b); }
TSR_FN tsr_tensor tsr_composition_(tsr_tensor a, tsr_tiler b) { return tsr_tensor_composition_by(a, b); }
TSR_FN tsr_layout tsr_logical_divide_(tsr_layout a, tsr_tiler b) { return tsr_logical_divide_by(a, b); }
TSR_FN tsr_tensor tsr_logical_divide_(tsr_tensor a, tsr_tiler b) { return tsr_tensor_logical_divide_by(a, b); }
TSR_FN tsr_layout tsr_zipped_divide_(tsr_layout a, tsr_tiler b) { return tsr_zipped_divide_by(a, b); }
TSR_FN tsr_tensor tsr_zipped_divide_(tsr_tensor a, tsr_tiler b) { return tsr_tensor_zipped_divide_by(a, b); }
TSR_FN tsr_layout tsr_tiled_divide_(tsr_layout a, tsr_tiler b) { return tsr_tiled_divide_by(a, b); }
TSR_FN tsr_tensor tsr_tiled_divide_(tsr_tensor a, tsr_tiler b) { return tsr_tensor_tiled_divide_by(a, b); }
TSR_FN tsr_layout tsr_flat_divide_(tsr_layout a, tsr_tiler b) { return tsr_flat_divide_by(a, b); }
TSR_FN tsr_tensor tsr_flat_divide_(tsr_tensor a, tsr_tiler b) { return tsr_tensor_flat_divide_by(a, b); }

#  define tsr_composition(a, b) tsr_composition_(a, TSR_TILER(b))
#  define tsr_logical_divide(a, b) tsr_logical_divide_(a, TSR_TILER(b))
#  define tsr_zipped_divide(a, b) tsr_zipped_divide_(a, TSR_TILER(b))
#  define tsr_tiled_divide(a, b) tsr_tiled_divide_(a, TSR_TILER(b))
#  define tsr_flat_divide(a, b) tsr_flat_divide_(a, TSR_TILER(b))
#  define tsr_logical_product(a, b) tsr_logical_product_by(a, TSR_TILER(b))
#  define tsr_zipped_product(a, b) tsr_zipped_product_by(a, TSR_TILER(b))
#  define tsr_tiled_product(a, b) tsr_tiled_product_by(a, TSR_TILER(b))
#  define tsr_flat_product(a, b) tsr_flat_product_by(a, TSR_TILER(b))

#else

/* clang-format off */
#  define TSR_PICK(x, of_tuple, of_layout, of_tensor) \
      _Generic((x), tsr_layout: of_layout, tsr_tensor: of_tensor, default: of_tuple)
#  define TSR_PICK_2(x, of_tuple, of_layout) _Generic((x), tsr_layout: of_layout, default: of_tuple)
#  define tsr_why(x)                                                                                      \
      _Generic((x), tsr_reason: tsr_reason_why_, tsr_layout: tsr_layout_why, tsr_tiler: tsr_tiler_why,   \
               tsr_swizzle: tsr_swizzle_why, tsr_tensor: tsr_tensor_why, tsr_verdict: tsr_verdict_why,   \
               default: tsr_tuple_why)(x)
#  define tsr_ok(x)                                                                                      \
      _Generic((x), tsr_reason: tsr_reason_ok, tsr_layout: tsr_layout_ok, tsr_tensor: tsr_tensor_ok,      \
               default: tsr_tuple_ok)(x)
/* clang-format on */
#  define tsr_size(x) TSR_PICK(x, tsr_size_tuple, tsr_layout_size, tsr_size_tensor_)(x)
#  define tsr_rank(x) TSR_PICK(x, tsr_rank_tuple, tsr_layout_rank, tsr_rank_tensor_)(x)
#  define tsr_flatten(x) TSR_PICK(x, tsr_tuple_flatten, tsr_layout_flatten, tsr_tensor_flatten)(x)
#  define tsr_coalesce(x) TSR_PICK(x, tsr_tuple_coalesce, tsr_layout_coalesce, tsr_tensor_coalesce)(x)
#  define tsr_get(x, i) TSR_PICK(x, tsr_tuple_get, tsr_mode, tsr_get_tensor_)(x, i)
#  define tsr_take(x, b, e) TSR_PICK(x, tsr_tuple_take, tsr_layout_take, tsr_tensor_take)(x, b, e)
#  define tsr_group(x, b, e) TSR_PICK(x, tsr_tuple_group, tsr_layout_group, tsr_group_modes)(x, b, e)
#  define tsr_append(x, y) TSR_PICK(x, tsr_tuple_append, tsr_layout_append, tsr_tensor_append)(x, y)
#  define tsr_prepend(x, y) TSR_PICK(x, tsr_tuple_prepend, tsr_layout_prepend, tsr_tensor_prepend)(x, y)
#  define tsr_select_(x, modes) TSR_PICK(x, tsr_tuple_select, tsr_layout_select, tsr_tensor_select)(x, modes)
/* clang-format off */
#  define tsr_shape_(x) \
      _Generic((x), tsr_tuple: tsr_shape_self_, tsr_layout: tsr_shape_layout_, tsr_tensor: tsr_shape_tensor_, \
               default: tsr_int)(x)
/* clang-format on */
#  define tsr_is_static(x) TSR_PICK(x, tsr_is_static_tuple_, tsr_is_static_layout_, tsr_is_static_tensor_)(x)
#  define tsr_is_major(x, mode) \
    tsr_is_true(TSR_PICK(x, tsr_major_int, tsr_layout_major_int, tsr_tensor_major_int)(x, mode))
#  define tsr_slice(c, x) TSR_PICK(x, tsr_tuple_slice, tsr_layout_slice, tsr_tensor_slice)(c, x)
#  define tsr_dice(c, x) TSR_PICK(x, tsr_tuple_dice, tsr_layout_dice, tsr_tensor_dice)(c, x)
#  define tsr_equal(x, y) tsr_is_true(TSR_PICK_2(x, tsr_tuple_equal, tsr_layout_equal)(x, y))
/* clang-format off */
#  define TSR_BY_KIND_(b, name) \
      _Generic((b), tsr_tiler: name##_by, tsr_layout: name##_by_layout_, tsr_tuple: name##_by_tuple_, \
               default: name##_by_int_)
#  define TSR_BY_KINDS_(a, b, name) \
      _Generic((a), tsr_tensor: TSR_BY_KIND_(b, tsr_tensor_##name), default: TSR_BY_KIND_(b, tsr_##name))(a, b)
/* clang-format on */
#  define tsr_composition(a, b) TSR_BY_KINDS_(a, b, composition)
#  define tsr_logical_divide(a, b) TSR_BY_KINDS_(a, b, logical_divide)
#  define tsr_zipped_divide(a, b) TSR_BY_KINDS_(a, b, zipped_divide)
#  define tsr_tiled_divide(a, b) TSR_BY_KINDS_(a, b, tiled_divide)
#  define tsr_flat_divide(a, b) TSR_BY_KINDS_(a, b, flat_divide)
#  define tsr_logical_product(a, b) TSR_BY_KIND_(b, tsr_logical_product)(a, b)
#  define tsr_zipped_product(a, b) TSR_BY_KIND_(b, tsr_zipped_product)(a, b)
#  define tsr_tiled_product(a, b) TSR_BY_KIND_(b, tsr_tiled_product)(a, b)
#  define tsr_flat_product(a, b) TSR_BY_KIND_(b, tsr_flat_product)(a, b)

#endif

/* Partitions: a tiler is also a layout, a tuple or an integer, a coordinate also an integer.
 *  Example  tsr_local_tile(tsr_make_tensor((float *)64, 12), 4, 1).layout  is  (4):(_1) */
#define tsr_inner_partition(t, tiler, coord) tsr_tensor_inner_partition(t, TSR_TILER(tiler), TSR_LIFT(coord))
#define tsr_outer_partition(t, tiler, coord) tsr_tensor_outer_partition(t, TSR_TILER(tiler), TSR_LIFT(coord))
#define tsr_local_tile(t, tiler, coord) tsr_tensor_local_tile(t, TSR_TILER(tiler), TSR_LIFT(coord))
#define tsr_local_tile_by(t, tiler, coord, proj) tsr_tensor_local_tile_by(t, TSR_TILER(tiler), TSR_LIFT(coord), proj)
#define tsr_local_partition(t, threads, index) tsr_tensor_local_partition(t, threads, TSR_LIFT(index))
#define tsr_local_partition_by(t, threads, index, proj) \
  tsr_tensor_local_partition_by(t, threads, TSR_LIFT(index), proj)

/* Predicates of any two of integers, shapes, layouts and tensors, as truths of C.
 *  Example  tsr_is_compatible(tsr_make_layout(tsr_t(4, 6)), tsr_t(4, tsr_t(2, 3)))  is  1
 *  Example  tsr_is_static(tsr_make_layout(tsr_t(tsr_s(4), 6)))  is  0
 *  Example  tsr_is_major(tsr_make_layout(tsr_t(4, 6), tsr_t(6, 1)), 1)  is  1
 *  Example  tsr_equal(tsr_make_layout(tsr_t(4, 6)), tsr_make_layout(tsr_t(4, 6), tsr_t(1, 4)))  is  1 */
#define tsr_is_congruent(a, b) tsr_is_true(tsr_congruent(tsr_shape_(a), tsr_shape_(b)))
#define tsr_is_weakly_congruent(a, b) tsr_is_true(tsr_weakly_congruent(tsr_shape_(a), tsr_shape_(b)))
#define tsr_is_compatible(a, b) tsr_is_true(tsr_compatible(tsr_shape_(a), tsr_shape_(b)))
#define tsr_is_weakly_compatible(a, b) tsr_is_true(tsr_weakly_compatible(tsr_shape_(a), tsr_shape_(b)))
#define tsr_divides_evenly(tiler, x) tsr_is_true(tsr_evenly_divides_by(tsr_shape_(x), TSR_TILER(tiler)))

/** The modes listed, of a tuple, a layout or a tensor: up to 16 integers, or one tuple of them.
 *  Example  tsr_select(tsr_make_layout(tsr_t(2, 3, 4)), 2, 0)  is  (4,2):(6,_1)
 *  Example  tsr_select(tsr_t(2, 3, 4), tsr_t(1, 1))  is  (3,3)
 *  Several arguments may be tuples: the modes of each become one mode, as `reshape` behind `permute` makes them.
 *  Example  tsr_select(tsr_make_layout(tsr_t(2, 3, 4)), tsr_t(2, 0), 1)  is  ((4,2),3):((6,_1),2) */
#define tsr_select(x, ...) tsr_select_(x, tsr_t(__VA_ARGS__))

TSR_HEADER_END

#endif
