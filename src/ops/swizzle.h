/** Rows of swizzles. The kinds are explained in ops.h. */
#ifndef TSR_SRC_OPS_SWIZZLE_H
#define TSR_SRC_OPS_SWIZZLE_H

#include "tessera/core/verdict.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_OPS_SWIZZLE(X, A) \
    X(swizzle, swizzle_at, T, (W, T), "Sw(x)", \
      "swizzle(Sw<2,3,3>, 186)", "170", "- index:") \
    A(call, swizzle_at, T, (W, T), "Sw(x)", \
      "call(Sw<2,3,3>, 186)", "170", "- index:") \
    X(composition, composition_swizzles, W, (W, W), "two swizzles of the same shift as one", \
      "composition(Sw<1,4,3>, Sw<2,4,3>)", "Sw<1,5,3>") \
    X(equal, swizzle_equal, T, (W, W), "the same swizzle", \
      "equal(Sw<3,4,3>, Sw<2,4,3>)", "_0") \
    X(right_inverse, swizzle_inverse, W, (W), "a swizzle is its own inverse", \
      "right_inverse(Sw<2,1,3>)", "Sw<2,1,3>") \
    A(left_inverse, swizzle_inverse, W, (W), "a swizzle is its own inverse", \
      "left_inverse(Sw<3,4,3>)", "Sw<3,4,3>") \
    X(max_alignment, swizzle_max_alignment, T, (W), "2^M", \
      "max_alignment(Sw<3,3,3>)", "_8") \
    X(upcast, swizzle_upcast, W, (W, N), "the swizzle of elements N times as large", \
      "upcast<8>(Sw<3,4,3>)", "Sw<3,1,3>", "- factor:") \
    X(downcast, swizzle_downcast, W, (W, N), "the swizzle of elements N times as small", \
      "downcast<2>(Sw<3,4,3>)", "Sw<3,5,3>", "- factor:") \
    X(upcast, int_upcast, T, (T, N), "an offset in elements N times as large", \
      "upcast<4>(make_mixed_bits(_32, 3, _40))", "M_8|(0&2)=8", "offset: factor:") \
    X(downcast, int_downcast, T, (T, N), "an offset in elements N times as small", \
      "downcast<2>(make_mixed_bits(_57, 23, _59))", "M_114|(4&4)=118", "offset: factor:") \
    X(recast_layout, recast_swizzle, W, (W, B, B), "the swizzle of elements of another type", \
      "recast_layout<half_t,float>(Sw<3,4,3>)", "Sw<3,3,3>", "- from: to:") \
    X(make_swizzle, make_swizzle, W, (N, N, N), "the swizzle of B bits, base M and shift S", \
      "make_swizzle<3,4,3>()", "Sw<3,4,3>", "bits: base: shift:") \
    X(make_swizzle_masks, make_swizzle_masks, W, (N, N), "the swizzle that xors the bits Y into the bits Z", \
      "make_swizzle_masks<896,112>()", "Sw<3,4,3>", "y_mask: z_mask:")
/* clang-format on */

TSR_HEADER_END

#endif
