/** Layouts of larger or smaller elements: upcast, downcast, recast, alignment.
 *
 *  Law        An element at offset x is the N smaller elements N x .. N x + N - 1.
 *             upcast<N>: mode i joins b_i neighbouring coordinates, floor(l(c) / N) = r(c_0 / b_0, c_1 / b_1, ..).
 *             Either the product of all b_i is N, and the N elements that one element of the result joins are its
 *             parts. Or every offset of l is a multiple of N, and nothing is joined: r is l / N.
 *             downcast<N>: one mode of stride 1 grows by N, other strides multiply by N: r(N c + j) = N l(c) + j. Of
 *             several such modes the first of static extent 1 grows, for upcast leaves one where it joins a whole mode;
 *             without one, the first grows.
 *             Coordinates are recast along the first basis element of the strides, which is contiguous in the compact
 *             layout of their shape; strides along the others stay.
 *  Condition  upcast: each static stride divides N or is divided by it, a dynamic one is a multiple of N (structure
 *             must not depend on dynamic numbers). A swizzle leaves groups of N together, and multiples of N multiples.
 *             A tensor is recast where groups are complete only: else elements would be read that it does not have.
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

/** The same where groups are complete, so that sizes in bits are equal. */
TSR_INTERNAL tsr_layout tsr_recast_whole_(tsr_layout l, tsr_dtype from, tsr_dtype to);

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
