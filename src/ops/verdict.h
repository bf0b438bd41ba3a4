/** Rows that answer questions about a layout as a function. The kinds are explained in ops.h. */
#ifndef TSR_SRC_OPS_VERDICT_H
#define TSR_SRC_OPS_VERDICT_H

#include "tessera/core/verdict.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_OPS_VERDICT(X, A) \
    X(same_function, same_function, D, (L, L), "equal as functions of the 1-D coordinate", \
      "same_function((_2,(_1,_6)):(_1,(_6,_2)), _12:_1)", "yes") \
    X(is_injective, is_injective, D, (L), "different coordinates have different offsets", \
      "is_injective((4,2):(1,2))", "no: the coordinates 2 and 4 both give 2") \
    X(is_surjective, is_surjective, D, (L), "every offset between the least and the greatest is reached", \
      "is_surjective((4,2):(1,8))", "no: no coordinate gives 4") \
    X(is_compact, is_compact, D, (L), "injective and surjective", \
      "is_compact((4,2):(2,1))", "yes") \
    X(is_bijective, is_bijective, D, (L), "compact, and the offsets begin at 0", \
      "is_bijective((4,2):(2,1))", "yes") \
    X(is_contiguous, is_contiguous, D, (L), "L(i) = L(0) + i", \
      "is_contiguous((4,2):(2,1))", "no: the coordinate 1 gives 2, not 1") \
    X(is_tractable, is_tractable, D, (L), "the span of each stride divides the next larger one", \
      "is_tractable((4,6):(1,6))", "no: extent 4 times stride 1 does not divide the next stride 6") \
    X(composition_admissible, composition_admissible, D, (L, R), "composition is defined", \
      "composition_admissible((_4,_3):(_3,_1), _5:_1)", "no: composition: extent 5 of mode 0 on the right does not split over extent 4 on the left; the nearest legal extents are 4 and 8") \
    X(complement_admissible, complement_admissible, D, (L, T), "complement is defined", \
      "complement_admissible((_4,_2):(_1,_2), _16)", "no: complement: stride 2 of mode 1 is less than 4, the span of the smaller strides, so the modes overlap or interleave", \
      "- cotarget:") \
    X(divide_admissible, divide_admissible, D, (L, R), "logical_divide is defined", \
      "divide_admissible((_4,_2,_3):(_2,_1,_8), _4:_2)", "yes") \
    X(int32_extent, int32_extent, T, (L), "how many elements have offsets that fit 32 bits", \
      "int32_extent((65536,65536):(65536,1))", "32768")
/* clang-format on */

TSR_HEADER_END

#endif
