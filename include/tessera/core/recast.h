/** Layouts of larger or smaller elements: upcast, downcast, recast, alignment.
 *
 *  Law        An element at offset x is the N smaller elements N x .. N x + N - 1. A result covers the smaller elements
 *             of its operand, each as often: sizes in bits are equal, and nothing is read outside.
 *             upcast<N>: mode i joins b_i neighbouring coordinates, and the product of all b_i is N. The N elements
 *             that one element of the result joins are its parts: floor(l(c) / N) = r(c_0 / b_0, c_1 / b_1, ..).
 *             downcast<N>: one mode of stride 1 grows by N, other strides multiply by N: r(N c + j) = N l(c) + j. Of
 *             several such modes the first of static extent 1 grows, for upcast leaves one where it joins a whole mode;
 *             without one, the first grows.
 *  Condition  upcast: each static stride divides N or is divided by it, a dynamic one is a multiple of N (structure
 *             must not depend on dynamic numbers), and a swizzle leaves groups of N together.
 *             downcast: a mode has the static stride 1.
 *  Source     CuTe, include/cute/layout.hpp and swizzle_layout.hpp.
 */
#ifndef TSR_CORE_RECAST_H
#define TSR_CORE_RECAST_H

#include "tessera/base/dtype.h"
#include "tessera/core/common.h"

TSR_HEADER_BEGIN

TSR_OP tsr_tuple tsr_int_upcast(tsr_tuple t, int64_t n);

TSR_OP tsr_tuple tsr_int_downcast(tsr_tuple t, int64_t n);

/** The groups of n that the elements lie in, whole or not, mode by mode and without a swizzle.
 *  Errors: BASIS, UPCAST_STRIDE, UPCAST_DYNAMIC. */
TSR_INTERNAL tsr_layout tsr_groups_(tsr_layout r, int64_t n);

/** N elements become one. Errors: UPCAST_STRIDE, UPCAST_DYNAMIC, UPCAST_EXTENT, UPCAST_PARTS, UPCAST_OVERLAP,
 *  UPCAST_SWIZZLE; SAFE_DIV where an offset is no multiple of N. */
TSR_OP tsr_layout tsr_upcast(tsr_layout l, int64_t n);

/** One element becomes N. Errors: DOWNCAST; FACTOR behind a swizzle where N is no power of two. */
TSR_OP tsr_layout tsr_downcast(tsr_layout l, int64_t n);

/** The layout of elements of type `to` in the memory of elements of type `from`; only their bits count. */
TSR_OP tsr_layout tsr_recast_layout(tsr_layout l, tsr_dtype from, tsr_dtype to);

TSR_OP tsr_swizzle tsr_recast_swizzle(tsr_swizzle sw, tsr_dtype from, tsr_dtype to);

/** What an offset is aligned to: a static integer itself, mixed bits by their lowest possible bit. */
TSR_OP tsr_tuple tsr_int_max_alignment(tsr_tuple t);

/** The largest N for which upcast<N> keeps whole elements. Dynamic numbers do not add to it. */
TSR_OP tsr_tuple tsr_max_alignment(tsr_layout l);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/recast.h"
#endif

#endif
